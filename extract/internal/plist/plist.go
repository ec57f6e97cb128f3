// Package plist scans binary property lists of Apple, such as the bookmarks of Safari. It yields each
// string that may contain a reference, as an entity that is named after the keys and indexes on the path to
// it ("Children.0.URLString"). Scanned as it lies in the file, a string would run into the mark of the next
// object.
//
// Source: CFBinaryPList.c of Apple's CoreFoundation. A file has a header, objects, a table of their
// offsets, and a trailer of 32 bytes.
package plist

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"strconv"

	"example.org/refract/delimit"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/scan"
)

// Type is the media type of binary property lists.
const Type = "application/x-bplist"

const (
	header      = "bplist0" // and a digit
	trailerSize = 32
)

// Is reports whether a file that begins with head is a binary property list.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(header)) }

// A Scanner scans one property list. The zero Scanner has the defaults. It may be reused, but several
// goroutines must not use it at once.
type Scanner struct {
	Rules delimit.Rules // of references in text

	item   scan.Item
	more   scan.More
	finder delimit.Finder
}

// Scan yields a Body for each string and each property list within src, in the order of their numbers, and
// Notes about unread parts. Every input is valid. The time is linear in len(src), and the memory is a few
// times len(src) at most.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.finder.Rules = s.Rules
		l := &list{src: src}
		if l.open() {
			l.reach()
			for i := range l.objects {
				if !s.object(l, i, yield) {
					return
				}
			}
		}
		if l.blobs > 0 {
			s.item = scan.Item{Op: scan.Note, Code: scan.CodeUnreadType, Type: "BLOB", Text: fmt.Sprintf("%d pieces of binary data in the property list: not read", l.blobs)}
			if !yield(&s.item) {
				return
			}
		}
		if l.isDamaged {
			s.item = scan.Item{Op: scan.Note, Code: scan.CodeMalformed, Text: "the binary property list is damaged: some or all of its objects are not read"}
			yield(&s.item)
		}
		s.item, s.more = scan.Item{}, scan.More{}
	}
}

// object yields an object that may have references.
func (s *Scanner) object(l *list, i int, yield func(*scan.Item) bool) bool {
	o := l.content(i)
	data := l.src[o.data.Start:o.data.End]
	s.more = scan.More{Charset: "utf-8", IsValue: o.kind != dataKind}
	it := &s.item
	*it = scan.Item{Op: scan.Body, Type: mediatype.Text, Span: o.data, Value: data, More: &s.more}
	switch o.kind {
	case dataKind:
		head := data[:min(len(data), 1024)]
		switch {
		case len(data) == 0:
			return true
		case Is(data):
			it.Type = Type
		case mediatype.LooksBinary(head) || bytes.IndexByte(head, 0) >= 0:
			l.blobs++
			return true
		case !s.finder.May(data):
			return true
		}
	case asciiKind:
		if !s.finder.May(data) {
			return true
		}
	case utf16Kind:
		s.more.Charset = "utf-16be"
	default:
		return true
	}
	it.Name = l.path(i)
	return yield(it)
}

// Kinds of objects, as their marks have them.
const (
	dataKind  = 0x4
	asciiKind = 0x5
	utf16Kind = 0x6
	arrayKind = 0xa
	setKind   = 0xc
	dictKind  = 0xd
)

// A list is one property list.
type list struct {
	src       []byte
	end       int // of the objects
	refSize   int // of a reference to an object, in bytes
	root      int
	objects   []object
	isDamaged bool
	blobs     int // data that is not read
}

// An object is one of the objects of a list, and how it is reached: from which collection, and as which
// element. The key of a dictionary has the index of its value, and isKey.
type object struct {
	at     int32 // its offset; 0 if it is damaged
	parent int32 // -1: not reached. The root has itself as its parent.
	index  int32
	isKey  bool
}

// maxObjects limits the number of objects. There are 16 bytes of memory for each.
const maxObjects = 1 << 22

// A content is the content of a string, data, or a collection; any other kind has nothing that is read.
type content struct {
	kind  byte
	data  scan.Span // of a collection, the references
	count int       // of the elements of a collection
}

