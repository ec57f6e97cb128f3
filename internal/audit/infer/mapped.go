package infer

import (
	"maps"
	"slices"
	"strings"

	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/site"
)

// learnMappings finds directories of a site whose pages are one level lower than the references "/x" say:
// /docs/a is missing, and /docs/v3/a is a page. A build or the host may have them in both places. missing
// holds the missing URLs below the base, with the number of references.
func (l *made) learnMappings(s *site.Site, missing map[string]int) {
	lower := map[string][]string{}                        // names left out of the URLs of pages, by what is left and the length of what is before it
	for _, u := range slices.Sorted(maps.Keys(s.ByURL)) { // in order: not all names of one key are kept
		for at, name := range namesOf(u) {
			rest, isDir := strings.CutPrefix(u[at+len(name):], "/")
			if key := mappingKey(u[:at]+rest, at); isDir && len(lower[key]) < publish.MaxDirs {
				lower[key] = append(lower[key], name)
			}
		}
	}
	type mapping struct{ dir, name string }
	votes, all := map[mapping]*publish.MadeCount{}, map[string]int{}
	for u, n := range missing {
		for at := range namesOf(u) {
			dir := u[:at]
			all[dir] += n
			for _, name := range lower[mappingKey(u, at)] {
				c := votes[mapping{dir, name}]
				if c == nil {
					c = new(publish.MadeCount)
					votes[mapping{dir, name}] = c
				}
				c.Missing += n
				c.Pages++
			}
		}
	}
	for m, c := range votes {
		c.All = all[m.dir]
		old, isOther := l.a.Mapped[s][m.dir]
		if !c.IsMapping() || isOther && (old.Links > c.Missing || old.Links == c.Missing && old.Name > m.name) {
			continue
		}
		if l.a.Mapped[s] == nil {
			l.a.Mapped[s] = map[string]lead.Mapping{}
		}
		l.a.Mapped[s][m.dir] = lead.Mapping{Name: m.name, Links: c.Missing}
	}
}

// namesOf yields the names in a URL path and where they begin, at most those of publish.MaxDirs directories.
func namesOf(u string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for at, n := 1, 0; at < len(u) && n < publish.MaxDirs; n++ {
			name, _, _ := strings.Cut(u[at:], "/")
			if !yield(at, name) {
				return
			}
			at += len(name) + 1
		}
	}
}

// mappingKey is a URL, with or without a slash at its end, and a position in it.
func mappingKey(u string, at int) string {
	return strings.TrimSuffix(u, "/") + string(rune(at))
}
