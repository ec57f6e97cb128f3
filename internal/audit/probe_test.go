package audit_test

import (
	"testing"

	"example.org/refract/internal/testing/audittest"
	"example.org/refract/internal/testing/scantest"
)

// What a probe says is what an audit says of the document in which the broken link stands.
func TestProbes(t *testing.T) {
	audittest.Probes(t, audittest.ReadTrees(t, "testdata"), fewLinks, scantest.Amount(5, 40))
}

// What a change of a rule hides shows in the table of prices.
func TestPrices(t *testing.T) {
	audittest.Prices(t, audittest.ReadTrees(t, "testdata"), "testdata/prices.tsv")
}

// fewLinks are trees that are so small that a rule is no longer learnt if the one link is broken.
var fewLinks = []string{
	"astro-content", "groups", "learnt-names", "learnt-sections", "likely-root", "sphinx-md-names", "stray", "sveltekit", "together", "unrooted",
}
