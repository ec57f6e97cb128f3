package extract

import (
	"bytes"
	"fmt"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"example.org/refract/extract/internal/decode"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/pdf"
)

// contentType parses the value of a Content-Type field: it returns the type in lower case, "" if
// there is no valid one, and the label of the charset.
func contentType(value []byte) (mediaType, label string) {
	if value == nil {
		return "", ""
	}
	name := value
	if i := bytes.IndexAny(name, ";, \t"); i >= 0 {
		name = name[:i]
	}
	if bytes.Count(name, []byte{'/'}) == 1 {
		mediaType = strings.ToLower(string(name))
	}
	if i := bytes.IndexByte(value, ';'); i >= 0 {
		label = string(bytes.Trim(decode.ContentCharset(value[i:]), `"'`))
	}
	return mediaType, label
}

// isJSON reports whether a media type is JSON.
func isJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

// readable reports whether bodies of this type may be read: JSON only on request, and
// scripts never.
func (w *walker) readable(mediaType string) bool {
	switch {
	case isUnknown(mediaType):
		return true
	case isJSON(mediaType):
		return w.cfg.JSONLD || w.cfg.Scripts
	case isScript(mediaType):
		return w.cfg.Scripts
	case strings.HasPrefix(mediaType, "multipart/"):
		return false
	}
	return w.cfg.readAs(mediaType, "") != ""
}

// isUnknown reports whether a type stands for an unknown type (MIME Sniffing 5.1), or is one that
// servers and crawlers write for an unknown type.
func isUnknown(mediaType string) bool {
	switch mediaType {
	case "", "unknown/unknown", "application/unknown", "*/*", binaryType:
		return true
	}
	return false
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
	if looksBinary(head) {
		return ""
	}
	looks := markup(head)
	switch {
	case isUnknown(declared):
		if looks != textType {
			return looks
		}
		if looksLikeHTML(head) {
			return "text/html"
		}
		path, _, _ := bytes.Cut(target, []byte{'?'})
		if t, ok := c.typeOfName(string(path)); ok && t != warcType && !c.isPackedType(t) {
			return t
		}
		return textType
	case declared == "text/html" && isXML(looks) && (looks != xmlType || bytes.Contains(head, []byte("sitemaps.org/schemas"))):
		// Feeds and sitemaps are often declared as HTML (MIME Sniffing 8).
		return looks
	case isXML(declared) && (looks == xhtmlType || looks == svgType):
		return looks
	case declared == textType && c.Exhaustive && robots.IsText(string(target)):
		return robotsTextType
	}
	return declared
}

// isXML reports whether a media type is XML other than XHTML and SVG (RFC 7303 section 4.2).
func isXML(mediaType string) bool {
	switch mediaType {
	case xmlType, "text/xml", opmlType:
		return true
	case xhtmlType, svgType:
		return false
	}
	return strings.HasSuffix(mediaType, "+xml")
}

// htmlTags are the tags at the beginning of HTML, in lower case (MIME Sniffing 7.1). Only pages of a
// crawler are recognised by them: mail and text files may begin with them, too.
var htmlTags = []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p"}

// looksLikeHTML reports whether a body of an undeclared type is HTML.
func looksLikeHTML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), "\t\n\f\r ")
	if bytes.HasPrefix(head, []byte("<!--")) {
		return true
	}
	return slices.ContainsFunc(htmlTags, func(tag string) bool {
		return len(head) > len(tag) && (head[len(tag)] == ' ' || head[len(tag)] == '>') && strings.EqualFold(string(head[:len(tag)]), tag)
	})
}

// looksBinary reports whether a body that begins with head is not text: more than one in sixteen
// bytes cannot occur in text (MIME Sniffing 3, binary data byte), and it is not UTF-16.
func looksBinary(head []byte) bool {
	n := 0
	for _, c := range head {
		if c < ' ' && (c <= 0x08 || c == 0x0b || 0x0e <= c && c != 0x1b) {
			n++
		}
	}
	return n > len(head)/16 && decode.SniffUTF16(head) == "" && !strings.HasPrefix(decode.ByteOrderMark(head), "utf-16")
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
	name := writtenCharset(src, f, label)
	undeclared := f != nil && f.Charset == nil && f.Scan != nil && !f.Multipart
	switch {
	case undeclared && (name == "utf-8" && !utf8.Valid(src) || name == "" && mostlyUTF8(src)):
		return decode.BrokenUTF8
	case name == "":
		return "windows-1252"
	}
	return name
}

// charsetName returns the name of a charset for Entity.Charset.
func charsetName(name string) string {
	if name == decode.BrokenUTF8 {
		return "utf-8"
	}
	return name
}

// mostlyUTF8 reports whether src has at least as many valid non-ASCII UTF-8 characters as invalid
// bytes.
func mostlyUTF8(src []byte) bool {
	valid, invalid := 0, 0
	for src = src[decode.ASCIIPrefix(src):]; len(src) > 0; src = src[decode.ASCIIPrefix(src):] {
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
	if name := decode.ByteOrderMark(src); name != "" {
		return name
	}
	if label != "" {
		if _, name := charset.Lookup(label); name != "" {
			return name
		}
	}
	name := ""
	if f != nil && f.Charset != nil {
		name = f.Charset(src[:min(len(src), decode.PrescanSize)], false)
	}
	if name == "" {
		name = decode.SniffUTF16(src[:min(len(src), 4096)]) // byte order marks have been checked
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
