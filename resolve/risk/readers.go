package risk

import (
	"bytes"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
	"example.org/refract/resolve"
)

// A Reader is a program or library that finds the host of a URL by its own rules.
type Reader struct {
	Name string // "browsers", "curl", "python" or "go"
	Host string // in lower case; an IPv6 address is in brackets
	OK   bool   // the reader accepts the URL, and finds a host in it
}

// Readers returns the host that each reader finds in uri, an absolute URL as written:
//
//	browsers  the URL Standard, whose parser Node.js also has
//	curl      curl and libcurl 7.88: lib/urlapi.c, with names of IDN by UTS 46
//	python    Python 3.11: urllib.parse.urlsplit(uri).hostname
//	go        net/url of the Go release that refract is built with: Parse(uri).Hostname()
//
// If the hosts differ, a check with one reader does not protect another. testdata/resolve/readers.tsv
// contains the output of the programs themselves. Readers takes time linear in len(uri), and allocates.
func Readers(uri []byte) []Reader {
	readers := []Reader{{Name: "browsers"}, {Name: "curl"}, {Name: "python"}, {Name: "go"}}
	if url, result := browsers.Append(nil, uri); !result.InError {
		authority := resolve.Parse(url).Authority
		host, _, _ := ascii.CutPort(authority[ascii.HostStart(authority):])
		readers[0].Host = string(host)
	}
	if len(uri) <= maxRead {
		readers[1].Host = curlHost(string(uri))
	}
	readers[2].Host = pythonHost(string(uri))
	if u, err := url.Parse(string(uri)); err == nil {
		readers[3].Host = bracketed(u.Hostname())
	}
	for i := range readers {
		readers[i].Host = strings.ToLower(readers[i].Host)
		readers[i].OK = readers[i].Host != ""
	}
	return readers
}

// browsers reads absolute URLs as the URL Standard does.
var browsers = resolve.Rules{Browser: true}.Resolver("")

// maxRead is the maximum length in bytes that curl accepts (CURL_MAX_INPUT_LENGTH).
const maxRead = 8_000_000

// bracketed returns host, in brackets if it is an IPv6 address.
func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// curlHost returns the host that curl finds, or "" if it finds none. curl guesses a scheme if no scheme is
// followed by a slash, and accepts one to three slashes. The first "@" ends the user.
func curlHost(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return ""
	}
	rest, hasScheme := s, false
	if i := ascii.SchemeEnd([]byte(s)); i > 0 && strings.HasPrefix(s[i+1:], "/") {
		hasScheme = true
		rest = strings.TrimLeft(s[i+1:], "/")
		if slashes := len(s) - i - 1 - len(rest); slashes > 3 {
			return ""
		}
		if ascii.EqualFold([]byte(s[:i]), "file") {
			return ""
		}
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if _, host, ok := strings.Cut(rest, "@"); ok {
		rest = host
	}
	host, ok := curlPort(rest, hasScheme)
	if !ok || host == "" {
		return ""
	}
	if host[0] == '[' {
		return curlLiteral(host)
	}
	if address, ok := curlIPv4(host); ok {
		return address
	}
	return curlName(host)
}

// curlPort cuts off the port; ok is false if the port is invalid.
func curlPort(s string, hasScheme bool) (host string, ok bool) {
	colon := strings.IndexByte(s, ':')
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 || end+1 < len(s) && s[end+1] != ':' {
			return "", false
		}
		colon = end + 1
		if colon == len(s) {
			return s, true
		}
	}
	if colon < 0 {
		return s, true
	}
	host, port := s[:colon], s[colon+1:]
	if port == "" {
		return host, hasScheme
	}
	_, err := strconv.ParseUint(port, 10, 16)
	return host, err == nil && ascii.IsDigit(port[0])
}

// curlLiteral returns an IP literal, without its zone.
func curlLiteral(host string) string {
	text := strings.TrimSuffix(host[1:], "]")
	if i := strings.IndexByte(text, '%'); i >= 0 {
		zone := strings.TrimPrefix(text[i+1:], "25")
		if zone == "" || len(zone) > 15 {
			return ""
		}
		text = text[:i]
	}
	address, err := netip.ParseAddr(text)
	if err != nil || !address.Is6() {
		return ""
	}
	if b := address.As16(); bytes.Equal(b[:12], make([]byte, 12)) && b[12]|b[13] != 0 { // as inet_ntop does
		return "[::" + netip.AddrFrom4([4]byte(b[12:])).String() + "]"
	}
	return "[" + address.String() + "]"
}

// curlIPv4 reads one to four numbers, decimal, octal or hexadecimal. If a number is too large,
// the host is a name.
func curlIPv4(host string) (string, bool) {
	for part := range strings.SplitSeq(host, ".") {
		if part == "" || !ascii.IsDigit(part[0]) || part == "0x" || part == "0X" {
			return "", false
		}
	}
	address, ok := hostname.ParseIPv4(host)
	if !ok {
		return "", false
	}
	return hostname.FormatIPv4(address), true
}

// curlName returns a name, decoded and converted to A-labels.
func curlName(host string) string {
	if strings.Contains(host, "%") {
		for i := range len(host) {
			c, ok := ascii.Unescape(host[i:])
			if ok && c < ' ' {
				return ""
			}
		}
		host = ascii.UnescapeAll(host)
	}
	if strings.ContainsAny(host, " \r\n\t/:#?!@{}[]\\$'\"^`*<>=;,+&()") {
		return ""
	}
	if !strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return host
	}
	if len(host) > hostname.MaxDomain {
		return ""
	}
	name, err := hostname.IDNA.ToASCII(hostname.Map(host)) // the resolver handles any delimiters that this creates
	if err != nil {
		return ""
	}
	return name
}

// pythonHost returns the host that Python's urlsplit finds, or "" if it finds none.
func pythonHost(s string) string {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r <= ' ' })
	s = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s)
	if i := ascii.SchemeEnd([]byte(s)); i > 0 {
		s = s[i+1:]
	}
	netloc, ok := strings.CutPrefix(s, "//")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(netloc, "/?#"); i >= 0 {
		netloc = netloc[:i]
	}
	if strings.Contains(netloc, "[") != strings.Contains(netloc, "]") || !pythonAccepts(netloc) {
		return ""
	}
	host := netloc[strings.LastIndexByte(netloc, '@')+1:]
	if _, literal, ok := strings.Cut(host, "["); ok {
		host, _, _ = strings.Cut(literal, "]")
	} else {
		host, _, _ = strings.Cut(host, ":")
	}
	return bracketed(host)
}

// pythonAccepts reports whether urlsplit accepts an authority: brackets must contain an IPv6
// address or one of a later version, and normalising must not create a delimiter.
func pythonAccepts(netloc string) bool {
	if _, literal, ok := strings.Cut(netloc, "["); ok {
		literal, _, _ = strings.Cut(literal, "]")
		if address, err := netip.ParseAddr(literal); !isPythonFuture(literal) && (err != nil || !address.Is6()) {
			return false
		}
	}
	plain := strings.NewReplacer("@", "", ":", "", "#", "", "?", "").Replace(netloc)
	normal := norm.NFKC.String(plain)
	return normal == plain || !strings.ContainsAny(normal, "/?#@:")
}

// isPythonFuture reports whether Python reads a literal as an address of a later version.
func isPythonFuture(literal string) bool {
	version, rest, ok := strings.Cut(literal, ".")
	return ok && len(version) > 1 && version[0] == 'v' && strings.Trim(version[1:], "0123456789abcdefABCDEF") == "" &&
		rest != "" && !strings.Contains(rest, "\n")
}
