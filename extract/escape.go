package extract

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"example.org/refract/resolve"
)

// What a byte of a URL needs before it is put out.
const (
	plainByte = iota // nothing
	lookByte         // it depends: % # [ ]
	badByte          // escaping: excluded by RFC 3986 section 2 (000 section 2.4.3)
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

// escape makes url fit to be put out: what RFC 3986 excludes from path, query and
// fragment is percent-encoded (a % that begins no escape, and a second #, too), a
// host that is not ASCII becomes its A-label. Escapes that are there stay. With iri,
// what is not ASCII stays. An invalid authority cannot be repaired: it is kept as it
// is, and valid is false. Nearly always nothing is needed, and the result is url
// itself; otherwise it is in buf's memory or new.
func escape(buf, url []byte, iri bool) (escaped []byte, valid bool) {
	hashes := 0
	for i := 0; i < len(url); i++ {
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
		return escapeParts(buf[:0], url, iri)
	}
	return url, true
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
	dst = appendEscaped(dst, c.Path, iri)
	if c.HasQuery {
		dst = appendEscaped(append(dst, '?'), c.Query, iri)
	}
	if c.HasFragment {
		dst = appendEscaped(append(dst, '#'), c.Fragment, iri)
	}
	return dst, valid
}

func appendEscaped(dst, s []byte, iri bool) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case urlByte[c] == plainByte, c == '%' && isEscape(s[i:]):
			dst = append(dst, c)
			continue
		case c >= utf8.RuneSelf && iri:
			if r, n := utf8.DecodeRune(s[i:]); r != utf8.RuneError {
				dst = append(dst, s[i:i+n]...)
				i += n - 1
				continue
			}
		}
		dst = append(dst, '%', hex[c>>4], hex[c&15])
	}
	return dst
}

// appendAuthority appends s with its host as A-labels, or as it is where it is
// valid so, or cannot be made valid.
func appendAuthority(dst, s []byte, iri bool) ([]byte, bool) {
	user := bytes.LastIndexByte(s, '@') + 1
	host := s[user:]
	if port := bytes.LastIndexByte(host, ':'); port >= 0 && bytes.IndexByte(host[port:], ']') < 0 {
		host = host[:port]
	}
	ascii, valid := true, true
	for i, c := range s {
		switch {
		case c >= utf8.RuneSelf && i >= user && i < user+len(host):
			ascii = false
		case c == '%':
			valid = valid && isEscape(s[i:])
		case c == '[' || c == ']': // around an IP literal, and nowhere else
			valid = valid && (i == user && c == '[' || i == user+len(host)-1) && host[0] == '[' && host[len(host)-1] == ']'
		case urlByte[c] == badByte:
			valid = false
		}
	}
	if ascii || !valid {
		return append(dst, s...), valid
	}
	label, err := idna.Lookup.ToASCII(string(host))
	if err != nil || label == "" {
		return append(dst, s...), false
	}
	if iri {
		return append(dst, s...), true
	}
	dst = append(dst, s[:user]...)
	dst = append(dst, label...)
	return append(dst, s[user+len(host):]...), true
}

// isEscape reports whether s begins with "%" and two hexadecimal digits.
func isEscape(s []byte) bool {
	return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isAlnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }
