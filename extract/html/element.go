package html

import (
	"bytes"
	"slices"
	"strings"

	"example.org/refract/extract/scan"
)

// report yields the references of a start tag, and opens its element.
func (s *Scanner) report(t *tag) {
	if s.hasBases {
		s.depth++
		if at, end, ok := s.get(nXMLBase); ok {
			s.bases = append(s.bases, s.depth)
			s.base(s.text(at, end), "xml:base")
		}
	}
	if t.space == nsHTML {
		switch {
		case t.name == nBase && s.template == 0 && !t.ignored:
			s.baseTag()
		case t.name == nTemplate && s.tree == nil && !(s.XML && t.closes):
			s.template++
		case t.name == nNoscript && !(s.XML && t.closes):
			s.noscript = true
		case t.name == nA:
			_, _, s.inLink = s.get(nHref)
			s.endOuterLink()
		case s.Prose && (t.name == nTable || t.name == nTd || t.name == nTh):
			s.startCell(t.name == nTable)
		}
	}
	if s.tree == nil && (t.space != nsHTML || len(s.frames) > 0) {
		s.enter(t)
	}
	if s.quiet() || s.halted {
		return
	}
	if s.Choices && isGroup(t.called) {
		c := scan.Choice{}
		s.readChoice(&c, t)
		s.group.preload = c.Preload
	}
	for i := range s.attrs {
		switch a := &s.attrs[i]; {
		case a.form != detail:
			s.attribute(t, a)
		case s.Anchors && (a.attr == nID || a.attr == nName && t.name == nA):
			s.anchor(t, a)
		case a.attr == nContent && t.name == nMeta:
			s.meta(a)
		case a.attr == nValue && t.name == nParam:
			s.param(a)
		case a.attr == nHref && t.name == nXMLStylesheet:
			s.ref(&ref{kind: scan.Embed, in: "xml-stylesheet/href"}, s.text(a.at, a.end).url())
		}
	}
}

// quiet reports whether tags are read only to find the base, or to follow tree construction.
func (s *Scanner) quiet() bool { return s.looking || s.following }

// baseTag reads a base element. Only the first with an href counts, and it applies from the beginning
// of the document (4.2.3).
func (s *Scanner) baseTag() {
	at, end, ok := s.get(nHref)
	if !ok {
		return
	}
	if !s.looking {
		switch {
		case s.Fragment:
			s.note(at, end, scan.CodeBaseIgnored, "a base in a fragment of HTML is ignored")
		case s.baseSeen:
			s.note(at, end, scan.CodeBaseIgnored, "a second base is ignored")
		case s.Exhaustive:
			s.ref(&ref{kind: scan.Link, in: "base/href", of: own}, s.text(at, end).url())
		}
		s.baseSeen = true
		return
	}
	s.looking, s.halted = false, true
	v := s.text(at, end).url()
	scheme, _, _ := bytes.Cut(v.b, []byte(":"))
	if equalFold(scheme, "data") || equalFold(scheme, "javascript") {
		s.note(at, end, scan.CodeBaseIgnored, "a base that is a data: or javascript: URL is ignored")
		return
	}
	s.base(v, "base/href")
}

// base yields a Base.
func (s *Scanner) base(v text, in string) {
	v = v.url()
	s.item = scan.Item{Op: scan.Base, In: in, Span: v.span(0, len(v.b)), Value: v.b}
	s.put()
}

// leave closes an element in XML, and the base that it set.
func (s *Scanner) leave() {
	if k := len(s.bases) - 1; k >= 0 && s.bases[k] == s.depth {
		s.bases = s.bases[:k]
		s.item = scan.Item{Op: scan.End}
		s.put()
	}
	s.depth = max(0, s.depth-1)
}

// attribute yields the references of one attribute, and ends the base that applies only to them.
func (s *Scanner) attribute(t *tag, a *attribute) {
	if names[a.attr] == "background" && names[t.name] == "body" && !s.XML {
		if s.backdrop {
			return // of another body, only attributes that the first one lacks count (13.2.6.4.7)
		}
		s.backdrop = true
	}
	s.references(t, a)
	if s.inCodebase {
		s.inCodebase = false
		s.item = scan.Item{Op: scan.End}
		s.put()
	}
}

