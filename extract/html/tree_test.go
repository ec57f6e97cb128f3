package html

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
	xhtml "golang.org/x/net/html"
)

// treeTests list the result for each start tag of src: an element ("!" if none), its namespace, and
// whether raw text follows ("…"). If x/net differs from the standard, and so from want, departure is
// the name that departs gives to the difference.
var treeTests = []struct{ sec, src, want, departure string }{
	// Document structure.
	{"13.2.6.4.2", `</p><html><head><title><a></title></head>`, "html head title…", ""},
	{"13.2.6.4.3", `</title><head></head><title><a></title><base><body>`, "head title… base body", ""},
	{"13.2.6.4.4", `<link><style><a></style><script><b></script></body><p>`, "link style… script… p", ""},
	{"13.2.6.4.5", `<head><noscript><link><style><a></style><noscript><title><b></title></noscript><p>`, "head noscript link style… !noscript title… p", ""},
	{"13.2.6.4.6", `</head><head><template><p></template><base></br><body>`, "!head template p base !body", ""},
	{"13.2.6.4.7", `<body><html><body><head><tr><image><isindex></br>`, "body !html !body !head !tr image isindex", ""},
	{"13.2.6.4.19", `<body></body><svg></svg></html><svg><title><a>`, "body svg:svg svg:svg svg:title a", ""},
	{"13.2.6.4.20", `<frameset><title><frame><frameset></frameset><noframes><a></noframes></frameset><noframes><b></noframes></html><noframes><c></noframes><p>`, "frameset !title frame frameset noframes… noframes… noframes… !p", "ignored raw text"},
	{"13.2.6.4.7", `<p><svg></svg> <frameset><frame>`, "p svg:svg frameset frame", ""},
	{"13.2.6.4.7", `<svg>x</svg><frameset>`, "svg:svg !frameset", ""},
	{"13.2.6.4.7", `<div>x<frameset>`, "div !frameset", ""},
	{"13.2.6.4.7", `<input type=Hidden><frameset>`, "input frameset", ""},
	{"13.2.6.4.7", `<input><frameset>`, "input !frameset", ""},
	{"13.2.6.4.7", `<template></template><div></div><frameset>`, "template div !frameset", "frameset-ok"},
	// Raw text, by HTML elements only.
	{"13.2.6.4.7", `<textarea><a></textarea><xmp><b></xmp><iframe><c></iframe><noembed><d></noembed><noframes><e></noframes>`, "textarea… xmp… iframe… noembed… noframes…", ""},
	{"13.2.6.4.7", `<noscript><title><a></title></noscript><plaintext><b></plaintext><c>`, "noscript title… plaintext…", ""},
	{"13.2.6.4.4", `<title/><a></title><svg/><title><b></title>`, "title… svg:svg title…", ""},
	{"13.2.6.5", `<svg><title/><style/><script/><textarea/><a>`, "svg:svg svg:title svg:style svg:script svg:textarea svg:a", ""},
	{"13.2.6.5", `<svg><script><a></script><style><b></style>`, "svg:svg svg:script svg:a svg:style b", ""},
	{"13.2.6.5", `<svg><title><a></title><title><b></title></svg><title><c></title>`, "svg:svg svg:title a title… title…", ""},
	{"13.2.6.5", `<svg><xmp><iframe><plaintext><g>`, "svg:svg svg:xmp svg:iframe svg:plaintext svg:g", ""},
	// Foreign content that does not end by its own end tag.
	{"13.2.6.4.7", `<div><svg></div><title><a></title>`, "div svg:svg title…", ""},
	{"13.2.6.4.7", `<p><svg></p><title><a></title>`, "p svg:svg title…", ""},
	{"13.2.6.4.15", `<table><tr><td><svg></td><title><a></title>`, "table tr td svg:svg title…", ""},
	{"13.2.6.4.9", `<table><svg></table><title><a></title>`, "table svg:svg title…", ""},
	{"13.2.6.4.11", `<table><caption><svg></caption><title><a></title>`, "table caption svg:svg title…", ""},
	{"13.2.6.5", `<svg><g></x></g><title><a>`, "svg:svg svg:g svg:title a", ""},
	{"13.2.6.5", `<svg><g></svg></g><title><a></title>`, "svg:svg svg:g title…", ""},
	{"13.2.6.5", `<svg><g><p><title><a></title>`, "svg:svg svg:g p title…", ""},
	{"13.2.6.5", `<svg><g></p><title><a></title>`, "svg:svg svg:g title…", ""},
	{"13.2.6.5", `<svg><desc><svg></br><title><a></title></desc><title><b>`, "svg:svg svg:desc svg:svg title… svg:title b", ""},
	{"13.2.6.5", `<svg><font><title><b>`, "svg:svg svg:font svg:title b", ""},
	{"13.2.6.5", `<svg><font x=1><g><font size=1><title><a></title>`, "svg:svg svg:font svg:g font title…", ""},
	// Integration points.
	{"13.2.6", `<svg><desc><p></desc><title><a></title>`, "svg:svg svg:desc p title…", ""},
	{"13.2.6", `<svg><foreignObject><textarea><a></textarea></foreignObject><textarea><b>`, "svg:svg svg:foreignobject textarea… svg:textarea b", ""},
	{"13.2.6", `<svg><desc><table><tr><td></desc><title><a></title></table></desc><title><b>`, "svg:svg svg:desc table tr td title… svg:title b", ""},
	{"13.2.6", `<math><mi><title><a></title><svg><mi><title><b></title></svg></mi><mi><mglyph><title><c>`, "math:math math:mi title… svg:svg svg:mi svg:title b mi mglyph title…", ""},
	{"13.2.6", `<math><mtext><mglyph></mglyph><malignmark/><g><title><a></title>`, "math:math math:mtext math:mglyph math:malignmark g title…", ""},
	{"13.2.6", `<math><annotation-xml><svg><desc><title><a></title></svg><title><b>`, "math:math math:annotation-xml svg:svg svg:desc title… math:title b", ""},
	{"13.2.6", `<math><annotation-xml encoding=Text/HTML><title><a></title></annotation-xml><title><b>`, "math:math math:annotation-xml title… math:title b", ""},
	{"13.2.6", `<math><annotation-xml encoding=x encoding=text/html><title><b>`, "math:math math:annotation-xml math:title b", ""},
	{"13.2.6", `<math><title><desc><foreignObject><title><b>`, "math:math math:title math:desc math:foreignobject math:title b", ""},
	{"13.2.4.2", `<svg><desc><li></svg><title><a></title>`, "svg:svg svg:desc li title…", ""},
	{"13.2.4.2", `<li><svg><desc><li><title><a></title></desc><li>`, "li svg:svg svg:desc li title… li", ""},
	{"13.2.4.2", `<svg><desc><dd><dt></desc><title><a></title>`, "svg:svg svg:desc dd dt title…", ""},
	{"13.2.4.2", `<button><svg><button><desc><button></desc><title><a></title>`, "button svg:svg svg:button svg:desc button title…", ""},
	{"13.2.4.2", `<select><svg><desc></select><select></select></desc><title><b>`, "select svg:svg svg:desc select svg:title b", ""},
	// CDATA sections.
	{"13.2.5.42", `<![CDATA[><a>]]><svg><![CDATA[><b>]]><desc><![CDATA[><i>]]><p><![CDATA[><u>]]></svg>`, "a svg:svg svg:desc p u", ""},
	{"13.2.5.42", `<math><mi><![CDATA[><b>]]>x<p></p><![CDATA[><i>]]></mi><![CDATA[><u>]]>`, "math:math math:mi p", ""},
	// The list of active formatting elements.
	{"13.2.4.3", `<svg><desc><p><b></p><![CDATA[><i>]]>`, "svg:svg svg:desc p b", ""},
	{"13.2.4.3", `<svg><desc><p><b></p>x<![CDATA[><i>]]>`, "svg:svg svg:desc p b i", ""},
	{"13.2.4.3", `<svg><desc><p><b></p> <![CDATA[><i>]]>`, "svg:svg svg:desc p b i", ""},
	{"13.2.4.3", "<svg><desc><p><b></p>\x00<![CDATA[><i>]]>", "svg:svg svg:desc p b", ""},
	{"13.2.4.3", `<svg><desc><p><b></p><param><![CDATA[><i>]]>`, "svg:svg svg:desc p b param", ""},
	{"13.2.4.3", `<svg><desc><p><b></p><br><![CDATA[><i>]]>`, "svg:svg svg:desc p b br i", ""},
	{"13.2.4.3", "<svg><desc><p><b></p><pre>\n</pre><![CDATA[><i>]]>", "svg:svg svg:desc p b pre", ""},
	{"13.2.4.3", `<svg><desc><p><b></p><object></object><![CDATA[><i>]]>`, "svg:svg svg:desc p b object i", ""},
	{"13.2.4.3", `<svg><desc><object><b><p></object>x<![CDATA[><i>]]>`, "svg:svg svg:desc object b p", ""},
	{"13.2.4.3", `<svg><desc><p><b><b><b><b></p>x</b></b></b><![CDATA[><i>]]>`, "svg:svg svg:desc p b b b b", ""},
	{"13.2.4.3", `<svg><desc><p><b a=1><b><b><b></p>x</b></b></b><![CDATA[><i>]]>`, "svg:svg svg:desc p b b b b i", ""},
	{"13.2.4.3", `<svg><desc><p><b a=1 c=2><b c=2 a=1><b c=2 a=1><b a=1 c=2></p>x</b></b></b><![CDATA[><i>]]>`, "svg:svg svg:desc p b b b b", ""},
	{"13.2.6.4.7", `<svg><desc><b><b><b><b></b></b></b></b><![CDATA[><i>]]>`, "svg:svg svg:desc b b b b", ""},
	{"13.2.6.4.7", `<svg><desc><b></desc></b></desc><![CDATA[><i>]]>`, "svg:svg svg:desc b", ""},
	{"13.2.6.4.7", `<svg><desc><b><div></b></div><![CDATA[><i>]]>`, "svg:svg svg:desc b div", ""},
	{"13.2.6.4.7", `<svg><desc><b><div>x</b>x</div></b><![CDATA[><i>]]>`, "svg:svg svg:desc b div", ""},
	{"13.2.6.4.7", `<svg><desc><a><table><a></table><![CDATA[><i>]]>`, "svg:svg svg:desc a table a", ""},
	{"13.2.6.4.7", `<svg><desc><a><div><a></div></a><![CDATA[><i>]]>`, "svg:svg svg:desc a div a", ""},
	{"13.2.6.4.7", `<svg><desc><nobr><nobr></nobr><![CDATA[><i>]]>`, "svg:svg svg:desc nobr nobr", ""},
	{"13.2.6.4.7", `<svg><desc><b><i><u><s><em><div></b></div></i><![CDATA[><a>]]>`, "svg:svg svg:desc b i u s em div a", "adoption"},
	// Tables.
	{"13.2.6.4.9", `<table><svg><desc><td><title><a></title>`, "table svg:svg svg:desc td title…", ""},
	{"13.2.6.4.9", `<table><colgroup><col><title><a></title><col><tr><caption><tr><td><td><tbody><title><b></title>`, "table colgroup col title… col tr caption tr td td tbody title…", ""},
	{"13.2.6.4.9", `<table><tr><form><input type=hidden><input><form><td><form></form><form>`, "table tr form input input !form td !form form", ""},
	{"13.2.6.4.9", `<form><div></form><form><table><form></table></form><form>`, "form div form table !form form", ""},
	{"13.2.6.4.9", `<table><table><td></table></td></tbody></table></table><td>`, "table table td !td", ""},
	{"13.2.6.4.11", `<table><caption><th><td>`, "table caption th td", "caption th"},
	{"13.2.6.4.7", `<!doctype html><svg><desc><p><table></table></desc><title><b>`, "svg:svg svg:desc p table svg:title b", ""},
	{"13.2.6.4.7", `<!doctype html public "-//IETF//DTD HTML 2.0//EN"><svg><desc><p><table></table></desc><title><a></title>`, "svg:svg svg:desc p table title…", ""},
	{"13.2.6.4.1", `<!doctype html system "about:legacy-compat" x><svg><desc><p><table></table></desc><title><b>`, "svg:svg svg:desc p table svg:title b", "doctype"},
	{"13.2.6.4.7", `<svg><desc><p><table></table></desc><title><a></title>`, "svg:svg svg:desc p table title…", ""},
	// Other elements.
	{"13.2.6.4.7", `<select><input><select><option><div><select><td><textarea><a></textarea>`, "select input select option div !select !td textarea…", ""},
	{"13.2.6.4.7", `<select><optgroup><option><optgroup><option><hr><svg><title><select><g>`, "select optgroup option optgroup option hr svg:svg svg:title select g", ""},
	{"13.2.6.4.7", `<option><svg><desc><option><option></desc><title><b>`, "option svg:svg svg:desc option option title…", ""},
	{"13.2.6.4.7", `<ruby><svg><desc><rb><rt></desc><title><a></title>`, "ruby svg:svg svg:desc rb rt title…", ""},
	{"13.2.6.4.7", `<svg><desc><ruby><rb><rt><rtc><rp></ruby></desc><title><b>`, "svg:svg svg:desc ruby rb rt rtc rp svg:title b", ""},
	{"13.2.6.4.7", `<svg><desc><h1><h2></h3></desc><title><b>`, "svg:svg svg:desc h1 h2 svg:title b", ""},
	{"13.2.6.4.7", `<ruby><search><svg></ruby><title><b>`, "ruby search svg:svg svg:title b", "search"},
	// Templates.
	{"13.2.6.4.18", `<template><base><td><base><tr><title><a></title></template><base>`, "template base td base !tr title… base", ""},
	{"13.2.6.4.18", `<template><col><title><a><p></template><title><b></title>`, "template col !title !a !p title…", "ignored raw text"},
	{"13.2.6.4.18", `<template><caption><svg></template><title><a></title>`, "template caption svg:svg title…", ""},
	{"13.2.6.4.18", `<template><tr><td></x><tbody><p></template><p>`, "template tr td !tbody p p", ""},
	{"13.2.6.4.18", `<table><template><td></template><td><template></table></template></table><td>`, "table template td td template !td", ""},
	{"13.2.6.4.4", `<svg><desc><template><title><a></title></template></desc><title><b>`, "svg:svg svg:desc template title… svg:title b", "template"},
	// Names of foreign elements that are also names of HTML elements.
	{"13.2.6.4.14", `<table><tr><svg><tr><desc><tr><title><a></title>`, "table tr svg:svg svg:tr svg:desc tr title…", "foreign names"},
	{"13.2.4.1", `<table><td><svg><caption><desc><table></table><td>`, "table td svg:svg svg:caption svg:desc table td", "foreign names"},
}

