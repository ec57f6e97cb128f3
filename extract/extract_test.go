package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html/charset"

	"example.org/refract/base"
	"example.org/refract/extract/internal/escape"
	"example.org/refract/internal/testing/scantest"
	"example.org/refract/resolve"
)

// walk renders what c finds in r, an element a reference.
func walk(c *Config, r io.Reader) (list []string, err error) {
	for ref, rerr := range c.Walk("x", r) {
		if rerr != nil {
			return list, rerr
		}
		list = append(list, render(ref))
	}
	return list, nil
}

func render(r *Reference) string {
	return fmt.Sprintf("%d+%d %d:%d %v %s %s %q %s", r.Pos.Offset, r.Pos.Length, r.Pos.Line, r.Pos.Column, r.Pos.Exact, r.How, r.URL, r.Raw, r.Alternatives)
}

const letter = `Yes, Jim, I found it under "http://www.w3.org/Addressing/",
but you can probably pick it up from <ftp://ds.internic.
net/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/
ietf/uri/historical.html#WARNING>, or <URL:../x>, <http://a-
b>, www.example.org/é and http://ü.example/.
`

func TestWalk(t *testing.T) {
	got, err := walk(&Config{Lines: true, Default: base.Source{URI: "http://h/d/e"}}, strings.NewReader(letter))
	want := []string{
		`28+29 1:29 true quoted http://www.w3.org/Addressing/ "http://www.w3.org/Addressing/" []`,
		`98+27 2:39 true angle ftp://ds.internic.net/rfc/ "ftp://ds.internic.\nnet/rfc/" []`,
		`150+60 3:34 true angle http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING "http://www.ics.uci.edu/pub/\nietf/uri/historical.html#WARNING" []`,
		`221+4 4:44 true angle http://h/x "../x" []`,
		`229+11 4:52 true angle http://a-b "http://a-\nb" [http://ab]`,
		`243+18 5:5 true bare http://www.example.org/%C3%A9 "www.example.org/é" []`,
		`266+18 5:28 true bare http://xn--tda.example/ "http://ü.example/" []`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("error %v, got\n%s", err, strings.Join(got, "\n"))
	}
}

// The same text through readers that give little at a time is the same text.
func TestReaders(t *testing.T) {
	long := strings.Repeat(letter+strings.Repeat("x ", 900), 700) // 1.4 MB: two windows
	sizes := []int{1, 2, 3, 7, 4096}
	for _, text := range []string{letter, long} {
		c := &Config{Lines: true}
		want, _ := walk(c, strings.NewReader(text))
		if text == long && !scantest.IsLong() {
			sizes = []int{7}
		}
		for _, n := range sizes {
			got, err := walk(c, &slowReader{strings.NewReader(text), n})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d bytes at a time: %d references, want %d; %v", n, len(got), len(want), err)
			}
		}
		if got, err := walk(c, iotest.DataErrReader(strings.NewReader(text))); err != nil || !slices.Equal(got, want) {
			t.Error("data with the end:", err)
		}
	}
}

type slowReader struct {
	r io.Reader
	n int
}

func (s *slowReader) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.n)]) }

// Where windows end makes no difference, nor whether they are walked in advance.
func TestBatches(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "%s> <http://a/%d\n> b> \"http://q/\n  %d\" http://%s,http://c\n", letter, i, i, strings.Repeat("d", i))
	}
	b.WriteString("http://" + strings.Repeat("e", 100<<10) + "http://f x http://g/ " + strings.Repeat("http://h/,", 9000))
	text := b.String()
	want, err := walk(&Config{Lines: true}, strings.NewReader(text))
	if err != nil || len(want) < 9000 {
		t.Fatal(err, len(want))
	}
	for _, window := range []int{499, 1777, 5000, 33333, 100003} {
		c := &Config{Lines: true, window: window}
		if got, _ := walk(c, strings.NewReader(text)); !slices.Equal(got, want) {
			t.Fatalf("window %d: %d references, want %d", window, len(got), len(want))
		}
		var got []string
		for b := range c.Batches("x", strings.NewReader(text)) {
			prev := b.detach()
			var found []string
			for ref := range b.References() {
				found = append(found, render(ref))
			}
			if b.redo(prev) {
				found = nil
				for ref := range b.References() {
					found = append(found, render(ref))
				}
			}
			got = append(got, found...)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("window %d, in advance: %d references, want %d", window, len(got), len(want))
		}
	}
}

