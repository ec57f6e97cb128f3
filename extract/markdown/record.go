package markdown

import (
	"cmp"
	"math"
	"slices"

	"example.org/refract/extract/scan"
)

// A record is a result, to be returned as an Item. Nearly all results are references whose Value is as
// written. For these, a record is all that memory holds, since a document may have one in every six
// bytes. Offsets fit: documents of 2 GiB are not scanned.
type record struct {
	start, end int32
	what       int32 // index of its form in Scanner.forms; the complement of an index in Scanner.items
}

// A form holds what references of one kind have in common.
type form struct {
	kind      scan.Kind
	how       scan.How
	labels    scan.Labels
	in, meant string
	space     string
}

const (
	maxForms = 64

	recordSize = 64  // in bytes, for the budget
	itemSize   = 512 // also in bytes, with the memory that it points to
)

// add adds an Item that was found.
func (s *Scanner) add(it scan.Item) {
	r := recordOf(it.Span, s.formOf(&it))
	if r.what < 0 {
		r.what = ^int32(len(s.items))
		s.items = append(s.items, it)
		s.memory -= itemSize + len(it.Text)
	}
	s.records = append(s.records, r)
	s.memory -= recordSize
}

func recordOf(at scan.Span, what int) record {
	return record{start: int32(at.Start), end: int32(at.End), what: int32(what)}
}

func (r record) span() scan.Span { return scan.Span{Start: int(r.start), End: int(r.end)} }

// formOf returns the index of the form of a reference whose Value is as written, or -1 for other Items.
func (s *Scanner) formOf(it *scan.Item) int {
	if it.Op != scan.Ref || it.Text != "" || it.More != nil || it.IgnoresBase || it.Loose || it.Depth != 0 || it.Type != "" || it.Name != "" || it.Map != nil {
		return -1
	}
	if n := len(it.Value); n == 0 || n != it.Span.End-it.Span.Start || &it.Value[0] != &s.src[it.Span.Start] {
		return -1
	}
	f := form{it.Kind, it.How, it.Labels, it.In, it.Meant, it.Space}
	i := slices.Index(s.forms, f)
	if i < 0 && len(s.forms) < maxForms {
		i = len(s.forms)
		s.forms = append(s.forms, f)
	}
	return i
}

// get returns the Item of a record, until the next call.
func (s *Scanner) get(r record) *scan.Item {
	if r.what < 0 {
		return &s.items[^r.what]
	}
	f := &s.forms[r.what]
	s.item = scan.Item{Kind: f.kind, How: f.how, Labels: f.labels, In: f.in, Meant: f.meant, Space: f.space,
		Span: r.span(), Value: s.src[r.start:r.end]}
	return &s.item
}

// sort sorts the records in source order. They are nearly sorted.
func (s *Scanner) sort() {
	order := func(a, b record) int { return cmp.Compare(a.start, b.start) }
	if !slices.IsSortedFunc(s.records, order) {
		slices.SortStableFunc(s.records, order)
	}
}

// found iterates over the results in source order: the records, and then the results of a simple
// scan, if there is one.
type found struct {
	*Scanner
	at     int // an index in records
	simple *simpleScan
}

// next returns the next Item, or nil if there is none. It is valid until the next call.
func (f *found) next() *scan.Item {
	if f.at < len(f.records) {
		f.at++
		return f.get(f.records[f.at-1])
	}
	if f.simple != nil && f.simple.next() {
		return &f.simple.item
	}
	return nil
}

// merge yields the results and the Items of the HTML, in the order of their starts.
func (s *Scanner) merge(simple *simpleScan, yield func(*scan.Item) bool) {
	all := found{Scanner: s, simple: simple}
	it := all.next()
	before := func(end int) bool {
		for ; it != nil && it.Span.Start < end; it = all.next() {
			if !yield(it) {
				return false
			}
		}
		return true
	}
	if s.mask != nil {
		for of := range s.html() {
			if !before(of.Span.Start) || !yield(of) {
				return
			}
		}
	}
	before(math.MaxInt)
}
