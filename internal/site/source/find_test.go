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
