package main

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/resolve"
)

type format uint8

const (
	formatText format = iota
	formatJSON
	formatCSV
	formatEdges
)

// A page is what a job has found, rendered.
type page struct {
	out      []byte
	lines    []line // of out; kept only with a set
	keys     []byte // theirs
	messages []byte // for standard error

	inputs, references, unresolved, notes, errors, skipped int
}

// A line is one record of a page.
type line struct {
	end int // in out
	key int // in keys, where what it is unique by ends; -1: always written
}

func (p *page) add(q *page) {
	p.inputs += q.inputs
	p.references += q.references
	p.unresolved += q.unresolved
	p.notes += q.notes
	p.errors += q.errors
	p.skipped += q.skipped
}

// render walks b and renders what f lets through.
func (f *finder) render(p *page, name string, b *extract.Batch) {
	if b.First() {
		p.inputs++
	}
	b.Note = func(n *extract.Note) { f.note(p, name, n) }
	var key []byte
	for r := range b.References() {
		url := f.cut(r.URL)
		if !f.filter.match(r, url, f.format == formatJSON) {
			continue
		}
		if f.redact {
			url = redacted(url)
		}
		p.references++
		if r.Err != nil {
			p.unresolved++
		}
		var canonical []byte
		if f.canonical != nil && url != nil {
			key = f.canonical.Append(key[:0], url)
			canonical = key
		}
		if f.count != "" {
			f.tally(p, url, canonical)
			continue
		}
		text := url
		if f.format != formatJSON && f.format != formatCSV {
			if url == nil {
				if r.Err == nil || !f.unresolved && r.BrowserURL == nil {
					continue
				}
				text = f.shown(r.Ref)
			}
			if f.cfg.TwoReadings && r.BrowserURL == nil {
				continue
			}
		}
		switch f.format {
		case formatJSON:
			p.out = f.appendJSON(p.out, name, r, url, canonical)
		case formatCSV:
			p.out = f.appendCSV(p.out, name, r, url, canonical)
		case formatEdges:
			start := len(p.out)
			p.out = f.appendEdge(p.out, name, r, text, canonical)
			if f.set != nil { // an edge is unique by both of its ends
				if canonical != nil {
					p.keys = f.appendEdge(p.keys, name, r, canonical, nil)
				} else {
					p.keys = append(p.keys, p.out[start:]...)
				}
				p.lines = append(p.lines, line{len(p.out), len(p.keys)})
				continue
			}
		default:
			p.out = f.appendText(p.out, name, r, text, canonical)
			if f.explains {
				p.out = f.appendExplained(p.out, name, r)
			}
		}
		if f.set != nil {
			switch {
			case canonical != nil:
				p.keys = append(p.keys, canonical...)
			case url != nil:
				p.keys = append(p.keys, url...)
			default:
				p.keys = append(append(p.keys, 0), r.Ref...)
			}
			p.lines = append(p.lines, line{len(p.out), len(p.keys)})
		}
	}
	p.skipped += b.Skipped
}

// tally counts url.
func (f *finder) tally(p *page, url, canonical []byte) {
	if url == nil {
		return
	}
	key := url
	if canonical != nil {
		key = canonical
	}
	switch f.count {
	case "host":
		key = []byte(nameOf(url))
	case "domain":
		key = []byte(domainOf(nameOf(url)))
	}
	if len(key) == 0 {
		return // mailto has no host
	}
	p.out = append(append(p.out, key...), '\n')
	p.keys = append(p.keys, key...)
	p.lines = append(p.lines, line{len(p.out), len(p.keys)})
}

// counted is a line of --count.
func (f *finder) counted(record []byte, n uint64) []byte {
	key := record[:len(record)-1]
	switch f.format {
	case formatJSON:
		return appendObject(nil, map[string]any{"type": "count", f.count: string(key), "count": n})
	case formatCSV:
		return appendCSV(nil, []string{strconv.FormatUint(n, 10), string(key)})
	}
	line := append(strconv.AppendUint(nil, n, 10), '\t')
	if f.terminal {
		return append(appendVisible(line, key), '\n')
	}
	return append(append(line, key...), f.terminator)
}

