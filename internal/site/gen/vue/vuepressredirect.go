package vue

import (
	"fmt"
	"path"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectConfig matches the beginning of the redirects of the plugin redirect of VuePress 2.
var redirectConfig = lazy.New(`\b(?:redirectPlugin\(\s*\{|redirect\s*:\s*\{)[^{}]*?\bconfig\s*:\s*\{`)

// Redirect adds a redirect of the plugin redirect, or of html-redirect of VuePress 1.
func (v *vuepress) Redirect(e *site.Edits, was, is site.Target) (where string) {
	if e.AddItem(e.Config, redirectConfig, fmt.Sprintf("'%s': '%s'", was.Route, is.Route), was.Route, is.Route) {
		return "redirects in " + e.Config
	}
	file := path.Dir(e.Config) + "/redirects"
	if htmlRedirectPlugin.Match(e.ConfigText()) && e.AddLine(file, was.Route+" "+is.Route+"\n", was.Route, is.Route) {
		return file
	}
	return ""
}
