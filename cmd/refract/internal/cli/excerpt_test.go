package cli

import (
	"strings"
	"testing"
)

// The excerpt of a line on a terminal, and the columns of its marks.
func TestExcerpt(t *testing.T) {
	long := strings.Repeat("ü", 200)
	for _, c := range []struct {
		line, part string
		shown      string // "|" in front of and behind what is marked
	}{
		{"see [b](b.md) there", "b.md", "see [b](|b.md|) there"},
		{"\t- [b](b.md)", "b.md", "        - [b](|b.md|)"},
		{"ab\t[b](b\t.md)", "b\t.md", "ab      [b](|b   .md|)"},
		{"日本[b](é.md)", "é.md", "日本[b](|é.md|)"},
		{"x\x1b[31m[b](\u202eb)", "\u202eb", `x\u{1b}[31m[b](|\u{202e}b|)`},
		{"\xff[b](\xfe)", "\xfe", `\xff[b](|\xfe|)`},
		{long + "[b](c)" + long, "c", "…" + strings.Repeat("ü", 34) + "[b](|c|)" + strings.Repeat("ü", 38) + "…"},
		{"[b](" + long + ")", long, "[b](|" + strings.Repeat("ü", 73) + "…|)"},
		{strings.Repeat("x", 100) + "[b](d.md)", "d.md", "…" + strings.Repeat("x", 70) + "[b](|d.md|)"},
		{"שלום [b](d.md)", "d.md", leftToRight + "שלום [b](|d.md|)"},
	} {
		at := strings.Index(c.line, c.part)
		if c.part == "c" {
			at = strings.Index(c.line, "(c)") + 1
		}
		shown, before, width := Excerpt([]byte(c.line), at, len(c.part), 80)
		want := strings.ReplaceAll(c.shown, "|", "")
		front, rest, _ := strings.Cut(c.shown, "|")
		marked, _, _ := strings.Cut(rest, "|")
		wide := func(s string) int {
			return len([]rune(s)) - strings.Count(s, leftToRight) + strings.Count(s, "日") + strings.Count(s, "本")
		}
		if string(shown) != want || before != wide(front) || width != wide(marked) {
			t.Errorf("%q: %q with marks at %d, %d wide; want %q, %d, %d", c.line, shown, before, width, want, wide(front), wide(marked))
		}
	}
}
