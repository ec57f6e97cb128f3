package extract

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"example.org/refract/extract/scan"
)

func TestPageCharset(t *testing.T) {
	const (
		html = "text/html"
		svg  = "image/svg+xml"
		css  = "text/css"
	)
	late := strings.Repeat("x", saidWithin-20)
	for _, tt := range []struct{ sec, mediaType, label, src, want string }{
		// HTML 13.2.3.2, encoding sniffing algorithm: the order of what counts.
		{"step 1", html, "koi8-r", "\xef\xbb\xbf<meta charset=big5>", "utf-8"},
		{"step 1", html, "utf-8", "\xff\xfe<\x00", "utf-16le"},
		{"step 1", svg, "utf-8", "\xfe\xff\x00<", "utf-16be"},
		{"step 4", html, "KOI8-R", "<meta charset=big5>", "koi8-r"},
		{"step 4", html, " latin1\t", "é", "windows-1252"},
		{"step 4", html, "us-ascii", "é", "windows-1252"},
		{"step 4", html, "utf-16", "<meta charset=big5>", "utf-16le"},
		{"step 4", html, "x-user-defined", "é", "x-user-defined"},
		{"step 4", html, "iso-2022-kr", "é", "replacement"},
		{"step 4", html, "'utf-8'", "<meta charset=big5>", "big5"},
		{"step 4", html, "utf-7", "é", "utf-8"},
		{"step 5", html, "", "<meta charset=big5>", "big5"},
		{"step 5", html, "unknown", "<meta charset=big5>", "big5"},
		{"step 5", html, "", late + "<meta charset=koi8-r>", "utf-8"},
		{"step 5", html, "", late[1:] + "<meta charset=koi8-r>", "koi8-r"},
		{"step 9", html, "", "", "utf-8"},
		{"step 9", html, "", "abc", "utf-8"},
		{"step 9", html, "", late + "é", "utf-8"},
		{"step 9", html, "", late + "é\xe9", "windows-1252"},
		{"step 9", html, "", "<\x00p\x00>\x00x\x00", "utf-16le"},
		{"step 9", html, "", "\x00<\x00p\x00>\x00x", "utf-16be"},
		{"step 9", html, "", "\x00<p>x\x00\xe9", "windows-1252"},

		// Prescan a byte stream to determine its encoding.
		{"loop", html, "", "<!-- <meta charset=big5> --><meta charset=koi8-r>", "koi8-r"},
		{"loop", html, "", "<!--><meta charset=koi8-r>-->", "koi8-r"},
		{"loop", html, "", "<!-- <meta charset=koi8-r>", "utf-8"},
		{"loop", html, "", "<!x '><meta charset=koi8-r>", "koi8-r"},
		{"loop", html, "", "<?x '><meta charset=koi8-r>", "koi8-r"},
		{"loop", html, "", "</ '><meta charset=koi8-r>", "koi8-r"},
		{"loop", html, "", "</a b='>'><meta charset=koi8-r>", "koi8-r"},
		{"loop", html, "", "<a b='<meta charset=big5>'><meta charset=koi8-r>", "koi8-r"},
		{"loop", html, "", "<a b='><meta charset=koi8-r>", "utf-8"},
		{"loop", html, "", "<a/b='><meta charset=koi8-r>", "koi8-r"}, // "/" does not end a name
		{"loop", html, "", "< <<1<meta charset=koi8-r>", "koi8-r"},
		{"loop", html, "", "<script>'<meta charset=koi8-r>'</script>", "koi8-r"},
		{"meta", html, "", "<META/CharSet = KOI8-R/>", "utf-8"}, // "koi8-r/" is unquoted
		{"meta", html, "", "<METACharSet = KOI8-R>", "utf-8"},
		{"meta", html, "", "<META\nCharSet = KOI8-R >", "koi8-r"},
		{"meta", html, "", "<meta a=b/c charset='koi8-r'/>", "koi8-r"},
		{"meta", html, "", "<meta a='b'charset=\"koi8-r\">", "koi8-r"},
		{"meta", html, "", "<meta =charset=koi8-r charset=big5>", "big5"}, // a name "=charset"
		{"meta", html, "", "<meta charset=>", "utf-8"},
		{"meta", html, "", "<meta charset", "utf-8"},
		{"meta", html, "", "<meta charset=koi8-r", "utf-8"},
		{"meta", html, "", "<meta charset='koi8-r'", "utf-8"},
		{"meta", html, "", "<meta charset=koi8-r charset=big5>", "koi8-r"},
		{"meta", html, "", "<meta charset charset=big5><meta charset=koi8-r>", "koi8-r"},
		{"meta", html, "", "<meta charset=unknown><meta charset=koi8-r>", "koi8-r"},
		{"meta", html, "", "<meta charset=utf-16>", "utf-8"},
		{"meta", html, "", "<meta charset=utf-16be>é\xe9", "utf-8"},
		{"meta", html, "", "<meta charset=x-user-defined>", "windows-1252"},
		{"meta", html, "", "<meta charset=hz-gb-2312>", "replacement"},
		{"meta", html, "", "<meta content='text/html; charset=koi8-r'>", "utf-8"},
		{"meta", html, "", "<meta name=content-type content='text/html; charset=koi8-r'>", "utf-8"},
		{"meta", html, "", "<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>", "koi8-r"},
		{"meta", html, "", "<meta http-equiv='Content-Type ' content='text/html; charset=koi8-r'>", "utf-8"},
		{"meta", html, "", "<meta http-equiv=Content-Type content='charset=koi8-r' charset=big5>", "big5"},
		{"meta", html, "", "<meta http-equiv=Content-Type content='charset=koi8-r' charset=unknown>", "utf-8"},

		// Extracting a character encoding from a meta element.
		{"content", html, "", "<meta http-equiv=content-type content='text/html;CHARSET = KOI8-R ; x'>", "koi8-r"},
		{"content", html, "", "<meta http-equiv=content-type content='charset charset=koi8-r'>", "koi8-r"},
		{"content", html, "", "<meta http-equiv=content-type content='xcharset=koi8-r'>", "koi8-r"},
		{"content", html, "", `<meta http-equiv=content-type content='charset="koi8-r"x'>`, "koi8-r"},
		{"content", html, "", `<meta http-equiv=content-type content='charset="koi8-r'>`, "utf-8"},
		{"content", html, "", "<meta http-equiv=content-type content='charset='>", "utf-8"},

		// Get an XML encoding.
		{"xml", html, "", "<?xml version='1.0' encoding='koi8-r'?>", "koi8-r"},
		{"xml", html, "", "<?xml encoding='koi8-r'?><meta charset=big5>", "big5"},
		{"xml", html, "", "<?xml encoding='koi8-r'?><!-- ", "koi8-r"},
		{"xml", html, "", " <?xml encoding='koi8-r'?>", "utf-8"},
		{"xml", html, "", "<?xml version='1.0'?><a encoding='koi8-r'>", "utf-8"},
		{"xml", html, "", "<?xml encoding='koi8-r'", "utf-8"},
		{"xml", svg, "", "<?xml version=\"1.0\" encoding\n=\x01\"KOI8-R\" ?>", "koi8-r"},
		{"xml", svg, "", "<?xml encoding=' koi8-r'?>", "utf-8"},
		{"xml", svg, "", "<?xml encoding=koi8-r?>", "utf-8"},
		{"xml", svg, "", "<?xml encoding='koi8-r?>", "utf-8"},
		{"xml", svg, "", "<?xml encoding?>", "utf-8"},
		{"xml", svg, "", "<?xml encoding='utf-16'?>\xe9", "utf-8"},
		{"xml", svg, "", "<\x00?\x00x\x00\xe5\x65", "utf-16le"},
		{"xml", html, "", "\x00<\x00?\x00x\x65\xe5", "utf-16be"},

		// XML 4.3.3 and appendix F.
		{"XML", svg, "big5", "<?xml encoding='koi8-r'?>", "big5"},
		{"XML", "application/xhtml+xml", "", "<meta charset=koi8-r>", "utf-8"},
		{"XML", "application/xml", "", "<?xml encoding='koi8-r'?>", "koi8-r"},
		{"XML", "text/xml", "", "<?xml encoding='koi8-r'?>", "koi8-r"},
		{"XML", "application/atom+xml", "", "<?xml encoding='unknown'?>\xe9", "windows-1252"},

		// CSS Syntax 3.2.
		{"CSS 3.2", css, "", `@charset "koi8-r";`, "koi8-r"},
		{"CSS 3.2", css, "big5", `@charset "koi8-r";`, "big5"},
		{"CSS 3.2", css, "", `@charset "utf-16";` + "\xe9", "utf-8"},
		{"CSS 3.2", css, "", `@charset 'koi8-r';`, "utf-8"},
		{"CSS 3.2", css, "", `@charset  "koi8-r";`, "utf-8"},
		{"CSS 3.2", css, "", `@CHARSET "koi8-r";`, "utf-8"},
		{"CSS 3.2", css, "", ` @charset "koi8-r";`, "utf-8"},
		{"CSS 3.2", css, "", `@charset "koi8-r" ;`, "utf-8"},
		{"CSS 3.2", css, "", `@charset "koi8-r"`, "utf-8"},
		{"CSS 3.2", css, "", "@charset \"" + late + "koi8-r\";\xe9", "windows-1252"},
		{"CSS 3.2", css, "", "<meta charset=koi8-r>\xe9", "windows-1252"},

		{"", "text/plain", "", "<meta charset=koi8-r>\xe9", "windows-1252"},
		{"", "text/plain", "koi8-r", "\xe9", "koi8-r"},
	} {
		if got := pageCharset([]byte(tt.src), tt.mediaType, tt.label); got != tt.want {
			t.Errorf("%s: %s %q %q: got %s, want %s", tt.sec, tt.mediaType, tt.label, tt.src, got, tt.want)
		}
	}
}

