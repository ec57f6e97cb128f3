package canon

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
	"example.org/refract/internal/lazy"
)

// appendCDX appends the key of [CDX]. A host that is a name of the machine's own resolver stays a name.
func appendCDX(dst, url []byte) []byte {
	switch {
	case len(url) == 0:
		return append(dst, '-')
	case bytes.HasPrefix(url, []byte("filedesc")): // the first record of an ARC file
		return append(dst, url...)
	}
	p := splitCDX(url)
	host := cdxHost(p.host)
	path := cdxPath(p.path, len(host) > 0)
	if string(p.scheme) != "dns" {
		host = cutWWW(host)
	}
	if len(host) == 0 {
		dst = append(append(dst, p.scheme...), ':')
	} else {
		dst = appendReversed(dst, host)
		if !isDefaultPort(p.scheme, p.port) {
			dst = append(append(dst, ':'), p.port...)
		}
		dst = append(dst, ')')
	}
	query := cdxQuery(p.query)
	if len(path) == 0 && len(query) > 0 {
		path = []byte("/")
	}
	dst = append(dst, path...)
	if len(query) > 0 {
		dst = append(append(dst, '?'), query...)
	}
	return dst
}

// cdxPieces is a URL as the keys of CDX indexes see it. The host is without user and port.
type cdxPieces struct{ scheme, host, port, path, query []byte }

func splitCDX(url []byte) (p cdxPieces) {
	// Of the characters in the URL that are not part of one, those at its ends and line ends and tabs go.
	url = bytes.Trim(url, " \t\n\r\v\f")
	if bytes.IndexByte(url, '\t') >= 0 || bytes.IndexByte(url, '\r') >= 0 || bytes.IndexByte(url, '\n') >= 0 {
		url = slices.DeleteFunc(bytes.Clone(url), func(c byte) bool { return c == '\t' || c == '\r' || c == '\n' })
	}
	end := ascii.SchemeEnd(url)
	if end <= 0 {
		url = append([]byte("http://"), url...)
		end = len("http")
	}
	for first := protocol(url); first > 0 && protocol(url[first:]) > 0; { // "http://https://example.org/"
		url = url[first:]
		first = protocol(url)
		end = first - len("://")
	}
	p.scheme = url[:end]
	rest, _, _ := bytes.Cut(url[end+1:], []byte("#"))
	rest, p.query, _ = bytes.Cut(rest, []byte("?"))
	p.path = rest
	if after, hasHost := bytes.CutPrefix(rest, []byte("//")); hasHost {
		slash := bytes.IndexByte(after, '/')
		if slash < 0 {
			slash = len(after)
		}
		p.path = after[slash:]
		p.host, p.port = cdxAuthority(after[:slash])
	}
	if len(p.host) == 0 && len(p.path) > 0 && bytes.HasPrefix(p.scheme, []byte("http")) { // "http:////example.org"
		host, path, _ := bytes.Cut(bytes.TrimLeft(p.path, "/"), []byte("/"))
		p.host, p.path = host, append([]byte("/"), path...)
	}
	return p
}

// protocol returns the length of "http://" or "https://" at the beginning of url, 0 if neither is there.
func protocol(url []byte) int {
	for _, s := range [...]string{"http://", "https://"} {
		if bytes.HasPrefix(url, []byte(s)) {
			return len(s)
		}
	}
	return 0
}

// cdxAuthority splits an authority into its host, in lower case but for a zone, and its port.
func cdxAuthority(authority []byte) (host, port []byte) {
	authority = bytes.TrimRight(authority, ":")
	host = authority[ascii.HostStart(authority):]
	if _, address, isLiteral := bytes.Cut(host, []byte("[")); isLiteral {
		host, port, _ = bytes.Cut(address, []byte("]"))
		_, port, _ = bytes.Cut(port, []byte(":"))
	} else {
		host, port, _ = bytes.Cut(host, []byte(":"))
	}
	if name, _, _ := bytes.Cut(host, []byte("%")); slices.ContainsFunc(name, isUpper) {
		host = bytes.Clone(host)
		ascii.Lower(host[:len(name)])
	}
	if trimmed := bytes.TrimLeft(port, "0"); isNumber(port) {
		port = trimmed
	}
	return host, port
}

