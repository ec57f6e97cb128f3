package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"example.org/refract/internal/testing/scantest"
)

// from is a line before a message.
const from = "From a@b  Tue Apr  1 09:28:56 1997\n"

// Each reference has its part, the position that counting gives, and the notes before it.
func archiveWalk(t *testing.T, c *Config, r io.Reader, src string) (list []string, err error) {
	t.Helper()
	cfg := *c
	cfg.Lines = true
	cfg.Note = func(n *Note) { list = append(list, fmt.Sprintf("%d: %s", n.Pos.Offset, n.Text)) }
	for ref, err := range cfg.Walk("x", r) {
		if err != nil {
			return list, err
		}
		before := src[:ref.Pos.Offset]
		line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n')
		if ref.Pos.Line != line || ref.Pos.Column != column {
			t.Errorf("%q of %.200q at %d:%d, want %d:%d", ref.Ref, src, ref.Pos.Line, ref.Pos.Column, line, column)
		}
		list = append(list, strings.TrimSpace(ref.Entity.Path()+" "+string(ref.URL)))
	}
	return list, nil
}

func TestArchives(t *testing.T) {
	large := "Subject: http://h/s\n\n" + strings.Repeat("http://h/l\n", 30) + "\n"
	// A large message comes in pieces of 200 bytes, of which 179 are left for the first lines.
	const tooLarge = "part 1 of the message has more than 200 bytes: read in pieces"
	inPieces := func(at int) []string {
		list := append([]string{"http://h/s"}, slices.Repeat([]string{"1 http://h/l"}, 16)...)
		list = append(list, fmt.Sprintf("%d: %s", at+197, tooLarge))
		return append(list, slices.Repeat([]string{"1 http://h/l"}, 14)...)
	}
	batch := func(n int, s string) string { return fmt.Sprintf("#! rnews %d\n%s", n, s) }
	const article = "Subject: a\n\nhttp://h/1\n"
	tests := []struct {
		name, mediaType, src string
		want                 []string
	}{
		{"empty", mboxType, "", nil},
		{"blank", mboxType, "\n\n", nil},
		{"no message", mboxType, from, nil},
		{"two", mboxType, from + "A: b\n\nhttp://h/1\n\n" + from + "A: b\n\nhttp://h/2\n", []string{"1 http://h/1", "1 http://h/2"}},
		{"CRLF", mboxType, strings.ReplaceAll(from+"A: b\n\nhttp://h/1\n\n"+from+"A: b\n\nhttp://h/2\n", "\n", "\r\n"), []string{"1 http://h/1", "1 http://h/2"}},
		{"begins mid-way", mboxType, "b http://h/0\n\nhttp://h/1\n" + from + "A: b\n\nhttp://h/2\n",
			[]string{"0: no blank line after the header", "1 http://h/0", "1 http://h/1", "1 http://h/2"}},
		{"lines that begin like one", mboxType, from + "A: b\n\nFrom a: http://h/1\nFrom a@b  Tue Apr  1 09:28:56 1997\nno field\n>From http://h/2\n" + from + "A: b\n\nhttp://h/3\n",
			[]string{"1 http://h/1", "1 http://h/2", "1 http://h/3"}},
		{"too large, first", mboxType, from + large + from + "A: b\n\nhttp://h/2\n",
			append(inPieces(len(from)), "1 http://h/2")},
		{"too large, between", mboxType, from + "A: b\n\nhttp://h/1\n" + from + large + from + large + from + "A: b\n\nhttp://h/2\n",
			slices.Concat([]string{"1 http://h/1"}, inPieces(52+len(from)), inPieces(404+2*len(from)), []string{"1 http://h/2"})},
		{"too large, last", mboxType, from + "A: b\n\nhttp://h/1\n" + from + large,
			append([]string{"1 http://h/1"}, inPieces(52+len(from))...)},
		{"Content-Length", mboxType, from + "Content-Length: 58\n\n" + from + "A: b\n\nhttp://h/1\n\n\n" + from + "A: b\n\nhttp://h/2\n", []string{"1 http://h/1", "1 http://h/2"}},
		{"a stale one", mboxType, from + "Content-Length: 4\n\nhttp://h/1\n\n" + from + "A: b\n\nhttp://h/2\n", []string{"1 http://h/1", "1 http://h/2"}},
		{"a large one", mboxType, from + "Content-Length: 9999999\n\nhttp://h/1\n\n" + from + "A: b\n\nhttp://h/2\n", []string{"1 http://h/1", "1 http://h/2"}},
		{"batch", newsType, batch(23, article) + batch(23, article), []string{"1 http://h/1", "1 http://h/1"}},
		{"wrong numbers", newsType, batch(2, article) + batch(99, article) + batch(9999999, article),
			[]string{"11: the message does not end where its batch says", "1 http://h/1", "46: the message does not end where its batch says", "1 http://h/1", "86: the message does not end where its batch says", "1 http://h/1"}},
		{"cut off", newsType, batch(23, article) + batch(40, article), []string{"1 http://h/1", "47: the message does not end where its batch says", "1 http://h/1"}},
		{"too large", newsType, batch(len(large), large) + batch(23, article),
			append(inPieces(13), "1 http://h/1")},
	}
	for _, tt := range tests {
		for _, window := range []int{0, 1, 20, 100, 1000} {
			c := Config{Type: tt.mediaType, MaxEntity: 200, window: window}
			got, err := archiveWalk(t, &c, strings.NewReader(tt.src), tt.src)
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%s, window %d: error %v, got\n%s\nwant\n%s", tt.name, window, err, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			if got, err := archiveWalk(t, &c, iotest.OneByteReader(strings.NewReader(tt.src)), tt.src); err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%s, a byte at a time: error %v, got %q", tt.name, err, got)
			}
			if got, err := archiveWalk(t, &c, iotest.DataErrReader(strings.NewReader(tt.src)), tt.src); err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%s, data with the end: error %v, got %q", tt.name, err, got)
			}
		}
	}
}

