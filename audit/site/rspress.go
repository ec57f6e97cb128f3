package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// An rspress holds the settings of a site of Rspress.
type rspress struct {
	importer
	dir             string // of the sources
	suffix          string // of URLs: ".html" or ""
	lang, version   string // the default ones, which are not in URLs
	langs, versions []string
}

// findRspress finds a site by rspress.config.*.
func findRspress(d *directory) []*Site {
	name := d.script("rspress.config")
	if name == "" {
		return nil
	}
	_, conf := d.tree.readScript(d.in(name))
	root, ok := d.inside(pathIn(conf.get("root"), "docs"))
	if !ok || !d.tree.isDir(root) {
		return nil
	}
	s := d.newSite("Rspress", name)
	s.Slug, s.Dialect, s.mdx = slug.Rspress, markdown.Rspress, markdown.Docusaurus
	if base := conf.get("base"); base.isUnknown() {
		s.IsBaseKnown = false
	} else {
		s.setBase(base.text("/"))
	}
	s.Origin = strings.TrimSuffix(conf.get("siteOrigin").text(""), "/")
	g := &rspress{dir: root, suffix: ".html"}
	if conf.get("route", "cleanUrls").isTrue(false) {
		g.suffix = ""
	}
	g.languages(conf)
	s.Mounts = []*Mount{{Dir: root + "/public", URL: "/", Kind: Static}}
	if match := anyGlob(conf.get("route", "exclude").texts()); match != nil {
		s.Mounts = append(s.Mounts, &Mount{Dir: root, URL: "/", Kind: Hidden, Match: match, Why: "excluded by route.exclude"})
	}
	if !conf.get("route", "excludeConvention").isGiven() {
		isPart := func(rel string) bool {
			return strings.HasPrefix(path.Base(rel), "_") || strings.Contains("/"+rel, "/_")
		}
		s.Mounts = append(s.Mounts, &Mount{Dir: root, URL: "/", Kind: Partial, Match: isPart})
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: root, URL: "/", Kind: Pages})
	s.suffixes = []string{".md", ".mdx", ".js", ".jsx", ".ts", ".tsx"}
	s.slash, s.knowsParts, s.hasComponents = slashNever, true, true
	s.route, s.partsIn, s.navigate = g.route, g.partsIn, g.navigate
	s.generates = conf.isUnknown() || rspressMaker.Match(d.tree.config(d.in(name)))
	s.isClosed = !s.generates
	if conf.get("llms").isGiven() {
		s.isMadeAt = func(s *Site, u string) bool { // pages are published as text, too
			stem, ok := strings.CutSuffix(u, ".md")
			return ok && s.routes[stem+g.suffix] != nil
		}
	}
	s.table[Markdown] = []step{g.link}
	s.table[Image] = []step{byBundler}
	s.table[HTML] = []step{byURL}
	s.table[HTMLSource] = []step{g.source}
	s.table[Component] = []step{g.component}
	s.explain = explainVue
	return []*Site{s}
}

// rspressMaker matches what makes pages that have no source.
var rspressMaker = lazy.New(`addPages|addSSGRoutes|from ['"]\.[^'"]*plugin|(?i:typedoc|openapi|pluginRss|plugin-rss|['"]blog)`)

// script returns the name of the first script in the directory with a stem, or "".
func (d *directory) script(stem string) string {
	for _, ext := range scriptSuffixes {
		if name := d.first(stem + "." + ext); name != "" {
			return name
		}
	}
	return ""
}

