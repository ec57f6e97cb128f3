package html

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"example.org/refract/extract/scan/scantest"
)

func BenchmarkPages(b *testing.B) {
	all, size := scantest.Corpus(b, "html.tar.xz", ".html")
	b.Run("Scan", func(b *testing.B) {
		s := new(Scanner)
		b.SetBytes(size)
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			for _, src := range all {
				for range s.Scan(src) {
					n++
				}
			}
		}
		b.ReportMetric(float64(n)/float64(b.N), "items")
	})
	b.Run("Tokenizer", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range all {
				z := html.NewTokenizer(bytes.NewReader(src))
				for z.Next() != html.ErrorToken {
					_, more := z.TagName()
					for more {
						_, _, more = z.TagAttr()
					}
				}
			}
		}
	})
}
