package doc

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.org/refract/extract/rst"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/order"
)

// IDs are the ids that fragments may name in a document, under one algorithm.
type IDs struct {
	*ids
	d         *Document
	algorithm slug.Algorithm
}

// ids are what is kept of IDs. Documents with the same content share them.
type ids struct {
	idTable                // with the line of the first occurrence
	Second  map[string]int // line of a second occurrence in another place
	derived atomic.Pointer[derivedIDs]
}

// derivedIDs hold the forms in which ids are compared, and other texts that a fragment without an id is
// compared with. They are made once, since a document may have as many of these as bytes.
type derivedIDs struct {
	folded lazy.Value[map[string]string] // ids by the form in which those that mean the same are equal
	open   lazy.Value[[]string]          // those of AsciiDoc that contain attributes without a value
	plain  lazy.Value[map[string]bool]   // their letters and digits, without accents
	bare   lazy.Value[[][]rune]          // their letters and digits

	titles   lazy.Value[map[string]int] // how many titles make an id of docutils
	headings lazy.Value[*headingForms]
	values   lazy.Value[map[string]bool] // of attributes, after "=", and names of components, after "<"
	hasParts lazy.Value[bool]            // whether a server may put files into the document
}

// forms returns the forms of the ids.
func (s *ids) forms() *derivedIDs {
	k := s.derived.Load()
	if k == nil {
		k = new(derivedIDs)
		s.derived.CompareAndSwap(nil, k) // if another goroutine was faster, k is not kept
	}
	return k
}

// IDs returns the ids of d under the algorithm of its layout.
func (d *Document) IDs() IDs { return d.IDsOf(d.Layout.Slug) }

// IDsOf returns the ids of d under an algorithm, which counts only for Markdown.
func (d *Document) IDsOf(f slug.Algorithm) IDs {
	own := d.idsOf(f)
	if d.shared != nil && d.shared.Built != nil && d.Layout != nil && f == d.Layout.Slug {
		own = d.withBuilt(own)
	}
	return IDs{own, d, f}
}

// A BuiltID is an id of the page that a build has made of a document.
type BuiltID struct {
	ID   string
	Line int // of its heading in the document; 0 if it belongs to none
}

// noIDs stands for the ids of a document that has no built page.
var noIDs ids

// withBuilt returns the ids that a build and the own rules together give d. If the build knows all ids,
// others do not exist, whatever the rules say.
func (d *Document) withBuilt(own *ids) *ids {
	switch s := d.built.Load(); s {
	case nil:
	case &noIDs:
		return own
	default:
		return s
	}
	built, areAll := d.shared.Built(d)
	if built == nil {
		d.built.Store(&noIDs)
		return own
	}
	are := make(map[string]bool, len(built))
	for _, k := range built {
		are[k.ID] = true
	}
	s, b := new(ids), idBuilders.Get().(*idBuilder)
	for i := range own.Len() {
		if id := own.At(i); are[id] || !areAll {
			s.add(b, id, int(own.Entries[i].Line))
			if line := own.Second[id]; line > 0 {
				s.add(b, id, line)
			}
		}
	}
	for _, k := range built {
		if !b.has(k.ID) {
			s.add(b, k.ID, k.Line)
		}
	}
	s.idTable = b.table()
	d.built.Store(s)
	return s
}

// MadeOtherwise returns the id that a build has given the heading in a line, if the own rules of d give it
// another one. Then it is not known which id the heading would have with another text.
func (d *Document) MadeOtherwise(line int) (id string, is bool) {
	if d.shared.Built == nil {
		return "", false
	}
	own := d.idsOf(d.Layout.Slug)
	built, _ := d.shared.Built(d)
	for _, k := range built {
		switch {
		case k.Line != line:
		case own.Line(k.ID) == line:
			return "", false
		default:
			id = k.ID
		}
	}
	return id, id != ""
}

func (d *Document) idsOf(f slug.Algorithm) *ids {
	switch {
	case d.IsRST():
		f = slug.Docutils
	case !d.IsMarkdown():
		f = 0
	}
	d.Memo.mu.Lock()
	s := d.ids[f]
	d.Memo.mu.Unlock()
	if s != nil {
		return s
	}
	s = d.newIDs(f)
	if d.Layout != nil && f != d.Layout.Slug {
		d.shared.IDs.add(d)
	}
	d.Memo.mu.Lock()
	defer d.Memo.mu.Unlock()
	if before := d.ids[f]; before != nil {
		return before
	}
	if d.ids == nil {
		d.ids = map[slug.Algorithm]*ids{}
	}
	d.ids[f], d.IsNew = s, true
	return s
}

