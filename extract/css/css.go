// Package css scans style sheets for references. Use it for the references of a style sheet as they are
// written; package extract also resolves them.
//
// It follows CSS Syntax Level 3 of 24 December 2021, cited by section, and its parser by the names of its
// algorithms. Tokens decide what is a reference. A url( in a comment, in a string or at the end of a longer
// name is not one, and escapes in a name hide none. These modules define what the tokens mean:
//
//	css-values-4   url(), src(), empty URLs, URLs that are a fragment only
//	css-images-4   image-set(), image()
//	css-cascade-4  @import
//
// They renumber their sections, and so are cited by name. The rest of the grammar is ignored: a property
// that no browser knows has references like any other.
//
// Notable divergences, towards more references:
//
//   - An @import is a reference everywhere except in the prelude of another rule. Browsers ignore it after
//     rules of other kinds and inside blocks; but its author meant that sheet to be loaded, and before
//     sheets were joined to one file, it was.
//   - A rule that browsers drop because of an error still has its references.
//   - A "}" ends the prelude of an at-rule also where no block is open.
//
// And towards fewer: a url(" ") that holds only white space is strictly a reference to the base itself;
// here it is empty, like url("").
package css

import (
	"bytes"
	"iter"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/ascii"
)

// A Scanner scans one style sheet, or, with Inline, the declarations of a style attribute. The zero
// Scanner is ready for use; a Scanner that is reused keeps its memory.
type Scanner struct {
	Inline  bool // no at-rules: nothing is an @import
	Choices bool // set the Choice of all references but those of @import

	item    scan.Item
	more    scan.More
	choice  scan.Choice
	listed  int // where the last value ends that has a Choice; -1: there is none
	sets    int // the number of image-set() so far
	value   []byte
	open    []byte // the closing brackets of the open brackets, within an image-set() or a prelude
	prelude int    // len(open) where the prelude of an at-rule began, or -1
	seen    int    // rules before it have been examined: none of them forbids an @import
	late    bool   // one does
	block   int    // of the rule at seen, -1 if it has none
	end     int    // of that rule, 0 if it has not been looked for

	preludes        []prelude // of the blocks that are open at followed, with Choices
	depth           int       // of these blocks
	followed, begun int       // where the current prelude or declaration begins
	texts           []string  // of preludes
}

// Scan yields the references of src in source order: Items of Op Ref, Kind Embed, How CSS, and In "url()",
// "@import", "image-set()", "image()" or "src()". The prelude of an @import has one reference, its target,
// unless the @import follows a rule that browsers know, or is inside one (css-cascade-5 2). The preludes of
// @namespace, @document and @supports have none, because they hold names, patterns and conditions.
//
// Span is the value as written, in bytes, without its quotes and the white space around it; it never cuts
// an escape. Value is the value as UTF-8, with escapes decoded, and without the characters that the URL
// parser removes: C0 controls and spaces at the ends, tabs and line breaks within. It aliases src if
// nothing had to be changed. IgnoresBase is set if the value is only a fragment, which css-values-4
// resolves against the document that the sheet is for, not against the sheet.
//
// src is UTF-8 or has another encoding in which the bytes of ASCII characters stand for nothing else. Every
// input is valid. Scan runs in time linear in len(src), and holds one byte for each bracket that is open
// within an image-set() or the prelude of an at-rule.
func (s *Scanner) Scan(src []byte) iter.Seq[*scan.Item] {
	return func(yield func(*scan.Item) bool) { s.scan(src, yield) }
}