// The prescan of golang.org/x/net is another reading of the same algorithm.
func TestMetaCharset(t *testing.T) {
	for _, before := range []string{
		"", "<!doctype html>\n", "<html lang=en><head a b = c d>", "<!-- <meta charset=big5> -->", "<title>x</title>",
		"<script src=x></script>", "<link title='a>b' href=x/>", "<META name=x content='charset=big5'>", "</p >", "<?x?>", "a < b",
		"<meta charset>", "<meta http-equiv=refresh content=0>", "<meta charset=none>", "<body a=b'c>",
	} {
		for _, meta := range []string{
			"", "<meta charset=koi8-r>", "<META CHARSET='KOI8-R'/>", "<meta\tcharset = \"koi8-r\" >", "<meta charset=koi8-r charset=big5>",
			"<meta charset=utf-16le>", "<meta charset=latin1>", "<meta charset=iso-2022-cn>", "<meta charset=koi8-r", "<meta charset='koi8-r>",
			"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "<meta content='text/html;charset=\"koi8-r\"' http-equiv=content-type>",
			"<meta http-equiv=Content-Type content=charset=koi8-r charset=big5>", "<meta content='text/html; charset=koi8-r'>",
			"<meta name=a http-equiv='content-type' content='charset charset = koi8-r;x'>", "<meta http-equiv=content-type content='charset=\"koi8-r'>",
		} {
			src := []byte(before + meta + "<meta charset=euc-kr>")
			_, want, _ := charset.DetermineEncoding(src, "")
			if got := metaCharset(src); got != want && (got != "" || want != "windows-1252") {
				t.Errorf("%q: got %q, want %q", src, got, want)
			}
		}
	}
}

