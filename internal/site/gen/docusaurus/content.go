package docusaurus

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// This file has the instances of the plugins of Docusaurus that publish documents, with their versions and
// translations.

// A contentPlugin is an instance of a plugin that publishes documents.
type contentPlugin struct {
	kind, id string // "docs"; "" for the default instance
	name     string // of its mounts: "docs-sdk"
	options  source.Value
	dir, url string // of its sources, and where they are published
	excluded func(rel string) bool
	included func(rel string) bool // nil means all
}

// plugin adds the mounts of an instance of a plugin with documents.
func (g *model) plugin(d *source.Dir, s *site.Site, kind string, o source.Value) {
	if o.IsGiven() && o.Or("") == "false" {
		return
	}
	place := map[string]struct{ dir, url string }{"docs": {"docs", "docs"}, "blog": {"blog", "blog"}, "pages": {"src/pages", ""}}[kind]
	dir, ok := d.Inside(o.Lookup("path").Or(place.dir))
	if !ok {
		return
	}
	p := &contentPlugin{kind: kind, name: kind, options: o, dir: dir}
	route := o.Lookup("routeBasePath")
	p.url = "/" + strings.Trim(route.Or(route.Default(place.url)), "/")
	if p.url != "/" {
		p.url += "/"
	}
	if id := o.Lookup("id").Or("default"); id != "default" {
		p.id, p.name = id, kind+"-"+id
	}
	if strings.Contains(p.id, "/") {
		return // it would point out of the directories of translations and versions
	}
	if n := o.Lookup("numberPrefixParser"); n.IsGiven() && !n.IsTrue(true) {
		g.keepsNumbers[p.name] = true
	}
	exclude := o.Lookup("exclude").Texts()
	if !o.Lookup("exclude").IsGiven() {
		exclude = []string{"**/_*.{js,jsx,ts,tsx,md,mdx}", "**/_*/**", "**/*.test.{js,jsx,ts,tsx}", "**/__tests__/**"}
	}
	p.excluded = source.AnyGlob(exclude)
	if patterns := o.Lookup("include"); patterns.Kind == literal.List && !patterns.Open {
		p.included = source.AnyGlob(patterns.Texts())
	}
	switch kind {
	case "docs":
		g.versions(d, s, p)
		return
	case "blog":
		g.blogs = append(g.blogs, p.url)
		for _, key := range []string{"tags", "archive", "authors", "page"} {
			s.Made = append(s.Made, p.url+strings.Trim(o.Lookup(key+"BasePath").Or(key), "/")+"/")
		}
		s.Made = append(s.Made, p.url+"rss.xml", p.url+"atom.xml", p.url+"feed.json")
		s.Routeless = append(s.Routeless, p.url, strings.TrimSuffix(p.url, "/"))
	}
	g.mount(s, p, p.dir, p.url)
	g.translations(d, s, p, "", p.dir, p.url)
}

// mount adds the mount for a directory of sources, and those for the files in it that are not published.
func (g *model) mount(s *site.Site, p *contentPlugin, dir, at string) {
	add := func(kind site.Kind, why reason.Reason, match func(rel string) bool) {
		s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: at, Kind: kind, Name: p.name, Match: match, Why: why})
	}
	add(site.Partial, reason.Reason{}, func(rel string) bool { return strings.HasPrefix(path.Base(rel), "_") && source.IsMarkdown(rel) })
	if p.kind != "pages" {
		add(site.Hidden, code, func(rel string) bool { return !source.IsMarkdown(rel) && s.IsDocument(rel) })
	}
	if p.excluded != nil {
		add(site.Hidden, reason.ExcludedByConfig, p.excluded)
	}
	if p.included != nil {
		add(site.Hidden, notIncludedByConfig, func(rel string) bool { return source.IsMarkdown(rel) && !p.included(rel) })
	}
	if original := g.originals[dir]; original != "" && s.Tree.IsDir(original) {
		add(site.Hidden, translationOfNothing, func(rel string) bool {
			file := path.Join(original, rel)
			return source.IsMarkdown(rel) && !s.Tree.IsFile(file) && !s.Tree.IsIgnored(file)
		})
	}
	add(site.Pages, reason.Reason{}, nil)
}

