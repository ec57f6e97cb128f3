package cli

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/input"
)

func TestVisible(t *testing.T) {
	got := string(AppendVisible(nil, []byte("a\x1b[31m\u202e\u0085\xff\u200bé日")))
	if want := `a\u{1b}[31m\u{202e}\u{85}\xff\u{200b}é日`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Progress is shown on one line, which a message replaces.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out)
	p.Add(5)
	p.Clear()
	if out.Len() > 0 {
		t.Errorf("%q within the first second", out.String())
	}
	p.start = time.Now().Add(-10 * time.Second)
	p.Add(2e9)
	p.Add(1)
	p.Clear()
	p.Finish()
	if got := out.String(); got != "\r\rreading: 2 GB, 200 MB/s\r"+strings.Repeat(" ", 23)+"\r" {
		t.Errorf("%q", got)
	}

	out.Reset()
	p = NewProgress(&out)
	p.start = time.Now().Add(-10 * time.Second)
	dir := t.TempDir()
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 500), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt")
	write("b.txt")
	p.Measure(new(input.Options).Files([]string{dir}))
	p.Add(100)
	if got := out.String(); !strings.HasPrefix(got, "\r\rreading: 100 B of 1 kB, ") {
		t.Errorf("%q", got)
	}
	write("c.txt.gz")
	p = NewProgress(&out)
	p.Measure(new(input.Options).Files([]string{dir}))
	if n := p.Total.Load(); n != 1500 {
		t.Errorf("a total of %d with a compressed file", n)
	}
	p.Skip(500)
	p.AddOf(400, "d/a\x1b.warc.gz")
	p.AddOf(100, "")
	if got := p.line(10 * time.Second); got != "reading: 1 kB of 1.5 kB, 50 B/s, 10 s left, d/a\\u{1b}.warc.gz" {
		t.Errorf("%q", got)
	}
	p.AddOf(1, strings.Repeat("d/", 50)+"é.warc.gz")
	if got := p.line(time.Second); !strings.HasSuffix(got, ", 1 s left, ...d/d/d/d/d/d/d/d/d/d/é.warc.gz") {
		t.Errorf("%q", got)
	}
	for seconds, want := range map[float64]string{0: "0 s", 0.1: "1 s", 59: "59 s", 61: "2 min", 3599: "60 min", 3600: "1 h 0 min", 1e5: "27 h 46 min", 1e6: "11 days", math.Inf(1): "11574 days"} {
		if got := timeLeft(seconds); got != want+" left" {
			t.Errorf("%v seconds: %s", seconds, got)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 1234567: "1.23 MB", 999999: "1 MB", 1 << 62: "4.61 EB"} {
		if got := size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	var none *Progress
	none.Add(1)
	none.Clear()
	none.Finish()
}
