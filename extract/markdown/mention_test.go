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

// Uses of footnotes are Mentions, as in cmark-gfm: [^name] is one if it is no link and the footnote is defined.
func TestFootnoteMentions(t *testing.T) {
	const definitions = "\n\n[^n]: Text. [^n]\n\n    More [^Äx].\n\n> [^äX]: y\n\n[^u]: /u\n"
	const defined = "+n n äx=Äx +äx=äX +u"
	tests := []struct{ src, want string }{
		{"a[^n] *b*[^ÄX]. [^none] [^n](x) [^n][u]", "n äx=ÄX n"},
		{"`[^n]` \\[^n] [^n\\] [ ^n] [^ n] <b title='[^n]'>", ""},
		{"[see [^n]](x) ![^n] [^\nn]", "n n"},
		{"| a[^n] |\n|---|\n| [^u] |", "n u"},
		{"# H[^n]\n\n- [^n]\n", "n n"},
		{"[^[^n]] [^n`]`", "n"},
	}
	for _, tt := range tests {
		src := tt.src + definitions
		var got []string
		for it := range (&Scanner{Mentions: true}).Scan([]byte(src)) {
			if it.Space != FootnoteSpace {
				continue
			}
			name, raw := string(it.Value), src[it.Span.Start:it.Span.End]
			if it.Op == scan.Anchor {
				name = "+" + name
			}
			if raw != string(it.Value) {
				name += "=" + raw
			}
			got = append(got, name)
		}
		if got := strings.Join(got, " "); got != strings.TrimSpace(tt.want+" "+defined) {
			t.Errorf("%q: %s, want %s %s", tt.src, got, tt.want, defined)
		}
	}
}
