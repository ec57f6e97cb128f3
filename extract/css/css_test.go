package css_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/css"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// The text between ⟦ and ⟧ is a reference, as written. in is the place of each, "url()" if empty;
// value is the value of each, if it differs from the written text.
type row struct{ sec, text, in, value string }

var cssTests = []row{
	// A url-token.
	{"4.3.6", `a{b:url(⟦x.png⟧)}`, "", ""},
	{"4.3.6", "a{b:url( \t\r\n\f⟦x.png⟧ \n\t)}", "", ""},
	{"4.3.6", `a{b:url(⟦http://h/a?b&c=;{}[]@,/*d*/!é⟧)}`, "", ""},
	{"4.3.6", `a{b:url(⟦a⟧),url(⟦b⟧)url(⟦c⟧)}`, "", ""},
	{"4.3.6", `url(⟦//h/a⟧)`, "", ""},
	{"4.3.6", `a{b:url(⟦\66 oo\)\(\"\'\ ⟧)}`, "", `foo)("'`},
	{"4.3.6", `a{b:url(⟦x⟧`, "", ""},
	{"4.3.6", `a{b:url(⟦x⟧  `, "", ""},
	{"4.3.6", `a{b:url(⟦x\⟧`, "", "x\uFFFD"},
	{"4.3.6", `a{b:url(`, "", ""},
	{"4.3.6", "url(⟦a\x00b⟧)", "", "a\uFFFDb"}, // 3.3: it is not non-printable any more
	{"4.3.6", "url(⟦\xff\xfe⟧)", "", ""},
	{"4.3.6", `a{--x:url(⟦a⟧);--y:{url(⟦b⟧)}}`, "", ""},
	{"4.3.6", `a{behavior:url(⟦x.htc⟧)}`, "", ""},
	{"4.3.6", `@font-face{src:local("x"),url(⟦a.woff2⟧)format("woff2"),url("⟦b⟧") format('woff')}`, "", ""},

	// A bad-url-token continues to the next ")" that is not escaped.
	{"4.3.14", `a{b:url(x y)}url(⟦c⟧)`, "", ""},
	{"4.3.14", `url(a b "c) url(⟦d⟧)`, "", ""},
	{"4.3.14", `url(a"b) url(⟦d⟧)`, "", ""},
	{"4.3.14", `url(a'b) url(⟦d⟧)`, "", ""},
	{"4.3.14", `url(a(b) url(⟦d⟧)`, "", ""},
	{"4.3.14", "url(a\x01b) url(a\x7fb) url(a\vb) url(⟦d⟧)", "", ""},
	{"4.3.14", "url(a\\\nb) url(⟦d⟧)", "", ""},
	{"4.3.14", `url(a b\) url(c) url(⟦d⟧)`, "", ""},
	{"4.3.14", `url(a b\29 url(c) url(⟦d⟧)`, "", ""},
	{"4.3.14", `url(a b\\) url(⟦d⟧)`, "", ""},
	{"4.3.14", "url(a b\\\n) url(⟦d⟧)", "", ""},
	{"4.3.14", `url(a /* ) */ url(⟦d⟧)`, "", ""},
	{"4.3.14", `url(/* c */"a") url(⟦d⟧)`, "", ""}, // a url-token has no comments
	{"4.3.14", `url(var(--x)) url(⟦d⟧)`, "", ""},
	{"4.3.14", `url(a b;c{d:url(e`, "", ""},

	// A function with a string.
	{"4.3.4", `a{b:url("⟦x.png⟧")}`, "", ""},
	{"4.3.4", `a{b:url('⟦x.png⟧')}`, "", ""},
	{"4.3.4", "a{b:url( \n '⟦x.png⟧' \n )}", "", ""},
	{"4.3.4", `a{b:url("⟦a'b⟧")url('⟦a"b⟧')}`, "", ""},
	{"4.3.4", `a{b:url("⟦a)b(c⟧")}`, "", ""},
	{"4.3.4", `a{b:url("⟦a⟧" crossorigin(anonymous) "b")}url(⟦c⟧)`, "", ""},
	{"4.3.4", `a{b:url("⟦a⟧"url(⟦b⟧))}`, "", ""},
	{"4.3.4", `a{b:url("⟦a⟧`, "", ""},
	{"4.3.4", `a{b:url(⟦a⟧)`, "", ""},
	{"4.3.4", `url (x) url "x" uri(x) rgb(x) (x)`, "", ""},

	// Strings.
	{"4.3.5", `a{content:"url(x)";quotes:'url("x")' "@import 'x';"}b{c:url(⟦y⟧)}`, "", ""},
	{"4.3.5", `a[b="url(x)"]:not([c='url(x)']){d:url(⟦y⟧)}`, "", ""},
	{"4.3.5", `a{content:"\"url(x)\""}`, "", ""},
	{"4.3.5", `a{content:"/*"}b{c:url(⟦y⟧)}/*"*/`, "", ""},
	{"4.3.5", "a{content:\"\n;c:url(⟦x⟧)}", "", ""},           // a bad-string ends at the line's end
	{"4.3.5", "a{content:\"\\\n;c:url(x)\"}", "", ""},         // an escaped line's end does not end it
	{"4.3.5", "a{content:\"\\\r\n;c:url(x)\"}", "", ""},       // CR LF is one
	{"4.3.5", "a{content:\"\r;c:url(⟦x⟧)\f'\f}'\r\n", "", ""}, // each is a line's end
	{"4.3.5", "url(\"a\nb\") url(c)", "", ""},                 // the second quote begins a string
	{"4.3.5", "url(\"a\nb) url(⟦c⟧)", "", ""},
	{"4.3.5", "url(\"⟦a\\\nb\\\r\nc\\\fd\\\re⟧\")", "", "abcde"},
	{"4.3.5", `url("⟦a⟧\`, "", ""}, // "If the next input code point is EOF, do nothing."
	{"4.3.5", `url("⟦a⟧ \`, "", ""},
	{"4.3.5", `"`, "", ""},

	// Escapes.
	{"4.3.7", `url("⟦\61\000062\63 d⟧")`, "", "abcd"},
	{"4.3.7", `url("⟦\0000611⟧")`, "", "a1"},                                // six digits at most
	{"4.3.7", "url(\"⟦\\61\t\\62\n\\63\r\n\\64\f\\65\re⟧\")", "", "abcdee"}, // one white space, which may be CR LF
	{"4.3.7", "url(⟦\\61\t\\62\n\\63\r\n\\64\f\\65\re⟧)", "", "abcdee"},
	{"4.3.7", `url("⟦\41  b⟧")`, "", "A b"},
	{"4.3.7", `url("⟦\0 \d800 \DFFF \110000 \ffffff⟧")`, "", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"},
	{"4.3.7", `url("⟦\e9\10FFFF⟧")`, "", "é\U0010FFFF"},
	{"4.3.7", `url("⟦\é\日\\\"⟧")`, "", `é日\"`},
	{"4.3.7", "url(\"⟦\\\xe9⟧\")", "", "\xe9"}, // whatever the charset has there
	{"4.3.7", "url(\"⟦\\\x00a⟧\")", "", "\uFFFDa"},
	{"4.3.7", `url("⟦\g\:⟧")`, "", "g:"},
	{"4.3.7", "url(\"⟦\\\x01a⟧\")", "", "a"},

	// Names.
	{"4.3.11", `URL(⟦a⟧)Url("⟦b⟧")`, "", ""},
	{"4.3.11", `u\72l(⟦a⟧)\75\52\4c(⟦b⟧)\75 r\l(⟦c⟧)\000075rl("⟦d⟧")ur\6c (⟦e⟧)`, "", ""},
	{"4.3.11", "\\75\r\nrl(⟦a⟧)\\55 RL(⟦b⟧)", "", ""},
	{"4.3.11", `curl(a) -url(a) --url(a) _url(a) 1url(a) éurl(a) url-prefix(a) urls(a)`, "", ""},
	{"4.3.11", "\x00url(a) \x80url(a)", "", ""},
	{"4.3.11", `\curl(a) \66url(a) \-url(a) a\url(a) -u\72l(a) \75rl\-(a) u\72l (a) u\72l`, "", ""},
	{"4.3.11", `\url(⟦a⟧)\u\72l(⟦b⟧)`, "", ""},    // \u is no hexadecimal escape
	{"4.3.11", "u\\\nrl(a) \\\nurl(⟦b⟧)", "", ""}, // not a valid escape
	{"4.3.11", `u/**/rl(a) u rl(a)`, "", ""},
	{"4.3.11", `u\72l\`, "", ""},
	{"4.3.11", `ſrc("a") ur\17f("a")`, "", ""},

	// "url" is not always a name: a hash, a unit.
	{"4.3.1", `#url(a) #u\72l(a) ##url(a) #-\75rl(a)`, "", ""},
	{"4.3.1", `\#url(a) #\#url(a) @x#url(a)`, "", ""},
	{"4.3.1", `@url(a) @u\72l(a)`, "", ""},
	{"4.3.1", `.url(⟦a⟧)+url(⟦b⟧)$url(⟦c⟧)~url(⟦d⟧)>url(⟦e⟧):url(⟦f⟧),url(⟦g⟧)*url(⟦h⟧)!url(⟦i⟧)`, "", ""},
	{"4.3.3", `5url(a) 5u\72l(a) .5url(a) +5url(a) -5u\72l(a) 5e3url(a) 5.5url(a) 5\75rl(a) 5-url(a)`, "", ""},
	{"4.3.3", `5%url(⟦a⟧) 5.url(⟦b⟧) 5.u\72l(⟦c⟧) 5e+url(⟦d⟧) 5 url(⟦e⟧)`, "", ""},
	{"4.3.1", `<!--url(⟦a⟧)--><!--u\72l(⟦b⟧)-->url(⟦c⟧)<!---url(d)<!----url(d)`, "", ""},
	{"4.3.1", `\<!--url(a) <!-url(a) !--url(a) --url(a) <!---\75rl(a)<!--5u\72l(a)`, "", ""},
	{"4.3.1", `<!-- @import "⟦a⟧"; b{c:url(⟦d⟧)} -->`, "@import url()", ""},

	// Comments.
	{"4.3.2", `/* url(a) */url(⟦b⟧)/*/url(a)*/url(⟦c⟧)/**/url(⟦d⟧)/***/url(⟦e⟧)/* " */url(⟦f⟧)`, "", ""},
	{"4.3.2", `/url(⟦a⟧)//url(⟦b⟧)
		/* @import "a"; url(b)`, "", ""},
	{"4.3.2", `a{b:url(⟦c⟧)}/`, "", ""},

	// @import.
	{"css-cascade-4 @import", `@import "⟦a⟧";@import '⟦b⟧' screen;@import url(⟦c⟧) print;@import url("⟦d⟧");`, "@import @import @import @import", ""},
	{"css-cascade-4 @import", `@IMPORT"⟦a⟧";@\69mport/**/ /*"x"*/"⟦b⟧";@imp\6fRT URL(⟦c⟧);@import u\72l( '⟦d⟧');@import src("⟦e⟧");`, "@import @import @import @import @import", ""},
	{"css-cascade-4 @import", `@import url(⟦a⟧) layer(x) supports(background:url(b)) "c" url("d"),src("e");f{g:url(⟦h⟧)}`, "@import url()", ""},
	{"css-cascade-4 @import", `@import "⟦a⟧" supports(x:y;{z:url(b)});c{d:url(⟦e⟧)}`, "@import url()", ""},
	{"css-cascade-4 @import", `@import "⟦a⟧" ([{(;]})}]) url(b);c{d:url(⟦e⟧)}`, "@import url()", ""},
	{"css-cascade-4 @import", `@import "⟦a⟧"`, "@import", ""},
	{"css-cascade-4 @import", `@import url(⟦a⟧`, "@import", ""},
	{"css-cascade-4 @import", `@import "a` + "\n" + `" "b;
		c{d:url(⟦e⟧)}`, "", ""},
	{"css-cascade-4 @import", `@import a "b";@import ("b");@import;@import url(a b) "c";@import "" "c";@import image("d");@import x url(e);f{g:url(⟦h⟧)}`, "", ""},
	{"css-cascade-4 @import", `@importx "a";@import-x "a";@ import "a";@@import "⟦b⟧";import "a";#import "a";\@import "a";`, "@import", ""},
	{"css-cascade-4 @import", `@charset "utf-8";@layer a;@import "⟦b⟧";`, "@import", ""},
	// Browsers ignore these: see the package comment.
	{"css-cascade-4 @import", `@import "⟦d⟧";@media x{@import url(e);f{g:h}}`, "@import", ""},
	{"css-cascade-4 @import", `a{@import "b"}c{d:url(⟦e⟧)}`, "url()", ""},
	// The second @import is part of the prelude of the first.
	{"consume an at-rule", `@import "⟦a⟧" @import "b";@import "⟦c⟧";`, "@import @import", ""},
	{"consume an at-rule", `@import "⟦a⟧"{b:url(⟦c⟧)}url(⟦d⟧)`, "@import url() url()", ""},

	// Names, patterns and conditions.
	{"css-namespaces-3 @namespace", `@namespace url(http://www.w3.org/1999/xhtml);@namespace svg "x";@NameSpace a url("b");c{d:url(⟦e⟧)}`, "", ""},
	{"css-conditional @document", `@document url(http://a),url-prefix("b"),domain(c),regexp("d"){e{f:url(⟦g⟧)}}url(⟦h⟧)`, "", ""},
	{"css-conditional @document", `@-moz-document url-prefix(){a{b:url(⟦c⟧)}}`, "", ""},
	{"css-conditional-3 @supports", `@supports (a:url(b)) and (not (c:image-set("d" 1x))){e{f:url(⟦g⟧)}}`, "", ""},
	{"css-conditional-3 @supports", `@supports selector(a[b="{"]){c{d:url(⟦e⟧)}}`, "", ""},
	{"3.2", `@charset "url(x)";@charset url(⟦y⟧);`, "", ""}, // nothing special to a parser
	{"consume an at-rule", `@namespace @import "a";@import "⟦b⟧";`, "@import", ""},
	{"consume an at-rule", `@x y{@namespace url(a)}@import "⟦b⟧";`, "@import", ""},
	{"consume an at-rule", `@media screen{a{b:url(⟦c⟧)}}@page{d:url(⟦e⟧)}@media(url(⟦f⟧)){}`, "", ""},

	// image-set(), image(), src().
	{"css-images-4 image-set()", `a{b:image-set("⟦c⟧" 1x,'⟦d⟧' 2x type("image/png"),/**/ "⟦e⟧"type('x'))}`, "image-set() image-set() image-set()", ""},
	{"css-images-4 image-set()", `a{b:-webkit-image-set(url(⟦c⟧) 1x,url("⟦d⟧") 2x,/*,"x"*/"⟦e⟧" 3x)}`, "url() url() image-set()", ""},
	{"css-images-4 image-set()", `image-SET( "⟦a⟧")im\61ge-set("⟦b⟧")-webkit\-image-set("⟦c⟧"`, "image-set() image-set() image-set()", ""},
	{"css-images-4 image-set()", `image-set(linear-gradient(a,"b"),"⟦c⟧",(x,"y"),[x,"y"],{x,"y"},"⟦d⟧"),"e"`, "image-set() image-set()", ""},
	{"css-images-4 image-set()", `image-set(image-set("⟦a⟧","⟦b⟧"),"⟦c⟧")`, "image-set() image-set() image-set()", ""},
	{"css-images-4 image-set()", `image-set(1x "a",2x/**/"b" 1x "c","⟦d⟧" "e")`, "image-set()", ""}, // the image comes first
	{"css-images-4 image-set()", `image-set(]},"⟦a⟧"})"b","c"`, "image-set()", ""},                  // only ")" closes it
	{"css-images-4 image-set()", `image-set((]},"a"),"⟦b⟧"`, "image-set()", ""},
	{"css-images-4 image-set()", `a{b:image-set("⟦c⟧" 1x;font:d,"e"}f{g:h,"i"}`, "image-set()", ""},
	{"css-images-4 image-set()", `moz-image-set("a") --image-set("a") -image-set("a") images-et("a") image-set ("a") -webkit-image-sets("a")`, "", ""},
	{"css-images-4 image-set()", `image-set(@import "a";{@import "⟦b⟧";@namespace url(c)})[@import "⟦d⟧"]`, "@import @import", ""},
	{"css-images-4 image-set()", `image-set([@import "a"])@import "⟦b⟧"`, "@import", ""},
	{"css-images-4 image()", `image("⟦a⟧")image(ltr "⟦b⟧")IMAGE(/**/rtl/**/ '⟦c⟧', red)image(\6ctr"⟦d⟧")image(rtl)`, "image() image() image() image()", ""},
	{"css-images-4 image()", `image(red)image(ltrr "a")image(red, "a")image(ltr url(⟦b⟧))image(ltr(ltr "a"))image(url("⟦c⟧"))image(u\72l(⟦d⟧))`, "", ""},
	{"css-values-4 src()", `a{b:src("⟦c⟧");d:src( /**/ '⟦e⟧' f("g") "h");src:src(var(--x));@src("y")}x-src("y")`, "src() src()", ""},
	{"css-values-4 src()", `image-set(src("⟦a⟧") 1x,"⟦b⟧" 2x)`, "src() image-set()", ""},

	// Empty.
	{"css-values-4 empty URLs", `url()url("")url( )url('')@import "";@import url();image-set("",'')src("")image("")`, "", ""},
	{"css-values-4 empty URLs", "url(\" \t\")url(\\20)url('\\9\\\n')", "", ""},

	// Bytes that the URL parser removes.
	{"WHATWG URL 4.4", "url(\" \x01\t⟦a b⟧\x1f \")", "", ""},
	{"WHATWG URL 4.4", "url(\"⟦a\tb\\a c\\d\\9 d\\c e⟧\")", "", "abcd\fe"},
	{"WHATWG URL 4.4", `url(⟦\20\9\1 a\20 ⟧)url(" ⟦\ a\ ⟧ ")`, "", "a|a"},
}

// marked removes the marks, and returns the spans between them.
func marked(text string) (src string, spans []scan.Span) {
	for {
		before, rest, ok := strings.Cut(text, "⟦")
		src += before
		if !ok {
			return src, spans
		}
		ref, after, _ := strings.Cut(rest, "⟧")
		spans = append(spans, scan.Span{Start: len(src), End: len(src) + len(ref)})
		src += ref
		text = after
	}
}

func TestScan(t *testing.T) {
	var s css.Scanner
	for _, tt := range cssTests {
		src, spans := marked(tt.text)
		var want, got []string
		ins, values := strings.Fields(tt.in), strings.Split(tt.value, "|")
		for i, span := range spans {
			in, value := "url()", src[span.Start:span.End]
			if tt.in != "" {
				in = ins[i]
			}
			if tt.value != "" {
				value = values[i]
			}
			want = append(want, fmt.Sprintf("%v %s %q", span, in, value))
		}
		for it := range s.Scan([]byte(src)) {
			got = append(got, fmt.Sprintf("%v %s %q", it.Span, it.In, it.Value))
			if it.Op != scan.Ref || it.Kind != scan.Embed || it.How != scan.CSS || it.Map != nil || it.IgnoresBase {
				t.Errorf("%s: %q: %+v", tt.sec, src, *it)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q:\ngot  %s\nwant %s", tt.sec, src, got, want)
		}
	}
}

// The declarations of a style attribute have no at-rules.
func TestInline(t *testing.T) {
	inlineTests := []row{
		{"4.3.6", `background:url(⟦a⟧);x:image-set("⟦b⟧" 1x)`, "url() image-set()", ""},
		{"css-style-attr", `@import "a";@import url(a);b:url(⟦c⟧)`, "url()", ""},
		{"css-style-attr", `@namespace url(a);@media x{b:url(⟦c⟧)}`, "url()", ""},
	}
	for _, tt := range inlineTests {
		src, spans := marked(tt.text)
		var got []scan.Span
		var in []string
		for it := range (&css.Scanner{Inline: true}).Scan([]byte(src)) {
			got, in = append(got, it.Span), append(in, it.In)
		}
		if !slices.Equal(got, spans) || strings.Join(in, " ") != tt.in {
			t.Errorf("%s: %q: %v %v", tt.sec, src, got, in)
		}
	}
}

// css-values-4, Fragment URLs: the value of the token begins with "#".
func TestOwn(t *testing.T) {
	ownTests := []struct {
		text string
		own  bool
	}{
		{`url(#a)`, true},
		{`url( #a )`, true},
		{`url("#a")`, true},
		{`url(#)`, true},
		{`url(\23 a)`, true},
		{"url('\\\n#a')", true},
		{"url('\\\r\n#a')", true},
		{`src("#a")`, true},
		{`image-set("#a" 1x)`, true},
		{`url(" #a")`, false},
		{`url("\20#a")`, false},
		{`url("\9#a")`, false},
		{`url(a#b)`, false},
		{`url(?#b)`, false},
		{`url(%23)`, false},
	}
	for _, tt := range ownTests {
		n := 0
		for it := range new(css.Scanner).Scan([]byte(tt.text)) {
			if n++; it.IgnoresBase != tt.own {
				t.Errorf("%q: IgnoresBase is %v", tt.text, it.IgnoresBase)
			}
		}
		if n != 1 {
			t.Errorf("%q: %d references", tt.text, n)
		}
	}
}

// A value of which nothing is left is no reference.
func TestEmpty(t *testing.T) {
	for _, text := range []string{`url()`, `url("")`, `url( )`, `url(" ")`, "url('\\\n')", "url('\\\r\n')", "url(\"\\\n\t\\\n\")", `image-set("" 1x)`, `@import "";`} {
		for it := range new(css.Scanner).Scan([]byte(text)) {
			t.Errorf("%q: %q", text, it.Value)
		}
	}
}

// TestAlias checks that Value aliases src, and nothing is allocated, if nothing is decoded.
func TestAlias(t *testing.T) {
	src := []byte(`@import "a";b{c:url( d ) url(" e ") image-set("f" 1x)}`)
	var s css.Scanner
	for it := range s.Scan(src) {
		if &it.Value[0] != &src[it.Span.Start] || len(it.Value) != it.Span.End-it.Span.Start {
			t.Errorf("%s is a copy", it.Value)
		}
	}
	escaped := []byte(`url(\61 b)url("\62 c")`)
	if n := testing.AllocsPerRun(100, func() {
		for range s.Scan(src) {
		}
		for range s.Scan(escaped) {
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// hostile holds shapes that might make a scanner read its input again and again: the text before, and
// the text repeated.
var hostile = []scantest.Shape{
	{"", "("}, {"", ")"}, {"", "{"}, {"", "["}, {"", ";"}, {"", ","}, {"", " "}, {"", "\n"}, {"", "\x00"}, {"", "é"}, {"", "a"}, {"", "-"}, {"", "1"},
	{"", `"`}, {"", `'`}, {"", `"'`}, {"", "\"\n"}, {"", "\"a\n"}, {"", `"\`}, {`"`, "a"}, {`"`, `\a`}, {`"`, "\\\n"}, {`url("`, " "}, {`url("a`, " "}, {`url("`, `\20 `},
	{"", "/*"}, {"", "*/"}, {"", "/"}, {"", "/**/"}, {"/*", "*"}, {"/*", "/"}, {"/*", "* "}, {"/*", "a"},
	{"", `\`}, {"", `\a`}, {"", "\\\n"}, {"", `\61 `}, {"", `u\72`}, {"", `u\72l(`}, {"", `u\72l`}, {"", `a\`}, {"", `-\`}, {"", `#\`}, {"", "a\\\n"},
	{"", "url("}, {"", "url(a"}, {"", "url(a "}, {"", "url( "}, {"", `url("`}, {"", `url("a"`}, {"", `url("a")`}, {"", `url(\20`}, {"", `url(\61)`}, {"url(", " "}, {"url(a", " "}, {"url(a b", `\)`}, {"url(", `\61 `}, {"url(", "a"},
	{"", "image("}, {"", "image(ltr"}, {"", "image( "}, {"", `image(ltr "`}, {"image(", "ltr"}, {"image(", "/**/"}, {"image(", " "}, {"", "src("}, {"", `src("a`},
	{"", "image-set("}, {"", `image-set("a",`}, {"image-set(", ","}, {"image-set(", `,"a"`}, {"image-set(", ", "}, {"image-set(", ",/**/"}, {"image-set(", "("}, {"image-set(", ")"}, {"image-set(", "({[]})"}, {"image-set(", "]}"}, {"image-set(", ";image-set("},
	{"", "@"}, {"", "@import"}, {"", "@import "}, {"", `@import "a"`}, {"", `@import "a";`}, {"", "@import url("}, {"", "@import url(a)"}, {"", "@import url"}, {"", "@import url;"}, {"", "@import;"}, {"", "@import a"}, {"@import", "/**/"}, {"@import ", " "},
	{"", "@namespace"}, {"", "@namespace "}, {"", "@namespace;"}, {"@namespace ", "("}, {"@supports ", "(){"}, {"", "@supports{"}, {"", "@import{"}, {"", `@\`}, {"", "@-"}, {"", "<!--"}, {"", "<!--u"}, {"<!", "-"},
}

func TestHostile(t *testing.T) {
	var s css.Scanner
	scantest.Shapes(t, hostile, 64<<10, func(src []byte) {
		for range s.Scan(src) {
		}
	})
}

// TestShapes limits the CPU time and memory for every shape.
func TestShapes(t *testing.T) {
	scantest.Table(t, scantest.Inputs(hostile...), 1<<20, func(src []byte) {
		for range new(css.Scanner).Scan(src) {
		}
	})
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		src := []byte(h[0] + strings.Repeat(h[1], (1<<20)/len(h[1])))
		b.Run(h[0]+h[1], func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			var s css.Scanner
			for b.Loop() {
				for range s.Scan(src) {
				}
			}
		})
	}
}

const sheet = `@charset "utf-8";
@import url("reset.css") screen;
/* The frame of the page:
   two columns, and one where there is no room. */
:root { --accent: #2563eb; --gap: clamp(1rem, 2vw + .5rem, 2rem); --font: "Source Sans 3", system-ui, sans-serif }
*, *::before, *::after { box-sizing: border-box }
body { margin: 0 auto; max-width: 72rem; padding: 0 var(--gap); font: 400 1rem/1.55 var(--font); color: #1f2937 }
header nav > ul { display: flex; flex-wrap: wrap; gap: calc(var(--gap) / 2); list-style: none }
header nav a[aria-current="page"] { border-bottom: 2px solid var(--accent); text-decoration: none }
a:hover, a:focus-visible { color: rgba(37, 99, 235, .8); outline: 0; transition: color .15s ease-in-out }
a[href^="http"]::after { content: "\2197"; margin-left: .2em }
.hero { min-height: 40vh; background: #f3f4f6 url(../img/hero.jpg) center / cover no-repeat }
@media (min-width: 48em) { main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(14rem, 1fr); gap: var(--gap) } }
@font-face { font-family: "Source Sans 3"; font-weight: 400; src: url("fonts/s3.woff2") format("woff2"), url('fonts/s3.woff') format('woff') }
.card { padding: 1.25rem 1.5rem; border: 1px solid #e5e7eb; border-radius: .5rem; box-shadow: 0 1px 2px rgba(0, 0, 0, .05) }
.card > h2 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.3; letter-spacing: -.01em }
.logo { width: 8rem; height: 2rem; background-image: image-set("logo.png" 1x, "logo@2x.png" 2x) }
table { border-collapse: collapse; width: 100% } th, td { padding: .4rem .6rem; text-align: left; vertical-align: top }
.icon-warning { mask: url(#warning); fill: currentColor; transform: translate(-50%, -50%) rotate(45deg) }
@media print { header nav, .hero, footer { display: none !important } a::after { content: " (" attr(href) ")" } }
`

func BenchmarkScan(b *testing.B) {
	rules := sheet[strings.Index(sheet, ":root"):strings.Index(sheet, ".hero {")]
	for _, bb := range []struct{ name, text string }{
		{"sheet", sheet},
		{"nothing", rules},
		{"minified", strings.NewReplacer("\n", "", ": ", ":", "; ", ";", " { ", "{", " }", "}", ", ", ",").Replace(sheet)},
		{"references", ".a{background:url(\"../images/background.png\")}\n"},
		{"escapes", ".a{background:url(../images/back\\ ground.png)}\n"},
		{"data", "a{b:url(data:image/png;base64," + strings.Repeat("iVBORw0KGgoAAAANSUhEUg", 500) + ")}\n"},
	} {
		src := bytes.Repeat([]byte(bb.text), (1<<20)/len(bb.text))
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			var s css.Scanner
			for b.Loop() {
				for range s.Scan(src) {
				}
			}
		})
	}
}
