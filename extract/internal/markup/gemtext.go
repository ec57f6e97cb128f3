package markup

import (
	"bytes"
	"iter"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/prose"
)

// GemtextType is the media type of gemtext.
const GemtextType = "text/gemini"

// A Gemtext scans one document of gemtext, the hypertext of the Gemini protocol (text/gemini; "Gemini
// hypertext format", version 0.24.1). It may be reused, but several goroutines must not use it at once.
type Gemtext struct {
	Rules delimit.Rules // of references in text

	doc prose.Doc
}

// Scan yields the references of src in source order: the URL of each link line
// ("=>[<whitespace>]<URL>[<whitespace><label>]"), and the references that other lines and labels contain as
// running text. It skips preformatted text, between lines that begin with three backticks. src is UTF-8.
// Every input is valid, and the time is linear in len(src).
func (s *Gemtext) Scan(src []byte) iter.Seq[*scan.Item] {
	return s.doc.Scan(src, s.Rules, func() {
		isPreformatted := false
		for at := 0; at < len(src); {
			end, next := ascii.Line(src, at)
			switch line := src[at:end]; {
			case bytes.HasPrefix(line, []byte("```")):
				isPreformatted = !isPreformatted
			case isPreformatted:
			case bytes.HasPrefix(line, []byte("=>")):
				s.link(src, at+len("=>"), end)
			default:
				s.doc.Show(at, next)
			}
			at = next
		}
	})
}

// link reads the rest of a link line.
func (s *Gemtext) link(src []byte, at, end int) {
	for at < end && ascii.IsBlank(src[at]) {
		at++
	}
	stop := at
	for stop < end && !ascii.IsBlank(src[stop]) {
		stop++
	}
	if stop == at {
		return
	}
	s.doc.Add(prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Directive, In: "=>", Span: scan.Span{Start: at, End: stop}}, nil)
	s.doc.Show(stop, end)
}
