package sphinx

import (
	"strings"
	"testing"
)

func TestLabelFamily(t *testing.T) {
	f := newLabelFamily(map[string]bool{
		"topics-db-queries": true, "topics-db-models": true, "topics-db-a": true, "topics-db-b": true, "topics-db-c": true, "two-of-a": true, "two-of-b": true, "built-in-fields": true, "built-in-widgets": true,
		"context visibility": true, "install": true, "a-b": true,
	})
	for _, c := range []struct {
		name string
		want bool
	}{
		{"topics-db-sql", true},
		{"topics-auth-sql", false},
		{"two-of-c", false},
		{"built-in-funcs", false},
		{"context-visibility-of-it", true},
		{"context-visible", false},
		{"install-more-of-it", false},
		{"a-b-c", false}, // too short to tell
		{"", false},
		{strings.Repeat("topics-db-", 100), false},
	} {
		if got := f.has(c.name); got != c.want {
			t.Errorf("has(%q) = %v", c.name, got)
		}
	}
}
