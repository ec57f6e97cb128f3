package audit_test

import (
	"testing"

	"example.org/refract/internal/audittest"
	"example.org/refract/internal/scantest"
)

// Time is linear for documents that repeat what is in the documents of all trees in testdata, right and wrong: what takes time
// for each reference must not take more in a longer document.
func TestLinearTrees(t *testing.T) {
	audittest.Linear(t, audittest.ReadTrees(t, "testdata"), scantest.Amount(2, 40))
}
