package lead

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/site"
	"example.org/refract/resolve"
)

// minStray is the least number of references in the documents of a directory that shows that an
// unknown program publishes them.
const minStray = 3

// IsStray reports whether a document that is part of no site refers by ".html" to a page of a site
// in the repository. If so, some program publishes the document on that site too.
//
// A reference that leads to the source of such a page is a link within the repository instead.
// "/x" in a document below the directory of a site, but not at the top of the tree, is also a URL
// of that site: code of the site shows the document.
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
	for _, s := range a.Layouts.Finder.Sites() {
		if s.Serves(name) {
			return true
		}
	}
	return a.Stray[d.Dir()] >= minStray
}

// isInOtherSite reports whether a URL of a site is in a directory that belongs to another site.
func (a *World) isInOtherSite(s *site.Site, u string) bool {
	at := path.Join(s.Dir, strings.TrimPrefix(u, strings.TrimSuffix(s.Base, "/")))
	return slices.ContainsFunc(a.Layouts.Finder.Sites(), func(o *site.Site) bool { return len(o.Dir) > len(s.Dir) && tree.Below(at, o.Dir) })
}

// IsStrayRef reports whether a reference is relative and leads to a page, judging by ".html".
func IsStrayRef(k *doc.Reference) bool {
	return k.Err == nil && k.Result.Step != resolve.Absolute && !strings.HasPrefix(k.Ref, "/") && path.Ext(k.Ref[:PathLength(k.Ref)]) == ".html"
}
