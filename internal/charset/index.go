// Package charset decodes and encodes the charsets of the Encoding Standard, except UTF-8, as the standard
// does: byte for byte. The tables of golang.org/x/text differ. They lack the C1 controls and private use
// characters of the indexes, so that a page with the wrong label would lose bytes, and they decode invalid
// pairs differently.
//
// Sections are those of https://encoding.spec.whatwg.org as of 2026.
package charset

import (
	_ "embed"
	"sort"
	"strings"
	"sync"
)

//go:generate go run gen.go encoding

// An Index is a table of the standard: the characters of pointers (5).
type Index struct {
	Name string
	Size int
	at   int // the place of its first entry in indexes
}

// indexes holds the entries of all Indexes in 16 bits each, little-endian; 0 is none. Entries in the range of surrogates are
// characters of plane 2, whose lower 16 bits are at the end.
//
//go:embed indexes.bin
var indexes string

// Astral is the number of characters of plane 2.
const Astral = 1713

// Layout is the order of indexes. Gb18030-ranges has pairs of a pointer and a character.
var Layout = func() []*Index {
	all := []*Index{{Name: "gb18030", Size: 23940}, {Name: "big5", Size: 19782}, {Name: "euc-kr", Size: 23940}, {Name: "jis0208", Size: 11280},
		{Name: "jis0212", Size: 8836}, {Name: "iso-2022-jp-katakana", Size: 63}, {Name: "gb18030-ranges", Size: 2 * 206}}
	for _, name := range strings.Fields(singles) {
		all = append(all, &Index{Name: name, Size: 128})
	}
	at := 0
	for _, x := range all {
		x.at = at
		at += x.Size
	}
	return all
}()

// singles are the charsets of single bytes that have an index.
const singles = "ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 " +
	"iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 " +
	"windows-1257 windows-1258 x-mac-cyrillic"

var gb18030Index, big5Index, eucKRIndex, jis0208, jis0212, katakana, gb18030Ranges = Layout[0], Layout[1], Layout[2], Layout[3], Layout[4], Layout[5], Layout[6]

func entry(i int) rune { return rune(indexes[2*i]) | rune(indexes[2*i+1])<<8 }

// Rune returns the character of a pointer, 0 if there is none.
func (x *Index) Rune(pointer int) rune {
	if uint(pointer) >= uint(x.Size) {
		return 0
	}
	r := entry(x.at + pointer)
	if r&^0x7ff == 0xd800 {
		r = 0x20000 | entry(len(indexes)/2-Astral+int(r-0xd800))
	}
	return r
}

// rangesRune is the "index gb18030 ranges code point" of a pointer, 0 if there is none.
func rangesRune(pointer int) rune {
	switch {
	case pointer > 39419 && pointer < 189000, pointer > 1237575:
		return 0
	case pointer == 7457:
		return 0xe7c7
	case pointer >= 189000:
		return rune(0x10000 + pointer - 189000)
	}
	at := gb18030Ranges.at
	i := sort.Search(gb18030Ranges.Size/2, func(i int) bool { return int(entry(at+2*i)) > pointer }) - 1
	return entry(at+2*i+1) + rune(pointer) - entry(at+2*i)
}

// rangesPointer is the "index gb18030 ranges pointer" of a character.
func rangesPointer(r rune) int {
	switch {
	case r == 0xe7c7:
		return 7457
	case r >= 0x10000:
		return 189000 + int(r) - 0x10000
	}
	at := gb18030Ranges.at
	i := sort.Search(gb18030Ranges.Size/2, func(i int) bool { return entry(at+2*i+1) > r }) - 1
	return int(entry(at+2*i) + r - entry(at+2*i+1))
}

// pointers inverts the part of an index from pointer first on: it returns the "index pointer" of each
// character, plus 1, 0 for none. Of several pointers, the first one counts, or for characters in last, the
// last one; those that skip excludes do not count.
func pointers(x *Index, first int, last string, skip func(pointer int) bool) map[rune]uint16 {
	inverse := make(map[rune]uint16, x.Size)
	for p := first; p < x.Size; p++ {
		r := x.Rune(p)
		if r == 0 || skip != nil && skip(p) {
			continue
		}
		if _, ok := inverse[r]; !ok || strings.ContainsRune(last, r) {
			inverse[r] = uint16(p + 1)
		}
	}
	return inverse
}

// labels.txt has the labels of each charset (4.2).
//
//go:embed labels.txt
var labels string

var names = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, 300)
	for line := range strings.Lines(labels) {
		name, all, _ := strings.Cut(line, ":")
		for _, label := range strings.Fields(all) {
			m[label] = name
		}
	}
	return m
})

// Lookup returns the name, in lower case, of the charset with this label; "" if there is none: "get an encoding" (4.2).
func Lookup(label string) string {
	label = strings.Trim(label, "\t\n\f\r ")
	if label == "utf-8" {
		return label
	}
	return names()[strings.ToLower(label)]
}
