package rewrite

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/fix"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
	"example.org/refract/resolve/canon"
)

const site = "https://h.example/s/t/"

// rewrite applies rules to a document at a path below site.
func (s *rules) rewrite(path string, src []byte) *fix.Rewriting {
	r := &fix.Rewriter{Decide: s.decide}
	r.Config = func(string) extract.Config { return configOf(path) }
	w := &fix.Rewriting{File: fix.File{Path: path, Old: src}}
	r.Apply(w)
	return w
}

func configOf(path string) extract.Config {
	c := extract.Config{Lines: true}
	c.Retrieved = base.Source{URI: fileURL(site, path)}
	return c
}

// text returns the result of a rewriting.
func text(w *fix.Rewriting) []byte {
	if w.New == nil {
		return w.Old
	}
	return w.New
}

// urls returns what a document refers to.
func urls(t *testing.T, path string, src []byte) (all []string) {
	t.Helper()
	cfg := configOf(path)
	for r, err := range cfg.Walk(path, strings.NewReader(string(src))) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%v %s %s %v", r.Kind, r.URL, r.Fragment, r.Err != nil))
	}
	return all
}

// Each rule, on one link of a page at https://h.example/s/t/a/b.html.
func TestRules(t *testing.T) {
	mapped := func(s ...string) *rules {
		r := new(rules)
		for _, one := range s {
			m, err := parseMap(one)
			if err != nil {
				t.Fatal(err)
			}
			r.Maps = append(r.Maps, m)
		}
		return r
	}
	key := func(form form, k canon.Key) *rules { return &rules{Canonical: &k, Form: form, Root: site} }
	absolute, relative, rooted := &rules{Form: absoluteForm, Root: site}, &rules{Form: relativeForm, Root: site}, &rules{Form: rootRelativeForm, Root: site}
	unwrap := &rules{Unwrap: true}
	for _, x := range []struct {
		rules     *rules
		ref, want string
	}{
		{absolute, "c.html", "https://h.example/s/t/a/c.html"},
		{absolute, "../c.html?q#f", "https://h.example/s/t/c.html?q#f"},
		{absolute, "/x", "https://h.example/x"},
		{absolute, "//o.example/x", "https://o.example/x"},
		{absolute, "?q", "https://h.example/s/t/a/b.html?q"},
		{absolute, "#f", "#f"}, // of the same document
		{absolute, "", ""},
		{absolute, "mailto:a@h.example", "mailto:a@h.example"},
		{absolute, "HTTPS://h.example/%7e", "HTTPS://h.example/%7e"}, // absolute already: as written
		{absolute, "é.html", "https://h.example/s/t/a/é.html"},
		{absolute, "a b.html", "https://h.example/s/t/a/a%20b.html"},
		{absolute, "{{ x }}/c.html", "{{ x }}/c.html"},

		{relative, "https://h.example/s/t/a/c.html", "c.html"},
		{relative, "https://h.example/s/t/a/b.html", "b.html"},
		{relative, "https://h.example/s/t/a/b.html#f", "#f"},
		{relative, "https://h.example/s/t/a/b.html?q#f", "b.html?q#f"},
		{relative, "https://h.example/s/t/a/", "./"},
		{relative, "https://h.example/s/t/a/?q", "./?q"},
		{relative, "https://h.example/s/t/", "../"},
		{relative, "https://h.example/s/t/x/y", "../x/y"},
		{relative, "https://h.example/s/t/a/x:y", "./x:y"},
		{relative, "https://h.example/s/t/a//x", ".//x"},
		{relative, "https://H.example/s/t/c", "../c"},
		{relative, "https://h.example/s/", "https://h.example/s/"}, // not below the root
		{relative, "https://h.example/s/tt", "https://h.example/s/tt"},
		{relative, "https://o.example/s/t/", "https://o.example/s/t/"},
		{relative, "http://h.example/s/t/c", "http://h.example/s/t/c"},
		{relative, "https://h.example:443/s/t/c", "https://h.example:443/s/t/c"},
		{relative, "/s/t/a/c.html", "c.html"},
		{relative, "./c.html", "./c.html"}, // relative already: as written
		{relative, "//h.example/s/t/c", "../c"},

		{rooted, "c.html", "/s/t/a/c.html"},
		{rooted, "https://h.example/s/t/c#f", "/s/t/c#f"},
		{rooted, "https://h.example/s", "https://h.example/s"},
		{rooted, "/s/t/./c", "/s/t/./c"},
		{rooted, "https://h.example/s/t//c", "/s/t//c"},
		{rooted, "../../../x", "../../../x"}, // above the root

		{mapped("http://o.example=https://o.example"), "http://o.example/a?b#c", "https://o.example/a?b#c"},
		{mapped("http://o.example=https://o.example"), "http://O.EXAMPLE/a", "https://o.example/a"},
		{mapped("http:=https:"), "http://o.example/a", "https://o.example/a"},
		{mapped("http://=https://"), "http://o.example/a", "https://o.example/a"},
		{mapped("http:=https:"), noRoot + "a", noRoot + "a"}, // a reference in a tree without a URL
		{mapped("http://o.example=https://o.example"), "http://o.example", "https://o.example"},
		{mapped("http://o.example=https://o.example"), "http://o.example.org/a", "http://o.example.org/a"},
		{mapped("http://o.example=https://o.example"), "http://o.example:80/a", "http://o.example:80/a"},
		{mapped("http://o.example/=https://n.example/wiki"), "http://o.example/a", "https://n.example/wiki/a"},
		{mapped("http://o.example/=https://n.example/wiki"), "http://o.example/", "https://n.example/wiki"},
		{mapped("http://o.example=https://n.example/wiki/"), "http://o.example/a", "https://n.example/wiki/a"},
		{mapped("http://o.example/a=https://n.example/b"), "http://o.example/ab", "http://o.example/ab"},
		{mapped("http://o.example/=http://n.example/", "http://o.example/a/=http://m.example/"), "http://o.example/a/b", "http://m.example/b"},
		{mapped("http://o.example/?x=1=http://n.example/?y=2"), "http://o.example/?x=1#f", "http://n.example/?y=2#f"},
		{mapped("http://o.example/=http://n.example/"), "http://o.example/é b", "http://n.example/é%20b"},
		{mapped("https://h.example/s/t/a/=https://h.example/s/t/z/"), "c.html#f", "../z/c.html#f"}, // keeps its form
		{mapped("https://h.example/s/t/a/=https://h.example/s/t/z/"), "/s/t/a/c", "/s/t/z/c"},
		{mapped("https://h.example/s/t/a/=https://o.example/z/"), "c.html", "https://o.example/z/c.html"},
		{mapped("https://o.example/=https://n.example/"), "//o.example/x", "//n.example/x"},
		{mapped("https://o.example/=http://n.example/"), "//o.example/x", "http://n.example/x"},
		{mapped("mailto:a@=mailto:b@"), "mailto:a@h", "mailto:a@h"}, // not at the end of a component

		{unwrap, "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fo.example%2Fa%20b&data=x", "https://o.example/a%20b"},
		{unwrap, "https://o.example/?a=1&utm_source=x&b=%7e#f", "https://o.example/?a=1&b=%7e#f"},
		{unwrap, "https://o.example/?gclid=x", "https://o.example/"},
		{unwrap, "x?utm_source=a&b", "x?b"},
		{unwrap, "https://o.example/?", "https://o.example/?"},

		{key(keepForm, canon.Key{}), "HTTPS://O.example:443/%7ea/../b", "https://o.example/b"},
		{key(keepForm, canon.Key{NoFragment: true}), "c.html#f", "c.html"},
		{key(keepForm, canon.Key{SortQuery: true}), "c.html?b&a", "c.html?a&b"},
		{key(absoluteForm, canon.Key{NoIndex: true}), "../index.html", "https://h.example/s/t/"},
		{key(relativeForm, canon.Key{NoIndex: true}), "https://h.example/s/t/a/index.html", "./"},
		{key(keepForm, canon.Key{IDN: canon.IDNUnicode}), "https://xn--bcher-kva.example/", "https://bücher.example/"},
		{key(keepForm, canon.Key{IDN: canon.IDNASCII}), "https://bücher.example/é", "https://xn--bcher-kva.example/é"},
		{key(keepForm, canon.Key{}), "mailto:A@O.example", "mailto:A@O.example"},
	} {
		w := x.rules.rewrite("a/b.html", []byte(`<a href="`+x.ref+`">`))
		want := `<a href="` + strings.ReplaceAll(x.want, "&", "&amp;") + `">`
		if got := string(text(w)); got != want && got != `<a href="`+x.want+`">` {
			t.Errorf("%+v: %s: %s, want %s", *x.rules, x.ref, got, want)
		}
		if again := x.rules.rewrite("a/b.html", text(w)); again.New != nil {
			t.Errorf("%+v: %s: again %s", *x.rules, x.ref, again.New)
		}
	}
}

