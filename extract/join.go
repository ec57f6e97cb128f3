package extract

import (
	"cmp"

	"example.org/refract/extract/internal/rejoin"
	"example.org/refract/extract/scan"
)

// A joiner joins URLs for a walker.
type joiner struct{ *walker }

// joining returns the function that takes the Items of the running text src: that of w, or one that joins URLs before.
func (w joiner) joining(src []byte) func(*scan.Item) bool {
	w.cfg.Gather.add(src)
	if w.cfg.Join == JoinNever || w.cfg.Join == JoinMail && !w.isInMail() {
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

// isInMail reports whether the text is one of a message, and not of a file in an archive that is attached to it.
func (w joiner) isInMail() bool {
	for e := w.ref.Entity; e != nil; e = e.Parent {
		if f := builtin().types[e.Type]; e.Type == mboxType || e.Type == newsType || f != nil && f.isMessage && f.Types[0] != mhtmlType {
			return true
		}
		if e.Member != "" {
			return false
		}
	}
	return false
}

// join joins it with the next lines of src, if there is evidence for it, and returns where it ends.
func (w joiner) join(src []byte, it *scan.Item) (end int) {
	if !rejoin.MayContinue(src, it.Span.End) {
		return it.Span.End
	}
	whole, rest, at := rejoin.Find(w.unbroken, src, it.Span.Start, it.Span.End, func(url []byte) rejoin.Found {
		found, _ := w.occurs(url)
		return found
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
		_, w.joinedBy = w.occurs(whole)
		w.proof = at
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

// occurs reports how and where url occurs, and the evidence for it. Without a place in the input, At is -1.
// Text that arrives from a pipe in pieces is no evidence: the output would depend on how it is cut.
func (w joiner) occurs(url []byte) (found rejoin.Found, by string) {
	b := w.Batch
	if w.evidence == nil {
		w.evidence = new(rejoin.Table)
		if b.ready == nil {
			w.evidence.AddText(b.buf, 0)
		}
	}
	found = w.evidence.Find(url)
	found.At += b.pos
	if found.Evidence == rejoin.None || b.excerpt != nil || len(b.maps.Layers) > 0 {
		found.At = -1
	}
	if found.Evidence != rejoin.None {
		by = JoinedByText
	}
	if w.cfg.Gathered != nil {
		found, by = found.Or(w.cfg.Gathered.table.Find(url)), cmp.Or(by, JoinedByArchive)
	}
	if found.Evidence == rejoin.None && w.cfg.Known != nil && w.cfg.Known(url) {
		return rejoin.Found{Evidence: rejoin.Whole, At: -1}, JoinedByKnown
	}
	return found, by
}
