package pdf

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/internal/charset"
)

// A cmap maps codes of a font: to characters (ToUnicode, ISO 32000-2 section 9.10.3), or to CIDs (9.7.5).
type cmap struct {
	lengths  [5]bool // lengths of codes, in bytes, that it has
	spaces   []codeSpace
	chars    map[uint32]string // by code
	ranges   []codeRange       // ordered by first code
	vertical bool
	decoder  *charset.Decoder // of codes that are a legacy encoding; they have no CIDs here
	isUTF16  bool             // the codes are UTF-16

	isHalfWidth bool // ASCII has half the width of ideographs
}

// A codeSpace is a range of codes of some length.
type codeSpace struct {
	size        int
	first, last uint32
}

// A codeRange maps the codes from first to last to successive numbers.
type codeRange struct{ first, last, to uint32 }

// maxMappings limits the mappings of a CMap.
const maxMappings = 1 << 17

// readCMap reads a CMap that is embedded in a file.
func readCMap(a *account, src []byte) *cmap {
	m := &cmap{chars: make(map[uint32]string)}
	p := valueParser{tokenizer: newTokenizer(a, src, 0), left: len(src)}
	var before []value // what precedes an operator
	for {
		v, ok := p.next()
		if !ok {
			break
		}
		if v.kind != wordValue {
			if len(before) < 300 { // an operator has at most a hundred entries (Adobe Technical Note 5014)
				before = append(before, v)
				continue
			}
			before = append(before[:0], before[len(before)-2:]...)
			before = append(before, v)
			continue
		}
		switch string(v.bytes()) {
		case "endcodespacerange":
			m.addSpaces(before)
		case "endbfchar", "endcidchar":
			m.addChars(before)
		case "endbfrange", "endcidrange":
			m.addRanges(before)
		case "def":
			if n := len(before); n >= 2 && before[n-2].is("WMode") {
				m.vertical = before[n-1].int() == 1
			}
		}
		before = before[:0]
	}
	slices.SortStableFunc(m.ranges, func(a, b codeRange) int { return int(int64(a.first) - int64(b.first)) })
	return m
}

// code returns the value and the length of a code in hexadecimal.
func code(v value) (c uint32, size int) {
	var d decoded
	if v.kind != stringValue {
		return uint32(v.int()), 0
	}
	d.read(v.src, v.start, v.end)
	for _, b := range d.bytes[:min(len(d.bytes), 4)] {
		c = c<<8 | uint32(b)
	}
	return c, min(len(d.bytes), 4)
}

func (m *cmap) addSpaces(entries []value) {
	for i := 0; i+1 < len(entries) && len(m.spaces) < 100; i += 2 {
		first, size := code(entries[i])
		last, _ := code(entries[i+1])
		m.spaces = append(m.spaces, codeSpace{size, first, last})
		m.lengths[size] = true
	}
}

