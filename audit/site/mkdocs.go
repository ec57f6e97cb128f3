package site

import (
	"bytes"
	"net/url"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
)

// findMkDocs finds sites of MkDocs and of Zensical. Zensical reads the same file, but resolves raw
// HTML and links without a suffix against the source.
func findMkDocs(d *directory) []*Site {
	name := d.first("mkdocs.yml", "mkdocs.yaml", "zensical.toml")
	if name == "" {
		name = otherMkDocs(d)
	}
	if name == "" {
		return nil
	}
	if isIncluded(d, name) {
		return nil // a directory of that site
	}
	conf, text := readMkDocs(d, name, 0)
	s := d.newSite("MkDocs", name)
	if name == "zensical.toml" || d.first("zensical.toml") != "" {
		s.Generator = "Zensical"
	}
	s.setURL(conf.get("site_url"))
	if hasTechDocs(conf) { // Backstage shows the site somewhere below its own URL
		s.IsBaseKnown, s.Origin = false, ""
	}
	s.Slug = slug.PythonMarkdown
	if strings.Contains(text, "slugify_unicode") || strings.Contains(text, "pymdownx.slugs") {
		s.Slug = slug.PythonMarkdownUnicode
	}
	s.Dialect = mkdocsDialect(conf)
	s.hasHooks = conf.get("hooks").isGiven()
	s.hasAutorefs = strings.Contains(text, "mkdocstrings") || strings.Contains(text, "autorefs")
	s.hasOthers = strings.Contains(text, "inventories:") || strings.Contains(text, "objects.inv")
	s.hasObjects = s.hasHooks || s.hasAutorefs
	docs, ok := d.inside(conf.get("docs_dir").text("docs"))
	if !ok || !conf.get("nav").isGiven() && isContentOfHugo(d.tree, docs) {
		return nil
	}
	m := &mkdocs{conf: conf, theme: conf.get("theme", "name").text(conf.get("theme").text("mkdocs"))}
	if under := conf.get("INHERIT").text(""); under != "" && s.hasHooks {
		m.shared, _ = d.inside(path.Join(path.Dir(under), conf.get("docs_dir").text("docs")))
	}
	m.mount(d, s, docs)
	m.mountIncluded(d, s)
	s.suffixes = []string{".md", ".markdown", ".mdown", ".mkdn", ".mkd"}
	s.copies = copyAll
	if !conf.get("use_directory_urls").isTrue(true) {
		s.slash = slashNever
	}
	s.knowsParts = true
	s.route, s.finish, s.parts, s.knowsTags = m.route, m.finish, m.parts, knowsPlainTags
	m.plugins(s)
	s.navigate = m.navigate
	source := []step{m.bySource}
	if conf.get("validation", "absolute_links").text(conf.get("validation", "links", "absolute_links").text("")) == "relative_to_docs" {
		source = append(source, byRoot)
	}
	s.table[Markdown] = append(source, byURL)
	if s.Generator == "Zensical" {
		s.table[Markdown] = append(slices.Clone(source), byZensical)
		s.table[HTML] = append(slices.Clone(source), byZensical)
	}
	s.explain = m.explain
	if makesID := m.idMaker(s, text); makesID != nil {
		s.makesID = func(s *Site, file, id string) bool { return makesID(file, id, s.tree.text(file, maxPage)) }
	}
	return []*Site{s}
}

// minSections is the least number of directories whose index page has a name of Hugo that shows that a directory holds
// its content.
const minSections = 3

// isContentOfHugo reports whether the index pages of most directories below docs are named _index.md. For MkDocs these are
// pages like others, so the configuration is from a time before Hugo.
func isContentOfHugo(t *tree, docs string) bool {
	sections, indexes := 0, 0
	t.files(docs, func(name string) bool { return name[0] == '.' }, func(rel string) {
		switch path.Base(rel) {
		case "_index.md":
			sections++
		case "index.md", "README.md":
			indexes++
		}
	})
	return sections >= minSections && sections > indexes
}

