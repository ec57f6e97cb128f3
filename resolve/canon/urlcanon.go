package canon

import (
	"bytes"
	"math/big"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/secure/bidirule"
	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
)

// The bytes that urlcanon keeps in each component.
var (
	urlCanonPart  = newEscapedSet("#%")
	urlCanonPath  = newEscapedSet("#%?")
	urlCanonValue = newEscapedSet("#%&=")
)

// urlCanonPorts holds the schemes that urlcanon treats as browsers do, with their ports.
var urlCanonPorts = map[string]string{"ftp": "21", "gopher": "70", "http": "80", "https": "443", "ws": "80", "wss": "443", "file": ""}

// urlCanonURL is a URL as urlcanon splits it: what stands between the components is kept, too.
type urlCanonURL struct {
	scheme, colon, slashes, user, host, portColon, port, path, mark, query []byte
}

// appendURLCanon appends the key of [URLCanonSemantic]. ok is false if that package fails.
func appendURLCanon(dst, url []byte) (out []byte, ok bool) {
	u := splitURLCanon(bytes.TrimFunc(url, func(r rune) bool { return r <= ' ' }))
	if len(u.scheme) == 0 {
		u.scheme, u.colon = []byte("http"), []byte(":")
		if len(u.path) > 0 {
			u.splitPathish(u.path)
		}
	}
	for _, part := range []*[]byte{&u.scheme, &u.slashes, &u.user, &u.host, &u.port, &u.path, &u.query} {
		if bytes.ContainsAny(*part, "\t\r\n") {
			*part = slices.DeleteFunc(bytes.Clone(*part), isTabOrNewline)
		}
	}
	scheme := lowerASCII(u.scheme)
	standard, isSpecial := urlCanonPorts[scheme]
	if isSpecial && len(u.port) > 0 && string(u.port) == standard {
		u.portColon, u.port = nil, nil
	}
	user := bytes.TrimSuffix(u.user, []byte("@"))
	if name, password, _ := bytes.Cut(user, []byte(":")); len(name)+len(password) == 0 {
		u.user = nil
	}
	if len(u.slashes)+len(u.user)+len(u.host)+len(u.portColon)+len(u.port) > 0 || scheme == "file" {
		u.slashes = []byte("//")
	}

	decoded := unescapeRepeatedly([]byte(scheme))
	_, isSpecial = urlCanonPorts[string(decoded)]
	u.host, ok = urlCanonHost(unescapeRepeatedly(u.host), isSpecial)
	if !ok {
		return dst, false
	}
	dst = append(urlCanonPart.escape(dst, decoded), u.colon...)
	dst = append(dst, u.slashes...)
	dst = urlCanonPart.escape(dst, u.host)
	dst = urlCanonPart.escape(append(dst, u.portColon...), unescapeRepeatedly(u.port))
	dst = append(dst, urlCanonPathOf(u.path, isSpecial)...)
	dst = append(dst, u.mark...)
	return appendURLCanonQuery(dst, u.query), true
}

func lowerASCII(s []byte) string {
	s = bytes.Clone(s)
	ascii.Lower(s)
	return string(s)
}

// splitURLCanon splits a URL without its fragment. The scheme begins with a letter and ends at the first
// colon.
func splitURLCanon(url []byte) (u urlCanonURL) {
	if colon := bytes.IndexByte(url, ':'); colon > 0 && ascii.IsLetter(url[0]) {
		u.scheme, u.colon, url = url[:colon], url[colon:colon+1], url[colon+1:]
	}
	pathish, _, _ := bytes.Cut(url, []byte("#"))
	if i := bytes.IndexByte(pathish, '?'); i >= 0 {
		pathish, u.mark, u.query = pathish[:i], pathish[i:i+1], pathish[i+1:]
	}
	u.path = pathish
	if len(pathish) > 0 {
		u.splitPathish(pathish)
	}
	return u
}

