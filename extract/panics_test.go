package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/scan"
)

// panicInputs are inputs of all kinds, each with several entities.
var panicInputs = []struct{ name, src string }{
	{"x.txt", "see http://a/ and <http://b/\nc> and http://d/"},
	{"x.html", "<base href=http://h/><a href=a>x</a><style>b{c:url(d)}</style><iframe srcdoc='<a href=e>'></iframe>"},
	{"x.xml", "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h/'><link href='a'/><entry><link href='b'/></entry></feed>"},
	{"x.css", "a{b:url(http://h/c)} d{e:url(http://h/f)}"},
	{"x.md", "[a](http://h/b) <a href=http://h/c>x</a>\n\n[d]: http://h/e\n"},
	{"x.eml", "From: a@b\nContent-Base: http://h/\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a/ http://b/\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj14PjxhIGhyZWY9eT4=\n--b--\n"},
	{"x.mbox", strings.Repeat("From a@b Tue Apr  1 09:28:56 1997\nFrom: a@b\n\nhttp://h/1 http://h/2\n\nFrom a@b Tue Apr  1 09:28:56 1997\nFrom: a@b\nContent-Type: text/html\n\n<a href=http://h/3>x</a>\n\n", 3)},
	{"x.warc", strings.Repeat(warcPage("<a href=a>x</a><a href=b>y</a>"), 4)},
}

func warcPage(page string) string {
	http := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <l>\r\n\r\n" + page
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(http), http)
}

// A panic of any scanner, at any Item, costs the rest of one entity, and is reported. What has
// panicked is not used again.
func TestPanics(t *testing.T) {
	defer func() { onItem = nil }()
	for _, in := range panicInputs {
		c := &Config{Lines: true, Cite: true}
		c.Type, _ = c.typeOfName(in.name)
		all, err := walk(c, strings.NewReader(in.src))
		if err != nil || len(all) == 0 {
			t.Fatal(in.name, err, all)
		}
		items := 0
		onItem = func(*scan.Item) { items++ }
		walk(c, strings.NewReader(in.src))
		for at := range items {
			var notes []string
			c.Note = func(n *Note) {
				if n.Code == scan.CodeInternal {
					notes = append(notes, n.Text)
				}
			}
			n := 0
			onItem = func(*scan.Item) {
				if n++; n == at+1 {
					panic("broken")
				}
			}
			got, err := walk(c, strings.NewReader(in.src))
			c.Note = nil
			var p *PanicError
			if !errors.As(err, &p) || p.Value != "broken" || !strings.Contains(p.Where, "TestPanics") || len(notes) != 1 || len(p.Stack) == 0 {
				t.Fatalf("%s, Item %d: %v, %q", in.name, at, err, notes)
			}
			if p.Pos.Offset < 0 || p.Pos.Offset > int64(len(in.src)) {
				t.Errorf("%s, Item %d: at byte %d", in.name, at, p.Pos.Offset)
			}
			most := len(all)
			if in.name == "x.mbox" || in.name == "x.warc" {
				most = 3 // of one message or record
			}
			if lost := missing(all, got); lost < 0 || lost > most {
				t.Errorf("%s, Item %d: %q of %q", in.name, at, got, all)
			}
			onItem = nil
			if again, err := walk(c, strings.NewReader(in.src)); err != nil || !slices.Equal(again, all) {
				t.Fatalf("%s, after a panic at Item %d: %q, %v, want %q", in.name, at, again, err, all)
			}
		}
	}
}

// missing returns how many of all are not in got, and -1 if got has others.
func missing(all, got []string) int {
	i := 0
	for _, s := range all {
		if i < len(got) && got[i] == s {
			i++
		}
	}
	if i < len(got) {
		return -1
	}
	return len(all) - len(got)
}

// panicking is a Format of an importer that panics after the first Item if the document says so.
func panicking(mediaType string) Format {
	return Format{Types: []string{mediaType}, Scan: func(src []byte, _ *Config, _ Context) iter.Seq[*scan.Item] {
		return func(yield func(*scan.Item) bool) {
			it := scan.Item{Op: scan.Ref, Span: scan.Span{Start: 0, End: 1}, Value: []byte("http://first/")}
			if !yield(&it) {
				return
			}
			if bytes.Contains(src, []byte("panic")) {
				panic(io.ErrUnexpectedEOF)
			}
			it.Value = []byte("http://last/")
			yield(&it)
		}
	}}
}