// otherMkDocs returns a configuration that the command line of MkDocs must name: mkdocs-online.yml. If one
// inherits another, it returns the one that inherits.
func otherMkDocs(d *directory) (name string) {
	var names []string
	parents := map[string]bool{}
	for _, file := range sortedKeys(d.tree.list(d.dir)) {
		ext := path.Ext(file)
		if !strings.HasPrefix(file, "mkdocs") || ext != ".yml" && ext != ".yaml" || !d.tree.isFile(d.in(file)) {
			continue
		}
		conf := d.tree.read(d.in(file))
		parents[path.Clean(conf.get("INHERIT").text(""))] = true
		if conf.get("site_name").isGiven() || conf.get("INHERIT").isGiven() {
			names = append(names, file)
		}
	}
	for _, file := range names {
		if parents[file] || name != "" && !d.tree.read(d.in(file)).get("site_url").isGiven() {
			continue
		}
		if name == "" || !d.tree.read(d.in(name)).get("site_url").isGiven() {
			name = file
		}
	}
	return name
}

// mkdocsDialect returns the Markdown dialect that the extensions of a site define.
func mkdocsDialect(conf value) markdown.Dialect {
	if hasTechDocs(conf) {
		return markdown.MkDocs // it adds most extensions
	}
	extensions := conf.get("markdown_extensions")
	if extensions.isUnknown() || extensions.Open || conf.Open {
		return markdown.MkDocs
	}
	d := markdown.PythonMarkdown
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			_, ok := extensions.named(name)
			return ok
		})
	}
	if has("attr_list", "extra", "markdown.extensions.attr_list", "markdown.extensions.extra", "pymdownx.extra") {
		d.Attributes = markdown.AttributesPython
	}
	d.Admonitions = has("admonition", "markdown.extensions.admonition", "pymdownx.details", "pymdownx.tabbed")
	d.DefinitionLists = has("def_list", "extra", "markdown.extensions.def_list", "markdown.extensions.extra", "pymdownx.extra")
	for _, name := range []string{"admonition", "details", "tab", "html", "definition", "caption", "blocks"} {
		d.SlashBlocks = d.SlashBlocks || has("pymdownx.blocks."+name)
	}
	if has("pymdownx.snippets") {
		d.Includes = markdown.Snippets
	}
	if has("pymdownx.magiclink", "mdx_linkify") {
		d.Bare = markdown.BareGitHub
	}
	if _, ok := conf.get("plugins").named("macros"); ok {
		d.Templates = markdown.Jinja
	}
	for _, name := range []string{"roamlinks", "ezlinks", "obsidian-bridge"} {
		if _, ok := conf.get("plugins").named(name); ok {
			d.WikiLinks = true
		}
	}
	return d
}

// mkdocs holds the settings of an MkDocs configuration.
type mkdocs struct {
	conf       value
	blog       string   // directory of the blog, "blog"; "" means none
	blogFormat string   // of URLs of posts
	langs      []string // of static-i18n, the default first
	isFolder   bool     // languages are directories, not suffixes
	snippets   []string // directories to search for snippets
	appended   []string // files that are a part of each page
	theme      string
	included   []includedSite
	navFile    string // name of the documents that literate-nav reads; "" means none
	shared     string // documents of the site whose configuration this one inherits, if hooks may show them; "" means none
}

// readMkDocs reads a configuration, and those that it inherits from.
func readMkDocs(d *directory, name string, depth int) (value, string) {
	text := string(d.tree.config(d.in(name)))
	conf := d.tree.read(d.in(name))
	if strings.HasSuffix(name, ".toml") {
		return conf.get("project"), text
	}
	const maxInherit = 5
	base := conf.get("INHERIT").text("")
	if _, ok := d.inside(base); base == "" || !ok || depth == maxInherit {
		return conf, text
	}
	if !d.tree.isFile(d.in(base)) { // a build makes it
		conf.Open = true
		return conf, text
	}
	under, more := readMkDocs(d, base, depth+1)
	return inherit(conf, under), text + more
}

