package extract

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/outlook"
	"example.org/refract/extract/internal/pdf"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/internal/container"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/input"
)

// headSize is the number of bytes of an input that decide about its type.
const headSize = 4096

// FormatOf returns the Format and the media type of an input that begins with head. It uses c.Type, the
// name, or the first 4,096 bytes; it needs no more of them. The Format is nil for containers, and for types
// that no Format has.
func (c *Config) FormatOf(name string, head []byte) (f *Format, mediaType string) {
	mediaType, label := c.detect(name, head[:min(len(head), headSize)])
	if c.Type != "" && label == "" {
		if t, _, err := c.declaredType(); err == nil {
			return c.FormatOfType(t), t
		}
	}
	if f := c.FormatOfName(name); f != nil && f.Types[0] == mediaType {
		return f, mediaType
	}
	return c.FormatOfType(mediaType), mediaType
}

// ArchiveType returns the media type of an input if it is a mail or crawl archive, which can be cut at
// Marks; otherwise "". head is its first 4,096 bytes, or all of it if it is shorter.
func (c *Config) ArchiveType(name string, head []byte) string {
	mediaType, label := c.detect(name, head)
	if c.Type != "" && label == "" {
		mediaType, _, _ = c.declaredType()
	}
	if k := c.containerOfType(mediaType); k == nil || k.hasMembers() {
		return ""
	}
	return mediaType
}

// IsMail reports whether an input is a message or an archive of messages, by c.Type, the name, or head, its
// first 4,096 bytes. A saved web page in the form of a message does not count.
func IsMail(c *Config, name string, head []byte) bool {
	f, mediaType := c.FormatOf(name, head)
	return c.isMail(f, mediaType)
}

// IsMail reports whether b belongs to an input that is a message or an archive of messages, as [IsMail]
// does. A message inside anything else does not count.
func (b *Batch) IsMail() bool {
	return b.entity != nil && b.entity.Parent == nil && b.cfg.isMail(b.cfg.FormatOfType(b.entity.Type), b.entity.Type)
}

func (c *Config) isMail(f *Format, mediaType string) bool {
	if f != nil {
		return f.isMessage && f.Types[0] != mhtmlType
	}
	k := c.containerOfType(mediaType)
	return k != nil && k.split != nil
}

// detect finds the media type of an input by its name, otherwise by its first bytes, and its charset by its
// first bytes. The charset is "" if the bytes can be scanned as they are: ASCII, UTF-8, and every charset
// that contains ASCII.
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
	if isText && isClearlyMail(head) { // programs save messages as text
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

// sniffFormat returns the media type of the first Format that recognises head, or "". Only a Multipart
// Format, or one of the Config, may hold binary data.
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

// sniffContainer returns the Container of a file that begins with head, or nil. isText reports that the
// file has a suffix of plain text.
func (c *Config) sniffContainer(head []byte, isText bool) *Container {
	for _, list := range [...][]Container{c.Containers, builtin().containers} {
		for i := range list {
			if k := &list[i]; k.Sniff != nil && (k.SniffText || !isText) && k.Sniff(head) {
				return k
			}
		}
	}
	return nil
}

// hasRecord reports whether head begins with an ARC record or, since the first record may be damaged, with
// a member of the compressed file. start is the place of head in the input.
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

// pageType returns the type of a body: the declared type, unless that is unknown or the first bytes prove
// another. "" means binary data.
func (c *Config) pageType(declared string, target, body []byte) string {
	head := body[:min(len(body), 1024)]
	if pdf.Is(head) {
		return pdf.Type
	}
	if declared == pdf.Type {
		return "" // often a page about an error, which no browser shows
	}
	if declared != htmlType && mediatype.LooksBinary(head) { // what is declared as HTML is never binary (MIME Sniffing 7)
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

// pageCharset finds the charset of a page that is held whole. In order of precedence it uses
//
//   - the byte order mark;
//   - the label given by HTTP or MIME, if it is known;
//   - the declaration in the page (the Charset of its Format);
//   - the bytes: UTF-16 if they look like it, else UTF-8 if all of them are valid, else windows-1252.
//
// For text/html that is the encoding sniffing algorithm of the HTML standard (13.2.3.2), for XML it is XML
// 4.3.3, for text/css it is CSS Syntax 3.2. Documents of formats that declare no charset (Markdown) and
// contain invalid UTF-8 are BrokenUTF8, unless they have more invalid bytes than valid non-ASCII
// characters.
//
// It returns the name in the Encoding standard, in lower case, also for "utf-8"; "replacement" is a charset
// that browsers refuse to decode.
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

// readAs returns the media type as which to read the content of a message part; "" means that it is not
// read.
func (c *Config) readAs(mediaType, name string) string {
	if c.scanner(mediaType) != nil {
		return mediaType
	}
	if t, ok := c.typeOfName(name); ok && (c.scanner(t) != nil || strings.HasPrefix(t, "text/")) {
		return t
	}
	if t, ok := attachedTypes[suffix(name)]; ok && (!strings.HasPrefix(mediaType, "text/") || mediaType == textType) {
		return t
	}
	major, minor, _ := strings.Cut(mediaType, "/")
	switch {
	case major == "text", major == "message":
		return mediaType
	}
	switch minor {
	case "json", "javascript", "x-javascript", "ecmascript":
		return mediaType
	}
	return c.packedType(mediaType, name)
}

// attachedTypes maps suffixes to the types of attachments for which mailers declare another type, often
// application/octet-stream.
var attachedTypes = map[string]string{
	".json": "application/json", ".patch": textType, ".diff": textType,
}

// packedType returns the type of an attachment that may be an archive, or compressed, by its media type and
// its name; "" if it cannot. Its first bytes decide whether it is.
func (c *Config) packedType(mediaType, name string) string {
	if c.Archives == OpenNone {
		return ""
	}
	if k := c.containerOfType(mediaType); k.hasMembers() {
		return k.Types[0]
	}
	if mediatype.IsCompressed(mediaType) {
		return mediaType
	}
	if isWinmail(name) && mediaType == binaryType {
		return outlook.TNEFType
	}
	if mediaType != "" && !strings.HasPrefix(mediaType, "application/") || name == "" {
		return ""
	}
	if k := c.ContainerOfName(name); k.hasMembers() && c.FormatOfName(name) == nil {
		return k.Types[0]
	}
	if input.Inner(name) != name {
		return gzipType
	}
	return ""
}

// isPackedType reports whether a type is one of those that packedType returns.
func (c *Config) isPackedType(mediaType string) bool {
	return mediaType != textType && (mediatype.IsCompressed(mediaType) || c.containerOfType(mediaType).hasMembers())
}

// isPacked reports whether src is an archive that is opened, or is compressed, by its first bytes.
func (c *Config) isPacked(src []byte) bool {
	head := src[:min(len(src), 4096)]
	return c.sniffContainer(head, false).hasMembers() || input.IsCompressed(head)
}
