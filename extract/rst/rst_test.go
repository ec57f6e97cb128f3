package rst

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/testing/scantest"
)

// A testCase is a line of testdata/cases.jsonl: a document, and what is in it. The cases were made
// for this project, and their results are those of docutils 0.22.4.
type testCase struct {
	Name    string    `json:"name"`
	Text    string    `json:"text"`
	Refs    []testRef `json:"refs"`
	Anchors []string  `json:"anchors"`
	Implied []string  `json:"implied"`
}

type testRef struct {
	Ref    string   `json:"ref"`
	Raw    string   `json:"raw"`
	Kind   string   `json:"kind"`
	In     string   `json:"in"`
	Offset int      `json:"offset"`
	Length int      `json:"length"`
	Ranges [][2]int `json:"ranges"`
	Labels []string `json:"labels"`
}

func readCases(t testing.TB) (cases []testCase) {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var c testCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			var got, want []string
			var ids []string
			var s Scanner
			s.Anchors = c.Anchors != nil
			slugger := slug.Slugger{Algorithm: slug.Docutils}
			for it := range s.Scan([]byte(c.Text)) {
				switch it.Op {
				case scan.Ref:
					if it.Loose {
						want = append(want, fmt.Sprintf("implied %s", c.Implied[len(want)]))
						got = append(got, fmt.Sprintf("implied %s", it.Value))
						continue
					}
					first := it.Span
					if parts := it.Extra().Parts; parts != nil {
						first = parts[0]
					}
					got = append(got, fmt.Sprintf("%s %s %s %d+%d %v", it.Kind, it.In, it.Value, first.Start, first.End-first.Start, (it.Labels&^scan.Include).Names()))
				case scan.Part:
					got = append(got, "part "+it.Type)
				case scan.Anchor:
					id := string(it.Value)
					if it.Text != "" {
						id = slugger.Slug(slug.Heading{Text: it.Text})
					}
					ids = append(ids, id)
				}
			}
			for _, r := range c.Refs {
				if strings.HasPrefix(r.In, "raw:") {
					if !slices.Contains(want, "part text/html") {
						want = append(want, "part text/html")
					}
					continue
				}
				want = append(want, fmt.Sprintf("%s %s %s %d+%d %v", r.Kind, r.In, r.Ref, r.Offset, r.Length, r.Labels))
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
			if c.Anchors != nil {
				t.Logf("ids %q", ids)
			}
		})
	}
}

