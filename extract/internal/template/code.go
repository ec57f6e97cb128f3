package template

import (
	"bytes"
	"strings"

	"example.org/refract/internal/ascii"
)

// A mode is what a part of a module or page consists of.
type mode uint8

const (
	inCode     mode = iota // JavaScript or TypeScript
	inBraces               // an expression in code, text or a tag: code up to its "}"
	inTemplate             // `text ${expression}`
	inOpenTag              // a start tag
	inChildren             // text and elements, up to the end tag
)

// code masks what is not a tag. It follows the modes that are in one another, which take one byte each.
type code struct {
	*Scanner
	at     int
	modes  []mode
	braces int // how many of modes are inBraces
	// Whether an operand may begin at the next token of code, so that "<" begins a tag and "/" a regular
	// expression.
	isOperand bool
	starts    []int  // where the expressions and template literals in modes begin that are values; -1: is none
	isVoid    bool   // the current tag has no end tag
	hasRaw    string // its name, if HTML reads no tags in it
	rawAt     int    // where that begins
}

// maskCode masks what is not a tag in a copy of a module or a page.
func (s *Scanner) maskCode() {
	s.text = bytes.Clone(s.src)
	blank(s.text, 0, len(s.text))
	c := code{Scanner: s, modes: []mode{inCode}, isOperand: true}
	if s.Language == Astro {
		c.modes[0] = inChildren
		c.at = frontMatter(s.src)
	}
	for c.at < len(s.src) {
		switch c.modes[len(c.modes)-1] {
		case inChildren:
			c.child()
		case inOpenTag:
			c.attribute()
		case inTemplate:
			c.templateText()
		default:
			c.token()
		}
	}
}

func (c *code) push(m mode) {
	c.modes = append(c.modes, m)
	if m == inBraces {
		c.braces++
	}
}

// pushValue begins an expression or a template literal. start is where it begins if it is the value of
// an attribute, or -1.
func (c *code) pushValue(m mode, start int) {
	c.push(m)
	c.starts = append(c.starts, start)
	c.isOperand = true
}

// popValue ends an expression or a template literal before c.at, and masks it if it is a value.
func (c *code) popValue() {
	c.pop()
	start := c.starts[len(c.starts)-1]
	c.starts = c.starts[:len(c.starts)-1]
	if start >= 0 {
		c.text[start], c.text[c.at-1] = '"', '"'
		c.fill(start+1, c.at-1)
	}
}

func (c *code) pop() {
	last := len(c.modes) - 1
	if last == 0 {
		return
	}
	if c.modes[last] == inBraces {
		c.braces--
	}
	c.modes = c.modes[:last]
}

// skipTo moves behind the next mark, or to the end.
func (c *code) skipTo(mark string, from int) {
	from = min(from, len(c.src))
	if i := bytes.Index(c.src[from:], []byte(mark)); i >= 0 {
		c.at = from + i + len(mark)
		return
	}
	c.at = len(c.src)
}

// keep copies src[from:to], which belongs to a tag, to the text.
func (c *code) keep(from, to int) { copy(c.text[from:to], c.src[from:to]) }

// token moves over one token of code.
func (c *code) token() {
	src, at := c.src, c.at
	b, next := src[at], byte(0)
	if at+1 < len(src) {
		next = src[at+1]
	}
	switch {
	case b <= ' ':
		c.at++
		return
	case b == '/' && next == '/':
		c.at = ascii.NextLine(src, at)
		return
	case b == '/' && next == '*':
		c.skipTo("*/", at+2)
		return
	case b == '/' && c.isOperand:
		c.regexp()
	case b == '"' || b == '\'':
		c.string(b)
	case b == '`':
		c.at++
		c.pushValue(inTemplate, -1)
		return
	case b == '{':
		c.at++
		c.pushValue(inBraces, -1)
		return
	case b == '}':
		c.closeBraces()
		return
	case b == '<' && c.isOperand && (next == '>' || ascii.IsLetter(next)) && c.openTag():
		return
	case isName(b):
		c.word()
		return
	default:
		c.at++
		c.isOperand = b != ')' && b != ']'
		return
	}
	c.isOperand = false
}

// string moves over a string, which ends in its line.
func (c *code) string(quote byte) {
	for c.at++; c.at < len(c.src); c.at++ {
		switch c.src[c.at] {
		case '\\':
			c.at++
		case quote:
			c.at++
			return
		case '\n':
			return
		}
	}
}

// regexp moves over a regular expression, which ends in its line.
func (c *code) regexp() {
	isClass := false
	for c.at++; c.at < len(c.src); c.at++ {
		switch b := c.src[c.at]; {
		case b == '\\':
			c.at++
		case b == '[':
			isClass = true
		case b == ']':
			isClass = false
		case b == '\n', b == '/' && !isClass:
			c.at++
			return
		}
	}
}

// operators are the words after which an operand follows.
const operators = " return case typeof default yield await in of else do void new delete throw instanceof "

// word moves over a name or a number.
func (c *code) word() {
	start := c.at
	for c.at < len(c.src) && isName(c.src[c.at]) {
		c.at++
	}
	c.isOperand = c.at-start < len("instanceof ") && strings.Contains(operators, " "+string(c.src[start:c.at])+" ")
}

