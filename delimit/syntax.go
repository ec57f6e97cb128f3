package delimit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/hostname"
)

// The classes of bytes within a reference.
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

// What becomes of the last byte of a bare reference.
const (
	stays         uint8 = iota
	drops               // belongs to the sentence
	dropsInHost         // and otherwise if it is one of a line of its kind
	dropsAsLine         // if it is one of a line of its kind
	dropsAsVar          // if a bracket follows
	dropsAsMark         // if it ends the mark of a footnote
	dropsAsEntity       // if it ends the entity of a delimiter
	dropsAsSign         // if it ends a dash, an ellipsis or a sign
)

// class has the classes of each byte, and atEnd what becomes of it at the end of a bare reference.
var class, atEnd = func() (class, atEnd [256]uint8) {
	for _, rule := range [...]struct {
		bytes string
		class uint8
		atEnd uint8
	}{
		{`<>"`, cEnd | cWrapped, stays}, // the delimiters of RFC 3986 appendix C
		{`\`, cEnd | cWrapped, stays},   // of no URI; escapes in programs
		{`|`, cEnd | cWrapped, stays},   // of no URI; separates cells, and links from their text: see queryBar
		{"^`", cEnd, stays},             // of no URI; marks code
		{`([{`, cOpen, drops},           // begins what follows the reference
		{`)}`, cClose, stays},           // ends the text around the reference, unless it contains the opening one
		{`]`, cClose, dropsAsMark},      // the same; "http://h/x[12]", but not "?a[]=[12]"
		{`'`, cQuote, drops},            // closes a quotation, or is an apostrophe
		{`&`, cQuote, stays},            // "&quot;": the text was once markup
		{`:`, cColon, drops},            // introduces what follows, or the next reference: "http://a/,http://b/"
		{`/#`, cPath, stays},            // begin components
		{`?`, cPath, drops},             // the same; ends a question
		{`.,;!`, 0, drops},              // end sentences and clauses
		{`-_`, 0, dropsInHost},          // of names, but no host ends with them; "____" below the reference
		{`=*~`, 0, dropsAsLine},         // "====" below a heading; "http://h/?a=" has an empty field
		{`$`, 0, dropsAsVar},            // "http://h/${name}"
		{`tTpPsS`, 0, dropsAsEntity},    // "&gt", "&lt", "&quot", "&nbsp", "&apos", whose ";" has dropped
	} {
		for _, c := range []byte(rule.bytes) {
			class[c], atEnd[c] = rule.class, rule.atEnd
		}
	}
	for c := range class {
		switch {
		case c <= ' ' || c == 0x7f: // of no URI; white space is the only end that appendix E names
			class[c] = cEnd | cWrapped
		case c >= utf8.RuneSelf: // endsReference tells
			class[c], atEnd[c] = cHigh, dropsAsSign
		}
	}
	return class, atEnd
}()

// plainRun returns the length of the longest prefix of s without bytes of the classes bits. As loops inside
// its callers, the same code took a third more instructions: the callers have too many variables for the
// registers.
//
//go:noinline
func plainRun(s []byte, bits uint8) int {
	i := 0
	for ; len(s)-i >= 4; i += 4 {
		b := s[i : i+4 : i+4]
		if (class[b[0]]|class[b[1]]|class[b[2]]|class[b[3]])&bits != 0 {
			break
		}
	}
	for i < len(s) && class[s[i]]&bits == 0 {
		i++
	}
	return i
}

// newAfter holds the bytes after which a scheme and "://" begin a new reference
// within another.
var newAfter = [256]bool{',': true, ';': true, '\'': true, '(': true, '*': true}

// wordBefore holds the bytes after which "www." continues another word.
var wordBefore = func() (t [256]bool) {
	for c := range t {
		t[c] = ascii.IsAlnum(byte(c))
	}
	for _, c := range []byte(`.-_+@/\%~&#?=$`) {
		t[c] = true
	}
	return t
}()

// hostByte holds the bytes of host labels. isLocal holds the bytes of local parts that
// the Finder accepts in text (RFC 5322 section 3.2.3 has more).
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

// bracket returns the index of the pair of brackets that c belongs to.
func bracket(c byte) int {
	switch c {
	case '(', ')':
		return 0
	case '[', ']':
		return 1
	}
	return 2
}

// endsReference reports whether the non-ASCII rune r ends a bare reference. Invalid UTF-8, C1 controls,
// white space, direction marks, full-width forms of ASCII punctuation, and the characters of terminal do.
// The joiners U+200C and U+200D do not: words are spelled with them.
func endsReference(r rune) bool {
	switch {
	case r <= 0xA0, r == 0xAB, r == 0xBB:
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

// schemeRun returns where the scheme characters before src[end] begin. It looks back to
// at, and no further than maxProof bytes.
func schemeRun(src []byte, at, end int) int {
	floor := max(at, end-maxProof)
	for end > floor && ascii.IsScheme(src[end-1]) {
		end--
	}
	return end
}

// schemeStart returns where the scheme before src[colon] = "://" begins, or -1. If a run ends in http or
// https, as in "Ghttp" or ESC "[36mhttps", only that is the scheme, but "git+https" is a scheme.
func schemeStart(src []byte, at, colon int) int {
	if i := colon - len("https"); i > at && string(src[i:colon]) == "https" && !ascii.IsScheme(src[i-1]) {
		return i // the usual case
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
	case c == ':': // "//@h" is nobody's spelling of a host
		return emptyUser(src[i:min(len(src), i+maxProof)])
	case c >= utf8.RuneSelf:
		r, _ := utf8.DecodeRune(src[i:])
		return !endsReference(r) && !unicode.IsPunct(r)
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

// emptyHost reports whether the scheme may have an empty authority. All may, except those that
// name an Internet host (RFC 1738 section 3.1, and the schemes that section 4 reserves).
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

// ipLiteral returns the length of the IP literal at the start of s, brackets
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

// hostEnd returns the length n of the host at the start of s, and where its last label begins. A host has
// at least two labels, at most 255 bytes, and a last label of at least two characters that is not a number;
// otherwise n is 0. all is the length of the text that looks like a host, whether it is one or not.
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
			if !endsReference(r) && !unicode.IsPunct(r) {
				i += n - 1
				continue
			}
		}
		all = i
		if i == start {
			i-- // an empty label: the host ends before its dot
			break
		}
		labels, last = labels+1, start
		if c != '.' {
			break
		}
		start = i + 1
	}
	if labels > 1 {
		i = last + asciiLabel(s[last:i])
	}
	if i > maxProof || labels < 2 || i-last < 2 || ascii.IsDigit(s[last]) {
		return 0, last, all
	}
	return i, last, all
}

// asciiLabel returns the length of the last label of a host, up to text of a script without spaces that
// directly follows it: "example.org谢谢".
func asciiLabel(label []byte) int {
	for i, r := range string(label) {
		if r >= utf8.RuneSelf && i > 1 && isUnspaced(r) {
			return i
		} else if r >= utf8.RuneSelf {
			break
		}
	}
	return len(label)
}

// wwwEnd returns the length of the host at the start of s, an abbreviated reference, or 0 if there is none.
// A host has at least three labels, and the last is not a file extension (Appendix F).
func wwwEnd(s []byte) int {
	n, last, _ := hostEnd(s)
	if n == 0 || last <= len("www.") || isExtension(s[last:n], extensions[:]) {
		return 0
	}
	return n
}

// A suffixKind classifies a name by its last label.
type suffixKind uint8

const (
	unknownSuffix suffixKind = iota // not looked up yet
	noSuffix
	isSuffix    // a top-level domain in the public suffix list, and mostly used in names
	mayBeSuffix // the same, but just as often a file extension, a word or a method
)

// A suffixCache caches the kinds of labels of at most eight bytes, as nearly all are. A map took a
// twentieth of the whole time.
type suffixCache [1024]struct {
	label uint64
	kind  suffixKind
}

// suffix returns the kind of label. It allocates for labels that are not in the cache.
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
	name, err := idna.ToASCII(strings.ToLower(string(label))) // the list contains A-labels
	if err != nil {
		return noSuffix
	}
	// Some top-level domains are in the list only with a wildcard.
	if _, known := hostname.Suffix("x." + name); !known || isExtension(label, extensions[:]) {
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

// labelStart returns where the label that ends before src[dot] begins. Text of a script without spaces,
// such as Chinese, is not part of an ASCII name after it.
func labelStart(src []byte, at, dot int) int {
	i := dot
	for floor := max(at, dot-maxProof); i > floor && hostByte[src[i-1]]; {
		n := 1
		if src[i-1] >= utf8.RuneSelf {
			var r rune
			r, n = utf8.DecodeLastRune(src[floor:i])
			if endsReference(r) || unicode.IsPunct(r) || i < dot && src[i] < utf8.RuneSelf && isUnspaced(r) {
				break
			}
		}
		i -= n
	}
	return i
}

// extensions holds the extensions of files whose names begin with "www.". None is a top-level
// domain: ambiguous holds those that are both.
//
// Source: chosen by hand, November 2026. A test checks both lists against the public
// suffix list, which also has the top-level domains.
var extensions = [...]string{
	"asp", "aspx", "conf", "css", "csv", "doc", "gif", "gz", "htm", "html", "ini", "jpeg", "jpg", "js", "json",
	"jsp", "key", "log", "mhtml", "pdf", "pem", "pfx", "php", "png", "rb", "shtml", "svg", "tar", "tgz", "txt", "xhtml", "xml", "yaml", "yml",
}

func isWord(c byte) bool { return ascii.IsAlnum(c) || c == '_' }

func skipSpace(src []byte, i int) int {
	for n := 0; n < maxLead && i < len(src) && ascii.IsSpace(src[i]); n++ {
		i++
	}
	return i
}
