package extract

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"os"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/internal/filemap"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
)

// An input is read in windows of batchSize bytes, together with the bytes that decide about their
// first and last reference: delimit.Before bytes before, lookahead after.
const (
	batchSize = 1 << 20
	lookahead = delimit.MaxReference + 16<<10

	windowSize = delimit.Before + batchSize + lookahead
)

// A Batch is a piece of an input: a window of running text, a document, or several messages or
// records of an archive. Batches can be walked one after the other, or by Parallel. The zero Batch is
// empty.
type Batch struct {
	// Note, Anchor and Mention are called as those of the Config are, and are initially the same
	// functions.
	Note    func(*Note)
	Anchor  func(*Anchor)
	Mention func(*Mention)

	// Begin, if set, is called when a document, a message, a record, or a window of running text
	// begins; size is the number of bytes of the input that it takes. Everything found until the next
	// Begin belongs to it.
	Begin func(size int64)

	// Message, if set, is called with Config.Messages or Cite when a message begins, after Begin and before the
	// contents of the message.
	Message func(*scan.Message)

	// CountOnly, if set while the Batch is walked, means that the rest of the document, message, record
	// or window is only counted: its References are not resolved, and have only Entity, Pos, Kind, How,
	// In, Raw and Ref set. It is reset to false at the next Begin.
	CountOnly bool

	// Skipped is, once the Batch has been walked, the number of records of a crawler's archive whose
	// body has a type that is not read: images, scripts, and JSON unless Config.JSONLD asks for
	// it.
	Skipped int

	cfg     *Config
	entity  *Entity
	content content
	notes   []codedText    // about the input
	later   bool           // for a member of a Container: not its first piece
	as      *Format        // of a member whose Container sets it
	own     *base.Base     // of a member of a package: what Item.IgnoresBase refers to; nil: the member
	held    int64          // bytes of the Containers around it that are in memory
	probing bool           // it is walked only for its bases
	guess   *undo.Guess    // of running text that may be JSON, until it is noted; nil: there is none
	strings *undo.Language // of running text that is source code; nil: none
	ready   func() bool    // reports whether a read of the input returns at once; nil: its text is read in whole windows
	over    chan struct{}  // closed when the Batch is released; nil: it is walked, if at all, before the next one is cut
	err     error          // the first panic of a walk, a *PanicError
	lost    error          // why a part of the file could not be read while it was walked

	buf       []byte
	region    *filemap.Region  // of a file, which buf is; nil: buf has been read
	spare     *spare           // where buf goes that is too large for a pool; nil: nowhere
	body, end int              // buf[body:end] is walked; the bytes around it decide about its ends
	atEOF     bool             // nothing follows buf
	pos       int64            // of buf[0] in the decoded text
	maps      decode.Maps      // from buf to the source
	excerpt   *message.Excerpt // of which buf is the text; then maps is empty

	line      int   // of buf[body], from 1; 0 unless lines are counted
	lineStart int64 // Source offset at which that line begins
}

// A content is what a Batch holds: a window, a document, an archive or a crawl.
type content interface {
	// walk passes the Items of a Batch to w.
	walk(w *walker)

	// cuts returns where an archive can be cut, in order.
	cuts() []cut
}

// A cut is a place in a Batch where a message or a record ends and the next may begin.
type cut struct {
	end   int // in Batch.buf
	state int // as in Mark
}

var buffers = sync.Pool{New: func() any {
	b := make([]byte, windowSize)
	return &b
}}

// pooledWindows is how many windows a document has at most whose memory goes back to the pool. That of
// larger ones would stay while they are decoded.
const pooledWindows = 4

// largeBuffers holds larger buffers, of any size up to decode.MaxPooled.
var largeBuffers sync.Pool

// Release returns the memory of b to the pool. Nothing that b yielded may be used afterwards. A nil
// Batch is allowed.
func (b *Batch) Release() {
	if b != nil && b.region != nil {
		b.region.Close()
		b.region, b.buf, b.maps = nil, nil, decode.Maps{}
	}
	if b != nil && b.buf != nil {
		if b.over != nil {
			close(b.over)
		}
		release(b.buf, b.spare)
		b.buf, b.maps = nil, decode.Maps{}
	}
}

// release returns buf to its pool, or, if it is too large for one, to s, if that is not nil.
func release(buf []byte, s *spare) {
	full := buf[:cap(buf)]
	switch n := len(full); {
	case n == windowSize:
		buffers.Put(&full)
	case n < windowSize: // a decoded page
	case n <= decode.MaxPooled:
		largeBuffers.Put(&full)
	case s != nil:
		s.CompareAndSwap(nil, &full)
	}
}

