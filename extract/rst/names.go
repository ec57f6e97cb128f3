package rst

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
)

// names holds the names of targets, and their uses. Names are stored as 64-bit hashes: two names in a
// document collide by chance in one of thousands of millions of documents.
type names struct {
	src       []byte
	defined   map[uint64]bool  // names that something defines
	used      map[uint64]int32 // names that are used, with a number each
	uses      []use            // in the order in which they are found; once finished, in the order of the source, with isUndefined
	isDefined []bool           // by the number of a name, once finished
	defs      []definition
	all       []uint64         // the names of all defs, one after another
	taken     map[uint64]int32 // ids that names with URLs take, and where the first one is written
	pending   []uint64         // names of the preceding targets without a URL, which share the next URL
	anonymous int              // uses without a name
	isOpen    bool             // names may be defined where nothing is read
	standard  bool             // a file of docutils defines substitutions
	includes  bool             // names may be defined in other documents
}

// A definition is a target with a URL, and all of its names.
type definition struct {
	from, to int32 // in names.all
	isUsed   bool
	isNext   bool // the target has no name: the next use without a name refers to it
}

// A use is where a name is used. It is small, since a document may have one in every three bytes.
type use struct {
	name       int32 // its number in names.used, and in the lowest bits what the use points to
	start, end int32 // of it in the document
}

const useBits = 2 // of a useOf

func (u use) of() useOf { return useOf(u.name & (1<<useBits - 1)) }

// A useOf says what a use points to.
type useOf uint8

const (
	ofTarget useOf = iota
	ofFootnote
	ofCitation
	ofSubstitution // named with its bars
)

var useNames = [...]string{ofTarget: "target", ofFootnote: "footnote", ofCitation: "citation", ofSubstitution: "substitution"}

var seed = maphash.MakeSeed()

func hash(name string) uint64 { return maphash.String(seed, name) }

func (n *names) reset(src []byte) {
	n.src = src
	if n.defined == nil {
		n.defined, n.used = make(map[uint64]bool), make(map[uint64]int32)
	}
	clear(n.defined)
	clear(n.used)
	n.taken = nil
	n.defs, n.all, n.uses, n.pending = n.defs[:0], n.all[:0], n.uses[:0], n.pending[:0]
	n.anonymous, n.isOpen, n.includes, n.standard = 0, false, false, false
}

func (n *names) release() {
	const most = 1 << 12
	if len(n.defined)+cap(n.uses)+cap(n.defs) > most {
		*n = names{}
	}
	n.src, n.isDefined, n.taken = nil, nil, nil
}

// define adds the name of a target within the document, or of anything else that name_ can refer to.
func (n *names) define(name string) { n.defined[hash(name)] = true }

// use adds the use of a name.
func (n *names) use(name string, at scan.Span, of useOf) {
	h := hash(name)
	number, ok := n.used[h]
	if !ok {
		number = int32(len(n.used))
		n.used[h] = number
	}
	if n.uses == nil { // at once: to grow it takes three times the memory
		n.uses = make([]use, 0, bytes.Count(n.src, []byte{'_'})+bytes.Count(n.src, []byte{'|'})/2)
	}
	n.uses = append(n.uses, use{number<<useBits | int32(of), int32(at.Start), int32(at.End)})
}

// target adds a target with a URL, and returns its index.
func (n *names) target(name string) int32 {
	h := hash(name)
	n.defined[h] = true
	from := len(n.all)
	n.all = append(append(n.all, h), n.pending...)
	n.pending = n.pending[:0]
	n.defs = append(n.defs, definition{from: int32(from), to: int32(len(n.all))})
	return int32(len(n.defs) - 1)
}

// anonymousTarget adds a target for the next use without a name.
func (n *names) anonymousTarget() int32 {
	n.defs = append(n.defs, definition{isNext: true})
	return int32(len(n.defs) - 1)
}

