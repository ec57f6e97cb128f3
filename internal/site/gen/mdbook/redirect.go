package mdbook

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectTable matches the beginning of the redirects.
var redirectTable = lazy.New(`(?m)^[ \t]*\[output\.html\.redirect\][ \t]*(?:#.*)?\r?\n`)

// Redirect adds a line to output.html.redirect. Its target is relative to the old URL.
func (b *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	to := strings.Repeat("../", strings.Count(strings.Trim(was.Route, "/"), "/")) + strings.TrimPrefix(is.Route, "/")
	if path.Dir(was.Route) == path.Dir(is.Route) {
		to = path.Base(is.Route)
	}
	line := fmt.Sprintf("%q = %q\n", was.Route, to)
	conf := e.ConfigText()
	switch {
	case e.AddEntry(redirectTable, line, was.Route, to):
	case len(conf) == 0, bytes.Contains(conf, []byte("redirect")), strings.ContainsAny(was.Route+to, "\"\\\n"):
		return ""
	default:
		e.Set(e.Config, slices.Concat(bytes.TrimRight(conf, "\r\n"), []byte("\n\n[output.html.redirect]\n"+line)))
	}
	return "output.html.redirect in " + e.Config
}

// RedirectsIDs says that a script of each page redirects its readers from ids in output.html.redirect.
func (b *model) RedirectsIDs() {}

// Retarget changes the targets in output.html.redirect.
func (b *model) Retarget(e *site.Edits, was, is site.Target) {
	e.Replace(`(?m)(=[ \t]*["']/?)%s(["'])`, strings.TrimPrefix(was.Route, "/"), strings.TrimPrefix(is.Route, "/"))
}
