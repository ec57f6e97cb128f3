package input

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// What is written to a pipe can be read before more is written; afterwards, everything has been read.
func TestLive(t *testing.T) {
	old := os.Stdin
	defer func() { os.Stdin = old }()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdin = in
	io.WriteString(out, "# a\nb\n")
	r, err := Open("-")
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 100)
	if n, err := r.Read(buf); string(buf[:n]) != "# a\nb\n" || err != nil {
		t.Errorf("%q, %v", buf[:n], err)
	}
	if r.(interface{ Ready() bool }).Ready() {
		t.Error("ready before anything is written")
	}
	want := bytes.Repeat([]byte("0123456789\n"), 300_000)
	go func() {
		out.Write(want)
		out.Close()
	}()
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
	}
	for range 2 {
		if n, err := r.Read(buf); n != 0 || err != io.EOF {
			t.Errorf("at the end: %d, %v", n, err)
		}
	}
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
}

func TestLiveError(t *testing.T) {
	cause := errors.New("cause")
	text := strings.Repeat("x", 100_000)
	l := newLive("name", []byte("head "), io.MultiReader(strings.NewReader(text), iotest.ErrReader(cause)), io.NopCloser(nil))
	got, err := io.ReadAll(l)
	if string(got) != "head "+text || !errors.Is(err, cause) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, again := l.Read(make([]byte, 1)); !errors.Is(again, cause) || !l.Ready() {
		t.Errorf("then %v, ready %t", again, l.Ready())
	}
}
