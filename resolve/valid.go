package resolve

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/internal/syntax"
)

// A Grammar says what one document allows at each place in a reference, together with the requirements of
// the scheme's own document (see [Scheme]).
type Grammar uint8

const (
	RFC3986 Grammar = iota // the default
	RFC2396
	Draft // the 1997 draft, draft-fielding-url-syntax
	RFC1808
	RFC1738
	RFC6874 // RFC 3986, with zones of IPv6 addresses: "[fe80::1%25eth0]"
)

// String returns the name that GrammarNamed accepts.
func (g Grammar) String() string {
	if int(g) >= len(grammars) {
		return fmt.Sprintf("Grammar(%d)", uint8(g))
	}
	return grammars[g].name
}

// GrammarNamed returns the grammar of one document: "rfc3986", "rfc2396", "draft", "rfc1808", "rfc1738" or
// "rfc6874". The grammar "draft" is also that of draft-01 and draft-02.
func GrammarNamed(name string) (Grammar, bool) {
	if name == "draft-01" || name == "draft-02" {
		return Draft, true
	}
	i := slices.Index(GrammarNames(), name)
	return Grammar(max(i, 0)), i >= 0
}

// GrammarNames lists the names of the grammars, the default first.
func GrammarNames() (names []string) {
	for _, g := range grammars {
		names = append(names, g.name)
	}
	return names
}

// An Offence is the first place where a reference breaks a grammar.
type Offence struct {
	At      int    // the offset in bytes in the reference
	Words   string // `"{" is not allowed in a path`
	Section string // the section that it breaks: "RFC 3986 3.3"
}

// String returns "byte 7: … (RFC 3986 3.3)".
func (o Offence) String() string {
	return fmt.Sprintf("byte %d: %s (%s)", o.At, o.Words, o.Section)
}

// Check returns the first place where ref, a reference as written, breaks g or the rules of its scheme, if
// it has one. valid reports that there is no such place. No offence keeps a reference from being resolved.
// Check takes time linear in len(ref), and allocates only for an offence or an IPv6 address.
//
// Notable choices:
//
//   - RFC 6874 is a grammar of its own: RFC 9844 withdraws its zones, and RFC 3986 has none.
//   - RFC 1808 2.2 allows any URL characters after the scheme of an absolute URL.
//   - A relative reference must obey only the generic grammar. RFC 1738 has no relative references.
//   - An authority is a server with host and port for the schemes that need a host and, under RFC 3986,
//     always. Otherwise the 1997 draft, section 4.3.1, and RFC 2396 3.2 let the scheme define it.
//   - draft 4.2 and RFC 2396 3 allow any URL characters after the colon of an opaque URL. Check treats the
//     components of opaque URLs like those of others, which has the same effect because the places of "?"
//     and "/" are known.
func (g Grammar) Check(ref []byte) (o Offence, valid bool) {
	c := checker{grammar: &grammars[g]}
	c.located = locate(c.rules, ref)
	if c.HasScheme {
		c.scheme, _ = SchemeOf(string(c.Scheme))
	} else if g == RFC1738 {
		c.fail(0, "RFC 1738 2.1", "there is no scheme")
	} else {
		c.firstSegment()
	}
	if c.HasAuthority {
		c.checkAuthority()
	}
	wherePath := inPath
	if g == RFC1808 && c.HasScheme { // absoluteURL = generic-RL | ( scheme ":" *( uchar | reserved ) )
		wherePath = inAny
	}
	c.characters(c.path, c.Path, wherePath)
	if g == RFC1808 && !c.HasScheme && c.HasAuthority && bytes.HasPrefix(c.Path, []byte("//")) {
		c.fail(c.path+1, "RFC 1808 2.2", "the first segment of a path is empty")
	}
	if c.HasQuery {
		where := inQuery
		if g == RFC1738 && c.scheme.Name != "http" && c.scheme.Name != "https" {
			where = inAny // RFC 1738 5: schemepart = *xchar; only http has a search part
		}
		c.characters(c.query, c.Query, where)
	}
	if c.HasFragment {
		if g == RFC1738 {
			c.fail(c.fragment-1, "RFC 1738 2.2", `"#" is not part of a URL`)
		}
		c.characters(c.fragment, c.Fragment, inFragment)
	}
	if c.HasScheme {
		c.checkScheme()
	}
	return c.first, !c.failed
}

type checker struct {
	*grammar
	located
	scheme Scheme
	first  Offence
	failed bool
}

