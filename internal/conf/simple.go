package conf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/literal"
)

// simpleYAML parses the most common front matter: block mappings, and sequences of scalars that are plain or quoted and
// take one line. ok is false for anything else, which needs the YAML parser; that takes ten times as long. The
// result is the same as that of readYAML.
func simpleYAML(src []byte, base int) (v Value, ok bool) {
	if !utf8.Valid(src) {
		return Value{}, false
	}
	r := simpleReader{src: src, base: base}
	r.next()
	v, ok = r.mapping(0, 0)
	return v, ok && r.line == nil && len(v.Entries) > 0
}

// A simpleReader reads lines of block YAML.
type simpleReader struct {
	src  []byte
	base int // offset of src in its file
	end  int // of the current line
	// The current line without white space around it, and its indentation and offset in the file; nil at the
	// end, and before text that is not simple.
	line       []byte
	indent, at int
}

// next goes to the next line that is neither empty nor a comment.
func (r *simpleReader) next() {
	r.line, r.indent = nil, 0
	for r.end < len(r.src) {
		start := r.end
		end := ascii.NextLine(r.src, start)
		line := bytes.TrimSuffix(bytes.TrimSuffix(r.src[start:end], []byte("\n")), []byte("\r"))
		for i, c := range line {
			if c < ' ' || c == 0x7f || c >= 0xc2 && isUnsafe(line[i:]) {
				return
			}
		}
		r.end = end
		trimmed := bytes.TrimLeft(line, " ")
		if len(trimmed) > 0 && trimmed[0] != '#' {
			r.indent = len(line) - len(trimmed)
			r.at = r.base + start + r.indent
			r.line = bytes.TrimRight(trimmed, " ")
			return
		}
	}
}

// mapping reads the entries with an indentation.
func (r *simpleReader) mapping(indent, depth int) (v Value, ok bool) {
	const maxNested = 8
	v.Kind = Map
	for r.line != nil && r.indent == indent {
		e, ok := simpleEntry(r.line, r.at)
		if !ok || depth > maxNested {
			return v, false
		}
		r.next()
		isItem := bytes.HasPrefix(r.line, []byte("- "))
		switch {
		case e.Value.Kind != Nil || r.line == nil || r.indent < indent:
		case isItem && r.indent >= indent:
			e.Value, ok = r.sequence(r.indent)
		case r.indent > indent:
			e.Value, ok = r.mapping(r.indent, depth+1)
		}
		if !ok {
			return v, false
		}
		v.Entries = append(v.Entries, e)
	}
	return v, r.indent <= indent && (r.line != nil || r.end == len(r.src))
}

// sequence reads the items with an indentation.
func (r *simpleReader) sequence(indent int) (v Value, ok bool) {
	v.Kind = List
	for r.indent == indent && bytes.HasPrefix(r.line, []byte("- ")) {
		text := bytes.TrimLeft(r.line[2:], " ")
		item, ok := simpleValue(text, r.at+len(r.line)-len(text))
		if !ok {
			return v, false
		}
		v.Items = append(v.Items, item)
		r.next()
	}
	return v, true
}

// isUnsafe reports whether s begins with a multi-byte character that YAML treats as a line end or a
// byte order mark, or does not allow.
func isUnsafe(s []byte) bool {
	c, _ := utf8.DecodeRune(s)
	return c < 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfeff || c >= 0xfffe && c <= 0xffff
}

// simpleEntry parses a line that starts at an offset of a file.
func simpleEntry(line []byte, at int) (e Entry, ok bool) {
	key, value, ok := splitLine(line)
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
	e.Value, ok = simpleValue(value, at+len(line)-len(value))
	return e, ok
}

// splitLine splits "key: value".
func splitLine(line []byte) (key, value []byte, ok bool) {
	i := 0
	for i < len(line) && (line[i] == '_' || line[i] == '-' || line[i] >= '0' && line[i] <= '9' || line[i]|0x20 >= 'a' && line[i]|0x20 <= 'z') {
		i++
	}
	if i == 0 || i == len(line) || line[i] != ':' {
		return nil, nil, false
	}
	return line[:i], bytes.TrimLeft(line[i+1:], " \t"), true
}

// simpleValue parses a value, which is not empty and starts at an offset of a file.
func simpleValue(value []byte, at int) (v Value, ok bool) {
	switch value[0] {
	case '"', '\'':
		v, n := simpleQuoted(value, at)
		return v, n == len(value)
	case '[':
		return simpleList(value, at)
	}
	v = Value{Text: string(value), Span: scan.Span{Start: at, End: at + len(value)}}
	v.Kind, ok = simpleKind(v.Text)
	return v, ok
}

// simpleQuoted parses the quoted scalar that text begins with. n is its length; 0 if it is not simple.
func simpleQuoted(text []byte, at int) (v Value, n int) {
	end := bytes.IndexByte(text[1:], text[0]) + 1
	if end == 0 || text[0] == '"' && bytes.IndexByte(text[:end], '\\') >= 0 {
		return v, 0
	}
	return Value{Kind: String, Text: string(text[1:end]), Span: scan.Span{Start: at + 1, End: at + end}}, end + 1
}

// simpleList parses a list in brackets.
func simpleList(text []byte, at int) (v Value, ok bool) {
	v.Kind = List
	i := 1
	for ; ; i++ {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		if i == len(text)-1 && text[i] == ']' && v.Items == nil {
			return v, true
		}
		item, n := simpleItem(text[i:], at+i)
		if n == 0 {
			return v, false
		}
		v.Items = append(v.Items, item)
		for i += n; i < len(text) && text[i] == ' '; {
			i++
		}
		if i == len(text) || text[i] != ',' {
			return v, i == len(text)-1 && text[i] == ']'
		}
	}
}

// simpleItem parses the item of a list in brackets that text begins with. n is its length; 0 if it is not simple.
func simpleItem(text []byte, at int) (v Value, n int) {
	if len(text) > 0 && (text[0] == '"' || text[0] == '\'') {
		return simpleQuoted(text, at)
	}
	for n < len(text) && (ascii.IsAlnum(text[n]) || bytes.IndexByte([]byte(" _-./"), text[n]) >= 0) {
		n++
	}
	text = bytes.TrimRight(text[:n], " ")
	if len(text) == 0 {
		return v, 0
	}
	v = Value{Text: string(text), Span: scan.Span{Start: at, End: at + len(text)}}
	kind, ok := simpleKind(v.Text)
	if !ok {
		return v, 0
	}
	v.Kind = kind
	return v, len(text)
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
