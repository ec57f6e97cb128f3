package vue

import (
	"bytes"
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
)

// A vuepress holds the settings of a site of VuePress. If its version is unknown, a link is right if it is
// right in either version.
type vuepress struct {
	web.Explainer
	dir        string // of the sources
	isV1, isV2 bool
	hasLayout  bool // a theme other than the default one may make pages
	redirects  bool // a plugin reads redirects in front matter
	writes     bool // a plugin writes documents
	hasAnyBase bool // the first name of a URL may be the base: nothing says what that is
}

// VuePress finds sites of VuePress.
var VuePress = &site.Generator{
	Name: "VuePress", Configs: []string{".vuepress/config.*"},
	Indexes: []string{"index.md", "README.md", "readme.md"}, Output: ".vuepress/dist", Find: findVuePress,
}

// findVuePress finds a site by .vuepress/, in the directory of its sources.
func findVuePress(d *source.Dir) []*site.Site {
	if !d.HasDir(".vuepress") {
		return nil
	}
	name, conf := vuepressConfig(d)
	v := &vuepress{dir: d.Path}
	text := string(d.Tree.Config(d.In(name)))
	v.findVersion(d, name, text)
	s := site.New(d, "VuePress", name)
	s.Slug, s.Dialect = slug.VuePress, markdown.VuePress
	if !v.isV2 {
		s.Slug = slug.VuePress1
	}
	base := baseOf(d, name, conf)
	s.SetBaseTo(base)
	v.hasAnyBase = base.IsUnknown() && base.Default("") == ""
	v.theme(s, d, text, conf)
	s.Mounts = []*site.Mount{{Dir: d.In(".vuepress/public"), URL: "/", Kind: site.Static}, {Dir: d.In(".vuepress"), URL: "/", Kind: site.Hidden, Why: inDotVuePress}}
	patterns := append(conf.Lookup("pagePatterns").Texts(), conf.Lookup("patterns").Texts()...)
	match, hasPages := leftOutBy(patterns)
	if hasPages && !hasPage(d.Tree, d.Path, match) {
		return nil // a build brings all documents
	}
	if match != nil {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Hidden, Match: match, Why: excludedByPages})
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.Path, URL: "/", Kind: site.Pages})
	s.Suffixes = []string{".md"}
	if v.isV1 {
		s.Suffixes = append(s.Suffixes, ".vue")
	}
	s.Slash, s.FrontMatter, s.Knows, s.Components = site.SlashNever, true, site.AllIDs, true
	s.SetModel(v)
	if pattern := conf.Lookup("permalinkPattern"); pattern.IsGiven() || conf.Lookup("permalink").IsGiven() {
		s.Made = append(s.Made, "/") // pages are at dates and names
	}
	if v.isV2 {
		s.Links = site.Links{site.Markdown: {v.byRouteLink}, site.Image: {v.byVite}}
		if !v.isV1 {
			s.Links[site.Macro] = []site.Step{readImportCode(d, name, conf, v.hasLayout).resolve}
		}
	}
	if v.isV1 {
		s.Links[site.Markdown] = append(s.Links[site.Markdown], v.byRouterLink)
		s.Links[site.Image] = append(s.Links[site.Image], v.byWebpack)
		if !v.isV2 {
			s.Links[site.Macro] = []site.Step{snippet}
		}
	}
	s.Links[site.HTML] = []site.Step{site.ByURL}
	s.Links[site.HTMLSource] = s.Links[site.Image]
	s.Links[site.Component] = []site.Step{v.component}
	return []*site.Site{s}
}

// Parts returns the files that a page includes. A page with a mark whose file is not here may have more ids.
func (v *vuepress) Parts(s *site.Site, p *site.Page, _ string, text []byte) site.Parts {
	included := v.included(s, text)
	parts := vueParts(s, v.dir, p, text)
	parts.Files = append(parts.Files, included...)
	parts.IsOpen = len(included) != bytes.Count(text, []byte(vuepressIncludeMark))
	return parts
}

