package extract_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
)

// testdata/vitepress.tsv was made by createMarkdownRenderer of VitePress 1.6.4 and 2.0.0-alpha.17 and createMarkdown of
// @vuepress/markdown 2.0.0-rc.20, each heading as a document. The last
// rows are headings of the documentation of VitePress, Vue (in Chinese), rclone and Docsify. VITEPRESS_IDS names a longer
// table of the same form.
func TestVitePress(t *testing.T) {
	name := "testdata/vitepress.tsv"
	if other := os.Getenv("VITEPRESS_IDS"); other != "" {
		name = other
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, row := range rows[1:] {
		fields := strings.Split(row, "\t")
		var source string
		if err := json.Unmarshal([]byte(fields[0]), &source); err != nil {
			t.Fatal(err)
		}
		for i, f := range []slug.Algorithm{slug.VitePress, slug.VitePress2, slug.VuePress} {
			dialect := markdown.VitePress
			if f == slug.VuePress {
				dialect = markdown.VuePress
			}
			if got := idOfFirst(t, source, dialect, f); got != fields[i+1] {
				t.Errorf("%s: %s = %q, want %q", f, fields[0], got, fields[i+1])
			}
		}
	}
}

// idOfFirst returns the id of the first heading of a document.
func idOfFirst(t *testing.T, source string, dialect markdown.Dialect, f slug.Algorithm) (id string) {
	t.Helper()
	cfg := extract.Config{Type: "text/markdown", Markdown: dialect}
	cfg.Anchor = func(a *extract.Anchor) {
		switch {
		case a.In != "heading" || id != "":
		case len(a.Name) > 0:
			id = string(a.Name)
		default:
			id = f.Slug(a.Heading)
		}
	}
	for _, err := range cfg.Walk("x.md", strings.NewReader(source)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return id
}
