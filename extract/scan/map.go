package scan

import (
	"encoding/binary"
	"slices"
	"sort"
)

// A Map translates offsets in decoded bytes to offsets in the bytes that were decoded. It is a table of
// pieces, monotone in both: within a piece every unit of D decoded bytes comes from a unit of S source
// bytes. Copied bytes are a piece with units of 1 and 1 bytes, UTF-16 of ASCII has 1 and 2, base64 3 and 4.
// An entity or an escape is a piece with one unit. Source bytes between pieces decode to nothing (soft line
// breaks, reply marks).
//
// The pieces are stored encoded. Those of nearly all decodings take one to three bytes, so a Map takes at
// most about one and a half times the memory of its source. Every 32 bytes of code there is a mark, so that
// offsets can be found by binary search.
//
// The zero Map is empty; a nil *Map is the identity. All offsets are below 2 GiB.
type Map struct {
	chunks   []chunk
	since    int   // bytes encoded since the last mark
	srcEnd   int   // where the source of the last encoded piece ends
	last     piece // not yet encoded, since it may be extended; n is 0 if there is none
	end      int   // of the decoded bytes
	next     int   // the source offset at which the last piece may continue
	stateful bool  // there is a stateful piece
}

// A piece is n decoded bytes, in units of d bytes that come from s source bytes each.
type piece struct {
	dst, src, n int // where it begins, and its length in decoded bytes
	d, s        int // bytes of a unit, decoded and source
	stateful    bool
}

// A chunk holds encoded pieces.
type chunk struct {
	code  []byte
	marks []mark // the first one is that of the first piece
}

// A mark is the beginning of an encoded piece.
type mark struct {
	dst, src int32
	at       int32 // in chunk.code
}

const (
	markEvery = 32       // bytes of encoded pieces
	chunkSize = 16 << 10 // bytes; the first chunk begins small
	maxCode   = 48       // bytes of an encoded piece, at most
)

// Add appends a piece: n decoded bytes, in units of d bytes that come from s source bytes each, the first
// at src. The last unit may have less than d decoded bytes, but has all of its s source bytes. Pieces are
// added in order; adjacent ones are joined.
func (m *Map) Add(n, src, d, s int) { m.add(n, src, d, s, false) }

// AddStateful is Add for bytes whose decoding depends on the bytes before them (ISO-2022-JP, UTF-7):
// decoded alone, their source would give something else.
func (m *Map) AddStateful(n, src, d, s int) { m.add(n, src, d, s, true) }

func (m *Map) add(n, src, d, s int, stateful bool) {
	if n <= 0 {
		return
	}
	units := n
	if d != 1 { // most are copies, for which a division would take most of the time
		units = (n + d - 1) / d
	}
	next := src + units*s
	if n < units*d {
		next = -1
	}
	p := &m.last
	if p.n > 0 {
		if src == m.next && p.d == d && p.s == s && p.stateful == stateful {
			p.n += n
			m.end, m.next = m.end+n, next
			return
		}
		m.encode(p)
	}
	*p = piece{m.end, src, n, d, s, stateful}
	m.end, m.next = m.end+n, next
	m.stateful = m.stateful || stateful
}

// The first byte of an encoded piece determines its form.
const (
	longCode = 0    // flags and numbers follow
	maxCopy  = 0x5F // 1 to maxCopy: this many bytes are copied
	gapCode  = 0x5F // plus 1 to 32: this many source bytes decode to nothing; a piece follows
	maxGap   = 32
	unitCode = 0x80 // plus d-1 and s-1, 2 bits each, and the number of units less 1, 3 bits
)

// Flags of longCode.
const (
	isStateful = 1 << iota
	hasGap     // there is a gap after the source of the previous piece
	shortUnits // d and s are below 16, and share one byte
	isOneUnit  // n is d
)

// encode appends p, which begins where the last encoded piece ends.
func (m *Map) encode(p *piece) {
	k := len(m.chunks) - 1
	if k < 0 || len(m.chunks[k].code)+maxCode > chunkSize {
		k++
		m.addChunk()
		m.since = markEvery
	}
	c := &m.chunks[k]
	at := len(c.code)
	gap := p.src - m.srcEnd
	if gap == 0 && m.since < markEvery && !p.stateful { // copies, characters, character references: most pieces
		switch {
		case p.d == 1 && p.s == 1 && p.n <= maxCopy:
			c.code = append(c.code, byte(p.n))
			m.since, m.srcEnd = m.since+1, p.src+p.n
			return
		case p.n == p.d && p.d <= 4 && p.s > 0 && p.s <= 4:
			c.code = append(c.code, byte(unitCode|(p.d-1)<<5|(p.s-1)<<3))
			m.since, m.srcEnd = m.since+1, p.src+p.s
			return
		case p.n == p.d && p.d < 16 && p.s > 4 && p.s < 16:
			c.code = append(c.code, longCode, shortUnits|isOneUnit, byte(p.d<<4|p.s))
			m.since, m.srcEnd = m.since+3, p.src+p.s
			return
		}
	}
	if m.since >= markEvery {
		c.marks = append(c.marks, mark{int32(p.dst), int32(p.src), int32(at)})
		m.since, gap = 0, 0
	}
	c.code = p.appendCode(c.code, gap)
	m.since += len(c.code) - at
	m.srcEnd = p.src + (p.n+p.d-1)/p.d*p.s
}

