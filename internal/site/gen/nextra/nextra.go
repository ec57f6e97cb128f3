// Package nextra supports sites of Nextra.
package nextra

import (
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

// A model holds the settings of a site of Nextra 4, or of 2 and 3, which have their documents in pages/.
type model struct {
	web.Explainer
	web.Importer
	web.NextConfig
	base    string   // of documents in content/: "" or "/docs"
	locales []string // first directories of content/, or suffixes of names in pages/
	deflt   string   // the default one, which may be left out of URLs
	dynamic []string // URLs below which code makes pages

	redirects web.Patterns // URLs that redirect elsewhere
	// isExported says that the build writes files "x.html", which hosts also serve with the suffix.
	isExported bool
}

// Generator finds sites of Nextra.
var Generator = &site.Generator{Name: "Nextra", Configs: []string{"next.config.*"}, Indexes: []string{"index.md", "index.mdx"}, Find: find}

// find finds a site by next.config.* that mentions Nextra.
func find(d *source.Dir) []*site.Site {
	name := d.Script("next.config")
	if name == "" || web.IsLeftNext(d) {
		return nil
	}
	text := string(d.Tree.Config(d.In(name)))
	if !strings.Contains(text, "nextra") {
		return nil
	}
	_, conf := d.Tree.ReadScript(d.In(name))
	g := &model{base: strings.TrimSuffix(optionIn(text, "contentDirBasePath"), "/"), deflt: optionIn(text, "defaultLocale")}
	if m := nextLocales.FindStringSubmatch(text); m != nil {
		for _, m := range nextraLocale.FindAllStringSubmatch(m[1], -1) {
			g.locales = append(g.locales, m[1])
		}
	}
	g.isExported = optionIn(text, "output") == "export" && !strings.Contains(text, "trailingSlash")
	plan := &site.Plan{
		Generator: "Nextra", Config: name, Slug: slug.Docusaurus, Dialect: markdown.Fumadocs, Static: []string{d.In("public")},
		Base: source.Value{Value: literal.Value{Kind: literal.String, Text: optionIn(text, "basePath")}},
		Settings: site.Settings{
			Suffixes: []string{".md", ".mdx", ".tsx", ".jsx", ".js", ".ts"}, MDX: markdown.FumadocsMDX, Slash: site.SlashIgnored,
			Knows: site.AllParts, PartsInOrder: true, Components: true, NoTitleIDs: true, Known: site.ClosedRoutes,
			Links: site.Links{site.Markdown: {g.link}, site.Image: {site.ByBundler}, site.HTML: {g.html}, site.Component: {g.component}},
			Made:  []string{"/_next/", "/_pagefind/"},
		},
	}
	if conf.IsUnknown() && strings.Contains(text, "rewrites") {
		plan.Generates, plan.Known = true, site.OpenRoutes
	}
	if d.Tree.IsDir(d.In("pages/api")) || d.Tree.IsDir(d.In("src/pages/api")) {
		plan.Made = append(plan.Made, "/api/")
	}
	plan.Written = web.ScriptRedirects(d.In(name), text)
	for _, from := range nextSources(text) {
		if !strings.Contains(from, ":") {
			plan.Routeless = append(plan.Routeless, from)
		} else {
			g.redirects.AddPath(from)
		}
	}
	s := plan.Site(d, g)
	s.IsBaseKnown = s.Base != "/" || !strings.Contains(text, "basePath")
	dirs := []string{"content", "src/content", "pages", "src/pages", "app", "src/app"}
	if isBeforeContent(d) {
		dirs = []string{"pages", "src/pages"}
	}
	for _, dir := range dirs {
		if d.Tree.IsDir(d.In(dir)) {
			s.Mounts = append(s.Mounts,
				&site.Mount{Dir: d.In(dir), URL: "/", Kind: site.Partial, Match: isMeta},
				&site.Mount{Dir: d.In(dir), URL: "/", Kind: site.Pages, Name: path.Base(dir)})
		}
	}
	if len(s.Mounts) == 1 {
		return nil
	}
	return []*site.Site{s}
}

// isBeforeContent reports whether package.json names a version of Nextra before 4, which knows no directory
// content, nor app.
func isBeforeContent(d *source.Dir) bool {
	conf := d.Tree.Read(d.In("package.json"))
	for _, key := range []string{"dependencies", "devDependencies"} {
		if earlyVersion.MatchString(conf.Lookup(key, "nextra").Or("")) {
			return true
		}
	}
	return false
}

var earlyVersion = lazy.New(`^[\^~=v]*[1-3](?:\.|$)`)

// nextSources returns the sources of redirects and rewrites in a configuration, without those for visitors
// of another host, and without those of headers.
func nextSources(text string) (sources []string) {
	all := nextSource.FindAllStringSubmatchIndex(text, maxNextRedirects)
	for i, m := range all {
		end := min(len(text), m[1]+longestRule)
		if i+1 < len(all) {
			end = min(end, all[i+1][0])
		}
		if !hostCondition.MatchString(text[m[1]:end]) && !headerRule.MatchString(text[m[1]:end]) {
			sources = append(sources, text[m[2]:m[3]])
		}
	}
	return sources
}

// longestRule is the number of bytes behind a source in which its conditions are looked for.
const longestRule = 1000

// isMeta reports whether a file says how others are shown.
func isMeta(rel string) bool {
	name := path.Base(rel)
	return strings.HasPrefix(name, "_meta.") || strings.HasPrefix(name, "_app.") || strings.HasPrefix(name, "_document.")
}

// maxNextRedirects is the number of redirects with patterns that are read.
const maxNextRedirects = 1000

var (
	nextLocales   = lazy.New(`\blocales\s*:\s*\[([^\]]*)\]`)
	nextraLocale  = lazy.New(`['"]([\w-]+)['"]`)
	nextSource    = lazy.New(`\bsource\s*:\s*['"](/[^'"]*)['"]`)
	headerRule    = lazy.New(`\bheaders['"]?\s*:`)
	hostCondition = lazy.New(`\btype['"]?\s*:\s*['"]host['"]`)
	nextOption    = lazy.New(`\b(\w+)\s*:\s*['"]([^'"]*)['"]`)
	summaryText   = lazy.New(`<summary[^>]*>([^<]*)</summary>`)
)

// optionIn returns the string that the text of a script gives to a name, or "" if there is none or several. The options
// of Nextra and of Next stand in arguments of calls, which have no path of keys.
func optionIn(text, name string) (option string) {
	for _, m := range nextOption.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != name:
		case option != "" && option != m[2]:
			return ""
		default:
			option = m[2]
		}
	}
	return option
}

