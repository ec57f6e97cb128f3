package columnar

import (
	"bytes"
	"hash/maphash"
)

// A Batch holds rows of one table, by column. Its memory is reused after Reset.
type Batch struct {
	Schema  *Schema
	rows    int
	size    int
	columns []*column
	sorted  string // the column by whose values the rows are sorted; "": none

	isForLookUp bool // pages are small, since a look-up reads one
}

// A column holds the values of a column. A field of type Octets has two.
type column struct {
	name    string
	typ     Type // Text, Octets for bytes of any kind, Number, Flag, Time, Texts or Pairs
	repeats bool
	isNext  bool // the second column of a field

	isLookedUp bool
	isSorted   bool // values, which do not repeat, have much in common with the one before
	isExpanded bool // repeats is false only for this batch

	valid bitmap // not of flags
	nulls int

	values  values  // Text, Octets: those of all rows or, if they repeat, the distinct ones; Texts: the items
	index   []int32 // if they repeat: the value of each row; 0 for null
	set     set
	numbers []int64 // Number, Time; Pairs: two for each item
	flags   bitmap
	ends    []int32 // of lists: the end of each list among the items; the first is 0
}

// values is a sequence of byte strings.
type values struct {
	data []byte
	ends []int32 // the first is 0
}

func (v *values) reset() { v.data, v.ends = v.data[:0], append(v.ends[:0], 0) }
func (v *values) len() int {
	return len(v.ends) - 1
}
func (v *values) at(i int) []byte { return v.data[v.ends[i]:v.ends[i+1]] }
func (v *values) add(s []byte) {
	v.data = append(v.data, s...)
	v.ends = append(v.ends, int32(len(v.data)))
}

// MaxBatch is the size from which a Batch must be written, so that 32 bits suffice for its offsets.
const MaxBatch = 1 << 30

// NewBatch returns an empty Batch.
func NewBatch(s *Schema) *Batch {
	b := &Batch{Schema: s}
	for _, f := range s.Fields {
		typ := f.Type
		if typ == Octets {
			typ = Text
		}
		b.columns = append(b.columns, &column{name: f.Name, typ: typ, repeats: f.Repeats && typ == Text, isLookedUp: f.LookUp})
		if f.Type == Octets {
			b.columns = append(b.columns, &column{name: f.Name + octetsSuffix, typ: Octets, isNext: true})
		}
	}
	b.Reset()
	return b
}

// Reset removes all rows.
func (b *Batch) Reset() {
	b.rows, b.size, b.sorted, b.isForLookUp = 0, 0, "", false
	for _, c := range b.columns {
		if c.isExpanded {
			c.repeats, c.isExpanded = true, false
		}
		c.valid, c.flags, c.nulls, c.isSorted = c.valid[:0], c.flags[:0], 0, false
		c.index, c.numbers, c.ends = c.index[:0], c.numbers[:0], append(c.ends[:0], 0)
		c.values.reset()
		c.set.reset()
	}
}

// Rows returns the number of rows.
func (b *Batch) Rows() int { return b.rows }

// Size returns the memory that the rows take, in bytes.
func (b *Batch) Size() int { return b.size }

// Append appends the row at the beginning of cells, and returns the rest.
func (b *Batch) Append(cells []byte) (rest []byte) {
	r := reader(cells)
	for i, c := range b.columns {
		if c.isNext {
			continue
		}
		switch {
		case i+1 < len(b.columns) && b.columns[i+1].isNext:
			b.octets(&r, c, b.columns[i+1])
		case c.typ == Text:
			n, ok := r.uvarint()
			b.text(c, &r, n, ok)
		case c.typ == Number, c.typ == Time:
			n, ok := r.number()
			c.numbers = append(c.numbers, n)
			c.known(b.rows, ok)
			b.size += 8
		case c.typ == Flag:
			is := r[0] != 0
			r = r[1:]
			c.flags.set(b.rows, is)
			b.size++
		default:
			b.list(&r, c)
		}
	}
	b.rows++
	return r
}