// Everything read before an error has been walked.
func TestArchiveErrors(t *testing.T) {
	broken := errors.New("broken")
	src := strings.Repeat(from+"A: b\n\nhttp://h/1\n\n", 5) + from + "A: b\n\n" + strings.Repeat("http://h/l\n", 50)
	for _, window := range []int{0, 1, 100} {
		for end := 0; end < len(src); end += 7 {
			c := Config{Type: mboxType, MaxEntity: 200, window: window}
			want, err := archiveWalk(t, &c, strings.NewReader(src[:end]), src)
			if err != nil {
				t.Fatal(err)
			}
			got, err := archiveWalk(t, &c, io.MultiReader(strings.NewReader(src[:end]), iotest.ErrReader(broken)), src)
			if err != broken || !slices.Equal(got, want) {
				t.Fatalf("window %d, after %d bytes: error %v, got\n%q, want\n%q", window, end, err, got, want)
			}
		}
	}
}

// Earlier reads do not affect whether a message is held: reused buffers may be larger.
func TestArchiveLimit(t *testing.T) {
	src := from + "A: b\n\n" + strings.Repeat(strings.Repeat("x ", 6_000)+"http://h/\n", 200) + from + "A: b\n\nhttp://h/2\n"
	c := Config{Type: mboxType, MaxEntity: 2 << 20}
	for range 2 {
		got, err := archiveWalk(t, &c, strings.NewReader(src), src)
		if err != nil || len(got) != 202 || got[0] != "1 http://h/" || !strings.HasSuffix(got[174], ": part 1 of the message has more than 2097152 bytes: read in pieces") {
			t.Errorf("error %v, %d lines, %q", err, len(got), got[:min(2, len(got))])
		}
		page := make([]byte, 64<<20)
		largeBuffers.Put(&page)
	}
}

// An mbox of any size is walked in less than 64 MiB if its messages have up to 1 MiB.
func TestArchiveMemory(t *testing.T) {
	scantest.Long(t, "200 MB")
	scantest.CollectAsUsual(t)
	var block bytes.Buffer
	for i, size := range []int{2 << 10, 900 << 10, 30 << 10, 1 << 20, 500, 300 << 10} {
		fmt.Fprintf(&block, "%sContent-Type: multipart/mixed; boundary=b\nMessage-ID: <%d@h>\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n", from, i)
		for n := block.Len() + size/2; block.Len() < n; {
			block.WriteString("<a href=3Dhttp://h/=\na>some text, and more of it</a>\n")
		}
		block.WriteString("--b\nContent-Type: text/plain; charset=iso-8859-1\n\n")
		for n := block.Len() + size/2; block.Len() < n; {
			block.WriteString("It was the best of times, \xe9 http://h/\xe9 it was the worst of times.\n")
		}
		block.WriteString("--b--\n\n")
	}
	runtime.GC()
	runtime.GC()
	var before, m runtime.MemStats
	runtime.ReadMemStats(&before)
	c := Config{Type: mboxType, Lines: true, Cite: true}
	n, peak := 0, uint64(0)
	for ref, err := range c.Walk("x", io.LimitReader(&cycle{block: block.Bytes()}, 200<<20)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%10_000 == 0 {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
		}
		_ = ref
	}
	t.Logf("%d references, heap of %d MiB, %d MiB before", n, peak>>20, before.HeapInuse>>20)
	if peak > before.HeapInuse+64<<20 || n < 1_000_000 {
		t.Errorf("%d references, heap of %d MiB", n, peak>>20)
	}
}

