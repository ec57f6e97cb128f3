// Package script finds strings in JavaScript and JSON that are clearly URLs or paths. Nothing in these
// languages says what a string means, so every result is a guess, and labelled as speculative. Use it for
// the endpoints that a script names; package html finds the scripts of a page.
//
// The lexer knows strings, templates, comments and regular expressions, and as much of the grammar as it
// takes to tell a division from a regular expression. It reads each byte a fixed number of times, whatever
// the source is. If it goes wrong, at a regular expression in an unusual place, it recovers by the end of
// the line, unless a template or a comment begins there.
//
//	script.go  the lexer of JavaScript
//	json.go    JSON
//	guess.go   which strings are URLs or paths
package script

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/refract/extract/plain"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Scanner scans one script or one document of JSON. The zero Scanner scans JavaScript. It may be reused, but not by
// several goroutines at once.
type Scanner struct {
	JSON bool // src is JSON

	Text plain.Scanner // for URLs in comments, and in strings that hold more than a URL

	src     []byte
	yield   func(*scan.Item) bool
	stopped bool
	item    scan.Item
	value   []byte
	back    scan.Map

	last     token
	word     []byte // with last == word: the word
	noRegexp int    // no regular expression begins before this offset
	opened   []byte // open brackets: '(' , 'c' for the '(' of a condition, '{', '`' for the "${" of a template
}

// A token is what the lexer remembers of the token before: a punctuator is itself.
type token byte

const (
	none    token = 0
	operand token = 'x' // a value, after which "/" divides
	word    token = 'w' // a name or keyword
)

// maxOpened limits the brackets that are remembered. Beyond it, a template ends at its next backtick.
const maxOpened = 1 << 16

// Scan yields the references of src in source order. Every input is valid. The time is linear in len(src).
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) {
		s.src, s.yield, s.stopped = src, yield, false
		s.last, s.word, s.opened, s.noRegexp = none, nil, s.opened[:0], 0
		if s.JSON {
			s.json()
		} else {
			s.javaScript()
		}
		s.src, s.yield, s.word = nil, nil, nil
		s.item = scan.Item{}
		if cap(s.value) > maxKept {
			s.value = nil
		}
	}
}

// maxKept is the number of bytes of memory that are kept for the next script.
const maxKept = 1 << 20

// javaScript reads src token by token.
func (s *Scanner) javaScript() {
	src := s.src
	for p := 0; p < len(src) && !s.stopped; {
		switch c := src[p]; {
		case c <= ' ':
			p++
		case isName(c):
			p = s.name(p)
		case c == '"' || c == '\'':
			p = s.quoted(p)
		case c == '`':
			p = s.template(p + 1)
		case c == '/':
			p = s.slash(p)
		case c == '<' && bytes.HasPrefix(src[p:], []byte("<!--")):
			p = s.comment(p, ascii.LineEnd(src, p))
		default:
			p = s.punctuator(p)
		}
	}
}

// isName reports whether c is part of a name, a keyword or a number.
func isName(c byte) bool { return ascii.IsAlnum(c) || c == '_' || c == '$' || c >= 0x80 }

// name reads a name, keyword or number.
func (s *Scanner) name(p int) int {
	from := p
	for p < len(s.src) && isName(s.src[p]) {
		p++
	}
	if s.last == '.' || ascii.IsDigit(s.src[from]) {
		s.last = operand // a member, or a number
		return p
	}
	s.last, s.word = word, s.src[from:p]
	return p
}

// keywords are the words after which a regular expression may begin; conditions are those whose parentheses
// it may follow.
var (
	keywords   = strings.Fields("return typeof case in of delete void throw new do else instanceof yield await")
	conditions = strings.Fields("if while for with")
)

func isOneOf(list []string, name []byte) bool {
	return len(name) <= len("instanceof") && slices.ContainsFunc(list, func(s string) bool { return s == string(name) })
}

// beforeRegexp reports whether a slash begins a regular expression here.
func (s *Scanner) beforeRegexp() bool {
	switch s.last {
	case operand, ']', ')':
		return false
	case word:
		return isOneOf(keywords, s.word)
	}
	return true
}

// punctuator reads one byte of a punctuator.
func (s *Scanner) punctuator(p int) int {
	c := s.src[p]
	s.last = token(c)
	switch c {
	case '(':
		if isOneOf(conditions, s.word) {
			c = 'c'
		}
		s.open(c)
		if string(s.word) == "import" {
			return p + 1 // text looks at the word
		}
	case '{', '[':
		s.open(c)
	case ')', ']', '}':
		switch s.close() {
		case 'c':
			s.last = ';'
		case '`':
			return s.template(p + 1)
		}
	case '+':
		if p+1 < len(s.src) && s.src[p+1] == '+' {
			s.last = operand
			return p + 2
		}
	case '=':
		if p > 0 && s.src[p-1] == '+' {
			s.last = '+'
		}
	}
	s.word = nil
	return p + 1
}

