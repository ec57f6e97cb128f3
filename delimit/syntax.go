package delimit

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"example.org/refract/internal/ascii"
)

// trigger returns the first place at or after pos where a reference may be
// recognised, or -1: a colon that "//" or the last letter of a scheme without
// slashes stands next to, or the dot behind "www" (and, with AbbreviatedAll,
// behind "ftp").
//
// 32 bytes at a time as 64-bit words. Measured on 150 MB of mail, source and
// documentation, against this: a table loop takes 6 times as long,
// bytes.IndexByte for the colon and bytes.Index for "www." in turn 1.9 times.
func (f *Finder) trigger(src []byte, pos int) int {
	if f.Abbreviated == AbbreviatedAll || f.Domains || f.Addresses {
		return f.triggerMore(src, pos)
	}
	for ; pos+32 <= len(src); pos += 32 {
		b := src[pos : pos+32 : pos+32]
		w0 := binary.LittleEndian.Uint64(b)
		w1 := binary.LittleEndian.Uint64(b[8:])
		w2 := binary.LittleEndian.Uint64(b[16:])
		w3 := binary.LittleEndian.Uint64(b[24:])
		c0, v0 := marks(w0)
		c1, v1 := marks(w1)
		c2, v2 := marks(w2)
		c3, v3 := marks(w3)
		if (c0|c1|c2|c3)&high8|(v0|v1|v2|v3)&high16 == 0 {
			continue
		}
		for j, m := range [4]uint64{c0&high8 | v0&high16, c1&high8 | v1&high16, c2&high8 | v2&high16, c3&high8 | v3&high16} {
			for ; m != 0; m &= m - 1 {
				i := pos + j*8 + bits.TrailingZeros64(m)/8
				if i+1 < len(src) && src[i+1] == ' ' && (i < 4 || src[i-4] != '<') {
					continue // no "<URL: ": most colons of a text
				}
				if t := judge(src, i); t >= 0 {
					return t
				}
			}
		}
	}
	for ; pos < len(src); pos++ {
		if c := src[pos]; c == ':' || c|0x20 == 'w' {
			if t := judge(src, pos); t >= 0 {
				return t
			}
		}
	}
	return -1
}

const (
	low8, high8   = 0x0101010101010101, 0x8080808080808080
	low16, high16 = 0x0001000100010001, 0x8000800080008000
)

// marks finds the bytes of w that may be part of a trigger. In c&high8 the high bit
// of each colon is set, in v&high16 that of the second byte of each "ww" at an even
// offset: every "www" holds one of these. Bits above a set one may be set wrongly.
func marks(w uint64) (c, v uint64) {
	c = w ^ ':'*low8
	v = (w | 0x20*low8) ^ 'w'*low8
	return (c - low8) &^ c, (v - low16) &^ v
}

// judge returns the trigger that src[i], a colon or a w, belongs to, or -1. It is
// the first look at every colon of a text, so it decides by the next byte.
func judge(src []byte, i int) int {
	if src[i] != ':' {
		return judgeWWW(src, i)
	}
	if i == 0 {
		return -1
	}
	if i+1 < len(src) {
		switch src[i+1] {
		case '/':
			if i+2 >= len(src) || src[i+2] == '/' || src[i-1]|0x20 == 'e' || i >= 4 && src[i-4] == '<' { // <URL:/x>
				return i
			}
			return -1
		case ' ', '\n':
			if i < 4 || src[i-4] != '<' { // <URL: …>
				return -1
			}
		}
	}
	if i > 1 && bareScheme[src[i-2]&0x1f]>>(src[i-1]&0x1f)&1 != 0 {
		return i
	}
	return -1
}

// bareScheme has a bit for the last two letters of each scheme of proofs, and of "URL":
// in the word of the first the bit of the second, by their place in the alphabet.
var bareScheme = func() (t [32]uint32) {
	for _, p := range proofs {
		n := len(p.scheme)
		t[p.scheme[n-2]&0x1f] |= 1 << (p.scheme[n-1] & 0x1f)
	}
	t['r'&0x1f] |= 1 << ('l' & 0x1f)
	return t
}()

