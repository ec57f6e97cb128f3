package script

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// found returns the kinds and values of the references in src.
func found(t *testing.T, isJSON bool, src string) string {
	t.Helper()
	var list []string
	at := 0
	s := &Scanner{JSON: isJSON}
	for it := range s.Scan([]byte(src)) {
		if it.Op != scan.Ref || it.Labels != scan.Speculative || it.Span.Start < at || it.Span.End > len(src) {
			t.Errorf("%q: %+v after %d", src, it, at)
		}
		at = it.Span.End
		list = append(list, fmt.Sprint(it.Kind, " ", string(it.Value)))
	}
	return strings.Join(list, ", ")
}

func TestScan(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		// Strings.
		{`a="http://h.example/x"`, "link http://h.example/x"},
		{`a='\x2fapi\u002fusers'`, "link /api/users"},
		{`a="http:\/\/h.example\/\u{78}"`, "link http://h.example/x"},
		{`a=" //h.example/a.js "`, "embed //h.example/a.js"},
		{"a=`/a/img.png`", "embed /a/img.png"},
		{"a=`/a/${\"/b/c.js\"}/d`+\"/after/it\"", "embed /b/c.js"},
		{"a=`${`${`/no`}`}` , b='/in/path'", "link /in/path"},
		{"a=`${{}}`;b='/in/path'", "link /in/path"},
		{"a=\"/cut\nb='/next/line'", "link /next/line"},
		{"a='\\\n/two/lines'", "link /two/lines"},
		{"'it\\'s' + '/one/two', '/three/four'", "link /three/four"},

		// What is part of a string is none.
		{`a="http://h.example/?q="+b, c="/one/two"+d, e=f+"/one/two", g+="/one/two", h="/one/two".split("/")`, ""},
		{`a='<img src="'+"http://h.example/a.png"`, "embed http://h.example/a.png"},
		{`a='see http://h.example/b for more: http://h.example/'+c`, "text http://h.example/b"},
		{`a="<a href='http://h.example/b'>"+c`, "text http://h.example/b"},
		{`a={"/key/x":1,k:"/val/x"}, b=c?"/one/x":"/two/x"`, "link /val/x, link /one/x, link /two/x"},

		// Regular expressions and divisions.
		{`a=/"/;b="/one/two"`, "link /one/two"},
		{`a=/[/"]/g;b="/one/two"`, "link /one/two"},
		{`a=b/c;d="/one/two";e=f/g`, "link /one/two"},
		{`a=(b)/c;d="/one/two"`, "link /one/two"},
		{`if(a)/"/.test(b)?c("/one/two"):d`, "link /one/two"},
		{`return/"/.test("/one/two")`, "link /one/two"},
		{`a.return/"/one/two"/1`, "link /one/two"},
		{`a=b[0]/c["/one/two"]`, "link /one/two"},
		{`a=À/2,b="/one/two"`, "link /one/two"}, // the last octet is 80
		{`a=1/2,b="/one/two"`, "link /one/two"},
		{`a++/b;c="/one/two"`, "link /one/two"},

		// Comments.
		{"// http://h.example/a 'b\n'/one/two'", "text http://h.example/a, link /one/two"},
		{`/* http://h.example/a " */ "/one/two"`, "text http://h.example/a, link /one/two"},
		{"<!-- it's\n'/one/two'", "link /one/two"},
		{`/* "/one/two"`, ""},
		{"//# sourceMappingURL=a.js.map", "metadata a.js.map"},
		{"/*# sourceMappingURL=a.css.map */", "metadata a.css.map"},

		// Imports name files without a suffix, too.
		{`import a from"./b";import"../c";import("./d");export*from '/e';require("./f")`, "embed ./b, embed ../c, embed ./d, embed /e"},
	} {
		if got := found(t, false, tt.src); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

// Which strings are URLs or paths.
func TestGuess(t *testing.T) {
	for _, v := range strings.Fields(`
		http://h.example HTTPS://h.example:8080/a?b=c#d ws://h.example/s ftp://h.example/f http://localhost:3000/ http://192.0.2.1/x
		http://[2001:db8::1]/ http://bücher.example/ http://u:p@h.example/ //h.example //h.example/x //192.0.2.1/x
		/login /sign-up /api/ /api/users /a/b.js /favicon.ico /x?a=b /~user/home /%7euser/home.html /img/a@2x.png
		./a.js ../img/b.png img/a.png a/b.php?x=1 page.html www.example.com/a style.css data.json a_b-c.svg`) {
		if _, sure := guess([]byte(v), false); sure == noURL {
			t.Errorf("%s is none", v)
		}
	}
	for _, v := range append(strings.Fields(`
		http:// http://h http://%s/x https://*.h.example/ http://h.example/{id} http://h.example/%s http://-h.example/ http://h.1
		http://www.w3.org/2000/svg http://www.w3.org/1999/xhtml https://schema.org/Thing mailto:a@b javascript:x data:text/html,x about:blank
		// //x //h.1x/ //# /// / /a /div /B /g /m/d/Y /:id /user/:id /a/*/b /^x$/ /a|b/ ./ ../ ./x ../x/y . ..
		and/or n/a text/html application/json image/svg+xml a/b @scope/pkg.js lodash/fp Chart.js a.b .css x.y.z 1.2.3 foo.bar
		http://h.example/?a= /api/x?a= //h.example/?u=$UID /1234567/unit cdn.example.com/a.js www.example.com www.example.com/ window.JSON text/x-jquery-tmpl YYYY/MM/DD M/D/YYYY utf-8 click.tooltip .a.html -a/b.js +a/b.js`), "/a b/c", "http://h.example/a b") {
		if _, sure := guess([]byte(v), false); sure != noURL {
			t.Errorf("%q is one", v)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{`{"/key/x" : "/val/x", "a":["http:\/\/h.example\/",  "x", 1, {"b":"a\/b.png"}]}`, "link /val/x, link http://h.example/, embed a/b.png"},
		{`)]}',` + "\n" + `["/one/two"]`, "link /one/two"},
		{`["see http://h.example/a."]`, "text http://h.example/a"},
		{`["\u002fone\/\u0074wo", "\ud83d\ude00/x", "/cut`, "link /one/two"},
		{`"\`, ""}, {`"\\" "/one/two"`, "link /one/two"},
		{`{"/one/two"!: "/three/four", "/five/six"` + "\t\n :1}", "link /one/two, link /three/four"},
	} {
		if got := found(t, true, tt.src); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

// The range of a string with escapes is that of its text as written.
func TestSpans(t *testing.T) {
	for _, tt := range []struct {
		isJSON    bool
		src, want string
	}{
		{false, `a=" \x2fapi\u002fusers ", b="x http:\/\/h.example\/y z"`, `\x2fapi\u002fusers|http:\/\/h.example\/y`},
		{true, `["\u002fapi\/users", "x http:\/\/h.example\/\u0079 z"]`, `\u002fapi\/users|http:\/\/h.example\/\u0079`},
	} {
		var got []string
		for it := range (&Scanner{JSON: tt.isJSON}).Scan([]byte(tt.src)) {
			got = append(got, tt.src[it.Span.Start:it.Span.End])
		}
		if s := strings.Join(got, "|"); s != tt.want {
			t.Errorf("%s: %s", tt.src, s)
		}
	}
}

// A Scanner stops when its caller does.
func TestBreak(t *testing.T) {
	const src = "// http://h.example/a http://h.example/b\n'/one/two';'x http://h.example/c http://h.example/d'"
	var s Scanner
	for n := range 6 {
		i := 0
		for range s.Scan([]byte(src)) {
			if i++; i > n {
				break
			}
		}
		if want := min(n+1, 5); i != want {
			t.Errorf("%d of %d", i, want)
		}
	}
}

var hostile = []scantest.Shape{
	{"", "/", ""}, {"", "=/[", ""}, {"", "=/", "\n"}, {"", "a/", ""}, {"", "/*", ""}, {"", "//\n", ""}, {"", "'", ""}, {"", "'\n", ""}, {"", "`", ""}, {"", "`${", ""},
	{"", "`${`", ""}, {"", "{", ""}, {"", "}", ""}, {"", "(", ")"}, {"", "if(", ""}, {"", "'\\", ""}, {"'", "\\u", "'"}, {"'", "\\u002f", "'"}, {"'", "\\", ""}, {"", "'/a/b';", ""},
	{"'/", "a/", "'"}, {"'", "/", "'"}, {"'a", " ", "'"}, {"'http://", "a.", "'"}, {"'http://", "a@", "'"}, {"'x ", "http://h.example/a ", "'"}, {"// ", "http://h.example/a ", ""}, {"'http://h.example/?", "&", "'"},
	{"", "'x'\n \t", ""}, {"", "<!--", ""}, {"", "\"a/b", ""}, {"", "\"http:\\/\\/h.example\\/\",", ""}, {"[", "\"\\", ""}, {"\"", "\\\"", ""}, {"", "\"\"", ""}, {"", "\"x\" ", ":"}, {"", "é", ""}, {"", "import", ""}, {"", "+", ""},
}

func TestHostile(t *testing.T) {
	for _, s := range []*Scanner{{}, {JSON: true}} {
		scantest.Shapes(t, hostile, 128<<10, func(src []byte) {
			for range s.Scan(src) {
			}
		})
	}
}

// FuzzScan checks what holds for every input.
func FuzzScan(f *testing.F) {
	for _, shape := range hostile {
		for _, isJSON := range []bool{false, true} {
			f.Add([]byte(fmt.Sprint(shape)), isJSON)
		}
	}
	f.Add([]byte("a=`/a/${\"/b/c.js\"}/d`+\"/after/it\";if(a)/\"/.test('\\x2fa\\/b.js')//# sourceMappingURL=x"), false)
	f.Fuzz(func(t *testing.T, src []byte, isJSON bool) {
		at := 0
		s := &Scanner{JSON: isJSON}
		var first []string
		for it := range s.Scan(src) {
			if it.Span.Start < at || it.Span.End < it.Span.Start || it.Span.End > len(src) || len(it.Value) == 0 {
				t.Fatalf("%q at %v after %d of %d bytes", it.Value, it.Span, at, len(src))
			}
			at = it.Span.End
			first = append(first, string(it.Value))
		}
		var again []string
		for it := range s.Scan(src) {
			again = append(again, string(it.Value))
		}
		if !slices.Equal(first, again) {
			t.Fatalf("%q, then %q", first, again)
		}
	})
}