func TestTree(t *testing.T) {
	for _, tt := range treeTests {
		f := drive(t, []byte(tt.src))
		if got := strings.Trim(fmt.Sprint(f.tags), "[]"); got != tt.want {
			t.Errorf("%s %s\n got %s\nwant %s", tt.sec, tt.src, got, tt.want)
		}
		differs := false
		for _, bare := range []bool{false, true} {
			departure, difference := compare(t, number([]byte(tt.src), bare))
			if differs = differs || difference != ""; difference != "" && departure != tt.departure {
				t.Errorf("%s %s: %q: %s", tt.sec, tt.src, departure, difference)
			}
		}
		if !differs && tt.departure != "" {
			t.Errorf("%s %s: x/net no longer departs", tt.sec, tt.src)
		}
	}
}

// TestForget checks that the outermost elements are forgotten when the stack is too deep.
func TestForget(t *testing.T) {
	for _, tt := range []struct {
		outer string
		n     int
		src   string
		want  string
	}{
		{"<div>", 600, "<svg><title/><title><a></svg><title>", "svg:svg svg:title svg:title a title…"},
		{"<svg><desc>", 5000, "</desc><![CDATA[><g>]]></svg><![CDATA[><g>]]><p><![CDATA[><g>]]>", "p g"},
		{"<template>", 5000, "<base><td><title>", "base td title…"},
		{"<table><tr><td>", 5000, "<svg></td><title>", "svg:svg title…"},
		{"<p><b a=1><b a=2><b a=3></p>", 5000, "<svg><desc><title>", "svg:svg svg:desc title…"},
		{"<object>", 5000, "</object><svg><title><a>", "svg:svg svg:title a"},
	} {
		f := drive(t, []byte(strings.Repeat(tt.outer, tt.n)+tt.src))
		tail := f.tags[strings.Count(tt.outer, "<")*tt.n-strings.Count(tt.outer, "</")*tt.n:]
		if got := strings.Trim(fmt.Sprint(tail), "[]"); got != tt.want {
			t.Errorf("%s… %s\n got %s\nwant %s", tt.outer, tt.src, got, tt.want)
		}
	}
}

