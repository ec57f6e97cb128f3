package fix

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/order"
	"example.org/refract/internal/slash"
)

// A Rewriter replaces references of documents by rules. It does not need an audit.
type Rewriter struct {
	Options

	// Decide returns the replacement of a reference. ok is false if it stays as it is. With onlyASCII, the
	// document is not in UTF-8, and new text must be ASCII. r is valid until Decide returns.
	Decide func(r *extract.Reference, onlyASCII bool) (d Decision, ok bool)

	// OnlyKnown refuses a file whose format neither its name nor its first bytes tell.
	OnlyKnown bool
}

// A Decision is the replacement of a reference.
type Decision struct {
	Ref string // the new reference
	URL string // the URL that it must have; "": unknown
	Why string // why the reference cannot become Ref; "" means that it may
}

// A Change is a reference that has been edited or, if Why is set, that should have been.
type Change struct {
	Pos    extract.Position // in Old
	Kind   scan.Kind
	How    scan.How
	In     string
	Raw    string // as written before
	Ref    string // with the quoting of the format undone
	URL    string // "" if it is unknown
	NewRaw string
	NewRef string
	NewURL string
	Why    string
	layers []layer
}

// A Rewriting is a document with edited references.
type Rewriting struct {
	File
	Changes []*Change // in the order of the document
	Refused string    // why a file of its kind is never edited; "" if it is
}

// Edited returns the number of references that are edited.
func (w *Rewriting) Edited() (n int) {
	for _, c := range w.Changes {
		if c.Why == "" {
			n++
		}
	}
	return n
}

// A layer is a quoting around the format in which a reference is written.
type layer uint8

const (
	inJSON layer = iota
	inSrcdoc
)

// Rewrite reads the document at a path, whose name determines its type and Config, and applies
// Decide to its references. It writes nothing. It scans the result, and makes no edit after which
// anything but the edited references has another meaning.
func (o *Rewriter) Rewrite(path, name string) *Rewriting {
	w := &Rewriting{File: File{Path: Real(path), name: name}}
	if w.Refused = w.read(o.maxEntity(name)); w.Refused != "" || w.Err != nil {
		return w
	}
	o.Apply(w)
	return w
}

// Apply sets New, Changes and Refused of w, whose Path and Old are set.
func (o *Rewriter) Apply(w *Rewriting) {
	name := cmp.Or(w.name, w.Path)
	c := checker{Options: &o.Options, path: name, config: o.config(slash.Path(name))}
	if w.Refused = o.refuses(&c, w.Old); w.Refused != "" {
		return
	}
	p := proposals{Rewriter: o, src: w.Old, onlyASCII: !utf8.Valid(w.Old)}
	c.visit, c.skip = p.visit, p.mention
	c.old = c.scan(w.Old)
	c.visit, c.skip = nil, nil
	if len(p.changes) == 0 {
		return
	}
	w.Changes = p.changes
	edits := p.edits(c.format(w.Old))
	for scans := 0; len(edits) > 0; scans++ {
		text := splice(w.Old, edits)
		bad := c.harmful(text, edits, p.urls)
		if len(bad) == 0 {
			w.edits, w.New = edits, text
			break
		}
		left := edits[:0:0]
		for i, e := range edits {
			if !bad[i] && scans < maxScans {
				left = append(left, e)
				continue
			}
			for _, change := range e.changes {
				change.Why = fmt.Sprintf("%q cannot be written there without changing how something is read", e.ref)
			}
		}
		edits = left
	}
	for _, e := range w.edits {
		for _, change := range e.changes {
			change.NewRaw, change.NewRef = string(e.text), e.ref
		}
	}
}

// refuses returns why documents like src are never edited, "" if they are.
func (o *Rewriter) refuses(c *checker, src []byte) string {
	format, mediaType := c.config.FormatOf(c.name(), src)
	switch {
	case format == nil && strings.HasPrefix(mediaType, "text/") && c.config.ContainerOfName(c.name()) == nil:
		return "no format that is edited: " + mediaType
	case format == nil, format.Multipart, format.Quote == nil:
		return "mail, archives and binary files are never edited: " + mediaType
	case o.OnlyKnown && c.config.Type == "" && format.Scan == nil && c.config.FormatOfName(c.name()) == nil:
		return unknownFormat
	}
	return ""
}

