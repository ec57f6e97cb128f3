package audit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
)

// isRepeatable reports whether the outcome of an audit with these options can be kept. Programs read other trees
// than the disk to ask for more than findings. Standard input cannot be read again.
func (o *Options) isRepeatable() bool {
	return o.Cache != nil && o.Before == nil && o.Keep == nil && o.Unjudged == nil && o.Probed == nil && o.Followed == nil && o.Built == nil && (o.Tree == nil || tree.IsOnDisk(o.Tree)) && o.Formats == nil && o.Containers == nil && !slices.Contains(o.Paths, "-")
}

// key returns the sum of everything in o that findings and the Report depend on.
func (o *Options) key() (s tree.Sum) {
	k := *o
	k.Tree, k.Cache, k.Unjudged, k.Probed, k.Followed, k.Progress, k.Total, k.Baseline, k.Jobs = nil, nil, nil, nil, nil, nil, nil, nil, 0
	h := sha256.New()
	fmt.Fprintf(h, "%#v\n%q %q\n", k, tree.WorkingDir(tree.Disk()), input.UserDirs())
	if o.Baseline != nil {
		fmt.Fprintf(h, "%#v\n", o.Baseline.counts) // maps print in key order
	}
	h.Sum(s[:0])
	return s
}

// runCached is Run for options that are repeatable.
func runCached(ctx context.Context, o Options, emit func(*Finding)) (*Report, error) {
	key := o.key()
	if r := o.Cache.Outcome(ctx, key, o.Jobs); r != nil {
		if report, ok := replay(r, emit); ok {
			report.live = func() *auditor { return o.again() }
			return report, nil
		}
	}
	t := tree.NewTrace(tree.Disk())
	o.Tree = t
	p := doc.Packings.Get().(*doc.Packing)
	findings := 0
	a, err := newAuditor(ctx, o, func(f *Finding) {
		putFinding(p, f)
		findings++
		if emit != nil {
			emit(f)
		}
	})
	if err != nil {
		return nil, err
	}
	report, err := a.run()
	if t.End() && err == nil && len(report.Errors) == 0 {
		list := p.Done()
		p = doc.Packings.Get().(*doc.Packing)
		putReport(p, report)
		o.Cache.Keep(&doc.Outcome{Key: key, Record: t.Sorted(), Packed: p.Done() + list, Findings: findings})
	}
	return report, err
}

// again audits again, for a Report without an auditor.
func (o *Options) again() *auditor {
	o.Cache, o.Progress, o.Total = nil, nil, nil
	a, err := newAuditor(context.Background(), *o, nil)
	if err != nil {
		return nil
	}
	if _, err := a.run(); err != nil {
		return nil
	}
	return a
}

// replay calls emit with the findings, and returns the report.
func replay(r *doc.Outcome, emit func(*Finding)) (*Report, bool) {
	u := doc.Unpacking{In: r.Packed}
	report := getReport(&u)
	findings := make([]Finding, 0, min(r.Findings, len(r.Packed)))
	for range r.Findings {
		findings = append(findings, getFinding(&u))
		if u.Bad {
			return nil, false
		}
	}
	if u.In != "" || u.Bad {
		return nil, false
	}
	for i := range findings {
		if emit != nil {
			emit(&findings[i])
		}
	}
	r.IsUsed = true
	return report, true
}

// own is the base of a packed finding: it always has its own.
const own = ""

func putFinding(p *doc.Packing, f *Finding) {
	p.String(f.File)
	p.String(f.Path)
	p.Position(&f.Pos)
	p.String(string(f.Rule))
	p.String(f.Message)
	p.String(f.Suggestion)
	p.Bool(f.Certain)
	p.String(f.Gone)
	p.String(f.Instead)
	p.String(f.Target)
	p.String(f.Cause)
	p.Bool(f.Facts != nil)
	p.List(f.Facts)
	p.Bool(f.Ref != nil)
	if r := f.Ref; r != nil {
		p.Ins = p.Ins[:0]
		b := r.Base
		p.Reference(&doc.Reference{
			Pos: r.Pos, Kind: r.Kind, How: r.How, In: r.In, Raw: string(r.Raw), Ref: string(r.Ref), URL: string(r.URL), Base: &b, Entity: r.Entity,
			Result: r.Result, Labels: r.Labels, Err: r.Err, Invalid: r.InvalidAuthority, Line: r.PartLine, Column: r.PartColumn,
		}, &doc.Reference{}, own)
	}
}

