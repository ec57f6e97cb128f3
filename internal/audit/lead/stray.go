package lead

import (
	"path"
	"slices"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/site"
)

// IsStray reports whether a document that is part of no site refers by ".html" to a page of a site in the
// repository. If so, some program also publishes the document on that site.
//
// A reference that resolves to the source of such a page is a link within the repository instead. "/x" in a
// document below the directory of a site, but not at the top of the tree, is also a URL of that site. Code
// of the site shows the document.
func (a *World) IsStray(d *doc.Document, t *Target, p *tree.Place) bool {
	if d.Layout.Generated != nil || !d.IsMarkdown() || len(t.Components) == 0 {
		return false
	}
	if t.Rooted {
		top := a.Boundary(d)
		return slices.ContainsFunc(a.Layouts.Finder.Sites(), func(s *site.Site) bool {
			return s.Dir != top && !s.IsProgram && tree.Below(d.Path, s.Dir)
		})
	}
	name := t.Components[len(t.Components)-1]
	if path.Ext(name) != ".html" {
		return false
	}
	if _, ok := a.Files.List(path.Dir(p.Path)).SameStem(name); ok {
		return false
	}
	return slices.ContainsFunc(a.Layouts.Finder.Sites(), func(s *site.Site) bool { return s.Serves(name) })
}