// fail records an offence unless there is an earlier one.
func (c *checker) fail(at int, section, format string, args ...any) {
	if !c.failed || at < c.first.At {
		c.first = Offence{at, fmt.Sprintf(format, args...), section}
		c.failed = true
	}
}

// characters checks that s, which begins at offset at, contains only characters allowed in where.
func (c *checker) characters(at int, s []byte, where component) {
	for i, b := range s {
		if c.allowed[b]&(1<<where) != 0 || b == '%' && isEscape(s[i:]) {
			continue
		}
		if b == '%' {
			c.fail(at+i, c.escape, `"%%" is not followed by two hexadecimal digits`)
		} else {
			c.fail(at+i, c.sections[where], "%s is not allowed in %s", character(s[i:]), where)
		}
		return
	}
}

func isEscape(s []byte) bool {
	_, ok := ascii.Unescape(s)
	return ok
}

// character describes the first character of s.
func character(s []byte) string {
	r, n := utf8.DecodeRune(s)
	switch {
	case r == ' ':
		return "a space"
	case r < ' ' || r == 0x7f || r == utf8.RuneError && n <= 1:
		return fmt.Sprintf("byte 0x%02X", s[0])
	case r == '"':
		return `'"'`
	}
	return fmt.Sprintf("%+q", s[:n])
}

// firstSegment checks that the first segment of a relative path has no colon: it would look like
// the colon after a scheme (draft 5, RFC 3986 4.2).
func (c *checker) firstSegment() {
	if c.HasAuthority {
		return
	}
	segment, _, _ := bytes.Cut(c.Path, []byte("/"))
	if i := bytes.IndexByte(segment, ':'); i >= 0 {
		c.fail(i, c.colon, `":" is not allowed in the first segment of a relative path`)
	}
}

func (c *checker) checkAuthority() {
	if c.scheme.Host == HostNone {
		c.fail(c.authority-len("//"), c.scheme.Section, `%s URLs have no "//"`, c.scheme.Name)
		return
	}
	isServer := c.scheme.Host >= HostMayBeEmpty
	if !isServer && !c.isCurrent() {
		c.characters(c.authority, c.Authority, inAuthority)
		return
	}
	s := syntax.SplitServer(c.Authority)
	host := c.authority + len(c.Authority) - len(s.Host)
	if s.HasPort {
		host -= len(":") + len(s.Port)
	}
	if s.HasUser {
		if isServer && !c.scheme.User {
			c.fail(c.authority, c.scheme.Section, "%s URLs have no user or password", c.scheme.Name)
		}
		c.characters(c.authority, c.Authority[:host-len("@")-c.authority], inUser)
	}
	c.checkHost(host, s.Host)
	if s.HasPort {
		c.checkPort(host+len(s.Host)+len(":"), s.Port)
	}
}

func (c *checker) checkHost(at int, host []byte) {
	switch {
	case len(host) == 0:
		if c.scheme.Host == HostRequired {
			c.fail(at, c.scheme.Section, "%s URLs need a host", c.scheme.Name)
		}
	case !c.isCurrent():
		c.checkHostname(at, host)
	case host[0] == '[':
		literal, zone := cutZone(host)
		switch zones := c.grammar == &grammars[RFC6874]; {
		case zone == nil && isLiteral(host):
		case zone == nil || !isLiteral(literal):
			c.fail(at, "RFC 3986 3.2.2", "the brackets contain neither an IPv6 address nor a later version")
		case !zones:
			c.fail(at+bytes.IndexByte(host, '%'), "RFC 3986 3.2.2", "a zone follows the IPv6 address, which only the grammar of RFC 6874 allows")
		case !isZone(zone):
			c.fail(at+bytes.IndexByte(host, '%'), "RFC 6874 2", "the zone of an IPv6 address stands behind %%25, and has characters of a name or escapes")
		}
	default:
		c.characters(at, host, inHost)
	}
}

// isCurrent reports whether the grammar is RFC 3986, with or without zones.
func (c *checker) isCurrent() bool {
	return c.grammar == &grammars[RFC3986] || c.grammar == &grammars[RFC6874]
}

// cutZone splits an IP literal before its zone, which begins with "%"; zone is nil if there is none.
func cutZone(host []byte) (literal, zone []byte) {
	i := bytes.IndexByte(host, '%')
	if i < 0 || host[len(host)-1] != ']' {
		return host, nil
	}
	return append(bytes.Clone(host[:i]), ']'), host[i : len(host)-1]
}

