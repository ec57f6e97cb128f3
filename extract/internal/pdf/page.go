package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
)

// What a file may have.
const (
	maxPages    = 1 << 17
	maxFonts    = 1 << 10 // that are kept
	maxAnnots   = 1 << 10 // of a page, that have text of the page
	maxTreeDeep = 64
	leastUnread = 20 // characters of a font that is noted as not read
)

// A reader reads the text of pages.
type reader struct {
	store
	plain    *plain.Scanner
	fonts    map[place]*font
	fontIDs  map[string]uint32 // by the names of fonts
	page     page
	visited  map[int32]bool // nodes of the tree of pages
	pages    int
	textless map[int32]bool // numbers of XObjects without text
	isCut    bool
	unread   map[place]bool // fonts without characters
	contents []byte         // of the page
}

// A pageText is the text of a page that has references.
type pageText struct {
	number int
	at     scan.Span // of its first stream of content
	text   []byte
	refs   []pageRef
}

// A pageRef is a reference in the text of a page.
type pageRef struct {
	item  scan.Item
	boxes []scan.Box
}

// An annotation is what is known of the place of an action.
type annotation struct {
	page   int
	boxes  []scan.Box
	shown  string // a URL that the page shows there, if it is another
	uri    string
	labels scan.Labels
}

// readPages reads the text of all pages, and where annotations are.
func (d *document) readPages() {
	d.allow()
	r := &reader{
		store: store{document: d}, plain: &d.text, fonts: make(map[place]*font), fontIDs: make(map[string]uint32), visited: make(map[int32]bool), unread: make(map[place]bool),
		textless: make(map[int32]bool),
	}
	r.readPrograms()
	if len(d.roots) > 0 {
		catalog, _ := r.object(int(d.roots[0]))
		r.tree(catalog.get("Pages"), inherited{}, 0)
	}
	if r.pages == 0 { // a damaged file: pages in the order of their numbers
		for i := range d.objects {
			if r.latest(d.objects[i].num) != int32(i) {
				continue
			}
			if v, _ := r.object(int(d.objects[i].num)); r.get(v, "Type").is("Page") {
				r.readPage(v, inherited{})
			}
		}
	}
	slices.SortStableFunc(d.pages, func(a, b pageText) int { return cmp.Compare(a.at.Start, b.at.Start) })
	d.unreadFonts = len(r.unread)
	d.isShort = d.isShort || r.isCut || d.account.isSpent()
}

// inherited are attributes that pages have from the nodes above them (ISO 32000-2, table 31).
type inherited struct{ resources value }

func (h inherited) with(node value, r *reader) inherited {
	if v := r.get(node, "Resources"); v.kind == dictValue {
		h.resources = v
	}
	return h
}

// tree reads a node of the tree of pages (section 7.7.3).
func (r *reader) tree(v value, h inherited, depth int) {
	if v.kind == referenceValue {
		index := r.latest(int32(v.num))
		if index < 0 || r.visited[index] {
			return
		}
		r.visited[index] = true
		node, _ := r.object(int(v.num))
		v = node
	}
	if v.kind != dictValue || depth > maxTreeDeep || r.pages >= maxPages || r.account.isSpent() {
		return
	}
	kids := r.get(v, "Kids")
	if kids.kind != arrayValue {
		r.readPage(v, h)
		return
	}
	h = h.with(v, r)
	for _, kid := range kids.list() {
		r.tree(kid, h, depth+1)
	}
}

// readPage reads a page.
func (r *reader) readPage(v value, h inherited) {
	r.pages++
	h = h.with(v, r)
	contents := v.get("Contents")
	if o := r.resolved(contents); o.kind == arrayValue {
		contents = o
	} else {
		contents = value{kind: arrayValue, items: []value{contents}, account: &r.account}
	}
	var at scan.Span
	r.contents = r.contents[:0]
	isDecoded := true
	for _, part := range contents.list() {
		_, data, where := r.stream(part)
		isDecoded = isDecoded && (data != nil || where.Start == where.End)
		if at == (scan.Span{}) {
			at = where
		}
		if len(r.contents) == 0 && len(contents.items) == 1 {
			r.contents = data
			break
		}
		if len(r.contents)+len(data) > r.account.stream { // pieces may be named again and again
			r.isCut = true
			break
		}
		r.account.spend(len(data))
		r.contents = append(append(r.contents, data...), '\n') // an operator may be split between them
	}
	if !isDecoded {
		r.undecoded++
	}
	r.page.reset()
	p := &interpreter{reader: r, page: &r.page, state: state{ctm: identity, scale: 1}}
	if len(r.contents) > 0 {
		p.run(r.contents, h.resources)
	}
	r.page.lay()
	r.isCut = r.isCut || r.page.isCut
	here := r.annotations(v)
	r.addRefs(at, here)
	r.countUnread()
	if len(r.fonts) > maxFonts {
		clear(r.fonts)
		clear(r.fontIDs)
	}
}

