package extract

import (
	"bytes"
	"runtime/debug"
	"sync/atomic"

	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
)

// A window is a piece of running text. Its references depend on where the window before it ended.
type window struct {
	prev *window // the window before, until this one follows it or is detached
	at   int     // where walking begins, in Batch.buf
	rest bool    // walking begins in a run that is too long

	first atomic.Int64 // where the first Item begins, in Batch.buf, plus 1; 0 until it is known

	// Once the window has been walked:
	next int64 // where walking ended, in the decoded text
	tail bool  // it ended in a run that is too long

	// Once the window has been walked or detached: the line at its end, and where that begins. hasLine is false if lines
	// are not counted, or if the file has become shorter.
	line      int
	lineStart int64
	hasLine   bool
}

func (t *window) walk(w *walker) {
	b := w.Batch
	t.follow(b)
	w.line, w.lineStart = b.line, b.lineStart
	t.first.Store(0)
	t.next, t.tail = b.pos+int64(b.end), false // in case the scanner panics
	if b.region != nil {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	}
	w.entity(scan.Span{Start: b.body, End: b.end}, func() bool {
		w.window = t
		s := textScanners.Get().(*plain.Scanner)
		s.Rest, s.Finder.Rules = t.rest, b.cfg.Text
		next := s.Window(b.buf, t.at, b.end, b.atEOF, w.each)
		t.next, t.tail = b.pos+int64(next), s.Rest
		textScanners.Put(s)
		return true
	})
	t.countLines(b, w.counted, w.line, w.lineStart)
}

// countLines sets the line at the end of t, the content of b, from that at an offset in b.text, unless it is set.
func (t *window) countLines(b *Batch, from, line int, start int64) {
	if t.hasLine || line == 0 {
		return
	}
	t.hasLine = b.region.guard(func() { t.line, t.lineStart = b.lineAt(from, max(from, b.written(b.end)), line, start) }) == nil
}

// setLine makes b, whose content is t, begin in the line in which the window before it ended.
func (t *window) setLine(b *Batch, prev *window) {
	if prev != nil {
		b.line, b.lineStart = prev.line, prev.lineStart
	}
}

func (t *window) cuts() []cut { return nil }

// follow makes t, the content of b, begin where the window before it ended, which has been walked.
func (t *window) follow(b *Batch) {
	if prev := t.prev; prev != nil {
		t.at, t.rest = t.start(b, prev)
		t.setLine(b, prev)
		t.prev = nil
	}
}

// start returns where t, the content of b, begins if it follows prev, and whether that is in a run
// that is too long.
func (t *window) start(b *Batch, prev *window) (at int, rest bool) {
	return max(b.body, int(prev.next-b.pos)), prev.tail
}

// detach returns the window before b, and allows b to be walked without it; nil if there is none.
func (b *Batch) detach() *window {
	t, ok := b.content.(*window)
	if !ok {
		return nil
	}
	prev := t.prev
	t.prev = nil
	t.setLine(b, prev)
	t.countLines(b, b.written(b.body), b.line, b.lineStart)
	return prev
}

// begun reports whether the beginning of the first Item of b is known, while b is walked ahead of its
// turn. prev is the detached window before b.
func (b *Batch) begun(prev *window) bool {
	return prev == nil || b.content.(*window).first.Load() > 0
}

// reaches reports whether prev, the detached window before b, ends after the beginning of the
// first Item of b, or in a run that is too long. b must have begun or been walked; if reaches returns
// true, it has to be walked again.
func (b *Batch) reaches(prev *window) bool {
	if prev == nil {
		return false
	}
	t := b.content.(*window)
	at, rest := t.start(b, prev)
	first := t.first.Load()
	return rest || first > 0 && int(first-1) < at
}

// followAgain makes b, which no goroutine is walking, start from the end of prev.
func (b *Batch) followAgain(prev *window) { b.content.(*window).prev = prev }

// settle records, for the window after b, that prev may reach over all of b. b has been walked.
func (b *Batch) settle(prev *window) {
	if prev != nil {
		t := b.content.(*window)
		at, _ := t.start(b, prev)
		t.next = max(t.next, b.pos+int64(at))
	}
}

// windows cuts the text that s reads into pieces of running text, of which b is the first; buf
// already holds n bytes of it. It returns the piece after the last one, and the error at which s
// ended; ok is false if yield returned false.
func (c *Config) windows(b *Batch, s *stream, buf []byte, n int, err error, yield func(*Batch, error) bool) (after *Batch, _ error, ok bool) {
	var prev *window
	var file *fileMap
	if c.MapFiles && err == nil && len(s.layers) == 0 {
		file = newFileMap(s.r)
		defer func() { file.close() }()
	}
	read := func() { // the rest of buf
		file = file.end()
		var k int
		k, err = s.fill(buf[n:])
		n += k
	}
	b.region = file.next(n, len(buf))
	if b.region != nil {
		(&Batch{buf: buf}).Release()
		buf, n, err = b.region.buf, len(b.region.buf), b.region.err
	} else if err == nil {
		read()
	}
	for {
		c.setCallbacks(b)
		text := &window{at: b.body, prev: prev}
		b.content, b.buf, b.end, b.atEOF = text, buf[:n], n, err != nil
		b.maps = s.snapshot(b.maps.origin)
		// Prepare the next Batch first: after yield, b belongs to the caller.
		next := &Batch{cfg: c, entity: b.entity, later: b.later}
		var overlap []byte
		lost := b.region.guard(func() { overlap = b.cutWindow(next) })
		if lost != nil {
			b.Release()
			return nil, lost, true
		}
		if b.atEOF {
			return next, err, yield(b, nil)
		}
		next.maps.origin = b.maps.origin + int64(s.forget(n-len(overlap)))
		n = len(overlap)
		next.region = file.next(n, len(buf))
		if next.region != nil {
			buf, n, err = next.region.buf, len(next.region.buf), next.region.err
		} else {
			buf = c.buffer()
			lost = b.region.guard(func() { copy(buf, overlap) })
		}
		if !yield(b, nil) {
			next.Release()
			return nil, nil, false
		}
		if lost != nil {
			return nil, lost, true
		}
		if next.region == nil {
			read()
		}
		b, prev = next, text
	}
}

// cutWindow sets the end of b, a window, and where next begins, which follows it. It returns the bytes that both have.
func (b *Batch) cutWindow(next *Batch) []byte {
	if !b.atEOF {
		b.end = len(b.buf) - lookahead
		if i := bytes.LastIndexByte(b.buf[b.body:b.end], '\n'); i >= 0 {
			b.end = b.body + i + 1
		}
	}
	from := max(0, b.end-delimit.Before)
	next.body, next.pos = b.end-from, b.pos+int64(from)
	if b.cfg.Lines && b.atEOF { // otherwise next is a window, and follows b or is detached
		next.line, next.lineStart = b.lineAt(b.written(b.body), b.written(b.end), b.line, b.lineStart)
	}
	return b.buf[from:]
}