// isZone: "%25" 1*( unreserved / pct-encoded ) (RFC 6874 2).
func isZone(zone []byte) bool {
	name, ok := bytes.CutPrefix(zone, []byte("%25"))
	for i := 0; i < len(name); i++ {
		switch {
		case unreserved[name[i]]:
		case isEscape(name[i:]):
			i += 2
		default:
			return false
		}
	}
	return ok && len(name) > 0
}

// isLiteral: "[" ( IPv6address / IPvFuture ) "]" (RFC 3986 3.2.2).
func isLiteral(host []byte) bool {
	if len(host) < 2 || host[len(host)-1] != ']' {
		return false
	}
	s := host[1 : len(host)-1]
	if len(s) > 0 && s[0]|0x20 == 'v' { // "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
		version, address, ok := bytes.Cut(s[1:], []byte("."))
		for _, b := range version {
			ok = ok && ascii.IsHex(b)
		}
		for _, b := range address {
			ok = ok && grammars[RFC3986].allowed[b]&(1<<inUser) != 0
		}
		return ok && len(version) > 0 && len(address) > 0
	}
	if bytes.IndexByte(s, '%') >= 0 {
		return false
	}
	addr, err := netip.ParseAddr(string(s))
	return err == nil && addr.Is6()
}

// checkHostname: labels of letters, digits and inner hyphens; the last begins with a
// letter, or all are numbers and there are four. From draft 4.3.1 on, a dot may follow.
// IPv6 literals are not supported (draft 4.3.1).
func (c *checker) checkHostname(at int, host []byte) {
	labels, numbers, section := 0, true, c.sections[inHost]
	for start, end := 0, 0; start <= len(host); start = end + 1 {
		end = len(host)
		if i := bytes.IndexByte(host[start:], '.'); i >= 0 {
			end = start + i
		}
		label := host[start:end]
		if len(label) == 0 {
			if dot := start == len(host) && labels > 0; !dot || !c.finalDot || numbers {
				c.fail(at+max(start-1, 0), section, "a label of the host is empty")
			}
			break
		}
		digits := true
		for i, b := range label {
			if !ascii.IsAlnum(b) && (b != '-' || i == 0 || i == len(label)-1) {
				c.fail(at+start+i, section, "%s is not allowed there in a host", character(label[i:]))
				return
			}
			digits = digits && ascii.IsDigit(b)
		}
		numbers = numbers && digits
		labels++
		last := end == len(host) || end == len(host)-1 && c.finalDot
		if last && ascii.IsDigit(label[0]) && !(numbers && labels == 4) {
			c.fail(at+start, section, "the last label of the host begins with a digit")
		}
	}
}

func (c *checker) checkPort(at int, port []byte) {
	n := 0
	for i, b := range port {
		if !ascii.IsDigit(b) {
			c.fail(at+i, c.sections[inPort], "%s is not allowed in %s", character(port[i:]), inPort)
			return
		}
		n = min(n*10+int(b-'0'), 1<<16)
	}
	if n > 65535 {
		c.fail(at, "RFC 9293 3.1", "a port has 16 bits")
	}
	if len(port) == 0 && c.grammar == &grammars[RFC1738] {
		c.fail(at, "RFC 1738 5", "the port is empty")
	}
}

// checkScheme checks the requirements of the scheme's own section.
func (c *checker) checkScheme() {
	s := c.scheme
	if s.Host == HostRequired && !c.HasAuthority {
		c.fail(c.path, s.Section, `%s URLs need "//" and a host`, s.Name)
		return
	}
	switch s.Name {
	case "ftp":
		c.checkFTP()
	case "gopher":
		c.checkGopher()
	case "mailto":
		c.checkMailto()
	case "news", "snews":
		name := newsName(c.located)
		c.checkNews(c.path+len(c.rest)-len(name), name)
	case "nntp":
		c.checkNNTP()
	case "telnet":
		if string(c.rest) != "" && string(c.rest) != "/" {
			c.fail(c.path, s.Section, `nothing but "/" follows the host and port of telnet URLs`)
		}
	case "wais":
		c.checkWAIS()
	case "file":
		c.checkFile()
	case "prospero":
		c.checkProspero()
	case "mid":
		if bytes.IndexByte(c.rest, '@') < 0 {
			c.fail(c.path, s.Section, `a message-id has an "@"`)
		}
	case "ws", "wss":
		if c.HasFragment {
			c.fail(c.fragment-1, s.Section, "%s URLs have no fragment", s.Name)
		}
	case "data":
		if bytes.IndexByte(c.rest, ',') < 0 {
			c.fail(c.path, s.Section, `a "," precedes the data`)
		}
	case "tel":
		number, _, _ := bytes.Cut(c.rest, []byte(";"))
		if !slices.ContainsFunc(number, ascii.IsDigit) {
			c.fail(c.path, s.Section, "the number has no digit")
		}
	case "urn":
		c.checkURN()
	}
}

