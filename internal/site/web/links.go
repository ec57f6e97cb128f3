package web

import (
	"path"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// RewriteParam matches a parameter of path-to-regexp: ":name", ":name(pattern)", ":name*".
var RewriteParam = lazy.New(`:(\w+)(\([^()]*\))?([*+?]?)`)

// SlugPlugin matches the name of a plugin that gives headings ids by GitHub's rule, in a line before any comment.
var SlugPlugin = lazy.New(`(?m)^(?:[^/\n]|/[^/\n])*?r(?:ehype|emark)-?[sS]lug`)

// An Explainer is embedded in models that rewrite links of Markdown, but not those of raw HTML.
type Explainer struct{}

// Explain says why the target of a link does not exist.
func (Explainer) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	file := path.Join(r.PageDir(), r.Path)
	if r.Form == site.HTML && !r.IsRooted() && s.ByFile[file] != nil {
		return reason.RawHTML(s.Generator, s.Route(r.Use.Page)), file
	}
	if r.IsRooted() && r.Form != site.HTML && s.Base != "/" {
		if _, has := s.CutBase(r.Path); has {
			return baseTwice.With(s.Generator).With(s.Base), ""
		}
	}
	return reason.Reason{}, ""
}

// Reasons.
var (
	baseTwice = reason.New(reason.Base, "base-twice", "%s adds %s to it once more")
)

// RawText is embedded in models of sites whose static files may be documents, which are published as text:
// people read them where the repository is shown.
type RawText struct{}

// IsInPlace reports whether a file is such a document.
func (RawText) IsInPlace(s *site.Site, file string) bool {
	m := s.MountOf(file)
	return m != nil && m.Kind == site.Static && source.IsMarkdown(file)
}

// Hero adds the links of a home page, and the links to the previous and next page.
func Hero(n *site.Navigation, p *site.Page, front literal.Value, form site.Form) {
	resolve := n.InPage(p, form)
	for _, action := range front.Get("hero", "actions").Items {
		n.Add(p.File, "front matter", action.Get("link"), resolve)
	}
	for _, feature := range front.Get("features").Items {
		n.Add(p.File, "front matter", feature.Get("link"), resolve)
	}
	for _, key := range []string{"prev", "next"} {
		n.Add(p.File, "front matter", front.Get(key, "link"), resolve)
	}
}
