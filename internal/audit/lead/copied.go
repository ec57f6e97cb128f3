package lead

import (
	"path"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
)

// MissingDir returns the first missing directory below that of d on the path of a relative reference, and
// the names on the path from it on. The directory is "" if the reference points elsewhere.
func MissingDir(d *doc.Document, t *Target) (dir string, components []string) {
	if t.Rooted || !t.Inside || len(t.Roots) == 0 {
		return "", nil
	}
	rest, ok := strings.CutPrefix(t.Roots[0]+"/"+strings.Join(t.Components, "/"), d.Dir()+"/")
	components = strings.Split(rest, "/")
	if !ok || len(components) < 2 {
		return "", nil
	}
	return d.Dir() + "/" + components[0], components
}

// resolveCopied returns the place in the directory that a build copies where t leads. ok is false if t points into none.
func (a *World) resolveCopied(d *doc.Document, t *Target) (p tree.Place, ok bool) {
	if len(a.Copied) == 0 {
		return tree.Place{}, false
	}
	dir, components := MissingDir(d, t)
	from, ok := a.Copied[dir]
	if !ok {
		return tree.Place{}, false
	}
	to := *t
	to.Components = components[1:]
	return a.ResolveIn(d, from, &to), true
}

// resolveFromRoot resolves "/x", which is broken from the top of a tree in which links leave out suffixes,
// from the directories that d is in. One of them may be the root of the site.
func (a *World) resolveFromRoot(d *doc.Document, t *Target) (p tree.Place, ok bool) {
	top := a.Boundary(d)
	for dir := d.Dir(); dir != top && tree.Below(dir, top) && path.Dir(dir) != dir; dir = path.Dir(dir) {
		if p := a.ResolveIn(d, dir, t); p.Kind == tree.IsFile && !p.Respel {
			return p, true
		}
	}
	return tree.Place{}, false
}
