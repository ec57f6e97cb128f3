package resolve

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
	"example.org/refract/resolve/internal/syntax"
)

// A Scheme describes the URLs of one scheme, by the document that defines it.
type Scheme struct {
	Name    string // in lower case; "x-" stands for every name that begins with it
	Port    int    // the default; 0 if there is none
	Host    Host   // whether there is an authority
	User    bool   // a user and a password may stand in front of the host
	Base    bool   // references with a path or an authority can be resolved against its URLs
	Section string // the section of the document that defines it
	Form    string // its layout, "http://host:port/path?search"; "" if undefined
}

// Host says whether the URLs of a scheme have an authority.
type Host uint8

const (
	HostFree       Host = iota // not specified
	HostNone                   // they have no "//"
	HostMayBeEmpty             // if there is an authority, it may be empty, which means the local machine
	HostRequired               // they begin with "//" and a host
)

// String returns "any", "none", "may be empty" or "required".
func (h Host) String() string {
	names := [...]string{"any", "none", "may be empty", "required"}
	if int(h) >= len(names) {
		return fmt.Sprintf("Host(%d)", uint8(h))
	}
	return names[h]
}

// SchemeOf returns the description of a scheme, ignoring case (RFC 1738 2.1). It does not allocate. If a
// scheme is unknown, the URL itself decides whether it can be a base (the 1997 draft, section 5).
func SchemeOf(name string) (s Scheme, known bool) {
	var lower [16]byte
	if len(name) > len(lower) {
		name = name[:2] // no name in the table is that long
	}
	for i := range len(name) {
		lower[i] = ascii.ToLower(name[i])
	}
	switch string(lower[:len(name)]) { // most URLs: normalizing one takes a tenth less time without the index
	case "http":
		return http, true
	case "https":
		return https, true
	}
	if s, known = schemeIndex[string(lower[:len(name)])]; !known && len(name) > 2 && string(lower[:2]) == "x-" {
		return schemeIndex["x-"], true
	}
	return s, known
}

// Schemes lists the schemes that SchemeOf knows: those of RFC 1738 in its order, then those it reserves,
// then later ones.
func Schemes() []Scheme { return slices.Clone(schemes[:]) }

// A Part is a named piece of a URL.
type Part struct {
	Name  string // the name of the field in JSON output: "host", "typecode"
	Value []byte // as written, in the memory of the URL; for "host_class", a word
	List  bool   // any number of parts may have this name; they are in order

	// Octets reports that the scheme gives meaning to the octets that Value encodes, not to its
	// characters. See Decoded.
	Octets bool
}

// Decoded returns the octets that p.Value encodes, if the scheme's section says that they are sent (the
// arguments of FTP's CWD and RETR, RFC 1738 3.2.2; a Gopher selector, 3.4.2) or meant (an address, 3.5; a
// message-id, RFC 2392). ok is false if the section does not say so, if the octets are the same as Value,
// and if they are not text or would contain a control character: those are never decoded (draft 7).
func (p Part) Decoded() (octets []byte, ok bool) {
	if !p.Octets || bytes.IndexByte(p.Value, '%') < 0 {
		return nil, false
	}
	for i := 0; i < len(p.Value); {
		c, n := ascii.OctetAt(p.Value, i)
		if c < ' ' || c == 0x7f {
			return nil, false
		}
		octets = append(octets, c)
		i += n
	}
	return octets, len(octets) < len(p.Value) && utf8.Valid(octets)
}

