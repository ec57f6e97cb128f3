package fix

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"example.org/refract/extract"
)

// Columns holds the simple tables of a document of reStructuredText. If a table has text between its
// columns, docutils shows nothing of it, but the scanner reads it.
type Columns []columns

type columns struct {
	start, end int // of the table
	last       int // the character in which the last column begins
}

// ColumnsOf returns the tables of src in a format. The time is linear in len(src).
func ColumnsOf(format *extract.Format, src []byte) (all Columns) {
	if format == nil || format.Fragments != extract.TitleFragments {
		return nil
	}
	borders, indent := 0, 0 // of the table that is open
	for at := 0; at < len(src); {
		line := src[at:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		next := at + len(line)
		text := bytes.TrimRight(line, " \t\r\n")
		content := bytes.TrimLeft(text, " \t")
		isBorder := len(content) > 0 && len(bytes.Trim(content, "= ")) == 0
		before := len(text) - len(content)
		switch {
		case borders == 0 && isBorder && bytes.IndexByte(content, ' ') > 0:
			borders, indent = 1, before
			all = append(all, columns{at, len(src), bytes.LastIndexByte(text, ' ') + 1})
		case borders > 0 && isBorder && before == indent:
			if borders++; borders == 3 || isBlankAt(src, next) {
				all[len(all)-1].end = next
				borders = 0
			}
		}
		at = next
	}
	return all
}

// isBlankAt reports whether there is no text in the line at a place.
func isBlankAt(src []byte, at int) bool {
	line, _, _ := bytes.Cut(src[at:], []byte("\n"))
	return len(bytes.TrimSpace(line)) == 0
}

// Breaks reports whether text in place of src[start:end] moves other text of a table out of its column.
func (c Columns) Breaks(src []byte, start, end int, text []byte) bool {
	i := sort.Search(len(c), func(i int) bool { return c[i].end > start })
	if i == len(c) || start < c[i].start || utf8.RuneCount(text) == utf8.RuneCount(src[start:end]) {
		return false
	}
	line := bytes.LastIndexByte(src[:start], '\n') + 1
	return utf8.RuneCount(src[line:start]) < c[i].last
}