// judgeWWW returns the dot of the "www.", or "www2.", that the w at src[i] belongs to,
// or -1.
func judgeWWW(src []byte, i int) int {
	for dot := i + 1; dot <= i+5 && dot < len(src); dot++ {
		switch c := src[dot]; {
		case c == '.':
			if wwwStart(src, dot) >= 0 {
				return dot
			}
			return -1
		case c|0x20 != 'w' && !ascii.IsDigit(c):
			return -1
		}
	}
	return -1
}

// wwwStart returns where "www", with at most two digits behind it, before src[dot]
// begins, or -1.
func wwwStart(src []byte, dot int) int {
	i := dot
	for i > 0 && dot-i < 2 && ascii.IsDigit(src[i-1]) {
		i--
	}
	if i < 3 || src[i-1]|0x20 != 'w' || src[i-2]|0x20 != 'w' || src[i-3]|0x20 != 'w' {
		return -1
	}
	return i - 3
}

// triggerMore is trigger for those who want more than "www.": each dot and "@" is a
// place to look at.
func (f *Finder) triggerMore(src []byte, pos int) int {
	for ; pos+32 <= len(src); pos += 32 {
		b := src[pos : pos+32 : pos+32]
		m0 := moreMarks(binary.LittleEndian.Uint64(b))
		m1 := moreMarks(binary.LittleEndian.Uint64(b[8:]))
		m2 := moreMarks(binary.LittleEndian.Uint64(b[16:]))
		m3 := moreMarks(binary.LittleEndian.Uint64(b[24:]))
		if m0|m1|m2|m3 == 0 {
			continue
		}
		for j, m := range [4]uint64{m0, m1, m2, m3} {
			for ; m != 0; m &= m - 1 {
				i := pos + j*8 + bits.TrailingZeros64(m)/8
				if i+1 < len(src) && (src[i] != ':' && !hostByte[src[i+1]] || src[i+1] <= ' ' && (i < 4 || src[i-4] != '<')) {
					continue // the end of a sentence
				}
				if t := f.judgeMore(src, i); t >= 0 {
					return t
				}
			}
		}
	}
	for ; pos < len(src); pos++ {
		if t := f.judgeMore(src, pos); t >= 0 {
			return t
		}
	}
	return -1
}

// moreMarks sets the high bit of each colon, dot and "@" of w, and may set others
// above them.
func moreMarks(w uint64) uint64 {
	c, d, a := w^':'*low8, w^'.'*low8, w^'@'*low8
	return ((c-low8)&^c | (d-low8)&^d | (a-low8)&^a) & high8
}

// judgeMore returns i if src[i] is a trigger, or -1.
func (f *Finder) judgeMore(src []byte, i int) int {
	if i == 0 {
		return -1
	}
	switch src[i] {
	case ':':
		if f.Abbreviated == AbbreviatedAll && literalBefore(src, i) >= 0 {
			return i
		}
		return judge(src, i)
	case '.':
		if i+1 < len(src) && hostByte[src[i+1]] && hostByte[src[i-1]] &&
			(f.Domains || f.hostName(src, i) >= 0 || f.Abbreviated == AbbreviatedAll && mayBeAll(src, i)) {
			return i
		}
	case '@':
		if f.Addresses && i+1 < len(src) && hostByte[src[i+1]] && isLocal[src[i-1]] {
			return i
		}
	}
	return -1
}

// hostName returns where a name that says its scheme, "www" or "ftp", before the dot
// at src[dot] begins, or -1.
func (f *Finder) hostName(src []byte, dot int) int {
	if f.Abbreviated == AbbreviatedNone || dot < 3 {
		return -1
	}
	if (f.Abbreviated == AbbreviatedAll || f.Domains) && ascii.EqualFold(src[dot-3:dot], "ftp") {
		return dot - 3
	}
	return wwwStart(src, dot)
}

// The classes of bytes.
const (
	cEnd     = 1 << iota // ends a bare reference
	cOpen                // ( [ {
	cClose               // ) ] }
	cQuote               // ' and &, the entity of a quote
	cColon               // :
	cHigh                // not ASCII
	cPath                // ends an authority: / ? #
	cWrapped             // matters within delimiters

	cBare = cEnd | cOpen | cClose | cQuote | cColon | cHigh
)

