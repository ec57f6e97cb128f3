// Package rtf scans RTF documents for references: fields that link or include (HYPERLINK, INCLUDEPICTURE, INCLUDETEXT,
// LINK), the template of the document, and URLs in its text. HTML that a mail program has encapsulated in RTF is
// yielded as HTML. Use it for the references of a document as they are written; package extract also resolves
// them.
//
// Sources: Rich Text Format (RTF) Specification, version 1.9.1; for fields, ECMA-376-1 section 17.16; for HTML,
// [MS-OXRTFEX].
package rtf

import (
	"bytes"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/charset"
	"example.org/refract/internal/prose"
)

// Type is the media type of RTF.
const Type = "application/rtf"

// Is reports whether a document that begins with head is RTF.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(`{\rtf`)) }

// A Scanner scans one document. The zero Scanner has the defaults. It may be reused, but
// several goroutines must not use it at once.
type Scanner struct {
	Rules delimit.Rules // of references in text

	doc      prose.Doc
	html     []byte // encapsulated HTML
	m        scan.Map
	groups   []group
	captures []int       // where the text of each begins in captured
	captured []byte      // the texts of all captures, the innermost last
	places   []scan.Span // of each byte of captured
	value    []byte
	fonts    map[int32]uint16
}

// Scan yields the references of src in source order, the base of hyperlinks first. Every input is valid. The
// time is linear in len(src).
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		var p parser
		if bytes.Contains(src, []byte(`\hlinkbase`)) { // the base comes first, wherever it is
			p = s.parser(src)
			p.read()
		}
		base, span := p.base, p.baseSpan
		if len(base) > 0 && !yield(&scan.Item{Op: scan.Base, Span: span, Value: base, In: "hlinkbase"}) {
			return
		}
		p = s.parser(src)
		p.base, p.yield = base, yield
		p.read()
		switch {
		case p.stopped:
		case p.isHTML:
			yield(&scan.Item{Op: scan.Body, Type: "text/html", Span: scan.Span{End: len(src)}, Value: s.html, Map: &s.m, More: &scan.More{Charset: "utf-8"}})
		default:
			s.doc.All(yield)
		}
	}
}

// parser returns a parser of src from its beginning.
func (s *Scanner) parser(src []byte) parser {
	s.doc.Reset(src)
	s.doc.Plain.Finder.Rules = s.Rules
	s.m.Reset()
	s.html, s.groups, s.captures, s.captured, s.places = s.html[:0], s.groups[:0], s.captures[:0], s.captured[:0], s.places[:0]
	if s.fonts == nil {
		s.fonts = make(map[int32]uint16)
	}
	clear(s.fonts)
	return parser{Scanner: s, src: src, codePage: 1252, current: group{skip: 1, codePage: 1252, capture: -1}}
}

// A destination says what the text of a group is.
type destination uint8

const (
	text        destination = iota // of the document
	skipped                        // not shown
	instruction                    // of a field
	linkBase                       // of hyperlinks
	template                       // of the document
	fontTable
	result  // of a field that is a link: its text has been said by the link
	htmlTag // encapsulated HTML
)

// A group holds the properties that end with it.
type group struct {
	to       destination
	codePage uint16
	skip     int32 // characters after \u
	capture  int32 // index in Scanner.captures; -1: none
	outer    int32 // captures that were open when the group began
	isLink   bool  // the instruction of this field was read: it is a link
	isField  bool
	isApart  bool // text that is not part of the text around it
	inRTF    bool // text for readers of RTF that do not know the encapsulated HTML
}

// A capture is the text of an instruction or of another value. It is a part of Scanner.captured, since groups
// nest: what a group captures ends before the group around it goes on.
type capture struct {
	text []byte
	at   []scan.Span // of each byte
}

const (
	maxGroups   = 4096    // deeper ones share the properties of the innermost
	maxCapture  = 1 << 16 // bytes; longer ones are left out
	maxCaptures = 1 << 18 // bytes of those that are open
)

// A parser reads one document. Without yield, it looks for the base only.
type parser struct {
	*Scanner
	yield    func(*scan.Item) bool
	passed   bool // Items have been yielded
	stopped  bool // yield returned false
	src      []byte
	at       int
	current  group
	deeper   int
	starred  bool // \* has been read
	codePage uint16
	font     int32 // in the font table
	isHTML   bool
	base     []byte
	baseSpan scan.Span

	left     int // characters to be skipped after \u
	high     rune
	highAt   int
	pending  []byte // bytes of a character in a charset of several bytes
	pendFrom int
	decoder  *charset.Decoder // of the code page decodes
	decodes  uint16
	buf      [16]byte
}

