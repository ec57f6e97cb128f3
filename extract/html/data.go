package html

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"example.org/refract/extract/scan"
)

// content yields the references in the text of an element: in style sheets and data blocks. The text
// is src[p:to] if it holds no markup; otherwise it extends from src[p] to the next tag.
func (s *Scanner) content(t *tag, p, to int) {
	if t.name != nStyle && t.name != nScript || s.quiet() {
		return
	}
	kind := strings.TrimSpace(s.lower(nType))
	v := text{b: s.src[p:to], at: p, lines: true}
	if t.raw == notRaw {
		if t.closes {
			return
		}
		v = s.characters(p)
	}
	if s.Choices && !s.scripted && t.name == nScript && t.space == nsHTML && isCode(kind) && len(bytes.TrimSpace(v.b)) > 0 {
		s.scripted = true
		s.note(p, p, scan.CodeScript, "a script, which may request more")
	}
	switch {
	case t.name == nStyle && (kind == "" || kind == "text/css"):
		s.styles(&ref{in: "style", tag: t}, v, false)
	case t.name == nStyle:
	case kind == "importmap":
		s.json(v, s.imports)
	case kind == "speculationrules":
		s.json(v, speculationRules)
	case kind == "application/ld+json" && s.JSONLD:
		s.json(v, linkedData)
	case s.Scripts:
		s.script(v, kind)
	}
}

// characters returns the text from src[p] to the next tag, with character references decoded, without
// comments, and with the content of CDATA sections (13.2.6.5).
func (s *Scanner) characters(p int) text {
	v := text{m: new(mapping), lines: true}
	add := func(at, end int) {
		if holding(s.src[at:end])&oddByte != 0 {
			var expanded int
			v.b, expanded = s.entities.appendDecoded(v.b, s.src[at:end])
			s.entities.addReferences(&v.m.Map, s.src[at:end], at, expanded)
			return
		}
		v.b = append(v.b, s.src[at:end]...)
		v.m.Add(end-at, at, 1, 1)
	}
	for src := s.src; ; {
		i := bytes.IndexByte(src[p:], '<')
		if i < 0 {
			add(p, len(src))
			return v
		}
		add(p, p+i)
		p += i
		switch rest := src[p:]; {
		case bytes.HasPrefix(rest, []byte("<!--")):
			p, _ = commentEnd(src, p+len("<!--"))
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			p += len("<![CDATA[")
			end := bytes.Index(src[p:], []byte("]]>"))
			if end < 0 {
				end = len(src) - p
			}
			v.b = append(v.b, src[p:p+end]...)
			v.m.Add(end, p, 1, 1)
			p = min(len(src), p+end+len("]]>"))
		case len(rest) > 1 && byteClass[rest[1]]&letter == 0 && rest[1] != '/':
			add(p, p+1)
			p++
		default:
			return v
		}
	}
}

// styles yields the references of the style sheet v, or, with inline, of the declarations of a style
// attribute.
func (s *Scanner) styles(r *ref, v text, inline bool) {
	s.css.Inline, s.css.Choices = inline, s.Choices
	one := *r
	one.how = scan.CSS
	media := ""
	if s.Choices && !inline && r.tag != nil {
		c := scan.Choice{}
		s.readChoice(&c, r.tag)
		media = c.Media
	}
	for it := range s.css.Scan(v.b) {
		one.kind, one.of = it.Kind, r.of&lazy
		if it.IgnoresBase {
			one.of |= own
		}
		one.inSheet = it.Extra().Choice
		if one.inSheet != nil {
			one.inSheet.Media = media
		}
		if !inline {
			one.in = r.in + "/" + it.In
		}
		s.refAt(&one, it.Value, v.span(it.Span.Start, it.Span.End))
		if s.stopped {
			return
		}
	}
}

// A member reports whether a string of JSON is a reference, and its labels. path holds the keys
// around the string, "" for elements of arrays; key says whether the string is itself a key.
type member func(path []string, key bool, value string) (labels scan.Labels, ok bool)

// imports finds the URLs in an import map (8.1.6.1): the values of imports and of scopes, and the keys of
// integrity. The keys of scopes and addresses that end in "/" are prefixes, which are never fetched. With
// Anchors, for an audit, such addresses count: an import by a prefix without its directory fails.
func (s *Scanner) imports(path []string, key bool, value string) (scan.Labels, bool) {
	switch {
	case key:
		return 0, len(path) == 1 && path[0] == "integrity"
	case len(path) == 2 && path[0] == "imports", len(path) == 3 && path[0] == "scopes":
		return 0, s.Anchors || !strings.HasSuffix(value, "/")
	}
	return 0, false
}

// speculationRules finds the urls of speculation rules; href_matches holds patterns, not URLs.
func speculationRules(path []string, key bool, value string) (scan.Labels, bool) {
	return 0, !key && len(path) == 4 && path[1] == "" && path[2] == "urls"
}

