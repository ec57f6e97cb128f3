package mailbox

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"

	"github.com/mikelolasagasti/xz"
)

const (
	sep    = "From a@b  Tue Apr  1 09:28:56 1997\n"
	header = "Subject: s\n"
)

// A message begins after each "⟦".
func TestMbox(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"nothing", ""},
		{"blank line", "\n⟦" + sep + header},
		{"no blank line", "⟦" + sep + header},
		{"no body", "⟦" + sep + header + "⟦" + sep + header},

		// Texts found in practice between "From " and the end of the line.
		{"obfuscated", "⟦From a at b.c  Tue Apr  1 09:28:56 1997\n" + header},
		{"name", "⟦From Jan Name <a@b>  Tue Apr  1 09:28:56 1997\n" + header},
		{"name and no address", "⟦From Hello Support Tue Jul 10 18:50:15 2012\n" + header},
		{"quotes", "⟦From \"a@b\" Wed Jan 30 18:07:01 2002\n" + header},
		{"zone", "⟦From a@b Mon Feb  8 02:53:47 PST 1993\n" + header},
		{"zone in front of the year", "⟦From 1545668983435175434@xxx Fri Sep 16 22:26:51 +0000 2016\n" + header},
		{"remote", "⟦From b!a Tue Apr  1 9:28 97 remote from b\n" + header},
		{"RFC 5322", "⟦From a@b Tue, 1 Apr 1997 09:28:56 +0200\n" + header},
		{"git", "⟦From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n" + header},
		{"digits", "⟦From () 2020-03-03 07:50:45 +0000\n" + header},
		{"Netscape", "⟦From - Mon Jun  3 12:50:27 1996\n" + header},
		{"Netscape, undated", "⟦From - \n" + header + "⟦From -\n" + header},
		{"bare", "⟦From \n" + header},
		{"Google, undated", "⟦From 1844347792267117879@xxx\n" + header},

		{"Usenet, undated", "⟦From -7379267013834866826\n" + header + "X-Google-Thread: a\n b\n"},
		{"one word, any fields, folded", "⟦From x\nA: b\n c\n\td\nE:\n"},
		{"words, fields of mail", "⟦From Ann Name\nPath: a\nfrom: b\n"},

		{"words, one field of mail", "From Ann Name\nPath: a\nNote: b\n"},
		{"one word, one field", "From x\nA: b\n\nC: d\n"},
		{"one word, a field and text", "From x\nA: b\ntext\n"},
		{"one word, a long line", "From x\nA: " + strings.Repeat("b", maxLine) + "\nC: d\n"},

		{"handed on", "⟦" + sep + ">From c!d Tue Apr  1 09:28:56 1997 remote from c\n>From e\n" + header},
		{"handed on, and no field", sep + ">From c\n\n"},
		{"field without value", "⟦" + sep + "X:\n"},

		// Text.
		{"no date", "From here on\n" + header + "From a@b\n" + header + "From Russia with love\nYear: 1963\n"},
		{"no name", "From 10:30 on\n" + header},
		{"no time", "From Tue Apr 1\n" + header + "From Tue to 1:2\n" + header},
		{"time in front", "From 10:30 on Sun\n" + header},
		{"longer words", "From Sunday, Marks and maytue: 10:30\n" + header},
		{"lower case", "From what may be at 10:30\n" + header},
		{"no field", sep + "text\n\n" + sep + "\n" + header + sep + ": x\n" + sep + "a b: c\n" + sep + "é: c\n" + sep},
		{"URL", "From \nhttp://a/\n" + sep + "http://a/\n"},
		{"quoted", ">" + sep + header + ">>" + sep + header},
		{"inside a line", " " + sep + header + "x" + sep + header},
		{"not the word", "Fromage Tue Apr  1 09:28:56 1997\n" + header + "From: Tue Apr  1 09:28:56 1997\n" + header},
		{"long line", "From " + strings.Repeat("a", maxLine) + sep[5:] + header},
		{"long name", sep + strings.Repeat("a", maxLine) + ":\n"},
		{"too many hands", sep + strings.Repeat(">From x\n", maxQuoted+1) + header},
	} {
		one := sep + header + "\ntext\n"
		text := one + tt.text
		check(t, tt.name, text)
		check(t, tt.name+", no line end", strings.TrimSuffix(text, "\n"))
		check(t, tt.name+", CRLF", strings.ReplaceAll(text, "\n", "\r\n"))
		check(t, tt.name+", mark and blank", "\xef\xbb\xbf\n\r\n"+text)
		check(t, tt.name+", text in front", "text\n⟦"+text)
		check(t, tt.name+", more behind", text+"⟦"+one)
	}
}

