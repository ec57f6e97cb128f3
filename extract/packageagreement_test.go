package extract

import (
	"testing"

	"example.org/refract/internal/scantest"
)

// Each difference from the references that other programs show in books and office documents has a reason. A program that
// shows less by design has "-".
func TestPackageAgreement(t *testing.T) {
	type side struct{ program, only string }
	because := make(map[side]int)
	for _, row := range scantest.Rows(t, "testdata/packages/reasons.tsv", 4) {
		because[side{row[0], row[1]}] += scantest.Number(t, row[2])
		if row[3] == "" {
			t.Errorf("%s: no reason", row[0])
		}
	}
	for _, row := range scantest.Rows(t, "testdata/packages/agreement.tsv", 5) {
		for i, only := range []string{"there", "here"} {
			at := side{row[0], only}
			if row[3+i] == "-" {
				continue
			}
			if n := scantest.Number(t, row[3+i]); n != because[at] {
				t.Errorf("%s: %d only %s, reasons for %d", row[0], n, only, because[at])
			}
			delete(because, at)
		}
	}
	if len(because) > 0 {
		t.Errorf("reasons without a row: %v", because)
	}
}
