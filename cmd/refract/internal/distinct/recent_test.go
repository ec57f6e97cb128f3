package distinct

import (
	"fmt"
	"strings"
	"testing"
)

// A Recent never knows a key that was not added since it was cleared, and knows the last one.
func TestRecent(t *testing.T) {
	var r Recent
	if r.Has([]byte("a")) || r.Has(nil) {
		t.Error("an empty one knows a key")
	}
	added := map[string]bool{}
	known := 0
	for i := range 200_000 {
		key := fmt.Sprint("https://example.org/", i*i%70_000, strings.Repeat("x", i%50))
		if r.Has([]byte(key)) {
			known++
			if !added[key] {
				t.Fatalf("knows %q", key)
			}
		}
		added[key] = true
		r.Add([]byte(key))
		if !r.Has([]byte(key)) {
			t.Fatalf("does not know %q", key)
		}
	}
	if known == 0 {
		t.Error("knows no repeated key")
	}
	if cap(r.slots)*16 != RecentMemory {
		t.Error("another amount of memory")
	}
	r.Add([]byte("a"))
	r.Clear()
	if r.Has([]byte("a")) {
		t.Error("knows a key after Clear")
	}
}