// Section 13.2.6.4.1.
func TestDoctype(t *testing.T) {
	for doctype, quirks := range map[string]bool{
		"":                                   true,
		" x":                                 true,
		" HTML":                              false,
		"html":                               false,
		"\nhtml\t":                           false,
		" html x":                            true,
		" html public":                       true,
		` html public "x`:                    true,
		` html PUBLIC "x" x`:                 true,
		` html PUBLIC "x" 'y`:                true,
		` html PUBLIC "x"'y' z`:              false,
		` html system x`:                     true,
		` html public "html"`:                true,
		` html public "html//"`:              false,
		` html PUBLIC "" ""`:                 false,
		` html SYSTEM "about:legacy-compat"`: false,
		` html SYSTEM "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"`:         true,
		` html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"`:                                     true,
		` html PUBLIC "-//W3C//DTD HTML 4.0//EN"`:                                           false,
		` html PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN"`:                              true,
		` html PUBLIC "-//W3C//DTD HTML 4.01//EN"`:                                          false,
		` html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"`:                             true,
		` html PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN" "http://www.w3.org/TR/frameset"`: false,
		` html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x"`:                         false,
		` html PUBLIC "-//Microsoft//DTD Internet Explorer 3.0 Tables//EN"`:                 true,
	} {
		var b builder
		if b.doctype([]byte(doctype)); b.quirks != quirks {
			t.Errorf("%q: quirks %v", doctype, b.quirks)
		}
	}
}

