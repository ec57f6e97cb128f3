package extract

import (
	"bytes"
	"fmt"
	"iter"
	"sync"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// maxBases is the number of bases within bases. Each may be longer than the one around it,
// so that without it the memory of n would be n² (<g xml:base="x/"><g xml:base="x/">...).
const maxBases = 256

// maxParts is how deep entities within entities are decoded: an iframe in an iframe, an
// encoded message in another.
const maxParts = 16

var textScanners = sync.Pool{New: func() any { return new(plain.Scanner) }}

// References walks b: it yields its references in source order. The iterator may be used
// again.
func (b *Batch) References() iter.Seq[*Reference] {
	return func(yield func(*Reference) bool) {
		w := walker{Batch: b, yield: yield, counted: b.written(b.body), line: b.line, lineStart: b.lineStart, own: b.entity.Base, first: len(b.buf)}
		w.ref.Entity, w.ref.Base = b.entity, b.entity.Base
		w.each = w.item
		defer w.release()
		for _, n := range b.notes {
			w.note(Position{Offset: b.maps.origin + int64(b.body)}, n.code, n.text)
		}
		b.Skipped = 0
		b.content.walk(&w)
	}
}

// release gives back the memory of the scanners that were kept.
func (w *walker) release() {
	if w.prose != nil {
		textScanners.Put(w.prose)
	}
}

// scan walks src, a document of a format, nil for running text, within the one at hand.
func (w *walker) scan(f *Format, src []byte) bool {
	if f == nil {
		w.finder()
		return w.prose.Window(src, 0, len(src), true, w.each) >= 0
	}
	return w.document(f, src, Context{Type: w.ref.Entity.Type, Nested: true})
}

// document walks src by the scanner of its format.
func (w *walker) document(f *Format, src []byte, x Context) bool {
	x.Autolink, x.Anchors, x.Mentions = w.autolink, w.Anchor != nil, w.Mention != nil
	if f.Multipart {
		if w.readAs == nil {
			w.readAs = w.cfg.readAs
		}
		x.ReadAs = w.readAs
		if w.cfg.Cite {
			w.outline(f, src, x)
		}
	}
	outer := w.autolink
	w.autolink = outer || f.Autolink
	w.ended = false
	f.Scan(src, w.cfg, x)(w.each)
	w.autolink = outer
	return !w.ended
}

// queriesIn says in which charset those of an entity are. In XML that is UTF-8, whatever
// its own is (RFC 3987 section 3.1).
func (w *walker) queriesIn(f *Format, charset string) {
	w.query = nil
	if !f.UTF8Queries {
		w.query = newQueryEncoder(charset)
	}
}

// A walker makes References of the Items of one Batch.
type walker struct {
	*Batch
	yield func(*Reference) bool
	ref   Reference
	own   base.Base   // what the entity's own URL is known by
	bases []base.Base // those that the one in force, ref.Base, has replaced

	frames []frame // of the entities around
	labels scan.Labels
	parts  []mapping   // what leads from the entity at hand out to the Batch, from the outermost in
	inner  []innermost // the entities around that were decoded, from the outermost in

	prose    *plain.Scanner                      // of running text in them
	each     func(*scan.Item) bool               // item
	ended    bool                                // item returned false
	autolink bool                                // URLs in the text at hand are shown as links: see Format
	readAs   func(mediaType, name string) string // Config.readAs, once it was needed
	names    map[partName]string                 // the parts of the message by these
	charsets map[string]string                   // names of charsets by the labels in messages

	first int  // where the first Item stands, in buf
	http  bool // entities come from a crawler: labels of charsets are those of browsers

	counted   int // in text: up to here lines are counted
	line      int
	lineStart int64

	query *queryEncoder

	whole, queried, target, escaped []byte // reused: with a scheme, its query encoded, resolved, put out
	both                            readings
}

func (w *walker) note(pos Position, code scan.Code, text string) {
	if w.Note != nil {
		w.Note(&Note{Entity: w.ref.Entity, Pos: pos, Code: code, Text: text})
	}
}

func (w *walker) item(it *scan.Item) bool {
	if !w.do(it) {
		w.ended = true
	}
	return !w.ended
}

func (w *walker) do(it *scan.Item) bool {
	w.first = min(w.first, it.Span.Start)
	switch it.Op {
	case scan.Ref:
		return w.reference(it)
	case scan.Base:
		if it.Kind == scan.Header {
			if _, res, err := w.ref.Base.Append(nil, it.Value); err == nil && res.Step != resolve.Absolute {
				return true // "http:x" where that is relative: it gives no base (RFC 2557 5b)
			}
		}
		if len(w.bases) >= maxBases || len(it.Value) > delimit.MaxReference {
			w.note(w.position(it.Span), scan.CodeBaseIgnored, "a base that is too long, or too deep in others, is ignored")
			w.bases = append(w.bases, w.ref.Base)
			return true
		}
		inner, err := w.ref.Base.Embed(string(it.Value), it.In)
		if coded, differs := w.query.encode(nil, it.Value, []byte(inner.URI)); differs && err == nil {
			inner, err = w.ref.Base.Embed(string(coded), it.In)
		}
		if err != nil {
			w.note(w.position(it.Span), scan.CodeInvalidBase, err.Error())
		}
		w.bases = append(w.bases, w.ref.Base)
		w.ref.Base = inner
	case scan.End:
		k := len(w.bases) - 1
		w.ref.Base, w.bases = w.bases[k], w.bases[:k]
	case scan.Part:
		return w.part(it)
	case scan.Enter:
		w.enter(it)
	case scan.Leave:
		w.leave()
	case scan.Body:
		return w.body(it)
	case scan.Anchor:
		w.anchor(it)
	case scan.Mention:
		if w.Mention != nil {
			w.Mention(&Mention{Entity: w.ref.Entity, Pos: w.position(it.Span), In: it.In, Space: it.Space, Name: it.Value})
		}
	case scan.Note:
		if w.Note != nil {
			w.note(w.position(it.Span), it.Code, it.Text)
		}
	}
	return true
}

// anchor passes an Anchor on.
func (w *walker) anchor(it *scan.Item) {
	if w.Anchor == nil {
		return
	}
	more := it.Extra()
	a := Anchor{
		Entity: w.ref.Entity, Pos: w.position(it.Span), In: it.In, Space: it.Space, Name: it.Value,
		Heading: slug.Heading{Text: it.Text, Alt: more.Alt, Source: more.Source},
	}
	if more.NameSpan != (scan.Span{}) {
		a.NamePos = w.position(more.NameSpan)
	}
	if more.TextSpan != (scan.Span{}) {
		a.TextPos = w.position(more.TextSpan)
	}
	w.Anchor(&a)
}

// part walks an entity in the one at hand.
func (w *walker) part(it *scan.Item) bool {
	if len(w.inner) == maxParts {
		w.note(w.position(it.Span), scan.CodeTooDeep, fmt.Sprintf("nested more than %d deep: not read", maxParts))
		return true
	}
	w.enter(it)
	w.decoded(it)
	ok := w.scan(w.cfg.scanner(it.Type), it.Value)
	w.goBack()
	w.leave()
	return ok
}

// noMore is More of an Item without it; it is only read.
var noMore scan.More

func (w *walker) reference(it *scan.Item) bool {
	// Entity and Base are those of most references; assigning the struct as a whole
	// took a tenth of the time of a walk.
	r := &w.ref
	r.Pos = w.position(it.Span)
	r.Pos.Exact = r.Pos.Exact && !it.Loose
	r.Kind, r.How, r.In, r.Meant, r.Labels, r.Depth = it.Kind, it.How, it.In, it.Meant, it.Labels|w.labels, int(it.Depth)
	r.PartLine, r.PartColumn = w.place(it.Span)
	r.Raw, r.Ref = w.raw(it.Span), it.Value
	r.Ranges, r.Alternatives = r.Ranges[:0], nil
	more := it.More
	if more == nil {
		more = &noMore
	}
	for _, p := range more.Parts {
		r.Ranges = append(r.Ranges, w.position(p))
	}
	if w.cfg.Details {
		r.Text, r.Rel, r.Hreflang, r.Type = it.Text, more.Rel, more.Hreflang, it.Type
	}
	value := it.Value
	if it.Own {
		defer func(b base.Base) { r.Base = b }(r.Base)
		if len(value) > 0 || w.cfg.Rules.Empty == resolve.BaseOnly {
			r.Base = w.own
		} else if w.cfg.Rules.Empty == resolve.Current {
			value = []byte(r.Base.URI) // an empty action is the base itself: 000 section 3, last sentence
		}
	}
	if r.TargetPart = ""; it.Kind != scan.Header {
		r.TargetPart = w.named(value)
	}
	if w.resolve(r, value); it.Own && len(value) > 0 && value[0] == '#' && r.Err == base.ErrNoBase {
		// What is local stays so where nobody knows the URL of the document.
		r.Err, r.Result, r.Fragment = nil, resolve.Result{Step: resolve.CurrentDocument}, value
	}
	if w.cfg.TwoReadings {
		w.readBoth(r)
	}
	if len(more.Drop) > 0 {
		r.URL = clone(r.URL)
	}
	for _, i := range more.Drop {
		other := *r
		w.resolve(&other, append(append([]byte{}, it.Value[:i]...), it.Value[i+1:]...))
		if other.URL != nil {
			r.Alternatives = append(r.Alternatives, clone(other.URL))
		}
	}
	return w.yield(r)
}

// resolve sets what r has of resolving ref; its URL is in w's memory.
func (w *walker) resolve(r *Reference, ref []byte) {
	if r.Meant != "" {
		w.whole = append(append(w.whole[:0], r.Meant...), ref...)
		ref = w.whole
	}
	r.URL, r.Fragment, r.InvalidAuthority = nil, nil, false
	w.target, r.Result, r.Err = r.Base.Append(w.target[:0], ref)
	if w.query != nil && r.Err == nil && r.How != scan.CSS { // style sheets are parsed without their encoding
		if encoded, differs := w.query.encode(w.queried, ref, w.target); differs {
			w.queried = encoded
			w.target, r.Result, r.Err = r.Base.Append(w.target[:0], encoded)
		}
	}
	switch {
	case r.Err != nil:
	case r.Result.InError:
		r.Err = r.Result.Err()
	case r.Result.SameDocument():
		r.Fragment = w.target
	case w.cfg.Rules.Browser:
		r.URL = w.target // escaped as browsers do
	default:
		var valid bool
		r.URL, valid = escape(w.escaped, w.target, w.cfg.IRI)
		r.InvalidAuthority = !valid
		if len(r.URL) > 0 && &r.URL[0] != &w.target[0] {
			w.escaped = r.URL
		}
	}
}

// raw returns what s is as written: in what is compressed, once that is undone.
func (w *walker) raw(s scan.Span) []byte {
	for i := len(w.parts) - 1; i >= 0; i-- {
		p := &w.parts[i]
		if p.packed != nil {
			return p.packed[s.Start:s.End]
		}
		s, _ = p.back(s)
	}
	s, _ = w.maps.written(s)
	return w.text()[s.Start:s.End]
}

// position counts the lines up to s and leads it back to the input. Positions are
// asked for in order, but for the parts of what was asked for last.
func (w *walker) position(s scan.Span) Position {
	s, exactWithin := w.within(s)
	s, exact := w.maps.written(s)
	exact = exact && exactWithin
	back, exactSource := w.maps.source(s)
	p := Position{Offset: w.maps.origin + int64(back.Start), Length: back.End - back.Start, Exact: exact && exactSource}
	if w.line == 0 {
		return p
	}
	if s.Start < w.counted { // the base of a heading comes before what stands in front of it
		text := w.text()
		if n := bytes.Count(text[s.Start:w.counted], newline); n > 0 {
			i := bytes.LastIndexByte(text[:s.Start], '\n') + 1
			back, _ := w.maps.source(scan.Span{Start: i, End: i})
			w.line, w.lineStart = w.line-n, w.maps.origin+int64(back.Start)
		}
		w.counted = s.Start
	}
	if s.Start > w.counted {
		w.line, w.lineStart = w.lineAt(w.counted, s.Start, w.line, w.lineStart)
		w.counted = s.Start
	}
	p.Line, p.Column = w.line, int(p.Offset-w.lineStart)+1
	return p
}
