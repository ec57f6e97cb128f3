package survey

import (
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/publish"
)

// minLabels is the least number of uses of labels that nothing defines from which to infer that a program defines them.
const minLabels = 20

// labels finds the trees of documents without a known generator in which a program defines labels of links: most
// labels are defined nowhere, and several documents use the same.
type labels struct {
	*Surveyor
	uses    map[string]map[string]*labelUse // by boundary and label
	defined map[string]int                  // by boundary
}

func newLabels(a *Surveyor) *labels {
	return &labels{Surveyor: a, uses: map[string]map[string]*labelUse{}, defined: map[string]int{}}
}

// A labelUse counts the uses of a label that nothing defines.
type labelUse struct {
	n        int
	in       *doc.Document // the first document
	isShared bool          // several documents use it
}

func (l *labels) takes(d *doc.Document) bool {
	if !isPlain(d) {
		return false
	}
	top := l.Boundary(d)
	for _, n := range d.Undefined {
		if l.uses[top] == nil {
			l.uses[top] = map[string]*labelUse{}
		}
		u := l.uses[top][n.Text]
		if u == nil {
			u = &labelUse{in: d}
			l.uses[top][n.Text] = u
		}
		u.n++
		u.isShared = u.isShared || u.in != d
	}
	return true
}

func (l *labels) see(d *doc.Document, k *doc.Reference) {
	if k.How == scan.Reference {
		l.defined[l.Boundary(d)]++
	}
}

func (l *labels) learn() {
	for top, uses := range l.uses {
		all, shared := 0, 0
		for _, u := range uses {
			all += u.n
			if u.isShared {
				shared += u.n
			}
		}
		if all >= minLabels && all > l.defined[top] && shared >= publish.MinRooted {
			l.LabelTrees[top] = true
		}
	}
}
