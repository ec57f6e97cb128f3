package built

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/slash"
)

// read reads a build of the files in a list of names and texts, in turn.
func read(t *testing.T, url string, files ...string) *Site {
	t.Helper()
	m := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		m[path.Join("out", files[i])] = &fstest.MapFile{Data: []byte(files[i+1]), ModTime: time.Unix(int64(1000+i), 0)}
	}
	b := Read(context.Background(), tree.FS(m), 1, []Dir{{Path: "/out", Shown: "out", URL: url, Around: []string{"/"}}})
	return b.Sites[0]
}

// Symbolic links make 2⁴⁰ directories of 40.
func TestLinkedDirectories(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		at := fmt.Sprintf("%s/%d", dir, i)
		if err := os.MkdirAll(at, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"x", "y"} {
			if err := os.Symlink(fmt.Sprintf("../%d", i+1), at+"/"+name); err != nil {
				t.Skip(err)
			}
		}
	}
	b := Read(context.Background(), tree.Disk(), 1, []Dir{{Path: slash.Path(dir), Shown: "out"}})
	if !b.Sites[0].IsPartial {
		t.Error("all directories are read")
	}
}

func TestPlace(t *testing.T) {
	const a, b = "guide/index.html", "guide/setup.html"
	tests := []struct{ name, url, link, want string }{
		{"no links", "", "", "/"},
		{"at the root", "", "<a href=/guide/setup>", "/"},
		{"below a path", "", "<a href=/docs/guide/setup>", "/docs/"},
		{"below two", "", "<a href='/a/b/guide/setup.html?x#y'>", "/a/b/"},
		{"the longest prefix is not the best", "", "<a href=/docs/guide/setup><a href=/docs/guide/>", "/docs/"},
		{"most links decide", "", "<a href=/docs/guide/setup><a href=/docs/guide/setup.html><a href=/guide/>", "/docs/"},
		{"none leads to a file", "", "<a href=/x/y>", unknownPrefix},
		{"the base element", "", "<base href=/b/><a href=/docs/guide/setup>", "/b/"},
		{"a base element without a slash", "", "<base href=/b><a href=/docs/guide/setup>", "/docs/"},
		{"a base element on another host", "", "<base href=//b/><a href=/docs/guide/setup>", "/docs/"},
		{"the canonical URL", "", "<link rel=canonical href=https://x.example/c/guide/>", "/c/"},
		{"a canonical URL without a slash", "", "<link rel=canonical href=https://x.example/c/guide>", "/c/"},
		{"links before the canonical URL", "", "<link rel=canonical href=https://x.example/c/guide/><a href=/docs/guide/setup>", "/docs/"},
		{"its URL", "https://x.example/u", "<a href=/docs/guide/setup>", "/u/"},
		{"too deep", "", "<a href=/1/2/3/4/5/6/7/guide/setup>", unknownPrefix},
		{"escaped", "", "<a href=/d%C3%B6cs/guide/setup>", "/döcs/"},
		{"links to hosts", "", "<a href=//docs/guide/setup>", "/"},
	}
	for _, test := range tests {
		s := read(t, test.url, a, test.link, b, "")
		if s.Prefix != test.want {
			t.Errorf("%s: %q: %q, want %q", test.name, test.link, s.Prefix, test.want)
		}
	}
	s := read(t, "", a, "<link rel=canonical href=https://x.example/c/guide/index.html>", b, "<link rel=canonical href=http://y.example/guide/none>")
	if s.Origin != "https://x.example" {
		t.Errorf("origin %q", s.Origin)
	}
	if s := read(t, "", a, "<a href=/guide><a href=/guide/setup/>", b, ""); !s.lacksSlash {
		t.Error("links to directories have no slash")
	}
}

