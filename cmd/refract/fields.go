package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.org/refract/audit"
	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// A field is one member of the --json lines that are about a place in an input. If csvFields names
// it, it is also a column of --csv.
type field struct {
	name   string
	typ    fieldType
	always bool                   // present even when empty, 0 or false
	about  string                 // for "refract help json"; "": the field before describes it, too
	get    func(r *row, v *value) // sets the value from r
}

// A fieldType is the type of a field's value.
type fieldType uint8

const (
	asText   fieldType = iota // bytes that are not UTF-8 become U+FFFD in JSON
	asOctets                  // in JSON, bytes that are not UTF-8 become base64, as a member name_b64
	asNumber
	asFlag
	asList   // list of texts
	asRanges // list of pairs: offset and length

	// Text that many lines of an input repeat, cut after maxRepeated bytes.
	asRepeated
	asRepeatedList
)

// maxRepeated limits the bytes of a text that every line may repeat. Without it, n references of an
// entity with m bytes of such text would produce n × m bytes.
const maxRepeated = 2048

// maxWritten limits the bytes of a reference as written in its document. Only data URLs can exceed
// it: other URLs of that length are not output at all.
const maxWritten = 2 << 20

// A value is the value of a field in one row. The zero value is present and empty.
type value struct {
	absent bool   // omitted, even if the field is always present
	bytes  []byte // for text and octets; if nil, str is used
	str    string
	number int64
	flag   bool
	list   []string
	ranges []extract.Position
}

