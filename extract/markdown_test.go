package extract

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"example.org/refract/extract/slug"
)

// The ids that renderers give to headings, from the document to the slug: the texts of
// an Anchor are what package slug needs.
func TestHeadings(t *testing.T) {
	data, err := os.ReadFile("../testdata/markdown/headings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	columns := strings.Split(rows[0], "\t")
	var doc strings.Builder
	var want [][]string
	for _, row := range rows[1:] {
		fields := strings.Split(row, "\t")
		var heading string
		if err := json.Unmarshal([]byte(fields[0]), &heading); err != nil {
			t.Fatal(err)
		}
		doc.WriteString("# " + heading + "\n\n")
		want = append(want, fields)
	}
	var headings []slug.Heading
	var ids []string
	c := Config{Type: "text/markdown", Anchor: func(a *Anchor) {
		if a.In == "heading" {
			headings, ids = append(headings, a.Heading), append(ids, string(a.Name))
		}
	}}
	urls(&c, "headings", doc.String())
	if len(headings) != len(want) {
		t.Fatalf("%d headings of %d", len(headings), len(want))
	}
	algorithms := map[string]slug.Algorithm{
		"github-slugger": slug.GitHub, "python-markdown": slug.PythonMarkdown, "python-markdown-unicode": slug.PythonMarkdownUnicode,
		"kramdown": slug.Kramdown, "goldmark-default": slug.Goldmark, "hugo-github": slug.Hugo143, "hugo-github-ascii": slug.HugoASCII143,
	}
	for i, column := range columns[1:] {
		s := slug.Slugger{Algorithm: algorithms[column]}
		native := column != "github-slugger" && !strings.HasPrefix(column, "python")
		for k, h := range headings {
			id := ids[k]
			if id == "my-id" && native { // these read the attribute
				s.Reserve(id)
			} else {
				id = s.Slug(h)
			}
			if id != want[k][i+1] {
				t.Errorf("%s: %s = %q, want %q", column, want[k][0], id, want[k][i+1])
			}
		}
	}
}
