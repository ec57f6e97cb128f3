package site

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// findHugo finds a site by hugo.*, or by config.* with content beside it.
func findHugo(d *directory) []*Site {
	g := &hugo{}
	name := g.read(d)
	if name == "" {
		return nil
	}
	s := d.newSite("Hugo", name)
	s.setURL(g.conf.get("baseURL"))
	if !g.conf.get("baseURL").isGiven() {
		s.setURL(g.conf.get("baseurl"))
	}
	s.Slug, s.Dialect = slug.Hugo, markdown.HugoSite
	id := g.conf.get("markup", "goldmark", "parser", "autoHeadingIDType").text(g.conf.get("markup", "goldmark", "parser", "autoIDType").text(""))
	if id == "github-ascii" {
		s.Slug = slug.HugoASCII
	}
	// Without the typographer's dashes "--" stays in ids, which no flavour has.
	typographer := g.conf.get("markup", "goldmark", "extensions", "typographer")
	s.isLoose = !typographer.isTrue(true) || typographer.get("disable").isTrue(false) || typographer.get("enDash").isGiven() || typographer.get("emDash").isGiven()
	s.hasTermIDs = g.conf.get("markup", "goldmark", "parser", "autoDefinitionTermID").isTrue(false)
	if !g.conf.get("markup", "goldmark", "parser", "attribute", "block").isTrue(false) {
		s.Dialect.Attributes = markdown.AttributesHeadings
	}
	s.suffixes = []string{".md", ".markdown", ".mdown", ".html", ".htm", ".adoc", ".asciidoc", ".rst", ".org", ".pandoc"}
	s.copies, s.readsFront, s.hasBundles = copyAll, true, true
	g.languages(d)
	g.findLayouts(d)
	g.mounts(d, s)
	s.route, s.finish, s.isMadeAt, s.navigate = g.route, g.finish, g.isMadeAt, g.navigate
	s.parts, s.opens, s.makesID, s.knowsParts = g.parts, g.opens, g.makesID, true
	g.slug = s.Slug
	g.readShortcodes(d)
	g.hooks(d, s)
	s.hasOwnHost = g.readRedirects(d, s)
	s.table[Macro] = []step{g.shortcode}
	s.table[HTML] = []step{byURL}
	s.explain = g.explain
	return []*Site{s}
}

// hugo holds the settings of a Hugo configuration.
type hugo struct {
	conf     value
	content  []string // directories of content
	langs    []string // the default first; a site with one language has one or none
	subdir   bool     // the default language has a directory of its own
	isUgly   bool
	isOwn    bool // the project or its theme has a link hook
	hasHook  bool // links are resolved by that hook, or by the one of Hugo
	slug     slug.Flavour
	hasFar   bool     // a theme or a module is not in the tree
	hook     []string // strings in the hook of the project
	layouts  []string // directories of templates, relative to that of the configuration
	codes    map[string]shortcode
	values   lazy.Map[string, map[string]bool] // by page; see valuesOf
	hasDocsy bool                              // a theme is Docsy
	partials map[string]shortcode              // templates that others run, and the ids that they make
	fold     map[string]*Page                  // by path in lower case
}