// MakesID reports whether an id is changed: #1 of a link becomes #_1.
func (v *vuepress) MakesID(_ *site.Site, _, id string) bool {
	return v.isV2 && id[0] >= '0' && id[0] <= '9'
}

// vuepressConfig returns the name and the value of the configuration: in .vuepress/, or beside or above the
// sources. Without one, name is the directory.
func vuepressConfig(d *source.Dir) (name string, conf source.Value) {
	names := []string{".vuepress/config.yml", ".vuepress/config.toml"}
	for _, ext := range source.ScriptSuffixes {
		names = append(names, ".vuepress/config."+ext)
	}
	for _, dir := range []string{"", "../"} {
		for _, ext := range source.ScriptSuffixes {
			names = append(names, dir+"vuepress.config."+ext)
		}
	}
	i := slices.IndexFunc(names, func(name string) bool { return d.Tree.IsFile(d.In(name)) })
	switch {
	case i < 0:
		return ".vuepress", source.Value{}
	case i < 2:
		return names[i], d.Tree.Read(d.In(names[i]))
	}
	_, conf = d.Tree.ReadScript(d.In(names[i]))
	return names[i], conf
}

var (
	vuepressV2      = lazy.New(`defineUserConfig|defaultTheme\(|(?:vite|webpack)Bundler|@vuepress/(?:bundler|client|vite|webpack|cli)|['"]vuepress/`)
	vuepressVersion = lazy.New(`"(?:vuepress|vuepress-vite|@vuepress/(?:core|cli|client|bundler-\w+|plugin-[\w-]+|theme-default))"\s*:\s*"([^"]*)"`)
	otherTheme      = lazy.New(`vuepress-theme-[\w-]+|@[\w-]+/vuepress-theme[\w-]*|(?:hope|plume|reco)Theme\(`)
	knownTheme      = lazy.New(`(?i)hope|plume`) // their pages are those of directories, and below s.made
	vuepressMaker   = lazy.New(`additionalPages|createPage|pages\.push|(?i:plugin-blog|blogPlugin|['"]blog['"]|@vuepress/blog|catalog|typedoc|openapi|swagger)`)
	vuepressWriter  = lazy.New(`(?i:typedoc|openapi|swagger)`)
	attributeList   = lazy.New(`\battrs\b|markdown-it-(?:attrs|anchor)|custom-?id`)
)

// findVersion finds the version in the configuration, or else in package.json there or above.
func (v *vuepress) findVersion(d *source.Dir, config, text string) {
	switch ext := path.Ext(config); {
	case ext == ".yml", ext == ".toml":
		v.isV1 = true
		return
	case vuepressV2.MatchString(text):
		v.isV2 = true
		return
	}
	for at := d.Path; source.Below(at, d.Tree.Root); at = path.Dir(at) {
		for _, m := range vuepressVersion.FindAllSubmatch(d.Tree.Config(at+"/package.json"), -1) {
			version := strings.TrimLeft(string(m[1]), "^~>=v ")
			v.isV1 = v.isV1 || strings.HasPrefix(version, "1") || strings.HasPrefix(version, "0")
			v.isV2 = v.isV2 || strings.HasPrefix(version, "2") || version == "next"
		}
		if v.isV1 || v.isV2 || at == d.Tree.Root || path.Dir(at) == at {
			break
		}
	}
	if !v.isV1 && !v.isV2 {
		v.isV1, v.isV2 = true, true
	}
}

