package extract

import (
	"bytes"

	"example.org/refract/extract/scan"
)

// raw returns the bytes of a span as written; inside compressed data, as decompressed.
func (w *walker) raw(s scan.Span) []byte {
	for i := len(w.mappings) - 1; i >= 0; i-- {
		p := &w.mappings[i]
		if p.packed != nil {
			return p.packed[s.Start:s.End]
		}
		s = p.back(s)
	}
	s, _ = w.maps.Written(s)
	return w.text()[s.Start:s.End]
}

// position returns the Position in the input of a span of the current entity.
func (w *walker) position(s scan.Span) (p Position) {
	w.setPosition(&p, s)
	return p
}

// setPosition sets p to the Position in the input of a span of the current entity, and counts the lines up
// to it. Nearly all positions are requested in order, so each line is counted about once.
func (w *walker) setPosition(p *Position, s scan.Span) {
	s, exactOutward := w.outward(s)
	if w.excerpt != nil {
		*p = w.excerptPosition(s, exactOutward)
		return
	}
	back, exact := s, exactOutward
	if len(w.maps.Layers) > 0 {
		var exactWritten, exactSource bool
		s, exactWritten = w.maps.Written(s)
		back, exactSource = w.maps.Source(s)
		exact = exact && exactWritten && exactSource
	}
	p.Offset, p.Length, p.Line, p.Column, p.Exact = w.maps.Origin+int64(back.Start), back.End-back.Start, 0, 0, exact
	w.reached = p.Offset
	if w.line == 0 {
		return
	}
	if s.Start < w.counted { // a header gives the base of earlier fields
		text := w.text()
		if n := bytes.Count(text[s.Start:w.counted], newline); n > 0 {
			i := bytes.LastIndexByte(text[:s.Start], '\n') + 1
			back, _ := w.maps.Source(scan.Span{Start: i, End: i})
			w.line, w.lineStart = w.line-n, w.maps.Origin+int64(back.Start)
		}
		w.counted = s.Start
	}
	if s.Start > w.counted {
		w.line, w.lineStart = w.lineAt(w.counted, s.Start, w.line, w.lineStart)
		w.counted = s.Start
	}
	p.Line, p.Column = w.line, int(p.Offset-w.lineStart)+1
}

// excerptPosition is walker.position for a Batch with an excerpt.
func (w *walker) excerptPosition(s scan.Span, exact bool) Position {
	m := w.excerptMark(s.Start)
	w.reached = m.Offset + int64(s.Start-m.At)
	p := Position{Offset: w.reached, Length: s.End - s.Start, Exact: exact}
	if end := w.excerptMark(max(s.Start, s.End-1)); end != m { // the omitted bytes belong to the range
		p.Length = max(0, int(end.Offset+int64(s.End-end.At)-p.Offset))
		p.Exact = false
	}
	if w.line == 0 {
		return p
	}
	if w.counted < m.At || w.counted > s.Start {
		w.counted, w.line, w.lineStart = m.At, m.Line, m.LineStart
	}
	text := w.buf[w.counted:s.Start]
	if n := bytes.Count(text, newline); n > 0 {
		w.line += n
		w.lineStart = m.Offset + int64(w.counted-m.At+bytes.LastIndexByte(text, '\n')+1)
	}
	w.counted = s.Start
	p.Line, p.Column = w.line, int(p.Offset-w.lineStart)+1
	return p
}

// Offset returns the Offset in the input of a span of the current entity.
func (w *walker) offset(s scan.Span) int64 {
	s, _ = w.outward(s)
	if w.excerpt != nil {
		m := w.excerptMark(s.Start)
		return m.Offset + int64(s.Start-m.At)
	}
	return w.maps.Offset(s.Start)
}

// outward maps a span of the current entity to the entity of the Batch.
func (w *walker) outward(s scan.Span) (scan.Span, bool) {
	exact := true
	for i := len(w.mappings) - 1; i >= 0; i-- {
		p := &w.mappings[i]
		if p.m == nil {
			s.Start, s.End = s.Start+p.at, s.End+p.at
			continue
		}
		var e bool
		s, e = p.m.Back(s)
		exact = exact && e
	}
	return s, exact
}

func (p mapping) back(s scan.Span) scan.Span {
	if p.m == nil {
		return scan.Span{Start: s.Start + p.at, End: s.End + p.at}
	}
	s, _ = p.m.Back(s)
	return s
}

// partPosition returns the line and column, in its decoded part, of a span of the current entity.
func (w *walker) partPosition(s scan.Span) (line, column int) {
	if len(w.decoded) == 0 || w.line == 0 {
		return 0, 0
	}
	in := &w.decoded[len(w.decoded)-1]
	for i := len(w.mappings) - 1; i >= in.mappings; i-- {
		s = w.mappings[i].back(s)
	}
	if s.Start < in.counted {
		in.line -= bytes.Count(in.text[s.Start:in.counted], newline)
		in.start = bytes.LastIndexByte(in.text[:s.Start], '\n') + 1
	} else if n := bytes.Count(in.text[in.counted:s.Start], newline); n > 0 {
		in.line += n
		in.start = bytes.LastIndexByte(in.text[:s.Start], '\n') + 1
	}
	in.counted = s.Start
	return in.line + 1, s.Start - in.start + 1
}
