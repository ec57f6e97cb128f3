package extract

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCases reads tables in testdata of the packages of some formats: documents, and what is in them.
// They were made for this project; their references are those that nbconvert 7.17, pandoc 2.17,
// mandoc 1.14.6 and makeinfo 6.8 show. The notes say where this project differs, and which
// cases no program has verified.
func TestCases(t *testing.T) {
	for _, format := range []struct{ file, suffix string }{
		{"internal/notebook/testdata/cases.jsonl", ".ipynb"},
		{"internal/markup/testdata/org.jsonl", ".org"},
		{"internal/latex/testdata/cases.jsonl", ".tex"},
		{"internal/texinfo/testdata/cases.jsonl", ".texi"},
		{"internal/rtf/testdata/cases.jsonl", ".rtf"},
		{"internal/man/testdata/man.jsonl", ".7"},
		{"internal/man/testdata/mdoc.jsonl", ".7"},
	} {
		t.Run(format.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.FromSlash(format.file))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(data)) {
				testCase(t, line, format.suffix)
			}
		})
	}
}

func testCase(t *testing.T, line, suffix string) {
	var c struct {
		Name, Text string
		Refs       []struct {
			Ref, Kind      string
			Offset, Length int
			Inexact        bool // the bytes do not decode to Ref
		}
	}
	if err := json.Unmarshal([]byte(line), &c); err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, r := range c.Refs {
		want = append(want, fmt.Sprintf("%s %s %d+%d %v", r.Kind, r.Ref, r.Offset, r.Length, !r.Inexact))
	}
	for ref, err := range (&Config{Lines: true}).Walk(c.Name+suffix, strings.NewReader(c.Text)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %d+%d %v", ref.Kind, ref.Meant+string(ref.Ref), ref.Pos.Offset, ref.Pos.Length, ref.Pos.Exact))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n\t%s\nwant\n\t%s", c.Name, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
