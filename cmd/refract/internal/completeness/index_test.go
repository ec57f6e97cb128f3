package completeness

import (
	"fmt"
	"testing"

	"example.org/refract/cmd/refract/internal/distinct"
)

// An index finds what was added, in memory and in a file, and of several captures the best.
func TestIndex(t *testing.T) {
	for _, limit := range []int64{1 << 30, 1} {
		x := index{set: distinct.Set{Order: distinct.Sorted}}
		var k keyer
		const n = 3000
		for i := range n {
			url := fmt.Appendf(nil, "http://www.h.example/%d", i)
			for _, c := range []struct {
				s  state
				at int64
			}{{isError, 0}, {state(i % 3), int64(i)}, {isDamaged, 0}, {isRedirect, 1 << 40}} {
				if err := x.add(k.of(url), c.s, c.at); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := x.seal(limit); err != nil {
			t.Fatal(err)
		}
		if (x.file != nil) != (limit == 1) || x.size != n*entrySize {
			t.Errorf("limit %d: %d bytes", limit, x.size)
		}
		for i := range n {
			s, at, err := x.find(k.of(fmt.Appendf(nil, "https://h.example/%d", i)))
			want, wantAt := isRedirect, int64(1<<40)
			if i%3 == 0 {
				want, wantAt = isHere, int64(i)
			} else if i%3 == 1 {
				wantAt = int64(i)
			}
			if err != nil || s != want || at != wantAt {
				t.Fatalf("%d: %d %d %v", i, s, at, err)
			}
			if s, _, err := x.find(k.of(fmt.Appendf(nil, "http://h.example/x%d", i))); s != isMissing || err != nil {
				t.Fatalf("x%d: %d %v", i, s, err)
			}
		}
		x.close()
	}
	var empty index
	if err := empty.seal(1); err != nil {
		t.Fatal(err)
	}
	if s, _, err := empty.find(7); s != isMissing || err != nil {
		t.Error(s, err)
	}
}