// addChunk adds an empty chunk. It reuses memory from before a Reset if there is any.
func (m *Map) addChunk() {
	k := len(m.chunks)
	if k < cap(m.chunks) {
		m.chunks = m.chunks[:k+1]
		m.chunks[k] = chunk{m.chunks[k].code[:0], m.chunks[k].marks[:0]}
	} else {
		m.chunks = append(m.chunks, chunk{})
	}
	if c := &m.chunks[k]; k > 0 && cap(c.code) < chunkSize {
		*c = chunk{make([]byte, 0, chunkSize), make([]mark, 0, chunkSize/markEvery)}
	}
}

func (p *piece) appendCode(dst []byte, gap int) []byte {
	units := p.n / p.d
	isShort := !p.stateful && (p.d == 1 && p.s == 1 && p.n <= maxCopy || p.d <= 4 && p.s > 0 && p.s <= 4 && units <= 8 && units*p.d == p.n)
	if isShort && gap > 0 && gap <= maxGap {
		dst = append(dst, byte(gapCode+gap))
		gap = 0
	}
	switch {
	case isShort && gap == 0 && p.d == 1 && p.s == 1 && p.n <= maxCopy:
		return append(dst, byte(p.n))
	case isShort && gap == 0:
		return append(dst, byte(unitCode|(p.d-1)<<5|(p.s-1)<<3|(units-1)))
	}
	flags := byte(0)
	if p.stateful {
		flags |= isStateful
	}
	if gap != 0 {
		flags |= hasGap
	}
	if p.d < 16 && p.s < 16 {
		flags |= shortUnits
	}
	if p.n == p.d {
		flags |= isOneUnit
	}
	dst = append(dst, longCode, flags)
	if gap != 0 {
		dst = binary.AppendVarint(dst, int64(gap))
	}
	if flags&shortUnits != 0 {
		dst = append(dst, byte(p.d<<4|p.s))
	} else {
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(p.d)), uint64(p.s))
	}
	if flags&isOneUnit == 0 {
		dst = binary.AppendUvarint(dst, uint64(p.n))
	}
	return dst
}

// Len returns the number of decoded bytes that m covers.
func (m *Map) Len() int { return m.end }

// Reset empties m, and keeps its memory for the next use. It invalidates Tails of m.
func (m *Map) Reset() {
	*m = Map{chunks: m.chunks[:0]}
}

// Tail returns the Map of the decoded bytes from offset from on. That offset becomes 0, and every
// source offset is reduced by src. Both Maps may be added to.
func (m *Map) Tail(from, src int) *Map {
	t := &Map{since: m.since, srcEnd: m.srcEnd - src, last: m.last, end: m.end - from, next: m.next - src, stateful: m.stateful}
	t.last.dst -= from // negative for a piece that began before
	t.last.src -= src
	if m.last.n > 0 && from >= m.last.dst {
		return t // the encoded pieces all lie before
	}
	k, i := m.findMark(from)
	k, i = max(k, 0), max(i, 0)
	t.chunks = slices.Clone(m.chunks[min(k, len(m.chunks)):])
	for k := range t.chunks {
		c := &t.chunks[k]
		c.code, c.marks = slices.Clip(c.code), slices.Clone(c.marks[i:]) // m may append to its own
		for i := range c.marks {
			p := &c.marks[i]
			p.dst, p.src = p.dst-int32(from), p.src-int32(src)
		}
		i = 0
	}
	return t
}

// findMark returns the chunk and the index of the last mark at or before the decoded offset, or -1.
func (m *Map) findMark(offset int) (chunk, i int) {
	chunk = len(m.chunks) - 1
	if chunk > 0 {
		chunk = sort.Search(len(m.chunks), func(k int) bool { return int(m.chunks[k].marks[0].dst) > offset }) - 1
	}
	if chunk < 0 {
		return -1, -1
	}
	marks := m.chunks[chunk].marks
	low, high := 0, len(marks) // as sort.Search, which calls a function for each comparison
	for low < high {
		if i := (low + high) / 2; int(marks[i].dst) > offset {
			high = i
		} else {
			low = i + 1
		}
	}
	if low == 0 {
		return -1, -1
	}
	return chunk, low - 1
}