func (s *Scanner) references(t *tag, a *attribute) {
	if raw := s.src[a.at:a.end]; a.form == styled && bytes.IndexByte(raw, '(') < 0 && bytes.IndexByte(raw, '&') < 0 {
		return // most style attributes
	}
	if a.of&rare != 0 && !s.Exhaustive {
		return
	}
	v := s.text(a.at, a.end)
	r := ref{kind: a.kind, in: s.in(t, a), of: a.of, tag: t}
	switch a.form {
	case single, filled, curie:
		v = v.url()
		if len(v.b) == 0 && a.form != single || a.form == curie && (bytes.HasPrefix(v.b, []byte("[")) || bytes.HasPrefix(v.b, []byte("_:"))) {
			return
		}
		switch {
		case t.name == nLink && a.attr == nHref:
			r.kind = s.linkKind()
		case t.name == nInput && a.attr == nSrc && s.lower(nType) != "image":
			return
		case t.space == nsSVG && a.attr == nXlinkHref && s.has(nHref), t.name == nIframe && a.attr == nSrc && s.has(nSrcdoc):
			r.labels = scan.Overridden
		case s.Exhaustive && a.attr == nSrc && s.image(v):
			return
		}
		s.ref(&r, v)
		if code := len("javascript:"); s.Scripts && len(v.b) > code && equalFold(v.b[:code], "javascript:") {
			s.guesses(v.cut(code, len(v.b)), r.in, false)
		}
	case late, mixed:
		s.late(&r, v.url(), a.form == mixed)
	case braced, bracedURL, bracedPart:
		r.labels = scan.Speculative
		if a.form == bracedPart {
			r.labels |= scan.Guess
		}
		v = literal(v)
		if len(v.b) > 0 && (a.form == braced || looksLikeURL(v.b)) { // others are words, such as the name of an icon
			s.ref(&r, v)
		}
	case list, absolute:
		for i, j := range v.fields() {
			if a.form == list || hasScheme(v.b[i:j]) {
				s.ref(&r, v.cut(i, j))
			}
		}
	case commas:
		for i := 0; i <= len(v.b); {
			j := bytes.IndexByte(v.b[i:], ',')
			if j < 0 {
				j = len(v.b) - i
			}
			if part := v.cut(i, i+j).url(); len(part.b) > 0 {
				s.ref(&r, part)
			}
			i += j + 1
		}
	case srcset:
		if s.isBgset(a) {
			s.bgset(&r, v)
			return
		}
		s.srcset(&r, v)
	case styled:
		s.styles(&r, v, true)
	case handler:
		s.guesses(v, r.in, false)
	case document:
		s.part(v)
	}
}

// linkKind returns the kind of a link element's reference, by its rel.
func (s *Scanner) linkKind() scan.Kind {
	for rel := range strings.FieldsSeq(s.lower(nRel)) {
		if slices.Contains(embeds, rel) {
			return scan.Embed
		}
	}
	return scan.Link
}

func (s *Scanner) has(n name) bool {
	_, _, ok := s.get(n)
	return ok
}

// other returns the value of an attribute that qualifies the current one.
func (s *Scanner) other(n name) string {
	at, end, ok := s.get(n)
	if !ok {
		return ""
	}
	return string(s.decode(at, end).b)
}

func (s *Scanner) lower(n name) string { return strings.ToLower(s.other(n)) }

// meta yields the reference of a meta element, if its content holds one.
func (s *Scanner) meta(a *attribute) {
	if s.lower(nHTTPEquiv) == "refresh" {
		v := s.text(a.at, a.end)
		if i, j, ok := refresh(v.b); ok {
			s.ref(&ref{kind: scan.Link, in: "meta/refresh"}, v.cut(i, j).url())
		}
		return
	}
	if s.Exhaustive && s.rareMeta(a) {
		return
	}
	for _, n := range []name{nProperty, nName} {
		if i := slices.Index(metas, s.lower(n)); i >= 0 {
			if v := s.text(a.at, a.end).url(); len(v.b) > 0 {
				s.ref(&ref{kind: scan.Metadata, in: "meta/" + metas[i]}, v)
			}
			return
		}
	}
}

// param yields the reference of a param element: params with valuetype=ref (HTML 4.01 section
// 13.3.2), and params that plug-ins recognised by name.
func (s *Scanner) param(a *attribute) {
	r := ref{kind: scan.Embed, in: "param/value"}
	if s.lower(nValuetype) != "ref" {
		if n := s.lower(nName); !slices.Contains(params, n) && !(s.Exhaustive && n == "ref") {
			return
		}
		r.labels = scan.Speculative
	}
	if v := s.text(a.at, a.end).url(); len(v.b) > 0 {
		s.ref(&r, v)
	}
}

// anchor yields an Anchor. Its value is compared unchanged: nothing is stripped.
func (s *Scanner) anchor(t *tag, a *attribute) {
	v := s.text(a.at, a.end)
	if len(v.b) == 0 {
		return
	}
	span := v.span(0, len(v.b))
	s.more = scan.More{NameSpan: span}
	s.item = scan.Item{Op: scan.Anchor, In: s.in(t, a), Span: span, Value: v.b, More: &s.more}
	s.put()
}

// in returns "element/attr".
func (s *Scanner) in(t *tag, a *attribute) string {
	switch {
	case a.in != "":
		return a.in
	case t.allowed.name != "": // "img" for image
		return s.ins.Join(append(s.low[:0], t.allowed.name...), names[a.attr])
	}
	return s.ins.Join(lower(&s.low, t.called), names[a.attr])
}

