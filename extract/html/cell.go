package html

import "bytes"

// A link that is open at the end of a table cell ends there: the end of the cell clears the list of active formatting
// elements up to the last marker (13.2.6.4.15).

// A cell is an open cell, or an open table.
type cell struct {
	isTable bool
	inLink  bool // a link was open where it begins
}

// maxCells limits how many nested tables and cells are followed.
const maxCells = 256

// startCell opens a table or a cell. A cell ends the one before it in the same table.
func (s *Scanner) startCell(isTable bool) {
	if !isTable {
		s.leaveCell()
	}
	if len(s.cells) < maxCells {
		s.cells = append(s.cells, cell{isTable, s.inLink})
	}
}

// leaveCell closes the innermost cell, unless a table is open in it.
func (s *Scanner) leaveCell() {
	if k := len(s.cells) - 1; k >= 0 && !s.cells[k].isTable {
		s.inLink = s.cells[k].inLink
		s.cells = s.cells[:k]
	}
}

// endCell closes what the end tag of an element closes.
func (s *Scanner) endCell(called []byte) {
	if !endsCell(called) {
		return
	}
	s.leaveCell()
	if k := len(s.cells) - 1; k >= 0 && s.cells[k].isTable && equalFold(called, "table") {
		s.inLink = s.cells[k].inLink
		s.cells = s.cells[:k]
	}
}

// endOuterLink ends the link that was open before the innermost table, for a link in none of its cells (13.2.6.4.7, "a").
func (s *Scanner) endOuterLink() {
	for k := len(s.cells) - 1; k >= 0 && s.cells[k].isTable; k-- {
		s.cells[k].inLink = false
	}
}

// endsCell reports whether the end tag of an element ends the cell around it.
func endsCell(called []byte) bool {
	switch len(called) {
	case 2:
		return equalFold(called, "td") || equalFold(called, "th") || equalFold(called, "tr")
	case 5:
		return equalFold(called, "table") || equalFold(called, "tbody") || equalFold(called, "tfoot") || equalFold(called, "thead")
	}
	return false
}

// nameInTag returns the name in a tag, and whether it is an end tag. src begins after "<".
func nameInTag(src []byte) (called []byte, isEnd bool) {
	called, isEnd = bytes.CutPrefix(src, []byte("/"))
	n := 0
	for n < len(called) && byteClass[called[n]]&tagEnd == 0 {
		n++
	}
	return called[:n], isEnd
}
