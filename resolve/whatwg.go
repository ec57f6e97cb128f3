package resolve

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
)

// The rules of browsers are the basic URL parser and the URL serializer of the URL
// Standard (https://url.spec.whatwg.org, as of August 2026), which do not
// work on the components of RFC 3986. Comments cite the standard as "URL" with a section
// and the name of the state.
//
// The standard's parser is a machine that reads code points. All characters that decide
// are ASCII, so this parser reads bytes and cuts at the next one of
// interest. It reads each byte a fixed number of times.
//
// We do not use a library: of the Go libraries, nlnwa/whatwg-url follows the standard of May 2023
// and returns a value per URL with strings of its own, and goada needs cgo. Append extends
// dst and allocates nothing for most references, accepts bytes that are not UTF-8, names the
// failure ([Failure]), and decides in the same terms as the other rules ([Readings]). The
// tables of domain names do come from a library. Browsers' shared tests and Node.js
// check the result (suites_test.go, whatwg_test.go).
//
// There are two departures: domain names are mapped by the tables of the idna package,
// which may be older than the standard wants (see hostname.DomainToASCII), and a non-ASCII domain
// has at most hostname.MaxDomain bytes.

// A Failure says why browsers have no URL for a reference. It is an error.
type Failure uint8

const (
	_             Failure = iota
	NoBaseURL             // missing-scheme-non-relative-URL: there is no base, or browsers fail on it
	OpaqueBase            // missing-scheme-non-relative-URL: the base has an opaque path
	HostMissing           // host-missing
	HostInvalid           // host-invalid-code-point
	DomainInvalid         // domain-to-ASCII
	IPv4Invalid           // IPv4-too-many-parts, IPv4-non-numeric-part, IPv4-out-of-range-part
	IPv6Invalid           // IPv6-unclosed and all others of IPv6
	PortInvalid           // port-invalid, port-out-of-range
)

// Error describes f in words.
func (f Failure) Error() string {
	switch f {
	case NoBaseURL:
		return "browsers fail: a relative reference without a base that they can parse"
	case OpaqueBase:
		return "browsers fail: the path of the base is opaque, only a fragment can be resolved against it"
	case HostMissing:
		return "browsers fail: the host is missing"
	case HostInvalid:
		return "browsers fail: a forbidden character in the host"
	case DomainInvalid:
		return "browsers fail: not a domain name"
	case IPv4Invalid:
		return "browsers fail: the host ends in a number, but is not an IPv4 address"
	case IPv6Invalid:
		return "browsers fail: not an IPv6 address"
	case PortInvalid:
		return "browsers fail: the port is not a number up to 65535"
	}
	return "none"
}

// A record is a URL record (URL 4.1), without the fields that can be computed from others.
type record struct {
	scheme             string
	username, password string
	host               string // serialised
	hasHost            bool   // the host is not null
	port               string // "" means null
	opaque             bool   // the path is one segment
	path               []byte // otherwise each segment with a slash before it; no segment contains a slash
	query, fragment    []byte // with "?" and "#"; empty means null

	above bool // a ".." found nothing to remove
}

// browserBase parses uri for appendBrowser; it returns nil if browsers have no such base.
func browserBase(uri string) *record {
	var base record
	if _, failure := base.parse(scalar([]byte(uri)), nil); failure != 0 {
		return nil
	}
	return &base
}

// appendBrowser is Append under the rules of browsers: URL 4.4 and 4.5.
func (b *Resolver) appendBrowser(dst, ref []byte) ([]byte, Result) {
	var u record
	var res Result
	res.Step, res.Failure = u.parse(scalar(ref), b.browser)
	if res.Failure != 0 {
		res.InError = true
		return dst, res
	}
	if u.above {
		res.Departures |= WentAbove
	}
	if u.guarded() {
		res.Departures |= Guarded
	}
	return u.append(dst), res
}

// scalar returns the input of the basic URL parser: s after UTF-8 decode without BOM (Encoding 6), without
// C0 controls and spaces around it, and without tabs and line ends (URL 4.4 steps 1 to 3).
func scalar(s []byte) []byte {
	s = bytes.TrimFunc(toUTF8(s), func(r rune) bool { return r <= ' ' })
	if !bytes.ContainsAny(s, "\t\n\r") {
		return s
	}
	out := make([]byte, 0, len(s))
	for _, c := range s {
		if c != '\t' && c != '\n' && c != '\r' {
			out = append(out, c)
		}
	}
	return out
}