func isDefaultPort(scheme, port []byte) bool {
	switch {
	case len(port) == 0:
		return true
	case ascii.EqualFold(scheme, "http"):
		return string(port) == "80"
	case ascii.EqualFold(scheme, "https"):
		return string(port) == "443"
	}
	return false
}

// cdxHost returns a host decoded, in ASCII and lower case.
func cdxHost(host []byte) []byte {
	host = unescapeRepeatedly(host)
	if slices.ContainsFunc(host, func(c byte) bool { return c >= utf8.RuneSelf }) {
		text := strings.ToValidUTF8(string(host), "")
		if name, ok := idna2003(text); ok || text == "" {
			host = []byte(name)
		}
	}
	if bytes.Contains(host, []byte("..")) {
		host = bytes.ReplaceAll(host, []byte(".."), []byte("."))
	}
	host = bytes.Trim(host, ".")
	if address, ok := cdxAddress(host); ok {
		return address
	}
	return lowered(escapeOnce(lowered(host)))
}

// cutWWW removes "www.", "www2." and so on.
func cutWWW(host []byte) []byte {
	if after, begins := bytes.CutPrefix(host, []byte("www")); begins {
		after = bytes.TrimLeft(after, "0123456789")
		if len(after) > 0 && after[0] == '.' {
			return after[1:]
		}
	}
	return host
}

// cdxAddress returns the IPv4 address that host is, in the forms that inet_aton reads: all digits, reduced
// to 32 bits, or two to four numbers, in decimal or, after a leading zero, in octal.
func cdxAddress(host []byte) (address []byte, ok bool) {
	if isNumber(host) {
		var n uint32
		for _, c := range host {
			n = 10*n + uint32(c-'0')
		}
		return []byte(hostname.FormatIPv4(n)), true
	}
	const longest = 64
	if len(host) == 0 || !ascii.IsDigit(host[0]) || len(host) > longest || slices.ContainsFunc(host, func(c byte) bool { return c != '.' && !ascii.IsDigit(c) }) {
		return nil, false
	}
	a, ok := hostname.ParseIPv4(string(host))
	if !ok {
		return nil, false
	}
	return []byte(hostname.FormatIPv4(a)), true
}

// appendReversed appends the labels of a host in reverse order, with commas between them.
func appendReversed(dst, host []byte) []byte {
	for dot := bytes.LastIndexByte(host, '.'); dot >= 0; dot = bytes.LastIndexByte(host, '.') {
		dst = append(append(dst, host[dot+1:]...), ',')
		host = host[:dot]
	}
	return append(dst, host...)
}

// cdxPath returns a path decoded, without dot segments and empty segments, escaped once, in lower case,
// without a session and without a slash at its end.
func cdxPath(path []byte, hasHost bool) []byte {
	path = unescapeRepeatedly(path)
	if hasHost {
		path = cdxSegments(path)
	}
	path = lowered(escapeOnce(path))
	if bytes.Contains(path, []byte(".aspx")) {
		path = dropSession(path, pathSessions)
	}
	if len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	return path
}

// cdxSegments removes segments "." and "..", and all empty ones but the last. A ".." with nothing before it
// stays.
func cdxSegments(path []byte) []byte {
	if bytes.HasPrefix(path, []byte("/")) && !bytes.Contains(path, []byte("/.")) && !bytes.Contains(path, []byte("//")) {
		return path
	}
	_, path, hasSlash := bytes.Cut(path, []byte("/"))
	if !hasSlash {
		return []byte("/")
	}
	var kept [][]byte
	for segment := range bytes.SplitSeq(path, []byte("/")) {
		switch {
		case string(segment) == ".":
		case string(segment) == ".." && len(kept) > 0:
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, segment)
		}
	}
	out := make([]byte, 1, len(path)+1)
	out[0] = '/'
	for i, segment := range kept {
		out = append(out, segment...)
		if len(segment) > 0 && i < len(kept)-1 {
			out = append(out, '/')
		}
	}
	return out
}

