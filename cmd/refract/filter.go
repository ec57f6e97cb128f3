package main

import (
	"bytes"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// A filter selects references. The zero filter selects all but those with active schemes.
type filter struct {
	kinds    choice[scan.Kind]
	schemes  choice[string]
	hosts    choice[string]
	suffixes choice[string] // of the path
	matches  choice[*regexp.Regexp]
	labels   choice[string]
	rels     choice[string]
	site     string // "same" or "off": relative to the document's
	mail     mailFilter
	records  recordFilter
}

// A choice selects the values that match at least one of only, or any value if only is nil, and
// that match none of not.
type choice[T any] struct{ only, not []T }

// newChoice parses the values of a flag. Values that begin with "!" go to not.
func newChoice[T any](values []string, parse func(string) (T, error)) (c choice[T], err error) {
	for _, v := range values {
		name, not := strings.CutPrefix(v, "!")
		one, err := parse(name)
		switch {
		case err != nil:
			return c, err
		case not:
			c.not = append(c.not, one)
		default:
			c.only = append(c.only, one)
		}
	}
	return c, nil
}

func asIs(s string) (string, error) { return s, nil }

func (c *choice[T]) any() bool { return c.only != nil || c.not != nil }

func (c *choice[T]) lets(is func(T) bool) bool {
	return !slices.ContainsFunc(c.not, is) && (c.only == nil || slices.ContainsFunc(c.only, is))
}

// filterFlags holds the flag values from which a filter is made.
type filterFlags struct {
	kinds, schemes, hosts, suffixes, matches, labels, rels []string

	site    string
	mail    mailFlags
	records recordFlags
}

func (v *filterFlags) flags(l *pflag.FlagSet) {
	v.referenceFlags(l)
	v.mail.flags(l)
	v.records.flags(l)
}

// referenceFlags adds the flags that are not about mail or web archives.
func (v *filterFlags) referenceFlags(l *pflag.FlagSet) {
	l.StringSliceVar(&v.kinds, "kind", nil, "only these `KIND`s of references: "+strings.Join(scan.Kinds(), ", ")+";\nin all filters, \"!\" in front of a value excludes it")
	l.StringSliceVar(&v.schemes, "scheme", nil, "only these `SCHEME`s; javascript, vbscript, data and about are printed\nonly if named")
	l.StringSliceVar(&v.hosts, "host", nil, "only these `HOST`s; .example.org stands for all hosts below example.org")
	l.StringVar(&v.site, "target-site", "", "only references to the site of the document, or to others: `SITE` is same or off;\na site is a registered domain")
	l.StringVar(&v.site, "site", "", "the earlier name of --target-site")
	l.MarkHidden("site")
	l.StringSliceVar(&v.suffixes, "suffix", nil, "only URLs whose path ends in one of these `SUFFIX`es, such as .pdf")
	l.StringArrayVar(&v.matches, "match", nil, "only URLs that match one of these `REGEXP`s (RE2)")
	l.StringSliceVar(&v.labels, "label", nil, "only URLs with one of these `LABEL`s: see \"refract help labels\"")
	l.StringSliceVar(&v.rels, "rel", nil, "only links with one of these `REL`ations, such as !nofollow; implies --details")
}

func parseFilter(v *filterFlags) (f filter, err error) {
	if v.site != "" && v.site != "same" && v.site != "off" {
		return f, badValue("--target-site", v.site, siteValues)
	}
	if err = checkLabels(v.labels); err != nil {
		return f, err
	}
	f.site = v.site
	f.mail, err = parseMailFilter(&v.mail)
	if err != nil {
		return f, err
	}
	f.records, err = parseRecordFilter(&v.records)
	if err != nil {
		return f, err
	}
	schemes, err := eachOf(v.schemes, schemeName)
	if err != nil {
		return f, err
	}
	hosts, err := eachOf(v.hosts, hostName)
	if err != nil {
		return f, err
	}
	f.schemes, _ = newChoice(schemes, asIs)
	f.hosts, _ = newChoice(hosts, asIs)
	f.suffixes, _ = newChoice(v.suffixes, asIs)
	f.labels, _ = newChoice(v.labels, asIs)
	f.rels, _ = newChoice(v.rels, asIs)
	f.matches, err = newChoice(v.matches, compilePattern)
	if err != nil {
		return f, err
	}
	f.kinds, err = newChoice(v.kinds, func(name string) (scan.Kind, error) {
		k := slices.Index(scan.Kinds(), strings.ToLower(name))
		if k < 0 {
			return 0, badValue("--kind", name, scan.Kinds())
		}
		return scan.Kind(k), nil
	})
	return f, err
}

// active lists the schemes whose URLs must be selected by name.
var active = []string{"javascript", "vbscript", "data", "about"}

// match reports whether the filter selects r, whose printed URL is url. With all, it also selects
// active schemes that --scheme does not name. The label active-scheme names them, too.
func (f *filter) match(r *extract.Reference, url []byte, all bool) bool {
	if f.records.some && r.Record() == nil {
		return false
	}
	if f.mail.some && !f.mail.match(r) {
		return false
	}
	if f.kinds.any() && !f.kinds.lets(func(k scan.Kind) bool { return k == r.Kind }) {
		return false
	}
	if f.labels.any() {
		labels := labelsOf(r)
		if !f.labels.lets(func(l string) bool { return slices.Contains(labels, l) }) {
			return false
		}
		all = all || slices.Contains(f.labels.only, resolve.ActiveScheme.String())
	}
	scheme := func(s string) bool { return schemeIs(url, s) }
	if f.schemes.any() && !f.schemes.lets(scheme) {
		return false
	}
	if f.schemes.only == nil && !all && mayBeActive(url) && slices.ContainsFunc(active, scheme) {
		return false
	}
	if f.rels.any() && !f.rels.lets(func(rel string) bool {
		return slices.ContainsFunc(strings.Fields(r.Rel), func(s string) bool { return strings.EqualFold(s, rel) })
	}) {
		return false
	}
	if f.matches.any() {
		text := url
		if text == nil {
			text = r.Ref
		}
		if !f.matches.lets(func(re *regexp.Regexp) bool { return re.Match(text) }) {
			return false
		}
	}
	if f.suffixes.any() {
		text := url
		if text == nil {
			text = r.Ref
		}
		path := bytes.ToLower(resolve.Parse(text).Path)
		if !f.suffixes.lets(func(s string) bool { return bytes.HasSuffix(path, []byte(strings.ToLower(s))) }) {
			return false
		}
	}
	if f.site != "" && f.site != siteOf(r, url) {
		return false
	}
	if !f.hosts.any() {
		return true
	}
	host := nameOf(url)
	return f.hosts.lets(func(h string) bool {
		h = comparableHost(h)
		if domain, ok := strings.CutPrefix(h, "."); ok {
			return host == domain || strings.HasSuffix(host, h)
		}
		return host == h
	})
}

// siteOf returns "same" if url has the registered domain of the document that contains r, otherwise
// "off". If the document's URL is unknown, relative references count as the same site.
func siteOf(r *extract.Reference, url []byte) string {
	here := r.Document()
	if here == "" {
		if r.Result.Step == resolve.Absolute || r.Result.Step == resolve.NetworkPath {
			return "off"
		}
		return "same"
	}
	site, to := domainOf(nameOf([]byte(here))), domainOf(nameOf(url))
	if url == nil || site == to && (site != "" || r.Result.Step != resolve.Absolute || schemeIs(url, "file") && schemeIs([]byte(here), "file")) {
		return "same"
	}
	return "off"
}

// nameOf returns the host of url in the form used to compare hosts.
func nameOf(url []byte) string { return comparableHost(hostOf(url)) }

// comparableHost returns a host in lower case and ASCII, without a final dot.
func comparableHost(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ascii, err := idna.Punycode.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// domainOf returns the registered domain of a host by the public suffix list. Addresses and public
// suffixes have none: for these it returns the host.
func domainOf(host string) string {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return host
	}
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return d
	}
	return host
}

// mayBeActive reports whether url begins with the first letter of an active scheme. It is a quick
// test that rejects nearly all URLs.
func mayBeActive(url []byte) bool {
	return len(url) > 0 && strings.IndexByte("jvda", url[0]|0x20) >= 0
}

// schemeIs reports whether url begins with the scheme s and a colon.
func schemeIs(url []byte, s string) bool {
	return len(url) > len(s) && url[len(s)] == ':' && strings.EqualFold(string(url[:len(s)]), s)
}

// hostOf returns the host of url without user and port; IP literals keep their brackets.
func hostOf(url []byte) string {
	host := resolve.Parse(url).Authority
	host, _, _ = ascii.CutPort(host[ascii.HostStart(host):])
	return string(host)
}
