package extract

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"mime"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"

	"example.org/refract/extract/mbox"
	"example.org/refract/extract/message"
	"example.org/refract/extract/news"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/warc"
	"example.org/refract/internal/ascii"
)

const (
	textType   = "text/plain"
	binaryType = "application/octet-stream"
	xmlType    = "application/xml"
	opmlType   = "text/x-opml"
)

// types holds the suffixes of names that are text, whatever their bytes look like.
var types = map[string]string{
	".txt": textType, ".text": textType, ".log": textType, ".csv": "text/csv",
	".md": "text/markdown", ".markdown": "text/markdown", ".mdx": "text/markdown",
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml",
	".css": "text/css", ".js": "text/javascript", ".json": "application/json",
	".xml": xmlType, ".svg": "image/svg+xml", ".rss": "application/rss+xml", ".atom": "application/atom+xml",
	".rdf": "application/rdf+xml", ".opml": opmlType, ".kml": "application/vnd.google-earth.kml+xml",
	".xsl": "application/xslt+xml", ".xslt": "application/xslt+xml",
	".warc": warcType, ".eml": messageType, ".emlx": emlxType, ".mbox": mboxType, ".mht": "multipart/related", ".mhtml": "multipart/related",
}

func suffix(name string) string { return strings.ToLower(path.Ext(name)) }

// detect finds the media type of an input by its name, otherwise by its first
// bytes, and its charset by these: "" where they are to be scanned as they are,
// which is ASCII, UTF-8, and all that contains ASCII.
func detect(name string, head []byte) (mediaType, label string) {
	mediaType, label = sniff(head)
	t, ok := types[suffix(name)]
	if !ok || t == textType { // archives of lists are often called .txt
		switch {
		case mbox.Is(head):
			return mboxType, ""
		case news.Is(head):
			return newsType, ""
		case !ok && warc.Is(head):
			return warcType, ""
		case !ok && message.Is(head):
			return messageType, ""
		}
	}
	if ok && !(t == xmlType && strings.HasSuffix(mediaType, "+xml")) { // bytes say which XML
		mediaType = t
	}
	return mediaType, label
}

func sniff(head []byte) (mediaType, label string) {
	if mark := byteOrderMark(head); mark == "utf-16le" || mark == "utf-16be" {
		return markup(narrow(head[2:])), mark
	}
	if bytes.IndexByte(head, 0) < 0 {
		return markup(head), ""
	}
	if label = sniffUTF16(head); label != "" {
		return markup(narrow(head)), label
	}
	return binaryType, ""
}

// narrow returns the ASCII of what is in UTF-16.
func narrow(head []byte) []byte { return bytes.ReplaceAll(head, []byte{0}, nil) }

// sniffUTF16 returns the charset of what looks like UTF-16, "" of anything else.
func sniffUTF16(head []byte) string {
	if bytes.IndexByte(head, 0) < 0 {
		return ""
	}
	// UTF-16 of mostly ASCII has NULs at every other place, and at no others.
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

// markup tells HTML and XML that can be scanned as such from other text, by how they
// begin (MIME Sniffing 7.1, as far as text does not begin so, too).
func markup(head []byte) string {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), spaces)
	lower := bytes.ToLower(head[:min(len(head), 1024)])
	begins := func(s string) bool { return bytes.HasPrefix(lower, []byte(s)) }
	switch {
	case begins("<!doctype html"), begins("<html"), begins("<head>"):
		return "text/html"
	case begins("<svg"):
		return "image/svg+xml"
	case begins("<?xml"):
		// By its first element.
		for rest := lower; ; {
			i := bytes.IndexByte(rest, '<')
			if i < 0 || i+1 == len(rest) {
				break
			}
			switch rest = rest[i+1:]; {
			case bytes.HasPrefix(rest, []byte("!--")):
				_, rest, _ = bytes.Cut(rest, []byte("-->"))
			case bytes.HasPrefix(rest, []byte("html")):
				return "application/xhtml+xml"
			case bytes.HasPrefix(rest, []byte("svg")):
				return "image/svg+xml"
			case ascii.IsLetter(rest[0]):
				if t := rootType(rest); t != "" {
					return t
				}
				return xmlType
			}
		}
	}
	if tag, ok := bytes.CutPrefix(lower, []byte("<")); ok {
		if t := rootType(tag); t != "" {
			return t
		}
	}
	return textType
}

