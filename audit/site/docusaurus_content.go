package site

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/literal"
)

// This file has the instances of the plugins of Docusaurus that publish documents, with their versions and
// translations.

// A contentPlugin is an instance of a plugin that publishes documents.
type contentPlugin struct {
	kind, id string // "docs"; "" for the default instance
	name     string // of its mounts: "docs-sdk"
	options  value
	dir, url string // of its sources, and where they are published
	excluded func(rel string) bool
	included func(rel string) bool // nil means all
}

// plugin adds the mounts of an instance of a plugin with documents.
func (g *docusaurus) plugin(d *directory, s *Site, kind string, o value) {
	if o.isGiven() && o.text("") == "false" {
		return
	}
	place := map[string]struct{ dir, url string }{"docs": {"docs", "docs"}, "blog": {"blog", "blog"}, "pages": {"src/pages", ""}}[kind]
	dir, ok := d.inside(o.get("path").text(place.dir))
	if !ok {
		return
	}
	p := &contentPlugin{kind: kind, name: kind, options: o, dir: dir}
	p.url = "/" + strings.Trim(o.get("routeBasePath").text(place.url), "/")
	if p.url != "/" {
		p.url += "/"
	}
	if id := o.get("id").text("default"); id != "default" {
		p.id, p.name = id, kind+"-"+id
	}
	if strings.Contains(p.id, "/") {
		return // it would lead out of the directories of translations and versions
	}
	g.isRewriter = g.isRewriter || rewritesLinks(d, o)
	if n := o.get("numberPrefixParser"); n.isGiven() && !n.isTrue(true) {
		g.keepsNumbers[p.name] = true
	}
	exclude := o.get("exclude").texts()
	if !o.get("exclude").isGiven() {
		exclude = []string{"**/_*.{js,jsx,ts,tsx,md,mdx}", "**/_*/**", "**/*.test.{js,jsx,ts,tsx}", "**/__tests__/**"}
	}
	p.excluded = anyGlob(exclude)
	if patterns := o.get("include"); patterns.Kind == literal.List && !patterns.Open {
		p.included = anyGlob(patterns.texts())
	}
	switch kind {
	case "docs":
		g.versions(d, s, p)
		return
	case "blog":
		g.blogs = append(g.blogs, p.url)
		for _, key := range []string{"tags", "archive", "authors", "page"} {
			s.made = append(s.made, p.url+strings.Trim(o.get(key+"BasePath").text(key), "/")+"/")
		}
		s.made = append(s.made, p.url+"rss.xml", p.url+"atom.xml", p.url+"feed.json")
		s.redirects = append(s.redirects, p.url, strings.TrimSuffix(p.url, "/"))
	}
	g.mount(s, p, p.dir, p.url)
	g.translations(d, s, p, "", p.dir, p.url)
}

// mount adds the mount for a directory of sources, and those for the files in it that are not published.
func (g *docusaurus) mount(s *Site, p *contentPlugin, dir, at string) {
	add := func(kind Kind, why string, match func(rel string) bool) {
		s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: at, Kind: kind, Name: p.name, Match: match, Why: why})
	}
	add(Partial, "", func(rel string) bool { return strings.HasPrefix(path.Base(rel), "_") && isMarkdownSuffix(rel) })
	if p.kind != "pages" {
		add(Hidden, "code", func(rel string) bool { return !isMarkdownSuffix(rel) && s.isDocument(rel) })
	}
	if p.excluded != nil {
		add(Hidden, "excluded by the configuration", p.excluded)
	}
	if p.included != nil {
		add(Hidden, "not included by the configuration", func(rel string) bool { return isMarkdownSuffix(rel) && !p.included(rel) })
	}
	if original := g.originals[dir]; original != "" && s.tree.isDir(original) {
		add(Hidden, "a translation of a page that does not exist", func(rel string) bool {
			file := path.Join(original, rel)
			return isMarkdownSuffix(rel) && !s.tree.isFile(file) && !s.tree.isIgnored(file)
		})
	}
	add(Pages, "", nil)
}

// versions adds the mounts of documents in all their versions.
func (g *docusaurus) versions(d *directory, s *Site, p *contentPlugin) {
	prefix := ""
	if p.id != "" {
		prefix = p.id + "_"
	}
	var names []string
	if file := d.in(prefix + "versions.json"); d.tree.config(file) != nil && !p.options.get("disableVersioning").isTrue(false) {
		names = slices.DeleteFunc(d.tree.read(file).texts(), func(name string) bool { return strings.Contains(name, "/") })
	}
	last := p.lastVersion(names)
	if p.options.get("lastVersion").isUnknown() || p.options.get("versions").isUnknown() {
		s.made = append(s.made, p.url)
	}
	add := func(version, dir, deflt string) {
		if !p.publishes(version) {
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: p.url, Kind: Hidden, Name: p.name, Why: "a version that onlyIncludeVersions leaves out"})
			return
		}
		at := p.urlOf(version, last, deflt)
		g.docs = append(g.docs, at)
		tags := at + strings.Trim(p.options.get("tagsBasePath").text("tags"), "/")
		s.made = append(s.made, tags+"/", tags, at+"category/")
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
		from := d.in(prefix + "versioned_docs/version-" + v)
		if v == last && !d.tree.isDir(from) && s.tree.isIgnored(from+"/x.md") && !p.options.get("includeCurrentVersion").isTrue(true) {
			from, isCopied = p.dir, true // a script copies the sources to the last version before each build
		}
		if d.tree.isDir(from) || s.tree.isIgnored(from+"/x.md") {
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
	only := p.options.get("onlyIncludeVersions")
	names, isKnown := only.Strings()
	return only.Kind != literal.List || !isKnown || only.Open || slices.Contains(names, version)
}

