package outlook

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// dictionary is what the decompressor has before the first byte ([MS-OXRTFCP] section 2.1.2.1).
const dictionary = "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript " +
	"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par " +
	"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"

var errRTF = errors.New("rtf: damaged")

// decompressRTF returns a reader of the RTF that r has in the form of PidTagRtfCompressed ([MS-OXRTFCP] section
// 2.1). The checksum and the size of the RTF are not checked.
func decompressRTF(r io.Reader) (io.Reader, error) {
	in := bufio.NewReader(r)
	var h [16]byte
	if _, err := io.ReadFull(in, h[:]); err != nil {
		return nil, fmt.Errorf("%w: no header", errRTF)
	}
	size := int64(binary.LittleEndian.Uint32(h[:])) - 12
	switch string(h[8:12]) {
	case "MELA":
		return io.LimitReader(in, int64(binary.LittleEndian.Uint32(h[4:]))), nil
	case "LZFu":
		u := &unpacker{in: bufio.NewReader(io.LimitReader(in, size))}
		u.at = copy(u.ring[:], dictionary)
		return u, nil
	}
	return nil, fmt.Errorf("%w: unknown method", errRTF)
}

// An unpacker decompresses RTF: a byte of control bits, the lowest first, and for each of them either a byte,
// or a reference to the last 4,096 bytes, of 12 bits for its place and 4 for its length less 2.
type unpacker struct {
	in   *bufio.Reader
	ring [4096]byte
	at   int // where the next byte goes

	control byte
	bits    int
	from    int // a reference is being copied from here
	left    int // bytes of it
	err     error
}

func (u *unpacker) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if u.left == 0 && u.err == nil {
			p, n = u.token(p, n)
			continue
		}
		if u.left == 0 {
			if n > 0 {
				return n, nil
			}
			return 0, u.err
		}
		p[n] = u.put(u.ring[u.from])
		u.from = (u.from + 1) % len(u.ring)
		n, u.left = n+1, u.left-1
	}
	return n, nil
}

// token reads the next byte or reference.
func (u *unpacker) token(p []byte, n int) ([]byte, int) {
	if u.bits == 0 {
		u.control, u.bits = u.read(), 8
	}
	isReference := u.control&1 != 0
	u.control, u.bits = u.control>>1, u.bits-1
	c := u.read()
	switch {
	case u.err != nil:
	case !isReference:
		p[n] = u.put(c)
		n++
	default:
		d := u.read()
		if u.err != nil {
			break
		}
		u.from, u.left = int(c)<<4|int(d)>>4, int(d)&15+2
		if u.from == u.at {
			u.left, u.err = 0, io.EOF
		}
	}
	return p, n
}

// put appends a byte to the window, and returns it.
func (u *unpacker) put(c byte) byte {
	u.ring[u.at] = c
	u.at = (u.at + 1) % len(u.ring)
	return c
}

// read returns the next byte. Many writers leave out the mark at the end.
func (u *unpacker) read() byte {
	if u.err != nil {
		return 0
	}
	c, err := u.in.ReadByte()
	u.err = err
	return c
}