// read reads the configuration, and returns the name of its file, or "" if there is none.
func (g *hugo) read(d *directory) string {
	hasContent := d.hasDir("content")
	for _, base := range []string{"hugo.", "config."} {
		for _, ext := range []string{"toml", "yaml", "yml", "json"} {
			if name := d.first(base + ext); name != "" && (base == "hugo." || hasContent) {
				g.conf = d.tree.read(d.in(name))
				return name
			}
		}
	}
	dir := &directory{dir: d.in("config/_default"), tree: d.tree}
	if !d.hasDir("config") || !d.tree.isDir(dir.dir) {
		return ""
	}
	found := ""
	for _, name := range sortedKeys(d.tree.list(dir.dir)) {
		stem, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
		if ext != ".toml" && ext != ".yaml" && ext != ".yml" && ext != ".json" {
			continue
		}
		conf := dir.tree.read(dir.in(name))
		key, lang, isOfLang := strings.Cut(stem, ".")
		switch {
		case isOfLang && key == "languages":
			of := literal.Value{Kind: literal.Map, Entries: []literal.Entry{{Key: lang, Value: conf.Value}}}
			all := literal.Value{Kind: literal.Map, Entries: []literal.Entry{{Key: key, Value: of}}}
			g.conf = inherit(g.conf, value{all})
		case isOfLang: // menus and parameters of a language
		case stem == "hugo" || stem == "config":
			found = "config/_default/" + name
			g.conf = inherit(conf, g.conf)
		default:
			g.conf.Entries = append(g.conf.Entries, literal.Entry{Key: stem, Value: conf.Value})
		}
		g.conf.Kind = literal.Map
	}
	return found
}

// readRedirects reads rules for the host from the template of _redirects. It returns false if the template
// computes rules.
func (g *hugo) readRedirects(d *directory, s *Site) bool {
	isKnown := true
	for _, layouts := range g.layouts {
		for _, name := range []string{"index.redirects", "_default/index.redirects", "home.redirects", "index.redir", "index.headers"} {
			text := templateComment.ReplaceAll(d.tree.config(d.in(layouts+"/"+name)), nil)
			isKnown = isKnown && !bytes.Contains(text, []byte("{{"))
			s.redirectLines(text)
		}
	}
	return isKnown
}

// languages reads the languages of the site.
func (g *hugo) languages(d *directory) {
	deflt := g.conf.get("defaultContentLanguage").text("en")
	for _, lang := range g.conf.get("languages").keys() {
		if g.conf.get("languages", lang, "disabled").isTrue(false) {
			continue
		}
		if lang == deflt {
			g.langs = append([]string{lang}, g.langs...)
		} else {
			g.langs = append(g.langs, lang)
		}
	}
	g.subdir = g.conf.get("defaultContentLanguageInSubdir").isTrue(false)
	g.isUgly = g.conf.get("uglyURLs").isTrue(g.conf.get("uglyurls").isTrue(false))
}

// prefix returns the first segment of URLs in a language, "" for none.
func (g *hugo) prefix(lang string) string {
	if len(g.langs) == 0 || lang == g.langs[0] && !g.subdir || lang == "" {
		return ""
	}
	return "/" + lang
}

// mounts adds the mounts of content and of static files.
func (g *hugo) mounts(d *directory, s *Site) {
	add := func(kind Kind, name, at, lang string) {
		dir, ok := d.inside(name)
		if !ok {
			return
		}
		s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: at, Kind: kind, Name: lang})
		if kind == Pages {
			g.content = append(g.content, dir)
		}
	}
	mounted := map[string]bool{}
	for _, m := range g.conf.get("module", "mounts").list() {
		source, target := m.get("source").text(""), path.Clean(m.get("target").text(""))
		component, rest, _ := strings.Cut(target, "/")
		at := "/"
		if rest != "" {
			at = "/" + rest + "/"
		}
		mounted[component] = true
		switch component {
		case "content":
			add(Pages, source, at, m.get("lang").text(""))
		case "static":
			add(Static, source, at, "")
		}
	}
	if !mounted["content"] {
		dirs := map[string]bool{}
		for _, lang := range g.langs {
			if dir := g.conf.get("languages", lang, "contentDir").text(g.conf.get("languages", lang, "contentdir").text("")); dir != "" && !dirs[dir] {
				dirs[dir] = true
				add(Pages, dir, "/", lang)
			}
		}
		if len(dirs) == 0 {
			add(Pages, g.conf.get("contentDir").text(g.conf.get("contentdir").text("content")), "/", "")
		}
	}
	if !mounted["static"] {
		names := g.conf.get("staticDir").texts()
		if len(names) == 0 {
			names = []string{"static"}
		}
		for _, name := range names {
			add(Static, name, "/", "")
		}
	}
	for _, layouts := range g.layouts {
		if dir := path.Dir(layouts); dir != "." && d.tree.isDir(d.in(dir+"/static")) {
			add(Static, dir+"/static", "/", "")
		}
	}
	for _, name := range []string{"layouts", "assets", "archetypes", "data", "i18n", "themes"} {
		if dir := d.in(name); d.tree.isDir(dir) {
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Hidden, Why: "is in " + name + ", which holds no pages", isCode: true})
		}
	}
	s.made = append(s.made, "/sitemap.xml", "/404.html")
	for _, plural := range []string{"tags", "categories"} {
		if !g.conf.get("taxonomies").isGiven() {
			s.made = append(s.made, "/"+plural+"/")
		}
	}
	for _, key := range g.conf.get("taxonomies").keys() {
		s.made = append(s.made, "/"+g.conf.get("taxonomies", key).text(key)+"/")
	}
}

