package script

import (
	"bytes"

	"example.org/refract/extract/scan"
)

// json yields the values of JSON that are URLs or paths, and the URLs in others. It reads only strings, so
// the text around and before them, such as the prefixes against the inclusion of JSON as a script, does not
// matter.
func (s *Scanner) json() {
	src := s.src
	for p := 0; p < len(src) && !s.stopped; {
		i := bytes.IndexByte(src[p:], '"')
		if i < 0 {
			return
		}
		from := p + i + 1
		to := stringEnd(src, from)
		if to < 0 {
			return
		}
		for p = to + 1; p < len(src) && src[p] <= ' '; {
			p++
		}
		if p < len(src) && src[p] == ':' || to-from < 2 || !mayHoldURL(src[from:to]) {
			continue
		}
		v, span := s.decoded(from, to)
		if kind, sure := guess(v, false); sure != noURL {
			trimmed := bytes.TrimSpace(v)
			at := bytes.Index(v, trimmed)
			s.put(kind, sure, "string", trimmed, span(scan.Span{Start: at, End: at + len(trimmed)}))
			continue
		}
		s.within(v, "string", false, span)
	}
}

// stringEnd returns the offset of the quotation mark that ends the string whose text begins at src[p], or -1.
func stringEnd(src []byte, p int) int {
	for p < len(src) {
		i := bytes.IndexAny(src[p:min(len(src), p+64)], `"\`)
		switch {
		case i < 0:
			p += 64
		case src[p+i] == '"':
			return p + i
		default:
			p += i + 2
		}
	}
	return -1
}
