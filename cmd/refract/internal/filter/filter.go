// Package filter selects references.
package filter

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/hostname"
	"example.org/refract/resolve"
	"example.org/refract/resolve/risk"
)

// A Filter selects references. The zero filter selects all but those with active schemes.
type Filter struct {
	Kinds    choice[scan.Kind]
	Schemes  choice[string]
	hosts    choice[string]
	suffixes choice[string] // of the path
	matches  choice[*regexp.Regexp]
	labels   choice[string]
	Rels     choice[string]
	site     string // "same" or "off": relative to the document's
	Mail     mailFilter
	Records  recordFilter
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

// Any reports whether the choice excludes anything.
func (c *choice[T]) Any() bool { return c.only != nil || c.not != nil }

func (c *choice[T]) lets(is func(T) bool) bool {
	return !slices.ContainsFunc(c.not, is) && (c.only == nil || slices.ContainsFunc(c.only, is))
}

// Flags holds the flag values from which a filter is made.
type Flags struct {
	kinds, Schemes, hosts, suffixes, matches, labels, rels []string

	site    string
	Mail    mailFlags
	records recordFlags
}

// Flags returns the flags that set v.
func (v *Flags) Flags() []cli.Flag {
	return slices.Concat(v.ReferenceFlags(), v.Mail.flags(), v.records.flags(), []cli.Flag{
		{Name: "site", Var: &v.site, Help: "the earlier name of --target-site"},
	})
}

// ReferenceFlags returns the flags that are not about mail or web archives.
func (v *Flags) ReferenceFlags() []cli.Flag {
	return cli.InGroup("Filters", []cli.Flag{
		{Name: "kind", Var: &v.kinds, Values: scan.Kinds,
			Brief: "only these `KIND`s: link, embed, text, ...; !KIND excludes",
			Help:  "only these `KIND`s of references: " + strings.Join(scan.Kinds(), ", ") + ";\nprefix a value with ! to exclude it (any filter)"},
		{Name: "scheme", Var: &v.Schemes, Values: schemeNames,
			Brief: "only these `SCHEME`s",
			Help:  "only these `SCHEME`s; by default all but javascript, vbscript, data and about"},
		{Name: "host", Var: &v.hosts, Help: "only these `HOST`s; .example.org means all hosts below it"},
		{Name: "target-site", Var: &v.site, Values: cli.Fixed(siteValues...),
			Help: "`SITE` same: only references to the site (registered domain) of the document; off: only to others"},
		{Name: "suffix", Var: &v.suffixes, Values: cli.Fixed(".pdf", ".html", ".md", ".zip", ".png", ".jpg"),
			Help: "only URLs whose path ends in one of these `SUFFIX`es"},
		{Name: "match", Var: &v.matches, Each: true, Help: "only URLs that match one of these `REGEXP`s (RE2)"},
		{Name: "label", Var: &v.labels, Values: LabelNames, Help: "only URLs with one of these `LABEL`s: see \"refract help labels\""},
		{Name: "rel", Var: &v.rels, Values: cli.Fixed("nofollow", "canonical", "alternate", "next", "prev", "license", "stylesheet", "icon", "noopener", "ugc", "sponsored"),
			Help: "only links with one of these `REL`ations, such as !nofollow; implies --details"},
	})
}

// siteValues are the values of --target-site.
var siteValues = []string{"same", "off"}

// schemeNames returns the names of the schemes of which something is known.
func schemeNames() (names []string) {
	for _, s := range resolve.Schemes() {
		names = append(names, s.Name)
	}
	return names
}

// Parse returns the filter that flags describe.
func Parse(v *Flags) (f Filter, err error) {
	if v.site != "" && v.site != "same" && v.site != "off" {
		return f, cli.BadValue("--target-site", v.site, siteValues)
	}
	err = checkLabels(v.labels)
	if err != nil {
		return f, err
	}
	f.site = v.site
	f.Mail, err = parseMailFilter(&v.Mail)
	if err != nil {
		return f, err
	}
	f.Records, err = parseRecordFilter(&v.records)
	if err != nil {
		return f, err
	}
	schemes, err := cli.EachOf(v.Schemes, cli.SchemeName)
	if err != nil {
		return f, err
	}
	hosts, err := cli.EachOf(v.hosts, cli.HostName)
	if err != nil {
		return f, err
	}
	f.Schemes, _ = newChoice(schemes, asIs)
	f.hosts, _ = newChoice(hosts, asIs)
	f.suffixes, _ = newChoice(v.suffixes, asIs)
	f.labels, _ = newChoice(v.labels, asIs)
	f.Rels, _ = newChoice(v.rels, asIs)
	f.matches, err = newChoice(v.matches, cli.CompilePattern)
	if err != nil {
		return f, err
	}
	f.Kinds, err = newChoice(v.kinds, func(name string) (scan.Kind, error) {
		k := slices.Index(scan.Kinds(), strings.ToLower(name))
		if k < 0 {
			return 0, cli.BadValue("--kind", name, scan.Kinds())
		}
		return scan.Kind(k), nil
	})
	return f, err
}

// active lists the schemes whose URLs must be selected by name.
var active = []string{"javascript", "vbscript", "data", "about"}

// Match reports whether the filter selects r, whose printed URL is url. With all, it also selects active
// schemes that --scheme does not name. The label active-scheme also names them.
func (f *Filter) Match(r *extract.Reference, url []byte, all bool) bool {
	if f.Records.some && r.Record() == nil {
		return false
	}
	if f.Mail.some && !f.Mail.match(r) {
		return false
	}
	if f.Kinds.Any() && !f.Kinds.lets(func(k scan.Kind) bool { return k == r.Kind }) {
		return false
	}
	if f.labels.Any() {
		labels := labelsOf(r)
		if !f.labels.lets(func(l string) bool { return slices.Contains(labels, l) }) {
			return false
		}
		all = all || slices.Contains(f.labels.only, risk.ActiveScheme.String())
	}
	scheme := func(s string) bool { return SchemeIs(url, s) }
	if f.Schemes.Any() && !f.Schemes.lets(scheme) {
		return false
	}
	if f.Schemes.only == nil && !all && mayBeActive(url) && slices.ContainsFunc(active, scheme) {
		return false
	}
	if f.Rels.Any() && !f.Rels.lets(func(rel string) bool {
		return slices.ContainsFunc(strings.Fields(r.Rel), func(s string) bool { return strings.EqualFold(s, rel) })
	}) {
		return false
	}
	if f.matches.Any() {
		text := url
		if text == nil {
			text = r.Ref
		}
		if !f.matches.lets(func(re *regexp.Regexp) bool { return re.Match(text) }) {
			return false
		}
	}
	if f.suffixes.Any() {
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
	if !f.hosts.Any() {
		return true
	}
	host := NameOf(url)
	return f.hosts.lets(func(h string) bool {
		h = hostname.Comparable(h)
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
	site, to := DomainOf(NameOf([]byte(here))), DomainOf(NameOf(url))
	if url == nil || site == to && (site != "" || r.Result.Step != resolve.Absolute || SchemeIs(url, "file") && SchemeIs([]byte(here), "file")) {
		return "same"
	}
	return "off"
}
