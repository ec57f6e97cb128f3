package extract

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/internal/webjson"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/input"
)

// A recordReader parses and decodes records. It is reused.
type recordReader struct {
	record  warc.Record
	http    warc.HTTP
	decoder warc.Decoder
	header  *Record // with Config.Records
}

var recordReaders = sync.Pool{New: func() any { return new(recordReader) }}

// pooledRecord walks the record in buf[at.Start:at.End]. in says where it is in its file.
func (w *walker) pooledRecord(at scan.Span, in recordPlace, number int) bool {
	c := recordReaders.Get().(*recordReader)
	more := w.record(c, at, in, number)
	recordReaders.Put(c) // unless it panics
	return more
}

// record walks the record in buf[at.Start:at.End]. The documentation of package warc says how each
// type of record is treated.
func (w *walker) record(c *recordReader, at scan.Span, in recordPlace, number int) bool {
	src := w.buf[at.Start:at.End]
	rec := &c.record
	rec.Parse(src)
	block := src[rec.Block.Start:rec.Block.End]
	if len(block) == 0 || w.skipsOwn(rec) {
		return true
	}
	w.mappings[0].at += rec.Block.Start
	c.http.Details = w.cfg.Details
	declared, label, ok := w.recordType(c, block)
	if !ok {
		return true
	}
	if !w.cfg.selects(c, block, in) {
		return true
	}
	if isPackedXML(declared, rec.Target) {
		// Probably a sitemap, which may be compressed (sitemaps.org).
		c.http.Content = append([][]byte{[]byte("gzip")}, c.http.Content...)
		if !mediatype.IsXML(declared) {
			declared = ""
		}
	}
	body := block[c.http.Body:]
	hasBody := rec.Type != warc.Revisit && len(body) > 0
	readsBody := hasBody && (w.readable(declared) || rec.Type == warc.Metadata)
	if hasBody && !readsBody {
		w.unreadRecord(rec, declared)
	}
	if !readsBody && !c.http.Refers() {
		return true
	}

	outer, outerBase := w.ref.Entity, w.ref.Base
	more := w.recordContent(c, block, number, declared, label, readsBody)
	w.ref.Entity, w.ref.Base, w.bases, w.query = outer, outerBase, w.bases[:0], nil
	return more
}

// isPackedXML reports whether a body of this type is probably XML that is compressed as a file, by the name of the file.
// Servers declare the type of the compressed file, that of its contents, or none.
func isPackedXML(declared string, target []byte) bool {
	path, _, _ := bytes.Cut(target, []byte{'?'})
	return bytes.HasSuffix(path, []byte(".xml.gz")) && (mediatype.IsCompressed(declared) || mediatype.IsUnknown(declared) || mediatype.IsXML(declared)) ||
		bytes.HasSuffix(path, []byte(".gz")) && mediatype.IsXML(declared)
}

// recordContent walks the HTTP heading and, with readsBody, the body of a record. declared and label
// are the type and the label of the charset that the header of the record declares.
func (w *walker) recordContent(c *recordReader, block []byte, number int, declared, label string, readsBody bool) bool {
	rec := &c.record
	if rec.Target != nil {
		b, err := base.Root(w.cfg.Rules, base.Source{URI: string(rec.Target), From: rec.From}, w.cfg.Default)
		if err != nil {
			w.note(w.position(scan.Span{}), scan.CodeInvalidBase, err.Error())
		}
		w.ref.Base = b
	}
	w.own = w.ref.Base
	w.ref.Entity = &Entity{Parent: w.ref.Entity, Name: strconv.Itoa(number), Type: declared, Base: w.ref.Base, Record: c.header}
	if w.cfg.Messages || w.cfg.Cite {
		w.ref.Entity.Captured = rec.Time()
	}
	if w.cfg.Robots {
		w.ref.Entity.Robots = Robots(robots.OfHeading(c.http.Fields("X-Robots-Tag")))
		if readsBody { // what the page says counts for its heading, too
			return w.pageFirst(c, block, declared, label)
		}
	}
	if !w.heading(c) {
		return false
	}
	if !readsBody {
		return true
	}
	w.mappings[0].at += c.http.Body
	body := block[c.http.Body:]
	if len(c.http.Transfer)+len(c.http.Content) > 0 || codingOf(body) != "" {
		var kept [2]*decode.Decoding // for the transfer coding, and for the content codings
		for i := range kept {
			kept[i] = decode.Decodings.Get().(*decode.Decoding)
			defer kept[i].Release()
		}
		body = w.decodeBody(c, body, declared, kept)
	}
	return w.page(rec, body, declared, label)
}

