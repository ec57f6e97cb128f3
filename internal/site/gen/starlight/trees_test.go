package starlight_test

import (
	"testing"

	"example.org/refract/internal/audittest"
)

func TestTrees(t *testing.T) {
	audittest.Trees(t, "../../../audit/testdata", "astro*", "starlight*", "moved-starlight", "nav-starlight", "templates-astro")
}
