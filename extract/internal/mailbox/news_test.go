package mailbox

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

const article = "Newsgroups: a.b\nMessage-ID: <c@d>\n\ntext\n"

func batch(n int, article string) string { return fmt.Sprintf("#! rnews %d\n%s", n, article) }

// An article begins after each "⟦"; a "!" before it means that its number is wrong.
func TestNews(t *testing.T) {
	n := len(article)
	one := batch(n, article)
	quoting := article + one + one // a batch in an article
	crlf := strings.ReplaceAll(article, "\n", "\r\n")
	for _, tt := range []struct{ name, text string }{
		{"one", one},
		{"two", one + "⟦" + one},
		{"empty articles", batch(0, "") + "⟦" + batch(0, "") + "⟦" + one},
		{"a batch in it", batch(len(quoting), quoting) + "⟦" + one},
		{"a batch in it, at the end", one + "⟦" + batch(len(quoting), quoting)},
		{"no line end", batch(n-1, article[:n-1]) + "⟦" + one},
		{"spelling", fmt.Sprintf("#! rnews 00%d \r\n", n) + article + "⟦" + one},
		{"CRLF, counted", batch(len(crlf), crlf) + "⟦" + one},
		{"CRLF", strings.ReplaceAll(one, "\n", "\r\n") + "⟦" + strings.ReplaceAll(one, "\n", "\r\n")},

		{"too small", "!" + batch(n-9, article) + "⟦" + one},
		{"too large", "!" + batch(n+9, article) + "⟦" + one},
		{"larger than the file", "!" + batch(1<<20, article) + "⟦" + one},
		{"larger than is believed", "!" + batch(maxAhead+1, article) + "⟦" + one},
		{"beyond all numbers", "!#! rnews 99999999999999999999999999999\n" + article + "⟦" + one},
		{"cut off", one + "⟦!" + batch(n, article[:n-3])},
		{"cut off in the line", "!" + one + "#! rnews 1"},
		{"something behind", one + "⟦!" + one + "\n"},
		{"something between", "!" + one + "\n⟦" + one},
		{"something in front", "!text\n⟦" + one},

		{"not such lines", "!" + batch(3, article) + "x" + one + "#! rnews\n#! rnews \n#! rnews x\n#! rnews 1x\n#! Rnews 1\n#!rnews 1\n #! rnews 1\n" +
			"#! rnews " + strings.Repeat("1", maxCommand) + "\n⟦" + one},
	} {
		var want []string
		for i, part := range strings.Split(tt.text, "⟦") {
			part, wrong := strings.CutPrefix(part, "!")
			want = append(want, part)
			if start, end, exact := News(0).Body([]byte(part)); exact == wrong || end != len(part) || start > end {
				t.Errorf("%s: article %d: %d to %d of %d, exact %v", tt.name, i, start, end, len(part), exact)
			}
		}
		src := []byte(strings.Join(want, ""))
		if got := split(News(0), src); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %.200q\nwant %.200q", tt.name, got, want)
		}
		if got := grown(News(0), src, func() int { return 0 }); !slices.Equal(got, want) {
			t.Errorf("%s, byte by byte:\n got %.200q\nwant %.200q", tt.name, got, want)
		}
	}
}

// The largest accepted size skips lines that look like the next article's; one byte more does not.
func TestNewsMaxAhead(t *testing.T) {
	inner := batch(len(article), article)
	for more, want := range map[int]bool{0: true, 1: false} {
		size := maxAhead + more
		src := []byte(batch(size, inner))
		start := len(src) - len(inner)
		src = append(src, make([]byte, size-len(inner))...)
		p, ok := News(0).Next(src, 0, true)
		if believed := p.End == start+size; !ok || believed != want {
			t.Errorf("%d bytes: the article ends at %d of %d, %v", size, p.End, len(src), ok)
		}
	}
}

func TestIsNews(t *testing.T) {
	for head, want := range map[string]bool{
		batch(0, ""):              true,
		batch(5, article):         true,
		"#! rnews 1\r\n":          true,
		"":                        false,
		"#! rnews 1":              false,
		"#! rnews\n":              false,
		"#! cunbatch\n":           false,
		"#!/bin/sh\n#! rnews 1\n": false,
		"\n#! rnews 1\n":          false,
	} {
		if got := IsNews([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// Pieces of any size give the same articles.
func TestNewsGrown(t *testing.T) {
	pieces := []string{"#! rnews 7\n", "#! rnews 20\n", "#! rnews 0\n", "#! rnews 9999\r\n", "#! rnews ", "text\n", "\n", "\r", "x"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var src []byte
		for range rng.IntN(40) {
			src = append(src, pieces[rng.IntN(len(pieces))]...)
		}
		step := 1 + rng.IntN(60)
		want := split(News(0), src)
		if got := grown(News(0), src, func() int { return rng.IntN(step) }); !slices.Equal(got, want) {
			t.Fatalf("%q in pieces:\n got %q\nwant %q", src, got, want)
		}
	}
}

var hostileNews = []scantest.Shape{
	{"", "#! rnews 0\n", ""},
	{"", "#! rnews 1000000\n", ""},
	{"", "#! rnews 99999999999\n", ""},
	{"", "\n#! rnews ", ""},
	{"", "#", ""},
	{"#! rnews 60000000\n", "#! rnews 5\n", ""},
	{"#! rnews ", "1", "\n"},
}

func TestNewsLinear(t *testing.T) {
	scantest.Shapes(t, hostileNews, 128<<10, func(src []byte) { split(News(0), src) })
	scantest.Shapes(t, hostileNews, 128<<10, func(src []byte) { grown(News(0), src, func() int { return 64 << 10 }) })
}

func FuzzNews(f *testing.F) {
	for _, s := range hostileNews {
		f.Add(s.Text(100), uint8(7))
	}
	f.Add([]byte(batch(len(article), article)+batch(3, article)+"#! rnews 5\r\nab"), uint8(0))
	f.Fuzz(func(t *testing.T, src []byte, step uint8) {
		want := split(News(0), src)
		for i, a := range want {
			start, end, exact := News(0).Body([]byte(a))
			if start > end || end != len(a) || start == 0 && (exact || i > 0) {
				t.Fatalf("%q: %d to %d, %v", a, start, end, exact)
			}
		}
		if got := grown(News(0), src, func() int { return int(step) }); !slices.Equal(got, want) {
			t.Fatalf("in pieces:\n got %q\nwant %q", got, want)
		}
	})
}

func BenchmarkNews(b *testing.B) {
	text := strings.Repeat("What it is worth: a line of text has about as many bytes.\n", 40)
	for _, bb := range []struct {
		name string
		n    int
	}{{"right", len(text)}, {"wrong", 1}} {
		src := bytes.Repeat([]byte(batch(bb.n, text)), 10000)
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				for src := src; len(src) > 0; {
					end, _ := nextArticle(src, 0, true)
					src = src[end:]
				}
			}
		})
	}
}