// Batches cuts the input that r reads into pieces, in order. An error of r is the last element. Walk
// each Batch before the next one, unless Parallel walks them, because a reference may reach into the
// next. The iterator is single-use; Batches stay valid until their Release. A panic of the code that
// cuts the input becomes the last element, a *PanicError, like an error of r.
//
// Text is read in windows of 1 MiB, unless r has a method Ready() bool, which reports whether a Read
// returns at once. Then a window ends where r is not ready, so that a Batch appears as soon as there
// may be a reference in it; Batch.Pauses is true for such a window. What follows it is read when it
// has been walked or released.
func (c *Config) Batches(name string, r io.Reader) iter.Seq2[*Batch, error] {
	var ready func() bool
	if r, ok := r.(interface{ Ready() bool }); ok {
		ready = r.Ready
	}
	return c.batches(name, r, ready)
}

// batches is Batches, with ready as in Batch.
func (c *Config) batches(name string, r io.Reader, ready func() bool) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		if err := c.Validate(); err != nil {
			yield(nil, err)
			return
		}
		retrieved := c.Retrieved
		if strings.Contains(retrieved.URI, messageID) {
			retrieved.URI = ""
		}
		root, err := base.Root(c.Rules, retrieved, c.Default)
		b := &Batch{cfg: c, entity: &Entity{Name: name, Type: textType, Base: root}, pos: c.Begin.Offset, ready: ready}
		if err != nil {
			b.notes = append(b.notes, codedText{code: scan.CodeInvalidBase, text: err.Error()})
		}
		batches(b.entity, func(pass func(*Batch, error) bool) { c.read(b, cmp.Or(c.TypeName, name), r, pass) }, yield)
	}
}

// read cuts the input that r reads into pieces, of which b is the first. b.entity is the input.
func (c *Config) read(b *Batch, name string, r io.Reader, yield func(*Batch, error) bool) {
	b.maps.Origin, b.lineStart = b.pos, b.pos
	if c.Lines {
		b.line = max(c.Begin.Line, 1)
	}
	buf := c.buffer()
	rest := errorReader{r: r}
	n := 0
	if b.ready != nil {
		n = c.readHead(name, &rest, b.ready, buf[:headSize])
	} else {
		n = rest.fill(buf[:decode.ReadSize], 0)
	}
	mediaType, label, terr := c.typeOf(name, buf[:min(n, headSize)])
	if terr != nil {
		yield(nil, terr)
		return
	}
	k := c.containerOfType(mediaType)
	if b.as != nil {
		k, mediaType = nil, b.as.Types[0]
	}
	if mediaType == binaryType && c.SkipBinary || k.hasMembers() && c.Archives != OpenArchives && !k.isPackage || c.Type == "" && (mediaType == binaryType || mediaType == textType) && mediatype.IsPacked(buf[:n]) {
		c.unreadFile(b, buf[:n], yield)
		release(buf, nil)
		return
	}
	if mediaType == binaryType && c.Type == "" && c.Begin == (Mark{}) {
		b.notes = append(b.notes, asText(b.entity, buf[:n]))
	}
	b.entity.Type = mediaType
	if k == nil {
		c.readDocument(b, label, rest, buf, n, yield)
		return
	}
	n = rest.fill(buf, n)
	switch {
	case k.hasMembers():
		c.members(b, k, name, rest, buf, n, yield)
	case k.split != nil:
		c.split(b, k.split(c.Begin.State), rest, buf, n, yield)
	default:
		c.records(b, rest, buf, n, yield)
	}
}

// typeOf returns the media type and the charset of an input that begins with head. A byte order
// mark counts for more than Config.Type.
func (c *Config) typeOf(name string, head []byte) (mediaType, label string, err error) {
	mediaType, label = c.detect(name, head)
	if c.Begin != (Mark{}) {
		label = "" // only the beginning of an archive shows its charset
	}
	if c.Type != "" && label == "" {
		return c.declaredType()
	}
	return mediaType, label, nil
}

