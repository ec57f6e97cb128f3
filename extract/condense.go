package extract

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"sort"

	"example.org/refract/base"
	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
)

// An excerpt is the part that is held of a message that is too large to be held whole.
type excerpt struct {
	format *Format
	text   *message.Excerpt
	quoted bool // as of archivedMessage
	carried
}

// carried is the base that a page before a cut has set for itself. It is in force after the cut, too.
type carried struct {
	base base.Base
	part string // path of the page
}

// carriedFrom returns the base set by the page in which b, the Batch of an excerpt, is cut. It walks
// b.
func carriedFrom(b *Batch) (c carried) {
	probe := *b
	probe.Note, probe.Begin, probe.Anchor, probe.Mention, probe.notes = nil, nil, nil, nil, nil
	probe.CountOnly, probe.probing = true, true
	for r := range probe.References() {
		if r.Base.From == "base/href" {
			c = carried{r.Base, r.Entity.Path()}
		} else if c.part != "" && r.Entity.Path() != c.part {
			c = carried{}
		}
		probe.CountOnly = true
	}
	return c
}

func (e *excerpt) walk(w *walker) {
	w.entity(scan.Span{Start: w.Batch.body, End: w.end}, func() bool {
		w.mappings, w.carried = append(w.mappings[:0], mapping{}), &e.carried
		clear(w.names)
		return w.document(e.format, w.buf[:w.end], Context{Type: e.format.Types[0], Quoted: e.quoted, excerpt: e.text})
	})
}

func (e *excerpt) cuts() []cut { return nil }

// condense yields the message that r reads, of any size, without the parts that are not read. b is
// its first Batch, and skip the number of bytes before the message. quoted is called once for each
// Batch. condense returns a Batch at the end of the message, and the error of r after that; ok is
// false if yield returned false.
func (c *Config) condense(b *Batch, f *Format, r io.Reader, skip int, quoted func() bool, yield func(*Batch, error) bool) (after *Batch, _ error, ok bool) {
	front := make([]byte, skip)
	n, _ := io.ReadFull(r, front)
	end := *b
	end.pass(front[:n])
	limit := c.limit()
	condenser := message.Condenser{ReadAs: c.readAs, Limit: int(limit), Start: message.Mark{Offset: end.pos, Line: end.line, LineStart: end.lineStart}}
	later := b.later
	var before carried
	for e, err := range condenser.Excerpts(r) {
		if err != nil {
			return &end, err, true
		}
		next := &Batch{cfg: c, entity: b.entity, notes: b.notes, later: later, pos: b.pos, line: b.line, excerpt: e}
		next.buf, next.body, next.end, next.atEOF = e.Text, e.From, len(e.Text), e.Ends
		next.content = &excerpt{f, e, quoted(), before}
		if e.Part != "" {
			next.notes = append(next.notes, codedText{code: scan.CodeTooLarge, text: fmt.Sprintf("part %s of the message has more than %d bytes: read in pieces", e.Part, limit)})
		}
		if !e.Ends {
			before = carriedFrom(next)
		}
		c.setCallbacks(next)
		b.notes, later = nil, true
		end.pos, end.lineStart = e.End.Offset, e.End.LineStart
		if end.line > 0 {
			end.line = e.End.Line
		}
		if !yield(next, nil) {
			return nil, nil, false
		}
	}
	end.maps.Origin = end.pos
	end.notes, end.later = nil, later
	return &end, io.EOF, true
}

// excerptMark returns the last Mark at or before an offset in the text of a Batch.
func (b *Batch) excerptMark(at int) *message.Mark {
	marks := b.excerpt.Marks
	i := sort.Search(len(marks), func(i int) bool { return marks[i].At > at })
	return &marks[max(0, i-1)]
}

// excerptPosition is walker.position for a Batch with an excerpt.
func (w *walker) excerptPosition(s scan.Span, exact bool) Position {
	m := w.excerptMark(s.Start)
	w.reached = m.Offset + int64(s.Start-m.At)
	p := Position{Offset: w.reached, Length: s.End - s.Start, Exact: exact}
	if end := w.excerptMark(max(s.Start, s.End-1)); end != m { // the omitted bytes belong to the range
		p.Length = max(0, int(end.Offset+int64(s.End-end.At)-p.Offset))
		p.Exact = false
	}
	if w.line == 0 {
		return p
	}
	if w.counted < m.At || w.counted > s.Start {
		w.counted, w.line, w.lineStart = m.At, m.Line, m.LineStart
	}
	text := w.buf[w.counted:s.Start]
	if n := bytes.Count(text, newline); n > 0 {
		w.line += n
		w.lineStart = m.Offset + int64(w.counted-m.At+bytes.LastIndexByte(text, '\n')+1)
	}
	w.counted = s.Start
	p.Line, p.Column = w.line, int(p.Offset-w.lineStart)+1
	return p
}

// begins returns where b begins in the input, without its line.
func (b *Batch) begins() Position {
	if b.excerpt == nil {
		return Position{Offset: b.maps.Origin + int64(b.body)}
	}
	if b.body == len(b.buf) {
		return Position{Offset: b.excerpt.End.Offset}
	}
	m := b.excerptMark(b.body)
	return Position{Offset: m.Offset + int64(b.body-m.At)}
}

// readMessage yields the message that r reads after the n bytes in buf.
func (c *Config) readMessage(b *Batch, f *Format, r io.Reader, buf []byte, n int, yield func(*Batch, error) bool) {
	start := 0
	in := io.MultiReader(bytes.NewReader(buf[:n]), r)
	if f.frame != nil {
		var size int64
		start, size = f.frame(buf[:n])
		in = io.LimitReader(in, int64(start)+min(size, math.MaxInt64-int64(start)))
	}
	if _, err, ok := c.condense(b, f, in, start, func() bool { return false }, yield); ok && err != io.EOF {
		yield(nil, err)
	}
}
