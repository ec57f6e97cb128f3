package extract

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/internal/escape"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/extract/message"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/decode"
)

// maxParts limits how deeply nested entities are decoded: an iframe in an iframe, an encoded message in
// another.
const maxParts = 16

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

// body walks the content of the current entity.
func (w *walker) body(it *scan.Item) bool {
	if len(w.decoded) == maxParts {
		w.note(w.position(it.Span), scan.CodeTooDeep, fmt.Sprintf("more than %d layers of encoding: not read", maxParts))
		return true
	}
	if it.Name != "" {
		w.enter(it)
	}
	if w.cfg.isPackedType(it.Type) {
		at := it.Span.Start
		if w.head >= 0 {
			at = w.head
		}
		w.partAt = w.position(scan.Span{Start: at, End: at})
	}
	w.head = -1
	own, query, quotes := w.own, w.query, w.quotes
	w.own, w.quotes = w.ref.Base, nil
	w.pushDecoded(it)
	ok := w.content(it)
	w.popDecoded()
	w.own, w.query, w.quotes = own, query, quotes
	if it.Name != "" {
		w.leave()
	}
	return ok
}

// content walks a Body whose transfer encoding has been undone.
func (w *walker) content(it *scan.Item) bool {
	text, f := it.Value, w.cfg.scanner(it.Type)
	if f != nil && f.Multipart {
		return w.scan(f, text)
	}
	if f == nil && w.cfg.isPackedType(it.Type) {
		return w.attachment(it)
	}
	if (it.Type == textType || it.Type == htmlType) && it.Map == nil && !w.http && w.cfg.Undo&UndoQP == 0 && undo.IsUndeclaredQP(text) {
		remark := "quoted-printable that no header declares: read as it is"
		if w.cfg.Undo&UndoAuto != 0 {
			d := decode.Decodings.Get().(*decode.Decoding)
			defer d.Release()
			text = w.through(d, undo.QP(), false, text)
			remark = "quoted-printable that no header declares: decoded"
		}
		w.note(w.position(scan.Span{Start: 0, End: 0}), scan.CodeUndeclared, remark)
	}
	name := w.charset(it, text)
	if w.cfg.Charsets {
		w.ref.Entity.Charset = decode.Shown(name)
	}
	if !decode.PlainASCII(text, name) {
		// Most text holds no reference, and need not be decoded.
		if f == nil && it.Type == textType && it.Flow != scan.DelSp && w.cfg.Undo == 0 && decode.ASCIIStays(name) && !w.textFinder().May(text) {
			return true
		}
		d := decode.Decodings.Get().(*decode.Decoding)
		defer d.Release()
		step, stateful := decode.Charset(name)
		text = w.through(d, step, stateful, text)
	}
	if f == nil && it.Type == textType && isEudoraHTML(text) {
		f = w.cfg.scanner(htmlType)
	}
	if f != nil {
		w.setQueryCharset(f, name)
		if w.cfg.Robots && !w.http && hasRobots(f) {
			w.ref.Entity.Robots = Robots(robots.OfPage(text))
		}
		w.findQuotes(text, f.Types[0] == htmlType)
		if w.carried != nil && w.carried.part != "" && w.carried.part == w.ref.Entity.Path() {
			defer func(b base.Base) { w.ref.Base = b }(w.ref.Base)
			w.ref.Base = w.carried.base
		}
		return w.scan(f, text)
	}
	if it.Type != textType || it.Flow != scan.Fixed {
		d := decode.Decodings.Get().(*decode.Decoding)
		defer d.Release()
		d.Map.Reset()
		if t, ok := message.Text(it.Type, it.Flow, d.Text[:0], &d.Map, text); ok {
			w.mappings, d.Text, text = append(w.mappings, mapping{m: &d.Map}), t, t
		}
	}
	notations := w.cfg.Undo
	if mediatype.IsJSON(it.Type) && notations&UndoNone == 0 {
		notations |= UndoJSON
	}
	for i, step := range undoSteps {
		if notations>>i&1 != 0 {
			d := decode.Decodings.Get().(*decode.Decoding)
			defer d.Release()
			text = w.through(d, step(), false, text)
		}
	}
	w.findQuotes(text, false)
	if f == nil && it.Extra().IsValue {
		w.textFinder()
		return w.plain.Window(text, 0, len(text), true, filling(text, joiner{w}.joining(text))) >= 0
	}
	return w.scan(f, text)
}

// filling returns each for the references in the value of a field. If a URL ends before the end of the
// value only because the rest would not belong to it in a sentence, it is the whole value:
// "https://example.org/Example_Inc.".
func filling(value []byte, each func(*scan.Item) bool) func(*scan.Item) bool {
	return func(it *scan.Item) bool {
		if it.Op == scan.Ref && it.How == scan.Bare && it.Meant == "" && it.Map == nil && it.Span.Start == 0 && isURLTail(value[it.Span.End:]) {
			it.Value, it.Span.End = value, len(value)
		}
		return each(it)
	}
}

