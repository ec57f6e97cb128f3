package audit

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// A serving says how documents without a known generator are published.
type serving struct {
	roots    []string // absolute directories that "/x" leads into, before the root of the tree; nil means only that root
	suffixes []string // suffixes of files that URLs omit
	indexes  []string // files that stand for their directory; nil means the default of the server
	isNested bool     // x.md is served as x/, and its relative references resolve against that
	// isUnsuffixed says that relative links leave out suffixes, and hasUnknownNames that the names that they use are not
	// those of files, either. isFlat says that all documents are published in one directory.
	isUnsuffixed, hasUnknownNames, isFlat bool
	isLower                               bool // URLs are in lower case, as Hugo makes them

	prefix string // prefix of URL paths, with a slash at both ends; "" means none

	counts *rootedCount // of references "/x"; nil if not counted
}

const (
	minRooted = 10   // least number of references "/x" from which to infer a rule
	maxRooted = 5000 // distinct references "/x" that are examined in a tree
	maxDirs   = 8    // directories of a path that are examined
	maxRoots  = 3    // directories that "/x" may be found to lead into
	minVotes  = 50   // references needed to show where "/x" leads, if most lead elsewhere

	minSections = 3 // index pages with the name of Hugo from which to infer that it publishes the tree
	hugoIndex   = "_index.md"
)

// A rootedCount counts the references "/x" of a tree, and how many of them lead nowhere.
type rootedCount struct {
	all, missing int
	first        map[string]*rootedCount // by the first name in the path
	below        map[string]*rootedCount // by each directory on the path: "doc", "doc/tutorial"
}

// mostAreMissing reports whether more of the references lead nowhere than to a file.
func (r *rootedCount) mostAreMissing() bool { return 2*r.missing > r.all }

// isReliable reports whether hardly any reference leads nowhere. Those that do are then mistakes, not
// references to pages that are made elsewhere.
func (r *rootedCount) isReliable() bool { return 20*r.missing <= r.all }

// add counts n references by their path.
func (r *rootedCount) add(components []string, isMissing bool, n int) {
	r.addTo(r.first, components[0], isMissing, n)
	for i := range min(len(components)-1, maxDirs) {
		r.addTo(r.below, strings.Join(components[:i+1], "/"), isMissing, n)
	}
	r.all += n
	if isMissing {
		r.missing += n
	}
}

func (r *rootedCount) addTo(counts map[string]*rootedCount, name string, isMissing bool, n int) {
	c := counts[name]
	if c == nil {
		c = new(rootedCount)
		counts[name] = c
	}
	c.all += n
	if isMissing {
		c.missing += n
	}
}

// nearest returns the counts of the deepest directory on a path that enough references lead into.
func (r *rootedCount) nearest(components []string) *rootedCount {
	for i := min(len(components)-1, maxDirs); i > 0; i-- {
		if c := r.below[strings.Join(components[:i], "/")]; c != nil && c.all >= minRooted {
			return c
		}
	}
	return r.first[components[0]]
}

// servingOf returns how d is published, or nil if its generator is known.
func (a *auditor) servingOf(d *document) *serving {
	if d.layout.generated != nil {
		return nil
	}
	if s := a.servings[a.boundary(d)]; s != nil {
		return s
	}
	return &a.given
}

// mayNest reports whether x.md may be served as x/.
func (s *serving) mayNest() bool {
	return len(s.suffixes) > 0 || s.isNested || s.isUnsuffixed || s.counts != nil && s.counts.all >= minRooted && s.counts.mostAreMissing()
}

// givenServing returns the serving that Options describes.
func givenServing(o *Options) serving {
	s := serving{suffixes: o.Suffixes, indexes: o.Indexes}
	if o.Prefix != "" {
		s.prefix = "/" + strings.Trim(o.Prefix, "/") + "/"
		if s.prefix == "//" {
			s.prefix = "/"
		}
	}
	return s
}

