package slug

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The case collections live beside the repository, not in it.
const shared = "../../../shared/cases/markdown/"

func readShared(t testing.TB, file string) []byte {
	t.Helper()
	if _, err := os.Stat(shared); err != nil {
		t.Skip("no case collections beside the repository: ", err)
	}
	data, err := os.ReadFile(shared + file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The table has headings as they are written; this is the text of those that have
// markup, and of the one with a space at its end. All others are their own text.
var sharedTexts = map[string]string{
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

// TestSharedSlugs compares each column of the table as one document.
func TestSharedSlugs(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(string(readShared(t, "slugs.tsv")), "\n"), "\n")
	columns := strings.Split(lines[0], "\t")[1:]
	rows := lines[1:]
	flavours := map[string]Flavour{
		"github-slugger": GitHub, "python-markdown": PythonMarkdown, "python-markdown-unicode": PythonMarkdownUnicode,
		"kramdown": Kramdown, "goldmark-default": Goldmark, "hugo-github": Hugo143, "hugo-github-ascii": HugoASCII143,
	}
	if len(columns) != len(flavours) || len(rows) != 54 {
		t.Fatalf("%d columns, %d rows", len(columns), len(rows))
	}
	for i, column := range columns {
		flavour, ok := flavours[column]
		if !ok {
			t.Fatalf("no flavour for %q", column)
		}
		s := Slugger{Flavour: flavour}
		for _, row := range rows {
			fields := strings.Split(row, "\t")
			var written string
			if err := json.Unmarshal([]byte(fields[0]), &written); err != nil {
				t.Fatalf("%q: %v", fields[0], err)
			}
			h := Heading{Text: written, Source: strings.TrimSpace(written)}
			if text, ok := sharedTexts[written]; ok {
				h.Text = text
			}
			got := ""
			if rules[flavour].form == source && written == "Title {#my-id}" {
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

// TestSharedGitHub compares what github.com gave to the headings of one document.
func TestSharedGitHub(t *testing.T) {
	var cases []struct{ Name, Input, Expected string }
	if err := json.Unmarshal(readShared(t, "github-slugger.json"), &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 78 {
		t.Fatalf("%d cases", len(cases))
	}
	var s Slugger
	for _, c := range cases {
		if got := s.Slug(Heading{Text: c.Input}); got != c.Expected {
			t.Errorf("%s: %q = %q, want %q", c.Name, c.Input, got, c.Expected)
		}
	}
}
