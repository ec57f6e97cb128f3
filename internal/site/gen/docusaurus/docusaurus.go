// Package docusaurus supports sites of Docusaurus: plugins of content, versions, languages and sidebars.
package docusaurus

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
	"example.org/refract/internal/slash"
)

// Generator finds sites of Docusaurus.
var Generator = &site.Generator{
	Name: "Docusaurus", Configs: []string{"docusaurus.config.*"},
	Indexes: []string{"index.md", "README.md", "index.mdx", "readme.md"}, Output: "build", Find: find,
}

// find finds a site by docusaurus.config.*. Its sources may be anywhere.
func find(d *source.Dir) []*site.Site {
	name := d.Script("docusaurus.config")
	if name == "" {
		return nil
	}
	_, conf := d.Tree.ReadScript(d.In(name))
	s := site.New(d, "Docusaurus", name)
	s.Slug, s.Dialect = slug.Docusaurus, markdown.Docusaurus
	s.SetBaseTo(conf.Lookup("baseUrl"))
	s.Origin = strings.TrimSuffix(conf.Lookup("url").Or(""), "/")
	s.Suffixes = []string{".md", ".mdx", ".js", ".jsx", ".ts", ".tsx"}
	s.Slash = site.SlashIgnored
	s.FrontMatter = true
	g := &model{conf: conf, deflt: conf.Lookup("i18n", "defaultLocale").Or("en")}
	switch slash := conf.Lookup("trailingSlash"); {
	case slash.IsUnknown():
		g.slash = "unknown"
	case slash.IsGiven():
		g.slash = slash.Or("")
	}
	g.order, g.shared = readSearchOrder(d), readShared(d)
	g.plugins(d, s)
	for _, name := range append([]string{"static"}, conf.Lookup("staticDirectories").Texts()...) {
		if dir, ok := d.Inside(name); ok && (name != "static" || !conf.Lookup("staticDirectories").IsGiven() || slices.Contains(conf.Lookup("staticDirectories").Texts(), name)) {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Static})
			g.statics = append(g.statics, dir)
		}
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: d.In("src"), URL: "/", Kind: site.Partial, Name: "src"})
	s.Knows, s.Linked, s.IsPicky = site.AllParts, true, true
	s.Links = site.Links{site.Markdown: {g.markdown}, site.Image: {g.image}, site.HTML: {g.html}, site.Component: {g.component}}
	s.Components = true
	s.NoTitleIDs = !d.Tree.IsDir(d.In("src/theme/Heading")) && !d.Tree.IsDir(d.In("src/theme/MDXComponents/Heading"))
	s.SetModel(g)
	return []*site.Site{s}
}

// Type returns the media type of a page that is a component.
func (g *model) Type(s *site.Site, file string) string {
	if m := s.MountOf(file); m == nil || !strings.HasPrefix(m.Name, "pages") {
		return ""
	}
	return site.TemplateType(s, file, ".jsx", ".tsx", ".js")
}

// model holds the settings of a Docusaurus configuration.
type model struct {
	conf    source.Value
	slash   string   // "true", "false", "unknown"; "" means not set
	deflt   string   // the default language
	statics []string // directories of static files
	order   searchOrder
	blogs   []string          // URLs of blogs
	docs    []string          // URLs of documents, of all versions
	shared  map[string]string // documents that all pages may show, by the names of their components
	// keepsNumbers has the names of mounts where numbers in front of file names are part of URLs.
	keepsNumbers map[string]bool

	langDirs   map[string]string            // languages other than the default, by directory below i18n
	originals  map[string]string            // directories of sources in the default language, by those of translations
	translated map[string]map[string]string // directories of translations, by those of originals and language

	sidebars   []sidebarFile
	ids        map[string]map[string]*site.Page // by directory of sources, then by id; nil until needed
	hasPlugins bool                             // there are plugins that may make documents

	fromSuffixes   []string          // with which pages have URLs that redirect to them
	hasMoreSources bool              // code redirects from URLs that are not known
	moreSources    web.CodeRedirects // these
}

