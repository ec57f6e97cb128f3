package message

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// sender returns the address and the display name of the first author in value, the value of a From field
// (RFC 5322 section 3.4). It undoes "ann at example.org", as archives write addresses. Text that is no
// address, such as "m@rc_@chw@rtz @ending from me@com", is never returned as one: then the address is "".
func (s *Scanner) sender(value []byte) (address, name string) {
	value = value[:min(len(value), maxSender)]
	a := authorOf(value)
	if a.address == nil && bytes.IndexByte(value, '@') < 0 {
		if shown := authorOf([]byte(hidden.Replace(string(value)))); shown.address != nil {
			a = shown
		}
	}
	if a.address == nil && bytes.Contains(value, []byte("=?")) {
		if whole := authorOf([]byte(s.plainWords(value))); whole.address != nil { // the address is in an encoded word, too
			a = whole
		}
	}
	name = cutSubject([]byte(s.plainWords(a.name)))
	if len(name) > 1 && name[0] == '"' && name[len(name)-1] == '"' {
		name = strings.Trim(name, `" `)
	}
	if shown := addressIn([]byte(name)); name == string(a.address) || a.address != nil && bytes.Equal(shown, a.address) {
		name = ""
	}
	return string(a.address), name
}

// maxSender limits the bytes of a From field that are parsed.
const maxSender = 16 << 10

// plainWords returns text with its encoded words decoded (RFC 2047).
func (s *Scanner) plainWords(text []byte) string {
	f := field{colon: -1, end: len(text), words: true}
	t := s.decodedText(&f, text)
	return string(t.b)
}

// An author is what one mailbox in a From field says.
type author struct {
	address []byte // nil: it has none
	name    []byte // without quotation marks; encoded words are not decoded
}

// authorOf parses value up to the first mailbox with an address. If there is none, the author has what may be its name.
func authorOf(value []byte) (a author) {
	p := mailboxParser{rest: value}
	for p.next() {
		if p.isAngle {
			a.address = addressIn(p.angle)
			if a.address == nil && bytes.IndexByte(p.angle, '(') >= 0 { // <ann@a.example (Ann Smith)>
				text, remark := withoutComments(nil, p.angle)
				a.address = addressIn(bytes.TrimSpace(text))
				p.takeComment(remark)
			}
			if a.address != nil {
				a.name = p.nameBesideAngle()
				return a
			}
			continue
		}
		item := p.words[p.item:]
		a.address = addressIn(item)
		if a.address != nil && p.comment == nil && isUnsure(item, a.address) {
			a.address = nil
		}
		if a.address == nil && bytes.Count(item, []byte{'@'}) == 1 { // user@host Name, Name [mailto:user@host]
			for word := range bytes.FieldsSeq(item) {
				if bytes.IndexByte(word, '@') >= 0 {
					a.address = addressIn(word)
				}
			}
		}
		if a.address != nil {
			a.name = p.comment
			return a
		}
	}
	if address := addressIn(bytes.Trim(p.comment, "<> ")); address != nil { // Name,(<a@b>)
		return author{address, bytes.Trim(p.words, ", \t\r\n")}
	}
	words := bytes.Trim(p.words, ", \t\r\n")
	isName := bytes.IndexByte(words, '@') < 0
	a.name = p.comment
	if a.name == nil && isName {
		a.name = unquoted(words)
	} else if !isName && bytes.Equal(a.name, words) { // an address in a form that this function does not know
		a.name = nil
	}
	return a
}

// A mailboxParser reads the parts of a list of mailboxes: what stands in angle brackets, or ends at a comma.
type mailboxParser struct {
	rest    []byte
	words   []byte // all that is outside of brackets and comments
	item    int    // where the words behind the last comma begin
	comment []byte // the last comment that is not empty
	angle   []byte
	isAngle bool
	ended   bool
}

