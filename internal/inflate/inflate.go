// Package inflate decompresses deflate (RFC 1951), and members of gzip files (RFC 1952).
//
// It accepts what compress/flate accepts, and what it decodes before an error is the same. It is faster because it decodes
// from memory: what the input has buffered. The fast loop loads eight bytes at a time, looks up codes of up to 11 bits at
// once, and copies 16 bytes at a time, which is possible as long as both sides have room for that. The last bytes of what is
// buffered, and everything that is wrong, are left to a careful loop.
package inflate

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

const (
	history = 32 << 10 // the largest distance
	// slack is what one step of the fast loop may write: literals, the longest match, and the rest of 16 bytes.
	slack  = 3 + 258 + 16
	window = 128 << 10
)

// A Reader decompresses deflate. Its memory is constant.
type Reader struct {
	r     *bufio.Reader // nil: in is the whole input
	in    []byte        // what r has buffered
	pos   int           // of it read
	total int64         // bytes of r before in

	bits  uint64 // next bits of the input; those above count are 0
	count uint   // of bits

	err    error // after the output
	step   func(*Reader) error
	last   bool // the current block is the last one
	stored int  // bytes left of a stored block

	shortLit, shortDist uint // lengths of the shortest codes
	isFixed             bool // the tables are those of fixed codes

	out  int // bytes of win written
	read int // of them read
	win  [window]byte
	lit  [litSize]entry
	dist [distSize]entry
}

// NewReader returns a Reader of r, whose buffer holds at least 512 bytes. After the stream, the next byte of r is the one that
// follows.
func NewReader(r *bufio.Reader) *Reader {
	z := new(Reader)
	z.Reset(r)
	return z
}

// Reset makes z read a stream from r.
func (z *Reader) Reset(r *bufio.Reader) {
	z.r, z.in, z.pos, z.total = r, nil, 0, 0
	z.bits, z.count = 0, 0
	z.err, z.step, z.last = nil, (*Reader).header, false
	z.out, z.read = 0, 0
	once.Do(initSymbols)
}

// ResetBytes makes z read a stream at the start of src.
func (z *Reader) ResetBytes(src []byte) {
	z.Reset(nil)
	z.in = src
}

// Read implements io.Reader. An error is [io.ErrUnexpectedEOF], a [flate.CorruptInputError], or of the reader beneath.
func (z *Reader) Read(p []byte) (int, error) {
	if z.read == z.out && z.err == nil {
		z.decode()
	}
	n := copy(p, z.win[z.read:z.out])
	z.read += n
	if z.read == z.out && z.err != nil {
		return n, z.err
	}
	return n, nil
}

// errShort is the error of a step that needs more input. The step has changed nothing, and is repeated.
var errShort = errors.New("inflate: not enough input")

// decode continues until the window is full, the input has to be read, or the stream ends.
func (z *Reader) decode() {
	if z.out > window-slack {
		z.out = copy(z.win[:], z.win[z.out-history:z.out])
		z.read = z.out
	}
	for z.err == nil && z.out <= window-slack {
		err := z.step(z)
		if err == errShort {
			if z.read < z.out {
				return // rather than wait for input
			}
			err = z.more()
		}
		z.err = err
	}
	if z.err != nil {
		z.release()
	}
}

// more reads more input.
func (z *Reader) more() error {
	if z.r == nil {
		return io.ErrUnexpectedEOF
	}
	z.release()
	n := len(z.in) + 1
	_, err := z.r.Peek(n)
	z.in, _ = z.r.Peek(z.r.Buffered())
	if len(z.in) >= n {
		return nil
	}
	z.pos = len(z.in)
	return truncated(err)
}

// release lets go of the input that has been decoded.
func (z *Reader) release() {
	z.pos -= int(z.count / 8)
	z.count %= 8
	z.bits &= 1<<z.count - 1
	if z.r != nil {
		z.r.Discard(z.pos)
	}
	z.total += int64(z.pos)
	z.in, z.pos = z.in[z.pos:], 0
}

// need makes at least n bits available, at most 48, if the input has them.
func (z *Reader) need(n uint) bool { return z.count >= n || z.fill(n) }

func (z *Reader) fill(n uint) bool {
	if len(z.in)-z.pos >= 8 {
		z.bits, z.pos, z.count = refill(z.in, z.pos, z.bits, z.count)
		z.bits &= 1<<z.count - 1
		return true
	}
	for z.count < n {
		if z.pos == len(z.in) {
			return false
		}
		z.bits |= uint64(z.in[z.pos]) << z.count
		z.pos++
		z.count += 8
	}
	return true
}

// take removes n bits, which must be available.
func (z *Reader) take(n uint) int {
	v := z.bits & (1<<n - 1)
	z.bits >>= n
	z.count -= n
	return int(v)
}

