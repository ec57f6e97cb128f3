package mediatype

import (
	"bytes"
	"encoding/binary"
	"strings"

	"example.org/refract/internal/decode"
)

// HeadSize is the number of bytes of a body that decide about its type: the resource header of MIME Sniffing 5.2.
const HeadSize = 1445

// Detect returns the media type of a body that begins with head: the one that its first bytes show. If they
// show only that it is text or binary data, it is the declared type, in lower case and without parameters.
// It is "" for an empty body.
//
// The signatures are those of the MIME Sniffing standard: 6.1 to 6.4 and 7.1. Notable divergences: the
// browsers' restrictions on a declared type, for their users' safety (7), do not apply, so a PDF that is
// declared as HTML is a PDF. XML is told apart by its root element. A declared type that uses the container
// found, such as that of an office document, which is a ZIP archive, stays. A few control characters do not
// make a text binary.
func Detect(declared string, head []byte) string {
	if len(head) == 0 {
		return ""
	}
	head = head[:min(len(head), HeadSize)]
	found := signature(head)
	switch {
	case found == HTML:
		// Scripts and style sheets may begin with a comment or with text that looks like a tag.
		if IsXML(declared) || declared == XHTML || IsTextual(declared) && declared != Text && declared != HTML && !beginsAsHTML(lowerHead(head)) {
			return declared
		}
		return HTML
	case found == "text/xml", found == Text:
		if mayBeText(declared) && declared != Text && declared != HTML && !IsXML(declared) {
			return declared
		}
		lower := lowerHead(head)
		if t := typeOfXML(lower); t != "" && t != XML || t != "" && bytes.Contains(head, []byte("sitemaps.org/schemas")) {
			return t
		}
		if found == "text/xml" && !IsXML(declared) || !mayBeText(declared) {
			return found
		}
		return declared
	case found == "" && (IsUnknown(declared) || IsTextual(declared)):
		return Binary
	case found == "", isKindOf(declared, found):
		return declared
	}
	return found
}

// isKindOf reports whether files of the declared type are files of the type found, which holds others.
func isKindOf(declared, found string) bool {
	major, _, _ := strings.Cut(declared, "/")
	switch found {
	case ZIP, "application/x-gzip":
		return major == "application" && !IsUnknown(declared) && !IsTextual(declared) && declared != "application/pdf"
	case "application/ogg", "video/mp4", "video/webm":
		return major == "audio" || major == "video"
	}
	return false
}

// A magic is a signature of the MIME Sniffing standard.
type magic struct {
	at        int // where bytes are, behind prefix
	prefix    string
	bytes     string
	mediaType string
}

var magics = [...]magic{
	// 7.1, except for HTML
	{0, "", "%PDF-", "application/pdf"},
	{0, "", "%!PS-Adobe-", "application/postscript"},
	{0, "", "\xfe\xff", Text},
	{0, "", "\xff\xfe", Text},
	// 6.1
	{0, "", "\x00\x00\x01\x00", "image/x-icon"},
	{0, "", "\x00\x00\x02\x00", "image/x-icon"},
	{0, "", "BM", "image/bmp"},
	{0, "", "GIF87a", "image/gif"},
	{0, "", "GIF89a", "image/gif"},
	{8, "RIFF", "WEBPVP", "image/webp"},
	{0, "", "\x89PNG\r\n\x1a\n", "image/png"},
	{0, "", "\xff\xd8\xff", "image/jpeg"},
	// 6.2
	{8, "FORM", "AIFF", "audio/aiff"},
	{0, "", "ID3", "audio/mpeg"},
	{0, "", "OggS\x00", "application/ogg"},
	{0, "", "MThd\x00\x00\x00\x06", "audio/midi"},
	{8, "RIFF", "AVI ", "video/avi"},
	{8, "RIFF", "WAVE", "audio/wave"},
	// 6.3
	{34, "", "LP", "application/vnd.ms-fontobject"},
	{0, "", "\x00\x01\x00\x00", "font/ttf"},
	{0, "", "OTTO", "font/otf"},
	{0, "", "ttcf", "font/collection"},
	{0, "", "wOFF", "font/woff"},
	{0, "", "wOF2", "font/woff2"},
	// 6.4
	{0, "", "\x1f\x8b\x08", "application/x-gzip"},
	{0, "", "PK\x03\x04", ZIP},
	{0, "", "Rar!\x1a\x07\x00", "application/x-rar-compressed"},
}

// signature returns the type that the first bytes of a body show: text/plain if they can be text and show no more;
// "" for other binary data.
func signature(head []byte) string {
	if LooksLikeHTML(head) {
		return HTML
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), decode.Spaces)
	if bytes.HasPrefix(text, []byte("<?xml")) {
		return "text/xml"
	}
	isText := !LooksBinary(head)
	for i := range magics {
		m := &magics[i]
		if len(head) < m.at+len(m.bytes) || string(head[m.at:m.at+len(m.bytes)]) != m.bytes || !bytes.HasPrefix(head, []byte(m.prefix)) {
			continue
		}
		if isText && m.mediaType != Text && isPrintable(m.bytes) && !hasNUL(head) && m.bytes[0] != '%' {
			continue // a text that begins with "BM" or "ID3"
		}
		return m.mediaType
	}
	switch {
	case isMP4(head):
		return "video/mp4"
	case bytes.HasPrefix(head, []byte("\x1aE\xdf\xa3")) && bytes.Contains(head[:min(len(head), 64)], []byte("webm")):
		return "video/webm"
	case isText:
		return Text
	}
	return ""
}

// isPrintable reports whether s has only printable ASCII characters.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func hasNUL(head []byte) bool { return bytes.IndexByte(head, 0) >= 0 }

// isMP4 is the signature of MP4 (MIME Sniffing 6.2.1).
func isMP4(head []byte) bool {
	if len(head) < 12 || string(head[4:8]) != "ftyp" {
		return false
	}
	size := int(min(binary.BigEndian.Uint32(head), HeadSize))
	if size%4 != 0 || len(head) < size {
		return false
	}
	if string(head[8:11]) == "mp4" {
		return true
	}
	for at := 16; at+3 <= size; at += 4 {
		if string(head[at:at+3]) == "mp4" {
			return true
		}
	}
	return false
}
