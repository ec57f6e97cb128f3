package cli

import (
	"strings"
	"testing"
)

// Lines are as long as they may be, and no longer, unless a word is.
func TestWrap(t *testing.T) {
	for width, want := range map[int]string{1: "ab|c|def|g", 4: "ab c|def|g", 5: "ab c|def g", 7: "ab c|def g", 8: "ab c def|g", 9: "ab c def|g", 10: "ab c def g", 80: "ab c def g"} {
		if got := strings.Join(Wrap(" ab  c\ndef g ", width), "|"); got != want {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
	if got := Wrap("", 5); len(got) != 1 || got[0] != "" {
		t.Errorf("%q", got)
	}
}

// Numbers for people have commas, as in all summaries.
func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 999: "999 files", 13500: "13,500 files"} {
		if got := Count(n, "file"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
