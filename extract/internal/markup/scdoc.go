package markup

import (
	"bytes"
	"iter"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/prose"
)

// ScdocType is the media type of the sources of scdoc.
const ScdocType = "text/x-scdoc"

// A Scdoc scans the source of one manual page for scdoc (scdoc(5), version 1.11.3). It may be reused, but
// several goroutines must not use it at once.
type Scdoc struct {
	Rules delimit.Rules // of references

	doc prose.Doc
}

// Scan yields the references of src, which is running text, in source order. "++" at the end of a line
// breaks the line: it belongs to no URL. src is UTF-8. Every input is valid, and the time is linear in
// len(src).
func (s *Scdoc) Scan(src []byte) iter.Seq[*scan.Item] {
	lineBreak := []byte("++\n")
	return s.doc.Scan(src, s.Rules, func() {
		for at := 0; at < len(src); {
			n := bytes.Index(src[at:], lineBreak)
			if n < 0 {
				s.doc.Show(at, len(src))
				return
			}
			s.doc.Show(at, at+n)
			at += n + len(lineBreak) - 1 // the end of the line stays
		}
	})
}