// findLayouts finds the template directories of the project, and of themes and modules in the tree.
func (g *hugo) findLayouts(d *directory) {
	g.layouts = append(g.conf.get("layoutDir").texts(), "layouts")
	themes := g.conf.get("theme").texts()
	for _, m := range g.conf.get("module", "imports").list() {
		themes = append(themes, m.get("path").text(""))
	}
	top := g.conf.get("themesDir").text("themes")
	for _, theme := range themes {
		g.hasDocsy = g.hasDocsy || path.Base(strings.TrimSuffix(theme, "/theme")) == "docsy"
		if dir, ok := d.inside(path.Join(top, theme)); ok && theme != "" && d.tree.isDir(dir) {
			g.layouts = append(g.layouts, path.Join(top, theme, "layouts"))
		} else if dir := themeAround(d, theme); dir != "" {
			g.layouts = append(g.layouts, dir)
		} else {
			g.hasFar = true
		}
	}
	for _, m := range g.conf.get("module", "mounts").list() {
		if source := m.get("source").text(""); m.get("target").text("") == "layouts" && source != "layouts" {
			g.layouts = append(g.layouts, source)
		}
	}
}

// themeAround returns the template directory, relative to the site, of a theme whose repository holds
// the site as an example. The Hugo command line then names the theme (--themesDir ../..). The first
// name in the theme's path is that of the repository.
func themeAround(d *directory, theme string) string {
	_, rest, _ := strings.Cut(theme, "/")
	up := ".."
	for dir := path.Dir(d.dir); theme != "" && !path.IsAbs(theme) && below(dir, d.tree.root); dir = path.Dir(dir) {
		if at := path.Join(dir, rest, "layouts"); below(at, d.tree.root) && d.tree.isDir(at) {
			return path.Join(up, rest, "layouts")
		}
		if dir == d.tree.root || dir == path.Dir(dir) {
			break
		}
		up += "/.."
	}
	return ""
}

// hooks sets how links are resolved: unchanged, by the link hook of Hugo, or by a hook of the project,
// whose effect is unknown.
func (g *hugo) hooks(d *directory, s *Site) {
	for _, layouts := range g.layouts {
		for _, dir := range []string{"_markup", "_default/_markup", "docs/_markup"} {
			for _, name := range []string{"render-link.html", "render-link.html.html"} {
				if file := d.in(path.Join(layouts, dir, name)); d.tree.isFile(file) {
					g.isOwn = true
					g.readHook(d.tree.text(file, maxTemplate))
				}
			}
		}
	}
	if g.hasFar {
		g.isOwn = true // a theme that is not here may have a hook
	}
	use := g.conf.get("markup", "goldmark", "renderHooks", "link", "useEmbedded").text("")
	old := g.conf.get("markup", "goldmark", "renderHooks", "link", "enableDefault").isTrue(false)
	g.hasHook = g.isOwn || old || use == "always" || use == "fallback" || len(g.langs) > 1 && use != "never"
	if g.hasHook {
		s.table[Markdown] = []step{g.byPage, byURL}
		s.table[Image] = []step{g.byPage, byURL}
	}
	if g.isOwn {
		s.table[Markdown] = []step{g.byPage, g.resource, byURL, byURLWithBaseOnce, g.own}
		s.table[Image] = []step{g.byPage, byAsset, g.resource, byURL, byURLWithBaseOnce, g.own}
	}
}