// learn infers from references "/x" how trees of documents without a known generator are published.
// If an unknown program publishes them, most such references lead to pages that it makes, or to other
// parts of its host, and are not judged.
func (a *auditor) learn() {
	if a.sites.root != "" {
		return
	}
	rooted := map[string]*rootedPaths{} // by boundary
	for _, d := range a.docs {
		if d.layout.generated != nil {
			continue
		}
		top := a.boundary(d)
		refs := a.refsOf(d)
		for i := range refs {
			k := &refs[i]
			if !strings.HasPrefix(k.ref, "/") || k.err != nil {
				continue
			}
			if t := a.locate(d, k); t.rooted && t.inside && len(t.components) > 0 {
				if rooted[top] == nil {
					rooted[top] = &rootedPaths{index: map[string]int{}}
				}
				rooted[top].add(d, &t)
			}
		}
	}
	for _, top := range slices.Sorted(maps.Keys(rooted)) {
		a.learnTree(top, rooted[top].paths)
	}
	if len(a.layouts.finder.Sites()) > 0 || len(a.byName[hugoIndex]) >= minSections {
		a.learnNested()
	}
	a.learnUnsuffixed()
	a.learnLabels()
	a.learnCopied()
}

// A nestedCount counts the references "../x" of the Markdown documents of a tree that are no index pages.
type nestedCount struct {
	all      int
	nested   int // those that lead to a file only if x.md is served as x/
	plain    int // those that lead to a file only from the document; counted if there are sections
	sections int // index pages with the name of Hugo
}

// isOfHugo reports whether Hugo publishes the tree, by a configuration elsewhere.
func (c *nestedCount) isOfHugo() bool { return c.sections >= minSections && c.nested > c.plain }

// isRule reports whether x.md is served as x/.
func (c *nestedCount) isRule() bool {
	return c.isOfHugo() || c.nested >= minRooted && 2*c.nested >= c.all
}

// learnNested finds the trees of documents without a known generator that are written for pages with directories
// of their own: a program publishes them on a site. Most of their references "../x" lead to a file from there only.
func (a *auditor) learnNested() {
	counts := map[string]*nestedCount{} // by boundary
	hasSections := len(a.byName[hugoIndex]) >= minSections
	for _, d := range a.docs {
		if d.layout.generated != nil || !d.isMarkdown() {
			continue
		}
		c := counts[a.boundary(d)]
		if c == nil {
			c = new(nestedCount)
			counts[a.boundary(d)] = c
		}
		switch {
		case d.base() == hugoIndex:
			c.sections++
		case !isIndex(d.base()):
			a.countNested(c, d, hasSections)
		}
	}
	for top, c := range counts {
		if !c.isRule() {
			continue
		}
		s := a.given
		if a.servings[top] != nil {
			s = *a.servings[top]
		}
		s.isNested, s.isLower = true, c.isOfHugo()
		if s.suffixes == nil {
			s.suffixes, a.leavesOut = []string{".md"}, true // of pages like "../x/"
		}
		a.servings[top] = &s
	}
}

// countNested adds the references of a document.
func (a *auditor) countNested(c *nestedCount, d *document, hasSections bool) {
	refs := a.refsOf(d)
	for i := range refs {
		k := &refs[i]
		if !strings.HasPrefix(k.ref, "../") || k.err != nil || c.all > maxRooted {
			continue
		}
		t := a.locate(d, k)
		if !t.inside {
			continue
		}
		c.all++
		var here place
		if hasSections {
			here = a.resolveIn(d, t.roots[0], &t) // not as x/, even if that is possible
		} else {
			here = a.resolve(d, k, &t)
		}
		isFound := here.kind != isMissing
		if isFound && !hasSections {
			continue
		}
		p, ok := a.resolveServed(d, k)
		switch isServed := ok && p.kind != isMissing; {
		case isServed && !isFound:
			c.nested++
		case isFound && !isServed:
			c.plain++
		}
	}
}

// A rootedPath is the path of one or more references "/x".
type rootedPath struct {
	d          *document // the first with this path
	components []string
	n          int // references
}

// rootedPaths collects distinct paths.
type rootedPaths struct {
	paths []*rootedPath
	index map[string]int
}

func (r *rootedPaths) add(d *document, t *target) {
	p := strings.Join(t.components, "/")
	i, isKnown := r.index[p]
	if !isKnown {
		if len(r.paths) >= maxRooted {
			return
		}
		i = len(r.paths)
		r.index[p] = i
		r.paths = append(r.paths, &rootedPath{d: d, components: t.components})
	}
	r.paths[i].n++
}

