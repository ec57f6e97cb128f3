package webjson

import (
	"bytes"
	"encoding/base64"
	"iter"
	"strconv"
	"strings"

	"example.org/refract/extract/internal/warc"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/jsonstring"
)

// HARType is the media type of HTTP Archives here; none is registered.
const HARType = "application/har+json"

// IsHAR reports whether a document that begins with head is an HTTP Archive.
func IsHAR(head []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, token := range []string{"{", `"log"`, ":", "{"} {
		var ok bool
		rest, ok = bytes.CutPrefix(rest, []byte(token))
		if !ok {
			return false
		}
		rest = bytes.TrimLeft(rest, " \t\r\n")
	}
	return bytes.Contains(rest, []byte(`"creator"`)) || bytes.Contains(rest, []byte(`"entries"`))
}

// A HAR scans one HTTP Archive, as browsers and proxies write them. Each entry is a response that was
// received for a request, as in a record of a web archive. It yields each as an entity with the URL of the
// request as its base, the references in its heading, and its body. It may be reused, but several
// goroutines must not use it at once.
//
// Source: HTTP Archive 1.2 (software is hard, 2012). The text of a body has been decoded: from its content
// coding, and from its charset unless it is in base64.
type HAR struct {
	item scan.Item
	more scan.More
	http warc.HTTP
	text []byte
	m    scan.Map
}

// Scan yields, for each entry with a response, an Enter with a Capture, its references of Kind Header, a
// Body with the same Capture, and a Leave. Every input is valid; of an archive that is cut, it yields the
// entries that are whole, and the rest as JSON. The time is linear in len(src).
func (s *HAR) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		r := harReader{HAR: s, src: src, yield: yield}
		jsonstring.Walk(src, r.value, r.end)
		r.rest()
		s.item, s.more = scan.Item{}, scan.More{}
		if cap(s.text) > 1<<20 {
			s.text, s.m = nil, scan.Map{}
		}
	}
}

// A harReader reads one archive.
type harReader struct {
	*HAR
	src     []byte
	yield   func(*scan.Item) bool
	stopped bool

	entry  harEntry
	number int
	read   int  // where the last string of the last whole entry ends
	last   int  // where the last string ends
	isDone bool // the outermost object has ended
}

// An entry is what is known of the current entry.
type harEntry struct {
	capture  scan.Capture
	started  int // offset after which the response begins: its key; 0: there is none
	encoding string
	text     scan.Span
	fields   []harField
	name     []byte // of the field that is being read
	value    scan.Span
}

// A harField is a field of the heading, whose value is at a place.
type harField struct {
	name []byte
	at   scan.Span
}

// isIn reports whether the levels are those of a member of an entry, with these keys, "" for an array's.
func (r *harReader) isIn(in []jsonstring.Level, keys ...string) bool {
	if len(in) != 4+len(keys)-1 || in[0].Named(r.src) != "log" || in[1].Named(r.src) != "entries" {
		return false
	}
	for i, k := range keys {
		if in[3+i].Named(r.src) != k {
			return false
		}
	}
	return true
}

// value takes note of a string.
func (r *harReader) value(in []jsonstring.Level, at scan.Span) bool {
	e := &r.entry
	r.last = at.End
	if len(in) < 4 {
		return true
	}
	read := func() string { return string(jsonstring.Value(r.src, at)) }
	switch {
	case r.isIn(in, "startedDateTime"):
		e.capture.Date = read()
	case r.isIn(in, "request", "url"):
		e.capture.URL = read()
	case r.isIn(in, "response", "content", "mimeType"):
		e.capture.ContentType = read()
	case r.isIn(in, "response", "content", "encoding"):
		e.encoding = read()
	case r.isIn(in, "response", "content", "text"):
		e.text = at
	case r.isIn(in, "response", "headers", "", "name"):
		e.name = jsonstring.Value(r.src, at)
	case r.isIn(in, "response", "headers", "", "value"):
		e.value = at
	}
	if e.started == 0 && in[3].Named(r.src) == "response" {
		e.started = in[3].Key.End
	}
	return true
}

// maxHARFields limits the fields of a heading that are kept: those with references.
const maxHARFields = 1000

// end takes note of the end of an object.
func (r *harReader) end(in []jsonstring.Level) bool {
	e := &r.entry
	switch {
	case len(in) == 1:
		r.isDone = true
	case r.isIn(in, "response", "headers", "", in[len(in)-1].Named(r.src)):
		switch strings.ToLower(string(e.name)) {
		case "x-robots-tag":
			if len(e.capture.RobotsTags) < maxHARFields && e.value.End > 0 {
				e.capture.RobotsTags = append(e.capture.RobotsTags, jsonstring.Value(r.src, e.value))
			}
		case "location", "content-location", "link", "refresh":
			if len(e.fields) < maxHARFields && e.value.End > 0 {
				e.fields = append(e.fields, harField{e.name, e.value})
			}
		}
		e.name, e.value = nil, scan.Span{}
	case len(in) == 4 && in[0].Named(r.src) == "log" && in[1].Named(r.src) == "entries":
		r.number++
		r.yieldEntry()
		r.entry = harEntry{fields: e.fields[:0]}
	}
	return !r.stopped
}

