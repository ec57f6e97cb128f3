package docfx

import (
	"fmt"
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// redirectList matches the beginning of the redirects of a repository of Microsoft Learn.
var redirectList = lazy.New(`"redirections"\s*:\s*\[`)

// Redirect adds a redirect, from a source to a URL, to the file of a repository of Microsoft Learn. It must
// be known at which path the docset is published.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	dir := path.Dir(e.Config)
	for g.base != "" && dir != "/" && dir != "." {
		file := dir + "/.openpublishing.redirection.json"
		source := strings.TrimPrefix(was.File, dir+"/")
		item := fmt.Sprintf(`{ "source_path": "%s", "redirect_url": "%s" }`, source, e.Base+is.Route)
		if e.AddItem(file, redirectList, item, source, is.Route) {
			return "redirections in " + file
		}
		if _, err := e.Text(file); err == nil {
			break
		}
		dir = path.Dir(dir)
	}
	return ""
}