// cut is a URL without what --no-fragment cuts.
func (f *finder) cut(url []byte) []byte {
	if f.noFragment {
		if i := bytes.IndexByte(url, '#'); i >= 0 {
			return url[:i]
		}
	}
	return url
}

// browserURL is what is put out of r.BrowserURL. It is ASCII without controls.
func (f *finder) browserURL(r *extract.Reference) []byte { return f.shown(f.cut(r.BrowserURL)) }

// shown is a reference as it may be shown: without passwords under --redact.
func (f *finder) shown(ref []byte) []byte {
	if f.redact {
		return redacted(ref)
	}
	return ref
}

// redacted returns url with its password as "***" (000 section 7).
func redacted(url []byte) []byte {
	c := resolve.Parse(url)
	at := ascii.HostStart(c.Authority) - 1
	if at < 0 {
		return url
	}
	colon := bytes.IndexByte(c.Authority[:at], ':')
	if colon < 0 {
		return url
	}
	c.Authority = append(append(bytes.Clone(c.Authority[:colon+1]), "***"...), c.Authority[at:]...)
	return c.Append(nil)
}

func (f *finder) appendText(dst []byte, name string, r *extract.Reference, text, canonical []byte) []byte {
	if f.numbered {
		dst = f.appendPlace(dst, name, r.Pos)
	}
	if f.terminal {
		dst = appendVisible(dst, text)
	} else {
		dst = append(dst, text...)
	}
	if r.BrowserURL != nil {
		dst = append(append(dst, '\t'), f.browserURL(r)...)
	}
	return f.endLine(dst, canonical)
}

// endLine appends the canonical key, if there is one, and the end of a line.
func (f *finder) endLine(dst, canonical []byte) []byte {
	if canonical != nil {
		dst = append(append(dst, '\t'), canonical...)
	}
	return append(dst, f.terminator)
}

// appendEdge appends "source<TAB>target<TAB>kind". The source is the URL by which the
// document was retrieved, otherwise its name.
func (f *finder) appendEdge(dst []byte, name string, r *extract.Reference, target, canonical []byte) []byte {
	source := f.documentOf(r)
	if source == "" {
		source = name
	}
	dst = append(appendField(dst, []byte(source)), '\t')
	dst = append(appendField(dst, target), '\t')
	return f.endLine(append(dst, r.Kind.String()...), canonical)
}

// documentOf is the URL of the document that r stands in, as URLs are put out.
func (f *finder) documentOf(r *extract.Reference) string {
	url := documentOf(r)
	if url == "" {
		return ""
	}
	return string(f.shown(extract.AppendEscaped(nil, []byte(url), f.cfg.IRI)))
}