// plugins adds the mounts of presets and plugins.
func (g *model) plugins(d *source.Dir, s *site.Site) {
	g.keepsNumbers, g.originals, g.translated = map[string]bool{}, map[string]string{}, map[string]map[string]string{}
	g.findLanguages(d, s)
	found := false
	for _, preset := range g.conf.Lookup("presets").List() {
		o, ok := pluginOptions(preset, "classic", "@docusaurus/preset-classic")
		if !ok {
			continue
		}
		found = true
		g.plugin(d, s, "docs", o.Lookup("docs"))
		g.plugin(d, s, "blog", o.Lookup("blog"))
		g.plugin(d, s, "pages", o.Lookup("pages"))
	}
	if !found {
		// A preset that cannot be read: assume the usual options.
		if g.conf.Kind != literal.Map || g.conf.Lookup("presets").IsUnknown() || len(g.conf.Lookup("presets").List()) > 0 {
			for _, kind := range contentKinds {
				if !g.hasDefault(kind) {
					g.plugin(d, s, kind, source.Value{})
				}
			}
			s.Generates = true
		}
	}
	for _, plugin := range g.conf.Lookup("plugins").List() {
		isContent := false
		for _, kind := range contentKinds {
			if o, ok := pluginOptions(plugin, "@docusaurus/plugin-content-"+kind, "content-"+kind); ok {
				g.plugin(d, s, kind, o)
				isContent = true
			} else if extends(d, plugin, "@docusaurus/plugin-content-"+kind) {
				g.plugin(d, s, kind, plugin.Item(1))
				isContent = true
			}
		}
		if at := strings.Trim(plugin.Item(1).Lookup("routeBasePath").Or(""), "/"); !isContent && at != "" {
			s.Made = append(s.Made, "/"+at+"/") // another plugin makes all pages there
		}
		if o, ok := pluginOptions(plugin, "@docusaurus/plugin-client-redirects", "client-redirects"); ok {
			g.redirects(d, s, o)
		}
		if name := plugin.Or(plugin.Item(0).Or("")); strings.Contains(name, "openapi") || strings.Contains(name, "typedoc") || strings.Contains(name, "redoc") {
			s.Generates = true
		}
	}
	g.closes(d, s)
}

// contentKinds lists the plugins that publish documents, by what their names end with.
var contentKinds = []string{"docs", "blog", "pages"}

// hasDefault reports whether the configuration lists a plugin itself, without an id. Then no preset can
// have it: Docusaurus permits one of each id.
func (g *model) hasDefault(kind string) bool {
	return slices.ContainsFunc(g.conf.Lookup("plugins").List(), func(plugin source.Value) bool {
		o, ok := pluginOptions(plugin, "@docusaurus/plugin-content-"+kind, "content-"+kind)
		return ok && o.Lookup("id").Or("default") == "default"
	})
}

// closes finds out whether all routes are known. If so, a link to any other URL shows the site's 404
// page, even if the host has another site there.
func (g *model) closes(d *source.Dir, s *site.Site) {
	isClosed := g.conf.Kind == literal.Map && !g.conf.Open
	for _, key := range []string{"presets", "plugins", "themes"} {
		v := g.conf.Lookup(key)
		if v.IsUnknown() || v.Open {
			isClosed = false
		}
		for _, plugin := range v.List() {
			isClosed = isClosed && g.hasNoRoutes(d, s, plugin)
		}
	}
	if isClosed && !hasOwnLinks(d) {
		s.Known = site.ClosedRoutes
	}
}

var ownLink = lazy.New(`(?m)(?:[{,]|^)\s*['"]?[aA]['"]?\s*(?:[:,]|\(|$)`)

// hasOwnLinks reports whether the site has its own component for links of documents:
// src/theme/MDXComponents with an "a". Its code then decides what rooted links point to, unless there are
// pages.
func hasOwnLinks(d *source.Dir) bool {
	for _, name := range []string{"src/theme/MDXComponents", "src/theme/MDXComponents/index", "src/theme/MDXComponents/A", "src/theme/MDXComponents/A/index"} {
		for _, ext := range []string{".js", ".tsx", ".jsx", ".ts"} {
			file := d.In(name + ext)
			if d.Tree.IsFile(file) && (strings.Contains(name, "/A") || ownLink.Match(d.Tree.Config(file))) {
				return true
			}
		}
	}
	return false
}