func TestParseMap(t *testing.T) {
	for _, s := range []string{"", "a=b", "http://a", "/a=/b", "http://a=/b", "a=http://b"} {
		if m, err := parseMap(s); err == nil {
			t.Errorf("%q: %+v", s, m)
		}
	}
}

// hostile are destinations that are hard to write, or to read back.
var hostile = []string{
	"a.md", "../b/c.md#f", "a%20b.md", "a b.md", "100%.md", "100%25.md", "a%23b.md", "x?y=1&z=2#f", "a&amp;b.md", "a&lt;b", "x)y(z.md", "x%29y",
	"((a))", `q"r.md`, "q'r.md", "new%0Aline.md", "new\nline.md", "\u05e2\u05d1\u05e8\u05d9\u05ea.md", "\u202ertl.md", "caf\u00e9.md", "cafe\u0301.md", "[x].md", "{x}.md",
	"<x>.md", "`x`.md", "*x*_y_.md", "a|b.md", `a\b.md`, "a:b.md", ".//x", "./x", "..", ".", "?q", "#f", "", "x;p=1,2", "\u65e5\u672c/\u8a9e.md", "~u",
	"$x$", "x_", "x__", "&#35;", "/abs/x.md", "//o.example/x", "https://o.example/a(b)c", "https://h.example/s/t/d/e.md?x#y",
	"https://h.example/s/t/", "http://h.example/s/t/x", "https://h.example/s/t/a&b;c.md", "https://h.example/s/t/\u65e5", "mailto:a@h.example",
	"https://h.example/s/t/a/b.html#f", "https://h.example/s/t/[x]", "https://h.example/s/t/a%2Fb/..%2fc", "www.o.example/x", "data:,x", "javascript:f()",
	"a\tb", "a\x00b", "a\u00a0b", "x::y", "x>>y", "x,y", "a'b\"c<d>e&f", "-- x", "{{ x }}", "${x}", "%PUBLIC%/x", "\ufeffx", "x\\\n y",
}

