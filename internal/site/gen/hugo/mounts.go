package hugo

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/literal"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// A hugoMount says where Hugo puts the files of a Mount.
type hugoMount struct {
	at    string   // below the prefix of the language: "/", "/docs/"
	langs []string // of pages whose names have no language
	ranks []int    // of each of langs: if several mounts have a page, that of the lowest rank counts
	file  string   // if the mount is of a single file, its path below at
}

// A hugoModule is the project, a theme, or another module.
type hugoModule struct {
	dir    string         // relative to that of the configuration; "" means the project
	conf   source.Value   // of the module itself
	mounts []source.Value // those that the import gives, which replace those of the module
}

// languages reads the languages of the site.
func (g *model) languages() {
	deflt := strings.ToLower(g.conf.Lookup("defaultcontentlanguage").Or("en"))
	const maxLanguages = 300
	langs := g.conf.Lookup("languages").Keys()
	for _, lang := range langs[:min(len(langs), maxLanguages)] {
		switch {
		case g.conf.Lookup("languages", lang, "disabled").IsTrue(false), slices.Contains(g.conf.Lookup("disablelanguages").Texts(), lang):
			g.disabled = append(g.disabled, lang)
		case lang != deflt:
			g.langs = append(g.langs, lang)
		}
	}
	g.langs = append([]string{deflt}, g.langs...)
	g.subdir = g.conf.Lookup("defaultcontentlanguageinsubdir").IsTrue(false)
	g.hasHosts = slices.ContainsFunc(g.langs, func(lang string) bool { return g.conf.Lookup("languages", lang, "baseurl").IsGiven() })
	g.isUgly = g.conf.Lookup("uglyurls").IsTrue(false)
}

// prefix returns the first segment of URLs in a language, "" for none.
func (g *model) prefix(lang string) string {
	if lang == g.langs[0] && !g.subdir || lang == "" {
		return ""
	}
	return "/" + lang
}

// cutLang returns the language of a URL below the base, and the rest of the URL. The language is "" if
// each has a prefix, and the URL has none of them.
func (g *model) cutLang(u string) (lang, rest string) {
	for _, lang := range g.langs {
		if rest, ok := strings.CutPrefix(u, "/"+lang+"/"); ok && g.prefix(lang) != "" {
			return lang, "/" + rest
		}
	}
	if g.subdir {
		return "", u
	}
	return g.langs[0], u
}

// findModules finds the themes and other modules of the project.
func (g *model) findModules(d *source.Dir) {
	for _, theme := range g.conf.Lookup("theme").Texts() {
		g.addModule(d, theme, nil, 0)
	}
	g.addImports(d, g.conf, 0)
}

// isHugoModule reports whether a site in an upper directory uses a directory as a module, so that it is a part
// of that site.
func isHugoModule(d *source.Dir) bool {
	for dir := d.Path; dir != d.Tree.Root && dir != path.Dir(dir); {
		dir = path.Dir(dir)
		if slices.Contains(hugoModules(d.Tree, dir), d.Path) {
			return true
		}
	}
	return false
}

// hugoModules returns the directories of the modules that the site of Hugo in a directory uses. It reads each
// configuration once.
func hugoModules(t *source.Tree, dir string) []string {
	return source.Memo(t, modulesKey(dir), func() (dirs []string) {
		d := source.NewDir(t, dir)
		g := &model{}
		if g.read(d) != "" {
			g.findModules(d)
		}
		for _, m := range g.modules {
			dirs = append(dirs, d.In(m.dir))
		}
		return dirs
	})
}

// modulesKey is the key under which a tree keeps the modules of the site in a directory.
type modulesKey string

// addImports adds the modules that a configuration imports.
func (g *model) addImports(d *source.Dir, conf source.Value, depth int) {
	for _, m := range conf.Lookup("module", "imports").List() {
		if m.Lookup("disable").IsTrue(false) {
			continue
		}
		mounts := m.Lookup("mounts").List()
		if m.Lookup("nomounts").IsTrue(false) {
			mounts = []source.Value{{}}
		}
		g.addModule(d, m.Lookup("path").Or(""), mounts, depth)
	}
}

