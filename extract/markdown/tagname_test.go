package markdown

import "testing"

// The name of a tag begins with a letter.
func TestTagName(t *testing.T) {
	for s, want := range map[string]string{"": "", "a": "a", "A": "A", "div>": "div", "h1 x": "h1", "x-y/": "x-y", "x-": "x-", "-x": "", "1x": "", "<": "", ">": "", " a": ""} {
		if got := string(tagName([]byte(s))); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