// isURLTail reports whether s consists of characters of URLs (RFC 3986, section 2), and no other URL begins in it.
func isURLTail(s []byte) bool {
	for _, c := range s {
		if c >= utf8.RuneSelf || !ascii.IsAlnum(c) && strings.IndexByte("-._~:/?#[]@!$&'()*+,;=%", c) < 0 {
			return false
		}
	}
	return !bytes.Contains(s, []byte("://"))
}

// findQuotes sets w.quotes for text, the content of a part of a message, so that references in it get their
// quote depth.
func (w *walker) findQuotes(text []byte, html bool) {
	if w.cfg.Cite && !w.http {
		w.quotes = new(message.Quotes)
		w.quotes.Reset(text, html)
	}
}

// textFinder returns the finder of references in running text, ready for a new text.
func (w *walker) textFinder() *delimit.Finder {
	if w.plain == nil {
		w.plain = textScanners.Get().(*plain.Scanner)
	}
	w.plain.Rest, w.plain.Finder.Rules = false, w.cfg.Text
	return &w.plain.Finder
}

// Through decodes text, in the memory of d.
func (w *walker) through(d *decode.Decoding, step decode.Step, stateful bool, text []byte) []byte {
	d.Through(step, stateful, text)
	w.mappings = append(w.mappings, mapping{m: &d.Map})
	return d.Text
}

// charset returns the name of the charset of src, the content of a part, in the form that Charset takes.
func (w *walker) charset(it *scan.Item, src []byte) string {
	label := it.Extra().Charset
	if label == "" || w.http { // labels in HTTP mean what they mean to browsers
		return w.cfg.pageCharset(src, it.Type, label)
	}
	name, ok := w.charsets[label]
	if !ok {
		name = decode.MailCharset(label)
		if w.charsets == nil {
			w.charsets = make(map[string]string)
		}
		w.charsets[label] = name
	}
	mark := decode.ByteOrderMark(src)
	switch {
	case name == decode.ASCII && !decode.IsASCII(src): // the label is wrong
		return w.cfg.pageCharset(src, it.Type, "")
	case name == decode.ASCII:
		return "windows-1252"
	case name == decode.UTF7 || name == decode.HZ || mark == "" && name != "":
		return name
	case name == "":
		w.note(w.position(scan.Span{}), scan.CodeUnknownCharset, fmt.Sprintf("unknown charset %q", label))
	}
	return w.cfg.pageCharset(src, it.Type, "")
}

// isEudoraHTML reports whether a text is HTML as Eudora keeps it: in an element of its own.
func isEudoraHTML(text []byte) bool {
	_, ok := ascii.CutPrefixFold(bytes.TrimLeft(text, " \t\r\n"), "<x-html>")
	return ok
}

// scan walks src, an entity of a format within the current one. A nil format means running text.
func (w *walker) scan(f *Format, src []byte) bool {
	if f == nil {
		w.textFinder()
		return w.plain.Window(src, 0, len(src), true, joiner{w}.joining(src)) >= 0
	}
	return w.document(f, src, Context{Type: w.ref.Entity.Type, Nested: true})
}

// message walks the message in buf[at.Start:at.End]. quoted reports that an mbox may have put ">" before
// its lines.
func (w *walker) message(f *Format, at scan.Span, quoted bool) bool {
	w.mappings = append(w.mappings[:0], mapping{at: at.Start})
	clear(w.names)
	return w.document(f, w.buf[at.Start:at.End], Context{Type: f.Types[0], Quoted: quoted})
}

// document walks src with the scanner of its format.
func (w *walker) document(f *Format, src []byte, x Context) bool {
	x.Autolink, x.Anchors, x.Mentions = w.autolink, w.Anchor != nil, w.Mention != nil
	if f.Multipart {
		if w.readAs == nil {
			w.readAs = w.cfg.readAs
		}
		x.ReadAs = w.readAs
		if w.cfg.Cite && mayNameParts(src) && hasPartNames(src) {
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

// keptWithin returns w.each for a Format that a program adds and a document of size bytes. An Item outside
// the document becomes a note: its position would be outside the input.
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

// setQueryCharset sets the charset in which the current entity's URL queries are encoded. In XML that is
// UTF-8, whatever the charset of the document (RFC 3987 section 3.1).
func (w *walker) setQueryCharset(f *Format, charset string) {
	w.query = nil
	if !f.UTF8Queries {
		w.query = escape.NewQuery(charset)
	}
}
