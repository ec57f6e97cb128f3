package site

import (
	"path"
	"strings"
)

// nextRoutes adds the routes of an application of Next.js, which are directories of app with a page or a route. What is
// below a name in brackets is made by code.
func nextRoutes(s *Site, d *directory) {
	s.addRoute("/")
	for _, app := range []string{"app", "src/app"} {
		dir := d.in(app)
		if !d.tree.isDir(dir) {
			continue
		}
		d.tree.files(dir, func(name string) bool { return s.skips(name) || name[0] == '_' }, func(rel string) {
			stem := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
			if stem != "page" && stem != "route" {
				return
			}
			s.addNextRoute(path.Dir(rel))
		})
	}
}

// addNextRoute adds the route of a directory of app. Names in parentheses and those with "@" are no part of it. Where a
// name in brackets stands for any page of a collection, the pages of the collection are known.
func (s *Site) addNextRoute(dir string) {
	u := ""
	for name := range strings.SplitSeq(dir, "/") {
		switch {
		case name == ".", name[0] == '(', name[0] == '@':
		case name[0] == '[':
			if strings.HasPrefix(name, "[[") && u != "" { // the parameter is optional
				s.addRoute(u)
			}
			if !s.isCollection(u + "/") {
				s.made = append(s.made, u+"/")
			}
			return
		default:
			u += "/" + name
		}
	}
	if u != "" {
		s.addRoute(u)
	}
}

// isCollection reports whether documents are published below a URL, so that a page with parameters there shows them.
func (s *Site) isCollection(u string) bool {
	for _, m := range s.Mounts {
		if m.Kind == Pages && m.URL == u && m.Name == "" {
			return true
		}
	}
	return false
}
