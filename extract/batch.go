package extract

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
)

// An input is read in windows of batchSize bytes, together with what decides about
// their first and last reference: delimit.Before bytes before, lookahead behind.
const (
	batchSize = 1 << 20
	lookahead = delimit.MaxReference + 16<<10

	windowSize = delimit.Before + batchSize + lookahead
)

// A Batch is a piece of an input that can be walked at the same time as others.
type Batch struct {
	// Note, Anchor and Mention are called as those of the Config, which they are at first.
	Note    func(*Note)
	Anchor  func(*Anchor)
	Mention func(*Mention)

	// Skipped is, once the Batch has been walked, how many records of a crawler's archive
	// have a body of a type that is not read: images, scripts, PDF, and JSON unless
	// Config.JSONLD asks for it.
	Skipped int

	cfg    *Config
	entity *Entity
	format *Format     // of an entity that is held whole
	query  string      // its charset, which queries are in
	notes  []codedText // about the input

	archived []archived // of an archive; nil: it is none
	crawled  bool       // it is that of a crawler
	records  int        // of that, in front of b

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
	b := make([]byte, windowSize)
	return &b
}}

// pages holds larger buffers, of any size.
var pages sync.Pool

// Release gives the memory of b back. Nothing that b yielded may be used behind it.
func (b *Batch) Release() {
	if b != nil && b.buf != nil {
		full := b.buf[:cap(b.buf)]
		if len(full) == windowSize {
			buffers.Put(&full)
		} else {
			pages.Put(&full)
		}
		b.buf = nil
	}
}

// Batches cuts the input that r reads into pieces, in order. An error of r is the
// last element. What one Batch finds depends on where the one before ended: either
// Follow each before walking it, or walk it in advance and Redo it. The iterator is
// single-use; the Batches are independent of it.
func (c *Config) Batches(name string, r io.Reader) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		retrieved := c.Retrieved
		if strings.Contains(retrieved.URI, messageID) {
			retrieved.URI = ""
		}
		root, err := base.Root(c.Rules, retrieved, c.Default)
		b := &Batch{cfg: c, entity: &Entity{Name: name, Type: textType, Base: root}, pos: c.Begin.Offset, records: c.Begin.State >> 2}
		b.maps.origin, b.lineStart = b.pos, b.pos
		if err != nil {
			b.notes = append(b.notes, codedText{scan.CodeInvalidBase, err.Error()})
		}
		if c.Lines {
			b.line = max(c.Begin.Line, 1)
		}
		buf := c.buffer()
		s := &stream{r: r}
		n, err := s.fill(buf)
		mediaType, label := c.detect(name, buf[:min(n, 4096)])
		if c.Begin != (Mark{}) {
			label = "" // what an archive is shows at its beginning only
		}
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
		b.entity.Type = mediaType
		if c.scanner(mediaType) == nil && label == "utf-8" {
			label = "" // text is scanned as it is
		}
		rest := errorReader{r, err}
		if k := c.ContainerOfType(mediaType); k != nil {
			if k.split == nil {
				c.records(b, rest, buf, n, yield)
			} else {
				c.split(b, k.split(c.Begin.State), rest, buf, n, yield)
			}
			return
		}
		if c.scanner(mediaType) != nil {
			limit := c.limit()
			if buf, err = hold(rest, buf, n, limit); err != nil {
				if b.page(buf, label, c); yield(b, nil) && err != io.EOF {
					yield(nil, err)
				}
				return
			}
			b.notes = append(b.notes, tooLarge(limit))
			s.r = io.MultiReader(bytes.NewReader(buf), rest)
			buf, n = c.buffer(), 0
		} else if label != "" || c.Undo != 0 {
			s.r = io.MultiReader(bytes.NewReader(bytes.Clone(buf[:n])), rest)
		}
		if label != "" {
			s.push(decodeCharset(label))
		}
		c.undo(s)
		if n == 0 || len(s.layers) > 0 {
			n, err = s.fill(buf)
		}
		if _, err, ok := c.windows(b, s, buf, n, err, yield); ok && err != io.EOF {
			yield(nil, err)
		}
	}
}

