// Package canon makes canonical keys of URLs, to compare, count and sort them. A [Key] goes further than
// the normal forms of RFC 3986 ([resolve.Form]): it may drop tracking parameters, sort parameters, or put
// the domain in front. A [Profile] is the key that another program makes of a URL. Use it to deduplicate a
// list of URLs, or to look a URL up in the index of an archive or the queue of a crawler.
package canon

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
	"example.org/refract/resolve"
)

// A Key says how to make canonical keys: strings for comparing and sorting URLs where it does no harm that
// different resources occasionally share a key. A key does not replace its URL: it may identify another
// resource, or none.
//
// The zero Key makes the normal form of [resolve.AllForms]; every other field goes a step further.
type Key struct {
	Forms resolve.Form // applied first; 0 is AllForms

	IDN           IDN  // non-ASCII hosts
	ShortIPv6     bool // [2001:db8:0::1] as [2001:db8::1]: RFC 5952 section 4
	NoTrailingDot bool // "example.org." as "example.org"; the 1997 draft, section 4.3.1, keeps them apart

	// The next four apply only to URLs of http and https.
	NoIndex    bool // "/a/index.html" as "/a/": see IndexNames
	NoTracking bool // drop the parameters that identify a click or a reader: see TrackingNames
	NoSession  bool // drop session ids that servers add to recognise a visitor, such as ;jsessionid=x and PHPSESSID=x
	SortQuery  bool // sort parameters by name; those with the same name keep their order

	NoFragment bool // drop the fragment: it is not part of a URL (draft 3)

	SURT SURT // the order of labels in the host, applied last

	Profile Profile // form of another program; the other fields then do not apply
}

// IDN is a form of non-ASCII host names, by UTS 46 for lookup, not transitional. A name in escapes (RFC
// 3986 section 3.2.2) also counts as one. A name that is invalid or too long is left alone.
type IDN uint8

const (
	IDNAsIs    IDN = iota
	IDNASCII       // "bücher.example" as "xn--bcher-kva.example"
	IDNUnicode     // "xn--bcher-kva.example" as "bücher.example"
)

// SURT is a form of the Internet Archive's Sort-friendly URI Reordering Transform: it reverses the labels
// of the host, so that URLs under one domain sort together. URLs without a host stay as they are. A
// trailing dot of the host is dropped. IP addresses are not reversed: they sort well as they are.
//
// Nothing else is lost. The keys of CDX indexes are a [Profile].
type SURT uint8

const (
	NoSURT SURT = iota

	// SURTKey is without scheme: "http://www.Example.org:80/a?b" is "org,example,www)/a?b". A port and a user
	// follow the host: "org,example:8080@user)/".
	SURTKey

	// SURTFull is Heritrix's form, which keeps the scheme: "http://(org,example,www,)/a?b".
	SURTFull
)

// Append appends the key of url to dst. Every url has a key. Except for a SURT and a Profile, the key of a
// key is the key itself. Append escapes nothing, except that IDNASCII converts non-ASCII hosts.
//
// Append allocates if dst has less room than three times the length of url, for hosts that IDN or ShortIPv6
// change, and to sort more than 32 parameters. url must not overlap the free space of dst. The time is
// linear in the length of url, except that sorting n parameters takes n log n comparisons.
func (k *Key) Append(dst, url []byte) []byte {
	if k.Profile != NoProfile {
		return k.Profile.append(dst, url)
	}
	f := k.Forms
	if f == 0 {
		f = resolve.AllForms
	}
	start := len(dst)
	dst = f.Append(dst, url)
	if k.NoFragment {
		url, _, _ := bytes.Cut(dst[start:], []byte("#"))
		dst = dst[:start+len(url)]
	}
	if k.IDN != IDNAsIs || k.ShortIPv6 || k.NoTrailingDot {
		dst = k.changeHost(dst, start, f)
	}
	if (*k == Key{Forms: k.Forms, NoFragment: k.NoFragment}) {
		return dst
	}
	return k.finish(dst, start)
}

// locatedURL holds the components of a URL, and where some begin in the buffer that it ends.
type locatedURL struct {
	resolve.Components
	authority, host, path int // where "//", the host and the path begin
	hasHost               bool
}

// locateIn splits the URL dst[start:].
func locateIn(dst []byte, start int) (l locatedURL) {
	l.Components = resolve.Parse(dst[start:])
	l.path = start
	if l.HasScheme {
		l.path += len(l.Scheme) + len(":")
	}
	l.authority = l.path
	if l.HasAuthority {
		l.host = l.path + len("//") + ascii.HostStart(l.Authority)
		l.path += len("//") + len(l.Authority)
		l.hasHost = l.host < l.path && dst[l.host] != ':' && bytes.IndexByte(l.Authority, '\\') < 0
	}
	return l
}

