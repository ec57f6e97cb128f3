package warc

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

// rec returns a record with a block.
func rec(block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

// claims returns a record whose length is given as n.
func claims(n int64, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", n, block)
}

func arc(block string) string {
	return fmt.Sprintf("http://h/ 1.2.3.4 20080430204825 text/html %d\n%s\n", len(block), block)
}

var odds = [...]string{NoDefect: "", WrongLength: "wrong ", Truncated: "truncated ", Cut: "cut ", NotRecord: "junk "}

// pieces splits src into pieces: their irregularities, and where they end. Adjacent junk is joined.
func pieces(t *testing.T, src []byte, limit int, step func() int) (list []string) {
	t.Helper()
	s := Splitter{Limit: limit}
	junk := -1
	give := func(p Piece, at int) {
		if p.Defect == NotRecord {
			if junk < 0 {
				junk = at
			}
			return
		}
		if junk >= 0 {
			list = append(list, fmt.Sprintf("junk %d-%d", junk, at))
			junk = -1
		}
		skip := ""
		if p.Skip > 0 {
			skip = fmt.Sprintf("+%d", p.Skip)
		}
		list = append(list, fmt.Sprintf("%s%d-%d%s", odds[p.Defect], at, at+p.End, skip))
	}
	for at := 0; at < len(src); {
		have := min(len(src), at+step())
		for from := 0; ; {
			p, ok := s.Next(src[at:have], from, have == len(src))
			if ok {
				if p.End <= 0 || p.End > have-at || p.Skip < 0 {
					t.Fatalf("%q: %+v of %d bytes", src, p, have-at)
				}
				give(p, at)
				at += p.End + int(min(p.Skip, int64(len(src))))
				break
			}
			if have == len(src) || p.End < from || p.End > have-at {
				t.Fatalf("%q at %d of %d: %+v from %d", src, at, have, p, from)
			}
			from, have = p.End, min(len(src), have+1+step())
		}
	}
	if junk >= 0 {
		list = append(list, fmt.Sprintf("junk %d-%d", junk, len(src)))
	}
	return list
}

func whole() int { return 1 << 30 }

const limit = 1000

// "⟦" and "⟧" enclose an irregular piece; "|" separates other pieces.
func TestNext(t *testing.T) {
	one := rec("one")
	folded := "WARC/1.0\r\nX: a\r\n b\r\nContent-Length:\r\n 3\r\n\r\none\r\n\r\n"
	for _, tt := range []struct{ name, text string }{
		{"nothing", ""},
		{"two", one + "|" + rec("two")},
		{"nothing behind", one + "|" + strings.TrimSpace(rec("two"))},
		{"empty", rec("") + "|" + one},
		{"more line ends", one + "\r\n\n\n|" + one},
		{"none", "WARC/1.0\r\nContent-Length: 3\r\n\r\none|" + one},
		{"line ends in front", "\r\n\n" + one + "|" + one},
		{"LF", strings.ReplaceAll(one, "\r", "") + "|" + one},
		{"CR CR LF", strings.ReplaceAll(one, "\r", "\r\r") + "|" + one},
		{"folded", folded + "|" + one},
		{"versions", strings.ReplaceAll(one, "1.0", "0.17") + "|" + strings.ReplaceAll(one, "1.0", "0.18") + "|" + strings.ReplaceAll(one, "1.0", "1.1")},
		{"a record in a record", rec("a\r\n"+one+"b") + "|" + one},
		{"repeated length", "WARC/1.0\r\nContent-Length: x\r\nContent-Length: -5\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\none\r\n\r\n|" + one},

		{"too small", "⟦wrong:" + claims(1, "three") + "⟧" + one},
		{"too small by much", "⟦wrong:" + claims(1, strings.Repeat("x", 500)) + "⟧" + one},
		{"too small, last", one + "|⟦wrong:" + claims(1, strings.Repeat("x", 500)) + "⟧"},
		{"too large", "⟦wrong:" + claims(50, "three") + "⟧" + one + "|" + one},
		{"too large, last", one + "|⟦truncated:" + claims(50, "three") + "⟧"},
		{"too large for all", "⟦wrong:" + claims(1<<40, "three") + "⟧" + one},
		{"beyond numbers", "⟦wrong:" + strings.Replace(rec("one"), "3\r", "9223372036854775807\r", 1) + "⟧" + one},
		{"beyond all numbers", "⟦wrong:" + strings.Replace(rec("one"), "3\r", "92233720368547758079\r", 1) + "⟧" + one},
		{"negative", "⟦wrong:" + claims(-1, "three") + "⟧" + one},
		{"no length", "⟦wrong:WARC/1.0\r\nX: y\r\n\r\none\r\n\r\n⟧" + one},
		{"no length, last", "⟦wrong:WARC/1.0\r\nX: y\r\n\r\none\r\n\r\n⟧"},
		{"cut off in the body", one + "|⟦truncated:" + one[:len(one)-5] + "⟧"},
		{"cut off in the header", one + "|⟦wrong:" + one[:30] + "⟧"},
		{"glued", "⟦wrong:" + claims(50, "three")[:60] + "⟧" + one},

		{"in front", "⟦junk:x\nWARC/1.0\n\nWARC/x\n⟧" + one},
		{"between", one + "|⟦junk:stray\n⟧" + one},
		{"most between", one + "|⟦junk:" + strings.Repeat("s", maxStray-len("\r\n\r\n")) + "⟧" + one},
		{"more between", "⟦wrong:" + one + strings.Repeat("stray", 20) + "\n⟧" + one},
		{"behind", one + "|⟦junk:stray⟧"},
		{"only", "⟦junk:stray\nmore⟧"},
		{"binary", "⟦junk:\x00\xff\r⟧"},

		{"large", "⟦cut:" + (rec(strings.Repeat("x", 2000)) + one)[:limit] + "+⟧" + rec(strings.Repeat("x", 2000))[limit:len(rec(strings.Repeat("x", 2000)))-4] + "⟧\r\n\r\n" + one},
		{"large, no length", "⟦cut:" + claims(-1, strings.Repeat("x", 2000))[:limit] + "⟧⟦junk:" + claims(-1, strings.Repeat("x", 2000))[limit:] + "⟧" + one},

		{"ARC", "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 3\n1 1\n|" + arc("one") + "|" + arc("two")},
		{"ARC, blanks", arc("one") + "|http://h/a b 1.2.3.4 20080430204825 text/html; charset=x 3\none\n|" + arc("two")},
		{"ARC 2", arc("one") + "|http://h/ ::1 20080430204825 text/html 200 ABCDEF - 12 x.arc 3\none\n|" + arc("two")},
		{"ARC, no line ends", "http://h/ 1.2.3.4 20080430204825 text/html 4\none\n|" + arc("two")},
		{"ARC, too small", "⟦wrong:http://h/ 1.2.3.4 20080430204825 text/html 1\none\n⟧" + arc("two")},
		{"ARC, too large", "⟦wrong:http://h/ 1.2.3.4 20080430204825 text/html 9\none\n⟧" + arc("two") + "|" + arc("two")},
		{"ARC, no number", "⟦wrong:http://h/ 1.2.3.4 null text/html abc\none\n⟧" + arc("two")},
		{"ARC, no address", arc("one") + "|⟦junk:http://h/ x 20080430204825 text/html 3\none\n⟧" + arc("two")},
		{"ARC, of names", arc("one") + "|⟦junk:mailto:a b c d e f\n: 1.2.3.4 20080430204825 x 3\n⟧" + arc("two")},
		{"ARC, of numbers", arc("one") + "|⟦junk:note: x\n1 1 x\n⟧" + arc("two")},
		{"ARC, and WARC in it", arc(one) + "|" + arc("two")},
		{"WARC, and ARC in it", rec(arc("x")) + "|⟦junk:" + arc("y") + "⟧" + one},
	} {
		var want []string
		var src []byte
		for i, s := range strings.Split(tt.text, "⟦") {
			if i > 0 {
				odd, in, _ := strings.Cut(s, ":")
				in, s, _ = strings.Cut(in, "⟧")
				if odd == "cut" && strings.HasSuffix(in, "+") {
					var skipped string
					skipped, s, _ = strings.Cut(s, "⟧")
					want = append(want, fmt.Sprintf("cut %d-%d+%d", len(src), len(src)+len(in)-1, len(skipped)))
					src = append(append(src, in[:len(in)-1]...), skipped...)
				} else {
					want = append(want, fmt.Sprintf("%s %d-%d", odd, len(src), len(src)+len(in)))
					src = append(src, in...)
				}
			}
			for _, p := range strings.Split(s, "|") {
				if p != "" {
					want = append(want, fmt.Sprintf("%d-%d", len(src), len(src)+len(p)))
					src = append(src, p...)
				}
			}
		}
		for _, step := range []func() int{whole, func() int { return 0 }, func() int { return 1 }, func() int { return 100 }} {
			if got := pieces(t, src, limit, step); !slices.Equal(got, want) {
				t.Errorf("%s: %q\n got %q\nwant %q", tt.name, src, got, want)
			}
		}
	}
}

// Splitting in windows of any size gives the same records.
func TestGrown(t *testing.T) {
	parts := []string{rec("one"), rec("a\nWARC/1.0\r\nX: y\r\n\r\n"), "WARC/", "WARC/1.0\n", "WARC/1.0\r\nWARC-Type: x\r\n", "Content-Length: 10\r\n", "Content-Length: 99\n",
		"\r\n", "\n", "\n\n", "text", "X: y\n", " folded\n", arc("one"), "http://h/ 1.2.3.4 20080430204825 x 9\n", "http:", "h", " 1.2.3.4 ", claims(5, "xx"), claims(150, ""), strings.Repeat("x", 70)}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 6000 {
		var src []byte
		for range rng.IntN(20) {
			src = append(src, parts[rng.IntN(len(parts))]...)
		}
		limit := 1 + rng.IntN(300)
		step := 1 + rng.IntN(60)
		want := pieces(t, src, limit, whole)
		if got := pieces(t, src, limit, func() int { return rng.IntN(step) }); !slices.Equal(got, want) {
			t.Fatalf("%q, limit %d, in pieces:\n got %q\nwant %q", src, limit, got, want)
		}
	}
}

func TestIs(t *testing.T) {
	for _, tt := range []struct {
		head string
		want bool
	}{
		{rec("one"), true},
		{"\r\n\n" + rec("one"), true},
		{"WARC/1.0\nX:", true},
		{"filedesc://x 0.0.0.0 20080430204825 text/plain 9\n1 1", true},
		{"", false},
		{"WARC/1.0", false},
		{"WARC/1.0 is a version\n", false},
		{"WARC/1.0\nis a version\n", false},
		{"WARC/\nX: y\n", false},
		{"x\n" + rec("one"), false},
		{arc("one"), false}, // as text has it
		{"filedesc://x", false},
	} {
		if got := Is([]byte(tt.head)); got != tt.want {
			t.Errorf("%q: %v", tt.head, got)
		}
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		typ       Type
		want      string // from, target, media type and block, with "|" between
	}{
		{"response", "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: a/b; c=d\r\nContent-Length: 3\r\n\r\none\r\n\r\n", Response, "WARC-Target-URI|http://h/|a/b; c=d|one"},
		{"in front", "\r\nWARC/1.0\nwarc-type:Resource\nCONTENT-LENGTH:3\n\none", Resource, "|||one"},
		{"brackets", "WARC/1.0\nWARC-Target-URI: <http://h/>\nContent-Length: 0\n\n", Other, "WARC-Target-URI|http://h/||"},
		{"one bracket", "WARC/1.0\nWARC-Target-URI: <http://h/\nContent-Length: 0\n\n", Other, "WARC-Target-URI|<http://h/||"},
		{"blanks", "WARC/1.0\nWARC-Target-URI:  http://h/a b \nContent-Length: 0\n\n", Other, "WARC-Target-URI|http://h/a b||"},
		{"folded", "WARC/1.0\r\nWARC-Target-URI: http://\r\n\th/\r\n  x\r\n \r\nWARC-Type: \r\n metadata\r\nContent-Length: 1\r\n\r\nx", Metadata, "WARC-Target-URI|http://h/x||x"},
		{"first of several", "WARC/1.0\nWARC-Type: request\nWARC-Type: response\nWARC-Target-URI: a:b\nWARC-Target-URI: c:d\nContent-Type: a/b\nContent-Type: c/d\nContent-Length: x\nContent-Length: 1\nContent-Length: 9\n\nx", Request, "WARC-Target-URI|a:b|a/b|x"},
		{"no fields", "WARC/1.0\nno field\n:\nX: y\n\n", Other, "|||"},
		{"unknown", "WARC/1.0\nWARC-Type: respons\nContent-Length: 0\n\n", Other, "|||"},
		{"a block of line ends", "WARC/1.0\nContent-Length: 2\n\n\n\n\n\n", Other, "|||\n\n"},
		{"wrong", "WARC/1.0\nContent-Length: 2\n\nthree\r\n\r\n", Other, "|||three"},
		{"cut off", "WARC/1.0\nContent-Length: 9\n\nthree", Other, "|||three"},
		{"in the header", "WARC/1.0\nWARC-Type: revisit\nConte", Revisit, "|||"},
		{"others", "WARC/1.0\nWARC-Type: warcinfo\n\n", Info, "|||"},
		{"others", "WARC/1.0\nWARC-Type: conversion\n\n", Conversion, "|||"},
		{"others", "WARC/1.0\nWARC-Type: continuation\n\n", Continuation, "|||"},
		{"ARC", "http://h/ 1.2.3.4 20080430204825 text/html 3\none\n", Response, "ARC-URL|http://h/|text/html|one"},
		{"ARC, blanks", "\nhttp://h/a b  c 1.2.3.4 20080430204825 text/html; charset=x 3\r\none\n\n", Response, "ARC-URL|http://h/a b  c|text/html;|one"},
		{"ARC 2", "http://h/ 1.2.3.4 20080430204825 text/html 200 - - 0 x.arc.gz 3\none\n", Response, "ARC-URL|http://h/|text/html|one"},
		{"ARC, wrong", "http://h/ 1.2.3.4 20080430204825 no-type -1\none\n", Response, "ARC-URL|http://h/|no-type|one"},
		{"version block", "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 3\n1 1\n", Info, "ARC-URL|filedesc://x.arc|text/plain|1 1"},
	} {
		var r Record
		r.Parse([]byte(tt.src))
		got := fmt.Sprintf("%s|%s|%s|%s", r.From, r.Target, r.MediaType, tt.src[r.Block.Start:r.Block.End])
		if r.Type != tt.typ || got != tt.want {
			t.Errorf("%s: %d %q, want %d %q", tt.name, r.Type, got, tt.typ, tt.want)
		}
	}
}

var hostile = []scantest.Shape{
	{"", rec(""), ""},
	{"", "WARC/1.0\r\nX: y\r\n", "\r\n"},
	{"", "WARC/", ""},
	{"", "WARC/1.0\n", ""},
	{"", "\nWARC/1.0\nX:", "\n\n"},
	{"", claims(90_000, ""), ""},
	{"", claims(1<<40, ""), ""},
	{"", claims(-1, ""), ""},
	{"WARC/1.0\r\n", "X: y\r\n", "\r\n"},
	{"WARC/1.0\r\nX:", " y\r\n", "\r\n"},
	{"WARC/1.0\r\n", "Content-Length: 9\r\n", "\r\n"},
	{"WARC/1.0\r\nX: ", "y", "\r\n\r\n"},
	{"WARC/1.0", " ", "\r\nX: y\r\n\r\n"},
	{"", "\r\n", rec("one")},
	{"", "x", rec("one")},
	{"", rec("one") + "stray", ""},
	{"", arc(""), ""},
	{arc(""), "http://h/ 1.2.3.4 20080430204825 x 90000\n", ""},
	{arc(""), "http: ", ""},
	{arc(""), "http:\n", ""},
	{arc(""), "h", ""},
	{"", "http:", ""},
	{"", "h\n", ""},
	{arc(""), "http:" + strings.Repeat(" x", 20) + "\n", ""},
}

func TestLinear(t *testing.T) {
	for _, step := range []int{1 << 30, 64 << 10} {
		scantest.Shapes(t, hostile, 256<<10, func(src []byte) { pieces(t, src, 32<<20, func() int { return step }) })
	}
	scantest.Shapes(t, hostile, 256<<10, func(src []byte) { pieces(t, src, 10_000, func() int { return 5_000 }) })
	scantest.Shapes(t, hostile, 256<<10, func(src []byte) {
		var r Record
		r.Parse(src)
	})
}

// Pieces cover the input, are the same in windows of any size, and can be parsed.
func FuzzWarc(f *testing.F) {
	for _, s := range hostile {
		f.Add(s.Text(200), uint8(7), uint16(100))
	}
	f.Add([]byte(rec("one")+"stray"+claims(3, "three")+rec("two")), uint8(0), uint16(1000))
	f.Add([]byte(arc("one")+"stray\n"+arc("two")), uint8(0), uint16(1000))
	f.Fuzz(func(t *testing.T, src []byte, step uint8, limit uint16) {
		want := pieces(t, src, int(limit)+1, whole)
		if got := pieces(t, src, int(limit)+1, func() int { return int(step) }); !slices.Equal(got, want) {
			t.Fatalf("in pieces:\n got %q\nwant %q", got, want)
		}
		s := Splitter{Limit: int(limit) + 1}
		for at := 0; at < len(src); {
			p, _ := s.Next(src[at:], 0, true)
			one := src[at : at+p.End]
			var r Record
			if r.Parse(one); r.Block.Start > r.Block.End || r.Block.End > len(one) || p.Defect != NotRecord && p.End < limitOf(limit) && r.Block.Start == 0 {
				t.Fatalf("%q: %+v", one, r)
			}
			at += p.End + int(min(p.Skip, int64(len(src))))
		}
	})
}

func limitOf(limit uint16) int { return int(limit) + 1 }

func BenchmarkNext(b *testing.B) {
	src := bytes.Repeat([]byte(rec(strings.Repeat("text of a page\n", 4000))), 200)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		s := Splitter{Limit: 32 << 20}
		var r Record
		for at := 0; at < len(src); {
			p, _ := s.Next(src[at:], 0, true)
			r.Parse(src[at : at+p.End])
			at += p.End
		}
	}
}

