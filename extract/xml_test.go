package extract

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"example.org/refract/base"
	"example.org/refract/internal/testing/scantest"
)

func TestXMLBase(t *testing.T) {
	// The example of XML Base section 3, and the rules of its sections 3 and 4, in words of our own.
	const today = `<?xml version="1.0"?>
<doc xml:base="http://example.org/today/" xmlns:xlink="http://www.w3.org/1999/xlink">
 <p>See <link xlink:href="new.xml">what is new</link>.</p>
 <list xml:base="/hot/">
  <item><link xlink:href="a.xml"/></item>
  <item xml:base="deep/er?q#f"><link xlink:href="b.xml"/><link xlink:href="#c"/><link xlink:href=""/></item>
 </list>
 <link xlink:href="old.xml" xml:base=""/>
</doc>`
	for _, tt := range []struct{ sec, name, src, want string }{
		{"XML Base 3", "p.xml", today, "embedded http://example.org/today/new.xml|embedded http://example.org/hot/a.xml|embedded http://example.org/hot/deep/b.xml|" +
			"embedded http://example.org/hot/deep/er?q#c|embedded http://example.org/hot/deep/er?q|embedded http://example.org/today/old.xml"},
		{"XML Base 4.2", "p.xml", `<a href="x"><b xml:base="s/" href="y"/></a>`, "retrieval http://h/d/x|embedded http://h/d/s/y"},
		{"XML Base 4.2", "p.xml", `<a xml:base=""><b href="y"/></a>`, "embedded http://h/d/y"},
		{"XML Base 4.2", "p.xml", `<a xml:base="#f"><b href="#y"/></a>`, "embedded http://h/d/p#y"},
		{"XML Base 4.1", "p.xml", `<?xml-stylesheet href="s.xsl"?><a xml:base="b/"/>`, "retrieval http://h/d/s.xsl"},
		{"RFC 4287 2", "p.atom", `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="s/"><entry xml:base="t/"><content type="html">&lt;a href="x"&gt;</content></entry>` +
			`<entry><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml" xml:base="u/"><img srcset="y 2x"/> www.e.example</div></content></entry></feed>`,
			"encapsulating http://h/d/s/t/x|embedded http://h/d/s/u/y|embedded http://www.e.example"},
		{"RSS 2.0", "p.rss", `<rss><description><![CDATA[<base href="b/"><a href="x"></a> http://e.example/y]]></description><link>z</link></rss>`,
			"embedded http://h/d/b/x|embedded http://e.example/y|retrieval http://h/d/z"},
		{"RFC 3987 3.1", "p.xml", "<?xml version='1.0' encoding='iso-8859-1'?><a href='?\xe9'/>", "retrieval http://h/d/p?%C3%A9"},
		{"XML F", "p", utf16Of("<?xml version='1.0' encoding='utf-16'?><rss><link>x</link></rss>"), "retrieval http://h/d/x"},
		{"XML F", "p.xml", utf16Of("<urlset><loc>x</loc></urlset>"), "retrieval http://h/d/x"},
	} {
		c := Config{Retrieved: base.Source{URI: "http://h/d/p", From: "--url"}}
		if got := strings.Join(urls(&c, tt.name, tt.src), "|"); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.sec, tt.src, got, tt.want)
		}
	}
}

// utf16Of is s in UTF-16, little endian, without a byte order mark.
func utf16Of(s string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(c))
		b.WriteByte(byte(c >> 8))
	}
	return b.String()
}

