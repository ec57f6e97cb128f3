package extract

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/internal/testing/scantest"
	"example.org/refract/resolve"

	"golang.org/x/net/html"
)

// urls walks src, named name, and returns its references: "layer url" for each, or the reference and
// why it has no URL.
func urls(c *Config, name, src string) (all []string) {
	for r, err := range c.Walk(name, strings.NewReader(src)) {
		switch {
		case err != nil:
			all = append(all, err.Error())
		case r.Err != nil:
			all = append(all, fmt.Sprintf("%s: %v", r.Ref, r.Err))
		default:
			all = append(all, fmt.Sprintf("%s %s", r.Base.Layer, r.URL))
		}
	}
	return all
}

func TestPageBase(t *testing.T) {
	const retrieved = "http://h/d/p"
	tests := []struct{ sec, name, src, want string }{
		{"000 D", "p.html", `<!doctype html public "-//IETF//DTD HTML//EN">
<HTML><HEAD>
<TITLE>An example HTML document</TITLE>
<BASE href="http://www.ics.uci.edu/Test/a/b/c">
</HEAD><BODY>
... <A href="../x">a hypertext anchor</A> ...
</BODY></HTML>`, "embedded http://www.ics.uci.edu/Test/a/x"},
		{"5.1.3", "p.html", `<a href=x>`, "retrieval http://h/d/x"},
		{"HTML 4.2.3", "p.html", `<a href=x><base href=s/><base href=t/>`, "embedded http://h/d/s/x"},
		{"HTML 4.2.3", "p.html", `<base href="javascript:x"><a href=x>`, "retrieval http://h/d/x"},
		{"HTML 2.4.3", "p.html", `<base href=s/><iframe srcdoc="<a href=x><iframe srcdoc='<base href=t/><a href=y>'></iframe>"></iframe><a href=z>`,
			"encapsulating http://h/d/s/x|embedded http://h/d/s/t/y|embedded http://h/d/s/z"},
		{"HTML 4.01 13.3", "p.html", `<base href=s/><object codebase=c/ data=x usemap=#m>`, "embedded http://h/d/s/c/|embedded http://h/d/s/c/x|retrieval http://h/d/p#m"},
		{"HTML 4.10.21.3", "p.html", `<base href=s/><form action="">`, "retrieval http://h/d/p"},
		{"CSS Values 4 4.5", "p.html", `<base href=s/><p style="a:url(#x);b:url(y)">`, "retrieval http://h/d/p#x|embedded http://h/d/s/y"},
		{"XML Base 4", "p.svg", strings.Repeat(`<g xml:base="x/">`, 300) + `<a href="y"/>`,
			"embedded http://h/d/" + strings.Repeat("x/", 256) + "y"},
		{"XML Base 4", "p.xhtml", `<html xml:base="s/"><a href="x"/><p xml:base="t/"><a href="y"/></p><a href="z"/></html>`,
			"embedded http://h/d/s/x|embedded http://h/d/s/t/y|embedded http://h/d/s/z"},
		{"CSS Values 4 4.5", "p.css", `@import "x"; a { b: url(y) }`, "retrieval http://h/d/x|retrieval http://h/d/y"},
		{"000 5", "p.html", `<base href="mailto:x"><a href=y>`, "y: unsuitable base: mailto URLs have no relative forms"},
	}
	for _, tt := range tests {
		c := Config{Retrieved: base.Source{URI: retrieved, From: "--url"}}
		if got := strings.Join(urls(&c, tt.name, tt.src), "|"); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.sec, tt.src, got, tt.want)
		}
	}
	draft, _ := resolve.RulesNamed("draft")
	c := Config{Rules: draft, Retrieved: base.Source{URI: retrieved, From: "--url"}}
	if got := urls(&c, "p.html", `<base href=s/><form action="">`); len(got) != 1 || got[0] != "embedded http://h/d/s/" {
		t.Errorf("000 section 3, last sentence: %q", got)
	}
}

// A local reference needs no URL of the document.
func TestPageLocal(t *testing.T) {
	var c Config
	for r := range c.Walk("p.html", strings.NewReader(`<svg><use href="#a"/></svg>`)) {
		if r.Err != nil || !r.Result.SameDocument() || string(r.Fragment) != "#a" {
			t.Errorf("%v %v %q", r.Err, r.Result, r.Fragment)
		}
	}
}

