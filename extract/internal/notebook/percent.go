package notebook

import (
	"bytes"
	"iter"
	"strconv"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A PercentScanner scans a script in the percent format of Jupytext, whose cells begin with lines
// "# %%" and "# %% [markdown]". It may be reused, but several goroutines must not use it at once.
type PercentScanner struct {
	item  scan.Item
	value []byte
	m     scan.Map
}

// Scan yields a Body for each cell of src in source order: text, or Markdown without its comment marks
// or quotes. The Name of a cell is its number, from 1; the text before the first
// cell is cell 0. Every input is valid. The time is linear in len(src).
func (s *PercentScanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		number, mediaType, start := 0, textType, 0
		for at := 0; at <= len(src); {
			end := ascii.NextLine(src, at)
			next, isCell := cellOf(src[at:end])
			if isCell || end == len(src) {
				cellEnd := at
				if !isCell {
					cellEnd = end
				}
				if cellEnd > start && !yield(s.cell(src, start, cellEnd, mediaType, strconv.Itoa(number))) {
					break
				}
				number, mediaType, start = number+1, next, end
			}
			if end == len(src) {
				break
			}
			at = end
		}
		s.item = scan.Item{}
		s.m.Reset()
	}
}

// cellOf reports whether a line begins a cell, and the type of the cell.
func cellOf(line []byte) (mediaType string, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte("#"))
	if !ok {
		return "", false
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte("%%"))
	if !ok || len(rest) > 0 && rest[0] != ' ' && rest[0] != '\n' && rest[0] != '\r' && rest[0] != '%' {
		return "", false
	}
	if bytes.Contains(rest, []byte("[markdown]")) || bytes.Contains(rest, []byte("[md]")) {
		return markdownType, true
	}
	return textType, true
}

// cell returns the Body of a cell.
func (s *PercentScanner) cell(src []byte, start, end int, mediaType, name string) *scan.Item {
	s.item = scan.Item{Op: scan.Body, Type: mediaType, Name: name, Span: scan.Span{Start: start, End: end}, Value: src[start:end]}
	s.m.Reset()
	if mediaType == textType {
		s.m.Add(end-start, start, 1, 1)
		s.item.Map = &s.m
		return &s.item
	}
	s.value = s.value[:0]
	from, to, isQuoted := quotedCell(src, start, end)
	for at := from; at < to; {
		next := min(ascii.NextLine(src, at), to)
		text := at
		if !isQuoted && src[at] == '#' {
			text++
			if text < next && src[text] == ' ' {
				text++
			}
		}
		s.value = append(s.value, src[text:next]...)
		s.m.Add(next-text, text, 1, 1)
		at = next
	}
	s.item.Value, s.item.Map = s.value, &s.m
	return &s.item
}

// quotedCell returns the range of a cell's text within a string of three quotes. ok is false if the
// text is not in such a string.
func quotedCell(src []byte, start, end int) (from, to int, ok bool) {
	body := src[start:end]
	text := bytes.TrimLeft(body, " \t\r\n")
	if len(text) > 0 && (text[0] == 'r' || text[0] == 'R') {
		text = text[1:]
	}
	for _, quote := range []string{`"""`, `'''`} {
		if bytes.HasPrefix(text, []byte(quote)) {
			from = end - len(text) + len(quote)
			if i := bytes.LastIndex(src[from:end], []byte(quote)); i >= 0 {
				return from, from + i, true
			}
		}
	}
	return start, end, false
}

// IsPercent reports whether a script that begins with head is in the percent format, and has Markdown
// cells.
func IsPercent(head []byte) bool {
	for at := 0; at < len(head); {
		i := bytes.Index(head[at:], []byte("%%"))
		if i < 0 {
			return false
		}
		line := bytes.LastIndexByte(head[:at+i], '\n') + 1
		end := ascii.NextLine(head, line)
		if t, ok := cellOf(head[line:end]); ok && t == markdownType {
			return true
		}
		at = max(end, at+i+2)
	}
	return false
}