// constructs are the places of references in each format; a "@" stands for the destination.
var constructs = map[string][]string{
	"b.md": {"[t](@)\n\n", "![t](<@> 'x')\n\n", "[d]: @\n[d]\n\n", "[d]: <@> \"t\"\n", "<@>\n\n", "see @, or\n\n", "<a href=\"@\" style='background:url(@)'>x</a>\n\n",
		"| [a](@) | b |\n|---|---|\n| [c](@) | x |\n\n", "# head [x](@)\n\n", "- [x](@ \"t\")\n", "> [x](@)\n\n", "`[x](@)`\n", "    [x](@)\n\n", "[![i](@)](@)\n\n", "<!-- [x](@) -->\n"},
	"b.html": {`<a href="@">x</a>`, `<a href='@'>x</a>`, `<a href=@ class=c>x</a>`, `<img src="a.png" srcset="@ 2x, b.png">`, `<style>a{background:url("@")} @import '@';</style>`,
		`<p style="background:url('@')">`, `<iframe srcdoc="<a href='@'>x</a>"></iframe>`, `<meta http-equiv=refresh content="0; url=@">`, `<script>var x = "@"</script>`,
		`<form action="@">`, `<svg><use xlink:href="@"/></svg>`, `<textarea><a href="@"></textarea>`, `<!-- <a href="@"> -->`, "\r\n", `<a href=" @ ">x</a>`},
	"b.css":   {"a{background:url(@)}\n", "a{background:url('@')}\n", "@import \"@\";\n", "b{src:url( \"@\" ) format('x')}\r\n", "/* url(@) */\n", "c{background:image-set('@' 1x)}\n"},
	"b.xml":   {`<link href="@"/>`, `<image><url>@</url></image>`, `<x xlink:href='@' xmlns:xlink="http://www.w3.org/1999/xlink"/>`, `<g xml:base="sub/"><a href="@"/></g>`, `<t>see @ there</t>`, `<![CDATA[@]]>`, `<?xml-stylesheet href="@"?>`},
	"b.rst":   {"`t <@>`_\n\n", "`t <@>`__ and\n", ".. _n: @\n\n", ".. image:: @\n   :target: @\n\n", ".. figure:: @\n\n", "@ in text\n\n", ".. raw:: html\n\n   <a href=\"@\">\n\n", ":doc:`@`\n", ".. include:: @\n\n", "__ @\n\n"},
	"b.adoc":  {"link:@[t]\n\n", "image::@[]\n\n", "image:@[link=\"@\"] x\n\n", "xref:@[t]\n", "@[t] and\n", "see @.\n\n", "video::@[]\n\n", ":url-x: @\n\n{url-x}[t]\n\n", "++++\n<a href=\"@\">\n++++\n", "include::@[]\n", "<<@,t>>\n"},
	"b.org":   {"[[@][t]]\n", "[[@]]\n", "[[file:@][t]]\n", "<@>\n", "see @ there\n", "#+INCLUDE: \"@\"\n", "[[./@]]\n", "[[https://h.example/@][t]]\n"},
	"b.txt":   {"see @ there\n", "<URL:@>\n", "<@>\n", "\"@\"\r\n", "(@)\n", "URL: @\n"},
	"b.ipynb": nil, // see document
}

