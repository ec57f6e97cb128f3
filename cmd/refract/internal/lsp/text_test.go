package lsp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/refract/extract"
	"example.org/refract/internal/slash"
)

func TestPosition(t *testing.T) {
	const s = "aé\r\n日𝄞b\rc\n\xff\xfez"
	tests := []struct {
		offset    int
		in8, in16 position
		back8     int // of in8; the beginning of the letter
	}{
		{0, position{0, 0}, position{0, 0}, 0},
		{1, position{0, 1}, position{0, 1}, 1},
		{2, position{0, 1}, position{0, 1}, 1}, // in "é"
		{3, position{0, 3}, position{0, 2}, 3},
		{4, position{0, 3}, position{0, 2}, 3}, // in "\r\n"
		{5, position{1, 0}, position{1, 0}, 5},
		{8, position{1, 3}, position{1, 1}, 8},
		{12, position{1, 7}, position{1, 3}, 12},
		{13, position{1, 8}, position{1, 4}, 13},
		{14, position{2, 0}, position{2, 0}, 14},
		{16, position{3, 0}, position{3, 0}, 16},
		{17, position{3, 1}, position{3, 1}, 17},
		{19, position{3, 3}, position{3, 3}, 19},
		{99, position{3, 3}, position{3, 3}, 19},
		{-1, position{0, 0}, position{0, 0}, 0},
	}
	for _, test := range tests {
		in8, in16 := newText([]byte(s), true), newText([]byte(s), false)
		if p := in8.position(test.offset); p != test.in8 {
			t.Errorf("%d: %v, want %v", test.offset, p, test.in8)
		}
		if p := in16.position(test.offset); p != test.in16 {
			t.Errorf("%d in UTF-16: %v, want %v", test.offset, p, test.in16)
		}
		if got := in8.offset(test.in8); got != test.back8 {
			t.Errorf("%v: offset %d, want %d", test.in8, got, test.back8)
		}
		if got := in16.offset(test.in16); got != test.back8 {
			t.Errorf("%v in UTF-16: offset %d, want %d", test.in16, got, test.back8)
		}
	}
	// What is nowhere is the nearest that is somewhere.
	for _, test := range []struct {
		p    position
		want int
	}{{position{0, 99}, 3}, {position{1, 2}, 8}, {position{99, 0}, 19}, {position{-1, 5}, 0}, {position{1, -5}, 5}} {
		if got := newText([]byte(s), false).offset(test.p); got != test.want {
			t.Errorf("%v: offset %d, want %d", test.p, got, test.want)
		}
	}
}

// Each beginning of a letter, but for what is in a line break, is where its position is, in
// whatever order one asks.
func TestPositionRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "é", "日", "𝄞", "\r\n", "\n", "\r", "\xff", "\xe6\x97", "\U0001f469\u200d", " ", "](x"}
	for range 2000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		s := b.String()
		for _, in8 := range []bool{true, false} {
			text := newText([]byte(s), in8)
			letters := []int{len(s)}
			for i := range s {
				letters = append(letters, i)
			}
			r.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
			for _, i := range letters {
				if i > 0 && i < len(s) && s[i-1:i+1] == "\r\n" {
					continue
				}
				if got := text.offset(text.position(i)); got != i {
					t.Fatalf("%q: %d is %v, which is %d", s, i, text.position(i), got)
				}
				// A change at a position is one there.
				p := text.position(i)
				c := change{Range: &span{p, p}, Text: "|"}
				if got := string(c.changed([]byte(s), in8)); got != s[:i]+"|"+s[i:] {
					t.Fatalf("%q: at %v: %q", s, p, got)
				}
			}
		}
	}
}

func TestChanged(t *testing.T) {
	at := func(l1, c1, l2, c2 int) *span { return &span{position{l1, c1}, position{l2, c2}} }
	tests := []struct {
		changes []change
		want    string
	}{
		{[]change{{nil, "all"}}, "all"},
		{[]change{{nil, ""}}, ""},
		{[]change{{at(0, 0, 1, 0), ""}}, "é𝄞b\n"},
		{[]change{{at(1, 1, 1, 3), "x"}}, "ab\néxb\n"},
		{[]change{{at(0, 0, 0, 0), "1"}, {at(0, 1, 0, 1), "2"}}, "12ab\né𝄞b\n"}, // one after the other
		{[]change{{at(0, 1, 0, 0), "x"}}, "axb\né𝄞b\n"},                         // the end is in front
		{[]change{{at(7, 0, 9, 9), "x"}}, "ab\né𝄞b\nx"},
		{[]change{{at(0, 0, 9, 0), ""}, {at(0, 0, 0, 0), "x"}}, "x"},
	}
	for _, test := range tests {
		b := []byte("ab\né𝄞b\n")
		before := string(b)
		got := b
		for _, c := range test.changes {
			got = c.changed(got, false)
		}
		if string(got) != test.want || got == nil {
			t.Errorf("%v: %q, want %q", test.changes, got, test.want)
		}
		if string(b) != before {
			t.Errorf("%v: what was is %q", test.changes, b)
		}
	}
}

