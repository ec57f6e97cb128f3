package move

import (
	"bytes"

	"example.org/refract/internal/audit"
)

// A Change replaces a range of the old text of a File, in bytes.
type Change struct {
	Start, End int
	Text       []byte
}

// Changes returns the differences between the texts, in order: one for each line that differs or, if
// lines were added, one for everything.
func (f *File) Changes() (changes []Change) {
	before, after := bytes.SplitAfter(f.Old, []byte{'\n'}), bytes.SplitAfter(f.New, []byte{'\n'})
	if len(before) != len(after) {
		before, after = [][]byte{f.Old}, [][]byte{f.New}
	}
	at := 0
	for i, line := range before {
		if !bytes.Equal(line, after[i]) {
			start, end, to := difference(line, after[i])
			changes = append(changes, Change{at + start, at + end, after[i][start:to]})
		}
		at += len(line)
	}
	return changes
}

// difference returns the range of old that differs from made, and where the range in made ends. It
// splits no character.
func difference(old, made []byte) (start, end, to int) {
	for start < min(len(old), len(made)) && old[start] == made[start] {
		start++
	}
	for start > 0 && (start < len(old) && isContinuation(old[start]) || start < len(made) && isContinuation(made[start])) {
		start--
	}
	end, to = len(old), len(made)
	for end > start && to > start && old[end-1] == made[to-1] {
		end, to = end-1, to-1
	}
	for end < len(old) && isContinuation(old[end]) {
		end, to = end+1, to+1
	}
	return start, end, to
}

// isContinuation reports whether a byte continues a character of UTF-8.
func isContinuation(c byte) bool { return c&0xC0 == 0x80 }

// HeadingRange returns the range of the text of the heading in a line of a document, in bytes of text.
// ok is false if the audit has found no heading there.
func HeadingRange(report *audit.Report, path string, line int, text []byte) (start, end int, ok bool) {
	h, ok := report.HeadingAt(path, line)
	if !ok {
		return 0, 0, false
	}
	for range line - 1 {
		i := bytes.IndexByte(text[start:], '\n')
		if i < 0 {
			return 0, 0, false
		}
		start += i + 1
	}
	body, _ := cutEnd(append([]byte(nil), firstLine(text[start:])...))
	from, to, ok := textOf(string(body), &h)
	return start + from, start + to, ok
}

func firstLine(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i]
	}
	return text
}
