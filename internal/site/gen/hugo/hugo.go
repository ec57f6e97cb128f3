// Package hugo supports sites of Hugo: mounts and modules, languages, page bundles, link hooks and shortcodes.
package hugo

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/refract/extract/markdown"
	"example.org/refract/extract/slug"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
	"example.org/refract/internal/slash"
)

// Generator finds sites of Hugo.
var Generator = &site.Generator{
	Name: "Hugo", Configs: []string{"hugo.*", "config.*", "config/_default/"},
	Indexes: []string{"index.md", "_index.md", "index.html", "index.htm", "index.markdown", "_index.html", "_index.markdown"}, Output: "public", Find: find,
}

// find finds a site by hugo.*, or by config.* with content beside it.
func find(d *source.Dir) []*site.Site {
	g := &model{}
	name := g.read(d)
	if name == "" || isHugoModule(d) {
		return nil
	}
	s := site.New(d, "Hugo", name)
	s.SetURL(g.conf.Lookup("baseurl"))
	s.Slug, s.Dialect = slug.Hugo, markdown.HugoSite
	id := g.conf.Lookup("markup", "goldmark", "parser", "autoheadingidtype").Or(g.conf.Lookup("markup", "goldmark", "parser", "autoidtype").Or(""))
	if id == "github-ascii" {
		s.Slug = slug.HugoASCII
	}
	// Without the typographer's dashes "--" stays in ids, which no algorithm has.
	typographer := g.conf.Lookup("markup", "goldmark", "extensions", "typographer")
	s.IsLoose = !typographer.IsTrue(true) || typographer.Lookup("disable").IsTrue(false) || typographer.Lookup("endash").IsGiven() || typographer.Lookup("emdash").IsGiven()
	s.HasTermIDs = g.conf.Lookup("markup", "goldmark", "parser", "autodefinitiontermid").IsTrue(false)
	s.LowerURLs = true
	if !g.conf.Lookup("markup", "goldmark", "parser", "attribute", "block").IsTrue(false) {
		s.Dialect.Attributes = markdown.AttributesHeadings
	}
	s.Suffixes = []string{".md", ".markdown", ".mdown", ".html", ".htm", ".adoc", ".asciidoc", ".rst", ".org", ".pandoc"}
	s.Copies, s.FrontMatter, s.Knows = site.CopiesAll, true, site.AllIDs
	g.languages()
	g.findModules(d)
	g.findLayouts()
	g.mounts(d, s)
	s.HasVariants = g.hasVariants
	if isConfigMade(d) || s.HasVariants {
		s.Made, s.Generates = append(s.Made, "/"), true
	}
	s.SetModel(g)
	g.slug = s.Slug
	g.readShortcodes(d)
	g.hooks(d, s)
	s.OwnHost = g.readRedirects(d, s)
	s.Links[site.Macro], s.Links[site.HTML] = []site.Step{g.shortcode}, []site.Step{site.ByURL}
	for _, form := range []site.Form{site.Markdown, site.Image, site.HTML} {
		s.Links[form] = append(slices.Clone(s.Steps(form)), ofResource)
	}
	if g.hasHosts {
		table := s.Links
		for _, form := range []site.Form{site.Markdown, site.Image, site.HTML, site.HTMLSource, site.Component, site.Macro} {
			table[form] = append([]site.Step{g.onHost}, s.Steps(form)...)
		}
		s.Links = table
	}
	return []*site.Site{s}
}

// isConfigMade reports whether a build makes a file of the configuration, which .gitignore excludes from
// the repository: it may mount further directories.
func isConfigMade(d *source.Dir) bool {
	for _, stem := range []string{"config", "hugo", "module"} {
		for _, ext := range []string{".toml", ".yaml", ".yml", ".json"} {
			file := d.In("config/_default/" + stem + ext)
			if d.Tree.IsIgnored(file) && !d.Tree.IsFile(file) {
				return true
			}
		}
	}
	return false
}

