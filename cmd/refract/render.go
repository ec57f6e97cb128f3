package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/audit"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/cmd/refract/internal/unwrap"
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
	formatFrontier
	formatColumns // --arrow and --parquet: rows as package columnar has them
)

// A renderer writes references, notes and findings in the form that the flags select. Rendering
// does not change it, so goroutines may share it.
type renderer struct {
	cfg        *extract.Config // Rules, IRI and TwoReadings
	format     format
	terminator byte
	terminal   bool // output goes to a terminal
	colour     bool
	numbered   bool // prefix lines with file:line:column:
	unresolved bool // include references without an absolute URL
	noFragment bool
	redact     bool
	unwrap     bool         // print the targets of wrapped URLs, too
	domains    bool         // with --json: print registered domains
	explain    bool         // add the facts that decided
	count      string       // value of --count: "url", "host" or "domain"; "": print references
	canonical  *resolve.Key // key to print beside each URL; nil: none
	columns    layout       // of --csv
	flags      *flagReader  // nil: flags of messages are not read
	chosen     bool         // columns were chosen with --fields
	cells      cellStyle    // style of the cells
}

// header returns the text that precedes all output.
func (r *renderer) header() []byte {
	switch {
	case r.format != formatCSV:
		return nil
	case r.count != "":
		names := append([]string{"count"}, countColumns(r.count)...)
		return []byte(strings.Join(names, string(r.cells.separator())) + "\n")
	}
	return appendHeader(nil, r.columns, r.cells)
}

// isData reports whether the output is for programs, and complete: with notes, errors and active
// schemes.
func (r *renderer) isData() bool { return r.format == formatJSON || r.format == formatColumns }

// isTable reports whether references are rows of a table.
func (r *renderer) isTable() bool { return r.format == formatCSV || r.format == formatColumns }

// largeLine is the size in bytes of a reference from which the memory for its line is allocated at
// once.
const largeLine = 64 << 10

// reference appends ref to b. url is its printed URL, or nil if it has none.
func (r *renderer) reference(b *block, name string, ref *extract.Reference, url []byte) {
	key := b.key[:0]
	var canonical []byte
	if r.canonical != nil && url != nil {
		key = r.canonical.Append(key, url)
		b.key, canonical = key, key
	}
	if r.count != "" {
		r.tally(b, ref, url, canonical)
		return
	}
	target := url
	if r.format == formatText || r.format == formatEdges || r.format == formatFrontier {
		if !r.isPrinted(ref, url) {
			return
		}
		if target == nil && ref.Inside != nil {
			_, member := b.memberOf(name, ref.Entity)
			target = append([]byte(packageOf(member, ref.Entity)), ref.Inside...)
		} else if target == nil {
			target = ascii.AppendLine(nil, r.printable(ref.Ref)) // a URL is already escaped, this is not
		}
	}
	start := len(b.out)
	if r.format == formatJSON && len(ref.Raw)+len(ref.Ref)+len(target) > largeLine {
		shown, _ := shortData(target, target)
		n := len(shown)
		for _, text := range [][]byte{ref.Raw, ref.Ref} {
			if len(text) <= maxWritten {
				n += len(text)
			}
		}
		b.out = slices.Grow(b.out, n+n/4) // allocate at once: growing step by step would hold the line twice
	}
	switch r.format {
	case formatJSON:
		line := r.row(&b.row, "reference", name, ref, url, canonical)
		_, line.member = b.memberOf(name, ref.Entity)
		b.out = line.append(b.out, referenceLine, &b.shared)
	case formatCSV:
		line := r.row(&b.row, "", name, ref, url, canonical)
		shown, member := b.memberOf(name, ref.Entity)
		if r.chosen {
			line.member = member
		} else {
			line.name, line.member = shown, ""
		}
		line.isTable = true
		b.out = line.append(b.out, r.columns, &b.shared)
	case formatColumns:
		line := r.row(&b.row, "reference", name, ref, url, canonical)
		_, line.member = b.memberOf(name, ref.Entity)
		line.isTable, line.isTyped = true, true
		b.out = line.append(b.out, r.columns, &b.shared)
	case formatEdges:
		name, _ = b.memberOf(name, ref.Entity)
		b.out = r.appendEdge(b, b.out, name, ref, target, canonical)
	case formatFrontier:
		name, _ = b.memberOf(name, ref.Entity)
		b.out = r.appendFrontier(b, b.out, name, ref, target, canonical)
	default:
		name, _ = b.memberOf(name, ref.Entity)
		b.out = r.appendText(b.out, name, ref, target, canonical)
		if r.explain {
			b.out = r.appendExplained(b.out, name, ref, nil)
		}
	}
	if !b.keyed {
		return
	}
	switch {
	case r.format == formatEdges && canonical != nil: // an edge is identified by both its ends
		name, _ = b.memberOf(name, ref.Entity)
		b.keys = r.appendEdge(b, b.keys, name, ref, canonical, nil)
	case r.format == formatEdges:
		b.keys = append(b.keys, b.out[start:]...)
	case canonical != nil:
		b.keys = append(b.keys, canonical...)
	case url != nil:
		b.keys = append(b.keys, url...)
	default:
		b.keys = append(append(b.keys, 0), ref.Ref...)
	}
	b.endRecord()
}

