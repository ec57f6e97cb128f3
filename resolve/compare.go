package resolve

import "slices"

// An Outcome is what some sets of rules make of one reference.
type Outcome struct {
	URL    string // what Append appends
	Result Result // under the first of Rules

	Rules []string   // the names of the rules that give it, as Rules.String has them
	Knobs [][]string // what makes the difference to the first Outcome, which has none: see Compare
}

// same reports whether x and y are the same result; the steps that led to it may differ.
func (x *Outcome) same(y *Outcome) bool {
	return x.URL == y.URL && x.Result.InError == y.Result.InError && x.Result.SameDocument() == y.Result.SameDocument()
}

func (r Rules) outcome(base string, ref []byte) *Outcome {
	url, res := r.Resolver(base).Append(nil, ref)
	return &Outcome{URL: string(url), Result: res}
}

// Compare resolves ref against base under r and under all rules of RFCs and drafts
// that have a name; [Readings] compares with browsers, which have no knobs.
// It returns the distinct results, that of r first and the others in the order of
// [Names]; a single one means that all agree.
//
// The Knobs of another result are found by turning those of r towards the first
// rules that give it. Each element is one way: every single knob that does it, or
// else every two. Where more are needed, it is one way: all that differ, less what
// can be left out of them.
func (r Rules) Compare(base string, ref []byte) []*Outcome {
	first := r.outcome(base, ref)
	first.Rules = []string{r.String()}
	all := []*Outcome{first}
	for _, n := range named {
		if n.rules == r || n.rules.Browser {
			continue
		}
		o := n.rules.outcome(base, ref)
		i := slices.IndexFunc(all, o.same)
		if i < 0 {
			i = len(all)
			o.Knobs = r.turns(n.rules, func(turned Rules) bool { return o.same(turned.outcome(base, ref)) })
			all = append(all, o)
		}
		all[i].Rules = append(all[i].Rules, n.name)
	}
	return all
}

// turns names the smallest sets of knobs of r that have to be turned to where other
// has them for enough to hold, which holds of other.
func (r Rules) turns(other Rules, enough func(Rules) bool) (ways [][]string) {
	differ := r.differing(other)
	try := func(knobs ...*knob) bool {
		turned := r
		var names []string
		for _, k := range knobs {
			k.set(&turned, other.get(k))
			names = append(names, k.Name)
		}
		if !enough(turned) {
			return false
		}
		ways = append(ways, names)
		return true
	}
	for _, k := range differ {
		try(k)
	}
	if len(ways) > 0 {
		return ways
	}
	for i, k := range differ {
		for _, l := range differ[i+1:] {
			try(k, l)
		}
	}
	if len(ways) > 0 {
		return ways
	}
	try(differ...)
	for i := 0; i < len(differ); {
		if rest := slices.Delete(slices.Clone(differ), i, i+1); try(rest...) {
			differ = rest
		} else {
			i++
		}
	}
	return ways[len(ways)-1:] // the last is the smallest
}

// differing returns the knobs in which r and other differ.
func (r Rules) differing(other Rules) (list []*knob) {
	for i := range knobs {
		if k := &knobs[i]; r.get(k) != other.get(k) {
			list = append(list, k)
		}
	}
	return list
}

// get returns the index of the value of one knob.
func (r Rules) get(k *knob) int {
	for i := range k.Values {
		turned := r
		k.set(&turned, i)
		if turned == r {
			return i
		}
	}
	return -1
}
