package extract

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// A placed is a member that is made of references, and where they are.
type placed struct {
	text   strings.Builder
	places map[int]string // references by offset
}

// add appends text, and ref in the form that quote gives it.
func (p *placed) add(before, ref, written, after string) {
	p.text.WriteString(before)
	p.places[p.text.Len()] = ref
	p.text.WriteString(written + after)
}

// escaped writes a reference of XML, some of its letters as references to characters.
func escaped(r *rand.Rand, ref string) string {
	var b strings.Builder
	for _, c := range ref {
		switch {
		case c == '&':
			b.WriteString("&amp;")
		case r.IntN(12) == 0:
			fmt.Fprintf(&b, "&#x%X;", c)
		case r.IntN(40) == 0:
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// split writes a reference over runs: between some of its letters stands between.
func split(r *rand.Rand, ref, between string) string {
	var b strings.Builder
	for i, c := range ref {
		if i > 0 && r.IntN(10) == 0 {
			b.WriteString(between)
		}
		b.WriteString(escaped(r, string(c)))
	}
	return b.String()
}

// packagesWith returns a package of each format, with n references in the member of the given name.
func packagesWith(t *testing.T, r *rand.Rand, n int) map[string]struct {
	src, member string
	places      map[int]string
} {
	made := map[string]struct {
		src, member string
		places      map[int]string
	}{}
	ref := func(i int) string { return fmt.Sprintf("http://h%d.example/a/b?c=%d&d=é", i, r.IntN(1000)) }
	put := func(format, member string, p *placed, others ...namedText) {
		made[format] = struct {
			src, member string
			places      map[int]string
		}{zipOf(t, zip.Deflate, append(others, namedText{member, p.text.String()})...), member, p.places}
	}
	book, word, field, sheet, odt := &placed{places: map[int]string{}}, &placed{places: map[int]string{}}, &placed{places: map[int]string{}}, &placed{places: map[int]string{}}, &placed{places: map[int]string{}}
	rels := &placed{places: map[int]string{}}
	rels.text.WriteString("<Relationships>")
	book.text.WriteString(`<html xmlns="http://www.w3.org/1999/xhtml"><body>` + "\n")
	for i := range n {
		pad := strings.Repeat("é ", r.IntN(5))
		u := ref(i)
		book.add(pad+`<a href="`, u, escaped(r, u), `">x</a>`)
		rels.add(fmt.Sprintf(`<Relationship Id="r%d" Type="t/hyperlink" TargetMode="External" Target="`, i), u, escaped(r, u), `"/>`)
		word.add("<w:p><w:r><w:t>"+pad, u, split(r, u, "</w:t></w:r><w:r><w:t>"), "</w:t></w:r></w:p>\n")
		field.add(`<w:fldChar w:fldCharType="begin"/><w:instrText> HYPERLINK "`, u, split(r, u, "</w:instrText><w:instrText>"), `" </w:instrText><w:fldChar w:fldCharType="end"/>`)
		sheet.add(`<c><f>IF(A1,HYPERLINK("`, u, escaped(r, u), `","x"))</f></c>`)
		if i%2 == 0 {
			odt.add("<text:p>"+pad, u, split(r, u, "</text:span><text:span a='b'>"), "</text:p>")
		} else {
			odt.add(`<text:p><text:a xlink:href="`, u, escaped(r, u), `"/></text:p>`)
		}
	}
	types := namedText{"[Content_Types].xml", "<x/>"}
	put("epub", "O/a.xhtml", book, namedText{"mimetype", "application/epub+zip"})
	put("docx", "word/document.xml", word, types)
	put("docx fields", "word/document.xml", field, types)
	put("docx relationships", "word/_rels/document.xml.rels", rels, types)
	put("xlsx", "xl/worksheets/sheet1.xml", sheet, types)
	put("odt", "content.xml", odt, namedText{"META-INF/manifest.xml", "<x/>"})
	return made
}

// The position of each reference leads back to the bytes of the member, and these to the reference.
func TestPackagePlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := scantest.Amount(200, 2000)
	for format, p := range packagesWith(t, r, n) {
		text := memberOf(t, p.src, p.member)
		found := 0
		for ref, err := range new(Config).Walk("a", strings.NewReader(p.src)) {
			if err != nil {
				t.Fatal(err)
			}
			if ref.Member() != p.member {
				continue
			}
			want, ok := p.places[int(ref.Pos.Offset)]
			at := int(ref.Pos.Offset)
			switch {
			case !ok || want != string(ref.Ref) || !ref.Pos.Exact:
				t.Fatalf("%s: %q at %d, exact %v, want %q", format, ref.Ref, at, ref.Pos.Exact, want)
			case text[at:at+ref.Pos.Length] != string(ref.Raw):
				t.Fatalf("%s: %q at %d is not %q", format, text[at:at+ref.Pos.Length], at, ref.Raw)
			}
			found++
		}
		if found != n {
			t.Errorf("%s: %d references of %d", format, found, n)
		}
	}
}

func memberOf(t *testing.T, src, name string) string {
	z, err := zip.NewReader(strings.NewReader(src), int64(len(src)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// mutatedText is mutated for text.
func mutatedText(r *rand.Rand, src string) string { return string(mutated(r, []byte(src))) }

// Damaged packages cost no more than themselves: other files are read, and no scanner panics. Every second one
// is damaged within its members, and every second as a file.
func TestMutatedPackages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := scantest.Amount(24, 1000)
	for format, p := range packagesWith(t, r, 20) {
		text := memberOf(t, p.src, p.member)
		for i := range n {
			src := mutatedText(r, p.src)
			if i%2 == 0 {
				src = zipOf(t, zip.Deflate, namedText{"mimetype", "application/epub+zip"}, namedText{"good.txt", "http://good/"}, namedText{p.member, mutatedText(r, text)},
					namedText{"[Content_Types].xml", "<x/>"}, namedText{"META-INF/container.xml", mutatedText(r, `<rootfile full-path="O/p.opf"/>`)}, namedText{"O/p.opf", mutatedText(r, `<item id="a" href="a.xhtml"/><itemref idref="a"/>`)})
			}
			outer := zipOf(t, zip.Store, namedText{"a.zip", src}, namedText{"z.txt", "http://last/"})
			isLast := false
			for ref, err := range new(Config).Walk("all.zip", strings.NewReader(outer)) {
				if err != nil {
					t.Fatalf("%s, %d: %v", format, i, err)
				}
				isLast = string(ref.URL) == "http://last/"
			}
			if !isLast {
				t.Fatalf("%s, %d: the file after it is not read", format, i)
			}
		}
	}
}

// Packages that decompress to much more than they are, or that make a reader read one member again and again.
func TestPackageBombs(t *testing.T) {
	types, last := namedText{"[Content_Types].xml", "<x/>"}, namedText{"word/z.xml", "<w:t>http://last/</w:t>"}
	rels := namedText{"word/_rels/document.xml.rels", `<Relationship Id="a" Type="t/hyperlink" TargetMode="External" Target="http://h/"/>`}
	deep := strings.Repeat("<w:p>", 1<<20)
	again := []namedText{types, {"word/document.xml", strings.Repeat("<w:t>x</w:t>", 1<<18)}}
	for range 500 {
		again = append(again, rels)
	}
	opf := strings.Repeat(`<item id="a" href="b"/><itemref idref="c"/>`, 1<<16)
	roots := strings.Repeat(`<rootfile full-path="p.opf"/>`, 1<<12)
	for name, src := range map[string]string{
		"deep":       zipOf(t, zip.Deflate, types, namedText{"word/document.xml", deep}, rels, last),
		"repeated":   zipOf(t, zip.Deflate, append(again, last)...),
		"ids":        zipOf(t, zip.Deflate, types, namedText{"word/document.xml", "<x/>"}, namedText{rels.name, strings.Repeat(rels.text, 1<<15)}, last),
		"book":       zipOf(t, zip.Deflate, namedText{"META-INF/container.xml", roots}, namedText{"p.opf", opf}, last),
		"properties": zipOf(t, zip.Deflate, types, namedText{"docProps/app.xml", "<HyperlinkBase>" + strings.Repeat("x", 2<<20)}, last),
		"manifest":   zipOf(t, zip.Deflate, namedText{"content.xml", "<text:p>http://last/</text:p>"}, namedText{"META-INF/manifest.xml", strings.Repeat("<file-entry full-path='x'/><encryption-data/>", 1<<15)}),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		isLast := false
		c := Config{MaxEntity: 1 << 20}
		for ref, err := range c.Walk("a", strings.NewReader(src)) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			isLast = isLast || string(ref.URL) == "http://last/"
		}
		runtime.ReadMemStats(&after)
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; !isLast || used > 150 {
			t.Errorf("%s: read to its end %v, %d MB allocated", name, isLast, used)
		}
	}
}

// FuzzPackage reads a package with three members of any content.
func FuzzPackage(f *testing.F) {
	f.Add("word/document.xml", "<w:t>http://h/</w:t>", "word/_rels/document.xml.rels", `<Relationship Id="a" Target="b" TargetMode="External"/>`, "[Content_Types].xml", "<x/>")
	f.Add("META-INF/container.xml", `<rootfile full-path="p.opf"/>`, "p.opf", `<item id="a" href="a.xhtml"/><itemref idref="a"/><itemref idref="b"/>`, "a.xhtml", "<html><a href='../x'>")
	f.Add("mimetype", "application/vnd.oasis.opendocument.text", "content.xml", "<text:p>http://h/</text:p>", "META-INF/manifest.xml", "<file-entry full-path='x'/><encryption-data/>")
	f.Add("xl/workbook.xml", "<sheet name='a'/>", "docProps/app.xml", "<HyperlinkBase>http://b/</HyperlinkBase>", "[Content_Types].xml", "<x/>")
	f.Fuzz(func(t *testing.T, a, textA, b, textB, c, textC string) {
		for _, name := range []string{a, b, c} {
			if strings.HasSuffix(name, "/") {
				return // package zip writes no text to a directory
			}
		}
		src := zipOf(t, zip.Store, namedText{a, textA}, namedText{b, textB}, namedText{c, textC})
		cfg := Config{Anchor: func(*Anchor) {}, Lines: true, ParserDifferences: true}
		for ref, err := range cfg.Walk("a.zip", strings.NewReader(src)) {
			if _, isPanic := err.(*PanicError); isPanic {
				t.Fatal(err)
			}
			if err == nil && bytes.Contains(ref.URL, []byte(packageScheme)) && !bytes.Contains(ref.Ref, []byte(packageScheme)) {
				t.Fatalf("%q has the URL %q", ref.Ref, ref.URL)
			}
		}
	})
}
