package markup

import (
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// The destinations of links that typst 0.15.2 finds in a document, but in the last rows: URLs in strings are shown as text, the scheme may
// have any case, braces stay in a URL of running text, and nothing is evaluated. TestSource has what is no link.
func TestTypstOracle(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"#link(\"https://h/a\")[x]", "https://h/a"},
		{"https://h/a(b).", "https://h/a(b)"},
		{"https://h/a,b", "https://h/a,b"},
		{"#link(\"mailto:a@b.org\")", "mailto:a@b.org"},
		{"https://h/a_b_", "https://h/a_b_"},
		{"`https://h/a`", ""},
		{"// https://h/a", ""},
		{"/* https://h/a */ x", ""},
		{"#link(\"https://h/\\u{61}\")", "https://h/a"},
		{"#let u = \"https://h/a\"\n#link(u)", "https://h/a"},
		{"\"https://h/a\"", "https://h/a"},
		{"(https://h/a)", "https://h/a"},
		{"[https://h/a]", "https://h/a"},
		{"https://h/a?b=c&d#e;", "https://h/a?b=c&d#e"},
		{"https://h/a\\ b", "https://h/a"},
		{"#[https://h/a]", "https://h/a"},
		{"#emph[see https://h/a!]", "https://h/a"},
		{"$ \"https://h/a\" $", ""},
		{"https://h/a.https://h/b", "https://h/a.https://h/b"},
		{"- https://h/a: x", "https://h/a"},
		{"#link(\"https://h/a\", \"t\")", "https://h/a"},
		{"https://h/[a]b", "https://h/[a]b"},
		{"https://h/a'b'", "https://h/a'b"},
		{"http://h/~x/%20", "http://h/~x/%20"},
		{"#footnote[https://h/a]", "https://h/a"},
		{"#link(\"https://h/a\",)[b]", "https://h/a"},
		{"#text(\"https://h/a\")", "https://h/a"},
		{"HTTPS://h/a", "HTTPS://h/a"},
		{"https://h/a{b}", "https://h/a{b}"},
		{"#raw(\"https://h/a\")", "https://h/a"},
		{"#link((dest: \"x\").dest)[a]", ""},
	} {
		if got := strings.Join(scantest.References(tt.src, new(Typst).Scan([]byte(tt.src))), " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
	}
}

// Names of files, and what is written in other places than links.
func TestTypstSource(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"#image(\"a.png\")", "a.png"},
		{"#include \"b.typ\"", "b.typ"},
		{"#import \"c.typ\": x", "c.typ"},
		{"#import \"@preview/x:1.0\"", ""},
		{"#bibliography((\"a.bib\", \"b.yml\"))", "a.bib b.yml"},
		{"#link(\"a\\\"b\\\\c\\u{}\\q\")", "a\"b\\c\\u{}\\q"},
		{"#link(\"a\\u{110000}\\u{zz}\\u{61\")", "a\\u{110000}\\u{zz}\\u{61"},
		{"#link(\"a\\tb\")", "a\tb"},
		{"#let x = { image(\"d.png\") }", "d.png"},
		{"#if true [#link(\"e\")] else [http://h/f]", "e http://h/f"},
		{"```\n#link(\"a\")\n``` #link(\"b\")", "b"},
		{"$ #link(\"a\") $ #link(\"b\")", "b"},
		{"#show: x => [#link(\"g\")]", "g"},
		{"#link(\"", ""},
		{"\\#link(\"a\")", ""},
		{"#x.link(\"a\")", "a"},
	} {
		if got := strings.Join(scantest.References(tt.src, new(Typst).Scan([]byte(tt.src))), " "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.src, got, tt.want)
		}
	}
}
