package slug

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/rangetable"
)

// The table of what github-slugger does not know says the same as the tables of the
// versions of Unicode.
func TestSince13(t *testing.T) {
	old := rangetable.Assigned("13.0.0")
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := unicode.Is(since13, r), !unicode.Is(old, r); got != want && isWord(r) {
			t.Errorf("U+%04X: since 13 is %v, want %v", r, got, want)
		}
	}
}
