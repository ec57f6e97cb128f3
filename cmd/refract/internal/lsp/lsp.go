// Package lsp serves the findings of an audit to editors, by the Language Server Protocol
// 3.17: diagnostics while a document is edited, also those of documents that are not open
// and that an edit has broken; what they suggest as code actions; completion of paths and
// anchors; and where a reference leads.
//
//	lsp.go          Serve: the life of a server, and what it is told
//	diagnose.go     audits, each of the whole workspace, and what is published of them
//	answer.go       completion, definition and code actions
//	destination.go  the reference that is being written
//	text.go         positions, changes and URIs
//	conn.go         how messages are framed
//	protocol.go     what is in them
//
// What is asked is answered from the last audit and the text as it is now. Before the first
// is over there is nothing to answer.
package lsp

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	// Of what jrpc2 does, order matters most here: a notification is handled when those
	// in front of it have been, and so is a request. Handlers of requests run beside each
	// other, and beside notifications that come after them.
	"github.com/creachadair/jrpc2"

	"example.org/refract/audit"
)

// The life of a server.
const (
	fresh   = iota // waits for initialize
	running        // until shutdown
	down           // waits for exit
)

// serverNotInitialized is a code of LSP's own.
const serverNotInitialized jrpc2.Code = -32002

type server struct {
	options audit.Options // with Paths, what is audited in place of the folders
	cache   audit.Cache
	version string
	rpc     *jrpc2.Server
	exit    context.CancelFunc

	configure func(dir string) (audit.Options, error)
	phase     atomic.Int32
	handlers  map[string]jrpc2.Handler
	changed   chan struct{} // holds one if another audit is needed

	mu        sync.Mutex // of what follows; it may be held while rpc sends
	utf8      bool
	watches   bool                 // the client lets a server say what it watches
	folders   []string             // of the workspace, by absolute path with forward slashes
	open      map[string]*document // by absolute path
	published map[string]*published
	report    *audit.Report // the last; nil before
	failed    string        // why there was no report, the last time
}

// A document is open in the editor.
type document struct {
	uri     string // as the client has it
	version int
	text    []byte // replaced by changes, never changed
}

// Serve serves a client on r and w, until it says exit or r ends. What is audited are the
// folders of its workspace, and other documents that are open.
//
// configure is called once, with the first of the folders, or the working directory of the
// process if there is none. It returns how to audit, and with Paths, what to audit in place
// of the folders. Relative names are relative to that directory, and paths are shown
// relative to it. An error of configure is the answer to initialize.
//
// ok reports whether the client requested shutdown before it left. The error is of r, whose
// messages cannot be told apart.
func Serve(configure func(dir string) (audit.Options, error), version string, r io.Reader, w io.Writer) (ok bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &server{
		configure: configure, version: version, exit: cancel, changed: make(chan struct{}, 1),
		open: map[string]*document{}, published: map[string]*published{},
	}
	s.handlers = map[string]jrpc2.Handler{
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
		"workspace/didChangeWatchedFiles":     handle(s, s.didChangeWatchedFiles),
		"workspace/didChangeWorkspaceFolders": handle(s, s.didChangeWorkspaceFolders),
	}
	s.rpc = jrpc2.NewServer(s, &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true})
	go s.watch(ctx)
	err = s.rpc.Start(newConn(ctx, r, w)).Wait()
	return s.phase.Load() == down, err
}

// handle returns a handler that reads its parameters, and has the server for itself.
func handle[P any](s *server, do func(*P) (any, error)) jrpc2.Handler {
	return func(_ context.Context, req *jrpc2.Request) (any, error) {
		var p P
		if err := req.UnmarshalParams(&p); err != nil {
			return nil, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return do(&p)
	}
}

// Assign returns the handler of a method, or one that refuses it. jrpc2 asks in the order
// in which messages come, so that life goes on in that order, whatever the handlers do.
func (s *server) Assign(ctx context.Context, method string) jrpc2.Handler {
	refuse := func(code jrpc2.Code, why string) jrpc2.Handler {
		return func(context.Context, *jrpc2.Request) (any, error) { return nil, jrpc2.Errorf(code, "%s", why) }
	}
	phase := s.phase.Load()
	switch {
	case method == "exit":
		return func(context.Context, *jrpc2.Request) (any, error) {
			s.exit()
			return nil, nil
		}
	case phase == down:
		return refuse(jrpc2.InvalidRequest, "the server has been shut down")
	case method == "initialize" && phase == fresh && !jrpc2.InboundRequest(ctx).IsNotification():
		s.phase.Store(running)
	case method == "initialize":
		return refuse(jrpc2.InvalidRequest, "initialize comes once, as a request")
	case phase == fresh:
		return refuse(serverNotInitialized, "initialize comes first")
	case method == "shutdown":
		s.phase.Store(down)
	}
	return s.handlers[method] // nil says that there is no such method
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
		return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%v", err)
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
	c.Workspace.WorkspaceFolders.Supported, c.Workspace.WorkspaceFolders.ChangeNotifications = true, true
	return &r, nil
}

// workingDir returns the first of the folders, or if that is no directory, the working
// directory of the process.
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
		// The answer tells nothing. It may never come.
		go s.rpc.Callback(context.Background(), "client/registerCapability", registrationParams{[]registration{all}})
	}
	s.change()
	return nil, nil
}

// change says that something has changed.
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
		if !strings.Contains(c.URI, "/.git/") { // which changes with every command of git
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

// arguments returns what is to be audited: the paths or the folders, and what is open in
// none of them.
func (s *server) arguments() []string {
	if s.options.Paths != nil {
		return s.options.Paths
	}
	args := []string{} // not nil, which is the directory
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

// argument is how a path is given on a command line: relative if it is in the directory
// that the server works in, and is not taken for standard input.
func (s *server) argument(p string) string {
	p = filepath.FromSlash(p)
	rel, err := filepath.Rel(filepath.FromSlash(s.options.Dir), p)
	if err == nil && filepath.IsLocal(rel) && rel != "-" {
		return rel
	}
	return p
}
