package columnartest

import (
	"encoding/binary"
	"io"
)

var le = binary.LittleEndian

// Arrow reads one stream of Arrow IPC, up to its end.
func Arrow(r io.Reader) (t *Table, err error) {
	a := &arrow{dictionaries: map[int64][]any{}}
	err = attempt(func() {
		for a.message(r) {
		}
	})
	return &a.table, err
}

type arrow struct {
	table        Table
	fields       []arrowField
	dictionaries map[int64][]any
}

type arrowField struct {
	name         string
	typ          byte
	isDictionary bool
	dictionary   int64
	children     []arrowField
}

// A node is a table of a FlatBuffer.
type node struct {
	b  []byte
	at int
}

// field returns where field i is; 0: it is absent.
func (n node) field(i int) int {
	list := n.at - int(int32(le.Uint32(n.b[n.at:])))
	if 4+2*i >= int(le.Uint16(n.b[list:])) {
		return 0
	}
	if d := int(le.Uint16(n.b[list+4+2*i:])); d != 0 {
		return n.at + d
	}
	return 0
}

func (n node) number(i, size int) int64 {
	at := n.field(i)
	if at == 0 {
		return 0
	}
	check(at%size == 0, "field %d is not aligned", i)
	switch size {
	case 1:
		return int64(n.b[at])
	case 2:
		return int64(int16(le.Uint16(n.b[at:])))
	case 4:
		return int64(int32(le.Uint32(n.b[at:])))
	}
	return int64(le.Uint64(n.b[at:]))
}

func (n node) to(i int) int {
	at := n.field(i)
	check(at != 0, "field %d is absent", i)
	return at + int(le.Uint32(n.b[at:]))
}

func (n node) child(i int) node { return node{n.b, n.to(i)} }

func (n node) text(i int) string {
	at := n.to(i)
	return string(n.b[at+4 : at+4+int(le.Uint32(n.b[at:]))])
}

// list returns where the elements of a vector are, and their number.
func (n node) list(i int) (at, size int) {
	at = n.to(i)
	return at + 4, int(le.Uint32(n.b[at:]))
}

func (n node) nodes(i int) (list []node) {
	at, size := n.list(i)
	for k := range size {
		list = append(list, node{n.b, at + 4*k + int(le.Uint32(n.b[at+4*k:]))})
	}
	return list
}

func (n node) pairs(i int) (list [][2]int64) {
	at, size := n.list(i)
	check(at%8 == 0, "structs are not aligned")
	for k := range size {
		list = append(list, [2]int64{int64(le.Uint64(n.b[at+16*k:])), int64(le.Uint64(n.b[at+16*k+8:]))})
	}
	return list
}

// message reads a message, and returns false at the end of the stream.
func (a *arrow) message(r io.Reader) bool {
	head := readAll(r, 8)
	check(le.Uint32(head) == 0xffffffff, "no message")
	size := int(le.Uint32(head[4:]))
	if size == 0 {
		return false
	}
	check(size%8 == 0, "metadata of %d bytes", size)
	metadata := readAll(r, size)
	m := node{metadata, int(le.Uint32(metadata))}
	check(m.number(0, 2) == 4, "not version 5")
	body := readAll(r, int(m.number(3, 8)))
	switch kind := m.number(1, 1); kind {
	case 1:
		a.schema(m.child(2))
	case 2:
		d := m.child(2)
		batch := newArrowBatch(d.child(1), body)
		a.dictionaries[d.number(0, 8)] = batch.texts(batch.node(), 5)
	case 3:
		batch := newArrowBatch(m.child(2), body)
		for i, f := range a.fields {
			c := &a.table.Columns[i]
			c.Values = append(c.Values, a.values(batch, f)...)
		}
		check(len(batch.nodes) == 0 && len(batch.buffers) == 0, "%d nodes, %d buffers are left", len(batch.nodes), len(batch.buffers))
		a.table.Groups = append(a.table.Groups, int(m.child(2).number(0, 8)))
	default:
		check(false, "message of kind %d", kind)
	}
	return true
}

func (a *arrow) schema(s node) {
	a.table.Metadata = map[string]string{}
	for _, pair := range s.nodes(2) {
		a.table.Metadata[pair.text(0)] = pair.text(1)
	}
	for _, n := range s.nodes(1) {
		f := fieldOf(n)
		a.fields = append(a.fields, f)
		name := map[byte]string{2: "int64", 4: "bytes", 5: "text", 6: "bool", 10: "time", 12: "list"}[f.typ]
		if f.typ == 10 {
			check(n.child(3).text(1) == "UTC" && n.child(3).number(0, 2) == 2, "time zone or unit")
		}
		a.table.Columns = append(a.table.Columns, Column{Name: f.name, Type: name, IsDictionary: f.isDictionary})
	}
}

