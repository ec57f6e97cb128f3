package columnar

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// maxBound limits the bytes of the least and greatest value of a column, or of a page of it, that are recorded.
const maxBound = 64

// bounds are the least and the greatest value of a column or page, as plain values; nil if they are not
// known. Those of texts are cut after maxBound bytes, so that they are only below and above all values.
type bounds struct {
	least, most       []byte
	leastCut, mostCut bool
}

// bounds returns the bounds of the rows from one to another, and how many of them are null.
func (c *column) bounds(from, to int) (b bounds, nulls int64) {
	if c.typ == Flag {
		return b, 0
	}
	for i := from; i < to; i++ {
		if !c.valid.at(i) {
			nulls++
		}
	}
	switch c.typ {
	case Number, Time:
		return c.numberBounds(from, to), nulls
	case Text, Octets:
		return c.textBounds(from, to), nulls
	}
	return b, nulls
}

func (c *column) textBounds(from, to int) (b bounds) {
	var least, most []byte
	last, found := int32(-1), false
	for i := from; i < to; i++ {
		if !c.valid.at(i) {
			continue
		}
		var v []byte
		if c.repeats {
			if c.index[i] == last {
				continue
			}
			last = c.index[i]
			v = c.values.at(int(last))
		} else {
			v = c.values.at(i)
		}
		if !found || bytes.Compare(v, least) < 0 {
			least = v
		}
		if !found || bytes.Compare(v, most) > 0 {
			most = v
		}
		found = true
	}
	if !found {
		return bounds{}
	}
	b.least, b.leastCut = lowerBound(least, c.typ == Text)
	b.most, b.mostCut = upperBound(most, c.typ == Text)
	if b.most == nil {
		return bounds{} // nothing of this length is above it
	}
	return b
}

// lowerBound returns v, or its beginning, which is below it.
func lowerBound(v []byte, isText bool) (bound []byte, isCut bool) {
	if len(v) <= maxBound {
		return append([]byte{}, v...), false
	}
	return append([]byte{}, v[:boundLength(v, isText)]...), true
}

// upperBound returns v, or a shorter value above it: its beginning, with the last character that has a
// successor replaced by that successor. It returns nil if there is none.
func upperBound(v []byte, isText bool) (bound []byte, isCut bool) {
	if len(v) <= maxBound {
		return append([]byte{}, v...), false
	}
	v = v[:boundLength(v, isText)]
	for len(v) > 0 {
		if !isText {
			if last := v[len(v)-1]; last < 0xff {
				return append(append([]byte{}, v[:len(v)-1]...), last+1), true
			}
			v = v[:len(v)-1]
			continue
		}
		r, size := utf8.DecodeLastRune(v)
		v = v[:len(v)-size]
		if r++; r == 0xd800 {
			r = 0xe000 // behind the surrogates
		}
		if r <= utf8.MaxRune {
			return utf8.AppendRune(append([]byte{}, v...), r), true
		}
	}
	return nil, false
}

// boundLength returns the length to which v is cut, so as not to cut a character of a text.
func boundLength(v []byte, isText bool) int {
	n := maxBound
	for isText && n > 0 && !utf8.RuneStart(v[n]) {
		n--
	}
	return n
}

func (c *column) numberBounds(from, to int) bounds {
	var low, high int64
	some := false
	for i := from; i < to; i++ {
		if !c.valid.at(i) {
			continue
		}
		n := c.numbers[i]
		if !some {
			low, high, some = n, n, true
		}
		low, high = min(low, n), max(high, n)
	}
	if !some {
		return bounds{}
	}
	return bounds{least: binary.LittleEndian.AppendUint64(nil, uint64(low)), most: binary.LittleEndian.AppendUint64(nil, uint64(high))}
}

// compare compares plain values of a column.
func (c *column) compare(a, b []byte) int {
	if c.typ == Number || c.typ == Time {
		x, y := int64(binary.LittleEndian.Uint64(a)), int64(binary.LittleEndian.Uint64(b))
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return bytes.Compare(a, b)
}

// add extends b, the bounds of a column of a row group, by those of a page.
func (b *bounds) add(c *column, page bounds) {
	if page.least == nil {
		return
	}
	if b.least == nil || c.compare(page.least, b.least) < 0 {
		b.least, b.leastCut = page.least, page.leastCut
	}
	if b.most == nil || c.compare(page.most, b.most) > 0 {
		b.most, b.mostCut = page.most, page.mostCut
	}
}

// Orders of pages in parquet.thrift.
const (
	unordered = 0
	ascending = 1
)

// writeIndexes writes the page indexes of all row groups.
func (p *Parquet) writeIndexes() error {
	var t thrift
	write := func(at, size *int64, fill func()) error {
		t.b = t.b[:0]
		t.open()
		fill()
		t.end()
		*at, *size = p.offset, int64(len(t.b))
		return p.write(t.b)
	}
	for i := range p.groups {
		for j := range p.groups[i].chunks {
			k := &p.groups[i].chunks[j]
			if !k.hasBounds() {
				continue
			}
			if err := write(&k.columnIndex, &k.columnIndexSize, func() { k.writeColumnIndex(&t) }); err != nil {
				return err
			}
		}
	}
	for i := range p.groups {
		for j := range p.groups[i].chunks {
			k := &p.groups[i].chunks[j]
			if err := write(&k.offsetIndex, &k.offsetIndexSize, func() { k.writeOffsetIndex(&t) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasBounds reports whether the bounds of all pages are known, except of those that are null.
func (k *chunk) hasBounds() bool {
	switch k.leaf.column.typ {
	case Flag, Texts, Pairs:
		return false
	}
	for i := range k.pages {
		if p := &k.pages[i]; p.bounds.least == nil && p.nulls < k.rowsOf(i) {
			return false
		}
	}
	return true
}

// rowsOf returns the number of rows of a page.
func (k *chunk) rowsOf(page int) int64 {
	if page+1 < len(k.pages) {
		return k.pages[page+1].row - k.pages[page].row
	}
	return k.values - k.pages[page].row
}

func (k *chunk) writeColumnIndex(t *thrift) {
	t.list(1, thriftTrue, len(k.pages))
	for i := range k.pages {
		if k.pages[i].bounds.least == nil {
			t.b = append(t.b, thriftTrue)
		} else {
			t.b = append(t.b, thriftFalse)
		}
	}
	t.list(2, thriftBinary, len(k.pages))
	for i := range k.pages {
		t.item(string(k.pages[i].bounds.least))
	}
	t.list(3, thriftBinary, len(k.pages))
	for i := range k.pages {
		t.item(string(k.pages[i].bounds.most))
	}
	t.i32(4, k.order())
	t.list(5, thriftI64, len(k.pages))
	for i := range k.pages {
		t.b = binary.AppendVarint(t.b, k.pages[i].nulls)
	}
}

// order returns how the bounds of pages are ordered.
func (k *chunk) order() int64 {
	var last *bounds
	for i := range k.pages {
		b := &k.pages[i].bounds
		if b.least == nil {
			continue
		}
		c := k.leaf.column
		if last != nil && (c.compare(last.least, b.least) > 0 || c.compare(last.most, b.most) > 0) {
			return unordered
		}
		last = b
	}
	return ascending
}

func (k *chunk) writeOffsetIndex(t *thrift) {
	t.list(1, thriftStruct, len(k.pages))
	for i := range k.pages {
		page := &k.pages[i]
		t.open()
		t.i64(1, page.offset)
		t.i32(2, page.size)
		t.i64(3, page.row)
		t.end()
	}
}