// countUnread counts the fonts without characters, and what the page shows in them.
func (r *reader) countUnread() {
	r.account.spend(len(r.fonts))
	before := r.unreadChars
	for place, f := range r.fonts {
		if f.unread >= leastUnread && f.known == 0 {
			r.unread[place] = true
			r.unreadChars += f.unread - f.counted
			f.counted = f.unread
		}
	}
	if r.unreadChars > before {
		r.unreadPages++
	}
}

// addRefs finds the references in the text of the page.
func (r *reader) addRefs(at scan.Span, here []*annotation) {
	g := &r.page
	if !mayHaveRefs(g.text) {
		return
	}
	p := pageText{number: r.pages, at: at, text: g.text}
	r.plain.Rest = false
	r.plain.Window(g.text, 0, len(g.text), true, func(it *scan.Item) bool {
		if it.Op != scan.Ref {
			return true
		}
		ref := pageRef{item: *it}
		ref.item.Value = bytes.Clone(it.Value)
		ref.boxes = g.boxes(nil, it.Span)
		more := it.Extra()
		if more.Longer != nil && g.isTight(it.Span.End) {
			ref.item.Value, ref.item.Loose = bytes.Clone(more.Longer), true
			ref.item.Labels &^= scan.MayContinue
			more = scan.More{}
		} else if g.isUnsure(it.Span.End) || g.isBeforeUnknown(it.Span.End) || g.endsInHyphen(it.Span.End) {
			ref.item.Labels |= scan.MayContinue
		}
		more.Longer, more.Parts, more.Drop = bytes.Clone(more.Longer), slices.Clone(more.Parts), slices.Clone(more.Drop)
		more.Page, more.Boxes = p.number, ref.boxes
		ref.item.More = &more
		if !r.account.spend(8*len(here)) || !isShownBy(here, &ref) {
			p.refs = append(p.refs, ref)
		}
		return true
	})
	if len(p.refs) == 0 {
		return
	}
	if r.account.kept -= len(p.text) + 256*len(p.refs); r.account.kept < 0 {
		r.isCut = true
		return
	}
	r.document.pages = append(r.document.pages, p)
}

// mayHaveRefs reports whether a text may have references, whatever the rules.
func mayHaveRefs(text []byte) bool {
	return bytes.IndexByte(text, '.') >= 0 || bytes.IndexByte(text, ':') >= 0
}

// isShownBy reports whether an annotation at the place of ref has the same URL. If it has another, the
// annotation gets the URL as the text that is shown.
func isShownBy(here []*annotation, ref *pageRef) bool {
	if len(ref.boxes) == 0 {
		return false
	}
	b := ref.boxes[0]
	x, y := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
	for _, a := range here {
		if !slices.ContainsFunc(a.boxes, func(b scan.Box) bool { return b.X0 <= x && x <= b.X1 && b.Y0 <= y && y <= b.Y1 }) {
			continue
		}
		shown, uri := bare(ref.item.Meant+string(ref.item.Value)), bare(a.uri)
		if strings.HasPrefix(uri, shown) && shown != "" || uri != "" && strings.HasPrefix(shown, uri) && !isBelow(shown[len(uri):]) {
			return true
		}
		if a.shown == "" {
			a.shown = ref.item.Meant + string(ref.item.Value)
			if hostOf(shown) != hostOf(uri) {
				a.labels |= scan.OtherHost
			}
		}
	}
	return false
}

// isBelow reports whether what follows a URL points to another one.
func isBelow(rest string) bool { return len(rest) > 1 && strings.IndexByte("/?#", rest[0]) >= 0 }

