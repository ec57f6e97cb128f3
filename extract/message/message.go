// Package message scans messages of mail and news: RFC 822 to RFC 5322, with MIME (RFC 2045 to 2049) and
// enclosed entities. For each entity it yields first the base that its heading gives (RFC 1808 3, RFC 2557
// 5), then the references in its heading, and its content with the transfer encoding decoded. Use it for
// the parts and references of a message as they are written; package extract also reads the contents of the
// parts.
//
// Every input is a message. Irregularities are Notes, and never end the scan: content that a broken
// structure hides is read as running text.
//
// # Complexity
//
// Time is linear for every input: the message is cut up in one pass, at any nesting, and each body is
// decoded once. Memory is about 200 bytes for each of at most 10,000 entities, and for each body its
// decoded size, which is never more than the size of the body itself.
//
// Notable divergences from the RFCs:
//
//   - a delimiter line of any open multipart ends all open entities within it, so that an unclosed
//     multipart does not swallow the entities around it (RFC 2046 5.1.2 requires only that);
//   - the text before the first and after the last delimiter is read, as running text, although mail
//     readers do not show it (RFC 2046 5.1.1);
//   - a Content-Transfer-Encoding of a multipart is ignored (RFC 2045 6.4).
package message

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"mime"
	"slices"
	"strconv"

	"example.org/refract/delimit"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/charset"
)

const (
	maxDepth   = 64      // of nested entities
	maxParts   = 10_000  // in one message
	maxHeading = 1 << 20 // bytes in the heading of one entity
	maxKept    = 1 << 20 // bytes of memory that are kept for the next message
)

// Prefer says which alternatives of a multipart/alternative to read.
type Prefer uint8

const (
	PreferNone Prefer = iota // all alternatives
	PreferHTML               // all but text/plain if there is text/html
	PreferText               // all but text/html if there is text/plain
)

// A Scanner scans one message at a time.
type Scanner struct {
	// Nested reports that the message is enclosed in an entity of another message. Then its Enter has
	// the Name "1"; otherwise, in a message without parts, the Body has that Name.
	Nested bool

	Quoted  bool // an mbox may have put a ">" before lines that begin with "From "
	Outline bool // yield only the Items that name the entities: Enter, Base, Content-Location, Leave
	Cite    bool // set Message of Enter
	Prefer  Prefer

	// Excerpt is the piece of a message whose Text is scanned; nil means a whole message.
	Excerpt *Excerpt

	// ReadAs returns the media type as which to read the content of an entity, given its own type, in lower
	// case, and its file name, or "". If it returns "", the content is not read. If ReadAs is nil, everything
	// is read as its own type.
	ReadAs func(mediaType, name string) string

	finder   plain.Scanner
	words    mime.WordDecoder
	entities []entity
	fields   []field
	notes    []note   // sorted by entity
	due      []note   // notes that have not been yielded
	open     [][]byte // the boundaries whose delimiters count, from the outermost multipart in
	full     bool     // there are too many parts: delimiters no longer count

	yield func(*scan.Item) bool
	item  scan.Item
	more  scan.More
	src   []byte
	parts []scan.Span
	long  bool // the reference that take was to collect is too long
	value []byte
	text  []byte
	m     scan.Map
}

// An entity is the message, or a body part.
type entity struct {
	kind   kind
	parent int // index of the enclosing entity; -1 if there is none
	number int // among the parts of the enclosing entity, from 1
	depth  int

	head, body, end int // where its heading begins, where its content begins, and where that ends
	preamble        int // of a multipart with parts: where its preamble ends
	epilogue        int // of a multipart that is closed: where its epilogue begins
	field, fields   int // the fields of its heading are Scanner.fields[field:fields]
	parts           int // number of parts of a multipart

	contentType
	encoding encoding
	skip     bool // another alternative is preferred

	hasHyphens bool // a line of its heading begins with two hyphens
}

type kind uint8

const (
	leaf      kind = iota
	multipart      // RFC 2046 5.1
	enclosing      // a message, not encoded
	external       // RFC 2046 5.2.3: the text in it is not its content
)

// A note is an irregularity of an entity.
type note struct {
	entity, at int
	code       scan.Code
	text       string
}

