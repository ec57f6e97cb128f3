package extract

import (
	"fmt"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// fragmented returns an mbox with the fragments of RFC 2046 section 5.2.2.2, other messages between them, and a
// reference across each border.
func fragmented(numbers ...int) string {
	pieces := map[int]string{
		1: "Subject: Audio mail|Message-ID: <anotherid@foo.com>|MIME-Version: 1.0|Content-Type: text/html||<a href=http://h/1>x</a>|<a href='http://h/|",
		2: "two'>x</a> <a href=http://h/2b>x</a>|<a href='x|",
		3: "y'>x</a> <a href=http://h/3>|",
	}
	s := ""
	for i, n := range numbers {
		total := "; total=3"
		if n != 3 && i%2 == 0 {
			total = "" // only the last one must have it
		}
		s += fmt.Sprintf("From a@b Tue Apr  1 09:28:56 1997|X-Weird-Header-1: Foo%d|From: Bill@host.com|Base: http://b%d/|Subject: Audio mail (part %[1]d)|Message-ID: <id%[1]d@host.com>|"+
			"MIME-Version: 1.0|Content-type: message/partial; id=\"ABC@host.com\"; number=%[1]d%[3]s||%[4]s|"+
			"From a@b Tue Apr  1 09:28:56 1997|Subject: other||http://other/%[1]d||", n, n, total, pieces[n])
	}
	return mail(s)
}

// RFC 2046 5.2.2.1.
func TestFragments(t *testing.T) {
	const joined = "Base http://b1/, Audio mail|http://h/1, Audio mail|http://h/two, Audio mail|http://h/2b, Audio mail|http://b1/xy, Audio mail|http://h/3, Audio mail|"
	tests := []struct {
		numbers []int
		want    string
		notes   int
	}{
		{[]int{1, 2, 3}, "http://other/1, other|http://other/2, other|http://other/3, other|" + joined, 0},
		{[]int{3, 1, 2}, "http://other/3, other|http://other/1, other|http://other/2, other|" + joined, 0},
		{[]int{2, 3}, "http://other/2, other|http://other/3, other|Base http://b2/, Audio mail (part 2)|http://h/2b, Audio mail (part 2)|Base http://b3/, Audio mail (part 3)|http://h/3, Audio mail (part 3)|", 2},
	}
	for _, tt := range tests {
		src := fragmented(tt.numbers...)
		got, notes := "", 0
		c := Config{Cite: true, Lines: true, Note: func(n *Note) {
			if n.Code == scan.CodePartial {
				notes++
			}
		}}
		for r, err := range c.Walk("x.mbox", strings.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			from := ""
			if r.In == "Base" {
				from = "Base "
			}
			got += fmt.Sprintf("%s%s, %s|", from, r.URL, r.Message().Subject)
			at := src[r.Pos.Offset : r.Pos.Offset+int64(r.Pos.Length)]
			if r.Pos.Exact && at != string(r.Raw) {
				t.Errorf("%v: %q is at %q", tt.numbers, r.Raw, at)
			}
			if line := 1 + strings.Count(src[:r.Pos.Offset], "\n"); r.Pos.Line != line || r.Pos.Column != int(r.Pos.Offset)-strings.LastIndexByte(src[:r.Pos.Offset], '\n') {
				t.Errorf("%v: %q: line %d, column %d; it is in line %d", tt.numbers, r.Raw, r.Pos.Line, r.Pos.Column, line)
			}
		}
		if got != tt.want || notes != tt.notes {
			t.Errorf("%v: got %d notes and\n%s\nwant %d and\n%s", tt.numbers, notes, got, tt.notes, tt.want)
		}
	}
}

// The fragments that are held back are limited in bytes and in number, and are read by themselves beyond.
func TestFragmentsLimits(t *testing.T) {
	for _, tt := range []struct{ n, size, want int }{{100, 1 << 10, 100}, {200, 1 << 18, 200}, {maxHeld + 100, 0, maxHeld + 100}} {
		src := new(strings.Builder)
		for i := range tt.n {
			fmt.Fprintf(src, "From a@b Tue Apr  1 09:28:56 1997\nContent-Type: message/partial; id=%d; number=1; total=2\n\n\nhttp://h/%d\n%s\n", i, i, strings.Repeat("text text text\n", tt.size/15))
		}
		c := Config{MaxEntity: 1 << 20}
		n := 0
		for r, err := range c.Walk("x.mbox", strings.NewReader(src.String())) {
			if err != nil || !strings.HasPrefix(string(r.URL), "http://h/") {
				t.Fatal(err, string(r.URL))
			}
			n++
		}
		if n != tt.want {
			t.Errorf("%d fragments of %d bytes: %d references, want %d", tt.n, tt.size, n, tt.want)
		}
	}
}
