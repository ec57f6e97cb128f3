package extract

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/extract/warc"
)

// records cuts the archive of a crawler that r reads, of which buf holds n bytes, into
// pieces of whole records, of which b is the first. Of a record of more than c.MaxEntity
// bytes the beginning is kept, and the rest is passed over.
func (c *Config) records(b *Batch, r io.Reader, buf []byte, n int, yield func(*Batch, error) bool) {
	s := warc.Splitter{Limit: int(c.limit()), Kind: warc.Kind(c.Begin.State & 3)}
	var err error
	at, from := 0, 0             // the piece at at has been looked through up to from
	number := c.Begin.State >> 2 // of records
	inJunk := false              // junk that has been noted is followed by more
	piece := &crawl{number: number}
	for {
		if n < len(buf) && err == nil {
			var k int
			k, err = (&stream{r: r}).fill(buf[n:])
			n += k
		}
		skip := int64(0)
		for at < n && skip == 0 {
			p, ok := s.Next(buf[at:n], from-at, err != nil)
			if from = at + p.End; !ok {
				break
			}
			l := crawlRecord{at: scan.Span{Start: at, End: from}, odd: p.Odd}
			if p.Odd != warc.Junk {
				number++
				// In front of junk, a length that leads here would count as right.
				if rest := buf[from:n]; p.Odd == warc.Whole && (len(rest) == 0 || s.Begins(rest, err != nil)) {
					l.cut = cut{from, number<<2 | int(s.Kind)}
				}
				piece.records = append(piece.records, l)
				inJunk = p.Odd == warc.Cut && p.Skip == 0
			} else if rest := bytes.TrimLeft(buf[at:from], "\r\n"); len(rest) > 0 && !inJunk {
				l.at.Start = from - len(rest)
				piece.records = append(piece.records, l)
				inJunk = true
			}
			at, skip = from, p.Skip
		}
		if at == 0 && err == nil {
			buf = larger(buf)
			continue
		}
		c.setCallbacks(b)
		b.content, b.buf, b.end = piece, buf[:n], at
		next := &Batch{cfg: c, entity: b.entity, later: b.later, pos: b.pos, line: b.line, lineStart: b.lineStart}
		next.maps.origin = next.pos
		next.pass(buf[:at])
		passed := min(skip, int64(n-at))
		next.pass(buf[at : at+int(passed)])
		skip -= passed
		buf = fit(n-at-int(passed), c)
		n = copy(buf, b.buf[at+int(passed):])
		ended := err != nil && n == 0 && skip == 0
		if !yield(b, nil) {
			return
		}
		for skip > 0 && err == nil {
			var k int
			k, err = r.Read(buf[:min(int64(len(buf)), readSize, skip)])
			next.pass(buf[:k])
			skip -= int64(k)
		}
		if skip > 0 {
			next.notes = append(next.notes, odds[warc.Truncated])
		} else if ended {
			if err != io.EOF {
				yield(nil, err)
			}
			return
		}
		b, at, from, piece = next, 0, max(0, from-at), &crawl{number: number}
	}
}

// pass moves the beginning of b behind p.
func (b *Batch) pass(p []byte) {
	if b.line > 0 {
		if i := bytes.LastIndexByte(p, '\n'); i >= 0 {
			b.line, b.lineStart = b.line+bytes.Count(p, newline), b.pos+int64(i)+1
		}
	}
	b.pos += int64(len(p))
	b.maps.origin = b.pos
}

// A crawl is a piece of the archive of a crawler.
type crawl struct {
	number  int // of records in front of it
	records []crawlRecord
}

// A crawlRecord is a record, or junk between records.
type crawlRecord struct {
	at  scan.Span // in Batch.buf
	odd warc.Odd
	cut cut // its end is 0 if what follows depends on what is in front
}

func (c *crawl) cuts() []cut {
	cuts := make([]cut, len(c.records))
	for i := range c.records {
		cuts[i] = c.records[i].cut
	}
	return cuts
}

// A recordReader is what records are taken apart with.
type recordReader struct {
	record  warc.Record
	http    warc.HTTP
	decoder warc.Decoder
}

var recordReaders = sync.Pool{New: func() any { return new(recordReader) }}

// odds holds the notes about records.
var odds = [...]codedText{
	warc.Wrong:     {scan.CodeMalformed, "the record does not end where its length says: it ends where the next begins"},
	warc.Truncated: {scan.CodePartial, "the input ends in the record"},
	warc.Cut:       {scan.CodeTooLarge, "a record of more than %d bytes: cut there"},
	warc.Junk:      {scan.CodeMalformed, "no record begins here: the next is looked for"},
}

func (c *crawl) walk(w *walker) {
	in := recordReaders.Get().(*recordReader)
	defer recordReaders.Put(in)
	w.http = true
	number := c.number
	for _, l := range c.records {
		w.parts = append(w.parts[:0], mapping{at: l.at.Start})
		odd := odds[l.odd]
		switch l.odd {
		case warc.Whole:
		case warc.Cut:
			w.note(w.position(scan.Span{}), odd.code, fmt.Sprintf(odd.text, w.cfg.limit()))
		default:
			w.note(w.position(scan.Span{}), odd.code, odd.text)
		}
		if l.odd == warc.Junk {
			continue
		}
		number++
		if !w.record(in, l, number) {
			return
		}
	}
}

