package columnartest

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// Parquet reads a Parquet file.
func Parquet(file []byte) (t *Table, err error) {
	p := &parquet{file: file}
	err = attempt(p.read)
	return &p.table, err
}

type parquet struct {
	file  []byte
	table Table
	kinds []string // of the columns of the table
}

// A message is a struct of Thrift: fields by number. A value is int64, string, bool, []any or message.
type message map[int]any

// compact reads the compact protocol of Thrift.
type compact struct {
	b  []byte
	at int
}

func (c *compact) varint() int64 {
	n, size := binary.Varint(c.b[c.at:])
	check(size > 0, "varint")
	c.at += size
	return n
}

func (c *compact) uvarint() int {
	n, size := binary.Uvarint(c.b[c.at:])
	check(size > 0, "varint")
	c.at += size
	return int(n)
}

func (c *compact) message() message {
	m, id := message{}, 0
	for {
		head := c.b[c.at]
		c.at++
		if head == 0 {
			return m
		}
		if head>>4 == 0 {
			id = int(c.varint())
		} else {
			id += int(head >> 4)
		}
		_, twice := m[id]
		check(!twice, "field %d twice", id)
		m[id] = c.value(head & 15)
	}
}

func (c *compact) value(typ byte) any {
	switch typ {
	case 1, 2:
		return typ == 1
	case 5, 6:
		return c.varint()
	case 8:
		n := c.uvarint()
		c.at += n
		return string(c.b[c.at-n : c.at])
	case 9:
		head := c.b[c.at]
		c.at++
		n := int(head >> 4)
		if n == 15 {
			n = c.uvarint()
		}
		list := []any{}
		for range n {
			if typ := head & 15; typ == 1 || typ == 2 {
				list = append(list, c.b[c.at] == 1)
				c.at++
				continue
			}
			list = append(list, c.value(head&15))
		}
		return list
	case 12:
		return c.message()
	}
	check(false, "type %d of Thrift", typ)
	return nil
}

func (p *parquet) read() {
	f := p.file
	n := len(f)
	check(n >= 12 && string(f[:4]) == "PAR1" && string(f[n-4:]) == "PAR1", "no Parquet file")
	size := int(le.Uint32(f[n-8:]))
	c := compact{f[:n-8], n - 8 - size}
	footer := c.message()
	check(c.at == n-8, "%d bytes are left of the footer", n-8-c.at)
	p.table.Metadata = map[string]string{"created_by": footer[6].(string)}
	for _, pair := range footer[5].([]any) {
		p.table.Metadata[pair.(message)[1].(string)] = pair.(message)[2].(string)
	}
	p.schema(footer[2].([]any))
	leaves := 0
	for _, kind := range p.kinds {
		leaves++
		if kind == "pairs" {
			leaves++
		}
	}
	check(len(footer[7].([]any)) == leaves, "orders of columns")
	rows := int64(0)
	for _, group := range footer[4].([]any) {
		g := group.(message)
		rows += g[3].(int64)
		p.group(g[1].([]any), int(g[3].(int64)))
		sorted := ""
		if by, ok := g[4].([]any); ok {
			check(len(by) == 1 && by[0].(message)[2] == false && by[0].(message)[3] == false, "the order")
			chunk := g[1].([]any)[by[0].(message)[1].(int64)].(message)
			sorted = chunk[3].(message)[3].([]any)[0].(string)
		}
		check(rows == g[3].(int64) || sorted == p.table.Sorted, "groups are sorted by %q and %q", p.table.Sorted, sorted)
		p.table.Sorted = sorted
	}
	check(rows == footer[3].(int64), "%d rows instead of %d", rows, footer[3])
}