// addModule adds a module, and those that it imports.
func (g *model) addModule(d *source.Dir, name string, mounts []source.Value, depth int) {
	const maxDepth, maxModules = 4, 50
	g.hasDocsy = g.hasDocsy || path.Base(strings.TrimSuffix(name, "/theme")) == "docsy"
	dir := g.moduleDir(d, name)
	if dir == "" {
		g.hasFar = g.hasFar || depth == 0 // those of a theme in the tree have no link hook of their own
		for _, m := range mounts {
			if component, at := hugoTarget(m); component == "content" || component == "static" {
				g.farMounts = append(g.farMounts, at)
			}
		}
		return
	}
	if depth == maxDepth || len(g.modules) == maxModules || slices.ContainsFunc(g.modules, func(m hugoModule) bool { return m.dir == dir }) {
		return
	}
	m := hugoModule{dir: dir, mounts: mounts}
	for _, base := range []string{"hugo.", "config.", "theme."} {
		for _, ext := range []string{"toml", "yaml", "yml", "json"} {
			if file := d.In(path.Join(dir, base+ext)); !m.conf.IsGiven() && d.Tree.IsFile(file) {
				m.conf = foldKeys(d.Tree.Read(file))
			}
		}
	}
	g.modules = append(g.modules, m)
	g.addImports(d, m.conf, depth+1)
}

// moduleDir returns the directory of a module, relative to the site, or "" if it is not in the tree.
func (g *model) moduleDir(d *source.Dir, name string) string {
	if name == "" {
		return ""
	}
	themes := g.conf.Lookup("themesdir").Or("themes")
	for _, dir := range []string{path.Join(themes, name), path.Join("_vendor", name)} {
		if at, ok := d.Inside(dir); ok && d.Tree.IsDir(at) {
			return dir
		}
	}
	for rule := range strings.SplitSeq(g.conf.Lookup("module", "replacements").Or(""), ",") {
		old, to, _ := strings.Cut(rule, "->")
		if strings.TrimSpace(old) != name {
			continue
		}
		dir := path.Join(themes, strings.TrimSpace(to))
		if at, ok := d.Inside(dir); ok && d.Tree.IsDir(at) {
			return dir
		}
	}
	if dir := replacedModule(d, name); dir != "" {
		return dir
	}
	return themeAround(d, name)
}

// replacedModule returns the directory, relative to the site, that go.mod has in place of a module, or "".
func replacedModule(d *source.Dir, name string) string {
	for line := range strings.Lines(string(d.Tree.Config(d.In("go.mod")))) {
		old, to, ok := strings.Cut(line, "=>")
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(old), "replace "))
		to = strings.TrimSpace(to)
		if !ok || len(words) == 0 || words[0] != name || !strings.HasPrefix(to, ".") {
			continue
		}
		if at, ok := d.Inside(to); ok && d.Tree.IsDir(at) {
			return path.Clean(to)
		}
	}
	return ""
}

// themeAround returns the directory, relative to the site, of a theme whose repository holds the site as
// an example. The Hugo command line then names the theme (--themesDir ../..). The first name in the
// theme's path is that of the repository.
func themeAround(d *source.Dir, theme string) string {
	_, rest, _ := strings.Cut(theme, "/")
	up := ".."
	for dir := path.Dir(d.Path); !path.IsAbs(theme) && source.Below(dir, d.Tree.Root); dir = path.Dir(dir) {
		if at := path.Join(dir, rest); source.Below(at, d.Tree.Root) && d.Tree.IsDir(at+"/layouts") {
			return path.Join(up, rest)
		}
		if dir == d.Tree.Root || dir == path.Dir(dir) {
			break
		}
		up += "/.."
	}
	return ""
}

// findLayouts finds the template directories of the project, and of themes and modules in the tree.
func (g *model) findLayouts() {
	g.layouts = append(g.conf.Lookup("layoutdir").Texts(), "layouts")
	for _, m := range g.modules {
		g.layouts = append(g.layouts, path.Join(m.dir, "layouts"))
	}
	for _, m := range g.conf.Lookup("module", "mounts").List() {
		if source := m.Lookup("source").Or(""); m.Lookup("target").Or("") == "layouts" && source != "layouts" {
			g.layouts = append(g.layouts, source)
		}
	}
}

// mounts adds the mounts of content and of static files.
func (g *model) mounts(d *source.Dir, s *site.Site) {
	g.mounted = map[*site.Mount]*hugoMount{}
	mounted := g.addMounts(d, s, "", g.conf.Lookup("module", "mounts").List())
	if !mounted["content"] {
		g.contentDirs(d, s)
	}
	if !mounted["static"] {
		names := g.conf.Lookup("staticdir").Texts()
		for _, lang := range g.langs {
			names = append(names, g.conf.Lookup("languages", lang, "staticdir").Texts()...)
		}
		if len(names) == 0 {
			names = []string{"static"}
		}
		for _, name := range names {
			g.mount(d, s, source.Value{}, name, "static", "/")
		}
	}
	for _, m := range g.modules {
		switch own := m.conf.Lookup("module", "mounts").List(); {
		case len(m.mounts) > 0:
			g.addMounts(d, s, m.dir, m.mounts)
		case len(own) > 0:
			g.addMounts(d, s, m.dir, own)
		default:
			for _, component := range []string{"content", "static"} {
				if name := path.Join(m.dir, component); d.Tree.IsDir(d.In(name)) {
					g.mount(d, s, source.Value{}, name, component, "/")
				}
			}
		}
	}
	for _, name := range []string{"layouts", "assets", "archetypes", "data", "i18n", "themes", "_vendor"} {
		if dir := d.In(name); d.Tree.IsDir(dir) {
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: "/", Kind: site.Hidden, Why: holdsNoPages.With(name), IsCode: true})
		}
	}
	g.addMade(s)
}

