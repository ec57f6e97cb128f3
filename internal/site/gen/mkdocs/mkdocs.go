// Package mkdocs supports sites of MkDocs, Zensical and TechDocs of Backstage, with the plugins that change
// which files are published.
package mkdocs

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// Generator finds sites of MkDocs.
var Generator = &site.Generator{
	Name: "MkDocs", Configs: []string{"mkdocs.yml", "mkdocs.yaml", "zensical.toml", "mkdocs*.yml"},
	Indexes: []string{"index.md", "README.md"}, Output: "site", Find: find,
}

// find finds sites of MkDocs and of Zensical. Zensical reads the same file, but resolves raw HTML and links
// without a suffix against the source.
func find(d *source.Dir) []*site.Site {
	name := d.First("mkdocs.yml", "mkdocs.yaml", "zensical.toml")
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
	s := site.New(d, "MkDocs", name)
	if name == "zensical.toml" || d.First("zensical.toml") != "" {
		s.Generator = "Zensical"
	}
	s.SetURL(conf.Lookup("site_url"))
	if hasTechDocs(conf) { // Backstage shows the site somewhere below its own URL
		s.IsBaseKnown, s.Origin = false, ""
	}
	s.Slug = slug.PythonMarkdown
	if strings.Contains(text, "slugify_unicode") || strings.Contains(text, "pymdownx.slugs") {
		s.Slug = slug.PythonMarkdownUnicode
	}
	s.Dialect = mkdocsDialect(conf)
	names, isEmojiKnown := emojiNames(conf, s.Generator == "Zensical")
	s.Dialect.Emoji, s.Dialect.Icons = names.Emoji, names.Icons
	hooks := hookFiles(d, conf)
	s.Hooks = hooks
	hasHooks := conf.Lookup("hooks").IsGiven() || len(hooks) > 0
	s.Autorefs = strings.Contains(text, "mkdocstrings") || strings.Contains(text, "autorefs")
	docs, ok := d.Inside(conf.Lookup("docs_dir").Or("docs"))
	if !ok || !conf.Lookup("nav").IsGiven() && isContentOfHugo(d.Tree, docs) {
		return nil
	}
	m := &model{
		conf: conf, isZensical: s.Generator == "Zensical", mayBeEmoji: !isEmojiKnown, hasHooks: hasHooks, hasObjects: hasHooks || s.Autorefs,
		hasOthers: strings.Contains(text, "inventories:") || strings.Contains(text, "objects.inv"), theme: conf.Lookup("theme", "name").Or(conf.Lookup("theme").Or("mkdocs"))}
	if under := conf.Lookup("INHERIT").Or(""); under != "" && m.hasHooks {
		m.shared, _ = d.Inside(path.Join(path.Dir(under), conf.Lookup("docs_dir").Or("docs")))
	}
	m.leadsOut = slices.ContainsFunc(hooks, func(file string) bool { return namesHost.Match(d.Tree.Config(file)) })
	m.mount(d, s, docs)
	m.mountIncluded(d, s)
	s.Suffixes = []string{".md", ".markdown", ".mdown", ".mkdn", ".mkd"}
	s.Copies = site.CopiesAll
	if !conf.Lookup("use_directory_urls").IsTrue(true) {
		s.Slash = site.SlashNever
	}
	s.Knows = site.AllParts
	m.plugins(s)
	src := []site.Step{m.bySource}
	_, hasEzLinks := conf.Lookup("plugins").Named("ezlinks")
	if hasEzLinks || conf.Lookup("validation", "absolute_links").Or(conf.Lookup("validation", "links", "absolute_links").Or("")) == "relative_to_docs" {
		src = append(src, site.ByRoot)
	}
	s.Links[site.Markdown] = append(src, site.ByURL)
	if m.isZensical {
		s.Links[site.Markdown] = append(slices.Clone(src), byZensical)
		s.Links[site.HTML] = append(slices.Clone(src), byZensical)
	}
	m.includesMarkdown(s, docs)
	m.makesID = m.idMaker(text)
	s.SetModel(m)
	return []*site.Site{s}
}

// MakesID reports whether a plugin, an extension or a hook may make an id.
func (m *model) MakesID(s *site.Site, file, id string) bool {
	if m.mayMakeEmojiID(s, file, id) {
		return true
	}
	return m.makesID != nil && m.makesID(file, id, s.Tree.Text(file, source.MaxPage))
}

