package mailbox

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

var (
	options = []byte("BABYL OPTIONS:")
	eooh    = []byte("*** EOOH ***")
)

// unit ends a section, and page begins a message.
const (
	unit = 0x1f
	page = '\f'
)

// IsBabyl reports whether an input that begins with head is a mailbox of Babyl. head is the first 64 bytes of
// the input or all of it.
func IsBabyl(head []byte) bool { return bytes.HasPrefix(head, options) }

// Babyl returns the Splitter of a mailbox of Babyl, the format of Rmail in Emacs before version 23. The
// file begins with a section of options, which has no message. Each message is also a section:
//
//	^_^L
//	0, unseen,,
//	*** EOOH ***
//	From: ann@example.org
//
//	Text
//	^_
//
// The line after ^L has the labels. If it begins with 1, the header as it was received is before "*** EOOH
// ***", and the part of it that Rmail shows is after that line.
func Babyl(int) Splitter { return babyl{} }

type babyl struct{ stateless }

// Next ends a section with a ^_ at the start of a line, if a message follows or the input ends.
func (babyl) Next(src []byte, from int, atEOF bool) (p Piece, ok bool) {
	at := max(1, from)
	for at < len(src) {
		i := bytes.IndexByte(src[at:], unit)
		if i < 0 {
			break
		}
		at += i
		rest := src[at+1:]
		if len(rest) < len("\r\n\f") && !atEOF {
			p.End = at
			return p, false
		}
		if src[at-1] == '\n' && (len(rest) > 0 && rest[0] == page || atEOF && len(bytes.TrimLeft(rest, "\r\n")) == 0) {
			p.End = at + 1
			if len(rest) == 0 || rest[0] != page {
				p.End = len(src)
			}
			return p, true
		}
		at++
	}
	if atEOF {
		p.End = len(src)
		return p, true
	}
	p.End = len(src)
	return p, false
}

// Body returns an empty range if src is the section of options. If there are two headers, the message begins with
// the one that was received, and its body with the one that Rmail shows.
func (babyl) Body(src []byte) (start, end int, exact bool) {
	end = len(bytes.TrimRight(src, "\r\n"))
	if end == 0 || src[end-1] != unit {
		end = len(src)
	} else {
		end--
	}
	if len(src) == 0 || src[0] != page {
		return end, end, true
	}
	labels := nextLine(src[:end], 0)
	start = nextLine(src[:end], labels)
	if labels < end && ascii.IsDigit(src[labels]) && src[labels] != '0' && !bytes.HasPrefix(src[start:end], eooh) {
		return start, end, true
	}
	if bytes.HasPrefix(src[start:end], eooh) {
		return nextLine(src[:end], start), end, true
	}
	if i := bytes.Index(src[start:end], append([]byte("\n"), eooh...)); i >= 0 {
		return nextLine(src[:end], start+i+1), end, true
	}
	return start, end, true
}

// nextLine returns where the line after the one at src[i] begins.
func nextLine(src []byte, i int) int {
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(src)
}
