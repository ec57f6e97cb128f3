package canon

import (
	"bytes"
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// crawlerKept holds the bytes that BasicURLNormalizer does not escape. A "%" stays if it begins an escape.
var crawlerKept = newByteSet("!$&'()*+,;=:@/?\\")

// appendCrawlerCommons appends the key of [CrawlerCommons]. ok is false if that library refuses the URL.
// Unlike there, where a URL is text, bytes that are no UTF-8 are escaped.
func appendCrawlerCommons(dst, url []byte) (out []byte, ok bool) {
	if len(url) == 0 {
		return dst, true
	}
	url, _, _ = bytes.Cut(bytes.TrimFunc(url, func(r rune) bool { return r <= ' ' }), []byte("#"))
	url = escapeForJava(url)
	full := url
	u, ok := parseJavaURI(full)
	if !ok && !hasSchemeAndSlash(url) {
		full = append([]byte("http://"), url...)
		u, ok = parseJavaURI(full)
	}
	if !ok {
		return dst, false
	}
	changed := !bytes.HasPrefix(url, []byte(u.scheme))
	port := javaPorts[u.scheme]
	isWeb := port > 0
	host, file := u.host, u.file()
	isHierarchy := u.scheme == "file"
	if isWeb {
		host, ok = crawlerHost(u.host)
		if !ok {
			return dst, false
		}
		changed = changed || !u.hasAuthority || host != u.authority
		if u.port == port {
			u.port, changed = -1, true
		}
		isHierarchy = true
		if len(file) == 0 || file[0] != '/' {
			changed, isHierarchy = true, false
			file = append([]byte("/"), file...)
		}
	}
	normal := crawlerFile(file)
	changed = changed || !bytes.Equal(normal, file)
	file = normal
	server := host
	if u.port >= 0 {
		server += ":" + strconv.Itoa(u.port)
	}
	if isHierarchy {
		text := full
		if changed {
			text = slices.Concat([]byte(u.scheme+"://"+server), file)
		} else if u.isOpaque || len(u.authority)+len(u.path) == 0 {
			return dst, false
		}
		path, query, hasQuery, ok := javaPath(text)
		if !ok {
			return dst, false
		}
		normal = crawlerPath(path)
		if hasQuery {
			normal = append(append(normal, '?'), query...)
		}
		changed = changed || !bytes.Equal(normal, file)
		file = normal
	}
	if !changed {
		return append(dst, url...), true
	}
	u, ok = parseJavaURI(slices.Concat([]byte(u.scheme+"://"+server), file))
	if !ok {
		return dst, false
	}
	dst = append(append(dst, u.scheme...), ':')
	if len(u.authority) > 0 {
		dst = append(append(dst, "//"...), u.authority...)
	}
	return append(dst, u.file()...), true
}

// escapeForJava escapes what a URI cannot hold, except for the brackets of an IP literal.
func escapeForJava(url []byte) []byte {
	_, after, hasSlashes := bytes.Cut(url, []byte("://"))
	if hasSlashes {
		authority := after
		if end := bytes.IndexAny(after, "/?"); end >= 0 {
			authority = after[:end]
		}
		server := authority[ascii.HostStart(authority):]
		end := bytes.IndexByte(server, ']')
		if end > 0 && server[0] == '[' {
			at := len(url) - len(after) + len(authority) - len(server)
			out := appendForJava(nil, url[:at])
			out = append(out, server[:end+1]...)
			return appendForJava(out, url[at+end+1:])
		}
	}
	return appendForJava(nil, url)
}

func appendForJava(dst, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		if _, ok := ascii.Unescape(s[i:]); ok {
			dst = append(dst, s[i:i+3]...)
			i += 2
		} else {
			dst = crawlerKept.escape(dst, s[i:i+1])
		}
	}
	return dst
}

// javaPorts holds the ports of the schemes that are normalized as those of the Web.
var javaPorts = map[string]int{"http": 80, "https": 443, "ftp": 21}

// A javaURI is what java.net.URL reads of a valid java.net.URI.
type javaURI struct {
	scheme          string // in lower case
	hasAuthority    bool
	authority, host string
	port            int // -1: none
	path, query     []byte
	hasQuery        bool
	isOpaque        bool // not hierarchical, as a URI
}

// file returns path and query.
func (u *javaURI) file() []byte {
	if !u.hasQuery {
		return u.path
	}
	return slices.Concat(u.path, []byte("?"), u.query)
}

