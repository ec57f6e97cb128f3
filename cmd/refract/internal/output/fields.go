package output

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
)

// A field is one member of the --json lines that are about a place in an input. If CSVFields or
// --fields names it, it is also a column of a table.
type field struct {
	name   string
	Scope  scope
	typ    fieldType
	always bool   // present even when empty, 0 or false
	about  string // for "refract help json"; "": the field before describes it, too
	value  any    // of a number, func(r *row) int64, which returns none if there is none;
	// of other types, func(r *row, dst []byte) []byte with the method of r for the type; empty texts and lists
	// need no call
}

// none is the value of a number that is not known.
const none = -1

// A fieldType is the type of a field's value.
type fieldType uint8

const (
	asText   fieldType = iota // bytes that are not UTF-8 become U+FFFD in JSON
	asOctets                  // in JSON, bytes that are not UTF-8 become base64, as a member name_b64
	asNumber
	asFlag
	asList   // list of texts
	asRanges // list of pairs: offset and length
	asTime   // date and time of RFC 3339, as text in JSON and tables; cut like asRepeated

	// Text that many lines of an input repeat, cut after MaxRepeated bytes.
	asRepeated
	asRepeatedList
)

// A scope says which references share the value of a field, or which references have the field at
// all.
type scope uint8

const (
	ofReference scope = iota

	// Many references have the same value: those of an input or member of an archive, of an entity, of a
	// record or message, those in the same construct, or those with the same base. It is written once and then
	// copied.
	ofInput
	ofEntity
	OfRecord
	ofMessage
	ofConstruct
	ofBase

	// Only some references, or runs with certain flags, have a value other than "", 0 or false.
	rarely
	withLabels
	withCuts      // fields have been cut
	withCutData   // url is a data: URL, and has been cut
	inQuote       // of reply marks
	inPart        // in a part, whose lines are counted
	withoutURL    // without an absolute URL
	withCanonical // --canonical
	withUnwrap    // --unwrap
	withDetails   // --details
	withDomains   // --details with --json
	withExplain   // --explain
)

// isShared reports whether references share values of this scope.
func (s scope) isShared() bool { return s >= ofInput && s <= ofBase }

// MaxRepeated limits the bytes of a text that every line may repeat. Without it, n references of an
// entity with m bytes of such text would produce n × m bytes.
const MaxRepeated = 2048

// maxWritten limits the bytes of a reference as written in its document. Only data URLs can exceed
// it: other URLs of that length are not output at all.
const maxWritten = 2 << 20

