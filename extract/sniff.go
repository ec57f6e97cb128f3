package extract

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"example.org/refract/extract/container"
	"example.org/refract/extract/internal/decode"
	"example.org/refract/extract/warc"
	"example.org/refract/internal/ascii"
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

// detect finds the media type of an input by its name, otherwise by its first bytes, and its charset
// by its first bytes. The charset is "" if the bytes can be scanned as they are: ASCII, UTF-8, and
// every charset that contains ASCII.
func (c *Config) detect(name string, head []byte) (mediaType, label string) {
	ascii, label, binary := decode.Head(head)
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
		return opmlType
	case "kml":
		return "application/vnd.google-earth.kml+xml"
	case "urlset", "sitemapindex":
		return xmlType
	}
	return ""
}