func TestIsASCII(t *testing.T) {
	for n := range 100 {
		src := bytes.Repeat([]byte{0x7f}, n)
		if !isASCII(src) || asciiPrefix(src) != n {
			t.Errorf("%d bytes", n)
		}
		for i := range src {
			src[i] |= 0x80
			if isASCII(src) || asciiPrefix(src) != i {
				t.Errorf("byte %d of %d", i, n)
			}
			src[i] &^= 0x80
		}
	}
}

// A page is decoded as golang.org/x/text decodes all of it at once, and every character
// leads back to its own bytes, whatever there is.
func TestDecodePage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{
		"utf-16le", "utf-16be", "ibm866", "koi8-r", "macintosh", "windows-1252", "windows-874", "iso-8859-8-i", "x-user-defined",
		"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "replacement",
	} {
		enc, _ := charset.Lookup(name)
		for range 200 {
			src := make([]byte, random.IntN(400))
			for i := range src {
				if src[i] = byte(random.Uint32()); random.IntN(3) == 0 {
					src[i] &= 0x7f
				}
				if name == "iso-2022-jp" && random.IntN(8) == 0 {
					copy(src[i:], []string{"\x1b$B", "\x1b(B", "\x1b(I", "\x1b(J"}[random.IntN(4)])
				}
			}
			want, err := enc.NewDecoder().Bytes(src)
			if err != nil {
				t.Fatal(err)
			}
			text, m := decodePage(src, name)
			if string(text) != string(want) {
				t.Fatalf("%s: % x is %q, want %q", name, src, text, want)
			}
			for i := 0; i < len(text); {
				_, n := utf8.DecodeRune(text[i:])
				back, exact := m.source(scan.Span{Start: i, End: i + n})
				if c, _ := enc.NewDecoder().Bytes(src[back.Start:back.End]); exact && string(c) != string(text[i:i+n]) {
					t.Fatalf("%s: %q of % x is from % x", name, text[i:i+n], src, src[back.Start:back.End])
				}
				i += n
			}
		}
	}
	// What is scanned as it is.
	for name, text := range map[string]string{"utf-8": "é\xff", "windows-1252": "a", "gb18030": "a\x1b$B", "shift_jis": "\\~"} {
		src := []byte(text)
		if got, m := decodePage(src, name); string(got) != text || &got[0] != &src[0] || m.layers != nil {
			t.Errorf("%s: %q is %q", name, text, got)
		}
	}
	if got, _ := decodePage([]byte("\x1b$BF|\x1b(B"), "iso-2022-jp"); string(got) != "日" {
		t.Errorf("ASCII that is not: %q", got)
	}
}

