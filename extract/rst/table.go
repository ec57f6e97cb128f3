package rst

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// maxTables limits how deeply tables may nest in cells of tables.
const maxTables = 4

// A cell is a rectangle of a table, between two columns: that of its first character, and the one after its
// last.
type cell struct {
	left, right int
	lines       []cellLine
}

const (
	maxWidth = 1 << 14 // characters of a line of a table
	maxHeld  = 1 << 14 // lines of cells held in memory: longer cells are read in pieces
)

// A cellLine is a range of the source.
type cellLine struct {
	from, to int
	column   int // the column in the cell of the first character that is not white space
}

// isGridBorder reports whether c is the upper border of a grid table: "+---+---+".
func isGridBorder(c []byte) bool {
	return len(c) > 3 && c[1] == '-' && c[len(c)-1] == '+' && len(bytes.Trim(c, "+-")) == 0
}

// isSimpleBorder reports whether c is a border of a simple table: "===  ===".
func isSimpleBorder(c []byte) bool { return len(bytes.Trim(c, "= ")) == 0 }

// columns calls f with each character of a line of a table, and the column in which it stands.
func (p *parser) columns(l *line, first int, f func(column, at, size int)) {
	column := l.column - first
	for i := l.text; i < l.end; {
		r, n := utf8.DecodeRune(p.src[i:l.end])
		f(column, i, n)
		i += n
		switch {
		case r == '\t':
			column += tabWidth - (column+first)%tabWidth
		case isWide(r):
			column += 2
		case !isCombining(r):
			column++
		}
	}
}

// isWide reports whether a character takes two columns (UAX 11: W and F), for the usual ranges.
func isWide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115F || r >= 0x2E80 && r <= 0x303E || r >= 0x3041 && r <= 0xA4CF || r >= 0xAC00 && r <= 0xD7A3 ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0xFE30 && r <= 0xFE6F || r >= 0xFF00 && r <= 0xFF60 || r >= 0xFFE0 && r <= 0xFFE6 ||
		r >= 0x1F300 && r <= 0x1F64F || r >= 0x1F900 && r <= 0x1F9FF || r >= 0x20000 && r <= 0x3FFFD)
}

func isCombining(r rune) bool { return r >= 0x300 && r <= 0x36F || r >= 0x200B && r <= 0x200F }

// grid reads a grid table. It returns false if l does not begin one.
func (p *parser) grid(l line) bool {
	if l.end-l.text > maxWidth {
		return false
	}
	g := gridTable{parser: p, first: l.column}
	first := p.found.n
	above := l
	g.open(&above, p.following(l))
	n := 0
	for above.next < len(p.src) {
		next := p.lineAt(above.next)
		if next.isBlank() || next.column != l.column || p.src[next.text] != '+' && p.src[next.text] != '|' || next.end-next.text < l.end-l.text {
			break // a line that is shorter than the border is malformed; each line is read cell by cell
		}
		above = next
		g.line(&above, p.following(above))
		n++
	}
	if n < 2 {
		return false
	}
	for _, c := range g.cells {
		p.cell(c)
	}
	p.found.sort(first)
	p.at = above.next
	return true
}

// following returns the line after l, or a blank one at the end.
func (p *parser) following(l line) line {
	if l.next < len(p.src) {
		return p.lineAt(l.next)
	}
	return line{}
}

// A gridTable is a grid table that is read line by line.
type gridTable struct {
	*parser
	first int // column of the table
	cells []*cell
	chars []char // of a line
	below []char // of the next line
	held  int    // number of lines of cells held
}

// A char is a character of a line of a table.
type char struct {
	at   int // in parser.src; -1 if the line has no character in this column
	size int
	c    byte // 0 if it is not ASCII
}

// read returns the characters of a line by their columns.
func (g *gridTable) read(dst []char, l *line) []char {
	dst = dst[:0]
	if l.next == 0 {
		return dst
	}
	g.columns(l, g.first, func(column, at, size int) {
		for len(dst) < min(column, maxWidth) {
			dst = append(dst, char{at: -1, c: ' '})
		}
		c := char{at, size, g.src[at]}
		if size > 1 {
			c.c = 0
		}
		if column == len(dst) && column < maxWidth {
			dst = append(dst, c)
		}
	})
	return dst
}

