package extract

import (
	"fmt"
	"iter"
	"sync"
	"sync/atomic"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/internal/escape"
	"example.org/refract/extract/internal/mailhead"
	"example.org/refract/extract/internal/rejoin"
	"example.org/refract/extract/message"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/slug"
	"example.org/refract/resolve"
)

// maxBases limits how deeply bases may nest. Each may be longer than the one around it, so without
// the limit n nested bases could take n² bytes (<g xml:base="x/"><g xml:base="x/">…).
const maxBases = 256

// A base of more than longBase bytes counts only if it and the bases around it have at most
// maxBaseBytes together: each may be as long as all those around it.
const (
	longBase     = 4 << 10
	maxBaseBytes = 4 << 20
)

// maxParts limits how deeply nested entities are decoded: an iframe in an iframe, an encoded message
// in another.
const maxParts = 16

var textScanners = sync.Pool{New: func() any { return new(plain.Scanner) }}

// References walks b: it yields its references in source order. The iterator may be used
// again.
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
				w.Note(&Note{Entity: w.ref.Entity, Pos: b.begins(), Code: n.code, Text: n.text, Unread: n.unread})
			}
		}
		b.content.walk(&w)
		if w.plain != nil {
			textScanners.Put(w.plain)
		}
	}
}

// onItem, if set, is called for each Item of a scanner, inside the scanner's loop. Tests set it to
// make scanners panic.
var onItem func(*scan.Item)

// scan walks src, an entity of a format within the current one. A nil format means running text.
func (w *walker) scan(f *Format, src []byte) bool {
	if f == nil {
		w.textFinder()
		return w.plain.Window(src, 0, len(src), true, joiner{w}.joining(src)) >= 0
	}
	return w.document(f, src, Context{Type: w.ref.Entity.Type, Nested: true})
}

// document walks src with the scanner of its format.
func (w *walker) document(f *Format, src []byte, x Context) bool {
	x.Autolink, x.Anchors, x.Mentions = w.autolink, w.Anchor != nil, w.Mention != nil
	if f.Multipart {
		if w.readAs == nil {
			w.readAs = w.cfg.readAs
		}
		x.ReadAs = w.readAs
		if w.cfg.Cite && mailhead.MayNameParts(src) && mailhead.HasPartNames(src) {
			w.nameParts(f, src, x)
		}
	}
	outer := w.autolink
	w.autolink = outer || f.Autolink
	w.stopped = false
	if !f.Multipart {
		w.cfg.Gather.add(src)
	}
	each := w.each
	if w.cfg.isAdded(f) {
		each = keptWithin(len(src), w)
	}
	f.Scan(src, w.cfg, x)(each)
	w.autolink = outer
	return !w.stopped
}

// keptWithin returns w.each, for a Format that a program adds, and a document of size bytes. An Item that is not in the document
// becomes a note: its position would be outside of the input.
func keptWithin(size int, w *walker) func(*scan.Item) bool {
	var outer []int // sizes of the texts around an Open one
	return func(it *scan.Item) bool {
		if it.Op == scan.Close && len(outer) > 0 {
			size, outer = outer[len(outer)-1], outer[:len(outer)-1]
		}
		span, isIn := clamped(it, size)
		if !isIn {
			w.note(w.position(span), scan.CodeInvalidItem, fmt.Sprintf("an Item has the bytes %d to %d of %d: left out", it.Span.Start, it.Span.End, size))
			switch it.Op {
			case scan.Base, scan.End, scan.Enter, scan.Leave, scan.Open, scan.Close: // the Items between them need both
			default:
				return true
			}
			moved := *it
			moved.Span = span
			it = &moved
		}
		if it.Op == scan.Open {
			size, outer = len(it.Value), append(outer, size)
		}
		if n := span.End - span.Start; (it.Op == scan.Part || it.Op == scan.Body) && it.Map == nil && n != len(it.Value) {
			mapped := *it // its Value is not the bytes of its Span: everything in it has the position of the Span
			mapped.Map = new(scan.Map)
			mapped.Map.Add(len(it.Value), span.Start, max(len(it.Value), 1), n)
			it = &mapped
		}
		return w.each(it)
	}
}

// clamped returns what of it.Span is in a text of size bytes, and whether all ranges of it are.
func clamped(it *scan.Item, size int) (s scan.Span, isIn bool) {
	s.Start = min(max(it.Span.Start, 0), size)
	s.End = min(max(it.Span.End, s.Start), size)
	all := scan.Span{End: size}
	isIn = s == it.Span
	if more := it.More; more != nil {
		for _, p := range more.Parts {
			isIn = isIn && isWithin(p, all)
		}
		isIn = isIn && isWithin(more.NameSpan, all) && isWithin(more.TextSpan, all)
	}
	if it.Map != nil {
		back, _ := it.Map.Back(scan.Span{End: len(it.Value)})
		isIn = isIn && isWithin(back, all)
	}
	return s, isIn
}

