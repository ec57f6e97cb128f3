package buildmatch

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/order"
)

// A lostDir is a directory of documents hardly any of which has a page, while the documents around it have
// pages. Part of the build may be missing, or the directory may not be published: the two cannot be told
// apart.
type lostDir struct {
	Path       string
	Docs, Lost int          // documents in it and below, and those that have no page
	Links      atomic.Int64 // links to their pages
}

const (
	leastLost = 3  // documents of a directory from which it may be lost
	mostKept  = 10 // of so many documents, one may have a page
)

// findLost finds the directories that the build lacks, the outermost of them only.
func (w *Matcher) findLost() {
	w.lost = map[*doc.Document]*lostDir{}
	dirs := map[string]*lostDir{}
	for _, d := range w.docs {
		for dir := d.Dir(); w.isInside(dir); dir = path.Dir(dir) {
			if dirs[dir] == nil {
				dirs[dir] = &lostDir{Path: dir}
			}
			dirs[dir].Docs++
			if w.byDoc[d] == nil {
				dirs[dir].Lost++
			}
		}
	}
	for _, d := range w.docs {
		if w.byDoc[d] != nil || w.IsNewer(d) {
			continue
		}
		for dir := d.Dir(); w.isInside(dir); dir = path.Dir(dir) {
			if l := dirs[dir]; l.Docs >= leastLost && mostKept*(l.Docs-l.Lost) <= l.Docs {
				w.lost[d] = l
			}
		}
	}
}

// isInside reports whether a directory is below the one that holds all documents with a page.
func (w *Matcher) isInside(dir string) bool {
	return len(dir) > len(w.Root) && dir != "/" && strings.HasPrefix(dir, w.Root+"/") // of "/", path.Dir is "/"
}

// Lost returns the lost directory that a link without a page points to, given the file that the reference
// means, if known; nil if it points to none.
func (w *Matcher) Lost(file *doc.Document, o *built.Outcome) *lostDir {
	if o.What != built.NoPage || len(w.lost) == 0 {
		return nil
	}
	if l := w.lost[file]; l != nil || file != nil {
		return l
	}
	return w.lost[w.sourceAt(o.URL)]
}

// sourceAt returns the document whose page would be at a path, by the rules of the other pages; nil if there is none.
func (w *Matcher) sourceAt(u string) *doc.Document {
	m := w.matcher
	for _, s := range w.Build.Sites {
		rest, ok := strings.CutPrefix(u, s.Prefix)
		if !ok {
			rest, ok = strings.CutPrefix(u, "/")
		}
		if !ok {
			continue
		}
		names := segmentsOf(strings.TrimSuffix(rest, "/"))
		for _, r := range m.rules {
			if r.prefixLen > len(names) || mix(names[:r.prefixLen]) != r.prefix {
				continue
			}
			if i, ok := m.below(r, names[r.prefixLen:]); ok {
				return m.sources[i].Doc
			}
		}
	}
	return nil
}

// LostDirs returns the lost directories that links point to, sorted by path.
func (w *Matcher) LostDirs() (all []*lostDir) {
	seen := map[*lostDir]bool{}
	for _, l := range w.lost {
		if l.Links.Load() > 0 && !seen[l] {
			seen[l] = true
			all = append(all, l)
		}
	}
	order.Sort(all, func(x, y *lostDir) int { return cmp.Compare(x.Path, y.Path) })
	return all
}

// HasHeading reports whether a page has the heading in a line of its document, or whether there is no
// heading in that line. A page without it was made of another version of the document.
func (w *Matcher) HasHeading(p *built.Page, d *doc.Document, line int) bool {
	for _, a := range d.AnchorList() {
		if a.Line != line {
			continue
		}
		if text, is := plainHeading(&a); is && !slices.Contains(p.Headings, built.Key(text)) && len(p.Headings) < built.MaxHeadings {
			return false
		}
	}
	return true
}

// plainHeading returns the text of a heading that has no markup, so that any generator shows it as it is.
func plainHeading(a *doc.Anchor) (text string, is bool) {
	if a.Heading == nil {
		return "", false
	}
	return a.Heading.Text, isPlain.MatchString(a.Heading.Text)
}

// isPlain matches a text of words.
var isPlain = lazy.New(`^[\p{L}\p{N} ,.'’?!-]{2,}$`)

// Differing returns how many documents have headings that their pages lack, and how many documents are
// compared.
func (w *Matcher) Differing() (differ, all int) {
	for d, m := range w.byDoc {
		if m.Page.IsUnread || len(m.Page.Headings) >= built.MaxHeadings {
			continue
		}
		n, missing := 0, 0
		for _, a := range d.AnchorList() {
			text, is := plainHeading(&a)
			if !is {
				continue
			}
			n++
			if !slices.Contains(m.Page.Headings, built.Key(text)) {
				missing++
			}
		}
		if n > 0 {
			all++
		}
		if missing > 0 {
			differ++
		}
	}
	return differ, all
}
