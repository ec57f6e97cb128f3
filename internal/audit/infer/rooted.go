package infer

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
)

const maxRooted = 5000 // distinct references "/x" that are examined in a tree

const maxRoots = 3 // directories that "/x" may be found to point into

const minVotes = 50 // references needed to show where "/x" leads, if most lead elsewhere

// rooted infers from references "/x" how trees of documents without a known generator are published. If an
// unknown program publishes them, most such references point to pages that it makes, or to other parts of
// its host, and are not checked.
type rooted struct {
	a     *Inference
	paths map[string]*rootedPaths // by boundary
}

func (l *rooted) takes(d *doc.Document) bool { return d.Layout.Generated == nil }

func (l *rooted) see(d *doc.Document, ref *doc.Reference) {
	if !strings.HasPrefix(ref.Ref, "/") {
		return
	}
	if t, ok := l.a.Aim(d, ref); ok && t.Rooted && t.Inside && len(t.Components) > 0 {
		pathsAt(l.paths, l.a.Boundary(d)).add(d, t.Components)
	}
}

func (l *rooted) learn() {
	for _, top := range slices.Sorted(maps.Keys(l.paths)) {
		l.a.learnTree(top, l.paths[top].paths)
	}
}

// A rootedPath is the path of one or more references "/x".
type rootedPath struct {
	d          *doc.Document // the first with this path
	components []string
	n          int // references
}

// rootedPaths collects distinct paths.
type rootedPaths struct {
	paths []*rootedPath
	index map[string]int
}

func (r *rootedPaths) add(d *doc.Document, components []string) {
	p := strings.Join(components, "/")
	i, isKnown := r.index[p]
	if !isKnown {
		if len(r.paths) >= maxRooted {
			return
		}
		i = len(r.paths)
		r.index[p] = i
		r.paths = append(r.paths, &rootedPath{d: d, components: components})
	}
	r.paths[i].n++
}

// pathsAt returns the paths of a key, which it adds if necessary.
func pathsAt(all map[string]*rootedPaths, key string) *rootedPaths {
	if all[key] == nil {
		all[key] = &rootedPaths{index: map[string]int{}}
	}
	return all[key]
}

// learnTree infers how the tree below a boundary is published.
func (a *Inference) learnTree(top string, paths []*rootedPath) {
	s := a.Given
	a.Servings[top] = &s
	a.count(&s, paths)
	if s.Counts.All < publish.MinRooted || s.Counts.Missing < leastOfSection {
		return
	}
	learnt := a.Given
	a.Servings[top] = &learnt
	names := []*publicNames{a.nameDocuments(top, false), a.nameDocuments(top, true)}
	if s.Counts.MostAreMissing() {
		learnt.Roots, learnt.Suffixes = a.learnRoots(top, paths)
		a.learnNames(top, &learnt, paths, names)
	}
	isWhole := learnt.Roots != nil
	before := learnt
	a.learnSections(top, &learnt, paths, names)
	if !learnt.IsLearnt() {
		a.Servings[top] = &s
		return
	}
	a.count(&learnt, paths)
	if isWhole {
		a.addRule(&learnt, before.Files != nil)
	}
	a.addSections(&learnt)
}

// addRule adds the rule for all references of a tree.
func (a *Inference) addRule(s *publish.Serving, isByName bool) {
	l := Rule{Suffixes: s.Suffixes, ByName: isByName}
	for _, root := range s.Roots {
		l.Roots = append(l.Roots, a.Shown(root))
	}
	for first, c := range s.Counts.Below {
		if !strings.Contains(first, "/") && !c.MostAreMissing() {
			l.Links, l.Agree = l.Links+c.All, l.Agree+c.All-c.Missing
		}
	}
	a.Rules = append(a.Rules, l)
}

// addSections adds the rules for sections.
func (a *Inference) addSections(s *publish.Serving) {
	for _, section := range slices.Sorted(maps.Keys(s.Sections)) {
		c, by := s.Counts.Below[section], s.Sections[section]
		a.Rules = append(a.Rules, Rule{
			Below: "/" + section, Roots: []string{a.Shown(by.Dir)}, ByName: by.IsNamed, Agree: c.All - c.Missing, Links: c.All,
		})
	}
}

// count sets how many references are found under s.
func (a *Inference) count(s *publish.Serving, paths []*rootedPath) {
	s.Counts = &publish.RootedCount{Below: map[string]*publish.RootedCount{}}
	for _, r := range paths {
		s.Counts.Add(r.components, !a.isFound(s, r) && a.RedirectOf(r.d, s, r.components) == "", r.n)
	}
}