// model holds the settings of a Hugo configuration.
type model struct {
	conf     source.Value
	langs    []string // the default first
	disabled []string // languages that are not published
	subdir   bool     // the default language has a directory of its own
	hasHosts bool     // each language has a host of its own
	isUgly   bool
	isOwn    bool // the project or its theme has a link hook
	// hasVariants says that commands of the project name different files of configuration.
	hasVariants bool

	readsFiles bool // a shortcode reads a file of the project, whose name is an argument
	hasHook    bool // links are resolved by that hook, or by the one of Hugo
	slug       slug.Algorithm
	hasFar     bool     // a theme or a module is not in the tree
	hook       []string // strings in the hook of the project
	layouts    []string // directories of templates, relative to that of the configuration
	codes      map[string]shortcode
	made       lazy.Map[string, *madeIDs] // by page
	laidOut    lazy.Map[string, bool]     // by page; see isLaidOut
	layoutOf   lazy.Map[string, layout]   // by directory; see layoutIn
	hasDocsy   bool                       // a theme is Docsy
	partials   map[string]shortcode       // templates that others run, and the ids that they make

	modules   []hugoModule
	farMounts []string                   // where modules that are not in the tree have files
	mounted   map[*site.Mount]*hugoMount // mounts of content
	ranks     int                        // mounts that have been ranked
	files     []*site.Page               // static files with a name of their own
	places    map[string]*site.Page      // by language and place; see placeOf
	anywhere  map[string]bool            // the places of pages in any language
}

// read reads the configuration, and returns the name of its file, or "" if there is none.
func (g *model) read(d *source.Dir) string {
	hasContent := d.HasDir("content")
	for _, base := range []string{"hugo.", "config."} {
		for _, ext := range []string{"toml", "yaml", "yml", "json"} {
			if name := d.First(base + ext); name != "" && (base == "hugo." || hasContent) {
				g.conf = foldKeys(d.Tree.Read(d.In(name)))
				g.addNamed(d, name)
				return name
			}
		}
	}
	dir := source.NewDir(d.Tree, d.In("config/_default"))
	if !d.HasDir("config") || !d.Tree.IsDir(dir.Path) {
		return ""
	}
	found := ""
	for _, name := range source.SortedKeys(d.Tree.List(dir.Path)) {
		stem, ext := slash.Stem(name), path.Ext(name)
		if ext != ".toml" && ext != ".yaml" && ext != ".yml" && ext != ".json" {
			continue
		}
		conf := foldKeys(dir.Tree.Read(dir.In(name)))
		key, lang, isOfLang := strings.Cut(strings.ToLower(stem), ".")
		switch {
		case isOfLang && key == "languages":
			of := literal.Value{Kind: literal.Map, Entries: []literal.Entry{{Key: lang, Value: conf.Value}}}
			all := literal.Value{Kind: literal.Map, Entries: []literal.Entry{{Key: key, Value: of}}}
			g.conf = source.Inherit(g.conf, source.Value{Value: all})
		case isOfLang: // menus and parameters of a language
		case stem == "hugo" || stem == "config":
			found = "config/_default/" + name
			g.conf = source.Inherit(conf, g.conf)
		default:
			g.conf.Entries = append(g.conf.Entries, literal.Entry{Key: stem, Value: conf.Value})
		}
		g.conf.Kind = literal.Map
	}
	return found
}

// namedConfigs matches a command that runs Hugo with several files of configuration.
var namedConfigs = lazy.New(`\bhugo\b[^\n|;&]*?\s--config(?:=|\s+)["']?([^\s"',]+,[^\s"']+)`)

// addNamed adds the files that commands of the project name beside the configuration, the later over the
// earlier ones. If commands name different files, those of the first count.
func (g *model) addNamed(d *source.Dir, name string) {
	first := ""
	for _, file := range []string{"netlify.toml", "Makefile", "package.json"} {
		for _, m := range namedConfigs.Compiled().FindAllSubmatch(d.Tree.Config(d.In(file)), -1) {
			list, isOurs := strings.CutPrefix(string(m[1]), name+",")
			names := strings.Split(list, ",")
			switch {
			case !isOurs: // another site
			case slices.ContainsFunc(names, func(n string) bool { return !d.Tree.IsFile(d.In(n)) }):
				g.hasVariants = true // a variable, or what a build makes
			case first == "":
				first = list
			case first != list:
				g.hasVariants = true
			}
		}
	}
	if first == "" {
		return
	}
	for _, n := range strings.Split(first, ",") {
		g.conf = source.Inherit(foldKeys(d.Tree.Read(d.In(n))), g.conf)
	}
}

