package xml

import (
	"bytes"

	"example.org/refract/extract/scan"
)

// instruction reads the processing instruction at src[lt] (2.6). Instructions that name a style sheet
// or a schema hold a reference (Associating Style Sheets with XML, Associating Schemas with XML). It
// is relative to the base at the beginning of the document, because these instructions precede its
// elements.
func (s *Scanner) instruction(lt int) int {
	i := bytes.Index(s.src[lt:], []byte("?>"))
	if i < 0 {
		s.note(lt, len(s.src), scan.CodeUnclosed, "an unclosed processing instruction")
		return len(s.src)
	}
	next := lt + i + len("?>")
	if s.inner > 0 {
		return next
	}
	p := lt + len("<?")
	for byteClass[s.src[p]]&spaceByte == 0 && p < lt+i {
		p++
	}
	r := ref{how: scan.Attribute}
	switch string(s.src[lt+len("<?") : p]) {
	case "xml-stylesheet":
		r.kind, r.in = scan.Embed, "xml-stylesheet/href"
	case "xml-model":
		r.kind, r.in = scan.Metadata, "xml-model/href"
	default:
		return next
	}
	var t tag
	s.attrs = s.attrs[:0]
	s.attributes(&t, p, lt+i)
	for i := range s.attrs {
		if a := &s.attrs[i]; string(a.name) == "href" {
			if v := s.text(a.from, a.to, true).trim(); len(v.b) > 0 {
				s.ref(&r, v)
			}
			break
		}
	}
	return next
}

// doctype reads a document type from src[p] on, after "<!DOCTYPE" (2.8). The reference to the
// external subset is metadata: few programs read it, and nobody should fetch the subsets of the known
// vocabularies each time.
func (s *Scanner) doctype(p int) int {
	src := s.src
	s.attrs = s.attrs[:0]
	for p < len(src) {
		switch c := src[p]; c {
		case '>':
			return p + 1
		case '[':
			return s.subset(p + 1)
		case '<':
			return p
		case '"', '\'':
			at, end := s.literal(p)
			if end < 0 {
				return p + 1
			}
			p = end + 1
			if !s.public(at) {
				s.system(&ref{kind: scan.Metadata, how: scan.Attribute, in: "!DOCTYPE"}, at, end)
			}
		default:
			p++
		}
	}
	return p
}

// literal returns the range of the quoted string at src[p]; end is -1 if it is not closed.
func (s *Scanner) literal(p int) (at, end int) {
	i := bytes.IndexByte(s.src[p+1:], s.src[p])
	if i < 0 {
		return p, -1
	}
	return p + 1, p + 1 + i
}

// public reports whether the literal whose content begins at src[at] follows PUBLIC: then it is a
// name.
func (s *Scanner) public(at int) bool {
	return bytes.HasSuffix(bytes.TrimRight(s.src[max(0, at-64):at-1], "\t\n\r "), []byte("PUBLIC"))
}

// system yields the system identifier at src[at:end] (4.2.2).
func (s *Scanner) system(r *ref, at, end int) {
	if v := (text{b: s.src[at:end], at: at}).trim(); len(v.b) > 0 {
		s.ref(r, v)
	}
}

// subset reads the internal subset from src[p] on (2.8), but only its declarations of entities.
func (s *Scanner) subset(p int) int {
	src := s.src
	for p < len(src) && !s.stopped {
		i := bytes.IndexAny(src[p:], "<]")
		if i < 0 {
			return len(src)
		}
		p += i
		rest := src[p:]
		switch {
		case rest[0] == ']':
			if i := bytes.IndexAny(rest, "<>"); i >= 0 && rest[i] == '>' {
				return p + i + 1
			}
			return p + 1
		case bytes.HasPrefix(rest, []byte("<!--")):
			p = s.comment(p)
		case bytes.HasPrefix(rest, []byte("<?")):
			p = s.instruction(p)
		case bytes.HasPrefix(rest, []byte("<!ENTITY")):
			p = s.entity(p + len("<!ENTITY"))
		case bytes.HasPrefix(rest, []byte("<!")):
			p, _, _ = s.markup(p + len("<!"))
		default: // a tag: the subset is not closed
			return p
		}
	}
	return p
}

// markup returns the end of the declaration that continues at src[p], and the last literal in it.
func (s *Scanner) markup(p int) (next, at, end int) {
	for p < len(s.src) {
		switch c := s.src[p]; c {
		case '>':
			return p + 1, at, end
		case '<', ']':
			return p, at, end
		case '"', '\'':
			i, j := s.literal(p)
			if j < 0 {
				return p + 1, 0, 0
			}
			at, end, p = i, j, j
		}
		p++
	}
	return p, 0, 0
}

// entity reads the declaration of an entity (4.2), after "<!ENTITY". An external entity is a
// reference: the document includes it wherever it names it.
func (s *Scanner) entity(p int) int {
	src := s.src
	next, at, end := s.markup(p)
	if at == 0 {
		return next
	}
	const most = 4 << 10 // bytes of names and literals before the last one
	fields := bytes.Fields(src[p:min(at-1, p+most)])
	parameter := len(fields) > 0 && string(fields[0]) == "%"
	if parameter {
		fields = fields[1:]
	}
	switch {
	case len(fields) >= 2 && (string(fields[1]) == "SYSTEM" || string(fields[1]) == "PUBLIC" && len(fields) > 2):
		r := ref{kind: scan.Embed, how: scan.Attribute, in: "!ENTITY"}
		if parameter { // declarations
			r.kind = scan.Metadata
		}
		s.attrs = s.attrs[:0]
		s.system(&r, at, end)
	case len(fields) == 1 && !parameter:
		s.declare(string(fields[0]), at, end)
	}
	return next
}

// declare records an entity whose value is src[at:end]: the first declaration of a name counts (4.2).
// References to an entity that holds markup or another entity stay as written.
func (s *Scanner) declare(name string, at, end int) {
	if _, ok := s.entities[name]; ok || len(s.entities) == maxEntities || len(name) > longest || bytes.IndexByte(s.src[at:end], '%') >= 0 {
		return
	}
	v := s.src[at:end]
	for i := 0; i < len(v); i++ {
		if v[i] == '&' {
			if _, n := predefined(v[i:]); n == 1 {
				return
			}
		}
	}
	t := decode(s, at, end, false, nil, nil)
	if bytes.IndexByte(t.b, '<') >= 0 {
		return
	}
	if s.entities == nil {
		s.entities = make(map[string]string)
	}
	s.entities[name] = string(t.b)
}
