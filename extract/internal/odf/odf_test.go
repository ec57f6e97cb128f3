package odf_test

import (
	"fmt"
	"slices"
	"testing"

	"example.org/refract/extract/internal/odf"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

func TestScan(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{`<text:p>a http://h/<text:span>b</text:span>c <text:a xlink:href="http://h/?a&amp;b">x</text:a></text:p>`, []string{"text  http://h/bc ⟦http://h/<text:span>b</text:span>c⟧", "link text:a/xlink:href http://h/?a&b ⟦http://h/?a&amp;b⟧"}},
		{`<text:p>http://h/a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>http://h/b</text:p></text:note-body></text:note></text:p>`, []string{"text  http://h/a", "text  http://h/b"}},
		{`<text:p>http://h/a<text:line-break/>b</text:p><text:p>c</text:p>`, []string{"text  http://h/a"}},
		{`<text:a xlink:href="../a.odt"/><text:a xlink:href="#b"/><draw:image xlink:href="Pictures/c.png"/><draw:object xlink:href="./Object 1"/>`,
			[]string{"link text:a/xlink:href ../a.odt own", "link text:a/xlink:href #b own", "embed draw:image/xlink:href Pictures/c.png", "embed draw:object/xlink:href ./Object 1"}},
		{`<text:bookmark text:name="a&amp;b"/><table:table table:name="T"/>`, []string{"anchor a&b", "anchor T|table"}},
		{`<table:table-cell table:formula="of:=HYPERLINK(&quot;http://h/a&quot;;&quot;x&quot;)"/>`, []string{"link HYPERLINK() http://h/a own"}},
		{`<table:table-cell table:formula="of:=HYPERLINK(&quot;http://h/a&quot; &amp; [.A1])"/>`, nil}, // only the beginning of a URL
		{`<table:table-cell table:formula="of:=HYPERLINK(&quot;http://h/a&quot;"/>`, nil},
		{`<table:table-cell table:formula="of:=HYPERLINK(&quot;&quot;;1)&amp;HYPERLINK(&quot;b&quot;)&amp;HYPERLINK(&quot;c&quot;,1)"/>`, []string{"link HYPERLINK() b own", "link HYPERLINK() c own"}},
		{`<office:binary-data>aHR0cDovL2gv</office:binary-data><form:form xlink:href="http://h/f"/>`, []string{"form form:form/xlink:href http://h/f"}},
		{`<dc:description>see http://h/a</dc:description><other>http://h/no</other>`, []string{"text  http://h/a"}},
	} {
		s := odf.Scanner{Anchors: true}
		var got []string
		for it := range s.Scan([]byte(tt.src)) {
			g := fmt.Sprint(it.Kind, " ", it.In, " ", string(it.Value))
			if it.Op == scan.Anchor {
				g = fmt.Sprint("anchor ", string(it.Value))
			} else if raw := tt.src[it.Span.Start:it.Span.End]; raw != string(it.Value) {
				g += " ⟦" + raw + "⟧"
			}
			if it.IgnoresBase {
				g += " own"
			}
			got = append(got, g)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s\ngot  %q\nwant %q", tt.src, got, tt.want)
		}
	}
}

func TestKind(t *testing.T) {
	head := "PK\x03\x04                          mimetypeapplication/vnd.oasis.opendocument."
	for kind, want := range map[string]string{
		"text": "text", "spreadsheet-template": "spreadsheet", "presentation": "presentation", "graphics": "graphics", "text-master": "text",
	} {
		if got := odf.Kind([]byte(head + kind)); got != "application/vnd.oasis.opendocument."+want {
			t.Errorf("%s: %s", kind, got)
		}
	}
	if odf.Kind([]byte("PK\x03\x04")) != "" {
		t.Error("a short file is a document")
	}
}

var hostile = []scantest.Shape{
	{"", "<text:p>", ""}, {"", "<text:a xlink:href='x'>", ""}, {"", "<text:p>http://h/</text:p>", ""}, {"<text:p>", "<text:s/>", ""}, {"<text:p>", "&amp;", ""}, {"<text:p>", "http://h/<text:span>", ""},
	{"<a formula='", "HYPERLINK(&quot;x&quot;)", "'>"}, {"<a formula='", "HYPERLINK(\"", "'>"}, {"", "<a formula='HYPERLINK(\"'>", ""}, {"", "<text:bookmark text:name='x'/>", ""}, {"", "<![CDATA[", ""}, {"", "<office:binary-data>", ""}, {"<text:p", " a='b'", ">"},
	{"", "<manifest:file-entry/><encryption-data>", ""},
}

func TestHostile(t *testing.T) {
	s := odf.Scanner{Anchors: true}
	scantest.Shapes(t, hostile, 128<<10, func(src []byte) {
		for range s.Scan(src) {
		}
		odf.Encrypted(src)
	})
}

// TestShapes limits the CPU time and memory for every shape.
func TestShapes(t *testing.T) {
	scantest.Table(t, scantest.Inputs(hostile...), 1<<20, func(src []byte) {
		s := odf.Scanner{Anchors: true}
		for range s.Scan(src) {
		}
		odf.Encrypted(src)
	})
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`<text:p>a http://h/<text:span>b</text:span>c <text:a xlink:href="http://h/?a&amp;b">x</text:a></text:p><text:bookmark text:name="a"/>`))
	for _, s := range hostile {
		f.Add(s.Text(300))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s := odf.Scanner{Anchors: true}
		for range scantest.InOrder(t, len(src), s.Scan(src)) {
		}
		odf.Encrypted(src)
	})
}
