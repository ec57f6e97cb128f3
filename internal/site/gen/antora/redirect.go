package antora

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

var (
	docTitle    = lazy.New(`(?m)^= .*\r?\n`)
	aliasesLine = lazy.New(`(?m)^:page-aliases:[ \t]+`)
)

// Redirect adds the resource id of the page to its attribute page-aliases. It must not leave its component.
func (g *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	root, id, ok := cutPages(was.File)
	newRoot, newID, ok2 := cutPages(is.File)
	if !ok || !ok2 || root != newRoot || strings.ContainsAny(id, ", \\{}\n") {
		return ""
	}
	module, rel, _ := strings.Cut(id, ":")
	if newModule, _, _ := strings.Cut(newID, ":"); module == newModule {
		id = rel
	}
	text, err := e.Text(is.File)
	if err != nil {
		return ""
	}
	head := text[:min(len(text), site.MaxFront)]
	if at := aliasesLine.Compiled().FindIndex(header(head)); at != nil {
		e.Set(is.File, slices.Concat(text[:at[1]], []byte(id+", "), text[at[1]:]))
	} else if at := docTitle.Compiled().FindIndex(head); at != nil && len(bytes.TrimSpace(head[:at[0]])) == 0 {
		e.Set(is.File, slices.Concat(text[:at[1]], []byte(":page-aliases: "+id+"\n"), text[at[1]:]))
	} else {
		return ""
	}
	return "page-aliases in " + is.File
}

// cutPages returns the root of the component of a page, and its module and path: "ROOT:guide/setup.adoc".
func cutPages(file string) (root, id string, ok bool) {
	i := strings.LastIndex(file, "/modules/")
	if i < 0 {
		return "", "", false
	}
	module, rel, ok := strings.Cut(file[i+len("/modules/"):], "/pages/")
	return path.Clean(file[:i]), module + ":" + rel, ok
}
