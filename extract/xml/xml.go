// Files:
//
//	xml.go      the tokenizer
//	element.go  what a start tag says
//	value.go    values: references to characters and entities, CDATA
//	doctype.go  document types and processing instructions
//	table.go    namespaces, elements and attributes

// Package xml scans XML for references. It reads the vocabularies that hold links (Atom, RSS, sitemaps,
// OPML, KML, XLink, XInclude, RDF), href and src in any other vocabulary, processing instructions and the
// document type, with xml:base. In all other text and attributes it finds URLs as in running text. Use it
// for the references of a document as they are written; package extract also resolves them.
//
// HTML inside XML, escaped, in CDATA sections or as elements, is a Part, with the base in force at its
// element; so is SVG. Package html is better for documents that are XHTML or SVG as a whole.
//
// After malformed markup, the scan continues at the next tag. An end tag closes the innermost element of
// its name; an end tag without such an element is ignored.
//
// Notable decisions:
//
//   - An identifier need not be a reference (RFC 4287 4.2.6; guid with isPermaLink="false"). It is scanned
//     as running text, and the references found are metadata. The names of namespaces are not references.
//     The reference of a document to its DTD or schema is metadata.
//   - href and src are links in every vocabulary: nobody uses them in another sense, and this finds
//     relative references that no rule knows.
//   - Entities that the internal subset declares are expanded, unless they hold markup or other entities,
//     and to no more bytes in all than the document has. Their attribute defaults are not read.
//   - Comments are not read. Line ends stay as written (2.11 normalises them).
package xml

import (
	"bytes"
	"iter"

	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Scanner scans one document. The zero Scanner has the default rules. It may be reused, but not by
// several goroutines at once.
type Scanner struct {
	Details bool // set Text, Rel, Hreflang and Type of references

	Text plain.Scanner // for running text

	src     []byte
	yield   func(*scan.Item) bool
	item    scan.Item
	more    scan.More
	stopped bool // yield returned false

	words    *vocabulary
	frames   []frame   // open elements
	bindings []binding // of prefixes, the last ones first
	def      space     // of elements without a prefix
	xslt     bool      // the document is a style sheet
	patience int       // how many more open elements may be compared with the names of end tags

	nested     int // bases in force
	nestedSize int // their length in bytes
	waiting    siblingBase

	inner     int // the element that is a Part: its index in frames plus 1; 0: none
	innerAt   int
	innerType string

	attrs    []attribute
	declares bool // attrs holds an attribute of XML itself
	crowded  bool // a tag has too many attributes
	deep     bool // an element is in too many others

	doctyped bool
	entities map[string]string
	budget   int // how many more bytes the text of entities may take
	spent    bool

	value   []byte   // decoded
	back    scan.Map // of value
	run     text     // of running text
	runAs   ref
	found   func(*scan.Item) bool // takes the references of run
	scratch []byte
	ins     lexicon.Paths
}

// A frame is an open element.
type frame struct {
	at, end  int32 // its name in src
	bindings int32 // the bindings outside of it
	base     int32 // the length of the base that it sets, plus 1; 0: none
	def      space // around it
	xhtml    bool  // its content is XHTML, whatever its namespace
}

// A binding gives the meaning of a prefix.
type binding struct {
	prefix []byte // in src
	space  space
}

// An attribute holds the positions of a name and its value.
type attribute struct {
	name     []byte
	colon    int  // in name; -1: none
	from, to int  // the value in src
	ofXML    bool // xmlns, and attributes whose prefix is xml or xmlns
}

// Bindings and bases beyond these limits are ignored: the time to read their contents grows with
// their depth. Elements more than maxFrames deep count as empty, and at most maxAttributes of a tag
// are read: the memory for each is larger than its source.
const (
	maxFrames     = 1 << 16
	maxAttributes = 1 << 16
	maxEntities   = 1 << 16

	maxBindings = 64
	maxBases    = 64
	maxBaseSize = 8 << 10 // of those in force, in bytes
)

// Scan yields the bases, references, parts and notes of src in source order. src is UTF-8, or another
// encoding that contains ASCII, and has less than 2 GiB. Every input is valid. The time is linear in
// len(src).
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.begin(src, yield)
		s.scan()
		s.leave(0, len(src), len(src))
		if s.spent {
			s.note(len(src), len(src), scan.CodeEntityLimit, "entities that expand to more than the size of the document: not expanded")
		}
		s.src, s.yield = nil, nil
		s.item = scan.Item{} // drop the item's references to src, which may be large
		if cap(s.value) > maxKept {
			s.value, s.scratch = nil, nil
		}
		if cap(s.attrs) > maxKept/64 {
			s.attrs = nil
		}
		if len(s.entities) > maxKept/64 {
			s.entities = nil
		}
	}
}

