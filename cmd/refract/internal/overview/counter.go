package overview

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A counter counts names in bounded memory, and keeps a value for each. Once there are half as many
// more names than its limit, or their bytes exceed the limit by half, it drops the rarest: those that
// were seen least, and of these the latest. The result depends only on the order of the names.
type counter[T any] struct {
	limit int // names that remain when others are dropped
	bytes int // the same for the bytes of names and values, as size says

	// size returns the bytes of a value that was not counted since the previous call with isFirst.
	// nil: values take none.
	size func(v *T, isFirst bool) int

	index  map[string]int32 // in items
	items  []item[T]        // in the order of their first appearance
	held   int              // bytes of names and values
	isFull bool             // names were dropped
	sketch sketch
}

// An item is one name of a counter.
type item[T any] struct {
	name   string
	n      int
	atMost bool // it may have been seen before, and been dropped
	value  T
}

// add counts name once, and returns its item, which is valid until the next call. The caller adds the
// growth of its value to held.
func (c *counter[T]) add(name []byte) *item[T] {
	if i, ok := c.index[string(name)]; ok {
		c.items[i].n++
		return &c.items[i]
	}
	if 2*len(c.items) >= 3*c.limit || 2*c.held >= 3*c.bytes {
		c.drop()
	}
	if c.index == nil {
		c.index = make(map[string]int32)
	}
	key := string(name)
	c.sketch.add(hashOf(name))
	c.index[key] = int32(len(c.items))
	c.items = append(c.items, item[T]{name: key, n: 1, atMost: c.isFull})
	c.held += len(key)
	return &c.items[len(c.items)-1]
}

// sorted returns the indexes of all items, most frequent first, then in the order of their first
// appearance.
func (c *counter[T]) sorted() []int32 {
	order := make([]int32, len(c.items))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(c.items[b].n, c.items[a].n) })
	return order
}

// drop drops the rarest items beyond the limits.
func (c *counter[T]) drop() {
	kept := c.sorted()
	n, held := 0, 0
	for _, i := range kept[:min(len(kept), c.limit)] {
		size := len(c.items[i].name)
		if c.size != nil {
			size += c.size(&c.items[i].value, n == 0)
		}
		if held+size > c.bytes {
			break
		}
		n, held = n+1, held+size
	}
	c.isFull = c.isFull || n < len(kept)
	kept = kept[:n]
	slices.Sort(kept)
	items := make([]item[T], n, n+c.limit/2+1)
	index := make(map[string]int32, n+c.limit/2+1)
	for to, from := range kept {
		items[to] = c.items[from]
		index[items[to].name] = int32(to)
	}
	c.items, c.index, c.held = items, index, held
}

// finish drops the items beyond the limits, and sorts the rest: most frequent first. Nothing must be added
// afterwards.
func (c *counter[T]) finish() {
	if len(c.items) > c.limit || c.held > c.bytes {
		c.drop()
	}
	c.index = nil
	slices.SortStableFunc(c.items, func(a, b item[T]) int { return cmp.Compare(b.n, a.n) })
}

// distinct returns the number of distinct names; isExact is false if it is an estimate.
func (c *counter[T]) distinct() (n int, isExact bool) {
	if !c.isFull {
		return len(c.items), true
	}
	return max(c.sketch.estimate(), len(c.items)), false
}

// A sketch estimates the number of distinct hashes (HyperLogLog, by Flajolet and others, 2007). Its
// standard error is 0.8%.
type sketch struct{ ranks []uint8 }

const sketchBits = 14

func (s *sketch) add(hash uint64) {
	if s.ranks == nil {
		s.ranks = make([]uint8, 1<<sketchBits)
	}
	rank := uint8(bits.LeadingZeros64(hash<<sketchBits|1<<(sketchBits-1))) + 1
	at := &s.ranks[hash>>(64-sketchBits)]
	*at = max(*at, rank)
}

func (s *sketch) estimate() int {
	const m = 1 << sketchBits
	sum, empty := 0.0, 0
	for _, rank := range s.ranks {
		sum += math.Ldexp(1, -int(rank))
		if rank == 0 {
			empty++
		}
	}
	estimate := 0.7213 / (1 + 1.079/m) * m * m / sum
	if estimate <= 2.5*m && empty > 0 { // few: count the empty registers
		estimate = m * math.Log(m/float64(empty))
	}
	return int(estimate)
}

// hashOf returns a hash of name that is the same in each run (FNV-1a, with the final mixing of
// splitmix64).
func hashOf(name []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range name {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
