package latex_test

import (
	"testing"

	"example.org/refract/extract/internal/latex"
	"example.org/refract/internal/testing/scantest"
)

func TestScan(t *testing.T) {
	s := &latex.Scanner{Anchors: true, Mentions: true}
	scantest.Golden(t, "testdata/scan.txtar", s.Scan)
}
