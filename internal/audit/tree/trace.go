package tree

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.org/refract/internal/each"
	"example.org/refract/internal/order"
)

// A Sum is the SHA-256 of everything that the content of a document depends on.
type Sum [sha256.Size]byte

// A trace is a Tree that records the questions of an audit to another Tree, and the answers. An audit
// depends on nothing else but its options. So a later audit with the same options has the same outcome if
// each question has the same answer: what exists where, what directories list, and the bytes of each opened
// file, as far as they were read.
type trace struct {
	Tree
	began time.Time
	off   atomic.Bool // the audit has ended

	mu      sync.Mutex
	answers map[Question]Reply
	files   map[string]*opened
	open    int  // files that are being read
	isVague bool // something was asked that cannot be recorded
}

// A Reply is the answer to a question, and the state of a directory before it was listed.
type Reply struct {
	Sum   Sum
	State FileState
}

// A Question is a call of a method of Tree.
type Question struct {
	Kind byte // 'd' ReadDir, 's' Stat, 'l' Lstat, 'r' Real, 'k' ReadLink, 'o' an Open that failed
	Name string
}

// opened is a file that was opened, and the bytes at its beginning that were read.
type opened struct {
	State FileState // when it was opened
	Size  int64     // bytes that were read
	Whole bool      // these are all
	Sum   Sum       // of these bytes
}

// A FileState changes when a file does: its size, its times and its number. Its zero value is that of an unknown
// file, which is read again instead.
type FileState struct {
	Size, Modified, Changed int64 // times in nanoseconds since 1970
	Device, Number          uint64
}

// NewTrace returns a trace of t.
func NewTrace(t Tree) *trace {
	return &trace{Tree: t, began: time.Now(), answers: map[Question]Reply{}, files: map[string]*opened{}}
}

// record records an answer.
func (t *trace) record(kind byte, name string, answer Sum, state FileState) {
	if t.off.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	q := Question{kind, name}
	if before, ok := t.answers[q]; ok && before.Sum != answer {
		t.isVague = true // the tree changes while it is read
	} else if !ok {
		t.answers[q] = Reply{answer, state}
	}
}

func (t *trace) ReadDir(name string) ([]fs.DirEntry, error) {
	var state FileState
	if info, err := t.Tree.Stat(name); err == nil && info.IsDir() && !t.off.Load() {
		state = stateOf(name, info)
	}
	list, err := t.Tree.ReadDir(name)
	t.record('d', name, sumOfList(list, err), state)
	return list, err
}

func (t *trace) Stat(name string) (fs.FileInfo, error) {
	info, err := t.Tree.Stat(name)
	t.record('s', name, sumOfInfo(info, err), FileState{})
	return info, err
}

func (t *trace) Lstat(name string) (fs.FileInfo, error) {
	info, err := t.Tree.Lstat(name)
	t.record('l', name, sumOfInfo(info, err), FileState{})
	return info, err
}

func (t *trace) Real(name string) (string, error) {
	real, err := t.Tree.Real(name)
	t.record('r', name, sumOfText(real, err), FileState{})
	return real, err
}

// ReadLink returns the target of a symbolic link as written.
func (t *trace) ReadLink(name string) (string, error) {
	to, err := ReadLink(t.Tree, name)
	t.record('k', name, sumOfText(to, err), FileState{})
	return to, err
}

func (t *trace) Open(name string) (fs.File, error) {
	f, err := t.Tree.Open(name)
	if t.off.Load() {
		return f, err
	}
	if err != nil {
		t.record('o', name, sumOfText("", err), FileState{})
		return nil, err
	}
	r := &TracedFile{File: f, trace: t, name: name, hash: sha256.New()}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		r.state = stateOfOpen(f, info)
	}
	t.mu.Lock()
	t.open++
	t.isVague = t.isVague || err != nil || !info.Mode().IsRegular()
	t.mu.Unlock()
	return r, nil
}

// A TracedFile is a file of a trace.
type TracedFile struct {
	fs.File
	trace *trace
	name  string
	state FileState
	hash  hash.Hash // of the bytes read
	size  int64     // their number
	ended bool      // Read has returned io.EOF
	ahead []byte    // bytes at the beginning that ReadAt has returned
	err   error
}

func (f *TracedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.hash.Write(p[:n])
	f.size += int64(n)
	switch {
	case err == io.EOF:
		f.ended = true
	case err != nil:
		f.err = err
	}
	return n, err
}

// ReadAt implements [io.ReaderAt], for the first bytes of a file.
func (f *TracedFile) ReadAt(p []byte, off int64) (int, error) {
	at, ok := f.File.(io.ReaderAt)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	n, err := at.ReadAt(p, off)
	if off != 0 || err != nil && err != io.EOF {
		f.err = errors.ErrUnsupported
	} else if n > len(f.ahead) {
		f.ahead = bytes.Clone(p[:n])
	}
	return n, err
}

func (f *TracedFile) Close() error {
	f.trace.closed(f)
	return f.File.Close()
}

