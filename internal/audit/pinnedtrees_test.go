package audit_test

import (
	"testing"

	"example.org/refract/internal/testing/audittest"
)

// Audits of the trees in testdata, and of variations of them, say what they said.
func TestPinned(t *testing.T) {
	audittest.Pinned(t, audittest.ReadTrees(t, "testdata"), "testdata/pinned.tsv",
		".", "built", "doc", "judge", "lead", "publish", "spell", "infer", "tree", "buildmatch", "../site", "../site/passthrough", "../site/source", "../site/web", "../conf", "../literal")
}
