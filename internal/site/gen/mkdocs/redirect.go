package mkdocs

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

var (
	// redirectMaps matches the key of the redirects, and the indentation of the first of them.
	redirectMaps = lazy.New(`(?m)^[ \t]+redirect_maps:[ \t]*\r?\n([ \t]+)`)
	docsDir      = lazy.New(`(?m)^docs_dir:[ \t]*["']?([^"'\s#]+)`)
)

// docsOf returns the directory of the sources of a site.
func docsOf(e *site.Edits) string {
	if m := docsDir.Compiled().FindSubmatch(e.ConfigText()); m != nil {
		return path.Join(path.Dir(e.Config), string(m[1]))
	}
	return path.Dir(e.Config) + "/docs"
}

// Redirect adds a redirect for the plugin redirects.
func (m *model) Redirect(e *site.Edits, was, is site.Target) (where string) {
	conf := e.ConfigText()
	at := redirectMaps.Compiled().FindSubmatchIndex(conf)
	if m.isZensical || at == nil || !bytes.Contains(conf, []byte("redirects:")) {
		return ""
	}
	dir := docsOf(e)
	from, isIn := strings.CutPrefix(was.File, dir+"/")
	to, isIn2 := strings.CutPrefix(is.File, dir+"/")
	if !isIn || !isIn2 || strings.ContainsAny(from+to, "'\n\\") {
		return ""
	}
	e.Set(e.Config, slices.Concat(conf[:at[2]], conf[at[2]:at[3]], fmt.Appendf(nil, "'%s': '%s'\n", from, to), conf[at[2]:]))
	return "redirect_maps in " + e.Config
}

// Retarget changes the targets of the plugin redirects.
func (m *model) Retarget(e *site.Edits, was, is site.Target) {
	if m.isZensical {
		return
	}
	dir := docsOf(e)
	e.Replace(`(?m)(:[ \t]+['"]?)%s(['"]?[ \t]*\r?)$`, strings.TrimPrefix(was.File, dir+"/"), strings.TrimPrefix(is.File, dir+"/"))
}
