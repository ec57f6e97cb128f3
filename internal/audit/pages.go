package audit

import (
	"context"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/order"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/slash"
)

// A Page is a document and, as far as known, the place where it is published.
type Page struct {
	File string // the document, as shown to users
	Path string // the document, by a name that [Options.Tree] opens

	Generator string // of the site that the document is part of; "" means none is known
	Config    string // its configuration file, as shown to users

	// URL is where the page is published: absolute if the host is known, otherwise the path.
	// It is "" if the page is not published, or if the place is unknown.
	URL     string
	Route   string        // path of URL below the base of the site; "" if no generator is known
	Aliases []string      // other URLs of the page, and those that redirect to it
	Why     reason.Reason // why there is no URL: "is a draft"; "" means unknown

	// Built is the page of Options.Built that was made of the document, as shown to users, and BuiltBy says how
	// it was found. A page without a document has only Built and URL, its path below the directory. "" means
	// none.
	Built, BuiltBy string

	Anchors []Anchor // in the order of the document; nil unless requested
}

// An Anchor is an id in a document, which a fragment may name.
type Anchor struct {
	ID   string
	Line int // from 1; 0 means unknown
}

// Pages returns the documents that o.Paths names, with the URLs at which they are published, in the byte
// order of File. It checks nothing. If anchors is true, it also fills in Page.Anchors. The errors are those
// of [Run].
func Pages(ctx context.Context, o Options, anchors bool) ([]Page, *Report, error) {
	a, err := newAuditor(ctx, o, nil)
	if err != nil {
		return nil, nil, err
	}
	a.collect()
	if anchors || a.Published.Root == "" || len(a.builds) > 0 {
		a.read()
		a.learn()
	} else {
		for _, d := range a.Docs {
			d.Layout = a.Layouts.Of(d)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	docs := a.named()
	pages := make([]Page, 0, len(docs))
	for _, d := range docs {
		p := a.pageOf(d)
		if anchors && d.Fragments() != extract.NoFragments {
			ids := d.IDs()
			for i := range ids.Len() {
				p.Anchors = append(p.Anchors, Anchor{ids.At(i), int(ids.Entries[i].Line)})
			}
		}
		pages = append(pages, p)
	}
	if len(a.builds) > 0 {
		pages = hearing{a}.addPages(docs, pages)
	}
	order.Sort(pages, func(x, y Page) int { return strings.Compare(x.File, y.File) })
	report := a.results.Report
	report.auditor = a
	return pages, &report, nil
}

// pageOf returns the Page of d.
func (a *auditor) pageOf(d *doc.Document) Page {
	p := Page{File: d.Name, Path: d.File.Path}
	s := d.Layout.Generated
	if s == nil {
		p.URL, p.Why = a.urlOf(d), noGenerator
		if p.URL != "" {
			p.Why = reason.Reason{}
		}
		return p
	}
	p.Generator, p.Config = s.Generator, a.Shown(s.Config)
	_, uses, why := d.SiteUse()
	switch {
	case len(uses) == 0:
		p.Why = why
		return p
	case uses[0].Page.File != d.Path:
		p.Why = includedIn.With(a.Shown(uses[0].Page.File))
		return p
	}
	site := strings.TrimSuffix(s.Base, "/")
	page := uses[0].Page
	if len(page.Routes) > 0 {
		p.Route = page.Routes[0]
	}
	for _, u := range slices.Concat(page.Routes, page.Also) {
		u = s.Origin + site + u
		switch {
		case p.URL == "":
			p.URL = u
		case u != p.URL && !slices.Contains(p.Aliases, u):
			p.Aliases = append(p.Aliases, u)
		}
	}
	return p
}

// urlOf returns the URL of a document without a known generator, according to --site, --root or what
// the audit has inferred; "" if the URL is unknown.
func (a *auditor) urlOf(d *doc.Document) string {
	if u := a.Published.Retrieved(d.Path); u.From == "--site" {
		return u.URI
	}
	s := a.ServingOf(d)
	roots := s.Roots
	if root := a.Published.RootOf(d.Path); root != "" {
		roots = []string{root}
	}
	for _, root := range roots {
		rest, ok := strings.CutPrefix(d.Path, root+"/")
		if !ok {
			continue
		}
		prefix := s.Prefix
		if prefix == "" {
			prefix = "/"
		}
		if dir, name := path.Split(rest); slices.Contains(s.IndexNames(), name) || s.Indexes == nil && strings.HasPrefix(name, "index.") {
			return prefix + slash.Escaped(dir)
		}
		return prefix + slash.Escaped(s.UrlPath(rest, ""))
	}
	return ""
}

// Reasons.
var (
	includedIn  = reason.New(reason.Unpublished, "included-in", "is included in %s")
	noGenerator = reason.New(reason.Base, "no-generator", "no generator is known for it")
)