var class = func() (t [256]uint8) {
	for c := range t {
		if c <= ' ' || c == 0x7f {
			t[c] = cEnd | cWrapped
		} else if c >= utf8.RuneSelf {
			t[c] = cHigh
		}
	}
	set := func(s string, bits uint8) {
		for _, c := range []byte(s) {
			t[c] |= bits
		}
	}
	set(`<>"\|^`+"`", cEnd)
	set(`([{`, cOpen)
	set(`)]}`, cClose)
	set(`'&`, cQuote)
	set(`:`, cColon)
	set(`/?#`, cPath)
	set(`<>"\|`, cWrapped)
	return t
}()

// plainRun returns the number of bytes that s begins with of which class has none of bits.
// Loops of its callers that did the same took a third more instructions: they have too
// many variables for the registers.
//
//go:noinline
func plainRun(s []byte, bits uint8) int {
	for i, c := range s {
		if class[c]&bits != 0 {
			return i
		}
	}
	return len(s)
}

// newAfter holds the bytes behind which a scheme and "://" begin a reference of
// their own within another.
var newAfter = [256]bool{',': true, ';': true, '\'': true, '(': true, '*': true}

// wordBefore holds the bytes behind which "www." is the rest of something else.
var wordBefore = func() (t [256]bool) {
	for c := range t {
		t[c] = ascii.IsAlnum(byte(c))
	}
	for _, c := range []byte(`.-_+@/\%~&#?=$`) {
		t[c] = true
	}
	return t
}()

// hostByte holds the bytes of a host's labels, isLocal those of an address's local
// part that are found in text (RFC 5322 section 3.2.3 has more).
var hostByte, isLocal = func() (host, local [256]bool) {
	for c := range host {
		host[c] = isWord(byte(c)) || c == '-' || c >= utf8.RuneSelf
		local[c] = isWord(byte(c)) || c == '-'
	}
	for _, c := range []byte(`.%+&~'$`) {
		local[c] = true
	}
	return host, local
}()

// bracket is the index of the pair that c belongs to.
func bracket(c byte) int {
	switch c {
	case '(', ')':
		return 0
	case '[', ']':
		return 1
	}
	return 2
}

// endsReference reports whether the rune r, n bytes long and not ASCII, ends a
// bare reference: bad UTF-8, C1 controls, white space, marks of direction,
// full-width forms of ASCII punctuation, and the characters of terminal. The joiners
// U+200C and U+200D do not: words are spelled with them.
func endsReference(r rune, n int) bool {
	switch {
	case r == utf8.RuneError && n <= 1, r <= 0xA0, r == 0xAB, r == 0xBB:
		return true
	case r < terminal[0].first:
		return false
	case r == 0x061C, r == 0x1680, r >= 0x2000 && r <= 0x200B, r == 0x200E, r == 0x200F,
		r >= 0x2028 && r <= 0x202F, r == 0x205F, r >= 0x2066 && r <= 0x2069, r == 0xFEFF, r == 0xFFFC, r == 0xFFFD,
		r >= 0x3000 && r <= 0x3003, r == 0x301C,
		r >= 0xFE10 && r <= 0xFE19, r >= 0xFE30 && r <= 0xFE6F,
		r >= 0xFF01 && r <= 0xFF0F, r >= 0xFF1A && r <= 0xFF20, r >= 0xFF3B && r <= 0xFF40, r >= 0xFF5B && r <= 0xFF65:
		return true
	}
	return isTerminal(r)
}

// schemeRun returns where the scheme characters before src[end] begin, at or
// after at and within maxProof bytes.
func schemeRun(src []byte, at, end int) int {
	floor := max(at, end-maxProof)
	for end > floor && ascii.IsScheme(src[end-1]) {
		end--
	}
	return end
}

