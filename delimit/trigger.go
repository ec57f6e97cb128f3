package delimit

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"example.org/refract/internal/ascii"
)

// trigger takes most of the time in a text without URLs. With vectors, candidate looks for possible
// triggers. Measured on 140 MB of Go source, on one core with AVX2: 30 ms of user time for a whole run,
// compared with 65 ms with words of 64 bits. Text in the CPU caches is searched at 33 GB/s (21 before
// candidate took 64 bytes at a time and left out colons that judge would), mail and documentation at 5.5
// with all their references; from memory, it comes at 15 GB/s. Prefetching gained nothing.
func (f *Finder) trigger(src []byte, pos int) int {
	if f.Abbreviated == AbbreviatedAll || f.Domains != DomainsNone || f.Addresses {
		return f.triggerMore(src, pos)
	}
	for ; pos < min(4, len(src)); pos++ { // the searches below read 4 bytes before a position
		if t := judge(src, pos); t >= 0 {
			return t
		}
	}
	var t, next int
	if vectors {
		t, next = triggerVectors(src, pos)
	} else {
		t, next = triggerWords(src, pos)
	}
	for ; t < 0 && next < len(src); next++ {
		t = judge(src, next)
	}
	return t
}

// triggerVectors is trigger for src[pos:next]; pos is at least 4. candidate returns the first offset within
// n bytes where a trigger may be. That is a colon that neither white space nor "=" follows, a colon after
// "<" and three bytes as in "<URL:", or "www". If there is none, it returns ^offset, where fewer than 32 of
// the bytes remain at offset. It reads 4 bytes before the n bytes, and 2 after them. On amd64, it also
// leaves out colons that judge would.
func triggerVectors(src []byte, pos int) (t, next int) {
	for pos+34 <= len(src) {
		n := candidate(&src[pos], len(src)-2-pos)
		if n < 0 {
			return -1, pos + ^n
		}
		pos += n
		if t := judge(src, pos); t >= 0 {
			return t, 0
		}
		pos++
	}
	return -1, pos
}

// triggerWords replaces triggerVectors on machines without vectors: it reads 32 bytes at a
// time as words of 64 bits. Measured on 150 MB of mail, source and documentation: a table loop
// takes 6 times as long as this, and alternating bytes.IndexByte for the colon with bytes.Index
// for "www." takes 1.9 times as long.
func triggerWords(src []byte, pos int) (t, next int) {
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
					continue // no "<URL: ": true of most colons
				}
				if t := judge(src, i); t >= 0 {
					return t, 0
				}
			}
		}
	}
	return -1, pos
}

const (
	low8, high8   = 0x0101010101010101, 0x8080808080808080
	low16, high16 = 0x0001000100010001, 0x8000800080008000
)

// marks finds the bytes of w that may be part of a trigger. c&high8 has the high bit of each colon set;
// v&high16 has that of the second byte of each "ww" at an even offset, which every "www" contains. Bits
// above a set one may be set wrongly.
func marks(w uint64) (c, v uint64) {
	c = w ^ ':'*low8
	v = (w | 0x20*low8) ^ 'w'*low8
	return (c - low8) &^ c, (v - low16) &^ v
}

// judge returns the trigger that src[i] belongs to if it is a colon or a w, or -1. It is the first check of
// every colon in a text, so it decides by the next byte.
func judge(src []byte, i int) int {
	if src[i] != ':' {
		if src[i]|0x20 == 'w' {
			return judgeWWW(src, i)
		}
		return -1
	}
	if i == 0 {
		return -1
	}
	if i+1 < len(src) {
		switch c := src[i+1]; {
		case c == '/':
			if i+2 >= len(src) || src[i+2] == '/' || src[i-1]|0x20 == 'e' || i >= 4 && src[i-4] == '<' { // <URL:/x>
				return i
			}
			return -1
		case c <= ' ' || c == '=': // no proof begins with these
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

// bareScheme has a bit for the last two letters of each scheme of proofs, and of "URL". The first letter
// selects the word and the second the bit, by their place in the alphabet.
var bareScheme = func() (t [32]uint32) {
	for _, p := range proofs {
		n := len(p.scheme)
		t[p.scheme[n-2]&0x1f] |= 1 << (p.scheme[n-1] & 0x1f)
	}
	t['r'&0x1f] |= 1 << ('l' & 0x1f)
	return t
}()

// judgeWWW returns the dot of the "www." or "www2." that contains the w at src[i],
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

// wwwStart returns where "www", optionally with one or two digits, begins before src[dot],
// or -1.
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

// triggerMore is trigger under rules that find more than "www.": it examines each dot
// and "@".
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

// moreMarks sets the high bit of each colon, dot and "@" of w. It may also set high bits of
// bytes above them.
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
			(f.Domains != DomainsNone || f.hostName(src, i) >= 0 || f.Abbreviated == AbbreviatedAll && mayBeAll(src, i)) {
			return i
		}
	case '@':
		if f.Addresses && i+1 < len(src) && hostByte[src[i+1]] && (isLocal[src[i-1]] || src[i-1] >= utf8.RuneSelf) {
			return i
		}
	}
	return -1
}

// hostName returns where a name that implies its scheme, "www" or "ftp", begins before the dot
// at src[dot], or -1.
func (f *Finder) hostName(src []byte, dot int) int {
	if f.Abbreviated == AbbreviatedNone || dot < 3 {
		return -1
	}
	if (f.Abbreviated == AbbreviatedAll || f.Domains != DomainsNone) && ascii.EqualFold(src[dot-3:dot], "ftp") {
		return dot - 3
	}
	return wwwStart(src, dot)
}
