package escape

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/refract/base"
	"example.org/refract/internal/charset"
	"example.org/refract/resolve"
)

// URL 4.4, query state: the query of a special scheme, but for ws and wss, is in the
// page's charset, whatever the rules of resolution.
func TestQuery(t *testing.T) {
	browser, _ := resolve.RulesNamed("whatwg")
	for _, tt := range []struct{ charset, base, ref, want, browser string }{
		// What is not ASCII in the query, and only there.
		{"windows-1252", "http://h/d/e", "é?é#é", "http://h/d/%C3%A9?%E9#%C3%A9", ""},
		{"windows-1252", "http://h/d/e", "?q=a b€&x='ü'", "http://h/d/e?q=a%20b%80&x='%FC'", "http://h/d/e?q=a%20b%80&x=%27%FC%27"},
		{"windows-1252", "http://h/", "?%E9%zz?é", "http://h/?%E9%25zz?%E9", "http://h/?%E9%zz?%E9"},
		{"windows-1252", "http://h/", "#?é", "http://h/#?%C3%A9", ""},
		{"koi8-r", "http://h/", "/путь?путь", "http://h/%D0%BF%D1%83%D1%82%D1%8C?%D0%D5%D4%D8", ""},
		{"utf-8", "http://h/", "?é", "http://h/?%C3%A9", ""},
		{"utf-16le", "http://h/", "?é", "http://h/?%C3%A9", ""},
		{"utf-16be", "http://h/", "?é", "http://h/?%C3%A9", ""},
		{"replacement", "http://h/", "?é", "http://h/?%C3%A9", ""},
		{"x-user-defined", "http://h/", "?\uf7e9é", "http://h/?%E9%26%23233%3B", ""},

		// The scheme of the resolved URL decides.
		{"windows-1252", "http://h/", "mailto:a@b?subject=ü", "mailto:a@b?subject=%C3%BC", ""},
		{"windows-1252", "mailto:a@b", "HTTPS://h/?ü", "HTTPS://h/?%FC", "https://h/?%FC"},
		{"windows-1252", "ftp://h/", "?ü", "ftp://h/?%FC", ""},
		{"windows-1252", "file:///h", "?ü", "file:///h?%FC", ""},
		{"windows-1252", "ws://h/", "?ü", "ws://h/?%C3%BC", ""},
		{"windows-1252", "http://h/", "wss://h/?ü", "wss://h/?%C3%BC", ""},
		{"windows-1252", "gopher://h/", "?ü", "gopher://h/?%C3%BC", ""},
		{"windows-1252", "http://h/d/", "http:?ü", "http:?%FC", "http://h/d/?%FC"},
		{"windows-1252", "http://h/?é", "#s", "http://h/?%C3%A9#s", ""}, // not the page's

		// URL 1.3, percent-encode after encoding: what the charset lacks, and bytes
		// that are left as they are.
		{"windows-1252", "http://h/", "?‽日\xff", "http://h/?%26%238253%3B%26%2326085%3B%26%2365533%3B", ""},
		{"shift_jis", "http://h/", "?≡‽−", "http://h/?%81%DF%26%238253%3B%81%7C", "http://h/?%81%DF%26%238253%3B%81|"},
		{"shift_jis", "http://h/", "?表¥‾ｱ\u0080髙", "http://h/?%95%5C%5C~%B1%80%FB%FC", "http://h/?%95\\\\~%B1%80%FB%FC"},
		{"euc-jp", "http://h/", "?日本−¥ｱ丂", "http://h/?%C6%FC%CB%DC%A1%DD%5C%8E%B1%26%2319970%3B", "http://h/?%C6%FC%CB%DC%A1%DD\\%8E%B1%26%2319970%3B"},
		{"iso-2022-jp", "http://h/", "?日本a語", "http://h/?%1B$BF%7CK%5C%1B(Ba%1B$B8l%1B(B", "http://h/?%1B$BF|K\\%1B(Ba%1B$B8l%1B(B"},
		{"iso-2022-jp", "http://h/", "?¥日‾é", "http://h/?%1B(J%5C%1B$BF%7C%1B(J~%1B(B%26%23233%3B", "http://h/?%1B(J\\%1B$BF|%1B(J~%1B(B%26%23233%3B"},
		{"iso-2022-jp", "http://h/", "?‾\\", "http://h/?%1B(J~%1B(B%5C", "http://h/?%1B(J~%1B(B\\"},
		{"iso-2022-jp", "http://h/", "?、。", "http://h/?%1B$B!%22!%23%1B(B", ""},
		{"gbk", "http://h/", "?€中", "http://h/?%80%D6%D0", ""},
		{"gb18030", "http://h/", "?€é‽", "http://h/?%A2%E3%A8%A6%816%A81", ""},
		{"big5", "http://h/", "?香港十═鼗", "http://h/?%AD%BB%B4%E4%A4Q%F9%F9%26%2340727%3B", ""},
		{"big5", "http://h/", "?鼦", "http://h/?%26%2340742%3B", ""}, // of HKSCS: pages have it, queries do not
		{"iso-2022-jp", "http://h/", "?ｱﾞ", "http://h/?%1B$B%25%22!+%1B(B", "http://h/?%1B$B%%22!+%1B(B"},
		{"windows-1252", "http://h/", "?\u0081\u0080", "http://h/?%81%26%23128%3B", ""},
		{"gb18030", "http://h/", "?\ue5e5\ue81e\U00020087", "http://h/?%26%2358853%3B%FEY%952%901", ""},
		{"gbk", "http://h/", "?\ue4c6é‽", "http://h/?%A1@%A8%A6%26%238253%3B", ""},
		{"euc-kr", "http://h/", "?한", "http://h/?%C7%D1", ""},
	} {
		if tt.browser == "" {
			tt.browser = tt.want
		}
		for _, r := range []struct {
			rules resolve.Rules
			want  string
		}{{resolve.Rules{}, tt.want}, {browser, tt.browser}} {
			b, err := base.Root(r.rules, base.Source{URI: tt.base}, base.Source{})
			if err != nil && tt.base != "mailto:a@b" {
				t.Fatal(err)
			}
			target, _, _ := b.Append(nil, []byte(tt.ref))
			if ref, ok := NewQuery(tt.charset).Encode(nil, []byte(tt.ref), target); ok {
				target, _, _ = b.Append(nil, ref)
			}
			if !r.rules.Browser {
				target, _ = URL(nil, target, false)
			}
			if string(target) != r.want {
				t.Errorf("%s, %s + %s: got %s, want %s", tt.charset, tt.base, tt.ref, target, r.want)
			}
		}
	}
}

