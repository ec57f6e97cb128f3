//go:build ablate

package audit_test

import (
	"testing"

	"example.org/refract/internal/testing/audittest"
)

// Each rule of the audit matters for a tree of testdata.
func TestWorth(t *testing.T) {
	audittest.Worth(t, audittest.ReadTrees(t, "testdata"))
}
