package mailbox

import "bytes"

var delimiter = []byte("\x01\x01\x01\x01")

// IsMMDF reports whether an input that begins with head is a mailbox of MMDF. head is the first 64 bytes of
// the input or all of it.
func IsMMDF(head []byte) bool { return delimiterAt(head) > 0 }

// delimiterAt returns the length of the delimiter line that s begins with, including its end; 0 if there
// is none.
func delimiterAt(s []byte) int {
	rest, ok := bytes.CutPrefix(s, delimiter)
	if !ok {
		return 0
	}
	rest = bytes.TrimPrefix(rest, []byte("\r"))
	if len(rest) > 0 && rest[0] == '\n' {
		return len(s) - len(rest) + 1
	}
	return 0
}

// MMDF returns the Splitter of a mailbox of MMDF, the mailer of CSNET and SCO Unix. Before and
// after each message stands a line of four bytes 1 (Ctrl-A):
//
//	^A^A^A^A
//	From: ann@example.org
//
//	Text
//	^A^A^A^A
//
// Notable divergence: one such line between two messages is enough, because some writers leave out the
// second one.
func MMDF(int) Splitter { return mmdf{} }

type mmdf struct{ stateless }

// maxDelimiter is the length of the longest delimiter line.
const maxDelimiter = len("\x01\x01\x01\x01\r\n")

// Next ends a message with the delimiter after it if another one follows, or the input ends; otherwise
// before that delimiter, which belongs to the next message.
func (mmdf) Next(src []byte, from int, atEOF bool) (p Piece, ok bool) {
	at := from
	if at == 0 {
		if len(src) < maxDelimiter && !atEOF {
			return p, false
		}
		at = max(1, delimiterAt(src))
	}
	for {
		i := bytes.Index(src[at:], delimiter)
		if i < 0 {
			break
		}
		at += i
		if len(src)-at < 2*maxDelimiter && !atEOF {
			p.End = at
			return p, false
		}
		n := delimiterAt(src[at:])
		if n == 0 && atEOF && at+len(delimiter) == len(src) {
			n = len(delimiter) // its line is not ended
		}
		if src[at-1] != '\n' || n == 0 {
			at++
			continue
		}
		p.End = at
		if at+n == len(src) || delimiterAt(src[at+n:]) > 0 || bytes.Equal(src[at+n:], delimiter) {
			p.End = at + n
		}
		return p, true
	}
	if atEOF {
		p.End = len(src)
		return p, true
	}
	p.End = max(at, len(src)-len(delimiter)+1)
	return p, false
}

// Body excludes the delimiters and a "From " line.
func (mmdf) Body(src []byte) (start, end int, exact bool) {
	start, end = delimiterAt(src), len(src)
	if line := bytes.TrimRight(src[start:], "\r\n"); bytes.HasSuffix(line, delimiter) {
		i := start + len(line) - len(delimiter)
		if i == start || src[i-1] == '\n' {
			end = i
		}
	}
	if i := bytes.IndexByte(src[start:end], '\n'); i >= 0 && bytes.HasPrefix(src[start:end], fromLine) {
		start += i + 1
	}
	return start, end, true
}
