package audit

import (
	"path"
	"slices"
	"strings"
)

// appRoots returns the directories, other than the root of the repository, that "/x" in an HTML
// page may lead into. Bundlers serve two of them at "/", together with their public directories:
// the nearest directory upwards with a Vite configuration, and the nearest package. The third is
// the directory of the uppermost index.html, which may be published by itself.
func (a *auditor) appRoots(d *document) []string {
	if !d.isHTML() || d.layout.generated != nil {
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

// isInTemplate reports whether a reference is in a document that a program fills in and writes
// elsewhere, or that people copy, so that the reference is relative to another place. Such
// documents are HTML pages with a template in another reference (except index pages, and not for
// "/x"), and documents whose name, or whose directory's name, says that they are templates.
func isInTemplate(d *document, k *reference) bool {
	if d.layout.generated != nil || d.file.Named || strings.HasPrefix(k.ref, "#") {
		return false
	}
	isPage := strings.HasPrefix(path.Ext(d.path), ".htm")
	stem := strings.ToLower(stem(d.base()))
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