// changeHost changes the host of the URL dst[start:], which has the forms f.
func (k *Key) changeHost(dst []byte, start int, f resolve.Form) []byte {
	l := locateIn(dst, start)
	if !l.hasHost {
		return dst
	}
	after := len(dst) - l.path
	dst = k.host(dst, l.host, l.host+hostEnd(dst[l.host:l.path]))
	authority := dst[l.authority : len(dst)-after]
	if f&resolve.SchemeForm != 0 && ascii.EqualFold(l.Scheme, "file") && ascii.EqualFold(authority, "//localhost") {
		dst = slices.Delete(dst, l.host, len(dst)-after)
	}
	return dst
}

// host changes the host dst[at:end].
func (k *Key) host(dst []byte, at, end int) []byte {
	host := dst[at:end]
	if host[0] == '[' {
		if k.ShortIPv6 {
			if short, ok := shortIPv6(host); ok {
				dst = slices.Replace(dst, at, end, short...)
			}
		}
		return dst
	}
	if k.IDN != IDNAsIs {
		if name, ok := k.IDN.name(host); ok {
			dst = slices.Replace(dst, at, end, []byte(name)...)
			host = dst[at : at+len(name)]
		}
	}
	if k.NoTrailingDot {
		if short := bytes.TrimRight(host, "."); len(short) > 0 {
			dst = slices.Delete(dst, at+len(short), at+len(host))
		}
	}
	return dst
}

// hostEnd returns the length of the host at the start of s: an IP literal, or the text before a colon.
func hostEnd(s []byte) int {
	var end int
	if s[0] == '[' {
		end = bytes.IndexByte(s, ']') + 1
	} else {
		end = bytes.IndexByte(s, ':')
	}
	if end <= 0 {
		end = len(s)
	}
	return end
}

// shortIPv6 returns an IP literal in the form of RFC 5952 section 4, with its zone unchanged.
func shortIPv6(literal []byte) (short []byte, ok bool) {
	const longest = len("[0000:0000:0000:0000:0000:0000:255.255.255.255")
	end := bytes.IndexByte(literal, '%')
	if end < 0 {
		end = len(literal) - 1
	}
	if end < 1 || end > longest || literal[len(literal)-1] != ']' {
		return nil, false
	}
	address, err := netip.ParseAddr(string(literal[1:end]))
	if err != nil || !address.Is6() {
		return nil, false
	}
	return append(address.AppendTo([]byte{'['}), literal[end:]...), true
}

// name returns a host name in form n. If ok is false, the name is to be left alone.
func (n IDN) name(host []byte) (name string, ok bool) {
	const longest = 4 * 255 // a name has at most 255 octets, a character 4; Punycode is not linear
	decoded := host
	if bytes.IndexByte(host, '%') >= 0 { // the search is faster than UnescapeAll's loop
		decoded = ascii.UnescapeAll(host)
	}
	isASCII := !slices.ContainsFunc(decoded, func(c byte) bool { return c >= utf8.RuneSelf })
	if len(decoded) > longest || isASCII && (n == IDNASCII || !hasPunycode(decoded)) || !utf8.Valid(decoded) {
		return "", false
	}
	convert := idna.Lookup.ToASCII
	if n == IDNUnicode {
		convert = idna.Lookup.ToUnicode
	}
	name, err := convert(hostname.Map(string(decoded)))
	if err != nil || name == "" || strings.ContainsAny(name, "/?#@:[]\\%") {
		return "", false
	}
	return name, true
}

// hasPunycode reports whether a label of host may be an A-label.
func hasPunycode(host []byte) bool {
	for {
		i := bytes.Index(host, []byte("--"))
		if i < 0 {
			return false
		}
		if i >= 2 && ascii.EqualFold(host[i-2:i], "xn") {
			return true
		}
		host = host[i+1:]
	}
}

// appendSURT appends the SURT of a scheme with its colon, a user with its "@", and a host with its port.
func (k *Key) appendSURT(dst, scheme, user, host []byte) []byte {
	name := host[:hostEnd(host)]
	port := host[len(name):]
	if k.SURT == SURTFull {
		dst = append(append(dst, scheme...), "//("...)
	}
	name = bytes.TrimRight(name, ".")
	switch dot := bytes.LastIndexByte(name, '.'); {
	case len(name) == 0, name[0] == '[', isNumber(name[dot+1:]):
		dst = append(dst, name...)
	default:
		dst = appendReversed(dst, name)
		if k.SURT == SURTFull {
			dst = append(dst, ',')
		}
	}
	dst = append(dst, port...)
	if len(user) > 0 {
		dst = append(append(dst, '@'), user[:len(user)-1]...)
	}
	return append(dst, ')')
}

