package ooxml_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/internal/ooxml"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// found lists the Items of a part: "kind in ref#fragment labels", with "~" if the place is not exact.
func found(items func(func(*scan.Item) bool), src string) (all []string) {
	for it := range items {
		s := fmt.Sprint(it.Kind, " ", it.In, " ", it.Meant, string(it.Value))
		switch it.Op {
		case scan.Anchor:
			s = fmt.Sprint("anchor ", string(it.Value))
		case scan.Base:
			s = fmt.Sprint("base ", string(it.Value))
		case scan.End:
			s = "end"
		}
		if f := it.Extra().Fragment; f != "" {
			s += "#" + f
		}
		if it.Loose {
			s += " ~"
		}
		if len(it.Labels.Names()) > 0 {
			s += " " + strings.Join(it.Labels.Names(), " ")
		}
		if raw := src[it.Span.Start:it.Span.End]; raw != string(it.Value) && it.Op == scan.Ref {
			s += " ⟦" + raw + "⟧"
		}
		all = append(all, s)
	}
	return all
}

func TestPart(t *testing.T) {
	const begin, sep, end = `<w:fldChar w:fldCharType="begin"/>`, `<w:fldChar w:fldCharType="separate"/>`, `<w:fldChar w:fldCharType="end"/>`
	for _, tt := range []struct {
		src  string
		want []string
	}{
		// Text over runs (Part 1 section 17.3.2).
		{`<w:p><w:r><w:t>http://h/a</w:t></w:r><w:r><w:t>b</w:t></w:r></w:p><w:p><w:t>c</w:t></w:p>`, []string{"text  http://h/ab ⟦http://h/a</w:t></w:r><w:r><w:t>b⟧"}},
		{`<w:p><w:t>http://h/?a&amp;b</w:t><w:tab/><w:t>c</w:t></w:p>`, []string{"text  http://h/?a&b ⟦http://h/?a&amp;b⟧"}},
		{`<a:p><a:r><a:t>http://h/a</a:t></a:r><a:br/><a:r><a:t>b</a:t></a:r></a:p>`, []string{"text  http://h/a"}},
		{`<mc:Choice><w:t>http://h/a</w:t></mc:Choice><mc:Fallback><w:p><w:t>http://h/a</w:t></w:p></mc:Fallback><w:t> http://h/b</w:t>`, []string{"text  http://h/a", "text  http://h/b"}},
		{`<w:t><![CDATA[http://h/a]]></w:t>`, []string{"text  http://h/a"}},
		// Fields (sections 17.16.4 and 17.16.18).
		{begin + `<w:instrText> HYPER</w:instrText><w:instrText>LINK "http://h/</w:instrText><w:instrText>a" </w:instrText>` + sep + `<w:t>shown</w:t>` + end,
			[]string{"link HYPERLINK http://h/a ⟦http://h/</w:instrText><w:instrText>a⟧"}},
		{begin + `<w:instrText>HYPERLINK "C:\\d\\a b.doc" \l "x y" \o "http://tip/"</w:instrText>` + end, []string{`link HYPERLINK C:\d\a b.doc#x y ⟦C:\\d\\a b.doc⟧`}},
		{begin + `<w:instrText>HYPERLINK "http://h/</w:instrText> between <w:instrText>a"</w:instrText>` + end, []string{"link HYPERLINK http://h/a ⟦http://h/</w:instrText> between <w:instrText>a⟧"}},
		{begin + `<w:instrText>HYPERLINK \l mark</w:instrText>` + end, []string{"link HYPERLINK #mark"}},
		{begin + `<w:instrText>hyperlink http://h/a \h</w:instrText>` + sep + end, []string{"link HYPERLINK http://h/a"}},
		{begin + `<w:instrText>PAGEREF http://h/</w:instrText>` + end, nil},
		{begin + `<w:instrText>HYPERLINK "http://h/` + begin + `<w:instrText> DATE </w:instrText>` + sep + `<w:t>1</w:t>` + end + `<w:instrText>"</w:instrText>` + end, []string{"link HYPERLINK http://h/"}},
		{begin + `<w:instrText>LINK Excel.Sheet "a.xlsx" "S!A1"</w:instrText>` + end, []string{"embed LINK a.xlsx"}},
		{`<w:fldSimple w:instr="INCLUDEPICTURE &quot;a.png&quot; \d"/>`, []string{"embed INCLUDEPICTURE a.png"}},
		{`<w:bookmarkStart w:name="m"/><w:hyperlink w:anchor="m"/><w:hyperlink r:id="r" w:anchor="x"/>`, []string{"anchor m", "link w:hyperlink/w:anchor #m"}},
		// Formulas (section 18.17).
		{`<f>HYPERLINK("http://h/a","x")</f>`, []string{"link HYPERLINK() http://h/a"}},
		{`<f>IF(A1,HYPERLINK( "http://h/""a"),"HYPERLINK(""http://no/"")")</f>`, []string{`link HYPERLINK() http://h/"a ⟦http://h/""a⟧`}},
		{`<f>HYPERLINK("http://h/"&amp;A1)+MYHYPERLINK("http://h/b")</f>`, nil},
		{`<f>hyperlink("[a b.xlsx]S!A1")</f>`, []string{"link HYPERLINK() a b.xlsx#S!A1"}},
		{`<f>_xlfn.IMAGE("http://h/a.png")</f>`, []string{"embed IMAGE() http://h/a.png"}},
		{`<c t="str"><v>http://h/a</v></c><c><v>1</v></c><si><t>http://h/b</t></si>`, []string{"text  http://h/a", "text  http://h/b"}},
		{`<sheet name="A &amp; B"/><hyperlink ref="A1" location="'A &amp; B'!C1"/>`, []string{"anchor A & B", "link hyperlink/location #'A & B'!C1 ⟦'A &amp; B'!C1⟧"}},
		{`<v:shape href="http://h/a"><v:imagedata src="b.png" r:href="rId1"/></v:shape>`, []string{"link v:shape/href http://h/a", "embed v:imagedata/src b.png"}},
		{`<w:t>http://h/a<w:t `, []string{"text  http://h/a"}},
	} {
		s := ooxml.Scanner{Anchors: true}
		for range 2 { // it is reused
			if got := found(s.Scan([]byte(tt.src)), tt.src); !slices.Equal(got, tt.want) {
				t.Errorf("%s\ngot  %q\nwant %q", tt.src, got, tt.want)
			}
		}
	}
}

