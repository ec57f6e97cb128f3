package extract

import (
	"archive/zip"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// packageSamples are the members of packages of our own, by the beginning of a program in agreement.tsv or of a reason in
// reasons.tsv, and the references in them.
var packageSamples = map[string]struct {
	members []namedText
	want    []string
}{
	"python-docx": {[]namedText{wordTypes, {"word/document.xml", `<w:hyperlink r:id="a"/><w:hyperlink w:anchor="x"/>`}, wordLinks}, []string{"#x", "http://h/a"}},
	"openpyxl": {[]namedText{{"[Content_Types].xml", `<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>`}, {"xl/workbook.xml", "<workbook/>"},
		{"xl/worksheets/sheet1.xml", `<worksheet><c><f>HYPERLINK("http://h/f","x")</f></c><hyperlink ref="A1" r:id="a"/></worksheet>`},
		{"xl/worksheets/_rels/sheet1.xml.rels", wordLinks.text}}, []string{"http://h/a", "http://h/f"}},
	"python-pptx": {[]namedText{{"[Content_Types].xml", `<Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/>`}, {"ppt/presentation.xml", "<p/>"},
		{"ppt/slides/slide1.xml", `<a:hlinkClick r:id="a"/>`}, {"ppt/slides/_rels/slide1.xml.rels", wordLinks.text}}, []string{"http://h/a"}},
	"odfpy":               {[]namedText{odtType, {"content.xml", `<text:a xlink:href="http://h/a">x</text:a><draw:image xlink:href="Pictures/a.png"/>`}}, []string{"Pictures/a.png", "http://h/a"}},
	"pandoc 2.17, docx":   {[]namedText{wordTypes, {"word/document.xml", `<w:hyperlink r:id="a"/>`}, wordLinks}, []string{"http://h/a"}},
	"pandoc 2.17, odt":    {[]namedText{odtType, {"content.xml", `<text:a xlink:href="http://h/a">x</text:a>`}}, []string{"http://h/a"}},
	"XHTML of 234 books":  {[]namedText{{"mimetype", "application/epub+zip"}, {"META-INF/container.xml", `<rootfile full-path="p.opf"/>`}, {"p.opf", `<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/>`}, {"a.xhtml", `<html><body><a href="http://h/a">x</a></body></html>`}}, []string{"!/a.xhtml", "http://h/a"}},
	"links to bookmarks":  {[]namedText{wordTypes, {"word/document.xml", `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:bookmarkStart w:name="_Toc1"/></w:p><w:hyperlink w:anchor="_Toc1"/>`}}, []string{"#_Toc1"}},
	`"\l" of a field`:     {[]namedText{wordTypes, {"word/document.xml", `<w:instrText>HYPERLINK \l "x"</w:instrText>`}}, nil},
	"the target of the":   {[]namedText{wordTypes, {"word/document.xml", field(`HYPERLINK "http://h/a" \l "x"`)}}, []string{"http://h/a#x"}},
	"in deleted text":     {[]namedText{wordTypes, {"word/document.xml", `<w:del><w:hyperlink r:id="a"/></w:del>`}, wordLinks}, []string{"http://h/a"}},
	"fields whose instru": {[]namedText{wordTypes, {"word/document.xml", field(`HYPER</w:instrText></w:r><w:r><w:instrText>LINK "http://h</w:instrText></w:r><w:r><w:instrText>/a"`)}}, []string{"http://h/a"}},
	"footnotes, headers":  {[]namedText{wordTypes, {"word/document.xml", "<x/>"}, {"word/footnotes.xml", `<w:hyperlink r:id="a"/>`}, {"word/_rels/footnotes.xml.rels", wordLinks.text}}, []string{"http://h/a"}},
	"VML shapes":          {[]namedText{wordTypes, {"word/document.xml", `<v:shape href="http://h/a"/>`}}, []string{"http://h/a"}},
	"in embedded HTML":    {[]namedText{wordTypes, {"word/document.xml", "<x/>"}, {"word/a.html", `<a href="http://h/a">`}}, []string{"http://h/a"}},
	"references to bookm": {[]namedText{odtType, {"content.xml", `<text:bookmark-ref text:ref-name="x">y</text:bookmark-ref>`}}, nil},
	"a picture frame":     {[]namedText{odtType, {"content.xml", `<draw:frame><draw:a xlink:href="http://h/a"/></draw:frame>`}}, []string{"http://h/a"}},
	"a macro":             {[]namedText{odtType, {"content.xml", `<script:event-listener xlink:href="vnd.sun.star.script:x"/>`}}, []string{"vnd.sun.star.script:x"}},
}

var (
	wordTypes = namedText{"[Content_Types].xml", `<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>`}
	wordLinks = namedText{"word/_rels/document.xml.rels", `<Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="http://h/a" TargetMode="External"/>`}
	odtType   = namedText{"mimetype", "application/vnd.oasis.opendocument.text"}
)

// field is a field of Word with an instruction.
func field(instruction string) string {
	return `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>` + instruction + `</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
}

// Each difference from the references that other programs show in books and office documents has a reason, and a package
// of our own. A program that shows less by design has "-".
func TestPackageAgreement(t *testing.T) {
	for name, s := range packageSamples {
		var got []string
		for r, err := range new(Config).Walk("a", strings.NewReader(zipOf(t, zip.Deflate, s.members...))) {
			if err != nil {
				t.Fatal(name, err)
			}
			got = append(got, target(r))
		}
		slices.Sort(got)
		if !slices.Equal(got, s.want) {
			t.Errorf("%s: got %q, want %q", name, got, s.want)
		}
	}
	hasSample := func(s string) {
		for name := range packageSamples {
			if strings.HasPrefix(s, name) {
				return
			}
		}
		t.Errorf("no package of our own for %q", s)
	}
	type side struct{ program, only string }
	because := make(map[side]int)
	for _, row := range scantest.Rows(t, "testdata/packages/reasons.tsv", 4) {
		because[side{row[0], row[1]}] += scantest.Number(t, row[2])
		hasSample(row[3])
	}
	for _, row := range scantest.Rows(t, "testdata/packages/agreement.tsv", 5) {
		hasSample(row[0])
		for i, only := range []string{"there", "here"} {
			at := side{row[0], only}
			if row[3+i] == "-" {
				continue
			}
			if n := scantest.Number(t, row[3+i]); n != because[at] {
				t.Errorf("%s: %d only %s, reasons for %d", row[0], n, only, because[at])
			}
			delete(because, at)
		}
	}
	if len(because) > 0 {
		t.Errorf("reasons without a row: %v", because)
	}
}