// A base that cannot be made absolute is a note, and counts as absent.
func TestPageNotes(t *testing.T) {
	var notes []string
	c := Config{Note: func(n *Note) { notes = append(notes, n.Text) }}
	if got := urls(&c, "p.html", `<base href=s/><a href=x>`); len(got) != 1 || got[0] != "x: no base" {
		t.Errorf("%q", got)
	}
	if len(notes) != 1 || notes[0] != `base: embedded "s/": no outer base` {
		t.Errorf("%q", notes)
	}
}

func TestBaseProbe(t *testing.T) {
	const dir = "../testdata/html/base-probe"
	table, err := os.ReadFile(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line[0] == '#' || f[0] == "file" {
			continue
		}
		rows++
		file, ref, want, why := f[0], f[1], f[2], f[3]
		src, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		c := Config{Retrieved: base.Source{URI: "http://h/d/" + file, From: "--url"}}
		n, times := 0, 1
		if why == "twice" {
			times = 2
		}
		for r := range c.Walk(file, bytes.NewReader(src)) {
			if string(r.Ref) == ref {
				if n++; string(r.URL) != want {
					t.Errorf("%s: %q is %s, want %s (%s)", file, ref, r.URL, want, why)
				}
			}
		}
		if n != times {
			t.Errorf("%s: %q found %d times, want %d", file, ref, n, times)
		}
	}
	if rows != 21 {
		t.Errorf("%d rows, want 21", rows)
	}
}

