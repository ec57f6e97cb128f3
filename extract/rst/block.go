package rst

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A parser reads a document, or the text of a table cell.
type parser struct {
	*Scanner
	src       []byte
	at        int     // where the next line begins
	margins   []int32 // columns of the open blocks, the outermost first
	glossary  int     // length of margins in the content of a glossary; 0 is none
	depth     int     // the nesting depth of tables
	pieces    []piece // the pieces of src, if it is the text of a cell
	foreign   int     // the column of the innermost unknown directive whose content is read, and one more; 0 is none
	classes   []openClass
	failed    failures
	noDefault bool // a directive says what text between backquotes without a role is
	noSimple  bool // no simple table ends in the rest
	searched  int  // bytes searched in vain for the ends of simple tables

	// The last line read, and the last result of nextText: n markers on one line all ask for the
	// same line.
	last     line
	lastText struct {
		at   int
		line line
		ok   bool
	}
}

// A piece is a line of a cell: its offsets in parser.src and in the document, and its length.
type piece struct{ at, source, n int }

// source returns the range in the document of a range of p.src, and its parts if it consists of several pieces.
func (p *parser) source(from, to int) (whole scan.Span, parts []scan.Span) {
	if p.pieces == nil {
		return scan.Span{Start: from, End: to}, nil
	}
	i := sort.Search(len(p.pieces), func(i int) bool { return p.pieces[i].at > from }) - 1
	for i = max(i, 0); i < len(p.pieces) && p.pieces[i].at < to; i++ {
		k := &p.pieces[i]
		a, b := max(from, k.at), min(to, k.at+k.n)
		if a < b || a == from && b == to {
			parts = append(parts, scan.Span{Start: a - k.at + k.source, End: b - k.at + k.source})
		}
	}
	if len(parts) == 0 {
		return scan.Span{}, nil
	}
	return parts[0], parts
}

// A line is a line of a document, or the rest of a line after a marker.
type line struct {
	start, end int // in parser.src, without the end of the line
	next       int // where the next line begins
	text       int // the offset of its first character that is not white space; end for a blank line
	column     int // of text, with tabs to multiples of 8
}

func (l *line) isBlank() bool { return l.text == l.end }

func (p *parser) content(l *line) []byte { return p.src[l.text:l.end] }

const tabWidth = 8

// lineAt returns the line that begins at an offset.
func (p *parser) lineAt(at int) line {
	if p.last.start == at && p.last.next > at {
		return p.last
	}
	l := line{start: at, end: len(p.src), next: len(p.src)}
	if i := bytes.IndexByte(p.src[at:], '\n'); i >= 0 {
		l.end, l.next = at+i, at+i+1
	}
	for l.end > at && ascii.IsAnySpace(p.src[l.end-1]) {
		l.end--
	}
	l.text = at
	l.skipSpace(p.src)
	p.last = l
	return l
}

// skipSpace moves the text of l past white space.
func (l *line) skipSpace(src []byte) {
	for l.text < l.end && ascii.IsAnySpace(src[l.text]) {
		if src[l.text] == '\t' {
			l.column += tabWidth - l.column%tabWidth
		} else {
			l.column++
		}
		l.text++
	}
}

// skip moves the text of l past the next n bytes, which are an ASCII marker, and the white space
// after it.
func (p *parser) skip(l line, n int) line {
	l.text += n
	l.column += n
	l.skipSpace(p.src)
	return l
}

// nextText returns the first nonblank line at or after an offset; ok is false if there is none.
func (p *parser) nextText(at int) (l line, ok bool) {
	last := &p.lastText
	if last.at == at && last.line.next > at {
		return last.line, last.ok
	}
	from := at
	for at < len(p.src) && !ok {
		l = p.lineAt(at)
		at, ok = l.next, !l.isBlank()
	}
	last.at, last.line, last.ok = from, l, ok
	return l, ok
}

// margin returns the column of the innermost open block.
func (p *parser) margin() int {
	if len(p.margins) == 0 {
		return 0
	}
	return int(p.margins[len(p.margins)-1])
}

