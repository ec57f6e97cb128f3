package buildmatch

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"example.org/refract/internal/audit/built"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/lazy"
	"example.org/refract/internal/order"
)

// A Fault is a broken link that no reference of a document produced: a link of a template, of a component,
// or of a page without a document. It counts once, however many pages have it.
type Fault struct {
	built.Link             // in Page
	Page       *built.Page // an example: the first page by name
	Pages      int         // that have it
	Docs       int         // of Pages, those that have a document
	// Doc is the document of all of them, if it is one; else nil.
	Doc *doc.Document
	// Goals is the number of targets, if a template makes the link with another target in each page; otherwise
	// 0.
	Goals int
	// Place is where the link is written, in a template or a configuration; zero if that is not known.
	// FindPlaces sets it.
	Place Place
}

// Faults are the links that point nowhere and no document has.
type faults struct {
	mu    sync.Mutex
	byKey map[faultKey]*Fault
	dead  map[likeness3]bool // what references point to in vain
	urls  map[string]bool    // what entries of the navigation point to in vain
	// Dropped is the number of links that are not counted, since there are too many different ones.
	Dropped int
	// Copied is the number of links that repeat one made of a reference of a document: in lists, in print, in
	// other versions.
	Copied int
	// Templates is the number of pages that are templates of a theme, which the build has copied. Their links
	// are not checked.
	Templates int
}

// isTemplate reports whether the text of a page is a piece of a template. It has tags or expressions of
// one, and is not a whole page, in which these may be examples.
func isTemplate(text []byte) bool {
	isTagged := bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%"))
	return isTagged && !wholePage.Match(text)
}

var wholePage = lazy.New(`(?i)<(?:html|!doctype)\b`)

// maxFaults limits the different links that are kept.
const maxFaults = 100_000

// A faultKey identifies links that are reported together: those with the same target or, if they have
// another target on each page, those written alike.
type faultKey struct {
	what               built.What
	url, fragment, ref string
	text               uint64
}

// A likeness3 is what a copy of a link shares with it: the text, and the target or, since a relative link
// has another target on another page, how it is written.
type likeness3 struct {
	url, fragment, ref string
	text               uint64
}

// IsDead reports whether the target of a link is missing.
func IsDead(k *built.Link) bool { return k.What == built.NoPage || k.What == built.NoID }

// isShown reports whether readers of p can follow a link of p. Links that only scripts read do not count,
// nor do relative links of the page for missing URLs, which is shown at any URL, unless the page is based:
// has a base element. A link to an id is meant for the page itself, which a base element prevents; that is
// no reason to report each heading of it.
func isShown(k *built.Link, p *built.Page, isBased bool) bool {
	if k.IsHidden {
		return false
	}
	switch p.Name {
	case "404.html", "404/index.html":
		return strings.HasPrefix(k.Ref, "/") || isBased && !strings.HasPrefix(k.Ref, "#")
	}
	return true
}

// add adds links of p, which is made of d, that are made of no reference and point nowhere.
func (t *faults) add(links []*built.Link, p *built.Page, d *doc.Document) {
	if len(links) == 0 {
		return
	}
	seen := map[faultKey]bool{}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range links {
		key := faultKey{k.What, k.URL, k.Fragment, "", k.Text}
		if !strings.Contains(k.Ref, "/") || strings.HasPrefix(k.Ref, ".") || strings.HasPrefix(k.Ref, "#") {
			key = faultKey{k.What, "", "", k.Ref, k.Text}
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		f := t.byKey[key]
		switch {
		case f == nil && len(t.byKey) >= maxFaults:
			t.Dropped++
			continue
		case f == nil:
			f = &Fault{Doc: d}
			if t.byKey == nil {
				t.byKey = map[faultKey]*Fault{}
			}
			t.byKey[key] = f
		}
		f.join(&Fault{Link: *k, Page: p, Pages: 1, Docs: min(1, countOf(d)), Doc: d})
	}
}

func countOf(d *doc.Document) int {
	if d == nil {
		return 0
	}
	return 1
}

// join adds another fault of the same kind.
func (f *Fault) join(other *Fault) {
	f.Pages += other.Pages
	f.Docs += other.Docs
	if f.Doc != other.Doc {
		f.Doc = nil
	}
	if f.Page == nil || cmp.Or(comparePages(other.Page, f.Page), cmp.Compare(other.Pos, f.Pos)) < 0 {
		f.Page, f.Link = other.Page, other.Link
	}
}

func comparePages(x, y *built.Page) int {
	return cmp.Or(strings.Compare(x.Site.Path, y.Site.Path), strings.Compare(x.Name, y.Name))
}

// addTemplate counts a page that is a template.
func (t *faults) addTemplate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Templates++
}

