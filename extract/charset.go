package extract

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"example.org/refract/internal/ascii"
)

// ParseType splits a media type with parameters into the type, in lower case, and the name of the
// charset, "" if there is none. An unknown charset is an error.
func ParseType(s string) (mediaType, label string, err error) {
	mediaType, params, err := mime.ParseMediaType(s)
	if err != nil {
		return "", "", fmt.Errorf("extract: type %q: %w", s, err)
	}
	label = params["charset"]
	if label == "" {
		return mediaType, "", nil
	}
	enc, name := charset.Lookup(label)
	if enc == nil || name == "replacement" { // a charset that browsers refuse to decode
		return "", "", fmt.Errorf("extract: type %q: unknown charset %q", s, label)
	}
	return mediaType, name, nil
}

// prescanSize is the number of bytes at the beginning of a page in which it may declare its charset:
// HTML 13.2.3.2 and CSS Syntax 3.2.
const prescanSize = 1024

// pageCharset finds the charset of a page that is held whole. In order of precedence it uses the byte
// order mark; the label given by HTTP or MIME, if it is known; the declaration in the page (the
// Charset of its Format); and otherwise the bytes: UTF-16 if they look like it, else UTF-8 if all of
// them are valid, else windows-1252. For text/html that is the encoding sniffing algorithm of the
// HTML standard (13.2.3.2), for XML it is XML 4.3.3, for text/css it is CSS Syntax 3.2. Documents of
// formats that declare no charset (Markdown) and contain invalid UTF-8 are brokenUTF8, unless they
// have more invalid bytes than valid non-ASCII characters.
//
// It returns the name in the Encoding standard, in lower case, also for "utf-8"; "replacement" is a
// charset that browsers refuse to decode.
func (c *Config) pageCharset(src []byte, mediaType, label string) string {
	f := c.FormatOfType(mediaType)
	name := writtenCharset(src, f, label)
	undeclared := f != nil && f.Charset == nil && f.Scan != nil && !f.Multipart
	switch {
	case undeclared && (name == "utf-8" && !utf8.Valid(src) || name == "" && mostlyUTF8(src)):
		return brokenUTF8
	case name == "":
		return "windows-1252"
	}
	return name
}

// charsetName returns the name of a charset for Entity.Charset.
func charsetName(name string) string {
	if name == brokenUTF8 {
		return "utf-8"
	}
	return name
}

