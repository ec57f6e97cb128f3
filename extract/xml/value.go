package xml

import (
	"bytes"
	"iter"
	"unicode/utf8"

	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// text is a decoded value, or a part of one, with the map back to the source.
type text struct {
	b  []byte
	at int       // where b begins in src, or, with a Map, in the text that the Map starts from
	m  *scan.Map // nil if b is bytes of src
}

// text returns the value at src[at:end], of an attribute or of content, in memory that the next call
// reuses.
func (s *Scanner) text(at, end int, attr bool) text {
	s.back.Reset()
	return decode(s, at, end, attr, s.value[:0], &s.back).keep(s)
}

// keep allows s to reuse the memory of t.
func (t text) keep(s *Scanner) text {
	if t.m != nil {
		s.value = t.b
	}
	return t
}

// decode returns src[at:end] with references decoded (4.4), and, in an attribute, with a space for
// each line end and tab (3.3.3). If anything is decoded, the result is appended to buf, and m, if not
// nil, maps it back to the source.
func decode(s *Scanner, at, end int, attr bool, buf []byte, m *scan.Map) text {
	v := s.src[at:end]
	if !odd(v, attr) {
		return text{b: v, at: at}
	}
	if m == nil {
		m = new(scan.Map)
	}
	for i := 0; i < len(v); {
		from := i
		for i < len(v) && v[i] != '&' && !(attr && v[i] < ' ' && byteClass[v[i]]&spaceByte != 0) {
			i++
		}
		buf = append(buf, v[from:i]...)
		m.Add(i-from, at+from, 1, 1)
		if i == len(v) {
			break
		}
		decoded, n := " ", 1
		switch {
		case v[i] == '&':
			decoded, n = s.reference(v[i:])
		case v[i] == '\r' && i+1 < len(v) && v[i+1] == '\n':
			n = 2
		}
		buf = append(buf, decoded...)
		m.Add(len(decoded), at+i, len(decoded), n)
		i += n
	}
	return text{b: buf, m: m}
}

// odd reports whether v holds bytes that have to be decoded.
func odd(v []byte, attr bool) bool {
	if attr && len(v) < 64 {
		holds := uint8(0)
		for _, c := range v {
			holds |= byteClass[c]
		}
		return holds&oddByte != 0
	}
	return bytes.IndexByte(v, '&') >= 0 || attr && (bytes.IndexByte(v, '\n') >= 0 || bytes.IndexByte(v, '\r') >= 0 || bytes.IndexByte(v, '\t') >= 0)
}

// longest is the maximum length of the name of an entity, in bytes.
const longest = 256

// reference decodes the reference at the beginning of v, which begins with "&", and returns its
// length in bytes. An unknown or malformed reference stays as it is: many people forget to write "&"
// as "&amp;".
func (s *Scanner) reference(v []byte) (string, int) {
	decoded, n := predefined(v)
	if n > 1 || len(s.entities) == 0 {
		return decoded, n
	}
	name := entityName(v)
	decoded, ok := s.entities[string(name)]
	switch {
	case !ok:
	case len(decoded) > s.budget:
		s.spent = true
	default:
		s.budget -= len(decoded)
		return decoded, len("&;") + len(name)
	}
	return "&", 1
}

// entityName returns the name of the entity reference at the beginning of v, which begins with "&";
// nil if there is none.
func entityName(v []byte) []byte {
	n := 1
	for n < min(len(v), longest) && byteClass[v[n]]&nameEnd == 0 && v[n] != '&' && v[n] != ';' {
		n++
	}
	if n < 2 || n == len(v) || v[n] != ';' {
		return nil
	}
	return v[1:n]
}

// predefined is reference for character references (4.1) and for the entities that are always
// declared (4.6).
func predefined(v []byte) (string, int) {
	name := entityName(v)
	n := len("&;") + len(name)
	switch string(name) {
	case "":
	case "amp":
		return "&", n
	case "lt":
		return "<", n
	case "gt":
		return ">", n
	case "quot":
		return `"`, n
	case "apos":
		return "'", n
	default:
		if name[0] == '#' {
			if r, ok := character(name[1:]); ok {
				return r, n
			}
		}
	}
	return "&", 1
}

// character returns the character with the number in digits, the text after "&#" (4.1).
func character(digits []byte) (string, bool) {
	radix := rune(10)
	if len(digits) > 0 && digits[0] == 'x' {
		radix, digits = 16, digits[1:]
	}
	r := rune(0)
	for _, c := range digits {
		d := rune(ascii.Unhex(c))
		if d < 0 || d >= radix {
			return "", false
		}
		r = min(r*radix+d, utf8.MaxRune+1)
	}
	if len(digits) == 0 || r == 0 || !utf8.ValidRune(r) {
		return "", false
	}
	return charString(r), true
}

// charString returns string(r), without allocating for ASCII.
func charString(r rune) string {
	if r < utf8.RuneSelf {
		return allASCII[r : r+1]
	}
	return string(r)
}

var allASCII = func() string {
	b := make([]byte, utf8.RuneSelf)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}()

// characters returns the text from src[p] to the next tag, and where that tag is. It decodes
// references, reads CDATA sections, and omits comments, processing instructions, and white space
// around sections.
func (s *Scanner) characters(p int) (text, int) {
	src := s.src
	if i := bytes.IndexByte(src[p:], '<'); i >= 0 && p+i+1 < len(src) && src[p+i+1] == '/' { // nearly all
		return s.text(p, p+i, false), p + i
	}
	var v text
	var gap scan.Span // of white space before the next piece
	add := func(at, end int, raw bool) {
		switch {
		case blank(src[at:end]):
			gap = scan.Span{Start: at, End: end}
			return
		case len(v.b) == 0 && raw:
			s.back.Reset()
			v = text{b: src[at:end], at: at}
		case len(v.b) == 0:
			v = s.text(at, end, false)
		default:
			v = v.copied(s)
			v = v.appended(s, gap.Start, gap.End, true)
			v = v.appended(s, at, end, raw)
		}
		gap = scan.Span{}
	}
	for {
		i := bytes.IndexByte(src[p:], '<')
		if i < 0 {
			add(p, len(src), false)
			return v, len(src)
		}
		add(p, p+i, false)
		p += i
		switch rest := src[p:]; {
		case bytes.HasPrefix(rest, []byte("<!--")):
			p = s.comment(p)
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			from, to, next := s.cdata(p)
			add(from, to, true)
			p = next
		case bytes.HasPrefix(rest, []byte("<?")):
			if i := bytes.Index(rest, []byte("?>")); i >= 0 {
				p += i + len("?>")
			} else {
				p = len(src)
			}
		case len(rest) > 1 && rest[1] != '/' && rest[1] != '!' && byteClass[rest[1]]&nameStart == 0: // not well-formed
			add(p, p+1, true)
			p++
		default:
			return v, p
		}
	}
}

// copied returns v in memory to which more can be appended.
func (t text) copied(s *Scanner) text {
	if t.m == nil {
		s.value = append(s.value[:0], t.b...)
		s.back.Add(len(t.b), t.at, 1, 1)
		t = text{b: s.value, m: &s.back}
	}
	return t
}

// appended returns t, which has been copied, with src[at:end] appended.
func (t text) appended(s *Scanner, at, end int, raw bool) text {
	if !raw {
		if more := decode(s, at, end, false, t.b, t.m); more.m != nil {
			return more.keep(s)
		}
	}
	t.b = append(t.b, s.src[at:end]...)
	t.m.Add(end-at, at, 1, 1)
	return t.keep(s)
}

func blank(b []byte) bool {
	for _, c := range b {
		if byteClass[c]&spaceByte == 0 {
			return false
		}
	}
	return true
}

// span returns the range of b[i:j] in src, and whether that range decodes to exactly b[i:j].
func (t text) span(i, j int) (scan.Span, bool) {
	s := scan.Span{Start: t.at + i, End: t.at + j}
	if t.m == nil {
		return s, true
	}
	return t.m.Back(s)
}

// cut returns b[i:j].
func (t text) cut(i, j int) text { return text{t.b[i:j], t.at + i, t.m} }

// trim returns t without the white space around it.
func (t text) trim() text {
	i, j := 0, len(t.b)
	for i < j && byteClass[t.b[i]]&spaceByte != 0 {
		i++
	}
	for i < j && byteClass[t.b[j-1]]&spaceByte != 0 {
		j--
	}
	return t.cut(i, j)
}

// fields yields the ranges of b that are separated by white space.
func (t text) fields() iter.Seq2[int, int] { return lexicon.Fields(t.b, &byteClass, spaceByte) }

// shortest is the length in bytes of the shortest text that may hold a reference.
const shortest = len("a:b")

// prose yields the references of the text src[at:end], read as running text.
func (s *Scanner) prose(at, end int) {
	for at < end && byteClass[s.src[at]]&spaceByte != 0 {
		at++
	}
	if end-at >= shortest && s.mayRun(s.src[at:end]) {
		s.running(s.text(at, end, false), ref{})
	}
}

// mayRun reports whether v, as written, may hold a reference in running text.
func (s *Scanner) mayRun(v []byte) bool {
	return s.Text.Finder.May(v) || bytes.IndexByte(v, '&') >= 0
}

// running yields the references of v, read as running text. If as.in is set, they get the kind and
// the place of as.
func (s *Scanner) running(v text, as ref) {
	s.run, s.runAs = v, as
	s.Text.Rest = false
	s.Text.Window(v.b, 0, len(v.b), true, s.found)
}

// inRun yields an item found in s.run.
func (s *Scanner) inRun(it *scan.Item) bool {
	span, exact := s.run.span(it.Span.Start, it.Span.End)
	if it.More != nil {
		for i, p := range it.More.Parts {
			it.More.Parts[i], _ = s.run.span(p.Start, p.End)
		}
	}
	s.item = *it
	s.item.Span, s.item.Loose = span, !exact
	if s.runAs.in != "" && it.Op == scan.Ref {
		s.item.Kind, s.item.In = s.runAs.kind, s.runAs.in
	}
	s.give()
	return !s.stopped
}
