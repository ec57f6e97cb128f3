package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/distinct"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
	"example.org/refract/resolve"
)

const (
	// Files of at most smallFile bytes are read by the workers, in groups of at
	// least groupSize bytes or groupFiles files; larger ones are cut into pieces.
	smallFile  = 256 << 10
	groupSize  = 1 << 20
	groupFiles = 512
)

// A finder is one run of the command: what the flags say.
type finder struct {
	stdout, stderr io.Writer

	cfg       extract.Config
	files     input.Options
	filter    filter
	jobs      int
	from      string      // file of the names of inputs, a line each; "-" is standard input
	span      string      // range of the only input; "": all of it
	resume    *checkpoint // nil: an interrupted run is lost
	output    string
	temp      string // its name until it is complete
	written   os.FileInfo
	unique    bool
	count     string // "url", "host" or "domain": how many there are of each
	set       *distinct.Set
	canonical *resolve.Key // URLs get this key beside them; nil: they do not
	quiet     bool
	strict    bool
	explains  bool // say what decided
	fileBase  bool

	format     format
	numbered   bool
	terminator byte
	terminal   bool // output goes to a terminal
	unresolved bool
	noFragment bool
	redact     bool

	progress *progress
	listless atomic.Bool // --files-from could not be read
}

// A job is what one worker does at a time: a piece of a large input, a group of
// small files, or an error to be reported in its place.
type job struct {
	name  string
	piece *extract.Batch
	after *job // of the piece before, in the same input
	group []input.File
	err   error

	bytes int64
	ends  mark  // with it, all inputs up to there have been put out; or nothing is known
	fatal error // nothing follows
	page  page
	done  chan struct{}
}

// run finds the references of args and puts them out. Output and messages are in
// the order of the inputs, whatever the number of jobs.
func (f *finder) run(args []string) error {
	var (
		out    io.Writer
		commit func() error
		err    error
		total  page
	)
	if f.resume != nil {
		f.resume.restore(&total)
		out, commit = f.resume.out, func() error { return f.resume.commit(f.output, &total) }
	} else if out, commit, err = f.open(); err != nil {
		return err
	}
	defer f.interruptible()()
	if file, ok := out.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			f.written = info
		}
	}
	w := bufio.NewWriterSize(out, 64<<10)
	f.terminal = f.output == "" && isTerminal(f.stdout)
	if !f.quiet && !f.terminal && isTerminal(f.stderr) {
		f.progress = newProgress(f.stderr)
	}
	if f.set != nil {
		defer f.set.Close()
		// What is held has no pointers, and is looked through in no time: to let garbage
		// grow by as much again would make twice of --memory.
		defer debug.SetGCPercent(debug.SetGCPercent(20))
	}
	if f.format == formatCSV && (f.resume == nil || f.resume.state.Offset == 0) {
		w.WriteString(f.csvHeader())
	}
	finish := func(j *job) error { return f.finish(w, j, &total) }
	if f.jobs == 1 {
		err = f.produce(args, func(j *job) error {
			if j.piece != nil {
				j.piece.Follow(j.before())
			}
			f.do(j)
			return finish(j)
		})
	} else {
		err = f.parallel(args, finish)
	}
	f.progress.finish()
	if err == nil && f.set != nil {
		err = f.set.Finish(func(record []byte, n uint64) error {
			if f.count != "" {
				record = f.counted(record, n)
			}
			_, err := w.Write(record)
			return err
		})
	}
	if err == nil && f.format == formatJSON {
		_, err = w.Write(summary(&total))
	}
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = commit()
	}
	if err != nil {
		f.discard()
		return err
	}
	return f.ended(&total)
}

// ended reports what has been counted, and returns the exit status.
func (f *finder) ended(total *page) error {
	f.report(total)
	switch {
	case total.errors > 0 && f.from != "" && !f.listless.Load():
		// Whoever calls a worker by a pipe would stop for a status.
		fmt.Fprintf(f.stderr, "refract: %s could not be read\n", count(total.errors, "input"))
	case total.errors > 0:
		return status(exitFailed)
	case f.strict && total.notes > 0:
		return status(exitFindings)
	}
	return nil
}

