package undo

import (
	"bytes"
	"strings"

	"example.org/refract/extract/internal/latex"
	"example.org/refract/extract/internal/man"
)

// Roff decodes escapes of roff, and replaces the requests for mail addresses by "mailto:"
// (groff(7), "Escape sequences"; groff_man(7) MT; mdoc(7) Mt). A step can recognise the beginning of
// a line only by the line break before it.
func Roff(src []byte, atEOF bool) (literal, skip int, out []byte) {
	const longest = 32
	i := bytes.IndexAny(src, "\\\n")
	for i >= 0 && src[i] == '\n' {
		s := src[i:]
		if len(s) < len("\n.MT a") && !atEOF {
			return i, 0, nil
		}
		if bytes.HasPrefix(s, []byte("\n.MT ")) || bytes.HasPrefix(s, []byte("\n.Mt ")) {
			return i + 1, len(".MT "), []byte("mailto:")
		}
		k := bytes.IndexAny(s[1:], "\\\n")
		if k < 0 {
			return len(src), 0, nil
		}
		i += 1 + k
	}
	if i < 0 {
		return len(src), 0, nil
	}
	s := src[i:]
	if len(s) < longest && !atEOF {
		return i, 0, nil
	}
	if n, out := man.Escape(s); n > 0 {
		return i, n, out
	}
	return i + 1, 0, nil
}

// LaTeX decodes the escapes of LaTeX.
func LaTeX(src []byte, atEOF bool) (literal, skip int, out []byte) {
	const longest = latex.Longest
	for i := 0; ; i++ {
		k := bytes.IndexAny(src[i:], "\\${")
		if k < 0 {
			return len(src), 0, nil
		}
		i += k
		s := src[i:]
		if len(s) < longest && !atEOF {
			return i, 0, nil
		}
		if n, out := latex.Escape(s); n > 0 {
			return i, n, out
		}
		if s[0] == '\\' && len(s) > 1 && s[1] == '\\' {
			i++ // a line break, "\\%"
		}
	}
}

// Gettext decodes the escapes of strings in PO files, and joins a string with the one on the next
// line, which continues it (GNU gettext manual, "The Format of PO Files"). The lines of an obsolete
// entry begin with "#~".
func Gettext(src []byte, atEOF bool) (literal, skip int, out []byte) {
	const longest = 256 // a quote, a line break, and the indentation of the next quote
	for i := 0; ; i++ {
		k := bytes.IndexAny(src[i:], `"\`)
		if k < 0 {
			return len(src), 0, nil
		}
		i += k
		s := src[i:min(len(src), i+longest)]
		if len(s) < longest && !atEOF {
			return i, 0, nil
		}
		if s[0] == '"' {
			if n := continuedString(s); n > 0 {
				return i, n, []byte{}
			}
			continue
		}
		if len(s) > 1 {
			switch s[1] {
			case 'n', 'r', 't':
				return i, 2, []byte{"\n\r\t"[strings.IndexByte("nrt", s[1])]}
			case '"', '\\':
				return i, 2, s[1:2]
			}
		}
	}
}

// continuedString returns the length of the text at the start of s that separates a string from its
// continuation: a quote, a line break, and the next quote; otherwise 0.
func continuedString(s []byte) int {
	i := 1
	if i < len(s) && s[i] == '\r' {
		i++
	}
	if i == len(s) || s[i] != '\n' {
		return 0
	}
	i++
	if bytes.HasPrefix(s[i:], []byte("#~")) {
		i += 2
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i == len(s) || s[i] != '"' {
		return 0
	}
	return i + 1
}
