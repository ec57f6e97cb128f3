package extract

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// waczFiles are the files of a small WACZ, as its specification names them. The archive is compressed although its name
// does not say so, as in the samples of py-wacz.
func waczFiles(t *testing.T) []namedText {
	t.Helper()
	page := response(isHTML, "<a href=x>")
	return []namedText{
		{"archive/a.warc.gz", packed("gzip", page) + packed("gzip", page)},
		{"archive/b.warc", packed("gzip", page)},
		{"indexes/index.cdx.gz", packed("gzip", "h)/d/ 20260101000000 {\"url\": \"http://h/d/\", \"filename\": \"a.warc.gz\"}\n")},
		{"indexes/index.idx", "!meta 0 {\"format\": \"cdxj-gzip-1.0\"}\nh)/d/ 20260101000000 {\"offset\": 0}\n"},
		{"pages/pages.jsonl", "{\"format\": \"json-pages-1.0\", \"id\": \"pages\"}\n{\"url\": \"http://h/d/\", \"text\": \"see http://no/\"}\n"},
		{"pages/extraPages.jsonl", "{\"url\": \"http://h/e\"}\n"},
		{"logs/crawl.log", "{\"url\": \"http://no/\"}\n"},
		{"fuzzy.json", "[\"http://no/\"]"},
		{"datapackage.json", "{\"mainPageURL\": \"http://no/\"}"},
		{"datapackage-digest.json", "{\"domain\": \"http://no/\"}"},
	}
}

// inMembers returns the references of an input, with the places of their records, and the notes.
func inMembers(t *testing.T, c Config, name, src string) string {
	t.Helper()
	var list []string
	c.Records, c.Lines = true, true
	c.Note = func(n *Note) { list = append(list, fmt.Sprintf("%s: %s", n.Entity.MemberPath(), n.Text)) }
	for ref, err := range c.Walk(name, strings.NewReader(src)) {
		if err != nil {
			list = append(list, err.Error())
			continue
		}
		s := fmt.Sprintf("%s %s %s %d:%d", ref.Entity.MemberPath(), ref.In, ref.URL, ref.Pos.Line, ref.Pos.Column)
		if r := ref.Record(); r != nil {
			s += fmt.Sprintf(" at %d+%d", r.Offset, r.Length)
		}
		list = append(list, s)
	}
	return strings.Join(list, "\n")
}

func TestWACZ(t *testing.T) {
	files := waczFiles(t)
	n := len(files[1].text)
	want := fmt.Sprintf(`archive/a.warc.gz a/href http://h/d/x 10:9 at 0+%[1]d
archive/a.warc.gz a/href http://h/d/x 21:9 at %[1]d+%[1]d
archive/b.warc a/href http://h/d/x 10:9 at 0+%[1]d
indexes/index.cdx.gz cdxj/url http://h/d/ 1:31
pages/pages.jsonl pages/url http://h/d/ 2:10
pages/extraPages.jsonl pages/url http://h/e 1:10
logs/crawl.log: a file of the crawler about itself (crawl.log): not read
fuzzy.json: a file of the crawler about itself (fuzzy.json): not read`, n)
	for _, tt := range []struct{ name, src string }{
		{"a.wacz", zipOf(t, zip.Store, files...)},
		{"a.wacz", zipOf(t, zip.Deflate, files...)},
		{"a.zip", zipOf(t, zip.Store, files...)}, // by its members
		{"-", zipOf(t, zip.Store, files...)},
	} {
		if got := inMembers(t, Config{}, tt.name, tt.src); got != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, want)
		}
	}
	// It is read wherever it is found, like any archive of a crawler.
	if got := inMembers(t, Config{Archives: OpenAttached}, "a.wacz", zipOf(t, zip.Store, files...)); got != want {
		t.Errorf("in a directory:\n got %s\nwant %s", got, want)
	}
	// A ZIP archive that only has such a description is no WACZ.
	other := zipOf(t, zip.Store, namedText{"datapackage.json", `{"homepage": "http://h/"}`}, namedText{"data/archive/x.warc", "http://h/2"})
	if got := inMembers(t, Config{}, "a.wacz", other); !strings.Contains(got, "datapackage.json  http://h/ 1:15") {
		t.Error(got)
	}
	// In a message or another archive, the places are still those in the member.
	outer := zipOf(t, zip.Deflate, namedText{"in/a.wacz", zipOf(t, zip.Store, files[:2]...) + ""}, namedText{"c.warc.gz", files[0].text})
	got := inMembers(t, Config{}, "x.zip", outer)
	if want := fmt.Sprintf("in/a.wacz!/archive/a.warc.gz a/href http://h/d/x 21:9 at %d+%d", n, n); !strings.Contains(got, want) || !strings.Contains(got, fmt.Sprintf("c.warc.gz a/href http://h/d/x 21:9 at %d+%d", n, n)) {
		t.Errorf("got %s", got)
	}
}