// lastVersion returns the version that has no name in URLs, given those of versions.json.
func (p *contentPlugin) lastVersion(names []string) string {
	if last := p.options.get("lastVersion").text(""); last != "" {
		return last
	}
	if i := slices.IndexFunc(names, p.publishes); i >= 0 {
		return names[i]
	}
	return "current"
}

// urlOf returns where a version is published. deflt is its name in URLs if it is not the last one.
func (p *contentPlugin) urlOf(version, last, deflt string) string {
	part := p.options.get("versions", version, "path")
	name := deflt
	switch {
	case part.isGiven() && !part.isUnknown():
		name = strings.Trim(part.text(""), "/")
	case version == last:
		name = ""
	}
	if name == "" {
		return p.url
	}
	return p.url + name + "/"
}

// archived yields each version whose directory has a name that begins with name, and that directory.
func archived(d *directory, name string) func(yield func(version, dir string) bool) {
	return func(yield func(version, dir string) bool) {
		for _, top := range sortedKeys(d.tree.list(d.dir)) {
			if !strings.HasPrefix(top, name) || !d.hasDir(top) {
				continue
			}
			l := d.tree.list(d.in(top))
			for _, sub := range sortedKeys(l) {
				if v, ok := strings.CutPrefix(sub, "version-"); ok && l[sub].IsDir() && !yield(v, d.in(top+"/"+sub)) {
					return
				}
			}
		}
	}
}

// translationsDir returns the directory of the translations of a site.
func (g *docusaurus) translationsDir(d *directory) string {
	dir, ok := d.inside(g.conf.get("i18n", "path").text("i18n"))
	if !ok {
		return d.in("i18n")
	}
	return dir
}

// maxLanguages limits the languages of a site: each reference to a URL may be compared with all of them.
const maxLanguages = 500

// findLanguages sets the languages of a site. A page without a translation is published in each of them, too.
func (g *docusaurus) findLanguages(d *directory, s *Site) {
	configs := g.conf.get("i18n", "localeConfigs")
	dirOf := func(lang string) string { return configs.get(lang, "path").text(lang) }
	locales := g.conf.get("i18n", "locales")
	names, isKnown := locales.Strings()
	if !isKnown || locales.Kind != literal.List || locales.Open { // those that have translations
		names = nil
		l := d.tree.list(g.translationsDir(d))
		for _, dir := range sortedKeys(l) {
			if l[dir].IsDir() && !slices.ContainsFunc(configs.keys(), func(lang string) bool { return dirOf(lang) == dir }) {
				names = append(names, dir)
			}
		}
		names = append(names, configs.keys()...)
	}
	g.langDirs = map[string]string{}
	for _, lang := range names {
		if lang == g.deflt {
			continue
		}
		g.langDirs[dirOf(lang)] = lang
		if len(s.langs) < maxLanguages && !configs.get(lang, "baseUrl").isGiven() && !slices.Contains(s.langs, lang) {
			s.langs = append(s.langs, lang)
		}
	}
}

// translations adds the mounts of the sources in other languages. below is the directory of a version.
func (g *docusaurus) translations(d *directory, s *Site, p *contentPlugin, below, original, at string) {
	l := d.tree.list(g.translationsDir(d))
	plugin := "docusaurus-plugin-content-" + p.kind
	if p.id != "" {
		plugin += "-" + p.id
	}
	for _, name := range sortedKeys(l) {
		lang, ok := g.langDirs[name]
		dir := path.Join(g.translationsDir(d), name, plugin, below)
		switch {
		case name == g.deflt || !d.tree.isDir(dir):
		case !ok:
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: at, Kind: Hidden, Name: p.name, Why: "in a language that i18n.locales does not list"})
		case !slices.Contains(s.langs, lang):
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: at, Kind: Hidden, Name: p.name, Why: "in a language with a baseUrl of its own"})
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
func (g *docusaurus) translation(s *Site, dir, rel, lang string) string {
	if to := g.translated[dir][lang]; to != "" && s.tree.isFile(to+"/"+rel) {
		return to + "/" + rel
	}
	return ""
}

// isTranslated reports whether another source is published instead of a page in a language.
func (g *docusaurus) isTranslated(s *Site, p *Page, lang string) bool {
	return p.Mount != nil && g.translation(s, p.Mount.Dir, p.Rel, lang) != ""
}

