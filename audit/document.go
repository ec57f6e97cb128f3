package audit

import (
	"bytes"
	"io"
	"path"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

// A kind is what a file is, by its name, as far as anchors are concerned.
type kind uint8

const (
	other    kind = iota
	markdown      // its headings have ids by flavour
	html          // has the ids that it says, also SVG
	style         // and running text and mail: have references, but no ids
)

var kinds = map[string]kind{
	".md": markdown, ".markdown": markdown, ".mdx": markdown,
	".html": html, ".htm": html, ".xhtml": html, ".svg": html,
	".css": style, ".txt": style, ".text": style, ".eml": style, ".emlx": style, ".mbox": style, ".mht": style, ".mhtml": style,
}

func kindOf(name string) kind { return kinds[strings.ToLower(path.Ext(name))] }

// A document is what is kept of one.
type document struct {
	name string // as it is shown
	path string // absolute, with forward slashes
	top  string // the directory that it was found below
	file input.File
	text []byte // that an editor has, in place of the file's; nil is the file's

	layout *layout
	retr   base.Source // by which it was retrieved
	content
	err    error
	linked bool // from another document

	alive, dead []string // fragments that lead to it, for the vote

	exceptions []ruleSet // by line

	bytes  []byte // what source has read
	piped  []byte // the beginning of standard input, which cannot be read again
	budget int    // spent on looking for the closest id
}

// The content of a document is what reading it gives: it depends on its bytes, its name and
// the options alone. What its slices hold is shared with a Cache, and not changed.
type content struct {
	refs   []reference
	anchor []anchor
	notes  []note
	odd    []note

	sniffed    kind // of a file whose name does not tell
	references int
	skipped    int
	unsure     bool // there may be anchors that are not known

	*memo
}

// A memo is what has been worked out from a content when it was asked for.
type memo struct {
	ids   map[slug.Flavour]*ids
	attrs map[string]bool // ids in attribute lists; nil before that
	parts answer          // has it parts in other files?
	makes answer          // are there comments in it that make exceptions?
	grown bool            // since it was read from a file
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
}

type anchor struct {
	line    int
	in      string
	name    string
	heading *slug.Heading // of Markdown
}

type note struct {
	pos  extract.Position
	text string
}

func (d *document) dir() string {
	if i := strings.LastIndexByte(d.path, '/'); i > 0 {
		return d.path[:i]
	}
	return path.Dir(d.path)
}

func (d *document) base() string { return path.Base(d.path) }

func (d *document) kind() kind {
	if k := kindOf(d.path); k != other {
		return k
	}
	return d.sniffed
}

// nothingDefines begins the note of package markdown about [text][label].
const nothingDefines = "nothing defines ["

// open opens what is in d.
func (d *document) open() (io.ReadCloser, error) {
	if d.text != nil {
		return io.NopCloser(bytes.NewReader(d.text)), nil
	}
	return input.Open(d.file.Path)
}

// read reads the document. Only what is to be judged is kept.
func (d *document) read(a *auditor) {
	d.retr = a.retrieved(d.path)
	r, err := d.open()
	if err != nil {
		d.err, d.unsure = err, true
		return
	}
	defer r.Close()
	src := io.Reader(r)
	if a.Progress != nil {
		src = counted{r, a.Progress}
	}
	if d.file.Path == "-" {
		d.piped, _ = io.ReadAll(io.LimitReader(src, maxHead))
		src = io.MultiReader(bytes.NewReader(d.piped), src) // which fails again, if it did
	}
	if a.Cache != nil {
		buf := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(buf)
		buf.Reset()
		if _, err := buf.ReadFrom(io.LimitReader(src, maxCached+1)); err == nil && buf.Len() <= maxCached {
			d.cached(a, buf.Bytes())
			return
		}
		src = io.MultiReader(buf, src) // which fails again, if it did
	}
	d.scan(a, src)
}

// buffers hold documents while they are read.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// cached reads text, which is in d, if a.Cache does not know what is in it.
func (d *document) cached(a *auditor, text []byte) {
	s, known := a.sumOf(d, text), false
	if d.content, known = a.Cache.get(s); known {
		return
	}
	d.content = content{memo: new(memo)}
	if d.scan(a, bytes.NewReader(text)); d.err == nil {
		a.Cache.put(s, d.content)
	}
}

// scan walks what src gives.
func (d *document) scan(a *auditor, src io.Reader) {
	cfg := extract.Config{
		Rules: a.URLs, Retrieved: d.retr, Type: d.file.Type, MaxEntity: a.MaxEntity,
		Lines: true, SkipBinary: !d.file.Named, MDX: strings.HasSuffix(d.path, ".mdx"),
		Note: func(n *extract.Note) {
			switch {
			case strings.HasPrefix(n.Text, nothingDefines):
				d.notes = append(d.notes, note{n.Pos, n.Text})
			case strings.HasSuffix(n.Text, "in a simpler way"), strings.HasSuffix(n.Text, "scanned as running text"):
				d.unsure = true // headings have not been looked for
				d.odd = append(d.odd, note{n.Pos, n.Text})
			}
		},
		Anchor: func(n *extract.Anchor) {
			k := anchor{line: n.Pos.Line, in: n.In, name: string(n.Name)}
			if n.In == "heading" {
				h := n.Heading
				k.heading = &h
			}
			d.anchor = append(d.anchor, k)
		},
	}
	for ref, err := range cfg.Walk(input.Inner(d.file.Name), src) {
		if err != nil {
			d.err, d.unsure = err, true
			return
		}
		d.references++
		if d.sniffed == other {
			switch ref.Entity.Type {
			case "text/markdown":
				d.sniffed = markdown
			case "text/html", "application/xhtml+xml", "image/svg+xml":
				d.sniffed = html
			}
		}
		d.keep(a, ref)
	}
}

// A counted reader tells how much was read.
type counted struct {
	io.Reader
	tell func(bytes int)
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.tell(n)
	return n, err
}

// keep keeps r if there is something to judge.
func (d *document) keep(a *auditor, r *extract.Reference) {
	if r.Err == nil && r.Labels&scan.Unused == 0 && r.Result.Step == resolve.Absolute && !r.InvalidAuthority && !a.absolute(r) {
		return
	}
	switch {
	case isTemplate(r.Raw):
		d.skipped++
		return
	case r.Kind == scan.Form, r.Kind == scan.Metadata, r.Kind == scan.Header, // what a server does, and what is not followed
		r.Labels&(scan.FrontMatter|scan.Speculative) != 0, // means what the generator makes of it
		r.In == "import": // a module has other rules
		d.skipped++
		return
	}
	k := reference{
		pos: r.Pos, kind: r.Kind, how: r.How, in: r.In, raw: string(r.Raw), url: string(r.URL),
		result: r.Result, labels: r.Labels, err: r.Err, invalid: r.InvalidAuthority,
		line: r.PartLine, column: r.PartColumn,
	}
	if k.ref = k.raw; !bytes.Equal(r.Raw, r.Ref) {
		k.ref = string(r.Ref)
	}
	if r.Meant != "" {
		k.ref = r.Meant + k.ref
	}
	if n := len(d.refs); n > 0 && d.refs[n-1].base.URI == r.Base.URI && d.refs[n-1].base.Layer == r.Base.Layer && d.refs[n-1].base.From == r.Base.From {
		k.base = d.refs[n-1].base
	} else {
		b := r.Base
		k.base = &b
	}
	k.entity = d.entity(r.Entity)
	d.refs = append(d.refs, k)
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
// anyone follows it: {{ }} and {% %} of Liquid, Jinja and Hugo, ${x}, <% %>.
func isTemplate(ref []byte) bool {
	for i := bytes.IndexByte(ref, '{'); i >= 0 && i < len(ref); i++ {
		if ref[i] == '{' && (i+1 < len(ref) && (ref[i+1] == '{' || ref[i+1] == '%' || ref[i+1] == '!') || i > 0 && ref[i-1] == '$') {
			return true
		}
	}
	return bytes.Contains(ref, []byte("<%"))
}

// reference is ref as package extract has it.
func (k *reference) reference() *extract.Reference {
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
