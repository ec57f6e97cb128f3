package input

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"io/fs"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// A Stored maps ranges of the contents of an input to ranges of its file, which may be compressed. In crawl
// archives, each record is a member of gzip, or a frame of zstd or LZ4, of its own.
type Stored struct {
	isPlain bool
	base    mark // where the input begins: in the file, and in its contents
	marks   marks
	damage  *DamagedError // of its members; nil: it has none
	passed  int           // members of damage that precede the last record
}

// Locate prepares r, which [Open], [OpenAhead] or [OpenSection] has returned and from which nothing has
// been read, for Stored.Range. start is the offset in the file at which r begins, and offset that in the
// contents of the file. Locate returns nil if the compression has no members that can be found: bzip2, xz,
// compress.
func Locate(r io.ReadCloser, start, offset int64) *Stored {
	s := &Stored{base: mark{start, offset}}
	in, isStream := r.(*stream)
	if !isStream {
		switch r.(type) {
		case fs.File, *live:
			s.isPlain = true
			return s
		}
		return nil
	}
	isLocated := s.locate(in.r)
	if s.isPlain = in.from == nil && !isLocated; !s.isPlain && !isLocated {
		return nil
	}
	return s
}

// locate makes z, which decompresses a file, record in s where its members are. ok is false if that is not possible.
func (s *Stored) locate(z io.Reader) (ok bool) {
	switch z := z.(type) {
	case *ahead:
		z.bounds, s.damage = &s.marks, z.damage
	case *members:
		z.bounds, s.damage = &s.marks, z.damage
		s.marks.add(0, 0)
	case *lz4Frames:
		z.bounds, s.damage = &s.marks, z.damage
	case *frames:
		z.bounds, s.damage = &s.marks, z.damage
	default:
		return false
	}
	return true
}

// Range returns where in the file the contents from start to end are stored; ok is false unless they are
// exactly one or several members. Both must have been read, and start must ascend from call to call.
func (s *Stored) Range(start, end int64) (offset, length int64, ok bool) {
	if s.isPlain {
		return start - s.base.out + s.base.at, end - start, true
	}
	start, end = start-s.base.out, end-s.base.out
	m := s.marks
	for len(m) > 0 && m[0].out < start {
		m = m[1:]
	}
	s.marks = m
	if len(m) == 0 || m[0].out != start {
		return 0, 0, false
	}
	for len(m) > 1 && m[1].out == start { // members without contents
		m = m[1:]
	}
	for _, to := range m[1:] {
		if to.out >= end {
			return s.base.at + m[0].at, to.at - m[0].at, to.out == end
		}
	}
	return 0, 0, false
}

// Bound returns the first place in the contents, not before from, at which a member begins or ends, as far
// as they have been read; -1 if none is known.
func (s *Stored) Bound(from int64) int64 {
	i, _ := slices.BinarySearchFunc(s.marks, from-s.base.out, func(m mark, out int64) int { return cmp.Compare(m.out, out) })
	if i == len(s.marks) {
		return -1
	}
	return s.marks[i].out + s.base.out
}

// marks are the places in a file at which a member begins or ends, in ascending order.
type marks []mark

// maxMarks limits the marks that are kept, of 16 bytes each. Records whose marks are gone are not found.
const maxMarks = 1 << 17

func (m *marks) add(at, out int64) {
	list := *m
	if n := len(list); n > 1 && list[n-1].out == out && list[n-2].out == out {
		list[n-1].at = at // of members without contents, the first and the last place suffice
		return
	}
	if len(list) >= maxMarks {
		list = append(list[:0:0], list[maxMarks/2:]...)
	}
	*m = append(list, mark{at, out})
}

// A counted is the reader of a compressed file.
type counted struct {
	r    *bufio.Reader
	file io.Reader
	n    int64 // bytes that r has read of file

	last  []byte // the last bytes of file, at least maxBack if it has had as many
	again []byte // of them, those that r is to read again
}

// Read implements io.Reader, for c.r.
func (c *counted) Read(p []byte) (n int, err error) {
	if len(c.again) > 0 {
		n = copy(p, c.again)
		c.again = c.again[n:]
	} else {
		n, err = c.file.Read(p)
		if len(c.last) > 2*maxBack {
			c.last = append(c.last[:0], c.last[len(c.last)-maxBack:]...)
		}
		c.last = append(c.last, p[:n]...)
	}
	c.n += int64(n)
	return n, err
}

