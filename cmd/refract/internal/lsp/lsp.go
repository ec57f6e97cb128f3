// Package lsp serves the findings of an audit to editors, by the Language Server Protocol
// 3.17: diagnostics while a document is edited, also those of documents that are not open
// and that an edit has broken; what they suggest as code actions; completion of paths and
// anchors; and where a reference leads.
//
//	lsp.go          Serve: the life of a server, and what it is told
//	diagnose.go     audits, each of the whole workspace, and what is published of them
//	answer.go       completion, definition and code actions
//	rename.go       headings and files that are renamed
//	destination.go  the reference that is being written
//	text.go         positions, changes and URIs
//	conn.go         how messages are framed
//	rpc.go          requests, notifications and answers of JSON-RPC 2.0
//	protocol.go     what is in them
//
// Requests are answered from the last audit and the current text. Until the first audit is
// complete, answers are empty.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.org/refract/audit"
)

// The states of a server.
const (
	fresh   = iota // waits for initialize
	running        // until shutdown
	down           // waits for exit
)

type server struct {
	options audit.Options // if Paths is set, it replaces the folders
	cache   audit.Cache
	version string
	out     output

	configure func(dir string) (audit.Options, error)
	phase     int
	handlers  map[string]handler
	changed   chan struct{} // holds a value if another audit is needed

	mu        sync.Mutex // guards the following fields; may be held while out sends
	utf8      bool
	watches   bool                 // the client supports registering file watchers
	folders   []string             // of the workspace, as absolute paths with forward slashes
	open      map[string]*document // by absolute path
	published map[string]*published
	report    *audit.Report // the last report; nil before the first
	failed    string        // why the last audit failed; "" if it did not
}

// A document is a document open in the editor.
type document struct {
	uri     string // as the client spells it
	version int
	text    []byte // changes replace the slice, and never modify its bytes
}

// Serve serves a client on r and w, until it sends exit or r ends. It audits the folders of the
// workspace, and open documents outside of them.
//
// configure is called once, with the first folder or, if there is none, the working directory of
// the process. It returns the options of the audit; if Paths is set, it replaces the folders.
// Relative names are relative to that directory, and paths are shown relative to it. An error of
// configure becomes the answer to initialize.
//
// ok reports whether the client requested shutdown before it disconnected. The error says that r
// could not be read, or that messages in it could not be delimited.
func Serve(configure func(dir string) (audit.Options, error), version string, r io.Reader, w io.Writer) (ok bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &server{
		configure: configure, version: version, changed: make(chan struct{}, 1), out: output{w: w},
		open: map[string]*document{}, published: map[string]*published{},
	}
	s.handlers = map[string]handler{
		"initialize":                          handle(s, s.initialize),
		"initialized":                         handle(s, s.initialized),
		"shutdown":                            handle(s, func(*struct{}) (any, error) { return nil, nil }),
		"textDocument/didOpen":                handle(s, s.didOpen),
		"textDocument/didChange":              handle(s, s.didChange),
		"textDocument/didSave":                handle(s, s.didSave),
		"textDocument/didClose":               handle(s, s.didClose),
		"textDocument/codeAction":             handle(s, s.codeAction),
		"textDocument/completion":             handle(s, s.completion),
		"textDocument/definition":             handle(s, s.definition),
		"textDocument/prepareRename":          handle(s, s.prepareRename),
		"textDocument/rename":                 handle(s, s.rename),
		"workspace/willRenameFiles":           handle(s, s.willRenameFiles),
		"workspace/didRenameFiles":            handle(s, s.didRenameFiles),
		"workspace/didChangeWatchedFiles":     handle(s, s.didChangeWatchedFiles),
		"workspace/didChangeWorkspaceFolders": handle(s, s.didChangeWorkspaceFolders),
	}
	go s.watch(ctx)
	err = s.serve(bufio.NewReader(r))
	return s.phase == down, err
}

// serve handles messages one at a time, in order of arrival, until exit or the end of the input. It
// answers every request that comes before that.
func (s *server) serve(in *bufio.Reader) error {
	for {
		text, err := readMessage(in)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		exit := false
		answer := answers(text, func(m *message) (any, error) {
			exit = exit || m.Method == "exit"
			return s.handle(m)
		})
		if answer != nil {
			s.out.send(answer)
		}
		if exit {
			return nil
		}
	}
}

// A handler handles the messages of one method.
type handler func(params json.RawMessage) (any, error)

// handle returns a handler that decodes its parameters and locks the server.
func handle[P any](s *server, do func(*P) (any, error)) handler {
	return func(params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, &callError{invalidParams, err.Error()}
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return do(&p)
	}
}

// handle handles a message, if the state of the server allows it.
func (s *server) handle(m *message) (any, error) {
	do := s.handlers[m.Method]
	switch {
	case m.Method == "exit":
		return nil, nil
	case s.phase == down:
		return nil, &callError{invalidRequest, "the server has been shut down"}
	case m.Method == "initialize" && s.phase == fresh && m.isRequest():
		s.phase = running
	case m.Method == "initialize":
		return nil, &callError{invalidRequest, "initialize must be sent once, as a request"}
	case s.phase == fresh:
		return nil, &callError{serverNotInitialized, "initialize must be sent first"}
	case m.Method == "shutdown":
		s.phase = down
	case do == nil:
		return nil, &callError{methodNotFound, "there is no such method"}
	}
	return do(m.Params)
}