// Positions lead back to the bytes of the input, whatever its charset.
func TestCharsets(t *testing.T) {
	const text = "Привет, мир: http://h/a\n" +
		"日本語 <http://h/b\nc>。 \"http://h/d\" é\r\n" +
		"日本 http://h/путь 語\n"
	for _, tt := range []struct {
		label, text string
		sniffed     bool
		inexact     int // of the references
	}{
		{"utf-8", text, true, 0},
		{"utf-16le", "\ufeff" + text, true, 0},
		{"utf-16be", "\ufeff" + text, true, 0},
		{"utf-16le", "see http://h/a and\n http://h/b", true, 0},
		{"utf-16be", "see http://h/a and\n http://h/b", true, 0},
		{"utf-16le", text, false, 0},
		{"koi8-r", "Привет: http://h/a\nhttp://h/путь мир", false, 0},
		{"windows-1252", "é “http://h/a” http://h/é\n<http://h/b\nc>", false, 0},
		{"shift_jis", "日本 http://h/a\n語 http://h/b", false, 0},
		{"euc-jp", "日本 http://h/a\n語 http://h/b", false, 0},
		{"gb18030", text, false, 0},
		{"big5", "中文 http://h/a\n文 http://h/b", false, 0},
		{"iso-2022-jp", "日本 http://h/a\n語 http://h/日本 x", false, 1},
	} {
		enc, _ := charset.Lookup(tt.label)
		raw, err := enc.NewEncoder().Bytes([]byte(tt.text))
		if err != nil {
			t.Fatal(tt.label, err)
		}
		c := &Config{Lines: true, IRI: true, Type: "text/plain; charset=" + tt.label}
		if tt.sniffed {
			c.Type = ""
		}
		plain, _ := walk(&Config{IRI: true}, strings.NewReader(tt.text))
		for _, window := range []int{0, 1, 50} {
			c.window = window
			n := 0
			for ref, err := range c.Walk("x", bytes.NewReader(raw)) {
				if err != nil {
					t.Fatal(tt.label, err)
				}
				n++
				p := ref.Pos
				written := raw[p.Offset : p.Offset+int64(p.Length)]
				decoded, _ := enc.NewDecoder().Bytes(written)
				if p.Exact && string(decoded) != string(ref.Raw) {
					t.Errorf("%s: bytes %d+%d decode to %q, not %q", tt.label, p.Offset, p.Length, decoded, ref.Raw)
				}
				if !p.Exact {
					tt.inexact--
				}
				// By the definition: lines of the decoded text, columns of the input.
				before, _ := enc.NewDecoder().Bytes(raw[:p.Offset])
				line := 1 + bytes.Count(before, newline)
				start := 0
				if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
					head, _ := enc.NewEncoder().Bytes(before[:i+1])
					start = len(head)
				}
				if tt.label == "iso-2022-jp" {
					continue // its lines do not begin where an encoder would begin them
				}
				if p.Line != line || p.Column != int(p.Offset)-start+1 {
					t.Errorf("%s: %q at %d:%d, want %d:%d", tt.label, ref.Raw, p.Line, p.Column, line, int(p.Offset)-start+1)
				}
			}
			if n != len(plain) || n == 0 {
				t.Errorf("%s: %d references, want %d", tt.label, n, len(plain))
			}
			if window == 0 && tt.inexact != 0 {
				t.Errorf("%s: %d fewer references are inexact", tt.label, tt.inexact)
			}
		}
	}
}

