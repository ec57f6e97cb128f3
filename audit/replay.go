package audit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/input"
)

// An outcome is what a Cache keeps of a whole audit: its findings and its Report, and the record of all that they
// depend on besides the options. If nothing of that has changed, the next audit has the same outcome, and reads no
// document.
type outcome struct {
	key      sum    // of the options
	record   record // what was asked of the tree
	packed   string // the report and its findings
	findings int

	isUsed bool // in this process
}

// maxOutcomes is the number of outcomes that a Cache keeps: of audits with other options, or of other directories.
const maxOutcomes = 4

// isRepeatable reports whether the outcome of an audit with these options can be kept. Programs read other trees
// than the disk to ask for more than findings. Standard input cannot be read again.
func (o *Options) isRepeatable() bool {
	return o.Cache != nil && o.Unjudged == nil && o.Followed == nil && (o.Tree == nil || isOnDisk(o.Tree)) && o.Formats == nil && o.Containers == nil && !slices.Contains(o.Paths, "-")
}

// key returns the sum of everything in o that findings and the Report depend on.
func (o *Options) key() (s sum) {
	k := *o
	k.Tree, k.Cache, k.Unjudged, k.Followed, k.Progress, k.Total, k.Baseline, k.Jobs = nil, nil, nil, nil, nil, nil, nil, 0
	h := sha256.New()
	fmt.Fprintf(h, "%#v\n%q %q\n", k, workingDir(Disk()), input.UserDirs())
	if o.Baseline != nil {
		fmt.Fprintf(h, "%#v\n", o.Baseline.counts) // maps print in key order
	}
	h.Sum(s[:0])
	return s
}

// outcomeOf returns the outcome of an audit with options of a key, or nil if there is none, or if something that it
// depends on has changed.
func (c *Cache) outcomeOf(ctx context.Context, key sum, o *Options) *outcome {
	for _, r := range c.outcomes {
		if r.key == key && r.record.holds(ctx, Disk(), o.Jobs) {
			return r
		}
	}
	return nil
}

// keep adds an outcome. It drops the one with the same key, and those that were not used for the longest time.
func (c *Cache) keep(now *outcome) {
	c.outcomes = slices.DeleteFunc(c.outcomes, func(r *outcome) bool { return r.key == now.key })
	c.outcomes = append([]*outcome{now}, c.outcomes...)
	c.outcomes = c.outcomes[:min(len(c.outcomes), maxOutcomes)]
	c.lost = true
}

