// Package unwrap finds the target in URLs that mail filters, search engines, caches and list
// managers have put around it.
package unwrap

import (
	"bytes"
	"encoding/base64"
	"html"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// maxDepth limits how many wrappers around a target are removed.
const maxDepth = 8

// maxURL limits the size in bytes of a URL that is unwrapped.
const maxURL = 1 << 16

// Target appends to dst the target of an absolute URL, or reports false if the URL is not wrapped in a
// known way. If a target is itself wrapped, it returns the innermost one. The target is absolute, and may
// contain any bytes. Target takes time linear in len(url), which may be at most 64 KiB; longer URLs are not
// unwrapped.
func Target(dst, url []byte) ([]byte, bool) {
	if len(url) > maxURL || bytes.IndexByte(url, ':') < 0 {
		return dst, false
	}
	found := false
	for range maxDepth {
		next := inner(url)
		if !isURL(next) {
			break
		}
		url, found = next, true
	}
	if !found {
		return dst, false
	}
	return append(dst, url...), true
}

// isURL reports whether s begins like a URL that people link to.
func isURL(s []byte) bool {
	for _, prefix := range []string{"http://", "https://", "ftp://"} {
		if n := len(prefix); len(s) > n && strings.EqualFold(string(s[:n]), prefix) {
			return s[n] != '/'
		}
	}
	const mail = "mailto:"
	return len(s) > len(mail) && strings.EqualFold(string(s[:len(mail)]), mail)
}

// A wrapper is a service that puts URLs around others.
type wrapper struct {
	host   string // suffix of the host: whole labels
	path   string // prefix of the path
	decode func(*parts) []byte
}

// parts are what decoders need of a URL.
type parts struct{ host, path, query, url []byte }

// wrappers lists the services. Hosts of Google and AMP caches have no common suffix: see inner.
var wrappers = []wrapper{
	{"safelinks.protection.outlook.com", "/", parameter("url")},
	{"safelinks.protection.office365.us", "/", parameter("url")},
	{"urldefense.proofpoint.com", "/v1/url", (*parts).proofpoint1},
	{"urldefense.proofpoint.com", "/v2/url", (*parts).proofpoint2},
	{"urldefense.proofpoint.com", "/v3/", (*parts).proofpoint3},
	{"urldefense.com", "/v1/url", (*parts).proofpoint1},
	{"urldefense.com", "/v2/url", (*parts).proofpoint2},
	{"urldefense.com", "/v3/", (*parts).proofpoint3},
	{"urldefense.us", "/v2/url", (*parts).proofpoint2},
	{"urldefense.us", "/v3/", (*parts).proofpoint3},
	{"linkprotect.cudasvc.com", "/url", parameter("a")},
	{"secure-web.cisco.com", "/", (*parts).lastSegment},
	{"clicktime.symantec.com", "/", parameter("u")},
	{"protect.fireeye.com", "/", parameter("u")},
	{"protect2.fireeye.com", "/", parameter("u")},
	{"imp.trendmicro.com", "/wis/clicktime/", parameter("url")},
	{"facebook.com", "/l.php", parameter("u")},
	{"facebook.com", "/flx/warn", parameter("u")},
	{"messenger.com", "/l.php", parameter("u")},
	{"l.instagram.com", "/", parameter("u")},
	{"linkedin.com", "/redir/", parameter("url")},
	{"linkedin.com", "/safety/go", parameter("url")},
	{"youtube.com", "/redirect", parameter("q")},
	{"slack-redir.net", "/link", parameter("url")},
	{"out.reddit.com", "/", parameter("url")},
	{"duckduckgo.com", "/l/", parameter("uddg")},
	{"vk.com", "/away.php", parameter("to")},
	{"steamcommunity.com", "/linkfilter", parameter("url", "u")},
	{"rd.yahoo.com", "/", (*parts).afterStar},
	{"rs6.net", "/tn.jsp", parameter("p")},
	{"bing-amp.com", "/", (*parts).ampCache},
	{"cdn.ampproject.org", "/", (*parts).ampCache},
	// Archives of the web, whose URLs have the time of a capture, or "*" or a word in its place.
	{"web.archive.org", "/web/", (*parts).capture},
	{"web.archive.org", "/save/", (*parts).capture},
	{"wayback.archive.org", "/web/", (*parts).capture},
	{"arquivo.pt", "/wayback/", (*parts).capture},
	{"arquivo.pt", "/noFrame/replay/", (*parts).capture},
	{"webarchive.org.uk", "/", (*parts).capture},
	{"webarchive.nationalarchives.gov.uk", "/", (*parts).capture},
	{"webarchive.loc.gov", "/", (*parts).capture},
	{"wayback.archive-it.org", "/", (*parts).capture},
	{"swap.stanford.edu", "/", (*parts).capture},
	{"vefsafn.is", "/", (*parts).capture},
	{"webarchive.parliament.uk", "/", (*parts).capture},
	{"archive.today", "/", (*parts).capture},
	{"archive.is", "/", (*parts).capture},
	{"archive.ph", "/", (*parts).capture},
	{"archive.li", "/", (*parts).capture},
	{"archive.fo", "/", (*parts).capture},
	{"archive.md", "/", (*parts).capture},
	{"archive.vn", "/", (*parts).capture},
	{"webcitation.org", "/query", parameter("url")},
}

// inner returns the URL that url is wrapped around, or nil.
func inner(url []byte) []byte {
	p := split(url)
	if p == nil {
		return nil
	}
	if isGoogle(p.host) {
		return p.google()
	}
	for _, w := range wrappers {
		if isBelow(p.host, w.host) && bytes.HasPrefix(p.path, []byte(w.path)) {
			if target := w.decode(p); target != nil {
				return target
			}
		}
	}
	return nil
}

// split returns the parts of url, or nil if it is not an http or https URL.
func split(url []byte) *parts {
	c := resolve.Parse(url)
	if scheme := string(c.Scheme); !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return nil
	}
	host, _, _ := ascii.CutPort(c.Authority[ascii.HostStart(c.Authority):])
	if len(host) > 253 {
		return nil
	}
	return &parts{host: bytes.ToLower(host), path: c.Path, query: c.Query, url: url}
}

