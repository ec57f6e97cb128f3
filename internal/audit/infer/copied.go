package infer

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
)

// copied finds directories that a program makes beside the documents that it publishes. Nearly all files
// that links expect in a missing directory are then in a directory of that name elsewhere in the tree,
// which contains images or is at the top of the tree. If nothing else shows that a program publishes the
// tree, the references are broken: people copy documents.
type copied struct {
	a       *Inference
	missing map[string]*rootedPaths // by the directory that is not there
}

func (l *copied) takes(d *doc.Document) bool { return isPlain(d) && l.a.ServingOf(d).IsOfProgram() }

func (l *copied) see(d *doc.Document, ref *doc.Reference) {
	if strings.HasPrefix(ref.Ref, "/") || strings.HasPrefix(ref.Ref, ".") || !strings.Contains(ref.Ref, "/") {
		return
	}
	t, ok := l.a.Aim(d, ref)
	if !ok {
		return
	}
	dir, components := lead.MissingDir(d, &t)
	if dir == "" || l.a.Files.Exists(dir) {
		return
	}
	if ref.Kind != scan.Embed {
		dir += linked
	}
	pathsAt(l.missing, dir).add(d, components)
}

func (l *copied) learn() {
	if len(l.missing) == 0 {
		return
	}
	byName := l.a.dirsByName()
	for _, dir := range slices.Sorted(maps.Keys(l.missing)) {
		l.a.learnCopiedDir(dir, l.missing[dir].paths, byName)
	}
}

// linked is behind the key of a directory that links point into.
const linked = "\x00"

// learnCopiedDir learns what a directory that is not there is a copy of, from the paths that point into it.
func (a *Inference) learnCopiedDir(dir string, paths []*rootedPath, byName map[string][]string) {
	areMost := func(n int) bool { return n >= publish.MinRooted && 10*n >= 9*len(paths) }
	dir, isLinked := strings.CutSuffix(dir, linked)
	top, atTop, votes := a.Boundary(paths[0].d), 0, map[string]int{}
	for _, r := range paths {
		if a.Files.Exists(path.Join(top, path.Join(r.components[1:]...))) {
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
		a.Copied[dir] = from + "/" + path.Base(dir)
	case areMost(atTop):
		a.Copied[dir] = top
	}
}