// check splits the text, whole and in pieces of one byte.
func check(t *testing.T, name, text string) {
	t.Helper()
	want := strings.Split(text, "⟦")
	src := []byte(strings.Join(want, ""))
	if got := split(Mbox(0), src); !slices.Equal(got, want) {
		t.Errorf("%s:\n got %.200q\nwant %.200q", name, got, want)
	}
	if len(src) > 1<<16 {
		return
	}
	if got := grown(Mbox(0), src, func() int { return 0 }); !slices.Equal(got, want) {
		t.Errorf("%s, byte by byte:\n got %.200q\nwant %.200q", name, got, want)
	}
}

func TestContentLength(t *testing.T) {
	const message = sep + header + "\ntext\n\n"
	inner := strings.Repeat(message, 3) // a mailbox in a message
	n := len(inner)
	const behind, three = "⟦" + message, "⟦" + message + "⟦" + message + "⟦" + message
	length := func(n int) string { return fmt.Sprintf("%sX: y\ncontent-length:  %d \n", sep, n) }
	for _, tt := range []struct{ name, text string }{
		{"right", length(n) + "\n" + inner + behind + behind},
		{"at the end", message + "⟦" + length(n) + "\n" + inner},
		{"blank line not counted", length(n-1) + "\n" + inner + behind},
		{"line end not counted either", length(n-2) + "\n" + inner + behind},
		{"line end not counted, at the end", length(n-2) + "\n" + inner},
		{"blank line missing", length(n-1) + "\n" + inner[:n-1] + behind},
		{"first of two", length(n) + "Content-Length: 1\n\n" + inner + behind},
		{"every message", length(n) + "\n" + inner + "⟦" + length(6) + "\ntext\n\n⟦" + length(0) + "\n⟦" + length(n) + "\n" + inner},
		{"header of 1 MiB", length(n) + "X: " + strings.Repeat("y", maxHeader-100) + "\n\n" + inner + behind},

		{"too small", length(n-3) + "\n" + three + behind},
		{"too small to matter", length(3) + "\ntext\n" + three},
		{"too large", length(n+1) + "\n" + three + behind},
		{"larger than the file", length(1<<20) + "\n" + three},
		{"larger than is asked for", length(2*maxAhead) + "\n" + three},
		{"no number", sep + "Content-Length: 9x\n\n" + three},
		{"negative", sep + "Content-Length: -9\n\n" + three},
		{"beyond all numbers", sep + "Content-Length: 9223372036854775807\n\n" + three},
		{"in the body", sep + header + "\n" + length(n)[len(sep):] + "\n" + three},
		{"in a larger header", sep + "X: " + strings.Repeat("y", maxHeader) + "\n" + length(n)[len(sep):] + "\n" + three},
		{"in no header", length(n) + three},
	} {
		check(t, tt.name, tt.text)
	}
	crlf := strings.ReplaceAll(inner, "\n", "\r\n")
	check(t, "CRLF", strings.ReplaceAll(length(len(crlf)-4)+"\n", "\n", "\r\n")+crlf+behind)
}

// An archive whose first messages have no Content-Length counts as one without it.
func TestWithout(t *testing.T) {
	const claims = sep + "Content-Length: 100\n\n"
	for n, want := range map[int]int{15: 16, 16: 17} {
		src := strings.Repeat(sep+header+"\n", n) + claims + sep + header + "\n" + strings.Repeat("x", 100-len(sep+header)-1)
		if got := len(split(Mbox(0), []byte(src))); got != want+(n-15) {
			t.Errorf("%d messages behind %d without", got, n)
		}
	}
}

// Quoting that was found stays known, whatever follows it in the message.
func TestQuoted(t *testing.T) {
	for body, want := range map[string]bool{
		"text\n":                          false,
		"a From b\n":                      false,
		">From x\n":                       true,
		">From x\na From b\n":             true,
		"a From b\n>From x\n":             true,
		">From x\n" + "From y\nno date\n": true,
	} {
		src := []byte(sep + header + "\n" + body + "\n" + sep + header + "\ntext\n")
		if p, ok := Mbox(0).Next(src, 0, true); !ok || p.Quoted != want {
			t.Errorf("%q: quoted %v, %v", body, p.Quoted, ok)
		}
	}
}

