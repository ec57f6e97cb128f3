package xmlread

import (
	"example.org/refract/extract/scan"
	"example.org/refract/internal/prose"
)

// A Handler is called for the tokens of a document with text. Between reports whether all has been added to the Doc
// that precedes what comes next; nil if that is always so.
type Handler struct {
	Start, End, Characters func()
	Between                func() bool
}

// Items reads src with r, and yields what h adds to doc, in source order. It passes on what there is whenever doc is
// full, so that memory is bounded.
func Items(r *Reader, doc *prose.Doc, src []byte, h Handler, yield func(*scan.Item) bool) {
	r.Reset(src)
	more := true
	each := func(it *scan.Item) bool {
		more = yield(it)
		return more
	}
	for more && r.Next() {
		if doc.IsFull() && (h.Between == nil || h.Between()) {
			doc.All(each)
			doc.Reset(src)
		}
		switch r.Kind {
		case Start:
			h.Start()
			if r.Empty {
				h.End()
			}
		case End:
			h.End()
		default:
			h.Characters()
		}
	}
	if more {
		doc.All(each)
	}
}
