// Package prose is what the scanners of small formats have in common: documents that are running
// text with some constructs in it. A scanner reads the document once, gives the text that is shown,
// with its escapes undone, and what the constructs refer to. Prose finds the references in
// the text, and yields all of them in source order.
package prose

import (
	"cmp"
	"slices"

	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
)

// A Doc is what was found in one document. It may be used again, after Reset.
type Doc struct {
	Plain plain.Scanner // of the text

	src   []byte
	text  []byte
	m     scan.Map
	found []found
	names []byte // Values that are not in the source
	item  scan.Item
	more  scan.More // of item
	whole scan.More // of an Item of the text
	parts []scan.Span
}

// found is an Item of a construct.
type found struct {
	Item
	value, end int // in Doc.names; value is -1: it is the bytes of Span
}

// An Item is what a construct refers to or defines.
type Item struct {
	Op     scan.Op // Ref, Anchor or Mention
	Kind   scan.Kind
	How    scan.How
	Labels scan.Labels
	Span   scan.Span
	In     string
	Space  string
	Meant  string
	Loose  bool
}

// Reset begins a new document.
func (d *Doc) Reset(src []byte) {
	const maxText = 1 << 20
	if cap(d.text) > maxText {
		d.text, d.m, d.found = nil, scan.Map{}, nil
	}
	d.src, d.text, d.found, d.names = src, d.text[:0], d.found[:0], d.names[:0]
	d.m.Reset()
}

// Text adds src[from:to] to the text.
func (d *Doc) Text(from, to int) {
	d.text = append(d.text, d.src[from:to]...)
	d.m.Add(to-from, from, 1, 1)
}

// Undone adds out to the text, for which src[from:to] stands.
func (d *Doc) Undone(out []byte, from, to int) {
	d.text = append(d.text, out...)
	d.m.Add(len(out), from, len(out), to-from)
}

// Break adds a tab to the text, which ends a reference, for src[from:to], which is not empty.
func (d *Doc) Break(from, to int) {
	d.text = append(d.text, '\t')
	d.m.Add(1, from, 1, to-from)
}

// Add adds an Item whose Value is value; nil stands for the bytes of its Span. Items may be added
// in any order.
func (d *Doc) Add(it Item, value []byte) {
	f := found{Item: it, value: -1}
	if value != nil {
		f.value = len(d.names)
		d.names = append(d.names, value...)
		f.end = len(d.names)
	}
	d.found = append(d.found, f)
}

// All yields what was added, and the references of the text, in source order.
func (d *Doc) All(yield func(*scan.Item) bool) {
	byStart := func(a, b found) int { return cmp.Compare(a.Span.Start, b.Span.Start) }
	if !slices.IsSortedFunc(d.found, byStart) {
		slices.SortStableFunc(d.found, byStart)
	}
	next := 0
	before := func(at int) bool {
		for ; next < len(d.found) && d.found[next].Span.Start <= at; next++ {
			if !yield(d.itemOf(&d.found[next])) {
				return false
			}
		}
		return true
	}
	stopped := false
	d.Plain.Rest = false
	d.Plain.Window(d.text, 0, len(d.text), true, func(it *scan.Item) bool {
		exact := d.locate(it)
		stopped = !before(it.Span.Start)
		if !stopped {
			it.Loose = it.Loose || !exact
			stopped = !yield(it)
		}
		it.Loose = false
		return !stopped
	})
	if !stopped {
		before(len(d.src))
	}
	d.src, d.item, d.more, d.whole = nil, scan.Item{}, scan.More{}, scan.More{}
}

// itemOf returns the Item of f, until the next call.
func (d *Doc) itemOf(f *found) *scan.Item {
	d.item = scan.Item{Op: f.Op, Kind: f.Kind, How: f.How, Labels: f.Labels, Span: f.Span, In: f.In, Space: f.Space, Meant: f.Meant, Loose: f.Loose}
	if f.value < 0 {
		d.item.Value = d.src[f.Span.Start:f.Span.End]
	} else {
		d.item.Value = d.names[f.value:f.end]
	}
	if f.Op == scan.Anchor {
		d.more = scan.More{NameSpan: f.Span}
		d.item.More = &d.more
	}
	return &d.item
}

// locate maps the spans of an Item of the text to the source, and reports whether its Span is exact.
func (d *Doc) locate(it *scan.Item) bool {
	span, exact := d.m.Back(it.Span)
	it.Span = span
	if it.More != nil && it.More.Parts != nil {
		d.parts = d.parts[:0]
		for _, p := range it.More.Parts {
			p, _ = d.m.Back(p)
			d.parts = append(d.parts, p)
		}
		d.whole = *it.More
		d.whole.Parts = d.parts
		it.More = &d.whole
	}
	return exact
}