// blocks reads all lines.
func (p *parser) blocks() {
	for p.at < len(p.src) {
		l := p.lineAt(p.at)
		if l.isBlank() {
			p.at = l.next
			continue
		}
		for len(p.margins) > 0 && l.column < p.margin() {
			p.margins = p.margins[:len(p.margins)-1]
		}
		if p.glossary > len(p.margins) {
			p.glossary = 0
		}
		if l.column > p.margin() {
			p.margins = append(p.margins, int32(l.column))
		}
		if p.foreign > l.column {
			p.foreign = 0
		}
		if len(p.classes) > 0 {
			p.leaveClasses(l)
		}
		p.block(l)
	}
}

// block reads the block that begins at l, or at least its first line. After the marker of an item,
// another block follows on the same line.
func (p *parser) block(l line) {
	for {
		n, isField := p.marker(&l)
		if n == 0 {
			break
		}
		p.names.pending = p.names.pending[:0]
		if isField && p.src[l.text] == ':' {
			p.inline(l.text+1, l.text+n-1)
		}
		inner := p.skip(l, n)
		if inner.isBlank() {
			p.at = l.next
			return
		}
		if isField { // its body has the indentation of its second line
			inner.column = p.bodyColumn(&l, inner.column)
		}
		p.margins = append(p.margins, int32(inner.column))
		l = inner
	}
	c := p.content(&l)
	switch {
	case len(c) >= 2 && c[0] == '.' && c[1] == '.' && (len(c) == 2 || ascii.IsAnySpace(c[2])):
		p.explicit(l)
		return
	case len(c) >= 2 && c[0] == '_' && c[1] == '_' && (len(c) == 2 || ascii.IsAnySpace(c[2])):
		p.target(l, l.text+2, true)
		return
	}
	p.names.pending = p.names.pending[:0]
	switch {
	case bytes.HasPrefix(c, []byte(">>>")) && (len(c) == 3 || ascii.IsAnySpace(c[3])):
		p.at = p.endOfRun(l)
	case c[0] == '|' && (len(c) == 1 || ascii.IsAnySpace(c[1])):
		p.lineBlock(l)
	case c[0] == '+' && isGridBorder(c) && p.grid(l):
	case c[0] == '=' && isSimpleBorder(c) && bytes.IndexByte(c, ' ') > 0 && p.simpleTable(l):
	case isRule(c) && p.overlined(l):
	default:
		p.paragraph(l)
	}
}

// bodyColumn returns the indentation of a body whose first line begins after a marker: that of the next
// line, if it is indented, and otherwise the column of the first line.
func (p *parser) bodyColumn(l *line, first int) int {
	if next, ok := p.nextText(l.next); ok && next.column > p.margin() {
		return next.column
	}
	return max(first, p.margin()+1)
}

// endOfRun returns the end of the lines before the next blank line.
func (p *parser) endOfRun(l line) int {
	for l.next < len(p.src) {
		next := p.lineAt(l.next)
		if next.isBlank() {
			break
		}
		l = next
	}
	return l.next
}

// endOfBlock returns the end of the lines that are blank or indented by more than column.
func (p *parser) endOfBlock(at, column int) int {
	for at < len(p.src) {
		l := p.lineAt(at)
		if !l.isBlank() && l.column <= column {
			break
		}
		at = l.next
	}
	return at
}

// marker returns the length of the marker of a list item or a footnote at the start of l, or 0 if there is
// none. isField reports that the marker is one of a field, an option or a footnote, whose body may have a
// different indentation.
func (p *parser) marker(l *line) (n int, isField bool) {
	c := p.content(l)
	switch {
	case isBullet(c):
		_, n = utf8.DecodeRune(c)
		return n, false
	case c[0] == ':':
		n = fieldMarker(c)
		return n, true
	case c[0] == '-' || c[0] == '/':
		if n = optionMarker(c); n == len(c) && l.next < len(p.src) { // without a description it is text
			if next := p.lineAt(l.next); !next.isBlank() && next.column <= l.column {
				return 0, false
			}
		}
		return n, true
	case bytes.HasPrefix(c, []byte(".. ")):
		in := p.skip(*l, 2)
		if in.isBlank() || p.src[in.text] != '[' {
			return 0, false
		}
		if n = p.footnote(in); n > 0 {
			n += in.text - l.text
		}
		return n, true
	}
	if n = enumerator(c); n == 0 {
		return 0, false
	}
	// The line after the first one of an item is blank, indented, or the next item.
	if l.next < len(p.src) {
		next := p.lineAt(l.next)
		if !next.isBlank() && next.column <= l.column && enumerator(p.content(&next)) == 0 {
			return 0, false
		}
	}
	return n, false
}

