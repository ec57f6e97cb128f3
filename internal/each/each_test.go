package each

import (
	"context"
	"slices"
	"sync"
	"testing"
)

func TestWith(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i
	}
	for _, jobs := range []int{0, 1, 3, 2000} {
		var mu sync.Mutex
		var done []int
		workers := 0
		With(t.Context(), jobs, items, func() func(int) {
			mu.Lock()
			defer mu.Unlock()
			workers++
			return func(i int) {
				mu.Lock()
				defer mu.Unlock()
				done = append(done, i)
			}
		})
		slices.Sort(done)
		if want := min(max(jobs, 1), len(items)); !slices.Equal(done, items) || workers != want {
			t.Errorf("%d jobs: %d of %d items, by %d workers, want %d", jobs, len(done), len(items), workers, want)
		}
	}
}

func TestDoStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	Do(ctx, 1, make([]struct{}, 100), func(struct{}) {
		if n++; n == 3 {
			cancel()
		}
	})
	if n != 3 {
		t.Errorf("%d items after the context has ended, want 3", n)
	}
}
