package man

import (
	"testing"

	"example.org/refract/internal/testing/scantest"
)

func TestScan(t *testing.T) {
	s := new(Scanner)
	scantest.Golden(t, "testdata/scan.txtar", s.Scan)
}
