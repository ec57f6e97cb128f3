package cdx

import (
	"bytes"
	"slices"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/jsonstring"
)

// A Table reads answers of the server of the Wayback Machine to output=json: an array of arrays of strings,
// the first of which names the columns.
type Table struct {
	layout  Layout
	isEnded bool // what follows is where the next answer begins (showResumeKey)
}

// IsTable reports whether a file that begins with head is such an answer.
func IsTable(head []byte) bool {
	head, isArray := bytes.CutPrefix(bytes.TrimSpace(head), []byte("["))
	head = bytes.TrimSpace(head)
	if !isArray || len(head) == 0 || head[0] != '[' {
		return false
	}
	end := rowEnd(head)
	_, ok := columnsOf(head[:max(0, end)])
	return ok
}

// rowEnd returns the length of the array that src begins with, or -1 if it does not end.
func rowEnd(src []byte) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '"':
			i = stringEnd(src, i+1)
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// Next returns the capture in the next row, an array. ok is false if the row is about none; isBroken
// reports that it is no row of the table.
func (t *Table) Next(row []byte) (c Capture, ok, isBroken bool) {
	if !t.layout.IsHeaded {
		t.layout, ok = columnsOf(row)
		return c, false, !ok
	}
	cells, ok := cellsOf(row)
	switch {
	case !ok:
		return c, false, true
	case len(cells) == 0, t.isEnded:
		t.isEnded = true
		return c, false, false
	case len(cells) != t.layout.Columns:
		return c, false, true
	}
	cell := func(i int) []byte {
		if i < 0 {
			return nil
		}
		return cells[i]
	}
	l := &t.layout
	c = Capture{URL: cell(l.URL), Key: cell(l.key), Date: cell(l.date), Status: number(cell(l.status)), IsRevisit: isRevisit(cell(l.mime))}
	if isOwn(c.URL) {
		return Capture{}, false, false
	}
	if c.URL != nil && !hasScheme(c.URL) || !isDate(c.Date) {
		return Capture{}, false, true
	}
	return c, true, false
}

// columnsOf returns the Layout of a row that names columns.
func columnsOf(row []byte) (l Layout, ok bool) {
	names, ok := cellsOf(row)
	if !ok || len(names) > maxColumns {
		return l, false
	}
	at := func(name string) int {
		return slices.IndexFunc(names, func(cell []byte) bool { return string(cell) == name })
	}
	l = Layout{IsHeaded: true, Columns: len(names), URL: at("original"), key: at("urlkey"), date: at("timestamp"), mime: at("mimetype"), status: at("statuscode")}
	return l, l.date >= 0 && (l.URL >= 0 || l.key >= 0)
}

// cellsOf returns the values of an array of strings and words, such as numbers. Other arrays are not ok.
func cellsOf(row []byte) (cells [][]byte, ok bool) {
	row = bytes.TrimSpace(row)
	if len(row) < 2 || row[0] != '[' || row[len(row)-1] != ']' {
		return nil, false
	}
	row = row[:len(row)-1]
	for i := 1; i < len(row); i++ {
		switch row[i] {
		case '"':
			end := stringEnd(row, i+1)
			if end == len(row) {
				return nil, false
			}
			cells = append(cells, jsonstring.Value(row, scan.Span{Start: i + 1, End: end}))
			i = end
		case '[', ']', '{', '}':
			return nil, false
		case ',', ' ', '\t', '\r', '\n':
		default:
			end := i
			for end < len(row) && row[end] != ',' && row[end] != ' ' && row[end] != '"' {
				end++
			}
			cells = append(cells, row[i:end])
			i = end - 1
		}
	}
	return cells, true
}
