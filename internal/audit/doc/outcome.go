package doc

import (
	"context"
	"slices"

	"example.org/refract/internal/audit/tree"
)

// An Outcome is the cached result of a whole audit: its findings and its report, and the record of
// everything that they depend on besides the options. If nothing in the record has changed, the next audit
// has the same outcome, and reads no document.
type Outcome struct {
	Key    tree.Sum    // of the options
	Record tree.Record // what was asked of the tree
	Packed string      // the report and its findings

	IsUsed bool // in this process
}

// maxOutcomes is the number of outcomes that a Cache keeps: of audits with other options, or of other directories.
const maxOutcomes = 4

// Outcome returns the outcome of an audit with options of a key. It returns nil if there is none, or if
// something that it depends on has changed.
func (c *Cache) Outcome(ctx context.Context, key tree.Sum, jobs int) *Outcome {
	for _, r := range c.Outcomes {
		if r.Key == key && r.Record.Holds(ctx, tree.Disk(), jobs) {
			return r
		}
	}
	return nil
}

// Keep adds an outcome. It drops the one with the same key, and the least recently used ones.
func (c *Cache) Keep(now *Outcome) {
	c.Outcomes = slices.DeleteFunc(c.Outcomes, func(r *Outcome) bool { return r.Key == now.Key })
	c.Outcomes = append([]*Outcome{now}, c.Outcomes...)
	c.Outcomes = c.Outcomes[:min(len(c.Outcomes), maxOutcomes)]
	c.lost = true
}

func (c *Codec) outcome(o *Outcome) {
	c.sum(&o.Key)
	c.Number(&o.Record.Began)
	List(c, &o.Record.Answers, func(a *tree.Traced) {
		c.Byte(&a.Kind)
		c.String(&a.Name)
		c.sum(&a.Sum)
		c.state(&a.State)
	})
	List(c, &o.Record.Files, func(f *tree.TracedBytes) {
		c.String(&f.Name)
		c.state(&f.State)
		c.Number(&f.Size)
		c.Bool(&f.Whole)
		c.sum(&f.Sum)
	})
	c.String(&o.Packed)
}