// schema reads the columns, and what kind each is.
func (p *parquet) schema(elements []any) {
	root := elements[0].(message)
	for i := 1; i < len(elements); {
		e := elements[i].(message)
		name := e[4].(string)
		children, _ := e[5].(int64)
		kind := ""
		switch {
		case children > 0:
			check(e[6] == int64(3) && e[10].(message)[3] != nil, "%s is no list", name)
			check(elements[i+1].(message)[3] == int64(2), "%s does not repeat", name)
			kind, i = "texts", i+2
			if n, _ := elements[i].(message)[5].(int64); n == 2 {
				kind, i = "pairs", i+2
			}
		case e[1] == int64(0):
			kind = "bool"
		case e[1] == int64(2):
			kind = "int64"
			if logical, ok := e[10].(message); ok {
				time := logical[8].(message)
				check(time[1] == true && time[2].(message)[2] != nil, "time zone or unit")
				kind = "time"
			}
		default:
			kind = "bytes"
			if e[10] != nil {
				check(e[6] == int64(0) && e[10].(message)[1] != nil, "%s is no text", name)
				kind = "text"
			}
		}
		p.kinds = append(p.kinds, kind)
		if kind == "texts" || kind == "pairs" {
			p.table.Columns = append(p.table.Columns, Column{Name: name, Type: "list"})
		} else {
			p.table.Columns = append(p.table.Columns, Column{Name: name, Type: kind})
		}
		i++
	}
	check(int(root[5].(int64)) == len(p.kinds), "%d columns", len(p.kinds))
}

func (p *parquet) group(chunks []any, rows int) {
	p.table.Groups = append(p.table.Groups, rows)
	for i := range p.table.Columns {
		c := &p.table.Columns[i]
		values := p.chunk(chunks[0].(message)[3].(message), p.kinds[i], c)
		p.indexes(chunks[0].(message), values, c)
		chunks = chunks[1:]
		if p.kinds[i] == "pairs" {
			lengths := p.chunk(chunks[0].(message)[3].(message), p.kinds[i], c)
			chunks = chunks[1:]
			for k := range values {
				if values[k] != nil {
					values[k] = zip(values[k].([]any), lengths[k].([]any))
				}
			}
		}
		check(len(values) == rows, "%d values in %s instead of %d", len(values), c.Name, rows)
		c.Values = append(c.Values, values...)
	}
	check(len(chunks) == 0, "%d columns are left", len(chunks))
}

func zip(a, b []any) (list [][2]int64) {
	for i := range a {
		list = append(list, [2]int64{a[i].(int64), b[i].(int64)})
	}
	return list
}

// chunk reads a column of a row group.
func (p *parquet) chunk(m message, kind string, c *Column) (values []any) {
	check(m[4] == int64(6), "not zstd")
	at, left := int(m[9].(int64)), int(m[5].(int64))
	start := at
	if d, ok := m[11].(int64); ok {
		start = int(d)
	}
	end := start + int(m[7].(int64))
	raw := 0
	var dictionary []any
	for at = start; left > 0 || at < end; {
		r := compact{p.file, at}
		head := r.message()
		size, packed := int(head[2].(int64)), int(head[3].(int64))
		data := unzstd(p.file[r.at:r.at+packed], size)
		raw += r.at - at + size
		at = r.at + packed
		if head[1] == int64(2) {
			dictionary = plain(data, int(head[7].(message)[1].(int64)), kind)
			c.IsDictionary = true
			continue
		}
		h := head[5].(message)
		n := int(h[1].(int64))
		left -= n
		values = append(values, page(data, n, kind, dictionary, h[2].(int64))...)
	}
	check(at == end && raw == int(m[6].(int64)) && left == 0, "sizes of %s", c.Name)
	p.bounds(m, kind, values, c)
	return values
}

// bounds checks the statistics.
func (p *parquet) bounds(m message, kind string, values []any, c *Column) {
	s, ok := m[12].(message)
	if !ok {
		return
	}
	nulls := 0
	var texts []string
	var numbers []int64
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			nulls++
		case string:
			texts = append(texts, v)
		case []byte:
			texts = append(texts, string(v))
		case int64:
			numbers = append(numbers, v)
		}
	}
	check(int(s[3].(int64)) == nulls, "nulls of %s", c.Name)
	if s[5] == nil {
		return
	}
	if texts != nil {
		least, most := s[6].(string), s[5].(string)
		check(least <= slices.Min(texts) && slices.Max(texts) <= most && len(least) <= 64 && len(most) <= 64, "bounds of %s", c.Name)
		check((least == slices.Min(texts)) == s[8].(bool) && (most == slices.Max(texts)) == s[7].(bool), "exact bounds of %s", c.Name)
		return
	}
	low, high := le.Uint64([]byte(s[6].(string))), le.Uint64([]byte(s[5].(string)))
	check(slices.Min(numbers) == int64(low) && slices.Max(numbers) == int64(high), "bounds of %s: %v", kind, c.Name)
}

