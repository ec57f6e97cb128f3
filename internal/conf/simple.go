package conf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/literal"
)

// simpleYAML parses the most common front matter: lines "key: value" with a plain or quoted scalar.
// ok is false for anything else, which needs the YAML parser; that takes ten times as long. The
// result is the same as that of readYAML.
func simpleYAML(src []byte, base int) (v Value, ok bool) {
	if !utf8.Valid(src) {
		return Value{}, false
	}
	v.Kind = Map
	for at := 0; at < len(src); {
		end := lineEnd(src, at)
		line := bytes.TrimSuffix(bytes.TrimSuffix(src[at:end], []byte("\n")), []byte("\r"))
		for i, c := range line {
			if c < ' ' || c == 0x7f || c >= 0xc2 && isUnsafe(line[i:]) {
				return Value{}, false
			}
		}
		trimmed := bytes.TrimRight(line, " ")
		if len(trimmed) > 0 && trimmed[0] != '#' {
			e, ok := simpleEntry(trimmed, base+at)
			if !ok {
				return Value{}, false
			}
			v.Entries = append(v.Entries, e)
		}
		at = end
	}
	return v, len(v.Entries) > 0
}

// isUnsafe reports whether s begins with a multi-byte character that YAML treats as a line end or a
// byte order mark, or does not allow.
func isUnsafe(s []byte) bool {
	c, _ := utf8.DecodeRune(s)
	return c < 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfeff || c >= 0xfffe && c <= 0xffff
}

// simpleEntry parses a line that starts at an offset of a file.
func simpleEntry(line []byte, at int) (e Entry, ok bool) {
	key, value, ok := metaLine(line)
	if !ok || key[0] == '-' || key[0] >= '0' && key[0] <= '9' || len(key) > 100 {
		return e, false
	}
	e = Entry{Key: string(key), At: scan.Span{Start: at, End: at + len(key)}}
	if len(value) == 0 {
		e.Value.Kind = Nil
		return e, len(line) == len(key)+1
	}
	if line[len(key)+1] != ' ' {
		return e, false
	}
	start := at + len(line) - len(value)
	if quote := value[0]; quote == '"' || quote == '\'' {
		end := bytes.IndexByte(value[1:], quote) + 1
		if end != len(value)-1 || end == 0 || quote == '"' && bytes.IndexByte(value, '\\') >= 0 {
			return e, false
		}
		e.Value = Value{Kind: String, Text: string(value[1:end]), Span: scan.Span{Start: start + 1, End: start + end}}
		return e, true
	}
	e.Value = Value{Kind: String, Text: string(value), Span: scan.Span{Start: start, End: start + len(value)}}
	e.Value.Kind, ok = simpleKind(e.Value.Text)
	return e, ok
}

// simpleKind returns the kind of a plain scalar. ok is false if the kind, or the end of the scalar,
// is not obvious.
func simpleKind(s string) (kind literal.Kind, ok bool) {
	if s == "true" || s == "false" {
		return Bool, true
	}
	if strings.Trim(s, "0123456789") == "" {
		return Number, s[0] != '0' && len(s) < 10
	}
	c := s[0]
	isText := c == '/' || c == '_' || c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z'
	if !isText || strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return String, false
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return String, false
	}
	return String, true
}
