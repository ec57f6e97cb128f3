package completeness

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

// What a page needs to have for rules to apply: names in which "." and "#" stand for themselves, "<" for an element and "[" for an attribute.
func TestSelectors(t *testing.T) {
	for _, test := range []struct{ around, has, hasNot string }{
		{`a.b#c[d]`, "<a .b #c [d <x", "<a .b #c"},
		{`A .B > c ~ d + e`, "<a .b <c <d <e", "<a .b <c <d"},
		{`a, .b`, ".b", "<b .a"},
		{`a:hover, .b`, ".b", "<a"},
		{`a:not(.b, :hover):nth-child(2n + 1 of .c)::before`, "<a", "<b"},
		{`a:is(.b)`, "<a", ""},
		{`:is(.b)`, "", ""},
		{`html body.x`, ".x", "<html <body"},
		{`p`, "", ""},
		{`*, .a`, "", ""},
		{`.md\:x`, ".md:x", ".md"},
		{`.\31 0.é`, ".10 .é", ".10"},
		{`[a="]"] b`, "[a <b", "<b"},
		{`[ a = "b" i ]`, "[a", "<a"},
		{`[a|="b"]`, "", ""}, // as if it had a namespace
		{`[x|a]`, "", ""},
		{`svg|a .b`, "", ""},
		{`a/* .c */.b/**/.d`, "<a .b .d", "<a .b"},
		{`a:focus`, "<a [autofocus", "<a"},
		{`a::-moz-selection, b:-ms-x`, "", "!<a <b"},
		{`a:active:not(.b)`, "", "!<a"},
		{`.a{&.b`, ".a .b", ".b"},
		{`.a{&:hover`, "", "!.a"},
		{`.a{:not(&) .b`, ".b", ".a"},
		{`.a{@media screen{.b`, ".a .b", ".b"},
		{`@media print{.a`, "", "!.a"},
		{`@media(min-width:600px){.a`, ".a", "<a"},
		{`@media (max-width:600px){.a`, "", "!.a"},
		{"@media\nprint{.a", "", "!.a"},
		{`@media/**/print{.a`, ".a", "<a"},
		{`@supports not (a:b){.a`, ".a", "<a"},
		{`@layer x{@container (width > 1px){.a`, ".a", "<a"},
		{`@keyframes a{50%`, "", ""},
		{`@keyframes a{from`, "", ""},
		{`@media print{@font-face`, "", "!<a"},
		{`@font-face`, "", ""},
		{`@page :first`, "", "!<a"},
		{`@-moz-document url-prefix(){.a`, "", "!.a"},
		{`--x:`, "", ""},
		{`--> .a`, "", ""},
		{`<!-- .a`, "", ""},
		// What is not understood may match.
		{`.`, "", ""}, {`a:`, "", ""}, {`a[b`, "", ""}, {`a:not(.b`, "", ""}, {`a,`, "", ""}, {`"a" .b`, "", ""}, {`%a`, "", ""}, {``, "", ""},
		{"." + strings.Repeat("a", maxPrelude), "", ""},
	} {
		c := chooser{viewport: desktop}
		when := c.condition(strings.Split(test.around, "{"))
		page := func(has string) names {
			n := names{}
			for f := range strings.FieldsSeq(has) {
				n[scan.Feature(f[0], f[1:])] = struct{}{}
			}
			return n
		}
		hasNot, isNever := strings.CutPrefix(test.hasNot, "!")
		if !isNever && !page(test.has).meet(when) {
			t.Errorf("%.40s does not match %s", test.around, test.has)
		}
		if hasNot != "" && page(hasNot).meet(when) {
			t.Errorf("%.40s matches %s", test.around, hasNot)
		}
		if !names(nil).meet(when) {
			t.Errorf("%.40s does not match an unknown page", test.around)
		}
	}
}

// However long selectors are, and however many url() are in their blocks, what is kept of them has bounds.
func TestSelectorsAreBounded(t *testing.T) {
	long := strings.Repeat(".a", maxPrelude/2)
	for _, src := range []string{
		long + "{" + strings.Repeat("b{x:url(y)}", 1<<15),
		strings.Repeat("a", 1<<20) + "&{" + strings.Repeat("b{x:url(y)}", 1<<15),
		long + "{" + strings.Repeat("x:url(y)!important;", 1<<15),
		strings.Repeat(".a{", 1<<15) + strings.Repeat("x:url(y)}", 1<<15),
		strings.Repeat("[a", 1<<14) + "{x:url(y)}",
		strings.Repeat("a:not(", 1<<14) + "{x:url(y)}",
		strings.Repeat(`\61 `, 1<<14) + "{x:url(y)}",
		strings.Repeat(`.a,`, 1<<14) + ".b{" + strings.Repeat("c{x:url(y)}", 1<<15),
	} {
		kept := 0
		c := chooser{viewport: desktop, need: func(string, []byte) {}, apply: func([]byte, bool) {}}
		c.needIf = func(_ string, _ []byte, when condition) { kept = max(kept, len(when)) }
		cfg := extract.Config{Choices: true, Type: "text/css"}
		for r, err := range cfg.Walk("x", strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			c.add(r)
		}
		c.end()
		if kept > maxCondition {
			t.Errorf("%.20s: %d bytes", src, kept)
		}
	}
}

