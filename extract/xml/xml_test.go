package xml

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

var update = flag.Bool("update", false, "rewrite what the files of testdata are expected to give")

// show renders one Item in the form of the tests: "kind in value", "( base", ")", "part type name".
func show(it *scan.Item) string {
	switch it.Op {
	case scan.Base:
		return fmt.Sprintf("( %s", it.Value)
	case scan.End:
		return ")"
	case scan.Part:
		return fmt.Sprintf("%s %s %q", it.Type, it.Name, it.Value)
	case scan.Note:
		if it.Code == "" {
			return "a note without a code: " + it.Text
		}
		return "note: " + it.Text
	}
	in := it.In
	if in == "" {
		in = "-"
	}
	return fmt.Sprintf("%v %s %s", it.Kind, in, it.Value)
}

func found(s *Scanner, src string) string {
	var all []string
	for it := range s.Scan([]byte(src)) {
		all = append(all, show(it))
	}
	return strings.Join(all, "|")
}

// With what is around documents of these vocabularies.
func atomDoc(s string) string { return `<feed xmlns="http://www.w3.org/2005/Atom">` + s + `</feed>` }
func rssDoc(s string) string  { return `<rss version="2.0"><channel>` + s + `</channel></rss>` }
func urlset(s string) string {
	return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">` + s + `</urlset>`
}
func kmlDoc(s string) string { return `<kml xmlns="http://www.opengis.net/kml/2.2">` + s + `</kml>` }

