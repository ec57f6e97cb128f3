package mintlify

import (
	"fmt"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectList matches the beginning of the redirects, or of the configuration.
var (
	redirectList = lazy.New(`"redirects"\s*:\s*\[`)
	confStart    = lazy.New(`\A\s*\{`)
)

// Redirect adds a redirect to docs.json.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	item := fmt.Sprintf(`{ "source": "%s", "destination": "%s" }`, was.Route, is.Route)
	hasList := redirectList.Match(e.ConfigText())
	if !e.AddItem(e.Config, redirectList, item, was.Route, is.Route) && (hasList || !e.AddItem(e.Config, confStart, `"redirects": [`+item+`]`, was.Route, is.Route)) {
		return ""
	}
	return "redirects in " + e.Config
}