func FuzzPageCharset(f *testing.F) {
	f.Add([]byte("<!doctype html><!-- x --><meta http-equiv=Content-Type content='text/html; charset=koi8-r'>"), "text/html", "")
	f.Add([]byte("<?xml version='1.0' encoding='big5'?>"), "image/svg+xml", "x")
	f.Add([]byte("@charset \"euc-jp\";"), "text/css", "iso-2022-jp")
	f.Fuzz(func(t *testing.T, src []byte, mediaType, label string) {
		name := pageCharset(src, mediaType, label)
		if _, canonical := charset.Lookup(name); canonical != name {
			t.Fatalf("%q is no name", name)
		}
		text, _ := decodePage(src, name)
		if len(text) > 3*len(src)+3 {
			t.Fatal("it grows")
		}
	})
}

func BenchmarkPageCharset(b *testing.B) {
	const head = "<!DOCTYPE html>\n<html lang=\"ru\">\n<head>\n<title>A page with a title</title>\n" +
		"<link rel=\"stylesheet\" href=\"/a/b/c.css\"><script src=\"x.js\"></script>\n<meta name=\"viewport\" content=\"width=device-width\">"
	page := []byte(head + "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1251\">\n" +
		strings.Repeat("<p>text <a href=x>y</a>\n", 4000))
	for _, tt := range []struct {
		name string
		find func()
	}{
		{"meta", func() { pageCharset(page, "text/html", "") }},
		{"label", func() { pageCharset(page, "text/html", "windows-1251") }},
		{"judge", func() { charset.DetermineEncoding(page, "") }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tt.find()
			}
		})
	}
}

func BenchmarkIsASCII(b *testing.B) {
	src := bytes.Repeat([]byte("<p>text</p>\n"), 8000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		isASCII(src)
	}
}

// Pages of 128 KB, decoded through a stream: 4 % of that in windows-1252 is not ASCII,
// of the others most.
func BenchmarkDecode(b *testing.B) {
	for _, tt := range []struct{ label, text string }{
		{"windows-1252", `<p class="a"><a href="/d/e/f.html">Voilà</a> le déjeuner, <b>et</b> le dîner`},
		{"windows-1251", `<p><a href="/d/e/f">Привет, мир</a> и так далее, и тому подобное`},
		{"shift_jis", `<p><a href="/d/e/f">日本語のテキスト</a>を読むときは、この表を使います。`},
		{"euc-jp", `<p><a href="/d/e/f">日本語のテキスト</a>を読むときは、この表を使います。`},
		{"gb18030", `<p><a href="/d/e/f">中文文本</a>阅读时请使用此表。`},
		{"iso-2022-jp", `<p><a href="/d/e/f">日本語のテキスト</a>を読むときは、この表を使います。`},
		{"utf-16le", `<p><a href="/d/e/f">some text</a> that is all ASCII, and that is all`},
	} {
		enc, _ := charset.Lookup(tt.label)
		src, err := enc.NewEncoder().Bytes([]byte(strings.Repeat(tt.text+"\n", 128<<10/len(tt.text))))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(tt.label, func(b *testing.B) {
			buf := make([]byte, 256<<10)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				s := &stream{r: bytes.NewReader(src)}
				s.push(decodeCharset(tt.label))
				s.undo = 1
				if _, err := s.fill(buf); err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}
