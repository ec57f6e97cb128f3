//go:build ablate

package audittest

import (
	"fmt"
	"os"
	"testing"

	"example.org/refract/internal/ablate"
)

// Worth fails the test for each rule that changes nothing in any of the trees when it is switched off: such
// a rule may go. A new rule needs a tree on which it matters. With REFRACT_RULES, it lists the rules.
func Worth(t *testing.T, trees []Tree) {
	whole := make([]string, len(trees))
	ablate.Switch()
	for i, tree := range trees {
		whole[i] = results(t, tree.Settings, tree.Files)
	}
	rules := ablate.Seen()
	if len(rules) == 0 {
		t.Fatal("no rules")
	}
	for _, rule := range rules {
		if os.Getenv("REFRACT_RULES") != "" {
			fmt.Println("RULE", rule)
			continue
		}
		ablate.Switch(rule)
		matters := false
		for i := 0; i < len(trees) && !matters; i++ {
			matters = results(t, trees[i].Settings, trees[i].Files) != whole[i]
		}
		if !matters {
			t.Errorf("no tree changes without %q", rule)
		}
	}
}
