package fumadocs

import (
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/web"
)

// Redirect adds a redirect to next.config.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	return web.AddScriptRedirect(e, was, is)
}