func TestPaths(t *testing.T) {
	tests := []struct {
		uri    string
		system slash.System
		path   string // "" is none
		back   string // "" is uri
	}{
		{"file:///a/b.md", slash.Unix, "/a/b.md", ""},
		{"file:///a%20b/%C3%A9%23%25.md", slash.Unix, "/a b/é#%.md", ""},
		{"file:///a/../b//c/.", slash.Unix, "/b/c", "file:///b/c"},
		{"file://localhost/a", slash.Unix, "/a", "file:///a"},
		{"FILE:///a", slash.Unix, "/a", "file:///a"},
		{"file:///c%3A/x.md", slash.Unix, "/c:/x.md", "file:///c:/x.md"},
		{"file:///c%3A/x.md", slash.Windows, "C:/x.md", "file:///C:/x.md"},
		{"file:///C:/x.md", slash.Windows, "C:/x.md", ""},
		{"file://host/share/x.md", slash.Windows, `\\host\share/x.md`, ""},
		{"file:///%FF.md", slash.Unix, "/\xff.md", ""},
		{"file:///", slash.Unix, "/", ""},
		{"file://host/x", slash.Unix, "", ""},
		{"file:///a%00", slash.Unix, "", ""},
		{"file:///%zz", slash.Unix, "", ""},
		{"file:a.md", slash.Unix, "", ""},
		{"file://", slash.Unix, "", ""},
		{"untitled:Untitled-1", slash.Unix, "", ""},
		{"https://example.org/x.md", slash.Unix, "", ""},
		{"/a/b.md", slash.Unix, "", ""},
		{"", slash.Unix, "", ""},
		{"\x00:\xff", slash.Unix, "", ""},
	}
	for _, test := range tests {
		p, ok := pathOf(test.uri, test.system)
		if ok != (test.path != "") || ok && p != test.path {
			t.Errorf("%q: %q, %v, want %q", test.uri, p, ok, test.path)
			continue
		}
		want := test.back
		if want == "" {
			want = test.uri
		}
		if got := test.system.URL(p); ok && got != want {
			t.Errorf("%q: %q, want %q", p, got, want)
		}
	}
}

// FuzzEdit changes a text anywhere, and completes there: nothing may fail, and what is to
// be replaced is on the line of the cursor, around it.
func FuzzEdit(f *testing.F) {
	for _, test := range destinations {
		f.Add(test.name, strings.Replace(test.text, "|", "", 1), 0, strings.Index(test.text, "|"), 0, 99, "x")
	}
	f.Add("a.md", "é\r\n𝄞 [a](b", 1, 2, 0, 1, "\xff")
	f.Fuzz(func(t *testing.T, name, s string, l1, c1, l2, c2 int, with string) {
		for _, in8 := range []bool{true, false} {
			c := change{Range: &span{position{l1, c1}, position{l2, c2}}, Text: with}
			b := c.changed([]byte(s), in8)
			if !strings.Contains(string(b), with) {
				t.Errorf("%q: no %q", b, with)
			}
			text := newText(b, in8)
			offset := text.offset(position{l1, c1})
			if offset < len(b) && utf8.Valid(b) && !utf8.RuneStart(b[offset]) {
				t.Errorf("%d is in a letter", offset)
			}
			d, ok := destinationAt(extract.Config{}, name, b, offset)
			if !ok {
				continue
			}
			if d.start > offset || offset > d.end || d.end > len(b) {
				t.Fatalf("%+v at %d", d, offset)
			}
			if d.hasSlash && b[d.end] != '/' {
				t.Errorf("no slash at %d of %q", d.end, b)
			}
			if strings.ContainsAny(string(b[d.start:d.end]), "\r\n") {
				t.Errorf("%q is more than a line", b[d.start:d.end])
			}
			d.accepts(name)
			d.quoted(name)
		}
	})
}

// A heading is where its text is, not where its id is, also on the first line.
func TestHeadingText(t *testing.T) {
	src := "# Own id {#x}\n\n## Next {#y}\n"
	var got []string
	for _, h := range headings(extract.Config{}, "a.md", []byte(src)) {
		got = append(got, fmt.Sprintf("%d %d %s", h.line, h.level, src[h.start:h.end]))
	}
	if want := []string{"1 1 Own id", "3 2 Next"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Headings contain those that are deeper, up to the next one that is not.
func TestNest(t *testing.T) {
	var show func(list []documentSymbol) string
	show = func(list []documentSymbol) (s string) {
		for _, symbol := range list {
			s += fmt.Sprintf("%s-%d(%s)", symbol.Name, symbol.Range.End.Line, show(symbol.Children))
		}
		return s
	}
	for levels, want := range map[string]string{"": "", "1": "1-1()", "12": "1-2(2-2())", "11": "1-1()1-2()", "1321": "1-3(3-2()2-3())1-4()", "212": "2-1()1-3(2-3())"} {
		var list []heading
		for i, level := range levels {
			list = append(list, heading{text: string(level), line: i + 1, level: int(level - '0'), start: 2 * i, end: 2*i + 1})
		}
		symbols, rest := nest(newText([]byte(strings.Repeat("x\n", len(levels))), true), list, 0)
		if got := show(symbols); got != want || len(rest) > 0 {
			t.Errorf("%s: %s, want %s", levels, got, want)
		}
	}
}