// MakesID reports whether the summary of a "details" element gives a page an id. In ".md" it is raw HTML,
// which gets none.
func (g *model) MakesID(s *site.Site, file, id string) bool {
	return path.Ext(file) != ".md" && site.Slugs(s, file, summaryText)[id]
}

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	stem := slash.Stem(p.Rel)
	prefix := ""
	switch p.Mount.Name {
	case "content":
		prefix = g.base
	case "app":
		dir, name := path.Split(stem)
		if name != "page" && name != "route" {
			p.IsPart = true
			return
		}
		stem = dir + "index"
	default:
		if first, _, _ := strings.Cut(stem, "/"); first == "api" {
			p.IsPart = true
			return
		}
	}
	if p.Mount.Name != "app" && !source.IsMarkdown(p.Rel) && p.Mount.Name != "pages" {
		p.IsPart = true
		return
	}
	locale := ""
	if i := strings.LastIndexByte(stem, '.'); i >= 0 && slices.Contains(g.locales, stem[i+1:]) {
		stem, locale = stem[:i], stem[i+1:]
	}
	var names []string
	for name := range strings.SplitSeq(stem, "/") {
		switch {
		case strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")"), name == "[lang]", name == "[locale]":
		case strings.HasPrefix(name, "["):
			if !strings.HasPrefix(name, "[[...mdxPath") { // the documents in content/
				g.dynamic = append(g.dynamic, path.Join("/", prefix, path.Join(names...)))
			}
			p.IsPart = true
			return
		default:
			names = append(names, name)
		}
	}
	if len(names) > 0 && names[len(names)-1] == "index" {
		names = names[:len(names)-1]
	}
	if locale == "" && len(names) > 0 && slices.Contains(g.locales, names[0]) {
		locale, names = names[0], names[1:]
	}
	u := path.Join("/", prefix, path.Join(names...))
	p.Routes = []string{u}
	switch {
	case locale != "" && locale != g.deflt:
		p.Routes = []string{path.Join("/", locale, u)}
	case locale != "":
		p.Also = []string{path.Join("/", locale, u)}
	}
	if g.isExported && u != "/" {
		for _, u := range slices.Concat(p.Routes, p.Also) {
			p.Also = append(p.Also, u+".html")
		}
	}
	p.Lang = locale
}

