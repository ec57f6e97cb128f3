package asciidoc

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A kind says how to read the block after a list of attributes.
type kind uint8

const (
	shown    kind = iota // as its delimiter says
	text                 // text, whatever the delimiter
	verbatim             // its content has no references
	comment              // the same, and the preprocessor does not read it
	raw                  // HTML
	unread               // no substitutions: it has no references
)

// A style is what a list of attributes says about the block after it.
type style struct {
	kind      kind
	hasMacros bool // macros are substituted, although the block is verbatim
	id        bool
	link      scan.Span // the link of an image
	columns   []byte    // the styles of the columns of a table
}

func (s *style) isShown() bool { return s.kind == shown || s.kind == text }

var kinds = map[string]kind{
	"source": verbatim, "listing": verbatim, "literal": verbatim, "stem": verbatim, "latexmath": verbatim, "asciimath": verbatim,
	"comment": comment, "pass": raw, "verse": text, "quote": text, "ditaa": verbatim, "plantuml": verbatim, "graphviz": verbatim, "mermaid": verbatim,
}

// isStyleLine reports whether c has the form of a list of attributes before a block.
func isStyleLine(c []byte) bool {
	if len(c) < 2 || c[len(c)-1] != ']' || len(c) > maxValue {
		return false
	}
	return len(c) == 2 || isWord(c[1]) || bytes.IndexByte([]byte("{,.#\"'%"), c[1]) >= 0
}

// attributeLine reads "[style#id,name=value]" or "[[id,text]]" on a line of its own. It returns false for
// text.
func (p *parser) attributeLine(l line) bool {
	c := p.text(l)
	if bytes.HasPrefix(c, []byte("[[")) && bytes.HasSuffix(c, []byte("]]")) && len(c) > 4 && c[2] != '[' {
		id, _, _ := bytes.Cut(c[2:len(c)-2], []byte(","))
		if !isAnchorID(id) {
			return false
		}
		p.at = l.next
		p.style.id = true
		p.anchor("[[]]", string(id), l.start+2, l.start+2+len(id))
		return true
	}
	if !isStyleLine(c) {
		return false
	}
	p.at = l.next
	inner := c[1 : len(c)-1]
	first, _, _ := bytes.Cut(inner, []byte(","))
	p.shorthand(first, l.start+1)
	for at := 0; at < len(inner); {
		part := inner[at:]
		if i := splitAt(part); i < len(part) {
			part = part[:i]
		}
		p.named(part, l.start+1+at)
		at += len(part) + 1
	}
	if p.style.kind == text { // the source of a quotation
		p.inline(l.start+1, l.end-1)
	}
	return true
}

// splitAt returns the offset of the next comma outside quotes.
func splitAt(c []byte) int {
	var quote byte
	for i, b := range c {
		switch {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == ',':
			return i
		}
	}
	return len(c)
}

// shorthand reads "style#id.role%option".
func (p *parser) shorthand(c []byte, at int) {
	end := bytes.IndexAny(c, "#.%")
	name := c
	if end >= 0 {
		name = c[:end]
	}
	if k, ok := kinds[string(bytes.TrimSpace(name))]; ok {
		p.style.kind = k
	}
	if i := bytes.IndexByte(c, '#'); i >= 0 && bytes.IndexByte(c, '=') < 0 && bytes.IndexByte(c, ' ') < 0 {
		n := i + 1
		for n < len(c) && c[n] != '.' && c[n] != '%' && c[n] != '#' {
			n++
		}
		if n > i+1 {
			p.style.id = true
			p.anchor("[#]", string(c[i+1:n]), at+i+1, at+n)
		}
	}
}

// named reads "name=value".
func (p *parser) named(c []byte, at int) {
	name, value, ok := bytes.Cut(c, []byte("="))
	if !ok {
		return
	}
	from := at + len(name) + 1
	for len(value) > 0 && (ascii.IsAnySpace(value[0]) || value[0] == '"' || value[0] == '\'') {
		value = value[1:]
		from++
	}
	value = bytes.TrimRight(value, "\"' ")
	switch string(bytes.TrimSpace(name)) {
	case "id":
		p.style.id = true
		p.anchor("[id=]", string(value), from, from+len(value))
	case "link":
		if string(value) == "self" { // the image itself
			return
		}
		p.style.link = scan.Span{Start: from, End: from + len(value)}
	case "subs":
		p.subs(value)
	case "cols":
		p.style.columns = columnStyles(value)
	}
}

// subs reads the substitutions of a block.
func (p *parser) subs(value []byte) {
	p.style.hasMacros = bytes.Contains(value, []byte("macros")) && !bytes.Contains(value, []byte("-macros")) || bytes.Contains(value, []byte("normal"))
	switch string(value) {
	case "none", "verbatim", "specialchars", "specialcharacters", "attributes", "quotes":
		if p.style.kind == shown {
			p.style.kind = unread
		}
	}
}

// isID reports whether c may be an id: it contains neither white space nor capitals.
func isID(c []byte) bool {
	for _, b := range c {
		if ascii.IsAnySpace(b) || b >= 'A' && b <= 'Z' {
			return false
		}
	}
	return true
}