// bare returns what of a URL tells it from others, when people compare them.
func bare(url string) string {
	url = strings.ToLower(url)
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	url = strings.TrimPrefix(strings.TrimPrefix(url, "mailto:"), "www.")
	return strings.TrimSuffix(url, "/")
}

// hostOf returns the host of what bare returns.
func hostOf(bare string) string {
	i := strings.IndexAny(bare, "/?#:")
	if i < 0 {
		return bare
	}
	return bare[:i]
}

// annotations reads the annotations of a page that open a URL (section 12.5).
func (r *reader) annotations(page value) (here []*annotation) {
	for _, v := range r.get(page, "Annots").list() {
		if len(here) == maxAnnots || !r.account.spend(16) {
			break
		}
		v, index := r.resolvedIn(v, -1)
		action, index := r.resolvedIn(v.get("A"), index)
		uri, index := r.resolvedIn(action.get("URI"), index)
		if uri.kind != stringValue || r.crypt != nil && uri.in < 0 && index < 0 {
			continue
		}
		if r.where == nil {
			r.where = make(map[place]*annotation)
		}
		a := r.where[uri.place()]
		if a == nil {
			a = &annotation{page: r.pages, uri: string(r.string(uri, index))}
			r.where[uri.place()] = a
		}
		if a.page == r.pages && len(a.boxes) < 64 {
			a.boxes = append(a.boxes, r.rectangles(v)...)
		}
		here = append(here, a)
	}
	return here
}

// rectangles returns the rectangles of an annotation: QuadPoints, or Rect.
func (r *reader) rectangles(v value) (boxes []scan.Box) {
	points := r.get(v, "QuadPoints").list()
	for ; len(points) >= 8 && len(boxes) < 64; points = points[8:] {
		if b, ok := r.rectangle(points[:8]); ok {
			boxes = append(boxes, b)
		}
	}
	if len(boxes) == 0 {
		if b, ok := r.rectangle(r.get(v, "Rect").list()); ok {
			boxes = append(boxes, b)
		}
	}
	return boxes
}

// rectangle returns the smallest rectangle around points.
func (r *reader) rectangle(points []value) (b scan.Box, ok bool) {
	for i := 0; i+1 < len(points); i += 2 {
		x, y := r.resolved(points[i]).num, r.resolved(points[i+1]).num
		p := scan.Box{X0: x, Y0: y, X1: x, Y1: y}
		if i == 0 {
			b = p
		}
		b, ok = b.Union(p), i >= 2
	}
	return b, ok
}

// fontOf returns the font of a value, which may be a reference. In place of a font that the file does not
// have, it returns one with the standard encoding, as PDFium, MuPDF and PDF.js do.
func (r *reader) fontOf(v value) *font {
	at := v.place()
	if v.kind == referenceValue {
		at = place{in: -2, start: int32(v.num)}
	}
	if f, ok := r.fonts[at]; ok {
		return f
	}
	d := r.resolved(v)
	if d.kind != dictValue {
		d = value{}
	}
	f := r.newFont(d)
	r.account.spend(f.size())
	r.fonts[at] = f
	return f
}

// yieldPages yields the references in the text of pages.
func (d *document) yieldPages(yield func(*scan.Item) bool) bool {
	for i := range d.pages {
		p := &d.pages[i]
		d.item = scan.Item{Op: scan.Open, Span: p.at, Value: p.text, Type: Type, Name: fmt.Sprintf("page %d", p.number)}
		if !yield(&d.item) {
			return false
		}
		for k := range p.refs {
			if !yield(&p.refs[k].item) {
				return false
			}
		}
		d.item = scan.Item{Op: scan.Close}
		if !yield(&d.item) {
			return false
		}
	}
	if d.unreadFonts > 0 {
		const text = "a PDF with text in %s whose characters are not known, %s on %s: that text is not read"
		if !d.note(yield, "text of PDF", fmt.Sprintf(text, plural(d.unreadFonts, "font"), plural(d.unreadChars, "character"), plural(d.unreadPages, "page"))) {
			return false
		}
	}
	if d.undecoded > 0 {
		return d.note(yield, "text of PDF", fmt.Sprintf("a PDF with %s whose text cannot be decoded: not read", plural(d.undecoded, "page")))
	}
	return true
}

// plural returns "1 font" or "2 fonts".
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
