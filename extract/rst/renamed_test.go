package rst

import (
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// TestRenamedTitle has the names that take the id of a title in docutils 0.21.2 and 0.22.4.
func TestRenamedTitle(t *testing.T) {
	const title = "\n\nA b\n---\n"
	for _, c := range []struct {
		src  string
		want bool
	}{
		{"`A b <#a-b>`_" + title, true},
		{"`A-B <u>`_" + title, true}, // another name with the same id
		{".. _a B: https://u/" + title, true},
		{"* `A b <u>`_" + title, true},
		{"`A b <u>`_\n----------\n", true},
		{"`A b <u>`__" + title, false},
		{"`A b <c_>`_\n\n.. _c: u" + title, false},
		{".. _A b:" + title, false},
		{"``\\`A b <u>`_``" + title, false},
		{title + "\n`A b <u>`_\n", false},
	} {
		s, got := Scanner{Anchors: true}, false
		for it := range s.Scan([]byte(strings.TrimLeft(c.src, "\n"))) {
			got = got || it.Op == scan.Anchor && it.In == RenamedTitle
		}
		if got != c.want {
			t.Errorf("%q: renamed is %t, want %t", c.src, got, c.want)
		}
	}
}
