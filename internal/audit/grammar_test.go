package audit

import (
	"context"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/testing/scantest"
)

// The time of an audit is linear for some pairs and triples of the tokens of the formats of documents. A link
// to the document makes the audit look for fragments and inclusions in it.
func TestGrammars(t *testing.T) {
	for suffix, name := range map[string]string{
		".md": "text/markdown", ".mdx": "text/markdown", ".rst": "text/x-rst", ".adoc": "text/asciidoc", ".html": "text/html",
		".org": "text/x-org", ".ipynb": "application/x-ipynb+json", ".css": "text/css", ".txt": "text/plain", ".xhtml": "application/xhtml+xml",
	} {
		g := scantest.Grammars[name]
		g.Most, g.IsCostly = 200, true
		t.Run(suffix, func(t *testing.T) {
			scantest.Combinations(t, g, func(src []byte) {
				fsys := fstest.MapFS{"a" + suffix: {Data: src}, "b.md": {Data: []byte("[x](a" + suffix + "#gone)\n")}}
				_, err := Run(context.Background(), Options{Tree: tree.FS(fsys), Jobs: 1}, func(*Finding) {})
				must(t, err)
			})
		})
	}
}
