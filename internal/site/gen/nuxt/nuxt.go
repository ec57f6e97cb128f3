// Package nuxt supports sites of Nuxt Content, versions 2 and 3, among them those of Docus and UnDocs.
package nuxt

import (
	"path"
	"regexp"
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
)

// A model holds the settings of a site.
type model struct {
	web.RawText
	web.Router
	dir       *source.Dir
	sources   []collection
	urls      []string     // in the configuration
	made      []string     // prefixes of URLs below which pages may be that have no source here
	redirects web.Patterns // URLs that redirect
	// hasMoreRules is set if code computes rules of routes, which may redirect.
	hasMoreRules bool
	moreRules    web.CodeRedirects
	parents      map[string]bool // URLs of directories that have no page of their own
	byCode       string          // a file of code that may redirect from these, or ""
	isSecond     bool            // version 2
	isTheme      bool            // Docus or UnDocs, which say what there is besides the documents
	mayRelate    bool            // a module copies images beside documents
	components   lazy.Value[map[string]string]
	makers       lazy.Map[string, bool]     // components by name, and whether they may make ids
	used         lazy.Map[string, []string] // by file; see usedIn
}

// Generator finds sites of Nuxt Content.
var Generator = &site.Generator{Name: "Nuxt Content", Configs: []string{"nuxt.config.*", "content.config.*", "app.config.*", ".docs/"}, Indexes: []string{"index.md"}, Find: find}

// find finds a site by nuxt.config.* or content.config.* beside a directory of contents, or by the
// directory .docs of UnDocs.
func find(d *source.Dir) []*site.Site {
	if d.HasDir(".docs") && dependsOn(d, "undocs") {
		return findUnDocs(d)
	}
	name := d.Script("nuxt.config")
	config := d.Script("content.config")
	if config != "" && !strings.Contains(string(d.Tree.Config(d.In(config))), "@nuxt/content") {
		config = "" // Astro has a file with this name
	}
	ofTheme := d.Script("app.config") // with a theme, it is enough
	if name == "" && config == "" && ofTheme == "" {
		return nil
	}
	docus := dependsOn(d, "docus")
	if name == "" {
		name = config
	}
	if name == "" && docus {
		name = ofTheme
	}
	if name == "" {
		return nil
	}
	g := &model{Router: web.Router{RestMayBeEmpty: true}, dir: d, isTheme: docus}
	_, conf := d.Tree.ReadScript(d.In(name))
	app := "app"
	if !d.HasDir("app") {
		app = conf.Lookup("srcDir").Or(".")
	}
	srcDir, ok := d.Inside(app)
	text := string(d.Tree.Config(d.In(name)))
	hasContent := config != "" || dependsOn(d, "@nuxt/content") || docus || usesContent.MatchString(text)
	if !ok || !hasContent {
		return nil
	}
	g.isSecond = config == "" && isSecond(d)
	g.mayRelate = dependsOn(d, "nuxt-content-assets")
	dir := d.In("content")
	if !d.Tree.IsDir(dir) && g.isSecond {
		dir = path.Join(srcDir, "content")
	}
	if !g.readSources(dir, conf) {
		return nil
	}
	plan := g.plan(name, conf.Lookup("app", "baseURL"))
	plan.Static = []string{d.In("public")}
	if srcDir != d.Path && !d.HasDir("public") {
		plan.Static = []string{path.Join(srcDir, "public")}
	}
	plan.Langs = locales(conf)
	g.readRules(plan, conf.Lookup("routeRules"))
	g.readRules(plan, conf.Lookup("nitro", "routeRules"))
	if conf.IsUnknown() || conf.Open || g.hasMore(conf, text) {
		plan.Generates, plan.Known = true, site.OpenRoutes
	}
	g.urls = urlsIn(conf)
	g.isTheme = g.isTheme && !g.isSecond
	s := plan.Site(d, g)
	s.IsBaseKnown = s.IsBaseKnown && !conf.IsUnknown()
	g.addMounts(s)
	return []*site.Site{s}
}

// urlsIn returns the URLs in a configuration: the routes of modules, and of pages to render.
func urlsIn(conf source.Value) (urls []string) {
	add := func(v literal.Value) {
		if u := v.Text; v.Kind == literal.String && strings.HasPrefix(u, "/") && !strings.ContainsAny(u, "*:[({. ") && len(urls) < maxURLs {
			urls = append(urls, u)
		}
	}
	conf.Walk(func(v literal.Value) bool {
		for key, to := range v.All() {
			if key != "redirect" && key != "to" && key != "baseURL" {
				add(to)
			}
		}
		if v.Kind == literal.List {
			for _, item := range v.Items {
				add(item)
			}
		}
		return true
	})
	return urls
}

// usesContent finds the module, or a layer with it, in a configuration.
var usesContent = lazy.New(`['"]@nuxt/content['"]|['"](?:@nuxt-themes/)?docus['"]|\bcontent\s*:\s*\{`)

