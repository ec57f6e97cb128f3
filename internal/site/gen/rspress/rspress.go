// Package rspress supports sites of Rspress.
package rspress

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/site/web"
	"example.org/refract/internal/slash"
)

// An model holds the settings of a site of Rspress.
type model struct {
	web.Explainer
	web.Importer
	dir             string // of the sources
	suffix          string // of URLs: ".html" or ""
	hasText         bool   // pages are published as text, too
	lang, version   string // the default ones, which are not in URLs
	langs, versions []string
}

// Generator finds sites of Rspress.
var Generator = &site.Generator{Name: "Rspress", Configs: []string{"rspress.config.*", "rstack.config.*"}, Indexes: []string{"index.md", "index.mdx"}, Find: find}

// config returns the name and the value of the configuration in a directory: of rspress.config.*, or of
// define.doc(…) in rstack.config.*, from which Rstack makes one (rstack 0.7.6). name is "" if there is
// none.
func config(d *source.Dir) (name string, conf source.Value) {
	for _, stem := range []string{"rspress.config", "rstack.config"} {
		name := d.Script(stem)
		if name == "" {
			continue
		}
		conf, ok := read(d.Tree, d.In(name))
		if ok {
			return name, conf
		}
	}
	return "", source.Value{}
}

// read reads a configuration, unless the file is one of Rstack without a site.
func read(t *source.Tree, file string) (conf source.Value, ok bool) {
	if strings.HasPrefix(path.Base(file), "rstack.") {
		return t.ReadCall(file, "define.doc")
	}
	_, conf = t.ReadScript(file)
	return conf, true
}

// find finds a site by its configuration.
func find(d *source.Dir) []*site.Site {
	name, conf := config(d)
	if name == "" {
		return nil
	}
	root, ok := d.Inside(pathIn(conf.Lookup("root"), "docs"))
	if !ok || !d.Tree.IsDir(root) {
		return nil
	}
	g := &model{dir: root, suffix: ".html", hasText: conf.Lookup("llms").IsGiven()}
	if conf.Lookup("route", "cleanUrls").IsTrue(false) {
		g.suffix = ""
	}
	g.languages(conf)
	plan := &site.Plan{
		Generator: "Rspress", Config: name, Slug: slug.Rspress, Dialect: markdown.Rspress,
		Base: conf.Lookup("base"), Origin: conf.Lookup("siteOrigin"), Static: []string{root + "/public"}, Pages: root,
		Excluded: source.AnyGlob(conf.Lookup("route", "exclude").Texts()), Why: routeExclude,
		Settings: site.Settings{
			Suffixes: []string{".md", ".mdx", ".js", ".jsx", ".ts", ".tsx"}, MDX: markdown.Docusaurus, Slash: site.SlashNever,
			Components: true, Knows: site.AllParts, PartsInOrder: true,
			Links: site.Links{
				site.Markdown: {g.link}, site.Image: {site.ByBundler}, site.HTML: {site.ByURL}, site.HTMLSource: {g.source}, site.Component: {g.component},
			},
		},
	}
	if !conf.Lookup("route", "excludeConvention").IsGiven() {
		plan.Partial = func(rel string) bool {
			return strings.HasPrefix(path.Base(rel), "_") || strings.Contains("/"+rel, "/_")
		}
	}
	if conf.IsUnknown() || rspressMaker.Match(d.Tree.Config(d.In(name))) {
		plan.Generates = true
	} else {
		plan.Known = site.ClosedRoutes
	}
	s := plan.Site(d, g)
	redirects(d, s, conf)
	return []*site.Site{s}
}

// Makes reports whether a URL is that of the text of a page.
func (g *model) Makes(s *site.Site, u string) bool {
	stem, ok := strings.CutSuffix(u, ".md")
	return g.hasText && ok && s.ByURL[stem+g.suffix] != nil
}

// rspressMaker matches what makes pages that have no source.
var rspressMaker = lazy.New(`addPages|addSSGRoutes|from ['"]\.[^'"]*plugin|(?i:typedoc|openapi|pluginRss|plugin-rss|['"]blog)`)

// pathIn returns the path that a configuration gives, below its directory, also by path.join(__dirname,
// "x"). It is deflt if the value is not known.
func pathIn(v source.Value, deflt string) string {
	if v.Kind != literal.Call {
		return v.Or(deflt)
	}
	names := []string{}
	for _, item := range v.Items {
		if item.Kind == literal.String {
			names = append(names, item.Text)
		}
	}
	if len(names) == 0 {
		return deflt
	}
	return path.Join(names...)
}

// languages reads the languages and versions, which are the first segments of URLs.
func (g *model) languages(conf source.Value) {
	for _, locales := range []source.Value{conf.Lookup("locales"), conf.Lookup("themeConfig", "locales")} {
		for _, one := range locales.List() {
			if lang := one.Lookup("lang").Or(""); lang != "" {
				g.langs = append(g.langs, lang)
			}
		}
	}
	g.lang = conf.Lookup("lang").Or("")
	g.version = conf.Lookup("multiVersion", "default").Or("")
	g.versions = conf.Lookup("multiVersion", "versions").Texts()
}

// split separates the version and the language from a path without a leading slash.
func (g *model) split(p string) (version, lang, rest string) {
	if first, after, _ := strings.Cut(p, "/"); g.version != "" && slices.Contains(g.versions, first) {
		version, p = first, after
	}
	if first, after, _ := strings.Cut(p, "/"); g.lang != "" && slices.Contains(g.langs, first) {
		lang, p = first, after
	}
	return version, lang, p
}

