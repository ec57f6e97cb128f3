package message

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A name is a header field that has a meaning here.
type name uint8

const (
	other name = iota
	fieldBase
	fieldContentBase
	fieldContentDisposition
	fieldContentID
	fieldContentLocation
	fieldContentType
	fieldDate
	fieldEncoding
	fieldFrom
	fieldInReplyTo
	fieldList // a list of URLs: RFC 2369, RFC 5064
	fieldListID
	fieldMessageID
	fieldNewsgroups
	fieldReferences
	fieldSnapshot
	fieldSubject
	fieldURL // one URL, by convention
)

// knownFields holds the fields that have a meaning here, and their names in output.
// Source: by hand, as of November 2026, RFC 1808 section 3.1, RFC 2045 to 2047, RFC 2183, RFC 2369,
// RFC 2557, RFC 5064, RFC 5322, and the fields for URLs that mailers invented.
var knownFields = [...]struct {
	name   name
	output string
}{
	{other, ""},
	{fieldBase, "Base"},
	{fieldContentBase, "Content-Base"},
	{fieldContentDisposition, "Content-Disposition"},
	{fieldContentID, "Content-ID"},
	{fieldContentLocation, "Content-Location"},
	{fieldEncoding, "Content-Transfer-Encoding"},
	{fieldContentType, "Content-Type"},
	{fieldDate, "Date"},
	{fieldFrom, "From"},
	{fieldInReplyTo, "In-Reply-To"},
	{fieldListID, "List-Id"},
	{fieldMessageID, "Message-ID"},
	{fieldNewsgroups, "Newsgroups"},
	{fieldReferences, "References"},
	{fieldSnapshot, "Snapshot-Content-Location"},
	{fieldSubject, "Subject"},

	{fieldList, "Archived-At"},
	{fieldList, "List-Archive"},
	{fieldList, "List-Help"},
	{fieldList, "List-Owner"},
	{fieldList, "List-Post"},
	{fieldList, "List-Subscribe"},
	{fieldList, "List-Unsubscribe"},

	{fieldURL, "URI"},
	{fieldURL, "URL"},
	{fieldURL, "X-Archived-At"},
	{fieldURL, "X-URI"},
	{fieldURL, "X-URL"},
}

var (
	fieldTable  *lexicon.Table
	fieldFilter lexicon.Filter
)

func init() {
	names := make([]string, len(knownFields))
	for i, f := range knownFields[1:] {
		names[i+1] = strings.ToLower(f.output)
		fieldFilter.Add(names[i+1])
	}
	fieldTable = lexicon.NewTable(names, true)
}

// known returns the field with this name in any case, and the form of the name in output.
func known(called []byte) (n name, output string) {
	if !fieldFilter.Has(called) {
		return other, ""
	}
	f := &knownFields[fieldTable.Find(called)]
	return f.name, f.output
}

// ordinary holds fields of mail and news whose values are not parsed. They distinguish a heading from
// other text. Source: by hand, as of November 2026, RFC 5322 section 3.6, RFC 5536 section 3, and the
// most frequent others in archives.
var ordinary = set(`authentication-results bcc cc content-description content-length delivered-to
dkim-signature envelope-to errors-to lines mime-version organization path posted
precedence received relay-version reply-to return-path sender status to user-agent
x-mailer x-mozilla-status x-original-to x-status xref`)

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

const (
	longestName = len("content-transfer-encoding")
	maxName     = 80 // of fields that show that a heading continues, and of names in Items
)

// A field is a field of a heading that has a meaning here, or that holds encoded words.
type field struct {
	name   name
	output string // its name in Items
	words  bool   // it may hold encoded words
	start  int    // of its name
	colon  int
	end    int // of its value, after the last line break
}

func (f *field) value(src []byte) []byte { return src[f.colon+1 : f.end] }

// fieldName returns the length of the name of the field at the beginning of line, and the offset of its
// colon, which white space may precede (RFC 5322 4.5). If line is not a field, colon is -1.
func fieldName(line []byte) (end, colon int) {
	for end < len(line) && nameBytes[line[end]] {
		end++
	}
	for colon = end; colon < len(line) && (line[colon] == ' ' || line[colon] == '\t'); colon++ {
	}
	if end == 0 || colon == len(line) || line[colon] != ':' {
		return end, -1
	}
	return end, colon
}

