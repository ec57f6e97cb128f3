package extract

import (
	"bytes"

	"example.org/refract/extract/container"
	"example.org/refract/extract/warc"
	"example.org/refract/internal/ascii"
)

// detect finds the media type of an input by its name, otherwise by its first bytes, and its charset
// by its first bytes. The charset is "" if the bytes can be scanned as they are: ASCII, UTF-8, and
// every charset that contains ASCII.
func (c *Config) detect(name string, head []byte) (mediaType, label string) {
	ascii, label, binary := decodeHead(head)
	binary = binary || typeOfBinary(head) != ""
	mediaType, ok := c.typeOfName(name)
	isText := mediaType == textType
	if f := c.FormatOfName(name); f != nil && f.Sniff != nil && !binary {
		if t := f.sniff(head, ascii); t != "" {
			return t, label
		}
	}
	if f := c.FormatOfName(name); f != nil && f.onlySniffed {
		mediaType, ok = "", false
	}
	if k := c.ContainerOfName(name); k != nil && k.onlySniffed && c.FormatOfName(name) == nil {
		if (k.IsPackage() || k.Types[0] == waczType) && container.IsZip(head) {
			return k.Types[0], ""
		}
		mediaType, ok = "", false
	}
	if !ok && suffix(name) == ".arc" && warc.IsRecord(head) {
		return warcType, ""
	}
	if !ok || isText {
		if k := c.sniffContainer(head, isText); k != nil {
			return k.Types[0], ""
		}
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
	if binary {
		return binaryType, ""
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

// decodeHead returns the ASCII characters of the first bytes of an input; the charset, if that is
// UTF-16; and whether the bytes are binary.
func decodeHead(head []byte) (ascii []byte, label string, binary bool) {
	if mark := byteOrderMark(head); mark == "utf-16le" || mark == "utf-16be" {
		return narrow(head[2:]), mark, false
	}
	if bytes.IndexByte(head, 0) < 0 {
		return head, "", false
	}
	if label = sniffUTF16(head); label != "" {
		return narrow(head), label, false
	}
	return head, "", true
}

// narrow returns the ASCII characters of UTF-16 text.
func narrow(head []byte) []byte { return bytes.ReplaceAll(head, []byte{0}, nil) }

// sniffUTF16 returns the charset of bytes that look like UTF-16, "" for other bytes.
func sniffUTF16(head []byte) string {
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

// lowerHead returns the first tag of a document and the text after it, in lower case; nil if the
// document does not begin with a tag.
func lowerHead(head []byte) []byte {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), spaces)
	if len(head) == 0 || head[0] != '<' {
		return nil
	}
	lower := bytes.Clone(head[:min(len(head), 1024)])
	ascii.Lower(lower)
	return lower
}

// markup returns the media type of HTML or XML that can be scanned as such, by its beginning (MIME
// Sniffing 7.1, except for beginnings that text may have, too).
func markup(head []byte) string {
	lower := lowerHead(head)
	if beginsAsHTML(lower) {
		return htmlType
	}
	if t := typeOfXML(lower); t != "" {
		return t
	}
	return textType
}

func sniffHTML(head []byte) string {
	if beginsAsHTML(lowerHead(head)) {
		return htmlType
	}
	return ""
}

func sniffXML(head []byte) string { return typeOfXML(lowerHead(head)) }

func beginsAsHTML(lower []byte) bool {
	return bytes.HasPrefix(lower, []byte("<!doctype html")) || bytes.HasPrefix(lower, []byte("<html")) || bytes.HasPrefix(lower, []byte("<head>"))
}

// typeOfXML returns the media type of XML with this beginning, "" if it does not look like XML that
// can be scanned as such.
func typeOfXML(lower []byte) string {
	switch {
	case bytes.HasPrefix(lower, []byte("<svg")):
		return svgType
	case bytes.HasPrefix(lower, []byte("<?xml")):
		if t := typeOfRoot(lower); t != "" {
			return t
		}
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
			return xhtmlType
		case bytes.HasPrefix(rest, []byte("svg")):
			return svgType
		case ascii.IsLetter(rest[0]):
			if t := rootType(rest); t != "" {
				return t
			}
			return xmlType
		}
	}
}

// rootType returns the media type of XML whose root element has this tag, in lower case and without
// its "<"; "" if the type is not known.
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

// byteOrderMark is "BOM sniff" (Encoding 6.1): it returns the charset, "" if there is no mark.
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
