package container

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"

	"example.org/refract/internal/inflate"
	"example.org/refract/internal/order"
)

// Signatures, and the sizes of the fixed parts that begin with them (APPNOTE.TXT, section 4.3).
const (
	localMagic     = "PK\x03\x04"
	directoryMagic = "PK\x01\x02"
	endMagic       = "PK\x05\x06"
	end64Magic     = "PK\x06\x06"
	locatorMagic   = "PK\x06\x07"

	localSize     = 30
	directorySize = 46
	endSize       = 22
	end64Size     = 56
	locatorSize   = 20
	maxComment    = 1<<16 - 1
)

// maxWindow limits in bytes what a member makes its decompressor allocate: a window of zstd or a
// dictionary of xz.
const maxWindow = 8 << 20

// IsZip reports whether a file begins like a ZIP archive. Those with a program in front do not.
func IsZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte(localMagic)) || bytes.HasPrefix(head, []byte(endMagic))
}

// Zip yields at most limit members of the ZIP archive that r reads, which has size bytes, in the order
// of its directory. An error is the last element. If there are more members, it is an *UnreadError.
//
// The directory at the end of the archive counts, as in most programs; local headers only say where
// the data begins. Names that are valid UTF-8 are taken as UTF-8, even without the flag that says so.
func Zip(r io.ReaderAt, size int64, limit int) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		z := &zipReader{r: r, size: size}
		err := z.findDirectory()
		if err == nil {
			err = z.measure(limit)
		}
		if err != nil {
			yield(Member{}, err)
			return
		}
		i := 0
		err = z.each(limit, func(e *zipEntry) bool {
			i++
			return yield(z.member(e, z.ranges[i-1].overlaps), nil)
		})
		if err == nil && z.more {
			err = errTooMany(limit)
		}
		if err != nil && err != errStopped {
			yield(Member{}, err)
		}
	}
}

var (
	errStopped   = errors.New("stopped")
	errDirectory = errors.New("zip: the directory is damaged")
)

// A zipReader reads one archive.
type zipReader struct {
	r    io.ReaderAt
	size int64

	base       int64 // where the archive begins: a program may be in front
	start, end int64 // of the directory
	ranges     []zipRange
	more       bool // the directory has more entries than are read
}

// A zipRange is the range of bytes of a member.
type zipRange struct {
	start, end int64
	number     int  // of the entry in the directory
	overlaps   bool // with another member
}

// A zipEntry is an entry of the directory.
type zipEntry struct {
	name             []byte // valid until the next entry
	flags, method    uint16
	sum              uint32
	packed, size, at int64 // at is the offset of the local header, from base
	attributes       uint32
	madeBy           uint8
}

// findDirectory finds the directory by the record at the end of the archive.
func (z *zipReader) findDirectory() error {
	tail := make([]byte, min(z.size, endSize+maxComment))
	if n, err := z.r.ReadAt(tail, z.size-int64(len(tail))); n < len(tail) {
		return fmt.Errorf("zip: %w", cmp.Or(err, io.ErrUnexpectedEOF))
	}
	for i := len(tail) - endSize; i >= 0; i-- {
		i = bytes.LastIndex(tail[:i+len(endMagic)], []byte(endMagic))
		if i < 0 {
			break
		}
		end := tail[i:]
		if endSize+int(binary.LittleEndian.Uint16(end[20:])) > len(end) {
			continue
		}
		if err := z.readEnd(end, z.size-int64(len(end))); err == nil {
			return nil
		} else if _, isUnread := errors.AsType[*UnreadError](err); isUnread {
			return err
		}
	}
	return errors.New("zip: no directory at the end: the archive is incomplete or damaged")
}