// addMade adds the URLs that are made at build time.
func (g *model) addMade(s *site.Site) {
	s.Made = append(s.Made, "/sitemap.xml", "/404.html")
	for _, plural := range []string{"tags", "categories"} {
		if !g.conf.Lookup("taxonomies").IsGiven() {
			s.Made = append(s.Made, "/"+plural+"/")
		}
	}
	for key, name := range g.conf.Lookup("taxonomies").Members() {
		s.Made = append(s.Made, "/"+name.Or(key)+"/")
	}
	s.Made = append(s.Made, g.farMounts...)
	if len(g.conf.Lookup("versions").Keys()) > 1 || len(g.conf.Lookup("roles").Keys()) > 1 {
		s.Made = append(s.Made, "/") // these are parts of URLs, too
	}
}

// contentDirs adds the mounts of content for a project that has no mounts of its own.
func (g *model) contentDirs(d *source.Dir, s *site.Site) {
	deflt := g.conf.Lookup("contentdir").Or("content")
	isPlain := true
	for _, lang := range slices.Concat(g.langs, g.disabled) {
		dir := g.conf.Lookup("languages", lang, "contentdir").Or("")
		if dir == "" {
			continue
		}
		isPlain = isPlain && path.Clean(dir) == path.Clean(deflt)
		switch at, ok := d.Inside(dir); {
		case !slices.Contains(g.disabled, lang):
			g.mountIn(d, s, dir, "/", []string{lang}, nil)
		case ok && path.Clean(dir) != path.Clean(deflt):
			s.Mounts = append(s.Mounts, &site.Mount{Dir: at, URL: "/", Kind: site.Hidden, Why: reason.LanguageDisabled})
		}
	}
	if isPlain || !g.conf.Lookup("languages", g.langs[0], "contentdir").IsGiven() {
		g.mountIn(d, s, deflt, "/", g.langs[:1], nil)
	}
}

// hugoTarget returns what a mount is for ("content"), and where it is below that.
func hugoTarget(m source.Value) (component, at string) {
	component, at, _ = strings.Cut(path.Clean(m.Lookup("target").Or("")), "/")
	if at == "" {
		return component, "/"
	}
	return component, "/" + at + "/"
}

// mayExist reports whether the source of a mount exists, or may exist where a build runs: in a module, or
// outside the project. Hugo leaves out a mount of the project without a source (hugolib, normalizeMounts).
func (g *model) mayExist(d *source.Dir, name string) bool {
	at, isInside := d.Inside(name)
	return !isInside || strings.Contains(name, "node_modules") || d.Tree.IsDir(at) || d.Tree.IsFile(at)
}

// addMounts adds the mounts of a module, and returns what they are for.
func (g *model) addMounts(d *source.Dir, s *site.Site, dir string, mounts []source.Value) map[string]bool {
	const maxMounts = 500
	mounted := map[string]bool{}
	for _, m := range mounts[:min(len(mounts), maxMounts)] {
		component, at := hugoTarget(m)
		name := path.Join(dir, m.Lookup("source").Or(""))
		if component != "." {
			mounted[component] = mounted[component] || g.mayExist(d, name)
			g.mount(d, s, m, name, component, at)
		}
	}
	return mounted
}

// mount adds a mount with the options m.
func (g *model) mount(d *source.Dir, s *site.Site, m source.Value, source, component, at string) {
	match := hugoFilter(m)
	switch component {
	case "content":
		g.mountIn(d, s, source, at, g.mountLanguages(m), match)
	case "static":
		dir, ok := d.Inside(source)
		switch {
		case !ok:
			s.Made = append(s.Made, at)
		case d.Tree.IsFile(dir):
			u := strings.TrimSuffix(at, "/")
			g.files = append(g.files, &site.Page{File: dir, Routes: []string{u}})
		default:
			s.Mounts = append(s.Mounts, &site.Mount{Dir: dir, URL: at, Kind: site.Static, Match: match})
		}
	}
}

// mountLanguages returns the languages of pages in a mount with the options m.
func (g *model) mountLanguages(m source.Value) (langs []string) {
	patterns := append(m.Lookup("sites", "matrix", "languages").Texts(), m.Lookup("lang").Texts()...)
	if len(patterns) == 0 {
		return g.langs[:1]
	}
	match := globSlice(patterns)
	for _, lang := range g.langs {
		if match(lang) {
			langs = append(langs, lang)
		}
	}
	return langs
}

