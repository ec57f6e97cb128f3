package extract

import (
	"bytes"
	"slices"

	"example.org/refract/extract/message"
	"example.org/refract/extract/scan"
)

// fragments holds back the fragments of larger messages (RFC 2046 section 5.2.2) in an archive until a
// message is complete. It holds at most maxHeld of them, of Config.MaxEntity bytes together. Other
// fragments, and those that are incomplete at the end of the archive, are read by themselves.
type fragments struct {
	cfg      *Config
	yield    func(*Batch, error) bool
	sets     map[string]*fragmentSet // by Partial.ID
	order    []string                // of the sets, and of some that are complete
	size     int64                   // of all fragments
	count    int
	complete []*fragmentSet // in the current piece of the archive

	base  *Batch // the current piece
	next  int    // lines are counted up to here in the buffer of base
	line  int
	start int64 // where that line begins
}

// A fragmentSet holds fragments of one message.
type fragmentSet struct {
	byNumber map[int]*fragment
	order    []*fragment // as they come
	total    int         // 0 if it is not known
	last     int         // the highest number
}

// maxHeld limits the number of fragments that are held back.
const maxHeld = 1 << 14

// A fragment is a message of the type message/partial.
type fragment struct {
	message.Partial
	text   []byte
	quoted bool         // as in archivedMessage
	mark   message.Mark // of text
}

// begin prepares to hold fragments of the messages in the buffer of b.
func (h *fragments) begin(b *Batch) { h.base, h.next, h.line, h.start = b, 0, b.line, b.lineStart }

// hold holds back the message at a place in buf if it is a fragment, and reports whether it is. exact and
// quoted are as in archivedMessage.
func (h *fragments) hold(buf []byte, at scan.Span, exact, quoted bool) bool {
	src := buf[at.Start:at.End]
	if !exact || !mayBeFragment(src) {
		return false
	}
	p, ok := message.ReadPartial(src)
	if !ok || h.count == maxHeld || h.size+int64(len(src)) > h.cfg.limit() {
		return false
	}
	set := h.sets[p.ID]
	if set == nil {
		set = &fragmentSet{byNumber: make(map[int]*fragment)}
	}
	if set.byNumber[p.Number] != nil {
		return false // a copy
	}
	if h.sets == nil {
		h.sets = make(map[string]*fragmentSet)
	}
	f := &fragment{Partial: p, text: bytes.Clone(src), quoted: quoted, mark: h.markAt(buf, at.Start)}
	if len(set.order) == 0 {
		h.sets[p.ID], h.order = set, append(h.order, p.ID)
	}
	set.byNumber[p.Number], set.order = f, append(set.order, f)
	set.total, set.last = max(set.total, p.Total), max(set.last, p.Number)
	h.size, h.count = h.size+int64(len(src)), h.count+1
	if len(set.order) == set.total && set.last == set.total {
		h.complete = append(h.complete, set)
		h.forget(p.ID)
	}
	return true
}

// forget removes a set that is complete.
func (h *fragments) forget(id string) {
	for _, f := range h.sets[id].order {
		h.size, h.count = h.size-int64(len(f.text)), h.count-1
	}
	delete(h.sets, id)
	if len(h.order) > 2*len(h.sets)+64 {
		h.order = slices.DeleteFunc(h.order, func(s string) bool { return h.sets[s] == nil })
	}
}

// markAt returns the place of buf[at] in the archive.
func (h *fragments) markAt(buf []byte, at int) message.Mark {
	offset := h.base.pos + int64(at)
	if h.base.line == 0 {
		return message.Mark{Offset: offset}
	}
	if n := bytes.Count(buf[h.next:at], newline); n > 0 {
		h.line += n
		h.start = h.base.pos + int64(h.next+bytes.LastIndexByte(buf[h.next:at], '\n')+1)
	}
	h.next = at
	return message.Mark{Offset: offset, Line: h.line, LineStart: h.start}
}

// pass yields a message that consists of fragments: all of a larger one, or one by itself.
func (h *fragments) pass(set []*fragment) bool {
	e := &message.Excerpt{Ends: true}
	quoted := false
	for i, f := range set {
		spans := []scan.Span{{Start: f.Body, End: len(f.text)}}
		switch {
		case len(set) == 1 && f.Total != 1: // by itself
			spans = []scan.Span{{Start: 0, End: len(f.text)}}
		case i == 0:
			spans = f.Joined(f.text)
		}
		for _, s := range spans {
			m := f.mark
			m.At = len(e.Text)
			if n := bytes.Count(f.text[:s.Start], newline); n > 0 && m.Line > 0 {
				m.Line += n
				m.LineStart = m.Offset + int64(bytes.LastIndexByte(f.text[:s.Start], '\n')+1)
			}
			m.Offset += int64(s.Start)
			e.Marks = append(e.Marks, m)
			e.Text = append(e.Text, f.text[s.Start:s.End]...)
		}
		e.End.Offset = max(e.End.Offset, f.mark.Offset+int64(len(f.text)))
		quoted = quoted || f.quoted
	}
	first := set[0].mark
	b := &Batch{cfg: h.cfg, entity: h.base.entity, later: true, pos: first.Offset, line: first.Line, lineStart: first.LineStart, excerpt: e}
	b.buf, b.end, b.atEOF = e.Text, len(e.Text), true
	b.content = &excerpt{builtin().types[messageType], e, quoted, carried{}}
	h.cfg.setCallbacks(b)
	return h.yield(b, nil)
}

// passComplete yields the messages that are complete.
func (h *fragments) passComplete() bool {
	for _, set := range h.complete {
		slices.SortFunc(set.order, func(a, b *fragment) int { return a.Number - b.Number })
		if !h.pass(set.order) {
			return false
		}
	}
	h.complete = nil
	return true
}

// flush yields the fragments that are held back, one by one.
func (h *fragments) flush() bool {
	if !h.passComplete() {
		return false
	}
	for _, id := range h.order {
		set := h.sets[id]
		if set == nil {
			continue
		}
		delete(h.sets, id) // it may be in the order twice
		for _, f := range set.order {
			if !h.pass([]*fragment{f}) {
				return false
			}
		}
	}
	return true
}
