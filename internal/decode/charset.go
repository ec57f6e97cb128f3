package decode

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/charset"
)

// PrescanSize is the number of bytes at the beginning of a page in which it may declare its charset:
// HTML 13.2.3.2 and CSS Syntax 3.2.
const PrescanSize = 1024

// HTMLCharset is the Charset of HTML. Browsers start over at a late meta element (13.2.3.4).
func HTMLCharset(src []byte, whole bool) string {
	if name := MetaCharset(src); name != "" || whole {
		return name
	}
	return xmlCharset(src)
}

// XMLDeclared is the Charset of XML.
func XMLDeclared(src []byte, whole bool) string {
	if whole {
		return ""
	}
	return xmlCharset(src)
}

// CSSDeclared is the Charset of style sheets.
func CSSDeclared(src []byte, whole bool) string {
	if whole {
		return ""
	}
	return cssCharset(src)
}

// declaredCharset returns the name of the charset with this label, if it is known. A page
// that declares UTF-16 in ASCII is not in UTF-16: it counts as UTF-8.
func declaredCharset(label []byte) string {
	name := charset.Lookup(string(label))
	if name == "utf-16le" || name == "utf-16be" {
		return "utf-8"
	}
	return name
}

const (
	Spaces = "\t\n\f\r "
	quotes = `"'`
)

// MetaCharset implements the "prescan a byte stream to determine its encoding" of HTML 13.2.3.2,
// except for XML declarations. It returns the charset that a meta element names, "" if none does. It
// knows tags and comments, but not elements: a meta in a script counts. (The prescan of
// golang.org/x/net/html/charset tokenizes: that takes five times as long, and does not distinguish a
// declared charset from a guessed one.)
func MetaCharset(src []byte) string {
	for {
		lt := bytes.IndexByte(src, '<')
		if lt < 0 {
			return ""
		}
		src = src[lt:]
		end := 1
		switch {
		case bytes.HasPrefix(src, []byte("<!--")):
			end = bytes.Index(src[2:], []byte("-->"))
			if end < 0 {
				return ""
			}
			end += len("<!-->")
		case len(src) > 5 && bytes.EqualFold(src[:5], []byte("<meta")) && strings.IndexByte(Spaces+"/", src[5]) >= 0:
			a := Attributes{src[5:]}
			name := a.charset()
			if a.Src == nil {
				return ""
			}
			if name != "" {
				return name
			}
			end = len(src) - len(a.Src)
		case len(src) > 1 && ascii.IsLetter(src[1]), len(src) > 2 && src[1] == '/' && ascii.IsLetter(src[2]):
			end = bytes.IndexAny(src, Spaces+">")
			if end < 0 {
				return ""
			}
			a := Attributes{src[end:]}
			for ok := true; ok; _, _, ok = a.Next() {
			}
			if a.Src == nil {
				return ""
			}
			end = len(src) - len(a.Src)
		case len(src) > 1 && strings.IndexByte("!/?", src[1]) >= 0:
			end = bytes.IndexByte(src, '>')
			if end < 0 {
				return ""
			}
		}
		src = src[end:]
	}
}

// Attributes reads the Attributes of a tag as the prescan of HTML 13.2.3.2 does. At the tag's end src
// begins with its ">"; src is nil once there are not enough bytes.
type Attributes struct{ Src []byte }

func (a *Attributes) Next() (name, value []byte, ok bool) {
	s := bytes.TrimLeft(a.Src, Spaces+"/")
	a.Src = nil
	if len(s) == 0 {
		return nil, nil, false
	}
	if s[0] == '>' {
		a.Src = s
		return nil, nil, false
	}
	n := 1 + bytes.IndexAny(s[1:], Spaces+"=/>")
	name, s = s[:n], bytes.TrimLeft(s[n:], Spaces)
	switch {
	case n == 0 || len(s) == 0:
		return nil, nil, false
	case s[0] != '=':
		a.Src = s
		return name, s[:0], true
	}
	s = bytes.TrimLeft(s[1:], Spaces)
	quote, end := 0, 0
	switch {
	case len(s) == 0:
		return nil, nil, false
	case strings.IndexByte(quotes, s[0]) >= 0:
		quote, end = 1, bytes.IndexByte(s[1:], s[0])
	case s[0] != '>':
		end = bytes.IndexAny(s, Spaces+">")
	}
	if end < 0 {
		return nil, nil, false
	}
	value, a.Src = s[quote:quote+end], s[end+2*quote:]
	return name, value, true
}

