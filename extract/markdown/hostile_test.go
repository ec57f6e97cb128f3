package markdown

import (
	"testing"

	"example.org/refract/internal/scantest"
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
}

func TestHostile(t *testing.T) {
	for _, s := range []*Scanner{{}, {WikiLinks: true, MDX: true, Anchors: true}} {
		scantest.Shapes(t, hostile, 64<<10, func(src []byte) {
			for range s.Scan(src) {
			}
		})
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