func isNumber(s []byte) bool { return len(s) > 0 && consistsOf(s, ascii.IsDigit) }

// finish makes the key of the URL dst[start:], whose host is that of the key: it appends the key, and
// moves it to start.
func (k *Key) finish(dst []byte, start int) []byte {
	l := locateIn(dst, start)
	end := len(dst)
	if k.SURT != NoSURT && l.hasHost {
		dst = k.appendSURT(dst, dst[start:l.authority], dst[l.authority+len("//"):l.host], dst[l.host:l.path])
	} else {
		dst = append(dst, dst[start:l.path]...)
	}
	root := len(dst)
	dst = append(dst, l.Path...)
	isWeb := l.HasAuthority && (ascii.EqualFold(l.Scheme, "http") || ascii.EqualFold(l.Scheme, "https"))
	if k.NoSession && isWeb {
		dst = dropPathSessions(dst, root)
	}
	if k.NoIndex && isWeb {
		name := dst[root+1+bytes.LastIndexByte(dst[root:], '/'):]
		if len(name) < len(dst)-root && isListed(indexNames, name) {
			dst = dst[:len(dst)-len(name)]
		}
	}
	if l.HasQuery {
		query := len(dst)
		dst = append(append(dst, '?'), l.Query...)
		if isWeb {
			dst = k.changeQuery(dst, query)
		}
	}
	if l.HasFragment {
		dst = append(append(dst, '#'), l.Fragment...)
	}
	return dst[:start+copy(dst[start:], dst[end:])]
}

// changeQuery changes the query dst[at:], which may go.
func (k *Key) changeQuery(dst []byte, at int) []byte {
	if k.NoTracking {
		dst = dropParameters(dst, at, isTracking)
	}
	if k.NoSession && len(dst) > at {
		dst = dropParameters(dst, at, isSession)
	}
	if k.SortQuery && len(dst) > at {
		dst = sortQuery(dst, at)
	}
	return dst
}

// parameter returns the first parameter of the query s, and the rest of s.
func parameter(s []byte) (p, rest []byte, more bool) {
	i := bytes.IndexByte(s, '&')
	if i < 0 {
		return s, nil, false
	}
	return s[:i], s[i+1:], true
}

func nameOf(parameter []byte) []byte {
	name, _, _ := bytes.Cut(parameter, []byte("="))
	return name
}

// dropParameters drops the parameters that are of a sort from the query dst[at:], and the whole query if none are left.
func dropParameters(dst []byte, at int, isOf func(parameter []byte) bool) []byte {
	w := at + 1
	kept, dropped := 0, 0
	for rest, more := dst[w:], true; more; {
		var p []byte
		p, rest, more = parameter(rest)
		if isOf(p) {
			dropped++
			continue
		}
		kept++
		if kept > 1 {
			dst[w] = '&'
			w++
		}
		w += copy(dst[w:], p)
	}
	if dropped > 0 && w == at+1 {
		w = at
	}
	return dst[:w]
}

// sortQuery sorts the parameters of the query dst[at:].
func sortQuery(dst []byte, at int) []byte {
	sorted := true
	var last []byte
	for rest, more := dst[at+1:], true; more && sorted; {
		var p []byte
		p, rest, more = parameter(rest)
		name := nameOf(p)
		sorted = bytes.Compare(last, name) <= 0
		last = name
	}
	if sorted {
		return dst
	}
	type span struct{ start, name, end int }
	var few [32]span
	all := few[:0]
	if n := 1 + bytes.Count(dst[at+1:], []byte("&")); n > len(few) {
		all = make([]span, 0, n)
	}
	url := dst
	for i := at + 1; i <= len(url); {
		p, _, _ := parameter(url[i:])
		all = append(all, span{i, i + len(nameOf(p)), i + len(p)})
		i += len(p) + 1
	}
	slices.SortFunc(all, func(a, b span) int {
		if c := bytes.Compare(url[a.start:a.name], url[b.start:b.name]); c != 0 {
			return c
		}
		return a.start - b.start
	})
	for _, s := range all {
		dst = append(append(dst, url[s.start:s.end]...), '&')
	}
	copy(dst[at+1:], dst[len(url):len(dst)-1])
	return dst[:len(url)]
}

func isTracking(parameter []byte) bool {
	name := nameOf(parameter)
	const longest = 32 // the longest conversion that does not allocate
	if bytes.HasPrefix(name, []byte("utm_")) {
		return true
	}
	if len(name) > longest {
		return false
	}
	_, found := slices.BinarySearch(trackingNames, string(name))
	return found
}

// isListed reports whether names contains name, ignoring case.
func isListed(names []string, name []byte) bool {
	for _, s := range names {
		if len(s) == len(name) && strings.EqualFold(s, string(name)) {
			return true
		}
	}
	return false
}
