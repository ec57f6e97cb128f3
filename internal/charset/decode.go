package charset

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Decoder decodes a charset, one character at a time.
type Decoder struct {
	// next appends the first character of src, which is not empty, to dst, and returns the number of its bytes;
	// 0 if it needs more of them, which atEOF excludes. An invalid sequence becomes U+FFFD.
	next func(dst, src []byte, atEOF bool) ([]byte, int)
	// Table has the characters of the bytes from 0x80 on, if each character is one byte.
	Table *[128]rune
	// Stateful reports that the meaning of bytes depends on those before them. Such a Decoder is for one text.
	Stateful bool
	japanese *iso2022JP
}

// NewDecoder returns the Decoder of the charset with this name, as Lookup returns it; nil if there is none.
func NewDecoder(name string) *Decoder {
	switch name {
	case "utf-8":
		return &Decoder{next: utf8Next}
	case "gbk", "gb18030": // 10.1.1: GBK's decoder is gb18030's decoder
		return &Decoder{next: one(gb18030)}
	case "big5":
		return &Decoder{next: big5}
	case "euc-jp":
		return &Decoder{next: one(eucJP)}
	case "shift_jis":
		return &Decoder{next: one(shiftJIS)}
	case "euc-kr":
		return &Decoder{next: one(eucKR)}
	case "iso-2022-jp":
		j := new(iso2022JP)
		return &Decoder{next: j.next, Stateful: true, japanese: j}
	case "utf-16le", "utf-16be":
		high := 1
		if name == "utf-16be" {
			high = 0
		}
		return &Decoder{next: one(func(src []byte, atEOF bool) (rune, int) { return utf16Next(src, high, atEOF) })}
	case "replacement":
		return &Decoder{next: new(replacement).next, Stateful: true}
	}
	if t := table(name); t != nil {
		return &Decoder{next: one(t.next), Table: (*[128]rune)(t)}
	}
	return nil
}

// Next appends the first character of src, which is not empty, to dst, and returns the number of its bytes;
// 0 if it needs more of them, which atEOF excludes. An invalid sequence becomes U+FFFD.
func (d *Decoder) Next(dst, src []byte, atEOF bool) ([]byte, int) { return d.next(dst, src, atEOF) }

// InASCII reports whether bytes below 0x80 that are not IsEscape are ASCII, and may be passed by SkipASCII.
// Only a Stateful Decoder says so.
func (d *Decoder) InASCII() bool { return d.japanese != nil && d.japanese.state == ascii }

// IsEscape reports whether c is ASCII in no state of ISO-2022-JP.
func IsEscape(c byte) bool { return c == 0x0e || c == 0x0f || c == 0x1b }

// SkipASCII tells d that ASCII has been passed.
func (d *Decoder) SkipASCII() { d.japanese.escaped = false }

// Bytes returns the whole of a text, decoded.
func (d *Decoder) Bytes(src []byte) []byte {
	dst := make([]byte, 0, len(src)+len(src)/2+utf8.UTFMax)
	for len(src) > 0 {
		var n int
		dst, n = d.next(dst, src, true)
		src = src[n:]
	}
	return dst
}

// A decoded character, and the number of its bytes.
type decoding = func(src []byte, atEOF bool) (r rune, n int)

// one returns the next of a charset of which nothing decodes to several characters.
func one(f decoding) func(dst, src []byte, atEOF bool) ([]byte, int) {
	return func(dst, src []byte, atEOF bool) ([]byte, int) {
		r, n := f(src, atEOF)
		if n == 0 {
			return dst, 0
		}
		return utf8.AppendRune(dst, r), n
	}
}

func utf8Next(dst, src []byte, atEOF bool) ([]byte, int) {
	if !atEOF && !utf8.FullRune(src) {
		return dst, 0
	}
	r, n := utf8.DecodeRune(src)
	return utf8.AppendRune(dst, r), n
}

// A singleBytes decodes single bytes (9.1).
type singleBytes [128]rune

// table returns the characters of the bytes from 0x80 on, nil if no such charset has this name.
func table(name string) *singleBytes {
	t := new(singleBytes)
	if name == "x-user-defined" { // 14.5.1
		for i := range t {
			t[i] = 0xf780 + rune(i)
		}
		return t
	}
	for _, x := range Layout[7:] {
		if x.Name != strings.TrimSuffix(name, "-i") {
			continue
		}
		for i := range t {
			t[i] = x.Rune(i)
			if t[i] == 0 {
				t[i] = utf8.RuneError
			}
		}
		return t
	}
	return nil
}

func (t *singleBytes) next(src []byte, _ bool) (rune, int) {
	if src[0] < utf8.RuneSelf {
		return rune(src[0]), 1
	}
	return t[src[0]-utf8.RuneSelf], 1
}