// Parts appends the parts of url to dst: those of the generic syntax (draft 4.3),
// then those of its scheme. An absent component is not a part; an empty
// one is. Every url is valid; if url departs from the form of its scheme, Parts returns the
// parts that it can recognise. Parts takes time linear in len(url).
//
// The generic parts are scheme, authority, user, password, host, port, path,
// query and fragment; under rules that have them, params. Put together they are url.
// Those of the schemes:
//
//	ftp        directories… name typecode   RFC 1738 3.2.2; empty ones count
//	gopher     gophertype selector search gopher_plus   3.4.1 to 3.4.3
//	mailto     addresses… fields…           3.5; RFC 6068 2
//	news       group, article or all        3.6; also snews
//	nntp       group article                3.7
//	wais       database search, or database wtype wpath   3.9
//	file       host_class drive directories… name   3.10; host_class is local,
//	           remote or unc (RFC 8089 Appendix E.3)
//	prospero   object fields…               3.11
//	mid, cid   message_id content_id        RFC 2392 2
//	data       mediatype encoding data      RFC 2397 3
//	tel        number parameters…           RFC 3966 3
//	urn        nid nss r_component q_component   RFC 8141 2
//
// The parts of telnet are its user and password (RFC 1738 3.8), those of http its
// path and query (3.3). The reserved schemes (RFC 1738 4) have no form of their own.
func (r Rules) Parts(dst []Part, url []byte) []Part {
	p := parts(dst)
	c := r.Parse(url)
	if c.HasScheme {
		p.add("scheme", c.Scheme)
	}
	var s syntax.Server
	if c.HasAuthority {
		p.add("authority", c.Authority)
		s = syntax.SplitServer(c.Authority)
		if s.HasUser {
			p.add("user", s.User)
		}
		if s.HasPassword {
			p.add("password", s.Password)
		}
		p.add("host", s.Host)
		if s.HasPort {
			p.add("port", s.Port)
		}
	}
	p.add("path", c.Path)
	if c.HasParams {
		p.add("params", c.Params)
	}
	if c.HasQuery {
		p.add("query", c.Query)
	}
	if c.HasFragment {
		p.add("fragment", c.Fragment)
	}
	if !c.HasScheme {
		return p
	}

	// Params and the treatment of empty components belong to RFC 1808 alone: the forms use the text as it is.
	l := locate(Rules{AnyScheme: r.AnyScheme, AuthoritySlash: r.AuthoritySlash}, url)
	known, _ := SchemeOf(string(c.Scheme))
	if known.Host == HostRequired && !l.HasAuthority {
		return p
	}
	switch known.Name {
	case "ftp":
		p.ftp(l.Path)
	case "gopher":
		p.gopher(l.rest)
	case "mailto":
		p.split("addresses", l.Path, ',', true)
		p.split("fields", l.Query, '&', true)
	case "news", "snews":
		p.news(l)
	case "nntp":
		p.nntp(l.Path)
	case "wais":
		p.wais(l)
	case "file":
		p.file(s.Host, l.Path)
	case "prospero":
		p.prospero(l.rest)
	case "mid", "cid":
		p.mid(known.Name, l.rest)
	case "data":
		p.data(l.rest)
	case "tel":
		number, parameters, _ := bytes.Cut(l.rest, []byte(";"))
		p.add("number", number)
		p.split("parameters", parameters, ';', false)
	case "urn":
		p.urn(l)
	}
	return p
}

type parts []Part

func (p *parts) add(name string, value []byte) {
	*p = append(*p, Part{Name: name, Value: value})
}

func (p *parts) octets(name string, value []byte) {
	*p = append(*p, Part{Name: name, Value: value, Octets: true})
}

// split adds the pieces of s, unless s is empty.
func (p *parts) split(name string, s []byte, separator byte, octets bool) {
	for more := len(s) > 0; more; {
		var piece []byte
		piece, s, more = bytes.Cut(s, []byte{separator})
		*p = append(*p, Part{Name: name, Value: piece, List: true, Octets: octets})
	}
}

// directories adds the segments of s that end in a slash, and returns the last segment.
func (p *parts) directories(s []byte, octets bool) []byte {
	for {
		directory, rest, ok := bytes.Cut(s, []byte("/"))
		if !ok {
			return s
		}
		*p = append(*p, Part{Name: "directories", Value: directory, List: true, Octets: octets})
		s = rest
	}
}

// ftp: "/" <cwd1>/…/<cwdN>/<name>;type=<typecode>, where each of the strings may be
// empty, and each is decoded before it is used (RFC 1738 3.2.2).
func (p *parts) ftp(path []byte) {
	if len(path) == 0 {
		return
	}
	name := p.directories(path[1:], true)
	typecode, ok := []byte(nil), false
	if i := bytes.LastIndexByte(name, ';'); i >= 0 {
		if typecode, ok = ascii.CutPrefixFold(name[i:], ";type="); ok {
			name = name[:i]
		}
	}
	p.octets("name", name)
	if ok {
		p.add("typecode", typecode)
	}
}

// gopher: "/" <gophertype><selector>%09<search>%09<gopher+_string>, in which no
// character is reserved, so "?" is none (RFC 1738 3.4.1).
func (p *parts) gopher(rest []byte) {
	if len(rest) == 0 || rest[0] != '/' {
		return
	}
	g := syntax.SplitGopher(rest)
	if len(g.Kind) > 0 {
		p.add("gophertype", g.Kind)
		p.octets("selector", g.Selector)
	}
	if g.Tabs > 0 {
		p.octets("search", g.Search)
	}
	if g.Tabs > 1 {
		p.octets("gopher_plus", g.Plus)
	}
}