func (p *parser) read() {
	for p.at < len(p.src) && !p.stopped && (p.yield != nil || p.base == nil) {
		if p.doc.IsFull() {
			p.pass()
		}
		c := p.src[p.at]
		switch c {
		case '{':
			p.at++
			p.open()
		case '}':
			p.at++
			p.close()
		case '\\':
			p.control()
		case '\r', '\n':
			p.at++
		default:
			p.plain()
		}
	}
	p.at = len(p.src)
	for len(p.groups) > 0 {
		p.close()
	}
}

// pass yields the results so far, so that memory is bounded. An open instruction comes before its contents;
// if that is too much, the instruction is left out.
func (p *parser) pass() {
	if len(p.captures) > 0 && !p.doc.IsOverfull() {
		return
	}
	for i := range p.captures {
		p.captures[i] = leftOut
	}
	p.captured, p.places = p.captured[:0], p.places[:0]
	if p.yield != nil && !p.isHTML {
		p.doc.All(func(it *scan.Item) bool {
			p.stopped = !p.yield(it)
			return !p.stopped
		})
		p.passed = true
	}
	p.doc.Reset(p.src)
}

func (p *parser) open() {
	p.flush()
	p.left, p.starred = 0, false
	if len(p.groups) == maxGroups {
		p.deeper++
		return
	}
	p.groups = append(p.groups, p.current)
	p.current.outer = int32(len(p.captures))
	p.current.isLink, p.current.isField, p.current.isApart = false, false, false
}

func (p *parser) close() {
	p.flush()
	p.left, p.starred = 0, false
	if p.deeper > 0 {
		p.deeper--
		return
	}
	n := len(p.groups)
	if n == 0 {
		return
	}
	ended := p.current
	p.current = p.groups[n-1]
	p.groups = p.groups[:n-1]
	if ended.capture >= 0 && ended.capture != p.current.capture {
		isLink := p.finish(ended)
		p.current.isLink = p.current.isLink || isLink
	}
	p.drop(int(ended.outer))
	if ended.isApart && !p.isHTML && len(p.src) >= p.at {
		p.doc.Break(p.at-1, p.at)
	}
}

// drop ends the captures from n on.
func (p *parser) drop(n int) {
	if n == len(p.captures) {
		return
	}
	if from := p.captures[n]; from != leftOut {
		p.captured, p.places = p.captured[:from], p.places[:from]
	}
	p.captures = p.captures[:n]
}

// leftOut is in place of where a capture begins that is left out.
const leftOut = -1

// capture adds out, the decoded form of src[from:to], to the innermost capture.
func (p *parser) capture(out []byte, from, to int) {
	k := len(p.captures) - 1
	start := p.captures[k]
	switch {
	case start == leftOut:
	case len(p.captured)-start+len(out) > maxCapture || len(p.captured)+len(out) > maxCaptures:
		p.captured, p.places = p.captured[:start], p.places[:start]
		p.captures[k] = leftOut
	default:
		p.captured = append(p.captured, out...)
		for range out {
			p.places = append(p.places, scan.Span{Start: from, End: to})
		}
	}
}

// begin makes the current group a destination.
func (p *parser) begin(to destination) {
	p.flush()
	if p.current.to == skipped {
		return
	}
	p.drop(int(p.current.outer))
	p.current.to = to
	switch to {
	case text:
		p.current.isApart, p.current.capture = true, -1
		p.brk(p.at-1, p.at)
	case instruction, linkBase, template:
		p.current.capture = int32(len(p.captures))
		p.captures = append(p.captures, len(p.captured))
	default:
		p.current.capture = -1
	}
}

// plain reads text without controls.
func (p *parser) plain() {
	start := p.at
	if p.left > 0 {
		p.at++
		p.left--
		return
	}
	if len(p.pending) > 0 { // the second byte of a character may be ASCII
		p.at++
		p.byte(p.src[start], start, p.at)
		return
	}
	for p.at < len(p.src) {
		c := p.src[p.at]
		if c == '{' || c == '}' || c == '\\' || c == '\r' || c == '\n' || c >= utf8.RuneSelf {
			break
		}
		p.at++
	}
	if p.at > start {
		p.copy(start, p.at)
		return
	}
	// The specification allows ASCII only. Some programs write UTF-8, others their code page.
	if r, n := utf8.DecodeRune(p.src[start:]); r != utf8.RuneError {
		p.at += n
		p.put(p.src[start:p.at], start, p.at)
		return
	}
	p.at++
	p.byte(p.src[start], start, p.at)
}

// copy passes on src[from:to], which is ASCII.
func (p *parser) copy(from, to int) {
	p.high = 0
	if p.current.to == text && !p.isHTML {
		p.doc.Text(from, to)
		return
	}
	for i := from; i < to; i++ {
		p.put(p.src[i:i+1], i, i+1)
	}
}

