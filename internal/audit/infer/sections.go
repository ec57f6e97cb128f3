package infer

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/publish"
)

// What holds for most references "/x" of a tree need not hold for all: "/img/x" may be public/img/x, and
// "/extending/x" be docs/extending-docs/x.md, where all others are below docs. A section has the paths that
// begin with the same names.

// Limits of sections.
const (
	leastOfSection  = 4  // distinct paths from which to infer where those of a section lead
	deepestSection  = 3  // names that they begin with
	mostSections    = 64 // that are learnt in a tree
	mostOfOneChoice = 200
)

// A choice is where the paths of a section may lead: into a directory, or to documents by their public names.
type choice struct {
	naming
	isNamed bool
}

func (c choice) compare(other choice) int {
	return cmp.Or(cmp.Compare(boolInt(c.isNamed), boolInt(other.isNamed)), c.naming.compare(other.naming))
}

// learnSections infers where the paths that are missing under s point, by the names that they begin with,
// and adds that to s: first by one name, then by more, and again without what it has learnt. Nearly all
// paths of a section must agree.
func (a *Inference) learnSections(top string, s *publish.Serving, paths []*rootedPath, names []*publicNames) {
	const most = 3 // times
	l := &sectionLearner{a: a, top: top, s: s, names: names}
	for range most {
		isAny := false
		for depth := 1; depth <= deepestSection; depth++ {
			isAny = l.learnAt(depth, paths) || isAny
		}
		isAny = l.learnAlike(paths) || isAny
		if !isAny {
			return
		}
	}
}

// A sectionLearner infers where the sections of one tree lead.
type sectionLearner struct {
	a     *Inference
	top   string
	s     *publish.Serving
	names []*publicNames
	known []choice            // that sections lead by, whole paths
	dirs  map[string][]string // see dirsByName; nil if it has not been asked for yet
}

// missing returns the paths that point nowhere yet, by a number of names with which they begin.
func (l *sectionLearner) missing(depth int, paths []*rootedPath) map[string][]*rootedPath {
	sections := map[string][]*rootedPath{}
	for _, r := range paths {
		if len(r.components) > depth && !l.a.isFound(l.s, r) {
			section := strings.Join(r.components[:depth], "/")
			sections[section] = append(sections[section], r)
		}
	}
	return sections
}

// learnAt learns the sections with a number of names, and reports whether there are any.
func (l *sectionLearner) learnAt(depth int, paths []*rootedPath) (isAny bool) {
	sections := l.missing(depth, paths)
	for _, section := range slices.Sorted(maps.Keys(sections)) {
		_, isLearnt := l.s.Sections[section]
		if isLearnt || len(sections[section]) < leastOfSection || len(l.s.Sections) >= mostSections {
			continue
		}
		votes := l.votesOf(sections[section])
		best, isKnown := choice{}, false
		for c, n := range votes {
			if !isKnown || cmp.Or(cmp.Compare(n, votes[best]), best.compare(c)) > 0 {
				best, isKnown = c, true
			}
		}
		if votes[best] >= leastOfSection && 4*votes[best] >= 3*min(len(sections[section]), mostOfOneChoice) {
			l.take(section, best)
			isAny = true
		}
	}
	return isAny
}

// learnAlike learns the sections of names with few known paths, most of which point to the same place as
// those of another section.
func (l *sectionLearner) learnAlike(paths []*rootedPath) (isAny bool) {
	if len(l.known) == 0 {
		return false
	}
	sections := l.missing(1, paths)
	for _, section := range slices.Sorted(maps.Keys(sections)) {
		if _, isKnown := l.s.Sections[section]; isKnown || len(l.s.Sections) >= mostSections {
			continue
		}
		votes := l.votesOf(sections[section])
		for _, c := range l.known {
			if 2*votes[c] > min(len(sections[section]), mostOfOneChoice) {
				l.take(section, c)
				isAny = true
				break
			}
		}
	}
	return isAny
}

// take adds the section that leads by c.
func (l *sectionLearner) take(section string, c choice) {
	if l.s.Sections == nil {
		l.s.Sections = map[string]publish.Section{}
	}
	l.s.Sections[section] = publish.Section{
		Root: c.root, IsNamed: c.isNamed, Dir: path.Join(c.root, strings.TrimPrefix(section+"/", c.prefix)),
	}
	if c.isNamed {
		l.names[boolInt(c.dropsSorted)].addTo(l.s, l.top, c.naming, section)
	}
	if c.prefix == "" && !slices.Contains(l.known, c) {
		l.known = append(l.known, c)
	}
}

// votesOf returns where the first paths of a section lead, and how many of them.
func (l *sectionLearner) votesOf(paths []*rootedPath) map[choice]int {
	if l.dirs == nil {
		l.dirs = l.a.dirsByName()
	}
	votes := map[choice]int{}
	for _, r := range paths[:min(len(paths), mostOfOneChoice)] {
		seen := map[choice]bool{}
		add := func(c choice) {
			if !seen[c] {
				seen[c] = true
				votes[c]++
			}
		}
		for _, root := range l.a.rootsWith(l.top, r.components, l.dirs, nil) {
			add(choice{naming: naming{root: root}})
		}
		for _, p := range l.names {
			p.vote(l.top, r.components, func(n naming) { add(choice{n, true}) })
		}
	}
	return votes
}
