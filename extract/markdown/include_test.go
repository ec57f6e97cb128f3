package markdown

import (
	"slices"
	"testing"

	"example.org/refract/extract/scan"
)

// Each dialect has the notations of its own program for lines that include a file.
func TestNotationsOfIncludes(t *testing.T) {
	const src = "--8<-- \"snippet.md\"\n\n<!-- @include: ./vite.md -->\n\n<<< ./code.js\n\n@[code](./vue.js)\n\n{{#include book.md}}\n\n[!INCLUDE [x](fx.md)]\n"
	for name, tt := range map[string]struct {
		includes Includes
		want     []string
	}{
		"none":      {0, nil},
		"snippets":  {Snippets, []string{"snippet.md"}},
		"VitePress": {VitePressInclude, []string{"./vite.md", "./code.js"}},
		"VuePress":  {VuePressEmbed, []string{"./vue.js"}},
		"mdBook":    {MdBookInclude, []string{"book.md"}},
		"DocFX":     {DocFXInclude, []string{"fx.md"}},
	} {
		var got []string
		s := Scanner{Dialect: Dialect{Includes: tt.includes, Bare: BareNone}}
		for it := range s.Scan([]byte(src)) {
			if it.Op == scan.Ref && (it.Labels&scan.Include != 0 || it.How == scan.Directive || it.Kind == scan.Embed) {
				got = append(got, string(it.Value))
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A file that a block shows as code is named by the first block of an item, too, but not in fenced code, and "@[codepen]" names none.
func TestBlocksOfIncludes(t *testing.T) {
	const src = "- <<< ./a.js\n1. > @[code{1-3} js](./b.js)\n\n```md\n<<< ./no.js\n@[code](./no.js)\n```\n\n@[codepen](./no.js)\n@[code js{1}](./c.js)\n@[code{2}](./d.js)\n"
	var got []string
	s := Scanner{Dialect: VuePress}
	for it := range s.Scan([]byte(src)) {
		if it.How == scan.Directive {
			got = append(got, it.In+" "+string(it.Value))
		}
	}
	want := []string{"<<< ./a.js", "@[code] ./b.js", "@[code] ./c.js", "@[code] ./d.js"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