// next reads up to the next closing angle bracket, comma or semicolon. It returns false behind the end.
func (p *mailboxParser) next() bool {
	if p.ended {
		return false
	}
	p.isAngle, p.item = false, len(p.words)
	for len(p.rest) > 0 {
		c, n := p.rest[0], 1
		switch c {
		case '"':
			n = quotedEnd(p.rest)
			p.words = append(p.words, p.rest[:n]...)
		case '(':
			n = comment(p.rest)
			if n < 0 {
				n = len(p.rest)
			}
			p.takeComment(bytes.TrimSuffix(p.rest[1:n], []byte{')'}))
			p.words = append(p.words, ' ')
		case '<':
			end := bytes.IndexByte(p.rest, '>')
			if end < 0 {
				p.words = append(p.words, ' ')
				break
			}
			p.angle, p.isAngle = p.rest[1:end], true
			p.rest = p.rest[end+1:]
			return true
		case ',', ';':
			p.rest = p.rest[1:]
			p.ended = len(p.rest) == 0
			p.words = append(p.words, c)
			return !p.ended || len(p.words) > 0
		default:
			for n < len(p.rest) && !mailboxByte[p.rest[n]] {
				n++
			}
			p.words = append(p.words, p.rest[:n]...)
		}
		p.rest = p.rest[n:]
	}
	p.ended = true
	return true
}

// mailboxByte holds the bytes that separate the parts of mailboxes.
var mailboxByte = [256]bool{'"': true, '(': true, '<': true, ',': true, ';': true}

func (p *mailboxParser) takeComment(text []byte) {
	text = bytes.TrimSpace(text)
	if len(text) > 0 {
		p.comment = bytes.ReplaceAll(text, []byte(`\"`), []byte{'"'})
	}
}

// nameBesideAngle returns the name of the mailbox whose address is in angle brackets: the words before it,
// else a comment.
func (p *mailboxParser) nameBesideAngle() []byte {
	name := bytes.Trim(p.words, " \t\r\n,;")
	if i := bytes.IndexByte(name, ':'); i >= 0 && bytes.IndexByte(p.rest, ';') >= 0 && bytes.IndexByte(name[:i], '"') < 0 {
		name = bytes.TrimSpace(name[i+1:]) // a group: its name is not that of a person
	}
	if len(name) > 0 {
		return unquoted(name)
	}
	for _, text := range [][]byte{p.comment, bytes.TrimSpace(p.rest)} {
		if end := comment(text); len(text) > 0 && text[0] == '(' && end > 0 {
			text = text[1 : end-1]
		}
		if len(text) > 0 && bytes.IndexByte(text, '<') < 0 {
			return text
		}
	}
	return nil
}

// quotedEnd returns the length of the quoted string at the beginning of b. One that is not closed ends
// before "<", or with b.
func quotedEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	if i := bytes.IndexByte(b, '<'); i > 0 {
		return i
	}
	return len(b)
}

