package rtf

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// refs returns the references of src, and checks what every scan promises.
func refs(t testing.TB, src []byte) (list []string) {
	t.Helper()
	for it := range new(Scanner).Scan(src) {
		if it.Span.Start < 0 || it.Span.Start > it.Span.End || it.Span.End > len(src) {
			t.Fatalf("%v outside of %d bytes", it.Span, len(src))
		}
		switch it.Op {
		case scan.Ref:
			list = append(list, it.In+" "+string(it.Value))
		case scan.Body:
			list = append(list, it.Type+" "+string(it.Value))
		}
	}
	return list
}

func TestScan(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"split", `{\rtf1{\field{\*\fldinst {HYP}{\b ERLINK }{"http://h}{/x"}}{\fldrslt x}}}`, []string{"HYPERLINK http://h/x"}},
		{"no quotation marks", `{\rtf1{\field{\*\fldinst HYPERLINK http://h/x}{\fldrslt x}}}`, []string{"HYPERLINK http://h/x"}},
		{"lines", "{\\rtf1{\\field{\\*\\fldinst HYPERLINK \"http://h\r\n/x\"}}}", []string{"HYPERLINK http://h/x"}},
		{"a bookmark", `{\rtf1{\field{\*\fldinst HYPERLINK \\l "x y"}{\fldrslt x}}}`, []string{"HYPERLINK #x y"}},
		{"other switches", `{\rtf1{\field{\*\fldinst HYPERLINK "u" \\t "_blank" \\o "tip" \\n \\* MERGEFORMAT}{\fldrslt x}}}`, []string{"HYPERLINK u"}},
		{"no target", `{\rtf1{\field{\*\fldinst HYPERLINK \\* MERGEFORMAT}{\fldrslt x}}}`, nil},
		{"other fields", `{\rtf1{\field{\*\fldinst PAGEREF http://h/}{\fldrslt http://i/}}}`, []string{" http://i/"}},
		{"a program", `{\rtf1{\field{\*\fldinst LINK Excel.Sheet.8 "C:\\\\a\\\\b.xls" "A1" \\a \\f 4}{\fldrslt x}}}`, []string{"LINK file:///C:/a/b.xls"}},
		{"a share", `{\rtf1{\field{\*\fldinst HYPERLINK "\\\\\\\\srv\\\\a.doc"}}}`, []string{"HYPERLINK file://srv/a.doc"}},
		{"in a result", `{\rtf1{\field{\*\fldinst TOC}{\fldrslt{\field{\*\fldinst HYPERLINK "u"}{\fldrslt http://h/}} http://i/}}}`, []string{"HYPERLINK u", " http://i/"}},
		{"units", `{\rtf1 http://h/\u228 a\uc2\u8364 ??b\uc0\u55348\u56606 c}`, []string{" http://h/ä€b𝄞c"}},
		{"code pages", `{\rtf1\ansicpg1251 http://h/\'e0{\f1 x}}`, []string{" http://h/аx"}},
		{"fonts", `{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}}{\f1 http://h/\'e0}\par{\f2 http://h/\'83\'65\'83X}}`, []string{" http://h/а", " http://h/テス"}},
		{"bytes", "{\\rtf1\\ansicpg1251 http://h/\xe0\\par http://i/\xc3\xa4}", []string{" http://h/а", " http://i/ä"}},
		{"formats in a word", `{\rtf1 http://h.ex\b ample\b0 .org/}`, []string{" http://h.example.org/"}},
		{"optional hyphens", `{\rtf1 http://h/a\-b}`, []string{" http://h/ab"}},
		{"breaks", `{\rtf1 http://h/a\par b http://h/c\tab d}`, []string{" http://h/a", " http://h/c"}},
		{"data", "{\\rtf1 {\\pict http://h/}{\\*\\other http://h/}\\bin9 http://h/http://i/}", []string{" http://i/"}},
		{"data that is too short", `{\rtf1 \bin999 http://h/}`, nil},
		{"braces", `{\rtf1 http://h/\{x\} }`, []string{" http://h/{x}"}},
		{"no end", `{\rtf1{\field{\*\fldinst HYPERLINK "http://h/`, []string{"HYPERLINK http://h/"}},
		{"HTML", `{\rtf1\fromhtml1 {\*\htmltag <a href="x">}\htmlrtf no\htmlrtf0 yes\par{\*\mhtmltag <a href="y">}}`, []string{"text/html <a href=\"x\">yes\n"}},
	} {
		if got := refs(t, []byte(tt.src)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestShapes(t *testing.T) {
	scantest.Shapes(t, []scantest.Shape{
		{`{\rtf1`, "{", ""},
		{`{\rtf1`, "}", ""},
		{`{\rtf1`, `{\*\fldinst `, ""},
		{`{\rtf1`, `{\field{\*\fldinst HYPERLINK "a`, ""},
		{`{\rtf1`, `{\field{\*\fldinst{HYPERLINK "http://h/"}}{\fldrslt x}}`, "}"},
		{`{\rtf1{\field{\*\fldinst HYPERLINK `, `"a" `, "}}}"},
		{`{\rtf1{\field{\*\fldinst HYPERLINK "`, `\\\\`, `"}}}`},
		{`{\rtf1`, `\u55348 `, "}"},
		{`{\rtf1\uc64`, `\u1 `, "}"},
		{`{\rtf1{\fonttbl`, `{\f1\fcharset128 `, "}"},
		{`{\rtf1{\fonttbl{\f1\fcharset128 x}}\f1 `, `\'83`, "}"},
		{`{\rtf1\ansicpg932 `, `\'83\'65`, "}"},
		{`{\rtf1`, `\bin1 `, "}"},
		{`{\rtf1`, `\par `, "}"},
		{`{\rtf1`, `\`, ""},
		{`{\rtf1`, `\'`, ""},
		{`{\rtf1`, `\a`, ""},
		{`{\rtf1\fromhtml1`, `{\*\htmltag <a href="x">}`, "}"},
		{`{\rtf1 `, "http://h/ ", "}"},
	}, 100<<10, func(src []byte) { refs(t, src) })
}

func FuzzScan(f *testing.F) {
	files, err := filepath.Glob("testdata/*.rtf")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) { refs(t, src) })
}