func TestRelationships(t *testing.T) {
	const rels = `<Relationships><Relationship Id="a" Type="t/hyperlink" TargetMode="External" Target="http://h/?a&amp;b"/><Relationship Id="b" Type="t/slide" Target="slide2.xml"/>` +
		`<Relationship Id="c" Type="t/slide" Target="slide3.xml"/><Relationship Id="d" Type="t/image" Target="../media/a.png"/><Relationship Id="e" Type="t/oddLink" TargetMode="External" Target="x"/></Relationships>`
	s := ooxml.Relationships{Source: []byte(`<a:hlinkClick r:id="b"/><w:hyperlink r:id="a" w:anchor="m"/><a:blip r:link="d"/>`)}
	want := []string{"link hyperlink http://h/?a&b#m ⟦http://h/?a&amp;b⟧", "link slide slide2.xml", "embed image ../media/a.png", "embed oddLink x unused"}
	if got := found(s.Scan([]byte(rels)), rels); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	s.Base = "http://b/"
	want = []string{"base http://b/", "link hyperlink http://h/?a&b#m ⟦http://h/?a&amp;b⟧", "end", "link slide slide2.xml", "embed image ../media/a.png", "base http://b/", "embed oddLink x unused", "end"}
	if got := found(s.Scan([]byte(rels)), rels); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"_rels/.rels": "", "word/_rels/document.xml.rels": "word/document.xml", "a/b/_rels/c.xml.rels": "a/b/c.xml"} {
		if got, ok := ooxml.Source(name); got != want || !ok {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	if _, ok := ooxml.Source("word/document.xml"); ok {
		t.Error("a part has the name of relationships")
	}
	if got := ooxml.HyperlinkBase([]byte("<P><HyperlinkBase> http://h/&amp; </HyperlinkBase></P>")); got != "http://h/&" {
		t.Errorf("base %q", got)
	}
}

// hostile holds shapes that might make a scanner read its input again and again, or hold it several times.
var hostile = []scantest.Shape{
	{"", "<", ""}, {"", "<a", ""}, {"", "<a ", ""}, {"", "<a b='", ""}, {"", "<a b=\"'\" ", ""}, {"<a", " b='c'", ">"}, {"<a ", "=", ">"}, {"", "<!--", ""}, {"", "<![CDATA[", ""}, {"", "<![CDATA[]]>", ""}, {"", "<?", ""}, {"", "</", ""}, {"", "<w:p>", ""}, {"", "<w:t>", ""}, {"<w:t>", "&amp;", ""}, {"<w:t>", "&", ""}, {"<w:t>", "http://h/ ", ""},
	{"", "<w:t>http://h/</w:t>", ""}, {"", `<w:fldChar w:fldCharType="begin"/>`, ""}, {"", `<w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "x" </w:instrText>`, ""}, {`<w:fldChar w:fldCharType="begin"/><w:instrText>`, `\l "x" `, ""}, {`<w:fldChar w:fldCharType="begin"/>`, `<w:instrText>"x</w:instrText>`, ""},
	{`<f>`, `HYPERLINK("`, "</f>"}, {"<f>", "(", "</f>"}, {"<f>", `""`, "</f>"}, {"", "<mc:Fallback>", ""}, {"", `<w:hyperlink w:anchor="x"/>`, ""}, {"", `<w:bookmarkStart w:name="x"/>`, ""}, {"", `<Relationship Id="a" Target="b" TargetMode="External"/>`, ""}, {"", "<f>", ""}, {"", `<v:x href="a"/>`, ""},
}

func TestHostile(t *testing.T) {
	s := ooxml.Scanner{Anchors: true}
	scantest.Shapes(t, hostile, 128<<10, func(src []byte) {
		for range s.Scan(src) {
		}
	})
	scantest.Shapes(t, hostile, 128<<10, func(src []byte) {
		r := ooxml.Relationships{Source: src}
		for range r.Scan(src) {
		}
	})
}

// TestShapes limits the CPU time and memory for every shape.
func TestShapes(t *testing.T) {
	scantest.Table(t, scantest.Inputs(hostile...), 1<<20, func(src []byte) {
		s := ooxml.Scanner{Anchors: true}
		for range s.Scan(src) {
		}
		r := ooxml.Relationships{Source: src}
		for range r.Scan(src) {
		}
	})
}

func FuzzPart(f *testing.F) {
	f.Add([]byte(`<w:p><w:t>http://h/&#97;</w:t></w:p><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "x" \l y</w:instrText><f>HYPERLINK("a","b")</f>`))
	f.Add([]byte(`<Relationships><Relationship Id="a" Type="t/hyperlink" TargetMode="External" Target="http://h/?a&amp;b"/></Relationships><w:hyperlink r:id="a" w:anchor="b"/>`))
	for _, s := range hostile {
		f.Add(s.Text(300))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s := ooxml.Scanner{Anchors: true}
		check(t, src, s.Scan(src))
		r := ooxml.Relationships{Source: src, Base: "http://b/"}
		check(t, src, r.Scan(src))
	})
}

