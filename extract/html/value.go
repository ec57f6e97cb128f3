package html

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// text is a decoded value, or a part of one, with the map back to the source.
type text struct {
	b  []byte
	at int      // where b begins in src, or, with a mapping, in the text that it starts from
	m  *mapping // nil if b is bytes of src

	lines bool // b may hold tabs and line ends
}

// A mapping maps decoded text back to the source. For a value with character references, it is made only
// when a part of the value has to be found. Most values are one reference, whose range is that of the
// value.
type mapping struct {
	scan.Map
	raw  []byte // the value, if the Map is not yet made
	in   *entities
	read int // how many references to entities were expanded
	at   int // where raw begins in src
	size int // of the decoded text; -1 if the Map was made from the beginning
}

// made returns the Map.
func (m *mapping) made() *scan.Map {
	if raw := m.raw; raw != nil {
		m.raw = nil
		m.in.addReferences(&m.Map, raw, m.at, m.read)
	}
	return &m.Map
}

// back returns the range of src of the range s of the decoded text.
func (m *mapping) back(s scan.Span) scan.Span {
	if m.raw != nil && s == (scan.Span{End: m.size}) {
		return scan.Span{Start: m.at, End: m.at + len(m.raw)}
	}
	s, _ = m.made().Back(s)
	return s
}

// text returns the value at src[at:end], in memory that the next call reuses.
func (s *Scanner) text(at, end int) text {
	v := s.src[at:end]
	holds := holding(v)
	if holds&oddByte == 0 {
		return text{b: v, at: at, lines: holds&lineByte != 0}
	}
	s.value, s.back.read = s.entities.appendDecoded(s.value[:0], v)
	s.back.Reset()
	s.back.raw, s.back.at, s.back.size, s.back.in = v, at, len(s.value), &s.entities
	return text{b: s.value, m: &s.back, lines: true}
}

// decode is text, in memory of its own if something is decoded.
func (s *Scanner) decode(at, end int) text {
	v := s.src[at:end]
	holds := holding(v)
	if holds&oddByte == 0 {
		return text{b: v, at: at, lines: holds&lineByte != 0}
	}
	b, n := s.entities.appendDecoded(nil, v)
	return text{b: b, m: &mapping{raw: v, at: at, size: len(b), in: &s.entities, read: n}, lines: true}
}

// appendDecoded appends v with its character references decoded, as in the value of an attribute, and with
// NUL replaced (13.2.5.36 to 13.2.5.38, 13.2.5.72 and on). It returns the number of entities of the
// document that it has expanded.
func (e *entities) appendDecoded(dst, v []byte) (_ []byte, expanded int) {
	dst = slices.Grow(dst, len(v))
	for {
		i := beforeOdd(v)
		dst = append(dst, v[:i]...)
		if i == len(v) {
			return dst, expanded
		}
		decoded, n, ok := e.reference(v[i:])
		if ok && len(decoded) <= e.budget {
			e.budget -= len(decoded)
			expanded++
		} else {
			decoded, n = decodeOdd(v[i:])
		}
		dst = append(dst, decoded...)
		v = v[i+n:]
	}
}

// addReferences adds to m the pieces of appendDecoded, which has expanded some entities; v begins at src[at].
func (e *entities) addReferences(m *scan.Map, v []byte, at, expanded int) {
	for {
		i := beforeOdd(v)
		m.Add(i, at, 1, 1)
		if i == len(v) {
			return
		}
		decoded, n, ok := e.reference(v[i:])
		if ok && expanded > 0 {
			expanded--
		} else {
			decoded, n = decodeOdd(v[i:])
		}
		m.Add(len(decoded), at+i, len(decoded), n)
		v, at = v[i+n:], at+i+n
	}
}

