package survey

import (
	"strings"

	"example.org/refract/internal/audit/doc"
)

// leastSpelled is the least number of fragments that follow other rules from which to infer that all ids of a site do.
const leastSpelled = 20

// spelled finds the sites whose ids do not follow the rules of their generator: a plugin or a component makes them. Most fragments in a
// document to itself differ from the ids of its headings, but have the same letters and digits.
type spelled struct {
	*Surveyor
	counts map[*doc.Layout]*spelledCount
	last   *doc.Document // that has been seen
}

type spelledCount struct{ all, similar int }

func (l *spelled) takes(d *doc.Document) bool {
	if l.last != nil {
		l.DropIDs(l.last, l.last.Layout.Slug) // what has been derived from them
	}
	l.last = d
	return d.Layout.Generated != nil && !d.Layout.Loose && d.IsMarkdown()
}

func (l *spelled) see(d *doc.Document, k *doc.Reference) {
	fragment, ok := strings.CutPrefix(k.Ref, "#")
	if !ok || fragment == "" {
		return
	}
	c := l.counts[d.Layout]
	if c == nil {
		c = new(spelledCount)
		l.counts[d.Layout] = c
	}
	c.all++
	if _, isLive := d.IDs().Hit(fragment); !isLive && d.IDs().IsSimilar(fragment) {
		c.similar++
	}
}

func (l *spelled) learn() {
	for layout, c := range l.counts {
		layout.Loose = layout.Loose || c.similar >= leastSpelled && 2*c.similar > c.all
	}
}