// document makes a document of constructs with hostile destinations.
func document(r *rand.Rand, path string) []byte {
	name, cs := path, constructs[path]
	if name == "b.ipynb" {
		cs = constructs["b.md"]
	}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		for part := range strings.SplitAfterSeq(cs[r.IntN(len(cs))], "@") {
			if rest, ok := strings.CutSuffix(part, "@"); ok && !strings.HasSuffix(part, "\n@") {
				b.WriteString(rest + hostile[r.IntN(len(hostile))])
			} else {
				b.WriteString(part)
			}
		}
	}
	s := b.String()
	switch {
	case name == "b.ipynb":
		var lines []string
		for line := range strings.Lines(s) {
			lines = append(lines, fmt.Sprintf("%+q", line))
		}
		s = `{"cells":[{"cell_type":"markdown","metadata":{},"source":[` + strings.Join(lines, ",\n") + `]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`
		s = strings.NewReplacer(`\x00`, `\u0000`, `\a`, `\u0007`, `\v`, `\u000b`).Replace(s)
	case name == "b.html" && r.IntN(6) == 0:
		var utf []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
			utf = append(utf, byte(u), byte(u>>8))
		}
		return utf
	case name == "b.html" && r.IntN(6) == 0:
		return []byte(`<meta charset=iso-8859-1>` + strings.NewReplacer("\u00e9", "\xe9", "\u65e5", "\xa5").Replace(s))
	case name == "b.html" && r.IntN(6) == 0:
		s = `<base href="sub/">` + s
	case name == "b.html" && r.IntN(9) == 0:
		s = `<base href="https://o.example/">` + s
	case name == "b.xml":
		s = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">` + s + `</feed>`
	}
	return []byte(s)
}

// Absolute and back to relative, each reference has the same URL as before, in every format. Each
// step, made again, changes nothing.
func TestRoundTrip(t *testing.T) {
	n := scantest.Amount(25, 1000)
	for path := range constructs {
		t.Run(path, func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, uint64(len(path))))
			edited, left := 0, 0
			for i := range n {
				src := document(r, path)
				at := path
				if r.IntN(3) == 0 {
					at = "a b/%#?\u05e2\n\"e\u0301)/" + path
				}
				want := urls(t, at, src)
				now := src
				for _, rules := range []*rules{{Form: absoluteForm, Root: site}, {Form: relativeForm, Root: site}, {Form: rootRelativeForm, Root: site}, {Form: relativeForm, Root: site}} {
					w := rules.rewrite(at, now)
					if w.Refused != "" {
						t.Fatal(w.Refused)
					}
					edited += w.Edited()
					left += len(w.Changes) - w.Edited()
					now = text(w)
					if got := urls(t, at, now); !slices.Equal(got, want) {
						t.Fatalf("%v:\n%q\n%q\n%q\n%q", rules.Form, src, now, want, got)
					}
					if i%4 > 0 {
						continue
					}
					if again := rules.rewrite(at, now); again.New != nil {
						t.Fatalf("%v, again:\n%q\n%q", rules.Form, now, again.New)
					}
				}
			}
			t.Logf("%d documents, %d references edited, %d not", n, edited, left)
			if edited < n/2 {
				t.Errorf("%d edits say little", edited)
			}
		})
	}
}

// Rules combine in any way, and what they have made stays.
func TestCombined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edited := 0
	for range scantest.Amount(300, 1000) {
		rules := &rules{Unwrap: r.IntN(2) == 0, Form: form(r.IntN(4)), Root: site}
		if r.IntN(2) == 0 {
			rules.Canonical = &canon.Key{NoFragment: r.IntN(2) == 0, NoIndex: r.IntN(2) == 0, SortQuery: r.IntN(2) == 0}
		}
		if r.IntN(2) == 0 {
			rules.Maps = []mapping{{"https://o.example/", "https://n.example/x"}, {"https://h.example/s/t/d/", "https://h.example/s/t/z/"}}
		}
		paths := slices.Sorted(maps.Keys(constructs))
		path := paths[r.IntN(len(paths))]
		src := document(r, path)
		w := rules.rewrite(path, src)
		edited += w.Edited()
		for _, c := range w.Changes {
			if want := rules.change(c.URL); c.Why == "" && c.NewURL != want && !strings.EqualFold(c.NewURL, want) {
				t.Errorf("%+v: %s became %s, want %s", *rules, c.URL, c.NewURL, want)
			}
		}
		if again := rules.rewrite(path, text(w)); again.New != nil {
			t.Fatalf("%+v:\n%q\n%q\n%q", *rules, src, text(w), again.New)
		}
	}
	if edited < 300 {
		t.Errorf("%d edits", edited)
	}
}