// readRedirects reads rules for the host from the template of _redirects. It returns false if the template
// computes rules.
func (g *model) readRedirects(d *source.Dir, s *site.Site) bool {
	isKnown := true
	for _, layouts := range g.layouts {
		for _, name := range []string{"index.redirects", "_default/index.redirects", "home.redirects", "index.redir", "index.headers"} {
			file := d.In(layouts + "/" + name)
			text := templateComment.Compiled().ReplaceAllFunc(d.Tree.Config(file), blank)
			isKnown = isKnown && !bytes.Contains(text, []byte("{{"))
			s.RedirectLines(file, text)
			s.Computed = append(s.Computed, computedRules(text)...)
			for _, m := range partialCall.FindAllSubmatch(text, maxPartials) {
				s.Computed = append(s.Computed, computedRules(d.Tree.Config(d.In(path.Join(layouts, "partials", string(m[1])))))...)
			}
		}
	}
	return isKnown
}

const (
	maxPartials = 10   // of a template of _redirects that are read
	maxComputed = 1000 // rules of such a template whose sources are computed
)

var (
	partialCall    = lazy.New(`\bpartial(?:Cached)?\s+"([\w./-]+)"`)
	templateAction = lazy.New(`\{\{[^{}\n]*\}\}`)
)

// computedRules returns patterns for the sources of the rules that a template of _redirects writes by its actions.
func computedRules(template []byte) (patterns []string) {
	for line := range bytes.Lines(template) {
		if !bytes.Contains(line, []byte("{{")) {
			continue
		}
		rule := strings.Fields(templateAction.ReplaceAllString(string(line), "\x00"))
		rule[0] = strings.TrimLeft(rule[0], "\x00") // the beginning of a loop
		if rule[0] == "" {
			rule = rule[1:]
		}
		if len(rule) < 2 || !strings.HasPrefix(rule[0], "/") || !strings.Contains(rule[0], "\x00") || strings.ContainsAny(rule[0], `\?[`) {
			continue
		}
		from := strings.ReplaceAll(strings.ReplaceAll(rule[0], "*", "**"), "\x00", "*")
		if strings.Trim(from, "/*") != "" && len(patterns) < maxComputed {
			patterns = append(patterns, from)
		}
	}
	return patterns
}

// blank returns spaces in place of a comment, so that what follows keeps its position.
func blank(comment []byte) []byte {
	blank := make([]byte, len(comment))
	for i, c := range comment {
		blank[i] = ' '
		if c == '\n' {
			blank[i] = c
		}
	}
	return blank
}

// hooks sets how links are resolved: unchanged, by the link hook of Hugo, or by a hook of the project,
// whose effect is unknown.
func (g *model) hooks(d *source.Dir, s *site.Site) {
	for _, layouts := range g.layouts {
		for _, dir := range []string{"_markup", "_default/_markup", "docs/_markup"} {
			for _, name := range []string{"render-link.html", "render-link.html.html"} {
				if file := d.In(path.Join(layouts, dir, name)); d.Tree.IsFile(file) {
					g.isOwn = true
					g.readHook(d.Tree.Text(file, maxTemplate))
				}
			}
		}
	}
	if g.hasFar {
		g.isOwn = true // a theme that is not here may have a hook
	}
	use := g.conf.Lookup("markup", "goldmark", "renderhooks", "link", "useembedded").Or("")
	old := g.conf.Lookup("markup", "goldmark", "renderhooks", "link", "enabledefault").IsTrue(false)
	g.hasHook = g.isOwn || old || use == "always" || use == "fallback" || len(g.langs) > 1 && !g.hasHosts && use != "never"
	if g.hasHook {
		s.Links[site.Markdown] = []site.Step{g.byPage, g.byResource, site.ByURL}
		s.Links[site.Image] = []site.Step{g.byResource, site.ByURL}
	}
	if g.isOwn {
		s.Links[site.Markdown] = []site.Step{g.byPage, g.byResource, site.ByURL, site.ByURLWithBaseOnce, g.own}
		s.Links[site.Image] = []site.Step{g.byPage, site.ByAsset, g.byResource, site.ByURL, site.ByURLWithBaseOnce, g.own}
	}
}

