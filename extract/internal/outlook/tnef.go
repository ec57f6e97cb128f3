package outlook

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"iter"
)

// tnefMagic begins a TNEF stream ([MS-OXTNEF] section 2.1.3.1).
var tnefMagic = []byte("\x78\x9f\x3e\x22")

// IsTNEF reports whether a file that begins with head is TNEF.
func IsTNEF(head []byte) bool { return bytes.HasPrefix(head, tnefMagic) }

// Attributes of TNEF ([MS-OXTNEF] section 2.1.3.3), without their types in the upper half, which some writers
// leave out.
const (
	attrBody         = 0x800C
	attrAttachTitle  = 0x8010
	attrAttachData   = 0x800F
	attrAttachFile   = 0x9001 // its name
	attrAttachBegin  = 0x9002 // attAttachRendData
	attrMessageProps = 0x9003
	attrAttachProps  = 0x9005
	attrOEMCodePage  = 0x9007
)

// Bytes before and after the value of an attribute.
const (
	attributeHeader   = 9
	attributeChecksum = 2
)

var (
	errTNEF = errors.New("tnef: damaged")
	errEnds = errors.New("tnef: the file ends early")
)

// messageID is the interface of a message in an object ([MS-OXTNEF] section 2.1.3.4.2).
var messageID = []byte("\x07\x03\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46")

// TNEF yields the members of the TNEF stream of size bytes that r reads. Checksums are not compared: many
// writers have wrong ones.
func TNEF(r io.ReaderAt, size int64) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		t := &tnefReader{cursor: cursor{r: r, end: size}}
		head, err := t.take(6)
		if err != nil || !IsTNEF(head) {
			yield(Member{}, errTNEF)
			return
		}
		t.message()
		t.body.codePage = t.page
		if t.body.members("", yield) && t.attachments(yield) && t.err != nil {
			yield(Member{}, t.err)
		}
	}
}

// A tnefReader reads a TNEF stream, the attributes of the message first: they come before those of attachments.
type tnefReader struct {
	cursor
	body body
	page int   // the code page of all that is not Unicode
	next int64 // where the first attachment begins
	err  error // of reading attributes, after all that could be read
}

// attribute reads the next attribute, whose value is at from to to. It returns false at the end.
func (t *tnefReader) attribute() (id uint32, from, to int64, ok bool) {
	if t.at >= t.end {
		return 0, 0, 0, false
	}
	h, err := t.take(attributeHeader)
	if err != nil {
		h, err = t.take(int(min(t.end-t.at, attributeHeader)))
	}
	if err != nil || len(h) < attributeHeader || h[0] != 1 && h[0] != 2 {
		if len(bytes.Trim(h, "\x00\r\n")) > 0 { // line breaks follow some files, and zeros fill the last block
			t.err = cmp.Or(t.err, errTNEF)
		}
		return 0, 0, 0, false
	}
	id, from = uint32(binary.LittleEndian.Uint16(h[1:])), t.at
	to = from + int64(binary.LittleEndian.Uint32(h[5:]))
	if to > t.end {
		t.err = errEnds
		to = t.end
	}
	t.at = to + attributeChecksum
	return id, from, to, true
}

// message reads the attributes before the first attachment.
func (t *tnefReader) message() {
	for {
		start := t.at
		id, from, to, ok := t.attribute()
		if !ok || id == attrAttachBegin {
			t.next = start
			return
		}
		switch id {
		case attrOEMCodePage:
			if b, err := t.bytesAt(from, min(to, from+4)); err == nil && len(b) == 4 {
				t.page = int(binary.LittleEndian.Uint32(b))
			}
		case attrBody:
			t.body.text = t.section(from, to, typeString8)
		case attrMessageProps:
			err := t.properties(from, to, func(number, kind uint32, from, to int64) {
				if kind == typeLong {
					if b, err := t.bytesAt(from, to); err == nil {
						t.body.setNumber(number, int(binary.LittleEndian.Uint32(b)))
					}
					return
				}
				t.body.set(number, t.section(from, to, kind))
			})
			if err != nil && t.err == nil {
				t.err = err
			}
		}
	}
}

// An attached is an attachment.
type attached struct {
	data              content
	isMessage         bool
	title, file, long content
	display           content
}

// attachments yields the attachments.
func (t *tnefReader) attachments(yield func(Member, error) bool) bool {
	t.at = t.next
	var a *attached
	for {
		id, from, to, ok := t.attribute()
		if !ok || id == attrAttachBegin {
			if a != nil && !t.attachment(a, yield) {
				return false
			}
			a = new(attached)
		}
		if !ok {
			return true
		}
		switch id {
		case attrAttachTitle:
			a.title = t.section(from, to, typeString8)
		case attrAttachFile:
			a.file = t.section(from, to, typeString8)
		case attrAttachData:
			if a.data.open == nil {
				a.data = t.section(from, to, typeBinary)
			}
		case attrAttachProps:
			err := t.properties(from, to, func(number, kind uint32, from, to int64) { t.attachProperty(a, number, kind, from, to) })
			if err != nil && t.err == nil {
				t.err = err
			}
		}
	}
}

