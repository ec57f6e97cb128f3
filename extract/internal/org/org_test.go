package org_test

import (
	"testing"

	"example.org/refract/extract/internal/org"
	"example.org/refract/internal/testing/scantest"
)

func TestScan(t *testing.T) {
	s := &org.Scanner{Anchors: true, Mentions: true}
	scantest.Golden(t, "testdata/scan.txtar", s.Scan)
}