// indexes checks the page index and the Bloom filter of a column.
func (p *parquet) indexes(m message, values []any, c *Column) {
	meta := m[3].(message)
	p.filter(meta, values, c)
	at := func(offset, size int) message {
		r := compact{p.file, int(m[offset].(int64))}
		index := r.message()
		check(r.at == int(m[offset].(int64)+m[size].(int64)), "size of an index of %s", c.Name)
		return index
	}
	pages := at(4, 5)[1].([]any)
	var index message
	if m[6] != nil {
		index = at(6, 7)
		check(len(index[1].([]any)) == len(pages), "pages of %s", c.Name)
	}
	next := meta[9].(int64) // the first data page
	var last string
	for i, page := range pages {
		location := page.(message)
		check(location[1] == next, "page %d of %s is at %d, not %d", i, c.Name, location[1], next)
		r := compact{p.file, int(next)}
		head := r.message()
		next += location[2].(int64)
		check(int64(r.at)+head[3].(int64) == next, "size of page %d of %s", i, c.Name)
		if index == nil {
			continue
		}
		end := len(values)
		if i+1 < len(pages) {
			end = int(pages[i+1].(message)[3].(int64))
		}
		least, most := index[2].([]any)[i].(string), index[3].([]any)[i].(string)
		nulls := 0
		for _, v := range values[location[3].(int64):end] {
			switch v := v.(type) {
			case nil:
				nulls++
			case string:
				check(least <= v && v <= most, "page %d of %s: %q is not from %q to %q", i, c.Name, v, least, most)
			case []byte:
				check(least <= string(v) && string(v) <= most, "page %d of %s", i, c.Name)
			case int64:
				check(int64(le.Uint64([]byte(least))) <= v && v <= int64(le.Uint64([]byte(most))), "page %d of %s", i, c.Name)
			}
		}
		isNull := nulls == end-int(location[3].(int64))
		check(int64(nulls) == index[5].([]any)[i] && index[1].([]any)[i] == isNull, "nulls in page %d of %s", i, c.Name)
		if c.Type == "text" && index[4] == int64(1) && !isNull {
			check(last <= least, "page %d of %s is not in order", i, c.Name)
			last = least
		}
	}
}

// filter checks that a Bloom filter has all values.
func (p *parquet) filter(meta message, values []any, c *Column) {
	if meta[14] == nil {
		return
	}
	c.HasFilter = true
	r := compact{p.file, int(meta[14].(int64))}
	head := r.message()
	check(int64(r.at)+head[1].(int64) == meta[14].(int64)+meta[15].(int64), "size of the filter of %s", c.Name)
	for id := 2; id <= 4; id++ {
		check(head[id].(message)[1] != nil, "field %d of the filter of %s", id, c.Name)
	}
	filter := p.file[r.at : r.at+int(head[1].(int64))]
	has := func(v string) bool {
		h := xxhash.Sum64String(v)
		block := filter[(h>>32)*uint64(len(filter)/32)>>32*32:]
		for i, salt := range []uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31} {
			if bit := uint32(h) * salt >> 27; block[4*i+int(bit/8)]>>(bit%8)&1 == 0 {
				return false
			}
		}
		return true
	}
	wrong := 0
	for i, v := range values {
		if s, ok := v.(string); ok {
			check(has(s), "the filter of %s lacks %q", c.Name, s)
			if has(fmt.Sprintf("%s, which is not there: %d", s, i)) {
				wrong++
			}
		}
	}
	check(wrong <= len(values)/8+4, "the filter of %s has %d of %d values that are not there", c.Name, wrong, len(values))
}

