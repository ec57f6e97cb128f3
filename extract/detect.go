package extract

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"example.org/refract/extract/internal/mailhead"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/pdf"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/container"
	"example.org/refract/internal/decode"
)

// headSize is the number of bytes of an input that decide about its type.
const headSize = 4096

// readiness returns the method Ready of r, if it has one. For all other readers that may pause, it
// returns a function that always returns false, and nil for files and memory.
func readiness(r io.Reader) func() bool {
	switch r := r.(type) {
	case interface{ Ready() bool }:
		return r.Ready
	case interface{ Len() int }: // of package bytes or strings
		return nil
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return nil
		}
	}
	return func() bool { return false }
}

// readHead reads the beginning of an input that may pause into head, until it is full, or the input is not ready
// and head decides about the type. It returns the length of head.
func (c *Config) readHead(name string, r *errorReader, ready func() bool, head []byte) int {
	n := 0
	for n < len(head) && r.err == nil && (n == 0 || ready() || !c.settled(name, head[:n])) {
		var k int
		k, r.err = r.r.Read(head[n:])
		n += k
	}
	return n
}

// settled reports whether an input that begins with head is running text whatever follows: its first line is text that
// begins no other type. It asks only about whole lines.
//
// A file of the same bytes may have another type if a NUL or a line of TeX is among the first 4,096, or if the first field of a
// message has a name in capitals.
func (c *Config) settled(name string, head []byte) bool {
	head = bytes.TrimPrefix(head[:bytes.LastIndexByte(head, '\n')+1], []byte("\xef\xbb\xbf"))
	head = bytes.TrimLeft(head, decode.Spaces)
	line, _, ok := bytes.Cut(head, newline)
	if !ok || bytes.IndexFunc(line, isBinary) >= 0 {
		return false
	}
	if f := c.FormatOfType(c.Type); f != nil && f.Scan == nil {
		return true
	}
	line = bytes.TrimRight(line, decode.Spaces)
	switch {
	case suffix(name) == ".arc": // the first record may be damaged
		return false
	case c.Type != "" || len(c.Formats)+len(c.Containers) > 0:
		return false
	case bytes.IndexByte([]byte(".'\\%!@"), line[0]) >= 0: // roff, TeX, an index of a crawl
		return false
	case line[0] == '<' && len(line) > 1 && (ascii.IsLetter(line[1]) || line[1] == '!' || line[1] == '?'): // markup
		return false
	case line[0] == '{' && line[len(line)-1] != '}': // a notebook, rather than a line of JSON
		return false
	}
	if mayBeField(line) {
		head = append(bytes.Clone(head), "From: a\nTo: b\nDate: c\n\n"...) // if the heading has not ended, it is one of a message
	}
	mediaType, _ := c.detect(name, head)
	return mediaType == textType
}

// isBinary reports whether a character indicates that what contains it is not text in UTF-8.
func isBinary(r rune) bool {
	return r == utf8.RuneError || r < ' ' && !strings.ContainsRune("\t\r\f\b\x1b", r)
}

// mayBeField reports whether line may be the first of a message: "From ", or a field. "INFO: x" and "http://x" are none.
func mayBeField(line []byte) bool {
	if bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
		return true
	}
	name, value, ok := bytes.Cut(line, []byte(":"))
	hasLower := false
	for _, c := range name {
		if !ascii.IsAlnum(c) && c != '-' && c != '_' {
			return false
		}
		hasLower = hasLower || 'a' <= c && c <= 'z' || c == '-'
	}
	return ok && hasLower && ascii.IsLetter(name[0]) && !bytes.HasPrefix(value, []byte("//"))
}

// hasRecord reports whether a record of ARC begins with head, or, since the first one may be damaged, with a member of the
// compressed file in head. start is the place of head in the input.
func hasRecord(in Storage, start int64, head []byte) bool {
	if warc.IsRecord(head) || in == nil {
		return warc.IsRecord(head)
	}
	for at := in.Bound(start + 1); at >= 0 && at < start+int64(len(head)); at = in.Bound(at + 1) {
		if warc.IsRecord(head[at-start:]) {
			return true
		}
	}
	return false
}

// detect finds the media type of an input by its name, otherwise by its first bytes, and its charset
// by its first bytes. The charset is "" if the bytes can be scanned as they are: ASCII, UTF-8, and
// every charset that contains ASCII.
func (c *Config) detect(name string, head []byte) (mediaType, label string) {
	ascii, label, binary := decode.Head(head)
	binary = binary || mediatype.OfBinary(head) != ""
	mediaType, ok := c.typeOfName(name)
	isText := mediaType == textType || suffix(name) == ".asc" // of AsciiDoc, and of text that PGP signs
	if f := c.FormatOfName(name); f != nil && f.Sniff != nil && !binary {
		if t := f.sniff(head, ascii); t != "" {
			return t, label
		}
	}
	if f := c.FormatOfName(name); f != nil && f.onlySniffed {
		mediaType, ok = "", false
	}
	if k := c.ContainerOfName(name); k != nil && k.onlySniffed && c.FormatOfName(name) == nil {
		if (k.IsPackage() || k.Types[0] == warc.WACZType) && container.IsZip(head) {
			return k.Types[0], ""
		}
		mediaType, ok = "", false
	}
	if !ok && suffix(name) == ".arc" && hasRecord(c.Storage, c.Begin.Offset, head) {
		return warcType, ""
	}
	if !ok || isText {
		if k := c.sniffContainer(head, isText); k != nil {
			return k.Types[0], ""
		}
	}
	if isText && mailhead.Is(head) { // programs save messages as text
		return messageType, ""
	}
	if ok {
		return mediaType, label
	}
	if t := c.sniffFormat(head, ascii, binary); t != "" {
		if c.FormatOfType(t).Multipart {
			label = ""
		}
		return t, label
	}
	switch {
	case binary:
		return binaryType, ""
	case name != "" && suffix(name) == "" && mediatype.IsPage(ascii): // what has no name is within another document
		return htmlType, label
	}
	return textType, label
}