func getFinding(u *doc.Unpacking) (f Finding) {
	f.File, f.Path, f.Pos = u.String(), u.String(), u.Position()
	f.Rule, f.Message, f.Suggestion = rule.Rule(u.String()), u.String(), u.String()
	f.Certain = u.Byte() != 0
	f.Gone, f.Instead = u.String(), u.String()
	f.Target, f.Cause = u.String(), u.String()
	hasFacts := u.Byte() != 0
	f.Facts = u.List()
	if hasFacts && f.Facts == nil {
		f.Facts = []string{}
	}
	if u.Byte() != 0 {
		u.Ins = u.Ins[:0]
		k := u.Reference(&doc.Reference{Entity: doc.Whole, Base: new(base.Base)}, own, new(strings.Builder))
		f.Ref = k.Extracted()
	}
	return f
}

// report packs everything of a Report without Errors.
func putReport(p *doc.Packing, r *Report) {
	p.Count(len(r.Notes))
	for i := range r.Notes {
		p.String(r.Notes[i].File)
		p.Position(&r.Notes[i].Pos)
		p.String(r.Notes[i].Text)
	}
	for _, n := range []int{r.Findings, r.Remarks, r.Ignored, r.Known, r.Gone, r.Documents, r.References, r.Skipped, r.SkippedNames, r.SkippedRevisions} {
		p.Count(n)
	}
	p.List(r.Names)
	p.Reasons(r.Reasons)
	p.Counts(r.Unread)
	p.Count(r.Judged)
	p.Count(len(r.Coverage))
	for _, c := range r.Coverage {
		p.String(c.Dir)
		for _, n := range []int{c.Judged, c.Skipped, c.Probes, c.Found, c.Blind} {
			p.Count(n)
		}
	}
	p.Count(len(r.Reach))
	for _, s := range r.Reach {
		p.String(s.Dir)
		p.String(string(s.Kind))
		p.Count(s.Links)
		p.Reasons(s.Skips)
		p.Count(s.Probes)
		p.Count(s.Found)
		p.Reasons(s.Blind)
	}
	p.Count(len(r.Learnt))
	for _, l := range r.Learnt {
		p.String(l.Below)
		p.List(l.Roots)
		p.List(l.Suffixes)
		p.Bool(l.ByName)
		p.Count(l.Agree)
		p.Count(l.Links)
	}
	p.Count(len(r.Links))
	for _, l := range r.Links {
		p.String(l.From)
		p.String(l.To)
	}
}

func getReport(u *doc.Unpacking) *Report {
	r := new(Report)
	n := u.Count()
	for i := 0; i < n && !u.Bad; i++ {
		r.Notes = append(r.Notes, Note{u.String(), u.Position(), u.String()})
	}
	for _, n := range []*int{&r.Findings, &r.Remarks, &r.Ignored, &r.Known, &r.Gone, &r.Documents, &r.References, &r.Skipped, &r.SkippedNames, &r.SkippedRevisions} {
		*n = u.Count()
	}
	r.Names, r.Reasons, r.Unread = u.List(), u.Reasons(), u.Counts()
	r.Judged = u.Count()
	n = u.Count()
	for i := 0; i < n && !u.Bad; i++ {
		r.Coverage = append(r.Coverage, Coverage{u.String(), u.Count(), u.Count(), u.Count(), u.Count(), u.Count()})
	}
	n = u.Count()
	for i := 0; i < n && !u.Bad; i++ {
		r.Reach = append(r.Reach, Reach{u.String(), TargetKind(u.String()), u.Count(), u.Reasons(), u.Count(), u.Count(), u.Reasons()})
	}
	n = u.Count()
	for i := 0; i < n && !u.Bad; i++ {
		r.Learnt = append(r.Learnt, Learnt{u.String(), u.List(), u.List(), u.Bool(), u.Count(), u.Count()})
	}
	n = u.Count()
	for i := 0; i < n && !u.Bad; i++ {
		r.Links = append(r.Links, Link{u.String(), u.String()})
	}
	return r
}
