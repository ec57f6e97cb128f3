package undo

import (
	"bytes"
	"path"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// A Language is how strings are written in a programming language, or in a format of configurations.
type Language struct {
	quotes  string // the quotes around strings that have escapes; "" means that escapes are everywhere
	itself  string // characters that mean themselves behind a backslash
	escapes escapes
}

// Escapes are forms of escapes.
type escapes uint8

const (
	x2    escapes = 1 << iota // \x26
	xAny                      // \x26, with any number of digits
	u4                        // \u0026
	u8                        // \U00000026
	uOpen                     // \u{26}
)

var languages = func() map[string]*Language {
	m := make(map[string]*Language)
	for _, l := range []struct {
		suffixes string
		language Language
	}{
		{".js .mjs .cjs .jsx .ts .mts .cts .tsx .json5 .jsonc", Language{"\"'`", "/", x2 | u4 | uOpen}}, // ECMA-262 12.9.4
		{".yaml .yml", Language{`"`, "/", x2 | u4 | u8}},                                                // YAML 1.2.2 section 5.7
		{".toml", Language{`"`, "", x2 | u4 | u8}},
		{".go", Language{`"`, "", x2 | u4 | u8}},
		{".py .pyi .r .jl", Language{`"'`, "", x2 | u4 | u8}},
		{".rb .dart", Language{`"`, "/", x2 | u4 | uOpen}},
		{".php .phtml .lua .rs .swift", Language{`"`, "", x2 | uOpen}},
		{".java .kt .kts .scala .groovy .gradle", Language{`"`, "", u4}},
		{".c .h .cc .cpp .cxx .hh .hpp .m .mm .cs", Language{`"`, "", xAny | u4 | u8}},
		{".pl .pm", Language{`"`, "/", x2}},
		{".properties", Language{"", ":=#!/", u4}}, // java.util.Properties.load
	} {
		for _, s := range strings.Fields(l.suffixes) {
			m[s] = &l.language
		}
	}
	return m
}()

// LanguageOf returns the language of a file, by its name in lower case; nil if it has no escapes that are known.
func LanguageOf(name string) *Language { return languages[path.Ext(name)] }

// Literals decodes the escapes of strings that mean a character of a URL, as far as a language has them. A
// string begins and ends on one line: a quote in a comment would otherwise turn the rest of the file inside
// out.
type Literals struct {
	language *Language
	quote    byte // of the string, 0 outside of one
	escaped  bool // the last byte was a backslash
	char     [utf8.UTFMax]byte
}

// Literals returns the Literals for a text.
func (l *Language) Literals() *Literals { return &Literals{language: l} }

// Follow takes note of the next bytes of the text.
func (l *Literals) Follow(text []byte) {
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		l.quote, l.escaped = 0, false
		text = text[i+1:]
	}
	for _, c := range text {
		switch {
		case l.escaped:
			l.escaped = false
		case c == '\\':
			l.escaped = true
		case c == l.quote:
			l.quote = 0
		case l.quote == 0 && strings.IndexByte(l.language.quotes, c) >= 0:
			l.quote = c
		}
	}
}

// Step is the decode.Step of l. Follow must be called with the decoded text.
func (l *Literals) Step(src []byte, atEOF bool) (literal, skip int, out []byte) {
	i := bytes.IndexByte(src, '\\')
	switch {
	case i < 0:
		return len(src), 0, nil
	case i > 0 || l.escaped:
		return max(i, 1), 0, nil
	case len(src) < longestLiteral && !atEOF:
		return 0, 0, nil
	case l.quote == 0 && l.language.quotes != "":
		return 1, 0, nil
	}
	r, n := l.language.escape(src)
	if n == 0 {
		return 1, 0, nil
	}
	return 0, n, utf8.AppendRune(l.char[:0], r)
}

const longestLiteral = len(`\U0001f600\U0001f600`)

// escape returns the character of a URL that the escape at the beginning of s means, and the length of the
// escape; 0 if s begins with none.
func (l *Language) escape(s []byte) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	if strings.IndexByte(l.itself, s[1]) >= 0 {
		return rune(s[1]), 2
	}
	r, n = l.number(s)
	if utf16.IsSurrogate(r) {
		low, k := l.number(s[n:])
		r = utf16.DecodeRune(r, low)
		n += k
	}
	switch {
	case n == 0, r == utf8.RuneError:
		return 0, 0
	case r < utf8.RuneSelf:
		if c := byte(r); !ascii.IsAlnum(c) && strings.IndexByte("-._~:/?#[]@!$&()*+,;=%", c) < 0 {
			return 0, 0
		}
	case s[1] == 'x', r < 0xa0: // a byte, or a control character
		return 0, 0
	}
	return r, n
}

// number returns the number in the escape at the beginning of s.
func (l *Language) number(s []byte) (r rune, n int) {
	if len(s) < 4 || s[0] != '\\' {
		return 0, 0
	}
	from, digits := 2, 0
	switch e := l.escapes; {
	case s[1] == 'x' && e&(x2|xAny) != 0:
		digits = 2
		if e&xAny != 0 && len(s) > 4 && isHex(s[4]) {
			return 0, 0
		}
	case s[1] == 'u' && s[2] == '{' && e&uOpen != 0:
		from = 3
		digits = bytes.IndexByte(s[from:min(len(s), from+7)], '}')
		n = 1
	case s[1] == 'u' && e&u4 != 0:
		digits = 4
	case s[1] == 'U' && e&u8 != 0:
		digits = 8
	}
	if digits <= 0 || len(s) < from+digits {
		return 0, 0
	}
	for _, c := range s[from : from+digits] {
		if !isHex(c) {
			return 0, 0
		}
	}
	v, err := strconv.ParseUint(string(s[from:from+digits]), 16, 21)
	if err != nil {
		return 0, 0
	}
	return rune(v), from + digits + n
}
