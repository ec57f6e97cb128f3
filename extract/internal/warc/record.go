package warc

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Record is one parsed record of an archive. Its byte slices alias the bytes from which it was
// parsed. It may be reused.
type Record struct {
	Type      Type
	Target    []byte // URL of the retrieved resource, without brackets; nil if it has none
	From      string // the source of Target: "WARC-Target-URI", "ARC-URL"
	Date      []byte // when it was retrieved, as written: of WARC-Date, or the 14 digits of ARC; nil if it has none
	MediaType []byte // of the block, as written; nil if the record does not say
	Block     scan.Span

	head []byte // of WARC: the lines before the block
}

// Type is the purpose of a record.
type Type uint8

const (
	Other        Type = iota // of a type that no version of WARC defines, or without a type
	Response                 // the response of a server, and a record of ARC
	Resource                 // a resource retrieved otherwise
	Conversion               // another form of a retrieved resource
	Revisit                  // a resource that was retrieved before
	Metadata                 // data about a retrieved resource
	Request                  // the request that was sent
	Info                     // about the archive: warcinfo, and the version block of ARC
	Continuation             // continues a record of another file
)

var typeNames = [...]string{Response: "response", Resource: "resource", Conversion: "conversion", Revisit: "revisit",
	Metadata: "metadata", Request: "request", Info: "warcinfo", Continuation: "continuation"}

// Parse parses the record src, a Piece that is a record. The first of several fields with one name
// counts; for Content-Length the first that is a number. The block ends where the length says if only
// line ends follow, otherwise with src.
func (r *Record) Parse(src []byte) {
	*r = Record{}
	lead := blank(src)
	length := int64(-1)
	if bytes.HasPrefix(src[lead:], magic) {
		f := fields{src: src, at: lead}
		f.line()
		named := false
		for f.next() {
			switch {
			case ascii.EqualFold(f.name, "warc-type"):
				if !named {
					r.Type, named = typeNamed(f.value), true
				}
			case ascii.EqualFold(f.name, "warc-target-uri"):
				if r.Target == nil {
					r.Target, r.From = target(unfold(f.value)), "WARC-Target-URI"
				}
			case ascii.EqualFold(f.name, "warc-date"):
				if r.Date == nil {
					r.Date = f.value
				}
			case ascii.EqualFold(f.name, "content-type"):
				if r.MediaType == nil {
					r.MediaType = f.value
				}
			case ascii.EqualFold(f.name, "content-length"):
				if length < 0 {
					length = parseLength(f.value)
				}
			}
		}
		r.Block.Start, r.head = f.at, src[lead:f.at]
	} else {
		l := arcLine(src[lead:])
		r.Type, r.Target, r.From, r.MediaType, r.Block.Start, length = Response, l.url, "ARC-URL", l.mediaType, lead+l.end, l.length
		r.Date = l.date
		if bytes.HasPrefix(l.url, fileDesc) {
			r.Type = Info
		}
	}
	r.Block.End = len(src)
	rest := src[r.Block.Start:]
	if length >= 0 && length <= int64(len(rest)) && len(bytes.Trim(rest[length:], "\r\n")) == 0 {
		r.Block.End = r.Block.Start + int(length)
		return
	}
	for range 2 { // the line ends after it
		rest = bytes.TrimSuffix(rest, []byte("\n"))
		rest = bytes.TrimSuffix(rest, []byte("\r"))
	}
	r.Block.End = r.Block.Start + len(rest)
}

// Field returns the first field with a name in the header of a record of WARC, as written; nil if there is
// none.
func (r *Record) Field(name string) []byte {
	f := fields{src: r.head}
	f.line()
	for f.next() {
		if strings.EqualFold(string(f.name), name) {
			return f.value
		}
	}
	return nil
}

// Time returns the date of the record in UTC; the zero time if it has none that can be read. Dates of
// WARC 1.0 are like 2017-03-06T04:02:06Z; WARC 1.1 has fractions of a second, and dates without a time.
func (r *Record) Time() time.Time {
	text := string(r.Date[:min(len(r.Date), len("2017-03-06T04:02:06.123456789Z"))])
	for _, layout := range [...]string{time.RFC3339, "20060102150405", "2006-01-02T15:04Z", "2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// String returns the name of t in WARC-Type; "" for Other.
func (t Type) String() string {
	if int(t) >= len(typeNames) {
		return fmt.Sprintf("Type(%d)", uint8(t))
	}
	return typeNames[t]
}

func typeNamed(name []byte) Type {
	for t, s := range typeNames {
		if t > 0 && ascii.EqualFold(name, s) {
			return Type(t)
		}
	}
	return Other
}

// target returns the URL in a WARC-Target-URI: wget, and the grammar of WARC 1.0, put it in brackets.
func target(value []byte) []byte {
	if len(value) > 1 && value[0] == '<' && value[len(value)-1] == '>' {
		return bytes.TrimSpace(value[1 : len(value)-1])
	}
	return value
}

// fields reads the fields of a header, from src[at:] to the line after the empty line. Fields may be
// folded, and lines that are not fields are skipped.
type fields struct {
	src   []byte
	at    int
	ended bool // by a blank line

	name, value []byte // of the current field; value is without spaces around it
	start       int    // of value
}

// line moves to the next line, and returns where the current one begins and ends, without its line
// end.
func (f *fields) line() (start, end int) {
	start, end = f.at, len(f.src)
	if i := bytes.IndexByte(f.src[start:], '\n'); i >= 0 {
		end = start + i
	}
	f.at = min(end+1, len(f.src))
	for end > start && f.src[end-1] == '\r' {
		end--
	}
	return start, end
}

func (f *fields) next() bool {
	for f.at < len(f.src) {
		start, end := f.line()
		if start == end {
			f.ended = f.src[f.at-1] == '\n'
			return false
		}
		i := bytes.IndexByte(f.src[start:end], ':')
		if i < 0 || ascii.IsBlank(f.src[start]) {
			continue
		}
		f.name = f.src[start : start+trimmed(f.src[start:start+i])]
		for f.at < len(f.src) && ascii.IsBlank(f.src[f.at]) {
			_, end = f.line()
		}
		for f.start = start + i + 1; f.start < end && ascii.IsSpace(f.src[f.start]); {
			f.start++
		}
		end = max(end, f.start)
		f.value = f.src[f.start : f.start+trimmed(f.src[f.start:end])]
		return true
	}
	return false
}

// trimmed returns the length of s without trailing spaces.
func trimmed(s []byte) int {
	n := len(s)
	for n > 0 && ascii.IsSpace(s[n-1]) {
		n--
	}
	return n
}

// unfold returns a value without its line breaks, and without the white space at the beginning of its
// continuation lines.
func unfold(value []byte) []byte {
	if bytes.IndexByte(value, '\n') < 0 {
		return value
	}
	var out []byte
	for line := range bytes.Lines(value) {
		out = append(out, bytes.TrimLeft(bytes.TrimRight(line, "\r\n"), " \t")...)
	}
	return out
}
