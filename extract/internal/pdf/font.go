package pdf

import (
	"bytes"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A font says which characters the codes of a string are, and how wide they are (ISO 32000-2 section 9.5).
type font struct {
	id          uint32
	isComposite bool
	isFixed     bool  // all characters have the same width, which is that of a letter
	codes       *cmap // of a composite font
	toUnicode   *cmap // nil: none
	table       *encodingTable
	simple      encodingTable     // of a simple font: the characters of the codes that were shown
	ascii       *asciiCIDs        // where ASCII is in the character collection; nil: not known
	glyphs      map[uint32]string // by CID, as far as the font program says

	widths  []float32 // from the code or CID first on, in thousandths of the size
	first   int
	byCID   map[uint32]float32
	missing float32
	scale   float64 // of widths to the size: 1/1000, unless it is a Type 3 font
	em      float64 // what the size is to be multiplied with for the size of the characters: 1, unless it is a Type 3 font of pixels

	known, unread int // codes that were shown with characters, and without
	counted       int // of unread
}

// isVertical reports whether the text of f runs from top to bottom.
func (f *font) isVertical() bool { return f.codes != nil && f.codes.vertical }

// next returns the first code of s, its length, its characters and its width in units of the size.
func (f *font) next(s []byte) (size int, chars string, width float64, isSpace bool) {
	if !f.isComposite {
		c := int(s[0])
		if f.simple[c] == "" {
			f.simple[c] = f.charsOf(c)
		}
		chars = f.simple[c]
		f.count(chars)
		return 1, chars, float64(f.width(c)) * f.scale, c == ' '
	}
	c, size := f.codes.next(s)
	cid := c
	if len(f.codes.ranges) > 0 {
		if n, ok := f.codes.number(c); ok {
			cid = n
		}
	}
	width = float64(f.missing)
	if !f.codes.isUTF16 && f.codes.decoder == nil {
		if w, ok := f.byCID[cid]; ok {
			width = float64(w)
		}
	} else if c < 0x80 { // others have the width of an ideograph, or nearly
		width = 500
		if w, ok := f.byCID[c-' '+1]; ok && f.ascii != nil && !f.codes.isHalfWidth {
			width = float64(w)
		}
	}
	chars = f.composite(c, cid, size)
	f.count(chars)
	return size, chars, width / 1000, size == 1 && c == ' '
}

// count records whether a code had characters.
func (f *font) count(chars string) {
	if chars == unknown {
		f.unread++
	} else {
		f.known++
	}
}

func (f *font) width(c int) float32 {
	if i := c - f.first; i >= 0 && i < len(f.widths) {
		return f.widths[i]
	}
	return f.missing
}

// unknown stands for what has no characters.
const unknown = string(utf8.RuneError)

// charsOf returns the characters of a code of a simple font.
func (f *font) charsOf(c int) string {
	if s := f.named(uint32(c)); s != "" {
		return s
	}
	if f.table != nil && f.table[c] != "" {
		return f.table[c]
	}
	return unknown
}

// named returns the characters that ToUnicode names for a code; "" if it has none. White space is a space:
// macOS names a tab, or all white space, for the space of a font whose codes begin at "!".
func (f *font) named(c uint32) string {
	if f.toUnicode == nil {
		return ""
	}
	s, _ := f.toUnicode.charsOf(c)
	switch {
	case s != "" && strings.TrimSpace(s) == "":
		return " "
	case isReadable(s):
		return s
	}
	return ""
}

// isReadable reports whether the characters that a font names are some: not a control character, nor of private use.
func isReadable(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= ' ' && r != utf8.RuneError && !(0xe000 <= r && r <= 0xf8ff)
}

func (f *font) composite(c, cid uint32, size int) string {
	if s := f.named(c); s != "" {
		return s
	}
	if s := f.codes.ownChars(c, size); s != "" {
		return s
	}
	if s := f.ascii.charsOf(cid); s != "" {
		return s
	}
	if s, ok := f.glyphs[cid]; ok {
		return s
	}
	return unknown
}

// size returns about how many bytes f takes.
func (f *font) size() int {
	n := 5<<10 + 4*len(f.widths) + 32*len(f.byCID) + 64*len(f.glyphs)
	for _, m := range []*cmap{f.codes, f.toUnicode} {
		if m != nil {
			n += 64*len(m.chars) + 12*len(m.ranges)
		}
	}
	return n
}

// newFont reads the font that a dictionary describes.
func (r *reader) newFont(d value) *font {
	f := &font{id: r.fontID(d), scale: 1. / 1000, em: 1}
	if _, data, _ := r.stream(d.get("ToUnicode")); data != nil {
		f.toUnicode = readCMap(&r.account, data)
	}
	if r.get(d, "Subtype").is("Type0") {
		r.readComposite(f, d)
		f.isFixed = allSame(maps.Values(f.byCID))
		return f
	}
	r.readEncoding(f, d)
	f.first = r.get(d, "FirstChar").int()
	for _, w := range r.get(d, "Widths").list() {
		if len(f.widths) < 256 {
			f.widths = append(f.widths, float32(r.resolved(w).num))
		}
	}
	descriptor := r.get(d, "FontDescriptor")
	f.missing = float32(r.get(descriptor, "MissingWidth").num)
	if r.get(d, "Subtype").is("Type3") {
		if m := r.get(d, "FontMatrix"); len(m.items) == 6 {
			f.scale = r.resolved(m.items[0]).num
		}
		f.em = emOfPixels(f.widths, f.scale)
		return f
	}
	name := string(r.get(d, "BaseFont").bytesOrNil())
	if len(f.widths) == 0 {
		f.useStandardWidths(name)
	}
	f.isFixed = allSame(slices.Values(f.widths)) || strings.Contains(name, "Courier")
	return f
}

// emOfPixels returns the size of the characters of a Type 3 font, in units of the size that text sets. dvips makes fonts of bitmaps, whose
// size is that of a pixel. Characters are half as wide as high, and the box of such a font says nothing.
func emOfPixels(widths []float32, scale float64) float64 {
	sum, n := 0.0, 0
	for _, w := range widths {
		if w != 0 {
			sum, n = sum+math.Abs(float64(w)*scale), n+1
		}
	}
	if sum > 2*float64(n) { // no font has characters that wide
		return 2 * sum / float64(n)
	}
	return 1
}

// fontID returns a number for the font of a dictionary. Fonts have the same one if they are parts of the same font: InDesign takes the
// characters of a line from two of them.
func (r *reader) fontID(d value) uint32 {
	next := uint32(len(r.fonts) + 1)
	name := r.get(d, "BaseFont").bytesOrNil()
	if len(name) == 0 || len(name) > maxFontName || r.get(d, "Subtype").is("Type3") {
		return next
	}
	if i := bytes.IndexByte(name, '+'); i == 6 { // a subset (section 9.9.2)
		name = name[i+1:]
	}
	id, found := r.fontIDs[string(name)]
	if !found {
		id = next
		r.fontIDs[string(name)] = id
	}
	return id
}

// maxFontName limits the names of fonts, in bytes.
const maxFontName = 128

// allSame reports whether widths that are not 0 are those of a font whose letters all have the same width.
func allSame(widths iter.Seq[float32]) bool {
	const widest = 650 // thousandths of the size. Ideographs are wider
	n, least, most := 0, float32(widest), float32(0)
	for w := range widths {
		if w != 0 {
			n, least, most = n+1, min(least, w), max(most, w)
		}
	}
	return n > 2 && most < widest && most-least < 2
}

func (v value) bytesOrNil() []byte {
	if v.kind != nameValue {
		return nil
	}
	return v.bytes()
}

// readEncoding reads the encoding of a simple font (section 9.6.5).
func (r *reader) readEncoding(f *font, d value) {
	enc := r.get(d, "Encoding")
	named := enc
	if enc.kind == dictValue {
		named = r.get(enc, "BaseEncoding")
	}
	base := standardEncoding()
	switch {
	case named.is("WinAnsiEncoding"):
		base = winAnsiEncoding()
	case named.is("MacRomanEncoding"):
		base = macRomanEncoding()
	case r.get(d, "Subtype").is("TrueType"):
		base = winAnsiEncoding()
	case named.kind == nullValue:
		if own := r.builtIn(d); own != nil {
			base = own
		}
	}
	if r.get(d, "Subtype").is("Type3") {
		base = new(encodingTable) // it has no other names than its own
	}
	f.table = base
	differences := r.get(enc, "Differences")
	if len(differences.items) == 0 {
		return
	}
	t := *base
	c := 0
	for _, v := range differences.list() {
		v = r.resolved(v)
		switch v.kind {
		case numberValue:
			c = v.int()
		case nameValue:
			if c >= 0 && c < 256 {
				t[c] = charsOfGlyph(string(v.bytes()), c)
				if t[c] == "" && isSymbol(v.bytes()) {
					t[c] = symbol
				}
			}
			c++
		}
	}
	f.table = &t
}

// charsOfGlyph returns the characters of a glyph of a font by its name, and its code c. Names such as "a65"
// and "G41", which programs make, are the code of a character if they are also the code of the glyph. So
// are characters as names, which Acrobat Distiller makes of the fonts of TeX, with their ligatures.
func charsOfGlyph(name string, c int) string {
	if s := charsOfName(name); s != "" {
		return s
	}
	if len(name) == 1 && int(name[0]) == c {
		switch {
		case 0x0b <= c && c <= 0x0f:
			return [...]string{"ff", "fi", "fl", "ffi", "ffl"}[c-0x0b]
		case ' ' < c && c < 0x7f:
			return name
		}
		return ""
	}
	digits := bytes.TrimLeft([]byte(name), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if c <= ' ' || c >= 0x7f || len(digits) == len(name) {
		return ""
	}
	for _, base := range []int{10, 16} {
		if n, err := strconv.ParseUint(string(digits), base, 16); err == nil && int(n) == c {
			return string(rune(c))
		}
	}
	return ""
}

// symbol stands for the characters of a glyph whose name says what it is, but is not in the table: it is not of URLs.
const symbol = "\ufffc"

// isSymbol reports whether the name of a glyph says what it is: "arrowdblright", and not "g17".
func isSymbol(name []byte) bool {
	letters := 0
	for _, c := range name {
		switch {
		case isDigit(c):
			return false
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		}
	}
	return letters > 2
}

// builtIn returns the encoding of a Type 1 font program: of CFF, or the one that it gives in its text; nil
// if it has none.
func (r *reader) builtIn(d value) *encodingTable {
	descriptor := r.get(d, "FontDescriptor")
	if _, data, _ := r.stream(descriptor.get("FontFile3")); data != nil {
		return readCFF(fontFileOf(data).cff).table()
	}
	_, data, _ := r.stream(descriptor.get("FontFile"))
	i := bytes.Index(data, []byte("/Encoding"))
	if i < 0 {
		return nil
	}
	t := new(encodingTable)
	p := valueParser{tokenizer: newTokenizer(&r.account, data[:min(len(data), i+16<<10)], i), left: 4096}
	code := -1
	for {
		v, ok := p.next()
		switch {
		case !ok, v.kind == wordValue && (string(v.bytes()) == "def" || string(v.bytes()) == "eexec"):
			return t
		case v.kind == wordValue && string(v.bytes()) == "StandardEncoding":
			return standardEncoding()
		case v.kind == numberValue:
			code = v.int()
		case v.kind == nameValue && code >= 0 && code < 256:
			t[code] = charsOfGlyph(string(v.bytes()), code)
			code = -1
		}
	}
}

// An asciiCIDs says where ASCII is in a character collection of Adobe: CID 1 is the space, and 95 "~".
type asciiCIDs struct {
	half uint32 // the glyphs of half the width of an ideograph, again in the order of ASCII: where its space is, or would be
	more map[uint32]string
}

// collections are the character collections of Adobe (Technical Notes 5078, 5079, 5080 and 5093; Adobe-KR).
var collections = map[string]*asciiCIDs{
	"Japan1": {half: 231, more: map[uint32]string{97: `\`, 99: "|", 100: "~"}}, // beside those that look like a yen sign, a broken bar and an overline
	"GB1":    {half: 813},
	"CNS1":   {half: 13648},
	"Korea1": {half: 8094},
	"KR":     {},
}

// charsOf returns the characters of a CID; "" if it is not ASCII.
func (a *asciiCIDs) charsOf(cid uint32) string {
	switch {
	case a == nil:
		return ""
	case 1 <= cid && cid <= 95:
		return string(rune(' ' - 1 + cid))
	case a.half > 0 && cid >= a.half && cid-a.half < 95: // CID 813 of GB1 is a line, which is no part of a URL, either
		return string(rune(' ' + cid - a.half))
	}
	return a.more[cid]
}

// readComposite reads a composite font (section 9.7).
func (r *reader) readComposite(f *font, d value) {
	f.isComposite, f.codes = true, new(cmap)
	if enc := r.get(d, "Encoding"); enc.kind == nameValue {
		if m := predefinedCMap(string(enc.bytes())); m != nil {
			f.codes = m
		}
	} else if _, data, _ := r.stream(d.get("Encoding")); data != nil {
		f.codes = readCMap(&r.account, data)
	}
	f.missing = 1000
	fonts := r.get(d, "DescendantFonts")
	if len(fonts.items) == 0 {
		return
	}
	cid := r.resolved(fonts.items[0])
	info := r.get(cid, "CIDSystemInfo")
	if o := r.get(info, "Ordering"); o.kind == stringValue {
		f.ascii = collections[string(r.string(o, -1))]
	}
	if w := r.get(cid, "DW"); w.kind == numberValue {
		f.missing = float32(w.num)
	}
	f.byCID = r.cidWidths(r.get(cid, "W"))
	if f.toUnicode == nil && f.ascii == nil && !f.codes.isUTF16 && f.codes.decoder == nil {
		f.glyphs = r.glyphsOf(cid)
	}
}

// glyphsOf returns the characters of CIDs by the font program of a CIDFont, whose CIDs are numbers of
// glyphs (section 9.7.4.2).
func (r *reader) glyphsOf(cid value) map[uint32]string {
	descriptor := r.get(cid, "FontDescriptor")
	_, data, _ := r.stream(descriptor.get("FontFile2"))
	if data == nil {
		_, data, _ = r.stream(descriptor.get("FontFile3"))
	}
	glyphs := fontFileOf(data).glyphChars()
	_, numbers, _ := r.stream(cid.get("CIDToGIDMap"))
	if numbers == nil {
		return glyphs
	}
	m := make(map[uint32]string)
	for c := range min(len(numbers)/2, maxGlyphs) {
		if s, ok := glyphs[uint32(u16(numbers, 2*c))]; ok {
			m[uint32(c)] = s
		}
	}
	return m
}

// cidWidths reads the array W of a CIDFont (section 9.7.4.3).
func (r *reader) cidWidths(w value) map[uint32]float32 {
	m := make(map[uint32]float32)
	left := maxMappings
	for i := 0; i+1 < len(w.items) && left > 0; {
		first := r.resolved(w.items[i]).int()
		switch next := r.resolved(w.items[i+1]); {
		case next.kind == arrayValue:
			left -= len(next.items)
			for k, v := range next.items {
				m[uint32(first+k)] = float32(r.resolved(v).num)
			}
			i += 2
		case i+2 < len(w.items):
			width := float32(r.resolved(w.items[i+2]).num)
			for c := first; c <= min(next.int(), first+1<<16) && left > 0; c++ {
				left--
				m[uint32(c)] = width
			}
			i += 3
		default:
			return m
		}
	}
	return m
}

// The widths of U+0020 to U+007E in Helvetica and Times, in thousandths of the size: files need not state those of the
// standard fonts (section 9.6.2.2). Bold and italic ones differ little.
var (
	helveticaWidths = [95]uint16{278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015,
		667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333,
		556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584}
	timesWidths = [95]uint16{250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921,
		722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333,
		444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541}
)

// useStandardWidths sets the widths of a standard font by its name.
func (f *font) useStandardWidths(name string) {
	f.missing = 500
	table := &helveticaWidths
	switch b := []byte(name); {
	case bytes.Contains(b, []byte("Courier")):
		f.missing = 600
		return
	case bytes.Contains(b, []byte("Times")):
		table = &timesWidths
	}
	f.first = ' '
	for _, w := range table {
		f.widths = append(f.widths, float32(w))
	}
}
