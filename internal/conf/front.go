package conf

import (
	"bytes"
	"encoding/json"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/literal"
)

// FrontMatter returns the metadata at the start of a document, and the offset in bytes of the text
// that follows. The metadata is YAML between lines of "---" (or up to a line of "..."), TOML
// between lines of "+++", or a JSON object. Empty front matter is a Map; malformed front matter is
// Unknown; if there is none, the Value is Missing, and body is the offset after a byte order mark.
// Spans are in src.
func FrontMatter(src []byte) (v Value, body int) {
	text := bytes.TrimPrefix(src, []byte("\uFEFF"))
	bom := len(src) - len(text)
	if len(text) < 3 {
		return Value{}, bom
	}
	if text[0] == '{' && bytes.IndexByte([]byte("\r\n\t \"}"), text[1]) >= 0 {
		return frontJSON(text, bom)
	}
	mark := text[:3]
	if string(mark) != "---" && string(mark) != "+++" {
		return Value{}, bom
	}
	first := ascii.NextLine(text, 0)
	if len(bytes.TrimRight(text[3:first], " \t\r\n")) > 0 {
		return Value{}, bom
	}
	for at := first; at < len(text); {
		end := ascii.NextLine(text, at)
		line := bytes.TrimRight(text[at:end], " \t\r\n")
		if bytes.Equal(line, mark) || mark[0] == '-' && string(line) == "..." {
			return front(text[first:at], bom+first, mark[0]), bom + end
		}
		at = end
	}
	return Value{}, bom
}

func front(src []byte, base int, mark byte) Value {
	if len(src) > MaxSize {
		return Value{Kind: Unknown}
	}
	var f File
	if mark == '+' {
		f = readTOML(src, base)
	} else {
		if v, ok := simpleYAML(src, base); ok {
			return v
		}
		f = readYAML(src, base)
	}
	if f.Value.Kind == Missing || f.Value.Kind == Nil {
		return Value{Kind: Map}
	}
	return f.Value
}

func frontJSON(text []byte, bom int) (Value, int) {
	limited := text[:min(len(text), MaxSize)]
	d := json.NewDecoder(bytes.NewReader(limited))
	var object json.RawMessage
	if d.Decode(&object) != nil {
		return Value{}, bom
	}
	n := int(d.InputOffset())
	end := ascii.NextLine(text, n)
	if len(bytes.TrimRight(text[n:end], " \t\r\n")) > 0 {
		return Value{}, bom
	}
	v := literal.Read(text[:n], literal.JSON).Value
	if bom > 0 {
		shift(&v, bom)
	}
	return v, bom + end
}

// shift adds by to the positions in v, which must not be shared.
func shift(v *Value, by int) {
	v.Span.Start += by
	v.Span.End += by
	for i := range v.Items {
		shift(&v.Items[i], by)
	}
	for i := range v.Entries {
		v.Entries[i].At.Start += by
		v.Entries[i].At.End += by
		shift(&v.Entries[i].Value, by)
	}
}

// MetaData is FrontMatter for MkDocs, whose pages may instead begin with lines "key: value" up to
// an empty line, as in MultiMarkdown. Keys are converted to lower case; indented lines continue a
// value.
func MetaData(src []byte) (v Value, body int) {
	v, body = FrontMatter(src)
	if v.Kind != Missing {
		return v, body
	}
	start := body
	for at := start; at < len(src); {
		end := ascii.NextLine(src, at)
		line := bytes.TrimRight(src[at:end], " \t\r\n")
		if len(line) == 0 {
			if v.Kind == Map {
				at = end
			}
			return joinLines(v), at
		}
		key, value, ok := metaLine(line)
		switch {
		case ok:
			if v.Kind == Missing {
				v.Kind = Map
			}
			from := at + len(line) - len(value)
			v.Entries = append(v.Entries, Entry{
				Key: string(bytes.ToLower(key)), At: scan.Span{Start: at, End: at + len(key)},
				Value: Value{Kind: String, Text: string(value), Span: scan.Span{Start: from, End: from + len(value)}}})
		case v.Kind == Map && (line[0] == '\t' || bytes.HasPrefix(line, []byte("    "))):
			last := &v.Entries[len(v.Entries)-1].Value
			last.Items = append(last.Items, Value{Kind: String, Text: string(bytes.TrimSpace(line))})
		default:
			return joinLines(v), at
		}
		at = end
	}
	return joinLines(v), len(src)
}

// joinLines appends continuation lines to their value.
func joinLines(v Value) Value {
	for i := range v.Entries {
		value := &v.Entries[i].Value
		if value.Items == nil {
			continue
		}
		text := []byte(value.Text)
		for _, line := range value.Items {
			text = append(append(text, ' '), line.Text...)
		}
		value.Text, value.Items, value.Span = string(text), nil, scan.Span{}
	}
	return v
}

// metaLine splits "key: value".
func metaLine(line []byte) (key, value []byte, ok bool) {
	i := 0
	for i < len(line) && (line[i] == '_' || line[i] == '-' || line[i] >= '0' && line[i] <= '9' || line[i]|0x20 >= 'a' && line[i]|0x20 <= 'z') {
		i++
	}
	if i == 0 || i == len(line) || line[i] != ':' {
		return nil, nil, false
	}
	return line[:i], bytes.TrimLeft(line[i+1:], " \t"), true
}
