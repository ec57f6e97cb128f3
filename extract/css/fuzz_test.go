package css_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/refract/extract/css"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// The oracle implements section 4.3 literally: it makes every token of the input, whereas the scanner
// looks back from a bracket. It works on code points (3.3), and knows their offsets in the source. A
// byte from 0x80 on is the code point -1 - byte; the end of the input is eof.
type oracle struct {
	points []rune
	at     []int // the offset of each in the source; one more for the end
	i      int
}

const eof rune = -1000

func preprocess(src []byte) *oracle {
	o := new(oracle)
	for i := 0; i < len(src); i++ {
		c := rune(src[i])
		o.at = append(o.at, i)
		switch {
		case c == '\r' && i+1 < len(src) && src[i+1] == '\n':
			c = '\n'
			i++
		case c == '\r', c == '\f':
			c = '\n'
		case c == 0:
			c = utf8.RuneError
		case c >= utf8.RuneSelf:
			c = -1 - c
		}
		o.points = append(o.points, c)
	}
	o.at = append(o.at, len(src))
	return o
}

// peek returns the n-th code point after the next one.
func (o *oracle) peek(n int) rune {
	if o.i+n >= len(o.points) {
		return eof
	}
	return o.points[o.i+n]
}

func (o *oracle) offset() int { return o.at[min(o.i, len(o.points))] }

// A part is a code point of a value: its place in the source, and whether it was escaped.
type part struct {
	r       rune // eof for none: an escaped line break
	span    scan.Span
	escaped bool
}

type token struct {
	kind  string // "string", "url", "function", "ident", "at", "other", "space", or the token itself
	name  string // of a function, ident, at
	value []part // of a string, url
	bad   bool
}

func isNewline(r rune) bool    { return r == '\n' }
func isWhitespace(r rune) bool { return r == '\n' || r == '\t' || r == ' ' }
func isDigit(r rune) bool      { return '0' <= r && r <= '9' }
func hexDigit(r rune) int      { return strings.IndexRune("0123456789abcdef", r|' ') }
func isHexDigit(r rune) bool {
	return isDigit(r) || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
}
func isIdentStart(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r >= utf8.RuneSelf || r < 0 && r != eof
}
func isIdent(r rune) bool { return isIdentStart(r) || isDigit(r) || r == '-' }
func isNonPrintable(r rune) bool {
	return 0 <= r && r <= 8 || r == '\v' || 0xe <= r && r <= 0x1f || r == 0x7f
}

func validEscape(a, b rune) bool { return a == '\\' && !isNewline(b) } // 4.3.8

func startsIdent(a, b, c rune) bool { // 4.3.9
	switch {
	case a == '-':
		return isIdentStart(b) || b == '-' || validEscape(b, c)
	case isIdentStart(a):
		return true
	}
	return validEscape(a, b)
}

func startsNumber(a, b, c rune) bool { // 4.3.10
	if a == '+' || a == '-' {
		return isDigit(b) || b == '.' && isDigit(c)
	}
	return isDigit(a) || a == '.' && isDigit(b)
}

// next consumes a token (4.3.1).
func (o *oracle) next() (token, bool) {
	for o.peek(0) == '/' && o.peek(1) == '*' { // 4.3.2
		for o.i += 2; o.peek(0) != eof && (o.peek(0) != '*' || o.peek(1) != '/'); {
			o.i++
		}
		o.i = min(o.i+2, len(o.points))
	}
	a, b, c := o.peek(0), o.peek(1), o.peek(2)
	switch {
	case a == eof:
		return token{}, false
	case isWhitespace(a):
		for isWhitespace(o.peek(0)) {
			o.i++
		}
		return token{kind: "space"}, true
	case a == '"', a == '\'':
		return o.string(), true
	case a == '#':
		o.i++
		if isIdent(b) || validEscape(b, c) {
			o.ident()
		}
		return token{kind: "other"}, true
	case (a == '+' || a == '-' || a == '.' || isDigit(a)) && startsNumber(a, b, c):
		o.numeric()
		return token{kind: "other"}, true
	case a == '-' && b == '-' && c == '>':
		o.i += 3
		return token{kind: "other"}, true
	case a == '<' && b == '!' && c == '-' && o.peek(3) == '-':
		o.i += 4
		return token{kind: "other"}, true
	case a == '@':
		o.i++
		if startsIdent(b, c, o.peek(2)) {
			return token{kind: "at", name: o.ident()}, true
		}
		return token{kind: "other"}, true
	case startsIdent(a, b, c):
		return o.identLike(), true
	}
	o.i++
	if a > 0 && strings.ContainsRune("()[]{},;", a) {
		return token{kind: string(a)}, true
	}
	return token{kind: "other"}, true
}

