package infer

import (
	"path"
	"strings"

	"example.org/refract/extract/asciidoc"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
)

// Least numbers of fragments from which to infer what a program does, and most that are counted in a group.
const (
	leastNamed  = 5
	leastNested = 3
	leastTabs   = 10
	mostCounted = 10_000
	mostNamed   = 100 // files of one name

	nestedBudget = doc.MaxBudget / 16 // of the search for nested ids in a group
)

// A habits counts fragments of documents without a known generator that name no id of the document that they point to.
type habits struct {
	missing int
	named   int             // those that are the name of another document
	nested  int             // those that are the ids of headings, one behind another: "options-database"
	tabs    map[string]*tab // those of HTML in Markdown
	dirs    map[string]bool // of the documents that hold the named ones, and of those that they name
	own     map[string]own  // by directory
	budget  doc.Budget
}

// An own counts the fragments of documents in a directory that name no id of the document that holds them.
type own struct {
	n    int
	last *doc.Document
}

// A tab counts the documents that hold a fragment.
type tab struct {
	n    int
	last *doc.Document
}

// together finds out what an unsupported generator does with the documents of a group (see [lead.GroupOf]):
//
//   - it puts documents on one page, where the name of each is an id, or a script of the repository names
//     them;
//   - it puts the ids of the enclosing headings before a heading's own;
//   - a script handles fragments in HTML that many documents have, as of tabs.
//
// Fragments that point to other documents count only if they are missing.
type together struct {
	a      *Inference
	groups map[string]*habits
	last   *doc.Document // that has been seen
	budget doc.Budget    // of fragments that point to other documents
}

func (l *together) takes(d *doc.Document) bool {
	if l.last != nil {
		l.a.DropIDs(l.last, l.last.Layout.Slug) // what has been derived from them
	}
	l.last = d
	if d.Layout.Generated != nil || !d.IsMarkdown() && !d.IsAsciiDoc() {
		return false
	}
	for i := range d.Names {
		if d.Names[i].Space == asciidoc.IDSpace {
			l.count(d, d, d.Names[i].Text)
		}
	}
	return true
}

func (l *together) see(d *doc.Document, ref *doc.Reference) {
	file, fragment, ok := strings.Cut(ref.Ref, "#")
	if !ok || fragment == "" || file != "" && ref.URL == "" {
		return
	}
	to := d
	if file != "" {
		at := path.Join(d.Dir(), file)
		to = l.a.ByPath[at]
		if to == nil {
			to = l.a.ByPath[at+path.Ext(d.Path)]
		}
	}
	if to == nil || to.Layout.Generated != nil {
		return
	}
	if to != d {
		if !to.IsMarkdown() || !l.budget.Spend(to.IDs().Len()) {
			return
		}
		defer l.a.DropIDs(to, to.Layout.Slug)
	}
	if ref.How != scan.Attribute || to != d || len(l.a.ByName[fragment+path.Ext(d.Path)]) > 0 {
		l.count(d, to, fragment)
		return
	}
	if h := l.missing(to, fragment); h != nil {
		h.seeTab(d, fragment)
	}
}

// seeTab counts a fragment that HTML in d holds.
func (h *habits) seeTab(d *doc.Document, fragment string) {
	t := h.tabs[fragment]
	if t == nil && len(h.tabs) == mostCounted {
		return
	}
	if t == nil {
		t = new(tab)
		h.tabs[fragment] = t
	}
	if t.last != d {
		t.n, t.last = t.n+1, d
	}
}

// missing returns the counts of the group of a document that lacks an id, nil if it has the id.
func (l *together) missing(to *doc.Document, fragment string) *habits {
	if _, isLive := to.IDs().Hit(fragment); isLive || fragment == "" {
		return nil
	}
	group := lead.GroupOf(&l.a.Library, to)
	h := l.groups[group]
	if h == nil {
		h = &habits{dirs: map[string]bool{}, own: map[string]own{}, tabs: map[string]*tab{}}
		l.groups[group] = h
	}
	return h
}

// count counts a fragment in d that points to a document.
func (l *together) count(d, to *doc.Document, fragment string) {
	h := l.missing(to, fragment)
	if h == nil || h.missing == mostCounted {
		return
	}
	h.missing++
	if to != d {
		return
	}
	if d.IsMarkdown() {
		h.own[d.Dir()] = own{h.own[d.Dir()].n + 1, d}
	}
	files := l.a.ByName[fragment+path.Ext(d.Path)]
	files = files[:min(len(files), mostNamed)]
	switch {
	case len(files) > 0 && !strings.EqualFold(fragment, "index") && !strings.EqualFold(fragment, "readme"):
		h.named++
		h.dirs[d.Dir()] = true
		for _, file := range files {
			h.dirs[path.Dir(file)] = true
		}
	case d.IsMarkdown() && !d.IDs().IsSimilar(fragment) && h.budget < nestedBudget && d.IsNestedID(&h.budget, fragment):
		h.nested++
	}
}

func (l *together) learn() {
	for group, h := range l.groups {
		if h.named >= leastNamed && 2*h.named >= h.missing {
			for dir := range h.dirs {
				l.a.Together[dir] = true
			}
		}
		for dir, o := range h.own {
			if o.n >= leastNamed && lead.JoinsPages(l.a.World, o.last) {
				l.a.Together[dir] = true
			}
		}
		isTabbed := false
		for _, t := range h.tabs {
			isTabbed = isTabbed || t.n >= leastTabs
		}
		for fragment, t := range h.tabs {
			if isTabbed && t.n > 1 {
				l.a.Tabs[group+"#"+fragment] = true
			}
		}
		if h.nested >= leastNested && 2*h.nested >= h.missing {
			l.a.Nesting[group] = true
		}
	}
}

func newTogether(a *Inference) *together {
	return &together{a: a, groups: map[string]*habits{}}
}
