package asciidoc

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// A table is the table that is being read. The zero table is none.
type table struct {
	separator byte   // between the cells
	end       string // the line that ends the table
	columns   []byte // the styles of the columns; nil if the table does not give them
	column    int    // of the next cell
	hasSpans  bool   // a cell reaches over several rows: the columns of later cells are unknown
	style     byte   // of the current cell
	block     string // the delimiter of the verbatim block that is open in the cell
}

// maxColumns limits the number of columns whose styles are known.
const maxColumns = 256

// columnStyles reads the value of cols, such as "1,2a,3*m", and returns the style of each column, 0 for the default.
func columnStyles(value []byte) (styles []byte) {
	for spec := range bytes.FieldsFuncSeq(value, func(c rune) bool { return c == ',' || c == ';' }) {
		spec = bytes.TrimSpace(spec)
		times := 1
		var style byte
		if i := bytes.IndexByte(spec, '*'); i >= 0 {
			times = number(spec[:i])
		}
		if n := len(spec); n > 0 && spec[n-1] >= 'a' && spec[n-1] <= 'z' {
			style = spec[n-1]
		}
		for ; times > 0 && len(styles) < maxColumns; times-- {
			styles = append(styles, style)
		}
	}
	return styles
}

// number returns the value of the digits in c, at most maxColumns.
func number(c []byte) (n int) {
	for _, d := range c {
		if d < '0' || d > '9' {
			break
		}
		n = min(10*n+int(d-'0'), maxColumns)
	}
	return n
}

// begin begins the cell after specifier, such as "2+^.^s".
func (t *table) begin(specifier []byte) {
	columns, rest := 1, specifier
	for i, c := range specifier {
		if c != '+' && c != '*' {
			continue
		}
		columns = max(number(specifier[:i]), 1)
		t.hasSpans = t.hasSpans || bytes.IndexByte(specifier[:i], '.') >= 0
		rest = specifier[i+1:]
		break
	}
	t.block, t.style = "", t.columnStyle()
	if n := len(rest); n > 0 && rest[n-1] >= 'a' && rest[n-1] <= 'z' {
		t.style = rest[n-1]
	}
	if len(t.columns) > 0 {
		t.column = (t.column + columns) % len(t.columns)
	}
}

// columnStyle returns the style of the next cell's column.
func (t *table) columnStyle() byte {
	switch {
	case len(t.columns) == 0:
		return 0
	case t.hasSpans && bytes.IndexByte(t.columns, 'a') >= 0:
		return 'a'
	case t.hasSpans:
		return 0
	}
	return t.columns[t.column]
}

// mayBeStyled reports whether a block may follow the line l: in a table, only in a cell that is a document.
func (p *parser) mayBeStyled(l line) bool {
	if p.table.separator == 0 {
		return true
	}
	if p.table.style != 'a' || l.next == len(p.src) {
		return false
	}
	return p.src[l.next] != p.table.separator // where the next cell begins
}

// tableLine reads a line of a table: its cells, each of which may continue on the next lines.
func (p *parser) tableLine(l line) {
	c := p.text(l)
	t := &p.table
	p.at = l.next
	if string(c) == t.end {
		p.table = table{}
		return
	}
	s := p.style
	p.style = style{} // the style of a block in the cell
	if t.separator == ',' || t.separator == ':' {
		p.csvLine(l)
		return
	}
	if p.isVerbatimInCell(c, s) {
		return
	}
	if i := p.afterMarkers(l); i > l.start {
		l.start = i
	}
	from := l.start
	for i := l.start; i <= l.end; i++ {
		if i < l.end && (p.src[i] != t.separator || i > 0 && p.src[i-1] == '\\') {
			continue
		}
		end := i
		if i < l.end {
			end = p.cellEnd(from, i)
		}
		if t.style != 'l' {
			p.cell(from, end)
		}
		if i < l.end {
			t.begin(p.src[end:i])
		}
		from = i + 1
	}
}

// isVerbatimInCell reports whether a line belongs to a verbatim block in a cell that is a document, or
// delimits it. The cell ends where the next one begins, whatever is open.
func (p *parser) isVerbatimInCell(c []byte, s style) bool {
	t := &p.table
	isClosing := t.block != "" && string(c) == t.block
	isOpening := t.block == "" && t.style == 'a' && isDelimiter(c) && len(c) > 2 && bytes.IndexByte([]byte("-.+/"), c[0]) >= 0
	switch {
	case isClosing:
		t.block = ""
	case isOpening && !s.hasMacros:
		t.block = string(c)
	case t.block == "":
		return false
	default:
		return c[0] != t.separator
	}
	return true
}

// cell reads a cell: a block macro, an item of a list or text.
func (p *parser) cell(from, end int) {
	for from < end && ascii.IsAnySpace(p.src[from]) {
		from++
	}
	for end > from && ascii.IsAnySpace(p.src[end-1]) {
		end--
	}
	if from == end {
		return
	}
	l := line{from, end, p.at}
	c := p.text(l)
	if p.blockMacro(l) || c[0] == '[' && p.mayBeStyled(l) && p.attributeLine(l) {
		return
	}
	p.inline(p.afterMarkers(l), end)
}

// cellEnd returns where the text of a cell ends if another cell follows, whose specifier may stand before
// its "|": "2+^.^s|".
func (p *parser) cellEnd(from, i int) (end int) {
	end = i
	for end > from && bytes.IndexByte([]byte("0123456789.+*<>^adehlmsv"), p.src[end-1]) >= 0 {
		end--
	}
	if end > from && !ascii.IsAnySpace(p.src[end-1]) {
		return i
	}
	return end
}

func (p *parser) csvLine(l line) {
	from := l.start
	for i := l.start; i <= l.end; i++ {
		if i == l.end || p.src[i] == p.table.separator || p.src[i] == '"' {
			p.inline(from, i)
			from = i + 1
		}
	}
}
