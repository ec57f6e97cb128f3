package extract

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"

	"example.org/refract/extract/internal/archivedpage"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/cdx"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/input"
)

// A document is an entity that is held whole, for the scanner of its format.
type document struct {
	format *Format
	query  string // its charset, in which its queries are encoded
}

// setDocument makes b hold a whole document, as it was read, in the charset with this label.
func (c *Config) setDocument(b *Batch, f *Format, src []byte, label string) {
	c.setCallbacks(b)
	b.atEOF = true
	d := &document{format: f}
	b.content, b.buf = d, src
	if !f.Multipart {
		d.query = c.pageCharset(src, b.entity.Type, label)
		b.buf, b.maps = decode.Page(src, d.query)
		if c.Charsets {
			b.entity.Charset = decode.Shown(d.query)
		}
		if c.Robots && hasRobots(f) {
			b.entity.Robots = Robots(robots.OfPage(b.buf))
		}
	}
	b.end = len(b.buf)
	if (c.Messages || c.Cite) && b.entity.Type == htmlType {
		b.entity.Message = pageMessage(b.buf[:b.end], c)
	}
}

func (d *document) walk(w *walker) {
	b := w.Batch
	w.entity(scan.Span{End: len(b.buf)}, func() bool { return d.scan(w) })
}

func (d *document) scan(w *walker) bool {
	b, f := w.Batch, d.format
	switch {
	case !f.Multipart:
		if b.entity.Message != nil {
			tell(w, w.Message, b.entity.Message)
		}
		w.setQueryCharset(f, d.query)
		return w.document(f, b.buf[:b.end], Context{Type: b.entity.Type})
	case f.Trim != nil:
		return w.message(f, f.Trim(b.buf), false)
	}
	return w.message(f, scan.Span{End: len(b.buf)}, false)
}

// pageMessage returns the message that an HTML page shows, as far as its comments say so, or nil.
func pageMessage(page []byte, c *Config) *scan.Message {
	header := archivedpage.Header(page)
	if header == nil {
		return nil
	}
	for it := range scanMessage(header, c, Context{}) {
		if it.Op == scan.Enter && it.Extra().Message != nil {
			m := *it.Extra().Message
			return &m
		}
	}
	return nil
}

// someLines are whole lines of a document. They do not depend on those before them.
type someLines struct{ scan lineScanner }

// readLines cuts the document that r reads, whose first n bytes are in buf, into pieces of whole lines. b
// is the first piece. A line that does not fit into a buffer is skipped, with a note.
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
		next := b.after(buf[:end])
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
			release(buf, nil)
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

// An unreadContent is the content of a Batch for a file that is not read.
type unreadContent struct{ what, mediaType, name string }

// unreadFile yields a Batch that holds only a note: b.entity is a binary file that begins with head, and is
// not read.
func (c *Config) unreadFile(b *Batch, head []byte, yield func(*Batch, error) bool) {
	c.setCallbacks(b)
	b.content, b.atEOF, b.later = &unreadContent{binaryFile(b.entity, head), cmp.Or(mediatype.OfBinary(head), mediatype.OfPacked(head)), shownName(b.entity)}, true, true
	yield(b, nil)
}

// tooLargeToRead makes b hold only a note: b.entity is larger than the limit, and is not read.
func (b *Batch) tooLargeToRead(limit int64) {
	what := fmt.Sprintf("a file of more than %d bytes", limit)
	b.content, b.atEOF, b.later = &unreadContent{what, b.entity.Type, shownName(b.entity)}, true, true
}

func (u *unreadContent) walk(w *walker) {
	w.unread(w.begins(), u.what, u.mediaType, u.name)
}

// asText returns the note about a binary file e that is scanned as text. It begins with head.
func asText(e *Entity, head []byte) codedText {
	text := fmt.Sprintf("%s (%.200q): scanned as text", binaryFile(e, head), shownName(e))
	return codedText{code: scan.CodeAsText, text: text, unread: mediatype.Kind(mediatype.OfBinary(head), shownName(e))}
}

// binaryFile describes a binary file e, which begins with head. The command decompresses files before they come here.
func binaryFile(e *Entity, head []byte) string {
	if e.Member == "" && input.Inner(e.Name) != e.Name && input.IsCompressed(head) {
		return "a compressed file, which package source opens"
	}
	return "a binary file"
}

// shownName returns the name of a file without its directories.
func shownName(e *Entity) string { return path.Base(cmp.Or(e.Member, e.Name)) }