// theme finds out what the theme, plugins and the configuration itself may change.
func (v *vuepress) theme(s *site.Site, d *source.Dir, text string, conf source.Value) {
	for _, name := range vuepressThemes {
		text += string(d.Tree.Config(d.In(".vuepress/" + name)))
	}
	theme := conf.Lookup("theme")
	v.hasLayout = otherTheme.MatchString(text) || theme.Kind != literal.Call && theme.IsGiven() && !strings.HasPrefix(theme.Or(""), "@vuepress/")
	s.Generates = v.hasLayout && !knownTheme.MatchString(text) || conf.IsUnknown() || vuepressMaker.MatchString(text)
	v.writes = vuepressWriter.MatchString(text)
	v.readRedirects(s, d, text, conf)
	if !s.Generates && !v.hasAnyBase {
		s.Known = site.ClosedRoutes
	}
	if v.hasLayout || attributeList.MatchString(text) {
		s.Dialect.Attributes = markdown.AttributesAny
	}
	if conf.Lookup("markdown", "anchor").IsGiven() || conf.Lookup("markdown", "slugify").IsGiven() {
		s.IsLoose = true
	}
	if conf.Lookup("public").IsGiven() {
		s.Made = append(s.Made, "/")
	}
	if v.hasLayout {
		s.Made = append(s.Made, "/category/", "/categories/", "/tag/", "/tags/", "/article/", "/posts/", "/star/", "/timeline/", "/archives/")
	}
}

// leftOutBy returns a function that reports whether patterns of files, as VuePress reads them for its
// pages, exclude a path, or nil if they exclude nothing. It also returns whether there are patterns of
// pages, besides those of excluded files.
func leftOutBy(patterns []string) (isLeftOut func(rel string) bool, hasPages bool) {
	var pages, out []string
	for _, pattern := range patterns {
		if name, ok := strings.CutPrefix(pattern, "!"); ok {
			out = append(out, name, strings.TrimSuffix(name, "/")+"/**")
		} else {
			pages = append(pages, pattern)
		}
	}
	isOut, isPage := source.AnyGlob(out), source.AnyGlob(pages)
	if isPage == nil {
		return isOut, false
	}
	return func(rel string) bool {
		return isVuePressPage(rel) && !isPage(rel) || isOut != nil && isOut(rel)
	}, true
}

// isVuePressPage reports whether a file can be a page.
func isVuePressPage(rel string) bool {
	return strings.HasSuffix(rel, ".md") || strings.HasSuffix(rel, ".vue")
}

// hasPage reports whether a document below dir is not left out.
func hasPage(t *source.Tree, dir string, isLeftOut func(rel string) bool) (found bool) {
	t.Files(dir, func(name string) bool { return found || name == ".vuepress" || name == "node_modules" }, func(rel string) {
		found = found || strings.HasSuffix(rel, ".md") && !isLeftOut(rel)
	})
	return found
}

const vuepressIncludeMark = "!!!include("

// included returns the existing files that the text of a page includes by markdown-it-include. It reads their names
// from the directory in which VuePress runs: above the sources.
func (v *vuepress) included(s *site.Site, text []byte) (files []string) {
	for _, rest := range bytes.Split(text, []byte(vuepressIncludeMark))[1:] {
		name, _, ok := bytes.Cut(rest[:min(len(rest), maxIncludeName)], []byte(")!!!"))
		if !ok {
			continue
		}
		for _, dir := range []string{path.Dir(v.dir), v.dir, s.Tree.Root} {
			if file := path.Join(dir, string(name)); s.Tree.IsFile(file) {
				files = append(files, file)
				break
			}
		}
	}
	return files
}

const maxIncludeName = 500 // bytes

