package judge

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
)

// showing matches a shortcode of Hugo or a component that has a document or a program as an argument.
var showing = lazy.New(`(?:\{\{[<%]\s*[\w/-]+\s[^{}\n]*|<[A-Za-z][\w.]*\s[^{}<>\n]*\bsrc)="(?:\./)?([^"{}<>\n]+)\.(?:md|[jt]sx|vue|svelte)"`)

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
		for _, m := range showing.FindAllSubmatch(d.Head(), -1) {
			name := strings.TrimPrefix(string(m[1]), "/") + ".md"
			if known := names[path.Base(name)]; len(known) < most && !slices.Contains(known, name) {
				names[path.Base(name)] = append(known, name)
			}
		}
	}
	return names
}