func (s *server) initialize(p *initializeParams) (any, error) {
	folders := p.Folders
	if len(folders) == 0 && p.RootURI != "" {
		folders = []folder{{p.RootURI}}
	}
	s.addFolders(folders)
	dir, err := s.workingDir()
	if err == nil {
		s.options, err = s.configure(dir)
	}
	if err != nil {
		return nil, &callError{invalidParams, err.Error()}
	}
	s.options.Dir, s.options.Cache = filepath.ToSlash(dir), &s.cache
	s.utf8 = slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8")
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	var r initializeResult
	r.ServerInfo.Name, r.ServerInfo.Version = "refract", s.version
	c := &r.Capabilities
	c.PositionEncoding = "utf-16"
	if s.utf8 {
		c.PositionEncoding = "utf-8"
	}
	c.TextDocumentSync.OpenClose, c.TextDocumentSync.Change, c.TextDocumentSync.Save = true, incremental, true
	c.CompletionProvider.TriggerCharacters = []string{"(", "/", "#", `"`, "'", "<"}
	c.CodeActionProvider.CodeActionKinds = []string{quickFix}
	c.DefinitionProvider = true
	c.setRenaming()
	c.Workspace.WorkspaceFolders.Supported, c.Workspace.WorkspaceFolders.ChangeNotifications = true, true
	return &r, nil
}

// workingDir returns the first folder or, if that is not a directory, the working directory of the
// process.
func (s *server) workingDir() (string, error) {
	if len(s.folders) > 0 {
		dir := filepath.FromSlash(s.folders[0])
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir, nil
		}
	}
	return filepath.Abs(".")
}

func (s *server) addFolders(folders []folder) {
	for _, f := range folders {
		if p, ok := s.path(f.URI); ok && !slices.Contains(s.folders, p) {
			s.folders = append(s.folders, p)
		}
	}
}

func (s *server) path(uri string) (string, bool) { return pathOf(uri, runtime.GOOS == "windows") }

func (s *server) initialized(*struct{}) (any, error) {
	if s.watches {
		all := registration{ID: "files", Method: "workspace/didChangeWatchedFiles"}
		all.Options.Watchers = []watcher{{"**/*"}}
		s.out.call("client/registerCapability", registrationParams{[]registration{all}})
	}
	s.change()
	return nil, nil
}

// change requests another audit.
func (s *server) change() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *server) didOpen(p *didOpenParams) (any, error) {
	if name, ok := s.path(p.TextDocument.URI); ok {
		s.open[name] = &document{p.TextDocument.URI, p.TextDocument.Version, []byte(p.TextDocument.Text)}
		s.change()
	}
	return nil, nil
}

func (s *server) didChange(p *didChangeParams) (any, error) {
	name, _ := s.path(p.TextDocument.URI)
	d := s.open[name]
	if d == nil {
		return nil, nil
	}
	text := d.text
	for i := range p.ContentChanges {
		text = p.ContentChanges[i].changed(text, s.utf8)
	}
	s.open[name] = &document{d.uri, p.TextDocument.Version, text}
	s.change()
	return nil, nil
}

func (s *server) didSave(*documentParams) (any, error) {
	s.change()
	return nil, nil
}

func (s *server) didClose(p *documentParams) (any, error) {
	name, _ := s.path(p.TextDocument.URI)
	delete(s.open, name)
	s.change()
	return nil, nil
}

func (s *server) didChangeWatchedFiles(p *didChangeWatchedFilesParams) (any, error) {
	for _, c := range p.Changes {
		if !strings.Contains(c.URI, "/.git/") { // files there change with every git command
			s.change()
		}
	}
	return nil, nil
}

func (s *server) didChangeWorkspaceFolders(p *didChangeWorkspaceFoldersParams) (any, error) {
	for _, f := range p.Event.Removed {
		gone, _ := s.path(f.URI)
		s.folders = slices.DeleteFunc(s.folders, func(p string) bool { return p == gone })
	}
	s.addFolders(p.Event.Added)
	s.change()
	return nil, nil
}

// arguments returns what to audit: the configured paths or, if there are none, the folders and the
// open documents outside of them.
func (s *server) arguments() []string {
	if s.options.Paths != nil {
		return s.options.Paths
	}
	args := []string{} // not nil: nil would mean the working directory
	for _, f := range s.folders {
		args = append(args, s.argument(f))
	}
	for _, p := range slices.Sorted(maps.Keys(s.open)) {
		if !slices.ContainsFunc(s.folders, func(f string) bool { return strings.HasPrefix(p, strings.TrimSuffix(f, "/")+"/") }) {
			args = append(args, s.argument(p))
		}
	}
	return args
}

// argument returns a path as a command line would have it: relative if it is below the working
// directory, and not "-", which would mean standard input.
func (s *server) argument(p string) string {
	p = filepath.FromSlash(p)
	rel, err := filepath.Rel(filepath.FromSlash(s.options.Dir), p)
	if err == nil && filepath.IsLocal(rel) && rel != "-" {
		return rel
	}
	return p
}
