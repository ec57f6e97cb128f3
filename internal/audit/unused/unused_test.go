package unused

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestScan(t *testing.T) {
	tests := []struct {
		name, files string // candidates below /t, by commas
		file, text  string
		isCode      bool
		want        string // those that are unused, and suffixes of which nothing is known
	}{
		{"nothing", "a.png,b/c.pdf", "d.md", "no name", false, "a.png,b/c.pdf"},
		{"by name", "x/a.png,y/a.png,y/b.png", "d.md", "see `a.png`.", false, "y/b.png"},
		{"by path from the file", "a.png,x/a.png,y/a.png", "x/d.md", "![](a.png)", false, "a.png,y/a.png"},
		{"by path upwards", "a.png,x/a.png,y/a.png", "x/d.md", "![](../y/a.png)", false, "a.png,x/a.png"},
		{"by the end of a path", "static/img/a.png,static/b/a.png", "x/d.md", "![](/img/a.png)", false, "static/b/a.png"},
		{"by two names", "public/img/a.png,b/a.png", "x/d.md", "![](/base/img/a.png)", false, "b/a.png"},
		{"by a path that leads nowhere", "static/a.png,x/b.png", "x/d.md", "https://site.example/base/a.png ../y/b.png", false, ""},
		{"escaped and with spaces", "my pic (1).png,my b.png,o.png", "d.md", "![](my%20pic%20(1).png) \"my b.png\"", false, "o.png"},
		{"at the end of a sentence", "a.png", "d.md", "It is in a.png.", false, ""},
		{"a path of Windows", "img/a.png", "d.md", `img\a.png`, false, ""},
		{"stems in code", "a/logo.svg", "x.js", `icon("logo")`, true, ""},
		{"stems in documents", "a/logo.svg", "d.md", `the logo`, false, "a/logo.svg"},
		{"stems that are values", "a/logo.svg,a/x.svg", "d.md", "icon: logo", false, "a/x.svg"},
		{"any suffix", "a/fig.svg,a/fig.pdf", "a/d.rst", ".. figure:: fig.*", false, ""},
		{"patterns in code", "a.png,b.svg", "x.js", `glob("img/*.png")`, true, "b.svg,1 .png"},
		{"patterns in prose", "a.png", "d.md", `all *.png`, false, "a.png"},
		{"names that code puts together", "a.png,b.svg,c.gif", "x.js", "`${x}.png` + name + \".svg\"; [\".gif\", \".jpg\"]", true, "c.gif,1 .png,1 .svg"},
		{"it names itself", "a.svg", "a.svg", `<svg docname="a.svg">`, false, "a.svg"},
		{"binary", "a.png", "x.bin", "\x00a.png", true, "a.png"},
		{"asked for", "favicon.ico,apple-touch-icon-57.png", "d.md", "", false, ""},
		{"a long word", "a.png", "d.md", strings.Repeat("x", maxWord+1) + "/a.png a.png", false, ""},
	}
	for _, test := range tests {
		var files []string
		for name := range strings.SplitSeq(test.files, ",") {
			files = append(files, "/t/"+name)
		}
		f := New(append(files, files...))
		err := f.Scan("/t/"+test.file, strings.NewReader(test.text), test.isCode)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		all, unknown := f.Unused()
		for _, p := range all {
			got = append(got, strings.TrimPrefix(p, "/t/"))
		}
		for _, ext := range Suffixes(unknown) {
			got = append(got, fmt.Sprintf("%d %s", unknown[ext], ext))
		}
		if s := strings.Join(got, ","); s != test.want {
			t.Errorf("%s: got %q, want %q", test.name, s, test.want)
		}
	}
}

func TestUse(t *testing.T) {
	f := New([]string{"/a.png", "/b.png", "/c.md"})
	f.Use("/a.png")
	f.Use("/z.png")
	f.Use("")
	if got, _ := f.Unused(); f.Len() != 2 || !slices.Equal(got, []string{"/b.png"}) {
		t.Errorf("%q", got)
	}
}

// TestOften: many files with one name or stem, each mentioned often, must not take the product.
func TestOften(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var files []string
	for i := range 20_000 {
		files = append(files, fmt.Sprintf("/t/%d/a.png", i))
	}
	f := New(files)
	words := []string{"a ", "a.png ", "7/a.png ", "../a.png ", "x/y/a.* "}
	var b strings.Builder
	for range 100_000 {
		b.WriteString(words[r.IntN(len(words))])
	}
	for range 10 {
		err := f.Scan("/t/x.js", strings.NewReader(b.String()), true)
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := f.Unused(); len(got) > 0 {
		t.Errorf("%d unused", len(got))
	}
}
