package audit_test

import (
	"testing"

	"example.org/refract/internal/testing/audittest"
	"example.org/refract/internal/testing/scantest"
)

// Time is linear for documents that repeat what is in the documents of all trees in testdata, right and wrong: what takes time
// for each reference must not take more in a longer document. A plain run measures nothing, and audits an eighth of the trees.
func TestLinearTrees(t *testing.T) {
	all := audittest.ReadTrees(t, "testdata")
	var trees []audittest.Tree
	for i := 0; i < len(all); i += scantest.Amount(8, 1) {
		trees = append(trees, all[i])
	}
	audittest.Linear(t, trees, scantest.Amount(2, 40))
}