// unquoted returns a phrase without the marks of its quoted strings (RFC 5322 section 3.2.4).
func unquoted(phrase []byte) []byte {
	if !bytes.ContainsAny(phrase, `"\`) {
		return phrase
	}
	plain := make([]byte, 0, len(phrase))
	for i := 0; i < len(phrase); i++ {
		switch c := phrase[i]; {
		case c == '"':
			continue
		case c == '\\' && i+1 < len(phrase):
			i++
		}
		plain = append(plain, phrase[i])
	}
	return bytes.Trim(plain, "' \t")
}

// maxAddress limits the bytes of an address: 64 of its local part and 255 of its domain (RFC 5321 section
// 4.5.3.1), and as much again for white space and "at".
const maxAddress = 640

// addressIn returns the address that text is, with "at" and "dot" undone; nil if text is none.
func addressIn(text []byte) []byte {
	text = bytes.TrimRight(bytes.Trim(text, " \t\r\n,;"), ") ") // ann@example.org (Ann))
	text = bytes.Trim(text, "<>'")
	text = bytes.TrimPrefix(text, []byte{'['})
	if bytes.IndexByte(text, '[') < 0 {
		text = bytes.TrimSuffix(text, []byte{']'})
	}
	if len(text) > len("mailto:") && ascii.EqualFold(text[:len("mailto:")], "mailto:") {
		text = text[len("mailto:"):]
	}
	if len(text) == 0 || len(text) > maxAddress {
		return nil
	}
	if text[0] == '@' { // a route: <@a,@b:ann@example.org> (RFC 5322 section 4.4)
		_, after, _ := bytes.Cut(text, []byte{':'})
		text = after
	}
	quoted := 0
	if len(text) > 0 && text[0] == '"' {
		quoted = quotedEnd(text)
	}
	local, domain, ok := bytes.Cut(text[quoted:], []byte{'@'})
	if ok {
		local = text[:quoted+len(local)]
		if bytes.IndexByte(domain, '@') >= 0 {
			return nil
		}
		local, domain = withoutBlanks(local, quoted), withoutBlanks(domain, 0)
		if quoted == 0 && !isDotAtom(local) || quoted > 0 && quoted != len(local) || !isDomain(domain) {
			return nil
		}
		return append(append(bytes.Clone(local), '@'), domain...)
	}
	return hiddenAddress(text)
}

// hiddenAddress returns the address in text of the form "ann at example.org" or "ann at example dot org".
func hiddenAddress(text []byte) []byte {
	local, domain, ok := bytes.Cut(text, []byte(" at "))
	if !ok {
		local, domain, ok = bytes.Cut(text, []byte(" AT "))
	}
	if !ok {
		return nil
	}
	local, domain = withDots(local), withDots(domain)
	if !isDotAtom(local) || !isDomain(domain) {
		return nil
	}
	return append(append(bytes.Clone(local), '@'), domain...)
}

// isUnsure reports whether text may be no address although address was read from it: "ann at work" without
// a name behind it.
func isUnsure(text, address []byte) bool {
	return bytes.IndexByte(text, '@') < 0 && bytes.IndexByte(address[bytes.LastIndexByte(address, '@'):], '.') < 0
}

// withDots returns text with "." in place of " dot ".
func withDots(text []byte) []byte {
	return withoutBlanks(bytes.ReplaceAll(text, []byte(" dot "), []byte{'.'}), 0)
}

// hidden writes "at" and "dot" in the form that hiddenAddress reads.
var hidden = strings.NewReplacer("(at)", " at ", "[at]", " at ", "{at}", " at ", "<at>", " at ", "(a)", " at ", "_at_", " at ",
	"(dot)", " dot ", "[dot]", " dot ", "<dot>", " dot ")

// withoutBlanks returns text without the white space around its dots, and at its ends (RFC 5322 section
// 4.4). Its first n bytes stay as they are.
func withoutBlanks(text []byte, n int) []byte {
	text = bytes.Trim(text, blanks)
	if n > len(text) || !bytes.ContainsAny(text[n:], blanks) {
		return text
	}
	plain := bytes.Clone(text[:n])
	for i := n; i < len(text); i++ {
		if ascii.IsSpace(text[i]) {
			before := len(plain) > 0 && plain[len(plain)-1] == '.'
			after := bytes.TrimLeft(text[i:], blanks)
			if before || len(after) > 0 && after[0] == '.' {
				continue
			}
		}
		plain = append(plain, text[i])
	}
	return plain
}

// isDotAtom reports whether text is the local part of an address without quotation marks (RFC 5322 section
// 3.2.3). Dots may stand anywhere: there are such addresses.
func isDotAtom(text []byte) bool {
	for _, c := range text {
		if c <= ' ' || c == 0x7F || atomBreaks[c] {
			return false
		}
	}
	return len(text) > 0 && utf8.Valid(text)
}

var atomBreaks = [256]bool{'(': true, ')': true, '<': true, '>': true, '[': true, ']': true, ':': true, ';': true, '@': true, '\\': true, ',': true, '"': true}

// isDomain reports whether text is the domain of an address: labels of letters, digits, "-" and "_" with
// dots between them, or a literal in brackets.
func isDomain(text []byte) bool {
	if len(text) > 2 && text[0] == '[' && text[len(text)-1] == ']' {
		return !bytes.ContainsAny(text[1:len(text)-1], "[] \t\r\n@<>")
	}
	label := 0
	for _, c := range bytes.TrimSuffix(text, []byte{'.'}) {
		switch {
		case c == '.':
			if label == 0 {
				return false
			}
			label = 0
		case ascii.IsAlnum(c) || c == '-' || c == '_' || c >= 0x80:
			label++
		default:
			return false
		}
	}
	return label > 0 && utf8.Valid(text)
}
