package output

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/cmd/refract/internal/columnar"
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/cmd/refract/internal/jsontext"
	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/audit"
	"example.org/refract/resolve"
	"example.org/refract/resolve/risk"
)

// A layout is the sequence of fields of a line.
type layout []column

// A column is a field, prepared for writing.
type column struct {
	field
	number  func(r *row) int64              // its value, if it is a number; otherwise nil
	append  func(r *row, dst []byte) []byte // appends any other value
	first   bool
	key     [keySize]byte // how the member begins in JSON, with a comma in front
	keySize int
}

// keySize limits the length of a column's key. Copying a whole array needs no call.
const keySize = 24

// LayoutOf returns the columns of fields.
func LayoutOf(fields []field) (l layout) {
	l = make(layout, 0, len(fields))
	for i, f := range fields {
		c := column{field: f, first: i == 0}
		c.number, _ = f.value.(func(r *row) int64)
		c.append, _ = f.value.(func(r *row, dst []byte) []byte)
		c.keySize = copy(c.key[:], `,"`+f.name+`":`)
		l = append(l, c)
	}
	return l
}

// appendKey appends the name of c as a member of an object.
func (c *column) appendKey(dst []byte) []byte {
	if n := len(dst); n+keySize <= cap(dst) {
		*(*[keySize]byte)(dst[n : n+keySize]) = c.key
		return dst[:n+c.keySize]
	}
	return append(dst, c.key[:c.keySize]...)
}

// A row holds the data from which the fields of a line take their values.
type row struct {
	renderer *Renderer
	typ      string // of the line: reference, finding, note or error
	name     string // of the input
	member   string // as MemberOf returns it
	target   string // as in Block
	pos      extract.Position
	text     string          // message of a note, an error or a finding
	code     string          // of a note about what is not read
	unread   string          // the kind of that note's content
	part     string          // for an error: path of the part; a reference has it in its Entity
	damage   *extract.Damage // for an error about an archive; nil: another one

	ref        *extract.Reference // of a reference or a finding; nil: only the fields above are set
	url        []byte             // as printed
	canonical  []byte
	browserURL []byte
	truncated  bool
	risks      risk.Labels   // unless isTable
	isPlain    bool          // the same; ref.Ref needs no escape in JSON
	message    *scan.Message // message that contains ref; nil: none

	finding   *audit.Finding
	fixed     bool
	siteFacts []string // for a finding: audit.Finding.Facts

	isTable  bool     // the line is one of --csv, --tsv or columns, not of JSON
	isTyped  bool     // the line is a row of columns
	column   *column  // the current one
	cut      []string // names of the fields that have been cut so far
	names    []string // scratch
	last     []byte   // the last value of writeBytes; nil: none
	from, to int      // where it is in the output, as a JSON string
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
	text = r.renderer.Printable(text)
	if r.renderer.cutsData(text) {
		return text[:dataColumn]
	}
	if len(text) > maxWritten {
		r.cut = append(r.cut, r.column.name)
		text = text[:shortLength(text)]
	}
	return text
}

