package extract

import (
	"errors"
	"io"
	"iter"
	"sync"
)

// A Task is a unit of work of Parallel.
type Task[T any] struct {
	Batch *Batch // the Batch that the task walks; nil for other work
	Value T      // the caller's data: the input of the work, and its counts
}

// pagesAhead is the number of pages of a task that may wait for the pages of earlier tasks. Together they
// must take less memory than the limits of the command leave for them.
const pagesAhead = 12

// Parallel works on up to jobs tasks at a time, and passes on their results, in pages, in the order
// of the tasks. Write and finish see the same for any number of jobs. Batches of the same input must
// follow each other in order, without other tasks between them, as Config.Batches yields them.
//
// tasks is iterated in another goroutine, up to 2*jobs tasks ahead, and less far ahead of large
// Batches. do is called for each task, by several goroutines at once. It passes each page to emit,
// which blocks while too many pages of the task wait to be written. Pages should have about the same
// size: that size times jobs bounds the memory. When emit returns false, the rest of the task is not
// needed: do must return soon.
//
// write is called for each page in order, possibly while the task is still running, and finish after
// the last page of each task; then its Batch is released. The goroutine that called Parallel calls
// both. do may be called a second time for a task, before the first of its pages is written, if the
// Batch before it turns out to end in a reference that reaches into it: do must then begin its result
// anew. When write or finish returns an error, tasks is stopped, and Parallel returns the error once
// all goroutines have ended.
//
// With jobs of 1 or less, the calling goroutine does everything, emit calls write, and do is called
// once for each task.
func Parallel[T, P any](jobs int, tasks iter.Seq[*Task[T]], do func(t *Task[T], emit func(P) bool), write func(*Task[T], P) error, finish func(*Task[T]) error) error {
	p := &parallel[T, P]{do: do, write: write, finish: finish}
	if jobs <= 1 {
		for t := range tasks {
			err := p.inline(t)
			t.Batch.Release()
			if err != nil {
				return err
			}
		}
		return nil
	}
	queue := make(chan *pending[T, P], 2*jobs) // in order; bounds what is held in memory
	work := make(chan *pending[T, P], 2*jobs)  // all of queue: a worker that has finished need not wait
	stop := make(chan struct{})
	ahead := newQuota(jobs)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for r := range work {
				do(r.task, r.emit)
				close(r.pages)
			}
		})
	}
	go func() {
		defer close(queue)
		defer close(work)
		for t := range tasks {
			r := &pending[T, P]{task: t, pages: make(chan P, pagesAhead), cancel: make(chan struct{})}
			if t.Batch != nil {
				r.prev, r.size = t.Batch.detach(), int64(cap(t.Batch.buf))
			}
			select {
			case queue <- r:
			case <-stop:
				return
			}
			work <- r
			ahead.take(r.size)
		}
	}()
	var err error
	for r := range queue {
		if err == nil {
			err = p.deliver(r)
			if err != nil {
				close(stop)
			}
		}
		r.stop()
		r.task.Batch.Release()
		ahead.give(r.size)
	}
	workers.Wait()
	return err
}

// parallel holds the functions passed to Parallel.
type parallel[T, P any] struct {
	do     func(*Task[T], func(P) bool)
	write  func(*Task[T], P) error
	finish func(*Task[T]) error
}

