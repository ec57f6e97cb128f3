package site

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/literal"
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
	dir    string  // relative to that of the configuration; "" means the project
	conf   value   // of the module itself
	mounts []value // those that the import gives, which replace those of the module
}

// languages reads the languages of the site.
func (g *hugo) languages() {
	deflt := strings.ToLower(g.conf.get("defaultcontentlanguage").text("en"))
	const maxLanguages = 300
	langs := g.conf.get("languages").keys()
	for _, lang := range langs[:min(len(langs), maxLanguages)] {
		switch {
		case g.conf.get("languages", lang, "disabled").isTrue(false), slices.Contains(g.conf.get("disablelanguages").texts(), lang):
			g.disabled = append(g.disabled, lang)
		case lang != deflt:
			g.langs = append(g.langs, lang)
		}
	}
	g.langs = append([]string{deflt}, g.langs...)
	g.subdir = g.conf.get("defaultcontentlanguageinsubdir").isTrue(false)
	g.hasHosts = slices.ContainsFunc(g.langs, func(lang string) bool { return g.conf.get("languages", lang, "baseurl").isGiven() })
	g.isUgly = g.conf.get("uglyurls").isTrue(false)
}

// prefix returns the first segment of URLs in a language, "" for none.
func (g *hugo) prefix(lang string) string {
	if lang == g.langs[0] && !g.subdir || lang == "" {
		return ""
	}
	return "/" + lang
}

// cutLang returns the language of a URL below the base, and the rest of the URL. The language is "" if
// each has a prefix, and the URL has none of them.
func (g *hugo) cutLang(u string) (lang, rest string) {
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
func (g *hugo) findModules(d *directory) {
	for _, theme := range g.conf.get("theme").texts() {
		g.addModule(d, theme, nil, 0)
	}
	g.addImports(d, g.conf, 0)
}

// isHugoModule reports whether a site in an upper directory uses a directory as a module, so that it is a part
// of that site.
func isHugoModule(d *directory) bool {
	for dir := d.dir; dir != d.tree.root && dir != path.Dir(dir); {
		dir = path.Dir(dir)
		if slices.Contains(d.tree.hugoModules(dir), d.dir) {
			return true
		}
	}
	return false
}

// hugoModules returns the directories of the modules that the site of Hugo in a directory uses. It reads each
// configuration once.
func (t *tree) hugoModules(dir string) []string {
	dirs, ok := t.modules[dir]
	if ok {
		return dirs
	}
	d := &directory{dir: dir, tree: t}
	g := &hugo{}
	if g.read(d) != "" {
		g.findModules(d)
	}
	for _, m := range g.modules {
		dirs = append(dirs, d.in(m.dir))
	}
	t.modules[dir] = dirs
	return dirs
}

// addImports adds the modules that a configuration imports.
func (g *hugo) addImports(d *directory, conf value, depth int) {
	for _, m := range conf.get("module", "imports").list() {
		if m.get("disable").isTrue(false) {
			continue
		}
		mounts := m.get("mounts").list()
		if m.get("nomounts").isTrue(false) {
			mounts = []value{{}}
		}
		g.addModule(d, m.get("path").text(""), mounts, depth)
	}
}

// addModule adds a module, and those that it imports.
func (g *hugo) addModule(d *directory, name string, mounts []value, depth int) {
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
			if file := d.in(path.Join(dir, base+ext)); !m.conf.isGiven() && d.tree.isFile(file) {
				m.conf = foldKeys(d.tree.read(file))
			}
		}
	}
	g.modules = append(g.modules, m)
	g.addImports(d, m.conf, depth+1)
}

// moduleDir returns the directory of a module, relative to the site, or "" if it is not in the tree.
func (g *hugo) moduleDir(d *directory, name string) string {
	if name == "" {
		return ""
	}
	themes := g.conf.get("themesdir").text("themes")
	for _, dir := range []string{path.Join(themes, name), path.Join("_vendor", name)} {
		if at, ok := d.inside(dir); ok && d.tree.isDir(at) {
			return dir
		}
	}
	for rule := range strings.SplitSeq(g.conf.get("module", "replacements").text(""), ",") {
		old, to, _ := strings.Cut(rule, "->")
		if strings.TrimSpace(old) != name {
			continue
		}
		dir := path.Join(themes, strings.TrimSpace(to))
		if at, ok := d.inside(dir); ok && d.tree.isDir(at) {
			return dir
		}
	}
	if dir := replacedModule(d, name); dir != "" {
		return dir
	}
	return themeAround(d, name)
}

