// Package smime reads the content of S/MIME messages that are only signed or compressed (RFC 8551 sections
// 3.5.2 and 3.6): CMS in BER or DER (RFC 5652). Signatures are not verified.
//
// An input is from anywhere. Lengths in it are checked, and time is linear in its size. Memory is constant.
package smime

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
)

// Types of CMS content are these object identifiers and a number (RFC 5652 section 14, RFC 3274, RFC 5083).
var (
	oidPKCS7     = []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x07")
	oidSMIMEType = []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01")
)

// A Kind says what CMS content is.
type Kind uint8

const (
	Other      Kind = iota // digested data, plain data, or unknown
	Signed                 // RFC 5652 section 5
	Encrypted              // sections 6, 8, RFC 5083
	Compressed             // RFC 3274
)

// Is reports whether a file that begins with head is CMS content in BER.
func Is(head []byte) bool {
	r := &reader{r: bytes.NewReader(head), end: int64(len(head))}
	_, err := r.contentInfo()
	return err == nil
}

// ErrEncrypted says that the content is encrypted.
var ErrEncrypted = errors.New("smime: encrypted")

var (
	errDamaged = errors.New("smime: damaged")
	errEnds    = errors.New("smime: the file ends early")
)

// Content returns a reader of the content of the CMS file of size bytes that r reads. It is nil if there is none,
// as in a detached signature or a list of certificates. The error is ErrEncrypted if the content is encrypted.
func Content(r io.ReaderAt, size int64) (io.Reader, error) {
	in := &reader{r: r, end: size}
	kind, err := in.contentInfo()
	switch {
	case err != nil:
		return nil, err
	case kind == Encrypted:
		return nil, ErrEncrypted
	case kind == Other:
		return nil, nil
	}
	content, err := in.encapsulated()
	if err != nil || content == nil || kind == Signed {
		return content, err
	}
	return zlib.NewReader(content)
}

// Tags (X.690 section 8.1.2).
const (
	tagInteger     = 0x02
	tagOctets      = 0x04
	tagOID         = 0x06
	tagSequence    = 0x30
	tagSet         = 0x31
	tagExplicit    = 0xA0 // [0]
	isConstructed  = 0x20
	indefinite     = -1
	maxHeader      = 24
	longestContent = 1 << 62
)

// A reader reads BER (X.690 section 8.1). A file may end early: then so does its content, with an error.
type reader struct {
	r       io.ReaderAt
	at, end int64
	block   [512]byte
	from    int64 // of block
	n       int
}

// bytes returns the next n bytes, at most maxHeader; fewer at the end.
func (r *reader) bytes(n int) []byte {
	if r.at < r.from || r.at+int64(n) > r.from+int64(r.n) {
		r.from = r.at
		r.n, _ = r.r.ReadAt(r.block[:], r.at) // what is missing is found by its absence
	}
	b := r.block[min(r.at-r.from, int64(r.n)):r.n]
	return b[:min(n, len(b))]
}

// header reads the tag and the length of a value, which may be indefinite.
func (r *reader) header() (tag byte, length int64, err error) {
	b := r.bytes(maxHeader)
	if len(b) < 2 {
		return 0, 0, errEnds
	}
	tag, n := b[0], 1
	for tag&0x1F == 0x1F && n < len(b) { // a tag of several bytes
		n++
		if b[n-1]&0x80 == 0 {
			break
		}
	}
	if n >= len(b) {
		return 0, 0, errDamaged
	}
	c := b[n]
	n++
	switch {
	case c < 0x80:
		length = int64(c)
	case c == 0x80:
		length = indefinite
	case int(c&0x7F) > 8 || n+int(c&0x7F) > len(b):
		return 0, 0, errDamaged
	default:
		for range c & 0x7F {
			if length >= longestContent>>8 {
				return 0, 0, errDamaged
			}
			length = length<<8 | int64(b[n])
			n++
		}
	}
	if length == indefinite && tag&isConstructed == 0 {
		return 0, 0, errDamaged
	}
	r.at += int64(n)
	return tag, length, nil
}

// enter reads the header of a value with this tag.
func (r *reader) enter(want byte) (length int64, err error) {
	tag, length, err := r.header()
	if err == nil && tag != want {
		err = errDamaged
	}
	return length, err
}

// oid reads an object identifier.
func (r *reader) oid() ([]byte, error) {
	length, err := r.enter(tagOID)
	if err != nil || length > maxHeader {
		return nil, errDamaged
	}
	b := r.bytes(int(length))
	r.at += length
	return b, nil
}