// check checks the Items of src.
func check(t *testing.T, src []byte, items func(func(*scan.Item) bool)) {
	at := 0
	for it := range items {
		if it.Op == scan.End {
			continue
		}
		if it.Span.Start < at || it.Span.End < it.Span.Start || it.Span.End > len(src) {
			t.Fatalf("span %v after %d of %d", it.Span, at, len(src))
		}
		at = it.Span.Start
	}
}

// Long parts are passed on in pieces; a caller may stop anywhere.
func TestPieces(t *testing.T) {
	src := strings.Repeat(`<w:p><w:hyperlink w:anchor="m"/><w:t>http://h/</w:t><w:t>a</w:t></w:p>`, 5000)
	n, at := 0, -1
	for it := range new(ooxml.Scanner).Scan([]byte(src)) {
		if it.Span.Start <= at {
			t.Fatalf("%d after %d", it.Span.Start, at)
		}
		at = it.Span.Start
		n++
	}
	if n != 10000 {
		t.Errorf("%d references", n)
	}
	for _, stop := range []int{1, 2, 5000, 9999} {
		n := 0
		for range new(ooxml.Scanner).Scan([]byte(src)) {
			if n++; n == stop {
				break
			}
		}
	}
}

// Text is what readers see, and what the properties of a document say (Parts 1 and 2); nothing else is.
func TestElements(t *testing.T) {
	for _, name := range strings.Fields("w:t a:t t w:delText dc:title dc:subject dc:description cp:keywords vt:lpwstr Company Manager oddHeader oddFooter text") {
		src := "<w:p><" + name + ">http://h/a</" + name + "></w:p>"
		if got := found(new(ooxml.Scanner).Scan([]byte(src)), src); len(got) != 1 || !strings.Contains(got[0], "http://h/a") {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, name := range strings.Fields("w:instr x Companyx w:p evenHeaders w:rPr v xt T") {
		src := "<w:p><" + name + ">http://h/a</" + name + "></w:p>"
		if got := found(new(ooxml.Scanner).Scan([]byte(src)), src); len(got) != 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, name := range strings.Fields("w:p w:tab w:br w:cr si c is w:tc w:txbxContent w:comment w:footnote w:endnote w:ptab") {
		src := "<x><t>http://h/a</t><" + name + "/><t>b</t></x>"
		if got := found(new(ooxml.Scanner).Scan([]byte(src)), src); len(got) != 1 || strings.Contains(got[0], "/ab") {
			t.Errorf("%s does not end a reference: %q", name, got)
		}
	}
	src := "<x><t>http://h/a</t><w:r/><t>b</t></x>"
	if got := found(new(ooxml.Scanner).Scan([]byte(src)), src); len(got) != 1 || !strings.Contains(got[0], "/ab") {
		t.Errorf("a run ends a reference: %q", got)
	}
}
