package audit_test

import (
	"testing"

	"example.org/refract/internal/testing/audittest"
)

// What is wrong in a document does not depend on what else is audited.
func TestParts(t *testing.T) {
	audittest.Parts(t, audittest.ReadTrees(t, "testdata"), map[string]string{
		"copied":      "what is named is judged: here a directory of templates",
		"test-inputs": "what is named is judged: here inputs of tests",
		"vendored":    "what is named is judged: here a copy of another project",
		"editions":    "files in inputs of tests are proposed only if these are named",
	})
}
