package message

import (
	"bytes"
	"strconv"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Partial is a message of the type message/partial: one fragment of a larger message (RFC 2046
// section 5.2.2).
type Partial struct {
	ID     string // of the larger message
	Number int    // of the fragment, from 1
	Total  int    // number of fragments; 0 if this one does not say it
	Body   int    // offset of the content of the fragment

	fields []scan.Span // of the heading; Body is where the last one, and the blank line after it, end
}

// maxFragments limits the fragments of a message.
const maxFragments = 1 << 12

// maxPartialHeading limits, in bytes, the heading of a fragment that ReadPartial reads.
const maxPartialHeading = 64 << 10

// ReadPartial reads the heading of the message src. It returns false if the message is not a fragment, or if
// one of the parameters is missing or invalid.
func ReadPartial(src []byte) (p Partial, ok bool) {
	p.fields, p.Body, ok = plainHeading(src)
	if !ok {
		return p, false
	}
	for _, f := range p.fields {
		n, colon := fieldName(src[f.Start:f.End])
		if !ascii.EqualFold(src[f.Start:f.Start+n], "content-type") {
			continue
		}
		in := params{rest: src[f.Start+colon+1 : f.End]}
		if !ascii.EqualFold(in.token(), "message/partial") {
			return p, false
		}
		for {
			key, value, ok := in.next()
			if !ok {
				break
			}
			switch number, err := strconv.Atoi(string(value)); {
			case ascii.EqualFold(key, "id"):
				p.ID = string(value)
			case err != nil || number < 1 || number > maxFragments:
			case ascii.EqualFold(key, "number"):
				p.Number = number
			case ascii.EqualFold(key, "total"):
				p.Total = number
			}
		}
		return p, p.ID != "" && len(p.ID) <= 1024 && p.Number > 0 && (p.Total == 0 || p.Number <= p.Total)
	}
	return p, false
}

// plainHeading returns the fields at the beginning of src, with the line breaks at their ends, and where
// the empty line after them ends. It returns false if there is anything else before that line.
func plainHeading(src []byte) (fields []scan.Span, body int, ok bool) {
	for line := 0; line < min(len(src), maxPartialHeading); {
		n := bytes.IndexByte(src[line:], '\n')
		if n < 0 {
			break
		}
		end := line + n + 1
		switch c := src[line]; {
		case c == '\n' || c == '\r' && n == 1:
			return fields, end, len(fields) > 0
		case c == ' ' || c == '\t':
			if len(fields) == 0 {
				return nil, 0, false
			}
			fields[len(fields)-1].End = end
		default:
			if _, colon := fieldName(src[line:end]); colon <= 0 {
				return nil, 0, false
			}
			fields = append(fields, scan.Span{Start: line, End: end})
		}
		line = end
	}
	return nil, 0, false
}

// Joined returns the ranges of the first fragment, src, that belong to the larger message, in order: of its
// own heading, all fields except those that the heading in it replaces; of that heading, only these; and
// the content (RFC 2046 section 5.2.2.1). If the content does not begin with a heading, all of it counts as
// content.
func (p *Partial) Joined(src []byte) []scan.Span {
	var spans []scan.Span
	add := func(from, to int) {
		if k := len(spans) - 1; k >= 0 && spans[k].End == from {
			spans[k].End = to
			return
		}
		spans = append(spans, scan.Span{Start: from, End: to})
	}
	for _, f := range p.fields {
		if !isOfContent(src[f.Start:f.End]) {
			add(f.Start, f.End)
		}
	}
	fields, body, ok := plainHeading(src[p.Body:])
	if !ok {
		add(p.Body-1, len(src)) // with the end of the blank line
		return spans
	}
	for _, f := range fields {
		if isOfContent(src[p.Body+f.Start : p.Body+f.End]) {
			add(p.Body+f.Start, p.Body+f.End)
		}
	}
	add(p.Body+body-1, len(src))
	return spans
}

// isOfContent reports whether a field of the larger message belongs to its own heading, not to that of the
// first fragment.
func isOfContent(field []byte) bool {
	n, _ := fieldName(field)
	name := field[:n]
	for _, s := range [...]string{"subject", "message-id", "encrypted", "mime-version"} {
		if ascii.EqualFold(name, s) {
			return true
		}
	}
	const prefix = "content-"
	return len(name) > len(prefix) && ascii.EqualFold(name[:len(prefix)], prefix)
}
