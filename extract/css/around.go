package css

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// A prelude is what stands before an open block.
type prelude struct {
	start, end int
	text       string // once it is wanted
}

// maxPreludes limits the preludes that are kept; blocks deeper inside have those of the blocks around them.
const maxPreludes = 32

// around returns the preludes of the blocks around src[to], outermost first. Calls for src have ascending places, so that all of them take
// linear time. Of a bracket that is not closed, the "{", "}" and ";" after it count.
func (s *Scanner) around(src []byte, to int) []string {
	i := s.followed
	for {
		i = skip(src[:max(i, to)], i, inRule)
		if i >= to {
			break
		}
		if end := opaque(src, i); end > i {
			i = end
			continue
		}
		switch src[i] {
		case '(':
			if name := src[max(s.begun, i-len("url")):i]; ascii.EqualFold(name, "url") {
				at := space(src, i+1)
				if at < len(src) && src[at] != '"' && src[at] != '\'' {
					_, i = unquoted(src, at)
					continue
				}
			}
		case ';':
			s.begun = i + 1
		case '{':
			if s.depth < maxPreludes {
				s.preludes = append(s.preludes, prelude{start: s.begun, end: i})
			}
			s.depth++
			s.begun = i + 1
		case '}':
			s.depth = max(0, s.depth-1)
			s.preludes = s.preludes[:min(s.depth, len(s.preludes))]
			s.begun = i + 1
		}
		i++
	}
	s.followed = i
	s.texts = s.texts[:0]
	for k := range s.preludes {
		p := &s.preludes[k]
		if p.text == "" {
			p.text = string(bytes.TrimSpace(src[min(blank(src, p.start), p.end):p.end]))
		}
		s.texts = append(s.texts, p.text)
	}
	return s.texts
}

// Token reads the first token of src (4.3.1), which is not empty, for a reader of selectors. The kind is 'a' for an identifier, the name of a
// function, or what follows a "#"; '"' for a string, ' ' for white space and comments, and otherwise the character itself. Token returns the text of
// a name or a string, with escapes decoded, and the length of the token in src. A name may begin with a digit here.
func Token(src []byte) (kind byte, text []byte, n int) {
	n = blank(src, 0)
	if n > 0 {
		return ' ', nil, n
	}
	switch c := src[0]; {
	case c == '"' || c == '\'':
		v, n := quoted(src, 0)
		return '"', unescape(nil, src[v.start:v.end]), n
	case class[c]&inName == 0 && !escape(src, 0):
		return c, nil, 1
	}
	isPlain := true
	for n < len(src) && (class[src[n]]&inName != 0 || escape(src, n)) {
		if src[n] == '\\' {
			isPlain = false
			n = escaped(src, n)
		} else {
			n++
		}
	}
	if isPlain {
		return 'a', src[:n], n
	}
	return 'a', unescape(nil, src[:n]), n
}
