// Package each does something with each of many items, several at a time.
package each

import (
	"context"
	"sync"
	"sync/atomic"
)

// Do calls do with each of items, up to jobs at a time. Items are taken in their order. Do stops early if ctx ends.
func Do[T any](ctx context.Context, jobs int, items []T, do func(T)) {
	With(ctx, jobs, items, func() func(T) { return do })
}

// With is Do with a function for each goroutine, which worker returns: what it holds is used by one goroutine only.
func With[T any](ctx context.Context, jobs int, items []T, worker func() func(T)) {
	var workers sync.WaitGroup
	var taken atomic.Int64
	for range min(max(1, jobs), len(items)) {
		workers.Go(func() {
			do := worker()
			for ctx.Err() == nil {
				i := int(taken.Add(1)) - 1
				if i >= len(items) {
					return
				}
				do(items[i])
			}
		})
	}
	workers.Wait()
}