// news: a group, an article, which contains "@", or "*" for all groups (RFC 1738
// 3.6). RFC 5538 2 puts a server before it.
func (p *parts) news(l located) {
	s := newsName(l)
	switch {
	case len(s) == 0:
	case string(s) == "*":
		p.add("all", s)
	case bytes.IndexByte(s, '@') >= 0:
		p.add("article", s)
	default:
		p.add("group", s)
	}
}

func newsName(l located) []byte {
	if l.HasAuthority {
		return bytes.TrimPrefix(l.rest, []byte("/"))
	}
	return l.rest
}

// nntp: "/" <newsgroup-name>/<article-number> (RFC 1738 3.7).
func (p *parts) nntp(path []byte) {
	if len(path) == 0 {
		return
	}
	group, article, ok := bytes.Cut(path[1:], []byte("/"))
	p.add("group", group)
	if ok {
		p.add("article", article)
	}
}

// wais: "/" <database>, <database>?<search> or <database>/<wtype>/<wpath> (RFC 1738 3.9).
func (p *parts) wais(l located) {
	if len(l.Path) == 0 {
		return
	}
	database, document, ok := bytes.Cut(l.Path[1:], []byte("/"))
	p.add("database", database)
	if ok {
		kind, path, ok := bytes.Cut(document, []byte("/"))
		p.add("wtype", kind)
		if ok {
			p.octets("wpath", path)
		}
	} else if l.HasQuery {
		p.add("search", l.Query)
	}
}

// file: //<host>/<directory>/…/<name> (RFC 1738 3.10). A drive letter may be the
// first directory (RFC 8089 Appendix E.2), and a path that begins with two slashes
// is a UNC name (E.3.2).
func (p *parts) file(host, path []byte) {
	class := "remote"
	if len(host) == 0 || bytes.EqualFold(host, []byte("localhost")) {
		class = "local"
		if len(path) > 2 && path[0] == '/' && path[1] == '/' && path[2] != '/' {
			class = "unc"
		}
	}
	p.add("host_class", []byte(class))
	if len(path) == 0 || path[0] != '/' {
		return
	}
	path = path[1:]
	if len(path) > 1 && ascii.IsLetter(path[0]) && (path[1] == ':' || path[1] == '|') && (len(path) == 2 || path[2] == '/') {
		p.add("drive", path[:2])
		path = path[2:]
		if len(path) == 0 {
			return
		}
		path = path[1:]
	}
	p.add("name", p.directories(path, false))
}

// prospero: "/" <hsoname>;<field>=<value>… (RFC 1738 3.11). If the object's name begins with
// a slash, that slash follows the one after the host. "?" is an ordinary character of
// the name.
func (p *parts) prospero(rest []byte) {
	if len(rest) == 0 || rest[0] != '/' {
		return
	}
	object, fields, ok := bytes.Cut(rest[1:], []byte(";"))
	p.octets("object", object)
	if ok && len(fields) == 0 {
		*p = append(*p, Part{Name: "fields", Value: fields, List: true})
	}
	p.split("fields", fields, ';', false)
}

// mid: <message-id>/<content-id>; cid: <content-id>; both without "<" and ">", and
// encoded (RFC 2392 2).
func (p *parts) mid(name string, rest []byte) {
	content, ok := rest, true
	if name == "mid" {
		var message []byte
		message, content, ok = bytes.Cut(rest, []byte("/"))
		p.octets("message_id", message)
	}
	if ok {
		p.octets("content_id", content)
	}
}

// data: <mediatype>;base64,<data> (RFC 2397 3).
func (p *parts) data(rest []byte) {
	kind, data, ok := bytes.Cut(rest, []byte(","))
	if !ok {
		return
	}
	const encoding = ";base64"
	if i := len(kind) - len(encoding); i >= 0 && bytes.EqualFold(kind[i:], []byte(encoding)) {
		p.add("mediatype", kind[:i])
		p.add("encoding", kind[i+1:])
	} else {
		p.add("mediatype", kind)
	}
	p.add("data", data)
}

// urn: <nid>:<nss>?+<r-component>?=<q-component> (RFC 8141 2).
func (p *parts) urn(l located) {
	nid, nss, ok := bytes.Cut(l.Path, []byte(":"))
	if !ok {
		return
	}
	p.add("nid", nid)
	p.add("nss", nss)
	r, q, hasR, hasQ := splitURNQuery(l)
	if hasR {
		p.add("r_component", r)
	}
	if hasQ {
		p.add("q_component", q)
	}
}