func TestVocabularies(t *testing.T) {
	const (
		rdfNS   = `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`
		xlinkNS = `xmlns:xlink="http://www.w3.org/1999/xlink"`
	)
	for _, tt := range []struct{ sec, src, want string }{
		{"RFC 4287 4.2.7.1", atomDoc(`<link href="a"/><link rel="self" href='b'></link>`), "link link/href a|link link/href b"},
		{"RFC 4287 4.2.7.2", atomDoc(`<link rel="enclosure" href="a.mp3"/>`), "embed link/href a.mp3"},
		{"RFC 4287 4.2.7.2", atomDoc(`<link rel="http://example.org/rel" href="a"/>`), "link link/href a"},
		{"RFC 4287 4.1.3.2", atomDoc(`<entry><content type="image/png" src="a.png"/></entry>`), "embed content/src a.png"},
		{"RFC 4287 4.2.5", atomDoc(`<icon> /i.ico </icon><logo>/l.png</logo>`), "embed icon /i.ico|embed logo /l.png"},
		{"RFC 4287 3.2.2", atomDoc(`<author><name>x</name><uri>~x/</uri></author>`), "link uri ~x/"},
		{"RFC 4287 4.2.4", atomDoc(`<generator uri="g">x</generator>`), "metadata generator/uri g"},
		{"RFC 4287 4.2.2.2", atomDoc(`<category term="x" scheme="http://e/s"/><category scheme="tag:x"/>`), "metadata category/scheme http://e/s"},
		{"RFC 4287 4.2.6", atomDoc(`<id>http://e/1</id><id>tag:e,2003:1</id>`), "metadata id http://e/1"},
		{"RFC 4287 3.1.1.1", atomDoc(`<title>see http://e/x&amp;y, a</title>`), "text - http://e/x&y"},
		{"RFC 4287 3.1.1.2", atomDoc(`<title type="html">&lt;a href="x?a&amp;amp;b"></title>`), `text/html title "<a href=\"x?a&amp;b\">"`},
		{"RFC 4287 3.1.1.2", atomDoc("<summary type='html'>\n<![CDATA[<a href=x>]]>\n</summary>"), `text/html summary "<a href=x>"`},
		{"RFC 4287 3.1.1.2", atomDoc(`<content type="html"><![CDATA[a]]> <![CDATA[b]]>&amp;<!-- c -->d</content>`), `text/html content "a b&d"`},
		{"RFC 4287 3.1.1.2", atomDoc(`<content type="html"> </content><content type="html"/>`), ""},
		{"RFC 4287 3.1.1.3", atomDoc(`<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="x"/></div></content><id>http://e/</id>`),
			`application/xhtml+xml div "<div xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\"x\"/></div>"|metadata id http://e/`},
		{"RFC 4287 3.1.1.3", atomDoc(`<content type="xhtml"><div><div>x</div></div></content>`), `application/xhtml+xml div "<div><div>x</div></div>"`},
		{"RFC 4287 4.1.3.3", atomDoc(`<content type="text/HTML; charset=utf-8">a</content><content type="text/markdown">b</content>`), `text/html content "a"|text/markdown content "b"`},
		{"RFC 4287 4.1.3.3", atomDoc(`<content type="application/x+xml"><x href="y"/></content><content type="image/png">aHR0cDo=</content>`), "link x/href y"},
		{"RFC 4287 2", `<a:feed xmlns:a="http://www.w3.org/2005/Atom" href="z"><a:link href="x"/><link href="y"/></a:feed>`, "link feed/href z|link link/href x|link link/href y"},
		{"RFC 4287 6.4", atomDoc(`<x:y xmlns:x="http://e/"><x:icon>a</x:icon><x:link href="b"/></x:y>`), "link link/href b"},
		{"Atom 0.3", `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><author><url>u</url></author><generator url="g"/></feed>`, "link url u|metadata generator/url g"},

		{"RSS 2.0 channel", rssDoc(`<link>http://e/</link><docs>http://e/d</docs>`), "link link http://e/|link docs http://e/d"},
		{"RSS 2.0 item", rssDoc(`<item><link> a </link><comments>c#x</comments></item>`), "link link a|link comments c#x"},
		{"RSS 2.0 guid", rssDoc(`<guid>http://e/1</guid><guid isPermaLink="true">2</guid>`), "link guid http://e/1|link guid 2"},
		{"RSS 2.0 guid", rssDoc(`<guid isPermaLink="false">http://e/?p=1</guid><guid isPermaLink="false">x1</guid>`), "metadata guid http://e/?p=1"},
		{"RSS 2.0 enclosure", rssDoc(`<enclosure url="a.mp3" length="1" type="audio/mpeg"/>`), "embed enclosure/url a.mp3"},
		{"RSS 2.0 source", rssDoc(`<source url="f.xml">x</source>`), "link source/url f.xml"},
		{"RSS 2.0 image", rssDoc(`<image><url>i.png</url><title>x</title><link>l</link></image>`), "embed url i.png|link link l"},
		{"RSS 2.0 textInput", rssDoc(`<textInput><link>s.cgi</link></textInput><link>x</link>`), "form link s.cgi|link link x"},
		{"RSS 2.0 category", rssDoc(`<category domain="http://e/c">x</category>`), "metadata category/domain http://e/c"},
		{"RSS 2.0 item", rssDoc(`<description>&lt;img src=x&gt;</description>`), `text/html description "<img src=x>"`},
		{"RSS 2.0 item", rssDoc(`<description><p>x <a href="y">z</a></p></description>`), `link a/href y`},
		{"RSS 2.0 item", rssDoc(`<title>at www.e.example/x</title>`), "text - www.e.example/x"},
		{"RSS 2.0 ttl", rssDoc(`<link></link><link/><link>  </link>`), ""},
		{"RSS content module", `<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><content:encoded><![CDATA[<a href=x>]]></content:encoded></rss>`, `text/html content:encoded "<a href=x>"`},
		{"RSS content module", rssDoc(`<content:encoded>&lt;b></content:encoded>`), `text/html content:encoded "<b>"`},
		{"RSS atom:link", `<rss xmlns:atom10="http://www.w3.org/2005/Atom"><atom10:link href="f" rel="self"/></rss>`, "link link/href f"},
		{"RSS atom:link", rssDoc(`<atom:link href="f"/>`), "link link/href f"},
		{"Media RSS", `<rss xmlns:m="https://search.yahoo.com/mrss"><m:group><m:content url="v.mp4"><m:player url="p"/></m:content><m:thumbnail url='t'/></m:group><m:title type="html">&lt;i></m:title></rss>`,
			`embed media:content/url v.mp4|link media:player/url p|embed media:thumbnail/url t|text/html media:title "<i>"`},
		{"itunes", `<rss xmlns:itunes="http://www.itunes.com/DTDs/Podcast-1.0.dtd"><itunes:image href="i"/><itunes:new-feed-url>n</itunes:new-feed-url></rss>`, "embed itunes:image/href i|link itunes:new-feed-url n"},
		{"RSS 1.0 5", `<rdf:RDF ` + rdfNS + ` xmlns="http://purl.org/rss/1.0/"><channel rdf:about="c"><link>l</link><image rdf:resource="i"/><items><rdf:Seq><rdf:li rdf:resource="1"/><rdf:li resource="2"/></rdf:Seq></items></channel><item rdf:about="1"><link>1</link></item></rdf:RDF>`,
			"metadata channel/rdf:about c|link link l|link image/rdf:resource i|link li/rdf:resource 1|link rdf:li/resource 2|metadata item/rdf:about 1|link link 1"},
		{"RSS 0.90", `<rdf:RDF ` + rdfNS + ` xmlns="http://my.netscape.com/rdf/simple/0.9/"><item><link>l</link></item></rdf:RDF>`, "link link l"},
		{"RSS 2.0 xhtml", `<rss xmlns:h="http://www.w3.org/1999/xhtml"><h:body><a href="x"/></h:body></rss>`, `application/xhtml+xml body "<h:body><a href=\"x\"/></h:body>"`},

		{"sitemaps.org url", urlset("<url><loc>\n http://e/a?b=1&amp;c=&#50; \n</loc><lastmod>2005</lastmod></url>"), "link loc http://e/a?b=1&c=2"},
		{"sitemaps.org index", `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://e/s.xml.gz</loc></sitemap></sitemapindex>`, "link loc http://e/s.xml.gz"},
		{"sitemaps.org", `<urlset><url><loc>a</loc></url></urlset>`, "link loc a"},
		{"sitemaps.org", `<urlset xmlns="http://e/misspelt"><url><loc>a</loc></url></urlset>`, "link loc a"},
		{"sitemaps.org", `<s:urlset xmlns:s="http://e/misspelt"><s:url><s:loc><![CDATA[a]]></s:loc></s:url></s:urlset>`, "link loc a"},
		{"sitemaps.org", `<x><loc>a</loc></x>`, ""},
		{"image sitemaps", urlset(`<image:image><image:loc>i</image:loc><image:license>l</image:license></image:image>`), "embed image:loc i|metadata image:license l"},
		{"video sitemaps", urlset(`<video:thumbnail_loc>a</video:thumbnail_loc><video:content_loc>b</video:content_loc><video:player_loc x="y">c</video:player_loc><video:gallery_loc>d</video:gallery_loc><video:uploader info="e">x</video:uploader>`),
			"embed video:thumbnail_loc a|embed video:content_loc b|embed video:player_loc c|link video:gallery_loc d|link video:uploader/info e"},
		{"hreflang", urlset(`<xhtml:link rel="alternate" hreflang="de" href="de/"/>`), "link xhtml:link/href de/"},
		{"news sitemaps", urlset(`<n:news xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"><n:title>x</n:title></n:news>`), ""},

		{"OPML 2.0", `<opml version="2.0"><head><docs>d</docs></head><body><outline text="t" xmlUrl="x" htmlUrl="h"/><outline type="link" url="u"/></body></opml>`,
			"metadata docs d|link outline/xmlUrl x|link outline/htmlUrl h|link outline/url u"},
		{"TEI P5", `<TEI xmlns="http://www.tei-c.org/ns/1.0"><graphic url="p.png"/><ref target="a.xml#b">x</ref><ptr target="#c"/></TEI>`,
			"embed graphic/url p.png|link ref/target a.xml#b|link ptr/target #c"},
		{"DocBook", `<book><imagedata fileref="p.png"/></book>`, "embed imagedata/fileref p.png"},
		{"KML 2.2 Link", kmlDoc(`<NetworkLink><Link><href>a.kml</href></Link></NetworkLink><Icon><href>i.png</href></Icon><styleUrl>#s</styleUrl>`), "embed href a.kml|embed href i.png|embed styleUrl #s"},
		{"DASH", `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Location>l.mpd</Location><BaseURL>http://h/v/</BaseURL><BaseURL>two/</BaseURL><Period><BaseURL>p/</BaseURL>` +
			`<SegmentTemplate media="$Number$.m4s" initialization="i.mp4"/><SegmentURL media="s.m4s" mediaRange="0-9"/></Period><Period><SegmentURL media="t.m4s"/></Period></MPD>`,
			"link Location l.mpd|embed BaseURL http://h/v/|embed BaseURL two/|( http://h/v/|embed BaseURL p/|( p/|embed SegmentTemplate/initialization i.mp4|embed SegmentURL/media s.m4s|)|embed SegmentURL/media t.m4s|)"},
		{"OpenSearch", `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url type="text/html" template="http://h/?q={searchTerms}"/><Url template="all.html"/><Image>i.png</Image></OpenSearchDescription>`,
			"form Url/template all.html|embed Image i.png"},
		{"KML 2.2 description", kmlDoc(`<description><![CDATA[<a href="x">]]></description>`), `text/html description "<a href=\"x\">"`},

		{"XLink 5.4", `<x ` + xlinkNS + `><y xlink:href="a"/><y xlink:type="simple" xlink:href="b" xlink:show="embed"/></x>`, "link y/xlink:href a|embed y/xlink:href b"},
		{"XLink 5.5", `<x ` + xlinkNS + ` xlink:role="http://e/r" xlink:arcrole="r"/>`, "metadata x/xlink:role http://e/r"},
		{"XLink 4", `<x xmlns:l="http://www.w3.org/1999/xlink" l:href=""/>`, "link x/xlink:href "},
		{"Namespaces 6.1", `<x xlink:href="a"/>`, "link x/xlink:href a"},
		{"Namespaces 6.1", `<x xmlns:xlink="http://e/other" xlink:href="a"/>`, ""},
		{"Namespaces 6.1", `<x xmlns:b="http://e/"><y xmlns:b="http://www.w3.org/2005/Atom"><b:icon>i</b:icon></y><b:icon>j</b:icon></x>`, "embed icon i"},
		{"Namespaces 6.2", atomDoc(`<x xmlns="http://e/"><icon>i</icon></x><icon>j</icon>`), "embed icon j"},
		{"Namespaces 6.2", atomDoc(`<x xmlns=""><icon>i</icon></x>`), ""},
		{"Namespaces 3", `<x xmlns="http://e/a" xmlns:b="http://e/b" xml:lang="http://e/c"/>`, ""},
		{"RDF/XML 2.4", `<rdf:RDF ` + rdfNS + `><a rdf:about=""><b rdf:resource="r"/><rdf:type rdf:resource="t"/><c rdf:datatype="http://e/d">x</c></a></rdf:RDF>`,
			"metadata a/rdf:about |link b/rdf:resource r|metadata type/rdf:resource t"},
		{"XInclude 3.1", `<x xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="a.xml" parse="text"/></x>`, "embed xi:include/href a.xml"},
		{"XML Schema 1 2.6.3", `<x xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation=" http://e/n  n.xsd http://e/m m.xsd" xsi:noNamespaceSchemaLocation="z.xsd"/>`,
			"metadata x/xsi:schemaLocation n.xsd|metadata x/xsi:schemaLocation m.xsd|metadata x/xsi:noNamespaceSchemaLocation z.xsd"},
		{"XML Schema 1 4.2", `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://e/n"><xs:import namespace="http://e/m" schemaLocation="m.xsd"/></xs:schema>`, "embed xs:import/schemaLocation m.xsd"},
		{"XSLT 3", `<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="a.xsl"/><a href="{@x}"/><h:a xmlns:h="http://www.w3.org/1999/xhtml" href="b"/></xsl:stylesheet>`, "embed xsl:import/href a.xsl|link a/href b"},
		{"xml-stylesheet 3", `<?xml-stylesheet type="text/css" href="a.css"?><x/>`, "embed xml-stylesheet/href a.css"},
		{"xml-stylesheet 3", "<?xml-stylesheet\nhref='a&amp;b'\n?><?xml-stylesheets href='c'?><?xml-stylesheet?><?xml-stylesheet href=''?>", "embed xml-stylesheet/href a&b"},
		{"xml-model 2", `<?xml-model href="a.rnc" schematypens="http://e/"?><x/>`, "metadata xml-model/href a.rnc"},
		{"SVG in XML", `<x><svg xmlns="http://www.w3.org/2000/svg"><a href="y"/></svg><z src="w"/></x>`, `image/svg+xml svg "<svg xmlns=\"http://www.w3.org/2000/svg\"><a href=\"y\"/></svg>"|link z/src w`},

		{"any", `<x href="a" src='b' url="c"><y href=""/><z src=""/></x>`, "link x/href a|link x/src b|link y/href |link z/src "},
		{"any", `<x u="at http://e/a?b&amp;c">and http://e/d, mailto:e@f.example</x>`, "text - http://e/a?b&c|text - http://e/d|text - mailto:e@f.example"},
		{"any", `<x><![CDATA[<http://e/a> &amp;]]>&lt;http://e/b&gt;</x>`, "text - http://e/a|text - http://e/b"},
	} {
		if got := found(new(Scanner), tt.src); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.sec, tt.src, got, tt.want)
		}
	}
}

