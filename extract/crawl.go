package extract

import (
	"bytes"
	"errors"
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

// records cuts the crawl archive that r reads, whose first n bytes are in buf, into pieces of whole
// records. b is the first piece. If a record has more than c.MaxEntity bytes, its beginning is kept and the
// rest is skipped.
func (c *Config) records(b *Batch, r io.Reader, buf []byte, n int, yield func(*Batch, error) bool) {
	s := warc.Splitter{Limit: int(c.limit()), Kind: warc.Kind(c.Begin.State & 3)}
	var err error
	at, from := 0, 0 // the record at offset at has been searched up to from
	if c.Storage != nil {
		s.Bound = func(from int) int {
			start := b.pos + int64(at)
			bound := c.Storage.Bound(start + int64(from))
			if bound < 0 {
				return -1
			}
			return int(bound - start)
		}
	}
	number := c.Begin.State >> 2 // of records
	inJunk := false              // the last record is junk
	need := 0                    // as in warc.Piece, for the last record
	piece, free := &crawl{number: number}, new(spare)
	for {
		if n < len(buf) && err == nil {
			var k int
			k, err = (&decode.Stream{Reader: r}).Fill(buf[n:])
			n += k
		}
		skip := int64(0)
		for at < n && skip == 0 {
			p, ok := s.Next(buf[at:n], from-at, err != nil)
			from, need = at+p.End, p.Need
			if !ok {
				break
			}
			rec := crawlRecord{at: scan.Span{Start: at, End: from}, odd: p.Defect}
			if p.Defect != warc.NotRecord {
				number++
				// If junk follows, the length of the record may still be wrong.
				if rest := buf[from:n]; p.Defect == warc.NoDefect && (len(rest) == 0 || s.Begins(rest, err != nil)) {
					piece.cuts = append(piece.cuts, cut{from, number<<2 | int(s.Kind)})
				}
				rec.locate(c.Storage, b.pos+int64(at), b.pos+int64(from)+p.Skip, c.Records)
				piece.records = append(piece.records, rec)
				inJunk = p.Defect == warc.Cut && p.Skip == 0
			} else if rest := bytes.TrimLeft(buf[at:from], "\r\n"); len(rest) > 0 && !inJunk {
				rec.at.Start = from - len(rest)
				piece.records = append(piece.records, rec)
				inJunk = true
			}
			at, skip = from, p.Skip
		}
		if at == 0 && err == nil {
			buf = grow(buf, free.atLeast(len(buf), need))
			continue
		}
		c.setCallbacks(b)
		b.content, b.cuts, b.buf, b.end, b.spare = piece, piece.cuts, buf[:n], at, free
		next := b.after(buf[:at])
		passed := min(skip, int64(n-at))
		next.pass(buf[at : at+int(passed)])
		var tail *recordTail
		if skip > 0 {
			tail = c.tail(b, buf[:at+int(passed)], piece, at)
		}
		skip -= passed
		buf = fit(n-at-int(passed), c)
		n = copy(buf, b.buf[at+int(passed):])
		ended := err != nil && n == 0 && skip == 0
		if ended && tail == nil { // archives may have many small members
			release(buf, nil)
		}
		if !yield(b, nil) {
			return
		}
		if tail != nil {
			var ok bool
			if skip, err, ok = c.readTail(tail, next, errorReader{r, err}, skip, yield); !ok {
				return
			}
		}
		for skip > 0 && err == nil {
			var k int
			k, err = r.Read(buf[:min(int64(len(buf)), decode.ReadSize, skip)])
			next.pass(buf[:k])
			skip -= int64(k)
		}
		if skip > 0 {
			next.notes = append(next.notes, odds[warc.Truncated])
		} else if ended {
			if err != io.EOF {
				yield(nil, err)
			}
			return
		}
		b, at, from, piece = next, 0, max(0, from-at), &crawl{number: number}
	}
}

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

// tail returns the tail of the last record of a piece if that record is Cut. It returns nil if the body is
// not read, or is encoded: then the rest cannot be decoded without the bytes before it. The record is in
// src up to end; src[end:] has already been read and also belongs to it.
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
	if !ok || !c.OwnRecords && isOwnRecord(rec) || !c.selects(reader, block, last.recordPlace, c.SelectRecord) || len(reader.http.Transfer)+len(reader.http.Content) > 0 || !w.readable(declared) {
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
	t.begin = b.after(src[:t.at])
	t.begin.entity, t.begin.later = t.entity, true
	last.at.End, last.hasTail = t.at, true
	return t
}

// maxTailLine is how far before the end of the held bytes to look for a space or a tag. In running text, no
// URL is longer.
const maxTailLine = 64 << 10

// readTail yields the windows of t, which has rest bytes after t.head in r. next is a Batch at the
// beginning of those bytes; readTail moves it past them. It returns how many of the bytes are left, and the
// error of r; ok is false if yield returned false.
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

// A crawl is a piece of the archive of a crawler.
type crawl struct {
	number  int // of records before it
	records []crawlRecord
	cuts    []cut
}

// A crawlRecord is a record, or junk between records.
type crawlRecord struct {
	at  scan.Span // in Batch.buf
	odd warc.Defect

	recordPlace

	hasTail bool // of a Cut record: the rest of it is read, too
}

// locate sets where in the file a record is that has the bytes of the input from start to end (with
// withPlace), and why it is incomplete, unless it is whole.
func (r *crawlRecord) locate(in Storage, start, end int64, withPlace bool) {
	if in != nil && withPlace {
		if offset, length, ok := in.Range(start, end); ok {
			r.offset, r.length = offset, length
		}
	}
	if in != nil {
		if offset, length, err := in.Damaged(start, end); err != nil {
			r.damage = &Damage{Offset: offset, Length: length, Err: err}
			return
		}
	}
	if r.odd == warc.Truncated {
		r.damage = &Damage{Offset: start, Length: end - start, Err: errTruncated}
		if r.length > 0 {
			r.damage.Offset, r.damage.Length = r.offset, r.length
		}
	}
}

var errTruncated = errors.New("the input ends inside the record")

// odds holds the notes about records.
var odds = [...]codedText{
	warc.WrongLength: {code: scan.CodeMalformed, text: "the length of the record is wrong: it ends where the next one begins"},
	warc.Truncated:   {code: scan.CodeDamaged, text: "a record is incomplete: the archive ends inside it"},
	warc.Cut:         {code: scan.CodeTooLarge, text: "a record of more than %d bytes: cut there"},
	warc.NotRecord:   {code: scan.CodeMalformed, text: "no record begins here: skipped to the next one"},
}

func (c *crawl) walk(w *walker) {
	w.http = true
	number := c.number
	for i := range c.records {
		rec := &c.records[i]
		w.mappings = append(w.mappings[:0], mapping{at: rec.at.Start})
		odd := odds[rec.odd]
		switch {
		case rec.damage != nil:
			rec.noteDamage(w)
		case rec.odd == warc.NoDefect:
		case rec.odd == warc.Cut:
			if w.Note != nil && !rec.hasTail {
				w.Note(&Note{Entity: w.ref.Entity, Pos: w.position(scan.Span{}), Code: odd.code, Text: fmt.Sprintf(odd.text, w.cfg.limit()), Unread: largeRecord})
			}
		default:
			w.note(w.position(scan.Span{}), odd.code, odd.text)
		}
		if rec.odd == warc.NotRecord {
			continue
		}
		number++
		w.isCut = rec.odd == warc.Cut || rec.damage != nil
		if !w.entity(rec.at, func() bool { return w.pooledRecord(rec.at, rec.recordPlace, number) }) {
			return
		}
	}
}

// noteDamage notes that a record is incomplete.
func (r *crawlRecord) noteDamage(w *walker) {
	var rec warc.Record
	rec.Parse(w.buf[r.at.Start:r.at.End])
	d := r.damage
	d.Target = string(rec.Target)
	if w.Note == nil {
		return
	}
	which := "a record"
	if d.Target != "" {
		which = "the record of " + d.Target[:min(len(d.Target), 2048)]
	}
	text := fmt.Sprintf("%s is incomplete: the archive is damaged at byte %d, up to %d bytes are unread: %v", which, d.Offset, d.Length, d.Err)
	if d.Err == errTruncated {
		text = which + " is incomplete: the archive ends inside it"
	}
	tell(w, w.Note, &Note{Entity: w.ref.Entity, Pos: w.position(scan.Span{}), Code: scan.CodeDamaged, Text: text, Damage: d})
}

// largeRecord is the kind of a record whose end is not read.
const largeRecord = "large record"
