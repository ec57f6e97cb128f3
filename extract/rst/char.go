package rst

import (
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// Classes of bytes.
const (
	canPrecede  uint8 = 1 << iota // a start-string of inline markup
	canFollow                     // an end-string
	mayBeMarkup                   // to the scanner of text
	isURIChar                     // part of a path, query or fragment of a bare URL
	isURIEnd                      // its last character
	isMailChar                    // of an address
)

var classes = func() (t [256]uint8) {
	set := func(class uint8, chars string) {
		for i := range len(chars) {
			t[chars[i]] |= class
		}
	}
	const space = " \n\t\r\f\v"
	set(canPrecede, space+"\"'(<[{-/:")
	set(canFollow, space+"\"')>]}-/\\.,;:!?")
	set(mayBeMarkup, "*`|_[\\:@")
	set(isURIChar, "-_.!~*'()[];/:@&=+$,%")
	set(isURIEnd, "_~*/=+")
	set(isMailChar, "-_!~*'{|}/#?^`&=+$%")
	for c := range t {
		if ascii.IsAlnum(byte(c)) {
			t[c] |= isURIChar | isURIEnd | isMailChar
		}
	}
	return t
}()

// startsAfter reports whether inline markup may begin at i: after the start of the text, white
// space, or punctuation that opens or separates.
func startsAfter(text []byte, i int) bool {
	if i == 0 {
		return true
	}
	if c := text[i-1]; c < utf8.RuneSelf {
		return classes[c]&canPrecede != 0
	}
	r, _ := utf8.DecodeLastRune(text[:i])
	return unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pf, unicode.Pd, unicode.Po)
}

// endsBefore reports whether inline markup may end at i: before the end of the text, white space,
// or punctuation.
func endsBefore(text []byte, i int) bool {
	if i >= len(text) {
		return true
	}
	if c := text[i]; c < utf8.RuneSelf {
		return classes[c]&canFollow != 0
	}
	r, _ := utf8.DecodeRune(text[i:])
	return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Pd, unicode.Po)
}

// isQuoted reports whether the markup of n bytes at i stands between an opening character and
// its closing one, as in ("*"): then it begins nothing.
func isQuoted(text []byte, i, n int) bool {
	if i == 0 || i+n >= len(text) {
		return false
	}
	before, _ := utf8.DecodeLastRune(text[:i])
	after, _ := utf8.DecodeRune(text[i+n:])
	switch before {
	case '"', '\'':
		return after == before
	case '(':
		return after == ')'
	case '<':
		return after == '>'
	case '[':
		return after == ']'
	case '{':
		return after == '}'
	case '“', '„':
		return after == '”' || after == '“'
	case '‘', '‚':
		return after == '’' || after == '‘'
	case '«', '»':
		return after == '»' || after == '«'
	}
	return false
}

// isWord reports whether r is a letter, a digit or "_".
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.N, r)
}

// isNamePart reports whether c may join two words of a simple name.
func isNamePart(c byte) bool {
	return c == '-' || c == '.' || c == '_' || c == '+' || c == ':'
}

// nameBefore returns the start of the simple name that ends at i: words joined by single "-", ".",
// "_", "+" or ":". It returns i if there is none.
func nameBefore(text []byte, i int) int {
	start, end := i, i
	for i > 0 {
		r, n := utf8.DecodeLastRune(text[:i])
		if r != '_' && isWord(r) {
			i -= n
			start = i
			continue
		}
		if i == start && start < end && n == 1 && isNamePart(byte(r)) {
			if before, _ := utf8.DecodeLastRune(text[:i-1]); i > 1 && before != '_' && isWord(before) {
				i--
				continue
			}
		}
		break
	}
	return start
}

// nameAfter returns the end of the simple name that begins at i, or i if there is none.
func nameAfter(text []byte, i int) int {
	begin, end := i, i
	for i < len(text) {
		r, n := utf8.DecodeRune(text[i:])
		if r != '_' && isWord(r) {
			i += n
			end = i
			continue
		}
		if i == end && end > begin && n == 1 && isNamePart(byte(r)) && i+1 < len(text) {
			if after, _ := utf8.DecodeRune(text[i+1:]); after != '_' && isWord(after) {
				i++
				continue
			}
		}
		break
	}
	return end
}
