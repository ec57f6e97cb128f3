package gitbook

import (
	"fmt"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectMap matches the key of the redirects, and the indentation of the first of them.
var redirectMap = lazy.New(`(?m)^redirects:[ \t]*\r?\n([ \t]+)`)

// Redirect adds a redirect to .gitbook.yaml, from a URL to a source.
func (s *space) Redirect(e *site.Edits, was, is site.Target) (where string) {
	conf := e.ConfigText()
	at := redirectMap.Compiled().FindSubmatchIndex(conf)
	to, isIn := strings.CutPrefix(is.File, s.dir+"/")
	from := strings.Trim(was.Route, "/")
	if at == nil || !isIn || from == "" || strings.ContainsAny(from+to, "'\n\\:#") {
		return ""
	}
	e.Set(e.Config, slices.Concat(conf[:at[2]], conf[at[2]:at[3]], fmt.Appendf(nil, "%s: %s\n", from, to), conf[at[2]:]))
	return "redirects in " + e.Config
}
