package lsp

import (
	"strings"
	"testing"

	"example.org/refract/extract"
)

// "|" is the cursor, and what is wanted is "before, then the name or fragment in brackets";
// "" is none.
var destinations = []struct{ name, text, want string }{
	// Markdown.
	{"a.md", "[x](|", "path []"},
	{"a.md", "[x](|)", "path []"},
	{"a.md", "see [x](gu|ide.md) and", "path [guide.md]"},
	{"a.md", "see [x](gu| and more", "path [gu]"},
	{"a.md", "[x](sub/gu|", "path sub/[gu]"},
	{"a.md", "[x](su|b/guide.md)", "path [sub]/"},
	{"a.md", "[x](/a/|b)", "path /a/[b]"},
	{"a.md", "[x](../|", "path ../[]"},
	{"a.md", "[x](guide.md#|", "anchor guide.md[]"},
	{"a.md", "[x](guide.md#in|tro)", "anchor guide.md[intro]"},
	{"a.md", "[x](#|", "anchor []"},
	{"a.md", "[x](gu|ide.md#intro)", "path [guide.md]"},
	{"a.md", "[x](<my f|ile.md>)", "path [my file.md]"},
	{"a.md", "[x](<my f|", "path [my f]"},
	{"a.md", "[x](<my f|ile and more", "path [my file]"},
	{"a.md", "[x](<a>|", ""},
	{"a.md", "[x](a\\(b/|", "path a(b/[]"},
	{"a.md", "[x](a&amp;b/|", "path a&b/[]"},
	{"a.md", "[x](a&#35;b/|", "path a#b/[]"},
	{"a.md", "[x](a%20b/|", "path a%20b/[]"},
	{"a.md", "[x](a(b)c|", "path [a(b)c]"},
	{"a.md", "[x](a) |", ""},
	{"a.md", "[x](a)|", ""},
	{"a.md", "[x](a \"tit|le\")", ""},
	{"a.md", "[x](a?b|", ""},
	{"a.md", "[x](a?b#c|", "anchor a?b[c]"},
	{"a.md", "[a](b) [x](|", "path []"},
	{"a.md", "![a](|", "path [] pictures"},
	{"a.md", "![a [b] c](|", "path [] pictures"},
	{"a.md", "[![a](b.png)](|", "path []"},
	{"a.md", "[![a](|", "path [] pictures"},
	{"a.md", "[x]: |", "path [] both"},
	{"a.md", "> [x]: <a|", "path [a] both"},
	{"a.md", "[x]:a/|", "path a/[] both"},
	{"a.md", "[x]: a b|", ""},
	{"a.md", "[^x]: a|", ""},
	{"a.md", "[x]|", ""},
	{"a.md", "é](\r\n[x](𝄞|\r\n", "path [𝄞]"},
	{"a.md", "[x](\n|", ""},
	{"a.md", "<a href=\"|", "path []"},
	{"a.MD", "<img src='a/b|.png'>", "path a/[b.png] pictures"},
	{"a.md", "plain | text", ""},
	{"a.md", "|", ""},
	// HTML and MDX.
	{"a.html", "<a href=\"|\">", "path []"},
	{"a.html", "<a href=\"gu| class=\"x\">", "path [gu]"},
	{"a.html", "<a class='x' href = 'g#|'>", "anchor g[]"},
	{"a.html", "<a href=\"x\">|", ""},
	{"a.html", "<a title=\"|", ""},
	{"a.html", "<a href=\"it's|", "path [it's]"},
	{"a.html", "<link href=\"|", "path [] all"},
	{"a.html", "<p style=\"background:url(|", "path [] all"},
	{"a.html", "<p style=\"background:url('a|')", "path [a] all"},
	{"a.html", "[x](|", ""},
	{"a.svg", "<image xlink:href=\"|", "path [] pictures"},
	{"a.mdx", "<Link to=\"|", "path [] all"},
	// CSS.
	{"a.css", "a { background: url(|", "path [] all"},
	{"a.css", "a { background: url( \"x/|y\" )", "path x/[y] all"},
	{"a.css", "a { background: url(x) |", ""},
	{"a.css", "href=\"|", ""},
	{"a.txt", "[x](|", ""},
	{"a", "[x](|", ""},
}

func TestDestinations(t *testing.T) {
	for _, test := range destinations {
		at := strings.Index(test.text, "|")
		text := test.text[:at] + test.text[at+1:]
		d, ok := destinationAt(extract.Config{}, test.name, []byte(text), at)
		got := ""
		if ok {
			got = "path "
			if d.isAnchor {
				got = "anchor "
			}
			got += d.before + "[" + text[d.start:d.end] + "]"
			if d.hasSlash {
				got += "/"
			}
			document, picture, other := d.accepts("a.md"), d.accepts("a.png"), d.accepts("a.zip")
			switch {
			case document && picture && other:
				got += " all"
			case document && picture:
				got += " both"
			case picture:
				got += " pictures"
			}
		}
		if got != test.want {
			t.Errorf("%s: %q: %q, want %q", test.name, test.text, got, test.want)
		}
	}
}