// Next asks for no more bytes than documented.
func TestMboxMaxAhead(t *testing.T) {
	src := []byte(sep + "Content-Length: 999999999\n\n" + sep + header)
	if p, ok := Mbox(0).Next(append(src, make([]byte, 100)...), 0, false); !ok {
		t.Error(p.End, ok)
	}
	src = fmt.Appendf(make([]byte, 0, maxAhead+1000), "%sContent-Length: %d\n\n%s%s", sep, maxAhead, sep, header)
	src = append(src, make([]byte, maxAhead-200)...)
	p, ok := Mbox(0).Next(src, 0, false)
	at := p.End
	if ok || at == 0 {
		t.Fatal(at, ok)
	}
	if p, ok := Mbox(0).Next(append(src, make([]byte, 200)...), at, false); !ok || p.End != at {
		t.Error(p.End, ok)
	}
}

// The search in a message that is not held continues where its beginning was cut off.
func TestCutOff(t *testing.T) {
	one := sep + header + "\n" + strings.Repeat("text\n", 1000) + "\n"
	src := []byte(one + one)
	s := Mbox(0)
	cut, at := 0, 0
	for have := 0; ; have = min(len(src), have+64) {
		p, ok := s.Next(src[cut:have], at, have == len(src))
		end := p.End
		if ok {
			if cut+end != len(one) {
				t.Errorf("%d, want %d", cut+end, len(one))
			}
			return
		}
		at = min(end, 1)
		cut += end - at
	}
}

func TestMboxBody(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{sep + header + "\ntext\n\n", header + "\ntext\n"},
		{sep + header + "\ntext\n", header + "\ntext\n"},
		{sep + header + "\ntext", header + "\ntext"},
		{sep + header + "\ntext\n\n\n", header + "\ntext\n\n"},
		{sep + header + "\n", header},
		{sep + header, header},
		{sep + "X:\r\n\r\ntext\r\n\r\n", "X:\r\n\r\ntext\r\n"},
		{sep + "X:\r\n\r\ntext\r\n", "X:\r\n\r\ntext\r\n"},
		{"\xef\xbb\xbf\r\n\n" + sep + header, header},
		{sep + ">" + sep + header, ">" + sep + header},
		{"text\n\n", "text\n"},
		{"\n", "\n"},
		{"", ""},
		{sep, sep},
	} {
		if start, end, _ := Mbox(0).Body([]byte(tt.src)); tt.src[start:end] != tt.want {
			t.Errorf("%q: %q, want %q", tt.src, tt.src[start:end], tt.want)
		}
	}
}

func TestIsMbox(t *testing.T) {
	for _, tt := range []struct {
		head string
		want bool
	}{
		{sep + header, true},
		{"\xef\xbb\xbf" + sep + header, true},
		{"\r\n\n" + sep + header, true},
		{"From - \n" + header, true},
		{strings.Repeat("\n", maxLead) + sep + header, true},
		{"", false},
		{sep, false},
		{sep + "Dear all,\n", false},
		{"From my point of view,\nNote: this is text.\n", false},
		{"From -7379267013834866826\nX-Google-Language: a\nFrom: b\n", true},
		{"text\n" + sep + header, false},
		{">" + sep + header, false},
		{header + "From: a@b\n", false},
	} {
		if got := IsMbox([]byte(tt.head)); got != tt.want {
			t.Errorf("%q: %v", tt.head, got)
		}
	}
}

// MimeKit's mailbox with Content-Length fields, four of 29 wrong, has 29 messages, as the summary
// beside it says.
func TestMimeKit(t *testing.T) {
	files, _ := scantest.Corpus(t, "mail.tar.xz", ".txt")
	seen := false
	for _, src := range files {
		if bytes.HasPrefix(src, []byte("From - \nReturn-Path: <>\n")) {
			if n := len(split(Mbox(0), src)); n != 29 {
				t.Errorf("%d messages", n)
			}
			seen = true
		}
	}
	if !seen {
		t.Error("it is not there")
	}
}