// splitPathish splits what follows the scheme into an authority and a path.
func (u *urlCanonURL) splitPathish(s []byte) {
	scheme := lowerASCII(slices.DeleteFunc(bytes.Clone(u.scheme), isTabOrNewline))
	_, isSpecial := urlCanonPorts[scheme]
	slashes, most := "/", 2
	if isSpecial {
		slashes = `/\`
		if scheme != "file" {
			most = len(s)
		}
	}
	start, n := 0, 0
	for start < len(s) {
		if isSlash := strings.IndexByte(slashes, s[start]) >= 0; isSlash && n < most {
			n++
		} else if !isTabOrNewline(s[start]) {
			break
		}
		start++
	}
	if n < 2 && (!isSpecial || scheme == "file") {
		u.path = s
		return
	}
	end := bytes.IndexAny(s[start:], slashes)
	if end < 0 {
		end = len(s) - start
	}
	u.slashes, u.path = s[:start], s[start+end:]
	u.user, u.portColon, u.port = nil, nil, nil
	u.host = s[start : start+end]
	if scheme != "file" {
		u.splitAuthority(u.host)
	}
}

// splitAuthority splits an authority: a user ends at the last "@" if a colon precedes it, otherwise at the
// last "@" before the first colon.
func (u *urlCanonURL) splitAuthority(s []byte) {
	colon := bytes.IndexByte(s, ':')
	at := bytes.LastIndexByte(s, '@')
	if colon >= 0 && at < colon {
		at = bytes.LastIndexByte(s[:colon], '@')
	}
	u.user, s = s[:at+1], s[at+1:]
	colon = bytes.IndexByte(s, ':')
	if end := bytes.IndexByte(s, ']') + 1; end > 0 && s[0] == '[' && (end == len(s) || s[end] == ':') {
		colon = end
	}
	u.host = s
	if 0 <= colon && colon < len(s) {
		u.host, u.portColon, u.port = s[:colon], s[colon:colon+1], s[colon+1:]
	}
}

// urlCanonHost returns a decoded host as an IP address or a name in ASCII.
func urlCanonHost(host []byte, isSpecial bool) (out []byte, ok bool) {
	if literal, isLiteral := urlCanonLiteral(host); isLiteral {
		host = literal
	} else if address, isAddress := urlCanonAddress(host); isAddress {
		if address < 0 {
			return nil, false
		}
		host = []byte(hostname.FormatIPv4(uint32(address)))
	}
	host = bytes.Trim(host, ".")
	if bytes.Contains(host, []byte("..")) {
		host = slices.CompactFunc(bytes.Clone(host), func(a, b byte) bool { return a == '.' && b == '.' })
	}
	if isSpecial && len(host) > 0 && utf8.Valid(host) {
		if name, converts := urlCanonName(string(host)); converts {
			return []byte(name), true
		}
	}
	return host, true
}

// urlCanonLiteral returns an IPv6 address without its zone, in the form of RFC 5952.
func urlCanonLiteral(host []byte) (out []byte, ok bool) {
	const longest = 256
	if len(host) < 2 || len(host) > longest || !utf8.Valid(host) || host[0] != '[' || host[len(host)-1] != ']' {
		return nil, false
	}
	address, err := netip.ParseAddr(string(host[1 : len(host)-1]))
	if err != nil || !address.Is6() || strings.Contains(address.Zone(), "%") {
		return nil, false
	}
	return append(address.WithZone("").AppendTo([]byte("[")), ']'), true
}

// urlCanonAddress returns the number that a host is as an IPv4 address: one to four numbers, the last of
// which fills the remaining bytes. It is negative if the first number is.
func urlCanonAddress(host []byte) (address int64, ok bool) {
	const longest = 256
	if len(host) == 0 || len(host) > longest {
		return 0, false
	}
	parts := strings.Split(string(host), ".")
	if n := len(parts) - 1; parts[n] == "" {
		parts = parts[:n]
	}
	if len(parts) > 4 {
		return 0, false
	}
	for i, part := range parts {
		n, isNumeral := pythonNumber(part)
		bits := 8
		if i == len(parts)-1 {
			bits = 8 * (4 - i)
		}
		if !isNumeral || (i > 0 || len(parts) == 1) && n >= 1<<bits {
			return 0, false
		}
		if n > 1<<32 {
			return 0, false
		}
		shift := 8 * (3 - i)
		if i == len(parts)-1 {
			shift = 0
		}
		address += max(n, -1<<33) << shift
	}
	return address, address < 1<<32
}

// pythonNumber is the number that Python's int reads: with a sign, with "_" between digits, with spaces
// around it. "0x" makes it hexadecimal, "0" octal. A number that needs more than 62 bits is 1<<62.
func pythonNumber(s string) (n int64, ok bool) {
	base := 10
	switch {
	case s == "":
		return 0, true
	case len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x':
		base, s = 16, s[2:]
		if s == "" {
			return 0, true
		}
	case len(s) >= 2 && s[0] == '0':
		base, s = 8, s[1:]
	}
	s = strings.Trim(s, " \t\n\r\v\f")
	sign := int64(1)
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	if prefix := map[int]string{16: "0x", 8: "0o"}[base]; prefix != "" && len(s) > 2 && strings.EqualFold(s[:2], prefix) {
		s = strings.TrimPrefix(s[2:], "_")
	}
	if s == "" || strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") || strings.ContainsAny(s, "+-") {
		return 0, false
	}
	s = strings.ReplaceAll(s, "_", "")
	v, err := strconv.ParseInt(s, base, 63)
	if err != nil {
		if _, isNumeral := new(big.Int).SetString(s, base); !isNumeral {
			return 0, false
		}
		v = 1 << 62
	}
	return sign * v, true
}

// urlCanonName converts a host name to ASCII by UTS 46 and, if IDNA 2008 does not permit the name, by
// RFC 3490. ok is false if neither permits it.
func urlCanonName(host string) (name string, ok bool) {
	const longest = 1024 // characters, in that package too
	if utf8.RuneCountInString(host) > longest {
		return "", false
	}
	if isASCII(host) {
		name = strings.ToLower(host)
		if !isSTD3(name) {
			return "", false
		}
		for label := range strings.SplitSeq(name, ".") {
			if len(label) == 0 || len(label) > 63 {
				return "", false
			}
		}
		return name, true
	}
	var labels []string
	for label := range strings.SplitSeq(dots2003.Replace(hostname.Map(host)), ".") {
		if isASCII(label) {
			label = strings.ToLower(label)
		} else {
			mapped, err := mapping46().ToUnicode("-" + label) // not decoded as an A-label
			if err != nil {
				return "", false
			}
			label = norm.NFC.String(mapped[1:])
		}
		if !isSTD3(label) {
			return "", false
		}
		labels = append(labels, label)
	}
	name, ok = name2008(labels)
	if ok {
		return name, true
	}
	for i, label := range labels {
		labels[i], ok = label2003(label)
		if !ok {
			return "", false
		}
	}
	return strings.Join(labels, "."), true
}

// name2008 converts labels to ASCII. ok is false if RFC 5891 does not permit one.
func name2008(labels []string) (name string, ok bool) {
	out := make([]string, len(labels))
	for i, label := range labels {
		isRoot := len(label) == 0 && 0 < i && i == len(labels)-1
		if !isPermitted2008(label) || len(label) == 0 && !isRoot {
			return "", false
		}
		if !isASCII(label) {
			label = "xn--" + punycode(label)
		}
		if len(label) > 63 {
			return "", false
		}
		out[i] = label
	}
	return strings.Join(out, "."), true
}

// isSTD3 reports whether the ASCII characters of a name are lower case letters, digits, hyphens and dots.
func isSTD3(name string) bool {
	for i := range len(name) {
		if c := name[i]; c < utf8.RuneSelf && c != '-' && c != '.' && !ascii.IsDigit(c) && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// mapping46 maps by UTS 46, and checks nothing else.
var mapping46 = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.CheckJoiners(false),
		idna.ValidateLabels(false), idna.Transitional(false), idna.VerifyDNSLength(false))
})

// isPermitted2008 reports whether RFC 5891 permits a label, as far as that makes a difference. Only the
// characters that RFC 3491 maps and UTS 46 does not are converted in two ways.
func isPermitted2008(label string) bool {
	if strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") || len(label) >= 4 && label[2:4] == "--" && !(isASCII(label) && strings.HasPrefix(label, "xn--")) {
		return false
	}
	if strings.ContainsFunc(label, isRightToLeft) && !bidirule.ValidString(label) {
		return false
	}
	var last rune
	for _, r := range label {
		switch {
		case r == '-' || ascii.IsDigit(byte(min(r, 0x7F))) || 'a' <= r && r <= 'z', r == 'ß', r == 'ς', r == '·', r == 'ʹ', r == '・':
		case r == 0x200C || r == 0x200D:
			if !isVirama(last) {
				return false
			}
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Ll, unicode.Lo, unicode.Lm, unicode.M, unicode.Nd) && norm.NFKC.IsNormalString(string(r)):
		default:
			return false
		}
		last = r
	}
	return true
}

// isVirama reports whether r has canonical combining class 9.
func isVirama(r rune) bool { return norm.NFC.PropertiesString(string(r)).CCC() == 9 }

// urlCanonPathOf returns a path decoded and escaped once. One of a special scheme begins with a slash,
// and has no empty segment but the last.
func urlCanonPathOf(path []byte, isSpecial bool) []byte {
	path = urlCanonPath.escape(nil, unescapeRepeatedly(path))
	if isSpecial {
		path = bytes.ReplaceAll(path, []byte(`\`), []byte("/"))
		if len(path) == 0 || path[0] != '/' {
			path = append([]byte("/"), path...)
		}
	}
	if len(path) > 0 && path[0] == '/' {
		path = dropURLCanonDots(path)
	}
	if isSpecial {
		path = slices.CompactFunc(path, func(a, b byte) bool { return a == '/' && b == '/' })
	}
	return path
}

// dropURLCanonDots removes the dot segments from a path. A ".." also removes an empty segment, but
// nothing of "/".
func dropURLCanonDots(path []byte) []byte {
	if !bytes.Contains(path, []byte("/.")) {
		return path
	}
	var starts []int // of the segments in out, behind their slashes
	out := make([]byte, 1, len(path))
	out[0] = '/'
	for rest, more := path[1:], true; more; {
		var segment []byte
		segment, rest, more = bytes.Cut(rest, []byte("/"))
		switch string(segment) {
		case ".":
		case "..":
			if n := len(starts); n > 0 {
				out, starts = out[:starts[n-1]], starts[:n-1]
			}
		default:
			starts = append(starts, len(out))
			out = append(out, segment...)
			if more {
				out = append(out, '/')
			}
		}
	}
	return out
}

// appendURLCanonQuery appends a query whose parameters are decoded, escaped and sorted.
func appendURLCanonQuery(dst, query []byte) []byte {
	if len(query) == 0 {
		return dst
	}
	var parameters [][]byte
	for p := range bytes.SplitSeq(query, []byte("&")) {
		name, value, hasValue := bytes.Cut(p, []byte("="))
		p = urlCanonValue.escape(nil, unescapeRepeatedly(name))
		if hasValue {
			p = urlCanonValue.escape(append(p, '='), unescapeRepeatedly(value))
		}
		parameters = append(parameters, p)
	}
	slices.SortFunc(parameters, bytes.Compare)
	return append(dst, bytes.Join(parameters, []byte("&"))...)
}