func TestDetect(t *testing.T) {
	for _, tt := range []struct{ name, head, mediaType, charset string }{
		{"x", "", "text/plain", ""},
		{"x", "plain \xff\xe9", "text/plain", ""},
		{"x", "\xef\xbb\xbfx", "text/plain", ""},
		{"x", "\xff\xfea\x00", "text/plain", "utf-16le"},
		{"x", "\xfe\xff\x00a", "text/plain", "utf-16be"},
		{"x", "h\x00e\x00l\x00l\x00o\x00", "text/plain", "utf-16le"},
		{"x", "\x00h\x00e\x00l\x00l\x00o", "text/plain", "utf-16be"},
		{"x", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "application/octet-stream", ""},
		{"x.EML", "Subject: a\x00\x01\x02b", "message/rfc822", ""},
		{"a/x.html", "\xff\xfe<\x00", "text/html", "utf-16le"},
	} {
		if mt, cs := (&Config{}).detect(tt.name, []byte(tt.head)); mt != tt.mediaType || cs != tt.charset {
			t.Errorf("%s %q: %s, %q", tt.name, tt.head, mt, cs)
		}
	}
	binary := "\x00\x01\x02http://h/\x00"
	if got, _ := walk(&Config{SkipBinary: true}, strings.NewReader(binary)); got != nil {
		t.Errorf("binary: %q", got)
	}
	if got, _ := walk(&Config{}, strings.NewReader(binary)); len(got) != 1 {
		t.Errorf("binary that is asked for: %q", got)
	}
}

func TestBadType(t *testing.T) {
	for _, s := range []string{"text/plain; charset=nope", "text/plain; charset=iso-2022-kr", "/"} {
		_, err := walk(&Config{Type: s}, strings.NewReader("x"))
		if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("extract: Type %q: ", s)) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestError(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader("http://h/a http://h/b"), iotest.ErrReader(broken))
	got, err := walk(&Config{}, r)
	if len(got) != 2 || err != broken {
		t.Errorf("%q, %v", got, err)
	}
	r = io.MultiReader(strings.NewReader("\xff\xfeh\x00"), iotest.ErrReader(broken))
	if _, err := walk(&Config{}, r); err != broken {
		t.Error(err)
	}
}

// A loop may be left anywhere.
func TestBreak(t *testing.T) {
	text := strings.Repeat(letter, 20)
	c := &Config{window: 300}
	all, _ := walk(c, strings.NewReader(text))
	for stop := range all {
		n := 0
		for range c.Walk("x", strings.NewReader(text)) {
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Fatal(n, stop)
		}
	}
}

func TestClone(t *testing.T) {
	var kept []*Reference
	var want []string
	for ref := range (&Config{}).Walk("x", strings.NewReader(letter)) {
		kept, want = append(kept, ref.Clone()), append(want, render(ref))
	}
	for i, ref := range kept {
		if got := render(ref); got != want[i] {
			t.Errorf("got %s, want %s", got, want[i])
		}
	}
}

// All returns references that differ, with everything that they point to.
func TestAll(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c := Config{Details: true, Cite: true, Records: true, Robots: true, ParserDifferences: true, Lines: true, Exhaustive: true, Scripts: true}
		var want []string
		for ref := range c.Walk(name, bytes.NewReader(text)) {
			want = append(want, everything(t, ref))
		}
		all, err := All(c.Walk(name, bytes.NewReader(text)))
		if err != nil || len(all) != len(want) {
			t.Fatalf("%s: %d of %d, %v", name, len(all), len(want), err)
		}
		for i, ref := range all {
			if got := everything(t, ref); got != want[i] {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got, want[i])
			}
		}
		n += len(all)
	}
	if n < 50 {
		t.Errorf("%d references", n)
	}
	broken := errors.New("broken")
	all, err := All(new(Config).Walk("a", io.MultiReader(strings.NewReader("http://h/a http://h/b "), iotest.ErrReader(broken))))
	if err != broken || len(all) != 2 || string(all[0].URL) != "http://h/a" {
		t.Errorf("%v %v", all, err)
	}
}

