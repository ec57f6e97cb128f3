package delimit

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// A shape says what follows the start of a bare reference.
type shape uint8

const (
	opaque      shape = iota // a scheme without an authority
	mailbox                  // a scheme without an authority, then an address, which ends at a colon
	loose                    // an authority of an unknown scheme: "mongodb://h1,h2"
	located                  // an authority with the name of an Internet host, perhaps after a user
	abbreviated              // an authority without a user
)

// A bareRef is a bare reference whose end is sought.
type bareRef struct {
	src         []byte
	start, rest int  // as in delimited
	limit       int  // the reference is too long if it reaches beyond
	atEOF       bool // nothing follows src
	isQuoted    bool // a single quote stands before it
	apostrophe  int  // where the first one between single quotes stands; 0: there is none
	inHost      bool // it ends in its authority, or before a path could begin
	isWide      bool // it contains letters of a script without spaces
	hasBrackets bool // its path contains brackets
}

// bare returns where the bare reference at start ends; rest is as in delimited.
//
// By Appendix E, only white space ends a bare reference. Real text requires the rules below; the tests
// contain the texts.
func (f *Finder) bare(src []byte, start, rest int, is shape, atEOF bool) (int, verdict) {
	r := bareRef{src: src, start: start, rest: rest, limit: min(len(src), start+MaxReference+1), atEOF: atEOF, isQuoted: singleQuoted(src, start)}
	i := rest
	var v verdict
	if is >= loose {
		i, v = f.authority(&r, is)
		if v != found {
			return i, v
		}
	}
	if r.inHost && i < len(src) && src[i] == '\\' {
		switch {
		case i+1 == len(src) && !atEOF:
			return 0, more
		case i+1 < len(src) && src[i+1] == '.': // in a regular expression
			return rest, found
		}
	}
	if is == mailbox && i < r.limit {
		if n := mailboxEnd(src[rest:r.limit]); n < r.limit-rest && (atEOF || rest+n+len("://") <= len(src)) {
			list := bareRef{src: src[:rest+n], start: start, rest: rest, limit: rest + n, atEOF: true, isQuoted: r.isQuoted}
			i, _ = list.path(i)
			return r.trim(i), found
		}
	}
	if !r.inHost && i < r.limit {
		i, v = r.path(i)
		if v != found {
			return i, v
		}
	}
	if i >= r.limit {
		if r.limit < len(src) {
			return 0, tooLong
		}
		if !atEOF {
			return 0, more
		}
	}
	if i < len(src) && src[i] == ')' && start > 1 && src[start-1] == '(' && src[start-2] == ']' && i > rest {
		return i, found // "[text](http://h/a.)": the parentheses delimit it
	}
	hasTail := !r.inHost
	r.inHost = r.inHost || is >= loose && i == r.limit && !hasPath(src[rest:i])
	end := r.trim(i)
	if end > rest && hasTail {
		end = cutTail(src, start, rest, end)
	}
	return end, found
}

// mailboxEnd returns where the addresses in s end, or len(s) if nothing in s tells. The host of an address
// ends at a character that hosts cannot contain, unless "," or its escape introduces another address, or
// "?" its fields.
func mailboxEnd(s []byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '@' {
			if !isWord(s[i]) && !inAddresses[s[i]] {
				break
			}
			continue
		}
		host := i + 1
		for i++; i < len(s) && (hostByte[s[i]] || s[i] == '.'); i++ {
		}
		if i < len(s) && s[i] == ':' && slashesFollow(s[max(host, i-len("https")):min(len(s), i+3)]) {
			if next := schemeStart(s, host, i); next > host { // "mailto:a@b.chttp://h"
				return next
			}
		}
		if i < len(s) && (s[i] == ':' || s[i] == '\'') {
			return i
		}
		if i == len(s) || s[i] == '[' || s[i] == '?' || s[i] == '=' || // "=2E" of quoted-printable
			class[s[i]]&^cOpen != 0 {
			break
		}
		if !inAddresses[s[i]] || s[i] == '+' || s[i] == '&' || s[i] == '~' || s[i] == '$' {
			return i
		}
	}
	return len(s)
}

// inAddresses holds the bytes of lists of addresses besides those of words.
var inAddresses = func() (t [256]bool) {
	for _, c := range []byte("-.%+&~$,;@/") {
		t[c] = true
	}
	return t
}()

func hasPath(s []byte) bool {
	for _, c := range s {
		if class[c]&cPath != 0 {
			return true
		}
	}
	return false
}

