package inflate

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// A Member reads one member of a gzip file (RFC 1952 section 2.3). It must be Reset before use.
type Member struct {
	z    Reader
	r    *bufio.Reader
	sum  uint32
	size uint32
	err  error
	buf  [512]byte // of the header or the trailer
}

// Reset reads the header of a member from r, whose buffer holds at least 512 bytes. The error is [io.EOF]
// if r is empty, [gzip.ErrHeader] if there is no valid header, or of r.
func (m *Member) Reset(r *bufio.Reader) error {
	m.r, m.sum, m.size = r, 0, 0
	m.err = m.header()
	if m.err == nil {
		m.z.Reset(r)
	}
	return m.err
}

// Read implements io.Reader. At the end of the member, the next byte of the reader beneath is the one that
// follows. An error is [gzip.ErrChecksum], or one of [Reader.Read].
func (m *Member) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.z.Read(p)
	m.sum = crc32.Update(m.sum, crc32.IEEETable, p[:n])
	m.size += uint32(n)
	if err == io.EOF {
		err = m.trailer()
	}
	m.err = err
	return n, err
}

// trailer compares the checksum and the size, and returns io.EOF if they are right.
func (m *Member) trailer() error {
	b := m.buf[:8]
	_, err := io.ReadFull(m.r, b)
	switch {
	case err != nil:
		return truncated(err)
	case binary.LittleEndian.Uint32(b) != m.sum, binary.LittleEndian.Uint32(b[4:]) != m.size:
		return gzip.ErrChecksum
	}
	return io.EOF
}

// Flags of a header.
const (
	hasSum     = 1 << 1
	hasExtra   = 1 << 2
	hasName    = 1 << 3
	hasComment = 1 << 4
	reserved   = 7 << 5
)

// header reads the header of a member.
func (m *Member) header() error {
	head, err := m.next(10)
	switch {
	case err == io.EOF:
		return err
	case err != nil:
		return truncated(err)
	case string(head[:3]) != "\x1f\x8b\x08":
		return gzip.ErrHeader
	}
	flags := head[3]
	if flags&hasExtra != 0 {
		err = m.skipExtra()
	}
	if err == nil && flags&hasName != 0 {
		err = m.skipName()
	}
	if err == nil && flags&hasComment != 0 {
		err = m.skipName()
	}
	if err == nil && flags&hasSum != 0 {
		err = m.headerSum()
	}
	if err == nil && flags&reserved != 0 {
		err = gzip.ErrHeader
	}
	m.sum = 0
	return truncated(err)
}

// next reads at most 512 bytes of the header.
func (m *Member) next(n int) ([]byte, error) {
	b := m.buf[:n]
	_, err := io.ReadFull(m.r, b)
	m.sum = crc32.Update(m.sum, crc32.IEEETable, b)
	return b, err
}

func (m *Member) skipExtra() error {
	b, err := m.next(2)
	n := int(binary.LittleEndian.Uint16(b))
	for n > 0 && err == nil {
		b, err = m.next(min(n, len(m.buf)))
		n -= len(b)
	}
	return err
}

// skipName skips a name or comment, which ends with a zero. Like compress/gzip, it accepts 511 bytes.
func (m *Member) skipName() error {
	for i := range m.buf {
		c, err := m.r.ReadByte()
		if err != nil {
			return err
		}
		m.buf[i] = c
		if c == 0 {
			m.sum = crc32.Update(m.sum, crc32.IEEETable, m.buf[:i+1])
			return nil
		}
	}
	return gzip.ErrHeader
}

// headerSum reads the checksum of the header.
func (m *Member) headerSum() error {
	want := uint16(m.sum)
	b, err := m.next(2)
	if err == nil && binary.LittleEndian.Uint16(b) != want {
		err = gzip.ErrHeader
	}
	return err
}

// truncated returns err, with io.EOF changed to io.ErrUnexpectedEOF.
func truncated(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