// nameBytes holds the bytes of names of fields (RFC 5322 section 2.2).
var nameBytes = func() (t [256]bool) {
	for c := '!'; c <= '~'; c++ {
		t[c] = c != ':'
	}
	return t
}()

// lowerName returns a name in lower case, "" if it is longer than all names here.
func lowerName(buf *[longestName]byte, name []byte) []byte {
	if len(name) > len(buf) {
		return nil
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	return buf[:len(name)]
}

// ofMail reports whether line begins with a field that occurs in mail and news, and not in other
// text.
func ofMail(line []byte) bool {
	end, colon := fieldName(line)
	if colon < 0 {
		return false
	}
	var buf [longestName]byte
	n, _ := known(line[:end])
	return ordinary[string(lowerName(&buf, line[:end]))] || n != other && n != fieldBase && n != fieldURL
}

// Is reports whether head, the first bytes of an input, begins a message: a heading with at least two
// fields of mail, or at least three if head does not hold the whole heading.
func Is(head []byte) bool {
	known := 0
	for first := true; len(head) > 0; first = false {
		line, rest, _ := bytes.Cut(head, []byte{'\n'})
		_, colon := fieldName(line)
		switch {
		case len(bytes.TrimRight(line, "\r")) == 0:
			return known >= 2
		case line[0] == ' ' || line[0] == '\t':
			if first {
				return false
			}
		case ofMail(line):
			known++
		case colon < 0 && len(rest) > 0 && !(first && isFrom(line)):
			return false
		}
		head = rest
	}
	return known >= 3
}

// IsEntity reports whether head, the first bytes of an input, begins a MIME entity: a message, or a heading
// that begins with a field of MIME.
func IsEntity(head []byte) bool {
	n, colon := fieldName(head)
	return colon > 0 && isOfContent(head[:n+1]) || Is(head)
}

// isFrom reports whether line is a line that mailboxes put before headings.
func isFrom(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From "))
}

// heading reads the heading of e, the entity with index i, and finds where its content begins. Lines
// end in LF or CRLF.
func (s *Scanner) heading(e *entity, i int) {
	src := s.src
	e.field, e.body = len(s.fields), len(src)
	kept := false // the last field is in s.fields
	for line := e.head; line < len(src); {
		end := len(src)
		if nl := bytes.IndexByte(src[line:], '\n'); nl >= 0 {
			end = line + nl + 1
		}
		switch c := src[line]; {
		case c == '\n' || c == '\r' && lineBreak(src[line:end]) == end-line: // some programs double the CR
			e.body = end
		case c == ' ' || c == '\t':
			if kept {
				s.fields[len(s.fields)-1].end = end
			}
		case c == '-' && s.delimiterAt(line).level >= 0:
			e.body = line
		default:
			kept = s.headingLine(e, line, end, kept)
		}
		if e.body < len(src) {
			if e.body == line && (line > e.head || e.parent < 0) && !(s.headersOnly(e) && s.delimiterAt(line).level >= 0) {
				s.odd(i, line, scan.CodeMalformed, "no blank line after the header")
			}
			break
		}
		line = end
	}
	if e.body-e.head > maxHeading {
		s.odd(i, e.head, scan.CodeTooLarge, "a header of more than 1 MiB: its further fields are only scanned for references")
	}
	s.encodedWords(e)
	e.fields = len(s.fields)
	s.read(e, i)
}

// headingLine reads s.src[line:end], which is not indented, and sets e.body if the heading of e ends
// before it. kept says whether the previous field is in s.fields; the result says whether the field
// that the line belongs to is.
func (s *Scanner) headingLine(e *entity, line, end int, kept bool) bool {
	text := s.src[line:end]
	n, colon := fieldName(text)
	if colon >= 0 {
		id, called := known(text[:n])
		if id == other || line-e.head >= maxHeading {
			return false
		}
		s.fields = append(s.fields, field{name: id, output: called, start: line, colon: line + colon, end: end})
		return true
	}
	switch {
	case line == e.head && isFrom(text):
		return kept
	case line > e.head && isFolded(s.src[e.head:line], text[0]):
		if kept {
			s.fields[len(s.fields)-1].end = end
		}
		return kept
	case bytes.HasPrefix(text, []byte("--")) && s.opensOwn(e, line), !s.goesOn(line, end, e):
	default:
		return false
	}
	e.body = line
	return kept
}

// opensOwn reports whether the line at line is the first delimiter of e itself, whose heading no empty line
// ends. Only the first line of e that begins with two hyphens may be.
func (s *Scanner) opensOwn(e *entity, line int) bool {
	if e.hasHyphens {
		return false
	}
	e.hasHyphens = true
	for _, f := range s.fields[e.field:] {
		if f.name == fieldContentType {
			var t contentType
			t.read(f.value(s.src))
			open := s.open
			s.open = append(s.open, t.boundary)
			d := s.delimiterAt(line)
			s.open = open
			return len(t.boundary) > 0 && d.level == len(open)
		}
	}
	return false
}

// headersOnly reports whether e has the form of text/rfc822-headers: a heading, and no content (RFC
// 3462 2).
func (s *Scanner) headersOnly(e *entity) bool {
	return e.parent >= 0 && s.entities[e.parent].mediaType == "text/rfc822-headers"
}

// isFolded reports whether a line that begins with c continues the field at the end of head, but lost
// its indentation. The field ends in a character that separates parameters or URLs.
func isFolded(head []byte, c byte) bool {
	head = bytes.TrimRight(bytes.TrimSuffix(head, []byte{'\n'}), "\r") // only one line break: head may be very long
	last := head[max(0, len(head)-1):]
	return string(last) == ";" && c != '<' || string(last) == "," && c == '<'
}

// goesOn reports whether the heading of e continues after s.src[line:end], which is not a field: either a
// line that lost its indentation, or one that does not belong there. The heading continues if one of the
// next few lines, before any empty line, is a field that headings have.
func (s *Scanner) goesOn(line, end int, e *entity) bool {
	few := 16
	if line == e.head && e.parent >= 0 {
		few = 1 // a part may have no heading
	}
	for ; few > 0 && s.src[line] != '<'; few-- {
		rest := s.src[end:]
		if len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r' || s.delimiterAt(end).level >= 0 {
			break
		}
		field := rest[:min(len(rest), maxName)]
		if _, colon := fieldName(field); ofMail(field) || colon > 0 && field[0]|0x20 == 'x' && field[1] == '-' {
			return true
		}
		line = end
		if nl := bytes.IndexByte(rest, '\n'); nl >= 0 {
			end += nl + 1
		} else {
			end = len(s.src)
		}
	}
	return false
}