// hasSchemeAndSlash reports whether url begins with a scheme, a colon and a slash.
func hasSchemeAndSlash(url []byte) bool {
	end := ascii.SchemeEnd(url)
	return end > 0 && bytes.HasPrefix(url[end:], []byte(":/"))
}

// parseJavaURI parses an absolute URI. ok is false if it is not valid, or Java has no handler for its scheme.
func parseJavaURI(s []byte) (u javaURI, ok bool) {
	colon := ascii.SchemeEnd(s)
	if colon <= 0 || colon+1 == len(s) || !isJavaURI(s, colon) {
		return u, false
	}
	u.isOpaque = s[colon+1] != '/'
	if ascii.EqualFold(s[:colon], "url") {
		s = s[colon+1:]
		if colon = ascii.SchemeEnd(s); colon <= 0 {
			return u, false
		}
	}
	u.scheme = strings.ToLower(string(s[:colon]))
	u.port = -1
	s = s[colon+1:]
	if u.scheme == "mailto" {
		u.path = s
		return u, len(s) > 0
	}
	if u.scheme != "file" && javaPorts[u.scheme] == 0 {
		return u, false
	}
	u.path, u.query, u.hasQuery = bytes.Cut(s, []byte("?"))
	after, hasSlashes := bytes.CutPrefix(u.path, []byte("//"))
	if !hasSlashes || bytes.HasPrefix(after, []byte("//")) {
		return u, true
	}
	slash := bytes.IndexByte(after, '/')
	if slash < 0 {
		slash = len(after)
	}
	u.hasAuthority, u.authority, u.path = true, string(after[:slash]), after[slash:]
	user, server, hasUser := strings.Cut(u.authority, "@")
	if !hasUser {
		server = user
	} else if strings.Contains(server, "@") {
		return u, true
	}
	u.host, u.port, ok = splitJavaHost(server)
	return u, ok
}

// isJavaURI reports whether s, which has a scheme that ends at colon, is a valid URI of Java. Brackets are
// allowed around an IPv6 address, in queries, and where there is no hierarchy.
func isJavaURI(s []byte, colon int) bool {
	rest := s[colon+1:]
	if rest[0] != '/' {
		return isJavaText(rest, true)
	}
	path, query, _ := bytes.Cut(rest, []byte("?"))
	if after, hasSlashes := bytes.CutPrefix(path, []byte("//")); hasSlashes {
		slash := bytes.IndexByte(after, '/')
		if slash < 0 {
			slash = len(after)
		}
		if slash == 0 && len(rest) == len("//") {
			return false
		}
		authority := after[:slash]
		path = after[slash:]
		literal := bytes.IndexByte(authority, '[')
		if literal >= 0 {
			if literal != ascii.HostStart(authority) || !isJavaServer(authority[literal:]) {
				return false
			}
			authority = authority[:literal]
		}
		if !isJavaText(authority, false) {
			return false
		}
	}
	return isJavaText(path, false) && isJavaText(query, true)
}

// isJavaText reports whether s consists of escapes and of what crawlerKept holds except for a backslash.
func isJavaText(s []byte, brackets bool) bool {
	for i, c := range s {
		switch {
		case c == '%':
			if _, isEscape := ascii.Unescape(s[i:]); !isEscape {
				return false
			}
		case (c == '[' || c == ']') && brackets:
		case c == '\\' || !crawlerKept[c]:
			return false
		}
	}
	return true
}

// javaPath returns path and query of a hierarchical URI, which has a scheme and more. ok is false if the
// URI is not valid.
func javaPath(s []byte) (path, query []byte, hasQuery, ok bool) {
	colon := ascii.SchemeEnd(s)
	if s[colon+1] != '/' || !isJavaURI(s, colon) {
		return nil, nil, false, false
	}
	path, query, hasQuery = bytes.Cut(s[colon+1:], []byte("?"))
	if after, hasSlashes := bytes.CutPrefix(path, []byte("//")); hasSlashes {
		slash := bytes.IndexByte(after, '/')
		if slash < 0 {
			slash = len(after)
		}
		path = after[slash:]
	}
	return path, query, hasQuery, true
}

