package lead

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/reason"
	"example.org/refract/internal/site"
	"example.org/refract/internal/slash"
)

// AppRoots returns the directories, other than the root of the repository, that "/x" in an HTML page or a
// style sheet may be relative to. Bundlers serve two of them at "/", together with their public
// directories: the nearest directory upwards with a Vite configuration, and the nearest package; some call
// the public directory static (Phoenix, older templates of Vue). The third is the directory of the
// uppermost index.html, which may be published by itself.
func (a *Library) AppRoots(d *doc.Document) []string {
	if !d.IsHTML() && path.Ext(d.Path) != ".css" || d.Layout.Generated != nil {
		return nil
	}
	return a.apps.Get(d.Dir(), func(string) []string { return a.findAppRoots(d) })
}

// publicDir matches the public directory in a configuration of Vite.
var publicDir = lazy.New(`\bpublicDir\s*:\s*(?:"([^"\n]+)"|'([^'\n]+)')`)

func (a *Library) findAppRoots(d *doc.Document) (roots []string) {
	top := a.Boundary(d)
	app, config, pack, index := "", "", "", ""
	for dir := d.Dir(); tree.Below(dir, top) && dir != "" && dir != "/"; dir = path.Dir(dir) {
		l := a.Files.List(dir)
		if i := slices.IndexFunc(viteConfigs, func(name string) bool { _, ok := l.Entry(name); return ok }); app == "" && i >= 0 {
			app, config = dir, dir+"/"+viteConfigs[i]
		}
		if _, ok := l.Entry("package.json"); ok && pack == "" {
			pack = dir
		}
		if _, ok := l.Entry("index.html"); ok {
			index = dir
		}
		if dir == top {
			break
		}
	}
	for _, dir := range []string{app, pack} {
		if dir != "" && !slices.Contains(roots, dir) {
			roots = append(roots, dir, dir+"/public", dir+"/static")
		}
	}
	if index != "" && !slices.Contains(roots, index) {
		roots = append(roots, index)
	}
	if config == "" {
		return roots
	}
	if m := publicDir.FindStringSubmatch(string(a.TextOf(config))); m != nil {
		if public := path.Join(app, m[1]+m[2]); tree.Below(public, top) {
			roots = append(roots, public)
		}
	}
	return roots
}

// ownApp returns the directory of the application that a page of HTML is part of and that a site publishes
// as it is, or "". It is below the directories of the site, or copied to its root, and has a package or a
// configuration of Vite of its own.
func (a *Library) ownApp(d *doc.Document) string {
	s := d.Layout.Generated
	if s == nil || !d.IsHTML() {
		return ""
	}
	m := s.MountOf(d.Path)
	if m == nil {
		return ""
	}
	return a.ownApps.Get(ownAppKey{d.Dir(), m}, func(key ownAppKey) string {
		for dir := key.dir; tree.Below(dir, m.Dir) && !tree.Below(s.Dir, dir) && (dir != m.Dir || m.Kind == site.Static); dir = path.Dir(dir) {
			l := a.Files.List(dir)
			for _, name := range append([]string{"package.json"}, viteConfigs...) {
				if _, ok := l.Entry(name); ok {
					return dir
				}
			}
		}
		return ""
	})
}

// An ownAppKey is a directory, and the mount that publishes it.
type ownAppKey struct {
	dir   string
	mount *site.Mount
}

// OwnRoots returns the directories that "/x" may be relative to in a page of an application that a site
// publishes as it is.
func (a *Library) OwnRoots(d *doc.Document) []string {
	app := a.ownApp(d)
	if app == "" {
		return nil
	}
	return []string{app, app + "/public", app + "/static"}
}

// leadInApp completes the target of "/x" in a page of an application that is published below a site, if the
// site has nothing there. Such a page is written for the root of a host of its own. It reports whether
// there is a file, or certainly none: the path begins with the name of a directory of the application, and
// the site has nothing of that name.
func (a *World) leadInApp(d *doc.Document, ref *doc.Reference, l *Landing) bool {
	if !strings.HasPrefix(ref.Ref, "/") {
		return false
	}
	roots := a.OwnRoots(d)
	if roots == nil {
		return false
	}
	t := a.locate(d, ref)
	t.Roots = roots
	p := a.Find(d, ref, &t)
	isHome := p.Kind == tree.IsDirectory && a.Files.Has(p.Path, "index.html")
	isOfApp := p.Kind == tree.IsMissing && len(t.Components) > 1 && a.Files.Exists(roots[0]+"/"+t.Components[0])
	by := Landing{How: ByPath, Target: t, Place: p, Fragment: t.Fragment, Hash: t.Hash}
	switch {
	case !t.Rooted || p.Respel:
		return false
	case p.Kind == tree.IsFile || isHome:
		by.State, by.File, by.Real = site.Found, p.Path, p.Path
	case isOfApp && (l.Result.IsUnmounted || l.Why.Is(reason.OutsideSiteSameHost)):
		by.State = site.Missing
	default:
		return false
	}
	*l = by
	return true
}

