package markdown

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// autolinks adds the bare links of src[start:stop], a run of text, by the rules of cmark-gfm, which GitHub
// runs (GFM 6.9):
//
//   - A URL of http, https or ftp, in any case of letters, that does not follow an ASCII letter. It ends at
//     white space or "<", and before the final punctuation of a sentence. Neither of the last two labels of
//     its host contains "_".
//   - A host that begins with "www.", at the beginning, or after white space or one of "*_~(".
//   - An address that ends with a letter, optionally after "mailto:" or "xmpp:".
//
// Notable divergences, with examples in testdata/autolinks.tsv:
//
//   - A URL after an open bracket is found, although GitHub ignores it. A closing bracket ends the URL if
//     no bracket within the URL opens it.
//   - An IP literal is a host.
//   - A URL ends at non-ASCII punctuation, and where prose continues without a space: at a letter of
//     Chinese, Japanese, Korean, Thai and similar scripts, unless the letter begins a segment, a value or
//     the like.
//   - The part before "@" is not cut at a Latin letter that is not ASCII: "mañana@x.org" does not give the
//     address of "ana".
//   - A link, code or HTML within a URL ends it, and so does a "\" or "`" at its end.
//
// Time is linear in the length of the run: each byte is examined a fixed number of times.
func (c *collector) autolinks(start, stop int, inCell bool) {
	text := c.src[start:stop]
	colon, www, sign := bytes.Index(text, colonSlashes), bytes.Index(text, wwwDot), bytes.IndexByte(text, '@')
	from := 0 // no link may begin before it
	for colon >= 0 || www >= 0 || sign >= 0 {
		at := least(colon, www, sign)
		begin, end, meant := 0, 0, ""
		switch at {
		case colon:
			begin, end = urlAround(text, from, colon)
		case www:
			if www > 0 || !followsInline(c.src[:start]) {
				begin, end = www, wwwEnd(text, from, www)
			}
			meant = "http://"
		default:
			begin, end, meant = addressAround(text, from, sign)
		}
		if end > 0 {
			c.addBare(start+begin, start+end, meant, at == sign, inCell)
			from = end
		} else if at == sign {
			from = at + 1
		}
		next := max(from, at+1)
		colon = indexFrom(text, colonSlashes, colon, next)
		www = indexFrom(text, wwwDot, www, next)
		sign = indexFrom(text, atSign, sign, next)
	}
}

var (
	colonSlashes = []byte("://")
	wwwDot       = []byte("www.")
	atSign       = []byte("@")
)

// least returns the smallest of the numbers that is not negative.
func least(numbers ...int) int {
	least := -1
	for _, n := range numbers {
		if n >= 0 && (least < 0 || n < least) {
			least = n
		}
	}
	return least
}

// indexFrom returns the offset of the next mark in s at or after from, or -1. at is the last
// offset that it returned.
func indexFrom(s, mark []byte, at, from int) int {
	if at < 0 || at >= from {
		return at
	}
	if i := bytes.Index(s[from:], mark); i >= 0 {
		return from + i
	}
	return -1
}

// addBare adds the link src[start:end].
func (c *collector) addBare(start, end int, meant string, isAddress, inCell bool) {
	value := c.original[start:end]
	if inCell {
		value = bytes.ReplaceAll(value, []byte(`\|`), []byte("|")) // GFM 4.10
	}
	if isAddress {
		value = unescape(value) // GitHub looks for addresses in the text as shown
	}
	at := scan.Span{Start: c.body + start, End: c.body + end}
	c.add(scan.Item{Kind: scan.Link, How: scan.Bare, In: "autolink", Span: at, Value: value, Meant: meant})
}

// urlAround returns the range of the URL whose "://" is at text[colon] and that
// begins at or after from; end is 0 if there is none.
func urlAround(text []byte, from, colon int) (begin, end int) {
	const longest = len("https")
	begin = colon
	for begin > from && colon-begin <= longest && ascii.IsLetter(text[begin-1]) {
		begin--
	}
	switch scheme := text[begin:colon]; {
	case !ascii.EqualFold(scheme, "http") && !ascii.EqualFold(scheme, "https") && !ascii.EqualFold(scheme, "ftp"):
		return 0, 0
	case begin > 0 && ascii.IsLetter(text[begin-1]):
		return 0, 0
	}
	host := colon + len("://")
	if host == len(text) {
		return 0, 0
	}
	if literal := literalLength(text[host:]); literal == 0 && !isDomain(text[host:]) {
		return 0, 0
	}
	return begin, host + delimited(text[host:host+runLength(text[host:])])
}

// wwwEnd returns the end of the abbreviated URL that begins at text[www], at or after from,
// or 0 if there is none.
func wwwEnd(text []byte, from, www int) int {
	if www > 0 && (www < from || !beforeWWW[text[www-1]]) {
		return 0
	}
	if rest := text[www+len("www."):]; len(rest) == 0 || !isHostStart(rest) || !isDomain(text[www:]) {
		return 0
	}
	return www + delimited(text[www:www+runLength(text[www:])])
}

