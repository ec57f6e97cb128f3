package risk

import (
	"bytes"
	"encoding/binary"

	"example.org/refract/internal/ascii"
)

// IsPlain reports whether url is so plain that [Of] finds nothing, and that JSON needs no escape: printable
// ASCII without quotes and backslashes. A result of false says nothing. Most URLs are plain; testing eight
// bytes at a time takes a tenth of the time of examining their parts.
func IsPlain(url []byte) bool {
	i := 0
	switch {
	case len(url) > 7 && string(url[:7]) == "http://":
		i = plainHost(url, 7)
	case len(url) > 8 && string(url[:8]) == "https://":
		i = plainHost(url, 8)
	case len(url) > 7 && string(url[:7]) == "mailto:":
		i = 7
		if url[i] == '/' {
			return false
		}
	default:
		if len(url) > 1 && url[0] == '/' && url[1] == '/' {
			return false
		}
		for i < len(url) && riskClasses[url[i]]&isBeforeColon != 0 {
			i++
		}
		if i < len(url) && url[i] == ':' {
			return false
		}
	}
	if i < 0 {
		return false
	}
	for i+8 <= len(url) && arePlain(url[i:]) {
		i += 8
	}
	if len(url)-i < 8 && len(url) >= 8 && arePlain(url[len(url)-8:]) {
		return true
	}
	return isRisklessEnd(url[i:])
}

// arePlain reports whether the first eight bytes of s have the class isPlainByte.
func arePlain(s []byte) bool {
	const (
		low  = 0x0101010101010101
		high = 0x8080808080808080
	)
	w := binary.LittleEndian.Uint64(s)
	// If no byte has the highest bit in w itself, a difference has that of the first byte that is less than "!", or the
	// character, and the sum those of DEL.
	odd := w | (w - '!'*low) | (w + low) | ((w ^ '"'*low) - low) | ((w ^ '\\'*low) - low) | ((w ^ '%'*low) - low) | ((w ^ '#'*low) - low)
	return odd&high == 0
}

// isRisklessEnd is IsPlain for the end of a URL, from its first escape or fragment on.
func isRisklessEnd(s []byte) bool {
	hashes := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case riskClasses[c]&isPlainByte != 0:
		case c == '#':
			hashes++
			if hashes > 1 {
				return false
			}
		case c == '%' && i+2 < len(s) && ascii.IsHex(s[i+1]) && ascii.IsHex(s[i+2]):
			if b := ascii.Unhex(s[i+1])<<4 | ascii.Unhex(s[i+2]); b < ' ' || b >= 0x7F {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// plainHost returns the index of the end of the authority that begins at url[start], or -1 unless it
// is a plain name: letters, digits, dots and single hyphens, with a letter in front, and neither
// port nor user.
func plainHost(url []byte, start int) int {
	i, seen := start, uint8(0)
	for i < len(url) {
		class := riskClasses[url[i]]
		if class&isPlainName == 0 {
			break
		}
		seen |= class
		i++
	}
	if i == start || i < len(url) && url[i] != '/' && url[i] != '?' && url[i] != '#' || !ascii.IsLetter(url[start]) {
		return -1
	}
	if seen&isHyphen != 0 && bytes.Contains(url[start:i], hyphens) { // perhaps an A-label
		return -1
	}
	if riskClasses[url[i-1]]&endsSpecial == 0 {
		return i
	}
	label := i
	for label > start && url[label-1] != '.' {
		label--
	}
	// Perhaps localhost, local, internal or arpa. A final dot leaves no label.
	switch i - label {
	case 0, 4, 5, 8, 9:
		if i == label || isSpecialLabel(url[label:i]) {
			return -1
		}
	}
	return i
}

var hyphens = []byte("--")

func isSpecialLabel(s []byte) bool {
	for _, name := range []string{"localhost", "local", "internal", "arpa"} {
		if ascii.EqualFold(s, name) {
			return true
		}
	}
	return false
}

// The classes of bytes in plain URLs.
const (
	isPlainName = 1 << iota // letters, digits, "." and "-"
	isHyphen
	endsSpecial   // what localhost, local, internal and arpa end in, and a dot
	isPlainByte   // printable ASCII except quotes, "\", "%" and "#"
	isBeforeColon // the same without "/", "?" and ":"; a reference whose first other byte is not a colon is relative
)

var riskClasses = func() (classes [256]uint8) {
	for c := byte('!'); c < 0x7F; c++ {
		if ascii.IsAlnum(c) || c == '.' || c == '-' {
			classes[c] |= isPlainName
		}
		switch c {
		case '-':
			classes[c] |= isHyphen
		case '.', 'a', 'A', 'l', 'L', 't', 'T':
			classes[c] |= endsSpecial
		}
		if c != '"' && c != '\\' && c != '%' && c != '#' {
			classes[c] |= isPlainByte
			if c != '/' && c != '?' && c != ':' {
				classes[c] |= isBeforeColon
			}
		}
	}
	return classes
}()