// toUTF8 returns s with U+FFFD in place of invalid UTF-8: one for each byte, or for
// the two or three bytes that a longer sequence could begin with (Encoding 8.1.1).
func toUTF8(s []byte) []byte {
	if utf8.Valid(s) {
		return s
	}
	var out []byte
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		out = utf8.AppendRune(out, r)
		if r == utf8.RuneError && n == 1 {
			n = invalidPrefix(s)
		}
		s = s[n:]
	}
	return out
}

// invalidPrefix returns how many bytes of s, which does not begin with a valid
// sequence, form one error: as many as some continuation would make valid.
func invalidPrefix(s []byte) int {
	n := 1
	for n < len(s) && n < utf8.UTFMax-1 && !utf8.FullRune(s[:n+1]) {
		n++
	}
	return n
}

// parse is the basic URL parser (URL 4.4). in is a result of scalar, and base is
// the URL that in is relative to, or nil. u must be empty.
func (u *record) parse(in []byte, base *record) (Step, Failure) {
	colon := ascii.SchemeEnd(in)
	if colon == 0 { // no scheme state
		switch {
		case base == nil:
			return NoBase, NoBaseURL
		case !base.opaque:
			u.scheme = base.scheme
			return u.relativeStep(in), u.parseRelative(in, base)
		case len(in) == 0 || in[0] != '#':
			return base.relativeStep(in), OpaqueBase
		}
		*u = *base
		u.parseTail(in)
		return SameURI, 0
	}

	u.scheme = strings.ToLower(string(in[:colon])) // scheme state
	in = in[colon+1:]
	step := u.relativeStep(in)
	switch {
	case u.special() && base != nil && base.scheme == u.scheme && !bytes.HasPrefix(in, []byte("//")) &&
		(u.scheme != "file" || step != NetworkPath): // special relative or authority state
		return step, u.parseRelative(in, base)
	case u.scheme == "file":
		return Absolute, u.parseRelative(in, nil)
	case u.special():
		return Absolute, u.parseAuthority(trimSlashes(in))
	case step == NetworkPath: // path or authority state
		return Absolute, u.parseAuthority(in[2:])
	case step == AbsolutePath:
		u.parsePath(in[1:])
	default:
		u.parseOpaque(in)
	}
	return Absolute, 0
}