// readDocument makes b a document if it can be held in memory, otherwise the first of several windows
// of running text. buf holds its first n bytes; r reads the rest.
func (c *Config) readDocument(b *Batch, label string, r errorReader, buf []byte, n int, yield func(*Batch, error) bool) {
	f := c.scanner(b.entity.Type)
	if b.as != nil {
		f = b.as
	}
	if c.Charsets && f == nil {
		b.entity.Charset = label
	}
	if f == nil && label == "utf-8" {
		label = "" // Text is scanned as it is
	}
	undo := c.Undo
	if f == nil {
		undo = b.undoByHead(undo, buf[:min(n, headSize)])
	}
	if f != nil {
		n = r.fill(buf, n)
	}
	s, err := &decode.Stream{Reader: r.r}, r.err
	switch {
	case f != nil && f.isMessage && f.frame == nil && (err == nil || int64(n) > c.limit()):
		c.readMessage(b, f, r, buf, n, yield)
		return
	case f != nil && f.lines != nil && label == "":
		c.readLines(b, f.lines, r, buf, n, yield)
		return
	case f != nil:
		limit := c.limit()
		if f.isBinary {
			b.line = 0
		}
		buf, err = hold(r, buf, n, limit)
		if err != nil {
			c.setDocument(b, f, buf, label)
			if yield(b, nil) && err != io.EOF {
				yield(nil, err)
			}
			return
		}
		if f.isMessage {
			c.readMessage(b, f, r, buf, len(buf), yield)
			return
		}
		if f.isBinary {
			c.setCallbacks(b)
			b.tooLargeToRead(limit)
			release(buf, nil)
			yield(b, nil)
			return
		}
		b.notes = append(b.notes, tooLarge(limit))
		if hasEntities(b.entity.Type) && undo&UndoNone == 0 {
			undo |= UndoEntities
		}
		if mediatype.IsJSON(b.entity.Type) && undo&UndoNone == 0 {
			undo |= UndoJSON
		}
		s.Reader = io.MultiReader(bytes.NewReader(buf), r)
		buf, n = c.buffer(), 0
	case label != "" || undo != 0 || b.guess != nil || b.strings != nil:
		s.Reader = io.MultiReader(bytes.NewReader(bytes.Clone(buf[:n])), r)
		n, err = 0, nil
	}
	if label != "" {
		s.Push(decode.Charset(label))
	}
	pushUndo(s, undo)
	switch {
	case b.guess != nil:
		s.PushFollower(b.guess)
	case b.strings != nil:
		s.PushFollower(b.strings.Literals())
	}
	s.Prompt = b.strings == nil && label == "" && undo&^(UndoJSON|UndoNone|UndoAuto) == 0
	err, ok := c.windows(b, s, buf, n, err, yield)
	if ok && err != io.EOF {
		yield(nil, err)
	}
}

// A codedText is the content of a Note.
type codedText struct {
	code   scan.Code
	text   string
	unread string
}

func (c *Config) setCallbacks(b *Batch) { b.Note, b.Anchor, b.Mention = c.Note, c.Anchor, c.Mention }

// buffer returns a buffer for a window.
func (c *Config) buffer() []byte {
	buf := *buffers.Get().(*[]byte)
	if c.window > 0 {
		buf = buf[:delimit.Before+c.window+lookahead]
	}
	return buf
}

// limit returns the size in bytes up to which entities are held. Decoding may triple it, and the
// offsets of a Map must stay below 2 GiB.
func (c *Config) limit() int64 {
	if c.MaxEntity <= 0 {
		return MaxEntity
	}
	return min(c.MaxEntity, 512<<20)
}

func tooLarge(limit int64) codedText {
	return codedText{code: scan.CodeTooLarge, text: fmt.Sprintf("more than %d bytes: scanned as running text", limit)}
}

// pushUndo pushes the decoders of notations to s.
func pushUndo(s *decode.Stream, notations Undo) {
	s.Undo = len(s.Layers)
	for i, step := range undoSteps {
		if notations>>i&1 != 0 {
			s.Push(step(), false)
		}
	}
}

// hold reads r into buf, which already has n bytes, until r ends or the limit is exceeded. The error
// is that of r, io.EOF or another; nil if the limit is exceeded.
func hold(r io.Reader, buf []byte, n int, limit int64) ([]byte, error) {
	var full [][]byte // the bytes before buf: doubling buf would take three times the memory
	size := int64(0)  // of full
	for {
		if size+int64(n) > limit {
			return join(full, buf[:n]), nil
		}
		if n == len(buf) && len(full) == 0 {
			if more := remaining(r); more > 0 && int64(n)+more <= limit {
				buf = grow(buf, largeBuffer(n+int(more)+1)) // with room for the read that finds the end
			}
		}
		if n == len(buf) {
			full, size = append(full, buf), size+int64(n)
			n = 0
			if len(full) < pooledWindows {
				buf = *buffers.Get().(*[]byte)
			} else {
				buf = make([]byte, windowSize)
			}
		}
		k, err := r.Read(buf[n:])
		n += k
		if err != nil && size+int64(n) <= limit { // otherwise r returns it again
			return join(full, buf[:n]), err
		}
	}
}

