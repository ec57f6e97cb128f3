package sphinx

import (
	"path"
	"strings"

	"example.org/refract/internal/lazy"
	"example.org/refract/internal/site"
	"example.org/refract/internal/site/source"
)

// isMistake reports whether a name without a module, as the destination of a link of MyST that is no label
// of the project, is unlikely to be an object. No program of the tree has it as a word, and it is not a
// label of another project, as in :ref:.
func isMistake(g *model, s *site.Site, name string) bool {
	name = strings.TrimSuffix(name, "()")
	if strings.Contains(name, ".") || isBuiltin(name) || !g.readPrograms(s).lacksWord(name) {
		return false
	}
	if !g.hasInventory && !g.others {
		return true
	}
	key, others := site.LabelName(name), g.readOthers(s)
	return !others.lists('l', key) && (!others.has('l', key) || isMisspelled(g, key) || isOfFamily(g, key) || usesOnlyOwnNames(g, s))
}

// isLabelElsewhere reports whether a known inventory has a label, or if not all are known, whether one may
// have it: a word alone.
func isLabelElsewhere(g *model, s *site.Site, name string) bool {
	key := site.LabelName(name)
	if !g.hasIntersphinx {
		return false
	}
	others := g.readOthers(s)
	return others.lists('l', key) || !strings.ContainsAny(key, "-:/ ") && !isMisspelled(g, key) && others.has('l', key)
}

// leftOut knows which documents people read where the repository is shown.
type leftOut struct{}

// IsInPlace reports whether a file is Markdown that exclude_patterns names and no page includes: notes for
// developers. A file whose name or directory begins with an underscore may still be a piece of pages.
func (leftOut) IsInPlace(s *site.Site, file string) bool {
	m := s.MountOf(file)
	return m != nil && m.Why == excludePatterns && path.Ext(file) == ".md" && !strings.Contains(strings.TrimPrefix(file, m.Dir), "/_") && len(s.IncludedBy[file]) == 0
}

// plainLink matches a link of Markdown to a name without a module.
var plainLink = lazy.New(`\]\(([A-Za-z_]\w*)\)`)

// usesOnlyOwnNames is like usesOnlyOwn, for the names in links of MyST.
func usesOnlyOwnNames(g *model, s *site.Site) bool {
	const least, most = 20, 40 // links to own labels; of them for each other one
	return g.onlyOwnNames.Get(func() bool {
		own, others := 0, 0
		for p := range s.Pages {
			if path.Ext(p.File) != ".md" {
				continue
			}
			for m := range source.MatchesIn(s.Tree.ReadPage(p.File), plainLink, "](") {
				key := site.LabelName(string(m[1]))
				switch {
				case g.labels[key]:
					own++
				case g.readPrograms(s).lacksWord(string(m[1])) && !g.readOthers(s).lists('l', key) && !s.Tree.IsFile(path.Join(path.Dir(p.File), string(m[1])+".md")):
					others++
				}
			}
		}
		return own >= least && others*most <= own+most
	})
}