// The classes of bytes in an authority.
const (
	hHost  = iota // part of a host or port: letters, digits, "-", ".", "_", "%"
	hColon        // bytes up to this class are skipped without a closer look
	hStop         // ends it
	hAt
	hOpen
	hPath // ends it, and begins a path, query or fragment
	hUser // part of a user only: the other characters of RFC 3986 section 3.2.1
	hHigh
)

var inAuthority = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = hHigh
		case !isWord(byte(c)):
			t[c] = hStop
		}
	}
	for _, set := range []struct {
		bytes string
		is    uint8
	}{{"-.%", hHost}, {":", hColon}, {"@", hAt}, {"[", hOpen}, {"/?#", hPath}, {"!$&'()*+,;=~", hUser}} {
		for _, c := range []byte(set.bytes) {
			t[c] = set.is
		}
	}
	return t
}()

// authority returns where the authority at src[rest] ends, and sets r.inHost and r.isWide. A character that
// hosts cannot contain may belong to a user, if an "@" follows within maxProof bytes.
func (f *Finder) authority(r *bareRef, is shape) (end int, v verdict) {
	src, atEOF := r.src[:r.limit], r.isWhole()
	i, host, odd, glued := r.rest, r.rest, -1, -1
scan:
	for ; ; i++ {
		for i < len(src) && inAuthority[src[i]] <= hColon {
			i++
		}
		if i == len(src) {
			break
		}
		switch inAuthority[src[i]] {
		case hStop:
			r.inHost = true
			break scan
		case hPath:
			break scan
		case hAt:
			if is == abbreviated {
				r.inHost = true
				break scan
			}
			host, odd, glued = i+1, -1, -1
		case hOpen:
			if i != host {
				r.inHost = true
				break scan
			}
			if len(src)-i < maxLiteral && !atEOF {
				return 0, more
			}
			n := ipLiteral(src[i:])
			if n == 0 {
				r.inHost = true
				break scan
			}
			i += n - 1
		case hUser:
			if src[i] == '\'' && r.isQuoted {
				r.inHost = true
				break scan
			}
			if is == loose {
				if src[i] == ')' && !bytesBefore(src[host:i], '(') {
					r.inHost = true
					break scan
				}
				continue
			}
			if odd < 0 {
				odd = i
			}
			if is == abbreviated || i-odd > maxProof || (src[i] == '\'' || src[i] == ')') && !bytesBefore(src[host:odd], ':') {
				break scan // no user has these, although a password may
			}
		case hHigh:
			if len(src)-i < utf8.UTFMax && !atEOF && !utf8.FullRune(src[i:]) {
				return 0, more
			}
			c, n := utf8.DecodeRune(src[i:])
			isDot := c == '·' || c == '・'
			if endsReference(c) || unicode.IsPunct(c) && !isDot {
				r.inHost = true
				break scan
			}
			if isDot || isSign(c) { // "http://a·http://b"
				behind := src[i+n : min(len(src), i+n+maxProof)]
				if len(behind) < maxProof && !atEOF {
					return 0, more
				}
				if slashesFollow(behind) {
					r.inHost = true
					break scan
				}
			}
			if glued < 0 && isUnspaced(c) {
				glued = i
			}
			i += n - 1
		}
	}
	if i == len(src) && !atEOF {
		return 0, more
	}
	if glued >= 0 && (odd < 0 || glued < odd) {
		if n := f.unspacedHost(src[host:i], glued-host, is); n < i-host {
			r.inHost, r.isWide = true, true
			return host + n, found
		}
	}
	if odd >= 0 {
		r.inHost = true
		return odd, found
	}
	r.isWide = glued >= 0
	return i, found
}

// isWhole reports whether src[:limit] is the whole text, or longer than a reference.
func (r *bareRef) isWhole() bool { return r.atEOF || r.limit < len(r.src) }

// bytesBefore reports whether s contains c. It examines the last maxProof bytes.
func bytesBefore(s []byte, c byte) bool {
	return bytes.IndexByte(s[max(0, len(s)-maxProof):], c) >= 0
}

