package main

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"runtime/debug"
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

	outputInfo os.FileInfo // nil unless the output is a regular file
	replaced   os.FileInfo // the file that --output will replace; nil: it is new
	progress   *progress   // nil shows nothing
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
	s.identifyOutput(out)
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
		return c, func() error { return c.commit(total) }, nil
	}
	file, err := atomicfile.Create(s.output, s.stdout, replaceable(s.output))
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
	return extract.Parallel(s.jobs, s.tasks(args),
		func(t *extract.Task[*job]) { s.do(t.Value) },
		func(t *extract.Task[*job]) error { return s.finish(w, t.Value, total) })
}

// tasks yields the jobs that args stand for, in order.
func (s *search) tasks(args []string) iter.Seq[*extract.Task[*job]] {
	return func(yield func(*extract.Task[*job]) bool) {
		s.produce(args, func(j *job) error {
			if !yield(&extract.Task[*job]{Batch: j.piece, Value: j}) {
				return io.ErrClosedPipe
			}
			return nil
		})
	}
}

// writeEnd writes what follows the blocks of all jobs.
func (s *search) writeEnd(w *bufio.Writer, total *counts) error {
	if s.distinct != nil {
		err := s.distinct.Finish(func(record []byte, n uint64) error {
			if s.renderer.count != "" {
				record = s.renderer.countLine(record, n)
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
		s.fail(b, file.Name, withName(file, err))
		return
	}
	defer r.Close()
	for piece, err := range s.config(file).Batches(input.Inner(file.Name), r) {
		if err != nil {
			s.fail(b, file.Name, withName(file, err))
			return
		}
		s.scan(b, file.Name, piece)
		piece.Release()
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
		s.renderer.reference(b, name, r, s.renderer.printable(url))
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
	j.block.release()
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