// checkFTP: ";" is reserved within a name, and only "type=<typecode>" follows the last one
// (RFC 1738 3.2.2).
func (c *checker) checkFTP() {
	i := bytes.IndexByte(c.Path, ';')
	if i < 0 {
		return
	}
	typecode, ok := ascii.CutPrefixFold(c.Path[i:], ";type=")
	if !ok {
		c.fail(c.path+i, "RFC 1738 3.2.2", `";" is reserved within a name for ";type="`)
	} else if len(typecode) != 1 || bytes.IndexByte([]byte("aidAID"), typecode[0]) < 0 {
		c.fail(c.path+i+len(";type="), "RFC 1738 3.2.2", "the typecode is not a, i or d")
	}
}

// checkGopher: there is a type, and line ends occur only in the Gopher+ string (RFC 1738 3.4.1,
// 3.4.9).
func (c *checker) checkGopher() {
	g := syntax.SplitGopher(c.rest)
	if len(g.Kind) == 0 && len(c.rest) > 1 {
		c.fail(c.path+1, "RFC 1738 3.4.1", "there is no gopher type")
	}
	end := len(c.rest)
	if g.Tabs > 1 {
		end -= len(g.Plus)
	}
	for i := 0; i < end; i++ {
		if b, n := ascii.OctetAt(c.rest, i); n == 3 && (b == '\n' || b == '\r') {
			c.fail(c.path+i, "RFC 1738 3.4.1", "a line end is not allowed in a selector or search string")
		}
	}
}

// checkMailto: the addresses contain "@" (RFC 1738 3.5). RFC 6068 2, which goes with RFC 3986,
// allows URLs without an address, and adds header fields.
func (c *checker) checkMailto() {
	if c.isCurrent() && c.HasQuery {
		at := c.query
		for field := range bytes.SplitSeq(c.Query, []byte("&")) {
			if bytes.IndexByte(field, '=') <= 0 {
				c.fail(at, "RFC 6068 2", "a header field has the form name=value")
				break
			}
			at += len(field) + len("&")
		}
	}
	if len(c.Path) == 0 {
		if !c.isCurrent() {
			c.fail(c.path, "RFC 1738 3.5", "there is no address")
		}
		return
	}
	at := c.path
	for address := range bytes.SplitSeq(c.Path, []byte(",")) {
		if i := bytes.LastIndexByte(address, '@'); i <= 0 || i == len(address)-1 {
			c.fail(at, "RFC 1738 3.5", `an address has the form user@host`)
			return
		}
		at += len(address) + len(",")
	}
}

// checkNews: "*", a group, or a message-id (RFC 1738 3.6). name begins at offset at.
func (c *checker) checkNews(at int, name []byte) {
	if i := bytes.IndexByte(name, '@'); i >= 0 {
		if i == 0 || i == len(name)-1 {
			c.fail(at+i, "RFC 1738 3.6", "a message-id has the form unique@domain")
		}
		return
	}
	if string(name) == "*" || len(name) == 0 && c.HasAuthority { // RFC 5538 2.2: all groups of the server
		return
	}
	c.checkGroup(at, name, "RFC 1738 3.6")
}

// checkGroup: group = alpha *( alpha | digit | "-" | "." | "+" | "_" ) (RFC 1738 5).
func (c *checker) checkGroup(at int, name []byte, section string) {
	if len(name) == 0 {
		c.fail(at, section, "there is no newsgroup")
	}
	for i, b := range name {
		if !ascii.IsLetter(b) && (i == 0 || !ascii.IsDigit(b) && bytes.IndexByte([]byte("-.+_"), b) < 0) {
			c.fail(at+i, section, "%s is not allowed there in the name of a newsgroup", character(name[i:]))
			return
		}
	}
}