// inline runs t in the calling goroutine, and finishes it.
func (p *parallel[T, P]) inline(t *Task[T]) error {
	var err error
	p.do(t, func(page P) bool {
		if err == nil {
			err = p.write(t, page)
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	return p.finish(t)
}

// deliver writes the pages of r as they arrive, and finishes it.
func (p *parallel[T, P]) deliver(r *pending[T, P]) error {
	var held []P // nearly always one: little is rendered before the first Item
	ended := false
	for !ended && !r.task.Batch.begun(r.prev) {
		if page, ok := <-r.pages; ok {
			held = append(held, page)
		} else {
			ended = true
		}
	}
	if r.task.Batch.reaches(r.prev) {
		r.stop()
		r.task.Batch.followAgain(r.prev)
		return p.inline(r.task)
	}
	for _, page := range held {
		if err := p.write(r.task, page); err != nil {
			return err
		}
	}
	for page := range r.pages {
		if err := p.write(r.task, page); err != nil {
			return err
		}
	}
	r.task.Batch.settle(r.prev)
	return p.finish(r.task)
}

// A pending task has been given to the workers, and has not been finished.
type pending[T, P any] struct {
	task   *Task[T]
	prev   *window // the window of text before its Batch
	size   int64   // bytes that its Batch holds
	pages  chan P  // closed by the worker when the task is done
	cancel chan struct{}
	over   bool // cancel is closed
}

// emit passes on a page. It returns false if no more pages are needed.
func (r *pending[T, P]) emit(page P) bool {
	select {
	case <-r.cancel:
		return false
	default:
	}
	select {
	case r.pages <- page:
		return true
	case <-r.cancel:
		return false
	}
}

// stop tells the worker to stop, and returns when the worker has stopped.
func (r *pending[T, P]) stop() {
	if !r.over {
		close(r.cancel)
		r.over = true
	}
	for range r.pages {
	}
}

// A quota limits the total size of the Batches in memory: while it is exceeded, no further Batch is read.
// Large documents are then read only as earlier ones are finished.
type quota struct {
	mu      sync.Mutex
	changed sync.Cond
	jobs    int64
	held    int64
}

// batchesAhead is the number of bytes of Batches that may wait for each job.
const batchesAhead = 8 << 20

func newQuota(jobs int) *quota {
	q := &quota{jobs: int64(jobs)}
	q.changed.L = &q.mu
	return q
}

// take counts size bytes, and waits until another Batch may be read.
func (q *quota) take(size int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held += size
	for q.held > 0 && q.held >= q.jobs*max(batchesAhead, size) {
		q.changed.Wait()
	}
}

// give returns size bytes to the quota.
func (q *quota) give(size int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held -= size
	q.changed.Signal()
}

var errCanceled = errors.New("extract: no more output is wanted")

// WalkParallel walks the input that r reads as Walk does, in up to jobs goroutines. render writes the
// output for a Batch to out: it iterates over the References, and may set the Batch's callbacks. It
// should return when out returns an error. It is called by several goroutines at once, and may be
// called twice for a Batch; only the last result counts. Its output goes to w in order, in pages of
// 64 KiB, while the Batch is still being walked. WalkParallel returns the first error of r, of
// render, of w or of Batch.Err.
func (c *Config) WalkParallel(w io.Writer, name string, r io.Reader, jobs int, render func(out io.Writer, b *Batch) error) error {
	type result = error // of r, or of render
	tasks := func(yield func(*Task[result]) bool) {
		for b, err := range c.Batches(name, r) {
			if !yield(&Task[result]{Batch: b, Value: err}) {
				return
			}
		}
	}
	pages := sync.Pool{New: func() any { return new([]byte) }}
	do := func(t *Task[result], emit func(*[]byte) bool) {
		if t.Batch == nil {
			return
		}
		out := &pageWriter{pool: &pages, emit: emit}
		t.Value = render(out, t.Batch)
		if t.Value == nil {
			t.Value = t.Batch.Err()
		}
		out.flush()
	}
	write := func(_ *Task[result], page *[]byte) error {
		_, err := w.Write(*page)
		pages.Put(page)
		return err
	}
	return Parallel(jobs, tasks, do, write, func(t *Task[result]) error { return t.Value })
}

// A pageWriter cuts what is written to it into pages.
type pageWriter struct {
	pool     *sync.Pool
	page     *[]byte
	emit     func(*[]byte) bool
	canceled bool
}

const pageSize = 64 << 10

func (p *pageWriter) Write(text []byte) (int, error) {
	n := len(text)
	for len(text) > 0 && !p.canceled {
		if p.page == nil {
			p.page = p.pool.Get().(*[]byte)
			*p.page = (*p.page)[:0]
		}
		k := min(len(text), pageSize-len(*p.page))
		*p.page = append(*p.page, text[:k]...)
		text = text[k:]
		if len(*p.page) == pageSize {
			p.flush()
		}
	}
	if p.canceled {
		return n - len(text), errCanceled
	}
	return n, nil
}

func (p *pageWriter) flush() {
	if p.page != nil && !p.canceled {
		p.canceled = !p.emit(p.page)
		p.page = nil
	}
}
