package ooxml

import (
	"bytes"
	"iter"
	"slices"

	"example.org/refract/delimit"
	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/prose"
	"example.org/refract/internal/xmlread"
)

// A Scanner scans one part. The zero Scanner has the defaults. It may be reused, but several goroutines
// must not use it at once.
type Scanner struct {
	Anchors bool          // yield an Anchor for each bookmark and sheet
	Rules   delimit.Rules // of references in text

	r      xmlread.Reader
	doc    prose.Doc
	src    []byte
	fields []field // open ones, the outermost first
	text   piece   // of a formula or the instruction of a simple field
	ins    lexicon.Paths
	reads  int  // elements of text that are open
	hidden int  // depth within the second form of alternate content
	isFunc bool // within a formula
	isCode bool // within the instruction of a field
	isStr  bool // the value of the current cell is text
}

// A field is one that begins with a fldChar (Part 1 section 17.16.18).
type field struct {
	piece
	isOver bool // the instruction is over; its result follows
}

// A piece is text put together from runs, with its map to the part.
type piece struct {
	b []byte
	m scan.Map
}

// maxFields limits how deeply fields nest, and maxPiece the length of an instruction in bytes.
const (
	maxFields = 32
	maxPiece  = 64 << 10
)

// Scan yields the references and anchors of src in source order. src is UTF-8. Every src is valid. The time
// is linear in len(src).
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.src = src
		s.doc.Reset(src)
		s.doc.Plain.Finder.Rules = s.Rules
		s.fields, s.reads, s.hidden, s.isFunc, s.isCode, s.isStr = s.fields[:0], 0, 0, false, false, false
		xmlread.Items(&s.r, &s.doc, src, xmlread.Handler{Start: s.start, End: s.end, Characters: s.characters, Between: s.isBetween}, yield)
		s.src = nil
	}
}

// isBetween reports whether no instruction or formula is open whose reference would precede the text read
// so far.
func (s *Scanner) isBetween() bool {
	return !s.isFunc && !slices.ContainsFunc(s.fields, func(f field) bool { return !f.isOver })
}

// isText reports whether the content of an element is text: w:t, a:t, t of a shared string; and values of
// properties.
func isText(name []byte) bool {
	switch string(name) {
	case "t", "delText", "title", "subject", "description", "keywords", "lpwstr", "Company", "Manager", "oddHeader", "oddFooter", "text":
		return true
	}
	return false
}

// isBreak reports whether an element ends a reference in the text before it.
func isBreak(name []byte) bool {
	switch string(name) {
	case "p", "tab", "br", "cr", "si", "c", "is", "tc", "txbxContent", "comment", "footnote", "endnote", "ptab":
		return true
	}
	return false
}

func (s *Scanner) start() {
	r := &s.r
	if s.hidden > 0 || string(r.Name) == "Fallback" {
		s.hidden++
		return
	}
	switch {
	case isBreak(r.Name):
		s.doc.Break(r.Span.Start, r.Span.End)
		if string(r.Name) == "c" {
			t := r.Value("t")
			s.isStr = string(t) == "str" || string(t) == "inlineStr"
		}
	case isText(r.Name), string(r.Name) == "v" && s.isStr:
		s.reads++
		if string(r.Name) != "t" && string(r.Name) != "delText" {
			s.doc.Break(r.Span.Start, r.Span.End)
		}
	case isName(r.Name, "instrText", "delInstrText"):
		s.isCode = true
	case isName(r.Name, "f", "definedName"):
		s.isFunc = true
		s.text.reset()
	}
	switch string(r.Name) {
	case "fldChar":
		s.fieldChar()
	case "fldSimple":
		if at, ok := r.Attr("instr"); ok {
			s.text.reset()
			s.text.add(s.src, at)
			s.instruction(&s.text)
		}
	case "bookmarkStart":
		s.anchor("name")
	case "sheet":
		s.anchor("name")
	case "hyperlink":
		s.hyperlink()
	}
	for i := range r.Attrs {
		if a := &r.Attrs[i]; isName(a.Full, "href") { // r:href names a relationship
			s.attribute(a, scan.Link)
		} else if isName(a.Full, "src") && isName(r.Name, "imagedata", "fill") {
			s.attribute(a, scan.Embed)
		}
	}
}

func isName(name []byte, names ...string) bool {
	for _, n := range names {
		if string(name) == n {
			return true
		}
	}
	return false
}

