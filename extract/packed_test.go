package extract

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"example.org/refract/base"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// A namedText is a file in an archive.
type namedText struct{ name, text string }

func zipOf(t testing.TB, method uint16, files ...namedText) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: method})
		if err == nil {
			_, err = io.WriteString(w, f.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tarOf(t testing.TB, format tar.Format, files ...namedText) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.text)), Mode: 0o666, Format: format})
		if err == nil {
			_, err = io.WriteString(w, f.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipOf(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func zstdOf(t testing.TB, text string) string {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// attached returns a message with files attached as of one type.
func attached(mediaType string, files ...namedText) string {
	var b strings.Builder
	b.WriteString("Message-ID: <m@h>\nContent-Base: http://base.example/\nContent-Type: multipart/mixed; boundary=xxx\n\n--xxx\n\nhttp://body.example/\n")
	for _, f := range files {
		b.WriteString("--xxx\nContent-Type: " + mediaType + "\nContent-Disposition: attachment; filename=\"" + f.name + "\"\nContent-Transfer-Encoding: base64\n\n")
		for code := base64.StdEncoding.EncodeToString([]byte(f.text)); code != ""; {
			n := min(76, len(code))
			b.WriteString(code[:n] + "\n")
			code = code[n:]
		}
	}
	return b.String() + "--xxx--\n"
}

// crawled returns the archive of a crawler with one response.
func crawled(url, mediaType, body string) string {
	http := "HTTP/1.1 200 OK\r\nContent-Type: " + mediaType + "\r\n\r\n" + body
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(http), http)
}

// A container makes an input of files, and says how the paths of its members begin.
type testContainer struct {
	name   string // of the input
	prefix string // of the paths of members
	src    string
}

// containers packs files in all ways.
func containers(t testing.TB, files ...namedText) (all []testContainer) {
	t.Helper()
	deflated, stored := zipOf(t, zip.Deflate, files...), zipOf(t, zip.Store, files...)
	ustar, pax := tarOf(t, tar.FormatUSTAR, files...), tarOf(t, tar.FormatPAX, files...)
	all = []testContainer{
		{"a.zip", "", deflated}, {"a.zip", "", stored}, {"a.jar", "", deflated}, {"a-1-py3-none-any.whl", "", deflated}, {"noname", "", deflated},
		{"a.tar", "", ustar}, {"a.tar", "", pax}, {"noname", "", tarOf(t, tar.FormatGNU, files...)},
	}
	packed := []namedText{
		{"i.zip", deflated}, {"i.tar", ustar}, {"i.tgz", gzipOf(pax)}, {"i.tar.gz", gzipOf(ustar)}, {"i.tar.zst", zstdOf(t, ustar)},
	}
	for _, f := range packed {
		mediaType := map[string]string{"i.zip": "application/zip", "i.tar": "application/x-tar", "i.tgz": "application/x-compressed-tar"}[f.name]
		if mediaType == "" {
			mediaType = "application/octet-stream"
		}
		mail := attached(mediaType, f)
		all = append(all,
			testContainer{"outer.zip", f.name + "!/", zipOf(t, zip.Deflate, f)},
			testContainer{"outer.tar", "d/" + f.name + "!/", tarOf(t, tar.FormatUSTAR, namedText{"d/" + f.name, f.text})},
			testContainer{"m.eml", f.name + "!/", mail},
			testContainer{"m.mbox", f.name + "!/", "From a@b Tue Apr  1 09:28:56 1997\n" + mail + "\n"},
			testContainer{"outer.zip", "m.eml!/" + f.name + "!/", zipOf(t, zip.Deflate, namedText{"m.eml", mail})},
			testContainer{"c.warc", f.name + "!/", crawled("http://crawled.example/d/"+f.name+"?q", "application/octet-stream", f.text)},
		)
	}
	return append(all,
		testContainer{"c.warc", "x!/", crawled("http://crawled.example/x", "application/zip", deflated)},
		testContainer{"c.warc", "x!/", crawled("http://crawled.example/x", "application/x-gzip", gzipOf(ustar))},
	)
}

// A found is a reference as it is inside and outside of archives.
type found struct {
	url, raw, ref, in, base, layer string
	offset                         int64
	length, line, column           int
	exact                          bool
	part                           string
}

// findIn walks an input, and returns what it finds by the path of the member; "" is the input itself.
func findIn(t *testing.T, c Config, name, src string) map[string][]found {
	t.Helper()
	all := make(map[string][]found)
	c.Lines = true
	for r, err := range c.Walk(name, strings.NewReader(src)) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		path := r.Entity.MemberPath()
		all[path] = append(all[path], found{
			string(r.URL), string(r.Raw), string(r.Ref), r.In, r.Base.URI, r.Base.Layer.String(),
			r.Pos.Offset, r.Pos.Length, r.Pos.Line, r.Pos.Column, r.Pos.Exact, "",
		})
	}
	return all
}

var threeDocuments = []namedText{
	{"a.html", "<title>x</title>\n<a href='b/c.html'>x</a> <a href=http://h.example/1>1</a>\n<base href='http://late.example/d/'><img src=y.png>"},
	{"d/b.md", "# Title\n\n[x](../a.html) <http://h.example/2>\n\n[r]: /z\n"},
	{"d/list.mbox", "From a@b Tue Apr  1 09:28:56 1997\nContent-Base: http://mail.example/\nContent-Type: text/html\n\n<a href=rel>\n\nFrom a@b Tue Apr  1 09:28:57 1997\nA: b\n\nhttp://h.example/3\n"},
}

// The same documents have the same references, bases, URLs and positions inside and outside of archives.
func TestRoundTrip(t *testing.T) {
	for _, c := range []Config{{}, {Default: base.Source{URI: "http://default.example/x/", From: "--base"}}} {
		want := make(map[string][]found)
		for _, d := range threeDocuments {
			want[d.name] = findIn(t, c, d.name, d.text)[""]
			if len(want[d.name]) < 3 {
				t.Fatalf("%s: %v", d.name, want[d.name])
			}
		}
		for _, k := range containers(t, threeDocuments...) {
			got := findIn(t, c, k.name, k.src)
			delete(got, "")
			delete(got, "m.eml")
			for _, d := range threeDocuments {
				path := k.prefix + d.name
				if !slices.Equal(got[path], want[d.name]) {
					t.Errorf("%s: %s: got %v\nwant %v", k.name, path, got[path], want[d.name])
				}
				delete(got, path)
			}
			if len(got) > 0 {
				t.Errorf("%s: also %v", k.name, got)
			}
		}
	}
}

// Positions lead back to the bytes of the member.
func TestMemberPositions(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var files []namedText
	texts := make(map[string]string)
	count := 0
	for i := range 8 {
		var b strings.Builder
		suffix := []string{".txt", ".html", ".md", ".eml"}[i%4]
		b.WriteString(map[string]string{".html": "<html>", ".eml": "Subject: x\n\n"}[suffix])
		for range 260 {
			b.WriteString(strings.Repeat("word é ", random.IntN(9)) + strings.Repeat("\n", random.IntN(3)))
			switch suffix {
			case ".html":
				fmt.Fprintf(&b, "<a href='http://h.example/%d?a&amp;b=%d'>", count, random.IntN(1000))
			case ".md":
				fmt.Fprintf(&b, "[x](http://h.example/%d) ", count)
			default:
				fmt.Fprintf(&b, "http://h.example/%d ", count)
			}
			count++
		}
		f := namedText{fmt.Sprintf("d/%d%s", i, suffix), b.String()}
		files, texts[f.name] = append(files, f), f.text
	}
	for _, k := range containers(t, files...) {
		n := 0
		c := Config{Lines: true}
		for r, err := range c.Walk(k.name, strings.NewReader(k.src)) {
			if err != nil {
				t.Fatal(err)
			}
			text, ok := texts[strings.TrimPrefix(r.Entity.MemberPath(), k.prefix)]
			if !ok {
				continue
			}
			n++
			p := r.Pos
			written := text[p.Offset : p.Offset+int64(p.Length)]
			line := 1 + strings.Count(text[:p.Offset], "\n")
			column := int(p.Offset) - strings.LastIndexByte(text[:p.Offset], '\n')
			if !p.Exact || written != string(r.Raw) || line != p.Line || column != p.Column {
				t.Fatalf("%s: %q at %+v: there is %q, at %d:%d", k.name, r.Raw, p, written, line, column)
			}
		}
		if n != count || n < 2000 {
			t.Errorf("%s: %d references of %d", k.name, n, count)
		}
	}
}

// kindsIn walks an input, and returns the number of references, the kinds of what is not read, with the
// members concerned, and the error.
func kindsIn(c Config, name string, r io.Reader) (references int, kinds []string, err error) {
	c.Note = func(n *Note) {
		kinds = append(kinds, strings.TrimPrefix(fmt.Sprintf("%s %s: %s", n.Code, n.Unread, n.Entity.MemberPath()), "unread-type "))
	}
	for _, err := range c.Walk(name, r) {
		if err != nil {
			return references, kinds, err
		}
		references++
	}
	return references, kinds, nil
}

// bomb returns a ZIP archive that contains a text of size bytes width to the power of depth times.
func bomb(t testing.TB, size, width, depth int) string {
	text := "http://h.example/ " + strings.Repeat(" ", size)
	name := "a.txt"
	for range depth {
		files := make([]namedText, width)
		for i := range files {
			files[i] = namedText{fmt.Sprintf("%d-%s", i, name), text}
		}
		text, name = zipOf(t, zip.Deflate, files...), "lib.zip"
	}
	return text
}

// What archives decompress to is bounded by their size, however they are nested.
func TestBombs(t *testing.T) {
	const size = 1 << 20
	nested := bomb(t, size, 16, 5) // 1 TiB
	for _, k := range []testContainer{
		{"42.zip", "", nested},
		{"m.eml", "", attached("application/zip", namedText{"42.zip", nested})},
		{"c.warc", "", crawled("http://h/42.zip", "application/zip", nested)},
		{"a.tar", "", tarOf(t, tar.FormatUSTAR, namedText{"42.zip", nested})},
		{"a.tgz", "", zipOf(t, zip.Store, namedText{"a.gz", gzipOf(gzipOf(strings.Repeat("http://h.example/ ", size)))})},
	} {
		n, kinds, err := kindsIn(Config{}, k.name, strings.NewReader(k.src))
		limit := (minBudget+maxRatio*len(k.src))/size + 2
		if err != nil || n > limit || n > 1000 {
			t.Errorf("%s of %d bytes: %d references, %v", k.name, len(k.src), n, err)
		}
		if k.name != "a.tgz" && !slices.ContainsFunc(kinds, func(s string) bool { return strings.Contains(s, largeArchive) }) {
			t.Errorf("%s: notes %q", k.name, kinds)
		}
	}
	deep := zipOf(t, zip.Store, namedText{"a.txt", "http://h.example/"})
	for range maxParts + 2 {
		deep = zipOf(t, zip.Store, namedText{"a.zip", deep})
	}
	if n, kinds, err := kindsIn(Config{}, "a.zip", strings.NewReader(deep)); n != 0 || err != nil || len(kinds) != 1 || !strings.Contains(kinds[0], "too-deep nested archive") {
		t.Errorf("deep: %d references, %q, %v", n, kinds, err)
	}
}

// An archive that is not a file is held in memory, up to the limit of an entity, those around it included.
func TestHeld(t *testing.T) {
	large := zipOf(t, zip.Store, namedText{"a.txt", "http://h.example/" + strings.Repeat(" ", 3000)})
	small := zipOf(t, zip.Store, namedText{"a.txt", "http://h.example/"})
	for _, tt := range []struct {
		src   string
		limit int64
		n     int
		want  []string
	}{
		{large, 4000, 1, nil},
		{large, 3000, 0, []string{"too-large large archive: "}},
		{zipOf(t, zip.Store, namedText{"i.zip", large}, namedText{"j.zip", small}), 5000, 1, []string{"too-large large archive: i.zip"}},
		{zipOf(t, zip.Store, namedText{"i.zip", large}, namedText{"j.zip", small}), 10000, 2, nil},
		{tarOf(t, tar.FormatUSTAR, namedText{"i.zip", large}, namedText{"j.zip", small}), 4000, 2, nil}, // is not held
	} {
		n, kinds, err := kindsIn(Config{MaxEntity: tt.limit}, "x", io.MultiReader(strings.NewReader(tt.src)))
		kinds = slices.DeleteFunc(kinds, func(s string) bool { return !strings.Contains(s, "large archive") })
		if n != tt.n || !slices.Equal(kinds, tt.want) || err != nil {
			t.Errorf("limit %d: %d references, %q, %v; want %d, %q", tt.limit, n, kinds, err, tt.n, tt.want)
		}
	}
}

// What is not read says what it is. A damaged member of an input is an error; of an attachment, it is
// something that is not read.
func TestUnreadArchives(t *testing.T) {
	good := zipOf(t, zip.Store, namedText{"a.txt", "http://h.example/1"}, namedText{"b.txt", "http://h.example/2"})
	damaged := strings.Replace(good, "http://h.example/1", "http://h.example/9", 1)
	encrypted := []byte(good)
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	visio := zipOf(t, zip.Deflate, namedText{"[Content_Types].xml", "<x/>"}, namedText{"visio/document.xml", "<a href='http://h.example/'/>"})
	odt := zipOf(t, zip.Store, namedText{"mimetype", "application/vnd.oasis.opendocument.text"}, namedText{"content.xml", "http://h.example/"},
		namedText{"META-INF/manifest.xml", `<m:manifest><m:file-entry m:full-path="content.xml"><m:encryption-data/></m:file-entry></m:manifest>`})
	drm := zipOf(t, zip.Deflate, namedText{"mimetype", "application/epub+zip"}, namedText{"a b.xhtml", "http://h.example/"}, namedText{"c.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><a href='http://h.example/'/></html>"},
		namedText{"META-INF/encryption.xml", `<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
<enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><enc:CipherData><enc:CipherReference URI="a%20b.xhtml"/></enc:CipherData></enc:EncryptedData>
<enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><enc:CipherData><enc:CipherReference URI="c.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>`})
	for _, tt := range []struct {
		name, src string
		n         int
		want      []string
		err       string
	}{
		{"a.zip", string(encrypted), 1, []string{"encrypted ZIP: a.txt"}, ""},
		{"a.zip", damaged, 2, []string{"damaged : a.txt"}, ""},
		{"m.eml", attached("application/zip", namedText{"a.zip", damaged}), 4, []string{"unread damaged archive: a.zip!/a.txt"}, ""},
		{"m.eml", attached("application/zip", namedText{"a.zip", good[:80]}), 2, []string{"unread damaged archive: "}, ""},
		{"m.eml", attached("application/zip", namedText{"a.zip", "text"}), 2, []string{"ZIP: "}, ""},
		{"m.eml", attached("application/zip", namedText{"a.docx", visio}), 2, []string{"ZIP: "}, ""},
		{"a.zip", good[:80], 0, nil, "zip: no directory at the end: the archive is incomplete or damaged"},
		{"a.zip", zipOf(t, zip.Store, namedText{"i.zip", good[:80]}), 0, []string{"damaged : i.zip"}, ""},
		{"a.vsdx", visio, 0, []string{".vsdx: "}, ""},
		{"a.zip", zipOf(t, zip.Deflate, namedText{"d/a.vsdx", visio}), 0, []string{".vsdx: d/a.vsdx"}, ""},
		{"a.odt", odt, 0, []string{"encrypted document: content.xml"}, ""},
		{"a.epub", drm, 1 + 2, []string{"DRM: a b.xhtml"}, ""},
		{"a.tar", tarOf(t, tar.FormatUSTAR, namedText{"a.txt", "http://h.example/1"}) + "x", 1, nil, ""},
		{"a.tar", tarOf(t, tar.FormatUSTAR, namedText{"a.txt", "http://h.example/1 "}, namedText{"b.txt", strings.Repeat("http://h.example/ ", 1000)})[:5000], 1 + (5000-3*512)/18 + 1, []string{"damaged : b.txt"}, "tar: the archive is incomplete"},
	} {
		n, kinds, err := kindsIn(Config{}, tt.name, strings.NewReader(tt.src))
		if n != tt.n || !slices.Equal(kinds, tt.want) || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%s: %d references, %q, %v\nwant %d, %q, %s", tt.name, n, kinds, err, tt.n, tt.want, tt.err)
		}
	}
	// What is not to be opened is noted as before.
	for _, tt := range []struct {
		archives  Archives
		name, src string
		n         int
		want      []string
	}{
		{OpenAttached, "a.zip", good, 0, []string{"ZIP: "}},
		{OpenAttached, "a.tar", tarOf(t, tar.FormatUSTAR, namedText{"a.txt", "http://h.example/1"}), 0, []string{".tar: "}},
		{OpenAttached, "m.eml", attached("application/zip", namedText{"a.zip", good}), 4, nil},
		{OpenNone, "m.eml", attached("application/zip", namedText{"a.zip", good}), 2, []string{"ZIP: "}},
		{OpenNone, "c.warc", crawled("http://h/a.zip", "application/zip", good), 0, []string{"ZIP: "}},
	} {
		n, kinds, err := kindsIn(Config{Archives: tt.archives, SkipBinary: true}, tt.name, strings.NewReader(tt.src))
		if n != tt.n || !slices.Equal(kinds, tt.want) || err != nil {
			t.Errorf("%d, %s: %d references, %q, %v", tt.archives, tt.name, n, kinds, err)
		}
	}
}

// The URL of an archive is not that of the documents in it; a base that is given for all documents is.
func TestMemberBase(t *testing.T) {
	src := zipOf(t, zip.Store, namedText{"a.html", "<a href=x>"})
	for _, tt := range []struct{ name, src, retrieved, deflt, want string }{
		{"a.zip", src, "file:///d/a.zip", "", ""},
		{"a.zip", src, "http://h/d/a.zip?q", "", ""},
		{"a.zip", src, "http://h/d/a.zip", "http://b/", "http://b/x"},
		{"a.zip", src, "http://h/d/", "", "http://h/d/x"},
		{"c.warc", crawled("http://h/a.zip", "application/zip", src), "", "", ""},
		{"c.warc", crawled("http://h/a.zip", "application/zip", src), "", "http://b/", "http://b/x"},
		{"m.eml", attached("application/zip", namedText{"a.zip", src}), "", "http://b/", "http://b/x"},
	} {
		c := Config{Retrieved: base.Source{URI: tt.retrieved, From: "--url"}, Default: base.Source{URI: tt.deflt, From: "--base"}}
		got := "none"
		for r, err := range c.Walk(tt.name, strings.NewReader(tt.src)) {
			if err != nil {
				t.Fatal(err)
			}
			if string(r.Ref) == "x" {
				got = string(r.URL)
			}
		}
		if got != tt.want {
			t.Errorf("%s, %q, %q: %q, want %q", tt.name, tt.retrieved, tt.deflt, got, tt.want)
		}
	}
}

// A message that is too large to be held has its attachments read if they fit into a piece of it.
func TestLargeMessage(t *testing.T) {
	small := zipOf(t, zip.Store, namedText{"a.txt", "http://h.example/1"})
	var noise strings.Builder
	random := rand.New(rand.NewPCG(5, 6))
	for noise.Len() < 4<<20 {
		fmt.Fprintf(&noise, "%x ", random.Uint64())
	}
	large := zipOf(t, zip.Store, namedText{"b.txt", noise.String()})
	src := attached("application/zip", namedText{"1.zip", small}, namedText{"2.zip", large}, namedText{"3.zip", small})
	n, kinds, err := kindsIn(Config{MaxEntity: 1 << 20}, "m.eml", strings.NewReader(src))
	kinds = slices.DeleteFunc(kinds, func(s string) bool { return strings.HasPrefix(s, "too-large :") })
	if n != 4 || err != nil || !slices.Equal(kinds, []string{"too-large large archive: "}) {
		t.Errorf("%d references, %q, %v", n, kinds, err)
	}
}

// Breaking stops at once, at any reference of an attachment, and everything is counted once.
func TestAttachmentBreak(t *testing.T) {
	src := attached("application/zip", namedText{"a.zip", zipOf(t, zip.Store, threeDocuments...)}, namedText{"b.zip", zipOf(t, zip.Store, threeDocuments...)})
	var c Config
	total := 0
	for range c.Walk("m.eml", strings.NewReader(src)) {
		total++
	}
	for stop := range total + 1 {
		n := 0
		for range c.Walk("m.eml", strings.NewReader(src)) {
			if n++; n > stop {
				break
			}
		}
		if n != min(stop+1, total) {
			t.Errorf("%d references, want %d", n, stop)
		}
	}
	for b, err := range c.Batches("m.eml", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		begun, n := 0, 0
		b.Begin = func(int64) { begun++ }
		for r := range b.References() {
			if n++; r.URL != nil && b.CountOnly {
				t.Errorf("%s is resolved", r.URL)
			}
			b.CountOnly = true
		}
		if want := 1 + 2*(1+1+2); begun != want || n != total {
			t.Errorf("%d documents, want %d; %d references", begun, want, n)
		}
	}
}

// A scanner that panics in an attachment affects one member, and panics of the caller pass through.
func TestAttachmentPanic(t *testing.T) {
	src := attached("application/zip", namedText{"a.zip", zipOf(t, zip.Store, namedText{"a.txt", "http://h.example/1"}, namedText{"b.html", "<a href='http://h.example/2'>"}, namedText{"c.txt", "http://h.example/3"})})
	defer func() { onItem = nil }()
	onItem = func(it *scan.Item) {
		if string(it.Value) == "http://h.example/2" {
			panic("broken")
		}
	}
	var notes []string
	c := Config{Note: func(n *Note) { notes = append(notes, n.Entity.MemberPath()+" "+string(n.Code)) }}
	var got []string
	var failure error
	for r, err := range c.Walk("m.eml", strings.NewReader(src)) {
		if err != nil {
			failure = err
			break
		}
		got = append(got, string(r.URL))
	}
	var panicked *PanicError
	if !errors.As(failure, &panicked) || !slices.Equal(notes, []string{"a.zip!/b.html internal"}) || !slices.Equal(got[len(got)-2:], []string{"http://h.example/1", "http://h.example/3"}) {
		t.Errorf("%q, notes %q, %v", got, notes, failure)
	}
	onItem = nil
	defer func() {
		if recover() != "mine" {
			t.Error("the panic of the caller is lost")
		}
	}()
	for r := range c.Walk("m.eml", strings.NewReader(src)) {
		if string(r.URL) == "http://h.example/3" {
			panic("mine")
		}
	}
}

// Mutated archives, as inputs and as attachments, cause no panic.
func TestMutatedArchives(t *testing.T) {
	all := containers(t, threeDocuments...)
	random := rand.New(rand.NewPCG(7, 8))
	for i := range scantest.Amount(1000, 20_000) {
		k := all[i%len(all)]
		src := []byte(k.src)
		for range 1 + random.IntN(4) {
			at := random.IntN(len(src))
			switch random.IntN(3) {
			case 0:
				src[at] ^= 1 << random.IntN(8)
			case 1:
				src[at] = "\x00\xff0A"[random.IntN(4)]
			default:
				src = append(src[:at], src[min(len(src), at+random.IntN(9)):]...)
			}
		}
		n, _, err := kindsIn(Config{Lines: true}, k.name, bytes.NewReader(src))
		var panicked *PanicError
		if errors.As(err, &panicked) || n > 1000 {
			t.Fatalf("%s: %d references, %v\n%q", k.name, n, err, src)
		}
	}
}

func FuzzArchives(f *testing.F) {
	for _, k := range containers(f, threeDocuments...) {
		f.Add(k.name, []byte(k.src))
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		_, _, err := kindsIn(Config{Lines: true}, name, bytes.NewReader(src))
		var panicked *PanicError
		if errors.As(err, &panicked) {
			t.Error(err)
		}
	})
}
