package conf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"example.org/refract/extract/scan"
)

// maxCopies limits the number of values that all aliases of a file expand to.
const maxCopies = 1 << 16

// readYAML parses the first document in src, which starts at offset base of a file.
func readYAML(src []byte, base int) File {
	var document yaml.Node
	if err := yaml.Unmarshal(src, &document); err != nil {
		return unread(base, strings.Join(strings.Fields(err.Error()), " "))
	}
	if len(document.Content) == 0 {
		return File{}
	}
	r := yamlReader{src: src, base: base, anchors: map[*yaml.Node]*anchor{}}
	r.restart()
	return File{Value: r.value(document.Content[0], 0), Notes: r.notes}
}

// An anchor is a value that aliases refer to.
type anchor struct {
	value Value
	size  int // number of values in it; 0 while it is being read
}

type yamlReader struct {
	src     []byte
	base    int
	anchors map[*yaml.Node]*anchor
	nodes   int // number of values created
	copies  int // those created for aliases
	notes   []Note

	// The position of the last node. The following nodes come after it.
	line, column, offset int
}

func (r *yamlReader) restart() {
	r.line, r.column, r.offset = 1, 1, 0
	if bytes.HasPrefix(r.src, []byte("\uFEFF")) {
		r.offset = 3
	}
}

func (r *yamlReader) note(text string) {
	if len(r.notes) < 100 {
		r.notes = append(r.notes, Note{Offset: r.base + r.offset, Text: text})
	}
}

// seek advances to the beginning of a node, given as a line, and a column in characters.
func (r *yamlReader) seek(n *yaml.Node) bool {
	for r.line < n.Line || r.line == n.Line && r.column < n.Column {
		if r.offset >= len(r.src) {
			return false
		}
		c, size := utf8.DecodeRune(r.src[r.offset:])
		r.offset += size
		switch {
		case c == '\r' && r.offset < len(r.src) && r.src[r.offset] == '\n':
			r.offset++
			fallthrough
		case c == '\n', c == '\r', c == '\u0085', c == '\u2028', c == '\u2029':
			r.line++
			r.column = 1
		default:
			r.column++
		}
	}
	return r.line == n.Line && r.column == n.Column
}

func (r *yamlReader) value(n *yaml.Node, depth int) Value {
	r.nodes++
	if depth > maxDepth {
		r.note("nested too deeply")
		return Value{Kind: Unknown}
	}
	if n.Kind == yaml.AliasNode {
		return r.alias(n)
	}
	var a *anchor
	nodes := r.nodes
	if n.Anchor != "" {
		a = &anchor{}
		r.anchors[n] = a
	}
	v := r.plain(n, depth)
	if n.Style&yaml.TaggedStyle != 0 {
		v = tagged(n.ShortTag(), v)
	}
	if a != nil {
		a.value, a.size = v, r.nodes-nodes+1
	}
	return v
}

func (r *yamlReader) alias(n *yaml.Node) Value {
	a := r.anchors[n.Alias]
	if a == nil || a.size == 0 {
		r.note("an alias is part of its own anchor")
		return Value{Kind: Unknown}
	}
	if a.size > maxCopies-r.copies {
		r.note("aliases expand to too many values")
		return Value{Kind: Unknown}
	}
	r.nodes += a.size
	r.copies += a.size
	return a.value
}

// plain returns the value of n without its tag.
func (r *yamlReader) plain(n *yaml.Node, depth int) Value {
	switch n.Kind {
	case yaml.ScalarNode:
		return r.scalar(n)
	case yaml.SequenceNode:
		v := Value{Kind: List}
		for _, item := range n.Content {
			v.Items = append(v.Items, r.value(item, depth+1))
		}
		return v
	case yaml.MappingNode:
		return r.mapping(n, depth)
	}
	return Value{Kind: Unknown}
}

func (r *yamlReader) mapping(n *yaml.Node, depth int) Value {
	v := Value{Kind: Map}
	var merged []Entry // entries merged with "<<" come first, so that the mapping's own keys override them
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := r.value(n.Content[i], depth+1)
		value := r.value(n.Content[i+1], depth+1)
		if n.Content[i].ShortTag() == "!!merge" {
			merged = append(merged, merge(value, &v)...)
			continue
		}
		switch key.Kind {
		case String, Number, Bool, Nil:
			text := key.Text
			if n.Content[i].Kind == yaml.ScalarNode {
				text = n.Content[i].Value
			}
			v.Entries = append(v.Entries, Entry{Key: text, At: key.Span, Value: value})
		default:
			v.Open = true
		}
	}
	if merged != nil {
		v.Entries = append(merged, v.Entries...)
	}
	return v
}

