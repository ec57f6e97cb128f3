package audit_test

import (
	"testing"

	"example.org/refract/internal/testing/audittest"
)

// Audits of the trees in testdata, and of variations of them, say what they said.
func TestPinned(t *testing.T) {
	audittest.Pinned(t, audittest.ReadTrees(t, "testdata"), "testdata/pinned.tsv",
		".", "built", "doc", "judge", "lead", "publish", "spell", "survey", "tree", "witness", "../site", "../site/handed", "../site/source", "../site/web", "../conf", "../literal")
}