// splitURNQuery returns the r- and the q-component of a URN, which follow "?+" and "?=".
func splitURNQuery(l located) (r, q []byte, hasR, hasQ bool) {
	if !l.HasQuery {
		return nil, nil, false, false
	}
	if r, hasR = bytes.CutPrefix(l.Query, []byte("+")); hasR {
		r, q, hasQ = bytes.Cut(r, []byte("?="))
		return r, q, true, hasQ
	}
	q, hasQ = bytes.CutPrefix(l.Query, []byte("="))
	return nil, q, false, hasQ
}

// located holds components, and where each begins.
type located struct {
	Components
	authority, path, query, fragment int
	rest                             []byte // path and query
}

// locate splits s under rules that lose none of it.
func locate(r Rules, s []byte) (l located) {
	l.Components = r.Parse(s)
	if l.HasScheme {
		l.path = len(l.Scheme) + len(":")
	}
	if l.HasAuthority {
		l.authority = l.path + len("//")
		l.path = l.authority + len(l.Authority)
	}
	l.query = l.path + len(l.Path)
	l.rest = s[l.path:l.query]
	if l.HasQuery {
		l.query += len("?")
		l.rest = s[l.path : l.query+len(l.Query)]
	}
	l.fragment = l.path + len(l.rest) + len("#")
	return l
}

