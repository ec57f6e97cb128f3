package delimit

import (
	"bytes"

	"example.org/refract/internal/ascii"
)

// The functions in this file cut off what logs, programs and quick writers put behind a bare
// reference without a blank. The cases come from 4,500 references read by hand (testdata/samples).

// cutTail returns where the trimmed bare reference src[start:end] ends; rest is as in delimited.
func cutTail(src []byte, start, rest, end int) int {
	if c := src[end-1]; ascii.IsDigit(c) {
		end = cutPosition(src, rest, end)
	}
	if start > 0 && src[start-1] == '=' && assigned(src, start) {
		end = cutFields(src, rest, end)
	}
	if hasDots(src[rest:end]) {
		return cutDots(src, rest, end)
	}
	return end
}

// hasDots reports whether s may contain four dots.
func hasDots(s []byte) bool {
	for i := 3; i < len(s); i += 4 { // one of four is at such an offset
		if s[i] == '.' && (s[i-1] == '.' || i+1 < len(s) && s[i+1] == '.') {
			return true
		}
	}
	return false
}

// cutDots ends a reference at four dots in its path or fragment, "http://h/x....and so on".
// In a query, the dots may be part of a value; in Google's they are.
func cutDots(src []byte, rest, end int) int {
	path := bytes.IndexByte(src[rest:end], '/')
	if path < 0 {
		return end
	}
	s := src[rest:end]
	if query := bytes.IndexByte(s, '?'); query >= 0 {
		s = s[:query]
	}
	for i := path; i < len(s); i++ {
		first := i
		for i < len(s) && s[i] == '.' {
			i++
		}
		if i-first > 3 && s[first-1] != '/' {
			return rest + first
		}
	}
	return end
}

// cutPosition cuts off the position within a file that follows the file's name: a line, a
// line and column, or an offset and length: "http://h/app.js:12:34", "hdfs://h/x.log:0+7292".
func cutPosition(src []byte, rest, end int) int {
	const longest = len(":18446744073709551615+18446744073709551615")
	i := end
	for j, floor := end-1, max(rest, end-longest); j > floor; j-- {
		if src[j] == ':' {
			i = j
		} else if !ascii.IsDigit(src[j]) && src[j] != '+' {
			break
		}
	}
	if i == end || !isPosition(src[i+1:end]) {
		return end
	}
	dot := i - 1
	for dot > rest && ascii.IsAlnum(src[dot]) && i-dot < 6 {
		dot--
	}
	if src[dot] != '.' || i-dot < 2 || !ascii.IsLetter(src[dot+1]) || !ascii.IsAlnum(src[dot-1]) && src[dot-1] != '_' && src[dot-1] != '-' {
		return end
	}
	if isExtension(src[dot+1:i], common[:]) { // a host and its port: "dns:///example.org:443"
		return end
	}
	path := src[rest:dot]
	if bytes.IndexByte(path, '/') < 0 || bytes.IndexByte(path, '?') >= 0 || bytes.IndexByte(path, '#') >= 0 {
		return end
	}
	return i
}

// isPosition reports whether s is a number, or two with ":" or "+" between them.
func isPosition(s []byte) bool {
	signs := 0
	for i, c := range s {
		if ascii.IsDigit(c) {
			continue
		}
		if signs++; signs > 1 || i == 0 || i == len(s)-1 {
			return false
		}
	}
	return len(s) > 0
}

// cutFields ends a reference that is the value of a field, "file=gs://b/x,name=y", at the
// next field.
func cutFields(src []byte, rest, end int) int {
	for i := rest; i < end && src[i] != '?' && src[i] != '#'; i++ {
		if src[i] != ',' {
			continue
		}
		j := i + 1
		for j < end && (isWord(src[j]) || src[j] == '-' || src[j] == '.') {
			j++
		}
		if j > i+1 && j < end && src[j] == '=' && ascii.IsLetter(src[i+1]) {
			return i
		}
	}
	return end
}

// isLiteral reports whether the quote before src[next] ends a string of a program: the text after it
// separates items or ends a list of them. The content is then exact. In prose, the punctuation before such
// a quote belongs to the sentence.
func isLiteral(src []byte, next int) bool {
	if next >= len(src) {
		return false
	}
	switch src[next] {
	case ',', ';', ':', ']', '}':
		return true
	case ')':
		return next+1 < len(src) && (src[next+1] == ';' || src[next+1] == ',' || src[next+1] == '{')
	}
	return false
}

// particles begin no word of Japanese, Chinese or Korean. They are prose even after a "/": "http://h/を参照".
var particles = [...]string{"を", "です", "的", "를", "에서", "으로", "입니다"}

// longestParticle is the length in bytes of the longest of particles.
const longestParticle = 9

// isParticle reports whether s begins with one of particles.
func isParticle(s []byte) bool {
	for _, p := range particles {
		if len(s) >= len(p) && string(s[:len(p)]) == p {
			return true
		}
	}
	return false
}
