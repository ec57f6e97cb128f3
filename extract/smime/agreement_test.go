package smime

import (
	"testing"

	"example.org/refract/internal/scantest"
)

// Each difference from OpenSSL has a reason.
func TestAgreement(t *testing.T) {
	for _, row := range scantest.Rows(t, "testdata/agreement.tsv", 5) {
		files, same, different := scantest.Number(t, row[1]), scantest.Number(t, row[2]), scantest.Number(t, row[3])
		if same+different != files {
			t.Errorf("%s: %d and %d of %d files", row[0], same, different, files)
		}
		if different > 0 && row[4] == "" {
			t.Errorf("%s: no reason", row[0])
		}
	}
}