// cdxQuery returns a query decoded, escaped once, without a session, in lower case, with its parameters
// sorted.
func cdxQuery(query []byte) []byte {
	if len(query) == 0 {
		return nil
	}
	query = lowered(escapeOnce(unescapeRepeatedly(query)))
	if bytes.Contains(query, []byte("id")) && slices.ContainsFunc(sessionParts, func(part []byte) bool { return bytes.Contains(query, part) }) {
		query = dropSession(query, querySessions)
	}
	if bytes.IndexByte(query, '&') < 0 {
		return query
	}
	parameters := bytes.Split(query, []byte("&"))
	slices.SortFunc(parameters, func(a, b []byte) int {
		name, value, hasValue := bytes.Cut(a, []byte("="))
		name2, value2, hasValue2 := bytes.Cut(b, []byte("="))
		switch c := bytes.Compare(name, name2); {
		case c != 0:
			return c
		case hasValue != hasValue2 && hasValue:
			return 1
		case hasValue != hasValue2:
			return -1
		}
		return bytes.Compare(value, value2)
	})
	return bytes.Join(parameters, []byte("&"))
}

// pathSessions and querySessions match the session ids that servers write into paths and queries to
// recognise a visitor: ASP.NET, Java, PHP, ASP and ColdFusion. The text that the parentheses match is kept.
var (
	pathSessions = []*lazy.Regexp{
		lazy.New(`(?is)^(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)$`),
		lazy.New(`(?is)^(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)$`),
	}
	querySessions = []*lazy.Regexp{
		lazy.New(`(?is)^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$`),
		lazy.New(`(?is)^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$`),
		lazy.New(`(?is)^(.*)sid=[0-9a-z]{32}(?:&(.*))?$`),
		lazy.New(`(?is)^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$`),
		lazy.New(`(?is)^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$`),
	}
)

// sessionParts has a part of each of querySessions.
var sessionParts = [][]byte{[]byte("sid="), []byte("sessionid"), []byte("cfid=")}

// dropSession removes from s what each of sessions matches.
func dropSession(s []byte, sessions []*lazy.Regexp) []byte {
	for _, session := range sessions {
		if m := session.Compiled().FindSubmatchIndex(s); m != nil {
			kept := s[m[2]:m[3]]
			if m[4] >= 0 {
				kept = slices.Concat(kept, s[m[4]:m[5]])
			}
			s = kept
		}
	}
	return s
}

// unescapeRepeatedly decodes escapes until none is left, including those that decoding creates: "%2541" is
// "A". The order makes no difference, since no two escapes overlap.
func unescapeRepeatedly(s []byte) []byte {
	if bytes.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for _, c := range s {
		out = append(out, c)
		for n := len(out); n >= 3 && out[n-3] == '%'; n = len(out) {
			decoded, ok := ascii.Unescape(out[n-3:])
			if !ok {
				break
			}
			out = append(out[:n-3], decoded)
		}
	}
	return out
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// lowered returns s in lower case. It does not change s.
func lowered(s []byte) []byte {
	if slices.ContainsFunc(s, isUpper) {
		s = bytes.Clone(s)
		ascii.Lower(s)
	}
	return s
}

// escapeOnce escapes control characters, space, "#", "%" and what is not ASCII.
func escapeOnce(s []byte) []byte {
	if !slices.ContainsFunc(s, mustEscape) {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for _, c := range s {
		if mustEscape(c) {
			out = ascii.AppendEscape(out, c)
		} else {
			out = append(out, c)
		}
	}
	return out
}

func mustEscape(c byte) bool { return c <= ' ' || c >= 0x7F || c == '#' || c == '%' }
