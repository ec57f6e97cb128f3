package starlight

import (
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
)

// Navigate adds the sidebar of Starlight, and links in front matter.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	if g.isPlain {
		return
	}
	conf := n.Read(s.Config)
	sidebar := starlightOptions(source.Value{Value: conf}).Lookup("sidebar")
	g.sidebar(s, n, sidebar.Value)
	n.Front(func(p *site.Page, front literal.Value) {
		web.Hero(n, p, front, site.HTML)
	})
}

// sidebar adds the entries of a list: slugs of pages, and URLs below the base.
func (g *model) sidebar(s *site.Site, n *site.Navigation, list literal.Value) {
	if list.Kind == literal.Call {
		return // its values are unknown
	}
	for _, item := range list.Items {
		if item.Kind == literal.String {
			n.Add(s.Config, "sidebar", item, func(ref string) site.Result { return g.bySlug(s, ref) })
			continue
		}
		n.Add(s.Config, "sidebar", item.Get("slug"), func(ref string) site.Result { return g.bySlug(s, ref) })
		n.Add(s.Config, "sidebar", item.Get("link"), func(ref string) site.Result {
			// The base and the language are added with or without a leading slash.
			return n.ByURL(strings.TrimSuffix(s.Base, "/") + "/" + strings.TrimPrefix(ref, "/"))
		})
		g.sidebar(s, n, item.Get("items"))
	}
}

// bySlug resolves the slug of a page in the default language.
func (g *model) bySlug(s *site.Site, ref string) site.Result {
	stem := strings.Trim(ref, "/")
	if stem == "index" {
		stem = ""
	}
	langs := []string{"", s.DefaultLang}
	for _, lang := range append(langs, s.Langs...) {
		if p := s.ByURL[g.url(strings.Trim(lang+"/"+stem, "/"))]; p != nil {
			return site.Result{State: site.Found, File: p.File, Page: p}
		}
	}
	if s.Generates {
		return site.Result{State: site.Unknown, Why: reason.PluginPage}
	}
	return site.Result{State: site.Missing, Tried: []site.Candidate{{Name: ref}}}
}
