package outlook

import (
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// ErrNoMessage says that a compound file is not a .msg file.
var ErrNoMessage = errors.New("a compound file that holds no message")

const (
	propertiesStream = "__properties_version1.0"
	valuePrefix      = "__substg1.0_"
	attachmentPrefix = "__attach_version1.0_#"
)

// maxMessages limits how deeply messages nest in messages.
const maxMessages = 16

// Msg yields the members of the .msg file of size bytes that r reads ([MS-OXMSG] section 2). The error is
// ErrNoMessage if it is another compound file, or cannot be recognised.
func Msg(r io.ReaderAt, size int64) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		c, err := openCompound(r, size)
		if err != nil {
			if errors.Is(err, errCompound) { // a damaged document of another program is not a damaged message
				err = ErrNoMessage
			}
			yield(Member{}, err)
			return
		}
		m := &msgReader{c: c, seen: newBitset(len(c.entries)), yield: yield}
		m.seen.take(0)
		list, err := m.list(0)
		switch {
		case !list.isMessage():
			err = ErrNoMessage
		case err == nil && !m.message(list, "", 32, 0):
			return
		case err == nil:
			err = m.err
		}
		if err != nil {
			yield(Member{}, err)
		}
	}
}

// A msgReader reads the messages of a .msg file.
type msgReader struct {
	c     *compound
	seen  bitset // of entries
	yield func(Member, error) bool
	page  int   // the code page of text that is not Unicode, of the outermost message
	err   error // of directories, after all that could be read
}

// A storage is what is in a storage: the values of properties by number, and the rest by name.
type storage struct {
	values      map[uint32]value
	properties  *entry
	attachments []int
}

// A value is a stream or storage that holds the value of a property.
type value struct {
	kind  uint32
	entry int
}

func (s *storage) isMessage() bool { return s.properties != nil }

// list reads the directory of a storage.
func (m *msgReader) list(index int) (*storage, error) {
	entries, err := m.c.children(index, m.seen)
	s := &storage{values: make(map[uint32]value)}
	for _, i := range entries {
		e := &m.c.entries[i]
		switch {
		case e.kind == isStream && e.name == propertiesStream:
			s.properties = e
		case e.kind == isStorage && strings.HasPrefix(e.name, attachmentPrefix):
			s.attachments = append(s.attachments, i)
		case strings.HasPrefix(e.name, valuePrefix):
			tag, err := strconv.ParseUint(e.name[len(valuePrefix):], 16, 32)
			if err != nil {
				continue // one of several values
			}
			number, kind := uint32(tag>>16), uint32(tag&0xFFFF)
			if _, ok := s.values[number]; !ok || kind == typeUnicode || kind == typeObject {
				s.values[number] = value{kind, i}
			}
		}
	}
	// They are numbered in their names; the tree has another order if names differ in length.
	slices.SortStableFunc(s.attachments, func(a, b int) int { return strings.Compare(m.c.entries[a].name, m.c.entries[b].name) })
	return s, err
}

// content returns the value of a property.
func (m *msgReader) content(s *storage, number uint32) content {
	v, ok := s.values[number]
	if !ok || m.c.entries[v.entry].kind != isStream {
		return content{}
	}
	return content{func() io.Reader { return m.c.open(&m.c.entries[v.entry]) }, v.kind}
}

// message yields the members of the message in s. Their names begin with prefix; header is the size of the
// data before its properties of fixed size.
func (m *msgReader) message(s *storage, prefix string, header int64, depth int) bool {
	var b body
	m.fixed(s, header, &b)
	if depth == 0 {
		m.page = b.codePage
	}
	for _, number := range [...]uint32{propHeaders, propBody, propHTML, propRTF} {
		if c := m.content(s, number); c.open != nil {
			b.set(number, c)
		}
	}
	if !b.members(prefix, m.yield) {
		return false
	}
	for _, i := range s.attachments {
		if !m.attachment(i, prefix, depth) {
			return false
		}
	}
	return true
}

// fixed reads the properties of fixed size ([MS-OXMSG] section 2.4).
func (m *msgReader) fixed(s *storage, header int64, b *body) {
	const most = 1 << 20 // bytes
	data, _ := io.ReadAll(io.LimitReader(m.c.open(s.properties), most))
	for data = data[min(header, int64(len(data))):]; len(data) >= 16; data = data[16:] {
		if tag := binary.LittleEndian.Uint32(data); tag&0xFFFF == typeLong {
			b.setNumber(tag>>16, int(binary.LittleEndian.Uint32(data[8:])))
		}
	}
}

// attachment yields an attachment, or the members of a message that is one.
func (m *msgReader) attachment(index int, prefix string, depth int) bool {
	s, err := m.list(index)
	if err != nil && m.err == nil {
		m.err = err
	}
	name := prefix + fileName(m.content(s, propAttachLongName).text(m.page), m.content(s, propAttachFilename).text(m.page), m.content(s, propDisplayName).text(m.page))
	if data := m.content(s, propAttachData); data.open != nil {
		mediaType := ""
		if strings.HasPrefix(m.content(s, propAttachType).text(m.page), "multipart/") {
			mediaType = "message/rfc822" // signed: the MIME entity as it was sent ([MS-OXOSMIME] section 2.1)
		}
		return m.yield(Member{name, mediaType, func() (io.Reader, error) { return data.open(), nil }}, nil)
	}
	object, ok := s.values[propAttachData]
	if !ok {
		return true // only a link to a file
	}
	inner, err := m.list(object.entry)
	switch {
	case err != nil && m.err == nil:
		m.err = err
	case !inner.isMessage():
		return true // an object of another program
	case depth == maxMessages:
		return m.yield(Member{Name: name, Open: func() (io.Reader, error) { return nil, errTooDeep }}, nil)
	}
	if !inner.isMessage() {
		return true
	}
	return m.message(inner, name+"/", 24, depth+1)
}

var errTooDeep = errors.New("messages nested more than 16 deep: not read")
