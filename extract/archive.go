package extract

import (
	"io"

	"example.org/refract/extract/internal/mailbox"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
)

// An archive is a piece of a file that holds messages.
type archive struct {
	messages []archivedMessage
	cuts     []cut
}

// An archivedMessage is a message in an archive.
type archivedMessage struct {
	at     scan.Span // in Batch.buf
	exact  bool      // it ends where the archive says
	quoted bool      // the mailbox writer may have put ">" before lines that begin with "From "
}

func (a *archive) walk(w *walker) {
	mail := w.cfg.mail()
	for i := range a.messages {
		m := &a.messages[i]
		if !m.exact {
			w.mappings = w.mappings[:0]
			w.note(w.position(scan.Span{Start: m.at.Start, End: m.at.Start}), scan.CodeMalformed, "the message does not end where its batch says")
		}
		if !w.entity(m.at, func() bool { return w.message(mail, m.at, m.quoted) }) {
			return
		}
	}
}

// mail returns the Format of messages.
func (c *Config) mail() *Format {
	if f := c.scanner(messageType); f != nil {
		return f
	}
	return builtin().types[messageType] // the Config reads messages as running text, but their archive is known
}

// split cuts the archive that r reads, whose first n bytes are in buf, into pieces of whole messages.
// b is the first piece. A message of more than c.MaxEntity bytes is condensed.
func (c *Config) split(b *Batch, by mailbox.Splitter, r io.Reader, buf []byte, n int, yield func(*Batch, error) bool) {
	held := &fragments{cfg: c, yield: yield, base: b}
	if err, ok := c.splitMessages(b, by, r, buf, n, held); ok && held.flush() && err != io.EOF {
		yield(nil, err)
	}
}

// splitMessages is split, except for the fragments that are held back at the end. It returns the error of
// r; ok is false if yield returned false.
func (c *Config) splitMessages(b *Batch, by mailbox.Splitter, r io.Reader, buf []byte, n int, held *fragments) (err error, ok bool) {
	// The same number of bytes decides where a message ends, whatever the size of buf.
	view := int(c.limit()) + decode.ReadSize
	at, from := 0, 0 // the message at offset at has been searched up to from
	quoted := false  // as in archivedMessage, for the bytes before from
	piece := new(archive)
	for {
		held.begin(b)
		if n < len(buf) && err == nil {
			var k int
			k, err = (&decode.Stream{Reader: r}).Fill(buf[n:])
			n += k
		}
		large := false
		for at < n {
			src, ended := buf[at:n], err != nil
			if len(src) > view {
				src, ended = src[:view], false
			}
			p, ok := by.Next(src, from-at, ended)
			if !ok && len(src) == view {
				// The splitter may be waiting for the end that a Content-Length gives.
				p, ok = by.Next(src, 0, true)
			}
			quoted = quoted || p.Quoted
			from = at + p.End
			if !ok {
				break
			}
			large = int64(p.End) > c.limit()
			if large {
				break
			}
			start, stop, exact := by.Body(buf[at:from])
			if span := (scan.Span{Start: at + start, End: at + stop}); !held.hold(buf, span, exact, quoted) {
				piece.messages = append(piece.messages, archivedMessage{span, exact, quoted})
				if exact && held.count == 0 { // a reader that begins here would not find all fragments
					piece.cuts = append(piece.cuts, cut{from, by.State()})
				}
			}
			at, quoted = from, false
		}
		switch {
		case at == 0 && large:
			start, _, _ := by.Body(buf[:min(n, view)])
			one := &oneMessage{by: by, r: r, err: err, buf: buf[:n:n], ready: from, ended: from < view, quoted: quoted}
			if !one.ended { // what follows the limit has not been decided
				one.ready = int(c.limit())
				one.from = one.ready + 1
			}
			var readErr error
			b, readErr, ok = c.condense(b, builtin().types[messageType], one, start, func() bool { return one.quoted }, held.yield)
			if !ok {
				return nil, false
			}
			if readErr != io.EOF {
				return readErr, true
			}
			buf = fit(len(one.buf), c)
			n = copy(buf, one.buf)
			at, from, quoted, err = 0, 0, false, one.err
			if n == 0 && err != nil {
				return err, true
			}
			continue
		case at == 0 && err == nil:
			buf = larger(buf)
			continue
		}
		c.setCallbacks(b)
		b.content, b.cuts, b.buf, b.end = piece, piece.cuts, buf[:n], at
		next := b.after(buf[:at])
		if err != nil && at == n {
			return err, held.yield(b, nil)
		}
		buf = fit(n-at, c)
		n = copy(buf, b.buf[at:])
		at, from = 0, from-at
		if !held.yield(b, nil) || !held.passComplete() {
			return nil, false
		}
		b, piece = next, new(archive)
	}
}

// A oneMessage reads to the end of the message that it begins in. buf then holds the bytes it has read of
// the next message.
type oneMessage struct {
	by    mailbox.Splitter
	r     io.Reader
	err   error // of r
	buf   []byte
	from  int // buf has been searched up to here
	ready int // buf belongs to the message up to here
	ended bool

	quoted bool // as in archivedMessage, for the bytes before from
}

func (m *oneMessage) Read(p []byte) (int, error) {
	for m.ready == 0 && !m.ended {
		piece, ok := m.by.Next(m.buf, m.from, m.err != nil)
		m.quoted = m.quoted || piece.Quoted
		if ok {
			m.ready, m.ended = piece.End, true
			break
		}
		m.from = piece.End
		if m.from > 1 {
			m.ready = m.from - 1 // the byte before it takes part in the decision
			break
		}
		m.buf = append(m.buf, make([]byte, decode.ReadSize)...)
		var k int
		k, m.err = m.r.Read(m.buf[len(m.buf)-decode.ReadSize:])
		m.buf = m.buf[:len(m.buf)-decode.ReadSize+k]
	}
	if m.ready == 0 {
		if m.err != nil && m.err != io.EOF && len(m.buf) == 0 {
			return 0, m.err
		}
		return 0, io.EOF
	}
	k := copy(p, m.buf[:m.ready])
	m.buf, m.ready, m.from = m.buf[k:], m.ready-k, m.from-k
	return k, nil
}
