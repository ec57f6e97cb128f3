package extract

import (
	"bytes"
	"io"
	"iter"
	"sync"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
)

// An input is read in windows of batchSize bytes, together with what decides about
// their first and last reference: delimit.Before bytes before, lookahead behind.
const (
	batchSize = 1 << 20
	lookahead = delimit.MaxReference + 16<<10
)

// A Batch is a piece of an input that can be walked at the same time as others.
type Batch struct {
	// Note is told what is odd in this piece; it begins as the Config's.
	Note func(*Note)

	cfg    *Config
	entity *Entity
	err    error // of the base, to be noted once

	buf       []byte
	body, end int   // what is to be walked; around it, what decides about its ends
	atEOF     bool  // nothing follows buf
	pos       int64 // of buf[0] in the decoded text
	maps      maps  // from buf to the source

	line      int   // of buf[body], from 1; 0 unless lines are counted
	lineStart int64 // source offset at which that line begins

	at    int  // where walking begins
	rest  bool // in a run that is too long
	first int  // where the first item stands, once walked
	next  int  // where walking ended
	tail  bool // in a run that is too long
}

var buffers = sync.Pool{New: func() any {
	b := make([]byte, delimit.Before+batchSize+lookahead)
	return &b
}}

var scanners = sync.Pool{New: func() any { return new(plain.Scanner) }}

// Release gives the memory of b back. Nothing that b yielded may be used behind it.
func (b *Batch) Release() {
	if b != nil && b.buf != nil {
		full := b.buf[:cap(b.buf)]
		buffers.Put(&full)
		b.buf = nil
	}
}

// Batches cuts the input that r reads into pieces, in order. An error of r is the
// last element. What one Batch finds depends on where the one before ended: either
// Follow each before walking it, or walk it in advance and Redo it. The iterator is
// single-use; the Batches are independent of it.
func (c *Config) Batches(name string, r io.Reader) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		root, baseErr := base.Root(c.Rules, c.Retrieved, c.Default)
		entity := &Entity{Name: name, Type: textType, Base: root}

		window := func() []byte {
			buf := *buffers.Get().(*[]byte)
			if c.window > 0 {
				buf = buf[:delimit.Before+c.window+lookahead]
			}
			return buf
		}
		buf := window()
		s := &stream{r: r}
		n, err := s.fill(buf)
		mediaType, label := detect(name, buf[:min(n, 4096)])
		if c.Type != "" && label == "" { // a byte order mark knows better
			var terr error
			if mediaType, label, terr = ParseType(c.Type); terr != nil {
				yield(nil, terr)
				return
			}
		}
		if mediaType == binaryType && c.SkipBinary {
			return
		}
		entity.Type = mediaType
		if label != "" || c.Undo != 0 {
			s.r = io.MultiReader(bytes.NewReader(bytes.Clone(buf[:n])), errorReader{r, err})
			if label != "" {
				s.push(decodeCharset(label))
			}
			s.undo = len(s.layers)
			for i, step := range undoSteps {
				if c.Undo>>i&1 != 0 {
					s.push(step(), false)
				}
			}
			n, err = s.fill(buf)
		}

		b := &Batch{cfg: c, entity: entity, err: baseErr}
		if c.Lines {
			b.line = 1
		}
		for {
			b.Note, b.buf, b.atEOF = c.Note, buf[:n], err != nil
			b.maps = s.snapshot(b.maps.origin)
			if b.end = n; !b.atEOF {
				b.end = n - lookahead
				if i := bytes.LastIndexByte(buf[b.body:b.end], '\n'); i >= 0 {
					b.end = b.body + i + 1
				}
			}
			if b.atEOF {
				if yield(b, nil) && err != io.EOF {
					yield(nil, err)
				}
				return
			}
			// The next is made before this one is given away.
			next := &Batch{cfg: c, entity: entity}
			from := max(0, b.end-delimit.Before)
			next.body, next.pos = b.end-from, b.pos+int64(from)
			if c.Lines {
				next.line, next.lineStart = b.lineAt(b.written(b.body), b.written(b.end), b.line, b.lineStart)
			}
			next.maps.origin = b.maps.origin + int64(s.forget(from))
			buf = window()
			n = copy(buf, b.buf[from:])
			if !yield(b, nil) {
				return
			}
			var k int
			k, err = s.fill(buf[n:])
			n += k
			b = next
		}
	}
}

// errorReader reads r, or nothing but an error that r gave already.
type errorReader struct {
	r   io.Reader
	err error
}

func (e errorReader) Read(p []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	return e.r.Read(p)
}

// written returns where buf[i] stands in the text in which nothing is undone.
func (b *Batch) written(i int) int {
	s, _ := b.maps.written(scan.Span{Start: i, End: i})
	return s.Start
}

// text is the text in which nothing is undone: lines are counted there.
func (b *Batch) text() []byte {
	if b.maps.text != nil {
		return b.maps.text
	}
	return b.buf
}

// lineAt counts from line, that of text[from], to the line of text[to], and returns
// it with the source offset at which it begins.
func (b *Batch) lineAt(from, to, line int, start int64) (int, int64) {
	text := b.text()[from:to]
	if n := bytes.Count(text, newline); n > 0 {
		i := from + bytes.LastIndexByte(text, '\n') + 1
		back, _ := b.maps.source(scan.Span{Start: i, End: i})
		return line + n, b.maps.origin + int64(back.Start)
	}
	return line, start
}

