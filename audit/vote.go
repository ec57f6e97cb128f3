package audit

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.org/refract/extract/slug"
)

// votes are the fragments that lead to a document: those that are ids of it under GitHub's
// flavour, and those that are not.
type votes struct{ live, dead fragments }

// fragments are packed one after another, since there may be millions.
type fragments []byte

func (f *fragments) add(fragment string) {
	*f = append(binary.AppendUvarint(*f, uint64(len(fragment))), fragment...)
}

func (f fragments) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		for u := (unpacking{in: string(f)}); u.in != ""; {
			if !yield(u.string()) {
				return
			}
		}
	}
}

// takesVotes reports whether fragments that lead to d count in the vote.
func (a *auditor) takesVotes(d *document) bool {
	return d.layout == a.layouts.plain && d.isMarkdown() && !d.isPartial
}

// countOwnVotes looks at the fragments of d that lead to d itself: for each document this
// is done by itself, so that several are looked at at a time.
func (a *auditor) countOwnVotes(d *document) {
	refs := d.unpackedRefs(nil)
	for i := range refs {
		k := &refs[i]
		if k.err != nil || !isOwn(d, k) {
			continue
		}
		if !a.takesVotes(d) {
			d.idsOf(d.layout.slug)
			return
		}
		if t := a.locate(d, k); t.fragment != "" {
			d.countVote(t.fragment)
		}
	}
}

// countVote records whether a fragment that leads to d exists under GitHub's flavour. It is safe for concurrent use.
func (d *document) countVote(fragment string) {
	_, live := d.hit(fragment, slug.GitHub)
	d.memo.mu.Lock()
	defer d.memo.mu.Unlock()
	if d.votes == nil {
		d.votes = new(votes)
	}
	if live {
		d.votes.live.add(fragment)
	} else {
		d.votes.dead.add(fragment)
	}
}

// vote finds the flavour of the documents that no configuration is about: the one under
// which most fragments exist that lead to them, GitHub's if that is as good.
func (a *auditor) vote() {
	if !slices.ContainsFunc(a.docs, a.takesVotes) {
		return
	}
	a.each(a.docs, (*auditor).countVotes)
	a.layouts.plain.slug = a.winner()
	for _, d := range a.docs {
		d.votes = nil
		a.dropIDs(d, d.layout.slug)
	}
}

// manyDocuments is the number of documents from which ids are not kept under flavours that only a vote or a
// suggestion asks for: in a large tree, they would take more memory than everything else.
const manyDocuments = 4096

// dropIDs drops the ids of d except those under a flavour, if there are many documents.
func (a *auditor) dropIDs(d *document, f slug.Flavour) {
	if len(a.docs) < manyDocuments || a.Cache != nil {
		return
	}
	d.dropIDs(f)
}

// dropIDs drops the ids of d except those under a flavour, and what has been derived from them.
func (d *document) dropIDs(f slug.Flavour) {
	d.memo.mu.Lock()
	defer d.memo.mu.Unlock()
	for other, s := range d.ids {
		if other != f && len(d.ids) > 1 {
			delete(d.ids, other)
		} else {
			s.derivedOf(func(k *derivedIDs) { *k = derivedIDs{} })
		}
	}
}

// recentIDs holds the documents that have last got ids under another flavour than their own, if there are many
// documents: those of others are dropped.
type recentIDs struct {
	isLimited bool
	mu        sync.Mutex
	docs      [64]*document
	next      int
}

// add adds d, which gets such ids.
func (r *recentIDs) add(d *document) {
	if !r.isLimited {
		return
	}
	r.mu.Lock()
	if slices.Contains(r.docs[:], d) {
		r.mu.Unlock()
		return
	}
	old := r.docs[r.next]
	r.docs[r.next] = d
	r.next = (r.next + 1) % len(r.docs)
	r.mu.Unlock()
	if old != nil {
		old.dropIDs(old.layout.slug)
	}
}

