package html

import (
	"bytes"
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
	at int       // where b begins in src, or, with a Map, in the text that the Map starts from
	m  *scan.Map // nil if b is bytes of src

	lines bool // b may hold tabs and line ends
}

// text returns the value at src[at:end], in memory that the next call reuses.
func (s *Scanner) text(at, end int) text {
	s.back.Reset()
	t := decode(s.src, at, end, s.value[:0], &s.back)
	if t.m != nil {
		s.value = t.b
	}
	return t
}

// decode returns src[at:end] with its character references decoded, as in the value of an attribute,
// and NUL replaced (13.2.5.36 to 13.2.5.38, 13.2.5.72 and on). If something is decoded, the result is
// appended to buf, and m, if not nil, maps it back to the source.
func decode(src []byte, at, end int, buf []byte, m *scan.Map) text {
	v := src[at:end]
	holds := holding(v)
	if holds&oddByte == 0 {
		return text{b: v, at: at, lines: holds&lineByte != 0}
	}
	i := 0
	for byteClass[v[i]]&oddByte == 0 {
		i++
	}
	if m == nil {
		m = new(scan.Map)
	}
	buf = slices.Grow(buf, len(v))
	for from := 0; ; {
		buf = append(buf, v[from:i]...)
		m.Add(i-from, at+from, 1, 1)
		if i == len(v) {
			return text{b: buf, m: m, lines: true}
		}
		decoded, n := "\uFFFD", 1
		if v[i] == '&' {
			decoded, n = reference(v[i:])
		}
		buf = append(buf, decoded...)
		m.Add(len(decoded), at+i, len(decoded), n)
		i += n
		for from = i; i < len(v) && byteClass[v[i]]&oddByte == 0; i++ {
		}
	}
}

// hasLine reports whether b holds tabs or line ends.
func hasLine(b []byte) bool {
	return bytes.IndexByte(b, '\n') >= 0 || bytes.IndexByte(b, '\t') >= 0 || bytes.IndexByte(b, '\r') >= 0
}

// holding returns which of oddByte and lineByte occur in v.
func holding(v []byte) (holds uint8) {
	if len(v) < 64 {
		for _, c := range v {
			holds |= byteClass[c]
		}
		return holds
	}
	for _, c := range []byte("&\x00\t\n\r") { // fast, since data: URLs are long
		if bytes.IndexByte(v, c) >= 0 {
			holds |= byteClass[c]
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
	if string(s[:n]) == "&amp;" {
		return "&", n
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
	return string(r), n // invalid characters become U+FFFD
}

// span returns the range of b[i:j] in src.
func (t text) span(i, j int) scan.Span {
	s := scan.Span{Start: t.at + i, End: t.at + j}
	if t.m != nil {
		s, _ = t.m.Back(s)
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
	clean := text{b: make([]byte, 0, len(t.b)), m: new(scan.Map)}
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
	return v
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
			s.ref(r, v.cut(from, to).url())
			continue
		}
		var valid bool
		if p, valid = descriptors(b, p); valid {
			s.ref(r, v.cut(from, to).url())
		} else {
			s.note(v.span(from, to).Start, v.span(from, to).End, scan.CodeInvalidSrcset, "an image candidate with invalid descriptors: browsers ignore it")
		}
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