// fields lists all fields of references and findings, in the order of a --json line.
var fields = []field{
	{"type", asText, true, "", func(r *row, v *value) { v.str = r.typ }},
	{"input", asOctets, false, "the input as named; base64 if it is not UTF-8",
		func(r *row, v *value) { v.str = r.name }},
	{"member", asRepeated, false, `the file within an archive, from the name of the archive on:
"book.epub!/OEBPS/ch1.xhtml", "all.zip!/a.tar.gz!/b.html";
all positions are in that file. --csv without --fields has
it in the column input, behind the name`,
		func(r *row, v *value) { v.str = r.member }},
	{"line", asNumber, false, "from 1; columns count bytes",
		func(r *row, v *value) { v.number = int64(r.pos.Line) }},
	{"column", asNumber, false, "", func(r *row, v *value) { v.number = int64(r.pos.Column) }},
	{"document", asRepeated, false, `the URL from which the input was retrieved, if known: the URL
of a page in a web archive`,
		func(r *row, v *value) { v.str = r.renderer.documentOf(r.ref, 2*maxRepeated) }},
	{"part", asRepeated, false, `the document within the input: "2.1" of a message, "srcdoc"`,
		func(r *row, v *value) { v.str = r.part }},
	{"part_type", asRepeated, false, "the media type of the part", func(r *row, v *value) {
		if r.part != "" {
			v.str = r.ref.Entity.Type
		}
	}},
	{"filename", asRepeated, false, "file name of the part, as in the message", func(r *row, v *value) {
		if r.part != "" {
			v.str = fileOf(r.ref.Entity)
		}
	}},
	{"part_line", asNumber, false, "like line and column, in the decoded part",
		func(r *row, v *value) { v.number = int64(r.ref.PartLine) }},
	{"part_column", asNumber, false, "", func(r *row, v *value) { v.number = int64(r.ref.PartColumn) }},
	{"offset", asNumber, true, "in bytes, in the decompressed input", func(r *row, v *value) {
		v.number, v.absent = r.pos.Offset, r.noPlace
	}},
	{"length", asNumber, true, "", func(r *row, v *value) { v.number = int64(r.pos.Length) }},
	{"exact", asFlag, true, "whether those bytes decode to exactly the reference",
		func(r *row, v *value) { v.flag = r.pos.Exact }},
	{"ranges", asRanges, false, "[offset, length] of each piece, if it has several",
		func(r *row, v *value) { v.ranges = r.ref.Ranges }},
	{"kind", asText, true, "text, link, embed, form, cite, metadata, header, definition",
		func(r *row, v *value) { v.str = r.ref.Kind.String() }},
	{"in", asRepeated, false, `where it stands: "<URL:>", "a/href", "style/url()"`,
		func(r *row, v *value) { v.str = r.ref.In }},
	{"how", asText, true, `bare, angle, quoted, prefixed, attribute, css, json, inline,
reference, autolink, element`,
		func(r *row, v *value) { v.str = r.ref.How.String() }},
	{"abbreviated", asFlag, false, `"http://", "ftp://" or "mailto:" is implied`,
		func(r *row, v *value) { v.flag = r.ref.Meant != "" }},
	{"raw", asOctets, true, "as written",
		func(r *row, v *value) { v.bytes = r.written("raw", r.ref.Raw) }},
	{"ref", asText, true, "without the quoting of the document's format", func(r *row, v *value) {
		v.bytes = r.written("ref", r.ref.Ref)
		v.absent = !utf8.Valid(v.bytes)
	}},
	{"base", asRepeated, false, `the base, the layer of RFC 3986 section 5.1 that gave it
(embedded, encapsulating, retrieval, default, none), and the
header, element or flag`, func(r *row, v *value) {
		if r.hasBase() {
			v.str = r.renderer.printableText(r.ref.Base.URI)
		}
	}},
	{"layer", asText, true, "", func(r *row, v *value) {
		v.str = base.None.String()
		if r.hasBase() {
			v.str = r.ref.Base.Layer.String()
		}
	}},
	{"base_from", asRepeated, false, "", func(r *row, v *value) {
		if r.hasBase() {
			v.str = r.ref.Base.From
		}
	}},
	{"url", asText, false, "the absolute URL", func(r *row, v *value) { v.bytes = r.url }},
	{"canonical", asText, false, `with --canonical: the key of "refract normalize", and the
registered domain of the host, or the host if it has none;
url and canonical are url_b64 and canonical_b64 if not UTF-8`,
		func(r *row, v *value) { v.bytes = r.canonical }},
	{"domain", asText, false, "", func(r *row, v *value) {
		if r.canonical == nil {
			return
		}
		if host := nameOf(r.url); host != "" {
			v.str = domainOf(host)
		}
	}},
	{"unwrapped", asText, false, `with --unwrap: the target of url, if a mail filter, search
engine, cache or list manager has wrapped it, and the host of
the target, which is known alone in links of Mimecast`,
		func(r *row, v *value) { v.bytes = r.renderer.unwrapped(r.url) }},
	{"unwrapped_host", asText, false, "", func(r *row, v *value) { v.bytes = r.renderer.unwrappedHost(r.url) }},
	{"browser_url", asText, false, "the URL of browsers, if they read it differently",
		func(r *row, v *value) { v.bytes = r.browserURL }},
	{"error", asRepeated, false, "why there is no url", func(r *row, v *value) {
		if r.ref.Err != nil {
			v.str = r.ref.Err.Error()
		}
	}},
	{"same_document", asFlag, false, "means the current document, under rules that say so",
		func(r *row, v *value) { v.flag = r.isSameDocument() }},
	{"fragment", asText, false, "", func(r *row, v *value) {
		if r.isSameDocument() {
			v.bytes = bytes.TrimPrefix(r.ref.Fragment, []byte("#"))
		}
	}},
	{"alternatives", asList, false, "other readings, as URLs, at most 16", func(r *row, v *value) {
		for _, a := range r.ref.Alternatives {
			v.list = append(v.list, string(r.renderer.printable(a)))
		}
	}},
	{"labels", asList, false, `see "refract help labels"; for resolve also unsuitable-base:
the scheme of the base has no relative forms; with
--two-readings also two-readings`, func(r *row, v *value) {
		v.list = labelsOf(r.ref)
		if r.ref.BrowserURL != nil {
			v.list = append(v.list, "two-readings")
		}
	}},
	{"notes", asList, false, "departures from the letter of the rules",
		func(r *row, v *value) { v.list = r.ref.Result.Departures.Names() }},
	{"text", asText, false, `with --details, as in the document: the text of the
reference, and attributes of its element`,
		func(r *row, v *value) { v.str = r.ref.Text }},
	{"rel", asText, false, "", func(r *row, v *value) { v.str = r.ref.Rel }},
	{"hreflang", asText, false, "", func(r *row, v *value) { v.str = r.ref.Hreflang }},
	{"media_type", asText, false, "", func(r *row, v *value) { v.str = r.ref.Type }},
	{"truncated", asFlag, false, "url was longer and has been cut", func(r *row, v *value) { v.flag = r.truncated }},
	{"target_part", asRepeated, false, "the part of the same message that the reference names",
		func(r *row, v *value) { v.str = r.ref.TargetPart }},
	{"target_member", asRepeated, false, `in a book or an office document: the file of it that the
reference leads to, with the fragment, percent-encoded:
"book.epub!/OEBPS/ch%201.xhtml#one"; there is no url then`,
		func(r *row, v *value) {
			if r.ref.Inside != nil {
				v.str = r.insideTarget()
			}
		}},
	{"quoted", asNumber, false, `in a message: the depth of quotation, by reply marks or HTML
quotations; left out in new text`, func(r *row, v *value) { v.number = int64(r.ref.Depth) }},
	{"message_id", asRepeated, false, `headers of the message; the subject is cut after 80
characters, from is the address, references are the last
five; date is as written, date_utc is in RFC 3339 form`, func(r *row, v *value) {
		if r.message != nil {
			v.str = r.message.ID
		}
	}},
	{"subject", asRepeated, false, "", func(r *row, v *value) {
		if r.message != nil {
			v.str = r.message.Subject
		}
	}},
	{"date", asRepeated, false, "", func(r *row, v *value) {
		if r.message != nil {
			v.str = r.message.Date
		}
	}},
	{"date_utc", asText, false, "", func(r *row, v *value) {
		if r.message != nil && !r.message.Time.IsZero() {
			v.bytes = r.message.Time.AppendFormat(r.instant[:0], time.RFC3339)
		}
	}},
	{"from", asRepeated, false, "", func(r *row, v *value) {
		if r.message != nil {
			v.str = r.message.From
		}
	}},
	{"in_reply_to", asRepeated, false, "", func(r *row, v *value) {
		if r.message != nil {
			v.str = r.message.InReplyTo
		}
	}},
	{"references", asRepeatedList, false, "", func(r *row, v *value) {
		if r.message != nil {
			v.list = r.message.References[max(0, len(r.message.References)-5):]
		}
	}},
	{"list_id", asRepeated, false, "", func(r *row, v *value) {
		if r.message != nil {
			v.str = r.message.ListID
		}
	}},
	{"newsgroups", asRepeated, false, "", func(r *row, v *value) {
		if r.message != nil {
			v.str = r.message.Newsgroups
		}
	}},
	{"flags", asRepeated, false, `of a message in a Maildir, the letters in the name of its file,
such as FS; in an MH folder, the sequences that contain it`, func(r *row, v *value) {
		if r.message != nil && r.renderer.flags != nil {
			v.str = r.renderer.flags.flagsOf(r.name)
		}
	}},
	{"step", asText, false, `the step of RFC 3986 section 5.2 that decided; with
--explain, and always for "refract resolve"`, func(r *row, v *value) {
		if r.renderer.explain && (r.ref.Err == nil || r.ref.Result.InError) {
			v.str = r.ref.Result.Step.String()
		}
	}},
	{"explain", asRepeatedList, false, `with --explain, everything that decided, as "label: text"
with sections of the rules in force; labels are base,
unsuitable, abbreviated, step, scheme, inherited,
dot segments, rootless, guard, slash, above-root, error`, func(r *row, v *value) {
		switch {
		case !r.renderer.explain:
		case r.siteFacts != nil:
			v.list = r.siteFacts
		default:
			v.list = r.renderer.facts(r.ref)
		}
	}},
	{"truncated_fields", asList, false, `the fields that were cut: those that repeat in many lines
(document, base, message_id, explain and others) after 2,048
bytes, raw and ref after 2 MiB; --csv cuts them, too`,
		func(r *row, v *value) { v.list = r.cut }},
	{"rule", asText, true, `rule of a finding: see "refract help audit"`,
		func(r *row, v *value) { v.str = string(r.finding.Rule) }},
	{"level", asText, false, `level of a finding: error, or note for a remark`,
		func(r *row, v *value) { v.str = string(r.finding.Rule.Level()) }},
	{"message", asText, true, `text of a note, an error or a finding. An error with an
offset concerns a part of the input: refract failed to read
it, or the output about one document, message, record or
1 MiB of running text exceeded 64 MiB and 100 times its size;
the message then says how many references are left out`, func(r *row, v *value) { v.str = r.text }},
	{"code", asText, false, `for a note about something that was not read: unread-type (an
attachment, record, file or folder) or too-large, and what it
is: PDF, image, .pst, a media type, binary; as-text: a binary
file that was named, and is read as text. In the summary,
not_read and as_text are objects with the number of each`,
		func(r *row, v *value) { v.str = r.code }},
	{"not_read", asText, false, "", func(r *row, v *value) { v.str = r.unread }},
	{"suggestion", asText, false, "of a finding: the reference to write instead",
		func(r *row, v *value) { v.str = r.finding.Suggestion }},
	{"certain", asFlag, false, `the suggestion is certain; --fix has written it, and offset
and length are those of the new reference`,
		func(r *row, v *value) { v.flag = r.finding.Certain }},
	{"fixed", asFlag, false, "", func(r *row, v *value) { v.flag = r.fixed }},
	{"target", asOctets, false, "of a finding: the file to which ref points",
		func(r *row, v *value) { v.str = r.finding.Target }},
	{"cause", asOctets, false, `of a finding: what is missing, if not target: the first
directory on the way to it, or a fragment; text output groups
findings of one rule and cause`,
		func(r *row, v *value) {
			if r.finding.Cause != r.finding.Target {
				v.str = r.finding.Cause
			}
		}},
}