var hostile = []scantest.Shape{
	{"", "*", ""}, {"", "**a ", ""}, {"", "`", ""}, {"", "``a ", ""}, {"", "`a ", ""}, {"", ":a:`b` ", ""}, {"", ":r:`a ", ""}, {"", "|", ""}, {"", "|a", ""}, {"", "|a ", ""},
	{"", "_", ""}, {"", "__", ""}, {"", "_`a ", ""}, {"", "a_ ", ""}, {"", "a_", ""}, {"", "a__ ", ""}, {"", "[1]_ ", ""}, {"", "[", ""}, {"", "[a", ""},
	{"", "\\", ""}, {"", "\\`", ""}, {"", "`\\", "`_"}, {"", "<", ""}, {"`", "<", ">`_"}, {"`", " <a", ">`_"}, {"", "`a <b>`_ ", ""}, {"", "`a <b", ""},
	{"", "`<b_>`__ ", ""}, {"", ":a", ""}, {"", ":a:`", ""}, {"", "ftp:", ""}, {"", "ftp:(", ""}, {"", "http://a ", ""}, {"", "http://a?#", ""}, {"", "tel:1 ", ""},
	{"", "a@b ", ""}, {"", "a@", ""}, {"", "@", ""}, {"", "a.@a", ""}, {"", "(", "http://a"}, {"", "http:", "<"}, {"http:", "!", ""},
	{"", "- ", "x"}, {"", "- ", ""}, {"", "1. ", "x"}, {"", "1. ", "x\ny"}, {"", ":a: ", "x"}, {"", ":a: ", "\n\n\n\nx"}, {"", "-a  ", "x"}, {"", "(a) ", ""},
	{"", "\n", ""}, {"", " ", ""}, {"", "\t", "x"}, {"", "a\n", ""}, {"", "a\n b\n", ""}, {"", "a::\n\n b\n\n", ""}, {"", "::\n", ""}, {"", ".. \n", ""}, {"", "..\n\n", ""},
	{"", ".. _a: b\n", ""}, {"", ".. _a:\n", ".. _b: c"}, {"", ".. _a: b_\n", ""}, {".. _a: b\n", "   c\n", ""}, {"", ".. __: a\n", ""}, {"", "__ a\n", ""},
	{"", ".. _`a", ""}, {"", ".. _a\\:", ""}, {"", ".. |a| image:: b\n", ""}, {"", ".. |a| replace:: |a|\n", ""}, {"", ".. |", ""}, {"", ".. [1] a\n", ""}, {"", ".. [1] ", ""},
	{"", ".. note::\n\n", ""}, {"", ".. note:: ", ""}, {"", ".. a::\n   :b: c\n", ""}, {".. a::\n", "   :b: c\n     d\n", ""}, {".. toctree::\n\n", "   a\n", ""},
	{".. csv-table::\n\n   ", "\"a\",", ""}, {".. csv-table::\n\n   ", "a", ""}, {".. csv-table::\n   :header: ", "a,", "b"}, {".. csv-table::\n\n   ", "\"", ""}, {".. csv-table::\n\n   ", "\"\"\"", ""}, {".. glossary::\n\n", "   a\n      b\n", ""},
	{"", ".. raw:: html\n\n   <a href=x>\n\n", ""}, {"", ".. include:: a\n", ""}, {"", "a\n===\n\n", ""}, {"", "===\na\n===\n", ""}, {"", "====\n", ""}, {"", "==\n", ""}, {"", "=\n", ""},
	{"", "| a\n", ""}, {"", "|\n", ""}, {"| a\n", "  b\n", ""}, {"", ">>> a\n", ""}, {"", ">>> a\n\n", ""}, {"", "+-", "+"}, {"", "+--+\n", ""}, {"", "+--+\n|a |\n", "+--+"}, {"", "+-+\n|a|\n+-+\n\n", ""},
	{"+--+--+\n", "|a |b |\n", "+--+--+"}, {"+--+--+\n", "|a |b |\n+--+--+\n", ""}, {"+" + strings.Repeat("-+", 5000) + "\n", "|" + strings.Repeat("a|", 5000) + "\n", ""},
	{"", "== ==\n", ""}, {"", "== ==\n\n", ""}, {"== ==\n", "a  b\n", "== =="}, {"== ==\n", "a  b\n", ""}, {"== ==\n", "a\n   b\n\n", "== ==\n"}, {"", "== ==\na b\n\n", "x"},
	{"=" + strings.Repeat("= =", 2000) + "\n", "a  b\n", "=" + strings.Repeat("= =", 2000) + "\n"}, {"", "+-+\n", ""}, {"", "|a|_ ", ""}, {"", ":rfc:`1` ", ""}, {"", ":ref:`a` ", ""}, {"", "`a`:ref: ", ""},
	{"", "\xff", ""}, {"", "\x00", ""}, {"", "“", ""}, {"", "é_ ", ""}, {"", "a`", ""}, {"", "\\ `a`_", ""}, {"", "``", ""}, {"", "` `", ""},
}

func TestHostile(t *testing.T) {
	nested := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "- == ==\n")
		}
		return b.String()
	}
	shapes := append(slices.Clone(hostile), scantest.Shape{nested(600), "   a\n", ""}, scantest.Shape{"", nested(100), ""})
	scantest.Shapes(t, shapes, 100<<10, func(src []byte) {
		s := Scanner{Anchors: true, Mentions: true}
		for range s.Scan(src) {
		}
	})
}

// Every shape in CPU time and memory.
func TestShapes(t *testing.T) {
	scantest.Table(t, scantest.Inputs(hostile...), 1<<20, func(src []byte) {
		s := Scanner{Anchors: true, Mentions: true}
		for range s.Scan(src) {
		}
	})
}

// TestManyExtlinks pins that a document with n roles of sphinx.ext.extlinks takes linear time: each has forms of its own.
func TestManyExtlinks(t *testing.T) {
	run := func(n int) func() {
		links := map[string]string{}
		var src strings.Builder
		for i := range n {
			role := "r" + strconv.Itoa(i)
			links[role] = "https://h/%s"
			src.WriteString(":" + role + ":`x`\n")
		}
		return func() {
			s, found := Scanner{Extlinks: links}, 0
			for item := range s.Scan([]byte(src.String())) {
				if item.Op == scan.Ref {
					found++
				}
			}
			if found != n {
				t.Errorf("%d of %d references", found, n)
			}
		}
	}
	const n = 12000
	scantest.Linear(t, "extlinks", 0, run(n), run(4*n))
}
