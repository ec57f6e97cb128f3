// Files:
//
//	html.go     the tokenizer
//	element.go  what a start tag says
//	value.go    values: character references, lists, image candidates, refreshes
//	exhaustive.go  what is found on request only
//	lazy.go     attributes that scripts read
//	script.go   scripts and event handlers
//	data.go     data blocks: import maps, speculation rules, JSON-LD
//	tree.go     tree construction without a tree
//	table.go    elements and attributes

// Package html scans HTML, XHTML and SVG for references. It finds the attributes that hold URLs, in the
// start tags that a browser's parser sees with scripting off, and the references in embedded style sheets,
// image candidates, refreshes, import maps and speculation rules. Use it for the references of a page as
// they are written; package extract also resolves them.
//
// It has its own tokenizer (HTML section 13.2.5), for speed and for positions. It reads every byte outside
// of tags once, looks at the names in tags, and at values only if the name may hold a reference. A few
// elements show how tree construction affects the tokenizer (13.2.6), as long as SVG and MathML are
// well-formed except for missing end tags. Where they are not, the scan starts over with a builder, which
// follows tree construction tag by tag.
package html

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/bits"
	"strings"

	"example.org/refract/extract/css"
	"example.org/refract/extract/internal/lexicon"
	"example.org/refract/extract/internal/script"
	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
)

// A Scanner scans one document. The zero Scanner scans HTML. It may be reused, but not by several
// goroutines at once.
type Scanner struct {
	XML         bool // the document is XHTML, SVG or other XML: it has no raw text, but CDATA sections and xml:base
	JSONLD      bool // also strings in JSON-LD that look like URLs, labelled speculative
	Conditional bool // also references in conditional comments
	Exhaustive  bool // also what only thorough crawlers look for, labelled speculative
	Anchors     bool // yield an Anchor for each id, and each name of an a element
	Details     bool // set Text, Rel, Hreflang and Type of references
	Choices     bool // set Rel, Type and Choice of references, and yield names: see scan.Selectable
	Scripts     bool // also strings of scripts and JSON that are clearly URLs or paths, labelled speculative
	Fragment    bool // src is a piece of another document: a base element in it is ignored
	Components  bool // also href, src, to, link and url of elements whose name begins with a capital letter or contains a hyphen
	Browser     bool // only what browsers know: no xml:base, and no codebase
	Prose       bool // also URLs in running text outside of links, as mail readers show them

	Text       plain.Scanner // for Prose
	Properties *Properties   // with Components, further attributes of such elements; nil: none

	src                   []byte
	yield                 func(*scan.Item) bool
	item                  scan.Item
	more                  scan.More
	chosen                scan.Choice
	chosenRel, chosenType string

	stopped   bool // yield returned false
	looking   bool // only the base is wanted
	halted    bool // the base was found
	tree      *builder
	resume    int       // with tree: tags before it are only followed, not reported
	discarded scan.Span // the content of a body that a frameset replaces
	bodyAt    int       // where it begins, -1 if there is none yet
	backdrop  bool      // a body had a background: that of another one does not count
	every     []anyAttribute
	following bool // before resume

	words      *vocabulary
	frames     []frame // open elements from svg or math on
	template   int     // depth
	noscript   bool
	inCodebase bool // a base of codebase is in force
	baseSeen   bool
	label      scan.Labels
	inLink     bool
	group      group // with Choices: the picture, video or audio element around it
	scripted   bool  // with Choices: there was a script
	selectable selectable
	frameset   int    // with Choices: where the name of the last frameset element ends
	cells      []cell // the open tables and cells; for Prose only
	noSubset   bool   // no internal subset of a document type ends from here on
	inData     bool   // in a style or script whose text is markup

	xlinks   [][]byte // prefixes of XLink in XML, but for "xlink"
	entities entities // in XML
	hasBases bool     // in XML
	depth    int      // of elements, with hasBases
	bases    []int    // depths of those that set a base

	tag   tag
	low   [24]byte // a name in lower case
	attrs []attribute
	value []byte  // decoded
	back  mapping // of value
	css   css.Scanner
	code  script.Scanner
	ins   lexicon.Paths
}

