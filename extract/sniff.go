package extract

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"example.org/refract/extract/container"
	"example.org/refract/extract/internal/decode"
	"example.org/refract/extract/internal/mediatype"
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
	binary = binary || mediatype.OfBinary(head) != ""
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
