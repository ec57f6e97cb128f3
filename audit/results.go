package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/pattern"
)

// results take findings, and report those that are asked for.
type results struct {
	Report
	emit     func(*Finding)
	only     []Rule
	without  []Rule
	ignore   []*regexp.Regexp // of Options.Ignore
	baseline *Baseline        // what has not been found of it so far
	total    int              // findings, also those that are not reported

	graph bool
	links map[Link]bool // of the report
}

func newResults(o *Options, emit func(*Finding)) (*results, error) {
	r := &results{emit: emit, only: o.Only, without: o.Without, baseline: o.Baseline.copy(), graph: o.Graph, links: map[Link]bool{}}
	if emit == nil {
		r.emit = func(*Finding) {}
	}
	for _, glob := range o.Ignore {
		expr, err := pattern.Regexp(glob, pattern.EntireString|pattern.ExtendedOperators)
		if err != nil {
			return nil, fmt.Errorf("ignore %q: %w", glob, err)
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, fmt.Errorf("ignore %q: %w", glob, err)
		}
		r.ignore = append(r.ignore, re)
	}
	return r, nil
}

// wants reports whether findings of a rule are reported.
func (r *results) wants(rule Rule) bool {
	return (len(r.only) == 0 || slices.Contains(r.only, rule)) && !slices.Contains(r.without, rule)
}

// ignores reports whether Options.Ignore excepts a finding.
func (r *results) ignores(f *Finding) bool {
	return slices.ContainsFunc(r.ignore, func(re *regexp.Regexp) bool {
		if f.Ref == nil {
			return re.MatchString("")
		}
		return re.Match(f.Ref.Raw)
	})
}

// link records that a document refers to another one.
func (r *results) link(d, to *document) {
	to.linked = true
	if l := (Link{d.name, to.name}); r.graph && !r.links[l] {
		r.links[l] = true
		r.Links = append(r.Links, l)
	}
}

// report reports a finding in d, if it is not to be left out.
func (a *auditor) report(d *document, f Finding) {
	r := a.results
	r.total++
	switch {
	case !r.wants(f.Rule):
	case r.ignores(&f), a.isExcepted(d, &f):
		r.Ignored++
	case a.isTestInput(d):
		a.skipFinding(&f, inTestInput)
	case r.baseline.take(d.path, &f):
		r.Known++
	default:
		r.Findings++
		if f.Rule.Level() == LevelNote {
			r.Remarks++
		}
		r.emit(&f)
	}
}

// skip counts k, which is not judged, by the reason.
func (a *auditor) skip(d *document, k *reference, why string) {
	a.countSkipped(why, 1)
	if a.Unjudged != nil {
		a.Unjudged(&Unjudged{File: d.name, Path: d.file.Path, Pos: k.pos, Ref: k.extracted(), Why: why, Facts: a.siteFacts(d, k)})
	}
}

// skipFinding counts the reference of a finding that is not reported. Without its remark, one that
// leads somewhere is sound.
func (a *auditor) skipFinding(f *Finding, why string) {
	if f.Rule.Level() != LevelError {
		return
	}
	a.countSkipped(why, 1)
	if a.Unjudged != nil {
		a.Unjudged(&Unjudged{File: f.File, Path: f.Path, Pos: f.Pos, Ref: f.Ref, Why: why, Facts: f.Facts})
	}
}

// countSkipped counts references that are not judged, by the reason.
func (a *auditor) countSkipped(why string, n int) {
	a.results.Skipped += n
	if a.results.Reasons == nil {
		a.results.Reasons = map[string]int{}
	}
	a.results.Reasons[why] += n
}

// names are how paths are shown.
type names struct {
	dir  string // absolute, that paths are shown relative to
	args []arg
}

// An arg is a directory of Options.Paths, as it was given and as an absolute path.
type arg struct{ name, path string }

// contain reports whether a path is in a directory of Options.Paths.
func (n *names) contain(p string) bool {
	return slices.ContainsFunc(n.args, func(g arg) bool { return below(p, g.path) })
}

// shown returns how a path is shown: below an argument, as that was given; otherwise
// relative to dir if it is in that.
func (n *names) shown(p string) string {
	for _, g := range n.args {
		if p == g.path {
			return g.name
		}
		if rest, ok := strings.CutPrefix(p, g.path+"/"); ok {
			if g.name == "." {
				return rest
			}
			return g.name + "/" + rest
		}
	}
	if rest, ok := strings.CutPrefix(p, n.dir+"/"); ok {
		return rest
	}
	return p
}