// With --iri, UTF-8 is kept; a query in another charset stays escaped.
func TestQueryIRI(t *testing.T) {
	url := []byte("http://h/é?é#é")
	url, _ = NewQuery("windows-1252").Encode(nil, url, url)
	if got, _ := URL(nil, url, true); string(got) != "http://h/é?%E9#é" {
		t.Errorf("got %s", got)
	}
}

// A character in a charset is what decodes to it, and there is one for all that can be
// decoded: but for what the encoders of the Encoding standard treat otherwise.
func TestQueryChar(t *testing.T) {
	for _, name := range []string{
		"windows-1252", "windows-1255", "windows-874", "iso-8859-8-i", "koi8-u", "macintosh", "x-user-defined",
		"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr",
	} {
		d := charset.NewDecoder(name)
		q := NewQuery(name)
		for r := rune(utf8.RuneSelf); r < 0x10000; r++ {
			c := q.Char(r)
			if c == nil || !utf8.ValidRune(r) {
				continue
			}
			if d.Stateful {
				d = charset.NewDecoder(name)
			}
			got := d.Bytes(c)
			isAsymmetric := strings.ContainsRune("¥‾−", r) || name == "iso-2022-jp" && r >= 0xff61 && r <= 0xff9f || private(r)
			if string(got) != string(r) && !isAsymmetric {
				t.Fatalf("%s: %U is % x, which is %q", name, r, c, got)
			}
		}
		for i := range 0x8000 {
			src := []byte{byte(i>>8) | 0x80, byte(i)}
			if d.Stateful {
				d = charset.NewDecoder(name)
			}
			got := d.Bytes(src)
			r, n := utf8.DecodeRune(got)
			// Big5 decodes more of what Hong Kong added than it encodes (Encoding 5).
			// Private use characters of Shift_JIS are for reading only (12.3.2).
			onlyRead := name == "big5" && src[0] < 0xa1 || name == "shift_jis" && r >= 0xe000 && r < 0xf900
			if n == len(got) && r != utf8.RuneError && q.Char(r) == nil && !onlyRead {
				t.Errorf("%s: % x is %q, which is nothing", name, src, got)
			}
		}
	}
}

// private reports whether r is a private use character that GB 18030 encodes as it did in 2005 (10.2.2).
func private(r rune) bool { return r >= 0xe78d && r <= 0xe796 || r >= 0xe81e && r <= 0xe864 }

func BenchmarkQuery(b *testing.B) {
	for _, tt := range []struct{ name, charset, ref string }{
		{"utf-8", "utf-8", "/d/e?q=é"},
		{"ascii", "windows-1252", "/d/e/f.html?q=a&r=b#s"},
		{"windows-1252", "windows-1252", "/d/e?q=dîner&r=b"},
		{"shift_jis", "shift_jis", "/d/e?q=日本語&r=b"},
	} {
		b.Run(tt.name, func(b *testing.B) {
			q := NewQuery(tt.charset)
			ref, target := []byte(tt.ref), []byte("http://h"+tt.ref)
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				if coded, ok := q.Encode(buf, ref, target); ok {
					buf = coded
				}
			}
		})
	}
}

// The plain bytes at the beginning are counted in steps of eight, or are all of them.
func TestPlainPrefix(t *testing.T) {
	for n := range 40 {
		plain := bytes.Repeat([]byte{'a'}, n)
		if got := plainPrefix(plain); got != n && (n >= 8 || got != 0) {
			t.Errorf("%d plain bytes: %d", n, got)
		}
		for i := range plain {
			plain[i] = '"'
			if got := plainPrefix(plain); got != i/8*8 {
				t.Errorf("%q: %d, want %d", plain, got, i/8*8)
			}
			plain[i] = 'a'
		}
	}
}
