package sphinx

import (
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

func TestTypos(t *testing.T) {
	x := newTypoIndex([]string{"installation", "getting-started", "step-one-1", "step-one-2", "short", "similar-a", "similar-b", strings.Repeat("long", 100)})
	for _, c := range []struct{ name, want string }{
		{"instalation", "installation"},
		{"installlation", "installation"},
		{"installatoin", "installation"},
		{"inztallation", "installation"},
		{"nstallation", "installation"},
		{"installation", ""},
		{"intsallatoin", ""},
		{"getting-startedx", "getting-started"},
		{"step-one-3", ""},
		{"step-one-12", ""},
		{"shortt", ""},
		{"similar-c", ""},
		{strings.Repeat("long", 100) + "x", ""},
		{"", ""},
	} {
		if got := x.closest(c.name); got != c.want {
			t.Errorf("closest(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

// Many similar names cost no more than others.
func TestTyposAlike(t *testing.T) {
	shapes := []scantest.Shape{{"", "aaaaaaaaaa\n", ""}, {"", "aaaaabaaaa\naaaaaaabaa\n", ""}, {"", "abcdefgh-1\nabcdefgh-2\n", ""}}
	scantest.Shapes(t, shapes, 100<<10, func(src []byte) {
		names := strings.Fields(string(src))
		x := newTypoIndex(names)
		for _, name := range names {
			x.closest(name)
		}
	})
}
