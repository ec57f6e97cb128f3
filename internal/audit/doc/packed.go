package doc

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
)

// The references and anchors of a document are kept as bytes between the phases of an audit: one string for
// each list, without pointers. A reference takes some 15 bytes besides its text, where a struct takes 250, and the
// collector does not look into it. An anchor takes some 5 bytes.
//
// An audit of 100,000 documents holds all of them at a time, since the last one may say how the ids of the first are
// made.

// packed holds the lists of a content. Its strings may be part of a cache file.
type packed struct {
	Refs           string
	Anchors        string
	RefCount       int // references in Refs
	Forbidden      string
	ForbiddenCount int
}

// Pack moves the references and anchors of d into strings.
func (d *Document) Pack() {
	if d.Refs == nil && d.Anchors == nil && d.Forbidden == nil || d.Bundle != nil {
		return // a Cache has packed them; those of packages stay
	}
	d.Packed = packed{
		Refs: packReferences(d.Refs, d.Retrieved.URI), Anchors: packAnchors(d.Anchors), RefCount: len(d.Refs),
		Forbidden: packReferences(d.Forbidden, d.Retrieved.URI), ForbiddenCount: len(d.Forbidden),
	}
	d.Forbidden = nil
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

// Prepare gives d memory for reading. Call Pack afterwards.
func (d *Document) Prepare() {
	l := listsPool.Get().(*lists)
	d.Refs, d.Anchors = l.refs[:0], l.anchors[:0]
}

// CountRefs returns the number of references to check.
func (d *Document) CountRefs() int { return max(len(d.Refs), d.Packed.RefCount) }

// UnpackedRefs returns the references to check. It uses the memory of scratch, unless d holds them
// unpacked. Their strings remain valid.
func (d *Document) UnpackedRefs(scratch []Reference) []Reference {
	if d.Refs != nil || d.Packed.Refs == "" {
		return d.Refs
	}
	return unpackReferences(scratch[:0], d.Packed.Refs, d.Packed.RefCount, d.Retrieved.URI)
}

// UnpackedForbidden returns the forbidden references.
func (d *Document) UnpackedForbidden() []Reference {
	if d.Forbidden != nil || d.Packed.Forbidden == "" {
		return d.Forbidden
	}
	return unpackReferences(nil, d.Packed.Forbidden, d.Packed.ForbiddenCount, d.Retrieved.URI)
}

// A Scratch holds memory for the unpacked references of one document at a time.
type Scratch []Reference

// Of returns the references of d to check. They are valid until the next call.
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
	list := unpackAnchors(d.Packed.Anchors)
	r.docs[r.next], r.lists[r.next] = d, list
	r.next = (r.next + 1) % len(r.docs)
	return list
}

// packReferences packs references of a document whose base is mostly own.
func packReferences(refs []Reference, own string) string {
	if len(refs) == 0 {
		return ""
	}
	c := NewWriter()
	c.references(&refs, len(refs), own)
	return c.Done()
}

// unpackReferences appends n references to refs. It returns fewer if s is damaged.
func unpackReferences(refs []Reference, s string, n int, own string) []Reference {
	NewReader(s).references(&refs, n, own)
	return refs
}

func packAnchors(anchors []Anchor) string {
	if len(anchors) == 0 {
		return ""
	}
	c := NewWriter()
	c.anchors(&anchors)
	return c.Done()
}

// unpackAnchors returns the anchors that s holds, or fewer if it is damaged.
func unpackAnchors(s string) (anchors []Anchor) {
	NewReader(s).anchors(&anchors)
	return anchors
}

// references writes n references, all of refs, or appends n to refs.
func (c *Codec) references(refs *[]Reference, n int, own string) {
	size := 0 // of all URLs
	if !c.reads {
		for i := range *refs {
			size += len((*refs)[i].URL)
		}
	}
	c.Count(&size)
	var urls strings.Builder
	before := c.first()
	if !c.reads {
		for i := range *refs {
			ref := &(*refs)[i]
			c.reference(ref, before, own, &urls)
			before = ref
		}
		return
	}
	const most = 64 << 20 // of s that is damaged
	urls.Grow(max(0, min(size, most)))
	if n <= len(c.in) {
		*refs = slices.Grow(*refs, n)
	}
	for range n {
		*refs = append(*refs, Reference{})
		ref := &(*refs)[len(*refs)-1]
		c.reference(ref, before, own, &urls)
		if c.isBad {
			*refs = (*refs)[:len(*refs)-1]
			return
		}
		before = ref
	}
}

// first returns what stands for the reference before the first one.
func (c *Codec) first() *Reference {
	if c.reads {
		return &Reference{Entity: Whole, Base: new(base.Base)}
	}
	return new(Reference)
}

