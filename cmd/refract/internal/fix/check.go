package fix

import (
	"bytes"
	"sort"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/input"
	"example.org/refract/internal/slash"
)

// A checker knows the contents of a document before the edits.
type checker struct {
	*Options
	path   string
	config extract.Config
	old    *outline

	// visit, if set, is called with each reference, and skip for each use of a name, in the order
	// of refs of the outline.
	visit func(r *extract.Reference, at *reference)
	skip  func()
}

// An outline holds the references, anchors and notes of a document.
type outline struct {
	refs    []reference
	marks   []mark
	byPlace map[[2]int64]int // index in refs; of several, the first
}

// A reference holds the properties that must not change for a reference that is not fixed.
type reference struct {
	start, length    int64
	raw, ref, meant  string
	kind             scan.Kind
	how              scan.How
	in, base, entity string
	labels           scan.Labels
	inner            bool // it is not in the file itself
}

// A mark is an anchor or a note. It does not include the source of a heading, which contains the
// destinations of links.
type mark struct {
	start               int64
	in, name, text, alt string
}

// isOwnID reports whether r is <<id>> of AsciiDoc, which stands for "#id".
func isOwnID(r *extract.Reference) bool {
	return r.In == "<<>>" && r.How == scan.Macro && len(r.Raw) > 0 && string(r.Ref) == "#"+string(r.Raw)
}

// scan reads src in the same way as the audit.
func (c *checker) scan(src []byte) *outline {
	o := &outline{byPlace: map[[2]int64]int{}}
	cfg := c.config
	cfg.Note = func(n *extract.Note) {
		o.marks = append(o.marks, mark{start: n.Pos.Offset, text: n.Text})
	}
	cfg.Anchor = func(n *extract.Anchor) {
		o.marks = append(o.marks, mark{n.Pos.Offset, n.In, string(n.Name), n.Heading.Text, n.Heading.Alt})
	}
	cfg.Mention = func(m *extract.Mention) {
		o.add(nameOf(m, src))
		if c.skip != nil {
			c.skip()
		}
	}
	for r, err := range cfg.Walk(c.name(), bytes.NewReader(src)) {
		if err != nil {
			break // no position in bytes
		}
		base := r.Base.URI
		if r.How == scan.Macro { // no macro changes a base, and a resource id has no base
			base = ""
		}
		o.add(reference{
			start: r.Pos.Offset, length: int64(r.Pos.Length),
			raw: string(r.Raw), ref: string(r.Ref), meant: r.Meant,
			kind: r.Kind, how: r.How, in: r.In, base: base, entity: r.Entity.Path() + " " + r.Entity.Type,
			labels: r.Labels, inner: r.Entity.Parent != nil || !r.Pos.Exact && !isOwnID(r) || len(r.Ranges) > 1 || r.Meant != "",
		})
		if c.visit != nil {
			c.visit(r, &o.refs[len(o.refs)-1])
		}
	}
	return o
}

func (o *outline) add(r reference) {
	place := [2]int64{r.start, r.start + r.length}
	if _, again := o.byPlace[place]; !again {
		o.byPlace[place] = len(o.refs)
	}
	o.refs = append(o.refs, r)
}

// nameOf returns the use of a name, which is not a URL, in the form that a Finding has for
// references.
func nameOf(m *extract.Mention, src []byte) reference {
	r := reference{start: m.Pos.Offset, length: int64(m.Pos.Length), kind: scan.Link, how: scan.Macro, in: m.In, ref: string(m.Name), entity: m.Entity.Path() + " " + m.Entity.Type, inner: m.Entity.Parent != nil || !m.Pos.Exact}
	if end := r.start + r.length; r.start >= 0 && end <= int64(len(src)) {
		r.raw = string(src[r.start:end])
	}
	switch m.In {
	case "image:", "include::": // resource ids of Antora
		r.kind = scan.Embed
	case "ref", "numref": // of Sphinx
		r.how, r.in, r.ref = scan.Role, "label", r.raw
	case "term":
		r.how, r.in, r.ref = scan.Role, "term", r.raw
	}
	return r
}

// name returns the name that determines the type of the document.
func (c *checker) name() string { return input.Inner(slash.Path(c.path)) }

// format returns the format of the document, or nil for a container.
func (c *checker) format(src []byte) *extract.Format {
	f, _ := c.config.FormatOf(c.name(), src)
	return f
}

// at returns the reference at a place, or nil.
func (c *checker) at(start, end int64) *reference {
	if i, ok := c.old.byPlace[[2]int64{start, end}]; ok {
		return &c.old.refs[i]
	}
	return nil
}

// holds reports whether text, the result of the edits, has the same contents as the document
// before, except for the edited references.
func (c *checker) holds(text []byte, edits []edit) bool {
	now := c.scan(text)
	if len(now.refs) != len(c.old.refs) || len(now.marks) != len(c.old.marks) {
		return false
	}
	longer := make([]int64, len(edits)+1) // by how many bytes the edits before each have lengthened the text
	for i, e := range edits {
		longer[i+1] = longer[i] + int64(len(e.text)) - (e.end - e.start)
	}
	// moved returns the new position of an offset, and the edit at it.
	moved := func(offset int64) (int64, int) {
		i := sort.Search(len(edits), func(i int) bool { return edits[i].start >= offset })
		return offset + longer[i], i
	}
	for i, r := range c.old.refs {
		end := r.start + r.length
		var at int
		if r.start, at = moved(r.start); at < len(edits) && edits[at].start == c.old.refs[i].start && edits[at].end == end {
			r.raw, r.ref, r.length = string(edits[at].text), edits[at].ref, int64(len(edits[at].text))
		}
		if now.refs[i] != r {
			return false
		}
	}
	for i, m := range c.old.marks {
		m.start, _ = moved(m.start)
		if now.marks[i] != m {
			return false
		}
	}
	return true
}
