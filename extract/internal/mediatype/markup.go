package mediatype

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/lazy"
)

// lowerHead returns the first tag of a document and the text after it, in lower case; nil if the
// document does not begin with a tag.
func lowerHead(head []byte) []byte {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), decode.Spaces)
	if len(head) == 0 || head[0] != '<' {
		return nil
	}
	lower := bytes.Clone(head[:min(len(head), 1024)])
	ascii.Lower(lower)
	return lower
}

// Markup returns the media type of HTML or XML that can be scanned as such, by its beginning (MIME Sniffing
// 7.1, except for beginnings that text may also have).
func Markup(head []byte) string {
	lower := lowerHead(head)
	if beginsAsHTML(lower) {
		return HTML
	}
	if t := typeOfXML(lower); t != "" {
		return t
	}
	return Text
}

// SniffHTML returns HTML if head begins a page, or "".
func SniffHTML(head []byte) string {
	if beginsAsHTML(lowerHead(head)) {
		return HTML
	}
	return ""
}

// SniffXML returns the media type of XML that begins with head, "" if that is not known.
func SniffXML(head []byte) string { return typeOfXML(lowerHead(head)) }

// beginsAsHTML reports whether lower begins as only HTML does. The space in a DOCTYPE may be missing, as
// programs that shorten pages leave it out (HTML 13.2.5.53).
func beginsAsHTML(lower []byte) bool {
	doctype, isDoctype := bytes.CutPrefix(lower, []byte("<!doctype"))
	return isDoctype && bytes.HasPrefix(bytes.TrimLeft(doctype, decode.Spaces), []byte("html")) || bytes.HasPrefix(lower, []byte("<html")) || bytes.HasPrefix(lower, []byte("<head>"))
}

// typeOfXML returns the media type of XML with this beginning, "" if it does not look like XML that
// can be scanned as such.
func typeOfXML(lower []byte) string {
	switch {
	case bytes.HasPrefix(lower, []byte("<svg")):
		return SVG
	case bytes.HasPrefix(lower, []byte("<?xml")):
		return typeOfRoot(lower)
	}
	if tag, ok := bytes.CutPrefix(lower, []byte("<")); ok {
		return rootType(tag)
	}
	return ""
}

// typeOfRoot returns the media type of XML by its first element, "" if there is none.
func typeOfRoot(lower []byte) string {
	for rest := lower; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 || i+1 == len(rest) {
			return ""
		}
		rest = rest[i+1:]
		switch {
		case bytes.HasPrefix(rest, []byte("!--")):
			_, rest, _ = bytes.Cut(rest, []byte("-->"))
		case bytes.HasPrefix(rest, []byte("html")):
			return XHTML
		case bytes.HasPrefix(rest, []byte("svg")):
			return SVG
		case ascii.IsLetter(rest[0]):
			if t := rootType(rest); t != "" {
				return t
			}
			return XML
		}
	}
}

// rootType returns the media type of XML whose root element has this tag, in lower case and without
// its "<"; "" if the type is not known.
func rootType(tag []byte) string {
	end := bytes.IndexAny(tag, decode.Spaces+">")
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
		return OPML
	case "kml":
		return "application/vnd.google-earth.kml+xml"
	case "urlset", "sitemapindex", "plist": // the last is of Apple, as in .webloc
		return XML
	}
	return ""
}

// htmlTags are the tags at the beginning of HTML, in lower case (MIME Sniffing 7.1). Only pages of a
// crawler are recognised by them alone: mail and text files may also begin with them.
var htmlTags = []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p"}

// LooksLikeHTML reports whether a body of an undeclared type is HTML.
func LooksLikeHTML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), "\t\n\f\r ")
	if bytes.HasPrefix(head, []byte("<!--")) {
		return true
	}
	return slices.ContainsFunc(htmlTags, func(tag string) bool {
		return len(head) > len(tag) && (head[len(tag)] == ' ' || head[len(tag)] == '>') && strings.EqualFold(string(head[:len(tag)]), tag)
	})
}

// IsPage reports whether a file without a suffix that begins with head is HTML. It begins as a page or as
// LooksLikeHTML says, but so does Markdown, and text after a comment. It is no page if a line of head
// belongs to Markdown, or if its first comments precede text or XML of a known type.
func IsPage(head []byte) bool {
	text, ok := afterComments(head)
	switch lower := lowerHead(text); {
	case !ok: // a comment that ends later, such as a licence
		return true
	case lower == nil, typeOfXML(lower) != "":
		return false
	case beginsAsHTML(lower):
		return true
	}
	return LooksLikeHTML(head) && !markdownLine.Match(head)
}

// afterComments returns what follows the comments at the beginning of head; ok is false if the last of them
// does not end there.
func afterComments(head []byte) (text []byte, ok bool) {
	text = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for {
		text = bytes.TrimLeft(text, decode.Spaces)
		comment, isComment := bytes.CutPrefix(text, []byte("<!--"))
		if !isComment {
			return text, true
		}
		_, text, ok = bytes.Cut(comment, []byte("-->"))
		if !ok {
			return nil, false
		}
	}
}

// markdownLine finds a heading or a fence of Markdown, or a link. Indexing and a call in a script (a[b](c))
// is none: a link has a URL, a path or a fragment.
var markdownLine = lazy.New("\\n(?:#{1,6} |```)|\\]\\((?:[./#]|[\\w-]+[:./])")

// LooksBinary reports whether a body that begins with head is not text. More than one in sixteen
// bytes cannot occur in text (MIME Sniffing 3, binary data byte), and it is not UTF-16.
func LooksBinary(head []byte) bool {
	n := 0
	for _, c := range head {
		if c < ' ' && (c <= 0x08 || c == 0x0b || 0x0e <= c && c != 0x1b) {
			n++
		}
	}
	return n > len(head)/16 && decode.SniffUTF16(head) == "" && !strings.HasPrefix(decode.ByteOrderMark(head), "utf-16")
}
