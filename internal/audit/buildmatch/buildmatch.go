// Package buildmatch compares the output of a build with its sources. It finds which document each page was
// made of, and which reference of the document each link of the page was made of. The built link then
// decides about the reference, whatever the generator has done in between.
//
//	match.go    from pages to documents
//	source.go   the references of a document, with their texts
//	align.go    from references to links
//	hear.go     what the build says about each document
//	part.go     documents that are shown on pages of others
//	template.go links that no document has
//	place.go    the templates that have these
//	lost.go     parts of the sources that the build lacks
//	known.go    the ids of pages, for those who edit and move documents
//
// Nothing is guessed: if neither the text nor the target of a reference tells which link it became, it is
// not checked.
package buildmatch

import (
	"fmt"
	"time"

	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
)

// A Matcher knows a build, and which of its pages are made of which documents.
type Matcher struct {
	Build  *built.Build
	reader *doc.Reader
	uses   *Uses                    // while the links are aligned
	byDoc  map[*doc.Document]*Match // the page that shows the document best
	byPage map[*built.Page]*Match
	Root   string // the innermost directory that holds all documents with a page
	faults
	parts
	docs []*doc.Document
	told map[*doc.Document]*Testimony

	times   map[*doc.Document]time.Time
	lost    map[*doc.Document]*lostDir
	matcher *matcher // nil if nothing is lost
}

// A How says how the document of a page was found.
type How uint8

const (
	byRoute   How = iota // the model of the generator has this URL
	byTrace              // the page names it: in a link to edit it, and the like
	byPath               // their paths are alike
	byContent            // their headings, or the texts and targets of their links, are the same
)

var hows = [...]string{"its URL", "the source that it names", "its path", "its content"}

func (h How) String() string { return hows[h] }

// A Match is a page and the document that it is made of.
type Match struct {
	Doc  *doc.Document
	Page *built.Page
	How  How
	// IsNewer says that the document is newer than the page, and that the build has no identical copy of it.
	IsNewer bool
	// IsStale says that the document has changed since the build: it is newer, and its headings or its copy
	// differ.
	IsStale bool
	agree   float64
	votes   int // of the rule that led to it
}

// PageOf returns the page that shows d, or nil.
func (w *Matcher) PageOf(d *doc.Document) *Match {
	return w.byDoc[d]
}

// SourceOf returns the document that a page is made of, or nil.
func (w *Matcher) SourceOf(p *built.Page) *doc.Document {
	if m := w.byPage[p]; m != nil {
		return m.Doc
	}
	return nil
}

// IsNewer reports whether d has no page, and was written after the build.
func (w *Matcher) IsNewer(d *doc.Document) bool {
	t := w.times[d]
	for _, s := range w.Build.Sites {
		if w.byDoc[d] != nil || !t.After(s.Newest) {
			return false
		}
	}
	return true
}

// Stale returns how many documents have changed since their pages were made.
func (w *Matcher) Stale() (n int) {
	for _, m := range w.byDoc {
		if m.IsStale {
			n++
		}
	}
	return n
}

// Misfit says why the pages cannot be those of the present documents. There are several of both, and hardly
// any belong together; or many documents have headings of plain words that their pages lack. It is "" if
// they can be.
func (w *Matcher) Misfit() string {
	const few, part, leastDiffer = 5, 10, 3
	pages := w.Build.Pages()
	if len(w.times) < few || pages < few {
		return ""
	}
	if part*len(w.byDoc) < min(len(w.times), pages) {
		return fmt.Sprintf("%d of %d documents have one of its %d pages", len(w.byDoc), len(w.times), pages)
	}
	if differ, all := w.Differing(); differ >= leastDiffer && part*differ >= all {
		return fmt.Sprintf("%d of %d documents have headings that their pages lack", differ, all)
	}
	return ""
}

// Matched returns how many documents have a page.
func (w *Matcher) Matched() int { return len(w.byDoc) }
