package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// The pathological inputs of the tests of cmark and cmark-gfm, made anew from what their names
// say.
var pathological = []scantest.Input{
	{Name: "cmark: nested strong emphasis", Make: func(n int) []byte {
		return []byte(strings.Repeat("*a **a ", n/13) + "b" + strings.Repeat(" a** a*", n/13))
	}},
	{Name: "cmark: nested brackets", Make: nested("[", "a", "]")},
	{Name: "cmark: nested block quotes", Make: nested("> ", "a", "")},
	{Name: "cmark: nested lists", Make: staircase("  ", "* a\n")},
	{Name: "cmark: backticks", Make: func(n int) []byte {
		var b bytes.Buffer
		for i := 1; b.Len() < n; i++ {
			b.WriteString("e" + strings.Repeat("`", i))
		}
		return b.Bytes()
	}},
	{Name: "cmark: many references", Make: func(n int) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < n/2; i++ {
			fmt.Fprintf(&b, "[%d]: u\n", i)
		}
		b.WriteString("\n" + strings.Repeat("[0] ", n/8))
		return b.Bytes()
	}},
	{Name: "cmark: empty lines in nested lists", Make: func(n int) []byte {
		return []byte(strings.Repeat("- ", n/4) + "x" + strings.Repeat("\n", n/2))
	}},
	{Name: "cmark: empty lines in 99 nested lists", Make: func(n int) []byte {
		return []byte(strings.Repeat("- ", 99) + "x" + strings.Repeat("\n", n))
	}},
	{Name: "cmark: empty lines in nested lists in a quotation", Make: func(n int) []byte {
		return []byte("> " + strings.Repeat("- ", 90) + "x\n" + strings.Repeat(">\n", n/2))
	}},
	{Name: "cmark: emphasis in deep quotations", Make: func(n int) []byte {
		return []byte(strings.Repeat(">", n/3) + strings.Repeat("a*", n/3))
	}},
	{Name: "cmark-gfm: a table of n columns and n rows", Make: func(n int) []byte {
		return []byte(strings.Repeat("|a", n/8) + "\n" + strings.Repeat("|-", n/8) + "\n" + strings.Repeat("|\n", n/4))
	}},
	{Name: "cmark-gfm: footnotes in footnotes, line by line", Make: staircase("    ", "[^1]: a\n")},
}

func nested(open, middle, shut string) func(n int) []byte {
	return func(n int) []byte {
		k := n / (len(open) + len(shut))
		return []byte(strings.Repeat(open, k) + middle + strings.Repeat(shut, k))
	}
}

// staircase makes lines each of which is one step deeper.
func staircase(step, line string) func(n int) []byte {
	return func(n int) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(step, i) + line)
		}
		return b.Bytes()
	}
}

var cmark = []scantest.Shape{
	{"", "a_ ", ""}, {"", "_a ", ""}, {"", "a]", ""}, {"", "[a", ""}, {"", "*a_ ", ""}, {"a**b", "c* ", ""}, {"", "[ a_", ""}, {"", "[ (](", ""}, {"", "![[]()", ""}, {"**x [a*b**c*](d)", "*x*", ""},
	{"", "abc\x00de\x00", ""}, {"", "[a](<b", ""}, {"", "[a](b", ""}, {"</", "<!--", ""}, {"", "<?", ""}, {"", "<!A ", ""}, {"", "<![CDATA[", ""}, {"", "aaa\rbbb\n-\v\n", ""}, {"", "~a ", ""}, {"", "a~~ ", ""},
	{"", "*", "a"}, {"", "**", "a**"}, {"", "_", "a_"}, {"", "&#", ""}, {"", "(", ""}, {"", "[^", ""}, {"", "|", "\n-"}, {"x", "|a", "\n"},
}

