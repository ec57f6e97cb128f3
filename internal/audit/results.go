package audit

import (
	"regexp"
	"slices"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/option"
	"example.org/refract/internal/reason"
	"mvdan.cc/sh/v3/pattern"
)

// results collects findings, and reports those that are wanted.
type results struct {
	Report
	emit     func(*Finding)
	only     []rule.Rule
	without  []rule.Rule
	ignore   []*regexp.Regexp // from Options.Ignore
	levels   *overrides
	baseline *Baseline           // entries not found so far
	coverage map[string]Coverage // by directory
	// elsewhere is the number of references to another host or the like, which were not examined. Together with
	// the checked and the skipped ones, these are all.
	elsewhere int

	probes map[probeGroup]*probeCount
	first  map[probeGroup]firstProbe // by the wider group of small directories

	// skips counts the references in a document that were not checked, by its path and the reason, besides
	// those that were not kept. nil without Options.Followed.
	skips map[string][]skipCount

	graph   bool
	linked  map[*doc.Document]bool // documents to which linking has links in the report
	linking *doc.Document
}

func newResults(o *Options, emit func(*Finding)) (*results, error) {
	r := &results{emit: emit, only: o.Only, without: o.Without, baseline: o.Baseline.copy(), graph: o.Graph}
	if emit == nil {
		r.emit = func(*Finding) {}
	}
	for _, glob := range o.Ignore {
		expr, err := pattern.Regexp(glob, pattern.EntireString|pattern.ExtendedOperators)
		if err != nil {
			return nil, option.Bad("Ignore", glob, "%w", err)
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, option.Bad("Ignore", glob, "%w", err)
		}
		r.ignore = append(r.ignore, re)
	}
	var err error
	r.levels, err = newOverrides(o)
	return r, err
}

// wants reports whether findings of a rule are reported.
func (r *results) wants(rule rule.Rule) bool {
	return (len(r.only) == 0 || slices.Contains(r.only, rule)) && !slices.Contains(r.without, rule)
}