// The panic of an importer's Format is the last element of Walk, with what was being read and where.
func TestPanicOfFormat(t *testing.T) {
	mail := func(body string) string {
		return "From a@b Tue Apr  1 09:28:56 1997\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/x\n\n" + body + "\n--b--\n\n"
	}
	src := mail("fine") + mail("panic") + mail("fine")
	c := &Config{Formats: []Format{panicking("text/x")}}
	var urls []string
	var last error
	for r, err := range c.Walk("x.mbox", strings.NewReader(src)) {
		if err != nil {
			last = err
			continue
		}
		urls = append(urls, string(r.URL))
	}
	if got := strings.Join(urls, " "); got != "http://first/ http://last/ http://first/ http://first/ http://last/" {
		t.Error(got)
	}
	var p *PanicError
	if !errors.As(last, &p) || !errors.Is(last, io.ErrUnexpectedEOF) {
		t.Fatal(last)
	}
	if p.Entity.Type != "text/x" || p.Entity.Path() != "1" || p.Pos.Offset != int64(strings.Index(src, "panic")) {
		t.Errorf("in %q, part %q, at %d", p.Entity.Type, p.Entity.Path(), p.Pos.Offset)
	}
	if want := fmt.Sprintf("internal error: part 1: at byte %d: unexpected EOF, in extract.", p.Pos.Offset); !strings.HasPrefix(last.Error(), want) {
		t.Errorf("%v, want %s…", last, want)
	}
	for _, jobs := range []int{1, 4} {
		var out bytes.Buffer
		err := c.WalkParallel(&out, "x.mbox", strings.NewReader(src), jobs, renderLines)
		if !errors.As(err, &p) || strings.Count(out.String(), "\n") != 5 {
			t.Errorf("%d jobs: %v, %q", jobs, err, &out)
		}
	}
}

// A panic where an input is cut is an error of the input, and one of the caller is left alone.
func TestPanicElsewhere(t *testing.T) {
	broken := &Config{Containers: []Container{{Types: []string{"application/x"}, Members: func(io.ReaderAt, int64, Limits) iter.Seq2[Member, error] {
		return func(func(Member, error) bool) { panic("members") }
	}}}, Type: "application/x"}
	_, err := walk(broken, strings.NewReader("x"))
	var p *PanicError
	if !errors.As(err, &p) || p.Value != "members" {
		t.Error(err)
	}
	own := func(f func(c *Config)) (value any) {
		defer func() { value = recover() }()
		f(&Config{Type: "text/html", Lines: true})
		return nil
	}
	for name, f := range map[string]func(c *Config){
		"the body of a loop": func(c *Config) {
			for range c.Walk("x", strings.NewReader("<a href=http://h/>")) {
				panic("own")
			}
		},
		"Note": func(c *Config) {
			c.Note = func(*Note) { panic("own") }
			walk(c, strings.NewReader("<base href=a><base href=b>"))
		},
		"Anchor": func(c *Config) {
			c.Anchor = func(*Anchor) { panic("own") }
			walk(c, strings.NewReader("<a id=x>"))
		},
	} {
		if v := own(f); v != "own" {
			t.Errorf("%s: recovered %v", name, v)
		}
	}
}

// Once CountOnly is set, the References of the entity are only counted; those of the next are whole.
func TestCountOnly(t *testing.T) {
	src := strings.Repeat("From a@b Tue Apr  1 09:28:56 1997\nFrom: x\n\nhttp://h/1 http://h/2 http://h/3\n\n", 3)
	c := &Config{}
	var got []string
	for b, err := range c.Batches("x.mbox", strings.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		b.Begin = func(size int64) { got = append(got, fmt.Sprint(size)) }
		for r := range b.References() {
			got = append(got, fmt.Sprintf("%s=%s", r.Ref, r.URL))
			b.CountOnly = true
		}
	}
	one := "42 http://h/1=http://h/1 http://h/2= http://h/3="
	if s := strings.Join(got, " "); s != strings.Join([]string{one, one, one}, " ") {
		t.Error(s)
	}
}
