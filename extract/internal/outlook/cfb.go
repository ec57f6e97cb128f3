package outlook

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// compoundMagic begins a compound file ([MS-CFB] section 2.2), which also holds documents of older office
// programs.
var compoundMagic = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

// IsCompound reports whether a file that begins with head is a compound file.
func IsCompound(head []byte) bool { return bytes.HasPrefix(head, compoundMagic) }

// Sector numbers with a meaning of their own ([MS-CFB] section 2.1).
const (
	maxSector  = 0xFFFFFFFA
	endOfChain = 0xFFFFFFFE
	noEntry    = 0xFFFFFFFF
)

const (
	entrySize  = 128
	maxEntries = 1 << 18
	miniSize   = 64
	miniLimit  = 4096 // streams of fewer bytes are in mini sectors
)

// A compound is an open compound file.
type compound struct {
	r          io.ReaderAt
	size       int64
	shift      uint // of a sector's size
	table      []uint32
	miniTable  []uint32
	used       bitset // sectors that belong to a stream
	usedMini   bitset
	entries    []entry
	mini       []uint32 // the sectors of the stream of mini sectors
	miniLength int64    // of that stream
}

// An entry is a stream or storage.
type entry struct {
	name               string
	kind               byte
	left, right, child uint32
	start              uint32
	size               int64
}

const (
	isStorage = 1
	isStream  = 2
	isRoot    = 5
)

type bitset []uint64

func newBitset(n int) bitset { return make(bitset, n/64+1) }

// take sets bit i, and reports whether it was not set before.
func (b bitset) take(i uint32) bool {
	word, bit := i/64, uint64(1)<<(i%64)
	if b[word]&bit != 0 {
		return false
	}
	b[word] |= bit
	return true
}

var errCompound = errors.New("msg: damaged")

func compoundError(what string) error { return fmt.Errorf("%w: %s", errCompound, what) }

// openCompound reads the tables and the directory of a compound file of size bytes.
func openCompound(r io.ReaderAt, size int64) (*compound, error) {
	var h [512]byte
	if n, err := r.ReadAt(h[:], 0); n < len(h) {
		if err == io.EOF {
			err = compoundError("no header")
		}
		return nil, err
	}
	le := binary.LittleEndian
	c := &compound{r: r, size: size, shift: uint(le.Uint16(h[30:]))}
	if !IsCompound(h[:]) || c.shift != 9 && c.shift != 12 || le.Uint16(h[32:]) != 6 || le.Uint32(h[56:]) != miniLimit {
		return nil, compoundError("header")
	}
	sectors := c.sectors()
	c.used = newBitset(sectors)
	if err := c.readTable(h[:]); err != nil {
		return nil, err
	}
	if err := c.readDirectory(le.Uint32(h[48:]), le.Uint16(h[26:]) == 3); err != nil {
		return nil, err
	}
	chain, err := c.chain(le.Uint32(h[60:]), c.used)
	if err != nil {
		return nil, err
	}
	c.miniTable, err = c.readNumbers(chain)
	if err != nil {
		return nil, err
	}
	root := &c.entries[0]
	if c.mini, err = c.chain(root.start, c.used); err != nil {
		return nil, err
	}
	c.miniLength = min(root.size, int64(len(c.mini))<<c.shift)
	c.usedMini = newBitset(len(c.miniTable))
	return c, nil
}

// sectors returns the number of sectors of the file. The last one may be incomplete.
func (c *compound) sectors() int {
	size := int64(1) << c.shift
	return int(min((c.size-1)/size, maxSector))
}

// offset returns where a sector begins in the file.
func (c *compound) offset(sector uint32) int64 { return (int64(sector) + 1) << c.shift }

// readTable reads the numbers of the sectors of the table, which are in the header h and in a chain of
// sectors, and then the table ([MS-CFB] sections 2.3 and 2.5).
func (c *compound) readTable(h []byte) error {
	le := binary.LittleEndian
	sectors := c.sectors()
	per := 1 << c.shift / 4
	most := sectors/per + 1 // sectors that a table can need
	var chain []uint32
	add := func(numbers []byte) error {
		for ; len(numbers) >= 4; numbers = numbers[4:] {
			n := le.Uint32(numbers)
			switch {
			case n == noEntry || len(chain) == most:
			case int64(n) >= int64(sectors) || !c.used.take(n):
				return compoundError("table")
			default:
				chain = append(chain, n)
			}
		}
		return nil
	}
	if err := add(h[76:512]); err != nil {
		return err
	}
	buf := make([]byte, 1<<c.shift)
	for next := le.Uint32(h[68:]); next < maxSector && len(chain) < most; {
		if int64(next) >= int64(sectors) || !c.used.take(next) {
			return compoundError("table")
		}
		if err := c.readSector(next, buf); err != nil {
			return err
		}
		if err := add(buf[:len(buf)-4]); err != nil {
			return err
		}
		next = le.Uint32(buf[len(buf)-4:])
	}
	table, err := c.readNumbers(chain)
	c.table = table[:min(len(table), sectors)]
	return err
}

// readSector reads a sector. The last one of a file may be incomplete.
func (c *compound) readSector(sector uint32, buf []byte) error {
	n, err := c.r.ReadAt(buf, c.offset(sector))
	clear(buf[n:])
	if err == io.EOF && n > 0 {
		err = nil
	}
	return err
}