// wantsIn reports whether findings of a rule are reported in the document at an absolute path.
func (r *results) wantsIn(p string, broken rule.Rule) bool {
	return r.wants(broken) && r.levels.of(p, broken) != rule.LevelOff
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

// countGone counts what the baseline has of the document at an absolute path and was not found again.
func (r *results) countGone(p string) {
	r.Gone += r.baseline.left(p, func(broken rule.Rule) bool { return r.wantsIn(p, broken) })
}

// link records that the document d links to another one.
func (r *results) link(d, to *doc.Document) {
	to.Linked.Store(true)
	if !r.graph {
		return
	}
	if r.linking != d {
		r.linking, r.linked = d, map[*doc.Document]bool{}
	}
	if !r.linked[to] {
		r.linked[to] = true
		r.Links = append(r.Links, Link{d.Name, to.Name})
	}
}

// part returns results for some of the documents, which emit passes on. They can be added to r.
func (r *results) part(emit func(*Finding)) *results {
	return &results{emit: emit, only: r.only, without: r.without, ignore: r.ignore, levels: r.levels, baseline: r.baseline, graph: r.graph}
}

// add adds what has been counted for some of the documents.
func (r *results) add(part *results) {
	r.Findings += part.Findings
	r.NoteFindings += part.NoteFindings
	r.Ignored += part.Ignored
	r.Known += part.Known
	r.Notes = append(r.Notes, part.Notes...)
	r.Checked += part.Checked
	for dir, c := range part.coverage {
		r.cover(dir, c.Checked, c.Skipped)
	}
	r.Skipped += part.Skipped
	r.SkippedNames += part.SkippedNames
	r.SkippedRevisions += part.SkippedRevisions
	for why, n := range part.Reasons {
		r.addReason(why, n)
	}
	for p, list := range part.skips {
		if r.skips == nil {
			r.skips = map[string][]skipCount{}
		}
		r.skips[p] = list
	}
	r.Links = append(r.Links, part.Links...)
	r.addBuild(part.Build)
}

// A skipCount is how many references are not checked for a reason.
type skipCount struct {
	why reason.Reason
	n   int
}

// noteSkips notes what has been counted for d, given what had been counted before.
func (r *results) noteSkips(d *doc.Document, before map[reason.Reason]int) {
	var list []skipCount
	for why, n := range r.Reasons {
		if n != before[why] {
			list = append(list, skipCount{why, n - before[why]})
		}
	}
	for why, n := range before {
		if _, is := r.Reasons[why]; !is {
			list = append(list, skipCount{why, -n})
		}
	}
	if r.skips == nil {
		r.skips = map[string][]skipCount{}
	}
	if list != nil || r.skips[d.Path] != nil {
		r.skips[d.Path] = list
	}
}

// cover adds references in the documents of a directory.
func (r *results) cover(dir string, judged, skipped int) {
	if judged == 0 && skipped == 0 {
		return
	}
	if r.coverage == nil {
		r.coverage = map[string]Coverage{}
	}
	c := r.coverage[dir]
	r.coverage[dir] = Coverage{Dir: dir, Checked: c.Checked + judged, Skipped: c.Skipped + skipped}
}

// SkippedReferences returns how many internal links were not checked.
func (r *Report) SkippedReferences() int { return r.Skipped - r.SkippedNames - r.SkippedRevisions }

// report reports a finding in d, unless it is suppressed or not wanted. isSkipped says that its reference
// counts as not checked instead.
func (a *auditor) report(d *doc.Document, f Finding) (isSkipped bool) {
	r := a.results
	switch {
	case !r.wantsIn(d.Path, f.Rule):
	case r.ignores(&f), a.isExcepted(d, &f):
		r.Ignored++
	default:
		why := a.NotReported(d)
		if !why.IsZero() {
			return a.skipFinding(&f, why)
		}
		r.reportNew(d.Path, &f)
	}
	return false
}

// reportNew reports a finding in the document at an absolute path, unless the baseline has it.
func (r *results) reportNew(p string, f *Finding) {
	if r.baseline.take(p, f) {
		r.Known++
		return
	}
	f.Severity = r.levels.of(p, f.Rule)
	r.Findings++
	if f.Level() == rule.LevelNote {
		r.NoteFindings++
	}
	r.emit(f)
}

// skip counts ref as not checked, for the reason why.
func (a *auditor) skip(d *doc.Document, ref *doc.Reference, l *lead.Landing, why reason.Reason) {
	a.countSkipped(why, 1)
	if l.Hosted != nil && l.Hosted.Branch == "" {
		a.results.SkippedRevisions++
	}
	if a.Unchecked != nil {
		a.Unchecked(&Unchecked{File: d.Name, Path: d.File.Path, Pos: ref.Pos, Ref: ref.Extracted(), Why: why, Facts: a.SiteFacts(d, ref, l)})
	}
}

// skipFinding counts the reference of a finding that is not reported. If the finding is only a note, or
// does not concern the target of the reference, the reference does not count as skipped.
func (a *auditor) skipFinding(f *Finding, why reason.Reason) (isSkipped bool) {
	if f.Rule.Level() != rule.LevelError || f.Rule == rule.Forbidden {
		return false
	}
	a.countSkipped(why, 1)
	if f.Ref == nil {
		a.results.SkippedNames++
	}
	if a.Unchecked != nil {
		a.Unchecked(&Unchecked{File: f.File, Path: f.Path, Pos: f.Pos, Ref: f.Ref, Why: why, Facts: f.Facts})
	}
	return true
}

// countSkipped counts n references that are not checked, for the reason why.
func (r *results) countSkipped(why reason.Reason, n int) {
	r.Skipped += n
	r.addReason(why, n)
}

// addReason adds n to the count of why, which may fall to 0: the navigation judges what documents have counted.
func (r *results) addReason(why reason.Reason, n int) {
	if r.Reasons == nil {
		r.Reasons = map[reason.Reason]int{}
	}
	r.Reasons[why] += n
	if r.Reasons[why] == 0 {
		delete(r.Reasons, why)
	}
}
