package resolve

import (
	"bytes"
	"slices"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/internal/syntax"
)

// A Form is a set of the normal forms of RFC 3986 section 6.2. Each form gives more spellings of one URL
// the same string, and none gives two URLs that could be different resources the same string. That takes a
// key of package canon.
type Form uint8

const (
	// PercentForm decodes characters that need no escape: letters, digits and -._~ (6.2.2.2). The 1997 draft,
	// section 2.3, would also decode !$'()*, which RFC 3986 section 2.2 reserves.
	PercentForm Form = 1 << iota

	// CaseForm converts scheme and host to lower case (draft 6), and also the namespace of a URN
	// (RFC 8141 section 3.1). It converts the digits of escapes to upper case (6.2.2.1).
	CaseForm

	// DotsForm removes "." and ".." from paths (6.2.2.3) if there is a scheme and the path begins with a slash.
	// Elsewhere they mean something else, or nothing yet.
	DotsForm

	// SchemeForm is 6.2.3: it drops a default port (draft 6), a ":" without a port, and zeros at the start of a
	// port (3.2.3). An empty path becomes "/" if the scheme has a default port; that of Gopher becomes "/1"
	// (RFC 1738 section 3.4.1). file://localhost/ becomes file:/// (RFC 1738 section 3.10).
	SchemeForm

	AllForms = PercentForm | CaseForm | DotsForm | SchemeForm
)

// Append appends url to dst in the forms of f. It applies them in the order of the constants: a decoded dot
// may become part of "..", and a decoded letter in a host is still folded.
//
// Every url is valid, and a second Append changes nothing. Nothing is escaped. A relative reference gets
// the forms that do not depend on its base. The result is at most two bytes longer than url, and Append
// allocates only when dst has less room; url must not overlap the free space of dst. The time is linear in
// the length of url.
//
// Notable divergences:
//
//   - A "%" that begins no escape stays, and so does an escape after it that would complete it: "%%34%31"
//     does not become "%41".
//   - A decoded character does not create a scheme: "%61:b" becomes "./a:b" (RFC 3986 section 4.2).
//   - An authority without a host, or with a backslash, at which browsers end it, is only decoded:
//     "http://:80/x" would become "http:///x", which browsers read as "http://x".
//   - A zone of an IPv6 address (RFC 6874) is not folded: it is the name of an interface.
func (f Form) Append(dst, url []byte) []byte {
	var generic Rules
	p := generic.split(url)
	escapes := f & (PercentForm | CaseForm)
	escape := bytes.IndexByte(url, '%')
	if escape < 0 {
		escapes = 0 // one search saves four
	}
	start := len(dst)
	dst = append(dst, p.scheme...)
	if f&CaseForm != 0 {
		ascii.Lower(dst[start:])
	}
	var scheme Scheme
	if len(p.scheme) > 0 {
		scheme, _ = SchemeOf(string(p.scheme[:len(p.scheme)-1]))
	}
	port := scheme.Port

	hasHost := false
	if len(p.authority) > 0 {
		at := len(dst)
		if escape < len(p.scheme)+len(p.authority) {
			dst = escapes.appendEscapes(dst, p.authority)
		} else {
			dst = append(dst, p.authority...)
		}
		if bytes.IndexByte(p.authority, '\\') < 0 {
			dst, hasHost = f.server(dst, start, at, port)
		}
	}

	root := len(dst)
	dst = escapes.appendEscapes(dst, p.path)
	if f&CaseForm != 0 && scheme.Name == "urn" && len(p.authority) == 0 { // RFC 8141 3.1
		ascii.Lower(dst[root : root+max(bytes.IndexByte(dst[root:], ':'), 0)])
	}
	switch {
	case len(p.scheme) == 0:
		if len(p.authority) == 0 && len(dst)-root < len(p.path) && ascii.SchemeEnd(dst[root:]) > 0 {
			dst = insert(dst, root, "./")
		}
	case f&DotsForm != 0 && len(p.path) > 0 && p.path[0] == '/' && hasSlashDot(dst[root:]):
		dst, _, _ = syntax.RemoveDots(dst, root, root, false)
		if len(p.authority) == 0 && len(dst)-root > 1 && dst[root+1] == '/' {
			dst = insert(dst, root, "/.")
		}
	}
	if f&SchemeForm != 0 && hasHost && port > 0 {
		if len(dst) == root && !slices.Contains(pathCounts, scheme.Name) {
			dst = append(dst, '/')
		}
		if scheme.Name == "gopher" && len(dst) == root+1 && len(p.query) == 0 {
			dst = append(dst, '1')
		}
	}

	return escapes.appendEscapes(escapes.appendEscapes(dst, p.query), p.fragment)
}