// Fields lists all fields of references and findings, in the order of a --json line.
var Fields = slices.Concat([]field{
	{"type", ofInput, asText, true, "", text(func(r *row) string { return r.typ })},
	{"input", ofInput, asOctets, false, "the input as named; base64 if it is not UTF-8",
		text(func(r *row) string { return r.name })},
	{"member", ofInput, asRepeated, false, `the file in an archive: "book.epub!/OEBPS/ch1.xhtml",
"all.zip!/a.tar.gz!/b.html"; all positions are in that file.
--csv without --fields appends it to input`,
		text(func(r *row) string { return r.member })},
	{"line", ofReference, asNumber, false, "from 1; columns count bytes",
		func(r *row) int64 { return int64(r.pos.Line) }},
	{"column", ofReference, asNumber, false, "", func(r *row) int64 { return int64(r.pos.Column) }},
	{"document", ofEntity, asRepeated, false, `the URL from which the input was retrieved, if known; the
page in a web archive`,
		text(func(r *row) string { return r.renderer.documentOf(r.ref, 2*MaxRepeated) })},
	{"part", ofEntity, asRepeated, false, `the document within the input: "2.1" of a message, "srcdoc"`,
		text(func(r *row) string { return r.partPath() })},
	{"part_type", ofEntity, asRepeated, false, "the media type of the part", text(func(r *row) string {
		if r.partPath() != "" {
			return r.ref.Entity.Type
		}
		return ""
	})},
	{"filename", ofEntity, asRepeated, false, "file name of the part, as in the message", text(func(r *row) string {
		if r.partPath() != "" {
			return fileOf(r.ref.Entity)
		}
		return ""
	})},
	{"part_line", inPart, asNumber, false, "like line and column, in the decoded part",
		func(r *row) int64 { return int64(r.ref.PartLine) }},
	{"part_column", inPart, asNumber, false, "", func(r *row) int64 { return int64(r.ref.PartColumn) }},
	{"offset", ofReference, asNumber, true, "in bytes, in the decompressed input", func(r *row) int64 { return r.pos.Offset }},
	{"length", ofReference, asNumber, true, "", func(r *row) int64 { return int64(r.pos.Length) }},
	{"exact", ofConstruct, asFlag, true, "whether those bytes decode to exactly the reference",
		func(r *row, dst []byte) []byte { return r.appendFlag(dst, r.pos.Exact) }},
	{"ranges", rarely, asRanges, false, "[offset, length] of each piece, if it has several",
		func(r *row, dst []byte) []byte { return r.appendRanges(dst, r.ref.Ranges) }},
	{"page", rarely, asNumber, false, `in a PDF: the page, from 1, and the rectangle of each piece,
"x0,y0,x1,y1" in points from the lower left corner`, func(r *row) int64 {
		if r.ref.Page == 0 {
			return none
		}
		return int64(r.ref.Page)
	}},
	{"boxes", rarely, asList, false, "", func(r *row, dst []byte) []byte {
		list := r.names[:0]
		for _, b := range r.ref.Boxes {
			list = append(list, fmt.Sprintf("%.1f,%.1f,%.1f,%.1f", b.X0, b.Y0, b.X1, b.Y1))
		}
		return r.appendList(dst, list)
	}},
	{"kind", ofConstruct, asText, true, "text, link, embed, form, cite, metadata, header, definition",
		text(func(r *row) string { return r.ref.Kind.String() })},
	{"in", ofConstruct, asRepeated, false, `where it stands: "<URL:>", "a/href", "style/url()"`,
		text(func(r *row) string { return r.ref.In })},
	{"how", ofConstruct, asText, true, `bare, angle, quoted, prefixed, attribute, css, json, inline,
reference, autolink, element, script`,
		text(func(r *row) string { return r.ref.How.String() })},
	{"abbreviated", ofConstruct, asFlag, false, `"http://", "ftp://" or "mailto:" is implied`,
		func(r *row, dst []byte) []byte { return r.appendFlag(dst, r.ref.Meant != "") }},
	{"raw", ofReference, asOctets, true, "as written",
		func(r *row, dst []byte) []byte { return r.appendBytes(dst, r.written(r.ref.Raw)) }},
	{"ref", ofReference, asText, true, "without the quoting of the document's format", func(r *row, dst []byte) []byte {
		if text := r.written(r.ref.Ref); r.isTable || r.isLast(text) || utf8.Valid(text) {
			return r.appendBytes(dst, text)
		}
		return dst
	}},
	{"base", ofBase, asRepeated, false, `the base; its layer in RFC 3986 section 5.1 (embedded,
encapsulating, retrieval, default, none); the header, element
or flag that gave it`, text(func(r *row) string {
		if r.hasBase() {
			return r.renderer.printableText(r.ref.Base.URI)
		}
		return ""
	})},
	{"layer", ofBase, asText, true, "", text(func(r *row) string {
		layer := base.None
		if r.hasBase() {
			layer = r.ref.Base.Layer
		}
		return layer.String()
	})},
	{"base_from", ofBase, asRepeated, false, "", text(func(r *row) string {
		if r.hasBase() {
			return r.ref.Base.From
		}
		return ""
	})},
	{"url", ofReference, asText, false, "the absolute URL", func(r *row, dst []byte) []byte { return r.appendBytes(dst, r.url) }},
	{"canonical", withCanonical, asText, false, `with --canonical: the key of "refract normalize"; the
registered domain, or the host. If not UTF-8, url and
canonical are url_b64 and canonical_b64`,
		func(r *row, dst []byte) []byte { return r.appendBytes(dst, r.written(r.canonical)) }},
	{"domain", withCanonical, asText, false, "", func(r *row, dst []byte) []byte {
		if r.canonical == nil {
			return dst
		}
		if domain := filter.DomainOfURL(r.url); domain != "" {
			return r.appendText(dst, domain)
		}
		return dst
	}},
	{"unwrapped", withUnwrap, asText, false, `with --unwrap: the target of a wrapped url; its host, which
alone is known for Mimecast`,
		func(r *row, dst []byte) []byte { return r.appendBytes(dst, r.renderer.unwrapped(r.url)) }},
	{"unwrapped_host", withUnwrap, asText, false, "", func(r *row, dst []byte) []byte { return r.appendBytes(dst, r.renderer.unwrappedHost(r.url)) }},
	{"browser_url", rarely, asText, false, "the URL of browsers, if they read it differently",
		func(r *row, dst []byte) []byte { return r.appendBytes(dst, r.browserURL) }},
	{"error", withoutURL, asRepeated, false, `why there is no url`, text(func(r *row) string {
		if r.ref.Err != nil {
			return r.ref.Err.Error()
		}
		return ""
	})},
	{"same_document", withoutURL, asFlag, false, `means the current document, under rules that say so`,
		func(r *row, dst []byte) []byte { return r.appendFlag(dst, r.isSameDocument()) }},
	{"fragment", withoutURL, asText, false, "", func(r *row, dst []byte) []byte {
		if r.isSameDocument() {
			return r.appendBytes(dst, bytes.TrimPrefix(r.ref.Fragment, []byte("#")))
		}
		return dst
	}},
	{"alternatives", rarely, asList, false, `other readings as URLs, at most 16`, func(r *row, dst []byte) []byte {
		list := r.names[:0]
		for _, a := range r.ref.Alternatives {
			list = append(list, string(r.renderer.Printable(a)))
		}
		return r.appendList(dst, list)
	}},
	{"joined_by", rarely, asText, false, `how refract knows that the URL continues on the next line:
text (the whole URL is in this input, at the offset proof),
archive (in another input), known (in --known), form (of the
next line), layout (of a PDF)`, text(func(r *row) string { return r.ref.JoinedBy })},
	{"proof", rarely, asNumber, false, "", func(r *row) int64 {
		if r.ref.JoinedBy == "" {
			return none
		}
		return r.ref.Proof
	}},
	{"labels", withLabels, asList, false, `see "refract help labels". resolve also has unsuitable-base:
the scheme has no relative forms; --parser-differences has
parser-differences`, func(r *row, dst []byte) []byte {
		if r.isTable {
			r.risks, _ = filter.RisksOf(r.ref)
		}
		r.names = filter.AppendLabelNames(r.names[:0], r.ref, r.risks)
		if r.ref.BrowserURL != nil {
			r.names = append(r.names, "parser-differences")
		}
		return r.appendList(dst, r.names)
	}},
	{"notes", rarely, asList, false, `departures from the letter of the rules`,
		func(r *row, dst []byte) []byte { return r.appendList(dst, r.ref.Result.Departures.Names()) }},
	{"text", withDetails, asText, false, `with --details: text and attributes of the link, as written`,
		text(func(r *row) string { return r.ref.Text })},
	{"rel", withDetails, asText, false, "", text(func(r *row) string { return r.ref.Rel })},
	{"hreflang", withDetails, asText, false, "", text(func(r *row) string { return r.ref.Hreflang })},
	{"media_type", withDetails, asText, false, "", text(func(r *row) string { return r.ref.Type })},
	{"truncated", rarely, asFlag, false, `url is cut`, func(r *row, dst []byte) []byte { return r.appendFlag(dst, r.truncated) }},
	{"data_type", withCutData, asText, false, `of a cut data: URL (in columns, of each): media type, bytes,
SHA-256`, text((*row).dataType)},
	{"data_length", withCutData, asNumber, false, "", func(r *row) int64 {
		if url := r.dataURL(); url != nil {
			return int64(len(url))
		}
		return none
	}},
	{"data_sha256", withCutData, asText, false, "", text(func(r *row) string {
		if url := r.dataURL(); url != nil {
			return fmt.Sprintf("%x", sha256.Sum256(url))
		}
		return ""
	})},
	{"target_part", rarely, asRepeated, false, `the part of the same message to which the reference points`,
		text(func(r *row) string { return r.ref.TargetPart })},
	{"target_member", withoutURL, asRepeated, false, `in a book or office document: the target file with the
fragment, percent-encoded, in place of url:
"book.epub!/OEBPS/ch%201.xhtml#one"`, text(func(r *row) string {
		if r.ref.Inside != nil {
			return r.insideTarget()
		}
		return ""
	})},
	{"target_file", rarely, asRepeated, false, `with --published: the file to which a link to a source or
name resolves`, text(func(r *row) string { return r.target })},
	{"quoted", inQuote, asNumber, false, `in a message: the depth of quotation; left out in new text`, func(r *row) int64 { return int64(r.ref.Depth) }},
	{"message_id", ofMessage, asRepeated, false, `headers of the message: subject cut after 80 characters; date
as written, date_utc in RFC 3339 form; from the address of
the first author, if any, with "at" undone, from_name the
name; the last five references`, messageText(func(m *scan.Message) string { return m.ID })},
	{"subject", ofMessage, asRepeated, false, "", messageText(func(m *scan.Message) string { return m.Subject })},
	{"date", ofMessage, asRepeated, false, "", messageText(func(m *scan.Message) string { return m.Date })},
	{"date_utc", ofMessage, asTime, false, "", text(func(r *row) string {
		if r.message != nil && !r.message.Time.IsZero() {
			return r.message.Time.Format(time.RFC3339)
		}
		return ""
	})},
	{"from", ofMessage, asRepeated, false, "", messageText(func(m *scan.Message) string { return m.From })},
	{"from_name", ofMessage, asRepeated, false, "", messageText(func(m *scan.Message) string { return m.FromName })},
	{"in_reply_to", ofMessage, asRepeated, false, "", messageText(func(m *scan.Message) string { return m.InReplyTo })},
	{"references", ofMessage, asRepeatedList, false, "", func(r *row, dst []byte) []byte {
		if r.message != nil {
			return r.appendList(dst, r.message.References[max(0, len(r.message.References)-5):])
		}
		return dst
	}},
	{"list_id", ofMessage, asRepeated, false, "", messageText(func(m *scan.Message) string { return m.ListID })},
	{"newsgroups", ofMessage, asRepeated, false, "", messageText(func(m *scan.Message) string { return m.Newsgroups })},
	{"flags", ofMessage, asRepeated, false, `of a message: the letters in its file name (Maildir, such as
FS), or the sequences that contain it (MH)`, text(func(r *row) string {
		if r.message != nil && r.renderer.Flags != nil {
			return r.renderer.Flags.flagsOf(r.name)
		}
		return ""
	})},
}, recordFields, pageFields, []field{
	{"step", withExplain, asText, false, `with --explain, and always for resolve: the step of RFC 3986
section 5.2 that decided`, text(func(r *row) string {
		if r.renderer.Explain && (r.ref.Err == nil || r.ref.Result.InError) {
			return r.ref.Result.Step.String()
		}
		return ""
	})},
	{"explain", withExplain, asRepeatedList, false, `with --explain: all that decided, as "label: text" with
sections of the rules; labels are base, unsuitable,
abbreviated, step, scheme, inherited, dot segments, rootless,
guard, slash, above-root, error`, func(r *row, dst []byte) []byte {
		switch {
		case !r.renderer.Explain:
		case r.siteFacts != nil:
			return r.appendList(dst, r.siteFacts)
		default:
			return r.appendList(dst, r.renderer.facts(r.ref))
		}
		return dst
	}},
	{"truncated_fields", withCuts, asList, false, `the fields that were cut, in --csv as well: raw and ref after
2 MiB, fields that many lines repeat after 2,048 bytes`,
		func(r *row, dst []byte) []byte { return r.appendList(dst, r.cut) }},
	{"rule", ofReference, asText, true, `of a finding: see "refract help rules"`,
		text(func(r *row) string { return string(r.finding.Rule) })},
	{"level", ofReference, asText, false, `of a finding: error or note`,
		text(func(r *row) string { return string(r.finding.Level()) })},
	{"message", ofReference, asText, true, `of a note, error or finding. An error with an offset concerns
a part of the input: refract failed to read it, or its output
exceeded a limit; the message counts the omitted references`, text(func(r *row) string { return r.text })},
	{"damaged_offset", ofReference, asNumber, false, `of an error about a damaged archive: the range in the stored
file, to the next readable member`, damagedRange(func(d *extract.Damage) int64 { return d.Offset })},
	{"damaged_length", ofReference, asNumber, false, "", damagedRange(func(d *extract.Damage) int64 { return d.Length })},
	{"code", ofReference, asText, false, `of a note about unread input: unread-type or too-large, and
its type (PDF, image, .pst, a media type, binary); as-text: a
binary file on the command line, read as text. In the
summary, not_read and as_text are objects with counts`,
		text(func(r *row) string { return r.code })},
	{"not_read", ofReference, asText, false, "", text(func(r *row) string { return r.unread })},
	{"suggestion", ofReference, asText, false, `of a finding: the reference to write instead`,
		text(func(r *row) string { return r.finding.Suggestion })},
	{"certain", ofReference, asFlag, false, `the suggestion is certain (of a moved file, only with --fix
or --dry-run); --fix has written it, at the new offset and
length`,
		func(r *row, dst []byte) []byte { return r.appendFlag(dst, r.finding.Certain) }},
	{"fixed", ofReference, asFlag, false, "", func(r *row, dst []byte) []byte { return r.appendFlag(dst, r.fixed) }},
	{"target", ofReference, asOctets, false, `of a finding: the file to which ref points`,
		text(func(r *row) string { return r.finding.Target })},
	{"cause", ofReference, asOctets, false, `of a finding: what is missing, if not target: a directory or
fragment; text output groups findings by it`,
		text(func(r *row) string {
			if r.finding.Cause != r.finding.Target {
				return r.finding.Cause
			}
			return ""
		})},
})

