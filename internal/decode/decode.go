package decode

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/charset"
)

// MaxPooled is the size in bytes up to which memory is kept for the next entity: buffers and decoded text.
// Keeping more would add to the memory of the next entity, while allocating it takes little time compared
// to scanning that much text.
const MaxPooled = 4 << 20

// Charsets that are decoded in mail, but not in pages. The Encoding standard omits or replaces them,
// because bytes that a filter of pages takes for text may be markup in them. There is no decoder for
// ISO-2022-KR and ISO-2022-CN, which the standard replaces too: such mail is scanned as it is, which
// finds its ASCII references.
const (
	UTF7 = "utf-7"
	HZ   = "hz-gb-2312"
)

// ASCII is what MailCharset returns for labels of ASCII. Charset decodes it as windows-1252.
const ASCII = "us-ascii"

// BrokenUTF8 is the name of UTF-8 with invalid bytes, each of which is decoded as U+FFFD.
const BrokenUTF8 = "utf-8 with errors"

// A Decoding is decoded text with the map to its source.
type Decoding struct {
	Text []byte
	Map  scan.Map
}

// Decodings pools them.
var Decodings = sync.Pool{New: func() any { return new(Decoding) }}

// Release puts d back, unless it is large.
func (d *Decoding) Release() {
	if cap(d.Text) <= MaxPooled {
		Decodings.Put(d)
	}
}

// Page decodes a page in the charset with this name, as returned by pageCharset and
// mailCharset. It returns the text, which is src if src can be scanned as it is, and the maps from
// the text to src.
func Page(src []byte, name string) ([]byte, Maps) {
	if PlainASCII(src, name) {
		return src, Maps{}
	}
	d := new(Decoding)
	step, stateful := Charset(name)
	d.Through(step, stateful, src)
	return d.Text, Maps{Layers: []*scan.Map{&d.Map}, undo: 1}
}

// PlainASCII reports whether src, in the charset with this name, can be scanned as it is.
func PlainASCII(src []byte, name string) bool {
	return name == "utf-8" || containsASCII(name) && IsASCII(src)
}

// Through decodes the whole of src by applying step repeatedly.
func (d *Decoding) Through(step Step, stateful bool, src []byte) {
	d.Map.Reset()
	d.Text = slices.Grow(d.Text[:0], min(len(src), 64<<10)+len(src)/8+utf8.UTFMax)
	for at := 0; at < len(src); {
		literal, skip, out := step(src[at:], true)
		if literal == 0 && skip == 0 {
			literal = 1
		}
		d.Map.Add(literal, at, 1, 1)
		d.Text = Reserve(d.Text, literal+len(out), at, len(src))
		d.Text = append(d.Text, src[at:at+literal]...)
		at += literal
		if n := len(out); stateful && !bytes.Equal(out, src[at:at+skip]) {
			d.Map.AddStateful(n, at, max(n, 1), skip)
		} else {
			d.Map.Add(n, at, max(n, 1), skip)
		}
		d.Text = append(d.Text, out...)
		at += skip
	}
}

// Reserve returns dst with room for n more bytes. If it has to allocate, it estimates the room for
// all size bytes of the source from the first at bytes. Growing step by step would take several times
// the memory.
func Reserve(dst []byte, n, at, size int) []byte {
	k := len(dst)
	if cap(dst)-k >= n {
		return dst
	}
	rest := size - at
	if at > 0 {
		rest = int(float64(rest) * float64(k) / float64(at))
	}
	return slices.Grow(dst, n+rest+rest/32+1<<10)
}

// containsASCII reports whether, in the charset with this name, bytes below 0x80 are ASCII wherever a
// character may begin.
func containsASCII(name string) bool {
	switch name {
	case "iso-2022-jp", "utf-16le", "utf-16be", "replacement", UTF7, HZ:
		return false
	}
	return true
}

