package each

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
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

// Results arrive in order, whichever is ready first, and none is computed far ahead.
func TestInOrder(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i
	}
	const ahead = 5
	ended := errors.New("ended")
	for _, jobs := range []int{0, 1, 3, 2000} {
		for _, last := range []int{0, 17, 2000} {
			var begun atomic.Int64
			var taken []int
			worker := func() func(int) int {
				return func(i int) int {
					begun.Add(1)
					return 2 * i
				}
			}
			err := InOrder(jobs, ahead, slices.Values(items), worker, func(r int) error {
				if n, most := int(begun.Load()), len(taken)+ahead+2; n > most {
					t.Errorf("%d jobs: %d begun, %d taken", jobs, n, len(taken))
				}
				taken = append(taken, r/2)
				if r/2 == last {
					return ended
				}
				return nil
			})
			if want := items[:min(last+1, len(items))]; !slices.Equal(taken, want) || (err != nil) != (last < len(items)) {
				t.Errorf("%d jobs: %d of %d items, %v", jobs, len(taken), len(want), err)
			}
		}
	}
}
