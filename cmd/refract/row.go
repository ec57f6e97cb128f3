package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/refract/audit"
	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/resolve"
)

// A layout is the sequence of fields of a line.
type layout struct {
	columns []column
	runs    []fieldRun
	shared  int // number of runs with a slot
}

type column struct {
	field
	key string // how the member begins in JSON, with a comma in front
}

// A fieldRun is a range of the fields of a layout that have the same scope.
type fieldRun struct {
	scope    scope
	from, to int
	slot     int // in sharedCells; -1 if references do not share the values
}

func layoutOf(fields []field) layout {
	var l layout
	for i, f := range fields {
		l.columns = append(l.columns, column{f, `,"` + f.name + `":`})
		if n := len(l.runs); n > 0 && l.runs[n-1].scope == f.scope {
			l.runs[n-1].to++
			continue
		}
		slot := -1
		if f.scope.isShared() {
			slot = l.shared
			l.shared++
		}
		l.runs = append(l.runs, fieldRun{f.scope, i, i + 1, slot})
	}
	return l
}

// A row holds the data from which the fields of a line take their values, and the line while it is
// written.
type row struct {
	renderer *renderer
	typ      string // of the line: reference, finding, note or error
	name     string // of the input
	member   string // as memberOf returns it
	pos      extract.Position
	text     string // message of a note, an error or a finding
	code     string // of a note about what is not read
	unread   string // the kind of that note's content
	part     string // for an error: path of the part; a reference has it in its Entity

	ref        *extract.Reference // of a reference or a finding; nil: only the fields above are set
	url        []byte             // as printed
	canonical  []byte
	browserURL []byte
	truncated  bool
	noPlace    bool          // for an error: pos is not set
	message    *scan.Message // message that contains ref; nil: none

	finding   *audit.Finding
	fixed     bool
	siteFacts []string // for a finding: audit.Finding.Facts

	isTable  bool    // the line is one of --csv or --tsv, not of JSON
	field    *column // the current one
	out      []byte
	cut      []string // names of the fields that have been cut so far
	names    []string // scratch
	last     []byte   // the last value of writeBytes; nil: none
	from, to int      // where it is in out, as it was written
}

func (r *row) hasBase() bool {
	_, isPlace := extract.PlaceInPackage(&r.ref.Base)
	return r.ref.Result.Step != resolve.Absolute && r.ref.Base.Layer != base.None && !isPlace
}

func (r *row) isSameDocument() bool { return r.ref.Err == nil && r.ref.Result.SameDocument() }

// partPath returns the path of the part that the line is about.
func (r *row) partPath() string {
	if r.ref == nil {
		return r.part
	}
	return r.ref.Entity.Path()
}

// written returns text, the value of the current field, in printable form, cut to maxWritten bytes.
func (r *row) written(text []byte) []byte {
	text = r.renderer.printable(text)
	if len(text) > maxWritten {
		r.cut = append(r.cut, r.field.name)
		text = text[:shortLength(text)]
	}
	return text
}

// scopes returns the set of scopes in which some field of r may have a value.
func (r *row) scopes() (has uint) {
	has = 1<<ofReference | 1<<ofInput | 1<<ofEntity
	ref := r.ref
	if ref == nil {
		return has
	}
	if r.message != nil {
		has |= 1 << ofMessage
	}
	if ref.PartLine != 0 || ref.PartColumn != 0 {
		has |= 1 << inPart
	}
	if ref.Err != nil || ref.Inside != nil || ref.Result.SameDocument() {
		has |= 1 << withoutURL
	}
	if r.canonical != nil {
		has |= 1 << withCanonical
	}
	if r.renderer.unwrap {
		has |= 1 << withUnwrap
	}
	if len(ref.Text)+len(ref.Rel)+len(ref.Hreflang)+len(ref.Type) > 0 {
		has |= 1 << withDetails
	}
	if r.renderer.explain {
		has |= 1 << withExplain
	}
	return has
}

// insideTarget returns the value of target_member.
func (r *row) insideTarget() string {
	_, member := memberOf(r.name, r.ref.Entity)
	if member == "" { // of a finding, the name holds the member
		name, _, _ := strings.Cut(r.name, "!/")
		return path.Base(name) + "!" + string(r.ref.Inside)
	}
	return packageOf(member, r.ref.Entity) + string(r.ref.Inside)
}

// append appends r as a line with the fields of l. If shared is not nil, it holds what lines with the
// same layout have in common.
func (r *row) append(dst []byte, l *layout, shared *sharedCells) []byte {
	r.out, r.cut, r.last = dst, r.cut[:0], nil
	if shared != nil {
		shared.update(r, l)
	}
	has := r.scopes()
	for i := range l.runs {
		u := &l.runs[i]
		if !r.isTable && has>>u.scope&1 == 0 {
			continue
		}
		if shared != nil && u.slot >= 0 {
			shared.append(r, l, u)
			continue
		}
		r.write(l, u)
	}
	line := r.out
	r.out = nil
	if r.isTable {
		return append(line, '\n')
	}
	line[len(dst)] = '{' // in place of the first comma
	return append(line, "}\n"...)
}

// write writes the fields of a run.
func (r *row) write(l *layout, u *fieldRun) {
	for i := u.from; i < u.to; i++ {
		if r.isTable && i > 0 {
			r.out = append(r.out, r.renderer.cells.separator())
		}
		r.field = &l.columns[i]
		r.field.write(r)
	}
}

