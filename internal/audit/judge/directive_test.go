package judge

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// The name of a directive is what this expression finds.
func TestDirectiveName(t *testing.T) {
	want := regexp.MustCompile(`(?:^|[^\w@])@@?@?([a-z]+):? ?$`)
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"@", "@", "@@", "a", "ref", "snip", " ", ":", "_", "Z", "9", "\u00e9", "\xff", "\n", "("}
	found := 0
	for range 200_000 {
		text := ""
		for range random.IntN(8) {
			text += parts[random.IntN(len(parts))]
		}
		name := ""
		if m := want.FindStringSubmatch(text); m != nil {
			name = m[1]
			found++
		}
		if got := directiveName([]byte(text)); got != name {
			t.Fatalf("%q: %q, want %q", text, got, name)
		}
	}
	if found < 1000 {
		t.Errorf("only %d of the texts end in a directive", found)
	}
}
