package rspress

import (
	"fmt"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectList matches the beginning of the redirects of the plugin client-redirects.
var redirectList = lazy.New(`\bpluginClientRedirects\(\s*\{\s*redirects\s*:\s*\[`)

// Redirect adds a redirect of the plugin client-redirects, whose source is a regular expression for paths
// without the base. Its target has the base, since the browser goes there.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	item := fmt.Sprintf("{ from: '^%s$', to: '%s' }", strings.ReplaceAll(was.Route, ".", `\\.`), e.Base+is.Route)
	if !e.AddItem(e.Config, redirectList, item, was.Route, is.Route) {
		return ""
	}
	return "client-redirects in " + e.Config
}
