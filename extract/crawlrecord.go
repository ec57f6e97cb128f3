package extract

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/refract/extract/internal/mediatype"
	"example.org/refract/extract/internal/robots"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/scan"
)

// A Record is what the header of a record of a web archive says. Texts are as written unless stated
// otherwise, and "" if the record does not say.
type Record struct {
	Type      string // "response"; of a type that no version of WARC defines, ""
	ID        string // WARC-Record-ID, with its brackets
	Target    string // WARC-Target-URI, without the brackets around it; of ARC, the URL
	Date      string // WARC-Date; of ARC, in RFC 3339 form
	Truncated string // WARC-Truncated: why the record does not have all of the body
	Damaged   string // why the archive does not have all of the record: it is damaged there, or ends; "" if it is whole

	Status      int    // of HTTP; 0: there is none
	ContentType string // of HTTP; if the record has no HTTP heading, of the record
	Redirect    string // the Location of an HTTP redirect

	// Detected is, with Config.Detect, the media type of the body by its first bytes; the type in ContentType, in lower
	// case and without parameters, if these show no more than text or binary data. It is "" if there is no body.
	Detected string

	// Offset and Length say where the record is in the file, in bytes, as Config.Storage gives them; in a member of a
	// Container, where it is in the member. Length is 0 if that is not known.
	Offset, Length int64
}

// Record returns what the header of the innermost record of a web archive that contains r says; nil
// if r is not in a record, or without Config.Records.
func (r *Reference) Record() *Record {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Record != nil {
			return e.Record
		}
	}
	return nil
}

// Charset returns the charset in which the text that contains r was decoded; "" if it was read as it is, and without
// Config.Charsets.
func (r *Reference) Charset() string {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Charset != "" {
			return e.Charset
		}
	}
	return ""
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

// selects reports whether a record with a block is read. With Records, it sets c.header.
func (c *Config) selects(r *recordReader, block []byte, in recordPlace) bool {
	r.header = nil
	if c.Records || c.Detect || c.SelectRecord != nil {
		r.header = newRecord(r, in)
		if c.Detect {
			declared, _ := mediatype.OfField([]byte(r.header.ContentType))
			r.header.Detected = mediatype.Detect(declared, r.bodyHead(c, declared, block))
		}
	}
	return c.SelectRecord == nil || c.SelectRecord(r.header)
}

// maxHeadSource limits how many bytes of a body are looked at to decode its first sniffSize bytes. A block of zstd has
// up to 128 KiB.
const maxHeadSource = 160 << 10

// bodyHead returns the first bytes of the decoded body of a record.
func (r *recordReader) bodyHead(c *Config, declared string, block []byte) []byte {
	body := block[r.http.Body:]
	body = body[:min(len(body), maxHeadSource)]
	transfer := r.http.Transfer
	for i, name := range slices.Backward(transfer) {
		if warc.IsChunked(name) {
			var m scan.Map
			if text, _, ok := warc.Unchunk(nil, &m, body); ok {
				body = text
			}
			transfer = transfer[:i]
			break
		}
	}
	layers := 0
	decode := func(name []byte) bool {
		text, _, ok := r.decoder.Decode(nil, body, name, max(maxHeadSource>>(4*layers), mediatype.HeadSize))
		if ok {
			body = text
			layers++
		}
		return ok
	}
	for _, name := range slices.Backward(slices.Concat(r.http.Content, transfer)) {
		if layers < maxCodings {
			decode(name)
		}
	}
	for layers < maxCodings && c.decodesAgain(declared, r.record.Target, layers) && codingOf(body) != "" && decode([]byte(codingOf(body))) {
	}
	return body
}

// A recordPlace says where a record is in its file, in bytes, with Config.Records, and why it is not whole there. The length is 0
// if the place is not known.
type recordPlace struct {
	offset, length int64
	damage         *Damage // nil: the record is whole
}

// locate sets where a record that has the bytes of the input from start to end is in the file, with withPlace, and why it is
// incomplete, unless it is whole.
func (r *crawlRecord) locate(in Storage, start, end int64, withPlace bool) {
	if in != nil && withPlace {
		if offset, length, ok := in.Range(start, end); ok {
			r.offset, r.length = offset, length
		}
	}
	if in != nil {
		if offset, err := in.Damaged(start, end); err != nil {
			r.damage = &Damage{Offset: offset, Err: err}
			return
		}
	}
	if r.odd == warc.Truncated {
		r.damage = &Damage{Offset: start, Err: errTruncated}
		if r.length > 0 {
			r.damage.Offset = r.offset
		}
	}
}

var errTruncated = errors.New("the input ends inside the record")

// noteDamage notes that a record is incomplete.
func (r *crawlRecord) noteDamage(w *walker) {
	var rec warc.Record
	rec.Parse(w.buf[r.at.Start:r.at.End])
	d := r.damage
	d.Target = string(rec.Target)
	if w.Note == nil {
		return
	}
	which := "a record"
	if d.Target != "" {
		which = "the record of " + d.Target[:min(len(d.Target), 2048)]
	}
	text := fmt.Sprintf("%s is incomplete: the archive is damaged at byte %d: %v", which, d.Offset, d.Err)
	if d.Err == errTruncated {
		text = which + " is incomplete: the archive ends inside it"
	}
	w.calling = true
	w.Note(&Note{Entity: w.ref.Entity, Pos: w.position(scan.Span{}), Code: scan.CodeDamaged, Text: text, Damage: d})
	w.calling = false
}

// isOwnRecord reports whether a record is about the work of the crawler itself, such as its log or a
// name that it looked up: it is no page.
func isOwnRecord(rec *warc.Record) bool {
	for _, prefix := range [...]string{"dns:", "metadata:", "urn:x-wpull:"} {
		if t := rec.Target; len(t) >= len(prefix) && strings.EqualFold(string(t[:len(prefix)]), prefix) {
			return true
		}
	}
	return false
}

// crawlerRecord is the kind of a record for which isOwnRecord.
const crawlerRecord = "crawler record"

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
		w.calling = true
		w.Note(&Note{Entity: w.ref.Entity, Pos: w.position(scan.Span{}), Code: scan.CodeUnreadType, Unread: crawlerRecord, Text: text})
		w.calling = false
	}
	return true
}

// Robots is the set of restrictions that a page puts on all robots: by <meta name=robots>, anywhere in it and also in
// <noscript>, and, in a record of a web archive, by the field X-Robots-Tag of HTTP. What is addressed to
// one robot by its name, such as googlebot, does not count, nor do rules with a value, such as max-snippet.
type Robots uint16

const (
	NoIndex Robots = 1 << iota // "noindex" in the page; Robots.Names has the others
	NoFollow
	NoArchive
	NoCache
	NoSnippet
	NoImageIndex
	NoTranslate
	NoAI
	NoImageAI
)

// Names returns the names of the members of r.
func (r Robots) Names() (names []string) {
	for i, name := range robots.Names {
		if r>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Robots returns the restrictions on the innermost page that contains r; 0 without Config.Robots.
func (r *Reference) Robots() Robots {
	for e := r.Entity; e != nil; e = e.Parent {
		if e.Robots != 0 {
			return e.Robots
		}
	}
	return 0
}

// hasRobots reports whether documents of Format f are pages that may restrict robots.
func hasRobots(f *Format) bool { return f.Types[0] == htmlType || f.Types[0] == xhtmlType }