// learnTree infers how the tree below a boundary is published.
func (a *auditor) learnTree(top string, paths []*rootedPath) {
	s := a.given
	a.servings[top] = &s
	a.count(&s, top, paths)
	if s.counts.all < minRooted || !s.counts.mostAreMissing() {
		return
	}
	roots, suffixes := a.learnRoots(top, paths)
	if roots == nil {
		return
	}
	learnt := a.given
	learnt.roots, learnt.suffixes = roots, suffixes
	a.servings[top] = &learnt
	a.count(&learnt, top, paths)
	a.leavesOut = a.leavesOut || len(suffixes) > 0
	l := Learnt{Suffixes: suffixes}
	for _, root := range roots {
		l.Roots = append(l.Roots, a.shown(root))
	}
	for _, first := range learnt.counts.first {
		if !first.mostAreMissing() {
			l.Links, l.Agree = l.Links+first.all, l.Agree+first.all-first.missing
		}
	}
	a.results.Learnt = append(a.results.Learnt, l)
}

// count sets how many references are found under s.
func (a *auditor) count(s *serving, top string, paths []*rootedPath) {
	s.counts = &rootedCount{first: map[string]*rootedCount{}, below: map[string]*rootedCount{}}
	for _, r := range paths {
		t := target{components: r.components, rooted: true, inside: true}
		t.roots = slices.Concat(s.roots, a.packages(r.d), a.appRoots(r.d))
		isFound := slices.ContainsFunc(t.roots, func(root string) bool { q := a.resolveIn(r.d, root, &t); return q.kind != isMissing })
		s.counts.add(r.components, !isFound && a.redirectOf(r.d, s, r.components) == "", r.n)
	}
}

// learntSuffixes lists the suffixes that sites omit from URLs.
var learntSuffixes = []string{".md", ".html", ".mdx", ".markdown", ".htm"}

// learnRoots returns the directories below which paths lead to a file, with or without one of the
// suffixes that it also returns. It returns nil if there are none for most paths whose first name
// exists.
func (a *auditor) learnRoots(top string, paths []*rootedPath) (roots, suffixes []string) {
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
		if best == "" || 2*votes[best] < rest && votes[best] < minVotes || votes[best] < minRooted || !a.leadsInto(best, top, paths, dirs) {
			break
		}
		roots = append(roots, best)
	}
	if roots != nil {
		suffixes = a.given.suffixes
		if suffixes == nil {
			suffixes = a.learnSuffixes(roots, paths)
		}
	}
	return roots, suffixes
}

