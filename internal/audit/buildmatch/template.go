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
)

// A Fault is a link that leads nowhere and is made of no reference of a document: one of a template, of a component, or of a page
// that has no document. It counts once, however many pages have it.
type Fault struct {
	built.Link             // in Page
	Page       *built.Page // an example: the first page by name
	Pages      int         // that have it
	Docs       int         // of Pages, those that have a document
	// Doc is the document of all of them, if it is one; else nil.
	Doc *doc.Document
	// Goals is how many places the link leads to, if a template makes it with another one in each page; else 0.
	Goals int
	// Place is where the link is written, in a template or a configuration; zero if that is not known. FindPlaces sets it.
	Place Place
}

// Faults are the links that lead nowhere and no document has.
type faults struct {
	mu    sync.Mutex
	byKey map[faultKey]*Fault
	dead  map[likeness3]bool // what references lead to in vain
	urls  map[string]bool    // what entries of the navigation lead to in vain
	// Dropped is how many links are not counted, since there are too many different ones.
	Dropped int
	// Copied is how many links repeat one that is made of a reference of a document: in lists, in print, in other versions.
	Copied int
	// Templates is how many pages are templates of a theme, which the build has copied. Their links are not checked.
	Templates int
}

// isTemplate reports whether the text of a page is a piece of a template: it has tags or expressions of one, and is no whole
// page, in which these may be examples.
func isTemplate(text []byte) bool {
	isTagged := bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%"))
	return isTagged && !wholePage.Match(text)
}

var wholePage = lazy.New(`(?i)<(?:html|!doctype)\b`)

// maxFaults limits the different links that are kept.
const maxFaults = 100_000

// A faultKey is what links have in common that are reported together: where they lead to or, if they lead elsewhere from each
// page, how they are written.
type faultKey struct {
	what               built.What
	url, fragment, ref string
	text               uint64
}

// A likeness3 is what a copy of a link has in common with it: the text, and where it leads or, since a relative link leads
// elsewhere from another page, how it is written.
type likeness3 struct {
	url, fragment, ref string
	text               uint64
}

// IsDead reports whether a link leads to what is not there.
func IsDead(k *built.Link) bool { return k.What == built.NoPage || k.What == built.NoID }

// isShown reports whether a link of p is one that its readers can follow: not one that only scripts read, and of the page for
// URLs that do not exist, which is shown at any of them, none that is relative, unless the page is based: has a base element. A link
// to an id is meant for the page itself, which a base element prevents; that is no reason to report each heading of it.
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

// add adds links of p, which is made of d, that are made of no reference and lead nowhere.
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

// addDead notes that a reference of a document became a link that leads nowhere.
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

// AddDeadEntry notes that an entry of the navigation, or a link in front matter, leads to a URL in vain: a theme makes links of it.
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

// isCopy reports whether a fault repeats a link that is made of a reference of a document, or of an entry of the navigation. A page with all others in it, for print,
// has links to ids of itself in place of those to other pages.
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

// Faults returns the links that no document has and that lead nowhere, in the order of their pages.
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
	slices.SortFunc(all, func(x, y *Fault) int {
		return cmp.Or(comparePages(x.Page, y.Page), cmp.Compare(x.Pos, y.Pos), strings.Compare(x.Ref, y.Ref))
	})
	return oneOfEach(all)
}

// oneOfEach joins the faults of a link that a template makes in each page with another target, such as that to the same page in
// another language: outside of the content, with the same text, each in one page alone, and no page with two of them.
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