// The fields of each type of line.
var (
	findingFields   = fields
	referenceFields = fields[:fieldIndex("rule")]
	placeFields     = fieldsNamed("type", "input", "line", "column", "offset", "length", "rule", "level", "message") // a finding without a reference
	noteFields      = fieldsNamed("type", "input", "member", "line", "column", "offset", "length", "message", "code", "not_read")
	unjudgedFields  = append(slices.Clone(referenceFields), fieldsNamed("message")...)
	labelFields     = fieldsNamed("type", "input", "line", "column", "offset", "length", "message") // a place that is not judged, without a reference
	errorFields     = fieldsNamed("type", "input", "member", "part", "offset", "message")
)

// fileOf returns the name of the file that e, or the part around it, is in a message; "" if it has
// none.
func fileOf(e *extract.Entity) string {
	for ; e != nil && e.Message == nil; e = e.Parent {
		if e.File != "" {
			return e.File
		}
	}
	return ""
}

// csvFields are the columns of --csv without --fields.
func csvFields(twoReadings, canonical, unwrap bool) []field {
	columns := fieldsNamed("input", "line", "column", "kind", "how", "raw", "base", "layer", "url", "error")
	if twoReadings {
		columns = append(columns, fieldsNamed("browser_url")...)
	}
	if canonical {
		columns = append(columns, fieldsNamed("canonical")...)
	}
	if unwrap {
		columns = append(columns, fieldsNamed("unwrapped")...)
	}
	return columns
}

