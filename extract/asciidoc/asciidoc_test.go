package asciidoc

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// A testCase is a line of testdata/cases.jsonl: a document, and what is in it. The cases were made
// for this project, and their results are those of Asciidoctor 2.0.18.
type testCase struct {
	Name    string    `json:"name"`
	Text    string    `json:"text"`
	Refs    []testRef `json:"refs"`
	Anchors []string  `json:"anchors"`
	Implied []string  `json:"implied"`
	Uses    []testRef `json:"uses"`
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
			var got, want, ids, made, madeWant []string
			if slices.ContainsFunc(c.Refs, func(r testRef) bool { return strings.HasPrefix(r.In, "raw:") }) {
				for _, r := range c.Refs {
					want = append(want, "part with "+r.Ref)
				}
				c.Refs = nil
			}
			s := Scanner{Anchors: true, Mentions: true}
			for it := range s.Scan([]byte(c.Text)) {
				switch it.Op {
				case scan.Ref, scan.Mention:
					if it.Labels&scan.Conditional != 0 {
						continue
					}
					ref := string(it.Value)
					switch {
					case it.IgnoresBase:
						ref = ref[1:]
					case it.Loose && it.In == "image:": // without imagesdir
						ref = c.Text[it.Span.Start:it.Span.End]
					case it.Loose:
						made = append(made, ref)
						continue
					case it.Op == scan.Mention:
						it.Kind = scan.Link
					}
					got = append(got, fmt.Sprintf("%s %s %s %d+%d", it.Kind, it.In, ref, it.Span.Start, it.Span.End-it.Span.Start))
				case scan.Part:
					_, value, _ := strings.Cut(string(it.Value), "=\"")
					value, _, _ = strings.Cut(value, "\"")
					got = append(got, "part with "+value)
				case scan.Anchor:
					ids = append(ids, string(it.Value))
				}
			}
			for _, r := range c.Refs {
				want = append(want, fmt.Sprintf("%s %s %s %d+%d", r.Kind, r.In, r.Ref, r.Offset, r.Length))
			}
			madeWant = c.Implied
			for _, u := range c.Uses {
				madeWant = append(madeWant, u.Ref)
			}
			if len(madeWant) > 0 && !slices.Equal(made, madeWant) {
				t.Errorf("made %q, want %q", made, madeWant)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
			if c.Anchors != nil && !slices.Equal(ids, c.Anchors) {
				t.Errorf("ids\n\t%q\nwant\n\t%q", ids, c.Anchors)
			}
		})
	}
}

