package rspress

import (
	"fmt"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectList matches the beginning of the redirects of the plugin client-redirects.
var redirectList = lazy.New(`\bpluginClientRedirects\(\s*\{\s*redirects\s*:\s*\[`)

// Redirect adds a redirect of the plugin client-redirects, whose source is a regular expression.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	if !e.AddItem(e.Config, redirectList, fmt.Sprintf("{ from: '^%s$', to: '%s' }", was.Route, is.Route), was.Route, is.Route) {
		return ""
	}
	return "client-redirects in " + e.Config
}
