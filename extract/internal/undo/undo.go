// Package undo has the steps that undo notations in running text: escapes of JSON, strings in source code,
// roff, LaTeX and PO, entities, colours, fields of CSV, quoted-printable, and defanged URLs.
package undo

import (
	"bytes"
	"html"

	"example.org/refract/internal/ascii"
)

// ANSI drops control sequences: ESC "[", parameters, and a final byte.
func ANSI(src []byte, atEOF bool) (literal, skip int, out []byte) {
	const longest = 48
	i := bytes.IndexByte(src, 0x1b)
	if i < 0 {
		return len(src), 0, nil
	}
	if len(src)-i < longest && !atEOF {
		return i, 0, nil
	}
	if i+1 < len(src) && src[i+1] == '[' {
		for j := i + 2; j < min(len(src), i+longest); j++ {
			if c := src[j]; c >= 0x40 && c <= 0x7e {
				return i, j + 1 - i, []byte{}
			} else if c < 0x20 || c > 0x7e {
				break
			}
		}
	}
	return i + 1, 0, nil
}

// Entities decodes character references that end with a semicolon.
func Entities(src []byte, atEOF bool) (literal, skip int, out []byte) {
	const longest = 34 // &CounterClockwiseContourIntegral;
	i := bytes.IndexByte(src, '&')
	if i < 0 {
		return len(src), 0, nil
	}
	s := src[i:]
	if len(s) < longest && !atEOF {
		return i, 0, nil
	}
	end := 1
	for end < min(len(s), longest) && (ascii.IsAlnum(s[end]) || s[end] == '#') {
		end++
	}
	if end == len(s) || s[end] != ';' {
		return i + 1, 0, nil
	}
	end++
	// Without a known name, UnescapeString undoes the beginning or nothing.
	decoded := html.UnescapeString(string(s[:end]))
	if decoded[len(decoded)-1] == ';' && decoded != ";" {
		return i + 1, 0, nil
	}
	return i, end, []byte(decoded)
}

// defanged lists the replacements that keep a URL from being clicked, and the originals.
var defanged = [...]struct{ from, to string }{
	{"hxxps", "https"}, {"hxxp", "http"}, {"fxps", "ftps"}, {"fxp", "ftp"},
	{"[.]", "."}, {"(.)", "."}, {"{.}", "."}, {"[dot]", "."}, {"(dot)", "."},
	{"[:]", ":"}, {"[://]", "://"}, {"[/]", "/"}, {"[@]", "@"}, {"[at]", "@"},
}

// Defang restores URLs that were changed to keep them from being clicked.
func Defang(src []byte, atEOF bool) (literal, skip int, out []byte) {
	const longest = len("hxxps[")
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case 'h', 'H', 'f', 'F', '[', '(', '{':
		default:
			continue
		}
		s := src[i:]
		if len(s) < longest && !atEOF {
			return i, 0, nil
		}
		for _, d := range defanged {
			n := len(d.from)
			if len(s) < n || !bytes.EqualFold(s[:n], []byte(d.from)) {
				continue
			}
			if d.from[0] != 'h' && d.from[0] != 'f' || len(s) > n && (s[n] == ':' || s[n] == '[') {
				return i, n, []byte(d.to)
			}
		}
	}
	return len(src), 0, nil
}