// rootType returns the media type of XML that begins with this tag, in lower case and
// behind its "<"; "" if that is not known.
func rootType(tag []byte) string {
	end := bytes.IndexAny(tag, spaces+">")
	if end < 0 {
		return ""
	}
	switch string(tag[:end]) {
	case "rss":
		return "application/rss+xml"
	case "feed":
		return "application/atom+xml"
	case "rdf:rdf":
		return "application/rdf+xml"
	case "opml":
		return opmlType
	case "kml":
		return "application/vnd.google-earth.kml+xml"
	case "urlset", "sitemapindex":
		return xmlType
	}
	return ""
}

// byteOrderMark is BOM sniff (Encoding 6.1): it returns the charset, "" if there is
// no mark.
func byteOrderMark(src []byte) string {
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

// ParseType splits a media type with parameters: the type in lower case, and the name
// of the charset, "" where it has none. An unknown charset is an error.
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
	if enc == nil || name == "replacement" { // what browsers refuse to decode
		return "", "", fmt.Errorf("extract: type %q: unknown charset %q", s, label)
	}
	return mediaType, name, nil
}

// What a page says of its own charset is looked for in its first bytes, as many as
// HTML 13.2.3.2 and CSS Syntax 3.2 say.
const saidWithin = 1024

// pageCharset finds the charset of a page that is held whole: by its byte order mark;
// by the label that HTTP or MIME gives it, if that is known; by what the page says of
// itself; and otherwise by what its bytes look like: UTF-16, else UTF-8 if all of it is
// valid, else windows-1252. For text/html that is the encoding sniffing algorithm of
// the HTML standard (13.2.3.2), for XML it is XML 4.3.3, for text/css it is CSS Syntax
// 3.2. Pages of other types say nothing of themselves.
//
// It returns the name that the Encoding standard has for it in lower case, "utf-8"
// too; "replacement" is what browsers refuse to decode.
func pageCharset(src []byte, mediaType, label string) string {
	if name := byteOrderMark(src); name != "" {
		return name
	}
	if label != "" {
		if _, name := charset.Lookup(label); name != "" {
			return name
		}
	}
	head := src[:min(len(src), saidWithin)]
	name := ""
	switch {
	case mediaType == "text/html":
		if name = metaCharset(head); name == "" {
			name = xmlCharset(head)
		}
	case mediaType == "text/css":
		name = cssCharset(head)
	case formatOf(mediaType) == formatXML || formatOf(mediaType) == formatXHTML:
		name = xmlCharset(head)
	}
	if name == "" {
		name = sniffUTF16(src[:min(len(src), 4096)]) // marks have been looked for
	}
	switch {
	case name != "":
		return name
	case utf8.Valid(src):
		return "utf-8"
	case mediaType == "text/html":
		// Browsers start again at a meta that comes later (13.2.3.4).
		if name = metaCharset(src); name != "" {
			return name
		}
	}
	return "windows-1252"
}

// said returns the name of the charset with this label, if it is known. A page that
// says so in ASCII is not in UTF-16.
func said(label []byte) string {
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

// metaCharset is what HTML 13.2.3.2 calls to prescan a byte stream to determine its
// encoding, but for XML declarations: it returns the charset that a meta element names,
// "" if none does. It knows of tags and comments, and of no elements: a meta in a
// script counts. (The prescan of golang.org/x/net/html/charset tokenizes: that takes five
// times as long, and does not tell what it found from what it guessed.)
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

// attributes reads those of a tag, as HTML 13.2.3.2 does to prescan. At the tag's end
// src begins with its ">"; it is nil once there are not enough bytes.
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

// charset returns the charset that the attributes of a meta element name. The first of
// each counts; charset comes before content, which counts only with http-equiv.
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
	if name := said(label); name != "x-user-defined" {
		return name
	}
	return "windows-1252"
}

// contentCharset is the algorithm for extracting a character encoding from a meta
// element (HTML 2.5.5, "extracting character encodings from meta elements").
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

// quoted returns what the quotation mark that s begins with and the next one enclose.
func quoted(s []byte) []byte {
	end := bytes.IndexByte(s[1:], s[0])
	if end < 0 {
		return nil
	}
	return s[1 : 1+end]
}

