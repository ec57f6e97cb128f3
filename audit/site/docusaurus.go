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

// findDocusaurus finds a site by docusaurus.config.*. Its sources may be anywhere.
func findDocusaurus(d *directory) []*Site {
	name := ""
	for _, ext := range scriptSuffixes {
		if name == "" {
			name = d.first("docusaurus.config." + ext)
		}
	}
	if name == "" {
		return nil
	}
	_, conf := d.tree.readScript(d.in(name))
	s := d.newSite("Docusaurus", name)
	s.Slug, s.Dialect = slug.Docusaurus, markdown.Docusaurus
	if base := conf.get("baseUrl"); base.isUnknown() {
		s.IsBaseKnown = false
	} else {
		s.setBase(base.text("/"))
	}
	s.Origin = strings.TrimSuffix(conf.get("url").text(""), "/")
	s.suffixes = []string{".md", ".mdx", ".js", ".jsx", ".ts", ".tsx"}
	s.markupType = func(s *Site, file string) string {
		if m := s.mountOf(file); m == nil || !strings.HasPrefix(m.Name, "pages") {
			return ""
		}
		return templateType(s, file, ".jsx", ".tsx", ".js")
	}
	s.slash = slashIgnored
	s.readsFront = true
	g := &docusaurus{conf: conf, deflt: conf.get("i18n", "defaultLocale").text("en")}
	switch slash := conf.get("trailingSlash"); {
	case slash.isUnknown():
		g.slash = "unknown"
	case slash.isGiven():
		g.slash = slash.text("")
	}
	g.order = readSearchOrder(d)
	g.plugins(d, s)
	for _, name := range append([]string{"static"}, conf.get("staticDirectories").texts()...) {
		if dir, ok := d.inside(name); ok && (name != "static" || !conf.get("staticDirectories").isGiven() || slices.Contains(conf.get("staticDirectories").texts(), name)) {
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Static})
			g.statics = append(g.statics, dir)
		}
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: d.in("src"), URL: "/", Kind: Partial, Name: "src"})
	s.knowsParts, s.linksSources = true, true
	s.route, s.finish, s.parts, s.navigate = g.route, g.finish, g.parts, g.navigate
	s.table[Markdown] = []step{g.markdown}
	s.table[Image] = []step{g.image}
	s.table[HTML] = []step{g.html}
	s.table[Component] = []step{g.component}
	s.hasComponents = true
	s.dropsTitleIDs = !d.tree.isDir(d.in("src/theme/Heading")) && !d.tree.isDir(d.in("src/theme/MDXComponents/Heading"))
	s.explain, s.isTranslated = g.explain, g.isTranslated
	return []*Site{s}
}

// docusaurus holds the settings of a Docusaurus configuration.
type docusaurus struct {
	conf    value
	slash   string   // "true", "false", "unknown"; "" means not set
	deflt   string   // the default language
	statics []string // directories of static files
	order   searchOrder
	blogs   []string // URLs of blogs
	docs    []string // URLs of documents, of all versions
	// keepsNumbers has the names of mounts where numbers in front of file names are part of URLs.
	keepsNumbers map[string]bool

	langDirs   map[string]string            // languages other than the default, by directory below i18n
	originals  map[string]string            // directories of sources in the default language, by those of translations
	translated map[string]map[string]string // directories of translations, by those of originals and language

	sidebars   []sidebarFile
	ids        map[string]map[string]*Page // by directory of sources, then by id; nil until needed
	hasPlugins bool                        // there are plugins that may make documents
	isRewriter bool                        // code of the project changes links of documents
}

// plugins adds the mounts of presets and plugins.
func (g *docusaurus) plugins(d *directory, s *Site) {
	g.keepsNumbers, g.originals, g.translated = map[string]bool{}, map[string]string{}, map[string]map[string]string{}
	g.findLanguages(d, s)
	found := false
	for _, preset := range g.conf.get("presets").list() {
		o, ok := preset.plugin("classic", "@docusaurus/preset-classic")
		if !ok {
			continue
		}
		found = true
		g.plugin(d, s, "docs", o.get("docs"))
		g.plugin(d, s, "blog", o.get("blog"))
		g.plugin(d, s, "pages", o.get("pages"))
	}
	if !found {
		// A preset that cannot be read: assume the usual options.
		if g.conf.Kind != literal.Map || g.conf.get("presets").isUnknown() || len(g.conf.get("presets").list()) > 0 {
			g.plugin(d, s, "docs", value{})
			g.plugin(d, s, "blog", value{})
			g.plugin(d, s, "pages", value{})
			s.generates = true
		}
	}
	for _, plugin := range g.conf.get("plugins").list() {
		for _, kind := range []string{"docs", "blog", "pages"} {
			if o, ok := plugin.plugin("@docusaurus/plugin-content-"+kind, "content-"+kind); ok {
				g.plugin(d, s, kind, o)
			}
		}
		if o, ok := plugin.plugin("@docusaurus/plugin-client-redirects", "client-redirects"); ok {
			for _, r := range o.get("redirects").list() {
				for _, from := range r.get("from").texts() {
					s.move(cleanURL(from), r.get("to").text(""))
				}
			}
			if f := o.get("createRedirects"); f.isGiven() {
				s.generates = true
			}
		}
		if name := plugin.text(plugin.at(0).text("")); strings.Contains(name, "openapi") || strings.Contains(name, "typedoc") || strings.Contains(name, "redoc") {
			s.generates = true
		}
	}
	g.closes(d, s)
}

