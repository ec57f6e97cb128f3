package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// LZ4 frames (LZ4 Frame Format 1.6.x, LZ4 Block Format). The code is ours because it has to tell where each
// frame begins and ends, and to continue after a damaged one: crawl archives have a frame for each record.
const (
	lz4Magic   = "\x04\x22\x4d\x18"
	lz4History = 64 << 10 // bytes that a match may reach back
	lz4Head    = 4 + 2 + 8 + 4 + 1
)

// isLZ4 also accepts a skippable frame before the first one.
func isLZ4(head []byte) bool {
	return len(head) >= 4 && (string(head[:4]) == lz4Magic || isSkippable(head))
}

// isSkippable reports whether a frame begins with head that decoders of LZ4 and zstd skip.
func isSkippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

func openLZ4(c *counted, window int) (io.Reader, error) {
	return &lz4Frames{r: c.r, window: window, layout: layout{from: c, damage: new(DamagedError)}}, nil
}

var (
	errLZ4Header = errors.New("lz4: invalid header")
	errLZ4Block  = errors.New("lz4: invalid block")
	errLZ4Sum    = errors.New("lz4: wrong checksum")
)

// lz4Frames reads frames in sequence. It continues after a damaged one, and returns the error at the end.
// It takes as much memory as two blocks, of at most 4 MiB each: what a header declares as the size of the
// contents allocates nothing.
type lz4Frames struct {
	layout
	r      *bufio.Reader
	window int // blocks may have at most this many bytes
	ended  bool

	inFrame   bool
	isLinked  bool // blocks refer to those before them
	blockSums bool
	hasSum    bool
	blockMax  int
	size      int64 // of the contents, as declared; -1: not declared
	sum       xxh32
	total     int64 // bytes of the frame's contents so far

	text   []byte // history and the current block
	unread []byte // the end of text
	packed []byte
}

// Read implements io.Reader.
func (f *lz4Frames) Read(p []byte) (int, error) {
	for {
		if len(f.unread) > 0 {
			n := copy(p, f.unread)
			f.unread = f.unread[n:]
			f.out += int64(n)
			return n, nil
		}
		if f.ended {
			return 0, f.layout.end()
		}
		var err error
		if f.inFrame {
			err = f.block()
		} else {
			err = f.next()
		}
		if err != nil {
			f.fail(err)
			f.inFrame = false
			f.find()
		}
	}
}

// next reads the header of a frame, or all of a skippable one. At the end of the file, it sets ended.
func (f *lz4Frames) next() error {
	f.begin()
	head, err := f.r.Peek(lz4Head)
	switch {
	case len(head) == 0:
		f.ended = true
		if err == io.EOF {
			return nil
		}
		return err
	case isSkippable(head) && len(head) >= 8:
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		f.r.Discard(8)
		_, err := io.CopyN(io.Discard, f.r, n)
		return truncated(err)
	}
	n, err := f.header(head)
	if err == nil {
		f.r.Discard(n)
		f.inFrame, f.total, f.text = true, 0, f.text[:0]
		f.sum.reset()
	}
	return err
}

// header parses the header of a frame, and returns its length.
func (f *lz4Frames) header(head []byte) (n int, err error) {
	if len(head) < 7 || string(head[:4]) != lz4Magic {
		return 0, errLZ4Header
	}
	flags, block := head[4], head[5]
	n = 7
	if flags&8 != 0 {
		n += 8
	}
	if flags&1 != 0 {
		n += 4
	}
	var sum xxh32
	sum.reset()
	if len(head) < n || flags>>6 != 1 || flags&2 != 0 || block&0x8f != 0 || block>>4 < 4 {
		return 0, errLZ4Header
	}
	sum.write(head[4 : n-1])
	if byte(sum.value()>>8) != head[n-1] {
		return 0, errLZ4Header
	}
	f.isLinked, f.blockSums, f.hasSum = flags>>5&1 == 0, flags>>4&1 == 1, flags>>2&1 == 1
	f.blockMax, f.size = 1<<(8+2*(block>>4)), -1
	if flags&8 != 0 {
		f.size = int64(binary.LittleEndian.Uint64(head[6:]))
	}
	if f.blockMax > f.window {
		return 0, fmt.Errorf("lz4: blocks of %d bytes", f.blockMax)
	}
	return n, nil
}

