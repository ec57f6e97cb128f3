package audit

import (
	"os"
	"strconv"
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

// TestUnmodelled checks the sums of testdata/unmodelled.tsv: all findings have a verdict, and at most 2 of 1,000 judged
// references of all trees together have a false one.
func TestUnmodelled(t *testing.T) {
	text, err := os.ReadFile("testdata/unmodelled.tsv")
	must(t, err)
	trees, judged, wrong := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 9 {
			t.Fatalf("%d columns in %q", len(cells), line)
		}
		var n [5]int // references, findings, right, false, not judged
		for i := range n {
			n[i], err = strconv.Atoi(cells[3+i])
			must(t, err)
		}
		if n[1] != n[2]+n[3] {
			t.Errorf("wrong sums: %q", line)
		}
		trees, judged, wrong = trees+1, judged+n[0]-n[4], wrong+n[3]
	}
	if trees < 20 || 1000*wrong > 2*judged {
		t.Errorf("%d trees, %d false findings in %d references", trees, wrong, judged)
	}
}

// TestUnseen checks the sums of testdata/unseen.tsv: all findings have a verdict, and at most 2 of 1,000 references
// have a false one.
func TestUnseen(t *testing.T) {
	text, err := os.ReadFile("testdata/unseen.tsv")
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 11 {
			t.Fatalf("%d columns in %q", len(cells), line)
		}
		var n [4]int // references, findings, right, false
		for i := range n {
			n[i], err = strconv.Atoi(cells[3+i])
			must(t, err)
		}
		if n[1] != n[2]+n[3] || 1000*n[3] > 2*n[0] {
			t.Errorf("wrong sums, or too many false findings: %q", line)
		}
	}
}