func (s *Scanner) scan(src []byte, yield func(*scan.Item) bool) {
	s.open, s.prelude, s.listed, s.seen, s.late, s.end = s.open[:0], -1, -1, 0, false, 0
	s.preludes, s.depth, s.followed, s.begun = s.preludes[:0], 0, 0, 0
	floor := 0 // where a token begins: no name reaches over it
	for i := 0; ; {
		// Brackets matter only within an image-set() or a prelude.
		quiet := s.prelude >= 0
		stop := outside
		if quiet || len(s.open) > 0 {
			stop = inside
		}
		i = skip(src, i, stop)
		if i == len(src) {
			return
		}
		var v value
		of := other // the construct whose value v is
		switch c := src[i]; c {
		case '"', '\'':
			_, i = quoted(src, i)
		case '/':
			i = comment(src, i)
		case '\\':
			// 4.3.1: a valid escape is part of a name, anything else a delim-token.
			if !escape(src, i) {
				i++
				break
			}
			start, ok := name(src, floor, i)
			of, i = word(src, start)
			floor = i
			if ok && i < len(src) && src[i] == '(' {
				v, i = s.call(src, i, of)
			}
		case '(':
			// Most functions do not matter, which their last letter shows.
			if i > floor && class[src[i-1]]&endsFunction != 0 {
				if start, ok := name(src, floor, i); ok {
					of, _ = word(src, start)
				}
			}
			v, i = s.call(src, i, of)
		case '@':
			v, of, i = s.atRule(src, i)
			floor = i
		case '[':
			s.open = append(s.open, ']')
			i++
		case '{':
			// "Consume an at-rule": its block ends its prelude.
			if s.prelude == len(s.open) {
				s.prelude = -1
			}
			if len(s.open) > 0 {
				s.open = append(s.open, '}')
			}
			i++
		case ')', ']', '}':
			s.closed(c)
			i++
		case ';':
			s.semicolon()
			i++
		case ',':
			i++
			if s.top() == options|')' {
				of = imageSet
				v, i = argument(src, i)
			}
		}
		if v.end > v.start && !quiet && s.fill(src, v, of) && !yield(&s.item) {
			return
		}
	}
}

// atRule reads the at-keyword at src[i] (4.3.1); an "@" without a name is a delim-token. It returns
// the target of the rule, its kind, and where the scan continues.
func (s *Scanner) atRule(src []byte, i int) (v value, of kind, next int) {
	at := i
	i++
	if !identifier(src, i) {
		return value{}, other, i
	}
	rule, i := word(src, i)
	// "Consume an at-rule": within a prelude it is a token like any other, and also within ( and [.
	if s.prelude >= 0 || s.top()&^options == ')' || s.top() == ']' {
		return value{}, other, i
	}
	switch {
	case rule == imported && !s.Inline && s.mayImport(src, at):
		s.prelude = len(s.open)
		v, i = s.target(src, i)
		return v, imported, i
	case rule == imported || rule == names:
		s.prelude = len(s.open)
	}
	return value{}, other, i
}

// closed handles a closing bracket. "Consume a simple block", "consume a function": only the matching
// bracket closes a block or a function.
func (s *Scanner) closed(c byte) {
	if c == '}' && s.prelude == len(s.open) {
		s.prelude = -1
	}
	if s.top()&^options == c {
		s.open = s.open[:len(s.open)-1]
	}
}

// semicolon handles a semicolon. No function contains one: it belongs to the next declaration of a
// block that lacks a ")", whose strings do not belong to an image-set().
func (s *Scanner) semicolon() {
	if s.prelude == len(s.open) {
		s.prelude = -1
	} else if s.top() == options|')' {
		s.open[len(s.open)-1] = ')'
	}
}

// skip returns the offset of the first byte of one of the classes from src[i] on, or len(src). It
// checks eight bytes at a time, which is twice as fast as one.
func skip(src []byte, i int, classes uint8) int {
	for ; i+8 <= len(src); i += 8 {
		w := src[i : i+8 : i+8]
		if (class[w[0]]|class[w[1]]|class[w[2]]|class[w[3]]|class[w[4]]|class[w[5]]|class[w[6]]|class[w[7]])&classes != 0 {
			break
		}
	}
	for ; i < len(src); i++ {
		if class[src[i]]&classes != 0 {
			break
		}
	}
	return i
}

// top returns the closing bracket of the innermost open bracket, or 0.
func (s *Scanner) top() byte {
	if len(s.open) == 0 {
		return 0
	}
	return s.open[len(s.open)-1]
}

