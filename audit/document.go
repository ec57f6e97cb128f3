package audit

import (
	"bytes"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"example.org/refract/audit/site"
	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/rst"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/input"
	"example.org/refract/internal/lazy"
	"example.org/refract/resolve"
)

// A document is what the audit keeps of a document.
type document struct {
	name   string // as shown to users
	path   string // absolute, with forward slashes
	top    string // the directory below which it was found
	file   input.File
	shared *shared
	kind   kind   // by its name
	text   []byte // text of a View, in place of the file's; nil means the file's

	layout    *layout
	retrieved base.Source // the URL that gives its base
	content
	err      error
	isJudged atomic.Bool // it is being judged: source and head keep its text
	linked   atomic.Bool // another document links to it

	// Where the references of a document of a site are used. unused says why they are not used.
	uses          []site.Use
	unused        string
	templated     lazy.Value[[]templatedHeading]
	hasMadeLabels answer                      // whether a template generates definitions
	terms         lazy.Value[map[string]bool] // ids of terms of definition lists

	bundle   *bundle // of a document that is a package; nil: it is none
	isUnread bool    // its name says that it is a package, but it is none

	nav []navEntry // entries of its site's navigation; judged first

	dots dots // with Options.Followed

	votes      *votes    // nil if none
	exceptions []ruleSet // by line

	bytes  atomic.Pointer[[]byte] // what source has read; nil if it has not
	piped  []byte                 // the beginning of standard input, which cannot be reread
	budget int                    // spent on suggestions for its references
}

// shared is what all documents of an audit share.
type shared struct {
	tree   Tree
	recent recentAnchors
	ids    recentIDs
}

// newDocument returns the document at a path, and uses that path both to show it and to read it.
func (a *auditor) newDocument(p string) *document {
	d := &document{name: a.shown(p), path: p, top: path.Dir(p), shared: a.shared, kind: a.kindOf(p), content: content{memo: new(memo)}}
	d.file = input.File{Name: d.name, Path: p}
	return d
}

// The content of a document is the result of reading it. It depends only on the document's bytes
// and name, and on the options. A Cache shares its slices, so they must not be changed.
type content struct {
	refs      []reference // nil while they are packed
	anchors   []anchor    // likewise
	packed    packed
	undefined []note // labels that nothing defines
	names     []note // uses of labels of the site; text is the label
	limits    []note // documents and parts that were too large or deep to read

	sniffed    extract.Fragments // for a file whose name does not tell
	references int
	skipped    [reasons]uint32 // by reason
	unjudged   []reference     // the skipped references, with Options.Unjudged
	isPartial  bool            // there may be unknown anchors

	*memo
}

