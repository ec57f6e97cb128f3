package infer

import (
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/site"
)

// doubted counts how many links of each form are broken on a site by the rules of its generator, and how
// many fragments name no id of their own document. If there are many, the rules are more likely wrong than
// the links: unread code changes what they mean.
type doubted struct {
	a       *Inference
	stride  int // one of so many documents is counted
	docs    int
	counts  map[lead.FormKey]*lead.Doubt
	landing lead.Landing
	last    *doc.Document // that has been seen
}

func (l *doubted) takes(d *doc.Document) bool {
	if d.Layout.Generated == nil && !d.IsMarkdown() && !d.IsHTML() {
		return false
	}
	if l.last != nil {
		l.a.DropIDs(l.last, l.last.Layout.Slug) // what has been derived from them
		l.last = nil
	}
	l.docs++
	return l.docs%l.stride == 0
}

func (l *doubted) see(d *doc.Document, ref *doc.Reference) {
	if ref.Err != nil || doc.IsTemplate([]byte(ref.Ref)) {
		return
	}
	if fragment, ok := strings.CutPrefix(ref.Ref, "#"); ok {
		l.seeFragment(d, fragment)
		return
	}
	if d.Layout.Generated == nil {
		l.seeFile(d, ref)
		return
	}
	l.a.LeadTo(d, ref, &l.landing)
	if l.landing.How != lead.BySite || l.landing.State == site.Unknown || l.landing.Result.Case || l.isExplained(d, ref, l.landing.Use, &l.landing.Result) {
		return
	}
	l.count(l.a.KeyOf(d, ref), l.landing.State)
}

// seeFile counts a link of a document of no known generator, if it may be no path of a file.
func (l *doubted) seeFile(d *doc.Document, ref *doc.Reference) {
	if !lead.MayBeURL(d, ref) || lead.IsOwn(d, ref) {
		return
	}
	l.a.LeadTo(d, ref, &l.landing)
	if l.landing.How != lead.Nowhere && l.landing.State != site.Unknown && !l.landing.Target.Outside {
		l.count(l.a.KeyOf(d, ref), l.landing.State)
	}
}

// seeFragment counts a fragment that points to d itself.
func (l *doubted) seeFragment(d *doc.Document, fragment string) {
	isSite := d.Layout.Generated != nil
	if fragment == "" || isSite && (!d.IsMarkdown() || d.Layout.Loose) || !isSite && (!d.IsHTML() || d.IsDrawing()) {
		return
	}
	l.last = d
	if _, isLive := d.IDs().Hit(fragment); isLive {
		l.count(l.a.IDKeyOf(d), site.Found)
	} else if !isSite || d.IDs().IsSimilar(fragment) {
		l.count(l.a.IDKeyOf(d), site.Missing)
	}
}

func (l *doubted) count(at lead.FormKey, state site.State) {
	c := l.counts[at]
	if c == nil {
		c = new(lead.Doubt)
		l.counts[at] = c
	}
	c.All++
	if state == site.Missing {
		c.Missing++
	}
}

// seeNavigation counts the entries of the navigation.
func (l *doubted) seeNavigation() {
	for _, d := range slices.Concat(l.a.Sorted, l.a.Navigation) {
		for i := range d.Nav {
			e := &d.Nav[i]
			if e.Result.State != site.Unknown && !e.Result.Case && !l.isExplained(d, &e.Reference, site.Use{}, &e.Result) {
				l.count(l.a.KeyOf(d, &e.Reference), e.Result.State)
			}
		}
	}
}

// isExplained reports whether it is known why ref is broken: pages are in another directory, or are made of
// files outside the tree.
func (l *doubted) isExplained(d *doc.Document, ref *doc.Reference, u site.Use, res *site.Result) bool {
	s := d.Layout.Generated
	return res.State == site.Missing && (l.a.MappedTo(s, res) != "" || l.a.MadeDir(s, u, ref.Ref, res) != "")
}

func (l *doubted) learn() { l.seeNavigation() }

// sampleSize is the least number of documents in the sample of a large tree.
const sampleSize = 100

// learnDoubts takes a sample first, which is enough for nearly all trees. If there was an earlier state of
// the tree, its doubts apply today: links that a change breaks are no reason for new doubts.
func (a *Inference) learnDoubts() {
	if a.DoubtedBefore == nil && !a.isSuspicious() || a.DoubtedBefore != nil && len(a.DoubtedBefore) == 0 {
		return
	}
	whole := &doubted{a: a, stride: 1, counts: map[lead.FormKey]*lead.Doubt{}}
	a.pass(whole)
	for at, c := range whole.counts {
		isDoubt := c.IsDoubt()
		if a.DoubtedBefore != nil {
			isDoubt = a.DoubtedBefore[at.In(at.Config())]
		}
		if isDoubt {
			a.Doubted[at] = *c
		}
	}
}

// isSuspicious reports whether many links of a form point nowhere in a sample.
func (a *Inference) isSuspicious() bool {
	sample := &doubted{a: a, stride: 1 + len(a.Sorted)/sampleSize/2, counts: map[lead.FormKey]*lead.Doubt{}}
	a.pass(sample)
	for _, c := range sample.counts {
		if c.Missing > 1 && 4*c.Missing > c.All {
			return true
		}
	}
	return false
}