// A frame is an open element in SVG or MathML, from the svg or math element on.
type frame struct {
	called []byte // in src
	space  namespace
	point  point
}

// point says how start tags in an element are processed (13.2.6).
type point uint8

const (
	pointForeign    point = iota
	pointHTML             // as HTML: in HTML elements and HTML integration points
	pointMathText         // as HTML, except for mglyph and malignmark
	pointAnnotation       // only svg is processed as HTML
)

// An attribute is an attribute that has a rule, and the position of its value.
type attribute struct {
	*attrRule
	at, end int
}

const maxFrames = 512 // beyond this depth, tree construction has to be followed

// Scan yields the bases, references, parts, anchors and notes of src in source order, except for the base
// of the document, which comes first. src is UTF-8, or another encoding that contains ASCII. Every input is
// valid. The time is linear in len(src).
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.src, s.yield, s.stopped = src, yield, false
		if !s.Fragment && mayHold(src, "<base") {
			s.begin()
			s.looking = true
			s.scan(0, len(src))
		}
		s.begin()
		s.discarded = scan.Span{}
		if !s.Fragment && !s.XML && mayHold(src, "<frameset") {
			s.findDiscarded()
		}
		s.hasBases = s.XML && !s.Browser && mayHold(src, ":base")
		if s.XML {
			s.bindXLink()
		}
		s.scan(0, len(src))
		if s.Choices {
			s.putSelectable()
		}
		s.src, s.yield = nil, nil
		s.item = scan.Item{} // drop the item's references to src, which may be large
		if cap(s.value) > maxKept {
			s.value = nil
		}
	}
}

// findDiscarded finds the content of a body that a frameset discards (13.2.6.4.7): it follows the whole document.
func (s *Scanner) findDiscarded() {
	s.tree, s.resume, s.bodyAt = new(builder), len(s.src)+1, -1
	s.scan(0, len(s.src))
	s.begin()
}

// maxKept is the number of bytes of memory that are kept for the next document.
const maxKept = 1 << 20

func (s *Scanner) begin() {
	s.looking, s.halted, s.tree, s.following, s.hasBases = false, false, nil, false, false
	s.frames, s.template, s.noscript, s.baseSeen, s.label, s.inLink, s.inData = s.frames[:0], 0, false, false, 0, false, false
	s.group, s.frameset, s.scripted, s.chosen = group{}, 0, false, scan.Choice{}
	s.cells = s.cells[:0]
	s.inCodebase, s.noSubset, s.backdrop = false, false, false
	s.entities.reset(len(s.src))
	s.depth, s.bases = 0, s.bases[:0]
	s.words = words()
	if s.Anchors {
		s.words = anchorWords()
	}
}

// mayHold reports whether src holds s in any case of letters. s is a byte without case, followed by small
// letters. Without vectors this took a tenth of the time of a page: letters are frequent, and so is "<".
func mayHold(src []byte, s string) bool {
	for vectors && len(src) > 32 {
		i := pair(&src[0], len(src), s[0], s[1])
		if i < 0 {
			src = src[^i:]
			break
		}
		if len(src)-i >= len(s) && equalFold(src[i:i+len(s)], s) {
			return true
		}
		src = src[i+1:]
	}
	return mayHoldLetters(src, s)
}

// mayHoldLetters replaces vectors where there are none. (Comparing eight places at a time is no faster on
// whole pages: they have to come from memory.)
func mayHoldLetters(src []byte, s string) bool {
	for _, c := range []byte{s[1], s[1] &^ 0x20} {
		for p := 1; p < len(src); p++ {
			i := bytes.IndexByte(src[p:], c)
			if i < 0 {
				break
			}
			p += i
			if src[p-1] == s[0] && len(src)-p >= len(s)-1 && equalFold(src[p:p+len(s)-1], s[1:]) {
				return true
			}
		}
	}
	return false
}

