// Files:
//
//	rst.go        Scanner: what was found, as Items in source order
//	block.go      lines, margins, titles, lists, literal blocks
//	explicit.go   what begins with "..": targets, footnotes, comments, substitutions
//	directive.go  directives
//	inline.go     markup in text
//	role.go       interpreted text: roles
//	object.go     functions, classes, options and the like: their declarations and uses
//	standalone.go URLs and addresses that stand bare in text
//	table.go      grid and simple tables
//	names.go      the names of targets and their uses
//	char.go       classes of characters

// Package rst scans reStructuredText for references, as docutils reads it (its specification, and
// parsers/rst/states.py of docutils 0.22), with the directives and roles of Sphinx. It is not a renderer:
// it finds the blocks of a document, and the references in them. Use it for the references of a document as
// they are written; package extract also resolves them.
//
// It finds blocks in one pass over the lines, with a stack of left margins instead of recursion. The text
// of a block is a range of the source. Only the text of table cells, whose lines are not adjacent, is
// copied and read as a document of its own (at most 4 deep).
//
// Two rules of docutils are not followed. At a word that looks like a URL of an unknown scheme, docutils
// stops looking for URLs in that piece of text. And docutils reads an included file in place of its
// directive; here it is a reference, with the label Include.
package rst

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"example.org/refract/extract/scan"
)

// Spaces of Anchors and Mentions:
//
//   - RefSpace: Sphinx labels
//   - TermSpace: the terms of Sphinx glossaries
//   - CitationSpace: citations, which Sphinx also finds in other documents
//   - NameSpace: the names of a document that includes others, which may define the names
//   - TargetSpace: the names that name_, `a name`_ and [#name]_ refer to within a document
//   - GlobSpace: toctree patterns, which match document names
const (
	RefSpace      = "ref"
	TermSpace     = "term"
	CitationSpace = "citation"
	NameSpace     = "name"
	TargetSpace   = "target"
	GlobSpace     = "glob"
)

// RenamedTitle is the In of a title whose id is a number, because a link above it has the name of the title
// and so the id of its text: `Part Two <#part-two>`_.
const RenamedTitle = "renamed-title"

// A Scanner scans one document. The zero Scanner has the defaults. It may be reused, but
// several goroutines must not use it at once.
type Scanner struct {
	Anchors  bool // yield an Anchor for each title, and for each name that becomes an id
	Mentions bool // yield a Mention for each use of a name, label or term, and Anchors for their definitions

	// Extlinks are the roles of sphinx.ext.extlinks: the URL of each role, with "%s" in place
	// of the text of the role.
	Extlinks map[string]string

	// Domain is the domain of directives without one, as primary_domain of conf.py; "" is "py".
	Domain string

	contexts []context       // in source order
	context  int             // how many of them scopeAt has passed
	roles    map[string]bool // that the document defines

	roleExtras map[string]int32 // indices of the extras with the names of roles

	src       []byte
	found     list
	forms     []form
	moreForms map[form]int32 // indices of forms after the first fewForms
	names     names
	item      scan.Item
	more      scan.More
	value     []byte
}

// Scan yields the references, parts, anchors, mentions and notes of src in source order. src is UTF-8.
// Every input is valid. The time is linear in len(src).
//
// A reference is yielded where its URL is written. A use (name_) has no URL: Scan yields the target that
// defines the name instead, once, with the label Unused if nothing uses it. A use of an undefined name
// gives a Note. The Value of a reference has no white space and no escapes.
//
// An Anchor In "title" or RenamedTitle has the text of the title in Text; docutils makes an id of it. An
// Anchor In "target", "inline-target", "footnote" or "name" has its id in Value. An Anchor in RefSpace is a
// label, which :ref: uses, in lower case. An Anchor in TargetSpace is a name, in the form in which docutils
// compares names; In is "target", "inline-target", "embedded", "name", "title" (with Anchors), "footnote"
// or "citation".
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.src = src
		s.found.reset()
		s.forms, s.moreForms = s.forms[:0], nil
		s.names.reset(src)
		s.contexts, s.context, s.roles, s.roleExtras = s.contexts[:0], 0, nil, nil
		p := parser{Scanner: s, src: src}
		p.blocks()
		s.names.finish(s.Mentions)
		s.all(yield)
		s.release()
	}
}

// Names returns the names that src defines for uses of the form name_: those of targets, titles, footnotes
// and citations. has compares names as docutils does. isAll is false if part of src cannot be read.
func Names(src []byte) (has func(name []byte) bool, isAll bool) {
	var s Scanner
	s.names.reset(src)
	p := parser{Scanner: &s, src: src}
	p.blocks()
	defined, hasStandard := s.names.defined, s.names.standard
	return func(name []byte) bool {
		return defined[hash(nameOf(name))] || hasStandard && len(name) > 0 && name[0] == '|'
	}, !s.names.isOpen
}

