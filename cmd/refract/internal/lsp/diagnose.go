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

// quiet is how long the documents must stay unchanged before an audit begins.
const quiet = 150 * time.Millisecond

// published records the diagnostics that the client has for a document.
type published struct {
	uri         string
	open        *document // state at that time; nil if it was not open
	diagnostics []diagnostic
	findings    []*audit.Finding // from which the diagnostics were made
}

// watch runs an audit after each change, once nothing has changed for a while, until ctx is done.
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

// audit audits everything, and publishes what is new. Changes in the meantime have already
// requested the next audit. An audit ends early with ctx.
func (s *server) audit(ctx context.Context) {
	s.mu.Lock()
	o, open := s.options, maps.Clone(s.open)
	o.Paths = s.arguments()
	inUTF8 := s.utf8
	s.mu.Unlock()
	o.Tree = treeOf(open)
	found := map[string][]*audit.Finding{}
	last, name := "", "" // findings in the same document are consecutive
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
			now[name] = new(published) // no diagnostics remain
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

// treeOf returns the disk, overlaid with the open documents. A file that has never been saved is
// not in it: links to it are broken until it is saved.
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

// textOf returns the text of d or, if d is nil, of the file called name.
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

// severityOf returns the severity of a rule's findings.
func severityOf(r audit.Rule) severity {
	if r.Level() == audit.LevelError {
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

// fail tells the client why nothing can be audited, unless it has just said the same.
func (s *server) fail(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != why {
		s.failed = why
		s.out.notify("window/logMessage", logMessageParams{severityError, why})
	}
}