// call reads on from the "(" at src[i], which follows the name of a function or no name. It returns
// the reference at the beginning of the function, and where the scan continues.
//
//	url()       = url( <string> <url-modifier>* ) | <url-token>
//	src()       = src( <string> <url-modifier>* )
//	image()     = image( [ ltr | rtl ]? [ <url> | <string> ]? , <color>? )
//	image-set() = image-set( [ [ <image> | <string> ] [ <resolution> || type( <string> ) ] ]# )
func (s *Scanner) call(src []byte, i int, f kind) (value, int) {
	i++
	if f == imageSet {
		s.sets++
		s.open = append(s.open, options|')')
		return argument(src, i)
	}
	if f == url {
		// 4.3.4: a quote after white space makes it a function, anything else a url-token.
		i = space(src, i)
		if i == len(src) || src[i] != '"' && src[i] != '\'' {
			return unquoted(src, i)
		}
	}
	if len(s.open) > 0 || s.prelude >= 0 {
		s.open = append(s.open, ')')
	}
	switch f {
	case url, source:
		return argument(src, i)
	case image:
		i = blank(src, i)
		if w, end := word(src, i); w == direction {
			i = end
		}
		return argument(src, i)
	}
	return value{}, i
}

// target reads on after "@import" and returns the imported URL:
//
//	@import [ <url> | <string> ] …
func (s *Scanner) target(src []byte, i int) (value, int) {
	v, i := argument(src, i)
	if v.end == 0 && identifier(src, i) {
		if f, end := word(src, i); (f == url || f == source) && end < len(src) && src[end] == '(' {
			return s.call(src, end, f)
		}
	}
	return v, i
}

// argument returns the string at src[i], after white space and comments, and where the scan
// continues.
func argument(src []byte, i int) (value, int) {
	if i = blank(src, i); i < len(src) && (src[i] == '"' || src[i] == '\'') {
		return quoted(src, i)
	}
	return value{}, i
}

// fill makes an Item of a value, and reports whether the value is a reference: an empty URL is an
// invalid resource (css-values-4, Empty URLs).
func (s *Scanner) fill(src []byte, v value, of kind) bool {
	text := src[v.start:v.end]
	undo := bytes.IndexByte(text, '\\') >= 0 || bytes.IndexByte(text, '\t') >= 0 || bytes.IndexByte(text, 0) >= 0
	if undo {
		s.value = unescape(s.value[:0], text)
		text = s.value
	}
	// css-values-4, Fragment URLs: "If a url()'s value starts with a # … set the local url flag". The
	// rule is about the value of the token, including its white space.
	own := v.flush && len(text) > 0 && text[0] == '#'
	if undo {
		text = strip(text)
	}
	s.item = scan.Item{
		Kind:        scan.Embed,
		How:         scan.CSS,
		In:          ins[of],
		Span:        scan.Span{Start: v.start, End: v.end},
		Value:       text,
		IgnoresBase: own,
	}
	if s.Choices && of != imported {
		s.setChoice(src, v)
	}
	return len(text) > 0
}

// setChoice sets the Choice of the reference with the value v. Declarations of which one is !important are in blocks of their own: a later
// one does not override it.
func (s *Scanner) setChoice(src []byte, v value) {
	c := &s.choice
	between := src[max(0, s.listed):v.start]
	if s.listed < 0 || bytes.ContainsAny(between, "{}!") {
		c.Group++
	}
	if s.listed < 0 || bytes.ContainsAny(between, ";{}") { // another declaration
		c.Element++
		c.Property = property(between[bytes.LastIndexAny(between, ";{}")+1:])
	}
	s.listed, c.Descriptor, c.Set = v.end, "", 0
	after := bytes.TrimLeft(bytes.TrimLeft(src[v.end:min(len(src), v.end+maxDescriptor)], `"'`), ") \t\r\n\f")
	for k := max(0, len(s.open)-2); k < len(s.open); k++ {
		if s.open[k] == options|')' {
			c.Set, c.Descriptor = s.sets, option(after)
		}
	}
	if w := "format("; len(after) > len(w) && ascii.EqualFold(after[:len(w)], w) { // css-fonts-4, "src"
		name, _, _ := bytes.Cut(after[len(w):], []byte{')'})
		c.Descriptor = string(bytes.ToLower(bytes.Trim(name, "\"' \t\r\n\f")))
	}
	c.Around = s.around(src, v.start)
	s.more.Choice = c
	s.item.More = &s.more
}