func (c *checker) checkNNTP() {
	if len(c.rest) == 0 {
		c.fail(c.path, "RFC 1738 3.7", "there is no newsgroup")
		return
	}
	group, article, ok := bytes.Cut(c.rest[1:], []byte("/"))
	c.checkGroup(c.path+1, group, "RFC 1738 3.7")
	if i := slices.IndexFunc(article, func(b byte) bool { return !ascii.IsDigit(b) }); ok && (i >= 0 || len(article) == 0) {
		c.fail(c.path+2+len(group)+max(i, 0), "RFC 1738 3.7", "the article is not a number")
	}
}

func (c *checker) checkWAIS() {
	if len(c.Path) == 0 {
		c.fail(c.path, "RFC 1738 3.9", "there is no database")
		return
	}
	database, document, ok := bytes.Cut(c.Path[1:], []byte("/"))
	switch {
	case ok && bytes.IndexByte(document, '/') < 0:
		c.fail(c.path+2+len(database), "RFC 1738 3.9", "a path follows the type of a document")
	case ok && c.HasQuery:
		c.fail(c.query-1, "RFC 1738 3.9", `"?" is not allowed in the path of a document`)
	}
}

// checkFile: a path, which RFC 8089 2 allows without "//" too, and no port.
func (c *checker) checkFile() {
	if len(c.Path) == 0 || c.Path[0] != '/' {
		c.fail(c.path, "RFC 1738 3.10", `the path does not begin with "/"`)
	}
	if s := syntax.SplitServer(c.Authority); s.HasPort {
		c.fail(c.path-len(s.Port)-1, "RFC 1738 3.10", "file URLs have no port")
	}
}

func (c *checker) checkProspero() {
	if len(c.rest) < 2 {
		c.fail(c.path, "RFC 1738 3.11", "there is no object")
		return
	}
	i := bytes.IndexByte(c.rest, ';')
	for i >= 0 {
		i++
		field, _, more := bytes.Cut(c.rest[i:], []byte(";"))
		if bytes.IndexByte(field, '=') <= 0 {
			c.fail(c.path+i, "RFC 1738 3.11", "a field has the form name=value")
			return
		}
		i += len(field)
		if !more {
			return
		}
	}
}

// checkURN: the namespace has 2 to 32 letters, digits and inner hyphens. "?" begins an r- or a
// q-component, which must not be empty (RFC 8141 2); before RFC 3986 there are no components.
func (c *checker) checkURN() {
	nid, nss, ok := bytes.Cut(c.Path, []byte(":"))
	switch {
	case !ok || len(nss) == 0:
		c.fail(c.path, "RFC 8141 2", "the form is urn:nid:nss")
		return
	case len(nid) < 2 || len(nid) > 32:
		c.fail(c.path, "RFC 8141 2", "a namespace has 2 to 32 characters")
	case nss[0] == '/':
		c.fail(c.path+len(nid)+1, "RFC 8141 2", `the part behind the namespace begins with "/"`)
	case c.HasQuery && c.isCurrent():
		r, q, hasR, hasQ := splitURNQuery(c.located)
		if !hasR && !hasQ || hasR && len(r) == 0 || hasQ && len(q) == 0 {
			c.fail(c.query-1, "RFC 8141 2", `behind "?" stands "+" and an r-component, or "=" and a q-component`)
		}
	}
	for i, b := range nid {
		if !ascii.IsAlnum(b) && (b != '-' || i == 0 || i == len(nid)-1) {
			c.fail(c.path+i, "RFC 8141 2", "%s is not allowed there in a namespace", character(nid[i:]))
			return
		}
	}
}

// A component is a place in a reference with its own set of allowed characters.
type component uint8

const (
	inUser component = iota
	inHost
	inPort
	inAuthority // an authority that is not a server
	inPath
	inQuery
	inFragment
	inAny // an opaque URL
	componentCount
)

func (c component) String() string {
	return [...]string{"user and password", "a host", "a port", "an authority", "a path", "a query", "a fragment", "a URL"}[c]
}

type grammar struct {
	name   string
	rules  Rules // used only to split a reference
	escape string
	colon  string // the section that forbids ":" in the first segment of a relative path

	finalDot bool // a dot may end the host

	// The characters allowed in each component besides letters, digits and escapes, delimiters included.
	marks    [componentCount]string
	sections [componentCount]string

	allowed [256]uint16 // a bit for each component that allows the byte
}

