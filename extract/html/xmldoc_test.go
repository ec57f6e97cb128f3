package html

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// Documents in XML, and what browsers know of HTML 4.
func TestXMLDocuments(t *testing.T) {
	const xlink = `="http://www.w3.org/1999/xlink"`
	for _, tt := range []struct {
		sec, src string
		browser  bool
		want     string
	}{
		{"Namespaces 3", `<svg xmlns:xl` + xlink + `><a xl:href="a"><image xl:href='b'/></a></svg>`, false, "a b"},
		{"Namespaces 3", `<svg xmlns:ns1 = 'http://www.w3.org/1999/xlink'><ns0:use ns1:href="#a" xl:href="b"/></svg>`, false, "#a"},
		{"Namespaces 3", `<svg><a xmlns:xl` + xlink + ` xl:href="a"/></svg>`, false, "a"},
		{"Namespaces 3", `<svg xmlns:xl="http://h/"><a xl:href="a"/></svg>`, false, ""},
		{"Namespaces 3", `<svg xmlns` + xlink + `><a :href="a"/><a xlink:href="b"/></svg>`, false, "b"},

		{"4.4", `<!DOCTYPE svg [<!ENTITY h "http://h/"><!ENTITY p 'p'>]><svg><a href="&h;x?&p;=1&amp;q&n;"/></svg>`, false, "http://h/x?p=1&q&n;"},
		{"4.4", `<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY a "y">]><svg><a href="&a;"/></svg>`, false, "x"},
		{"4.4", `<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;/y&#122;">]><svg><a href="&b;"/></svg>`, false, "x/yz"},
		{"4.4", `<!DOCTYPE svg [<!ENTITY b "&a;"><!ENTITY a "x">]><svg><a href="&b;"/></svg>`, false, "&b;"},
		{"4.2", `<!DOCTYPE svg [<!-- <!ENTITY a "x"> --><!ENTITY % b "x"><!ENTITY c SYSTEM "x"><!ENTITY d "<a/>">]><svg><a href="&a;&b;&c;&d;"/></svg>`, false, "&a;&b;&c;&d;"},
		{"4.4", `<!DOCTYPE svg [<!ENTITY s "a{b:url(u)}">]><svg><style>&s;</style></svg>`, false, "u"},

		{"SVG 2 B.2", `<svg xml:base="http://b/"><a href="a"/></svg>`, false, "http://b/ a "},
		{"SVG 2 B.2", `<svg xml:base="http://b/"><a href="a"/></svg>`, true, "a"},
		{"HTML4 13.3", `<object codebase="http://b/" data="d"/>`, false, "http://b/ http://b/ d "},
		{"HTML4 13.3", `<object codebase="http://b/" data="d"/>`, true, "http://b/ d"},
	} {
		s := Scanner{XML: true, Browser: tt.browser}
		var got []string
		for it := range s.Scan([]byte(tt.src)) {
			got = append(got, string(it.Value))
			if it.Op == scan.Ref && tt.sec != "4.4" && tt.src[it.Span.Start:it.Span.End] != string(it.Value) {
				t.Errorf("%s: %q is at %v", tt.src, it.Value, it.Span)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s: got %q, want %q", tt.sec, tt.src, got, tt.want)
		}
	}
}

// Entities do not multiply, and declarations take linear time.
func TestManyEntities(t *testing.T) {
	laughs := `<!DOCTYPE svg [<!ENTITY a0 "haha">`
	for _, c := range "123456789" {
		laughs += `<!ENTITY a` + string(c) + ` "` + strings.Repeat("&a"+string(c-1)+";", 10) + `">`
	}
	laughs += `]><svg>` + strings.Repeat(`<a href="&a9;&a3;"/>`, 1000) + `</svg>`
	for _, src := range []string{
		laughs,
		`<!DOCTYPE svg [<!ENTITY a "` + strings.Repeat("x", 4000) + `">]><svg>` + strings.Repeat(`<a href="&a;&a;"/>`, 20_000) + `</svg>`,
		`<!DOCTYPE svg [` + strings.Repeat("<!ENTITY", 200_000) + `]><svg/>`,
		`<!DOCTYPE svg [` + strings.Repeat("<!ENTITY a '", 200_000) + `]><svg/>`,
		`<!DOCTYPE svg [` + strings.Repeat("<!--", 200_000) + `]><svg/>`,
		`<svg ` + strings.Repeat(`xmlns:a="http://www.w3.org/1999/xlink" `, 50_000) + `a:href="x"/>`,
		`<svg ` + strings.Repeat(`"http://www.w3.org/1999/xlink" `, 50_000) + `a:href="x"/>`,
	} {
		size := 0
		s := Scanner{XML: true}
		for it := range s.Scan([]byte(src)) {
			size += len(it.Value)
		}
		if size > 2*len(src) {
			t.Errorf("%.60s: %d bytes of references in %d", src, size, len(src))
		}
	}
}

// Text after which the entities of a document are those of the next one.
func TestEntitiesAreOfOneDocument(t *testing.T) {
	var s Scanner
	s.XML = true
	var got []string
	for _, src := range []string{`<!DOCTYPE svg [<!ENTITY a "x">]><svg><a href="&a;"/></svg>`, `<svg><a href="&a;"/></svg>`} {
		for it := range s.Scan([]byte(src)) {
			got = append(got, string(it.Value))
		}
	}
	if !slices.Equal(got, []string{"x", "&a;"}) {
		t.Errorf("got %q", got)
	}
}
