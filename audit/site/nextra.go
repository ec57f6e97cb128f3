package site

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// A nextra holds the settings of a site of Nextra 4, or of 2 and 3, which have their documents in pages/.
type nextra struct {
	importer
	base    string   // of documents in content/: "" or "/docs"
	locales []string // first directories of content/, or suffixes of names in pages/
	deflt   string   // the default one, which may be left out of URLs
	dynamic []string // URLs below which code makes pages

	redirects []*regexp.Regexp // URLs that redirect elsewhere
	// isExported says that the build writes files "x.html", which hosts also serve with the suffix.
	isExported bool
}

// findNextra finds a site by next.config.* that mentions Nextra.
func findNextra(d *directory) []*Site {
	name := d.script("next.config")
	if name == "" {
		return nil
	}
	text := string(d.tree.config(d.in(name)))
	if !strings.Contains(text, "nextra") {
		return nil
	}
	_, conf := d.tree.readScript(d.in(name))
	s := d.newSite("Nextra", name)
	s.Slug, s.Dialect, s.mdx = slug.Docusaurus, markdown.Fumadocs, markdown.FumadocsMDX
	s.IsBaseKnown = !strings.Contains(text, "basePath")
	if base := optionIn(text, "basePath"); base != "" {
		s.IsBaseKnown = true
		s.setBase(base)
	}
	g := &nextra{base: strings.TrimSuffix(optionIn(text, "contentDirBasePath"), "/"), deflt: optionIn(text, "defaultLocale")}
	if m := nextLocales.FindStringSubmatch(text); m != nil {
		for _, m := range nextraLocale.FindAllStringSubmatch(m[1], -1) {
			g.locales = append(g.locales, m[1])
		}
	}
	g.isExported = optionIn(text, "output") == "export" && !strings.Contains(text, "trailingSlash")
	s.Mounts = []*Mount{{Dir: d.in("public"), URL: "/", Kind: Static}}
	isMeta := func(rel string) bool {
		name := path.Base(rel)
		return strings.HasPrefix(name, "_meta.") || strings.HasPrefix(name, "_app.") || strings.HasPrefix(name, "_document.")
	}
	for _, dir := range []string{"content", "src/content", "pages", "src/pages", "app", "src/app"} {
		if !d.tree.isDir(d.in(dir)) {
			continue
		}
		s.Mounts = append(s.Mounts, &Mount{Dir: d.in(dir), URL: "/", Kind: Partial, Match: isMeta}, &Mount{Dir: d.in(dir), URL: "/", Kind: Pages, Name: path.Base(dir)})
	}
	if len(s.Mounts) == 1 {
		return nil
	}
	s.suffixes = []string{".md", ".mdx", ".tsx", ".jsx", ".js", ".ts"}
	s.slash, s.knowsParts, s.hasComponents, s.dropsTitleIDs = slashIgnored, true, true, true
	s.route, s.partsIn, s.isMadeAt, s.navigate = g.route, g.partsIn, g.isMadeAt, g.navigate
	s.generates = conf.isUnknown() && strings.Contains(text, "rewrites")
	s.isClosed = !s.generates
	s.made = []string{"/_next/", "/_pagefind/"}
	if d.tree.isDir(d.in("pages/api")) || d.tree.isDir(d.in("src/pages/api")) {
		s.made = append(s.made, "/api/")
	}
	for _, m := range nextSource.FindAllStringSubmatch(text, maxNextRedirects) {
		if !strings.Contains(m[1], ":") {
			s.redirects = append(s.redirects, m[1])
		} else if re, err := pathPattern(m[1]); err == nil {
			g.redirects = append(g.redirects, re)
		}
	}
	s.finish = func(s *Site) {
		for _, u := range s.redirects {
			s.addRoute(u)
		}
	}
	s.makesID = hasSummary
	s.table[Markdown] = []step{g.link}
	s.table[Image] = []step{byBundler}
	s.table[HTML] = []step{g.html}
	s.table[Component] = []step{g.component}
	s.explain = explainVue
	return []*Site{s}
}

// maxNextRedirects is the number of redirects with patterns that are read.
const maxNextRedirects = 1000

