package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// A vuepress holds the settings of a site of VuePress. If its version is unknown, a link is right if it
// is right in one of both.
type vuepress struct {
	dir        string // of the sources
	isV1, isV2 bool
	hasLayout  bool // a theme other than the default one may make pages
}

// findVuePress finds a site by .vuepress/, in the directory of its sources.
func findVuePress(d *directory) []*Site {
	if !d.hasDir(".vuepress") {
		return nil
	}
	name, conf := vuepressConfig(d)
	v := &vuepress{dir: d.dir}
	text := string(d.tree.config(d.in(name)))
	v.findVersion(d, name, text)
	s := d.newSite("VuePress", name)
	s.Slug, s.Dialect = slug.VitePress, markdown.VuePress
	if !v.isV2 {
		s.Slug = slug.VuePress1
	}
	if base := conf.get("base"); base.isUnknown() {
		s.IsBaseKnown = false
	} else {
		s.setBase(base.text("/"))
	}
	v.theme(s, d, text, conf)
	s.Mounts = []*Mount{{Dir: d.in(".vuepress/public"), URL: "/", Kind: Static}, {Dir: d.in(".vuepress"), URL: "/", Kind: Hidden, Why: "in .vuepress"}}
	patterns := append(conf.get("pagePatterns").texts(), conf.get("patterns").texts()...)
	if match := excludedBy(patterns); match != nil {
		s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Hidden, Match: match, Why: "excluded by the patterns of pages"})
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.dir, URL: "/", Kind: Pages})
	s.suffixes = []string{".md"}
	if v.isV1 {
		s.suffixes = append(s.suffixes, ".vue")
	}
	s.slash, s.readsFront, s.knowsParts, s.hasComponents = slashNever, true, true, true
	s.route, s.isMadeAt, s.navigate = v.route, v.isMadeAt, v.navigate
	s.parts = func(s *Site, p *Page, text []byte) []string {
		return append(vueParts(s, v.dir, p, text), v.included(s, text)...)
	}
	if pattern := conf.get("permalinkPattern"); pattern.isGiven() || conf.get("permalink").isGiven() {
		s.made = append(s.made, "/") // pages are at dates and names
	}
	if v.isV2 {
		s.table[Markdown] = append(s.table[Markdown], v.byRouteLink)
		s.table[Image] = append(s.table[Image], v.byVite)
		s.makesID = func(_ *Site, _, id string) bool { return id[0] >= '0' && id[0] <= '9' } // #1 of a link becomes #_1
	}
	if v.isV1 {
		s.table[Markdown] = append(s.table[Markdown], v.byRouterLink)
		s.table[Image] = append(s.table[Image], v.byWebpack)
	}
	s.table[HTML] = []step{byURL}
	s.table[HTMLSource] = s.table[Image]
	s.table[Component] = []step{v.component}
	s.explain = explainVue
	return []*Site{s}
}

// vuepressConfig returns the name and the value of the configuration: in .vuepress/, or beside or above the
// sources. Without one, name is the directory.
func vuepressConfig(d *directory) (name string, conf value) {
	names := []string{".vuepress/config.yml", ".vuepress/config.toml"}
	for _, ext := range scriptSuffixes {
		names = append(names, ".vuepress/config."+ext)
	}
	for _, dir := range []string{"", "../"} {
		for _, ext := range scriptSuffixes {
			names = append(names, dir+"vuepress.config."+ext)
		}
	}
	i := slices.IndexFunc(names, func(name string) bool { return d.tree.isFile(d.in(name)) })
	switch {
	case i < 0:
		return ".vuepress", value{}
	case i < 2:
		return names[i], d.tree.read(d.in(names[i]))
	}
	_, conf = d.tree.readScript(d.in(names[i]))
	return names[i], conf
}

var (
	vuepressV2      = lazy.New(`defineUserConfig|defaultTheme\(|(?:vite|webpack)Bundler|@vuepress/(?:bundler|client|vite|webpack|cli)|['"]vuepress/`)
	vuepressVersion = lazy.New(`"(?:vuepress|vuepress-vite|@vuepress/(?:core|cli|client|bundler-\w+|plugin-[\w-]+|theme-default))"\s*:\s*"([^"]*)"`)
	otherTheme      = lazy.New(`vuepress-theme-[\w-]+|@[\w-]+/vuepress-theme[\w-]*|(?:hope|plume|reco)Theme\(`)
	knownTheme      = lazy.New(`(?i)hope|plume`) // their pages are those of directories, and below s.made
	vuepressMaker   = lazy.New(`additionalPages|createPage|pages\.push|(?i:plugin-blog|blogPlugin|['"]blog['"]|@vuepress/blog|catalog|redirect|typedoc|openapi|swagger)`)
	attributeList   = lazy.New(`\battrs\b|markdown-it-(?:attrs|anchor)|custom-?id`)
)

