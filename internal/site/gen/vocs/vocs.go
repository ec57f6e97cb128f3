// Package vocs supports sites of Vocs, versions 1 and 2.
package vocs

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
	"example.org/refract/internal/slash"
)

// A model holds the settings of a site.
type model struct {
	web.Importer
	web.RawText
	web.Router
	isFirst   bool         // it is version 1, which publishes each page also at "x.html"
	redirects web.Patterns // URLs that redirect
}

// Generator finds sites of Vocs.
var Generator = &site.Generator{Name: "Vocs", Configs: []string{"vocs.config.*"}, Indexes: []string{"index.md", "index.mdx"}, Find: find}

// find finds a site by vocs.config.*. Version 1 has its pages in the directory pages of rootDir, version 2
// in that of srcDir.
func find(d *source.Dir) []*site.Site {
	name := d.First("vocs.config.tsx", "vocs.config.jsx")
	if name == "" {
		name = d.Script("vocs.config")
	}
	if name == "" {
		return nil
	}
	_, conf := d.Tree.ReadScript(d.In(name))
	g := &model{Router: web.Router{RestMayBeEmpty: true}}
	static := []string{d.In("public")}
	pages, isFirst := "", false
	for i, dir := range []string{conf.Lookup("rootDir").Or("docs"), conf.Lookup("srcDir").Or("src")} {
		if in, ok := d.Inside(dir + "/pages"); ok && pages == "" && d.Tree.IsDir(in) {
			pages, isFirst = in, i == 0
			if isFirst && path.Dir(in) != d.Path {
				static = append(static, path.Dir(in)+"/public")
			}
		}
	}
	if pages == "" {
		return nil
	}
	g.isFirst = isFirst && !conf.Lookup("srcDir").IsGiven()
	plan := &site.Plan{
		Generator: "Vocs", Config: name, Slug: slug.Docusaurus, Dialect: markdown.Starlight, Base: conf.Lookup("basePath"), Static: static,
		Pages: pages, Partial: isNoPage,
		Settings: site.Settings{
			Suffixes: []string{".md", ".mdx", ".tsx", ".ts", ".jsx", ".js"}, MDX: markdown.StarlightMDX, Slash: site.SlashIgnored,
			Knows: site.AllParts, PartsInOrder: true, Components: true, Known: site.ClosedRoutes, Made: []string{"/api/feedback/", "/api/mcp/", "/api/og/", "/api/search/", "/.vocs/"},
			Links: site.Links{
				site.Markdown: {g.link, site.ByURLWithBaseOnce}, site.Image: {site.ByBundler, site.ByURL}, site.HTML: {site.ByURL, site.ByURLWithBase},
				site.Component: {g.component},
			},
		},
	}
	for _, spec := range conf.Lookup("openapi").List() {
		plan.Made = append(plan.Made, "/"+strings.Trim(spec.Lookup("path").Or(""), "/")+"/")
	}
	rules := conf.Lookup("redirects")
	for _, rule := range rules.List() {
		g.redirect(plan, rule.Lookup("source"), rule.Lookup("destination"))
	}
	if conf.IsUnknown() || rules.IsUnknown() || rules.Open || conf.Lookup("openapi").IsUnknown() {
		plan.Generates, plan.Known = true, site.OpenRoutes
	}
	s := plan.Site(d, g)
	s.IsBaseKnown = s.IsBaseKnown && !conf.IsUnknown()
	return []*site.Site{s}
}

// redirect adds a redirect.
func (g *model) redirect(plan *site.Plan, source, to source.Value) {
	from := source.Or("")
	if !strings.HasPrefix(from, "/") {
		return
	}
	if !strings.ContainsAny(from, ":*({") {
		plan.Moves = append(plan.Moves, literal.Entry{Key: from, At: source.Span, Value: to.Value})
		return
	}
	g.redirects.AddPath(strings.ReplaceAll(from, "*", ":rest*"))
}

// isNoPage reports whether a file of pages has no URL of its own.
func isNoPage(rel string) bool {
	stem := path.Base(slash.Stem(rel))
	first, _, _ := strings.Cut(rel, "/")
	return stem == "_layout" || stem == "_root" || stem == "_mdx-wrapper" || first == "_slices" || first == "_api" ||
		strings.Contains("/"+rel, "/_components/") || strings.Contains("/"+rel, "/_hooks/") || strings.Contains("/"+rel, "/_actions/")
}

// Route sets the URL of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	stem := slash.Stem(p.Rel)
	if g.isFirst && strings.HasSuffix(stem, "index") { // also at the end of another name
		stem = strings.TrimSuffix(strings.TrimSuffix(stem, "index"), "/")
	}
	var names []string
	for name := range strings.SplitSeq(stem, "/") {
		if name != "" && !(name[0] == '(' && strings.HasSuffix(name, ")")) {
			names = append(names, name)
		}
	}
	if last := len(names) - 1; last >= 0 && names[last] == "index" {
		names = names[:last]
	}
	u, ok := g.Router.Route(names, strings.TrimPrefix(p.File, s.Dir+"/"))
	if !ok {
		p.IsPart, p.IsData = true, true // its URLs are not known, but it is read
		return
	}
	p.Routes = []string{u}
	if g.isFirst && u != "/" {
		p.Also = []string{u + ".html"}
	}
}

// Makes reports whether a redirect decides about a URL.
func (g *model) Makes(_ *site.Site, u string) bool { return g.redirects.Match(u) }

// subtitled matches a title with a subtitle, which is no part of its id.
var subtitled = lazy.New(`(?m)^# +(.+?) \[.*\][ \t]*$`)

// MakesID reports whether the title of a page without its subtitle makes an id.
func (g *model) MakesID(s *site.Site, file, id string) bool {
	return site.Slugs(s, file, subtitled)[id]
}

// link resolves a link of Markdown: "/x" below the base, and what is relative from the source, without the
// suffix of a page.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	p := r.Path
	if source.IsMarkdown(p) {
		p = slash.Stem(p)
	}
	p = strings.TrimSuffix(p, "/index")
	if r.IsRooted() {
		return s.URLs(r, "/"+strings.TrimPrefix(p, "/"), strings.TrimSuffix(s.Base, "/"))
	}
	var all []site.Candidate
	for _, end := range []string{".mdx", ".md", ".tsx", "/index.mdx", "/index.md", "/index.tsx"} {
		all = append(all, site.FileCandidate(path.Join(r.PageDir(), p)+end))
	}
	return append(all, s.URLs(r, p, "")...)
}

// component resolves an attribute of a component, whose links add the base.
func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	return site.MaybeChanged(r, slices.Concat(g.link(s, r), site.ByURL(s, r), site.ByAsset(s, r)))
}

// Navigate adds the links of the sidebar and of the bar at the top.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	conf := n.Read(s.Config).Unwrap()
	for _, key := range []string{"sidebar", "topNav"} {
		conf.Get(key).Walk(func(v literal.Value) bool {
			n.Add(s.Config, key, v.Get("link"), n.ByURL)
			return true
		})
	}
}

// redirectList matches the beginning of the redirects.
var redirectList = lazy.New(`\bredirects\s*:\s*\[`)

// Redirect adds a redirect to the configuration.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	if !e.AddItem(e.Config, redirectList, fmt.Sprintf("{ source: '%s', destination: '%s' }", was.Route, is.Route), was.Route, is.Route) {
		return ""
	}
	return "redirects in " + e.Config
}