// remaining returns how many bytes r still has, if it is a regular file; 0 if that is unknown.
func remaining(r io.Reader) int64 {
	if e, ok := r.(errorReader); ok {
		r = e.r
	}
	f, ok := r.(*os.File)
	if !ok {
		return 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return info.Size() - at
}

// join returns the bytes of full and of last in one buffer, and releases the others.
func join(full [][]byte, last []byte) []byte {
	if len(full) == 0 {
		return last
	}
	size := len(last)
	for _, b := range full {
		size += len(b)
	}
	all := largeBuffer(size)
	n := 0
	for i, b := range append(full, last) {
		n += copy(all[n:], b)
		if i == 0 || len(full) < pooledWindows {
			release(b, nil)
		}
	}
	return all[:n]
}

// larger returns a longer buffer with the bytes of buf, whose memory it releases.
func larger(buf []byte) []byte { return grow(buf, largeBuffer(2*len(buf))) }

// grow moves the bytes of buf to the beginning of big.
func grow(buf, big []byte) []byte {
	copy(big, buf)
	release(buf, nil)
	return big
}

// largeBuffer returns a buffer of at least size bytes, and at most 1 MiB or a half more.
func largeBuffer(size int) []byte {
	const unit = 1 << 20
	size = (size + unit - 1) / unit * unit
	if big, _ := largeBuffers.Get().(*[]byte); big != nil {
		if size <= len(*big) && len(*big) <= size+max(size/2, unit) {
			return *big
		}
		largeBuffers.Put(big)
	}
	return make([]byte, size)
}

// An errorReader reads r, unless r has already returned err.
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

// Fill reads into buf, which has n bytes, and returns how many it then has: fewer than len(buf) only with e.err.
func (e *errorReader) fill(buf []byte, n int) int {
	if e.err != nil {
		return n
	}
	var more int
	more, e.err = (&decode.Stream{Reader: e.r}).Fill(buf[n:])
	return n + more
}

// Written returns the offset of buf[i] in the text in which no Undo has been applied.
func (b *Batch) written(i int) int {
	s, _ := b.maps.Written(scan.Span{Start: i, End: i})
	return s.Start
}

// Text returns the Text in which no Undo has been applied: lines are counted in it.
func (b *Batch) text() []byte {
	if b.maps.Text != nil {
		return b.maps.Text
	}
	return b.buf
}

// lineAt returns the line of text[to] and the source offset at which it begins, given those of
// text[from].
func (b *Batch) lineAt(from, to, line int, start int64) (int, int64) {
	text := b.text()[from:to]
	if n := bytes.Count(text, newline); n > 0 {
		i := from + lastNewline(text) + 1
		back, _ := b.maps.Source(scan.Span{Start: i, End: i})
		return line + n, b.maps.Origin + int64(back.Start)
	}
	return line, start
}

var newline = []byte{'\n'}

// lastNewline returns the index of the last line feed in text, or -1. It tests eight bytes at a time, where
// bytes.LastIndexByte tests one.
func lastNewline(text []byte) int {
	const (
		newlines = '\n' * 0x0101010101010101
		low7     = 0x7F7F7F7F7F7F7F7F
	)
	n := len(text)
	for ; n >= 8; n -= 8 {
		w := binary.LittleEndian.Uint64(text[n-8:n]) ^ newlines // 0 in the bytes that are line feeds
		if is := ^((w&low7 + low7) | w | low7); is != 0 {       // the highest bit of these
			return n - 1 - bits.LeadingZeros64(is)/8
		}
	}
	return bytes.LastIndexByte(text[:n], '\n')
}

// Size returns how many bytes of the input b stands for.
func (b *Batch) Size() int64 {
	if b.excerpt != nil {
		return b.excerpt.Size
	}
	return b.maps.Offset(b.end) - b.maps.Offset(b.body)
}

// First reports whether b is the first of its input.
func (b *Batch) First() bool { return b.pos == 0 && b.body == 0 && !b.later }

// Held returns how many bytes are held in memory for the archives that contain b, besides b itself.
func (b *Batch) Held() int64 { return b.held }