// sniff calls f.Sniff with head or with ascii, its ASCII, whichever f.Sniff takes.
func (f *Format) sniff(head, ascii []byte) string {
	if f.Multipart {
		return f.Sniff(head)
	}
	return f.Sniff(ascii)
}

// sniffFormat returns the media type of the first Format that recognises head, "" if none does. Only
// a Multipart Format, or one of the Config, may hold binary data.
func (c *Config) sniffFormat(head, ascii []byte, binary bool) string {
	for i := range c.Formats {
		if f := &c.Formats[i]; f.Sniff != nil {
			if t := f.sniff(head, ascii); t != "" {
				return t
			}
		}
	}
	formats := builtin().formats
	for i := range formats {
		if f := &formats[i]; f.Sniff != nil && (f.Multipart || !binary) {
			if t := f.sniff(head, ascii); t != "" {
				return t
			}
		}
	}
	return ""
}

// readable reports whether bodies of this type may be read: JSON only on request, and
// scripts never.
func (w *walker) readable(mediaType string) bool {
	switch {
	case mediatype.IsUnknown(mediaType):
		return true
	case mediatype.IsJSON(mediaType):
		return w.cfg.JSONLD || w.cfg.Scripts
	case mediatype.IsScript(mediaType):
		return w.cfg.Scripts
	case strings.HasPrefix(mediaType, "multipart/"):
		return false
	}
	return w.cfg.readAs(mediaType, "") != ""
}

// pageType returns the type of a body: the declared type, unless that is unknown or the first bytes
// prove another. "" means binary data.
func (c *Config) pageType(declared string, target, body []byte) string {
	head := body[:min(len(body), 1024)]
	if pdf.Is(head) {
		return pdf.Type
	}
	if declared == pdf.Type {
		return "" // often a page about an error, which no browser shows
	}
	if mediatype.LooksBinary(head) {
		return ""
	}
	looks := mediatype.Markup(head)
	switch {
	case mediatype.IsUnknown(declared):
		if looks != textType {
			return looks
		}
		if mediatype.LooksLikeHTML(head) {
			return "text/html"
		}
		path, _, _ := bytes.Cut(target, []byte{'?'})
		if t, ok := c.typeOfName(string(path)); ok && t != warcType && !c.isPackedType(t) {
			return t
		}
		return textType
	case declared == "text/html" && mediatype.IsXML(looks) && (looks != xmlType || bytes.Contains(head, []byte("sitemaps.org/schemas"))):
		// Feeds and sitemaps are often declared as HTML (MIME Sniffing 8).
		return looks
	case mediatype.IsXML(declared) && (looks == xhtmlType || looks == svgType):
		return looks
	case declared == textType && robots.IsText(string(target)):
		return robotsTextType
	}
	return declared
}

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
		return "", "", fmt.Errorf("extract: type %q: %w", s, fmt.Errorf("unknown charset %q", label))
	}
	return mediaType, name, nil
}

// pageCharset finds the charset of a page that is held whole. In order of precedence it uses the byte
// order mark; the label given by HTTP or MIME, if it is known; the declaration in the page (the
// Charset of its Format); and otherwise the bytes: UTF-16 if they look like it, else UTF-8 if all of
// them are valid, else windows-1252. For text/html that is the encoding sniffing algorithm of the
// HTML standard (13.2.3.2), for XML it is XML 4.3.3, for text/css it is CSS Syntax 3.2. Documents of
// formats that declare no charset (Markdown) and contain invalid UTF-8 are BrokenUTF8, unless they
// have more invalid bytes than valid non-ASCII characters.
//
// It returns the name in the Encoding standard, in lower case, also for "utf-8"; "replacement" is a
// charset that browsers refuse to decode.
func (c *Config) pageCharset(src []byte, mediaType, label string) string {
	f := c.FormatOfType(mediaType)
	var declared func(src []byte, whole bool) string
	if f != nil {
		declared = f.Charset
	}
	name := decode.Given(src, label, declared)
	undeclared := f != nil && declared == nil && f.Scan != nil && !f.Multipart
	switch {
	case undeclared && (name == "utf-8" && !utf8.Valid(src) || name == "" && decode.MostlyUTF8(src)):
		return decode.BrokenUTF8
	case name == "":
		return "windows-1252"
	}
	return name
}
