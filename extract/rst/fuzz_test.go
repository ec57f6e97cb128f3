package rst

import (
	"testing"

	"example.org/refract/internal/testing/scantest"
)

func FuzzScan(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add([]byte(c.Text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s := Scanner{Anchors: true, Mentions: true}
		for range scantest.InOrder(t, len(src), s.Scan(src)) {
		}
	})
}
