package lead

import (
	"path"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/site"
)

// resolveAlias returns the document that has the target of a relative reference as an alias, if Hugo
// publishes the tree by a configuration elsewhere.
func (a *World) resolveAlias(d *doc.Document, ref *doc.Reference, t *Target) (p tree.Place, ok bool) {
	s := a.ServingOf(d)
	if s == nil || !s.IsLower || len(t.Roots) == 0 {
		return tree.Place{}, false
	}
	aliases := a.aliases.Get(a.Boundary(d), a.aliasesOf)
	if !publish.IsIndex(d.Base()) {
		served, ok := a.locateServed(d, ref)
		if !ok {
			return tree.Place{}, false
		}
		t = &served
	}
	file, ok := aliases[strings.ToLower(t.Roots[0]+"/"+strings.Join(t.Components, "/"))]
	return tree.Place{Kind: tree.IsFile, Path: file}, ok
}

// aliasesOf returns the documents of a tree by their relative aliases, in lower case. An alias is relative
// to the directory that holds the page, which is x/ for x.md and for x/_index.md.
func (a *Library) aliasesOf(top string) map[string]string {
	aliases := map[string]string{}
	for _, d := range a.Sorted {
		if !d.IsMarkdown() || d.Layout.Generated != nil || a.Boundary(d) != top {
			continue
		}
		around := d.Dir()
		if publish.IsIndex(d.Base()) {
			around = path.Dir(around)
		}
		for _, alias := range site.Aliases(d.Head()) {
			if !strings.HasPrefix(alias, "/") {
				aliases[strings.ToLower(path.Join(around, alias))] = d.Path
			}
		}
	}
	return aliases
}
