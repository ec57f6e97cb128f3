package delimit

import "example.org/refract/internal/ascii"

// mayContinue holds the bytes that can follow a bare reference at the end of its line: a line
// break, or punctuation before one.
var mayContinue = [256]bool{'\n': true, '\r': true, '.': true, '?': true, ',': true, ':': true}

// openEnd holds the bytes after which a word may be the rest of a reference.
var openEnd = [256]bool{'/': true, '=': true, '&': true, '?': true, '%': true, '-': true, '_': true, '.': true}

// minWrapped is the minimum length in bytes of a line that a program may have wrapped.
const minWrapped = 60

// continued returns the bare reference src[start:end] together with its continuation on the next line, or
// nil if there is none. The line must be long and end there. The next line must have the same reply marks,
// and then begin like the rest of a reference: with "/", "?", "&", "=", "%", "_", or an extension after a
// file name. If the reference ends in one of these characters or in a hyphen, the next line may instead
// begin with a word that contains such a character.
//
// Any word continues a reference in three places: directly after "(" if ")" follows the word, where it
// completes a hash of 40 digits, and before the soft line break of quoted-printable (RFC 2045 section 6.7,
// rule 5), which is not part of the reference.
//
// Measured on documentation and mail: about one reference in 3,000 is wrapped this way.
func (f *Finder) continued(src []byte, start, rest, end int, atEOF bool) (*Joined, verdict) {
	line := end
	for line < len(src) && line-end < 2 && src[line] > ' ' && mayContinue[src[line]] {
		line++
	}
	next := line
	if next < len(src) && src[next] == '\r' {
		next++
	}
	if next < len(src) && src[next] != '\n' {
		return nil, none
	}
	inRound := start > 0 && src[start-1] == '('
	digits := hashDigits(src[rest:line])
	if next+1 < len(src) && (src[next+1] == '\n' || ascii.IsAlnum(src[next+1]) && !openEnd[src[line-1]] && !inRound && digits == 0) {
		return nil, none // the usual case
	}
	if !hasPath(src[rest:end]) || next < len(src) && !isLong(src, line) {
		return nil, none
	}
	if next == len(src) {
		if atEOF {
			return nil, none
		}
		return nil, more
	}
	limit := min(len(src), next+maxLead+maxProof)
	marks, _ := lineStart(src, start)
	word := skipMarks(src[:limit], next+1, marks)
	stop := word
	for stop < limit && class[src[stop]]&(cEnd|cHigh|cClose|cOpen) == 0 {
		stop++
	}
	if stop == len(src) && !atEOF {
		return nil, more
	}
	if stop == limit && limit < len(src) || stop > word && slashesFollow(src[word:stop]) {
		return nil, none
	}
	closes := inRound && stop < len(src) && src[stop] == ')'
	stop = trimSentence(src, word, stop)
	first := Range{start, line}
	switch {
	case isSoftBreak(src, line) && stop > word && ascii.IsAlnum(src[word]):
		first.End--
	case fits(src[line-1], src[word:stop]), closes && inside(src[word:stop], "/#?=_.-"), digits > 0 && hasDigits(src[word:stop], hashSize-digits):
	default:
		return nil, none
	}
	f.joined.Parts = append(f.joined.Parts[:0], first, Range{word, stop})
	f.joined.Hyphens = f.joined.Hyphens[:0]
	return &f.joined, none
}

// isLong reports whether the line that ends at src[end] has at least minWrapped bytes.
func isLong(src []byte, end int) bool {
	if end < minWrapped {
		return false
	}
	for _, c := range src[end-minWrapped : end] {
		if c == '\n' || c == '\r' {
			return false
		}
	}
	return true
}

// isSoftBreak reports whether the line that ends at src[end] has the length and the end of one that
// quoted-printable breaks.
func isSoftBreak(src []byte, end int) bool {
	const length = 76
	start := end - length
	if start < 0 || src[end-1] != '=' || start > 0 && src[start-1] != '\n' {
		return false
	}
	for _, c := range src[start:end] {
		if c == '\n' {
			return false
		}
	}
	return true
}

// hashSize is the number of digits of a SHA-1 hash, as in URLs of commits.
const hashSize = 40

// hashDigits returns the number of hexadecimal digits, fewer than those of a hash, but many, that a
// reference ends in behind a slash.
func hashDigits(ref []byte) int {
	n := 0
	for n < len(ref) && n < hashSize && ascii.IsHex(ref[len(ref)-1-n]) {
		n++
	}
	if n < hashSize/2 || n == hashSize || n == len(ref) || ref[len(ref)-1-n] != '/' {
		return 0
	}
	return n
}

// hasDigits reports whether word begins with exactly n hexadecimal digits, and no letter follows.
func hasDigits(word []byte, n int) bool {
	if len(word) < n || len(word) > n && ascii.IsAlnum(word[n]) {
		return false
	}
	for _, c := range word[:n] {
		if !ascii.IsHex(c) {
			return false
		}
	}
	return true
}

// fits reports whether word looks like the rest of a reference whose last byte is last.
func fits(last byte, word []byte) bool {
	if len(word) < 2 {
		return false
	}
	second := ascii.IsAlnum(word[1])
	switch c := word[0]; {
	case c == '/' && second:
		return last != '/' && inside(word[1:], "/=?_.-")
	case c == '?' && second, c == '&' && second:
		return inside(word, "=")
	case c == '=' || c == '_':
		return second && last != '/' && last != '.' && last != ','
	case c == '%':
		_, ok := ascii.Unescape(word)
		return ok
	case !ascii.IsAlnum(c):
		return false
	}
	switch last {
	case '/':
		return isFileName(word) || inside(word, "/=&%_") && inside(word, "-_.=0123456789")
	case '=', '&', '?', '%':
		return inside(word, "=&%/+0123456789")
	case '-', '_':
		return inside(word, "/=&%_-#") || isFileName(word)
	case '.':
		n := 0
		for n < len(word) && ascii.IsAlnum(word[n]) {
			n++
		}
		return isExtension(word[:n], extensions[:]) && (n == len(word) || word[n] == '#' || word[n] == '?')
	}
	return false
}

// inside reports whether s contains one of the bytes of set with something after it.
func inside(s []byte, set string) bool {
	for i := 0; i < len(s)-1; i++ {
		for j := range len(set) {
			if s[i] == set[j] {
				return true
			}
		}
	}
	return false
}

// isFileName reports whether s ends like the name of a file on a server, perhaps with a
// fragment or a query.
func isFileName(s []byte) bool {
	end := 0
	for end < len(s) && s[end] != '#' && s[end] != '?' {
		end++
	}
	dot := end - 1
	for dot > 0 && s[dot] != '.' {
		dot--
	}
	return dot > 0 && isExtension(s[dot+1:end], extensions[:])
}