// Scan yields the Items of the message, entity by entity in source order. The first Item is the Enter
// of the message itself, the last one its Leave.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		if bytes.IndexByte(src, '\n') < 0 && bytes.IndexByte(src, '\r') >= 0 {
			src = bytes.ReplaceAll(src, []byte{'\r'}, []byte{'\n'})
		}
		s.src, s.yield = src, yield
		if s.Excerpt != nil && s.Excerpt.From > 0 {
			s.yield = s.Excerpt.onlyNew(yield)
		}
		s.finder.Finder.Rules.Abbreviated = delimit.AbbreviatedNone
		s.entities, s.fields, s.notes, s.open, s.full = s.entities[:0], s.fields[:0], s.notes[:0], s.open[:0], false
		s.parse(-1, 1, 0, 0)
		s.choose()
		slices.SortStableFunc(s.notes, func(a, b note) int { return a.entity - b.entity })
		s.due = s.notes
		s.walk(0)
		s.src, s.yield = nil, nil
		if cap(s.value) > maxKept || cap(s.text) > maxKept {
			s.value, s.text, s.parts = nil, nil, nil
			s.item = scan.Item{} // its Value may be the last content
		}
	}
}

// onlyNew returns a yield function that passes on the structure, but contents only if they begin at
// From or later.
func (e *Excerpt) onlyNew(yield func(*scan.Item) bool) func(*scan.Item) bool {
	return func(it *scan.Item) bool {
		switch it.Op {
		case scan.Ref, scan.Body, scan.Note:
			if it.Span.Start < e.From {
				return true
			}
		}
		return yield(it)
	}
}

// wordReader decodes the text of an encoded word. Unlike the result of transform.NewReader, its
// result need not be copied piece by piece, through 44 KB of buffers.
func wordReader(label string, r io.Reader) (io.Reader, error) {
	name := charset.Lookup(label)
	if name == "" {
		return nil, fmt.Errorf("message: unknown charset %q", label)
	}
	src, err := io.ReadAll(r)
	if err != nil || name == "utf-8" {
		return bytes.NewReader(src), err
	}
	return bytes.NewReader(charset.NewDecoder(name).Bytes(src)), nil
}

// A delimiter ends an entity: it is the line of one of the multiparts around the entity, or the end
// of the message.
type delimiter struct {
	end    int // of the content before it: the line break belongs to the line
	line   int // where the line begins
	after  int // where the next line begins
	level  int // index of its multipart in Scanner.open; -1 is the end of the message
	closes bool
}

// parse cuts up the entity whose heading begins at at, and returns the delimiter that ended it.
// number is its number among the parts of parent.
func (s *Scanner) parse(parent, number, depth, at int) delimiter {
	i := len(s.entities)
	s.entities = append(s.entities, entity{parent: parent, number: number, depth: depth, head: at})
	e := &s.entities[i]
	s.heading(e, i)
	kind, body := e.kind, e.body
	if kind != leaf && depth == maxDepth {
		s.odd(i, at, scan.CodeTooDeep, "nested more than 64 deep: read as running text")
		e.kind, e.mediaType, kind = leaf, "text/plain", leaf
	}
	var d delimiter
	switch kind {
	case multipart:
		d = s.multipart(i, depth, body)
	case enclosing:
		d = s.parse(i, 1, depth+1, body)
	default:
		d = s.next(body)
	}
	e = &s.entities[i]
	e.end = max(d.end, body)
	return d
}

// multipart cuts up the content of entity i, which begins at body.
func (s *Scanner) multipart(i, depth, body int) delimiter {
	level := len(s.open)
	boundary := s.entities[i].boundary
	trouble := "a multipart without a boundary"
	var d delimiter
	if len(boundary) > 0 {
		s.open = append(s.open, boundary)
		if d = s.next(body); d.level != level {
			trouble = "the boundary does not occur"
			s.open = s.open[:level]
		}
	}
	if len(s.open) == level {
		text := body + len(s.src[body:]) - len(bytes.TrimLeft(s.src[body:], "\r\n"))
		switch boundary = s.guess(body); {
		case boundary != nil:
			s.odd(i, s.entities[i].head, scan.CodeMalformed, trouble+": taken from the first delimiter")
			s.open = append(s.open, boundary)
			d = s.next(body)
		case isPart(s.src[text:]):
			s.odd(i, s.entities[i].head, scan.CodeMalformed, trouble+": read as one part")
			s.entities[i].preamble = body
			return s.parse(i, 1, depth+1, text)
		default:
			d = s.next(body)
			if e := &s.entities[i]; (!s.headersOnly(e) || text < d.end) && !s.isCut() {
				s.odd(i, e.head, scan.CodeMalformed, trouble+": read as running text")
			}
			return d
		}
	}
	s.entities[i].preamble = d.end
	for n := s.firstPart(i, depth); d.level == level && !d.closes; n++ {
		if len(s.entities) >= maxParts {
			s.odd(i, d.line, scan.CodeTooLarge, "more than 10000 parts: the rest is read as running text")
			s.full, d.closes = true, true
			break
		}
		s.entities[i].parts = n
		d = s.parse(i, n, depth+1, d.after)
	}
	s.open = s.open[:level]
	if d.level != level {
		if !s.isCut() {
			s.odd(i, s.entities[i].head, scan.CodeUnclosed, "an unclosed multipart")
		}
		return d
	}
	s.entities[i].epilogue = d.after
	return s.next(d.after)
}

