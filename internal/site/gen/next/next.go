// Package next supports sites of Next.js whose pages are files: directories of app with a page, and the
// files of pages. Code publishes documents in other directories; the package knows nothing about them.
package next

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
)

// A model holds the settings of a site.
type model struct {
	web.Importer
	web.Router
	web.RawText
	web.NextConfig
	extensions []string     // of pages: ".tsx", ".page.mdx"
	hasSlash   bool         // URLs of pages end in a slash
	isExported bool         // the build writes files "x.html", which hosts also serve with the suffix
	slugs      bool         // a plugin gives headings ids
	changes    bool         // a component of the project may change links and images of Markdown
	redirects  web.Patterns // URLs that redirect, or show what is at other URLs
}

// Generator finds sites of Next.js.
var Generator = &site.Generator{Name: "Next.js", Configs: []string{"next.config.*"}, Find: find}

// find finds a site by next.config.* beside a package.json that depends on Next.js.
func find(d *source.Dir) []*site.Site {
	name := d.Script("next.config")
	if name == "" || !d.DependsOn("next") {
		return nil
	}
	_, conf := d.Tree.ReadScript(d.In(name))
	text := string(d.Tree.Config(d.In(name)))
	g := &model{hasSlash: conf.Lookup("trailingSlash").IsTrue(false), slugs: web.SlugPlugin.MatchString(text)}
	g.isExported = conf.Lookup("output").Or("") == "export" && !g.hasSlash
	g.setExtensions(conf, text)
	plan := &site.Plan{
		Generator: "Next.js", Config: name, Slug: slug.Docusaurus, Dialect: markdown.Fumadocs, Base: conf.Lookup("basePath"), Static: []string{d.In("public")},
		Settings: site.Settings{
			MDX: markdown.FumadocsMDX, Slash: site.SlashIgnored, Knows: site.AllParts, PartsInOrder: true, Components: true,
			Known: site.ClosedRoutes, IsProgram: true, Langs: conf.Lookup("i18n", "locales").Texts(),
			Links: site.Links{site.Markdown: {g.link}, site.Image: {g.image}, site.HTML: {site.ByURL}, site.Component: {g.component}},
			Made:  []string{"/_next/"},
		},
	}
	for _, ext := range g.extensions {
		plan.Suffixes = append(plan.Suffixes, path.Ext(ext))
	}
	if slices.ContainsFunc(d.Tree.Code(d.In(name)), sindresorhus.Match) {
		g.slugs, plan.Slug = true, slug.Sindresorhus
	}
	g.readRedirects(plan, d, conf, text)
	s := plan.Site(d, g)
	s.IsBaseKnown = s.IsBaseKnown && !conf.IsUnknown() && !(conf.Open && strings.Contains(text, "basePath"))
	g.changes = s.Base != "/" && changesLinks(d)
	if !g.mount(s, d) {
		return nil
	}
	return []*site.Site{s}
}

// setExtensions sets the suffixes of files of pages. If the configuration computes them, documents may be pages.
func (g *model) setExtensions(conf source.Value, text string) {
	names, isKnown := conf.Lookup("pageExtensions").Strings()
	switch {
	case len(names) > 0 && isKnown:
	case strings.Contains(text, "pageExtensions"), conf.IsUnknown():
		names = []string{"tsx", "ts", "jsx", "js", "mdx", "md"}
	default:
		names = []string{"tsx", "ts", "jsx", "js"}
	}
	for _, name := range names {
		g.extensions = append(g.extensions, "."+strings.TrimPrefix(name, "."))
	}
}

// stem returns the path of a file of a page without its suffix. ok is false if it is no file of a page.
func (g *model) stem(rel string) (stem string, ok bool) {
	for _, ext := range g.extensions {
		if stem, ok = strings.CutSuffix(rel, ext); ok && !strings.HasSuffix(stem, ".d") && !strings.HasSuffix("/"+stem, "/") {
			return stem, true
		}
	}
	return "", false
}

// mount adds the directories of pages, and reports whether there are any. Directories in src count if there
// are none outside.
func (g *model) mount(s *site.Site, d *source.Dir) bool {
	for _, src := range []string{"", "src/"} {
		for _, dir := range []string{"app", "pages"} {
			if d.Tree.IsDir(d.In(src + dir)) {
				s.Mounts = append(s.Mounts, &site.Mount{Dir: d.In(src + dir), URL: "/", Kind: site.Pages, Name: dir, Match: func(rel string) bool { return g.isPage(dir, rel) }})
			}
		}
		if len(s.Mounts) > 1 {
			return true
		}
	}
	return false
}

