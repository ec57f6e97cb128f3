// Package mailtest makes the files in which mail programs keep messages: TNEF, .msg and S/MIME. Tests of several
// packages read them.
package mailtest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// UTF16 returns s in UTF-16LE.
func UTF16(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// TNEF makes a TNEF stream with a text, HTML or RTF body and attachments; those whose name ends in .tnef
// are messages.
func TNEF(text, html, rtf string, attachments ...[2]string) []byte {
	b := []byte("\x78\x9f\x3e\x22\x01\x00")
	attribute := func(level byte, id uint32, data []byte) {
		b = le.AppendUint32(append(b, level), id)
		b = append(le.AppendUint32(b, uint32(len(data))), data...)
		sum := uint16(0)
		for _, c := range data {
			sum += uint16(c)
		}
		b = le.AppendUint16(b, sum)
	}
	property := func(p []byte, tag uint32, data string) []byte {
		p = le.AppendUint16(le.AppendUint16(p, uint16(tag)), uint16(tag>>16))
		p = le.AppendUint32(le.AppendUint32(p, 1), uint32(len(data)))
		return append(append(p, data...), "\x00\x00\x00"[:(4-len(data)%4)%4]...)
	}
	attribute(1, 0x00089006, []byte{0, 0, 1, 0})
	attribute(1, 0x00069007, []byte{0xE4, 4, 0, 0, 0, 0, 0, 0})
	if text != "" {
		attribute(1, 0x0002800C, []byte(text+"\x00"))
	}
	props := []byte{3, 0, 0, 0}
	props = append(props, 0x03, 0x00, 0xDE, 0x3F, 0xE9, 0xFD, 0, 0) // UTF-8
	props = property(props, 0x10130102, html)
	if html == "" {
		props = slices.Clone(props[:len(props)-12])
		props[0]--
	}
	if rtf != "" {
		props = property(props, 0x10090102, rtf)
	} else {
		props[0]--
	}
	attribute(1, 0x00069003, props)
	for _, a := range attachments {
		attribute(2, 0x00069002, make([]byte, 14))
		props := property([]byte{1, 0, 0, 0}, 0x3707001F, string(UTF16(a[0])))
		if strings.HasSuffix(a[0], ".tnef") {
			props[0]++
			props = property(props, 0x3701000D, "\x07\x03\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"+a[1])
		} else {
			attribute(2, 0x00018010, []byte("SHORT~1\x00"))
			attribute(2, 0x0006800F, []byte(a[1]))
		}
		attribute(2, 0x00069005, props)
	}
	return b
}

// Uncompressed is RTF in the form of PidTagRtfCompressed, without compression.
func Uncompressed(rtf string) string {
	b := le.AppendUint32(le.AppendUint32(nil, uint32(len(rtf)+12)), uint32(len(rtf)))
	return string(append(append(b, "MELA\x00\x00\x00\x00"...), rtf...))
}

// A Node is an entry of a compound file.
type Node struct {
	Name     string
	Data     []byte
	Children []*Node // of a storage; a Node without Data is one
}

// Compound makes a compound file of version 3 with sectors of 512 bytes. The sectors of a stream are in reverse order,
// so that chains have to be followed.
func Compound(root []*Node) []byte {
	var c compound
	c.entry("Root Entry", isRoot, &Node{Children: root})
	le.PutUint32(c.entries[0][116:], c.add(c.mini))
	le.PutUint32(c.entries[0][120:], uint32(len(c.mini)))
	directory := c.add(bytes.Join(c.entries, nil))
	minis := c.add(numbers(c.miniTable))
	h := make([]byte, 512)
	copy(h, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	le.PutUint16(h[26:], 3)
	le.PutUint16(h[30:], 9)
	le.PutUint16(h[32:], 6)
	le.PutUint32(h[48:], directory)
	le.PutUint32(h[56:], 4096)
	le.PutUint32(h[60:], minis)
	le.PutUint32(h[68:], endOfChain)
	for i := 76; i < 512; i++ {
		h[i] = 0xFF
	}
	tables := 1
	for tables*128 < len(c.sectors)+tables {
		tables++
	}
	for i := range tables {
		le.PutUint32(h[76+4*i:], uint32(len(c.sectors)+i))
		c.table = append(c.table, 0xFFFFFFFD)
	}
	return slices.Concat(h, bytes.Join(c.sectors, nil), numbers(c.table))
}

var le = binary.LittleEndian

const (
	endOfChain = 0xFFFFFFFE
	isStorage  = 1
	isStream   = 2
	isRoot     = 5
)

// A compound is a compound file that is being made.
type compound struct {
	sectors, entries [][]byte
	table, miniTable []uint32
	mini             []byte
}

// add appends a stream, and returns its first sector.
func (c *compound) add(data []byte) uint32 {
	n := (len(data) + 511) / 512
	if n == 0 {
		return endOfChain
	}
	for i := n - 1; i >= 0; i-- {
		s := make([]byte, 512)
		copy(s, data[i*512:])
		next := uint32(len(c.sectors) - 1)
		if i == n-1 {
			next = endOfChain
		}
		c.sectors, c.table = append(c.sectors, s), append(c.table, next)
	}
	return uint32(len(c.sectors) - 1)
}

// addMini appends a stream of mini sectors, and returns the first.
func (c *compound) addMini(data []byte) uint32 {
	first := uint32(len(c.mini) / 64)
	for at := 0; at < len(data); at += 64 {
		s := make([]byte, 64)
		copy(s, data[at:])
		c.mini = append(c.mini, s...)
		c.miniTable = append(c.miniTable, uint32(len(c.mini)/64))
	}
	if len(data) > 0 {
		c.miniTable[len(c.miniTable)-1] = endOfChain
	}
	return first
}

// entry appends an entry of the directory and those in it, and returns its number.
func (c *compound) entry(name string, kind byte, n *Node) int {
	e := make([]byte, 128)
	number := len(c.entries)
	c.entries = append(c.entries, e)
	w := UTF16(name)
	copy(e, w)
	le.PutUint16(e[64:], uint16(len(w)+2))
	e[66] = kind
	for _, at := range []int{68, 72, 76} {
		le.PutUint32(e[at:], 0xFFFFFFFF)
	}
	if kind == isStream {
		add := c.add
		if len(n.Data) < 4096 {
			add = c.addMini
		}
		le.PutUint32(e[116:], add(n.Data))
		le.PutUint32(e[120:], uint32(len(n.Data)))
		return number
	}
	link := e[76:]
	for _, child := range n.Children {
		kind := byte(isStream)
		if child.Data == nil {
			kind = isStorage
		}
		i := c.entry(child.Name, kind, child)
		le.PutUint32(link, uint32(i))
		link = c.entries[i][72:]
	}
	return number
}

// numbers returns sectors full of sector numbers.
func numbers(all []uint32) (b []byte) {
	for _, n := range all {
		b = le.AppendUint32(b, n)
	}
	for len(b)%512 != 0 {
		b = append(b, 0xFF)
	}
	return b
}

// Msg returns the entries of a message in a .msg file. header is as in [MS-OXMSG] 2.4.1.
func Msg(header int, text, html, rtf string, attachments ...*Node) []*Node {
	props := append(make([]byte, header), 0x03, 0x00, 0xDE, 0x3F, 6, 0, 0, 0, 0xE9, 0xFD, 0, 0, 0, 0, 0, 0)
	list := []*Node{{Name: "__properties_version1.0", Data: props}, {Name: "__nameid_version1.0"}}
	if text != "" {
		list = append(list, &Node{Name: "__substg1.0_1000001F", Data: UTF16(text)})
	}
	if html != "" {
		list = append(list, &Node{Name: "__substg1.0_10130102", Data: []byte(html)})
	}
	if rtf != "" {
		list = append(list, &Node{Name: "__substg1.0_10090102", Data: []byte(rtf)})
	}
	list = append(list, &Node{Name: "__substg1.0_007D001F", Data: UTF16("From: a@b\r\nList-Help: <http://header/>\r\n")})
	for i, a := range attachments {
		list = append(list, &Node{Name: fmt.Sprintf("__attach_version1.0_#%08X", i), Children: a.Children})
	}
	return list
}

// File returns an attachment of a message.
func File(name string, data []byte) *Node {
	return &Node{Children: []*Node{{Name: "__substg1.0_3707001F", Data: UTF16(name)}, {Name: "__substg1.0_37010102", Data: data}, {Name: "__properties_version1.0", Data: []byte{0}}}}
}

// Message returns an attachment that is a message.
func Message(name string, list []*Node) *Node {
	return &Node{Children: []*Node{{Name: "__substg1.0_3707001F", Data: UTF16(name)}, {Name: "__substg1.0_3701000D", Children: list}}}
}

// Signed makes signed data, without signers, of a MIME entity: in BER with pieces of n bytes, or in DER if n
// is 0.
func Signed(entity string, n int) []byte {
	der := func(tag byte, parts ...[]byte) []byte {
		body := bytes.Join(parts, nil)
		b := append([]byte{tag, 0x84}, binary.BigEndian.AppendUint32(nil, uint32(len(body)))...)
		return append(b, body...)
	}
	ber := func(tag byte, parts ...[]byte) []byte {
		return append(append([]byte{tag, 0x80}, bytes.Join(parts, nil)...), 0, 0)
	}
	value, content := der, der(0x04, []byte(entity))
	if n > 0 {
		value = ber
		var pieces []byte
		for at := 0; at < len(entity); at += n {
			pieces = append(pieces, der(0x04, []byte(entity[at:min(len(entity), at+n)]))...)
		}
		content = ber(0x24, pieces[:len(pieces)/2/(n+6)*(n+6)], ber(0x24, pieces[len(pieces)/2/(n+6)*(n+6):]))
	}
	oid := func(last byte) []byte { return append([]byte("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"), last) }
	algorithms := value(0x31, value(0x30, []byte("\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01")))
	return value(0x30, oid(2), value(0xA0, value(0x30, []byte{2, 1, 1}, algorithms, value(0x30, oid(1), value(0xA0, content)), []byte{0x31, 0x00})))
}

// Compressed makes compressed data of a MIME entity (RFC 3274): in BER with pieces of n bytes, or in DER if n is 0.
func Compressed(entity string, n int) []byte {
	value := func(tag byte, parts ...[]byte) []byte {
		body := bytes.Join(parts, nil)
		if n == 0 || tag&0x20 == 0 {
			b := append([]byte{tag, 0x84}, binary.BigEndian.AppendUint32(nil, uint32(len(body)))...)
			return append(b, body...)
		}
		return append(append([]byte{tag, 0x80}, body...), 0, 0)
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write([]byte(entity))
	_ = w.Close()
	content := value(0x04, packed.Bytes())
	if n > 0 {
		var pieces [][]byte
		for piece := range slices.Chunk(packed.Bytes(), n) {
			pieces = append(pieces, value(0x04, piece))
		}
		content = value(0x24, pieces...)
	}
	smime := func(last ...byte) []byte {
		oid := append([]byte("\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10"), last...)
		return append([]byte{0x06, byte(len(oid))}, oid...)
	}
	data := []byte("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01")
	return value(0x30, smime(1, 9), value(0xA0, value(0x30, []byte{2, 1, 0}, value(0x30, smime(3, 8)), value(0x30, data, value(0xA0, content)))))
}