// readEnd reads the record at the end of the archive, which begins at at.
func (z *zipReader) readEnd(end []byte, at int64) error {
	disks := binary.LittleEndian.Uint16(end[4:])
	size, offset := int64(binary.LittleEndian.Uint32(end[12:])), int64(binary.LittleEndian.Uint32(end[16:]))
	var locator [locatorSize]byte
	if _, err := z.r.ReadAt(locator[:], at-locatorSize); at >= locatorSize && err == nil && string(locator[:4]) == locatorMagic {
		var end64 [end64Size]byte
		// A program in front moves the record; its offset is then wrong by the same amount.
		for _, where := range []int64{int64(binary.LittleEndian.Uint64(locator[8:])), at - locatorSize - end64Size} {
			if where < 0 || where > at {
				continue
			}
			if _, err := z.r.ReadAt(end64[:], where); err == nil && string(end64[:4]) == end64Magic {
				size, offset = int64(binary.LittleEndian.Uint64(end64[40:])), int64(binary.LittleEndian.Uint64(end64[48:]))
				at, disks = where, 0
				break
			}
		}
	}
	if size < 0 || offset < 0 || size > at || offset > at-size {
		return errDirectory
	}
	if disks != 0 && disks != 0xffff {
		return &UnreadError{Kind: "split ZIP", Text: "a ZIP archive in several volumes: not read"}
	}
	// What is in front is as long as the distance between where the directory is and where it says it is.
	for _, base := range []int64{at - size - offset, 0} {
		var magic [4]byte
		if _, err := z.r.ReadAt(magic[:], base+offset); err == nil && (string(magic[:]) == directoryMagic || size == 0) {
			z.base, z.start, z.end = base, base+offset, base+offset+size
			return nil
		}
	}
	return errDirectory
}

// each calls visit for at most limit entries of the directory, until it returns false.
func (z *zipReader) each(limit int, visit func(*zipEntry) bool) error {
	in := bufio.NewReaderSize(io.NewSectionReader(z.r, z.start, z.end-z.start), int(min(64<<10, z.end-z.start)))
	var head [directorySize]byte
	var e zipEntry
	var text []byte
	for n := 0; ; n++ {
		if _, err := io.ReadFull(in, head[:]); err == io.EOF {
			return nil
		} else if err != nil || string(head[:4]) != directoryMagic {
			return errDirectory
		}
		if n == limit {
			z.more = true
			return nil
		}
		nameSize, extraSize := int(binary.LittleEndian.Uint16(head[28:])), int(binary.LittleEndian.Uint16(head[30:]))
		need := nameSize + extraSize
		text = slices.Grow(text[:0], need)[:need]
		if _, err := io.ReadFull(in, text); err != nil {
			return errDirectory
		}
		if _, err := in.Discard(int(binary.LittleEndian.Uint16(head[32:]))); err != nil {
			return errDirectory
		}
		e = zipEntry{
			name: text[:nameSize], madeBy: head[5],
			flags: binary.LittleEndian.Uint16(head[8:]), method: binary.LittleEndian.Uint16(head[10:]),
			sum:    binary.LittleEndian.Uint32(head[16:]),
			packed: int64(binary.LittleEndian.Uint32(head[20:])), size: int64(binary.LittleEndian.Uint32(head[24:])),
			attributes: binary.LittleEndian.Uint32(head[38:]), at: int64(binary.LittleEndian.Uint32(head[42:])),
		}
		e.readExtra(text[nameSize:])
		if !visit(&e) {
			return errStopped
		}
	}
}

// readExtra reads the sizes and the offset that do not fit into 32 bits (APPNOTE.TXT, section 4.5.3).
func (e *zipEntry) readExtra(extra []byte) {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return
		}
		field := extra[:n]
		extra = extra[n:]
		if id != 1 {
			continue
		}
		for _, value := range []*int64{&e.size, &e.packed, &e.at} {
			if *value == 0xffffffff && len(field) >= 8 {
				*value = int64(binary.LittleEndian.Uint64(field))
				field = field[8:]
			}
		}
		return
	}
}

// measure finds the members that overlap: each stands for the same bytes of the archive as another, so
// that together they may decompress to any size.
func (z *zipReader) measure(limit int) error {
	z.ranges = make([]zipRange, 0, min(int64(limit), (z.end-z.start)/directorySize))
	err := z.each(limit, func(e *zipEntry) bool {
		r := zipRange{start: z.base + e.at, number: len(z.ranges)}
		r.end = r.start + localSize + int64(len(e.name)) + e.packed
		z.ranges = append(z.ranges, r)
		return true
	})
	if err != nil {
		return err
	}
	order.Sort(z.ranges, func(a, b zipRange) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.number, b.number))
	})
	// Of those that overlap, the first in the archive is read.
	end := int64(0)
	for i := range z.ranges {
		r := &z.ranges[i]
		r.overlaps = r.start < end
		end = max(end, r.end)
	}
	order.Sort(z.ranges, func(a, b zipRange) int { return cmp.Compare(a.number, b.number) })
	return nil
}