// The date of a record, in the forms of WARC 1.0, WARC 1.1 and ARC.
func TestRecordTime(t *testing.T) {
	warc := func(date string) string {
		return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: " + date + "\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"
	}
	for _, x := range []struct{ src, want string }{
		{warc("2017-03-06T04:02:06Z"), "2017-03-06T04:02:06Z"},
		{warc("2017-03-06T04:02:06.987654321Z"), "2017-03-06T04:02:06Z"},
		{warc("2017-03-06T05:02:06+01:00"), "2017-03-06T04:02:06Z"},
		{warc("2017-03-06T04:02Z"), "2017-03-06T04:02:00Z"},
		{warc("2017-03"), "2017-03-01T00:00:00Z"},
		{warc("20170306040206"), "2017-03-06T04:02:06Z"},
		{warc("2017-03-06T04:02:06Z\r\nWARC-Date: 2018-01-01T00:00:00Z"), "2017-03-06T04:02:06Z"},
		{arc("x"), "2008-04-30T20:48:25Z"},
		{warc("2017-13-06T04:02:06Z"), "0001-01-01T00:00:00Z"},
		{warc(strings.Repeat("9", 10000)), "0001-01-01T00:00:00Z"},
		{rec("x"), "0001-01-01T00:00:00Z"},
	} {
		var r Record
		r.Parse([]byte(x.src))
		if got := r.Time().Format(time.RFC3339); got != x.want {
			t.Errorf("%.100q: %s, want %s", x.src, got, x.want)
		}
	}
}
