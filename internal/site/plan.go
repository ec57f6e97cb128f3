package site

import (
	"path"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// A Plan describes a site by data. For many generators, a literal and a few methods of the model are
// enough.
type Plan struct {
	Generator string // "mdBook"
	Config    string // the name of the configuration file
	Slug      slug.Algorithm
	Dialect   markdown.Dialect
	Base      source.Value // path or URL of the site; if the configuration computes it, the base is unknown
	Origin    source.Value // "https://example.org"

	Static   []string              // directories of files that are published at the root, as they are
	Pages    string                // directory of the documents; "" if they are added to Mounts of the site
	Excluded func(rel string) bool // which of these files are not published; nil for none
	Why      reason.Reason         // why
	Partial  func(rel string) bool // which are only included in pages; nil for none
	Moves    []literal.Entry       // redirects in the configuration: a URL and its target
	Written  []Redirect            // more of them, in any file

	Settings
}

// Site returns the site of a plan, whose configuration is in a directory.
func (p *Plan) Site(d *source.Dir, m Model) *Site {
	s := New(d, p.Generator, p.Config)
	s.Slug, s.Dialect, s.Settings = p.Slug, p.Dialect, p.Settings
	s.SetBaseTo(p.Base)
	s.Origin = strings.TrimSuffix(p.Origin.Or(""), "/")
	add := func(dir string, kind Kind, match func(string) bool, why reason.Reason) {
		s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: kind, Match: match, Why: why})
	}
	for _, dir := range p.Static {
		add(dir, Static, nil, reason.Reason{})
	}
	if p.Excluded != nil {
		add(p.Pages, Hidden, p.Excluded, p.Why)
	}
	if p.Partial != nil {
		add(p.Pages, Partial, p.Partial, reason.Reason{})
	}
	if p.Pages != "" {
		add(p.Pages, Pages, nil, reason.Reason{})
	}
	for _, e := range p.Moves {
		to := source.Value{Value: e.Value}.Or("")
		s.AddRedirect(Entry(s.Config, "redirects", Key(e), e.Value), CleanURL(e.Key), to, nil)
	}
	for _, r := range p.Written {
		s.AddRedirect(r, CleanURL(r.From), r.To, nil)
	}
	s.SetModel(m)
	return s
}

// PageURL returns the URL of a page: its path without the suffix, and with another one. A name that stands for its
// directory, such as "index", is left out together with the suffix.
func PageURL(rel, suffix string, indexes ...string) string {
	dir, name := path.Split(slash.Stem(rel))
	for _, index := range indexes {
		if name == index {
			return "/" + dir
		}
	}
	return "/" + dir + name + suffix
}