// Every position leads back to the bytes of the input: through character references,
// documents in attributes, and charsets.
func TestPagePositions(t *testing.T) {
	page := "<a href='x&amp;y'>\n<iframe srcdoc=\"\n&lt;a href=&quot;&amp;amp;z&quot;&gt;\"></iframe>\xe4<a href=\xe4>"
	want := []string{"2:10 x&amp;y", "4:18 &amp;amp;z", "4:58 \xe4"}
	var got []string
	c := Config{Lines: true, Type: "text/html; charset=windows-1252"}
	src := "\n" + page
	for r, err := range c.Walk("p", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d:%d %s", r.Pos.Line, r.Pos.Column, src[r.Pos.Offset:r.Pos.Offset+int64(r.Pos.Length)]))
		if !r.Pos.Exact {
			t.Errorf("%s is not exact", r.Raw)
		}
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The path of a reference is UTF-8, its query in the charset of the page (URL Standard
// section 4.4), wherever that is said.
func TestWalkCharset(t *testing.T) {
	const meta = `<meta charset=windows-1252>`
	tests := []struct{ contentType, src, want string }{
		{"", meta + "<a href='\xe9?\xe9#\xe9'>", "%C3%A9?%E9#%C3%A9"},
		{"", meta + "<a href='&eacute;?&eacute;&#1078;'>", "%C3%A9?%E9%26%231078%3B"},
		{"", "<a href='\xe9?\xe9'>", "%C3%A9?%E9"},
		{"", "<a href='é?é'>", "%C3%A9?%C3%A9"},
		{"text/html; charset=utf-8", meta + "<a href='é?é'>", "%C3%A9?%C3%A9"},
		{"text/html; charset=koi8-r", meta + "<a href='\xc1?\xc1'>", "%D0%B0?%C1"},
		{"", "\xef\xbb\xbf" + meta + "<a href='é?é'>", "%C3%A9?%C3%A9"},
		{"", "<meta charset=shift_jis><a href='\x95\x5c?\x95\x5c'>", "%E8%A1%A8?%95%5C"},
		{"", "<meta charset=iso-2022-jp><a href='\x1b$B0!\x1b(B?x'>", "%E4%BA%9C?x"},
		{"", "\xff\xfe<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00\xe9\x00?\x00\xe9\x00>\x00", "%C3%A9?%C3%A9"},
		{"", meta + "<p style='a:url(\xe9?\xe9)'>", "%C3%A9?%C3%A9"},
	}
	for _, tt := range tests {
		c := Config{Type: tt.contentType, Default: base.Source{URI: "http://h/"}}
		if got := urls(&c, "p.html", tt.src); len(got) != 1 || got[0] != "default http://h/"+tt.want {
			t.Errorf("%s %q: got %q, want %s", tt.contentType, tt.src, got, tt.want)
		}
	}
}

// An entity larger than the limit is scanned as running text, with a note.
func TestMaxEntity(t *testing.T) {
	src := `<a href="http://h/x">` + strings.Repeat("<p>text ", 3<<20/8) + `<a href="y">http://h/z`
	var notes []string
	c := Config{MaxEntity: 2 << 20, Note: func(n *Note) { notes = append(notes, n.Text) }}
	if got := strings.Join(urls(&c, "p.html", src), "|"); got != "none http://h/x|none http://h/z" {
		t.Error(got)
	}
	if len(notes) != 1 || notes[0] != "more than 2097152 bytes: scanned as running text" {
		t.Errorf("%q", notes)
	}
	c.MaxEntity = 0
	if got := len(urls(&c, "p.html", src)); got != 2 {
		t.Errorf("%d references, want those of both tags", got)
	}
}

// Anchors are passed on in order, on request.
func TestAnchors(t *testing.T) {
	var got []string
	c := Config{Lines: true, Anchor: func(a *Anchor) { got = append(got, fmt.Sprintf("%d:%d %s %s", a.Pos.Line, a.Pos.Column, a.In, a.Name)) }}
	urls(&c, "p.html", "<h2 id=a>\n<a name='b&amp;'></a>")
	if want := "1:8 h2/id a|2:10 a/name b&"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// Pages as they are walked, with positions and resolution, beside the tokenizer of
// x/net/html that only looks at names and attributes.
func BenchmarkPages(b *testing.B) {
	all, size := scantest.Corpus(b, "html.tar.xz", ".html")
	b.Run("Walk", func(b *testing.B) {
		c := Config{Lines: true, Retrieved: base.Source{URI: "http://h/d/p.html"}}
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range all {
				for range c.Walk("p.html", bytes.NewReader(src)) {
				}
			}
		}
	})
	b.Run("Tokenizer", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range all {
				z := html.NewTokenizer(bytes.NewReader(src))
				for z.Next() != html.ErrorToken {
					_, more := z.TagName()
					for more {
						_, _, more = z.TagAttr()
					}
				}
			}
		}
	})
}

// Whatever a page holds, the walk ends, and positions are within it.
func FuzzPage(f *testing.F) {
	for _, s := range []string{
		"<base href=x><a href='y&amp;z'>", "<iframe srcdoc=\"<iframe srcdoc='<a href=x>'>\">", "<object codebase=a data=b archive='c d'>",
		"<svg xml:base='a'><use href='#b'/></svg>", "a{b:url(c)}", "<form action=''><p style='a:url(#x)'>", "<meta charset=shift_jis><a href='\x95\x5c?\x95\x5c'>",
		"<rss xml:base='x'><description>&lt;a href='y&amp;amp;z'></description><xhtml:p><a href='w'/></xhtml:p><link>http://v</link>",
	} {
		for t := range uint8(7) {
			f.Add([]byte(s), t)
		}
	}
	types := []string{"text/html", "application/xhtml+xml", "text/css", "text/html; charset=windows-1251", "text/html; charset=utf-16le", "text/html; charset=iso-2022-jp", "text/xml"}
	f.Fuzz(func(t *testing.T, src []byte, choice uint8) {
		c := Config{
			Type: types[int(choice)%len(types)], Lines: true, ParserDifferences: choice&64 != 0, JSONLD: true, Conditional: true, Details: true,
			Note: func(*Note) {}, Anchor: func(*Anchor) {},
		}
		if choice&32 != 0 {
			c.Retrieved = base.Source{URI: "http://h/d/p", From: "--url"}
		}
		for r, err := range c.Walk("p", bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Pos.Offset < 0 || r.Pos.Length < 0 || r.Pos.Offset+int64(r.Pos.Length) > int64(len(src)) || r.Pos.Line < 1 || r.Pos.Column < 1 {
				t.Fatalf("%s: %+v in %d bytes", r.In, r.Pos, len(src))
			}
		}
	})
}