var templateString = lazy.New("\"([^\"\\\\\n]{1,40})\"|`([^`\n]{1,40})`|'([^'\\\\\n]{1,40})'")

// readHook keeps the strings in a link hook. A link that the hook may compare with one of them may
// mean anything.
func (g *hugo) readHook(text []byte) {
	for _, m := range templateString.FindAllSubmatch(templateComment.ReplaceAll(text, nil), 1000) {
		if s := string(slices.Concat(m[1:]...)); strings.Trim(s, "./#") != "" && s[0] != '/' {
			g.hook = append(g.hook, s)
		}
	}
}

// own returns an unknown candidate if a hook of the project may do anything with a name.
func (g *hugo) own(s *Site, r *reference) []candidate {
	isBare := !strings.ContainsAny(r.path, "/.") || strings.ContainsRune(r.path, ':')
	if isBare && g.hasFar || slices.ContainsFunc(g.hook, func(s string) bool {
		return r.raw == s || len(s) > 1 && !ascii.IsAlnum(s[0]) && strings.HasPrefix(r.raw, s)
	}) {
		return []candidate{{unknown: "depends on a link hook of the project"}}
	}
	return nil
}

// resource resolves a file below "assets".
func (g *hugo) resource(s *Site, r *reference) []candidate {
	if r.path == "" {
		return nil
	}
	c := fileCandidate(path.Join(s.Dir, "assets", r.path))
	c.isAsset = true
	return []candidate{c}
}

// language returns a path without its language, and the language.
func (g *hugo) language(p *Page) (rel, lang string) {
	rel, lang = p.Rel, p.Mount.Name
	if len(g.langs) == 0 {
		return rel, ""
	}
	if lang == "" {
		lang = g.langs[0]
	}
	stem, ext := strings.TrimSuffix(rel, path.Ext(rel)), path.Ext(rel)
	for _, l := range g.langs {
		if cut, ok := strings.CutSuffix(stem, "."+l); ok {
			return cut + ext, l
		}
	}
	return rel, lang
}

func (g *hugo) route(s *Site, p *Page) {
	rel, lang := g.language(p)
	p.Lang = lang
	if strings.HasPrefix(path.Base(rel), ".") {
		p.Why = "a hidden file"
		return
	}
	f := p.front
	switch {
	case f.get("draft").isTrue(false):
		p.Why = "a draft"
		return
	case f.get("headless").isTrue(false), f.get("build", "render").text("") == "never", f.get("_build", "render").text("") == "never",
		f.get("build", "render").text("") == "false", f.get("_build", "render").text("") == "false":
		p.Why, p.isData = "its front matter says that it is not rendered", true
		return
	}
	dir, name := path.Split(strings.TrimSuffix(rel, path.Ext(rel)))
	if name != "index" && g.isInBundle(s, p, dir) {
		p.Why = "a resource of its bundle"
		return
	}
	at := g.prefix(lang) + p.Mount.URL
	p.Names = []string{strings.ToLower(path.Base(rel)), strings.ToLower(name)}
	if name == "index" || name == "_index" {
		p.Names = append(p.Names, strings.ToLower(path.Base(dir)))
	}
	switch u := f.get("url").text(""); {
	case strings.HasPrefix(u, "/"):
		p.Routes = []string{pageURL(cleanURL(u))}
	case u != "":
		p.Routes = []string{pageURL(cleanURL(at + u))}
	default:
		p.Routes = []string{g.permalink(s, p, at, dir, name)}
		if stem, ok := strings.CutSuffix(p.Routes[0], ".html"); ok {
			p.Also = append(p.Also, stem+"/") // hosts serve both
		}
	}
	for _, alias := range f.get("aliases").texts() {
		if !strings.HasPrefix(alias, "/") {
			alias = path.Join(path.Dir(strings.TrimSuffix(p.Routes[0], "/")), alias)
		}
		p.Moved = append(p.Moved, strings.TrimSuffix(alias, "/")+"/", g.prefix(lang)+strings.TrimSuffix(alias, "/")+"/", alias)
	}
	p.Also = append(p.Also, p.Moved...)
}

