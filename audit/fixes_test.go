package audit

import (
	"os"
	"strings"
	"testing"
)

// TestFixes checks that testdata/fixes.tsv has the edits of at least ten real trees, each with the verdict that
// it is right.
func TestFixes(t *testing.T) {
	text, err := os.ReadFile("testdata/fixes.tsv")
	must(t, err)
	trees := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 6 || cells[2] == cells[3] || cells[4] != "right" || cells[5] == "" {
			t.Errorf("malformed line, or a wrong edit: %q", line)
			continue
		}
		trees[cells[0]]++
	}
	if len(trees) < 10 {
		t.Errorf("edits of %d trees", len(trees))
	}
}
