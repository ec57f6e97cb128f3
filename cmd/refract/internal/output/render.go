// Package output renders references, notes, findings and counts: as text, JSON lines, tables, edges and
// columns with types.
package output

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/cmd/refract/internal/cli"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/unwrap"
	"example.org/refract/extract"
	"example.org/refract/internal/ascii"
	"example.org/refract/internal/audit"
	"example.org/refract/resolve"
	"example.org/refract/resolve/canon"
)

// A Renderer writes references, notes and findings in the form that the flags select. Rendering
// does not change it, so goroutines may share it.
type Renderer struct {
	Config     *extract.Config // Rules, IRI and ParserDifferences
	Format     *Format
	Terminator byte
	Terminal   bool // output goes to a terminal
	Colour     bool
	Numbered   bool // prefix lines with file:line:column:
	Unresolved bool // include references without an absolute URL
	NoFragment bool
	Redact     bool
	Unwrap     bool        // also print the targets of wrapped URLs
	Domains    bool        // with --json: print registered domains
	Explain    bool        // add the facts that decided
	Count      string      // value of --count; "": print references
	Canonical  *canon.Key  // key to print beside each URL; nil: none
	Columns    layout      // of --csv
	Flags      *FlagReader // nil: flags of messages are not read
	Chosen     bool        // columns were chosen with --fields
	Cells      cellStyle   // style of the cells
	WholeData  bool        // data: URLs in tables with types are not cut
	Age        Age

	counted   layout    // the fields of --count; a column of countedFields has only a name
	cells     *Renderer // renders their values
	countLine []byte    // the last line of --count
}

// Header returns the text that precedes all output.
func (r *Renderer) Header() []byte {
	switch {
	case r.Format != CSV:
		return nil
	case r.Age == Archived:
		return r.Cells.header(archivedColumns)
	case r.Age.isHistory():
		return r.Cells.header(historyColumns)
	case r.Count != "":
		return r.Cells.header(append([]string{"count"}, countColumns(r.Count)...))
	}
	return r.Cells.header(r.Columns.names())
}

// largeLine is the size in bytes of a reference from which the memory for its line is allocated at
// once.
const largeLine = 64 << 10

// Reference appends ref to b. url is its printed URL, or nil if it has none.
func (r *Renderer) Reference(b *Block, name string, ref *extract.Reference, url []byte) {
	key := b.Key[:0]
	var canonical []byte
	if r.Canonical != nil && url != nil {
		key = r.Canonical.Append(key, url)
		b.Key, canonical = key, key
	}
	switch {
	case r.counted != nil && url != nil:
		r.tallyFields(b, name, ref, url, canonical)
		return
	case r.Count != "":
		r.tally(b, ref, url, canonical)
		return
	case r.Age.isHistory():
		r.trace(b, name, ref, url, canonical)
		return
	}
	start, keys := len(b.Out), len(b.Keys)
	if r.Format.line == nil {
		r.appendRow(b, name, ref, url, canonical)
	} else if !r.appendLine(b, name, ref, url, canonical) {
		return
	}
	if !b.keyed {
		return
	}
	switch {
	case r.Format.isEdge && canonical != nil: // an edge is identified by both its ends
		name, _ = b.MemberOf(name, ref.Entity)
		b.Keys = r.appendEdge(b, b.Keys, name, ref, canonical, nil)
	case r.Format.isEdge:
		b.Keys = append(b.Keys, b.Out[start:]...)
	case canonical != nil:
		b.Keys = append(b.Keys, canonical...)
	case url != nil:
		b.Keys = append(b.Keys, url...)
	default:
		b.Keys = append(append(b.Keys, 0), ref.Ref...)
	}
	if r.Age == Oldest {
		b.endDated(start, keys, ref)
		return
	}
	b.endRecord()
}

// Prepare completes r once its fields are set.
func (r *Renderer) Prepare() { r.setCounters() }

// appendLine appends ref as a line, if it is printed.
func (r *Renderer) appendLine(b *Block, name string, ref *extract.Reference, url, canonical []byte) (printed bool) {
	if !r.isPrinted(ref, url) {
		return false
	}
	name, member := b.MemberOf(name, ref.Entity)
	target := url
	switch {
	case url != nil:
	case ref.Inside != nil:
		target = append([]byte(packageOf(member, ref.Entity)), ref.Inside...)
	default:
		target = ascii.AppendLine(nil, r.Printable(ref.Ref)) // a URL is already escaped, this is not
	}
	b.Out = r.Format.line(r, b, b.Out, name, ref, target, canonical)
	return true
}