// Route sets the URLs of a page.
func (v *vuepress) Route(s *site.Site, p *site.Page) {
	inferred := v.infer("/" + strings.TrimSuffix(p.Rel, ".vue"))
	p.Routes = []string{inferred}
	at := p.Front.Lookup("permalink").Or("")
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
	if v.redirects {
		for from := range p.Front.Lookup("redirectFrom").Written {
			p.AddAlias(v.redirectURL(from.Text), from)
		}
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

// Makes reports whether a plugin may make a URL: a feed of a language, or a page for a directory of sources.
func (v *vuepress) Makes(s *site.Site, u string) bool {
	switch path.Base(u) {
	case "atom.xml", "rss.xml", "feed.xml", "feed.json", "sitemap.xml":
		return true
	}
	return v.hasLayout && strings.HasSuffix(u, "/") && s.Tree.IsDir(strings.TrimSuffix(v.dir+u, "/"))
}

// isRoute reports whether VuePress takes a link for one to a page.
func isRoute(p string) bool {
	return strings.HasSuffix(p, "/") || strings.HasSuffix(p, ".md") || strings.HasSuffix(p, ".html")
}

// byRouteLink resolves a Markdown link as VuePress 2 does: relative to the source. It adds the base to "/x" only
// for sources.
func (v *vuepress) byRouteLink(s *site.Site, r *site.Reference) []site.Candidate {
	p := r.Path
	if isRoute(p) && r.IsRooted() && !strings.HasSuffix(p, ".md") {
		rest, has := s.CutBase(p)
		if !has {
			return site.ByURL(s, r)
		}
		p = rest
	}
	return v.toPage(s, r, p)
}

// byRouterLink resolves a Markdown link as VuePress 1 does: relative to the source, and the base is always added to
// "/x". A link with a query is left as it is.
func (v *vuepress) byRouterLink(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Query {
		return site.ByURL(s, r)
	}
	return v.toPage(s, r, r.Path)
}

// toPage returns the candidates for a link with the path p, relative to the source. A link that does not look like
// one to a page is left as it is.
func (v *vuepress) toPage(s *site.Site, r *site.Reference, p string) (all []site.Candidate) {
	if !isRoute(p) {
		return site.ByURL(s, r)
	}
	at := "/" + strings.TrimPrefix(strings.TrimPrefix(r.PageDir(), v.dir), "/")
	if strings.HasPrefix(p, "/") {
		at = ""
	}
	full := site.CleanURL(at + "/" + p)
	u := v.infer(full)
	if strings.HasSuffix(p, ".md") {
		all = append(all, site.FileCandidate(v.dir+full))
		if !v.writes && !isServed(s, u) {
			return all // a page that code adds has a URL only
		}
	}
	c := site.URLCandidate(strings.TrimSuffix(s.Base, "/") + u)
	c.IsStrict = true
	return append(all, c)
}

// isServed reports whether there is a page, a file or a redirect at a URL below the base.
func isServed(s *site.Site, u string) bool {
	if _, ok := s.Lookup(u, true); ok {
		return true
	}
	_, ok := s.Redirected(u)
	return ok
}

// component resolves an attribute of a component. The links of the router add the base.
func (v *vuepress) component(s *site.Site, r *site.Reference) (all []site.Candidate) {
	if r.IsRooted() {
		c := site.URLCandidate(strings.TrimSuffix(s.Base, "/") + v.infer(site.CleanURL(r.Path)))
		return append([]site.Candidate{c}, site.ByURLWithBase(s, r)...)
	}
	return site.MaybeChanged(r, site.ByURL(s, r))
}

// byVite resolves an image of VuePress 2: relative to the source, or in the public directory.
func (v *vuepress) byVite(s *site.Site, r *site.Reference) []site.Candidate {
	if isAlias(r.Path) {
		return aliased
	}
	return site.ByBundler(s, r)
}

// byWebpack resolves an image of VuePress 1, which leaves "/x" as it is, and "x" without "./", too.
func (v *vuepress) byWebpack(s *site.Site, r *site.Reference) []site.Candidate {
	switch {
	case isAlias(r.Path):
		return aliased
	case strings.HasPrefix(r.Path, "."):
		return site.ByAsset(s, r)
	}
	return site.ByURL(s, r)
}

// Reasons.
var (
	excludedByPages = reason.New(reason.Unpublished, "excluded-by-pages", "excluded by the patterns of pages")
	inDotVuePress   = reason.New(reason.Unpublished, "in-dot-vuepress", "in .vuepress")
)