// appendField appends s with the controls that would end it or its line as "%09".
func appendField(dst, s []byte) []byte {
	for _, c := range s {
		if c < ' ' {
			dst = fmt.Appendf(dst, "%%%02X", c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// appendPlace appends "file:line:column:".
func (f *finder) appendPlace(dst []byte, name string, pos extract.Position) []byte {
	if f.terminal && colours() {
		dst = append(appendVisible(append(dst, "\x1b[35m"...), []byte(name)), "\x1b[0m:\x1b[32m"...)
		dst = append(strconv.AppendInt(dst, int64(pos.Line), 10), "\x1b[0m:"...)
	} else {
		dst = append(append(dst, name...), ':')
		dst = append(strconv.AppendInt(dst, int64(pos.Line), 10), ':')
	}
	return append(strconv.AppendInt(dst, int64(pos.Column), 10), ':')
}

// place is where something stands, as the lines of --json have it.
type place struct {
	Type     string `json:"type"`
	Input    string `json:"input,omitempty"`
	InputB64 string `json:"input_b64,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
}

type jsonReference struct {
	place
	Document     string     `json:"document,omitempty"`
	Part         string     `json:"part,omitempty"`
	PartType     string     `json:"part_type,omitempty"`
	PartLine     int        `json:"part_line,omitempty"`
	PartColumn   int        `json:"part_column,omitempty"`
	Offset       int64      `json:"offset"`
	Length       int        `json:"length"`
	Exact        bool       `json:"exact"`
	Ranges       [][2]int64 `json:"ranges,omitempty"`
	Kind         string     `json:"kind"`
	In           string     `json:"in,omitempty"`
	How          string     `json:"how"`
	Abbreviated  bool       `json:"abbreviated,omitempty"`
	Raw          *string    `json:"raw,omitempty"`
	RawB64       string     `json:"raw_b64,omitempty"`
	Ref          *string    `json:"ref,omitempty"`
	Base         string     `json:"base,omitempty"`
	Layer        string     `json:"layer"`
	From         string     `json:"from,omitempty"`
	URL          string     `json:"url,omitempty"`
	Canonical    string     `json:"canonical,omitempty"`
	Domain       string     `json:"domain,omitempty"`
	BrowserURL   string     `json:"browser_url,omitempty"`
	Error        string     `json:"error,omitempty"`
	SameDocument bool       `json:"same_document,omitempty"`
	Fragment     string     `json:"fragment,omitempty"`
	Alternatives []string   `json:"alternatives,omitempty"`
	Labels       []string   `json:"labels,omitempty"`
	Notes        []string   `json:"notes,omitempty"`
	Text         string     `json:"text,omitempty"`
	Rel          string     `json:"rel,omitempty"`
	Hreflang     string     `json:"hreflang,omitempty"`
	MediaType    string     `json:"media_type,omitempty"`
	Truncated    bool       `json:"truncated,omitempty"`
	TargetPart   string     `json:"target_part,omitempty"`
	MessageID    string     `json:"message_id,omitempty"`
	Subject      string     `json:"subject,omitempty"`
	Date         string     `json:"date,omitempty"`
	Step         string     `json:"step,omitempty"`
	Explain      []string   `json:"explain,omitempty"`
}

func placeOf(kind, name string, pos extract.Position) place {
	p := place{Type: kind, Line: pos.Line, Column: pos.Column}
	if utf8.ValidString(name) {
		p.Input = name
	} else {
		p.InputB64 = base64.StdEncoding.EncodeToString([]byte(name))
	}
	return p
}

// maxData is how much of a data: URL is put out.
const maxData = 2048

func (f *finder) appendJSON(dst []byte, name string, r *extract.Reference, url, canonical []byte) []byte {
	o := f.jsonReference(name, r, url)
	if canonical != nil {
		o.Canonical = string(canonical)
		if host := nameOf(url); host != "" {
			o.Domain = domainOf(host)
		}
	}
	return appendObject(dst, o)
}

// jsonReference is r as the lines of --json have it.
func (f *finder) jsonReference(name string, r *extract.Reference, url []byte) *jsonReference {
	o := &jsonReference{
		place: placeOf("reference", name, r.Pos), Document: f.documentOf(r), Part: r.Entity.Path(),
		Offset: r.Pos.Offset, Length: r.Pos.Length, Exact: r.Pos.Exact,
		Kind: r.Kind.String(), In: r.In, How: r.How.String(), Abbreviated: r.Meant != "",
		Layer: base.None.String(),
		URL:   string(url),
		Notes: r.Result.Departures.Names(),
		Text:  r.Text, Rel: r.Rel, Hreflang: r.Hreflang, MediaType: r.Type,
		PartLine: r.PartLine, PartColumn: r.PartColumn, TargetPart: r.TargetPart,
	}
	if o.Part != "" {
		o.PartType = r.Entity.Type
	}
	for e := r.Entity; e != nil; e = e.Parent {
		if m := e.Message; m != nil {
			o.MessageID, o.Subject, o.Date = m.ID, m.Subject, m.Date
			break
		}
	}
	for _, p := range r.Ranges {
		o.Ranges = append(o.Ranges, [2]int64{p.Offset, int64(p.Length)})
	}
	raw, ref := f.shown(r.Raw), f.shown(r.Ref)
	if utf8.Valid(raw) {
		s := string(raw)
		o.Raw = &s
	} else {
		o.RawB64 = base64.StdEncoding.EncodeToString(raw)
	}
	if utf8.Valid(ref) {
		s := string(ref)
		o.Ref = &s
	}
	if r.Result.Step != resolve.Absolute && r.Base.Layer != base.None {
		o.Base, o.Layer, o.From = string(f.shown([]byte(r.Base.URI))), r.Base.Layer.String(), r.Base.From
	}
	if r.Err != nil {
		o.Error = r.Err.Error()
	} else if r.Result.SameDocument() {
		o.SameDocument, o.Fragment = true, string(bytes.TrimPrefix(r.Fragment, []byte("#")))
	}
	o.Labels = labelsOf(r)
	if r.BrowserURL != nil {
		o.Labels = append(o.Labels, "two-readings")
		o.BrowserURL = string(f.browserURL(r))
	}
	for _, a := range r.Alternatives {
		o.Alternatives = append(o.Alternatives, string(f.shown(a)))
	}
	if len(o.URL) > maxData && schemeIs(url, "data") {
		o.URL, o.Truncated = o.URL[:maxData], true
	}
	if len(o.BrowserURL) > maxData && schemeIs(r.BrowserURL, "data") {
		o.BrowserURL, o.Truncated = o.BrowserURL[:maxData], true
	}
	if f.explains {
		o.Explain = f.explain(r)
		if r.Err == nil || r.Result.InError {
			o.Step = r.Result.Step.String()
		}
	}
	return o
}

// appendObject appends o as a line of JSON.
func appendObject(dst []byte, o any) []byte {
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil {
		panic(err) // only our own structs of strings and numbers come here
	}
	return buf.Bytes()
}

// csvHeader is the first line of --csv.
func (f *finder) csvHeader() string {
	if f.count != "" {
		return "count," + f.count + "\n"
	}
	header := "input,line,column,kind,how,raw,base,layer,url,error"
	if f.cfg.TwoReadings {
		header += ",browser_url"
	}
	if f.canonical != nil {
		header += ",canonical"
	}
	return header + "\n"
}

func (f *finder) appendCSV(dst []byte, name string, r *extract.Reference, url, canonical []byte) []byte {
	o := []string{name, strconv.Itoa(r.Pos.Line), strconv.Itoa(r.Pos.Column), r.Kind.String(), r.How.String(),
		string(f.shown(r.Raw)), "", base.None.String(), string(url), ""}
	if r.Result.Step != resolve.Absolute && r.Base.Layer != base.None {
		o[6], o[7] = string(f.shown([]byte(r.Base.URI))), r.Base.Layer.String()
	}
	if r.Err != nil {
		o[9] = r.Err.Error()
	}
	if f.cfg.TwoReadings {
		o = append(o, string(f.browserURL(r)))
	}
	if f.canonical != nil {
		o = append(o, string(canonical))
	}
	return appendCSV(dst, o)
}

func appendCSV(dst []byte, fields []string) []byte {
	buf := bytes.NewBuffer(dst)
	w := csv.NewWriter(buf)
	w.Write(fields)
	w.Flush()
	return buf.Bytes()
}

// note counts a note, and with --json or --strict renders it.
func (f *finder) note(p *page, name string, n *extract.Note) {
	p.notes++
	switch {
	case f.format == formatJSON:
		p.out = appendObject(p.out, struct {
			place
			Offset  int64  `json:"offset"`
			Length  int    `json:"length"`
			Message string `json:"message"`
		}{placeOf("note", name, n.Pos), n.Pos.Offset, n.Pos.Length, n.Text})
		if f.set != nil {
			p.lines = append(p.lines, line{len(p.out), -1})
		}
	case f.strict:
		p.messages = fmt.Appendf(p.messages, "refract: %s: at byte %d: %s\n", name, n.Pos.Offset, n.Text)
	}
}

// fail reports an input that cannot be read.
func (f *finder) fail(p *page, name string, err error) {
	p.errors++
	p.messages = fmt.Appendf(p.messages, "refract: %v\n", err)
	if f.format == formatJSON {
		p.out = appendObject(p.out, struct {
			place
			Message string `json:"message"`
		}{placeOf("error", name, extract.Position{}), err.Error()})
		if f.set != nil {
			p.lines = append(p.lines, line{len(p.out), -1})
		}
	}
}

// summary is the last line of --json.
func summary(total *page) []byte {
	return appendObject(nil, struct {
		Type       string `json:"type"`
		Inputs     int    `json:"inputs"`
		References int    `json:"references"`
		Unresolved int    `json:"unresolved"`
		Notes      int    `json:"notes"`
		Errors     int    `json:"errors"`
		Skipped    int    `json:"skipped,omitempty"`
	}{"summary", total.inputs, total.references, total.unresolved, total.notes, total.errors, total.skipped})
}