// charset returns the charset that the attributes of a meta element name. The first attribute of each
// name counts; charset takes precedence over content, which counts only with http-equiv.
func (a *Attributes) charset() string {
	var equiv, content, label []byte
	for {
		name, value, ok := a.Next()
		if !ok {
			break
		}
		var first *[]byte
		switch strings.ToLower(string(name)) {
		case "http-equiv":
			first = &equiv
		case "content":
			first = &content
		case "charset":
			first = &label
		default:
			continue
		}
		if *first == nil {
			*first = value
		}
	}
	if label == nil && bytes.EqualFold(equiv, []byte("content-type")) {
		label = ContentCharset(content)
	}
	if name := declaredCharset(label); name != "x-user-defined" {
		return name
	}
	return "windows-1252"
}

// ContentCharset implements the "algorithm for extracting a character encoding from a meta element"
// (HTML 2.5.5).
func ContentCharset(s []byte) []byte {
	s = bytes.ToLower(s)
	for {
		_, after, ok := bytes.Cut(s, []byte("charset"))
		if !ok {
			return nil
		}
		s = bytes.TrimLeft(after, Spaces)
		if len(s) == 0 || s[0] != '=' {
			continue
		}
		s = bytes.TrimLeft(s[1:], Spaces)
		if len(s) > 0 && strings.IndexByte(quotes, s[0]) >= 0 {
			return quoted(s)
		}
		if end := bytes.IndexAny(s, Spaces+";"); end >= 0 {
			s = s[:end]
		}
		return s
	}
}

// quoted returns the text between the quotation mark that s begins with and the next one.
func quoted(s []byte) []byte {
	end := bytes.IndexByte(s[1:], s[0])
	if end < 0 {
		return nil
	}
	return s[1 : 1+end]
}

// xmlCharset returns the charset that an XML declaration names (XML 4.3.3), "" if there is none. It
// is the "get an XML encoding" of HTML 13.2.3.2, except that it stops at the end of the declaration,
// as browsers do.
func xmlCharset(src []byte) string {
	decl, _, ok := bytes.Cut(src, []byte(">"))
	switch {
	case bytes.HasPrefix(src, []byte("<\x00?\x00x\x00")):
		return "utf-16le"
	case bytes.HasPrefix(src, []byte("\x00<\x00?\x00x")):
		return "utf-16be"
	case !ok || !bytes.HasPrefix(decl, []byte("<?xml")):
		return ""
	}
	isSpace := func(r rune) bool { return r <= ' ' }
	_, s, _ := bytes.Cut(decl, []byte("encoding"))
	s, ok = bytes.CutPrefix(bytes.TrimLeftFunc(s, isSpace), []byte("="))
	s = bytes.TrimLeftFunc(s, isSpace)
	if !ok || len(s) == 0 || strings.IndexByte(quotes, s[0]) < 0 {
		return ""
	}
	label := quoted(s)
	if bytes.ContainsFunc(label, isSpace) {
		return ""
	}
	return declaredCharset(label)
}

// cssCharset returns the charset that the rule @charset names, if it is written byte for byte as CSS
// Syntax 3.2 requires; otherwise "".
func cssCharset(src []byte) string {
	s, ok := bytes.CutPrefix(src, []byte(`@charset "`))
	label, after, closed := bytes.Cut(s, []byte(`"`))
	if !ok || !closed || !bytes.HasPrefix(after, []byte(";")) || !IsASCII(label) {
		return ""
	}
	return declaredCharset(label)
}

// MailCharset returns the name of the charset for a label in mail, for decodeCharset and decodePage;
// "" if the charset is unknown or has no decoder. It knows the labels of the Encoding standard, and
// the variants that mail programs write: with quotes, with other or no punctuation between letters
// and digits, with other prefixes. It returns ASCII for labels of that charset, which leave open what
// other bytes mean.
func MailCharset(label string) string {
	label = strings.ToLower(strings.Trim(label, Spaces+quotes+";"))
	bare := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.TrimPrefix(label, "x-"))
	if name, ok := mailLabels[bare]; ok {
		return name
	}
	dashes := strings.NewReplacer("_", "-", " ", "-").Replace(strings.TrimPrefix(label, "x-"))
	digits := strings.TrimLeftFunc(bare, unicode.IsLetter)
	for _, s := range [...]string{label, dashes, bare, "iso" + digits, "windows-" + digits} {
		switch name := charset.Lookup(s); {
		case s == "us-ascii", s == "ascii", s == "ansi_x3.4-1968":
			return ASCII
		case name != "" && name != "replacement":
			return name
		}
	}
	return ""
}