// routeless lists parts of the names of plugins that make no pages.
var routeless = []string{
	"sass", "llms", "image-zoom", "hotjar", "matomo", "plausible", "tailwind", "clarity", "posthog", "copy-page-button", "module-alias", "gtm", "dotenv",
}

// hasNoRoutes reports whether a plugin is known to make no pages other than those read here.
func (g *model) hasNoRoutes(d *source.Dir, s *site.Site, plugin source.Value) bool {
	if plugin.Or("") == "false" || plugin.Kind == literal.Nil {
		return true
	}
	if plugin.Kind == literal.List {
		plugin = plugin.Item(0)
	}
	name := plugin.Or("")
	if plugin.Kind == literal.Call {
		name = modulePath(plugin)
	}
	switch {
	case name == "": // a function
		return hasNoRouteCalls(d.Tree.Config(s.Config))
	case strings.HasPrefix(name, "."): // a file
		file := d.Tree.ModuleFile(path.Join(d.Path, name))
		return file != "" && hasNoRouteCalls(d.Tree.Config(file))
	case strings.Contains(name, "search-local"), strings.Contains(name, "lunr-search"):
		s.Made = append(s.Made, "/search")
		return true
	case strings.HasPrefix(name, "@docusaurus/"), slices.Contains([]string{"classic", "client-redirects", "content-docs", "content-blog", "content-pages"}, name):
		return true
	}
	return slices.ContainsFunc(routeless, func(part string) bool { return strings.Contains(name, part) })
}

// modulePath returns the module that a call names: require.resolve("x"), or path.join(__dirname, "x", "y"),
// which is "./x/y".
func modulePath(call source.Value) string {
	if !strings.HasPrefix(call.Text, "path.") {
		return call.Item(0).Or("")
	}
	name := "."
	for i := range call.Items {
		part := call.Item(i)
		if i == 0 && part.Kind == literal.Unknown && part.Text == "__dirname" {
			continue
		}
		if part.Kind != literal.String {
			return ""
		}
		name += "/" + strings.TrimPrefix(part.Text, "./")
	}
	return name
}

// hasNoRouteCalls reports whether the code of a plugin never adds a page. nil is code that cannot be read.
func hasNoRouteCalls(text []byte) bool {
	return text != nil && !routeCall.Match(text)
}

var routeCall = lazy.New(`\baddRoute\b\s*[^\s,}]`)

// pluginOptions returns the options of an entry of presets or plugins: a name, or a list of a name and
// options.
func pluginOptions(v source.Value, names ...string) (options source.Value, ok bool) {
	head := v
	if v.Kind == literal.List && len(v.Items) > 0 {
		head, options = v.Item(0), v.Item(1)
	}
	name := head.Or("")
	if head.Kind == literal.Call && len(head.Items) > 0 { // require.resolve("name")
		name = head.Item(0).Or("")
	}
	return options, name != "" && slices.Contains(names, name)
}

// extends reports whether a plugin is a file of the project that builds on another plugin.
func extends(d *source.Dir, plugin source.Value, other string) bool {
	name := plugin.Or(plugin.Item(0).Or(""))
	if !strings.HasPrefix(name, ".") {
		return false
	}
	file := d.Tree.ModuleFile(path.Join(d.Path, name))
	text := d.Tree.Config(file)
	return file != "" && (bytes.Contains(text, []byte("'"+other+"'")) || bytes.Contains(text, []byte(`"`+other+`"`)))
}

var (
	numberPrefix = lazy.New(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)
	noNumber     = lazy.New(`^\d+[-_.]\d+`)
	// postDate finds the date of a post in its path. A date in the front matter does not change the URL.
	postDate = lazy.New(`^(.*)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*?)(?:/index)?$`)
)

