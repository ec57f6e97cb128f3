package audit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
	"example.org/refract/internal/input"
)

// isRepeatable reports whether the outcome of an audit with these options can be kept. Programs read trees
// other than the disk to ask for more than findings. Standard input cannot be read again.
func (o *Options) isRepeatable() bool {
	return o.Cache != nil && o.Before == nil && o.Keep == nil && o.Unchecked == nil && o.Probed == nil && o.Followed == nil && o.Built == nil && (o.Tree == nil || tree.IsOnDisk(o.Tree)) && o.Formats == nil && o.Containers == nil && !slices.Contains(o.Paths, "-")
}

// key returns the sum of everything in o that findings and the Report depend on.
func (o *Options) key() (s tree.Sum) {
	k := *o
	k.Tree, k.Cache, k.Unchecked, k.Probed, k.Followed, k.Progress, k.Total, k.Baseline, k.Jobs = nil, nil, nil, nil, nil, nil, nil, nil, 0
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
	list := doc.NewWriter()
	findings := 0
	a, err := newAuditor(ctx, o, func(f *Finding) {
		codeFinding(list, f)
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
		head := doc.NewWriter()
		codeReport(head, report)
		head.Count(&findings)
		o.Cache.Keep(&doc.Outcome{Key: key, Record: t.Sorted(), Packed: head.Done() + list.Done()})
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
	c := doc.NewReader(r.Packed)
	report := new(Report)
	codeReport(c, report)
	var findings []Finding
	doc.List(c, &findings, func(f *Finding) { codeFinding(c, f) })
	if !c.IsDone() {
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

// codeFinding writes or reads a finding.
func codeFinding(c *doc.Codec, f *Finding) {
	for _, s := range []*string{&f.File, &f.Path, (*string)(&f.Rule), (*string)(&f.Severity), &f.Message, &f.Suggestion, &f.Gone, &f.Instead, &f.Target, &f.Cause} {
		c.String(s)
	}
	c.Position(&f.Pos)
	c.Bool(&f.Certain)
	hasFacts, hasRef := f.Facts != nil, f.Ref != nil
	c.Bool(&hasFacts)
	c.Strings(&f.Facts)
	if hasFacts && f.Facts == nil {
		f.Facts = []string{}
	}
	c.Bool(&hasRef)
	if !hasRef {
		return
	}
	if r := f.Ref; r != nil {
		b := r.Base
		c.Reference(&doc.Reference{
			Pos: r.Pos, Kind: r.Kind, How: r.How, In: r.In, Raw: string(r.Raw), Ref: string(r.Ref), URL: string(r.URL), Base: &b, Entity: r.Entity,
			Result: r.Result, Labels: r.Labels, Err: r.Err, Invalid: r.InvalidAuthority, Line: r.PartLine, Column: r.PartColumn,
		})
		return
	}
	var ref doc.Reference
	c.Reference(&ref)
	f.Ref = ref.Extracted()
}

// codeReport writes or reads everything of a Report without Errors.
func codeReport(c *doc.Codec, r *Report) {
	doc.List(c, &r.Notes, func(n *Note) {
		c.String(&n.File)
		c.Position(&n.Pos)
		c.String(&n.Text)
	})
	for _, n := range []*int{&r.Findings, &r.NoteFindings, &r.Ignored, &r.Known, &r.Gone, &r.Documents, &r.References, &r.Skipped, &r.SkippedNames, &r.SkippedRevisions} {
		c.Count(n)
	}
	c.Strings(&r.Names)
	c.Reasons(&r.Reasons)
	c.Counts(&r.Unread)
	c.Count(&r.Checked)
	doc.List(c, &r.Coverage, func(k *Coverage) {
		c.String(&k.Dir)
		for _, n := range []*int{&k.Checked, &k.Skipped, &k.Probes, &k.Found, &k.Blind} {
			c.Count(n)
		}
	})
	doc.List(c, &r.Reach, func(k *Reach) {
		c.String(&k.Dir)
		c.String((*string)(&k.Kind))
		c.Count(&k.Links)
		c.Reasons(&k.Skips)
		c.Count(&k.Probes)
		c.Count(&k.Found)
		c.Reasons(&k.Blind)
	})
	doc.List(c, &r.Learnt, func(k *Learnt) {
		c.String(&k.Below)
		c.Strings(&k.Roots)
		c.Strings(&k.Suffixes)
		c.Bool(&k.ByName)
		c.Count(&k.Agree)
		c.Count(&k.Links)
	})
	doc.List(c, &r.Links, func(k *Link) {
		c.String(&k.From)
		c.String(&k.To)
	})
}