// isPrinted reports whether ref is printed as a line of text or an edge.
func (r *renderer) isPrinted(ref *extract.Reference, url []byte) bool {
	if url == nil && (ref.Err == nil && ref.Inside == nil || !r.unresolved && ref.BrowserURL == nil) {
		return false
	}
	return !r.cfg.TwoReadings || ref.BrowserURL != nil
}

// tally appends a record with the key under which ref, whose printed URL is url, is counted.
func (r *renderer) tally(b *block, ref *extract.Reference, url, canonical []byte) {
	if url == nil {
		return
	}
	key := url
	if canonical != nil {
		key = canonical
	}
	switch r.count {
	case "host":
		key = []byte(nameOf(url))
	case "domain":
		key = []byte(domainOf(nameOf(url)))
	case "host-pair", "domain-pair":
		key = r.appendPair(b, ref, url)
	}
	if len(key) == 0 {
		return // mailto has no host
	}
	if isPair(r.count) {
		b.out = append(b.out, key...) // with a tab between its parts, which are lines
	} else {
		b.out = ascii.AppendLine(b.out, key)
	}
	b.out = append(b.out, '\n')
	b.keys = append(b.keys, key...)
	b.endRecord()
}

// countLine returns the --count line for a record that occurred n times.
func (r *renderer) countLine(rec []byte, n uint64) []byte {
	key := rec[:len(rec)-1]
	if isPair(r.count) {
		return r.pairLine(key, n)
	}
	switch r.format {
	case formatJSON:
		return jsontext.AppendLine(nil, map[string]any{"type": "count", r.count: string(key), "count": n})
	case formatCSV:
		return append(appendCell(append(strconv.AppendUint(nil, n, 10), r.cells.separator()), key, r.cells), '\n')
	}
	line := append(strconv.AppendUint(nil, n, 10), '\t')
	if r.terminal {
		return append(appendVisible(line, key), '\n')
	}
	return append(append(line, key...), r.terminator)
}

// note appends a note to b if it is to be reported, as JSON or as a message.
func (r *renderer) note(b *block, name string, n *extract.Note, message bool) {
	pos, text := n.Pos, n.Text
	if !message && !r.isData() {
		return
	}
	shown, member := name, ""
	if n.Entity != nil {
		shown, member = b.memberOf(name, n.Entity)
	}
	if r.isData() {
		line := row{typ: "note", name: name, member: member, pos: pos, text: text, unread: n.Unread}
		line.isTable, line.isTyped = r.isTable(), r.isTable()
		if n.Unread != "" {
			line.code = string(n.Code)
		}
		b.out = line.append(b.out, noteLine, nil)
		b.endUnkeyed()
	}
	if message && r.format != formatJSON {
		b.messages = fmt.Appendf(b.messages, "refract: %s: at byte %d: %s\n", oneLine(shown), pos.Offset, oneLine(text))
	}
}

