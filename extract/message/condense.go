package message

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Condenser reads a message of any size and leaves out what a Scanner would not read: the content
// of parts for which ReadAs returns "". It yields the rest in Excerpts of limited size.
//
// It follows the structure as a Scanner does, in one pass, in time linear in the message, and holds
// one Excerpt and 2 MiB. Where it is not certain about the structure, for example where the boundary
// of a multipart is wrong, it leaves out nothing.
type Condenser struct {
	ReadAs func(mediaType, name string) string // as of Scanner

	// Limit is the size in bytes of an Excerpt, not counting repeated headings. A larger part is cut at
	// the end of a line. A heading is never cut: one of up to 2.2 MB may be added.
	Limit int

	Start Mark // where the message begins in the input; its At is 0

	r       io.Reader
	err     error  // of r
	buf     []byte // buf[at:] has been read and not consumed
	at      int
	now     Mark // where buf[at] is in the input; its At is not used
	isCR    bool // lines end in CR alone; buf has LF instead
	midLine bool // buf[at] does not begin a line

	scanner Scanner // reads headings, and knows the boundaries; its entities are those of path
	path    []enclosure
	owners  []int    // indexes in path of the multiparts whose boundaries are open
	parts   int      // number of entities so far
	drop    bool     // the current content is left out
	coding  encoding // of the current content
	ahead   int      // bytes of the delimiter before the next heading

	excerpt *Excerpt
	fresh   bool // the next byte kept does not follow the previous one in the input
	part    int  // where the current part begins in excerpt.Text, with its delimiter; -1: in an earlier Excerpt
	body    int  // where its content begins
	yield   func(*Excerpt, error) bool
	stopped bool
}

// An Excerpt is the condensed form of a message or of a range of it. A Scanner reads it as it reads a
// message.
type Excerpt struct {
	Text []byte

	// From is where Text continues after the previous Excerpt. Text[:From] repeats the headings of the
	// entities that began there and continue here; nothing in it is yielded again.
	From int

	Numbers []int  // of the entities that begin in Text[:From]: the number of each part, the message first
	Part    string // path of the part that was cut before this Excerpt, for messages to the user; "" if none was cut
	Marks   []Mark // where the ranges of Text are in the input, in order of At
	End     Mark   // where the input continues after the last byte that was kept or left out
	Size    int64  // number of bytes of the input that the Excerpt represents
	Ends    bool   // the Excerpt ends the message
}

// A Mark is a place in an Excerpt. The bytes after it are contiguous in the input, up to the next
// Mark.
type Mark struct {
	At        int   // in Excerpt.Text
	Offset    int64 // in the input, in bytes
	Line      int   // from 1
	LineStart int64 // offset at which that line begins
}

// An enclosure is an entity that has begun and not ended.
type enclosure struct {
	heading []byte // nil if it is too large to be repeated
	mark    Mark   // of heading; its At is not used
	number  int
	parts   int // of a multipart, so far
}

const (
	minView    = maxHeading + 64<<10 // bytes that are searched for the end of a heading, or of a line
	viewSize   = 2 * minView
	maxRepeats = 1 << 20 // bytes of headings that an Excerpt repeats
)

var views = sync.Pool{New: func() any {
	b := make([]byte, viewSize)
	return &b
}}

// Excerpts yields the Excerpts of the message that r reads, in order, each in new memory. There is at
// least one. An error of r other than io.EOF is the last element, after the Excerpts of everything
// read before it. The iterator is single-use.
func (c *Condenser) Excerpts(r io.Reader) iter.Seq2[*Excerpt, error] {
	return func(yield func(*Excerpt, error) bool) {
		view := views.Get().(*[]byte)
		defer views.Put(view)
		c.r, c.buf, c.yield, c.now = r, (*view)[:0], yield, c.Start
		c.begin()
		c.scanner.ReadAs = c.ReadAs
		c.fill()
		c.isCR = bytes.IndexByte(c.buf, '\n') < 0 && bytes.IndexByte(c.buf, '\r') >= 0
		if c.isCR {
			swap(c.buf, '\r', '\n')
		}
		c.heading(1)
		for !c.stopped {
			c.fill()
			if c.at == len(c.buf) {
				break
			}
			c.content()
		}
		if c.stopped {
			return
		}
		c.excerpt.Ends = true
		c.finish(c.excerpt, len(c.excerpt.Text))
		if !c.stopped && c.err != io.EOF {
			yield(nil, c.err)
		}
	}
}