// versions adds the mounts of documents in all their versions.
func (g *model) versions(d *source.Dir, s *site.Site, p *contentPlugin) {
	prefix := ""
	if p.id != "" {
		prefix = p.id + "_"
	}
	var names []string
	if file := d.In(prefix + "versions.json"); d.Tree.Config(file) != nil && !p.options.Lookup("disableVersioning").IsTrue(false) {
		names = slices.DeleteFunc(d.Tree.Read(file).Texts(), func(name string) bool { return strings.Contains(name, "/") })
	}
	last := p.lastVersion(names)
	if p.options.Lookup("lastVersion").IsUnknown() || p.options.Lookup("versions").IsUnknown() {
		s.Made = append(s.Made, p.url)
	}
	add := func(version, dir, deflt string) {
		if !p.publishes(version) {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: p.url, Kind: site.Hidden, Name: p.name, Why: versionLeftOut})
			return
		}
		at := p.urlOf(version, last, deflt)
		g.docs = append(g.docs, at)
		tags := at + strings.Trim(p.options.Lookup("tagsBasePath").Or("tags"), "/")
		s.Made = append(s.Made, tags+"/", tags, at+"category/")
		g.mount(s, p, dir, at)
		g.addSidebars(d, p.options, version, prefix, dir)
		below := "version-" + version
		if version == "current" {
			below = "current"
		}
		g.translations(d, s, p, below, dir, at)
	}
	isCopied := false
	for _, v := range names {
		from := d.In(prefix + "versioned_docs/version-" + v)
		if v == last && !d.Tree.IsDir(from) && s.Tree.IsIgnored(from+"/x.md") && !p.options.Lookup("includeCurrentVersion").IsTrue(true) {
			from, isCopied = p.dir, true // a script copies the sources to the last version before each build
		}
		if d.Tree.IsDir(from) || s.Tree.IsIgnored(from+"/x.md") {
			add(v, from, v)
		}
	}
	// Unpublished versions use the same routes, since they were or will be published.
	if !isCopied {
		add("current", p.dir, "next")
	}
	for v, dir := range archived(d, prefix+"versioned_docs") {
		if !slices.Contains(names, v) {
			add(v, dir, v)
		}
	}
}

// publishes reports whether onlyIncludeVersions may have a version.
func (p *contentPlugin) publishes(version string) bool {
	only := p.options.Lookup("onlyIncludeVersions")
	names, isKnown := only.Strings()
	return only.Kind != literal.List || !isKnown || only.Open || slices.Contains(names, version)
}

// lastVersion returns the version that has no name in URLs, given those of versions.json.
func (p *contentPlugin) lastVersion(names []string) string {
	if last := p.options.Lookup("lastVersion").Or(""); last != "" {
		return last
	}
	if i := slices.IndexFunc(names, p.publishes); i >= 0 {
		return names[i]
	}
	return "current"
}

// urlOf returns where a version is published. deflt is its name in URLs if it is not the last one.
func (p *contentPlugin) urlOf(version, last, deflt string) string {
	part := p.options.Lookup("versions", version, "path")
	name := deflt
	switch {
	case part.IsGiven() && !part.IsUnknown():
		name = strings.Trim(part.Or(""), "/")
	case version == last:
		name = ""
	}
	if name == "" {
		return p.url
	}
	return p.url + name + "/"
}

// archived yields each version whose directory has a name that begins with name, and that directory.
func archived(d *source.Dir, name string) func(yield func(version, dir string) bool) {
	return func(yield func(version, dir string) bool) {
		for _, top := range source.SortedKeys(d.Tree.List(d.Path)) {
			if !strings.HasPrefix(top, name) || !d.HasDir(top) {
				continue
			}
			l := d.Tree.List(d.In(top))
			for _, sub := range source.SortedKeys(l) {
				if v, ok := strings.CutPrefix(sub, "version-"); ok && l[sub].IsDir() && !yield(v, d.In(top+"/"+sub)) {
					return
				}
			}
		}
	}
}

// translationsDir returns the directory of the translations of a site.
func (g *model) translationsDir(d *source.Dir) string {
	dir, ok := d.Inside(g.conf.Lookup("i18n", "path").Or("i18n"))
	if !ok {
		return d.In("i18n")
	}
	return dir
}

// maxLanguages limits the languages of a site: each reference to a URL may be compared with all of them.
const maxLanguages = 500