func (s *Scanner) open(c byte) {
	if len(s.opened) < maxOpened {
		s.opened = append(s.opened, c)
	}
}

// close closes the innermost bracket, and returns what has opened it.
func (s *Scanner) close() byte {
	k := len(s.opened) - 1
	if k < 0 {
		return 0
	}
	c := s.opened[k]
	s.opened = s.opened[:k]
	return c
}

// slash reads a comment, a regular expression or a division.
func (s *Scanner) slash(p int) int {
	src := s.src
	switch {
	case p+1 < len(src) && src[p+1] == '/':
		return s.comment(p, ascii.LineEnd(src, p))
	case p+1 < len(src) && src[p+1] == '*':
		end := len(src)
		if i := bytes.Index(src[p+2:], []byte("*/")); i >= 0 {
			end = p + 2 + i + 2
		}
		return s.comment(p, end)
	case p >= s.noRegexp && s.beforeRegexp():
		end, ok := regexpEnd(src, p)
		if ok {
			s.last = operand
			return end
		}
		s.noRegexp = end
	}
	s.last = '/'
	return p + 1
}

// maxRegexp limits the length in bytes of a regular expression.
const maxRegexp = 4096

// regexpEnd returns the end of the regular expression at src[p]. ok is false if it has none on its line;
// end is then the end of the examined text.
func regexpEnd(src []byte, p int) (end int, ok bool) {
	inClass := false
	limit := min(len(src), p+maxRegexp)
	for i := p + 1; i < limit; i++ {
		switch src[i] {
		case '\n':
			return i, false
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '/':
			if !inClass {
				return i + 1, true
			}
		}
	}
	return limit, false
}

// comment yields the URLs of the comment src[p:end].
func (s *Scanner) comment(p, end int) int {
	const mapURL = "# sourceMappingURL="
	text := s.src[p:end]
	if i := bytes.Index(text[:min(len(text), 64)], []byte(mapURL)); i >= 0 {
		from := p + i + len(mapURL)
		to := from
		for to < end && s.src[to] > ' ' && s.src[to] != '*' {
			to++
		}
		if v := s.src[from:to]; len(v) > 0 && !bytes.HasPrefix(v, []byte("data:")) {
			s.put(scan.Metadata, pathOnly, "sourceMappingURL", v, scan.Span{Start: from, End: to})
		}
		return end
	}
	s.within(text, "comment", false, func(v scan.Span) scan.Span { return scan.Span{Start: p + v.Start, End: p + v.End} })
	return end
}

// quoted reads the string that begins with the quotation mark at src[p]. A string that does not end on its
// line is none.
func (s *Scanner) quoted(p int) int {
	src, quote := s.src, s.src[p]
	for i := p + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
			if i+1 < len(src) && src[i] == '\r' && src[i+1] == '\n' {
				i++
			}
		case '\n':
			s.last = operand
			return i
		case quote:
			s.text(p+1, i, i+1)
			s.last = operand
			return i + 1
		}
	}
	s.last = operand
	return len(src)
}

// template reads the text of a template from src[p] on, to its end or to the next "${". It is a string if it has no
// substitutions.
func (s *Scanner) template(p int) int {
	src := s.src
	isWhole := src[p-1] == '`'
	for i := p; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '$':
			if i+1 < len(src) && src[i+1] == '{' && len(s.opened) < maxOpened {
				s.open('`')
				s.last, s.word = '{', nil
				return i + 2
			}
		case '`':
			if isWhole {
				s.text(p, i, i+1)
			}
			s.last = operand
			return i + 1
		}
	}
	s.last = operand
	return len(src)
}

// text yields the string src[from:to] if it is a URL or path, or else the URLs in it. next is where the token after it
// begins, or the space before it.
func (s *Scanner) text(from, to, next int) {
	if to-from < 2 || !mayHoldURL(s.src[from:to]) {
		return
	}
	for next < len(s.src) && s.src[next] <= ' ' {
		next++
	}
	var after byte
	if next < len(s.src) {
		after = s.src[next]
	}
	isKey := after == ':' && (s.last == '{' || s.last == ',')
	if isKey {
		return
	}
	isPrefix := after == '+' || after == '.'
	v, span := s.decoded(from, to)
	imported := s.last == word && (string(s.word) == "from" || string(s.word) == "import") || s.last == '(' && string(s.word) == "import"
	kind, sure := guess(v, imported)
	switch {
	case sure == noURL || isPrefix && sure != noURL:
	case s.last == '+' && sure != absolute:
		return
	default:
		trimmed := bytes.TrimSpace(v)
		at := bytes.Index(v, trimmed)
		s.put(kind, sure, "string", trimmed, span(scan.Span{Start: at, End: at + len(trimmed)}))
		return
	}
	s.within(v, "string", isPrefix, span)
}