// failure appends the error for an unreadable input to b.
func (r *renderer) failure(b *block, name string, err error) {
	text := oneLine(err.Error())
	if !strings.Contains(text, oneLine(name)) { // errors of the system have the name
		text = oneLine(name) + ": " + text
	}
	b.messages = fmt.Appendf(b.messages, "refract: %s\n", text)
	r.errorLine(b, row{typ: "error", name: name, pos: extract.Position{Offset: none}, text: err.Error()})
}

// internalError begins messages about errors in refract itself.
const internalError = "internal error: "

// failureAt appends the error for a part of an input to b. kind is internalError or "".
func (r *renderer) failureAt(b *block, name string, entity *extract.Entity, pos extract.Position, kind, text string) {
	where, part := "", entity.Path()
	if part != "" {
		where = "part " + part + ": "
	}
	shown, member := memberOf(name, entity)
	b.messages = fmt.Appendf(b.messages, "refract: %s%s: %sat byte %d: %s\n", kind, oneLine(shown), where, pos.Offset, oneLine(text))
	r.errorLine(b, row{typ: "error", name: name, member: member, part: part, pos: pos, text: kind + text})
}

// errorLine appends a --json line about an error to b.
func (r *renderer) errorLine(b *block, line row) {
	if r.isData() {
		line.isTable, line.isTyped = r.isTable(), r.isTable()
		b.out = line.append(b.out, errorLine, nil)
		b.endUnkeyed()
	}
}

// finding appends f as a --json line.
func (r *renderer) finding(dst []byte, f *audit.Finding, fixed bool) []byte {
	var line row
	if f.Ref == nil { // it is about a place, not a reference
		line = row{typ: "finding", name: f.File, pos: f.Pos, text: f.Message, finding: f}
		return line.append(dst, placeLine, nil)
	}
	r.row(&line, "finding", f.File, f.Ref, f.Ref.URL, nil)
	line.text, line.finding, line.fixed, line.siteFacts = f.Message, f, fixed, f.Facts
	return line.append(dst, findingLine, nil)
}

// unjudged appends u as a --json line.
func (r *renderer) unjudged(dst []byte, u *audit.Unjudged) []byte {
	var line row
	if u.Ref == nil {
		line = row{typ: "not-judged", name: u.File, pos: u.Pos, text: u.Why}
		return line.append(dst, labelLine, nil)
	}
	r.row(&line, "not-judged", u.File, u.Ref, u.Ref.URL, nil)
	line.text, line.siteFacts = u.Why, u.Facts
	return line.append(dst, unjudgedLine, nil)
}

// maxData limits the bytes of a data URL in a --json line.
const maxData = 2048

// row sets line, which is zero or has been set by row before, to the data of a line about ref. It
// assigns each field: assigning a whole row took a tenth of the time of --json, and the copy of a whole
// Position waits for the fields that were written last.
func (r *renderer) row(line *row, typ, name string, ref *extract.Reference, url, canonical []byte) *row {
	line.renderer, line.typ, line.name, line.ref = r, typ, name, ref
	p := &line.pos
	p.Offset, p.Length, p.Line, p.Column, p.Exact = ref.Pos.Offset, ref.Pos.Length, ref.Pos.Line, ref.Pos.Column, ref.Pos.Exact
	line.canonical, line.browserURL, line.message = canonical, nil, ref.Message()
	line.url, line.truncated = url, false
	if !r.isTable() {
		line.url, line.truncated = shortData(url, url)
	}
	if ref.BrowserURL != nil {
		line.browserURL = r.browserURL(ref)
		if !r.isTable() {
			short, isCut := shortData(line.browserURL, ref.BrowserURL)
			line.browserURL, line.truncated = short, line.truncated || isCut
		}
	}
	return line
}

// shortData returns text, the printable form of url, cut to maxData bytes if url is a data: URL.
func shortData(text, url []byte) (short []byte, isCut bool) {
	if len(text) > maxData && schemeIs(url, "data") {
		return text[:maxData], true
	}
	return text, false
}

// withoutFragment returns url without its fragment under --no-fragment.
func (r *renderer) withoutFragment(url []byte) []byte {
	if r.noFragment {
		if i := bytes.IndexByte(url, '#'); i >= 0 {
			return url[:i]
		}
	}
	return url
}