// Classes of the bytes of a tag.
const (
	spaceByte = 1 << iota
	nameEnd   // ends the name of an attribute
	tagEnd    // ends the name of a tag
	letter
	oddByte  // in a value: "&" and NUL, which are decoded
	lineByte // in a URL: tabs and line ends, which are dropped
	gapByte  // may precede an attribute: white space and "/"
)

var byteClass = func() (t [256]uint8) {
	for _, c := range []byte("\t\n\f\r ") {
		t[c] = spaceByte | nameEnd | tagEnd | gapByte
	}
	t['/'] = nameEnd | tagEnd | gapByte
	t['>'] = nameEnd | tagEnd
	t['='] = nameEnd
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-0x20] = letter, letter
	}
	t['&'], t[0] = oddByte, oddByte
	t['\t'] |= lineByte
	t['\n'] |= lineByte
	t['\r'] |= lineByte
	return t
}()

// scan reads src[p:end] in the data state (13.2.5.1).
func (s *Scanner) scan(p, end int) {
	src := s.src[:end]
	for p < end && !s.stopped && !s.halted {
		i := 0
		if src[p] != '<' {
			if i = bytes.IndexByte(src[p:], '<'); i < 0 {
				i = end - p
			}
		}
		if s.tree != nil {
			s.tree.text(src[p : p+i])
			s.following = p+i < s.resume
		}
		if (s.Prose || s.Exhaustive) && i > len("://") && !s.inLink && !s.inData && !s.quiet() {
			s.prose(p, p+i)
		}
		p += i
		if p+1 >= end {
			return
		}
		switch c := src[p+1]; {
		case byteClass[c]&letter != 0 || s.XML && (c == '_' || c >= 0x80):
			p = s.startTag(p, end)
		case c == '/':
			p = s.endTag(p, end)
		case c == '!':
			p = s.declaration(p, end)
		case c == '?':
			p = s.instruction(p, end)
		default:
			if s.tree != nil {
				s.tree.text(src[p : p+1])
			}
			p++
		}
	}
}

// startTag reads the start tag at src[lt] (13.2.5.6 and on), and returns where the next token begins.
func (s *Scanner) startTag(lt, end int) int {
	src := s.src[:end]
	p := lt + 1 + nameLen(src[lt+1:], tagEnd)
	called := src[lt+1 : p]
	if s.XML {
		called = local(called)
	}
	n := name(0)
	if s.words.tags.Has(called) && !s.isForeignCase(called) {
		if n = find(called); !s.words.isElement[n] {
			n = 0
		}
	}
	t := &s.tag
	*t = tag{name: n, called: called, at: p}
	if s.Choices {
		s.nest(n, called, p)
	}
	if s.tree != nil {
		if p = s.followedTag(t, lt, p, end); p < 0 {
			return end
		}
	} else {
		if len(s.frames) > 0 {
			t.space = s.inside(n)
			if t.space != nsHTML && !s.XML && s.breaksOut(n, called) || len(s.frames) >= maxFrames && !s.XML {
				return s.follow(lt)
			}
		}
		if t.space == nsHTML {
			switch n {
			case nSVG:
				t.space = nsSVG
			case nMath:
				t.space = nsMath
			}
		}
		el := s.words.spaces[t.space][n]
		if s.Components && (called[0] >= 'A' && called[0] <= 'Z' || bytes.IndexByte(called, '-') > 0) {
			n, t.name, el = 0, 0, component()
			t.isOwn = s.Properties != nil
		}
		if p = s.attributes(el, t, lt, p, end); p < 0 {
			return end
		}
		if n == 0 && len(s.attrs) == 0 && len(s.frames) == 0 && !s.hasBases {
			return p
		}
		if t.space == nsHTML && !s.XML {
			t.raw = rawOf(n)
		}
	}
	t.end = p
	s.report(t)
	s.inData = false
	if t.raw == 0 {
		s.inData = !t.closes && (t.name == nStyle || t.name == nScript)
		s.content(t, p, p)
	} else {
		p = s.rawText(t, p, end)
	}
	if s.hasBases && t.closes {
		s.leave()
	}
	return p
}

