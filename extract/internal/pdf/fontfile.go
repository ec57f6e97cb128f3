package pdf

import (
	"encoding/binary"
	"strings"
	"sync"
	"unicode/utf8"
)

// What embedded font programs say about their glyphs, for text whose codes nothing in the PDF file maps to
// characters: the table "cmap" of TrueType and OpenType, read from glyphs to characters, and the names of
// glyphs in "post" and in CFF (Adobe Technical Note 5176).

// maxGlyphs limits the glyphs of a font, which have 16-bit numbers.
const maxGlyphs = 1 << 16

// A fontFile is an embedded font program. Its tables are nil if they are missing or damaged.
type fontFile struct {
	cmap, post, cff []byte
	size            int // of all
}

// fontFileOf returns the tables of a font program: of an sfnt, or bare CFF.
func fontFileOf(data []byte) (f fontFile) {
	f.size = len(data)
	switch u32(data, 0) {
	case 0x00010000, 0x74727565, 0x4f54544f: // "true", "OTTO"
	default:
		if len(data) > 4 && data[0] == 1 && data[2] >= 4 {
			f.cff = data
		}
		return f
	}
	for i := range min(u16(data, 4), 256) {
		entry := 12 + 16*i
		table := from(data, u32(data, entry+8))
		table = table[:min(len(table), max(0, u32(data, entry+12)))]
		switch u32(data, entry) {
		case 0x636d6170:
			f.cmap = table
		case 0x706f7374:
			f.post = table
		case 0x43464620:
			f.cff = table
		}
	}
	return f
}

// u16 and u32 return numbers at an offset, 0 beyond the end.
func u16(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.BigEndian.Uint16(b[at:]))
}

func u32(b []byte, at int) int {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return int(binary.BigEndian.Uint32(b[at:]))
}

// from returns b from an offset on, nil beyond the end.
func from(b []byte, at int) []byte {
	if at < 0 || at > len(b) {
		return nil
	}
	return b[at:]
}

// A glyphSet maps the numbers of glyphs to characters: of several characters, the first.
type glyphSet struct {
	chars map[uint32]string
	most  int // glyphs: each takes a byte of the font or more
	left  int // characters that may still be looked at
}

// glyphChars returns the characters of glyphs, by number. It takes time linear in the size of f.
func (f fontFile) glyphChars() map[uint32]string {
	most := min(maxGlyphs, f.size)
	m := &glyphSet{make(map[uint32]string), most, 4 * most}
	names, isCID := readCFF(f.cff).names()
	if !isCID {
		for gid, name := range names {
			m.set(gid, charsOfGlyph(name, -1))
		}
	}
	f.reversedCMap(m)
	f.postNames(m)
	return m.chars
}

func (m *glyphSet) set(gid int, chars string) {
	if _, known := m.chars[uint32(gid)]; !known && 0 < gid && gid < m.most && isReadable(chars) {
		m.chars[uint32(gid)] = chars
	}
}

// setAll sets the characters of successive glyphs, from first to last.
func (m *glyphSet) setAll(first, last, gid int) {
	for c := first; c <= last && gid < m.most && m.left > 0; c++ {
		m.set(gid, string(rune(c)))
		gid++
		m.left--
	}
}

// reversedCMap adds the characters that "cmap" has for glyphs, of its first Unicode subtable (OpenType, cmap).
func (f fontFile) reversedCMap(m *glyphSet) {
	best, rank := []byte(nil), 0
	for i := range min(u16(f.cmap, 2), 64) {
		entry := 4 + 8*i
		platform, encoding := u16(f.cmap, entry), u16(f.cmap, entry+2)
		r := 0
		switch {
		case platform == 3 && encoding == 10, platform == 0 && (encoding == 4 || encoding == 6):
			r = 3
		case platform == 3 && encoding == 1, platform == 0 && encoding < 5:
			r = 2
		}
		if r > rank {
			best, rank = from(f.cmap, u32(f.cmap, entry+4)), r
		}
	}
	switch u16(best, 0) {
	case 0:
		for c := 0; c < 256 && 6+c < len(best); c++ {
			m.set(int(best[6+c]), string(rune(c)))
		}
	case 4:
		segmentGlyphs(m, best)
	case 6:
		for i := range u16(best, 8) {
			m.set(u16(best, 10+2*i), string(rune(u16(best, 6)+i)))
		}
	case 12:
		for i := range min(u32(best, 12), m.most) {
			group := 16 + 12*i
			m.setAll(u32(best, group), min(u32(best, group+4), utf8.MaxRune), u32(best, group+8))
		}
	}
}

