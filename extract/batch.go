package extract

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/bits"
	"sort"

	"example.org/refract/base"
	"example.org/refract/extract/internal/filemap"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
)

// A Batch is a piece of an input: a window of running text, a document, or several messages or records of
// an archive. Batches can be walked one after the other, or by Parallel. The zero Batch is empty.
type Batch struct {
	// Note, Anchor and Mention work like the functions of the Config, and are initially the same.
	Note    func(*Note)
	Anchor  func(*Anchor)
	Mention func(*Mention)

	// SelectRecord works like that of the Config, and is initially the same function. It is called in source
	// order with the other functions.
	SelectRecord func(*Record) bool

	// Begin, if set, is called when a document, a message, a record, or a window of running text begins. size
	// is the number of bytes of the input that it takes. Everything found until the next Begin belongs to it.
	Begin func(size int64)

	// Message, if set, is called with Config.Messages or Cite when a message begins, after Begin and before the
	// contents of the message.
	Message func(*scan.Message)

	// CountOnly, if set while the Batch is walked, means that the rest of the document, message, record or
	// window is only counted. Its References are not resolved, and have only Entity, Pos, Kind, How, In, Raw
	// and Ref set. It is reset to false at the next Begin.
	CountOnly bool

	// Skipped is, once the Batch has been walked, the number of records of a crawl archive whose body has a
	// type that is not read: images, scripts, and JSON unless Config.JSONLD is set.
	Skipped int

	cfg     *Config
	entity  *Entity
	content content
	cuts    []cut          // where an archive can be cut, in order
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
	walk(w *walker) // passes the Items of a Batch to w
}

// A cut is a place in a Batch where a message or a record ends and the next may begin.
type cut struct {
	end   int // in Batch.buf
	state int // as in Mark
}

// A codedText is the content of a Note.
type codedText struct {
	code   scan.Code
	text   string
	unread string
	damage *Damage
}

func (c *Config) setCallbacks(b *Batch) {
	b.Note, b.Anchor, b.Mention, b.SelectRecord = c.Note, c.Anchor, c.Mention, c.SelectRecord
}

// Release returns the memory of b to the pool. Nothing that b yielded may be used afterwards. A nil Batch
// is allowed.
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

// Err returns, once b has been walked, the first panic of the code that read b, as a *PanicError, or nil.
// Before that, the Note of the Batch, if set, has been called for each panic, with scan.CodeInternal. With
// Config.MapFiles, Err also returns the error about a file that became shorter; its Note has
// scan.CodeDamaged.
func (b *Batch) Err() error {
	if b.lost != nil {
		return b.lost
	}
	return b.err
}

// Marks yields the places where the archive can be cut, in order: those after each message or record of b,
// including the end of the archive.
func (b *Batch) Marks() iter.Seq[Mark] {
	return func(yield func(Mark) bool) {
		at, line := 0, b.line
		for _, c := range b.cuts {
			if b.buf[c.end-1] != '\n' { // columns count from the beginning of a line
				continue
			}
			if line > 0 {
				line += bytes.Count(b.buf[at:c.end], newline)
			}
			at = c.end
			if !yield(Mark{b.pos + int64(at), line, c.state}) {
				return
			}
		}
	}
}

// Size returns the number of bytes of the input that b covers.
func (b *Batch) Size() int64 {
	if b.excerpt != nil {
		return b.excerpt.Size
	}
	return b.maps.Offset(b.end) - b.maps.Offset(b.body)
}

// First reports whether b is the first of its input.
func (b *Batch) First() bool { return b.pos == 0 && b.body == 0 && !b.later }

// MemberPath returns the path of the Container member that b belongs to, as [Entity.MemberPath] does; "" if
// there is none.
func (b *Batch) MemberPath() string { return b.entity.MemberPath() }

// Held returns how many bytes are held in memory for the archives that contain b, besides b itself.
func (b *Batch) Held() int64 { return b.held }

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

// lineAt returns the line of text[to] and the source offset at which it begins, given those of text[from].
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

// after returns a Batch of the same input that begins after p, with which b begins.
func (b *Batch) after(p []byte) *Batch {
	next := &Batch{cfg: b.cfg, entity: b.entity, later: b.later, pos: b.pos, line: b.line, lineStart: b.lineStart}
	next.pass(p)
	return next
}

// pass moves the beginning of b past p.
func (b *Batch) pass(p []byte) {
	if b.line > 0 {
		if i := bytes.LastIndexByte(p, '\n'); i >= 0 {
			b.line, b.lineStart = b.line+bytes.Count(p, newline), b.pos+int64(i)+1
		}
	}
	b.pos += int64(len(p))
	b.maps.Origin = b.pos
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

// excerptMark returns the last Mark at or before an offset in the text of a Batch.
func (b *Batch) excerptMark(at int) *message.Mark {
	marks := b.excerpt.Marks
	i := sort.Search(len(marks), func(i int) bool { return marks[i].At > at })
	return &marks[max(0, i-1)]
}
