package scan

import (
	"slices"
	"sort"
)

// A Map translates offsets in decoded bytes to offsets in the bytes that were decoded. It is a table of pieces, monotone in both: within a piece every unit of
// D decoded bytes comes from a unit of S source bytes. Copied bytes are a piece of
// units 1 and 1, UTF-16 of ASCII 1 and 2, base64 3 and 4; an entity or an escape is
// a piece with one unit. Source bytes between pieces decode to nothing (soft line
// breaks, reply marks).
//
// A Map of very many pieces gets coarse, so that it takes little more memory than the source has
// bytes: then a range of up to 256 decoded bytes is one unit, and what Back gives for a part of it
// is not exact.
//
// The zero Map is empty; a nil *Map is the identity. All offsets are below 2 GiB.
type Map struct {
	pieces []piece
	end    int // of the decoded bytes
	next   int // the source offset at which the last piece may go on
}

type piece struct {
	dst, src int32 // where its first unit begins
	d, s     int32 // bytes of a unit, decoded and source; d is negative where decoding depends on what is before
}

func (p *piece) stateful() bool { return p.d < 0 }

// sign returns d, negative if stateful.
func sign(d int, stateful bool) int32 {
	if stateful {
		return int32(-d)
	}
	return int32(d)
}

// Add appends a piece: n decoded bytes, in units of d bytes that come from s source
// bytes each, the first at src. The last unit may have less than d decoded bytes, but has
// all of its s source bytes. Pieces are added in order; adjacent ones are joined.
func (m *Map) Add(n, src, d, s int) { m.add(n, src, d, s, false) }

// AddStateful is Add for bytes whose decoding depends on the bytes before them
// (ISO-2022-JP, UTF-7): by itself, their source decodes to something else.
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
	if k := len(m.pieces) - 1; k >= 0 && src == m.next {
		if p := &m.pieces[k]; p.d == sign(d, stateful) && p.s == int32(s) {
			m.end, m.next = m.end+n, next
			return
		}
	}
	if k := len(m.pieces); k > manyPieces && k > manyPieces+src/bytesPerPiece && m.merge(n, src+units*s, stateful) {
		return
	}
	if k := len(m.pieces); k == cap(m.pieces) && k < manyPieces { // append grows what is large by a quarter only
		m.pieces = slices.Grow(m.pieces, 64+len(m.pieces))
	}
	m.pieces = append(m.pieces, piece{int32(m.end), int32(src), sign(d, stateful), int32(s)})
	m.end, m.next = m.end+n, next
}

// A Map has at most manyPieces, and one for each bytesPerPiece of the source, before it gets
// coarse. Whole books in quoted-printable, or in French and windows-1252, have fewer.
const (
	manyPieces    = 1 << 17
	bytesPerPiece = 16
	coarseUnit    = 256 // decoded bytes
)

// merge adds n decoded bytes, which come from the source up to end, to the last piece, as one unit.
// It reports whether that is not too long for one.
func (m *Map) merge(n, end int, stateful bool) bool {
	p := &m.pieces[len(m.pieces)-1]
	length := m.end + n - int(p.dst)
	if length > coarseUnit {
		return false
	}
	p.d, p.s = sign(length, stateful || p.stateful()), int32(end-int(p.src))
	m.end, m.next = m.end+n, -1
	return true
}

// Len returns the number of decoded bytes that m covers.
func (m *Map) Len() int { return m.end }

// Reset empties m, and keeps its memory for the next use, unless that is a lot.
func (m *Map) Reset() {
	m.pieces, m.end = m.pieces[:0], 0
	if cap(m.pieces) > manyPieces/2 {
		m.pieces = nil
	}
}

// Tail returns the Map of the decoded bytes from offset from on, which become
// offset 0, with every source offset less by src.
func (m *Map) Tail(from, src int) *Map {
	i := max(0, m.find(from))
	t := &Map{end: m.end - from, next: m.next - src, pieces: slices.Clone(m.pieces[i:])}
	for k := range t.pieces {
		t.pieces[k].dst -= int32(from) // negative for a piece that began before
		t.pieces[k].src -= int32(src)
	}
	return t
}

// find returns the index of the piece that holds the decoded offset, or -1.
func (m *Map) find(offset int) int {
	return sort.Search(len(m.pieces), func(i int) bool { return int(m.pieces[i].dst) > offset }) - 1
}

// Back returns the smallest range of the source whose decoding covers s, and
// whether that range decodes to exactly s. An empty s gives the empty range where
// its offset begins.
func (m *Map) Back(s Span) (Span, bool) {
	if m == nil {
		return s, true
	}
	first := m.find(s.Start)
	if first < 0 {
		return Span{}, false
	}
	dst, src, d, size := m.pieces[first].ints()
	unit := (s.Start - dst) / d
	back := Span{Start: src + unit*size}
	exact := (s.Start-dst)%d == 0
	if s.End <= s.Start {
		back.End = back.Start
		return back, exact
	}
	last := m.find(s.End - 1)
	dst, src, d, size = m.pieces[last].ints()
	unit = (s.End - 1 - dst) / d
	back.End = src + (unit+1)*size
	end := m.end // of the piece
	if last+1 < len(m.pieces) {
		end = int(m.pieces[last+1].dst)
	}
	exact = exact && ((s.End-dst)%d == 0 || s.End == end)
	for i := first; i <= last; i++ {
		exact = exact && !m.pieces[i].stateful()
	}
	return back, exact
}

func (p *piece) ints() (dst, src, d, s int) {
	return int(p.dst), int(p.src), max(int(p.d), -int(p.d)), int(p.s)
}
