package main

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// typed cleans a reference that a user has typed or copied: it removes surrounding white space,
// line breaks within, delimiters around it and the prefix "URL:" (the 1997 draft, Appendix E; RFC
// 3986 Appendix C). s must not be used afterwards.
func typed(s []byte) []byte {
	s = withoutBlanks(s)
	if n := len(s); n > 1 && (s[0] == '<' && s[n-1] == '>' || s[0] == '"' && s[n-1] == '"') {
		s = s[1 : n-1]
	}
	if rest, ok := ascii.CutPrefixFold(s, "URL:"); ok {
		s = rest
		if n := len(s); n > 1 && s[0] == '<' && s[n-1] == '>' {
			s = s[1 : n-1]
		}
	}
	return s
}

// withoutBlanks returns s without white space, which no URL contains.
func withoutBlanks(s []byte) []byte {
	return bytes.Join(bytes.Fields(s), nil)
}
