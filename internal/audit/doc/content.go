package doc

import (
	"maps"
	"slices"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// The Content of a document is the result of reading it. It depends only on the document's bytes
// and name, and on the options. A Cache shares its slices, so they must not be changed.
type Content struct {
	Refs      []Reference // nil while they are packed
	Anchors   []Anchor    // likewise
	Packed    packed
	Undefined []Note // labels that nothing defines
	Names     []Note // uses of labels of the site; text is the label
	Limits    []Note // documents and parts that were too large or deep to read

	sniffed    extract.Fragments // for a file whose name does not tell
	References int
	Skipped    [reasons]uint32 // by reason
	Unjudged   []Reference     // the skipped references, with Options.Unjudged
	IsPartial  bool            // there may be unknown anchors

	*Memo
}

// A Memo holds values derived from a content on demand. Documents with the same content may share it. What a cache file
// holds, mu guards: several may compute a value at a time; the first that is kept counts.
type Memo struct {
	mu          sync.Mutex
	ids         map[slug.Flavour]*ids
	attrs       map[string]bool // ids in attribute lists; nil until needed
	hasIncludes answer          // whether it has parts in other files
	HasIgnores  answer          // whether comments in it suppress findings
	IsNew       bool            // it has more than was read from a cache file

	Defines   lazy.Value[map[string]bool]             // labels that it defines as a part of pages
	byBot     lazy.Value[[2]int]                      // the offsets where what a bot writes begins and ends
	filled    lazy.Value[map[string]bool]             // labels of definitions whose destinations a template makes
	htmlIDs   lazy.Map[slug.Flavour, map[string]bool] // ids of headings in HTML
	isPiece   lazy.Value[bool]                        // whether it is a piece of HTML
	hasMacros lazy.Value[bool]                        // whether an extension may make parts of it
	refTexts  lazy.Value[*referenceTexts]
	title     lazy.Value[*string] // words of the title of an AsciiDoc document; nil if it has none
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

// Answer returns an answer of m, which a cache file holds. If it is unknown, decide makes it.
func (m *Memo) Answer(is *answer, decide func() bool) bool {
	m.mu.Lock()
	known := *is
	m.mu.Unlock()
	if known == unknown {
		known = answerOf(decide())
		m.mu.Lock()
		*is, m.IsNew = known, true
		m.mu.Unlock()
	}
	return known == yes
}

// Pack returns c as bytes, for a cache file. References and anchors must be packed.
func (c *Content) Pack() []byte {
	p := new(Packing)
	p.Byte(byte(c.sniffed))
	p.Count(c.References)
	for _, n := range c.Skipped {
		p.Count(int(n))
	}
	p.Bool(c.IsPartial)
	p.notes(c.Undefined)
	p.notes(c.Names)
	p.notes(c.Limits)
	p.String(c.Packed.Anchors)
	p.Count(c.Packed.RefCount)
	p.String(c.Packed.Refs)
	p.memo(c.Memo)
	return p.out
}

// Unpacked returns the content that b holds. ok is false if Pack did not make b.
func Unpacked(b []byte) (c Content, ok bool) {
	u := Unpacking{In: string(b)}
	c.sniffed = extract.Fragments(u.Byte())
	c.References = u.Count()
	for i := range c.Skipped {
		c.Skipped[i] = uint32(u.Count())
	}
	c.IsPartial = u.Bool()
	c.Undefined, c.Names, c.Limits = u.notes(), u.notes(), u.notes()
	c.Packed = packed{Anchors: u.String(), RefCount: u.Count(), Refs: u.String()}
	c.Memo = u.memo()
	return c, !u.Bad && u.In == ""
}

func (p *Packing) memo(m *Memo) {
	p.Byte(byte(m.hasIncludes))
	p.Byte(byte(m.HasIgnores))
	p.Count(len(m.ids))
	for _, f := range slices.Sorted(maps.Keys(m.ids)) {
		p.Count(int(f))
		p.ids(m.ids[f])
	}
	p.Bool(m.attrs != nil)
	p.List(slices.Sorted(maps.Keys(m.attrs)))
}

func (u *Unpacking) memo() *Memo {
	m := &Memo{hasIncludes: answer(u.Byte()), HasIgnores: answer(u.Byte())}
	for range u.length() {
		if m.ids == nil {
			m.ids = map[slug.Flavour]*ids{}
		}
		f := slug.Flavour(u.Count())
		m.ids[f] = u.ids()
	}
	isKnown, names := u.Bool(), u.List()
	if isKnown {
		m.attrs = make(map[string]bool, len(names))
		for _, name := range names {
			m.attrs[name] = true
		}
	}
	return m
}

func (p *Packing) ids(s *ids) {
	p.in(s.text)
	p.Count(len(s.Entries))
	for _, e := range s.Entries {
		p.Count(int(e.end))
		p.Count(int(e.Line))
	}
	p.Counts(s.Second)
}

func (u *Unpacking) ids() *ids {
	s := new(ids)
	s.text, s.Entries = u.inOf(), make([]idEntry, u.length())
	for i := range s.Entries {
		s.Entries[i] = idEntry{uint32(u.Count()), uint32(u.Count())}
	}
	s.Second = u.Counts()
	if !s.index() {
		u.fail()
	}
	return s
}

func (p *Packing) notes(notes []Note) {
	p.Count(len(notes))
	for i := range notes {
		p.Position(&notes[i].Pos)
		p.String(notes[i].Text)
		p.String(notes[i].Space)
	}
}

func (u *Unpacking) notes() (notes []Note) {
	for range u.length() {
		notes = append(notes, Note{u.Position(), u.String(), u.String()})
	}
	return notes
}