func isWithin(s, outer scan.Span) bool {
	return outer.Start <= s.Start && s.Start <= s.End && s.End <= outer.End
}

// setQueryCharset sets the charset in which the current entity's URL queries are encoded. In XML
// that is UTF-8, whatever the charset of the document (RFC 3987 section 3.1).
func (w *walker) setQueryCharset(f *Format, charset string) {
	w.query = nil
	if !f.UTF8Queries {
		w.query = escape.NewQuery(charset)
	}
}

// A walker turns the Items of one Batch into References. It descends into nested entities; the
// innermost one is the current entity.
type walker struct {
	*Batch
	yield   func(*Reference) bool
	each    func(*scan.Item) bool // item; made once, since a method value allocates
	stopped bool                  // yield returned false
	calling bool                  // a function of the caller is running
	first   *atomic.Int64         // where the first Item of a window begins, until that is known: see window.first
	reached int64                 // offset in the input of the last position; -1: none in this entity

	ref   Reference   // reused; its Entity is the current one, and its Base is in force
	own   base.Base   // the URL by which the current entity was retrieved
	bases []base.Base // that ref.Base has replaced, the outermost first
	query *escape.Query

	quotes *message.Quotes // of the content of a part of a message; nil if unknown

	frames   []frame       // the states that leave restores, the outermost first
	labels   scan.Labels   // of all references in the current entity
	carried  *carried      // from an earlier excerpt of the message; nil: nothing
	mappings []mapping     // from the Batch to the current entity
	decoded  []decodedPart // the current entity and those around it, if they were decoded
	autolink bool          // URLs in the text of the current entity are shown as links: see Format
	head     int           // where the heading of the current part begins, until its content has begun; -1: that is over
	partAt   Position      // of the current part, if it may be an archive
	isCut    bool          // the current record is not complete
	skipping int           // entities that have been entered, and are skipped
	http     bool          // entities come from a crawler: labels of charsets mean what they mean to browsers

	names    map[partName]string                 // paths of the parts of the current message
	charsets map[string]string                   // names of charsets by the labels in messages
	plain    *plain.Scanner                      // of running text; nil until it is needed
	readAs   func(mediaType, name string) string // Config.readAs; nil until it is needed

	// The URL that is being joined: how it is known, where its proof is, and its memory.
	joinedBy   string
	proof      int64
	evidence   *rejoin.Table // the URLs in the Batch; nil until they are needed
	unbroken   []byte
	pieces     []scan.Span
	joinedMore scan.More

	counted   int // lines are counted up to here, an offset in text
	line      int
	lineStart int64

	// Reused memory: a reference with its fragment, with its scheme, with its query encoded, resolved, escaped.
	joined, whole, queried, target, escaped []byte
	browser                                 browserReading
}

func (w *walker) note(pos Position, code scan.Code, text string) {
	if w.Note != nil {
		w.calling = true
		w.Note(&Note{Entity: w.ref.Entity, Pos: pos, Code: code, Text: text})
		w.calling = false
	}
}

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
			w.calling = true
			w.Mention(&m)
			w.calling = false
		}
	case scan.Note:
		switch {
		case w.Note == nil:
		case it.Code == scan.CodeUnreadType && it.Text != "":
			w.calling = true
			w.Note(&Note{Entity: w.ref.Entity, Pos: w.position(it.Span), Code: it.Code, Unread: it.Type, Text: it.Text})
			w.calling = false
		case it.Code == scan.CodeUnreadType:
			w.unread(w.position(it.Span), "a part", it.Type, it.Name)
		default:
			w.note(w.position(it.Span), it.Code, it.Text)
		}
	}
	return true
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

// areTooLong reports whether a base of size bytes, together with the bases in w.bases, would exceed
// the limit.
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
	w.calling = true
	w.Anchor(&a)
	w.calling = false
}

// part walks an entity with a base of its own.
func (w *walker) part(it *scan.Item) bool {
	if len(w.decoded) == maxParts {
		w.note(w.position(it.Span), scan.CodeTooDeep, fmt.Sprintf("nested more than %d deep: not read", maxParts))
		return true
	}
	w.enter(it)
	w.pushDecoded(it)
	quotes := w.quotes
	w.quotes = nil
	ok := w.scan(w.cfg.scanner(it.Type), it.Value)
	w.quotes = quotes
	w.popDecoded()
	w.leave()
	return ok
}