// maxDescriptor limits the bytes after a url() that are read for its Descriptor.
const maxDescriptor = 128

// property returns the name of the property of the declaration that begins with src. A character before it that no name has remains: "*width"
// is no property that browsers know.
func property(src []byte) string {
	name, _, _ := bytes.Cut(src, []byte{':'})
	if i := bytes.LastIndex(name, []byte("*/")); i >= 0 {
		name = name[i+2:]
	}
	name = bytes.TrimSpace(name)
	if len(name) > maxDescriptor {
		return ""
	}
	return string(bytes.ToLower(name))
}

// option returns what follows an image in an option of image-set().
func option(src []byte) string {
	depth := 0
	for i, c := range src {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth == 0, c == ',' && depth == 0:
			return string(bytes.TrimSpace(src[:i]))
		case c == ')':
			depth--
		}
	}
	return ""
}

// A value is the value of a string-token or a url-token as written, without the unescaped C0 controls
// and spaces around it. The zero value is that of a bad token.
type value struct {
	start, end int
	flush      bool // it begins at the beginning of the token's value
}

// quoted consumes the string token that begins at src[i] (4.3.5), up to its closing quote or the end
// of src. A line break makes it a bad-string-token; the line break is read again.
func quoted(src []byte, i int) (value, int) {
	quote := src[i]
	i++
	v := value{i, len(src), true}
	next := len(src)
	kept := i // where the last escape ends
token:
	for i = skip(src, i, inString); i < len(src); i = skip(src, i, inString) {
		switch c := src[i]; {
		case c == quote:
			v.end, next = i, i+1
			break token
		case newline(c):
			return value{}, i
		case c != '\\':
			i++ // the other quote
		case i+1 == len(src):
			v.end = i // "If the next input code point is EOF, do nothing."
			break token
		case newline(src[i+1]):
			i = lineBreak(src, i+1)
			kept = i
		default:
			i = escaped(src, i)
			kept = i
		}
	}
	for v.start < v.end && stripped(src[v.start]) {
		v.start++
		v.flush = false
	}
	for v.end > max(v.start, kept) && stripped(src[v.end-1]) {
		v.end--
	}
	return v, next
}

// unquoted consumes the url-token whose value begins at src[i] (4.3.6), up to its ")" or the end of
// src.
func unquoted(src []byte, i int) (value, int) {
	v := value{i, len(src), true}
	for i = skip(src, i, inURL); i < len(src); i = skip(src, i, inURL) {
		switch c := src[i]; {
		case c == ')':
			v.end = i
			return v, i + 1
		case class[c]&isSpace != 0:
			v.end = i
			if i = space(src, i); i == len(src) {
				return v, i
			}
			if src[i] == ')' {
				return v, i + 1
			}
			return value{}, remnants(src, i)
		case escape(src, i):
			i = escaped(src, i)
		default: // a quote, "(", a control, a "\" before a line break
			return value{}, remnants(src, i)
		}
	}
	return v, i
}

// remnants consumes the rest of a bad-url-token (4.3.14), up to a ")" that is not escaped, or the end
// of src.
func remnants(src []byte, i int) int {
	for i < len(src) {
		switch {
		case src[i] == ')':
			return i + 1
		case escape(src, i):
			i = escaped(src, i)
		default:
			i++
		}
	}
	return i
}

