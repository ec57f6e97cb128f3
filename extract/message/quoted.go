package message

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// Quotes tells how deeply the text of one body is quoted at a given place, that is, how many messages
// ago it was new. Depth is called with rising offsets; each call takes time linear in the length of
// the line at most.
type Quotes struct {
	src     []byte
	html    bool
	reply   int    // in text: where the message begins that is quoted as a whole; len(src) or more if there is none; -1: not searched
	read    int    // in HTML: each "q" before it has been examined
	lower   int    // in HTML: the first "q" at or after read, unless it is less than read
	upper   int    // the same for "Q"
	open    []bool // for each open blockquote element: whether it holds a quotation
	depth   int    // number of open elements that hold a quotation
	longest int    // bytes of a line that are read
}

// maxQuotes limits the number of open blockquote elements.
const maxQuotes = 1000

// Reset begins a new body, which is HTML or running text.
func (q *Quotes) Reset(src []byte, html bool) {
	*q = Quotes{src: src, html: html, open: q.open[:0], longest: 2048, reply: -1, lower: -1, upper: -1}
}

// Depth returns how deeply src[at] is quoted; 0 is new text. In text that is the number of reply
// marks, ">", "|" or ":", at the beginning of the line, and at least 1 below the line that Outlook
// puts before a message that it quotes as a whole. In HTML it is the number of enclosing blockquote
// elements that mailers make: with type="cite", or of the class gmail_quote.
func (q *Quotes) Depth(at int) int {
	if q.html {
		q.advance(at)
		return q.depth
	}
	n := 0
	line := q.src[max(0, at-q.longest):at]
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	} else if at > q.longest {
		line = nil
	}
	for _, c := range line {
		if c == '>' || c == '|' || c == ':' {
			n++
		} else if c != ' ' && c != '\t' {
			break
		}
	}
	if q.reply < 0 {
		q.reply = replyBelow(q.src) // most bodies have no reference
	}
	if at >= q.reply {
		n = max(n, 1)
	}
	return n
}

// advance reads the tags of blockquote elements that begin before at. It searches for the "q" of their
// name, because that letter is rare: stopping at each "<" took 5% of the time of --json for mail.
func (q *Quotes) advance(at int) {
	const element, toQ = "blockquote", len("block")
	for {
		i := q.nextQ()
		start := i - toQ // of the name
		if i == len(q.src) || start-len("</") >= at {
			return
		}
		end := start > 1 && q.src[start-1] == '/'
		open := start - 1
		if end {
			open--
		}
		if open >= at {
			return
		}
		q.read = i + 1
		if open < 0 || q.src[open] != '<' {
			continue
		}
		tag := q.src[start:]
		if len(tag) <= len(element) || !ascii.EqualFold(tag[:len(element)], element) || ascii.IsAlnum(tag[len(element)]) {
			continue
		}
		switch {
		case !end && len(q.open) < maxQuotes:
			tag = tag[len(element):min(len(tag), 1024)]
			if i := bytes.IndexByte(tag, '>'); i >= 0 {
				tag = tag[:i]
			}
			tag = bytes.ToLower(tag)
			cited := bytes.Contains(tag, []byte("gmail_quote")) || citeType(tag)
			q.open = append(q.open, cited)
			if cited {
				q.depth++
			}
		case end && len(q.open) > 0:
			if q.open[len(q.open)-1] {
				q.depth--
			}
			q.open = q.open[:len(q.open)-1]
		}
	}
}

// nextQ returns the index of the next "q" or "Q" that has not been read, or len(q.src).
func (q *Quotes) nextQ() int {
	if q.lower < q.read {
		q.lower = indexFrom(q.src, q.read, 'q')
	}
	if q.upper < q.read {
		q.upper = indexFrom(q.src, q.read, 'Q')
	}
	return min(q.lower, q.upper)
}

// indexFrom returns the index of the first c in s[from:], or len(s).
func indexFrom(s []byte, from int, c byte) int {
	if i := bytes.IndexByte(s[from:], c); i >= 0 {
		return from + i
	}
	return len(s)
}

// citeType reports whether attributes, in lower case, hold type="cite".
func citeType(attributes []byte) bool {
	_, value, ok := bytes.Cut(attributes, []byte("type="))
	return ok && bytes.HasPrefix(bytes.TrimLeft(value, `"'`), []byte("cite"))
}

// replyBelow returns the beginning of the message that text quotes as a whole. It follows a line such
// as "-----Original Message-----", and one of its first three lines is a field "From:".
func replyBelow(text []byte) int {
	const words = "original message"
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if text[at] == '-' {
			line := bytes.TrimSpace(text[at:end])
			inner := bytes.TrimSpace(bytes.Trim(line, "-"))
			if len(line) >= len(inner)+4 && ascii.EqualFold(inner, words) && fromFollows(text[end:]) {
				return at
			}
		}
		at = end
	}
	return len(text) + 1
}

// fromFollows reports whether one of the first three lines of text is a field "From:".
func fromFollows(text []byte) bool {
	for range 3 {
		line, rest, _ := bytes.Cut(text[:min(len(text), 4096)], []byte{'\n'})
		line = bytes.TrimLeft(line, " \t*")
		if len(line) > 5 && ascii.EqualFold(line[:5], "from:") {
			return true
		}
		text = rest
	}
	return false
}
