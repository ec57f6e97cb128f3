// Package jsonstring finds the strings in JSON, with the keys around them, and decodes them. It reads
// tokens, without checking their order, so that it finds what there is in JSON that is cut or not valid.
package jsonstring

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/extract/scan"
)

// Value returns the value of a string. src[s.Start:s.End] is the text between its quotation marks, and
// the value shares its memory if it has no escapes. The value of a string that is not valid is its text.
func Value(src []byte, s scan.Span) []byte {
	raw := src[s.Start:s.End]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var value string
	if json.Unmarshal(src[s.Start-1:s.End+1], &value) != nil {
		return raw
	}
	return []byte(value)
}

// AppendMapped appends the value of a string, src[s.Start:s.End] without its quotation marks, to dst, and
// where its bytes come from to m, which leads from dst to src. An escape that is not valid stands for
// itself.
func AppendMapped(dst []byte, m *scan.Map, src []byte, s scan.Span) []byte {
	for i := s.Start; i < s.End; {
		k := bytes.IndexByte(src[i:s.End], '\\')
		if k < 0 {
			k = s.End - i
		}
		dst = append(dst, src[i:i+k]...)
		m.Add(k, i, 1, 1)
		if i += k; i == s.End {
			break
		}
		size, n := len(dst), 0
		dst, n = appendEscape(dst, src[i:s.End])
		m.Add(len(dst)-size, i, len(dst)-size, n)
		i += n
	}
	return dst
}

// appendEscape appends the text of the escape at the start of s, and returns the length of the escape.
func appendEscape(dst, s []byte) ([]byte, int) {
	const written, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if len(s) < 2 {
		return append(dst, s...), len(s)
	}
	if i := strings.IndexByte(written, s[1]); i >= 0 {
		return append(dst, meant[i]), 2
	}
	r, ok := codeUnit(s)
	if !ok {
		return append(dst, s[0]), 1
	}
	if utf16.IsSurrogate(r) {
		low, _ := codeUnit(s[6:])
		r = utf16.DecodeRune(r, low)
		if r != utf8.RuneError {
			return utf8.AppendRune(dst, r), 12
		}
	}
	return utf8.AppendRune(dst, r), 6
}

// codeUnit reads the escape `\u12ab` at the start of s.
func codeUnit(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(n), err == nil
}
