package rejoin

import (
	"bytes"
	"strings"
	"testing"
)

// shapes are repeated texts in which much may be continued.
var shapes = []string{
	"http://h.example/a\n",
	"http://h.example/a-\n",
	"http://h.example/a/\nb/\nc/\nd/\ne/\nf/\ng/\nh/\ni/\n",
	"> > http://h.example/a/\n> > b\n> > c\n",
	"urn:a:b\n", "mailto:a@b\n", "www.h.example/a/\n", "a.b/\n",
	"http://h.example/" + strings.Repeat("x", 1500) + "\n" + strings.Repeat("y/", 700) + "\n",
	"http://h.example/" + strings.Repeat(")", 1500) + "\nx/y" + strings.Repeat(")", 400) + "\n",
	"http://h.example/(" + strings.Repeat("]", 900) + "\n" + strings.Repeat("]", 900) + "x\n",
	"http://h.example/a.,;:!?\n.,;:!?b/.,;:!?)\n",
	"'http://h.example/a/\nb'c'd\n",
	"http://h.example/a/b.html x http://h.example/a/\nb.html\n",
	"http://h.example/a \t\r\n\t| | > | > | > | > | > | > b/c\n",
	"http://h.example/a=20\n=3D=\n=\n",
	"http://h.example/a/\n" + strings.Repeat("b/\n", 40),
	strings.Repeat("a/", 2000) + "\n",
	"x://\ny\n", "://\n", "http://h.example/a:\n",
}

// work returns how many bytes are looked up for text, and how many URLs, if every word is taken for the beginning of a URL that
// may continue.
func work(text []byte, known func([]byte) Found) (hashed, calls int) {
	count := func(url []byte) Found {
		calls++
		hashed += len(url)
		return known(url)
	}
	var buf []byte
	for start := 0; start < len(text); {
		end := start + len(text[start:])
		if n := bytes.IndexAny(text[start:], " \t\r\n"); n >= 0 {
			end = start + n
		}
		if end > start && MayContinue(text, end) {
			whole, _, _ := Find(buf, text, start, end, count)
			buf = whole
		}
		start = end + 1
	}
	return hashed, calls
}

// What is looked up grows with the text: four times the text, four times the work. A URL is looked up for each of the lines that
// may continue it, and for the punctuation at its end.
func TestShapesAreLinear(t *testing.T) {
	const most = 8 * 9 // lines, and ends of each
	for _, shape := range shapes {
		for name, known := range map[string]func(*Table) func([]byte) Found{
			"nothing known": func(*Table) func([]byte) Found { return func([]byte) Found { return Found{} } },
			"all known":     func(*Table) func([]byte) Found { return func([]byte) Found { return Found{Evidence: Whole} } },
			"the text":      func(table *Table) func([]byte) Found { return table.Find },
		} {
			measure := func(size int) (n, hashed, calls int) {
				text := bytes.Repeat([]byte(shape), size/len(shape))
				table := new(Table)
				table.AddText(text, 0)
				hashed, calls = work(text, known(table))
				return len(text), hashed, calls
			}
			n, hashed, calls := measure(8 << 10)
			n4, hashed4, calls4 := measure(32 << 10)
			grown := float64(n4) / float64(n)
			if float64(hashed4) > 1.05*grown*float64(hashed)+maxWhole*most || float64(calls4) > 1.05*grown*float64(calls)+most {
				t.Errorf("%.40q, %s: %d bytes of %d looked up, then %d of %d; %d times, then %d", shape, name, hashed, n, hashed4, n4, calls, calls4)
			}
			if hashed > most*n*8 || calls > most*(n/4) {
				t.Errorf("%.40q, %s: %d bytes in %d steps looked up for %d of text", shape, name, hashed, calls, n)
			}
		}
	}
}

// The punctuation at the end of a URL.
func TestTrim(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"", ""}, {"a", "a"}, {"a.", "a"}, {"a).", "a"}, {"(a)", "(a)"}, {"(a)).", "(a)"}, {"a[1]", "a[1]"}, {"a]]", "a"}, {"(a])", "(a])"}, {"a(])", "a(])"},
		{"a]).", "a"}, {"((a).", "((a)"}, {"a}*|\\", "a"}, {"...", ""}, {"a(", "a("}, {"a'", "a"}, {"a[).]", "a[).]"},
		{strings.Repeat("x", maxWhole) + ".", strings.Repeat("x", maxWhole) + "."},
	} {
		if got := string(trim([]byte(tt.url))); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.url, got, tt.want)
		}
	}
}