// MayBeObject reports whether a label may be one of an inventory, or the name of an object that mkdocstrings documents.
func (m *model) MayBeObject(label string) bool {
	return m.hasOthers && !strings.Contains(label, "://") || m.hasObjects && strings.Contains(label, ".")
}

// minSections is the least number of directories with an index page named as in Hugo from which to infer
// that a directory holds the content of Hugo.
const minSections = 3

// isContentOfHugo reports whether the index pages of most directories below docs are named _index.md. For
// MkDocs these are pages like others, so the configuration is from a time before Hugo.
func isContentOfHugo(t *source.Tree, docs string) bool {
	sections, indexes := 0, 0
	t.Files(docs, func(name string) bool { return name[0] == '.' }, func(rel string) {
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
func otherMkDocs(d *source.Dir) (name string) {
	var names []string
	parents := map[string]bool{}
	var files []string
	for file := range d.Names() {
		if strings.HasPrefix(file, "mkdocs") {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	for _, file := range files {
		ext := path.Ext(file)
		if ext != ".yml" && ext != ".yaml" || !d.Tree.IsFile(d.In(file)) {
			continue
		}
		conf := d.Tree.Read(d.In(file))
		parents[path.Clean(conf.Lookup("INHERIT").Or(""))] = true
		if conf.Lookup("site_name").IsGiven() || conf.Lookup("INHERIT").IsGiven() {
			names = append(names, file)
		}
	}
	for _, file := range names {
		if parents[file] || name != "" && !d.Tree.Read(d.In(file)).Lookup("site_url").IsGiven() {
			continue
		}
		if name == "" || !d.Tree.Read(d.In(name)).Lookup("site_url").IsGiven() {
			name = file
		}
	}
	return name
}

// mkdocsDialect returns the Markdown dialect that the extensions of a site define.
func mkdocsDialect(conf source.Value) markdown.Dialect {
	if hasTechDocs(conf) {
		return markdown.MkDocs // it adds most extensions
	}
	extensions := conf.Lookup("markdown_extensions")
	if extensions.IsUnknown() || extensions.Open || conf.Open {
		return markdown.MkDocs
	}
	d := markdown.PythonMarkdown
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			_, ok := extensions.Named(name)
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
	if _, ok := conf.Lookup("plugins").Named("macros"); ok {
		d.Templates = markdown.Jinja
	}
	for _, name := range []string{"roamlinks", "ezlinks", "obsidian-bridge"} {
		if _, ok := conf.Lookup("plugins").Named(name); ok {
			d.WikiLinks = true
		}
	}
	return d
}

// model holds the settings of an MkDocs configuration.
type model struct {
	conf       source.Value
	isZensical bool
	hasHooks   bool                              // code of the project changes pages
	leadsOut   bool                              // that code has URLs of the repository on its host, for links to files that are not published
	hasObjects bool                              // [text][label] may name a piece of a program
	hasOthers  bool                              // or a label of another project
	mayBeEmoji bool                              // the configuration does not say whether names between colons are pictures
	emojiIDs   lazy.Map[string, map[string]bool] // by file
	makesID    func(file, id string, text []byte) bool
	blog       string   // directory of the blog, "blog"; "" means none
	blogFormat string   // of URLs of posts
	langs      []string // of static-i18n, the default first
	isFolder   bool     // languages are directories, not suffixes
	snippets   []string // directories to search for snippets
	appended   []string // files that are a part of each page
	includes   string   // documents of which the plugin include-markdown includes some; "" means none
	theme      string
	included   []includedSite
	navFile    string // name of the documents that literate-nav reads; "" means none
	shared     string // documents of the site whose configuration this one inherits, if hooks may show them; "" means none
}

// readMkDocs reads a configuration, and those that it inherits from.
func readMkDocs(d *source.Dir, name string, depth int) (source.Value, string) {
	text := string(d.Tree.Config(d.In(name)))
	conf := d.Tree.Read(d.In(name))
	if strings.HasSuffix(name, ".toml") {
		return conf.Lookup("project"), text
	}
	const maxInherit = 5
	base := conf.Lookup("INHERIT").Or("")
	if base == "" || depth == maxInherit {
		return conf, text
	}
	base = path.Join(path.Dir(name), base) // it is relative to the file that names it
	if _, ok := d.Inside(base); !ok {
		return conf, text
	}
	if !d.Tree.IsFile(d.In(base)) { // a build makes it
		conf.Open = true
		return conf, text
	}
	under, more := readMkDocs(d, base, depth+1)
	return source.Inherit(conf, under), text + more
}

// idMaker returns a function that reports whether an id may be made from the text of a page: for
// objects that mkdocstrings documents, for commands of mkdocs-click, or by a hook. A hook makes ids
// from words in the page, so such an id must occur there.
func (m *model) idMaker(conf string) func(file, id string, text []byte) bool {
	hasClick := strings.Contains(conf, "mkdocs-click")
	tabs, _ := m.conf.Lookup("markdown_extensions").Named("pymdownx.tabbed")
	hasTabIDs, hasHeadings := tabs.Lookup("slugify").IsGiven(), tabs.Lookup("combine_header_slug").IsTrue(false)
	if !m.hasObjects && !hasClick && !hasTabIDs {
		return nil
	}
	var titles lazy.Map[string, []string] // of tabs, by file
	var pages lazy.Map[string, *objectBlocks]
	return func(file, id string, text []byte) bool {
		if hasTabIDs {
			if isTab(titles.Get(file, func(string) []string { return tabsOf(text) }), id, hasHeadings) {
				return true
			}
		}
		blocks := pages.Get(file, func(string) *objectBlocks { return readObjectBlocks(text) })
		word := strings.TrimLeft(id, "+")
		if m.hasHooks && (blocks.hasMarker || strings.ContainsAny(id, ".+:") && site.IsWritten(text, word)) {
			return true
		}
		return hasClick && blocks.names["mkdocs-click"] || blocks.names[id] ||
			len(blocks.names) > 0 && (strings.Contains(id, ".") && objectID.MatchString(id) || strings.HasPrefix(id, "__"))
	}
}

// objectBlocks are the blocks of a page that plugins or hooks replace.
type objectBlocks struct {
	names     map[string]bool
	hasMarker bool // of a hook
}

func readObjectBlocks(text []byte) *objectBlocks {
	blocks := &objectBlocks{names: map[string]bool{}, hasMarker: hookMarker.Match(text)}
	if bytes.Contains(text, []byte(":::")) {
		for _, m := range objectBlock.FindAllSubmatch(text, -1) {
			blocks.names[string(m[1])] = true
		}
	}
	return blocks
}

// shortcode matches the name of an emoji, as pymdownx.emoji reads it.
var shortcode = lazy.New(`:[a-z0-9_+-]+:`)

// tabTitle matches the first line of a tab.
var tabTitle = lazy.New(`(?m)^[ \t]*===[!+]*[ \t]+"([^"\n]+)"[ \t]*\r?$`)

// tabsOf returns the titles of the tabs in a text.
func tabsOf(text []byte) (names []string) {
	for line := range source.LinesWith(text, "===") {
		if m := tabTitle.Compiled().FindSubmatch(line); m != nil {
			names = append(names, site.BareName(string(shortcode.ReplaceAll(m[1], nil))))
		}
	}
	return names
}

// isTab reports whether an id is that of a tab: made from its title and, if hasHeadings is true, with
// the id of the heading above it as a prefix.
func isTab(titles []string, id string, hasHeadings bool) bool {
	id = site.BareName(id)
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

// mount adds the mounts of a site whose sources are in docs.
func (m *model) mount(d *source.Dir, s *site.Site, docs string) {
	hidden := func(key string, why reason.Reason) {
		if lines := m.conf.Lookup(key).Or(""); lines != "" {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: docs, URL: "/", Kind: site.Hidden, Match: source.IgnoreRules(lines), Why: why})
		}
	}
	hidden("exclude_docs", excludeDocs)
	hidden("draft_docs", draftDocs)
	if o, ok := m.conf.Lookup("plugins").Named("exclude"); ok {
		var lines strings.Builder
		for _, pattern := range o.Lookup("glob").Texts() { // of fnmatch, whose "*" matches "/" too
			lines.WriteString("/" + strings.ReplaceAll(strings.ReplaceAll(pattern, "**", "*"), "*", "**") + "\n")
		}
		s.Mounts = append(s.Mounts, &site.Mount{Dir: docs, URL: "/", Kind: site.Hidden, Match: source.IgnoreRules(lines.String()), Why: excludedByPlugin})
	}
	if _, ok := m.conf.Lookup("plugins").Named("same-dir"); ok {
		out := path.Clean(m.conf.Lookup("site_dir").Or("site"))
		isLeft := func(rel string) bool {
			ext := path.Ext(rel)
			return rel != "CNAME" && ext != ".js" && ext != ".css" && !strings.Contains(rel, "/") && !s.IsDocument(rel) || source.Below(rel, out)
		}
		s.Mounts = append(s.Mounts, &site.Mount{Dir: docs, URL: "/", Kind: site.Hidden, Match: isLeft, Why: sameDirLeavesOut})
	}
	s.Mounts = append(s.Mounts, &site.Mount{Dir: docs, URL: "/", Kind: site.Pages})
	theme := m.conf.Lookup("theme", "custom_dir").Or("")
	if dir, ok := d.Inside(theme); ok && theme != "" {
		isTemplate := func(rel string) bool { return strings.HasSuffix(rel, ".html") || strings.HasSuffix(rel, ".md") }
		s.Mounts = append(s.Mounts,
			&site.Mount{Dir: dir, URL: "/", Kind: site.Hidden, Match: isTemplate, Why: themeTemplate},
			&site.Mount{Dir: dir, URL: "/", Kind: site.Static})
	}
	extensions := m.conf.Lookup("markdown_extensions")
	if o, ok := extensions.Named("pymdownx.snippets"); ok || m.conf.IsUnknown() || hasTechDocs(m.conf) {
		m.snippets = []string{d.Path}
		if dirs := o.Lookup("base_path").Texts(); len(dirs) > 0 {
			m.snippets = nil
			for _, name := range dirs {
				if dir, ok := d.Inside(name); ok {
					m.snippets = append(m.snippets, dir)
				}
			}
		}
		for _, name := range o.Lookup("auto_append").Texts() {
			if file := m.snippet(s, name); file != "" {
				m.appended = append(m.appended, file)
			}
		}
	}
}

// hookFiles returns the Python files of a site whose functions change pages: those of hooks, and those that the plugin
// mkdocs-simple-hooks names as "package.module:function".
func hookFiles(d *source.Dir, conf source.Value) (files []string) {
	for _, name := range conf.Lookup("hooks").Texts() {
		if file, ok := d.Inside(name); ok {
			files = append(files, file)
		}
	}
	simple, _ := conf.Lookup("plugins").Named("mkdocs-simple-hooks")
	for _, v := range simple.Lookup("hooks").Members() {
		module, _, ok := strings.Cut(v.Or(""), ":")
		if !ok {
			continue
		}
		name := strings.ReplaceAll(module, ".", "/") + ".py"
		for _, dir := range []string{d.Path, d.Tree.Root} { // MkDocs runs in one of them
			if file := path.Join(dir, name); d.Tree.IsFile(file) {
				files = append(files, file)
				break
			}
		}
	}
	return files
}

// namesHost matches what code needs to turn links to files into URLs of the repository.
var namesHost = lazy.New(`\brepo_url\b|\bedit_uri\b|/(?:blob|tree|raw)/`)

// plugins applies the changes that plugins make.
func (m *model) plugins(s *site.Site) {
	plugins := m.conf.Lookup("plugins")
	for _, name := range []string{"gen-files", "api-autonav", "mkdoxy", "autoapi", "mkapi", "gallery", "mknotebooks", "jupyter", "mkdocs-jupyter", "multirepo", "swagger"} {
		if _, ok := plugins.Named(name); ok {
			s.Generates = true
		}
	}
	for _, prefix := range []string{"", "material/"} {
		if o, ok := plugins.Named(prefix + "blog"); ok {
			m.blog = strings.Trim(o.Lookup("blog_dir").Or("blog"), "./")
			m.blogFormat = o.Lookup("post_url_format").Or("{date}/{slug}")
			s.FrontMatter = true
			if !m.isZensical { // Zensical 0.0.73 makes no blog
				s.Made = append(s.Made, path.Join("/", m.blog)+"/")
			}
		}
	}
	if o, ok := plugins.Named("i18n"); ok {
		m.isFolder = o.Lookup("docs_structure").Or("suffix") == "folder"
		for _, l := range o.Lookup("languages").List() {
			name := l.Lookup("locale").Or("")
			if l.Lookup("default").IsTrue(false) {
				m.langs = append([]string{name}, m.langs...)
			} else if name != "" {
				m.langs = append(m.langs, name)
			}
		}
	}
	for _, name := range []string{"projects", "material/projects"} { // each project is a site below this one
		if o, ok := plugins.Named(name); ok {
			dir := s.Dir + "/" + path.Clean(o.Lookup("projects_dir").Or("projects"))
			for _, project := range source.SortedKeys(s.Tree.List(dir)) {
				s.Made = append(s.Made, "/"+project+"/")
			}
		}
	}
	if o, ok := plugins.Named("literate-nav"); ok {
		m.navFile = o.Lookup("nav_file").Or("SUMMARY.md")
	}
	if o, ok := plugins.Named("redirects"); ok {
		m.addRedirects(s, o.Lookup("redirect_maps"))
	}
	if o, ok := plugins.Named("rss"); ok {
		for _, e := range o.Lookup("feeds_filenames").Entries {
			if path.Ext(e.Value.Text) != "" { // "/" would be all pages
				s.Made = append(s.Made, "/"+e.Value.Text)
			}
		}
	}
	s.Made = append(s.Made, "/sitemap.xml", "/assets/", "/404.html", "/feed_rss_", "/feed_json_")
	if !m.isZensical {
		s.Made = append(s.Made, "/search/")
	}
}

// mkdocsName returns the path of a page without suffix; that of an index ends in a slash.
func mkdocsName(rel string) string {
	stem := slash.Stem(rel)
	dir, name := path.Split(stem)
	if name == "index" || name == "README" {
		return dir
	}
	return stem
}

// Route sets the URLs of a page.
func (m *model) Route(s *site.Site, p *site.Page) {
	rel := p.Rel
	if p.Mount.Kind != site.Pages {
		return
	}
	if strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") || strings.HasPrefix(rel, "templates/") {
		p.Why = hiddenOrTemplates
		return
	}
	dir, name := path.Split(rel)
	if stem := slash.Stem(name); stem == "README" && s.Tree.IsFile(p.Mount.Dir+"/"+dir+"index.md") {
		p.Why = indexBeside
		return
	}
	if len(m.langs) > 0 {
		rel, p.Lang = m.language(rel)
	}
	u := s.FileURL(strings.TrimPrefix(p.Mount.URL, "/") + mkdocsName(rel))
	if p.Lang != "" {
		u = "/" + p.Lang + u
	}
	p.Routes = []string{u}
	if m.blog != "" && strings.HasPrefix(rel, path.Join(m.blog, "posts")+"/") {
		m.routePost(s, p)
	}
}

// language returns a path without its language, and the language; "" is the default one.
func (m *model) language(rel string) (string, string) {
	for i, lang := range m.langs {
		if rest, ok := strings.CutPrefix(rel, lang+"/"); ok && m.isFolder {
			rel = rest
		} else if stem, ok := strings.CutSuffix(slash.Stem(rel), "."+lang); ok && !m.isFolder {
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
func (m *model) routePost(s *site.Site, p *site.Page) {
	if p.Front.Lookup("draft").IsTrue(false) {
		p.Why = reason.Draft
		return
	}
	p.Routes = nil
	date := p.Front.Lookup("date").Or(p.Front.Lookup("date", "created").Or(""))
	name := p.Front.Lookup("slug").Or("")
	if title := p.Front.Lookup("title").Or(""); name == "" && title != "" {
		name = strings.ToLower(slugChars.ReplaceAllString(title, "-"))
	}
	if name == "" {
		if h := firstHeading(s.Tree.Text(p.File, site.MaxFront)); h != "" {
			name = strings.Trim(strings.ToLower(slugChars.ReplaceAllString(h, "-")), "-")
		}
	}
	base := path.Join("/", m.blog) + "/"
	if len(date) < 10 || name == "" || m.blogFormat != "{date}/{slug}" {
		p.Routes = []string{base + "0000/00/00/post/"} // as deep as posts are
		return
	}
	p.Routes = []string{s.FileURL(strings.TrimPrefix(base, "/") + strings.ReplaceAll(date[:10], "-", "/") + "/" + name)}
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

// Finish adds URLs without a source: redirects, and pages without a translation.
func (m *model) Finish(s *site.Site) {
	if len(m.langs) < 2 {
		return
	}
	for _, p := range s.ByFile {
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
func (m *model) bySource(s *site.Site, r *site.Reference) []site.Candidate {
	if r.Path == "" || r.IsRooted() {
		return nil
	}
	file := path.Join(r.PageDir(), r.Path)
	if m.navFile != "" && path.Base(r.Use.Page.File) == m.navFile {
		return byNavFile(s, file)
	}
	if len(m.langs) > 0 {
		return m.byLanguage(s, r, file)
	}
	if len(m.included) > 0 {
		return m.byMerged(s, r)
	}
	if m.leadsOut && !source.Below(file, r.Use.Page.Mount.Dir) && (s.Tree.IsFile(file) || s.Tree.IsDir(file)) {
		return []site.Candidate{{Unknown: reason.CodeChangesLink}}
	}
	c := []site.Candidate{site.FileCandidate(file)}
	if dir, name := path.Split(file); name == "index.md" && m.isZensical {
		c = append(c, site.FileCandidate(dir+"README.md"))
	}
	if rel, ok := strings.CutPrefix(file, r.Use.Page.Mount.Dir+"/"); ok && m.shared != "" && s.Tree.IsFile(path.Join(m.shared, rel)) {
		c = append(c, site.AssetCandidate(path.Join(m.shared, rel))) // hooks show it if a page is not translated
	}
	if rel, ok := strings.CutPrefix(file, r.Use.Page.Mount.Dir+"/"); ok && !strings.HasSuffix(r.Path, "/") && m.isOfTheme(s, r.Use.Page.Mount.Dir, rel) {
		c = append(c, site.Candidate{Unknown: themeFile})
	}
	if s.Generates && !s.Tree.IsDir(path.Dir(file)) && s.IsDocument(file) && source.Below(file, r.Use.Page.Mount.Dir) {
		c = append(c, site.Candidate{Unknown: reason.PluginPage})
	}
	return c
}

// byNavFile resolves a link in a document that literate-nav reads: to a file, a directory, or a pattern of
// either.
func byNavFile(s *site.Site, file string) []site.Candidate {
	if strings.ContainsAny(file, "*?[") || s.Tree.IsDir(file) {
		return []site.Candidate{{Unknown: reason.PluginEntry}}
	}
	c := site.FileCandidate(file)
	c.IsFinal = true
	return []site.Candidate{c}
}

// themeFiles lists prefixes of the files that themes publish, below the root of the site.
var themeFiles = map[string][]string{
	"mkdocs":      {"css/base.css", "css/bootstrap", "css/fontawesome", "css/brands", "css/solid", "css/v4-font-face", "fonts/", "webfonts/", "img/favicon.ico", "img/grid.png", "js/base.js", "js/bootstrap", "js/darkmode.js"},
	"readthedocs": {"css/theme", "css/fonts/", "fonts/", "img/favicon.ico", "js/html5shiv", "js/jquery", "js/theme"},
	"material":    {"assets/images/favicon.png", "assets/javascripts/", "assets/stylesheets/"},
}

// isOfTheme reports whether the theme provides a file. A page may refer to it like a source.
func (m *model) isOfTheme(s *site.Site, docs, rel string) bool {
	prefixes, isKnown := themeFiles[m.theme]
	if !isKnown {
		dir, _, _ := strings.Cut(rel, "/")
		return dir != rel && !s.IsDocument(rel) && !s.Tree.IsDir(path.Join(docs, dir))
	}
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(rel, prefix) })
}

// byLanguage is like bySource, for sites with translated pages.
func (m *model) byLanguage(s *site.Site, r *site.Reference, file string) []site.Candidate {
	ext, lang := path.Ext(file), r.Use.Page.Lang
	if p := s.ByFile[file]; p != nil && !m.isFolder && p.Lang != "" {
		return []site.Candidate{{Why: suffixIsLanguage.With(p.Lang)}}
	}
	var c []site.Candidate
	stem := strings.TrimSuffix(file, ext)
	switch {
	case m.isFolder:
		c = append(c, site.FileCandidate(file))
		if rel, ok := strings.CutPrefix(file, r.Use.Page.Mount.Dir+"/"+lang+"/"); ok {
			c = append(c, site.FileCandidate(path.Join(r.Use.Page.Mount.Dir, m.langs[0], rel)))
		}
		return c
	case lang != "":
		c = append(c, site.FileCandidate(stem+"."+lang+ext))
	}
	return append(c, site.FileCandidate(file), site.FileCandidate(stem+"."+m.langs[0]+ext))
}

// byZensical resolves a reference, as a URL, against the directory of the source.
func byZensical(s *site.Site, r *site.Reference) []site.Candidate {
	if r.IsRooted() || r.Path == "" {
		return site.ByURL(s, r)
	}
	dir := path.Dir(r.Use.Page.Rel)
	return []site.Candidate{site.URLCandidate(site.JoinURL(site.CleanURL(s.Base+dir+"/"), r.Path))}
}

// Explain returns why the target of a reference does not exist.
func (m *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	file := path.Join(r.PageDir(), r.Path)
	switch {
	case r.IsRooted() || m.isZensical:
		return reason.Reason{}, ""
	case r.Form == site.HTML || r.Form == site.HTMLSource:
		if s.ByFile[file] != nil || s.IsPublished(file) {
			other = file
		}
		return reason.RawHTML("MkDocs", s.Route(r.Use.Page)), other
	case r.Suffix() == "" || r.Suffix() == ".html" || strings.HasSuffix(r.Path, "/"):
		return onlySourceLinks.With(s.Route(r.Use.Page)), ""
	}
	return reason.Reason{}, ""
}

var (
	snippetLine   = lazy.New(`(?m)^[ \t]*(?:[^\n\x60]*?)-{1,}8<-{1,}[ \t]+["']([^"'\n]+)["']`)
	snippetBlock  = lazy.New(`(?ms)^[ \t]*-{1,}8<-{1,}[ \t]*\n(.*?)^[ \t]*-{1,}8<-{1,}[ \t]*$`)
	includeMarker = lazy.New(`\{!\s*([^!\s]+)\s*!\}`)
)

// Parts returns the files that a text includes: snippets, and those that are appended.
func (m *model) Parts(s *site.Site, _ *site.Page, file string, text []byte) site.Parts {
	parts := site.Parts{Files: slices.Clone(m.appended)}
	var names []string
	marks := 0
	for line := range source.LinesWith(text, "8<") {
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
	for match := range source.MatchesIn(text, includeMarker, "{!") {
		names = append(names, string(match[1]))
	}
	for _, name := range names {
		if file := m.snippet(s, name); file != "" {
			parts.Files = append(parts.Files, file)
		}
	}
	m.addIncluded(s, &parts, file, text)
	return parts
}

// templateTag is a tag of Jinja, with its name.
var templateTag = lazy.New(`\{%[-+]?\s*([\w-]*)`)

// plainTags lists Jinja tags that add no text other than that between them.
var plainTags = []string{"raw", "endraw", "if", "elif", "else", "endif", "for", "endfor", "set", "endset"}

// KnowsTags reports whether the tags in a page include no other text.
func (m *model) KnowsTags(_ *site.Site, text []byte) bool {
	for _, match := range templateTag.FindAllSubmatch(text, -1) {
		name := strings.TrimRight(string(match[1]), "-")
		if !slices.Contains(plainTags, name) && (name != "include-markdown" || m.includes == "") {
			return false
		}
	}
	return true
}

// snippet returns the file of a snippet, "" if there is none.
func (m *model) snippet(s *site.Site, name string) string {
	name, _, _ = strings.Cut(name, ":")
	for _, dir := range m.snippets {
		if file := path.Join(dir, name); source.Below(file, s.Tree.Root) && s.Tree.IsFile(file) {
			return file
		}
	}
	return ""
}

// Reasons.
var (
	draftDocs         = reason.New(reason.Unpublished, "draft-docs", "a draft by draft_docs")
	excludeDocs       = reason.New(reason.Unpublished, "exclude-docs", "excluded by exclude_docs")
	excludedByPlugin  = reason.New(reason.Code, "excluded-by-plugin", "excluded by the plugin exclude")
	hiddenOrTemplates = reason.New(reason.Unpublished, "hidden-or-templates", "hidden files and templates/ are left out")
	indexBeside       = reason.New(reason.Unpublished, "index-beside", "index.md is beside it")
	sameDirLeavesOut  = reason.New(reason.Code, "same-dir-leaves-out", "the plugin same-dir leaves it out")
	themeFile         = reason.New(reason.Component, "theme-file", "a file of the theme")
	themeTemplate     = reason.New(reason.Component, "theme-template", "a template of the theme")
	onlySourceLinks   = reason.New(reason.Base, "only-source-links", "only links to source files are rewritten: this is relative to %s")
	suffixIsLanguage  = reason.New(reason.Unpublished, "suffix-is-language", "the suffix .%s is a language, not part of the name of the page")
)
