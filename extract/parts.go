package extract

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/undo"
	"example.org/refract/extract/message"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/decode"
)

// A frame is the state of the walker outside an entity. leave restores it.
type frame struct {
	entity *Entity
	base   base.Base
	bases  int
	labels scan.Labels
}

// enter descends into an entity of the current one (the 1997 draft, section 5.1.2). A message of an
// archive is not enclosed in another entity: its base is the URL of its own retrieval.
func (w *walker) enter(it *scan.Item) {
	outer := w.ref.Entity
	w.frames = append(w.frames, frame{outer, w.ref.Base, len(w.bases), w.labels})
	message := it.Extra().Message
	if it.Op == scan.Enter && it.Name == "" && message != nil && strings.Contains(w.cfg.Retrieved.URI, messageID) {
		w.ref.Base = w.messageBase(it, message)
	} else if it.Op != scan.Body && it.Op != scan.Open {
		w.ref.Base = w.ref.Base.Inside()
	}
	w.ref.Entity = &Entity{Parent: outer, Name: it.Name, Type: it.Type, Base: w.ref.Base, Message: message, File: it.Extra().File, isInPackage: outer.isInPackage}
	w.labels |= it.Labels
	if c := it.Extra().Capture; c != nil {
		enterCapture(w, c)
	}
	if message != nil && w.Message != nil {
		w.calling = true
		w.Message(message)
		w.calling = false
	}
}

// leave returns to the entity around the current one.
func (w *walker) leave() {
	k := len(w.frames) - 1
	f := w.frames[k]
	w.frames = w.frames[:k]
	w.ref.Entity, w.ref.Base, w.bases, w.labels = f.entity, f.base, w.bases[:f.bases], f.labels
}

// messageID stands for the Message-ID of each message in Config.Retrieved.
const messageID = "{message-id}"

// messageBase returns the base of a message that its own retrieval gives.
func (w *walker) messageBase(it *scan.Item, message *scan.Message) base.Base {
	source := w.cfg.Retrieved
	if message.ID == "" {
		w.note(w.position(scan.Span{Start: it.Span.Start, End: it.Span.Start}), scan.CodeInvalidBase, "no Message-ID: the message has no URL of its own")
		source.URI = ""
	}
	// Characters that a path segment may contain are not escaped (RFC 3986 3.3).
	id := strings.NewReplacer("%40", "@", "%3A", ":", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";", "+", "%20").Replace(url.QueryEscape(message.ID))
	source.URI = strings.ReplaceAll(source.URI, messageID, id)
	b, err := base.Root(w.cfg.Rules, source, w.cfg.Default)
	if err != nil {
		w.note(Position{}, scan.CodeInvalidBase, err.Error())
	}
	return b
}

// pushDecoded makes the Value of a Part or Body the text to which spans refer; popDecoded undoes
// that.
func (w *walker) pushDecoded(it *scan.Item) {
	w.reached = w.offset(scan.Span{Start: it.Span.Start, End: it.Span.Start})
	to := mapping{m: it.Map, at: it.Span.Start}
	if it.Extra().Packed {
		to.packed = it.Value
	}
	w.mappings = append(w.mappings, to)
	w.decoded = append(w.decoded, decodedPart{text: it.Value, mappings: len(w.mappings)})
}

func (w *walker) popDecoded() {
	k := len(w.decoded) - 1
	w.mappings, w.decoded = w.mappings[:w.decoded[k].mappings-1], w.decoded[:k]
}

// open descends into an entity that was decompressed, up to its Close.
func (w *walker) open(it *scan.Item) {
	w.enter(it)
	m := new(scan.Map)
	m.Add(len(it.Value), it.Span.Start, max(len(it.Value), 1), it.Span.End-it.Span.Start)
	packed := *it
	packed.Map, packed.More = m, &scan.More{Packed: true}
	w.pushDecoded(&packed)
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

// filling returns each for the references in the value of a field. A URL that ends before the end of the value, because in a sentence
// what follows would not belong to it, is the whole value: "https://example.org/Example_Inc.".
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

// findQuotes sets w.quotes for text, the content of a part of a message, so that references in it get
// their quote depth.
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

// charset returns the name of the charset of src, the content of a part, in the form that
// Charset takes.
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
	case name == decode.UTF7 || name == decode.HZ || mark == "" && name != "":
		return name
	case name == "":
		w.note(w.position(scan.Span{}), scan.CodeUnknownCharset, fmt.Sprintf("unknown charset %q", label))
	}
	return w.cfg.pageCharset(src, it.Type, "")
}

// readAs returns the media type as which the content of a part of a message is read; "" means that it
// is not read.
func (c *Config) readAs(mediaType, name string) string {
	if c.scanner(mediaType) != nil {
		return mediaType
	}
	if t, ok := c.typeOfName(name); ok && (c.scanner(t) != nil || strings.HasPrefix(t, "text/")) {
		return t
	}
	if t, ok := attachedTypes[suffix(name)]; ok && (!strings.HasPrefix(mediaType, "text/") || mediaType == textType) {
		return t
	}
	major, minor, _ := strings.Cut(mediaType, "/")
	switch {
	case major == "text", major == "message":
		return mediaType
	}
	switch minor {
	case "json", "javascript", "x-javascript", "ecmascript":
		return mediaType
	}
	return c.packedType(mediaType, name)
}

