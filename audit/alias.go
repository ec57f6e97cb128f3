package audit

import (
	"path"
	"strings"

	"example.org/refract/audit/site"
)

// resolveAlias returns the document that has the target of a relative reference as an alias, if Hugo publishes the tree by a
// configuration elsewhere.
func (a *auditor) resolveAlias(d *document, k *reference, t *target) (p place, ok bool) {
	s := a.servingOf(d)
	if s == nil || !s.isLower || len(t.roots) == 0 {
		return place{}, false
	}
	aliases := a.aliases.Get(a.boundary(d), a.aliasesOf)
	if !isIndex(d.base()) {
		served, ok := a.locateServed(d, k)
		if !ok {
			return place{}, false
		}
		t = &served
	}
	file, ok := aliases[strings.ToLower(t.roots[0]+"/"+strings.Join(t.components, "/"))]
	return place{kind: isFile, path: file}, ok
}

// aliasesOf returns the documents of a tree by their relative aliases, in lower case. An alias is relative to the directory
// that holds the page, which is x/ for x.md and for x/_index.md.
func (a *auditor) aliasesOf(top string) map[string]string {
	aliases := map[string]string{}
	for _, d := range a.docs {
		if !d.isMarkdown() || d.layout.generated != nil || a.boundary(d) != top {
			continue
		}
		around := d.dir()
		if isIndex(d.base()) {
			around = path.Dir(around)
		}
		for _, alias := range site.Aliases(d.head()) {
			if !strings.HasPrefix(alias, "/") {
				aliases[strings.ToLower(path.Join(around, alias))] = d.path
			}
		}
	}
	return aliases
}