// firstPart returns the number of the first part of entity i: in an Excerpt, others may precede it.
func (s *Scanner) firstPart(i, depth int) int {
	if s.Excerpt != nil && i == depth && depth+1 < len(s.Excerpt.Numbers) {
		return s.Excerpt.Numbers[depth+1]
	}
	return 1
}

// isCut reports whether the message continues after the scanned bytes: then a missing delimiter may
// follow.
func (s *Scanner) isCut() bool { return s.Excerpt != nil && !s.Excerpt.Ends }

// next finds the first delimiter at or after at, which begins a line.
func (s *Scanner) next(at int) delimiter {
	if s.full || len(s.open) == 0 || at == len(s.src) {
		return delimiter{end: len(s.src), line: len(s.src), after: len(s.src), level: -1}
	}
	for line := at; ; {
		if d := s.delimiterAt(line); d.level >= 0 {
			d.end = line
			if d.end > at && s.src[d.end-1] == '\n' {
				d.end--
				if d.end > at && s.src[d.end-1] == '\r' {
					d.end--
				}
			}
			return d
		}
		// Searching only for the hyphens, and then checking the byte before them, is faster: most lines
		// have no hyphens.
		for {
			i := bytes.Index(s.src[line+1:], []byte("--"))
			if i < 0 {
				return delimiter{end: len(s.src), line: len(s.src), after: len(s.src), level: -1}
			}
			if line += 1 + i; s.src[line-1] == '\n' {
				break
			}
			for line+2 < len(s.src) && s.src[line+2] == '-' { // a line drawn in hyphens
				line++
			}
		}
	}
}

// delimiterAt reads the line at line as a delimiter of one of the open multiparts, the innermost first: two
// hyphens, the boundary, two more hyphens for the last one, and white space (RFC 2046 5.1.1). A longer
// boundary that begins with the boundary of a multipart is not its delimiter.
func (s *Scanner) delimiterAt(line int) delimiter {
	rest := s.src[line:]
	if len(rest) < 2 || rest[0] != '-' || rest[1] != '-' {
		return delimiter{level: -1}
	}
	rest = rest[2:]
	for level := len(s.open) - 1; level >= 0; level-- {
		tail, ok := bytes.CutPrefix(rest, s.open[level])
		if !ok {
			continue
		}
		after, closes := bytes.CutPrefix(tail, []byte("--"))
		n := lineBreak(after)
		if n < 0 && closes { // the boundary of the next delimiter may continue with hyphens
			after, closes = tail, false
			n = lineBreak(after)
		}
		if n >= 0 {
			return delimiter{line: line, after: len(s.src) - len(after) + n, level: level, closes: closes}
		}
	}
	return delimiter{level: -1}
}

// lineBreak returns the length of the white space and the line break at the beginning of b, or the length
// of b if it consists of white space; -1 if it begins with neither.
func lineBreak(b []byte) int {
	for i, c := range b {
		switch c {
		case ' ', '\t', '\r':
		case '\n':
			return i + 1
		default:
			return -1
		}
	}
	return len(b)
}

// guess searches for the first delimiter of a multipart whose boundary is not known: a line that
// begins with two hyphens before a line that is a field of a body part's heading.
func (s *Scanner) guess(body int) []byte {
	for line := body; ; {
		rest := s.src[line:]
		if bytes.HasPrefix(rest, []byte("--")) {
			text, next, ok := bytes.Cut(rest, []byte{'\n'})
			boundary := bytes.TrimRight(text[2:], " \t\r")
			if ok && len(boundary) > 0 && len(boundary) <= 200 && isPart(next) {
				return boundary
			}
		}
		if s.delimiterAt(line).level >= 0 {
			return nil
		}
		i := bytes.Index(rest, []byte("\n--"))
		if i < 0 {
			return nil
		}
		line += i + 1
	}
}