// short is the result for a character that is not complete.
func short(src []byte, atEOF bool) (rune, int) {
	if atEOF {
		return utf8.RuneError, len(src)
	}
	return 0, 0
}

// pair is the result for two bytes that decode to r, or if it is 0 to nothing: then an ASCII byte is given back.
func pair(r rune, trail byte) (rune, int) {
	switch {
	case r != 0:
		return r, 2
	case trail < utf8.RuneSelf:
		return utf8.RuneError, 1
	}
	return utf8.RuneError, 2
}

// gb18030 implements 10.2.1.
func gb18030(src []byte, atEOF bool) (rune, int) {
	c := src[0]
	switch {
	case c < 0x80:
		return rune(c), 1
	case c == 0x80:
		return '€', 1
	case c == 0xff:
		return utf8.RuneError, 1
	case len(src) == 1:
		return short(src, atEOF)
	}
	d := src[1]
	if '0' <= d && d <= '9' {
		return gb18030Four(src, atEOF)
	}
	r := rune(0)
	if d >= 0x40 && d != 0x7f && d != 0xff {
		offset := 0x40
		if d > 0x7f {
			offset = 0x41
		}
		r = gb18030Index.Rune((int(c)-0x81)*190 + int(d) - offset)
	}
	return pair(r, d)
}

// gb18030Four decodes four bytes.
func gb18030Four(src []byte, atEOF bool) (rune, int) {
	switch {
	case len(src) == 2:
		return short(src, atEOF)
	case src[2] < 0x81 || src[2] > 0xfe:
		return utf8.RuneError, 1
	case len(src) == 3:
		return short(src, atEOF)
	case src[3] < '0' || src[3] > '9':
		return utf8.RuneError, 1
	}
	r := rangesRune(((int(src[0])-0x81)*10+int(src[1]-'0'))*1260 + (int(src[2])-0x81)*10 + int(src[3]-'0'))
	if r == 0 {
		r = utf8.RuneError
	}
	return r, 4
}

// big5 implements 11.1.1.
func big5(dst, src []byte, atEOF bool) ([]byte, int) {
	c := src[0]
	switch {
	case c < 0x80:
		return append(dst, c), 1
	case c == 0x80 || c == 0xff:
		return utf8.AppendRune(dst, utf8.RuneError), 1
	case len(src) == 1 && !atEOF:
		return dst, 0
	case len(src) == 1:
		return utf8.AppendRune(dst, utf8.RuneError), 1
	}
	d, r := src[1], rune(0)
	if d >= 0x40 && d <= 0x7e || d >= 0xa1 && d <= 0xfe {
		offset := 0x40
		if d > 0x7e {
			offset = 0x62
		}
		pointer := (int(c)-0x81)*157 + int(d) - offset
		switch pointer { // with a macron or a caron
		case 1133:
			return append(dst, "Ê̄"...), 2
		case 1135:
			return append(dst, "Ê̌"...), 2
		case 1164:
			return append(dst, "ê̄"...), 2
		case 1166:
			return append(dst, "ê̌"...), 2
		}
		r = big5Index.Rune(pointer)
	}
	r, n := pair(r, d)
	return utf8.AppendRune(dst, r), n
}

// isHigh reports whether c can be a byte of a character in EUC.
func isHigh(c byte) bool { return c >= 0xa1 && c <= 0xfe }

// eucJP implements 12.1.1.
func eucJP(src []byte, atEOF bool) (rune, int) {
	c := src[0]
	switch {
	case c < 0x80:
		return rune(c), 1
	case c != 0x8e && c != 0x8f && !isHigh(c):
		return utf8.RuneError, 1
	case len(src) == 1:
		return short(src, atEOF)
	}
	d := src[1]
	switch {
	case c == 0x8e && d >= 0xa1 && d <= 0xdf:
		return 0xff61 - 0xa1 + rune(d), 2
	case c == 0x8f && isHigh(d):
		if len(src) == 2 {
			return short(src, atEOF)
		}
		r := rune(0)
		if isHigh(src[2]) {
			r = jis0212.Rune((int(d)-0xa1)*94 + int(src[2]) - 0xa1)
		}
		r, n := pair(r, src[2])
		return r, n + 1
	case isHigh(c) && isHigh(d):
		return pair(jis0208.Rune((int(c)-0xa1)*94+int(d)-0xa1), d)
	}
	return pair(0, d)
}

