package doc

import (
	"context"
	"slices"

	"example.org/refract/internal/audit/tree"
)

// An Outcome is what a Cache keeps of a whole audit: its findings and its report, and the record of all that they
// depend on besides the options. If nothing of that has changed, the next audit has the same outcome, and reads no
// document.
type Outcome struct {
	Key      tree.Sum    // of the options
	Record   tree.Record // what was asked of the tree
	Packed   string      // the report and its findings
	Findings int         // their number

	IsUsed bool // in this process
}

// maxOutcomes is the number of outcomes that a Cache keeps: of audits with other options, or of other directories.
const maxOutcomes = 4

// Outcome returns the outcome of an audit with options of a key, or nil if there is none, or if something that it
// depends on has changed.
func (c *Cache) Outcome(ctx context.Context, key tree.Sum, jobs int) *Outcome {
	for _, r := range c.Outcomes {
		if r.Key == key && r.Record.Holds(ctx, tree.Disk(), jobs) {
			return r
		}
	}
	return nil
}

// Keep adds an outcome. It drops the one with the same key, and those that were not used for the longest time.
func (c *Cache) Keep(now *Outcome) {
	c.Outcomes = slices.DeleteFunc(c.Outcomes, func(r *Outcome) bool { return r.Key == now.Key })
	c.Outcomes = append([]*Outcome{now}, c.Outcomes...)
	c.Outcomes = c.Outcomes[:min(len(c.Outcomes), maxOutcomes)]
	c.lost = true
}

// putOutcome packs an outcome for a cache file.
func putOutcome(p *Packing, r *Outcome) {
	p.Sum(r.Key)
	p.Number(r.Record.Began)
	p.Count(len(r.Record.Answers))
	for _, a := range r.Record.Answers {
		p.Byte(a.Kind)
		p.String(a.Name)
		p.Sum(a.Sum)
		p.State(a.State)
	}
	p.Count(len(r.Record.Files))
	for _, f := range r.Record.Files {
		p.String(f.Name)
		p.State(f.State)
		p.Number(f.Size)
		p.Bool(f.Whole)
		p.Sum(f.Sum)
	}
	p.Count(r.Findings)
	p.String(r.Packed)
}

func getOutcome(u *Unpacking) *Outcome {
	r := &Outcome{Key: u.Sum()}
	r.Record.Began = u.Number()
	n := u.Count()
	for i := 0; i < n && !u.Bad; i++ {
		r.Record.Answers = append(r.Record.Answers, tree.Traced{Question: tree.Question{Kind: u.Byte(), Name: u.String()}, Reply: tree.Reply{Sum: u.Sum(), State: u.State()}})
	}
	n = u.Count()
	for i := 0; i < n && !u.Bad; i++ {
		f := tree.TracedBytes{Name: u.String()}
		f.State = u.State()
		f.Size, f.Whole, f.Sum = u.Number(), u.Byte() != 0, u.Sum()
		r.Record.Files = append(r.Record.Files, f)
	}
	r.Findings, r.Packed = u.Count(), u.String()
	return r
}
