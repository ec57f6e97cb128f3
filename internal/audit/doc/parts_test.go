package doc_test

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"testing"

	"example.org/refract/internal/audit/doc"
)

// FindInclusion finds what one expression for a whole text finds, and each inclusion but an import has a mark.
func TestFindInclusion(t *testing.T) {
	words := []string{
		"--8<--", "{!", "!}", "{%", "{% ", "-", "include", "import ", " from ", "'a.md'", `"b.mdx"`, "{{", "<", "#", "yield", "x",
		"<!--#", "<!--#include", "<?", "php", "=", "```", "`", ":::", "{include}", "\n", "\n", "\t", "\r\n", "é", "{", "import\n",
	}
	same := regexp.MustCompile(`(?m)--8<--|\{![^!\n]+!\}|\{%-?\s*(?:include|extends|block|render|embed)|` +
		`\{\{[<%]?-?\s*#?(?:include|readfile|template|block|partial|content|yield)\b|<!--#include|<\?(?:php|=)|^[\x60:]{3,}\{include\}|` +
		`^import\s.*\sfrom\s+['"][^'"\n]+\.mdx?['"]`)
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		var b bytes.Buffer
		for range random.IntN(10) {
			b.WriteString(words[random.IntN(len(words))])
		}
		want := -1
		if m := same.FindIndex(b.Bytes()); m != nil {
			want = m[0]
		}
		if got := doc.FindInclusion(b.Bytes()); got != want {
			t.Fatalf("%q: %d, want %d", b.Bytes(), got, want)
		}
		if want >= 0 && !doc.HasInclusionMark(b.Bytes()) && !bytes.Contains(b.Bytes(), []byte("import")) {
			t.Fatalf("%q has no mark", b.Bytes())
		}
	}
}