// schemeStart returns where the scheme before src[colon] = "://" begins, or -1.
// Of a run that ends in http or https, as in "Ghttp" or ESC "[36mhttps", only
// that is the scheme, but "git+https" is one.
func schemeStart(src []byte, at, colon int) int {
	if i := colon - len("https"); i > at && string(src[i:colon]) == "https" && !ascii.IsScheme(src[i-1]) {
		return i // nearly always
	}
	s := schemeRun(src, at, colon)
	for _, known := range [...]string{"http", "https"} {
		if i := colon - len(known); i >= s && ascii.EqualFold(src[i:colon], known) {
			if i > s && src[i-1] == '+' && !isVerbatim(src, s, i-1) || i == s+1 && src[s]|0x20 == 's' { // shttp
				break
			}
			return i
		}
	}
	for s < colon && !ascii.IsAlnum(src[s]) {
		s++
	}
	// No scheme has one letter: that is a drive, or half a scheme.
	if colon-s < 2 || !ascii.IsLetter(src[s]) || colon-s >= maxProof {
		return -1
	}
	return s
}

// isVerbatim reports whether src[s:plus] is a command of LaTeX whose argument stands
// between two "+": "\url+http://h/+".
func isVerbatim(src []byte, s, plus int) bool {
	return s > 0 && src[s-1] == '\\' && (string(src[s:plus]) == "url" || string(src[s:plus]) == "path" || string(src[s:plus]) == "nolinkurl")
}

// slashesFollow reports whether s begins with a scheme and "://".
func slashesFollow(s []byte) bool {
	n := ascii.SchemeEnd(s)
	return n > 0 && n+2 < len(s) && s[n+1] == '/' && s[n+2] == '/'
}

// hostStarts reports whether a host or user may begin at src[i].
func hostStarts(src []byte, i int) bool {
	if i >= len(src) {
		return false
	}
	switch c := src[i]; {
	case ascii.IsAlnum(c), c == '_':
		return true
	case c == '[':
		return ipLiteral(src[i:]) > 0
	case c == '%':
		_, ok := ascii.Unescape(src[i:])
		return ok
	case c == ':' || c == '@':
		return emptyUser(src[i:min(len(src), i+maxProof)])
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRune(src[i:])
		return !endsReference(r, n) && !unicode.IsPunct(r)
	}
	return false
}

// emptyUser reports whether s begins with a user without a name, perhaps with a password,
// and a host: "redis://:password@h".
func emptyUser(s []byte) bool {
	for i, c := range s {
		switch {
		case c == '@':
			return i+1 < len(s) && (ascii.IsAlnum(s[i+1]) || s[i+1] == '[' || s[i+1] >= utf8.RuneSelf)
		case c >= utf8.RuneSelf || inAuthority[c] == hStop || inAuthority[c] == hPath || inAuthority[c] == hOpen:
			return false
		}
	}
	return false
}

// emptyHost reports whether the scheme may have an empty authority: all but those that
// name an Internet host (RFC 1738 section 3.1, and section 4 of what it reserves).
func emptyHost(scheme []byte) bool {
	for _, s := range needHost {
		if ascii.EqualFold(scheme, s) {
			return false
		}
	}
	return true
}

var needHost = [...]string{"ftp", "gopher", "http", "https", "nfs", "nntp", "prospero", "telnet", "tn3270", "wais", "ws", "wss",
	"z39.50r", "z39.50s"}

// ipLiteral returns the length of the IP literal that s begins with, brackets
// included, or 0 (RFC 3986 section 3.2.2, RFC 6874).
func ipLiteral(s []byte) int {
	colons := 0
	for i := 1; i < min(len(s), maxLiteral); i++ {
		switch c := s[i]; {
		case c == ':':
			colons++
		case c == ']':
			if colons < 2 && !(i > 1 && s[1]|0x20 == 'v') {
				return 0
			}
			return i + 1
		case ascii.IsAlnum(c), c == '.', c == '%', c == '-', c == '_', c == '~':
		default:
			return 0
		}
	}
	return 0
}