// readNumbers reads sectors full of sector numbers.
func (c *compound) readNumbers(sectors []uint32) ([]uint32, error) {
	numbers := make([]uint32, 0, len(sectors)<<c.shift/4)
	buf := make([]byte, 1<<c.shift)
	for _, s := range sectors {
		if err := c.readSector(s, buf); err != nil {
			return nil, err
		}
		for i := 0; i < len(buf); i += 4 {
			numbers = append(numbers, binary.LittleEndian.Uint32(buf[i:]))
		}
	}
	return numbers, nil
}

// chain returns the sectors of the chain that begins with start.
func (c *compound) chain(start uint32, used bitset) ([]uint32, error) {
	var chain []uint32
	for at := start; at < maxSector; at = c.table[at] {
		if int64(at) >= int64(len(c.table)) || !used.take(at) {
			return nil, compoundError("chain of sectors")
		}
		chain = append(chain, at)
	}
	return chain, nil
}

// readDirectory reads the directory ([MS-CFB] section 2.6).
func (c *compound) readDirectory(start uint32, isVersion3 bool) error {
	chain, err := c.chain(start, c.used)
	if err != nil {
		return err
	}
	if len(chain) > maxEntries*entrySize>>c.shift {
		return compoundError("too many entries")
	}
	le := binary.LittleEndian
	buf := make([]byte, 1<<c.shift)
	for _, s := range chain {
		if err := c.readSector(s, buf); err != nil {
			return err
		}
		for b := buf; len(b) > 0; b = b[entrySize:] {
			e := entry{kind: b[66], left: le.Uint32(b[68:]), right: le.Uint32(b[72:]), child: le.Uint32(b[76:]), start: le.Uint32(b[116:])}
			e.name = fromUTF16(b[:min(64, max(0, int(le.Uint16(b[64:]))))])
			size := le.Uint64(b[120:])
			if isVersion3 {
				size &= 1<<32 - 1 // the upper half may be anything
			}
			e.size = int64(min(size, uint64(c.size)))
			c.entries = append(c.entries, e)
		}
	}
	if len(c.entries) == 0 || c.entries[0].kind != isRoot {
		return compoundError("no root entry")
	}
	return nil
}

// children returns the indexes of the entries in a storage, in the order of the tree, and marks them in seen, so
// that no entry is in two storages.
func (c *compound) children(storage int, seen bitset) ([]int, error) {
	var list []int
	var open []uint32
	for at := c.entries[storage].child; ; {
		for at != noEntry {
			if int64(at) >= int64(len(c.entries)) || !seen.take(at) {
				return list, compoundError("directory")
			}
			open = append(open, at)
			at = c.entries[at].left
		}
		if len(open) == 0 {
			return list, nil
		}
		at = open[len(open)-1]
		open = open[:len(open)-1]
		list = append(list, int(at))
		at = c.entries[at].right
	}
}

// open returns a reader of a stream. A sector serves only one stream, and a stream is read only once: otherwise
// a small file could have any number of large ones.
func (c *compound) open(e *entry) io.Reader {
	s := &streamReader{c: c, next: e.start, left: e.size, table: c.table, used: c.used, shift: c.shift}
	if e.size < miniLimit {
		s.table, s.used, s.shift = c.miniTable, c.usedMini, 6
	}
	return s
}

// A streamReader reads a stream along its chain.
type streamReader struct {
	c     *compound
	next  uint32 // the sector after the current range
	left  int64  // bytes of the stream that have not been read
	at    int64  // the current range begins here in the file
	ready int64  // bytes of the current range that have not been read
	table []uint32
	used  bitset
	shift uint
}

func (s *streamReader) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	if s.ready == 0 {
		if err := s.advance(); err != nil {
			return 0, err
		}
	}
	n, err := s.c.r.ReadAt(p[:min(int64(len(p)), s.ready, s.left)], s.at)
	s.at, s.ready, s.left = s.at+int64(n), s.ready-int64(n), s.left-int64(n)
	if n > 0 {
		err = nil
	} else if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// advance makes the next sectors that follow each other the current range.
func (s *streamReader) advance() error {
	const most = 64 << 10
	size := int64(1) << s.shift
	for s.ready < most && s.ready < s.left {
		at, ok := s.place(s.next)
		if s.ready > 0 && (!ok || at != s.at+s.ready) {
			return nil
		}
		if !ok || !s.used.take(s.next) {
			return compoundError("chain of sectors")
		}
		if s.ready == 0 {
			s.at = at
		}
		s.ready, s.next = s.ready+size, s.table[s.next]
	}
	return nil
}

// place returns the offset of a sector, or mini sector, in the file.
func (s *streamReader) place(sector uint32) (offset int64, ok bool) {
	if int64(sector) >= int64(len(s.table)) {
		return 0, false
	}
	if s.shift == s.c.shift {
		return s.c.offset(sector), true
	}
	at := int64(sector) << s.shift
	if at+miniSize > s.c.miniLength {
		return 0, false
	}
	return s.c.offset(s.c.mini[at>>s.c.shift]) + at&(1<<s.c.shift-1), true
}
