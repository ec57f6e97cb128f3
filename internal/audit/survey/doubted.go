package survey

import (
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/site"
)

// doubted counts how many links of each form lead nowhere on a site by the rules of its generator. If these are many, the rules are more
// likely wrong than the links: code that is not read changes what they mean.
type doubted struct {
	*Surveyor
	stride  int // one of so many documents is counted
	docs    int
	counts  map[lead.FormKey]*lead.Doubt
	landing lead.Landing
}

func (l *doubted) takes(d *doc.Document) bool {
	if d.Layout.Generated == nil {
		return false
	}
	l.docs++
	return l.docs%l.stride == 0
}

func (l *doubted) see(d *doc.Document, k *doc.Reference) {
	if k.Err != nil || strings.HasPrefix(k.Ref, "#") || doc.IsTemplate([]byte(k.Ref)) {
		return
	}
	l.LeadTo(d, k, &l.landing)
	if l.landing.How != lead.BySite || l.landing.State == site.Unknown || l.landing.Result.Case || l.isExplained(d, k, l.landing.Use, &l.landing.Result) {
		return
	}
	l.count(d, k, l.landing.State)
}

func (l *doubted) count(d *doc.Document, k *doc.Reference, state site.State) {
	at := lead.KeyOf(d, k)
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
	for _, d := range slices.Concat(l.Sorted, l.Navigation) {
		for i := range d.Nav {
			e := &d.Nav[i]
			if e.Result.State != site.Unknown && !e.Result.Case && !l.isExplained(d, &e.Reference, site.Use{}, &e.Result) {
				l.count(d, &e.Reference, e.Result.State)
			}
		}
	}
}

// isExplained reports whether it is known why k leads nowhere: pages are in another directory, or are made of files outside the tree.
func (l *doubted) isExplained(d *doc.Document, k *doc.Reference, u site.Use, res *site.Result) bool {
	s := d.Layout.Generated
	return res.State == site.Missing && (l.MappedTo(s, res) != "" || l.MadeDir(s, u, k.Ref, res) != "")
}

func (l *doubted) learn() { l.seeNavigation() }

// sampleSize is the least number of documents in the sample of a large tree.
const sampleSize = 100

// learnDoubts takes a sample first, which is enough for nearly all trees. If there was an earlier state of the tree, its doubts are those of
// today: what a change breaks is no reason for others.
func (a *Surveyor) learnDoubts() {
	if a.DoubtedBefore == nil && !a.isSuspicious() || a.DoubtedBefore != nil && len(a.DoubtedBefore) == 0 {
		return
	}
	whole := &doubted{Surveyor: a, stride: 1, counts: map[lead.FormKey]*lead.Doubt{}}
	a.pass(whole)
	for at, c := range whole.counts {
		isDoubt := c.IsDoubt()
		if a.DoubtedBefore != nil {
			isDoubt = a.DoubtedBefore[lead.ConfigForm{Config: at.Site.Config, Written: at.Written}]
		}
		if isDoubt {
			a.Doubted[at] = *c
		}
	}
}

// isSuspicious reports whether many links of a form lead nowhere in a sample.
func (a *Surveyor) isSuspicious() bool {
	sample := &doubted{Surveyor: a, stride: 1 + len(a.Sorted)/sampleSize/2, counts: map[lead.FormKey]*lead.Doubt{}}
	a.pass(sample)
	for _, c := range sample.counts {
		if c.Missing > 1 && 4*c.Missing > c.All {
			return true
		}
	}
	return false
}