// followsInline reports whether a run of text after before follows a link, code or a tag.
func followsInline(before []byte) bool {
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	if last == '>' { // of a tag, or of a block quote
		i := bytes.LastIndexAny(before, "<\n")
		return i >= 0 && before[i] == '<'
	}
	return last == ')' || last == ']' || last == '`'
}

var beforeWWW = set(" \t\r\n\v\f*_~(")

// isHostStart reports whether s begins with a character that may begin a host: neither white space
// nor punctuation.
func isHostStart(s []byte) bool {
	if c := s[0]; c < utf8.RuneSelf {
		return ascii.IsAlnum(c)
	}
	r, n := utf8.DecodeRune(s)
	return !endsBare(r, n) && !unicode.IsPunct(r)
}

// isDomain reports whether s, which is not empty, begins with a domain as cmark-gfm defines it. It
// does not begin with punctuation, and neither of its last two labels contains "_". In a domain
// with many labels, "_" does not matter.
func isDomain(s []byte) bool {
	if !isHostStart(s) {
		return false
	}
	dots, inLast, inSecondLast := 0, false, false
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '_':
			inLast = true
		case c == '.':
			dots++
			inSecondLast, inLast = inLast, false
		case c == '\\' && i+2 < len(s): // an escaped character is part of the host
			i++
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(s[i:])
			if endsBare(r, n) || unicode.IsPunct(r) {
				return !inLast && !inSecondLast || dots > maxUnderscored
			}
			i += n - 1
		case c != '-' && !ascii.IsAlnum(c):
			return !inLast && !inSecondLast || dots > maxUnderscored
		}
		i++
	}
	return !inLast && !inSecondLast || dots > maxUnderscored
}

// maxUnderscored is the number of dots in a domain up to which cmark-gfm looks for "_".
const maxUnderscored = 10

// literalLength returns the length of the IPv6 literal at the start of s, or 0 if there is none.
func literalLength(s []byte) int {
	const longest = len("[0000:0000:0000:0000:0000:0000:255.255.255.255]")
	if len(s) == 0 || s[0] != '[' {
		return 0
	}
	colons := 0
	for i := 1; i < min(len(s), longest); i++ {
		switch c := s[i]; {
		case c == ']' && colons > 1:
			return i + 1
		case c == ':':
			colons++
		case !ascii.IsHex(c) && c != '.':
			return 0
		}
	}
	return 0
}

// runLength returns the length of the link at the start of s, before its end is trimmed.
func runLength(s []byte) int {
	isIRI, isHost, brackets := false, true, 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '<' || c == ' ' || c >= '\t' && c <= '\r':
			return i
		case c == ']' && brackets == 0:
			return len(bytes.TrimSuffix(s[:i], []byte{'\\'}))
		case c == '[':
			brackets++
			i++
			continue
		case c == ']':
			brackets--
			i++
			continue
		case c < utf8.RuneSelf:
			isHost = isHost && c != '/' && c != '?' && c != '#'
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		if endsBare(r, n) || !isIRI && r >= firstProse && unicode.In(r, prose...) && !continues(s[:i], isHost) {
			return i
		}
		isIRI = !isHost
		i += n
	}
	return len(s)
}

// continues reports whether a letter of a script without spaces belongs to the URL s before it. It begins a
// label, a segment, a value or a part of a name.
func continues(s []byte, isHost bool) bool {
	if len(s) == 0 {
		return true
	}
	switch c := s[len(s)-1]; {
	case c >= utf8.RuneSelf:
		return true
	case isHost:
		return c == '.' || c == '-'
	case bytes.IndexByte([]byte("/=-_?&#"), c) >= 0:
		return true
	case c == '(': // /wiki/Mercury_(...)
		return len(s) > 1 && s[len(s)-2] == '_'
	}
	return len(s) > 2 && isEscape(s[len(s)-3:])
}

func isEscape(s []byte) bool {
	_, ok := ascii.Unescape(s)
	return ok
}

// prose holds the scripts that are written without spaces between words, from firstProse on.
var prose = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

const firstProse = 0xE00

// endsBare reports whether the non-ASCII rune r, n bytes long, ends a bare link. Invalid UTF-8,
// controls, white space and punctuation do, except hyphens, soft or not, and the Catalan middle dot.
// So do full-width forms that are not letters or digits. The joiners U+200C and U+200D
// do not: words are spelled with them.
func endsBare(r rune, n int) bool {
	switch {
	case r == utf8.RuneError && n <= 1, r <= 0xA0, r == 0xFEFF, r == 0xFFFC, r == 0xFFFD:
		return true
	case r == 0xAD, r == 0xB7, r >= 0x200C && r <= 0x200D, r >= 0x2010 && r <= 0x2013, unicode.Is(unicode.Pc, r):
		return false
	case r >= 0xFF01 && r <= 0xFF0F, r >= 0xFF1A && r <= 0xFF20, r >= 0xFF3B && r <= 0xFF40, r >= 0xFF5B && r <= 0xFF65:
		return true
	}
	return unicode.IsPunct(r) || unicode.In(r, unicode.Z, unicode.Cf)
}

