package undo

import (
	"bytes"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/decode"
)

// QP returns the step that decodes quoted-printable (RFC 2045 section 6.7) in text whose header no
// longer says that it is encoded. It decodes "=3D" and the like, and joins lines that end in "=", with
// the reply marks at the start of the next one.
//
// A text without such signs is left as it is, for "?id=20" means itself there; so is a line with a "="
// that cannot be encoded, such as "?a=x".
func QP() decode.Step {
	var (
		seen   bool // the text so far has a sign of the encoding
		isOpen bool // the rest of the current line is decoded
		inLine bool // isOpen is known
		octet  [1]byte
	)
	return func(src []byte, atEOF bool) (literal, skip int, out []byte) {
		i := bytes.IndexByte(src, '=')
		if i < 0 {
			inLine = inLine && bytes.IndexByte(src, '\n') < 0
			return len(src), 0, nil
		}
		if bytes.IndexByte(src[:i], '\n') >= 0 {
			inLine = false
		}
		if i > 0 && len(src)-i < 64 && !atEOF {
			return i, 0, nil
		}
		if !inLine {
			line := firstLine(src[bytes.LastIndexByte(src[:i], '\n')+1:])
			var sign bool
			isOpen, sign = isQuotedPrintable(line)
			inLine, seen = true, seen || isOpen && sign
			if !seen {
				seen = hasSign(src[i+len(firstLine(src[i:])):])
			}
		}
		if !isOpen || !seen {
			return i + 1, 0, nil
		}
		if n := softBreak(src[i:]); n > 0 {
			inLine = false
			return i, n, []byte{}
		}
		value, ok := hexPair(src[i+1:])
		if !ok {
			return i + 1, 0, nil
		}
		octet[0] = value
		return i, len("=3D"), octet[:]
	}
}

// IsUndeclaredQP reports whether text as a whole is quoted-printable. A line must be broken as encoders
// break it, before a line that continues it, there must be an escape or two more such lines, and each "="
// must begin an octet that encoders encode, or end a line. A single "=" that does neither, as in "?a=x",
// "?id=727" or a program, shows that the text is not encoded; so does "?a=3D" without broken lines. It
// takes time linear in len(text).
func IsUndeclaredQP(text []byte) bool {
	breaks, escapes := 0, 0
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], '=')
		if i < 0 {
			break
		}
		i += from
		rest := text[i:]
		n := softBreak(rest)
		if n == 0 {
			value, ok := hexPair(rest[1:])
			first := i == 0 || text[i-1] == '\n'
			if !ok || ascii.IsAlnum(value) && !first || isAssigned(text[:i]) && value != '=' || value == ' ' && len(rest) > len("=20") && rest[len("=20")] > ' ' && rest[len("=20")] != '=' {
				return false
			}
			escapes++
			from = i + len("=3D")
			continue
		}
		width := i - bytes.LastIndexByte(text[max(0, i-2*minBroken):i], '\n') - 1 - max(0, i-2*minBroken)
		if width < 2*minBroken && width >= minBroken && n < len(rest) && rest[n] > ' ' && rest[n] != '-' {
			breaks++
		}
		from = i + n
	}
	return breaks > 0 && escapes > 0 || breaks > 2
}

// isAssigned reports whether text ends in the name of a parameter of a query: what follows its "=" is a value.
func isAssigned(text []byte) bool {
	i := len(text)
	for i > 0 && i > len(text)-32 && (ascii.IsAlnum(text[i-1]) || text[i-1] == '_') {
		i--
	}
	return i > 0 && i < len(text) && (text[i-1] == '?' || text[i-1] == '&')
}

// firstLine returns the first line of s, with its end.
func firstLine(s []byte) []byte {
	if end := bytes.IndexByte(s, '\n'); end >= 0 {
		return s[:end+1]
	}
	return s
}

// minBroken is the length in bytes from which encoders break a line. They allow 76.
const minBroken = 60

// isQuotedPrintable reports whether each "=" of line begins an octet that encoders encode, or ends the
// line, and whether there is a sign of the encoding: "=3D", two octets in a row that are not ASCII, or
// a soft break of a line that is long enough. A line that is cut may end within an octet.
func isQuotedPrintable(line []byte) (is, sign bool) {
	high := -1 // where an octet ends that is not ASCII
	for i := bytes.IndexByte(line, '='); i >= 0; {
		rest := line[i:]
		value, ok := hexPair(rest[1:])
		switch {
		case softBreak(rest) > 0:
			sign = sign || i >= minBroken
		case ok:
			sign = sign || value == '=' || value >= 0x80 && high == i
			if value >= 0x80 {
				high = i + len("=3D")
			}
		case len(rest) > len("=3"):
			return false, false
		}
		next := bytes.IndexByte(rest[1:], '=')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return true, sign
}

// maxSigns limits how many lines hasSign looks at.
const maxSigns = 16

// hasSign reports whether one of the next lines with "=" has a sign of the encoding.
func hasSign(text []byte) bool {
	for range maxSigns {
		i := bytes.IndexByte(text, '=')
		if i < 0 {
			return false
		}
		line := firstLine(text[bytes.LastIndexByte(text[:i], '\n')+1:])
		if is, sign := isQuotedPrintable(line); is && sign {
			return true
		}
		text = text[i+len(firstLine(text[i:])):]
	}
	return false
}

// hexPair returns the octet that s, behind a "=", stands for. Encoders write capital letters, and do
// not encode control characters that text does not have.
func hexPair(s []byte) (value byte, ok bool) {
	if len(s) < 2 {
		return 0, false
	}
	for _, c := range s[:2] {
		switch {
		case '0' <= c && c <= '9':
			value = value<<4 | (c - '0')
		case 'A' <= c && c <= 'F':
			value = value<<4 | (c - 'A' + 10)
		default:
			return 0, false
		}
	}
	return value, value >= ' ' && value != 0x7f || value == '\t' || value == '\n' || value == '\r' || value == '\f'
}

// softBreak returns the length of the soft line break that s begins with, or 0: "=", spaces and tabs, a
// line end, and the reply marks of the next line.
func softBreak(s []byte) int {
	i := 1
	for i < len(s) && i < 16 && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i < len(s) && s[i] == '\r' {
		i++
	}
	if i >= len(s) || s[i] != '\n' {
		return 0
	}
	i++
	marks := i
	for marks < len(s) && marks-i < 32 && (s[marks] == '>' || s[marks] == ' ' && marks > i) {
		marks++
		if s[marks-1] == '>' {
			i = marks
			if i < len(s) && s[i] == ' ' {
				i++
			}
			marks = i
		}
	}
	return i
}
