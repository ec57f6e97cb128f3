package spell

import (
	"testing"

	"example.org/refract/internal/ascii"
)

func TestRelative(t *testing.T) {
	for _, c := range []struct{ dir, path, want string }{
		{"/a/b", "/a/b/c", "c"},
		{"/a/b", "/a/c", "../c"},
		{"/a/b", "/a/bc", "../bc"},
		{"/a/b/c", "/x", "../../../x"},
		{"", "/x", "x"},
		{"C:/a", "C:/b/c", "../b/c"},
	} {
		if got := Relative(c.dir, c.path); got != c.want {
			t.Errorf("from %s to %s: %s, want %s", c.dir, c.path, got, c.want)
		}
	}
}

func TestSpelled(t *testing.T) {
	for in, want := range map[string]string{
		"a b#c?d%e.md": "a%20b%23c%3Fd%25e.md", "ü": "ü", "\xff": "%FF", "(x)": "%28x%29",
	} {
		if got := Spelled(in); got != want || ascii.UnescapeAll(got) != in {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
