package columnar

import (
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A Parquet writes a table as a Parquet file. Each batch becomes a row group.
//
// See parquet-format 2.11: README, Encodings.md, LogicalTypes.md, PageIndex.md, BloomFilter.md and
// parquet.thrift. Pages are those of version 1, which every reader knows. Values are in dictionaries if
// they repeat; numbers, and texts that are sorted, as differences; and others plain.
type Parquet struct {
	w       io.Writer
	offset  int64
	rows    int64
	groups  []group
	columns []*column // for names and types
	zstd    *zstd.Encoder

	raw, packed []byte // of a page
	head        thrift
	rowsKnown   []int32 // as known returns them
	hashes      []uint64
}

// A group is a row group that has been written.
type group struct {
	rows   int64
	chunks []chunk
	sorted string // the column by whose values the rows are sorted; "": none
}

// A chunk is a column of a row group.
type chunk struct {
	leaf             leaf
	dictionary, data int64 // offsets; dictionary: 0 for none
	values           int64
	nulls            int64
	raw, packed      int64 // sizes
	bounds           bounds
	pages            []dataPage
	bloom, bloomSize int64 // where the bloom filter is; 0: there is none

	columnIndex, offsetIndex         int64 // where they are, as Close writes them
	columnIndexSize, offsetIndexSize int64
}

// A dataPage is a page of a chunk, for the page index.
type dataPage struct {
	offset int64
	size   int64 // with its header
	row    int64 // the first one, in the row group
	nulls  int64
	bounds bounds
}

// A leaf is a column as Parquet counts them: a list of pairs has two.
type leaf struct {
	path   []string
	column *column
	part   int // of pairs: 0 for the offset, 1 for the length
}

const (
	pageSize = 1 << 20 // raw bytes from which a page ends
	pageRows = 20_000
	// lookUpRows is pageRows if rows are sorted. Smaller pages make files larger: those of 1,000 rows by a tenth.
	lookUpRows = 2_000

	magic = "PAR1"
)

// NewParquet returns a writer of a file.
func NewParquet(w io.Writer, s *Schema) *Parquet {
	return &Parquet{w: w, columns: NewBatch(s).columns, zstd: newEncoder()}
}

// Size returns the number of bytes written so far.
func (p *Parquet) Size() int64 { return p.offset }

// Rows returns the number of rows written so far.
func (p *Parquet) Rows() int64 { return p.rows }

func (p *Parquet) write(b []byte) error {
	n, err := p.w.Write(b)
	p.offset += int64(n)
	return err
}

// begin writes the first bytes of the file, once.
func (p *Parquet) begin() error {
	if p.offset > 0 {
		return nil
	}
	return p.write([]byte(magic))
}

// Write writes a batch of the schema given to NewParquet as a row group; one without rows is left out.
func (p *Parquet) Write(b *Batch) error {
	if err := p.begin(); err != nil || b.rows == 0 {
		return err
	}
	g := group{rows: int64(b.rows), sorted: b.sorted}
	for _, l := range leaves(b.columns) {
		c, err := p.chunk(l, b)
		if err != nil {
			return err
		}
		g.chunks = append(g.chunks, c)
	}
	for i := range g.chunks {
		if g.chunks[i].leaf.column.name == g.sorted {
			continue // the bounds of its pages tell more
		}
		if err := p.bloom(&g.chunks[i]); err != nil {
			return err
		}
	}
	p.rows += g.rows
	p.groups = append(p.groups, g)
	return nil
}

// leaves returns the leaves of columns.
func leaves(columns []*column) (list []leaf) {
	for _, c := range columns {
		switch c.typ {
		case Texts:
			list = append(list, leaf{[]string{c.name, "list", "element"}, c, 0})
		case Pairs:
			list = append(list, leaf{[]string{c.name, "list", "element", "offset"}, c, 0},
				leaf{[]string{c.name, "list", "element", "length"}, c, 1})
		default:
			list = append(list, leaf{[]string{c.name}, c, 0})
		}
	}
	return list
}

// chunk writes a column of a batch.
func (p *Parquet) chunk(l leaf, b *Batch) (chunk, error) {
	rows, most := b.rows, pageRows
	if b.isForLookUp {
		most = lookUpRows
	}
	c := l.column
	k := chunk{leaf: l, nulls: int64(c.nulls)}
	if c.repeats {
		k.dictionary = p.offset
		p.raw = p.raw[:0]
		for i := range c.values.len() {
			p.raw = appendPlain(p.raw, c.values.at(i))
		}
		if err := p.page(&k, pageDictionary, c.values.len()); err != nil {
			return k, err
		}
	}
	k.data = p.offset
	for from := 0; from < rows; {
		to := c.pageEnd(from, min(from+most, rows))
		values := p.encode(l, from, to)
		page := dataPage{offset: p.offset, row: int64(from)}
		if err := p.page(&k, pageData, values); err != nil {
			return k, err
		}
		page.size = p.offset - page.offset
		page.bounds, page.nulls = c.bounds(from, to)
		k.bounds.add(c, page.bounds)
		k.pages = append(k.pages, page)
		k.values += int64(values)
		from = to
	}
	return k, nil
}

// pageEnd returns the row, at most end, before which the page that begins at a row ends.
func (c *column) pageEnd(from, end int) int {
	if c.repeats || c.typ == Number || c.typ == Time || c.typ == Flag {
		return end
	}
	first := func(row int) int { // the first value of a row
		if c.typ == Texts || c.typ == Pairs {
			return int(c.ends[row])
		}
		return row
	}
	size := func(row int) int {
		if c.typ == Pairs {
			return 16 * first(row)
		}
		return int(c.values.ends[first(row)])
	}
	to := from + 1
	for to < end && size(to)-size(from) < pageSize {
		to++
	}
	return to
}

// encode sets p.raw to the content of a page with some rows, and returns the number of its values,
// nulls included.
func (p *Parquet) encode(l leaf, from, to int) (values int) {
	c := l.column
	p.raw = p.raw[:0]
	switch {
	case c.typ == Flag:
		for i := from; i < to; i++ {
			if (i-from)%8 == 0 {
				p.raw = append(p.raw, 0)
			}
			if c.flags.at(i) {
				p.raw[len(p.raw)-1] |= 1 << ((i - from) % 8)
			}
		}
		return to - from
	case c.typ == Texts || c.typ == Pairs:
		return p.encodeLists(l, from, to)
	}
	p.levels(to-from, 1, func(i int) uint32 {
		if c.valid.at(from + i) {
			return 1
		}
		return 0
	})
	switch {
	case c.repeats:
		width := max(1, widthOf(c.values.len())) // not all readers take 0
		p.raw = append(p.raw, byte(width))
		index := c.index[from:to]
		if c.nulls > 0 {
			index = p.known(c, from, to)
			for i, row := range index {
				index[i] = c.index[row]
			}
		}
		p.raw = appendHybrid(p.raw, len(index), width, func(i int) uint32 { return uint32(index[i]) })
	case c.typ == Number || c.typ == Time:
		rows := p.known(c, from, to)
		p.raw = appendDeltas(p.raw, len(rows), func(i int) int64 { return c.numbers[rows[i]] })
	case c.isSorted:
		rows := p.known(c, from, to)
		p.raw = appendPrefixed(p.raw, len(rows), func(i int) []byte { return c.values.at(int(rows[i])) })
	default:
		for i := from; i < to; i++ {
			if c.valid.at(i) {
				p.raw = appendPlain(p.raw, c.values.at(i))
			}
		}
	}
	return to - from
}

// known returns the rows that are not null. The result is valid until the next call.
func (p *Parquet) known(c *column, from, to int) []int32 {
	p.rowsKnown = p.rowsKnown[:0]
	for i := from; i < to; i++ {
		if c.valid.at(i) {
			p.rowsKnown = append(p.rowsKnown, int32(i))
		}
	}
	return p.rowsKnown
}

// encodeLists is encode for lists: a value for each item, and one for each list that is null or
// empty. Items are on definition level 2, empty lists on 1.
func (p *Parquet) encodeLists(l leaf, from, to int) (values int) {
	c := l.column
	var repetition, definition []byte
	for row := from; row < to; row++ {
		n := int(c.ends[row+1] - c.ends[row])
		if n == 0 {
			level := byte(0)
			if c.valid.at(row) {
				level = 1
			}
			repetition, definition = append(repetition, 0), append(definition, level)
		}
		for i := range n {
			repetition, definition = append(repetition, byte(min(i, 1))), append(definition, 2)
		}
	}
	p.levels(len(repetition), 1, func(i int) uint32 { return uint32(repetition[i]) })
	p.levels(len(definition), 2, func(i int) uint32 { return uint32(definition[i]) })
	for i := int(c.ends[from]); i < int(c.ends[to]); i++ {
		if c.typ == Texts {
			p.raw = appendPlain(p.raw, c.values.at(i))
		} else {
			p.raw = binary.LittleEndian.AppendUint64(p.raw, uint64(c.numbers[2*i+l.part]))
		}
	}
	return len(repetition)
}

// levels appends levels, with their size in front.
func (p *Parquet) levels(n, width int, at func(i int) uint32) {
	start := len(p.raw)
	p.raw = appendHybrid(append(p.raw, 0, 0, 0, 0), n, width, at)
	binary.LittleEndian.PutUint32(p.raw[start:], uint32(len(p.raw)-start-4))
}

func appendPlain(dst, value []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(value))), value...)
}

// page writes p.raw as a page of k.
func (p *Parquet) page(k *chunk, kind, values int) error {
	p.packed = p.zstd.EncodeAll(p.raw, p.packed[:0])
	t := &p.head
	t.b = t.b[:0]
	t.open()
	t.i32(1, int64(kind))
	t.i32(2, int64(len(p.raw)))
	t.i32(3, int64(len(p.packed)))
	if kind == pageDictionary {
		t.begin(7)
		t.i32(1, int64(values))
		t.i32(2, encodingPlain)
	} else {
		t.begin(5)
		t.i32(1, int64(values))
		t.i32(2, k.leaf.column.encoding())
		t.i32(3, encodingHybrid)
		t.i32(4, encodingHybrid)
	}
	t.end()
	t.end()
	k.raw += int64(len(t.b) + len(p.raw))
	k.packed += int64(len(t.b) + len(p.packed))
	if err := p.write(t.b); err != nil {
		return err
	}
	return p.write(p.packed)
}

func (c *column) encoding() int64 {
	switch {
	case c.repeats:
		return encodingDictionary
	case c.typ == Number || c.typ == Time:
		return encodingDelta
	case c.isSorted:
		return encodingPrefixed
	}
	return encodingPlain
}