// encodedWords marks the fields in the heading of e that may hold encoded words.
func (s *Scanner) encodedWords(e *entity) {
	limit := min(e.body, e.head+maxHeading)
	known := len(s.fields)
	for at, k := e.head, e.field; at < limit; { // a field may end after limit
		i := bytes.Index(s.src[at:limit], []byte("=?"))
		if i < 0 {
			break
		}
		at += i
		for k < known && s.fields[k].end <= at {
			k++
		}
		if k < known && s.fields[k].start <= at {
			s.fields[k].words = true
			at = s.fields[k].end
			continue
		}
		f := field{start: fieldStart(s.src[:at], e.head), end: fieldEnd(s.src[:e.body], at), words: true}
		n, colon := fieldName(s.src[f.start:f.end])
		at = f.end
		if colon >= 0 {
			f.output, f.colon = string(s.src[f.start:f.start+min(n, maxName)]), f.start+colon
			s.fields = append(s.fields, f)
		}
	}
	if len(s.fields) > known {
		slices.SortFunc(s.fields[e.field:], func(a, b field) int { return a.start - b.start })
	}
}

// fieldStart returns where the last field of src begins. The field is in a heading that begins at head.
func fieldStart(src []byte, head int) int {
	for at := len(src); ; {
		line := bytes.LastIndexByte(src[head:at], '\n')
		if line < 0 {
			return head
		}
		if at = head + line; at+1 < len(src) && src[at+1] != ' ' && src[at+1] != '\t' {
			return at + 1
		}
	}
}