const unknownFormat = "no known format"

// proposals collects the decisions about the references of a document.
type proposals struct {
	*Rewriter
	src       []byte
	onlyASCII bool
	urls      []string // by reference of the outline: its URL
	changes   []*Change
	places    []reference // by change
}

// mention accounts for a name, which is no URL and stays as it is.
func (p *proposals) mention() { p.urls = append(p.urls, "") }

func (p *proposals) visit(r *extract.Reference, at *reference) {
	p.urls = append(p.urls, string(r.URL))
	start, end := r.Pos.Offset, r.Pos.Offset+int64(r.Pos.Length)
	isWritten := end <= int64(len(p.src))
	d, ok := p.Decide(r, p.onlyASCII || isWritten && !bytes.Equal(p.src[start:end], r.Raw))
	if !ok {
		return
	}
	change := &Change{
		Pos: r.Pos, Kind: r.Kind, How: r.How, In: r.In, Raw: at.raw, Ref: at.ref, URL: string(r.URL),
		NewRef: d.Ref, NewURL: d.URL, Why: d.Why, layers: layersOf(r.Entity),
	}
	p.changes, p.places = append(p.changes, change), append(p.places, *at)
	switch {
	case change.Why != "":
	case !r.Pos.Exact || len(r.Ranges) > 1 || len(r.Raw) == 0 || !isWritten || !canWriteIn(r.Entity):
		change.Why = elsewhere
	case bytes.ContainsAny(r.Raw, "\r\n"):
		change.Why = "it is wrapped"
	}
}

// layersOf returns the quotings around an entity, the innermost first.
func layersOf(e *extract.Entity) (layers []layer) {
	for ; e != nil; e = e.Parent {
		switch {
		case e.Name == "srcdoc":
			layers = append(layers, inSrcdoc)
		case e.Parent == nil && isNotebook(e):
			layers = append(layers, inJSON)
		}
	}
	return layers
}

func isNotebook(e *extract.Entity) bool { return e.Type == "application/x-ipynb+json" }

// canWriteIn reports whether the quotings around an entity are known. Blocks of HTML in other markup
// have none.
func canWriteIn(e *extract.Entity) bool {
	for ; e.Parent != nil; e = e.Parent {
		if e.Name != "srcdoc" && !isNotebook(e.Parent) && !slices.Contains([]string{"text/x-rst", "text/asciidoc", "text/x-org", "text/markdown"}, e.Parent.Type) {
			return false
		}
	}
	return true
}

// edits returns the edits that can be spelled, in the order of the file. It sets Why of changes
// that cannot.
func (p *proposals) edits(format *extract.Format) (edits []edit) {
	byPlace := map[[2]int64]int{}
	columns := ColumnsOf(format, p.src)
	for i, change := range p.changes {
		if change.Why != "" {
			continue
		}
		at := &p.places[i]
		place := [2]int64{at.start, at.start + at.length}
		if j, again := byPlace[place]; again {
			if edits[j].ref != change.NewRef {
				change.Why = disagree
				continue
			}
			edits[j].changes = append(edits[j].changes, change)
			continue
		}
		e := edit{start: place[0], end: place[1], at: place[0], ref: change.NewRef, url: change.NewURL, changes: []*Change{change}}
		var ok bool
		e.text, ok = p.spell(format, at, change, &e)
		if !ok || columns.Breaks(p.src, int(e.start), int(e.end), e.text) {
			change.Why = fmt.Sprintf("%q cannot be written there", e.ref)
			continue
		}
		byPlace[place] = len(edits)
		edits = append(edits, e)
	}
	order.Sort(edits, func(x, y edit) int { return cmp.Compare(x.start, y.start) })
	last := int64(0)
	return slices.DeleteFunc(edits, func(e edit) bool {
		if e.start >= last {
			last = e.end
			return false
		}
		for _, change := range e.changes {
			change.Why = "it overlaps another reference"
		}
		return true
	})
}