// link resolves a URL. Each language is a site with a base of its own.
func (g *docusaurus) link(s *Site, r *reference) []candidate {
	lang := s.langOf(r.use.Page.Mount.URL)
	if lang == "" || !r.isRooted() {
		return append(g.inStatic(s, r), byURLWithBaseOnce(s, r)...)
	}
	base := strings.TrimSuffix(s.Base, "/") + "/" + lang
	if strings.HasPrefix(r.path+"/", base+"/") {
		return byURL(s, r)
	}
	all := []candidate{urlCandidate(cleanURL(base + r.path))}
	for _, c := range byURLWithBase(s, r) {
		if res := s.try(c, r); res.State == Unknown {
			all = append(all, candidate{unknown: res.Why})
		}
	}
	return all
}

// inStatic returns a missing candidate for "/static/x" if "x" is in that directory of static files: its name is not
// part of URLs.
func (g *docusaurus) inStatic(s *Site, r *reference) []candidate {
	u, isIn := s.cutBase(r.path)
	if !r.isRooted() || !isIn {
		return nil
	}
	file := path.Join(s.Dir, u)
	if _, ok := s.lookup(u, false); ok || !s.tree.isFile(file) || !g.isStatic(file) {
		return nil
	}
	return []candidate{{Candidate: Candidate{URL: cleanURL(r.path)}, isFinal: true, why: "static files are published without the name of their directory", other: file}}
}

// isStatic reports whether a path is below a directory of static files.
func (g *docusaurus) isStatic(file string) bool {
	return slices.ContainsFunc(g.statics, func(dir string) bool { return below(file, dir) })
}

// html resolves raw HTML, which the generator leaves as it is.
func (g *docusaurus) html(s *Site, r *reference) []candidate {
	return append(g.inStatic(s, r), byURL(s, r)...)
}

// A searchOrder says where a path with ".md" that begins with a name leads if a source is there below both the directory
// of the file and the root of the sources.
type searchOrder uint8

const (
	orderUnknown searchOrder = iota
	rootsFirst               // until version 3.8
	nearFirst                // since version 3.9
)

var versionNumber = lazy.New(`^([\^~>=]*)\s*v?(\d+)\.(\d+)`)

// readSearchOrder returns the order for the version of Docusaurus that package.json requires.
func readSearchOrder(d *directory) searchOrder {
	m := versionNumber.FindStringSubmatch(d.tree.read(d.in("package.json")).get("dependencies", "@docusaurus/core").text(""))
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
func (g *docusaurus) sources(s *Site, r *reference) (all []candidate) {
	m := r.use.Page.Mount
	near := []string{r.dir()}
	roots := []string{m.Dir}
	if original := g.originals[m.Dir]; original != "" {
		roots = append(roots, original)
	}
	roots = append(roots, s.Dir)
	isDotted := strings.HasPrefix(r.path, "./") || strings.HasPrefix(r.path, "../")
	switch {
	case r.isRooted():
		near = nil
	case isDotted:
		roots = nil
	}
	first := g.sourcesIn(s, r, m, near)
	last := g.sourcesIn(s, r, m, roots)
	if g.order != nearFirst {
		first, last = last, first
	}
	isTwice := g.order == orderUnknown && !isDotted && !r.isRooted() && g.firstPage(s, first) != g.firstPage(s, last)
	if isTwice && g.firstPage(s, first) != nil && g.firstPage(s, last) != nil {
		return []candidate{{unknown: "which source it leads to depends on the version of Docusaurus"}}
	}
	return append(first, last...)
}

// sourcesIn returns the candidates for a path below some directories.
func (g *docusaurus) sourcesIn(s *Site, r *reference, m *Mount, dirs []string) (all []candidate) {
	for _, dir := range dirs {
		file := path.Join(dir, r.path)
		to := s.mountOf(file)
		if to != nil {
			if why, _ := g.otherLanguage(s, m, file, to); why != "" || to.Name != m.Name {
				continue
			}
		}
		all = append(all, fileCandidate(file))
	}
	return all
}

// firstPage returns the page of the first candidate that is published, or nil.
func (g *docusaurus) firstPage(s *Site, all []candidate) *Page {
	for _, c := range all {
		if p := s.pages[c.File]; p != nil && p.Why == "" && !p.isPart {
			return p
		}
	}
	return nil
}

// otherLanguage returns why a build in the language of a mount does not have a file of another mount, or "", and the
// source that it has instead.
func (g *docusaurus) otherLanguage(s *Site, m *Mount, file string, to *Mount) (why, instead string) {
	lang, toLang := s.langOf(m.URL), s.langOf(to.URL)
	if lang == toLang {
		return "", ""
	}
	if toLang != "" {
		return "links to source files do not lead to another language", ""
	}
	instead = g.translation(s, to.Dir, strings.TrimPrefix(file, to.Dir+"/"), lang)
	if instead != "" {
		return "its translation is published instead", instead
	}
	return "", ""
}
