package doc

import (
	"errors"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// The references and anchors of a document are kept as bytes between the phases of an audit: one string for
// each list, without pointers. A reference takes some 15 bytes besides its text, where a struct takes 250, and the
// collector does not look into it. An anchor takes some 5 bytes.
//
// An audit of 100,000 documents holds all of them at a time, since the last one may say how the ids of the first are
// made.

// packed holds the lists of a content. Its strings may be part of a cache file.
type packed struct {
	Refs     string
	Anchors  string
	RefCount int // references in Refs
}

// Pack moves the references and anchors of d into strings.
func (d *Document) Pack() {
	if d.Refs == nil && d.Anchors == nil || d.Bundle != nil {
		return // a Cache has packed them; those of packages stay
	}
	d.Packed = packed{Refs: packReferences(d.Refs, d.Retrieved.URI), Anchors: packAnchors(d.Anchors), RefCount: len(d.Refs)}
	l := &lists{d.Refs, d.Anchors}
	d.Refs, d.Anchors = nil, nil
	if cap(l.refs) <= maxPooledRefs && cap(l.anchors) <= maxPooledRefs {
		clear(l.refs)
		clear(l.anchors)
		listsPool.Put(l)
	}
}

// lists hold memory for the references and anchors of a document while it is read.
type lists struct {
	refs    []Reference
	anchors []Anchor
}

const maxPooledRefs = 4096

var listsPool = sync.Pool{New: func() any { return new(lists) }}

// Prepare gives d memory for what is read. Call Pack afterwards.
func (d *Document) Prepare() {
	l := listsPool.Get().(*lists)
	d.Refs, d.Anchors = l.refs[:0], l.anchors[:0]
}

// CountRefs returns the number of references that are to be judged.
func (d *Document) CountRefs() int { return max(len(d.Refs), d.Packed.RefCount) }

// UnpackedRefs returns the references that are to be judged. It uses the memory of scratch, unless d
// holds them unpacked. Their strings remain valid.
func (d *Document) UnpackedRefs(scratch []Reference) []Reference {
	if d.Refs != nil || d.Packed.Refs == "" {
		return d.Refs
	}
	return UnpackReferences(scratch[:0], d.Packed.Refs, d.Packed.RefCount, d.Retrieved.URI)
}

// A Scratch holds memory for the unpacked references of one document at a time.
type Scratch []Reference

// Of returns the references of d that are to be judged. They are valid until the next call.
func (s *Scratch) Of(d *Document) []Reference {
	if d.Refs != nil || d.Packed.Refs == "" {
		return d.Refs
	}
	clear(*s)
	*s = d.UnpackedRefs(*s)
	return *s
}

// AnchorList returns the anchors of d.
func (d *Document) AnchorList() []Anchor {
	if d.Anchors != nil || d.Packed.Anchors == "" {
		return d.Anchors
	}
	return d.shared.recent.anchors(d)
}

// recentAnchors holds the unpacked anchors of the documents that were last asked for theirs: many findings of one
// document may ask.
type recentAnchors struct {
	mu    sync.Mutex
	docs  [8]*Document
	lists [8][]Anchor
	next  int
}

func (r *recentAnchors) anchors(d *Document) []Anchor {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, other := range r.docs {
		if other == d {
			return r.lists[i]
		}
	}
	list := UnpackAnchors(d.Packed.Anchors)
	r.docs[r.next], r.lists[r.next] = d, list
	r.next = (r.next + 1) % len(r.docs)
	return list
}

// Flags of a packed reference.
const (
	hasOtherRef = 1 << iota // ref is not raw
	hasURL
	hasBaseURL // url is the beginning of the URI of the base, and the end of ref
	hasBase    // base is not that of the reference before
	hasEntity  // so for entity
	hasError
	isInvalid
	isInexact
)

// packReferences packs references of a document whose base is mostly own.
func packReferences(refs []Reference, own string) string {
	if len(refs) == 0 {
		return ""
	}
	p := Packings.Get().(*Packing)
	urls := 0
	for i := range refs {
		urls += len(refs[i].URL)
	}
	p.Count(urls)
	before := &Reference{}
	for i := range refs {
		p.Reference(&refs[i], before, own)
		before = &refs[i]
	}
	return p.Done()
}

func (p *Packing) Reference(k, before *Reference, own string) {
	flags := byte(0)
	set := func(flag byte, is bool) {
		if is {
			flags |= flag
		}
	}
	end := commonEnd(k.URL, k.Ref)
	stem := k.URL[:len(k.URL)-end]
	isBelow := strings.HasPrefix(k.Base.URI, stem)
	set(hasOtherRef, k.Ref != k.Raw)
	set(hasURL, k.URL != "")
	set(hasBaseURL, k.URL != "" && isBelow)
	set(hasBase, before.Base == nil || *k.Base != *before.Base)
	set(hasEntity, k.Entity != before.Entity && (before.Entity != nil || k.Entity != Whole))
	set(hasError, k.Err != nil)
	set(isInvalid, k.Invalid)
	set(isInexact, !k.Pos.Exact)
	p.Byte(flags)
	p.Number(k.Pos.Offset - before.Pos.Offset)
	p.Count(k.Pos.Length)
	p.Number(int64(k.Pos.Line - before.Pos.Line))
	p.Count(k.Pos.Column)
	p.Byte(byte(k.Kind))
	p.Byte(byte(k.How))
	p.in(k.In)
	p.String(k.Raw)
	if flags&hasOtherRef != 0 {
		p.String(k.Ref)
	}
	switch {
	case flags&hasBaseURL != 0:
		p.Count(len(stem))
		p.Count(len(k.Ref) - end)
	case flags&hasURL != 0:
		p.String(k.URL)
	}
	if flags&hasBase != 0 {
		if k.Base.URI == own {
			p.Byte(0)
		} else {
			p.Byte(1)
			p.String(k.Base.URI)
		}
		p.Byte(byte(k.Base.Layer))
		p.String(k.Base.From)
	}
	if flags&hasEntity != 0 {
		p.entity(k.Entity)
	}
	p.Byte(byte(k.Result.Step))
	p.Byte(byte(k.Result.Departures))
	p.Byte(byte(k.Result.Failure)<<1 | byte(answerOf(k.Result.InError)-no))
	p.Count(int(k.Labels))
	if k.Err != nil {
		p.String(k.Err.Error())
	}
	p.Number(int64(k.Line - k.Pos.Line))
	p.Number(int64(k.Column - k.Pos.Column))
}

// commonEnd returns the number of bytes at the end of a and b that are the same.
func commonEnd(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// entity packs e and the entities around it, the outermost first. A whole document has none.
func (p *Packing) entity(e *extract.Entity) {
	var steps []*extract.Entity
	for ; e != Whole && e != nil; e = e.Parent {
		steps = append(steps, e)
	}
	p.Count(len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		p.String(steps[i].Name)
		p.String(steps[i].Type)
	}
}

// packAnchors packs anchors.
func packAnchors(anchors []Anchor) string {
	if len(anchors) == 0 {
		return ""
	}
	p := Packings.Get().(*Packing)
	p.Count(len(anchors))
	line := 0
	for i := range anchors {
		k := &anchors[i]
		p.Number(int64(k.Line - line))
		line = k.Line
		p.in(k.In)
		p.String(k.Name)
		h := k.Heading
		switch {
		case h == nil:
			p.Byte(0)
			continue
		case h.Source == h.Text:
			p.Byte(1)
			p.String(h.Text)
		default:
			p.Byte(2)
			p.String(h.Text)
			p.String(h.Source)
		}
		p.String(h.Alt)
		p.String(h.Entities)
	}
	return p.Done()
}

// UnpackReferences appends n references to refs. It returns fewer if s is damaged.
func UnpackReferences(refs []Reference, s string, n int, own string) []Reference {
	u := Unpacking{In: s}
	size := u.uint()
	const most = 64 << 20 // of s that is damaged
	var urls strings.Builder
	urls.Grow(int(min(size, most)))
	before := &Reference{Entity: Whole, Base: new(base.Base)}
	if n <= len(s) && cap(refs)-len(refs) < n {
		refs = append(make([]Reference, 0, len(refs)+n), refs...)
	}
	for range n {
		k := u.Reference(before, own, &urls)
		if u.Bad {
			break
		}
		refs = append(refs, k)
		before = &refs[len(refs)-1]
	}
	return refs
}

func (u *Unpacking) Reference(before *Reference, own string, urls *strings.Builder) (k Reference) {
	flags := u.Byte()
	k.Pos = extract.Position{Offset: before.Pos.Offset + u.Number(), Length: u.Count(), Line: before.Pos.Line + int(u.Number()), Column: u.Count(), Exact: flags&isInexact == 0}
	k.Kind, k.How, k.In = scan.Kind(u.Byte()), scan.How(u.Byte()), u.inOf()
	k.Raw = u.String()
	k.Ref = k.Raw
	if flags&hasOtherRef != 0 {
		k.Ref = u.String()
	}
	stem, skip := 0, 0
	switch {
	case flags&hasBaseURL != 0:
		stem, skip = u.Count(), u.Count()
	case flags&hasURL != 0:
		k.URL = u.String()
	}
	k.Base, k.Entity = before.Base, before.Entity
	if flags&hasBase != 0 {
		b := base.Base{URI: own}
		if u.Byte() != 0 {
			b.URI = u.String()
		}
		b.Layer, b.From = base.Layer(u.Byte()), u.String()
		k.Base = &b
	}
	if flags&hasEntity != 0 {
		k.Entity = u.entity()
	}
	if flags&hasBaseURL != 0 {
		if stem < 0 || stem > len(k.Base.URI) || skip < 0 || skip > len(k.Ref) {
			u.fail()
			return k
		}
		from := urls.Len()
		urls.WriteString(k.Base.URI[:stem])
		urls.WriteString(k.Ref[skip:])
		k.URL = urls.String()[from:]
	}
	k.Result = resolve.Result{Step: resolve.Step(u.Byte()), Departures: resolve.Departures(u.Byte())}
	failure := u.Byte()
	k.Result.Failure, k.Result.InError = resolve.Failure(failure>>1), failure&1 != 0
	k.Labels = scan.Labels(u.uint())
	if flags&hasError != 0 {
		k.Err = errors.New(strings.Clone(u.String()))
	}
	k.Invalid = flags&isInvalid != 0
	k.Line = k.Pos.Line + int(u.Number())
	k.Column = k.Pos.Column + int(u.Number())
	return k
}

func (u *Unpacking) entity() *extract.Entity {
	e := Whole
	for range u.length() {
		step := &extract.Entity{Name: u.String(), Type: u.String()}
		if e != Whole {
			step.Parent = e
		}
		e = step
	}
	return e
}

// UnpackAnchors returns the anchors that s holds, or fewer if it is damaged.
func UnpackAnchors(s string) []Anchor {
	u := Unpacking{In: s}
	n := u.length()
	anchors := make([]Anchor, 0, n)
	line := 0
	for range n {
		k := Anchor{Line: line + int(u.Number()), In: u.inOf(), Name: u.String()}
		line = k.Line
		if form := u.Byte(); form != 0 {
			h := &slug.Heading{Text: u.String()}
			h.Source = h.Text
			if form == 2 {
				h.Source = u.String()
			}
			h.Alt = u.String()
			h.Entities = u.String()
			k.Heading = h
		}
		if u.Bad {
			break
		}
		anchors = append(anchors, k)
	}
	return anchors
}