// everything writes a reference with all that its fields point to.
func everything(t *testing.T, r *Reference) string {
	t.Helper()
	c := *r
	c.Err, c.Ranges = nil, append([]Position(nil), r.Ranges...)
	text, err := json.Marshal(&c)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(string(text), r.Err)
}

// Section 5.1: the URL of retrieval before the default, none without either, and a
// base that is not absolute is a note and counts as absent.
func TestBases(t *testing.T) {
	for _, tt := range []struct{ retrieved, deflt, want, note string }{
		{"http://r/a/b", "http://d/", "http://r/x retrieval", ""},
		{"", "http://d/", "http://d/x default", ""},
		{"r/", "http://d/", "http://d/x default", `base: --url "r/": not absolute`},
		{"", "", " none no base", ""},
		{"mailto:a@b", "", " retrieval base: --url: unsuitable base: mailto", ""},
	} {
		var notes []string
		c := &Config{
			Retrieved: base.Source{URI: tt.retrieved, From: "--url"}, Default: base.Source{URI: tt.deflt, From: "--base"},
			Note: func(n *Note) { notes = append(notes, n.Text) },
		}
		for ref := range c.Walk("x", strings.NewReader("<URL:../../x>")) {
			got := fmt.Sprintf("%s %s", ref.URL, ref.Base.Layer)
			if ref.Err != nil {
				if ref.URL != nil {
					t.Error("a URL and an error")
				}
				got += " " + ref.Err.Error()
			}
			if !strings.HasPrefix(got, strings.TrimSuffix(tt.want, ": mailto")) && !errors.Is(ref.Err, base.ErrUnsuitable) {
				t.Errorf("%+v: got %q", tt, got)
			}
		}
		if strings.Join(notes, "; ") != tt.note {
			t.Errorf("notes %q, want %q", notes, tt.note)
		}
	}
}

func TestRules(t *testing.T) {
	draft, _ := resolve.RulesNamed("draft")
	c := &Config{Rules: draft, Default: base.Source{URI: "http://h/a/b"}}
	for ref := range c.Walk("x", strings.NewReader("<URL:#s>")) {
		if ref.URL != nil || string(ref.Fragment) != "#s" || !ref.Result.SameDocument() {
			t.Errorf("%+v", ref)
		}
	}
	c.Rules.AboveRoot = resolve.FailAboveRoot
	for ref := range c.Walk("x", strings.NewReader("<URL:../../../s>")) {
		if ref.URL != nil || ref.Err == nil {
			t.Errorf("%+v", ref)
		}
	}
}

func TestTooLongIsANote(t *testing.T) {
	var notes []Note
	c := &Config{Lines: true, Note: func(n *Note) { notes = append(notes, *n) }}
	got, _ := walk(c, strings.NewReader("\n x http://"+strings.Repeat("a", 3<<20)+" http://h/"))
	if len(got) != 1 || len(notes) != 1 || notes[0].Pos.Line != 2 || notes[0].Pos.Column != 4 {
		t.Errorf("%.200q %v", got, notes)
	}
}

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"http://h/a?b#c", ""},
		{"http://h/%41%zz%4", "http://h/%41%25zz%254"},
		{"http://h/a#b#c", "http://h/a#b%23c"},
		{"http://h/a b\"<>{}|\\^`[]", "http://h/a%20b%22%3C%3E%7B%7D%7C%5C%5E%60%5B%5D"},
		{"http://h/?[é]#[é]", "http://h/?%5B%C3%A9%5D#%5B%C3%A9%5D"},
		{"http://h/\xe9\x00\x7f", "http://h/%E9%00%7F"},
		{"http://u@bücher.example:80/", "http://u@xn--bcher-kva.example:80/"},
		{"http://BÜCHER.example/", "http://xn--bcher-kva.example/"},
		{"http://[::1]:80/", ""},
		{"http://[v1.a]/[", "http://[v1.a]/%5B"},
		{"mailto:a b@c", "mailto:a%20b@c"},
		{"http://a b/", "!"}, {"http://a[b]/", "!"}, {"http://%zz/", "!"}, {"http://é@h/", "!"}, {"http://a\\b/é", "!http://a\\b/%C3%A9"},
		{"http://[::1/", "!"},
	} {
		got, valid := escape.URL(nil, []byte(tt.url), false)
		want, bad := strings.CutPrefix(tt.want, "!")
		if want == "" {
			want = tt.url
		}
		if string(got) != want || valid == bad {
			t.Errorf("%q: got %q, %v", tt.url, got, valid)
		}
		if again, _ := escape.URL(nil, got, false); !bytes.Equal(again, got) {
			t.Errorf("%q: escaped twice it is %q", tt.url, again)
		}
	}
	for url, want := range map[string]string{
		"http://bücher.example/é?é#é": "http://bücher.example/é?é#é",
		"http://h/é \xe9":             "http://h/é%20%E9",
	} {
		if got, valid := escape.URL(nil, []byte(url), true); string(got) != want || !valid {
			t.Errorf("%q: got %q", url, got)
		}
	}
}