// isEudoraHTML reports whether a text is HTML as Eudora keeps it: in an element of its own.
func isEudoraHTML(text []byte) bool {
	_, ok := ascii.CutPrefixFold(bytes.TrimLeft(text, " \t\r\n"), "<x-html>")
	return ok
}

// attachedTypes holds the types of attachments by the suffix of their name, where mailers declare another type, often
// application/octet-stream.
var attachedTypes = map[string]string{
	".json": "application/json", ".patch": textType, ".diff": textType,
}

// message walks the message in buf[at.Start:at.End]. quoted reports that an mbox may have put ">"
// before its lines.
func (w *walker) message(f *Format, at scan.Span, quoted bool) bool {
	w.mappings = append(w.mappings[:0], mapping{at: at.Start})
	clear(w.names)
	return w.document(f, w.buf[at.Start:at.End], Context{Type: f.Types[0], Quoted: quoted})
}

// A partName is a URL that names a part of a message: its Content-ID (RFC 2392) or its
// Content-Location (RFC 2557 8.2). It is known in the entity whose path is scope, and within.
type partName struct{ scope, url string }

// nameParts finds the names of the parts of the document src.
func (w *walker) nameParts(f *Format, src []byte, x Context) {
	note, message := w.Note, w.Message
	w.Note, w.Message, x.Outline = nil, nil, true
	defer func() { w.Note, w.Message = note, message }()
	for it := range f.Scan(src, w.cfg, x) {
		if it.Op != scan.Ref {
			w.each(it)
		}
		name := ""
		switch {
		case it.Op == scan.Enter && len(it.Value) > 0:
			name = "cid:" + string(it.Value)
		case it.Op == scan.Ref:
			name = w.nameOf(it.Value)
		}
		if name == "" || w.ref.Entity.Name == "" {
			continue
		}
		part := w.ref.Entity.Path()
		key := partName{part[:max(0, strings.LastIndexByte(part, '.'))], name}
		if _, ok := w.names[key]; !ok {
			if w.names == nil {
				w.names = make(map[partName]string)
			}
			w.names[key] = part
		}
	}
}

// thisMessage is the base against which relative references are resolved to compare them with
// each other. It is never output (RFC 2557 5e).
var thisMessage = base.Base{URI: "thismessage:/"}

// isThisMessage reports whether a base means something only within its message. What is relative to it is
// compared with the names of parts, and otherwise has no base, not even one from outside: the message says
// that there is none (RFC 2557 section 5).
func isThisMessage(uri string) bool {
	const scheme = "thismessage:"
	return len(uri) >= len(scheme) && ascii.EqualFold(uri[:len(scheme)], scheme)
}

// noBase returns the base of what is relative to nothing.
func (c *Config) noBase() base.Base {
	b, _ := base.Root(c.Rules, base.Source{}, base.Source{}) // there is nothing that could be invalid
	return b
}

// nameOf returns the URL by which ref is compared with names of parts; "" if ref cannot name a part.
func (w *walker) nameOf(ref []byte) string {
	target, res, err := w.ref.Base.Append(nil, ref)
	if err == base.ErrNoBase {
		target, res, err = thisMessage.Append(nil, ref)
	}
	if err != nil || res.SameDocument() {
		return ""
	}
	target, _, _ = bytes.Cut(target, []byte{'#'})
	if id, ok := bytes.CutPrefix(target, []byte("cid:")); ok {
		if s, err := url.PathUnescape(string(id)); err == nil {
			return "cid:" + s
		}
	}
	return string(target)
}

// partNamed returns the path of the part of the message that ref names; "" if it names none. Parts of
// the innermost multipart around the current entity take precedence.
func (w *walker) partNamed(ref []byte) string {
	if len(w.names) == 0 || len(ref) == 0 {
		return ""
	}
	name := w.nameOf(ref)
	if name == "" {
		return ""
	}
	for scope := w.ref.Entity.Path(); ; {
		if part := w.names[partName{scope, name}]; part != "" || scope == "" {
			return part
		}
		scope = scope[:max(0, strings.LastIndexByte(scope, '.'))]
	}
}

// Path returns the path of an entity in its input or in the member of a Container: "2.1", "srcdoc";
// "" for the input or member itself, and for a message of an archive. The path of a record in a
// crawler's archive begins with the number of the record, from 1. If the Container is a part of a
// message, or a record, the path begins with that part or record.
func (e *Entity) Path() string {
	path := ""
	for ; e != nil && e.Parent != nil; e = e.Parent {
		switch {
		case e.Name == "":
		case path == "":
			path = e.Name
		default:
			path = e.Name + "." + path
		}
	}
	return path
}