// plan returns what all sites have.
func (g *model) plan(config string, base source.Value) *site.Plan {
	return &site.Plan{
		Generator: "Nuxt Content", Config: config, Slug: slug.Nuxt, Dialect: markdown.Nuxt, Base: base,
		Settings: site.Settings{
			Suffixes: []string{".md"}, Slash: site.SlashIgnored, Knows: site.AllParts, FrontMatter: true, Known: site.ClosedRoutes, IsProgram: true,
			Made: []string{"/_nuxt/", "/_ipx/", "/__nuxt_content/", "/raw/", "/mcp/", "/__og-image__/", "/_og/"},
			Links: site.Links{
				site.Markdown: {g.link}, site.Image: {g.image}, site.HTML: {g.link}, site.HTMLSource: {g.image}, site.Component: {g.component},
			},
		},
	}
}

// findUnDocs finds the site of a directory whose documents are beside .docs.
func findUnDocs(d *source.Dir) []*site.Site {
	g := &model{Router: web.Router{RestMayBeEmpty: true}, dir: d, isTheme: true}
	name := ".docs"
	conf := source.Value{}
	for _, file := range []string{".config/docs.yaml", ".config/docs.yml", ".config/docs.json", ".config/docs.ts", ".config/docs.mjs", "docs.config.ts", "docs.config.mjs", "docs.yaml", "docs.yml", "docs.config.json"} {
		if d.Tree.IsFile(d.In(file)) {
			name = file
			_, conf = d.Tree.ReadScript(d.In(file))
			break
		}
	}
	hidden := source.AnyGlob([]string{".*/**", "**/.*/**", "**/.*", ".*", "node_modules/**", "**/node_modules/**", "**/dist/**", "dist/**"})
	g.sources = []collection{{cwd: d.Path, include: source.Glob("**/*.{md,yml}"), exclude: hidden, isPages: true}}
	plan := g.plan(name, source.Value{})
	plan.Static = []string{d.In(".docs/public")}
	plan.DotDirs = []string{".docs"}
	g.readRedirects(plan, conf.Lookup("redirects"))
	if conf.IsUnknown() || conf.Lookup("redirects").IsUnknown() {
		plan.Generates, plan.Known = true, site.OpenRoutes
	}
	s := plan.Site(d, g)
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.In(".docs"), URL: "/", Kind: site.Hidden, IsCode: true})
	g.addMounts(s)
	return []*site.Site{s}
}

// dependsOn reports whether the package.json of a directory, or of one above it, depends on a package or
// runs its program.
func dependsOn(d *source.Dir, name string) bool {
	for at := d.Path; source.Below(at, d.Tree.Root); at = path.Dir(at) {
		up := source.NewDir(d.Tree, at)
		if up.DependsOn(name) || up.DependsOn("@nuxt-themes/"+name) {
			return true
		}
		for _, script := range d.Tree.Read(up.In("package.json")).Lookup("scripts").All() {
			if strings.Contains(" "+script.Text+" ", " "+name+" ") {
				return true
			}
		}
		if at == d.Tree.Root || path.Dir(at) == at {
			break
		}
	}
	return false
}

// isSecond reports whether package.json names version 2 of Nuxt Content, or a theme that builds on it.
func isSecond(d *source.Dir) bool {
	conf := d.Tree.Read(d.In("package.json"))
	for _, key := range []string{"dependencies", "devDependencies"} {
		version := strings.TrimLeft(conf.Lookup(key, "@nuxt/content").Or(""), "^~>=v ")
		if strings.HasPrefix(version, "2.") || version == "2" || conf.Lookup(key, "@nuxt-themes/docus").IsGiven() {
			return true
		}
	}
	return false
}

