package audit

import (
	"path"
	"slices"
	"strings"

	"example.org/refract/audit/site"
	"example.org/refract/internal/ascii"
)

// A besideCount counts the references of a site that lead above its root, into the place of
// another site of the repository.
type besideCount struct{ found, missing int }

// isRule reports whether the published sites keep the relative positions of their directories.
func (c *besideCount) isRule() bool {
	return c != nil && c.found >= minRooted && c.found >= 2*c.missing
}

// countBeside counts, for each site, the references that lead above its root into another site of
// the repository: those that find something there, and those that do not.
func (a *auditor) countBeside() {
	has := map[*site.Site]bool{}
	for _, d := range a.docs {
		s := d.layout.generated
		if s == nil {
			continue
		}
		if _, isKnown := has[s]; !isKnown {
			has[s] = s.HasNeighbours()
		}
		if !has[s] {
			continue
		}
		refs := a.refsOf(d)
		for i := range refs {
			k := &refs[i]
			if !strings.HasPrefix(k.ref, "../") || k.err != nil || isTemplate([]byte(k.ref)) {
				continue
			}
			if res, _ := a.onSite(d, k, k.ref); res.IsBeside {
				c := a.beside[s]
				if c == nil {
					c = new(besideCount)
					a.beside[s] = c
				}
				if res.State == site.Found {
					c.found++
				} else {
					c.missing++
				}
			}
		}
	}
}

// minStray is the least number of references in the documents of a directory that shows that an
// unknown program publishes them.
const minStray = 3

// isStray reports whether a document that is part of no site refers by ".html" to a page of a site
// in the repository. If so, some program publishes the document on that site too.
//
// A reference that leads to the source of such a page is a link within the repository instead.
// "/x" in a document below the directory of a site, but not at the top of the tree, is also a URL
// of that site: code of the site shows the document.
func (a *auditor) isStray(d *document, t *target, p *place) bool {
	if d.layout.generated != nil || !d.isMarkdown() || len(t.components) == 0 {
		return false
	}
	if t.rooted {
		top := a.boundary(d)
		return slices.ContainsFunc(a.layouts.finder.Sites(), func(s *site.Site) bool { return s.Dir != top && below(d.path, s.Dir) })
	}
	name := t.components[len(t.components)-1]
	if path.Ext(name) != ".html" {
		return false
	}
	if _, ok := a.files.list(path.Dir(p.path)).sameStem(name); ok {
		return false
	}
	for _, s := range a.layouts.finder.Sites() {
		if s.Serves(name) {
			return true
		}
	}
	return a.stray[d.dir()] >= minStray
}

// countStray counts the references for which isStray is true, by directory of the document.
func (a *auditor) countStray() {
	if len(a.layouts.finder.Sites()) == 0 {
		return
	}
	strays := map[string][]string{}
	defer func() { a.adopt(strays) }()
	for _, d := range a.docs {
		if d.layout.generated != nil || !d.isMarkdown() {
			continue
		}
		refs := a.refsOf(d)
		for i := range refs {
			k := &refs[i]
			if k.err != nil || !strings.Contains(k.ref, ".html") || strings.HasPrefix(k.ref, "/") {
				continue
			}
			t := a.locate(d, k)
			if !t.inside {
				continue
			}
			p := a.resolve(d, k, &t)
			if p.kind != isMissing {
				continue
			}
			if isStrayRef(k) && len(strays[d.dir()]) < maxStrays {
				strays[d.dir()] = append(strays[d.dir()], ascii.UnescapeAll(k.ref[:pathLength(k.ref)]))
			}
			if a.isStray(d, &t, &p) {
				a.stray[d.dir()]++
			}
		}
	}
}
