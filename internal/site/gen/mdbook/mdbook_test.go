package mdbook

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeIncludes finds what one expression for the whole text finds.
func TestCodeIncludes(t *testing.T) {
	same := regexp.MustCompile("(?m)^[ \t]*(?:```|~~~).*\\n[ \t]*\\{\\{\\s*#include\\s+([^\\s:}]+)")
	words := []string{"```", "~~~", "rust", "\n", "\n", " ", "\t", "{{", "{{#include ", "#include", "a.rs", "b", ":", "}}", "\r\n"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(words[random.IntN(len(words))])
		}
		var want []string
		for _, m := range same.FindAllStringSubmatch(b.String(), -1) {
			want = append(want, m[1])
		}
		if got := codeIncludes([]byte(b.String())); !slices.Equal(got, want) && !strings.Contains(strings.Join(want, " "), "```") {
			t.Fatalf("%q: %q, want %q", b.String(), got, want)
		}
	}
}