// contentInfo reads up to the content (RFC 5652 section 3), and returns its kind.
func (r *reader) contentInfo() (Kind, error) {
	if _, err := r.enter(tagSequence); err != nil {
		return Other, err
	}
	oid, err := r.oid()
	if err != nil {
		return Other, err
	}
	last := func(prefix []byte) byte {
		if len(oid) == len(prefix)+1 && bytes.HasPrefix(oid, prefix) {
			return oid[len(prefix)]
		}
		return 0
	}
	kind := Other
	switch last(oidPKCS7) {
	case 0:
		switch last(oidSMIMEType) {
		case 9:
			kind = Compressed
		case 23: // authenticated-enveloped data
			kind = Encrypted
		default:
			return Other, errDamaged
		}
	case 2:
		kind = Signed
	case 3, 4, 6: // enveloped, signed and enveloped, encrypted data
		kind = Encrypted
	}
	if _, err := r.enter(tagExplicit); err != nil {
		return Other, err
	}
	return kind, nil
}

// encapsulated returns the encapsulated content of signed or compressed data (RFC 5652 section 5.1, RFC 3274
// section 1.1), nil if there is none.
func (r *reader) encapsulated() (io.Reader, error) {
	if _, err := r.enter(tagSequence); err != nil {
		return nil, err
	}
	for _, tag := range [...]byte{tagInteger, 0} { // the version, and the algorithms
		got, length, err := r.header()
		if err != nil || tag != 0 && got != tag || tag == 0 && got != tagSet && got != tagSequence {
			return nil, errDamaged
		}
		if err := r.skip(length); err != nil {
			return nil, err
		}
	}
	length, err := r.enter(tagSequence)
	if err != nil {
		return nil, err
	}
	end := int64(longestContent)
	if length != indefinite {
		end = r.at + length
	}
	if _, err := r.oid(); err != nil {
		return nil, err
	}
	if b := r.bytes(2); r.at >= end || len(b) < 2 || b[0] == 0 && b[1] == 0 {
		return nil, nil // without content
	}
	if _, err := r.enter(tagExplicit); err != nil {
		return nil, err
	}
	tag, length, err := r.header()
	switch {
	case err != nil:
		return nil, err
	case tag == tagOctets:
		return &pieces{r: r, left: length, done: true}, nil
	case tag == tagOctets|isConstructed:
		p := &pieces{r: r}
		p.push(length)
		return p, nil
	case tag == tagSequence: // PKCS #7 before CMS: the content itself
		return &pieces{r: r, left: max(0, length), done: true}, nil
	}
	return nil, errDamaged
}

// skip skips the rest of a value, of which the header has been read.
func (r *reader) skip(length int64) error {
	depth := 0
	for {
		if length == indefinite {
			depth++
		} else if r.at += length; r.at > r.end {
			return errEnds
		}
		if depth == 0 {
			return nil
		}
		for {
			b := r.bytes(2)
			if len(b) < 2 {
				return errEnds
			}
			if b[0] != 0 || b[1] != 0 {
				break
			}
			r.at += 2
			if depth--; depth == 0 {
				return nil
			}
		}
		var err error
		if _, length, err = r.header(); err != nil {
			return err
		}
	}
}

// maxNesting limits how deeply the pieces of a string nest.
const maxNesting = 16

// pieces reads an octet string, which may consist of others.
type pieces struct {
	r    *reader
	left int64   // bytes of the current piece
	ends []int64 // of the strings around it; indefinite: marked
	done bool    // no piece follows
}

func (p *pieces) push(length int64) {
	end := int64(indefinite)
	if length != indefinite {
		end = p.r.at + length
	}
	p.ends = append(p.ends, end)
}

func (p *pieces) Read(b []byte) (int, error) {
	for p.left == 0 {
		if p.done {
			return 0, io.EOF
		}
		if err := p.next(); err != nil {
			return 0, err
		}
	}
	n, err := p.r.r.ReadAt(b[:min(int64(len(b)), p.left)], p.r.at)
	p.r.at, p.left = p.r.at+int64(n), p.left-int64(n)
	switch {
	case n > 0:
		err = nil
	case err == io.EOF:
		err = errEnds
	}
	return n, err
}

// next goes on to the next piece, or sets done.
func (p *pieces) next() error {
	for {
		k := len(p.ends) - 1
		if k < 0 {
			p.done = true
			return nil
		}
		if end := p.ends[k]; end == indefinite {
			if b := p.r.bytes(2); len(b) == 2 && b[0] == 0 && b[1] == 0 {
				p.r.at, p.ends = p.r.at+2, p.ends[:k]
				continue
			}
		} else if p.r.at >= end {
			p.ends = p.ends[:k]
			continue
		}
		tag, length, err := p.r.header()
		switch {
		case err != nil:
			return err
		case tag == tagOctets:
			p.left = length
			if length > 0 {
				return nil
			}
		case tag == tagOctets|isConstructed && len(p.ends) < maxNesting:
			p.push(length)
		default:
			return errDamaged
		}
	}
}
