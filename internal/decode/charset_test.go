package decode_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/decode"
)

// utf16le returns text as UTF-16, little-endian.
func utf16le(text string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(text)) {
		b.WriteByte(byte(c))
		b.WriteByte(byte(c >> 8))
	}
	return b.String()
}

// What a document declares itself, with and without its end.
func TestDeclared(t *testing.T) {
	type declared = func(src []byte, whole bool) string
	for _, tt := range []struct {
		name string
		f    declared
		src  string
		want [2]string // at its beginning, in the whole
	}{
		{"meta", decode.HTMLCharset, "<meta charset=koi8-r>", [2]string{"koi8-r", "koi8-r"}},
		{"xml in html", decode.HTMLCharset, "<?xml encoding='koi8-r'?><p>", [2]string{"koi8-r", ""}},
		{"meta before xml", decode.HTMLCharset, "<?xml encoding='koi8-r'?><meta charset=big5>", [2]string{"big5", "big5"}},

		// XML 4.3.3.
		{"double", decode.XMLDeclared, `<?xml version="1.0" encoding="ISO-8859-2"?>`, [2]string{"iso-8859-2", ""}},
		{"single", decode.XMLDeclared, "<?xml encoding = 'koi8-r' ?>", [2]string{"koi8-r", ""}},
		{"none", decode.XMLDeclared, "<?xml version='1.0'?>", [2]string{}},
		{"no quote", decode.XMLDeclared, "<?xml encoding=koi8-r?>", [2]string{}},
		{"nothing", decode.XMLDeclared, "<?xml encoding=", [2]string{}},
		{"no value", decode.XMLDeclared, "<?xml encoding=>", [2]string{}},
		{"not closed", decode.XMLDeclared, "<?xml encoding='koi8-r", [2]string{}},
		{"quote not closed", decode.XMLDeclared, "<?xml encoding='koi8-r?>", [2]string{}},
		{"space in it", decode.XMLDeclared, "<?xml encoding='koi8-r '?>", [2]string{}},
		{"unknown", decode.XMLDeclared, "<?xml encoding='x'?>", [2]string{}},
		{"behind the declaration", decode.XMLDeclared, "<?xml?> encoding='koi8-r'>", [2]string{}},
		{"no declaration", decode.XMLDeclared, "<x encoding='koi8-r'>", [2]string{}},
		{"utf-16 in ascii", decode.XMLDeclared, "<?xml encoding='utf-16'?>", [2]string{"utf-8", ""}},
		{"utf-16le", decode.XMLDeclared, utf16le("<?xml ?>"), [2]string{"utf-16le", ""}},
		{"utf-16be", decode.XMLDeclared, "\x00" + utf16le("<?xml ?>"), [2]string{"utf-16be", ""}},

		// CSS Syntax 3.2.
		{"css", decode.CSSDeclared, `@charset "koi8-r";`, [2]string{"koi8-r", ""}},
		{"css single", decode.CSSDeclared, `@charset 'koi8-r';`, [2]string{}},
		{"css spaces", decode.CSSDeclared, `@charset  "koi8-r";`, [2]string{}},
		{"css without a semicolon", decode.CSSDeclared, `@charset "koi8-r" ;`, [2]string{}},
		{"css not closed", decode.CSSDeclared, `@charset "koi8-r`, [2]string{}},
		{"css not ascii", decode.CSSDeclared, "@charset \"\xe9\";", [2]string{}},
		{"css utf-16", decode.CSSDeclared, `@charset "utf-16be";`, [2]string{"utf-8", ""}},
	} {
		if got := [2]string{tt.f([]byte(tt.src), false), tt.f([]byte(tt.src), true)}; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A prescan that needs more bytes than there are finds nothing.
func TestMetaCharsetCut(t *testing.T) {
	for _, text := range []string{
		"<!-- x --><meta charset=big5>", "<p a=b><meta charset = 'big5' >", "<?x?></p><META/CHARSET=big5 >", "<meta charset=x-user-defined>",
	} {
		want := "big5"
		if strings.Contains(text, "x-user") {
			want = "windows-1252" // HTML 13.2.3.2
		}
		for i := range len(text) {
			if got := decode.MetaCharset([]byte(text[:i])); got != "" {
				t.Errorf("%q: %s", text[:i], got)
			}
		}
		if got := decode.MetaCharset([]byte(text)); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	for _, text := range []string{"<!-- x", "<p", "<p a", "<p a=", "<p a='b", "<meta", "<meta x", "<!doctype", "<", "<>"} {
		if got := decode.MetaCharset([]byte(text)); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// A mark comes first, then the label of the transport, then what the document declares, then its bytes.
func TestGiven(t *testing.T) {
	late := strings.Repeat(" ", decode.PrescanSize) + "<meta charset=koi8-r>\xe9"
	for _, tt := range []struct {
		src, label string
		declared   func([]byte, bool) string
		want       string
	}{
		{"\xef\xbb\xbfx", "koi8-r", decode.HTMLCharset, "utf-8"},
		{"\xff\xfex\x00", "koi8-r", nil, "utf-16le"},
		{"\xfe\xff\x00x", "koi8-r", nil, "utf-16be"},
		{"<meta charset=big5>", "koi8-r", decode.HTMLCharset, "koi8-r"},
		{"<meta charset=big5>", "unknown", decode.HTMLCharset, "big5"},
		{utf16le("http://h/"), "", decode.HTMLCharset, "utf-16le"},
		{"\x00" + utf16le("http://h/"), "", nil, "utf-16be"},
		{"é", "", decode.HTMLCharset, "utf-8"},
		{late, "", decode.HTMLCharset, "koi8-r"}, // browsers start over
		{strings.Replace(late, "\xe9", "", 1), "", decode.HTMLCharset, "utf-8"},
		{late, "", decode.XMLDeclared, ""},
		{"\xe9", "", nil, ""},
	} {
		if got := decode.Given([]byte(tt.src), tt.label, tt.declared); got != tt.want {
			t.Errorf("%.40q, %q: got %q, want %q", tt.src, tt.label, got, tt.want)
		}
	}
	if decode.Shown(decode.BrokenUTF8) != "utf-8" || decode.Shown("koi8-r") != "koi8-r" {
		t.Error("a name of ours is shown")
	}
}

func TestHead(t *testing.T) {
	for _, tt := range []struct {
		src, ascii, label string
		binary            bool
	}{
		{"", "", "", false},
		{"http://h/", "http://h/", "", false},
		{"\xff\xfe" + utf16le("ab"), "ab", "utf-16le", false},
		{utf16le("abc"), "abc", "utf-16le", false},
		{"\x00" + utf16le("abc"), "abc", "utf-16be", false},
		{"a\x00\x00b", "a\x00\x00b", "", true},
		{"\x7fELF\x02\x01\x01\x00\x00\x00\x00", "\x7fELF\x02\x01\x01\x00\x00\x00\x00", "", true},
		{"text with one \x00", "text with one \x00", "", true},
	} {
		ascii, label, binary := decode.Head([]byte(tt.src))
		if string(ascii) != tt.ascii || label != tt.label || binary != tt.binary {
			t.Errorf("%q: got %q, %q, %v", tt.src, ascii, label, binary)
		}
	}
}

// Each invalid byte becomes U+FFFD, wherever the text is cut.
func TestBrokenUTF8(t *testing.T) {
	for _, tt := range []struct {
		src, want string
		mostly    bool
	}{
		{"abc", "abc", true},
		{"é\xe9", "é\ufffd", true},
		{"\xe9 \xe9 é", "\ufffd \ufffd é", false},
		{"日\xe6\x97", "日\ufffd\ufffd", false},
		{"\ufffd\xff", "\ufffd\ufffd", true},
		{"a\xf0\x9f\x98", "a\ufffd\ufffd\ufffd", false},
	} {
		if decode.MostlyUTF8([]byte(tt.src)) != tt.mostly {
			t.Errorf("%q: mostly UTF-8 is %v", tt.src, !tt.mostly)
		}
		text, m := decode.Page([]byte(tt.src), decode.BrokenUTF8)
		if string(text) != tt.want {
			t.Errorf("%q is %q, want %q", tt.src, text, tt.want)
		}
		if at := m.Offset(len(text)); at != int64(len(tt.src)) {
			t.Errorf("%q ends at %d", tt.src, at)
		}
	}
	if decode.ASCIIStays("utf-16le") || decode.ASCIIStays(decode.UTF7) || !decode.ASCIIStays("iso-2022-jp") || !decode.ASCIIStays("gbk") {
		t.Error("ASCIIStays is wrong")
	}
}

// undoAmp is a Step that undoes "&amp;".
func undoAmp(src []byte, atEOF bool) (literal, skip int, out []byte) {
	i := bytes.IndexByte(src, '&')
	switch {
	case i < 0:
		return len(src), 0, nil
	case bytes.HasPrefix(src[i:], []byte("&amp;")):
		return i, len("&amp;"), []byte("&")
	case !atEOF && len(src)-i < len("&amp;"):
		return i, 0, nil
	}
	return i + 1, 0, nil
}

// A stream is decoded in windows of any size. Of each, the offsets in the input are known, also after what was before it
// is forgotten.
func TestStream(t *testing.T) {
	src := utf16le(strings.Repeat("é&amp;b=日& ", 4000))
	want := strings.Repeat("é&b=日& ", 4000)
	for _, size := range []int{64, 1000, 70000} {
		s := &decode.Stream{Reader: strings.NewReader(src)}
		s.Push(decode.Charset("utf-16le"))
		s.Undo = 1
		s.Push(undoAmp, false)
		var got []byte
		buf, kept := make([]byte, size), 0
		origin := int64(0)
		for {
			n, err := s.Fill(buf[kept:])
			text := buf[:kept+n]
			m := s.Snapshot(origin)
			for i := 0; i < len(text); i += max(1, len(text)/5) {
				if !utf8.RuneStart(text[i]) {
					continue
				}
				r, length := utf8.DecodeRune(text[i:])
				at, isExact := m.Written(scan.Span{Start: i, End: i + length})
				if written := m.Text[at.Start:at.End]; isExact && !bytes.HasPrefix(written, []byte(string(r))) {
					t.Fatalf("%q at %d is written %q", r, i, written)
				}
				if off := m.Offset(i); r != '&' && !strings.HasPrefix(src[off:], utf16le(string(r))) {
					t.Fatalf("%q at %d is not at %d of the input", r, i, off)
				}
			}
			from := len(text) * 2 / 3
			for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
				from--
			}
			if err == io.EOF {
				from = len(text)
			}
			got = append(got, text[:from]...)
			kept = copy(buf, text[from:])
			origin += int64(s.Forget(from))
			if err == io.EOF {
				break
			}
		}
		if string(got) != want || origin != int64(len(src)) {
			t.Errorf("windows of %d: %d bytes of %d, %d of %d read", size, len(got), len(want), origin, len(src))
		}
	}
}

// What is large is not kept.
func TestRelease(t *testing.T) {
	d := &decode.Decoding{Text: make([]byte, 0, decode.MaxPooled+1)}
	d.Release()
	got := decode.Decodings.Get().(*decode.Decoding)
	if cap(got.Text) > decode.MaxPooled {
		t.Error("a large buffer is kept")
	}
	got.Release()
}