// yieldEntry yields the current entry.
func (r *harReader) yieldEntry() {
	e := &r.entry
	from := r.read
	r.read = r.last
	if e.capture.URL == "" || e.started == 0 {
		return
	}
	e.capture.Status = harStatus(r.src[e.started:r.last])
	at := scan.Span{Start: from, End: r.last}
	declared, _, _ := strings.Cut(e.capture.ContentType, ";")
	r.more = scan.More{Capture: &e.capture}
	for i := range e.fields {
		if e.capture.Status/100 == 3 && strings.EqualFold(string(e.fields[i].name), "location") {
			e.capture.Redirect = string(jsonstring.Value(r.src, e.fields[i].at))
		}
	}
	isValid := true
	if e.text.End > e.text.Start {
		isValid = r.decode()
	}
	r.pass(scan.Item{Op: scan.Enter, Name: strconv.Itoa(r.number), Type: strings.ToLower(strings.TrimSpace(declared)), Span: at, More: &r.more})
	for i := range e.fields {
		r.heading(&e.fields[i])
	}
	if e.text.End > e.text.Start {
		r.body(isValid)
	}
	r.pass(scan.Item{Op: scan.Leave})
}

// harStatus returns the number of the first "status" in a response; 0 if there is none. A string cannot
// contain the name, whose quotation marks would be escaped.
func harStatus(response []byte) int {
	_, rest, _ := bytes.Cut(response, []byte(`"status"`))
	rest = bytes.TrimLeft(rest, " \t\r\n:")
	n := 0
	for n < min(len(rest), 3) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	code, _ := strconv.Atoi(string(rest[:n]))
	return code
}

// heading yields the references of a field.
func (r *harReader) heading(f *harField) {
	value := jsonstring.Value(r.src, f.at)
	line := "HTTP/1.1 200 OK\r\n" + string(f.name) + ": " + strings.NewReplacer("\r", " ", "\n", " ").Replace(string(value)) + "\r\n\r\n"
	if !r.http.Parse([]byte(line)) {
		return
	}
	written := r.src[f.at.Start:f.at.End]
	for it := range r.http.References() {
		i := bytes.Index(written, it.Value)
		own := *it
		own.Span, own.Loose = f.at, i < 0
		if i >= 0 {
			own.Span = scan.Span{Start: f.at.Start + i, End: f.at.Start + i + len(it.Value)}
		}
		if !r.pass(own) {
			return
		}
	}
}

// decode sets the Body of the current entry's Capture, and reports whether all of it is valid.
func (r *harReader) decode() (isValid bool) {
	e := &r.entry
	r.m.Reset()
	r.text = jsonstring.AppendMapped(r.text[:0], &r.m, r.src, e.text)
	e.capture.Body = r.text
	if !strings.EqualFold(e.encoding, "base64") {
		return true
	}
	decoded, err := base64.StdEncoding.AppendDecode(nil, r.text)
	n := len(decoded)
	e.capture.Body = decoded
	r.m.Reset()
	r.m.AddStateful(n, e.text.Start, max(n, 1), e.text.End-e.text.Start)
	return err == nil
}

// body yields the body of the current entry, after decode.
func (r *harReader) body(isValid bool) {
	e := &r.entry
	it := scan.Item{Op: scan.Body, Type: e.capture.ContentType, Span: e.text, Value: e.capture.Body, Map: &r.m, More: &r.more}
	r.more.Charset = "utf-8"
	if strings.EqualFold(e.encoding, "base64") {
		r.more.Charset, r.more.Packed = "", true
	}
	if !isValid && !r.pass(scan.Item{Op: scan.Note, Code: scan.CodeUnknownEncoding, Span: e.text, Text: "base64 that is not valid: read up to there"}) {
		return
	}
	r.pass(it)
}

// rest yields what follows the last whole entry of an archive that is cut.
func (r *harReader) rest() {
	if r.stopped || r.isDone || len(bytes.TrimSpace(r.src[r.read:])) == 0 {
		return
	}
	at := scan.Span{Start: r.read, End: len(r.src)}
	if r.pass(scan.Item{Op: scan.Note, Code: scan.CodePartial, Span: scan.Span{Start: r.read, End: r.read}, Text: "the HTTP Archive is cut or not valid: the rest is read as text"}) {
		r.pass(scan.Item{Op: scan.Body, Type: "application/json", Span: at, Value: r.src[r.read:]})
	}
}

func (r *harReader) pass(it scan.Item) bool {
	r.item = it
	if !r.stopped && !r.yield(&r.item) {
		r.stopped = true
	}
	return !r.stopped
}