// A tag is a start tag.
type tag struct {
	name   name
	called []byte    // its name as written, without a prefix
	space  namespace // of its element
	closes bool      // it ends with "/>"
	at     int       // where its name ends in src
	end    int       // where it ends
	raw    rawKind

	ignored bool // by tree construction, which makes no element of it
	isOwn   bool // a component that may have Properties

	*allowed
}

// attributes reads the attributes of a start tag from src[p] on, and keeps those for which el has a
// rule. It returns where the tag ends, or -1 if it does not end.
func (s *Scanner) attributes(el *allowed, t *tag, lt, p, end int) int {
	src := s.src[:end]
	s.attrs = s.attrs[:0]
	t.allowed = el
	for {
		gap := p
		for p < len(src) && byteClass[src[p]]&gapByte != 0 {
			p++
		}
		if p >= len(src) {
			break
		}
		if src[p] == '>' {
			t.closes = p > gap && src[p-1] == '/'
			if s.Choices && !s.quiet() {
				s.addElement(t.called)
			}
			return p + 1
		}
		at := p
		p++ // "=" may also begin a name (13.2.5.32)
		p += nameLen(src[p:], nameEnd)
		attr := src[at:p]
		var from, to int
		if p+1 < len(src) && src[p] == '=' && (src[p+1] == '"' || src[p+1] == '\'') { // nearly all
			from = p + 2
			i := bytes.IndexByte(src[from:], src[p+1])
			if i < 0 {
				break
			}
			to = from + i
			p = to + 1
		} else if from, to, p = unusualValue(src, p); p >= len(src) {
			break
		}
		if s.Choices && !s.quiet() {
			s.addAttribute(attr, from, to)
		}
		if s.tree != nil {
			s.every = append(s.every, anyAttribute{attr, from, to})
		}
		if s.Scripts && isHandler(attr) {
			s.attrs = append(s.attrs, attribute{s.handler(t, attr), from, to})
			continue
		}
		if len(s.xlinks) > 0 && s.isXLinkHref(attr) {
			attr = []byte("xlink:href")
		}
		if !el.filter.Has(attr) { // nearly all
			if t.isOwn {
				s.attrs = s.Properties.add(s.attrs, t.called, attr, from, to)
			}
			continue
		}
		if rule := el.rule(attr); rule != nil && !s.isForeignCase(attr) {
			if s.first(rule) {
				s.attrs = append(s.attrs, attribute{rule, from, to})
			}
		} else if t.isOwn {
			s.attrs = s.Properties.add(s.attrs, t.called, attr, from, to)
		}
	}
	s.note(lt, end, scan.CodeUnclosed, "an unclosed tag: browsers drop it and everything after it")
	return -1
}

// isForeignCase reports whether a name in XML, where case counts, is none of HTML and SVG, whose names
// begin with a small letter.
func (s *Scanner) isForeignCase(name []byte) bool { return s.XML && name[0] >= 'A' && name[0] <= 'Z' }

// nameLen returns the length in bytes of the name that s begins with; end is the class of the bytes that
// end it. Names are short: looking at eight bytes at once saves a branch that is hard to predict.
func nameLen(s []byte, end uint8) int {
	n := 0
	if len(s) >= 8 {
		x := binary.LittleEndian.Uint64(s)
		slash, equal, greater := x^'/'*ones, x^'='*ones, x^'>'*ones
		ends := (x-'!'*ones)&^x | (slash-ones)&^slash | (equal-ones)&^equal | (greater-ones)&^greater
		if ends &= 0x80 * ones; ends == 0 {
			n = 8
		} else {
			n = bits.TrailingZeros64(ends) / 8 // the lowest mark is right
		}
	}
	for n < len(s) && byteClass[s[n]]&end == 0 {
		n++
	}
	return n
}