func (d *Document) newIDs(f slug.Algorithm) *ids {
	anchors := d.AnchorList()
	s, b := new(ids), idBuilders.Get().(*idBuilder)
	sl := slug.Slugger{Algorithm: f}
	reads := readsAttributes(f) && d.IsMarkdown()
	readsComments := d.IsMarkdown() && d.Layout != nil && d.Layout.Generated == nil
	if f == slug.PythonMarkdown || f == slug.PythonMarkdownUnicode {
		for i := range anchors { // avoid later ids too
			if k := &anchors[i]; k.Heading != nil && k.Name != "" {
				sl.Reserve(k.Name)
			}
		}
	}
	var names []*Anchor
	for i := range anchors {
		k := &anchors[i]
		id := k.Name
		if k.Heading != nil {
			h := *k.Heading
			named := ""
			if readsComments {
				named = commentID(&h)
			}
			switch {
			case named != "":
				id = named
				sl.Reserve(id)
			case k.In == rst.RenamedTitle && d.Layout != nil && d.Layout.Generated != nil: // a code host makes ids of its own
				id = sl.Slug(slug.Heading{})
			case !reads:
				id = sl.Slug(h)
				if d.IsRST() && k.Name != "" {
					s.add(b, k.Name, k.Line)
				}
			case id != "":
				sl.Reserve(id)
			default:
				id = sl.Slug(withoutAttributes(h))
			}
		} else if k.In == "a/name" {
			names = append(names, k) // an id takes precedence (HTML 7.4.6.3)
			continue
		}
		s.add(b, id, k.Line)
	}
	named := map[string]bool{}
	for _, k := range names {
		if !b.has(k.Name) || named[k.Name] {
			named[k.Name] = true
			s.add(b, k.Name, k.Line)
		}
	}
	s.idTable = b.table()
	return s
}

// Near is the number of lines within which two anchors count as one place, such as
// <a name="x"></a> before its heading.
const Near = 4

func (s *ids) add(b *idBuilder, id string, line int) {
	if id == "" {
		return
	}
	if before, twice := b.put(id, line); twice && line-before > Near {
		if s.Second == nil {
			s.Second = map[string]int{}
		}
		if _, ok := s.Second[id]; !ok {
			s.Second[id] = line
		}
	}
}

// commentID returns the id in a comment of MDX at the end of a heading: "## Text {/*id*/}". Programs of
// several sites without a known generator read it; it means nothing else.
func commentID(h *slug.Heading) string {
	body, ok := strings.CutSuffix(strings.TrimRight(h.Source, " \t#"), "*/}")
	if !ok {
		return ""
	}
	id := strings.TrimSpace(body[strings.LastIndexByte(body, '{')+1:])
	id, ok = strings.CutPrefix(id, "/*")
	id = strings.TrimPrefix(strings.TrimSpace(id), "#")
	if !ok || strings.ContainsAny(id, " \t*") {
		return ""
	}
	return id
}

// withoutAttributes returns a heading without the {.class} at its end.
func withoutAttributes(h slug.Heading) slug.Heading {
	if !strings.HasSuffix(strings.TrimRight(h.Source, " \t#"), "}") {
		return h
	}
	cut := func(s string) string {
		if i := strings.LastIndexByte(s, '{'); i >= 0 && (strings.HasPrefix(s[i:], "{:") || strings.HasPrefix(strings.TrimLeft(s[i+1:], " "), ".")) {
			return strings.TrimRight(s[:i], " ")
		}
		return s
	}
	h.Text, h.Alt, h.Source, h.Entities = cut(h.Text), cut(h.Alt), cut(h.Source), cut(h.Entities)
	return h
}

// Makes reports whether an id exists in a Markdown document because k is there, under an algorithm. If
// another anchor has the id, a number is added to that of k, but the id exists. Checking one heading takes
// a fraction of the time of making all ids.
func (k *Anchor) Makes(id string, f slug.Algorithm) bool {
	switch reads := readsAttributes(f); {
	case k.Heading == nil, reads && k.Name != "":
		return k.Name == id
	case reads:
		return f.Slug(withoutAttributes(*k.Heading)) == id
	}
	return f.Slug(*k.Heading) == id
}

// Algorithms returns the algorithms to try on a tree if nothing says which one it uses, those of old
// versions last. Algorithms after HugoASCII143 are for sites with a known generator; inference tries a few.
func Algorithms() (all []slug.Algorithm) {
	for _, name := range slug.Names() {
		if f, _ := slug.Named(name); f <= slug.HugoASCII143 {
			all = append(all, f)
		}
	}
	order.Sort(all, func(f, g slug.Algorithm) int { return old(f) - old(g) })
	return all
}

func old(f slug.Algorithm) int {
	switch f {
	case slug.GitLab16, slug.Hugo143, slug.HugoASCII143:
		return 1
	}
	return 0
}

// readsAttributes reports whether renderers of the algorithm read {#id} behind a heading.
func readsAttributes(f slug.Algorithm) bool {
	switch f {
	case slug.GitHub, slug.GitLab, slug.GitLab16:
		return false
	}
	return true
}

// DropIDs drops the ids of d except those under an algorithm, and all values derived from them.
func (d *Document) DropIDs(f slug.Algorithm) {
	d.Memo.mu.Lock()
	defer d.Memo.mu.Unlock()
	if len(d.ids) > 1 {
		s := d.ids[f]
		d.ids = nil // a map does not shrink
		if s != nil {
			d.ids = map[slug.Algorithm]*ids{f: s}
		}
	}
	for _, s := range d.ids {
		s.derived.Store(nil)
	}
}

// recentIDs holds the documents that last got ids under an algorithm other than their own, if there are
// many documents: the ids of others are dropped.
type recentIDs struct {
	IsLimited bool
	mu        sync.Mutex
	docs      [64]*Document
	next      int
}

// add adds d, which gets such ids.
func (r *recentIDs) add(d *Document) {
	if !r.IsLimited {
		return
	}
	r.mu.Lock()
	if slices.Contains(r.docs[:], d) {
		r.mu.Unlock()
		return
	}
	old := r.docs[r.next]
	r.docs[r.next] = d
	r.next = (r.next + 1) % len(r.docs)
	r.mu.Unlock()
	if old != nil {
		old.DropIDs(old.Layout.Slug)
	}
}
