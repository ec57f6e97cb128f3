package columnar

import (
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/zstd"
)

// An Arrow writes a table as a stream of Arrow IPC. Dictionaries are replaced with each batch, as the
// streaming format allows, so memory does not grow with the number of distinct values.
//
// See the sections "IPC Streaming Format" and "Encapsulated message format" of the Arrow Columnar
// Format, version 1.
type Arrow struct {
	w        io.Writer
	fields   []*column
	flat     flat
	zstd     *zstd.Encoder
	body     []byte
	nodes    [][2]int64
	buffers  [][2]int64
	scratch  []byte
	metadata [][2]string
	isBegun  bool
}

// NewArrow returns a writer of a stream with the metadata given.
func NewArrow(w io.Writer, s *Schema, metadata [][2]string) *Arrow {
	return &Arrow{w: w, fields: NewBatch(s).columns, zstd: newEncoder(), metadata: metadata}
}

func newEncoder() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // the options are constant
	}
	return e
}

// Numbers in the schema of Arrow's metadata.
const (
	version5 = 4

	headSchema     = 1
	headDictionary = 2
	headBatch      = 3

	typeInt       = 2
	typeBinary    = 4
	typeUTF8      = 5
	typeBool      = 6
	typeTimestamp = 10
	typeList      = 12
	typeStruct    = 13

	microseconds = 2
	codecZstd    = 1
)

// Write writes a batch of the schema given to NewArrow. A batch without rows only begins the stream.
func (a *Arrow) Write(b *Batch) error {
	if err := a.begin(); err != nil || b.rows == 0 {
		return err
	}
	for id, c := range b.columns {
		if c.repeats {
			if err := a.dictionary(int64(id), c); err != nil {
				return err
			}
		}
	}
	a.startBody()
	for _, c := range b.columns {
		a.column(c, b.rows)
	}
	a.flat.reset()
	return a.message(headBatch, a.record(b.rows))
}

