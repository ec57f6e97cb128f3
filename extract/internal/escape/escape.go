// Package escape escapes URLs for output, and encodes queries in the charset of a page.
package escape

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/charset"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/hostname"
	"example.org/refract/resolve"
)

// Classes of bytes: how to escape them in the output of a URL.
const (
	plainByte = iota // nothing
	lookByte         // depends on the bytes around it: % # [ ]
	badByte          // escaping: excluded by RFC 3986 section 2 (the 1997 draft, section 2.4.3)
)

var urlByte = func() (t [256]uint8) {
	for c := range t {
		if c <= ' ' || c >= 0x7f {
			t[c] = badByte
		}
	}
	for _, c := range []byte("<>\"{}|\\^`") {
		t[c] = badByte
	}
	for _, c := range []byte("%#[]") {
		t[c] = lookByte
	}
	return t
}()

// URL escapes url for output: characters that RFC 3986 excludes from path, query and fragment are
// percent-encoded (also a % that begins no escape, and a second #), and a host that is not ASCII becomes
// its A-label. Existing escapes stay. With iri, non-ASCII characters stay, except those that end a line.
//
// An invalid authority cannot be repaired: it stays as it is, except that control characters are escaped,
// and valid is false. Most URLs need no change, and the result is url itself; otherwise it is in buf's
// memory or newly allocated.
func URL(buf, url []byte, iri bool) (escaped []byte, valid bool) {
	hashes := 0
	for i := plainPrefix(url); i < len(url); i++ {
		switch urlByte[url[i]] {
		case plainByte:
			continue
		case lookByte:
			if c := url[i]; c == '%' && isEscape(url[i:]) {
				continue
			} else if c == '#' && hashes == 0 {
				hashes++
				continue
			}
		}
		if len(url) > Long {
			buf = slices.Grow(buf[:0], Size(url))
		}
		return escapeParts(buf[:0], url, iri)
	}
	return url, true
}

// plainPrefix returns a number of plain bytes at the beginning of url: all of them, or a multiple of 8.
// Most URLs consist of such bytes, and taking eight in a step is almost three times as fast.
func plainPrefix(url []byte) int {
	n := 0
	for len(url)-n >= 8 && arePlain(url[n:n+8]) {
		n += 8
	}
	if n > 0 && len(url)-n < 8 && arePlain(url[len(url)-8:]) {
		return len(url)
	}
	return n
}

// arePlain reports whether the eight bytes of b are plain.
func arePlain(b []byte) bool {
	_ = b[7]
	odd := urlByte[b[0]] | urlByte[b[1]] | urlByte[b[2]] | urlByte[b[3]]
	odd |= urlByte[b[4]] | urlByte[b[5]] | urlByte[b[6]] | urlByte[b[7]]
	return odd == plainByte
}

// Long is the length in bytes from which the memory for an escaped URL is allocated at once.
const Long = 64 << 10

// Size returns the maximum length in bytes of the escaped form of url.
func Size(url []byte) int {
	n, hashes := len(url), 0
	for i, c := range url {
		switch {
		case urlByte[c] == plainByte, c == '%' && isEscape(url[i:]):
		case c == '#' && hashes == 0:
			hashes++
		default:
			n += len("%00") - 1
		}
	}
	return n
}

func escapeParts(dst, url []byte, iri bool) ([]byte, bool) {
	c := resolve.Parse(url)
	valid := true
	if c.HasScheme {
		dst = append(append(dst, c.Scheme...), ':')
	}
	if c.HasAuthority {
		dst = append(dst, "//"...)
		dst, valid = appendAuthority(dst, c.Authority, iri)
	}
	dst = appendComponent(dst, c.Path, iri)
	if c.HasQuery {
		dst = appendComponent(append(dst, '?'), c.Query, iri)
	}
	if c.HasFragment {
		dst = appendComponent(append(dst, '#'), c.Fragment, iri)
	}
	return dst, valid
}

func appendComponent(dst, s []byte, iri bool) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case urlByte[c] == plainByte, c == '%' && isEscape(s[i:]):
			dst = append(dst, c)
			continue
		case c >= utf8.RuneSelf && iri:
			if r, n := utf8.DecodeRune(s[i:]); r != utf8.RuneError && (!ascii.IsHidden(r) || ascii.IsWithoutWidth(r)) {
				dst = append(dst, s[i:i+n]...)
				i += n - 1
				continue
			}
		}
		dst = ascii.AppendEscape(dst, c)
	}
	return dst
}

