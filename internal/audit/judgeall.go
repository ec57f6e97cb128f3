package audit

import (
	"maps"
	"path"
	"slices"
	"strings"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/spell"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/each"
	"example.org/refract/internal/site"
)

// A groupOutcome is the result of checking some documents. It is passed on in the order of the documents,
// so that the output does not depend on Options.Jobs.
type groupOutcome struct {
	*results
	events []event
}

// An event is a finding, a reference that is not checked, or one that was followed.
type event struct {
	finding   *Finding
	unchecked *Unchecked
	differs   *Difference
	followed  *Followed
	probed    *Probe
}

// Several documents are checked at a time, in groups of neighbours, which refer to the same files.
const maxGroup = 16 // documents

const maxAhead = 4 // groups for each job that may be checked before an earlier one

// judgeAll checks all documents, Jobs at a time. It calls emit and Unchecked from its own goroutine, in the
// order of the documents. It returns the error of the context, if any.
func (a *auditor) judgeAll() error {
	docs := slices.DeleteFunc(slices.Clone(a.Docs), func(d *doc.Document) bool { return !a.isAmong(d) })
	if a.Orphans {
		a.followNeighbors()
	}
	if a.Probes == SomeProbes {
		a.sample = newSample(docs)
	}
	jobs := min(max(1, a.Jobs), len(docs))
	if jobs <= 1 {
		for _, d := range docs {
			if err := a.Context.Err(); err != nil {
				return err
			}
			a.judgeAndCount(d)
		}
		return nil
	}
	size := min(max(1, len(docs)/(8*jobs)), maxGroup)
	worker := func() func([]*doc.Document) *groupOutcome { return a.fork().judgeGroup }
	return each.InOrder(jobs, maxAhead*jobs, slices.Chunk(docs, size), worker, func(o *groupOutcome) error {
		if err := a.Context.Err(); err != nil {
			return err
		}
		a.pass(o)
		return nil
	})
}

// followNeighbors notes which documents the neighbors link to.
func (a *auditor) followNeighbors() {
	w := a.fork()
	w.Unchecked, w.Differs, w.Followed, w.Probes = nil, nil, nil, NoProbes
	w.grouped(func() {
		for _, d := range a.Docs {
			if d.IsNeighbor {
				w.judge(d)
			}
		}
	})
}

// fork returns an auditor that judges documents at the same time as others.
func (a *auditor) fork() *auditor {
	w := *a
	w.worker, w.Attached, w.Claims = worker{targets: map[lead.Origin]string{}}, nil, spell.Claims{}
	return &w
}

// judgeGroup judges documents.
func (a *auditor) judgeGroup(docs []*doc.Document) *groupOutcome {
	return a.grouped(func() {
		for _, d := range docs {
			if a.Context.Err() != nil {
				break
			}
			a.judgeAndCount(d)
		}
	})
}

// grouped returns what judge has found.
func (a *auditor) grouped(judge func()) *groupOutcome {
	o := new(groupOutcome)
	before := a.results
	defer func() { a.results = before }()
	a.results = before.part(func(f *Finding) { o.events = append(o.events, event{finding: f}) })
	o.results = a.results
	if a.Unchecked != nil {
		a.Unchecked = func(u *Unchecked) { o.events = append(o.events, event{unchecked: u}) }
	}
	if a.Differs != nil {
		a.Differs = func(x *Difference) { o.events = append(o.events, event{differs: x}) }
	}
	if a.Probed != nil {
		a.Probed = func(p *Probe) { o.events = append(o.events, event{probed: p}) }
	}
	if a.Followed != nil {
		a.Followed = func(f *Followed) { o.events = append(o.events, event{followed: f}) }
	}
	judge()
	return o
}

// isAmong reports whether a document is checked.
func (a *auditor) isAmong(d *doc.Document) bool {
	return !d.IsNeighbor && (a.Among == nil || a.Among(d.Path))
}

// judgeAndCount judges a document, and adds the references of its directory.
func (a *auditor) judgeAndCount(d *doc.Document) {
	r := a.results
	judged, skipped := r.Checked, r.SkippedReferences()
	if a.Followed != nil {
		before := maps.Clone(r.Reasons)
		defer func() { r.noteSkips(d, before) }()
	}
	a.takeFindings(d, a.judgeBook(d))
	a.judge(d)
	r.cover(path.Dir(d.Name), r.Checked-judged, r.SkippedReferences()-skipped)
}

// pass passes on an outcome.
func (a *auditor) pass(o *groupOutcome) {
	for _, e := range o.events {
		switch {
		case e.finding != nil:
			a.emit(e.finding)
		case e.differs != nil:
			a.Differs(e.differs)
		case e.probed != nil:
			a.Probed(e.probed)
		case e.followed != nil:
			e.followed.a = a // not the one that checked it, at the same time as others
			a.Followed(e.followed)
		default:
			a.Unchecked(e.unchecked)
		}
	}
	a.results.add(o.results)
	a.results.addProbes(o.results, a.sample)
}

// landingOf is LeadTo, but looks up only once where many references of a directory lead.
func (a *auditor) landingOf(d *doc.Document, ref *doc.Reference, l *lead.Landing) {
	var o lead.Origin
	if d.Layout.Generated == nil && ref.Member == "" && !ref.IsWiki() && !lead.IsBundled(ref) {
		o = a.OriginOf(d, ref)
	}
	if o.Ref == "" {
		a.LeadTo(d, ref, l)
		return
	}
	if p := a.targets[o]; p != "" {
		_, fragment, hash := strings.Cut(ref.URL, "#")
		*l = lead.Landing{
			How: lead.ByPath, State: site.Found, File: p, Real: p, Fragment: fragment, Hash: hash,
			Target: lead.Target{Inside: true, Fragment: fragment, Hash: hash}, Place: tree.Place{Kind: tree.IsFile, Path: p},
		}
		return
	}
	a.LeadTo(d, ref, l)
	if l.How == lead.ByPath && l.IsFile() && !l.IsMisspelled && l.Real == l.File && l.File != d.Path {
		a.keepTarget(o, l.File)
	}
}

// keepTarget keeps the path that an origin points to.
func (a *auditor) keepTarget(o lead.Origin, p string) {
	if len(a.targets) >= maxTargets {
		clear(a.targets)
	}
	o.Ref = strings.Clone(o.Ref) // it may be part of all packed references of a document
	a.targets[o] = p
}