// fieldEnd returns the end of the field that contains at, after its last line break.
func fieldEnd(src []byte, at int) int {
	for at < len(src) {
		nl := bytes.IndexByte(src[at:], '\n')
		if nl < 0 {
			return len(src)
		}
		if at += nl + 1; at < len(src) && src[at] != ' ' && src[at] != '\t' {
			break
		}
	}
	return at
}

// find returns the first field with this name in the heading of e, nil if there is none.
func (s *Scanner) find(e *entity, n name) *field {
	for i := range s.fields[e.field:e.fields] {
		if f := &s.fields[e.field+i]; f.name == n {
			return f
		}
	}
	return nil
}

// read determines the properties of the content of entity e, with index i, from its heading.
func (s *Scanner) read(e *entity, i int) {
	e.mediaType = "text/plain"
	if e.parent >= 0 && s.entities[e.parent].mediaType == "multipart/digest" {
		e.mediaType = "message/rfc822" // RFC 2046 5.1.5
	}
	if f := s.find(e, fieldContentType); f != nil {
		e.contentType.read(f.value(s.src))
	}
	if f := s.find(e, fieldContentDisposition); f != nil {
		var d contentType
		d.read(f.value(s.src))
		if d.name != "" {
			e.name = d.name
		}
	}
	if strings.Contains(e.name, "=?") { // not allowed (RFC 2047 5), but frequent, and mail programs decode it
		e.name = s.plainWords([]byte(e.name))
	}
	if f := s.find(e, fieldEncoding); f != nil {
		var known bool
		if e.encoding, known = encodingOf(f.value(s.src)); !known {
			s.odd(i, f.start, scan.CodeUnknownEncoding, "unknown Content-Transfer-Encoding "+strconv.Quote(string(bytes.TrimSpace(f.value(s.src))))+": read as it is")
		}
	}
	major, minor, _ := strings.Cut(e.mediaType, "/")
	switch {
	case major == "multipart":
		e.kind = multipart
	case major == "text" && len(e.boundary) > 0 && s.isMultipart(e):
		s.odd(i, e.head, scan.CodeMalformed, e.mediaType+" that contains the parts of a multipart")
		e.kind = multipart
	case major == "message" || minor == "rfc822-headers":
		switch minor {
		case "rfc822", "global", "news", "rfc822-headers":
			e.kind = enclosing
			if e.encoding != identity {
				e.kind = leaf
			}
		case "external-body":
			e.kind = external
		case "partial": // RFC 2046 5.2.2
			s.odd(i, e.head, scan.CodePartial, "one part of a message/partial: read by itself")
			e.mediaType = "text/plain"
			if e.piece == "1" {
				e.kind = enclosing
			}
		}
	}
}

// isMultipart reports whether e, declared as text, has a boundary that separates parts: a delimiter
// with a field after it.
func (s *Scanner) isMultipart(e *entity) bool {
	open := s.open
	defer func() { s.open = open }()
	s.open = append(s.open, e.boundary)
	d := s.next(e.body)
	_, colon := fieldName(s.src[d.after:])
	return d.level == len(open) && colon > 0
}

// An encoding is a content transfer encoding (RFC 2045 6).
type encoding uint8

const (
	identity encoding = iota
	inQP
	inBase64
	inUU
)

// encodingOf parses a Content-Transfer-Encoding, including frequent misspellings: "8bith", "quoted
// printable", "=?utf-8?Q?8bit?=". known is false if it names no encoding.
func encodingOf(value []byte) (e encoding, known bool) {
	var b [32]byte
	word := b[:0]
	for _, c := range value {
		if ascii.IsAlnum(c) {
			word = append(word, ascii.ToLower(c))
			if len(word) == cap(b) {
				break
			}
		}
	}
	has := func(s string) bool { return bytes.Contains(word, []byte(s)) }
	switch {
	case has("base64"), string(word) == "b":
		return inBase64, true
	case has("quotedprintable"), string(word) == "qp":
		return inQP, true
	case has("uue"), string(word) == "uu":
		return inUU, true
	}
	return identity, len(word) == 0 || has("7bit") || has("8bit") || has("binary") || has("none")
}

