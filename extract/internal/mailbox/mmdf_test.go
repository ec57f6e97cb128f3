package mailbox

import (
	"testing"

	"example.org/refract/internal/testing/scantest"
)

func TestMMDF(t *testing.T) { splitting(MMDF(0)).Split(t, mmdfTexts) }

// Splitting takes time linear in the input, and covers all of it.
func TestMMDFHostile(t *testing.T) {
	scantest.Long(t, "measures time")
	splitting(MMDF(0)).Linear(t, "\x01", "\x01\x01\x01\x01\n", "\x01\x01\x01\x01", "\n\x01\x01\x01", "x")
}

func FuzzMMDF(f *testing.F) { splitting(MMDF(0)).Fuzz(f, mmdfTexts) }

var mmdfTexts = []string{
	"¹¹¹¹\n⟦a: b\n\nx\n⟧¹¹¹¹\n",
	"¹¹¹¹\n⟦a: b\n⟧¹¹¹¹\n‖¹¹¹¹\n⟦c: d\n⟧¹¹¹¹\n",
	"¹¹¹¹\n⟦a: b\n⟧‖¹¹¹¹\n⟦c: d\n⟧¹¹¹¹", // one delimiter between
	"¹¹¹¹\r\n⟦a: b\r\n⟧¹¹¹¹\r\n‖¹¹¹¹\r\n⟦c: d\r\n⟧¹¹¹¹\r\n",
	"¹¹¹¹\nFrom x y\n⟦a: b\n⟧¹¹¹¹\n",            // as Python writes
	"¹¹¹¹\n⟦a: b\n\n¹¹¹¹x\n ¹¹¹¹\n¹¹¹\n⟧¹¹¹¹\n", // text
	"¹¹¹¹\n⟦a: b⟧", // cut off
	"¹¹¹¹\n⟦⟧¹¹¹¹\n‖¹¹¹¹\n⟦x⟧",
}
