package rtf

import (
	"testing"

	"example.org/refract/internal/scantest"
)

// Each difference from pandoc has a cause.
func TestAgreement(t *testing.T) {
	for _, row := range scantest.Rows(t, "testdata/agreement.tsv", 5) {
		if scantest.Number(t, row[2])+scantest.Number(t, row[3]) == 0 || row[4] == "" {
			t.Errorf("%s: no difference, or no cause", row[0])
		}
	}
}
