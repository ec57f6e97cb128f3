// Package template scans the templates of web pages for references: Nunjucks and Liquid, PHP, pages of
// Astro, and modules with JSX.
//
// Everything other than HTML is masked in a copy of the same length, which package html scans, so that
// every offset is right. A reference that contains a template or an expression is reported with its source
// text, because its target is unknown.
//
//	template.go  Scanner
//	tags.go      Nunjucks and Liquid
//	php.go       PHP
//	code.go      Astro and JSX: tags in code, and code in tags
package template

import (
	"bytes"
	"iter"

	"example.org/refract/extract/html"
	"example.org/refract/extract/scan"
)

// A Language is a language of templates.
type Language uint8

const (
	Nunjucks Language = iota // {{ value }}, {% tag %} and {# comment #} in HTML
	Liquid                   // the same without {# comment #}
	Astro                    // a script between lines of "---", then HTML with expressions in braces
	JSX                      // JavaScript or TypeScript with elements in it
	PHP                      // HTML with programs in it: <?php statements ?>, <?= value ?>
)

// A Scanner scans one template. It may be reused, but not by several goroutines at once.
type Scanner struct {
	Language Language
	HTML     html.Scanner // scans the HTML

	properties string // that HTML.Properties are made of

	src  []byte
	text []byte // src, with everything masked that is not HTML
	item scan.Item
}

// SetProperties sets the properties of components that are references, beside those that are by convention,
// to a list that [html.NewProperties] reads.
func (s *Scanner) SetProperties(list string) {
	if s.properties != list {
		s.HTML.Properties, s.properties = html.NewProperties(list), list
	}
}

// mark stands for each byte of a template or an expression in the value of an attribute.
const mark = 'x'

// Scan yields the references, anchors and notes of src in source order. src is UTF-8. Every input is
// valid. The time is linear in len(src).
//
// A reference that contains a template or an expression has its source text as the Value. Exceptions:
// {{ "x" | url }} is a reference to x with How Macro and In "filter/url"; an attribute of Astro or JSX
// whose expression is a string, or a call of require or useBaseUrl with a string, is a
// Speculative reference to that string. Anchors with templates are left out, as are references with programs of PHP.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.src = src
		isCode := s.Language == Astro || s.Language == JSX
		switch {
		case isCode:
			s.maskCode()
		case s.Language == PHP:
			s.maskPHP()
		default:
			s.maskTags()
		}
		s.HTML.Fragment, s.HTML.Components = s.Language != PHP, isCode
		for it := range s.HTML.Scan(s.text) {
			if it = s.restored(it, isCode); it != nil && !yield(it) {
				break
			}
		}
		s.src, s.text, s.item = nil, nil, scan.Item{}
	}
}

// restored returns an Item with the source text for what is masked in it, or nil to leave it out.
func (s *Scanner) restored(it *scan.Item, isCode bool) *scan.Item {
	at := it.Span
	if !s.isMasked(at) {
		return it
	}
	if it.Op != scan.Ref || s.Language == PHP {
		return nil
	}
	s.item = *it
	if isCode {
		at = s.expression(at)
	} else if inner, ok := urlFilter(s.src[at.Start:at.End]); ok {
		at = scan.Span{Start: at.Start + inner.Start, End: at.Start + inner.End}
		s.item.How, s.item.In = scan.Macro, "filter/url"
	}
	s.item.Span, s.item.Value, s.item.Meant, s.item.Map = at, s.src[at.Start:at.End], "", nil
	return &s.item
}

// expression returns the range of the reference in a value that is an expression or a template literal,
// given without its braces or quotes: that of a string, or all with the braces.
func (s *Scanner) expression(at scan.Span) scan.Span {
	if at.Start == 0 || at.End == len(s.src) {
		return at
	}
	v := s.src[at.Start:at.End]
	switch s.src[at.Start-1] {
	case '{':
		inner, ok := stringIn(v)
		if !ok {
			return scan.Span{Start: at.Start - 1, End: at.End + 1}
		}
		at = scan.Span{Start: at.Start + inner.Start, End: at.Start + inner.End}
		s.item.Labels |= scan.Speculative
	case '`':
		if !bytes.Contains(v, []byte("${")) {
			s.item.Labels |= scan.Speculative
		}
	}
	return at
}

// isMasked reports whether a range contains a template or an expression.
func (s *Scanner) isMasked(at scan.Span) bool {
	for i := at.Start; i < at.End; i++ {
		if s.text[i] != s.src[i] {
			return true
		}
	}
	return false
}

// urlFilter returns the range of x in {{ "x" | url }}.
func urlFilter(v []byte) (scan.Span, bool) {
	rest, ok := bytes.CutPrefix(v, []byte("{{"))
	if !ok {
		return scan.Span{}, false
	}
	rest = bytes.TrimLeft(rest, "- \t\r\n")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return scan.Span{}, false
	}
	start := len(v) - len(rest) + 1
	n := bytes.IndexByte(rest[1:], rest[0])
	if n < 0 {
		return scan.Span{}, false
	}
	filter, ok := bytes.CutPrefix(bytes.TrimSpace(rest[n+2:]), []byte("|"))
	if !ok || string(bytes.Trim(bytes.TrimSuffix(filter, []byte("}}")), "- \t\r\n")) != "url" {
		return scan.Span{}, false
	}
	return scan.Span{Start: start, End: start + n}, true
}

// stringCalls are the functions whose argument is a reference.
var stringCalls = []string{"", "require(", "useBaseUrl("}

// stringIn returns the range of the string that an expression consists of, or that it passes to one of
// stringCalls.
func stringIn(v []byte) (scan.Span, bool) {
	open := bytes.IndexAny(v, "\"'`")
	if open < 0 || bytes.IndexByte(v, '\\') >= 0 {
		return scan.Span{}, false
	}
	n := bytes.IndexByte(v[open+1:], v[open])
	if n <= 0 || bytes.Contains(v, []byte("${")) {
		return scan.Span{}, false
	}
	before, after := string(bytes.TrimSpace(v[:open])), string(bytes.TrimSpace(v[open+n+2:]))
	for _, call := range stringCalls {
		if before == call && (after == "" && call == "" || call != "" && (after == ")" || after == ").default")) {
			return scan.Span{Start: open + 1, End: open + 1 + n}, true
		}
	}
	return scan.Span{}, false
}

// blank masks text[from:to] as nothing. Line ends stay.
func blank(text []byte, from, to int) {
	for i := from; i < to; i++ {
		if text[i] != '\n' && text[i] != '\r' {
			text[i] = ' '
		}
	}
}

// fill masks src[from:to] as a part of a value. It changes each byte.
func (s *Scanner) fill(from, to int) {
	for i := from; i < to; i++ {
		s.text[i] = mark
		if s.src[i] == mark {
			s.text[i] = mark + 1
		}
	}
}