// put passes on out, the decoded form of src[from:to].
func (p *parser) put(out []byte, from, to int) {
	p.starred, p.high = false, 0
	g := &p.current
	switch {
	case g.to == htmlTag || g.to == text && p.isHTML:
		if !g.inRTF {
			p.html = append(p.html, out...)
			p.m.Add(len(out), from, len(out), to-from)
		}
	case g.to == text:
		p.doc.Undone(out, from, to)
	case g.capture >= 0 && g.to != skipped:
		p.capture(out, from, to)
	}
}

// brk passes on something that ends a reference in text, in place of src[from:to].
func (p *parser) brk(from, to int) {
	p.flush()
	switch {
	case p.isHTML:
	case p.current.to == text:
		p.doc.Break(from, to)
	default:
		p.put([]byte{' '}, from, to)
	}
}

// byte passes on a byte of the current code page.
func (p *parser) byte(c byte, from, to int) {
	page := p.current.codePage
	if m := charmaps[page]; m != nil {
		p.put(utf8.AppendRune(p.buf[:0], m.DecodeByte(c)), from, to)
		return
	}
	name := multibyte[page]
	if name == "" {
		p.put(utf8.AppendRune(p.buf[:0], utf8.RuneError), from, to)
		return
	}
	if len(p.pending) == 0 {
		p.pendFrom = from
	}
	p.pending = append(p.pending, c)
	if p.decoder == nil || p.decodes != page {
		p.decoder, p.decodes = charset.NewDecoder(name), page
	}
	out := p.buf[:0]
	for rest := p.pending; len(rest) > 0; {
		var n int
		out, n = p.decoder.Next(out, rest, false)
		if n == 0 {
			return
		}
		rest = rest[n:]
	}
	p.pending = p.pending[:0]
	p.put(out, p.pendFrom, to)
}

// flush drops a character that is not complete.
func (p *parser) flush() {
	p.pending, p.high = p.pending[:0], 0
}

// unit passes on a UTF-16 unit.
func (p *parser) unit(r rune, from, to int) {
	r &= 0xffff
	switch {
	case p.high != 0 && utf16.DecodeRune(p.high, r) != utf8.RuneError:
		p.put(utf8.AppendRune(p.buf[:0], utf16.DecodeRune(p.high, r)), p.highAt, to)
	case utf16.IsSurrogate(r) && r < 0xdc00:
		p.high, p.highAt = r, from
	default:
		p.put(utf8.AppendRune(p.buf[:0], r), from, to)
	}
}

// control reads a control word or a control symbol.
func (p *parser) control() {
	start := p.at
	p.at++
	if p.at == len(p.src) {
		return
	}
	if c := p.src[p.at]; !ascii.IsLetter(c) {
		p.at++
		p.symbol(c, start)
		return
	}
	for p.at < len(p.src) && ascii.IsLetter(p.src[p.at]) && p.at-start < 40 {
		p.at++
	}
	word := p.src[start+1 : p.at]
	n, hasNumber := p.parameter()
	if p.at < len(p.src) && p.src[p.at] == ' ' {
		p.at++
	}
	p.word(string(word), n, hasNumber, start)
}

// parameter reads the number of a control word.
func (p *parser) parameter() (n int, ok bool) {
	from := p.at
	if p.at < len(p.src) && p.src[p.at] == '-' {
		p.at++
	}
	digits := p.at
	for p.at < len(p.src) && p.at-digits < 10 && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
		p.at++
	}
	if p.at == digits {
		p.at = from
		return 0, false
	}
	v, err := strconv.ParseInt(string(p.src[from:p.at]), 10, 64)
	return int(max(min(v, 1<<31-1), -1<<31)), err == nil
}

// symbol reads a control symbol, "\" and c.
func (p *parser) symbol(c byte, start int) {
	if c == '\'' {
		if p.at+2 > len(p.src) || hexValue(p.src[p.at]) < 0 || hexValue(p.src[p.at+1]) < 0 {
			return
		}
		b := byte(hexValue(p.src[p.at])<<4 | hexValue(p.src[p.at+1]))
		p.at += 2
		if p.left > 0 {
			p.left--
			return
		}
		p.byte(b, start, p.at)
		return
	}
	if p.left > 0 && c != '*' {
		p.left--
		return
	}
	switch c {
	case '*':
		p.starred = true
	case '\\', '{', '}':
		p.put([]byte{c}, start, p.at)
	case '~':
		p.put([]byte("\u00a0"), start, p.at)
	case '_':
		p.put([]byte{'-'}, start, p.at)
	case '\r', '\n':
		p.line(start)
	}
}

// line passes on the end of a paragraph or line.
func (p *parser) line(start int) {
	if p.isHTML {
		p.put([]byte{'\n'}, start, p.at)
		return
	}
	p.brk(start, p.at)
}

func hexValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