// open begins the cells below a border, which is a whole line.
func (g *gridTable) open(l *line, below line) {
	g.chars, g.below = g.read(g.chars, l), g.read(g.below, &below)
	g.openBetween(0, len(g.chars))
}

// openBetween begins the cells below a piece of a border.
func (g *gridTable) openBetween(from, to int) {
	left := -1
	for i := from; i < to && i < len(g.chars); i++ {
		if g.chars[i].c != '+' || i >= len(g.below) || g.below[i].c != '|' && g.below[i].c != '+' {
			continue
		}
		if left >= 0 && i > left+1 {
			g.cells = append(g.cells, &cell{left: left + 1, right: i})
		}
		left = i
	}
}

// line reads a line: for each open cell, either text or the border below the cell.
func (g *gridTable) line(l *line, below line) {
	g.chars, g.below = g.read(g.chars, l), g.read(g.below, &below)
	open := g.cells[:0:0]
	from, to := -1, -1 // the current piece of a border
	var begun [][2]int
	for _, c := range g.cells {
		if !g.isBorder(c) {
			g.take(c)
			open = append(open, c)
			continue
		}
		g.cell(c)
		if c.left-1 > to && to >= 0 {
			begun = append(begun, [2]int{from, to + 1})
			from = -1
		}
		if from < 0 {
			from = c.left - 1
		}
		to = c.right
	}
	if from >= 0 {
		begun = append(begun, [2]int{from, to + 1})
	}
	g.cells = open
	g.flush(g.cells)
	for _, b := range begun {
		g.openBetween(b[0], b[1])
	}
	slices.SortFunc(g.cells, func(a, b *cell) int { return cmp.Compare(a.left, b.left) })
}

// flush reads the collected text of cells, if there is much of it.
func (g *gridTable) flush(cells []*cell) {
	if g.held < maxHeld {
		return
	}
	g.held = 0
	for _, c := range cells {
		g.cell(c)
		c.lines = c.lines[:0]
	}
}

// isBorder reports whether the current line has a border in a cell.
func (g *gridTable) isBorder(c *cell) bool {
	if c.right > len(g.chars) || g.chars[c.left].c != '-' && g.chars[c.left].c != '=' && g.chars[c.left].c != '+' {
		return false
	}
	for _, k := range g.chars[c.left:c.right] {
		if k.c != '-' && k.c != '=' && k.c != '+' {
			return false
		}
	}
	return true
}

// take adds the text of the current line in a cell to the cell.
func (g *gridTable) take(c *cell) {
	right := min(c.right, len(g.chars))
	from, to, column := -1, -1, 0
	for i := c.left; i < right; i++ {
		if k := g.chars[i]; k.at >= 0 && (k.c == 0 || !ascii.IsAnySpace(k.c)) {
			if from < 0 {
				from, column = k.at, i-c.left
			}
			to = k.at + k.size
		}
	}
	n := len(c.lines)
	if from < 0 && (n == 0 || c.lines[n-1] == cellLine{}) {
		return
	}
	if from < 0 {
		from, to = 0, 0
	}
	c.lines = append(c.lines, cellLine{from, to, column})
	g.held++
}

// cell reads the content of a cell.
func (p *parser) cell(c *cell) {
	text, pieces := p.join(c.lines)
	switch {
	case len(pieces) == 0:
	case p.depth >= maxTables:
		p.names.isOpen = true // uses in it are not seen, so no definition can be called unused
	case len(pieces) == 1 && isPlainCell(text):
		p.inline(pieces[0].source, pieces[0].source+pieces[0].n)
	default:
		inner := parser{Scanner: p.Scanner, src: text, pieces: p.through(pieces), depth: p.depth + 1}
		inner.blocks()
	}
}

// isPlainCell reports whether the only line of a cell is plain text, which need not be copied.
func isPlainCell(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && (text[0] == '`' || text[0] >= utf8.RuneSelf || classes[text[0]]&isMailChar != 0 && text[0] != '|' && text[0] != '-' &&
		text[0] != '+' && text[0] != '=' && text[0] != '*' && text[0] != '/' && enumerator(text) == 0)
}

