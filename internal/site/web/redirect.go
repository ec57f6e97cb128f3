package web

import (
	"fmt"
	"path"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
)

// scriptRedirects matches the beginning of the redirects of a configuration of Next.js: what a function
// returns, or a list.
var scriptRedirects = lazy.New(`\bredirects\b(?:\s*:\s*\[|[^\[\]]{0,200}?(?:return\s*\(?|=>\s*\(?)\s*\[)`)

// A NextConfig is the part of a model that adds redirects to the configuration of Next.js.
type NextConfig struct{}

// Redirect adds a redirect to next.config in the directory of the configuration of a site.
func (NextConfig) Redirect(e *site.Edits, was, is site.Target) (where string) {
	for _, ext := range []string{".js", ".mjs", ".ts", ".mts", ".cjs"} {
		file := path.Join(path.Dir(e.Config), "next.config"+ext)
		item := fmt.Sprintf("{ source: '%s', destination: '%s', permanent: true }", was.Route, is.Route)
		if e.AddItem(file, scriptRedirects, item, was.Route, is.Route) {
			return "redirects in " + file
		}
	}
	return ""
}
