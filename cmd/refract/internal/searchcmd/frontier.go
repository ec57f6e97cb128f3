package searchcmd

import (
	"slices"
	"strings"

	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/output"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

// The frontier of a crawl is the list of URLs that it should visit. --format frontier prints it: each URL
// that a crawler may fetch, once for each key, with the key, the host, the kind, and the document in
// which it was found first.
//
// What other crawlers read: Nutch and StormCrawler inject lines of a URL and, after tabs,
// name=value; Heritrix reads seeds as one URL per line, and recovers a frontier from lines of URL, hops
// and via; Scrapy and Brozzler take a URL, and compare by a fingerprint of its canonical form. So
// the URL is the first column, and the others are what each of them derives from it or wants to keep.

// frontierKinds are the kinds of references that are in the frontier unless --kind says otherwise: those
// that a reader or a browser follows. Forms are submitted, not visited; metadata and citations name things
// rather than link to them.
var frontierKinds = []scan.Kind{scan.Text, scan.Link, scan.Embed, scan.Header, scan.Definition}

// frontierSchemes are the schemes that crawlers fetch, unless --scheme says otherwise.
var frontierSchemes = []string{"http", "https"}

// configureFrontier sets the options that a frontier implies.
func (o *options) configureFrontier() {
	o.noFragment = true
	if !o.unique.IsSet() {
		o.unique.Value = "true"
	}
	o.cfg.Details = true // rel
	if o.canonical == nil {
		o.canonical = []string{"no-fragment"}
	}
}

// enqueues reports whether r, whose printed URL is url, is in the frontier; isKnown: a reference with this URL was. It counts what it
// leaves out because crawlers are asked not to follow it.
func (s *search) enqueues(b *output.Block, r *extract.Reference, url []byte, isKnown bool) bool {
	f := &s.filter
	isScheme := func(name string) bool { return filter.SchemeIs(url, name) }
	switch {
	case r.InvalidAuthority:
		return false
	case !f.Kinds.Any() && !slices.Contains(frontierKinds, r.Kind):
		return false
	case url == nil:
		return true // counted as unresolved, and not printed
	case !isKnown && !f.Schemes.Any() && !slices.ContainsFunc(frontierSchemes, isScheme):
		return false
	case namesServer(r):
		return false
	}
	if !isKnown {
		host := resolve.Parse(url).Authority
		if len(host) == ascii.HostStart(host) {
			return false // crawlers queue by host
		}
	}
	if isNoFollow(r) {
		b.NoFollow++
		return false
	}
	return true
}

// isNoFollow reports whether crawlers are asked not to follow r, by its element or by its page. A redirect
// is the response itself, and is followed in any case.
func isNoFollow(r *extract.Reference) bool {
	if r.In == "Location" || r.In == "Refresh" || r.In == "meta/refresh" {
		return false
	}
	return hasRel(r, "nofollow") || r.Robots()&extract.NoFollow != 0
}

// namesServer reports whether r is a link that says which server to connect to, for a browser that
// will need it: there need not be a document.
func namesServer(r *extract.Reference) bool {
	return r.In == "link/href" && (hasRel(r, "preconnect") || hasRel(r, "dns-prefetch"))
}

// hasRel reports whether rel of r holds name.
func hasRel(r *extract.Reference, name string) bool {
	if len(r.Rel) < len(name) {
		return false
	}
	for rel := range strings.FieldsSeq(r.Rel) {
		if strings.EqualFold(rel, name) {
			return true
		}
	}
	return false
}
