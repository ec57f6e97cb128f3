package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/refract/base"
)

// parcel is a Container as an importing program defines it: "PARCEL\n", then members, each with a
// line of its name, type and size. The size "bad" is an error, the name "closed" fails to open.
var parcel = Container{
	Types: []string{"application/x-parcel"}, Suffixes: []string{".parcel"}, Alias: "parcel",
	Sniff: func(head []byte) bool { return bytes.HasPrefix(head, []byte("PARCEL\n")) },
	Members: func(r io.ReaderAt, size int64, limits Limits) iter.Seq2[Member, error] {
		return func(yield func(Member, error) bool) {
			src := make([]byte, size)
			if _, err := r.ReadAt(src, 0); err != nil && err != io.EOF {
				yield(Member{}, err)
				return
			}
			src = src[min(len(src), len("PARCEL\n")):]
			for len(src) > 0 {
				line, rest, _ := bytes.Cut(src, []byte("\n"))
				fields := strings.Split(string(line), " ")
				n, err := strconv.Atoi(fields[len(fields)-1])
				if err != nil {
					yield(Member{}, errors.New("parcel: bad member"))
					return
				}
				body := rest[:min(n, len(rest))]
				src = rest[len(body):]
				m := Member{Name: fields[0], Open: func() (io.Reader, error) {
					if fields[0] == "closed" {
						return nil, errors.New("locked")
					}
					return bytes.NewReader(body), nil
				}}
				if len(fields) > 2 {
					m.Type = fields[1]
				}
				if !yield(m, nil) {
					return
				}
			}
		}
	},
}

func pack(members ...string) string {
	s := "PARCEL\n"
	for i := 0; i+1 < len(members); i += 2 {
		s += fmt.Sprintf("%s %d\n%s", members[i], len(members[i+1]), members[i+1])
	}
	return s
}

// members walks a container: member, path, line and column, and URL of each reference, and notes.
func members(c Config, r io.Reader) (got []string, err error) {
	c.Containers, c.Lines = []Container{parcel}, true
	c.Note = func(n *Note) { got = append(got, "! "+n.Text) }
	for r, err := range c.Walk("x.parcel", r) {
		if err != nil {
			return got, err
		}
		got = append(got, fmt.Sprintf("%s:%s:%d:%d %s", r.Member(), r.Entity.Path(), r.Pos.Line, r.Pos.Column, r.URL))
	}
	return got, nil
}

func TestContainer(t *testing.T) {
	src := pack(
		"a.txt", "x\nsee http://h/1",
		"b.html", "<a href=y>",
		"p.png", "\x89PNG\x00\x00\x01\x02http://h/png",
		"c text/html", "<a href=z>",
		"m.eml", "A: b\n\nhttp://h/2\n",
		"in.parcel", pack("d.md", "\n[a](/w)"),
		"a.mbox", "From a@b Tue Apr  1 09:28:56 1997\nA: b\n\nhttp://h/3\n",
	)
	want := []string{
		"a.txt::2:5 http://h/1", "b.html::1:9 http://r/y", `! a binary file ("p.png"): not read`, "c::1:9 http://r/z", "m.eml:1:3:1 http://h/2",
		"d.md::2:5 http://r/w", "a.mbox:1:4:1 http://h/3",
	}
	c := Config{Retrieved: base.Source{URI: "http://r/p", From: "--url"}}
	if got, err := members(c, strings.NewReader(src)); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	// A file is read where it is, from where its reader stands.
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, []byte("12345"+src), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(5, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	c.MaxEntity = 100 // of an entity, not of the container
	if got, err := members(c, f); err != nil || !slices.Equal(got, want) {
		t.Errorf("file: got %q, %v", got, err)
	}
}

func TestContainerErrors(t *testing.T) {
	for _, tt := range []struct {
		src  string
		max  int64
		want []string
		err  string
	}{
		{pack("closed", "x", "a", "http://h/1"), 0, []string{"! locked", "a::1:1 http://h/1"}, ""},
		{pack("a", "http://h/1") + "b bad\n", 0, []string{"a::1:1 http://h/1"}, "parcel: bad member"},
		{pack("a b;c", "x", "d", "http://h/1"), 0, []string{`! extract: type "b;c": mime: invalid media parameter`, "d::1:1 http://h/1"}, ""},
		{pack("a", strings.Repeat("http://h/1 ", 20)), 100, []string{"! a container of more than 100 bytes that is not a file: not read"}, ""},
		{"PARCEL\n", 0, nil, ""},
	} {
		got, err := members(Config{MaxEntity: tt.max, window: 50}, strings.NewReader(tt.src))
		if !slices.Equal(got, tt.want) || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%q: got %q, %v\nwant %q, %s", tt.src, got, err, tt.want, tt.err)
		}
	}
	deep := pack("a", "http://h/1")
	for range maxParts + 1 {
		deep = pack("x.parcel", deep)
	}
	if got, err := members(Config{}, strings.NewReader(deep)); err != nil || len(got) != 1 || !strings.Contains(got[0], "deep: not read") {
		t.Errorf("deep: got %q, %v", got, err)
	}
	// An endless member uses up the limit for all members; later ones are not read.
	endless := parcel
	endless.Members = func(io.ReaderAt, int64, Limits) iter.Seq2[Member, error] {
		return func(yield func(Member, error) bool) {
			for range 3 {
				if !yield(Member{Name: "a", Open: func() (io.Reader, error) { return zeros{}, nil }}, nil) {
					return
				}
			}
		}
	}
	var notes []string
	c := Config{Containers: []Container{endless}, Note: func(n *Note) { notes = append(notes, n.Text) }}
	for _, err := range c.Walk("x.parcel", strings.NewReader("x")) {
		t.Fatal(err)
	}
	if len(notes) != 2 || !strings.Contains(notes[1], "than are read") {
		t.Errorf("endless: notes %q", notes)
	}
}

// zeros reads spaces without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// Breaking stops at once, at any reference.
func TestContainerBreak(t *testing.T) {
	src := pack("a", "http://h/1 http://h/2", "closed", "", "b", "http://h/3")
	for stop := range 4 {
		n := 0
		c := Config{Containers: []Container{parcel}}
		for range c.Walk("x.parcel", strings.NewReader(src)) {
			if n == stop {
				break
			}
			n++
		}
		if n != min(stop, 3) {
			t.Errorf("%d references, want %d", n, stop)
		}
	}
}

// Only the first piece of a container begins a new input.
func TestContainerFirst(t *testing.T) {
	c := Config{Containers: []Container{parcel}}
	first := 0
	for b, err := range c.Batches("x.parcel", strings.NewReader(pack("a", "x", "b.mbox", "From a", "c.md", "y"))) {
		if err != nil {
			t.Fatal(err)
		}
		if b.First() {
			first++
		}
		b.Release()
	}
	if first != 1 {
		t.Errorf("%d pieces are the first", first)
	}
}