// unspacedHost returns where the host in s, perhaps with a port, ends, or len(s) if it ends with s.
// s[glued] is the first letter of a script without spaces. Such letters belong to a host below a top-level
// domain; otherwise they are prose.
func (f *Finder) unspacedHost(s []byte, glued int, is shape) int {
	if is == abbreviated && f.areNames(s, glued) {
		return glued
	}
	host, _, _ := ascii.CutPort(s)
	for len(host) > 0 && host[len(host)-1] == '.' {
		host = host[:len(host)-1]
	}
	dot := len(host) - 1
	for dot >= 0 && host[dot] != '.' {
		dot--
	}
	label := host[dot+1:]
	switch {
	case dot <= 0 || len(label) > maxProof:
		return glued
	case f.suffix(label) >= isSuffix:
		if glued >= len(host) { // the letter is in the port
			return glued
		}
		return len(s)
	}
	n := 0
	for n < len(label) && label[n] < utf8.RuneSelf {
		n++
	}
	if n > 0 && f.suffix(label[:n]) >= isSuffix {
		return dot + 1 + n
	}
	return glued
}

// areNames reports whether s holds two names with text without spaces between them, as in
// "alpha.com中国語beta.org". The text starts at s[glued], after a top-level domain, and ends before an ASCII
// letter.
func (f *Finder) areNames(s []byte, glued int) bool {
	dot := bytes.LastIndexByte(s[:glued], '.')
	if dot <= 0 || glued-dot > maxProof || f.suffix(s[dot+1:glued]) < isSuffix {
		return false
	}
	for i, c := range string(s[glued:]) {
		if !isUnspaced(c) {
			return ascii.IsAlnum(s[glued+i])
		}
	}
	return false
}

// path returns where the path, query and fragment at src[i] end, before trimming.
func (r *bareRef) path(i int) (int, verdict) {
	src, limit, from := r.src, r.limit, i
	var opened [3]int // the number of open ( [ {
	unclosed := -1    // the outermost open "("
scan:
	for {
		if i < limit {
			i += plainRun(src[i:limit], cBare)
		}
		if i >= limit { // a rune may extend beyond the limit
			break
		}
		c := src[i]
		if c == '|' || c == '[' && opened[2] == 0 { // in "${a[b]}" it is an index
			n, v := r.barOrBracket(from, i)
			if v == more {
				return 0, more
			}
			if n == 0 {
				break scan
			}
			i += n
			continue
		}
		switch class[c] & cBare {
		case cEnd:
			break scan
		case cOpen:
			if c == '(' && opened[0] == 0 {
				unclosed = i
			}
			opened[bracket(c)]++
		case cClose:
			opened[bracket(c)]--
			if opened[bracket(c)] < 0 {
				break scan
			}
		case cQuote:
			if len(src)-i < len("&quot;") && !r.atEOF {
				return 0, more
			}
			if c == '&' {
				if markup(src[i:]) {
					break scan
				}
				break
			}
			if r.isQuoted && r.quote(i) {
				break scan
			}
		case cColon:
			if i+2 >= len(src) && !r.atEOF {
				return 0, more
			}
			if end := another(src, from, i); end >= 0 {
				i = end
				break scan
			}
		case cHigh:
			if len(src)-i < utf8.UTFMax && !r.atEOF && !utf8.FullRune(src[i:]) {
				return 0, more
			}
			c, n := utf8.DecodeRune(src[i:])
			if endsReference(c) || c == 0x2014 || c == 0x2015 {
				break scan
			}
			if !r.isWide && isUnspaced(c) {
				if len(src)-i < longestParticle && !r.atEOF {
					return 0, more
				}
				if !beginsWord(src[r.start:i]) || src[i-1] == '/' && isParticle(src[i:limit]) {
					break scan
				}
				r.isWide = true
			}
			i += n
			continue
		}
		i++
	}
	if i < limit || r.atEOF && limit == len(src) {
		if r.apostrophe > 0 {
			i = r.apostrophe // no quote behind it closes
		}
		if opened[0] > 0 && unclosed < i && (ascii.IsAlnum(src[unclosed-1]) || src[unclosed-1] == ')') {
			i = unclosed // "http://h/x(and so on"
		}
	}
	return i, found
}

// quote reports whether the reference ends at the single quote at src[i] or at r.apostrophe. The quote is
// the closing one unless a letter or digit follows. Apostrophes may precede it:
// "'http://h/Schindler's_List'".
func (r *bareRef) quote(i int) bool {
	isFar := r.apostrophe > 0 && i-r.apostrophe > maxProof
	if i+1 == len(r.src) || !ascii.IsAlnum(r.src[i+1]) {
		if !isFar {
			r.apostrophe = 0
		}
		return true
	}
	if r.apostrophe == 0 {
		r.apostrophe = i
	}
	return isFar
}