// replacedModule returns the directory, relative to the site, that go.mod has in place of a module, or "".
func replacedModule(d *directory, name string) string {
	for line := range strings.Lines(string(d.tree.config(d.in("go.mod")))) {
		old, to, ok := strings.Cut(line, "=>")
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(old), "replace "))
		to = strings.TrimSpace(to)
		if !ok || len(words) == 0 || words[0] != name || !strings.HasPrefix(to, ".") {
			continue
		}
		if at, ok := d.inside(to); ok && d.tree.isDir(at) {
			return path.Clean(to)
		}
	}
	return ""
}

// themeAround returns the directory, relative to the site, of a theme whose repository holds the site as
// an example. The Hugo command line then names the theme (--themesDir ../..). The first name in the
// theme's path is that of the repository.
func themeAround(d *directory, theme string) string {
	_, rest, _ := strings.Cut(theme, "/")
	up := ".."
	for dir := path.Dir(d.dir); !path.IsAbs(theme) && below(dir, d.tree.root); dir = path.Dir(dir) {
		if at := path.Join(dir, rest); below(at, d.tree.root) && d.tree.isDir(at+"/layouts") {
			return path.Join(up, rest)
		}
		if dir == d.tree.root || dir == path.Dir(dir) {
			break
		}
		up += "/.."
	}
	return ""
}

// findLayouts finds the template directories of the project, and of themes and modules in the tree.
func (g *hugo) findLayouts() {
	g.layouts = append(g.conf.get("layoutdir").texts(), "layouts")
	for _, m := range g.modules {
		g.layouts = append(g.layouts, path.Join(m.dir, "layouts"))
	}
	for _, m := range g.conf.get("module", "mounts").list() {
		if source := m.get("source").text(""); m.get("target").text("") == "layouts" && source != "layouts" {
			g.layouts = append(g.layouts, source)
		}
	}
}

// mounts adds the mounts of content and of static files.
func (g *hugo) mounts(d *directory, s *Site) {
	g.mounted = map[*Mount]*hugoMount{}
	mounted := g.addMounts(d, s, "", g.conf.get("module", "mounts").list())
	if !mounted["content"] {
		g.contentDirs(d, s)
	}
	if !mounted["static"] {
		names := g.conf.get("staticdir").texts()
		for _, lang := range g.langs {
			names = append(names, g.conf.get("languages", lang, "staticdir").texts()...)
		}
		if len(names) == 0 {
			names = []string{"static"}
		}
		for _, name := range names {
			g.mount(d, s, value{}, name, "static", "/")
		}
	}
	for _, m := range g.modules {
		switch own := m.conf.get("module", "mounts").list(); {
		case len(m.mounts) > 0:
			g.addMounts(d, s, m.dir, m.mounts)
		case len(own) > 0:
			g.addMounts(d, s, m.dir, own)
		default:
			for _, component := range []string{"content", "static"} {
				if name := path.Join(m.dir, component); d.tree.isDir(d.in(name)) {
					g.mount(d, s, value{}, name, component, "/")
				}
			}
		}
	}
	for _, name := range []string{"layouts", "assets", "archetypes", "data", "i18n", "themes", "_vendor"} {
		if dir := d.in(name); d.tree.isDir(dir) {
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: "/", Kind: Hidden, Why: "is in " + name + ", which holds no pages", isCode: true})
		}
	}
	g.addMade(s)
}

// addMade adds the URLs that are made at build time.
func (g *hugo) addMade(s *Site) {
	s.made = append(s.made, "/sitemap.xml", "/404.html")
	for _, plural := range []string{"tags", "categories"} {
		if !g.conf.get("taxonomies").isGiven() {
			s.made = append(s.made, "/"+plural+"/")
		}
	}
	for _, key := range g.conf.get("taxonomies").keys() {
		s.made = append(s.made, "/"+g.conf.get("taxonomies", key).text(key)+"/")
	}
	s.made = append(s.made, g.farMounts...)
	if len(g.conf.get("versions").keys()) > 1 || len(g.conf.get("roles").keys()) > 1 {
		s.made = append(s.made, "/") // these are parts of URLs, too
	}
}

