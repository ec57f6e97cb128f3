package infer

import (
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
)

// A nestedCount counts the references "../x" of the Markdown documents of a tree that are no index pages.
type nestedCount struct {
	all      int
	nested   int // those that point to a file only if x.md is served as x/
	plain    int // those that point to a file only from the document; counted if there are sections
	sections int // index pages with the name of Hugo
}

// isOfHugo reports whether Hugo publishes the tree, by a configuration elsewhere.
func (c *nestedCount) isOfHugo() bool { return c.sections >= lead.MinSections && c.nested > c.plain }

// isRule reports whether x.md is served as x/.
func (c *nestedCount) isRule() bool {
	return c.isOfHugo() || c.nested >= publish.MinRooted && 2*c.nested >= c.all
}

// nested finds the trees of documents without a known generator that are written for pages with directories
// of their own: a program publishes them on a site. Most of their references "../x" resolve to a file from
// there only.
type nested struct {
	a      *Inference
	counts map[string]*nestedCount // by boundary
}

func (l *nested) takes(d *doc.Document) bool {
	if !isPlain(d) {
		return false
	}
	top := l.a.Boundary(d)
	c := l.counts[top]
	if c == nil {
		c = new(nestedCount)
		l.counts[top] = c
	}
	if d.Base() == lead.HugoIndex {
		c.sections++
		return false
	}
	return !publish.IsIndex(d.Base())
}

func (l *nested) see(d *doc.Document, ref *doc.Reference) {
	if !strings.HasPrefix(ref.Ref, "../") {
		return
	}
	c := l.counts[l.a.Boundary(d)]
	if c.all > maxRooted {
		return
	}
	t, ok := l.a.Aim(d, ref)
	if !ok || !t.Inside {
		return
	}
	c.all++
	hasSections := l.a.hasHugoSections()
	var here tree.Place
	if hasSections {
		here = l.a.ResolveIn(d, t.Roots[0], &t) // not as x/, even if that is possible
	} else {
		here = l.a.Find(d, ref, &t)
	}
	isFound := here.Kind != tree.IsMissing
	if isFound && !hasSections {
		return
	}
	p, ok := l.a.ResolveServed(d, ref)
	switch isServed := ok && p.Kind != tree.IsMissing; {
	case isServed && !isFound:
		c.nested++
	case isFound && !isServed:
		c.plain++
	}
}

func (l *nested) learn() {
	for top, c := range l.counts {
		if !c.isRule() {
			continue
		}
		s := l.a.servingFor(top)
		s.IsNested, s.IsLower = true, c.isOfHugo()
		if s.Suffixes == nil {
			s.Suffixes = []string{".md"} // of pages like "../x/"
		}
	}
}