// A codedText is what a Note says.
type codedText struct {
	code scan.Code
	text string
}

func (c *Config) setCallbacks(b *Batch) { b.Note, b.Anchor, b.Mention = c.Note, c.Anchor, c.Mention }

// buffer returns the memory of a window.
func (c *Config) buffer() []byte {
	buf := *buffers.Get().(*[]byte)
	if c.window > 0 {
		buf = buf[:delimit.Before+c.window+lookahead]
	}
	return buf
}

// limit is the size in bytes up to which entities are held whole. The offsets of a Map,
// and of what is decoded to three times as much, are below 2 GiB.
func (c *Config) limit() int64 {
	if c.MaxEntity <= 0 {
		return MaxEntity
	}
	return min(c.MaxEntity, 512<<20)
}

func tooLarge(limit int64) codedText {
	return codedText{scan.CodeTooLarge, fmt.Sprintf("more than %d bytes: scanned as running text", limit)}
}

// undo makes s undo what is asked for.
func (c *Config) undo(s *stream) {
	s.undo = len(s.layers)
	for i, step := range undoSteps {
		if c.Undo>>i&1 != 0 {
			s.push(step(), false)
		}
	}
}

// windows cuts what s reads, of which buf holds n bytes, into pieces of running text, of
// which b is the first. It returns what follows the last one, and why s ended; ok is
// false when the caller has had enough.
func (c *Config) windows(b *Batch, s *stream, buf []byte, n int, err error, yield func(*Batch, error) bool) (after *Batch, _ error, ok bool) {
	for {
		c.setCallbacks(b)
		b.buf, b.atEOF = buf[:n], err != nil
		b.maps = s.snapshot(b.maps.origin)
		if b.end = n; !b.atEOF {
			b.end = n - lookahead
			if i := bytes.LastIndexByte(buf[b.body:b.end], '\n'); i >= 0 {
				b.end = b.body + i + 1
			}
		}
		// The next is made before this one is given away.
		next := &Batch{cfg: c, entity: b.entity}
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
		b = next
	}
}

// hold reads r into buf, which holds n bytes already, to its end or past the limit. The
// error is that of r, io.EOF or another; or nil: there is more.
func hold(r io.Reader, buf []byte, n int, limit int64) ([]byte, error) {
	for {
		if int64(n) > limit {
			return buf[:n], nil
		}
		if n == len(buf) {
			buf = larger(buf)
		}
		k, err := r.Read(buf[n:])
		n += k
		if err != nil && int64(n) <= limit { // else r gives it again
			return buf[:n], err
		}
	}
}

// larger returns a buffer of at least twice the length that begins with what is in buf,
// whose memory is given back.
func larger(buf []byte) []byte {
	big, _ := pages.Get().(*[]byte)
	if big == nil || len(*big) < 2*len(buf) {
		made := make([]byte, 2*len(buf))
		big = &made
	}
	copy(*big, buf)
	(&Batch{buf: buf}).Release()
	return *big
}

// page makes b the whole of an entity, as it was read, in the charset with this label.
func (b *Batch) page(src []byte, label string, c *Config) {
	c.setCallbacks(b)
	b.atEOF = true
	b.format = c.scanner(b.entity.Type)
	if b.format.Multipart {
		b.buf, b.end = src, len(src)
		return
	}
	b.query = c.pageCharset(src, b.entity.Type, label)
	b.buf, b.maps = decodePage(src, b.query)
	b.end = len(b.buf)
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

// Size is the number of bytes that b is to walk.
func (b *Batch) Size() int64 { return int64(b.end - b.body) }

// First reports whether b is the first of its input.
func (b *Batch) First() bool { return b.pos == 0 && b.body == 0 }