// TestLinear repeats hostile shapes: tags that make the stack or the list long, and tags that search
// all of it. "=" is an attribute that no other tag has, "#" is text.
func TestLinear(t *testing.T) {
	scantest.Long(t, "timing")
	for _, shape := range []string{
		"b", "b=", "p b= /p #", "b= div", "a div", "div", "g /x", "svg desc", "table", "table tr td", "object",
		"template", "li span", "nobr div /nobr", "form", "/p", "b=*300 div*200 /b*2000", "table*3 span*500 option*2000",
		"b=*250 p # /p p # /p p # /p p # /p p # /p p # /p p # /p p # /p p # /p p # /p p # /p p # /p p # /p p # /p",
	} {
		var keys []string
		for part := range strings.FieldsSeq(shape) {
			key, times, _ := strings.Cut(part, "*")
			count := 1
			fmt.Sscan(times, &count)
			keys = append(keys, slices.Repeat([]string{key}, count)...)
		}
		build := func(n int) {
			var b builder
			for i := range n {
				key := keys[i%len(keys)]
				name, unique := strings.CutSuffix(key, "=")
				switch {
				case key == "#":
					b.text([]byte("x"))
				case key[0] == '/':
					b.end(key[1:])
				default:
					b.start(name, false, func(yield func(string, []byte) bool) {
						if unique {
							yield("a", fmt.Append(nil, i))
						}
					})
				}
			}
		}
		// Some shapes reach the limit of the lists only after the first thousands.
		const n = 12_000
		scantest.Linear(t, shape, 0, func() { build(n) }, func() { build(4 * n) })
	}
}

