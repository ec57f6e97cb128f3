package audit

import (
	"slices"
	"strings"

	"example.org/refract/extract/slug"
)

// votes are the fragments that lead to a document: those that are ids of it under GitHub's
// flavour, and those that are not.
type votes struct{ live, dead []string }

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

// countVote records whether a fragment that leads to d exists under GitHub's flavour.
func (d *document) countVote(fragment string) {
	if _, live := d.hit(fragment, slug.GitHub); live {
		d.votes.live = append(d.votes.live, fragment)
	} else {
		d.votes.dead = append(d.votes.dead, fragment)
	}
}

// vote finds the flavour of the documents that no configuration is about: the one under
// which most fragments exist that lead to them, GitHub's if that is as good.
func (a *auditor) vote() {
	if !slices.ContainsFunc(a.docs, a.takesVotes) {
		return
	}
	for _, d := range a.docs {
		a.countVotes(d)
	}
	var live, dead []ballot
	for _, d := range a.docs {
		for _, fragment := range d.votes.live {
			live = append(live, ballot{d, fragment})
		}
		for _, fragment := range d.votes.dead {
			dead = append(dead, ballot{d, fragment})
		}
		d.votes = votes{}
	}
	a.makeIDs(dead)
	a.layouts.plain.slug = winner(live, dead)
}

// A ballot is a fragment that leads to a document.
type ballot struct {
	d        *document
	fragment string
}

// countVotes looks at the fragments in d that lead to other documents.
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

// makeIDs makes the ids under all flavours of documents that dead fragments lead to. They
// are asked for anyway: to make them here, of several documents at a time, saves a
// twentieth of a run.
func (a *auditor) makeIDs(dead []ballot) {
	var docs []*document
	seen := map[*document]bool{}
	for _, b := range dead {
		if !seen[b.d] {
			seen[b.d] = true
			docs = append(docs, b.d)
		}
	}
	a.each(docs, func(d *document) {
		for _, f := range flavours() {
			d.idsOf(f)
		}
	})
}

// winner returns the flavour under which most fragments exist, of those that do and that do
// not under GitHub's. What another flavour gains is among the dead, and they are few; as
// soon as it has lost as many it is out of the question. So most slugs are never made.
func winner(live, dead []ballot) slug.Flavour {
	best, winner := 0, slug.GitHub
	for _, f := range flavours() {
		gain := 0
		for _, b := range dead {
			if _, ok := b.d.hit(b.fragment, f); ok {
				gain++
			}
		}
		for _, b := range live {
			if gain <= best {
				break
			}
			if _, ok := b.d.hit(b.fragment, f); !ok {
				gain--
			}
		}
		if gain > best {
			best, winner = gain, f
		}
	}
	return winner
}
