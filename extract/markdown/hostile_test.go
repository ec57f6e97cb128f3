package markdown

import (
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// Every shape that takes goldmark, or might take us, longer than linear time.
var hostile = []scantest.Shape{
	{"", "[a](", ""}, {"", "*a_", ""}, {"# ", "*a_", ""}, {"", "[a](<b", ""}, {"", "[x]:\n", ""}, {"", "* ", ""}, {"", "1) ", ""}, {"", "> ", ""}, {"", "- ", "a"}, {"", "* a\n", ""},
	{"", "[^1]: a\n\n", ""}, {"", "a[^1]\n\n[^1]: b\n\n", ""}, {"", "[", ""}, {"", "![", ""}, {"", "](", ""}, {"", "**a", ""}, {"", "a**b", ""}, {"", "<!--", ""}, {"", "a <!--", ""},
	{"", "a <?", ""}, {"", "a <!A", ""}, {"", "a <![CDATA[", ""}, {"", "a <b c='", ""}, {"", "a <b ", ""}, {"", "a <b c", ""}, {"", "<", ""}, {"", "<a", ""}, {"", "&", ""}, {"", "\\", ""},
	{"| a |\n|---|\n", "| [b](c) |\n", ""}, {"| a |\n|---|\n", "|", ""}, {"", "| a ", "\n|---|"}, {"", "http://a.b/ ", ""}, {"", "www.a.b ", ""}, {"", "a@b.c ", ""}, {"", "http://a.b/(", ""}, {"", "# a\n", ""}, {"", "a\n=\n", ""},
	{"", "[a]", ""}, {"", "[a][b]", ""}, {"", "][b", ""}, {"", "[a][", ""}, {"[", "a", "](b)"}, {"", "[a](b)", ""}, {"", "[a](b 'c", ""}, {"", "[a](b (c", ""}, {"", "[a](b \"", ""}, {"[a](", "(", ""}, {"[a](", "b", ")"}, {"", "[[", ""}, {"", "[[a]]", ""},
	{"", "[a]: b\n", ""}, {"", "[a]: <b\n", ""}, {"", "[a]: b 'c\n", ""}, {"", "[a\n", ""}, {"", "```\n", ""}, {"", "~~~\na\n", ""}, {"", "`a``b", ""}, {"", "` ", ""}, {"`", "a`` ", ""}, {"", "<div>\n", ""}, {"", "<div>\n\n", ""}, {"", "a <b>\n", ""}, {"", "a <b>\n\n", ""},
	{"---\n", "a: http://b\n", "---\n"}, {"---\n", "a\n", ""}, {"---\n", "://", "\n---\n"}, {"---\n", "http://", "\n---\n"}, {"", "import 'a'\n", ""}, {"", "<A to='b'>\n", ""}, {"", "<A {", ""}, {"", "a <A '", ""}, {"", "\t", "a"}, {"", " \n", ""}, {"", "a\n", ""}, {"", "\n", ""}, {"", "a  \n", ""}, {"", "- a\n\n", ""}, {"", "> a\n\n", ""},
	{"", "> a\nb\n", ""}, {"", "1. a\n", ""}, {"a\n", "2) [b](", ""}, {"a\n", "2) [b](\n", ""}, {"", "- [b](\n", ""}, {"", "- a\n  [b](", "\n"},
	{"", "- a\n\n", "\tb"}, {"", "- a\n\n", "<"}, {"", "- a\n* b\n\n", "<"}, {"", "| a |\n", "<"}, {"", "`a` ", "`"}, {"", "[a](b) ", "["}, {"", "```\n", "a"}, {"", "# `a`\n", ""}, {"", "a\n# b\n", "<"}, {"- a\n", "\n", " b"}, {"", "[a] ", ""}, {"", "<b>", ""},
}

func TestHostile(t *testing.T) {
	scanners := []*Scanner{{}, {WikiLinks: true, MDX: true, Anchors: true}}
	for _, name := range []string{"mkdocs", "docusaurus"}[:scantest.Amount(0, 2)] {
		scanners = append(scanners, &Scanner{Dialect: dialects[name], Anchors: true, Mentions: true})
	}
	for _, s := range scanners {
		scantest.Shapes(t, hostile, 64<<10, func(src []byte) {
			for range s.Scan(src) {
			}
		})
	}
}

// What dialects add.
var hostileDialects = map[string][]scantest.Shape{
	"mkdocs": {
		{"", "!!! a\n    b\n", ""}, {"", "!!! a\n", ""}, {"", "=== \"a\"\n\n", ""}, {"", "!!! \"", ""}, {"", "a\n: b\n", ""}, {"", ": ", "a"}, {"", "a\n\n:   ", "b"},
		{"", "<div markdown>\n", ""}, {"", "<div>\n", "</div>"}, {"", "<div>\n\n", "</div>"}, {"", "<div markdown", ""}, {"", "<div markdown\n", ""}, {"", "<div><div>\n", ""}, {"", "<a\n", ""},
		{"", "{: #a }", ""}, {"", "{", ""}, {"", "{: #a", ""}, {"a\n", "{: #a }\n", ""}, {"", "{ a=\"", ""}, {"", "# a { #", "}\n"}, {"", "`a`{ #b }", ""}, {"# ", "{", "}"},
		{"", "--8<-- \"a\"\n", ""}, {"", "--8<--\n", ""}, {"", "--8<--\na\n", ""}, {"", "-8<-", ""}, {"", "/// a | b\n", ""}, {"", "a: b\n", ""}, {"", "a: ", ""}, {"", "</div>\n", ""},
	},
	"hugo": {
		{"", "{{< ", ""}, {"", "{{< a >}}", ""}, {"", "{{< a ", ">}}"}, {"", "{{< ref \"a\" >}}", ""}, {"", "[a]({{< ref \"a\" >}})", ""}, {"", "{{% a %}}\n", ""}, {"", "{{< a=\"", " >}}"}, {"", "{{< a b=c", " >}}"},
		{"[a](", "{{< ref \"a\" >}}", ")"}, {"", "<a href=\"{{< ref \"a\" >}}\">", ""}, {"<a href=\"", "{{< ref \"a\" >}}", "\">"}, {"", "{{", ""}, {"", "{{< a src=b >}}", ""}, {"{{< a ", "src=b ", ">}}"},
		{"---\n", "link: a\n", "---\n"}, {"---\n", "link: {", "\n---\n"}, {"---\n", "=", "\n---\n"}, {"---\n", "link: a/b, ", "\n---\n"}, {"---\n", "link", ":\n---\n"},
	},
	"jekyll": {
		{"", "{% ", ""}, {"", "{% a %}", ""}, {"", "{% raw %}", ""}, {"", "{% comment %}", ""}, {"", "{% raw %}{% endraw %}", ""}, {"", "{{ site.baseurl }}", ""}, {"[a](", "{{ site.baseurl }}", ")"}, {"", "[a]({{ site.baseurl }}/b)", ""},
		{"", "{{ \"a\" | url }}", ""}, {"", "{{", ""}, {"", "{{ \"", ""}, {"", "{:", ""}, {"", "a\n{: #b}\n", ""}, {"", "{% link a %}", ""}, {"[a](", "{% link a %}", ")"}, {"[a](", "{{ site.baseurl }}{% link a %}", ")"},
	},
	"docusaurus": {
		{"", "{", ""}, {"", "{'", ""}, {"", "{\"\\", ""}, {"", "{/*", ""}, {"", "{a}", ""}, {"", "{\n", ""}, {"", "{", "}"}, {"", "<A ", ""}, {"", "<A>\n", ""}, {"", "<A><", ""}, {"", "<A b=\"", ""}, {"", "<A b={", ""}, {"", "<A b={c}/>", ""},
		{"", "import a\n", ""}, {"", "import a\n\n", ""}, {"", "export {\n\n", ""}, {"", "    a\n", ""}, {"", "     ```\n", ""}, {"", "      # a\n", ""}, {"", ":::a\n", ""}, {"", "<>", ""}, {"", "`{", ""}, {"", "` `` ", ""}, {"", "<img src={'a'}/>", ""},
		{"", "<A b='c'\n", ""}, {"", "<A\n", ""}, {"", "[a](b{c}) ", ""},
		{"", "{<a href='b'/>}", ""}, {"{", "<a href='b'>", "}"}, {"{", "<a b={", "}"}, {"", "{<a b={", "}/>}"}, {"{", "<a b={c}/>", "}"}, {"{", "<a '", "}"}, {"{<a>", "</", "}"},
		{"{", "<a>`'\"//", "}"}, {"{", "/*", "*/}"}, {"{<a>", "/*`", "</a>}"}, {"{<a>", "{`", "</a>}"}, {"{", "<>{", "}"}, {"{", "<a b='{' c={'", "}"}, {"{", "(<A {...b} {...c}/>),", "}"},
		{"", "<A b=\"\n", ""}, {"", "<A b='<A c=\"", ""}, {"", "<A\n>\n", ""}, {"", "<A {...b}\n", ""}, {"<A\n", "b\n", ">"}, {"<A\n", "b={c}\n", ">"}, {"", "<A b={<A\nc=\"d\"\n/>}\n/>\n", ""}, {"", "<A b=\"<A\nc='\" ", ">"},
	},
	"vitepress": {
		{"", "<<< a\n", ""}, {"", "<!-- @include: a -->", ""}, {"", "<!-- @include: a", ""}, {"", "<!-- @include: a -->\n", ""}, {"", "::: a\n", ""}, {"", "::: a\n:::\n", ""}, {"", "a {#b}\n", ""}, {"", "a {#b}\n\n", ""}, {"", "<!--@include:", "-->"},
	},
	"nuxt": {
		{"", "::a\n", ""}, {"", "::a\n::\n", ""}, {"", "::a{b=c}\n", ""}, {"", "::a{b=", "}\n"}, {"", ":a[", "]"}, {"", ":a[b]{to=c} ", ""}, {"", ":a{to=b} ", ""}, {"", ":a{", "}"}, {"", "[a]{#b} ", ""}, {"", "]{", ""}, {"", ":a{b='", ""},
		{"::a\n---\n", "to: b\n", "---\n"}, {"::a\n---\n", "{to: b, ", "\n---\n"}, {"", "::a\n---\n", ""}, {"", "::a\n---\n---\n", ""}, {"", "  ", "::a\n"}, {"", "#a\n", ""}, {"", "`a`{b} ", ""}, {"", "]{\n", ""}, {":a{", "b\n", "}"}, {":a[", ":a[", ""},
	},
	"mdbook": {{"", "{{#include a}}", ""}, {"", "{{#include a}}\n", ""}, {"", "{{#", ""}, {"", "{{#include ", ""}, {"", "```\n{{#include a}}\n", ""}, {"", "{{#include a}} ", ""}},
	"myst": {
		{"", "```{note}\n", ""}, {"", "````{a}\n```{note}\n", ""}, {"", ":::{note}\n", ""}, {"", ":::{note}\n:::\n", ""}, {"", "(a)=\n", ""}, {"", "(", ")=\n"}, {"", "% a\n", ""}, {"", "{ref}`a` ", ""}, {"", "{ref}`a <", ""}, {"", "{ref}`", ""},
		{"```{toctree}\n", "a\n", ""}, {"```{toctree}\n", "a <b>\n", ""}, {"```{note}\n", ":a: b\n", ""}, {"```{note}\n---\n", "a: b\n", ""}, {"```{toctree}\n", "<", ""}, {"", "```{", ""}, {"", "~~~{note} a\n", ""}, {"", "+++\n", ""},
	},
	"obsidian": {{"", "[[a#b|c]]", ""}, {"", "a ^b\n", ""}, {"", "a ^b\n\n", ""}, {"", "^", ""}, {"", "![[a]]\n", ""}, {"", "a ^", ""}},
}

func TestHostileDialects(t *testing.T) {
	for name, shapes := range hostileDialects {
		t.Run(name, func(t *testing.T) {
			s := &Scanner{Dialect: dialects[name], Anchors: true, Mentions: true}
			scantest.Shapes(t, shapes, 64<<10, func(src []byte) {
				for range s.Scan(src) {
				}
			})
		})
	}
}

// Blocks in blocks, each line one deeper, and then lines that go through all of them.
func TestDeepDialects(t *testing.T) {
	for name, first := range map[string]string{"mkdocs": "!!! a", "myst": "```{note}"} {
		var src []byte
		for i := range 400 {
			if name == "mkdocs" {
				src = append(src, strings.Repeat("    ", i)...)
			}
			src = append(src, first+"\n"...)
		}
		src = append(src, strings.Repeat("\n", 100_000)...)
		began := scantest.Clock()
		for range (&Scanner{Dialect: dialects[name]}).Scan(src) {
		}
		if took := scantest.Clock() - began; scantest.IsLong() && took > 5*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// The limit of blocks within blocks counts those that contain others, and a list with its items once.
func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		src   string
		stops bool
	}{
		{strings.Repeat(">", maxDepth) + "a", false},
		{strings.Repeat(">", maxDepth) + "# a", false},
		{strings.Repeat(">", maxDepth+1), true},
		{strings.Repeat("- ", maxDepth) + "a", false},
		{strings.Repeat("- ", maxDepth+1) + "a", true},
	} {
		got := show(new(Scanner), tt.src)
		if strings.Contains(got, "more than 100 deep") != tt.stops {
			t.Errorf("%d bytes, %.3s: %q", len(tt.src), tt.src, got)
		}
	}
}

// Lists in lists, each line one deeper: the size is that of all their indentation.
func TestStaircase(t *testing.T) {
	stairs := func(n int) (src []byte) {
		for i := range n {
			for range i {
				src = append(src, "  "...)
			}
			src = append(src, "- [a](b)\n"...)
		}
		return src
	}
	for _, n := range []int{50, 500, 2000} {
		refs := 0
		for it := range new(Scanner).Scan(stairs(n)) {
			if it.In == "link" {
				refs++
			}
		}
		if refs != n {
			t.Errorf("%d links of %d", refs, n)
		}
	}
}
