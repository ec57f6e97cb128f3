package extract

import (
	"bytes"
	"runtime/debug"
	"sync/atomic"

	"example.org/refract/delimit"
	"example.org/refract/extract/internal/filemap"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
)

// A window is a piece of running text. Its references depend on where the window before it ended.
type window struct {
	prev *window // the window before, until this one follows it or is detached
	at   int     // where walking begins, in Batch.buf
	rest bool    // walking begins in a run that is too long

	pauses bool // nothing but what has been read decides where walking ends: Batch.end is set there
	walked bool

	first atomic.Int64 // where the first Item begins, in Batch.buf, plus 1; 0 until it is known

	// Once the window has been walked:
	next int64 // where walking ended, in the decoded text
	tail bool  // it ended in a run that is too long

	// Once the window has been walked or detached: the line at its end, and where that begins. hasLine is false
	// if lines are not counted, or if the file has become shorter.
	line      int
	lineStart int64
	hasLine   bool
}

func (t *window) walk(w *walker) {
	b := w.Batch
	t.follow(b)
	w.line, w.lineStart = b.line, b.lineStart
	t.first.Store(0)
	if t.pauses {
		b.end, t.hasLine = len(b.buf), false
	}
	t.next, t.tail = b.pos+int64(b.end), false // in case the scanner panics
	if b.region != nil {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	}
	w.entity(scan.Span{Start: b.body, End: b.end}, func() bool {
		w.first = &t.first
		s := textScanners.Get().(*plain.Scanner)
		s.Rest, s.Finder.Rules = t.rest, b.cfg.Text
		next := s.Window(b.buf, t.at, b.end, b.atEOF, joiner{w}.joining(b.buf))
		t.next, t.tail = b.pos+int64(next), s.Rest
		textScanners.Put(s)
		return true
	})
	if t.pauses {
		if t.next < b.pos {
			t.next = b.pos + int64(b.end) // the caller wants no more of it
		}
		b.end, t.walked = int(t.next-b.pos), true
	}
	t.countLines(b, w.counted, w.line, w.lineStart)
}

// countLines sets the line at the end of t, the content of b, from that at an offset in b.text, unless it is set.
func (t *window) countLines(b *Batch, from, line int, start int64) {
	if t.hasLine || line == 0 {
		return
	}
	t.hasLine = b.region.Guard(func() { t.line, t.lineStart = b.lineAt(from, max(from, b.written(b.end)), line, start) }) == nil
}

// setLine makes b, whose content is t, begin in the line in which the window before it ended.
func (t *window) setLine(b *Batch, prev *window) {
	if prev != nil {
		b.line, b.lineStart = prev.line, prev.lineStart
	}
}

// follow makes t, the content of b, begin where the window before it ended, which has been walked.
func (t *window) follow(b *Batch) {
	if prev := t.prev; prev != nil {
		t.at, t.rest = t.start(b, prev)
		t.setLine(b, prev)
		t.prev = nil
	}
}

// start returns where t, the content of b, begins if it follows prev, and whether that is in a run that is
// too long.
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
	if t.pauses {
		b.over = make(chan struct{})
		return prev
	}
	t.countLines(b, b.written(b.body), b.line, b.lineStart)
	return prev
}

// Pauses reports whether b ends where its input was not ready to be read: see Config.Batches. Output for b
// should be shown before the next Batch is requested.
func (b *Batch) Pauses() bool {
	t, ok := b.content.(*window)
	return ok && t.pauses
}

// begun reports whether the beginning of the first Item of b is known, while b is walked ahead of its turn.
// prev is the detached window before b.
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

