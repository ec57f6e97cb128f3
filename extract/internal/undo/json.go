package undo

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/internal/decode"
)

// JSON returns the step that decodes the escapes of JSON strings. It needs no more bytes than those of the escape.
func JSON() decode.Step {
	const (
		short   = len(`\u12ab`)
		written = `"\/bfnrt`
	)
	meant := []byte("\"\\/\b\f\n\r\t")
	var char [utf8.UTFMax]byte
	return func(src []byte, atEOF bool) (literal, skip int, out []byte) {
		i := bytes.IndexByte(src, '\\')
		if i < 0 {
			return len(src), 0, nil
		}
		s := src[i:]
		if len(s) == 1 && !atEOF {
			return i, 0, nil
		}
		if len(s) > 1 {
			if j := strings.IndexByte(written, s[1]); j >= 0 {
				return i, 2, meant[j : j+1]
			}
			if s[1] != 'u' {
				return i + 1, 0, nil
			}
		}
		if len(s) < short && !atEOF {
			return i, 0, nil
		}
		r, ok := escape16(s)
		if !ok {
			return i + 1, 0, nil
		}
		skip = short
		if utf16.IsSurrogate(r) {
			if len(s) < 2*short && !atEOF {
				return i, 0, nil
			}
			low, _ := escape16(s[short:])
			r = utf16.DecodeRune(r, low)
			if r == utf8.RuneError {
				return i + 1, 0, nil
			}
			skip = 2 * short
		}
		return i, skip, utf8.AppendRune(char[:0], r)
	}
}

// escape16 reads an escape such as `\u12ab` at the beginning of s.
func escape16(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(n), err == nil
}

// A Guess decodes the escapes of strings in a text that begins as JSON does, as long as the text is JSON
// (RFC 8259), or a sequence of arrays and objects (JSON Lines, RFC 7464). From the first byte that breaks
// the grammar, it leaves the text as it is, up to a line that begins with an array or object. A log may
// have lines of JSON.
type Guess struct {
	// Undone reports whether an escape has been decoded.
	Undone bool

	state  jsonState
	failed bool   // some of the text is not JSON
	left   int    // hexadecimal digits of an escape
	word   string // the rest of true, false or null
	isKey  bool   // the string is the name of a member
	open   []byte // the brackets and braces that are open
	step   decode.Step
}

// maxOpen is the number of nested arrays and objects that a Guess follows.
const maxOpen = 10000

// A jsonState is what a Guess expects next.
type jsonState uint8

const (
	between      jsonState = iota // an array or object, or white space around it
	element                       // a value
	firstElement                  // a value or "]"
	name                          // the name of a member
	firstName                     // the name of a member or "}"
	colon
	after // "," or what closes an array or object
	inString
	inEscape
	inHex
	inWord
	minus
	zero
	digits
	point
	fraction
	exponent
	sign
	power
	broken    // the text is not JSON
	brokenEnd // the same, at the end of a line
)

// NewGuess returns the Guess for a text.
func NewGuess() *Guess { return &Guess{step: JSON()} }

// BeginsJSON reports whether text that begins with head may be JSON, an array or an object.
func BeginsJSON(head []byte) bool {
	g := new(Guess)
	g.Follow(head)
	return g.state != broken && g.state != brokenEnd && bytes.ContainsAny(head, "{[")
}

// IsJSON reports whether text is JSON, an array or an object.
func IsJSON(text []byte) bool {
	if !BeginsJSON(text[:min(len(text), 64)]) {
		return false
	}
	g := new(Guess)
	g.Follow(text)
	return g.state == between && !g.failed
}

// Step is the decode.Step of g. Follow must be called with the decoded text.
func (g *Guess) Step(src []byte, atEOF bool) (literal, skip int, out []byte) {
	i := bytes.IndexByte(src, '\\')
	switch {
	case i < 0:
		return len(src), 0, nil
	case i > 0:
		return i, 0, nil // until then, the text may turn out to be something else
	case g.state != inString:
		return 1, 0, nil
	}
	literal, skip, out = g.step(src, atEOF)
	g.Undone = g.Undone || skip > 0
	return min(literal, 1), skip, out
}

// Follow checks the next bytes of the text.
func (g *Guess) Follow(text []byte) {
	for i := 0; i < len(text); i++ {
		switch g.state {
		case inString:
			for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
				i++
			}
		case broken:
			n := bytes.IndexByte(text[i:], '\n')
			if n < 0 {
				return
			}
			i += n
		}
		if i < len(text) {
			g.next(text[i])
		}
	}
}