var templateString = lazy.New("\"([^\"\\\\\n]{1,40})\"|`([^`\n]{1,40})`|'([^'\\\\\n]{1,40})'")

// readHook keeps the strings in a link hook. A link that the hook may compare with one of them may
// mean anything.
func (g *model) readHook(text []byte) {
	for _, m := range templateString.FindAllSubmatch(templateComment.ReplaceAll(text, nil), 1000) {
		if s := string(slices.Concat(m[1:]...)); strings.Trim(s, "./#") != "" && s[0] != '/' {
			g.hook = append(g.hook, s)
		}
	}
}

// own returns an unknown candidate if a hook of the project may do anything with a name.
func (g *model) own(s *site.Site, r *site.Reference) []site.Candidate {
	isBare := !strings.ContainsAny(r.Path, "/.") || strings.ContainsRune(r.Path, ':')
	if isBare && g.hasFar || slices.ContainsFunc(g.hook, func(s string) bool {
		return r.Raw == s || len(s) > 1 && !ascii.IsAlnum(s[0]) && strings.HasPrefix(r.Raw, s)
	}) {
		return []site.Candidate{{Unknown: linkHook}}
	}
	return nil
}

// ofResource says that where a relative link in a resource of a bundle leads depends on the page that shows it.
func ofResource(_ *site.Site, r *site.Reference) []site.Candidate {
	if r.IsRooted() || !r.Use.Page.Why.Is(bundleResource) {
		return nil
	}
	return []site.Candidate{{Unknown: reason.RelativeToEachPage}}
}

// Route sets the URLs of a page.
func (g *model) Route(s *site.Site, p *site.Page) {
	rel, langs, isDisabled := g.contentPath(p)
	p.Lang = langs[0]
	dir, name := path.Split(slash.Stem(rel))
	f := p.Front
	switch {
	case strings.HasPrefix(path.Base(rel), "."):
		p.Why = hiddenFile
	case isDisabled:
		p.Why = reason.LanguageDisabled
	case f.Lookup("draft").IsTrue(false):
		p.Why = reason.Draft
	case f.Lookup("headless").IsTrue(false), f.Lookup("build", "render").Or("") == "never", f.Lookup("_build", "render").Or("") == "never",
		f.Lookup("build", "render").Or("") == "false", f.Lookup("_build", "render").Or("") == "false":
		p.Why, p.IsData = notRenderedByFrontMatter, true
	case name != "index" && g.isInBundle(s, p, path.Dir(p.Rel)):
		p.Why, p.IsData = bundleResource, true
	}
	if !p.Why.IsZero() {
		return
	}
	if isRegular(s, p) {
		p.Routes = []string{site.CleanURL(g.prefix(langs[0]) + "/" + rel)}
		return
	}
	p.Names = []string{strings.ToLower(name)}
	if name == "index" || name == "_index" {
		p.Names = []string{strings.ToLower(path.Base(dir))}
	}
	for _, lang := range langs {
		g.routeIn(s, p, g.prefix(lang), dir, name)
	}
}

// isRegular reports whether a file of HTML is not a page, but copied as it is: it begins with an element,
// not with front matter (hugofs/files, ClassifyContentFile).
func isRegular(s *site.Site, p *site.Page) bool {
	const most = 1024 // bytes of white space, and a first element
	ext := path.Ext(p.File)
	return (ext == ".html" || ext == ".htm") && bytes.HasPrefix(bytes.TrimLeft(s.Tree.Text(p.File, most), " \t\r\n\f\v\ufeff"), []byte("<"))
}

