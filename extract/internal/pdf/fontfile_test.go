package pdf

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fontChars are the characters of the glyphs 1 to 13 of the fonts in testdata/fonts, which have no outlines: made with fontTools 4.68.
const fontChars = "htp:/w.examl-1"

// glyphCodes returns text as codes of glyphs, in hexadecimal with a number of digits.
func glyphCodes(text string, digits, first int) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%0*x", digits, first+strings.IndexByte(fontChars, c))
	}
	return b.String()
}

func readFont(t testing.TB, name string) string {
	b, err := os.ReadFile(filepath.Join("testdata", "fonts", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Text whose codes are numbers of glyphs is read by the font program, if the file has no ToUnicode.
func TestFontPrograms(t *testing.T) {
	const url = "http://w.example/a-1"
	for _, test := range []struct {
		about, font, key, code, object string
		want                           []string
	}{
		{"characters", "cmap.ttf", "FontFile2", glyphCodes(url, 4, 1), "/Subtype/Type0/Encoding/Identity-H", []string{"page 1: " + url}},
		{"names", "post.ttf", "FontFile2", glyphCodes(url, 4, 1), "/Subtype/Type0/Encoding/Identity-H", []string{"page 1: " + url}},
		{"names of CFF", "names.cff", "FontFile3", glyphCodes(url, 4, 1), "/Subtype/Type0/Encoding/Identity-H", []string{"page 1: " + url}},
		{"an encoding", "encoding.cff", "FontFile3", glyphCodes(url, 2, 'A'), "/Subtype/Type1/FontDescriptor 9 0 R", []string{"page 1: " + url}},
		{"an unknown glyph behind it", "cmap.ttf", "FontFile2", glyphCodes(url, 4, 1) + "0063" + glyphCodes("example", 4, 1), "/Subtype/Type0/Encoding/Identity-H", []string{"page 1: " + url + " may-continue"}},
		{"nothing known", "names.cff", "FontFile9", strings.Repeat(glyphCodes(url, 4, 1), 2), "/Subtype/Type0/Encoding/Identity-H", []string{"note: a PDF with text in 1 font whose characters are not known, 40 characters on 1 page: that text is not read"}},
	} {
		data := readFont(t, test.font)
		src := inPage("BT /F 10 Tf <"+test.code+"> Tj ET", "", "5 0 obj<</Type/Font/BaseFont/T/DescendantFonts[8 0 R]"+test.object+">>endobj",
			"8 0 obj<</Subtype/CIDFontType2/DW 600/FontDescriptor 9 0 R>>endobj 9 0 obj<</"+test.key+" 10 0 R>>endobj",
			fmt.Sprintf("10 0 obj<</Length %d>>stream\n%s\nendstream endobj", len(data), data))
		if got := inPages(src); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}

// Damaged font programs end within bounds.
func TestDamagedFonts(t *testing.T) {
	for _, name := range []string{"cmap.ttf", "post.ttf", "names.cff", "encoding.cff"} {
		data := []byte(readFont(t, name))
		for i := range data {
			for _, c := range []byte{0, 1, 4, 12, 0x7f, 0xff} {
				changed := slices.Clone(data)
				changed[i] = c
				f := fontFileOf(changed)
				if n := len(f.glyphChars()); n > maxGlyphs {
					t.Fatalf("%s: byte %d is %d: %d glyphs", name, i, c, n)
				}
				readCFF(f.cff).table()
			}
			fontFileOf(data[:i]).glyphChars()
		}
	}
}

func FuzzFontFile(f *testing.F) {
	for _, name := range []string{"cmap.ttf", "post.ttf", "names.cff", "encoding.cff"} {
		f.Add([]byte(readFont(f, name)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		font := fontFileOf(src)
		if n := len(font.glyphChars()); n > maxGlyphs {
			t.Fatalf("%d glyphs", n)
		}
		readCFF(font.cff).table()
	})
}

// Numbers of dictionaries: Adobe Technical Note 5176, table 4 and its examples.
func TestCFFNumbers(t *testing.T) {
	for _, test := range []struct {
		src      string
		n, size  int
		isNumber bool
	}{
		{"\x8b", 0, 1, true}, {"\xef", 100, 1, true}, {"\x27", -100, 1, true}, {"\x20", -107, 1, true}, {"\xf6", 107, 1, true},
		{"\xf7\x00", 108, 2, true}, {"\xfa\x7c", 1000, 2, true}, {"\xfa\xff", 1131, 2, true}, {"\xf8\x01", 365, 2, true},
		{"\xfb\x00", -108, 2, true}, {"\xfe\x7c", -1000, 2, true}, {"\xfe\xff", -1131, 2, true}, {"\xfc\x01", -365, 2, true},
		{"\x1c\x27\x10", 10000, 3, true}, {"\x1c\xd8\xf0", -10000, 3, true}, {"\x1d\x00\x01\x86\xa0", 100000, 5, true}, {"\x1d\xff\xfe\x79\x60", -100000, 5, true},
		{"\x1e\xe2\xa2\x5f\x8b", 0, 4, true}, {"\x1e\x0a\x14\x05\x41\xc3\xff", 0, 7, true}, // -2.25, 0.140541E-3
		{"\x11", 0, 1, false}, {"\x1f", 0, 1, false}, {"\xff", 0, 1, false}, {"\xf7", 0, 1, false}, {"\xfb", 0, 1, false},
	} {
		if n, size, isNumber := cffNumber([]byte(test.src)); n != test.n || size != test.size || isNumber != test.isNumber {
			t.Errorf("%x: %d %d %v, want %d %d %v", test.src, n, size, isNumber, test.n, test.size, test.isNumber)
		}
	}
}

// The subtables of "cmap", by format: https://learn.microsoft.com/typography/opentype/spec/cmap
func TestCMapFormats(t *testing.T) {
	u := func(values ...int) string { // 16 bits each
		var b strings.Builder
		for _, v := range values {
			b.WriteString(string([]byte{byte(v >> 8), byte(v)}))
		}
		return b.String()
	}
	byteTable := u(0, 262, 0) + strings.Repeat("\x00", 'a') + "\x03\x05" + strings.Repeat("\x00", 256-'a'-2)
	segments := u(4, 0, 0, 6, 0, 0, 0, 'b', 'y', 0xffff, 0, 'a', 'x', 0xffff, -'a'+3, 1, 1, 0, 4, 0, 6, 8)
	groups := u(12, 0, 0, 0, 0, 0, 0, 2, 0, 'a', 0, 'b', 0, 3, 1, 0xf600, 1, 0xf600, 0, 7)
	for _, test := range []struct {
		about, table string
		platforms    []int
		want         string
	}{
		{"0", byteTable, []int{3, 1}, "map[3:a 5:b]"},
		{"4", segments, []int{3, 1}, "map[3:a 4:b 7:x 9:y]"},
		{"6", u(6, 0, 0, 'a', 2, 3, 5), []int{0, 3}, "map[3:a 5:b]"},
		{"12", groups, []int{3, 10}, "map[3:a 4:b 7:😀]"},
		{"12 of all Unicode", groups, []int{0, 6}, "map[3:a 4:b 7:😀]"},
		{"a symbol font", u(6, 0, 0, 'a', 1, 3), []int{3, 0}, "map[]"},
		{"variations", groups, []int{0, 5}, "map[]"},
		{"another format", u(2, 0, 0, 'a', 1, 3), []int{3, 1}, "map[]"},
	} {
		m := &glyphSet{map[uint32]string{}, 100, 400}
		fontFile{cmap: []byte(u(0, 1, test.platforms[0], test.platforms[1], 0, 12) + test.table)}.reversedCMap(m)
		if got := fmt.Sprint(m.chars); got != test.want {
			t.Errorf("format %s: %s, want %s", test.about, got, test.want)
		}
	}
	both := u(0, 2, 3, 1, 0, 20, 3, 10, 0, 34) + u(6, 0, 0, 'a', 1, 3, 0) + groups
	m := &glyphSet{map[uint32]string{}, 100, 400}
	fontFile{cmap: []byte(both)}.reversedCMap(m)
	if got, want := fmt.Sprint(m.chars), "map[3:a 4:b 7:😀]"; got != want {
		t.Errorf("the larger of two: %s, want %s", got, want)
	}
}