// pageURL returns the URL of a page whose front matter sets it. The result ends in a slash unless the
// URL contains a dot (as in Hugo 0.168: "/v1.2/notes" is a file).
func pageURL(u string) string {
	if strings.HasSuffix(u, "/") || strings.Contains(u, ".") {
		return u
	}
	return u + "/"
}

// isInBundle reports whether a directory, or one above it in the mount, is a leaf bundle.
func (g *hugo) isInBundle(s *Site, p *Page, dir string) bool {
	for dir = strings.TrimSuffix(dir, "/"); ; dir = path.Dir(dir) {
		if dir == "." || dir == "" {
			return s.tree.isFile(p.Mount.Dir + "/index.md")
		}
		for _, name := range []string{"index.md", "index.html"} {
			if s.tree.isFile(path.Join(p.Mount.Dir, dir, name)) {
				return true
			}
		}
		for _, lang := range g.langs {
			if s.tree.isFile(path.Join(p.Mount.Dir, dir, "index."+lang+".md")) {
				return true
			}
		}
	}
}

// permalink returns the URL of a page from its path, its slug and the pattern of its section.
func (g *hugo) permalink(s *Site, p *Page, at, dir, name string) string {
	lower := func(u string) string {
		return strings.ReplaceAll(strings.ToLower(u), " ", "-")
	}
	slugOf := p.front.get("slug").text("")
	isSection := name == "_index"
	if name == "index" || isSection {
		dir = strings.TrimSuffix(dir, "/")
		name = path.Base(dir)
		if dir = path.Dir(dir); dir == "." {
			dir = ""
		} else {
			dir += "/"
		}
		if name == "." {
			return cleanURL(lower(at))
		}
	}
	section, _, _ := strings.Cut(dir, "/")
	if section == "" {
		section = name
	}
	pattern := g.conf.get("permalinks", "page", section).text(g.conf.get("permalinks", section).text(""))
	isUgly := (g.isUgly || g.conf.get("uglyURLs", section).isTrue(g.conf.get("uglyurls", section).isTrue(false))) && !isSection
	if pattern != "" && !isSection {
		u := cleanURL(g.prefixed(at, g.expand(p, pattern, dir, name, slugOf)))
		if isUgly && path.Ext(u) == "" && u != "/" {
			u = strings.TrimSuffix(u, "/") + ".html"
		}
		return u
	}
	if slugOf != "" {
		name = slugOf
	}
	if isUgly {
		return cleanURL(lower(at + dir + name + ".html"))
	}
	return cleanURL(lower(at+dir+name) + "/")
}

func (g *hugo) prefixed(at, u string) string {
	return strings.TrimSuffix(at, "/") + "/" + strings.TrimPrefix(u, "/")
}

// notInSlug matches the characters of a title that a hyphen replaces in its URL.
var notInSlug = lazy.New(`[^\p{L}\p{N}\-_.]+`)

var permalinkToken = lazy.New(`:[a-z]+(?:\[[^\]]*\])?`)

