package audit

import (
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/judge"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/site"
)

// take counts and reports the verdict on ref, which points to l. Nothing else reports or skips a reference.
func (a *auditor) take(d *doc.Document, ref *doc.Reference, l *lead.Landing, v judge.Verdict) {
	if v.To != nil && v.To != d {
		a.link(d, v.To)
	}
	if a.unused != nil {
		a.unused.Use(l.File)
		a.unused.Use(l.Real)
	}
	if ref.In == "toctree" && l.How == lead.BySite && l.State == site.Found && l.File != "" && !l.IsMisspelled {
		a.Listed.Add(l.File)
	}
	if v.Problem != nil {
		a.Mend(d, ref, l, v.Problem)
		v.Excuse(&a.World, d, ref)
	}
	isSkipped := !v.Skip.IsZero()
	if isSkipped {
		a.skip(d, ref, l, v.Skip)
	}
	if v.Problem == nil && v.Remark != nil {
		v.Problem = v.Remark
		a.Mend(d, ref, l, v.Problem)
		v.Excuse(&a.World, d, ref)
		if v.Problem == nil && !isSkipped {
			a.skip(d, ref, l, v.Skip)
			isSkipped = true
		}
	}
	isExcused := false
	if v.Problem != nil {
		isExcused = a.reportReference(d, ref, l, v.Problem)
	}
	if !isSkipped && !isExcused {
		a.results.Checked++
	}
}

// reportReference reports what is wrong with ref. isSkipped says that it is not checked after all.
func (a *auditor) reportReference(d *doc.Document, ref *doc.Reference, l *lead.Landing, p *judge.Problem) (isSkipped bool) {
	f := a.finding(d, p.Rule, p.Message)
	if ref.Member != "" {
		f.File, f.Path = judge.InMember(f.File, ref.Member), judge.InMember(f.Path, ref.Member)
	}
	f.Pos, f.Ref = ref.Pos, ref.Extracted()
	f.Suggestion, f.Certain, f.Target = p.Suggestion, p.Certain && a.IsEditCertain(d, ref, p.Suggestion), a.Target(p.Target)
	f.Gone, f.Instead = p.Gone, p.Instead
	f.Cause, f.Facts = p.Cause, append(a.SiteFacts(d, ref, l), hearing{a}.facts(d, ref)...)
	if f.Cause == "" {
		f.Cause = a.CauseOf(ref, p)
	}
	return a.report(d, f)
}

// list takes down which files a pattern in a document lists, once for each pattern: one may stand there any
// number of times.
func list(a *auditor, d *doc.Document, n *doc.Note, files []string) {
	if len(files) == 0 {
		return
	}
	if a.listing.document != d {
		a.listing.document, a.listing.patterns = d, map[string]bool{}
	}
	if a.listing.patterns[n.Text] {
		return
	}
	a.listing.patterns[n.Text] = true
	for _, file := range files {
		a.Listed.Add(file)
		if to := a.ByPath[file]; to != nil && to != d {
			a.link(d, to)
		}
	}
}

// takeName counts and reports the verdict on a name or a label.
func (a *auditor) takeName(d *doc.Document, n *doc.Note, v judge.Verdict) {
	list(a, d, n, v.Files)
	p := v.Problem
	switch {
	case !v.Skip.IsZero():
		a.countSkipped(v.Skip, 1)
		a.results.SkippedNames++
		if a.Unchecked != nil {
			a.Unchecked(&Unchecked{File: d.Name, Path: d.File.Path, Pos: n.Pos, Why: v.Skip})
		}
	case p != nil:
		f := a.finding(d, p.Rule, p.Message)
		f.Pos, f.Ref, f.Suggestion, f.Certain = n.Pos, p.Use, p.Suggestion, p.Certain
		a.report(d, f)
	}
}

// takeFindings reports findings that are not about references.
func (a *auditor) takeFindings(d *doc.Document, findings []Finding) {
	for _, f := range findings {
		a.report(d, f)
	}
}
