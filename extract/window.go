package extract

import (
	"bytes"
	"sync/atomic"

	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
)

// A window is a piece of running text. What it finds depends on where the one before ended.
type window struct {
	prev *window // the one before, until it is followed or detached
	at   int     // where walking begins, in Batch.buf
	rest bool    // walking begins in a run that is too long

	first atomic.Int64 // once there is one: where the first Item begins, in Batch.buf, and 1

	// Once the window has been walked:
	next int64 // where walking ended, in the decoded text
	tail bool  // it ended in a run that is too long
}

func (t *window) walk(w *walker) {
	b := w.Batch
	t.follow(b)
	t.first.Store(0)
	t.next, t.tail = b.pos+int64(b.end), false // should the scanner panic
	w.entity(scan.Span{Start: b.body, End: b.end}, func() bool {
		w.window = t
		s := textScanners.Get().(*plain.Scanner)
		s.Rest, s.Finder.Rules = t.rest, b.cfg.Text
		next := s.Window(b.buf, t.at, b.end, b.atEOF, w.each)
		t.next, t.tail = b.pos+int64(next), s.Rest
		textScanners.Put(s)
		return true
	})
}

func (t *window) cuts() []cut { return nil }

// follow lets t, the content of b, begin where the window before ended, which has been walked.
func (t *window) follow(b *Batch) {
	if prev := t.prev; prev != nil {
		t.at, t.rest = t.start(b, prev)
		t.prev = nil
	}
}

// start returns where t, the content of b, begins if it follows prev, and whether it begins in a
// run that is too long.
func (t *window) start(b *Batch, prev *window) (at int, rest bool) {
	return max(b.body, int(prev.next-b.pos)), prev.tail
}

// detach returns the window before b, and lets b be walked without it; nil if there is none.
func (b *Batch) detach() *window {
	t, ok := b.content.(*window)
	if !ok {
		return nil
	}
	prev := t.prev
	t.prev = nil
	return prev
}

// begun reports whether it is known where the first Item of b, which is being walked in advance,
// begins. prev is the detached window before b.
func (b *Batch) begun(prev *window) bool {
	return prev == nil || b.content.(*window).first.Load() > 0
}

// reaches reports whether the end of prev, the detached window before b, reaches into what is being
// walked of b, which has begun or has been walked: then b has to be walked again.
func (b *Batch) reaches(prev *window) bool {
	if prev == nil {
		return false
	}
	t := b.content.(*window)
	at, rest := t.start(b, prev)
	first := t.first.Load()
	return rest || first > 0 && int(first-1) < at
}

// followAgain lets b, which nobody walks, be walked from the end of prev.
func (b *Batch) followAgain(prev *window) { b.content.(*window).prev = prev }

// settle notes for the window after b, which has been walked, that prev may reach over all of b.
func (b *Batch) settle(prev *window) {
	if prev != nil {
		t := b.content.(*window)
		at, _ := t.start(b, prev)
		t.next = max(t.next, b.pos+int64(at))
	}
}

// windows cuts what s reads, of which buf holds n bytes, into pieces of running text, of
// which b is the first. It returns the piece after the last one, and why s ended; ok is
// false if yield returned false.
func (c *Config) windows(b *Batch, s *stream, buf []byte, n int, err error, yield func(*Batch, error) bool) (after *Batch, _ error, ok bool) {
	var prev *window
	for {
		c.setCallbacks(b)
		text := &window{at: b.body, prev: prev}
		b.content, b.buf, b.end, b.atEOF = text, buf[:n], n, err != nil
		b.maps = s.snapshot(b.maps.origin)
		if !b.atEOF {
			b.end = n - lookahead
			if i := bytes.LastIndexByte(buf[b.body:b.end], '\n'); i >= 0 {
				b.end = b.body + i + 1
			}
		}
		// Prepare the next Batch first: after yield, b belongs to the caller.
		next := &Batch{cfg: c, entity: b.entity, later: b.later}
		from := max(0, b.end-delimit.Before)
		next.body, next.pos = b.end-from, b.pos+int64(from)
		if c.Lines {
			next.line, next.lineStart = b.lineAt(b.written(b.body), b.written(b.end), b.line, b.lineStart)
		}
		if b.atEOF {
			return next, err, yield(b, nil)
		}
		next.maps.origin = b.maps.origin + int64(s.forget(from))
		buf = c.buffer()
		n = copy(buf, b.buf[from:])
		if !yield(b, nil) {
			return nil, nil, false
		}
		var k int
		k, err = s.fill(buf[n:])
		n += k
		b, prev = next, text
	}
}
