package extract

import (
	"io"
	"iter"
	"sync"
)

// A Task is a unit of work of Parallel.
type Task[T any] struct {
	Batch *Batch // that the task walks; nil for other work
	Value T      // of the caller: what the work needs, and its result

	prev *window // the window of text before Batch
	done chan struct{}
}

// Parallel works on up to jobs tasks at a time, and finishes them in order: what finish sees
// does not depend on the number of jobs. Batches of the same input must follow each other in
// order, without other tasks between them, as Config.Batches yields them.
//
// tasks is iterated in another goroutine, up to 2*jobs tasks ahead. do is called for each task,
// by several goroutines at once. finish is called in order, by the goroutine that called
// Parallel; then the Batch of the task is released. do may be called a second time for a
// task, before its finish, if the Batch before it turns out to end in a reference that reaches
// into it: do must then begin its result anew. When finish returns an error, tasks is stopped,
// and Parallel returns the error once all goroutines have ended.
//
// With jobs of 1 or less, everything is done by the calling goroutine, and do is called once
// for each task.
func Parallel[T any](jobs int, tasks iter.Seq[*Task[T]], do func(*Task[T]), finish func(*Task[T]) error) error {
	if jobs <= 1 {
		for t := range tasks {
			do(t)
			err := finish(t)
			t.Batch.Release()
			if err != nil {
				return err
			}
		}
		return nil
	}
	queue := make(chan *Task[T], 2*jobs) // in order; bounds what is held in memory
	work := make(chan *Task[T])
	stop := make(chan struct{})
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for t := range work {
				do(t)
				close(t.done)
			}
		})
	}
	go func() {
		defer close(queue)
		defer close(work)
		for t := range tasks {
			t.done = make(chan struct{})
			if t.Batch != nil {
				t.prev = t.Batch.detach()
			}
			select {
			case queue <- t:
			case <-stop:
				return
			}
			work <- t
		}
	}()
	var err error
	for t := range queue {
		<-t.done
		if err == nil {
			if t.Batch.redo(t.prev) {
				do(t)
			}
			err = finish(t)
			if err != nil {
				close(stop)
			}
		}
		t.Batch.Release()
	}
	workers.Wait()
	return err
}

// WalkParallel walks the input that r reads as Walk does, in up to jobs goroutines. render
// appends to dst what is to be output for a Batch: it iterates over the References, and may set
// the Batch's callbacks. It is called by several goroutines at once, and may be called twice
// for a Batch; only the last result counts. The results are written to w in order. The error
// is that of r or of w.
func (c *Config) WalkParallel(w io.Writer, name string, r io.Reader, jobs int, render func(dst []byte, b *Batch) []byte) error {
	type result struct {
		out []byte
		err error // of r
	}
	outputs := sync.Pool{New: func() any { return new([]byte) }}
	tasks := func(yield func(*Task[result]) bool) {
		for b, err := range c.Batches(name, r) {
			if !yield(&Task[result]{Batch: b, Value: result{err: err}}) {
				return
			}
		}
	}
	do := func(t *Task[result]) {
		if t.Batch != nil {
			if t.Value.out == nil {
				t.Value.out = *outputs.Get().(*[]byte)
			}
			t.Value.out = render(t.Value.out[:0], t.Batch)
		}
	}
	return Parallel(jobs, tasks, do, func(t *Task[result]) error {
		if t.Value.err != nil {
			return t.Value.err
		}
		_, err := w.Write(t.Value.out)
		outputs.Put(&t.Value.out)
		return err
	})
}
