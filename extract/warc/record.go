package warc

import (
	"bytes"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Record is one record of an archive, taken apart. What it holds is of the bytes that
// it was parsed from. It may be used again.
type Record struct {
	Type      Type
	Target    []byte // URL of what was retrieved, without brackets; nil if it has none
	From      string // what gave Target: "WARC-Target-URI", "ARC-URL"
	MediaType []byte // of the block, as written; nil if the record does not say
	Block     scan.Span
}

// Type is what a record is for.
type Type uint8

const (
	Other        Type = iota // of a type that no version of WARC has, or none
	Response                 // what a server answered, and a record of ARC
	Resource                 // what was retrieved otherwise
	Conversion               // another form of what was retrieved
	Revisit                  // what was retrieved before
	Metadata                 // about what was retrieved
	Request                  // what was sent
	Info                     // about the archive: warcinfo, and the version block of ARC
	Continuation             // goes on with a record of another file
)

var typeNames = [...]string{Response: "response", Resource: "resource", Conversion: "conversion", Revisit: "revisit",
	Metadata: "metadata", Request: "request", Info: "warcinfo", Continuation: "continuation"}

// Parse takes apart the record that is src, a Piece that is not Junk. The first of several
// fields of a name counts, for Content-Length the first that is a number. The block ends
// where the length says if only line ends follow, otherwise with src.
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
		r.Block.Start = f.at
	} else {
		l := arcLine(src[lead:])
		r.Type, r.Target, r.From, r.MediaType, r.Block.Start, length = Response, l.url, "ARC-URL", l.mediaType, lead+l.end, l.length
		if bytes.HasPrefix(l.url, []byte("filedesc:")) {
			r.Type = Info
		}
	}
	r.Block.End = len(src)
	rest := src[r.Block.Start:]
	if length >= 0 && length <= int64(len(rest)) && len(bytes.Trim(rest[length:], "\r\n")) == 0 {
		r.Block.End = r.Block.Start + int(length)
		return
	}
	for range 2 { // the line ends behind it
		rest = bytes.TrimSuffix(rest, []byte("\n"))
		rest = bytes.TrimSuffix(rest, []byte("\r"))
	}
	r.Block.End = r.Block.Start + len(rest)
}

func typeNamed(name []byte) Type {
	for t, s := range typeNames {
		if t > 0 && ascii.EqualFold(name, s) {
			return Type(t)
		}
	}
	return Other
}

// target returns what a WARC-Target-URI names: wget, and the grammar of WARC 1.0, put it
// in brackets.
func target(value []byte) []byte {
	if len(value) > 1 && value[0] == '<' && value[len(value)-1] == '>' {
		return bytes.TrimSpace(value[1 : len(value)-1])
	}
	return value
}

// fields reads those of a header, from src[at:] to the line behind the blank one. They may
// be folded, and what is no field is passed over.
type fields struct {
	src   []byte
	at    int
	ended bool // by a blank line

	name, value []byte // of the field at hand; value is without blanks around
	start       int    // of value
}

// line goes to the next line, and returns where the one at hand begins and ends, without
// its line end.
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
		if i < 0 || isBlank(f.src[start]) {
			continue
		}
		f.name = f.src[start : start+trimmed(f.src[start:start+i])]
		for f.at < len(f.src) && isBlank(f.src[f.at]) {
			_, end = f.line()
		}
		for f.start = start + i + 1; f.start < end && isSpace(f.src[f.start]); {
			f.start++
		}
		end = max(end, f.start)
		f.value = f.src[f.start : f.start+trimmed(f.src[f.start:end])]
		return true
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isSpace(c byte) bool { return c <= ' ' && (isBlank(c) || c == '\r' || c == '\n') }

// trimmed is the length of s without the spaces behind.
func trimmed(s []byte) int {
	n := len(s)
	for n > 0 && isSpace(s[n-1]) {
		n--
	}
	return n
}

// unfold returns a value without its line breaks, and the blanks at the beginning of the
// lines behind them.
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