func FuzzWalk(f *testing.F) {
	f.Add([]byte(letter), 3, "")
	f.Add([]byte("\xff\xfeh\x00t\x00t\x00p\x00:\x00/\x00/\x00h\x00"), 1, "")
	f.Add([]byte("\x1b$B%F%9%H\x1b(B http://h/a"), 9, "iso-2022-jp")
	f.Add([]byte("http://h/\x82\xa0 http://h/"), 9, "shift_jis")
	f.Fuzz(func(t *testing.T, src []byte, window int, label string) {
		c := &Config{Lines: true, Type: "text/plain; charset=" + label}
		if enc, _ := charset.Lookup(label); enc == nil {
			c.Type = ""
		}
		want, err := walk(c, bytes.NewReader(src))
		if err != nil {
			return // a charset that is not to be had
		}
		for ref := range c.Walk("x", bytes.NewReader(src)) {
			p := ref.Pos
			if p.Offset < 0 || p.Offset+int64(p.Length) > int64(len(src)) || p.Line < 1 || p.Column < 1 {
				t.Fatalf("position %+v of %d bytes", p, len(src))
			}
			if bytes.ContainsAny(ref.URL, " <>\"\n\x00") && !ref.InvalidAuthority {
				t.Fatalf("URL %q", ref.URL)
			}
		}
		c.window = 1 + window&255
		if got, _ := walk(c, bytes.NewReader(src)); !slices.Equal(got, want) {
			t.Fatalf("window %d: %q, want %q", c.window, got, want)
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	src := strings.Repeat(letter+strings.Repeat("It was the best of times, it was the worst of times.\n", 10), 5000)
	for _, lines := range []bool{false, true} {
		b.Run(fmt.Sprintf("lines=%v", lines), func(b *testing.B) {
			c := &Config{Lines: lines}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				for range c.Walk("x", strings.NewReader(src)) {
				}
			}
		})
	}
}

// A log of 4 GB runs in bounded memory.
func TestHuge(t *testing.T) {
	scantest.Long(t, "4 GB")
	scantest.CollectAsUsual(t)
	line := "2026-01-02 03:04:05 GET http://www.example.org/a/b?c=d 200 \"http://h/\" " + strings.Repeat("x", 1000) + "\n"
	block := bytes.Repeat([]byte(line), 1000)
	size := int64(4 << 30)
	var before, m runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for ref, err := range (&Config{Lines: true}).Walk("log", io.LimitReader(&cycle{block: block}, size)) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if ref.Pos.Line != (n+1)/2 {
			t.Fatalf("reference %d at line %d", n, ref.Pos.Line)
		}
	}
	runtime.ReadMemStats(&m)
	t.Logf("%d references, %d MiB, %d MiB before", n, m.Sys>>20, before.Sys>>20)
	if m.Sys > before.Sys+64<<20 {
		t.Error("more than 64 MiB")
	}
}

// cycle reads block again and again.
type cycle struct {
	block []byte
	at    int
}

func (c *cycle) Read(p []byte) (int, error) {
	n := copy(p, c.block[c.at:])
	c.at = (c.at + n) % len(c.block)
	return n, nil
}