// appendAuthority appends s with its host as A-labels, or unchanged if it is valid or cannot be made
// valid. Control characters are escaped in any case, so that a URL stays on one line.
func appendAuthority(dst, s []byte, iri bool) ([]byte, bool) {
	user := ascii.HostStart(s)
	host, _, _ := ascii.CutPort(s[user:])
	isASCII, valid := true, true
	for i, c := range s {
		switch {
		case c >= utf8.RuneSelf && i >= user && i < user+len(host):
			isASCII = false
		case c == '%':
			valid = valid && isEscape(s[i:])
		case c == '[' || c == ']': // around an IP literal, and nowhere else
			valid = valid && (i == user && c == '[' || i == user+len(host)-1) && host[0] == '[' && host[len(host)-1] == ']'
		case urlByte[c] == badByte:
			valid = false
		}
	}
	if isASCII || !valid {
		return ascii.AppendLine(dst, s), valid
	}
	label, err := idna.Lookup.ToASCII(hostname.Map(string(host)))
	if err != nil || label == "" {
		return ascii.AppendLine(dst, s), false
	}
	if iri {
		return ascii.AppendLine(dst, s), true
	}
	dst = append(dst, s[:user]...)
	dst = append(dst, label...)
	return append(dst, s[user+len(host):]...), true
}

// A Query writes the queries of a page's references in the page's charset, as URL 4.4 (query state)
// requires; the rest of a URL is UTF-8. It encodes them before they are resolved, so that no rule of
// resolution has to deal with charsets. The result is percent-encoded, except for bytes that browsers leave
// (the second byte of 表 in Shift_JIS is "\"). The nil Query is that of UTF-8 and does nothing.
//
// Divergences, both of ISO-2022-JP: the controls of its escape sequences stay; the text after a ¥ is ASCII
// again.
type Query struct {
	encode charset.Encoder
	out    [16]byte
}

// NewQuery returns the Query of pages in the charset with this name, as
// pageCharset returns it. Charsets without an encoder use that of UTF-8 (Encoding 4.3).
func NewQuery(name string) *Query {
	encode := charset.NewEncoder(name)
	if encode == nil {
		return nil
	}
	return &Query{encode: encode}
}

// Encode returns ref with its query in the charset, in buf's memory or newly allocated. differs reports
// that the result is not ref; then the result must be resolved in place of ref. target is the URL of ref.
// Its scheme decides: if that is not special, or is ws or wss, the query is UTF-8.
func (q *Query) Encode(buf, ref, target []byte) (encoded []byte, differs bool) {
	at, end := q.Find(ref, target)
	if at < 0 {
		return ref, false
	}
	return q.EncodeRange(buf, ref, at, end), true
}

// Find returns the range of ref that encode changes, from the "?" on; at is negative if there is
// none.
func (q *Query) Find(ref, target []byte) (at, end int) {
	if q == nil {
		return -1, 0
	}
	end = bytes.IndexByte(ref, '#')
	if end < 0 {
		end = len(ref)
	}
	at = bytes.IndexByte(ref[:end], '?')
	if at < 0 || decode.IsASCII(ref[at:end]) {
		return -1, 0
	}
	scheme, _, _ := bytes.Cut(target, []byte(":"))
	switch strings.ToLower(string(scheme)) {
	case "http", "https", "ftp", "file":
		return at, end
	}
	return -1, 0
}

// EncodeRange returns ref with ref[at:end] in the charset, in buf's memory or newly allocated.
func (q *Query) EncodeRange(buf, ref []byte, at, end int) []byte {
	dst := append(buf[:0], ref[:at]...)
	var shift string // the escape sequence before the last character, if dst ends in the escape sequence back to ASCII
	for at < end {
		if n := decode.ASCIIPrefix(ref[at:end]); n > 0 {
			dst, shift = append(dst, ref[at:at+n]...), ""
			at += n
		}
		if at == end {
			break
		}
		r, n := utf8.DecodeRune(ref[at:end])
		at += n
		if at > Long/16 && len(ref) > Long { // before that, too little is known to estimate the size
			dst = decode.Reserve(dst, len("%26%231114111%3B"), at, end)
		}
		c := q.Char(r)
		if c == nil { // percent-encode after encoding (URL 1.3)
			dst = strconv.AppendInt(append(dst, "%26%23"...), int64(r), 10)
			dst, shift = append(dst, "%3B"...), ""
			continue
		}
		if c[0] == '\x1b' { // ISO-2022-JP
			if shift != "" {
				dst = dst[:len(dst)-len("%1B(B")]
			}
			last := shift
			if shift = string(c[:3]); shift == last {
				c = c[3:]
			}
		}
		for _, b := range c {
			if b <= ' ' || b > '~' || strings.IndexByte(specialQuery, b) >= 0 {
				dst = ascii.AppendEscape(dst, b)
			} else {
				dst = append(dst, b)
			}
		}
	}
	return append(dst, ref[end:]...)
}

// specialQuery are the members of the special-query percent-encode set (URL 1.3)
// between the space and "~".
const specialQuery = `"#<>'`

// Char returns the encoding of r alone in the charset, nil if the charset does not have r.
func (q *Query) Char(r rune) []byte {
	c, ok := q.encode(q.out[:0], r)
	if !ok {
		return nil
	}
	return c
}

// isEscape reports whether s begins with "%" and two hexadecimal digits.
func isEscape(s []byte) bool {
	_, ok := ascii.Unescape(s)
	return ok
}