// mailLabels holds labels that are not in the Encoding standard, without punctuation.
var mailLabels = map[string]string{
	"utf7": UTF7, "unicode11utf7": UTF7, "unicode20utf7": UTF7, "csunicode11utf7": UTF7, "csutf7": UTF7,
	"hzgb2312": HZ, "hz": HZ,
	"utf8mb4": "utf-8", "utf8mb3": "utf-8", "cp65001": "utf-8", "utf16": "utf-16le",
	"usascii7": ASCII, "ascii7bit": ASCII, "7bit": ASCII, "ansi": "windows-1252",
	"cp932": "shift_jis", "ms936": "gbk", "cp936": "gbk", "cp949": "euc-kr", "ms949": "euc-kr", "cp950": "big5", "ms950": "big5",
	"koi8r": "koi8-r", "koi8u": "koi8-u", "macroman": "macintosh", "jis": "iso-2022-jp", "iso2022jp1": "iso-2022-jp", "iso2022jpms": "iso-2022-jp",
}

// ByteOrderMark is "BOM sniff" (Encoding 6.1): it returns the charset, "" if there is no mark.
func ByteOrderMark(src []byte) string {
	switch {
	case bytes.HasPrefix(src, []byte("\xef\xbb\xbf")):
		return "utf-8"
	case bytes.HasPrefix(src, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(src, []byte("\xfe\xff")):
		return "utf-16be"
	}
	return ""
}

// SniffUTF16 returns the charset of bytes that look like UTF-16, "" for other bytes.
func SniffUTF16(head []byte) string {
	if bytes.IndexByte(head, 0) < 0 {
		return ""
	}
	// UTF-16 of mostly ASCII has NULs in every other byte, and nowhere else.
	var nuls [2]int
	for i, c := range head {
		if c == 0 {
			nuls[i&1]++
		}
	}
	half := len(head) / 2
	switch {
	case nuls[0] == 0 && nuls[1] > half*2/5:
		return "utf-16le"
	case nuls[1] == 0 && nuls[0] > half*2/5:
		return "utf-16be"
	}
	return ""
}

// Head returns the ASCII characters of the first bytes of an input; the charset, if that is
// UTF-16; and whether the bytes are binary.
func Head(head []byte) (ascii []byte, label string, binary bool) {
	if mark := ByteOrderMark(head); mark == "utf-16le" || mark == "utf-16be" {
		return Narrow(head[2:]), mark, false
	}
	if bytes.IndexByte(head, 0) < 0 {
		return head, "", false
	}
	label = SniffUTF16(head)
	if label != "" {
		return Narrow(head), label, false
	}
	return head, "", true
}

// Narrow returns the ASCII characters of UTF-16 text.
func Narrow(head []byte) []byte { return bytes.ReplaceAll(head, []byte{0}, nil) }

// Shown returns the name of a charset as it is shown.
func Shown(name string) string {
	if name == BrokenUTF8 {
		return "utf-8"
	}
	return name
}

// MostlyUTF8 reports whether src has at least as many valid non-ASCII UTF-8 characters as invalid
// bytes.
func MostlyUTF8(src []byte) bool {
	valid, invalid := 0, 0
	for src = src[ASCIIPrefix(src):]; len(src) > 0; src = src[ASCIIPrefix(src):] {
		_, size := utf8.DecodeRune(src)
		if size == 1 {
			invalid++
		} else {
			valid++
		}
		src = src[size:]
	}
	return valid >= invalid
}

// Given returns the charset given by the label, or by the bytes of a document; "" if neither gives one. declared, which
// may be nil, finds the charset that the document itself declares, in its first bytes or, with whole, in all of it.
func Given(src []byte, label string, declared func(src []byte, whole bool) string) string {
	if name := ByteOrderMark(src); name != "" {
		return name
	}
	if label != "" {
		if name := charset.Lookup(label); name != "" {
			return name
		}
	}
	name := ""
	if declared != nil {
		name = declared(src[:min(len(src), PrescanSize)], false)
	}
	if name == "" {
		name = SniffUTF16(src[:min(len(src), 4096)]) // byte order marks have been checked
	}
	switch {
	case name != "":
		return name
	case utf8.Valid(src):
		return "utf-8"
	case declared != nil:
		name = declared(src, true)
		if name != "" {
			return name
		}
	}
	return ""
}
