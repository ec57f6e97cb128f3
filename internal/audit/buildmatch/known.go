package buildmatch

import (
	"context"
	"fmt"
	"sync"

	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/input"
)

// Known holds the ids of built pages, by document, for programs that audit a tree repeatedly while they
// edit or move its documents. It is read again when the build has changed. The zero value knows nothing. It
// is safe for concurrent use.
//
// Which document a page was made of, and whether that has changed since, is determined once for each build,
// by the time of the source. From then on, the text of the source counts. While it is unchanged, the build
// knows all ids. Later, it knows those of the remaining headings, and others may have been added.
type Known struct {
	learning sync.Mutex // held by Learn
	mu       sync.Mutex
	state    uint64               // of the builds; see built.State
	pages    map[string]knownPage // by the path of the document; nil before Learn
	stale    int
}

type knownPage struct {
	page *built.Page
	text uint64 // Hash of the source; 0 if it is not known which text the build has seen
}

// Learn reads the builds if they have changed, and finds the pages of documents.
func (k *Known) Learn(ctx context.Context, jobs int, files input.Tree, reader *doc.Reader, dirs []built.Dir, sources func() []Source) {
	k.learning.Lock()
	defer k.learning.Unlock()
	state := built.State(files, dirs)
	if k.pages != nil && k.state == state {
		return
	}
	w := New(ctx, jobs, built.Read(ctx, files, jobs, dirs), reader, nil, sources())
	pages, stale := map[string]knownPage{}, 0
	if w.Misfit() == "" {
		pages, stale = w.known()
	}
	if ctx.Err() != nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.state, k.pages, k.stale = state, pages, stale
}

// known returns the pages of the documents that have not changed since, and how many have.
func (w *Matcher) known() (pages map[string]knownPage, stale int) {
	pages = map[string]knownPage{}
	for d, m := range w.byDoc {
		if m.IsNewer {
			stale++
			continue
		}
		known := knownPage{page: m.Page}
		if t := w.times[d]; !t.IsZero() { // a text in memory has no time
			known.text = built.Hash(d.Source())
			d.Finish()
		}
		pages[d.Path] = known
	}
	return pages, stale
}

// Of returns the ids of the page made of d, whose path was path when the build was made, and whether the
// page has no other ids. The ids are nil if d has no page, or if they are not known.
func (k *Known) Of(d *doc.Document, path string) (ids []doc.BuiltID, areAll bool) {
	k.mu.Lock()
	known, ok := k.pages[path]
	k.mu.Unlock()
	if !ok {
		return nil, false
	}
	areAll = known.text != 0 && built.Hash(d.Source()) == known.text
	d.Finish()
	lines := map[uint64][]int{}
	for _, a := range d.AnchorList() {
		text := a.Name
		switch {
		case a.Heading != nil:
			text = a.Heading.Text
		case d.IsMarkdown(), d.IsHTML():
			continue
		}
		if key := built.Key(text); key != 0 {
			lines[key] = append(lines[key], a.Line)
		}
	}
	shown := map[uint64]int{}
	for _, key := range known.page.Headings {
		shown[key]++
	}
	ids = []doc.BuiltID{}
	for _, a := range known.page.Anchors() {
		id := doc.BuiltID{ID: a.ID}
		list := lines[a.Heading]
		switch isSame := len(list) == shown[a.Heading]; {
		case a.Heading == 0:
		case isSame && a.Nth < len(list):
			id.Line = list[a.Nth]
		case !areAll:
			continue // the heading is gone, or another with its text, which may change the ids of both
		}
		ids = append(ids, id)
	}
	return ids, areAll
}

// Note returns what users should know about the build, or "".
func (k *Known) Note() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch k.stale {
	case 0:
		return ""
	case 1:
		return "the build is stale: one document has changed since, and the ids of its page are not used"
	}
	return fmt.Sprintf("the build is stale: %d documents have changed since, and the ids of their pages are not used", k.stale)
}