// isPage reports whether a file of a directory of pages is one, or a handler of requests. Code may show
// other documents there.
func (g *model) isPage(kind, rel string) bool {
	stem, ok := g.stem(rel)
	if !ok {
		return false
	}
	if kind == "pages" {
		return true
	}
	dir, name := path.Split(stem)
	return (name == "page" || name == "route") && !strings.Contains("/"+dir, "/_")
}

// Route sets the URL of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	stem, _ := g.stem(p.Rel)
	file := strings.TrimPrefix(p.File, s.Dir+"/")
	var names []string
	switch {
	case p.Mount.Name == "app":
		isPart := false
		names, isPart = segments(path.Dir("/" + stem))
		if isPart {
			p.IsPart = true
			g.Decide("/"+strings.Join(names, "/"), 0, 0, file)
			return
		}
	case isOfFramework[stem]:
		p.IsPart = true
		return
	default:
		names = strings.Split(stem, "/")
		if last := len(names) - 1; names[last] == "index" {
			names = names[:last]
		}
	}
	u, ok := g.Router.Route(names, file)
	if !ok {
		p.IsPart, p.IsData = true, true // its URLs are not known, but it is read
		return
	}
	if g.hasSlash && u != "/" && path.Ext(u) == "" {
		u += "/"
	}
	p.Routes = []string{u}
	if g.isExported && u != "/" {
		p.Also = []string{u + ".html"}
	}
}

// segments returns the names in the URL of a page in a directory of app. isPart says that the page is shown
// in place of a part of another page, which decides whether its URL can be requested by itself.
func segments(dir string) (names []string, isPart bool) {
	for name := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
		switch {
		case name == "", name[0] == '(' && strings.HasSuffix(name, ")"):
		case name[0] == '@', name[0] == '(':
			isPart = true
			if name[0] == '(' {
				names = append(names, name[strings.LastIndexByte(name, ')')+1:])
			}
		default:
			names = append(names, strings.Replace(name, "%5F", "_", 1))
		}
	}
	return names, isPart
}

// isOfFramework has the files of pages that have no URL of their own.
var isOfFramework = map[string]bool{"_app": true, "_document": true, "_error": true, "_meta": true, "404": true, "500": true}

// sindresorhus matches the import of a package that makes ids of headings, as the templates of Tailwind do.
var sindresorhus = lazy.New(`(?m)^\s*import\b[^/\n]*\bslugifyWithCounter\b[^/\n]*['"]@sindresorhus/slugify['"]`)

// readRedirects reads the redirects and rewrites. If there are others than literals, code may publish anything.
func (g *model) readRedirects(plan *site.Plan, d *source.Dir, conf source.Value, text string) {
	rules := web.ReadNextRules(d, plan.Config, conf, text)
	plan.Written, plan.Routeless, g.redirects = rules.Written, rules.Exact, rules.Patterns
	for _, written := range rules.Written {
		plan.Routeless = append(plan.Routeless, written.From)
	}
	if rules.IsOpen {
		plan.Generates, plan.Known = true, site.OpenRoutes
	}
}

// changesLinks reports whether the components of a site may add its base to links of Markdown.
func changesLinks(d *source.Dir) bool {
	for _, ext := range []string{".tsx", ".jsx", ".ts", ".js"} {
		for _, src := range []string{"", "src/"} {
			text := string(d.Tree.Config(d.In(src + "mdx-components" + ext)))
			if strings.Contains(text, "import") || strings.Contains(text, "require") {
				return true
			}
		}
	}
	return false
}

// Makes reports whether a redirect or a rewrite decides about a URL.
func (g *model) Makes(_ *site.Site, u string) bool { return g.redirects.Match(u) }

// MakesID reports that code may give ids to headings, unless a plugin makes them.
func (g *model) MakesID(*site.Site, string, string) bool { return !g.slugs }

// link resolves a link of Markdown against the URL of the page.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	if g.changes && r.IsRooted() {
		return append(site.ByURL(s, r), site.ByURLWithBase(s, r)...)
	}
	return site.ByURL(s, r)
}

// image resolves an image, which a plugin may import.
func (g *model) image(s *site.Site, r *site.Reference) []site.Candidate {
	return append(g.link(s, r), site.ByAsset(s, r)...)
}

// component resolves an attribute of a component: Link of Next.js adds the base.
func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	all := site.ByURLWithBaseOnce(s, r)
	if !strings.HasPrefix(strings.ToLower(r.In), "link/") {
		all = append(all, site.ByURL(s, r)...)
	}
	return site.MaybeChanged(r, all)
}