// heading walks the references of the HTTP heading.
func (w *walker) heading(c *recordReader) bool {
	for it := range c.http.References() {
		if !w.each(it) {
			return false
		}
	}
	return true
}

// pageFirst is the end of recordContent with Config.Robots: it decodes the body before it walks the heading.
func (w *walker) pageFirst(c *recordReader, block []byte, declared, label string) bool {
	var kept [2]*decode.Decoding
	for i := range kept {
		kept[i] = decode.Decodings.Get().(*decode.Decoding)
		defer kept[i].Release()
	}
	w.mappings[0].at += c.http.Body
	body := w.decodeBody(c, block[c.http.Body:], declared, kept)
	if t := w.cfg.pageType(declared, c.record.Target, body); t == htmlType || t == xhtmlType {
		w.ref.Entity.Robots |= Robots(robots.OfPage(body))
	}
	layers := slices.Clone(w.mappings[1:])
	w.mappings = w.mappings[:1]
	w.mappings[0].at -= c.http.Body
	if !w.heading(c) {
		return false
	}
	w.mappings[0].at += c.http.Body
	w.mappings = append(w.mappings, layers...)
	return w.page(&c.record, body, declared, label)
}

// unreadRecord counts and notes a record whose body is not read because of its type.
func (w *walker) unreadRecord(rec *warc.Record, mediaType string) {
	w.Skipped++
	if w.Note == nil {
		return
	}
	target := rec.Target[:min(len(rec.Target), 200)]
	w.unread(w.position(scan.Span{}), "a record", mediaType, string(target))
}

// isText reports whether a media type is one of text: the type of a binary body is not.
func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || mediaType == xhtmlType || mediaType == xmlType
}

// recordType returns the media type that a record declares, and the label of its charset. ok is
// false if the record is not read.
func (w *walker) recordType(c *recordReader, block []byte) (declared, label string, ok bool) {
	rec := &c.record
	declared, label = mediatype.OfField(rec.MediaType)
	switch rec.Type {
	case warc.Response, warc.Revisit:
		if c.http.Parse(block) {
			declared, label = mediatype.OfField(c.http.ContentType)
		} else if declared == "application/http" {
			declared = ""
		}
	case warc.Resource, warc.Conversion:
		c.http.Parse(nil)
		if declared == "application/http" && c.http.Parse(block) {
			declared, label = mediatype.OfField(c.http.ContentType)
		}
	case warc.Metadata:
		c.http.Parse(nil)
		return declared, label, declared == "application/json"
	case warc.Request, warc.Info:
		return "", "", false
	case warc.Continuation:
		w.note(w.position(scan.Span{}), scan.CodePartial, "a record that continues one of another file: not read")
		return "", "", false
	default:
		w.note(w.position(scan.Span{}), scan.CodeUnread, "a record of an unknown type: not read")
		return "", "", false
	}
	return declared, label, true
}