// record walks the record with this number. Package warc has what each does.
func (w *walker) record(c *recordReader, l crawlRecord, number int) bool {
	src := w.buf[l.at.Start:l.at.End]
	rec := &c.record
	rec.Parse(src)
	block := src[rec.Block.Start:rec.Block.End]
	if len(block) == 0 || len(rec.Target) >= 4 && strings.EqualFold(string(rec.Target[:4]), "dns:") {
		return true
	}
	w.parts[0].at += rec.Block.Start
	declared, label := contentType(rec.MediaType)
	c.http.Details = w.cfg.Details
	switch rec.Type {
	case warc.Response, warc.Revisit:
		if !c.http.Parse(block) {
			if declared == "application/http" {
				declared = ""
			}
			break
		}
		declared, label = contentType(c.http.ContentType)
	case warc.Resource, warc.Conversion:
		if c.http.Parse(nil); declared == "application/http" && c.http.Parse(block) {
			declared, label = contentType(c.http.ContentType)
		}
	case warc.Metadata:
		if declared != "application/json" {
			return true
		}
		c.http.Parse(nil)
	case warc.Request, warc.Info:
		return true
	case warc.Continuation:
		w.note(w.position(scan.Span{}), scan.CodePartial, "a record that goes on with one of another file: not read")
		return true
	default:
		w.note(w.position(scan.Span{}), scan.CodeUnread, "a record of an unknown type: not read")
		return true
	}
	if path, _, _ := bytes.Cut(rec.Target, []byte{'?'}); (declared == "application/gzip" || declared == "application/x-gzip") && bytes.HasSuffix(path, []byte(".xml.gz")) {
		// A sitemap, most likely: it may be compressed (sitemaps.org).
		declared, c.http.Content = "", append([][]byte{[]byte("gzip")}, c.http.Content...)
	}
	body := block[c.http.Body:]
	may := rec.Type != warc.Revisit && len(body) > 0 && (w.readable(declared) || rec.Type == warc.Metadata)
	if !may && rec.Type != warc.Revisit && len(body) > 0 {
		w.Skipped++
	}
	if !may && !c.http.Refers() {
		return true
	}

	outer, outerBase := w.ref.Entity, w.ref.Base
	defer func() { w.ref.Entity, w.ref.Base, w.bases, w.query = outer, outerBase, w.bases[:0], nil }()
	if rec.Target != nil {
		b, err := base.Root(w.cfg.Rules, base.Source{URI: string(rec.Target), From: rec.From}, w.cfg.Default)
		if err != nil {
			w.note(w.position(scan.Span{}), scan.CodeInvalidBase, err.Error())
		}
		w.ref.Base = b
	}
	w.own = w.ref.Base
	w.ref.Entity = &Entity{Parent: outer, Name: strconv.Itoa(number), Type: declared, Base: w.ref.Base}
	for it := range c.http.References() {
		if !w.item(it) {
			return false
		}
	}
	if !may {
		return true
	}
	if w.parts[0].at += c.http.Body; len(c.http.Transfer)+len(c.http.Content) > 0 {
		var kept [2]*decoding // one for the transfer, one for what is at hand
		for i := range kept {
			kept[i] = decodings.Get().(*decoding)
			defer decodings.Put(kept[i])
		}
		body = w.undone(c, body, kept)
	}
	return w.page(rec, body, declared, label)
}

// page walks the body of a record, decoded, whose type and charset its heading gives.
func (w *walker) page(rec *warc.Record, body []byte, declared, label string) bool {
	it := scan.Item{Op: scan.Body, Type: declared, Value: body, Span: scan.Span{End: len(body)}, More: &scan.More{Charset: label}}
	if !isJSON(declared) {
		it.Type = w.cfg.pageType(declared, rec.Target, body)
	}
	if it.Type == "" || !w.readable(it.Type) && rec.Type != warc.Metadata {
		w.Skipped++
		return true
	}
	w.ref.Entity.Type = it.Type
	if isJSON(it.Type) {
		w.decoded(&it)
		defer w.goBack()
		items := warc.AbsoluteURLs(body)
		if rec.Type == warc.Metadata {
			items = warc.WAT(body)
		}
		for it := range items {
			if !w.item(it) {
				return false
			}
		}
		return true
	}
	return w.body(&it)
}

// maxCodings is how many codings of content are undone.
const maxCodings = 4

