package docusaurus

import (
	"testing"
)

// quotesDocument is true for each text with an import of a document.
func TestQuotesDocument(t *testing.T) {
	for text, want := range map[string]bool{
		"import A from './a.md'": true, "import A from \"./a.mdx\"\n": true, "[a](a.md) .md\n": false, ".md": false, ".mdx": false,
		"[a](a.md 'x') import A from \"b.md\"": true, ".md.md'": true, ".mdxx'": false,
	} {
		if got := quotesDocument([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
