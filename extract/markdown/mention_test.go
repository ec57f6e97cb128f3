package markdown

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// Uses of labels are Mentions (CommonMark 6.3), on request.
func TestMentions(t *testing.T) {
	const definitions = "\n\n   [foo]: /u\n[ẞ  x]: /v\n"
	tests := []struct{ src, want string }{
		{"[text][foo]", "⟦foo⟧"},
		{"[text][FOO] ![a][foo]", "⟦FOO⟧ ⟦foo⟧"},
		{"[Foo][]", "⟦Foo⟧"},
		{"[foo] ![foo] ![foo][]", "⟦foo⟧ ⟦foo⟧ ⟦foo⟧"},
		{"[text][ß\nx]", "⟦ß\nx⟧"},
		{"> [text][ß\n> x]", "⟦ß\n> x⟧"},
		{"[![foo]][foo]", "⟦foo⟧ ⟦foo⟧"},
		{"[*a*][foo]. # [foo]", "⟦foo⟧ ⟦foo⟧"},
		{"| a |\n|---|\n| [foo] |", "⟦foo⟧"},
		{"---\nx: y\n---\n- [b][foo]", "⟦foo⟧"},
		{"[a](b) [nope][none] [none] `[foo]` \\[foo]", ""},
	}
	for _, tt := range tests {
		src := tt.src + definitions
		var got, defined []string
		for it := range (&Scanner{Mentions: true}).Scan([]byte(src)) {
			if it.Op != scan.Mention && it.Op != scan.Anchor {
				continue
			}
			raw := src[it.Span.Start:it.Span.End]
			if it.Space != "label" || string(it.Value) != labelOf([]byte(strings.ReplaceAll(raw, "\n>", "\n"))) {
				t.Errorf("%q: %q is %q of %q", tt.src, raw, it.Value, it.Space)
			}
			if it.Op == scan.Anchor {
				defined = append(defined, raw)
				continue
			}
			got = append(got, fmt.Sprintf("⟦%s⟧", raw))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.src, got, tt.want)
		}
		if got := strings.Join(defined, ","); got != "foo,ẞ  x" {
			t.Errorf("%q: defines %s", tt.src, got)
		}
		for it := range new(Scanner).Scan([]byte(src)) {
			if it.Op == scan.Mention || it.Op == scan.Anchor {
				t.Errorf("%q: %q without being asked for", tt.src, it.Value)
			}
		}
	}
}