// isFound reports whether a path points to something under s.
func (a *Inference) isFound(s *publish.Serving, r *rootedPath) bool {
	t := lead.Target{Components: r.components, Rooted: true, Inside: true}
	t.Roots = slices.Concat(s.RootsOf(r.components), a.Packages(r.d), a.AppRoots(r.d))
	if slices.ContainsFunc(t.Roots, func(root string) bool { q := a.ResolveIn(r.d, root, &t); return q.Kind != tree.IsMissing }) || s.FileAt(r.components) != "" {
		return true
	}
	_, isOnProgram := a.OnProgram(r.d, r.components)
	return isOnProgram
}

// learntSuffixes lists the suffixes that sites omit from URLs.
var learntSuffixes = []string{".md", ".html", ".mdx", ".markdown", ".htm"}

// learnRoots returns the directories below which paths resolve to a file, with or without one of the
// suffixes that it also returns. It returns nil if there are none for most paths whose first name exists.
func (a *Inference) learnRoots(top string, paths []*rootedPath) (roots, suffixes []string) {
	dirs := a.dirsByName()
	for len(roots) < maxRoots {
		votes, rest := map[string]int{}, 0
		for _, r := range paths {
			found := a.rootsFor(top, r.components, dirs)
			if slices.ContainsFunc(found, func(dir string) bool { return dir == top || slices.Contains(roots, dir) }) {
				continue
			}
			rest += r.n
			for _, dir := range found {
				votes[dir] += r.n
			}
		}
		best := ""
		for dir, n := range votes {
			if best == "" || cmp.Or(cmp.Compare(n, votes[best]), cmp.Compare(len(best), len(dir)), cmp.Compare(best, dir)) > 0 {
				best = dir
			}
		}
		if best == "" || 2*votes[best] < rest && votes[best] < minVotes || votes[best] < publish.MinRooted || !a.leadsInto(best, top, paths, dirs) {
			break
		}
		roots = append(roots, best)
	}
	if roots != nil {
		suffixes = a.Given.Suffixes
		if suffixes == nil {
			suffixes = a.learnSuffixes(roots, paths)
		}
	}
	return roots, suffixes
}

// leadsInto reports whether most paths that begin with a name in the directory root point into it.
func (a *Inference) leadsInto(root, top string, paths []*rootedPath, dirs map[string][]string) bool {
	l := a.Files.List(root)
	there, found := 0, 0
	for _, r := range paths {
		first := r.components[0]
		if !slices.ContainsFunc(append([]string{""}, learntSuffixes...), func(suffix string) bool { _, ok := l.Entry(first + suffix); return ok }) {
			continue
		}
		there += r.n
		if slices.Contains(a.rootsFor(top, r.components, dirs), root) {
			found += r.n
		}
	}
	return 4*found >= 3*there
}

// dirsByName returns the directories of the tree that hold files, by the last name in their path.
func (a *Inference) dirsByName() map[string][]string {
	dirs, seen := map[string][]string{}, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(a.ByName)) {
		for _, p := range a.ByName[name] {
			for dir := path.Dir(p); !seen[dir] && path.Dir(dir) != dir; dir = path.Dir(dir) {
				seen[dir] = true
				dirs[path.Base(dir)] = append(dirs[path.Base(dir)], dir)
			}
		}
	}
	return dirs
}

// rootsFor returns the directories below top in which a path points to a file or directory, with or without a suffix.
func (a *Inference) rootsFor(top string, components []string, dirs map[string][]string) (roots []string) {
	suffixes := a.Given.Suffixes
	if suffixes == nil {
		suffixes = learntSuffixes
	}
	return a.rootsWith(top, components, dirs, suffixes)
}

// rootsWith is rootsFor with some suffixes.
func (a *Inference) rootsWith(top string, components []string, dirs map[string][]string, suffixes []string) (roots []string) {
	const most = 100 // files of one name
	p, last := "/"+strings.Join(components, "/"), components[len(components)-1]
	add := func(paths []string, suffix string) {
		for _, found := range paths[:min(len(paths), most)] {
			if root, ok := strings.CutSuffix(found, p+suffix); ok && tree.Below(root, top) && !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
	}
	add(a.ByName[last], "")
	add(dirs[last], "")
	for _, suffix := range suffixes {
		add(a.ByName[last+suffix], suffix)
	}
	return roots
}

// learnSuffixes returns the suffixes that references omit from file names.
func (a *Inference) learnSuffixes(roots []string, paths []*rootedPath) (suffixes []string) {
	seen := map[string]int{}
	for _, r := range paths {
		for _, root := range roots {
			for _, suffix := range learntSuffixes {
				at := append(slices.Clone(r.components[:len(r.components)-1]), r.components[len(r.components)-1]+suffix)
				if q := a.Files.At(root, at); q.Kind == tree.IsFile && !q.Respel {
					seen[suffix] += r.n
				}
			}
		}
	}
	for _, suffix := range learntSuffixes {
		if seen[suffix] > 1 {
			suffixes = append(suffixes, suffix)
		}
	}
	return suffixes
}
