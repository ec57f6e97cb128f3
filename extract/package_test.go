package extract

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/base"
)

// The cases were made for this project by a script in Python, and checked against lxml, python-docx, openpyxl,
// odfpy and epubcheck 4.2.6: the bytes at each position are what these programs show.
func TestPackageCases(t *testing.T) {
	type row struct {
		Data, Part, In, Kind, Ref, URL string
		Offset                         int64
		Length                         int
		Raw                            *string
	}
	rows := map[string]map[string]row{}
	src, err := os.Open("testdata/packages/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for lines := bufio.NewScanner(src); lines.Scan(); {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.In == "Relationship/Target" || r.In == "worksheet" {
			continue // how the package is put together: no references
		}
		if rows[r.Data] == nil {
			rows[r.Data] = map[string]row{}
		}
		rows[r.Data][fmt.Sprint(r.Part, " ", r.Offset)] = r
	}
	if len(rows) != 4 {
		t.Fatalf("%d files", len(rows))
	}
	for name, want := range rows {
		for r := range walkFile(t, name) {
			key := fmt.Sprint(r.Member(), " ", r.Pos.Offset)
			w, ok := want[key]
			if !ok {
				if string(r.Ref) != "urn:uuid:1" {
					t.Errorf("%s: unexpected %s %q", name, key, r.Ref)
				}
				continue
			}
			delete(want, key)
			if name == "letter.odt" && r.URL == nil {
				w.URL = strings.Replace(w.URL, "other.odt", "../other.odt", 1) // there it is relative to the file
			}
			if w.Raw != nil { // there a reference may end with a tag
				w.Length -= len(*w.Raw)
				*w.Raw = strings.TrimSuffix(*w.Raw, "</text:span>")
				w.Length += len(*w.Raw)
			}
			raw := w.Ref
			if w.Raw != nil {
				raw = *w.Raw
			}
			if string(r.Ref) != w.Ref || string(r.Raw) != raw || r.Pos.Length != w.Length || r.Kind.String() != w.Kind || target(r) != w.URL || !r.Pos.Exact {
				t.Errorf("%s %s: %q, raw %q, %s, %q, length %d, exact %v, want %+v", name, key, r.Ref, r.Raw, r.Kind, target(r), r.Pos.Length, r.Pos.Exact, w)
			}
			if r.In != "" && r.In != w.In {
				t.Errorf("%s %s: in %q, want %q", name, key, r.In, w.In)
			}
		}
		for key := range want {
			t.Errorf("%s: missing %s %q", name, key, want[key].Ref)
		}
	}
}

// target returns where r leads as the cases have it.
func target(r *Reference) string {
	switch {
	case r.Inside != nil:
		return "!" + string(r.Inside)
	case r.Fragment != nil:
		return string(r.Fragment)
	case r.URL == nil:
		return string(r.Ref) // relative to the document, whose URL is not known
	}
	return string(r.URL)
}

func walkFile(t *testing.T, name string) func(func(*Reference) bool) {
	src, err := os.ReadFile("testdata/packages/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(*Reference) bool) {
		for r, err := range new(Config).Walk(name, bytes.NewReader(src)) {
			if err != nil {
				t.Error(err)
				return
			}
			if !yield(r) {
				return
			}
		}
	}
}

// What is relative to a document is resolved against its URL; what is in it points to a member.
func TestPackageBase(t *testing.T) {
	rels := func(target string) namedText {
		return namedText{"word/_rels/document.xml.rels", `<Relationships><Relationship Id="r" Type="x/hyperlink" TargetMode="External" Target="` + target + `"/></Relationships>`}
	}
	docx := func(m ...namedText) string {
		return zipOf(t, zip.Deflate, append([]namedText{{"[Content_Types].xml", "<x/>"}, {"word/document.xml", `<w:hyperlink r:id="r"/>`}}, m...)...)
	}
	odt := func(href string) string {
		return zipOf(t, zip.Store, namedText{"mimetype", "application/vnd.oasis.opendocument.text"}, namedText{"content.xml", `<text:a xlink:href="` + href + `"/>`})
	}
	book := func(path, text string) string {
		return zipOf(t, zip.Store, namedText{"mimetype", "application/epub+zip"}, namedText{path, text})
	}
	for _, tt := range []struct{ name, src, url, want string }{
		{"a.docx", docx(rels("../x.pdf")), "http://h/d/e/a.docx", "http://h/d/x.pdf"},
		{"a.docx", docx(rels("x.pdf#a")), "http://h/d/a.docx", "http://h/d/x.pdf#a"},
		{"a.docx", docx(rels("x.pdf"), namedText{"docProps/app.xml", "<P><HyperlinkBase>http://b/c/</HyperlinkBase></P>"}), "http://h/d/a.docx", "http://b/c/x.pdf"},
		{"a.odt", odt("../x.pdf"), "http://h/d/a.odt", "http://h/d/x.pdf"},
		{"a.odt", odt("../../x.pdf"), "http://h/d/a.odt", "http://h/x.pdf"},
		{"a.odt", odt("Pictures/x.png"), "http://h/d/a.odt", "!/Pictures/x.png"},
		{"a.epub", book("O/a b.html", "<html><a href='../x#y'>"), "http://h/d/a.epub", "!/x#y"},
		{"a.epub", book("O/a.html", "<html><a href='c%20d.html?q'>"), "", "!/O/c%20d.html?q"},
		{"a.epub", book("O/a.html", "<html><a href='../../../x'>"), "", "!/x"},
		{"a.epub", book("O/a.html", "<html><base href='s/'><a href='x'>"), "", "!/O/s/x"},
		{"a.epub", book("O/a.html", "<html><base href='http://b/'><a href='x'>"), "", "http://b/x"},
		{"a.epub", book("O/a.svg", "<svg><foreignObject><a href='x'/></foreignObject></svg>"), "", "!/O/x"},
		{"a.epub", book("O/a.html", "<html><a href='//h/x'>"), "", "//h/x"},
		{"a.epub", book("O/a.html", "<html><iframe srcdoc='<a href=x>'>"), "", "!/O/x"},
		{"all.zip", zipOf(t, zip.Store, namedText{"b.epub", book("O/a.html", "<html><a href=x>")}), "", "!/O/x"},
	} {
		c := Config{Retrieved: base.Source{URI: tt.url, From: "--url"}, ParserDifferences: true}
		var got []string
		for r, err := range c.Walk(tt.name, strings.NewReader(tt.src)) {
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(r.URL, []byte(packageScheme)) || r.BrowserURL != nil {
				t.Errorf("%s: URL %s, %s", tt.name, r.URL, r.BrowserURL)
			}
			got = append(got, target(r))
		}
		if !slices.Contains(got, tt.want) {
			t.Errorf("%s, %s: %q, want %q", tt.name, tt.url, got, tt.want)
		}
	}
}

// The members of a book are read in the order of its spine.
func TestBookOrder(t *testing.T) {
	opf := `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="b"/><itemref idref="a"/></spine></package>`
	src := zipOf(t, zip.Deflate, namedText{"O/a.xhtml", "<html><a href='http://h/a'/></html>"}, namedText{"O/z.txt", "http://h/z"},
		namedText{"O/b.xml", "<html><a href='http://h/b'/></html>"}, namedText{"O/p.opf", opf},
		namedText{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="O/p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`})
	var got []string
	for r, err := range new(Config).Walk("a.epub", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		if r.URL != nil {
			got = append(got, string(r.URL)+" "+r.Entity.Type)
		}
	}
	want := []string{"http://h/b application/xhtml+xml", "http://h/a application/xhtml+xml", "http://h/z text/plain"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