// closes finds out whether all routes are known. If so, a link to any other URL shows the site's 404
// page, even if the host has another site there.
func (g *docusaurus) closes(d *directory, s *Site) {
	s.isClosed = g.conf.Kind == literal.Map && !g.conf.Open
	for _, key := range []string{"presets", "plugins", "themes"} {
		v := g.conf.get(key)
		if v.isUnknown() || v.Open {
			s.isClosed = false
		}
		for _, plugin := range v.list() {
			s.isClosed = s.isClosed && g.hasNoRoutes(d, s, plugin)
		}
	}
}

// routeless lists parts of the names of plugins that make no pages.
var routeless = []string{
	"sass", "llms", "image-zoom", "hotjar", "matomo", "plausible", "tailwind", "clarity", "posthog", "copy-page-button", "module-alias", "gtm", "dotenv",
}

// hasNoRoutes reports whether a plugin is known to make no pages other than those read here.
func (g *docusaurus) hasNoRoutes(d *directory, s *Site, plugin value) bool {
	if plugin.text("") == "false" || plugin.Kind == literal.Nil {
		return true
	}
	if plugin.Kind == literal.List {
		plugin = plugin.at(0)
	}
	name := plugin.text("")
	if plugin.Kind == literal.Call {
		name = modulePath(plugin)
	}
	switch {
	case name == "": // a function
		return hasNoRouteCalls(d.tree.config(s.Config))
	case strings.HasPrefix(name, "."): // a file
		file := d.tree.moduleFile(path.Join(d.dir, name))
		return file != "" && hasNoRouteCalls(d.tree.config(file))
	case strings.Contains(name, "search-local"), strings.Contains(name, "lunr-search"):
		s.made = append(s.made, "/search")
		return true
	case strings.HasPrefix(name, "@docusaurus/"), slices.Contains([]string{"classic", "client-redirects", "content-docs", "content-blog", "content-pages"}, name):
		return true
	}
	return slices.ContainsFunc(routeless, func(part string) bool { return strings.Contains(name, part) })
}

