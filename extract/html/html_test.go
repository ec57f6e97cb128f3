package html

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// show writes the items of src, one per line: "kind in raw", and any special properties.
func show(s *Scanner, src string) string {
	var b strings.Builder
	for it := range s.Scan([]byte(src)) {
		raw := src[it.Span.Start:it.Span.End]
		switch it.Op {
		case scan.Ref:
			fmt.Fprintf(&b, "%s %s %s", it.Kind, it.In, raw)
			if string(it.Value) != raw {
				fmt.Fprintf(&b, " = %s", it.Value)
			}
			if it.IgnoresBase {
				b.WriteString(" own")
			}
			for _, l := range it.Labels.Names() {
				b.WriteString(" " + l)
			}
			for _, d := range []string{it.Text, it.Extra().Rel, it.Extra().Hreflang, it.Type} {
				if d != "" {
					fmt.Fprintf(&b, " %q", d)
				}
			}
		case scan.Base:
			fmt.Fprintf(&b, "base %s %s", it.In, it.Value)
		case scan.End:
			b.WriteString("end")
		case scan.Part:
			fmt.Fprintf(&b, "part %s %s %s", it.Name, it.Type, it.Value)
		case scan.Anchor:
			fmt.Fprintf(&b, "anchor %s %s", it.In, it.Value)
		case scan.Note:
			fmt.Fprintf(&b, "note %s", it.Text)
			if it.Code == "" {
				b.WriteString(", without a code")
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestScan(t *testing.T) {
	xml := &Scanner{XML: true}
	tests := []struct {
		sec  string // section of the HTML standard, unless it names another document
		s    *Scanner
		src  string
		want string
	}{
		{"13.2.5.33", nil, `<a href=x href=y>`, "link a/href x"},
		{"Netscape bookmarks", nil, `<A HREF="x" ICON_URI="y.ico" ICON="data:,"><A FEEDURL="f" HREF="x">`, "link a/href x\nembed a/icon_uri y.ico\nlink a/feedurl f\nlink a/href x"},
		{"13.2.5.32", nil, `<a =href=x href = "y" / >`, "link a/href y"},
		{"13.2.5.38", nil, `<a href=x/>`, "link a/href x/"},
		{"13.2.5.35", nil, `<a href=>x`, "link a/href "},
		{"13.2.5.6", nil, `< a href=x><1 href=x>`, ""},
		{"13.2.5.7", nil, `</a href="><a href=x>"></ <a href=y>`, ""},
		{"13.2.5.8", nil, `<a href=x`, "note an unclosed tag: browsers drop it and everything after it"},
		{"13.2.5.36", nil, `<a href="x>y</a><a href=z>`, "note an unclosed tag: browsers drop it and everything after it"},
		{"13.2.5.41", nil, `<?a "><a href=x>"?><!a "><a href=y>">`, "link a/href x\nlink a/href y"},
		{"13.2.5.43", nil, `<!--><a href=x>--><!-- <a href=y> --!><a href=z><!--- -- ><a href=w>--->`, "link a/href x\nlink a/href z"},
		{"13.2.5.43", nil, `<!-- <a href=x>`, "note an unclosed comment"},
		{"13.2.5.11", nil, `<title><a href=x></titles></TITLE ><a href=y>`, "link a/href y"},
		{"13.2.5.15", nil, `<script>"</scripts><a href=x>"</script><a href=y>`, "link a/href y"},
		{"13.2.5.20", nil, `<script><!--<script></script><a href=x>--></script><a href=y>`, "link a/href y"},
		{"13.2.5.23", nil, `<script><!--<<script></script><a href=x>--></script><a href=y>`, "link a/href y"},
		{"13.2.5.20", nil, `<script><!--></script><a href=x>`, "link a/href x"},
		{"13.2.5.20", nil, `<script><!--<script>--></script><a href=x>`, "link a/href x"},
		{"13.2.5.5", nil, `<plaintext><a href=x></plaintext><a href=y>`, ""},
		{"13.2.5.69", nil, `<![CDATA[<a href=x>]]>`, ""},

		// Values (13.2.5.73: a reference without ";" does not count before "=" or a letter).
		{"13.2.5.73", nil, `<a href="?a&amp;b&copy=3&copy;&copycat&amp">`, "link a/href ?a&amp;b&copy=3&copy;&copycat&amp = ?a&b&copy=3©&copycat&"},
		{"13.2.5.73", nil, `<a href="&semi;&fjlig;&nosuch;&;">`, "link a/href &semi;&fjlig;&nosuch;&; = ;fj&nosuch;&;"},
		// Of these, the first and last, and the bytes that windows-1252 leaves undefined.
		{"13.2.5.80", nil, `<a href="&#127;&#128;&#129;&#x9d;&#159;&#160;">`, "link a/href &#127;&#128;&#129;&#x9d;&#159;&#160; = \u007f€\u0081\u009dŸ\u00a0"},
		{"13.2.5.80", nil, `<a href="&#x41;&#66&#150;&#0;&#xD800;&#99999999999;&#;&#x;">`, "link a/href &#x41;&#66&#150;&#0;&#xD800;&#99999999999;&#;&#x; = AB–\uFFFD\uFFFD\uFFFD&#;&#x;"},
		{"URL 4.4", nil, "<a href=' \n x\ty\r\n'>", "link a/href x\ty = xy"},
		{"URL 4.4", nil, "<a href='&#10;x&#9;y '>", "link a/href x&#9;y = xy"},

		// Attributes.
		{"4.6.1", nil, "<a ping='x\ty  z' href=''>", "form a/ping x\nform a/ping y\nform a/ping z\nlink a/href "},
		{"4.2.4", nil, `<link href=""><link href=x rel="a STYLESHEET"><link href=y rel=next>`, "embed link/href x\nlink link/href y"},
		{"4.8.4.2.2", nil, `<img srcset=",a, b,c 1x,d 2.5e1x (,) ,e 10w, f">`, "embed img/srcset a\nembed img/srcset b,c\nnote an image candidate with invalid descriptors: browsers ignore it\nembed img/srcset e\nembed img/srcset f"},
		{"4.8.4.2.2", nil, `<img srcset="a 1w 2w,b -0x,c -1x,d 1h,e 1w 1h,f 0w,g 1.x,h,,,i">`, "note an image candidate with invalid descriptors: browsers ignore it\nembed img/srcset b\nnote an image candidate with invalid descriptors: browsers ignore it\nnote an image candidate with invalid descriptors: browsers ignore it\nembed img/srcset e\nnote an image candidate with invalid descriptors: browsers ignore it\nnote an image candidate with invalid descriptors: browsers ignore it\nembed img/srcset h,,,i"},
		{"4.2.5.3", nil, `<meta http-equiv=Refresh content="5; URL = 'x'y"><meta http-equiv=refresh content="0,u"><meta http-equiv=refresh content=".5 url">`, "link meta/refresh x\nlink meta/refresh u\nlink meta/refresh url"},
		{"4.2.5.3", nil, `<meta http-equiv=refresh content="5"><meta http-equiv=refresh content="x;url=y"><meta http-equiv=refresh content="5x;url=y"><meta http-equiv=refresh content="0;url=">`, ""},
		{"4.2.5.3", nil, `<meta content="0;uri=x" http-equiv=refresh><meta content="url=x">`, "link meta/refresh uri=x"},
		{"ogp.me", nil, `<meta property=og:title content=x><meta content=y property=OG:Image><meta name=twitter:image content="">`, "metadata meta/og:image y"},
		{"4.10.5", nil, `<input src=x><input type=IMAGE src=y>`, "embed input/src y"},
		{"4.10.21.3", nil, `<form action=""><form action=x><button formaction>`, "form form/action  own\nform form/action x\nform button/formaction  own"},
		{"5.2.2", nil, `<p itemtype="x http://h/y" itemid=z>`, "metadata p/itemtype http://h/y\nmetadata p/itemid z"},
		{"RDFa 1.1 7.5", nil, `<p about="[foaf:x]" resource=_:b><p about=x>`, "metadata p/about x"},
		{"HTML 4.01 13.3.2", nil, `<param name=x value=y><param name=Movie value=z><param valuetype=ref value=w>`, "embed param/value z speculative\nembed param/value w"},
		{"HTML 4.01 13.3", nil, `<object codebase=c/ data=x>`, "metadata object/codebase c/\nbase object/codebase c/\nembed object/data x\nend"},
		{"HTML 4.01 13.4", nil, `<applet archive="a, b" codebase=c>`, "base applet/codebase c/\nembed applet/archive a\nembed applet/archive b\nend\nmetadata applet/codebase c"},
		{"4.8.5", nil, `<iframe srcdoc="&lt;a href=x>"><a href=y></iframe>`, `part srcdoc text/html <a href=x>`},
		{"lazy", nil, `<img data-src=x data-srcset="y 1x"><div data-x=z>`, "embed img/data-src x lazy\nembed img/data-srcset y lazy"},
		{"javascript:", nil, `<a href="javascript:x">`, "link a/href javascript:x"},

		// Base.
		{"4.2.3", nil, `<a href=x><base target=t><base href=" b ">`, "base base/href b\nlink a/href x"},
		{"4.2.3", nil, `<base href=a><base href=b>`, "base base/href a\nnote a second base is ignored"},
		{"4.2.3", nil, `<base href=" DATA:,x"><base href=b>`, "note a base that is a data: or javascript: URL is ignored\nnote a second base is ignored"},
		{"4.2.3", nil, `<template><base href=a></template><svg><base href=b></base></svg><!--<base href=c>--><script><base href=d></script>`, ""},
		{"4.2.3", nil, `<svg><foreignObject><base href=a></foreignObject></svg>`, "base base/href a"},

		// Labels.
		{"scripting", nil, `<noscript><a href=x></noscript><a href=y>`, "link a/href x noscript\nlink a/href y"},
		{"4.12.3", nil, `<template><template></template><a href=x></template><a href=y>`, "link a/href x template\nlink a/href y"},
		{"conditional", nil, `<!--[if IE]><a href=x><![endif]-->`, ""},
		{"conditional", &Scanner{Conditional: true}, `<!--[if IE]><a href=x><![endif]--><!--[if !IE]><!--><a href=y><!--<![endif]-->`, "link a/href x conditional\nlink a/href y"},

		{"conditional", &Scanner{Conditional: true}, `<!--[if IE]><base href=b><template><svg><noscript><![endif]--><a href=x><title><a href=y></title>`, "link a/href x"},

		// Data blocks.
		{"8.1.6.1", nil, `<script type=importmap>{"imports":{"a":"./x","b":null},"scopes":{"s/":{"c":"y"}},"integrity":{"z":"sha"}}</script>`,
			"embed script/importmap ./x\nembed script/importmap y\nembed script/importmap z"},
		{"speculation", nil, `<script type=speculationrules>{"prefetch":[{"urls":["x","\/y"],"where":{"href_matches":"/z"}}]}</script>`,
			"embed script/speculationrules x\nembed script/speculationrules \\/y = /y"},
		{"8.1.6.1", nil, `<script type=importmap>{"imports":{"a":"x"</script>`, "embed script/importmap x\nnote a data block that is not valid JSON"},
		{"JSON-LD", nil, `<script type="application/ld+json">{"@id":"x"}</script>`, ""},
		{"paths", &Scanner{Exhaustive: true}, `<p>and/or 24/7 a/b.js ./configure ../a/b, (/x.html) "/i.PHP?x" /etc/passwd //h/a.js x./y /. ./ ... 1./2 &lt;/b.js`,
			"text text ./configure speculative\ntext text ../a/b speculative\ntext text /x.html speculative\ntext text /i.PHP?x speculative"},
		{"paths", &Scanner{Exhaustive: true}, `<a href=x>./y</a> <script>"./z"</script>./w http://h/./v.js`, "link a/href x\ntext text ./w speculative\ntext  http://h/./v.js"},
		{"base", &Scanner{Exhaustive: true}, `<base href="/b"><base href=c><a href=x>`, "base base/href /b\nlink base/href /b own\nnote a second base is ignored\nlink a/href x"},
		{"document type", &Scanner{Exhaustive: true}, `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><!doctype html system 'about:legacy-compat'><!doctype a public "p" "q"><!doctype a public "p"><!doctype a system ""><!doctype>`, "metadata doctype q own"},
		{"policy", &Scanner{Exhaustive: true}, `<meta http-equiv=content-security-policy content="script-src http://h/; Report-URI /a b;report-uri c; report-to d">`, "form meta/report-uri /a\nform meta/report-uri b\nform meta/report-uri c"},
		{"SVG in data:", &Scanner{Exhaustive: true}, `<img src="data:image/svg+xml;utf8,%3Ca/%3E"><img src="data:image/svg+xml;base64,PGE+"><img src="data:image/png,x">`, "part data image/svg+xml <a/>\nembed img/src data:image/svg+xml;base64,PGE+\nembed img/src data:image/png,x"},

		{"scripts", &Scanner{Scripts: true}, `<script>a="/one/two"</script><script type=module>import"./a"</script><script type="application/json">{"/k/e":"\/one\/two"}</script><script type=text/template>'/no/no'</script><script type=text/plain>"/no/no"</script>`,
			"link script/string /one/two speculative\nembed script/string ./a speculative\nlink script/string \\/one\\/two = /one/two speculative"},
		{"scripts", &Scanner{Scripts: true}, `<a onclick="go(&quot;/one/two&quot;)" ONX='f("/a.png")' on=/no/no nnx="f('/no/no')" oox="f('/no/no')" onetwo.three="'/no/no'" href=y><svg><script>a="/one/&#116;wo"</script></svg>`,
			"link a/onclick/string /one/two speculative\nembed a/onx/string /a.png speculative\nlink a/href y\nlink script/string /one/&#116;wo = /one/two speculative"},
		{"scripts", &Scanner{Scripts: true}, `<a href="javascript:open('/one/two')">`, "link a/href javascript:open('/one/two')\nlink a/href/string /one/two speculative"},
		{"scripts", nil, `<a onclick="go('/one/two')"><script>a="/one/two"</script>`, ""},

		{"JSON-LD", &Scanner{JSONLD: true}, `<script type="application/ld+json">{"@context":"http://schema.org","@type":"http://h/T","url":"x","name":"y","sameAs":["z",{"name":"http://h/"}],"@id":"_:b"}</script>`,
			"metadata script/application/ld+json x speculative\nmetadata script/application/ld+json z speculative\nmetadata script/application/ld+json http://h/ speculative"},

		// SVG and MathML.
		{"13.2.6.5", nil, `<svg><title><a href=x></a></title><style>a{b:url(c)/*&lt;*/}</style></svg><a href=y>`, "link a/href x\nembed style/url() c\nlink a/href y"},
		{"13.2.6.5", nil, `<svg/><title><a href=x></title><a href=y>`, "link a/href y"},
		{"13.2.6.5", nil, `<svg><symbol><g><use href=#x></svg><title><a href=y></title></g><a href=z>`, "embed use/href #x own\nlink a/href z"},
		{"13.2.6.5", nil, `<svg><path/><![CDATA[<a href=x>]]><style><![CDATA[a{b:url(c)}]]></style></svg>`, "embed style/url() c"},
		{"SVG 2 16.1", nil, `<svg><use href=#x /><a href=#y></a><image xlink:href=z href=w /></svg>`, "embed use/href #x own\nlink a/href #y\nembed image/xlink:href z overridden\nembed image/href w"},
		{"SVG 2 6.6", nil, `<svg><rect fill="url(#g) red" mask="url('m#x')"/></svg><p fill="url(x)">`, "embed rect/fill #g own\nembed rect/mask m#x"},
		{"MathML", nil, `<math href=x><mi altimg=y></mi></math><mi href=z>`, "link math/href x\nembed mi/altimg y"},

		// XML.
		{"XML 2.6", xml, `<?xml version="1.0"?><?xml-stylesheet href="x" type="text/css"?><svg><!-- <a href="y"/> --></svg>`, "embed xml-stylesheet/href x"},
		{"XML 2.8", xml, `<!DOCTYPE svg [<!ENTITY x "<a href='y'>">]><svg><svg:a xlink:href="z"/></svg>`, "link a/xlink:href z"},
		{"XML 3.1", xml, `<html><title/><script src="x"/><a href="y"/><style>a{b:url(c)}</style></html>`, "embed script/src x\nlink a/href y\nembed style/url() c"},
		{"XML Base 4", xml, `<svg xml:base="a/"><g xml:base="b/"><use href="x"/></g><image xml:base="c/" href="y"/><image href="z"/></svg>`,
			"base xml:base a/\nbase xml:base b/\nembed use/href x\nend\nbase xml:base c/\nembed image/href y\nend\nembed image/href z\nend"},

		// Parts of other documents.
		{"Fragment", &Scanner{Fragment: true}, `<a href=x><base href=y>`, "link a/href x\nnote a base in a fragment of HTML is ignored"},
		{"MDX", &Scanner{Components: true}, `<Link to="x"/><a to=y><Img src={'z'}/><Img src={require("w").default} href={u}>`, "link link/to x speculative\nembed img/src z speculative\nembed img/src w speculative"},
		{"MDX, props", &Scanner{Components: true}, `<Card link="/x" url="https://h/y"/><Card link="Read more" url={'z.md'}/><Card link="{' /z y '}"/><x-y link="true" url={u}></x-y><meta url="/m">`,
			"link card/link /x speculative\nlink card/url https://h/y speculative\nlink card/url z.md speculative\nlink card/link /z y speculative"},

		// On request.
		{"3.2.6", &Scanner{Anchors: true}, `<h2 id=" x&amp;">y</h2><a name=n id=i><img name=m>`, "anchor h2/id  x&\nanchor a/name n\nanchor a/id i"},
		{"13.2.6.4.15", &Scanner{Details: true}, `<table><tr><td><a href=x>a</td><td>b</table>c`, `link a/href x "a"`},
		{"13.2.6.4.15", &Scanner{Details: true}, `<a href=x>a<table><tr><td>b</td></tr></table>c</a>d`, `link a/href x "abc"`},
		{"13.2.6.4.7", &Scanner{}, `<image src=a srcset="b 2x"><svg><image src=c href=d></svg>`, "embed img/src a\nembed img/srcset b\nembed image/href d"},
		{"4.6", &Scanner{Details: true}, `<a href=x rel=nofollow hreflang=de type=text/x> a <b>b&amp;</b> </a>c<img src=y alt=z>`, `link a/href x "a b&" "nofollow" "de" "text/x"` + "\n" + `embed img/src y "z"`},
	}
	for _, tt := range tests {
		s := tt.s
		if s == nil {
			s = new(Scanner)
		}
		if got := show(s, tt.src); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.sec, tt.src, strings.ReplaceAll(got, "\n", "\n     "), strings.ReplaceAll(tt.want, "\n", "\n     "))
		}
	}
}

// TestFollowed tests for which documents tree construction is followed, which takes three times as long.
func TestFollowed(t *testing.T) {
	for src, want := range map[string]bool{
		`<svg><g></g></svg>`:                      false,
		`<svg><symbol><path></svg><svg><g></SVG>`: false,
		`<svg><title><svg><g></title></svg>`:      false,
		`<math><mrow><mi></math>`:                 false,
		`<svg></g>`:                               true,
		`<svg><desc><div><svg></div></svg>`:       true,
		`<svg><desc><a></desc>`:                   true,
		`<svg><g></p></svg>`:                      true,
		`<svg><b></svg>`:                          true,
	} {
		var s Scanner
		for range s.Scan([]byte(src)) {
		}
		if got := s.tree != nil; got != want {
			t.Errorf("%s: tree construction is followed: %v", src, got)
		}
	}
}

// TestSpans checks that positions are those of the values as written, whatever was decoded.
func TestSpans(t *testing.T) {
	const src = `<a href=" x&amp;y "><p style="a:url(&quot;b\(c&quot;);d:url(e)"><img srcset="f&#49; 1x,g 2x"><iframe srcdoc="&lt;a href='h'>"></iframe><iframe srcdoc="<p>text</p><a href='i'>"></iframe>`
	s := new(Scanner)
	var got []string
	for it := range s.Scan([]byte(src)) {
		if it.Op == scan.Part {
			for inner := range new(Scanner).Scan(it.Value) {
				span, _ := it.Map.Back(inner.Span)
				got = append(got, src[span.Start:span.End])
			}
			continue
		}
		got = append(got, src[it.Span.Start:it.Span.End])
	}
	if want := []string{"x&amp;y", `b\(c`, "e", "f&#49;", "g", "h", "i"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAttributes checks that every reference in attributes.html is found, with its label, and nothing
// that only looks like a reference.
func TestAttributes(t *testing.T) {
	src, err := os.ReadFile("../../testdata/html/attributes.html")
	if err != nil {
		t.Fatal(err)
	}
	token := regexp.MustCompile(`u-[a-z0-9-]*`)
	found := make(map[string]bool)
	s := &Scanner{JSONLD: true, Conditional: true}
	for it := range s.Scan(src) {
		if it.Op == scan.Ref && it.In == "" {
			t.Errorf("%s: nothing says where it stands", it.Value)
		}
		if it.Op == scan.Ref || it.Op == scan.Part {
			for _, m := range token.FindAllString(string(it.Value), -1) {
				found[m] = true
			}
		}
	}
	// "u-a-" is the first line of a value of two lines.
	none := strings.Fields(`u-a- u-style-comment u-in-script u-js-string u-in-xmp u-textarea-a u-comment-a u-onclick
		u-plaintext u-iframe-rawtext u-noframes u-noembed u-title-rcdata u-plaintext-el`)
	all := make(map[string]bool)
	for _, m := range token.FindAllString(string(src), -1) {
		all[m] = true
		if found[m] == slices.Contains(none, m) {
			t.Errorf("%s: found is %v", m, found[m])
		}
	}
	if len(all) != 141 {
		t.Errorf("%d distinct tokens, want 141", len(all))
	}
}

func TestMayHold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const letters = "<<<bBaAsSeE>"
	for i := range scantest.Amount(60_000, 200_000) {
		room := make([]byte, r.IntN(30)+r.IntN(2)*r.IntN(150)+64)
		for i := range room {
			room[i] = letters[r.IntN(len(letters))]
		}
		src := room[r.IntN(33):]
		src = src[:len(src)-r.IntN(32)]
		if i%2 == 0 { // at one place at most
			src = append(bytes.Repeat([]byte("<b "), r.IntN(40)), "<BASE"[r.IntN(2):]...)
			src = append(src, bytes.Repeat([]byte("y"), r.IntN(40))...)
		}
		want := strings.Contains(strings.ToLower(string(src)), "<base")
		if got := mayHold(src, "<base"); got != want {
			t.Fatalf("%q: %v", src, got)
		}
		if got := mayHoldLetters(src, "<base"); got != want {
			t.Fatalf("%q without vectors: %v", src, got)
		}
	}
}

func TestNameLen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const letters = "aAzZ&09-:_=/> \t\n\x00\x1f\x7f\x80\xaf\xbd\xbe\xa0\xff.0<?!"
	for range 200_000 {
		s := make([]byte, r.IntN(20))
		for i := range s {
			s[i] = letters[r.IntN(min(len(letters), 5+r.IntN(30)))]
		}
		for _, end := range []uint8{tagEnd, nameEnd} {
			want := 0
			for want < len(s) && byteClass[s[want]]&end == 0 {
				want++
			}
			if got := nameLen(s, end); got != want {
				t.Fatalf("%q: %d, want %d", s, got, want)
			}
		}
		odd := slices.IndexFunc(s, func(c byte) bool { return byteClass[c]&oddByte != 0 })
		if got := beforeOdd(s); got != odd && (odd >= 0 || got != len(s)) {
			t.Fatalf("%q: %d before what is decoded, want %d", s, got, odd)
		}
		holds := uint8(0)
		for _, c := range s {
			holds |= byteClass[c]
		}
		if got := holding(s); (got^holds)&(oddByte|lineByte) != 0 {
			t.Fatalf("%q: holds %x, want %x", s, got, holds)
		}
	}
}

// TestProse checks which text mail readers turn into links: text outside of links.
func TestProse(t *testing.T) {
	tests := []struct {
		src, want string
		xml       bool
	}{
		{`<p>see http://h/?a=1&amp;b=2, <b>www.h.example</b>`, "http://h/?a=1&b=2 www.h.example", false},
		{`<a href=x>http://h/</a> http://i/`, "x http://i/", false},
		{`<a name=x>http://h/</a>`, "http://h/", false},
		{`http&#58;//h/&nbsp;x`, "http://h/", false},
		{`<!-- http://i/ --><script>"http://j/"</script><title>http://k/</title>`, "", false},
		{`<textarea>http://h/?a&amp;b <b title="http://i/"></textarea>`, "http://h/?a&b http://i/", false},
		{`<a href=x><textarea>http://h/</textarea></a>`, "x", false},
		{`<p title="http://h/">`, "", false},
		{`<svg><p></svg>http://h/`, "http://h/", false},
		// The end of a cell ends a link that begins in it, not one around its table.
		{`<table><tr><td><a href=x>http://h/</td></tr></table><p>http://i/`, "x http://i/", false},
		{`<table><tr><td><a href=x>http://h/<td>http://i/<tr><th>http://j/</table>http://k/`, "x http://i/ http://j/ http://k/", false},
		{`<table><tr><td><a href=x><img src=y>http://h/</a> http://i/</table>`, "x y http://i/", false},
		{`<a href=x><table><tr><td>http://h/</td></tr></table>http://i/</a>http://j/`, "x http://j/", false},
		{`<table><tr><td><a href=x><table><tr><td>http://h/</td></tr></table>http://i/</td></tr></table>http://j/`, "x http://j/", false},
		// A link in a table, but in none of its cells, ends the one around the table.
		{`<a href=x><table><a href=y>http://h/</a></table>http://i/`, "x y http://i/", false},
		{`<a href=x><table></a></table>http://i/`, "x", false},
		{`<a href=x><table><tr><td><a href=y></a></table>http://i/`, "x y", false},
		{"&lt;http://h/\na&gt;", "http://h/a", false},
		// The content of a style sheet or a script is not prose, and is scanned once.
		{`<svg><style>a{b:url(http://h/x)}</style><script>"http://i/"</script></svg>http://j/`, "http://h/x http://j/", false},
		{`<svg><p></svg><svg><style>a{b:url(http://h/x)}</style></svg>`, "http://h/x", false},
		{`<s:svg><s:style>a{b:url(http://h/x)}</s:style><script>"http://i/"</script></s:svg>http://j/`, "http://h/x http://j/", true},
	}
	for _, tt := range tests {
		s := Scanner{Prose: true, XML: tt.xml}
		var got []string
		for it := range s.Scan([]byte(tt.src)) {
			if it.Op == scan.Ref {
				got = append(got, string(it.Value))
				if len(it.Extra().Parts) == 0 && !strings.Contains(tt.src, "&") && tt.src[it.Span.Start:it.Span.End] != string(it.Value) {
					t.Errorf("%s: %q stands at %q", tt.src, it.Value, tt.src[it.Span.Start:it.Span.End])
				}
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %q", tt.src, got)
		}
	}
}