// runCached is Run for options that are repeatable.
func runCached(ctx context.Context, o Options, emit func(*Finding)) (*Report, error) {
	key := o.key()
	if r := o.Cache.outcomeOf(ctx, key, &o); r != nil {
		if report, ok := r.replay(emit); ok {
			report.live = func() *auditor { return o.again() }
			return report, nil
		}
	}
	t := newTrace(Disk())
	o.Tree = t
	p := packings.Get().(*packing)
	findings := 0
	a, err := newAuditor(ctx, o, func(f *Finding) {
		p.finding(f)
		findings++
		if emit != nil {
			emit(f)
		}
	})
	if err != nil {
		return nil, err
	}
	report, err := a.run()
	if t.end() && err == nil && len(report.Errors) == 0 {
		list := p.done()
		p = packings.Get().(*packing)
		p.report(report)
		o.Cache.keep(&outcome{key: key, record: t.sorted(), packed: p.done() + list, findings: findings})
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
func (r *outcome) replay(emit func(*Finding)) (*Report, bool) {
	u := unpacking{in: r.packed}
	report := u.report()
	findings := make([]Finding, 0, min(r.findings, len(r.packed)))
	for range r.findings {
		findings = append(findings, u.finding())
		if u.bad {
			return nil, false
		}
	}
	if u.in != "" || u.bad {
		return nil, false
	}
	for i := range findings {
		if emit != nil {
			emit(&findings[i])
		}
	}
	r.isUsed = true
	return report, true
}

func (p *packing) position(k *extract.Position) {
	p.number(k.Offset)
	p.count(k.Length)
	p.count(k.Line)
	p.count(k.Column)
	p.bool(k.Exact)
}

func (u *unpacking) position() extract.Position {
	return extract.Position{Offset: u.number(), Length: u.count(), Line: u.count(), Column: u.count(), Exact: u.byte() != 0}
}

func (p *packing) bool(b bool) { p.byte(byte(answerOf(b) - no)) }

func (p *packing) list(list []string) {
	p.count(len(list))
	for _, s := range list {
		p.string(s)
	}
}

func (u *unpacking) list() (list []string) {
	n := u.count()
	for i := 0; i < n && !u.bad; i++ {
		list = append(list, u.string())
	}
	return list
}

func (p *packing) counts(counts map[string]int) {
	p.bool(counts != nil)
	p.count(len(counts))
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		p.string(key)
		p.count(counts[key])
	}
}

func (u *unpacking) counts() (counts map[string]int) {
	if u.byte() != 0 {
		counts = map[string]int{}
	}
	n := u.count()
	for i := 0; i < n && !u.bad && counts != nil; i++ {
		key := u.string()
		counts[key] = u.count()
	}
	return counts
}

// own is the base of a packed finding: it always has its own.
const own = ""

func (p *packing) finding(f *Finding) {
	p.string(f.File)
	p.string(f.Path)
	p.position(&f.Pos)
	p.string(string(f.Rule))
	p.string(f.Message)
	p.string(f.Suggestion)
	p.bool(f.Certain)
	p.string(f.Target)
	p.string(f.Cause)
	p.bool(f.Facts != nil)
	p.list(f.Facts)
	p.bool(f.Ref != nil)
	if r := f.Ref; r != nil {
		p.ins = p.ins[:0]
		b := r.Base
		p.reference(&reference{
			pos: r.Pos, kind: r.Kind, how: r.How, in: r.In, raw: string(r.Raw), ref: string(r.Ref), url: string(r.URL), base: &b, entity: r.Entity,
			result: r.Result, labels: r.Labels, err: r.Err, invalid: r.InvalidAuthority, line: r.PartLine, column: r.PartColumn,
		}, &reference{}, own)
	}
}

func (u *unpacking) finding() (f Finding) {
	f.File, f.Path, f.Pos = u.string(), u.string(), u.position()
	f.Rule, f.Message, f.Suggestion = Rule(u.string()), u.string(), u.string()
	f.Certain = u.byte() != 0
	f.Target, f.Cause = u.string(), u.string()
	hasFacts := u.byte() != 0
	f.Facts = u.list()
	if hasFacts && f.Facts == nil {
		f.Facts = []string{}
	}
	if u.byte() != 0 {
		u.ins = u.ins[:0]
		k := u.reference(&reference{entity: whole, base: new(base.Base)}, own, new(strings.Builder))
		f.Ref = k.extracted()
	}
	return f
}

// report packs everything of a Report without Errors.
func (p *packing) report(r *Report) {
	p.count(len(r.Notes))
	for i := range r.Notes {
		p.string(r.Notes[i].File)
		p.position(&r.Notes[i].Pos)
		p.string(r.Notes[i].Text)
	}
	for _, n := range []int{r.Findings, r.Remarks, r.Ignored, r.Known, r.Gone, r.Documents, r.References, r.Skipped, r.SkippedNames} {
		p.count(n)
	}
	p.list(r.Names)
	p.counts(r.Reasons)
	p.counts(r.Unread)
	p.count(len(r.Learnt))
	for _, l := range r.Learnt {
		p.list(l.Roots)
		p.list(l.Suffixes)
		p.count(l.Agree)
		p.count(l.Links)
	}
	p.count(len(r.Links))
	for _, l := range r.Links {
		p.string(l.From)
		p.string(l.To)
	}
}

func (u *unpacking) report() *Report {
	r := new(Report)
	n := u.count()
	for i := 0; i < n && !u.bad; i++ {
		r.Notes = append(r.Notes, Note{u.string(), u.position(), u.string()})
	}
	for _, n := range []*int{&r.Findings, &r.Remarks, &r.Ignored, &r.Known, &r.Gone, &r.Documents, &r.References, &r.Skipped, &r.SkippedNames} {
		*n = u.count()
	}
	r.Names, r.Reasons, r.Unread = u.list(), u.counts(), u.counts()
	n = u.count()
	for i := 0; i < n && !u.bad; i++ {
		r.Learnt = append(r.Learnt, Learnt{u.list(), u.list(), u.count(), u.count()})
	}
	n = u.count()
	for i := 0; i < n && !u.bad; i++ {
		r.Links = append(r.Links, Link{u.string(), u.string()})
	}
	return r
}

// outcome packs an outcome for a cache file.
func (p *packing) outcome(r *outcome) {
	p.sum(r.key)
	p.number(r.record.began)
	p.count(len(r.record.answers))
	for _, a := range r.record.answers {
		p.byte(a.kind)
		p.string(a.name)
		p.sum(a.sum)
		p.state(a.state)
	}
	p.count(len(r.record.files))
	for _, f := range r.record.files {
		p.string(f.name)
		p.state(f.state)
		p.number(f.size)
		p.bool(f.whole)
		p.sum(f.sum)
	}
	p.count(r.findings)
	p.string(r.packed)
}

func (u *unpacking) outcome() *outcome {
	r := &outcome{key: u.sum()}
	r.record.began = u.number()
	n := u.count()
	for i := 0; i < n && !u.bad; i++ {
		r.record.answers = append(r.record.answers, traced{question{u.byte(), u.string()}, reply{u.sum(), u.state()}})
	}
	n = u.count()
	for i := 0; i < n && !u.bad; i++ {
		f := tracedBytes{name: u.string()}
		f.state = u.state()
		f.size, f.whole, f.sum = u.number(), u.byte() != 0, u.sum()
		r.record.files = append(r.record.files, f)
	}
	r.findings, r.packed = u.count(), u.string()
	return r
}

func (p *packing) state(s fileState) {
	isKnown := s != fileState{}
	p.bool(isKnown)
	if !isKnown {
		return
	}
	p.number(s.size)
	p.number(s.modified)
	p.number(s.changed)
	p.out = binary.AppendUvarint(p.out, s.device)
	p.out = binary.AppendUvarint(p.out, s.number)
}

func (u *unpacking) state() (s fileState) {
	if u.byte() == 0 {
		return s
	}
	return fileState{u.number(), u.number(), u.number(), u.uint(), u.uint()}
}

func (p *packing) sum(s sum) { p.out = append(p.out, s[:]...) }

func (u *unpacking) sum() (s sum) {
	if len(u.in) < len(s) {
		u.fail()
		return s
	}
	copy(s[:], u.in)
	u.in = u.in[len(s):]
	return s
}
