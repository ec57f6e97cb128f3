// Package sveltekit supports sites of SvelteKit, whose pages are files of directories, some of them
// documents of mdsvex. Code publishes documents in other directories; the package knows nothing about them.
package sveltekit

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
	"example.org/refract/internal/slash"
)

// A model holds the settings of a site.
type model struct {
	web.RawText
	web.Router
	extensions []string // of pages: ".svelte", ".svx"
	slugs      bool     // a plugin gives headings ids
}

// Generator finds sites of SvelteKit.
var Generator = &site.Generator{Name: "SvelteKit", Configs: []string{"svelte.config.*", "vite.config.*"}, Output: "build", Find: find}

// configOf returns the name of the configuration in a directory, and its settings for SvelteKit itself.
// Since version 3, these are an argument of a plugin of Vite, of which only the routes and static files at
// their default places are known.
func configOf(d *source.Dir) (name string, conf, kit source.Value) {
	name = d.Script("svelte.config")
	if name != "" {
		_, conf = d.Tree.ReadScript(d.In(name))
		return name, conf, conf.Lookup("kit")
	}
	name = d.Script("vite.config")
	if name == "" || !strings.Contains(string(d.Tree.Config(d.In(name))), "@sveltejs/kit/vite") {
		return "", conf, kit
	}
	return name, conf, kit
}

// find finds a site by its configuration beside a directory of routes.
func find(d *source.Dir) []*site.Site {
	name, conf, kit := configOf(d)
	if name == "" {
		return nil
	}
	routes, ok := d.Inside(kit.Lookup("files", "routes").Or("src/routes"))
	assets, isInside := d.Inside(kit.Lookup("files", "assets").Or("static"))
	if !ok || !isInside || !d.Tree.IsDir(routes) {
		return nil
	}
	text := string(d.Tree.Config(d.In(name)))
	g := &model{Router: web.Router{RestMayBeEmpty: true}, slugs: web.SlugPlugin.MatchString(text)}
	g.setExtensions(conf, text)
	dialect := markdown.Starlight
	dialect.Vue = true // components are elements whose names begin with a capital letter
	plan := &site.Plan{
		Generator: "SvelteKit", Config: name, Slug: slug.Docusaurus, Dialect: dialect, Base: kit.Lookup("paths", "base"), Static: []string{assets},
		Settings: site.Settings{
			Suffixes: []string{".svelte", ".svx", ".md", ".ts", ".js"}, Slash: site.SlashIgnored, Knows: site.AllParts, Components: true,
			Known: site.ClosedRoutes, IsProgram: true, Made: []string{"/_app/"},
			Links: site.Links{site.Markdown: {site.ByURL}, site.Image: {site.ByURL, site.ByAsset}, site.HTML: {site.ByURL}, site.Component: {g.component}},
		},
	}
	if changesRequests(d) {
		plan.Generates, plan.Known = true, site.OpenRoutes
	}
	s := plan.Site(d, g)
	mayHaveBase := strings.HasPrefix(name, "vite.") && strings.Contains(text, "paths")
	s.IsBaseKnown = s.IsBaseKnown && !conf.IsUnknown() && !kit.IsUnknown() && !mayHaveBase
	s.Mounts = append(s.Mounts,
		&site.Mount{Dir: d.In("src"), URL: "/", Kind: site.Hidden, IsCode: true, Match: func(rel string) bool { return rel == "app.html" || rel == "error.html" }},
		&site.Mount{Dir: routes, URL: "/", Kind: site.Pages, Match: g.isPage})
	return []*site.Site{s}
}

// setExtensions sets the suffixes of components, which may be pages. If the configuration computes them,
// documents may be pages.
func (g *model) setExtensions(conf source.Value, text string) {
	g.extensions = []string{".svelte"}
	names, isKnown := conf.Lookup("extensions").Strings()
	switch {
	case len(names) > 0 && isKnown:
		g.extensions = names
	case strings.Contains(text, "extensions"), conf.IsUnknown():
		g.extensions = []string{".svelte", ".svx", ".md"}
	}
}

// changesRequests reports whether code may publish a page elsewhere: reroute changes the URLs that are
// routed, and the hook of the server may redirect.
func changesRequests(d *source.Dir) bool {
	for _, name := range []string{"src/hooks", "src/hooks.server", "src/hooks/index"} {
		for _, ext := range []string{".ts", ".js"} {
			text := string(d.Tree.Config(d.In(name + ext)))
			if strings.Contains(text, "reroute") || strings.Contains(text, "redirect(") || strings.Contains(strings.ToLower(text), "location:") {
				return true
			}
		}
	}
	return false
}

// isPage reports whether a file of the routes is a page or a handler of requests.
func (g *model) isPage(rel string) bool {
	name := path.Base(rel)
	if stem := slash.Stem(name); stem == "+server" {
		return path.Ext(name) == ".ts" || path.Ext(name) == ".js"
	}
	rest, ok := strings.CutPrefix(name, "+page")
	if at := strings.IndexByte(rest, '.'); ok && strings.HasPrefix(rest, "@") && at >= 0 { // "+page@group.svelte" has another layout
		rest = rest[at:]
	}
	return ok && slices.Contains(g.extensions, rest)
}

// Route sets the URL of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	var names []string
	for name := range strings.SplitSeq(path.Dir(p.Rel), "/") {
		if name != "." && !(name[0] == '(' && strings.HasSuffix(name, ")")) {
			names = append(names, name)
		}
	}
	u, ok := g.Router.Route(names, strings.TrimPrefix(p.File, s.Dir+"/"))
	if !ok {
		p.IsPart, p.IsData = true, true // its URLs are not known, but it is read
		return
	}
	p.Routes = []string{u}
}

// MakesID reports that code may give ids to headings, unless a plugin makes them.
func (g *model) MakesID(*site.Site, string, string) bool { return !g.slugs }

// component resolves an attribute of a component.
func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	return site.MaybeChanged(r, append(site.ByURL(s, r), site.ByURLWithBase(s, r)...))
}
