package site

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// findStarlight finds a site of Astro by astro.config.*. With Starlight, its documents are in
// src/content/docs. Without it, the contents of other collections are unknown.
func findStarlight(d *directory) []*Site {
	name := ""
	for _, ext := range scriptSuffixes {
		if name == "" {
			name = d.first("astro.config." + ext)
		}
	}
	if name == "" {
		return nil
	}
	text := string(d.tree.config(d.in(name)))
	_, conf := d.tree.readScript(d.in(name))
	s := d.newSite("Starlight", name)
	g := &starlight{isFile: conf.get("build", "format").text("") == "file", hasNoSlash: conf.get("trailingSlash").text("") == "never"}
	if !strings.Contains(text, "starlight") {
		s.Generator, g.isPlain = "Astro", true
	}
	s.Slug, s.Dialect, s.mdx = slug.GitHub, markdown.Starlight, markdown.StarlightMDX
	if base := conf.get("base"); base.isUnknown() {
		s.IsBaseKnown = false
	} else {
		s.setBase(base.text("/"))
	}
	s.Origin = strings.TrimSuffix(conf.get("site").text(""), "/")
	src := conf.get("srcDir").text("./src")
	content, ok := d.inside(path.Join(src, "content/docs"))
	pages, _ := d.inside(path.Join(src, "pages"))
	public, ok2 := d.inside(conf.get("publicDir").text("./public"))
	if !ok || !ok2 {
		return nil
	}
	options := starlightOptions(conf)
	g.locales(s, options, d.tree.list(content))
	if options.get("plugins").isGiven() || conf.isUnknown() {
		s.generates = true
	}
	g.pluginRoutes(s, d, text, src)
	s.isWhole = s.Base != "/" && s.IsBaseKnown && !s.generates && makesAllPages(conf)
	isPart := func(rel string) bool { return strings.HasPrefix(path.Base(rel), "_") || strings.Contains(rel, "/_") }
	s.Mounts = []*Mount{{Dir: public, URL: "/", Kind: Static}}
	if d.tree.isDir(content) {
		s.Mounts = append(s.Mounts,
			&Mount{Dir: content, URL: "/", Kind: Hidden, Match: isPart, Why: "its name begins with an underscore"},
			&Mount{Dir: content, URL: "/", Kind: Pages, Name: "docs"})
	}
	s.Mounts = append(s.Mounts,
		&Mount{Dir: pages, URL: "/", Kind: Hidden, Match: isPart, Why: "its name begins with an underscore"},
		&Mount{Dir: pages, URL: "/", Kind: Pages, Name: "pages"})
	if dir, ok := d.inside(path.Join(src, "content")); ok && g.isPlain && d.tree.isDir(dir) {
		s.Mounts = append(s.Mounts,
			&Mount{Dir: dir, URL: "/", Kind: Hidden, Match: isPart, Why: "its name begins with an underscore"},
			&Mount{Dir: dir, URL: "/", Kind: Pages, Name: "content"})
	}
	if dir, ok := d.inside(src); ok {
		s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Partial, Name: "src"})
	}
	s.suffixes = []string{".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdwn", ".mdoc", ".astro", ".html", ".js", ".ts"}
	s.readsFront = true
	g.redirects(s, d, name, conf.get("redirects"))
	s.redirects = append(s.redirects, "/404.html")
	s.route, s.finish, s.isMadeAt, s.navigate = g.route, g.finish, g.isMadeAt, g.navigate
	s.made = append(s.made, "/pagefind/", "/_astro/")
	s.table[Markdown] = []step{byURL}
	if linkPlugin.MatchString(text) {
		s.table[Markdown] = []step{byURL, bySource, byStem}
	}
	s.table[Image] = []step{g.image}
	s.table[HTML] = []step{byURL}
	s.table[Component] = []step{g.component}
	s.hasComponents = true
	s.markupType = func(s *Site, file string) string {
		if m := s.mountOf(file); m == nil || m.Name != "pages" {
			return ""
		}
		return templateType(s, file, ".astro")
	}
	s.explain, s.partsIn, s.knowsParts = g.explain, g.partsIn, true
	g.closes(s, d, text, src)
	return []*Site{s}
}

// linkPlugin matches the names of plugins that make URLs of links in Markdown to other sources.
var linkPlugin = lazy.New(`(?i)relative-?(?:markdown-?)?links|(?:fix|rewrite|transform|resolve|internal|markdown|md)-?(?:internal-?|relative-?|md-?|markdown-?)*links?\b`)