func swap(b []byte, from, to byte) {
	for i := range b {
		if b[i] == from {
			b[i] = to
		}
	}
}

// fill reads until buf has at least minView bytes that were not consumed, unless r ends.
func (c *Condenser) fill() {
	if c.err != nil || len(c.buf)-c.at >= minView {
		return
	}
	n := copy(c.buf, c.buf[c.at:])
	c.buf, c.at = c.buf[:n], 0
	for n < cap(c.buf) && c.err == nil { // fill buf completely: moving the rest costs as much for a short read
		var k int
		k, c.err = c.r.Read(c.buf[n:min(cap(c.buf), n+64<<10)])
		c.buf = c.buf[:n+k]
		if c.isCR {
			if bytes.IndexByte(c.buf[n:], '\n') < 0 {
				swap(c.buf[n:], '\r', '\n')
			} else {
				c.isCR = false
				swap(c.buf[:n], '\n', '\r')
			}
		}
		n += k
	}
}

// consume moves past n bytes of the input.
func (c *Condenser) consume(n int) {
	b := c.buf[c.at : c.at+n]
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 && !c.isCR {
		c.now.Line += bytes.Count(b, []byte{'\n'})
		c.now.LineStart = c.now.Offset + int64(i) + 1
	}
	c.now.Offset += int64(n)
	c.at += n
}

// keep moves n bytes of the input to the Excerpt.
func (c *Condenser) keep(n int) {
	e := c.excerpt
	if c.fresh {
		mark := c.now
		mark.At = len(e.Text)
		e.Marks = append(e.Marks, mark)
		c.fresh = false
	}
	if size := len(e.Text) + n; size > cap(e.Text) && size > 1<<20 {
		// The last copy has its final size, and memory that is not written is not taken. Growing in steps of a
		// quarter, as append does, leaves as much garbage again as there is text.
		e.Text = slices.Grow(e.Text, max(n, min(len(e.Text), c.Limit+viewSize-len(e.Text))))
	}
	e.Text = append(e.Text, c.buf[c.at:c.at+n]...)
	if c.isCR {
		swap(e.Text[len(e.Text)-n:], '\n', '\r')
	}
	c.consume(n)
}

// heading reads the heading of an entity. number is its number among the parts of the enclosing entity. A
// delimiter may precede it. If the entity is a message that encloses another, heading also reads that one's
// heading, and so on.
func (c *Condenser) heading(number int) {
	s := &c.scanner
	for {
		delimiter := c.ahead
		c.fill()
		view := c.buf[c.at+delimiter:]
		i := len(c.path)
		s.src, s.fields, s.notes = view, s.fields[:0], s.notes[:0]
		s.entities = append(s.entities[:i], entity{parent: i - 1, depth: i, number: number})
		e := &s.entities[i]
		s.heading(e, i)
		end := e.body
		isEndless := end == len(view) && c.err == nil
		if isEndless {
			end = bytes.LastIndexByte(view, '\n') + 1
		}
		c.reserve(delimiter+end, number)
		c.part = len(c.excerpt.Text)
		c.keep(delimiter)
		in := enclosure{mark: c.now, number: number}
		if !isEndless && end <= maxRepeats/4 {
			in.heading = append([]byte{}, view[:end]...)
		}
		c.path = append(c.path, in)
		c.keep(end)
		c.ahead, c.drop, c.midLine = 0, false, isEndless && end == 0
		c.body, c.coding = len(c.excerpt.Text), e.encoding
		c.parts++
		switch {
		case isEndless || i == maxDepth && e.kind != leaf:
			return
		case e.kind == multipart && len(e.boundary) > 0:
			s.open, c.owners = append(s.open, slices.Clone(e.boundary)), append(c.owners, i)
			return
		case e.kind == enclosing && c.parts < maxParts:
			number = 1
			continue
		}
		c.drop = e.kind == external || e.kind == leaf && readAs(c.ReadAs, e.mediaType, e.name) == ""
		return
	}
}