// contentDirs adds the mounts of content for a project that has no mounts of its own.
func (g *hugo) contentDirs(d *directory, s *Site) {
	deflt := g.conf.get("contentdir").text("content")
	isPlain := true
	for _, lang := range slices.Concat(g.langs, g.disabled) {
		dir := g.conf.get("languages", lang, "contentdir").text("")
		if dir == "" {
			continue
		}
		isPlain = isPlain && path.Clean(dir) == path.Clean(deflt)
		switch at, ok := d.inside(dir); {
		case !slices.Contains(g.disabled, lang):
			g.mountIn(d, s, dir, "/", []string{lang}, nil)
		case ok && path.Clean(dir) != path.Clean(deflt):
			s.Mounts = append(s.Mounts, &Mount{Dir: at, URL: "/", Kind: Hidden, Why: "its language is disabled"})
		}
	}
	if isPlain || !g.conf.get("languages", g.langs[0], "contentdir").isGiven() {
		g.mountIn(d, s, deflt, "/", g.langs[:1], nil)
	}
}

// hugoTarget returns what a mount is for ("content"), and where it is below that.
func hugoTarget(m value) (component, at string) {
	component, at, _ = strings.Cut(path.Clean(m.get("target").text("")), "/")
	if at == "" {
		return component, "/"
	}
	return component, "/" + at + "/"
}

// addMounts adds the mounts of a module, and returns what they are for.
func (g *hugo) addMounts(d *directory, s *Site, dir string, mounts []value) map[string]bool {
	const maxMounts = 500
	mounted := map[string]bool{}
	for _, m := range mounts[:min(len(mounts), maxMounts)] {
		component, at := hugoTarget(m)
		if component != "." {
			mounted[component] = true
			g.mount(d, s, m, path.Join(dir, m.get("source").text("")), component, at)
		}
	}
	return mounted
}

// mount adds a mount with the options m.
func (g *hugo) mount(d *directory, s *Site, m value, source, component, at string) {
	match := hugoFilter(m)
	switch component {
	case "content":
		g.mountIn(d, s, source, at, g.mountLanguages(m), match)
	case "static":
		dir, ok := d.inside(source)
		switch {
		case !ok:
			s.made = append(s.made, at)
		case d.tree.isFile(dir):
			u := strings.TrimSuffix(at, "/")
			g.files = append(g.files, &Page{File: dir, Routes: []string{u}})
		default:
			s.Mounts = append(s.Mounts, &Mount{Dir: dir, URL: at, Kind: Static, Match: match})
		}
	}
}

// mountLanguages returns the languages of pages in a mount with the options m.
func (g *hugo) mountLanguages(m value) (langs []string) {
	patterns := append(m.get("sites", "matrix", "languages").texts(), m.get("lang").texts()...)
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
func (g *hugo) mountIn(d *directory, s *Site, source, at string, langs []string, match func(string) bool) {
	dir, ok := d.inside(source)
	if !ok {
		s.made = append(s.made, at)
		return
	}
	file := ""
	if d.tree.isFile(dir) {
		name := path.Base(dir)
		at, file = path.Split(strings.TrimSuffix(at, "/"))
		dir, match = path.Dir(dir), func(rel string) bool { return rel == name }
	}
	var m *Mount
	for _, other := range s.Mounts {
		if h := g.mounted[other]; h != nil && other.Dir == dir && h.file == "" && file == "" {
			if h.at != at {
				s.made = append(s.made, at) // the same pages are at a second place
				return
			}
			m = other
		}
	}
	if m == nil {
		m = &Mount{Dir: dir, Kind: Pages, Match: match}
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
		m.Kind, m.Why, m.URL = Hidden, "its languages are not published", at
	}
}

// hugoFilter returns a function that reports whether a mount with the options m includes a file; nil
// means all files.
func hugoFilter(m value) func(rel string) bool {
	var patterns []string
	for _, p := range append(m.get("files").texts(), m.get("includefiles").texts()...) {
		p, isNot := strings.CutPrefix(p, notMark)
		p = "/" + strings.TrimPrefix(p, "/")
		if isNot {
			p = notMark + p
		}
		patterns = append(patterns, p)
	}
	for _, p := range m.get("excludefiles").texts() {
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

// globSlice returns a function that reports whether the first of the patterns that matches a name, or one
// of its directories, is none of what is left out. If none matches, names are left out unless all
// patterns say so of others.
func globSlice(patterns []string) func(name string) bool {
	const maxPatterns = 200
	var matches []func(string) bool
	var isNot []bool
	onlyNot := true
	for _, p := range patterns[:min(len(patterns), maxPatterns)] {
		p, not := strings.CutPrefix(strings.ToLower(p), notMark)
		// Unlike elsewhere, "**/" does not match the empty string.
		matches, isNot = append(matches, glob(strings.ReplaceAll(p, "**/", "**{/}"))), append(isNot, not)
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
func foldKeys(v value) value {
	return value{foldedKeys(v.Value)}
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