// expand fills in the pattern of permalinks.
func (g *hugo) expand(p *Page, pattern, dir, name, slugOf string) string {
	date := p.front.get("date").text("")
	if slugOf == "" {
		slugOf = strings.ToLower(strings.ReplaceAll(p.front.get("title").text(name), " ", "-"))
		slugOf = strings.Trim(notInSlug.ReplaceAllString(slugOf, ""), "-")
	}
	u := permalinkToken.ReplaceAllStringFunc(pattern, func(token string) string {
		switch token {
		case ":year", ":month", ":day":
			i := map[string][2]int{":year": {0, 4}, ":month": {5, 7}, ":day": {8, 10}}[token]
			if len(date) >= 10 {
				return date[i[0]:i[1]]
			}
			return "0"
		case ":slug", ":title":
			return slugOf
		case ":slugorfilename", ":slugorcontentbasename":
			if s := p.front.get("slug").text(""); s != "" {
				return s
			}
			return strings.ToLower(name)
		case ":filename", ":contentbasename":
			return strings.ToLower(name)
		case ":section":
			section, _, _ := strings.Cut(dir, "/")
			return section
		case ":sections":
			return strings.TrimSuffix(dir, "/")
		}
		return "0"
	})
	return strings.TrimSuffix(strings.ToLower(u), "/") + "/"
}

// finish adds sections that have no page of their own, and applies the settings of sections to the
// pages below them.
func (g *hugo) finish(s *Site) {
	g.fold = map[string]*Page{}
	var never []string
	for file, p := range s.pages {
		if strings.HasPrefix(path.Base(p.Rel), "_index.") {
			for _, c := range p.front.get("cascade").list() {
				build := c.get("build", "render").text(c.get("_build", "render").text(""))
				if build == "never" || build == "false" {
					never = append(never, path.Dir(file)+"/")
				}
			}
		}
		g.fold[strings.ToLower(file)] = p
	}
	for file, p := range s.pages {
		if slices.ContainsFunc(never, func(dir string) bool { return strings.HasPrefix(file, dir) }) && p.Why == "" && !p.front.get("build", "render").isGiven() {
			p.Why, p.isData, p.Routes = "its section says that it is not rendered", true, nil
		}
		if p.Why != "" {
			continue
		}
		_, lang := g.language(p)
		for dir := path.Dir(p.Rel); dir != "."; dir = path.Dir(dir) {
			u := cleanURL(strings.ToLower(g.prefix(lang) + p.Mount.URL + dir + "/"))
			if s.routes[u] != nil {
				break
			}
			s.addRoute(u)
		}
		if root := g.prefix(lang) + "/"; s.routes[root] == nil {
			s.addRoute(root)
		}
	}
	for _, p := range s.pages { // a page replaces a generated section
		for _, u := range p.Routes {
			if old := s.routes[u]; old != nil && old.File == "" && p.Why == "" {
				delete(s.routes, u)
			}
		}
	}
}

var pageNumber = lazy.New(`/page/\d+/?$`)

// isMadeAt reports whether Hugo generates the file at a URL: a feed, or a page of a list.
func (g *hugo) isMadeAt(s *Site, u string) bool {
	dir, name := path.Split(u)
	if name == "index.xml" || name == "index.json" {
		return s.routes[dir] != nil
	}
	rest := u
	for _, lang := range g.langs {
		if cut, ok := strings.CutPrefix(u, "/"+lang+"/"); ok {
			rest = "/" + cut
		}
	}
	return pageNumber.MatchString(u) || rest != u && slices.ContainsFunc(s.made, func(prefix string) bool { return strings.HasPrefix(rest, prefix) })
}