func (c *counted) back(at int64) bool {
	end := c.n + int64(len(c.again)) // of last, in the file
	if back := end - at; back <= int64(len(c.last)) {
		c.again = c.last[int64(len(c.last))-back:]
		c.n = at
		c.r.Reset(c)
		return true
	}
	return false
}

// at returns the offset in the file of the next byte of c.r.
func (c *counted) at() int64 { return c.n - int64(c.r.Buffered()) }

// frames reads a zstd file frame by frame, because its decoder does not tell where one ends. It continues
// after a damaged one.
type frames struct {
	layout
	r *bufio.Reader
	z *zstd.Decoder

	inFrame, ended bool
	left           int64 // bytes of the current block, or of the header of the frame
	last           bool  // the current block is the last one
	sum            bool  // a checksum follows it
}

// Read implements io.Reader.
func (f *frames) Read(p []byte) (int, error) {
	for {
		if f.ended {
			return 0, f.end()
		}
		n, err := f.read(p)
		f.out += int64(n)
		if err != nil {
			f.fail(err)
			f.find()
		}
		if n > 0 || len(p) == 0 {
			return n, nil
		}
	}
}

// read reads from the current frame, or begins one. At the end of the file, it sets ended.
func (f *frames) read(p []byte) (int, error) {
	if !f.inFrame {
		if err := f.next(); err != nil || f.ended {
			return 0, err
		}
		if err := f.z.Reset((*frame)(f)); err != nil {
			return 0, err
		}
		f.inFrame = true
	}
	n, err := f.z.Read(p)
	if err == io.EOF {
		f.inFrame, err = false, nil
	}
	return n, err
}

// Close implements io.Closer.
func (f *frames) Close() error {
	f.z.Close()
	return nil
}

// next reads the header of a frame (RFC 8878 section 3.1).
func (f *frames) next() error {
	f.begin()
	f.last, f.sum = false, false
	head, err := f.r.Peek(8)
	switch {
	case len(head) == 0:
		f.ended = true
		if err != io.EOF {
			return err
		}
	case len(head) == 8 && isSkippable(head):
		f.left, f.last = 8+int64(binary.LittleEndian.Uint32(head[4:])), true
	case len(head) >= 5 && string(head[:4]) == zstdMagic:
		flags := head[4]
		single := flags >> 5 & 1
		f.sum = flags>>2&1 == 1
		f.left = 4 + 1 + int64(1-single) + [...]int64{0, 1, 2, 4}[flags&3] + [...]int64{int64(single), 2, 4, 8}[flags>>6]
	default:
		return zstd.ErrMagicMismatch
	}
	return nil
}

const zstdMagic = "\x28\xb5\x2f\xfd"

// find searches for the next frame after damage.
func (f *frames) find() {
	f.inFrame = false
	f.rewind()
	for {
		head, _ := f.r.Peek(f.r.Buffered())
		if len(head) < len(zstdMagic)+1 {
			var err error
			head, err = f.r.Peek(len(zstdMagic) + 1)
			if err != nil {
				f.ended = true
				f.found(f.from.at()+int64(len(head)), true)
				return
			}
		}
		i := bytes.Index(head, []byte(zstdMagic))
		switch {
		case i < 0:
			f.r.Discard(len(head) - len(zstdMagic) + 1)
		case i+len(zstdMagic) == len(head):
			f.r.Discard(i)
		case head[i+len(zstdMagic)]&0x08 != 0: // a reserved bit
			f.r.Discard(i + 1)
		default:
			f.r.Discard(i)
			f.found(f.from.at(), false)
			return
		}
	}
}

// A frame is the rest of the current frame, compressed.
type frame frames

// Read implements io.Reader.
func (f *frame) Read(p []byte) (int, error) {
	if f.left == 0 {
		switch {
		case f.last && f.sum:
			f.left, f.sum = 4, false
		case f.last:
			return 0, io.EOF
		default:
			head, err := f.r.Peek(3)
			if len(head) < 3 {
				if err == io.EOF && len(head) > 0 {
					err = io.ErrUnexpectedEOF
				}
				return 0, truncated(err)
			}
			size := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
			f.last, f.left = size&1 == 1, 3+int64(size>>3)
			if size>>1&3 == 1 { // one byte, repeated
				f.left = 3 + 1
			}
		}
	}
	n, err := f.r.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	return n, truncated(err)
}
