// Package outlook reads the files in which Outlook keeps messages: TNEF (winmail.dat) and .msg.
//
// A message has the members "headers.txt" (the header fields that it was sent with), "body.txt", and
// "body.html" or "body.rtf", and its attachments by their names. The bodies are alternatives; RTF is left
// out if there is HTML, from which it was made. HTML that is kept within RTF is restored. Members of a
// message in a .msg file begin with the name of that message; a message in TNEF is a member of type
// application/ms-tnef.
//
// A file is input from anywhere: all offsets, sizes and chains in it are checked. An error concerns one
// member if its reader returns it, and otherwise the rest of the file.
//
// # Complexity
//
// Time is linear in the file: no two streams of a .msg file share bytes, since those that do are refused.
// Memory is 1/128 of a .msg file, 64 bytes for each of at most 262,144 entries of its directory, whatever
// the sizes of the members, and 16 MiB for HTML within RTF.
//
// Sources: [MS-OXTNEF], [MS-OXMSG], [MS-CFB], [MS-OXRTFCP], [MS-OXRTFEX], [MS-OXPROPS].
package outlook

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"

	"example.org/refract/internal/charset"
)

// A Member is a part of a message.
type Member struct {
	Name string // of a file, or as the package says; messages within messages are separated by "/"
	Type string // media type, with the charset; "" if Name and the content decide

	// Open returns a reader of the content. It is called at most once, before the next Member is
	// asked for.
	Open func() (io.Reader, error)
}

// Media types.
const (
	TNEFType = "application/ms-tnef"
	RTFType  = "application/rtf"
)

// Numbers of properties ([MS-OXPROPS] section 2), and of their types ([MS-OXCDATA] section 2.11.1).
const (
	propHeaders        = 0x007D
	propBody           = 0x1000
	propRTF            = 0x1009
	propHTML           = 0x1013
	propDisplayName    = 0x3001
	propAttachData     = 0x3701
	propAttachFilename = 0x3704
	propAttachLongName = 0x3707
	propAttachType     = 0x370E
	propInternetCPID   = 0x3FDE
	propMessageCPID    = 0x3FFD

	typeLong    = 0x0003
	typeObject  = 0x000D
	typeString8 = 0x001E
	typeUnicode = 0x001F
	typeBinary  = 0x0102
)

// maxName limits names, in bytes.
const maxName = 4096

// A content is the value of a property: a range of the file.
type content struct {
	open func() io.Reader // nil: there is none
	kind uint32           // its type
}

// A body holds the properties of a message that are members.
type body struct {
	headers, text, html, rtf content
	codePage, webPage        int // of text, and of HTML; 0 if it is not known
}

// set sets the property of a message with this number.
func (b *body) set(number uint32, c content) {
	switch number {
	case propHeaders:
		b.headers = c
	case propBody:
		b.text = c
	case propHTML:
		b.html = c
	case propRTF:
		b.rtf = c
	}
}

// setNumber sets the property of a message with this number and type long.
func (b *body) setNumber(number uint32, value int) {
	switch number {
	case propInternetCPID:
		b.webPage = value
	case propMessageCPID:
		b.codePage = value
	}
}

// members yields the bodies. Names begin with prefix.
func (b *body) members(prefix string, yield func(Member, error) bool) bool {
	member := func(name, mediaType string, c content, page int) bool {
		if c.open == nil {
			return true
		}
		charset := charsetOf(page)
		if c.kind == typeUnicode {
			charset = "utf-16le"
		}
		if charset != "" {
			mediaType += "; charset=" + charset
		}
		return yield(Member{prefix + name, mediaType, func() (io.Reader, error) { return c.open(), nil }}, nil)
	}
	return member("headers.txt", "text/plain", b.headers, 0) && member("body.txt", "text/plain", b.text, b.codePage) &&
		member("body.html", "text/html", b.html, b.webPage) && (b.html.open != nil || b.rtf.open == nil || b.ofRTF(prefix, yield))
}

// maxRTF limits in bytes the RTF in which HTML is looked for.
const maxRTF = 16 << 20

// ofRTF yields the body in RTF, or the HTML in it.
func (b *body) ofRTF(prefix string, yield func(Member, error) bool) bool {
	r, err := decompressRTF(b.rtf.open())
	if err != nil {
		return yield(Member{prefix + "body.rtf", RTFType, func() (io.Reader, error) { return nil, err }}, nil)
	}
	src, err := io.ReadAll(io.LimitReader(r, maxRTF+1))
	if err == nil && len(src) <= maxRTF {
		switch html, err := restoreHTML(src); {
		case err == nil:
			return yield(Member{prefix + "body.html", "text/html; charset=utf-8", func() (io.Reader, error) { return bytes.NewReader(html), nil }}, nil)
		case err == errPlainText && b.text.open != nil:
			return true // the same as body.txt
		}
	}
	rest := io.Reader(errorReader{err})
	if err == nil {
		rest = r
	}
	return yield(Member{prefix + "body.rtf", RTFType, func() (io.Reader, error) { return io.MultiReader(bytes.NewReader(src), rest), nil }}, nil)
}

// An errorReader has an error in place of content.
type errorReader struct{ err error }

func (e errorReader) Read([]byte) (int, error) { return 0, e.err }

// charsetOf returns the name of a code page of Windows; "" if it has none.
func charsetOf(page int) string {
	switch page {
	case 0, 20127:
		return ""
	case 65001:
		return "utf-8"
	case 1200:
		return "utf-16le"
	case 1201:
		return "utf-16be"
	case 932:
		return "shift_jis"
	case 936:
		return "gbk"
	case 949, 51949:
		return "euc-kr"
	case 950:
		return "big5"
	case 20866:
		return "koi8-r"
	case 21866:
		return "koi8-u"
	case 50220, 50221, 50222:
		return "iso-2022-jp"
	case 51932:
		return "euc-jp"
	case 54936:
		return "gb18030"
	}
	name := "windows-" + strconv.Itoa(page)
	if 28591 <= page && page <= 28606 {
		name = "iso-8859-" + strconv.Itoa(page-28590)
	}
	return charset.Lookup(name)
}

// text returns the value of a property as UTF-8, without what follows a NUL. It reads at most maxName bytes.
func (c content) text(page int) string {
	if c.open == nil {
		return ""
	}
	b, _ := io.ReadAll(io.LimitReader(c.open(), maxName)) // what can be read of a name serves as one
	if c.kind == typeUnicode {
		return fromUTF16(b)
	}
	return fromCodePage(b, page)
}

func fromUTF16(b []byte) string {
	var units []uint16
	for ; len(b) >= 2; b = b[2:] {
		u := binary.LittleEndian.Uint16(b)
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}

// fromCodePage decodes text in a code page; without a known one, that of Western Europe.
func fromCodePage(b []byte, page int) string {
	for i, c := range b {
		if c == 0 {
			b = b[:i]
			break
		}
	}
	name := charsetOf(page)
	if name == "" {
		name = "windows-1252"
	}
	return string(charset.NewDecoder(name).Bytes(b))
}

// fileName returns the name of an attachment as that of a file, without directories.
func fileName(names ...string) string {
	for _, name := range names {
		name = strings.Trim(strings.ToValidUTF8(name, "\uFFFD"), " \x00")
		name = name[strings.LastIndexAny(name, `/\`)+1:]
		if name != "" {
			return name
		}
	}
	return "attachment"
}