// release releases the document, and memory beyond what most documents need.
func (s *Scanner) release() {
	s.src, s.item, s.more, s.roles, s.roleExtras = nil, scan.Item{}, scan.More{}, nil, nil
	clear(s.contexts)
	if cap(s.contexts) > pageSize {
		s.contexts = nil
	}
	if cap(s.value) > pageSize {
		s.value = nil
	}
	s.found.release()
	s.names.release()
}

// A record is a result, to be returned as an Item.
type record struct {
	start, end int32 // of its Span
	form       int32 // index in Scanner.forms
	extra      int32 // index in list.extras; noExtra for none; definitionOf a definition
}

const noExtra = -1

// definitionOf returns the record.extra of the definition with an index in names.
func definitionOf(def int32) int32 { return -2 - def }

// A form holds what Items of one kind have in common.
type form struct {
	op     scan.Op
	kind   scan.Kind
	how    scan.How
	labels scan.Labels
	space  string
	in     string
	meant  string
	value  value
	named  bool // an Anchor in TargetSpace precedes it
}

// A value says how to compute the Value of an Item from the bytes of its Span.
type value uint8

const (
	asWritten value = iota
	asURI           // without white space and escapes
	asPath          // without line ends, the white space around them, and escapes
	asName          // in the form in which names are compared
	asID            // an id made of that name
	asTitle         // none; Text is that of a title
	asRole          // the URL that a role makes of its text
	asExtra         // extra.text
	asObject        // the use of an object
)

// An extra holds the fields that few Items need: those of table cells over several lines.
type extra struct {
	text  string // a Value that is not in one piece in the source
	parts []scan.Span
	def   int32 // index of a definition in names, -1 for none
}

// pageSize is the number of records that are allocated at a time. A growing slice would hold
// them twice, and a document may have one in every six bytes.
const pageSize = 1 << 10

// A list holds the results.
type list struct {
	pages  [][]record
	n      int
	extras []extra
	temp   []record
}

func (l *list) at(i int) *record { return &l.pages[i/pageSize][i%pageSize] }

func (l *list) add(r record) {
	if l.n == len(l.pages)*pageSize {
		l.pages = append(l.pages, make([]record, pageSize))
	}
	l.n++
	*l.at(l.n - 1) = r
}

// sort sorts the records from first on in source order.
func (l *list) sort(from int) {
	isSorted := true
	for i := from + 1; i < l.n && isSorted; i++ {
		isSorted = l.at(i-1).start <= l.at(i).start
	}
	if isSorted {
		return
	}
	l.temp = l.temp[:0]
	for i := from; i < l.n; i++ {
		l.temp = append(l.temp, *l.at(i))
	}
	slices.SortStableFunc(l.temp, func(a, b record) int { return cmp.Compare(a.start, b.start) })
	for i, r := range l.temp {
		*l.at(from + i) = r
	}
}

func (l *list) reset() { l.n, l.extras = 0, l.extras[:0] }

func (l *list) release() {
	clear(l.extras)
	const maxPages = 16
	if len(l.pages) > maxPages || cap(l.extras) > maxPages*pageSize {
		*l = list{}
	}
}

// fewForms is the number of forms below which a search is faster than a map. There are fewer kinds of
// constructs, but each of Extlinks has forms of its own.
const fewForms = 64

// formOf returns the index of f.
func (s *Scanner) formOf(f form) int32 {
	if i := slices.Index(s.forms[:min(len(s.forms), fewForms)], f); i >= 0 {
		return int32(i)
	}
	if i, ok := s.moreForms[f]; ok {
		return i
	}
	i := int32(len(s.forms))
	s.forms = append(s.forms, f)
	if i >= fewForms {
		if s.moreForms == nil {
			s.moreForms = map[form]int32{}
		}
		s.moreForms[f] = i
	}
	return i
}

// add adds a result of p at a range of its text. def is the index of a definition in names, or -1 if
// the result is not one.
func (p *parser) add(f form, from, to int, def int32) {
	span, parts := p.source(from, to)
	r := record{start: int32(span.Start), end: int32(span.End), extra: noExtra}
	switch {
	case len(parts) > 1:
		x := extra{parts: parts, def: def}
		switch { // the bytes between do not give its Value
		case f.op == scan.Ref:
			x.text, f.value = string(cleanURI(nil, p.src[from:to])), asExtra
		case f.value == asName:
			x.text, f.value = nameOf(p.src[from:to]), asExtra
		}
		r.extra = int32(len(p.found.extras))
		p.found.extras = append(p.found.extras, x)
	case def >= 0:
		r.extra = definitionOf(def)
	}
	r.form = p.formOf(f)
	p.found.add(r)
}

