package markup_test

import (
	"testing"

	"example.org/refract/extract/internal/markup"
	"example.org/refract/internal/testing/scantest"
)

func TestOrg(t *testing.T) {
	s := &markup.Org{Anchors: true, Mentions: true}
	scantest.Golden(t, "testdata/org.txtar", s.Scan)
}
