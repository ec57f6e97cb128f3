package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// manyLinks has references that reach from one window into the next.
func manyLinks() string {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "text <http://a/%d\n b> \"http://q/\n  %d\" http://%s,http://c\n", i, i, strings.Repeat("d", i%50))
	}
	return b.String()
}

func renderLines(out io.Writer, b *Batch) error {
	for r := range b.References() {
		if _, err := fmt.Fprintf(out, "%d:%d %s\n", r.Pos.Line, r.Pos.Column, r.URL); err != nil {
			return err
		}
	}
	return nil
}

// The output is the same for any number of jobs, and that of Walk.
func TestWalkParallel(t *testing.T) {
	text := manyLinks()
	for _, tt := range []struct{ name, src string }{
		{"x", text},
		{"x.html", "<a href='http://h/'>" + text},
		{"x.mbox", strings.Repeat("From a@b Tue Apr  1 09:28:56 1997\nA: b\n\n"+text[:2000]+"\n\n", 100)},
	} {
		for _, window := range []int{333, 10000, 0} {
			c := &Config{Lines: true, window: window}
			var want []byte
			for r, err := range c.Walk(tt.name, strings.NewReader(tt.src)) {
				if err != nil {
					t.Fatal(err)
				}
				want = fmt.Appendf(want, "%d:%d %s\n", r.Pos.Line, r.Pos.Column, r.URL)
			}
			for _, jobs := range []int{1, 2, 7} {
				var got bytes.Buffer
				if err := c.WalkParallel(&got, tt.name, strings.NewReader(tt.src), jobs, renderLines); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), want) || len(want) == 0 {
					t.Errorf("%s, window %d, %d jobs: %d bytes, want %d", tt.name, window, jobs, got.Len(), len(want))
				}
			}
		}
	}
}

var errStop = errors.New("stop")

// badReader fails after its text, badWriter after n writes.
type badReader struct{ *strings.Reader }

func (r badReader) Read(p []byte) (int, error) {
	if n, _ := r.Reader.Read(p); n > 0 {
		return n, nil
	}
	return 0, errStop
}

type badWriter struct{ n int }

func (w *badWriter) Write(p []byte) (int, error) {
	if w.n--; w.n < 0 {
		return 0, errStop
	}
	return len(p), nil
}

func TestWalkParallelErrors(t *testing.T) {
	text := manyLinks()
	for _, jobs := range []int{1, 3} {
		c := &Config{window: 1000}
		var out bytes.Buffer
		if err := c.WalkParallel(&out, "x", badReader{strings.NewReader(text)}, jobs, renderLines); err != errStop || out.Len() == 0 {
			t.Errorf("%d jobs, reader: %v after %d bytes", jobs, err, out.Len())
		}
		w := &badWriter{3}
		if err := c.WalkParallel(w, "x", strings.NewReader(text), jobs, renderLines); err != errStop || w.n != -1 {
			t.Errorf("%d jobs, writer: %v, %d", jobs, err, w.n)
		}
	}
}

// Tasks without a Batch are worked on too, in order, and no more once finish fails.
func TestParallel(t *testing.T) {
	for _, jobs := range []int{0, 1, 4} {
		var done atomic.Int64
		tasks := func(yield func(*Task[int]) bool) {
			for i := range 1000 {
				if !yield(&Task[int]{Value: i}) {
					return
				}
			}
		}
		do := func(task *Task[int], emit func(int) bool) {
			done.Add(1)
			for i := range 50 { // more pages than may wait
				emit(50*task.Value + i)
			}
			task.Value *= 2
		}
		next, page := 0, 0
		write := func(task *Task[int], p int) error {
			if p != page {
				t.Fatalf("%d jobs: page %d, want %d", jobs, p, page)
			}
			page++
			return nil
		}
		finish := func(task *Task[int]) error {
			if task.Value != next || page != 25*next+50 {
				t.Fatalf("%d jobs: finished %d after page %d, want %d", jobs, task.Value, page, next)
			}
			next += 2
			return nil
		}
		if err := Parallel(jobs, tasks, do, write, finish); err != nil || next != 2000 || done.Load() != 1000 {
			t.Errorf("%d jobs: %v, %d, %d", jobs, err, next, done.Load())
		}
		n := 0
		fail := func(*Task[int]) error {
			n++
			if n == 10 {
				return errStop
			}
			return nil
		}
		err := Parallel(jobs, tasks, do, func(*Task[int], int) error { return nil }, fail)
		if err != errStop || n != 10 || done.Load() > 1100 {
			t.Errorf("%d jobs: %v after %d, %d were done", jobs, err, n, done.Load())
		}
		n = 0
		err = Parallel(jobs, tasks, do, func(task *Task[int], _ int) error { return fail(task) }, func(*Task[int]) error { return nil })
		if err != errStop || n != 10 {
			t.Errorf("%d jobs: write fails: %v after %d", jobs, err, n)
		}
	}
}

// Two tasks are worked on at the same time with two jobs.
func TestTwoJobs(t *testing.T) {
	tasks := func(yield func(*Task[int]) bool) { _ = yield(&Task[int]{}) && yield(&Task[int]{Value: 1}) }
	isSecond := make(chan bool, 1)
	do := func(task *Task[int], _ func(int) bool) {
		if task.Value == 1 {
			isSecond <- true
			return
		}
		select {
		case <-isSecond:
		case <-time.After(10 * time.Second):
			t.Error("the second task waits for the first one")
		}
	}
	if err := Parallel(2, tasks, do, func(*Task[int], int) error { return nil }, func(*Task[int]) error { return nil }); err != nil {
		t.Error(err)
	}
}

// redo reports whether b, walked in advance, has to be walked again because the end of prev reaches
// into it. b then follows prev.
func (b *Batch) redo(prev *window) bool {
	if b.reaches(prev) {
		b.followAgain(prev)
		return true
	}
	b.settle(prev)
	return false
}
