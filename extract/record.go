package extract

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/refract/base"
	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/internal/webjson"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
	"example.org/refract/internal/input"
)

// A recordPlace says where a record is in its file, in bytes, with Config.Records, and why it is not whole
// there. The length is 0 if the place is not known.
type recordPlace struct {
	offset, length int64
	damage         *Damage // nil: the record is whole
}

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
	c.http.Details = w.cfg.Details || w.cfg.Choices
	declared, label, ok := w.recordType(c, block)
	if !ok {
		return true
	}
	if !w.cfg.selects(c, block, in, w.SelectRecord) {
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
	readsBody := hasBody && (w.readable(declared) || rec.Type == warc.Metadata || mediatype.IsJSON(declared) && isManifestName(rec.Target))
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

// skipsOwn reports whether a record is not read because isOwnRecord. Those with text are counted.
func (w *walker) skipsOwn(rec *warc.Record) bool {
	if w.cfg.OwnRecords || !isOwnRecord(rec) {
		return false
	}
	if rec.Type == warc.Request || rec.Type == warc.Metadata || bytes.HasPrefix(bytes.ToLower(rec.Target[:4]), []byte("dns:")) {
		return true // like others of the type
	}
	w.Skipped++
	if w.Note != nil {
		text := "a record of the crawler about itself (" + string(rec.Target[:min(len(rec.Target), 200)]) + "): not read"
		tell(w, w.Note, &Note{Entity: w.ref.Entity, Pos: w.position(scan.Span{}), Code: scan.CodeUnreadType, Unread: crawlerRecord, Text: text})
	}
	return true
}

// isOwnRecord reports whether a record is about the work of the crawler itself, such as its log or a name
// lookup, and so is no page.
func isOwnRecord(rec *warc.Record) bool {
	for _, prefix := range [...]string{"dns:", "metadata:", "urn:x-wpull:"} {
		if t := rec.Target; len(t) >= len(prefix) && strings.EqualFold(string(t[:len(prefix)]), prefix) {
			return true
		}
	}
	return false
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

// readable reports whether bodies of this type may be read: scripts, and JSON that is no format of its own,
// only on request.
func (w *walker) readable(mediaType string) bool {
	switch {
	case mediatype.IsUnknown(mediaType):
		return true
	case mediatype.IsJSON(mediaType):
		f := w.cfg.FormatOfType(mediaType)
		return w.cfg.JSONLD || w.cfg.Scripts || f != nil && f.Scan != nil
	case mediatype.IsScript(mediaType):
		return w.cfg.Scripts
	case strings.HasPrefix(mediaType, "multipart/"):
		return false
	}
	return w.cfg.readAs(mediaType, "") != ""
}

// isManifestName reports whether a URL names a web app manifest, which servers often declare as JSON.
func isManifestName(target []byte) bool {
	path, _, _ := bytes.Cut(target, []byte{'?'})
	return bytes.HasSuffix(path, []byte("manifest.json")) || bytes.HasSuffix(path, []byte(".webmanifest"))
}

// isPackedXML reports whether a body of this type is probably XML in a compressed file, by the name of the
// file. Servers declare the type of the compressed file, that of its contents, or none.
func isPackedXML(declared string, target []byte) bool {
	path, _, _ := bytes.Cut(target, []byte{'?'})
	return bytes.HasSuffix(path, []byte(".xml.gz")) && (mediatype.IsCompressed(declared) || mediatype.IsUnknown(declared) || mediatype.IsXML(declared)) ||
		bytes.HasSuffix(path, []byte(".gz")) && mediatype.IsXML(declared)
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

// selects reports whether a record with a block is read. With Records, it sets c.header.
func (c *Config) selects(r *recordReader, block []byte, in recordPlace, isSelected func(*Record) bool) bool {
	r.header = nil
	if c.Records || c.Detect || isSelected != nil {
		r.header = newRecord(r, in)
		if c.Detect {
			declared, _ := mediatype.OfField([]byte(r.header.ContentType))
			r.header.Detected = mediatype.Detect(declared, r.bodyHead(c, declared, block))
		}
	}
	return isSelected == nil || isSelected(r.header)
}

// newRecord returns what the header of a record says.
func newRecord(c *recordReader, in recordPlace) *Record {
	rec := &c.record
	r := &Record{
		Type: rec.Type.String(), ID: string(rec.Field("WARC-Record-ID")), Target: string(rec.Target), Date: string(rec.Date),
		Truncated: string(rec.Field("WARC-Truncated")), ContentType: string(rec.MediaType), Offset: in.offset, Length: in.length,
	}
	if rec.From == "ARC-URL" {
		r.Date = ""
		if t := rec.Time(); !t.IsZero() {
			r.Date = t.Format(time.RFC3339)
		}
	}
	r.Status = c.http.Status()
	if c.http.Body > 0 {
		r.ContentType = string(c.http.ContentType)
	}
	if in.damage != nil {
		r.Damaged = in.damage.Err.Error()
	}
	switch r.Status {
	case 301, 302, 303, 307, 308:
		for it := range c.http.References() {
			if it.In == "Location" {
				r.Redirect = string(it.Value)
				break
			}
		}
	}
	return r
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

// isText reports whether a media type is one of text: the type of a binary body is not.
func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || mediaType == xhtmlType || mediaType == xmlType
}

// packedRecord reports whether the body of a record is an archive or compressed, and returns its file name.
// declared is the type that the header declares.
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
