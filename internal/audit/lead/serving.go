package lead

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
)

// ServingOf returns how d is published, or nil if its generator is known.
func (a *World) ServingOf(d *doc.Document) *publish.Serving {
	if d.Layout.Generated != nil {
		return nil
	}
	if s := a.Servings[a.Boundary(d)]; s != nil && a.Published.RootOf(d.Path) == "" { // --root says more than what others have in common
		return s
	}
	return &a.Given
}

// IsMadeByUnknown reports whether an unknown program makes the page of d. Such a program may list
// directories, and make ids by other rules.
func (a *World) IsMadeByUnknown(d *doc.Document) bool {
	s := a.ServingOf(d)
	return s != nil && (s.Routes[d.Path] != "" || s.IsUnsuffixed || slices.ContainsFunc(s.Roots, func(root string) bool { return tree.Below(d.Path, root) }))
}

// RedirectOf returns the base name of the file with a rule of the host for a path from the root, or "".
// Rules are at the top of the tree of d, in the directories that such paths are relative to, or around
// them.
func (a *Library) RedirectOf(d *doc.Document, s *publish.Serving, components []string) string {
	top := a.Boundary(d)
	dirs := []string{top, top + "/public", top + "/static"}
	for _, root := range s.Roots {
		for _, dir := range []string{root, path.Dir(root)} {
			if tree.Below(dir, top) && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	for _, root := range a.AppRoots(d) {
		if !slices.Contains(dirs, root) {
			dirs = append(dirs, root)
		}
	}
	return a.Layouts.Finder.RedirectOf("/"+strings.Join(components, "/"), top, dirs)
}