func fieldOf(n node) arrowField {
	f := arrowField{name: n.text(0), typ: byte(n.number(2, 1))}
	if n.field(4) != 0 {
		d := n.child(4)
		f.isDictionary, f.dictionary = true, d.number(0, 8)
		check(d.child(1).number(0, 4) == 32, "width of the index")
	}
	for _, child := range n.nodes(5) {
		f.children = append(f.children, fieldOf(child))
	}
	return f
}

type arrowBatch struct {
	nodes, buffers [][2]int64
	body           []byte
}

func newArrowBatch(n node, body []byte) *arrowBatch {
	check(n.child(3).number(0, 1) == 1, "not zstd")
	return &arrowBatch{nodes: n.pairs(1), buffers: n.pairs(2), body: body}
}

// node returns the number of values of the next node, and that of nulls.
func (b *arrowBatch) node() [2]int64 {
	n := b.nodes[0]
	b.nodes = b.nodes[1:]
	return n
}

func (b *arrowBatch) buffer() []byte {
	place := b.buffers[0]
	b.buffers = b.buffers[1:]
	check(place[0]%8 == 0, "buffer at %d", place[0])
	raw := b.body[place[0] : place[0]+place[1]]
	if len(raw) == 0 {
		return nil
	}
	return unzstd(raw[8:], int(le.Uint64(raw)))
}

// texts reads the buffers of a column of type 4 or 5.
func (b *arrowBatch) texts(n [2]int64, typ byte) (list []any) {
	valid, ends, data := b.buffer(), b.buffer(), b.buffer()
	for i := range int(n[0]) {
		if !bit(valid, i) {
			list = append(list, nil)
			continue
		}
		v := data[le.Uint32(ends[4*i:]):le.Uint32(ends[4*i+4:])]
		if typ == 4 {
			list = append(list, v)
		} else {
			list = append(list, string(v))
		}
	}
	return list
}

func bit(m []byte, i int) bool { return m == nil || m[i/8]>>(i%8)&1 != 0 }

func (a *arrow) values(b *arrowBatch, f arrowField) (list []any) {
	n := b.node()
	switch {
	case f.isDictionary:
		valid, index := b.buffer(), b.buffer()
		for i := range int(n[0]) {
			list = append(list, nil)
			if bit(valid, i) {
				list[i] = a.dictionaries[f.dictionary][le.Uint32(index[4*i:])]
			}
		}
	case f.typ == 4 || f.typ == 5:
		list = b.texts(n, f.typ)
	case f.typ == 2 || f.typ == 10:
		valid, data := b.buffer(), b.buffer()
		for i := range int(n[0]) {
			list = append(list, nil)
			if bit(valid, i) {
				list[i] = int64(le.Uint64(data[8*i:]))
			}
		}
	case f.typ == 6:
		b.buffer()
		data := b.buffer()
		for i := range int(n[0]) {
			list = append(list, bit(data, i))
		}
	case f.typ == 12:
		valid, ends := b.buffer(), b.buffer()
		items := a.items(b, f.children[0])
		for i := range int(n[0]) {
			list = append(list, nil)
			if bit(valid, i) {
				list[i] = listOf(items[le.Uint32(ends[4*i:]):le.Uint32(ends[4*i+4:])])
			}
		}
	default:
		check(false, "type %d", f.typ)
	}
	nulls := 0
	for _, v := range list {
		if v == nil {
			nulls++
		}
	}
	check(nulls == int(n[1]), "%d nulls in %s instead of %d", nulls, f.name, n[1])
	return list
}

// items reads the items of a list: texts, or structs of two numbers.
func (a *arrow) items(b *arrowBatch, f arrowField) []any {
	if f.typ != 13 {
		return a.values(b, f)
	}
	b.node()
	b.buffer()
	first, second := a.values(b, f.children[0]), a.values(b, f.children[1])
	var list []any
	for i := range first {
		list = append(list, [2]int64{first[i].(int64), second[i].(int64)})
	}
	return list
}

// listOf returns a list of strings or of pairs.
func listOf(items []any) any {
	var texts []string
	var pairs [][2]int64
	for _, item := range items {
		switch v := item.(type) {
		case string:
			texts = append(texts, v)
		case [2]int64:
			pairs = append(pairs, v)
		}
	}
	if pairs != nil {
		return pairs
	}
	return texts
}