func TestSyntax(t *testing.T) {
	for _, tt := range []struct{ sec, src, want string }{
		{"XML 2.3", `<a href='x"y'/><a href = "z" /><a.b-c:d href="w"/>`, `link a/href x"y|link a/href z|link d/href w`},
		{"XML 2.3", `<é href="x"/><_ href="y"/><:a href="z"/>`, "link é/href x|link _/href y|link a/href z"},
		{"XML 2.5", `<!-- <a href="x"/> --><a href="y"/><!----><!-- http://e/ -- -->`, "link a/href y"},
		{"XML 2.6", `<?x <a href="x"/> ?><a href="y"/>`, "link a/href y"},
		{"XML 2.7", `<x><![CDATA[<a href="x"/>]]><a href="y"/></x>`, "link a/href y"},
		{"XML 3.3.3", "<a href='x\r\ny\tz\n'/><a href='&#10;w'/>", "link a/href x y z|link a/href w"},
		{"XML 4.1", `<a href="&#x41;&#65;&lt;&gt;&quot;&apos;&amp;amp;&#233;"/>`, `link a/href AA<>"'&amp;é`},
		{"XML 4.1", `<a href="&#0;&#x110000;&#xd800;&#;&#x;&a;b&c=d&"/>`, "link a/href &#0;&#x110000;&#xd800;&#;&#x;&a;b&c=d&"},
		{"XML 4.4", `<!DOCTYPE x [<!ENTITY b "http://e/&#98;?c&amp;d"><!ENTITY b "no">]><a href="&b;&b;"/><y>&b;</y>`, "link a/href http://e/b?c&dhttp://e/b?c&d|text - http://e/b?c&d"},
		{"XML 4.4.2", `<!DOCTYPE x [<!ENTITY a "x"><!ENTITY b "&a;&a;"><!ENTITY c "&#60;">]><a href="&b;&c;&a;"/>`, "link a/href &b;&c;x"},
		{"XML 4.2", `<!DOCTYPE x [<!-- > --><?y ?><!ELEMENT x (y)><!ATTLIST x y CDATA "]>"> %p; <!ENTITY % q "r"><!ENTITY s 't'>]><a href="&s;"/>`, "link a/href t"},
		{"XML 2.8", `<!DOCTYPE x SYSTEM "a.dtd"><y href="b"/>`, "metadata !DOCTYPE a.dtd|link y/href b"},
		{"XML 2.8", `<!DOCTYPE x PUBLIC "-//x//y" 'http://e/a.dtd' [ ] ><y href="b"/>`, "metadata !DOCTYPE http://e/a.dtd|link y/href b"},
		{"XML 2.8", `<!DOCTYPE html><y href="b"/>`, "link y/href b"},
		{"XML 4.2.2", `<!DOCTYPE x [<!ENTITY c SYSTEM "c.xml"><!ENTITY d PUBLIC "-//d" "d.gif" NDATA gif><!ENTITY % e SYSTEM "e.mod"><!NOTATION gif SYSTEM "viewer">]>`,
			"embed !ENTITY c.xml|embed !ENTITY d.gif|metadata !ENTITY e.mod"},

		{"not well-formed", `<a href="x" <b href="y"><c href=z/></x><d href=w>`, "link a/href x|link b/href y|link c/href z|link d/href w"},
		{"not well-formed", `<a href="x"href='y'/ ><a href><a =b href="z">`, "link a/href x|link a/href y|link a/href z"},
		{"not well-formed", `a < b http://e/ < <a href="x"/><1><`, "text - http://e/|link a/href x"},
		{"not well-formed", `</a></><a href="x"/></a <b href="y"/>`, "link a/href x|link b/href y"},
		{"not well-formed", `<a href="x"/><b href="y`, "link a/href x|note: an unclosed tag"},
		{"not well-formed", `<a href="x"/><b href='y/><c href="z"/>`, `link a/href x|link b/href y|link c/href z`},
		{"not well-formed", `<a href="x"/><!-- <b href="y"/>`, "link a/href x|note: an unclosed comment"},
		{"not well-formed", `<a href="x"/><? <b href="y"/>`, "link a/href x|note: an unclosed processing instruction"},
		{"not well-formed", `<a><![CDATA[http://e/ <b href="y"/>`, "note: an unclosed CDATA section|text - http://e/"},
		{"not well-formed", "<rss><description><![CDATA[<a href=x>", `note: an unclosed CDATA section|text/html description "<a href=x>"`},
		{"not well-formed", "<rss><link>http://e/cu", "note: an unclosed element"},
		{"not well-formed", `<!DOCTYPE x [<!ENTITY a "b"><y href="&a;"/>`, "link y/href b"},
		{"not well-formed", `<!DOCTYPE x SYSTEM "a <y href='z'/>`, "link y/href z"},
		{"not well-formed", "<feed><content type='xhtml'><div><p>a</content><icon>i</icon>", `application/xhtml+xml div "<div><p>a"|embed icon i`},
		{"not well-formed", "<feed><content type='xhtml'><div><p>a", `application/xhtml+xml div "<div><p>a"`},
		{"not well-formed", "\xff<a href='\xff'/>\x00", "link a/href \xff"},
		{"nothing", "", ""},
	} {
		if got := found(new(Scanner), tt.src); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.sec, tt.src, got, tt.want)
		}
	}
}

