package survey

import (
	"path"
	"strings"

	"example.org/refract/extract/asciidoc"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
)

// Least numbers of fragments from which to infer what a program does, and most that are counted in a group.
const (
	leastNamed  = 5
	leastNested = 3
	mostCounted = 10_000
)

// A habits counts fragments of documents without a known generator that name no id of the document that holds them.
type habits struct {
	missing int
	named   int             // those that are the name of another document
	nested  int             // those that are the ids of headings, one behind another: "options-database"
	dirs    map[string]bool // of the documents that hold the named ones, and of those that they name
	budget  doc.Budget
}

// together finds out what a program without a model does with the documents of a group (see [lead.GroupOf]): it puts documents on one
// page, where the name of each is an id; or it puts the ids of the headings around a heading before its own.
type together struct {
	*Surveyor
	groups map[string]*habits
}

func (l *together) takes(d *doc.Document) bool {
	if d.Layout.Generated != nil || !d.IsMarkdown() && !d.IsAsciiDoc() {
		return false
	}
	for i := range d.Names {
		if d.Names[i].Space == asciidoc.IDSpace {
			l.count(d, d.Names[i].Text)
		}
	}
	return true
}

func (l *together) see(d *doc.Document, k *doc.Reference) {
	if fragment, ok := strings.CutPrefix(k.Ref, "#"); ok {
		l.count(d, fragment)
	}
}

func (l *together) count(d *doc.Document, fragment string) {
	if _, isLive := d.IDs().Hit(fragment); isLive || fragment == "" {
		return
	}
	group := lead.GroupOf(&l.Library, d)
	h := l.groups[group]
	if h == nil {
		h = &habits{dirs: map[string]bool{}}
		l.groups[group] = h
	}
	if h.missing == mostCounted {
		return
	}
	h.missing++
	files := l.ByName[fragment+path.Ext(d.Path)]
	switch {
	case len(files) > 0 && !strings.EqualFold(fragment, "index") && !strings.EqualFold(fragment, "readme"):
		h.named++
		h.dirs[d.Dir()] = true
		for _, file := range files {
			h.dirs[path.Dir(file)] = true
		}
	case d.IsMarkdown() && !d.IDs().IsSimilar(fragment) && h.budget < doc.MaxBudget && d.IsNestedID(&h.budget, fragment):
		h.nested++
	}
}

func (l *together) learn() {
	for group, h := range l.groups {
		if h.named >= leastNamed && 2*h.named >= h.missing {
			for dir := range h.dirs {
				l.Together[dir] = true
			}
		}
		if h.nested >= leastNested {
			l.Nesting[group] = true
		}
	}
}

func newTogether(a *Surveyor) *together { return &together{a, map[string]*habits{}} }