// page reads n values, nulls included; of lists, n items.
func page(data []byte, n int, kind string, dictionary []any, encoding int64) (values []any) {
	var repetition, definition []int
	most := 1
	switch kind {
	case "bool":
		for i := range n {
			values = append(values, data[i/8]>>(i%8)&1 != 0)
		}
		return values
	case "texts", "pairs":
		most = 2
		repetition, data = levels(data, n, 1)
	}
	definition, data = levels(data, n, bits.Len(uint(most)))
	known := 0
	for _, d := range definition {
		if d == most {
			known++
		}
	}
	var items []any
	switch encoding {
	case 8:
		for _, i := range hybrid(data[1:], known, int(data[0])) {
			items = append(items, dictionary[i])
		}
	case 5:
		numbers, rest := deltas(data)
		check(len(numbers) == known && len(rest) == 0, "%d numbers instead of %d, %d bytes are left", len(numbers), known, len(rest))
		for _, n := range numbers {
			items = append(items, n)
		}
	case 7:
		items = prefixed(data, known)
	default:
		items = plain(data, known, kind)
	}
	for i, d := range definition {
		switch {
		case most == 1 && d == 0, most == 2 && d == 0:
			values = append(values, nil)
		case most == 1:
			values, items = append(values, items[0]), items[1:]
		case d == 1:
			values = append(values, []any{})
		case repetition[i] == 0:
			values, items = append(values, []any{items[0]}), items[1:]
		default:
			last := len(values) - 1
			values[last], items = append(values[last].([]any), items[0]), items[1:]
		}
	}
	if kind == "texts" {
		for i, v := range values {
			if v != nil {
				values[i] = listOf(v.([]any))
			}
		}
	}
	return values
}

func levels(data []byte, n, width int) (list []int, rest []byte) {
	size := int(le.Uint32(data))
	return hybrid(data[4:4+size], n, width), data[4+size:]
}

// hybrid reads n numbers in run lengths and bit packing.
func hybrid(data []byte, n, width int) (list []int) {
	r := compact{data, 0}
	for len(list) < n {
		head := r.uvarint()
		if head&1 == 0 {
			v := 0
			for i := range (width + 7) / 8 {
				v |= int(data[r.at+i]) << (8 * i)
			}
			r.at += (width + 7) / 8
			check(len(list)+head>>1 <= n, "a run of %d", head>>1)
			list = append(list, slices.Repeat([]int{v}, head>>1)...)
			continue
		}
		for i := range head >> 1 * 8 {
			v := 0
			for k := range width {
				at := i*width + k
				v |= int(data[r.at+at/8]>>(at%8)&1) << k
			}
			list = append(list, v)
		}
		r.at += head >> 1 * width
	}
	check(r.at == len(data), "%d bytes are left", len(data)-r.at)
	return list[:n]
}

// deltas reads numbers that are stored as differences.
func deltas(data []byte) (list []int64, rest []byte) {
	r := compact{data, 0}
	block, parts, n, last := r.uvarint(), r.uvarint(), r.uvarint(), r.varint()
	if n > 0 {
		list = append(list, last)
	}
	for len(list) < n {
		least := r.varint()
		widths := data[r.at : r.at+parts]
		r.at += parts
		for _, width := range widths {
			if len(list) == n {
				break
			}
			bit := 8 * r.at
			for range block / parts {
				var v uint64
				for k := range int(width) {
					v |= uint64(data[bit/8]>>(bit%8)&1) << k
					bit++
				}
				if len(list) < n {
					last += least + int64(v)
					list = append(list, last)
				}
			}
			r.at = bit / 8
		}
	}
	return list, data[r.at:]
}

// prefixed reads n texts of which each has a prefix in common with the one before.
func prefixed(data []byte, n int) (list []any) {
	common, data := deltas(data)
	lengths, data := deltas(data)
	check(len(common) == n && len(lengths) == n, "%d prefixes, %d texts, not %d", len(common), len(lengths), n)
	last := ""
	for i := range n {
		last = last[:common[i]] + string(data[:lengths[i]])
		data = data[lengths[i]:]
		list = append(list, last)
	}
	check(len(data) == 0, "%d bytes are left", len(data))
	return list
}

// plain reads n plain values.
func plain(data []byte, n int, kind string) (list []any) {
	for range n {
		if kind == "int64" || kind == "time" || kind == "pairs" {
			list, data = append(list, int64(le.Uint64(data))), data[8:]
			continue
		}
		size := le.Uint32(data)
		v := data[4 : 4+size]
		data = data[4+size:]
		if kind == "bytes" {
			list = append(list, slices.Clone(v))
		} else {
			list = append(list, string(v))
		}
	}
	check(len(data) == 0, "%d bytes are left", len(data))
	return list
}