func (z *Reader) corrupt() error {
	return flate.CorruptInputError(z.total + int64(z.pos) - int64(z.count/8))
}

// header reads the header of a block.
func (z *Reader) header() error {
	if z.last {
		return io.EOF
	}
	pos, bits, count := z.pos, z.bits, z.count
	err := z.tryHeader()
	if err == errShort {
		z.pos, z.bits, z.count = pos, bits, count
	}
	return err
}

func (z *Reader) tryHeader() error {
	if !z.need(3) {
		return errShort
	}
	last := z.take(1) == 1
	switch z.take(2) {
	case 0:
		z.take(z.count % 8)
		if !z.need(32) {
			return errShort
		}
		n := z.take(16)
		if z.take(16) != n^0xffff {
			return z.corrupt()
		}
		z.stored = n
		z.step = (*Reader).copyStored
	case 1:
		z.fixed()
		z.step = (*Reader).codes
	case 2:
		err := z.dynamic()
		if err != nil {
			return err
		}
		z.step = (*Reader).codes
	default:
		return z.corrupt()
	}
	z.last = last
	return nil
}

// copyStored copies as much of a stored block as there is.
func (z *Reader) copyStored() error {
	if z.stored == 0 {
		z.step = (*Reader).header
		return nil
	}
	z.pos -= int(z.count / 8)
	z.bits, z.count = 0, 0
	if z.pos == len(z.in) {
		return errShort
	}
	n := copy(z.win[z.out:], z.in[z.pos:min(len(z.in), z.pos+z.stored)])
	z.pos += n
	z.out += n
	z.stored -= n
	return nil
}

// fixed makes the tables of the fixed codes (RFC 1951 section 3.2.6).
func (z *Reader) fixed() {
	if z.isFixed {
		return
	}
	var lengths [numLit]uint8
	for i := range lengths {
		switch {
		case i < 144, i >= 280:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		default:
			lengths[i] = 7
		}
	}
	z.shortLit, _ = build(z.lit[:], litBits, lengths[:], known.lit[:])
	for i := range numDist {
		lengths[i] = 5
	}
	z.shortDist, _ = build(z.dist[:], distBits, lengths[:numDist], known.dist[:])
	z.isFixed = true
}

// order is that in which the lengths of the codes of code lengths are stored.
var order = [numPre]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the codes of a block (RFC 1951 section 3.2.7).
func (z *Reader) dynamic() error {
	if !z.need(14) {
		return errShort
	}
	nlit, ndist, npre := z.take(5)+257, z.take(5)+1, z.take(4)+4
	if nlit > 286 || ndist > 30 {
		return z.corrupt()
	}
	var lengths [numLit + numDist]uint8
	all := lengths[:nlit+ndist]
	if err := z.codeLengths(all, npre); err != nil {
		return err
	}
	z.isFixed = false
	var ok bool
	if z.shortLit, ok = build(z.lit[:], litBits, all[:nlit], known.lit[:]); !ok {
		return z.corrupt()
	}
	z.shortLit = max(z.shortLit, uint(all[256])) // as compress/flate does: each block ends with this code
	if z.shortDist, ok = build(z.dist[:], distBits, all[nlit:], known.dist[:]); !ok {
		return z.corrupt()
	}
	return nil
}

// codeLengths reads the lengths of codes. They are codes, too, of which npre lengths come first.
func (z *Reader) codeLengths(all []uint8, npre int) error {
	var pre [numPre]uint8
	for _, i := range order[:npre] {
		if !z.need(3) {
			return errShort
		}
		pre[i] = uint8(z.take(3))
	}
	var table [1 << preBits]entry
	shortest, ok := build(table[:], preBits, pre[:], known.pre[:])
	if !ok {
		return z.corrupt()
	}
	for i := 0; i < len(all); {
		z.need(preBits)
		e, ok := z.code(table[:], preBits, shortest)
		switch {
		case !ok:
			return errShort
		case e&special != 0:
			return z.corrupt()
		}
		n := uint8(e >> valueShift)
		if n < 16 {
			all[i] = n
			i++
			continue
		}
		if n == 16 && i == 0 {
			return z.corrupt()
		}
		r := repeats[n-16]
		if !z.need(r.bits) {
			return errShort
		}
		end := i + r.least + z.take(r.bits)
		if end > len(all) {
			return z.corrupt()
		}
		if n == 16 {
			n = all[i-1]
		} else {
			n = 0
		}
		for ; i < end; i++ {
			all[i] = n
		}
	}
	return nil
}

// repeats are the code length symbols from 16.
var repeats = [...]struct {
	least int
	bits  uint
}{{3, 2}, {3, 3}, {11, 7}}

// codes decodes the symbols of a block.
func (z *Reader) codes() error {
	z.fast()
	for z.out <= window-slack {
		z.need(48) // if there are fewer, the symbol may have fewer
		bits, count := z.bits, z.count
		isEnd, err := z.symbol()
		switch {
		case err == errShort:
			z.bits, z.count = bits, count
			return err
		case err != nil:
			return err
		case isEnd:
			z.step = (*Reader).header
			return nil
		}
	}
	return nil
}