// byStem resolves a link to a source as a plugin does that drops the suffix.
func byStem(s *Site, r *reference) []candidate {
	if !isMarkdownSuffix(r.path) || r.isRooted() {
		return nil
	}
	return s.urls(r, strings.TrimSuffix(r.path, path.Ext(r.path)), "")
}

// starlightOptions returns the argument of starlight(…) in the integrations of Astro.
func starlightOptions(conf value) value {
	isNamed := func(call value) bool {
		return call.Kind == literal.Call && strings.Contains(strings.ToLower(call.Text), "starlight")
	}
	hasTitle := func(call value) bool { return call.get("title").Kind == literal.String }
	calls := conf.get("integrations").list()
	for _, isStarlight := range []func(value) bool{isNamed, hasTitle} {
		if i := slices.IndexFunc(calls, isStarlight); i >= 0 {
			return value{calls[i].Unwrap()}
		}
	}
	return value{}
}

// routelessIntegrations are integrations of Astro that make no pages.
var routelessIntegrations = strings.Fields("alpinejs icon lit markdoc mdx partytown preact react robotstxt sitemap solidjs solid starlight svelte tailwind unocss vue")

// makesAllPages reports whether all integrations of a configuration are known to make no pages without
// a source.
func makesAllPages(conf value) bool {
	integrations := conf.get("integrations")
	if conf.Kind != literal.Map || conf.Open || integrations.isUnknown() || integrations.Open {
		return false
	}
	for _, call := range integrations.list() {
		if call.Kind != literal.Call || !slices.Contains(routelessIntegrations, strings.ToLower(call.Function())) {
			return false
		}
	}
	return true
}

// pluginRoute is an option of a plugin or of a loader that says where it makes pages.
var pluginRoute = lazy.New(`\b(?:base|route|prefix|output)\s*:\s*["'\x60]/?([\w-][\w/.-]*)["'\x60]`)

// pluginRoutes finds the URLs at which plugins say that they make pages, such as changelogs and
// descriptions of interfaces.
func (g *starlight) pluginRoutes(s *Site, d *directory, config, src string) {
	texts := []string{config}
	for _, name := range collectionConfigs {
		if file, ok := d.inside(path.Join(src, name)); ok {
			texts = append(texts, string(d.tree.config(file)))
		}
	}
	for _, text := range texts {
		for _, m := range pluginRoute.FindAllStringSubmatch(text, -1) {
			if at := "/" + strings.Trim(m[1], "/") + "/"; at != s.Base {
				s.made = append(s.made, at)
			}
		}
	}
}

// redirects adds the URLs that the configuration redirects. If it spreads values from other files,
// those whose keys are URLs count as redirects.
func (g *starlight) redirects(s *Site, d *directory, config string, conf value) {
	targets := map[string]string{}
	keys := conf.keys()
	for _, from := range keys {
		targets[from] = conf.get(from).text(conf.get(from, "destination").text(""))
	}
	if conf.isUnknown() || conf.Open {
		m := module{d.tree, maxModules}
		known := map[string]bool{}
		for _, name := range d.tree.readFile(d.in(config)).Names.Entries {
			if isImport(name.Value) {
				more := value{m.follow(d.in(config), name.Value, 0)}
				for _, from := range more.keys() {
					keys, targets[from] = append(keys, from), more.get(from).text("")
				}
				known[name.Key] = more.Kind == literal.Map && !more.Open
			}
		}
		g.hasUnknown = conf.isUnknown() || !spreadsKnown(string(d.tree.config(d.in(config))), known)
		s.generates = s.generates || g.hasUnknown
	}
	for _, from := range keys {
		switch i := strings.IndexByte(from, '['); {
		case !strings.HasPrefix(from, "/"):
		case i >= 0:
			s.made = append(s.made, from[:i])
		default:
			s.move(strings.TrimSuffix(from, "/")+"/", targets[from])
		}
	}
}

// starlight holds the settings of an Astro configuration.
type starlight struct {
	isFile     bool // pages are x.html
	hasNoSlash bool // URLs of pages have no slash at the end
	isPlain    bool // without Starlight
	hasUnknown bool // there are redirects that are not known
	importer
	dynamic []string // URLs below which routes are made: of files with "[" in their names
	deflt   string   // first segment of the default language, "" for none
}

var localeName = lazy.New(`^[a-z]{2,3}(-[a-z]{2,4})?$`)