// server applies the forms to the authority dst[at:], and reports whether it has a host.
func (f Form) server(dst []byte, start, at, port int) ([]byte, bool) {
	host := at + len("//")
	host += ascii.HostStart(dst[host:])
	if host == len(dst) || dst[host] == ':' {
		return dst, false
	}
	if f&CaseForm != 0 {
		foldHost(dst[host:])
	}
	if f&SchemeForm != 0 {
		dst = trimPort(dst, host, port)
		if ascii.EqualFold(dst[start:at], "file:") && ascii.EqualFold(dst[at:], "//localhost") {
			dst = dst[:host]
		}
	}
	return dst, true
}

// appendEscapes appends s with the forms of f applied to its escapes.
func (f Form) appendEscapes(dst, s []byte) []byte {
	if f&(PercentForm|CaseForm) == 0 {
		return append(dst, s...)
	}
	malformed := -1 // where dst holds a "%" that begins no escape, and perhaps one digit
	for {
		i := bytes.IndexByte(s, '%')
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		s = s[i:]
		c, ok := ascii.Unescape(s)
		if !ok {
			malformed = len(dst)
			dst = append(dst, '%')
			s = s[1:]
			continue
		}
		completes := malformed >= 0 && ascii.IsHex(c) && (malformed == len(dst)-1 ||
			malformed == len(dst)-2 && ascii.IsHex(dst[len(dst)-1]))
		switch {
		case f&PercentForm != 0 && unreserved[c] && !completes:
			dst = append(dst, c)
		case f&CaseForm != 0:
			dst = ascii.AppendEscape(dst, c)
		default:
			dst = append(dst, s[:3]...)
		}
		s = s[3:]
	}
}

// foldHost folds the case of a host and the rest of its authority, but not of escapes
// or a zone.
func foldHost(host []byte) {
	literal := host[0] == '['
	for {
		i := bytes.IndexByte(host, '%')
		if i < 0 {
			ascii.Lower(host)
			return
		}
		ascii.Lower(host[:i])
		host = host[i:]
		switch c, ok := ascii.Unescape(host); {
		case ok && c == '%' && literal:
			return
		case ok:
			host = host[3:]
		default:
			host = host[1:]
		}
	}
}

// trimPort removes from the host and port dst[host:] the parts of a port that SchemeForm
// drops. If there are more colons than one port has, there is no port.
func trimPort(dst []byte, host int, standard int) []byte {
	colon := bytes.LastIndexByte(dst[host:], ':')
	if colon < 0 {
		return dst
	}
	colon += host
	if dst[host] == '[' && dst[colon-1] != ']' || dst[host] != '[' && bytes.IndexByte(dst[host:colon], ':') >= 0 {
		return dst
	}
	port := dst[colon+1:]
	for _, c := range port {
		if !ascii.IsDigit(c) {
			return dst
		}
	}
	zeros := 0
	for zeros+1 < len(port) && port[zeros] == '0' {
		zeros++
	}
	if number := port[zeros:]; len(number) == 0 || standard > 0 && syntax.PortNumber(number) == standard {
		return dst[:colon]
	}
	return dst[:colon+1+copy(port, port[zeros:])]
}

// pathCounts holds the schemes with a port in which an empty path need not mean "/": a path
// names a directory or a file to open, or has no meaning.
var pathCounts = []string{"ssh", "sftp", "git", "svn", "rsync", "tftp", "vnc", "pop", "dict", "finger", "sieve"}

// unreserved holds the characters that mean the same escaped or not (RFC 3986 2.3).
var unreserved = func() (t [256]bool) {
	for c := range t {
		t[c] = ascii.IsAlnum(byte(c)) || bytes.IndexByte([]byte("-._~"), byte(c)) >= 0
	}
	return t
}()
