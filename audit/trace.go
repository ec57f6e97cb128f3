package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A trace is a Tree that records what an audit asked another Tree, and what it was told. An audit depends on nothing
// else but its options. So a later audit with the same options has the same outcome if each question has the
// same answer: what exists where, what directories list, and the bytes of each file that was opened, as far as it was
// read.
type trace struct {
	Tree
	began time.Time
	off   atomic.Bool // the audit has ended

	mu      sync.Mutex
	answers map[question]reply
	files   map[string]*opened
	open    int  // files that are being read
	isVague bool // something was asked that cannot be recorded
}

// A reply is the answer to a question, and the state of a directory before it was listed.
type reply struct {
	sum   sum
	state fileState
}

// A question is a call of a method of Tree.
type question struct {
	kind byte // 'd' ReadDir, 's' Stat, 'l' Lstat, 'r' Real, 'o' an Open that failed
	name string
}

// opened is a file that was opened, and the bytes at its beginning that were read.
type opened struct {
	state fileState // when it was opened
	size  int64     // bytes that were read
	whole bool      // these are all
	sum   sum       // of these bytes
}

// A fileState changes when a file does: its size, its times and its number. Its zero value is that of an unknown
// file, which is read again instead.
type fileState struct {
	size, modified, changed int64 // times in nanoseconds since 1970
	device, number          uint64
}

// newTrace returns a trace of t.
func newTrace(t Tree) *trace {
	return &trace{Tree: t, began: time.Now(), answers: map[question]reply{}, files: map[string]*opened{}}
}

// record records an answer.
func (t *trace) record(kind byte, name string, answer sum, state fileState) {
	if t.off.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	q := question{kind, name}
	if before, ok := t.answers[q]; ok && before.sum != answer {
		t.isVague = true // the tree changes while it is read
	} else if !ok {
		t.answers[q] = reply{answer, state}
	}
}

func (t *trace) ReadDir(name string) ([]fs.DirEntry, error) {
	var state fileState
	if info, err := t.Tree.Stat(name); err == nil && info.IsDir() && !t.off.Load() {
		state = stateOf(info)
	}
	list, err := t.Tree.ReadDir(name)
	t.record('d', name, sumOfList(list, err), state)
	return list, err
}

func (t *trace) Stat(name string) (fs.FileInfo, error) {
	info, err := t.Tree.Stat(name)
	t.record('s', name, sumOfInfo(info, err), fileState{})
	return info, err
}

func (t *trace) Lstat(name string) (fs.FileInfo, error) {
	info, err := t.Tree.Lstat(name)
	t.record('l', name, sumOfInfo(info, err), fileState{})
	return info, err
}

func (t *trace) Real(name string) (string, error) {
	real, err := t.Tree.Real(name)
	t.record('r', name, sumOfText(real, err), fileState{})
	return real, err
}

func (t *trace) Open(name string) (fs.File, error) {
	f, err := t.Tree.Open(name)
	if t.off.Load() {
		return f, err
	}
	if err != nil {
		t.record('o', name, sumOfText("", err), fileState{})
		return nil, err
	}
	r := &tracedFile{File: f, trace: t, name: name, hash: sha256.New()}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		r.state = stateOf(info)
	}
	t.mu.Lock()
	t.open++
	t.isVague = t.isVague || err != nil || !info.Mode().IsRegular()
	t.mu.Unlock()
	return r, nil
}

// A tracedFile is a file of a trace.
type tracedFile struct {
	fs.File
	trace *trace
	name  string
	state fileState
	hash  hash.Hash // of the bytes read
	size  int64     // their number
	ended bool      // Read has returned io.EOF
	ahead []byte    // bytes at the beginning that ReadAt has returned
	err   error
}