// isBelow reports whether host is domain, or a host below it.
func isBelow(host []byte, domain string) bool {
	rest, ok := bytes.CutSuffix(host, []byte(domain))
	return ok && (len(rest) == 0 || rest[len(rest)-1] == '.')
}

// isGoogle reports whether host is google.com, www.google.co.uk or the like.
func isGoogle(host []byte) bool {
	host = bytes.TrimPrefix(host, []byte("www."))
	host, ok := bytes.CutPrefix(host, []byte("google."))
	if !ok {
		return false
	}
	switch string(host) {
	case "com", "cat":
		return true
	}
	for _, second := range []string{"com.", "co."} {
		host = bytes.TrimPrefix(host, []byte(second))
	}
	return len(host) == 2
}

// google decodes /url?q=URL, or url=URL, and /amp/.
func (p *parts) google() []byte {
	if string(p.path) == "/url" {
		if target := p.parameter("q"); isURL(target) {
			return target
		}
		return p.parameter("url")
	}
	if rest, ok := bytes.CutPrefix(p.path, []byte("/amp/")); ok {
		return p.amp(rest)
	}
	return nil
}

// ampCache decodes the path of a cache: the type of the content (one letter, and "i" for images), "s/"
// for https, the URL without its scheme.
func (p *parts) ampCache() []byte {
	kind, rest, ok := bytes.Cut(bytes.TrimPrefix(p.path, []byte("/")), []byte("/"))
	if !ok || len(kind) == 0 || len(kind) > 3 {
		return nil
	}
	return p.amp(rest)
}

// amp returns the URL that rest, "s/HOST/PATH" or "HOST/PATH", stands for.
func (p *parts) amp(rest []byte) []byte {
	scheme := "http://"
	if after, ok := bytes.CutPrefix(rest, []byte("s/")); ok {
		scheme, rest = "https://", after
	}
	host, _, _ := bytes.Cut(rest, []byte("/"))
	if bytes.IndexByte(host, '.') < 0 {
		return nil
	}
	target := append([]byte(scheme), rest...)
	if p.query != nil {
		target = append(append(target, '?'), p.query...)
	}
	return target
}

// parameter returns a decoder of the first parameter of the query that has one of names.
func parameter(names ...string) func(*parts) []byte {
	return func(p *parts) []byte {
		for _, name := range names {
			if value := p.parameter(name); value != nil {
				return value
			}
		}
		return nil
	}
}

// raw returns the value of a parameter as written, or nil. Archives that escape twice write "&amp;"
// between parameters.
func (p *parts) raw(name string) []byte {
	for field := range bytes.SplitSeq(p.query, []byte("&")) {
		field = bytes.TrimPrefix(field, []byte("amp;"))
		if key, value, ok := bytes.Cut(field, []byte("=")); ok && string(key) == name {
			return value
		}
	}
	return nil
}

// parameter returns the decoded value of a parameter, or nil. A value that has not been encoded is not cut
// at its "&": where it ends would be a guess.
func (p *parts) parameter(name string) []byte {
	value := p.raw(name)
	if value == nil {
		return nil
	}
	return ascii.UnescapeAll(value)
}

// proofpoint1 decodes URL Defense 1: the URL is percent-encoded, and may contain character references.
func (p *parts) proofpoint1() []byte {
	return []byte(html.UnescapeString(string(p.parameter("u"))))
}

// proofpoint2 decodes URL Defense 2: "-" stands for "%", "_" for "/".
func (p *parts) proofpoint2() []byte {
	value := bytes.ReplaceAll(p.raw("u"), []byte("-"), []byte("%"))
	value = bytes.ReplaceAll(value, []byte("_"), []byte("/"))
	return []byte(html.UnescapeString(string(ascii.UnescapeAll(value))))
}

