package built

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
)

var whats = map[What]string{Unknown: "unknown", Elsewhere: "elsewhere", Alive: "alive", NoPage: "no page", NoID: "no id"}

// outcome is what an outcome says, in a line.
func outcome(o Outcome) string {
	s := whats[o.What]
	for _, more := range []string{o.Why.String(), o.File, o.Fragment} {
		if more != "" {
			s += ", " + more
		}
	}
	if o.Other != "" {
		s += ", perhaps " + o.Other
	}
	return s
}

// links returns a line for each link of a page.
func links(l *Linker, p *Page) (all []string) {
	for _, k := range l.Links(p) {
		all = append(all, k.Ref+": "+outcome(k.Outcome))
	}
	return all
}

func page(s *Site, name string) *Page {
	return s.Pages[slices.IndexFunc(s.Pages, func(p *Page) bool { return p.Name == name })]
}

// A link points to what a host of static files would serve there, or it says why that is not known.
func TestLinks(t *testing.T) {
	const whole = "<html><h1 id=x>A</h1><p id='a b'></html>"
	s := read(t, "https://h.example/b/",
		"index.html", `<html><a href="a.html">a</a><a href=a#x>a</a><a href="a#none">a</a><a href="a#a%20b">a</a><a href="a#TOP">a</a><a href="a#/route">a</a><a href="a#!s">a</a><a href="a#s=1">a</a><a href="a#x:~:text=y">a</a>`+
			`<a href="A.HTML">a</a><a href="Dir/Page">a</a><a href="a.html/">a</a><a href="file.pdf/">a</a><a href="a/">a</a><a href="dir">a</a><a href="dir/">a</a><a href="dir/Page.html#none">a</a><a href="none?q">a</a>`+
			`<a href="https://h.example/b/a.html">a</a><a href="https://h.example/c">a</a><a href="https://h.example/dir/page">a</a><a href="https://h.example/a.md">a</a><a href="https://h.example/b">a</a><a href="http://h.example/b/a">a</a>`+
			`<a href="mailto:a@h.example">a</a><a href="http://[">a</a><img src="data:,x"><img src="no.png"><area href="#none"><a href="?q#x">a</a><a href="">a</a></html>`,
		"a.html", whole, "dir/index.htm", "<html></html>", "dir/Page.html", "<html>", "file.pdf", "", "ä b.html", whole)
	want := []string{
		"a.html: alive, a.html", "a#x: alive, a.html, x", "a#none: no id, a.html, none", "a#a%20b: alive, a.html, a%20b", "a#TOP: alive, a.html, TOP",
		"a#/route: unknown, a script of the page reads the fragment, a.html, /route", "a#!s: unknown, a script of the page reads the fragment, a.html, !s",
		"a#s=1: unknown, a script of the page reads the fragment, a.html, s=1", "a#x:~:text=y: alive, a.html, x:~:text=y",
		"A.HTML: no page", "Dir/Page: no page, perhaps dir/Page.html", "a.html/: no page, perhaps a.html", "file.pdf/: no page, perhaps file.pdf",
		"a/: unknown, some hosts serve x.html at x/, perhaps a.html", "dir: alive, dir/index.htm", "dir/: alive, dir/index.htm",
		"dir/Page.html#none: unknown, the ids of the file are not known, dir/Page.html, none", "none?q: no page",
		"https://h.example/b/a.html: alive, a.html", "https://h.example/c: unknown, outside the site, on the same host", "https://h.example/dir/page: unknown, outside the site, on the same host",
		"https://h.example/a.md: no page, perhaps a.html", "https://h.example/b: alive, index.html", "http://h.example/b/a: elsewhere",
		"mailto:a@h.example: elsewhere", "http://[: unknown, the build made no valid URL of it", "data:,x: alive", "no.png: no page", "#none: no id, index.html, none",
		"?q#x: no id, index.html, x", ": alive, index.html",
	}
	if got := links(NewLinker(), page(s, "index.html")); !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("%q, want %q", got[min(i, len(got)-1):][:1], want[min(i, len(want)-1):][:1])
			}
		}
	}
	if got := page(s, "dir/index.htm").Shown(); got != "out/dir/index.htm" || !s.build.holds("/out/x") || s.build.holds("/other/x") {
		t.Error(got)
	}
}