// selectable returns the names that --fields takes: the fields of references, except those that
// only --explain and --json lines have.
func selectable() (names []string) {
	for _, f := range referenceFields {
		switch f.name {
		case "type", "step", "explain", "truncated", "truncated_fields":
		default:
			names = append(names, f.name)
		}
	}
	return names
}

func fieldsNamed(names ...string) (columns []field) {
	for _, name := range names {
		columns = append(columns, fields[fieldIndex(name)])
	}
	return columns
}

// fieldIndex returns the index in fields of the field called name, which must exist.
func fieldIndex(name string) int {
	for i := range fields {
		if fields[i].name == name {
			return i
		}
	}
	panic("no field is called " + name)
}

// appendJSON appends v as a member of an object, or nothing if it is to be omitted.
func (f *field) appendJSON(dst []byte, v *value) []byte {
	if v.absent || !f.always && v.isEmpty() {
		return dst
	}
	switch f.typ {
	case asOctets:
		if v.bytes != nil {
			return jsontext.AppendBytes(dst, f.name, v.bytes)
		}
		return jsontext.AppendBytes(dst, f.name, v.str)
	case asNumber:
		return strconv.AppendInt(jsontext.AppendKey(dst, f.name), v.number, 10)
	case asFlag:
		return strconv.AppendBool(jsontext.AppendKey(dst, f.name), v.flag)
	case asList, asRepeatedList:
		return jsontext.AppendStrings(jsontext.AppendKey(dst, f.name), v.list)
	case asRanges:
		dst = append(jsontext.AppendKey(dst, f.name), '[')
		for i, p := range v.ranges {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = strconv.AppendInt(append(dst, '['), p.Offset, 10)
			dst = strconv.AppendInt(append(dst, ','), int64(p.Length), 10)
			dst = append(dst, ']')
		}
		return append(dst, ']')
	}
	dst = jsontext.AppendKey(dst, f.name)
	if v.bytes != nil {
		return jsontext.AppendString(dst, v.bytes)
	}
	return jsontext.AppendString(dst, v.str)
}

