package outlook

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"example.org/refract/internal/scantest"
)

// Each class of differences from other programs has a number and says who is right; no class has more files than there are.
func TestAgreement(t *testing.T) {
	data, err := os.ReadFile("testdata/oracles.md")
	if err != nil {
		t.Fatal(err)
	}
	heading, verdict := regexp.MustCompile(`^## .*: (\d+) files`), regexp.MustCompile(`^(both|we|they|neither|a choice)\b`)
	files, rows, inFiles := 0, 0, false
	for line := range strings.Lines(string(data)) {
		if m := heading.FindStringSubmatch(line); m != nil {
			files = scantest.Number(t, m[1])
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if line[0] != '|' || strings.HasPrefix(line, "|---") {
			continue
		}
		if len(cells) != 3 {
			t.Fatalf("%d cells: %s", len(cells), line)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "difference" {
			inFiles = cells[1] == "files"
			continue
		}
		rows++
		n := scantest.Number(t, cells[1])
		if n == 0 || inFiles && n > files || !verdict.MatchString(cells[2]) {
			t.Errorf("no number or no verdict: %s", line)
		}
	}
	if rows != 14 {
		t.Errorf("%d classes, want 14", rows)
	}
}
