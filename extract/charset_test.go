package extract

import (
	"strings"
	"testing"

	"golang.org/x/net/html/charset"

	"example.org/refract/base"
	"example.org/refract/internal/decode"
)

func TestPageCharset(t *testing.T) {
	const (
		html = "text/html"
		svg  = "image/svg+xml"
		css  = "text/css"
	)
	late := strings.Repeat("x", decode.PrescanSize-20)
	for _, tt := range []struct{ sec, mediaType, label, src, want string }{
		// HTML 13.2.3.2, encoding sniffing algorithm: the order of precedence.
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
		{"", "text/plain", "", "é\xe9", "windows-1252"},

		// Markdown declares no charset: either few bytes are invalid UTF-8, or the document is not
		// UTF-8.
		{"Markdown", "text/markdown", "", "é", "utf-8"},
		{"Markdown", "text/markdown", "", "é\xe9", decode.BrokenUTF8},
		{"Markdown", "text/markdown", "", "éü\xe9", decode.BrokenUTF8},
		{"Markdown", "text/markdown", "", "é\xe9\xfc", "windows-1252"},
		{"Markdown", "text/markdown", "", "a\xe9", "windows-1252"},
		{"Markdown", "text/markdown", "", "caf\xe9 na\xefve", "windows-1252"},
		{"Markdown", "text/markdown", "", "\xef\xbb\xbfa\xe9\xe9", decode.BrokenUTF8},
		{"Markdown", "text/markdown", "utf-8", "a\xe9\xe9", decode.BrokenUTF8},
		{"Markdown", "text/markdown", "latin1", "éé\xe9", "windows-1252"},
		{"Markdown", "text/markdown", "koi8-r", "éé\xe9", "koi8-r"},
		{"Markdown", "text/markdown", "", "\xff\xfea\x00", "utf-16le"},
		{"Markdown", "text/markdown", "", "<meta charset=koi8-r>é\xe9", decode.BrokenUTF8},
	} {
		if got := (&Config{}).pageCharset([]byte(tt.src), tt.mediaType, tt.label); got != tt.want {
			t.Errorf("%s: %s %q %q: got %s, want %s", tt.sec, tt.mediaType, tt.label, tt.src, got, tt.want)
		}
	}
}

func FuzzPageCharset(f *testing.F) {
	f.Add([]byte("<!doctype html><!-- x --><meta http-equiv=Content-Type content='text/html; charset=koi8-r'>"), "text/html", "")
	f.Add([]byte("<?xml version='1.0' encoding='big5'?>"), "image/svg+xml", "x")
	f.Add([]byte("@charset \"euc-jp\";"), "text/css", "iso-2022-jp")
	f.Fuzz(func(t *testing.T, src []byte, mediaType, label string) {
		name := (&Config{}).pageCharset(src, mediaType, label)
		if _, canonical := charset.Lookup(name); canonical != name {
			t.Fatalf("%q is no name", name)
		}
		text, _ := decode.Page(src, name)
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
		{"meta", func() { (&Config{}).pageCharset(page, "text/html", "") }},
		{"label", func() { (&Config{}).pageCharset(page, "text/html", "windows-1251") }},
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

// An invalid byte is replaced, and the bytes around it keep their value and position.
func TestBrokenUTF8(t *testing.T) {
	for _, tt := range []struct{ src, raw, ref, url string }{
		{"é [a](é\xe9b)", "é\uFFFDb", "é\uFFFDb", "http://h/%C3%A9%EF%BF%BDb"},
		{"é\xff [a](é)", "é", "é", "http://h/%C3%A9"},
		{"é \xe2\x82 ü [a](€?é)", "€?é", "€?é", "http://h/%E2%82%AC?%C3%A9"},
		{"éé <a title=\"\xe9\" href=x>", "x", "x", "http://h/x"},
		{"é\xe9\n\n[a](x \"\xe9", "", "", ""},
		{"éé\xe9\xe9 [a](x)\xc3", "x", "x", "http://h/x"},
	} {
		n := 0
		for r, err := range (&Config{Type: "text/markdown", Retrieved: base.Source{URI: "http://h/"}}).Walk("x.md", strings.NewReader(tt.src)) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			at := strings.Index(tt.src, "](") + 2
			if i := strings.Index(tt.src, "href=x"); i >= 0 {
				at = i + len("href=")
			}
			if string(r.Raw) != tt.raw || string(r.Ref) != tt.ref || string(r.URL) != tt.url || r.Pos.Offset != int64(at) {
				t.Errorf("%q: raw %q, ref %q, URL %q at %d", tt.src, r.Raw, r.Ref, r.URL, r.Pos.Offset)
			}
		}
		if want := min(len(tt.raw), 1); n != want {
			t.Errorf("%q: %d references", tt.src, n)
		}
	}
}

// A page with a wrong label keeps its bytes in queries, as in browsers, whose addresses these are.
func TestWrongLabel(t *testing.T) {
	for _, tt := range []struct{ label, query, want string }{
		{"iso-8859-1", "\xd0\xbf\xd1\x81", "%D0%BF%D1%81"},
		{"iso-8859-2", "\xc5\x82\x9f", "%C5%82%9F"},
		{"gb2312", "\xa1\x40\x81\x22", "%A1@%26%2365533%3B%22"},
		{"gbk", "\xa2\xe3\x80\x81\x30\x86\x38", "%80%80%26%23192%3B"},
		{"shift_jis", "\x81 \xf0\x40", "%26%2365533%3B%20%26%2357344%3B"},
		{"big5", "\x81a", "%26%2365533%3Ba"},
		{"euc-kr", "\xc9a", "%26%2365533%3Ba"},
	} {
		src := "<meta charset=" + tt.label + "><a href='http://h/?" + tt.query + "'>x</a>"
		c := Config{Type: "text/html"}
		for ref, err := range c.Walk("", strings.NewReader(src)) {
			if err != nil || string(ref.URL) != "http://h/?"+tt.want {
				t.Errorf("%s: %v, got %s, want %s", tt.label, err, ref.URL, tt.want)
			}
		}
	}
}