// mayHoldURL reports whether a string can be a URL or path, or hold one: a quick test.
func mayHoldURL(v []byte) bool {
	return bytes.IndexByte(v, '/') >= 0 || bytes.IndexByte(v, '.') > 0 || bytes.IndexByte(v, '\\') >= 0
}

// decoded returns the value of the string src[from:to], and the function from its ranges to those of src.
func (s *Scanner) decoded(from, to int) ([]byte, func(scan.Span) scan.Span) {
	raw := s.src[from:to]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, func(v scan.Span) scan.Span { return scan.Span{Start: from + v.Start, End: from + v.End} }
	}
	s.value = s.value[:0]
	s.back.Reset()
	for i := from; i < to; {
		k := bytes.IndexByte(s.src[i:to], '\\')
		if k < 0 {
			k = to - i
		}
		s.value = append(s.value, s.src[i:i+k]...)
		s.back.Add(k, i, 1, 1)
		if i += k; i == to {
			break
		}
		size, n := len(s.value), 0
		s.value, n = appendEscape(s.value, s.src[i:to])
		s.back.Add(len(s.value)-size, i, max(1, len(s.value)-size), n)
		i += n
	}
	return s.value, func(v scan.Span) scan.Span {
		b, _ := s.back.Back(v)
		return b
	}
}

// appendEscape appends the text of the escape at the start of s, and returns the length of the escape.
func appendEscape(dst, s []byte) ([]byte, int) {
	if len(s) < 2 {
		return append(dst, s...), len(s)
	}
	switch c := s[1]; c {
	case 'n', 'r', 't', 'b', 'f', 'v', '0':
		return append(dst, "\n\r\t\b\f\v\x00"[strings.IndexByte("nrtbfv0", c)]), 2
	case '\n':
		return dst, 2
	case '\r':
		if len(s) > 2 && s[2] == '\n' {
			return dst, 3
		}
		return dst, 2
	case 'x':
		if r, ok := hex(s, 2, 4); ok {
			return utf8.AppendRune(dst, r), 4
		}
	case 'u':
		if len(s) > 2 && s[2] == '{' {
			end := bytes.IndexByte(s[:min(len(s), 12)], '}')
			if r, ok := hex(s, 3, end); ok {
				return utf8.AppendRune(dst, r), end + 1
			}
		} else if r, ok := hex(s, 2, 6); ok {
			if low, isPair := hex(s, 8, 12); isPair && s[6] == '\\' && s[7] == 'u' && r >= 0xd800 && r < 0xdc00 && low >= 0xdc00 && low < 0xe000 {
				return utf8.AppendRune(dst, (r-0xd800)<<10+(low-0xdc00)+0x10000), 12
			}
			return utf8.AppendRune(dst, r), 6
		}
	}
	_, n := utf8.DecodeRune(s[1:])
	return append(dst, s[1:1+n]...), 1 + n
}

// hex returns the number that s[from:to] is in hexadecimal.
func hex(s []byte, from, to int) (r rune, ok bool) {
	if to > len(s) || from >= to {
		return 0, false
	}
	for _, c := range s[from:to] {
		d := ascii.Unhex(c)
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// within yields the URLs in v, text with other words. If it isPrefix, a URL at its end is not complete.
func (s *Scanner) within(v []byte, in string, isPrefix bool, span func(scan.Span) scan.Span) {
	if !bytes.Contains(v, []byte("://")) {
		return
	}
	s.Text.Window(v, 0, len(v), true, func(it *scan.Item) bool {
		if it.Op != scan.Ref || it.Meant != "" || it.More != nil || isPrefix && it.Span.End == len(v) {
			return true
		}
		if _, sure := guess(it.Value, false); sure == absolute {
			s.put(scan.Text, absolute, in, it.Value, span(it.Span))
		}
		return !s.stopped
	})
}

// put yields a reference.
func (s *Scanner) put(kind scan.Kind, sure certainty, in string, value []byte, span scan.Span) {
	s.item = scan.Item{Op: scan.Ref, Kind: kind, How: scan.Script, In: in, Labels: scan.Speculative, Span: span, Value: value}
	if s.JSON {
		s.item.How = scan.JSON
	}
	if sure == abbreviated {
		s.item.Meant = "http://"
	}
	s.stopped = !s.yield(&s.item)
}
