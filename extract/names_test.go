package extract

import (
	"slices"
	"strings"
	"testing"
)

// Names of documents and files are references that are not resolved, with a base or without one; no other URL changes.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a.adoc", "xref:module:page.adoc[]\n\nimage::ROOT:pic.png[]\n\ninclude::partial$a.adoc[]\n\nxref:2.0@comp:mod:page.adoc#f[x] xref:p.adoc[] image:b.png[]\n",
			[]string{"module:page.adoc", "ROOT:pic.png", "partial$a.adoc", "2.0@comp:mod:page.adoc#f"}},
		{"a.md", "[[Wiki Page]] [[P#h|text]] ![[e.png]] `[[code]]` {doc}`x` {doc}`t </a/b>` {download}`f.zip` {ref}`l` [c]({{< ref \"post.md\" >}}) {{% relref \"a/b.md#x\" %}} {{< ref path=\"c.md\" >}} {{< figure src=\"x\" >}} [d](e.md)\n",
			[]string{"Wiki Page", "P#h", "e.png", "x", "/a/b", "f.zip", "post.md", "a/b.md#x", "c.md"}},
		{"b.md", "[[ok]](b.md) ![[pic]](p.png) [[d]](https://h.example/a\\_b) [[t]][r] [[t]][] [[r]] [[x|y]][none] [[A]][[B]] [[C]] (d)\n\n[r]: /r\n",
			[]string{"t", "x", "A", "B", "C"}},
	} {
		for _, base := range []string{"", "http://h.example/d/"} {
			var names, others []string
			c := &Config{Names: true, Lines: true}
			c.Retrieved.URI = base
			for ref := range c.Walk(tt.name, strings.NewReader(tt.text)) {
				if ref.Err == ErrName {
					names = append(names, string(ref.Ref))
					if raw := tt.text[ref.Pos.Offset:][:ref.Pos.Length]; raw != string(ref.Ref) || ref.URL != nil {
						t.Errorf("%s: %q at %d is %q, URL %q", tt.name, ref.Ref, ref.Pos.Offset, raw, ref.URL)
					}
				} else {
					others = append(others, string(ref.Ref))
				}
			}
			if !slices.Equal(names, tt.want) {
				t.Errorf("%s: names %q, want %q", tt.name, names, tt.want)
			}
			c.Names = false
			var before []string
			for ref := range c.Walk(tt.name, strings.NewReader(tt.text)) {
				before = append(before, string(ref.Ref))
			}
			if !slices.Equal(before, others) {
				t.Errorf("%s: others %q, without names %q", tt.name, others, before)
			}
		}
	}
}