// runs holds the characters that stand for the lengths 2, 3 and so on in URL Defense 3.
const runs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// proofpoint3 decodes URL Defense 3: "__URL__;DATA!", where each "*" in the URL stands for the next
// character of DATA, which is in base64, and "**" with a letter for several of them.
func (p *parts) proofpoint3() []byte {
	_, rest, ok := bytes.Cut(p.url, []byte("/v3/__"))
	if !ok {
		return nil
	}
	target, data, ok := bytes.Cut(rest, []byte("__;"))
	if !ok {
		return nil
	}
	data, _, ok = bytes.Cut(data, []byte("!"))
	if !ok {
		return nil
	}
	characters, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(string(data), "="))
	if err != nil || !utf8.Valid(characters) {
		return nil
	}
	// Some programs write "http:/host".
	if i := bytes.Index(target, []byte(":/")); i > 0 && i+2 < len(target) && target[i+2] != '/' {
		target = append(append(bytes.Clone(target[:i+2]), '/'), target[i+2:]...)
	}
	target = ascii.UnescapeAll(target)
	var url []byte
	for i := 0; i < len(target); i++ {
		if target[i] != '*' {
			url = append(url, target[i])
			continue
		}
		n := 1
		if i+2 < len(target) && target[i+1] == '*' {
			k := strings.IndexByte(runs, target[i+2])
			if k < 0 {
				return nil
			}
			n, i = k+2, i+2
		}
		for range n {
			_, size := utf8.DecodeRune(characters)
			if size == 0 {
				return nil
			}
			url, characters = append(url, characters[:size]...), characters[size:]
		}
	}
	if len(characters) > 0 {
		return nil
	}
	return url
}

// lastSegment decodes "/TOKEN/URL", with the URL percent-encoded.
func (p *parts) lastSegment() []byte {
	return ascii.UnescapeAll(p.path[bytes.LastIndexByte(p.path, '/')+1:])
}

// afterStar decodes "…*URL".
func (p *parts) afterStar() []byte {
	i := bytes.IndexByte(p.url, '*')
	if i < 0 {
		return nil
	}
	target := p.url[i+1:]
	if !isURL(target) {
		target = ascii.UnescapeAll(target)
	}
	return target
}

// maxCaptureNames limits the names in the path of an archive before the URL of a page.
const maxCaptureNames = 6

// capture decodes the URL of a capture: names, one of which is its time, and then the URL of the page,
// without a scheme if that is http. The time is a number of 4 to 14 digits, followed by flags such as "id_"
// or "im_", or the form of archive.today, "2020.01.31-123456"; "*", "newest" or nothing stands for any
// time.
func (p *parts) capture() []byte {
	at := bytes.Index(p.url, p.path)
	if at < 0 {
		return nil
	}
	rest, hasTime := p.url[at+1:], false
	for range maxCaptureNames {
		if target := capturedURL(rest); target != nil {
			return target
		}
		name, after, ok := bytes.Cut(rest, []byte("/"))
		if !ok {
			return nil
		}
		isTime := isCaptureTime(name) // the number of a collection may look like one
		if hasTime && !isTime {       // what follows the time is the URL
			if bytes.IndexByte(name, '.') > 0 && !bytes.ContainsAny(name, " @") {
				return append([]byte("http://"), rest...)
			}
			return nil
		}
		rest, hasTime = after, isTime
	}
	return nil
}

// capturedURL returns s if it begins with a scheme, or nil. Programs that tidy paths leave "http:/host".
func capturedURL(s []byte) []byte {
	for _, scheme := range []string{"http:/", "https:/", "ftp:/"} {
		if n := len(scheme); len(s) > n && strings.EqualFold(string(s[:n]), scheme) {
			if s[n] == '/' {
				return s
			}
			return append(append(bytes.Clone(s[:n]), '/'), s[n:]...)
		}
	}
	return nil
}

// isCaptureTime reports whether a name in the path of an archive is the time of a capture.
func isCaptureTime(name []byte) bool {
	if string(name) == "*" || string(name) == "newest" || string(name) == "oldest" {
		return true
	}
	digits := 0
	for digits < len(name) && '0' <= name[digits] && name[digits] <= '9' {
		digits++
	}
	rest := name[digits:]
	if digits < 4 || digits > 14 {
		return false
	}
	isDotted := digits == 4 && len(rest) > 0 && rest[0] == '.' && len(bytes.Trim(rest, ".-0123456789")) == 0
	isFlag := len(rest) == 3 && rest[2] == '_'
	return len(rest) == 0 || string(rest) == "*" || isDotted || isFlag
}

// Host appends to dst the host of the target of a URL that does not contain its target, and reports whether
// it is known: Mimecast names only the domain.
func Host(dst, url []byte) ([]byte, bool) {
	if len(url) > maxURL {
		return dst, false
	}
	p := split(url)
	if p == nil || !isBelow(p.host, "mimecast.com") && !isBelow(p.host, "mimecastprotect.com") || !bytes.HasPrefix(p.path, []byte("/s/")) {
		return dst, false
	}
	domain := p.parameter("domain")
	if len(domain) == 0 || bytes.ContainsAny(domain, "/ ?#@\t\r\n") {
		return dst, false
	}
	return append(dst, domain...), true
}