// merge returns the entries of "<<: value". If several maps have a key, the first counts.
func merge(value Value, into *Value) []Entry {
	switch value.Kind {
	case Map:
		into.Open = into.Open || value.Open
		return value.Entries
	case List:
		var entries []Entry
		for i := len(value.Items) - 1; i >= 0; i-- {
			if value.Items[i].Kind != Map {
				into.Open = true
				continue
			}
			entries = append(entries, value.Items[i].Entries...)
		}
		return entries
	}
	into.Open = true
	return nil
}

// tagged applies a tag to v. A tag is another spelling of a call.
func tagged(tag string, v Value) Value {
	switch {
	case tag == "!!str" || tag == "!!binary":
		v.Kind = String
		return v
	case tag == "!!python/tuple" || tag == "!!set" || tag == "!!omap" || tag == "!!seq" || tag == "!!map" || tag == "!!int" || tag == "!!float" || tag == "!!bool" || tag == "!!null" || tag == "!!timestamp" || tag == "!":
		return v
	case strings.HasPrefix(tag, "!!python/name:"):
		return Value{Kind: Unknown, Text: tag[len("!!python/name:"):], Span: v.Span}
	case strings.HasPrefix(tag, "!!python/object/apply:"):
		return Value{Kind: Call, Text: tag[len("!!python/object/apply:"):], Items: []Value{v}}
	case tag == "!ENV": // the last of several arguments is the default
		u := Value{Kind: Unknown, Text: tag, Span: v.Span}
		if v.Kind == List && len(v.Items) > 1 {
			u.Items = v.Items[len(v.Items)-1:]
		}
		return u
	}
	return Value{Kind: Call, Text: tag, Items: []Value{v}}
}

// scalar returns the value of a scalar according to YAML 1.2, except that dates are Strings.
func (r *yamlReader) scalar(n *yaml.Node) Value {
	v := Value{Kind: String, Text: n.Value}
	if r.seek(n) {
		v.Span = r.span(n)
	}
	switch n.ShortTag() {
	case "!!null":
		v.Kind, v.Text = Nil, ""
	case "!!bool":
		v.Kind, v.Text = Bool, strings.ToLower(n.Value)
	case "!!int", "!!float":
		v.Kind = Number
	}
	return v
}

// span returns the range of the scalar at r.offset, without quotes; zero for a block scalar.
func (r *yamlReader) span(n *yaml.Node) scan.Span {
	at := r.offset
	for at < len(r.src) && (r.src[at] == '&' || r.src[at] == '!') {
		for at < len(r.src) && strings.IndexByte(" \t\r\n", r.src[at]) < 0 {
			at++
		}
		for at < len(r.src) && strings.IndexByte(" \t\r\n", r.src[at]) >= 0 {
			at++
		}
	}
	rest := r.src[at:]
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0 && bytes.HasPrefix(rest, []byte{'"'}):
		for end := 1; end < len(rest); end++ {
			if rest[end] == '\\' {
				end++
			} else if rest[end] == '"' {
				return r.at(at+1, at+end)
			}
		}
	case n.Style&yaml.SingleQuotedStyle != 0 && bytes.HasPrefix(rest, []byte{'\''}):
		for end := 1; end < len(rest); end++ {
			if rest[end] != '\'' {
				continue
			}
			if end+1 < len(rest) && rest[end+1] == '\'' {
				end++
				continue
			}
			return r.at(at+1, at+end)
		}
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && n.Value != "":
		if end := folded(rest, n.Value); end > 0 {
			return r.at(at, at+end)
		}
	}
	return scan.Span{}
}

func (r *yamlReader) at(start, end int) scan.Span {
	return scan.Span{Start: r.base + start, End: r.base + end}
}

// folded returns the length of the plain scalar at the start of src whose lines, joined, give text.
// It is 0 if the scalar is not there.
func folded(src []byte, text string) int {
	if bytes.HasPrefix(src, []byte(text)) {
		return len(text)
	}
	i := 0
	for j := 0; j < len(text); {
		if text[j] != ' ' && text[j] != '\n' {
			if i >= len(src) || src[i] != text[j] {
				return 0
			}
			i++
			j++
			continue
		}
		for j < len(text) && (text[j] == ' ' || text[j] == '\n') {
			j++
		}
		for i < len(src) && strings.IndexByte(" \t\r\n", src[i]) >= 0 {
			i++
		}
	}
	return i
}