// block reads the next block of a frame, or its end.
func (f *lz4Frames) block() error {
	size, err := f.number()
	if err != nil {
		return err
	}
	if size == 0 {
		return f.endFrame()
	}
	isRaw, n := size>>31 == 1, int(size&^(1<<31))
	if n > f.blockMax || n == 0 {
		return errLZ4Block
	}
	if cap(f.packed) < n {
		f.packed = make([]byte, n, min(2*n, f.blockMax))
	}
	f.packed = f.packed[:n]
	if _, err := io.ReadFull(f.r, f.packed); err != nil {
		return truncated(err)
	}
	if f.blockSums {
		if err := f.check(xxh32Of(f.packed)); err != nil {
			return err
		}
	}
	f.keepHistory()
	start := len(f.text)
	ok := true
	if isRaw {
		f.text = append(f.text, f.packed...)
	} else {
		f.text, ok = appendLZ4(f.text, f.packed, start+f.blockMax)
	}
	f.unread = f.text[start:]
	f.total += int64(len(f.unread))
	if !ok {
		return errLZ4Block // what was decoded is read first
	}
	if f.hasSum {
		f.sum.write(f.unread)
	}
	return nil
}

// keepHistory leaves in text what the next block may refer to.
func (f *lz4Frames) keepHistory() {
	switch {
	case !f.isLinked:
		f.text = f.text[:0]
	case len(f.text) > lz4History:
		n := copy(f.text, f.text[len(f.text)-lz4History:])
		f.text = f.text[:n]
	}
}

// endFrame reads what follows the last block of a frame.
func (f *lz4Frames) endFrame() error {
	if f.hasSum {
		if err := f.check(f.sum.value()); err != nil {
			return err
		}
	}
	f.inFrame = false
	if f.size >= 0 && f.size != f.total {
		return fmt.Errorf("lz4: a frame of %d bytes, not %d", f.total, f.size)
	}
	return nil
}

// check compares a checksum with the one that follows.
func (f *lz4Frames) check(sum uint32) error {
	want, err := f.number()
	if err == nil && want != sum {
		err = errLZ4Sum
	}
	return err
}

func (f *lz4Frames) number() (uint32, error) {
	b, err := f.r.Peek(4)
	if len(b) < 4 {
		return 0, truncated(err)
	}
	n := binary.LittleEndian.Uint32(b)
	f.r.Discard(4)
	return n, nil
}

// find searches for the next frame after damage.
func (f *lz4Frames) find() {
	f.rewind()
	for !f.ended {
		head, _ := f.r.Peek(max(f.r.Buffered(), 4))
		if len(head) < 7 {
			var err error
			head, err = f.r.Peek(7)
			if err != nil {
				f.ended = true
				f.found(f.from.at()+int64(len(head)), true)
				return
			}
		}
		i := bytes.Index(head, []byte(lz4Magic))
		switch {
		case i < 0:
			f.r.Discard(len(head) - len(lz4Magic) + 1)
			continue
		case i > 0:
			f.r.Discard(i)
			continue
		}
		head, _ = f.r.Peek(lz4Head)
		if _, err := f.header(head); err == nil {
			f.found(f.from.at(), false)
			return // next reads it again
		}
		f.r.Discard(1)
	}
}

