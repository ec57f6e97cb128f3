package fix

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/internal/slash"
)

// contextLines is the number of unchanged lines that a hunk shows on each side.
const contextLines = 3

// AppendDiff appends the pending change as a unified diff that "git apply" and "patch -p1" accept. Paths
// are relative to the current directory or, outside of it, to the root of the disk. It appends nothing if
// there is no change.
//
// With colour, the diff is for people: as in git, it shows removed lines in red and added ones in green,
// and control characters by their codes.
//
// Edits of references neither add nor remove lines, so the lines that differ are known without a search. If
// the number of lines differs, there is one hunk. A diff that is anchored at lines that occur once, as
// package diff of go-internal makes it, shows the empty lines between edited items of a list as removed and
// added.
func (f *File) AppendDiff(dst []byte, colour bool) []byte {
	if f.New == nil {
		return dst
	}
	d := diff{dst, colour}
	d.head("--- %s\n+++ %s\n", quoted("a/"+diffName(f.Path)), quoted("b/"+diffName(cmp.Or(f.to, f.Path))))
	before, after := linesOf(f.Old), linesOf(f.New)
	if len(before) == len(after) {
		d.alike(before, after)
	} else {
		d.hunk(before, after)
	}
	return d.text
}

// A diff is the text of a diff.
type diff struct {
	text   []byte
	colour bool
}

// alike appends hunks for texts with equally many lines.
func (d *diff) alike(before, after [][]byte) {
	differs := func(i int) bool { return !bytes.Equal(before[i], after[i]) }
	for i := 0; i < len(before); i++ {
		if !differs(i) {
			continue
		}
		from, last := max(0, i-contextLines), i
		for j := i + 1; j < len(before) && j <= last+2*contextLines+1; j++ {
			if differs(j) {
				last = j
			}
		}
		to := min(len(before), last+contextLines+1)
		d.place(from, to-from, to-from)
		for i = from; i < to; {
			next := i
			for next < to && differs(next) {
				next++
			}
			d.lines('-', before[i:next])
			d.lines('+', after[i:next])
			for i = next; i < to && !differs(i); i++ {
			}
			d.lines(' ', before[next:i])
		}
		i = to - 1
	}
}

// linesOf returns the lines of a text, each with its line end.
func linesOf(text []byte) (lines [][]byte) {
	for line := range bytes.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// hunk appends one hunk from the first line that differs to the last one.
func (d *diff) hunk(before, after [][]byte) {
	head, tail := 0, 0
	shorter := min(len(before), len(after))
	for head < shorter && bytes.Equal(before[head], after[head]) {
		head++
	}
	for tail < shorter-head && bytes.Equal(before[len(before)-1-tail], after[len(after)-1-tail]) {
		tail++
	}
	from, rest := max(0, head-contextLines), max(0, tail-contextLines)
	d.place(from, len(before)-rest-from, len(after)-rest-from)
	d.lines(' ', before[from:head])
	d.lines('-', before[head:len(before)-tail])
	d.lines('+', after[head:len(after)-tail])
	d.lines(' ', before[len(before)-tail:len(before)-rest])
}

// head appends lines about a file.
func (d *diff) head(format string, args ...any) {
	for line := range strings.Lines(fmt.Sprintf(format, args...)) {
		d.paint("1", line)
	}
}

// place appends the line that says where a hunk with so many lines is.
func (d *diff) place(from, before, after int) {
	d.paint("36", fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", from+1, before, from+1, after))
}

// lines appends lines of a hunk, each with a mark in front of it.
func (d *diff) lines(mark byte, lines [][]byte) {
	code := map[byte]string{'-': "31", '+': "32"}[mark]
	for _, text := range lines {
		line, hasEnd := bytes.CutSuffix(text, []byte{'\n'})
		if d.colour {
			line = visible(line)
		}
		d.paint(code, string(mark)+string(line)+"\n")
		if !hasEnd {
			d.paint("", "\\ No newline at end of file\n")
		}
	}
}

// paint appends a line in a colour, or without if code is "".
func (d *diff) paint(code, line string) {
	if !d.colour || code == "" {
		d.text = append(d.text, line...)
		return
	}
	d.text = fmt.Appendf(d.text, "\x1b[%sm%s\x1b[0m\n", code, strings.TrimSuffix(line, "\n"))
}

// visible returns a line for a terminal, with its tabs, and without the \r of its end.
func visible(line []byte) (shown []byte) {
	for i, part := range bytes.Split(bytes.TrimSuffix(line, []byte{'\r'}), []byte{'\t'}) {
		if i > 0 {
			shown = append(shown, '\t')
		}
		shown = cli.AppendVisible(shown, part)
	}
	return shown
}

// AppendRename appends the header with which "git apply" renames a file. A diff of the file may
// follow, after RenameTo.
func AppendRename(dst []byte, from, to string, colour bool) []byte {
	from, to = diffName(from), diffName(to)
	d := diff{dst, colour}
	d.head("diff --git %s %s\n", quoted("a/"+from), quoted("b/"+to))
	d.head("rename from %s\nrename to %s\n", strings.TrimSuffix(quoted(from), "\t"), strings.TrimSuffix(quoted(to), "\t"))
	return d.text
}

// RenameTo sets the path that AppendDiff shows for the new text.
func (f *File) RenameTo(path string) { f.to = path }

// diffName returns the path of a file for a diff. The working directory may have been entered through a
// symbolic link, and the path may begin with either of its names.
func diffName(path string) string {
	dir, _ := os.Getwd()
	if full, err := filepath.Abs(path); err == nil {
		path = full
		for _, dir := range []string{dir, Real(dir)} {
			if below, err := filepath.Rel(dir, full); err == nil && filepath.IsLocal(below) {
				path = below
				break
			}
		}
	}
	return strings.TrimPrefix(slash.Path(path[len(filepath.VolumeName(path)):]), "/")
}

// quoted writes a name as git does: in quotes, with octal escapes, if it contains control
// characters, quotes, backslashes or bytes that are not ASCII; followed by a tab if a space could
// be mistaken for its end.
func quoted(name string) string {
	var b strings.Builder
	needsQuotes := false
	for i := range len(name) {
		c := name[i]
		j := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c)
		switch {
		case j >= 0:
			b.WriteByte('\\')
			b.WriteByte("abtnvfr\"\\"[j])
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
			continue
		}
		needsQuotes = true
	}
	switch {
	case needsQuotes:
		return `"` + b.String() + `"`
	case strings.Contains(name, " "):
		return name + "\t"
	}
	return name
}