// A contentType holds the value of a Content-Type field (RFC 2045 5.1, RFC 2231).
type contentType struct {
	mediaType string
	boundary  []byte
	charset   string
	name      string // of a file
	flow      scan.Flow
	url       scan.Span // the range, in the field's value, of the URL of external content (RFC 2017)
	piece     string    // of a message that is split into pieces: its number
}

// mediaTypes are the types of nearly all entities, which need no memory of their own.
var mediaTypes = []string{
	"text/plain", "text/html", "multipart/alternative", "multipart/mixed", "multipart/related", "multipart/signed",
	"multipart/report", "message/rfc822", "message/delivery-status", "image/gif", "image/jpeg", "image/png",
	"application/octet-stream", "application/pdf", "application/pgp-signature",
}

// read parses value. Properties that value does not give stay unchanged in t; an invalid type becomes
// text/plain.
func (t *contentType) read(value []byte) {
	p := params{rest: value}
	word := p.token()
	var b [64]byte
	lower := b[:0]
	for _, c := range word[:min(len(word), cap(b))] {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower = append(lower, c)
	}
	if i := slices.Index(mediaTypes, string(lower)); i >= 0 {
		t.mediaType = mediaTypes[i]
	} else if bytes.IndexByte(lower, '/') > 0 {
		t.mediaType = string(lower)
	} else if string(lower) == "multipart" {
		t.mediaType = "multipart/mixed"
	} else if len(lower) > 0 {
		t.mediaType = "text/plain"
	}
	var boundary, name []byte
	for {
		key, val, ok := p.next()
		if !ok {
			break
		}
		if p.extended {
			val = extendedValue(val)
		}
		var buf [longestName]byte
		switch string(lowerName(&buf, key)) {
		case "boundary":
			boundary = append(boundary, val...)
		case "charset":
			if t.charset == "" {
				t.charset = commonCharset(val)
			}
		case "name", "filename":
			name = append(name, val...)
		case "format":
			if bytes.EqualFold(val, []byte("flowed")) {
				t.flow = max(t.flow, scan.Flowed)
			}
		case "delsp":
			if bytes.EqualFold(val, []byte("yes")) {
				t.flow = scan.DelSp
			}
		case "url":
			t.url = p.at
		case "number":
			t.piece = string(val)
		}
	}
	// The spaces at the end of a boundary were added in transport (RFC 2046 5.1.1).
	t.boundary = bytes.TrimRight(boundary, " \t\r\n")
	t.name = string(name)
}

// commonCharset returns a label as a string, without allocating for most labels.
func commonCharset(label []byte) string {
	for _, s := range [...]string{"us-ascii", "utf-8", "UTF-8", "iso-8859-1", "US-ASCII", "ISO-8859-1", "iso-2022-jp", "windows-1252"} {
		if string(label) == s {
			return s
		}
	}
	return string(label)
}

// extendedValue decodes charset'language'%hh (RFC 2231 4). It ignores the charset: the parts of such
// values that matter here are ASCII.
func extendedValue(val []byte) []byte {
	if i := bytes.LastIndexByte(val, '\''); i >= 0 {
		val = val[i+1:]
	}
	return ascii.UnescapeAll(val)
}

// params reads the parameters of a structured field. The separators may be missing.
type params struct {
	rest     []byte
	pos      int       // of rest in the value
	at       scan.Span // of the last value read
	extended bool      // the last parameter had a "*"
	literal  bool      // a parenthesis begins no comment, because one was not closed
}

const blanks = " \t\r\n"

func (p *params) skip(n int) { p.rest, p.pos = p.rest[n:], p.pos+n }

// token reads up to a blank, ";", "(" or quotation mark.
func (p *params) token() []byte {
	p.blank(spaceByte | quoteByte)
	n := p.until(spaceByte | quoteByte | separatorByte | commentByte)
	word := p.rest[:n]
	p.skip(n)
	return word
}