// Reference codes a reference that is in no list.
func (c *Codec) Reference(ref *Reference) {
	c.ins = c.ins[:0]
	c.reference(ref, c.first(), "", new(strings.Builder))
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

// flagsOf returns the flags of ref, and the number of bytes at the end of its URL that are those of its Ref.
func flagsOf(ref, before *Reference) (flags byte, end int) {
	for end < len(ref.URL) && end < len(ref.Ref) && ref.URL[len(ref.URL)-1-end] == ref.Ref[len(ref.Ref)-1-end] {
		end++
	}
	for i, is := range [...]bool{
		ref.Ref != ref.Raw,
		ref.URL != "",
		ref.URL != "" && strings.HasPrefix(ref.Base.URI, ref.URL[:len(ref.URL)-end]),
		before.Base == nil || *ref.Base != *before.Base,
		ref.Entity != before.Entity && (before.Entity != nil || ref.Entity != Whole),
		ref.Err != nil,
		ref.Invalid,
		!ref.Pos.Exact,
	} {
		if is {
			flags |= 1 << i
		}
	}
	return flags, end
}

// reference codes ref, which follows another reference in a document whose base is mostly own. URLs that it
// puts together are in urls.
func (c *Codec) reference(ref, before *Reference, own string, urls *strings.Builder) {
	flags, stem, skip := byte(0), 0, 0
	if !c.reads {
		var end int
		flags, end = flagsOf(ref, before)
		stem, skip = len(ref.URL)-end, len(ref.Ref)-end
	}
	c.Byte(&flags)
	ref.Pos.Offset = before.Pos.Offset + c.number(ref.Pos.Offset-before.Pos.Offset)
	c.Count(&ref.Pos.Length)
	c.from(&ref.Pos.Line, before.Pos.Line)
	c.Count(&ref.Pos.Column)
	c.Byte((*byte)(&ref.Kind))
	c.Byte((*byte)(&ref.How))
	c.text(&ref.In)
	c.String(&ref.Raw)
	if flags&hasOtherRef != 0 {
		c.String(&ref.Ref)
	}
	switch {
	case flags&hasBaseURL != 0:
		c.Count(&stem)
		c.Count(&skip)
	case flags&hasURL != 0:
		c.String(&ref.URL)
	}
	if flags&hasBase != 0 {
		c.base(&ref.Base, own)
	}
	if flags&hasEntity != 0 {
		c.entity(&ref.Entity)
	}
	c.Byte((*byte)(&ref.Result.Step))
	c.Byte((*byte)(&ref.Result.Departures))
	c.Byte((*byte)(&ref.Result.Failure))
	c.Bool(&ref.Result.InError)
	ref.Labels = scan.Labels(c.uint(uint64(ref.Labels)))
	if flags&hasError != 0 {
		c.err(&ref.Err)
	}
	c.from(&ref.Line, ref.Pos.Line)
	c.from(&ref.Column, ref.Pos.Column)
	if c.reads {
		ref.complete(flags, before)
	}
	if c.reads && flags&hasBaseURL != 0 {
		if uint(stem) > uint(len(ref.Base.URI)) || uint(skip) > uint(len(ref.Ref)) {
			c.fail()
			return
		}
		from := urls.Len()
		urls.WriteString(ref.Base.URI[:stem])
		urls.WriteString(ref.Ref[skip:])
		ref.URL = urls.String()[from:]
	}
}

// complete sets what the flags of ref say.
func (ref *Reference) complete(flags byte, before *Reference) {
	ref.Pos.Exact = flags&isInexact == 0
	ref.Invalid = flags&isInvalid != 0
	if flags&hasOtherRef == 0 {
		ref.Ref = ref.Raw
	}
	if flags&hasBase == 0 {
		ref.Base = before.Base
	}
	if flags&hasEntity == 0 {
		ref.Entity = before.Entity
	}
}

func (c *Codec) base(b **base.Base, own string) {
	if c.reads {
		*b = &base.Base{URI: own}
	}
	isOther := (*b).URI != own
	c.Bool(&isOther)
	if isOther {
		c.String(&(*b).URI)
	}
	c.Byte((*byte)(&(*b).Layer))
	c.String(&(*b).From)
}

// entity codes an entity and those around it, the outermost first. A whole document has none.
func (c *Codec) entity(e **extract.Entity) {
	var steps []*extract.Entity
	if !c.reads {
		for step := *e; step != Whole && step != nil; step = step.Parent {
			steps = append(steps, step)
		}
		slices.Reverse(steps)
	}
	outer := (*extract.Entity)(nil)
	List(c, &steps, func(step **extract.Entity) {
		if c.reads {
			*step = &extract.Entity{Parent: outer}
			outer = *step
		}
		c.String(&(*step).Name)
		c.String(&(*step).Type)
	})
	if c.reads {
		*e = cmp.Or(outer, Whole)
	}
}

func (c *Codec) err(err *error) {
	var text string
	if !c.reads {
		text = (*err).Error()
	}
	c.String(&text)
	if c.reads {
		*err = errors.New(strings.Clone(text))
	}
}

func (c *Codec) anchors(list *[]Anchor) {
	line := 0
	List(c, list, func(k *Anchor) {
		c.from(&k.Line, line)
		line = k.Line
		c.text(&k.In)
		c.String(&k.Name)
		c.heading(&k.Heading)
	})
}

// heading codes a heading: 0 is none, 1 one whose Source is its Text.
func (c *Codec) heading(h **slug.Heading) {
	var form byte
	switch {
	case *h == nil:
	case (*h).Source == (*h).Text:
		form = 1
	default:
		form = 2
	}
	c.Byte(&form)
	if form == 0 {
		return
	}
	if c.reads {
		*h = new(slug.Heading)
	}
	k := *h
	c.String(&k.Text)
	if form == 2 {
		c.String(&k.Source)
	} else {
		k.Source = k.Text
	}
	c.String(&k.Alt)
	c.String(&k.Entities)
}
