package site

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// The name of a label is in lower case, with single spaces.
func TestLabelName(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	parts := []string{"a", "B", " ", "\t", "\u00a0", "\u00c9", "\x7f", "\n", "-", "1"}
	same := 0
	for range 100_000 {
		name := ""
		for range random.IntN(6) {
			name += parts[random.IntN(len(parts))]
		}
		got, want := LabelName(name), strings.Join(strings.Fields(strings.ToLower(name)), " ")
		if got != want {
			t.Fatalf("%q: %q, want %q", name, got, want)
		}
		if got == name {
			same++
		}
	}
	if same < 1000 {
		t.Errorf("only %d names are those of labels", same)
	}
}
