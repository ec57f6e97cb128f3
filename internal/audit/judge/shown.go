package judge

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/lazy"
)

// showing matches a shortcode of Hugo that has a document as an argument.
var showing = lazy.New(`\{\{[<%]\s*[\w/-]+\s[^{}\n]*="([^"\n]+\.md)"`)

// isShown reports whether a shortcode, of a Hugo whose configuration is elsewhere, may show d on another page.
func (a *Judge) isShown(d *doc.Document) bool {
	if d.Layout.Generated != nil || !d.IsMarkdown() || len(a.ByName[lead.HugoIndex]) < lead.MinSections {
		return false
	}
	names := a.ShownIn.Get(a.Boundary(d), a.shownBy)
	return slices.ContainsFunc(names[d.Base()], func(name string) bool { return strings.HasSuffix(d.Path, "/"+name) })
}

// shownBy returns the arguments of shortcodes in the documents of a tree that are paths of documents, by their last component.
func (a *Judge) shownBy(top string) map[string][]string {
	const most = 100 // paths of one name
	names := map[string][]string{}
	for _, d := range a.Sorted {
		if !d.IsMarkdown() || a.Boundary(d) != top {
			continue
		}
		for _, m := range showing.FindAllSubmatch(d.Head(), -1) {
			name := strings.TrimPrefix(string(m[1]), "/")
			if known := names[path.Base(name)]; len(known) < most && !slices.Contains(known, name) {
				names[path.Base(name)] = append(known, name)
			}
		}
	}
	return names
}
