package canon

import (
	"bytes"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/internal/syntax"
)

// The bytes that canonicalize_url keeps in each component.
var (
	w3libUser     = newByteSet("!$&'()*+,")
	w3libFirst    = newByteSet(":/?@!$&'()*+,;=%") // in paths, at first
	w3libSpecial  = newByteSet(":/?@!$&()*+,;=%")  // in queries of schemes of the Web
	w3libPath     = newByteSet(":/?[]@!$&'()*+,;=%|")
	w3libValue    = newByteSet("")
	specialOfWeb  = []string{"ftp", "file", "http", "https", "ws", "wss"}
	hasParameters = []string{"", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips", "mms", "sftp", "tel"}
	hasAuthority  = []string{"ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews", "prospero",
		"rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss"}
)

// appendW3lib appends the key of [W3lib]. ok is false if that package refuses the URL.
func appendW3lib(dst, url []byte) (out []byte, ok bool) {
	url = bytes.TrimFunc(validUTF8(url), func(r rune) bool { return r <= ' ' })
	if bytes.ContainsAny(url, "\t\r\n") {
		url = slices.DeleteFunc(bytes.Clone(url), isTabOrNewline)
	}
	scheme := ""
	if end := ascii.SchemeEnd(url); end > 0 {
		scheme = strings.ToLower(string(url[:end]))
		url = url[end+1:]
	}
	url, _, _ = bytes.Cut(url, []byte("#"))
	path, query, _ := bytes.Cut(url, []byte("?"))
	isSpecial := slices.Contains(specialOfWeb, scheme)
	if isSpecial {
		path = bytes.ReplaceAll(path, []byte(`\`), []byte("/"))
	}
	var authority []byte
	if after, hasSlashes := bytes.CutPrefix(path, []byte("//")); hasSlashes {
		slash := bytes.IndexByte(after, '/')
		if slash < 0 {
			slash = len(after)
		}
		authority, ok = w3libAuthority(after[:slash])
		if !ok {
			return dst, false
		}
		path = after[slash:]
	}
	path = w3libFirst.escape(nil, path)
	if isSpecial {
		query = w3libSpecial.escape(nil, query)
		if len(path) == 0 && len(query) > 0 {
			path = []byte("/")
		}
	} else {
		query = w3libFirst.escape(nil, query)
	}
	var parameters []byte
	if slices.Contains(hasParameters, scheme) {
		last := bytes.LastIndexByte(path, '/') + 1
		if i := bytes.IndexByte(path[last:], ';'); i >= 0 {
			path, parameters = path[:last+i], path[last+i+1:]
		}
	}
	if len(path) == 0 {
		path = []byte("/")
	} else {
		path = w3libPath.escape(nil, unescapePath(path))
	}
	if path[0] == '/' {
		path = dropDots(path)
	}

	if scheme != "" {
		dst = append(append(dst, scheme...), ':')
	}
	switch {
	case len(authority) > 0:
		dst = append(append(dst, "//"...), authority...)
		if path[0] != '/' {
			dst = append(dst, '/')
		}
	case bytes.HasPrefix(path, []byte("//")), path[0] == '/' && slices.Contains(hasAuthority, scheme):
		dst = append(dst, "//"...)
	}
	dst = append(dst, path...)
	if len(parameters) > 0 {
		dst = append(append(dst, ';'), parameters...)
	}
	return appendSortedQuery(dst, query), true
}

func isTabOrNewline(c byte) bool { return c == '\t' || c == '\r' || c == '\n' }

// validUTF8 returns s with the bytes that are not UTF-8 escaped.
func validUTF8(s []byte) []byte {
	if utf8.Valid(s) {
		return s
	}
	var out []byte
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if r == utf8.RuneError && n == 1 {
			out = ascii.AppendEscape(out, s[0])
		} else {
			out = append(out, s[:n]...)
		}
		s = s[n:]
	}
	return out
}

// w3libAuthority returns an authority with its user escaped again and its host in ASCII, in lower case.
func w3libAuthority(authority []byte) (out []byte, ok bool) {
	if gainsDelimiter(authority) {
		return nil, false
	}
	at := ascii.HostStart(authority)
	if at > 0 {
		user, password, hasPassword := bytes.Cut(authority[:at-1], []byte(":"))
		out = w3libUser.escape(out, ascii.UnescapeAll(user))
		if hasPassword {
			out = w3libUser.escape(append(out, ':'), ascii.UnescapeAll(password))
		}
		out = append(out, '@')
	}
	server := authority[at:]
	host, port, _ := bytes.Cut(server, []byte(":"))
	isLiteral := bytes.IndexByte(authority, '[') >= 0
	if isLiteral != (bytes.IndexByte(authority, ']') >= 0) {
		return nil, false
	}
	name := ""
	if isLiteral {
		name, port, ok = w3libLiteral(server)
		if !ok {
			return nil, false
		}
	} else {
		host, zone, hasZone := strings.Cut(string(host), "%")
		name = strings.ToLower(strings.ReplaceAll(host, "İ", "i\u0307"))
		if hasZone {
			name += "%" + zone
		}
		if !isASCII(name) {
			normal := norm.NFKC.String(name)
			if isASCII(normal) { // the codec then checks only the lengths of labels
				if fits(normal) {
					name = normal
				}
			} else if encoded, converts := idna2003(normal); converts {
				name = encoded
			}
		}
		name = strings.ToLower(name)
	}
	out = append(out, name...)
	if len(port) == 0 {
		return out, true
	}
	port = bytes.TrimLeft(port, "0")
	if len(port) == 0 {
		return append(out, ":0"...), true
	}
	number, err := strconv.ParseUint(string(port), 10, 16)
	if err != nil {
		return nil, false
	}
	return strconv.AppendUint(append(out, ':'), number, 10), true
}

// fits reports whether the labels of an ASCII name have 1 to 63 bytes; the last may be empty.
func fits(name string) bool {
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if len(label) > 63 || len(label) == 0 && i < len(labels)-1 {
			return false
		}
	}
	return true
}

// gainsDelimiter reports whether an authority has another delimiter after normalization by NFKC.
func gainsDelimiter(authority []byte) bool {
	if isASCII(authority) {
		return false
	}
	cleaned := slices.DeleteFunc(bytes.Clone(authority), func(c byte) bool { return bytes.IndexByte([]byte("@:#?"), c) >= 0 })
	normal := norm.NFKC.Bytes(cleaned)
	return !bytes.Equal(normal, cleaned) && bytes.ContainsAny(normal, `/?#@:\`)
}

// w3libLiteral splits "[host]:port". The host is in the form of RFC 5952.
func w3libLiteral(server []byte) (host string, port []byte, ok bool) {
	literal, hasLiteral := bytes.CutPrefix(server, []byte("["))
	if !hasLiteral {
		return "", nil, false
	}
	inside, rest, _ := bytes.Cut(literal, []byte("]"))
	if len(rest) > 0 && rest[0] != ':' {
		return "", nil, false
	}
	port = bytes.TrimPrefix(rest, []byte(":"))
	if len(inside) > 0 && inside[0] == 'v' {
		version, address, hasDot := bytes.Cut(inside[1:], []byte("."))
		if !hasDot || len(version) == 0 || len(address) == 0 || !consistsOf(version, ascii.IsHex) {
			return "", nil, false
		}
		host = strings.ToLower(string(inside))
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return host, port, isASCII(host)
	}
	const longest = 256
	if len(inside) > longest || !isASCII(inside) {
		return "", nil, false
	}
	address, err := netip.ParseAddr(string(inside))
	if err != nil || !address.Is6() || strings.Contains(address.Zone(), "%") {
		return "", nil, false
	}
	return "[" + strings.ToLower(address.String()) + "]", port, true
}

// unescapePath decodes the escapes of a path, except for those of %/;? whose digits it makes upper case.
func unescapePath(path []byte) []byte {
	if bytes.IndexByte(path, '%') < 0 {
		return path
	}
	out := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		c, ok := ascii.Unescape(path[i:])
		switch {
		case !ok:
			out = append(out, path[i])
			continue
		case c == '%' || c == '/' || c == ';' || c == '?':
			out = ascii.AppendEscape(out, c)
		default:
			out = append(out, c)
		}
		i += 2
	}
	return out
}

// dropDots removes dot segments from a path that begins with a slash.
func dropDots(path []byte) []byte {
	if !bytes.Contains(path, []byte("/.")) {
		return path
	}
	out, _, _ := syntax.RemoveDots(bytes.Clone(path), 0, 0, false)
	return out
}

// appendSortedQuery appends "?" and the parameters of a query, sorted by name and value. Each is decoded
// and escaped again, and has a "="; empty ones are dropped.
func appendSortedQuery(dst, query []byte) []byte {
	type pair struct{ name, value []byte }
	var pairs []pair
	for p := range bytes.SplitSeq(query, []byte("&")) {
		if len(p) > 0 {
			name, value, _ := bytes.Cut(p, []byte("="))
			pairs = append(pairs, pair{unescapePlus(name), unescapePlus(value)})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		if c := bytes.Compare(a.name, b.name); c != 0 {
			return c
		}
		return bytes.Compare(a.value, b.value)
	})
	for i, p := range pairs {
		separator := byte('&')
		if i == 0 {
			separator = '?'
		}
		dst = appendPlus(append(dst, separator), p.name)
		dst = appendPlus(append(dst, '='), p.value)
	}
	return dst
}

func unescapePlus(s []byte) []byte {
	return ascii.UnescapeAll(bytes.ReplaceAll(s, []byte("+"), []byte(" ")))
}

// appendPlus escapes s, with "+" for a space.
func appendPlus(dst, s []byte) []byte {
	for {
		before, after, more := bytes.Cut(s, []byte(" "))
		dst = w3libValue.escape(dst, before)
		if !more {
			return dst
		}
		dst, s = append(dst, '+'), after
	}
}