func (o *oracle) numeric() { // 4.3.3, 4.3.12
	digits := func() {
		for isDigit(o.peek(0)) {
			o.i++
		}
	}
	if o.peek(0) == '+' || o.peek(0) == '-' {
		o.i++
	}
	digits()
	if o.peek(0) == '.' && isDigit(o.peek(1)) {
		o.i++
		digits()
	}
	if o.peek(0) == 'e' || o.peek(0) == 'E' {
		if isDigit(o.peek(1)) || (o.peek(1) == '-' || o.peek(1) == '+') && isDigit(o.peek(2)) {
			o.i += 2
			digits()
		}
	}
	if startsIdent(o.peek(0), o.peek(1), o.peek(2)) {
		o.ident()
	} else if o.peek(0) == '%' {
		o.i++
	}
}

func (o *oracle) identLike() token { // 4.3.4
	name := o.ident()
	if o.peek(0) != '(' {
		return token{kind: "ident", name: name}
	}
	o.i++
	if name == "url" {
		for isWhitespace(o.peek(0)) && isWhitespace(o.peek(1)) {
			o.i++
		}
		n := 0
		if isWhitespace(o.peek(0)) {
			n = 1
		}
		if o.peek(n) != '"' && o.peek(n) != '\'' {
			return o.url()
		}
	}
	return token{kind: "function", name: name}
}

func (o *oracle) string() token { // 4.3.5
	t := token{kind: "string"}
	ending := o.peek(0)
	o.i++
	for {
		start := o.offset()
		c := o.peek(0)
		switch {
		case c == ending:
			o.i++
			return t
		case c == eof:
			return t
		case isNewline(c):
			return token{kind: "string", bad: true}
		case c == '\\' && o.peek(1) == eof:
			o.i++
			return t
		case c == '\\' && isNewline(o.peek(1)):
			o.i += 2
			t.value = append(t.value, part{eof, scan.Span{Start: start, End: o.offset()}, true})
		case c == '\\':
			o.i++
			r := o.escaped()
			t.value = append(t.value, part{r, scan.Span{Start: start, End: o.offset()}, true})
		default:
			o.i++
			t.value = append(t.value, part{c, scan.Span{Start: start, End: o.offset()}, false})
		}
	}
}

func (o *oracle) url() token { // 4.3.6
	t := token{kind: "url"}
	for isWhitespace(o.peek(0)) {
		o.i++
	}
	for {
		start := o.offset()
		c := o.peek(0)
		o.i++
		switch {
		case c == ')', c == eof:
			return t
		case isWhitespace(c):
			for isWhitespace(o.peek(0)) {
				o.i++
			}
			if o.peek(0) == ')' || o.peek(0) == eof {
				o.i++
				return t
			}
			o.remnants()
			return token{kind: "url", bad: true}
		case c == '"', c == '\'', c == '(', isNonPrintable(c), c == '\\' && !validEscape(c, o.peek(0)):
			o.remnants()
			return token{kind: "url", bad: true}
		case c == '\\':
			r := o.escaped()
			t.value = append(t.value, part{r, scan.Span{Start: start, End: o.offset()}, true})
		default:
			t.value = append(t.value, part{c, scan.Span{Start: start, End: o.offset()}, false})
		}
	}
}

func (o *oracle) remnants() { // 4.3.14
	for {
		c := o.peek(0)
		o.i++
		if c == ')' || c == eof {
			return
		}
		if validEscape(c, o.peek(0)) {
			o.escaped()
		}
	}
}

