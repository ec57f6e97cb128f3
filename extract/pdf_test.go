package extract

import (
	"archive/zip"
	"bytes"
	"compress/lzw"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/base64"
	tohex "encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// A pdfRef is a line of pdf/testdata/cases.jsonl: a reference of links.pdf. The offset of one with a part is in
// the decoded object stream, or in the text of the page.
type pdfRef struct {
	Part, In, Kind, Raw, URL string
	Offset, Length           int64
}

// The file was made for this project; pypdf 7.1 shows the same references, and shows others if the bytes at these
// positions are overwritten.
func TestPDFCases(t *testing.T) {
	data, err := os.ReadFile("internal/pdf/testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(data)) {
		var r pdfRef
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Kind != "base" {
			want = append(want, fmt.Sprintf("%s %s %s %d %q %s", r.Part, r.In, r.Kind, r.Offset, r.Raw, r.URL))
		}
	}
	src := readFile(t, "links.pdf")
	var got []string
	for ref, err := range (&Config{Lines: true}).Walk("links.pdf", bytes.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		offset := ref.Pos.Offset
		if ref.Entity.Path() != "" {
			offset = int64(ref.PartColumn - 1) // the stream has one line
		} else if !ref.Pos.Exact || string(src[offset:][:ref.Pos.Length]) != string(ref.Raw) {
			t.Errorf("%s: not at its position", ref.Ref)
		}
		got = append(got, fmt.Sprintf("%s %s %s %d %q %s", ref.Entity.Path(), ref.In, ref.Kind, offset, ref.Raw, ref.URL))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("internal/pdf/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// pdfRefs returns the references of a PDF: the part, the place, the URL or reference, and labels.
func pdfRefs(t *testing.T, c *Config, name, src string) (list []string) {
	t.Helper()
	for ref, err := range c.Walk(name, strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		s := ref.In + " " + string(ref.Ref)
		if part := ref.Entity.Path(); part != "" {
			s = part + ": " + s
		}
		if names := ref.Labels.Names(); names != nil {
			s += " " + strings.Join(names, ",")
		}
		list = append(list, s)
	}
	return list
}

// onlyURLs returns the URLs of an input.
func onlyURLs(t *testing.T, c *Config, name, src string) (list []string) {
	t.Helper()
	for ref, err := range c.Walk(name, strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		if ref.URL != nil {
			list = append(list, string(ref.URL))
		}
	}
	return list
}

// Files that open without a password have the same references as the file that was encrypted. They were made with pypdf 7.1.
func TestPDFEncrypted(t *testing.T) {
	sorted := func(name string) []string {
		list := pdfRefs(t, new(Config), name, string(readFile(t, name)))
		for i := range list { // the order of objects, and whether they are in streams, may differ
			if _, after, ok := strings.Cut(list[i], ": "); ok {
				list[i] = after
			}
		}
		slices.Sort(list)
		return list
	}
	want := sorted("links.pdf")
	for _, name := range []string{"rc4-40.pdf", "rc4-128.pdf", "aes-128.pdf", "aes-256-r5.pdf", "aes-256.pdf", "owner-256-r5.pdf", "owner-256.pdf"} {
		if got := sorted(name); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	kind := ""
	c := Config{Note: func(n *Note) { kind += n.Unread }}
	if got := pdfRefs(t, &c, "locked.pdf", string(readFile(t, "locked.pdf"))); got != nil || kind != "encrypted PDF" {
		t.Errorf("locked.pdf: %q, not read: %q", got, kind)
	}
}

// pdfStream returns an object with a stream.
func pdfStream(num int, dict string, data []byte) string {
	return fmt.Sprintf("%d 0 obj\n<< %s /Length %d >>\nstream\n%s\nendstream\nendobj\n", num, dict, len(data), data)
}

func deflated(s string) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.Bytes()
}

// predicted returns rows of s of n bytes with the filter Up of PNG.
func predicted(s string, n int) string {
	var out []byte
	above := make([]byte, n)
	for len(s) > 0 {
		row := []byte(s[:min(n, len(s))])
		s = s[len(row):]
		out = append(out, 2)
		for i, c := range row {
			out = append(out, c-above[i])
		}
		copy(above, row)
	}
	return string(out)
}

func TestPDF(t *testing.T) {
	utf16be := func(s string) string {
		b := []byte("\xfe\xff")
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u>>8), byte(u))
		}
		return string(b)
	}
	const objects = "1 0 2 13 <</URI(http://h/1)>> (http://h/2)"
	const stream = "/Type /ObjStm /N 2 /First 9"
	var lzwed bytes.Buffer
	w := lzw.NewWriter(&lzwed, lzw.MSB, 8)
	_, _ = w.Write([]byte(objects))
	_ = w.Close()
	in85 := make([]byte, ascii85.MaxEncodedLen(len(objects)))
	in85 = in85[:ascii85.Encode(in85, []byte(objects))]
	inObject := []string{"object 9: URI http://h/1"}
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		// Strings: ISO 32000-2 sections 7.3.4 and 7.9.2.
		{"escapes", `1 0 obj<</URI(http://h/\(a\)\101\7\\)>>`, []string{"URI http://h/(a)A\a\\"}},
		{"line ends", "1 0 obj<</URI(http://h/\\\r\na\\\rb)>>", []string{"URI http://h/ab"}},
		{"balanced", "1 0 obj<</URI(http://h/(a(b))c)>>", []string{"URI http://h/(a(b))c"}},
		{"hex", "1 0 obj<</URI<6 87\n4 7>>>", []string{"URI htp"}},
		{"UTF-16", "1 0 obj<</URI(" + utf16be("http://h/ä€") + ")>>", []string{"URI http://h/ä€"}},
		{"UTF-16 in hex", "1 0 obj<</URI<" + tohex.EncodeToString([]byte(utf16be("http://h/𝄞"))) + ">>>", []string{"URI http://h/𝄞"}},
		{"UTF-16, a language", "1 0 obj<</URI(" + utf16be("\x1ben\x1bhttp://h/") + ")>>", []string{"URI http://h/"}},
		{"little endian", "1 0 obj<</URI(\xff\xfeh\x00:\x00x\x00)>>", []string{"URI h:x"}},
		{"UTF-8", "1 0 obj<</URI(\xef\xbb\xbfhttp://h/ä)>>", []string{"URI http://h/ä"}},
		{"PDFDocEncoding", "1 0 obj<</URI(http://h/\xe4\x80)>>", []string{"URI http://h/ä•"}},
		{"a name with escapes", "1 0 obj<</#55RI(http://h/)>>", []string{"URI http://h/"}},
		{"spaces", "1 0 obj<</URI( http://h/\n)>>", []string{"URI http://h/"}},

		// Actions and file specifications: sections 12.6.4 and 7.11.
		{"indirect string", "2 0 obj(http://h/)endobj 1 0 obj<</S/URI/URI 2 0 R>>", []string{"URI http://h/"}},
		{"indirect file", "1 0 obj<</S/GoToR/F 2 0 R>>endobj 2 0 obj<</Type/Filespec/F(a.pdf)/UF(b.pdf)>>", []string{"GoToR a.pdf overridden", "GoToR b.pdf"}},
		{"indirect name", "1 0 obj<</S/GoToR/F 2 0 R>>endobj 2 0 obj(a.pdf)endobj", []string{"GoToR a.pdf"}},
		{"the file first", "1 0 obj<</F<</F(a b#1.pdf)>>/S/Launch>>", []string{"Launch a b%231.pdf"}},
		{"Windows", `1 0 obj<</S/Launch/Win<</F(..\\a\\b.exe)/P(x)>>>>`, []string{"Launch ../a/b.exe guess"}},
		{"a form", "1 0 obj<</S/SubmitForm/F<</FS/URL/F(http://h/f)>>>>", []string{"SubmitForm http://h/f"}},
		{"data", "1 0 obj<</S/ImportData/F(a.fdf)>>", []string{"ImportData a.fdf"}},
		{"a URL", "1 0 obj[<</FS/URL/F(http://h/f)>>]", []string{"Filespec/URL http://h/f"}},
		{"an attached file", "1 0 obj<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 3 0 R>>>>", nil},
		{"the embedded file of GoToE", "1 0 obj<</S/GoToE/F(a.pdf)/T<</R/C/N(x)>>>>", []string{"GoToE a.pdf"}},
		{"a flag", "1 0 obj<</F 4/A<</S/URI/URI(http://h/)>>/T(x)>>", []string{"URI http://h/"}},
		{"a field", "1 0 obj<</S/Named/F(x)>>", nil},
		{"next", "1 0 obj<</S/URI/URI(http://h/1)/Next[<</S/URI/URI(http://h/2)>>]>>", []string{"URI http://h/1", "URI http://h/2"}},
		{"external data", "1 0 obj<</F(a.bin)/Length 0>>stream\n\nendstream", []string{"stream/F a.bin"}},
		{"text", "1 0 obj<</Title(see http://h/a.)/Contents(www.h.org/x)>>", []string{" http://h/a", " www.h.org/x"}},
		{"a base", "1 0 obj<</URI<</Base(http://h/d/)>>>>endobj 2 0 obj<</URI(x)>>", []string{"URI x"}},
		{"a comment", "1 0 obj<</S/URI % (http://h/1)\n/URI(http://h/2)>>", []string{"URI http://h/2"}},

		// Object streams: section 7.5.7. Filters: section 7.4.
		{"deflate", pdfStream(9, stream+"/Filter/FlateDecode", deflated(objects)), inObject},
		{"LZW", pdfStream(9, stream+"/Filter/LZWDecode/DecodeParms<</EarlyChange 0>>", lzwed.Bytes()), inObject},
		{"hex stream", pdfStream(9, stream+"/Filter[/ASCIIHexDecode]", []byte(tohex.EncodeToString([]byte(objects))+">")), inObject},
		{"85", pdfStream(9, stream+"/Filter/A85", append(in85, '~', '>')), inObject},
		{"run length", pdfStream(9, stream+"/Filter/RL", append([]byte{byte(len(objects) - 1)}, objects+"\x80"...)), inObject},
		{"two filters", pdfStream(9, stream+"/Filter[/AHx /Fl]", []byte(tohex.EncodeToString(deflated(objects))+">")), inObject},
		{"PNG", pdfStream(9, stream+"/Filter/Fl/DecodeParms<</Predictor 12/Columns 7>>", deflated(predicted(objects, 7))), inObject},
		{"no filter", pdfStream(9, stream, []byte(objects)), inObject},
		{"indirect from a stream", pdfStream(9, stream, []byte(objects)) + "10 0 obj<</URI 2 0 R>>", []string{"object 9: URI http://h/1", "object 9: URI http://h/2"}},
		{"a length that lies", strings.Replace(pdfStream(9, stream, []byte(objects)), "/Length", "/Length 3 /X", 1), inObject},
		{"a length that is too long", strings.Replace(pdfStream(9, stream, []byte(objects)), "/Length 4", "/Length 9994", 1), inObject},
		{"no endstream", strings.Replace(pdfStream(9, stream, []byte(objects)), "endstream", "", 1), inObject},
		{"content is not read", pdfStream(9, "", []byte("(http://h/) Tj /URI (http://h/)")), nil},
		{"metadata", pdfStream(9, "/Type/Metadata/Subtype/XML", []byte(`<?xml version="1.0"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:c="http://c/"><c:u>http://h/m</c:u></rdf:Description></rdf:RDF></x:xmpmeta>`)), []string{"object 9:  http://h/m"}},
		{"an embedded file", pdfStream(9, "/Type/EmbeddedFile/Subtype/text#2Fhtml/Filter/Fl", deflated("<a href='http://h/'>")), []string{"object 9: a/href http://h/"}},

		// Revisions: what is replaced, and what is no longer used.
		{"replaced", "1 0 obj<</A 2 0 R>> endobj 2 0 obj<</URI(http://h/1)>>endobj trailer<</Root 1 0 R>>%%EOF\n2 0 obj<</URI(http://h/2)>>endobj trailer<</Root 1 0 R>>",
			[]string{"URI http://h/1 deleted", "URI http://h/2"}},
		{"unused", "1 0 obj<</A 2 0 R>> endobj 2 0 obj<</URI(http://h/1)>>endobj trailer<</Root 1 0 R>>%%EOF\n1 0 obj<<>>endobj trailer<</Root 1 0 R>>",
			[]string{"URI http://h/1 deleted"}},
		{"no catalog", "2 0 obj<</URI(http://h/1)>>endobj trailer<</Root 1 0 R>>", []string{"URI http://h/1"}},

		// Damage.
		{"not closed", "1 0 obj<</A<</URI(http://h/)", []string{"URI http://h/"}},
		{"a string without an end", "1 0 obj<</A(b/URI(http://h/)>>", []string{"URI http://h/"}},
		{"too deep", "1 0 obj" + strings.Repeat("<</A", 1000) + "<</URI(http://h/1)>>" + strings.Repeat(">>", 1000) + "endobj 2 0 obj<</URI(http://h/2)>>", []string{"URI http://h/2"}},
	} {
		if got := pdfRefs(t, &Config{}, "a.pdf", "%PDF-1.7\n"+tt.src+"\n"); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The base of a PDF governs its URIs, but not the files that it names.
func TestPDFBase(t *testing.T) {
	src := "%PDF-1.7\n1 0 obj<</URI<</Base(http://b/d/)>>>>endobj 2 0 obj<</URI(x)>>endobj 3 0 obj<</S/GoToR/F(y.pdf)>>endobj"
	c := Config{}
	c.Retrieved.URI = "http://r/e/a.pdf"
	got := onlyURLs(t, &c, "a.pdf", src)
	if want := []string{"http://b/d/x", "http://r/e/y.pdf"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A PDF is read wherever it is: named with any name, attached, as a member, as a record, and by SkipBinary,
// which walks of directories set.
func TestPDFAnywhere(t *testing.T) {
	src := readFile(t, "links.pdf")
	want := onlyURLs(t, &Config{}, "links.pdf", string(src))
	if len(want) != 7 {
		t.Fatalf("%d URLs: %q", len(want), want)
	}
	mail := func(heading string) string {
		return "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + heading + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(src) + "\n--b--\n"
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("d/links.pdf")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(src)
	_ = z.Close()
	record := func(mediaType string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", mediaType, len(src), src)
	}
	for _, tt := range []struct{ name, src string }{
		{"links", string(src)},
		{"dir/links.PDF", string(src)},
		{"after a line", "x\n" + string(src)},
		{"a.eml", mail("Content-Type: application/pdf")},
		{"a.eml", mail("Content-Type: application/octet-stream; name=a.pdf")},
		{"a.zip", packed.String()},
		{"a.warc", record("application/pdf")},
		{"a.warc", record("")},
		{"a.warc", record("text/html")},
	} {
		c := Config{SkipBinary: true}
		got := onlyURLs(t, &c, tt.name, tt.src)
		got = slices.DeleteFunc(got, func(u string) bool { return u == "http://h/other.pdf" || u == "http://h/launch.txt" })
		if !slices.Equal(got, want) {
			t.Errorf("%s %.60q: got %q, want %q", tt.name, tt.src, got, want)
		}
	}
	if got := onlyURLs(t, &Config{}, "x.pdf", "<!doctype html><a href='http://h/'>no PDF</a>"); !slices.Equal(got, []string{"http://h/"}) {
		t.Errorf("HTML named .pdf: %q", got)
	}
}

// Each of 2,000 random references, in all forms of strings, leads back to its bytes.
func TestPDFPositions(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const letters = "abcdefghij/?=&%()\\~-.äß€"
	form := func(s string) string {
		switch random.IntN(4) {
		case 0:
			return "<" + tohex.EncodeToString([]byte(s)) + ">"
		case 1:
			b := []byte("\xfe\xff")
			for _, u := range utf16.Encode([]rune(s)) {
				b = append(b, byte(u>>8), byte(u))
			}
			return "<" + tohex.EncodeToString(b) + ">"
		}
		var b strings.Builder
		for _, c := range []byte(s) {
			switch {
			case c == '(' || c == ')' || c == '\\':
				b.WriteString("\\" + string(c))
			case random.IntN(8) == 0:
				fmt.Fprintf(&b, "\\%03o", c)
			case random.IntN(20) == 0:
				b.WriteString("\\\n" + string([]byte{c}))
			default:
				b.WriteByte(c)
			}
		}
		return "(" + b.String() + ")"
	}
	const count = 2000
	want := make(map[string]string) // by reference: its form
	var file, objects, header strings.Builder
	file.WriteString("%PDF-1.7\n")
	for i := range count {
		ref := fmt.Sprintf("http://h%d/", i)
		for range random.IntN(20) {
			ref += string([]rune(letters)[random.IntN(24)])
		}
		f := form(ref)
		want[ref] = f[1 : len(f)-1]
		object := fmt.Sprintf("<</S/URI/URI%s>>\n", f)
		if random.IntN(2) == 0 {
			fmt.Fprintf(&file, "%d 0 obj\n%sendobj\n", i+1, object)
		} else {
			fmt.Fprintf(&header, "%d %d ", i+1, objects.Len())
			objects.WriteString(object)
		}
	}
	decoded := header.String() + objects.String()
	file.WriteString(pdfStream(count+1, fmt.Sprintf("/Type/ObjStm/First %d/Filter/Fl", header.Len()), deflated(decoded)))
	src := file.String()
	lines := strings.SplitAfter(decoded, "\n")
	starts := make([]int, len(lines)+1)
	for i, line := range lines {
		starts[i+1] = starts[i] + len(line)
	}
	n := 0
	for ref, err := range (&Config{Lines: true}).Walk("a.pdf", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		written, ok := want[string(ref.Ref)]
		from, at := src, int(ref.Pos.Offset)
		if ref.Entity.Path() != "" {
			from, at = decoded, starts[ref.PartLine-1]+ref.PartColumn-1
		} else if !ref.Pos.Exact {
			t.Errorf("%s: not exact", ref.Ref)
		}
		if !ok || string(ref.Raw) != written || from[at:at+len(written)] != written {
			t.Errorf("%s: %q at %d", ref.Ref, ref.Raw, at)
		}
		n++
	}
	if n != count {
		t.Errorf("%d references, want %d", n, count)
	}
}

// A file that is damaged or hostile does no harm to the others.
func TestPDFMutated(t *testing.T) {
	mutate(t, []string{"internal/pdf/testdata/links.pdf", "internal/pdf/testdata/rc4-128.pdf", "internal/pdf/testdata/aes-256.pdf", "internal/pdf/testdata/aes-128.pdf"}, "a.pdf")
}

func TestRTFMutated(t *testing.T) {
	mutate(t, []string{"internal/rtf/testdata/seed.rtf", "internal/rtf/testdata/html.rtf"}, "a.rtf")
}