// Four times the document takes about four times the work, whether its references can be edited or not.
func TestLinear(t *testing.T) {
	for _, x := range []struct{ path, text string }{
		{"b.md", "[x](https://h.example/s/t/x)\n"}, {"b.md", "https://h.example/s/t/x\n\n"}, {"b.md", "# <https://h.example/s/t/x>\n\n"},
		{"b.html", "<a href=https://h.example/s/t/x>"}, {"b.html", "<iframe srcdoc=\"<a href='https://h.example/s/t/x'>\"></iframe>"},
		{"b.txt", "https://h.example/s/t/x <URL:https://h.example/s/t/y> "}, {"b.adoc", "https://h.example/s/t/x[t]\n"}, {"b.org", "[[https://h.example/s/t/x]]\n"},
		{"b.html", "<a href=https://h.example/s/t/x?utm_source=a&utm_source=b&c>"}, {"b.rst", "`x <https://h.example/s/t/x>`_ https://h.example/s/t/y\n"},
	} {
		rules := &rules{Form: relativeForm, Unwrap: true, Root: site}
		allocated := func(n int) float64 {
			src := []byte(strings.Repeat(x.text, n))
			return testing.AllocsPerRun(1, func() { rules.rewrite(x.path, src) })
		}
		n := scantest.Amount(200, 2000)
		if few, many := allocated(n), allocated(4*n); many > 8*few+1000 {
			t.Errorf("%s %q: %v allocations for %d, %v for %d", x.path, x.text, few, n, many, 4*n)
		}
	}
}

// Where a URL of any form means the same.
func TestHoldsURL(t *testing.T) {
	for _, tt := range []struct {
		how    scan.How
		in     string
		labels scan.Labels
		want   bool
	}{
		{scan.Inline, "link", 0, true}, {scan.Inline, "wikilink", 0, false}, {scan.Inline, "[[abbr:]]", 0, false},
		{scan.Inline, "link", scan.Include, false}, {scan.Inline, "link", scan.Speculative, false}, {scan.Inline, "link", scan.Guess, false},
		{scan.Role, "doc", 0, false}, {scan.Navigation, "nav", 0, false}, {scan.JSON, "url", 0, false},
		{scan.Reference, "x", 0, true}, {scan.Reference, ":x:", 0, false},
		{scan.Directive, "image", 0, true}, {scan.Directive, "figure", 0, true}, {scan.Directive, "image/target", 0, true}, {scan.Directive, ".Lk", 0, true}, {scan.Directive, ".UR", 0, true},
		{scan.Directive, "include", 0, false}, {scan.Macro, "link:", 0, true}, {scan.Macro, "xref:", 0, false}, {scan.Bare, "", 0, true}, {scan.Bare, "file:", 0, false},
		{scan.Script, "import", 0, false}, {scan.Script, "export", 0, false}, {scan.Script, "fetch", 0, true},
	} {
		if got := holdsURL(&extract.Reference{How: tt.how, In: tt.in, Labels: tt.labels}); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// Blanks at the ends of a target of AsciiDoc that is put aside are not part of it, and stay.
func TestBlanksOfPassthrough(t *testing.T) {
	absolute := &rules{Form: absoluteForm, Root: site}
	for _, x := range []struct{ text, want string }{
		{"link:++ https://x.example/a++[z]\n", "link:++ https://x.example/a++[z]\n"},
		{"link:+++ https://x.example/a+++[z]\n", "link:+++ https://x.example/a+++[z]\n"},
		{"link:$$ https://x.example/a $$[z]\n", "link:$$ https://x.example/a $$[z]\n"},
		{"link:pass:[ b.html][z]\n", "link:pass:[ https://h.example/s/t/b.html][z]\n"},
		{"link:+++ b.html+++[z]\n", "link:+++ https://h.example/s/t/b.html+++[z]\n"},
		{"link:++ b.html++[z]\n", "link:++ https://h.example/s/t/b.html++[z]\n"},
	} {
		if got := string(text(absolute.rewrite("a.adoc", []byte(x.text)))); got != x.want {
			t.Errorf("%q becomes %q, want %q", x.text, got, x.want)
		}
	}
}