// appendRow appends ref as a row of fields.
func (r *Renderer) appendRow(b *Block, name string, ref *extract.Reference, url, canonical []byte) {
	f := r.Format
	columns := r.Columns
	if f.IsJSON {
		columns = referenceLine
		growForLine(b, ref, url)
	}
	line := r.row(&b.row, "reference", name, ref, url, canonical)
	shown, member := b.MemberOf(name, ref.Entity)
	line.member, line.target, line.isTable, line.isTyped = member, b.Target, f.isTable, f.isTyped
	if f == CSV && !r.Chosen {
		line.name, line.member = shown, ""
	}
	b.Out = line.append(b.Out, columns, &b.shared)
}

// growForLine allocates the memory for a --json line about a large reference at once: growing step by step
// would hold the line twice.
func growForLine(b *Block, ref *extract.Reference, url []byte) {
	if len(ref.Raw)+len(ref.Ref)+len(url) <= largeLine {
		return
	}
	shown, _ := ShortData(url, url)
	n := len(shown)
	for _, text := range [][]byte{ref.Raw, ref.Ref} {
		if len(text) <= maxWritten {
			n += len(text)
		}
	}
	b.Out = slices.Grow(b.Out, n+n/4)
}

// isPrinted reports whether ref is printed as a line of text or an edge.
func (r *Renderer) isPrinted(ref *extract.Reference, url []byte) bool {
	if url == nil && (ref.Err == nil && ref.Inside == nil || !r.Unresolved && ref.BrowserURL == nil) {
		return false
	}
	return !r.Config.ParserDifferences || ref.BrowserURL != nil
}

// tally appends a record with the key under which ref, whose printed URL is url, is counted.
func (r *Renderer) tally(b *Block, ref *extract.Reference, url, canonical []byte) {
	if url == nil {
		return
	}
	key := url
	if canonical != nil {
		key = canonical
	}
	switch r.Count {
	case "host":
		key, _ = b.namesOf(url)
	case "domain":
		_, key = b.namesOf(url)
	case "host-pair", "domain-pair":
		key = r.appendPair(b, ref, url)
	}
	if len(key) == 0 {
		return // mailto has no host
	}
	if isPair(r.Count) {
		b.Out = append(b.Out, key...) // with a tab between its parts, which are lines
	} else {
		b.Out = ascii.AppendLine(b.Out, key)
	}
	b.Out = append(b.Out, '\n')
	b.Keys = append(b.Keys, key...)
	b.endRecord()
}

// Note appends a note to b if it is to be reported, as JSON or as a message.
func (r *Renderer) Note(b *Block, name string, n *extract.Note, message bool) {
	pos, text := n.Pos, n.Text
	if !message && !r.Format.IsData() {
		return
	}
	shown, member := name, ""
	if n.Entity != nil {
		shown, member = b.MemberOf(name, n.Entity)
	}
	if r.Format.IsData() {
		line := row{typ: "note", name: name, member: member, pos: pos, text: text, unread: n.Unread}
		line.isTable, line.isTyped = r.Format.isTable, r.Format.isTyped
		if n.Unread != "" {
			line.code = string(n.Code)
		}
		b.Out = line.append(b.Out, noteLine, nil)
		b.endUnkeyed()
	}
	if message && !r.Format.IsJSON {
		b.Messages = fmt.Appendf(b.Messages, "refract: %s: at byte %d: %s\n", cli.OneLine(shown), pos.Offset, cli.OneLine(text))
	}
}

// Failure appends the error for an unreadable input to b. d is nil unless it is about a part of the input.
func (r *Renderer) Failure(b *Block, name string, err error, d *extract.Damage) {
	text := cli.OneLine(err.Error())
	if !strings.Contains(text, cli.OneLine(name)) { // errors of the system have the name
		text = cli.OneLine(name) + ": " + text
	}
	b.Messages = fmt.Appendf(b.Messages, "refract: %s\n", text)
	r.errorLine(b, row{typ: "error", name: name, pos: extract.Position{Offset: none}, text: err.Error(), damage: d})
}

// InternalError begins messages about errors in refract itself.
const InternalError = "internal error: "

// FailureAt appends the error for a part of an input to b. kind is InternalError or "".
func (r *Renderer) FailureAt(b *Block, name string, entity *extract.Entity, pos extract.Position, kind, text string) {
	r.failureAt(b, name, kind, &extract.Note{Entity: entity, Pos: pos, Text: text})
}

// Damaged appends the error for an unreadable part of an archive to b.
func (r *Renderer) Damaged(b *Block, name string, n *extract.Note) { r.failureAt(b, name, "", n) }

func (r *Renderer) failureAt(b *Block, name, kind string, n *extract.Note) {
	where, part := "", n.Entity.Path()
	if part != "" {
		where = "part " + part + ": "
	}
	shown, member := memberOf(name, n.Entity)
	b.Messages = fmt.Appendf(b.Messages, "refract: %s%s: %sat byte %d: %s\n", kind, cli.OneLine(shown), where, n.Pos.Offset, cli.OneLine(n.Text))
	r.errorLine(b, row{typ: "error", name: name, member: member, part: part, pos: n.Pos, text: kind + n.Text, damage: n.Damage})
}