// locales returns the languages of the module i18n.
func locales(conf source.Value) (codes []string) {
	for _, l := range conf.Lookup("i18n", "locales").List() {
		if code := l.Lookup("code").Or(l.Or("")); code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

// hasMore reports whether code may publish pages that are neither documents nor components of pages here:
// layers other than Docus, and modules of the project that add pages or redirects.
func (g *model) hasMore(conf source.Value, text string) bool {
	if pageHook.MatchString(text) {
		return true
	}
	for _, layer := range conf.Lookup("extends").List() {
		if name := layer.Or(""); name != "docus" && name != "@nuxt-themes/docus" {
			return true
		}
	}
	found := false
	for _, dir := range []string{"modules", "layers", "server/middleware"} {
		if !g.dir.HasDir(path.Dir(dir+"/")) || !g.dir.Tree.IsDir(g.dir.In(dir)) {
			continue
		}
		g.dir.Tree.Files(g.dir.In(dir), skipped, func(rel string) {
			found = found || dir == "layers" || pageHook.Match(g.dir.Tree.Config(g.dir.In(dir+"/"+rel)))
		})
	}
	return found
}

var pageHook = lazy.New(`pages:extend|extendPages|extendRouteRules|addServerHandler|sendRedirect|\bredirect\s*\(`)

func skipped(name string) bool { return name == "node_modules" || name[0] == '.' }

// readRules reads the rules of routes that redirect.
func (g *model) readRules(plan *site.Plan, rules source.Value) {
	for _, rule := range rules.Entries {
		if to := (source.Value{Value: rule.Value}).Lookup("redirect"); to.IsGiven() {
			if to.Lookup("to").IsGiven() && to.Kind == literal.Map {
				to = to.Lookup("to")
			}
			g.redirect(plan, literal.Entry{Key: rule.Key, At: rule.At, Value: to.Value})
		}
	}
	if rules.IsUnknown() || rules.Open {
		plan.Generates, plan.Known, g.hasMoreRules = true, site.OpenRoutes, true
	}
}

// DecidedBy returns the file of code that decides what is at a URL below the base: a page with parameters, or the
// configuration if it computes rules of routes, which may redirect. It returns "" if none does.
func (g *model) DecidedBy(s *site.Site, u string) string {
	if file := g.Router.DecidedBy(s, u); file != "" || !g.hasMoreRules {
		return file
	}
	return g.moreRules.DecidedBy(s, u)
}

// readRedirects reads a table of redirects.
func (g *model) readRedirects(plan *site.Plan, rules source.Value) {
	for _, rule := range rules.Entries {
		g.redirect(plan, rule)
	}
}

// maxURLs is the number of URLs in a configuration that are read.
const maxURLs = 1000

func (g *model) redirect(plan *site.Plan, rule literal.Entry) {
	if !strings.ContainsAny(rule.Key, ":*({") {
		plan.Moves = append(plan.Moves, rule)
		return
	}
	expr := strings.NewReplacer(`/\*\*`, `(?:/.*)?`, `\*\*`, `.*`, `\*`, `[^/]*`).Replace(regexp.QuoteMeta(rule.Key))
	if re, err := regexp.Compile("^" + expr + "$"); err == nil {
		g.redirects.Add(rule.Key, re)
	}
}

// Makes reports whether a redirect, or pages from elsewhere, decide about a URL.
func (g *model) Makes(_ *site.Site, u string) bool {
	u = strings.TrimSuffix(u, "/")
	if g.parents[u] && g.byCode != "" {
		return true
	}
	return slices.ContainsFunc(g.made, func(prefix string) bool { return strings.HasPrefix(u+"/", prefix) }) ||
		g.redirects.Match(u)
}

// link resolves a link, which is one of the router: "/x" is below the base, all others are relative to the
// URL of the page. In Markdown, "x.md" that is not "/x.md" becomes the URL that the document would have.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	p := r.Path
	if r.Form == site.Markdown && !r.IsRooted() && strings.HasSuffix(p, ".md") {
		if u, ok := urlOf(strings.TrimSuffix(p, ".md")); ok {
			p = strings.TrimPrefix(u, "/")
		}
	}
	all := s.URLs(r, p, strings.TrimSuffix(s.Base, "/"))
	if lang := s.LangOf(route(r)); lang != "" && r.IsRooted() && s.LangOf(p) == "" { // a component may add the language of the page
		all = append(all, s.URLs(r, "/"+lang+p, strings.TrimSuffix(s.Base, "/"))...)
	}
	return all
}

func route(r *site.Reference) string {
	if len(r.Use.Page.Routes) == 0 {
		return ""
	}
	return r.Use.Page.Routes[0]
}

// image resolves an image: "/x" is in the directory public.
func (g *model) image(s *site.Site, r *site.Reference) []site.Candidate {
	all := site.ByURLWithBaseOnce(s, r)
	if g.mayRelate {
		all = append(all, site.ByAsset(s, r)...)
	}
	return all
}

// component resolves a property of a component.
func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	return site.MaybeChanged(r, append(g.link(s, r), g.image(s, r)...))
}

// Explain says what a relative link is relative to.
func (g *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	if r.IsRooted() || r.Path == "" {
		return reason.Reason{}, ""
	}
	return site.ExplainSource(s, r)
}

// Navigate adds the links in front matter and in app.config.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	for _, name := range []string{"app.config.ts", "app/app.config.ts"} {
		file := g.dir.In(name)
		if !g.dir.Tree.IsFile(file) {
			continue
		}
		n.Read(file).Walk(func(v literal.Value) bool {
			n.Add(file, "app.config", v.Get("to"), n.ByURL)
			return true
		})
	}
	n.Front(func(p *site.Page, front literal.Value) {
		front.Walk(func(v literal.Value) bool {
			n.Add(p.File, "front matter", v.Get("to"), n.InPage(p, site.Component))
			for _, key := range []string{"src", "image"} {
				if ref := v.Get(key); strings.HasPrefix(ref.Text, "/") {
					n.Add(p.File, "front matter", ref, n.InPage(p, site.HTMLSource))
				}
			}
			return true
		})
	})
}
