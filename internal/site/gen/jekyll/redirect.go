package jekyll

import (
	"bytes"

	"example.org/refract/internal/site"
)

// Redirect adds the URL to the page, for the plugin jekyll-redirect-from.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	if !bytes.Contains(e.ConfigText(), []byte("jekyll-redirect-from")) {
		return ""
	}
	return e.AddToFront(is.File, "redirect_from", was.Route)
}
