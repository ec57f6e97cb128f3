package resolve

import "slices"

// An Outcome is the result of one reference under one or more sets of rules.
type Outcome struct {
	URL    string // what Append appends
	Result Result // under the first of Rules

	Rules   []string   // the names of the rules with this result, as Rules.String returns them
	Options [][]string // names of the options that differ from the first Outcome: see Compare
}

// same reports whether x and y are the same result; the steps that led to them may differ.
func (x *Outcome) same(y *Outcome) bool {
	return x.URL == y.URL && x.Result.InError == y.Result.InError && x.Result.SameDocument() == y.Result.SameDocument()
}

func (r Rules) outcome(base string, ref []byte) *Outcome {
	url, res := r.Resolver(base).Append(nil, ref)
	return &Outcome{URL: string(url), Result: res}
}

// Compare resolves ref against base under r and under all named rules of RFCs and drafts. [Readings]
// compares with browsers, which have no options. Compare returns the distinct results: that of r first,
// then the others in the order of [RulesNames]. A single result means that all rules agree.
//
// To find the Options of another result, Compare turns the options of r towards the first rules that give
// it. Each element is one way to get the result: every single option that is enough, or else every such
// pair. If no pair is enough, there is one way: all options that differ, without those that are not needed.
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
			o.Options = r.turns(n.rules, func(turned Rules) bool { return o.same(turned.outcome(base, ref)) })
			all = append(all, o)
		}
		all[i].Rules = append(all[i].Rules, n.name)
	}
	return all
}

// turns names the smallest sets of options of r that satisfy enough once they have the values of other.
// enough must hold for other itself.
func (r Rules) turns(other Rules, enough func(Rules) bool) (ways [][]string) {
	differ := r.differing(other)
	try := func(options ...*option) bool {
		turned := r
		var names []string
		for _, k := range options {
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

// differing returns the options in which r and other differ.
func (r Rules) differing(other Rules) (list []*option) {
	for i := range options {
		if k := &options[i]; r.get(k) != other.get(k) {
			list = append(list, k)
		}
	}
	return list
}

// get returns the index of the value of one option.
func (r Rules) get(k *option) int {
	for i := range k.Values {
		turned := r
		k.set(&turned, i)
		if turned == r {
			return i
		}
	}
	return -1
}
