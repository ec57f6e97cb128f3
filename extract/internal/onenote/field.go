package onenote

import (
	"bytes"
	"iter"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/prose"
)

// TextType is the type of a text in a section, as its Body has it; it is not registered.
const TextType = "text/x-onenote"

// field is how a link begins in a text: U+FDDF, the name of the field, and the URL in quotes. The text of
// the link follows, and nothing marks its end.
const field = "\uFDDFHYPERLINK \""

// fieldMark is U+FDDF in UTF-16.
var fieldMark = []byte("\xdf\xfd")

// A TextScanner scans one text. It may be reused, but several goroutines must not use it at once.
type TextScanner struct {
	Rules delimit.Rules // of references in text

	doc prose.Doc
}

// Scan yields the links of a text, and the references that stand in it, in source order. src is UTF-8.
// Every input is valid, and the time is linear in len(src).
func (s *TextScanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		at := 0
		for {
			i := bytes.Index(src[at:], []byte(field))
			if i < 0 {
				break
			}
			start := at + i + len(field)
			n := bytes.IndexByte(src[start:], '"')
			if n < 0 {
				break
			}
			s.doc.Show(at, at+i)
			if n > 0 {
				s.doc.Add(prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Macro, In: "HYPERLINK", Span: scan.Span{Start: start, End: start + n}, IgnoresBase: true}, nil)
			}
			at = start + n + 1
		}
		s.doc.Show(at, len(src))
	})
}