const (
	flagEncrypted = 1 << 0
	flagPatch     = 1 << 5
	flagStrong    = 1 << 6
	flagMasked    = 1 << 13

	methodAES = 99
)

// methods are the names of compression methods that are not read (APPNOTE.TXT, section 4.4.5).
var methods = map[uint16]string{1: "Shrink", 6: "Implode", 9: "Deflate64", 14: "LZMA", 98: "PPMd"}

// member returns the Member of an entry.
func (z *zipReader) member(e *zipEntry, overlaps bool) Member {
	entry := *e
	entry.name = nil
	m := Member{Name: shownName(e.name, true), Size: e.size}
	const typeMask, regular, unix, macOS = 0xf000, 0x8000, 3, 19
	mode := e.attributes >> 16 & typeMask
	m.IsFile = !isDirectory(m.Name) && (e.madeBy != unix && e.madeBy != macOS || mode == 0 || mode == regular)
	m.Open = func() (io.Reader, error) {
		switch {
		case entry.flags&(flagEncrypted|flagStrong|flagMasked) != 0, entry.method == methodAES:
			return nil, &UnreadError{Kind: "encrypted ZIP", Text: "encrypted: not read"}
		case entry.flags&flagPatch != 0:
			return nil, &UnreadError{Kind: "ZIP patch", Text: "a patch of another file: not read"}
		case overlaps:
			return nil, errors.New("zip: it shares bytes with another member: not read")
		}
		return z.open(&entry)
	}
	return m
}

// open returns a reader of the content of an entry.
func (z *zipReader) open(e *zipEntry) (io.Reader, error) {
	var head [localSize]byte
	at := z.base + e.at
	if _, err := z.r.ReadAt(head[:], at); err != nil || string(head[:4]) != localMagic {
		return nil, errors.New("zip: there is no member where the directory says")
	}
	// If the local header is longer than the directory lets expect, it was not considered in measure.
	start := at + localSize + int64(binary.LittleEndian.Uint16(head[26:])) + int64(binary.LittleEndian.Uint16(head[28:]))
	if e.packed < 0 || e.size < 0 || start > z.start || e.packed > z.start-start {
		return nil, errors.New("zip: the member reaches beyond the archive")
	}
	in := io.NewSectionReader(z.r, start, e.packed)
	c := &checked{size: e.size, want: e.sum}
	switch e.method {
	case 0:
		c.r = in
	case 8:
		c.inflater = inflaters.Get().(*inflater)
		c.inflater.in.Reset(in)
		c.inflater.z.Reset(c.inflater.in)
		c.r = &c.inflater.z
	case 12:
		c.r = bzip2.NewReader(bufio.NewReader(in))
	case 93:
		d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("zip: %w", err)
		}
		c.r, c.close = d, d.Close
	case 95:
		d, err := xz.NewReader(bufio.NewReader(in), maxWindow)
		if err != nil {
			return nil, fmt.Errorf("zip: %w", err)
		}
		c.r = d
	default:
		name := methods[e.method]
		if name == "" {
			name = fmt.Sprintf("%d", e.method)
		}
		return nil, &UnreadError{Kind: "ZIP with method " + name, Text: "compressed by method " + name + ": not read"}
	}
	return c, nil
}

// An inflater decompresses deflate. Its memory is reused.
type inflater struct {
	in *bufio.Reader
	z  inflate.Reader
}

var inflaters = sync.Pool{New: func() any { return &inflater{in: bufio.NewReaderSize(nil, 32<<10)} }}

// checked reads the content of a member, and compares its size and its checksum.
type checked struct {
	r        io.Reader
	size     int64 // that are missing
	sum      uint32
	want     uint32
	err      error
	inflater *inflater
	close    func()
}

func (c *checked) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.size+1)])
	switch {
	case int64(n) > c.size:
		n, err = int(c.size), errors.New("zip: the member has more bytes than the directory says")
	case err == io.EOF && int64(n) < c.size:
		err = io.ErrUnexpectedEOF
	}
	c.size -= int64(n)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	if err == io.EOF && c.sum != c.want {
		err = errors.New("zip: the checksum is wrong")
	}
	c.err = err
	return n, err
}

// Close releases memory.
func (c *checked) Close() error {
	if c.inflater != nil {
		inflaters.Put(c.inflater)
		c.inflater, c.r = nil, nil
		c.err = errors.New("zip: closed")
	}
	if c.close != nil {
		c.close()
	}
	return nil
}
