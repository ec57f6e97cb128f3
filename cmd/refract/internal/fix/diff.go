package fix

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.org/refract/internal/slash"
)

// contextLines is the number of unchanged lines that a hunk shows on each side.
const contextLines = 3

// AppendDiff appends the pending change as a unified diff that "git apply" and "patch -p1" accept:
// paths are relative to the current directory or, outside of it, to the root of the disk. It
// appends nothing if there is no change.
//
// Edits of references neither add nor remove lines, so the lines that differ are known without a
// search. If the number of lines differs, there is one hunk. A diff that is anchored at lines that occur once, as
// package diff of go-internal makes it, shows the blank lines between edited items of a list as removed and added.
func (f *File) AppendDiff(dst []byte) []byte {
	if f.New == nil {
		return dst
	}
	dst = fmt.Appendf(dst, "--- %s\n+++ %s\n", quoted("a/"+diffName(f.Path)), quoted("b/"+diffName(cmp.Or(f.to, f.Path))))
	before, after := linesOf(f.Old), linesOf(f.New)
	if len(before) != len(after) {
		return appendHunk(dst, before, after)
	}
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
		dst = fmt.Appendf(dst, "@@ -%d,%d +%d,%d @@\n", from+1, to-from, from+1, to-from)
		for i = from; i < to; {
			next := i
			for next < to && differs(next) {
				next++
			}
			dst = appendLines(dst, '-', before[i:next])
			dst = appendLines(dst, '+', after[i:next])
			for i = next; i < to && !differs(i); i++ {
			}
			dst = appendLines(dst, ' ', before[next:i])
		}
		i = to - 1
	}
	return dst
}

// linesOf returns the lines of a text, each with its line end.
func linesOf(text []byte) (lines [][]byte) {
	for line := range bytes.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// appendHunk appends one hunk from the first line that differs to the last one.
func appendHunk(dst []byte, before, after [][]byte) []byte {
	head, tail := 0, 0
	shorter := min(len(before), len(after))
	for head < shorter && bytes.Equal(before[head], after[head]) {
		head++
	}
	for tail < shorter-head && bytes.Equal(before[len(before)-1-tail], after[len(after)-1-tail]) {
		tail++
	}
	from, rest := max(0, head-contextLines), max(0, tail-contextLines)
	dst = fmt.Appendf(dst, "@@ -%d,%d +%d,%d @@\n", from+1, len(before)-rest-from, from+1, len(after)-rest-from)
	dst = appendLines(dst, ' ', before[from:head])
	dst = appendLines(dst, '-', before[head:len(before)-tail])
	dst = appendLines(dst, '+', after[head:len(after)-tail])
	return appendLines(dst, ' ', before[len(before)-tail:len(before)-rest])
}

// appendLines appends lines of a hunk, each with a mark in front of it.
func appendLines(dst []byte, mark byte, lines [][]byte) []byte {
	for _, text := range lines {
		dst = append(append(dst, mark), text...)
		if !bytes.HasSuffix(text, []byte{'\n'}) {
			dst = append(dst, "\n\\ No newline at end of file\n"...)
		}
	}
	return dst
}

// AppendRename appends the header with which "git apply" renames a file. A diff of the file may
// follow, after RenameTo.
func AppendRename(dst []byte, from, to string) []byte {
	from, to = diffName(from), diffName(to)
	dst = fmt.Appendf(dst, "diff --git %s %s\n", quoted("a/"+from), quoted("b/"+to))
	return fmt.Appendf(dst, "rename from %s\nrename to %s\n", strings.TrimSuffix(quoted(from), "\t"), strings.TrimSuffix(quoted(to), "\t"))
}

// RenameTo sets the path that AppendDiff shows for the new text.
func (f *File) RenameTo(path string) { f.to = path }

// diffName returns the path of a file as a diff has it. The working directory may have been entered through a symbolic link,
// and the path may begin with either of its names.
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