// octets appends a cell to the two columns of a field.
func (b *Batch) octets(r *reader, c, next *column) {
	head, ok := r.uvarint()
	isText := ok && head&1 == 0
	isOctets := ok && head&1 != 0
	if isOctets {
		value := r.bytes(head >> 1)
		next.values.add(value)
		b.size += len(value)
	} else {
		next.values.add(nil)
	}
	next.known(b.rows, isOctets)
	b.size += 4
	b.text(c, r, head>>1, isText)
}

// text appends a value of n bytes, or null, to a column of texts.
func (b *Batch) text(c *column, r *reader, n uint64, ok bool) {
	var value []byte
	if ok {
		value = r.bytes(n)
	}
	c.known(b.rows, ok)
	b.size += 4
	if !c.repeats {
		c.values.add(value)
		b.size += len(value)
		return
	}
	if !ok {
		c.index = append(c.index, 0)
		return
	}
	before := c.values.len()
	c.index = append(c.index, c.set.add(&c.values, value))
	if c.values.len() > before {
		b.size += len(value) + 12
	}
}

// list appends a list, or null.
func (b *Batch) list(r *reader, c *column) {
	n, ok := r.uvarint()
	if !ok {
		n = 0
	}
	for range n {
		if c.typ == Pairs {
			offset, _ := r.number()
			length, _ := r.number()
			c.numbers = append(c.numbers, offset, length)
			b.size += 16
			continue
		}
		size, _ := r.uvarint()
		c.values.add(r.bytes(size))
		b.size += int(size) + 4
	}
	items := c.values.len()
	if c.typ == Pairs {
		items = len(c.numbers) / 2
	}
	c.ends = append(c.ends, int32(items))
	c.known(b.rows, ok)
	b.size += 4
}

// known says whether the value of a row is known, or null.
func (c *column) known(row int, ok bool) {
	c.valid.set(row, ok)
	if !ok {
		c.nulls++
	}
}

// A bitmap is a sequence of bits, the lowest of each byte first.
type bitmap []byte

// set sets bit i, which is the first that has not been set.
func (m *bitmap) set(i int, is bool) {
	if i%8 == 0 {
		*m = append(*m, 0)
	}
	if is {
		(*m)[i/8] |= 1 << (i % 8)
	}
}

func (m bitmap) at(i int) bool { return m[i/8]>>(i%8)&1 != 0 }

// A set finds the index of a value among distinct values.
type set struct {
	slots []int32 // index of a value plus 1; 0: free. Its length is a power of 2
	last  int32   // of the last value that was added
}

const minSlots = 64

var seed = maphash.MakeSeed()

func (s *set) reset() {
	clear(s.slots)
	s.last = -1
}

// add returns the index of value in v, to which it appends a new one. Rows often have the value of
// the row before.
func (s *set) add(v *values, value []byte) int32 {
	if s.last >= 0 && bytes.Equal(v.at(int(s.last)), value) {
		return s.last
	}
	if 2*v.len() >= len(s.slots) {
		s.grow(v)
	}
	i := s.slot(value)
	for s.slots[i] != 0 && !bytes.Equal(v.at(int(s.slots[i]-1)), value) {
		i = (i + 1) & (len(s.slots) - 1)
	}
	if s.slots[i] == 0 {
		v.add(value)
		s.slots[i] = int32(v.len())
	}
	s.last = s.slots[i] - 1
	return s.last
}

func (s *set) slot(value []byte) int {
	return int(maphash.Bytes(seed, value) & uint64(len(s.slots)-1))
}

func (s *set) grow(v *values) {
	s.slots = make([]int32, max(minSlots, 2*len(s.slots)))
	for n := range v.len() {
		i := s.slot(v.at(n))
		for s.slots[i] != 0 {
			i = (i + 1) & (len(s.slots) - 1)
		}
		s.slots[i] = int32(n + 1)
	}
}
