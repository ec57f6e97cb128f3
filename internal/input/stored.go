package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"

	"github.com/klauspost/compress/zstd"
)

// A Stored maps ranges of the contents of an input to ranges of its file, which may be compressed: in
// archives of crawlers, each record is a member of gzip, or a frame of zstd or LZ4, of its own.
type Stored struct {
	isPlain bool
	base    mark // where the input begins: in the file, and in its contents
	marks   marks
}

// Locate prepares r, which [Open], [OpenAhead] or [OpenSection] has returned and of which nothing has been
// read, for Stored.Range. start is the offset in the file at which r begins, and offset that in the
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
	var isLocated bool
	in.r, isLocated = s.locate(in.r, in.from)
	if s.isPlain = in.from == nil && !isLocated; !s.isPlain && !isLocated {
		return nil
	}
	return s
}

// locate makes z, which decompresses from, record in s where its members are. It returns the reader to use in place of z.
func (s *Stored) locate(z io.Reader, from *counted) (_ io.Reader, ok bool) {
	switch z := z.(type) {
	case *ahead:
		z.bounds = &s.marks
	case *members:
		z.bounds, z.from = &s.marks, from
		s.marks.add(0, 0)
	case *lz4Frames:
		z.bounds, z.from = &s.marks, from
	case *zstd.Decoder:
		return &frames{r: from.r, from: from, z: z, bounds: &s.marks}, true
	case zstdCloser:
		return &frames{r: from.r, from: from, z: z.Decoder, bounds: &s.marks}, true
	default:
		return z, false
	}
	return z, true
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
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.file.Read(p)
	c.n += int64(n)
	return n, err
}

// at returns the offset in the file of the next byte of c.r.
func (c *counted) at() int64 { return c.n - int64(c.r.Buffered()) }

// frames reads a zstd file frame by frame, because its decoder does not tell where one ends.
type frames struct {
	r      *bufio.Reader
	from   *counted
	z      *zstd.Decoder
	bounds *marks
	out    int64 // bytes read so far

	inFrame bool
	left    int64 // bytes of the current block, or of the header of the frame
	last    bool  // the current block is the last one
	sum     bool  // a checksum follows it
	lost    bool  // the frame cannot be followed: the decoder reads the rest of the file
}

// Read implements io.Reader.
func (f *frames) Read(p []byte) (int, error) {
	for {
		if !f.inFrame {
			if _, err := f.r.Peek(1); err == io.EOF {
				return 0, io.EOF
			}
			f.begin()
			if err := f.z.Reset((*frame)(f)); err != nil {
				return 0, err
			}
		}
		n, err := f.z.Read(p)
		f.out += int64(n)
		if err == io.EOF && !f.lost {
			f.inFrame, err = false, nil
			f.bounds.add(f.from.at(), f.out)
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// Close implements io.Closer.
func (f *frames) Close() error {
	f.z.Close()
	return nil
}

// begin reads the header of a frame (RFC 8878 section 3.1).
func (f *frames) begin() {
	f.bounds.add(f.from.at(), f.out)
	f.inFrame, f.last, f.sum = true, false, false
	head, _ := f.r.Peek(8)
	switch {
	case len(head) == 8 && isSkippable(head):
		f.left, f.last = 8+int64(binary.LittleEndian.Uint32(head[4:])), true
	case len(head) >= 5 && bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		flags := head[4]
		single := flags >> 5 & 1
		f.sum = flags>>2&1 == 1
		f.left = 4 + 1 + int64(1-single) + [...]int64{0, 1, 2, 4}[flags&3] + [...]int64{int64(single), 2, 4, 8}[flags>>6]
	default:
		f.lost = true
	}
}

// A frame is the rest of the current frame, compressed.
type frame frames

// Read implements io.Reader.
func (f *frame) Read(p []byte) (int, error) {
	if f.lost {
		return f.r.Read(p)
	}
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
