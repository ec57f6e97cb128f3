package audit

import (
	"encoding/binary"
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
	refs     string
	anchors  string
	refCount int // references in refs
}

// pack moves the references and anchors of d into strings.
func (d *document) pack() {
	if d.refs == nil && d.anchors == nil {
		return // a Cache has packed them
	}
	d.packed = packed{refs: packReferences(d.refs, d.retrieved.URI), anchors: packAnchors(d.anchors), refCount: len(d.refs)}
	l := &lists{d.refs, d.anchors}
	d.refs, d.anchors = nil, nil
	if cap(l.refs) <= maxPooledRefs && cap(l.anchors) <= maxPooledRefs {
		clear(l.refs)
		clear(l.anchors)
		listsPool.Put(l)
	}
}

// lists hold memory for the references and anchors of a document while it is read.
type lists struct {
	refs    []reference
	anchors []anchor
}

const maxPooledRefs = 4096

var listsPool = sync.Pool{New: func() any { return new(lists) }}

// prepare gives d memory for what is read. Call pack afterwards.
func (d *document) prepare() {
	l := listsPool.Get().(*lists)
	d.refs, d.anchors = l.refs[:0], l.anchors[:0]
}

// countRefs returns the number of references that are to be judged.
func (d *document) countRefs() int { return max(len(d.refs), d.packed.refCount) }

// unpackedRefs returns the references that are to be judged. It uses the memory of scratch, unless d
// holds them unpacked. Their strings remain valid.
func (d *document) unpackedRefs(scratch []reference) []reference {
	if d.refs != nil || d.packed.refs == "" {
		return d.refs
	}
	return unpackReferences(scratch[:0], d.packed.refs, d.packed.refCount, d.retrieved.URI)
}

// refsOf returns the references of d. They are valid until the next call: use it only where documents are
// examined one by one.
func (a *auditor) refsOf(d *document) []reference {
	if d.refs != nil || d.packed.refs == "" {
		return d.refs
	}
	clear(a.scratch)
	a.scratch = d.unpackedRefs(a.scratch)
	return a.scratch
}

// anchorList returns the anchors of d.
func (d *document) anchorList() []anchor {
	if d.anchors != nil || d.packed.anchors == "" {
		return d.anchors
	}
	return d.shared.recent.anchors(d)
}

// recentAnchors holds the unpacked anchors of the documents that were last asked for theirs: many findings of one
// document may ask.
type recentAnchors struct {
	mu    sync.Mutex
	docs  [8]*document
	lists [8][]anchor
	next  int
}

