package onenote

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// wide returns s in UTF-16.
func wide(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// value returns s with its length in front, as a value in a section.
func value(s string) string {
	return string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

// file returns s as an embedded file.
func file(s string) string {
	return embedded + string(binary.LittleEndian.AppendUint64(nil, uint64(len(s)))) + strings.Repeat("\x00", 12) + s
}

func TestScan(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"UTF-16", value(wide("see http://h/é")), `1 text/x-onenote utf-16le "` + wide("see http://h/é") + `"`},
		{"with a NUL", value(wide("see http://h/a\x00")), `1 text/x-onenote utf-16le "` + wide("see http://h/a") + `"`},
		{"what follows looks like text", value(wide("see http://h/a")) + wide("bc"), `1 text/x-onenote utf-16le "` + wide("see http://h/a") + `"`},
		{"at an odd offset", "\x01" + value(wide("see http://h/a")), `1 text/x-onenote utf-16le "` + wide("see http://h/a") + `"`},
		{"bytes, as many as UTF-16 could have", value("http://h/") + "abc", `1 text/x-onenote windows-1252 "http://h/"`},
		{"an odd number of bytes", value("http://h/a\x00") + "bc", `1 text/x-onenote windows-1252 "http://h/a"`},
		{"without a reference", value(wide("no URL at all")) + value("none at all"), ""},
		{"a field", value(wide("\uFDDFHYPERLINK \"x.one\"y")), `1 text/x-onenote utf-16le "` + wide("\uFDDFHYPERLINK \"x.one\"y") + `"`},
		{"numbers", value("none at all") + value("http://h/"), `2 text/x-onenote windows-1252 "http://h/"`},
		{"no length", "\x01\x02\x03\x00http://h/", ""},
		{"a length that is too long", "\xff\x00\x00\x00http://h/", ""},
		{"control characters", value("http://h/\x01"), ""},
		{"a file", file("http://h/") + "x", `1 text/plain  "http://h/"`},
		{"a file that is not read", file("\x89PNG\r\n\x1a\nhttp://h/"), "unread image/png"},
		{"a file beyond the end", embedded + "\xff\xff\xff\xff\xff\xff\xff\xff" + strings.Repeat("\x00", 12) + "x", ""},
		{"a header without its file", embedded, ""},
	} {
		s := Scanner{ReadAs: func(mediaType, _ string) string {
			if mediaType == "text/plain" {
				return mediaType
			}
			return ""
		}}
		var got []string
		src := section + strings.Repeat("\x01", 8) + tt.src
		for it := range s.Scan([]byte(src)) {
			if it.Op == scan.Note {
				got = append(got, "unread "+it.Type)
				continue
			}
			got = append(got, fmt.Sprintf("%s %s %s \"%s\"", it.Name, it.Type, it.Extra().Charset, it.Value))
			if string(it.Value) != src[it.Span.Start:it.Span.End] {
				t.Errorf("%s: the value is not at its place", tt.name)
			}
		}
		if got := strings.Join(got, "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"a \uFDDFHYPERLINK \"http://h/a b\"the text http://h/c", `HYPERLINK "http://h/a b", "" "http://h/c"`},
		{"\uFDDFHYPERLINK \"mailto:a@h\"\uFDDFHYPERLINK \"onenote:b.one#c\"b", `HYPERLINK "mailto:a@h", HYPERLINK "onenote:b.one#c"`},
		{"\uFDDFHYPERLINK \"\"b", ``},
		{"\uFDDFHYPERLINK \"http://h/a b", `"" "http://h/a"`},
		{"http://h/\uFDDFHYPERLINK \"x\"y", `"" "http://h/", HYPERLINK "x"`},
	} {
		var s TextScanner
		var got []string
		for it := range s.Scan([]byte(tt.src)) {
			in := it.In
			if in == "" {
				in = `""`
			}
			got = append(got, fmt.Sprintf("%s %q", in, it.Value))
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.src, got, tt.want)
		}
	}
}

// Breaking off at any Item ends the iteration.
func TestBreak(t *testing.T) {
	src := []byte(section + value("http://h/a") + value(wide("http://h/b")) + file("http://h/c"))
	for n := range 3 {
		var s Scanner
		i := 0
		for range s.Scan(src) {
			if i == n {
				break
			}
			i++
		}
	}
}

func TestHostile(t *testing.T) {
	scantest.Shapes(t, []scantest.Shape{
		{section, "\x0a\x00\x08\x00", ""}, {section, "\xff\xff\x07\x00\x01", ""}, {section, embedded + "\x01\x00\x00\x00\x00\x00\x00\x00", ""},
		{section, value("http://h/"), ""}, {section, wide("a\n"), ""}, {section, "\x00", ""}, {section, value(wide("http://h/")), ""},
	}, 1<<18, func(src []byte) {
		for range new(Scanner).Scan(src) {
		}
	})
	scantest.Shapes(t, []scantest.Shape{{"", field, ""}, {"", field + "\"", ""}, {"", field + "x\"", ""}}, 1<<16, func(src []byte) {
		for range new(TextScanner).Scan(src) {
		}
	})
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(value("http://h/") + value(wide("\uFDDFHYPERLINK \"http://h/\"x")) + file("http://h/")))
	f.Fuzz(func(t *testing.T, data []byte) {
		src := append([]byte(section), data...)
		var got []scan.Span
		for it := range new(Scanner).Scan(src) {
			if it.Span.Start > it.Span.End || it.Span.End > len(src) || len(got) > 0 && it.Span.Start < got[len(got)-1].End {
				t.Fatalf("%v after %v", it.Span, got)
			}
			got = append(got, it.Span)
		}
		var again []scan.Span
		for it := range new(Scanner).Scan(src) {
			again = append(again, it.Span)
		}
		if !slices.Equal(got, again) {
			t.Fatal("not the same twice")
		}
	})
}