// errorLine appends a --json line about an error to b.
func (r *Renderer) errorLine(b *Block, line row) {
	if r.Format.IsData() {
		line.isTable, line.isTyped = r.Format.isTable, r.Format.isTyped
		b.Out = line.append(b.Out, errorLine, nil)
		b.endUnkeyed()
	}
}

// Finding appends f as a --json line.
func (r *Renderer) Finding(dst []byte, f *audit.Finding, fixed bool) []byte {
	var line row
	if f.Ref == nil { // it is about a place, not a reference
		line = row{typ: "finding", name: f.File, pos: f.Pos, text: f.Message, finding: f}
		return line.append(dst, placeLine, nil)
	}
	r.row(&line, "finding", f.File, f.Ref, f.Ref.URL, nil)
	line.text, line.finding, line.fixed, line.siteFacts = f.Message, f, fixed, f.Facts
	return line.append(dst, findingLine, nil)
}

// Unchecked appends u as a --json line.
func (r *Renderer) Unchecked(dst []byte, u *audit.Unchecked) []byte {
	var line row
	if u.Ref == nil {
		line = row{typ: "not-checked", name: u.File, pos: u.Pos, text: u.Why.String()}
		return line.append(dst, labelLine, nil)
	}
	r.row(&line, "not-checked", u.File, u.Ref, u.Ref.URL, nil)
	line.text, line.siteFacts = u.Why.String(), u.Facts
	return line.append(dst, uncheckedLine, nil)
}

// maxData limits the bytes of a data URL in a --json line.
const maxData = 2048

// row sets line, which is zero or has been set by row before, to the data of a line about ref. It
// assigns each field. Assigning a whole row took a tenth of the time of --json, and the copy of a whole
// Position waits for the fields that were written last.
func (r *Renderer) row(line *row, typ, name string, ref *extract.Reference, url, canonical []byte) *row {
	line.renderer, line.typ, line.name, line.ref = r, typ, name, ref
	p := &line.pos
	p.Offset, p.Length, p.Line, p.Column, p.Exact = ref.Pos.Offset, ref.Pos.Length, ref.Pos.Line, ref.Pos.Column, ref.Pos.Exact
	line.canonical, line.browserURL, line.message = canonical, nil, ref.Message()
	line.url, line.truncated = url, false
	if !r.Format.isTable {
		line.url, line.truncated = ShortData(url, url)
	} else if r.cutsData(url) {
		line.url, line.truncated = url[:dataColumn], true
	}
	if ref.BrowserURL != nil {
		line.browserURL = r.browserURL(ref)
		if !r.Format.isTable {
			short, isCut := ShortData(line.browserURL, ref.BrowserURL)
			line.browserURL, line.truncated = short, line.truncated || isCut
		}
	}
	return line
}

// ShortData returns text, the printable form of url, cut to maxData bytes if url is a data: URL.
func ShortData(text, url []byte) (short []byte, isCut bool) {
	if len(text) > maxData && filter.SchemeIs(url, "data") {
		return text[:maxData], true
	}
	return text, false
}

// dataColumn is the number of bytes of a data: URL that tables with types keep. In crawls, data: URLs are a
// quarter of the bytes.
const dataColumn = 64

// cutsData reports whether a table with types has only the beginning of text.
func (r *Renderer) cutsData(text []byte) bool {
	return r.Format.isTyped && !r.WholeData && len(text) > dataColumn && filter.SchemeIs(text, "data")
}

// WithoutFragment returns url without its fragment under --no-fragment.
func (r *Renderer) WithoutFragment(url []byte) []byte {
	if r.NoFragment {
		if i := bytes.IndexByte(url, '#'); i >= 0 {
			return url[:i]
		}
	}
	return url
}

// browserURL returns ref.BrowserURL in printable form. It is ASCII without control characters.
func (r *Renderer) browserURL(ref *extract.Reference) []byte {
	return r.Printable(r.WithoutFragment(ref.BrowserURL))
}

// Printable returns a reference in printable form: with --redact, without passwords.
func (r *Renderer) Printable(ref []byte) []byte {
	if r.Redact {
		return HidePassword(ref)
	}
	return ref
}

// printableText is like printable, for strings.
func (r *Renderer) printableText(ref string) string {
	if r.Redact {
		return string(HidePassword([]byte(ref)))
	}
	return ref
}