// The fields of references.
var referenceFields = Fields[:FieldIndex("rule")]

// The layout of each type of line.
var (
	findingLine   = LayoutOf(Fields)
	referenceLine = LayoutOf(referenceFields)
	placeLine     = LayoutOf(FieldsNamed("type", "input", "line", "column", "offset", "length", "rule", "level", "message")) // a finding without a reference
	noteLine      = LayoutOf(FieldsNamed("type", "input", "member", "line", "column", "offset", "length", "message", "code", "not_read"))
	uncheckedLine = LayoutOf(append(slices.Clone(referenceFields), FieldsNamed("message")...))
	labelLine     = LayoutOf(FieldsNamed("type", "input", "line", "column", "offset", "length", "message")) // a place that is not checked, without a reference
	errorLine     = LayoutOf(FieldsNamed("type", "input", "member", "part", "offset", "message", "damaged_offset", "damaged_length"))
)

// text returns the function of a field with the text that get returns.
func text(get func(r *row) string) func(r *row, dst []byte) []byte {
	return func(r *row, dst []byte) []byte { return r.appendText(dst, get(r)) }
}

// dataURL returns the whole URL as it is printed, if its scheme is data, else nil.
func (r *row) dataURL() []byte {
	if !filter.SchemeIs(r.url, "data") {
		return nil
	}
	return r.renderer.WithoutFragment(r.ref.URL)
}

