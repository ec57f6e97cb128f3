// Package xmlread reads the tags and the text of XML, with positions, for the scanners of office documents
// and books. It needs no well-formed XML, and does not look at namespaces: a name is what follows the
// prefix. Entities that a document declares are not expanded.
package xmlread

import (
	"bytes"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Kind is what a Token is.
type Kind uint8

const (
	Start Kind = iota // a start tag
	End               // an end tag
	Text              // characters
	CData             // the content of a CDATA section
)

// A Token is a tag or a piece of text. It is valid until the next one.
type Token struct {
	Kind  Kind
	Span  scan.Span // of the tag or the text
	Full  []byte    // the name of an element, as written
	Name  []byte    // the same without the prefix
	Empty bool      // of a Start: the element has no content and no End
	Attrs []Attr    // of a Start, at most maxAttrs
}

// An Attr is an attribute.
type Attr struct {
	Full, Name []byte // as in Token
	Value      scan.Span
}

const maxAttrs = 1 << 10

// A Reader reads the Tokens of one document. Set it with Reset.
type Reader struct {
	Token
	src   []byte
	at    int
	attrs []Attr
}

// Reset begins a new document.
func (r *Reader) Reset(src []byte) { *r = Reader{src: src, attrs: r.attrs[:0]} }

// Next moves to the next Token, and reports whether there is one. All calls for a document together take
// time linear in its length. What follows an unclosed tag, comment or section is not read.
func (r *Reader) Next() bool {
	for r.at < len(r.src) {
		rest := r.src[r.at:]
		if rest[0] != '<' {
			n := bytes.IndexByte(rest, '<')
			if n < 0 {
				n = len(rest)
			}
			r.Token = Token{Kind: Text, Span: scan.Span{Start: r.at, End: r.at + n}}
			r.at += n
			return true
		}
		switch {
		case len(rest) > 1 && rest[1] == '/':
			return r.endTag()
		case bytes.HasPrefix(rest, []byte("<!--")):
			r.skip(4, "-->")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			from := r.at + len("<![CDATA[")
			r.skip(len("<![CDATA["), "]]>")
			r.Token = Token{Kind: CData, Span: scan.Span{Start: from, End: max(from, r.at-len("]]>"))}}
			return r.at < len(r.src)
		case len(rest) > 1 && rest[1] == '!':
			r.skip(2, ">")
		case len(rest) > 1 && rest[1] == '?':
			r.skip(2, "?>")
		case len(rest) > 1 && isName(rest[1]):
			return r.startTag()
		default:
			r.at++
		}
	}
	return false
}

// skip moves behind the next end, n bytes or more from here.
func (r *Reader) skip(n int, end string) {
	i := bytes.Index(r.src[r.at+n:], []byte(end))
	if i < 0 {
		r.at = len(r.src)
		return
	}
	r.at += n + i + len(end)
}

func isName(c byte) bool { return c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':' }

// name returns the name that begins at src[at].
func (r *Reader) name(at int) (full, local []byte) {
	rest := r.src[at:]
	end, prefix := 0, 0
	for end < len(rest) && !endsName[rest[end]] {
		if rest[end] == ':' && prefix == 0 {
			prefix = end + 1
		}
		end++
	}
	return rest[:end], rest[prefix:end]
}

// endsName has the bytes that end a name.
var endsName = [256]bool{' ': true, '\n': true, '\t': true, '\r': true, '>': true, '/': true, '=': true, '<': true}

func (r *Reader) endTag() bool {
	start := r.at
	full, local := r.name(r.at + 2)
	r.skip(2, ">")
	r.Token = Token{Kind: End, Span: scan.Span{Start: start, End: r.at}, Full: full, Name: local}
	return true
}

func (r *Reader) startTag() bool {
	start := r.at
	full, local := r.name(r.at + 1)
	r.attrs = r.attrs[:0]
	p, isEmpty := r.at+1+len(full), false
	for {
		for p < len(r.src) && (ascii.IsSpace(r.src[p]) || r.src[p] == '=') {
			p++
		}
		if p >= len(r.src) {
			r.at = len(r.src)
			return false
		}
		c := r.src[p]
		if c == '<' { // it is not closed
			break
		}
		if c == '>' {
			p++
			break
		}
		if c == '/' {
			isEmpty = p+1 < len(r.src) && r.src[p+1] == '>'
			p++
			continue
		}
		p = r.attribute(p)
		if p < 0 {
			r.at = len(r.src)
			return false
		}
	}
	r.at = p
	r.Token = Token{Kind: Start, Span: scan.Span{Start: start, End: p}, Full: full, Name: local, Empty: isEmpty, Attrs: r.attrs}
	return true
}

// attribute reads the attribute at src[p], and returns where to continue, -1 if it does not end.
func (r *Reader) attribute(p int) int {
	a := Attr{}
	a.Full, a.Name = r.name(p)
	p += max(1, len(a.Full))
	for p < len(r.src) && ascii.IsSpace(r.src[p]) {
		p++
	}
	if p >= len(r.src) || r.src[p] != '=' {
		return p
	}
	p++
	for p < len(r.src) && ascii.IsSpace(r.src[p]) {
		p++
	}
	if p >= len(r.src) || r.src[p] != '"' && r.src[p] != '\'' {
		return p
	}
	n := bytes.IndexByte(r.src[p+1:], r.src[p])
	if n < 0 {
		return -1
	}
	a.Value = scan.Span{Start: p + 1, End: p + 1 + n}
	if len(r.attrs) < maxAttrs {
		r.attrs = append(r.attrs, a)
	}
	return p + n + 2
}

// Attr returns the range of the value of the attribute with a local name; ok is false if there is none.
func (t *Token) Attr(name string) (_ scan.Span, ok bool) {
	for i := range t.Attrs {
		if string(t.Attrs[i].Name) == name {
			return t.Attrs[i].Value, true
		}
	}
	return scan.Span{}, false
}

// Value returns the decoded value of the attribute with a local name; nil if there is none.
func (r *Reader) Value(name string) []byte {
	s, ok := r.Attr(name)
	if !ok {
		return nil
	}
	return Decode(nil, nil, r.src, s)
}

// Is reports whether t is a tag of kind k with a local name.
func (t *Token) Is(k Kind, name string) bool { return t.Kind == k && string(t.Name) == name }

// Decode appends src[s.Start:s.End] to dst, with references to characters and to the predefined entities
// decoded (XML 1.0 section 4.6), and adds the pieces to m, unless it is nil.
func Decode(dst []byte, m *scan.Map, src []byte, s scan.Span) []byte {
	Pieces(src, s, func(out []byte, from, to int) {
		dst = append(dst, out...)
		if m != nil {
			n := len(out)
			if n == to-from {
				m.Add(n, from, 1, 1)
			} else {
				m.Add(n, from, n, to-from)
			}
		}
	})
	return dst
}

// Pieces calls visit with each piece of src[s.Start:s.End]: its decoded form, and its range.
func Pieces(src []byte, s scan.Span, visit func(out []byte, from, to int)) {
	var buf [utf8.UTFMax]byte
	for p := s.Start; p < s.End; {
		n := bytes.IndexByte(src[p:s.End], '&')
		if n < 0 {
			n = s.End - p
		}
		if n > 0 {
			visit(src[p:p+n], p, p+n)
			p += n
			continue
		}
		r, size := reference(src[p:s.End])
		visit(utf8.AppendRune(buf[:0], r), p, p+size)
		p += size
	}
}

// reference returns the character of the reference that b begins with, and its length in bytes; '&' and 1
// if there is none.
func reference(b []byte) (rune, int) {
	const longest = 12
	n := bytes.IndexByte(b[:min(len(b), longest)], ';')
	if n < 2 {
		return '&', 1
	}
	switch name := string(b[1:n]); name {
	case "amp":
		return '&', n + 1
	case "lt":
		return '<', n + 1
	case "gt":
		return '>', n + 1
	case "quot":
		return '"', n + 1
	case "apos":
		return '\'', n + 1
	default:
		if r, ok := number(name); ok {
			return r, n + 1
		}
	}
	return '&', 1
}

// number returns the character of "#65" or "#x41".
func number(s string) (r rune, ok bool) {
	if s[0] != '#' {
		return 0, false
	}
	digits, radix := s[1:], rune(10)
	if len(digits) > 0 && digits[0] == 'x' {
		digits, radix = digits[1:], 16
	}
	for i := range len(digits) {
		d := rune(digits[i])
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case radix == 16 && d|0x20 >= 'a' && d|0x20 <= 'f':
			d = d | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r*radix + d
		if r > utf8.MaxRune {
			return 0, false
		}
	}
	return r, len(digits) > 0 && r > 0 && utf8.ValidRune(r)
}