// TestRandom uses markup of names that matter to tree construction, in random order.
func TestRandom(t *testing.T) {
	n := scantest.Amount(*documents/10, *documents)
	departures := map[string]int{}
	for i := range n {
		r := rand.New(rand.NewPCG(*seedFlag, uint64(i)))
		src := generate(1+r.IntN(*pieces), r.IntN)
		if i%2 == 0 {
			src = append([]byte("<!doctype html>"), src...)
		}
		src = number(src, i%3 == 0)
		departure, difference := compare(t, src)
		departures[departure]++
		if departure == "" && difference != "" {
			t.Errorf("%s\n%q", difference, shrink(t, src))
		}
	}
	t.Log(departures)
}

var (
	documents = flag.Int("documents", 20000, "how many random documents to compare")
	pieces    = flag.Int("pieces", 30, "the most pieces of a random document")
	seedFlag  = flag.Uint64("seed", 1, "the first random document")
)

// FuzzTree takes bytes.
func FuzzTree(f *testing.F) {
	for _, tt := range treeTests {
		f.Add([]byte(tt.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4096 {
			return
		}
		for _, bare := range []bool{false, true} {
			if departure, difference := compare(t, number(src, bare)); departure == "" && difference != "" {
				t.Fatal(difference)
			}
		}
	})
}

// FuzzMarkup takes choices: the bytes decide what generate makes.
func FuzzMarkup(f *testing.F) {
	for i := range byte(20) {
		f.Add(bytes.Repeat([]byte{i * 13, 7, 99, i}, 40))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		i := 0
		src := generate(min(len(choices)/3, 200), func(n int) int {
			i++
			return int(choices[i%len(choices)]) * n >> 8
		})
		src = number(src, len(choices)%3 == 0)
		if departure, difference := compare(t, src); departure == "" && difference != "" {
			t.Fatalf("%s\n%q", difference, src)
		}
	})
}

