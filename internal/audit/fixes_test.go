package audit

import (
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// TestFixes checks that testdata/fixes.tsv has the edits of at least ten real trees, each with the verdict that
// it is right.
func TestFixes(t *testing.T) {
	trees := map[string]int{}
	for _, row := range scantest.Rows(t, "testdata/fixes.tsv", 6) {
		if row[2] == row[3] || row[4] != "right" || row[5] == "" {
			t.Errorf("malformed row, or a wrong edit: %q", row)
			continue
		}
		trees[row[0]]++
	}
	if len(trees) < 10 {
		t.Errorf("edits of %d trees", len(trees))
	}
}

// checkVerdicts checks the numbers of a row, from its fourth on: references, findings, right ones and false ones. All
// findings have a verdict.
func checkVerdicts(t *testing.T, row []string) (references, wrong int) {
	t.Helper()
	references, wrong = scantest.Number(t, row[3]), scantest.Number(t, row[6])
	if scantest.Number(t, row[4]) != scantest.Number(t, row[5])+wrong {
		t.Errorf("wrong sums: %q", row)
	}
	return references, wrong
}

// TestUnmodelled checks the sums of testdata/unmodelled.tsv: at most 2 of 1,000 checked references of all trees together
// have a false finding.
func TestUnmodelled(t *testing.T) {
	rows := scantest.Rows(t, "testdata/unmodelled.tsv", 9)
	judged, wrong := 0, 0
	for _, row := range rows {
		references, n := checkVerdicts(t, row)
		judged += references - scantest.Number(t, row[7])
		wrong += n
	}
	if len(rows) < 20 || 1000*wrong > 2*judged {
		t.Errorf("%d trees, %d false findings in %d references", len(rows), wrong, judged)
	}
}

// TestUnseen checks the sums of testdata/unseen.tsv: at most 2 of 1,000 references of each tree have a false finding.
func TestUnseen(t *testing.T) {
	for _, row := range scantest.Rows(t, "testdata/unseen.tsv", 11) {
		if references, wrong := checkVerdicts(t, row); 1000*wrong > 2*references {
			t.Errorf("too many false findings: %q", row)
		}
	}
}

// TestFirstLook checks the sums of testdata/firstlook.tsv: those of the first audit, which may be high, and those of the
// rules that followed, which are at most 0.1 of 1,000 references.
func TestFirstLook(t *testing.T) {
	references, first, after := 0, 0, 0
	for _, row := range scantest.Rows(t, "testdata/firstlook.tsv", 13) {
		n, wrong := checkVerdicts(t, row)
		references += n
		first += wrong
		_, wrong = checkVerdicts(t, append(row[:4:4], row[8:]...))
		after += wrong
	}
	if references != 98580 || first != 1307 || 10000*after > references {
		t.Errorf("%d references, %d false findings at first, %d after", references, first, after)
	}
}
