package extract

import (
	"bytes"
	"fmt"
	"io"
	"math"

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

// carriedFrom returns the base set by the page that b, the Batch of an excerpt, is cut from. It walks b.
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

// condense yields the message that r reads, of any size, without the parts that are not read. b is its
// first Batch, and skip the number of bytes before the message. quoted is called once for each Batch.
// condense returns a Batch at the end of the message, and the error of r after that; ok is false if yield
// returned false.
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