// A follow is the result of a builder for a document.
type follow struct {
	builder
	tags []gotTag
	// departure is the first departure of x/net from the standard in the document.
	departure string

	headTemplate bool // there was a template before the body
}

type gotTag struct {
	name, n string // n is the attribute that number gives
	placed
}

func (g gotTag) String() string {
	s := [...]string{"", "svg:", "math:"}[g.ns] + g.name
	if !g.made {
		s = "!" + s
	}
	return s + [...]string{"", "…", "…", "…"}[g.raw]
}

// drive runs x/net's tokenizer under a builder.
func drive(t testing.TB, src []byte) *follow {
	f := new(follow)
	z := xhtml.NewTokenizer(bytes.NewReader(src))
	for {
		z.AllowCDATA(f.foreign())
		kind := z.Next()
		raw := bytes.Clone(z.Raw())
		tok := z.Token()
		if f.departure == "" {
			f.departure = f.departs(&tok)
		}
		switch kind {
		case xhtml.ErrorToken:
			if z.Err() != io.EOF {
				t.Fatal(z.Err())
			}
			return f
		case xhtml.TextToken:
			if cdata, ok := bytes.CutPrefix(raw, []byte("<![CDATA[")); ok {
				raw = bytes.TrimSuffix(cdata, []byte("]]>"))
			}
			f.text(raw)
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			g := gotTag{tok.Data, "", f.start(tok.Data, kind == xhtml.SelfClosingTagToken, attributes(tok.Attr))}
			for name, value := range attributes(tok.Attr) {
				if name == "n" {
					g.n = string(value)
				}
			}
			f.tags = append(f.tags, g)
			if g.raw == notRaw {
				z.NextIsNotRawText()
			}
			if f.departure == "" && g.ns == nsHTML && !g.made && strings.Contains(rawNames, " "+g.name+" ") &&
				f.mode != "in-head-noscript" {
				f.departure = "ignored raw text"
			}
		case xhtml.EndTagToken:
			f.end(tok.Data)
		case xhtml.DoctypeToken:
			f.doctype([]byte(tok.Data))
		}
		f.check(t)
	}
}

const rawNames = " iframe noembed noframes noscript plaintext script style textarea title xmp "

func attributes(list []xhtml.Attribute) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, a := range list {
			if !yield(a.Key, []byte(a.Val)) {
				return
			}
		}
	}
}

// check checks that the counts of the builder agree with its stack.
func (f *follow) check(t testing.TB) {
	templates := 0
	for _, e := range f.open {
		if e.is("template") {
			templates++
		}
		if !e.open {
			t.Fatalf("%s is on the stack and not open", e.name)
		}
	}
	for _, e := range f.active {
		if e != nil && e.open && !slices.Contains(f.open, e) {
			t.Fatalf("%s is open and not on the stack", e.name)
		}
	}
	if templates != f.templates || len(f.open) > maxOpen || len(f.active) > maxActive {
		t.Fatalf("%d templates of %d, %d open, %d active", templates, f.templates, len(f.open), len(f.active))
	}
}