// Shapes that the budgets are for.
var budgeted = []scantest.Shape{
	{"", "[^1]: ", ""}, {"", "[^1]: ", "a"}, {"", "[^1]: a\n", ""}, {"", "[^1]:\n", ""}, {"", "> [^1]: ", ""}, {"", "- [^1]: ", "[a](b)"}, {"", "[a]: u", ""}, {"", "[a]: u\n", ""}, {"", "[a]: u \"t\"\n", ""}, {"", "[a]: u \"t\n", ""}, {"", "[a]: u\n\n", ""},
	{"", "[a\n]: u\n", ""}, {"", "[a", "]: u"}, {"", "[a]\n", "\n\n[a]: u"}, {"", "[a][]\n", "\n\n[a]: u"}, {"", "[a][a]", "\n\n[a]: u"}, {"", "![a][a] ", "\n\n[a]: u"}, {"", "[b][a]\n", ""}, {"[", "[a](b) ", "]"}, {"[[[[[[[[", "`a` ", "]]]]]]]]"},
	{strings.Repeat("[", 900), "`a` ", strings.Repeat("]", 900)}, {strings.Repeat("![", 450), "x", strings.Repeat("](a)", 450)}, {"", "![", "](a)"}, {"", "![a](b)", ""}, {"", "[![a](b)](c)", ""}, {"", "[](<>)", ""}, {"", "[]()", ""},
	{"", "[a](b \"c\") ", ""}, {"", "<a b=\"c\" ", ""}, {"", "<a b='c'>", ""}, {"", "<a b c\n", ""}, {"", "a <a:", ""}, {"", "a <a@b", ""}, {"", "<http://a>", ""}, {"", "`a` ", ""}, {"", "``a` ", ""}, {"", "\\\n", ""}, {"", "  \n", ""},
	{strings.Repeat("> ", 99), "a\n", ""}, {strings.Repeat("> ", 99) + "a\n", "> ", ""}, {strings.Repeat("- ", 99), "a\n", ""}, {strings.Repeat("- ", 99) + "a", "\n", ""}, {"- a\n", "\n", ""}, {"", "- \n", ""}, {"", "-\n", ""}, {"", "1. \n\n", ""}, {"", "> \n", ""}, {"", "a\n\n", ""}, {"", "# [a](b)\n", ""}, {"", "a\n===\n", ""},
	{"", "- a\n  - b\n", ""}, {"", "* * * ", "a"}, {"", "***\n", ""}, {"", "\ta\n", ""}, {"```\n", "a\n", ""}, {"", "```\n```\n", ""}, {"<div>\n", "a\n", ""}, {"", "<p>\n\n", ""}, {"<pre>\n", "a\n", ""}, {"", "<!-- a -->\n", ""}, {"| a |\n|---|\n", "| a\n", ""}, {"| a |\n|---|\n", "a\n", ""}, {"", "|-\n", ""}, {"", "a|b\n-|-\n\n", ""},
	{"", "[[a]] ", ""}, {"", "[[a|b]]", ""}, {"", "![[", ""}, {"", "{#a}\n", ""}, {"# ", "{#a} ", ""}, {"# ", "![a](b)", ""}, {"---\n", "a: http://b/c\n", "---\n[a](b)"}, {"", "export 'a'\n", ""}, {"", "<A b={c}>", ""}, {"", "a@b.c\n", ""}, {"", "https://a.b/c?d=e&f ", ""},
	{"", "[a](b)\n", ""}, {"", "* [a](b)\n", ""}, {"", "[a](\\b)\n", ""}, {"", "[a](&amp;) ", ""}, {"\xef\xbb\xbf", "[a](b)\r\n", ""}, {"", "[a](b)\n\n", "[c]: d"}, {"", "[x]: y\n\n[x]\n\n", ""},
}