// browserURL returns ref.BrowserURL in printable form. It is ASCII without control characters.
func (r *renderer) browserURL(ref *extract.Reference) []byte {
	return r.printable(r.withoutFragment(ref.BrowserURL))
}

// printable returns a reference in printable form: with --redact, without passwords.
func (r *renderer) printable(ref []byte) []byte {
	if r.redact {
		return hidePassword(ref)
	}
	return ref
}

// printableText is like printable, for strings.
func (r *renderer) printableText(ref string) string {
	if r.redact {
		return string(hidePassword([]byte(ref)))
	}
	return ref
}

// hidePassword returns url with "***" in place of its password (the 1997 draft, section 7).
func hidePassword(url []byte) []byte {
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

func (r *renderer) appendText(dst []byte, name string, ref *extract.Reference, target, canonical []byte) []byte {
	if r.numbered {
		dst = r.appendPlace(dst, name, ref.Pos)
	}
	if r.terminal {
		dst = appendVisible(dst, target)
	} else {
		dst = append(dst, target...)
	}
	if ref.BrowserURL != nil {
		dst = append(append(dst, '\t'), r.browserURL(ref)...)
	}
	if target := r.unwrapped(target); target != nil {
		dst = append(append(dst, '\t'), target...)
	}
	return r.endLine(dst, canonical)
}

// unwrapped returns the target of url in printable form, or nil if there is none or --unwrap was not
// given. It is without control characters.
func (r *renderer) unwrapped(url []byte) []byte {
	if !r.unwrap || url == nil {
		return nil
	}
	target, ok := unwrap.Target(nil, url)
	if !ok {
		return nil
	}
	return r.printable(r.withoutFragment(extract.AppendEscaped(nil, target, r.cfg.IRI)))
}

// unwrappedHost returns the host of the target of url, or nil if it is unknown or --unwrap was not
// given.
func (r *renderer) unwrappedHost(url []byte) []byte {
	if target := r.unwrapped(url); target != nil {
		return []byte(nameOf(target))
	}
	if !r.unwrap || url == nil {
		return nil
	}
	host, _ := unwrap.Host(nil, url)
	return extract.AppendEscaped(nil, host, r.cfg.IRI)
}

// endLine appends the canonical key, if there is one, and a line break.
func (r *renderer) endLine(dst, canonical []byte) []byte {
	if canonical != nil {
		dst = ascii.AppendLine(append(dst, '\t'), canonical) // Unicode IDN names may contain any character
	}
	return append(dst, r.terminator)
}

// appendEdge appends "source<TAB>target<TAB>kind". The source is the URL from which the document
// was retrieved or, if that is unknown, its name.
func (r *renderer) appendEdge(b *block, dst []byte, name string, ref *extract.Reference, target, canonical []byte) []byte {
	dst = r.appendSource(b, dst, name, ref)
	dst = append(ascii.AppendLine(append(dst, '\t'), target), '\t')
	return r.endLine(append(dst, ref.Kind.String()...), canonical)
}

// appendSource appends the URL from which the document that contains ref was retrieved or, if that is
// unknown, its name.
func (r *renderer) appendSource(b *block, dst []byte, name string, ref *extract.Reference) []byte {
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
func (r *renderer) documentOf(ref *extract.Reference, limit int) string {
	url := ref.Document()
	if len(url) > limit && !r.redact { // a cut URL could expose a password, because the "@" that marks it is gone
		url = url[:limit]
	}
	if url == "" {
		return ""
	}
	return string(r.printable(extract.AppendEscaped(nil, []byte(url), r.cfg.IRI)))
}

// appendPlace appends "file:line:column:".
func (r *renderer) appendPlace(dst []byte, name string, pos extract.Position) []byte {
	if r.colour {
		dst = append(appendVisible(append(dst, "\x1b[35m"...), []byte(name)), "\x1b[0m:\x1b[32m"...)
		dst = append(strconv.AppendInt(dst, int64(pos.Line), 10), "\x1b[0m:"...)
	} else {
		dst = append(ascii.AppendLine(dst, name), ':')
		dst = append(strconv.AppendInt(dst, int64(pos.Line), 10), ':')
	}
	return append(strconv.AppendInt(dst, int64(pos.Column), 10), ':')
}