// isPart reports whether src begins like the heading of a body part.
func isPart(src []byte) bool {
	return len(src) > 8 && bytes.EqualFold(src[:8], []byte("content-"))
}

// choose marks the alternatives to skip because another one is preferred. If none has the preferred
// form, all are read.
func (s *Scanner) choose() {
	if s.Prefer == PreferNone {
		return
	}
	want, drop := "text/html", "text/plain"
	if s.Prefer == PreferText {
		want, drop = drop, want
	}
	form := make([]string, len(s.entities)) // of each entity that is an alternative
	wanted := make([]bool, len(s.entities)) // of each multipart: one of its alternatives has the preferred form
	for i := len(s.entities) - 1; i >= 0; i-- {
		e := &s.entities[i]
		if e.kind == leaf {
			form[i] = e.mediaType
		}
		if e.parent < 0 {
			continue
		}
		switch p := &s.entities[e.parent]; {
		case p.mediaType == "multipart/alternative":
			wanted[e.parent] = wanted[e.parent] || form[i] == want
			if form[e.parent] != "text/html" {
				form[e.parent] = form[i]
			}
		case p.kind == multipart && (form[i] == "text/html" || form[i] == "text/plain"):
			form[e.parent] = form[i] // in the end the form of its first text
		}
	}
	for i := range s.entities {
		if e := &s.entities[i]; e.parent >= 0 {
			p := &s.entities[e.parent]
			e.skip = p.skip || p.mediaType == "multipart/alternative" && wanted[e.parent] && form[i] == drop
		}
	}
}

// walk yields entity i with its parts, and returns the index after them; -1 if yield returned false.
func (s *Scanner) walk(i int) int {
	e := &s.entities[i]
	next := i + 1
	if e.skip {
		for next < len(s.entities) && s.entities[next].depth > e.depth {
			next++
		}
		return next
	}
	if !s.enter(i) || !s.bases(e) || !s.headers(e) {
		return -1
	}
	switch e.kind {
	case multipart:
		end := e.end
		if e.preamble > 0 || e.epilogue > 0 {
			end = e.preamble
		}
		if !s.around(e.body, end) {
			return -1
		}
		for next < len(s.entities) && s.entities[next].parent == i {
			if next = s.walk(next); next < 0 {
				return -1
			}
		}
		if e.epilogue > 0 && !s.around(e.epilogue, e.end) {
			return -1
		}
	case enclosing:
		if next = s.walk(next); next < 0 {
			return -1
		}
	case leaf:
		if !s.content(e) {
			return -1
		}
	}
	s.item = scan.Item{Op: scan.Leave}
	if !s.yield(&s.item) {
		return -1
	}
	return next
}

// enter yields the Enter of entity i, and its notes.
func (s *Scanner) enter(i int) bool {
	e := &s.entities[i]
	s.item = scan.Item{Op: scan.Enter, Type: e.mediaType, Span: scan.Span{Start: e.head, End: e.end}}
	message := e.parent < 0 || s.entities[e.parent].kind == enclosing && s.isCited(e)
	if e.parent >= 0 || s.Nested {
		s.item.Name = numbers[min(e.number, len(numbers)-1)]
		if e.number >= len(numbers)-1 {
			s.item.Name = strconv.Itoa(e.number)
		}
	}
	if e.parent >= 0 && s.entities[e.parent].mediaType == "multipart/alternative" && s.entities[e.parent].parts > 1 {
		s.item.Labels = scan.Alternative
	}
	if s.Cite && message || e.name != "" {
		s.more = scan.More{File: e.name}
		if s.Cite && message {
			s.more.Message = s.message(e)
		}
		s.item.More = &s.more
	}
	if f := s.find(e, fieldContentID); f != nil {
		s.item.Value = bytes.Trim(f.value(s.src), " \t\r\n<>")
	}
	if !s.yield(&s.item) {
		return false
	}
	for len(s.due) > 0 && s.due[0].entity <= i {
		n := s.due[0]
		s.due = s.due[1:]
		if s.Outline {
			continue
		}
		s.item = scan.Item{Op: scan.Note, Span: scan.Span{Start: n.at, End: n.at}, Code: n.code, Text: n.text}
		if !s.yield(&s.item) {
			return false
		}
	}
	return true
}

// odd records a note about entity i.
func (s *Scanner) odd(i, at int, code scan.Code, text string) {
	s.notes = append(s.notes, note{i, at, code, text})
}