// beforeOdd returns the number of bytes of v before the first that is decoded.
func beforeOdd(v []byte) int {
	i := 0
	for ; i+8 <= len(v); i += 8 {
		x := binary.LittleEndian.Uint64(v[i:])
		amp := x ^ '&'*ones
		if ((amp-ones)&^amp|(x-ones)&^x)&(0x80*ones) != 0 {
			break
		}
	}
	for i < len(v) && byteClass[v[i]]&oddByte == 0 {
		i++
	}
	return i
}

// ones holds a 1 in each byte of a word.
const ones = 0x0101010101010101

// decodeOdd decodes what v begins with, "&" or NUL, and returns its length in bytes.
func decodeOdd(v []byte) (string, int) {
	if v[0] == '&' {
		return reference(v)
	}
	return "\uFFFD", 1
}

// hasLine reports whether b holds tabs or line ends.
func hasLine(b []byte) bool {
	return bytes.IndexByte(b, '\n') >= 0 || bytes.IndexByte(b, '\t') >= 0 || bytes.IndexByte(b, '\r') >= 0
}

// holding returns which of oddByte and lineByte occur in v.
func holding(v []byte) (holds uint8) {
	if len(v) < 8 {
		for _, c := range v {
			holds |= byteClass[c]
		}
		return holds
	}
	for i := 0; i < len(v); i += 8 {
		w := v[min(i, len(v)-8):]
		x := binary.LittleEndian.Uint64(w)
		amp := x ^ '&'*ones
		if ((amp-ones)&^amp|(x-' '*ones)&^x)&(0x80*ones) != 0 { // "&", or a byte below the space
			for _, c := range w[:8] {
				holds |= byteClass[c]
			}
		}
	}
	return holds
}

// reference decodes the character reference at the beginning of s, which begins with "&", in the
// value of an attribute, and returns its length in bytes. If there is none, the result is "&" itself.
// A reference without a semicolon does not count before "=" or a letter or digit (13.2.5.73).
func reference(s []byte) (string, int) {
	n := 1
	if n < len(s) && s[n] == '#' {
		return numeric(s)
	}
	const longest = 33
	for n < min(len(s), longest) && ascii.IsAlnum(s[n]) {
		n++
	}
	switch {
	case n < len(s) && s[n] == ';':
		n++
	case n < len(s) && (s[n] == '=' || ascii.IsAlnum(s[n])):
		return "&", 1
	}
	switch string(s[:n]) { // nearly all
	case "&amp;":
		return "&", n
	case "&quot;":
		return `"`, n
	}
	// In an unknown name, only a prefix may be decoded: then the result still holds the rest.
	whole := string(s[:n])
	decoded := html.UnescapeString(whole)
	if decoded == whole || n == 1 || decoded != ";" && decoded[len(decoded)-1] == whole[n-1] {
		return "&", 1
	}
	return decoded, n
}