// trimSlashes is the special authority slashes state and the special authority
// ignore slashes state.
func trimSlashes(in []byte) []byte { return bytes.TrimLeft(in, `/\`) }

// relativeStep classifies in, which is relative to a base with the scheme of u.
func (u *record) relativeStep(in []byte) Step {
	switch {
	case len(in) == 0 || in[0] == '#':
		return SameURI
	case in[0] == '?':
		return SamePath
	case !u.isSlash(in[0]):
		return RelativePath
	case len(in) > 1 && u.isSlash(in[1]):
		return NetworkPath
	}
	return AbsolutePath
}

// isSlash reports whether c separates segments: in special schemes "\" does too.
func (u *record) isSlash(c byte) bool { return c == '/' || c == '\\' && u.special() }

// parseRelative is the relative state, the relative slash state, the file state
// and the file slash state. base is nil only in file URLs.
func (u *record) parseRelative(in []byte, base *record) Failure {
	step, file := u.relativeStep(in), u.scheme == "file"
	switch {
	case step == NetworkPath && file:
		return u.parseFileHost(in[2:])
	case step == NetworkPath && u.special():
		return u.parseAuthority(trimSlashes(in))
	case step == NetworkPath:
		return u.parseAuthority(in[2:])
	case base == nil:
		u.hasHost = true
		if step == AbsolutePath {
			in = in[1:]
		}
		u.parsePath(in)
		return 0
	}

	u.username, u.password = base.username, base.password
	u.host, u.hasHost, u.port = base.host, base.hasHost, base.port
	if step == AbsolutePath {
		in = in[1:]
		if first := firstSegment(base.path); file && !startsWithDrive(in) && isDrive(first) && first[1] == ':' {
			u.path = append(u.path, base.path[:len("/C:")]...)
		}
		u.parsePath(in)
		return 0
	}
	u.path = append(make([]byte, 0, len(base.path)+len("/")+len(in)), base.path...)
	if step == RelativePath {
		if file && startsWithDrive(in) {
			u.path = u.path[:0]
		} else {
			u.shorten()
		}
		u.parsePath(in)
		return 0
	}
	u.query = base.query
	u.parseTail(in)
	return 0
}

// parseAuthority is the authority state, the host state and the port state.
func (u *record) parseAuthority(in []byte) Failure {
	end := u.authorityEnd(in)
	authority, in := in[:end], in[end:]
	if at := ascii.HostStart(authority); at > 0 {
		user, password, _ := bytes.Cut(authority[:at-1], []byte(":"))
		u.username = string(encode(nil, user, userinfoSet))
		u.password = string(encode(nil, password, userinfoSet))
		authority = authority[at:]
		if len(authority) == 0 {
			return HostMissing
		}
	}
	host := authority
	brackets := false
	for i, c := range authority {
		if c == ':' && !brackets {
			host = authority[:i]
			if len(host) == 0 {
				return HostMissing
			}
			break
		}
		brackets = c == '[' || brackets && c != ']'
	}
	if len(host) == 0 && u.special() {
		return HostMissing
	}
	if failure := u.parseHost(host); failure != 0 {
		return failure
	}
	if len(host) < len(authority) {
		if failure := u.parsePort(authority[len(host)+1:]); failure != 0 {
			return failure
		}
	}
	u.parsePathStart(in)
	return 0
}

// authorityEnd returns where the authority at the start of in ends.
func (u *record) authorityEnd(in []byte) int {
	for i, c := range in {
		if c == '?' || c == '#' || u.isSlash(c) {
			return i
		}
	}
	return len(in)
}

// parseHost is the host parser and the host serializer (URL 3.5 and 3.6).
func (u *record) parseHost(in []byte) Failure {
	u.hasHost = true
	switch {
	case len(in) > 0 && in[0] == '[':
		address, ok := hostname.ParseIPv6(in)
		if !ok {
			return IPv6Invalid
		}
		u.host = address
	case !u.special():
		if bytes.ContainsAny(in, hostname.Forbidden) {
			return HostInvalid
		}
		u.host = string(encode(nil, in, c0Set))
	default:
		domain, ok := hostname.DomainToASCII(ascii.UnescapeAll(in))
		if !ok {
			return DomainInvalid
		}
		u.host = domain
		if hostname.EndsInNumber(domain) {
			address, ok := hostname.ParseIPv4(domain)
			if !ok {
				return IPv4Invalid
			}
			u.host = hostname.FormatIPv4(address)
		}
	}
	return 0
}

// parsePort is the port state: a number of 16 bits, unless it is the default.
func (u *record) parsePort(port []byte) Failure {
	n := 0
	for _, c := range port {
		n = 10*n + int(c-'0')
		if !ascii.IsDigit(c) || n > 65535 {
			return PortInvalid
		}
	}
	if standard, ok := special[u.scheme]; len(port) > 0 && !(ok && n == standard) {
		u.port = strconv.Itoa(n)
	}
	return 0
}

// parseFileHost is the file host state.
func (u *record) parseFileHost(in []byte) Failure {
	u.hasHost = true
	end := u.authorityEnd(in)
	switch host := in[:end]; {
	case isDrive(host):
		u.parsePath(in)
		return 0
	case end > 0:
		if failure := u.parseHost(host); failure != 0 {
			return failure
		}
		if u.host == "localhost" {
			u.host = ""
		}
	}
	u.parsePathStart(in[end:])
	return 0
}

// parsePathStart is the path start state, after an authority.
func (u *record) parsePathStart(in []byte) {
	switch {
	case len(in) > 0 && u.isSlash(in[0]):
		u.parsePath(in[1:])
	case u.special():
		u.parsePath(in)
	default:
		u.parseTail(in)
	}
}

// parsePath is the path state: it adds segments to the path.
func (u *record) parsePath(in []byte) {
	var tail []byte
	if end := bytes.IndexAny(in, "?#"); end >= 0 {
		in, tail = in[:end], in[end:]
	}
	u.path = slices.Grow(u.path, len("/")+len(in))
	for more := true; more; {
		end := 0
		for end < len(in) && !u.isSlash(in[end]) {
			end++
		}
		segment := in[:end]
		if more = end < len(in); more {
			in = in[end+1:]
		}
		switch dots := browserDots(segment); {
		case dots > 0:
			if dots == 2 && !u.shorten() {
				u.above = true
			}
			if !more {
				u.path = append(u.path, '/')
			}
		case u.scheme == "file" && len(u.path) == 0 && isDrive(segment):
			u.path = append(u.path, '/', segment[0], ':')
		default:
			u.path = encode(append(u.path, '/'), segment, pathSet)
		}
	}
	u.parseTail(tail)
}

// shorten removes the last segment of the path (URL 4.2), but not a drive letter.
// It reports whether there was a segment to remove.
func (u *record) shorten() bool {
	if len(u.path) == 0 || u.scheme == "file" && len(u.path) == len("/C:") && isDrive(u.path[1:]) && u.path[2] == ':' {
		return false
	}
	u.path = u.path[:bytes.LastIndexByte(u.path, '/')]
	return true
}

// parseOpaque is the opaque path state.
func (u *record) parseOpaque(in []byte) {
	u.opaque = true
	var tail []byte
	if end := bytes.IndexAny(in, "?#"); end >= 0 {
		in, tail = in[:end], in[end:]
	}
	u.path = encode(nil, in, c0Set)
	if n := len(u.path); n > 0 && u.path[n-1] == ' ' { // only before a query or fragment
		u.path = append(u.path[:n-1], "%20"...)
	}
	u.parseTail(tail)
}

// parseTail is the query state and the fragment state, if in begins with "?" or "#".
func (u *record) parseTail(in []byte) {
	u.fragment = nil
	if i := bytes.IndexByte(in, '#'); i >= 0 {
		u.fragment = encode(nil, in[i:], fragmentSet)
		in = in[:i]
	}
	if len(in) > 0 {
		set := uint8(querySet)
		if u.special() {
			set = specialQuerySet
		}
		u.query = encode(nil, in, set)
	}
}

// browserDots returns 1 if segment is a single-dot URL path segment, 2 if it is a
// double-dot one, and otherwise 0 (URL 4.1).
func browserDots(segment []byte) int {
	n := 0
	for len(segment) > 0 && n < 3 {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && string(segment[:2]) == "%2" && segment[2]|0x20 == 'e':
			segment = segment[3:]
		default:
			return 0
		}
		n++
	}
	return n % 3
}

// isDrive reports whether s is a Windows drive letter (URL 4.2).
func isDrive(s []byte) bool {
	return len(s) == 2 && ascii.IsLetter(s[0]) && (s[1] == ':' || s[1] == '|')
}

// startsWithDrive reports whether s starts with a Windows drive letter (URL 4.2).
func startsWithDrive(s []byte) bool {
	return len(s) >= 2 && isDrive(s[:2]) && (len(s) == 2 || strings.IndexByte(`/\?#`, s[2]) >= 0)
}

// firstSegment returns the first segment of a path.
func firstSegment(path []byte) []byte {
	if len(path) == 0 {
		return nil
	}
	segment, _, _ := bytes.Cut(path[1:], []byte("/"))
	return segment
}

// guarded reports whether the path needs "/." before it, so that it is not read as an authority.
func (u *record) guarded() bool {
	return !u.hasHost && !u.opaque && bytes.HasPrefix(u.path, []byte("//"))
}

// append is the URL serializer (URL 4.5).
func (u *record) append(dst []byte) []byte {
	dst = append(append(dst, u.scheme...), ':')
	if u.hasHost {
		dst = append(dst, "//"...)
		if u.username != "" || u.password != "" {
			dst = append(dst, u.username...)
			if u.password != "" {
				dst = append(append(dst, ':'), u.password...)
			}
			dst = append(dst, '@')
		}
		dst = append(dst, u.host...)
		if u.port != "" {
			dst = append(append(dst, ':'), u.port...)
		}
	}
	if u.guarded() {
		dst = append(dst, "/."...)
	}
	dst = append(dst, u.path...)
	dst = append(dst, u.query...)
	return append(dst, u.fragment...)
}

// special holds the special schemes with their default ports (URL 4.2); -1 means none.
var special = map[string]int{"ftp": 21, "file": -1, "http": 80, "https": 443, "ws": 80, "wss": 443}

func (u *record) special() bool {
	_, ok := special[u.scheme]
	return ok
}

// The percent-encode sets (URL 1.3), as bits of inSet.
const (
	c0Set = 1 << iota
	fragmentSet
	querySet
	specialQuerySet
	pathSet
	userinfoSet
)

var inSet = func() (t [256]uint8) {
	for c := range t {
		if c < ' ' || c > '~' {
			t[c] = 0xff
		}
	}
	for _, set := range []struct {
		set   uint8
		bytes string
	}{
		{fragmentSet, " \"<>`"},
		{querySet | specialQuerySet | pathSet | userinfoSet, " \"#<>"},
		{specialQuerySet, "'"},
		{pathSet | userinfoSet, "?^`{}"},
		{userinfoSet, "/:;=@[\\]|"},
	} {
		for _, c := range []byte(set.bytes) {
			t[c] |= set.set
		}
	}
	return t
}()

// encode is UTF-8 percent-encode (URL 1.3): it appends s to dst, and escapes the bytes
// in set.
func encode(dst, s []byte, set uint8) []byte {
	from := 0
	for i, c := range s {
		if inSet[c]&set != 0 {
			dst = ascii.AppendEscape(append(dst, s[from:i]...), c)
			from = i + 1
		}
	}
	return append(dst, s[from:]...)
}