// around yields the text around the parts of a multipart.
func (s *Scanner) around(from, to int) bool {
	if from >= to || len(bytes.TrimSpace(s.src[from:to])) == 0 || s.Outline {
		return true
	}
	s.item = scan.Item{Op: scan.Body, Type: "text/plain", Span: scan.Span{Start: from, End: to}, Value: s.src[from:to]}
	return s.yield(&s.item)
}

// readAs calls read, as of Scanner.ReadAs.
func readAs(read func(mediaType, name string) string, mediaType, name string) string {
	if read == nil {
		return mediaType
	}
	return read(mediaType, name)
}

// content yields the content of an entity that has no parts.
func (s *Scanner) content(e *entity) bool {
	as := readAs(s.ReadAs, e.mediaType, e.name)
	if as == "" && !s.Outline {
		return s.unread(scan.Span{Start: e.head, End: e.head}, e.mediaType, e.name)
	}
	if as == "" || s.Outline || e.body == e.end {
		return true
	}
	src := s.src[e.body:e.end]
	s.item = scan.Item{
		Op: scan.Body, Type: as, Flow: e.flow,
		Span: scan.Span{Start: e.body, End: e.end}, Value: src,
	}
	if e.charset != "" || e.name != "" {
		s.more = scan.More{Charset: e.charset, File: e.name}
		s.item.More = &s.more
	}
	if e.parent < 0 && !s.Nested {
		s.item.Name = "1"
	}
	s.m.Reset()
	switch e.encoding {
	case inQP:
		s.value = appendQP(s.value[:0], &s.m, src, e.body)
	case inBase64:
		s.value = appendBase64(s.value[:0], &s.m, src, e.body)
	case inUU:
		s.value = appendUU(s.value[:0], &s.m, src, e.body)
	default:
		return s.plain(e, src)
	}
	s.item.Value, s.item.Map = s.value, &s.m
	return s.yield(&s.item)
}

// unread yields the note about a file that is not read.
func (s *Scanner) unread(at scan.Span, mediaType, name string) bool {
	s.item = scan.Item{Op: scan.Note, Span: at, Code: scan.CodeUnreadType, Type: mediaType, Name: name}
	return s.yield(&s.item)
}

// numbers are the names of parts, allocated once: nearly all parts have one of these.
var numbers = [...]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ""}

// plain yields unencoded content, without the marks that an mbox puts before its lines, and without
// the uuencoded files in its text. These files follow, as entities within it.
func (s *Scanner) plain(e *entity, src []byte) bool {
	if s.Quoted && bytes.Contains(src, []byte(">From ")) {
		s.value = unFrom(s.value[:0], &s.m, src, e.body)
		s.item.Value, s.item.Map = s.value, &s.m
		return s.yield(&s.item)
	}
	if e.mediaType != "text/plain" {
		return s.yield(&s.item)
	}
	block, ok := findUU(src, 0)
	if !ok {
		return s.yield(&s.item)
	}
	var blocks []uuBlock
	s.value = s.value[:0]
	at := 0
	for ; ok; block, ok = findUU(src, at) {
		s.value = append(s.value, src[at:block.begin]...)
		s.m.Add(block.begin-at, e.body+at, 1, 1)
		blocks, at = append(blocks, block), block.end
	}
	s.value = append(s.value, src[at:]...)
	s.m.Add(len(src)-at, e.body+at, 1, 1)
	path := ""
	if s.item.Name != "" {
		path = s.item.Name + "."
	}
	s.item.Value, s.item.Map = s.value, &s.m
	if !s.yield(&s.item) {
		return false
	}
	for i, block := range blocks {
		as := readAs(s.ReadAs, "application/octet-stream", block.name)
		if as == "" {
			at := e.body + block.begin
			if !s.unread(scan.Span{Start: at, End: at}, "application/octet-stream", block.name) {
				return false
			}
			continue
		}
		s.m.Reset()
		s.value = appendUU(s.value[:0], &s.m, src[block.data:block.tail], e.body+block.data)
		s.item = scan.Item{Op: scan.Body, Type: as, Name: path + strconv.Itoa(i+1), Span: scan.Span{Start: e.body + block.begin, End: e.body + block.end}, Value: s.value, Map: &s.m}
		s.more = scan.More{File: block.name}
		s.item.More = &s.more
		if !s.yield(&s.item) {
			return false
		}
	}
	return true
}
