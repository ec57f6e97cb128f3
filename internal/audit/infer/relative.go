package infer

import (
	"path"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
)

// leastFlat is the least number of links "x.md" to names of documents in other directories from which to
// infer that a program publishes all in one. Without a suffix, publish.MinRooted are enough: no file has
// such a name.
const leastFlat = 20

// A relativeCount counts the relative links of one form in the Markdown documents of a tree.
type relativeCount struct {
	all     int
	missing int            // those that point to nothing
	found   map[string]int // of these, those that point to a file with a suffix, by suffix
	named   int            // and those with the name of one document anywhere in the tree
}

func (c *relativeCount) mostAreMissing() bool { return isMost(c.missing, c.all) }

func isMost(n, all int) bool { return n >= publish.MinRooted && 2*n > all }

// suffixes returns the suffixes that links leave out, if that explains half of those that point to nothing.
func (c *relativeCount) suffixes() (suffixes []string) {
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

// A relativeCounts has the counts of a tree, by form.
type relativeCounts struct {
	seen int
	bare relativeCount // "x"
	page relativeCount // "x" and "x.html"
	md   relativeCount // "x.md" without a directory
}

// relative finds the trees of documents without a known generator in which most relative links without the
// suffix of the file are broken. A program publishes the documents under other names, or all in one
// directory. It also finds trees in which a quarter of the links "x.md" are broken, three quarters of which
// have the name of one document.
type relative struct {
	a      *Inference
	counts map[string]*relativeCounts // by boundary
}

func (l *relative) takes(d *doc.Document) bool { return isPlain(d) }

func (l *relative) see(d *doc.Document, ref *doc.Reference) {
	text := ref.Ref[:lead.PathLength(ref.Ref)]
	isFile := path.Ext(text) == ".md" && !strings.ContainsAny(text, "/:") && text[0] != '.'
	if !isFile && !lead.IsUnsuffixed(d, ref) {
		return
	}
	top := l.a.Boundary(d)
	c := l.counts[top]
	if c == nil {
		c = new(relativeCounts)
		l.counts[top] = c
	}
	if c.seen++; c.seen > maxRooted {
		return
	}
	t, ok := l.a.Aim(d, ref)
	if !ok || !t.Inside {
		return
	}
	p := l.a.Find(d, ref, &t)
	isMissing := p.Kind == tree.IsMissing
	isNamed := isMissing && len(l.a.FlatSources(ref)) == 1
	if isFile {
		c.md.add(isMissing, isNamed, "")
		return
	}
	suffix := ""
	if isMissing {
		suffix = l.leftOut(d, ref, &t, top)
	}
	c.page.add(isMissing, isNamed, suffix)
	if lead.IsBare(ref) {
		c.bare.add(isMissing, isNamed, suffix)
	}
}

// add counts a link.
func (c *relativeCount) add(isMissing, isNamed bool, suffix string) {
	c.all++
	if isMissing {
		c.missing++
	}
	if isNamed {
		c.named++
	}
	if suffix != "" {
		if c.found == nil {
			c.found = map[string]int{}
		}
		c.found[suffix]++
	}
}

// leftOut returns the suffix of the file that a link points to, if links leave out suffixes, or "".
func (l *relative) leftOut(d *doc.Document, ref *doc.Reference, t *lead.Target, top string) string {
	old, with := l.a.Servings[top], l.a.Given
	if old != nil {
		with = *old
	}
	if with.Suffixes != nil {
		return ""
	}
	with.Suffixes, with.IsUnsuffixed = learntSuffixes, true
	l.a.Servings[top] = &with
	p := l.a.Find(d, ref, t)
	l.a.Servings[top] = old
	if old == nil {
		delete(l.a.Servings, top)
	}
	if p.Kind != tree.IsFile {
		return ""
	}
	return path.Ext(p.Path)
}

func (l *relative) learn() {
	for top, c := range l.counts {
		const share = 10 // of the names without a suffix, found for each that is missing
		if found := c.bare.all - c.bare.missing; found >= 2*publish.MinRooted && c.bare.missing*share <= found {
			l.a.servingFor(top).KnowsNames = true // although code may say where they lead
		}
		if c.page.mostAreMissing() && l.a.servingFor(top).Suffixes == nil {
			s := l.a.servingFor(top)
			s.Suffixes = c.page.suffixes()
			s.IsFlat = isMost(c.page.named, c.page.missing) && (s.Suffixes == nil || c.page.named > c.page.found[s.Suffixes[0]])
			s.IsUnsuffixed = s.Suffixes != nil || s.IsFlat
		}
		if c.md.named >= leastFlat && 4*c.md.named >= 3*c.md.missing && 4*c.md.missing >= c.md.all {
			l.a.servingFor(top).IsFlat = true
		}
	}
}