var (
	nextLocales  = lazy.New(`\blocales\s*:\s*\[([^\]]*)\]`)
	nextraLocale = lazy.New(`['"]([\w-]+)['"]`)
	nextSource   = lazy.New(`\bsource\s*:\s*['"](/[^'"]*)['"]`)
	nextOption   = lazy.New(`\b(\w+)\s*:\s*['"]([^'"]*)['"]`)
	summaryText  = lazy.New(`<summary[^>]*>([^<]*)</summary>`)
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

// hasSummary reports whether the summary of a "details" element gives a page an id. In ".md" it is raw HTML, which gets
// none.
func hasSummary(s *Site, file, id string) bool {
	if path.Ext(file) == ".md" {
		return false
	}
	for _, m := range summaryText.FindAllSubmatch(s.tree.text(file, maxPage), -1) {
		if slug.GitHub.Slug(slug.Heading{Text: string(m[1])}) == id {
			return true
		}
	}
	return false
}

func (g *nextra) route(s *Site, p *Page) {
	stem := strings.TrimSuffix(p.Rel, path.Ext(p.Rel))
	prefix := ""
	switch p.Mount.Name {
	case "content":
		prefix = g.base
	case "app":
		dir, name := path.Split(stem)
		if name != "page" && name != "route" {
			p.isPart = true
			return
		}
		stem = dir + "index"
	default:
		if first, _, _ := strings.Cut(stem, "/"); first == "api" {
			p.isPart = true
			return
		}
	}
	if p.Mount.Name != "app" && !isMarkdownSuffix(p.Rel) && p.Mount.Name != "pages" {
		p.isPart = true
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
			p.isPart = true
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

// isMadeAt reports whether a URL is below a route with parameters, or redirects.
func (g *nextra) isMadeAt(s *Site, u string) bool {
	if slices.ContainsFunc(g.redirects, func(re *regexp.Regexp) bool { return re.MatchString(u) }) {
		return true
	}
	return slices.ContainsFunc(g.dynamic, func(dir string) bool { return dir == "/" || strings.HasPrefix(u, dir+"/") })
}

// link resolves a Markdown link without the suffix of a source, which a definition keeps.
func (g *nextra) link(s *Site, r *reference) []candidate {
	p := r.path
	if isMarkdownSuffix(p) && r.in != "definition" {
		p = strings.TrimSuffix(p, path.Ext(p))
	}
	return g.byTheme(s, r, p)
}

// byTheme resolves a path as the link component of the theme does: relative to the URL of the page. The base is added to
// "/x", and a language to links to pages that have none.
func (g *nextra) byTheme(s *Site, r *reference, p string) []candidate {
	all := s.urls(r, p, strings.TrimSuffix(s.Base, "/"))
	if strings.HasPrefix(p, "/") {
		for _, lang := range []string{r.use.Page.Lang, g.deflt} {
			if lang != "" {
				all = append(all, s.urls(r, "/"+lang+p, strings.TrimSuffix(s.Base, "/"))...)
			}
		}
	}
	return all
}

// html resolves an attribute of raw HTML. The theme shows links in ".md" with its own component, but not those in ".mdx".
func (g *nextra) html(s *Site, r *reference) []candidate {
	if strings.HasSuffix(r.use.File, ".md") && r.in == "a/href" {
		return g.byTheme(s, r, r.path)
	}
	return byURL(s, r)
}

// component resolves an attribute of a component, whose links add the base.
func (g *nextra) component(s *Site, r *reference) []candidate {
	switch r.in {
	case "link/href", "card/href", "cards.card/href":
		return g.byTheme(s, r, r.path)
	}
	_, has := s.cutBase(r.path)
	if r.isRooted() && !has {
		return g.link(s, r)
	}
	return maybeChanged(r, slices.Concat(g.link(s, r), byURL(s, r), byAsset(s, r)))
}

// navigate adds the links in _meta files.
func (g *nextra) navigate(s *Site, n *navigator) {
	for _, m := range s.Mounts {
		if m.Kind != Pages {
			continue
		}
		s.tree.files(m.Dir, s.skips, func(rel string) {
			if strings.HasPrefix(path.Base(rel), "_meta.") {
				g.meta(n, m.Dir+"/"+rel, n.read(m.Dir+"/"+rel), 0)
			}
		})
	}
}

// meta adds the links of entries, and of those in them.
func (g *nextra) meta(n *navigator, file string, v literal.Value, depth int) {
	const maxDepth = 10
	if depth == maxDepth {
		return
	}
	for _, entry := range v.Unwrap().All() {
		n.add(file, "sidebar", entry.Get("href"), n.byURL)
		g.meta(n, file, entry.Get("items"), depth+1)
	}
}
