package rst

import (
	"bytes"
	"strings"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// role reads the text of a role: text, or "text <target>".
func (p *parser) role(name string, from, to int) {
	name = strings.ToLower(name)
	full := strings.TrimPrefix(name, "std:")
	name = strings.TrimPrefix(full, "rst:")
	isTitled := false
	if open := embeddedInRole(p.src[from:to]); open > 0 {
		from, to, isTitled = from+open+1, to-1, true
	} else if p.src[from] == '!' {
		return // it is no link
	}
	from, to = p.trim(from, to)
	if from == to {
		return
	}
	switch name {
	case "doc", "download":
		p.add(form{kind: scan.Link, how: scan.Role, in: name, value: asPath}, from, to, -1)
	case "ref", "numref":
		p.mention(RefSpace, name, from, to)
	case "term":
		p.mention(TermSpace, name, from, to)
	case "rfc", "rfc-reference":
		p.implied("rfc", from, to)
	case "pep", "pep-reference":
		p.implied("pep", from, to)
	default:
		if _, ok := p.Extlinks[name]; ok {
			p.implied(name, from, to)
			return
		}
		p.object(full, from, to, isTitled)
	}
}

// embeddedInRole returns the offset of "<" in "text <target>", or -1 if there is none. Unlike in references,
// Sphinx requires no space before it.
func embeddedInRole(text []byte) int {
	if n := len(text); n < 3 || text[n-1] != '>' {
		return -1
	}
	return bytes.LastIndexByte(text[:len(text)-1], '<')
}

func (p *parser) mention(space, in string, from, to int) {
	if p.Mentions {
		p.add(form{op: scan.Mention, in: in, space: space, value: asName}, from, to, -1)
	}
}

// implied adds a text from which a role makes a URL.
func (p *parser) implied(role string, from, to int) {
	number := p.src[from:to]
	if i := bytes.IndexByte(number, '#'); i >= 0 {
		number = number[:i]
	}
	_, isExtlink := p.Extlinks[role]
	if isExtlink || len(number) > 0 && len(number) < 6 && len(bytes.Trim(number, "0123456789")) == 0 {
		p.add(form{kind: scan.Link, how: scan.Role, in: role, value: asRole}, from, to, -1)
	}
}

// roleURL appends the URL that a role makes of its text; :rfc: and :pep: have the URLs of docutils.
func (s *Scanner) roleURL(dst []byte, role string, text []byte) []byte {
	if pattern, ok := s.Extlinks[role]; ok {
		before, after, _ := strings.Cut(pattern, "%s")
		return append(append(append(dst, before...), unescape(text)...), after...)
	}
	number, fragment := text, []byte(nil)
	if i := bytes.IndexByte(text, '#'); i >= 0 {
		number, fragment = text[:i], text[i:]
	}
	if role == "rfc" {
		dst = append(append(dst, "https://tools.ietf.org/html/rfc"...), number...)
		dst = append(dst, ".html"...)
	} else {
		dst = append(dst, "https://peps.python.org/pep-"...)
		for range 4 - len(number) {
			dst = append(dst, '0')
		}
		dst = append(dst, number...)
	}
	return append(dst, fragment...)
}

// isMailAddress reports whether a target is an address, to which docutils adds "mailto:".
func isMailAddress(uri []byte) bool {
	at := bytes.IndexByte(uri, '@')
	if at <= 0 || at == len(uri)-1 || bytes.IndexByte(uri[at+1:], '@') >= 0 {
		return false
	}
	for i, c := range uri {
		if i != at && c != '.' && classes[c]&isMailChar == 0 && c != '\\' {
			return false
		}
	}
	return ascii.IsAlnum(uri[len(uri)-1])
}
