// Package decode reads text through layers that decode it, with maps back to the input, and decodes the
// charsets of pages and mail. It finds the charset that a page declares.
package decode

import (
	"bytes"
	"io"

	"example.org/refract/extract/scan"
)

// ReadSize is the size of reads in bytes. A read that takes more than 20 µs makes the runtime hand the CPU
// to another thread. Reading 1 MiB at once took a sixth more of the whole time on one core.
const ReadSize = 64 << 10

// A stream reads the text of an input through the layers that decode it. Without
// Layers it reads the input as it is.
type Stream struct {
	Reader io.Reader
	Layers []*layer // the first reads r
	Undo   int      // layers[undo:] apply Config.Undo
	Prompt bool     // Read may be used: it does not wait for more than its layers need
	text   []byte   // the input of layers[undo], as far back as its map reaches
}

// A step decodes the beginning of src: it copies literal bytes, and replaces the next skip bytes by
// out, which is valid until the next step. If all are 0, it needs more bytes to decide; src holds at
// least 64 bytes unless atEOF is set.
type Step func(src []byte, atEOF bool) (literal, skip int, out []byte)

// minStep is the number of bytes that a Step gets at least, unless the input ends or Read is used.
const minStep = 64

// A layer decodes the output of the layer below.
type layer struct {
	step     Step
	stateful bool
	follow   func(src []byte) // if set, called with each piece of the text below, in order, when it has been decoded
	starved  bool             // step needs more than raw[at:]
	Map      *scan.Map        // from the text that has been read to that of the layer below
	next     int              // Offset of raw[at] in the layer below, from where m begins

	raw  []byte // read from the layer below; from at on not yet decoded
	at   int
	skip int    // bytes from at that have been decoded to out
	out  []byte // decoded, and not yet read
	err  error  // of the layer below, after raw
}

func (s *Stream) Push(st Step, stateful bool) {
	s.Layers = append(s.Layers, &layer{step: st, stateful: stateful, Map: new(scan.Map)})
}

// A Follower has a Step that depends on all of the text before. Follow is called with each piece of the
// text, in order, when it has been decoded. A piece may end anywhere.
type Follower interface {
	Step(src []byte, atEOF bool) (literal, skip int, out []byte)
	Follow(src []byte)
}

// PushFollower pushes the layer of f.
func (s *Stream) PushFollower(f Follower) {
	s.Push(f.Step, false)
	s.Layers[len(s.Layers)-1].follow = f.Follow
}

// Fill reads text into buf until less than a character fits, or the input ends with io.EOF or another
// error.
func (s *Stream) Fill(buf []byte) (int, error) { return s.read(len(s.Layers), buf, false) }

// Read is like Fill, but returns what one read of the input has brought, unless no layer can decode that
// without more. Each Step must report that it needs more bytes however few it has got.
func (s *Stream) Read(buf []byte) (int, error) { return s.read(len(s.Layers), buf, true) }

func (s *Stream) read(depth int, buf []byte, once bool) (n int, err error) {
	if depth == 0 {
		for n < len(buf) && err == nil && !(once && n > 0) {
			var k int
			k, err = s.Reader.Read(buf[n:min(len(buf), n+ReadSize)])
			n += k
		}
		return n, err
	}
	l := s.Layers[depth-1]
	for n < len(buf) {
		skip, out := l.skip, l.out
		if out == nil {
			if len(l.raw)-l.at < minStep && l.err == nil && (!once || l.starved || l.at == len(l.raw)) {
				if once && n > 0 {
					return n, nil
				}
				s.refill(depth, once)
			}
			if l.at == len(l.raw) {
				return n, l.err
			}
			var literal int
			literal, skip, out = l.step(l.raw[l.at:], l.err != nil)
			l.starved = literal == 0 && skip == 0
			if l.starved {
				if once && len(l.raw)-l.at < minStep && l.err == nil {
					continue
				}
				literal = 1
			}
			if literal > 0 {
				k := copy(buf[n:], l.raw[l.at:l.at+literal])
				l.Map.Add(k, l.next, 1, 1)
				l.take(k)
				n += k
				if k < literal || skip == 0 {
					continue
				}
			}
		}
		if len(buf)-n < len(out) {
			l.skip, l.out = skip, out
			break
		}
		if d := len(out); l.stateful && !bytes.Equal(out, l.raw[l.at:l.at+skip]) {
			l.Map.AddStateful(d, l.next, max(d, 1), skip)
		} else {
			l.Map.Add(d, l.next, max(d, 1), skip)
		}
		n += copy(buf[n:], out)
		l.take(skip)
		if l.out != nil { // nearly always nil: a store costs more than a comparison
			l.out = nil
		}
	}
	return n, nil
}

// refill reads more of the text below a layer.
func (s *Stream) refill(depth int, once bool) {
	l := s.Layers[depth-1]
	raw := l.raw[:cap(l.raw)]
	if raw == nil {
		raw = make([]byte, 32<<10)
	}
	k := copy(raw, l.raw[l.at:])
	var more int
	more, l.err = s.read(depth-1, raw[k:], once)
	l.raw, l.at = raw[:k+more], 0
	if depth-1 == s.Undo {
		s.text = append(s.text, l.raw[k:]...)
	}
}

// take moves on by n bytes of the text below.
func (l *layer) take(n int) {
	if l.follow != nil {
		l.follow(l.raw[l.at : l.at+n])
	}
	l.next, l.at = l.next+n, l.at+n
}

// Maps Maps offsets in decoded text to offsets in the input.
type Maps struct {
	Layers []*scan.Map // the first one maps to the input
	undo   int         // as in stream
	Text   []byte      // as in stream; nil without Undo
	Origin int64       // the offset in the input at which the first map begins
}

// Snapshot returns the maps of the text that has been read so far.
func (s *Stream) Snapshot(origin int64) Maps {
	m := Maps{undo: s.Undo, Origin: origin}
	for _, l := range s.Layers {
		m.Layers = append(m.Layers, l.Map.Tail(0, 0))
	}
	if s.Undo < len(s.Layers) {
		m.Text = bytes.Clone(s.text)
	}
	return m
}

// Forget drops the text before offset from, and returns the number of bytes of the input that it was
// decoded from.
func (s *Stream) Forget(from int) int {
	for i := len(s.Layers) - 1; i >= 0; i-- {
		l := s.Layers[i]
		back, _ := l.Map.Back(scan.Span{Start: from, End: from})
		l.Map = l.Map.Tail(from, back.Start)
		l.next -= back.Start
		from = back.Start
		if i == s.Undo {
			s.text = s.text[from:]
		}
	}
	return from
}

// Offset returns the Offset in the input of one of the decoded text.
func (m *Maps) Offset(i int) int64 {
	s, _ := m.Written(scan.Span{Start: i, End: i})
	s, _ = m.Source(s)
	return m.Origin + int64(s.Start)
}

// Written maps s to the text in which no Undo has been applied.
func (m *Maps) Written(s scan.Span) (scan.Span, bool) { return back(m.Layers[m.undo:], s) }

// Source maps s, a range of that text, to the input.
func (m *Maps) Source(s scan.Span) (scan.Span, bool) { return back(m.Layers[:m.undo], s) }

func back(layers []*scan.Map, s scan.Span) (scan.Span, bool) {
	exact := true
	for i := len(layers) - 1; i >= 0; i-- {
		var e bool
		s, e = layers[i].Back(s)
		exact = exact && e
	}
	return s, exact
}
