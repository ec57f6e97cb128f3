package cli

import (
	"os"
	"strconv"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
	"golang.org/x/text/unicode/bidi"
)

// Width returns the width of the terminal: the width it reports, or $COLUMNS, or 80.
func Width() int {
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 {
		return width
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return 80
}

// A cell is a character together with its combining characters.
type cell struct {
	text  string
	width int // in columns
}

// leftToRight makes a bidirectional terminal start the line at the left even if its first letter is
// right-to-left, so that the mark below stays aligned.
const leftToRight = "\u200e"

// Excerpt returns the part of a line to show in room columns: the whole line if it fits, otherwise
// the text around the length bytes at offset at. before is the width in columns of the text before
// these bytes, width is their own. Tabs are expanded as if the excerpt began at the first column.
func Excerpt(line []byte, at, length, room int) (text []byte, before, width int) {
	room = max(room, 20)
	at = min(at, len(line))
	end := min(at+length, len(line), at+8*room)
	from := runeStart(line, max(0, at-8*room))
	to := runeStart(line, min(len(line), end+8*room))
	column, isRTL := 0, false
	cells := func(s []byte) (all []cell, width int) {
		start := column
		for len(s) > 0 {
			var c cell
			c, s = firstCell(s, column)
			column += c.width
			all = append(all, c)
		}
		return all, column - start
	}
	left, leftWidth := cells(line[from:at])
	mid, midWidth := cells(line[at:end])
	right, rightWidth := cells(line[end:to])
	if from > 0 || to < len(line) || end < at+length || leftWidth+midWidth+rightWidth > room {
		midRoom := min(midWidth, room-2-min(leftWidth, 8))
		leftRoom := min(leftWidth, max((room-midRoom)/2, room-midRoom-rightWidth))
		left = fit(left, leftRoom, from > 0, true)
		mid = fit(mid, midRoom, end < at+length, false)
		right = fit(right, room-widthOf(left)-widthOf(mid), to < len(line), false)
	}
	put := func(cells []cell) {
		for _, c := range cells {
			text = append(text, c.text...)
			isRTL = isRTL || isRightToLeft(c.text)
		}
	}
	put(left)
	put(mid)
	put(right)
	if isRTL {
		text = append([]byte(leftToRight), text...)
	}
	return text, widthOf(left), widthOf(mid)
}

// firstCell returns the first cell of s, which starts at a 0-based column, and the rest of s.
func firstCell(s []byte, column int) (cell, []byte) {
	if s[0] == '\t' {
		n := 8 - column%8
		return cell{"        "[:n], n}, s[1:]
	}
	cluster, rest, _, _ := uniseg.FirstGraphemeCluster(s, -1)
	text := string(AppendVisible(nil, cluster))
	return cell{text, uniseg.StringWidth(text)}, rest
}

func widthOf(cells []cell) (n int) {
	for _, c := range cells {
		n += c.width
	}
	return n
}

// fit returns as many cells as fit into room, from the end if last, with "…" in place of the rest. more
// means that some have been left out already.
func fit(cells []cell, room int, more, last bool) []cell {
	if !more && widthOf(cells) <= room {
		return cells
	}
	if room < 1 {
		return nil
	}
	n, width := 0, 1 // width of "…"
	for n < len(cells) {
		c := cells[n]
		if last {
			c = cells[len(cells)-1-n]
		}
		if width+c.width > room {
			break
		}
		width += c.width
		n++
	}
	if last {
		return append([]cell{{"…", 1}}, cells[len(cells)-n:]...)
	}
	return append(cells[:n:n], cell{"…", 1})
}

// runeStart returns the offset at which the character at s[i] starts.
func runeStart(s []byte, i int) int {
	for j := i; j > max(0, i-utf8.UTFMax); j-- {
		if j == len(s) || utf8.RuneStart(s[j]) {
			return j
		}
	}
	return i
}

// isRightToLeft reports whether s has letters of Hebrew, Arabic and the like.
func isRightToLeft(s string) bool {
	for _, r := range s {
		if r < 0x590 {
			continue
		}
		if p, _ := bidi.LookupString(string(r)); p.Class() == bidi.R || p.Class() == bidi.AL {
			return true
		}
	}
	return false
}