// A memo holds values derived from a content on demand. Documents with the same content may share it, so mu guards all
// of it. Several may compute a value at a time; the first that is kept counts.
type memo struct {
	mu          sync.Mutex
	ids         map[slug.Flavour]*ids
	attrs       map[string]bool // ids in attribute lists; nil until needed
	defines     map[string]bool // labels that it defines as a part of pages; nil until needed
	filled      map[string]bool // labels of definitions whose destinations a template makes; nil until needed
	htmlIDs     map[string]bool // ids of headings in HTML; nil until needed
	hasIncludes answer          // whether it has parts in other files
	hasIgnores  answer          // whether comments in it suppress findings
	hasMacros   answer          // whether an extension may make parts of it
	refTexts    lazy.Value[*referenceTexts]
	title       lazy.Value[*string] // words of the title of an AsciiDoc document; nil if it has none
	isNew       bool                // it has more than was read from a cache file
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

// answer returns an answer of m. If it is unknown, decide makes it. isKept says that a cache file holds it.
func (m *memo) answer(is *answer, isKept bool, decide func() bool) bool {
	m.mu.Lock()
	known := *is
	m.mu.Unlock()
	if known == unknown {
		known = answerOf(decide())
		m.mu.Lock()
		*is, m.isNew = known, m.isNew || isKept
		m.mu.Unlock()
	}
	return known == yes
}

// memoized returns a map of m. If it is nil, read makes it. isKept says that a cache file holds it.
func memoized[V any](m *memo, of *map[string]V, isKept bool, read func() map[string]V) map[string]V {
	m.mu.Lock()
	known := *of
	m.mu.Unlock()
	if known != nil {
		return known
	}
	known = read()
	m.mu.Lock()
	defer m.mu.Unlock()
	if *of == nil {
		*of, m.isNew = known, m.isNew || isKept
	}
	return *of
}

// A reference is what the audit keeps of a reference that it will judge.
type reference struct {
	pos           extract.Position
	kind          scan.Kind
	how           scan.How
	in            string
	raw, ref, url string
	base          *base.Base
	entity        *extract.Entity // that holds it, with those around it; shared
	result        resolve.Result
	labels        scan.Labels
	err           error
	invalid       bool   // its authority is invalid
	line, column  int    // within its part
	member        string // of a package that holds it; "" in other documents
	inside        string // as of extract.Reference: the member that it leads to
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
	space string // name space of the name
}

func (d *document) dir() string {
	if i := strings.LastIndexByte(d.path, '/'); i > 0 {
		return d.path[:i]
	}
	return path.Dir(d.path)
}

func (d *document) base() string { return path.Base(d.path) }

// fragments returns which fragments can exist in d.
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

// isHTML reports whether the ids of d are those written in it, as in HTML and SVG.
func (d *document) isHTML() bool { return d.fragments() == extract.WrittenFragments }

// isRST reports whether d is reStructuredText, and isAsciiDoc whether it is AsciiDoc.
func (d *document) isRST() bool      { return d.fragments() == extract.TitleFragments }
func (d *document) isAsciiDoc() bool { return d.fragments() == extract.SectionFragments }

// A kind is what the name of a file says about it.
type kind struct {
	isDocument bool // it is read even if no argument names it
	isExcluded bool // it is not read even if an argument names it
	fragments  extract.Fragments
}

// kindOf returns the kind of a file from the table of formats.
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

// open opens the contents of d.
func (d *document) open() (io.ReadCloser, error) {
	if d.text != nil {
		return io.NopCloser(bytes.NewReader(d.text)), nil
	}
	return input.OpenIn(d.shared.tree, d.file.Path, d.file.Name)
}

// openOnce is like open, but reuses the text if the site of the document has already read it. source
// returns that text too, until the document has been judged.
func (d *document) openOnce() (io.ReadCloser, error) {
	if s := d.layout.generated; s != nil && d.text == nil {
		if text, ok := s.TakeText(d.path); ok {
			d.bytes.Store(&text)
			return io.NopCloser(bytes.NewReader(text)), nil
		}
	}
	return d.open()
}

// read reads the document. It keeps only what must be judged.
func (d *document) read(a *auditor) {
	d.retrieved = a.sites.retrieved(d.path)
	if a.isPackage(d) {
		d.readPackage(a)
		return
	}
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
		src = io.MultiReader(bytes.NewReader(d.piped), src) // src repeats its error, if it had one
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
	d.scan(a, io.MultiReader(buf, src)) // src repeats its error, if it had one
}

// buffers hold documents while they are read.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// scanCached scans text, the text of d, unless a.Cache holds its content.
func (d *document) scanCached(a *auditor, text []byte) {
	s := a.sumOf(d, text)
	c, ok := a.Cache.get(s)
	if ok {
		d.content = c
		return
	}
	d.content = content{memo: new(memo)}
	d.scan(a, bytes.NewReader(text))
	d.pack()
	if d.err == nil {
		a.Cache.put(s, d.content)
	}
}

// config returns the configuration with which d is read.
func (a *auditor) config(d *document) extract.Config {
	c := a.Config(d.path)
	if s := d.layout.generated; s != nil {
		c.Markdown = s.DialectOf(d.path)
		c.MDX = c.MDX || c.Markdown.MDX
		c.Extlinks, c.Attributes = s.Extlinks(), s.Attributes()
	}
	return c
}

// scan walks the contents of src.
func (d *document) scan(a *auditor, src io.Reader) {
	cfg := a.config(d)
	cfg.Retrieved, cfg.Type = d.retrieved, d.file.Type
	cfg.Lines, cfg.SkipBinary = true, !d.file.Named
	cfg.Note, cfg.Anchor = d.keepNote, d.keepAnchor
	if s := d.layout.generated; s != nil && s.LabelSpace() != "" || d.isRST() || d.isAsciiDoc() {
		cfg.Mention = func(m *extract.Mention) { d.keepMention(a, m) }
	}
	if d.bundle != nil {
		cfg.Note, cfg.Anchor, cfg.Mention = d.keepMemberNote, d.keepMemberAnchor, nil
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

// keepNote keeps a note that says what remains unknown about the document.
func (d *document) keepNote(n *extract.Note) {
	switch n.Code {
	case scan.CodeUndefinedLabel:
		d.undefined = append(d.undefined, note{pos: n.Pos, text: n.Text})
	case scan.CodeMalformed: // a notebook that cannot be read
		d.isPartial = true
	case scan.CodeSimplified, scan.CodeTooLarge:
		d.isPartial = true // headings were not searched for
		d.limits = append(d.limits, note{pos: n.Pos, text: n.Text})
	}
}

// keepMention keeps the use of a name: a label of the site, an id, or a resource. A button may also
// name a document.
func (d *document) keepMention(a *auditor, m *extract.Mention) {
	s := d.layout.generated
	switch {
	case m.In == "button-ref":
	case m.Space == rst.ObjectSpace:
		if s != nil && d.isRST() && (s.DefaultRole() != "" || m.Name[0] != '\n') {
			d.names = append(d.names, note{m.Pos, string(m.Name), m.Space})
		}
	case d.isRST() && (m.Space == rst.NameSpace || m.Space == rst.CitationSpace && s == nil):
		d.undefined = append(d.undefined, note{pos: m.Pos, text: "no " + m.In + " has the name " + strconv.Quote(strings.Trim(string(m.Name), "|"))})
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

// A monitor is a reader that reports progress, and fails once the context of the audit ends.
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
	isXref := r.In == "xref:" && d.layout.generated != nil // Antora does not resolve it as a URL
	if r.Err == nil && r.Labels&scan.Unused == 0 && r.Result.Step == resolve.Absolute && !r.InvalidAuthority && !isXref && !isDocumentElsewhere(r) && !d.isAttachment(r) && !a.sites.judges(r) {
		return
	}
	if r.Err == extract.ErrTooLong && strings.EqualFold(string(resolve.Parse(r.Ref).Scheme), "data") {
		return // it leads nowhere, whatever its length
	}
	why := d.reasonFor(r)
	if why != isJudged {
		d.skipped[why]++
		if a.Unjudged == nil && a.Followed == nil {
			return
		}
	}
	k := reference{
		reason: why,
		pos:    r.Pos, kind: r.Kind, how: r.How, in: r.In, raw: string(r.Raw), url: string(r.URL),
		result: r.Result, labels: r.Labels, err: r.Err, invalid: r.InvalidAuthority,
		line: r.PartLine, column: r.PartColumn, member: r.Member(), inside: string(r.Inside),
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

// baseOf returns the base of r. Successive references with the same base share one copy.
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

// whole is the entity of references outside any part.
var whole = new(extract.Entity)

// entity returns a copy of e that all references in it share. It keeps the name of the part, which
// findings need.
func (d *document) entity(e *extract.Entity) *extract.Entity {
	if e.Parent == nil || d.bundle != nil {
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

// isTemplate reports whether ref holds a placeholder that a program fills in before anyone follows
// the reference: {{ }} and {% %} of Liquid, Jinja and Hugo, ${x}, <% %>, {__X__}.
func isTemplate(ref []byte) bool {
	for i := bytes.IndexByte(ref, '{'); i >= 0 && i < len(ref); i++ {
		if ref[i] == '{' && (i+1 < len(ref) && (ref[i+1] == '{' || ref[i+1] == '%' || ref[i+1] == '!' || bytes.HasPrefix(ref[i+1:], []byte("__"))) || i > 0 && ref[i-1] == '$') {
			return true
		}
	}
	return bytes.Contains(ref, []byte("<%")) || isVariable(ref)
}

// isVariable reports whether ref begins with a variable, as in "%PUBLIC_URL%/x" or "%sveltekit.assets%/x", or is that of
// a format, "%s", and does not begin with a percent-encoded byte.
func isVariable(ref []byte) bool {
	if string(ref) == "%s" {
		return true
	}
	if len(ref) < 4 || ref[0] != '%' {
		return false
	}
	end := bytes.IndexByte(ref[1:], '%')
	if end <= 2 {
		return false
	}
	name := ref[1 : 1+end]
	return len(bytes.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")) == 0 || bytes.HasPrefix(name, []byte("sveltekit."))
}

// extracted returns k as an extract.Reference.
func (k *reference) extracted() *extract.Reference {
	r := &extract.Reference{
		Entity: k.entity, Pos: k.pos, Kind: k.kind, How: k.how, In: k.in, Raw: []byte(k.raw), Ref: []byte(k.ref),
		Base: *k.base, Result: k.result, Labels: k.labels, Err: k.err, InvalidAuthority: k.invalid,
		PartLine: k.line, PartColumn: k.column,
	}
	if k.url != "" {
		r.URL = []byte(k.url)
	}
	if k.inside != "" {
		r.Inside = []byte(k.inside)
	}
	return r
}
