// Package ascii classifies, converts and compares bytes as ASCII, and finds the ends of lines, and the
// delimiters of a URI reference that callers need without parsing all of it.
//
// A byte above 0x7F is not a letter, not a digit, and equal only to itself, unlike
// in [bytes.EqualFold]. Only UnescapeAll allocates.
package ascii

import (
	"bytes"
	"strconv"
)

// Text is the constraint of the generic functions: strings and byte slices.
type Text interface{ ~string | ~[]byte }

// IsLetter reports whether c is in A-Z or a-z.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is in 0-9.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsAlnum reports whether c is a letter or a digit.
func IsAlnum(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsBlank reports whether c is a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsSpace reports whether c is a space, a tab, LF or CR. That is white space in XML, in JSON and in
// messages.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// IndexSpace returns the index of the first byte of s that IsSpace holds for, or -1.
func IndexSpace(s []byte) int {
	for i, c := range s {
		if c <= ' ' && IsSpace(c) {
			return i
		}
	}
	return -1
}

// IsHTMLSpace reports whether c is white space in HTML and CSS: of IsSpace, or a form feed.
func IsHTMLSpace(c byte) bool { return IsSpace(c) || c == '\f' }

// IsAnySpace reports whether c is white space in C, Python and Ruby: of IsHTMLSpace, or a vertical tab.
func IsAnySpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool { return hexValue[c] >= 0 }

// Unhex returns the value of a hexadecimal digit, or -1.
func Unhex(c byte) int { return int(hexValue[c]) }

// Unescape decodes the escape at the beginning of s: "%" and two hexadecimal digits (RFC 3986
// section 2.1). ok is false if s does not begin with an escape.
func Unescape[T Text](s T) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' || hexValue[s[1]]|hexValue[s[2]] < 0 {
		return 0, false
	}
	return byte(hexValue[s[1]])<<4 | byte(hexValue[s[2]]), true
}

// OctetAt returns the octet at the start of s[i:], encoded or not, and its length
// in bytes.
func OctetAt(s []byte, i int) (c byte, n int) {
	if c, ok := Unescape(s[i:]); ok {
		return c, len("%XX")
	}
	return s[i], 1
}

// AppendEscape appends c as an escape.
func AppendEscape(dst []byte, c byte) []byte {
	return append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
}

// UnescapeAll returns s with all its escapes decoded. A "%" that does not begin an escape stays.
func UnescapeAll[T Text](s T) T {
	i := 0
	for i < len(s) && s[i] != '%' {
		i++
	}
	if i == len(s) {
		return s
	}
	out := append(make([]byte, 0, len(s)), s[:i]...)
	for ; i < len(s); i++ {
		c, ok := Unescape(s[i:])
		if ok {
			i += 2
		} else {
			c = s[i]
		}
		out = append(out, c)
	}
	return T(out)
}

// ToLower returns c in lower case.
func ToLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// Lower converts s to lower case in place.
func Lower(s []byte) {
	for i, c := range s {
		if 'A' <= c && c <= 'Z' {
			s[i] = c | 0x20
		}
	}
}

// EqualFold reports whether s and t are equal, ignoring the case of ASCII letters.
func EqualFold[S, T Text](s S, t T) bool {
	if len(s) != len(t) {
		return false
	}
	for i := range len(s) {
		if d := s[i] ^ t[i]; d != 0 && (d != 'a'^'A' || !IsLetter(s[i])) {
			return false
		}
	}
	return true
}

// CutPrefixFold returns s without prefix, and true, if s begins with prefix, ignoring the case of
// ASCII letters. Otherwise it returns s and false.
func CutPrefixFold[T Text](s T, prefix string) (after T, found bool) {
	if len(s) < len(prefix) || !EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// LineEnd returns the end of the line that src[at] is on, before its LF, or len(src).
func LineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

// NextLine returns where the line after the one that src[at] is on begins, after its LF, or len(src).
func NextLine(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// Line returns where the line that src[at] is on ends, before its CRLF or LF, and where the next line begins. Both are
// len(src) if src ends the line.
func Line(src []byte, at int) (end, next int) {
	next = NextLine(src, at)
	end = next
	if end > at && src[end-1] == '\n' {
		end--
		if end > at && src[end-1] == '\r' {
			end--
		}
	}
	return end, next
}

// IsScheme reports whether c may be part of a scheme: a letter, a digit, "+", "-" or
// "." (RFC 3986 section 3.1).
func IsScheme(c byte) bool { return inScheme[c] }

// SchemeEnd returns the index of the colon that ends the scheme at the start of s, or 0 if s does
// not begin with a scheme. A scheme begins with a letter (RFC 3986 section 3.1).
func SchemeEnd(s []byte) int {
	if len(s) == 0 || !IsLetter(s[0]) {
		return 0
	}
	return SchemeEndLoose(s)
}

// SchemeEndLoose is like SchemeEnd, but lets a scheme begin with any byte of IsScheme, as in RFC
// 1808 section 2.4.2.
func SchemeEndLoose(s []byte) int {
	for i, c := range s {
		if !inScheme[c] {
			if c == ':' {
				return i
			}
			return 0
		}
	}
	return 0
}

// HostStart returns the offset of the host in an authority: after the last "@", as in browsers, or
// 0 if there is no user.
func HostStart(authority []byte) int { return bytes.LastIndexByte(authority, '@') + 1 }

// CutPort splits s, an authority without its user, at the colon before the port. It ignores colons
// in an IP literal in brackets.
func CutPort(s []byte) (host, port []byte, found bool) {
	if i := bytes.LastIndexByte(s, ':'); i >= 0 && bytes.IndexByte(s[i:], ']') < 0 {
		return s[:i], s[i+1:], true
	}
	return s, nil, false
}

var hexValue = func() (t [256]int8) {
	for c := range t {
		switch c := byte(c); {
		case IsDigit(c):
			t[c] = int8(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			t[c] = int8(c | 0x20 - 'a' + 10)
		default:
			t[c] = -1
		}
	}
	return t
}()

var inScheme = func() (t [256]bool) {
	for c := range t {
		t[c] = IsAlnum(byte(c)) || c == '+' || c == '-' || c == '.'
	}
	return t
}()

// Number formats n for people, with commas between thousands: "13,500". n is not negative.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
