package xml

import (
	"bytes"

	"example.org/refract/extract/scan"
)

// bind records the namespace declarations among the attributes (Namespaces in XML section 3). Their
// values are names, not references.
func (s *Scanner) bind() {
	for i := range s.attrs {
		a := &s.attrs[i]
		if !a.ofXML {
			continue
		}
		switch prefix, local := cut(a.name); {
		case prefix == nil:
			s.def = s.named(a)
		case string(prefix) == "xmlns" && len(s.bindings) < maxBindings:
			s.bindings = append(s.bindings, binding{local, s.named(a)})
		}
	}
}

// named returns the namespace that the value of a names. It ignores the scheme, the case of letters
// and a slash at the end, which people get wrong.
func (s *Scanner) named(a *attribute) space {
	s.scratch = s.scratch[:0]
	for _, c := range bytes.TrimSuffix(s.text(a.from, a.to, true).b, []byte("/")) {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		s.scratch = append(s.scratch, c)
	}
	name := bytes.TrimPrefix(s.scratch, []byte("http"))
	return s.words.spaces[string(bytes.TrimPrefix(bytes.TrimPrefix(name, []byte("s")), []byte("://")))]
}

// root determines the namespace of elements that have no known one, by the root element: RSS and OPML
// have no namespace, and the names of other namespaces are often misspelt.
func (s *Scanner) root(prefix, local []byte) {
	sp := s.spaceOf(prefix)
	s.xslt = sp == xslt
	if sp != anySpace {
		return
	}
	sp = roots[string(local)]
	if len(prefix) == 0 {
		s.def = sp
	} else if sp != anySpace && len(s.bindings) < maxBindings {
		s.bindings = append(s.bindings, binding{prefix, sp})
	}
}

// spaceOf returns the namespace that a prefix means here. An undeclared prefix has its customary
// meaning.
func (s *Scanner) spaceOf(prefix []byte) space {
	if len(prefix) == 0 {
		return s.def
	}
	for i := len(s.bindings) - 1; i >= 0; i-- {
		if b := &s.bindings[i]; string(b.prefix) == string(prefix) {
			return b.space
		}
	}
	return prefixes[string(prefix)]
}

// report yields the references of the start tag of the innermost element.
func (s *Scanner) report(t *tag) {
	if s.declares {
		for i := range s.attrs {
			if a := &s.attrs[i]; a.ofXML && string(a.name) == "xml:base" {
				s.base(a)
				break
			}
		}
	}
	for i := range s.attrs {
		if a := &s.attrs[i]; !a.ofXML {
			s.attribute(t, a)
		}
	}
}

// base yields a Base (XML Base section 3).
func (s *Scanner) base(a *attribute) {
	v := s.text(a.from, a.to, true).trim()
	span, _ := v.span(0, len(v.b))
	s.baseOf(len(s.frames)-1, v.b, span, "xml:base")
}

// A siblingBase is an element whose content is the base of the elements after it, in the same parent:
// DASH's BaseURL. Several such elements are alternatives: the first one counts, and none is the base of
// another.
type siblingBase struct {
	frame int // index in frames of the element that contains it, plus 1; 0: there is none
	value []byte
	span  scan.Span
	in    string
}

// applyBase puts the base that waits into force before t, if t is in the same element and no further base.
func (s *Scanner) applyBase(t *tag) {
	w := &s.waiting
	switch c := t.rules.content; {
	case w.frame != len(s.frames):
		w.frame = 0
	case c == nil || c.form != baseContent:
		s.baseOf(w.frame-1, w.value, w.span, w.in)
		w.frame = 0
	}
}

// baseOf yields a Base for the rest of the element s.frames[k].
func (s *Scanner) baseOf(k int, value []byte, span scan.Span, in string) {
	if s.nested == maxBases || s.nestedSize+len(value) > maxBaseSize {
		s.note(span.Start, span.End, scan.CodeBaseIgnored, "a base inside too many bases, or too long ones, is ignored")
		return
	}
	s.nested++
	s.nestedSize += len(value)
	s.frames[k].base = int32(1 + len(value))
	s.put(scan.Item{Op: scan.Base, In: in, Span: span, Value: value})
}

// attribute yields the references of one attribute of t.
func (s *Scanner) attribute(t *tag, a *attribute) {
	rule := s.ruleOf(t, a)
	if rule == nil {
		if a.to-a.from >= shortest && s.mayRun(s.src[a.from:a.to]) {
			s.running(s.text(a.from, a.to, true), ref{})
		}
		return
	}
	if rule.form == nothing {
		return
	}
	v := s.text(a.from, a.to, true).trim()
	r := ref{kind: s.kindOf(t, rule), how: scan.Attribute, in: rule.in}
	if r.in == "" {
		r.in = s.ins.Join(t.local, rule.attr)
	}
	switch {
	case s.xslt && bytes.IndexByte(v.b, '{') >= 0: // an attribute value template (XSLT 7.6.2)
	case rule.form == template && bytes.ContainsAny(v.b, "${"):
	case rule.form == identifier:
		s.running(v, r)
	case rule.form == pairs:
		second := false
		for i, j := range v.fields() {
			if second {
				s.ref(&r, v.cut(i, j))
			}
			second = !second
		}
	case len(v.b) > 0 || r.kind != scan.Embed: // an empty reference means the document itself
		s.ref(&r, v)
	}
}