// spell returns the text of e, which replaces the reference at r.
func (p *proposals) spell(format *extract.Format, r *reference, change *Change, e *edit) ([]byte, bool) {
	if isOrg(format) {
		e.widen(p.src, r)
	}
	at := *r
	encode := utf16Of(p.src[r.start:r.start+r.length], r.raw)
	if encode == nil { // the charset contains ASCII
		at.raw = string(p.src[r.start : r.start+r.length])
	}
	text, ok := spellIn(format, p.src, &at, e.ref, func(dst, piece []byte) []byte {
		for _, l := range change.layers {
			piece = l.quote(piece)
		}
		return append(dst, piece...)
	})
	if !ok || bytes.ContainsAny(text, "\r\n") {
		return nil, false
	}
	if encode != nil {
		text = encode(nil, string(text))
	}
	return text, true
}

// quote returns text with the quoting of l.
func (l layer) quote(text []byte) []byte {
	var quoted []byte
	for _, c := range text {
		switch {
		case l == inJSON && (c == '"' || c == '\\'):
			quoted = append(quoted, '\\', c)
		case l == inSrcdoc && strings.IndexByte(`&<>"'`, c) >= 0:
			quoted = fmt.Appendf(quoted, "&#%d;", c)
		default:
			quoted = append(quoted, c)
		}
	}
	return quoted
}

// utf16Of returns the encoder of UTF-16 if written is text in it, otherwise nil.
func utf16Of(written []byte, text string) func(dst []byte, text string) []byte {
	for _, encode := range []func([]byte, string) []byte{appendUTF16LE, appendUTF16BE} {
		if bytes.Equal(encode(nil, text), written) {
			return encode
		}
	}
	return nil
}

func appendUTF16LE(dst []byte, text string) []byte { return appendUTF16(dst, text, 0) }
func appendUTF16BE(dst []byte, text string) []byte { return appendUTF16(dst, text, 8) }

// appendUTF16 appends text in UTF-16; shift is 8 if the high byte is first.
func appendUTF16(dst []byte, text string, shift int) []byte {
	for _, unit := range utf16Units(text) {
		dst = append(dst, byte(unit>>shift), byte(unit>>(8-shift)))
	}
	return dst
}

func isOrg(format *extract.Format) bool {
	return format != nil && slices.Contains(format.Types, "text/x-org")
}

// widen makes an edit of Org also replace "file:" if the new reference is a URL, and writes a relative
// reference as Org recognises it.
func (e *edit) widen(src []byte, r *reference) {
	isURL := strings.Contains(e.ref, "://") || strings.HasPrefix(e.ref, "mailto:")
	if r.in == "[[file:]]" && isURL {
		if i := bytes.LastIndex(src[:r.start], []byte("[[")); i >= 0 {
			e.start = int64(i) + 2
		}
	}
	if strings.HasPrefix(r.in, "[[") && !isURL && e.start == r.start && r.in != "[[file:]]" && !isOrgPath(e.ref) {
		e.ref = "./" + e.ref
	}
}

// isOrgPath reports whether Org reads ref, in brackets, as a path.
func isOrgPath(ref string) bool {
	for _, prefix := range []string{"./", "../", "/"} {
		if strings.HasPrefix(ref, prefix) {
			return true
		}
	}
	return false
}

// harmful returns the indexes of edits after which text, their result, does not have the meaning
// that it should have: each edited reference its new one, and everything else the same as
// before. urls are the URLs of the references before. The result is empty if all is well.
func (c *checker) harmful(text []byte, edits []edit, urls []string) map[int]bool {
	v := verification{edits: edits, bad: map[int]bool{}}
	var now []string
	c.visit = func(r *extract.Reference, _ *reference) { now = append(now, string(r.URL)) }
	c.skip = func() { now = append(now, "") }
	after := c.scan(text)
	c.visit, c.skip = nil, nil

	longer := int64(0)
	for _, e := range edits {
		longer += int64(len(e.text)) - (e.end - e.start)
		v.longer = append(v.longer, longer)
	}
	byStart := map[int64][]int{} // indexes in after.refs that have no counterpart yet
	for j := range after.refs {
		byStart[after.refs[j].start] = append(byStart[after.refs[j].start], j)
	}
	for i := range c.old.refs {
		r := &c.old.refs[i]
		want, url, e := v.wanted(r, urls[i])
		there := byStart[want.start]
		k := slices.IndexFunc(there[:min(len(there), maxAtPlace)], func(j int) bool {
			return v.agrees(&want, &after.refs[j], url, now[j], e)
		})
		if k < 0 {
			v.blame(r.start)
			continue
		}
		there[k] = there[0]
		byStart[want.start] = there[1:]
	}
	for start, left := range byStart {
		if len(left) > 0 {
			v.blame(v.back(start))
		}
	}
	v.compareMarks(c.old.marks, after.marks)
	return v.bad
}