func (v *value) isEmpty() bool {
	return len(v.bytes) == 0 && v.str == "" && v.number == 0 && !v.flag && len(v.list) == 0 && len(v.ranges) == 0
}

// A cellStyle is a way to write the cells of a table.
type cellStyle uint8

const (
	guarded cellStyle = iota // CSV in which spreadsheets evaluate no formula
	rawCSV                   // CSV with unchanged texts
	tabs                     // TSV: \t, \n, \r and \\ stand for tab, line breaks and "\" within a cell
)

// separator returns the byte between cells.
func (s cellStyle) separator() byte {
	if s == tabs {
		return '\t'
	}
	return ','
}

// appendCSV appends v as a cell. It is empty where JSON omits the member.
func (f *field) appendCSV(dst []byte, v *value, style cellStyle) []byte {
	switch f.typ {
	case asNumber:
		return strconv.AppendInt(dst, v.number, 10)
	case asFlag:
		return strconv.AppendBool(dst, v.flag)
	case asList, asRepeatedList:
		return appendCell(dst, strings.Join(v.list, " "), style)
	case asRanges:
		var list []string
		for _, p := range v.ranges {
			list = append(list, fmt.Sprintf("%d+%d", p.Offset, p.Length))
		}
		return appendCell(dst, strings.Join(list, " "), style)
	}
	if v.bytes != nil {
		return appendCell(dst, v.bytes, style)
	}
	return appendCell(dst, v.str, style)
}

// appendCell appends s as a cell. Spreadsheets evaluate cells that begin with one of "=+-@" or a
// tab, even in quotes. In guarded cells, an apostrophe in front prevents this.
func appendCell[S string | []byte](dst []byte, s S, style cellStyle) []byte {
	if style == tabs {
		return append(dst, tabbed.Replace(string(s))...)
	}
	if style == rawCSV || len(s) == 0 || strings.IndexByte("=+-@\t\r", s[0]) < 0 {
		return appendCSVText(dst, s)
	}
	return appendCSVText(dst, "'"+string(s))
}

