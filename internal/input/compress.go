package input

import (
	"errors"
	"io"
)

// The format of compress(1): 1f 9d, a byte of flags, then LZW codes of 9 bits up to
// the width in the flags, the lowest bit first. It has no specification; this code
// follows ncompress and gzip. compress/lzw of the standard library supports only up
// to 12 bits, and we found no well-maintained library.
const (
	lzwMaxWidth = 16   // the largest width in use
	lzwBlock    = 0x80 // flag: code 256 clears the table
	lzwUnknown  = 0x60 // flags without meaning
	lzwClear    = 256
)

// isCompress also checks that the flags are valid, because two bytes alone are a weak signature.
func isCompress(head []byte) bool {
	return len(head) >= 3 && string(head[:2]) == "\x1f\x9d" &&
		head[2]&lzwUnknown == 0 && 9 <= head[2]&0x1f && head[2]&0x1f <= lzwMaxWidth
}

func openCompress(r io.Reader) (io.Reader, error) {
	var head [3]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, truncated(err)
	}
	if !isCompress(head[:]) {
		return nil, errCompress
	}
	z := &lzwReader{r: r, limit: 1 << (head[2] & 0x1f), first: lzwClear}
	// With a maximum of 9 bits, gzip and ncompress still read codes of 10 bits once the
	// table is full. ncompress cannot read its own output in this case.
	z.maxWidth = max(10, int(head[2]&0x1f))
	if z.block = head[2]&lzwBlock != 0; z.block {
		z.first++
	}
	z.clear()
	return z, nil
}

var errCompress = errors.New("compress: invalid code")

// An lzwReader decompresses the format of compress. It cannot detect a stream that is truncated
// between two codes.
type lzwReader struct {
	r        io.Reader
	block    bool
	first    int // code of the table's first entry
	limit    int // number of codes
	maxWidth int

	// The string of an entry is the string of prefix, and one byte. A prefix is less than its own
	// code, so every string is finite.
	prefix [1 << lzwMaxWidth]uint16
	suffix [1 << lzwMaxWidth]byte
	free   int  // code of the next entry
	width  int  // of codes, in bits
	last   int  // previous code, -1 at the beginning
	head   byte // first byte of its string

	// Codes come in groups of eight, so a group has as many bytes as a code has bits. When
	// the width changes, or the table is cleared, the rest of the group is padding.
	group [lzwMaxWidth + 1]byte // the last is never of it
	bits  int                   // in group
	at    int                   // of them read

	text [1 << lzwMaxWidth]byte // string of the current code, at the end of the array
	out  []byte                 // unread part of that string
}

func (z *lzwReader) clear() {
	z.free, z.width, z.last = z.first, 9, -1
	z.bits, z.at = 0, 0
}

func (z *lzwReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(z.out) == 0 {
			if err := z.next(); err != nil {
				return n, err
			}
		}
		k := copy(p[n:], z.out)
		n, z.out = n+k, z.out[k:]
	}
	return n, nil
}

// next sets out to the string of the next code.
func (z *lzwReader) next() error {
	code, err := z.code()
	for ; err == nil && code == lzwClear && z.block; code, err = z.code() {
		z.clear()
	}
	if err != nil {
		return err
	}
	at, c := len(z.text), code
	switch {
	case code < 256:
	case z.last < 0, code > z.free, code == z.free && z.free == z.limit:
		return errCompress
	case code == z.free: // the entry that is about to be created
		at--
		z.text[at] = z.head
		c = z.last
	}
	for ; c >= 256; c = int(z.prefix[c]) {
		at--
		z.text[at] = z.suffix[c]
	}
	at--
	z.text[at] = byte(c)
	z.head, z.out = byte(c), z.text[at:]
	if z.last >= 0 && z.free < z.limit {
		z.prefix[z.free], z.suffix[z.free] = uint16(z.last), z.head
		z.free++
	}
	z.last = code
	return nil
}

// code reads one code at the current width.
func (z *lzwReader) code() (int, error) {
	if z.free == 1<<z.width && z.width < z.maxWidth {
		z.width++
		z.bits, z.at = 0, 0
	}
	if z.bits-z.at < z.width {
		n, err := io.ReadFull(z.r, z.group[:z.width])
		if z.bits, z.at = 8*n, 0; z.bits < z.width {
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			return 0, err
		}
	}
	i := z.at / 8
	v := int(z.group[i]) | int(z.group[i+1])<<8 | int(z.group[i+2])<<16
	v = v >> (z.at % 8) & (1<<z.width - 1)
	z.at += z.width
	return v, nil
}
