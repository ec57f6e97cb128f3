package sqlite

import (
	"encoding/binary"
	"math"

	"example.org/refract/extract/scan"
)

// A file is the pages of a database.
type file struct {
	src          []byte
	size, usable int    // of a page, in bytes
	seen         []bool // pages that have been read, by their number

	isShort   bool // there are pages beyond the end of src
	isDamaged bool
}

// Types of pages (1.6).
const (
	interiorIndex = 2
	interiorTable = 5
	leafIndex     = 10
	leafTable     = 13
)

// maxDepth limits the depth of a b-tree: with two children for each page, no database has more.
const maxDepth = 40

// page returns a page that has not been read yet, and its offset; nil if there is none.
func (f *file) page(number uint32) (p []byte, at int) {
	n := uint64(number)
	if n == 0 || n >= uint64(len(f.seen)) {
		f.isShort = f.isShort || n > 0
		f.isDamaged = true
		return nil, 0
	}
	at = int(n-1) * f.size
	if f.seen[n] || at+f.usable > len(f.src) {
		f.isShort = f.isShort || !f.seen[n]
		f.isDamaged = true
		return nil, 0
	}
	f.seen[n] = true
	return f.src[at : at+f.usable], at
}

// walk calls row with each row of the b-tree whose root is a page (1.6).
func (r *reader) walk(root uint32, depth int, row func(rowid int64, record []value)) {
	p, at := r.page(root)
	if p == nil || depth == maxDepth {
		r.isDamaged = true
		return
	}
	head := 0
	if at == 0 {
		head = 100
	}
	kind := p[head]
	cells := head + 8
	switch kind {
	case interiorIndex, interiorTable:
		cells = head + 12
	case leafIndex, leafTable:
	default:
		r.isDamaged = true
		return
	}
	left := r.usable // what cells may have together: they do not overlap
	for i := range int(binary.BigEndian.Uint16(p[head+3:])) {
		if r.stopped {
			return
		}
		pointer := cells + 2*i
		if pointer+2 > len(p) {
			r.isDamaged = true
			return
		}
		c := cell{kind: kind, at: int(binary.BigEndian.Uint16(p[pointer:]))}
		if !c.read(p, r.usable) || c.end-c.at > left {
			r.isDamaged = true
			continue
		}
		left -= c.end - c.at
		if c.child != 0 {
			r.walk(c.child, depth+1, row)
		}
		if kind != leafTable {
			r.table.rows++
			c.rowid = r.table.rows // of a table without row ids, the number of the row
		}
		if kind != interiorTable && !r.stopped {
			row(c.rowid, r.record(p, at, &c))
		}
	}
	if kind == interiorIndex || kind == interiorTable {
		r.walk(binary.BigEndian.Uint32(p[head+8:]), depth+1, row)
	}
}

// A cell is an entry of a page.
type cell struct {
	kind         byte
	at, end      int    // in the page
	child        uint32 // page with what precedes it; 0: none
	rowid        int64
	payload      int    // where its payload begins, in the page
	local, total int    // bytes of the payload: in the page, and in all
	overflow     uint32 // the page with the rest; 0: none
}

// read reads the head of the cell at c.at.
func (c *cell) read(p []byte, usable int) bool {
	i := c.at
	if i < 8 || i+4 > len(p) {
		return false
	}
	if c.kind == interiorIndex || c.kind == interiorTable {
		c.child = binary.BigEndian.Uint32(p[i:])
		i += 4
	}
	if c.kind == interiorTable {
		_, n := varint(p[i:])
		c.end = i + n
		return n > 0
	}
	size, n := varint(p[i:])
	if n == 0 || size < 0 || size > math.MaxInt32 {
		return false
	}
	i += n
	if c.kind == leafTable {
		c.rowid, n = varint(p[i:])
		if n == 0 {
			return false
		}
		i += n
	}
	c.payload, c.total = i, int(size)
	c.local = localSize(c.total, usable, c.kind == leafTable)
	c.end = i + c.local
	if c.local < c.total {
		c.end += 4
	}
	if c.end > len(p) {
		return false
	}
	if c.local < c.total {
		c.overflow = binary.BigEndian.Uint32(p[c.end-4:])
	}
	return true
}

// localSize returns how many bytes of a payload are in the page of its cell (1.6).
func localSize(total, usable int, isTable bool) int {
	most := (usable-12)*64/255 - 23
	if isTable {
		most = usable - 35
	}
	if total <= most {
		return total
	}
	least := (usable-12)*32/255 - 23
	k := least + (total-least)%(usable-4)
	if k <= most {
		return k
	}
	return least
}

// A value is one value of a record: a text, a BLOB, or a number.
type value struct {
	data   []byte
	isText bool
	number int64     // if it is an integer
	at     scan.Span // its bytes in the page of its cell: fewer than data if it continues elsewhere
}

// record returns the values of a cell (2.1). at is the offset of its page.
func (r *reader) record(p []byte, at int, c *cell) []value {
	payload := p[c.payload : c.payload+c.local]
	if c.local < c.total {
		payload = r.whole(payload, c)
	}
	size, n := varint(payload)
	if n == 0 || size < int64(n) || size > int64(len(payload)) {
		r.isDamaged = true
		return nil
	}
	head, next := payload[n:size], int(size)
	values := r.values[:0]
	for len(head) > 0 {
		kind, n := varint(head)
		if n == 0 {
			r.isDamaged = true
			break
		}
		head = head[n:]
		var v value
		size := sizeOf(kind)
		if size > int64(len(payload)-next) {
			r.isDamaged = true
			size = int64(len(payload) - next)
		}
		end := next + int(size)
		if kind >= 12 {
			v.data, v.isText = payload[next:end], kind&1 == 1
			start := at + c.payload
			v.at = scan.Span{Start: start + min(next, c.local), End: start + min(end, c.local)}
		} else if kind < 7 {
			for _, b := range payload[next:end] {
				v.number = v.number<<8 | int64(b)
			}
		}
		values = append(values, v)
		next = end
	}
	r.values = values
	return values
}

// sizeOf returns the size of a value with a serial type.
func sizeOf(kind int64) int64 {
	if kind >= 12 {
		return (kind - 12) / 2
	}
	return [...]int64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}[max(kind, 0)]
}

// whole returns a payload with the contents of its overflow pages (1.7). Each page is read once, so that
// all payloads together have at most the size of the file.
func (r *reader) whole(local []byte, c *cell) []byte {
	all := append(r.payload[:0], local...)
	for next := c.overflow; len(all) < c.total; {
		p, _ := r.page(next)
		if p == nil {
			break
		}
		next = binary.BigEndian.Uint32(p)
		all = append(all, p[4:min(len(p), 4+c.total-len(all))]...)
	}
	r.payload = all
	return all
}

// varint reads a variable-length integer (1.6), and returns its length; 0 if src is too short.
func varint(src []byte) (v int64, n int) {
	for n < min(len(src), 8) {
		c := src[n]
		n++
		v = v<<7 | int64(c&0x7f)
		if c < 0x80 {
			return v, n
		}
	}
	if n < 8 || len(src) < 9 {
		return 0, 0
	}
	return v<<8 | int64(src[8]), 9
}