// isJavaServer reports whether server is an IPv6 address in brackets, and perhaps a port of digits.
func isJavaServer(server []byte) bool {
	const longest = 64
	address, rest, isClosed := bytes.Cut(server[1:], []byte("]"))
	if !isClosed || len(address) > longest || len(rest) > 0 && (rest[0] != ':' || !consistsOf(rest[1:], ascii.IsDigit)) {
		return false
	}
	parsed, err := netip.ParseAddr(string(address))
	return err == nil && parsed.Is6()
}

// splitJavaHost splits a server into host and port, which may have a sign.
func splitJavaHost(server string) (host string, port int, ok bool) {
	end := strings.IndexByte(server, ':')
	if strings.HasPrefix(server, "[") {
		end = strings.IndexByte(server, ']') + 1
	}
	if end < 0 || end == len(server) || end+1 == len(server) {
		return strings.TrimSuffix(server, ":"), -1, true
	}
	number, err := strconv.ParseInt(server[end+1:], 10, 32)
	return server[:end], int(number), err == nil && number >= -1
}

// crawlerHost returns a host decoded, in ASCII and lower case, without one dot at its end.
func crawlerHost(host string) (out string, ok bool) {
	if strings.HasPrefix(host, "[") {
		return strings.ToLower(host), !strings.Contains(host, "%")
	}
	if strings.Contains(host, "%") {
		host = ascii.UnescapeAll(strings.ReplaceAll(host, "+", " "))
	}
	if isASCII(host) {
		host = strings.ToLower(host)
	} else if dots2003.Replace(host) == "." {
		return "", true
	} else if !utf8.ValidString(host) {
		return "", false
	} else if host, ok = idna2003(strings.ToLower(host)); !ok {
		return "", false
	}
	return strings.TrimSuffix(host, "."), true
}

// crawlerFile returns path and query with letters, digits and -._~ decoded, and the parameters sorted by
// name, without those that have no name. An empty value loses its "=".
func crawlerFile(file []byte) []byte {
	file = (resolve.PercentForm | resolve.CaseForm).Append(nil, slices.Concat([]byte("?"), file))[1:] // a query has only these forms
	path, query, hasQuery := bytes.Cut(file, []byte("?"))
	if !hasQuery {
		return file
	}
	type parameter struct{ name, text []byte }
	var parameters []parameter
	for p := range bytes.SplitSeq(query, []byte("&")) {
		name, value, hasValue := bytes.Cut(p, []byte("="))
		if hasValue && len(value) == 0 {
			p = name
		}
		if len(name) > 0 {
			parameters = append(parameters, parameter{name, p})
		}
	}
	slices.SortStableFunc(parameters, func(a, b parameter) int { return cmp.Compare(string(a.name), string(b.name)) })
	out := append(make([]byte, 0, len(file)), path...)
	separator := byte('?')
	for _, p := range parameters {
		out = append(append(out, separator), p.text...)
		separator = '&'
	}
	return out
}

// crawlerPath returns a path without empty segments and dot segments, if it has any. If the path begins
// with several "..", it also removes the first three bytes of a segment that begins with "../", as the
// library does.
func crawlerPath(path []byte) []byte {
	if bytes.Contains(path, []byte("/.")) || bytes.Contains(path, []byte("//")) || bytes.Contains(path, []byte("./")) {
		path = dropJavaDots(path)
		start := 0
		for bytes.HasPrefix(path[start:], []byte("/..")) && (start+3 == len(path) || path[3] == '/') {
			start += 3
		}
		path = path[start:]
	}
	if len(path) == 0 {
		path = []byte("/")
	}
	return bytes.Clone(path)
}

// dropJavaDots is the normalization of java.net.URI: a ".." that has nothing to remove stays.
func dropJavaDots(path []byte) []byte {
	out := make([]byte, 1, len(path)+1)
	out[0] = '/'
	var starts []int // of the segments in out that are not ".."
	for rest, more := bytes.TrimLeft(path, "/"), true; more; {
		var segment []byte
		segment, rest, more = bytes.Cut(rest, []byte("/"))
		switch {
		case len(segment) == 0, string(segment) == ".":
			continue
		case string(segment) == ".." && len(starts) > 0:
			out, starts = out[:starts[len(starts)-1]], starts[:len(starts)-1]
			continue
		case string(segment) != "..":
			starts = append(starts, len(out))
		}
		out = append(out, segment...)
		if more {
			out = append(out, '/')
		}
	}
	return out
}
