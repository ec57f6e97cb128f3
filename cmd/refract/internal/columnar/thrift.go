package columnar

import "encoding/binary"

// A thrift writes structs in the compact protocol of Thrift.
type thrift struct {
	b     []byte
	last  int   // number of the last field of the current struct
	outer []int // those of the structs around it
}

// Types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftI32    = 5
	thriftI64    = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

func (t *thrift) field(id int, typ byte) {
	if delta := id - t.last; delta > 0 && delta < 16 {
		t.b = append(t.b, byte(delta)<<4|typ)
	} else {
		t.b = append(t.b, typ)
		t.b = binary.AppendVarint(t.b, int64(id))
	}
	t.last = id
}

func (t *thrift) i32(id int, v int64) {
	t.field(id, thriftI32)
	t.b = binary.AppendVarint(t.b, v)
}

func (t *thrift) i64(id int, v int64) {
	t.field(id, thriftI64)
	t.b = binary.AppendVarint(t.b, v)
}

func (t *thrift) flag(id int, v bool) {
	if v {
		t.field(id, thriftTrue)
	} else {
		t.field(id, thriftFalse)
	}
}

func (t *thrift) text(id int, s string) {
	t.field(id, thriftBinary)
	t.item(s)
}

// item writes a text in a list.
func (t *thrift) item(s string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...)
}

// list writes the beginning of a list.
func (t *thrift) list(id int, typ byte, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|typ)
		return
	}
	t.b = binary.AppendUvarint(append(t.b, 0xf0|typ), uint64(n))
}

// begin begins a struct in a field; open one in a list, or the outermost.
func (t *thrift) begin(id int) {
	t.field(id, thriftStruct)
	t.open()
}

func (t *thrift) open() {
	t.outer = append(t.outer, t.last)
	t.last = 0
}

func (t *thrift) end() {
	t.b = append(t.b, 0)
	t.last = t.outer[len(t.outer)-1]
	t.outer = t.outer[:len(t.outer)-1]
}
