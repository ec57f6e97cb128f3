package doc

import (
	"cmp"
	"strings"
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
	Forbidden []Reference // nil while they are packed; those that are checked are also in Refs
	Undefined []Note      // undefined labels
	Names     []Note      // uses of labels of the site; text is the label
	Limits    []Note      // documents and parts that were too large or deep to read
	Texts     LinkTexts

	sniffed    extract.Fragments // for a file whose name does not tell
	References int
	Skipped    [reasons]uint32 // by reason
	Unchecked  []Reference     // the skipped references, with Options.Unchecked
	IsPartial  bool            // there may be unknown anchors

	*Memo
}

// A Memo holds values derived from a content on demand. Documents with the same content may share it. mu
// guards the values that a cache file holds: several goroutines may compute a value at once; the first
// result is kept.
type Memo struct {
	mu          sync.Mutex
	ids         map[slug.Algorithm]*ids
	attrs       map[string]bool // ids in attribute lists; nil until needed
	hasIncludes answer          // whether it has parts in other files
	HasIgnores  answer          // whether comments in it suppress findings
	IsNew       bool            // it has more than was read from a cache file

	Defines   lazy.Value[map[string]bool]               // labels that it defines as a part of pages
	byBot     lazy.Value[[2]int]                        // the offsets where what a bot writes begins and ends
	filled    lazy.Value[map[string]bool]               // labels of definitions whose destinations a template makes
	htmlIDs   lazy.Map[slug.Algorithm, map[string]bool] // ids of headings in HTML
	isPiece   lazy.Value[bool]                          // whether it is a piece of HTML
	hasMacros lazy.Value[bool]                          // whether an extension may make parts of it
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
func (c *Content) Pack() string {
	w := NewWriter()
	w.content(c)
	return w.Done()
}

// Unpacked returns the content that s holds. ok is false if Pack did not make s.
func Unpacked(s string) (content Content, ok bool) {
	r := NewReader(s)
	r.content(&content)
	return content, r.IsDone()
}

func (c *Codec) content(k *Content) {
	c.Byte((*byte)(&k.sniffed))
	c.Count(&k.References)
	for i, n := range k.Skipped {
		k.Skipped[i] = uint32(c.uint(uint64(n)))
	}
	c.Bool(&k.IsPartial)
	c.notes(&k.Undefined)
	c.notes(&k.Names)
	c.notes(&k.Limits)
	c.linkTexts(&k.Texts)
	c.String(&k.Packed.Anchors)
	c.Count(&k.Packed.RefCount)
	c.String(&k.Packed.Refs)
	c.Count(&k.Packed.ForbiddenCount)
	c.String(&k.Packed.Forbidden)
	if c.reads {
		k.Memo = new(Memo)
	}
	c.memo(k.Memo)
}

func (c *Codec) memo(m *Memo) {
	c.Byte((*byte)(&m.hasIncludes))
	c.Byte((*byte)(&m.HasIgnores))
	mapOf(c, &m.ids, cmp.Compare, func(f *slug.Algorithm, of **ids) {
		c.Byte((*byte)(f))
		if c.reads {
			*of = new(ids)
		}
		c.ids(*of)
	})
	mapOf(c, &m.attrs, strings.Compare, func(name *string, is *bool) {
		c.String(name)
		*is = true
	})
}

func (c *Codec) ids(s *ids) {
	c.text(&s.text)
	List(c, &s.Entries, func(e *idEntry) {
		e.end, e.Line = uint32(c.uint(uint64(e.end))), uint32(c.uint(uint64(e.Line)))
	})
	c.Counts(&s.Second)
	if c.reads && !s.index() {
		c.fail()
	}
}

func (c *Codec) notes(notes *[]Note) {
	List(c, notes, func(n *Note) {
		c.Position(&n.Pos)
		c.String(&n.Text)
		c.String(&n.Space)
	})
}
