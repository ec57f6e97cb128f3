package rewritecmd

import (
	"slices"
	"testing"
)

// Keys that are no URLs are no values of --canonical.
func TestRewritable(t *testing.T) {
	names := rewritable()
	for name, want := range map[string]bool{"surt": false, "cdx": false, "surt-full": true, "w3lib": true, "normal": true} {
		if slices.Contains(names, name) != want {
			t.Errorf("%s is one of %q: %v", name, names, !want)
		}
	}
}
