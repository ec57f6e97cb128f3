package asciidoc

import (
	"strings"
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

// References outside what is literal: an entry that the end of the document cuts, and backquotes of compat-mode, which a title of two lines sets.
func TestNotLiteral(t *testing.T) {
	for src, want := range map[string]string{
		"= T\n\nhttp://h/a\n\n:a: b \\":       "http://h/a",
		"T1\n==\n\n`a http://h/a` http://h/b": "http://h/b",
		"T1\n==\n\n`a http://h/a":             "http://h/a",
		"T1\n==\n\n`a http://h/a ` http://h":  "http://h/a http://h",
		"T1\n==\n\n`` http://h/a `":           "http://h/a",
	} {
		var got []string
		for it := range new(Scanner).Scan([]byte(src)) {
			if it.Op == scan.Ref {
				got = append(got, string(it.Value))
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