// mountIn adds a mount of content for some languages, or adds these languages to a mount of the same
// directory.
func (g *model) mountIn(d *source.Dir, s *site.Site, source, at string, langs []string, match func(string) bool) {
	dir, ok := d.Inside(source)
	if !ok {
		s.Made = append(s.Made, at)
		return
	}
	file := ""
	if d.Tree.IsFile(dir) {
		name := path.Base(dir)
		at, file = path.Split(strings.TrimSuffix(at, "/"))
		dir, match = path.Dir(dir), func(rel string) bool { return rel == name }
	}
	var m *site.Mount
	for _, other := range s.Mounts {
		if h := g.mounted[other]; h != nil && other.Dir == dir && h.file == "" && file == "" {
			if h.at != at {
				s.Made = append(s.Made, at) // the same pages are at a second place
				return
			}
			m = other
		}
	}
	if m == nil {
		m = &site.Mount{Dir: dir, Kind: site.Pages, Match: match}
		g.mounted[m] = &hugoMount{at: at, file: file}
		s.Mounts = append(s.Mounts, m)
	}
	h := g.mounted[m]
	for _, lang := range langs {
		g.ranks++
		if !slices.Contains(h.langs, lang) {
			h.langs, h.ranks = append(h.langs, lang), append(h.ranks, g.ranks)
		}
	}
	if len(h.langs) > 0 {
		m.URL = g.prefix(h.langs[0]) + at
	} else {
		m.Kind, m.Why, m.URL = site.Hidden, languagesUnpublished, at
	}
}

// hugoFilter returns a function that reports whether a mount with the options m includes a file; nil
// means all files.
func hugoFilter(m source.Value) func(rel string) bool {
	var patterns []string
	for _, p := range append(m.Lookup("files").Texts(), m.Lookup("includefiles").Texts()...) {
		p, isNot := strings.CutPrefix(p, notMark)
		p = "/" + strings.TrimPrefix(p, "/")
		if isNot {
			p = notMark + p
		}
		patterns = append(patterns, p)
	}
	for _, p := range m.Lookup("excludefiles").Texts() {
		patterns = append(patterns, notMark+"/"+strings.TrimPrefix(p, "/"))
	}
	if len(patterns) == 0 {
		return nil
	}
	match := globSlice(patterns)
	return func(rel string) bool { return match("/" + strings.ToLower(rel)) }
}

// notMark begins a pattern of what is left out.
const notMark = "! "

// globSlice returns a function that reports whether the first pattern that matches a name, or one of its
// directories, does not exclude it. A name that no pattern matches is excluded, unless all patterns are
// negated.
func globSlice(patterns []string) func(name string) bool {
	const maxPatterns = 200
	var matches []func(string) bool
	var isNot []bool
	onlyNot := true
	for _, p := range patterns[:min(len(patterns), maxPatterns)] {
		p, not := strings.CutPrefix(strings.ToLower(p), notMark)
		// Unlike elsewhere, "**/" does not match the empty string.
		matches, isNot = append(matches, source.Glob(strings.ReplaceAll(p, "**/", "**{/}"))), append(isNot, not)
		onlyNot = onlyNot && not
	}
	return func(name string) bool {
		for i := strings.IndexByte(name[min(1, len(name)):], '/') + 1; i > 0; { // directories
			for n, match := range matches {
				if match(name[:i]) {
					if isNot[n] {
						return false
					}
					break
				}
			}
			next := strings.IndexByte(name[i+1:], '/')
			if next < 0 {
				break
			}
			i += next + 1
		}
		for n, match := range matches {
			if match(name) {
				return !isNot[n]
			}
		}
		return onlyNot
	}
}

// foldKeys returns a value with all keys in lower case, as Hugo compares them.
func foldKeys(v source.Value) source.Value {
	return source.Value{Value: foldedKeys(v.Value)}
}

func foldedKeys(v literal.Value) literal.Value {
	v.Items, v.Entries = slices.Clone(v.Items), slices.Clone(v.Entries)
	for i := range v.Items {
		v.Items[i] = foldedKeys(v.Items[i])
	}
	for i, e := range v.Entries {
		v.Entries[i].Key, v.Entries[i].Value = strings.ToLower(e.Key), foldedKeys(e.Value)
	}
	return v
}

// Reasons.
var (
	languagesUnpublished = reason.New(reason.Unpublished, "languages-unpublished", "its languages are not published")
	holdsNoPages         = reason.New(reason.Unpublished, "holds-no-pages", "is in %s, which holds no pages")
)