// scopes returns the set of scopes in which a field of r may have a value. It sets r.risks and
// r.isPlain.
func (r *row) scopes() (has uint) {
	has = 1<<ofReference | 1<<ofInput | 1<<ofEntity | 1<<withCuts
	ref := r.ref
	if ref == nil {
		return has
	}
	has |= 1<<ofConstruct | 1<<ofBase
	if r.renderer.Config.Records {
		has |= 1 << OfRecord
	}
	if r.message != nil {
		has |= 1 << ofMessage
	}
	if len(ref.Ranges)+ref.Page+len(ref.Alternatives)+len(ref.TargetPart)+len(r.browserURL)+len(ref.JoinedBy)+len(r.target)+int(ref.Result.Departures) > 0 || r.truncated {
		has |= 1 << rarely
	}
	if ref.PartLine != 0 || ref.PartColumn != 0 {
		has |= 1 << inPart
	}
	if ref.Err != nil || ref.Inside != nil || ref.Result.SameDocument() {
		has |= 1 << withoutURL
	}
	if ref.Depth != 0 {
		has |= 1 << inQuote
	}
	r.risks, r.isPlain = filter.RisksOf(ref)
	if r.risks != 0 || ref.InvalidAuthority || ref.Labels != 0 || ref.BrowserURL != nil {
		has |= 1 << withLabels
	}
	if r.canonical != nil {
		has |= 1 << withCanonical
	}
	if len(ref.Text)+len(ref.Rel)+len(ref.Hreflang)+len(ref.Type) > 0 {
		has |= 1 << withDetails
	}
	if r.truncated {
		has |= 1 << withCutData
	}
	if r.renderer.Domains {
		has |= 1 << withDomains
	}
	if r.renderer.Unwrap {
		has |= 1 << withUnwrap
	}
	if r.renderer.Explain {
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

// append appends r as a line with the columns of l. If shared is not nil, it holds the cells that lines
// about references have in common; all lines must have the same layout.
func (r *row) append(dst []byte, l layout, shared *sharedCells) []byte {
	start := len(dst)
	r.cut, r.last = r.cut[:0], nil
	if r.isTyped {
		dst = append(dst, tableOf(r.typ))
	}
	has := ^uint(0)
	if !r.isTable { // empty cells are written, too
		has = r.scopes()
	}
	if shared != nil {
		dst = shared.append(dst, r, l, has)
	} else {
		for i := range l {
			if has>>l[i].Scope&1 != 0 {
				dst = r.appendColumns(dst, l[i:i+1])
			}
		}
	}
	switch {
	case r.isTyped:
		return dst
	case r.isTable:
		return r.renderer.Cells.endLine(dst)
	}
	dst[start] = '{' // in place of the first comma
	return append(dst, '}', '\n')
}

// appendColumns appends some columns of a line.
func (r *row) appendColumns(dst []byte, list []column) []byte {
	if r.isTable {
		return r.appendCells(dst, list)
	}
	for i := range list {
		c := &list[i]
		if c.number == nil {
			r.column = c
			dst = c.append(r, dst)
		} else if n := c.number(r); n > 0 || n == 0 && c.always {
			dst = jsontext.AppendInt(c.appendKey(dst), n)
		}
	}
	return dst
}

// appendCells is appendColumns for a row of a table.
func (r *row) appendCells(dst []byte, list []column) []byte {
	for i := range list {
		c := &list[i]
		r.column = c
		switch {
		case r.isTyped:
			dst = r.appendTyped(dst)
			continue
		case !c.first:
			dst = append(dst, r.renderer.Cells.separator())
		}
		if c.number == nil {
			dst = c.append(r, dst)
		} else if n := c.number(r); n != none {
			dst = strconv.AppendInt(dst, n, 10)
		}
	}
	return dst
}

// appendText appends the value of the current column.
func (r *row) appendText(dst []byte, s string) []byte {
	c := r.column
	if len(s) > MaxRepeated && (c.typ == asRepeated || c.typ == asTime) {
		s = shortText(s)
		r.cut = append(r.cut, c.name)
	}
	switch {
	case r.isTyped:
		return appendTypedText(dst, c, s)
	case r.isTable:
		return appendCell(dst, s, r.renderer.Cells)
	case s == "" && !c.always:
		return dst
	case c.typ == asOctets:
		return jsontext.AppendBytes(dst, c.name, s)
	}
	return jsontext.AppendString(c.appendKey(dst), s)
}

// appendBytes is like appendText.
func (r *row) appendBytes(dst, s []byte) []byte {
	c := r.column
	switch {
	case r.isTyped:
		return appendTypedText(dst, c, s)
	case len(s) == 0 && (r.isTable || !c.always):
		return dst
	case r.isTable:
		return appendCell(dst, s, r.renderer.Cells)
	case r.isLast(s):
		dst = c.appendKey(dst)
		return append(dst, dst[r.from:r.to]...)
	}
	isPlain := r.isPlain && bytes.Equal(s, r.ref.Ref) || jsontext.IsPlain(s)
	if c.typ == asOctets && !isPlain && !utf8.Valid(s) {
		return jsontext.AppendBytes(dst, c.name, s)
	}
	dst = c.appendKey(dst)
	r.last, r.from = s, len(dst)
	if isPlain {
		dst = jsontext.AppendPlain(dst, s)
	} else {
		dst = jsontext.AppendString(dst, s)
	}
	r.to = len(dst)
	return dst
}

// isLast reports whether s is the value that appendBytes has written last. Often, the reference as written
// is the URL.
func (r *row) isLast(s []byte) bool { return r.last != nil && bytes.Equal(s, r.last) }

// appendFlag appends the value of the current column.
func (r *row) appendFlag(dst []byte, is bool) []byte {
	if r.isTyped {
		return columnar.AppendFlag(dst, is)
	}
	if r.isTable {
		return strconv.AppendBool(dst, is)
	}
	if !is && !r.column.always {
		return dst
	}
	return strconv.AppendBool(r.column.appendKey(dst), is)
}

// appendList appends the value of the current column. Cells have spaces between the items.
func (r *row) appendList(dst []byte, list []string) []byte {
	if len(list) == 0 {
		return dst
	}
	if r.column.typ == asRepeatedList {
		list = r.shorten(list)
	}
	if r.isTyped {
		return columnar.AppendTexts(dst, list)
	}
	if r.isTable {
		return appendCell(dst, strings.Join(list, " "), r.renderer.Cells)
	}
	return jsontext.AppendStrings(r.column.appendKey(dst), list)
}

// shorten cuts the items of a list that are too long to be repeated.
func (r *row) shorten(list []string) []string {
	isCut := false
	for i, s := range list {
		if len(s) <= MaxRepeated {
			continue
		}
		if !isCut {
			list = slices.Clone(list) // do not change the message's own list
			r.cut = append(r.cut, r.column.name)
		}
		list[i], isCut = shortText(s), true
	}
	return list
}

// shortText returns the first MaxRepeated bytes of s, or less so as not to cut a character.
func shortText(s string) string { return s[:shortLength(s)] }

// shortLength returns the length to which a text is cut: MaxRepeated, or less so as not to cut a
// character.
func shortLength[S string | []byte](s S) int {
	if len(s) <= MaxRepeated {
		return len(s)
	}
	n := MaxRepeated
	for n > MaxRepeated-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// appendRanges appends the value of the current column.
func (r *row) appendRanges(dst []byte, ranges []extract.Position) []byte {
	if len(ranges) == 0 {
		return dst
	}
	if r.isTyped {
		dst = columnar.AppendPairs(dst, len(ranges))
		for _, p := range ranges {
			dst = columnar.AppendPair(dst, p.Offset, int64(p.Length))
		}
		return dst
	}
	if r.isTable {
		for i, p := range ranges {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = fmt.Appendf(dst, "%d+%d", p.Offset, p.Length)
		}
		return dst
	}
	dst = append(r.column.appendKey(dst), '[')
	for i, p := range ranges {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendInt(append(dst, '['), p.Offset)
		dst = jsontext.AppendInt(append(dst, ','), int64(p.Length))
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

// names returns the names of the columns of l.
func (l layout) names() (names []string) {
	for i := range l {
		names = append(names, l[i].name)
	}
	return names
}

// A Total is one number of a summary.
type Total struct {
	Name     string
	N        int
	Optional bool // left out when 0
}

// AppendSummary appends the last line of the --json output.
func AppendSummary(dst []byte, totals ...Total) []byte {
	dst = append(dst, `{"type":"summary"`...)
	for _, t := range totals {
		if t.N != 0 || !t.Optional {
			dst = strconv.AppendInt(jsontext.AppendKey(dst, t.Name), int64(t.N), 10)
		}
	}
	return append(dst, "}\n"...)
}