func (s *Scanner) end() {
	if s.hidden > 0 {
		s.hidden--
		return
	}
	name := s.r.Name
	switch {
	case isName(name, "p", "si", "tc"):
		s.doc.Break(s.r.Span.Start, s.r.Span.End)
	case isText(name), string(name) == "v" && s.isStr:
		s.reads = max(0, s.reads-1)
	case isName(name, "instrText", "delInstrText"):
		s.isCode = false
	case isName(name, "f", "definedName"):
		if s.isFunc {
			s.isFunc = false
			s.formula(&s.text)
		}
	}
}

// characters reads text.
func (s *Scanner) characters() {
	at := s.r.Span
	if s.hidden > 0 || at.End <= at.Start {
		return
	}
	isRaw := s.r.Kind == xmlread.CData
	switch n := len(s.fields); {
	case s.isFunc:
		s.text.add(s.src, at)
	case s.isCode, s.reads > 0 && n > 0 && !s.fields[n-1].isOver:
		if n > 0 && !s.fields[n-1].isOver {
			s.fields[n-1].add(s.src, at)
		}
	case s.reads > 0 && isRaw:
		s.doc.Text(at.Start, at.End)
	case s.reads > 0:
		xmlread.Pieces(s.src, at, func(out []byte, from, to int) {
			if len(out) == to-from {
				s.doc.Text(from, to)
			} else {
				s.doc.Undone(out, from, to)
			}
		})
	}
}

func (p *piece) reset() {
	p.b = p.b[:0]
	p.m.Reset()
}

// add adds the text at a range of src, unless the piece is too long.
func (p *piece) add(src []byte, at scan.Span) {
	if len(p.b)+at.End-at.Start <= maxPiece {
		p.b = xmlread.Decode(p.b, &p.m, src, at)
	}
}

// fieldChar reads the beginning, the middle or the end of a field.
func (s *Scanner) fieldChar() {
	n := len(s.fields)
	switch string(s.r.Value("fldCharType")) {
	case "begin":
		if n == maxFields {
			return
		}
		if n < cap(s.fields) {
			s.fields = s.fields[:n+1]
			s.fields[n].reset()
			s.fields[n].isOver = false
		} else {
			s.fields = append(s.fields, field{})
		}
	case "separate":
		if n > 0 && !s.fields[n-1].isOver {
			s.fields[n-1].isOver = true
			s.instruction(&s.fields[n-1].piece)
		}
	case "end":
		if n > 0 {
			if !s.fields[n-1].isOver {
				s.instruction(&s.fields[n-1].piece)
			}
			s.fields = s.fields[:n-1]
		}
	}
}

// anchor adds the Anchor that an attribute names.
func (s *Scanner) anchor(attr string) {
	if at, ok := s.r.Attr(attr); ok && s.Anchors && at.End > at.Start {
		s.doc.Add(prose.Item{Op: scan.Anchor, Span: at, In: s.ins.Join(s.r.Full, attr)}, xmlread.Decode(nil, nil, s.src, at))
	}
}

// hyperlink reads a link to a place in the document. Those with a relationship are references there.
func (s *Scanner) hyperlink() {
	for _, a := range s.r.Attrs {
		if isName(a.Name, "id") && len(a.Full) > len(a.Name) && a.Value.End > a.Value.Start {
			return
		}
	}
	for _, name := range [...]string{"anchor", "location"} {
		at, ok := s.r.Attr(name)
		if !ok || at.End == at.Start {
			continue
		}
		it := prose.Item{Op: scan.Ref, Kind: scan.Link, How: scan.Attribute, Span: at, In: s.ins.Join(s.r.Full, s.fullName(name)), Meant: "#"}
		value := xmlread.Decode(nil, nil, s.src, at)
		if bytes.HasPrefix(value, []byte("#")) {
			it.Meant = ""
		}
		s.doc.Add(it, value)
		return
	}
}

// fullName returns the name of an attribute with its prefix.
func (s *Scanner) fullName(local string) string {
	for _, a := range s.r.Attrs {
		if string(a.Name) == local {
			return string(a.Full)
		}
	}
	return local
}

// attribute adds the reference in an attribute of VML.
func (s *Scanner) attribute(a *xmlread.Attr, kind scan.Kind) {
	if a.Value.End > a.Value.Start {
		value := xmlread.Decode(nil, nil, s.src, a.Value)
		it := prose.Item{Op: scan.Ref, Kind: kind, How: scan.Attribute, IgnoresBase: true, Span: a.Value, In: s.ins.Join(s.r.Full, string(a.Full))}
		s.doc.Add(it, value)
	}
}
