package lsp

import "testing"

// An excerpt begins at a line. Only that of a whole document leaves out front matter.
func TestExcerptOf(t *testing.T) {
	const text = "---\na: b\n---\n\n# One\n\nText.\n\n---\n\n# Two\n"
	for _, test := range []struct {
		text string
		line int
		want string
	}{
		{text, 1, "# One\n\nText.\n\n---\n\n# Two"},
		{text, 0, "# One\n\nText.\n\n---\n\n# Two"},
		{text, 7, "Text.\n\n---\n\n# Two"},
		{text, 11, "# Two"},
		{text, 99, ""},
		{"# One\n---\nText.\n---\nMore.\n", 1, "# One\n---\nText.\n---\nMore."},
		{"---\nnot closed\n", 1, "---\nnot closed"},
		{"\n\na\n", 1, "a"},
	} {
		if got := excerptOf([]byte(test.text), test.line, hoverLines); got != test.want {
			t.Errorf("line %d of %q: got %q, want %q", test.line, test.text, got, test.want)
		}
	}
}