// get returns the sources that a path may mean to Hugo's GetPage.
func (g *hugo) get(s *Site, r *reference, p string) (all []candidate) {
	if p != "/" {
		p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
	}
	virtual := p // path among all content
	var files []string
	m := r.use.Page.Mount
	isUp := strings.HasPrefix(p, "../")
	if !strings.HasPrefix(p, "/") {
		virtual = path.Join(m.URL, path.Dir(r.use.Page.Rel), p) // which stops at the root
		if !isUp {
			files = append(files, path.Join(path.Dir(r.use.Page.File), p))
		}
	}
	lang := r.use.Page.Lang
	for _, m := range s.Mounts {
		if m.Kind != Pages || m.Name != "" && m.Name != lang {
			continue
		}
		rest, isOfLang := strings.CutPrefix(virtual, "/"+lang+"/")
		isOfLang = isOfLang && lang != ""
		if isOfLang {
			files = append(files, path.Join(m.Dir, rest))
		} else if !isUp {
			files = append(files, path.Join(m.Dir, p))
		}
		if rest, ok := strings.CutPrefix(virtual, m.URL); ok && !isOfLang {
			files = append(files, path.Join(m.Dir, rest))
		}
	}
	for _, at := range files {
		all = g.addSources(all, at, strings.ToLower(lang))
	}
	return all
}

// addSources appends the pages that a path, which may lack a suffix, may mean. lang is in lower case.
func (g *hugo) addSources(all []candidate, at, lang string) []candidate {
	ext := path.Ext(at)
	isPage := ext == ".md" || ext == ".html" || ext == ".markdown"
	at = strings.ToLower(at)
	name := make([]byte, 0, 256) // most names are no longer, and there are many
	add := func(parts ...string) {
		name = name[:0]
		for _, part := range parts {
			name = append(name, part...)
		}
		if page := g.fold[string(name)]; page != nil {
			all = append(all, fileCandidate(page.File))
		}
	}
	add(at)
	stem := at
	if isPage {
		stem = at[:len(at)-len(ext)]
		if lang != "" {
			add(stem, ".", lang, ext)
		}
	} else {
		for _, suffix := range []string{".md", ".html", ".markdown", ".adoc", ".org"} {
			add(at, suffix)
		}
	}
	for _, index := range []string{"/index.md", "/_index.md", "/index.html", "/_index.html"} {
		add(stem, index)
	}
	if lang != "" {
		for _, before := range []string{".", "/index.", "/_index."} {
			add(stem, before, lang, ".md")
		}
	}
	return all
}

// byPage resolves a link as the link hook of Hugo does.
func (g *hugo) byPage(s *Site, r *reference) []candidate {
	if r.path == "" {
		return nil
	}
	return g.get(s, r, r.path)
}

// shortcode resolves {{< ref "x" >}}, or an argument of another shortcode, which may be a page, a
// resource or a URL.
func (g *hugo) shortcode(s *Site, r *reference) []candidate {
	switch r.in {
	case "shortcode/ref", "shortcode/relref":
		return g.ref(s, r)
	}
	all := append(g.byPage(s, r), byAsset(s, r)...)
	all = append(all, g.resource(s, r)...)
	if g.isOwn {
		all = append(all, byURLWithBase(s, r)...)
	}
	return append(all, byURL(s, r)...)
}

// ref resolves {{< ref "x" >}}.
func (g *hugo) ref(s *Site, r *reference) []candidate {
	if r.path == "" {
		return []candidate{fileCandidate(r.use.Page.File)}
	}
	p := r.path
	all := g.get(s, r, p)
	if !strings.Contains(strings.TrimSuffix(p, "/"), "/") {
		all = append(all, candidate{Candidate: Candidate{Name: strings.ToLower(strings.TrimSuffix(p, "/"))}})
	}
	if len(all) == 0 {
		all = append(all, fileCandidate(path.Join(r.use.Page.Mount.Dir, p)))
	}
	return all
}

func (g *hugo) explain(s *Site, r *reference) (why, other string) {
	if r.form == Macro || r.isRooted() || len(r.use.Page.Routes) == 0 {
		return "", ""
	}
	file := path.Join(r.pageDir(), r.path)
	if p := s.pages[file]; p != nil && p.Why == "" && !(g.hasHook && r.form <= Image) {
		return "links are not rewritten: this is relative to " + s.Route(r.use.Page), file
	}
	return "relative to " + s.Route(r.use.Page), ""
}
