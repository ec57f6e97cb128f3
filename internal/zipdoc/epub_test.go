package zipdoc

import (
	"fmt"
	"slices"
	"testing"
)

func TestJoin(t *testing.T) {
	for _, tt := range []struct{ from, ref, want string }{
		{"O/p.opf", "a%20b.xhtml#x", "O/a b.xhtml"}, {"O/p.opf", "../a.xhtml?q", "a.xhtml"}, {"p.opf", "../../a", "a"}, {"O/p.opf", "/a", "a"},
		{"O/p.opf", "http://h/a", ""}, {"O/p.opf", "//h/a", ""}, {"O/p.opf", "", ""}, {"O/p.opf", "#x", ""}, {"O/p.opf", "a%zz", "O/a%zz"}, {"O/p.opf", "./a/", "O/a"},
	} {
		if got := join(tt.from, tt.ref); got != tt.want {
			t.Errorf("%s in %s: %q, want %q", tt.ref, tt.from, got, tt.want)
		}
	}
}

func TestRead(t *testing.T) {
	files := map[string]string{
		ContainerName: `<rootfile full-path="p.opf" media-type="application/oebps-package+xml"/><rootfile full-path="p.opf"/><rootfile full-path="x.pdf" media-type="application/pdf"/>`,
		"p.opf": "<manifest>\n<item id='a' href='a.xhtml' media-type='Application/XHTML+XML' fallback='no'/><item id=' b ' href='b.xhtml'/></manifest>\n" +
			"<spine toc='ncx'><itemref idref='b'/><itemref idref='a'/><itemref idref='c'/></spine>",
	}
	b := ReadBook(func(name string) []byte { return []byte(files[name]) })
	var missing []string
	for _, m := range b.Missing {
		missing = append(missing, fmt.Sprintf("%s %s %d:%d %s", m.Package, m.In, m.Line, m.Column, files["p.opf"][m.Offset:m.Offset+len(m.ID)]))
	}
	want := []string{"p.opf item/fallback 2:74 no", "p.opf spine/toc 3:13 ncx", "p.opf itemref/idref 3:74 c"}
	if !slices.Equal(b.Packages, []string{"p.opf"}) || !slices.Equal(b.Spine, []string{"b.xhtml", "a.xhtml"}) || !slices.Equal(missing, want) {
		t.Errorf("%q, %q, %q", b.Packages, b.Spine, missing)
	}
	if b.Items[0].Type != "application/xhtml+xml" {
		t.Error(b.Items[0])
	}
	names := []string{"z", "a.xhtml", "b.xhtml", "p.opf", "mimetype"}
	if got := b.Order(names); !slices.Equal(got, []int{4, 3, 2, 1, 0}) {
		t.Error(got)
	}
}