// singleQuoted reports whether a single quote stands before src[start], or before the schemes there, as in
// "'jdbc:mysql://h'". It opens a string of a program or a quotation, and the next one ends the reference.
func singleQuoted(src []byte, start int) bool {
	i := start
	for floor := max(0, start-maxLocal); i > floor && (src[i-1] == ':' || i < start && ascii.IsScheme(src[i-1])); {
		i--
	}
	return i > 0 && src[i-1] == '\'' && (i == start || i == 1 || !ascii.IsAlnum(src[i-2]))
}

// barOrBracket returns how many bytes from the "|" or "[" at src[i] belong to the reference, perhaps 0.
// from is where the path begins.
func (r *bareRef) barOrBracket(from, i int) (int, verdict) {
	if r.src[i] == '|' {
		return r.queryBar(from, i)
	}
	n, v := r.pathBracket(from, i)
	r.hasBrackets = r.hasBrackets || n > 0
	return n, v
}

// queryBar returns the length of the "|" at src[i] and the word after it if they belong to the value of a
// field: "?family=Lato|Roboto". Otherwise it returns 0: the bar separates cells, a link from its text, or
// the fields of a template.
func (r *bareRef) queryBar(from, i int) (int, verdict) {
	src, start, atEOF := r.src[:r.limit], r.start, r.isWhole()
	if start == 0 || !barBefore[src[start-1]] || !ascii.IsAlnum(src[i-1]) {
		return 0, none
	}
	if query, value := component(src[from:i]); !query || !value {
		return 0, none
	}
	j := i + 1
	for j < len(src) && j-i < maxLocal && (isWord(src[j]) || src[j] == '+' || src[j] == '-' || src[j] == '.' || src[j] == ':' || src[j] == '%') {
		j++
	}
	switch {
	case j+1 >= len(src) && !atEOF:
		return 0, more
	case j == i+1 || j-i == maxLocal:
		return 0, none
	case j == len(src) || src[j] == '&' || src[j] == '|' && j+1 < len(src) && ascii.IsAlnum(src[j+1]) || class[src[j]]&cClose != 0,
		src[j] != '|' && class[src[j]]&(cEnd|cQuote) != 0:
		return j - i, found
	}
	return 0, none
}

// barBefore holds the bytes before a reference whose query may contain "|".
var barBefore = [256]bool{' ': true, '\t': true, '(': true, '\'': true, '"': true}

// another returns the end of the reference at src[rest] if the colon at src[i] belongs to
// the next one, as in "http://a/,http://b/". Otherwise it returns -1.
func another(src []byte, rest, i int) int {
	if i+2 < len(src) && src[i+1] == '/' && src[i+2] == '/' {
		s := schemeRun(src, rest, i)
		switch {
		case s == rest || s == i:
		case newAfter[src[s-1]]:
			return s - 1
		case src[s-1] >= utf8.RuneSelf:
			if c, n := utf8.DecodeLastRune(src[rest:s]); isBullet(c) || isSign(c) {
				return s - n
			}
		}
	}
	return -1
}

// isBullet reports whether r separates items. Within a word, a middle dot is a letter.
func isBullet(r rune) bool { return r == '•' || r == '·' || r == '・' || r == '‣' }

// beginsWord reports whether letters of a script without spaces belong to the reference s when they follow
// it directly. They do after a delimiter of RFC 3986 and after an escape. Anywhere else they are prose:
// "http://h/unix找到".
//
// Measured in the Chinese, Japanese and Korean manuals of Tcl, GNU and Vim: of the letters that follow a
// letter, 12 of 12 are prose; of 22 genuine ones, 20 follow one of these.
func beginsWord(s []byte) bool {
	n := len(s)
	if n == 0 {
		return false // "→.example", where a host should begin
	}
	switch s[n-1] {
	case '/', '=', '-', '_', '?', '&', '#':
		return true
	}
	return n > 3 && s[n-3] == '%' && ascii.IsHex(s[n-2]) && ascii.IsHex(s[n-1])
}

