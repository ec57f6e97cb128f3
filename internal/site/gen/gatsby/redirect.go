package gatsby

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectStart matches the first call of createRedirect that is a statement, with the indentation before
// it and what it is a method of.
var redirectStart = lazy.New(`(?m)^([ \t]*)((?:actions\.)?createRedirect\()\s*\{`)

// Redirect adds a call of createRedirect before the first one.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	for _, ext := range []string{".js", ".mjs", ".ts"} {
		file := path.Dir(e.Config) + "/gatsby-node" + ext
		text, err := e.Text(file)
		at := redirectStart.Compiled().FindSubmatchIndex(text)
		if err != nil || at == nil || bytes.ContainsAny([]byte(was.Route+is.Route), "'\\\n") {
			continue
		}
		call := fmt.Appendf(nil, "%s%s{ fromPath: '%s', toPath: '%s', isPermanent: true });\n", text[at[2]:at[3]], text[at[4]:at[5]], was.Route, is.Route)
		e.Set(file, slices.Concat(text[:at[0]], call, text[at[0]:]))
		return "createRedirect in " + file
	}
	return ""
}