// Close ends the stream. It does not close the writer below.
func (a *Arrow) Close() error {
	if err := a.begin(); err != nil {
		return err
	}
	_, err := a.w.Write([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	return err
}

// begin writes the schema, once.
func (a *Arrow) begin() error {
	if a.isBegun {
		return nil
	}
	a.isBegun = true
	a.startBody()
	f := &a.flat
	f.reset()
	var fields []int
	for id, c := range a.fields {
		fields = append(fields, a.field(int64(id), c))
	}
	list := f.offsets(fields)
	var pairs []int
	for _, m := range a.metadata {
		key, value := f.text(m[0]), f.text(m[1])
		f.table(2)
		f.fieldTo(0, key)
		f.fieldTo(1, value)
		pairs = append(pairs, f.end())
	}
	metadata := f.offsets(pairs)
	f.table(3)
	f.fieldTo(1, list)
	f.fieldTo(2, metadata)
	f.field16(0, 0) // little endian
	return a.message(headSchema, f.end())
}

// field writes the description of a column.
func (a *Arrow) field(id int64, c *column) int {
	f := &a.flat
	var children []int
	switch c.typ {
	case Texts:
		children = []int{a.plain("item", typeUTF8, nil, nil, false)}
	case Pairs:
		parts := []int{a.number("offset", false), a.number("length", false)}
		children = []int{a.plain("item", typeStruct, parts, nil, false)}
	}
	switch c.typ {
	case Text:
		if !c.repeats {
			return a.plain(c.name, typeUTF8, nil, nil, true)
		}
		f.table(2)
		f.field32(0, 32)
		f.field8(1, 1) // signed
		index := f.end()
		f.table(3)
		f.field64(0, uint64(id))
		f.fieldTo(1, index)
		dictionary := f.end()
		return a.plain(c.name, typeUTF8, nil, &dictionary, true)
	case Octets:
		return a.plain(c.name, typeBinary, nil, nil, true)
	case Number:
		return a.number(c.name, true)
	case Flag:
		return a.plain(c.name, typeBool, nil, nil, false)
	case Time:
		zone := f.text("UTC")
		f.table(2)
		f.fieldTo(1, zone)
		f.field16(0, microseconds)
		return a.typed(c.name, typeTimestamp, f.end(), nil, nil, true)
	}
	return a.plain(c.name, typeList, children, nil, true)
}

func (a *Arrow) number(name string, isNullable bool) int {
	a.flat.table(2)
	a.flat.field32(0, 64)
	a.flat.field8(1, 1) // signed
	return a.typed(name, typeInt, a.flat.end(), nil, nil, isNullable)
}

// plain writes a field of a type that has no parameters.
func (a *Arrow) plain(name string, number byte, children []int, dictionary *int, isNullable bool) int {
	a.flat.table(0)
	return a.typed(name, number, a.flat.end(), children, dictionary, isNullable)
}

func (a *Arrow) typed(name string, number byte, typ int, children []int, dictionary *int, isNullable bool) int {
	f := &a.flat
	label, list := f.text(name), f.offsets(children)
	f.table(6)
	f.fieldTo(0, label)
	f.fieldTo(3, typ)
	if dictionary != nil {
		f.fieldTo(4, *dictionary)
	}
	f.fieldTo(5, list)
	if isNullable {
		f.field8(1, 1)
	}
	f.field8(2, number)
	return f.end()
}

// dictionary writes the distinct values of a column.
func (a *Arrow) dictionary(id int64, c *column) error {
	a.startBody()
	a.nodes = append(a.nodes, [2]int64{int64(c.values.len()), 0})
	a.buffer(nil)
	a.ints(c.values.ends)
	a.buffer(c.values.data)
	f := &a.flat
	f.reset()
	data := a.record(c.values.len())
	f.table(3)
	f.field64(0, uint64(id))
	f.fieldTo(1, data)
	return a.message(headDictionary, f.end())
}

// column adds the buffers of a column to the body.
func (a *Arrow) column(c *column, rows int) {
	a.nodes = append(a.nodes, [2]int64{int64(rows), int64(c.nulls)})
	if c.nulls == 0 {
		a.buffer(nil)
	} else {
		a.buffer(c.valid)
	}
	switch {
	case c.repeats:
		a.ints(c.index)
	case c.typ == Text || c.typ == Octets:
		a.ints(c.values.ends)
		a.buffer(c.values.data)
	case c.typ == Flag:
		a.buffer(c.flags)
	case c.typ == Number || c.typ == Time:
		a.longs(c.numbers, 0, 1)
	case c.typ == Texts:
		a.ints(c.ends)
		a.nodes = append(a.nodes, [2]int64{int64(c.values.len()), 0})
		a.buffer(nil)
		a.ints(c.values.ends)
		a.buffer(c.values.data)
	case c.typ == Pairs:
		n := [2]int64{int64(len(c.numbers) / 2), 0}
		a.ints(c.ends)
		a.nodes = append(a.nodes, n, n, n)
		a.buffer(nil) // of the structs
		a.buffer(nil)
		a.longs(c.numbers, 0, 2)
		a.buffer(nil)
		a.longs(c.numbers, 1, 2)
	}
}

func (a *Arrow) startBody() { a.body, a.nodes, a.buffers = a.body[:0], a.nodes[:0], a.buffers[:0] }

// buffer adds a buffer to the body: its length and its content in zstd.
func (a *Arrow) buffer(data []byte) {
	start := len(a.body)
	if len(data) > 0 {
		a.body = binary.LittleEndian.AppendUint64(a.body, uint64(len(data)))
		a.body = a.zstd.EncodeAll(data, a.body)
	}
	a.buffers = append(a.buffers, [2]int64{int64(start), int64(len(a.body) - start)})
	a.body = append(a.body, make([]byte, -len(a.body)&7)...)
}

func (a *Arrow) ints(list []int32) {
	a.scratch = a.scratch[:0]
	for _, n := range list {
		a.scratch = binary.LittleEndian.AppendUint32(a.scratch, uint32(n))
	}
	a.buffer(a.scratch)
}

// longs adds a buffer of every step-th number.
func (a *Arrow) longs(list []int64, from, step int) {
	a.scratch = a.scratch[:0]
	for i := from; i < len(list); i += step {
		a.scratch = binary.LittleEndian.AppendUint64(a.scratch, uint64(list[i]))
	}
	a.buffer(a.scratch)
}

// record writes the description of the body, a RecordBatch.
func (a *Arrow) record(rows int) int {
	f := &a.flat
	f.table(2)
	f.field8(0, codecZstd)
	compression := f.end()
	buffers, nodes := f.pairs(a.buffers), f.pairs(a.nodes)
	f.table(4)
	f.field64(0, uint64(rows))
	f.fieldTo(1, nodes)
	f.fieldTo(2, buffers)
	f.fieldTo(3, compression)
	return f.end()
}

// message writes a message with the body.
func (a *Arrow) message(kind byte, head int) error {
	f := &a.flat
	f.table(4)
	f.field64(3, uint64(len(a.body)))
	f.fieldTo(2, head)
	f.field16(0, version5)
	f.field8(1, kind)
	metadata := f.finish(f.end())
	size := (len(metadata) + 7) &^ 7
	out := binary.LittleEndian.AppendUint32(make([]byte, 0, 8+size), 0xffffffff)
	out = append(binary.LittleEndian.AppendUint32(out, uint32(size)), metadata...)
	out = append(out, make([]byte, size-len(metadata))...)
	if _, err := a.w.Write(out); err != nil {
		return err
	}
	_, err := a.w.Write(a.body)
	return err
}