// delimited returns the length of s without the end of a sentence: punctuation, an unopened closing
// parenthesis, and text that looks like a character reference.
func delimited(s []byte) int { return trimmed(s, sentenceEnd) }

// The bytes that the two rules remove from the end of a link.
var (
	sentenceEnd         = set("?!.,:*_~'\"[`;")
	sentenceEndGoldmark = set("?!.,:*_~")
)

// trimmed returns the length of s without the end of a sentence: bytes of ends, an unopened closing
// parenthesis, and text that looks like a character reference. If ends contains ";", trimmed also removes a
// ";" that ends no reference, and a "\" that escapes a removed byte.
func trimmed(s []byte, ends [256]bool) int {
	open := bytes.Count(s, []byte{'('}) - bytes.Count(s, []byte{')'})
	n := len(s)
	for ; n > 1; n-- {
		switch c := s[n-1]; {
		case c == ';':
			amp := n - 2
			for amp > 0 && ascii.IsAlnum(s[amp]) {
				amp--
			}
			if amp < n-2 && s[amp] == '&' {
				n = amp + 1
				continue
			}
			if ends[c] {
				continue
			}
		case ends[c], c == '\\' && ends[';'] && n < len(s):
			continue
		case c == ')' && open < 0:
			open++
			continue
		}
		break
	}
	return n
}

// addressAround returns the range of the address whose "@" is at text[sign] and that
// begins at or after from; end is 0 if there is none. meant is "" if "mailto:" or "xmpp:"
// precedes the address.
func addressAround(text []byte, from, sign int) (begin, end int, meant string) {
	begin, meant = sign, "mailto:"
	isXMPP := false
	for begin > from {
		c := text[begin-1]
		if c == '\\' && begin < len(text) && bytes.IndexByte([]byte(`.+-_@`), text[begin]) >= 0 {
			begin--
			continue
		}
		if !ascii.IsAlnum(c) && bytes.IndexByte([]byte(".+-_"), c) < 0 {
			break
		}
		begin--
	}
	for begin < sign && text[begin] == '\\' {
		begin++ // it escapes the mark at which the address would begin
	}
	if begin == sign {
		return 0, 0, ""
	}
	if begin > 0 && text[begin-1] >= utf8.RuneSelf {
		r, _ := utf8.DecodeLastRune(text[:begin])
		if unicode.Is(unicode.Latin, r) {
			return 0, 0, ""
		}
	}
	for _, protocol := range []string{"mailto:", "xmpp:"} {
		at := begin - len(protocol)
		if at >= from && ascii.EqualFold(text[at:begin], protocol) && !(at > 0 && ascii.IsAlnum(text[at-1])) {
			begin, meant, isXMPP = at, "", protocol == "xmpp:"
			break
		}
	}
	end = domainEnd(text, sign+1, isXMPP)
	if end > 0 && end < len(text) && text[end] == '_' && !opensEmphasis(text[:begin+1]) {
		return 0, 0, ""
	}
	if end > 0 && text[begin] == '_' && isEmphasis(text[end:]) {
		begin += len(text[begin:sign]) - len(bytes.TrimLeft(text[begin:sign], "_"))
	}
	if begin == sign {
		return 0, 0, ""
	}
	return begin, end, meant
}

// isEmphasis reports whether s, which follows an address that begins with "_", contains the "_" that
// ends the emphasis.
func isEmphasis(s []byte) bool {
	const longest = 1024
	s = s[:min(len(s), longest)]
	for i := bytes.IndexByte(s, '_'); i >= 0; {
		if i+1 == len(s) || !ascii.IsAlnum(s[i+1]) && s[i+1] < utf8.RuneSelf {
			return true
		}
		next := bytes.IndexByte(s[i+1:], '_')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return false
}

// opensEmphasis reports whether s, whose last byte begins an address that "_" follows, contains
// the "_" that opens the emphasis.
func opensEmphasis(s []byte) bool {
	const longest = 1024
	s = s[max(0, len(s)-longest):]
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '_' && (i == 0 || !ascii.IsAlnum(s[i-1]) && s[i-1] < utf8.RuneSelf) && (i+1 == len(s) || s[i+1] > ' ') {
			return true
		}
	}
	return false
}

// domainEnd returns the end of the domain of an address that begins at text[at], or 0 if there is
// none.
func domainEnd(text []byte, at int, isXMPP bool) int {
	end, dots := at, 0
	for ; end < len(text); end++ {
		switch c := text[end]; {
		case ascii.IsAlnum(c), c == '-', c == '_', c == '/' && isXMPP:
			continue
		case c == '.' && end+1 < len(text) && ascii.IsAlnum(text[end+1]):
			dots++
			continue
		case c == '\\' && end+1 < len(text) && (text[end+1] == '-' || text[end+1] == '_' || text[end+1] == '.'):
			continue
		case c == '@':
			return 0
		}
		break
	}
	for end > at && text[end-1] == '_' {
		end-- // the mark of emphasis
	}
	if dots == 0 || !ascii.IsLetter(text[end-1]) {
		return 0
	}
	return end
}
