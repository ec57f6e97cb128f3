package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"

	"example.org/refract/cmd/refract/internal/atomicfile"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
)

// A search is one run of the command without a subcommand: it finds the references of the
// inputs, and writes what the renderer makes of them.
type search struct {
	stdout, stderr io.Writer

	cfg        extract.Config
	inputs     inputs
	filter     filter
	renderer   renderer
	jobs       int
	output     string        // --output; "" is stdout
	checkpoint *checkpoint   // nil: an interrupted run is lost
	distinct   *distinct.Set // of --unique and --count; nil: all is written at once
	quiet      bool
	strict     bool
	fileBase   bool

	written  os.FileInfo // of the output, if it is a regular file
	progress *progress   // nil shows nothing
}

// run finds the references of args and writes them. Output and messages are in the order
// of the inputs, whatever the number of jobs.
func (s *search) run(args []string) error {
	var total counts
	out, commit, err := s.open(&total)
	if err != nil {
		return err
	}
	defer out.Discard()
	if temp := out.Temp(); temp != "" {
		defer onInterrupt(func() { os.Remove(temp) })()
	}
	if info, ok := out.Stat(); ok {
		s.written = info
	}
	s.renderer.terminal = s.output == "" && isTerminal(s.stdout)
	if !s.quiet && !s.renderer.terminal && isTerminal(s.stderr) {
		s.progress = newProgress(s.stderr)
	}
	if s.distinct != nil {
		defer s.distinct.Close()
		// What is held has no pointers, and is looked through in no time: to let garbage
		// grow by as much again would make twice of --memory.
		defer debug.SetGCPercent(debug.SetGCPercent(20))
	}
	w := bufio.NewWriterSize(out, 64<<10)
	if s.checkpoint == nil || s.checkpoint.state.Offset == 0 {
		w.Write(s.renderer.header())
	}
	if err := s.work(args, w, &total); err != nil {
		return err
	}
	if err := s.writeEnd(w, &total); err != nil {
		return err
	}
	if err := commit(); err != nil {
		return err
	}
	return s.report(&total)
}

// open opens the output. With a checkpoint, it sets total to what has been counted before.
func (s *search) open(total *counts) (out output, commit func() error, err error) {
	if c := s.checkpoint; c != nil {
		*total = c.state.Total
		return c, func() error { return c.commit(s.output, total) }, nil
	}
	file, err := atomicfile.Create(s.output, s.stdout)
	if err != nil {
		return nil, nil, err
	}
	return file, file.Commit, nil
}

// An output is what a search writes to: a file that is complete or not there, or one that
// an interrupted run leaves for the next.
type output interface {
	io.Writer
	Stat() (info os.FileInfo, isRegular bool)
	Temp() string
	Discard()
}

// work does all jobs and writes their blocks to w.
func (s *search) work(args []string, w *bufio.Writer, total *counts) error {
	defer s.progress.finish()
	finish := func(j *job) error { return s.finish(w, j, total) }
	if s.jobs > 1 {
		return s.parallel(args, finish)
	}
	return s.produce(args, func(j *job) error {
		if j.piece != nil {
			j.piece.Follow(j.before())
		}
		s.do(j)
		return finish(j)
	})
}

// writeEnd writes what follows the blocks of all jobs.
func (s *search) writeEnd(w *bufio.Writer, total *counts) error {
	if s.distinct != nil {
		err := s.distinct.Finish(func(record []byte, n uint64) error {
			if s.renderer.count != "" {
				record = s.renderer.counted(record, n)
			}
			_, err := w.Write(record)
			return err
		})
		if err != nil {
			return err
		}
	}
	if s.renderer.format == formatJSON {
		w.Write(total.appendSummary(nil))
	}
	return w.Flush()
}

// parallel works on s.jobs jobs at a time and finishes them in order.
func (s *search) parallel(args []string, finish func(*job) error) error {
	queue := make(chan *job, 2*s.jobs) // in order; bounds what is held in memory
	work := make(chan *job)
	stop := make(chan struct{})
	var workers sync.WaitGroup
	for range s.jobs {
		workers.Go(func() {
			for j := range work {
				s.do(j)
				close(j.done)
			}
		})
	}
	go func() {
		defer close(queue)
		defer close(work)
		s.produce(args, func(j *job) error {
			j.done = make(chan struct{})
			select {
			case queue <- j:
			case <-stop:
				return io.ErrClosedPipe
			}
			work <- j
			return nil
		})
	}()
	var err error
	for j := range queue {
		<-j.done
		if err != nil {
			continue
		}
		if j.piece != nil && j.after != nil && j.piece.Redo(j.before()) {
			j.block = block{}
			s.do(j)
		}
		if err = finish(j); err != nil {
			close(stop)
		}
	}
	workers.Wait()
	return err
}

