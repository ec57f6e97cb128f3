package output

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// A cellStyle is a way to write the cells of a table.
type cellStyle uint8

const (
	guarded  cellStyle = iota // CSV in which spreadsheets evaluate no formula
	ExcelCSV                  // the same, as Excel writes it: without a byte order mark, it reads UTF-8 as the charset of the country
	RawCSV                    // CSV with unchanged texts
	tabs                      // TSV: \t, \n, \r and \\ stand for tab, line breaks and "\" within a cell
)

// header returns the line that precedes a table with columns of these names.
func (s cellStyle) header(names []string) []byte {
	var dst []byte
	if s == ExcelCSV {
		dst = append(dst, "\ufeff"...)
	}
	return s.endLine(append(dst, strings.Join(names, string(s.separator()))...))
}

// endLine appends the end of a line.
func (s cellStyle) endLine(dst []byte) []byte {
	if s == ExcelCSV {
		dst = append(dst, '\r')
	}
	return append(dst, '\n')
}

// separator returns the byte between cells.
func (s cellStyle) separator() byte {
	if s == tabs {
		return '\t'
	}
	return ','
}

// appendCell appends s as a cell. Spreadsheets evaluate cells that begin with one of "=+-@" or a
// tab, even in quotes. In guarded cells, an apostrophe in front prevents this.
func appendCell[S string | []byte](dst []byte, s S, style cellStyle) []byte {
	if style == tabs {
		return append(dst, visibleCell(tabbed.Replace(string(s)))...)
	}
	if style != RawCSV && !isASCII(s) {
		s = S(visibleCell(string(s)))
	}
	if style == RawCSV || len(s) == 0 || strings.IndexByte("=+-@\t\r", s[0]) < 0 {
		return appendCSVText(dst, s)
	}
	return appendCSVText(dst, "'"+string(s))
}

// isHiddenInCell reports whether cells show a character as its number. Line breaks and tabs may be in quotes.
func isHiddenInCell(r rune) bool { return ascii.IsHidden(r) && r != '\t' && r != '\n' && r != '\r' }

// isASCII reports whether s consists of printable ASCII.
func isASCII[S string | []byte](s S) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// visibleCell returns s with its hidden characters as AppendVisible writes them.
func visibleCell(s string) string {
	if !strings.ContainsFunc(s, isHiddenInCell) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case isHiddenInCell(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		case r == utf8.RuneError:
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// tabbed escapes the characters that would end a cell or a line of TSV.
var tabbed = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// appendCSVText appends s as encoding/csv writes it: in quotes if it contains a comma, a quote or a
// line break, begins with a space, or could be mistaken for the end of the data.
func appendCSVText[S string | []byte](dst []byte, s S) []byte {
	if !needsQuotes(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	start := 0 // of the text not yet copied
	for i := range len(s) {
		if s[i] == '"' {
			dst = append(append(dst, s[start:i]...), '"')
			start = i
		}
	}
	return append(append(dst, s[start:]...), '"')
}

func needsQuotes[S string | []byte](s S) bool {
	if len(s) == 0 {
		return false
	}
	if c := s[0]; c <= ' ' || c == '\\' || c >= utf8.RuneSelf {
		first, _ := utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
		if unicode.IsSpace(first) || string(s) == `\.` {
			return true
		}
	}
	for i := range len(s) {
		if quotedInCSV[s[i]] {
			return true
		}
	}
	return false
}

// quotedInCSV has the bytes that make encoding/csv quote a cell.
var quotedInCSV = [256]bool{',': true, '"': true, '\r': true, '\n': true}
