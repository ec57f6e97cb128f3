package source

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/lazy"
)

// A pattern finds what its expression finds in the whole text.
func TestPattern(t *testing.T) {
	tests := []struct {
		f    *Pattern
		same *regexp.Regexp
	}{
		{&Pattern{lazy.New(`^import\s+[^'"\n;]*?\bfrom\s+['"]([^'"\n]+)['"]`), "import", IsWordStart, EndOfImport}, regexp.MustCompile(`\bimport\s+[^'"\n;]*?\bfrom\s+['"]([^'"\n]+)['"]`)},
		{&Pattern{lazy.New(`^import\s[^\n]*\sfrom\s+['"]([^'"\n]+\.mdx?)['"]`), "import", IsLineStart, AtOnce}, regexp.MustCompile(`(?m)^import\s[^\n]*\sfrom\s+['"]([^'"\n]+\.mdx?)['"]`)},
	}
	words := []string{"import", "import ", "from", " from ", "'a.md'", `"b.mdx"`, "'", ";", "\n", " ", "x", "_", "\t", "\r\n", "é", "{", "import\n"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(words[random.IntN(len(words))])
		}
		for _, tt := range tests {
			var want []string
			for _, m := range tt.same.FindAllStringSubmatch(b.String(), -1) {
				want = append(want, m[1])
			}
			if got := tt.f.Find([]byte(b.String()), -1); !slices.Equal(got, want) {
				t.Fatalf("%s in %q: %q, want %q", tt.same, b.String(), got, want)
			}
		}
	}
}

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
