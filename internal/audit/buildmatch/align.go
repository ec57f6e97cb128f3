package buildmatch

import (
	"slices"
	"sort"

	"example.org/refract/internal/audit/built"
)

// An alignment says which link each reference became.
//
// The verdict on a reference depends only on the target of its link. So if a reference may have become one
// of several links, it can be checked if all of them have the same target, and is not checked otherwise.
type alignment struct {
	uses  []use
	links []built.Link
	to    []int32 // by use: a link, or one of the following
	taken []bool  // by link
}

const (
	isOpen    = -1 - iota // not aligned yet
	isAbsent              // nothing in the page is like it
	isUnclear             // several links are like it, and point to different places
)

// align aligns the references of a document with the links of its page. It takes time n log n.
func align(uses []use, links []built.Link) *alignment {
	a := &alignment{uses: uses, links: links, to: make([]int32, len(uses)), taken: make([]bool, len(links))}
	var open, free []int32
	for i := range uses {
		a.to[i] = isOpen
		if !uses[i].isFloating {
			open = append(open, int32(i))
		}
	}
	for i := range links {
		if links[i].Zone == built.Content && !links[i].IsHidden {
			free = append(free, int32(i))
		}
	}
	// First those that agree in everything: they are in the right place wherever they are, and divide the rest.
	a.pair(open, free, whole)
	a.inGaps(open, free)
	a.float(free)
	a.outside()
	a.finish()
	return a
}

// A likeness says in what a reference and its link agree.
type likeness uint8

const (
	whole    likeness = iota // in text and target
	byTarget                 // in the target
	byText                   // in the text
)

// A likeKey is what both have in common. The zero likeKey is nothing.
type likeKey struct {
	text, sig  uint64
	isEmbedded bool
}

func keyOf(text, sig uint64, isEmbedded bool, by likeness) (k likeKey) {
	switch {
	case by == whole && text != 0 && sig != 0:
		return likeKey{text, sig, isEmbedded}
	case by == byTarget && sig != 0:
		return likeKey{0, sig, isEmbedded}
	case by == byText && text != 0:
		return likeKey{text, 0, isEmbedded}
	}
	return k
}

func (a *alignment) keyOfUse(i int32, by likeness) likeKey {
	u := &a.uses[i]
	return keyOf(u.text, u.sig, u.isEmbedded, by)
}

func (a *alignment) keyOfLink(i int32, by likeness) likeKey {
	k := &a.links[i]
	return keyOf(k.Text, k.Sig, k.IsEmbedded, by)
}

// pair aligns open references with free links, both in order, where they agree and there is no doubt. There
// are as many references as links, or all links have the same target.
func (a *alignment) pair(open, free []int32, by likeness) {
	having := map[likeKey][]int32{}
	for _, i := range open {
		if k := a.keyOfUse(i, by); a.to[i] == isOpen && k != (likeKey{}) {
			having[k] = append(having[k], i)
		}
	}
	if len(having) == 0 {
		return
	}
	like := make(map[likeKey][]int32, len(having))
	for _, j := range free {
		k := a.keyOfLink(j, by)
		if a.taken[j] || having[k] == nil {
			continue
		}
		like[k] = append(like[k], j)
	}
	for k, links := range like {
		uses := having[k]
		if !a.isCertain(uses, links) {
			continue
		}
		for n, i := range uses {
			a.set(i, links[min(n, len(links)-1)])
		}
		if len(links) > len(uses) && by == whole { // further links like these are made of the same references
			for _, j := range links[len(uses):] {
				a.taken[j] = true
			}
		}
	}
}

// isCertain reports whether it does not matter, or is certain, which of some references became which of some links.
func (a *alignment) isCertain(uses, links []int32) bool {
	switch {
	case a.leadToSame(links):
		return len(uses) <= len(links) || a.areSame(uses)
	case len(uses) != len(links):
		return false
	}
	led := make(map[uint64]int32, len(uses)) // the same reference points to the same place
	for n, i := range uses {
		j, ok := led[a.uses[i].raw]
		if ok && !a.leadToSame([]int32{j, links[n]}) {
			return false
		}
		led[a.uses[i].raw] = links[n]
	}
	return true
}

// areSame reports whether references are the same as they are written.
func (a *alignment) areSame(uses []int32) bool {
	for _, i := range uses[1:] {
		if a.uses[i].raw != a.uses[uses[0]].raw {
			return false
		}
	}
	return true
}

