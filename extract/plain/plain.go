// Package plain scans running text for references, by the delimiting rules of package delimit. Use it where
// a scanner of a format meets running text: it yields Items. Package delimit yields offsets only.
package plain

import (
	"iter"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
)

// A Scanner scans one text. The zero Scanner has the default rules.
type Scanner struct {
	Finder delimit.Finder

	// Rest reports that the text before the window ended in a run that is too long for a reference, and
	// that may continue in the window. Window reads and sets it.
	Rest bool

	item  scan.Item
	more  scan.More
	parts []scan.Span
	value []byte
}

// Scan yields the references of src in source order, and a Note for each run that
// is longer than delimit.MaxReference.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) { s.Window(src, 0, len(src), true, yield) }
}

// Window yields the references that begin in src[at:end]. A reference begins at its opening delimiter. The
// last delimit.Before bytes of src[:at] are read as context, and src[end:] is the text that follows. With
// atEOF, nothing follows src. Otherwise src has at least delimit.MaxReference + 16 KiB after end, or
// nothing.
//
// It returns the offset where the next window begins, or -1 if yield returned false. This is end, with two
// exceptions: the end of the last reference, if that is after end; and an offset before end, if src ends
// there without atEOF and the bytes that follow decide whether a reference begins at that offset.
func (s *Scanner) Window(src []byte, at, end int, atEOF bool, yield func(*scan.Item) bool) int {
	for text, eof := src[:end], atEOF && end == len(src); ; {
		if s.Rest {
			at = delimit.Rest(src, at)
			s.Rest = at == len(src) && !atEOF
		}
		if at >= end && !eof {
			return at
		}
		span, next, ok := s.Finder.Next(text, at, eof)
		if !ok && !eof {
			// A reference that begins before end may extend past it.
			span, next, ok = s.Finder.Next(src, next, atEOF)
		}
		if !ok || span.Open >= end {
			s.item.Value = nil // drop the reference to src
			if !ok && !atEOF && end == len(src) {
				return next
			}
			return end
		}
		s.fill(src, span)
		if !yield(&s.item) {
			return -1
		}
		at, s.Rest = next, span.TooLong
	}
}

// fill makes an Item of a Span.
func (s *Scanner) fill(src []byte, span *delimit.Span) {
	it := &s.item
	*it = scan.Item{} // a Scanner around this one may have set other fields. A literal with values would be copied
	it.Kind, it.How, it.Meant = scan.Text, hows[span.How], span.Meant
	it.Span = scan.Span{Start: span.Start, End: span.End}
	switch {
	case span.TooLong:
		it.Op, it.Code = scan.Note, scan.CodeTooLong
		it.Text = "more than 65536 bytes without white space: not a reference"
		return
	case span.URL && span.How == delimit.Angle:
		it.In = "<URL:>"
	case span.URL:
		it.In = "URL:"
	}
	s.more.Longer = nil
	if span.Continued != nil {
		s.value = span.Continued.AppendTo(s.value[:0], src)
		s.more.Longer, s.more.Parts, s.more.Drop = s.value, nil, s.more.Drop[:0]
		it.More, it.Labels = &s.more, scan.MayContinue
	}
	if span.Joined == nil {
		it.Value = src[span.Start:span.End]
		return
	}
	s.more.Drop = s.more.Drop[:0]
	s.value = span.AppendTo(s.value[:0], src)
	it.Value = s.value
	s.parts = s.parts[:0]
	length := 0
	hyphens := span.Joined.Hyphens
	for _, p := range span.Joined.Parts {
		s.parts = append(s.parts, scan.Span(p))
		length += p.End - p.Start
		if len(hyphens) > 0 && hyphens[0] == p.End-1 {
			s.more.Drop = append(s.more.Drop, length-1)
			hyphens = hyphens[1:]
		}
	}
	s.more.Parts = s.parts
	it.More = &s.more
}

var hows = [...]scan.How{
	delimit.Bare: scan.Bare, delimit.Angle: scan.Angle, delimit.Quoted: scan.Quoted, delimit.Prefixed: scan.Prefixed,
}
