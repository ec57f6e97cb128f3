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
		{"nothing known", "names.cff", "FontFile9", strings.Repeat(glyphCodes(url, 4, 1), 2), "/Subtype/Type0/Encoding/Identity-H", []string{"note: a PDF with text in 1 font whose characters are not known: that text is not read"}},
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