// routeIn adds the URLs of a page in a language with a prefix.
func (g *model) routeIn(s *site.Site, p *site.Page, prefix, dir, name string) {
	var route string
	switch u := p.Front.Lookup("url").Or(""); {
	case strings.HasPrefix(u, "/"):
		route = pageURL(site.CleanURL(u))
	case u != "":
		route = pageURL(site.CleanURL(prefix + "/" + u))
	default:
		route = g.permalink(s, p, prefix+"/", dir, name)
		if stem, ok := strings.CutSuffix(route, ".html"); ok {
			p.Also = append(p.Also, stem+"/") // hosts serve both
		}
	}
	p.Routes = append(p.Routes, route)
	for v := range p.Front.Lookup("aliases").Written {
		alias := path.Join(path.Dir(strings.TrimSuffix(route, "/")), v.Text)
		if strings.HasPrefix(v.Text, "/") {
			alias = prefix + v.Text
		}
		if g.isUgly && path.Ext(alias) == "" {
			p.AddAlias(strings.TrimSuffix(alias, "/")+".html", v)
			continue
		}
		p.AddAlias(strings.TrimSuffix(alias, "/")+"/", v)
		if !strings.HasSuffix(alias, "/") {
			p.AddAlias(alias, v)
		}
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
func (g *model) permalink(s *site.Site, p *site.Page, at, dir, name string) string {
	lower := func(u string) string {
		return strings.ReplaceAll(strings.ToLower(u), " ", "-")
	}
	slugOf := p.Front.Lookup("slug").Or("")
	isSection := name == "_index"
	within := dir // of which directories are sections
	if name == "index" || isSection {
		dir = strings.TrimSuffix(dir, "/")
		name = path.Base(dir)
		if dir = path.Dir(dir); dir == "." {
			dir = ""
		} else {
			dir += "/"
		}
		if name == "." {
			return site.CleanURL(lower(at))
		}
	}
	section, _, _ := strings.Cut(strings.ToLower(dir), "/")
	if section == "" {
		section = strings.ToLower(name)
	}
	pattern := g.conf.Lookup("permalinks", "page", section).Or(g.conf.Lookup("permalinks", section).Or(""))
	if isSection {
		pattern = g.conf.Lookup("permalinks", "section", section).Or("")
	} else {
		within = dir
	}
	isUgly := (g.isUgly || g.conf.Lookup("uglyurls", section).IsTrue(false)) && !isSection
	if pattern != "" {
		u := site.CleanURL(prefixed(at, expandPermalink(s, p, pattern, within, name, slugOf)))
		if isUgly && path.Ext(u) == "" && u != "/" {
			u = strings.TrimSuffix(u, "/") + ".html"
		}
		return u
	}
	if slugOf != "" {
		name = slugOf
	}
	if isUgly {
		return site.CleanURL(lower(at + dir + name + ".html"))
	}
	return site.CleanURL(lower(at+dir+name) + "/")
}

func prefixed(at, u string) string {
	return strings.TrimSuffix(at, "/") + "/" + strings.TrimPrefix(u, "/")
}

// notInSlug matches the characters of a title that a hyphen replaces in its URL.
var notInSlug = lazy.New(`[^\p{L}\p{N}\-_.]+`)

var permalinkToken = lazy.New(`:\w+(?:\[[^\]]+\])?`)

// expandPermalink fills in the pattern of permalinks (resources/page/permalinks.go).
func expandPermalink(s *site.Site, p *site.Page, pattern, dir, name, slugOf string) string {
	if slugOf == "" {
		slugOf = strings.ToLower(strings.ReplaceAll(p.Front.Lookup("title").Or(name), " ", "-"))
		slugOf = strings.Trim(notInSlug.ReplaceAllString(slugOf, ""), "-")
	}
	u := permalinkToken.ReplaceAllStringFunc(pattern, func(token string) string {
		token, cut, _ := strings.Cut(token[1:], "[")
		switch token {
		case "slug", "title":
			return slugOf
		case "slugorfilename", "slugorcontentbasename":
			return p.Front.Lookup("slug").Or(strings.ToLower(name))
		case "filename", "contentbasename":
			return strings.ToLower(name)
		case "section":
			section, _, _ := strings.Cut(dir, "/")
			return section
		case "sections":
			return path.Join(slice(sectionsOf(s, p, dir), strings.TrimSuffix(cut, "]"))...)
		}
		return dateToken(p, token)
	})
	return strings.TrimSuffix(strings.ToLower(u), "/") + "/"
}

// sectionsOf returns the names of the nearest section around a page, and of the directories around it: a section is a
// directory at the top, or one with a page "_index".
func sectionsOf(s *site.Site, p *site.Page, dir string) []string {
	names := strings.FieldsFunc(dir, func(r rune) bool { return r == '/' })
	at := path.Dir(p.File)
	for len(names) > 1 && source.Below(at, p.Mount.Dir) {
		if path.Base(at) == names[len(names)-1] {
			for name := range s.Tree.List(at) {
				if stem, _, _ := strings.Cut(name, "."); stem == "_index" {
					return names
				}
			}
			names = names[:len(names)-1]
		}
		at = path.Dir(at)
	}
	return names
}

// slice returns the names that "n", "n:m" or "last" select, which may be out of bounds; all for "".
func slice(names []string, cut string) []string {
	bound := func(s string, other int) int {
		switch n, err := strconv.Atoi(s); {
		case s == "":
			return other
		case s == "last":
			return len(names) - 1
		case err != nil || n < 0:
			return 0
		default:
			return min(n, len(names))
		}
	}
	low, high, isRange := strings.Cut(strings.ToLower(strings.TrimSpace(cut)), ":")
	from := max(bound(low, 0), 0)
	to := bound(high, len(names))
	if !isRange && cut != "" {
		to = min(from+1, len(names))
	}
	return names[from:max(from, to)]
}

// dateToken returns what a token of permalinks means that is part of the date of a page, or a layout of package time.
func dateToken(p *site.Page, token string) string {
	date := p.Front.Lookup("date").Or("")
	t, err := time.Parse(time.DateOnly, date[:min(len(date), len(time.DateOnly))])
	if err != nil {
		return "0"
	}
	switch token {
	case "weekday":
		return strconv.Itoa(int(t.Weekday()))
	case "yearday":
		return strconv.Itoa(t.YearDay())
	}
	layouts := map[string]string{"year": "2006", "month": "01", "day": "02", "monthname": "January", "weekdayname": "Monday"}
	return t.Format(cmp.Or(layouts[token], token))
}

// Explain says why the target of a reference does not exist.
func (g *model) Explain(s *site.Site, r *site.Reference) (why reason.Reason, other string) {
	if r.Form == site.Macro || r.IsRooted() || len(r.Use.Page.Routes) == 0 {
		return reason.Reason{}, ""
	}
	file := path.Join(r.PageDir(), r.Path)
	if own := g.addSource(s, nil, file, r.Use.Page.Lang); len(own) > 0 { // its translation
		file = own[0].File
	}
	if p := s.ByFile[file]; p != nil && p.Why.IsZero() && !(g.hasHook && r.Form <= site.Image) {
		return reason.LinksNotRewritten.With(s.Route(r.Use.Page)), file
	}
	rel, _, _ := g.contentPath(r.Use.Page)
	if place := placeOf(path.Join("/", path.Dir(rel), slash.Stem(r.Path))); g.hasHook && r.Form == site.Markdown && g.anywhere[place] {
		return reason.NotInLanguage.With(cmp.Or(r.Use.Page.Lang, g.langs[0])), ""
	}
	return reason.RelativeTo.With(s.Route(r.Use.Page)), ""
}

// Reasons.
var (
	bundleResource           = reason.New(reason.OtherSite, "bundle-resource", "a resource of its bundle")
	hiddenFile               = reason.New(reason.Unpublished, "hidden-file", "a hidden file")
	linkHook                 = reason.New(reason.Code, "link-hook", "depends on a link hook of the project")
	notRenderedByFrontMatter = reason.New(reason.Unpublished, "not-rendered-by-front-matter", "its front matter says that it is not rendered")
)

// Redirect adds an alias to the page.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	return e.AddToFront(is.File, "aliases", was.Route)
}