// symbol decodes a literal, or a length with its distance. isEnd reports the end of the block.
func (z *Reader) symbol() (isEnd bool, err error) {
	e, ok := z.code(z.lit[:], litBits, z.shortLit)
	switch {
	case !ok:
		return false, errShort
	case e&literal != 0:
		z.win[z.out] = byte(e >> valueShift)
		z.out++
		return false, nil
	case e.is(endOfBlock):
		return true, nil
	case e&special != 0:
		return false, z.corrupt()
	}
	length, ok := z.extra(e)
	if !ok {
		return false, errShort
	}
	e, ok = z.code(z.dist[:], distBits, z.shortDist)
	switch {
	case !ok:
		return false, errShort
	case e&special != 0:
		return false, z.corrupt()
	}
	dist, ok := z.extra(e)
	switch {
	case !ok:
		return false, errShort
	case dist > z.out:
		return false, z.corrupt()
	}
	for end := z.out + length; z.out < end; z.out++ {
		z.win[z.out] = z.win[z.out-dist]
	}
	return false, nil
}

// code takes a code, of which the shortest has so many bits. ok is false if too few are available.
func (z *Reader) code(table []entry, width, shortest uint) (e entry, ok bool) {
	e = table[z.bits&(1<<width-1)]
	n := e.code()
	if e.is(link) {
		e = table[uint(e>>valueShift)+uint(z.bits>>width)&(1<<n-1)]
		n = width + e.code()
	}
	if z.count < max(n, shortest) {
		return 0, false
	}
	z.take(n)
	return e, true
}

// extra takes the extra bits of a length or distance. ok is false if too few are available.
func (z *Reader) extra(e entry) (value int, ok bool) {
	n := e.size() - e.code()
	if z.count < n {
		return 0, false
	}
	return int(e>>valueShift) + z.take(n), true
}

// fast decodes symbols as long as neither the input nor the window can end within a step. It stops before the end of the
// block, and before an error.
func (z *Reader) fast() {
	in, pos, win, out := z.in, z.pos, &z.win, z.out
	bits, count := z.bits, z.count
	lit, dist := &z.lit, &z.dist
	last := len(in) - 3*8
	if pos > last {
		return
	}
	bits, pos, count = refill(in, pos, bits, count)
	e := lit[bits&(1<<litBits-1)] // of the next bits; looked up early, because that takes a few cycles
	for pos <= last && out <= window-slack {
		// At least 56 bits are available: three literals take 33 at most, a match 48.
		if e&literal != 0 {
			for i := 0; i < 3 && e&literal != 0; i++ {
				win[out] = byte(e >> valueShift)
				out++
				bits >>= e & 63
				count -= e.size()
				e = lit[bits&(1<<litBits-1)]
			}
			bits, pos, count = refill(in, pos, bits, count)
			if e&literal != 0 {
				continue
			}
		}
		begin, available := bits, count
		if e&special != 0 {
			if !e.is(link) {
				break
			}
			bits >>= litBits
			count -= litBits
			e = lit[(uint(e>>valueShift)+uint(bits)&(1<<e.code()-1))&(litSize-1)]
			if e&literal != 0 {
				win[out] = byte(e >> valueShift)
				out++
				bits >>= e & 63
				bits, pos, count = refill(in, pos, bits, count-e.size())
				e = lit[bits&(1<<litBits-1)]
				continue
			}
		}
		length := e.value(bits)
		bits >>= e & 63
		count -= e.size()
		d := dist[bits&(1<<distBits-1)]
		if d.is(link) {
			bits >>= distBits
			count -= distBits
			d = dist[(uint(d>>valueShift)+uint(bits)&(1<<d.code()-1))&(distSize-1)]
		}
		from := out - d.value(bits)
		if (e|d)&special != 0 || from < 0 {
			bits, count = begin, available
			break
		}
		bits >>= d & 63
		bits, pos, count = refill(in, pos, bits, count-d.size())
		e = lit[bits&(1<<litBits-1)]
		end := out + length
		// What lies between from and out repeats. A copy of 16 bytes is right for that many.
		for step := min(16, out-from); out < end; out, from = out+step, from+step {
			*(*[16]byte)(win[out:]) = *(*[16]byte)(win[from:])
		}
		out = end
	}
	z.pos, z.bits, z.count, z.out = pos, bits&(1<<count-1), count, out
}

// refill makes at least 56 bits available. Those above count may be there already.
func refill(in []byte, pos int, bits uint64, count uint) (uint64, int, uint) {
	return bits | binary.LittleEndian.Uint64(in[pos:])<<(count&63), pos + int((63-count)>>3), count | 56
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