// idMaker returns a function that reports whether an id may be made from the text of a page: for
// objects that mkdocstrings documents, for commands of mkdocs-click, or by a hook. A hook makes ids
// from words in the page, so such an id must occur there.
func (m *mkdocs) idMaker(s *Site, conf string) func(file, id string, text []byte) bool {
	hasClick := strings.Contains(conf, "mkdocs-click")
	tabs, _ := m.conf.get("markdown_extensions").named("pymdownx.tabbed")
	hasTabIDs, hasHeadings := tabs.get("slugify").isGiven(), tabs.get("combine_header_slug").isTrue(false)
	if !s.hasObjects && !hasClick && !hasTabIDs {
		return nil
	}
	var titles lazy.Map[string, []string] // of tabs, by file
	return func(file, id string, text []byte) bool {
		if hasTabIDs {
			if isTab(titles.Get(file, func(string) []string { return tabsOf(text) }), id, hasHeadings) {
				return true
			}
		}
		word := strings.TrimLeft(id, "+")
		if s.hasHooks && (strings.ContainsAny(id, ".+:") && isWritten(text, word) || hookMarker.Match(text)) {
			return true
		}
		if !bytes.Contains(text, []byte(":::")) {
			return false
		}
		for _, block := range objectBlock.FindAllSubmatch(text, -1) {
			name := string(block[1])
			if name == "mkdocs-click" && hasClick || strings.Contains(id, ".") && objectID.MatchString(id) || strings.HasPrefix(id, "__") || id == name {
				return true
			}
		}
		return false
	}
}

// emoji matches the name of an emoji, as pymdownx.emoji reads it.
var emoji = lazy.New(`:[a-z0-9_+-]+:`)

// tabTitle matches the first line of a tab.
var tabTitle = lazy.New(`(?m)^[ \t]*===[!+]*[ \t]+"([^"\n]+)"[ \t]*\r?$`)

// tabsOf returns the titles of the tabs in a text.
func tabsOf(text []byte) (names []string) {
	for line := range linesWith(text, "===") {
		if m := tabTitle.Compiled().FindSubmatch(line); m != nil {
			names = append(names, bareName(string(emoji.ReplaceAll(m[1], nil))))
		}
	}
	return names
}

// isTab reports whether an id is that of a tab: made from its title and, if hasHeadings is true, with
// the id of the heading above it as a prefix.
func isTab(titles []string, id string, hasHeadings bool) bool {
	id = bareName(id)
	return slices.ContainsFunc(titles, func(title string) bool {
		return title == id || hasHeadings && len(title) > 1 && strings.HasSuffix(id, title[1:])
	})
}

// objectBlock matches a line that stands for the documentation of an object.
var objectBlock = lazy.New(`(?m)^[ \t]*:::[ \t]*([\w.-]+)`)

// hookMarker matches a name that a hook may replace by text: a paragraph by itself.
var hookMarker = lazy.New(`\n[ \t]*\r?\n\{\{ *[\w.-]+ *\}\}[ \t]*\r?\n?(?:[ \t]*\r?\n|$)`)

// objectID matches the id of an object, or of a heading in its documentation.
var objectID = lazy.New(`^[\pL\pN_.]+(?:--[\w-]+|\(\w*\))?$`)

// isWritten reports whether a text contains a word other than as a fragment.
func isWritten(text []byte, word string) bool {
	for at := 0; word != ""; {
		n := bytes.Index(text[at:], []byte(word))
		if n < 0 {
			return false
		}
		start, end := at+n, at+n+len(word)
		at = end
		isEnd := end == len(text) || strings.IndexByte(" \t\r\n\"'>]`,;", text[end]) >= 0
		if isEnd && start > 0 && strings.IndexByte(" \t\n\"'<[`(", text[start-1]) >= 0 {
			return true
		}
	}
	return false
}

// setURL sets the base and the origin from the URL of a site.
func (s *Site) setURL(v value) {
	if v.isUnknown() {
		s.IsBaseKnown = false
		return
	}
	u, err := url.Parse(v.text(""))
	if err != nil {
		return
	}
	s.setBase(u.Path)
	if u.Host != "" {
		s.Origin = u.Scheme + "://" + u.Host
	}
}

// setBase sets the base to a path, with slashes at both ends.
func (s *Site) setBase(p string) {
	if _, rest, ok := strings.Cut(p, "://"); ok {
		_, p, _ = strings.Cut(rest, "/")
	}
	if p = strings.Trim(p, "/"); p == "" {
		s.Base = "/"
		return
	}
	s.Base = "/" + p + "/"
}