// content consumes content up to the next delimiter, or as much as is available, and the delimiter
// with the part after it.
func (c *Condenser) content() {
	s := &c.scanner
	view := c.buf[c.at:]
	s.src = view
	if c.midLine {
		i := bytes.IndexByte(view, '\n')
		c.midLine = i < 0
		c.pass(lineOrAll(i, len(view)))
		return
	}
	d := s.next(0)
	isLast := c.err != nil
	switch {
	case d.level >= 0 && (isLast || d.after < len(view) || view[d.after-1] == '\n'):
		c.pass(d.line)
		if !c.stopped {
			c.delimiter(d, d.after-d.line)
		}
	case d.level >= 0 && d.line > 0: // spaces follow the boundary; more bytes are needed to see the rest of the line
		c.pass(d.line)
	case isLast:
		c.pass(len(view))
	case bytes.IndexByte(view, '\n') < 0:
		c.midLine = true
		c.pass(len(view))
	default:
		c.pass(bytes.LastIndexByte(view, '\n') + 1)
	}
}

func lineOrAll(newline, all int) int {
	if newline < 0 {
		return all
	}
	return newline + 1
}

// delimiter continues after a delimiter, which is the next n bytes.
func (c *Condenser) delimiter(d delimiter, n int) {
	s := &c.scanner
	owner := c.owners[d.level]
	if !d.closes && c.parts >= maxParts { // like Scanner.multipart: no delimiter counts any more
		s.open, c.owners, c.drop = nil, nil, false
		c.pass(n)
		return
	}
	c.path = c.path[:owner+1]
	s.open, c.owners = s.open[:d.level+1], c.owners[:d.level+1]
	if d.closes {
		s.open, c.owners, c.drop = s.open[:d.level], c.owners[:d.level], false
		c.part, c.coding = -1, identity
		c.pass(n)
		return
	}
	c.path[owner].parts++
	c.ahead = n
	c.heading(c.path[owner].parts)
}

// pass consumes n bytes of content: it keeps them or leaves them out.
func (c *Condenser) pass(n int) {
	if c.drop {
		c.consume(n)
		c.fresh = c.fresh || n > 0
		return
	}
	for n > 0 && !c.stopped {
		e := c.excerpt
		room := e.limit(c.Limit) - len(e.Text)
		if n <= room {
			c.keep(n)
			return
		}
		if c.part > e.From {
			c.movePart()
			continue
		}
		k := c.cutAt(c.buf[c.at : c.at+max(room, 0)])
		if k == 0 && len(e.Text) == e.From { // a line that is longer than an Excerpt
			k = max(room, 1)
		}
		if k > 0 {
			c.keep(k)
		}
		n -= k
		c.cutPart()
	}
}

// cutAt returns where the content can be cut in view, the bytes after those already kept; 0 if
// nowhere. It cuts where a line begins in the decoded text.
func (c *Condenser) cutAt(view []byte) int {
	if c.coding == inBase64 {
		return cutBase64(view, digits(c.excerpt.Text[c.body:])+digits(view))
	}
	last := bytes.LastIndexByte(view, '\n') + 1
	if c.coding != inQP {
		return last
	}
	for k, lines := last, 0; k > 0 && lines < 64; lines++ {
		begin := bytes.LastIndexByte(view[:k-1], '\n') + 1
		if line := bytes.TrimRight(view[begin:k], " \t\r\n"); !bytes.HasSuffix(line, []byte{'='}) {
			return k
		}
		k = begin
	}
	return last
}

// cutBase64 is cutAt for base64. digits is the number of digits up to the end of view. It prefers a line
// break that ends a quantum of four digits, then a space, and otherwise cuts after any quantum.
func cutBase64(view []byte, digits int) int {
	const far = 64 << 10
	last, space := 0, 0
	var low uint32 // of the quantum that ends at k: its digits after the current one
	k := 0
	for i := len(view); i > max(0, len(view)-far); i-- {
		v := base64[3][view[i-1]]
		if v == wrong {
			if v = base64URL[3][view[i-1]]; v == wrong {
				continue
			}
		}
		switch digits % 4 {
		case 0:
			k, low = i, v
			last = max(last, k)
		case 3:
			switch b := byte(v<<6 | low); {
			case k > 0 && b == '\n':
				return k
			case k > 0 && b == ' ':
				space = max(space, k)
			}
		}
		digits--
	}
	if space > 0 {
		return space
	}
	return last
}

// digits returns the number of base64 digits in src.
func digits(src []byte) (n int) {
	for _, b := range src {
		if base64.has(b) || base64URL.has(b) {
			n++
		}
	}
	return n
}

// reserve ends the Excerpt before a part whose heading of n bytes does not fit into it. number is the
// number of the part.
func (c *Condenser) reserve(n, number int) {
	e := c.excerpt
	if len(e.Text) == e.From || len(e.Text)+n <= e.limit(c.Limit) {
		return
	}
	c.resume(c.path)
	if next := c.excerpt; next.Numbers != nil {
		next.Numbers = append(next.Numbers, number)
	}
	c.finish(e, len(e.Text))
}