// findLanguages sets the languages of a site. A page without a translation is published in each of them, too.
func (g *model) findLanguages(d *source.Dir, s *site.Site) {
	configs := g.conf.Lookup("i18n", "localeConfigs")
	dirOf := func(lang string) string { return configs.Lookup(lang, "path").Or(lang) }
	locales := g.conf.Lookup("i18n", "locales")
	names, isKnown := locales.Strings()
	if !isKnown || locales.Kind != literal.List || locales.Open { // those that have translations
		names = nil
		l := d.Tree.List(g.translationsDir(d))
		for _, dir := range source.SortedKeys(l) {
			if l[dir].IsDir() && !slices.ContainsFunc(configs.Keys(), func(lang string) bool { return dirOf(lang) == dir }) {
				names = append(names, dir)
			}
		}
		names = append(names, configs.Keys()...)
	}
	g.langDirs = map[string]string{}
	for _, lang := range names {
		if lang == g.deflt {
			continue
		}
		g.langDirs[dirOf(lang)] = lang
		if len(s.Langs) < maxLanguages && !configs.Lookup(lang, "baseUrl").IsGiven() && !slices.Contains(s.Langs, lang) {
			s.Langs = append(s.Langs, lang)
		}
	}
}

// translations adds the mounts of the sources in other languages. below is the directory of a version.
func (g *model) translations(d *source.Dir, s *site.Site, p *contentPlugin, below, original, at string) {
	l := d.Tree.List(g.translationsDir(d))
	plugin := "docusaurus-plugin-content-" + p.kind
	if p.id != "" {
		plugin += "-" + p.id
	}
	for _, name := range source.SortedKeys(l) {
		lang, ok := g.langDirs[name]
		dir := path.Join(g.translationsDir(d), name, plugin, below)
		switch {
		case name == g.deflt || !d.Tree.IsDir(dir):
		case !ok:
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: at, Kind: site.Hidden, Name: p.name, Why: unlistedLanguage})
		case !slices.Contains(s.Langs, lang):
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: at, Kind: site.Hidden, Name: p.name, Why: languageWithBase})
		default:
			g.originals[dir] = original
			if g.translated[original] == nil {
				g.translated[original] = map[string]string{}
			}
			g.translated[original][lang] = dir
			g.mount(s, p, dir, "/"+lang+at)
		}
	}
}

// translation returns the source that is published instead of the one at rel below a directory, in a language, or "".
func (g *model) translation(s *site.Site, dir, rel, lang string) string {
	if to := g.translated[dir][lang]; to != "" && s.Tree.IsFile(to+"/"+rel) {
		return to + "/" + rel
	}
	return ""
}

// IsTranslated reports whether another source is published instead of a page in a language.
func (g *model) IsTranslated(s *site.Site, p *site.Page, lang string) bool {
	return p.Mount != nil && g.translation(s, p.Mount.Dir, p.Rel, lang) != ""
}

// link resolves a URL. Each language is a site with a base of its own.
func (g *model) link(s *site.Site, r *site.Reference) []site.Candidate {
	lang := s.LangOf(r.Use.Page.Mount.URL)
	if lang == "" || !r.IsRooted() {
		return append(g.inStatic(s, r), site.ByURLWithBaseOnce(s, r)...)
	}
	base := strings.TrimSuffix(s.Base, "/") + "/" + lang
	if strings.HasPrefix(r.Path+"/", base+"/") {
		return site.ByURL(s, r)
	}
	all := []site.Candidate{site.URLCandidate(site.CleanURL(base + r.Path))}
	for _, c := range site.ByURLWithBase(s, r) {
		if res := s.Try(c, r); res.State == site.Unknown {
			all = append(all, site.Candidate{Unknown: res.Why})
		}
	}
	return all
}

// inStatic returns a missing candidate for "/static/x" if "x" is in that directory of static files: its
// name is not part of URLs.
func (g *model) inStatic(s *site.Site, r *site.Reference) []site.Candidate {
	u, isIn := s.CutBase(r.Path)
	if !r.IsRooted() || !isIn {
		return nil
	}
	file := path.Join(s.Dir, u)
	if _, ok := s.Lookup(u, false); ok || !s.Tree.IsFile(file) || !g.isStatic(file) {
		return nil
	}
	return []site.Candidate{{URL: site.CleanURL(r.Path), IsFinal: true, Why: staticWithoutDirectory, Other: file}}
}

// isStatic reports whether a path is below a directory of static files.
func (g *model) isStatic(file string) bool {
	return slices.ContainsFunc(g.statics, func(dir string) bool { return source.Below(file, dir) })
}

// html resolves raw HTML, which the generator leaves as it is.
func (g *model) html(s *site.Site, r *site.Reference) []site.Candidate {
	return append(g.inStatic(s, r), site.ByURL(s, r)...)
}

// A searchOrder says which source a path with ".md" that begins with a name means if it exists both below
// the directory of the file and below the root of the sources.
type searchOrder uint8

const (
	orderUnknown searchOrder = iota
	rootsFirst               // until version 3.8
	nearFirst                // since version 3.9
)