// hostEnd returns the length n of the host that s begins with, and where its last
// label begins; n is 0 if it is none: at least two labels, at most 255 bytes, and a
// last label of at least two characters that is no number. all is the length of
// what looks like a host, whether it is one or not.
func hostEnd(s []byte) (n, last, all int) {
	i, labels, start := 0, 0, 0
	for ; ; i++ {
		var c byte
		if i < len(s) {
			c = s[i]
		}
		if c < utf8.RuneSelf && hostByte[c] && (c != '-' || i > start) {
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(s[i:])
			if !endsReference(r, n) && !unicode.IsPunct(r) {
				i += n - 1
				continue
			}
		}
		all = i
		if i == start {
			i-- // an empty label: the host ends with the one before
			break
		}
		labels, last = labels+1, start
		if c != '.' {
			break
		}
		start = i + 1
	}
	if i > maxProof || labels < 2 || i-last < 2 || ascii.IsDigit(s[last]) {
		return 0, last, all
	}
	return i, last, all
}

// wwwEnd returns the length of the host that s, an abbreviated reference, begins
// with, or 0 if it is none: at least three labels, and the last no extension of a
// file's name (Appendix F).
func wwwEnd(s []byte) int {
	n, last, _ := hostEnd(s)
	if n == 0 || last <= len("www.") || isExtension(s[last:n], extensions[:]) {
		return 0
	}
	return n
}

// A suffixKind says what the last label of a name makes of it.
type suffixKind uint8

const (
	unknownSuffix suffixKind = iota // not asked for yet
	noSuffix
	isSuffix    // a top-level domain that the public suffix list knows, and of names mostly
	mayBeSuffix // that, and as often an extension of a file's name, a word or a method
)

// A suffixCache keeps what labels of at most eight bytes are: nearly all are. A map
// took a twentieth of the whole time.
type suffixCache [1024]struct {
	label uint64
	kind  suffixKind
}

// suffix says what label is. It allocates for labels that it has not met lately.
func (f *Finder) suffix(label []byte) suffixKind {
	if len(label) > 8 {
		return suffixOf(label)
	}
	var key uint64
	for _, c := range label {
		key = key<<8 | uint64(ascii.ToLower(c))
	}
	if f.suffixes == nil {
		f.suffixes = new(suffixCache)
	}
	slot := &f.suffixes[key*0x9e3779b97f4a7c15>>54]
	if slot.label != key || slot.kind == unknownSuffix {
		slot.label, slot.kind = key, suffixOf(label)
	}
	return slot.kind
}

// suffixOf looks label up in the public suffix list and among extensions.
func suffixOf(label []byte) suffixKind {
	name, err := idna.ToASCII(strings.ToLower(string(label))) // the list has A-labels
	if err != nil {
		return noSuffix
	}
	// Some top-level domains are in the list with a wildcard only.
	if _, known := publicsuffix.PublicSuffix("x." + name); !known || isExtension(label, extensions[:]) {
		return noSuffix
	}
	if !strings.HasPrefix(name, "xn--") && !isExtension(label, common[:]) && !isExtension(label, countries[:]) || isExtension(label, ambiguous[:]) {
		return mayBeSuffix
	}
	return isSuffix
}

func isExtension(label []byte, list []string) bool {
	for _, e := range list {
		if ascii.EqualFold(label, e) {
			return true
		}
	}
	return false
}

// labelStart returns where the label that ends before src[dot] begins.
func labelStart(src []byte, at, dot int) int {
	i := dot
	for floor := max(at, dot-maxProof); i > floor && hostByte[src[i-1]]; {
		n := 1
		if src[i-1] >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeLastRune(src[floor:i]); endsReference(r, n) || unicode.IsPunct(r) {
				break
			}
		}
		i -= n
	}
	return i
}

// extensions are those of files whose names begin with "www.". None is a top-level
// domain: those that are both are in ambiguous.
//
// Source: chosen by hand, November 2026. A test checks both lists against the public
// suffix list of golang.org/x/net/publicsuffix, which also has the top-level domains.
var extensions = [...]string{
	"asp", "aspx", "conf", "css", "csv", "doc", "gif", "gz", "htm", "html", "ini", "jpeg", "jpg", "js", "json",
	"jsp", "log", "mhtml", "pdf", "php", "png", "rb", "shtml", "svg", "tar", "tgz", "txt", "xhtml", "xml", "yaml", "yml",
}

func isWord(c byte) bool  { return ascii.IsAlnum(c) || c == '_' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func skipSpace(src []byte, i int) int {
	for n := 0; n < maxLead && i < len(src) && isSpace(src[i]); n++ {
		i++
	}
	return i
}
