package notebook

import (
	"bytes"
	"strconv"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/jsonstring"
)

// A parser reads JSON from at on. If it meets invalid JSON, it sets malformed and reads nothing
// more.
type parser struct {
	src       []byte
	at        int
	malformed bool
}

func (p *parser) fail() { p.malformed = true }

// space skips white space.
func (p *parser) space() {
	for p.at < len(p.src) && (p.src[p.at] == ' ' || p.src[p.at] == '\n' || p.src[p.at] == '\t' || p.src[p.at] == '\r') {
		p.at++
	}
}

// peek returns the first byte of the next value, or 0 at the end.
func (p *parser) peek() byte {
	p.space()
	if p.at == len(p.src) || p.malformed {
		return 0
	}
	return p.src[p.at]
}

// object calls member at the value of each member of an object; member must read the value. Values
// other than objects are skipped.
func (p *parser) object(member func(key []byte)) {
	if p.peek() != '{' {
		p.skip()
		return
	}
	p.at++
	if p.peek() == '}' {
		p.at++
		return
	}
	for !p.malformed {
		if p.peek() != '"' {
			p.fail()
			return
		}
		start := p.at
		p.skipString()
		if p.malformed || p.peek() != ':' {
			p.fail()
			return
		}
		key := bytes.TrimRight(p.src[start:p.at], " \t\r\n")
		p.at++
		p.space()
		member(key[1 : len(key)-1])
		if !p.next('}') {
			return
		}
	}
}

// array calls element at each element of an array; element must read it. Values other than arrays are skipped.
func (p *parser) array(element func()) {
	if p.peek() != '[' {
		p.skip()
		return
	}
	p.at++
	if p.peek() == ']' {
		p.at++
		return
	}
	for !p.malformed {
		p.space()
		element()
		if !p.next(']') {
			return
		}
	}
}

// next reads the comma before the next member, or the end of an object or array. It reports
// whether there is a next member.
func (p *parser) next(end byte) bool {
	switch p.peek() {
	case ',':
		p.at++
		return true
	case end:
		p.at++
	default:
		p.fail()
	}
	return false
}

// skip skips a value of any depth.
func (p *parser) skip() {
	depth := 0
	for !p.malformed {
		switch c := p.peek(); c {
		case 0:
			p.fail()
			return
		case '"':
			p.skipString()
		case '{', '[':
			depth++
			p.at++
		case '}', ']':
			if depth == 0 {
				p.fail()
				return
			}
			depth--
			p.at++
		case ',', ':':
			if depth == 0 {
				p.fail()
				return
			}
			p.at++
			continue
		default:
			i := bytes.IndexAny(p.src[p.at:min(len(p.src), p.at+maxWord)], ",:]}[{\" \t\r\n")
			if i <= 0 {
				i = min(len(p.src)-p.at, maxWord)
			}
			p.at += i
		}
		if depth == 0 {
			return
		}
	}
}

// maxWord is more than the length of a number or a literal, in bytes.
const maxWord = 64

// skipString skips the string that begins here.
func (p *parser) skipString() {
	for i := p.at + 1; ; {
		k := bytes.IndexByte(p.src[i:], '"')
		if k < 0 {
			p.fail()
			return
		}
		i += k + 1
		escapes := 0
		for p.src[i-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			p.at = i
			return
		}
	}
}

// shortString returns the string that begins here, or "" if there is none or it has escapes.
func (p *parser) shortString() string {
	start := p.at
	p.skip()
	s := bytes.TrimRight(p.src[start:p.at], " \t\r\n")
	if p.malformed || len(s) < 2 || len(s) > maxWord || s[0] != '"' {
		return ""
	}
	return string(s[1 : len(s)-1])
}

// digit returns the value of the one-digit number that begins here, or 0 for anything else.
func (p *parser) digit() int {
	start := p.at
	p.skip()
	n, _ := strconv.Atoi(string(p.src[start:min(p.at, start+1)]))
	return n
}

// appendString appends the string that begins here, without its quotes and escapes, and maps
// the result to its source in m. Half of a surrogate pair becomes U+FFFD.
func (p *parser) appendString(dst []byte, m *scan.Map) []byte {
	start := p.at + 1
	p.skipString()
	if p.malformed {
		return dst
	}
	end := p.at - 1
	return jsonstring.AppendMapped(dst, m, p.src, scan.Span{Start: start, End: end})
}
