package built

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hash is FNV-1a of 64 bits. The probability that any two of 16 million ids have the same hash is 1 in
// 100,000.
func Hash[T string | []byte](s T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// Key returns a number for a text that people read. Only letters and digits count, not markup, punctuation,
// space or case. It is 0 if there are none.
func Key(text string) uint64 {
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	h, n := uint64(14695981039346656037), 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			} else if !('a' <= r && r <= 'z' || '0' <= r && r <= '9') {
				continue
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			r = unicode.ToLower(r)
		default:
			continue
		}
		n++
		for r > 0 {
			h = (h ^ uint64(r&0xff)) * 1099511628211
			r >>= 8
		}
	}
	if n == 0 {
		return 0
	}
	return h | 1
}