// A cursor moves through the pieces of a Map.
type cursor struct {
	m      *Map
	chunk  int    // len(m.chunks): the current piece is the last one
	mark   int    // the last one passed, in the chunk
	code   []byte // of the next pieces up to the next mark
	srcEnd int    // where the source of the current piece ends
	piece         // the current one
}

// find moves to the piece of c.m that holds the decoded offset, or to the last piece if that ends
// before it. It returns false if the offset is before the first piece.
func (c *cursor) find(offset int) bool {
	m := c.m
	if m.last.n > 0 && offset >= m.last.dst {
		c.piece, c.chunk, c.code = m.last, len(m.chunks), nil
		return true
	}
	k, i := m.findMark(offset)
	if k < 0 {
		return false
	}
	c.begin(k, i)
	for c.next() {
		if offset < c.dst+c.n {
			return true
		}
	}
	return false
}

// begin moves to before the piece of a mark of a chunk.
func (c *cursor) begin(chunk, i int) {
	in := &c.m.chunks[chunk]
	p := &in.marks[i]
	c.code = in.code[p.at:]
	if i+1 < len(in.marks) {
		c.code = c.code[:in.marks[i+1].at-p.at]
	}
	c.chunk, c.mark, c.srcEnd = chunk, i, int(p.src)
	c.piece = piece{dst: int(p.dst)}
}

// next moves to the next piece, and reports whether there is one.
func (c *cursor) next() bool {
	if len(c.code) == 0 {
		switch n := len(c.m.chunks); {
		case c.chunk == n:
			return false
		case c.mark+1 < len(c.m.chunks[c.chunk].marks):
			c.begin(c.chunk, c.mark+1)
		case c.chunk+1 < n:
			c.begin(c.chunk+1, 0)
		default:
			c.piece, c.chunk = c.m.last, n
			return true
		}
	}
	c.dst, c.src = c.dst+c.n, c.srcEnd
	code := c.code[0]
	c.code = c.code[1:]
	if code > gapCode && code < unitCode {
		c.src += int(code) - gapCode
		code = c.code[0]
		c.code = c.code[1:]
	}
	switch {
	case code >= unitCode:
		units := int(code&7) + 1
		c.d, c.s, c.stateful = int(code>>5&3)+1, int(code>>3&3)+1, false
		c.n = units * c.d
		c.srcEnd = c.src + units*c.s
	case code != longCode:
		c.d, c.s, c.n, c.stateful = 1, 1, int(code), false
		c.srcEnd = c.src + c.n
	default:
		c.nextLong()
	}
	return true
}

// nextLong reads the rest of a piece that begins with longCode.
func (c *cursor) nextLong() {
	flags := c.code[0]
	c.code = c.code[1:]
	if flags&hasGap != 0 {
		v := c.number()
		c.src += v>>1 ^ -(v & 1) // as of binary.AppendVarint
	}
	if flags&shortUnits != 0 {
		c.d, c.s = int(c.code[0]>>4), int(c.code[0]&15)
		c.code = c.code[1:]
	} else {
		c.d = c.number()
		c.s = c.number()
	}
	units := 1
	c.n = c.d
	if flags&isOneUnit == 0 {
		c.n = c.number()
		units = (c.n + c.d - 1) / c.d
	}
	c.srcEnd = c.src + units*c.s
	c.stateful = flags&isStateful != 0
}

func (c *cursor) number() int {
	if v := c.code[0]; v < 0x80 {
		c.code = c.code[1:]
		return int(v)
	}
	v, n := binary.Uvarint(c.code)
	c.code = c.code[n:]
	return int(v)
}

// Back returns the smallest range of the source whose decoding covers s, and whether that range
// decodes to exactly s. For an empty s it returns an empty range at the beginning of its source.
func (m *Map) Back(s Span) (Span, bool) {
	if m == nil {
		return s, true
	}
	c := cursor{m: m}
	if !c.find(s.Start) {
		return Span{}, false
	}
	unit := (s.Start - c.dst) / c.d
	back := Span{Start: c.src + unit*c.s}
	exact := (s.Start-c.dst)%c.d == 0
	if s.End <= s.Start {
		back.End = back.Start
		return back, exact
	}
	exact = exact && !c.stateful
	if end := s.End - 1; end >= c.dst+c.n {
		for i := 0; end >= c.dst+c.n; i++ {
			if i == markEvery && !m.stateful { // it is far away
				c.find(end)
				break
			}
			if !c.next() {
				break
			}
			exact = exact && !c.stateful
		}
	}
	unit = (s.End - 1 - c.dst) / c.d
	back.End = c.src + (unit+1)*c.s
	exact = exact && ((s.End-c.dst)%c.d == 0 || s.End == c.dst+c.n)
	return back, exact
}