// A ref is what is known about a reference before its value is read.
type ref struct {
	kind   scan.Kind
	how    scan.How
	in     string
	of     of
	labels scan.Labels
	tag    *tag // with Details and Choices

	descriptor string       // with Choices, of an image candidate
	inSheet    *scan.Choice // with Choices, of a reference in a style sheet
}

// ref yields the reference v, the value of an attribute or a part of that value.
func (s *Scanner) ref(r *ref, v text) {
	r.how = scan.Attribute
	if r.of&coded != 0 && !s.inCodebase {
		s.codebase(r.tag)
	}
	s.refAt(r, v.b, v.span(0, len(v.b)))
}

// refAt yields a reference whose source is span.
func (s *Scanner) refAt(r *ref, value []byte, span scan.Span) {
	it := &s.item
	it.Op, it.Kind, it.How, it.In = scan.Ref, r.kind, r.how, r.in
	it.Span, it.Value = span, value
	it.IgnoresBase = r.of&own != 0 || r.of&ownEmpty != 0 && len(value) == 0 || r.of&ownLocal != 0 && len(value) > 0 && value[0] == '#'
	it.Labels = r.labels | s.label
	if r.of&lazy != 0 {
		it.Labels |= scan.Lazy
	}
	if s.template > 0 {
		it.Labels |= scan.Template
	}
	if s.noscript {
		it.Labels |= scan.Noscript
	}
	it.Map, it.Type, it.Name, it.Text, it.Code, it.More = nil, "", "", "", "", nil
	if s.Details && r.tag != nil {
		s.details(r.tag)
	}
	if s.Choices && r.inSheet != nil {
		s.more = scan.More{Choice: r.inSheet}
		it.More = &s.more
	} else if s.Choices && r.tag != nil && r.tag.name != nA { // links are most references, and never chosen
		s.choice(r)
	}
	s.put()
}

// codebase yields the base that applies only to the references of an object or applet element, if it
// has a codebase (HTML 4.01 section 13.3). The codebase of an applet is a directory. The base is
// yielded once for all references of an attribute: there may be many references, and the codebase may
// be long.
func (s *Scanner) codebase(t *tag) {
	at, end, ok := s.get(nCodebase)
	if !ok || s.Browser {
		return
	}
	base := s.decode(at, end).url()
	value := base.b
	if t.name == nApplet && !bytes.HasSuffix(value, []byte("/")) {
		value = append(bytes.Clone(value), '/')
	}
	s.item = scan.Item{Op: scan.Base, In: names[t.name] + "/codebase", Span: base.span(0, len(base.b)), Value: value}
	s.put()
	s.inCodebase = true
}

// part yields the document of an srcdoc attribute.
func (s *Scanner) part(v text) {
	if len(v.b) > 0 {
		s.document(v, "text/html", "srcdoc", "iframe/srcdoc")
	}
}

// document yields the document v in an attribute.
func (s *Scanner) document(v text, mediaType, name, in string) {
	s.item = scan.Item{Op: scan.Part, Type: mediaType, Name: name, In: in, Span: v.span(0, len(v.b)), Value: v.b}
	if v.m != nil {
		s.item.Map = v.m.made()
	} else {
		s.item.Map = new(scan.Map)
		s.item.Map.Add(len(v.b), v.at, 1, 1)
	}
	s.put()
}

// prose yields the references of the text src[at:end], read as running text.
func (s *Scanner) prose(at, end int) {
	if v := s.src[at:end]; !s.Text.Finder.May(v) && !bytes.Contains(v, []byte("&#")) {
		s.paths(at, end)
		return // nearly all text
	}
	t := s.text(at, end)
	s.Text.Window(t.b, 0, len(t.b), true, func(it *scan.Item) bool {
		it.Span = t.span(it.Span.Start, it.Span.End)
		if it.More != nil {
			for i, p := range it.More.Parts {
				it.More.Parts[i] = t.span(p.Start, p.End)
			}
		}
		s.paths(at, it.Span.Start)
		at = max(at, it.Span.End)
		s.item = *it
		s.item.Labels = s.label
		s.put()
		s.item = scan.Item{}
		return !s.stopped
	})
	s.paths(at, end)
}

// put yields the item.
func (s *Scanner) put() {
	if d := &s.discarded; d.End > 0 && s.item.Kind != scan.Embed && s.item.Span.Start >= d.Start && s.item.Span.Start < d.End && s.item.Op != scan.Note {
		return // what is embedded has been requested
	}
	if !s.stopped && !s.following {
		s.stopped = !s.yield(&s.item)
	}
}

// note yields a Note about src[at:end].
func (s *Scanner) note(at, end int, code scan.Code, text string) {
	if !s.quiet() {
		s.item = scan.Item{Op: scan.Note, Span: scan.Span{Start: at, End: end}, Code: code, Text: text}
		s.put()
	}
}
