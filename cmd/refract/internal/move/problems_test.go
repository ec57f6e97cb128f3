package move

import (
	"context"
	"strings"
	"testing"
)

// A document is not moved that no audit reads at its new place, or that a reference could not point to there, and the reason says so. What
// led nowhere before is no reason.
func TestProblems(t *testing.T) {
	files := map[string]string{"a.md": "[b](b.md) [c](c.md)\n", "b.md": "# B\n", "c.md": "# C\n", "site/mkdocs.yml": "site_name: x\n", "site/docs/index.md": "[p](p.md) [none](none.md)\n", "site/docs/p.md": "# P\n"}
	for move, want := range map[string]string{"a.md -> a.bin": "the document would not be read at its new place", "site/docs/p.md -> docs/p.md": "no spelling of it was found that points to docs/p.md"} {
		plan, err := Make(context.Background(), request(inMemory(files), move))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range plan.Problems {
			got = append(got, p.Why)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", move, got, want)
		}
	}
}
