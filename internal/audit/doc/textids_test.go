package doc_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/doc"
)

// A term is the last line before its definition, without marks of code and links.
func TestTermIDs(t *testing.T) {
	for text, want := range map[string]string{
		"Term\n: definition\n":               "term",
		"Term Two\n\n: definition\n: more\n": "term-two",
		"`code` [link](x)\n: definition\n":   "code-link",
		": definition\n":                     "",
		"Term\n:definition\n":                "",
		"\n\n: definition\n":                 "",
	} {
		d := &doc.Document{Layout: &doc.Layout{Slug: slug.GitHub}}
		d.Text = []byte(text)
		if got := strings.Join(slices.Sorted(maps.Keys(d.TermIDs())), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