// name returns the beginning of the name that src[i] follows, or in which src[i] is an escape, and
// whether it may be the name of an identifier or function. A hash may not. (Nor may the unit of a
// dimension; but here that begins with its number, and no name that matters does.) No token before
// floor is part of the name.
func name(src []byte, floor, i int) (start int, ok bool) {
	start = i
	for start > floor && class[src[start-1]]&inName != 0 {
		start--
	}
	// 4.3.1: "<!--" is a token, though "--" may begin a name.
	if start >= floor+2 && i >= start+2 && string(src[start-2:start+2]) == "<!--" {
		start += 2
	}
	return start, start == floor || src[start-1] != '#'
}

// word consumes the name at src[i] (4.3.11). It returns the kind of the name, ignoring ASCII case,
// and where the name ends.
func word(src []byte, i int) (kind, int) {
	var lower [len("-webkit-image-set") + 1]byte
	n := 0
	for i < len(src) {
		c := rune(src[i])
		if class[src[i]]&inName != 0 {
			i++
		} else if escape(src, i) {
			c, i = codePoint(src, i)
		} else {
			break
		}
		if 'A' <= c && c <= 'Z' {
			c |= ' '
		}
		if n < len(lower) {
			lower[n] = byte(min(c, utf8.RuneSelf))
			n++
		}
	}
	switch string(lower[:n]) {
	case "url":
		return url, i
	case "src":
		return source, i
	case "image":
		return image, i
	case "image-set", "-webkit-image-set":
		return imageSet, i
	case "ltr", "rtl":
		return direction, i
	case "import":
		return imported, i
	case "namespace", "document", "-moz-document", "supports":
		return names, i
	}
	return other, i
}

// codePoint consumes the escape at src[i] (4.3.7) and returns the character it stands for. From a
// non-ASCII character it consumes the first byte, and returns U+FFFD.
func codePoint(src []byte, i int) (rune, int) {
	i++
	if i == len(src) {
		return utf8.RuneError, i
	}
	if !ascii.IsHex(src[i]) {
		if c := src[i]; c != 0 && c < utf8.RuneSelf {
			return rune(c), i + 1
		}
		return utf8.RuneError, i + 1
	}
	var r rune
	for n := 0; n < 6 && i < len(src) && ascii.IsHex(src[i]); n++ {
		r = r<<4 | rune(src[i]&0xf)
		if src[i] > '9' {
			r += 9
		}
		i++
	}
	if i < len(src) && class[src[i]]&isSpace != 0 {
		i = lineBreak(src, i)
	}
	// "zero, or is for a surrogate, or is greater than the maximum allowed code point"
	if r == 0 || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return r, i
}

// escaped returns where the escape at src[i] ends.
func escaped(src []byte, i int) int {
	_, i = codePoint(src, i)
	return i
}

