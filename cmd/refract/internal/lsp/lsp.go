// Package lsp is "refract lsp": it serves the findings of an audit to editors, by the Language Server
// Protocol 3.17. It offers diagnostics while a document is edited, including those that an edit causes in
// documents that are not open; their suggestions as code actions; completion of paths and anchors; and the
// targets of references.
//
//	command.go      "refract lsp"
//	lsp.go          the life of a server, and what it is told
//	diagnose.go     audits, each of the whole workspace, and what is published of them
//	answer.go       completion, definition and code actions
//	baseline.go     the baseline, and findings that are added to it
//	rename.go       headings and files that are renamed
//	destination.go  the reference that is being written
//	text.go         positions, changes and URIs
//	conn.go         how messages are framed
//	rpc.go          requests, notifications and answers of JSON-RPC 2.0
//	protocol.go     what is in them
//
// Requests are answered from the last audit and the current text. Until the first audit is complete,
// answers are empty. After an edit, only the edited document is checked again, unless others may depend on
// the change.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"

	"example.org/refract/cmd/refract/internal/auditflags"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/slash"
)

// The states of a server.
const (
	fresh   = iota // waits for initialize
	running        // until shutdown
	down           // waits for exit
)

// A program is the version of refract, and the URL of its repository, "" if that is unknown.
type program struct{ version, home string }

// settings are the options of an audit, and the file from which it has its baseline.
type settings struct {
	options  audit.Options
	baseline auditflags.BaselineFile
}

type server struct {
	program program
	out     output

	configure func(dir string, flags []string) (settings, error)
	phase     int
	handlers  map[string]handler
	changed   chan struct{} // holds a value if something is to be checked

	mu         sync.Mutex // guards the following fields; may be held while out sends
	utf8       bool
	client     clientCapabilities
	workspaces []*workspace         // at least one, once the server is initialized
	open       map[string]*document // by absolute path
	edited     map[string]bool      // documents that are to be checked
	published  map[string]*published
	answered   map[int]func(json.RawMessage) // by id of a request to the client: takes the result
}

// A document is a document open in the editor.
type document struct {
	uri     string // as the client spells it
	version int
	text    []byte // changes replace the slice, and never modify its bytes
}

// serve serves a client on r and w, until it sends exit or r ends. It audits the folders of the
// workspace, and open documents outside of them.
//
// configure is called with each folder or, if there is none, with the working directory of the process,
// and again when the settings of the client change, which are flags. It returns the options of
// the audit; if Paths is set, it replaces the folder. Relative names are relative to that directory, and
// paths are shown relative to it. An error of configure for the first folder becomes the answer to
// initialize; other errors are messages to the user.
//
// ok reports whether the client requested shutdown before it disconnected. The error says that r
// could not be read, or that messages in it could not be delimited.
func serve(configure func(dir string, flags []string) (settings, error), program program, r io.Reader, w io.Writer) (ok bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &server{
		configure: configure, program: program, changed: make(chan struct{}, 1), out: output{w: w},
		open: map[string]*document{}, edited: map[string]bool{}, published: map[string]*published{}, answered: map[int]func(json.RawMessage){},
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
		"completionItem/resolve":              handle(s, s.resolveItem),
		"textDocument/definition":             handle(s, s.definition),
		"textDocument/hover":                  handle(s, s.hover),
		"textDocument/references":             handle(s, s.references),
		"textDocument/documentLink":           handle(s, s.documentLinks),
		"textDocument/documentSymbol":         handle(s, s.documentSymbols),
		"textDocument/codeLens":               handle(s, s.codeLenses),
		"workspace/symbol":                    handle(s, s.workspaceSymbols),
		"workspace/didChangeConfiguration":    handle(s, s.didChangeConfiguration),
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
		}, s.takeAnswer)
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
	s.client = p.Capabilities
	if err := s.addFolders(folders, settingsOf(p.Options)); err != nil {
		return nil, &callError{invalidParams, err.Error()}
	}
	s.utf8 = slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8")
	var r initializeResult
	r.ServerInfo.Name, r.ServerInfo.Version = "refract", s.program.version
	c := &r.Capabilities
	c.PositionEncoding = "utf-16"
	if s.utf8 {
		c.PositionEncoding = "utf-8"
	}
	c.TextDocumentSync.OpenClose, c.TextDocumentSync.Change, c.TextDocumentSync.Save = true, incremental, true
	c.CompletionProvider.TriggerCharacters = []string{"(", "/", "#", `"`, "'", "<", "[", "^"}
	c.CompletionProvider.ResolveProvider = true
	c.CodeActionProvider.CodeActionKinds = []string{quickFix}
	c.DefinitionProvider, c.HoverProvider, c.ReferencesProvider = true, true, true
	c.DocumentSymbolProvider, c.WorkspaceSymbolProvider = true, true
	c.setRenaming()
	c.Workspace.WorkspaceFolders.Supported, c.Workspace.WorkspaceFolders.ChangeNotifications = true, true
	return &r, nil
}

func (s *server) path(uri string) (string, bool) { return pathOf(uri, slash.Here()) }

func (s *server) initialized(*struct{}) (any, error) {
	if s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		all := registration{ID: "files", Method: "workspace/didChangeWatchedFiles"}
		all.Options.Watchers = []watcher{{"**/*"}}
		s.out.call("client/registerCapability", registrationParams{[]registration{all}})
	}
	if s.client.Workspace.Configuration {
		s.askSettings()
	} else {
		s.changeAll()
	}
	return nil, nil
}

// change requests that edited documents and stale folders are checked.
func (s *server) change() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// changeAll requests audits of all folders.
func (s *server) changeAll() {
	for _, w := range s.workspaces {
		w.isStale = true
	}
	s.change()
}

// changeAt requests an audit of the folder that a document belongs to.
func (s *server) changeAt(name string) {
	if w := s.owner(name); w != nil {
		w.isStale = true
	}
	s.change()
}

func (s *server) didOpen(p *didOpenParams) (any, error) {
	if name, ok := s.path(p.TextDocument.URI); ok {
		s.open[name] = &document{p.TextDocument.URI, p.TextDocument.Version, []byte(p.TextDocument.Text)}
		s.edited[name] = true
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
	s.edited[name] = true
	s.change()
	return nil, nil
}

func (s *server) didSave(p *documentParams) (any, error) {
	name, _ := s.path(p.TextDocument.URI)
	s.changeAt(name)
	return nil, nil
}

func (s *server) didClose(p *documentParams) (any, error) {
	name, _ := s.path(p.TextDocument.URI)
	delete(s.open, name)
	delete(s.edited, name)
	s.changeAt(name)
	return nil, nil
}

func (s *server) didChangeWatchedFiles(p *didChangeWatchedFilesParams) (any, error) {
	const modified = 2
	for _, c := range p.Changes {
		name, _ := s.path(c.URI)
		switch {
		case strings.Contains(c.URI, "/.git/"): // files there change with every git command
		case c.Type == modified && s.open[name] != nil: // its text in the editor counts
		default:
			s.changeAt(name)
		}
	}
	return nil, nil
}

func (s *server) didChangeWorkspaceFolders(p *didChangeWorkspaceFoldersParams) (any, error) {
	for _, f := range p.Event.Removed {
		if gone, ok := s.path(f.URI); ok {
			s.removeFolder(gone)
		}
	}
	if err := s.addFolders(p.Event.Added, nil); err != nil {
		s.showError(err)
	}
	if s.client.Workspace.Configuration {
		s.askSettings()
	}
	s.changeAll()
	return nil, nil
}