// open reads the trailer, and finds the objects.
func (l *list) open() bool {
	l.isDamaged = true
	if len(l.src) < len(header)+1+trailerSize {
		return false
	}
	t := l.src[len(l.src)-trailerSize:]
	offsetSize, refSize := int(t[6]), int(t[7])
	count, root, table := binary.BigEndian.Uint64(t[8:]), binary.BigEndian.Uint64(t[16:]), binary.BigEndian.Uint64(t[24:])
	room := uint64(len(l.src) - trailerSize)
	if offsetSize < 1 || offsetSize > 8 || refSize < 1 || refSize > 8 || table > room || count > (room-table)/uint64(offsetSize) || root >= count || count > maxObjects {
		return false
	}
	l.isDamaged = false
	l.end, l.refSize, l.root = int(table), refSize, int(root)
	l.objects = make([]object, count)
	left := l.end // what objects may have together: they do not overlap
	for i := range l.objects {
		at := number(l.src[l.end+i*offsetSize:][:offsetSize])
		c, ok := l.read(at)
		left -= c.data.End - c.data.Start
		if !ok || left < 0 {
			l.isDamaged = true
			at = 0
		}
		l.objects[i] = object{at: int32(at), parent: -1}
	}
	return true
}

// number reads an unsigned integer; too large ones become one that is no offset.
func number(b []byte) int {
	n := uint64(0)
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return int(min(n, 1<<40))
}

// read reads the mark at an offset, and where the content is.
func (l *list) read(at int) (c content, ok bool) {
	if at < len(header)+1 || at >= l.end {
		return c, false
	}
	kind, count := l.src[at]>>4, int(l.src[at]&0xf)
	at++
	size := 1
	switch kind {
	case dataKind, asciiKind:
	case utf16Kind:
		size = 2
	case arrayKind, setKind:
		size = l.refSize
	case dictKind:
		size = 2 * l.refSize
	default:
		return c, true
	}
	if count == 0xf { // an integer follows
		if at >= l.end || l.src[at]>>4 != 1 || l.src[at]&0xf > 3 {
			return c, false
		}
		n := 1 << (l.src[at] & 0xf)
		at++
		if n > l.end-at {
			return c, false
		}
		count = number(l.src[at:][:n])
		at += n
	}
	if count > (l.end-at)/size {
		return c, false
	}
	return content{kind, scan.Span{Start: at, End: at + count*size}, count}, true
}

// content returns the content of an object.
func (l *list) content(i int) content {
	c, _ := l.read(int(l.objects[i].at))
	return c
}

// reach finds a way to each object from the root, breadth first. Since objects may be shared, there may be others.
func (l *list) reach() {
	l.objects[l.root].parent = int32(l.root)
	queue := []int32{int32(l.root)}
	for at := 0; at < len(queue); at++ {
		i := queue[at]
		c := l.content(int(i))
		if c.kind < arrayKind {
			continue
		}
		for k := range c.count {
			index := k
			if c.kind == dictKind {
				queue = l.element(queue, l.reference(&c, k), object{parent: i, index: int32(k), isKey: true})
				index += c.count
			}
			queue = l.element(queue, l.reference(&c, index), object{parent: i, index: int32(k)})
		}
	}
}

// element appends an object to those that have to be visited, unless it has been reached before.
func (l *list) element(queue []int32, i int, way object) []int32 {
	if i >= len(l.objects) {
		l.isDamaged = true
		return queue
	}
	o := &l.objects[i]
	if o.parent >= 0 {
		return queue
	}
	way.at = o.at
	*o = way
	return append(queue, int32(i))
}

// reference returns the number of the object to which the k-th reference of a collection leads.
func (l *list) reference(c *content, k int) int {
	return number(l.src[c.data.Start+k*l.refSize:][:l.refSize])
}

// What the name of an object has at most: steps, and bytes of a key.
const (
	maxSteps = 16
	maxKey   = 64
)

// path returns the keys and indexes that point to an object, the last ones if there are many.
func (l *list) path(i int) string {
	if l.objects[i].parent < 0 {
		return "object " + strconv.Itoa(i)
	}
	name := ""
	for range maxSteps {
		o := &l.objects[i]
		if int(o.parent) == i {
			break
		}
		step := l.step(o)
		if name != "" {
			step += "."
		}
		name = step + name
		i = int(o.parent)
	}
	if name == "" {
		return "root"
	}
	return name
}

// step returns the key or index of an object in its collection.
func (l *list) step(o *object) string {
	c := l.content(int(o.parent))
	if c.kind != dictKind {
		return strconv.Itoa(int(o.index))
	}
	if o.isKey {
		return "key " + strconv.Itoa(int(o.index))
	}
	k := l.reference(&c, int(o.index))
	if k < len(l.objects) {
		key := l.content(k)
		text := l.src[key.data.Start:min(key.data.End, key.data.Start+maxKey)]
		if key.kind == asciiKind && !bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
			return string(text)
		}
	}
	return strconv.Itoa(int(o.index))
}
