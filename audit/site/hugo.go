package site

import (
	"bytes"
	"cmp"
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
	if name == "" || isHugoModule(d) {
		return nil
	}
	s := d.newSite("Hugo", name)
	s.setURL(g.conf.get("baseurl"))
	s.Slug, s.Dialect = slug.Hugo, markdown.HugoSite
	id := g.conf.get("markup", "goldmark", "parser", "autoheadingidtype").text(g.conf.get("markup", "goldmark", "parser", "autoidtype").text(""))
	if id == "github-ascii" {
		s.Slug = slug.HugoASCII
	}
	// Without the typographer's dashes "--" stays in ids, which no flavour has.
	typographer := g.conf.get("markup", "goldmark", "extensions", "typographer")
	s.isLoose = !typographer.isTrue(true) || typographer.get("disable").isTrue(false) || typographer.get("endash").isGiven() || typographer.get("emdash").isGiven()
	s.hasTermIDs = g.conf.get("markup", "goldmark", "parser", "autodefinitiontermid").isTrue(false)
	if !g.conf.get("markup", "goldmark", "parser", "attribute", "block").isTrue(false) {
		s.Dialect.Attributes = markdown.AttributesHeadings
	}
	s.suffixes = []string{".md", ".markdown", ".mdown", ".html", ".htm", ".adoc", ".asciidoc", ".rst", ".org", ".pandoc"}
	s.copies, s.readsFront, s.fileAt = copyAll, true, g.fileAt
	g.languages()
	g.findModules(d)
	g.findLayouts()
	g.mounts(d, s)
	s.route, s.finish, s.isMadeAt, s.navigate = g.route, g.finish, g.isMadeAt, g.navigate
	s.parts, s.opens, s.makesID, s.knowsParts = g.parts, g.opens, g.makesID, true
	g.slug = s.Slug
	g.readShortcodes(d)
	g.hooks(d, s)
	s.hasOwnHost = g.readRedirects(d, s)
	s.table[Macro] = []step{g.shortcode}
	s.table[HTML] = []step{byURL}
	if g.hasHosts {
		table := s.table
		for _, form := range []Form{Markdown, Image, HTML, HTMLSource, Component, Macro} {
			table[form] = append([]step{g.onHost}, s.steps(form)...)
		}
		s.table = table
	}
	s.explain = g.explain
	return []*Site{s}
}

// hugo holds the settings of a Hugo configuration.
type hugo struct {
	conf     value
	langs    []string // the default first
	disabled []string // languages that are not published
	subdir   bool     // the default language has a directory of its own
	hasHosts bool     // each language has a host of its own
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

	modules   []hugoModule
	farMounts []string              // where modules that are not in the tree have files
	mounted   map[*Mount]*hugoMount // mounts of content
	ranks     int                   // mounts that have been ranked
	files     []*Page               // static files with a name of their own
	places    map[string]*Page      // by language and place; see placeOf
	anywhere  map[string]bool       // the places of pages in any language
}