// segmentGlyphs reads a subtable of format 4.
func segmentGlyphs(m *glyphSet, table []byte) {
	segments := u16(table, 6) / 2
	for i := range segments {
		end, start := u16(table, 14+2*i), u16(table, 16+2*(segments+i))
		delta, rangeAt := u16(table, 16+2*(2*segments+i)), 16+2*(3*segments+i)
		offset := u16(table, rangeAt)
		for c := start; c <= end && c < 0xffff && m.left > 0; c++ {
			gid := c
			if offset != 0 {
				gid = u16(table, rangeAt+offset+2*(c-start))
			}
			if gid != 0 || offset == 0 {
				gid = (gid + delta) & 0xffff
			}
			m.left--
			m.set(gid, string(rune(c)))
		}
	}
}

// postNames adds the characters of glyphs by their names in "post", version 2. The standard names but those
// of ASCII are left out.
func (f fontFile) postNames(m *glyphSet) {
	if u32(f.post, 0) != 0x00020000 {
		return
	}
	n := u16(f.post, 32)
	var own []string
	for at := 34 + 2*n; at < len(f.post) && len(own) < n; {
		end := min(len(f.post), at+1+int(f.post[at]))
		own = append(own, string(f.post[at+1:end]))
		at = end
	}
	for gid := range n {
		switch k := u16(f.post, 34+2*gid); {
		case k >= 258 && k-258 < len(own):
			m.set(gid, charsOfGlyph(own[k-258], -1))
		case 3 <= k && k < 3+95:
			m.set(gid, string(rune(' '+k-3)))
		}
	}
}

// A cff is what matters of a font in the Compact Font Format.
type cff struct {
	src               []byte
	strings           []([]byte)
	glyphs            int
	charset, encoding int // offsets, or the numbers of predefined ones
	isCID             bool
}

// readCFF reads the first font of a font set; of a damaged one, what can be read.
func readCFF(src []byte) (c cff) {
	if len(src) < 4 {
		return c
	}
	c.src = src
	_, at := cffIndex(src, int(src[2]), 1)
	top, at := cffIndex(src, at, 1)
	c.strings, _ = cffIndex(src, at, maxGlyphs)
	if len(top) == 0 {
		return c
	}
	var operands []int
	for b := top[0]; len(b) > 0; {
		n, size, isNumber := cffNumber(b)
		op := int(b[0])
		if op == 12 && len(b) > 1 {
			op, size = 1200+int(b[1]), 2
		}
		b = b[min(size, len(b)):]
		if isNumber {
			operands = append(operands, n)
			if len(operands) > 48 {
				return c
			}
			continue
		}
		if len(operands) > 0 {
			last := operands[len(operands)-1]
			switch op {
			case 15:
				c.charset = last
			case 16:
				c.encoding = last
			case 17:
				c.glyphs = min(u16(src, last), len(src)) // each takes a byte or more
			}
		}
		c.isCID = c.isCID || op == 1230
		operands = operands[:0]
	}
	return c
}

// cffIndex returns at most some entries of the INDEX at an offset, and where it ends.
func cffIndex(src []byte, at, most int) (entries [][]byte, end int) {
	n, size := u16(src, at), 0
	if n == 0 || at+3 > len(src) {
		return nil, at + 2
	}
	size = int(src[at+2])
	if size < 1 || size > 4 || at+3+(n+1)*size > len(src) {
		return nil, len(src)
	}
	offset := func(i int) int {
		v := 0
		for _, b := range src[at+3+i*size : at+3+(i+1)*size] {
			v = v<<8 | int(b)
		}
		return v
	}
	data := at + 2 + (n+1)*size
	for i := range min(n, most) {
		from, to := data+offset(i), data+offset(i+1)
		if from < data || to < from || to > len(src) {
			return entries, len(src)
		}
		entries = append(entries, src[from:to])
	}
	return entries, data + offset(n)
}

