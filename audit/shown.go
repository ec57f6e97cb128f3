package audit

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/lazy"
)

// showing matches a shortcode of Hugo that has a document as an argument.
var showing = lazy.New(`\{\{[<%]\s*[\w/-]+\s[^{}\n]*="([^"\n]+\.md)"`)

// isShown reports whether a shortcode, of a Hugo whose configuration is elsewhere, may show d on another page.
func (a *auditor) isShown(d *document) bool {
	if d.layout.generated != nil || !d.isMarkdown() || len(a.byName[hugoIndex]) < minSections {
		return false
	}
	names := a.shownIn.Get(a.boundary(d), a.shownBy)
	return slices.ContainsFunc(names[d.base()], func(name string) bool { return strings.HasSuffix(d.path, "/"+name) })
}

// shownBy returns the arguments of shortcodes in the documents of a tree that are paths of documents, by their last component.
func (a *auditor) shownBy(top string) map[string][]string {
	const most = 100 // paths of one name
	names := map[string][]string{}
	for _, d := range a.docs {
		if !d.isMarkdown() || a.boundary(d) != top {
			continue
		}
		for _, m := range showing.FindAllSubmatch(d.head(), -1) {
			name := strings.TrimPrefix(string(m[1]), "/")
			if known := names[path.Base(name)]; len(known) < most && !slices.Contains(known, name) {
				names[path.Base(name)] = append(known, name)
			}
		}
	}
	return names
}
