package charset

import (
	"sync"
	"unicode/utf8"
)

// An Encoder encodes a character: it appends its bytes to dst, and reports whether the charset has it.
// ISO-2022-JP begins and ends in ASCII.
type Encoder func(dst []byte, r rune) ([]byte, bool)

// NewEncoder returns the Encoder of the charset with this name, as Lookup returns it; nil if there is none,
// so that UTF-8 is used (4.3).
func NewEncoder(name string) Encoder {
	switch name {
	case "utf-8", "utf-16le", "utf-16be", "replacement":
		return nil
	}
	if f := encoders[name]; f != nil {
		return func(dst []byte, r rune) ([]byte, bool) {
			if r < utf8.RuneSelf {
				return append(dst, byte(r)), true
			}
			return f(dst, r)
		}
	}
	t := table(name)
	if t == nil {
		return nil
	}
	return func(dst []byte, r rune) ([]byte, bool) {
		if r < utf8.RuneSelf {
			return append(dst, byte(r)), true
		}
		for i, c := range t {
			if c == r && r != utf8.RuneError {
				return append(dst, utf8.RuneSelf+byte(i)), true
			}
		}
		return dst, false
	}
}

// encoders holds the encoders of what is not ASCII.
var encoders = map[string]Encoder{
	"gbk":         func(dst []byte, r rune) ([]byte, bool) { return encodeGB18030(dst, r, true) },
	"gb18030":     func(dst []byte, r rune) ([]byte, bool) { return encodeGB18030(dst, r, false) },
	"big5":        encodeBig5,
	"euc-jp":      encodeEUCJP,
	"shift_jis":   encodeShiftJIS,
	"iso-2022-jp": encodeISO2022JP,
	"euc-kr":      encodeEUCKR,
}

// The inverted indexes are made when a query first needs them: that takes 2 to 3 ms.
var (
	gb18030Pointers = sync.OnceValue(func() map[rune]uint16 { return pointers(gb18030Index, 0, "", nil) })
	big5Pointers    = sync.OnceValue(func() map[rune]uint16 { return pointers(big5Index, (0xa1-0x81)*157, "═╞╡╪十卅", nil) })
	eucKRPointers   = sync.OnceValue(func() map[rune]uint16 { return pointers(eucKRIndex, 0, "", nil) })
	jis0208Pointers = sync.OnceValue(func() map[rune]uint16 { return pointers(jis0208, 0, "", nil) })
	shiftJISPointer = sync.OnceValue(func() map[rune]uint16 {
		return pointers(jis0208, 0, "", func(p int) bool { return p >= 8272 && p <= 8835 })
	})
)

// gb18030Private are the private use characters that GB 18030 had in 2005 in place of others.
var gb18030Private = map[rune]string{
	0xe78d: "\xa6\xd9", 0xe78e: "\xa6\xda", 0xe78f: "\xa6\xdb", 0xe790: "\xa6\xdc", 0xe791: "\xa6\xdd", 0xe792: "\xa6\xde", 0xe793: "\xa6\xdf",
	0xe794: "\xa6\xec", 0xe795: "\xa6\xed", 0xe796: "\xa6\xf3", 0xe81e: "\xfe\x59", 0xe826: "\xfe\x61", 0xe82b: "\xfe\x66", 0xe82c: "\xfe\x67",
	0xe832: "\xfe\x6d", 0xe843: "\xfe\x7e", 0xe854: "\xfe\x90", 0xe864: "\xfe\xa0",
}

// encodeGB18030 implements 10.2.2.
func encodeGB18030(dst []byte, r rune, isGBK bool) ([]byte, bool) {
	switch {
	case r == 0xe5e5:
		return dst, false
	case r == '€' && isGBK:
		return append(dst, 0x80), true
	}
	if s := gb18030Private[r]; s != "" {
		return append(dst, s...), true
	}
	if p := int(gb18030Pointers()[r]) - 1; p >= 0 {
		return twoBytes(dst, p, 190, 0x81, 0x3f, 0x40, 0x41), true
	}
	if isGBK {
		return dst, false
	}
	p := rangesPointer(r)
	return append(dst, 0x81+byte(p/12600), '0'+byte(p/1260%10), 0x81+byte(p/10%126), '0'+byte(p%10)), true
}

// twoBytes appends the bytes of a pointer into rows of width characters. Places in a row below cut have the
// offset low, others high.
func twoBytes(dst []byte, pointer, width, lead, cut, low, high int) []byte {
	trail := pointer % width
	if trail < cut {
		trail += low
	} else {
		trail += high
	}
	return append(dst, byte(pointer/width+lead), byte(trail))
}

// encodeBig5 implements 11.1.2.
func encodeBig5(dst []byte, r rune) ([]byte, bool) {
	p := int(big5Pointers()[r]) - 1
	if p < 0 {
		return dst, false
	}
	return twoBytes(dst, p, 157, 0x81, 0x3f, 0x40, 0x62), true
}

// encodeEUCKR implements 13.1.2.
func encodeEUCKR(dst []byte, r rune) ([]byte, bool) {
	p := int(eucKRPointers()[r]) - 1
	if p < 0 {
		return dst, false
	}
	return twoBytes(dst, p, 190, 0x81, 190, 0x41, 0x41), true
}

// encodeEUCJP implements 12.1.2.
func encodeEUCJP(dst []byte, r rune) ([]byte, bool) {
	switch {
	case r == '¥':
		return append(dst, '\\'), true
	case r == '‾':
		return append(dst, '~'), true
	case r >= 0xff61 && r <= 0xff9f:
		return append(dst, 0x8e, byte(r-0xff61+0xa1)), true
	case r == '−':
		r = '－'
	}
	p := int(jis0208Pointers()[r]) - 1
	if p < 0 {
		return dst, false
	}
	return twoBytes(dst, p, 94, 0xa1, 94, 0xa1, 0xa1), true
}

// encodeShiftJIS implements 12.3.2.
func encodeShiftJIS(dst []byte, r rune) ([]byte, bool) {
	switch {
	case r == 0x80:
		return append(dst, 0x80), true
	case r == '¥':
		return append(dst, '\\'), true
	case r == '‾':
		return append(dst, '~'), true
	case r >= 0xff61 && r <= 0xff9f:
		return append(dst, byte(r-0xff61+0xa1)), true
	case r == '−':
		r = '－'
	}
	p := int(shiftJISPointer()[r]) - 1
	switch {
	case p < 0:
		return dst, false
	case p/188 < 0x1f:
		return twoBytes(dst, p, 188, 0x81, 0x3f, 0x40, 0x41), true
	}
	return twoBytes(dst, p, 188, 0xc1, 0x3f, 0x40, 0x41), true
}

// encodeISO2022JP implements 12.2.2.
func encodeISO2022JP(dst []byte, r rune) ([]byte, bool) {
	switch {
	case r == '¥':
		return append(dst, "\x1b(J\\\x1b(B"...), true
	case r == '‾':
		return append(dst, "\x1b(J~\x1b(B"...), true
	case r >= 0xff61 && r <= 0xff9f:
		r = katakana.Rune(int(r - 0xff61))
	case r == '−':
		r = '－'
	}
	p := int(jis0208Pointers()[r]) - 1
	if p < 0 {
		return dst, false
	}
	dst = twoBytes(append(dst, "\x1b$B"...), p, 94, 0x21, 94, 0x21, 0x21)
	return append(dst, "\x1b(B"...), true
}