// mount adds the mounts of a site whose sources are in docs.
func (m *mkdocs) mount(d *directory, s *Site, docs string) {
	hidden := func(key, why string) {
		if lines := m.conf.get(key).text(""); lines != "" {
			s.Mounts = append(s.Mounts, &Mount{Dir: docs, URL: "/", Kind: Hidden, Match: ignoreRules(lines), Why: why})
		}
	}
	hidden("exclude_docs", "excluded by exclude_docs")
	hidden("draft_docs", "a draft by draft_docs")
	if o, ok := m.conf.get("plugins").named("exclude"); ok {
		var lines strings.Builder
		for _, pattern := range o.get("glob").texts() { // of fnmatch, whose "*" matches "/" too
			lines.WriteString("/" + strings.ReplaceAll(strings.ReplaceAll(pattern, "**", "*"), "*", "**") + "\n")
		}
		s.Mounts = append(s.Mounts, &Mount{Dir: docs, URL: "/", Kind: Hidden, Match: ignoreRules(lines.String()), Why: "excluded by the plugin exclude"})
	}
	if _, ok := m.conf.get("plugins").named("same-dir"); ok {
		out := path.Clean(m.conf.get("site_dir").text("site"))
		isLeft := func(rel string) bool {
			ext := path.Ext(rel)
			return rel != "CNAME" && ext != ".js" && ext != ".css" && !strings.Contains(rel, "/") && !s.isDocument(rel) || below(rel, out)
		}
		s.Mounts = append(s.Mounts, &Mount{Dir: docs, URL: "/", Kind: Hidden, Match: isLeft, Why: "the plugin same-dir leaves it out"})
	}
	s.Mounts = append(s.Mounts, &Mount{Dir: docs, URL: "/", Kind: Pages})
	theme := m.conf.get("theme", "custom_dir").text("")
	if dir, ok := d.inside(theme); ok && theme != "" {
		isTemplate := func(rel string) bool { return strings.HasSuffix(rel, ".html") || strings.HasSuffix(rel, ".md") }
		s.Mounts = append(s.Mounts,
			&Mount{Dir: dir, URL: "/", Kind: Hidden, Match: isTemplate, Why: "a template of the theme"},
			&Mount{Dir: dir, URL: "/", Kind: Static})
	}
	extensions := m.conf.get("markdown_extensions")
	if o, ok := extensions.named("pymdownx.snippets"); ok || m.conf.isUnknown() || hasTechDocs(m.conf) {
		m.snippets = []string{d.dir}
		if dirs := o.get("base_path").texts(); len(dirs) > 0 {
			m.snippets = nil
			for _, name := range dirs {
				if dir, ok := d.inside(name); ok {
					m.snippets = append(m.snippets, dir)
				}
			}
		}
		for _, name := range o.get("auto_append").texts() {
			if file := m.snippet(s, name); file != "" {
				m.appended = append(m.appended, file)
			}
		}
	}
}

// plugins applies the changes that plugins make.
func (m *mkdocs) plugins(s *Site) {
	plugins := m.conf.get("plugins")
	for _, name := range []string{"gen-files", "api-autonav", "mkdoxy", "autoapi", "mkapi", "gallery", "mknotebooks", "jupyter", "mkdocs-jupyter", "multirepo", "swagger"} {
		if _, ok := plugins.named(name); ok {
			s.generates = true
		}
	}
	for _, prefix := range []string{"", "material/"} {
		if o, ok := plugins.named(prefix + "blog"); ok {
			m.blog = strings.Trim(o.get("blog_dir").text("blog"), "./")
			m.blogFormat = o.get("post_url_format").text("{date}/{slug}")
			s.readsFront = true
			if s.Generator == "MkDocs" { // Zensical 0.0.73 makes no blog
				s.made = append(s.made, path.Join("/", m.blog)+"/")
			}
		}
	}
	if o, ok := plugins.named("i18n"); ok {
		m.isFolder = o.get("docs_structure").text("suffix") == "folder"
		for _, l := range o.get("languages").list() {
			name := l.get("locale").text("")
			if l.get("default").isTrue(false) {
				m.langs = append([]string{name}, m.langs...)
			} else if name != "" {
				m.langs = append(m.langs, name)
			}
		}
	}
	for _, name := range []string{"projects", "material/projects"} { // each project is a site below this one
		if o, ok := plugins.named(name); ok {
			dir := s.Dir + "/" + path.Clean(o.get("projects_dir").text("projects"))
			for _, project := range sortedKeys(s.tree.list(dir)) {
				s.made = append(s.made, "/"+project+"/")
			}
		}
	}
	if o, ok := plugins.named("literate-nav"); ok {
		m.navFile = o.get("nav_file").text("SUMMARY.md")
	}
	if o, ok := plugins.named("redirects"); ok {
		maps := o.get("redirect_maps")
		for _, old := range maps.keys() {
			to, _, _ := strings.Cut(maps.get(old).text(""), "#")
			if !strings.Contains(to, "://") {
				to = s.fileURL(mkdocsName(to))
			}
			s.move(s.fileURL(mkdocsName(old)), to)
		}
	}
	s.made = append(s.made, "/sitemap.xml", "/assets/", "/404.html", "/feed_rss_", "/feed_json_")
	if s.Generator == "MkDocs" {
		s.made = append(s.made, "/search/")
	}
}