// cffNumber returns the number at the beginning of b, and its length; of a real number, only the length.
func cffNumber(b []byte) (n, size int, isNumber bool) {
	switch c := int(b[0]); {
	case c == 28:
		return int(int16(u16(b, 1))), 3, true
	case c == 29:
		return int(int32(u32(b, 1))), 5, true
	case c == 30:
		for size = 1; size < len(b) && b[size]&0xf != 0xf; size++ {
		}
		return 0, size + 1, true
	case 32 <= c && c <= 246:
		return c - 139, 1, true
	case 247 <= c && c <= 250 && len(b) > 1:
		return (c-247)*256 + int(b[1]) + 108, 2, true
	case 251 <= c && c <= 254 && len(b) > 1:
		return -(c-251)*256 - int(b[1]) - 108, 2, true
	}
	return 0, 1, false
}

// name returns the string with a number: one of the standard strings up to that of "zcaron", or one of the font.
func (c *cff) name(sid int) string {
	standard := cffStrings()
	switch k := sid - 391; {
	case k >= 0 && k < len(c.strings) && len(c.strings[k]) < 128:
		return string(c.strings[k])
	case 0 <= sid && sid < len(standard):
		return standard[sid]
	case 266 <= sid && sid <= 268: // among those of expert fonts
		return [...]string{"ff", "ffi", "ffl"}[sid-266]
	}
	return ""
}

// names returns the names of the glyphs. Those of a CID font have none.
func (c cff) names() (names []string, isCID bool) {
	if c.isCID || c.glyphs == 0 || c.charset == 1 || c.charset == 2 {
		return nil, c.isCID
	}
	names = append(names, ".notdef")
	if c.charset == 0 {
		for sid := 1; sid < min(c.glyphs, 229); sid++ {
			names = append(names, c.name(sid))
		}
		return names, false
	}
	format := from(c.src, c.charset)
	at := 1
	for len(names) < c.glyphs && at < len(format) {
		sid, more := u16(format, at), 0
		at += 2
		switch format[0] {
		case 1:
			more = u16(format, at-1) & 0xff
			if at < len(format) {
				more = int(format[at])
			}
			at++
		case 2:
			more = u16(format, at)
			at += 2
		}
		for k := 0; k <= more && len(names) < c.glyphs; k++ {
			names = append(names, c.name(sid+k))
		}
	}
	return names, false
}

// table returns the encoding of a font that is none of CIDs: its own, or the standard one; nil if it has none.
func (c cff) table() *encodingTable {
	names, isCID := c.names()
	switch {
	case isCID, len(names) == 0, c.encoding == 1:
		return nil
	case c.encoding == 0:
		return standardEncoding()
	}
	format := from(c.src, c.encoding)
	if len(format) < 2 {
		return nil
	}
	t := new(encodingTable)
	gid := 1
	set := func(code int) {
		if gid < len(names) && code < len(t) {
			t[code] = charsOfGlyph(names[gid], code)
		}
		gid++
	}
	n, at := int(format[1]), 2
	for range n {
		if at >= len(format) {
			break
		}
		set(int(format[at]))
		if format[0]&0x7f == 1 && at+1 < len(format) {
			for k := range int(format[at+1]) {
				set(int(format[at]) + 1 + k)
			}
			at++
		}
		at++
	}
	if format[0]&0x80 != 0 && at < len(format) { // supplements: further codes of glyphs
		for i := range int(format[at]) {
			if code := at + 1 + 3*i; code < len(format) {
				t[format[code]] = charsOfGlyph(c.name(u16(format, code+1)), int(format[code]))
			}
		}
	}
	return t
}

// cffOthers are the standard strings 150 to 228 (Technical Note 5176, appendix A). Those behind them are of
// expert fonts.
const cffOthers = "onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply threesuperior copyright " +
	"Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron " +
	"aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron"

// cffStrings returns the standard strings up to 228: .notdef, the names of StandardEncoding, and the others.
var cffStrings = sync.OnceValue(func() []string {
	s := append([]string{".notdef"}, strings.Fields(asciiNames)...)
	s[1+'\''-' '], s[1+'`'-' '] = "quoteright", "quoteleft"
	for _, name := range strings.Fields(standardHigh) {
		if name != "-" {
			s = append(s, name)
		}
	}
	return append(s, strings.Fields(cffOthers)...)
})
