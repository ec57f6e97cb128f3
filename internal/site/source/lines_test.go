package source

import (
	"slices"
	"strings"
	"testing"
)

// The lines with any of several marks are those of a search line by line, in order and once.
func TestLinesWithAny(t *testing.T) {
	marks := []string{"xref:", "<<", "a"}
	for _, text := range []string{"", "a", "\na\n", "x\nxref:a<<\n\ny <<\nno\nxref:", "<<\r\n<<", strings.Repeat("no\nxref: a\n", 50)} {
		var want, got []string
		for line := range strings.SplitSeq(text, "\n") {
			if strings.Contains(line, "xref:") || strings.Contains(line, "<<") || strings.Contains(line, "a") {
				want = append(want, line)
			}
		}
		for start, line := range LinesWithAny([]byte(text), marks...) {
			got = append(got, string(line))
			if text[start:start+len(line)] != string(line) || start > 0 && text[start-1] != '\n' {
				t.Errorf("%q: %q is not at %d", text, line, start)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		for range LinesWithAny([]byte(text), marks...) {
			break
		}
	}
}
