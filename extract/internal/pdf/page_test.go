package pdf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// inPage returns a PDF with one page: its content, its resources and annotations, and further objects.
func inPage(content, entries string, objects ...string) string {
	if !strings.Contains(entries, "/Resources") {
		entries += "/Resources<</Font<</F 5 0 R/G 6 0 R>>>>"
	}
	return "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]>>endobj " +
		"3 0 obj<</Type/Page/Contents 4 0 R" + entries + ">>endobj 4 0 obj<<>>stream\n" + content + "\nendstream endobj " +
		"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>endobj 6 0 obj<</Type/Font/Subtype/Type1/BaseFont/Courier>>endobj " +
		strings.Join(objects, " ") + " trailer<</Root 1 0 R>>"
}

// inPages returns the references of src on pages, and the notes, each as a text.
func inPages(src string) (list []string) {
	where := ""
	for it := range new(Scanner).Scan([]byte(src)) {
		more := it.Extra()
		switch {
		case it.Op == scan.Open:
			where = it.Name + ": "
		case it.Op == scan.Note:
			list = append(list, "note: "+it.Text)
		case it.Op == scan.Ref && more.Page > 0:
			s := fmt.Sprintf("%s%s%s", where, it.Meant, it.Value)
			if more.Longer != nil {
				s += " or " + string(more.Longer)
			}
			if len(more.Boxes) != 1 {
				s += fmt.Sprintf(" in %d", len(more.Boxes))
			}
			if it.Text != "" {
				s += " shown as " + it.Text
			}
			list = append(list, strings.Join(append([]string{s}, it.Labels.Names()...), " "))
		case it.Op == scan.Close:
			where = ""
		}
	}
	return list
}