// movePart ends the Excerpt before the current part, which begins the next one.
func (c *Condenser) movePart() {
	e, at := c.excerpt, c.part
	c.resume(c.path[:len(c.path)-1])
	next := c.excerpt
	if next.Numbers != nil {
		next.Numbers = c.numbers(c.path)
	}
	for i, m := range e.Marks {
		end := len(e.Text)
		if i+1 < len(e.Marks) {
			end = e.Marks[i+1].At
		}
		if end <= at {
			continue
		}
		if m.At < at {
			m = m.forward(e.Text[m.At:at])
		}
		m.At += next.From - at
		next.Marks = append(next.Marks, m)
	}
	next.Text = append(next.Text, e.Text[at:]...)
	c.body += next.From - at
	c.part, c.fresh = next.From, false
	c.finish(e, at)
}

// forward returns the Mark after text, which begins at m.
func (m Mark) forward(text []byte) Mark {
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		m.Line, m.LineStart = m.Line+bytes.Count(text, []byte{'\n'}), m.Offset+int64(i)+1
	}
	m.At, m.Offset = m.At+len(text), m.Offset+int64(len(text))
	return m
}

// cutPart ends the Excerpt within the current part.
func (c *Condenser) cutPart() {
	e := c.excerpt
	c.resume(c.path)
	c.part, c.body = -1, c.excerpt.From
	c.excerpt.Part = partPath(c.path)
	c.finish(e, len(e.Text))
}

// partPath returns the path of a part as shown to the user.
func partPath(path []enclosure) string {
	var steps []string
	for _, in := range path[1:] {
		steps = append(steps, strconv.Itoa(in.number))
	}
	if steps == nil {
		return "1"
	}
	return strings.Join(steps, ".")
}

func (c *Condenser) numbers(path []enclosure) (numbers []int) {
	for _, in := range path {
		numbers = append(numbers, in.number)
	}
	return numbers
}

// limit returns the maximum length of the Text of e. It adds at least a quarter of the length of the
// repeated headings, so that all Excerpts together take no more than five times the message.
func (e *Excerpt) limit(limit int) int { return e.From + max(limit, e.From/4) }

// finish yields e, which ends at offset at of its Text. Nothing may use e afterwards: its memory
// belongs to the caller.
func (c *Condenser) finish(e *Excerpt, at int) {
	e.Text = e.Text[:at:at]
	e.End = c.now
	e.Size = c.now.Offset - e.Size
	if !c.yield(e, nil) {
		c.stopped = true
	}
}

// begin begins an Excerpt.
func (c *Condenser) begin() {
	c.excerpt = &Excerpt{Size: c.now.Offset}
	c.fresh = true
}

// resume begins an Excerpt and repeats the headings of path. If they are too large, the rest is
// running text.
func (c *Condenser) resume(path []enclosure) {
	c.begin()
	e := c.excerpt
	size := 0
	for _, in := range path {
		if in.heading == nil {
			size = maxRepeats
		}
		size += len(in.heading) + 256
	}
	if size > maxRepeats {
		e.Text, e.From = append(e.Text, '\n'), 1
		e.Marks = append(e.Marks, c.now)
		return
	}
	e.Numbers = c.numbers(path)
	level := 0
	for i, in := range path {
		mark := in.mark
		mark.At = len(e.Text)
		e.Marks = append(e.Marks, mark)
		if i > 0 && level < len(c.owners) && c.owners[level] == i-1 {
			e.Text = append(append(append(e.Text, "--"...), c.scanner.open[level]...), '\n')
			level++
			e.Marks = append(e.Marks, mark)
			e.Marks[len(e.Marks)-1].At = len(e.Text)
		}
		e.Text = append(e.Text, in.heading...)
	}
	if !endsHeading(path[len(path)-1].heading) {
		e.Text = append(e.Text, '\n')
	}
	if c.isCR {
		swap(e.Text, '\n', '\r')
	}
	e.From = len(e.Text)
}

// endsHeading reports whether a heading ends in a blank line.
func endsHeading(heading []byte) bool {
	rest, ok := bytes.CutSuffix(heading, []byte{'\n'})
	rest = bytes.TrimRight(rest, "\r")
	return ok && (len(rest) == 0 || rest[len(rest)-1] == '\n')
}