func TestBase(t *testing.T) {
	for _, tt := range []struct{ sec, src, want string }{
		{"XML Base 3.1", `<d xml:base="http://e/today/"><l href="new.xml"/><o xml:base="/hot/"><l href="p"/></o><l href="q"/></d>`,
			"( http://e/today/|link l/href new.xml|( /hot/|link l/href p|)|link l/href q|)"},
		{"XML Base 3.1", `<l href="a" xml:base="b/" src="c"/><l href="d"/>`, "( b/|link l/href a|link l/src c|)|link l/href d"},
		{"XML Base 3.1", `<x xml:base=' a&amp;b '/>`, "( a&b|)"},
		{"XML Base 3.1", `<x xml:base=""><l href="a"/></x>`, "( |link l/href a|)"},
		{"XML Base 3.1", `<x xml:base="a#b"/>`, "( a#b|)"},
		{"RFC 4287 2", atomDoc(`<entry xml:base="b/"><link>x</link><content type="html" xml:base="c/">&lt;a></content><link href="y"/></entry><link href="z"/>`),
			`( b/|( c/|text/html content "<a>"|)|link link/href y|)|link link/href z`},
		{"not well-formed", `<x><y xml:base="a/"><z><br><br></y><l href="b"/></x>`, "( a/|)|link l/href b"},
		{"not well-formed", `<y xml:base="a/"></z></q><l href="b"/>`, "( a/|link l/href b|)"},
		{"not well-formed", `<y xml:base="a/"><z xml:base="b/">`, "( a/|( b/|)|)"},
		{"within XHTML", `<x xml:base="a/"><p xmlns="http://www.w3.org/1999/xhtml" xml:base="b/"></p></x>`,
			`( a/|application/xhtml+xml p "<p xmlns=\"http://www.w3.org/1999/xhtml\" xml:base=\"b/\"></p>"|)`},
	} {
		if got := found(new(Scanner), tt.src); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.sec, tt.src, got, tt.want)
		}
	}
}