// ASCIIStays reports whether ASCII in text of the charset with this name is also ASCII in the
// undecoded bytes. In ISO-2022-JP, undecoded bytes may look like ASCII and not be.
func ASCIIStays(name string) bool { return containsASCII(name) || name == "iso-2022-jp" }

// Charset returns the step that decodes the charset with this label, as returned by ParseType,
// pageCharset and mailCharset. stateful reports that the decoding of bytes depends on those before
// them.
func Charset(label string) (s Step, stateful bool) {
	switch label {
	case UTF7:
		return decodeUTF7(), true
	case HZ:
		return decodeHZ(), true
	case BrokenUTF8:
		return replaceInvalid, false
	}
	name := charset.Lookup(label)
	if s := newSingle(name); s != nil {
		return s.step, false
	}
	d := charset.NewDecoder(name)
	var out [2 * utf8.UTFMax]byte
	if d.Stateful {
		return func(src []byte, atEOF bool) (literal, skip int, _ []byte) {
			// A step with literal bytes may be repeated, so that it must not change the state for those behind them.
			if d.InASCII() {
				for literal < len(src) && src[literal] < utf8.RuneSelf && !charset.IsEscape(src[literal]) {
					literal++
				}
				if literal > 0 {
					d.SkipASCII()
					return literal, 0, nil
				}
			}
			text, n := d.Next(out[:0], src, atEOF)
			return 0, n, text
		}, true
	}
	hasASCII := containsASCII(name)
	return func(src []byte, atEOF bool) (literal, skip int, _ []byte) {
		if hasASCII {
			literal = ASCIIPrefix(src)
			if literal == len(src) {
				return literal, 0, nil
			}
			src = src[literal:]
		}
		text, n := d.Next(out[:0], src, atEOF)
		return literal, n, text
	}, false
}

// A byteTable holds the decoding of each byte from 0x80 on, in a charset of single bytes.
type byteTable [256 - utf8.RuneSelf][]byte

// byteTables caches the byteTable of each charset by name.
var byteTables sync.Map

// newSingle returns the byteTable of a charset, nil if it has characters of several bytes.
func newSingle(name string) *byteTable {
	t, ok := byteTables.Load(name)
	if ok {
		return t.(*byteTable)
	}
	runes := charset.NewDecoder(name).Table
	if runes == nil {
		return nil
	}
	made := new(byteTable)
	for i, r := range runes {
		made[i] = utf8.AppendRune(nil, r)
	}
	t, _ = byteTables.LoadOrStore(name, made)
	return t.(*byteTable)
}

func (t *byteTable) step(src []byte, _ bool) (literal, skip int, out []byte) {
	literal = ASCIIPrefix(src)
	if literal == len(src) {
		return literal, 0, nil
	}
	return literal, 1, t[src[literal]-utf8.RuneSelf]
}

var replacement = []byte("\uFFFD")

// replaceInvalid is the step of BrokenUTF8.
func replaceInvalid(src []byte, atEOF bool) (literal, skip int, out []byte) {
	for {
		literal += ASCIIPrefix(src[literal:])
		rest := src[literal:]
		if len(rest) == 0 || !atEOF && !utf8.FullRune(rest) {
			return literal, 0, nil
		}
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			return literal, 1, replacement
		}
		literal += size
	}
}

// IsASCII reports whether src is ASCII. It checks 32 bytes at a time, which is four times as fast as
// 8.
func IsASCII(src []byte) bool {
	for ; len(src) >= 32; src = src[32:] {
		if (binary.LittleEndian.Uint64(src)|binary.LittleEndian.Uint64(src[8:])|
			binary.LittleEndian.Uint64(src[16:])|binary.LittleEndian.Uint64(src[24:]))&highBits != 0 {
			return false
		}
	}
	return ASCIIPrefix(src) == len(src)
}

const highBits = 0x8080808080808080