func withoutNumber(name string) string {
	if noNumber.MatchString(name) {
		return name
	}
	if m := numberPrefix.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// removesNumbers reports whether numbers in front of the names of a page are not part of its URL.
func (g *model) removesNumbers(p *site.Page) bool {
	return !g.keepsNumbers[p.Mount.Name] && p.Front.Lookup("parse_number_prefixes").IsTrue(true)
}

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	if p.Front.Lookup("draft").IsTrue(false) {
		p.Why = reason.Draft
		return
	}
	kind, _, _ := strings.Cut(p.Mount.Name, "-")
	at := p.Mount.URL
	rel := slash.Stem(p.Rel)
	u, slugOf := "", p.Front.Lookup("slug").Or("")
	switch kind {
	case "blog":
		u = at + g.post(rel, slugOf)
	case "pages":
		dir, name := path.Split(rel)
		u = at + dir
		if name != "index" {
			u += name
		}
		if slugOf != "" && strings.HasPrefix(slugOf, "/") {
			u = strings.TrimSuffix(at, "/") + slugOf
		}
	default:
		u = g.document(p, rel, slugOf)
	}
	p.Routes = []string{g.withSlash(u)}
	if g.slash == "unknown" && u != at {
		p.Routes = append(p.Routes, strings.TrimSuffix(u, "/")+"/")
	}
	if g.slash == "false" {
		p.Also = append(p.Also, strings.TrimSuffix(p.Routes[0], "/")+".html")
	}
}

// withSlash applies trailingSlash.
func (g *model) withSlash(u string) string {
	switch {
	case u == "/":
		return u
	case g.slash == "true":
		return strings.TrimSuffix(u, "/") + "/"
	case g.slash == "false":
		return strings.TrimSuffix(u, "/")
	}
	return u
}

// post returns the URL of a post below that of the blog.
func (g *model) post(rel, slugOf string) string {
	if slugOf != "" {
		return strings.TrimPrefix(slugOf, "/")
	}
	if m := postDate.FindStringSubmatch(rel); m != nil {
		return strings.ReplaceAll(m[2], "-", "/") + "/" + m[1] + m[3]
	}
	return strings.TrimSuffix(rel, "/index")
}

// document returns the URL of a documentation page.
func (g *model) document(p *site.Page, rel, slugOf string) string {
	at := p.Mount.URL
	names := strings.Split(rel, "/")
	last := names[len(names)-1]
	parent := ""
	if len(names) > 1 {
		parent = names[len(names)-2]
	}
	if g.removesNumbers(p) {
		for i, name := range names {
			names[i] = withoutNumber(name)
		}
		last, parent = names[len(names)-1], withoutNumber(parent)
	}
	dir := at + strings.Join(names[:len(names)-1], "/")
	if len(names) > 1 {
		dir += "/"
	}
	lower := strings.ToLower(last)
	isIndex := lower == "index" || lower == "readme" || parent != "" && strings.EqualFold(last, parent)
	switch {
	case strings.HasPrefix(slugOf, "/"):
		return strings.TrimSuffix(at, "/") + slugOf
	case slugOf != "":
		return site.CleanURL(dir + slugOf)
	case isIndex:
		return dir
	}
	return dir + p.Front.Lookup("id").Or(last)
}

var generatedSlug = lazy.New(`slug["']?\s*:\s*["'](/[^"']+)["']`)

// Finish adds routes from configuration files: categories and redirects.
func (g *model) Finish(s *site.Site) {
	g.redirectSuffixes(s)
	for name, mode := range s.Tree.List(s.Dir) {
		if strings.HasPrefix(name, "sidebars") && !mode.IsDir() {
			for _, m := range generatedSlug.FindAllStringSubmatch(string(s.Tree.Config(s.Dir+"/"+name)), -1) {
				for _, at := range g.docs {
					s.AddRoute(strings.TrimSuffix(at, "/") + m[1])
				}
			}
		}
	}
	for _, m := range s.Mounts {
		if m.Kind != site.Pages || !strings.HasPrefix(m.Name, "docs") {
			continue
		}
		s.Tree.Files(m.Dir, s.Skips, func(rel string) {
			if strings.HasPrefix(path.Base(rel), "_category_.") {
				link := s.Tree.Read(m.Dir + "/" + rel).Lookup("link")
				if u := link.Lookup("slug").Or(""); u != "" {
					s.AddRoute(site.CleanURL(m.URL + u))
				}
			}
		})
	}
}