// maxAtPlace limits how many references are compared that begin at the same place.
const maxAtPlace = 8

// A verification compares a document before and after its edits.
type verification struct {
	edits  []edit
	longer []int64 // by edit: by how many bytes it and those before it lengthen the text
	bad    map[int]bool
}

// moved returns the offset after the edits of an offset before.
func (v *verification) moved(offset int64) int64 {
	i := sort.Search(len(v.edits), func(i int) bool { return v.edits[i].end > offset })
	if i == 0 {
		return offset
	}
	return offset + v.longer[i-1]
}

// back returns the offset before the edits of an offset after.
func (v *verification) back(offset int64) int64 {
	i := sort.Search(len(v.edits), func(i int) bool { return v.edits[i].end+v.longer[i] > offset })
	if i == 0 {
		return offset
	}
	return offset - v.longer[i-1]
}

// wanted returns what r must be after the edits, its URL, and the edit of it, nil if there is none.
func (v *verification) wanted(r *reference, url string) (want reference, _ string, e *edit) {
	want = *r
	i := sort.Search(len(v.edits), func(i int) bool { return v.edits[i].at >= r.start })
	if i < len(v.edits) && v.edits[i].at == r.start && v.edits[i].end == r.start+r.length {
		e = &v.edits[i]
		want.start = e.start
		if i > 0 {
			want.start += v.longer[i-1]
		}
		want.length, want.ref = int64(len(e.text)), e.ref
		return want, e.url, e
	}
	want.start = v.moved(r.start)
	return want, url, nil
}

// agrees reports whether is, with the URL isURL, is the reference want, with the URL url. e is the
// edit of it, nil if there is none.
func (v *verification) agrees(want, is *reference, url, isURL string, e *edit) bool {
	if e == nil {
		return *want == *is && url == isURL
	}
	sameURL := url == isURL && url != ""
	isIRI := strings.ContainsFunc(url, func(r rune) bool { return r >= utf8.RuneSelf })
	if want.ref != is.ref && !sameURL || !sameURL && url != "" && !isIRI {
		return false
	}
	in := want.in == is.in || strings.HasPrefix(want.in, "[[") && strings.HasPrefix(is.in, "[[") // of Org
	return want.start == is.start && want.length == is.length && want.kind == is.kind && want.how == is.how &&
		in && want.base == is.base && want.entity == is.entity
}

// blame marks the edit at, or nearest before, an offset before the edits; the first edit if there is
// none.
func (v *verification) blame(offset int64) {
	i := sort.Search(len(v.edits), func(i int) bool { return v.edits[i].start > offset })
	v.bad[max(0, i-1)] = true
}

// compareMarks blames edits for anchors and notes that are not as before.
func (v *verification) compareMarks(before, after []mark) {
	for i := range max(len(before), len(after)) {
		if i >= len(before) {
			v.blame(v.back(after[i].start))
			return
		}
		want := before[i]
		want.start = v.moved(want.start)
		if i >= len(after) || want != after[i] {
			v.blameLine(before[i].start)
			if i < len(after) && want.start == after[i].start {
				continue
			}
			return
		}
	}
}

// blameLine marks the first edit at or after an offset: a heading contains its references.
func (v *verification) blameLine(offset int64) {
	i := sort.Search(len(v.edits), func(i int) bool { return v.edits[i].end > offset })
	if i == len(v.edits) || v.bad[i] {
		v.blame(offset)
		return
	}
	v.bad[i] = true
}

// utf16Units returns text in units of UTF-16. Bytes that are not UTF-8 become U+FFFD.
func utf16Units(text string) []uint16 { return utf16.Encode([]rune(text)) }
