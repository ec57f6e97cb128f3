package extract

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"

	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
)

// records cuts the archive of a crawler that r reads, whose first n bytes are in buf, into pieces of
// whole records. b is the first piece. If a record has more than c.MaxEntity bytes, its beginning is
// kept and the rest is skipped.
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
					rec.cut = cut{from, number<<2 | int(s.Kind)}
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
		b.content, b.buf, b.end, b.spare = piece, buf[:n], at, free
		next := &Batch{cfg: c, entity: b.entity, later: b.later, pos: b.pos, line: b.line, lineStart: b.lineStart}
		next.maps.Origin = next.pos
		next.pass(buf[:at])
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

// A spare keeps one large buffer for the next large record of an archive: it takes no more memory than
// the limit leaves for that record.
type spare struct{ atomic.Pointer[[]byte] }

// atLeast returns a buffer with more than size bytes. need is how many bytes are probably needed, 0 if
// unknown. Since that may be wrong, a new buffer has at most four times the size.
func (s *spare) atLeast(size, need int) []byte {
	size = max(2*size, min(need, 4*size))
	if size <= decode.MaxPooled {
		return largeBuffer(size)
	}
	if kept := s.Swap(nil); kept != nil && len(*kept) >= size {
		return *kept
	}
	return largeBuffer(size)
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

// A crawl is a piece of the archive of a crawler.
type crawl struct {
	number  int // of records before it
	records []crawlRecord
}

// A crawlRecord is a record, or junk between records.
type crawlRecord struct {
	at  scan.Span // in Batch.buf
	odd warc.Defect
	cut cut // its end is 0 if the records after it depend on those before it

	recordPlace

	hasTail bool // of a Cut record: the rest of it is read, too
}

func (c *crawl) cuts() []cut {
	cuts := make([]cut, len(c.records))
	for i := range c.records {
		cuts[i] = c.records[i].cut
	}
	return cuts
}

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