// dataType returns the media type of a data: URL, which is text/plain if the URL does not say (RFC 2397).
func (r *row) dataType() string {
	_, rest, ok := bytes.Cut(r.url, []byte(":"))
	if !ok || !filter.SchemeIs(r.url, "data") {
		return ""
	}
	mediaType := rest
	if i := bytes.IndexAny(rest, ";,"); i >= 0 {
		mediaType = rest[:i]
	}
	if len(mediaType) == 0 {
		return "text/plain"
	}
	return string(bytes.ToLower(mediaType))
}

// messageText is like text, for a field of the message.
func messageText(get func(m *scan.Message) string) func(r *row, dst []byte) []byte {
	return func(r *row, dst []byte) []byte {
		if r.message == nil {
			return dst
		}
		return r.appendText(dst, get(r.message))
	}
}

// fileOf returns the file name of e, or of the part around it, in a message, or "".
func fileOf(e *extract.Entity) string {
	for ; e != nil && e.Message == nil; e = e.Parent {
		if e.File != "" {
			return e.File
		}
	}
	return ""
}

// CSVFields returns the columns of --csv without --fields.
func (r *Renderer) CSVFields() []field {
	columns := FieldsNamed("input", "line", "column", "kind", "how", "raw", "base", "layer", "url", "error")
	if r.Config.ParserDifferences {
		columns = append(columns, FieldsNamed("browser_url")...)
	}
	if r.Canonical != nil {
		columns = append(columns, FieldsNamed("canonical")...)
	}
	if r.Unwrap {
		columns = append(columns, FieldsNamed("unwrapped")...)
	}
	return columns
}

