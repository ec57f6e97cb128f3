package columnar

import (
	"bytes"
	"slices"
)

// Sort sorts the rows by the keys that key appends for the values of a column of type Text; nulls are last, and rows with the same
// key stay in order. Without key, the value is the key. Sort does nothing if there is no such column. It takes as much memory again as
// the largest column, and the keys.
func (b *Batch) Sort(name string, key func(dst, value []byte) []byte) {
	i := slices.IndexFunc(b.columns, func(c *column) bool { return c.name == name && c.typ == Text })
	if i < 0 {
		return
	}
	keys := b.columns[i].keys(b.rows, key)
	order := make([]int32, b.rows)
	for row := range order {
		order[row] = int32(row)
	}
	valid := b.columns[i].valid
	slices.SortStableFunc(order, func(x, y int32) int {
		hasX, hasY := valid.at(int(x)), valid.at(int(y))
		switch {
		case hasX && hasY:
			return bytes.Compare(keys(int(x)), keys(int(y)))
		case hasX:
			return -1
		case hasY:
			return 1
		}
		return 0
	})
	for _, c := range b.columns {
		c.arrange(order)
	}
	if key == nil {
		b.sorted = name
	}
	b.columns[i].isSorted = !b.columns[i].repeats // also by another key, neighbours have much in common
}

// keys returns the key of each row; those of nulls have no meaning.
func (c *column) keys(rows int, key func(dst, value []byte) []byte) func(row int) []byte {
	value := func(row int) []byte {
		if c.repeats {
			row = int(c.index[row])
		}
		return c.values.at(row)
	}
	if key == nil {
		return value
	}
	var keys values
	keys.reset()
	for row := range rows {
		if c.valid.at(row) {
			keys.data = key(keys.data, value(row))
		}
		keys.ends = append(keys.ends, int32(len(keys.data)))
	}
	return keys.at
}

// arrange puts the rows of c in an order: of their numbers until now.
func (c *column) arrange(order []int32) {
	if c.typ == Flag {
		c.flags = c.flags.arranged(order)
		return
	}
	c.valid = c.valid.arranged(order)
	switch {
	case c.repeats:
		c.index = arranged(c.index, order)
	case c.typ == Texts:
		list := values{data: make([]byte, 0, len(c.values.data)), ends: append(make([]int32, 0, len(c.values.ends)), 0)}
		c.ends = arrangedLists(c.ends, order, func(item int32) { list.add(c.values.at(int(item))) })
		c.values = list
	case c.typ == Pairs:
		numbers := make([]int64, 0, len(c.numbers))
		c.ends = arrangedLists(c.ends, order, func(item int32) { numbers = append(numbers, c.numbers[2*item], c.numbers[2*item+1]) })
		c.numbers = numbers
	case c.typ == Number || c.typ == Time:
		c.numbers = arranged(c.numbers, order)
	default:
		list := values{data: make([]byte, 0, len(c.values.data)), ends: append(make([]int32, 0, len(c.values.ends)), 0)}
		for _, row := range order {
			list.add(c.values.at(int(row)))
		}
		c.values = list
	}
}

func arranged[T any](list []T, order []int32) []T {
	result := make([]T, len(order))
	for i, row := range order {
		result[i] = list[row]
	}
	return result
}

func (m bitmap) arranged(order []int32) (result bitmap) {
	result = make(bitmap, 0, len(m))
	for i, row := range order {
		result.set(i, m.at(int(row)))
	}
	return result
}

// arrangedLists calls add for each item of each list in order, and returns the ends of the lists.
func arrangedLists(ends, order []int32, add func(item int32)) []int32 {
	result, n := append(make([]int32, 0, len(ends)), 0), int32(0)
	for _, row := range order {
		for item := ends[row]; item < ends[row+1]; item++ {
			add(item)
			n++
		}
		result = append(result, n)
	}
	return result
}
