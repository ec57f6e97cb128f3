package hugo

import "example.org/refract/internal/site"

// Redirect adds an alias to the page.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	return e.AddToFront(is.File, "aliases", was.Route)
}
