package mmdf

import (
	"testing"

	"example.org/refract/extract/internal/splitter"
	"example.org/refract/internal/testing/scantest"
)

var _ splitter.Splitter = Splitter{}

var splitting = scantest.Splitting{
	Next: func(src []byte, from int, atEOF bool) (end int, ok bool) {
		p, ok := Splitter{}.Next(src, from, atEOF)
		return p.End, ok
	},
	Body: Body,
}

func TestSplit(t *testing.T) { splitting.Split(t, texts) }

// Splitting takes time linear in the input, and covers all of it.
func TestHostile(t *testing.T) {
	scantest.Long(t, "measures time")
	splitting.Linear(t, "\x01", "\x01\x01\x01\x01\n", "\x01\x01\x01\x01", "\n\x01\x01\x01", "x")
}

func FuzzSplit(f *testing.F) { splitting.Fuzz(f, texts) }

var texts = []string{
	"¹¹¹¹\n⟦a: b\n\nx\n⟧¹¹¹¹\n",
	"¹¹¹¹\n⟦a: b\n⟧¹¹¹¹\n‖¹¹¹¹\n⟦c: d\n⟧¹¹¹¹\n",
	"¹¹¹¹\n⟦a: b\n⟧‖¹¹¹¹\n⟦c: d\n⟧¹¹¹¹", // one delimiter between
	"¹¹¹¹\r\n⟦a: b\r\n⟧¹¹¹¹\r\n‖¹¹¹¹\r\n⟦c: d\r\n⟧¹¹¹¹\r\n",
	"¹¹¹¹\nFrom x y\n⟦a: b\n⟧¹¹¹¹\n",            // as Python writes
	"¹¹¹¹\n⟦a: b\n\n¹¹¹¹x\n ¹¹¹¹\n¹¹¹\n⟧¹¹¹¹\n", // text
	"¹¹¹¹\n⟦a: b⟧", // cut off
	"¹¹¹¹\n⟦⟧¹¹¹¹\n‖¹¹¹¹\n⟦x⟧",
}