// maxKept is the number of bytes of memory that are kept for the next document.
const maxKept = 1 << 20

func (s *Scanner) begin(src []byte, yield func(*scan.Item) bool) {
	s.src, s.yield, s.stopped = src, yield, false
	s.words = words()
	s.frames, s.bindings, s.def, s.xslt, s.patience = s.frames[:0], s.bindings[:0], anySpace, false, len(src)
	s.nested, s.nestedSize, s.inner, s.waiting = 0, 0, 0, siblingBase{}
	s.doctyped, s.budget, s.spent, s.crowded, s.deep = false, len(src), false, false, false
	clear(s.entities)
	if s.found == nil {
		s.found = s.inRun
	}
}

// Classes of the bytes of a tag.
const (
	spaceByte = 1 << iota
	nameEnd   // ends a name
	nameStart
	oddByte // in the value of an attribute: has to be decoded
)

var byteClass = func() (t [256]uint8) {
	for c := range t {
		if c >= 0x80 || ascii.IsLetter(byte(c)) || c == '_' || c == ':' {
			t[c] = nameStart
		}
	}
	for _, c := range []byte("\t\n\r ") {
		t[c] = spaceByte | nameEnd
	}
	for _, c := range []byte("=/><\"'") {
		t[c] = nameEnd
	}
	for _, c := range []byte("&\t\n\r") {
		t[c] |= oddByte
	}
	return t
}()

// scan reads src.
func (s *Scanner) scan() {
	src := s.src
	for p := 0; p < len(src) && !s.stopped; {
		i := bytes.IndexByte(src[p:], '<')
		if i < 0 {
			i = len(src) - p
		}
		if i >= shortest && s.inner == 0 {
			s.prose(p, p+i)
		}
		p += i
		if p+1 >= len(src) {
			return
		}
		switch c := src[p+1]; {
		case byteClass[c]&nameStart != 0:
			p = s.startTag(p)
		case c == '/':
			p = s.endTag(p)
		case c == '!':
			p = s.declaration(p)
		case c == '?':
			p = s.instruction(p)
		default:
			p++
		}
	}
}

// startTag reads the start tag at src[lt] (3.1), and returns where to continue.
func (s *Scanner) startTag(lt int) int {
	src := s.src
	p, colon := lt+1, lt
	for p < len(src) && byteClass[src[p]]&nameEnd == 0 {
		if src[p] == ':' && colon == lt {
			colon = p
		}
		p++
	}
	t := tag{at: lt + 1, end: p, local: src[colon+1 : p]}
	if len(t.local) == 0 {
		t.local = src[lt+1 : p]
	}
	s.attrs, s.declares = s.attrs[:0], false
	if p < len(src) && src[p] == '>' {
		p++
	} else if p = s.attributes(&t, p, len(src)); p < 0 {
		s.note(lt, len(src), scan.CodeUnclosed, "an unclosed tag")
		return len(src)
	}
	if len(s.frames) >= maxFrames && !t.closes {
		t.closes = true
		if !s.deep {
			s.deep = true
			s.note(lt, lt, scan.CodeTooDeep, "elements nested more than 65536 deep are treated as empty")
		}
	}
	if s.inner > 0 {
		if !t.closes {
			s.push(&t, s.def, len(s.bindings))
		}
		return p
	}
	def, bindings := s.def, len(s.bindings)
	if s.declares {
		s.bind()
	}
	prefix := src[lt+1 : max(lt+1, colon)]
	if len(s.frames) == 0 {
		s.root(prefix, t.local)
	}
	t.space = s.def
	if len(prefix) > 0 {
		t.space = s.spaceOf(prefix)
	}
	if s.words.elements.Has(t.local) {
		t.name = find(t.local)
	}
	t.rules = s.words.of(t.space, t.name)
	if s.waiting.frame > 0 {
		s.applyBase(&t)
	}
	if s.innerTag(&t) {
		s.def, s.bindings = def, s.bindings[:bindings]
		if t.closes {
			s.innerPart(t.local, lt, p)
			return p
		}
		s.push(&t, def, bindings)
		s.inner, s.innerAt = len(s.frames), lt
		return p
	}
	s.push(&t, def, bindings)
	if len(s.attrs) > 0 {
		s.report(&t)
	}
	switch {
	case t.closes:
		s.leave(len(s.frames)-1, p, p)
	case t.rules.content != nil:
		p = s.content(&t, p)
	}
	return p
}