// appendLZ4 decodes a block: it appends to dst, which holds what the block may refer to, until dst has
// limit bytes. ok is false if the block is damaged; dst then ends where decoding failed.
func appendLZ4(dst, src []byte, limit int) (_ []byte, ok bool) {
	for at := 0; at < len(src); {
		token := src[at]
		n, at2 := lz4Length(int(token>>4), src, at+1)
		at = at2
		if n > len(src)-at || n > limit-len(dst) {
			return dst, false
		}
		dst = append(dst, src[at:at+n]...)
		at += n
		if at == len(src) {
			return dst, true // the last sequence has only literals
		}
		if len(src)-at < 2 {
			return dst, false
		}
		offset := int(src[at]) | int(src[at+1])<<8
		n, at = lz4Length(int(token&15), src, at+2)
		n += 4
		if offset == 0 || offset > len(dst) || n > limit-len(dst) {
			return dst, false
		}
		for from := len(dst) - offset; n > 0; { // what is copied may contain what is being copied
			k := min(n, len(dst)-from)
			dst = append(dst, dst[from:from+k]...)
			n -= k
		}
	}
	return dst, false
}

// lz4Length returns a length that begins with n and continues at src[at], and what follows. A length that is not
// complete is larger than any block.
func lz4Length(n int, src []byte, at int) (length, end int) {
	if n < 15 {
		return n, at
	}
	for at < len(src) {
		c := src[at]
		at++
		n += int(c)
		if c < 255 {
			return n, at
		}
	}
	return 1 << 30, at
}

// An xxh32 computes XXH32 with the seed 0.
type xxh32 struct {
	lanes [4]uint32
	total uint64
	tail  [16]byte
	n     int // bytes in tail
}

const (
	xxh1 uint32 = 0x9e3779b1
	xxh2 uint32 = 0x85ebca77
	xxh3 uint32 = 0xc2b2ae3d
	xxh4 uint32 = 0x27d4eb2f
	xxh5 uint32 = 0x165667b1
)

func xxh32Of(p []byte) uint32 {
	var x xxh32
	x.reset()
	x.write(p)
	return x.value()
}

func (x *xxh32) reset() {
	one, two := xxh1, xxh2
	*x = xxh32{lanes: [4]uint32{one + two, two, 0, -one}}
}

func (x *xxh32) write(p []byte) {
	x.total += uint64(len(p))
	if x.n > 0 {
		k := copy(x.tail[x.n:], p)
		x.n, p = x.n+k, p[k:]
		if x.n < 16 {
			return
		}
		x.stripes(x.tail[:])
		x.n = 0
	}
	whole := len(p) &^ 15
	x.stripes(p[:whole])
	x.n = copy(x.tail[:], p[whole:])
}

// stripes adds p, a multiple of 16 bytes.
func (x *xxh32) stripes(p []byte) {
	a, b, c, d := x.lanes[0], x.lanes[1], x.lanes[2], x.lanes[3]
	for ; len(p) >= 16; p = p[16:] {
		a = bits.RotateLeft32(a+binary.LittleEndian.Uint32(p)*xxh2, 13) * xxh1
		b = bits.RotateLeft32(b+binary.LittleEndian.Uint32(p[4:])*xxh2, 13) * xxh1
		c = bits.RotateLeft32(c+binary.LittleEndian.Uint32(p[8:])*xxh2, 13) * xxh1
		d = bits.RotateLeft32(d+binary.LittleEndian.Uint32(p[12:])*xxh2, 13) * xxh1
	}
	x.lanes = [4]uint32{a, b, c, d}
}

func (x *xxh32) value() uint32 {
	h := xxh5
	if x.total >= 16 {
		h = bits.RotateLeft32(x.lanes[0], 1) + bits.RotateLeft32(x.lanes[1], 7) + bits.RotateLeft32(x.lanes[2], 12) + bits.RotateLeft32(x.lanes[3], 18)
	}
	h += uint32(x.total)
	tail := x.tail[:x.n]
	for ; len(tail) >= 4; tail = tail[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(tail)*xxh3, 17) * xxh4
	}
	for _, c := range tail {
		h = bits.RotateLeft32(h+uint32(c)*xxh5, 11) * xxh1
	}
	h = (h ^ h>>15) * xxh2
	h = (h ^ h>>13) * xxh3
	return h ^ h>>16
}
