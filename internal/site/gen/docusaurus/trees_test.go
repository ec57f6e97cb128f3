package docusaurus_test

import (
	"testing"

	"example.org/refract/internal/audittest"
)

func TestTrees(t *testing.T) {
	audittest.Trees(t, "../../../audit/testdata", "docusaurus*", "nav-docusaurus", "moved-docusaurus", "templates-docusaurus")
}
