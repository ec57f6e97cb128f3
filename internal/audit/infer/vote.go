package infer

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.org/refract/extract/slug"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/each"
)

// takesVotes reports whether fragments that point to d count in the vote.
func (a *Inference) takesVotes(d *doc.Document) bool {
	return d.Layout == a.Layouts.Plain && d.IsMarkdown() && !d.IsPartial
}

// CountOwnVotes examines the fragments of d that point to d itself. It looks at no other document, so
// several documents can be examined in parallel.
func (a *Inference) CountOwnVotes(d *doc.Document) {
	refs := d.UnpackedRefs(nil)
	if a.CountsDots {
		d.CountDots(refs)
	}
	for i := range refs {
		ref := &refs[i]
		if !lead.IsOwn(d, ref) {
			continue
		}
		t, ok := a.Aim(d, ref)
		switch {
		case !ok:
		case !a.takesVotes(d):
			d.IDs()
			return
		case t.Fragment != "":
			d.CountVote(t.Fragment)
		}
	}
}

// vote finds the algorithm of the documents that no configuration covers: the one under which most
// fragments that point to them exist, or GitHub's if that is as good.
func (a *Inference) vote() {
	if !slices.ContainsFunc(a.Docs, a.takesVotes) {
		return
	}
	each.With(a.Context, a.Jobs, a.Docs, func() func(*doc.Document) {
		var scratch doc.Scratch
		return func(d *doc.Document) { a.countVotes(d, scratch.Of(d)) }
	})
	a.Layouts.Plain.Slug = a.winner()
	for _, d := range a.Docs {
		d.Votes = nil
		a.DropIDs(d, d.Layout.Slug)
	}
}

// DropIDs drops the ids of d except those under an algorithm, if there are many documents.
func (a *Inference) DropIDs(d *doc.Document, f slug.Algorithm) {
	if !a.DropsIDs {
		return
	}
	d.DropIDs(f)
}

// countVotes looks at the fragments in the references of d that point to other documents, while other
// goroutines do so for other documents.
func (a *Inference) countVotes(d *doc.Document, refs []doc.Reference) {
	for i := range refs {
		ref := &refs[i]
		if strings.IndexByte(ref.Ref, '#') < 0 || lead.IsOwn(d, ref) {
			continue
		}
		t, ok := a.Aim(d, ref)
		if !ok || !t.Inside || t.Encoded || t.Fragment == "" {
			continue
		}
		if to := a.ByPath[t.Roots[0]+"/"+strings.Join(t.Components, "/")]; to != nil && a.takesVotes(to) {
			to.CountVote(t.Fragment)
		}
	}
}

// docsWith returns the documents for which is holds.
func (a *Inference) docsWith(is func(*doc.Votes) bool) (docs []*doc.Document) {
	for _, d := range a.Docs {
		if d.Votes != nil && is(d.Votes) {
			docs = append(docs, d)
		}
	}
	return docs
}

// rarer are algorithms that have to gain many: that of VuePress, whose configuration some projects keep in another
// repository, and one that programs of a project's own use.
var rarer = []slug.Algorithm{slug.VuePress, slug.Sindresorhus}

// candidates returns the algorithms of the vote: those of programs that read trees without a configuration, and rarer.
func candidates() []slug.Algorithm { return append(doc.Algorithms(), rarer...) }

// gains returns, for each algorithm, how many fragments of docs that are dead under GitHub's exist under
// it. It examines several documents at a time. The ids that it makes are also needed later.
func (a *Inference) gains(docs []*doc.Document) map[slug.Algorithm]int {
	gains := map[slug.Algorithm]int{}
	var mu sync.Mutex
	each.Do(a.Context, a.Jobs, docs, func(d *doc.Document) {
		d.Source()
		defer d.Bytes.Store(nil)
		for _, f := range candidates() {
			gain := 0
			for fragment := range d.Votes.Dead.All() {
				if _, ok := d.IDsOf(f).Hit(fragment); ok {
					gain++
				}
			}
			mu.Lock()
			gains[f] += gain
			mu.Unlock()
		}
		a.DropIDs(d, slug.GitHub)
	})
	return gains
}

// winner returns the algorithm with the most fragments that exist under it but not under GitHub's, less
// those that exist only under GitHub's. What another algorithm gains is among the dead, and they are few;
// if it loses as many, it is out of the question.
func (a *Inference) winner() slug.Algorithm {
	best, winner := 0, slug.GitHub
	gains := a.gains(a.docsWith(func(v *doc.Votes) bool { return len(v.Dead) > 0 }))
	losses := a.losses(a.docsWith(func(v *doc.Votes) bool { return len(v.Live) > 0 }), gains)
	for _, f := range candidates() {
		const many = 20
		if gain := gains[f] - losses[f]; gain > best && (gain >= many || !slices.Contains(rarer, f)) {
			best, winner = gain, f
		}
	}
	return winner
}

// losses returns, for each algorithm that gains something, how many fragments of docs that exist under
// GitHub's algorithm do not exist under it. It examines several documents at a time, and stops counting for
// an algorithm that has lost what it gains.
func (a *Inference) losses(docs []*doc.Document, gains map[slug.Algorithm]int) map[slug.Algorithm]int {
	type count struct {
		f    slug.Algorithm
		lost atomic.Int64
		most int64
	}
	var counts []*count
	for _, f := range candidates() {
		if gains[f] > 0 {
			counts = append(counts, &count{f: f, most: int64(gains[f])})
		}
	}
	if len(counts) == 0 {
		return nil
	}
	each.Do(a.Context, a.Jobs, docs, func(d *doc.Document) {
		anchors, ids := d.AnchorList(), d.IDsOf(slug.GitHub)
		for fragment := range d.Votes.Live.All() {
			k := anchorAt(anchors, ids.Line(fragment))
			for _, c := range counts {
				if c.lost.Load() >= c.most || k != nil && k.Makes(fragment, c.f) {
					continue
				}
				if _, ok := d.IDsOf(c.f).Hit(fragment); !ok {
					c.lost.Add(1)
				}
			}
		}
		a.DropIDs(d, slug.GitHub)
	})
	losses := map[slug.Algorithm]int{}
	for _, c := range counts {
		losses[c.f] = int(c.lost.Load())
	}
	return losses
}

// anchorAt returns the first of anchors, which are in order, in a line, or nil if there is none.
func anchorAt(anchors []doc.Anchor, line int) *doc.Anchor {
	i, ok := slices.BinarySearchFunc(anchors, line, func(k doc.Anchor, line int) int { return k.Line - line })
	if !ok {
		return nil
	}
	return &anchors[i]
}
