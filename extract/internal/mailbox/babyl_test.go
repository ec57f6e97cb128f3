package mailbox

import (
	"testing"

	"example.org/refract/internal/testing/scantest"
)

func TestBabyl(t *testing.T) { splitting(Babyl(0)).Split(t, babylTexts) }

// Splitting takes time linear in the input, and covers all of it.
func TestBabylHostile(t *testing.T) {
	scantest.Long(t, "measures time")
	splitting(Babyl(0)).Linear(t, "\n\x1f", "\x1f\f\n", "\n\x1f\f\n", "x")
}

func FuzzBabyl(f *testing.F) { splitting(Babyl(0)).Fuzz(f, babylTexts) }

var babylTexts = []string{
	"BABYL OPTIONS:\nVersion: 5\n⟦⟧␟‖␌\n0,,\n*** EOOH ***\n⟦a: b\n\nx\n⟧␟‖␌\n0, unseen,,\n*** EOOH ***\n⟦c: d\n⟧␟",
	"BABYL OPTIONS:\n⟦⟧␟‖␌\n1,,\n⟦r: s\n\n*** EOOH ***\na: b\n\nx\n⟧␟\n", // two headers
	"BABYL OPTIONS:\n⟦⟧␟‖␌\n1,,\n*** EOOH ***\n⟦a: b\n⟧␟",                // none was kept
	"BABYL OPTIONS:\r\n⟦⟧␟‖␌\r\n0,,\r\nSummary-line: x\r\n*** EOOH ***\r\n⟦a: b\r\n⟧␟\r\n",
	"BABYL OPTIONS:\n⟦⟧␟‖␌\n0,,\n*** EOOH ***\n⟦a: b\n\nx␟\n␟ y\n⟧␟", // text
	"BABYL OPTIONS:\n⟦⟧␟‖␌\n0,,\n*** EOOH ***\n⟦a: b⟧",               // cut off
	"BABYL OPTIONS:\n⟦⟧␟‖␌\n0,,\n⟦a: b\n⟧␟",                          // no EOOH
	"BABYL OPTIONS:\n⟦⟧␟‖␌\n\n*** EOOH ***\n⟦a: b\n⟧␟",               // an empty line of labels
}