// do finds the references of j and renders them.
func (s *search) do(j *job) {
	j.block = newBlock(s.distinct != nil)
	switch {
	case j.err != nil:
		s.fail(&j.block, j.name, j.err)
	case j.piece != nil:
		s.scan(&j.block, j.name, j.piece)
	default:
		for _, file := range j.group {
			s.scanFile(&j.block, file)
		}
	}
}

// scanFile renders the references of a small file.
func (s *search) scanFile(b *block, file input.File) {
	r, err := input.Open(file.Path)
	if err != nil {
		s.fail(b, file.Name, named(file, err))
		return
	}
	defer r.Close()
	var last *extract.Batch
	for piece, err := range s.config(file).Batches(input.Inner(file.Name), r) {
		if err != nil {
			s.fail(b, file.Name, named(file, err))
			return
		}
		piece.Follow(last)
		s.scan(b, file.Name, piece)
		piece.Release()
		last = piece
	}
}

// scan renders the references of piece that the filter lets through.
func (s *search) scan(b *block, name string, piece *extract.Batch) {
	if piece.First() {
		b.Inputs++
	}
	piece.Note = func(n *extract.Note) {
		b.Notes++
		s.renderer.note(b, name, n.Pos, n.Text, s.strict)
	}
	for r := range piece.References() {
		url := s.renderer.withoutFragment(r.URL)
		if !s.filter.match(r, url, s.renderer.format == formatJSON) {
			continue
		}
		b.References++
		if r.Err != nil {
			b.Unresolved++
		}
		s.renderer.reference(b, name, r, s.renderer.shown(url))
	}
	b.Skipped += piece.Skipped
}

// fail counts and reports an input that cannot be read.
func (s *search) fail(b *block, name string, err error) {
	b.Errors++
	s.renderer.failure(b, name, err)
}

// finish writes what j has found.
func (s *search) finish(w *bufio.Writer, j *job, total *counts) error {
	if j.fatal != nil {
		return j.fatal
	}
	total.add(&j.block.counts)
	if len(j.block.messages) > 0 {
		s.progress.clear()
		s.stderr.Write(j.block.messages)
	}
	err := s.write(w, &j.block)
	if j.piece != nil {
		j.piece.Release()
	}
	j.block.release()
	j.after = nil
	s.progress.add(j.bytes)
	if err == nil && s.checkpoint != nil {
		err = s.checkpoint.reached(j.ends, w, total)
	}
	if err == nil && s.inputs.list != "" {
		err = w.Flush() // whoever gives the next name may wait for it
	}
	return err
}

// write writes a block, with --unique without the records that were written before.
func (s *search) write(w io.Writer, b *block) error {
	if s.distinct == nil {
		_, err := w.Write(b.out)
		return err
	}
	flag := "unique"
	if s.renderer.count != "" {
		flag = "count"
	}
	return b.writeDistinct(w, s.distinct, flag)
}

// report says on standard error what was left out or could not be read, and returns the
// exit status.
func (s *search) report(total *counts) error {
	r := &s.renderer
	if total.Unresolved > 0 && !r.unresolved && !s.quiet && r.format != formatJSON {
		fmt.Fprintf(s.stderr, "refract: %s without a base left out: give one with --base, --url or --file-base, or print them with --unresolved\n",
			count(total.Unresolved, "relative reference"))
	}
	switch {
	case total.Errors > 0 && s.inputs.list != "" && !s.inputs.listFailed.Load():
		// Whoever calls a worker by a pipe would stop for a status.
		fmt.Fprintf(s.stderr, "refract: %s could not be read\n", count(total.Errors, "input"))
	case total.Errors > 0:
		return status(exitFailed)
	case s.strict && total.Notes > 0:
		return status(exitFindings)
	}
	return nil
}

// count returns a number and what is counted, in the plural if need be.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// onInterrupt calls undo and ends the process when the run is interrupted, until stop.
func onInterrupt(undo func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		if _, ok := <-signals; ok {
			undo()
			os.Exit(exitFailed)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
