package html

import (
	"bytes"
	"slices"
)

// What only documents in XML have: prefixes of XLink, and entities of their own.

const (
	xlinkSpace  = "http://www.w3.org/1999/xlink"
	maxPrefixes = 16
)

// bindXLink finds the prefixes that an XML document binds to XLink (Namespaces in XML 3), anywhere in it:
// OmniGraffle writes xl, and the ElementTree of Python ns1. "xlink" always counts.
func (s *Scanner) bindXLink() {
	s.xlinks = s.xlinks[:0]
	for rest := s.src; len(s.xlinks) < maxPrefixes; {
		i := bytes.Index(rest, []byte(xlinkSpace))
		if i < 0 {
			return
		}
		before := rest[:i]
		rest = rest[i+len(xlinkSpace):]
		if len(before) == 0 || len(rest) == 0 || rest[0] != before[len(before)-1] || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		before, ok := bytes.CutSuffix(bytes.TrimRight(before[:len(before)-1], " \t\r\n"), []byte("="))
		before = bytes.TrimRight(before, " \t\r\n")
		name := before[bytes.LastIndexAny(before, " \t\r\n\"'")+1:]
		prefix, isPrefix := bytes.CutPrefix(name, []byte("xmlns:"))
		if ok && isPrefix && len(prefix) > 0 && string(prefix) != "xlink" {
			s.xlinks = append(s.xlinks, prefix)
		}
	}
}

// isXLinkHref reports whether attr is href of XLink, with another prefix than xlink.
func (s *Scanner) isXLinkHref(attr []byte) bool {
	prefix, ok := bytes.CutSuffix(attr, []byte(":href"))
	return ok && slices.ContainsFunc(s.xlinks, func(p []byte) bool { return bytes.Equal(p, prefix) })
}

// entities are the entities that the internal subset of a document declares (XML 2.8 and 4.2). Entities
// with markup stay as written. So do references once all expansions together hold as many bytes as the
// document, so no document grows to more than twice its size.
type entities struct {
	values map[string]string
	budget int
}

const (
	maxEntities   = 1 << 12
	maxEntityName = 64
	maxEntity     = 1 << 12 // bytes of a value
)

func (e *entities) reset(size int) { e.values, e.budget = nil, size }

// declare reads the declarations of a subset. The first declaration of a name counts.
func (e *entities) declare(subset []byte) {
	for len(e.values) < maxEntities {
		i := bytes.Index(subset, []byte("<!"))
		if i < 0 {
			return
		}
		subset = subset[i:]
		if bytes.HasPrefix(subset, []byte("<!--")) {
			_, after, ok := bytes.Cut(subset[4:], []byte("-->"))
			if !ok {
				return
			}
			subset = after
			continue
		}
		rest, ok := bytes.CutPrefix(subset, []byte("<!ENTITY"))
		if !ok {
			subset = subset[2:]
			continue
		}
		subset = rest
		rest = bytes.TrimLeft(rest, " \t\r\n")
		n := bytes.IndexAny(rest[:min(len(rest), maxEntityName+1)], " \t\r\n")
		if n <= 0 {
			continue
		}
		name := string(rest[:n])
		rest = bytes.TrimLeft(rest[n:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' || e.values[name] != "" {
			continue // of parameters, or external
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return
		}
		value := rest[1 : 1+end]
		subset = rest[1+end:]
		if len(value) > maxEntity {
			continue
		}
		value, _ = e.appendDecoded(nil, value)
		if len(value) <= maxEntity && !bytes.ContainsAny(value, "&<%") {
			if e.values == nil {
				e.values = map[string]string{}
			}
			e.values[name] = string(value)
		}
	}
}

// reference returns the value of the entity to which v begins with a reference, and the length of the reference.
func (e *entities) reference(v []byte) (value string, n int, ok bool) {
	if len(e.values) == 0 || v[0] != '&' {
		return "", 0, false
	}
	end := bytes.IndexByte(v[:min(len(v), maxEntityName+2)], ';')
	if end < 0 {
		return "", 0, false
	}
	value, ok = e.values[string(v[1:end])]
	return value, end + 1, ok
}
