package inflate

import (
	"math/bits"
	"sync"
)

const (
	maxCode = 15 // longest code in bits

	litBits  = 11 // index of the table of literals and lengths
	distBits = 8
	preBits  = 7 // which is also the longest code of code lengths

	// Sizes that hold the subtables of any complete code, rounded up so that a mask makes an index valid. With these
	// widths, at most 2342 and 402 entries are in use.
	litSize  = 1 << 12
	distSize = 1 << 9

	numLit  = 288
	numDist = 32
	numPre  = 19
)

// An entry of a table says what the next bits of the input are.
//
//	bits 0 to 5    how many of them to remove, extra bits included
//	bits 6 and 7   flags
//	bits 8 to 11   how many of them are the code, without extra bits; of a link, width of the subtable
//	bits 12 to 13  of a special entry, its kind
//	bits 16 to 31  a literal, the smallest length or distance, or the place of a subtable
type entry uint32

const (
	literal entry = 1 << 7
	special entry = 1 << 6

	invalid    = special // no code begins like that, or the symbol has no meaning
	endOfBlock = special | 1<<12
	link       = special | 2<<12
	kinds      = link | endOfBlock

	valueShift = 16
)

// size returns the number of bits to remove.
func (e entry) size() uint { return uint(e & 63) }

// code returns the number of bits of the code.
func (e entry) code() uint { return uint(e>>8) & 15 }

// is reports whether a special entry is of a kind.
func (e entry) is(kind entry) bool { return e&kinds == kind }

// value returns a length or distance whose bits begin with bits.
func (e entry) value(bits uint64) int {
	return int(e>>valueShift) + int((bits&(1<<e.size()-1))>>e.code())
}

// symbols are the entries for codes of no bits.
type symbols struct {
	lit  [numLit]entry
	dist [numDist]entry
	pre  [numPre]entry
}

// build fills a table of 1<<width entries and its subtables for the code that has lengths (RFC 1951 section 3.2.2). It
// returns the length of the shortest code. Like zlib, it accepts a code that is incomplete only if that is a
// single code of one bit, or none.
func build(table []entry, width uint, lengths []uint8, symbols []entry) (shortest uint, ok bool) {
	var count [maxCode + 1]uint16
	for _, n := range lengths {
		count[n&maxCode]++
	}
	longest := uint(maxCode)
	for longest > 0 && count[longest] == 0 {
		longest--
	}
	if longest == 0 {
		fill(table[:1<<width], invalid)
		return 0, true
	}
	shortest = 1
	for count[shortest] == 0 {
		shortest++
	}
	// Symbols by the lengths of their codes.
	var next [maxCode + 2]uint16
	free := 1 << longest
	for n := uint(1); n <= longest; n++ {
		next[n+1] = next[n] + count[n]
		free -= int(count[n]) << (longest - n)
	}
	if free != 0 && (longest > 1 || free < 0) {
		return 0, false
	}
	var sorted [numLit]uint16
	total := next[longest+1]
	for s, n := range lengths {
		if n != 0 {
			sorted[next[n&maxCode]] = uint16(s)
			next[n&maxCode]++
		}
	}
	if free != 0 {
		fill(table[:1<<width], invalid)
		e := symbols[sorted[0]] + 1 + 1<<8
		for i := 0; i < 1<<width; i += 2 {
			table[i] = e
		}
		return 1, true
	}

	// The first bit of a code is the lowest one of an index, so codes are kept reversed, and a table for n bits
	// is two of those for n-1 bits with the codes of n bits added.
	at, code := 0, uint(0)
	for n := uint(1); n <= width; n++ {
		copy(table[1<<(n-1):1<<n], table[:1<<(n-1)])
		for range count[n] {
			table[code] = symbols[sorted[at]] + entry(n) + entry(n)<<8
			at++
			code = following(code, n)
		}
	}
	if longest > width {
		subtables(table, width, count[:longest+1], code, symbols, sorted[at:total])
	}
	return shortest, true
}

// subtables adds the codes of more than width bits, of which code is the first. Each subtable is as wide as
// the longest code that begins like it. sorted has their symbols.
func subtables(table []entry, width uint, count []uint16, code uint, symbols []entry, sorted []uint16) {
	end := uint(1) << width
	n := width + 1
	for len(sorted) > 0 {
		for count[n] == 0 {
			n++
		}
		sub, room := n-width, uint(count[n])
		for ; room < 1<<sub; sub++ {
			room = room<<1 + uint(count[width+sub+1])
		}
		prefix := code & (1<<width - 1)
		table[prefix] = link | entry(width) | entry(sub)<<8 | entry(end)<<valueShift
		for len(sorted) > 0 && code&(1<<width-1) == prefix {
			for count[n] == 0 {
				n++
			}
			e := symbols[sorted[0]] + entry(n-width) + entry(n-width)<<8
			for i := code >> width; i < 1<<sub; i += 1 << (n - width) {
				table[end+i] = e
			}
			sorted = sorted[1:]
			count[n]--
			code = following(code, n)
		}
		end += 1 << sub
	}
}

// following returns the code of n bits after code, both reversed. It is also the longer code that continues
// it with zeros.
func following(code, n uint) uint {
	ones := code ^ (1<<n - 1) // zeros of the code
	if ones == 0 {
		return 0
	}
	bit := uint(1) << (bits.Len(ones) - 1)
	return code&(bit-1) | bit
}

func fill(table []entry, e entry) {
	for i := range table {
		table[i] = e
	}
}

var (
	once  sync.Once
	known symbols
)

// initSymbols makes the entries of lengths and distances (RFC 1951 section 3.2.5).
func initSymbols() {
	for i := range 256 {
		known.lit[i] = literal | entry(i)<<valueShift
	}
	known.lit[256] = endOfBlock
	base := 3
	for i := range 28 {
		n := max(i/4-1, 0)
		known.lit[257+i] = entry(base)<<valueShift | entry(n)
		base += 1 << n
	}
	known.lit[285] = 258 << valueShift
	known.lit[286], known.lit[287] = invalid, invalid
	base = 1
	for i := range 30 {
		n := max(i/2-1, 0)
		known.dist[i] = entry(base)<<valueShift | entry(n)
		base += 1 << n
	}
	known.dist[30], known.dist[31] = invalid, invalid
	for i := range known.pre {
		known.pre[i] = entry(i) << valueShift
	}
}