// finish determines which targets are used, once all names are known. It drops the uses of names that are defined,
// unless all are wanted.
func (n *names) finish(all bool) {
	anonymous := 0
	for i := range n.defs {
		d := &n.defs[i]
		if d.isNext {
			d.isUsed = d.isUsed || anonymous < n.anonymous
			anonymous++
		}
		for _, h := range n.all[d.from:d.to] {
			if !d.isUsed {
				_, d.isUsed = n.used[h]
			}
		}
	}
	n.isDefined = make([]bool, len(n.used))
	for h, number := range n.used {
		n.isDefined[number] = n.isOpen || n.defined[h]
	}
	if !all {
		n.uses = slices.DeleteFunc(n.uses, func(u use) bool { return !n.isUndefined(u) })
	}
	order := func(a, b use) int { return cmp.Compare(a.start, b.start) }
	if !slices.IsSortedFunc(n.uses, order) {
		slices.SortStableFunc(n.uses, order)
	}
}

// useName adds the use of the name in a range of p.src.
func (p *parser) useName(from, to int, of useOf) {
	p.names.use(nameOf(p.src[from:to]), p.spanOf(from, to), of)
}

// defineName adds the name in a range of p.src, which is the text of in.
func (p *parser) defineName(from, to int, in string) {
	p.names.define(nameOf(p.src[from:to]))
	if p.Mentions {
		p.add(form{op: scan.Anchor, in: in, space: TargetSpace, value: asName}, from, to, -1)
	}
}

// takeID records that the name in a range of p.src is one with a URL. Its id is in no page, but no title
// that follows gets it.
func (p *parser) takeID(from, to int) {
	if !p.Anchors {
		return
	}
	if p.names.taken == nil {
		p.names.taken = map[uint64]int32{}
	}
	h, at := hash(idOf(nameOf(p.src[from:to]))), int32(p.spanOf(from, to).Start)
	if first, twice := p.names.taken[h]; !twice || at < first {
		p.names.taken[h] = at
	}
}

// isTaken reports whether a name with a URL, above the end of a title or in it, has the id of the title.
func (n *names) isTaken(title string, end int32) bool {
	if n.taken == nil {
		return false
	}
	at, taken := n.taken[hash(idOf(nameOf([]byte(title))))]
	return taken && at < end
}

// isUndefined reports whether nothing defines the name of a use, or could.
func (n *names) isUndefined(u use) bool {
	return !n.isDefined[u.name>>useBits] && !(n.standard && u.of() == ofSubstitution)
}

// nameOf returns a name in the form in which docutils compares names: unescaped, in lower case, with
// white space merged (nodes.fully_normalize_name).
func nameOf(raw []byte) string {
	return strings.Join(strings.Fields(strings.ToLower(string(unescape(raw)))), " ")
}

// idOf returns the id that docutils makes of a name.
func idOf(name string) string { return slug.Docutils.Slug(slug.Heading{Text: name}) }

// unescape returns text without escapes: a backslash before white space is dropped together with
// it, and a backslash before another character is dropped.
func unescape(text []byte) (dst []byte) {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			dst = append(dst, text[i])
			continue
		}
		if i++; i < len(text) && !ascii.IsAnySpace(text[i]) {
			dst = append(dst, text[i])
		}
	}
	return dst
}

// isClean reports whether cleanURI would leave a URL unchanged.
func isClean(raw []byte) bool {
	for _, c := range raw {
		if c == '\\' || ascii.IsAnySpace(c) {
			return false
		}
	}
	return true
}

// cleanPath appends the path of a file as directives.path of docutils reads it: the lines of raw without
// white space around them. Other white space is part of the name. Escapes are dropped.
func cleanPath(dst, raw []byte) []byte {
	for line := range bytes.Lines(raw) {
		line = bytes.TrimSpace(line)
		for i := 0; i < len(line); i++ {
			if line[i] == '\\' && i+1 < len(line) {
				i++
			}
			dst = append(dst, line[i])
		}
	}
	return dst
}

// cleanURI appends a URL without white space and escapes. An escaped space becomes a space, but is dropped at
// both ends, where browsers remove it.
func cleanURI(dst, raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && i+1 < len(raw):
			i++
			if ascii.IsAnySpace(raw[i]) {
				if len(dst) > 0 {
					dst = append(dst, ' ')
				}
				continue
			}
			dst = append(dst, raw[i])
		case c == '\\', ascii.IsAnySpace(c):
		default:
			dst = append(dst, c)
		}
	}
	return bytes.TrimRight(dst, " ")
}
