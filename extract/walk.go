package extract

import (
	"iter"

	"example.org/refract/delimit"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// maxBases limits how deeply bases may nest. Each may be longer than the one around it, so without the
// limit n nested bases could take n² bytes (<g xml:base="x/"><g xml:base="x/">…).
const maxBases = 256

// A base of more than longBase bytes counts only if it and the bases around it have at most
// maxBaseBytes together: each may be as long as all those around it.
const (
	longBase     = 4 << 10
	maxBaseBytes = 4 << 20
)

// References walks b and yields its references in source order. The iterator may be used again.
func (b *Batch) References() iter.Seq[*Reference] {
	return func(yield func(*Reference) bool) {
		if b.content == nil {
			return
		}
		counted := b.written(b.body)
		if b.excerpt != nil {
			counted = len(b.buf) + 1 // nothing yet: lines are counted from the nearest Mark
		}
		w := walker{Batch: b, yield: yield, counted: counted, line: b.line, lineStart: b.lineStart, own: b.entity.Base}
		w.ref.Entity, w.ref.Base = b.entity, b.entity.Base
		if b.own != nil {
			w.own = *b.own
		}
		w.each = w.item
		if onItem != nil {
			w.each = func(it *scan.Item) bool {
				onItem(it)
				return w.item(it)
			}
		}
		b.Skipped, b.err, b.lost = 0, nil, nil
		for _, n := range b.notes {
			if w.Note != nil {
				w.Note(&Note{Entity: w.ref.Entity, Pos: b.begins(), Code: n.code, Text: n.text, Unread: n.unread, Damage: n.damage})
			}
		}
		b.content.walk(&w)
		if w.plain != nil {
			textScanners.Put(w.plain)
		}
	}
}

// onItem, if set, is called for each Item of a scanner, inside the scanner's loop. Tests set it to make
// scanners panic.
var onItem func(*scan.Item)

// item processes an Item. It returns false to stop the walk.
func (w *walker) item(it *scan.Item) bool {
	if !w.do(it) {
		w.stopped = true
	}
	return !w.stopped
}

func (w *walker) do(it *scan.Item) bool {
	if w.first != nil {
		w.first.Store(int64(it.Span.Start) + 1)
		w.first = nil
	}
	if w.skipping > 0 {
		skipItem(w, it)
		return true
	}
	switch it.Op {
	case scan.Ref:
		return w.reference(it)
	case scan.Base:
		w.base(it)
	case scan.End:
		k := len(w.bases) - 1
		w.ref.Base, w.bases = w.bases[k], w.bases[:k]
	case scan.Part:
		return w.part(it)
	case scan.Enter:
		w.enter(it)
		w.head = it.Span.Start
	case scan.Leave:
		w.leave()
	case scan.Body:
		if it.Extra().Capture != nil {
			return captured(w, it)
		}
		return w.body(it)
	case scan.Open:
		w.open(it)
	case scan.Close:
		w.popDecoded()
		w.leave()
	case scan.Anchor:
		w.anchor(it)
	case scan.Mention:
		if w.Mention != nil {
			m := Mention{Entity: w.ref.Entity, Pos: w.position(it.Span), In: it.In, Space: it.Space, Raw: w.raw(it.Span), Name: it.Value}
			m.Pos.Exact = m.Pos.Exact && !it.Loose
			tell(w, w.Mention, &m)
		}
	case scan.Note:
		switch {
		case w.Note == nil:
		case it.Code == scan.CodeUnreadType && it.Text != "":
			tell(w, w.Note, &Note{Entity: w.ref.Entity, Pos: w.position(it.Span), Code: it.Code, Unread: it.Type, Text: it.Text})
		case it.Code == scan.CodeUnreadType:
			w.unread(w.position(it.Span), "a part", it.Type, it.Name)
		default:
			w.note(w.position(it.Span), it.Code, it.Text)
		}
	}
	return true
}

// skipItem skips an Item of an entity that is not selected, and leaves the entity at its end.
func skipItem(w *walker, it *scan.Item) {
	switch it.Op {
	case scan.Enter:
		w.skipping++
	case scan.Leave:
		w.skipping--
		if w.skipping == 0 {
			w.leave()
		}
	}
}

// base puts a base in force, until its End.
func (w *walker) base(it *scan.Item) {
	if it.Kind == scan.Header {
		if _, res, err := w.ref.Base.Append(nil, it.Value); (err == nil || res.InError) && res.Step != resolve.Absolute {
			return // "http:x", if the rules take it for relative, gives no base (RFC 2557 5b)
		}
	}
	outer := w.ref.Base
	w.bases = append(w.bases, outer)
	if len(w.bases) > maxBases || len(it.Value) > delimit.MaxReference || w.areTooLong(len(outer.URI)+len(it.Value)) {
		w.note(w.position(it.Span), scan.CodeBaseIgnored, "a base that is too long or nested too deeply is ignored")
		return
	}
	inner, err := outer.Embed(string(it.Value), it.In)
	if encoded, differs := w.query.Encode(nil, it.Value, []byte(inner.URI)); differs && err == nil {
		inner, err = outer.Embed(string(encoded), it.In)
	}
	if err != nil {
		w.note(w.position(it.Span), scan.CodeInvalidBase, err.Error())
	}
	w.ref.Base = inner
}

// areTooLong reports whether a base of size bytes, together with the bases in w.bases, would exceed the
// limit.
func (w *walker) areTooLong(size int) bool {
	if size <= longBase {
		return false
	}
	for i := range w.bases {
		size += len(w.bases[i].URI)
	}
	return size > maxBaseBytes
}

// anchor passes on an Anchor.
func (w *walker) anchor(it *scan.Item) {
	if w.Anchor == nil {
		return
	}
	more := it.Extra()
	a := Anchor{
		Entity: w.ref.Entity, Pos: w.position(it.Span), In: it.In, Space: it.Space, Name: it.Value,
		Heading: slug.Heading{Text: it.Text, Alt: more.Alt, Source: more.Source, Entities: more.Entities},
	}
	if more.NameSpan != (scan.Span{}) {
		a.NamePos = w.position(more.NameSpan)
	}
	if more.TextSpan != (scan.Span{}) {
		a.TextPos = w.position(more.TextSpan)
	}
	tell(w, w.Anchor, &a)
}
