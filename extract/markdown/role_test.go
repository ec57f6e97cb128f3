package markdown

import (
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// What a MyST role refers to stands in ⟦brackets⟧.
func TestRoles(t *testing.T) {
	for _, marked := range []string{
		"{doc}`⟦a⟧`", "{doc}`b <⟦a⟧>`", "{doc}`<⟦a⟧>`", "{std:doc}`⟦a⟧`", "{download}`b <⟦a/b⟧>`", "{doc}`!⟦a⟧`", "{doc}`⟦b <a⟧`", "{doc}`⟦a>⟧`",
		"x {doc}`⟦a⟧`", "{}`a`", "{doc} `a`", "{d oc}`a`", "{doc}x`a`", "{doc}``⟦a⟧``",
	} {
		before, rest, _ := strings.Cut(marked, "⟦")
		want, _, isRole := strings.Cut(rest, "⟧")
		s := Scanner{Dialect: MyST}
		got, at := "", len(before)
		for it := range s.Scan([]byte(strings.NewReplacer("⟦", "", "⟧", "").Replace(marked))) {
			if it.How == scan.Role {
				got, at = string(it.Value), it.Span.Start
			}
		}
		if got != want || isRole && at != len(before) {
			t.Errorf("%s: %q at %d", marked, got, at)
		}
	}
}