// mkdocsName returns the path of a page without suffix; that of an index ends in a slash.
func mkdocsName(rel string) string {
	stem := strings.TrimSuffix(rel, path.Ext(rel))
	dir, name := path.Split(stem)
	if name == "index" || name == "README" {
		return dir
	}
	return stem
}

// fileURL returns the URL of a page by its path without suffix.
func (s *Site) fileURL(name string) string {
	switch {
	case name == "" || strings.HasSuffix(name, "/"):
		return "/" + name
	case s.slash == slashAlways:
		return "/" + name + "/"
	case s.slash == slashNever:
		return "/" + name + ".html"
	}
	return "/" + name
}

func (m *mkdocs) route(s *Site, p *Page) {
	rel := p.Rel
	if p.Mount.Kind != Pages {
		return
	}
	if strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") || strings.HasPrefix(rel, "templates/") {
		p.Why = "hidden files and templates/ are left out"
		return
	}
	dir, name := path.Split(rel)
	if stem := strings.TrimSuffix(name, path.Ext(name)); stem == "README" && s.tree.isFile(p.Mount.Dir+"/"+dir+"index.md") {
		p.Why = "index.md is beside it"
		return
	}
	if len(m.langs) > 0 {
		rel, p.Lang = m.language(rel)
	}
	u := s.fileURL(strings.TrimPrefix(p.Mount.URL, "/") + mkdocsName(rel))
	if p.Lang != "" {
		u = "/" + p.Lang + u
	}
	p.Routes = []string{u}
	if m.blog != "" && strings.HasPrefix(rel, path.Join(m.blog, "posts")+"/") {
		m.routePost(s, p)
	}
}

// language returns a path without its language, and the language; "" is the default one.
func (m *mkdocs) language(rel string) (string, string) {
	for i, lang := range m.langs {
		if rest, ok := strings.CutPrefix(rel, lang+"/"); ok && m.isFolder {
			rel = rest
		} else if stem, ok := strings.CutSuffix(strings.TrimSuffix(rel, path.Ext(rel)), "."+lang); ok && !m.isFolder {
			rel = stem + path.Ext(rel)
		} else {
			continue
		}
		if i == 0 {
			lang = ""
		}
		return rel, lang
	}
	return rel, ""
}

var slugChars = lazy.New(`[^\p{L}\p{N}\-_]+`)

// routePost sets the URL of a post of the blog, if its front matter gives it.
func (m *mkdocs) routePost(s *Site, p *Page) {
	if p.front.get("draft").isTrue(false) {
		p.Why = "a draft"
		return
	}
	p.Routes = nil
	date := p.front.get("date").text(p.front.get("date", "created").text(""))
	name := p.front.get("slug").text("")
	if title := p.front.get("title").text(""); name == "" && title != "" {
		name = strings.ToLower(slugChars.ReplaceAllString(title, "-"))
	}
	if name == "" {
		if h := firstHeading(s.tree.text(p.File, maxFront)); h != "" {
			name = strings.Trim(strings.ToLower(slugChars.ReplaceAllString(h, "-")), "-")
		}
	}
	base := path.Join("/", m.blog) + "/"
	if len(date) < 10 || name == "" || m.blogFormat != "{date}/{slug}" {
		p.Routes = []string{base + "0000/00/00/post/"} // as deep as posts are
		return
	}
	p.Routes = []string{s.fileURL(strings.TrimPrefix(base, "/") + strings.ReplaceAll(date[:10], "-", "/") + "/" + name)}
}