// closed records the file f. Of a file that is opened several times, the longest part counts.
func (t *trace) closed(f *TracedFile) {
	if f.trace == nil || t.off.Load() {
		return
	}
	now := &opened{State: f.state, Size: f.size, Whole: f.ended}
	f.hash.Sum(now.Sum[:0])
	if int64(len(f.ahead)) > f.size { // what was read is the beginning of it
		now.Size, now.Whole, now.Sum = int64(len(f.ahead)), false, sha256.Sum256(f.ahead)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open--
	if f.err != nil {
		t.isVague = true
	}
	before := t.files[f.name]
	switch {
	case before == nil:
		t.files[f.name] = now
	case before.State != now.State:
		t.isVague = true
	case now.Size > before.Size || now.Size == before.Size && now.Whole:
		t.files[f.name] = now
	}
}

// End ends the recording. It returns false if the record is useless.
func (t *trace) End() bool {
	t.off.Store(true)
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.isVague && t.open == 0
}

// racy is the time within which two changes of a file may leave it the same times: file systems count them
// in steps.
const racy = int64(2 * time.Second)

// isSame reports whether a file or directory has the state s, and had it well before a record began, so
// that its content is also the same. info is that of name.
func (s FileState) isSame(name string, info fs.FileInfo, began int64) bool {
	return s != FileState{} && max(s.Modified, s.Changed)+racy < began && stateOf(name, info) == s
}

// A Record is a trace as a Cache keeps it.
type Record struct {
	Began   int64 // in nanoseconds since 1970
	Answers []Traced
	Files   []TracedBytes
}

type Traced struct {
	Question
	Reply
}

type TracedBytes struct {
	Name string
	opened
}

// Sorted returns what t has recorded, in byte order of names.
func (t *trace) Sorted() Record {
	r := Record{Began: t.began.UnixNano()}
	for q, reply := range t.answers {
		r.Answers = append(r.Answers, Traced{q, reply})
	}
	for name, f := range t.files {
		r.Files = append(r.Files, TracedBytes{name, *f})
	}
	order.Sort(r.Answers, func(a, b Traced) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return int(a.Kind) - int(b.Kind)
	})
	order.Sort(r.Files, func(a, b TracedBytes) int { return strings.Compare(a.Name, b.Name) })
	return r
}

// Holds reports whether t would still answer each question as it did. It asks up to jobs questions at a
// time.
func (r *Record) Holds(ctx context.Context, t Tree, jobs int) bool {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	each.Do(ctx, jobs, r.Files, func(f TracedBytes) {
		if !f.holds(t, r.Began) {
			stop()
		}
	})
	each.Do(ctx, jobs, r.Answers, func(a Traced) {
		if !a.holds(t, r.Began) {
			stop()
		}
	})
	return ctx.Err() == nil
}

// holds reports whether the answer is the same. The entries of a directory change only with its times.
func (a *Traced) holds(t Tree, began int64) bool {
	switch a.Kind {
	case 'd':
		if info, err := t.Stat(a.Name); err == nil && info.IsDir() && a.State.isSame(a.Name, info, began) {
			return true
		}
		return sumOfList(t.ReadDir(a.Name)) == a.Sum
	case 's':
		return sumOfInfo(t.Stat(a.Name)) == a.Sum
	case 'l':
		return sumOfInfo(t.Lstat(a.Name)) == a.Sum
	case 'r':
		return sumOfText(t.Real(a.Name)) == a.Sum
	case 'k':
		return sumOfText(ReadLink(t, a.Name)) == a.Sum
	}
	f, err := t.Open(a.Name)
	if err == nil {
		f.Close()
		return false
	}
	return sumOfText("", err) == a.Sum
}

// holds reports whether a file has the bytes that it had. It reads them only if the state of the file does not tell.
func (f *TracedBytes) holds(t Tree, began int64) bool {
	info, err := t.Stat(f.Name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if f.State.isSame(f.Name, info, began) {
		return true
	}
	r, err := t.Open(f.Name)
	if err != nil {
		return false
	}
	defer r.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(r, f.Size))
	if err != nil || n != f.Size || f.Sum != Sum(h.Sum(nil)) {
		return false
	}
	if f.Whole {
		n, _ := r.Read(make([]byte, 1))
		return n == 0
	}
	return true
}

// sumOfText returns the sum of an answer that is a text or an error.
func sumOfText(text string, err error) Sum {
	if err != nil {
		return sha256.Sum256([]byte("error\n" + Cause(err).Error()))
	}
	return sha256.Sum256([]byte("text\n" + text))
}

// sumOfInfo returns the sum of what an audit asks of a file or directory: whether it exists, and its type.
func sumOfInfo(info fs.FileInfo, err error) Sum {
	if err != nil {
		return sumOfText("", err)
	}
	return sumOfText(info.Mode().Type().String(), nil)
}

// temporary ends the names of files that a run of the command is writing. They exist only meanwhile, under names that
// are new each time.
const temporary = ".refract-part"

// sumOfList returns the sum of the listing of a directory.
func sumOfList(list []fs.DirEntry, err error) Sum {
	var b strings.Builder
	for _, e := range list {
		if strings.HasSuffix(e.Name(), temporary) {
			continue
		}
		b.WriteString(e.Name())
		b.WriteByte(0)
		b.WriteString(e.Type().String())
		b.WriteByte('\n')
	}
	if err != nil {
		b.WriteString("error ")
		b.WriteString(Cause(err).Error())
	}
	return sumOfText(b.String(), nil)
}
