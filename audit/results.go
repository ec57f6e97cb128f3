package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/pattern"
)

// results collects findings, and reports those that are wanted.
type results struct {
	Report
	emit     func(*Finding)
	only     []Rule
	without  []Rule
	ignore   []*regexp.Regexp // from Options.Ignore
	baseline *Baseline        // entries not found so far
	total    int              // findings, including those that are not reported
	tally    tally

	graph   bool
	linked  map[*document]bool // documents to which linking has links in the report
	linking *document
}

// A tally counts references by outcome. Together with the skipped ones, these are all references.
type tally struct {
	elsewhere int // leads to another host or the like, and was not examined
	right     int
	faulty    int // has a finding
	twice     int // was skipped more than once, which should not happen
}

// tallied calls judge for a reference, and counts its outcome.
func (a *auditor) tallied(judge func()) {
	r := a.results
	total, skipped := r.total, r.Skipped
	judge()
	switch {
	case r.Skipped > skipped+1:
		r.tally.twice++
	case r.Skipped > skipped:
	case r.total > total:
		r.tally.faulty++
	default:
		r.tally.right++
	}
}

func newResults(o *Options, emit func(*Finding)) (*results, error) {
	r := &results{emit: emit, only: o.Only, without: o.Without, baseline: o.Baseline.copy(), graph: o.Graph}
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

// ignores reports whether Options.Ignore suppresses a finding.
func (r *results) ignores(f *Finding) bool {
	return slices.ContainsFunc(r.ignore, func(re *regexp.Regexp) bool {
		if f.Ref == nil {
			return re.MatchString("")
		}
		return re.Match(f.Ref.Raw)
	})
}

// link records that the document d links to another one.
func (r *results) link(d, to *document) {
	to.linked.Store(true)
	if !r.graph {
		return
	}
	if r.linking != d {
		r.linking, r.linked = d, map[*document]bool{}
	}
	if !r.linked[to] {
		r.linked[to] = true
		r.Links = append(r.Links, Link{d.name, to.name})
	}
}

// part returns results for some of the documents, which emit passes on. They can be added to r.
func (r *results) part(emit func(*Finding)) *results {
	return &results{emit: emit, only: r.only, without: r.without, ignore: r.ignore, baseline: r.baseline, graph: r.graph}
}

// add adds what has been counted for some of the documents.
func (r *results) add(part *results) {
	r.Findings += part.Findings
	r.Remarks += part.Remarks
	r.Ignored += part.Ignored
	r.Known += part.Known
	r.Notes = append(r.Notes, part.Notes...)
	r.total += part.total
	r.tally.right += part.tally.right
	r.tally.faulty += part.tally.faulty
	r.tally.twice += part.tally.twice
	r.Skipped += part.Skipped
	r.SkippedNames += part.SkippedNames
	for why, n := range part.Reasons {
		if r.Reasons == nil {
			r.Reasons = map[string]int{}
		}
		r.Reasons[why] += n
	}
	r.Links = append(r.Links, part.Links...)
}

// report reports a finding in d, unless it is suppressed or not wanted.
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

// skip counts k as not judged, for the reason why.
func (a *auditor) skip(d *document, k *reference, why string) {
	a.countSkipped(why, 1)
	if a.Unjudged != nil {
		a.Unjudged(&Unjudged{File: d.name, Path: d.file.Path, Pos: k.pos, Ref: k.extracted(), Why: why, Facts: a.siteFacts(d, k)})
	}
}

// skipFinding counts the reference of a finding that is not reported. If the finding is only a remark,
// the reference works and is not counted as skipped.
func (a *auditor) skipFinding(f *Finding, why string) {
	if f.Rule.Level() != LevelError {
		return
	}
	a.countSkipped(why, 1)
	if f.Ref == nil {
		a.results.SkippedNames++
	}
	if a.Unjudged != nil {
		a.Unjudged(&Unjudged{File: f.File, Path: f.Path, Pos: f.Pos, Ref: f.Ref, Why: why, Facts: f.Facts})
	}
}

// countSkipped counts n references that are not judged, for the reason why.
func (a *auditor) countSkipped(why string, n int) {
	a.results.Skipped += n
	if a.results.Reasons == nil {
		a.results.Reasons = map[string]int{}
	}
	a.results.Reasons[why] += n
}

// names says how to show paths to users.
type names struct {
	dir  string // absolute directory that shown paths are relative to
	args []arg
}

// An arg is a directory of Options.Paths, as given and as an absolute path.
type arg struct{ name, path string }

// contain reports whether a path is in a directory of Options.Paths.
func (n *names) contain(p string) bool {
	return slices.ContainsFunc(n.args, func(g arg) bool { return below(p, g.path) })
}

// shown returns a path as it is shown to users. A path below an argument begins with the argument as
// given. Any other path is relative to dir if it is below dir.
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
