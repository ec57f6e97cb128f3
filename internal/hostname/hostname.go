// Package hostname parses and maps host names and IP addresses as the URL Standard and UTS 46 do, and
// finds the public suffix of a host.
package hostname

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"example.org/refract/internal/ascii"
)

// The forbidden host code points, and the forbidden domain code points without the
// remaining C0 controls (URL 3.2).
const (
	Forbidden       = "\x00\t\n\r #/:<>?@[\\]^|"
	forbiddenDomain = Forbidden + "%\x7f"
)

// MaxDomain is the maximum length in bytes of a non-ASCII domain. A domain of 253 characters, the maximum
// in the DNS, comes from fewer bytes; and encoding a label in Punycode takes the square of its length.
const MaxDomain = 1024

// IDNA is UTS 46 as the domain parser requires: not transitional, without
// CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength, with CheckBidi and CheckJoiners.
var IDNA = idna.New(idna.MapForLookup(), idna.StrictDomainName(false), idna.CheckHyphens(false),
	idna.BidiRule(), idna.VerifyDNSLength(false), idna.Transitional(false))

// DomainToASCII is the domain parser (URL 3.3) with beStrict false.
//
// An ASCII domain is not examined, as in the standard since 2025; older browsers fail on "xn--a". The idna
// package departs from UTS 46 in two ways: its tables are those of the Go release (see Map), and it does
// not apply the Bidi rule to letters that map to right-to-left letters ("ℵ").
func DomainToASCII(domain []byte) (string, bool) {
	ascii := strings.ToLower(string(domain))
	if bytes.ContainsFunc(domain, func(r rune) bool { return r >= utf8.RuneSelf }) {
		if len(domain) > MaxDomain || !utf8.Valid(domain) { // U+FFFD is in no domain
			return "", false
		}
		var err error
		name := Map(string(domain))
		if ascii, err = IDNA.ToASCII(name); err != nil || emptyALabel(name, ascii) {
			return "", false
		}
	}
	if ascii == "" || strings.ContainsAny(ascii, forbiddenDomain) || strings.ContainsFunc(ascii, func(r rune) bool { return r < ' ' }) {
		return "", false
	}
	return ascii, true
}

// emptyALabel reports whether a label of domain is "xn--" after mapping. That is an error in UTS 46
// section 4, but idna returns an empty label in ascii, as it does for an empty label.
func emptyALabel(domain, ascii string) bool {
	if !strings.Contains("."+ascii+".", "..") {
		return false
	}
	isDot := func(r rune) bool { return strings.ContainsRune(".。．｡", r) }
	return slices.ContainsFunc(strings.FieldsFunc(domain, isDot), func(label string) bool {
		mapped, _ := IDNA.ToASCII("a" + label)
		return mapped == "axn--"
	})
}

// EndsInNumber is the ends in a number checker (URL 3.5).
func EndsInNumber(domain string) bool {
	domain = strings.TrimSuffix(domain, ".")
	last := domain[strings.LastIndexByte(domain, '.')+1:]
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := parseNumber(last)
	return ok
}

// ParseIPv4 is the IPv4 parser: it accepts the same input as inet_aton.
func ParseIPv4(domain string) (uint32, bool) {
	parts := strings.Split(strings.TrimSuffix(domain, "."), ".")
	if len(parts) > 4 {
		return 0, false
	}
	var address uint64
	for i, part := range parts {
		n, ok := parseNumber(part)
		room := 1
		if i == len(parts)-1 {
			room = 5 - len(parts) // bytes
		}
		if !ok || n>>(8*room) != 0 {
			return 0, false
		}
		address = address<<(8*room) | n
	}
	return uint32(address), true
}

// FormatIPv4 is the IPv4 serializer.
func FormatIPv4(a uint32) string {
	return fmt.Sprintf("%d.%d.%d.%d", a>>24, a>>16&255, a>>8&255, a&255)
}

// parseNumber is the IPv4 number parser. For a number too large for an address it
// returns some number that is too large as well.
func parseNumber(s string) (n uint64, ok bool) {
	radix := 10
	switch {
	case s == "":
		return 0, false
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		s, radix = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, radix = s[1:], 8
	}
	for _, c := range []byte(s) {
		if !ascii.IsHex(c) || ascii.Unhex(c) >= radix {
			return 0, false
		}
		n = min(n*uint64(radix)+uint64(ascii.Unhex(c)), 1<<40)
	}
	return n, true
}

// ParseIPv6 is the IPv6 parser and the IPv6 serializer, for in with its brackets.
// netip accepts the same addresses, and also IPv4 addresses and zones. It writes the same
// text, except for addresses mapped from IPv4.
func ParseIPv6(in []byte) (string, bool) {
	text, ok := strings.CutSuffix(string(in[1:]), "]")
	address, err := netip.ParseAddr(text)
	if !ok || err != nil || !address.Is6() || address.Zone() != "" {
		return "", false
	}
	if address.Is4In6() {
		b := address.As16()
		return fmt.Sprintf("[::ffff:%x:%x]", uint(b[12])<<8|uint(b[13]), uint(b[14])<<8|uint(b[15])), true
	}
	return "[" + address.String() + "]", true
}

// Comparable returns a host in the form in which hosts are compared: in lower case and ASCII, without a final dot.
func Comparable(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if isPlain(host) {
		return host
	}
	if ascii, err := idna.Punycode.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// isPlain reports whether host is in the form of Comparable, which it is without the tables of IDNA if it
// has none but ASCII letters, digits and hyphens, and no label that may be an A-label.
func isPlain(host string) bool {
	for i := range len(host) {
		if c := host[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return false
		}
	}
	return !strings.Contains(host, "xn--")
}

// IsAddress reports whether host is an IP address, without brackets. Most names end in a letter; to parse
// each of them would allocate an error.
func IsAddress(host string) bool {
	if host == "" || !ascii.IsDigit(host[len(host)-1]) && strings.IndexByte(host, ':') < 0 {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}
