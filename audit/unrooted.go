package audit

import (
	"path"
	"slices"
	"strings"
)

const (
	minRooted = 10   // references "/x" below which a tree shows no rule
	maxRooted = 2000 // that are looked at in a tree
)

// A rootedCount counts the references "/x" of a tree, and those that lead to nothing.
type rootedCount struct {
	all, missing int
	first        map[string]*rootedCount // by the first name of their path
}

// mostAreMissing reports whether more of them lead to nothing than to a file.
func (r *rootedCount) mostAreMissing() bool { return 2*r.missing > r.all }

// countRooted finds out which references "/x" lead below the root of the tree, in documents
// that no generator is known for. If a program that nobody here knows publishes them, most
// lead to pages that it makes, or to other parts of its host.
func (a *auditor) countRooted() {
	if a.sites.root != "" {
		return
	}
	for _, d := range a.docs {
		if d.layout.generated != nil {
			continue
		}
		top := a.boundary(d)
		r := a.rootLinks[top]
		if r == nil {
			r = &rootedCount{first: map[string]*rootedCount{}}
			a.rootLinks[top] = r
		}
		for i := range d.refs {
			if k := &d.refs[i]; strings.HasPrefix(k.ref, "/") && k.err == nil && r.all < maxRooted {
				a.countReference(d, k, r)
			}
		}
	}
}

func (a *auditor) countReference(d *document, k *reference, r *rootedCount) {
	t := a.locate(d, k)
	if !t.rooted || !t.inside || len(t.components) == 0 {
		return
	}
	first := r.first[t.components[0]]
	if first == nil {
		first = new(rootedCount)
		r.first[t.components[0]] = first
	}
	r.all, first.all = r.all+1, first.all+1
	if p := a.resolve(d, k, &t); p.kind == isMissing {
		r.missing, first.missing = r.missing+1, first.missing+1
	}
}

// isPublishedElsewhere returns why nobody knows whether there is what a reference leads to,
// "" if it is known that there is not: in a tree in which most references "/x" lead to
// nothing, those below an x that is as rarely found, and names without the suffix of a
// document that is there.
func (a *auditor) isPublishedElsewhere(d *document, t *target, p *place) string {
	if a.isStray(d, t, p) {
		return "a page of a site, in a document of none"
	}
	r := a.rootLinks[a.boundary(d)]
	if r == nil || d.layout.generated != nil || r.all < minRooted || !r.mostAreMissing() || len(t.components) == 0 {
		return ""
	}
	if t.rooted {
		if first := r.first[t.components[0]]; first == nil || first.mostAreMissing() {
			return `begins with "/", as most that lead to nothing in this tree: is --root missing?`
		}
	}
	dir, name := path.Split(p.path)
	if l := a.files.list(strings.TrimSuffix(dir, "/")); slices.ContainsFunc([]string{".md", ".html"}, func(ext string) bool {
		_, ok := l.entry(name + ext)
		return ok
	}) {
		return "a document without its suffix"
	}
	return ""
}
