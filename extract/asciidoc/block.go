package asciidoc

import (
	"bytes"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// isWord reports whether c belongs to a letter, a digit or "_".
func isWord(c byte) bool { return ascii.IsAlnum(c) || c == '_' || c >= utf8.RuneSelf }

// A line is a line of the document, without the white space at its end.
type line struct{ start, end, next int }

func (p *parser) lineAt(at int) line {
	l := line{at, len(p.src), len(p.src)}
	if i := bytes.IndexByte(p.src[at:], '\n'); i >= 0 {
		l.end, l.next = at+i, at+i+1
	}
	for l.end > at && ascii.IsAnySpace(p.src[l.end-1]) {
		l.end--
	}
	return l
}

func (p *parser) text(l line) []byte { return p.src[l.start:l.end] }

// header reads the header of the document: the author and revision lines below its title.
func (p *parser) header() {
	for p.at < len(p.src) {
		l := p.lineAt(p.at)
		switch c := p.text(l); {
		case len(c) == 0, bytes.HasPrefix(c, []byte("//")) && !bytes.HasPrefix(c, []byte("///")):
			p.at = l.next
		case p.entry(l):
		case bytes.HasPrefix(c, []byte("= ")) || bytes.HasPrefix(c, []byte("# ")):
			p.at = l.next
			p.inline(l.start+2, l.end)
			p.authors()
			return
		default:
			if l.next < len(p.src) && isWordAt(c) {
				under := p.lineAt(l.next)
				if rule := p.text(under); isUnderline(c, rule) && rule[0] == '=' {
					p.isCompat = true // a two-line title is old syntax
					p.at = under.next
					p.inline(l.start, l.end)
					p.authors()
				}
			}
			return
		}
	}
}

// authors reads the lines after the title of the document: an author line, and a revision line.
func (p *parser) authors() {
	for n := 0; p.at < len(p.src) && n < 2; {
		l := p.lineAt(p.at)
		c := p.text(l)
		switch {
		case len(c) == 0:
			return
		case c[0] == ':':
			if !p.entry(l) {
				return
			}
			continue
		case bytes.HasPrefix(c, []byte("//")):
		case p.directive(l):
			continue
		default:
			if n == 0 {
				p.author(l)
			} else {
				p.inline(l.start, l.end) // the remark of a revision, or a line that Asciidoctor gives back to the text
			}
			n++
		}
		p.at = l.next
	}
}

// author reads "Name <address>; Name <URL>".
func (p *parser) author(l line) {
	for at := l.start; at < l.end; {
		open := bytes.IndexByte(p.src[at:l.end], '<')
		if open < 0 {
			return
		}
		from := at + open + 1
		n := bytes.IndexByte(p.src[from:l.end], '>')
		if n < 0 {
			return
		}
		p.address("author", from, from+n)
		at = from + n + 1
	}
}

// address reads what an author's address may be: an address of mail, or a URL, optionally with its text in brackets.
func (p *parser) address(in string, from, to int) {
	value := p.src[from:to]
	it := scan.Item{Kind: scan.Metadata, How: scan.Field, In: in}
	switch {
	case schemeLength(value) > 0:
		if open := bytes.IndexByte(value, '['); open > 0 && value[len(value)-1] == ']' {
			value = value[:open]
		}
	case bytes.IndexByte(value, '@') > 0 && !bytes.ContainsAny(value, " \t[{"):
		it.Meant = "mailto:"
	default:
		return
	}
	it.Span, it.Value = scan.Span{Start: from, End: from + len(value)}, value
	p.refOf(it)
}

// block reads the block at the next line: a line that stands for itself, a verbatim delimited block, or a
// paragraph. It skips the delimiters of other blocks: the text between them is read like the text around
// them.
func (p *parser) block() {
	l := p.lineAt(p.at)
	c := p.text(l)
	if len(c) == 0 {
		p.at = l.next
		return
	}
	p.isDescription, p.isTerm = p.isTerm, false
	switch {
	case p.directive(l), p.entry(l):
		return
	case bytes.HasPrefix(c, []byte("//")) && !bytes.HasPrefix(c, []byte("///")):
		p.at = l.next
		return
	case c[0] == '[' && c[len(c)-1] == ']' && p.mayBeStyled(l) && p.attributeLine(l):
		return
	}
	if p.table.separator != 0 {
		p.tableLine(l)
		return
	}
	if string(c) == "+" { // the next block belongs to the list item before it
		p.at = l.next
		return
	}
	if p.isTitle(l) || p.delimiter(l) || p.blockMacro(l) {
		return
	}
	p.paragraph(l)
}

// directive reads a line of the preprocessor: an include, or a conditional.
func (p *parser) directive(l line) bool {
	c := p.text(l)
	switch {
	case bytes.HasPrefix(c, []byte("include::")):
		open := bytes.IndexByte(c, '[')
		if open < 0 || c[len(c)-1] != ']' {
			return false
		}
		p.at = l.next
		p.include(l.start+len("include::"), l.start+open)
		return true
	case bytes.HasPrefix(c, []byte("ifdef::")), bytes.HasPrefix(c, []byte("ifndef::")), bytes.HasPrefix(c, []byte("ifeval::")):
		return p.conditional(l)
	case bytes.HasPrefix(c, []byte("endif::")) && c[len(c)-1] == ']':
		if n := len(p.conditionals); n > 0 {
			if p.conditionals[n-1] {
				p.hidden--
				if p.hidden == 0 {
					p.table = p.shownTable
				}
			}
			p.conditionals = p.conditionals[:n-1]
		}
		p.at = l.next
		return true
	}
	return false
}

func (p *parser) include(from, to int) {
	if target := p.src[from:to]; isResource(target) {
		p.mention(ResourceSpace, "include::", from, to)
		return
	}
	p.ref(scan.Embed, scan.Directive, "include::", from, to)
}

// conditional reads ifdef::a,b[], ifndef::a+b[], ifeval::[…], or one with its text in the brackets.
func (p *parser) conditional(l line) bool {
	c := p.text(l)
	colons := bytes.Index(c, []byte("::"))
	open := bytes.IndexByte(c, '[')
	if open < 0 || c[len(c)-1] != ']' {
		return false
	}
	p.at = l.next
	name, inner := c[colons+2:open], c[open+1:len(c)-1]
	hides := false
	switch string(c[:colons]) {
	case "ifdef":
		hides = !p.isDefined(name)
	case "ifndef":
		hides = p.isDefined(name)
	default:
		hides = !p.evaluate(inner)
		inner = nil
	}
	if len(inner) == 0 {
		p.conditionals = append(p.conditionals, hides)
	}
	if hides {
		if p.hidden == 0 {
			p.shownTable = p.table
		}
		p.hidden++
	}
	if len(inner) > 0 { // the text of one line
		rest := line{l.start + open + 1, l.end - 1, l.next}
		isInclude := bytes.HasPrefix(inner, []byte("include::"))
		if !isInclude && !p.entry(rest) || isInclude && !p.directive(rest) {
			p.inline(rest.start, rest.end)
		}
		if hides {
			p.hidden--
		}
	}
	return true
}

// isDefined reports whether one of "a,b", or all of "a+b", are defined.
func (p *parser) isDefined(names []byte) bool {
	if bytes.IndexByte(names, '+') >= 0 {
		for name := range bytes.SplitSeq(names, []byte("+")) {
			if _, ok := p.values[string(bytes.ToLower(name))]; !ok {
				return false
			}
		}
		return true
	}
	for name := range bytes.SplitSeq(names, []byte(",")) {
		if _, ok := p.values[string(bytes.ToLower(name))]; ok {
			return true
		}
	}
	return false
}

// evaluate compares two values for equality; it assumes that any other condition holds.
func (p *parser) evaluate(expression []byte) bool {
	left, right, equal := bytes.Cut(expression, []byte("=="))
	if !equal {
		if left, right, equal = bytes.Cut(expression, []byte("!=")); !equal {
			return true
		}
		return !bytes.Equal(p.operand(left), p.operand(right))
	}
	return bytes.Equal(p.operand(left), p.operand(right))
}

func (p *parser) operand(c []byte) []byte {
	value, _ := p.expand(bytes.TrimSpace(c))
	return bytes.Trim(value, `"'`)
}

// isTitle reads the title of a section or of a block.
func (p *parser) isTitle(l line) bool {
	c := p.text(l)
	n := 0
	for n < len(c) && n < 6 && (c[n] == '=' || c[n] == '#') && c[n] == c[0] {
		n++
	}
	switch {
	case n > 0 && n < len(c)-1 && (c[n] == ' ' || c[n] == '\t'):
		p.at = l.next
		p.section(l.start+n+1, l.end, n > 1)
		return true
	case c[0] == '.' && len(c) > 1 && c[1] != '.' && c[1] != ' ':
		p.at = l.next
		p.inline(l.start+1, l.end) // the style stays: it belongs to the block after the title
		return true
	case l.next < len(p.src) && isWordAt(c) && c[0] != '[' && !bytes.HasSuffix(c, []byte("::")):
		under := p.lineAt(l.next)
		if rule := p.text(under); isUnderline(c, rule) {
			p.at = under.next
			p.section(l.start, l.end, rule[0] != '=')
			return true
		}
	}
	return false
}

func isWordAt(c []byte) bool {
	for _, b := range c {
		if isWord(b) {
			return true
		}
	}
	return false
}

// isUnderline reports whether rule makes a two-line title: its length is that of the text, plus or minus
// one character.
func isUnderline(c, rule []byte) bool {
	if len(rule) < 2 || bytes.IndexByte([]byte("=-~^+"), rule[0]) < 0 || len(bytes.Trim(rule, string(rule[:1]))) > 0 {
		return false
	}
	n := utf8.RuneCount(c)
	return n-1 <= len(rule) && len(rule) <= n+1
}

// section reads the text of a title.
func (p *parser) section(from, to int, hasID bool) {
	for from < to && ascii.IsAnySpace(p.src[from]) {
		from++
	}
	id := p.style.id
	p.style = style{}
	_, makesIDs := p.values["sectids"]
	if hasID && !id && makesIDs && p.Anchors && !p.done && !bytes.Contains(p.src[from:to], []byte("[[")) {
		text := p.plainTitle(p.src[from:to])
		name := p.sectionID(text)
		if p.hidden == 0 { // otherwise the branch that is shown may have a section with the same title
			p.give(name)
		}
		span := scan.Span{Start: from, End: to}
		p.more = scan.More{TextSpan: span, Source: string(p.src[from:to])}
		p.item = scan.Item{Op: scan.Anchor, In: "section", Span: span, Value: []byte(name), Text: text, More: &p.more}
		p.emit()
	}
	p.inline(from, to)
}

// delimiter reads the delimiter of a block.
func (p *parser) delimiter(l line) bool {
	c := p.text(l)
	s := p.style
	if bytes.HasPrefix(c, []byte("```")) && bytes.IndexByte(c[3:], '`') < 0 {
		p.style = style{}
		p.skipTo(l, []byte("```"), s)
		return true
	}
	if len(c) == 4 && c[1] == '=' && c[2] == '=' && c[3] == '=' && bytes.IndexByte([]byte("|,:!"), c[0]) >= 0 {
		p.style = style{}
		p.table, p.at = table{separator: c[0], end: string(c), columns: s.columns}, l.next
		return true
	}
	if isDashes := string(c) == "--"; !isDashes && (len(c) < 4 || len(bytes.Trim(c, string(c[:1]))) > 0) {
		return false
	}
	switch c[0] {
	case '-', '.', '/', '+':
		if len(c) == 2 && s.isShown() {
			break // an open block
		}
		p.style = style{}
		p.skipTo(l, c, s)
		return true
	case '=', '*', '_':
		if s.kind == verbatim {
			p.style = style{}
			p.skipTo(l, c, s)
			return true
		}
	default:
		return false
	}
	p.style = style{}
	p.at = l.next
	return true
}

// skipTo skips a verbatim block, up to the line that closes it. In all blocks except comments, the
// preprocessor reads includes and conditionals. If the style says that the block is text, it is read as text.
func (p *parser) skipTo(l line, closing []byte, s style) {
	isComment := closing[0] == '/' || s.kind == comment
	from := l.next
	hidden := p.hidden
	p.at = l.next
	for p.at < len(p.src) && !p.done {
		l = p.lineAt(p.at)
		if bytes.Equal(p.text(l), closing) {
			p.verbatim(from, l.start, closing[0], s)
			p.at = l.next
			return
		}
		if !isComment && p.directive(l) {
			p.verbatim(from, l.start, closing[0], s)
			from = p.at
			if p.hidden < hidden { // the branch with the block has ended
				return
			}
			continue
		}
		p.at = l.next
	}
	p.verbatim(from, p.at, closing[0], s)
}

// verbatim reads the content of a verbatim block, as far as it can contain references.
func (p *parser) verbatim(from, to int, mark byte, s style) {
	switch {
	case from >= to || s.kind == comment || mark == '/':
	case mark == '+' && s.kind == shown:
		p.part(from, to)
	case s.hasMacros:
		p.inline(from, to)
	}
}

// blockMacro reads image::target[…] and the like on a line of its own.
func (p *parser) blockMacro(l line) bool {
	c := p.text(l)
	n := max(bytes.IndexByte(c, ':'), 0)
	switch string(c[:n]) {
	case "image", "video", "audio", "toc":
	default: // without an extension, other names are text
		return false
	}
	open := bytes.IndexByte(c, '[')
	if !bytes.HasPrefix(c[n:], []byte("::")) || open <= n+2 || c[len(c)-1] != ']' || ascii.IsAnySpace(c[n+2]) || ascii.IsAnySpace(c[open-1]) {
		return false
	}
	p.at = l.next
	link := p.style.link
	p.style = style{}
	if c[0] == 'i' {
		p.ref(scan.Link, scan.Macro, "image:/link", link.Start, link.End)
	}
	p.media(string(c[:n]), l.start+n+2, l.start+open, l.end-1)
	return true
}

// paragraph reads the lines before the next blank line or preprocessor line.
func (p *parser) paragraph(l line) {
	s := p.style
	p.style = style{}
	from := l.start
	first := p.afterMarkers(l)
	isHidden := s.kind == verbatim || s.kind == comment || s.kind == raw || first == l.start && ascii.IsAnySpace(p.src[l.start]) && s.kind == shown && !p.isDescription
	end := l.end
	p.at = l.next
	for p.at < len(p.src) {
		next := p.lineAt(p.at)
		c := p.text(next)
		if len(c) == 0 || p.endsParagraph(c) {
			break
		}
		end, p.at = next.end, next.next
		if !isHidden && p.startsItem(next) {
			p.at = next.start
			end = p.endBefore(next.start)
			break
		}
	}
	if isHidden {
		if s.kind == raw {
			p.part(from, end)
		} else if s.hasMacros {
			p.inline(from, end)
		}
		return
	}
	if s.kind == unread {
		return
	}
	p.textOf(first, end)
}

// endBefore returns the end of the line before the one that begins at an offset.
func (p *parser) endBefore(at int) int {
	for at > 0 && ascii.IsAnySpace(p.src[at-1]) {
		at--
	}
	return at
}

// textOf reads the text of a paragraph. The term of a description list ends at "::" or ";;".
func (p *parser) textOf(from, end int) {
	lineEnd := end
	if i := bytes.IndexByte(p.src[from:end], '\n'); i >= 0 {
		lineEnd = from + i
	}
	for i := from; i < lineEnd; {
		n := bytes.Index(p.src[i:lineEnd], []byte("::"))
		if n < 0 {
			break
		}
		i += n
		after := i + 2
		for after < lineEnd && p.src[after] == ':' {
			after++
		}
		if after == lineEnd || ascii.IsAnySpace(p.src[after]) {
			p.inline(from, i)
			p.inline(after, end)
			p.isTerm = after == end
			return
		}
		i = after
	}
	p.inline(from, end)
}

// endsParagraph reports whether a line ends the paragraph before it: a delimiter, a list of attributes,
// a preprocessor line, a comment, or a "+" that continues an item.
func (p *parser) endsParagraph(c []byte) bool {
	switch c[0] {
	case '+':
		return len(c) == 1 || isDelimiter(c)
	case '[':
		return c[len(c)-1] == ']' && (isStyleLine(c) || bytes.HasPrefix(c, []byte("[[")))
	case '-', '.', '*', '=', '_', '/':
		return isDelimiter(c) || bytes.HasPrefix(c, []byte("//")) && !bytes.HasPrefix(c, []byte("///"))
	case '`':
		return bytes.HasPrefix(c, []byte("```"))
	case 'i', 'e':
		return bytes.HasPrefix(c, []byte("include::")) || bytes.HasPrefix(c, []byte("ifdef::")) || bytes.HasPrefix(c, []byte("ifndef::")) ||
			bytes.HasPrefix(c, []byte("ifeval::")) || bytes.HasPrefix(c, []byte("endif::"))
	case '|', ',', ':', '!':
		return len(c) == 4 && string(c[1:]) == "==="
	}
	return false
}

func isDelimiter(c []byte) bool {
	return string(c) == "--" || len(c) >= 4 && len(bytes.Trim(c, string(c[:1]))) == 0
}

// startsItem reports whether a line begins an item of a list.
func (p *parser) startsItem(l line) bool { return p.afterMarkers(l) > l.start }

// afterMarkers returns where the text of a list item begins, after "*", "-", ".", "1.", "a." or "<1>". For other
// lines it returns where l begins.
func (p *parser) afterMarkers(l line) int {
	i := l.start
	for i < l.end && (p.src[i] == ' ' || p.src[i] == '\t') {
		i++
	}
	start := i
	c := p.src[i:l.end]
	switch {
	case len(c) == 0:
		return l.start
	case c[0] == '*' || c[0] == '.' || c[0] == '-':
		for i < l.end && p.src[i] == c[0] && i-start < 5 {
			i++
		}
		if c[0] == '-' && i-start > 1 {
			return l.start
		}
	case c[0] == '<':
		n := bytes.IndexByte(c, '>')
		if n < 2 || n > 5 {
			return l.start
		}
		i += n + 1
	default:
		for i < l.end && ascii.IsDigit(p.src[i]) {
			i++
		}
		if i == start && ascii.IsAlnum(c[0]) {
			i++
		}
		if i == start || i == l.end || p.src[i] != '.' && p.src[i] != ')' {
			return l.start
		}
		i++
	}
	if i >= l.end || p.src[i] != ' ' && p.src[i] != '\t' {
		return l.start
	}
	for i < l.end && (p.src[i] == ' ' || p.src[i] == '\t') {
		i++
	}
	return i
}
