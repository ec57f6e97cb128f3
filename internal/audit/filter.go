package audit

import (
	"cmp"

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/slash"
)

// A Filter reports findings about documents that are not in a tree, as [Run] does: Only, Without, Overrides,
// Ignore and Baseline of Options apply. It must not be used concurrently.
type Filter struct {
	*Report // of the findings; the rest is the caller's

	results *results
	dir     string

	name, path string // of the last call of absolute
}

// NewFilter returns a Filter that passes findings on to emit. It returns an error if it notices that o is invalid.
func NewFilter(o Options, emit func(*Finding)) (*Filter, error) {
	o.useSlashes()
	r, err := newResults(&o, emit)
	if err != nil {
		return nil, err
	}
	if o.Tree == nil {
		o.Tree = tree.Disk()
	}
	return &Filter{Report: &r.Report, results: r, dir: tree.Absolute(cmp.Or(o.Dir, tree.WorkingDir(o.Tree)), ".")}, nil
}

// Wants reports whether findings of a rule are reported in a document, which is named as in Finding.Path.
func (f *Filter) Wants(name string, broken rule.Rule) bool {
	return f.results.wantsIn(f.absolute(name), broken)
}

// Take reports a finding, unless it is suppressed or not wanted.
func (f *Filter) Take(x *Finding) {
	r := f.results
	switch p := f.absolute(x.Path); {
	case !r.wantsIn(p, x.Rule):
	case r.ignores(x):
		r.Ignored++
	default:
		r.reportNew(p, x)
	}
}

// End counts what the Baseline has of documents and was not found again.
func (f *Filter) End(documents []string) {
	for _, name := range documents {
		f.results.countGone(f.absolute(name))
	}
}

// absolute returns the absolute path of a document, with forward slashes.
func (f *Filter) absolute(name string) string {
	if name != f.name {
		f.name, f.path = name, tree.Absolute(f.dir, slash.Path(name))
	}
	return f.path
}
