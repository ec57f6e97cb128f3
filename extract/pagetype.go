package extract

import (
	"bytes"
	"slices"
	"strings"

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
		label = string(bytes.Trim(contentCharset(value[i:]), `"'`))
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
	case declared == textType && c.Exhaustive && isRobotsText(string(target)):
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
	return n > len(head)/16 && sniffUTF16(head) == "" && !strings.HasPrefix(byteOrderMark(head), "utf-16")
}