// Makes reports whether a URL is below a route with parameters, or redirects.
func (g *model) Makes(s *site.Site, u string) bool {
	if g.redirects.Match(u) {
		return true
	}
	return slices.ContainsFunc(g.dynamic, func(dir string) bool { return dir == "/" || strings.HasPrefix(u, dir+"/") })
}

// link resolves a Markdown link without the suffix of a source, which a definition keeps.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	p := r.Path
	if source.IsMarkdown(p) && r.In != "definition" {
		p = slash.Stem(p)
	}
	return g.byTheme(s, r, p)
}

// byTheme resolves a path as the link component of the theme does: relative to the URL of the page. The
// base is added to "/x", and the language of the page, or that of the site, to links that have none.
func (g *model) byTheme(s *site.Site, r *site.Reference, p string) []site.Candidate {
	base := strings.TrimSuffix(s.Base, "/")
	all := s.URLs(r, p, base)
	if !strings.HasPrefix(p, "/") {
		return all
	}
	own := r.Use.Page.Lang
	for _, lang := range []string{own, g.deflt} {
		if lang == "" {
			continue
		}
		in := s.URLs(r, "/"+lang+p, base)
		if lang == own && own != g.deflt { // readers stay in the language of the page
			all = append(in, all...)
		} else {
			all = append(all, in...)
		}
	}
	return all
}

// html resolves an attribute of raw HTML. The theme shows links in ".md" with its own component, but not
// those in ".mdx".
func (g *model) html(s *site.Site, r *site.Reference) []site.Candidate {
	if strings.HasSuffix(r.Use.File, ".md") && r.In == "a/href" {
		return g.byTheme(s, r, r.Path)
	}
	return site.ByURL(s, r)
}

// component resolves an attribute of a component, whose links add the base.
func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	switch r.In {
	case "link/href", "card/href", "cards.card/href":
		return g.byTheme(s, r, r.Path)
	}
	_, has := s.CutBase(r.Path)
	if r.IsRooted() && !has {
		return g.link(s, r)
	}
	return site.MaybeChanged(r, slices.Concat(g.link(s, r), site.ByURL(s, r), site.ByAsset(s, r)))
}

// Navigate adds the links in _meta files.
func (g *model) Navigate(s *site.Site, n *site.Navigation) {
	for _, m := range s.Mounts {
		if m.Kind != site.Pages {
			continue
		}
		s.Tree.Files(m.Dir, s.Skips, func(rel string) {
			if strings.HasPrefix(path.Base(rel), "_meta.") {
				g.meta(n, m.Dir+"/"+rel, n.Read(m.Dir+"/"+rel), 0)
			}
		})
	}
}

// meta adds the links of entries, and of those in them.
func (g *model) meta(n *site.Navigation, file string, v literal.Value, depth int) {
	const maxDepth = 10
	if depth == maxDepth {
		return
	}
	for _, entry := range v.Unwrap().All() {
		n.Add(file, "sidebar", entry.Get("href"), n.ByURL)
		g.meta(n, file, entry.Get("items"), depth+1)
	}
}
