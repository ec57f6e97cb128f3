package rst

import (
	"bytes"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// explicit reads a block that begins with "..".
func (p *parser) explicit(l line) {
	margin := l.column
	in := p.skip(l, 2)
	if in.isBlank() {
		p.comment(l, margin)
		return
	}
	c := p.content(&in)
	switch {
	case c[0] == '_' && len(c) > 1 && !ascii.IsAnySpace(c[1]):
		p.target(l, in.text+1, false)
		return
	case c[0] == '|' && len(c) > 1 && !ascii.IsAnySpace(c[1]):
		if p.substitution(l, in) {
			p.names.pending = p.names.pending[:0]
			return
		}
	}
	if n, args := directiveName(c); n > 0 {
		p.names.pending = p.names.pending[:0]
		p.directive(l, string(c[:n]), p.skip(in, args))
		return
	}
	p.comment(l, margin)
}

// comment skips a comment. One without text ends at a blank line.
func (p *parser) comment(l line, margin int) {
	p.names.pending = p.names.pending[:0]
	p.at = l.next
	in := p.skip(l, 2)
	if in.isBlank() && (l.next >= len(p.src) || isBlankLine(p, l.next)) {
		return
	}
	p.at = p.endOfBlock(l.next, margin)
}

func isBlankLine(p *parser, at int) bool {
	l := p.lineAt(at)
	return l.isBlank()
}

// footnote reads "[1]", "[#name]", "[*]" or "[Citation]", and returns its length, or 0 if it is not a footnote.
func (p *parser) footnote(l line) int {
	c := p.content(&l)
	end := bytes.IndexByte(c, ']')
	if end < 2 || end+1 < len(c) && !ascii.IsAnySpace(c[end+1]) || !isFootnoteLabel(c[1:end]) {
		return 0
	}
	label := bytes.TrimPrefix(c[1:end], []byte("#"))
	in := "footnote"
	if c[1] != '#' && c[1] != '*' && !ascii.IsDigit(c[1]) {
		in = "citation"
	}
	switch {
	case len(label) == 0 || label[0] == '*':
	case in == "citation":
		p.names.define(nameOf(label))
	default:
		p.defineName(l.text+end-len(label), l.text+end, in)
	}
	if p.Anchors && len(label) > 0 && label[0] != '*' && !ascii.IsDigit(label[0]) {
		p.add(form{op: scan.Anchor, in: "footnote", value: asID}, l.text+end-len(label), l.text+end, -1)
	}
	if p.Mentions && in == "citation" {
		p.add(form{op: scan.Anchor, in: in, space: CitationSpace, value: asName, named: true}, l.text+1, l.text+end, -1)
	}
	return end + 1
}

// isFootnoteLabel reports whether c is "1", "#", "#name", "*" or a simple name.
func isFootnoteLabel(c []byte) bool {
	if len(c) == 1 && (c[0] == '*' || c[0] == '#') {
		return true
	}
	from := 0
	if c[0] == '#' {
		from = 1
	}
	return nameAfter(c, from) == len(c) && len(c) > from
}

// target reads a target after ".. _" or "__". Its block continues over indented lines up to a blank one.
func (p *parser) target(l line, at int, isAnonymous bool) {
	end, next := p.endOfExplicit(l)
	p.at = next
	from := at
	in := "anonymous"
	var name []byte
	if !isAnonymous {
		var ok bool
		if name, from, ok = p.targetName(at, end); !ok {
			p.names.pending = p.names.pending[:0]
			return
		}
		if string(name) == "_" {
			isAnonymous = true
		} else {
			in = "target"
		}
	}
	from, end = p.trim(from, end)
	uri := p.src[from:end]
	if !isAnonymous && p.src[at] == '`' {
		at++
	}
	switch {
	case len(uri) == 0 && isAnonymous:
		p.names.anonymousTarget()
	case len(uri) == 0:
		p.internalTarget(at, name)
	case p.isIndirect(uri):
		def := p.defTarget(isAnonymous, name)
		p.names.defs[def].isUsed = true
		if p.Mentions && !isAnonymous { // it is a label of Sphinx, as the other one is
			p.add(form{op: scan.Anchor, in: in, space: RefSpace, value: asName, named: true}, at, at+len(name), -1)
		}
		start, stop := indirectName(p.src, from, end)
		p.useName(start, stop, ofTarget)
	default:
		if !isAnonymous {
			p.defineName(at, at+len(name), in)
			p.takeID(at, at+len(name))
		}
		f := form{kind: scan.Definition, how: scan.Reference, in: in, value: asURI}
		if isMailAddress(uri) {
			f.meant = "mailto:"
		}
		p.add(f, from, end, p.defTarget(isAnonymous, name))
	}
}

func (p *parser) defTarget(isAnonymous bool, name []byte) int32 {
	if isAnonymous {
		return p.names.anonymousTarget()
	}
	return p.names.target(nameOf(name))
}

func (p *parser) spanOf(from, to int) scan.Span {
	span, _ := p.source(from, to)
	return span
}

// internalTarget adds a target that is a place in the document.
func (p *parser) internalTarget(at int, name []byte) {
	n := nameOf(name)
	p.names.define(n)
	p.names.pending = append(p.names.pending, hash(n))
	p.anchors(at, at+len(name), "target")
}

// anchors adds the definitions that a name in the source makes: an id, and a label.
func (p *parser) anchors(from, to int, in string) {
	if p.Anchors {
		p.add(form{op: scan.Anchor, in: in, value: asID}, from, to, -1)
	}
	if p.Mentions {
		p.add(form{op: scan.Anchor, in: in, space: RefSpace, value: asName, named: true}, from, to, -1)
	}
}

// endOfExplicit returns the end of the text of a block that continues over indented lines up to an empty
// one, and where the next line begins.
func (p *parser) endOfExplicit(l line) (end, next int) {
	margin := l.column
	for l.next < len(p.src) {
		below := p.lineAt(l.next)
		if below.isBlank() || below.column <= margin {
			break
		}
		l = below
	}
	return l.end, l.next
}

// targetName reads the name of a target, up to the ":" after it, and returns where the rest begins.
func (p *parser) targetName(at, end int) (name []byte, from int, ok bool) {
	text := p.src[at:end]
	if text[0] == '`' {
		for i := 1; i < len(text); i++ {
			switch {
			case text[i] == '\\':
				i++
			case text[i] == '`':
				if colon := bytes.TrimPrefix(text[i+1:], []byte(" ")); isColon(colon) {
					return text[1:i], at + len(text) - len(colon) + 1, i > 1
				}
			}
		}
		return nil, 0, false
	}
	if bytes.HasPrefix(text, []byte("__")) || text[0] == '_' && len(text) > 1 && text[1] != ':' {
		return nil, 0, false // a name begins with no underscore; "_" alone stands for none
	}
	for i := range text {
		if text[i] == ':' && (i+1 == len(text) || ascii.IsAnySpace(text[i+1])) && i > 0 && !isEscaped(text, i) {
			return text[:i], at + i + 1, true
		}
	}
	return nil, 0, false
}

// isColon reports whether text begins with the ":" at the end of a name.
func isColon(text []byte) bool {
	return len(text) > 0 && text[0] == ':' && (len(text) == 1 || ascii.IsAnySpace(text[1]))
}

// isEscaped reports whether there is an odd number of backslashes before i.
func isEscaped(text []byte, i int) bool {
	n := 0
	for n < i && text[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

func (p *parser) trim(from, to int) (int, int) {
	for from < to && ascii.IsAnySpace(p.src[from]) {
		from++
	}
	for to > from && ascii.IsAnySpace(p.src[to-1]) {
		to--
	}
	return from, to
}

// isIndirect reports whether the URL of a target is the name of another one: name_ or `a name`_.
func (p *parser) isIndirect(uri []byte) bool {
	n := len(uri)
	if n < 2 || uri[n-1] != '_' || isEscaped(uri, n-1) {
		return false
	}
	if uri[0] == '`' {
		return n > 3 && uri[n-2] == '`' && bytes.IndexByte(uri[1:n-2], '`') < 0
	}
	return nameAfter(uri, 0) == n-1
}

// indirectName returns the range of the name in name_ or `a name`_, which is src[from:to].
func indirectName(src []byte, from, to int) (start, end int) {
	if src[from] == '`' {
		return from + 1, to - 2
	}
	return from, to - 1
}

// substitution reads "|name| directive::". It returns false if there is none. The name, and the text
// between it and the directive, may continue on lines that are indented more than l
// (states.Body.substitution_def).
func (p *parser) substitution(l, in line) bool {
	from, margin := in.text, l.column
	for {
		end := endOfBar(p, in, in.text == from)
		if end > 0 {
			return substitute(p, l, in, from, end)
		}
		below, ok := continues(p, in, margin)
		if !ok {
			return false
		}
		in = below
	}
}

// continues returns the line after another one, if it is not blank and indented more than a margin.
func continues(p *parser, l line, margin int) (line, bool) {
	if l.next >= len(p.src) {
		return l, false
	}
	below := p.lineAt(l.next)
	return below, !below.isBlank() && below.column > margin
}

// endOfBar returns the offset after the bar that ends the name of a substitution in a line, or 0. The first
// line begins with another one.
func endOfBar(p *parser, in line, isFirst bool) int {
	c, i, least := p.content(&in), 0, 0
	if isFirst {
		i, least = 1, 2
	}
	for ; i < len(c); i++ {
		switch {
		case c[i] == '\\':
			i++
		case c[i] == '|' && i >= least && (i+1 == len(c) || ascii.IsAnySpace(c[i+1])):
			return in.text + i + 1
		}
	}
	return 0
}

// substitute reads the directive of a substitution whose name is src[from:end]; end is in line in.
func substitute(p *parser, l, in line, from, end int) bool {
	width := utf8.RuneCount(p.src[in.text:end])
	inner := p.skip(in, end-in.text)
	inner.column += width - (end - in.text)
	if inner.isBlank() {
		below, ok := continues(p, in, l.column)
		if !ok {
			return false
		}
		inner = below
	}
	d := p.content(&inner)
	n, args := directiveName(d)
	if n == 0 {
		return false
	}
	p.names.define(nameOf(p.src[from:end]))
	l.next = inner.next
	p.directive(l, string(d[:n]), p.skip(inner, args))
	return true
}

// directiveName returns the length of the name of a directive, and that of the name with "::", or 0 if there
// is none.
func directiveName(c []byte) (name, all int) {
	name = nameAfter(c, 0)
	all = name
	if all < len(c) && c[all] == ' ' {
		all++
	}
	if name == 0 || !bytes.HasPrefix(c[all:], []byte("::")) || all+2 < len(c) && !ascii.IsAnySpace(c[all+2]) {
		return 0, 0
	}
	return name, all + 2
}