// leadsInto reports whether most paths that begin with a name in the directory root lead into it.
func (a *auditor) leadsInto(root, top string, paths []*rootedPath, dirs map[string][]string) bool {
	l := a.files.list(root)
	there, found := 0, 0
	for _, r := range paths {
		first := r.components[0]
		if !slices.ContainsFunc(append([]string{""}, learntSuffixes...), func(suffix string) bool { _, ok := l.entry(first + suffix); return ok }) {
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
func (a *auditor) dirsByName() map[string][]string {
	dirs, seen := map[string][]string{}, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(a.byName)) {
		for _, p := range a.byName[name] {
			for dir := path.Dir(p); !seen[dir] && path.Dir(dir) != dir; dir = path.Dir(dir) {
				seen[dir] = true
				dirs[path.Base(dir)] = append(dirs[path.Base(dir)], dir)
			}
		}
	}
	return dirs
}

// rootsFor returns the directories below top in which a path leads to a file or directory.
func (a *auditor) rootsFor(top string, components []string, dirs map[string][]string) (roots []string) {
	const most = 100 // files of one name
	p, last := "/"+strings.Join(components, "/"), components[len(components)-1]
	add := func(paths []string, suffix string) {
		for _, found := range paths[:min(len(paths), most)] {
			if root, ok := strings.CutSuffix(found, p+suffix); ok && below(root, top) && !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
	}
	add(a.byName[last], "")
	add(dirs[last], "")
	suffixes := a.given.suffixes
	if suffixes == nil {
		suffixes = learntSuffixes
	}
	for _, suffix := range suffixes {
		add(a.byName[last+suffix], suffix)
	}
	return roots
}

// learnSuffixes returns the suffixes that references omit from file names.
func (a *auditor) learnSuffixes(roots []string, paths []*rootedPath) (suffixes []string) {
	seen := map[string]int{}
	for _, r := range paths {
		for _, root := range roots {
			for _, suffix := range learntSuffixes {
				at := append(slices.Clone(r.components[:len(r.components)-1]), r.components[len(r.components)-1]+suffix)
				if q := a.files.at(root, at); q.kind == isFile && !q.respel {
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

// isMadeByUnknown reports whether an unknown program makes the page of d. Such a program may list
// directories, and make ids by other rules.
func (a *auditor) isMadeByUnknown(d *document) bool {
	s := a.servingOf(d)
	return s != nil && (s.isUnsuffixed && !s.hasUnknownNames || slices.ContainsFunc(s.roots, func(root string) bool { return below(d.path, root) }))
}

// indexNames returns the names of files that stand for their directory.
func (s *serving) indexNames() []string {
	if s == nil {
		return nil
	}
	return s.indexes
}

// urlPath returns the URL path that leads to a file below a directory, in the style of written:
// without the suffix of the file if written has none.
func (s *serving) urlPath(rest, written string) string {
	if s == nil || path.Ext(written) != "" {
		return rest
	}
	for _, suffix := range s.suffixes {
		if stem, ok := strings.CutSuffix(rest, suffix); ok {
			return stem
		}
	}
	return rest
}

// redirectOf returns the base name of the file with a rule of the host for a path from the root, or "". Rules are at the top
// of the tree of d, in the directories that such paths lead into, or around them.
func (a *auditor) redirectOf(d *document, s *serving, components []string) string {
	top := a.boundary(d)
	dirs := []string{top, top + "/public", top + "/static"}
	for _, root := range s.roots {
		for _, dir := range []string{root, path.Dir(root)} {
			if below(dir, top) && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return a.layouts.finder.RedirectOf("/"+strings.Join(components, "/"), top, dirs)
}

// isPublishedElsewhere returns the reason why it is unknown whether the target of a reference exists,
// or "" if it is known not to exist. k is the reference. In a tree in which most references "/x" lead nowhere, this is
// unknown below a first name that is found as rarely, and for the name of an existing document
// without its suffix.
func (a *auditor) isPublishedElsewhere(d *document, k *reference, t *target, p *place) string {
	if a.isStray(d, t, p) {
		return "a page of a site, linked from a document of no site"
	}
	if a.isPartOfPage(d, t, p) {
		return "a piece of HTML that belongs to a page elsewhere"
	}
	s := a.servingOf(d)
	if t.rooted && s != nil {
		if file := a.redirectOf(d, s, t.components); file != "" {
			return "is redirected by " + file
		}
	}
	if s != nil && s.hasUnknownNames && isUnsuffixed(d, k) && isBare(k) {
		return "has no suffix, and most such links lead nowhere in this tree"
	}
	if d.isRST() && k.in == "include" && t.rooted && d.layout.generated == nil {
		return isOfSphinx.String()
	}
	if d.isRST() && k.in == "include" && !t.rooted && a.files.exists(path.Join(a.boundary(d), k.ref)) {
		return "relative to the directory where the program runs"
	}
	if t.rooted && (s == nil || s.roots == nil) || !t.rooted && isUnsuffixed(d, k) && isBare(k) && (s == nil || s.suffixes == nil) {
		if program := a.programOf(d); program != "" {
			return "code says where it is published: " + program
		}
	}
	if s != nil && s.isFlat {
		if why := a.isFlatName(k); why != "" {
			return why
		}
	}
	if s == nil || s.counts == nil || s.counts.all < minRooted || len(t.components) == 0 {
		return ""
	}
	components := t.components
	rel, isBelow := strings.CutPrefix(p.path, d.dir()+"/")
	isAtRoot := !t.rooted && isBelow && slices.Contains(s.roots, d.dir())
	if isAtRoot { // "x" is "/x" there
		components = strings.Split(rel, "/")
	}
	if t.rooted && (s.roots != nil || s.counts.mostAreMissing()) || isAtRoot {
		first := s.counts.first[components[0]]
		switch {
		case first != nil && (s.roots == nil && !first.mostAreMissing() || s.roots != nil && s.counts.nearest(components).isReliable()):
		case s.roots != nil && first != nil && !first.mostAreMissing():
			return "some pages below /" + components[0] + " have no source here"
		case s.roots != nil:
			return "no page is below /" + components[0]
		default:
			return `begins with "/", and most such links lead nowhere in this tree: is --root missing?`
		}
	}
	if !s.counts.mostAreMissing() && !(t.rooted && s.counts.all >= minRooted) {
		return ""
	}
	dir, name := path.Split(p.path)
	if l := a.files.list(strings.TrimSuffix(dir, "/")); slices.ContainsFunc([]string{".md", ".html"}, func(ext string) bool {
		_, ok := l.entry(strings.TrimSuffix(name, ".html") + ext)
		return ok
	}) {
		return "a document without its suffix"
	}
	return ""
}
