package html

import (
	"strings"

	"example.org/refract/extract/scan"
)

// choice sets the fields of the reference r that Choices asks for.
func (s *Scanner) choice(r *ref) {
	it := &s.item
	if s.chosen.Element != r.tag.end { // an attribute may have many references
		s.chosen = scan.Choice{Element: r.tag.end, Group: s.groupOf(r.tag.called)}
		s.chosenRel, s.chosenType = s.other(nRel), s.other(nType)
		s.readChoice(&s.chosen, r.tag)
		if s.chosen.Group == s.group.at && s.chosen.Preload == "" {
			s.chosen.Preload = s.group.preload
		}
	}
	if it.More == nil { // without Details
		s.more = scan.More{Rel: s.chosenRel}
		it.More, it.Type = &s.more, s.chosenType
	}
	s.chosen.Descriptor = r.descriptor
	s.more.Choice = &s.chosen
}

// readChoice reads the attributes of t that only Choices needs. Few elements have them, so they have no rules.
func (s *Scanner) readChoice(c *scan.Choice, t *tag) {
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
		case equalFold(name, "preload"):
			field = &c.Preload
		case equalFold(name, "default"):
			c.IsDefault = true
			continue
		case equalFold(name, "disabled"):
			c.IsDisabled = true
			continue
		default:
			continue
		}
		if *field == "" { // of several attributes with one name, the first counts
			*field = strings.TrimSpace(string(s.decode(from, to).b))
		}
	}
}

// A group is an element of whose references browsers fetch one. Only its children are of it.
type group struct {
	at        int // where its name ends; 0: there is none
	isPicture bool
	preload   string
	depth     int // of the elements open in it
}

// nest follows the start tags of groups and of what is in them. at is where the name ends. Elements whose end tags are left out make groups
// lose later children, which are rarely there.
func (s *Scanner) nest(n name, called []byte, at int) {
	switch {
	case isGroup(called):
		s.group = group{at: at, isPicture: len(called) == len("picture")}
	case equalFold(called, "frameset"):
		s.frameset = at
	case s.group.at > 0 && rawOf(n) == notRaw && !void[string(lower(&s.low, called))]:
		s.group.depth++
	}
}

// unnest is nest for end tags.
func (s *Scanner) unnest(called []byte) {
	if isGroup(called) {
		s.group = group{}
	} else {
		s.group.depth = max(0, s.group.depth-1)
	}
}

// groupOf returns the group whose child an element is.
func (s *Scanner) groupOf(called []byte) int {
	switch {
	case equalFold(called, "frame"):
		return s.frameset
	case s.group.depth > 0, equalFold(called, "img") && !s.group.isPicture:
		return 0
	}
	return s.group.at
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
