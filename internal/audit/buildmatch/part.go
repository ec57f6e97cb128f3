package buildmatch

import (
	"context"
	"sync"

	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/each"
)

// A part is a document without a page, which others may include. A link of a page that the page's own
// document does not explain, but that has the text and the target of a reference of a part, was made of
// that reference. A definition has no text.
type part struct {
	doc  *doc.Document
	uses []use
}

// parts are the references of all of them.
type parts struct {
	mu      sync.Mutex
	wanted  map[likeKey]*found
	claimed map[likeKey]bool // those that some page has
}

// A found is what became of references that are alike.
type found struct {
	isAlive, isSeen bool
	link            built.Link // one that is not sound; the first by page
	page            *built.Page
}

func keyOfPart(u *use) likeKey {
	if u.isFloating {
		return keyOf(0, u.sig, false, byTarget)
	}
	return keyOf(u.text, u.sig, u.isEmbedded, whole)
}

// wantParts reads the references of the documents that have no page.
func (w *Matcher) wantParts(ctx context.Context, jobs int) (all []part) {
	for _, d := range w.docs {
		if w.byDoc[d] == nil && d.CountRefs()+len(d.Unchecked) > 0 {
			all = append(all, part{doc: d})
		}
	}
	w.wanted, w.claimed = map[likeKey]*found{}, map[likeKey]bool{}
	at := make([]int, len(all))
	for i := range at {
		at[i] = i
	}
	each.Do(ctx, jobs, at, func(i int) {
		all[i].uses = w.usesOf(all[i].doc)
		all[i].doc.Finish()
	})
	for i := range all {
		for n := range all[i].uses {
			if k := keyOfPart(&all[i].uses[n]); k != (likeKey{}) && w.wanted[k] == nil {
				w.wanted[k] = &found{}
			}
		}
	}
	return all
}

// byLinks finds the documents of pages by the texts and targets of their links, where those are of one document alone.
func (m *matcher) byLinks(ctx context.Context, jobs int) {
	owner := map[likeKey]int32{}
	hasPage := map[*doc.Document]bool{}
	for _, match := range m.byPage {
		hasPage[match.Doc] = true
	}
	for i := range m.sources {
		d := m.sources[i].Doc
		if hasPage[d] || d.CountRefs()+len(d.Unchecked) < minLinks {
			continue
		}
		uses := m.usesOf(d)
		d.Finish()
		for n := range uses {
			k := keyOfPart(&uses[n])
			if other, ok := owner[k]; ok && other != int32(i) {
				owner[k] = unowned
			} else if k.text != 0 {
				owner[k] = int32(i)
			}
		}
	}
	var pages []*built.Page
	for _, s := range m.Build.Sites {
		for _, p := range s.Pages {
			if m.byPage[p] == nil && !p.IsUnread {
				pages = append(pages, p)
			}
		}
	}
	if len(owner) == 0 {
		return
	}
	best := make([]int32, len(pages))
	at := make([]int, len(pages))
	for i := range at {
		at[i] = i
	}
	each.With(ctx, jobs, at, func() func(int) {
		linker := built.NewLinker()
		return func(i int) { best[i] = ownerOf(linker.Links(pages[i]), owner) }
	})
	shown := map[int32]int{}
	for _, i := range best {
		shown[i]++
	}
	for n, p := range pages {
		if i := best[n]; i >= 0 && shown[i] == 1 {
			m.add(i, p, byContent, m.agreement(i, p), 0)
		}
	}
}

const (
	minLinks = 2 // links by which a document is found
	unowned  = -1
)

// ownerOf returns the source to which most links of a page belong, or unowned. It must have at least
// minLinks different links of the content, and twice as many as any other.
func ownerOf(links []built.Link, owner map[likeKey]int32) int32 {
	counts := map[int32]int{}
	seen := map[likeKey]bool{}
	for j := range links {
		k := &links[j]
		key := keyOf(k.Text, k.Sig, k.IsEmbedded, whole)
		if i, ok := owner[key]; ok && i >= 0 && k.Zone == built.Content && !seen[key] {
			seen[key] = true
			counts[i]++
		}
	}
	best, most, second := int32(unowned), 0, 0
	for i, n := range counts {
		if n > most {
			best, most, second = i, n, most
		} else {
			second = max(second, n)
		}
	}
	if most < minLinks || most < 2*second {
		return unowned
	}
	return best
}

// takePart takes a link of a page that its document does not explain. It reports whether it may be made of a part.
func (w *Matcher) takePart(k *built.Link, p *built.Page) bool {
	is := false
	for _, key := range []likeKey{keyOf(k.Text, k.Sig, k.IsEmbedded, whole), keyOf(0, k.Sig, false, byTarget)} {
		f := w.wanted[key]
		if f == nil || key == (likeKey{}) {
			continue
		}
		w.parts.mu.Lock()
		f.take(k, p)
		w.claimed[key] = true
		w.parts.mu.Unlock()
		is = true
	}
	return is
}

func (f *found) take(k *built.Link, p *built.Page) {
	f.isSeen = true
	if k.What == built.Alive {
		f.isAlive = true
		return
	}
	if f.page == nil || comparePages(p, f.page) < 0 {
		f.page, f.link = p, *k
	}
}

// tellParts makes testimonies of what pages show of the parts. A reference that points somewhere from one of
// the pages is right.
func (w *Matcher) tellParts(all []part) {
	for i := range all {
		t := &Testimony{}
		isSeen := false
		for n := range all[i].uses {
			u := &all[i].uses[n]
			f := w.wanted[keyOfPart(u)]
			switch {
			case f == nil || !f.isSeen:
				t.doubt(u.at, noLink)
				continue
			case f.isAlive:
				t.sound = append(t.sound, u.at)
			case f.link.What == built.Elsewhere:
				t.away = append(t.away, u.at)
				continue
			default:
				t.others = append(t.others, fate{u.at, f.link})
				w.addDead(&f.link)
			}
			isSeen = true
		}
		if isSeen {
			t.sort()
			w.told[all[i].doc] = t
		}
	}
}