// findVersion finds the version in the configuration, or else in package.json there or above.
func (v *vuepress) findVersion(d *directory, config, text string) {
	switch ext := path.Ext(config); {
	case ext == ".yml", ext == ".toml":
		v.isV1 = true
		return
	case vuepressV2.MatchString(text):
		v.isV2 = true
		return
	}
	for at := d.dir; below(at, d.tree.root); at = path.Dir(at) {
		for _, m := range vuepressVersion.FindAllSubmatch(d.tree.config(at+"/package.json"), -1) {
			version := strings.TrimLeft(string(m[1]), "^~>=v ")
			v.isV1 = v.isV1 || strings.HasPrefix(version, "1") || strings.HasPrefix(version, "0")
			v.isV2 = v.isV2 || strings.HasPrefix(version, "2") || version == "next"
		}
		if v.isV1 || v.isV2 || at == d.tree.root {
			break
		}
	}
	if !v.isV1 && !v.isV2 {
		v.isV1, v.isV2 = true, true
	}
}

// theme finds out what the theme, plugins and the configuration itself may change.
func (v *vuepress) theme(s *Site, d *directory, text string, conf value) {
	for _, name := range []string{"theme/index.js", "theme/index.ts", "theme.ts", "theme.js"} {
		text += string(d.tree.config(d.in(".vuepress/" + name)))
	}
	theme := conf.get("theme")
	v.hasLayout = otherTheme.MatchString(text) || theme.Kind != literal.Call && theme.isGiven() && !strings.HasPrefix(theme.text(""), "@vuepress/")
	s.generates = v.hasLayout && !knownTheme.MatchString(text) || conf.isUnknown() || vuepressMaker.MatchString(text)
	s.isClosed = !s.generates
	s.opens = func(s *Site, text []byte) bool {
		return len(v.included(s, text)) != bytes.Count(text, []byte(vuepressIncludeMark))
	}
	if v.hasLayout || attributeList.MatchString(text) {
		s.Dialect.Attributes = markdown.AttributesAny
	}
	if conf.get("markdown", "anchor").isGiven() || conf.get("markdown", "slugify").isGiven() {
		s.isLoose = true
	}
	if conf.get("public").isGiven() {
		s.made = append(s.made, "/")
	}
	if v.hasLayout {
		s.made = append(s.made, "/category/", "/categories/", "/tag/", "/tags/", "/article/", "/posts/", "/star/", "/timeline/", "/archives/")
	}
}

// excludedBy returns a function that reports whether patterns of files exclude a path, or nil if they exclude
// nothing.
func excludedBy(patterns []string) func(rel string) bool {
	var out []string
	for _, pattern := range patterns {
		if name, ok := strings.CutPrefix(pattern, "!"); ok {
			out = append(out, name, strings.TrimSuffix(name, "/")+"/**")
		}
	}
	return anyGlob(out)
}

const vuepressIncludeMark = "!!!include("

// included returns the existing files that the text of a page includes by markdown-it-include. It reads their names
// from the directory in which VuePress runs: above the sources.
func (v *vuepress) included(s *Site, text []byte) (files []string) {
	for _, rest := range bytes.Split(text, []byte(vuepressIncludeMark))[1:] {
		name, _, ok := bytes.Cut(rest[:min(len(rest), maxIncludeName)], []byte(")!!!"))
		if !ok {
			continue
		}
		for _, dir := range []string{path.Dir(v.dir), v.dir, s.tree.root} {
			if file := path.Join(dir, string(name)); s.tree.isFile(file) {
				files = append(files, file)
				break
			}
		}
	}
	return files
}

const maxIncludeName = 500 // bytes