// join joins the lines of a cell, without their common indentation.
func (p *parser) join(lines []cellLine) (text []byte, pieces []piece) {
	indent := 1 << 30
	for _, l := range lines {
		if l.from < l.to {
			indent = min(indent, l.column)
		}
	}
	for _, l := range lines {
		if l.from < l.to {
			for range l.column - indent {
				text = append(text, ' ')
			}
			pieces = append(pieces, piece{len(text), l.from, l.to - l.from})
			text = append(text, p.src[l.from:l.to]...)
		}
		text = append(text, '\n')
	}
	return text, pieces
}

// through maps pieces of p.src to pieces of the document.
func (p *parser) through(pieces []piece) []piece {
	if p.pieces == nil {
		return pieces
	}
	var all []piece
	for _, k := range pieces {
		_, parts := p.source(k.source, k.source+k.n)
		at := k.at
		for _, s := range parts {
			all = append(all, piece{at, s.Start, s.End - s.Start})
			at += s.End - s.Start
		}
	}
	return all
}

// simpleTable reads a simple table. It returns false if l does not begin one.
func (p *parser) simpleTable(l line) bool {
	end, ok := p.endOfSimple(l)
	if !ok {
		return false
	}
	var cells []*cell
	last := 0
	start := -1
	p.columns(&l, l.column, func(column, at, _ int) {
		switch {
		case p.src[at] == '=' && start < 0:
			start = column
		case p.src[at] != '=' && start >= 0:
			cells = append(cells, &cell{left: start, right: column})
			start = -1
		}
		last = column + 1
	})
	if start >= 0 {
		cells = append(cells, &cell{left: start, right: last})
	}
	p.simpleRows(l, end, cells)
	return true
}

// endOfSimple returns the end of a simple table: after a border before a blank line, or after the third border.
func (p *parser) endOfSimple(l line) (end int, ok bool) {
	if p.noSimple || l.end-l.text > maxWidth {
		return 0, false
	}
	for at, borders := l.next, 1; at < len(p.src); {
		next := p.lineAt(at)
		at = next.next
		if p.searched += at - next.start; p.searched > 4*len(p.src) {
			break // stop: text that is not a table has been searched for an end too often
		}
		switch {
		case next.isBlank():
			continue
		case next.column < l.column:
			return 0, false
		case next.column == l.column && p.src[next.text] == '=' && isSimpleBorder(p.content(&next)):
			borders++
			if after := p.following(next); borders == 3 || after.next == 0 || after.isBlank() {
				p.searched -= at - l.next
				return at, true
			}
		}
	}
	p.noSimple = true
	return 0, false
}

// simpleRows reads the rows of a simple table. Lines with nothing in the first column continue a row.
func (p *parser) simpleRows(l line, end int, cells []*cell) {
	filled := 0 // cells that may have lines
	flush := func() {
		for _, c := range cells[:filled] {
			p.cell(c)
			c.lines = c.lines[:0]
		}
		filled = 0
	}
	first := p.found.n
	g := gridTable{parser: p, first: l.column}
	for at := l.next; at < end; {
		next := p.lineAt(at)
		at = next.next
		if next.isBlank() {
			for _, c := range cells[:filled] {
				if len(c.lines) > 0 {
					c.lines = append(c.lines, cellLine{})
				}
			}
			continue
		}
		c := p.content(&next)
		if isSimpleBorder(c) || len(bytes.Trim(c, "- ")) == 0 {
			flush()
			continue
		}
		if next.column-l.column < cells[0].right {
			flush()
		}
		g.chars = g.read(g.chars, &next)
		cells[len(cells)-1].right = max(cells[len(cells)-1].right, len(g.chars)) // text may extend beyond the border
		filled = max(filled, g.takeRow(cells))
		g.flush(cells[:filled])
	}
	flush()
	p.found.sort(first)
	p.at = end
}

// takeRow adds a line to the cells of a row, and returns the number of cells that it reaches. Text that
// crosses the border of a column belongs to one cell.
func (g *gridTable) takeRow(cells []*cell) (reached int) {
	for i := 0; i < len(cells) && cells[i].left < len(g.chars); i++ {
		c := *cells[i]
		k := i
		for k+1 < len(cells) && cells[k].right < len(g.chars) && !ascii.IsAnySpace(g.chars[cells[k].right].c) {
			k++ // the border is a character of the text: the cell spans columns
		}
		c.right = cells[k].right
		g.take(&c)
		cells[i].lines = c.lines
		i = k
		reached = i + 1
	}
	return reached
}