// A WACZ cut at any byte gives an error or a note, and no wrong reference; one whose members are bombs is read as far
// as its size allows.
func TestHostileWACZ(t *testing.T) {
	src := zipOf(t, zip.Store, waczFiles(t)...)
	for n := 0; n < len(src); n += scantest.Amount(113, 37) {
		if got := inMembers(t, Config{}, "a.wacz", src[:n]); strings.Contains(got, "http://no/") || n > 0 && got == "" {
			t.Fatalf("%d bytes: %q", n, got)
		}
	}
	bomb := packed("gzip", response(isHTML, strings.Repeat(" ", 5<<20)))
	files := []namedText{{"archive/a.warc.gz", bomb}, {"datapackage.json", "{}"}}
	for range 2 {
		files = append(files, namedText{"pages/pages.jsonl", strings.Repeat("\n", 5<<20)})
	}
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		list := files
		if method == zip.Store {
			list = files[:2]
		}
		if got := inMembers(t, Config{MaxEntity: 1 << 20}, "a.wacz", zipOf(t, method, list...)); strings.Contains(got, "http") {
			t.Errorf("method %d: %.300q", method, got)
		}
	}
}

// An index is read in pieces of whole lines, which give the same as the whole. A line without end is skipped.
func TestIndexPieces(t *testing.T) {
	var b strings.Builder
	b.WriteString(" CDX N b a\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "h)/%d 20260101000000 http://h/%d/%s\n", i, i, strings.Repeat("x", i%50))
	}
	src := b.String()
	walkAll := func(c Config, src string) (list []string) {
		c.Lines = true
		c.Note = func(n *Note) { list = append(list, fmt.Sprintf("%d %d %s", n.Pos.Offset, n.Pos.Line, n.Text)) }
		for ref, err := range c.Walk("x.cdx", io.MultiReader(strings.NewReader(src))) {
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(src[ref.Pos.Offset:], string(ref.URL)+"\n") {
				t.Errorf("%s is not at %d", ref.URL, ref.Pos.Offset)
			}
			list = append(list, fmt.Sprintf("%d %d:%d %s %s", ref.Pos.Offset, ref.Pos.Line, ref.Pos.Column, ref.Kind, ref.URL))
		}
		return list
	}
	want := walkAll(Config{}, src)
	if len(want) != 3000 || want[2999] != fmt.Sprintf("%d 3001:24 link http://h/2999/%s", strings.LastIndex(src, "http"), strings.Repeat("x", 49)) {
		t.Errorf("%d: %s", len(want), want[len(want)-1])
	}
	small := Config{window: 1}
	if got := walkAll(small, src); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d references in pieces, want %d", len(got), len(want))
	}
	if n := len(small.buffer()); n > len(src) {
		t.Errorf("there is only one piece of %d bytes", n)
	}
	long := src + "h)/ 20260101000000 http://long/" + strings.Repeat("y", 5<<20) + "\nh)/ 20260101000000 http://after/\n"
	got := walkAll(Config{}, long)
	if n := len(got); n != 3002 || !strings.Contains(got[n-2], "a line of more than") || !strings.HasSuffix(got[n-1], " 3003:20 link http://after/") {
		t.Errorf("%d: %.200q", n, got[n-2:])
	}
}

// Archives whose version block has odd fields, as JWAT's samples have them, and one without it.
func TestOddARC(t *testing.T) {
	const page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>"
	const version = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	rec := arc("http://h/d/", page)
	for _, tt := range []struct{ name, file, src string }{
		{"dashes", "-", "filedesc:// - - - 76\n" + version + "\n" + rec},
		{"words", "-", "filedesc://horsy|\\\\hello a.b.c.d blue_monday gif\\\\image one\n" + version + "\n" + rec},
		{"no fields", "-", "filedesc://x\n" + version + "\n" + rec},
		{"line ends of Windows", "-", strings.ReplaceAll("filedesc://x 0.0.0.0 20080430204825 text/plain 78\n"+version, "\n", "\r\n") + "\r\n" + rec},
		{"version 2", "-", "filedesc://x 0.0.0.0 20080430204825 text/plain 200 - - 0 x.arc 116\n2 0 Alexa\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n\n" +
			fmt.Sprintf("http://h/d/ 1.2.3.4 20080430204825 text/html 200 abc - 300 x.arc %d\n%s\n", len(page), page)},
		{"a wrong length", "-", "filedesc://x 0.0.0.0 20080430204825 text/plain 5\n" + version + "\n" + rec},
		{"XML in the version block", "-", "filedesc://x 0.0.0.0 20080430204825 text/plain 120\n" + strings.Replace(version, "1 0", "1 1", 1) + "<arcmetadata>http://no/ and some text</a>\n\n\n" + rec},
		{"no version block", "x.arc", rec + rec},
		{"no version block, packed", "x.arc.gz", rec + rec},
	} {
		cfg := Config{}
		var got []string
		for ref, err := range cfg.Walk(strings.TrimSuffix(tt.file, ".gz"), bytes.NewReader([]byte(tt.src))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(ref.URL))
		}
		if got := strings.Join(got, " "); strings.ReplaceAll(got, "http://h/d/x http://h/d/x", "http://h/d/x") != "http://h/d/x" {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
	if mediaType, _ := (&Config{}).detect("x.arc", []byte("ArC\x01 FreeArc")); mediaType == warcType {
		t.Error("an archive of FreeArc is no ARC")
	}
}