func (v *vuepress) route(s *Site, p *Page) {
	inferred := v.infer("/" + strings.TrimSuffix(p.Rel, ".vue"))
	p.Routes = []string{inferred}
	at := p.front.get("permalink").text("")
	switch {
	case strings.Contains(at, "/:"), strings.HasPrefix(at, ":"):
		p.Routes, p.Also = nil, []string{inferred} // a pattern
	case at != "":
		at = "/" + strings.TrimPrefix(at, "/")
		if v.isV1 && !v.isV2 {
			at = strings.TrimSuffix(at, "/") + "/"
		}
		// The router redirects the URL that the path would give.
		p.Routes, p.Also = []string{at}, []string{inferred}
	}
	for _, u := range slices.Concat(p.Routes, p.Also) {
		if strings.HasSuffix(u, "/") {
			p.Also = append(p.Also, u+"index.html")
		}
	}
}

// infer returns the route of a path of a source or of a page: "/x.md", "/x.html" or "/x".
func (v *vuepress) infer(p string) string {
	dir, name := path.Split(p)
	lower := strings.ToLower(name)
	switch {
	case name == "", name == "index.html", name == "index.md", lower == "readme.md", v.isV1 && lower == "index.md":
		return dir
	case (strings.EqualFold(name, "index") || lower == "readme") && v.isV1: // of a component
		return dir
	}
	return dir + strings.TrimSuffix(strings.TrimSuffix(name, ".md"), ".html") + ".html"
}

// isMadeAt reports whether a plugin may make a URL: a feed of a language, or a page for a directory of sources.
func (v *vuepress) isMadeAt(s *Site, u string) bool {
	switch path.Base(u) {
	case "atom.xml", "rss.xml", "feed.xml", "feed.json", "sitemap.xml":
		return true
	}
	return v.hasLayout && strings.HasSuffix(u, "/") && s.tree.isDir(strings.TrimSuffix(v.dir+u, "/"))
}

// isRoute reports whether VuePress takes a link for one to a page.
func isRoute(p string) bool {
	return strings.HasSuffix(p, "/") || strings.HasSuffix(p, ".md") || strings.HasSuffix(p, ".html")
}

// byRouteLink resolves a Markdown link as VuePress 2 does: relative to the source. It adds the base to "/x" only
// for sources.
func (v *vuepress) byRouteLink(s *Site, r *reference) []candidate {
	p := r.path
	if isRoute(p) && r.isRooted() && !strings.HasSuffix(p, ".md") {
		rest, has := s.cutBase(p)
		if !has {
			return byURL(s, r)
		}
		p = rest
	}
	return v.toPage(s, r, p)
}

// byRouterLink resolves a Markdown link as VuePress 1 does: relative to the source, and the base is always added to
// "/x". A link with a query is left as it is.
func (v *vuepress) byRouterLink(s *Site, r *reference) []candidate {
	if r.query {
		return byURL(s, r)
	}
	return v.toPage(s, r, r.path)
}

// toPage returns the candidates for a link with the path p, relative to the source. A link that does not look like
// one to a page is left as it is.
func (v *vuepress) toPage(s *Site, r *reference, p string) (all []candidate) {
	if !isRoute(p) {
		return byURL(s, r)
	}
	at := "/" + strings.TrimPrefix(strings.TrimPrefix(r.pageDir(), v.dir), "/")
	if strings.HasPrefix(p, "/") {
		at = ""
	}
	full := cleanURL(at + "/" + p)
	if strings.HasSuffix(p, ".md") {
		all = append(all, fileCandidate(v.dir+full))
	}
	c := urlCandidate(strings.TrimSuffix(s.Base, "/") + v.infer(full))
	c.isStrict = true
	return append(all, c)
}

// component resolves an attribute of a component. The links of the router add the base.
func (v *vuepress) component(s *Site, r *reference) (all []candidate) {
	if r.isRooted() {
		c := urlCandidate(strings.TrimSuffix(s.Base, "/") + v.infer(cleanURL(r.path)))
		return append([]candidate{c}, byURLWithBase(s, r)...)
	}
	return maybeChanged(r, byURL(s, r))
}

// byVite resolves an image of VuePress 2: relative to the source, or in the public directory.
func (v *vuepress) byVite(s *Site, r *reference) []candidate {
	if isAlias(r.path) {
		return aliased
	}
	return byBundler(s, r)
}

// byWebpack resolves an image of VuePress 1, which leaves "/x" as it is, and "x" without "./", too.
func (v *vuepress) byWebpack(s *Site, r *reference) []candidate {
	switch {
	case isAlias(r.path):
		return aliased
	case strings.HasPrefix(r.path, "."):
		return byAsset(s, r)
	}
	return byURL(s, r)
}