// ruleOf returns the rule for an attribute of t, or nil.
func (s *Scanner) ruleOf(t *tag, a *attribute) *attrRule {
	local := a.name[a.colon+1:]
	if !s.words.attrs.Has(local) {
		return nil
	}
	n := find(local)
	switch {
	case n == noName:
		return nil
	case a.colon < 0:
		return t.rules.attr(n)
	}
	return s.words.global[s.spaceOf(a.name[:a.colon])].attr(n)
}

// kindOf returns the kind of an attribute's reference, which may depend on other attributes.
func (s *Scanner) kindOf(t *tag, r *attrRule) scan.Kind {
	switch {
	case r.space == atom && t.name == nLink && string(s.get("rel")) == "enclosure", // RFC 4287 4.2.7.2
		r.space == xlink && string(s.get("show")) == "embed": // XLink 5.6.1
		return scan.Embed
	case r.space == rdf && t.space == rdf && t.name == nType: // the name of a class
		return scan.Metadata
	}
	return r.kind
}

// beside returns the attributes that may qualify each other. It limits their number, because a tag
// may have any number of attributes.
func (s *Scanner) beside() []attribute { return s.attrs[:min(len(s.attrs), 64)] }

// get returns the value, as written, of the attribute with this name, whatever its prefix.
func (s *Scanner) get(local string) []byte {
	for _, a := range s.beside() {
		if !a.ofXML && string(a.name[a.colon+1:]) == local {
			return s.src[a.from:a.to]
		}
	}
	return nil
}

// content yields the references in the content of t, by its rule, from src[p] to the next tag, and
// returns where to continue.
func (s *Scanner) content(t *tag, p int) int {
	rule := t.rules.content
	form, mediaType := rule.form, "text/html"
	switch form {
	case nothing:
		return p + max(0, bytes.IndexByte(s.src[p:], '<'))
	case permalink:
		form = single
		if string(bytes.TrimSpace(s.get("isPermaLink"))) == "false" {
			form = identifier
		}
	case typed:
		if mediaType = contentType(bytes.TrimSpace(s.get("type"))); mediaType == "" {
			return p
		}
		if mediaType == "xhtml" {
			s.frames[len(s.frames)-1].xhtml = true
			return p
		}
	}
	v, next := s.characters(p)
	r := ref{kind: rule.kind, how: scan.Element, in: rule.in}
	switch trimmed := v.trim(); {
	case len(trimmed.b) == 0:
	case form == identifier:
		r.kind = scan.Metadata
		s.running(trimmed, r)
	case form != single && form != baseContent:
		span, _ := v.span(0, len(v.b))
		s.put(scan.Item{Op: scan.Part, Type: mediaType, Name: rule.in, Span: span, Value: v.b, Map: v.m})
	case next == len(s.src):
		s.note(p, next, scan.CodeUnclosed, "an unclosed element")
	default:
		if k := len(s.frames) - 2; rule.space == rss && t.name == nLink && k >= 0 {
			if _, parent := cut(s.src[s.frames[k].at:s.frames[k].end]); bytes.EqualFold(parent, []byte("textinput")) {
				r.kind = scan.Form
			}
		}
		s.ref(&r, trimmed)
		if k := len(s.frames) - 2; form == baseContent && k >= 0 && s.frames[k].base == 0 && s.waiting.frame != k+1 {
			span, _ := trimmed.span(0, len(trimmed.b))
			s.waiting = siblingBase{k + 1, append(s.waiting.value[:0], trimmed.b...), span, rule.in}
		}
	}
	return next
}

// contentType returns the media type of content that is written as text, given the value of its type
// attribute (RFC 4287 3.1.1 and 4.1.3.3); "xhtml" for XHTML elements; "" for content that needs no
// special treatment: text, other elements, and base64, which holds no reference.
func contentType(s []byte) string {
	if i := bytes.IndexByte(s, ';'); i >= 0 {
		s = bytes.TrimSpace(s[:i])
	}
	switch t := string(bytes.ToLower(s)); t {
	case "html", "text/html":
		return "text/html"
	case "xhtml", "application/xhtml+xml":
		return "xhtml"
	case "text/plain", "text/xml":
	default:
		if len(t) > 5 && t[:5] == "text/" && !bytes.HasSuffix(s, []byte("+xml")) {
			return t
		}
	}
	return ""
}

// A ref is what is known about a reference before its value is read.
type ref struct {
	kind scan.Kind
	how  scan.How
	in   string
}

// ref yields the reference v.
func (s *Scanner) ref(r *ref, v text) {
	it := &s.item
	it.Op, it.Kind, it.How, it.In, it.Value = scan.Ref, r.kind, r.how, r.in, v.b
	span, exact := v.span(0, len(v.b))
	it.Span, it.Loose = span, !exact
	it.Map, it.Meant, it.Labels = nil, "", 0
	it.Type, it.Name, it.Text, it.Code, it.More = "", "", "", "", nil
	if s.Details {
		s.details()
	}
	s.give()
}

// details sets the fields of a reference that Details asks for.
func (s *Scanner) details() {
	it := &s.item
	s.more = scan.More{}
	it.More = &s.more
	for _, a := range s.beside() {
		field := &it.Text
		switch string(a.name[a.colon+1:]) {
		case "rel":
			field = &s.more.Rel
		case "hreflang":
			field = &s.more.Hreflang
		case "type":
			field = &it.Type
		case "title", "text":
		default:
			continue
		}
		*field = string(decode(s, a.from, a.to, true, nil, nil).trim().b)
	}
}
