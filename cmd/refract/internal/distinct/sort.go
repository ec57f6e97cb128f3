package distinct

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// The entries of a table are sorted in the memory of its slots, as numbers of 64 bits: a part of what they
// are sorted by, and the number of the entry. Comparing the entries themselves would wait for memory each
// time.

// each passes the entries of t to do, in the given order. Afterwards t must be reset: it finds nothing.
func (t *table) each(order Order, do func(*entry) error) error {
	list := t.slots[:t.n]
	for i := range list {
		list[i] = uint64(i)
	}
	switch order {
	case Sorted:
		t.sortByKey(list, 0)
	case Count:
		t.sortByCount(list)
	}
	for some := range slices.Chunk(list, Ahead) {
		t.prefetchEntries(some)
		for _, n := range some {
			if err := do(t.numbered(n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbered returns the entry whose number is the lower half of n.
func (t *table) numbered(n uint64) *entry { return t.entry(int(uint32(n))) }

// sortByCount sorts by Count.
func (t *table) sortByCount(list []uint64) {
	for i, n := range list {
		part := math.MaxUint32 - min(t.numbered(n).count, math.MaxUint32)
		list[i] = part<<32 | n
	}
	slices.Sort(list)
	equalRuns(list, func(run []uint64) {
		if run[0]>>32 == 0 {
			t.sortAll(run, Count) // counts that do not fit
			return
		}
		t.sortByKey(run, 0)
	})
}

// sortByKey sorts by key, from the byte depth on: the bytes before it are equal in all keys of list. Each
// call reads the keys once as far as they are equal, and the four bytes that follow. The time is linear in
// the bytes of the keys, apart from sorting numbers.
func (t *table) sortByKey(list []uint64, depth int) {
	const few = 12
	if len(list) <= few {
		t.sortAll(list, Sorted)
		return
	}
	depth += t.commonPrefix(list, depth)
	for i, n := range list {
		var part [4]byte
		copy(part[:], t.key(t.numbered(n))[depth:])
		list[i] = uint64(binary.BigEndian.Uint32(part[:]))<<32 | uint64(uint32(n))
	}
	slices.Sort(list)
	equalRuns(list, func(run []uint64) {
		if run[0]>>32&0xff == 0 {
			t.sortAll(run, Sorted) // keys that end, or have a NUL
			return
		}
		t.sortByKey(run, depth+4)
	})
}

// commonPrefix returns the length of what the keys of list have in common from the byte depth on.
func (t *table) commonPrefix(list []uint64, depth int) int {
	first := t.key(t.numbered(list[0]))[depth:]
	for _, n := range list[1:] {
		key := t.key(t.numbered(n))[depth:]
		first = first[:min(len(first), len(key))]
		if bytes.Equal(first, key[:len(first)]) {
			continue
		}
		i := 0
		for first[i] == key[i] {
			i++
		}
		first = first[:i]
	}
	return len(first)
}

// equalRuns passes each run of two or more elements of a sorted list that have the same upper half to do.
func equalRuns(list []uint64, do func(run []uint64)) {
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && list[end]>>32 == list[start]>>32 {
			end++
		}
		if end-start > 1 {
			do(list[start:end])
		}
		start = end
	}
}

// sortAll sorts by comparing entries.
func (t *table) sortAll(list []uint64, order Order) {
	slices.SortFunc(list, func(i, j uint64) int {
		a, b := t.numbered(i), t.numbered(j)
		return order.compare(a, b, t.key(a), t.key(b))
	})
}

func (o Order) compare(a, b *entry, key, other []byte) int {
	switch o {
	case First:
		return cmp.Compare(a.seq, b.seq)
	case Count:
		if c := cmp.Compare(b.count, a.count); c != 0 {
			return c
		}
	}
	return bytes.Compare(key, other)
}
