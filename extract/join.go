package extract

import (
	"example.org/refract/extract/internal/rejoin"
	"example.org/refract/extract/scan"
)

// A Join says which bare URLs in running text that end with their line are joined with the next line.
type Join uint8

const (
	JoinNever  Join = iota
	JoinProven      // those whose whole URL occurs elsewhere in the same Batch, as it is written there, or that Config.Known knows
	JoinLikely      // also those that have the label may-continue
)

// joining returns the function that takes the Items of the running text src: that of w, or one that joins URLs before.
func (w *walker) joining(src []byte) func(*scan.Item) bool {
	if w.cfg.Join == JoinNever {
		return w.each
	}
	behind := 0 // what was joined
	return func(it *scan.Item) bool {
		if it.Op != scan.Ref || it.How != scan.Bare || it.Meant != "" || it.Map != nil || it.Extra().Parts != nil {
			return w.each(it)
		}
		if it.Span.Start < behind {
			return true
		}
		behind = w.join(src, it)
		more := w.each(it)
		w.joinedBy, w.proof = "", -1
		return more
	}
}

// join joins it with the next lines of src, if there is evidence for it, and returns where it ends.
func (w *walker) join(src []byte, it *scan.Item) (end int) {
	if !rejoin.MayContinue(src, it.Span.End) {
		return it.Span.End
	}
	var by string
	whole, rest, at := rejoin.Whole(w.unbroken, src, it.Span.Start, it.Span.End, func(url []byte) (int64, bool) {
		at, ok := w.occurs(url)
		by = JoinedByText
		if !ok && w.cfg.Known != nil && w.cfg.Known(url) {
			at, ok, by = -1, true, JoinedByKnown
		}
		return at, ok
	})
	longer := it.Extra().Longer
	switch {
	case whole != nil:
		w.unbroken = whole
		w.pieces = append(w.pieces[:0], scan.Span{Start: it.Span.Start, End: it.Span.Start + len(whole)})
		for _, p := range rest {
			w.pieces[0].End -= p.End - p.Start
			w.pieces = append(w.pieces, scan.Span(p))
		}
		it.Value, it.Span.End = whole, rest[len(rest)-1].End
		w.joinedMore = scan.More{Parts: w.pieces}
		w.joinedBy, w.proof = by, at
	case w.cfg.Join == JoinLikely && longer != nil:
		it.Value, it.Loose = longer, true
		w.joinedMore = scan.More{}
		w.joinedBy, w.proof = JoinedByForm, -1
	default:
		return it.Span.End
	}
	it.More, it.Labels = &w.joinedMore, it.Labels&^scan.MayContinue
	return it.Span.End
}

// occurs reports where url stands in the Batch of w; at is -1 if its place in the input is not known. Text that comes from
// a pipe piece by piece is no evidence: the output would depend on how it is cut.
func (w *walker) occurs(url []byte) (at int64, ok bool) {
	b := w.Batch
	if w.evidence == nil {
		w.evidence = new(rejoin.Table)
		if b.ready == nil {
			w.evidence.AddText(b.buf, 0)
		}
	}
	at, ok = w.evidence.Find(url)
	if !ok || b.excerpt != nil || len(b.maps.Layers) > 0 {
		return -1, ok
	}
	return at + b.pos, ok
}

// The values of Reference.JoinedBy.
const (
	JoinedByText  = "text"  // the whole URL stands in the same input, at Reference.Proof
	JoinedByKnown = "known" // Config.Known
	JoinedByForm  = "form"  // the next line begins like the rest
)
