package audit

import (
	"bytes"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// A document is what is kept of one.
type document struct {
	name string // as it is shown
	path string // absolute, with forward slashes
	top  string // the directory that it was found below
	file input.File
	tree Tree
	kind kind   // by its name
	text []byte // of a View, in place of the file's; nil is the file's

	layout    *layout
	retrieved base.Source // what gives its base
	content
	err    error
	linked bool // from another document

	// Where references of a document of a site are used; unused says why they are not.
	uses          []site.Use
	unused        string
	templated     []templatedHeading
	hasTemplated  bool            // templated is set
	hasMadeLabels answer          // does a template make definitions?
	terms         map[string]bool // ids of terms of definition lists; nil before that

	nav []navEntry // of the navigation of its site; judged before all else

	votes      votes
	exceptions []ruleSet // by line

	bytes  []byte // what source has read
	piped  []byte // the beginning of standard input, which cannot be read again
	budget int    // spent on looking for the closest id
}

// newDocument returns one at a path that is shown and read by that path.
func (a *auditor) newDocument(p string) *document {
	d := &document{name: a.shown(p), path: p, top: path.Dir(p), tree: a.Tree, kind: a.kindOf(p), content: content{memo: new(memo)}}
	d.file = input.File{Name: d.name, Path: p}
	return d
}

// The content of a document is what reading it gives: it depends on its bytes, its name and
// the options alone. What its slices hold is shared with a Cache, and not changed.
type content struct {
	refs      []reference
	anchors   []anchor
	undefined []note // of labels that nothing defines
	names     []note // of labels of the site that are used: text is the label
	limits    []note // of what was not read as what it is

	sniffed    extract.Fragments // of a file whose name does not tell
	references int
	skipped    [reasons]int // by reason
	unjudged   []reference  // these, with Options.Unjudged
	isPartial  bool         // there may be anchors that are not known

	*memo
}

// A memo is what has been worked out from a content when it was asked for.
type memo struct {
	ids         map[slug.Flavour]*ids
	attrs       map[string]bool // ids in attribute lists; nil before that
	htmlIDs     map[string]bool // ids of headings in HTML; nil before that
	hasIncludes answer          // has it parts in other files?
	hasIgnores  answer          // are there comments in it that make exceptions?
	isNew       bool            // it has more than what was read from a file of a Cache
}

type answer uint8

const (
	unknown answer = iota
	no
	yes
)

func answerOf(is bool) answer {
	if is {
		return yes
	}
	return no
}

// A reference is what is kept of one that is to be judged.
type reference struct {
	pos           extract.Position
	kind          scan.Kind
	how           scan.How
	in            string
	raw, ref, url string
	base          *base.Base
	entity        *extract.Entity // that it stands in, with those around it; shared
	result        resolve.Result
	labels        scan.Labels
	err           error
	invalid       bool // its authority
	line, column  int  // in its part
	reason        reason
}

type anchor struct {
	line    int
	in      string
	name    string
	heading *slug.Heading // of Markdown
}

type note struct {
	pos   extract.Position
	text  string
	space string // of the name that is used
}

func (d *document) dir() string {
	if i := strings.LastIndexByte(d.path, '/'); i > 0 {
		return d.path[:i]
	}
	return path.Dir(d.path)
}

func (d *document) base() string { return path.Base(d.path) }

// fragments returns what fragments can point to in d.
func (d *document) fragments() extract.Fragments {
	if d.kind.isDocument {
		return d.kind.fragments
	}
	return d.sniffed
}

// isMarkdown reports whether headings of d have ids that a generator makes.
func (d *document) isMarkdown() bool {
	f := d.fragments()
	return f == extract.GeneratedFragments || f == extract.SimilarFragments
}

// isHTML reports whether d has ids as it says. So has SVG.
func (d *document) isHTML() bool { return d.fragments() == extract.WrittenFragments }

// isRST reports whether d is reStructuredText, and isAsciiDoc whether it is AsciiDoc.
func (d *document) isRST() bool      { return d.fragments() == extract.TitleFragments }
func (d *document) isAsciiDoc() bool { return d.fragments() == extract.SectionFragments }

// A kind is what the name of a file tells of it.
type kind struct {
	isDocument bool // it is read also where nobody has named it
	isExcluded bool // it is not read even where it is named
	fragments  extract.Fragments
}

// kindOf returns the kind of a file, by the table of formats.
func (o *Options) kindOf(name string) kind {
	c := extract.Config{Formats: o.Formats, Containers: o.Containers}
	role, fragments := extract.WhenNamed, extract.NoFragments
	if f := c.FormatOfName(name); f != nil {
		role, fragments = f.Audit, f.Fragments
	} else if k := c.ContainerOfName(name); k != nil {
		role = k.Audit
	}
	return kind{role == extract.Always, role == extract.Never, fragments}
}

// open opens what is in d.
func (d *document) open() (io.ReadCloser, error) {
	if d.text != nil {
		return io.NopCloser(bytes.NewReader(d.text)), nil
	}
	return input.OpenIn(d.tree, d.file.Path, d.file.Name)
}

// openOnce is open for a document whose site may have read it already: then that text is
// source, too, until the document has been judged.
func (d *document) openOnce() (io.ReadCloser, error) {
	if s := d.layout.generated; s != nil && d.text == nil {
		if text, ok := s.TakeText(d.path); ok {
			d.bytes = text
			return io.NopCloser(bytes.NewReader(text)), nil
		}
	}
	return d.open()
}

// read reads the document. Only what is to be judged is kept.
func (d *document) read(a *auditor) {
	d.retrieved = a.sites.retrieved(d.path)
	r, err := d.openOnce()
	if err != nil {
		d.err, d.isPartial = err, true
		return
	}
	defer r.Close()
	src := io.Reader(r)
	if a.Progress != nil || a.ctx.Done() != nil {
		src = monitor{r, a}
	}
	if d.file.Path == "-" {
		d.piped, _ = io.ReadAll(io.LimitReader(src, maxHead))
		src = io.MultiReader(bytes.NewReader(d.piped), src) // which fails again, if it did
	}
	if a.Cache == nil {
		d.scan(a, src)
		return
	}
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(io.LimitReader(src, maxCached+1)); err == nil && buf.Len() <= maxCached {
		d.scanCached(a, buf.Bytes())
		return
	}
	d.scan(a, io.MultiReader(buf, src)) // which fails again, if it did
}

// buffers hold documents while they are read.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// scanCached reads text, which is in d, if a.Cache does not have what is in it.
func (d *document) scanCached(a *auditor, text []byte) {
	s := a.sumOf(d, text)
	c, ok := a.Cache.get(s)
	if ok {
		d.content = c
		return
	}
	d.content = content{memo: new(memo)}
	d.scan(a, bytes.NewReader(text))
	if d.err == nil {
		a.Cache.put(s, d.content)
	}
}

// config returns how d is read.
func (a *auditor) config(d *document) extract.Config {
	c := a.Config(d.path)
	if s := d.layout.generated; s != nil {
		c.Markdown = s.DialectOf(d.path)
		c.MDX = c.MDX || c.Markdown.MDX
		c.Extlinks, c.Attributes = s.Extlinks(), s.Attributes()
	}
	return c
}

// scan walks what src gives.
func (d *document) scan(a *auditor, src io.Reader) {
	cfg := a.config(d)
	cfg.Retrieved, cfg.Type = d.retrieved, d.file.Type
	cfg.Lines, cfg.SkipBinary = true, !d.file.Named
	cfg.Note, cfg.Anchor = d.keepNote, d.keepAnchor
	if s := d.layout.generated; s != nil && s.LabelSpace() != "" || d.isRST() || d.isAsciiDoc() {
		cfg.Mention = func(m *extract.Mention) { d.keepMention(a, m) }
	}
	for ref, err := range cfg.Walk(input.Inner(d.file.Name), src) {
		if err != nil {
			d.err, d.isPartial = err, true
			return
		}
		d.references++
		if !d.kind.isDocument && d.sniffed == extract.NoFragments {
			if f := cfg.FormatOfType(ref.Entity.Type); f != nil {
				d.sniffed = f.Fragments
			}
		}
		d.keep(a, ref)
	}
}

// keepNote keeps a note that tells what is not known of the document.
func (d *document) keepNote(n *extract.Note) {
	switch n.Code {
	case scan.CodeUndefinedLabel:
		d.undefined = append(d.undefined, note{pos: n.Pos, text: n.Text})
	case scan.CodeMalformed: // a notebook that cannot be read
		d.isPartial = true
	case scan.CodeSimplified, scan.CodeTooLarge:
		d.isPartial = true // headings have not been looked for
		d.limits = append(d.limits, note{pos: n.Pos, text: n.Text})
	}
}

// keepMention keeps the use of a name: a label of the site, an id, or a resource. A button may name
// a document as well.
func (d *document) keepMention(a *auditor, m *extract.Mention) {
	s := d.layout.generated
	switch {
	case m.In == "button-ref":
	case d.isRST() && (m.Space == rst.NameSpace || m.Space == rst.CitationSpace && s == nil):
		d.undefined = append(d.undefined, note{pos: m.Pos, text: "no " + m.In + " has the name " + strconv.Quote(string(m.Name))})
	case d.isAsciiDoc() && m.Space == asciidoc.ResourceSpace:
		d.keepResource(a, m)
	case d.isAsciiDoc() && m.Space == asciidoc.IDSpace, s != nil && s.LabelSpace() != "" && (m.Space == s.LabelSpace() || d.isRST()):
		d.names = append(d.names, note{m.Pos, string(m.Name), m.Space})
	}
}

func (d *document) keepAnchor(n *extract.Anchor) {
	if n.Space != "" {
		return // no id
	}
	k := anchor{line: n.Pos.Line, in: n.In, name: string(n.Name)}
	if n.In == "heading" || n.In == "title" && d.isRST() {
		h := n.Heading
		k.heading = &h
	}
	d.anchors = append(d.anchors, k)
}

// A monitor is a reader that reports progress, and fails when the audit is to end.
type monitor struct {
	r io.Reader
	a *auditor
}

func (m monitor) Read(p []byte) (int, error) {
	if err := m.a.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	if m.a.Progress != nil {
		m.a.Progress(n)
	}
	return n, err
}

// keep keeps r if there is something to judge.
func (d *document) keep(a *auditor, r *extract.Reference) {
	isXref := r.In == "xref:" && d.layout.generated != nil // Antora finds no URL by one
	if r.Err == nil && r.Labels&scan.Unused == 0 && r.Result.Step == resolve.Absolute && !r.InvalidAuthority && !isXref && !a.sites.judges(r) {
		return
	}
	if r.Err == extract.ErrTooLong && strings.EqualFold(string(resolve.Parse(r.Ref).Scheme), "data") {
		return // it leads nowhere, whatever its length
	}
	why := d.reasonFor(r)
	if why != isJudged {
		d.skipped[why]++
		if a.Unjudged == nil {
			return
		}
	}
	k := reference{
		reason: why,
		pos:    r.Pos, kind: r.Kind, how: r.How, in: r.In, raw: string(r.Raw), url: string(r.URL),
		result: r.Result, labels: r.Labels, err: r.Err, invalid: r.InvalidAuthority,
		line: r.PartLine, column: r.PartColumn,
	}
	k.ref = k.raw
	if !bytes.Equal(r.Raw, r.Ref) {
		k.ref = string(r.Ref)
	}
	if r.Meant != "" {
		k.ref = r.Meant + k.ref
	}
	k.base = d.baseOf(r)
	k.entity = d.entity(r.Entity)
	if why != isJudged {
		d.unjudged = append(d.unjudged, k)
		return
	}
	d.refs = append(d.refs, k)
}

// baseOf returns the base of r, one for all references in a row that have it.
func (d *document) baseOf(r *extract.Reference) *base.Base {
	if n := len(d.refs); n > 0 {
		last := d.refs[n-1].base
		if last.URI == r.Base.URI && last.Layer == r.Base.Layer && last.From == r.Base.From {
			return last
		}
	}
	b := r.Base
	return &b
}

// whole is the entity of what stands in no part.
var whole = new(extract.Entity)

// entity returns a copy of e, one for all references in it: the name of the part that
// they stand in is asked for.
func (d *document) entity(e *extract.Entity) *extract.Entity {
	if e.Parent == nil {
		return whole
	}
	if n := len(d.refs); n > 0 {
		if last := d.refs[n-1].entity; last.Type == e.Type && last.Path() == e.Path() {
			return last
		}
	}
	kept := &extract.Entity{Name: e.Name, Type: e.Type}
	for k := kept; e.Parent != nil; k, e = k.Parent, e.Parent {
		k.Parent = &extract.Entity{Name: e.Parent.Name, Type: e.Parent.Type}
	}
	return kept
}

// isTemplate reports whether ref holds a placeholder that something fills in before
// anyone follows it: {{ }} and {% %} of Liquid, Jinja and Hugo, ${x}, <% %>, {__X__}.
func isTemplate(ref []byte) bool {
	for i := bytes.IndexByte(ref, '{'); i >= 0 && i < len(ref); i++ {
		if ref[i] == '{' && (i+1 < len(ref) && (ref[i+1] == '{' || ref[i+1] == '%' || ref[i+1] == '!' || bytes.HasPrefix(ref[i+1:], []byte("__"))) || i > 0 && ref[i-1] == '$') {
			return true
		}
	}
	return bytes.Contains(ref, []byte("<%")) || isVariable(ref)
}

// isVariable reports whether ref begins with a variable as in "%PUBLIC_URL%/x", which is no
// percent-encoding.
func isVariable(ref []byte) bool {
	if len(ref) < 4 || ref[0] != '%' {
		return false
	}
	end := bytes.IndexByte(ref[1:], '%')
	return end > 2 && len(bytes.Trim(ref[1:1+end], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")) == 0
}

// extracted returns k as package extract has it.
func (k *reference) extracted() *extract.Reference {
	r := &extract.Reference{
		Entity: k.entity, Pos: k.pos, Kind: k.kind, How: k.how, In: k.in, Raw: []byte(k.raw), Ref: []byte(k.ref),
		Base: *k.base, Result: k.result, Labels: k.labels, Err: k.err, InvalidAuthority: k.invalid,
		PartLine: k.line, PartColumn: k.column,
	}
	if k.url != "" {
		r.URL = []byte(k.url)
	}
	return r
}
