package markdown

import (
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"example.org/refract/internal/testing/scantest"
)

// The documents of the shared corpus, beside goldmark's plain parse of CommonMark.
func BenchmarkDocs(b *testing.B) {
	files, size := scantest.Corpus(b, "docs.tar.xz", ".md", ".markdown")
	plain := goldmark.DefaultParser()
	for _, bb := range []struct {
		name string
		scan func(src []byte)
	}{
		{"Scan", func(src []byte) {
			for range new(Scanner).Scan(src) {
			}
		}},
		{"Anchors", func(src []byte) {
			for range (&Scanner{Anchors: true}).Scan(src) {
			}
		}},
		{"goldmark", func(src []byte) { plain.Parse(text.NewReader(src)) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, src := range files {
					bb.scan(src)
				}
			}
		})
	}
}