// unusualValue returns the position of the value of an attribute whose name ends before src[p], and where
// the next attribute may begin: len(src) if the tag does not end.
func unusualValue(src []byte, p int) (from, to, next int) {
	from = p
	for p < len(src) && byteClass[src[p]]&spaceByte != 0 {
		p++
	}
	if p >= len(src) || src[p] != '=' {
		return from, from, p
	}
	p++
	for p < len(src) && byteClass[src[p]]&spaceByte != 0 {
		p++
	}
	if p >= len(src) {
		return p, p, p
	}
	from = p
	if c := src[p]; c == '"' || c == '\'' {
		from++
		i := bytes.IndexByte(src[from:], c)
		if i < 0 {
			return p, p, len(src)
		}
		return from, from + i, from + i + 1
	}
	for p < len(src) && byteClass[src[p]]&spaceByte == 0 && src[p] != '>' {
		p++
	}
	return from, p, p
}

// anyAttribute is an attribute with any name.
type anyAttribute struct {
	name    []byte
	at, end int
}

// first reports whether no earlier attribute had this rule: of several attributes with one name, the
// first counts (13.2.5.33).
func (s *Scanner) first(r *attrRule) bool {
	for i := range s.attrs {
		if s.attrs[i].attr == r.attr {
			return false
		}
	}
	return true
}

// get returns the position of the value of an attribute of the tag.
func (s *Scanner) get(n name) (at, end int, ok bool) {
	for i := range s.attrs {
		if s.attrs[i].attr == n {
			return s.attrs[i].at, s.attrs[i].end, true
		}
	}
	return 0, 0, false
}

// inside returns the namespace of the element of a start tag, given the innermost open element
// (13.2.6, "tree construction dispatcher"). svg and math count as HTML there, because HTML's rules
// begin them.
func (s *Scanner) inside(n name) namespace {
	top := &s.frames[len(s.frames)-1]
	switch {
	case top.point == pointHTML,
		top.point == pointMathText && n != nMglyph && n != nMalignmark,
		top.point == pointAnnotation && n == nSVG:
		return nsHTML
	}
	return top.space
}

// enter opens the element of a start tag, if it is an element of SVG or MathML, or inside one.
func (s *Scanner) enter(t *tag) {
	f := frame{called: t.called, space: t.space}
	switch {
	case t.space == nsHTML:
		if len(s.frames) == 0 || s.XML || void[string(lower(&s.low, t.called))] || t.raw != 0 {
			return
		}
		s.frames = append(s.frames, frame{called: t.called, space: nsHTML, point: pointHTML})
		return
	case t.space == nsSVG && (t.name == nForeignObject || t.name == nDesc || t.name == nTitle):
		f.point = pointHTML
	case t.space == nsMath && t.name >= nMi && t.name <= nMtext:
		f.point = pointMathText
	case t.space == nsMath && t.name == nAnnotationXML:
		f.point = pointAnnotation
		if e := s.lower(nEncoding); e == "text/html" || e == "application/xhtml+xml" {
			f.point = pointHTML
		}
	case s.XML && t.name != nSVG && t.name != nMath:
		return
	}
	if !t.closes && len(s.frames) < maxFrames {
		s.frames = append(s.frames, f)
	}
}