// fail leaves the text from c on as it is, up to a line that begins as JSON does.
func (g *Guess) fail(c byte) {
	g.state, g.failed = broken, true
	if c == '\n' {
		g.state = brokenEnd
	}
}

func (g *Guess) next(c byte) {
	switch g.state {
	case broken, brokenEnd:
		if isEnd := g.state == brokenEnd; isEnd && (c == '{' || c == '[') {
			g.open = g.open[:0]
			g.value(c)
			return
		}
		g.fail(c)
	case inString:
		g.inString(c)
	case inEscape:
		switch {
		case c == 'u':
			g.state, g.left = inHex, 4
		case strings.IndexByte(`"\/bfnrt`, c) >= 0:
			g.state = inString
		default:
			g.fail(c)
		}
	case inHex:
		g.left--
		if !isHex(c) {
			g.fail(c)
		} else if g.left == 0 {
			g.state = inString
		}
	case inWord:
		g.inWord(c)
	case minus, zero, digits, point, fraction, exponent, sign, power:
		g.inNumber(c)
	default:
		g.structure(c)
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func (g *Guess) inString(c byte) {
	switch {
	case c == '\\':
		g.state = inEscape
	case c != '"': // a control character
		g.fail(c)
	case g.isKey:
		g.state = colon
	default:
		g.state = after
	}
}

func (g *Guess) inWord(c byte) {
	if c != g.word[0] {
		g.fail(c)
		return
	}
	g.word = g.word[1:]
	if g.word == "" {
		g.state = after
	}
}

// inNumber follows the grammar of numbers (RFC 8259 section 6).
func (g *Guess) inNumber(c byte) {
	isDigit := '0' <= c && c <= '9'
	switch state := g.state; {
	case state == minus && c == '0':
		g.state = zero
	case isDigit && (state == minus || state == digits):
		g.state = digits
	case isDigit && (state == point || state == fraction):
		g.state = fraction
	case isDigit && (state == exponent || state == sign || state == power):
		g.state = power
	case c == '.' && (state == zero || state == digits):
		g.state = point
	case c|0x20 == 'e' && (state == zero || state == digits || state == fraction):
		g.state = exponent
	case (c == '+' || c == '-') && state == exponent:
		g.state = sign
	case state == zero || state == digits || state == fraction || state == power:
		g.state = after
		g.structure(c)
	default:
		g.fail(c)
	}
}

// structure follows what is outside of strings, numbers and words.
func (g *Guess) structure(c byte) {
	state := g.state
	switch {
	case c == ' ' || c == '\n' || c == '\r' || c == '\t':
	case state == between && (c == 0x1e || c == 0xef || c == 0xbb || c == 0xbf): // RFC 7464; a byte order mark
	case state == between && c != '{' && c != '[':
		g.fail(c)
	case state == between || state == element || state == firstElement && c != ']':
		g.value(c)
	case c == '"' && (state == name || state == firstName):
		g.state, g.isKey = inString, true
	case c == ':' && state == colon:
		g.state = element
	case c == ',' && state == after:
		g.state = element
		if g.open[len(g.open)-1] == '{' {
			g.state = name
		}
	case c == ']' && g.closes('[', firstElement), c == '}' && g.closes('{', firstName):
		g.open = g.open[:len(g.open)-1]
		g.state = after
		if len(g.open) == 0 {
			g.state = between
		}
	default:
		g.fail(c)
	}
}

// closes reports whether an array or object, which begins with opening, may end: it is empty or a value has ended.
func (g *Guess) closes(opening byte, empty jsonState) bool {
	return (g.state == empty || g.state == after) && g.open[len(g.open)-1] == opening
}

// value follows the beginning of a value.
func (g *Guess) value(c byte) {
	switch {
	case (c == '{' || c == '[') && len(g.open) == maxOpen:
		g.fail(c)
	case c == '{':
		g.open, g.state = append(g.open, c), firstName
	case c == '[':
		g.open, g.state = append(g.open, c), firstElement
	case c == '"':
		g.state, g.isKey = inString, false
	case c == '-':
		g.state = minus
	case c == '0':
		g.state = zero
	case '1' <= c && c <= '9':
		g.state = digits
	case c == 't':
		g.state, g.word = inWord, "rue"
	case c == 'f':
		g.state, g.word = inWord, "alse"
	case c == 'n':
		g.state, g.word = inWord, "ull"
	default:
		g.fail(c)
	}
}