// tabbed escapes the characters that would end a cell or a line of TSV.
var tabbed = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// appendCSVText appends s as encoding/csv writes it: in quotes if it contains a comma, a quote or a
// line break, begins with a space, or could be mistaken for the end of the data.
func appendCSVText[S string | []byte](dst []byte, s S) []byte {
	if !needsQuotes(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}

func needsQuotes[S string | []byte](s S) bool {
	if len(s) == 0 {
		return false
	}
	if string(s) == `\.` {
		return true
	}
	for i := range len(s) {
		switch s[i] {
		case ',', '"', '\r', '\n':
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
	return unicode.IsSpace(first)
}

// fieldHelp describes the fields, with groups of names beside their shared description.
func fieldHelp() string {
	const width = 25 // of the column of names
	var b strings.Builder
	for i := 0; i < len(fields); {
		if fields[i].about == "" {
			i++
			continue
		}
		names, about := "", fields[i].about
		for first := true; i < len(fields) && (first || fields[i].about == ""); i++ {
			if !first {
				names += ", "
			}
			first = false
			names += fields[i].name
			if fields[i].typ == asOctets {
				names += ", " + fields[i].name + "_b64"
			}
		}
		left := wrap(names, width-1)
		right := strings.Split(about, "\n")
		for n := range max(len(left), len(right)) {
			var name, text string
			if n < len(left) {
				name = left[n]
			}
			if n < len(right) {
				text = right[n]
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s%s", width, name, text), " ") + "\n")
		}
	}
	return b.String()
}

// wrap breaks s at spaces into lines of at most width bytes.
func wrap(s string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// A row holds the data from which the fields of a line take their values.
type row struct {
	renderer *renderer
	typ      string // of the line: reference, finding, note or error
	name     string // of the input
	member   string // as memberOf returns it
	pos      extract.Position
	text     string // message of a note, an error or a finding
	code     string // of a note about what is not read
	unread   string // the kind of that note's content

	ref        *extract.Reference // of a reference or a finding; nil: only the fields above are set
	url        []byte             // as printed
	canonical  []byte
	browserURL []byte
	truncated  bool
	cut        []string // names of the fields that have been cut so far
	noPlace    bool     // for an error: pos is not set
	part       string
	message    *scan.Message // message that contains ref; nil: none

	finding   *audit.Finding
	fixed     bool
	siteFacts []string // for a finding: audit.Finding.Facts

	instant [32]byte // buffer for date_utc
	value   value    // the current field's value: kept here to avoid an allocation
}

func (r *row) hasBase() bool {
	return r.ref.Result.Step != resolve.Absolute && r.ref.Base.Layer != base.None && !extract.IsInPackage(&r.ref.Base)
}

// insideTarget returns the value of target_member.
func (r *row) insideTarget() string {
	_, member := memberOf(r.name, r.ref.Entity)
	return packageOf(member, r.ref.Entity) + string(r.ref.Inside)
}

func (r *row) isSameDocument() bool { return r.ref.Err == nil && r.ref.Result.SameDocument() }

// get returns the value of a field, shortened if it may be repeated.
func (r *row) get(f *field) *value {
	v := &r.value
	*v = value{}
	f.get(r, v)
	if f.typ >= asRepeated && v.shorten() {
		r.cut = append(r.cut, f.name)
	}
	return v
}

// written returns text, the value of the field called name, in printable form, cut to maxWritten
// bytes.
func (r *row) written(name string, text []byte) []byte {
	text = r.renderer.printable(text)
	if len(text) > maxWritten {
		r.cut = append(r.cut, name)
		text = text[:shortLength(text)]
	}
	return text
}

// shorten cuts a value that is too long to be repeated, and reports whether it did.
func (v *value) shorten() (isCut bool) {
	if len(v.str) > maxRepeated {
		v.str, isCut = shortText(v.str), true
	}
	for i, s := range v.list {
		if len(s) > maxRepeated {
			if !isCut {
				v.list = slices.Clone(v.list) // do not change the message's own list
			}
			v.list[i], isCut = shortText(s), true
		}
	}
	return isCut
}

// shortText returns the first maxRepeated bytes of s, or less so as not to cut a character.
func shortText(s string) string {
	return s[:shortLength(s)]
}

// shortLength returns the length of shortText(s).
func shortLength[S string | []byte](s S) int {
	if len(s) <= maxRepeated {
		return len(s)
	}
	n := maxRepeated
	for n > maxRepeated-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// appendJSON appends r as a --json line.
func (r *row) appendJSON(dst []byte, columns []field) []byte {
	dst = append(dst, '{')
	for i := range columns {
		dst = columns[i].appendJSON(dst, r.get(&columns[i]))
	}
	return append(dst, "}\n"...)
}

// appendCSV appends r as a --csv line.
func (r *row) appendCSV(dst []byte, columns []field, cells *messageCells) []byte {
	for i := range columns {
		if i > 0 {
			dst = append(dst, r.renderer.cells.separator())
		}
		if r.message != nil && r.renderer.repeats != nil && r.renderer.repeats[i] {
			dst = cells.append(dst, r, i, columns)
			continue
		}
		dst = columns[i].appendCSV(dst, r.get(&columns[i]), r.renderer.cells)
	}
	return append(dst, '\n')
}

// messageFields lists the fields that are the same for all references of a message.
var messageFields = []string{"message_id", "subject", "date", "date_utc", "from", "in_reply_to", "references", "list_id", "newsgroups", "flags"}

// ofMessage reports for each column whether it is the same for all references of a message; nil if
// none is.
func ofMessage(columns []field) []bool {
	var is []bool
	for i := range columns {
		if slices.Contains(messageFields, columns[i].name) {
			if is == nil {
				is = make([]bool, len(columns))
			}
			is[i] = true
		}
	}
	return is
}

// messageCells keeps the cells of a message for its next reference. Without it, a table with eight
// fields of messages took twice the time of the URLs alone.
type messageCells struct {
	message *scan.Message
	text    []byte
	at      [][2]int // in text, for each column; begins at -1 if it is not there yet
}

// append appends the cell of column i of r, which is about a message.
func (c *messageCells) append(dst []byte, r *row, i int, columns []field) []byte {
	if c.message != r.message {
		c.message, c.text, c.at = r.message, c.text[:0], c.at[:0]
		for range columns {
			c.at = append(c.at, [2]int{-1, -1})
		}
	}
	if at := c.at[i]; at[0] >= 0 {
		return append(dst, c.text[at[0]:at[1]]...)
	}
	from := len(dst)
	dst = columns[i].appendCSV(dst, r.get(&columns[i]), r.renderer.cells)
	start := len(c.text)
	c.text = append(c.text, dst[from:]...)
	c.at[i] = [2]int{start, len(c.text)}
	return dst
}

// appendHeader appends the first line of the --csv output.
func appendHeader(dst []byte, columns []field, style cellStyle) []byte {
	for i := range columns {
		if i > 0 {
			dst = append(dst, style.separator())
		}
		dst = append(dst, columns[i].name...)
	}
	return append(dst, '\n')
}

// A total is one number of a summary.
type total struct {
	name     string
	n        int
	optional bool // left out when 0
}

// appendSummary appends the last line of the --json output.
func appendSummary(dst []byte, totals ...total) []byte {
	dst = append(dst, `{"type":"summary"`...)
	for _, t := range totals {
		if t.n != 0 || !t.optional {
			dst = strconv.AppendInt(jsontext.AppendKey(dst, t.name), int64(t.n), 10)
		}
	}
	return append(dst, "}\n"...)
}
