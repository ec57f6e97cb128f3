// Package undo has the steps that undo notations in running text: escapes of JSON, roff, LaTeX and PO, entities, colours,
// fields of CSV, quoted-printable, and URLs that were made not clickable.
package undo

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/decode"
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

// JSON returns the step that decodes the escapes of JSON strings.
func JSON() decode.Step {
	const (
		longest = len(`\ud83d\ude00`)
		written = `"\/bfnrt`
	)
	meant := []byte("\"\\/\b\f\n\r\t")
	var char [utf8.UTFMax]byte
	return func(src []byte, atEOF bool) (literal, skip int, out []byte) {
		i := bytes.IndexByte(src, '\\')
		if i < 0 {
			return len(src), 0, nil
		}
		s := src[i:]
		if len(s) < longest && !atEOF {
			return i, 0, nil
		}
		if len(s) > 1 {
			if j := strings.IndexByte(written, s[1]); j >= 0 {
				return i, 2, meant[j : j+1]
			}
		}
		r, ok := escape16(s)
		if !ok {
			return i + 1, 0, nil
		}
		skip = len(`\u12ab`)
		if utf16.IsSurrogate(r) {
			low, _ := escape16(s[skip:])
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				return i + 1, 0, nil
			}
			skip = longest
		}
		return i, skip, utf8.AppendRune(char[:0], r)
	}
}

// escape16 reads an escape such as `\u12ab` at the beginning of s.
func escape16(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(n), err == nil
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
