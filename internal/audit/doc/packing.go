package doc

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/reason"
)

// A Packing appends values to bytes.
type Packing struct {
	out []byte
	Ins []string // strings that were written by in
}

func (p *Packing) Number(n int64) { p.out = binary.AppendVarint(p.out, n) }

func (p *Packing) Count(n int) { p.out = binary.AppendUvarint(p.out, uint64(n)) }

func (p *Packing) Byte(b byte) { p.out = append(p.out, b) }

func (p *Packing) Bool(b bool) { p.Byte(byte(answerOf(b) - no)) }

func (p *Packing) String(s string) { p.Count(len(s)); p.out = append(p.out, s...) }

func (p *Packing) List(list []string) {
	p.Count(len(list))
	for _, s := range list {
		p.String(s)
	}
}

func (p *Packing) Counts(counts map[string]int) { putCounts(p, counts, strings.Compare, p.String) }

func (p *Packing) Reasons(counts map[reason.Reason]int) {
	putCounts(p, counts, reason.Reason.Compare, func(why reason.Reason) {
		p.Byte(byte(why.Cause()))
		p.String(why.Name())
		p.String(why.String())
	})
}

// putCounts packs a map in the order of its keys. A nil map stays nil.
func putCounts[K comparable](p *Packing, counts map[K]int, compare func(K, K) int, put func(K)) {
	p.Bool(counts != nil)
	p.Count(len(counts))
	for _, key := range slices.SortedFunc(maps.Keys(counts), compare) {
		put(key)
		p.Count(counts[key])
	}
}

func (p *Packing) Position(k *extract.Position) {
	p.Number(k.Offset)
	p.Count(k.Length)
	p.Count(k.Line)
	p.Count(k.Column)
	p.Bool(k.Exact)
}

func (p *Packing) State(s tree.FileState) {
	isKnown := s != tree.FileState{}
	p.Bool(isKnown)
	if !isKnown {
		return
	}
	p.Number(s.Size)
	p.Number(s.Modified)
	p.Number(s.Changed)
	p.out = binary.AppendUvarint(p.out, s.Device)
	p.out = binary.AppendUvarint(p.out, s.Number)
}

func (p *Packing) Sum(s tree.Sum) { p.out = append(p.out, s[:]...) }

// maxIns is the number of different strings that in writes once.
const maxIns = 64

// in writes a string that has probably been written before, and is then a number: Reference.In and Anchor.In, of which
// most documents have few, and the text of the ids under another flavour.
func (p *Packing) in(s string) {
	for i, other := range p.Ins {
		if other == s {
			p.Count(i + 1)
			return
		}
	}
	p.Count(0)
	p.String(s)
	if len(p.Ins) < maxIns {
		p.Ins = append(p.Ins, s)
	}
}

// Packings hold memory for packing.
var Packings = sync.Pool{New: func() any { return new(Packing) }}

// Done returns the bytes as a string, and p to the pool.
func (p *Packing) Done() string {
	s := string(p.out)
	clear(p.Ins)
	p.out, p.Ins = p.out[:0], p.Ins[:0]
	Packings.Put(p)
	return s
}

// An Unpacking reads what a packing has written. After a fault, all that it reads is empty.
type Unpacking struct {
	In  string
	Ins []string
	Bad bool
}

func (u *Unpacking) fail() { u.In, u.Bad = "", true }

func (u *Unpacking) Byte() byte {
	if u.In == "" {
		u.fail()
		return 0
	}
	b := u.In[0]
	u.In = u.In[1:]
	return b
}

func (u *Unpacking) Bool() bool { return u.Byte() != 0 }

func (u *Unpacking) uint() (n uint64) {
	for i := 0; i < len(u.In) && i < binary.MaxVarintLen64; i++ {
		n |= uint64(u.In[i]&0x7f) << (7 * i)
		if u.In[i] < 0x80 {
			u.In = u.In[i+1:]
			return n
		}
	}
	u.fail()
	return 0
}

func (u *Unpacking) Count() int { return int(u.uint()) }

// length returns the number of elements of a list, each of which takes at least a byte: a false number is a fault.
func (u *Unpacking) length() int {
	n := u.uint()
	if n > uint64(len(u.In)) {
		u.fail()
		return 0
	}
	return int(n)
}

func (u *Unpacking) Number() int64 {
	n := u.uint()
	return int64(n>>1) ^ -int64(n&1)
}

func (u *Unpacking) String() string {
	n := u.length()
	s := u.In[:n]
	u.In = u.In[n:]
	return s
}

func (u *Unpacking) List() (list []string) {
	for range u.length() {
		list = append(list, u.String())
	}
	return list
}

func (u *Unpacking) Counts() map[string]int { return getCounts(u, u.String) }

func (u *Unpacking) Reasons() map[reason.Reason]int {
	return getCounts(u, func() reason.Reason {
		cause := reason.Cause(u.Byte())
		if cause > reason.NoLink {
			u.fail()
			return reason.Reason{}
		}
		return reason.New(cause, u.String(), u.String())
	})
}

func getCounts[K comparable](u *Unpacking, key func() K) (counts map[K]int) {
	if u.Bool() {
		counts = map[K]int{}
	}
	for range u.length() {
		k, n := key(), u.Count()
		if counts != nil {
			counts[k] = n
		}
	}
	return counts
}

func (u *Unpacking) Position() extract.Position {
	return extract.Position{Offset: u.Number(), Length: u.Count(), Line: u.Count(), Column: u.Count(), Exact: u.Bool()}
}

func (u *Unpacking) State() (s tree.FileState) {
	if !u.Bool() {
		return s
	}
	return tree.FileState{Size: u.Number(), Modified: u.Number(), Changed: u.Number(), Device: u.uint(), Number: u.uint()}
}

func (u *Unpacking) Sum() (s tree.Sum) {
	if len(u.In) < len(s) {
		u.fail()
		return s
	}
	copy(s[:], u.In)
	u.In = u.In[len(s):]
	return s
}

func (u *Unpacking) inOf() string {
	n := u.uint()
	switch {
	case n == 0:
		s := u.String()
		if len(u.Ins) < maxIns {
			u.Ins = append(u.Ins, s)
		}
		return s
	case n > uint64(len(u.Ins)):
		u.fail()
		return ""
	}
	return u.Ins[n-1]
}
