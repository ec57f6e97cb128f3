// Package each does something with each of many items, several at a time.
package each

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
)

// Do calls do with each of items, up to jobs at a time. Items are taken in their order. Do stops early if ctx ends.
func Do[T any](ctx context.Context, jobs int, items []T, do func(T)) {
	With(ctx, jobs, items, func() func(T) { return do })
}

// With is Do with a function for each goroutine, which worker returns: only one goroutine uses its data.
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

// InOrder calls take with the results of do for each of items, in their order and from its own goroutine.
// Up to jobs goroutines call do, each its own one, which worker returns. At most ahead results wait for
// those before them. items is iterated in another goroutine. If take returns an error, InOrder returns it
// once all goroutines have ended.
func InOrder[T, R any](jobs, ahead int, items iter.Seq[T], worker func() func(T) R, take func(R) error) error {
	type task struct {
		item   T
		result chan R
	}
	queue, work := make(chan task, ahead), make(chan task, ahead) // the same tasks, for take and for the workers
	stop := make(chan struct{})
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(stop)
	for range max(1, jobs) {
		workers.Go(func() {
			do := worker()
			for t := range work {
				t.result <- do(t.item)
			}
		})
	}
	workers.Go(func() {
		defer close(work)
		defer close(queue)
		for item := range items {
			t := task{item, make(chan R, 1)}
			select {
			case queue <- t:
				work <- t
			case <-stop:
				return
			}
		}
	})
	for t := range queue {
		if err := take(<-t.result); err != nil {
			return err
		}
	}
	return nil
}