// Shapes of dialects.
var inDialects = []scantest.Shape{
	{"", ":::\n", ""}, {"", "::: a\n", ""}, {"", ":::: a\n", ":::\n"}, {"", "::: a\n:::\n", ""}, {"", "!!! note\n", ""}, {"", "??? note\n    a\n", ""}, {"", "=== \"a\"\n\n    b\n\n", ""}, {"", "/// a\n", ""}, {"", "/// a\n///\n", ""}, {"a\n", ": b\n", ""}, {"", "a\n: b\n\n", ""}, {"", ": ", "a"},
	{"", "```{a}\n", ""}, {"", "```{a}\n```\n", ""}, {"", "{ref}`a` ", ""}, {"", "{a}`", ""}, {"", "(a)=\n", ""}, {"", "% a\n", ""}, {"", ":::{a}\n:b: c\n", ""}, {"", "{", ""}, {"", "{a", ""}, {"", "{a}", ""}, {"", "}", ""}, {"", "<A b={", ""}, {"", "<A b={{}} ", ""}, {"", "<A>{`", ""}, {"", "import a from 'b'\n\n", ""}, {"", "export const a = {\n", ""},
	{"", "{{", ""}, {"", "{{ a }}", ""}, {"", "{%", ""}, {"", "{% a %}", ""}, {"", "{{< a >}}", ""}, {"", "{{% a %}}\n", ""}, {"", "{{< a \"", ""}, {"", "{% raw %}", ""}, {"", "{% comment %}", ""}, {"", "{{ \"a\" | b }}", ""}, {"", "{#", ""}, {"", "{# a #}", ""}, {"", "{{<a b=`", ""}, {"[a](", "{{ b }}", ")"},
	{"", " ^a\n\n", ""}, {"", "a ^b\n", ""}, {"", "[[a#^b|c]]\n", ""}, {"", "![[a]]\n", ""}, {"", "{{#include a}}\n", ""}, {"", "--8<-- \"a\"\n", ""}, {"", "[!INCLUDE [a](b)]\n", ""}, {"", "# a {#b}\n", ""}, {"", "# a {.b #c d=e}\n", ""}, {"", "a\n{: #b}\n", ""}, {"", "{:a", ""}, {"a {", "#b ", "}"}, {"", "- a\n{: #b}\n", ""},
	{"", "<div markdown>\n", ""}, {"", "<div markdown=1>\n\n", "</div>"}, {"", "<a b>\n\n", ""}, {"a: b\n", "c: http://d/\n", "\n"}, {"---\n", "prev: a\n", "---\n"}, {"---\n", "- link: a\n", "---\n"}, {"---\na: |\n", " b\n", "---\n"}, {"---\n", "{", "\n---\n"}, {"---\n", "a: [", "\n---\n"}, {"---\n", "  ", "\n---\n"},
}

// Every shape in CPU time and memory, with all options and with none.
func TestShapes(t *testing.T) {
	inputs := append(pathological, scantest.Inputs(cmark...)...)
	inputs = append(inputs, scantest.Inputs(budgeted...)...)
	inputs = append(inputs, scantest.Inputs(hostile...)...)
	t.Run("all", func(t *testing.T) {
		scantest.Table(t, inputs, 256<<10, drain(&Scanner{WikiLinks: true, MDX: true, Anchors: true, Mentions: true}))
	})
	dialects := scantest.Inputs(inDialects...)
	for name, d := range map[string]Dialect{"MkDocs": MkDocs, "Docusaurus": Docusaurus, "Starlight": StarlightMDX, "Hugo": HugoSite, "Jekyll": Jekyll, "Eleventy": Eleventy, "mdBook": MdBook, "MyST": MyST, "DocFX": DocFX, "Obsidian": Obsidian} {
		t.Run(name, func(t *testing.T) {
			scantest.Table(t, dialects, 256<<10, drain(&Scanner{Dialect: d, Anchors: true, Mentions: true}))
		})
	}
}

func drain(s *Scanner) func(src []byte) {
	return func(src []byte) {
		for range s.Scan(src) {
		}
	}
}