// linkedKeys are the keys of JSON-LD, and of schema.org in it, whose values are URLs: @id of JSON-LD
// 1.1, and properties of schema.org that expect a URL and that pages write as one, chosen by hand as
// of November 2026. Properties that mostly hold objects or text are left out.
var linkedKeys = strings.Fields(`@id url image logo sameas contenturl embedurl thumbnailurl thumbnail mainentityofpage
item downloadurl installurl discussionurl target urltemplate license isbasedon citation`)

// linkedData finds strings that look like URLs in JSON-LD: values of keys that are known to hold
// URLs, and all strings that begin with a scheme and "//". Contexts and types are names, not
// references.
func linkedData(path []string, key bool, value string) (scan.Labels, bool) {
	if key || slices.Contains(path, "@context") {
		return 0, false
	}
	last := ""
	for _, k := range slices.Backward(path) {
		last = k
		if k != "" {
			break
		}
	}
	colon := strings.Index(value, "://")
	isURL := colon > 0 && hasScheme([]byte(value[:colon+1])) && !strings.ContainsAny(value, " \t\r\n")
	known := slices.Contains(linkedKeys, strings.ToLower(last)) && !strings.HasPrefix(value, "_:") && !strings.ContainsAny(value, " \t\r\n")
	return scan.Speculative, last != "@type" && value != "" && (isURL || known)
}

// json yields the references of a data block.
func (s *Scanner) json(v text, is member) {
	type level struct {
		key    string // of the current member; "" in an array
		object bool
		value  bool // the next string is a value
	}
	var levels []level
	var path []string
	dec := json.NewDecoder(bytes.NewReader(v.b))
	dec.UseNumber()
	for before := 0; !s.stopped; before = int(dec.InputOffset()) {
		tok, err := dec.Token()
		if err != nil {
			if len(levels) > 0 || before < len(bytes.TrimSpace(v.b)) {
				span := v.span(0, len(v.b))
				s.note(span.Start, span.End, scan.CodeInvalidData, "a data block that is not valid JSON")
			}
			return
		}
		top := len(levels) - 1
		isKey := top >= 0 && levels[top].object && !levels[top].value
		if value, ok := tok.(string); ok {
			path = path[:0]
			for i := range levels {
				if !isKey || i < top {
					path = append(path, levels[i].key)
				}
			}
			if labels, ok := is(path, isKey, value); ok {
				end := int(dec.InputOffset()) - 1
				from := before + bytes.IndexByte(v.b[before:], '"') + 1
				r := ref{kind: scan.Embed, how: scan.JSON, in: "script/" + strings.TrimSpace(s.lower(nType)), labels: labels}
				if labels != 0 {
					r.kind = scan.Metadata
				}
				s.refAt(&r, bytes.TrimFunc([]byte(value), func(r rune) bool { return r <= ' ' }), v.span(from, end))
			}
			if isKey {
				levels[top].key, levels[top].value = value, true
				continue
			}
		}
		if d, ok := tok.(json.Delim); ok {
			if d == '{' || d == '[' {
				if len(levels) == maxDepth {
					s.note(v.at, v.at, scan.CodeTooDeep, "a data block that is nested too deeply")
					return
				}
				levels = append(levels, level{object: d == '{'})
				continue
			}
			levels = levels[:top]
			top--
		}
		if top >= 0 {
			levels[top].value = false
		}
	}
}

// maxDepth limits the depth to which data blocks are read.
const maxDepth = 64

// maxText limits the source that is read for the text of a link, in bytes.
const maxText = 4096

// details sets the fields of the reference of t that Details asks for.
func (s *Scanner) details(t *tag) {
	it := &s.item
	s.more = scan.More{Rel: s.other(nRel), Hreflang: s.other(nHreflang)}
	it.More = &s.more
	if t.name != nInput {
		it.Type = s.other(nType)
	}
	if t.name == nA {
		it.Text = s.linkText(t.end)
	} else {
		it.Text = s.other(nAlt)
	}
}

// linkText returns the text from src[p] to the end of the link: its end tag, the beginning of another link, or the
// end of the table cell around it.
func (s *Scanner) linkText(p int) string {
	src := s.src[p:min(len(s.src), p+maxText)]
	tables := 0 // open ones in the link
	var text []byte
	for len(src) > 0 {
		i := bytes.IndexByte(src, '<')
		if i < 0 {
			i = len(src)
		}
		text = append(text, src[:i]...)
		src = src[i:]
		if len(src) == 0 {
			break
		}
		called, isEnd := nameInTag(src[1:])
		if len(called) == 1 && called[0]|0x20 == 'a' && len(src) > len("<a") || isEnd && tables == 0 && endsCell(called) {
			break
		}
		if equalFold(called, "table") {
			if isEnd {
				tables--
			} else {
				tables++
			}
		}
		if i = bytes.IndexByte(src, '>'); i < 0 {
			break
		}
		src = src[i+1:]
	}
	return strings.Join(strings.Fields(html.UnescapeString(string(text))), " ")
}