func isBullet(c []byte) bool {
	r, n := utf8.DecodeRune(c)
	switch r {
	case '-', '+', '*', '•', '‣', '⁃':
		return n == len(c) || ascii.IsAnySpace(c[n])
	}
	return false
}

// enumerator returns the length of "1.", "(a)", "iv)", "#." and the like.
func enumerator(c []byte) int {
	i := 0
	if c[0] == '(' {
		i++
	}
	start := i
	for i < len(c) && (ascii.IsAlnum(c[i]) || c[i] == '#' && i == start) {
		i++
	}
	if i == start || i+1 > len(c) || !isOrdinal(c[start:i]) {
		return 0
	}
	if i == len(c) || c[i] != ')' && (c[i] != '.' || start > 0) || i+1 < len(c) && !ascii.IsAnySpace(c[i+1]) {
		return 0
	}
	return i + 1
}

// isOrdinal reports whether c is a number, a letter, a Roman number or "#".
func isOrdinal(c []byte) bool {
	if len(c) == 1 {
		return true
	}
	isNumber := len(bytes.Trim(c, "0123456789")) == 0
	isRoman := len(bytes.Trim(c, "ivxlcdm")) == 0 || len(bytes.Trim(c, "IVXLCDM")) == 0
	return isNumber || isRoman
}

// fieldMarker returns the length of ":name:".
func fieldMarker(c []byte) int {
	if len(c) < 3 || c[0] != ':' || c[1] == ':' || ascii.IsAnySpace(c[1]) {
		return 0
	}
	for i := 1; i < len(c); i++ {
		switch {
		case c[i] == '\\':
			i++
		case c[i] == ':' && !ascii.IsAnySpace(c[i-1]) && (i+1 == len(c) || ascii.IsAnySpace(c[i+1])):
			return i + 1
		case c[i] == ':' && i+1 < len(c) && c[i+1] == '`': // a role at the start of text
			return 0
		}
	}
	return 0
}

// optionMarker returns the length of "-a", "--file=NAME, -f NAME" and the like, if two spaces or
// the end of the line follow.
func optionMarker(c []byte) int {
	i := 0
	for {
		n := option(c[i:])
		if n == 0 {
			return 0
		}
		i += n
		switch {
		case i == len(c), bytes.HasPrefix(c[i:], []byte("  ")):
			return i
		case bytes.HasPrefix(c[i:], []byte(", ")):
			i += 2
		default:
			return 0
		}
	}
}

// option returns the length of one option, with its argument.
func option(c []byte) int {
	i := 0
	for i < len(c) && i < 2 && c[i] == '-' {
		i++
	}
	if i == 0 && len(c) > 0 && c[0] == '/' {
		i = 1
	}
	start := i
	for i < len(c) && (ascii.IsAlnum(c[i]) || i > start && (c[i] == '-' || c[i] == '_')) {
		i++
	}
	if start == 0 || i == start || start == 1 && c[0] == '-' && i > 2 && c[2] >= 'a' {
		return 0 // -ab is not an option
	}
	rest := c[i:]
	if len(rest) < 2 || rest[0] != ' ' && rest[0] != '=' || !ascii.IsAlnum(rest[1]) && rest[1] != '<' {
		return i
	}
	i += 2
	if rest[1] == '<' {
		end := bytes.IndexByte(rest, '>')
		if end < 0 {
			return 0
		}
		return i - 1 + end
	}
	for i < len(c) && (ascii.IsAlnum(c[i]) || c[i] == '_' || c[i] == '-') {
		i++
	}
	return i
}

// isRule reports whether c is one punctuation character, repeated.
func isRule(c []byte) bool {
	if c[0] >= utf8.RuneSelf || ascii.IsAlnum(c[0]) || c[0] <= ' ' {
		return false
	}
	for _, other := range c[1:] {
		if other != c[0] {
			return false
		}
	}
	return true
}

