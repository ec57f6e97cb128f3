package extract

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract/internal/escape"
	"example.org/refract/extract/internal/filemap"
	"example.org/refract/extract/scan"
)

// A PanicError reports a panic of the code that reads an entity: of a Format or Container, or of this
// module. The rest of the document, message or record is lost; the messages or records after it, and other
// inputs, are read as usual.
type PanicError struct {
	Entity *Entity  // the innermost one that was being read
	Pos    Position // of the last thing found in the document, message or record; only Offset is set
	Value  any      // value of the panic
	Where  string   // the function that panicked: "message.(*Scanner).encodedWords (message.go:512)"
	Stack  []byte   // as of debug.Stack
}

// Error names the entity, unless it is an input, and describes the panic.
func (e *PanicError) Error() string {
	where := ""
	if member := e.Entity.member(); member != "" {
		where = fmt.Sprintf("member %q: ", member)
	}
	if path := e.Entity.Path(); path != "" {
		where += "part " + path + ": "
	}
	return fmt.Sprintf("internal error: %sat byte %d: %s", where, e.Pos.Offset, e.text())
}

func (e *PanicError) text() string { return fmt.Sprintf("%v, in %s", e.Value, e.Where) }

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// newPanicError returns the error for a recovered panic.
func newPanicError(entity *Entity, offset int64, value any) *PanicError {
	e := &PanicError{Entity: entity, Value: value, Where: "an unknown function", Stack: debug.Stack()}
	e.Pos.Offset = offset
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for panicked := false; ; {
		f, more := frames.Next()
		isRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicked && !isRuntime {
			e.Where = fmt.Sprintf("%s (%s:%d)", f.Function[strings.LastIndexByte(f.Function, '/')+1:], f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
			return e
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return e
		}
	}
}

// entityState is the state of the walker that a panic in an entity may leave changed.
type entityState struct {
	entity   *Entity
	base     base.Base
	own      base.Base
	query    *escape.Query
	labels   scan.Labels
	autolink bool
	bases    int
	frames   int
	mappings int
	decoded  int
}

func (w *walker) state() entityState {
	return entityState{w.ref.Entity, w.ref.Base, w.own, w.query, w.labels, w.autolink, len(w.bases), len(w.frames), len(w.mappings), len(w.decoded)}
}

func (w *walker) restore(s entityState) {
	w.ref.Entity, w.ref.Base, w.own, w.query, w.labels, w.autolink = s.entity, s.base, s.own, s.query, s.labels, s.autolink
	w.bases, w.frames = w.bases[:min(s.bases, len(w.bases))], w.frames[:min(s.frames, len(w.frames))]
	w.mappings, w.decoded = w.mappings[:min(s.mappings, len(w.mappings))], w.decoded[:min(s.decoded, len(w.decoded))]
	w.plain, w.readAs, w.first = nil, nil, nil // the scanner that panicked cannot be used again
}

// entity walks a document, a message, a record or a window of running text, buf[at.Start:at.End], by
// calling walk. This is the only place where a panic of a scanner is caught: it becomes a Note, and the
// walker continues after the entity. Panics in the caller's own functions are not caught. entity returns
// false to stop the walk.
func (w *walker) entity(at scan.Span, walk func() bool) (more bool) {
	tell(w, w.Begin, int64(at.End-at.Start))
	w.CountOnly, w.reached = false, -1
	state, ended := w.state(), false
	defer func() {
		if ended || w.calling {
			return
		}
		if v := recover(); v != nil {
			more = w.recovered(state, at, v)
		}
	}()
	more = walk()
	ended = true
	return more
}

// recovered reports a panic, and returns false to stop the walk.
func (w *walker) recovered(state entityState, at scan.Span, value any) bool {
	innermost := w.ref.Entity
	w.restore(state)
	if w.region.IsFault(value) {
		return w.unreadable(at)
	}
	offset := w.reached
	if offset < 0 {
		w.mappings = w.mappings[:0]
		offset = w.offset(scan.Span{Start: at.Start, End: at.Start})
	}
	err := newPanicError(innermost, offset, value)
	if w.err == nil {
		w.err = err
	}
	if w.stopped {
		return false
	}
	tell(w, w.Note, &Note{Entity: innermost, Pos: err.Pos, Code: scan.CodeInternal, Text: err.text()})
	return true
}

// unreadable reports that buf is no longer in its file, and returns false to stop the walk.
func (w *walker) unreadable(at scan.Span) bool {
	err := w.region.Fault()
	if err == io.EOF || w.stopped {
		return false
	}
	w.lost = err
	w.note(Position{Offset: w.Batch.pos + int64(at.Start)}, scan.CodeDamaged, filemap.ErrShorter.Error())
	return false
}