// countVotes looks at the fragments in d that lead to other documents, while other goroutines do so for other documents.
func (a *auditor) countVotes(d *document) {
	refs := a.refsOf(d)
	for i := range refs {
		k := &refs[i]
		if k.err != nil || strings.IndexByte(k.ref, '#') < 0 || isOwn(d, k) {
			continue
		}
		t := a.locate(d, k)
		if !t.inside || t.encoded || t.fragment == "" {
			continue
		}
		if to := a.byPath[t.roots[0]+"/"+strings.Join(t.components, "/")]; to != nil && a.takesVotes(to) {
			to.countVote(t.fragment)
		}
	}
}

// docsWith returns the documents for which is holds.
func (a *auditor) docsWith(is func(*votes) bool) (docs []*document) {
	for _, d := range a.docs {
		if d.votes != nil && is(d.votes) {
			docs = append(docs, d)
		}
	}
	return docs
}

// gains returns, for each flavour, how many fragments of docs that are dead under GitHub's exist under it. It examines
// several documents at a time. The ids that it makes are asked for later, too.
func (a *auditor) gains(docs []*document) map[slug.Flavour]int {
	gains := map[slug.Flavour]int{}
	var mu sync.Mutex
	a.each(docs, func(_ *auditor, d *document) {
		d.source()
		defer d.bytes.Store(nil)
		for _, f := range flavours() {
			gain := 0
			for fragment := range d.votes.dead.all() {
				if _, ok := d.hit(fragment, f); ok {
					gain++
				}
			}
			mu.Lock()
			gains[f] += gain
			mu.Unlock()
		}
		a.dropIDs(d, slug.GitHub)
	})
	return gains
}

// winner returns the flavour under which most fragments exist, of those that do and that do
// not under GitHub's. What another flavour gains is among the dead, and they are few; if it loses
// as many, it is out of the question.
func (a *auditor) winner() slug.Flavour {
	best, winner := 0, slug.GitHub
	gains := a.gains(a.docsWith(func(v *votes) bool { return len(v.dead) > 0 }))
	losses := a.losses(a.docsWith(func(v *votes) bool { return len(v.live) > 0 }), gains)
	for _, f := range flavours() {
		if gain := gains[f] - losses[f]; gain > best {
			best, winner = gain, f
		}
	}
	return winner
}

// losses returns, for each flavour that gains something, how many fragments of docs that exist under GitHub's flavour do
// not under it. It examines several documents at a time, and stops counting for a flavour that has lost what it gains.
func (a *auditor) losses(docs []*document, gains map[slug.Flavour]int) map[slug.Flavour]int {
	type count struct {
		f    slug.Flavour
		lost atomic.Int64
		most int64
	}
	var counts []*count
	for _, f := range flavours() {
		if gains[f] > 0 {
			counts = append(counts, &count{f: f, most: int64(gains[f])})
		}
	}
	if len(counts) == 0 {
		return nil
	}
	a.each(docs, func(_ *auditor, d *document) {
		anchors, ids := d.anchorList(), d.idsOf(slug.GitHub)
		for fragment := range d.votes.live.all() {
			k := anchorAt(anchors, ids.line(fragment))
			for _, c := range counts {
				if c.lost.Load() >= c.most || k != nil && k.makes(fragment, c.f) {
					continue
				}
				if _, ok := d.hit(fragment, c.f); !ok {
					c.lost.Add(1)
				}
			}
		}
		a.dropIDs(d, slug.GitHub)
	})
	losses := map[slug.Flavour]int{}
	for _, c := range counts {
		losses[c.f] = int(c.lost.Load())
	}
	return losses
}

// anchorAt returns the first of anchors, which are in order, in a line, or nil if there is none.
func anchorAt(anchors []anchor, line int) *anchor {
	i, ok := slices.BinarySearchFunc(anchors, line, func(k anchor, line int) int { return k.line - line })
	if !ok {
		return nil
	}
	return &anchors[i]
}

// makes reports whether an id exists in a Markdown document because k is there, under a flavour. If another anchor has the
// id, a number is added to that of k, but the id exists. To ask one heading takes a fraction of the time of making all ids.
func (k *anchor) makes(id string, f slug.Flavour) bool {
	switch reads := readsAttributes(f); {
	case k.heading == nil, reads && k.name != "":
		return k.name == id
	case reads:
		return f.Slug(withoutAttributes(*k.heading)) == id
	}
	return f.Slug(*k.heading) == id
}