// pathIn returns the path that a configuration gives, below its directory, also by path.join(__dirname, "x"). It is deflt
// if the value is not known.
func pathIn(v value, deflt string) string {
	if v.Kind != literal.Call {
		return v.text(deflt)
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
func (g *rspress) languages(conf value) {
	for _, locales := range []value{conf.get("locales"), conf.get("themeConfig", "locales")} {
		for _, one := range locales.list() {
			if lang := one.get("lang").text(""); lang != "" {
				g.langs = append(g.langs, lang)
			}
		}
	}
	g.lang = conf.get("lang").text("")
	g.version = conf.get("multiVersion", "default").text("")
	g.versions = conf.get("multiVersion", "versions").texts()
}

// split separates the version and the language from a path without a leading slash.
func (g *rspress) split(p string) (version, lang, rest string) {
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
func (g *rspress) urlOf(s *Site, p string) string {
	p = strings.TrimPrefix(p, "/")
	if s.isDocument(p) {
		p = strings.TrimSuffix(p, path.Ext(p))
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

func (g *rspress) route(s *Site, p *Page) {
	u := cleanURL(g.urlOf(s, p.Rel))
	stem := strings.TrimSuffix(path.Base(p.Rel), path.Ext(p.Rel))
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

// link resolves a Markdown link: relative to the file that holds it, or from the root in the same language and version.
// A link to no page is left as it is.
func (g *rspress) link(s *Site, r *reference) (all []candidate) {
	var full string
	switch {
	case r.path == "":
		return byURL(s, r)
	case r.isRooted():
		version, lang, rest := g.split(strings.TrimLeft(r.path, "/"))
		inVersion, inLang, _ := g.split(strings.TrimPrefix(r.use.File, g.dir+"/"))
		if version == "" {
			version = inVersion
			if lang == "" {
				lang = inLang
			}
		}
		full = path.Join("/", version, lang, rest)
	default:
		file := path.Join(r.dir(), r.path)
		if s.isDocument(file) {
			all = append(all, fileCandidate(file))
		}
		rest, ok := strings.CutPrefix(file, g.dir)
		if !ok {
			return append(all, byURL(s, r)...)
		}
		full = rest
	}
	u := strings.TrimSuffix(s.Base, "/") + cleanURL(g.urlOf(s, full))
	return append(append(all, urlCandidate(u)), byURLWithBaseOnce(s, r)...)
}

// source resolves the source of an element: relative to the file, while "/x" is left as it is.
func (g *rspress) source(s *Site, r *reference) []candidate {
	if r.isRooted() {
		return byURL(s, r)
	}
	return byAsset(s, r)
}

// component resolves an attribute of a component, whose links add the base.
func (g *rspress) component(s *Site, r *reference) []candidate {
	if r.isRooted() {
		return append(g.link(s, r), byURL(s, r)...)
	}
	return maybeChanged(r, append(byAsset(s, r), byURL(s, r)...))
}

// navigate adds the entries of the navigation in the configuration, and in the files _nav.json and _meta.json.
func (g *rspress) navigate(s *Site, n *navigator) {
	_, conf := s.tree.readScript(s.Config)
	themes := []value{conf.get("themeConfig")}
	themes = append(themes, conf.get("themeConfig", "locales").list()...)
	for _, theme := range themes {
		g.items(s, n, s.Config, theme.get("nav").Value)
		for _, list := range theme.get("sidebar").Unwrap().All() {
			g.items(s, n, s.Config, list)
		}
	}
	s.tree.files(g.dir, s.skips, func(rel string) {
		switch file := g.dir + "/" + rel; path.Base(rel) {
		case "_nav.json":
			g.items(s, n, file, n.read(file))
		case "_meta.json":
			g.meta(s, n, file)
		}
	})
}

// items adds links of items and of those in them.
func (g *rspress) items(s *Site, n *navigator, file string, list literal.Value) {
	const maxItems = 10_000
	for i, item := range list.Items {
		if i == maxItems {
			return
		}
		n.add(file, "nav", item.Get("link"), func(ref string) Result { return g.byNav(s, n, file, ref) })
		g.items(s, n, file, item.Get("items"))
	}
}

// byNav resolves a link of the navigation in the language of its file.
func (g *rspress) byNav(s *Site, n *navigator, file, ref string) Result {
	m := n.pages()
	if m == nil || !strings.HasPrefix(ref, "/") {
		return Result{State: Unknown, Why: "relative to each page that shows it"}
	}
	return s.Resolve(Use{Page: &Page{File: file, Mount: m, Routes: []string{"/"}}, File: file}, Markdown, "nav/link", ref)
}

// meta adds the entries of a _meta.json: names of files and directories beside it, and links.
func (g *rspress) meta(s *Site, n *navigator, file string) {
	dir := path.Dir(file)
	byName := func(ref string) Result {
		at := path.Join(dir, ref)
		for _, ext := range append([]string{""}, s.suffixes...) {
			if below(at, g.dir) && (s.tree.isFile(at+ext) || s.tree.isDir(at+ext)) {
				return Result{State: Found, File: at + ext, Page: s.pages[at+ext]}
			}
		}
		if s.generates || s.tree.isIgnored(at) {
			return Result{State: Unknown, Why: "a plugin may make the page"}
		}
		return n.missingFile(at)
	}
	for _, item := range n.read(file).Items {
		n.addIn(dir, file, "sidebar", item, byName)
		if t := item.Get("type").Text; t == "file" || t == "dir" || t == "dir-section-header" {
			n.addIn(dir, file, "sidebar", item.Get("name"), byName)
		}
		n.add(file, "sidebar", item.Get("link"), func(ref string) Result { return g.byNav(s, n, file, ref) })
	}
}