// pathBracket returns the length of the brackets at src[i] = '[', or 0 if the
// reference ends there. A path, query or fragment cannot contain "[" (RFC 3986
// section 3.3), so pathBracket keeps it only where the text makes little sense
// otherwise: "]" follows within maxProof bytes, and
//
//   - more of the reference follows, "/[name]/rss", "?a[b]=c", "?tags[]", or
//   - "_" or other brackets precede it, or it contains only one letter: "Blur_[band]",
//     "a[i]".
//
// Otherwise it is the link text of AsciiDoc or BBCode.
func (r *bareRef) pathBracket(from, i int) (int, verdict) {
	src, atEOF := r.src[:r.limit], r.isWhole()
	depth, j := 0, i
	for ; j < len(src) && j-i < maxProof; j++ {
		if c := src[j]; class[c]&cEnd != 0 {
			return 0, none
		} else if c == '[' {
			depth++
		} else if c == ']' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if j+2 >= len(src) && !atEOF {
		return 0, more
	}
	if depth > 0 || j == len(src) || src[i+1] == '/' && j > i+2 {
		return 0, none
	}
	n := j + 1 - i
	query, value := component(src[from:i])
	switch {
	case query && (!value || src[i-1] == '='), j == i+2 && ascii.IsLetter(src[i+1]), (src[i-1] == '_' || r.hasBrackets) && j > i+1:
		return n, found
	case j+1 == len(src):
		return 0, none
	}
	next := byte(0)
	if j+2 < len(src) {
		next = src[j+2]
	}
	switch c := src[j+1]; {
	case strings.IndexByte("/?#&=%_", c) >= 0,
		(c == '.' || c == '-' || c == '+') && ascii.IsAlnum(next),
		c == '[' && next != ']' && !value,
		ascii.IsAlnum(c) && src[i-1] == '/':
		return n, found
	}
	return 0, none
}

// component reports whether s, which starts after the authority, ends in a query, and whether it ends in
// the value of a field of that query. It examines the last maxProof bytes.
func component(s []byte) (query, value bool) {
	for i := len(s) - 1; i >= max(0, len(s)-maxProof); i-- {
		switch s[i] {
		case '#':
			return false, false
		case '?':
			return true, value
		case '=':
			value = true
		case '&', ';':
			return true, value
		}
	}
	return false, value
}

// trim removes from the end of src[start:end] what belongs to the sentence.
func (r *bareRef) trim(end int) int {
	src, rest := r.src, r.rest
	mark := emphasis(src, r.start)
	for end > rest {
		c := src[end-1]
		n := 0
		switch atEnd[c] {
		case drops:
			n = 1
		case dropsInHost, dropsAsLine:
			if r.inHost && atEnd[c] == dropsInHost {
				n = 1
			} else {
				n = lineTail(src[rest:end])
			}
		case dropsAsVar:
			if end < len(src) && (src[end] == '{' || src[end] == '(') {
				n = 1
			}
		case dropsAsMark:
			n = markTail(src[rest:end])
		case dropsAsEntity:
			n = entityTail(src[rest:end])
		case dropsAsSign:
			n = signTail(src[r.start:end], rest-r.start)
		}
		if c == mark && mark != 0 {
			n = 1
		}
		if n == 0 {
			break
		}
		end -= n
	}
	return end
}

// lineTail returns the length of a line of three or more of the same character that ends s, or 0.
func lineTail(s []byte) int {
	i := len(s) - 1
	for i > 0 && s[i-1] == s[len(s)-1] {
		i--
	}
	if len(s)-i < 3 {
		return 0
	}
	return len(s) - i
}

// markTail returns the length of the footnote mark at the end of s, "[12]", or 0. An index, "a[]=[12]", is
// not one.
func markTail(s []byte) int {
	i := len(s) - 1
	for i > 0 && ascii.IsDigit(s[i-1]) {
		i--
	}
	if i == len(s)-1 || i <= 1 || s[i-1] != '[' || s[i-2] == '=' {
		return 0
	}
	return len(s) - i + 1
}

// signTail returns the length of the dash, ellipsis, bullet, sign, inverted mark or invisible character that ends the reference s, or 0. It does
// not begin before s[rest].
func signTail(s []byte, rest int) int {
	c, n := utf8.DecodeLastRune(s[rest:])
	switch {
	case c >= 0x2010 && c <= 0x2015, c == 0x2026, isBullet(c), isSign(c) && !beginsWord(s[:len(s)-n]),
		c == 0xAD, c == 0x200C, c == 0x200D, c == 0x2060, c == '¿', c == '¡':
		return n
	case c == 0xFE0E || c == 0xFE0F: // selects a form of the sign before it
		sign, _ := utf8.DecodeLastRune(s[rest : len(s)-n])
		if !isSign(sign) || signTail(s[:len(s)-n], rest) > 0 {
			return n
		}
	}
	return 0
}

// emphasis returns the byte before src[start] if it marks emphasis or verbatim text in
// a lightweight markup language; the same byte then ends the text. Otherwise it returns 0.
func emphasis(src []byte, start int) byte {
	if start == 0 {
		return 0
	}
	switch c := src[start-1]; c {
	case '*', '_', '~', '+':
		return c
	case '=': // Org: =http://h/=
		if start == 1 || src[start-2] <= ' ' || src[start-2] == '(' {
			return c
		}
	}
	return 0
}

// entityTail returns the length, without its semicolon, of the HTML entity at the end of s if it stands for
// a delimiter. Such text was once markup.
func entityTail(s []byte) int {
	n := len(s)
	if n < 3 || s[n-3] != '&' && (n < 5 || s[n-5] != '&') {
		return 0
	}
	for _, e := range [...]string{"&gt", "&lt", "&quot", "&nbsp", "&apos"} {
		if n >= len(e) && ascii.EqualFold(s[len(s)-len(e):], e) {
			return len(e)
		}
	}
	return 0
}

// markup reports whether s begins with the entity of a character that ends a reference. Such text was once
// markup, or contains escaped markup.
func markup(s []byte) bool {
	for _, e := range [...]string{
		"&quot;", "&lt;", "&gt;", "&apos;", "&mdash;", "&ndash;", "&hellip;",
		"&ldquo;", "&rdquo;", "&lsquo;", "&rsquo;", "&laquo;", "&raquo;",
		"&#34;", "&#39;", "&#60;", "&#62;", "&#x22;", "&#x27;", "&#x3c;", "&#x3e;", "&#x3C;", "&#x3E;",
	} {
		if len(s) >= len(e) && string(s[:len(e)]) == e {
			return true
		}
	}
	return false
}

// unspaced holds the letters of scripts that are written without spaces, or whose particles follow a
// foreign word without a space. Directly after an ASCII reference they are prose. Source: blocks of Unicode
// 15, Blocks.txt.
var unspaced = [...]struct{ first, last rune }{
	{0x0E00, 0x0EFF},   // Thai, Lao
	{0x1000, 0x109F},   // Myanmar
	{0x1100, 0x11FF},   // Hangul Jamo
	{0x1780, 0x17FF},   // Khmer
	{0x2E80, 0x2FFF},   // radicals
	{0x3000, 0xA4CF},   // CJK, Kana, Bopomofo, Han, Yi
	{0xA960, 0xA97F},   // Hangul Jamo
	{0xAA60, 0xAA7F},   // Myanmar
	{0xAC00, 0xD7FF},   // Hangul
	{0xF900, 0xFAFF},   // Han
	{0xFF66, 0xFFDC},   // half-width Kana and Hangul
	{0x1AFF0, 0x1B16F}, // Kana
	{0x20000, 0x3FFFF}, // Han
}

func isUnspaced(r rune) bool {
	for _, u := range unspaced {
		if r <= u.last {
			return r >= u.first
		}
	}
	return false
}

// shapeOf returns the shape of references whose scheme has no authority.
func shapeOf(scheme []byte) shape {
	if string(scheme) == "mailto" || ascii.EqualFold(scheme, "mailto") || ascii.EqualFold(scheme, "acct") {
		return mailbox
	}
	return opaque
}

// isSign reports whether r is an arrow, a sign, a geometric shape or a pictograph (blocks of
// Unicode 15).
func isSign(r rune) bool { return r >= 0x2190 && r <= 0x2BFF || r >= 0x1F000 && r <= 0x1FAFF }

// emphasized reports whether an emphasis mark that begins a word stands before
// src[start]: "_www.x.org_", "~~www.x.org~~".
func emphasized(src []byte, start int) bool {
	c := src[start-1]
	if c != '_' && c != '~' {
		return false
	}
	i := start - 1
	for i > 0 && start-i < 4 && src[i-1] == c {
		i--
	}
	return i == 0 || !wordBefore[src[i-1]]
}

// assigned reports whether a name and "=" stand before src[start], unless the name is a field of a query:
// "KEY=www.x.org", but not "?key=www.x.org".
func assigned(src []byte, start int) bool {
	i := start - 1
	if src[i] != '=' {
		return false
	}
	for floor := max(0, i-maxLocal); i > floor && (isWord(src[i-1]) || src[i-1] == '-' || src[i-1] == '.'); i-- {
	}
	return i < start-1 && (i == 0 || src[i-1] != '?' && src[i-1] != '&' && src[i-1] != ';' && src[i-1] != '/' && src[i-1] != '%')
}
