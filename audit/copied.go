package audit

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
)

// learnCopied finds directories that a program makes beside the documents that it publishes: nearly all that is in a
// directory that is not there is in one of that name elsewhere in the tree, if it is images, or is at the top of the tree.
// Where nothing else shows that a program publishes the tree, the references are dead: people copy documents.
func (a *auditor) learnCopied() {
	missing := map[string]*rootedPaths{} // by the directory that is not there
	for _, d := range a.docs {
		if d.layout.generated != nil || !d.isMarkdown() || !a.servingOf(d).isOfProgram() {
			continue
		}
		refs := a.refsOf(d)
		for i := range refs {
			k := &refs[i]
			if k.err != nil || strings.HasPrefix(k.ref, "/") || strings.HasPrefix(k.ref, ".") || !strings.Contains(k.ref, "/") {
				continue
			}
			t := a.locate(d, k)
			dir, components := missingDir(d, &t)
			if dir == "" || a.files.exists(dir) {
				continue
			}
			if k.kind != scan.Embed {
				dir += linked
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
		a.learnCopiedDir(dir, missing[dir].paths, byName)
	}
}

// linked is behind the key of a directory that links lead into.
const linked = "\x00"

// learnCopiedDir learns what a directory that is not there is a copy of, from the paths that lead into it.
func (a *auditor) learnCopiedDir(dir string, paths []*rootedPath, byName map[string][]string) {
	areMost := func(n int) bool { return n >= minRooted && 10*n >= 9*len(paths) }
	dir, isLinked := strings.CutSuffix(dir, linked)
	top, atTop, votes := a.boundary(paths[0].d), 0, map[string]int{}
	for _, r := range paths {
		if a.files.exists(path.Join(top, path.Join(r.components[1:]...))) {
			atTop++
		}
		if !isLinked {
			for _, root := range a.rootsFor(top, r.components, byName) {
				votes[root]++
			}
		}
	}
	from, most := "", 0
	for root, n := range votes {
		if areMost(n) && (n > most || n == most && root < from) {
			from, most = root, n
		}
	}
	switch {
	case from != "":
		a.copied[dir] = from + "/" + path.Base(dir)
	case areMost(atTop):
		a.copied[dir] = top
	}
}

// isOfProgram reports whether the tree shows that a program publishes it.
func (s *serving) isOfProgram() bool {
	return s != nil && (s.roots != nil || s.isNested || s.isUnsuffixed)
}

// missingDir returns the first directory below that of d on the path of a relative reference, and the names on the path
// from it on. The directory is "" if the reference leads elsewhere.
func missingDir(d *document, t *target) (dir string, components []string) {
	if t.rooted || !t.inside || len(t.roots) == 0 {
		return "", nil
	}
	rest, ok := strings.CutPrefix(t.roots[0]+"/"+strings.Join(t.components, "/"), d.dir()+"/")
	components = strings.Split(rest, "/")
	if !ok || len(components) < 2 {
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
	to.components = components[1:]
	return a.resolveIn(d, from, &to), true
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
