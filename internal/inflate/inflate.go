// Package inflate decompresses deflate (RFC 1951), and members of gzip files (RFC 1952).
//
// It accepts the same input as compress/flate, and decodes the same bytes before an error. It is faster
// because it decodes from memory: the buffer of the input. The fast loop loads eight bytes at a time, looks
// up codes of up to 11 bits at once, and copies 16 bytes at a time, which is possible as long as both sides
// have room for that. A careful loop handles the last buffered bytes, and all errors.
package inflate

import (
	"bufio"
	"compress/flate"
	"errors"
	"io"
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

// Reset makes z read a stream from r, whose buffer holds at least 512 bytes. After the stream, the next
// byte of r is the one that follows.
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
