package markdown

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// The regular expressions with which goldmark finds tags in a line of text. Running them over a
// reader took two fifths of the time of pages with components.
const (
	openTagPattern = "^<([A-Za-z][A-Za-z0-9-]*)(?:[\\r\\n \\t]+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:[\\r\\n \\t]*=[\\r\\n \\t]*" +
		"(?:[^\\\"'=<>`\\x00-\\x20]+|'[^']*'|\"[^\"]*\"))?)*(?:[ \\t]|(?:\\r\\n|\\n){0,1})*/?>"
	closeTagPattern = "^</([A-Za-z][A-Za-z0-9-]*)(?:[ \\t]|(?:\\r\\n|\\n){0,1})*>"
)

// A tagReader goes through the lines of a block byte by byte.
type tagReader struct {
	m    *meter
	line []byte
	at   int // in line
	n    int // bytes read
	done bool
}

// peek returns the next byte. At the end of the block it returns 0 and sets done.
func (r *tagReader) peek() byte {
	for r.at == len(r.line) && !r.done {
		if len(r.line) > 0 {
			r.m.Reader.AdvanceLine()
		}
		line, _ := r.m.PeekLine()
		if len(line) == 0 {
			r.line, r.at, r.done = nil, 0, true
			return 0
		}
		r.line, r.at = line, 0
	}
	if r.done {
		return 0
	}
	return r.line[r.at]
}

func (r *tagReader) skip(n int) {
	r.at += n
	r.n += n
}

// take skips the next byte if it is c.
func (r *tagReader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.skip(1)
	return true
}

// spaces skips white space. isPlain is false if the white space contains a carriage return without a
// line feed, which may only stand before an attribute.
func (r *tagReader) spaces() (n int, isPlain bool) {
	isPlain = true
	for before := byte(0); ; n++ {
		c := r.peek()
		if before == '\r' && c != '\n' {
			isPlain = false
		}
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return n, isPlain
		}
		before = c
		r.skip(1)
	}
}

// while skips bytes that is accepts, and returns their number.
func (r *tagReader) while(is func(byte) bool) (n int) {
	for c := r.peek(); c != 0 && is(c); c = r.peek() {
		r.skip(1)
		n++
	}
	return n
}

func isTagName(c byte) bool       { return ascii.IsAlnum(c) || c == '-' }
func isAttributeName(c byte) bool { return isTagName(c) || c == '_' || c == ':' || c == '.' }
func isUnquoted(c byte) bool {
	return c > ' ' && c != '"' && c != '\'' && c != '=' && c != '<' && c != '>' && c != '`'
}

// value skips the value of an attribute.
func (r *tagReader) value() bool {
	quote := r.peek()
	if quote != '"' && quote != '\'' {
		return r.while(isUnquoted) > 0
	}
	r.skip(1)
	for r.peek(); !r.done; r.peek() {
		i := bytes.IndexByte(r.line[r.at:], quote)
		if i >= 0 {
			r.skip(i + 1)
			return true
		}
		r.skip(len(r.line) - r.at)
	}
	return false
}

// attribute skips an attribute.
func (r *tagReader) attribute() bool {
	if c := r.peek(); !ascii.IsLetter(c) && c != '_' && c != ':' {
		return false
	}
	r.while(isAttributeName)
	return true
}

// openTag skips an opening tag (CommonMark 0.31.2, section 6.6), and reports whether it is one.
func (r *tagReader) openTag() bool {
	if !r.take('<') || !ascii.IsLetter(r.peek()) {
		return false
	}
	r.while(isTagName)
	for {
		n, isPlain := r.spaces()
		for { // attributes without a value, one after the other
			switch c := r.peek(); {
			case c == '>' && isPlain:
				r.skip(1)
				return true
			case c == '/' && isPlain:
				r.skip(1)
				return r.take('>')
			}
			if n == 0 || !r.attribute() {
				return false
			}
			n, isPlain = r.spaces()
			if r.peek() == '=' {
				break
			}
		}
		r.skip(1)
		r.spaces()
		if !r.value() {
			return false
		}
	}
}

// closeTag skips a closing tag, and reports whether it is one.
func (r *tagReader) closeTag() bool {
	if !r.take('<') || !r.take('/') || !ascii.IsLetter(r.peek()) {
		return false
	}
	r.while(isTagName)
	_, isPlain := r.spaces()
	return isPlain && r.take('>')
}