// HidePassword returns url with "***" in place of its password (the 1997 draft, section 7).
func HidePassword(url []byte) []byte {
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

// appendText appends "target", with --line-number behind its place, and what other flags add to it.
func (r *Renderer) appendText(_ *Block, dst []byte, name string, ref *extract.Reference, target, canonical []byte) []byte {
	if r.Numbered {
		dst = r.AppendPlace(dst, name, ref.Pos)
	}
	if r.Terminal {
		dst = cli.AppendVisible(dst, target)
	} else {
		dst = append(dst, target...)
	}
	if ref.BrowserURL != nil {
		dst = append(append(dst, '\t'), r.browserURL(ref)...)
	}
	if target := r.unwrapped(target); target != nil {
		dst = append(append(dst, '\t'), target...)
	}
	dst = r.endLine(dst, canonical)
	if r.Explain {
		dst = r.AppendExplained(dst, name, ref, nil)
	}
	return dst
}

// unwrapped returns the target of url in printable form, or nil if there is none or --unwrap was not
// given. It is without control characters.
func (r *Renderer) unwrapped(url []byte) []byte {
	if !r.Unwrap || url == nil {
		return nil
	}
	target, ok := unwrap.Target(nil, url)
	if !ok {
		return nil
	}
	return r.Printable(r.WithoutFragment(extract.AppendEscaped(nil, target, r.Config.IRI)))
}

// unwrappedHost returns the host of the target of url, or nil if it is unknown or --unwrap was not
// given.
func (r *Renderer) unwrappedHost(url []byte) []byte {
	if target := r.unwrapped(url); target != nil {
		return []byte(filter.NameOf(target))
	}
	if !r.Unwrap || url == nil {
		return nil
	}
	host, _ := unwrap.Host(nil, url)
	return extract.AppendEscaped(nil, host, r.Config.IRI)
}

// endLine appends the canonical key, if there is one, and a line break.
func (r *Renderer) endLine(dst, canonical []byte) []byte {
	if canonical != nil {
		dst = ascii.AppendLine(append(dst, '\t'), canonical) // Unicode IDN names may contain any character
	}
	return append(dst, r.Terminator)
}

// appendEdge appends "source<TAB>target<TAB>kind". The source is the URL from which the document
// was retrieved or, if that is unknown, its name.
func (r *Renderer) appendEdge(b *Block, dst []byte, name string, ref *extract.Reference, target, canonical []byte) []byte {
	dst = r.appendSource(b, dst, name, ref)
	dst = append(ascii.AppendLine(append(dst, '\t'), target), '\t')
	return r.endLine(append(dst, ref.Kind.String()...), canonical)
}

// appendSource appends the URL from which the document that contains ref was retrieved or, if that is
// unknown, its name.
func (r *Renderer) appendSource(b *Block, dst []byte, name string, ref *extract.Reference) []byte {
	url := ref.Document()
	if url == "" {
		return ascii.AppendLine(dst, name)
	}
	if b.document != url {
		b.document, b.source = url, ascii.AppendLine(b.source[:0], r.documentOf(ref, math.MaxInt))
	}
	return append(dst, b.source...)
}

// documentOf returns the URL of the document that contains ref, in printable form, cut to limit
// bytes.
func (r *Renderer) documentOf(ref *extract.Reference, limit int) string {
	url := ref.Document()
	if len(url) > limit && !r.Redact { // a cut URL could expose a password, because the "@" that marks it is gone
		url = url[:limit]
	}
	if url == "" {
		return ""
	}
	return string(r.Printable(extract.AppendEscaped(nil, []byte(url), r.Config.IRI)))
}

// AppendPlace appends "file:line:column:".
func (r *Renderer) AppendPlace(dst []byte, name string, pos extract.Position) []byte {
	if r.Colour {
		dst = append(cli.AppendVisible(append(dst, "\x1b[35m"...), []byte(name)), "\x1b[0m:\x1b[32m"...)
		dst = append(strconv.AppendInt(dst, int64(pos.Line), 10), "\x1b[0m:"...)
	} else {
		dst = append(ascii.AppendLine(dst, name), ':')
		dst = append(strconv.AppendInt(dst, int64(pos.Line), 10), ':')
	}
	return append(strconv.AppendInt(dst, int64(pos.Column), 10), ':')
}

// appendFrontier appends "URL<TAB>key<TAB>host<TAB>kind<TAB>document".
func (r *Renderer) appendFrontier(b *Block, dst []byte, name string, ref *extract.Reference, target, canonical []byte) []byte {
	dst = append(ascii.AppendLine(dst, target), '\t')
	dst = append(ascii.AppendLine(dst, canonical), '\t')
	b.host = canon.AppendHost(b.host[:0], target)
	dst = append(ascii.AppendLine(dst, b.host), '\t')
	dst = append(append(dst, ref.Kind.String()...), '\t')
	return append(r.appendSource(b, dst, name, ref), r.Terminator)
}
