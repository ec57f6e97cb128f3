package searchcmd

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime/debug"
	"strings"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/cmd/refract/internal/overview"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/risk"
)

// An overviewPage is the page of --html.
type overviewPage struct {
	name string
	*overview.Collector
	file *atomicfile.File // nil until the run begins
}

// newOverview returns the page for a file; nil if name is "".
func newOverview(name string) *overviewPage {
	if name == "" {
		return nil
	}
	return &overviewPage{name: name, Collector: overview.NewCollector(filter.LabelNames())}
}

// open opens the file of p, which may be nil.
func (p *overviewPage) open() (err error) {
	if p != nil {
		p.file, err = atomicfile.Create(p.name, io.Discard, output.IsPage)
	}
	return err
}

// temp returns the name of the temporary file; "" if there is none.
func (p *overviewPage) temp() string {
	if p == nil {
		return ""
	}
	return p.file.Temp()
}

// discard removes the temporary file, unless it was committed.
func (p *overviewPage) discard() {
	if p != nil {
		p.file.Discard()
	}
}

// write writes the page about a run.
func (p *overviewPage) write(args []string, total *output.Counts) error {
	if p == nil {
		return nil
	}
	run := overview.Run{
		Version: cli.Version(), Args: args, Inputs: total.Inputs, Unresolved: total.Unresolved, Errors: total.Errors, Skipped: total.Skipped,
		NotRead: total.NotRead, AsText: total.AsText, Meaning: labelMeanings(), Notable: 1 + len(risk.AnyLabel.Names()),
	}
	debug.FreeOSMemory() // what reading has left, before the page takes memory
	w := bufio.NewWriterSize(p.file, 64<<10)
	if err := errors.Join(p.HTML(w, &run), w.Flush()); err != nil {
		return fmt.Errorf("--html %q: %w", p.name, err)
	}
	return nil
}

// commit gives the page its name.
func (p *overviewPage) commit() error {
	if p == nil {
		return nil
	}
	return p.file.Commit()
}

// labelBits returns the labels of r: bits are indexes in LabelNames.
func labelBits(r *extract.Reference) uint64 {
	var bits uint64
	if r.InvalidAuthority {
		bits = 1
	}
	risks := risk.Of(r.URL) | risk.Of(r.Ref)
	return bits | uint64(risks)<<1 | uint64(r.Labels)<<(1+riskCount)
}

// riskCount is the number of labels of URLs, which precede those of places in LabelNames.
var riskCount = len(risk.AnyLabel.Names())

// labelMeanings returns the meanings of labels in a few words, from the text of their topic.
func labelMeanings() map[string]string {
	meanings, name := map[string]string{}, ""
	for line := range strings.Lines(filter.Topic(nil).Long) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		text := strings.TrimSpace(line)
		switch {
		case indent == 2:
			name, text, _ = strings.Cut(text, " ")
			meanings[name] = strings.TrimSpace(text)
		case indent > 2 && name != "":
			meanings[name] += " " + text
		default:
			name = ""
		}
	}
	for name, text := range meanings {
		meanings[name], _, _ = strings.Cut(text, "; ")
	}
	return meanings
}

// show adds r to the page of --html, if the output shows it. url is as the output has it.
func (s *search) show(b *output.Block, name string, r *extract.Reference, url []byte) {
	f := &s.renderer
	isText := f.Format == output.Text || f.Format == output.Edges
	if isText && f.Config.ParserDifferences && r.BrowserURL == nil {
		return
	}
	shown := overview.Reference{URL: url, Kind: r.Kind, Labels: labelBits(r), Line: r.Pos.Line, Column: r.Pos.Column}
	switch {
	case url == nil && (r.Err == nil || !f.Unresolved):
		return
	case url == nil:
		shown.URL = ascii.AppendLine(nil, f.Printable(r.Ref))
	default:
		if host := filter.NameOf(url); host != "" {
			shown.Domain = filter.DomainOf(host)
		}
		if f.Canonical != nil {
			shown.Key = b.Key
		}
	}
	if b.ShownIn != r.Entity || b.Overview.IsEmpty() {
		b.ShownIn = r.Entity
		b.Overview.In(sourceOf(b, name, r))
	}
	b.Overview.Add(&shown)
}

// sourceOf returns the document that contains r.
func sourceOf(b *output.Block, name string, r *extract.Reference) overview.Source {
	s := overview.Source{Name: name, Document: r.Document(), Date: r.Date()}
	_, s.Member = b.MemberOf(name, r.Entity)
	if m := r.Message(); m != nil {
		s.ID, s.From, s.Subject, s.List = m.ID, cmp.Or(m.From, m.FromName), m.Subject, m.ListID
		if s.List == "" {
			s.List, _, _ = strings.Cut(m.Newsgroups, ",")
		}
	}
	s.Folder = folderOf(name, r.Entity)
	return s
}

// folderOf returns the folder of the document of e: the name of an archive of documents, or the directory
// of the input. For a Maildir, it is the directory of the folder.
func folderOf(name string, e *extract.Entity) string {
	outermost := e
	for outermost.Parent != nil {
		outermost = outermost.Parent
	}
	if t := outermost.Type; e != outermost && strings.HasPrefix(t, "application/") && !strings.HasSuffix(t, "xml") && !strings.HasSuffix(t, "json") || name == "-" {
		return name
	}
	dir := path.Dir(strings.ReplaceAll(name, "\\", "/"))
	switch path.Base(dir) {
	case "cur", "new":
		return path.Dir(dir)
	}
	return dir
}

// showNote adds a note to the page of --html.
func (s *search) showNote(b *output.Block, n *extract.Note) {
	if s.overview != nil && n.Unread == "" && n.Code != scan.CodeInternal && n.Code != scan.CodeDamaged {
		b.Overview.Note(n.Code)
	}
}
