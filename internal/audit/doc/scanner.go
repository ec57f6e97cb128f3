package doc

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// Read reads d. It keeps only what must be checked.
func (a *Reader) Read(d *Document) {
	s := scanner{Reader: a, d: d}
	d.Retrieved = a.Published.Retrieved(d.Path)
	if a.isPackage(d) {
		s.readPackage()
		return
	}
	if g := d.Layout.Generated; g != nil && d.Text == nil {
		DialectOf(g, d.Path) // which reads the text, and keeps it until it is opened
	}
	r, err := s.open()
	if err != nil {
		d.Err, d.IsPartial = err, true
		return
	}
	defer r.Close()
	src := io.Reader(r)
	if a.OnRead != nil || a.Context.Done() != nil {
		src = monitor{r, a}
	}
	if d.File.Path == "-" {
		d.piped, _ = io.ReadAll(io.LimitReader(src, MaxHead))
		src = io.MultiReader(bytes.NewReader(d.piped), src) // src repeats its error, if it had one
	}
	if a.Store == nil && a.OnReference == nil {
		s.scan(src)
		return
	}
	if held, ok := r.(interface{ Bytes() []byte }); ok && a.Store != nil && len(held.Bytes()) <= maxCached {
		s.scanCached(held.Bytes())
		return
	}
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(io.LimitReader(src, maxCached+1)); err == nil && buf.Len() <= maxCached {
		if a.Store != nil {
			s.scanCached(buf.Bytes())
			return
		}
		s.text = buf.Bytes()
		s.scan(bytes.NewReader(s.text))
		return
	}
	s.scan(io.MultiReader(buf, src)) // src repeats its error, if it had one
}

// A scanner reads one document, and keeps of it what must be checked.
type scanner struct {
	*Reader
	d    *Document
	text []byte // for OnReference; nil: it is not called
}

// open opens the text of the document, or reuses it if the site has already read it. Source also returns
// that text, until the document has been checked.
func (s scanner) open() (io.ReadCloser, error) {
	if site := s.d.Layout.Generated; site != nil && s.d.Text == nil {
		if text, ok := site.TakeText(s.d.Path); ok {
			s.d.Bytes.Store(&text)
			return io.NopCloser(bytes.NewReader(text)), nil
		}
	}
	return s.d.open()
}

// buffers hold documents while they are read.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// scanCached scans the text of the document, unless the store holds its content.
func (s scanner) scanCached(text []byte) {
	d := s.d
	sum := s.sumOf(d, text)
	c, ok := s.Store.Get(sum)
	if ok {
		d.Content = c
		return
	}
	d.Content = Content{Memo: new(Memo)}
	s.scan(bytes.NewReader(text))
	d.Pack()
	if d.Err == nil {
		s.Store.Put(sum, d.Content)
	}
}

// ReadText reads d from the given text, or from the store if that has it.
func (a *Reader) ReadText(d *Document, text []byte) {
	if a.Store == nil || len(text) > maxCached {
		a.Scan(d, bytes.NewReader(text))
		return
	}
	scanner{Reader: a, d: d}.scanCached(text)
}

// Scan keeps the references and names in src, the text of d.
func (a *Reader) Scan(d *Document, src io.Reader) { scanner{Reader: a, d: d}.scan(src) }

func (s scanner) scan(src io.Reader) {
	d := s.d
	cfg := s.ConfigFor(d)
	cfg.Retrieved, cfg.Type = d.Retrieved, d.File.Type
	cfg.Lines, cfg.SkipBinary = true, !d.File.Named
	cfg.Note, cfg.Anchor, cfg.Details = s.keepNote, s.keepAnchor, s.text != nil || s.KeepsTexts
	if site := d.Layout.Generated; site != nil && site.Names().Space() != "" || d.IsRST() || d.IsAsciiDoc() || IsOrg(d) {
		cfg.Mention = s.keepMention
	}
	if d.Bundle != nil {
		cfg.Note, cfg.Anchor, cfg.Mention = s.keepMemberNote, s.keepMemberAnchor, nil
	}
	for ref, err := range cfg.Walk(input.Inner(d.File.Name), src) {
		if err != nil {
			d.Err, d.IsPartial = err, true
			return
		}
		d.References++
		if s.text != nil {
			s.OnReference(d, ref, s.text)
		}
		if !d.Kind.IsDocument && d.sniffed == extract.NoFragments {
			if f := cfg.FormatOfType(ref.Entity.Type); f != nil {
				d.sniffed = f.Fragments
			}
		}
		if e, _ := s.Forbidden.Of(ref); e != nil {
			d.Forbidden = append(d.Forbidden, s.kept(ref))
		}
		s.keep(ref)
		if s.KeepsTexts {
			s.keepText(ref)
		}
	}
}

// keepNote keeps a note that says what remains unknown about the document.
func (s scanner) keepNote(n *extract.Note) {
	d := s.d
	switch n.Code {
	case scan.CodeUndefinedLabel:
		d.Undefined = append(d.Undefined, Note{Pos: n.Pos, Text: n.Text})
	case scan.CodeMalformed: // a notebook that cannot be read
		d.IsPartial = true
	case scan.CodeSimplified, scan.CodeTooLarge:
		d.IsPartial = true // headings were not searched for
		d.Limits = append(d.Limits, Note{Pos: n.Pos, Text: n.Text})
	}
}