const okCSS = "200 OK\r\nContent-Type: text/css"

// A style sheet needs what its rules may show on one of the pages that use it; what is missing besides is a note.
func TestStyleSheets(t *testing.T) {
	sheet := response("http://h/a.css", okCSS, `@import "b.css";.a{background:url(a.png)}.b{background:url(b.png)}.c .d{background:url(cd.png)}a:hover{background:url(hover.png)}
@media (max-width:9px){body{background:url(media.png)}}body{background:url(body.png)}.x,.d{background:url(d.png)}.z{background:url(a.png)}`)
	imported := response("http://h/b.css", okCSS, `.a{content:url(ba.png)}.z{content:url(bz.png)}`)
	printed := response("http://h/print.css", okCSS, `@import "p2.css";body{background:url(print.png)}`)
	unused := response("http://h/unused.css", okCSS, `@import "u2.css";body{background:url(unused.png)}`)
	moved := response("http://h/moved.css", "301 Moved\r\nLocation: /a.css", "")
	one := response("http://h/", okHTML, `<link rel=stylesheet href=a.css><link rel=stylesheet media=print href=print.css><p class="a c"><style>.a{content:url(in.png)}.b{content:url(in2.png)}</style>`)
	two := response("http://h/two", okHTML, `<link rel=stylesheet href=moved.css#x><iframe srcdoc="<p class=d>">`)
	other := response("http://h/three", okHTML, `<p class="b z">`)
	const errors = "missing-resource http://h/"
	const notes = "missing-optional http://h/"
	base := []string{errors + "in.png", errors + "a.png", errors + "d.png", errors + "body.png", errors + "ba.png", errors + "p2.css",
		notes + "in2.png", notes + "b.png", notes + "cd.png", notes + "hover.png", notes + "media.png", notes + "bz.png", notes + "print.png"}
	for name, test := range map[string]struct {
		archive [][]byte
		want    []string
	}{
		"pages first":  {[][]byte{one, two, other, moved, sheet, imported, printed}, base},
		"sheets first": {[][]byte{printed, imported, sheet, moved, other, two, one}, base},
		"unused":       {[][]byte{unused, other}, []string{notes + "u2.css", notes + "unused.png"}},
	} {
		for jobs := range 3 {
			found, _ := findings(t, slices.Concat(test.archive...), jobs+1)
			slices.Sort(found)
			want := slices.Sorted(slices.Values(test.want))
			if !slices.Equal(found, want) {
				t.Errorf("%s:\n got %q\nwant %q", name, found, want)
			}
		}
	}
}

// If it is not known which pages use a style sheet, or what they have, none of its resources is lost.
func TestUndecidedStyleSheets(t *testing.T) {
	sheet := response("http://h/a.css", okCSS, `@import "b.css";.a{background:url(a.png)}`)
	page := response("http://h/", okHTML, `<link rel=stylesheet href=a.css><link rel=stylesheet href=v2.css>`)
	other := response("http://h/other", okHTML, `<p>`)
	revisit := func(record []byte) []byte {
		z, err := gzip.NewReader(bytes.NewReader(record))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(z)
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(bytes.Replace(text, []byte("Type: response"), []byte("Type: revisit"), 1))
		w.Close()
		return b.Bytes()
	}
	var many strings.Builder
	for i := range 1 << 17 {
		fmt.Fprintf(&many, "<p id=%d>", i)
	}
	big := response("http://h/a.css", okCSS, `@import "b.css";.a{background:url(a.png)}`+strings.Repeat(`.b .c .d{e:url(/)}`, 1<<10))
	v2 := response("http://h/v2.css", okCSS, "")
	for name, archive := range map[string][][]byte{
		"a page may be elsewhere":    {sheet, revisit(other)},
		"the sheet may be another":   {sheet, page, revisit(v2)},
		"the page has many names":    {sheet, response("http://h/", okHTML, `<link rel=stylesheet href=a.css>`+many.String())},
		"the sheet takes much space": {big, page, v2, response("http://h/", okHTML, "")},
	} {
		found, _ := findings(t, slices.Concat(archive...), 2)
		if want := []string{"missing-resource http://h/a.png", "missing-resource http://h/b.css"}; !slices.Equal(found, want) {
			t.Errorf("%s: %q", name, found)
		}
	}
	found, _ := findings(t, slices.Concat(sheet, page, v2), 2)
	if want := []string{"missing-resource http://h/b.css", "missing-optional http://h/a.png"}; !slices.Equal(found, want) {
		t.Errorf("%q", found)
	}
}