// A limit larger than any offset is not too large.
func TestLargestLimit(t *testing.T) {
	for _, name := range []string{"x.mbox", "x.eml", "x.md"} {
		c := Config{MaxEntity: math.MaxInt64}
		if got := urls(&c, name, "From a@b Tue Apr  1 09:28:56 1997\nSubject: a\n\nhttp://h.example/\n"); len(got) != 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// An archive that is cut at any of its Marks gives the same results as in one piece.
func FuzzMarks(f *testing.F) {
	types := []string{mboxType, newsType, warcType}
	for i, shapes := range [][]string{
		{from + "Base: http://h/\n\n<URL:x>\n\n", from + "Content-Length: 3\n\nab\n" + from, "\ufeff\n" + from + "\n\r\n"},
		{"#! rnews 8\n<URL:x>\n", "#! rnews 3\nabc\n", "x\n"},
		{response(isHTML, "<a href=x>"), "WARC/1.0\r\nContent-Length: 9\r\n\r\nWARC/1.0\n\r\n\r\n", "junk http://h/\n",
			"http://h/ 1.2.3.4 20000101000000 text/html 11\n<a href=x>\n\n"},
	} {
		for j, shape := range shapes {
			f.Add([]byte(strings.Repeat(shape, 20)), uint8(i), 4000, 7)
			f.Add([]byte(shape+shapes[0]+shape+shapes[(j+1)%len(shapes)]+shapes[0]), uint8(i), 30, 1)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, kind uint8, limit, which int) {
		c := &Config{Type: types[int(kind)%len(types)], Lines: true, MaxEntity: int64(limit & 0xfff)}
		want, err := archiveWalk(t, c, bytes.NewReader(src), string(src))
		if err != nil {
			t.Fatal(err)
		}
		var marks []Mark
		for b, err := range c.Batches("x", bytes.NewReader(src)) {
			if err != nil {
				t.Fatal(err)
			}
			marks = slices.AppendSeq(marks, b.Marks())
		}
		if len(marks) == 0 {
			return
		}
		m := marks[uint(which)%uint(len(marks))]
		if line := 1 + bytes.Count(src[:m.Offset], newline); m.Line != line {
			t.Fatalf("%+v is in line %d", m, line)
		}
		c.Begin = Mark{Line: 1}
		front, _ := archiveWalk(t, c, bytes.NewReader(src[:m.Offset]), string(src))
		c.Begin = m
		if m.Offset < int64(len(src)) {
			behind, _ := archiveWalk(t, c, bytes.NewReader(src[m.Offset:]), string(src))
			front = append(front, behind...)
		}
		if !slices.Equal(front, want) {
			t.Fatalf("cut at %+v:\n%q\nwant\n%q", m, front, want)
		}
	})
}

// A file is read into one buffer if its size is known; the result does not depend on that, or on the
// limit, or on where reading begins.
func TestHoldFile(t *testing.T) {
	src := []byte(strings.Repeat("0123456789abcdef", 3<<16))
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, src, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, from := range []int{0, 1000, windowSize, windowSize + 1} {
		for _, limit := range []int{len(src) - from - 1, len(src) - from, len(src)} {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			var held [2][]byte
			var errs [2]error
			for i, r := range []io.Reader{errorReader{r: f}, bytes.NewReader(src[from:])} {
				f.Seek(int64(from), io.SeekStart)
				buf := new(Config).buffer()
				n, err := io.ReadFull(r, buf)
				if err != nil {
					t.Fatal(err)
				}
				held[i], errs[i] = hold(r, buf, n, int64(limit))
				rest, _ := io.ReadAll(r)
				held[i] = append(bytes.Clone(held[i]), rest...)
			}
			f.Close()
			if !bytes.Equal(held[0], src[from:]) || !bytes.Equal(held[1], src[from:]) || errs[0] != errs[1] {
				t.Errorf("from %d, limit %d: %d and %d bytes, errors %v and %v", from, limit, len(held[0]), len(held[1]), errs[0], errs[1])
			}
		}
	}
}