func (r *recentAnchors) anchors(d *document) []anchor {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, other := range r.docs {
		if other == d {
			return r.lists[i]
		}
	}
	list := unpackAnchors(d.packed.anchors)
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

// A packing appends values to bytes.
type packing struct {
	out []byte
	ins []string // values of reference.in and anchor.in that were written
}

func (p *packing) number(n int64)  { p.out = binary.AppendVarint(p.out, n) }
func (p *packing) count(n int)     { p.out = binary.AppendUvarint(p.out, uint64(n)) }
func (p *packing) byte(b byte)     { p.out = append(p.out, b) }
func (p *packing) string(s string) { p.count(len(s)); p.out = append(p.out, s...) }

// maxIns is the number of different values of "in" that are written once.
const maxIns = 64

// in writes a value of reference.in or anchor.in: most documents have few.
func (p *packing) in(s string) {
	for i, other := range p.ins {
		if other == s {
			p.count(i + 1)
			return
		}
	}
	p.count(0)
	p.string(s)
	if len(p.ins) < maxIns {
		p.ins = append(p.ins, s)
	}
}

// packings hold memory for packing.
var packings = sync.Pool{New: func() any { return new(packing) }}

// done returns the bytes as a string, and p to the pool.
func (p *packing) done() string {
	s := string(p.out)
	clear(p.ins)
	p.out, p.ins = p.out[:0], p.ins[:0]
	packings.Put(p)
	return s
}

// packReferences packs references of a document whose base is mostly own.
func packReferences(refs []reference, own string) string {
	if len(refs) == 0 {
		return ""
	}
	p := packings.Get().(*packing)
	urls := 0
	for i := range refs {
		urls += len(refs[i].url)
	}
	p.count(urls)
	before := &reference{}
	for i := range refs {
		p.reference(&refs[i], before, own)
		before = &refs[i]
	}
	return p.done()
}

func (p *packing) reference(k, before *reference, own string) {
	flags := byte(0)
	set := func(flag byte, is bool) {
		if is {
			flags |= flag
		}
	}
	end := commonEnd(k.url, k.ref)
	stem := k.url[:len(k.url)-end]
	isBelow := strings.HasPrefix(k.base.URI, stem)
	set(hasOtherRef, k.ref != k.raw)
	set(hasURL, k.url != "")
	set(hasBaseURL, k.url != "" && isBelow)
	set(hasBase, before.base == nil || *k.base != *before.base)
	set(hasEntity, k.entity != before.entity && (before.entity != nil || k.entity != whole))
	set(hasError, k.err != nil)
	set(isInvalid, k.invalid)
	set(isInexact, !k.pos.Exact)
	p.byte(flags)
	p.number(k.pos.Offset - before.pos.Offset)
	p.count(k.pos.Length)
	p.number(int64(k.pos.Line - before.pos.Line))
	p.count(k.pos.Column)
	p.byte(byte(k.kind))
	p.byte(byte(k.how))
	p.in(k.in)
	p.string(k.raw)
	if flags&hasOtherRef != 0 {
		p.string(k.ref)
	}
	switch {
	case flags&hasBaseURL != 0:
		p.count(len(stem))
		p.count(len(k.ref) - end)
	case flags&hasURL != 0:
		p.string(k.url)
	}
	if flags&hasBase != 0 {
		if k.base.URI == own {
			p.byte(0)
		} else {
			p.byte(1)
			p.string(k.base.URI)
		}
		p.byte(byte(k.base.Layer))
		p.string(k.base.From)
	}
	if flags&hasEntity != 0 {
		p.entity(k.entity)
	}
	p.byte(byte(k.result.Step))
	p.byte(byte(k.result.Departures))
	p.byte(byte(k.result.Failure)<<1 | byte(answerOf(k.result.InError)-no))
	p.count(int(k.labels))
	if k.err != nil {
		p.string(k.err.Error())
	}
	p.number(int64(k.line - k.pos.Line))
	p.number(int64(k.column - k.pos.Column))
}

// commonEnd returns the number of bytes at the end of a and b that are the same.
func commonEnd(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// entity packs e and the entities around it, the outermost first. A whole document has none.
func (p *packing) entity(e *extract.Entity) {
	var steps []*extract.Entity
	for ; e != whole && e != nil; e = e.Parent {
		steps = append(steps, e)
	}
	p.count(len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		p.string(steps[i].Name)
		p.string(steps[i].Type)
	}
}

// packAnchors packs anchors.
func packAnchors(anchors []anchor) string {
	if len(anchors) == 0 {
		return ""
	}
	p := packings.Get().(*packing)
	p.count(len(anchors))
	line := 0
	for i := range anchors {
		k := &anchors[i]
		p.number(int64(k.line - line))
		line = k.line
		p.in(k.in)
		p.string(k.name)
		h := k.heading
		switch {
		case h == nil:
			p.byte(0)
			continue
		case h.Source == h.Text:
			p.byte(1)
			p.string(h.Text)
		default:
			p.byte(2)
			p.string(h.Text)
			p.string(h.Source)
		}
		p.string(h.Alt)
	}
	return p.done()
}

// An unpacking reads what a packing has written. After a fault, all that it reads is empty.
type unpacking struct {
	in  string
	ins []string
	bad bool
}

func (u *unpacking) fail() { u.in, u.bad = "", true }

func (u *unpacking) byte() byte {
	if u.in == "" {
		u.fail()
		return 0
	}
	b := u.in[0]
	u.in = u.in[1:]
	return b
}

func (u *unpacking) uint() (n uint64) {
	for i := 0; i < len(u.in) && i < binary.MaxVarintLen64; i++ {
		n |= uint64(u.in[i]&0x7f) << (7 * i)
		if u.in[i] < 0x80 {
			u.in = u.in[i+1:]
			return n
		}
	}
	u.fail()
	return 0
}

func (u *unpacking) count() int { return int(u.uint()) }

func (u *unpacking) number() int64 {
	n := u.uint()
	return int64(n>>1) ^ -int64(n&1)
}

func (u *unpacking) string() string {
	n := u.uint()
	if n > uint64(len(u.in)) {
		u.fail()
		return ""
	}
	s := u.in[:n]
	u.in = u.in[n:]
	return s
}

func (u *unpacking) inOf() string {
	n := u.uint()
	switch {
	case n == 0:
		s := u.string()
		if len(u.ins) < maxIns {
			u.ins = append(u.ins, s)
		}
		return s
	case n > uint64(len(u.ins)):
		u.fail()
		return ""
	}
	return u.ins[n-1]
}

// unpackReferences appends n references to refs. It returns fewer if s is damaged.
func unpackReferences(refs []reference, s string, n int, own string) []reference {
	u := unpacking{in: s}
	size := u.uint()
	const most = 64 << 20 // of s that is damaged
	var urls strings.Builder
	urls.Grow(int(min(size, most)))
	before := &reference{entity: whole, base: new(base.Base)}
	if n <= len(s) && cap(refs)-len(refs) < n {
		refs = append(make([]reference, 0, len(refs)+n), refs...)
	}
	for range n {
		k := u.reference(before, own, &urls)
		if u.bad {
			break
		}
		refs = append(refs, k)
		before = &refs[len(refs)-1]
	}
	return refs
}

func (u *unpacking) reference(before *reference, own string, urls *strings.Builder) (k reference) {
	flags := u.byte()
	k.pos = extract.Position{Offset: before.pos.Offset + u.number(), Length: u.count(), Line: before.pos.Line + int(u.number()), Column: u.count(), Exact: flags&isInexact == 0}
	k.kind, k.how, k.in = scan.Kind(u.byte()), scan.How(u.byte()), u.inOf()
	k.raw = u.string()
	k.ref = k.raw
	if flags&hasOtherRef != 0 {
		k.ref = u.string()
	}
	stem, skip := 0, 0
	switch {
	case flags&hasBaseURL != 0:
		stem, skip = u.count(), u.count()
	case flags&hasURL != 0:
		k.url = u.string()
	}
	k.base, k.entity = before.base, before.entity
	if flags&hasBase != 0 {
		b := base.Base{URI: own}
		if u.byte() != 0 {
			b.URI = u.string()
		}
		b.Layer, b.From = base.Layer(u.byte()), u.string()
		k.base = &b
	}
	if flags&hasEntity != 0 {
		k.entity = u.entity()
	}
	if flags&hasBaseURL != 0 {
		if stem < 0 || stem > len(k.base.URI) || skip < 0 || skip > len(k.ref) {
			u.fail()
			return k
		}
		from := urls.Len()
		urls.WriteString(k.base.URI[:stem])
		urls.WriteString(k.ref[skip:])
		k.url = urls.String()[from:]
	}
	k.result = resolve.Result{Step: resolve.Step(u.byte()), Departures: resolve.Departures(u.byte())}
	failure := u.byte()
	k.result.Failure, k.result.InError = resolve.Failure(failure>>1), failure&1 != 0
	k.labels = scan.Labels(u.uint())
	if flags&hasError != 0 {
		k.err = errors.New(strings.Clone(u.string()))
	}
	k.invalid = flags&isInvalid != 0
	k.line = k.pos.Line + int(u.number())
	k.column = k.pos.Column + int(u.number())
	return k
}

func (u *unpacking) entity() *extract.Entity {
	e := whole
	for range min(u.uint(), uint64(len(u.in))) {
		step := &extract.Entity{Name: u.string(), Type: u.string()}
		if e != whole {
			step.Parent = e
		}
		e = step
	}
	return e
}

// unpackAnchors returns the anchors that s holds, or fewer if it is damaged.
func unpackAnchors(s string) []anchor {
	u := unpacking{in: s}
	n := u.uint()
	if n > uint64(len(s)) {
		return nil
	}
	anchors := make([]anchor, 0, n)
	line := 0
	for range n {
		k := anchor{line: line + int(u.number()), in: u.inOf(), name: u.string()}
		line = k.line
		if form := u.byte(); form != 0 {
			h := &slug.Heading{Text: u.string()}
			h.Source = h.Text
			if form == 2 {
				h.Source = u.string()
			}
			h.Alt = u.string()
			k.heading = h
		}
		if u.bad {
			break
		}
		anchors = append(anchors, k)
	}
	return anchors
}
