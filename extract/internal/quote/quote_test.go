package quote

import (
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

func TestAny(t *testing.T) {
	for _, tt := range []struct {
		ref, want string
		at        scan.Place
	}{
		{"a(b)|&amp;", `a\(b\)\|&amp;amp;`, scan.Place{How: scan.Inline, Before: '('}},
		{"a(b)", "a(b)", scan.Place{How: scan.Inline, Before: '<'}},
		{"&;&a b;&a", "&;&a b;&a", scan.Place{How: scan.Inline}},
		{`a"b&c`, "a&#34;b&amp;c", scan.Place{How: scan.Attribute, Before: '"'}},
		{`a"b c`, "a&#34;b&#32;c", scan.Place{How: scan.Attribute, Before: '='}},
		{`a'b`, `a\27 b`, scan.Place{How: scan.CSS, Before: '('}},
		{`a&b`, `a\26 b`, scan.Place{How: scan.CSS, In: "a/style", Before: '('}},
		{`a&b`, `a&b`, scan.Place{How: scan.Bare}},
	} {
		if got, ok := Any(nil, tt.ref, tt.at); string(got) != tt.want || !ok {
			t.Errorf("%s: got %s, want %s", tt.ref, got, tt.want)
		}
	}
}

// What formats need that quote in their own way. TestQuoteBack of package extract reads what is written.
func TestQuoteMarkup(t *testing.T) {
	for _, tt := range []struct {
		quote func([]byte, string, scan.Place) ([]byte, bool)
		ref   string
		at    scan.Place
		want  string
		ok    bool
	}{
		{RST, "a b_", scan.Place{How: scan.Inline}, `a\ b\_`, true},
		{RST, "a_b", scan.Place{How: scan.Reference}, "a_b", true},
		{RST, "a\nb", scan.Place{How: scan.Inline}, "a", false},
		{RST, "a\"b", scan.Place{How: scan.Attribute, Before: '"'}, "a&#34;b", true},
		{RST, "x`", scan.Place{How: scan.Role, In: "doc"}, "x`", false},
		{ASCIIDoc, "a b[1].adoc", scan.Place{How: scan.Macro, In: "xref:"}, "a%20b%5B1%5D.adoc", true},
		{ASCIIDoc, "a,b", scan.Place{How: scan.Macro, In: "<<>>"}, "a", false},
		{ASCIIDoc, "a\nb", scan.Place{How: scan.Macro, In: "link:"}, "a", false},
		{ASCIIDoc, "a,b", scan.Place{How: scan.Macro, In: "link:"}, "a,b", true},
		{ASCIIDoc, "a>>b", scan.Place{How: scan.Macro, In: "<<>>"}, "", false},
		{ASCIIDoc, "a'b", scan.Place{How: scan.CSS, Before: '\''}, `a\27 b`, true},
		{Org, "a[b", scan.Place{How: scan.Bare}, "a[b", true},
		{Org, `a(b)|&amp;[c]\d`, scan.Place{How: scan.Inline}, `a(b)|&amp;\[c\]\\d`, true},
		{ASCIIDoc, "{x}", scan.Place{How: scan.Macro, In: "xref:"}, "", false},
		{Plain, "a(b)", scan.Place{}, "a(b)", true},
		{Plain, "a[b", scan.Place{}, "", false},
		{Djot, "a(b)&amp;", scan.Place{How: scan.Inline}, `a\(b\)&amp;`, true},
		{Djot, "a b", scan.Place{How: scan.Reference}, "", false},
		{Typst, `a"\`, scan.Place{How: scan.Quoted, Before: '"'}, `a\"\\`, true},
		{Typst, `a"`, scan.Place{}, "", false},
		{JSON, `a"\`, scan.Place{How: scan.JSON}, `a\"\\`, true},
		{JSON, "a\tb", scan.Place{How: scan.JSON}, "", false},
		{HLS, "a?b&c", scan.Place{How: scan.Attribute, Before: '"'}, "a?b&c", true},
		{HLS, `a"b`, scan.Place{How: scan.Attribute, Before: '"'}, "", false},
		{HLS, `a"b`, scan.Place{}, `a"b`, true},
		{Texinfo, "a@b,c{d}", scan.Place{How: scan.Macro}, "a@@b@comma{}c@{d@}", true},
		{Texinfo, "a,b", scan.Place{}, "a,b", true},
		{LaTeX, "a_b#c", scan.Place{How: scan.Macro}, "a_b#c", true},
		{LaTeX, "a_b#c", scan.Place{}, `a\_b\#c`, true},
		{LaTeX, "a{b", scan.Place{}, "", false},
	} {
		got, ok := tt.quote(nil, tt.ref, tt.at)
		if ok != tt.ok || ok && string(got) != tt.want {
			t.Errorf("%q in %v: %q, %v", tt.ref, tt.at.How, got, ok)
		}
	}
}

func TestUnfinished(t *testing.T) {
	for _, tt := range []struct {
		find func([]byte) (scan.Unfinished, bool)
		line string // up to the cursor; "|" is where the reference begins
		kind scan.Kind
	}{
		{UnfinishedMarkdown, "[a](|x", scan.Link},
		{UnfinishedMarkdown, "![a](<|x y", scan.Embed},
		{UnfinishedMarkdown, "> [a]: |x", scan.Definition},
		{UnfinishedMarkdown, "<a href=\"|x", scan.Link},
		{UnfinishedHTML, "<image xlink:href='|x", scan.Embed},
		{UnfinishedHTML, "<a href=\"<p src='|x", scan.Text}, // the inner one, whose end comes first
		{UnfinishedHTML, "<a title='<p src=\"|x", scan.Text},
		{UnfinishedHTML, "<a title='a' href = \"|x", scan.Link},
		{UnfinishedHTML, "<p style=\"a: url('|x", scan.Text},
		{UnfinishedCSS, "a: url( |x", scan.Text},
		{UnfinishedMarkdown, "[a](x y", 0},
		{UnfinishedMarkdown, "[a](x)", 0},
		{UnfinishedHTML, "[a](x", 0},
		{UnfinishedCSS, "href=\"x", 0},
	} {
		start := strings.IndexByte(tt.line, '|')
		u, ok := tt.find([]byte(strings.Replace(tt.line, "|", "", 1)))
		if ok != (start >= 0) || ok && (u.Start != start || u.Kind != tt.kind) {
			t.Errorf("%q: %+v, %v", tt.line, u, ok)
		}
	}
}

// FuzzUnfinished: what is found lies in the line, and Quote never fails.
func FuzzUnfinished(f *testing.F) {
	f.Add("[a](<b", "x(y)")
	f.Add("<a href='", "&a;")
	f.Fuzz(func(t *testing.T, line, ref string) {
		for _, find := range []func([]byte) (scan.Unfinished, bool){UnfinishedMarkdown, UnfinishedHTML, UnfinishedCSS} {
			if u, ok := find([]byte(line)); ok && (u.Start < 0 || u.Start > len(line)) {
				t.Fatalf("%q: starts at %d", line, u.Start)
			}
		}
		for how := scan.Bare; how <= scan.Macro; how++ {
			Any(nil, ref, scan.Place{How: how})
		}
	})
}
