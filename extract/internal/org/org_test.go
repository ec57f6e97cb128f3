package org

import (
	"testing"

	"example.org/refract/internal/scantest"
)

func TestScan(t *testing.T) {
	s := &Scanner{Anchors: true, Mentions: true}
	scantest.Golden(t, "testdata/scan.txtar", s.Scan)
}
