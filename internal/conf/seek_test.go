package conf

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

// A node is found by its line and column, unless the text ends before it.
func TestSeek(t *testing.T) {
	for _, tt := range []struct {
		line, column, offset int
		ok                   bool
	}{{1, 1, 0, true}, {1, 4, 4, true}, {2, 1, 5, true}, {3, 2, 9, true}, {3, 3, 10, true}, {3, 4, 10, false}, {4, 1, 10, false}} {
		r := yamlReader{src: []byte("äbc\nd\r\ne:")}
		r.restart()
		if ok := r.seek(&yaml.Node{Line: tt.line, Column: tt.column}); ok != tt.ok || r.offset != tt.offset {
			t.Errorf("%d:%d: %d %v, want %d %v", tt.line, tt.column, r.offset, ok, tt.offset, tt.ok)
		}
	}
}
