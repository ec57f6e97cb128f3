package extract

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"example.org/refract/extract/internal/cdx"
	"example.org/refract/extract/internal/decode"
	"example.org/refract/extract/scan"
)

// A lineScanner scans whole lines of a document.
type lineScanner func(src []byte) iter.Seq[*scan.Item]

// linesOfIndex returns the scanner of an index that begins with head.
func linesOfIndex(head []byte) lineScanner { return cdx.LayoutOf(head).Scan }

func scanIndex(src []byte, _ *Config, _ Context) iter.Seq[*scan.Item] {
	return cdx.LayoutOf(src).Scan(src)
}

// someLines are whole lines of a document. They do not depend on those before them.
type someLines struct{ scan lineScanner }

func (l *someLines) cuts() []cut { return nil }

func (l *someLines) walk(w *walker) {
	b := w.Batch
	w.entity(scan.Span{End: b.end}, func() bool {
		for it := range l.scan(b.buf[:b.end]) {
			if !w.each(it) {
				return false
			}
		}
		return true
	})
}

// readLines cuts the document that r reads, whose first n bytes are in buf, into pieces of whole lines. b is the first
// piece. A line that does not fit into a buffer is skipped, with a note.
func (c *Config) readLines(b *Batch, lines func(head []byte) lineScanner, r errorReader, buf []byte, n int, yield func(*Batch, error) bool) {
	content := &someLines{lines(buf[:n])}
	err := r.err
	s := &decode.Stream{Reader: r.r}
	for {
		if err == nil && n < len(buf) {
			var k int
			k, err = s.Fill(buf[n:])
			n += k
		}
		end, isLong := n, false
		if err == nil {
			end = bytes.LastIndexByte(buf[:n], '\n') + 1
			isLong = end == 0
		}
		c.setCallbacks(b)
		b.content, b.buf, b.end, b.atEOF = content, buf[:n], end, err != nil
		next := &Batch{cfg: c, entity: b.entity, later: b.later, pos: b.pos, line: b.line, lineStart: b.lineStart}
		next.maps.Origin = next.pos
		next.pass(buf[:end])
		rest := c.buffer()
		if !isLong {
			n = copy(rest, buf[end:n])
		} else {
			b.notes = append(b.notes, codedText{code: scan.CodeTooLarge, text: fmt.Sprintf("a line of more than %d bytes: not read", len(buf)), unread: cdx.Line})
			next.pass(buf)
			n, err = skipLine(next, s, rest)
		}
		buf = rest
		ended := err != nil && n == 0
		if ended {
			(&Batch{buf: buf}).Release()
		}
		if !yield(b, nil) {
			return
		}
		if ended {
			if err != io.EOF {
				yield(nil, err)
			}
			return
		}
		b = next
	}
}

// skipLine skips the rest of a line, and moves the beginning of b behind it. What follows is in buf[:n].
func skipLine(b *Batch, s *decode.Stream, buf []byte) (n int, err error) {
	for err == nil {
		n, err = s.Fill(buf[:min(len(buf), decode.ReadSize)])
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			b.pass(buf[:i+1])
			return copy(buf, buf[i+1:n]), err
		}
		b.pass(buf[:n])
	}
	return 0, err
}