// markdown returns the candidates for a Markdown link.
func (g *model) markdown(s *site.Site, r *site.Reference) []site.Candidate {
	p := r.Path
	if rest, ok := strings.CutPrefix(p, "@site/"); ok {
		c := site.FileCandidate(path.Join(s.Dir, rest))
		c.IsAsset, c.IsFinal = true, true
		return []site.Candidate{c}
	}
	ext := r.Suffix()
	page := r.Use.Page
	isPage := strings.HasPrefix(page.Mount.Name, "pages")
	switch {
	case source.IsMarkdown(p):
		var all []site.Candidate
		if !isPage {
			all = g.sources(s, r)
		}
		return append(all, g.link(s, r)...)
	case ext != "" && ext != ".html" && ext != ".htm" && !strings.ContainsAny(ext, "0123456789 "):
		if r.IsRooted() {
			var all []site.Candidate
			for _, dir := range g.statics {
				all = append(all, site.AssetCandidate(path.Join(dir, p)))
			}
			return append(all, g.link(s, r)...)
		}
		return append([]site.Candidate{site.AssetCandidate(path.Join(r.Dir(), p))}, g.link(s, r)...)
	}
	if c, ok := g.onList(s, r); ok {
		return []site.Candidate{c}
	}
	return g.link(s, r)
}

// onList returns a missing candidate for a link that works in its post, but not on the list of posts,
// which shows the text before a marker. ok is false for other links.
func (g *model) onList(s *site.Site, r *site.Reference) (c site.Candidate, ok bool) {
	m := r.Use.Page.Mount
	if r.Path == "" || r.IsRooted() || g.slash == "unknown" || !slices.Contains(g.blogs, m.URL) || r.Use.Page.Front.Lookup("unlisted").IsTrue(false) {
		return c, false
	}
	if truncation.Match(s.Tree.Text(r.Use.Page.File, source.MaxPage)) {
		return c, false
	}
	u := site.JoinURL(strings.TrimSuffix(s.Base, "/")+g.withSlash(strings.TrimSuffix(m.URL, "/")), r.Path)
	if s.Try(site.URLCandidate(u), r).State != site.Missing {
		return c, false
	}
	return site.Candidate{URL: u, IsFinal: true, Why: onListOfPosts}, true
}

// truncation matches the marker that ends the part of a post shown on the list of posts.
var truncation = lazy.New(`<!--\s*truncate\s*-->|\{/\*\s*truncate\s*\*/\}`)

// component resolves an attribute of a component: a relative "src" is an asset, and require("/static/x") is relative to
// the directory of the site.
func (g *model) component(s *site.Site, r *site.Reference) []site.Candidate {
	if strings.HasSuffix(r.In, "/src") {
		if c := site.FileCandidate(path.Join(s.Dir, r.Path)); r.IsRooted() && g.isStatic(c.File) && s.Tree.IsDir(path.Dir(c.File)) {
			c.IsAsset, c.IsFinal = true, true
			return []site.Candidate{c}
		}
		return site.MaybeChanged(r, append(g.image(s, r), site.ByURLWithBaseOnce(s, r)...))
	}
	return site.MaybeChanged(r, g.link(s, r))
}

// image returns the candidates for a Markdown image: an asset, which must exist.
func (g *model) image(s *site.Site, r *site.Reference) (all []site.Candidate) {
	switch rest, ok := strings.CutPrefix(r.Path, "@site/"); {
	case ok:
		all = []site.Candidate{site.FileCandidate(path.Join(s.Dir, rest))}
	case r.IsRooted():
		for _, dir := range g.statics {
			all = append(all, site.FileCandidate(path.Join(dir, r.Path)))
		}
	default:
		all = []site.Candidate{site.FileCandidate(path.Join(r.Dir(), r.Path))}
	}
	for i := range all {
		all[i].IsAsset = true
	}
	return all
}