var newline = []byte{'\n'}

// Follow lets b begin where prev, which has been walked, ended. A nil prev is none.
func (b *Batch) Follow(prev *Batch) {
	b.at, b.rest = b.body, false
	if prev != nil {
		b.at = max(b.body, int(prev.pos+int64(prev.next)-b.pos))
		b.rest = prev.tail
	}
}

// Redo reports whether b, walked in advance, has to be walked again after prev,
// because what prev ended with reaches into b. It has then been made to Follow.
func (b *Batch) Redo(prev *Batch) bool {
	b.Follow(prev)
	if b.rest || b.first < b.at {
		return true
	}
	b.next = max(b.next, b.at) // what prev ended with may reach over the whole of b
	return false
}

// References walks b: it yields its references in source order. The iterator may
// be used again.
func (b *Batch) References() iter.Seq[*Reference] {
	return func(yield func(*Reference) bool) {
		w := walker{Batch: b, yield: yield, counted: b.written(b.body), line: b.line, lineStart: b.lineStart}
		w.ref.Entity, w.ref.Base = b.entity, b.entity.Base
		b.at = max(b.at, b.body)
		b.first = len(b.buf)
		if b.err != nil {
			w.note(Position{}, b.err.Error())
		}
		s := scanners.Get().(*plain.Scanner)
		defer scanners.Put(s)
		s.Rest, s.Finder.Rules = b.rest, b.cfg.Text
		b.next = s.Window(b.buf, b.at, b.end, b.atEOF, w.item)
		b.tail = s.Rest
	}
}

// A walker makes References of the Items of one Batch.
type walker struct {
	*Batch
	yield func(*Reference) bool
	ref   Reference

	counted   int // in text: up to here lines are counted
	line      int
	lineStart int64

	whole, target, escaped []byte // reused: with a scheme, resolved, put out
	both                   readings
}

func (w *walker) note(pos Position, text string) {
	if w.Note != nil {
		w.Note(&Note{Entity: w.entity, Pos: pos, Text: text})
	}
}

func (w *walker) item(it *scan.Item) bool {
	w.first = min(w.first, it.Span.Start)
	if it.Op == scan.Note {
		w.note(w.position(it.Span), it.Text)
		return true
	}
	// Entity and Base are those of every reference here; assigning the struct as a
	// whole took a tenth of the time of a walk.
	r := &w.ref
	r.Pos = w.position(it.Span)
	r.Kind, r.How, r.In, r.Meant = it.Kind, it.How, it.In, it.Meant
	r.Raw, r.Ref = w.raw(it.Span), it.Value
	r.Ranges, r.Alternatives = r.Ranges[:0], nil
	for _, p := range it.Parts {
		r.Ranges = append(r.Ranges, w.position(p))
	}
	w.resolve(r, it.Value)
	if w.cfg.TwoReadings {
		w.readBoth(r)
	}
	if len(it.Drop) > 0 {
		r.URL = clone(r.URL)
	}
	for _, i := range it.Drop {
		other := *r
		w.resolve(&other, append(append([]byte{}, it.Value[:i]...), it.Value[i+1:]...))
		if other.URL != nil {
			r.Alternatives = append(r.Alternatives, clone(other.URL))
		}
	}
	return w.yield(r)
}

// resolve sets what r has of resolving ref; its URL is in w's memory.
func (w *walker) resolve(r *Reference, ref []byte) {
	if r.Meant != "" {
		w.whole = append(append(w.whole[:0], r.Meant...), ref...)
		ref = w.whole
	}
	r.URL, r.Fragment, r.InvalidAuthority = nil, nil, false
	w.target, r.Result, r.Err = r.Base.Append(w.target[:0], ref)
	switch {
	case r.Err != nil:
	case r.Result.InError:
		r.Err = r.Result.Err()
	case r.Result.SameDocument():
		r.Fragment = w.target
	case w.cfg.Rules.Browser:
		r.URL = w.target // escaped as browsers do
	default:
		var valid bool
		r.URL, valid = escape(w.escaped, w.target, w.cfg.IRI)
		r.InvalidAuthority = !valid
		if len(r.URL) > 0 && &r.URL[0] != &w.target[0] {
			w.escaped = r.URL
		}
	}
}

// raw returns what s is as written.
func (w *walker) raw(s scan.Span) []byte {
	s, _ = w.maps.written(s)
	return w.text()[s.Start:s.End]
}

// position counts the lines up to s and leads it back to the input. Positions are
// asked for in order, but for the parts of what was asked for last.
func (w *walker) position(s scan.Span) Position {
	s, exact := w.maps.written(s)
	back, exactSource := w.maps.source(s)
	p := Position{Offset: w.maps.origin + int64(back.Start), Length: back.End - back.Start, Exact: exact && exactSource}
	if w.line == 0 {
		return p
	}
	if s.Start > w.counted {
		w.line, w.lineStart = w.lineAt(w.counted, s.Start, w.line, w.lineStart)
		w.counted = s.Start
	}
	p.Line, p.Column = w.line, int(p.Offset-w.lineStart)+1
	return p
}

// Size is the number of bytes that b is to walk.
func (b *Batch) Size() int64 { return int64(b.end - b.body) }

// First reports whether b is the first of its input.
func (b *Batch) First() bool { return b.pos == 0 && b.body == 0 }
