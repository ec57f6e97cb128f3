package html

import (
	"strings"

	"example.org/refract/extract/scan"
)

// choice sets the fields of the reference r that Choices asks for.
func (s *Scanner) choice(r *ref) {
	it := &s.item
	if s.chosen.Element != r.tag.end { // an attribute may have many references
		s.chosen = scan.Choice{Element: r.tag.end, Group: s.group}
		s.chosenRel, s.chosenType = s.other(nRel), s.other(nType)
		s.readChoice(r.tag)
	}
	if it.More == nil { // without Details
		s.more = scan.More{Rel: s.chosenRel}
		it.More, it.Type = &s.more, s.chosenType
	}
	s.chosen.Descriptor = r.descriptor
	s.more.Choice = &s.chosen
}

// readChoice reads the attributes of t that only Choices needs. Few elements have them, so they have no rules.
func (s *Scanner) readChoice(t *tag) {
	c := &s.chosen
	src := s.src[:t.end-1]
	for p := t.at; ; {
		for p < len(src) && byteClass[src[p]]&gapByte != 0 {
			p++
		}
		if p >= len(src) {
			return
		}
		at := p
		p++
		p += nameLen(src[p:], nameEnd)
		name := src[at:p]
		from, to, next := unusualValue(src, p)
		p = next
		var field *string
		switch {
		case equalFold(name, "media"):
			field = &c.Media
		case equalFold(name, "as"):
			field = &c.As
		case equalFold(name, "sizes"), equalFold(name, "imagesizes"):
			field = &c.Sizes
		default:
			continue
		}
		if *field == "" { // of several attributes with one name, the first counts
			*field = strings.TrimSpace(string(s.decode(from, to).b))
		}
	}
}

// isGroup reports whether an element is one of whose references browsers fetch one.
func isGroup(called []byte) bool {
	switch len(called) {
	case len("video"):
		return equalFold(called, "video") || equalFold(called, "audio")
	case len("picture"):
		return equalFold(called, "picture")
	}
	return false
}
