package web

import (
	"path"
	"strings"

	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// NextRoutes adds the routes of an application of Next.js, which are directories of app with a page or a route. What is
// below a name in brackets is made by code.
func NextRoutes(s *site.Site, d *source.Dir) {
	s.AddRoute("/")
	for _, app := range []string{"app", "src/app"} {
		dir := d.In(app)
		if !d.Tree.IsDir(dir) {
			continue
		}
		d.Tree.Files(dir, func(name string) bool { return s.Skips(name) || name[0] == '_' }, func(rel string) {
			stem := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
			if stem != "page" && stem != "route" {
				return
			}
			addNextRoute(s, path.Dir(rel))
		})
	}
}

// addNextRoute adds the route of a directory of app. Names in parentheses and those with "@" are no part of it. Where a
// name in brackets stands for any page of a collection, the pages of the collection are known.
func addNextRoute(s *site.Site, dir string) {
	u := ""
	for name := range strings.SplitSeq(dir, "/") {
		switch {
		case name == ".", name[0] == '(', name[0] == '@':
		case name[0] == '[':
			if strings.HasPrefix(name, "[[") && u != "" { // the parameter is optional
				s.AddRoute(u)
			}
			if !isCollection(s, u+"/") {
				s.Made = append(s.Made, u+"/")
			}
			return
		default:
			u += "/" + name
		}
	}
	if u != "" {
		s.AddRoute(u)
	}
}

// isCollection reports whether documents are published below a URL, so that a page with parameters there shows them.
func isCollection(s *site.Site, u string) bool {
	for _, m := range s.Mounts {
		if m.Kind == site.Pages && m.URL == u && m.Name == "" {
			return true
		}
	}
	return false
}

// IsLeftNext reports whether a configuration of Next.js in a directory is a remainder: its package.json names no Next.js, and
// another program publishes the documents.
func IsLeftNext(d *source.Dir) bool {
	if d.First("package.json") == "" || d.DependsOn("next") {
		return false
	}
	for _, script := range d.Tree.Read(d.In("package.json")).Lookup("scripts").All() {
		if strings.Contains(" "+script.Text+" ", " mint ") || strings.Contains(script.Text, "mintlify ") {
			return true
		}
	}
	return strings.Contains(d.Tree.Read(d.In("docs.json")).Lookup("$schema").Or(""), "mintlify")
}