// keepMention keeps the use of a name: a label of the site, an id, or a resource. A button may also name a
// document. The scanner checks the names within a document of reStructuredText.
func (s scanner) keepMention(m *extract.Mention) {
	d, site := s.d, s.d.Layout.Generated
	switch {
	case IsOrg(d):
		s.keepOrgLink(m)
	case m.In == "button-ref", m.Space == rst.TargetSpace:
	case m.Space == rst.ObjectSpace:
		if site != nil && d.IsRST() && (site.RST.DefaultRole != "" || m.Name[0] != '\n') {
			d.Names = append(d.Names, Note{m.Pos, string(m.Name), m.Space})
		}
	case d.IsRST() && (m.Space == rst.NameSpace || m.Space == rst.CitationSpace && site == nil):
		d.Undefined = append(d.Undefined, Note{Pos: m.Pos, Text: "unknown " + m.In + " " + strconv.Quote(strings.Trim(string(m.Name), "|"))})
	case d.IsAsciiDoc() && m.Space == asciidoc.ResourceSpace:
		s.keepResource(m)
	case d.IsAsciiDoc() && m.Space == asciidoc.IDSpace, site != nil && site.Names().Space() != "" && (m.Space == site.Names().Space() || d.IsRST()):
		d.Names = append(d.Names, Note{m.Pos, string(m.Name), m.Space})
	}
}

// keepOrgLink keeps a link that searches documents. [[name]] is no such link here: hosts of code read it as
// the name of a file.
func (s scanner) keepOrgLink(m *extract.Mention) {
	sign := map[string]string{"custom-id": "#", "heading": "*", "id": "id:"}[m.Space]
	if sign != "" {
		s.d.Names = append(s.d.Names, Note{m.Pos, sign + string(m.Name), OrgSpace})
	}
}

func (s scanner) keepAnchor(n *extract.Anchor) {
	if n.Space != "" {
		return // no id
	}
	k := Anchor{Line: n.Pos.Line, In: n.In, Name: string(n.Name)}
	if n.In == "heading" || (n.In == "title" || n.In == rst.RenamedTitle) && s.d.IsRST() {
		h := n.Heading
		k.Heading = &h
	}
	s.d.Anchors = append(s.d.Anchors, k)
}

// A monitor is a reader that reports progress, and fails once the context of the audit ends.
type monitor struct {
	r io.Reader
	a *Reader
}

func (m monitor) Read(p []byte) (int, error) {
	if err := m.a.Context.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	if m.a.OnRead != nil {
		m.a.OnRead(n)
	}
	return n, err
}

// keep keeps r if there is something to judge.
func (s scanner) keep(r *extract.Reference) {
	d := s.d
	isXref := r.In == "xref:" && d.Layout.Generated != nil // Antora does not resolve it as a URL
	if r.Err == nil && r.Labels&scan.Unused == 0 && r.Result.Step == resolve.Absolute && !r.InvalidAuthority && !isXref && !isDocumentElsewhere(r) && !s.isAttachment(r) && !s.Published.judges(r) {
		return
	}
	if r.Err == extract.ErrTooLong && strings.EqualFold(string(resolve.Parse(r.Ref).Scheme), "data") {
		return // it points nowhere, whatever its length
	}
	why := s.reasonFor(r)
	if why != isChecked {
		d.Skipped[why]++
		if !s.KeepsUnchecked && !s.KeepsFollowed && (why != IsFrontMatter || !IsFrontLink(string(r.Raw))) {
			return
		}
	}
	ref := s.kept(r)
	ref.Reason = why
	if r.Meant != "" {
		ref.Ref = r.Meant + ref.Ref
	}
	if why != isChecked {
		d.Unchecked = append(d.Unchecked, ref)
		return
	}
	d.Refs = append(d.Refs, ref)
}

// kept returns a copy of r.
func (s scanner) kept(r *extract.Reference) Reference {
	ref := Reference{
		Pos: r.Pos, Kind: r.Kind, How: r.How, In: r.In, Raw: string(r.Raw), URL: string(r.URL),
		Result: r.Result, Labels: r.Labels, Err: r.Err, Invalid: r.InvalidAuthority,
		Line: r.PartLine, Column: r.PartColumn, Member: r.Member(), Inside: string(r.Inside),
	}
	ref.Ref = ref.Raw
	if !bytes.Equal(r.Raw, r.Ref) {
		ref.Ref = string(r.Ref)
	}
	ref.Base = s.baseOf(r)
	ref.Entity = s.entity(r.Entity)
	return ref
}

// IsFrontLink reports whether a value of front matter has the form of a link, "/x" or "#x", whose meaning
// references to other pages may show.
func IsFrontLink(raw string) bool {
	return len(raw) > 1 && (raw[0] == '#' || raw[0] == '/' && raw[1] != '/')
}

// baseOf returns the base of r. Successive references with the same base share one copy.
func (s scanner) baseOf(r *extract.Reference) *base.Base {
	if n := len(s.d.Refs); n > 0 {
		last := s.d.Refs[n-1].Base
		if last.URI == r.Base.URI && last.Layer == r.Base.Layer && last.From == r.Base.From {
			return last
		}
	}
	b := r.Base
	return &b
}

// entity returns a copy of e that all references in it share. It keeps the name of the part, which
// findings need.
func (s scanner) entity(e *extract.Entity) *extract.Entity {
	if e.Parent == nil || s.d.Bundle != nil {
		return Whole
	}
	if n := len(s.d.Refs); n > 0 {
		if last := s.d.Refs[n-1].Entity; last.Type == e.Type && last.Path() == e.Path() {
			return last
		}
	}
	kept := &extract.Entity{Name: e.Name, Type: e.Type}
	for k := kept; e.Parent != nil; k, e = k.Parent, e.Parent {
		k.Parent = &extract.Entity{Name: e.Parent.Name, Type: e.Parent.Type}
	}
	return kept
}
