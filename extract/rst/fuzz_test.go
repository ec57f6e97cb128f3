package rst

import (
	"testing"

	"example.org/refract/extract/scan"
)

// FuzzScan scans anything, and checks what is true of every Item: it lies in the document, and Items
// come in the order of the source.
func FuzzScan(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add([]byte(c.Text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s := Scanner{Anchors: true, Mentions: true}
		last := 0
		for it := range s.Scan(src) {
			if it.Span.Start < last || it.Span.End < it.Span.Start || it.Span.End > len(src) {
				t.Fatalf("%v %q at %v, behind %d", it.Op, it.Value, it.Span, last)
			}
			if it.Op == scan.Ref && len(it.Value) == 0 {
				t.Fatalf("an empty reference at %v", it.Span)
			}
			for _, part := range it.Extra().Parts {
				if part.Start < 0 || part.End > len(src) || part.Start > part.End {
					t.Fatalf("a part at %v", part)
				}
			}
			last = it.Span.Start
		}
	})
}