// shiftJIS implements 12.3.1.
func shiftJIS(src []byte, atEOF bool) (rune, int) {
	c := src[0]
	switch {
	case c <= 0x80:
		return rune(c), 1
	case c >= 0xa1 && c <= 0xdf:
		return 0xff61 - 0xa1 + rune(c), 1
	case c == 0xa0 || c > 0xfc:
		return utf8.RuneError, 1
	case len(src) == 1:
		return short(src, atEOF)
	}
	d, r := src[1], rune(0)
	if d >= 0x40 && d != 0x7f && d <= 0xfc {
		lead, offset := 0x81, 0x40
		if c >= 0xa0 {
			lead = 0xc1
		}
		if d >= 0x7f {
			offset = 0x41
		}
		pointer := (int(c)-lead)*188 + int(d) - offset
		if pointer >= 8836 && pointer <= 10715 {
			return rune(0xe000 - 8836 + pointer), 2 // private use
		}
		r = jis0208.Rune(pointer)
	}
	return pair(r, d)
}

// eucKR implements 13.1.1.
func eucKR(src []byte, atEOF bool) (rune, int) {
	c := src[0]
	switch {
	case c < 0x80:
		return rune(c), 1
	case c == 0x80 || c == 0xff:
		return utf8.RuneError, 1
	case len(src) == 1:
		return short(src, atEOF)
	}
	d, r := src[1], rune(0)
	if d >= 0x41 && d <= 0xfe {
		r = eucKRIndex.Rune((int(c)-0x81)*190 + int(d) - 0x41)
	}
	return pair(r, d)
}

// utf16Next implements 14.2.1. High is the place of the higher byte of a unit.
func utf16Next(src []byte, high int, atEOF bool) (rune, int) {
	if len(src) < 2 {
		return short(src, atEOF)
	}
	r := rune(src[high])<<8 | rune(src[1-high])
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if r >= 0xdc00 {
		return utf8.RuneError, 2
	}
	if len(src) < 4 {
		return short(src, atEOF)
	}
	r = utf16.DecodeRune(r, rune(src[2+high])<<8|rune(src[3-high]))
	if r == utf8.RuneError {
		return r, 2
	}
	return r, 4
}

// A replacement decodes everything to one U+FFFD (14.1.1).
type replacement bool

func (has *replacement) next(dst, src []byte, _ bool) ([]byte, int) {
	if !*has {
		*has = true
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst, len(src)
}

// An iso2022JP decodes ISO-2022-JP (12.2.1).
type iso2022JP struct {
	state   uint8
	escaped bool // the last bytes were an escape sequence: another one is an error
}

// States of ISO-2022-JP.
const (
	ascii = iota
	roman
	halfWidth
	double
)

func (j *iso2022JP) next(dst, src []byte, atEOF bool) ([]byte, int) {
	if src[0] == 0x1b {
		return j.escape(dst, src, atEOF)
	}
	r, n := j.char(src, atEOF)
	if n == 0 {
		return dst, 0
	}
	j.escaped = false
	return utf8.AppendRune(dst, r), n
}

func (j *iso2022JP) char(src []byte, atEOF bool) (rune, int) {
	c := src[0]
	switch j.state {
	case halfWidth:
		if c < 0x21 || c > 0x5f {
			return utf8.RuneError, 1
		}
		return 0xff61 - 0x21 + rune(c), 1
	case double:
		switch {
		case c < 0x21 || c > 0x7e:
			return utf8.RuneError, 1
		case len(src) == 1:
			return short(src, atEOF)
		case src[1] == 0x1b:
			return utf8.RuneError, 1
		case src[1] < 0x21 || src[1] > 0x7e:
			return utf8.RuneError, 2
		}
		r := jis0208.Rune((int(c)-0x21)*94 + int(src[1]) - 0x21)
		if r == 0 {
			r = utf8.RuneError
		}
		return r, 2
	}
	switch {
	case c >= utf8.RuneSelf || IsEscape(c):
		return utf8.RuneError, 1
	case j.state == roman && c == '\\':
		return '¥', 1
	case j.state == roman && c == '~':
		return '‾', 1
	}
	return rune(c), 1
}

// escape decodes an escape sequence.
func (j *iso2022JP) escape(dst, src []byte, atEOF bool) ([]byte, int) {
	if len(src) < 3 && !atEOF && (len(src) == 1 || src[1] == '(' || src[1] == '$') {
		return dst, 0
	}
	state := uint8(ascii)
	switch string(src[:min(3, len(src))]) {
	case "\x1b(B":
	case "\x1b(J":
		state = roman
	case "\x1b(I":
		state = halfWidth
	case "\x1b$@", "\x1b$B":
		state = double
	default:
		j.escaped = false
		return utf8.AppendRune(dst, utf8.RuneError), 1
	}
	if j.escaped {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	j.state, j.escaped = state, true
	return dst, 3
}
