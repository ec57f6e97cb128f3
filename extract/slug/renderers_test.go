package slug

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

const tables = "../../testdata/markdown/"

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The table has headings as they are written; this is the text of those that have
// markup, and of the one with a space at its end. All others are their own text.
var texts = map[string]string{
	"__init__":                   "init",
	"`code` and *em* and **st**": "code and em and st",
	"[link](http://x/y) text":    "link text",
	"![alt](i.png) img":          " img",
	"<b>html</b> tag":            "html tag",
	"a &amp; b":                  "a & b",
	"trailing space ":            "trailing space",
	"~~strike~~ x":               "strike x",
	"H~2~O":                      "H2O",
}

// TestRenderers compares each column of the table as one document.
func TestRenderers(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(string(readFile(t, tables+"headings.tsv")), "\n"), "\n")
	columns := strings.Split(lines[0], "\t")[1:]
	rows := lines[1:]
	algorithms := map[string]Algorithm{
		"github-slugger": GitHub, "python-markdown": PythonMarkdown, "python-markdown-unicode": PythonMarkdownUnicode,
		"kramdown": Kramdown, "goldmark-default": Goldmark, "hugo-github": Hugo143, "hugo-github-ascii": HugoASCII143,
	}
	if len(columns) != len(algorithms) || len(rows) != 54 {
		t.Fatalf("%d columns, %d rows", len(columns), len(rows))
	}
	for i, column := range columns {
		algorithm, ok := algorithms[column]
		if !ok {
			t.Fatalf("no algorithm for %q", column)
		}
		s := Slugger{Algorithm: algorithm}
		for _, row := range rows {
			fields := strings.Split(row, "\t")
			var written string
			if err := json.Unmarshal([]byte(fields[0]), &written); err != nil {
				t.Fatalf("%q: %v", fields[0], err)
			}
			h := Heading{Text: written, Source: strings.TrimSpace(written)}
			if text, ok := texts[written]; ok {
				h.Text = text
			}
			got := ""
			if rules[algorithm].form == source && written == "Title {#my-id}" {
				got = "my-id" // these renderers read the attribute
				s.Reserve(got)
			} else {
				got = s.Slug(h)
			}
			if want := fields[i+1]; got != want {
				t.Errorf("%s: %q = %q, want %q", column, written, got, want)
			}
		}
	}
}

// TestGitHub compares what github.com gave to the headings of one document.
func TestGitHub(t *testing.T) {
	var s Slugger
	n := 0
	for line := range bytes.Lines(readFile(t, tables+"github-slugger.jsonl")) {
		n++
		var c struct{ Name, Input, Expected string }
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if got := s.Slug(Heading{Text: c.Input}); got != c.Expected {
			t.Errorf("%s: %q = %q, want %q", c.Name, c.Input, got, c.Expected)
		}
	}
	if n != 78 {
		t.Errorf("%d cases, want 78", n)
	}
}
