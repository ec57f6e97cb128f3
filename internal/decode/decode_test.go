package decode_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/simplifiedchinese"

	"example.org/refract/extract/scan"
	standard "example.org/refract/internal/charset"
	"example.org/refract/internal/decode"
)

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
			if got := decode.MetaCharset(src); got != want && (got != "" || want != "windows-1252") {
				t.Errorf("%q: got %q, want %q", src, got, want)
			}
		}
	}
}

func TestIsASCII(t *testing.T) {
	for n := range 100 {
		src := bytes.Repeat([]byte{0x7f}, n)
		if !decode.IsASCII(src) || decode.ASCIIPrefix(src) != n {
			t.Errorf("%d bytes", n)
		}
		for i := range src {
			src[i] |= 0x80
			if decode.IsASCII(src) || decode.ASCIIPrefix(src) != i {
				t.Errorf("byte %d of %d", i, n)
			}
			src[i] &^= 0x80
		}
	}
}

// A page decodes to the same text as in one piece, and every character leads
// back to its own bytes, with or without other input around it.
func TestDecodePage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{
		"utf-16le", "utf-16be", "ibm866", "koi8-r", "macintosh", "windows-1252", "windows-874", "iso-8859-8-i", "x-user-defined",
		"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "replacement",
	} {
		for range 200 {
			src := make([]byte, random.IntN(400))
			for i := range src {
				src[i] = byte(random.Uint32())
				if random.IntN(3) == 0 {
					src[i] &= 0x7f
				}
				if name == "iso-2022-jp" && random.IntN(8) == 0 {
					copy(src[i:], []string{"\x1b$B", "\x1b(B", "\x1b(I", "\x1b(J"}[random.IntN(4)])
				}
			}
			want := standard.NewDecoder(name).Bytes(src)
			text, m := decode.Page(src, name)
			if string(text) != string(want) {
				t.Fatalf("%s: % x is %q, want %q", name, src, text, want)
			}
			for i := 0; i < len(text); {
				_, n := utf8.DecodeRune(text[i:])
				back, exact := m.Source(scan.Span{Start: i, End: i + n})
				if c := standard.NewDecoder(name).Bytes(src[back.Start:back.End]); exact && string(c) != string(text[i:i+n]) {
					t.Fatalf("%s: %q of % x is from % x", name, text[i:i+n], src, src[back.Start:back.End])
				}
				i += n
			}
		}
	}
	// Input that is scanned as it is.
	for name, text := range map[string]string{"utf-8": "é\xff", "windows-1252": "a", "gb18030": "a\x1b$B", "shift_jis": "\\~"} {
		src := []byte(text)
		if got, m := decode.Page(src, name); string(got) != text || &got[0] != &src[0] || m.Layers != nil {
			t.Errorf("%s: %q is %q", name, text, got)
		}
	}
	if got, _ := decode.Page([]byte("\x1b$BF|\x1b(B"), "iso-2022-jp"); string(got) != "日" {
		t.Errorf("ASCII that is not: %q", got)
	}
}

func TestMailCharset(t *testing.T) {
	for _, tt := range []struct{ label, want string }{
		{"", ""}, {"unknown-8bit", ""}, {"x-unknown", ""}, {"_autodetect_all", ""}, {"utf", ""}, {"1", ""},
		{"UTF-8", "utf-8"}, {` "utf-8" `, "utf-8"}, {"utf-8;", "utf-8"}, {"'utf8'", "utf-8"}, {"utf 8", "utf-8"}, {"utf_8", "utf-8"}, {"UTF--8", "utf-8"},
		{"x-utf-8", "utf-8"}, {"utf8mb4", "utf-8"}, {"cp65001", "utf-8"},
		{"us-ascii", decode.ASCII}, {"US_ASCII", decode.ASCII}, {"ANSI", "windows-1252"}, {"ansi_x3.4-1968", decode.ASCII}, {"ISO-8859-1", "windows-1252"},
		{"iso 8859-1", "windows-1252"}, {"iso8859_15", "iso-8859-15"}, {"8859-1", "windows-1252"}, {"x-iso-8859-2", "iso-8859-2"}, {"latin-1", "windows-1252"},
		{"cp1252", "windows-1252"}, {"cp-1252", "windows-1252"}, {"cp_1252", "windows-1252"}, {"windows1251", "windows-1251"}, {"win-1251", "windows-1251"},
		{"koi8r", "koi8-r"}, {"x-sjis", "shift_jis"}, {"Shift-JIS", "shift_jis"}, {"x-gbk", "gbk"}, {"GB_2312-80", "gbk"}, {"cp936", "gbk"}, {"x-big5", "big5"},
		{"ks_c_5601-1987", "euc-kr"}, {"iso-2022-jp", "iso-2022-jp"}, {"csISO2022JP", "iso-2022-jp"}, {"utf-16", "utf-16le"}, {"macroman", "macintosh"},
		{"iso-2022-kr", ""}, {"iso-2022-cn", ""}, {"replacement", ""},
		{"utf-7", "utf-7"}, {"UTF7", "utf-7"}, {"unicode-1-1-utf-7", "utf-7"}, {"x-unicode-2-0-utf-7", "utf-7"}, {"hz-gb-2312", "hz-gb-2312"}, {"HZ", "hz-gb-2312"},
	} {
		if got := decode.MailCharset(tt.label); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.label, got, tt.want)
		}
	}
}