// departs names how golang.org/x/net/html v0.62.0 departs from the standard at a token,
// if it does. A document that meets a departure is not compared. They are:
//
//   - "template": a template in HTML content within foreign content makes the parser
//     ignore the rest of the document (a divergence that its source admits).
//   - "ignored raw text": the tokenizer decides by the name alone, so that a start tag of
//     title, script, noscript and the like is followed by raw text even where the tag is
//     ignored (framesets, a column group in a template).
//   - "foreign names": implied end tags, table contexts, the insertion mode to reset to
//     and more look at names only: an svg:tr or math:option counts as HTML.
//   - "caption th": a th start tag in a caption is ignored, and does not close it.
//   - "search": is not among the special elements.
//   - "frameset-ok": a body that is implied sets the flag to "ok", also if it was not.
//   - "adoption": from the fourth on, the inner loop leaves on the stack the elements that
//     it takes off the list of active formatting elements.
//   - "doctype": the name has to be in lower case (number sees to that), and anything
//     behind the identifiers means quirks mode.
//
// A tree of more than 512 levels is an error there.
func (f *follow) departs(tok *xhtml.Token) string {
	b := &f.builder
	name := tok.Data
	switch tok.Type {
	case xhtml.DoctypeToken:
		if b.mode == initial && len(strings.Fields(name)) > 1 {
			return "doctype"
		}
	case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
		foreign := b.isForeign(&token{key: name, name: name})
		switch {
		case foreign && slices.Contains(comparedByName, name):
			return "foreign names"
		case foreign:
		case name == "template" && slices.ContainsFunc(b.open, func(e *element) bool { return e.ns != nsHTML }):
			return "template"
		case name == "template" && (len(b.open) < 2 || !b.open[1].is("body")):
			f.headTemplate = true
		case name == "th" && b.mode == "in-caption":
			return "caption th"
		case name == "search":
			return "search"
		case name == "frameset" && f.headTemplate && b.noFrames:
			return "frameset-ok"
		case name == "a" || name == "nobr":
			return f.adopts(name)
		}
	case xhtml.EndTagToken:
		if strings.Contains(" a b big code em font i nobr s small strike strong tt u ", " "+name+" ") {
			return f.adopts(name)
		}
	}
	return ""
}

func (f *follow) adopts(name string) string {
	i := f.findActive(name)
	if i < 0 {
		return ""
	}
	at := slices.Index(f.open, f.active[i])
	n := 0
	for _, e := range f.open[at+1:] {
		if e.class&special == 0 {
			n++
		}
	}
	if n > 3 {
		return "adoption"
	}
	return ""
}

var comparedByName = strings.Fields("caption colgroup frameset html optgroup option rb rp rt rtc tbody td template tfoot th thead tr")

// number gives every start tag an attribute n, its offset in src. With bare, most formatting elements
// have none, so that they can be alike.
func number(src []byte, bare bool) []byte {
	src = doctypeName.ReplaceAll(src, []byte("<!doctype html"))
	var out []byte
	at := 0
	for _, m := range tagName.FindAllIndex(src, -1) {
		out = append(out, src[at:m[1]]...)
		if at = m[1]; !bare || !bareName.Match(src[m[0]+1:m[1]]) {
			out = fmt.Appendf(out, " n=%d", m[0])
		}
	}
	return append(out, src[at:]...)
}

var (
	doctypeName = regexp.MustCompile(`(?i)<!doctype\s*html`)
	tagName     = regexp.MustCompile(`<[a-zA-Z][^\t\n\f\r />]*`)
	bareName    = regexp.MustCompile(`(?i)^(a|b|i|font|nobr)$`)
	numbered    = regexp.MustCompile(` n=(\d+)`)
)

// compare compares the result of a builder for src, which number has numbered, with the tree of
// html.Parse. It returns the first departure in src, and a difference.
func compare(t testing.TB, src []byte) (departure, difference string) {
	f := drive(t, src)
	doc, err := xhtml.ParseWithOptions(bytes.NewReader(src), xhtml.ParseOptionEnableScripting(false))
	if err != nil {
		return "depth", err.Error()
	}
	spaces := map[string]namespace{"": nsHTML, "svg": nsSVG, "math": nsMath}
	tree, text := map[string]namespace{}, map[string]bool{}
	for n := range doc.Descendants() {
		switch n.Type {
		case xhtml.ElementNode:
			for name, value := range attributes(n.Attr) {
				if name == "n" {
					tree[string(value)] = spaces[n.Namespace]
				}
			}
		case xhtml.TextNode, xhtml.CommentNode:
			for _, m := range numbered.FindAllStringSubmatch(n.Data, -1) {
				text[m[1]] = true
			}
		}
	}
	// A frameset replaces the body and its content.
	frames := slices.IndexFunc(f.tags, func(g gotTag) bool { return g.name == "frameset" && g.ns == nsHTML && g.made })
	for i, g := range f.tags {
		ns, ok := tree[g.n]
		switch {
		case g.n == "":
		case text[g.n]:
			return f.departure, fmt.Sprintf("%v, but its n=%s is text in the tree", g, g.n)
		case ok && ns != g.ns:
			return f.departure, fmt.Sprintf("%v n=%s, but of namespace %d in the tree", g, g.n, ns)
		case ok != g.made && g.name != "html" && g.name != "body" && i >= frames: // html and body lend attributes
			return f.departure, fmt.Sprintf("%v n=%s, in the tree: %v", g, g.n, ok)
		}
		delete(tree, g.n)
	}
	for n := range tree {
		return f.departure, fmt.Sprintf("n=%s is in the tree, and was not seen as a tag", n)
	}
	return f.departure, ""
}

