package maven_test

import (
	"testing"

	"example.org/refract/internal/audittest"
)

func TestTrees(t *testing.T) { audittest.Trees(t, "../../../audit/testdata", "maven*") }