// xmlCharset returns the charset that an XML declaration names (XML 4.3.3), "" if none
// does: what HTML 13.2.3.2 calls to get an XML encoding. The letter of that goes on
// behind the declaration; browsers do not.
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
	return said(label)
}

// cssCharset returns the charset that the rule @charset names, written as CSS Syntax
// 3.2 has it to the byte; otherwise "".
func cssCharset(src []byte) string {
	s, ok := bytes.CutPrefix(src, []byte(`@charset "`))
	label, after, closed := bytes.Cut(s, []byte(`"`))
	if !ok || !closed || !bytes.HasPrefix(after, []byte(";")) || !isASCII(label) {
		return ""
	}
	return said(label)
}

// decodePage decodes a page in the charset with this name, as pageCharset and mailCharset
// give it. It returns the text, which is src where that can be scanned as it is, and the
// way back.
func decodePage(src []byte, name string) ([]byte, maps) {
	if plainASCII(src, name) {
		return src, maps{}
	}
	d := new(decoding)
	step, stateful := decodeCharset(name)
	d.through(step, stateful, src)
	return d.text, maps{layers: []*scan.Map{&d.m}, undo: 1}
}

// plainASCII reports whether src, in the charset with this name, can be scanned as it is.
func plainASCII(src []byte, name string) bool {
	return name == "utf-8" || containsASCII(name) && isASCII(src)
}

// A decoding is what bytes decode to, with the way back.
type decoding struct {
	text []byte
	m    scan.Map
}

// decodings hold memory.
var decodings = sync.Pool{New: func() any { return new(decoding) }}

// through decodes the whole of src by one step after the other.
func (d *decoding) through(step step, stateful bool, src []byte) {
	d.m.Reset()
	d.text = slices.Grow(d.text[:0], len(src)+len(src)/8+utf8.UTFMax)
	for at := 0; at < len(src); {
		literal, skip, out := step(src[at:], true)
		if literal == 0 && skip == 0 {
			literal = 1
		}
		d.m.Add(literal, at, 1, 1)
		d.text = append(d.text, src[at:at+literal]...)
		at += literal
		if n := len(out); stateful && !bytes.Equal(out, src[at:at+skip]) {
			d.m.AddStateful(n, at, max(n, 1), skip)
		} else {
			d.m.Add(n, at, max(n, 1), skip)
		}
		d.text = append(d.text, out...)
		at += skip
	}
}

// containsASCII reports whether, in the charset with this name, bytes below 0x80 are
// ASCII wherever a character may begin.
func containsASCII(name string) bool {
	switch name {
	case "iso-2022-jp", "utf-16le", "utf-16be", "replacement", utf7, hz:
		return false
	}
	return true
}

// asciiStays reports whether text in the charset with this name has its ASCII where the
// undecoded bytes have it. Those of ISO-2022-JP may have more.
func asciiStays(name string) bool { return containsASCII(name) || name == "iso-2022-jp" }

// decodeCharset returns the step that decodes the charset with this label, as
// ParseType, pageCharset and mailCharset give it. stateful says that what bytes decode
// to depends on those before.
func decodeCharset(label string) (s step, stateful bool) {
	switch label {
	case utf7:
		return decodeUTF7(), true
	case hz:
		return decodeHZ(), true
	}
	enc, name := charset.Lookup(label)
	dec := enc.NewDecoder()
	ascii := containsASCII(name)
	if ascii {
		t, ok := byteTables.Load(name)
		if !ok {
			t, _ = byteTables.LoadOrStore(name, newByteTable(dec))
		}
		if t := t.(*byteTable); t != nil {
			return t.step, false
		}
	}
	stateful = name == "iso-2022-jp"
	between := stateful // ISO-2022-JP: in its state of ASCII, as at the beginning
	var out [utf8.UTFMax]byte
	last := 1 // the room that the last character needed
	return func(src []byte, atEOF bool) (literal, skip int, _ []byte) {
		if ascii {
			if literal = asciiPrefix(src); literal == len(src) {
				return literal, 0, nil
			}
			src = src[literal:]
		}
		if between {
			if literal = asciiPrefix(src); literal > 0 {
				if i := bytes.IndexAny(src[:literal], "\x0e\x0f\x1b"); i >= 0 {
					literal = i
				}
			}
			if literal == len(src) {
				return literal, 0, nil
			}
			src = src[literal:]
		}
		// One character at a time: as little room as it needs, so that it takes as
		// few bytes as it needs. What the last one needed is tried first, which makes
		// Chinese and Japanese twice as fast; but bytes that change the decoder's
		// state can be tried only once.
		if !stateful {
			d, k, _ := dec.Transform(out[:last], src, atEOF)
			if _, size := utf8.DecodeRune(out[:d]); d > 0 && d == size {
				return literal, k, out[:d]
			}
		}
		for room := 1; room <= utf8.UTFMax; room++ {
			d, k, err := dec.Transform(out[:room], src, atEOF)
			if d > 0 || k > 0 {
				last = room
				if stateful && src[0] == 0x1b && k == len("\x1b(B") {
					between = src[1] == '(' && src[2] == 'B'
				}
				return literal, k, out[:d]
			}
			if !errors.Is(err, transform.ErrShortDst) {
				break
			}
		}
		return literal, 0, nil
	}, stateful
}