// endTag reads the construct that begins with "</" at src[lt] (13.2.5.7).
func (s *Scanner) endTag(lt, end int) int {
	src := s.src[:end]
	p := lt + 2
	if p >= end {
		return end
	}
	if src[p] == '>' {
		return p + 1
	}
	if byteClass[src[p]]&letter == 0 && !s.XML {
		return s.bogus(p, end)
	}
	p += nameLen(src[p:], tagEnd)
	called := src[lt+2 : p]
	if s.XML {
		called = local(called)
	}
	if p < len(src) && src[p] == '>' {
		p++
	} else if p = s.attributes(nothing, &s.tag, lt, p, end); p < 0 {
		return end
	}
	if s.hasBases {
		s.leave()
	}
	if s.tree != nil {
		s.tree.end(strings.ToLower(string(called)))
		s.template = s.tree.templates
	} else if len(s.frames) > 0 {
		k := len(s.frames) - 1
		switch {
		case bytes.EqualFold(s.frames[k].called, called):
			s.frames = s.frames[:k]
		case !s.XML:
			at := closedBy(s.frames, called)
			if at < 0 {
				return s.follow(lt)
			}
			s.frames = s.frames[:at]
		}
	}
	s.inData = false
	if s.Prose && len(s.cells) > 0 {
		s.endCell(called)
	}
	if s.group.at > 0 {
		s.unnest(called)
	}
	switch len(called) {
	case len("a"):
		if called[0]|0x20 == 'a' {
			s.inLink = false
		}
	case len("template"): // "template" and "noscript" have the same length
		switch {
		case equalFold(called, "template") && s.tree == nil:
			s.template = max(0, s.template-1)
		case equalFold(called, "noscript"):
			s.noscript = false
		}
	}
	return p
}

// closedBy returns the index of the open element of SVG or MathML that an end tag closes, with all that is
// open in it (13.2.6.5). It returns -1 if there is none, or an element of HTML is in it.
func closedBy(frames []frame, called []byte) int {
	k := len(frames) - 1
	for k >= 0 && frames[k].space != nsHTML && !bytes.EqualFold(frames[k].called, called) {
		k--
	}
	if k < 0 || frames[k].space == nsHTML {
		return -1
	}
	return k
}

// follow makes the scan start over with a builder, from the tag at src[lt] on. In a conditional
// comment, SVG that is not well-formed just ends.
func (s *Scanner) follow(lt int) int {
	s.frames = s.frames[:0]
	if s.label&scan.Conditional != 0 {
		return lt
	}
	s.tree, s.resume = new(builder), lt
	s.template, s.noscript, s.baseSeen = 0, false, false
	return 0
}

// declaration reads the construct that begins with "<!" at src[lt] (13.2.5.42).
func (s *Scanner) declaration(lt, end int) int {
	rest := s.src[lt+2 : end]
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		return s.comment(lt, end)
	case bytes.HasPrefix(rest, []byte("[CDATA[")) && (s.XML || s.foreign()):
		i := bytes.Index(rest, []byte("]]>"))
		if i < 0 {
			s.note(lt, end, scan.CodeUnclosed, "an unclosed CDATA section")
			i = len(rest)
		}
		if s.tree != nil {
			s.tree.text(rest[len("[CDATA["):i])
		}
		return min(end, lt+2+i+len("]]>"))
	case s.XML && len(rest) > 7 && equalFold(rest[:7], "doctype"):
		// With an internal subset (XML section 2.8).
		if j := bytes.IndexByte(rest, '>'); j >= 0 && !s.noSubset && bytes.IndexByte(rest[:j], '[') >= 0 {
			if k := bytes.Index(rest, []byte("]>")); k >= 0 {
				s.entities.declare(rest[:k])
				return lt + 2 + k + 2
			}
			s.noSubset = true
		}
	}
	next := s.bogus(lt+2, end)
	if s.Exhaustive && !s.quiet() {
		s.documentType(lt, next)
	}
	if s.tree != nil && len(rest) > 7 && equalFold(rest[:7], "doctype") {
		s.tree.doctype(bytes.TrimSuffix(s.src[lt+9:next], []byte(">")))
	}
	return next
}

// foreign reports whether the current node is not an HTML element, so that CDATA sections are XML's.
func (s *Scanner) foreign() bool {
	if s.tree != nil {
		return s.tree.foreign()
	}
	k := len(s.frames) - 1
	return k >= 0 && s.frames[k].space != nsHTML
}

// bogus reads a bogus comment from src[p] on (13.2.5.41).
func (s *Scanner) bogus(p, end int) int {
	if i := bytes.IndexByte(s.src[p:end], '>'); i >= 0 {
		return p + i + 1
	}
	return end
}