// mostlyUTF8 reports whether src has at least as many valid non-ASCII UTF-8 characters as invalid
// bytes.
func mostlyUTF8(src []byte) bool {
	valid, invalid := 0, 0
	for src = src[asciiPrefix(src):]; len(src) > 0; src = src[asciiPrefix(src):] {
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

// writtenCharset returns the charset given by the label, or by the bytes of a document of Format f;
// "" if neither gives one.
func writtenCharset(src []byte, f *Format, label string) string {
	if name := byteOrderMark(src); name != "" {
		return name
	}
	if label != "" {
		if _, name := charset.Lookup(label); name != "" {
			return name
		}
	}
	name := ""
	if f != nil && f.Charset != nil {
		name = f.Charset(src[:min(len(src), prescanSize)], false)
	}
	if name == "" {
		name = sniffUTF16(src[:min(len(src), 4096)]) // byte order marks have been checked
	}
	switch {
	case name != "":
		return name
	case utf8.Valid(src):
		return "utf-8"
	case f != nil && f.Charset != nil:
		if name = f.Charset(src, true); name != "" {
			return name
		}
	}
	return ""
}

// htmlCharset is the Charset of HTML. Browsers start over at a late meta element (13.2.3.4).
func htmlCharset(src []byte, whole bool) string {
	if name := metaCharset(src); name != "" || whole {
		return name
	}
	return xmlCharset(src)
}

// xmlDeclared is the Charset of XML.
func xmlDeclared(src []byte, whole bool) string {
	if whole {
		return ""
	}
	return xmlCharset(src)
}

// cssDeclared is the Charset of style sheets.
func cssDeclared(src []byte, whole bool) string {
	if whole {
		return ""
	}
	return cssCharset(src)
}

// declaredCharset returns the name of the charset with this label, if it is known. A page
// that declares UTF-16 in ASCII is not in UTF-16: it counts as UTF-8.
func declaredCharset(label []byte) string {
	_, name := charset.Lookup(string(label))
	if name == "utf-16le" || name == "utf-16be" {
		return "utf-8"
	}
	return name
}

const (
	spaces = "\t\n\f\r "
	quotes = `"'`
)

// metaCharset implements the "prescan a byte stream to determine its encoding" of HTML 13.2.3.2,
// except for XML declarations: it returns the charset that a meta element names, "" if none does. It
// knows tags and comments, but not elements: a meta in a script counts. (The prescan of
// golang.org/x/net/html/charset tokenizes: that takes five times as long, and does not distinguish a
// declared charset from a guessed one.)
func metaCharset(src []byte) string {
	for {
		lt := bytes.IndexByte(src, '<')
		if lt < 0 {
			return ""
		}
		src = src[lt:]
		end := 1
		switch {
		case bytes.HasPrefix(src, []byte("<!--")):
			if end = bytes.Index(src[2:], []byte("-->")); end < 0 {
				return ""
			}
			end += len("<!-->")
		case len(src) > 5 && bytes.EqualFold(src[:5], []byte("<meta")) && strings.IndexByte(spaces+"/", src[5]) >= 0:
			a := attributes{src[5:]}
			name := a.charset()
			if a.src == nil {
				return ""
			}
			if name != "" {
				return name
			}
			end = len(src) - len(a.src)
		case len(src) > 1 && ascii.IsLetter(src[1]), len(src) > 2 && src[1] == '/' && ascii.IsLetter(src[2]):
			if end = bytes.IndexAny(src, spaces+">"); end < 0 {
				return ""
			}
			a := attributes{src[end:]}
			for ok := true; ok; _, _, ok = a.next() {
			}
			if a.src == nil {
				return ""
			}
			end = len(src) - len(a.src)
		case len(src) > 1 && strings.IndexByte("!/?", src[1]) >= 0:
			if end = bytes.IndexByte(src, '>'); end < 0 {
				return ""
			}
		}
		src = src[end:]
	}
}

// attributes reads the attributes of a tag as the prescan of HTML 13.2.3.2 does. At the tag's end src
// begins with its ">"; src is nil once there are not enough bytes.
type attributes struct{ src []byte }

func (a *attributes) next() (name, value []byte, ok bool) {
	s := bytes.TrimLeft(a.src, spaces+"/")
	a.src = nil
	if len(s) == 0 {
		return nil, nil, false
	}
	if s[0] == '>' {
		a.src = s
		return nil, nil, false
	}
	n := 1 + bytes.IndexAny(s[1:], spaces+"=/>")
	name, s = s[:n], bytes.TrimLeft(s[n:], spaces)
	switch {
	case n == 0 || len(s) == 0:
		return nil, nil, false
	case s[0] != '=':
		a.src = s
		return name, s[:0], true
	}
	s = bytes.TrimLeft(s[1:], spaces)
	quote, end := 0, 0
	switch {
	case len(s) == 0:
		return nil, nil, false
	case strings.IndexByte(quotes, s[0]) >= 0:
		quote, end = 1, bytes.IndexByte(s[1:], s[0])
	case s[0] != '>':
		end = bytes.IndexAny(s, spaces+">")
	}
	if end < 0 {
		return nil, nil, false
	}
	value, a.src = s[quote:quote+end], s[end+2*quote:]
	return name, value, true
}

// charset returns the charset that the attributes of a meta element name. The first attribute of each
// name counts; charset takes precedence over content, which counts only with http-equiv.
func (a *attributes) charset() string {
	var equiv, content, label []byte
	for {
		name, value, ok := a.next()
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
		label = contentCharset(content)
	}
	if name := declaredCharset(label); name != "x-user-defined" {
		return name
	}
	return "windows-1252"
}

// contentCharset implements the "algorithm for extracting a character encoding from a meta element"
// (HTML 2.5.5).
func contentCharset(s []byte) []byte {
	s = bytes.ToLower(s)
	for {
		_, after, ok := bytes.Cut(s, []byte("charset"))
		if !ok {
			return nil
		}
		if s = bytes.TrimLeft(after, spaces); len(s) == 0 || s[0] != '=' {
			continue
		}
		s = bytes.TrimLeft(s[1:], spaces)
		if len(s) > 0 && strings.IndexByte(quotes, s[0]) >= 0 {
			return quoted(s)
		}
		if end := bytes.IndexAny(s, spaces+";"); end >= 0 {
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
	if !ok || !closed || !bytes.HasPrefix(after, []byte(";")) || !isASCII(label) {
		return ""
	}
	return declaredCharset(label)
}

// mailCharset returns the name of the charset for a label in mail, for decodeCharset and decodePage;
// "" if the charset is unknown or has no decoder. It knows the labels of the Encoding standard, and
// the variants that mail programs write: with quotes, with other or no punctuation between letters
// and digits, with other prefixes.
func mailCharset(label string) string {
	label = strings.ToLower(strings.Trim(label, spaces+quotes+";"))
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
		if _, name := charset.Lookup(s); name != "" && name != "replacement" {
			return name
		}
	}
	return ""
}

// mailLabels holds labels that are not in the Encoding standard, without punctuation.
var mailLabels = map[string]string{
	"utf7": utf7, "unicode11utf7": utf7, "unicode20utf7": utf7, "csunicode11utf7": utf7, "csutf7": utf7,
	"hzgb2312": hz, "hz": hz,
	"utf8mb4": "utf-8", "utf8mb3": "utf-8", "cp65001": "utf-8", "utf16": "utf-16le",
	"ansi": "windows-1252", "usascii7": "windows-1252", "ascii7bit": "windows-1252", "7bit": "windows-1252",
	"cp932": "shift_jis", "ms936": "gbk", "cp936": "gbk", "cp949": "euc-kr", "ms949": "euc-kr", "cp950": "big5", "ms950": "big5",
	"koi8r": "koi8-r", "koi8u": "koi8-u", "macroman": "macintosh", "jis": "iso-2022-jp", "iso2022jp1": "iso-2022-jp", "iso2022jpms": "iso-2022-jp",
}