// outs holds the memory of pages that have been written.
var outs = sync.Pool{New: func() any { return new([]byte) }}

// before returns the piece in front of j's.
func (j *job) before() *extract.Batch {
	if j.after == nil {
		return nil
	}
	return j.after.piece
}

// parallel works on f.jobs jobs at a time and finishes them in order.
func (f *finder) parallel(args []string, finish func(*job) error) error {
	queue := make(chan *job, 2*f.jobs) // in order; bounds what is held in memory
	work := make(chan *job)
	stop := make(chan struct{})
	var workers sync.WaitGroup
	for range f.jobs {
		workers.Go(func() {
			for j := range work {
				f.do(j)
				close(j.done)
			}
		})
	}
	go func() {
		defer close(queue)
		defer close(work)
		f.produce(args, func(j *job) error {
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
			j.page = page{}
			f.do(j)
		}
		if err = finish(j); err != nil {
			close(stop)
		}
	}
	workers.Wait()
	return err
}

// produce makes the jobs that args stand for, in order. It stops when emit fails.
func (f *finder) produce(args []string, emit func(*job) error) error {
	group := new(job)
	flush := func() error {
		if len(group.group) == 0 {
			return nil
		}
		j := group
		group = new(job)
		return emit(j)
	}
	var at mark
	for file, err := range f.inputs(args) {
		if err == nil && f.isOutput(file) {
			if !file.Named {
				continue
			}
			err = fmt.Errorf("input %q is also the output", file.Name)
		}
		if f.resume != nil && err == nil && !file.Named && f.resume.isOwn(file, f.output) {
			continue
		}
		if f.resume != nil {
			at = at.next(file, err)
			if done := f.resume.resume; at.Inputs <= done.Inputs {
				if at.Inputs == done.Inputs && at != done {
					return emit(&job{fatal: fmt.Errorf("--checkpoint: the inputs have changed since: remove %q to begin anew", f.resume.file)})
				}
				continue
			}
		}
		if err == nil {
			if size, ok := small(file); ok {
				group.group = append(group.group, file)
				group.ends = at
				if group.bytes += size; group.bytes >= groupSize || len(group.group) == groupFiles || f.from != "" {
					err = flush()
				}
				if err != nil {
					return err
				}
				continue
			}
		}
		if err := flush(); err != nil {
			return err
		}
		if err == nil {
			err = f.pieces(file, emit)
		} else {
			err = emit(&job{name: file.Name, err: err})
		}
		if err == nil && f.resume != nil {
			err = emit(&job{ends: at})
		}
		if err != nil {
			return err
		}
	}
	if f.resume != nil && at.Inputs < f.resume.resume.Inputs {
		return emit(&job{fatal: fmt.Errorf("--checkpoint: inputs are gone since: remove %q to begin anew", f.resume.file)})
	}
	return flush()
}

// maxName is the length in bytes of a line of --files-from.
const maxName = 64 << 10

// inputs yields what args stand for, or the lines of --files-from.
func (f *finder) inputs(args []string) iter.Seq2[input.File, error] {
	if f.span != "" {
		return func(yield func(input.File, error) bool) {
			yield(input.File{Name: args[0], Path: args[0], Named: true, Range: f.span}, nil)
		}
	}
	if f.from == "" {
		return f.files.Files(args)
	}
	return func(yield func(input.File, error) bool) {
		list := io.Reader(os.Stdin)
		if f.from != "-" {
			file, err := os.Open(f.from)
			if err != nil {
				f.listless.Store(true)
				yield(input.File{Name: f.from, Path: f.from}, fmt.Errorf("--files-from %q: %w", f.from, causeOf(err)))
				return
			}
			defer file.Close()
			list = file
		}
		in := bufio.NewReaderSize(list, maxName)
		for {
			text, err := in.ReadSlice('\n')
			line := string(text)
			if err == bufio.ErrBufferFull {
				for err == bufio.ErrBufferFull {
					_, err = in.ReadSlice('\n')
				}
				if !yield(input.File{Name: "--files-from"}, fmt.Errorf("--files-from: a line of more than %d bytes, which begins with %q, is no name", maxName, line[:40])) {
					return
				}
				line = ""
			}
			if name := strings.TrimRight(line, "\r\n"); name == "-" {
				if !yield(input.File{Name: name, Path: name}, errors.New("--files-from: \"-\" is no file")) {
					return
				}
			} else if rest, ok := strings.CutPrefix(name, "{"); ok && strings.HasPrefix(strings.TrimSpace(rest), `"`) {
				if !f.listed(name, yield) {
					return
				}
			} else if name != "" {
				for file, err := range f.files.Files([]string{name}) {
					if !yield(file, err) {
						return
					}
				}
			}
			if err == io.EOF {
				return
			} else if err != nil {
				f.listless.Store(true)
				yield(input.File{Name: f.from, Path: f.from}, fmt.Errorf("--files-from %q: %w", f.from, err))
				return
			}
		}
	}
}

// isOutput reports whether the file is what is being written: to read that too might
// never end.
func (f *finder) isOutput(file input.File) bool {
	if f.written == nil || file.Name == "-" {
		return false
	}
	info, err := os.Stat(file.Path)
	return err == nil && os.SameFile(info, f.written)
}

// small reports whether the file is one to be read by a worker, and its size.
func small(file input.File) (int64, bool) {
	if file.Name == "-" || input.Inner(file.Path) != file.Path || file.Range != "" {
		return 0, false
	}
	info, err := os.Stat(file.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > smallFile {
		return 0, false
	}
	return info.Size(), true
}

// pieces makes the jobs of one large file.
func (f *finder) pieces(file input.File, emit func(*job) error) error {
	cfg := f.config(file)
	r, err := io.ReadCloser(nil), error(nil)
	if file.Range == "" {
		r, err = input.OpenAhead(file.Path, f.jobs)
	} else if r, cfg, err = f.section(file); r == nil && err == nil {
		return nil
	}
	if err != nil {
		return emit(&job{name: file.Name, err: named(file, err)})
	}
	defer r.Close()
	var last *job
	for b, err := range cfg.Batches(input.Inner(file.Name), r) {
		j := &job{name: file.Name, piece: b, after: last, err: named(file, err)}
		if b != nil {
			j.bytes = b.Size()
			last = j
		}
		if err := emit(j); err != nil {
			return err
		}
	}
	return nil
}

// config is the Config for one file.
func (f *finder) config(file input.File) *extract.Config {
	cfg := f.cfg
	cfg.SkipBinary = !file.Named
	if cfg.Type == "" {
		cfg.Type = file.Type
	}
	if file.URL != "" {
		cfg.Retrieved = base.Source{URI: file.URL, From: "--files-from"}
		cfg.Cite = cfg.Cite || strings.Contains(file.URL, "{message-id}")
	}
	if f.fileBase && file.Name != "-" {
		cfg.Retrieved = base.Source{URI: fileURL(file.Path), From: "--file-base"}
	}
	return &cfg
}

// fileURL is the file: URL of a path (RFC 8089).
func fileURL(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/x
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// do finds the references of j and renders them.
func (f *finder) do(j *job) {
	j.page.out = (*outs.Get().(*[]byte))[:0]
	if f.set != nil {
		j.page.keys = (*outs.Get().(*[]byte))[:0]
	}
	switch {
	case j.err != nil:
		f.fail(&j.page, j.name, j.err)
	case j.piece != nil:
		f.render(&j.page, j.name, j.piece)
	default:
		for _, file := range j.group {
			f.file(&j.page, file)
		}
	}
}

// file renders a small file.
func (f *finder) file(p *page, file input.File) {
	r, err := input.Open(file.Path)
	if err != nil {
		f.fail(p, file.Name, named(file, err))
		return
	}
	defer r.Close()
	var last *extract.Batch
	for b, err := range f.config(file).Batches(input.Inner(file.Name), r) {
		if err != nil {
			f.fail(p, file.Name, named(file, err))
			return
		}
		b.Follow(last)
		f.render(p, file.Name, b)
		b.Release()
		last = b
	}
}

// finish puts out what j has found.
func (f *finder) finish(w *bufio.Writer, j *job, total *page) error {
	if j.fatal != nil {
		return j.fatal
	}
	total.add(&j.page)
	if len(j.page.messages) > 0 {
		f.progress.clear()
		f.stderr.Write(j.page.messages)
	}
	err := f.write(w, &j.page)
	if j.piece != nil {
		j.piece.Release()
	}
	out, keys := j.page.out, j.page.keys
	if outs.Put(&out); keys != nil {
		outs.Put(&keys)
	}
	j.page, j.after = page{}, nil
	f.progress.add(j.bytes)
	if err == nil && f.resume != nil {
		err = f.resume.reached(j.ends, w, total)
	}
	if err == nil && f.from != "" {
		err = w.Flush() // whoever gives the next name may wait for it
	}
	return err
}

// write writes a page, with --unique without the URLs that were written before.
func (f *finder) write(w io.Writer, p *page) error {
	if f.set == nil {
		_, err := w.Write(p.out)
		return err
	}
	start, key := 0, 0
	for _, line := range p.lines {
		text := p.out[start:line.end]
		start = line.end
		if line.key >= 0 {
			fresh, err := f.set.Add(p.keys[key:line.key], text)
			if key = line.key; err != nil {
				return fmt.Errorf("--%s: %w", f.setName(), err)
			} else if !fresh {
				continue
			}
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) setName() string {
	if f.count != "" {
		return "count"
	}
	return "unique"
}

// report says on standard error what was left out.
func (f *finder) report(total *page) {
	if total.unresolved == 0 || f.unresolved || f.quiet || f.format == formatJSON {
		return
	}
	fmt.Fprintf(f.stderr, "refract: %s without a base left out: give one with --base, --url or --file-base, or print them with --unresolved\n",
		count(total.unresolved, "relative reference"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// interruptible removes a half-written output when the run is interrupted, until stop.
func (f *finder) interruptible() (stop func()) {
	temp := f.temp
	if temp == "" {
		return func() {}
	}
	return onInterrupt(func() { os.Remove(temp) })
}

// onInterrupt undoes what a run leaves behind when it is interrupted, until stop.
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

// open opens the output. commit completes it: a regular file appears under its name
// then, and only then. What is there and no regular file (a device, a pipe) is
// written to as it is.
func (f *finder) open() (out io.Writer, commit func() error, err error) {
	if f.output == "" {
		return f.stdout, func() error { return nil }, nil
	}
	fail := func(err error) error { return fmt.Errorf("output %q: %w", f.output, err) }
	name, err := filepath.EvalSymlinks(f.output)
	if err != nil {
		name = f.output // new, or a link that leads nowhere
	}
	mode := os.FileMode(0o666) // less the umask
	if info, err := os.Stat(name); err == nil {
		if mode = info.Mode().Perm(); !info.Mode().IsRegular() {
			file, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return nil, nil, fail(errors.Unwrap(err))
			}
			return file, file.Close, nil
		}
	}
	// In a container the number of the process is that of the last one, which may have been killed.
	temp, err := os.OpenFile(fmt.Sprintf("%s.%d.part", name, rand.Uint64()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return nil, nil, fail(errors.Unwrap(err))
	}
	f.temp = temp.Name()
	return temp, func() error {
		err := temp.Close()
		if err == nil {
			err = os.Rename(temp.Name(), name)
		}
		if err != nil {
			return fail(err)
		}
		f.temp = ""
		return nil
	}, nil
}

// discard removes what open has begun and commit has not completed.
func (f *finder) discard() {
	if f.temp != "" {
		os.Remove(f.temp)
	}
}
