package extract

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"example.org/refract/extract/internal/decode"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/pdf"
)

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
	case declared == textType && c.Exhaustive && robots.IsText(string(target)):
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