// A link has its place, its zone, its text, and a signature that its source may have, too.
func TestLinkFields(t *testing.T) {
	s := read(t, "", "a.html", `<html><a href=b.html#x>Before</a><nav><a href=b>N</a><main><a href="/b.html">N</a></main></nav><MAIN><a href=#x>Say <b>hello</b></a><nav-bar><a href=c>C</a></nav-bar>`+
		`<img src=i.png alt="&Auml; picture!"><template><a href=t>T</a></template><img data-src=l.png><script src=s.js></script><link rel=stylesheet href=s.css><iframe src=f.html></iframe></main><a href=d>D</a></html>`,
		"b.html", `<html><a href=x>X</a><nav><a href=y>Y</a></nav><a href=z>Z</a></html>`)
	zones := map[Zone]string{Content: "content", Other: "other", Nav: "nav"}
	var l Linker = *NewLinker()
	list := func(name string) (all []string) {
		for _, k := range l.Links(page(s, name)) {
			if string(l.Text[k.Pos:][:len(k.Ref)]) != k.Ref {
				t.Errorf("%s is not at %d", k.Ref, k.Pos)
			}
			all = append(all, fmt.Sprintf("%s %s %s embedded %v hidden %v", k.In, k.Ref, zones[k.Zone], k.IsEmbedded, k.IsHidden))
		}
		return all
	}
	want := []string{
		"a/href b.html#x other embedded false hidden false", "a/href b nav embedded false hidden false", "a/href /b.html nav embedded false hidden false", "a/href #x content embedded false hidden false",
		"a/href c content embedded false hidden false", "img/src i.png content embedded true hidden false", "a/href t content embedded false hidden true", "img/data-src l.png content embedded true hidden true",
		"script/src s.js content embedded true hidden false", "link/href s.css content embedded true hidden false", "iframe/src f.html content embedded true hidden false", "a/href d other embedded false hidden false",
	}
	if got := list("a.html"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	all := l.Links(page(s, "a.html"))
	if all[3].Text != Key("say hello") || all[5].Text != Key("ä, Picture") || all[3].Sig != Signature("", "x") || all[0].Sig != Signature("../b.md", "x") || all[0].Sig == all[1].Sig {
		t.Errorf("%+v", all)
	}
	if got := list("b.html"); !slices.Equal(got, []string{"a/href x content embedded false hidden false", "a/href y nav embedded false hidden false", "a/href z content embedded false hidden false"}) {
		t.Errorf("without a main element: %q", got)
	}
}

// What is remembered of a page does not hold for the next one, unless the reference begins with a slash and no base element says otherwise.
func TestLinksOfPages(t *testing.T) {
	s := read(t, "https://h.example/", "a.html", `<html><a href=x>x</a><a href=x>x</a><a href=/x>x</a></html>`, "d/b.html", `<html><a href=x>x</a><a href=/x>x</a><base href="/e/"><a href=x>x</a><a href=/x>x</a></html>`,
		"d/c.html", `<html><base href="/e/"><a href=x>x</a></html>`, "d/d.html", `<html><base href="../e/"><a href=x>x</a></html>`, "d/x.html", "", "x.html", "", "e/x.html", "")
	l := NewLinker()
	for _, tt := range []struct {
		page, want string
		isBased    bool
	}{
		{"a.html", "x: alive, x.html x: alive, x.html /x: alive, x.html", false}, {"d/c.html", "x: alive, e/x.html", true}, {"d/d.html", "x: alive, e/x.html", false}, {"a.html", "x: alive, x.html x: alive, x.html /x: alive, x.html", false},
	} {
		if got := strings.Join(links(l, page(s, tt.page)), " "); got != tt.want || l.IsBased != tt.isBased {
			t.Errorf("%s: %s, based %v, want %s", tt.page, got, l.IsBased, tt.want)
		}
	}
}

// In a build whose links to directories have no slash, what is right without one may be right.
func TestLinksWithoutSlash(t *testing.T) {
	s := read(t, "", "index.html", "<a href=/guide><a href=/guide/setup>", "guide/index.html", `<html><a href="setup">s</a><a href="guide/setup">s</a><a href="none">n</a></html>`, "guide/setup.html", "<html></html>")
	if !s.lacksSlash {
		t.Fatal("links to directories have no slash")
	}
	got := strings.Join(links(NewLinker(), page(s, "guide/index.html")), "; ")
	if want := "setup: alive, guide/setup.html; guide/setup: unknown, it is right only if the URL of the page has no slash at its end; none: no page"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Of several sites, the one with the longest path has a URL; links to one whose URL is not known point nowhere.
func TestLinksBetween(t *testing.T) {
	m := fstest.MapFS{
		"a/index.html": {Data: []byte(`<html><a href="/v2/x">x</a><a href="https://h.example/v2/x">x</a><a href="/x">x</a><a href="/v2/y">y</a><a href="/v2">z</a></html>`)}, "a/x.html": {Data: []byte("<html></html>")},
		"b/x.html": {Data: []byte(`<html><a href="/x">x</a><a href="../y">y</a></html>`)}, "b/index.html": {Data: []byte("<html></html>")}, "c/y.html": {Data: []byte(`<html><a href="https://h.example/x">x</a><a href="y">y</a></html>`)},
	}
	b := Read(context.Background(), tree.FS(m), 1, []Dir{{Path: "/a", URL: "https://h.example/"}, {Path: "/b", URL: "https://h.example/v2/"}, {Path: "/c"}})
	var got []string
	l := NewLinker()
	for _, s := range b.Sites {
		for _, p := range s.Pages {
			got = append(got, s.Path+"/"+p.Name+": "+strings.Join(links(l, p), "; "))
		}
	}
	want := []string{
		"/a/index.html: /v2/x: alive, x.html; https://h.example/v2/x: alive, x.html; /x: alive, x.html; /v2/y: no page; /v2: alive, index.html", "/a/x.html: ",
		"/b/index.html: ", "/b/x.html: /x: alive, x.html; ../y: no page", "/c/y.html: https://h.example/x: alive, x.html; y: alive, y.html",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i, file := range []string{"/b/x.html", "/b/index.html"} {
		if got := l.Links(page(b.Sites[0], "index.html"))[4*i].Page; got == nil || got.Site.Path+"/"+got.Name != file {
			t.Errorf("link %d leads to %+v, want %s", 4*i, got, file)
		}
	}
}

// The ids of a page are those of the headings that they point to: within it, or right before it.
func TestAnchors(t *testing.T) {
	long := strings.Repeat("<br>", 300)
	s := read(t, "", "a.html", `<html><body id=top><h1 id=a>A</h1>text<a id=b></a> <section id=c>
<h2><a name=d></a>B</h2></section><p id=e>text<h2>A <i id=f>B</i></h2><h2>B</h2><div id=g>x</div><a id=far></a>`+long+`<h2>C</h2></html>`,
		"cut.html", "<html><h1 id=x>A</h1><h2 id=", "whole1.html", "<html></html>", "whole2.html", "<html></html>", "moved.html", `<html><meta http-equiv=refresh content="0;url=a.html"><h1 id=x>A</h1></html>`)
	var got []string
	for _, a := range page(s, "a.html").Anchors() {
		heading := "none"
		for _, text := range []string{"A", "B", "A B", "C"} {
			if a.Heading == Key(text) {
				heading = fmt.Sprintf("%s %d", text, a.Nth)
			}
		}
		got = append(got, a.ID+": "+heading)
	}
	want := []string{"top: A 0", "a: A 0", "b: B 0", "c: B 0", "d: B 0", "e: none", "f: A B 0", "g: none", "far: none"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, name := range []string{"cut.html", "moved.html"} {
		if all := page(s, name).Anchors(); all != nil {
			t.Errorf("%s: %v", name, all)
		}
	}
}

// The state of a build changes with a name, a size and a time of its files, and with where they are published.
func TestState(t *testing.T) {
	m := fstest.MapFS{"out/a.html": {Data: []byte("a")}, "out/b/c.html": {Data: []byte("c")}}
	state := func(url string) uint64 { return State(tree.FS(m), []Dir{{Path: "/out", URL: url}}) }
	was := state("")
	seen := map[uint64]string{was: "as it was"}
	if state("") != was {
		t.Error("the same build has two states")
	}
	see := func(what, url string) {
		if other := seen[state(url)]; other != "" {
			t.Errorf("%s: the state is that %s", what, other)
		}
		seen[state(url)] = what
	}
	see("with a URL", "https://h.example/")
	m["out/b/c.html"].Data = []byte("cc")
	see("with a longer page", "")
	m["out/b/c.html"].ModTime = m["out/b/c.html"].ModTime.Add(1000)
	see("with a later page", "")
	m["out/b/d.html"] = &fstest.MapFile{}
	see("with another page", "")
	delete(m, "out/a.html")
	see("without a page", "")
}

// A page that is too large, or gone, has no links, and its ids are unknown.
func TestUnread(t *testing.T) {
	m := fstest.MapFS{"out/a.html": {Data: []byte("<html><a id=x href=b></html>")}, "out/large.html": {Data: make([]byte, maxPage+1)}}
	b := Read(context.Background(), tree.FS(m), 1, []Dir{{Path: "/out"}})
	l := NewLinker()
	large, a := page(b.Sites[0], "large.html"), page(b.Sites[0], "a.html")
	delete(m, "out/a.html")
	if l.Links(large) != nil || !large.IsUnread || large.knowsIDs() || large.Anchors() != nil {
		t.Errorf("%+v", large)
	}
	if l.Links(a) != nil || a.Anchors() != nil || !a.hasID("x") {
		t.Errorf("%+v", a)
	}
}