// The text of a page, in the order in which it is read, gives its URLs.
func TestText(t *testing.T) {
	toUnicode := withStream("8 0 obj<<", "1 begincodespacerange<00><ff>endcodespacerange 2 beginbfrange<01><09><0068>\n<10><11>[<0074><00740070>]endbfrange 1 beginbfchar<20><003a002f002f>endbfchar")
	for _, test := range []struct {
		about, src string
		want       []string
	}{
		{"a string", inPage("BT /F 10 Tf 72 700 Td (see http://h/a.) Tj ET", ""), []string{"page 1: http://h/a"}},
		{"its escapes", inPage(`BT /F 10 Tf (http://h/\(a\)\137b) Tj ET`, ""), []string{"page 1: http://h/(a)_b"}},
		{"in hexadecimal", inPage("BT /F 10 Tf <687474703a2f2f682f61> Tj ET", ""), []string{"page 1: http://h/a"}},
		{"kerning is no space", inPage("BT /F 10 Tf [(http)-20(://h)30(/a)] TJ ET", ""), []string{"page 1: http://h/a"}},
		{"a gap is one", inPage("BT /F 10 Tf [(http://h/a)-300(b)] TJ ET", ""), []string{"page 1: http://h/a"}},
		{"the next string on a line", inPage("BT /F 10 Tf (http://h/) Tj 33.4 0 Td (a) Tj ET", ""), []string{"page 1: http://h/a"}},
		{"pieces in another order", inPage("BT /G 10 Tf 100 0 Td (://h/) Tj -24 0 Td (http) Tj 54 0 Td (a) Tj ET", ""), []string{"page 1: http://h/a"}},
		{"drawn twice", inPage("BT /G 10 Tf (http://h/a) Tj ET BT /G 10 Tf .3 0 Td (http://h/a) Tj ET", ""), []string{"page 1: http://h/a"}},
		{"narrow letters set tightly", inPage("BT /F 10 Tf [(http://h/il)40(l)] TJ ET", ""), []string{"page 1: http://h/ill"}},
		{"narrow letters drawn twice", inPage("BT /F 10 Tf [(http://h/il)180(l)] TJ ET", ""), []string{"page 1: http://h/il"}},
		{"columns", inPage("BT /G 10 Tf (http://h/a) Tj 100 0 Td (b) Tj ET", ""), []string{"page 1: http://h/a"}},
		{"operators with strings", inPage("BT /F 10 Tf 12 TL (http://h/a) ' 0 0 (http://h/b) \" T* (http://h/c) Tj ET", ""), []string{"page 1: http://h/a", "page 1: http://h/b", "page 1: http://h/c"}},
		{"turned", inPage("BT /F 10 Tf 0 1 -1 0 300 100 Tm (http://h/) Tj (a) Tj ET", ""), []string{"page 1: http://h/a"}},
		{"invisible, above a scan", inPage("BT 3 Tr /F 10 Tf (http://h/a) Tj ET", ""), []string{"page 1: http://h/a"}},
		{"behind an inline image", inPage("BI /W 1 /H 1 ID \x00EI\x01 EI BT /F 10 Tf (http://h/a) Tj ET", ""), []string{"page 1: http://h/a"}},
		{"a ligature", inPage("BT /F 10 Tf (http://h/o\\001ce) Tj ET", "", "5 0 obj<</Subtype/Type1/Encoding<</Differences[1/ffi]>>>>endobj"), []string{"page 1: http://h/office"}},
		{"TeX's tilde", inPage("BT /F 10 Tf (http://h/\\001u) Tj ET", "", "5 0 obj<</Subtype/Type1/Encoding<</Differences[1/similar]>>>>endobj"), []string{"page 1: http://h/~u"}},
		{"characters as names", inPage("BT /F 10 Tf (http://h/o\\016ce) Tj ET", "", "5 0 obj<</Subtype/Type3/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0/Widths["+strings.Repeat("500 ", 128)+"]/Encoding<</Differences[14/#0e 46/. 47/#2f 58/:/; 99/c/d/e/f/g/h 111/o/p 116/t]>>>>endobj"), []string{"page 1: http://h/office"}},
		{"a font of pixels", inPage("BT /F .24 Tf 9 100 Td [(http:)-1000(//h/o)-1000(ct)-30000(to)]TJ ET", "", "5 0 obj<</Subtype/Type3/FontMatrix[1 0 0 -1 0 0]/FontBBox[0 0 1000 1000]/FirstChar 0/Widths["+strings.Repeat("0 ", 46)+strings.Repeat("20 ", 82)+"]/Encoding<</Differences[47/#2f 58/:/; 99/c/d/e/f/g/h 111/o/p 116/t]>>>>endobj"), []string{"page 1: http://h/oct"}},
		{"ToUnicode", inPage("BT /F 10 Tf <011011> Tj <20014747> Tj ET", "", "5 0 obj<</Subtype/TrueType/ToUnicode 8 0 R>>endobj", toUnicode), []string{"page 1: http://hGG"}},
		{"a tab for a space", inPage("BT /F 10 Tf <0110112047210111> Tj ET", "", "5 0 obj<</Subtype/TrueType/ToUnicode 8 0 R>>endobj", withStream("8 0 obj<<", "3 beginbfrange<01><09><0068>\n<10><11>[<0074><00740070>]<21><22><0009>endbfrange 1 beginbfchar<20><003a002f002f>endbfchar")), []string{"page 1: http://G"}},
		{"a composite font", inPage("BT /F 10 Tf <0001> Tj <001000110020000100050002> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/Identity-H/ToUnicode 8 0 R>>endobj", toUnicode), []string{"page 1: http://hli"}},
		{"CIDs of a collection", inPage("BT /F 10 Tf <0049005500550051001b001000100049001000420044> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</CIDSystemInfo<</Ordering(Japan1)>>>>]>>endobj"), []string{"page 1: http://h/ac"}},
		{"half-width CIDs of Japan1", inPage("BT /F 10 Tf <012f013b013b0137010100f600f6012f00f6012800f40141012600f7> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 500/CIDSystemInfo<</Ordering(Japan1)>>>>]>>endobj"), []string{"page 1: http://h/a-z_0"}},
		{"half-width CIDs of GB1", inPage("BT /F 10 Tf <037503810381037d0347033c033c0375033c036e033a0387036c033d> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 500/CIDSystemInfo<</Ordering(GB1)>>>>]>>endobj"), []string{"page 1: http://h/a-z_0"}},
		{"half-width CIDs of CNS1", inPage("BT /F 10 Tf <359835a435a435a0356a355f355f3598355f3591355d35aa358f3560> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 500/CIDSystemInfo<</Ordering(CNS1)>>>>]>>endobj"), []string{"page 1: http://h/a-z_0"}},
		{"half-width CIDs of Korea1", inPage("BT /F 10 Tf <1fe61ff21ff21fee1fb81fad1fad1fe61fad1fdf1fab1ff81fdd1fae> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 500/CIDSystemInfo<</Ordering(Korea1)>>>>]>>endobj"), []string{"page 1: http://h/a-z_0"}},
		{"a tilde of Japan1", inPage("BT /F 10 Tf <012f013b013b0137010100f600f6012f00f60064013c> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 500/CIDSystemInfo<</Ordering(Japan1)>>>>]>>endobj"), []string{"page 1: http://h/~u"}},
		{"UTF-16", inPage("BT /F 10 Tf <0068007400740070003a002f002f0068002f4e2d> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/UniGB-UTF16-H>>endobj"), []string{"page 1: http://h/中"}},
		{"GBK", inPage("BT /F 10 Tf (http://h/\xd6\xd0) Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/GBK-EUC-H>>endobj"), []string{"page 1: http://h/中"}},
		{"vertical", inPage("BT /F 10 Tf <0068007400740070003a002f002f0068002f0061> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/UniJIS-UTF16-V>>endobj"), []string{"page 1: http://h/a"}},
		{"ActualText", inPage("BT /F 10 Tf /Span<</ActualText(http://h/a)>>BDC (xyz) Tj EMC ET", ""), []string{"page 1: http://h/a"}},
		{"a form", inPage("/X Do", "/Resources<</XObject<</X 8 0 R>>>>", withStream("8 0 obj<</Subtype/Form/Matrix[1 0 0 1 5 5]/Resources<</Font<</F 5 0 R>>>>", "BT /F 10 Tf (http://h/a) Tj ET")), []string{"page 1: http://h/a"}},
		{"a form in itself", inPage("/X Do", "/Resources<</XObject<</X 8 0 R>>>>", withStream("8 0 obj<</Subtype/Form/Resources<</Font<</F 5 0 R>>/XObject<</X 8 0 R>>>>", "/X Do BT /F 10 Tf (http://h/a) Tj ET")), []string{"page 1: http://h/a"}},
		{"two streams", strings.Replace(inPage("BT /F 10 Tf (http:", "", withStream("8 0 obj<<", "//h/a) Tj ET")), "Contents 4 0 R", "Contents[4 0 R 8 0 R]", 1), nil},
		{"a filter that is an object", strings.Replace(inPage(deflate("BT /F 10 Tf (http://h/a) Tj ET"), "", "8 0 obj[/FlateDecode]endobj"), "4 0 obj<<>>", "4 0 obj<</Filter 8 0 R>>", 1), []string{"page 1: http://h/a"}},
		{"operators in two streams", strings.Replace(inPage("BT /F 10 Tf (http://h/a)", "", withStream("8 0 obj<<", "Tj ET")), "Contents 4 0 R", "Contents[4 0 R 8 0 R]", 1), []string{"page 1: http://h/a"}},
		{"a tree in a circle", strings.Replace(inPage("BT /F 10 Tf (http://h/a) Tj ET", ""), "Kids[3 0 R]", "Kids[2 0 R 3 0 R 3 0 R]", 1), []string{"page 1: http://h/a"}},
		{"no tree", strings.Replace(inPage("BT /F 10 Tf (http://h/a) Tj ET", ""), "/Pages 2 0 R", "", 1), []string{"page 1: http://h/a"}},
		{"a font that the file lacks", inPage("BT /H 10 Tf (http://h/a) Tj 0 -20 Td /G 10 Tf (http://h/b) Tj ET", "", "6 0 obj null endobj"), []string{"page 1: http://h/a", "page 1: http://h/b"}},
		{"Brotli", strings.Replace(inPage(scantest.Brotli("BT /F 10 Tf (http://h/a) Tj ET"), ""), "4 0 obj<<>>", "4 0 obj<</Filter/BrotliDecode>>", 1), []string{"page 1: http://h/a"}},
		{"a filter that is not known", strings.Replace(inPage("x", ""), "4 0 obj<<>>", "4 0 obj<</Filter/XDecode>>", 1), []string{"note: a PDF with 1 page whose text cannot be decoded: not read"}},
		{"a raised tilde beside another column", inPage("BT /G 10 Tf 1 0 0 1 10 703 Tm (left xx) Tj 1 0 0 1 72 700 Tm (http://h/) Tj /F 5 Tf 1 0 0 1 126 702.018 Tm (~) Tj /G 10 Tf 1 0 0 1 128.92 700 Tm (u/a) Tj ET", ""), []string{"page 1: http://h/~u/a"}},
		{"no characters", inPage("BT /F 10 Tf <"+strings.Repeat("0001", 20)+"> Tj ET", "", "5 0 obj<</Subtype/Type0/Encoding/Identity-H>>endobj"), []string{"note: a PDF with text in 1 font whose characters are not known, 20 characters on 1 page: that text is not read"}},
	} {
		if got := inPages(test.src); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}

// A URL at the end of a line continues on the next if the layout shows it.
func TestLayout(t *testing.T) {
	const body = "BT /F 10 Tf 12 TL "
	for _, test := range []struct {
		about, content string
		want           []string
	}{
		{"a font of its own", body + "(see the page at ) Tj /G 10 Tf (http://h/ab) Tj T* (cd/ef) Tj /F 10 Tf ( and others there) Tj ET", []string{"page 1: http://h/abcd/ef in 2"}},
		{"a colour of its own", body + "(see the page at ) Tj 0 0 1 rg (http://h/ab) Tj T* (cd/ef) Tj 0 g ( and others) Tj ET", []string{"page 1: http://h/abcd/ef in 2"}},
		{"another font below", body + "(see the page at ) Tj /G 10 Tf (http://h/ab) Tj T* /F 10 Tf (cd/ef and others there) Tj ET", []string{"page 1: http://h/ab"}},
		{"a hyphen", body + "(see the page at http://h/ab-) Tj T* (cd and more) Tj ET", []string{"page 1: http://h/ab-cd in 2"}},
		{"a slash", body + "(see the page at http://h/ab/) Tj T* (cd/ef.html and) Tj ET", []string{"page 1: http://h/ab/cd/ef.html in 2"}},
		{"a slash and a word", body + "(see the page at http://h/ab/) Tj T* (which is here) Tj ET", []string{"page 1: http://h/ab/"}},
		{"a host", body + "(see the page at http://www.) Tj T* (example.org/a and) Tj ET", []string{"page 1: http://www.example.org/a in 2"}},
		{"the end of a sentence", body + "(see the page at http://h/ab.) Tj T* (And more) Tj ET", []string{"page 1: http://h/ab"}},
		{"the number of a note", body + "(see the page at http://h/ab-) Tj T* ([2] more) Tj ET", []string{"page 1: http://h/ab- may-continue"}},
		{"a label in another font", body + "(Source: ) Tj /G 10 Tf (http://h/abcdefghij) Tj T* (pip3 install all of this) Tj ET", []string{"page 1: http://h/abcdefghij"}},
		{"a question", body + "(have you seen http://h/ab?) Tj T* (Creating it all) Tj ET", []string{"page 1: http://h/ab"}},
		{"a query", body + "(have you seen http://h/ab?) Tj T* (c=d and the rest) Tj ET", []string{"page 1: http://h/ab?c=d in 2"}},
		{"the end of a sentence behind a host", body + "(at http://h.github.io.) Tj T* (In it are all of these) Tj ET", []string{"page 1: http://h.github.io"}},
		{"an address of mail", body + "(http://h.example.org/) Tj T* (info@h.example.org) Tj ET", []string{"page 1: http://h.example.org/"}},
		{"the number of the next item", body + "/G 10 Tf (http://h/abcdefg) Tj T* (29. Ouyang, and more) Tj T* (and http://h/hijkl) Tj ET", []string{"page 1: http://h/abcdefg", "page 1: http://h/hijkl"}},
		{"a hyphen that is marked by itself, where others are not", body + "/P<</MCID 1>>BDC (see the well-known http://h/informa) Tj EMC /P<</MCID 2>>BDC (-) Tj EMC T* (tion/a) Tj ET", []string{"page 1: http://h/information/a in 2"}},
		{"a hyphen that is marked by itself, as others are", body + "/P<</MCID 1>>BDC (see http://h/well) Tj EMC /P<</MCID 2>>BDC (-) Tj EMC (known) Tj /P<</MCID 2>>BDC (-) Tj EMC T* (tion/a) Tj ET", []string{"page 1: http://h/well-known-tion/a in 2"}},
		{"a hyphen that is marked by itself", body + "(see http://h/informa) Tj /P<</MCID 2>>BDC (-) Tj EMC T* (tion/a and more) Tj ET", []string{"page 1: http://h/informa- may-continue"}},
		{"what would have fit on the line", body + "(see http://h/ab-) Tj T* (cd and a line that is much longer than the one above) Tj ET", []string{"page 1: http://h/ab- may-continue"}},
		{"another URL", body + "(see the page at http://h/a-) Tj T* (http://h/b) Tj ET", []string{"page 1: http://h/a- may-continue", "page 1: http://h/b"}},
		{"the column beside it", body + "(see the page at http://h/a-) Tj 200 0 Td (x) Tj -200 -12 Td (b) Tj 200 0 Td (y) Tj ET", []string{"page 1: http://h/a-b in 2"}},
		{"far below", body + "(see the page at http://h/a-) Tj 0 -40 Td (b) Tj ET", []string{"page 1: http://h/a- may-continue"}},
		{"broken anywhere", body + "/G 10 Tf (abc http://exam) Tj T* (ple.org/abcdefghi) Tj T* (jklm/nop.html and) Tj ET", []string{"page 1: http://example.org/abcdefghijklm/nop.html in 3"}},
		{"three lines", body + "(see page ) Tj /G 10 Tf (http://h/abcdef/) Tj T* (ghijklmnopqrstuvw/xyz0) Tj T* (123) Tj /F 10 Tf ( and more) Tj ET", []string{"page 1: http://h/abcdef/ghijklmnopqrstuvw/xyz0123 in 3"}},
	} {
		if got := inPages(inPage(test.content, "")); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}

// The rectangles of a reference are where its characters are, in points.
func TestBoxes(t *testing.T) {
	src := inPage("2 0 0 2 10 20 cm BT /G 10 Tf 50 100 Td (see http://h/a) Tj ET", "")
	for it := range new(Scanner).Scan([]byte(src)) {
		if it.Op != scan.Ref {
			continue
		}
		// Courier has 0.6 of the size for each of 14 characters, from 10+2×50 on.
		want := scan.Box{X0: 110 + 4*12, Y0: 220 - 4, X1: 110 + 14*12, Y1: 220 + 16}
		got := it.Extra().Boxes[0]
		for _, d := range []float64{got.X0 - want.X0, got.Y0 - want.Y0, got.X1 - want.X1, got.Y1 - want.Y1} {
			if d < -0.1 || d > 0.1 {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
		return
	}
	t.Error("no reference")
}

// A URL that a link covers is one reference, unless the link leads elsewhere.
func TestAnnotations(t *testing.T) {
	const content = "BT /G 10 Tf 72 700 Td (http://h/a) Tj ET"
	link := func(rect, uri string) string {
		return "/Annots[<</Subtype/Link/Rect[" + rect + "]/A<</S/URI/URI(" + uri + ")>>>>]"
	}
	for _, test := range []struct {
		about, entries string
		want           []string
	}{
		{"the same", link("70 690 140 712", "http://h/a"), []string{"http://h/a"}},
		{"the rest of the URL is on the next line", link("70 690 140 712", "http://h/abc"), []string{"http://h/abc"}},
		{"elsewhere on the page", link("70 90 140 112", "http://h/a"), []string{"http://h/a", "page 1: http://h/a"}},
		{"a part of it", link("70 690 140 712", "http://h/"), []string{"http://h/ shown as http://h/a", "page 1: http://h/a"}},
		{"another path", link("70 690 140 712", "http://h/b"), []string{"http://h/b shown as http://h/a", "page 1: http://h/a"}},
		{"another host", link("70 690 140 712", "http://evil.example/a"), []string{"http://evil.example/a shown as http://h/a other-host", "page 1: http://h/a"}},
	} {
		if got := inPages(inPage(content, test.entries)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.about, got, test.want)
		}
	}
}

// A URL that points to the same as the link around it is not another one.
func TestIsBelow(t *testing.T) {
	for rest, want := range map[string]bool{"": false, "#": false, "?": false, "/a": true, "?a": true, "#a": true, "bc": false} {
		if got := isBelow(rest); got != want {
			t.Errorf("%q: %v", rest, got)
		}
	}
}

// Forms are read that are within twelve others at most, the page not counted; docs/limits.md says so.
func TestFormsWithin(t *testing.T) {
	var objects []string
	for i := range 15 {
		text := fmt.Sprintf("BT /G 10 Tf 72 %d Td (http://h/%d) Tj ET /X Do", 700-20*i, i)
		objects = append(objects, fmt.Sprintf("%d 0 obj<</Subtype/Form/Resources<</Font<</G 6 0 R>>/XObject<</X %d 0 R>>>>>>stream\n%s\nendstream endobj", 10+i, 11+i, text))
	}
	got := inPages(inPage("/X Do", "/Resources<</Font<</G 6 0 R>>/XObject<</X 10 0 R>>>>", objects...))
	if len(got) != maxForms || maxForms != 12 || got[11] != "page 1: http://h/11" {
		t.Errorf("%d references: %q", len(got), got)
	}
}

// A long text in hexadecimal is a signature.
func TestHexText(t *testing.T) {
	const url = "<687474703a2f2f682f61" // http://h/a
	for n, want := range map[int]int{0: 1, (maxHexText-20)/2 - 1: 1, (maxHexText - 20) / 2: 0} {
		src := "%PDF-1.7\n1 0 obj<</Contents" + url + strings.Repeat("20", n) + ">>>endobj trailer<</Root 1 0 R>>"
		if got := count(t, []byte(src)); got != want {
			t.Errorf("with %d blanks: %d references", n, got)
		}
	}
}

// Hostile pages: what is deep, repeated, or refers to itself.
func TestPageShapes(t *testing.T) {
	scantest.Shapes(t, pageShapes(), scantest.Amount(4, 24)<<10, func(src []byte) { count(t, src) })
}

func pageShapes() []scantest.Shape {
	const objects = "1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 5 0 obj<</Subtype/Type1/BaseFont/Courier>>endobj "
	const page = objects + "3 0 obj<</Contents 4 0 R/Resources<</Font<</F 5 0 R/G 6 0 R>>/XObject<</X 8 0 R>>>>>>endobj trailer<</Root 1 0 R>> "
	const content = page + "4 0 obj<<>>stream\nBT /F 9 Tf 10 TL "
	const end = "\nendstream endobj"
	const unicode = page + "6 0 obj<</Subtype/Type0/Encoding/UniGB-UTF16-H>>endobj 4 0 obj<<>>stream\nBT /G 9 Tf 10 TL <"
	const toUnicode = " 5 0 obj<</Subtype/Type0/ToUnicode 9 0 R>>endobj 9 0 obj<<>>stream\n"
	const embedded = " 5 0 obj<</Subtype/Type0/Encoding 9 0 R/DescendantFonts[<<>>]>>endobj 9 0 obj<</Type/CMap>>stream\n"
	form := "8 0 obj<</Subtype/Form/Resources<</XObject<</X 8 0 R>>>>>>stream\n"
	return []scantest.Shape{
		{content, "(a)Tj ", end},
		{content, "(http://h/a)' ", end},
		{content, "(http://h/a-)' ", end},
		{content + "(http://h/)' ", "(a/-)' ", end},
		{content, "1 0 Td(http://h/)Tj ", end},
		{content, "0 0 Td(http://h/)Tj ", end},
		{content, "20 0 Td(a)Tj ", end},
		{content, "0 -1 Td(http://h/a-)Tj ", end},
		{content, "[(a)-9(b)]TJ ", end},
		{content + "[", "(a)9", "]TJ" + end},
		{content, "[", end},
		{content, "<<", end},
		{content, "q ", end},
		{content, "1 0 0 1 1 1 cm(a)Tj ", end},
		{content, "9e9 0 0 9e9 9e9 9e9 cm(a)Tj ", end},
		{content, "/F 9 Tf ", end},
		{content, "/F 9 Tf 1 g(http://h/)Tj ", end},
		{content, "BI ID ", end},
		{content, "BI ID x EI ", end},
		{content, "/S<</ActualText(ab)>>BDC(a)Tj ", end},
		{content, "/X Do ", end + " " + form + "/X Do /X Do" + end},
		{page + "4 0 obj<<>>stream\n/X Do" + end + " " + form, "/X Do ", end},
		{objects + "3 0 obj<</Contents[", "4 0 R ", "]/Resources<</Font<</F 5 0 R>>>>>>endobj trailer<</Root 1 0 R>> 4 0 obj<<>>stream\nBT /F 9 Tf(http://h/)Tj" + end},
		{"1 0 obj<</Pages 2 0 R>>endobj trailer<</Root 1 0 R>> 2 0 obj<</Kids[", "3 0 R ", "]>>endobj 3 0 obj<</Kids[2 0 R 3 0 R]>>endobj"},
		{"1 0 obj<</Pages 2 0 R>>endobj trailer<</Root 1 0 R>> 2 0 obj", "<</Kids[", ""},
		{"1 0 obj<</Pages 2 0 R>>endobj trailer<</Root 1 0 R>> 2 0 obj<</Kids[", "<</Contents 4 0 R>>", "]>>endobj 4 0 obj<<>>stream\n(http://h/)Tj" + end},
		{content + "(http://h/a)Tj" + end + " 3 0 obj<</Contents 4 0 R/Annots[", "<</Rect[0 0 9 9]/A<</S/URI/URI(http://h/)>>>>", "]>>endobj"},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type1/Widths[", "9 0 R ", "]>>endobj 9 0 obj 9 0 R endobj"},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type1/Encoding<</Differences[", "/a", "]>>>>endobj"},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type0/DescendantFonts[<</W[", "1 65000 9 ", "]>>]>>endobj"},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type0/ToUnicode 9 0 R>>endobj 9 0 obj<<>>stream\n", "1 beginbfrange<0000><ffff><00610061>endbfrange ", end},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type0/ToUnicode 9 0 R>>endobj 9 0 obj<<>>stream\nbeginbfrange", "<0000><0001><0061>", "endbfrange" + end},
		{page + "4 0 obj<<>>stream\n", "/F 9 Tf(a)Tj /G 9 Tf ", end},
		{content, "(a b)Tj -8 0 Td(c)Tj ", end},
		{"", "1 0 obj<</JS 1 0 R>>stream\nhttp://h/\nendstream endobj ", ""},
		{"1 0 obj<</AcroForm<</XFA[", "2 0 R ", "]>>>>endobj 2 0 obj<<>>stream\n<a/>\nendstream endobj trailer<</Root 1 0 R>>"},
		{content, "(http://h/a)' 0 0 Td(\\255)Tj ", end},
		{unicode, "05d0", ">Tj" + end},
		{unicode + "05d005d005d0", "002e", ">Tj" + end},
		{unicode + "05d005d005d0", "0061002e", ">Tj" + end},
		{unicode + "05d005d005d000200061", "002e0020", "05d0>Tj" + end},
		{unicode, "05d00020>Tj T*<", ">Tj" + end},
		{unicode, "4e2d0061>Tj T*<", ">Tj" + end},
		{unicode + "0068007400740070003a002f002f>Tj T*<", "00610062>Tj T*<", ">Tj" + end},
		// Each other operator of text, graphics and marked content.
		{content, "1 0 0 1 9 9 Tm(http://h/a-)Tj ", end},
		{content, "1 2(http://h/a-)\" ", end},
		{content, "T*(http://h/a-)Tj ", end},
		{content, "0 -9 TD(a-)Tj ", end},
		{content, "9 Tc 9 Tw 50 Tz 3 Ts 3 Tr(a b)Tj ", end},
		{content, "ET BT /F 9 Tf(http://h/)Tj ", end},
		{content, "Q ", end},
		{content, "/P BMC(a)Tj ", end},
		{content, "EMC ", end},
		{content, "0 0 m 9 9 l S 0 0 9 9 re f 1 w ", end},
		{content, "/G gs(a)Tj ", end},
		{content, "/Link<</MCID 1>>BDC(http://h/)Tj EMC ", end},
		// Each table of fonts.
		{content + "(a)Tj" + end + toUnicode, "1 begincodespacerange<00><ff>endcodespacerange ", end},
		{content + "(a)Tj" + end + toUnicode + "beginbfchar", "<61><0061>", "endbfchar" + end},
		{content + "(a)Tj" + end + embedded, "1 begincidrange<0000><ffff>1 endcidrange ", end},
		{content + "(a)Tj" + end + embedded + "begincidchar", "<0061>1 ", "endcidchar" + end},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type0/DescendantFonts[<</W[1[", "9 ", "]]>>]>>endobj"},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type3/CharProcs<<", "/a 4 0 R", ">>>>endobj"},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/TrueType/FontDescriptor<</FontFile2 9 0 R>>>>endobj 9 0 obj<<>>stream\n\x00\x01\x00\x00\xff\xff", "cmap\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\xff\xff", end},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type1/FontDescriptor<</FontFile 9 0 R>>>>endobj 9 0 obj<<>>stream\n%!/Encoding 256 array ", "dup 97 /a put ", end},
		{content + "(a)Tj" + end + " 5 0 obj<</Subtype/Type1/FontDescriptor<</FontFile3 9 0 R>>>>endobj 9 0 obj<</Subtype/Type1C>>stream\n\x01\x00\x04\x04", "\xff\xff\x04\x00", end},
		// The words of a document, and what is broken over lines.
		{content + "(", "abc defg-hij ", ")Tj" + end},
		{content, "(http://h/ab-)' (cd)' (ab-cd)' ", end},
		{content, "(xhttp://h/a)' (bc.)' ", end},
		{content, "(http://h/aaaa)' 300 0 Td(bbbb)Tj -300 0 Td ", end},
		{"1 0 obj<</StructTreeRoot 2 0 R>>endobj trailer<</Root 1 0 R>> 2 0 obj<</K[", "<</S/Link/K 2 0 R>>", "]>>endobj"},
		{"1 0 obj<</Names<</EmbeddedFiles 2 0 R>>>>endobj trailer<</Root 1 0 R>> 2 0 obj<</Kids[", "2 0 R ", "]/Names[(a)2 0 R]>>endobj"},
	}
}