// A byteTable has what the bytes from 0x80 on decode to, each by itself.
type byteTable [256 - utf8.RuneSelf][]byte

// byteTables holds the byteTable of each charset by its name, once it has been asked
// for: making one takes as long as decoding 10 KB.
var byteTables sync.Map

// newByteTable returns the byteTable of a charset that contains ASCII, nil if it has
// characters of several bytes.
func newByteTable(dec transform.Transformer) *byteTable {
	var t byteTable
	out := make([]byte, len(t)*utf8.UTFMax)
	src := []byte{0}
	for i := range t {
		src[0] = utf8.RuneSelf + byte(i)
		d, k, err := dec.Transform(out[:utf8.UTFMax], src, false)
		if err != nil || k == 0 {
			return nil
		}
		t[i], out = out[:d], out[d:]
	}
	return &t
}

func (t *byteTable) step(src []byte, _ bool) (literal, skip int, out []byte) {
	if literal = asciiPrefix(src); literal == len(src) {
		return literal, 0, nil
	}
	return literal, 1, t[src[literal]-utf8.RuneSelf]
}

// isASCII reports whether src is ASCII, 32 bytes at a time: that is four times as fast
// as 8.
func isASCII(src []byte) bool {
	for ; len(src) >= 32; src = src[32:] {
		if (binary.LittleEndian.Uint64(src)|binary.LittleEndian.Uint64(src[8:])|
			binary.LittleEndian.Uint64(src[16:])|binary.LittleEndian.Uint64(src[24:]))&highBits != 0 {
			return false
		}
	}
	return asciiPrefix(src) == len(src)
}

const highBits = 0x8080808080808080

