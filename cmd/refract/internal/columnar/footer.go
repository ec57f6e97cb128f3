package columnar

import (
	"encoding/binary"
	"slices"
)

// Numbers of parquet.thrift.
const (
	physicalBoolean = 0
	physicalInt64   = 2
	physicalBytes   = 6

	required = 0
	optional = 1
	repeated = 2

	convertedUTF8 = 0
	convertedList = 3
	convertedTime = 10 // microseconds

	logicalString = 1
	logicalList   = 3
	logicalTime   = 8

	pageData       = 0
	pageDictionary = 2

	encodingPlain      = 0
	encodingHybrid     = 3
	encodingDelta      = 5
	encodingPrefixed   = 7
	encodingDictionary = 8

	compressionZstd = 6
)

// Close writes the footer, with the metadata given. It does not close the writer below.
func (p *Parquet) Close(createdBy string, metadata [][2]string) error {
	if err := p.begin(); err != nil {
		return err
	}
	if err := p.writeIndexes(); err != nil {
		return err
	}
	var t thrift
	t.open()
	t.i32(1, 2) // version
	elements := schemaOf(p.columns)
	t.list(2, thriftStruct, len(elements))
	for _, e := range elements {
		e.write(&t)
	}
	t.i64(3, p.rows)
	t.list(4, thriftStruct, len(p.groups))
	for i := range p.groups {
		p.groups[i].write(&t)
	}
	t.list(5, thriftStruct, len(metadata))
	for _, m := range metadata {
		t.open()
		t.text(1, m[0])
		t.text(2, m[1])
		t.end()
	}
	t.text(6, createdBy)
	list := leaves(p.columns)
	t.list(7, thriftStruct, len(list))
	for range list { // the order of bounds is that of the type
		t.open()
		t.begin(1)
		t.end()
		t.end()
	}
	t.end()
	t.b = binary.LittleEndian.AppendUint32(t.b, uint32(len(t.b)))
	return p.write(append(t.b, magic...))
}

// An element is a node of the schema.
type element struct {
	name       string
	repetition int64 // -1: the root
	physical   int64 // -1: a group
	children   int
	logical    int // 0: none
}

// schemaOf returns the schema of columns, parents before children.
func schemaOf(columns []*column) (list []element) {
	list = append(list, element{"refract", -1, -1, len(columns), 0})
	for _, c := range columns {
		switch c.typ {
		case Text:
			list = append(list, element{c.name, optional, physicalBytes, 0, logicalString})
		case Octets:
			list = append(list, element{c.name, optional, physicalBytes, 0, 0})
		case Number:
			list = append(list, element{c.name, optional, physicalInt64, 0, 0})
		case Flag:
			list = append(list, element{c.name, required, physicalBoolean, 0, 0})
		case Time:
			list = append(list, element{c.name, optional, physicalInt64, 0, logicalTime})
		case Texts:
			list = append(list, element{c.name, optional, -1, 1, logicalList}, element{"list", repeated, -1, 1, 0},
				element{"element", required, physicalBytes, 0, logicalString})
		case Pairs:
			list = append(list, element{c.name, optional, -1, 1, logicalList}, element{"list", repeated, -1, 1, 0},
				element{"element", required, -1, 2, 0},
				element{"offset", required, physicalInt64, 0, 0}, element{"length", required, physicalInt64, 0, 0})
		}
	}
	return list
}

func (e *element) write(t *thrift) {
	t.open()
	if e.physical >= 0 {
		t.i32(1, e.physical)
	}
	if e.repetition >= 0 {
		t.i32(3, e.repetition)
	}
	t.text(4, e.name)
	if e.children > 0 || e.repetition < 0 {
		t.i32(5, int64(e.children))
	}
	switch e.logical {
	case logicalString:
		t.i32(6, convertedUTF8)
	case logicalList:
		t.i32(6, convertedList)
	case logicalTime:
		t.i32(6, convertedTime)
	}
	if e.logical != 0 {
		t.begin(10)
		t.begin(e.logical)
		if e.logical == logicalTime {
			t.flag(1, true) // UTC
			t.begin(2)
			t.begin(2) // microseconds
			t.end()
			t.end()
		}
		t.end()
		t.end()
	}
	t.end()
}

func (g *group) write(t *thrift) {
	var raw, packed int64
	t.open()
	t.list(1, thriftStruct, len(g.chunks))
	for i := range g.chunks {
		g.chunks[i].write(t)
		raw += g.chunks[i].raw
		packed += g.chunks[i].packed
	}
	t.i64(2, raw)
	t.i64(3, g.rows)
	if i := slices.IndexFunc(g.chunks, func(k chunk) bool { return g.sorted != "" && k.leaf.column.name == g.sorted }); i >= 0 {
		t.list(4, thriftStruct, 1)
		t.open()
		t.i32(1, int64(i))
		t.flag(2, false)
		t.flag(3, false)
		t.end()
	}
	t.i64(5, g.chunks[0].start())
	t.i64(6, packed)
	t.end()
}

// start returns the offset of the first page.
func (k *chunk) start() int64 {
	if k.dictionary > 0 {
		return k.dictionary
	}
	return k.data
}

func (k *chunk) write(t *thrift) {
	c := k.leaf.column
	physical := int64(physicalBytes)
	switch c.typ {
	case Flag:
		physical = physicalBoolean
	case Number, Time, Pairs:
		physical = physicalInt64
	}
	t.open()
	t.i64(2, 0) // no metadata besides the footer's
	t.begin(3)
	t.i32(1, physical)
	encodings := []int64{encodingPlain, encodingHybrid}
	if e := c.encoding(); e != encodingPlain {
		encodings = append(encodings, e)
	}
	t.list(2, thriftI32, len(encodings))
	for _, e := range encodings {
		t.b = binary.AppendVarint(t.b, e)
	}
	t.list(3, thriftBinary, len(k.leaf.path))
	for _, name := range k.leaf.path {
		t.item(name)
	}
	t.i32(4, compressionZstd)
	t.i64(5, k.values)
	t.i64(6, k.raw)
	t.i64(7, k.packed)
	t.i64(9, k.data)
	if k.dictionary > 0 {
		t.i64(11, k.dictionary)
	}
	if c.typ != Texts && c.typ != Pairs {
		t.begin(12)
		t.i64(3, k.nulls)
		if b := &k.bounds; b.least != nil {
			t.text(5, string(b.most))
			t.text(6, string(b.least))
			t.flag(7, !b.mostCut)
			t.flag(8, !b.leastCut)
		}
		t.end()
	}
	if k.bloom > 0 {
		t.i64(14, k.bloom)
		t.i32(15, k.bloomSize)
	}
	t.end()
	t.i64(4, k.offsetIndex)
	t.i32(5, k.offsetIndexSize)
	if k.columnIndex > 0 {
		t.i64(6, k.columnIndex)
		t.i32(7, k.columnIndexSize)
	}
	t.end()
}
