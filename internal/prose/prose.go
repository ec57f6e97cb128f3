// Package prose holds the common code of the scanners of small formats, whose documents are running
// text with some constructs in it. A scanner reads the document once. It passes on the visible text,
// with escapes decoded, and the references and names in the constructs. Package prose finds the
// references in the text, and yields all Items in source order.
package prose

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Doc collects the references of one document. It may be reused after Reset.
type Doc struct {
	Plain plain.Scanner // for the text

	src   []byte
	text  []byte
	shown int // where the source of the text that Show added last ends
	m     scan.Map
	found []found
	names []byte // Values that are not in the source
	item  scan.Item
	more  scan.More // of item
	whole scan.More // of an Item of the text
	parts []scan.Span
}

// found is the Item of a construct.
type found struct {
	Item
	value, end int // range in Doc.names; if value is -1, the bytes of Span
}

// An Item is a reference, definition or mention in a construct.
type Item struct {
	Op          scan.Op // Ref, Anchor, Mention or Part
	Kind        scan.Kind
	How         scan.How
	Labels      scan.Labels
	Span        scan.Span
	In          string
	Space       string
	Meant       string
	Loose       bool
	IgnoresBase bool
	Type        string // media type of a Part, which is called "raw"

	Fragment string // as in scan.More
}

// Scan yields the Items that read adds for a document, and the references of its text, in source order.
func (d *Doc) Scan(src []byte, rules delimit.Rules, read func()) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		d.Reset(src)
		d.Plain.Finder.Rules = rules
		read()
		d.All(yield)
	}
}

// Reset begins a new document.
func (d *Doc) Reset(src []byte) {
	const maxText = 1 << 20
	if cap(d.text) > maxText {
		d.text, d.m, d.found = nil, scan.Map{}, nil
	}
	d.src, d.text, d.shown, d.found, d.names = src, d.text[:0], 0, d.found[:0], d.names[:0]
	d.m.Reset()
}

// Text adds src[from:to] to the text unchanged.
func (d *Doc) Text(from, to int) {
	d.text = append(d.text, d.src[from:to]...)
	d.m.Add(to-from, from, 1, 1)
}

// Undone adds out, the decoded form of src[from:to], to the text.
func (d *Doc) Undone(out []byte, from, to int) {
	d.text = append(d.text, out...)
	d.m.Add(len(out), from, len(out), to-from)
}

// Break adds a tab, which ends a reference, to the text in place of src[from:to], which is not empty.
func (d *Doc) Break(from, to int) {
	d.text = append(d.text, '\t')
	d.m.Add(1, from, 1, to-from)
}

// Show adds src[from:to] to the text, after a Break in place of the text between it and the range that Show
// added before. A scanner that adds all its text by Show need not say what it hides.
func (d *Doc) Show(from, to int) {
	if from >= to {
		return
	}
	if d.shown < from {
		d.Break(d.shown, from)
	}
	d.Text(from, to)
	d.shown = to
}

// Emptied returns value without its bytes, for another Value: never nil, which Add takes for the bytes of the Span.
func Emptied(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value[:0]
}

// Add adds an Item whose Value is value; if value is nil, the Value is the bytes of its Span. Items
// may be added in any order.
func (d *Doc) Add(it Item, value []byte) {
	f := found{Item: it, value: -1}
	if value != nil {
		f.value = len(d.names)
		d.names = append(d.names, value...)
		f.end = len(d.names)
	}
	d.found = append(d.found, f)
}

// IsFull reports whether d holds so much that All should be called, and Reset, before more is added. It
// does so only where no reference in the text can continue: at its beginning, and after a Break. If there
// is none for long, it also does so after white space, and finally anywhere.
func (d *Doc) IsFull() bool {
	const maxHeld = 256 << 10
	held := d.held()
	if held <= maxHeld {
		return false
	}
	n := len(d.text)
	if n == 0 || d.text[n-1] == '\t' || held > 32*maxHeld {
		return true
	}
	return held > 4*maxHeld && (d.text[n-1] == ' ' || d.text[n-1] == '\n')
}

// IsOverfull reports whether d holds so much that later additions may come out of order.
func (d *Doc) IsOverfull() bool { return d.held() > 4<<20 }

// held returns about how many bytes d takes.
func (d *Doc) held() int {
	const itemSize = 256
	return len(d.text) + len(d.names) + itemSize*len(d.found)
}

// All yields the Items that were added, and the references of the text, in source order.
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

// itemOf returns the Item of f. It is valid until the next call.
func (d *Doc) itemOf(f *found) *scan.Item {
	d.item = scan.Item{Op: f.Op, Kind: f.Kind, How: f.How, Labels: f.Labels, Span: f.Span, In: f.In, Space: f.Space, Meant: f.Meant, Loose: f.Loose, IgnoresBase: f.IgnoresBase}
	if f.value < 0 {
		d.item.Value = d.src[f.Span.Start:f.Span.End]
	} else {
		d.item.Value = d.names[f.value:f.end]
	}
	switch {
	case f.Op == scan.Part:
		d.item.Type, d.item.Name = f.Type, "raw"
	case f.Op == scan.Anchor:
		d.more = scan.More{NameSpan: f.Span}
		d.item.More = &d.more
	case f.Fragment != "":
		d.more = scan.More{Fragment: f.Fragment}
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

// Ends finds the ends of the constructs of one document. It searches in vain for each only once.
type Ends struct{ missing map[string]bool }

// Find returns the offset of end at or after src[at], or -1. at is not less than in the call before.
func (e *Ends) Find(src []byte, end string, at int) int {
	if e.missing[end] {
		return -1
	}
	if i := bytes.Index(src[at:], []byte(end)); i >= 0 {
		return at + i
	}
	if e.missing == nil {
		e.missing = make(map[string]bool)
	}
	e.missing[end] = true
	return -1
}

// Trim returns a range of src without the white space at its ends.
func Trim(src []byte, at scan.Span) scan.Span {
	for at.Start < at.End && ascii.IsSpace(src[at.Start]) {
		at.Start++
	}
	for at.End > at.Start && ascii.IsSpace(src[at.End-1]) {
		at.End--
	}
	return at
}