var versionNumber = lazy.New(`^([\^~>=]*)\s*v?(\d+)\.(\d+)`)

// readSearchOrder returns the order for the version of Docusaurus that package.json requires.
func readSearchOrder(d *source.Dir) searchOrder {
	m := versionNumber.FindStringSubmatch(d.Tree.Read(d.In("package.json")).Lookup("dependencies", "@docusaurus/core").Or(""))
	if m == nil {
		return orderUnknown
	}
	major, _ := strconv.Atoi(m[2])
	minor, _ := strconv.Atoi(m[3])
	switch {
	case major > 3 || major == 3 && minor >= 9:
		return nearFirst
	case m[1] == "" || m[1] == "~" || major < 3 && m[1] == "^":
		return rootsFirst
	}
	return orderUnknown
}

// sources returns the sources of the same plugin, and the same language, that a path with ".md" may mean.
func (g *model) sources(s *site.Site, r *site.Reference) (all []site.Candidate) {
	m := r.Use.Page.Mount
	near := []string{r.Dir()}
	roots := []string{m.Dir}
	if original := g.originals[m.Dir]; original != "" {
		roots = append(roots, original)
	}
	roots = append(roots, s.Dir)
	isDotted := strings.HasPrefix(r.Path, "./") || strings.HasPrefix(r.Path, "../")
	switch {
	case r.IsRooted():
		near = nil
	case isDotted:
		roots = nil
	}
	first := g.sourcesIn(s, r, m, near)
	last := g.sourcesIn(s, r, m, roots)
	if g.order != nearFirst {
		first, last = last, first
	}
	isTwice := g.order == orderUnknown && !isDotted && !r.IsRooted() && g.firstPage(s, first) != g.firstPage(s, last)
	if isTwice && g.firstPage(s, first) != nil && g.firstPage(s, last) != nil {
		return []site.Candidate{{Unknown: dependsOnVersion}}
	}
	return append(first, last...)
}

// sourcesIn returns the candidates for a path below some directories.
func (g *model) sourcesIn(s *site.Site, r *site.Reference, m *site.Mount, dirs []string) (all []site.Candidate) {
	for _, dir := range dirs {
		file := path.Join(dir, r.Path)
		to := s.MountOf(file)
		if to != nil {
			if why, _ := g.otherLanguage(s, m, file, to); !why.IsZero() || to.Name != m.Name {
				continue
			}
		}
		all = append(all, site.FileCandidate(file))
	}
	return all
}

// firstPage returns the page of the first candidate that is published, or nil.
func (g *model) firstPage(s *site.Site, all []site.Candidate) *site.Page {
	for _, c := range all {
		if p := s.ByFile[c.File]; p != nil && p.Why.IsZero() && !p.IsPart {
			return p
		}
	}
	return nil
}

// otherLanguage returns why a build in the language of a mount does not have a file of another mount, or "", and the
// source that it has instead.
func (g *model) otherLanguage(s *site.Site, m *site.Mount, file string, to *site.Mount) (why reason.Reason, instead string) {
	lang, toLang := s.LangOf(m.URL), s.LangOf(to.URL)
	if lang == toLang {
		return reason.Reason{}, ""
	}
	if toLang != "" {
		return linkToOtherLanguage, ""
	}
	instead = g.translation(s, to.Dir, strings.TrimPrefix(file, to.Dir+"/"), lang)
	if instead != "" {
		return translationInstead, instead
	}
	return reason.Reason{}, ""
}

// Reasons.
var (
	code                   = reason.New(reason.Code, "code", "code")
	dependsOnVersion       = reason.New(reason.Build, "depends-on-version", "which source it links to depends on the version of Docusaurus")
	languageWithBase       = reason.New(reason.Base, "language-with-base", "in a language with a baseUrl of its own")
	linkToOtherLanguage    = reason.New(reason.OtherVersion, "link-to-other-language", "links to source files do not resolve in another language")
	notIncludedByConfig    = reason.New(reason.Unpublished, "not-included-by-config", "not included by the configuration")
	staticWithoutDirectory = reason.New(reason.Base, "static-without-directory", "static files are published without the name of their directory")
	translationInstead     = reason.New(reason.Unpublished, "translation-instead", "its translation is published instead")
	translationOfNothing   = reason.New(reason.Unpublished, "translation-of-nothing", "a translation of a page that does not exist")
	unlistedLanguage       = reason.New(reason.Unpublished, "unlisted-language", "in a language that i18n.locales does not list")
	versionLeftOut         = reason.New(reason.Unpublished, "version-left-out", "a version that onlyIncludeVersions leaves out")
)
