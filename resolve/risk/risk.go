// Package risk finds suspicious properties in the text of a URL (the 1997 draft, section 7; RFC 3986
// section 7): a host that browsers and other programs read differently, a name that imitates another, an
// address of a private network. [Of] returns the risks of a URL, and [Readers] the host that each of
// several programs finds in it. Nothing is looked up. Use it to warn about untrusted URLs before a person
// or a program follows them.
package risk

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
	"example.org/refract/resolve"
	"example.org/refract/resolve/internal/syntax"
)

// Labels is a set of security risks (the 1997 draft, section 7) that are visible in the text of a URL.
type Labels uint32

const (
	PortNondefault     Labels = 1 << iota // a port other than the scheme's (RFC 1738 section 6, draft 7)
	PortReserved                          // the same, and the port is from 1 to 1023
	EncodedControl                        // %00 to %1F or %7F, except in the form of gopher URLs (tabs and the Gopher+ string)
	Password                              // a password in front of the host
	GopherLineEnd                         // a gopher URL with %0D or %0A, or to port 25: it can talk to a mail server
	UserinfoSpoof                         // the text before "@" looks like a host, or contains "@", %2F, %40 or %5C
	AmbiguousAuthority                    // browsers see another host than RFC 3986: "\", a tab, http:/x, http:///x
	NumericHost                           // an IPv4 address that is not four decimal numbers: 0x7f.1, 2130706433, 0177.1
	Loopback                              // 127.0.0.0/8, 0.0.0.0/8, ::1, ::, localhost
	PrivateHost                           // RFC 1918, fc00::/7, .internal, .home.arpa
	LinkLocal                             // 169.254.0.0/16, fe80::/10, .local
	ActiveScheme                          // javascript, vbscript, blob, and data with HTML, SVG or XML
	MixedScript                           // a label of the host mixes scripts that no writing system mixes (UTS 39 5.2)
	Confusable                            // a label of the host looks like an ASCII label
	Bidi                                  // a direction mark, encoded or not
	Invisible                             // an invisible character, encoded or not
	Userinfo                              // anything before the host and "@" (RFC 3986 7.5)
	IPHost                                // an IP address in place of a name (RFC 3986 7.4)
	EncodedDelimiter                      // an escaped delimiter in the host: %2F, %40
	LookalikeDelimiter                    // a character in the authority that looks like one of / ? # : @ \, encoded or not
	MappedHost                            // UTS 46 maps it to another host, apart from lower case: "ⓔⓧ.com" is "ex.com"
	SecondHash                            // a second "#": the output has it as %23, and browsers keep it

	AnyLabel Labels = 1<<iota - 1
)

var labelNames = [...]string{
	"port-nondefault", "port-reserved", "encoded-control", "password", "gopher-lineend", "userinfo-spoof",
	"ambiguous-authority", "numeric-host", "loopback", "private-host", "link-local", "active-scheme",
	"mixed-script", "confusable", "bidi", "invisible", "userinfo", "ip-host",
	"encoded-delimiter", "lookalike-delimiter", "mapped-host", "second-hash",
}