// urlOf returns the URL below the base of a path of a source, or of a link, from the root. A suffix that pages have is
// dropped, and so is the name of an index.
func (g *model) urlOf(s *site.Site, p string) string {
	p = strings.TrimPrefix(p, "/")
	if s.IsDocument(p) {
		p = slash.Stem(p)
	}
	p = strings.TrimSuffix(p, ".html")
	version, lang, p := g.split(p)
	if version == g.version {
		version = ""
	}
	if lang == g.lang {
		lang = ""
	}
	if p == "index" || strings.HasSuffix(p, "/index") {
		p = strings.TrimSuffix(p, "index")
	}
	return path.Join("/", version, lang) + strings.TrimSuffix("/"+p, "/")
}

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	u := site.CleanURL(g.urlOf(s, p.Rel))
	stem := slash.Stem(path.Base(p.Rel))
	switch {
	case stem != "index":
		p.Routes = []string{u + g.suffix}
		if g.suffix == "" {
			p.Also = []string{u + ".html"}
		}
	default:
		dir := strings.TrimSuffix(u, "/") + "/"
		p.Routes, p.Also = []string{dir}, []string{dir + "index.html"}
	}
}

// link resolves a Markdown link: relative to the file that holds it, or from the root in the same language
// and version. A link that matches no page is left as it is.
func (g *model) link(s *site.Site, r *site.Reference) (all []site.Candidate) {
	var full string
	switch {
	case r.Path == "":
		return site.ByURL(s, r)
	case r.IsRooted():
		version, lang, rest := g.split(strings.TrimLeft(r.Path, "/"))
		inVersion, inLang, _ := g.split(strings.TrimPrefix(r.Use.File, g.dir+"/"))
		if version == "" {
			version = inVersion
			if lang == "" {
				lang = inLang
			}
		}
		full = path.Join("/", version, lang, rest)
	default:
		file := path.Join(r.Dir(), r.Path)
		if s.IsDocument(file) {
			all = append(all, site.FileCandidate(file))
		}
		rest, ok := strings.CutPrefix(file, g.dir)
		if !ok {
			return append(all, site.ByURL(s, r)...)
		}
		full = rest
	}
	u := strings.TrimSuffix(s.Base, "/") + site.CleanURL(g.urlOf(s, full))
	return append(append(all, site.URLCandidate(u)), site.ByURLWithBaseOnce(s, r)...)
}

// source resolves the source of an element: relative to the file, while "/x" is left as it is.
func (g *model) source(s *site.Site, r *site.Reference) []site.Candidate {
	if r.IsRooted() {
		return site.ByURL(s, r)
	}
	return site.ByAsset(s, r)
}

// component resolves an attribute of a component, whose links add the base.
func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	if r.IsRooted() {
		return append(g.link(s, r), site.ByURL(s, r)...)
	}
	return site.MaybeChanged(r, append(site.ByAsset(s, r), site.ByURL(s, r)...))
}

// Navigate adds the entries of the navigation in the configuration, and in the files _nav.json and _meta.json.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	conf, _ := read(s.Tree, s.Config)
	themes := []source.Value{conf.Lookup("themeConfig")}
	themes = append(themes, conf.Lookup("themeConfig", "locales").List()...)
	for _, theme := range themes {
		g.items(s, n, s.Config, theme.Lookup("nav").Value)
		for _, list := range theme.Lookup("sidebar").Unwrap().All() {
			g.items(s, n, s.Config, list)
		}
	}
	s.Tree.Files(g.dir, s.Skips, func(rel string) {
		switch file := g.dir + "/" + rel; path.Base(rel) {
		case "_nav.json":
			g.items(s, n, file, n.Read(file))
		case "_meta.json":
			g.meta(s, n, file)
		}
	})
}

// items adds links of items and of those in them.
func (g *model) items(s *site.Site, n *site.Navigation, file string, list literal.Value) {
	const maxItems = 10_000
	for i, item := range list.Items {
		if i == maxItems {
			return
		}
		n.Add(file, "nav", item.Get("link"), func(ref string) site.Result { return g.byNav(s, n, file, ref) })
		g.items(s, n, file, item.Get("items"))
	}
}

// byNav resolves a link of the navigation in the language of its file.
func (g *model) byNav(s *site.Site, n *site.Navigation, file, ref string) site.Result {
	m := n.Pages()
	if m == nil || !strings.HasPrefix(ref, "/") {
		return site.Result{State: site.Unknown, Why: reason.RelativeToEachPage}
	}
	return s.Resolve(site.Use{Page: &site.Page{File: file, Mount: m, Routes: []string{"/"}}, File: file}, site.Markdown, "nav/link", ref)
}

// meta adds the entries of a _meta.json: names of files and directories beside it, and links.
func (g *model) meta(s *site.Site, n *site.Navigation, file string) {
	dir := path.Dir(file)
	byName := func(ref string) site.Result {
		at := path.Join(dir, ref)
		for _, ext := range append([]string{""}, s.Suffixes...) {
			if source.Below(at, g.dir) && (s.Tree.IsFile(at+ext) || s.Tree.IsDir(at+ext)) {
				return site.Result{State: site.Found, File: at + ext, Page: s.ByFile[at+ext]}
			}
		}
		if s.Generates || s.Tree.IsIgnored(at) {
			return site.Result{State: site.Unknown, Why: reason.PluginPage}
		}
		return n.MissingFile(at)
	}
	for _, item := range n.Read(file).Items {
		n.AddIn(dir, file, "sidebar", item, byName)
		if t := item.Get("type").Text; t == "file" || t == "dir" || t == "dir-section-header" {
			n.AddIn(dir, file, "sidebar", item.Get("name"), byName)
		}
		n.Add(file, "sidebar", item.Get("link"), func(ref string) site.Result { return g.byNav(s, n, file, ref) })
	}
}

// Reasons.
var (
	routeExclude = reason.New(reason.Unpublished, "route-exclude", "excluded by route.exclude")
)