var viteConfigs = []string{
	"vite.config.ts", "vite.config.js", "vite.config.mts", "vite.config.mjs", "vite.config.cts", "vite.config.cjs",
}

// MayBeBundled returns why a reference to a missing file may be right once a bundler has built the
// application that d is part of, or "".
func (a *World) MayBeBundled(d *doc.Document, ref *doc.Reference, t *Target, p *tree.Place) reason.Reason {
	isStyle := path.Ext(d.Path) == ".css"
	if !d.IsHTML() && !isStyle || len(t.Components) == 0 {
		return reason.Reason{}
	}
	dir, name := path.Split(p.Path)
	l := a.Files.List(strings.TrimSuffix(dir, "/"))
	for _, ext := range compiledFrom[path.Ext(name)] {
		if _, ok := l.Entry(slash.Stem(name) + ext); ok {
			return madeOf.With(ext)
		}
	}
	if a.Layouts.Finder.IsIgnored(p.Path, a.Boundary(d)) {
		return gitIgnored
	}
	if isStyle {
		if ref.In == "@import" && d.MayMoveReference(ref) && a.isModule(d, ref.Ref) {
			return reason.BundlerName
		}
		return reason.Reason{}
	}
	if why := a.ServedByCode(d, t); !why.IsZero() {
		return why
	}
	if a.movesPage.Get(d.Dir(), a.movesPages) {
		return webpackPage
	}
	if strings.HasSuffix(d.Dir(), ".lproj") { // Xcode decides where the resources of a program are
		return bundled
	}
	if a.isBundle(d, p) {
		return bundled
	}
	for _, root := range a.AppRoots(d) {
		if !t.Rooted && root == d.Dir()+"/public" && a.Files.Exists(path.Join(root, ref.Ref[:PathLength(ref.Ref)])) {
			return developmentServer
		}
	}
	return reason.Reason{}
}

// pageSources are the suffixes of files of which programs make pages of HTML: documents, and code with comments in it.
var pageSources = strings.Fields(".md .rst .adoc .org .ipynb .nim .py .go .rs .js .ts .java .c .h .cpp .hpp .cs .lua .rb .php .ml .mli .hs .d .jl .pl .pm .tcl .el")

// IsIgnoredOutput returns the reason if a reference points to a file that a build makes of another one. .gitignore lists the
// file. If it is a page of HTML, the tree has a source of its name; otherwise .gitignore names the file by its path, without
// a pattern, and the tree has a file of its name, of which it is a copy.
func (a *World) IsIgnoredOutput(d *doc.Document, p *tree.Place) reason.Reason {
	top := a.Boundary(d)
	if !a.Layouts.Finder.IsIgnored(p.Path, top) {
		return reason.Reason{}
	}
	stem, isPage := strings.CutSuffix(path.Base(p.Path), ".html")
	if !isPage {
		if len(a.ByName[path.Base(p.Path)]) > 0 && a.isNamedByIgnore(p.Path, top) {
			return gitIgnored
		}
		return reason.Reason{}
	}
	for _, suffix := range pageSources {
		if len(a.ByName[stem+suffix]) > 0 {
			return gitIgnored
		}
	}
	return reason.Reason{}
}

// isNamedByIgnore reports whether a .gitignore in a directory around a file, up to the top of the repository, has its path
// as a line.
func (a *Library) isNamedByIgnore(file, top string) bool {
	for dir := path.Dir(file); tree.Below(dir, top); dir = path.Dir(dir) {
		lines := a.ignoreLines.Get(dir+"/.gitignore", func(name string) map[string]bool {
			lines := map[string]bool{}
			for line := range strings.Lines(string(a.TextOf(name))) {
				lines[strings.TrimPrefix(strings.TrimSpace(line), "/")] = true
			}
			return lines
		})
		if lines[strings.TrimPrefix(file, dir+"/")] {
			return true
		}
		if dir == top || path.Dir(dir) == dir {
			break
		}
	}
	return false
}

