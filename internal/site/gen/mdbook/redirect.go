package mdbook

import (
	"strings"

	"example.org/refract/internal/site"
)

// Retarget changes the targets in output.html.redirect.
func (b *model) Retarget(e *site.Edits, was, is site.Target) {
	e.Replace(`(?m)(=[ \t]*["']/?)%s(["'])`, strings.TrimPrefix(was.Route, "/"), strings.TrimPrefix(is.Route, "/"))
}
