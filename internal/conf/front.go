package conf

import (
	"bytes"
	"encoding/json"

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
	if len(src) > maxSize {
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
	limited := text[:min(len(text), maxSize)]
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