// A tag is a start tag.
type tag struct {
	at, end int    // its name in src
	local   []byte // its name without a prefix
	space   space
	name    name // of local
	rules   *element
	closes  bool // it ends with "/>"
}

// innerTag reports whether t begins XHTML or SVG, which become a Part.
func (s *Scanner) innerTag(t *tag) bool {
	parent := len(s.frames) - 1
	switch {
	case s.xslt: // its elements are output, and their attributes hold templates
		return false
	case t.space == svg && t.name == nSVG:
		s.innerType = "image/svg+xml"
	case parent >= 0 && s.frames[parent].xhtml, t.space == xhtml && t.name != nLink: // such links occur in sitemaps
		s.innerType = "application/xhtml+xml"
	default:
		return false
	}
	return true
}

// push opens an element; def and bindings are the ones in force outside of it.
func (s *Scanner) push(t *tag, def space, bindings int) {
	s.frames = append(s.frames, frame{at: int32(t.at), end: int32(t.end), bindings: int32(bindings), def: def})
}

// leave closes the elements from index k on. The end tag is src[lt:next].
func (s *Scanner) leave(k, lt, next int) {
	for len(s.frames) > k {
		top := len(s.frames) - 1
		f := &s.frames[top]
		s.frames = s.frames[:top]
		if s.inner > 0 && s.inner == top+1 {
			s.inner = 0
			_, local := cut(s.src[f.at:f.end])
			end := lt
			if top == k {
				end = next
			}
			s.innerPart(local, s.innerAt, end)
		}
		if f.base > 0 {
			s.nested--
			s.nestedSize -= int(f.base) - 1
			s.put(scan.Item{Op: scan.End})
		}
		s.def, s.bindings = f.def, s.bindings[:f.bindings]
	}
}

// innerPart yields src[at:end], which is XHTML or SVG.
func (s *Scanner) innerPart(local []byte, at, end int) {
	s.put(scan.Item{Op: scan.Part, Type: s.innerType, Name: string(local), Span: scan.Span{Start: at, End: end}, Value: s.src[at:end]})
}

// attributes reads the attributes of t, or, if t is nil, those of a processing instruction, from
// src[p] to end. It returns where the tag ends, or -1 if it does not end.
func (s *Scanner) attributes(t *tag, p, end int) int {
	src := s.src[:end]
	for {
		for p < end && byteClass[src[p]]&spaceByte != 0 {
			p++
		}
		if p >= end {
			return -1
		}
		switch c := src[p]; {
		case c == '>':
			return p + 1
		case c == '/' && p+1 < end && src[p+1] == '>':
			t.closes = true
			return p + 2
		case c == '<': // it is not closed
			return p
		case byteClass[c]&nameEnd != 0:
			p++
			continue
		}
		a := attribute{colon: -1}
		at := p
		for p < end && byteClass[src[p]]&nameEnd == 0 {
			if src[p] == ':' && a.colon < 0 {
				a.colon = p - at
			}
			p++
		}
		a.name = src[at:p]
		for p < end && byteClass[src[p]]&spaceByte != 0 {
			p++
		}
		if p >= end || src[p] != '=' {
			continue // it has no value
		}
		p++
		for p < end && byteClass[src[p]]&spaceByte != 0 {
			p++
		}
		if p >= end {
			return -1
		}
		i := -1
		if c := src[p]; c == '"' || c == '\'' {
			i = bytes.IndexByte(src[p+1:], c)
			p++
		}
		a.from = p
		if i >= 0 {
			a.to = p + i
			p = a.to + 1
		} else { // not well-formed
			for p < end && byteClass[src[p]]&spaceByte == 0 && src[p] != '>' && src[p] != '<' && !bytes.HasPrefix(src[p:], []byte("/>")) {
				p++
			}
			a.to = p
		}
		if len(s.attrs) == maxAttributes {
			if !s.crowded {
				s.crowded = true
				s.note(at, at, scan.CodeTooLarge, "more than 65536 attributes in a tag: the rest is not read")
			}
			continue
		}
		if n := a.name; n[0] == 'x' && (string(n) == "xmlns" || a.colon > 0 && (string(n[:a.colon]) == "xmlns" || string(n[:a.colon]) == "xml")) {
			a.ofXML, s.declares = true, true
		}
		s.attrs = append(s.attrs, a)
	}
}

