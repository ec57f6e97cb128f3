package lsp

import (
	"context"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.org/refract/cmd/refract/internal/report"
	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

// quiet is how long the documents must stay unchanged before an audit begins.
const quiet = 150 * time.Millisecond

// published records the diagnostics that the client has for a document.
type published struct {
	uri         string
	open        *document // state at that time; nil if it was not open
	diagnostics []diagnostic
	findings    []*audit.Finding // from which the diagnostics were made
}

// watch checks changed documents and folders, once nothing has changed for a while, until ctx is done. It
// checks edited documents first, each by itself, and then folders in which they may have changed something
// for others.
func (s *server) watch(ctx context.Context) {
	for {
		select {
		case <-s.changed:
		case <-ctx.Done():
			return
		}
		if !s.settle(ctx, quiet) {
			return
		}
		pause := s.recheck() - quiet
		if pause > 0 && !s.settle(ctx, pause) {
			return
		}
		for w := s.stale(); w != nil; w = s.stale() {
			s.audit(ctx, w)
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// settle waits until nothing has changed for a while. Documents that change meanwhile are checked, each by
// itself. It returns false if ctx is done.
func (s *server) settle(ctx context.Context, pause time.Duration) bool {
	for timer := time.After(pause); ; {
		select {
		case <-s.changed:
			timer = time.After(pause)
			if pause > quiet {
				s.recheck()
			}
		case <-timer:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// maxPause limits the time without changes after which a folder is audited, however long that takes.
const maxPause = 2 * time.Second

// recheck checks the edited documents, each by itself. It returns how long nothing must change before
// folders are audited: longer in folders that take longer.
func (s *server) recheck() (pause time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.edited)) {
		w, d := s.owner(name), s.open[name]
		if w == nil || d == nil {
			continue
		}
		if !s.recheckDocument(w, name, d) {
			w.isStale = true
		}
	}
	for _, w := range s.workspaces {
		w.isStale = w.isStale || s.edited[w.baselinePath()]
	}
	clear(s.edited)
	for _, w := range s.workspaces {
		if w.isStale {
			pause = max(pause, min(4*w.took, maxPause))
		}
	}
	return pause
}

// maxLocal limits the size in bytes of a document that is checked by itself: requests wait meanwhile.
const maxLocal = 4 << 20

// recheckDocument checks an open document by itself, and publishes its findings. It returns false if the
// folder has to be audited, because the audit does not know the document, or because others may depend on
// the change.
func (s *server) recheckDocument(w *workspace, name string, d *document) (isLocal bool) {
	if w.report == nil || len(d.text) > maxLocal {
		return false
	}
	was, ok := w.texts[name]
	if !ok {
		was = textOf(nil, name)
	}
	var links []link
	findings, known, isLocal := w.report.Recheck(name, was, d.text, func(f *audit.Followed) { links = append(links, newLink(f)) })
	if !known {
		return false
	}
	p := &published{uri: d.uri, open: d}
	p.add(newText(d.text, s.utf8), findings, s.program.home)
	w.index.replace(name, links)
	w.found[name] = p
	s.publish(name, p)
	return isLocal
}

// stale returns a workspace that is to be audited, nil if there is none.
func (s *server) stale() *workspace {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.workspaces {
		if w.isStale {
			return w
		}
	}
	return nil
}

// audit audits a folder, and publishes new results. Changes in the meantime have already requested another
// check. An audit ends early with ctx.
func (s *server) audit(ctx context.Context, w *workspace) {
	s.mu.Lock()
	w.isStale, w.isDone = false, false
	s.readBaseline(w)
	o, open := w.options, maps.Clone(s.open)
	o.Doubts = true
	o.Paths = s.arguments(w)
	inUTF8 := s.utf8
	s.mu.Unlock()
	start := time.Now()
	o.Tree = treeOf(open)
	var followed index
	o.Followed = followed.addFollowed
	found := map[string][]*audit.Finding{}
	last, name := "", "" // findings in the same document are consecutive
	w.cached.Lock()
	result, err := audit.Run(ctx, o, func(f *audit.Finding) {
		if f.Path != last {
			abs, _ := filepath.Abs(f.Path)
			last, name = f.Path, slash.Path(abs)
		}
		found[name] = append(found[name], f)
	})
	w.cached.Unlock()
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.fail(w, err.Error())
		return
	}
	now := make(map[string]*published, len(found)+len(open))
	texts := make(map[string][]byte, len(open))
	for name, d := range open {
		now[name], texts[name] = &published{uri: d.uri, open: d}, d.text
	}
	for name, findings := range found {
		if now[name] == nil {
			now[name] = &published{uri: slash.URL(name)}
		}
		now[name].add(newText(textOf(open[name], name), inUTF8), findings, s.program.home)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.isDone = true
	w.report, w.failed, w.index, w.texts, w.found, w.took = result, "", followed, texts, now, time.Since(start)
	s.noteBuild(w)
	s.publishAll(open)
	if s.client.Workspace.CodeLens.RefreshSupport {
		s.out.call("workspace/codeLens/refresh", nil)
	}
}

// noteBuild logs what users should know about the build of a workspace, once.
func (s *server) noteBuild(w *workspace) {
	if w.built == nil {
		return
	}
	if note := w.built.Note(); note != w.note {
		w.note = note
		if note != "" {
			s.out.notify("window/logMessage", logMessageParams{severityWarning, note})
		}
	}
}

// publishAll publishes the findings of the last audits in the documents that they own. open holds the
// documents that were open at the last one.
func (s *server) publishAll(open map[string]*document) {
	now := map[string]*published{}
	for _, w := range s.workspaces {
		for name, p := range w.found {
			if s.owner(name) == w {
				now[name] = p
			}
		}
	}
	for name, was := range s.published {
		if now[name] == nil {
			now[name] = new(published) // no diagnostics remain
		}
		if now[name].open == nil {
			now[name].uri = was.uri
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if s.open[name] == open[name] && now[name].open == open[name] {
			s.publish(name, now[name])
		}
	}
}

// treeOf returns the disk, overlaid with the open documents. A file that has never been saved is not in it:
// links to it are broken until it is saved. Neither is a document in place of a directory, a device or a
// pipe.
func treeOf(open map[string]*document) tree.Tree {
	disk := tree.Disk()
	tree := tree.NewOverlay(disk)
	for name, d := range open {
		if isRegular(name, math.MaxInt64) {
			tree.Write(name, d.text)
		}
	}
	return tree
}

// maxFile limits the size in bytes of a file whose text is shown or compared.
const maxFile = 32 << 20

// textOf returns the text of d or, if d is nil, of the file called name. It returns nil unless that is a
// regular file: a client names files as it likes, and a device or a pipe may never end.
func textOf(d *document, name string) []byte {
	if d != nil {
		return d.text
	}
	if !isRegular(name, maxFile) {
		return nil
	}
	r, err := input.Open(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer r.Close()
	b, _ := io.ReadAll(io.LimitReader(r, maxFile))
	return b
}

// isRegular reports whether name is a regular file of at most limit bytes, or a symbolic link to one.
func isRegular(name string, limit int64) bool {
	info, err := os.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular() && info.Size() <= limit
}

// add adds findings in a document with the text t. home is the URL of the repository of refract.
func (p *published) add(t *text, findings []*audit.Finding, home string) {
	for _, f := range findings {
		d := diagnostic{Severity: severityOf(f), Code: string(f.Rule), Source: "refract", Message: f.Message}
		from := int(f.Pos.Offset)
		d.Range = span{t.position(from), t.position(from + f.Pos.Length)}
		d.About.URL = report.RulePage(home, f.Rule)
		d.Data.Suggestion = f.Suggestion
		p.diagnostics = append(p.diagnostics, d)
		p.findings = append(p.findings, f)
	}
}

// severityOf returns the severity of a finding.
func severityOf(f *audit.Finding) severity {
	if f.Level() == rule.LevelError {
		return severityError
	}
	return severityInformation
}

// publish sends the client the diagnostics of a document, if they have changed, or if the document
// is open in another version.
func (s *server) publish(name string, p *published) {
	was := s.published[name]
	if was == nil {
		was = new(published)
	}
	same := was.uri == p.uri && was.open == p.open
	if p.open == nil && len(p.diagnostics) == 0 {
		delete(s.published, name)
		same = true
	} else {
		s.published[name] = p
	}
	if same && slices.Equal(was.diagnostics, p.diagnostics) {
		return
	}
	params := publishDiagnosticsParams{URI: p.uri, Diagnostics: append([]diagnostic{}, p.diagnostics...)} // [], not null
	if p.open != nil {
		params.Version = &p.open.version
	}
	s.out.notify("textDocument/publishDiagnostics", params)
}

// fail tells the client why a folder cannot be audited, unless it has just said the same.
func (s *server) fail(w *workspace, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.failed != why {
		w.failed = why
		s.out.notify("window/logMessage", logMessageParams{severityError, why})
	}
}