func TestServes(t *testing.T) {
	s := read(t, "", "index.html", "<a href=/docs/guide/setup>", "guide/index.html", "<link rel=canonical href=https://x.example/docs/guide/>", "guide/setup.html", "", "file.pdf", "",
		"_redirects", "/docs/old /docs/guide/\n/docs/lost /docs/none\n/docs/away https://y.example/\n/docs/loop /docs/loop2\n/docs/loop2 /docs/loop\n")
	for _, test := range []struct {
		origin, p string
		isBelow   bool
		want      What
	}{
		{"", "/docs/", false, Alive}, {"", "/docs", false, Alive}, {"", "/docs/guide", false, Alive}, {"", "/docs/guide/setup", false, Alive}, {"", "/docs/file.pdf", false, Alive},
		{"", "/docs/none", false, NoPage}, {"", "/guide/", true, Alive}, {"", "/none/", true, NoPage}, {"", "/elsewhere/", false, Unknown},
		{"https://www.x.example", "/docs/guide/", false, Alive}, {"https://z.example", "/docs/guide/", false, Unknown},
		{"", "/docs/old", false, Alive}, {"", "/docs/lost", false, NoPage}, {"", "/docs/away", false, Unknown}, {"", "/docs/loop", false, Unknown},
	} {
		if got := s.build.Serves(test.origin, test.p, test.isBelow); got.What != test.want {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}

func TestPayloads(t *testing.T) {
	s := read(t, "", "a.html", "<link rel=modulepreload href=/assets/a.js><link rel=modulepreload href=/assets/both.js>", "b.html", "<script src=assets/both.js></script>",
		"c.html", `<script>self.push([1,"{\"filePath\":\"docs/c.mdx\"}"])</script>`, "d/index.html", "", "e.html", "", "f.html", "",
		"assets/a.js", `const d=JSON.parse('{"title":"A","relativePath":"x/moved.md","filePath": "docs/a.md"}')`, "assets/both.js", `{"filePath":"docs/both.md"}`,
		"assets/d.js", `JSON.parse('{"source":"@site/docs/d.md","slug":"/d","permalink":"/d","previous":{"permalink":"/e"}}')`,
		"assets/list.json", `[{"permalink":"/e","source":"@site/docs/e.md"},{"permalink":"/f","tags":[{}],"source":"@site/docs/f.md"}]`,
		"assets/large.js", `{"permalink":"/f","source":"docs/large.md"}`+strings.Repeat(" ", maxPayload), "assets/text.js", `"see docs/x.md" + "source" + "y.md"`)
	named := s.Payloads(func(p *Page) bool { return p.Name != "b.html" })
	var got []string
	for p, sources := range named {
		got = append(got, p.Name+" "+strings.Join(sources, " "))
	}
	slices.Sort(got)
	if want := []string{"a.html docs/a.md docs/both.md", "c.html docs/c.mdx", "d/index.html @site/docs/d.md", "e.html @site/docs/e.md"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTraces(t *testing.T) {
	for _, test := range []struct{ page, want string }{
		{`<body data-source="docs/a.md" data-other="x">`, "docs/a.md"},
		{`<meta name="docurl" content="https://x.example/blob/main/docs/a.md/#L1"><meta name=title content="README.md">`, "https://x.example/blob/main/docs/a.md"},
		{`<article class="x" data-path="a.rst"><p data-path="b.rst">`, "a.rst"},
		{`<main title="a.md"><meta name="description" content="read docs/a.md">`, ""},
		{`<a href="https://x.example/edit/main/a.md">`, "https://x.example/edit/main/a.md"},
		{`<main data-source="a.md`, ""},
	} {
		s := read(t, "", "x.html", test.page)
		if got := strings.Join(s.Pages[0].Traces, " "); got != test.want {
			t.Errorf("%q: %q, want %q", test.page, got, test.want)
		}
	}
}

func TestCopyOf(t *testing.T) {
	s := read(t, "", "a.html", `<a href="_sources/a.rst.txt">`, "b.html", `<a href="_sources/b.rst.txt">`, "c.html", `<a href="_sources/c.rst.txt">`, "_sources/a.rst.txt", "text", "_sources/b.rst.txt", "other")
	for i, want := range []copyState{Same, Differs, noCopy} {
		p := s.Pages[i]
		if got := p.CopyOf("/docs/"+strings.TrimSuffix(p.Name, ".html")+".rst", func() []byte { return []byte("text") }); got != want {
			t.Errorf("%s: %v, want %v", p.Name, got, want)
		}
	}
}

// What is not there, is cut, or cannot be read leaves nothing to conclude.
func TestTruncated(t *testing.T) {
	s := read(t, "", "a.html", "<main><h1>A</h1><a href='b.html'>", "b.html", "<main><h1 id=x>B</h1><p id='y", "c/index.html", "")
	if p := s.Pages[1]; !p.hasID("x") || p.hasID("y") {
		t.Errorf("%+v", p)
	}
	whole := "<html><h1 id=x>A</h1></html>\n"
	s = read(t, "", "a.html", whole, "b.html", whole, "c.html", "<html><h1 id=x>A</h1><h2 id=", "d.html", "", "piece.html", "<p>", "sitemap.xml",
		"<urlset><url><loc>https://x.example/a.html</loc></url><url><loc>https://x.example/b</loc></url><url><loc>https://x.example/y/</loc></url><url><loc>https://x.example/z</loc></url>")
	if s.Cut() != 2 || s.Pages[0].isCut || !s.Pages[2].isCut || s.Pages[2].knowsIDs() || s.Unserved != 2 || s.build.Serves("", "/y/", false).What != Unknown {
		t.Errorf("%d pages are cut, %d URLs are not served", s.Cut(), s.Unserved)
	}
	b := Read(context.Background(), failing{tree.FS(fstest.MapFS{"out/a.html": {Data: []byte("<a href=sub/x.html>")}, "out/sub/x.html": {}})}, 1, []Dir{{Path: "/out"}})
	if s := b.Sites[0]; !s.IsPartial || b.Serves("", "/sub/x.html", true).What != Unknown {
		t.Errorf("%+v", s)
	}
	if b := Read(context.Background(), tree.FS(fstest.MapFS{}), 1, []Dir{{Path: "/none"}}); !b.Sites[0].IsPartial || b.Pages() != 0 {
		t.Errorf("%+v", b)
	}
}

// failing is a tree in which one directory cannot be listed.
type failing struct{ tree.Tree }

func (f failing) ReadDir(name string) ([]fs.DirEntry, error) {
	if strings.Contains(name, "/sub") {
		return nil, os.ErrPermission
	}
	return f.Tree.ReadDir(name)
}

// TestSignature pins which spellings of a link are alike: those that a generator makes of one another.
func TestSignature(t *testing.T) {
	alike := [][2][2]string{
		{{"../guide/setup.md", "x"}, {"/base/guide/setup/", "x"}}, {{"setup", ""}, {"setup.html", ""}}, {{"guide/index.md", ""}, {"/guide/", ""}},
		{{"https://h/", "x"}, {"https://h", "x"}}, {{"01-setup.md", ""}, {"setup", ""}}, {{"/guide/README.md", ""}, {"guide", ""}},
	}
	for _, p := range alike {
		if a, b := Signature(p[0][0], p[0][1]), Signature(p[1][0], p[1][1]); a != b || a == 0 {
			t.Errorf("%v: %x, %x", p, a, b)
		}
	}
	other := [][2][2]string{
		{{"setup.md", "x"}, {"setup.md", "y"}}, {{"setup.md", ""}, {"setup.md", "x"}}, {{"a.md", ""}, {"b.md", ""}}, {{"https://h/a", ""}, {"https://i/a", ""}},
		{{"a.md", "b"}, {"b.md", "a"}},
	}
	for _, p := range other {
		if a, b := Signature(p[0][0], p[0][1]), Signature(p[1][0], p[1][1]); a == b {
			t.Errorf("%v: %x", p, a)
		}
	}
	for _, u := range []string{"", "/", "./"} {
		if s := Signature(u, ""); s != 0 {
			t.Errorf("%q: %x", u, s)
		}
		if s := Signature(u, "x"); s == 0 {
			t.Errorf("%q#x: 0", u)
		}
	}
}

// TestHeadings pins what is a heading of a page: h1 to h6 and nothing else, until its end or the next.
func TestHeadings(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"<h1>a</h1><H6>b</H6>", []string{"a", "b"}},
		{"<h0>a</h0><h7>b</h7><hr>c<hx>d</hx><h>e</h><p>f<th>g</th>", nil},
		{"<h2 id=x>a <em>b</em></h2>c", []string{"a b"}},
		{"<h2>a<h3>b</h3>", []string{"a", "b"}},
		{"<script><h1>a</h1></script><!-- <h1>b</h1> --><textarea><h2>c</h2></textarea><h1>d</h1>", []string{"d"}},
		{"<h1>a", nil},
	}
	for _, tt := range tests {
		var z zones
		z.find([]byte(tt.text))
		var want []uint64
		for _, heading := range tt.want {
			want = append(want, Key(heading))
		}
		if !slices.Equal(z.headings, want) {
			t.Errorf("%s: %x, want %x", tt.text, z.headings, want)
		}
	}
}