// comment reads the comment at src[lt] (13.2.5.43 to 13.2.5.52).
func (s *Scanner) comment(lt, end int) int {
	from := lt + len("<!--")
	next, closed := commentEnd(s.src[:end], from)
	if !closed {
		s.note(lt, end, scan.CodeUnclosed, "an unclosed comment")
	}
	if s.Conditional && s.label&scan.Conditional == 0 && !s.quiet() {
		s.conditional(s.src[from:next], from)
	}
	return next
}

// commentEnd returns where the comment ends, given that its content begins at src[p].
func commentEnd(src []byte, p int) (int, bool) {
	switch rest := src[p:]; {
	case bytes.HasPrefix(rest, []byte(">")):
		return p + 1, true
	case bytes.HasPrefix(rest, []byte("->")):
		return p + 2, true
	}
	for {
		i := bytes.Index(src[p:], []byte("--"))
		if i < 0 {
			return len(src), false
		}
		p += i + 2
		for p < len(src) && src[p] == '-' {
			p++
		}
		switch rest := src[p:]; {
		case bytes.HasPrefix(rest, []byte(">")):
			return p + 1, true
		case bytes.HasPrefix(rest, []byte("!>")):
			return p + 2, true
		}
	}
}

// conditional scans the part of a comment that old versions of Internet Explorer read: "[if …]>" and
// markup, to "<![endif]".
func (s *Scanner) conditional(comment []byte, at int) {
	if !bytes.HasPrefix(bytes.TrimLeft(comment, " \t\r\n"), []byte("[if")) {
		return
	}
	i, j := bytes.Index(comment, []byte("]>")), bytes.LastIndex(comment, []byte("<!["))
	if i < 0 || j < i {
		return
	}
	// For everything outside of it, it remains a comment: elements that it opens or closes do not count
	// there.
	frames, tree, template, noscript, seen := s.frames, s.tree, s.template, s.noscript, s.baseSeen
	s.frames, s.tree = nil, nil
	s.label |= scan.Conditional
	s.scan(at+i+2, at+j)
	s.label &^= scan.Conditional
	s.frames, s.tree, s.template, s.noscript, s.baseSeen = frames, tree, template, noscript, seen
}

// instruction reads the construct that begins with "<?" at src[lt]: in XML it is a processing
// instruction, and xml-stylesheet has a reference; in HTML it is a comment.
func (s *Scanner) instruction(lt, end int) int {
	if !s.XML {
		return s.bogus(lt+1, end)
	}
	i := bytes.Index(s.src[lt:end], []byte("?>"))
	if i < 0 {
		s.note(lt, end, scan.CodeUnclosed, "an unclosed processing instruction")
		return end
	}
	const target = "<?xml-stylesheet"
	if pi := s.src[lt : lt+i]; bytes.HasPrefix(pi, []byte(target)) {
		t := tag{name: nXMLStylesheet}
		if s.attributes(s.words.spaces[nsHTML][nXMLStylesheet], &t, lt, lt+len(target), lt+i+2) >= 0 {
			s.report(&t)
		}
	}
	return lt + i + 2
}

// rawOf returns how the text of an HTML element ends, with scripting off.
func rawOf(n name) rawKind {
	switch n {
	case nTitle, nTextarea, nStyle, nXmp, nIframe, nNoembed, nNoframes:
		return rawText
	case nScript:
		return rawScript
	case nPlaintext:
		return rawPlain
	}
	return notRaw
}

// rawText reads the text of an element that holds no markup, and returns where the end tag of the
// element begins.
func (s *Scanner) rawText(t *tag, p, end int) int {
	to := end
	switch t.raw {
	case rawText:
		to = endOf(s.src[:end], p, t.called)
	case rawScript:
		to = scriptEnd(s.src[:end], p)
	}
	if to == end && t.raw != rawPlain {
		s.note(p, end, scan.CodeUnclosed, "an unclosed element of raw text")
	}
	if t.name == nTextarea && s.Prose && !s.inLink && !s.quiet() {
		s.prose(p, to)
	}
	s.content(t, p, to)
	return to
}

