package pdf

import (
	"bytes"
	"compress/lzw"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// Pages, CMaps, files and damaged files have the contents that they had.
func TestPinned(t *testing.T) {
	mixture := func(name string) scantest.Mixture {
		m := scantest.Mixture{Grammar: scantest.Grammars["application/pdf"], Count: 720}
		switch name {
		case "content":
			m.Grammar = scantest.Grammar{Tokens: `( ) [ ] < > << >> Tj TJ T* ' Td q Q ET BT \\ -9 .5 a http://h.example/ - / . EMC`}
		case "cmap":
			m.Grammar = scantest.Grammar{Tokens: "< > [ ] 00 ff 61 0068 1 endbfchar endbfrange beginbfrange"}
		case "damaged":
			m.Grammar = scantest.Grammar{}
		}
		return m
	}
	files := pinnedFiles(t)
	scantest.Pinned(t, mixture, func(name string, i int, doc []byte) string {
		switch name {
		case "content":
			return pinnedItems(pinnedPage(i, doc))
		case "cmap":
			return pinnedCMap(i, doc)
		case "damaged":
			return pinnedDamage(i, files)
		}
		return pinnedItems(doc)
	})
}

// pinnedItems returns all that src contains, and its words.
func pinnedItems(src []byte) string {
	var b strings.Builder
	s := &Scanner{ReadAs: func(mediaType, name string) string { return mediaType }}
	for it := range s.Scan(src) {
		fmt.Fprintf(&b, "%v %v %v %v %v %d %v %s %v %q %q %s %s %s %q %s", uint8(it.Op), it.Kind, it.How, it.IgnoresBase, it.Loose, it.Depth, it.Labels.Names(), it.In, it.Span, it.Value, it.Meant, it.Type, it.Name, it.Space, it.Text, it.Code)
		more := it.Extra()
		more.Message = nil
		fmt.Fprintf(&b, " %+v\n", more)
		if it.Op == scan.Ref && it.Map != nil {
			span, isExact := it.Map.Back(scan.Span{End: len(it.Value)})
			fmt.Fprintln(&b, span, isExact)
		}
	}
	return b.String()
}

// pinnedFonts are objects of fonts, of which 10 is a CMap or a font program.
var pinnedFonts = []string{
	"/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding",
	"/Subtype/Type1/BaseFont/Courier",
	"/Subtype/Type1/BaseFont/Times-Roman/Encoding/MacRomanEncoding",
	"/Subtype/Type1/BaseFont/Symbol",
	"/Subtype/Type1/Encoding<</Differences[1/ffi/similar 3/uni0068/u1F600 104/g12/h]>>/FirstChar 32/LastChar 126/Widths[" + strings.Repeat("500 600 ", 47) + "]",
	"/Subtype/TrueType/BaseFont/ABCDEF+Arial/ToUnicode 10 0 R/FirstChar 1/Widths[" + strings.Repeat("510 ", 120) + "]",
	"/Subtype/Type3/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0/Widths[" + strings.Repeat("500 ", 128) + "]/Encoding<</Differences[47/#2f 58/:/; 99/c/d/e/f/g/h 111/o/p 116/t]>>",
	"/Subtype/Type0/Encoding/Identity-H/ToUnicode 10 0 R/DescendantFonts[<</DW 600/W[1[500 600]32 126 550]>>]",
	"/Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</CIDSystemInfo<</Ordering(Japan1)>>/W[1 95 500]>>]",
	"/Subtype/Type0/Encoding/Identity-V/DescendantFonts[<</CIDSystemInfo<</Ordering(GB1)>>/DW2[880 -1000]/W2[1 95 -500 250 800]>>]",
	"/Subtype/Type0/Encoding/UniGB-UTF16-H/DescendantFonts[<</CIDSystemInfo<</Ordering(GB1)>>/DW 1000>>]",
	"/Subtype/Type0/Encoding/UniJIS-UTF16-V",
	"/Subtype/Type0/Encoding/GBK-EUC-H",
	"/Subtype/Type0/Encoding/90ms-RKSJ-H/DescendantFonts[<</CIDSystemInfo<</Ordering(Japan1)>>>>]",
	"/Subtype/Type0/Encoding/KSCms-UHC-H",
	"/Subtype/Type0/Encoding/ETen-B5-V",
	"/Subtype/Type0/Encoding 10 0 R/DescendantFonts[<</CIDSystemInfo<</Ordering(Korea1)>>>>]",
	"/Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</Subtype/CIDFontType2/DW 600/FontDescriptor<</FontFile2 10 0 R>>>>]",
}

// pinnedCMapText is the CMap of the fonts of pages.
const pinnedCMapText = "1 begincodespacerange<00><ff>endcodespacerange 1 beginbfrange<20><7e><0020>endbfrange 2 beginbfchar<01><006600660069><02><00ad>endbfchar"

// pinnedPage returns a PDF with a page of some content. The fonts, links and filters depend on i.
func pinnedPage(i int, content []byte) []byte {
	fonts := [2]string{pinnedFonts[i%len(pinnedFonts)], pinnedFonts[i/len(pinnedFonts)%len(pinnedFonts)]}
	data, filter := pinnedFilter(i, content)
	entries := "/Resources<</Font<</F 5 0 R/G 6 0 R>>/XObject<</X 8 0 R>>>>"
	if i%2 == 1 {
		entries += fmt.Sprintf("/Rotate %d/Annots[<</Subtype/Link/Rect[70 %d 250 %d]/A<</S/URI/URI(http://h.example/a%d)>>>>]", i%4*90, 590-i%60, 612+i%60, i%3)
	}
	src := fmt.Sprintf("%%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]>>endobj 3 0 obj<</Type/Page/Contents 4 0 R%s>>endobj "+
		"4 0 obj<<%s/Length %d>>stream\n%s\nendstream endobj 5 0 obj<</Type/Font%s>>endobj 6 0 obj<</Type/Font%s>>endobj "+
		"8 0 obj<</Subtype/Form/Matrix[1 0 0 1 5 5]/Resources<</Font<</F 5 0 R>>>>/Length 48>>stream\nBT /F 9 Tf 72 300 Td (http://h.example/form) Tj ET\nendstream endobj "+
		"10 0 obj<<>>stream\n%s\nendstream endobj trailer<</Root 1 0 R>>", entries, filter, len(data), data, fonts[0], fonts[1], pinnedCMapText)
	return []byte(src)
}

// pinnedFilter returns data encoded, and the entries of its stream. The filter depends on i.
func pinnedFilter(i int, data []byte) (encoded []byte, entries string) {
	switch i % 8 {
	case 1:
		return []byte(deflate(string(data))), "/Filter/FlateDecode"
	case 2:
		var b bytes.Buffer
		w := lzw.NewWriter(&b, lzw.MSB, 8)
		_, _ = w.Write(data)
		_ = w.Close()
		return b.Bytes(), "/Filter/LZWDecode/DecodeParms<</EarlyChange 0>>"
	case 3:
		in85 := make([]byte, ascii85.MaxEncodedLen(len(data)))
		return append(in85[:ascii85.Encode(in85, data)], "~>"...), "/Filter[/A85]"
	case 4:
		return []byte(hex.EncodeToString(data)), "/Filter/AHx"
	case 5:
		for len(data) < 200 || len(data)%5 > 0 {
			data = append(data, ' ')
		}
		return []byte(deflate(png(string(data), 5, 1, byte(i/8%5)))), "/Filter/Fl/DecodeParms<</Predictor 15/Columns 5>>"
	case 6:
		return []byte(deflate(tiff(string(data), 7))), "/Filter/Fl/DecodeParms<</Predictor 2/Columns 7>>"
	}
	return data, ""
}

// pinnedCMap describes a CMap: its codes, and a page with a font that uses it.
func pinnedCMap(i int, text []byte) string {
	var b strings.Builder
	m := readCMap(testAccount(), text)
	fmt.Fprintln(&b, m.lengths, m.spaces, m.ranges, m.vertical)
	for _, c := range slices.Sorted(maps.Keys(m.chars)) {
		fmt.Fprintf(&b, "%x %q\n", c, m.chars[c])
	}
	for rest := []byte("http://h\x81\x40\x8e\xa1\xa1\xa1\xe0\x40\x41\xff\x00\x68\x00a b\x81"); len(rest) > 0; {
		c, size := m.next(rest)
		chars, ok := m.charsOf(c)
		fmt.Fprintf(&b, "%x %d %q %v\n", c, size, chars, ok)
		rest = rest[min(max(1, size), len(rest)):]
	}
	font := pinnedFonts[[]int{5, 7, 16}[i%3]]
	src := inPage("BT /F 10 Tf 72 700 Td (http://h.example/a) Tj 0 -20 Td <0068007400740070003a002f002f0068> Tj ET", "", "5 0 obj<</Type/Font"+font+">>endobj", strings.Replace(withStream("", string(text)), "9 0 obj", "10 0 obj", 1))
	return b.String() + pinnedItems([]byte(src))
}

// A pinnedFile is a PDF or a font program.
type pinnedFile struct {
	name string
	text []byte
}

func pinnedFiles(t *testing.T) (all []pinnedFile) {
	for _, name := range []string{"links.pdf", "rc4-40.pdf", "rc4-128.pdf", "aes-128.pdf", "aes-256.pdf", "fonts/cmap.ttf", "fonts/post.ttf", "fonts/names.cff", "fonts/encoding.cff"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pinnedFile{name, text})
	}
	return all
}

// pinnedDamage describes a file of which up to three bytes have changed. The first ones are whole.
func pinnedDamage(i int, files []pinnedFile) string {
	f := files[i%len(files)]
	text := slices.Clone(f.text)
	r := rand.New(rand.NewPCG(36, uint64(i)))
	for range min(3, i/len(files)) {
		text[r.IntN(len(text))] = []byte{0, 1, 2, 4, 6, 12, 0x20, '0', '/', '>', 0x7f, 0xff}[r.IntN(12)]
	}
	if strings.HasSuffix(f.name, ".pdf") {
		return pinnedItems(text)
	}
	var b strings.Builder
	font := fontFileOf(text)
	chars := font.glyphChars()
	for _, g := range slices.Sorted(maps.Keys(chars)) {
		fmt.Fprintf(&b, "%v %q\n", g, chars[g])
	}
	fmt.Fprintf(&b, "%+v\n", readCFF(font.cff).table())
	return b.String()
}
