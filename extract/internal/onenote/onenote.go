// Package onenote scans sections of OneNote: it yields each text that may contain a reference, and each
// embedded file.
//
// Source: [MS-ONESTORE] 2.6.6 and 2.6.13, and [MS-ONE] 2.2. In both kinds of file, a section on a disk and
// one that was downloaded, a value of variable length follows its length, in four bytes. Texts are such
// values: in UTF-16, or in bytes of Latin-1. They are found by their lengths, not by following the objects
// of a page. So the texts of earlier revisions, which stay in the file, are also read.
package onenote

import (
	"bytes"
	"encoding/binary"
	"iter"
	"strconv"

	"example.org/refract/delimit"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/scan"
)

// Type is the media type of sections.
const Type = "application/onenote"

// section is the GUID with which a section begins ([MS-ONESTORE] 2.3.1).
const section = "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3"

// embedded is the GUID with which an embedded file begins; its length follows, in eight bytes, and twelve
// bytes that mean nothing ([MS-ONESTORE] 2.6.13).
const (
	embedded       = "\xe7\x16\xe3\xbd\x65\x26\x11\x45\xa4\xc4\x8d\x4d\x0b\x7a\x9e\xac"
	embeddedHeader = len(embedded) + 8 + 12
)

// The texts that are read have this many bytes. OneNote has one text for each paragraph.
const (
	minText = 6
	maxText = 1 << 20
)

// Is reports whether a file that begins with head is a section.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(section)) }

// A Scanner scans one section. It may be reused, but several goroutines must not use it at once.
type Scanner struct {
	Rules  delimit.Rules                              // of references in text
	ReadAs func(mediaType, name string) (read string) // as in scan; nil: embedded files are not read

	item   scan.Item
	more   scan.More
	finder delimit.Finder
	narrow []byte
}

// Scan yields a Body for each text and each file, in source order, named by its number, and Notes about
// files that are not read. Every input is valid, and the time is linear in len(src).
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.finder.Rules = s.Rules
		v := values{src: src, at: len(section)}
		for n := 1; v.next(); n++ {
			if !s.value(&v, n, yield) {
				break
			}
		}
		s.item, s.more = scan.Item{}, scan.More{}
		if cap(s.narrow) > 1<<16 {
			s.narrow = nil
		}
	}
}

// value yields the value at which v is.
func (s *Scanner) value(v *values, n int, yield func(*scan.Item) bool) bool {
	data := v.src[v.span.Start:v.span.End]
	s.more = scan.More{}
	s.item = scan.Item{Op: scan.Body, Type: TextType, Name: strconv.Itoa(n), Span: v.span, Value: data, More: &s.more}
	switch v.kind {
	case isWide:
		s.more.Charset = "utf-16le"
		if !s.finder.May(s.narrowed(data)) && !bytes.Contains(data, fieldMark) {
			return true
		}
	case isLatin:
		s.more.Charset = "windows-1252"
		if !s.finder.May(data) {
			return true
		}
	default:
		own, read := mediatype.Detect("", data), ""
		if s.ReadAs != nil {
			read = s.ReadAs(own, "")
		}
		s.item.Type, s.item.More = read, nil
		if read == "" {
			s.item.Op, s.item.Type, s.item.Code = scan.Note, own, scan.CodeUnreadType
		}
	}
	return yield(&s.item)
}

// narrowed returns text in UTF-16 with a byte for each unit: what begins a reference is ASCII.
func (s *Scanner) narrowed(data []byte) []byte {
	s.narrow = s.narrow[:0]
	for i := 0; i+1 < len(data); i += 2 {
		c := data[i]
		if data[i+1] != 0 {
			c = 0xff
		}
		s.narrow = append(s.narrow, c)
	}
	return s.narrow
}

// A kind is what a value is.
type kind uint8

const (
	isWide  kind = iota // text in UTF-16
	isLatin             // text in bytes
	isFile
)

// values goes through the values of a section.
type values struct {
	src  []byte
	at   int       // where the next value begins at the earliest
	span scan.Span // of the current value
	kind kind

	wide  [2]int // by the parity of its offset: where the text in UTF-16 ends that was looked at last
	latin int    // the same for text in bytes
}

// next moves to the next text or file. It reports whether there is one.
func (v *values) next() bool {
	for i := max(v.at, 4); i < len(v.src); i++ {
		if v.isFile(i) || v.src[i-1] == 0 && v.isText(i) {
			v.at = v.span.End
			return true
		}
	}
	return false
}

// isFile reports whether an embedded file begins at i, and sets the current value.
func (v *values) isFile(i int) bool {
	if v.src[i] != embedded[0] || len(v.src)-i < embeddedHeader || string(v.src[i:i+len(embedded)]) != embedded {
		return false
	}
	size, start := binary.LittleEndian.Uint64(v.src[i+len(embedded):]), i+embeddedHeader
	if size == 0 || size > uint64(len(v.src)-start) {
		return false
	}
	v.kind, v.span = isFile, scan.Span{Start: start, End: start + int(size)}
	return true
}

// isText reports whether a text begins at i: the four bytes before it say how long it is, and as many have
// characters. It sets the current value, without the NUL that may end it.
func (v *values) isText(i int) bool {
	size := binary.LittleEndian.Uint32(v.src[i-4:])
	if size < minText || size > maxText || int(size) > len(v.src)-i {
		return false
	}
	// Bytes that can be Latin-1 could be UTF-16 without ASCII, too, which has no reference.
	v.kind = isLatin
	v.span = scan.Span{Start: i, End: i + int(size)}
	end := &v.span.End
	if v.src[*end-1] == 0 && v.src[*end-2] != 0 {
		*end--
	}
	if *end <= v.latinEnd(i) {
		return true
	}
	v.kind = isWide
	*end = i + int(size)
	if v.src[*end-1] == 0 && v.src[*end-2] == 0 {
		*end -= 2
	}
	return size%2 == 0 && *end <= v.wideEnd(i)
}

// wideEnd returns where the text in UTF-16 ends that begins at i. No byte is looked at twice for the same parity.
func (v *values) wideEnd(i int) int {
	end := &v.wide[i%2]
	if *end <= i {
		for *end = i; *end+1 < len(v.src) && isWideText(v.src[*end], v.src[*end+1]); *end += 2 {
		}
	}
	return *end
}

// isWideText reports whether a unit of UTF-16 can be part of a text: all but control characters and those
// that are none.
func isWideText(low, high byte) bool {
	return high != 0 && (high != 0xff || low < 0xfe) || high == 0 && isLatinText(low)
}

// latinEnd returns where the text in bytes ends that begins at i. No byte is looked at twice.
func (v *values) latinEnd(i int) int {
	if v.latin <= i {
		for v.latin = i; v.latin < len(v.src) && isLatinText(v.src[v.latin]); v.latin++ {
		}
	}
	return v.latin
}

// isLatinText reports whether a byte can be part of a text. A vertical tab is a line break within a paragraph.
func isLatinText(c byte) bool { return c >= ' ' && c != 0x7f || c >= '\t' && c <= '\r' }