// firstHeading returns the text of the first heading "# x" in a page.
func firstHeading(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if h, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(h)
		}
	}
	return ""
}

// finish adds what has no source: redirects, and pages without a translation.
func (m *mkdocs) finish(s *Site) {
	for _, u := range s.redirects {
		s.addRoute(u)
	}
	if len(m.langs) < 2 {
		return
	}
	for _, p := range s.pages {
		if p.Lang != "" || len(p.Routes) == 0 {
			continue
		}
		for _, lang := range m.langs[1:] {
			p.Also = append(p.Also, "/"+lang+p.Routes[0])
		}
	}
}

// bySource resolves a reference against the source file. With several languages, names are those of
// the default language.
func (m *mkdocs) bySource(s *Site, r *reference) []candidate {
	if r.path == "" || r.isRooted() {
		return nil
	}
	file := path.Join(r.pageDir(), r.path)
	if m.navFile != "" && path.Base(r.use.Page.File) == m.navFile {
		return byNavFile(s, file)
	}
	if len(m.langs) > 0 {
		return m.byLanguage(s, r, file)
	}
	if len(m.included) > 0 {
		return m.byMerged(s, r)
	}
	c := []candidate{fileCandidate(file)}
	if dir, name := path.Split(file); name == "index.md" && s.Generator == "Zensical" {
		c = append(c, fileCandidate(dir+"README.md"))
	}
	if rel, ok := strings.CutPrefix(file, r.use.Page.Mount.Dir+"/"); ok && m.shared != "" && s.tree.isFile(path.Join(m.shared, rel)) {
		page := fileCandidate(path.Join(m.shared, rel)) // hooks show it if a page is not translated
		page.isAsset = true
		c = append(c, page)
	}
	if rel, ok := strings.CutPrefix(file, r.use.Page.Mount.Dir+"/"); ok && m.isOfTheme(s, r.use.Page.Mount.Dir, rel) {
		c = append(c, candidate{unknown: "a file of the theme"})
	}
	if s.generates && !s.tree.isDir(path.Dir(file)) && s.isDocument(file) && below(file, r.use.Page.Mount.Dir) {
		c = append(c, candidate{unknown: "a plugin may make the page"})
	}
	return c
}

// byNavFile resolves a link in a document that literate-nav reads: to a file, a directory, or a pattern of
// either.
func byNavFile(s *Site, file string) []candidate {
	if strings.ContainsAny(file, "*?[") || s.tree.isDir(file) {
		return []candidate{{unknown: "an entry for a plugin"}}
	}
	c := fileCandidate(file)
	c.isFinal = true
	return []candidate{c}
}

// themeFiles lists prefixes of the files that themes publish, below the root of the site.
var themeFiles = map[string][]string{
	"mkdocs":      {"css/base.css", "css/bootstrap", "css/fontawesome", "css/brands", "css/solid", "css/v4-font-face", "fonts/", "webfonts/", "img/favicon.ico", "img/grid.png", "js/base.js", "js/bootstrap", "js/darkmode.js"},
	"readthedocs": {"css/theme", "css/fonts/", "fonts/", "img/favicon.ico", "js/html5shiv", "js/jquery", "js/theme"},
	"material":    {"assets/images/favicon.png", "assets/javascripts/", "assets/stylesheets/"},
}

// isOfTheme reports whether the theme provides a file. A page may refer to it like a source.
func (m *mkdocs) isOfTheme(s *Site, docs, rel string) bool {
	prefixes, isKnown := themeFiles[m.theme]
	if !isKnown {
		dir, _, _ := strings.Cut(rel, "/")
		return dir != rel && !s.isDocument(rel) && !s.tree.isDir(path.Join(docs, dir))
	}
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(rel, prefix) })
}