// modulePath returns the module that a call names: require.resolve("x"), or path.join(__dirname, "x", "y"),
// which is "./x/y".
func modulePath(call value) string {
	if !strings.HasPrefix(call.Text, "path.") {
		return call.at(0).text("")
	}
	name := "."
	for i := range call.Items {
		part := call.at(i)
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

// plugin returns the options of an entry of presets or plugins: a name, or a list of a name
// and options.
func (v value) plugin(names ...string) (options value, ok bool) {
	head := v
	if v.Kind == literal.List && len(v.Items) > 0 {
		head, options = v.at(0), v.at(1)
	}
	name := head.text("")
	if head.Kind == literal.Call && len(head.Items) > 0 { // require.resolve("name")
		name = head.at(0).text("")
	}
	return options, name != "" && slices.Contains(names, name)
}

// rewritesLinks reports whether a plugin of the project for Markdown changes links.
func rewritesLinks(d *directory, o value) bool {
	for _, key := range []string{"beforeDefaultRemarkPlugins", "remarkPlugins", "beforeDefaultRehypePlugins", "rehypePlugins"} {
		for _, plugin := range o.get(key).list() {
			if plugin.Kind == literal.List {
				plugin = plugin.at(0)
			}
			name, _, ok := plugin.Import()
			if !ok || !strings.HasPrefix(name, ".") {
				continue
			}
			if file := d.tree.moduleFile(path.Join(d.dir, name)); file != "" && linkChange.Match(d.tree.config(file)) {
				return true
			}
		}
	}
	return false
}

// linkChange matches code that sets where a link leads.
var linkChange = lazy.New(`\.(?:url|href)\s*=[^=]`)

// mayRewrite reports whether code of the project may change a relative link, since it leads to a directory
// without documents: it may be relative to the repository that the documents come from.
func (g *docusaurus) mayRewrite(s *Site, r *reference) bool {
	if !g.isRewriter || r.isRooted() || r.path == "" {
		return false
	}
	for name := range s.tree.list(path.Dir(path.Join(r.dir(), r.path))) {
		if s.isDocument(name) {
			return false
		}
	}
	return true
}

func isMarkdownSuffix(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".mdx"
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
func (g *docusaurus) removesNumbers(p *Page) bool {
	return !g.keepsNumbers[p.Mount.Name] && p.front.get("parse_number_prefixes").isTrue(true)
}

func (g *docusaurus) route(s *Site, p *Page) {
	if p.front.get("draft").isTrue(false) {
		p.Why = "a draft"
		return
	}
	kind, _, _ := strings.Cut(p.Mount.Name, "-")
	at := p.Mount.URL
	rel := strings.TrimSuffix(p.Rel, path.Ext(p.Rel))
	u, slugOf := "", p.front.get("slug").text("")
	switch kind {
	case "blog":
		u = at + g.post(p, rel, slugOf)
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
func (g *docusaurus) withSlash(u string) string {
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
func (g *docusaurus) post(p *Page, rel, slugOf string) string {
	if slugOf != "" {
		return strings.TrimPrefix(slugOf, "/")
	}
	if m := postDate.FindStringSubmatch(rel); m != nil {
		return strings.ReplaceAll(m[2], "-", "/") + "/" + m[1] + m[3]
	}
	return strings.TrimSuffix(rel, "/index")
}

// document returns the URL of a documentation page.
func (g *docusaurus) document(p *Page, rel, slugOf string) string {
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
		return cleanURL(dir + slugOf)
	case isIndex:
		return dir
	}
	return dir + p.front.get("id").text(last)
}

var generatedSlug = lazy.New(`slug["']?\s*:\s*["'](/[^"']+)["']`)

// finish adds routes from configuration files: categories and redirects.
func (g *docusaurus) finish(s *Site) {
	for _, u := range s.redirects {
		s.addRoute(u)
	}
	for name, mode := range s.tree.list(s.Dir) {
		if strings.HasPrefix(name, "sidebars") && !mode.IsDir() {
			for _, m := range generatedSlug.FindAllStringSubmatch(string(s.tree.config(s.Dir+"/"+name)), -1) {
				for _, at := range g.docs {
					s.addRoute(strings.TrimSuffix(at, "/") + m[1])
				}
			}
		}
	}
	for _, m := range s.Mounts {
		if m.Kind != Pages || !strings.HasPrefix(m.Name, "docs") {
			continue
		}
		s.tree.files(m.Dir, s.skips, func(rel string) {
			if strings.HasPrefix(path.Base(rel), "_category_.") {
				link := s.tree.read(m.Dir + "/" + rel).get("link")
				if u := link.get("slug").text(""); u != "" {
					s.addRoute(cleanURL(m.URL + u))
				}
			}
		})
	}
}

// markdown returns the candidates for a Markdown link.
func (g *docusaurus) markdown(s *Site, r *reference) []candidate {
	p := r.path
	if rest, ok := strings.CutPrefix(p, "@site/"); ok {
		c := fileCandidate(path.Join(s.Dir, rest))
		c.isAsset, c.isFinal = true, true
		return []candidate{c}
	}
	if g.mayRewrite(s, r) {
		c := fileCandidate(path.Join(r.dir(), r.path))
		c.isAsset = true
		return append(append([]candidate{c}, g.link(s, r)...), candidate{unknown: "code of the project may change the link"})
	}
	ext := r.suffix()
	page := r.use.Page
	isPage := strings.HasPrefix(page.Mount.Name, "pages")
	switch {
	case isMarkdownSuffix(p):
		var all []candidate
		if !isPage {
			all = g.sources(s, r)
		}
		return append(all, g.link(s, r)...)
	case ext != "" && ext != ".html" && ext != ".htm" && !strings.ContainsAny(ext, "0123456789 "):
		if r.isRooted() {
			var all []candidate
			for _, dir := range g.statics {
				c := fileCandidate(path.Join(dir, p))
				c.isAsset = true
				all = append(all, c)
			}
			return append(all, g.link(s, r)...)
		}
		c := fileCandidate(path.Join(r.dir(), p))
		c.isAsset = true
		return append([]candidate{c}, g.link(s, r)...)
	}
	if c, ok := g.onList(s, r); ok {
		return []candidate{c}
	}
	return g.link(s, r)
}

// onList returns a missing candidate for a link that works in its post, but not on the list of posts,
// which shows the text before a marker. ok is false for other links.
func (g *docusaurus) onList(s *Site, r *reference) (c candidate, ok bool) {
	m := r.use.Page.Mount
	if r.path == "" || r.isRooted() || g.slash == "unknown" || !slices.Contains(g.blogs, m.URL) || r.use.Page.front.get("unlisted").isTrue(false) {
		return c, false
	}
	if truncation.Match(s.tree.text(r.use.Page.File, maxPage)) {
		return c, false
	}
	u := joinURL(strings.TrimSuffix(s.Base, "/")+g.withSlash(strings.TrimSuffix(m.URL, "/")), r.path)
	if s.try(urlCandidate(u), r).State != Missing {
		return c, false
	}
	return candidate{Candidate: Candidate{URL: u}, isFinal: true, why: "on the list of posts, which also shows it"}, true
}

// truncation matches the marker that ends the part of a post shown on the list of posts.
var truncation = lazy.New(`<!--\s*truncate\s*-->|\{/\*\s*truncate\s*\*/\}`)

// component resolves an attribute of a component: a relative "src" is an asset, and require("/static/x") is relative to
// the directory of the site.
func (g *docusaurus) component(s *Site, r *reference) []candidate {
	if strings.HasSuffix(r.in, "/src") {
		if c := fileCandidate(path.Join(s.Dir, r.path)); r.isRooted() && g.isStatic(c.File) && s.tree.isDir(path.Dir(c.File)) {
			c.isAsset, c.isFinal = true, true
			return []candidate{c}
		}
		return maybeChanged(r, append(g.image(s, r), byURLWithBaseOnce(s, r)...))
	}
	return maybeChanged(r, g.link(s, r))
}

// image returns the candidates for a Markdown image: an asset, which must exist.
func (g *docusaurus) image(s *Site, r *reference) (all []candidate) {
	switch rest, ok := strings.CutPrefix(r.path, "@site/"); {
	case ok:
		all = []candidate{fileCandidate(path.Join(s.Dir, rest))}
	case r.isRooted():
		for _, dir := range g.statics {
			all = append(all, fileCandidate(path.Join(dir, r.path)))
		}
	default:
		all = []candidate{fileCandidate(path.Join(r.dir(), r.path))}
	}
	for i := range all {
		all[i].isAsset = true
	}
	return all
}

func (g *docusaurus) explain(s *Site, r *reference) (why, other string) {
	page := r.use.Page
	file := path.Join(r.dir(), r.path)
	switch {
	case r.form != Markdown && isMarkdownSuffix(r.path):
		if p := s.pages[file]; p != nil && p.Why == "" {
			other = file
		}
		return "only links of Markdown lead to source files: this is relative to " + s.Route(page), other
	case isMarkdownSuffix(r.path) && strings.HasPrefix(page.Mount.Name, "pages"):
		return "links in src/pages do not lead to source files", ""
	case isMarkdownSuffix(r.path):
		p := s.pages[file]
		switch {
		case p == nil:
		case p.Mount.Name != page.Mount.Name:
			return "links to source files do not lead to another plugin", file
		default:
			return g.otherLanguage(s, page.Mount, file, p.Mount)
		}
	case !r.isRooted() && r.suffix() == "":
		return "without a suffix it is relative to " + s.Route(page), ""
	}
	return "", ""
}

// quotesDocument reports whether a quotation mark follows the name of a document, as in an import: few pages have one.
func quotesDocument(text []byte) bool {
	for {
		_, rest, found := bytes.Cut(text, []byte(".md"))
		if !found {
			return false
		}
		rest = bytes.TrimPrefix(rest, []byte("x"))
		if len(rest) > 0 && (rest[0] == '\'' || rest[0] == '"') {
			return true
		}
		text = rest
	}
}

// mdxImport finds imports of documents.
var mdxImport = finder{lazy.New(`^import\s[^\n]*\sfrom\s+['"]([^'"\n]+\.mdx?)['"]`), "import", isLineStart, atOnce}

// parts returns the documents that a page imports.
func (g *docusaurus) parts(s *Site, p *Page, text []byte) (files []string) {
	if !quotesDocument(text) {
		return nil
	}
	if i := bytes.LastIndex(text, []byte("\nimport ")); i >= 0 { // the rest has no imports
		end := bytes.IndexByte(text[i+1:], '\n')
		if end >= 0 {
			text = text[:i+1+end+1]
		}
	} else if !bytes.HasPrefix(text, []byte("import ")) {
		return nil
	}
	for _, m := range mdxImport.find(text, -1) {
		name := strings.ReplaceAll(m, "\\", "") // "\_" is "_" in a string
		file := path.Join(path.Dir(p.File), name)
		if rest, ok := strings.CutPrefix(name, "@site/"); ok {
			file = path.Join(s.Dir, rest)
		} else if !strings.HasPrefix(name, ".") {
			continue
		}
		if below(file, s.tree.root) {
			files = append(files, file)
		}
	}
	return files
}