// Names lists the members of l by their names in JSON output: "port-nondefault".
func (l Labels) Names() (names []string) {
	for i, name := range labelNames {
		if l&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String joins the names of l with commas; the empty set is "".
func (l Labels) String() string { return strings.Join(l.Names(), ",") }

// Of returns the risks of url, which may be absolute, or a reference as written. A reference and the URL
// that it resolves to can have different risks: "/\h" is ambiguous, and "x" has the port of its base (RFC
// 1808 section 6). An empty set means that Of found nothing, not that the URL is harmless.
//
// It takes time linear in len(url), and allocates only for a host that is an IP address, not ASCII or an
// A-label.
func Of(url []byte) Labels {
	if IsPlain(url) {
		return 0
	}
	return risks(url)
}

func risks(url []byte) (l Labels) {
	if i := bytes.IndexByte(url, '#'); i >= 0 && bytes.IndexByte(url[i+1:], '#') >= 0 {
		l = SecondHash
	}
	return l | authorityAndOctets(url)
}

func authorityAndOctets(url []byte) (l Labels) {
	name, colon := looseScheme(url)
	if colon < 0 {
		if n, odd := slashes(url); n >= 2 {
			l = authorityRisks(resolve.Scheme{}, url, n, odd || n > 2)
		}
		return l | octetRisks(url, true)
	}
	s, _ := resolve.SchemeOf(string(name))
	if len(name) < colon { // browsers drop spaces before a URL, and tabs and line breaks anywhere
		l |= AmbiguousAuthority
	}
	after := url[colon+1:]
	switch n, odd := slashes(after); s.Name {
	case "http", "https", "ws", "wss", "ftp": // browsers let any number of slashes precede the host
		l |= authorityRisks(s, after, n, odd || n != 2)
	case "file":
		if n >= 2 || odd {
			l |= authorityRisks(s, after, min(n, 2), odd)
		}
	default:
		if bytes.HasPrefix(after, []byte("//")) {
			l |= authorityRisks(s, after, 2, false)
		}
	}
	switch s.Name {
	case "javascript", "vbscript", "blob":
		l |= ActiveScheme
	case "data":
		for _, active := range activeTypes {
			if _, ok := ascii.CutPrefixFold(bytes.TrimLeft(after, " "), active); ok {
				l |= ActiveScheme
			}
		}
	case "gopher":
		if l&AmbiguousAuthority == 0 {
			return l | gopherRisks(url)
		}
	}
	return l | octetRisks(url, true)
}

// activeTypes are the media types in which browsers run scripts.
var activeTypes = [...]string{"text/html", "text/xml", "application/xml", "application/xhtml+xml", "image/svg+xml"}

// looseScheme returns the scheme of url as browsers see it, and the index of its colon, or -1 if there is
// no scheme. Browsers skip spaces and controls before the scheme, and tabs and line breaks within it.
func looseScheme(url []byte) (name []byte, colon int) {
	start := 0
	for start < len(url) && url[start] <= ' ' {
		start++
	}
	url = url[start:]
	if i := ascii.SchemeEnd(url); i > 0 {
		return url[:i], start + i
	}
	dropped := 0
	for i, c := range url {
		switch {
		case isDropped(c):
			dropped++
		case c == ':' && dropped > 0:
			for _, c := range url[:i] {
				if !isDropped(c) {
					name = append(name, c)
				}
			}
			return name, start + i
		case !ascii.IsScheme(c) || !ascii.IsLetter(url[0]):
			return nil, -1
		}
	}
	return nil, -1
}

// isDropped reports whether browsers remove c from a URL.
func isDropped(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// slashes counts the slashes at the start of s as browsers see them. odd reports that
// some are backslashes, or that tabs or line breaks stand among them.
func slashes(s []byte) (n int, odd bool) {
	for _, c := range s {
		switch {
		case c == '/':
			n++
		case c == '\\' || isDropped(c):
			n++
			odd = true
		default:
			return n, odd
		}
	}
	return n, odd
}

// authorityRisks returns the risks of the authority at the start of s. It examines the
// authority that browsers find after the given number of slashes, and also that of
// RFC 3986 3.2 if they may differ.
func authorityRisks(scheme resolve.Scheme, s []byte, slashes int, ambiguous bool) (l Labels) {
	loose := s[slashes:]
	if i := bytes.IndexAny(loose, `/\?#`); i >= 0 {
		ambiguous = ambiguous || loose[i] == '\\'
		loose = loose[:i]
	}
	if bytes.ContainsAny(loose, "\t\n\r") {
		ambiguous = true
		var kept []byte
		for _, c := range loose {
			if !isDropped(c) {
				kept = append(kept, c)
			}
		}
		loose = kept
	}
	l = serverRisks(scheme, loose)
	if !ambiguous {
		return l
	}
	if strict, ok := bytes.CutPrefix(s, []byte("//")); ok {
		if i := bytes.IndexAny(strict, "/?#"); i >= 0 {
			strict = strict[:i]
		}
		l |= serverRisks(scheme, strict)
	}
	return l | AmbiguousAuthority
}

func serverRisks(scheme resolve.Scheme, authority []byte) (l Labels) {
	s := syntax.SplitServer(authority)
	l = delimiterRisks(authority)
	if s.HasUser {
		l |= Userinfo
	}
	if len(s.Password) > 0 {
		l |= Password
	}
	if s.HasUser && spoofs(authority[:ascii.HostStart(authority)-1], s.User) {
		l |= UserinfoSpoof
	}
	open := bytes.HasPrefix(s.Host, []byte{'['}) && !bytes.HasSuffix(s.Host, []byte{']'}) // "[::1" has no port
	if port := syntax.PortNumber(s.Port); len(s.Port) > 0 && !open && scheme.Port != 0 && port != scheme.Port {
		l |= PortNondefault
		if port >= 1 && port < 1024 {
			l |= PortReserved
		}
		if port == 25 && scheme.Name == "gopher" {
			l |= GopherLineEnd
		}
	}
	return l | hostRisks(s.Host)
}

// spoofs reports whether a reader may mistake userinfo for a host (RFC 3986 7.6). It then contains a
// character that ends an authority, encoded or not, or the user begins with labels, the last of which
// consists of letters: "www.example.com&x=y".
func spoofs(userinfo, user []byte) bool {
	for i := 0; i < len(userinfo); {
		c, n := ascii.OctetAt(userinfo, i)
		if c == '@' || c == '\\' || c == '/' {
			return true
		}
		i += n
	}
	end := 0
	for end < len(user) && (ascii.IsAlnum(user[end]) || user[end] == '.' || user[end] == '-' || user[end] >= utf8.RuneSelf) {
		end++
	}
	host := bytes.TrimRight(user[:end], ".")
	dot := bytes.LastIndexByte(host, '.')
	if dot <= 0 || len(host)-dot < 3 {
		return false
	}
	for _, c := range host[dot+1:] {
		if !ascii.IsLetter(c) && c < utf8.RuneSelf {
			return false
		}
	}
	return true
}

// gopherRisks returns the risks in the octets of a gopher URL. The tabs and the
// Gopher+ string of its form (RFC 1738 3.4.1) do not count as encoded controls.
func gopherRisks(url []byte) (l Labels) {
	c := resolve.Parse(url)
	start, end := len(c.Scheme)+len(":"), len(url)
	if c.HasAuthority {
		start += len("//") + len(c.Authority)
	}
	if c.HasFragment {
		end -= len("#") + len(c.Fragment)
	}
	rest := url[start:end] // path and query
	for i := 0; i < len(rest); {
		b, n := ascii.OctetAt(rest, i)
		if n == 3 && (b == '\r' || b == '\n') {
			l |= GopherLineEnd
		}
		i += n
	}
	g := syntax.SplitGopher(rest)
	for _, s := range [...][]byte{c.Authority, g.Kind, g.Selector, g.Search, c.Fragment} {
		l |= octetRisks(s, true)
	}
	return l | octetRisks(rest, false)
}

// octetRisks examines every octet, encoded or not. It looks for direction marks and
// invisible characters and, if controls is true, for encoded controls.
func octetRisks(s []byte, controls bool) (l Labels) {
	for i := 0; i < len(s); {
		if b := s[i]; b != '%' && b < utf8.RuneSelf {
			i++
			continue
		}
		b, n := ascii.OctetAt(s, i)
		i += n
		if n == 3 && controls && (b < ' ' || b == 0x7f) {
			l |= EncodedControl
		}
		if b < 0xC2 {
			continue
		}
		switch r := character(b, s[i:]); {
		case isBidi(r):
			l |= Bidi
		case isInvisible(r):
			l |= Invisible
		}
	}
	return l
}

// character returns the character that begins with the octet first, before those of s, or U+FFFD.
func character(first byte, s []byte) rune {
	char := [utf8.UTFMax]byte{first}
	size := 1
	for ; len(s) > 0 && !utf8.FullRune(char[:size]); size++ {
		c, n := ascii.OctetAt(s, 0)
		char[size] = c
		s = s[n:]
	}
	r, _ := utf8.DecodeRune(char[:size])
	return r
}

// isBidi reports whether r is one of the marks, embeddings, overrides and isolates of UAX 9 2.
func isBidi(r rune) bool {
	return r == 0x61C || r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// isInvisible reports whether r is a soft hyphen, a zero-width space or joiner, an invisible
// operator, or a tag.
func isInvisible(r rune) bool {
	return r == 0xAD || r == 0x180E || r >= 0x200B && r <= 0x200D || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF ||
		r >= 0xE0000 && r <= 0xE007F
}

// delimiterRisks looks for characters that look like the delimiters of an authority. In
// "example.com⁄x@evil.example", the host seems to end at "⁄".
func delimiterRisks(authority []byte) (l Labels) {
	for i := 0; i < len(authority); {
		c, n := ascii.OctetAt(authority, i)
		i += n
		if c != 0xE2 && c != 0xEF && c != 0xEA { // of U+2000 to U+2FFF, U+A000 to U+AFFF, U+F000 to U+FFFF
			continue
		}
		if isLookalikeDelimiter(character(c, authority[i:])) {
			l |= LookalikeDelimiter
		}
	}
	return l
}

// isLookalikeDelimiter reports whether r looks like one of / ? # : @ \ in most fonts.
//
// Source: the characters that confusables.txt (UTS 39, November 2026) maps to these six, and those
// with these six as their compatibility decomposition (UnicodeData.txt).
func isLookalikeDelimiter(r rune) bool {
	switch r {
	case 0x2044, 0x2215, 0x2571, 0x27CB, 0x29F8, 0x2F03, 0xFF0F, // "/"
		0x2048, 0x2049, 0x2047, 0xFE56, 0xFF1F, 0xFE16, // "?"
		0xFE5F, 0xFF03, // "#"
		0x2236, 0xA789, 0xFE13, 0xFE30, 0xFE55, 0xFF1A, // ":"
		0xFE6B, 0xFF20, // "@"
		0x2216, 0x27CD, 0x29F5, 0x29F9, 0xFE68, 0xFF3C: // "\"
		return true
	}
	return false
}

// maxHost is the length in bytes up to which a host is examined: 255 characters (RFC 1034 3.1), encoded.
const maxHost = 4 * 255

func hostRisks(host []byte) (l Labels) {
	if len(host) == 0 || len(host) > maxHost {
		return 0
	}
	if host[0] == '[' {
		return literalRisks(host)
	}
	var buf [maxHost]byte
	name := buf[:0]
	isASCII, encoded := true, false
	for i := 0; i < len(host); {
		c, n := ascii.OctetAt(host, i)
		if n == 3 && bytes.IndexByte([]byte("#/:?@\\"), c) >= 0 {
			l |= EncodedDelimiter
		}
		isASCII = isASCII && c < utf8.RuneSelf
		encoded = encoded || c|0x20 == 'x' && len(host)-i > 4 && ascii.EqualFold(host[i+1:i+4], "n--")
		name = append(name, ascii.ToLower(c))
		i += n
	}
	if !isASCII || encoded {
		l |= scriptRisks(string(name))
	}
	if !isASCII {
		if isMapped(string(name)) {
			l |= MappedHost
		}
		a, ok := hostname.DomainToASCII(name) // ①②⑦.0.0.1 is 127.0.0.1
		if !ok {
			return l
		}
		name = append(name[:0], a...)
	}
	name = bytes.TrimSuffix(name, []byte("."))
	if len(name) > 0 && ascii.IsDigit(name[0]) {
		if a, ok := hostname.ParseIPv4(string(name)); ok {
			l |= addressRisks(netip.AddrFrom4([4]byte{byte(a >> 24), byte(a >> 16), byte(a >> 8), byte(a)}))
			if hostname.FormatIPv4(a) != string(bytes.TrimSuffix(host, []byte("."))) { // not the form of RFC 3986 3.2.2
				l |= NumericHost
			}
			return l
		}
	}
	switch last := name[bytes.LastIndexByte(name, '.')+1:]; string(last) {
	case "localhost": // RFC 6761 6.3
		l |= Loopback
	case "local": // RFC 6762 3
		l |= LinkLocal
	case "internal":
		l |= PrivateHost
	case "arpa": // RFC 8375
		if string(name) == "home.arpa" || bytes.HasSuffix(name, []byte(".home.arpa")) {
			l |= PrivateHost
		}
	}
	return l
}

func literalRisks(host []byte) Labels {
	s := string(bytes.Trim(host, "[]"))
	s, _, _ = strings.Cut(s, "%") // the zone, behind %25
	addr, err := netip.ParseAddr(s)
	if err != nil {
		return 0
	}
	return addressRisks(innerAddress(addr))
}

// innerAddress returns the IPv4 address inside an IPv6 address, or a itself if there is none. It knows
// mapped, compatible and translated addresses (RFC 4291 2.5.5, RFC 2765 2.1), those of NAT64 (RFC 6052
// 2.1), 6to4 (RFC 3056 2), Teredo (RFC 4380 4) and ISATAP (RFC 5214 6.1).
func innerAddress(a netip.Addr) netip.Addr {
	a = a.Unmap()
	if !a.Is6() {
		return a
	}
	b := a.As16()
	var at int
	switch last := b[12:]; {
	case bytes.Equal(b[:12], make([]byte, 12)) && (last[0] != 0 || last[1] != 0): // not :: and ::1
		at = 12
	case bytes.Equal(b[:12], []byte{8: 0xff, 9: 0xff, 11: 0}), // ::ffff:0:a.b.c.d
		bytes.Equal(b[:12], []byte{0, 0x64, 0xff, 0x9b, 11: 0}), // 64:ff9b::/96
		b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe:
		at = 12
	case b[0] == 0x20 && b[1] == 0x02: // 2002::/16
		at = 2
	case bytes.Equal(b[:4], []byte{0x20, 0x01, 0, 0}): // 2001::/32, the client's address inverted
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]})
	default:
		return a
	}
	return netip.AddrFrom4([4]byte(b[at : at+4]))
}

// isMapped reports whether UTS 46 maps host, which is in lower case, to a name other than the
// host's normal form.
func isMapped(host string) bool {
	mapped, err := hostname.IDNA.ToUnicode(hostname.Map(host))
	return err == nil && mapped != norm.NFC.String(strings.ToLower(host)) && !strings.Contains(host, "xn--")
}

func addressRisks(a netip.Addr) Labels {
	switch {
	case a.IsLoopback(), a.IsUnspecified(), a.Is4() && a.As4()[0] == 0:
		return IPHost | Loopback
	case a.IsPrivate():
		return IPHost | PrivateHost
	case a.IsLinkLocalUnicast():
		return IPHost | LinkLocal
	}
	return IPHost
}

// scriptRisks examines the labels of host, in lower case, as people see them.
func scriptRisks(host string) (l Labels) {
	for label := range strings.FieldsFuncSeq(host, func(r rune) bool { return r == '.' || r == '。' || r == '．' || r == '｡' }) {
		if len(label) > 4 && label[:4] == "xn--" && len(label) <= 63 { // RFC 5890 2.3.2.1
			if u, err := idna.Punycode.ToUnicode(label); err == nil {
				label = u
			}
		}
		var scripts scriptSet
		foreign, alike := false, true
		for _, r := range label {
			scripts.add(r)
			if r >= utf8.RuneSelf {
				foreign = true
				alike = alike && lookalikes[r] != 0
			}
		}
		if scripts.mixed() {
			l |= MixedScript
		}
		if foreign && alike {
			l |= Confusable
		}
	}
	return l
}

// A scriptSet holds the scripts of a label, as far as they matter.
type scriptSet struct {
	known uint // the scripts that have bits
	other *unicode.RangeTable
	many  bool // more than one script without a bit
}

var scripts = [...]*unicode.RangeTable{unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Bopomofo, unicode.Cyrillic, unicode.Greek}

// The scripts that are written together: the level "highly restrictive" of UTS 39 5.2.
const (
	latin = 1 << iota
	han
	hiragana
	katakana
	hangul
	bopomofo

	japanese = latin | han | hiragana | katakana
	korean   = latin | han | hangul
	chinese  = latin | han | bopomofo
)

func (s *scriptSet) add(r rune) {
	if r < utf8.RuneSelf {
		if ascii.IsLetter(byte(r)) {
			s.known |= latin
		}
		return
	}
	if unicode.In(r, unicode.Common, unicode.Inherited) || s.other != nil && unicode.Is(s.other, r) {
		return
	}
	for i, table := range scripts {
		if unicode.Is(table, r) {
			s.known |= 1 << i
			return
		}
	}
	for _, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			s.many = s.many || s.other != nil
			s.other = table
			return
		}
	}
}

func (s *scriptSet) mixed() bool {
	if s.other != nil {
		return s.many || s.known != 0
	}
	return s.known&(s.known-1) != 0 && s.known&^japanese != 0 && s.known&^korean != 0 && s.known&^chinese != 0
}