func isName(b byte) bool { return ascii.IsAlnum(b) || b == '_' || b == '$' || b >= 0x80 }

// closeBraces ends an expression or a block.
func (c *code) closeBraces() {
	c.at++
	c.isOperand = true // after a block; a division after an object is rare
	if c.modes[len(c.modes)-1] == inBraces {
		c.popValue()
	}
}

// templateText moves to the end of a template literal, or to the next expression in it.
func (c *code) templateText() {
	n := bytes.IndexAny(c.src[c.at:], "`$\\")
	if n < 0 {
		c.at = len(c.src)
		return
	}
	c.at += n
	switch b := c.src[c.at]; {
	case b == '`':
		c.at++
		c.popValue()
		c.isOperand = false
	case b == '\\':
		c.at += 2
	case c.at+1 < len(c.src) && c.src[c.at+1] == '{':
		c.at += 2
		c.pushValue(inBraces, -1)
	default:
		c.at++
	}
}

// openTag begins a start tag, and reports whether there is one: in TypeScript, "<" may also begin a
// list of types.
func (c *code) openTag() bool {
	start := c.at
	end := start + 1
	for end < len(c.src) && (isName(c.src[end]) || strings.IndexByte(".:-", c.src[end]) >= 0) {
		end++
	}
	if end == len(c.src) || c.src[end] > ' ' && c.src[end] != '/' && c.src[end] != '>' {
		return false
	}
	if bytes.HasPrefix(bytes.TrimLeft(c.src[end:min(len(c.src), end+80)], " \t\r\n"), []byte("extends ")) {
		return false
	}
	c.at = end
	name := string(c.src[start+1 : end])
	c.isVoid, c.hasRaw = c.Language == Astro && strings.Contains(voidElements, " "+name+" "), ""
	if end-start > 1 { // "<>" has no name
		c.keep(start, end)
		if strings.Contains(rawElements, " "+name+" ") {
			c.hasRaw, c.rawAt = name, start+1
		}
	}
	c.push(inOpenTag)
	return true
}

const (
	voidElements = " area base br col embed hr img input link meta param source track wbr "
	rawElements  = " script style title textarea iframe xmp noembed noframes noscript plaintext "
)

// attribute moves over an attribute, or the end of a start tag.
func (c *code) attribute() {
	src, at := c.src, c.at
	switch b := src[at]; {
	case b == '/' && at+1 < len(src) && src[at+1] == '>':
		c.keep(at, at+2)
		c.at += 2
		c.pop()
		c.isOperand = false
		if c.hasRaw != "" { // HTML would read all that follows as its text
			c.text[c.rawAt] = mark
		}
	case b == '>':
		c.closeOpenTag()
	case b == '"' || b == '\'':
		end := at + 1
		if n := bytes.IndexByte(src[end:], b); n >= 0 {
			end += n + 1
		} else {
			end = len(src)
		}
		c.keep(at, end)
		c.at = end
	case b == '`' || b == '{':
		start := -1
		if bytes.HasSuffix(bytes.TrimRight(src[:at], " \t\r\n"), []byte("=")) {
			start = at
		}
		c.at++
		if b == '`' {
			c.pushValue(inTemplate, start)
		} else {
			c.pushValue(inBraces, start)
		}
	case b == '<': // no tag after all
		c.pop()
	default:
		c.keep(at, at+1)
		c.at++
	}
}

// closeOpenTag ends a start tag.
func (c *code) closeOpenTag() {
	c.keep(c.at, c.at+1)
	c.at++
	c.pop()
	c.isOperand = false
	switch {
	case c.isVoid:
	case c.Language == Astro && (c.hasRaw == "script" || c.hasRaw == "style"):
		c.skipTo("</"+c.hasRaw, c.at)
		if c.at < len(c.src) {
			c.at -= len("</") + len(c.hasRaw)
		}
		c.push(inChildren)
	default:
		c.push(inChildren)
	}
}

// child moves over one piece of the text, the elements and the expressions within an element.
func (c *code) child() {
	n := bytes.IndexAny(c.src[c.at:], "<{}")
	if n < 0 {
		c.at = len(c.src)
		return
	}
	c.at += n
	rest := c.src[c.at:]
	switch {
	case rest[0] == '{':
		c.at++
		c.pushValue(inBraces, -1)
	case rest[0] == '}':
		c.leaveElements()
	case bytes.HasPrefix(rest, []byte("</")):
		start := c.at
		c.skipTo(">", start)
		if c.at-start > len("</>") {
			c.keep(start, c.at)
		}
		if len(c.modes) > 1 {
			c.pop()
		}
		c.isOperand = false
	case bytes.HasPrefix(rest, []byte("<!--")):
		c.skipTo("-->", c.at)
	case len(rest) > 1 && (rest[1] == '>' || ascii.IsLetter(rest[1])) && c.openTag():
	default:
		c.at++
	}
}

// leaveElements ends the elements without end tags that an expression consists of, at its "}".
func (c *code) leaveElements() {
	for i := len(c.modes) - 1; c.braces > 0; i-- {
		if c.modes[i] == inBraces {
			c.modes = c.modes[:i+1]
			return
		}
	}
	c.at++ // text
}