// unicodeOf returns the characters of a string of ToUnicode: UTF-16.
func unicodeOf(v value) string {
	var d decoded
	if v.kind == nameValue {
		return charsOfName(string(v.bytes()))
	}
	if v.kind != stringValue {
		return ""
	}
	d.read(v.src, v.start, v.end)
	b := d.bytes[:min(len(d.bytes), 64)]
	if len(b) == 1 {
		return string(rune(b[0]))
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	return string(utf16.Decode(units))
}

func (m *cmap) addChars(entries []value) {
	for i := 0; i+1 < len(entries) && len(m.chars) < maxMappings; i += 2 {
		c, _ := code(entries[i])
		if entries[i+1].kind == numberValue {
			m.ranges = append(m.ranges, codeRange{c, c, uint32(entries[i+1].int())})
			continue
		}
		m.chars[c] = unicodeOf(entries[i+1])
	}
}

func (m *cmap) addRanges(entries []value) {
	for i := 0; i+2 < len(entries); i += 3 {
		first, _ := code(entries[i])
		last, _ := code(entries[i+1])
		if last < first || last-first > 1<<16 || len(m.ranges)+len(m.chars) > maxMappings {
			continue
		}
		switch to := entries[i+2]; to.kind {
		case numberValue:
			m.ranges = append(m.ranges, codeRange{first, last, uint32(to.int())})
		case arrayValue:
			for k, v := range to.items[:min(len(to.items), int(last-first)+1)] {
				m.chars[first+uint32(k)] = unicodeOf(v)
			}
		default:
			chars := unicodeOf(to)
			if r, size := utf8.DecodeRuneInString(chars); size > 0 && size == len(chars) {
				m.ranges = append(m.ranges, codeRange{first, last, uint32(r)})
			} else if size > 0 { // the last unit counts on
				tail, n := utf8.DecodeLastRuneInString(chars)
				for k := range min(last-first+1, 256) {
					m.chars[first+k] = chars[:len(chars)-n] + string(tail+rune(k))
				}
			}
		}
	}
}

// number returns the number to which a range maps c.
func (m *cmap) number(c uint32) (to uint32, ok bool) {
	i, found := slices.BinarySearchFunc(m.ranges, c, func(r codeRange, c uint32) int { return int(int64(r.first) - int64(c)) })
	if !found {
		i--
	}
	for n := 0; i >= 0 && n < 2; i, n = i-1, n+1 { // two may overlap
		if r := m.ranges[i]; c <= r.last {
			return r.to + c - r.first, true
		}
	}
	return 0, false
}

// charsOf returns the characters of a code.
func (m *cmap) charsOf(c uint32) (string, bool) {
	if s, ok := m.chars[c]; ok {
		return s, true
	}
	if n, ok := m.number(c); ok {
		return string(rune(n)), true
	}
	return "", false
}

// next returns the first code of s, and its length.
func (m *cmap) next(s []byte) (c uint32, size int) {
	if m.isUTF16 || m.decoder == nil && len(m.spaces) == 0 {
		if len(s) < 2 {
			return uint32(s[0]), 1
		}
		c = uint32(s[0])<<8 | uint32(s[1])
		if m.isUTF16 && c>>10 == 0xd800>>10 && len(s) >= 4 {
			return c<<16 | uint32(s[2])<<8 | uint32(s[3]), 4
		}
		return c, 2
	}
	if m.decoder != nil {
		if s[0] < 0x80 || len(s) < 2 {
			return uint32(s[0]), 1
		}
		return uint32(s[0])<<8 | uint32(s[1]), 2
	}
	least := 0
	for n := 1; n <= min(4, len(s)); n++ {
		c = c<<8 | uint32(s[n-1])
		if !m.lengths[n] {
			continue
		}
		if least == 0 {
			least = n
		}
		for _, space := range m.spaces {
			if space.size == n && space.contains(c) {
				return c, n
			}
		}
	}
	least = max(least, 1)
	c = 0
	for _, b := range s[:min(least, len(s))] {
		c = c<<8 | uint32(b)
	}
	return c, min(least, len(s))
}

// contains reports whether each byte of c is in the range of that byte.
func (s codeSpace) contains(c uint32) bool {
	for k := range s.size {
		shift := 8 * k
		if b := c >> shift & 0xff; b < s.first>>shift&0xff || b > s.last>>shift&0xff {
			return false
		}
	}
	return true
}

// legacy holds the encodings that are the codes of predefined CMaps (section 9.7.5.2, table 116), by a part
// of their names.
var legacy = []struct {
	part    string
	charset string
}{
	{"GBK", "gbk"}, {"GB-EUC", "gbk"}, {"GBpc-EUC", "gbk"}, {"B5", "big5"}, {"HKscs", "big5"}, {"RKSJ", "shift_jis"}, {"EUC-H", "euc-jp"}, {"EUC-V", "euc-jp"},
	{"KSC", "euc-kr"},
}

// halfWidth holds parts of the names of CMaps that map ASCII to glyphs of half the width of ideographs; the
// others map it to proportional ones.
var halfWidth = []string{"HW", "90ms-", "GB-EUC", "GBK-EUC", "GBK2K", "EUC-H", "EUC-V"}

// predefinedCMap returns a CMap that programs know by its name; nil if this one does not.
func predefinedCMap(name string) *cmap {
	m := &cmap{vertical: strings.HasSuffix(name, "-V") || name == "V"}
	for _, part := range halfWidth {
		m.isHalfWidth = m.isHalfWidth || strings.Contains(name, part)
	}
	switch {
	case strings.HasPrefix(name, "Identity"):
		return m
	case strings.Contains(name, "UTF16"), strings.Contains(name, "UCS2"):
		m.isUTF16 = true
		return m
	}
	if strings.HasPrefix(name, "KSC") { // "KSC-EUC-H" is not Japanese
		m.decoder = charset.NewDecoder("euc-kr")
		return m
	}
	for _, l := range legacy {
		if strings.Contains(name, l.part) {
			m.decoder = charset.NewDecoder(l.charset)
			return m
		}
	}
	return nil
}

// ownChars returns the characters of a code whose CMap says what they are: UTF-16, or a legacy encoding.
func (m *cmap) ownChars(c uint32, size int) string {
	switch {
	case m.isUTF16 && size == 4:
		return string(utf16.DecodeRune(rune(c>>16), rune(c&0xffff)))
	case m.isUTF16:
		return string(rune(c))
	case m.decoder != nil:
		b := []byte{byte(c >> 8), byte(c)}[2-size:]
		if s := m.decoder.Bytes(b); !bytes.ContainsRune(s, utf8.RuneError) {
			return string(s)
		}
	}
	return ""
}
