package pdf

import "testing"

// A glyph that is named by its code stands for that character of ASCII, if it is visible.
func TestCharsOfGlyph(t *testing.T) {
	for _, c := range []struct {
		name string
		code int
		want string
	}{
		{"g65", 65, "A"}, {"G41", 65, "A"}, {"c33", 33, "!"}, {"cid126", 126, "~"}, {"g65", 66, ""}, {"g127", 127, ""}, {"g32", 32, ""}, {"g128", 128, ""},
		{"x", 'x', "x"}, {"?", '?', "?"}, {"A", 65, "A"}, {"space", 3, " "}, {"fi", 9, "fi"},
	} {
		if got := charsOfGlyph(c.name, c.code); got != c.want {
			t.Errorf("%s at %d: %q, want %q", c.name, c.code, got, c.want)
		}
	}
}