// endOf returns where the end tag of the element with this name begins, from src[p] on, or where src
// ends (13.2.5.11 and 13.2.5.14, "appropriate end tag").
func endOf(src []byte, p int, called []byte) int {
	for {
		i := bytes.Index(src[p:], []byte("</"))
		if i < 0 {
			return len(src)
		}
		p += i
		if isEnd(src[p:], called) {
			return p
		}
		p += 2
	}
}

// isEnd reports whether s, which begins with "</", is an end tag of this name.
func isEnd(s, called []byte) bool {
	n := 2 + len(called)
	return len(s) > n && byteClass[s[n]]&tagEnd != 0 && bytes.EqualFold(s[2:n], called)
}

// scriptEnd returns where the end tag of a script begins, from src[p] on, or where src ends: between
// "<!--" and "-->", "<script" and "</script" form a pair (13.2.5.15 to 13.2.5.31).
func scriptEnd(src []byte, p int) int {
	script := []byte("script")
	escaped, double := false, false
	for p < len(src) {
		if !escaped {
			i := bytes.IndexByte(src[p:], '<')
			if i < 0 {
				break
			}
			p += i
		}
		switch rest := src[p:]; rest[0] {
		case '<':
			switch {
			case !escaped && bytes.HasPrefix(rest, []byte("<!--")):
				escaped = true
				p += 2 // the dashes may belong to "-->"
				continue
			case bytes.HasPrefix(rest, []byte("</")) && isEnd(rest, script):
				if !double {
					return p
				}
				double = false
			case escaped && !double && len(rest) > 7 && byteClass[rest[7]]&tagEnd != 0 && bytes.EqualFold(rest[1:7], script):
				double = true
			}
		case '-':
			if bytes.HasPrefix(rest, []byte("-->")) {
				escaped, double = false, false
			}
		}
		p++
	}
	return len(src)
}

// followedTag is startTag with a builder: it reads the tag twice, since only the builder knows which
// element the tag makes.
func (s *Scanner) followedTag(t *tag, lt, p, end int) int {
	s.every = s.every[:0]
	if s.attributes(nothing, t, lt, p, end) < 0 {
		return -1
	}
	hadBody := s.tree.hasBody()
	o := s.tree.start(strings.ToLower(string(t.called)), t.closes, s.each)
	s.template = s.tree.templates
	t.raw, t.space, t.ignored = o.raw, o.ns, !o.made
	switch {
	case !s.following || s.resume <= len(s.src):
	case o.made && hadBody && equalFold(t.called, "frameset") && s.bodyAt >= 0:
		s.discarded = scan.Span{Start: s.bodyAt, End: lt}
	case s.bodyAt < 0 && s.tree.hasBody():
		s.bodyAt = lt
	}
	return s.attributes(s.words.spaces[t.space][t.name], t, lt, p, end)
}

// nothing is an element without rules.
var nothing = new(allowed)

// each yields every attribute of the tag, in the form that the builder takes.
func (s *Scanner) each(yield func(string, []byte) bool) {
	for _, a := range s.every {
		if !yield(strings.ToLower(string(a.name)), s.decode(a.at, a.end).b) {
			return
		}
	}
}

// void holds the HTML elements without content: section 13.1.2 of the living standard as of November
// 2026, and the obsolete ones that 13.2.6.4.7 treats in the same way.
var void = set("area base basefont bgsound br col embed frame hr img image input keygen link meta param source track wbr")

// breaksOut reports whether a start tag ends the SVG or MathML around it (13.2.6.5), or, for font,
// may end it depending on its attributes.
func (s *Scanner) breaksOut(n name, called []byte) bool {
	return n == nFont || classes()[nsHTML][string(lower(&s.low, called))]&breakout != 0
}