// locales sets the languages. Pages without a translation are shown in the default language. If the
// configuration keeps the languages in another file, they are the directories named like a language.
func (g *starlight) locales(s *Site, options value, content map[string]fs.FileMode) {
	deflt := options.get("defaultLocale").text("")
	locales := options.get("locales").keys()
	if len(locales) == 0 && options.get("locales").isUnknown() {
		for name, mode := range content {
			if mode.IsDir() && localeName.MatchString(name) {
				locales = append(locales, name)
			}
		}
		slices.Sort(locales)
	}
	for _, lang := range locales {
		if lang == "root" {
			continue
		}
		if lang == deflt {
			g.deflt = lang
			continue
		}
		s.langs = append(s.langs, lang)
	}
	s.defaultLang = g.deflt
}

var slugger = lazy.New(`[^\p{L}\p{M}\p{N}\p{Pc}\- ]`)

// slugPath makes the slug of each segment of a path, as github-slugger does.
func slugPath(p string) string {
	names := strings.Split(p, "/")
	for i, name := range names {
		names[i] = strings.ReplaceAll(slugger.ReplaceAllString(strings.ToLower(name), ""), " ", "-")
	}
	return strings.Join(names, "/")
}

func (g *starlight) route(s *Site, p *Page) {
	stem := strings.TrimSuffix(p.Rel, path.Ext(p.Rel))
	if p.Mount.Name == "pages" {
		stem = strings.TrimSuffix(stem, path.Ext(stem)) // data.json.ts
		if i := strings.IndexByte(p.Rel, '['); i >= 0 {
			g.dynamic = append(g.dynamic, "/"+p.Rel[:strings.LastIndexByte(p.Rel[:i], '/')+1])
			if !strings.Contains(p.Rel, "[...") { // its depth is known
				p.Routes = []string{g.url(strings.TrimSuffix(stem, "/index"))}
			}
			return
		}
		if stem == "404" || stem == "500" {
			p.Routes = []string{"/" + stem + ".html"}
			return
		}
		if ext := path.Ext(strings.TrimSuffix(p.Rel, path.Ext(p.Rel))); ext != "" {
			p.Routes = []string{"/" + stem + ext}
			return
		}
	} else {
		if p.Mount.Name == "content" {
			return // code shows it on pages
		}
		if p.front.get("draft").isTrue(false) {
			p.Why = "a draft"
			return
		}
		if u := p.front.get("slug").text(""); u != "" {
			p.Routes = []string{g.url(strings.Trim(u, "/"))}
			return
		}
		stem = slugPath(stem)
	}
	if stem == "index" {
		stem = ""
	}
	p.Routes = []string{g.url(strings.TrimSuffix(stem, "/index"))}
	if u := p.Routes[0]; g.hasNoSlash && len(u) > 1 && strings.HasSuffix(u, "/") { // hosts may add it all the same
		p.Routes = []string{strings.TrimSuffix(u, "/"), u}
	}
}

func (g *starlight) url(stem string) string {
	switch {
	case stem == "":
		return "/"
	case g.isFile:
		return "/" + stem + ".html"
	}
	return "/" + stem + "/"
}

func (g *starlight) finish(s *Site) {
	if slices.Contains(g.dynamic, "/") {
		s.isWhole = false
	}
	for _, u := range s.redirects {
		s.addRoute(u)
	}
	s.segments["404"] = true
	for _, p := range s.pages {
		p.IDs = []string{"_top"}
	}
}

// isMadeAt reports whether a URL is below a route with parameters.
func (g *starlight) isMadeAt(s *Site, u string) bool {
	return strings.Contains(u, "[") || slices.ContainsFunc(g.dynamic, func(dir string) bool { return strings.HasPrefix(u, dir) && (dir != "/" || g.isPlain) })
}

// image resolves an image: a relative one is an asset.
func (g *starlight) image(s *Site, r *reference) []candidate {
	switch {
	case strings.HasPrefix(r.path, "~") || strings.HasPrefix(r.path, "@"):
		return []candidate{{unknown: "an alias of the bundler"}}
	case r.isRooted():
		return byURL(s, r)
	}
	c := fileCandidate(path.Join(r.dir(), r.path))
	c.isAsset = true
	return []candidate{c}
}

// component resolves an attribute of a component: an image is an asset, or a URL.
func (g *starlight) component(s *Site, r *reference) []candidate {
	if strings.HasSuffix(r.in, "/src") || strings.HasPrefix(r.path, "~") || strings.HasPrefix(r.path, "@") {
		return maybeChanged(r, g.image(s, r))
	}
	return maybeChanged(r, byURL(s, r))
}

func (g *starlight) explain(s *Site, r *reference) (why, other string) {
	if r.isRooted() {
		return "", ""
	}
	file := path.Join(r.dir(), r.path)
	if p := s.pages[file]; p != nil && p.Why == "" {
		return "links are not rewritten: this is relative to " + s.Route(r.use.Page), file
	}
	return "relative to " + s.Route(r.use.Page), ""
}