// page walks the decoded body of a record. declared and label are the type and the label of the
// charset that the header of the record declares.
func (w *walker) page(rec *warc.Record, body []byte, declared, label string) bool {
	it := scan.Item{Op: scan.Body, Type: declared, Value: body, Span: scan.Span{End: len(body)}, More: &scan.More{Charset: label}}
	if name, ok := w.packedRecord(rec, body, declared); ok {
		if w.isCut {
			return true // there is a note about the record
		}
		return w.packed(packedFile{src: body, name: name, what: "a record", pos: w.position(scan.Span{})})
	}
	if w.cfg.isPackedType(declared) {
		if !mediatype.IsCompressed(declared) || input.IsCompressed(body[:min(len(body), 64)]) {
			w.unreadRecord(rec, declared)
			return true
		}
		declared = "" // the body has been decompressed
	}
	if !mediatype.IsJSON(declared) {
		it.Type = w.cfg.pageType(declared, rec.Target, body)
	} else if t := webjson.Sniff(body[:min(len(body), headSize)]); t != "" {
		it.Type = t
	}
	if it.Type == "" || !w.readable(it.Type) && rec.Type != warc.Metadata {
		if it.Type == "" && isText(declared) {
			declared = ""
		}
		w.unreadRecord(rec, declared)
		return true
	}
	w.ref.Entity.Type = it.Type
	if f := w.cfg.FormatOfType(it.Type); mediatype.IsJSON(it.Type) && (rec.Type == warc.Metadata || f == nil || f.Scan == nil) {
		w.pushDecoded(&it)
		defer w.popDecoded()
		items := warc.AbsoluteURLs(body)
		if rec.Type == warc.Metadata {
			items = warc.WAT(body)
		}
		for it := range items {
			if !w.each(it) {
				return false
			}
		}
		return true
	}
	return w.body(&it)
}

// decodeAgain undoes the codings that body has by its first bytes. layers is how many have been undone.
func (w *walker) decodeAgain(c *recordReader, body []byte, layers, limit int) ([]byte, int) {
	for {
		coding := codingOf(body)
		if coding == "" {
			return body, layers
		}
		if layers == maxCodings {
			w.note(w.position(scan.Span{}), scan.CodeUnknownEncoding, tooManyCodings)
			return nil, layers
		}
		text, odd, ok := c.decoder.Decode(nil, body, []byte(coding), limit)
		if odd != "" {
			w.note(w.position(scan.Span{}), scan.CodeUnknownEncoding, odd)
		}
		if !ok {
			return body, layers
		}
		layers++
		body = text
	}
}

// codingOf returns the content coding that a body has by its first bytes, "" if these show none.
func codingOf(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\x1f\x8b\x08")):
		return "gzip"
	case bytes.HasPrefix(body, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	}
	return ""
}

// decodesAgain reports whether the body of a record, from which some codings have been undone, is decoded if it still is
// gzip or zstd: because it is text by the type that its header declares, or because it was encoded and is no
// compressed file by its type and name.
func (c *Config) decodesAgain(declared string, target []byte, layers int) bool {
	return mediatype.IsTextual(declared) || layers > 0 && mediatype.IsUnknown(declared) && c.packedType(declared, nameOf(target)) == ""
}

// nameOf returns the name of the file that a URL leads to.
func nameOf(target []byte) string {
	name, _, _ := strings.Cut(string(target), "?")
	if u, err := url.PathUnescape(name); err == nil {
		name = u
	}
	return path.Base(name)
}

// packedRecord reports whether the body of a record is an archive or compressed, and returns the name of
// its file. declared is the type that the header declares.
func (w *walker) packedRecord(rec *warc.Record, body []byte, declared string) (name string, ok bool) {
	if w.cfg.Archives == OpenNone {
		return "", false
	}
	if !mediatype.IsUnknown(declared) && w.cfg.packedType(declared, "") == "" {
		return "", false
	}
	name = nameOf(rec.Target)
	head := body[:min(len(body), 4096)]
	if w.cfg.sniffContainer(head, false).hasMembers() {
		return name, true
	}
	return name, mediatype.IsCompressed(w.cfg.packedType(declared, name)) && input.IsCompressed(head)
}

// maxCodings limits how many content codings are decoded.
const maxCodings = 4

var tooManyCodings = fmt.Sprintf("encoded more than %d times: not read", maxCodings)