var hostile = []scantest.Shape{
	{"", "[", ""}, {"", "[[", ""}, {"", "[[a", ""}, {"", "[[a]] ", ""}, {"", "[#a]#", ""}, {"", "[#", ""}, {"", "]", ""}, {"", "link:", ""}, {"", "link:a", ""}, {"", "link:a[", ""},
	{"", "link:a[] ", ""}, {"", "link:++a", ""}, {"", "xref:", ""}, {"", "xref:a[", ""}, {"", "xref:a#b[] ", ""}, {"", "<<", ""}, {"", "<<a", ""}, {"", "<<a>> ", ""}, {"", "<<a,", ""},
	{"", "http://", ""}, {"", "http://a", ""}, {"", "http://a[", ""}, {"", "http://a[] ", ""}, {"", "irc://a ", ""}, {"http://a", ".", ""}, {"", "http://a) ", ""}, {"", "image:a[", ""},
	{"", "image:a[link=b] ", ""}, {"link:a[", "image:b", "]"}, {"link:a[", "image:b[", "]"}, {"", "image::a[link=b]\n", ""}, {"image::a[", "link=b,", "]\n"}, {"", "a@b.cc ", ""}, {"", "a@", ""}, {"", "@", ""},
	{"", "{a}", ""}, {"", "{", ""}, {":a: http://h/\n\n", "{a}", ""}, {":a: http://h/\n\n", "{a} ", ""}, {":a: {a}{a}\n\n", "{a}/x[] ", ""},
	{":a: http://h/\n:b: {a}{a}{a}{a}{a}{a}{a}{a}\n:c: {b}{b}{b}{b}{b}{b}{b}{b}\n:d: {c}{c}{c}{c}{c}{c}{c}{c}\n:e: {d}{d}{d}{d}{d}{d}{d}{d}\n\n", "{e}[] ", ""},
	{"", ":a: b\n", ""}, {"", ":a: http://b\n", ""}, {":a: b \\\n", "c \\\n", ""}, {"", "+", ""}, {"", "+a ", ""}, {"", "+a+ ", ""}, {"", "++a", ""}, {"", "+++a", ""}, {"", "+++<a href=x>+++", ""}, {"", "$$", ""}, {"", "$$a", ""},
	{"", "pass:[", ""}, {"", "pass:[<a href=x>] ", ""}, {"", "stem:[", ""}, {"", "menu:a[", ""}, {"", "\\", ""}, {"", "\\http://a ", ""}, {"", "`a ", ""}, {"a\n=\n\n", "`a ", ""}, {"", "`", ""}, {"", "*http://a* ", ""},
	{"", "\n", ""}, {"", " ", ""}, {"", "\t", "x"}, {"", "a\n", ""}, {"", "a\n\n", ""}, {"", "a\n-\n", ""}, {"", "aa\n--\n", ""}, {"", "= a\n", ""}, {"", "== a\n\n", ""}, {"", "== a\n", ""}, {"", "----\n", ""}, {"", "----\na\n", ""},
	{"----\n", "include::a[]\n", ""}, {"", "////\n", ""}, {"", "--\n", ""}, {"", "====\n", ""}, {"", "|===\n", ""}, {"|===\n", "|a ", ""}, {"|===\n", "|a\n", ""}, {"|===\n", "2+^.^s|a\n", ""}, {"|===\n", "9", "|a"}, {",===\n", "a,", ""},
	{"", "ifdef::a[]\n", ""}, {"", "ifdef::a[]\nendif::[]\n", ""}, {"", "ifdef::a[http://b]\n", ""}, {"ifdef::", "a,", "b[]\n"}, {"", "ifeval::[\"a\" == \"b\"]\n", ""}, {"", "endif::[]\n", ""}, {"", "include::a[]\n", ""},
	{"", "[source]\n", ""}, {"", "[source]\na\n\n", ""}, {"[", "a,", "]\n"}, {"[", "a=b,", "]\n"}, {"[", "a=\"", "]\n"}, {"", "[#a]\n", ""}, {"", "* a\n", ""}, {"", "* ", ""}, {"", "1. ", ""}, {"", "a:: b\n", ""}, {"", "a::", ""}, {"", "::", ""},
	{"= a\n", "b <c@d>; ", "\n"}, {"= a\n", "<", "\n"}, {"", "\xff", ""}, {"", "\x00", ""}, {"", "é", ""}, {"", "+\n", ""}, {"", ".a\n", ""}, {"", "```\n", ""}, {"", "++++\n<a href=x>\n++++\n", ""}, {"", "anchor:a[] ", ""},
	{"", "xref:a b ", ""}, {"", "xref:a b ", "["}, {"", "xref:a b[] ", ""}, {"", "xref::a[] ", ""}, {"", "link:a[+b[c]+] ", ""}, {"", "link:a[+b[", ""}, {"", "`+a[", ""}, {":x: xref:a\n\n", "{x}[] ", ""}, {"", ":a: pass:q[link:b[]]\n", ""},
	{"|===\na|\n", "----\na\n", ""}, {"|===\n", "a|\n----\n", ""}, {"", "ifdef::a[:b: c]\n", ""}, {"", "ifdef::a[include::b[]]\n", ""}, {"", "a::\n\n b\n", ""}, {"", "http://<a>", ""}, {"", "http://<a> ", ""}, {"", "http://a> ", ""},
	{"[cols=\"", "1a,", "\"]\n|===\n|a\n|===\n"}, {"[cols=9*a]\n|===\n", "|a\n[#b]\n", ""}, {"|===\n", ".2+a|b\n", ""}, {"", "[cols=a]\n|===\n", ""}, {"|===\n", "99999*|a", ""},
	{"", "ifdef::a[]\n|===\n", ""}, {"", "ifdef::a[]\n----\nendif::a[]\n", ""}, {"", "ifdef::a[]\n|===\nendif::a[]\n", ""}, {"link:a", "&amp;", "[]"}, {"", "link:&#91;[] ", ""}, {"link:", "&", "[]"},
	{"", "[[{a}]] ", ""}, {"", "[id={a}]\n", ""}, {":m: link\n\n", "{m}:", ""}, {":m: xref\n\n", "{m}:a[] ", ""}, {"", "xlink:a[] ", ""}, {"", "、link:", ""}, {"", "\u3000http://a", ""},
	{"", "[[a", "]]"}, {"", "[[a ", "]]"}, {"", "[[{a}", "]]"}, {"", "[", "a]]]]"},
	{"", "[link=a]\nimage::b[]\n", ""}, {"image::a[", "xref=b,", "]\n"}, {"", "icon:a[link=b] ", ""}, {"", "= a link:b[c", ""}, {"", "== link:b[c]\n", ""}, {"== ", "link:b[c] ", "\n"}, {"== ", ":[", "\n"}, {"== ", "link:", "\n"},
}

func TestHostile(t *testing.T) {
	scantest.Shapes(t, hostile, 100<<10, func(src []byte) {
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
