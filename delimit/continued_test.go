package delimit

import (
	"strings"
	"testing"
)

// Texts whose first line is long, with the reading that continues, "" if there is none.
func TestContinued(t *testing.T) {
	pad := strings.Repeat("word ", 10)
	for _, tt := range []struct{ text, ref, continued string }{
		{pad + "http://h/a/b/\nc/index.html and", "http://h/a/b/", "http://h/a/b/c/index.html"},
		{pad + "http://h/a/b\r\n/c/d.html and", "http://h/a/b", "http://h/a/b/c/d.html"},
		{"> " + pad + "http://h/a/b-\n> c_d.", "http://h/a/b-", "http://h/a/b-c_d"},
		{pad + "http://h/a?b=\n1234&c=d", "http://h/a?b=", "http://h/a?b=1234&c=d"},
		{pad + "http://h/a/index.\nhtml#x", "http://h/a/index", "http://h/a/index.html#x"},
		{pad + "http://h/a%2F\n%41b", "http://h/a%2F", "http://h/a%2F%41b"},
		{pad + "http://h/a/b?\nx=12", "http://h/a/b", "http://h/a/b?x=12"},
		{"http://h/a/b/\nc/index.html", "http://h/a/b/", ""},
		{pad + "http://h/a/b/\nand so on", "http://h/a/b/", ""},
		{pad + "http://h/a/b/\nand/or what", "http://h/a/b/", ""},
		{pad + "http://h/a/b\nc.html", "http://h/a/b", ""},
		{pad + "http://h/a/b/\nhttp://h/c/d.html", "http://h/a/b/", ""},
		{pad + "http://h/a/b/\n\nc/index.html", "http://h/a/b/", ""},
		{pad + "http://h/a/b.\nThe end", "http://h/a/b", ""},
		{pad + "http://h/a/b/ \nc/index.html", "http://h/a/b/", ""},
		{pad + "http://h/a/b/", "http://h/a/b/", ""},
		{pad + "http://www.example.org\n/c/d.html and", "http://www.example.org", ""},
		{pad + "http://h/a/b-\nc#L1", "http://h/a/b-", "http://h/a/b-c#L1"},
		{"> " + pad + "(http://h/a/b.interfa\n> ces.I.html#x) but", "http://h/a/b.interfa", "http://h/a/b.interfaces.I.html#x"},
		{pad + "(http://h/a/b\nc.d) but", "http://h/a/b", "http://h/a/bc.d"},
		{pad + "(http://h/a/b\nas said) but", "http://h/a/b", ""},
		{pad + "(http://h/a/b\nsaid) but", "http://h/a/b", ""},
		{pad + "http://h/a/" + strings.Repeat("a1", 18) + "\nb2b3/c.py#L5", "http://h/a/" + strings.Repeat("a1", 18), "http://h/a/" + strings.Repeat("a1", 18) + "b2b3/c.py#L5"},
		{pad + "http://h/a/" + strings.Repeat("a1", 18) + "\nb2b and", "http://h/a/" + strings.Repeat("a1", 18), ""},
		{pad + "http://h/a/" + strings.Repeat("a1", 20) + "\nb2b3 and", "http://h/a/" + strings.Repeat("a1", 20), ""},
		{"x\nURL: " + strings.Repeat("word ", 10) + "http://h/a/2006/12/2=\n7c1/d.pdf", "http://h/a/2006/12/2=", "http://h/a/2006/12/27c1/d.pdf"},
		{"x\n>" + strings.Repeat("word ", 12) + "http://h/a/2=\n7c1/d.pdf", "http://h/a/2=", "http://h/a/2=7c1/d.pdf"},
	} {
		n := 0
		for s := range new(Finder).All([]byte(tt.text)) {
			if n++; n > 1 {
				break
			}
			got := ""
			if s.Continued != nil {
				got = string(s.Continued.AppendTo(nil, []byte(tt.text)))
			}
			if ref := tt.text[s.Start:s.End]; ref != tt.ref || got != tt.continued {
				t.Errorf("%q: %q, continued %q, want %q, %q", tt.text, ref, got, tt.ref, tt.continued)
			}
		}
		if n == 0 {
			t.Errorf("%q: nothing found", tt.text)
		}
	}
}

// Names of files: a suffix that files on servers have, before a query and a fragment.
func TestIsFileName(t *testing.T) {
	for name, want := range map[string]bool{
		"c.html": true, "b/c.html": true, "b.c/d.html": true, "c.html#x": true, "c.html?x=y.z": true, "c.pdf?": true,
		"c": false, ".html": false, "b/html": false, "html": false, "b.html/c": false, "c.": false, "c.nosuffix": false, "c#x.html": false, "": false,
	} {
		if got := isFileName([]byte(name)); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