// Explain says why the target of a reference does not exist.
func (g *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	page := r.Use.Page
	file := path.Join(r.Dir(), r.Path)
	switch {
	case r.Form != site.Markdown && source.IsMarkdown(r.Path):
		if p := s.ByFile[file]; p != nil && p.Why.IsZero() {
			other = file
		}
		return onlyMarkdownLinks.With(s.Route(page)), other
	case source.IsMarkdown(r.Path) && strings.HasPrefix(page.Mount.Name, "pages"):
		return inSrcPages, ""
	case source.IsMarkdown(r.Path):
		p := s.ByFile[file]
		switch {
		case p == nil:
		case p.Mount.Name != page.Mount.Name:
			return linkToOtherPlugin, file
		default:
			return g.otherLanguage(s, page.Mount, file, p.Mount)
		}
	case !r.IsRooted() && r.Suffix() == "":
		return withoutSuffix.With(s.Route(page)), ""
	}
	return reason.Reason{}, ""
}

// Parts returns the documents that a page imports, and those that all pages may show by their names.
func (g *model) Parts(s *site.Site, p *site.Page, _ string, text []byte) (parts site.Parts) {
	if len(g.shared) > 0 {
		g.addShared(s, &parts, text)
	}
	for name := range source.DocumentsIn(text) {
		if file := importedFile(s.Dir, p.File, name); file != "" {
			parts.Add(s, file)
		}
	}
	return parts
}

// addShared adds the documents that a page shows by the names of components. If it may show more, its parts are open.
func (g *model) addShared(s *site.Site, parts *site.Parts, text []byte) {
	tags := startTag.FindAllSubmatch(text, maxTags)
	shown := map[string]bool{}
	for _, m := range tags {
		file := g.shared[string(m[1])]
		if file == "" || shown[file] {
			continue
		}
		if len(shown) == maxShown {
			parts.IsOpen = true
			return
		}
		shown[file] = true
		parts.Add(s, file)
	}
	parts.IsOpen = parts.IsOpen || len(tags) == maxTags
}

// importedFile returns the file that a file of the site in dir imports by a name, "" if it is none of the project.
func importedFile(dir, file, name string) string {
	name = strings.ReplaceAll(name, "\\", "") // "\_" is "_" in a string
	switch rest, isOfSite := strings.CutPrefix(name, "@site/"); {
	case isOfSite:
		return path.Join(dir, rest)
	case strings.HasPrefix(name, "."):
		return path.Join(path.Dir(file), name)
	}
	return ""
}

const (
	maxTags   = 1_000 // of components in a page
	maxShared = 1_000 // documents
	maxShown  = 100   // of these on one page: where each refers to what others may have, the time grows with the square
)

var (
	startTag = lazy.New(`<([A-Z]\w*)[\s/>]`)
	// sharedImport matches the import of a document by a name.
	sharedImport = lazy.New(`(?m)^import\s+(\w+)\s+from\s+['"]([^'"\n]+\.mdx?)['"]`)
)

// readShared returns the documents that src/theme/MDXComponents imports, by the names under which all pages
// may show them.
func readShared(d *source.Dir) map[string]string {
	shared := map[string]string{}
	file := d.Tree.ModuleFile(d.In("src/theme/MDXComponents"))
	if file == "" {
		return shared
	}
	for _, m := range sharedImport.FindAllSubmatch(d.Tree.Config(file), maxShared) {
		if to := importedFile(d.Path, file, string(m[2])); to != "" && source.Below(to, d.Tree.Root) && d.Tree.IsFile(to) {
			shared[string(m[1])] = to
		}
	}
	return shared
}

// Reasons.
var (
	inSrcPages        = reason.New(reason.Base, "in-src-pages", "links in src/pages do not resolve to source files")
	linkToOtherPlugin = reason.New(reason.OtherSite, "link-to-other-plugin", "links to source files do not resolve in another plugin")
	onListOfPosts     = reason.New(reason.Unpublished, "on-list-of-posts", "on the list of posts, which also shows it")
	onlyMarkdownLinks = reason.New(reason.Base, "only-markdown-links", "only links of Markdown resolve to source files: this is relative to %s")
	withoutSuffix     = reason.New(reason.Base, "without-suffix", "without a suffix it is relative to %s")
)
