// Package infer learns from the references of a tree how it is published, where no configuration says so.
// The rules are those of the field Learnt of [lead.World]; until inference has learnt them, they are empty.
package infer

import (
	"fmt"
	"slices"
	"strings"

	"example.org/refract/internal/ablate"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
)

// A Rule is a rule that most references "/x" of a tree follow: they resolve to a file or directory in one
// of Roots, perhaps after adding one of Suffixes.
type Rule struct {
	Below    string   // "/x" with which the references begin; "" for all that no other rule is about
	Roots    []string // as shown to users
	Suffixes []string
	ByName   bool // without what only sorts and groups documents
	Agree    int  // those of Links that resolve to something by this rule
	Links    int  // references that the rule covers
}

// An Inference sets what a World learns from its references.
type Inference struct {
	*lead.World
	Jobs       int  // documents to examine at a time, where their order does not matter
	CountsDots bool // set doc.Document.Dots
	DropsIDs   bool // forget the ids of documents under algorithms that only the vote asks for
	Doubts     bool // doubt the rules of generators
	// DoubtedBefore has the doubts of an earlier state of the tree; nil if there is none.
	DoubtedBefore map[lead.ConfigForm]bool
	Rules         []Rule
	scratch       doc.Scratch
}

// A learner learns one thing. Learners see the references of documents one after another, in the order of
// their paths, so that the result does not depend on the order of the arguments. They share a pass, which
// unpacks the references of each document once.
type learner interface {
	takes(d *doc.Document) bool // looks at d itself, and reports whether to show its references, too
	see(d *doc.Document, ref *doc.Reference)
	learn() // after it has seen all references
}

// looks reports whether a learner is to look at d. --root says what others have to find out.
func (a *Inference) looks(l learner, d *doc.Document) bool {
	switch l.(type) {
	case *rooted, *nested, *relative, *copied, *together:
		if a.Published.RootOf(d.Path) != "" {
			return false
		}
	}
	return l.takes(d)
}

// Run examines the documents. Each pass uses what the passes before have learnt.
func (a *Inference) Run() {
	hasSites := len(a.Layouts.Finder.Sites()) > 0
	first := []learner{newInclusions(a), &shown{a: a, by: map[string]*shownCount{}}, &images{a: a, isSet: true}}
	isLearnt := a.Published.Root == "" // otherwise --root says it
	if isLearnt {
		first = append(first, &rooted{a: a, paths: map[string]*rootedPaths{}})
	}
	a.pass(first...)
	a.vote()
	if isLearnt {
		if hasSites || a.hasHugoSections() {
			a.pass(&nested{a: a, counts: map[string]*nestedCount{}})
		}
		a.pass(&relative{a: a, counts: map[string]*relativeCounts{}})
		a.pass(&copied{a: a, missing: map[string]*rootedPaths{}}, newTogether(a))
	}
	if hasSites {
		a.pass(&made{a: a, paths: map[madeKey]*madePath{}})
	}
	if a.Doubts {
		a.learnDoubts()
	}
}

// pass shows each reference to the learners that take its document.
func (a *Inference) pass(learners ...learner) {
	learners = slices.DeleteFunc(learners, func(l learner) bool {
		return ablate.Off("learner", strings.TrimPrefix(fmt.Sprintf("%T", l), "*infer."))
	})
	var taking []learner
	for _, d := range a.Sorted {
		taking = taking[:0]
		for _, l := range learners {
			if a.looks(l, d) {
				taking = append(taking, l)
			}
		}
		if len(taking) == 0 {
			continue
		}
		refs := a.scratch.Of(d)
		for i := range refs {
			for _, l := range taking {
				l.see(d, &refs[i])
			}
		}
	}
	for _, l := range learners {
		l.learn()
	}
}

// isPlain reports whether d is a Markdown document that no known generator publishes.
func isPlain(d *doc.Document) bool { return d.Layout.Generated == nil && d.IsMarkdown() }

// servingFor returns the serving of the documents below a boundary, for changes.
func (a *Inference) servingFor(top string) *publish.Serving {
	s := a.Given
	if a.Servings[top] != nil {
		s = *a.Servings[top]
	}
	a.Servings[top] = &s
	return &s
}

// hasHugoSections reports whether the tree has index pages with the name of Hugo.
func (a *Inference) hasHugoSections() bool { return len(a.ByName[lead.HugoIndex]) >= lead.MinSections }

// Given returns the serving that options describe.
func Given(suffixes, indexes []string, prefix string) publish.Serving {
	s := publish.Serving{Suffixes: suffixes, Indexes: indexes}
	if prefix != "" {
		s.Prefix = "/" + strings.Trim(prefix, "/") + "/"
		if s.Prefix == "//" {
			s.Prefix = "/"
		}
	}
	return s
}