// movesPages reports whether a configuration of webpack in a directory makes a page of HTML documents: it
// writes them to another directory, to which it also copies files of packages.
func (a *Library) movesPages(dir string) bool {
	for _, name := range []string{"webpack.config.js", "webpack.config.ts", "webpack.config.cjs", "webpack.config.mjs"} {
		if _, ok := a.Files.List(dir).Entry(name); ok {
			return bytes.Contains(a.TextOf(dir+"/"+name), []byte("HtmlWebpackPlugin"))
		}
	}
	return false
}

// compiledFrom lists the suffixes of sources of scripts and style sheets.
var compiledFrom = map[string][]string{
	".js": {".ts", ".tsx", ".jsx", ".mts", ".coffee"}, ".mjs": {".mts", ".ts"}, ".css": {".scss", ".sass", ".less", ".styl", ".pcss"},
}

// isModule reports whether a relative path that a style sheet imports may be found elsewhere than beside
// it. It begins with the name of a package rather than of a directory, or is the end of the path of another
// file of the tree. Tools also look in directories of their configuration.
func (a *Library) isModule(d *doc.Document, ref string) bool {
	ref = ref[:PathLength(ref)]
	if path.Base(ref) != ref && slices.ContainsFunc(a.ByName[path.Base(ref)], func(file string) bool { return strings.HasSuffix(file, "/"+ref) }) {
		return true
	}
	name, _, _ := strings.Cut(ref, "/")
	if _, isThere := a.Files.List(d.Dir()).Entry(name); isThere || name == ref {
		return false
	}
	top := a.Boundary(d)
	for dir := d.Dir(); tree.Below(dir, top); dir = path.Dir(dir) {
		if _, ok := a.Files.List(dir).Entry("package.json"); ok {
			return true
		}
		if dir == top || path.Dir(dir) == dir {
			break
		}
	}
	return false
}

// programs are programs whose pages and URLs are defined in code, with the names of their configurations. A _config.json is of Hexo.
var programs = []struct{ stem, suffixes, name string }{
	{"gatsby-config", inCode, "Gatsby"}, {"next.config", inCode, "Next.js"}, {"nuxt.config", inCode, "Nuxt"}, {"svelte.config", inCode, "SvelteKit"},
	{"gridsome.config", inCode, "Gridsome"}, {"remix.config", inCode, "Remix"}, {"react-router.config", inCode, "React Router"},
	{"metalsmith", inCode + " .json", "Metalsmith"}, {"pelicanconf", ".py", "Pelican"}, {".dumirc", inCode, "dumi"}, {"_config", inCode, "Lume"},
}

// inCode are the suffixes of configurations that are programs.
const inCode = ".js .ts .mjs .cjs .mts"

// programConfigs are the names of their configurations.
var programConfigs = sync.OnceValue(func() (names []string) {
	for _, p := range programs {
		for suffix := range strings.FieldsSeq(p.suffixes) {
			names = append(names, p.stem+suffix)
		}
	}
	return names
})

// ProgramName returns the name of the program that a configuration belongs to, by the name of the file.
func ProgramName(config string) string {
	for _, p := range programs {
		if strings.HasPrefix(config, p.stem) {
			return p.name
		}
	}
	return config
}

// ProgramOf returns the name of the configuration of a program that publishes the documents of a directory, or "".
func (a *Library) ProgramOf(d *doc.Document) string {
	if d.Layout.Generated != nil || !d.IsMarkdown() || doc.IsReadme(d.Base()) {
		return ""
	}
	return a.programs.Get(d.Dir(), func(dir string) string {
		for top := a.Boundary(d); dir != top && tree.Below(dir, top) && path.Dir(dir) != dir; {
			dir = path.Dir(dir)
			l := a.Files.List(dir)
			for _, name := range programConfigs() {
				if _, ok := l.Entry(name); ok {
					return name
				}
			}
		}
		return ""
	})
}

// Reasons.
var (
	madeOf            = reason.New(reason.Build, "made-of", "a build makes it of the %s file")
	developmentServer = reason.New(reason.Build, "development-server", "the development server may show it")
	gitIgnored        = reason.New(reason.Build, "git-ignored-target", "a build makes it: .gitignore lists it")
	webpackPage       = reason.New(reason.Build, "webpack-page", "webpack puts the page elsewhere")
)