// AddMailColumns adds the columns that the default table of mail has, after the others.
func (r *Renderer) AddMailColumns() {
	r.Columns = LayoutOf(append(r.CSVFields(), FieldsNamed("date_utc", "from", "from_name", "subject", "message_id")...))
}

// Selectable returns the names that --fields takes: the fields of references, except those that
// only --explain and --json lines have.
func Selectable() (names []string) {
	for _, f := range referenceFields {
		switch f.name {
		case "type", "step", "explain", "truncated", "truncated_fields":
		default:
			names = append(names, f.name)
		}
	}
	return names
}

// FieldsNamed returns the fields with these names.
func FieldsNamed(names ...string) (columns []field) {
	for _, name := range names {
		columns = append(columns, Fields[FieldIndex(name)])
	}
	return columns
}

// FieldIndex returns the index in fields of the field called name, which must exist.
func FieldIndex(name string) int {
	for i := range Fields {
		if Fields[i].name == name {
			return i
		}
	}
	panic("no field is called " + name)
}

// fieldHelp describes the fields, with groups of names beside their shared description.
func fieldHelp() string {
	const width = 25 // of the column of names
	var b strings.Builder
	for i := 0; i < len(Fields); {
		if Fields[i].about == "" {
			i++
			continue
		}
		names, about := "", Fields[i].about
		for first := true; i < len(Fields) && (first || Fields[i].about == ""); i++ {
			if !first {
				names += ", "
			}
			first = false
			names += Fields[i].name
			if Fields[i].typ == asOctets {
				names += ", " + Fields[i].name + "_b64"
			}
		}
		left := cli.Wrap(names, width-1)
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
