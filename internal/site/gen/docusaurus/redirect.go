package docusaurus

import (
	"fmt"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// clientRedirects matches the beginning of the redirects of the plugin client-redirects.
var clientRedirects = lazy.New(`client-redirects['"][\s\S]*?redirects:\s*\[`)

// Redirect adds a redirect of the plugin client-redirects.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	conf := e.ConfigText()
	m := clientRedirects.Compiled().FindIndex(conf)
	if m == nil || strings.ContainsAny(was.Route+is.Route, "'\n\\") {
		return ""
	}
	e.Set(e.Config, slices.Concat(conf[:m[1]], fmt.Appendf(nil, "{from: '%s', to: '%s'}, ", was.Route, is.Route), conf[m[1]:]))
	return "client-redirects in " + e.Config
}

// Retarget changes the targets of the plugin client-redirects.
func (g *model) Retarget(e *site.Edits, was, is site.Target) {
	e.Replace(`(to:\s*['"])%s(['"])`, was.Route, is.Route)
}
