package filter

import (
	"strings"
	"testing"

	"example.org/refract/resolve/risk"
)

// The topics explain every label and every part.
func TestTopics(t *testing.T) {
	for _, name := range append(risk.AnyLabel.Names(), InvalidAuthority) {
		if !strings.Contains(Topic(nil).Long, "\n  "+name+" ") {
			t.Errorf("help labels does not explain %s", name)
		}
	}
}
