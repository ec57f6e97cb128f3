// Package starlight supports sites of Astro, with and without Starlight.
package starlight

import (
	"fmt"
	"io/fs"
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

// Generator finds sites of Starlight.
var Generator = &site.Generator{
	Name: "Starlight", Configs: []string{"astro.config.*"},
	Indexes: []string{"index.md", "index.mdx", "index.markdown"}, Output: "dist", Find: find,
}

// find finds a site of Astro by astro.config.*. With Starlight, its documents are in
// src/content/docs. Without it, the contents of other collections are unknown.
func find(d *source.Dir) []*site.Site {
	name := d.Script("astro.config")
	if name == "" {
		return nil
	}
	text := string(d.Tree.Config(d.In(name)))
	_, conf := d.Tree.ReadScript(d.In(name))
	s := site.New(d, "Starlight", name)
	g := &model{isFile: conf.Lookup("build", "format").Or("") == "file", hasNoSlash: conf.Lookup("trailingSlash").Or("") == "never"}
	if !strings.Contains(text, "starlight") {
		s.Generator, g.isPlain = "Astro", true
	}
	s.Slug, s.Dialect, s.MDX = slug.GitHub, markdown.Starlight, markdown.StarlightMDX
	s.SetBaseTo(conf.Lookup("base"))
	hasServer := conf.Lookup("adapter").IsGiven() || conf.Lookup("output").Or("static") != "static"
	s.HasBothSlashes = hasServer && conf.Lookup("trailingSlash").Or("ignore") == "ignore"
	s.Origin = strings.TrimSuffix(conf.Lookup("site").Or(""), "/")
	src := conf.Lookup("srcDir").Or("./src")
	content, ok := d.Inside(path.Join(src, "content/docs"))
	pages, _ := d.Inside(path.Join(src, "pages"))
	public, ok2 := d.Inside(conf.Lookup("publicDir").Or("./public"))
	if !ok || !ok2 {
		return nil
	}
	options := starlightOptions(conf)
	g.locales(s, options, d.Tree.List(content))
	if options.Lookup("plugins").IsGiven() || conf.IsUnknown() {
		s.Generates = true
	}
	g.pluginRoutes(s, d, text, src)
	if s.Base != "/" && s.IsBaseKnown && !s.Generates && makesAllPages(conf) {
		s.Known = site.WholeSite
	}
	isPart := func(rel string) bool { return strings.HasPrefix(rel, "_") || strings.Contains(rel, "/_") }
	isPartOfDocs := isPart
	if g.hasLoader(d, src) { // which matches the names of files alone
		isPartOfDocs = func(rel string) bool { return strings.HasPrefix(path.Base(rel), "_") }
	}
	s.Mounts = []*site.Mount{{Dir: public, URL: "/", Kind: site.Static}}
	publish := func(dir, name string, isPart func(rel string) bool) {
		s.Mounts = append(s.Mounts,
			&site.Mount{Dir: dir, URL: "/", Kind: site.Hidden, Match: isPart, Why: underscored},
			&site.Mount{Dir: dir, URL: "/", Kind: site.Pages, Name: name})
	}
	if !g.isPlain && d.Tree.IsDir(content) {
		publish(content, "docs", isPartOfDocs)
	}
	publish(pages, "pages", isPart)
	s.IsProgram = g.isPlain // code publishes the documents of other collections: where, the links between them show
	if dir, ok := d.Inside(src); ok {
		m := &site.Mount{Dir: dir, URL: "/", Kind: site.Partial, Name: "src"}
		if g.isPlain {
			m.Match = func(rel string) bool { return !strings.HasPrefix(rel, "content/") }
		}
		s.Mounts = append(s.Mounts, m)
	}
	s.Suffixes = []string{".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdwn", ".mdoc", ".astro", ".html", ".js", ".ts"}
	s.FrontMatter = true
	g.redirects(s, d, name, conf.Lookup("redirects"))
	s.Routeless = append(s.Routeless, "/404.html")
	s.Made = append(s.Made, "/pagefind/", "/_astro/")
	s.Links = site.Links{site.Markdown: {site.ByURL}, site.Image: {g.image}, site.HTML: {site.ByURL}, site.Component: {g.component}}
	if linkPlugin.MatchString(text) {
		s.Links[site.Markdown] = []site.Step{site.ByURL, site.BySource, byStem}
	}
	s.Components = true
	s.PartsInOrder, s.Knows = true, site.AllParts
	s.SetModel(g)
	g.closes(s, d, text, src)
	return []*site.Site{s}
}

// Type returns the media type of a page that is a component.
func (g *model) Type(s *site.Site, file string) string {
	if m := s.MountOf(file); m == nil || m.Name != "pages" {
		return ""
	}
	return site.TemplateType(s, file, ".astro")
}

// linkPlugin matches the names of plugins that make URLs of links in Markdown to other sources.
var linkPlugin = lazy.New(`(?i)relative-?(?:markdown-?)?links|(?:fix|rewrite|transform|resolve|internal|markdown|md)-?(?:internal-?|relative-?|md-?|markdown-?)*links?\b`)

// byStem resolves a link to a source as a plugin does that drops the suffix.
func byStem(s *site.Site, r *site.Reference) []site.Candidate {
	if !source.IsMarkdown(r.Path) || r.IsRooted() {
		return nil
	}
	return s.URLs(r, slash.Stem(r.Path), "")
}

// starlightOptions returns the argument of starlight(…) in the integrations of Astro.
func starlightOptions(conf source.Value) source.Value {
	isNamed := func(call source.Value) bool {
		return call.Kind == literal.Call && strings.Contains(strings.ToLower(call.Text), "starlight")
	}
	hasTitle := func(call source.Value) bool { return call.Lookup("title").Kind == literal.String }
	calls := conf.Lookup("integrations").List()
	for _, isStarlight := range []func(source.Value) bool{isNamed, hasTitle} {
		if i := slices.IndexFunc(calls, isStarlight); i >= 0 {
			return source.Value{Value: calls[i].Unwrap()}
		}
	}
	return source.Value{}
}

// routelessIntegrations are integrations of Astro that make no pages.
var routelessIntegrations = strings.Fields("alpinejs icon lit markdoc mdx partytown preact react robotstxt sitemap solidjs solid starlight svelte tailwind unocss vue")

// makesAllPages reports whether all integrations of a configuration are known to make no pages without
// a source.
func makesAllPages(conf source.Value) bool {
	integrations := conf.Lookup("integrations")
	if conf.Kind != literal.Map || conf.Open || integrations.IsUnknown() || integrations.Open {
		return false
	}
	for _, call := range integrations.List() {
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
func (g *model) pluginRoutes(s *site.Site, d *source.Dir, config, src string) {
	texts := []string{config}
	for _, name := range collectionConfigs {
		if file, ok := d.Inside(path.Join(src, name)); ok {
			texts = append(texts, string(d.Tree.Config(file)))
		}
	}
	for _, text := range texts {
		for _, m := range pluginRoute.FindAllStringSubmatch(text, -1) {
			if at := "/" + strings.Trim(m[1], "/") + "/"; at != s.Base {
				s.Made = append(s.Made, at)
			}
		}
	}
}

// redirects adds the URLs that the configuration redirects. If it spreads values from other files,
// those whose keys are URLs count as redirects.
func (g *model) redirects(s *site.Site, d *source.Dir, config string, conf source.Value) {
	all := slices.Clone(conf.Unwrap().Entries)
	if conf.IsUnknown() || conf.Open {
		known := map[string]bool{}
		for name, more := range d.Tree.Imports(d.In(config)) {
			for from, to := range more.Members() {
				all = append(all, literal.Entry{Key: from, Value: literal.Value{Kind: literal.String, Text: to.Or("")}})
			}
			known[name] = more.Kind == literal.Map && !more.Open
		}
		g.hasUnknown = conf.IsUnknown() || !spreadsKnown(string(d.Tree.Config(d.In(config))), known)
		s.Generates = s.Generates || g.hasUnknown
	}
	for _, e := range all {
		to := source.Value{Value: e.Value}
		if to.Kind == literal.Map {
			to = to.Lookup("destination")
		}
		switch i := strings.IndexByte(e.Key, '['); {
		case !strings.HasPrefix(e.Key, "/"):
		case i >= 0:
			s.Made = append(s.Made, e.Key[:i])
		default:
			r := site.Entry(s.Config, "redirects", site.Key(e), to.Value)
			r.HasBase = true
			s.AddRedirect(r, strings.TrimSuffix(e.Key, "/")+"/", to.Or(""), nil)
		}
	}
}

// model holds the settings of an Astro configuration.
type model struct {
	isFile     bool // pages are x.html
	hasNoSlash bool // URLs of pages have no slash at the end
	isPlain    bool // without Starlight
	hasUnknown bool // there are redirects that are not known
	web.Importer
	dynamic []string // URLs below which routes are made: of files with "[" in their names
	deflt   string   // first segment of the default language, "" for none
}

var localeName = lazy.New(`^[a-z]{2,3}(-[a-z]{2,4})?$`)

// locales sets the languages. Pages without a translation are shown in the default language. If the
// configuration keeps the languages in another file, they are the directories named like a language.
func (g *model) locales(s *site.Site, options source.Value, content map[string]fs.FileMode) {
	deflt := options.Lookup("defaultLocale").Or("")
	locales := options.Lookup("locales").Keys()
	if len(locales) == 0 && options.Lookup("locales").IsUnknown() {
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
		s.Langs = append(s.Langs, lang)
	}
	s.DefaultLang = g.deflt
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

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	stem := slash.Stem(p.Rel)
	if p.Mount.Name == "pages" {
		stem = slash.Stem(stem) // data.json.ts
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
		if ext := path.Ext(slash.Stem(p.Rel)); ext != "" {
			p.Routes = []string{"/" + stem + ext}
			return
		}
	} else {
		if p.Front.Lookup("draft").IsTrue(false) {
			p.Why = reason.Draft
			return
		}
		if u := p.Front.Lookup("slug").Or(""); u != "" {
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

func (g *model) url(stem string) string {
	switch {
	case stem == "":
		return "/"
	case g.isFile:
		return "/" + stem + ".html"
	}
	return "/" + stem + "/"
}

// Finish adds the ids of each page.
func (g *model) Finish(s *site.Site) {
	if slices.Contains(g.dynamic, "/") && s.Known == site.WholeSite {
		s.Known = site.OpenRoutes
	}
	s.Segments["404"] = true
	for _, p := range s.ByFile {
		p.IDs = []string{"_top"}
	}
}

// Makes reports whether a URL is below a route with parameters.
func (g *model) Makes(s *site.Site, u string) bool {
	return strings.Contains(u, "[") || slices.ContainsFunc(g.dynamic, func(dir string) bool { return strings.HasPrefix(u, dir) && (dir != "/" || g.isPlain) })
}

// image resolves an image: a relative one is an asset.
func (g *model) image(s *site.Site, r *site.Reference) []site.Candidate {
	switch {
	case strings.HasPrefix(r.Path, "~") || strings.HasPrefix(r.Path, "@"):
		return []site.Candidate{{Unknown: reason.BundlerAlias}}
	case r.IsRooted():
		return site.ByURL(s, r)
	}
	return []site.Candidate{site.AssetCandidate(path.Join(r.Dir(), r.Path))}
}

// component resolves an attribute of a component: an image is an asset, or a URL.
func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	if strings.HasSuffix(r.In, "/src") || strings.HasPrefix(r.Path, "~") || strings.HasPrefix(r.Path, "@") {
		return site.MaybeChanged(r, g.image(s, r))
	}
	return site.MaybeChanged(r, site.ByURL(s, r))
}

// Explain says why the target of a reference does not exist.
func (g *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	if r.IsRooted() {
		return reason.Reason{}, ""
	}
	return site.ExplainSource(s, r)
}

// Reasons.
var (
	underscored = reason.New(reason.Unpublished, "underscored", "its name begins with an underscore")
)

// redirectMap matches the beginning of the redirects in a configuration of Astro.
var redirectMap = lazy.New(`\bredirects\s*:\s*\{`)

// Redirect adds an entry to the redirects of Astro, whose targets have the base of the site and whose sources do not.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	if !e.AddEntry(redirectMap, fmt.Sprintf("\n    '%s': '%s',", was.Route, e.Base+is.Route), was.Route, e.Base, is.Route) {
		return ""
	}
	return "redirects in " + e.Config
}