func (f *tracedFile) Read(p []byte) (int, error) {
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
func (f *tracedFile) ReadAt(p []byte, off int64) (int, error) {
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

func (f *tracedFile) Close() error {
	f.trace.closed(f)
	return f.File.Close()
}

// closed records the file f. Of a file that is opened several times, the longest part counts.
func (t *trace) closed(f *tracedFile) {
	if f.trace == nil || t.off.Load() {
		return
	}
	now := &opened{state: f.state, size: f.size, whole: f.ended}
	f.hash.Sum(now.sum[:0])
	if int64(len(f.ahead)) > f.size { // what was read is the beginning of it
		now.size, now.whole, now.sum = int64(len(f.ahead)), false, sha256.Sum256(f.ahead)
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
	case before.state != now.state:
		t.isVague = true
	case now.size > before.size || now.size == before.size && now.whole:
		t.files[f.name] = now
	}
}

// end ends the recording. It returns false if the record is of no use.
func (t *trace) end() bool {
	t.off.Store(true)
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.isVague && t.open == 0
}

// racy is the time within which two changes of a file may leave it the same times: file systems count them
// in steps.
const racy = int64(2 * time.Second)

// isSame reports whether a file or directory has the state s, and had it well before a record began: its content is
// the same, too.
func (s fileState) isSame(info fs.FileInfo, began int64) bool {
	return s != fileState{} && stateOf(info) == s && max(s.modified, s.changed)+racy < began
}

// A record is a trace as a Cache keeps it.
type record struct {
	began   int64 // in nanoseconds since 1970
	answers []traced
	files   []tracedBytes
}

type traced struct {
	question
	reply
}

type tracedBytes struct {
	name string
	opened
}

// record returns what t has recorded, in byte order of names.
func (t *trace) sorted() record {
	r := record{began: t.began.UnixNano()}
	for q, reply := range t.answers {
		r.answers = append(r.answers, traced{q, reply})
	}
	for name, f := range t.files {
		r.files = append(r.files, tracedBytes{name, *f})
	}
	slices.SortFunc(r.answers, func(a, b traced) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return int(a.kind) - int(b.kind)
	})
	slices.SortFunc(r.files, func(a, b tracedBytes) int { return strings.Compare(a.name, b.name) })
	return r
}

// holds reports whether each question would be answered by t as it was. It asks up to jobs at a time.
func (r *record) holds(ctx context.Context, t Tree, jobs int) bool {
	var next atomic.Int64
	var changed atomic.Bool
	var workers sync.WaitGroup
	const step = 64
	all := int64(len(r.files) + len(r.answers))
	for range max(1, jobs) {
		workers.Go(func() {
			for !changed.Load() && ctx.Err() == nil {
				from := next.Add(step) - step
				if from >= all {
					return
				}
				for i := from; i < min(from+step, all); i++ {
					if i < int64(len(r.files)) && !r.files[i].holds(t, r.began) || i >= int64(len(r.files)) && !r.answers[i-int64(len(r.files))].holds(t, r.began) {
						changed.Store(true)
						return
					}
				}
			}
		})
	}
	workers.Wait()
	return !changed.Load() && ctx.Err() == nil
}

// holds reports whether the answer is the same. The entries of a directory change only with its times.
func (a *traced) holds(t Tree, began int64) bool {
	switch a.kind {
	case 'd':
		if info, err := t.Stat(a.name); err == nil && info.IsDir() && a.state.isSame(info, began) {
			return true
		}
		return sumOfList(t.ReadDir(a.name)) == a.sum
	case 's':
		return sumOfInfo(t.Stat(a.name)) == a.sum
	case 'l':
		return sumOfInfo(t.Lstat(a.name)) == a.sum
	case 'r':
		return sumOfText(t.Real(a.name)) == a.sum
	}
	f, err := t.Open(a.name)
	if err == nil {
		f.Close()
		return false
	}
	return sumOfText("", err) == a.sum
}

// holds reports whether a file has the bytes that it had. It reads them only if the state of the file does not tell.
func (f *tracedBytes) holds(t Tree, began int64) bool {
	info, err := t.Stat(f.name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if f.state.isSame(info, began) {
		return true
	}
	r, err := t.Open(f.name)
	if err != nil {
		return false
	}
	defer r.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(r, f.size))
	if err != nil || n != f.size || f.sum != sum(h.Sum(nil)) {
		return false
	}
	if f.whole {
		n, _ := r.Read(make([]byte, 1))
		return n == 0
	}
	return true
}

// sumOfText returns the sum of an answer that is a text or an error.
func sumOfText(text string, err error) sum {
	if err != nil {
		return sha256.Sum256([]byte("error\n" + cause(err).Error()))
	}
	return sha256.Sum256([]byte("text\n" + text))
}

// sumOfInfo returns the sum of what an audit asks of a file or directory: whether it exists, and its type.
func sumOfInfo(info fs.FileInfo, err error) sum {
	if err != nil {
		return sumOfText("", err)
	}
	return sumOfText(info.Mode().Type().String(), nil)
}

// temporary ends the names of files that a run of the command is writing. They exist only meanwhile, under names that
// are new each time.
const temporary = ".refract-part"

// sumOfList returns the sum of the listing of a directory.
func sumOfList(list []fs.DirEntry, err error) sum {
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
		b.WriteString(cause(err).Error())
	}
	return sumOfText(b.String(), nil)
}