func mboxCorpus(tb testing.TB) []byte {
	f, err := os.Open(scantest.Shared(tb, "corpus/spamassassin-public.mboxrd.xz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r, err := xz.NewReader(f, 0)
	if err != nil {
		tb.Fatal(err)
	}
	src, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return src
}

// In mboxrd every "From " line belongs to the mailbox.
func TestMboxCorpus(t *testing.T) {
	src := mboxCorpus(t)
	want := bytes.Count(src, []byte("\nFrom ")) + 1
	if got := split(Mbox(0), src); len(got) != want || want != 6046 {
		t.Errorf("%d messages, %d lines", len(got), want)
	}
}

// Pieces of any size give the same messages.
func TestMboxGrown(t *testing.T) {
	pieces := []string{sep, sep, header, header, "\n", "\n", "\r\n", "text\n", ">From x\n", "From - \n", "From ", ">", "\xef\xbb\xbf",
		"Content-Length: 100\n", "Content-Length: 40\n", "http://a/\n", "Sun 10:30\n", "x"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var src []byte
		for range rng.IntN(40) {
			src = append(src, pieces[rng.IntN(len(pieces))]...)
		}
		step := 1 + rng.IntN(60)
		want := split(Mbox(0), src)
		if got := grown(Mbox(0), src, func() int { return rng.IntN(step) }); !slices.Equal(got, want) {
			t.Fatalf("%q in pieces:\n got %q\nwant %q", src, got, want)
		}
	}
}

var hostileMbox = []scantest.Shape{
	{"", sep + header, ""},
	{"", sep, ""},
	{sep, "From - \n", ""},
	{"", sep + ">From x\n>From x\n>From x\n>From x\n", ""},
	{sep + header + "\n", "\nFrom", ""},
	{sep + header + "\n", "F", ""},
	{sep + header + "\n", "\nFrom Sun ", ""},
	{sep, "X: y\n", "\n" + sep + header},
	{"", "\n", sep + header},
	{"", sep + "Content-Length: 1000000\n\n", ""},
	{sep + "Content-Length: 60000000\n\n", sep + header, ""},
	{sep, "Content-Length: 1000\n", "\n" + sep + header},
}

func TestMboxLinear(t *testing.T) {
	scantest.Shapes(t, hostileMbox, 128<<10, func(src []byte) { split(Mbox(0), src) })
	scantest.Shapes(t, hostileMbox, 128<<10, func(src []byte) { grown(Mbox(0), src, func() int { return 64 << 10 }) })
}

func FuzzMbox(f *testing.F) {
	for _, s := range hostileMbox {
		f.Add(s.Text(100), uint8(7))
	}
	f.Add([]byte("\xef\xbb\xbf\n"+sep+">From x\n"+header+"\r\n\r\ntext\n\nFrom -\r\nX:\n"), uint8(1))
	f.Add([]byte(sep+"Content-Length: 54\n\n"+sep+header+"\ntext\n\n"+sep+header), uint8(0))
	f.Fuzz(func(t *testing.T, src []byte, step uint8) {
		want := split(Mbox(0), src)
		for i, m := range want {
			start, end, _ := Mbox(0).Body([]byte(m))
			if start > end || end > len(m) {
				t.Fatalf("%q: %d to %d", m, start, end)
			}
			if i > 0 && start == 0 {
				t.Fatalf("%q does not begin with a line that counts", m)
			}
		}
		if got := grown(Mbox(0), src, func() int { return int(step) }); !slices.Equal(got, want) {
			t.Fatalf("in pieces:\n got %q\nwant %q", got, want)
		}
	})
}

func BenchmarkMbox(b *testing.B) {
	mail := mboxCorpus(b)
	list := bytes.Repeat([]byte("From a at b.c  Tue Apr  1 09:28:56 1997\nFrom: a at b.c (A)\nDate: Tue, 1 Apr 1997 09:28:56 +0200\n"+
		"Subject: [list] text\nMessage-ID: <1@b.c>\n\n"+strings.Repeat("> What it is worth: a line of text has about as many bytes\n", 40)+"\n"), 10000)
	cl := bytes.ReplaceAll(list, []byte("\nSubject:"), []byte("\nContent-Length: 2361\nSubject:"))
	for _, bb := range []struct {
		name string
		src  []byte
	}{{"mail", mail}, {"list", list}, {"cl", cl}} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.src)))
			b.ReportAllocs()
			for b.Loop() {
				s := Mbox(0)
				for src := bb.src; len(src) > 0; {
					p, _ := s.Next(src, 0, true)
					src = src[p.End:]
				}
			}
		})
		b.Run(bb.name+"/count", func(b *testing.B) {
			b.SetBytes(int64(len(bb.src)))
			for b.Loop() {
				bytes.Count(bb.src, []byte("\n"))
			}
		})
	}
}
