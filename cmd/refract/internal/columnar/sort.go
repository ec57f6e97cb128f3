package columnar

import "slices"

// SetSorted says that the rows of b are sorted by the values of a column of type Text, nulls last, or, with
// isKey, by keys made of these values. Then neighbours have much in common. It does nothing if there is no
// such column.
func (b *Batch) SetSorted(name string, isKey bool) {
	i := slices.IndexFunc(b.columns, func(c *column) bool { return c.name == name && c.typ == Text })
	if i < 0 {
		return
	}
	if !isKey {
		b.sorted = name
	}
	b.columns[i].isSorted = !b.columns[i].repeats
	for _, c := range b.columns {
		if c.repeats && c.values.len() > b.rows/plainShare {
			c.expand()
		}
	}
	b.isForLookUp = true
}

// plainShare is how many rows must have a value, on average, for a dictionary in a batch that is sorted. A
// look-up reads all of the dictionary for the value of one row.
const plainShare = 16

// expand makes c a column without a dictionary, until Reset.
func (c *column) expand() {
	var list values
	list.reset()
	for i, k := range c.index {
		if c.valid.at(i) {
			list.data = append(list.data, c.values.at(int(k))...)
		}
		list.ends = append(list.ends, int32(len(list.data)))
	}
	c.values, c.repeats, c.isExpanded = list, false, true
}

// Next divides cells after the first row, and returns its value in the Text field i; nil for null.
func (s *Schema) Next(cells []byte, i int) (row, value, rest []byte) {
	r := reader(cells)
	for k := range s.Fields {
		v := r.cell(s.Fields[k].Type)
		if k == i {
			value = v
		}
	}
	return cells[:len(cells)-len(r)], value, r
}

// cell passes a cell, and returns the value if it is of type Text.
func (r *reader) cell(typ Type) []byte {
	if typ == Flag {
		*r = (*r)[1:]
		return nil
	}
	n, ok := r.uvarint()
	if !ok {
		return nil
	}
	switch typ {
	case Text:
		return r.bytes(n)
	case Octets:
		r.bytes(n >> 1)
	case Texts:
		for range n {
			size, _ := r.uvarint()
			r.bytes(size)
		}
	case Pairs:
		for range 2 * n {
			r.uvarint()
		}
	}
	return nil
}