// Charsets of mail, and the source of the characters of the first ASCII run in the result.
func TestDecodeMail(t *testing.T) {
	for _, tt := range []struct{ sec, name, src, want string }{
		// RFC 2152, "UTF-7 Definition" and "UTF-7 Examples".
		{"rule 1", decode.UTF7, "http://h/a?b=c&d~e", "http://h/a?b=c&d~e"},
		{"rule 2", decode.UTF7, "a+-b", "a+b"},
		{"rule 2", decode.UTF7, "A+ImIDkQ.", "A≢Α."},
		{"rule 2", decode.UTF7, "Hi Mom -+Jjo--!", "Hi Mom -☺-!"},
		{"rule 2", decode.UTF7, "+ZeVnLIqe-", "日本語"},
		{"rule 2", decode.UTF7, "Item 3 is +AKM-1.", "Item 3 is £1."},
		{"rule 2", decode.UTF7, "+AGgAdAB0AHA-://h/+AGE-", "http://h/a"},
		{"rule 2", decode.UTF7, "+2D3eAA-", "😀"},
		{"rule 2", decode.UTF7, "+2D3eAABh/", "😀a"},
		{"rule 2", decode.UTF7, "+2D0AYQ-+3gAAYQ-", "\ufffda\ufffda"},
		{"rule 2", decode.UTF7, "+AOk\r\nx", "é\r\nx"},
		// Sequences to which no rule gives a meaning.
		{"", decode.UTF7, "C++ a+b + +", "C++ a+b + +"},
		{"", decode.UTF7, "+AOk{+AOk[+AOk`+AOk@+AOk:x", "é{é[é`é@é:x"}, {"", decode.UTF7, "+AHo +AFo +ADA +ADk +AD8", "z Z 0 9 ?"},
		{"", decode.UTF7, "é\xff+AOk-\xff", "é\xffé\xff"},
		{"", decode.UTF7, "+AOk", "é"}, {"", decode.UTF7, "+AO", "+AO"}, {"", decode.UTF7, "+2D0", "\ufffd"}, {"", decode.UTF7, "+", "+"},

		// RFC 1843 section 2 and 3.
		{"2", decode.HZ, "This sentence is in ASCII.\n", "This sentence is in ASCII.\n"},
		{"3", decode.HZ, "The next sentence is in GB.~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.", "The next sentence is in GB.己所不欲，勿施於人。Bye."},
		{"3", decode.HZ, "a~~b~\nc~\r\nd", "a~bcd"},
		{"3", decode.HZ, "~{<:Ky~}~{2;S{~}", "己所不欲"},
		{"", decode.HZ, "~{<:Ky\nhttp://h/", "己所\nhttp://h/"},
		{"", decode.HZ, "~{<:K\nhttp://h/", "己K\nhttp://h/"},
		{"", decode.HZ, "http://h/~user ~} é ~", "http://h/~user ~} é ~"},
		{"", decode.HZ, "~{", ""},
	} {
		text, m := decode.Page([]byte(tt.src), tt.name)
		if string(text) != tt.want {
			t.Errorf("%s: %q of %s is %q, want %q", tt.sec, tt.src, tt.name, text, tt.want)
		}
		end := 0
		for i, r := range string(text) {
			s := scan.Span{Start: i, End: i + utf8.RuneLen(r)}
			if r == utf8.RuneError {
				continue
			}
			back, exact := m.Source(s)
			if back.Start < end || back.End <= back.Start || back.End > len(tt.src) || exact && tt.src[back.Start:back.End] != string(r) {
				t.Errorf("%q of %q is from %v, %v", r, tt.src, back, exact)
			}
			end = back.End
		}
	}
}

