package doc

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/order"
	"example.org/refract/internal/reason"
)

// A Codec writes values as bytes, or reads such bytes. The same calls do both, so that one function says
// how a type is stored, in memory and in the file of a Cache. After an error, it reads only empty values.
type Codec struct {
	reads bool
	out   []byte   // written
	in    string   // left to read
	ins   []string // that have been written or read by text
	isBad bool
}

var writers = sync.Pool{New: func() any { return new(Codec) }}

// NewWriter returns a Codec that writes, until Done is called.
func NewWriter() *Codec { return writers.Get().(*Codec) }

// Done returns what c has written. c must not be used afterwards.
func (c *Codec) Done() string {
	s := string(c.out)
	clear(c.ins)
	c.out, c.ins = c.out[:0], c.ins[:0]
	writers.Put(c)
	return s
}

// NewReader returns a Codec that reads s. The strings that it reads are parts of s.
func NewReader(s string) *Codec { return &Codec{reads: true, in: s} }

// IsDone reports whether c has read all of its input without an error.
func (c *Codec) IsDone() bool { return c.in == "" && !c.isBad }

func (c *Codec) fail() { c.in, c.isBad = "", true }

func (c *Codec) Byte(b *byte) {
	switch {
	case !c.reads:
		c.out = append(c.out, *b)
	case c.in == "":
		c.fail()
		*b = 0
	default:
		*b = c.in[0]
		c.in = c.in[1:]
	}
}

func (c *Codec) Bool(is *bool) {
	var b byte
	if *is {
		b = 1
	}
	c.Byte(&b)
	*is = b != 0
}

// uint writes and returns n, or returns the number that it reads.
func (c *Codec) uint(n uint64) uint64 {
	if !c.reads {
		c.out = binary.AppendUvarint(c.out, n)
		return n
	}
	n = 0
	for i := 0; i < len(c.in) && i < binary.MaxVarintLen64; i++ {
		n |= uint64(c.in[i]&0x7f) << (7 * i)
		if c.in[i] < 0x80 {
			c.in = c.in[i+1:]
			return n
		}
	}
	c.fail()
	return 0
}

// Count codes a number that is seldom negative.
func (c *Codec) Count(n *int) { *n = int(c.uint(uint64(*n))) }

// Number codes a number that may be negative.
func (c *Codec) Number(n *int64) { *n = c.number(*n) }

func (c *Codec) number(n int64) int64 {
	u := c.uint(uint64(n)<<1 ^ uint64(n>>63))
	return int64(u>>1) ^ -int64(u&1)
}

// from codes n as its distance from another number.
func (c *Codec) from(n *int, other int) { *n = other + int(c.number(int64(*n-other))) }

// length codes the length of something each element of which takes at least a byte: a false number is a fault.
func (c *Codec) length(n int) int {
	u := c.uint(uint64(n))
	if c.reads && u > uint64(len(c.in)) {
		c.fail()
		return 0
	}
	return int(u)
}

func (c *Codec) String(s *string) {
	n := c.length(len(*s))
	if !c.reads {
		c.out = append(c.out, *s...)
		return
	}
	*s = c.in[:n]
	c.in = c.in[n:]
}

// maxIns is the number of different strings that text writes once.
const maxIns = 64

// text codes a string that has probably been coded before, and is then a number: Reference.In and
// Anchor.In, which have few values in most documents, and the text of the ids under another algorithm.
func (c *Codec) text(s *string) {
	n := 0
	if !c.reads {
		n = slices.Index(c.ins, *s) + 1
	}
	c.Count(&n)
	switch {
	case n == 0:
		c.String(s)
		if len(c.ins) < maxIns {
			c.ins = append(c.ins, *s)
		}
	case uint(n) <= uint(len(c.ins)):
		*s = c.ins[n-1]
	default:
		c.fail()
		*s = ""
	}
}

// List codes a list. A list without elements becomes nil.
func List[T any](c *Codec, list *[]T, element func(*T)) {
	n := c.length(len(*list))
	if c.reads {
		*list = nil
		if n > 0 {
			*list = make([]T, n)
		}
	}
	for i := range *list {
		element(&(*list)[i])
		if c.isBad {
			*list = (*list)[:i]
			return
		}
	}
}

func (c *Codec) Strings(list *[]string) { List(c, list, c.String) }

// mapOf codes a map in the order of its keys. A nil map stays nil.
func mapOf[K comparable, V any](c *Codec, m *map[K]V, compare func(K, K) int, pair func(*K, *V)) {
	isThere := *m != nil
	c.Bool(&isThere)
	keys := order.Sorted(maps.Keys(*m), compare)
	n := c.length(len(keys))
	if !c.reads {
		for _, key := range keys {
			value := (*m)[key]
			pair(&key, &value)
		}
		return
	}
	*m = nil
	if isThere {
		*m = make(map[K]V, n)
	}
	for range n {
		var key K
		var value V
		pair(&key, &value)
		if c.isBad || !isThere {
			c.fail()
			return
		}
		(*m)[key] = value
	}
}

func (c *Codec) Counts(counts *map[string]int) {
	mapOf(c, counts, strings.Compare, func(name *string, n *int) { c.String(name); c.Count(n) })
}

func (c *Codec) Reasons(counts *map[reason.Reason]int) {
	mapOf(c, counts, reason.Reason.Compare, func(why *reason.Reason, n *int) {
		cause, name, text := why.Cause(), why.Name(), why.String()
		c.Byte((*byte)(&cause))
		c.String(&name)
		c.String(&text)
		if cause > reason.NoLink {
			c.fail()
			return
		}
		*why = reason.New(cause, name, text)
		c.Count(n)
	})
}

func (c *Codec) Position(k *extract.Position) {
	c.Number(&k.Offset)
	c.Count(&k.Length)
	c.Count(&k.Line)
	c.Count(&k.Column)
	c.Bool(&k.Exact)
}

func (c *Codec) state(s *tree.FileState) {
	isKnown := *s != tree.FileState{}
	c.Bool(&isKnown)
	if !isKnown {
		return
	}
	c.Number(&s.Size)
	c.Number(&s.Modified)
	c.Number(&s.Changed)
	s.Device, s.Number = c.uint(s.Device), c.uint(s.Number)
}

func (c *Codec) sum(s *tree.Sum) {
	switch {
	case !c.reads:
		c.out = append(c.out, s[:]...)
	case len(c.in) < len(s):
		c.fail()
	default:
		c.in = c.in[copy(s[:], c.in):]
	}
}