// all yields the results.
func (s *Scanner) all(yield func(*scan.Item) bool) {
	uses := s.names.uses
	if s.names.includes && !s.Mentions {
		uses = nil
	}
	for i := range s.found.n {
		r := s.found.at(i)
		for len(uses) > 0 && uses[0].start < r.start {
			if !s.use(uses[0], yield) {
				return
			}
			uses = uses[1:]
		}
		if s.forms[r.form].named && !yield(s.nameItem(r)) {
			return
		}
		it := s.itemOf(r)
		if it.Op == scan.Ref && len(it.Value) == 0 {
			continue // all of it was escaped white space
		}
		if !yield(it) {
			return
		}
	}
	for _, u := range uses {
		if !s.use(u, yield) {
			return
		}
	}
}

// use yields the use of a name: a Mention on request, and a Note if nothing defines it.
func (s *Scanner) use(u use, yield func(*scan.Item) bool) bool {
	if s.Mentions && u.of() != ofSubstitution {
		span := scan.Span{Start: int(u.start), End: int(u.end)}
		s.item = scan.Item{Op: scan.Mention, In: useNames[u.of()], Space: TargetSpace, Span: span, Value: []byte(nameOf(s.src[u.start:u.end]))}
		if !yield(&s.item) {
			return false
		}
	}
	return !s.names.isUndefined(u) || yield(s.noteOf(u))
}

// nameItem returns the Anchor in TargetSpace for a record that also defines something else.
func (s *Scanner) nameItem(r *record) *scan.Item {
	span := scan.Span{Start: int(r.start), End: int(r.end)}
	raw := s.src[r.start:r.end]
	if s.forms[r.form].value == asTitle {
		raw = []byte(plainText(raw))
	}
	s.more = scan.More{NameSpan: span}
	s.item = scan.Item{Op: scan.Anchor, In: s.forms[r.form].in, Space: TargetSpace, Span: span, Value: []byte(nameOf(raw)), More: &s.more}
	return &s.item
}

// noteOf returns the Item for the use of a name that the document does not define: a Note, but with Mentions
// a Mention if the name is that of a citation, which another document may define.
func (s *Scanner) noteOf(u use) *scan.Item {
	span := scan.Span{Start: int(u.start), End: int(u.end)}
	name := nameOf(s.src[u.start:u.end])
	switch {
	case u.of() == ofCitation && s.Mentions:
		s.item = scan.Item{Op: scan.Mention, In: useNames[u.of()], Space: CitationSpace, Span: span, Value: []byte(name)}
	case s.names.includes:
		s.item = scan.Item{Op: scan.Mention, In: useNames[u.of()], Space: NameSpace, Span: span, Value: []byte(name)}
	default:
		s.item = scan.Item{Op: scan.Note, Span: span, Code: scan.CodeUndefinedLabel, Text: "unknown " + useNames[u.of()] + " " + strconv.Quote(strings.Trim(name, "|"))}
	}
	return &s.item
}

// itemOf returns the Item of a record. It is valid until the next call.
func (s *Scanner) itemOf(r *record) *scan.Item {
	f := &s.forms[r.form]
	it := &s.item
	*it = scan.Item{Op: f.op, Kind: f.kind, How: f.how, Labels: f.labels, Space: f.space, In: f.in, Meant: f.meant,
		Span: scan.Span{Start: int(r.start), End: int(r.end)}}
	raw := s.src[r.start:r.end]
	switch f.value {
	case asWritten:
		it.Value = raw
	case asURI:
		it.Value = raw
		if !isClean(raw) {
			s.value = cleanURI(s.value[:0], raw)
			it.Value = s.value
		}
	case asPath:
		it.Value = raw
		if !isClean(raw) {
			s.value = cleanPath(s.value[:0], raw)
			it.Value = s.value
		}
	case asName:
		it.Value = []byte(nameOf(raw))
	case asID:
		it.Value = []byte(idOf(nameOf(raw)))
	case asTitle:
		it.Text = plainText(raw)
		if s.names.isTaken(it.Text, r.end) {
			it.In = RenamedTitle
		}
		s.more = scan.More{TextSpan: it.Span, Source: string(raw)}
		it.More = &s.more
	case asRole:
		it.Value = s.roleURL(s.value[:0], f.in, raw)
		it.Loose = true
	case asObject:
		it.Meant = ""
		role := f.meant
		if r.extra >= 0 && role == "" {
			role = s.found.extras[r.extra].text
		}
		s.value = s.objectValue(s.value[:0], role, raw, r.start)
		it.Value = s.value
	}
	switch {
	case f.op == scan.Part:
		it.Type, it.Name = "text/html", "raw"
	case f.op == scan.Anchor && f.value != asTitle:
		s.more = scan.More{NameSpan: it.Span}
		it.More = &s.more
	}
	def := int32(-1)
	switch {
	case r.extra >= 0:
		x := &s.found.extras[r.extra]
		def = x.def
		if f.value == asExtra {
			it.Value = []byte(x.text)
		}
		s.more.Parts = x.parts
		it.More = &s.more
	case r.extra != noExtra:
		def = definitionOf(r.extra)
	}
	if def >= 0 && !s.names.defs[def].isUsed {
		it.Labels |= scan.Unused
	}
	return it
}