func (o *oracle) escaped() rune { // 4.3.7
	c := o.peek(0)
	o.i++
	switch {
	case c == eof:
		return utf8.RuneError
	case !isHexDigit(c):
		return c
	}
	r := rune(hexDigit(c))
	for n := 0; n < 5 && isHexDigit(o.peek(0)); n++ {
		r = r*16 + rune(hexDigit(o.peek(0)))
		o.i++
	}
	if isWhitespace(o.peek(0)) {
		o.i++
	}
	if r == 0 || 0xd800 <= r && r <= 0xdfff || r > 0x10ffff {
		r = utf8.RuneError
	}
	return r
}

func (o *oracle) ident() string { // 4.3.11
	var name []byte
	for {
		c := o.peek(0)
		switch {
		case isIdent(c):
			o.i++
		case validEscape(c, o.peek(1)):
			o.i++
			c = o.escaped()
		default:
			return string(name)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		name = appendPoint(name, c)
	}
}

func appendPoint(dst []byte, r rune) []byte {
	if r < 0 {
		return append(dst, byte(-1-r))
	}
	return utf8.AppendRune(dst, r)
}

// show shows a value as TestScan's rows and FuzzScan show an Item, or "" if it is none.
func (t token) show(in string) string {
	if t.bad {
		return ""
	}
	skipped := func(p part) bool { return !p.escaped && 0 <= p.r && p.r <= ' ' }
	parts := t.value
	for len(parts) > 0 && skipped(parts[0]) {
		parts = parts[1:]
	}
	for len(parts) > 0 && skipped(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	var value, text []byte
	for _, p := range t.value {
		if p.r != eof {
			value = appendPoint(value, p.r)
		}
	}
	for _, c := range bytes.TrimFunc(value, func(r rune) bool { return r <= ' ' }) {
		if !strings.ContainsRune("\t\r\n", rune(c)) {
			text = append(text, c)
		}
	}
	if len(text) == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d %s %q %v", parts[0].span.Start, parts[len(parts)-1].span.End, in, text, value[0] == '#')
}

// references finds the references in the tokens of src.
func references(src []byte, inline bool) (refs []string) {
	o := preprocess(src)
	var tokens []token
	for t, ok := o.next(); ok; t, ok = o.next() {
		tokens = append(tokens, t)
	}
	// after returns what stands at tokens[k], behind white space.
	after := func(k int) (token, int) {
		for k < len(tokens) && tokens[k].kind == "space" {
			k++
		}
		if k < len(tokens) {
			return tokens[k], k
		}
		return token{}, k
	}
	var open []string // in an image-set() or a prelude
	prelude := -1
	add := func(t token, in string) {
		if ref := t.show(in); ref != "" && prelude < 0 {
			refs = append(refs, ref)
		}
	}
	top := func() string {
		if len(open) == 0 {
			return ""
		}
		return open[len(open)-1]
	}
	ends := func() {
		if prelude == len(open) {
			prelude = -1
		}
	}
	for k := 0; k < len(tokens); k++ {
		switch t := tokens[k]; t.kind {
		case "url":
			add(t, "url()")
		case "function":
			first, at := after(k + 1)
			if t.name == "image" && first.kind == "ident" && (first.name == "ltr" || first.name == "rtl") {
				first, _ = after(at + 1)
			}
			bracket := ")"
			switch t.name {
			case "url", "src", "image":
				if first.kind == "string" {
					add(first, t.name+"()")
				}
			case "image-set", "-webkit-image-set":
				bracket = "image-set"
				if first.kind == "string" {
					add(first, "image-set()")
				}
			}
			if bracket != ")" || prelude >= 0 || len(open) > 0 {
				open = append(open, bracket)
			}
		case "at":
			if prelude >= 0 || top() == ")" || top() == "]" || top() == "image-set" {
				break
			}
			switch t.name {
			case "import":
				first, at := after(k + 1)
				switch {
				case inline:
				case first.kind == "string", first.kind == "url":
					add(first, "@import")
				case first.kind == "function" && (first.name == "url" || first.name == "src"):
					if s, _ := after(at + 1); s.kind == "string" {
						add(s, "@import")
					}
				}
				prelude = len(open)
			case "namespace", "document", "-moz-document", "supports":
				prelude = len(open)
			}
		case "(", "[", "{":
			if t.kind == "{" {
				ends()
			}
			if prelude >= 0 || len(open) > 0 {
				open = append(open, map[string]string{"(": ")", "[": "]", "{": "}"}[t.kind])
			}
		case ")", "]", "}":
			if t.kind == "}" {
				ends()
			}
			if top() == t.kind || t.kind == ")" && top() == "image-set" {
				open = open[:len(open)-1]
			}
		case ",":
			if first, _ := after(k + 1); top() == "image-set" && first.kind == "string" {
				add(first, "image-set()")
			}
		case ";":
			if top() == "image-set" && prelude != len(open) {
				open[len(open)-1] = ")"
			}
			ends()
		}
	}
	return refs
}

// check compares the references of src with those of the oracle, and returns how many
// there are.
func check(t *testing.T, src []byte, inline bool) int {
	before := bytes.Clone(src)
	s := &css.Scanner{Inline: inline}
	var got []string
	end := 0
	for it := range s.Scan(src) {
		if it.Span.Start < end || it.Span.End <= it.Span.Start || it.Span.End > len(src) {
			t.Fatalf("%q: %v behind offset %d", src, it.Span, end)
		}
		end = it.Span.End
		raw := src[it.Span.Start:end]
		if !bytes.ContainsAny(raw, "\\\t\x00") && (&it.Value[0] != &raw[0] || len(it.Value) != len(raw)) {
			t.Fatalf("%q is a copy of %q", it.Value, raw)
		}
		got = append(got, fmt.Sprintf("%d-%d %s %q %v", it.Span.Start, end, it.In, it.Value, it.IgnoresBase))
	}
	// The oracle does not know which rules forbid an @import: TestLateImport does.
	want := slices.DeleteFunc(references(src, inline), func(ref string) bool {
		return strings.Contains(ref, " @import ") && !slices.Contains(got, ref) && bytes.ContainsAny(src, "{@")
	})
	if !slices.Equal(got, want) {
		t.Fatalf("%q\ngot  %s\nwant %s", src, got, want)
	}
	for n := range min(len(got), 50) {
		seen := 0
		s.Scan(src)(func(*scan.Item) bool {
			if seen++; seen > n+1 {
				t.Fatalf("%q: yield after false", src)
			}
			return seen <= n
		})
	}
	if !bytes.Equal(src, before) {
		t.Fatalf("%q is written to", before)
	}
	return len(got)
}

// Whatever stands next to each other.
func TestOracle(t *testing.T) {
	pieces := []string{
		"url(", "url(", "url", "URL(", `u\72`, `\75`, "l(", "rl(", " ", "\n", "\r\n", "\f", "\t", `"`, `"`, "'", "(", ")", ")", "[", "]", "{", "}", ";", ",",
		`\`, `\\`, `\29 `, `\20`, `\0`, `\d800`, "\\\n", "\x00", "\x01", "é", "\xff", "/*", "*/", "/", "*", "<!--", "-->", "<!", "--", "-", ">",
		"#", "@", "@import", "@import ", `@\69mport`, "@namespace ", "@supports", "image-set(", "-webkit-image-set(", "image(", "ltr", "rtl ", "src(", "image", "import",
		"1", "5e", "e3", ".", "+", "%", "a", "x.png", `"a"`, "'b'", `,"c"`, `url("d")`, "url(e)", "f(", "_",
	}
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	n := scantest.Amount(20_000, 200_000)
	var src []byte
	for range n {
		src = src[:0]
		for range 1 + r.IntN(14) {
			src = append(src, pieces[r.IntN(len(pieces))]...)
		}
		found += check(t, src, r.IntN(8) == 0)
	}
	if found < n/10 {
		t.Errorf("%d references: these pieces test nothing", found)
	}
}

func FuzzScan(f *testing.F) {
	for _, tt := range cssTests {
		src, _ := marked(tt.text)
		f.Add([]byte(src), false)
	}
	f.Add([]byte(sheet), false)
	f.Add([]byte(`@import "a";b:url(c)`), true)
	f.Fuzz(func(t *testing.T, src []byte, inline bool) { check(t, src, inline) })
}