// Whether a scheme can be a base: RFC 1808 2.3 excludes mailto, news and telnet. The names that RFC 1738 4
// reserves without a form, and later schemes whose URLs are opaque, have no relative forms either. gopher,
// prospero and wais are merely unlikely (RFC 1808 2.3).
var schemes = [...]Scheme{
	{"ftp", 21, HostRequired, true, true, "RFC 1738 3.2", "ftp://user:password@host:port/cwd1/…/cwdN/name;type=a|i|d"},
	{"http", 80, HostRequired, false, true, "RFC 1738 3.3", "http://host:port/path?search"},
	{"gopher", 70, HostRequired, false, true, "RFC 1738 3.4", "gopher://host:port/TypeSelector%09search%09gopher+"},
	{"mailto", 0, HostNone, false, false, "RFC 1738 3.5", "mailto:address,…?header=value&…"},
	{"news", 0, HostFree, true, false, "RFC 1738 3.6", "news:group, news:message-id or news:*"},
	{"nntp", 119, HostRequired, false, true, "RFC 1738 3.7", "nntp://host:port/group/article"},
	{"telnet", 23, HostRequired, true, false, "RFC 1738 3.8", "telnet://user:password@host:port/"},
	{"wais", 210, HostRequired, false, true, "RFC 1738 3.9", "wais://host:port/database, …?search or …/wtype/wpath"},
	{"file", 0, HostMayBeEmpty, false, true, "RFC 1738 3.10", "file://host/directory/…/name"},
	{"prospero", 1525, HostRequired, false, true, "RFC 1738 3.11", "prospero://host:port/object;field=value…"},

	{"x-", 0, HostFree, true, true, "RFC 1738 4", ""},
	{"afs", 0, HostFree, true, false, "RFC 1738 4", ""},
	{"mid", 0, HostNone, false, false, "RFC 2392 2", "mid:message-id/content-id"},
	{"cid", 0, HostNone, false, false, "RFC 2392 2", "cid:content-id"},
	{"nfs", 2049, HostRequired, false, true, "RFC 2224 2", "nfs://host:port/path"},
	{"tn3270", 23, HostRequired, true, false, "RFC 6270 2", "tn3270://user:password@host:port/"},
	{"mailserver", 0, HostFree, true, false, "RFC 1738 4", ""},
	{"z39.50", 0, HostFree, true, false, "RFC 1738 4", ""},
	{"z39.50r", 210, HostRequired, false, false, "RFC 2056 2", "z39.50r://host:port/database?docid;esn=…;rs=…"},
	{"z39.50s", 210, HostRequired, false, false, "RFC 2056 2", "z39.50s://host:port/database+…?docid;esn=…;rs=…"},

	{"https", 443, HostRequired, false, true, "RFC 9110 4.2.2", "https://host:port/path?query"},
	{"ws", 80, HostRequired, false, true, "RFC 6455 3", "ws://host:port/path?query"},
	{"wss", 443, HostRequired, false, true, "RFC 6455 3", "wss://host:port/path?query"},
	{"snews", 563, HostFree, true, false, "RFC 5538 2", "as news"},
	// Later hierarchical schemes, with their ports. Some texts contain them without a host.
	{"ssh", 22, HostFree, true, true, "draft-ietf-secsh-scp-sftp-ssh-uri 2", "ssh://user@host:port/"},
	{"sftp", 22, HostFree, true, true, "draft-ietf-secsh-scp-sftp-ssh-uri 3", "sftp://user@host:port/path"},
	{"ldap", 389, HostFree, false, true, "RFC 4516 2", "ldap://host:port/dn?attributes?scope?filter?extensions"},
	{"ldaps", 636, HostFree, false, true, "IANA port 636", "as ldap"},
	{"imap", 143, HostFree, true, true, "RFC 5092 3", "imap://user;AUTH=type@host:port/mailbox/;UID=n"},
	{"imaps", 993, HostFree, true, true, "RFC 8314 7.1", "as imap"},
	{"pop", 110, HostFree, true, true, "RFC 2384 3", "pop://user;AUTH=type@host:port"},
	{"rtsp", 554, HostFree, true, true, "RFC 7826 4.2", "rtsp://host:port/path?query"},
	{"rtsps", 322, HostFree, true, true, "RFC 7826 4.2", "as rtsp"},
	{"irc", 6667, HostFree, true, true, "RFC 7194 1", "irc://host:port/channel"},
	{"ircs", 6697, HostFree, true, true, "RFC 7194 1", "as irc"},
	{"git", 9418, HostFree, true, true, "IANA port 9418", "git://host:port/path"},
	{"svn", 3690, HostFree, true, true, "IANA port 3690", "svn://host:port/path"},
	{"rsync", 873, HostFree, true, true, "RFC 5781 2", "rsync://user@host:port/module/path"},
	{"dict", 2628, HostFree, true, true, "RFC 2229 5", "dict://host:port/d:word:database:n"},
	{"finger", 79, HostFree, true, true, "IANA port 79", "finger://host:port/request"},
	{"tftp", 69, HostFree, false, true, "RFC 3617 3", "tftp://host/file;mode=mode"},
	{"vnc", 5900, HostFree, true, true, "RFC 7869 2", "vnc://host:port?parameters"},
	{"ipp", 631, HostFree, false, true, "RFC 3510 4", "ipp://host:port/path"},
	{"ipps", 631, HostFree, false, true, "RFC 7472 4", "as ipp"},
	{"coap", 5683, HostFree, false, true, "RFC 7252 6.1", "coap://host:port/path?query"},
	{"coaps", 5684, HostFree, false, true, "RFC 7252 6.2", "as coap"},
	{"sieve", 4190, HostFree, true, true, "RFC 5804 3", "sieve://user@host:port/owner/script"},
	{"gemini", 1965, HostFree, false, true, "IANA scheme gemini", "gemini://host:port/path?query"},
	{"acap", 674, HostFree, true, true, "RFC 2244 5", "acap://user;AUTH=type@host:port/entry?data"},
	{"snmp", 161, HostFree, true, true, "RFC 4088 2", "snmp://user@host:port/context/oid"},
	{"msrp", 2855, HostFree, true, false, "RFC 4975 6", "msrp://user@host:port/session;tcp"},
	{"msrps", 2855, HostFree, true, false, "RFC 4975 6", "as msrp"},
	{"afp", 548, HostFree, true, true, "IANA port 548", "afp://user@host:port/path"},
	{"smb", 445, HostFree, true, true, "IANA port 445", "smb://user@host:port/share/path"},
	{"amqp", 5672, HostFree, true, true, "IANA port 5672", "amqp://user@host:port/path"},
	{"amqps", 5671, HostFree, true, true, "IANA port 5671", "as amqp"},
	{"mqtt", 1883, HostFree, true, true, "IANA port 1883", "mqtt://user@host:port"},
	{"mqtts", 8883, HostFree, true, true, "IANA port 8883", "as mqtt"},
	{"redis", 6379, HostFree, true, true, "IANA port 6379", "redis://user@host:port/database"},
	{"tel", 0, HostNone, false, false, "RFC 3966 3", "tel:number;parameter=value…"},
	{"urn", 0, HostNone, false, false, "RFC 8141 2", "urn:nid:nss"},
	{"data", 0, HostNone, false, false, "RFC 2397 3", "data:mediatype;base64,data"},
	{"about", 0, HostNone, false, false, "RFC 6694 2", "about:token"},
	{"blob", 0, HostNone, false, false, "File API 8.3", "blob:origin/id"},
	{"javascript", 0, HostFree, true, false, "HTML 7.4", "javascript:program"}, // "//" begins a comment
	{"vbscript", 0, HostFree, true, false, "none", "vbscript:program"},
}

var http, https = schemeIndex["http"], schemeIndex["https"]

var schemeIndex = func() map[string]Scheme {
	index := make(map[string]Scheme, len(schemes))
	for _, s := range schemes {
		if s.Name != strings.ToLower(s.Name) {
			panic("resolve: scheme " + s.Name)
		}
		index[s.Name] = s
	}
	return index
}()