// Runs may have any length, and the stream may read pieces of any size.
func TestDecodeMailStream(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{decode.UTF7, "+ZeVnLIqe-abc+-", "日本語abc+"},
		{decode.UTF7, "+2D3eANg93gA-", "😀😀"},
		{decode.HZ, "~{<:Ky~}ab~~c~\n", "己所ab~c"},
	} {
		src, want := strings.Repeat(tt.src, 3000), strings.Repeat(tt.want, 3000)
		for n := 1; n < 100; n++ {
			text, _ := decode.Page([]byte(strings.Repeat("x", n)+src), tt.name)
			if string(text[n:]) != want {
				t.Fatalf("%s behind %d bytes", tt.src, n)
			}
		}
		s := &decode.Stream{Reader: iotest.OneByteReader(strings.NewReader(src))}
		s.Push(decode.Charset(tt.name))
		s.Undo = 1
		buf := make([]byte, len(src))
		if n, _ := s.Fill(buf); string(buf[:n]) != want {
			t.Errorf("%s read slowly", tt.src)
		}
	}
}

// For text that follows RFC 1843, the HZ decoder of golang.org/x/text gives the same result.
func TestDecodeHZ(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "http://h/~~x", " ", "\n", "~\n", "己所", "不", "欲，", "~~"}
	for range 500 {
		var src []byte
		for range random.IntN(20) {
			p := pieces[random.IntN(len(pieces))]
			if !decode.IsASCII([]byte(p)) {
				b, err := simplifiedchinese.HZGB2312.NewEncoder().Bytes([]byte(p))
				if err != nil {
					t.Fatal(err)
				}
				p = string(b) + "~}"
			}
			src = append(src, p...)
		}
		want, err := simplifiedchinese.HZGB2312.NewDecoder().Bytes(src)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := decode.Page(src, decode.HZ); string(got) != string(want) {
			t.Fatalf("%q is %q, want %q", src, got, want)
		}
	}
}

func FuzzMailCharset(f *testing.F) {
	f.Add([]byte("Hi Mom -+Jjo--!+2D3eAA-"), "utf-7")
	f.Add([]byte("~{<:Ky2;S{#,~}~~\n"), "'hz'")
	f.Fuzz(func(t *testing.T, src []byte, label string) {
		name := decode.MailCharset(label)
		if decode.MailCharset(name) != name {
			t.Fatalf("%q is no name", name)
		}
		if name == "" {
			name = decode.UTF7
		}
		if text, _ := decode.Page(src, name); len(text) > 3*len(src)+3 {
			t.Fatal("it grows")
		}
	})
}

func BenchmarkIsASCII(b *testing.B) {
	src := bytes.Repeat([]byte("<p>text</p>\n"), 8000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		decode.IsASCII(src)
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
		{decode.UTF7, "<p><a href=+ACI-/d/e/f+ACI->+ZeVnLIqeZeVnLIqe-</a>, some text that is all ASCII"},
		{decode.HZ, "<p><a href=/d/e/f>~{<:Ky2;S{#,NpJ)l6HK!#~}</a> text that is all ASCII"},
		{"gb18030", `<p><a href="/d/e/f">中文文本</a>阅读时请使用此表。`},
		{"iso-2022-jp", `<p><a href="/d/e/f">日本語のテキスト</a>を読むときは、この表を使います。`},
		{"utf-16le", `<p><a href="/d/e/f">some text</a> that is all ASCII, and that is all`},
	} {
		src := []byte(strings.Repeat(tt.text+"\n", 128<<10/len(tt.text)))
		if tt.label != decode.UTF7 && tt.label != decode.HZ {
			var err error
			enc, _ := charset.Lookup(tt.label)
			src, err = enc.NewEncoder().Bytes(src)
			if err != nil {
				b.Fatal(err)
			}
		}
		b.Run(tt.label, func(b *testing.B) {
			buf := make([]byte, 256<<10)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				s := &decode.Stream{Reader: bytes.NewReader(src)}
				s.Push(decode.Charset(tt.label))
				s.Undo = 1
				if _, err := s.Fill(buf); err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a page declares: by a meta element, and in its first bytes by an XML declaration.
func TestHTMLCharset(t *testing.T) {
	const meta, xml = "<meta charset=iso-8859-2>", "<?xml version='1.0' encoding='iso-8859-3'?>"
	for _, tt := range []struct {
		src   string
		whole bool
		want  string
	}{
		{meta, false, "iso-8859-2"}, {meta, true, "iso-8859-2"}, {xml, false, "iso-8859-3"}, {xml, true, ""}, {xml + meta, false, "iso-8859-2"}, {"x", false, ""},
	} {
		if got := decode.HTMLCharset([]byte(tt.src), tt.whole); got != tt.want {
			t.Errorf("%q, whole %v: %q, want %q", tt.src, tt.whole, got, tt.want)
		}
	}
}
