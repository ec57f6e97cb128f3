package infer

import (
	"path"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/tree"
)

// leastFlat is the least number of links to names of documents in other directories from which to infer that a program publishes all in one.
const leastFlat = 20

// A flatCount counts the links "x.md" of the Markdown documents of a tree.
type flatCount struct {
	all     int
	missing int // those that lead to no file
	named   int // of these, those with the name of a document elsewhere
}

// flat finds the trees of documents without a known generator in which "x.md" names a document in any directory: at least a quarter of such
// links lead nowhere, three quarters of which have such a name.
type flat struct {
	*Inference
	counts map[string]*flatCount // by boundary
}

func (l *flat) takes(d *doc.Document) bool { return isPlain(d) }

func (l *flat) see(d *doc.Document, k *doc.Reference) {
	ref := k.Ref[:lead.PathLength(k.Ref)]
	if path.Ext(ref) != ".md" || strings.ContainsAny(ref, "/:") || ref[0] == '.' {
		return
	}
	top := l.Boundary(d)
	c := l.counts[top]
	if c == nil {
		c = new(flatCount)
		l.counts[top] = c
	}
	c.all++
	if c.all > maxRooted {
		return
	}
	t, ok := l.Aim(d, k)
	if !ok || !t.Inside {
		return
	}
	p := l.Find(d, k, &t)
	if p.Kind != tree.IsMissing {
		return
	}
	c.missing++
	if len(l.FlatSources(k)) > 0 {
		c.named++
	}
}

func (l *flat) learn() {
	for top, c := range l.counts {
		if c.named >= leastFlat && 4*c.named >= 3*c.missing && 4*c.missing >= c.all {
			l.servingFor(top).IsFlat = true
		}
	}
}
