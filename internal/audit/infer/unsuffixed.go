package infer

import (
	"maps"
	"path"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
)

// An unsuffixedCount counts the relative links of the Markdown documents of a tree to names without a suffix, or with
// ".html".
type unsuffixedCount struct {
	seen                 int
	all, missing         int
	allBare, missingBare int            // those without ".html"
	found                map[string]int // of the missing, those that lead to a file once a suffix is added, by suffix
	flat                 int            // those with the name of one document anywhere in the tree
}

// isRule reports whether most such links lead nowhere as they are: an unknown program publishes the documents under
// other names than those of their files.
func (c *unsuffixedCount) isRule() bool { return areMost(c.missing, c.all) }

// knowsNames reports whether nearly all names without a suffix lead somewhere, although code may say where: a missing one is a mistake.
func (c *unsuffixedCount) knowsNames() bool {
	const least, share = 20, 10 // found, for each that is missing
	found := c.allBare - c.missingBare
	return found >= least && c.missingBare*share <= found
}

func areMost(missing, all int) bool { return missing >= publish.MinRooted && 2*missing > all }

// suffixes returns the suffixes that links leave out, if that explains most of them.
func (c *unsuffixedCount) suffixes() (suffixes []string) {
	n := 0
	for _, suffix := range learntSuffixes {
		if c.found[suffix] > 1 {
			suffixes = append(suffixes, suffix)
			n += c.found[suffix]
		}
	}
	if n < publish.MinRooted || 2*n < c.missing {
		return nil
	}
	return suffixes
}

// unsuffixed finds the trees of documents without a known generator in which links leave out suffixes.
type unsuffixed struct {
	*Inference
	counts map[string]*unsuffixedCount // by boundary
}

func (l *unsuffixed) takes(d *doc.Document) bool { return isPlain(d) }

func (l *unsuffixed) see(d *doc.Document, k *doc.Reference) {
	if !lead.IsUnsuffixed(d, k) {
		return
	}
	top := l.Boundary(d)
	c := l.counts[top]
	if c == nil {
		c = &unsuffixedCount{found: map[string]int{}}
		l.counts[top] = c
	}
	p, ok := l.findUnsuffixed(d, k, c)
	if !ok {
		return
	}
	missing, bare := 0, 0
	if p.Kind == tree.IsMissing {
		missing = 1
	}
	if lead.IsBare(k) {
		bare = 1
	}
	c.all, c.missing = c.all+1, c.missing+missing
	c.allBare, c.missingBare = c.allBare+bare, c.missingBare+bare*missing
}

// findUnsuffixed returns where k leads, unless enough references have been seen in the tree.
func (l *unsuffixed) findUnsuffixed(d *doc.Document, k *doc.Reference, c *unsuffixedCount) (p tree.Place, ok bool) {
	if c.seen > maxRooted {
		return p, false
	}
	t, ok := l.Aim(d, k)
	if !ok {
		return p, false
	}
	c.seen++
	if !t.Inside {
		return p, false
	}
	return l.Find(d, k, &t), true
}

func (l *unsuffixed) learn() {
	for top, c := range l.counts {
		if c.knowsNames() {
			l.servingFor(top).KnowsNames = true
		}
	}
	maps.DeleteFunc(l.counts, func(top string, c *unsuffixedCount) bool {
		s := l.Servings[top]
		return !c.isRule() || l.Given.Suffixes != nil || s != nil && s.Suffixes != nil
	})
	for top, c := range l.counts {
		s := l.servingFor(top)
		s.Suffixes, s.IsUnsuffixed = learntSuffixes, true
		c.seen = 0
	}
}

// isAny reports whether there is such a tree. What explains its links is still to be found.
func (l *unsuffixed) isAny() bool { return len(l.counts) > 0 }

// explanations looks at such trees again, for what the links leave out.
type explanations struct{ *unsuffixed }

func (l *explanations) takes(d *doc.Document) bool {
	return isPlain(d) && l.counts[l.Boundary(d)] != nil
}

func (l *explanations) see(d *doc.Document, k *doc.Reference) {
	if !lead.IsUnsuffixed(d, k) {
		return
	}
	c := l.counts[l.Boundary(d)]
	p, ok := l.findUnsuffixed(d, k, c)
	if !ok {
		return
	}
	if p.Kind == tree.IsFile {
		c.found[path.Ext(p.Path)]++
	}
	if len(l.FlatSources(k)) == 1 {
		c.flat++
	}
}

func (l *explanations) learn() {
	for top, c := range l.counts {
		s := l.Servings[top]
		s.Suffixes = c.suffixes()
		s.IsFlat = areMost(c.flat, c.missing) && (s.Suffixes == nil || c.flat > c.found[s.Suffixes[0]])
		s.IsUnsuffixed = s.Suffixes != nil || s.IsFlat
	}
}