func (t *tnefReader) attachProperty(a *attached, number, kind uint32, from, to int64) {
	switch number {
	case propAttachLongName:
		a.long = t.section(from, to, kind)
	case propAttachFilename:
		a.file = t.section(from, to, kind)
	case propDisplayName:
		a.display = t.section(from, to, kind)
	case propAttachData:
		if kind != typeObject {
			a.data = t.section(from, to, kind)
			return
		}
		if id, err := t.bytesAt(from, min(to, from+16)); err == nil && len(id) == 16 {
			a.data, a.isMessage = t.section(from+16, to, kind), bytes.Equal(id, messageID)
		}
	}
}

// attachment yields an attachment.
func (t *tnefReader) attachment(a *attached, yield func(Member, error) bool) bool {
	if a.data.open == nil {
		return true
	}
	m := Member{Name: fileName(a.long.text(t.page), a.file.text(t.page), a.title.text(t.page), a.display.text(t.page))}
	if a.isMessage {
		m.Type = TNEFType
	}
	m.Open = func() (io.Reader, error) { return a.data.open(), nil }
	return yield(m, nil)
}

// section returns the content at from to to.
func (t *tnefReader) section(from, to int64, kind uint32) content {
	r := t.r
	return content{func() io.Reader { return io.NewSectionReader(r, from, to-from) }, kind}
}

// properties calls property with each property of an attribute that is not one of several values. The value of
// a long is 4 bytes, the others are strings, binary data and objects ([MS-OXTNEF] section 2.1.3.4).
func (t *tnefReader) properties(from, to int64, property func(number, kind uint32, from, to int64)) error {
	c := &cursor{r: t.r, at: from, end: to}
	count, err := c.number()
	for ; count > 0 && err == nil; count-- {
		err = c.property(property)
	}
	return err
}

// property reads one property.
func (c *cursor) property(property func(number, kind uint32, from, to int64)) error {
	h, err := c.take(4)
	if err != nil {
		return err
	}
	kind, number := uint32(binary.LittleEndian.Uint16(h)), uint32(binary.LittleEndian.Uint16(h[2:]))
	if number >= 0x8000 { // named
		if err := c.skipName(); err != nil {
			return err
		}
		number = 0
	}
	const isMultiple = 0x1000
	values := uint32(1)
	kind, multiple := kind&^isMultiple, kind&isMultiple != 0
	size := int64(0) // of a value; 0: it has a length of its own
	switch kind {
	case 0x0002, typeLong, 0x0004, 0x000A, 0x000B:
		size = 4
	case 0x0005, 0x0006, 0x0007, 0x0014, 0x0040:
		size = 8
	case 0x0048:
		size = 16
	case typeObject, typeString8, typeUnicode, typeBinary:
		multiple = true // they all have a count
	case 0x0000, 0x0001: // unspecified, null
		return nil
	default:
		return errTNEF
	}
	if multiple {
		if values, err = c.number(); err != nil {
			return err
		}
	}
	for i := range values {
		length := size
		if size == 0 {
			n, err := c.number()
			if err != nil {
				return err
			}
			length = int64(n)
		}
		if length > c.end-c.at {
			return errEnds
		}
		if number != 0 && i == 0 && values == 1 && (size == 0 || kind == typeLong) {
			property(number, kind, c.at, c.at+length)
		}
		c.at = min(c.end, c.at+(length+3)&^3)
	}
	return nil
}

// skipName skips the name of a named property.
func (c *cursor) skipName() error {
	h, err := c.take(20)
	if err != nil {
		return err
	}
	isString := binary.LittleEndian.Uint32(h[16:]) == 1
	n, err := c.number()
	if err != nil || !isString {
		return err
	}
	if int64(n) > c.end-c.at {
		return errEnds
	}
	c.at = min(c.end, c.at+(int64(n)+3)&^3)
	return nil
}

// A cursor reads small values of a range of a file, which it reads in blocks.
type cursor struct {
	r       io.ReaderAt
	at, end int64
	block   [4096]byte
	from    int64 // of block
	n       int   // bytes of block
}

// take returns the next n bytes, at most 64, until the next call.
func (c *cursor) take(n int) ([]byte, error) {
	b, err := c.bytesAt(c.at, c.at+int64(n))
	if err == nil {
		c.at += int64(n)
	}
	return b, err
}

// bytesAt returns a few bytes of the range, until the next call.
func (c *cursor) bytesAt(from, to int64) ([]byte, error) {
	if to > c.end || to < from {
		return nil, errEnds
	}
	if from < c.from || to > c.from+int64(c.n) {
		n, err := c.r.ReadAt(c.block[:min(int64(len(c.block)), c.end-from)], from)
		c.from, c.n = from, n
		if to > c.from+int64(c.n) {
			if err == nil || err == io.EOF {
				err = errEnds
			}
			return nil, err
		}
	}
	return c.block[from-c.from : to-c.from], nil
}

// number reads 32 bits.
func (c *cursor) number() (uint32, error) {
	b, err := c.take(4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}
