package html

import (
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// BenchmarkPages measures the scanner alone; package extract compares the whole walk with a
// tokenizer.
func BenchmarkPages(b *testing.B) {
	all, size := scantest.Corpus(b, "html.tar.xz", ".html")
	s := new(Scanner)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range all {
			for range s.Scan(src) {
			}
		}
	}
}
