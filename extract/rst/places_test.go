package rst

import (
	"testing"

	"example.org/refract/extract/scan"
)

// A simple table ends at its third border, not at a line of text.
func TestSimpleTable(t *testing.T) {
	const border = "=====  ==========\n"
	const src = border + "A      B\n" + border + "x      y\nz      `u\nw      v <http://h/>`_\n" + border
	var got []scan.How
	for it := range (&Scanner{}).Scan([]byte(src)) {
		if it.Op == scan.Ref {
			got = append(got, it.How)
		}
	}
	if len(got) != 1 || got[0] != scan.Bare {
		t.Errorf("%v", got)
	}
}

// A title is underlined at the margin, and not in a list or a quotation.
func TestTitles(t *testing.T) {
	for src, want := range map[string]string{
		"Title\n=====\n":                "Title",
		"Title\n====\n":                 "Title",
		"Ab\n==\n":                      "Ab",
		"Ab\n=\n":                       "",
		"Title\n===\n":                  "",
		"Title\n=-=-=\n":                "",
		"Title\n\n=====\n":              "",
		"Title\n =====\n":               "",
		"- Title\n  =====\n":            "",
		"- x\n\n  Title\n  =====\n":     "",
		"x\n\n  Title\n  =====\n":       "",
		"=====\nTitle\n=====\n":         "Title",
		"- x\n\nTitle\n=====\n":         "Title",
		"- - x\n\n    Title\n    =====": "",
	} {
		got := ""
		for it := range (&Scanner{Anchors: true}).Scan([]byte(src)) {
			if it.Op == scan.Anchor {
				got += it.Text
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

// A backquote behind a blank, or behind a backslash, ends nothing.
func TestTicks(t *testing.T) {
	for src, want := range map[string]scan.How{
		"`a b <http://h/>`_": scan.Inline, "`a `. b <http://h/>`_": scan.Inline, "`a\\`. b <http://h/>`_": scan.Inline, "`a`. b <http://h/>`_": scan.Bare,
	} {
		var got []scan.How
		for it := range (&Scanner{}).Scan([]byte(src + "\n")) {
			if it.Op == scan.Ref {
				got = append(got, it.How)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

// The name of a directive ends with "::", and white space or the end of the line follows.
func TestDirectiveName(t *testing.T) {
	for c, want := range map[string][2]int{
		"image::": {5, 7}, "image:: a": {5, 7}, "image::\ta": {5, 7}, "image::\n": {5, 7}, "image ::": {5, 8}, "image :: a": {5, 8}, "c:function:: a": {10, 12},
		"image::a": {}, "image::ab": {}, "image:::": {}, "image:": {}, "image": {}, "image: :": {}, "image  ::": {}, "::": {}, " image::": {}, "": {}, "a b::": {}, "image :": {}, "image ": {},
	} {
		if name, all := directiveName([]byte(c)); name != want[0] || all != want[1] {
			t.Errorf("%q: %d, %d, want %v", c, name, all, want)
		}
	}
}

// The label of a footnote is a number, "#", "#name", "*" or a name.
func TestIsFootnoteLabel(t *testing.T) {
	for c, want := range map[string]bool{"1": true, "12": true, "#": true, "*": true, "#a": true, "#a-b": true, "a": true, "Ab.c": true, "**": false, "##": false, "*a": false, "a b": false, "#a b": false, "#-": false, "-": false, "+": false} {
		if got := isFootnoteLabel([]byte(c)); got != want {
			t.Errorf("%q: %v", c, got)
		}
	}
}
