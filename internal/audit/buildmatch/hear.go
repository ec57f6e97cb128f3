package buildmatch

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/each"
	"example.org/refract/internal/order"
	"example.org/refract/internal/reason"
)

// A Testimony is what the build says about the references of a document.
type Testimony struct {
	*Match                         // nil if the document is only shown on pages of others
	sound  []int64                 // offsets of references that point somewhere, in order
	away   []int64                 // of those whose links point to other hosts
	others []fate                  // the other links, by offset
	why    map[int64]reason.Reason // nil if empty
	// Located are broken links of the page that no known reference produced, and that occur exactly once in the
	// text of the document.
	Located []Located
}

// A fate is the link that the reference at an offset became. Most documents have few of them, so that a
// list takes a fraction of the memory of a map.
type fate struct {
	at   int64
	link built.Link
}

// A Located is a link and where it is written in the document.
type Located struct {
	built.Link
	At int
}

// Of returns what the build says about the references of d; nil if it says nothing.
func (w *Matcher) Of(d *doc.Document) *Testimony { return w.told[d] }

// Link returns what became of the reference at an offset. If the link works, or points to another host,
// only What is set.
func (t *Testimony) Link(at int64) (k built.Link, ok bool) {
	// The last of those with the same offset.
	i, _ := slices.BinarySearchFunc(t.others, at+1, func(f fate, at int64) int { return cmp.Compare(f.at, at) })
	if i > 0 && t.others[i-1].at == at {
		return t.others[i-1].link, true
	}
	_, ok = slices.BinarySearch(t.sound, at)
	if ok {
		return built.Link{Outcome: built.Outcome{What: built.Alive}}, true
	}
	_, ok = slices.BinarySearch(t.away, at)
	if ok {
		return built.Link{Outcome: built.Outcome{What: built.Elsewhere}}, true
	}
	return k, false
}

// Why returns why it is not known which link a reference became, or the zero Reason if t knows no such
// reference.
func (t *Testimony) Why(at int64) reason.Reason { return t.why[at] }

// Hear reads the links of all pages, and aligns them with the references of their documents, jobs pages at a time.
func (w *Matcher) Hear(ctx context.Context, jobs int) {
	w.told = map[*doc.Document]*Testimony{}
	parts := w.wantParts(ctx, jobs)
	var pages []*built.Page
	for _, s := range w.Build.Sites {
		pages = append(pages, s.Pages...)
	}
	var mu sync.Mutex
	each.With(ctx, jobs, pages, func() func(*built.Page) {
		linker := built.NewLinker()
		return func(p *built.Page) {
			if p.IsUnread {
				return
			}
			d, t := w.hear(linker, p)
			if t != nil {
				mu.Lock()
				w.told[d] = t
				mu.Unlock()
			}
		}
	})
	w.tellParts(parts)
	w.uses = nil
}

// hear reads the links of a page. t is not nil if it is the page that shows d best.
func (w *Matcher) hear(linker *built.Linker, p *built.Page) (d *doc.Document, t *Testimony) {
	links := linker.Links(p)
	taken := make([]bool, len(links))
	m := w.byPage[p]
	if isTemplate(linker.Text) {
		w.addTemplate()
		return nil, nil
	}
	if m != nil {
		d = m.Doc
		a := align(w.usesOf(d), links)
		defer d.Finish()
		taken = a.taken
		if w.byDoc[d] == m {
			t = w.testify(m, a)
		}
	}
	var dead []*built.Link
	searches := 0
	for j := range links {
		k := &links[j]
		if taken[j] && IsDead(k) {
			w.addDead(k) // it may be one of several links that a definition became, each with its own text
		}
		if taken[j] || k.IsHidden {
			continue
		}
		if k.Zone == built.Content && w.takePart(k, p) || !IsDead(k) || !isShown(k, p, linker.IsBased) {
			continue
		}
		if t != nil && k.Zone == built.Content && searches < maxSearches {
			searches++
			if at := only(d.Source(), k.Ref); at >= 0 {
				t.Located = append(t.Located, Located{*k, at})
				w.addDead(k)
				continue
			}
		}
		dead = append(dead, k)
	}
	w.add(dead, p, d)
	return d, t
}

// maxSearches limits the links of one page that are looked for in the text of its document.
const maxSearches = 64

// only returns where a reference stands in a text, if that is only once, or -1.
func only(text []byte, ref string) int {
	at, n := find(text, ref)
	if n != 1 {
		return -1
	}
	return at
}

// find returns where a reference first stands in a text, and whether that is never, once, or several times (2).
func find(text []byte, ref string) (first, n int) {
	const least, most = 3, 1 << 20
	if len(ref) < least || len(text) > most {
		return -1, 0
	}
	for from := 0; n < 2; {
		i := bytes.Index(text[from:], []byte(ref))
		if i < 0 {
			break
		}
		at := from + i
		from = at + len(ref)
		if at > 0 && isOfURL(text[at-1]) || from < len(text) && isOfURL(text[from]) {
			continue
		}
		if n == 0 {
			first = at
		}
		n++
	}
	return first, n
}

// isOfURL reports whether a byte beside a reference shows that it is a part of a longer one.
func isOfURL(c byte) bool {
	return ascii.IsAlnum(c) || strings.IndexByte("/._-#%?=&~@+", c) >= 0
}

// testify returns what an alignment says about the references of a document.
func (w *Matcher) testify(m *Match, a *alignment) *Testimony {
	t := &Testimony{Match: m}
	for i := range a.uses {
		at := a.uses[i].at
		j := a.to[i]
		switch {
		case j == isAbsent:
			t.doubt(at, noLink)
		case j == isUnclear:
			t.doubt(at, unclearLink)
		case m.IsNewer && a.uses[i].sig != a.links[j].Sig:
			t.doubt(at, StaleBuild) // the reference may have been changed since
		case a.links[j].What == built.Alive:
			t.sound = append(t.sound, at)
		case a.links[j].What == built.Elsewhere:
			t.away = append(t.away, at)
		default:
			t.others = append(t.others, fate{at, a.links[j]})
		}
	}
	t.sort()
	return t
}

// doubt notes why it is not known which link the reference at an offset became.
func (t *Testimony) doubt(at int64, why reason.Reason) {
	if t.why == nil {
		t.why = map[int64]reason.Reason{}
	}
	t.why[at] = why
}

// sort sorts the references by offset. It ends a testimony.
func (t *Testimony) sort() {
	slices.Sort(t.sound)
	slices.Sort(t.away)
	order.Sort(t.others, func(x, y fate) int { return cmp.Compare(x.at, y.at) })
}

// Reasons.
var (
	noLink      = reason.New(reason.Build, "not-in-build", "its built page does not show it as a link")
	StaleBuild  = reason.New(reason.Build, "stale-build", "the build is older than the sources")
	unclearLink = reason.New(reason.Build, "unclear-in-build", "several links of its built page are like it")
)