const (
	alnum      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	subDelims  = "!$&'()*+,;=" // RFC 3986 2.2
	uchar1738  = "$-_.+!*'()," // RFC 1738 2.2 (safe and extra), RFC 1808 2.2
	unresDraft = "$-_.!~*'()," // draft 2.3
	unres2396  = "-_.!~*'()"   // RFC 2396 2.3
	pchar3986  = "-._~:@" + subDelims
)

var grammars = func() [RFC6874 + 1]grammar {
	all := [RFC6874 + 1]grammar{
		RFC3986: {
			name: "rfc3986", escape: "RFC 3986 2.1", colon: "RFC 3986 4.2",
			marks: [componentCount]string{
				inUser: "-._~:" + subDelims, inHost: "-._~" + subDelims,
				inPath: pchar3986 + "/", inQuery: pchar3986 + "/?", inFragment: pchar3986 + "/?",
			},
			sections: [componentCount]string{"RFC 3986 3.2.1", "RFC 3986 3.2.2", "RFC 3986 3.2.3", "RFC 3986 3.2",
				"RFC 3986 3.3", "RFC 3986 3.4", "RFC 3986 3.5", "RFC 3986 3"},
		},
		RFC2396: {
			name: "rfc2396", escape: "RFC 2396 2.4.1", colon: "RFC 2396 5", finalDot: true,
			marks: [componentCount]string{
				inUser: unres2396 + ";:&=+$,", inAuthority: unres2396 + "$,;:@&=+",
				inPath: unres2396 + ":@&=+$,;/", inQuery: unres2396 + ";/?:@&=+$,", inFragment: unres2396 + ";/?:@&=+$,",
			},
			sections: [componentCount]string{"RFC 2396 3.2.2", "RFC 2396 3.2.2", "RFC 2396 3.2.2", "RFC 2396 3.2.1",
				"RFC 2396 3.3", "RFC 2396 3.4", "RFC 2396 4.1", "RFC 2396 3"},
		},
		Draft: {
			name: "draft", rules: Rules{AnyScheme: true}, escape: "draft 2.4.1", colon: "draft 5", finalDot: true,
			marks: [componentCount]string{
				inUser: unresDraft + ":;&=+", inAuthority: unresDraft + ";:@&=+",
				inPath: unresDraft + ":@&=+;/", inQuery: unresDraft + ";/?:@&=+", inFragment: unresDraft + ";/?:@&=+",
			},
			sections: [componentCount]string{"draft 4.3.1", "draft 4.3.1", "draft 4.3.1", "draft 4.3.1",
				"draft 4.3.2", "draft 4.3.3", "draft 3", "draft 4.2"},
		},
		RFC1808: {
			name: "rfc1808", rules: Rules{AnyScheme: true, AuthoritySlash: true}, escape: "RFC 1808 2.2", colon: "RFC 1808 5.3",
			marks: [componentCount]string{ // net_loc = *( pchar | ";" | "?" )
				inUser: uchar1738 + ":@&=;?", inAuthority: uchar1738 + ":@&=;?",
				inPath: uchar1738 + ":@&=;/", inQuery: uchar1738 + ";/?:@&=", inFragment: uchar1738 + ";/?:@&=",
				inAny: uchar1738 + ";/?:@&=",
			},
			sections: [componentCount]string{"RFC 1808 2.2", "RFC 1738 3.1", "RFC 1738 3.1", "RFC 1808 2.2",
				"RFC 1808 2.2", "RFC 1808 2.2", "RFC 1808 2.2", "RFC 1808 2.2"},
		},
		RFC1738: {
			name: "rfc1738", rules: Rules{AnyScheme: true, AuthoritySlash: true}, escape: "RFC 1738 2.2",
			marks: [componentCount]string{
				inUser: uchar1738 + ";?&=:", inAuthority: uchar1738 + ";?:@&=",
				inPath: uchar1738 + ";:@&=/", inQuery: uchar1738 + ";:@&=", inAny: uchar1738 + ";/?:@&=",
			},
			sections: [componentCount]string{"RFC 1738 3.1", "RFC 1738 3.1", "RFC 1738 3.1", "RFC 1738 2.2",
				"RFC 1738 2.2", "RFC 1738 3.3", "RFC 1738 2.2", "RFC 1738 2.2"},
		},
	}
	all[RFC6874] = all[RFC3986]
	all[RFC6874].name = "rfc6874"
	for i := range all {
		g := &all[i]
		for where, marks := range g.marks {
			for _, c := range []byte(alnum + marks) {
				g.allowed[c] |= 1 << where
			}
		}
	}
	return all
}()
