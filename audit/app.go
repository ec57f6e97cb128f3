package audit

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// appRoots returns the directories, other than the root of the repository, that "/x" in an HTML
// page or a style sheet may lead into. Bundlers serve two of them at "/", together with their public directories:
// the nearest directory upwards with a Vite configuration, and the nearest package. The third is
// the directory of the uppermost index.html, which may be published by itself.
func (a *auditor) appRoots(d *document) []string {
	if !d.isHTML() && path.Ext(d.path) != ".css" || d.layout.generated != nil {
		return nil
	}
	return a.apps.Get(d.dir(), func(string) []string { return a.findAppRoots(d) })
}

func (a *auditor) findAppRoots(d *document) (roots []string) {
	top := a.boundary(d)
	app, pack, index := "", "", ""
	for dir := d.dir(); below(dir, top) && dir != "" && dir != "/"; dir = path.Dir(dir) {
		l := a.files.list(dir)
		if app == "" && slices.ContainsFunc(viteConfigs, func(name string) bool { _, ok := l.entry(name); return ok }) {
			app = dir
		}
		if _, ok := l.entry("package.json"); ok && pack == "" {
			pack = dir
		}
		if _, ok := l.entry("index.html"); ok {
			index = dir
		}
		if dir == top {
			break
		}
	}
	for _, dir := range []string{app, pack} {
		if dir != "" && !slices.Contains(roots, dir) {
			roots = append(roots, dir, dir+"/public")
		}
	}
	if index != "" && !slices.Contains(roots, index) {
		roots = append(roots, index)
	}
	return roots
}

var viteConfigs = []string{
	"vite.config.ts", "vite.config.js", "vite.config.mts", "vite.config.mjs", "vite.config.cts", "vite.config.cjs",
}

// mayBeBundled returns why a reference to a missing file may be right once a bundler has built the application that d
// is part of, or "".
func (a *auditor) mayBeBundled(d *document, k *reference, t *target, p *place) string {
	isStyle := path.Ext(d.path) == ".css"
	if !d.isHTML() && !isStyle || len(t.components) == 0 {
		return ""
	}
	dir, name := path.Split(p.path)
	l := a.files.list(strings.TrimSuffix(dir, "/"))
	for _, ext := range compiledFrom[path.Ext(name)] {
		if _, ok := l.entry(strings.TrimSuffix(name, path.Ext(name)) + ext); ok {
			return "a build makes it of the " + ext + " file"
		}
	}
	if a.layouts.finder.IsIgnored(p.path, a.boundary(d)) {
		return "a build makes it: .gitignore lists it"
	}
	if isStyle {
		if k.in == "@import" && d.mayMoveReference(k) && a.isModule(d, k.ref) {
			return "a name of the bundler"
		}
		return ""
	}
	if a.movesPage.Get(d.dir(), a.movesPages) {
		return "webpack puts the page elsewhere"
	}
	for _, root := range a.appRoots(d) {
		at := root + "/" + strings.Join(t.components, "/")
		if t.rooted && a.files.exists(at+".html") || !t.rooted && root == d.dir()+"/public" && a.files.exists(path.Join(root, k.ref[:pathLength(k.ref)])) {
			return "the development server may show it"
		}
	}
	return ""
}

// movesPages reports whether a configuration of webpack in a directory makes a page of HTML documents: it writes them to
// another directory, where it copies files of packages, too.
func (a *auditor) movesPages(dir string) bool {
	for _, name := range []string{"webpack.config.js", "webpack.config.ts", "webpack.config.cjs", "webpack.config.mjs"} {
		if _, ok := a.files.list(dir).entry(name); ok {
			return bytes.Contains(a.textOf(dir+"/"+name), []byte("HtmlWebpackPlugin"))
		}
	}
	return false
}

// compiledFrom lists the suffixes of sources of scripts and style sheets.
var compiledFrom = map[string][]string{
	".js": {".ts", ".tsx", ".jsx", ".mts", ".coffee"}, ".mjs": {".mts", ".ts"}, ".css": {".scss", ".sass", ".less", ".styl", ".pcss"},
}

// isModule reports whether a relative path that a style sheet imports may be found elsewhere than beside it: it begins
// with the name of a package rather than of a directory, or is the end of the path of another file of the tree, since
// tools also look in directories of their configuration.
func (a *auditor) isModule(d *document, ref string) bool {
	ref = ref[:pathLength(ref)]
	if path.Base(ref) != ref && slices.ContainsFunc(a.byName[path.Base(ref)], func(file string) bool { return strings.HasSuffix(file, "/"+ref) }) {
		return true
	}
	name, _, _ := strings.Cut(ref, "/")
	if _, isThere := a.files.list(d.dir()).entry(name); isThere || name == ref {
		return false
	}
	top := a.boundary(d)
	for dir := d.dir(); below(dir, top); dir = path.Dir(dir) {
		if _, ok := a.files.list(dir).entry("package.json"); ok {
			return true
		}
		if dir == top {
			break
		}
	}
	return false
}

// programConfigs are the configurations of programs whose pages and URLs are defined in code.
var programConfigs = programNames("gatsby-config", "next.config", "nuxt.config", "svelte.config", "gridsome.config", "remix.config", "react-router.config", "metalsmith", "pelicanconf")

func programNames(stems ...string) (names []string) {
	for _, stem := range stems {
		for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".mts", ".json", ".py"} {
			names = append(names, stem+ext)
		}
	}
	return names
}

// programOf returns the name of the configuration of a program that publishes the documents of a directory, or "".
func (a *auditor) programOf(d *document) string {
	if d.layout.generated != nil || !d.isMarkdown() || isReadme(d.base()) {
		return ""
	}
	return a.programs.Get(d.dir(), func(dir string) string {
		for top := a.boundary(d); dir != top && below(dir, top); {
			dir = path.Dir(dir)
			l := a.files.list(dir)
			for _, name := range programConfigs {
				if _, ok := l.entry(name); ok {
					return name
				}
			}
		}
		return ""
	})
}

// isInTemplate reports whether a reference is in a document that a program fills in and writes
// elsewhere, or that people copy, so that the reference is relative to another place. Such
// documents are HTML pages with a template in another reference (except index pages, and not for
// "/x"), those whose name begins with an underscore, and documents whose name, or whose directory's name, says that they are templates.
func isInTemplate(d *document, k *reference) bool {
	if d.layout.generated != nil || d.file.Named || strings.HasPrefix(k.ref, "#") {
		return false
	}
	isPage := strings.HasPrefix(path.Ext(d.path), ".htm")
	stem := strings.ToLower(stem(d.base()))
	if isPage && strings.HasPrefix(stem, "_") {
		return true
	}
	if isPage && (d.skipped[isFilledIn] > 0 && !strings.HasPrefix(k.ref, "/") && !isIndex(d.base()) || strings.Contains(stem, "template")) {
		return true
	}
	if !isPage && !d.isMarkdown() || isReadme(d.base()) {
		return false
	}
	if stem == "template" || strings.HasSuffix(stem, "-template") || strings.HasSuffix(stem, "_template") || strings.HasSuffix(stem, ".template") {
		return true
	}
	rest, ok := strings.CutPrefix(strings.ToLower(d.dir()), strings.ToLower(d.top)+"/")
	if !ok {
		return false
	}
	names := strings.Split(rest, "/")
	return !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(docDirs, name) }) &&
		slices.ContainsFunc(names, func(name string) bool { return slices.Contains(templateDirs, name) })
}

// templateDirs are the names of directories of templates.
var templateDirs = []string{"template", "templates", "_templates", "archetypes", "layouts", "_layouts", "partials", "_includes"}
