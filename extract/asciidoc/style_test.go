package asciidoc

import (
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// Links and autolinks of a block are macros, so those of a block whose substitutions lack them are text.
func TestSubstitutions(t *testing.T) {
	for subs, want := range map[string]int{
		"none": 0, "verbatim": 0, "specialchars": 0, "specialcharacters": 0, "attributes": 0, "quotes": 0,
		"normal": 2, "macros": 2, "quotes,macros": 2, "+quotes": 2, "none,": 2, // what is not known hides nothing
	} {
		var s Scanner
		n := 0
		for it := range s.Scan([]byte("[subs=\"" + subs + "\"]\nlink:a.html[b] https://c.example/d\n")) {
			if it.Op == scan.Ref {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d links, want %d", subs, n, want)
		}
	}
}

func TestIsStyleLine(t *testing.T) {
	for text, want := range map[string]bool{"[]": true, "[a]": true, "[.a]": true, "[%x]": true, "[": false, "[ ]": false, "[a": false, "[-]": false} {
		if got := isStyleLine([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Markers of lists are one to five of their kind, but one hyphen.
func TestAfterMarkers(t *testing.T) {
	for text, want := range map[string]string{
		"* x": "x", "***** x": "x", "****** x": "****** x", " - x": "x", "-- x": "-- x", "--- x": "--- x", ". x": "x", ".. x": "x", "1. x": "x", "12. x": "x", "a. x": "x", "<1> x": "x", "<> x": "<> x", "x": "x",
	} {
		p := &parser{src: []byte(text)}
		if got := text[p.afterMarkers(line{start: 0, end: len(text)}):]; strings.TrimSpace(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
