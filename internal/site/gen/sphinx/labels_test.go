package sphinx

import (
	"math/rand/v2"
	"testing"
)

// A line in which an expression finds a label is one that its quick test lets pass.
func TestMayBeLabel(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	parts := []string{
		"name", "label", ":", " ", "\t", "\"", "#|", "#", "{", "}", "a", "id", ".. ", "function", "py:", "class", "::", "```{", "~~~{", ":::{", ">", "*", "-", "(", "c:function", "option", ".. class:: ", "{py:data} ", "`",
	}
	found := map[int]int{}
	for range 300_000 {
		line := []byte{}
		for range 1 + random.IntN(9) {
			line = append(line, parts[random.IntN(len(parts))]...)
		}
		for i, l := range labels {
			if l.may == nil || l.re.FindAllSubmatch(line, -1) == nil {
				continue
			}
			found[i]++
			if !l.may(line) {
				t.Fatalf("%q has a label", line)
			}
		}
	}
	for i, l := range labels {
		if l.may != nil && found[i] < 100 {
			t.Errorf("only %d lines have a label of %d", found[i], i)
		}
	}
}