// windows cuts the text that s reads into pieces of running text. b is the first piece, and buf already
// holds n bytes of it. It returns the error at which s ended; ok is false if yield returned false. If
// b.ready is set and s.Prompt is true, a window also ends where the input is not ready.
func (c *Config) windows(b *Batch, s *decode.Stream, buf []byte, n int, err error, yield func(*Batch, error) bool) (_ error, ok bool) {
	var prev *window
	var file *filemap.Map
	if c.MapFiles && err == nil && len(s.Layers) == 0 {
		file = filemap.New(s.Reader)
		defer func() { file.Close() }()
	}
	var live *liveText
	if b.ready != nil && s.Prompt {
		live = &liveText{s: s, ready: b.ready, finder: delimit.Finder{Rules: c.Text}}
	}
	read := func() { // the rest of buf
		file = file.End()
		var k int
		if live != nil {
			n, err = live.fill(buf, n)
			return
		}
		k, err = s.Fill(buf[n:])
		n += k
	}
	b.region = file.Next(n, len(buf))
	if b.region != nil {
		release(buf, nil)
		buf, n, err = b.region.Buf, len(b.region.Buf), b.region.Err
	} else if err == nil {
		read()
	}
	for {
		c.setCallbacks(b)
		b.noteGuess()
		text := &window{at: b.body, prev: prev}
		if live != nil && err == nil && n < len(buf) {
			next, from := live.window(b, text, buf[:n], yield)
			if next == nil {
				release(buf, nil)
				return nil, false
			}
			n = copy(buf, buf[from:n])
			live.begin(buf[:n], next.body, n)
			read()
			b, prev = next, text
			continue
		}
		b.content, b.buf, b.end, b.atEOF = text, buf[:n], n, err != nil
		b.maps = s.Snapshot(b.maps.Origin)
		// Prepare the next Batch first: after yield, b belongs to the caller.
		next := &Batch{cfg: c, entity: b.entity, later: b.later, ready: b.ready, guess: b.guess}
		var overlap []byte
		lost := b.region.Guard(func() { overlap = b.cutWindow(next) })
		if lost != nil {
			b.Release()
			return lost, true
		}
		if b.atEOF {
			return err, yield(b, nil)
		}
		next.maps.Origin = b.maps.Origin + int64(s.Forget(n-len(overlap)))
		n = len(overlap)
		next.region = file.Next(n, len(buf))
		if next.region != nil {
			buf, n, err = next.region.Buf, len(next.region.Buf), next.region.Err
		} else {
			buf = c.buffer()
			lost = b.region.Guard(func() { copy(buf, overlap) })
		}
		if !yield(b, nil) {
			next.Release()
			return nil, false
		}
		if lost != nil {
			return lost, true
		}
		if next.region == nil {
			live.begin(buf[:n], next.body, next.body)
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

// A liveText reads running text from an input that may pause. A window ends where the input is not
// ready, if the text read so far may contain a reference.
type liveText struct {
	s      *decode.Stream
	ready  func() bool
	finder delimit.Finder

	from    int  // where the next window begins, in the buffer
	seen    int  // up to there, the buffer has been searched
	trigger bool // there may be a reference in buf[from:seen]
}

// begin makes the next window begin at text[from]. The text up to seen has been walked, or is known not to
// decide about a reference. A nil liveText is allowed.
func (l *liveText) begin(text []byte, from, seen int) {
	if l != nil {
		l.from, l.seen, l.trigger = from, seen, l.finder.May(text[from:seen])
	}
}

// fill reads into buf, which has n bytes, until it is full, until l.s ends, or until it is not ready and
// the bytes after the last window may contain a whole reference. It returns how many bytes buf has.
func (l *liveText) fill(buf []byte, n int) (_ int, err error) {
	for n < len(buf) {
		if n > l.seen && !l.ready() && l.mayShow(buf[:n]) {
			return n, nil
		}
		var k int
		k, err = l.s.Read(buf[n:min(len(buf), n+decode.ReadSize)])
		n += k
		if err != nil {
			break
		}
	}
	return n, err
}

// mayShow reports whether the bytes of text from l.seen on may complete a reference: one of them ends any
// run, and there is a trigger. Without the first condition, a run of n bytes that arrive one by one would
// be examined n times.
func (l *liveText) mayShow(text []byte) bool {
	fresh := text[l.seen:]
	l.trigger = l.trigger || l.finder.May(text[max(l.from, l.seen-delimit.Before):])
	l.seen = len(text)
	return l.trigger && delimit.Rest(fresh, 0) < len(fresh)
}

// window yields b, whose content is t, as a window of text, and returns the next one, whose buffer begins
// at text[from]. It begins where walking b has ended. It is nil if yield returned false.
func (l *liveText) window(b *Batch, t *window, text []byte, yield func(*Batch, error) bool) (next *Batch, from int) {
	t.pauses = true
	b.content, b.end = t, len(text)
	b.buf = append(b.cfg.buffer()[:0], text...) // b may be released before the end of text is walked again
	next = &Batch{cfg: b.cfg, entity: b.entity, later: true, ready: b.ready, guess: b.guess}
	pos, origin := b.pos, b.maps.Origin
	b.maps = l.s.Snapshot(origin)
	if !yield(b, nil) {
		return nil, 0
	}
	if b.over != nil {
		<-b.over
	}
	end := len(text)
	if t.walked {
		end = int(t.next - pos)
	}
	from = max(0, end-delimit.Before)
	next.body, next.pos, next.maps.Origin = end-from, pos+int64(from), origin+int64(l.s.Forget(from))
	return next, from
}

// undoByHead returns undo with the notations that the type, the name or the beginning of b shows. b is
// running text. If only the beginning shows JSON, it sets b.guess; if the name shows source code,
// b.strings.
func (b *Batch) undoByHead(notations Undo, head []byte) Undo {
	if notations&UndoNone != 0 {
		return notations
	}
	name := shownName(b.entity)
	if word := b.cfg.Type; word != "" && b.cfg.Aliases()[word] == "" && b.cfg.typeOfWord(word) != "" {
		name = nameOfWord(word)
	}
	notations |= undoByName(name, head)
	if mediatype.IsJSON(b.entity.Type) {
		notations |= UndoJSON
	}
	if notations&UndoJSON == 0 {
		b.strings = undo.LanguageOf(unpackedName(name))
	}
	ascii, _, binary := decode.Head(head)
	if notations&^UndoANSI == 0 && !binary && b.strings == nil && undo.BeginsJSON(ascii) {
		b.guess = undo.NewGuess()
	}
	return notations
}

// noteGuess notes that escapes have been undone because the input looks like JSON.
func (b *Batch) noteGuess() {
	if b.guess != nil && b.guess.Undone {
		b.notes = append(b.notes, codedText{code: scan.CodeUndeclared, text: "JSON by its first bytes: escapes are undone (see --undo)"})
		b.guess = nil
	}
}

// hasEntities reports whether URLs in documents of a media type are written with character references.
func hasEntities(mediaType string) bool {
	switch mediaType {
	case htmlType, xhtmlType, svgType, markdownType, opmlType, xmlType, "text/xml":
		return true
	}
	return bytes.HasSuffix([]byte(mediaType), []byte("+xml"))
}