func (a *alignment) set(i, j int32) {
	a.to[i], a.taken[j] = j, true
}

// leadToSame reports whether links point to the same place.
func (a *alignment) leadToSame(links []int32) bool {
	first := &a.links[links[0]].Outcome
	for _, j := range links[1:] {
		o := &a.links[j].Outcome
		if o.What != first.What || o.URL != first.URL || o.Fragment != first.Fragment {
			return false
		}
	}
	return true
}

// inGaps aligns what is between references that are aligned: the longest chain of them that is in order on both sides.
func (a *alignment) inGaps(open, free []int32) {
	chain := a.chain(open)
	n, m := 0, 0 // in open, free
	for k := 0; k <= len(chain); k++ {
		endUse, endLink := int32(len(a.uses)), int32(len(a.links))
		if k < len(chain) {
			endUse, endLink = chain[k], a.to[chain[k]]
		}
		from, first := n, m
		for n < len(open) && open[n] < endUse {
			n++
		}
		for m < len(free) && free[m] < endLink {
			m++
		}
		for _, by := range []likeness{whole, byTarget, byText} {
			if from == n || first == m {
				break
			}
			a.pair(open[from:n], free[first:m], by)
		}
	}
	// What is out of order: tabs, notes and tables of contents change it. The target alone must then be enough.
	a.pair(open, free, whole)
	a.pair(open, free, byTarget)
}

// chain returns the references of the longest chain of pairs that is in order on both sides.
func (a *alignment) chain(open []int32) []int32 {
	var tails []int32 // the last reference of the best chain of each length
	before := make(map[int32]int32, len(open))
	for _, i := range open {
		j := a.to[i]
		if j < 0 {
			continue
		}
		n := sort.Search(len(tails), func(n int) bool { return a.to[tails[n]] >= j })
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	chain := make([]int32, len(tails))
	i := tails[len(tails)-1]
	for n := len(tails) - 1; n >= 0; n-- {
		chain[n] = i
		i = before[i]
	}
	return chain
}

// float aligns definitions, which stand elsewhere than where they are used, with all links that have the
// same target. Links that references beside them became do not count, unless nothing else is left.
func (a *alignment) float(free []int32) {
	wanted, like := map[uint64][]int32{}, map[uint64][]int32{} // by signature
	for i := range a.uses {
		if u := &a.uses[i]; u.isFloating && u.sig != 0 {
			wanted[u.sig] = append(wanted[u.sig], int32(i))
		}
	}
	for _, j := range free {
		if sig := a.links[j].Sig; wanted[sig] != nil {
			like[sig] = append(like[sig], j)
		}
	}
	for sig, links := range like {
		uses := wanted[sig]
		left := slices.DeleteFunc(slices.Clone(links), func(j int32) bool { return a.taken[j] })
		switch {
		case !a.areSame(uses):
			continue
		case len(left) > 0 && a.leadToSame(left):
			links = left
		case !a.leadToSame(links):
			continue
		}
		for _, i := range uses {
			a.to[i] = links[0]
		}
		for _, j := range links {
			a.taken[j] = true
		}
	}
}

// outside aligns what is left with links around the content, outside of navigation: they must agree in text and target.
func (a *alignment) outside() {
	var open, free []int32
	for i := range a.uses {
		if a.to[i] == isOpen && !a.uses[i].isFloating {
			open = append(open, int32(i))
		}
	}
	for j := range a.links {
		if a.links[j].Zone == built.Other && !a.links[j].IsHidden {
			free = append(free, int32(j))
		}
	}
	if len(open) > 0 && len(free) > 0 {
		a.pair(open, free, whole)
	}
}

// finish says why the other references are not aligned.
func (a *alignment) finish() {
	like := map[likeKey]bool{}
	for j := range a.links {
		if k := &a.links[j]; k.Zone != built.Nav {
			like[a.keyOfLink(int32(j), byTarget)] = true
			like[a.keyOfLink(int32(j), byText)] = true
		}
	}
	delete(like, likeKey{})
	for i := range a.to {
		if a.to[i] != isOpen {
			continue
		}
		a.to[i] = isAbsent
		if like[a.keyOfUse(int32(i), byTarget)] || like[a.keyOfUse(int32(i), byText)] {
			a.to[i] = isUnclear
		}
	}
}