// ASCIIPrefix returns the length of the ASCII prefix of src.
func ASCIIPrefix(src []byte) int {
	n := 0
	for n+8 <= len(src) {
		if high := binary.LittleEndian.Uint64(src[n:]) & highBits; high != 0 {
			return n + bits.TrailingZeros64(high)/8
		}
		n += 8
	}
	for n < len(src) && src[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// decodeUTF7 returns the step of UTF-7 (RFC 2152), which decodes one character at a time. A "+" that
// neither begins a character nor is part of "+-" stays: rule 2 gives it no meaning.
func decodeUTF7() Step {
	var (
		shifted bool
		bits    uint32 // of a character that has begun,
		n       int    // how many
		out     [utf8.UTFMax]byte
	)
	return func(src []byte, atEOF bool) (literal, skip int, _ []byte) {
		if !shifted {
			literal = bytes.IndexByte(src, '+')
			if literal < 0 {
				return len(src), 0, nil
			}
			s := src[literal+1:]
			switch {
			case len(s) < 3 && !atEOF:
				return literal, 0, nil
			case len(s) > 0 && s[0] == '-':
				return literal, 2, append(out[:0], '+')
			case len(s) < 3 || sextet(s[0])|sextet(s[1])|sextet(s[2]) < 0:
				return literal + 1, 0, nil
			}
			shifted, bits, n = true, 0, 0
			return literal, 1, nil
		}
		// unit reads one UTF-16 code unit. There are enough bytes, except at the end.
		unit := func() (rune, bool) {
			for n < 16 {
				if skip == len(src) || sextet(src[skip]) < 0 {
					return 0, false
				}
				bits, n, skip = bits<<6|uint32(sextet(src[skip])), n+6, skip+1
			}
			n -= 16
			return rune(bits >> n & 0xffff), true
		}
		r, ok := unit()
		if !ok {
			// The remaining bits are zero, and fewer than 6 (rule 2).
			shifted = false
			switch {
			case skip < len(src) && src[skip] == '-':
				return 0, skip + 1, nil
			case skip == 0:
				return 1, 0, nil
			}
			return 0, skip, nil
		}
		if utf16.IsSurrogate(r) {
			b, k, end := bits, n, skip
			low, _ := unit()
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				r = pair
			} else {
				bits, n, skip = b, k, end
			}
		}
		return 0, skip, utf8.AppendRune(out[:0], r)
	}
}

// sextet returns the value of a character of base64, negative for others.
func sextet(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}

// decodeHZ returns the step of HZ-GB-2312 (RFC 1843). Invalid bytes stay. ASCII resumes at the end of
// each line, with or without "~}".
func decodeHZ() Step {
	chinese := false
	dec := charset.NewDecoder("gbk") // contains GB 2312, with the high bits set
	var (
		pair [2]byte
		out  [utf8.UTFMax]byte
	)
	return func(src []byte, atEOF bool) (literal, skip int, _ []byte) {
		if chinese {
			switch c := src[0]; {
			case bytes.HasPrefix(src, []byte("~}")):
				chinese = false
				return 0, 2, nil
			case c == '\n':
				chinese = false
			case c > ' ' && c < '~' && len(src) > 1 && src[1] > ' ' && src[1] < 0x7f:
				pair[0], pair[1] = c|0x80, src[1]|0x80
				text, _ := dec.Next(out[:0], pair[:], true)
				return 0, 2, text
			}
			return 1, 0, nil
		}
		literal = bytes.IndexByte(src, '~')
		if literal < 0 {
			return len(src), 0, nil
		}
		s := src[literal:]
		switch {
		case len(s) < 3 && !atEOF:
			return literal, 0, nil
		case bytes.HasPrefix(s, []byte("~~")):
			return literal, 2, s[:1]
		case bytes.HasPrefix(s, []byte("~{")):
			chinese = true
			return literal, 2, nil
		case bytes.HasPrefix(s, []byte("~\n")):
			return literal, 2, nil
		case bytes.HasPrefix(s, []byte("~\r\n")):
			return literal, 3, nil
		}
		return literal + 1, 0, nil
	}
}
