package extract

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"example.org/refract/base"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
)

// A recordTail is the rest of a record that is too large to be held. It is read in windows, as
// running text, like other large documents.
type recordTail struct {
	entity *Entity
	label  string // of its charset; "": it is read as it is
	undo   Undo
	at     int    // where it begins, in the buffer
	head   []byte // the bytes of the tail that have already been read
	begin  *Batch // where it begins
}

// tail returns the tail of the last record of a piece if that record is Cut; nil if the body is not
// read, or is encoded: then the rest cannot be decoded without the bytes before it. The record is in
// src up to end; src[end:] has already been read and belongs to it, too.
func (c *Config) tail(b *Batch, src []byte, piece *crawl, end int) *recordTail {
	last := &piece.records[len(piece.records)-1]
	if last.odd != warc.Cut {
		return nil
	}
	start, number := last.at.Start, piece.number
	for i := range piece.records {
		if piece.records[i].odd != warc.NotRecord {
			number++
		}
	}
	reader := recordReaders.Get().(*recordReader)
	defer recordReaders.Put(reader)
	w := walker{Batch: &Batch{cfg: c, entity: b.entity}}
	rec := &reader.record
	rec.Parse(src[start:end])
	block := src[start:end][rec.Block.Start:rec.Block.End]
	declared, label, ok := w.recordType(reader, block)
	body := block[min(reader.http.Body, len(block)):]
	if !ok || !c.OwnRecords && isOwnRecord(rec) || !c.selects(reader, block, last.recordPlace) || len(reader.http.Transfer)+len(reader.http.Content) > 0 || !w.readable(declared) {
		return nil
	}
	if mediaType := c.pageType(declared, rec.Target, body); !mediatype.IsJSON(declared) {
		declared = mediaType
	}
	if f := c.scanner(declared); declared == "" || f != nil && f.Multipart || mediatype.IsJSON(declared) {
		return nil
	}
	view := body[max(0, len(body)-maxTailLine):]
	at := bytes.LastIndexAny(view, "\n ") + 1 // no URL is cut at a space
	t := &recordTail{undo: c.Undo}
	if hasEntities(declared) && c.Undo&UndoNone == 0 {
		t.undo |= UndoEntities
		if tag := bytes.LastIndexByte(view, '<'); tag > 0 {
			at = tag
		}
	}
	if at == 0 {
		return nil
	}
	t.at = end - len(view) + at
	t.head = bytes.Clone(src[t.at:])
	switch t.label = c.pageCharset(body, declared, label); t.label {
	case "utf-8", decode.BrokenUTF8:
		t.label = ""
	case "utf-16le", "utf-16be":
		return nil // a space byte there may be half of a character
	default:
		if _, stateful := decode.Charset(t.label); stateful {
			return nil
		}
	}
	root, _ := base.Root(c.Rules, base.Source{URI: string(rec.Target), From: rec.From}, c.Default) // the beginning of the record has its note
	t.entity = &Entity{Parent: b.entity, Name: strconv.Itoa(number), Type: declared, Base: root, Record: reader.header}
	if c.Robots {
		t.entity.Robots = Robots(robots.OfHeading(reader.http.Fields("X-Robots-Tag")) | robots.OfPage(body))
	}
	if c.Charsets {
		t.entity.Charset = t.label
	}
	if c.Messages || c.Cite {
		t.entity.Captured = rec.Time()
	}
	t.begin = &Batch{cfg: c, pos: b.pos, line: b.line, lineStart: b.lineStart, entity: t.entity, later: true}
	t.begin.pass(src[:t.at])
	last.at.End, last.hasTail = t.at, true
	return t
}

// maxTailLine is how far before the end of the held bytes to look for a space or a tag. In running
// text, no URL is longer.
const maxTailLine = 64 << 10

// hasEntities reports whether URLs in documents of a media type are written with character
// references.
func hasEntities(mediaType string) bool {
	switch mediaType {
	case htmlType, xhtmlType, svgType, markdownType, opmlType, xmlType, "text/xml":
		return true
	}
	return bytes.HasSuffix([]byte(mediaType), []byte("+xml"))
}

// readTail yields the windows of t, of which rest bytes follow t.head in r. next is a Batch at the
// beginning of those bytes; readTail moves it past them. It returns how many of the bytes are left,
// and the error of r; ok is false if yield returned false.
func (c *Config) readTail(t *recordTail, next *Batch, r io.Reader, rest int64, yield func(*Batch, error) bool) (left int64, err error, ok bool) {
	b := t.begin
	b.notes = []codedText{{code: scan.CodeTooLarge, text: fmt.Sprintf("more than %d bytes of a record: the rest is scanned as running text", c.limit())}}
	in := &tailReader{r: io.LimitedReader{R: r, N: rest}, b: next}
	s := &decode.Stream{Reader: io.MultiReader(bytes.NewReader(t.head), in)}
	if t.label != "" {
		s.Push(decode.Charset(t.label))
	}
	pushUndo(s, t.undo)
	_, ok = c.windows(b, s, c.buffer(), 0, nil, yield)
	return in.r.N, in.err, ok
}

// A tailReader moves a Batch past what it reads.
type tailReader struct {
	r   io.LimitedReader
	b   *Batch
	err error // of r.R
}

func (t *tailReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.b.pass(p[:n])
	if t.r.N > 0 {
		t.err = err
	}
	return n, err
}