// endTag reads the end tag at src[lt].
func (s *Scanner) endTag(lt int) int {
	src := s.src
	p := lt + 2
	if k := len(s.frames) - 1; k >= 0 { // nearly all
		f := &s.frames[k]
		n := int(f.end - f.at)
		if p+n < len(src) && src[p+n] == '>' && string(src[p:p+n]) == string(src[f.at:f.end]) {
			s.leave(k, lt, p+n+1)
			return p + n + 1
		}
	}
	for p < len(src) && byteClass[src[p]]&nameEnd == 0 {
		p++
	}
	called := src[lt+2 : p]
	for p < len(src) && src[p] != '<' {
		if p++; src[p-1] == '>' {
			break
		}
	}
	for k := len(s.frames) - 1; k >= 0; k-- {
		if f := &s.frames[k]; string(called) == string(src[f.at:f.end]) {
			s.leave(k, lt, p)
			break
		}
		if s.patience--; s.patience < 0 {
			break
		}
	}
	return p
}

// declaration reads the construct that begins with "<!" at src[lt].
func (s *Scanner) declaration(lt int) int {
	rest := s.src[lt:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return s.comment(lt)
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		from, to, next := s.cdata(lt)
		if s.inner == 0 {
			s.running(text{b: s.src[from:to], at: from}, ref{})
		}
		return next
	case len(rest) > 9 && bytes.EqualFold(rest[:9], []byte("<!DOCTYPE")) && !s.doctyped && len(s.frames) == 0:
		s.doctyped = true
		return s.doctype(lt + 9)
	}
	return lt + 2
}

// comment reads the comment at src[lt] (2.5).
func (s *Scanner) comment(lt int) int {
	from := lt + len("<!--")
	if i := bytes.Index(s.src[from:], []byte("-->")); i >= 0 {
		return from + i + len("-->")
	}
	s.note(lt, len(s.src), scan.CodeUnclosed, "an unclosed comment")
	return len(s.src)
}

// cdata returns the range of the content of the CDATA section at src[lt] (2.7), and where to
// continue.
func (s *Scanner) cdata(lt int) (from, to, next int) {
	from = lt + len("<![CDATA[")
	if i := bytes.Index(s.src[from:], []byte("]]>")); i >= 0 {
		return from, from + i, from + i + len("]]>")
	}
	s.note(lt, len(s.src), scan.CodeUnclosed, "an unclosed CDATA section")
	return from, len(s.src), len(s.src)
}

// put yields an Item.
func (s *Scanner) put(it scan.Item) {
	s.item = it
	s.give()
}

func (s *Scanner) give() {
	if !s.stopped {
		s.stopped = !s.yield(&s.item)
	}
}

// note yields a Note about src[at:end].
func (s *Scanner) note(at, end int, code scan.Code, text string) {
	if s.inner > 0 {
		return // the scanner of the Part reports it
	}
	s.put(scan.Item{Op: scan.Note, Span: scan.Span{Start: at, End: end}, Code: code, Text: text})
}

// cut returns the prefix and the local part of a name (Namespaces in XML section 4).
func cut(name []byte) (prefix, local []byte) {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return nil, name
}