// minRule is the length from which a line below a title counts although it is shorter than the title.
const minRule = 4

// overlined reads a title with a line above and below it, or a transition. It returns
// false for text.
func (p *parser) overlined(l line) bool {
	c := p.content(&l)
	if l.next < len(p.src) && len(p.margins) == 0 && p.depth == 0 {
		title := p.lineAt(l.next)
		if !title.isBlank() && title.next < len(p.src) {
			under := p.lineAt(title.next)
			if !under.isBlank() && under.column == l.column && bytes.Equal(p.content(&under), c) {
				p.title(title)
				p.at = under.next
				return true
			}
		}
		if !title.isBlank() && len(c) < minRule {
			return false
		}
	}
	if len(c) < minRule {
		return false
	}
	p.at = l.next
	return true
}

// isUnderline reports whether under makes a title of l.
func (p *parser) isUnderline(l, under *line) bool {
	if len(p.margins) > 0 || p.depth > 0 || under.isBlank() || under.column != l.column {
		return false
	}
	c := p.content(under)
	return isRule(c) && (len(c) >= minRule || len(c) >= width(p.content(l)))
}

// width returns the number of columns that text takes.
func width(text []byte) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case isWide(r):
			n += 2
		case !isCombining(r):
			n++
		}
	}
	return n
}

// title reads the text of a title.
func (p *parser) title(l line) {
	p.names.define(nameOf([]byte(plainText(p.content(&l)))))
	if p.Anchors {
		p.add(form{op: scan.Anchor, in: "title", value: asTitle, named: p.Mentions}, l.text, l.end, -1)
	}
	p.inline(l.text, l.end)
}

// paragraph reads the text that begins at l: a paragraph, a title, or a term of a definition list.
func (p *parser) paragraph(l line) {
	if l.next < len(p.src) {
		if next := p.lineAt(l.next); p.isUnderline(&l, &next) {
			p.title(l)
			p.at = next.next
			return
		}
	}
	if p.glossary > 0 && p.glossary == len(p.margins) {
		p.term(l)
		return
	}
	end, next := p.endOfText(l)
	p.inline(l.text, end)
	p.at = next
	p.literal(l.column, end)
}

// endOfText returns the end of the text of a paragraph, and where the next line begins. All lines
// of a paragraph have the same indentation.
func (p *parser) endOfText(l line) (end, next int) {
	for l.next < len(p.src) {
		below := p.lineAt(l.next)
		if below.isBlank() || below.column != l.column {
			break
		}
		below.column = l.column
		l = below
	}
	return l.end, l.next
}

// term reads a term of a glossary.
func (p *parser) term(l line) {
	p.at = l.next
	if p.Mentions {
		end := l.end
		if i := bytes.Index(p.content(&l), []byte(" : ")); i >= 0 {
			end = l.text + i
		}
		p.add(form{op: scan.Anchor, in: "glossary", space: TermSpace, value: asName}, l.text, end, -1)
	}
	p.inline(l.text, l.end)
}

// literal skips the literal block after a text that ends in "::".
func (p *parser) literal(column, end int) {
	if end < 2 || p.src[end-1] != ':' || p.src[end-2] != ':' || end > 2 && p.src[end-3] == '\\' {
		return
	}
	l, ok := p.nextText(p.at)
	switch {
	case !ok:
	case l.column > column:
		p.at = p.endOfBlock(l.start, column)
	case l.column == column && l.start > p.at && !ascii.IsAlnum(p.src[l.text]) && p.src[l.text] < utf8.RuneSelf:
		quote := p.src[l.text] // a quoted literal block: each line begins with the same character
		for !l.isBlank() && p.src[l.text] == quote && l.column == column {
			p.at = l.next
			if l.next == len(p.src) {
				return
			}
			l = p.lineAt(l.next)
		}
	}
}

// lineBlock reads lines that begin with "|", each with the lines that continue it.
func (p *parser) lineBlock(l line) {
	text, column := p.skip(l, 1), l.column
	end := l.end
	for l.next < len(p.src) {
		next := p.lineAt(l.next)
		if next.isBlank() || next.column <= column {
			break
		}
		l, end = next, next.end
	}
	p.inline(text.text, end)
	p.at = l.next
}