// numeric is reference for "&#" (13.2.5.75 to 13.2.5.80).
func numeric(s []byte) (string, int) {
	n, radix := 2, rune(10)
	if n < len(s) && s[n]|0x20 == 'x' {
		n, radix = 3, 16
	}
	from, r := n, rune(0)
	for ; n < len(s); n++ {
		d := rune(ascii.Unhex(s[n]))
		if d < 0 || d >= radix {
			break
		}
		r = min(r*radix+d, utf8.MaxRune+1)
	}
	if n == from {
		return "&", 1
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	if r >= 0x80 && r <= 0x9f { // read as windows-1252
		const hex = "0123456789abcdef"
		return html.UnescapeString("&#x" + string(hex[r>>4]) + string(hex[r&15]) + ";"), n
	}
	if r == 0 {
		r = utf8.RuneError
	}
	if r < utf8.RuneSelf {
		return asciiText[r : r+1], n
	}
	return string(r), n // invalid characters become U+FFFD
}

// asciiText holds each character of ASCII at its own offset.
var asciiText = func() string {
	var b [utf8.RuneSelf]byte
	for i := range b {
		b[i] = byte(i)
	}
	return string(b[:])
}()

// span returns the range of b[i:j] in src.
func (t text) span(i, j int) scan.Span {
	s := scan.Span{Start: t.at + i, End: t.at + j}
	if t.m != nil {
		s = t.m.back(s)
	}
	return s
}

// cut returns b[i:j].
func (t text) cut(i, j int) text { return text{t.b[i:j], t.at + i, t.m, t.lines} }

// url returns t as the URL parser reads it: without white space and controls around it, and without
// tabs and line ends (URL Standard section 4.4, "basic URL parser").
func (t text) url() text {
	i, j := 0, len(t.b)
	for i < j && t.b[i] <= ' ' {
		i++
	}
	for i < j && t.b[j-1] <= ' ' {
		j--
	}
	if i > 0 || j < len(t.b) {
		t = t.cut(i, j)
	}
	if !t.lines || !hasLine(t.b) {
		return t
	}
	clean := text{b: make([]byte, 0, len(t.b)), m: new(mapping)}
	for i, c := range t.b {
		if byteClass[c]&lineByte == 0 {
			clean.b = append(clean.b, c)
			s := t.span(i, i+1)
			clean.m.Add(1, s.Start, 1, s.End-s.Start)
		}
	}
	return clean
}

// literal returns the content of the braces around v, if that is a JavaScript string, alone or in a
// call of require; without braces it returns v.
func literal(v text) text {
	v = v.url()
	if !bytes.HasPrefix(v.b, []byte("{")) {
		return v
	}
	i := bytes.IndexAny(v.b, "'\"`")
	if i < 0 {
		return text{}
	}
	n := bytes.IndexByte(v.b[i+1:], v.b[i])
	if before := string(bytes.TrimSpace(v.b[1:i])); n < 0 || before != "" && before != "require(" {
		return text{}
	}
	if v = v.cut(i+1, i+1+n); bytes.Contains(v.b, []byte("${")) {
		return text{}
	}
	return v.url()
}

// fields yields the ranges of b that are separated by white space.
func (t text) fields() iter.Seq2[int, int] { return lexicon.Fields(t.b, &byteClass, spaceByte) }

// hasScheme reports whether s begins with a scheme and ":" (RFC 3986 section 3.1).
func hasScheme(s []byte) bool { return ascii.SchemeEnd(s) > 0 }

// srcset yields the image candidates of v (4.8.4.2.2, "parse a srcset attribute").
func (s *Scanner) srcset(r *ref, v text) {
	b := v.b
	for p := 0; ; {
		for p < len(b) && (byteClass[b[p]]&spaceByte != 0 || b[p] == ',') {
			p++
		}
		if p == len(b) {
			return
		}
		from := p
		for p < len(b) && byteClass[b[p]]&spaceByte == 0 {
			p++
		}
		to := p
		if b[p-1] == ',' {
			for b[to-1] == ',' {
				to--
			}
			r.descriptor = ""
			s.ref(r, v.cut(from, to).url())
			continue
		}
		next, valid := descriptors(b, p)
		if valid {
			if s.Choices {
				r.descriptor = string(bytes.Trim(b[p:next], ", \t\n\f\r"))
			}
			s.ref(r, v.cut(from, to).url())
		} else {
			s.note(v.span(from, to).Start, v.span(from, to).End, scan.CodeInvalidSrcset, "an image candidate with invalid descriptors: browsers ignore it")
		}
		p = next
	}
}

// descriptors reads the descriptors of an image candidate from b[p] on, to the comma after them, and
// reports whether the candidate counts.
func descriptors(b []byte, p int) (next int, valid bool) {
	var width, density, height bool
	valid = true
	from, depth := p, 0
	one := func(d []byte) {
		if len(d) == 0 {
			return
		}
		n := d[:len(d)-1]
		switch d[len(d)-1] {
		case 'w':
			valid = valid && !width && !density && natural(n)
			width = true
		case 'x':
			valid = valid && !width && !density && !height && float(n)
			density = true
		case 'h':
			valid = valid && !height && !density && natural(n)
			height = true
		default:
			valid = false
		}
	}
	for ; p < len(b); p++ {
		switch c := b[p]; {
		case depth > 0:
			if c == ')' {
				depth = 0
			}
		case c == '(':
			depth = 1
		case c == ',':
			one(b[from:p])
			return p + 1, valid && (!height || width)
		case byteClass[c]&spaceByte != 0:
			one(b[from:p])
			from = p + 1
		}
	}
	one(b[from:])
	return p, valid && (!height || width)
}

// natural reports whether s is a valid non-negative integer other than 0 (2.3.4.2).
func natural(s []byte) bool {
	for _, c := range s {
		if !ascii.IsDigit(c) {
			return false
		}
	}
	return len(bytes.Trim(s, "0")) > 0
}

// float reports whether s is a valid floating-point number that is not negative (2.3.4.3).
func float(s []byte) bool {
	digits := func() (n int) {
		for n < len(s) && ascii.IsDigit(s[n]) {
			n++
		}
		s = s[n:]
		return n
	}
	minus := bytes.HasPrefix(s, []byte("-"))
	s = bytes.TrimPrefix(s, []byte("-"))
	mantissa := s
	whole := digits()
	if bytes.HasPrefix(s, []byte(".")) {
		s = s[1:]
		if digits() == 0 {
			return false
		}
	} else if whole == 0 {
		return false
	}
	mantissa = mantissa[:len(mantissa)-len(s)]
	if len(s) > 0 && s[0]|0x20 == 'e' {
		if s = s[1:]; len(s) > 0 && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if digits() == 0 {
			return false
		}
	}
	return len(s) == 0 && (!minus || len(bytes.Trim(mantissa, "0.")) == 0)
}

// refresh returns the range of the URL of a refresh in b (4.2.5.3, "shared declarative refresh
// steps").
func refresh(b []byte) (from, to int, ok bool) {
	p := 0
	space := func() {
		for p < len(b) && byteClass[b[p]]&spaceByte != 0 {
			p++
		}
	}
	digits := func(also byte) (n int) {
		for p < len(b) && (ascii.IsDigit(b[p]) || b[p] == also) {
			p++
			n++
		}
		return n
	}
	space()
	if digits('0') == 0 && (p == len(b) || b[p] != '.') {
		return 0, 0, false
	}
	digits('.')
	if p < len(b) && b[p] != ';' && b[p] != ',' && byteClass[b[p]]&spaceByte == 0 {
		return 0, 0, false
	}
	space()
	if p < len(b) && (b[p] == ';' || b[p] == ',') {
		p++
	}
	space()
	if p == len(b) {
		return 0, 0, false
	}
	from, to = p, len(b)
	if b[p]|0x20 == 'u' {
		if !bytes.HasPrefix(bytes.ToLower(b[p:min(len(b), p+3)]), []byte("url")) {
			return from, to, true
		}
		p += len("url")
		space()
		if p == len(b) || b[p] != '=' {
			return from, to, true
		}
		p++
		space()
	}
	from = p
	if p < len(b) && (b[p] == '"' || b[p] == '\'') {
		from++
		if i := bytes.IndexByte(b[from:], b[p]); i >= 0 {
			to = from + i
		}
	}
	return from, to, from < to
}

// lower returns s in lower case, in buf's memory if it fits.
func lower(buf *[24]byte, s []byte) []byte {
	b := append(buf[:0], s...)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return b
}

// local returns a name without its prefix (Namespaces in XML section 4).
func local(s []byte) []byte {
	if i := bytes.IndexByte(s, ':') + 1; i < len(s) {
		return s[i:]
	}
	return s
}

func set(names string) map[string]bool {
	m := make(map[string]bool)
	for n := range strings.FieldsSeq(names) {
		m[n] = true
	}
	return m
}