// decodeBody decodes the codings that the header of a body names, in the memory of kept. The result
// has at most as many bytes as an entity may have, and at most as many as deflate can make of the
// body.
//
// A body that is still gzip or zstd when these codings are undone was encoded more often than its header says, unless its
// type or name is that of compressed files: it is decoded again, at most maxCodings times in all. So is a body of text
// whose header declares no coding.
func (w *walker) decodeBody(c *recordReader, body []byte, declared string, kept [2]*decode.Decoding) []byte {
	note := func(text string) {
		if text != "" {
			w.note(w.position(scan.Span{}), scan.CodeUnknownEncoding, text)
		}
	}
	limit := int(min(w.cfg.limit(), 64<<10+1032*int64(len(body))))
	for i := len(c.http.Transfer) - 1; i >= 0; i-- {
		if d := kept[0]; warc.IsChunked(c.http.Transfer[i]) {
			d.Map.Reset()
			text, odd, ok := warc.Unchunk(d.Text[:0], &d.Map, body)
			note(odd)
			d.Text = text
			if ok {
				w.mappings = append(w.mappings, mapping{m: &d.Map})
				body = text
			}
			break // the codings before it in the list were applied first, to the content
		}
	}
	codings := c.http.Content
	for _, name := range c.http.Transfer {
		if warc.IsChunked(name) {
			break
		}
		codings = append(codings, name)
	}
	stored := len(body)
	d := kept[1]
	layers := 0
	for i := len(codings) - 1; i >= 0; i-- {
		if layers == maxCodings {
			note(tooManyCodings)
			body = nil
			break
		}
		into := d.Text[:0]
		if layers > 0 { // body is in that memory
			into = nil
		}
		text, odd, ok := c.decoder.Decode(into, body, codings[i], limit)
		note(odd)
		if !ok {
			continue
		}
		layers++
		d.Text, body = text, text
	}
	if w.cfg.decodesAgain(declared, c.record.Target, layers) {
		before := layers
		body, layers = w.decodeAgain(c, body, layers, limit)
		if layers > before {
			d.Text = body
		}
	}
	if layers > 0 {
		d.Map.Reset()
		d.Map.Add(len(body), 0, max(len(body), 1), stored)
		w.mappings = append(w.mappings, mapping{m: &d.Map, packed: body})
	}
	return body
}

// enterCapture makes the current entity one that was received from c.URL, which is its base. If it is not selected, it is skipped.
func enterCapture(w *walker, c *scan.Capture) {
	b, err := base.Root(w.cfg.Rules, base.Source{URI: c.URL, From: "request.url"}, w.cfg.Default)
	if err != nil {
		w.note(w.position(scan.Span{}), scan.CodeInvalidBase, err.Error())
	}
	e := w.ref.Entity
	w.ref.Base, e.Base = b, b
	declared, _ := mediatype.OfField([]byte(c.ContentType))
	if w.cfg.Robots {
		e.Robots = Robots(robots.OfHeading(slices.Values(c.RobotsTags)))
		if f := w.cfg.scanner(declared); f != nil && hasRobots(f) {
			e.Robots |= Robots(robots.OfPage(c.Body))
		}
	}
	if !w.cfg.Records && !w.cfg.Detect && w.cfg.SelectRecord == nil {
		return
	}
	e.Record = &Record{Type: warc.Response.String(), Target: c.URL, Date: c.Date, Status: c.Status, ContentType: c.ContentType, Redirect: c.Redirect}
	if w.cfg.Detect {
		e.Record.Detected = mediatype.Detect(declared, c.Body[:min(len(c.Body), mediatype.HeadSize)])
	}
	if w.cfg.SelectRecord != nil && !w.cfg.SelectRecord(e.Record) {
		w.skipping = 1
	}
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

// captured walks a Body with a Capture as that of a record.
func captured(w *walker, it *scan.Item) bool {
	c := it.More.Capture
	declared, label := mediatype.OfField([]byte(c.ContentType))
	if it.More.Charset != "" {
		label = it.More.Charset
	}
	rec := &warc.Record{Type: warc.Response, Target: []byte(c.URL)}
	if !w.readable(declared) {
		w.unreadRecord(rec, declared)
		return true
	}
	http, own := w.http, w.own
	w.http, w.own = true, w.ref.Base
	w.pushDecoded(it)
	ok := w.page(rec, it.Value, declared, label)
	w.popDecoded()
	w.http, w.own = http, own
	return ok
}