// writeText writes the value of the current field.
func (r *row) writeText(s string) {
	f := r.field
	if len(s) > maxRepeated && f.typ == asRepeated {
		s = shortText(s)
		r.cut = append(r.cut, f.name)
	}
	switch {
	case r.isTable:
		r.out = appendCell(r.out, s, r.renderer.cells)
	case s == "" && !f.always:
	case f.typ == asOctets:
		r.out = jsontext.AppendBytes(r.out, f.name, s)
	default:
		r.out = jsontext.AppendString(append(r.out, f.key...), s)
	}
}

// writeBytes is like writeText.
func (r *row) writeBytes(s []byte) {
	f := r.field
	if len(s) == 0 && (r.isTable || !f.always) {
		return
	}
	if !r.isTable {
		if f.typ == asOctets && !utf8.Valid(s) {
			r.out = jsontext.AppendBytes(r.out, f.name, s)
			return
		}
		r.out = append(r.out, f.key...)
	}
	from := len(r.out)
	switch {
	case r.last != nil && bytes.Equal(s, r.last): // often, the reference as written is the URL
		r.out = append(r.out, r.out[r.from:r.to]...)
	case r.isTable:
		r.out = appendCell(r.out, s, r.renderer.cells)
	default:
		r.out = jsontext.AppendString(r.out, s)
	}
	r.last, r.from, r.to = s, from, len(r.out)
}

// writeNumber writes the value of the current field.
func (r *row) writeNumber(n int64) {
	if r.isTable {
		r.out = strconv.AppendInt(r.out, n, 10)
	} else if n != 0 || r.field.always {
		r.out = strconv.AppendInt(append(r.out, r.field.key...), n, 10)
	}
}

// writeFlag writes the value of the current field.
func (r *row) writeFlag(is bool) {
	if r.isTable {
		r.out = strconv.AppendBool(r.out, is)
	} else if is || r.field.always {
		r.out = strconv.AppendBool(append(r.out, r.field.key...), is)
	}
}

// writeList writes the value of the current field. Cells have spaces between the items.
func (r *row) writeList(list []string) {
	if len(list) == 0 {
		return
	}
	if r.field.typ == asRepeatedList {
		list = r.shorten(list)
	}
	if r.isTable {
		r.out = appendCell(r.out, strings.Join(list, " "), r.renderer.cells)
	} else {
		r.out = jsontext.AppendStrings(append(r.out, r.field.key...), list)
	}
}

// shorten cuts the items of a list that are too long to be repeated.
func (r *row) shorten(list []string) []string {
	isCut := false
	for i, s := range list {
		if len(s) <= maxRepeated {
			continue
		}
		if !isCut {
			list = slices.Clone(list) // do not change the message's own list
			r.cut = append(r.cut, r.field.name)
		}
		list[i], isCut = shortText(s), true
	}
	return list
}

// shortText returns the first maxRepeated bytes of s, or less so as not to cut a character.
func shortText(s string) string { return s[:shortLength(s)] }

// shortLength returns the length to which a text is cut: maxRepeated, or less so as not to cut a
// character.
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

// writeRanges writes the value of the current field.
func (r *row) writeRanges(ranges []extract.Position) {
	if len(ranges) == 0 {
		return
	}
	if r.isTable {
		for i, p := range ranges {
			if i > 0 {
				r.out = append(r.out, ' ')
			}
			r.out = fmt.Appendf(r.out, "%d+%d", p.Offset, p.Length)
		}
		return
	}
	r.out = append(append(r.out, r.field.key...), '[')
	for i, p := range ranges {
		if i > 0 {
			r.out = append(r.out, ',')
		}
		r.out = strconv.AppendInt(append(r.out, '['), p.Offset, 10)
		r.out = strconv.AppendInt(append(r.out, ','), int64(p.Length), 10)
		r.out = append(r.out, ']')
	}
	r.out = append(r.out, ']')
}

// sharedCells keeps what the lines about references have in common: the text of each run of fields
// that the references of an input, an entity or a message share.
type sharedCells struct {
	// What the texts depend on.
	name, member        string
	entity              *extract.Entity
	mediaType, document string
	message             *scan.Message

	turns [ofMessage + 1]int // by scope: how often the values have changed
	texts []sharedText       // by slot
}

type sharedText struct {
	turn int // 0: not there yet
	text []byte
	cut  []string // names of the fields that are cut in it
}

// update notes which values differ from those of the row before.
func (c *sharedCells) update(r *row, l *layout) {
	if c.texts == nil {
		c.texts = make([]sharedText, l.shared)
		c.turns = [...]int{ofInput: 1, ofEntity: 1, ofMessage: 1}
	}
	if c.name != r.name || c.member != r.member {
		c.name, c.member = r.name, r.member
		for i := range c.turns {
			c.turns[i]++
		}
	}
	e, document := r.ref.Entity, r.ref.Document()
	if c.entity != e || c.mediaType != e.Type || c.document != document {
		c.entity, c.mediaType, c.document = e, e.Type, document
		c.turns[ofEntity]++
	}
	if c.message != r.message {
		c.message = r.message
		c.turns[ofMessage]++
	}
}

// append writes the fields of a run, or copies them from the row before.
func (c *sharedCells) append(r *row, l *layout, u *fieldRun) {
	t := &c.texts[u.slot]
	if t.turn == c.turns[u.scope] {
		r.out, r.cut = append(r.out, t.text...), append(r.cut, t.cut...)
		return
	}
	from, cut := len(r.out), len(r.cut)
	r.write(l, u)
	t.turn, t.text, t.cut = c.turns[u.scope], append(t.text[:0], r.out[from:]...), append(t.cut[:0], r.cut[cut:]...)
}

// appendHeader appends the first line of a table.
func appendHeader(dst []byte, l *layout, style cellStyle) []byte {
	for i := range l.columns {
		if i > 0 {
			dst = append(dst, style.separator())
		}
		dst = append(dst, l.columns[i].name...)
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
