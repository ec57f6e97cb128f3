package judge

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site/source"
)

// showing matches, in a line, a shortcode of Hugo or a component that has a document or a program as an argument. A
// component may begin in a line before.
var showing = lazy.New(`(?:\{\{[<%]\s*[\w/-]+\s[^{}]*|(?:^\s*|<[A-Za-z][\w.]*\s[^{}<>]*\b)src)="(?:\./)?([^"{}<>]+)\.(?:md|[jt]sx|vue|svelte)"`)

// shownSuffixes end such arguments. Few lines have one.
var shownSuffixes = []string{`.md"`, `.jsx"`, `.tsx"`, `.vue"`, `.svelte"`}

// isShown reports whether a shortcode or a component may show d on another page. It names d, or a program beside d that
// has its name, as that of an example.
func (a *Judge) isShown(d *doc.Document) bool {
	if d.Layout.Generated != nil || path.Ext(d.Path) != ".md" {
		return false
	}
	names := a.ShownIn.Get(a.Boundary(d), a.shownBy)
	return slices.ContainsFunc(names[d.Base()], func(name string) bool { return strings.HasSuffix(d.Path, "/"+name) })
}

// shownBy returns the documents that shortcodes and components in the documents of a tree name, by their
// last component.
func (a *Judge) shownBy(top string) map[string][]string {
	const most = 100 // paths of one name
	names := map[string][]string{}
	for _, d := range a.Sorted {
		if !d.IsMarkdown() || a.Boundary(d) != top {
			continue
		}
		for m := range source.MatchesIn(d.Head(), showing, shownSuffixes...) {
			name := strings.TrimPrefix(string(m[1]), "/") + ".md"
			if known := names[path.Base(name)]; len(known) < most && !slices.Contains(known, name) {
				names[path.Base(name)] = append(known, name)
			}
		}
	}
	return names
}
