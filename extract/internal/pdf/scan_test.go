package pdf

import (
	"bytes"
	"compress/lzw"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// withStream is object 9 with a stream.
func withStream(dict, data string) string {
	return fmt.Sprintf("9 0 obj<<%s/Length %d>>stream\n%s\nendstream endobj ", dict, len(data), data)
}

func TestStrings(t *testing.T) {
	for src, want := range map[string]string{ // ISO 32000-2 sections 7.3.4, 7.3.5 and 7.9.2
		`/URI(h:\(a\)\101\7\\\n\r\t\b\f)`:                    "h:(a)A\a\\\n\r\t\b\f",
		"/URI(h:\\\r\na\\\rb\\\nc\rd\r\ne)":                  "h:abc\nd\ne",
		"/URI(h:(a(b))c)":                                    "h:(a(b))c",
		`/URI(h:\z\1011)`:                                    "h:zA1",
		"/URI<68 3a\n6 1 7>":                                 "h:ap",
		"/URI(\xfe\xff\x00h\x00:\x20\xac\xd8\x34\xdd\x1e)":   "h:€𝄞",
		"/URI(\xff\xfeh\x00:\x00x\x00)":                      "h:x",
		"/URI(\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00h\x00:)": "h:",
		"/URI(\xfe\xff\x00h\x00:\x00\x1b\x00e)":              "h:\x1be",
		"/URI(\xfe\xff\x00h\x00:\xd8\x34\x00x)":              "h:\uFFFDx",
		"/URI(\xef\xbb\xbfh:ä)":                              "h:ä",
		"/URI(h:\xe4\x80\x18\xa0\x9f)":                       "h:ä•˘€\uFFFD",
		"/#55R#49(h:)":                                       "h:",
		"/URI( h:\n)":                                        "h:",
		"/URI%(h:1)\n(h:2)":                                  "h:2",
	} {
		want = strings.TrimSpace(want)
		if got := listed("%PDF-1.7\n1 0 obj<<" + src + ">>endobj"); !slices.Equal(got, []string{"URI " + want}) {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

// Actions and file specifications: ISO 32000-2 sections 12.6.4 and 7.11.
func TestFiles(t *testing.T) {
	for src, want := range map[string][]string{
		"2 0 obj(h:)endobj 1 0 obj<</S/URI/URI 2 0 R>>":                                  {"URI h:"},
		"1 0 obj<</S/GoToR/F 2 0 R>>endobj 2 0 obj<</Type/Filespec/F(a.pdf)/UF(b.pdf)>>": {"GoToR a.pdf overridden", "GoToR b.pdf"},
		"1 0 obj<</S/GoToR/F 2 0 R>>endobj 2 0 obj(a.pdf)endobj":                         {"GoToR a.pdf"},
		"1 0 obj<</F<</F(a b#1.pdf)>>/S/Launch>>":                                        {"Launch a b%231.pdf"},
		`1 0 obj<</S/Launch/Win<</F(..\\a\\b.exe)/P(x)>>>>`:                              {"Launch ../a/b.exe guess"},
		`1 0 obj<</S/Launch/F(program)>>`:                                                {"Launch program guess"},
		`1 0 obj<</S/GoToR/F(C:\\/x/a%b?c:d.pdf)>>`:                                      {"GoToR C%3A%5C/x/a%25b%3Fc:d.pdf"},
		`1 0 obj<</S/GoToR/F(a:b)>>`:                                                     {"GoToR a%3Ab"},
		"1 0 obj<</S/GoToR/F(http://h/a?b)>>":                                            {"GoToR http://h/a?b"},
		"1 0 obj<</S/GoToR/F(h4://x)>>":                                                  {"GoToR h4%3A//x"},
		"1 0 obj<</S/SubmitForm/F<</FS/URL/F(http://h/f)>>>>":                            {"SubmitForm http://h/f"},
		"1 0 obj<</S/ImportData/F(a.fdf)>>":                                              {"ImportData a.fdf"},
		"1 0 obj[<</FS/URL/F(http://h/f)>>]":                                             {"Filespec/URL http://h/f"},
		"1 0 obj<</S/GoToR/F()>>":                                                        nil,
		"1 0 obj<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 3 0 R>>>>":                    nil,
		"1 0 obj<</S/Named/F(x)>>":                                                       nil,
		"1 0 obj<</F 4/A<</S/URI/URI(h:)>>/T(x)>>":                                       {"URI h:"},
		"1 0 obj<</S/URI/URI(h:1)/Next[<</S/URI/URI(h:2)>>]>>":                           {"URI h:1", "URI h:2"},
		"1 0 obj<</F(a.bin)/Length 0>>stream\n\nendstream":                               {"stream/F a.bin"},
		"1 0 obj<</Title(see http://h/a.)/Contents(www.h.org/x)>>":                       {" http://h/a", " http://www.h.org/x"},
		"1 0 obj<</Contents(<URL:http://h/\n x>)>>":                                      {"<URL:> http://h/x"},
		"1 0 obj<</Title(\xfe\xff" + wide("http://h/") + ")>>":                           {" http://h/"},
		"1 0 obj<</Type/Catalog/URI 2 0 R>>endobj 2 0 obj<</Base(h:)>>endobj":            {"base h:"},
		withStream("/Type/ObjStm/N 1/First 4", "1 0 <</Type/Catalog/URI<</Base(h:)>>>>"): {"base h:"},
		"1 0 obj<</A<</URI(h:)":                                                          {"URI h:"},
		"1 0 obj" + strings.Repeat("<</A", 1000) + "<</URI(h:1)>>" + strings.Repeat(">>", 1000) + "endobj 2 0 obj<</URI(h:2)>>":       {"URI h:2"},
		"1 0 obj<</A 2 0 R>> endobj 2 0 obj<</URI(h:1)>>endobj trailer<</Root 1 0 R>>%%EOF\n1 0 obj<<>>endobj trailer<</Root 1 0 R>>": {"URI h:1 deleted"},
	} {
		if got := listed("%PDF-1.7\n" + src + "\n"); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
	if !Is([]byte("%PDF-1.7")) || !Is([]byte("\xef\xbb\xbf\n%PDF-1.7")) || !Is([]byte("junk\n%PDF-1.7\n1 0 obj")) || Is([]byte("junk %PDF-1.7\n1 0 obj")) || Is([]byte("text about\n%PDF-1.7")) {
		t.Error("the first bytes")
	}
}

// wide returns UTF-16BE, with the parentheses of a string escaped.
func wide(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteByte(0)
		b.WriteRune(c)
	}
	return b.String()
}

// Filters: section 7.4. Each is undone, and damage costs what follows it.
func TestFilters(t *testing.T) {
	objects := "1 0 2 25 <</URI(http://h/1)/X(aaaaaaaaaaaaaaaaaaaaaaaaaaa)>> (http://h/2)" + strings.Repeat(" (aaaaaabbbbbb)", 400)
	var lzwed bytes.Buffer
	w := lzw.NewWriter(&lzwed, lzw.MSB, 8)
	_, _ = w.Write([]byte(objects))
	_ = w.Close()
	in85 := make([]byte, ascii85.MaxEncodedLen(len(objects)))
	in85 = in85[:ascii85.Encode(in85, []byte(objects))]
	runs := ""
	for i := 0; i < len(objects); i += 100 {
		piece := objects[i:min(len(objects), i+100)]
		runs += string([]byte{byte(len(piece) - 1)}) + piece
	}
	if got := unBrotli([]byte(scantest.Brotli(strings.Repeat("a", 1<<22))), 1<<10); len(got) != 1<<10 {
		t.Errorf("Brotli: %d bytes", len(got))
	}
	const dict = "/Type/ObjStm/N 2/First 9"
	want := []string{"object 9: URI http://h/1"}
	for name, src := range map[string]string{
		"none":           withStream(dict, objects),
		"deflate":        withStream(dict+"/Filter/FlateDecode", deflate(objects)),
		"LZW":            withStream(dict+"/Filter/LZWDecode/DecodeParms<</EarlyChange 0>>", lzwed.String()),
		"Brotli":         withStream(dict+"/Filter/BrotliDecode", scantest.Brotli(objects)),
		"hex":            withStream(dict+"/Filter[/ASCIIHexDecode]", hex.EncodeToString([]byte(objects))+">"),
		"odd hex":        withStream(dict+"/Filter/AHx", hex.EncodeToString([]byte(objects))+" 2>"),
		"hex, no end":    withStream(dict+"/Filter/AHx", hex.EncodeToString([]byte(objects))),
		"85":             withStream(dict+"/Filter/A85", string(in85)+"~>"),
		"85 with zeros":  withStream(dict+"/Filter/ASCII85Decode", string(in85)+"zz~>"),
		"85, no end":     withStream(dict+"/Filter/A85", string(in85)),
		"run length":     withStream(dict+"/Filter/RL", runs+"\x80"),
		"run, repeated":  withStream(dict+"/Filter/RunLengthDecode", runs+"\x81 "),
		"two filters":    withStream(dict+"/Filter[/AHx /Fl]", hex.EncodeToString([]byte(deflate(objects)))+">"),
		"TIFF":           withStream(dict+"/Filter/Fl/DecodeParms<</Predictor 2/Columns 7>>", deflate(tiff(objects, 7))),
		"no row":         withStream(dict+"/Filter/Fl/DecodeParms<</Predictor 12/Columns 0>>", deflate(objects)),
		"a length":       strings.Replace(withStream(dict, objects), "/Length", "/Length 3 /X", 1),
		"no endstream":   strings.Replace(withStream(dict, objects), "endstream", "", 1),
		"damaged behind": withStream(dict+"/Filter/Fl", deflate(objects)[:len(deflate(objects))-6]),
	} {
		if got := listed("%PDF-1.7\n" + src + "\n"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for kind := range byte(6) { // the filters of PNG, and one that there is not
		for _, columns := range []int{3, 50} {
			src := withStream(fmt.Sprintf("%s/Filter/Fl/DecodeParms<</Predictor 15/Colors 2/BitsPerComponent 8/Columns %d>>", dict, columns), deflate(png(objects, 2*columns, 2, kind)))
			if got := listed("%PDF-1.7\n" + src + "\n"); !slices.Equal(got, want) {
				t.Errorf("PNG filter %d, %d columns: %q", kind, columns, got)
			}
		}
	}
	if got := unLZW([]byte("\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01"), true, 100); string(got) != "-----A---B" { // the example of section 7.4.4.2
		t.Errorf("LZW: %q", got)
	}
	for _, bad := range []string{"", "\x80", "\xff\xff\xff", "\x80\x7f\xff", "\x80\x40\x40\x30\x18"} {
		for _, early := range []bool{false, true} {
			if got := unLZW([]byte(bad), early, 4); len(got) > 4 {
				t.Errorf("LZW %q: %d bytes", bad, len(got))
			}
		}
	}
	const note = "note: an object stream that cannot be decoded: not readstream of PDF"
	for _, filter := range []string{"/Fl", "/BrotliDecode", "/Unknown", "/JBIG2Decode", "[/Fl/Fl]"} {
		if got := listed("%PDF-1.7\n" + withStream(dict+"/Filter"+filter, "damaged") + "\n"); len(got) > 1 || len(got) == 1 && got[0] != note {
			t.Errorf("%s: %q", filter, got)
		}
	}
}

// tiff writes bytes as differences from the byte before, in rows.
func tiff(s string, row int) string {
	out := []byte(s)
	for i := range out {
		if i%row > 0 {
			out[i] = s[i] - s[i-1]
		}
	}
	return string(out)
}

// png filters s in rows of n bytes, with pixels of this many bytes, by one of the filters of PNG.
func png(s string, n, pixel int, kind byte) string {
	var out []byte
	above := make([]byte, n)
	for len(s) > 0 {
		row := s[:min(n, len(s))]
		s = s[len(row):]
		out = append(out, kind)
		for i, c := range []byte(row) {
			left, corner := 0, 0
			if i >= pixel {
				left, corner = int(row[i-pixel]), int(above[i-pixel])
			}
			up := int(above[i])
			p := left + up - corner
			nearest := corner
			if distance(p, left) <= distance(p, up) && distance(p, left) <= distance(p, corner) {
				nearest = left
			} else if distance(p, up) <= distance(p, corner) {
				nearest = up
			}
			out = append(out, c-byte([]int{0, left, up, (left + up) / 2, nearest, 0}[kind]))
		}
		above = []byte(row)
	}
	return string(out)
}

func distance(a, b int) int { return max(a-b, b-a) }

// Streams that are entities of their own: metadata, and embedded files by their type.
func TestBodies(t *testing.T) {
	for src, want := range map[string]string{
		withStream("/Type/Metadata/Subtype/XML", "<a/>"):                               "object 9 is application/x-xmp+xml <a/>",
		withStream("/Type/EmbeddedFile/Subtype/text#2FHTML/Filter/Fl", deflate("<p>")): "object 9 is text/html <p>",
		withStream("/Type/EmbeddedFile", "x"):                                          "object 9 is application/octet-stream x",
		withStream("/Type/EmbeddedFile/Subtype/"+strings.Repeat("x", 200), "x"):        "object 9 is application/octet-stream x",
		withStream("/Type/EmbeddedFile/Subtype/plain", "x"):                            "object 9 is application/octet-stream x",
		withStream("/Type/EmbeddedFile/Subtype/text#2fplain", ""):                      "",
		withStream("", "(http://h/) Tj"):                                               "",
	} {
		if got := strings.Join(listed("%PDF-1.7\n"+src+"\n"), "; "); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
	n := 0
	for it := range new(Scanner).Scan([]byte("%PDF-1.7\n" + withStream("/Type/EmbeddedFile/Subtype/text#2fhtml", "<p>") + "\n")) {
		if n++; it.Type != "text/html" {
			t.Errorf("%+v", it)
		}
	}
	if n != 1 {
		t.Errorf("%d notes about a file that is not read", n)
	}
}

// A file that is encrypted with an empty password has the references of the same file without encryption. What is
// changed in its dictionary makes it unreadable, and no more.
func TestEncrypted(t *testing.T) {
	read := func(name string) string {
		src, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(src)
	}
	sorted := func(src string) []string {
		list := listed(src)
		for i := range list {
			if _, after, ok := strings.Cut(list[i], ": "); ok {
				list[i] = after
			}
		}
		slices.Sort(list)
		return list
	}
	want := sorted(read("links.pdf"))
	for _, name := range []string{"rc4-40.pdf", "rc4-128.pdf", "aes-128.pdf", "aes-256-r5.pdf", "aes-256.pdf", "owner-256-r5.pdf", "owner-256.pdf"} {
		src := read(name)
		if got := sorted(src); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		for _, change := range [][2]string{
			{"/V ", "/V 9"}, {"/R ", "/R 9"}, {"/P ", "/P (x)"}, {"/P -", "/P "}, {"/Length ", "/Length 9"}, {"/Filter /Standard", "/Filter /Other"}, {"/CFM ", "/CFM /None /X "}, {"/CF ", "/CX "},
			{"/StdCF\n", "/None\n"}, {"/StmF ", "/StmX "}, {"/StrF ", "/StrX "}, {"/O ", "/OX "}, {"/U ", "/UX "}, {"/UE ", "/UEX "}, {"/ID ", "/IX "}, {"/EncryptMetadata", "/EncryptMetadata false /X"},
		} {
			listed(strings.Replace(src, change[0], change[1], 1))
		}
		step := 1 + len(src)/scantest.Amount(50, 300)
		for i := 0; i < len(src); i += step {
			listed(src[:i])
			listed(src[:i] + "\x00" + src[i+1:])
		}
	}
	if got := sorted(read("locked.pdf")); len(got) != 1 || !strings.HasSuffix(got[0], "encrypted PDF") {
		t.Errorf("locked.pdf: %q", got)
	}
}

// lzwOf compresses data with codes of 9 to 12 bits. When all codes are used, it goes on with those that it has.
func lzwOf(data []byte, early int) (out []byte) {
	codes := map[string]int{}
	for i := range 256 {
		codes[string([]byte{byte(i)})] = i
	}
	next, width := 258, 9
	bits, n := uint64(0), 0
	put := func(code int) {
		bits, n = bits<<width|uint64(code), n+width
		for ; n >= 8; n -= 8 {
			out = append(out, byte(bits>>(n-8)))
		}
	}
	put(256)
	whole := ""
	for _, c := range data {
		if _, ok := codes[whole+string([]byte{c})]; ok {
			whole += string([]byte{c})
			continue
		}
		put(codes[whole])
		if next < 4096 {
			codes[whole+string([]byte{c})] = next
			next++
		}
		if width < 12 && next-1+early >= 1<<width { // the decoder has one code less
			width++
		}
		whole = string([]byte{c})
	}
	put(codes[whole])
	put(257)
	return append(out, byte(bits<<(8-n)))
}

// LZW goes on when all codes of 12 bits are used.
func TestFullLZW(t *testing.T) {
	var data []byte
	for i := range 40_000 {
		data = append(data, "abcdefgh"[i*i%97*(i%13)%8])
		if i%7 == 0 {
			data = append(data, byte(i>>3))
		}
	}
	for early := range 2 {
		if got := unLZW(lzwOf(data, early), early == 1, 1<<20); !bytes.Equal(got, data) {
			same := 0
			for same < min(len(got), len(data)) && got[same] == data[same] {
				same++
			}
			t.Errorf("early change %d: %d bytes, of which %d are those of %d", early, len(got), same, len(data))
		}
	}
}
