// Package lexicon finds the few names of elements and attributes that matter to a scanner of markup,
// without allocating memory. Packages html and xml share it.
package lexicon

import (
	"iter"

	"example.org/refract/internal/ascii"
)

// A Table finds the index of a name in a list of at most 255 names. It is an open hash
// table, whose slots are indices.
type Table struct {
	names []string
	fold  bool
	slots [512]uint8
}

// NewTable returns the Table of names. names[0] stands for "no name" and is ignored. With fold, names
// are in lower case and are found in any case of ASCII letters. NewTable panics if there are too many
// names.
func NewTable(names []string, fold bool) *Table {
	if len(names) > 256 {
		panic("lexicon: more names than fit")
	}
	t := &Table{names: names, fold: fold}
	for i, n := range names[1:] {
		h := hash([]byte(n))
		for t.slots[h] != 0 {
			h = (h + 1) % uint(len(t.slots))
		}
		t.slots[h] = uint8(i + 1)
	}
	return t
}

func hash(s []byte) uint {
	n := len(s)
	return (uint(s[0]|0x20)*5 + uint(s[n-1]|0x20)*33 + uint(s[n/2]|0x20)*129 + uint(n)*71) % 512
}

// Find returns the index of the name s, or 0. s is not empty.
func (t *Table) Find(s []byte) uint8 {
	for h := hash(s); ; h = (h + 1) % uint(len(t.slots)) {
		n := t.slots[h]
		if n == 0 || string(s) == t.names[n] || t.fold && ascii.EqualFold(s, t.names[n]) {
			return n
		}
	}
}

// A Filter holds, by length, the first letters of names, in any case. A name that it does not have
// need not be looked up in a Table; that is true of nearly all names.
type Filter [24]uint32

// Has reports whether s may have been added.
func (f *Filter) Has(s []byte) bool {
	return len(s) > 0 && f[min(len(s), len(f)-1)]>>(s[0]&31)&1 != 0
}

// Add adds s, which is not empty.
func (f *Filter) Add(s string) { f[min(len(s), len(f)-1)] |= 1 << (s[0] & 31) }

// Paths joins names to strings and allocates each string once, up to a limit: hostile input may have
// any number of names. The zero Paths is ready for use.
type Paths struct {
	known   map[string]string
	scratch []byte
}

const maxPaths = 1000

// Join returns "element/attr".
func (p *Paths) Join(element []byte, attr string) string {
	p.scratch = append(append(append(p.scratch[:0], element...), '/'), attr...)
	path, ok := p.known[string(p.scratch)]
	if !ok {
		if p.known == nil || len(p.known) > maxPaths {
			p.known = make(map[string]string)
		}
		path = string(p.scratch)
		p.known[path] = path
	}
	return path
}

// Fields yields the ranges of b that are separated by bytes whose class has one of the bits of space.
func Fields(b []byte, class *[256]uint8, space uint8) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(b); {
			if class[b[i]]&space != 0 {
				i++
				continue
			}
			j := i
			for j < len(b) && class[b[j]]&space == 0 {
				j++
			}
			if !yield(i, j) {
				return
			}
			i = j
		}
	}
}
