package extract

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"example.org/refract/base"
	"example.org/refract/delimit"
	"example.org/refract/extract/message"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
)

// A frame is what the walker returns to when it leaves an entity.
type frame struct {
	entity *Entity
	base   base.Base
	bases  int
	labels scan.Labels
}

// enter goes into an entity of the one at hand (000 5.1.2). A message of an archive is
// not embedded in anything: it has the base of its own retrieval.
func (w *walker) enter(it *scan.Item) {
	outer := w.ref.Entity
	w.frames = append(w.frames, frame{outer, w.ref.Base, len(w.bases), w.labels})
	message := it.Extra().Message
	if it.Op == scan.Enter && it.Name == "" && message != nil && strings.Contains(w.cfg.Retrieved.URI, messageID) {
		w.ref.Base = w.retrieved(it, message)
	} else if it.Op != scan.Body {
		w.ref.Base = w.ref.Base.Inside()
	}
	w.ref.Entity = &Entity{Parent: outer, Name: it.Name, Type: it.Type, Base: w.ref.Base, Message: message}
	w.labels |= it.Labels
}

// leave goes back out.
func (w *walker) leave() {
	k := len(w.frames) - 1
	f := w.frames[k]
	w.frames = w.frames[:k]
	w.ref.Entity, w.ref.Base, w.bases, w.labels = f.entity, f.base, w.bases[:f.bases], f.labels
}

// messageID stands in the URL of retrieval for the Message-ID of each message.
const messageID = "{message-id}"

// retrieved is the base of a message by its own retrieval.
func (w *walker) retrieved(it *scan.Item, message *scan.Message) base.Base {
	source := w.cfg.Retrieved
	if message.ID == "" {
		w.note(w.position(scan.Span{Start: it.Span.Start, End: it.Span.Start}), scan.CodeInvalidBase, "no Message-ID: the message has no URL of its own")
		source.URI = ""
	}
	// What a path segment may hold stays (RFC 3986 3.3).
	id := strings.NewReplacer("%40", "@", "%3A", ":", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";", "+", "%20").Replace(url.QueryEscape(message.ID))
	source.URI = strings.ReplaceAll(source.URI, messageID, id)
	b, err := base.Root(w.cfg.Rules, source, w.cfg.Default)
	if err != nil {
		w.note(Position{}, scan.CodeInvalidBase, err.Error())
	}
	return b
}

// A mapping leads from the bytes of an entity to those that it was decoded from: through
// m, or, where that is nil, to what begins at at.
type mapping struct {
	m      *scan.Map
	at     int
	packed []byte // the bytes of the entity, where those that it was decoded from are compressed
}

func (p mapping) back(s scan.Span) (scan.Span, bool) {
	if p.m == nil {
		return scan.Span{Start: s.Start + p.at, End: s.End + p.at}, true
	}
	return p.m.Back(s)
}

// innermost is the entity at hand as it is when its transfer encoding is undone.
type innermost struct {
	text    []byte
	parts   int // what leads out of it, in walker.parts
	counted int // up to here lines are counted
	line    int // before that
	start   int // of the line
}

// place returns the line and column in its part of s, which is of the entity at hand.
func (w *walker) place(s scan.Span) (line, column int) {
	if len(w.inner) == 0 || w.line == 0 {
		return 0, 0
	}
	in := &w.inner[len(w.inner)-1]
	for i := len(w.parts) - 1; i >= in.parts; i-- {
		s, _ = w.parts[i].back(s)
	}
	if s.Start < in.counted {
		in.line -= bytes.Count(in.text[s.Start:in.counted], newline)
		in.start = bytes.LastIndexByte(in.text[:s.Start], '\n') + 1
	} else if n := bytes.Count(in.text[in.counted:s.Start], newline); n > 0 {
		in.line += n
		in.start = bytes.LastIndexByte(in.text[:s.Start], '\n') + 1
	}
	in.counted = s.Start
	return in.line + 1, s.Start - in.start + 1
}

// decoded goes into what it holds; goBack returns from there.
func (w *walker) decoded(it *scan.Item) {
	w.parts = append(w.parts, mapping{m: it.Map, at: it.Span.Start})
	w.inner = append(w.inner, innermost{text: it.Value, parts: len(w.parts)})
}

func (w *walker) goBack() {
	k := len(w.inner) - 1
	w.parts, w.inner = w.parts[:w.inner[k].parts-1], w.inner[:k]
}

// within leads s back from the entity at hand to that of the Batch.
func (w *walker) within(s scan.Span) (scan.Span, bool) {
	exact := true
	for i := len(w.parts) - 1; i >= 0; i-- {
		var e bool
		s, e = w.parts[i].back(s)
		exact = exact && e
	}
	return s, exact
}

// body walks the content of the entity at hand.
func (w *walker) body(it *scan.Item) bool {
	if len(w.inner) == maxParts {
		w.note(w.position(it.Span), scan.CodeTooDeep, fmt.Sprintf("encoded more than %d deep: not read", maxParts))
		return true
	}
	if it.Name != "" {
		w.enter(it)
	}
	own, query := w.own, w.query
	w.own = w.ref.Base
	w.decoded(it)
	ok := w.content(it)
	w.goBack()
	w.own, w.query = own, query
	if it.Name != "" {
		w.leave()
	}
	return ok
}

