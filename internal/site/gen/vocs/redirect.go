package vocs

import (
	"fmt"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectList matches the beginning of the redirects.
var redirectList = lazy.New(`\bredirects\s*:\s*\[`)

// Redirect adds a redirect to the configuration.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	if !e.AddItem(e.Config, redirectList, fmt.Sprintf("{ source: '%s', destination: '%s' }", was.Route, is.Route), was.Route, is.Route) {
		return ""
	}
	return "redirects in " + e.Config
}