// undone returns a body without the codings that its heading names, in the memory of kept.
// What it decodes to is at most as large as an entity, and as deflate can have it.
func (w *walker) undone(c *recordReader, body []byte, kept [2]*decoding) []byte {
	note := func(text string) {
		if text != "" {
			w.note(w.position(scan.Span{}), scan.CodeUnknownEncoding, text)
		}
	}
	limit := int(min(w.cfg.limit(), 64<<10+1032*int64(len(body))))
	for i := len(c.http.Transfer) - 1; i >= 0; i-- {
		if d := kept[0]; warc.IsChunked(c.http.Transfer[i]) {
			d.m.Reset()
			text, told, ok := warc.Unchunk(d.text[:0], &d.m, body)
			note(told)
			d.text = text
			if ok {
				w.parts = append(w.parts, mapping{m: &d.m})
				body = text
			}
			break // what is before it in the list was applied to the content
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
	undone := 0
	for i := len(codings) - 1; i >= 0; i-- {
		if undone == maxCodings {
			note(fmt.Sprintf("encoded more than %d times: not read", maxCodings))
			body = nil
			break
		}
		into := d.text[:0]
		if undone > 0 { // body is in that memory
			into = nil
		}
		text, told, ok := c.decoder.Decode(into, body, codings[i], limit)
		note(told)
		if !ok {
			continue
		}
		undone++
		d.text, body = text, text
	}
	if undone > 0 {
		d.m.Reset()
		d.m.Add(len(body), 0, max(len(body), 1), stored)
		w.parts = append(w.parts, mapping{m: &d.m, packed: body})
	}
	return body
}

// contentType reads the value of Content-Type: the type in lower case, "" if there is none
// that can be, and the label of the charset.
func contentType(value []byte) (mediaType, label string) {
	if value == nil {
		return "", ""
	}
	name := value
	if i := bytes.IndexAny(name, ";, \t"); i >= 0 {
		name = name[:i]
	}
	if bytes.Count(name, []byte{'/'}) == 1 {
		mediaType = strings.ToLower(string(name))
	}
	if i := bytes.IndexByte(value, ';'); i >= 0 {
		label = string(bytes.Trim(contentCharset(value[i:]), `"'`))
	}
	return mediaType, label
}

// isJSON reports whether a media type is JSON.
func isJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

// readable reports whether bodies of this type may be read: JSON only on request, and
// scripts never.
func (w *walker) readable(mediaType string) bool {
	switch {
	case isUnknown(mediaType):
		return true
	case isJSON(mediaType):
		return w.cfg.JSONLD
	case strings.HasPrefix(mediaType, "multipart/"), strings.HasSuffix(mediaType, "javascript"), strings.HasSuffix(mediaType, "ecmascript"):
		return false
	}
	return w.cfg.readAs(mediaType, "") != ""
}

// isUnknown reports whether a type says nothing (MIME Sniffing 5.1), or is what servers
// and crawlers write where they know none.
func isUnknown(mediaType string) bool {
	switch mediaType {
	case "", "unknown/unknown", "application/unknown", "*/*", binaryType:
		return true
	}
	return false
}

// pageType finds the type of a body: the one that its heading says, unless that says
// nothing, or the first bytes prove another. "" is one without text.
func (c *Config) pageType(declared string, target, body []byte) string {
	head := body[:min(len(body), 1024)]
	if looksBinary(head) {
		return ""
	}
	looks := markup(head)
	switch {
	case isUnknown(declared):
		if looks != textType {
			return looks
		}
		if looksLikeHTML(head) {
			return "text/html"
		}
		path, _, _ := bytes.Cut(target, []byte{'?'})
		if t, ok := c.typeOfName(string(path)); ok && t != warcType {
			return t
		}
		return textType
	case declared == "text/html" && isXML(looks) && (looks != xmlType || bytes.Contains(head, []byte("sitemaps.org/schemas"))):
		// Feeds and sitemaps are often said to be HTML (MIME Sniffing 8).
		return looks
	case isXML(declared) && (looks == xhtmlType || looks == svgType):
		return looks
	}
	return declared
}

// isXML reports whether a media type is XML other than XHTML and SVG (RFC 7303 section 4.2).
func isXML(mediaType string) bool {
	switch mediaType {
	case xmlType, "text/xml", opmlType:
		return true
	case xhtmlType, svgType:
		return false
	}
	return strings.HasSuffix(mediaType, "+xml")
}

// tags are what HTML begins with, in lower case (MIME Sniffing 7.1); in mail and in files
// text begins so, too.
var tags = []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p"}

// looksLikeHTML reports whether a page that nobody says to be one is HTML.
func looksLikeHTML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), "\t\n\f\r ")
	if bytes.HasPrefix(head, []byte("<!--")) {
		return true
	}
	return slices.ContainsFunc(tags, func(tag string) bool {
		return len(head) > len(tag) && (head[len(tag)] == ' ' || head[len(tag)] == '>') && strings.EqualFold(string(head[:len(tag)]), tag)
	})
}

// looksBinary reports whether what begins with head is no text: one in sixteen of its
// bytes cannot be in any (MIME Sniffing 3, binary data byte), and it is not in UTF-16.
func looksBinary(head []byte) bool {
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return true
	}
	n := 0
	for _, c := range head {
		if c < ' ' && (c <= 0x08 || c == 0x0b || 0x0e <= c && c != 0x1b) {
			n++
		}
	}
	return n > len(head)/16 && sniffUTF16(head) == "" && !strings.HasPrefix(byteOrderMark(head), "utf-16")
}