// Classes of the bytes of a structured field.
const (
	spaceByte     = 1 << iota
	quoteByte     // a quotation mark
	separatorByte // of parameters
	equalsByte
	commentByte
)

var byteClass = [256]uint8{
	' ': spaceByte, '\t': spaceByte, '\r': spaceByte, '\n': spaceByte,
	'"': quoteByte, ';': separatorByte, '(': commentByte, '=': equalsByte,
}

// until returns the number of bytes before the first byte of the class.
func (p *params) until(class uint8) int {
	for i, c := range p.rest {
		if byteClass[c]&class != 0 {
			return i
		}
	}
	return len(p.rest)
}

// blank skips comments and bytes of the class.
func (p *params) blank(class uint8) {
	for {
		n := 0
		for n < len(p.rest) && byteClass[p.rest[n]]&class != 0 {
			n++
		}
		p.skip(n)
		if len(p.rest) == 0 || p.rest[0] != '(' {
			return
		}
		n = 1
		if !p.literal {
			if n = comment(p.rest); n < 0 {
				n, p.literal = 1, true
			}
		}
		p.skip(n)
	}
}

// comment returns the length of the comment at the beginning of b (RFC 5322 3.2.2), -1 if it is not
// closed.
func comment(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// next reads the next parameter: its name, without the "*" and the number of a piece (RFC 2231 3),
// and its value without quotation marks.
func (p *params) next() (key, val []byte, ok bool) {
	for {
		p.blank(spaceByte | quoteByte | separatorByte)
		n := p.until(spaceByte | quoteByte | separatorByte | commentByte | equalsByte)
		if n == len(p.rest) {
			return nil, nil, false
		}
		key = p.rest[:n]
		p.skip(n)
		p.blank(spaceByte)
		if len(p.rest) > 0 && p.rest[0] == '=' {
			break
		}
	}
	p.skip(1)
	p.blank(spaceByte)
	key, piece, extended := bytes.Cut(key, []byte{'*'})
	p.extended = extended && (len(piece) == 0 || piece[len(piece)-1] == '*')
	if len(p.rest) > 0 && p.rest[0] == '"' {
		val = p.quoted()
		return key, val, true
	}
	n := p.until(spaceByte | quoteByte | separatorByte)
	if bytes.HasPrefix(p.rest, []byte("=?")) {
		n += moreWords(p.rest[n:])
	}
	val, p.at = p.rest[:n], scan.Span{Start: p.pos, End: p.pos + n}
	p.skip(n)
	return key, val, true
}

// moreWords returns the length of the encoded words at the beginning of b, after another one, with the
// white space before them.
func moreWords(b []byte) (n int) {
	for {
		rest := bytes.TrimLeft(b[n:], blanks)
		if !bytes.HasPrefix(rest, []byte("=?")) {
			return n
		}
		end := encodedWord(rest)
		if end < 0 {
			return n
		}
		n = len(b) - len(rest) + end
	}
}

// quoted reads a quoted string (RFC 5322 3.2.4). An unclosed one ends at the next ";", or with the
// value.
func (p *params) quoted() []byte {
	p.skip(1)
	end, escaped := 0, false
	for end < len(p.rest) && p.rest[end] != '"' {
		if p.rest[end] == '\\' {
			escaped = true
			end++
		}
		end++
	}
	closed := end < len(p.rest)
	if !closed {
		if end = bytes.IndexByte(p.rest, ';'); end < 0 {
			end = len(p.rest)
		}
	}
	val := p.rest[:end]
	p.at = scan.Span{Start: p.pos, End: p.pos + end}
	p.skip(end)
	if closed {
		p.skip(1)
	} else {
		val = bytes.TrimRight(val, blanks)
	}
	if escaped {
		plain := make([]byte, 0, len(val))
		for i := 0; i < len(val); i++ {
			if val[i] == '\\' && i+1 < len(val) {
				i++
			}
			plain = append(plain, val[i])
		}
		return plain
	}
	return val
}