// asciiPrefix returns how many bytes src begins with that are ASCII.
func asciiPrefix(src []byte) int {
	n := 0
	for n+8 <= len(src) {
		if high := binary.LittleEndian.Uint64(src[n:]) & highBits; high != 0 {
			return n + bits.TrailingZeros64(high)/8
		}
		n += 8
	}
	for n < len(src) && src[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// The charsets that are decoded in mail, and not in pages: the Encoding standard knows
// of neither or replaces it, since what a page's filters take for text may be markup in
// them. Of ISO-2022-KR and ISO-2022-CN, which it replaces too, there is no decoder:
// that mail is scanned as it is, and its ASCII found.
const (
	utf7 = "utf-7"
	hz   = "hz-gb-2312"
)

// mailCharset returns the name of the charset that mail gives this label, for
// decodeCharset and decodePage; "" if it is unknown, or has no decoder. It knows the
// labels of the Encoding standard, and what mail programs make of them: with quotes, with
// other or no punctuation between letters and digits, with other prefixes.
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

// mailLabels has labels that are not in the Encoding standard, without punctuation.
var mailLabels = map[string]string{
	"utf7": utf7, "unicode11utf7": utf7, "unicode20utf7": utf7, "csunicode11utf7": utf7, "csutf7": utf7,
	"hzgb2312": hz, "hz": hz,
	"utf8mb4": "utf-8", "utf8mb3": "utf-8", "cp65001": "utf-8", "utf16": "utf-16le",
	"ansi": "windows-1252", "usascii7": "windows-1252", "ascii7bit": "windows-1252", "7bit": "windows-1252",
	"cp932": "shift_jis", "ms936": "gbk", "cp936": "gbk", "cp949": "euc-kr", "ms949": "euc-kr", "cp950": "big5", "ms950": "big5",
	"koi8r": "koi8-r", "koi8u": "koi8-u", "macroman": "macintosh", "jis": "iso-2022-jp", "iso2022jp1": "iso-2022-jp", "iso2022jpms": "iso-2022-jp",
}

// decodeUTF7 is the step of UTF-7 (RFC 2152), one character at a time. A "+" that does
// not begin a character, nor is written "+-", stays: rule 2 has no meaning for it.
func decodeUTF7() step {
	var (
		shifted bool
		bits    uint32 // of a character that has begun,
		n       int    // how many
		out     [utf8.UTFMax]byte
	)
	return func(src []byte, atEOF bool) (literal, skip int, _ []byte) {
		if !shifted {
			if literal = bytes.IndexByte(src, '+'); literal < 0 {
				return len(src), 0, nil
			}
			s := src[literal+1:]
			switch {
			case len(s) < 3 && !atEOF:
				return literal, 0, nil
			case len(s) > 0 && s[0] == '-':
				return literal, 2, append(out[:0], '+')
			case len(s) < 3 || sextet(s[0])|sextet(s[1])|sextet(s[2]) < 0:
				return literal + 1, 0, nil
			}
			shifted, bits, n = true, 0, 0
			return literal, 1, nil
		}
		// unit reads one of UTF-16. There are enough bytes, but at the end.
		unit := func() (rune, bool) {
			for n < 16 {
				if skip == len(src) || sextet(src[skip]) < 0 {
					return 0, false
				}
				bits, n, skip = bits<<6|uint32(sextet(src[skip])), n+6, skip+1
			}
			n -= 16
			return rune(bits >> n & 0xffff), true
		}
		r, ok := unit()
		if !ok {
			// What is left are bits of 0, fewer than 6 (rule 2).
			shifted = false
			switch {
			case skip < len(src) && src[skip] == '-':
				return 0, skip + 1, nil
			case skip == 0:
				return 1, 0, nil
			}
			return 0, skip, nil
		}
		if utf16.IsSurrogate(r) {
			b, k, end := bits, n, skip
			low, _ := unit()
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				r = pair
			} else {
				bits, n, skip = b, k, end
			}
		}
		return 0, skip, utf8.AppendRune(out[:0], r)
	}
}

// sextet returns the value of a character of base64, negative for others.
func sextet(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}

// decodeHZ is the step of HZ-GB-2312 (RFC 1843). What is not of it stays, and at the
// end of a line all is ASCII again, whether "~}" is there or not: the decoder of
// golang.org/x/text reads ASCII as Chinese from there on.
func decodeHZ() step {
	chinese := false
	dec := simplifiedchinese.GBK.NewDecoder() // contains GB 2312, with the high bits set
	var (
		pair [2]byte
		out  [utf8.UTFMax]byte
	)
	return func(src []byte, atEOF bool) (literal, skip int, _ []byte) {
		if chinese {
			switch c := src[0]; {
			case bytes.HasPrefix(src, []byte("~}")):
				chinese = false
				return 0, 2, nil
			case c == '\n':
				chinese = false
			case c > ' ' && c < '~' && len(src) > 1 && src[1] > ' ' && src[1] < 0x7f:
				pair[0], pair[1] = c|0x80, src[1]|0x80
				n, _, _ := dec.Transform(out[:], pair[:], true)
				return 0, 2, out[:n]
			}
			return 1, 0, nil
		}
		if literal = bytes.IndexByte(src, '~'); literal < 0 {
			return len(src), 0, nil
		}
		s := src[literal:]
		switch {
		case len(s) < 3 && !atEOF:
			return literal, 0, nil
		case bytes.HasPrefix(s, []byte("~~")):
			return literal, 2, s[:1]
		case bytes.HasPrefix(s, []byte("~{")):
			chinese = true
			return literal, 2, nil
		case bytes.HasPrefix(s, []byte("~\n")):
			return literal, 2, nil
		case bytes.HasPrefix(s, []byte("~\r\n")):
			return literal, 3, nil
		}
		return literal + 1, 0, nil
	}
}
