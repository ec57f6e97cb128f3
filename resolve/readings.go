package resolve

import (
	"bytes"
	"strings"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
	"example.org/refract/resolve/internal/syntax"
)

// Readings compares how RFC 3986 and browsers resolve references against one base. It is immutable, and
// several goroutines may use it at once. The zero Readings has no base.
type Readings struct {
	rfc, browser *Resolver
}

// NewReadings prepares base. Every string is a valid base; "" means that there is none.
func NewReadings(base string) *Readings {
	return &Readings{Rules{}.Resolver(base), Rules{SameScheme: true, Browser: true}.Resolver(base)}
}

var noReadings = NewReadings("")

// AppendBrowser compares the URL that browsers resolve ref to with that of RFC 3986. If they have different
// hosts or paths, it appends the browsers' URL to dst and returns true. A program that checks the one URL
// is then deceived about what a program that fetches the other does.
//
// Hosts differ if the scheme, host or port differs; paths differ if they do so after the normalisation of
// RFC 3986 section 6.2. Mere spelling does not count: case, escapes, an absent or empty port or the default
// one, A-labels and what UTS 46 maps to them, "localhost" in a file URL, the form of an IPv6 address, dot
// segments, escaped or not, and an empty path for "/". An IPv4 address has only one spelling: to RFC 3986,
// "0x7f.1" is a name (3.2.2), and so are "%31%32%37.0.0.1" and "①②⑦.0.0.1". Query and fragment do not
// count.
//
// If browsers fail, they fetch nothing, and the result is false. If only RFC 3986 has no URL, because there
// is no base, it is true.
func (r *Readings) AppendBrowser(dst, ref []byte) ([]byte, bool) {
	if r.rfc == nil {
		r = noReadings
	}
	var browser record
	if _, failure := browser.parse(scalar(ref), r.browser.browser); failure != 0 {
		return dst, false
	}
	url, res := r.rfc.Append(nil, ref)
	if res.Step != NoBase && samePlace(Parse(url), &browser) {
		return dst, false
	}
	return browser.append(dst), true
}

// samePlace reports whether c and u have the same scheme, host, port and path.
func samePlace(c Components, u *record) bool {
	if !strings.EqualFold(string(c.Scheme), u.scheme) {
		return false
	}
	host, port, _ := ascii.CutPort(c.Authority[ascii.HostStart(c.Authority):])
	other := record{scheme: u.scheme}
	if other.parsePort(port) != 0 || other.port != u.port {
		return false
	}
	if u.special() && hostname.EndsInNumber(u.host) && string(host) != u.host { // an address in disguise
		return false
	}
	return u.hostKey(host) == u.hostKey([]byte(u.host)) &&
		bytes.Equal(u.pathKey(c.Path), u.pathKey(u.path))
}

// hostKey returns the same string for all spellings of a host in a URL with the scheme of u.
// The numbers that browsers read as an IPv4 address have a key other than that address.
func (u *record) hostKey(host []byte) string {
	if len(host) > 0 && host[0] == '[' {
		if address, ok := hostname.ParseIPv6(host); ok {
			return address
		}
	}
	host = ascii.UnescapeAll(host)
	if u.special() {
		if domain, ok := hostname.DomainToASCII(host); ok {
			if u.scheme == "file" && domain == "localhost" {
				return ""
			}
			return domain
		}
	}
	return strings.ToLower(string(host))
}

// pathKey returns the same string for all spellings of a path in a URL with the scheme and host
// of u: without escapes, except of "/" and "%", and without dot segments.
func (u *record) pathKey(path []byte) []byte {
	if len(path) == 0 && u.special() {
		return []byte{'/'} // RFC 3986 6.2.3
	}
	key := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		switch c, ok := ascii.Unescape(path[i:]); {
		case !ok:
			key = append(key, path[i])
			continue
		case c == '/' || c == '%':
			key = append(key, '%', path[i+1], path[i+2]|0x20)
		default:
			key = append(key, c)
		}
		i += 2
	}
	if len(key) > 0 && key[0] == '/' {
		key, _, _ = syntax.RemoveDots(key, 0, 0, false)
	}
	return key
}
