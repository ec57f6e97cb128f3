package asciidoc

import (
	"testing"

	"example.org/refract/extract/scan"
)

// Which lines are attribute entries, and what they set: the target of "link:{a}/x[y]" behind them.
func TestEntries(t *testing.T) {
	for _, tt := range []struct{ entries, want string }{
		{":a: b", "b/x"},
		{":a:\tb", "b/x"},
		{":A: b", "b/x"},
		{":a:   b  ", "b/x"},
		{":a:", "/x"},
		{":a: ", "/x"},
		{":a:b", "{a}/x"},
		{":a b", "{a}/x"},
		{":a", "{a}/x"},
		{"a: b", "{a}/x"},
		{"::", "{a}/x"},
		{": : b", "{a}/x"},
		{":a b: c", "{a}/x"},
		{":a: b\n:!a:", "{a}/x"},
		{":a: b\n:a!:", "{a}/x"},
		{":a: b\n:!b:", "b/x"},
		{":a: b\n:!:", "b/x"},
		{":a: b\n:a: c", "c/x"},
		{":b: c\n:a: {b}", "c/x"},
		{":a: b\n:a: {a}c", "{a}c/x"},
		{":a: b\\\n", "b\\/x"},
		{":a: b \\\n", "b \\/x"},
	} {
		got := ""
		s := Scanner{}
		for it := range s.Scan([]byte("= T\n" + tt.entries + "\n\nlink:{a}/x[y]\n")) {
			if it.Op == scan.Ref {
				got = string(it.Value)
			}
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.entries, got, tt.want)
		}
	}
}