// byLanguage is like bySource, for sites with translated pages.
func (m *mkdocs) byLanguage(s *Site, r *reference, file string) []candidate {
	ext, lang := path.Ext(file), r.use.Page.Lang
	if p := s.pages[file]; p != nil && !m.isFolder && p.Lang != "" {
		return []candidate{{why: "the suffix ." + p.Lang + " is a language, not part of the name of the page"}}
	}
	var c []candidate
	stem := strings.TrimSuffix(file, ext)
	switch {
	case m.isFolder:
		c = append(c, fileCandidate(file))
		if rel, ok := strings.CutPrefix(file, r.use.Page.Mount.Dir+"/"+lang+"/"); ok {
			c = append(c, fileCandidate(path.Join(r.use.Page.Mount.Dir, m.langs[0], rel)))
		}
		return c
	case lang != "":
		c = append(c, fileCandidate(stem+"."+lang+ext))
	}
	return append(c, fileCandidate(file), fileCandidate(stem+"."+m.langs[0]+ext))
}

// byZensical resolves a reference, as a URL, against the directory of the source.
func byZensical(s *Site, r *reference) []candidate {
	if r.isRooted() || r.path == "" {
		return byURL(s, r)
	}
	dir := path.Dir(r.use.Page.Rel)
	return []candidate{urlCandidate(joinURL(cleanURL(s.Base+dir+"/"), r.path))}
}

// explain returns why the target of a reference does not exist.
func (m *mkdocs) explain(s *Site, r *reference) (why, other string) {
	file := path.Join(r.pageDir(), r.path)
	switch {
	case r.isRooted() || s.Generator == "Zensical":
		return "", ""
	case r.form == HTML || r.form == HTMLSource:
		if s.pages[file] != nil || s.isPublished(file) {
			other = file
		}
		return "raw HTML is not rewritten by MkDocs: it is relative to " + s.Route(r.use.Page), other
	case r.suffix() == "" || r.suffix() == ".html" || strings.HasSuffix(r.path, "/"):
		return "only links to source files are rewritten: this is relative to " + s.Route(r.use.Page), ""
	}
	return "", ""
}

var (
	snippetLine   = lazy.New(`(?m)^[ \t]*(?:[^\n\x60]*?)-{1,}8<-{1,}[ \t]+["']([^"'\n]+)["']`)
	snippetBlock  = lazy.New(`(?ms)^[ \t]*-{1,}8<-{1,}[ \t]*\n(.*?)^[ \t]*-{1,}8<-{1,}[ \t]*$`)
	includeMarker = lazy.New(`\{!\s*([^!\s]+)\s*!\}`)
)

// parts returns the files that a text includes: snippets, and those that are appended.
func (m *mkdocs) parts(s *Site, p *Page, text []byte) (files []string) {
	files = slices.Clone(m.appended)
	if !bytes.Contains(text, []byte("8<")) && !bytes.Contains(text, []byte("{!")) {
		return files
	}
	var names []string
	marks := 0
	for line := range linesWith(text, "8<") {
		if len(bytes.Trim(line, " \t\r-")) == len("8<") {
			marks++
			continue
		}
		for _, match := range snippetLine.FindAllSubmatch(line, -1) {
			names = append(names, string(match[1]))
		}
	}
	if marks > 1 {
		for _, match := range snippetBlock.FindAllSubmatch(text, -1) {
			for line := range strings.Lines(string(match[1])) {
				names = append(names, strings.Trim(line, " \t\r\n\"'"))
			}
		}
	}
	for match := range matchesIn(text, "{!", includeMarker) {
		names = append(names, string(match[1]))
	}
	for _, name := range names {
		if file := m.snippet(s, name); file != "" {
			files = append(files, file)
		}
	}
	return files
}

// templateTag is a tag of Jinja, with its name.
var templateTag = lazy.New(`\{%[-+]?\s*(\w*)`)

// plainTags lists Jinja tags that add no text other than that between them.
var plainTags = []string{"raw", "endraw", "if", "elif", "else", "endif", "for", "endfor", "set", "endset"}

// knowsPlainTags reports whether the tags in a page include no other text.
func knowsPlainTags(_ *Site, text []byte) bool {
	for _, m := range templateTag.FindAllSubmatch(text, -1) {
		if !slices.Contains(plainTags, string(m[1])) {
			return false
		}
	}
	return true
}

// snippet returns the file of a snippet, "" if there is none.
func (m *mkdocs) snippet(s *Site, name string) string {
	name, _, _ = strings.Cut(name, ":")
	for _, dir := range m.snippets {
		if file := path.Join(dir, name); below(file, s.tree.root) && s.tree.isFile(file) {
			return file
		}
	}
	return ""
}
