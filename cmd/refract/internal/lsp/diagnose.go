package lsp

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"example.org/refract/audit"
	"example.org/refract/internal/input"
)

// quiet is how long nothing has to change before an audit begins.
const quiet = 150 * time.Millisecond

// published is what the client has been told of a document.
type published struct {
	uri         string
	open        *document // as it was; nil if it was not open
	diagnostics []diagnostic
	findings    []*audit.Finding // that they are of
}

// watch audits when something has changed, and nothing has for a while, until ctx is done.
func (s *server) watch(ctx context.Context) {
	for {
		select {
		case <-s.changed:
		case <-ctx.Done():
			return
		}
		for timer := time.After(quiet); timer != nil; {
			select {
			case <-s.changed:
				timer = time.After(quiet)
			case <-timer:
				timer = nil
			case <-ctx.Done():
				return
			}
		}
		s.audit(ctx)
	}
}

// audit audits all, and publishes what is new. What has changed in the meantime is left to
// the next audit, which has been asked for. An audit ends early with ctx.
func (s *server) audit(ctx context.Context) {
	s.mu.Lock()
	o, open := s.options, maps.Clone(s.open)
	o.Paths = s.arguments()
	inUTF8 := s.utf8
	s.mu.Unlock()
	o.Tree = treeOf(open)
	found := map[string][]*audit.Finding{}
	last, name := "", "" // those of a document come together
	report, err := audit.Run(ctx, o, func(f *audit.Finding) {
		if f.Path != last {
			abs, _ := filepath.Abs(f.Path)
			last, name = f.Path, filepath.ToSlash(abs)
		}
		found[name] = append(found[name], f)
	})
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.fail(err.Error())
		return
	}
	now := make(map[string]*published, len(found)+len(open))
	for name, d := range open {
		now[name] = &published{uri: d.uri, open: d}
	}
	for name, findings := range found {
		if now[name] == nil {
			now[name] = &published{uri: uriOf(name)}
		}
		now[name].add(newText(textOf(open[name], name), inUTF8), findings)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report, s.failed = report, ""
	for name, was := range s.published {
		if now[name] == nil {
			now[name] = new(published) // nothing is left
		}
		if now[name].open == nil {
			now[name].uri = was.uri
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if s.open[name] == open[name] {
			s.publish(name, now[name])
		}
	}
}

// treeOf returns the disk with the documents as the editor has them. A file that has never
// been saved is not in it: links to it are broken until it is.
func treeOf(open map[string]*document) audit.Tree {
	disk := audit.Disk()
	tree := audit.NewOverlay(disk)
	for name, d := range open {
		if _, err := disk.Stat(name); err == nil {
			tree.Write(name, d.text)
		}
	}
	return tree
}

// textOf returns what is in a document, which is open or nil.
func textOf(d *document, name string) []byte {
	if d != nil {
		return d.text
	}
	r, err := input.Open(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer r.Close()
	b, _ := io.ReadAll(io.LimitReader(r, maxMessage))
	return b
}

func (p *published) add(t *text, findings []*audit.Finding) {
	for _, f := range findings {
		d := diagnostic{Severity: severityOf(f.Rule), Code: string(f.Rule), Source: "refract", Message: f.Message}
		from := int(f.Pos.Offset)
		d.Range = span{t.position(from), t.position(from + f.Pos.Length)}
		d.Data.Suggestion = f.Suggestion
		p.diagnostics = append(p.diagnostics, d)
		p.findings = append(p.findings, f)
	}
}

// severityOf is how much a finding matters.
func severityOf(r audit.Rule) severity {
	if r.Level() == audit.LevelError {
		return severityError
	}
	return severityInformation
}

// publish sends the client the diagnostics of a document, if it has others, or if the
// document is open in another version.
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

// fail tells the client once why nothing can be audited.
func (s *server) fail(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != why {
		s.failed = why
		s.out.notify("window/logMessage", logMessageParams{severityError, why})
	}
}