// generate makes a document from choices: each is a number below n.
func generate(size int, choose func(n int) int) []byte {
	var out []byte
	var open []string
	pick := func(of ...string) string { return of[choose(len(of))] }
	for range size {
		name := pick(elementNames...)
		if name == "*" {
			name = pick(others...)
		}
		switch k := choose(100); {
		case k < 50:
			if (name == "plaintext" || name == "frameset") && choose(8) > 0 {
				name = "span"
			}
			out = fmt.Appendf(out, "<%s", name)
			switch name {
			case "annotation-xml":
				out = append(out, pick("", "", "", " encoding=text/html", " encoding='application/XHTML+xml'", " encoding=x")...)
			case "font":
				out = append(out, pick("", "", "", " color=a", " face=a", " size=a", " x=a")...)
			case "input":
				out = append(out, pick("", " type=Hidden")...)
			}
			if choose(10) == 0 {
				out = append(out, pick(" a=1", " a=2", " a=1 c=2", " c=2 a=1")...)
			}
			if choose(12) == 0 {
				out = append(out, " /"...)
			}
			out = append(out, '>')
			open = append(open, name)
		case k < 70 && len(open) > 0:
			i := max(0, len(open)-1-choose(4))
			if choose(10) == 0 {
				i = choose(len(open))
			}
			out = fmt.Appendf(out, "</%s>", open[i])
			open = open[:i]
		case k < 82:
			out = fmt.Appendf(out, "</%s>", name)
		case k < 90:
			out = append(out, pick("x", " ", "\n", "\x00", "&#32;", " x", "&amp;", "\x00 ")...)
		case k < 95:
			out = append(out, pick("<![CDATA[x]]>", "<![CDATA[x><b>]]>", "<![CDATA[]]>", "<![CDATA[ ]]>", "<![CDATA[ <title>]]>", "<![CDATA[>x<svg>]]>")...)
		case k < 98:
			out = append(out, pick("<!--x-->", "<!-- <b> -->", "<?x <i> ?>", "</>", "</ x>")...)
		default:
			out = append(out, pick("<!doctype html>", "<!doctype x>")...)
		}
	}
	return out
}

// Names that occur twice are chosen more often, and * stands for any other name.
var (
	elementNames = strings.Fields(`* * * * * * * * * * * * a address annotation-xml annotation-xml applet b base body br button
		caption col colgroup dd desc desc div dt font foreignObject foreignObject form frame frameset h1 h2 head hr html i
		iframe img input li main malignmark math math math mglyph mi mi mo nobr noembed noframes noscript object optgroup
		option p p path plaintext pre rb rp rt rtc ruby script select span style svg svg svg svg table table tbody td
		template textarea th thead title title tr ul xmp`)
	others = strings.Fields(`area article aside basefont bgsound big blockquote center code details dialog dir dl em embed
		fieldset figcaption figure footer g h3 h4 h5 h6 header hgroup image keygen label link listing marquee menu meta mn
		ms mtext nav ol param s search section small source strike strong sub summary sup tfoot track tt u var wbr x-y`)
)

// shrink removes pieces of src as long as a difference remains.
func shrink(t testing.TB, src []byte) []byte {
	for again := true; again; {
		again = false
		parts := piece.FindAll(src, -1)
		for i := range parts {
			less := bytes.Join(slices.Delete(slices.Clone(parts), i, i+1), nil)
			if departure, difference := compare(t, less); departure == "" && difference != "" {
				src, again = less, true
				break
			}
		}
	}
	return src
}

var piece = regexp.MustCompile(`(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[^>]*>|[^<]+`)