// content walks what has been decoded.
func (w *walker) content(it *scan.Item) bool {
	text, f := it.Value, w.cfg.scanner(it.Type)
	if f != nil && f.Multipart {
		return w.scan(f, text)
	}
	name := w.charset(it, text)
	if !plainASCII(text, name) {
		// Most text holds no reference: then it need not be decoded.
		if f == nil && it.Type == textType && it.Flow != scan.DelSp && w.cfg.Undo == 0 && asciiStays(name) && !w.finder().May(text) {
			return true
		}
		d := decodings.Get().(*decoding)
		defer decodings.Put(d)
		step, stateful := decodeCharset(name)
		text = w.through(d, step, stateful, text)
	}
	if f != nil {
		w.queriesIn(f, name)
		return w.scan(f, text)
	}
	if it.Type != textType || it.Flow != scan.Fixed {
		d := decodings.Get().(*decoding)
		defer decodings.Put(d)
		d.m.Reset()
		if t, ok := message.Text(it.Type, it.Flow, d.text[:0], &d.m, text); ok {
			w.parts, d.text, text = append(w.parts, mapping{m: &d.m}), t, t
		}
	}
	for i, step := range undoSteps {
		if w.cfg.Undo>>i&1 != 0 {
			d := decodings.Get().(*decoding)
			defer decodings.Put(d)
			text = w.through(d, step(), false, text)
		}
	}
	return w.scan(f, text)
}

// finder is that of running text.
func (w *walker) finder() *delimit.Finder {
	if w.prose == nil {
		w.prose = textScanners.Get().(*plain.Scanner)
	}
	w.prose.Rest, w.prose.Finder.Rules = false, w.cfg.Text
	return &w.prose.Finder
}

// through decodes text in the memory of d.
func (w *walker) through(d *decoding, step step, stateful bool, text []byte) []byte {
	d.through(step, stateful, text)
	w.parts = append(w.parts, mapping{m: &d.m})
	return d.text
}

// charset returns the name of the charset of src, the content of a part, as decodeCharset
// wants it.
func (w *walker) charset(it *scan.Item, src []byte) string {
	label := it.Extra().Charset
	if label == "" || w.http { // labels of HTTP are those of browsers
		return w.cfg.pageCharset(src, it.Type, label)
	}
	name, ok := w.charsets[label]
	if !ok {
		if name = mailCharset(label); w.charsets == nil {
			w.charsets = make(map[string]string)
		}
		w.charsets[label] = name
	}
	mark := byteOrderMark(src)
	switch {
	case name == utf7 || name == hz || mark == "" && name != "":
		return name
	case name == "":
		w.note(w.position(scan.Span{}), scan.CodeUnknownCharset, fmt.Sprintf("unknown charset %q", label))
	}
	return w.cfg.pageCharset(src, it.Type, "")
}

// readAs returns the media type as which the content of a part of a message is read: "" is not
// at all.
func (c *Config) readAs(mediaType, name string) string {
	if c.scanner(mediaType) != nil {
		return mediaType
	}
	if t, ok := c.typeOfName(name); ok && (c.scanner(t) != nil || strings.HasPrefix(t, "text/")) {
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
	return ""
}

// message walks the message that stands in the Batch at at. quoted: an mbox may have put
// ">" in front of its lines.
func (w *walker) message(f *Format, at scan.Span, quoted bool) bool {
	w.parts = append(w.parts[:0], mapping{at: at.Start})
	clear(w.names)
	return w.document(f, w.buf[at.Start:at.End], Context{Type: f.Types[0], Quoted: quoted})
}

// A partName is what a reference names a part by: Content-ID (RFC 2392) or
// Content-Location (RFC 2557 8.2). It serves in the entity with that path, and within.
type partName struct{ scope, url string }

// outline finds what names the parts of the message src.
func (w *walker) outline(f *Format, src []byte, x Context) {
	note := w.Note
	w.Note, x.Outline = nil, true
	defer func() { w.Note = note }()
	for it := range f.Scan(src, w.cfg, x) {
		if it.Op != scan.Ref {
			w.item(it)
		}
		name := ""
		switch {
		case it.Op == scan.Enter && len(it.Value) > 0:
			name = "cid:" + string(it.Value)
		case it.Op == scan.Ref:
			name = w.label(it.Value)
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

// thisMessage is where relative references are resolved to be compared with each other,
// and is never put out (RFC 2557 5e).
var thisMessage = base.Base{URI: "thismessage:/"}

// label returns what ref is compared by, "" if it cannot be.
func (w *walker) label(ref []byte) string {
	target, res, err := w.ref.Base.Append(nil, ref)
	if err == base.ErrNoBase {
		target, res, err = thisMessage.Append(nil, ref)
	}
	if err != nil || res.SameDocument() || res.InError {
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

// named returns the path of the part of the message that ref names, "" if it names none:
// one of the same multipart as the entity at hand, or of one around it, the innermost
// first.
func (w *walker) named(ref []byte) string {
	if len(w.names) == 0 || len(ref) == 0 {
		return ""
	}
	name := w.label(ref)
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

// Path is the path of an entity in the input: "2.1", "srcdoc"; "" for the whole, and for a
// message of an archive. That of a record of a crawler's archive begins with its number.
func (e *Entity) Path() string {
	path := ""
	for ; e.Parent != nil; e = e.Parent {
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