// read reads the configuration, and returns the name of its file, or "" if there is none.
func (g *hugo) read(d *directory) string {
	hasContent := d.hasDir("content")
	for _, base := range []string{"hugo.", "config."} {
		for _, ext := range []string{"toml", "yaml", "yml", "json"} {
			if name := d.first(base + ext); name != "" && (base == "hugo." || hasContent) {
				g.conf = foldKeys(d.tree.read(d.in(name)))
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
		conf := foldKeys(dir.tree.read(dir.in(name)))
		key, lang, isOfLang := strings.Cut(strings.ToLower(stem), ".")
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
	use := g.conf.get("markup", "goldmark", "renderhooks", "link", "useembedded").text("")
	old := g.conf.get("markup", "goldmark", "renderhooks", "link", "enabledefault").isTrue(false)
	g.hasHook = g.isOwn || old || use == "always" || use == "fallback" || len(g.langs) > 1 && !g.hasHosts && use != "never"
	if g.hasHook {
		s.table[Markdown] = []step{g.byPage, g.byResource, byURL}
		s.table[Image] = []step{g.byResource, byURL}
	}
	if g.isOwn {
		s.table[Markdown] = []step{g.byPage, g.byResource, byURL, byURLWithBaseOnce, g.own}
		s.table[Image] = []step{g.byPage, byAsset, g.byResource, byURL, byURLWithBaseOnce, g.own}
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

func (g *hugo) route(s *Site, p *Page) {
	rel, langs, isDisabled := g.contentPath(p)
	p.Lang = langs[0]
	dir, name := path.Split(strings.TrimSuffix(rel, path.Ext(rel)))
	f := p.front
	switch {
	case strings.HasPrefix(path.Base(rel), "."):
		p.Why = "a hidden file"
	case isDisabled:
		p.Why = "its language is disabled"
	case f.get("draft").isTrue(false):
		p.Why = "a draft"
	case f.get("headless").isTrue(false), f.get("build", "render").text("") == "never", f.get("_build", "render").text("") == "never",
		f.get("build", "render").text("") == "false", f.get("_build", "render").text("") == "false":
		p.Why, p.isData = "its front matter says that it is not rendered", true
	case name != "index" && g.isInBundle(s, p, path.Dir(p.Rel)):
		p.Why = "a resource of its bundle"
	}
	if p.Why != "" {
		return
	}
	p.Names = []string{strings.ToLower(name)}
	if name == "index" || name == "_index" {
		p.Names = []string{strings.ToLower(path.Base(dir))}
	}
	for _, lang := range langs {
		g.routeIn(p, g.prefix(lang), dir, name)
	}
	p.Also = append(p.Also, p.Moved...)
}

// routeIn adds the URLs of a page in a language with a prefix.
func (g *hugo) routeIn(p *Page, prefix, dir, name string) {
	var route string
	switch u := p.front.get("url").text(""); {
	case strings.HasPrefix(u, "/"):
		route = pageURL(cleanURL(u))
	case u != "":
		route = pageURL(cleanURL(prefix + "/" + u))
	default:
		route = g.permalink(p, prefix+"/", dir, name)
		if stem, ok := strings.CutSuffix(route, ".html"); ok {
			p.Also = append(p.Also, stem+"/") // hosts serve both
		}
	}
	p.Routes = append(p.Routes, route)
	for _, alias := range p.front.get("aliases").texts() {
		if strings.HasPrefix(alias, "/") {
			alias = prefix + alias
		} else {
			alias = path.Join(path.Dir(strings.TrimSuffix(route, "/")), alias)
		}
		p.Moved = append(p.Moved, strings.TrimSuffix(alias, "/")+"/", alias)
	}
}

// pageURL returns the URL of a page whose front matter sets it. The result ends in a slash unless the
// URL contains a dot (as in Hugo 0.168: "/v1.2/notes" is a file).
func pageURL(u string) string {
	if strings.HasSuffix(u, "/") || strings.Contains(u, ".") {
		return u
	}
	return u + "/"
}

// permalink returns the URL of a page from its path, its slug and the pattern of its section.
func (g *hugo) permalink(p *Page, at, dir, name string) string {
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
	section, _, _ := strings.Cut(strings.ToLower(dir), "/")
	if section == "" {
		section = strings.ToLower(name)
	}
	pattern := g.conf.get("permalinks", "page", section).text(g.conf.get("permalinks", section).text(""))
	isUgly := (g.isUgly || g.conf.get("uglyurls", section).isTrue(false)) && !isSection
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

func (g *hugo) explain(s *Site, r *reference) (why, other string) {
	if r.form == Macro || r.isRooted() || len(r.use.Page.Routes) == 0 {
		return "", ""
	}
	file := path.Join(r.pageDir(), r.path)
	if own := g.addSource(s, nil, file, r.use.Page.Lang); len(own) > 0 { // its translation
		file = own[0].File
	}
	if p := s.pages[file]; p != nil && p.Why == "" && !(g.hasHook && r.form <= Image) {
		return "links are not rewritten: this is relative to " + s.Route(r.use.Page), file
	}
	rel, _, _ := g.contentPath(r.use.Page)
	if place := placeOf(path.Join("/", path.Dir(rel), strings.TrimSuffix(r.path, path.Ext(r.path)))); g.hasHook && r.form == Markdown && g.anywhere[place] {
		return "there is no such page in the language " + cmp.Or(r.use.Page.Lang, g.langs[0]), ""
	}
	return "relative to " + s.Route(r.use.Page), ""
}