// unescape appends the value of a string-token or url-token to dst with escapes decoded (4.3.5 to
// 4.3.7) and NUL replaced by U+FFFD (3.3).
func unescape(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == 0:
			dst = utf8.AppendRune(dst, utf8.RuneError)
			i++
		case c != '\\':
			dst = append(dst, c)
			i++
		case i+1 < len(text) && newline(text[i+1]):
			i = lineBreak(text, i+1)
		case i+1 < len(text) && text[i+1] >= utf8.RuneSelf:
			i++ // the character stands for itself, in whatever charset
		default:
			var r rune
			r, i = codePoint(text, i)
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// strip removes the characters that the URL parser of browsers removes (WHATWG URL, 4.4): C0 controls and
// spaces at the ends, tabs and line breaks. It writes to text.
func strip(text []byte) []byte {
	for len(text) > 0 && text[0] <= ' ' {
		text = text[1:]
	}
	for len(text) > 0 && text[len(text)-1] <= ' ' {
		text = text[:len(text)-1]
	}
	n := 0
	for _, c := range text {
		if c != '\t' && c != '\n' && c != '\r' {
			text[n] = c
			n++
		}
	}
	return text[:n]
}

// stripped reports whether strip removes c from an end. A NUL as written is U+FFFD.
func stripped(c byte) bool { return c-1 < ' ' }

// blank returns the end of the white space and comments that begin at src[i].
func blank(src []byte, i int) int {
	for {
		i = space(src, i)
		if i+1 >= len(src) || src[i] != '/' || src[i+1] != '*' {
			return i
		}
		i = comment(src, i)
	}
}

// space returns the end of the white space that begins at src[i] (4.2, 3.3).
func space(src []byte, i int) int {
	for i < len(src) && class[src[i]]&isSpace != 0 {
		i++
	}
	return i
}

// comment consumes the comment that may begin with the "/" at src[i] (4.3.2), up to its end or that
// of src. If there is no comment, it consumes only the "/".
func comment(src []byte, i int) int {
	i++
	if i == len(src) || src[i] != '*' {
		return i
	}
	i++
	if n := bytes.Index(src[i:], []byte("*/")); n >= 0 {
		return i + n + 2
	}
	return len(src)
}

// opaque returns where the string, the comment, the escaped character or the "/" at src[i] ends, or i if there is none.
func opaque(src []byte, i int) int {
	switch src[i] {
	case '"', '\'':
		_, end := quoted(src, i)
		return end
	case '/':
		return comment(src, i)
	case '\\':
		return i + 2
	}
	return i
}

// escape reports whether src[i] begins a valid escape (4.3.8). At the end of src it does.
func escape(src []byte, i int) bool {
	return src[i] == '\\' && (i+1 == len(src) || !newline(src[i+1]))
}

// identifier reports whether the bytes from src[i] on would start an identifier (4.3.9).
func identifier(src []byte, i int) bool {
	if i < len(src) && src[i] == '-' {
		i++
		if i < len(src) && src[i] == '-' {
			return true
		}
	}
	return i < len(src) && (class[src[i]]&inName != 0 && src[i] != '-' && !ascii.IsDigit(src[i]) || escape(src, i))
}

// lineBreak returns the offset after the white space at src[i], with CR LF as one (3.3).
func lineBreak(src []byte, i int) int {
	if src[i] == '\r' && i+1 < len(src) && src[i+1] == '\n' {
		i++
	}
	return i + 1
}

func newline(c byte) bool { return c == '\n' || c == '\r' || c == '\f' }

// A kind is the meaning of a name.
type kind uint8

const (
	other     kind = iota
	url            // url(
	source         // src(
	image          // image(
	imageSet       // image-set(
	imported       // @import
	names          // an at-rule whose prelude holds names, patterns and conditions
	direction      // ltr or rtl, in image()
)

var ins = [...]string{url: "url()", source: "src()", image: "image()", imageSet: "image-set()", imported: "@import"}

// options marks the bracket of an image-set() in Scanner.open.
const options = 0x80

const (
	outside  uint8 = 1 << iota // begins something
	inside                     // begins or ends something within brackets that are tracked
	inString                   // ends or changes a string: not an ordinary character of it
	inURL                      // ends or changes a url-token: not an ordinary character of it
	inName                     // an identifier code point, or a byte of one
	isSpace
	endsFunction // ends the name of a function that matters
	inRule       // matters for the blocks of rules
)

var class = func() (t [256]uint8) {
	set := func(s string, bits uint8) {
		for _, c := range []byte(s) {
			t[c] |= bits
		}
	}
	for c := range t {
		switch {
		case c == 0, c >= utf8.RuneSelf: // 3.3: NUL is U+FFFD
			t[c] = inName
		case c < ' ', c == 0x7f:
			t[c] = inURL // 4.2: non-printable, or white space
		case ascii.IsAlnum(byte(c)):
			t[c] = inName
		}
	}
	set("lLcCeEtT", endsFunction)
	set(`-_`, inName)
	set("\t\n\f\r ", isSpace|inURL)
	set("\n\f\r\"'\\", inString)
	set(`"'()\`, inURL)
	set(`"'(@/\`, outside|inside)
	set(`)[]{};,`, inside)
	set(`"'(/\{};`, inRule)
	return t
}()