// What is in a part stands where it is written in the document around it.
func TestXMLPositions(t *testing.T) {
	src := "<rss>\n<link> a </link>\n<description>\n&lt;a href=&quot;b?c&amp;amp;d&quot;&gt;\n</description>\n" +
		"<description><![CDATA[x\n<a href='e'>]]></description><a:b xmlns:a='http://www.w3.org/1999/xhtml'>\n<a:a href='f'/></a:b></rss>"
	var got []string
	c := Config{Lines: true}
	for r, err := range c.Walk("x.xml", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		if written := src[r.Pos.Offset:][:r.Pos.Length]; written != string(r.Raw) && r.Entity.Parent == nil {
			t.Errorf("%q, raw %q", written, r.Raw)
		}
		got = append(got, fmt.Sprintf("%d:%d %s %s %s %s", r.Pos.Line, r.Pos.Column, src[r.Pos.Offset:][:r.Pos.Length], r.Ref, r.Entity.Path(), r.How))
	}
	want := []string{"2:8 a a  element", "4:18 b?c&amp;amp;d b?c&d description attribute", "7:10 e e description attribute", "8:12 f f b attribute"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// formatName names the scanner of a media type.
func formatName(mediaType string) string {
	f := (&Config{}).scanner(mediaType)
	switch {
	case f == nil:
		return "text"
	case f.UTF8Queries:
		return "xml"
	case f.Types[0] == svgType:
		return "xhtml"
	}
	return f.Alias
}

func TestDetectXML(t *testing.T) {
	const (
		xhtml, svg = "application/xhtml+xml", "image/svg+xml"
		rss, atom  = "application/rss+xml", "application/atom+xml"
	)
	for _, tt := range []struct {
		name, head, want string
		format           string
	}{
		{"x.xml", "", xmlType, "xml"},
		{"x.XML", "<a>", xmlType, "xml"},
		{"x.xml", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", xhtml, "xhtml"},
		{"x.xml", "<?xml version='1.0'?><!-- <rss> --><svg>", svg, "xhtml"},
		{"x.xml", "<svg xmlns='http://www.w3.org/2000/svg'>", svg, "xhtml"},
		{"x.xml", "<rss version='2.0'>", rss, "xml"},
		{"x.xml", "<html>", xmlType, "xml"},
		{"x.rss", "", rss, "xml"}, {"x.atom", "", atom, "xml"}, {"x.rdf", "", "application/rdf+xml", "xml"},
		{"x.opml", "", opmlType, "xml"}, {"x.kml", "", "application/vnd.google-earth.kml+xml", "xml"}, {"x.xsl", "", "application/xslt+xml", "xml"},
		{"x.svg", "<rss>", svg, "xhtml"},
		{"x.html", "<rss>", "text/html", "html"},
		{"x.txt", "<rss>", textType, "text"},
		{"x", "<rss\nversion='2.0'>", rss, "xml"}, {"x", "\xef\xbb\xbf <feed>", atom, "xml"}, {"x", "<urlset xmlns=''>", xmlType, "xml"},
		{"x", "<sitemapindex>", xmlType, "xml"}, {"x", "<rdf:RDF >", "application/rdf+xml", "xml"}, {"x", "<opml version='1'>", opmlType, "xml"},
		{"x", "<?xml version='1.0'?>\n<feed xmlns='x'>", atom, "xml"}, {"x", "<?xml version='1.0'?><a:feed>", xmlType, "xml"},
		{"x", "<?xml version='1.0'?><html>", xhtml, "xhtml"},
		{"x", "<rssfeed>", textType, "text"}, {"x", "<feeds>", textType, "text"}, {"x", "<rss", textType, "text"}, {"x", "<a>", "text/html", "html"}, {"", "<a>", textType, "text"}, {"x.txt", "<a>", textType, "text"}, {"x", "<aa>", textType, "text"}, {"x", "<?xml", textType, "text"},
		{"x", utf16Of("<?xml version='1.0'?><rss version='2.0'>"), rss, "xml"},
		{"x", "\xff\xfe" + utf16Of("<feed>"), atom, "xml"},
		{"x", "\xff\xfe" + utf16Of("<html>"), "text/html", "html"},
	} {
		got, _ := (&Config{}).detect(tt.name, []byte(tt.head))
		if got != tt.want || formatName(got) != tt.format {
			t.Errorf("%s %q: %s, format %s, want %s, %s", tt.name, tt.head, got, formatName(got), tt.want, tt.format)
		}
	}
	for mediaType, want := range map[string]string{
		"text/xml": "xml", "application/atom+xml": "xml", "model/x+xml": "xml", "application/xmlish": "text", "text/plain": "text", xhtml: "xhtml", svg: "xhtml",
	} {
		if got := formatName(mediaType); got != want {
			t.Errorf("%s: format %s, want %s", mediaType, got, want)
		}
	}
}

// The walk, too, takes no longer than the document: bases in bases, and as many parts as fit.
func TestXMLHostile(t *testing.T) {
	c := Config{Type: "text/xml", Lines: true, Retrieved: base.Source{URI: "http://h/d/p", From: "--url"}}
	scantest.Shapes(t, []scantest.Shape{
		{"<svg>", "<g xml:base='y/'>", ""}, {"<svg>", "<g xml:base='y/'><a href='z'/>", ""},
		{"", "<x xml:base='y/'>", ""}, {"", "<x xml:base='y/'><z href='a'/>", ""}, {"<x", " xml:base='y/'", ">"},
		{"<rss>", "<description>&lt;a href=x></description>", ""}, {"<rss>", "<description>\n&lt;</description>", ""}, {"<feed>", "<content type='xhtml'><p>", ""},
	}, 128<<10, func(src []byte) {
		for _, err := range c.Walk("x", strings.NewReader(string(src))) {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
