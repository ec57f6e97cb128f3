package literal

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A Language is a language that Read supports.
type Language uint8

const (
	JavaScript Language = iota // and TypeScript
	Python
	JSON // with comments, trailing commas, and everything else that JavaScript literals may have
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	nameToken
	stringToken // and templates without ${}
	numberToken
	otherToken // a regular expression, a template with ${}
	punctToken
)

type token struct {
	start, end int32
	match      int32 // for a bracket: the index of its partner, or the number of tokens
	kind       tokenKind
	newline    bool // a line break precedes it
}

// A tokenizer splits src into tokens. It links each bracket to its partner, so that a parser can
// skip code that it does not understand.
type tokenizer struct {
	src    []byte
	lang   Language
	pos    int
	tokens []token
	open   []int32 // brackets not yet closed
	notes  []Note
}

func (z *tokenizer) note(at int, text string) {
	if len(z.notes) < 100 {
		z.notes = append(z.notes, Note{Offset: at, Text: text})
	}
}

// run fills z.tokens. It stops where brackets do not match, because the rest is unlikely to be
// code.
func (z *tokenizer) run() {
	z.tokens = make([]token, 0, len(z.src)/6)
	for {
		newline := z.skipSpace()
		if z.pos >= len(z.src) {
			break
		}
		t := z.next()
		t.newline = newline
		if t.kind == punctToken && t.end == t.start+1 && !z.bracket(&t) {
			z.note(int(t.start), "brackets do not match: the rest is not read")
			break
		}
		z.tokens = append(z.tokens, t)
	}
	if len(z.open) > 0 {
		z.note(int(z.tokens[z.open[len(z.open)-1]].start), "a bracket is not closed")
	}
	for _, i := range z.open {
		z.tokens[i].match = int32(len(z.tokens))
	}
}

// bracket links a bracket to its partner. It returns false for a closing bracket without one.
func (z *tokenizer) bracket(t *token) bool {
	c := z.src[t.start]
	switch c {
	case '(', '[', '{':
		z.open = append(z.open, int32(len(z.tokens)))
	case ')', ']', '}':
		if len(z.open) == 0 {
			return false
		}
		i := z.open[len(z.open)-1]
		if partner := z.src[z.tokens[i].start]; c != partner+1 && c != partner+2 {
			return false
		}
		z.open = z.open[:len(z.open)-1]
		z.tokens[i].match = int32(len(z.tokens))
		t.match = i
	}
	return true
}

// skipSpace skips white space and comments, and reports whether they contain a line break.
func (z *tokenizer) skipSpace() (newline bool) {
	for z.pos < len(z.src) {
		rest := z.src[z.pos:]
		switch c := rest[0]; {
		case c == '\n' || c == '\r':
			newline = true
			z.pos++
		case c == ' ' || c == '\t' || c == '\f' || c == '\v':
			z.pos++
		case c == 0xC2 && len(rest) > 1 && rest[1] == 0xA0:
			z.pos += 2
		case c == 0xEF && bytes.HasPrefix(rest, []byte("\uFEFF")):
			z.pos += 3
		case z.lang == Python && c == '\\' && len(rest) > 1 && (rest[1] == '\n' || rest[1] == '\r'):
			z.pos += 2
			if bytes.HasPrefix(rest, []byte("\\\r\n")) {
				z.pos++
			}
		case z.lang == Python && c == '#', z.lang != Python && (bytes.HasPrefix(rest, []byte("//")) || z.pos == 0 && bytes.HasPrefix(rest, []byte("#!"))):
			z.toLineEnd()
		case z.lang != Python && bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				z.note(z.pos, "a comment is not closed")
				n = len(rest) - 4
			}
			newline = newline || bytes.IndexByte(rest[:n+2], '\n') >= 0
			z.pos += n + 4
		default:
			return newline
		}
	}
	return true
}

func (z *tokenizer) toLineEnd() {
	n := bytes.IndexByte(z.src[z.pos:], '\n')
	if n < 0 {
		n = len(z.src) - z.pos
	}
	z.pos += n
}

func (z *tokenizer) next() token {
	start := z.pos
	c := z.src[start]
	kind := punctToken
	switch {
	case isNameByte(c) && (c < '0' || c > '9'):
		kind = nameToken
		for z.pos < len(z.src) && isNameByte(z.src[z.pos]) {
			z.pos++
		}
		if z.lang == Python && z.pos < len(z.src) && (z.src[z.pos] == '"' || z.src[z.pos] == '\'') && isPrefix(z.src[start:z.pos]) {
			kind = stringToken
			z.quoted()
		}
	case c >= '0' && c <= '9', c == '.' && start+1 < len(z.src) && z.src[start+1] >= '0' && z.src[start+1] <= '9':
		kind = numberToken
		for z.pos < len(z.src) && (isNameByte(z.src[z.pos]) || z.src[z.pos] == '.') {
			z.pos++
		}
	case c == '"' || c == '\'':
		kind = stringToken
		z.quoted()
	case c == '`' && z.lang != Python:
		kind = stringToken
		if z.template() {
			kind = otherToken
		}
	case c == '/' && z.lang != Python && z.startsOperand() && z.regexp():
		kind = otherToken
	default:
		z.pos += operator(z.src[start:])
	}
	return token{start: int32(start), end: int32(z.pos), kind: kind}
}