// addDead notes that a reference of a document became a link that points nowhere.
func (t *faults) addDead(k *built.Link) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dead == nil {
		t.dead = map[likeness3]bool{}
	}
	if len(t.dead) < maxFaults {
		t.dead[likeness3{k.URL, k.Fragment, "", k.Text}] = true
		t.dead[likeness3{"", "", k.Ref, k.Text}] = true
		if k.Fragment != "" {
			t.dead[likeness3{"", k.Fragment, "", k.Text}] = true
		}
	}
}

// AddDeadEntry notes that an entry of the navigation, or a link in front matter, points to a missing URL: a
// theme makes links of it.
func (t *faults) AddDeadEntry(url string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.urls == nil {
		t.urls = map[string]bool{}
	}
	if len(t.urls) < maxFaults && url != "" {
		t.urls[url] = true
	}
}

// isCopy reports whether a fault repeats a link made of a reference of a document, or of an entry of the
// navigation. A page that contains all others, for print, has links to its own ids in place of links to
// other pages.
func (w *Matcher) isCopy(f *Fault) bool {
	switch {
	case w.urls[f.URL]:
		return true
	case w.dead[likeness3{f.URL, f.Fragment, "", f.Text}], w.dead[likeness3{"", "", f.Ref, f.Text}]:
		return true
	case f.Fragment != "" && strings.HasPrefix(f.Ref, "#") && w.dead[likeness3{"", f.Fragment, "", f.Text}]:
		return true
	}
	return w.claimed[keyOf(f.Text, f.Sig, f.IsEmbedded, whole)]
}

// Faults returns the broken links that no document has, in the order of their pages.
func (w *Matcher) Faults() []*Fault {
	joined := map[faultKey]*Fault{}
	for key, f := range w.byKey {
		if l := w.Lost(nil, &f.Outcome); l != nil {
			l.Links.Add(int64(f.Pages))
			continue
		}
		if w.isCopy(f) {
			w.Copied += f.Pages
			continue
		}
		key.text = 0 // the text of a link makes no difference any more
		if first := joined[key]; first != nil {
			first.join(f)
		} else {
			joined[key] = f
		}
	}
	var all []*Fault
	for _, f := range joined {
		all = append(all, f)
	}
	order.Sort(all, func(x, y *Fault) int {
		return cmp.Or(comparePages(x.Page, y.Page), cmp.Compare(x.Pos, y.Pos), strings.Compare(x.Ref, y.Ref))
	})
	return oneOfEach(all)
}

// oneOfEach joins the faults of a link that a template makes on each page with another target, such as the
// link to the same page in another language. They are outside of the content, with the same text, each on
// one page alone, and no page has two of them.
func oneOfEach(all []*Fault) []*Fault {
	const least = 3
	type likeness struct {
		what built.What
		in   string
		text uint64
		zone built.Zone
	}
	type family struct {
		members []*Fault
		pages   map[*built.Page]bool
	}
	families := map[likeness]*family{}
	for _, f := range all {
		if f.Zone == built.Content || f.Pages > 1 {
			continue
		}
		key := likeness{f.What, f.In, f.Text, f.Zone}
		one := families[key]
		if one == nil {
			one = &family{pages: map[*built.Page]bool{}}
			families[key] = one
		}
		one.members = append(one.members, f)
		one.pages[f.Page] = true
	}
	isJoined := map[*Fault]bool{}
	for _, one := range families {
		if len(one.members) < least || len(one.pages) < len(one.members) {
			continue
		}
		for _, f := range one.members[1:] { // in the order of their pages
			one.members[0].join(f)
			isJoined[f] = true
		}
		one.members[0].Goals = len(one.members)
	}
	return slices.DeleteFunc(all, func(f *Fault) bool { return isJoined[f] })
}