// Constructs are ignored that could make a document take more time or memory than its length
// warrants.
func TestBounds(t *testing.T) {
	deep := strings.Repeat("<x xml:base='a/'>", maxBases+2)
	if got := strings.Count(found(new(Scanner), deep), "( a/"); got != maxBases {
		t.Errorf("%d bases in each other, want %d", got, maxBases)
	}
	if got := found(new(Scanner), "<x xml:base='"+strings.Repeat("a", maxBaseSize+1)+"'/><y xml:base='b'/>"); got != "note: a base inside too many bases, or too long ones, is ignored|( b|)" {
		t.Error(got)
	}
	// The text of an entity has at most as many bytes as the document.
	src := `<!DOCTYPE x [<!ENTITY a "` + strings.Repeat("a", 100) + `">]><x href="` + strings.Repeat("&a;", 100) + `"/>`
	size, noted := 0, false
	for it := range new(Scanner).Scan([]byte(src)) {
		if noted = it.Op == scan.Note; !noted {
			size += len(it.Value)
		}
	}
	if size > 2*len(src) || !noted {
		t.Errorf("%d bytes stand for %d, note: %v", len(src), size, noted)
	}
}

// Positions are those of the source; they are inexact only for a part of the text of an entity.
func TestPositions(t *testing.T) {
	for _, tt := range []struct {
		src, want string // the bytes of the reference
		loose     bool
	}{
		{`<a href=" x&amp;y "/>`, "x&amp;y", false},
		{`<rss><link> <![CDATA[ x ]]> </link></rss>`, "x", false},
		{`<rss><link>x<!-- c -->y</link></rss>`, "x<!-- c -->y", false},
		{`<rss><link>&#32;x&#32;</link></rss>`, "x", false},
		{`<!DOCTYPE x [<!ENTITY e "see http://e/x">]><y>&e;</y>`, "&e;", true},
		{`<x>&#104;ttp://e/&amp;a.</x>`, "&#104;ttp://e/&amp;a", false},
	} {
		n := 0
		for it := range new(Scanner).Scan([]byte(tt.src)) {
			if n++; it.Op != scan.Ref || tt.src[it.Span.Start:it.Span.End] != tt.want || it.Loose != tt.loose {
				t.Errorf("%s: %q, loose: %v", tt.src, tt.src[it.Span.Start:it.Span.End], it.Loose)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d items", tt.src, n)
		}
	}
}

func TestDetails(t *testing.T) {
	src := atomDoc(`<link rel="alternate &amp; x" hreflang="de" type="text/html" title=" T " href="a"/><link href="b"/>`)
	var got []string
	for it := range (&Scanner{Details: true}).Scan([]byte(src)) {
		got = append(got, fmt.Sprintf("%s %s %s %s", it.Extra().Rel, it.Extra().Hreflang, it.Type, it.Text))
	}
	if want := "alternate & x de text/html T|   "; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The documents of testdata, whole: what is found stands beside each.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for it := range new(Scanner).Scan(src) {
			line := 1 + strings.Count(string(src[:it.Span.Start]), "\n")
			if it.Op == scan.End {
				b.WriteString(")\n")
				continue
			}
			fmt.Fprintf(&b, "%d:%d %s\n", line, it.Span.Start-strings.LastIndexByte(string(src[:it.Span.Start]), '\n'), show(it))
		}
		golden := strings.TrimSuffix(file, ".xml") + ".want"
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != b.String() {
			t.Errorf("%s: %v\n%s", file, err, b.String())
		}
	}
}
