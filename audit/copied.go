package audit

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
)

// learnCopied finds directories that a build copies beside the documents: images in a directory that is not there, nearly
// all of which are in one directory of that name elsewhere in the tree.
func (a *auditor) learnCopied() {
	missing := map[string]*rootedPaths{} // by the directory that is not there
	for _, d := range a.docs {
		if d.layout.generated != nil || !d.isMarkdown() {
			continue
		}
		refs := a.refsOf(d)
		for i := range refs {
			k := &refs[i]
			if k.kind != scan.Embed || k.err != nil || strings.HasPrefix(k.ref, "/") || strings.HasPrefix(k.ref, ".") || !strings.Contains(k.ref, "/") {
				continue
			}
			t := a.locate(d, k)
			dir, components := missingDir(d, &t)
			if dir == "" || a.files.exists(dir) {
				continue
			}
			if missing[dir] == nil {
				missing[dir] = &rootedPaths{index: map[string]int{}}
			}
			missing[dir].add(d, &target{components: components})
		}
	}
	if len(missing) == 0 {
		return
	}
	byName := a.dirsByName()
	for _, dir := range slices.Sorted(maps.Keys(missing)) {
		votes, all := map[string]int{}, len(missing[dir].paths)
		for _, r := range missing[dir].paths {
			for _, root := range a.rootsFor(a.boundary(r.d), r.components, byName) {
				votes[root]++
			}
		}
		for _, root := range slices.Sorted(maps.Keys(votes)) {
			if votes[root] >= minRooted && 10*votes[root] >= 9*all && votes[root] > votes[path.Dir(a.copied[dir])] {
				a.copied[dir] = root + "/" + path.Base(dir)
			}
		}
	}
}

// missingDir returns the first directory below that of d on the path of a relative reference, and the names on the path
// from it on. The directory is "" if the reference leads elsewhere.
func missingDir(d *document, t *target) (dir string, components []string) {
	if t.rooted || !t.inside || len(t.roots) == 0 {
		return "", nil
	}
	rest, ok := strings.CutPrefix(t.roots[0]+"/"+strings.Join(t.components, "/"), d.dir()+"/")
	if components = strings.Split(rest, "/"); !ok || len(components) < 2 {
		return "", nil
	}
	return d.dir() + "/" + components[0], components
}

// resolveCopied returns the place in the directory that a build copies where t leads. ok is false if t leads into none.
func (a *auditor) resolveCopied(d *document, t *target) (p place, ok bool) {
	dir, components := missingDir(d, t)
	from, ok := a.copied[dir]
	if !ok {
		return place{}, false
	}
	to := *t
	to.components = components
	return a.resolveIn(d, path.Dir(from), &to), true
}

// resolveFromRoot resolves "/x", which leads nowhere from the top of a tree in which links leave out suffixes, from the
// directories that d is in: one of them may be the root of the site.
func (a *auditor) resolveFromRoot(d *document, t *target) (p place, ok bool) {
	top := a.boundary(d)
	for dir := d.dir(); dir != top && below(dir, top); dir = path.Dir(dir) {
		if p := a.resolveIn(d, dir, t); p.kind == isFile && !p.respel {
			return p, true
		}
	}
	return place{}, false
}
