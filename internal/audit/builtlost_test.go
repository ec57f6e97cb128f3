package audit_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit"
	"example.org/refract/internal/audit/tree"
)

// What is missing in a build is said once, with the numbers of documents and links.
func TestLostNote(t *testing.T) {
	files := fstest.MapFS{
		"docs/index.md":      {Data: []byte("# Home page\n\n[one](guide/one.md) [two](guide/two.md)\n")},
		"docs/other.md":      {Data: []byte("# Other page\n\n[two](guide/two.md)\n")},
		"docs/guide/one.md":  {Data: []byte("# One\n")},
		"docs/guide/two.md":  {Data: []byte("# Two\n")},
		"docs/guide/last.md": {Data: []byte("# Last\n")},
		"out/index.html":     {Data: []byte(`<nav><a href="/other/">o</a></nav><main><h1>Home page</h1><a href="/guide/one/">one</a> <a href="/guide/two/">two</a></main>`)},
		"out/other/index.html": {Data: []byte(
			`<nav><a href="/guide/last/">o</a></nav><main><h1>Other page</h1><a href="/guide/two/">two</a></main>`)},
	}
	r, err := audit.Run(t.Context(), audit.Options{Tree: tree.FS(files), Paths: []string{"docs"}, Built: []audit.Site{{Dir: "out"}}, Generator: "none", MaxEntity: 1 << 20},
		func(f *audit.Finding) { t.Errorf("%+v", f) })
	if err != nil {
		t.Fatal(err)
	}
	const want = `the build lacks the pages of 3 of 3 documents in "docs/guide": 4 links to them are not checked`
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, want) {
		t.Errorf("%v, want %s", r.Notes, want)
	}
}
