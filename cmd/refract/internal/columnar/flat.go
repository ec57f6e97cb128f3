package columnar

import "encoding/binary"

// A flat builds a FlatBuffer, from its end to its beginning: the target of an offset is written before the
// offset. Positions are distances from the end.
type flat struct {
	buf   []byte
	head  int // where the content begins in buf
	align int // the strictest alignment so far
	slots []int
	start int // of the current table
}

func (f *flat) reset() {
	clear(f.buf)
	f.head, f.align = len(f.buf), 1
}

// at returns the position of what was written last.
func (f *flat) at() int { return len(f.buf) - f.head }

// prep makes room for more bytes, and pads so that a value of size bytes is aligned once they are written.
func (f *flat) prep(size, more int) {
	f.align = max(f.align, size)
	pad := -(f.at() + more) & (size - 1)
	for f.head < pad+size+more {
		grown := make([]byte, 2*len(f.buf)+256)
		f.head += len(grown) - len(f.buf)
		copy(grown[len(grown)-len(f.buf):], f.buf)
		f.buf = grown
	}
	f.head -= pad
}

func (f *flat) put8(v byte) {
	f.prep(1, 0)
	f.head--
	f.buf[f.head] = v
}

func (f *flat) put16(v uint16) {
	f.prep(2, 0)
	f.head -= 2
	binary.LittleEndian.PutUint16(f.buf[f.head:], v)
}

func (f *flat) put32(v uint32) {
	f.prep(4, 0)
	f.head -= 4
	binary.LittleEndian.PutUint32(f.buf[f.head:], v)
}

func (f *flat) put64(v uint64) {
	f.prep(8, 0)
	f.head -= 8
	binary.LittleEndian.PutUint64(f.buf[f.head:], v)
}

// putOffset writes an offset to what is at a position.
func (f *flat) putOffset(to int) {
	f.prep(4, 0)
	f.put32(uint32(f.at() - to + 4))
}

func (f *flat) text(s string) int {
	f.prep(4, len(s)+1)
	f.head -= len(s) + 1
	copy(f.buf[f.head:], s)
	f.put32(uint32(len(s)))
	return f.at()
}

// offsets writes a vector of offsets.
func (f *flat) offsets(to []int) int {
	f.prep(4, 4*len(to))
	for i := len(to) - 1; i >= 0; i-- {
		f.putOffset(to[i])
	}
	f.put32(uint32(len(to)))
	return f.at()
}

// pairs writes a vector of structs of two 64-bit integers.
func (f *flat) pairs(list [][2]int64) int {
	f.prep(4, 16*len(list))
	f.prep(8, 16*len(list))
	for i := len(list) - 1; i >= 0; i-- {
		f.put64(uint64(list[i][1]))
		f.put64(uint64(list[i][0]))
	}
	f.put32(uint32(len(list)))
	return f.at()
}

// table begins a table with n fields. Their values follow, each followed by slot.
func (f *flat) table(n int) {
	f.slots = append(f.slots[:0], make([]int, n)...)
	f.start = f.at()
}

// slot says that what was written last is field i.
func (f *flat) slot(i int) { f.slots[i] = f.at() }

func (f *flat) field8(i int, v byte)    { f.put8(v); f.slot(i) }
func (f *flat) field16(i int, v uint16) { f.put16(v); f.slot(i) }
func (f *flat) field32(i int, v uint32) { f.put32(v); f.slot(i) }
func (f *flat) field64(i int, v uint64) { f.put64(v); f.slot(i) }
func (f *flat) fieldTo(i, to int)       { f.putOffset(to); f.slot(i) }

// end ends a table and returns its position.
func (f *flat) end() int {
	f.put32(0) // the offset of the list of fields, set below
	table := f.at()
	for i := len(f.slots) - 1; i >= 0; i-- {
		distance := 0
		if f.slots[i] != 0 {
			distance = table - f.slots[i]
		}
		f.put16(uint16(distance))
	}
	f.put16(uint16(table - f.start))
	f.put16(uint16(2 * (len(f.slots) + 2)))
	binary.LittleEndian.PutUint32(f.buf[len(f.buf)-table:], uint32(f.at()-table))
	return table
}

// finish returns the buffer, whose root is at a position. It is valid until reset.
func (f *flat) finish(root int) []byte {
	f.prep(f.align, 4)
	f.putOffset(root)
	return f.buf[f.head:]
}
