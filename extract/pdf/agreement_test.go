package pdf

import (
	"testing"

	"example.org/refract/internal/scantest"
)

// Each difference from other programs has a cause, and the numbers of a row fit each other.
func TestAgreement(t *testing.T) {
	for _, row := range scantest.Rows(t, "testdata/agreement.tsv", 8) {
		var n [5]int // by pypdf, by poppler, by package pdf; only by pypdf, only by package pdf
		for i := range n {
			n[i] = scantest.Number(t, row[i+2])
		}
		if n[0]-n[3] != n[2]-n[4] {
			t.Errorf("%s: both have %d, or %d", row[0], n[0]-n[3], n[2]-n[4])
		}
		if (n[1] != n[2] || n[3]+n[4] > 0) && row[7] == "" {
			t.Errorf("%s: no cause", row[0])
		}
	}
}

// The links of files of common producers are those that were given to them.
func TestProducers(t *testing.T) {
	for _, row := range scantest.Rows(t, "testdata/producers.tsv", 6) {
		links := scantest.Number(t, row[1])
		for _, cell := range row[2:5] {
			if scantest.Number(t, cell) != links && row[5] == "" {
				t.Errorf("%s: no cause", row[0])
			}
		}
	}
}