func isNameByte(c byte) bool {
	return c >= utf8.RuneSelf || c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// isPrefix reports whether b may precede the quote of a Python string.
func isPrefix(b []byte) bool {
	if len(b) > 2 {
		return false
	}
	for _, c := range b {
		if !strings.ContainsRune("rRbBuUfFtT", rune(c)) {
			return false
		}
	}
	return true
}

// quoted skips a string. A string that is never closed ends with its line.
func (z *tokenizer) quoted() {
	start := z.pos
	quote := z.src[start : start+1]
	if z.lang == Python {
		if long := bytes.Repeat(quote, 3); bytes.HasPrefix(z.src[start:], long) {
			quote = long
		}
	}
	for z.pos += len(quote); z.pos < len(z.src); z.pos++ {
		switch c := z.src[z.pos]; {
		case c == '\\' && bytes.HasPrefix(z.src[z.pos+1:], []byte("\r\n")): // the string goes on in the next line
			z.pos += 2
		case c == '\\':
			z.pos++
		case c == quote[0] && bytes.HasPrefix(z.src[z.pos:], quote):
			z.pos += len(quote)
			return
		case c == '\n' && len(quote) == 1:
			z.note(start, "a string is not closed")
			return
		}
	}
	z.pos = len(z.src)
	z.note(start, "a string is not closed")
}

// template skips a template literal, including templates, strings and comments inside, and reports
// whether it contains ${}.
func (z *tokenizer) template() (computed bool) {
	start := z.pos
	stack := []byte{'`'} // '`' in a template's text, '{' in an expression
	for z.pos++; z.pos < len(z.src); z.pos++ {
		c := z.src[z.pos]
		if stack[len(stack)-1] == '`' {
			switch {
			case c == '\\':
				z.pos++
			case c == '`':
				stack = stack[:len(stack)-1]
			case c == '$' && z.pos+1 < len(z.src) && z.src[z.pos+1] == '{':
				computed = true
				z.pos++
				stack = append(stack, '{')
			}
		} else {
			switch {
			case c == '`' || c == '{':
				stack = append(stack, c)
			case c == '}':
				stack = stack[:len(stack)-1]
			case c == '"' || c == '\'':
				z.quoted()
				z.pos--
			case c == '/' && z.pos+1 < len(z.src) && (z.src[z.pos+1] == '/' || z.src[z.pos+1] == '*'):
				z.skipSpace()
				z.pos--
			}
		}
		if len(stack) == 0 {
			z.pos++
			return computed
		}
	}
	z.pos = len(z.src)
	z.note(start, "a template is not closed")
	return true
}

// startsOperand reports whether a slash here begins a regular expression, because the token before
// it cannot end an operand.
func (z *tokenizer) startsOperand() bool {
	if len(z.tokens) == 0 {
		return true
	}
	t := z.tokens[len(z.tokens)-1]
	switch t.kind {
	case punctToken:
		c := z.src[t.end-1]
		return c != ')' && c != ']' && c != '}'
	case nameToken:
		switch string(z.src[t.start:t.end]) {
		case "return", "typeof", "case", "in", "of", "void", "delete", "await", "yield", "new", "else", "do":
			return true
		}
	}
	return false
}

// regexp skips a regular expression. It returns false if there is none on the line.
func (z *tokenizer) regexp() bool {
	class := false
	for i := z.pos + 1; i < len(z.src); i++ {
		switch z.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '\n', '\r':
			return false
		case '/':
			if class {
				continue
			}
			for i++; i < len(z.src) && isNameByte(z.src[i]); i++ {
			}
			z.pos = i
			return true
		}
	}
	return false
}

// operators of more than one byte that a parser must not confuse with shorter ones.
var operators = []string{"===", "!==", "**=", "...", "??=", "||=", "&&=", "//=", "=>", "==", "!=", "<=", ">=", "??", "?.", "||", "&&", "**", "++", "--", "+=", "-=", "*=", "/=", "|=", "&=", ":=", "->"}

// operator returns the length of the operator at the start of b.
func operator(b []byte) int {
	if b[0] < '!' || b[0] > '~' {
		return 1
	}
	for _, op := range operators {
		if op[0] == b[0] && bytes.HasPrefix(b, []byte(op)) {
			return len(op)
		}
	}
	return 1
}
