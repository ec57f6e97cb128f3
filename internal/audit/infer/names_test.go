package infer

import (
	"testing"

	"example.org/refract/internal/audit/doc"
)

// TestRootOf pins from which directory a URL path points to a document by public names: those without numbers and suffixes.
func TestRootOf(t *testing.T) {
	n := nameDocument("/r", &doc.Document{Path: "/r/docs/01-guide/setup.md"}, false)
	tests := []struct {
		components []string
		root       string
		ok         bool
	}{
		{[]string{"setup"}, "/r/docs/01-guide", true},
		{[]string{"guide", "setup"}, "/r/docs", true},
		{[]string{"docs", "guide", "setup"}, "/r", true},
		{[]string{"r", "docs", "guide", "setup"}, "", false},
		{[]string{"guide"}, "", false},
		{[]string{"other", "setup"}, "", false},
	}
	for _, tt := range tests {
		if root, ok := n.rootOf("/r", tt.components); root != tt.root || ok != tt.ok {
			t.Errorf("%v: %q, %v, want %q, %v", tt.components, root, ok, tt.root, tt.ok)
		}
	}
}
