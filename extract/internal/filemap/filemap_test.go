//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filemap

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made returns an open file with n bytes that differ from their neighbours.
func made(t *testing.T, n int) (*os.File, []byte) {
	t.Helper()
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(i>>12 ^ i)
	}
	name := filepath.Join(t.TempDir(), "file")
	err := os.WriteFile(name, text, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, text
}

// Windows that overlap have the bytes of the file, wherever reads have stopped, and reads continue after them.
func TestNext(t *testing.T) {
	const size, window, back = 8<<20 + 777, 1 << 20, 1000
	f, text := made(t, size)
	_, err := io.ReadFull(f, make([]byte, 5000))
	if err != nil {
		t.Fatal(err)
	}
	m := New(f)
	at, was := 5000, []*Region(nil)
	for {
		r := m.Next(back, window)
		if r == nil {
			t.Fatalf("nothing is mapped at %d", at)
		}
		was = append(was, r)
		if from := at - back; !bytes.Equal(r.Buf, text[from:min(from+window, size)]) {
			t.Fatalf("other bytes at %d", from)
		}
		at += len(r.Buf) - back
		if r.Err != nil {
			break
		}
	}
	if at != size || was[len(was)-1].Err != io.EOF {
		t.Errorf("the last window ends at %d of %d", at, size)
	}
	if !bytes.Equal(was[0].Buf, text[4000:4000+window]) {
		t.Error("a window changes while others are mapped")
	}
	for _, r := range was {
		r.Close()
		if r.Buf != nil {
			t.Error("it can still be read")
		}
	}
	if m = m.End(); m != nil {
		t.Error("it has not ended")
	}
	n, err := f.Read(make([]byte, 1))
	if n != 0 || err != io.EOF {
		t.Errorf("behind the windows: %d, %v", n, err)
	}
}

// What need not or cannot be mapped is read.
func TestNextReads(t *testing.T) {
	var none *Map
	if none.Next(0, 1) != nil || none.End() != nil {
		t.Error("a nil Map maps")
	}
	none.Close()
	if New(strings.NewReader("x")) != nil {
		t.Error("a reader is mapped")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer errors.Join(r.Close(), w.Close())
	if New(r) != nil {
		t.Error("a pipe is mapped")
	}
	f, _ := made(t, 100)
	m := New(f)
	if m.Next(0, 101) != nil {
		t.Error("a file that is smaller than a window is mapped")
	}
	f.Close()
	if New(f) != nil || m.Next(0, 50) != nil {
		t.Error("a closed file is mapped")
	}
	// A file that has become longer is read at its end.
	f, _ = made(t, 3000)
	m = New(f)
	first := m.Next(0, 2000)
	long, err := os.OpenFile(f.Name(), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = long.WriteString("more")
	}
	if err := errors.Join(err, long.Close()); err != nil {
		t.Fatal(err)
	}
	if len(first.Buf) != 2000 || m.Next(0, 2000) != nil {
		t.Error("the end of a longer file is mapped")
	}
	first.Close()
	m.End()
	rest, err := io.ReadAll(f)
	if err != nil || len(rest) != 1004 || !strings.HasSuffix(string(rest), "more") {
		t.Errorf("%d bytes are left, %v", len(rest), err)
	}
}

// Memory of a file that has become shorter is an error about the file, once.
func TestGuard(t *testing.T) {
	f, _ := made(t, 1<<20)
	m := New(f)
	r := m.Next(0, 512<<10)
	sum := 0
	read := func() {
		for _, c := range r.Buf {
			sum += int(c)
		}
	}
	err := r.Guard(read)
	if err != nil || sum == 0 {
		t.Fatal(err)
	}
	err = os.Truncate(f.Name(), 100)
	if err != nil {
		t.Fatal(err)
	}
	err = r.Guard(read)
	if !errors.Is(err, ErrShorter) || !strings.Contains(err.Error(), f.Name()) {
		t.Error(err)
	}
	err = r.Guard(read)
	if err != io.EOF {
		t.Errorf("the second time: %v", err)
	}
	// Other panics are not about the file.
	for _, r := range []*Region{r, nil} {
		func() {
			defer func() {
				if v := recover(); v != "other" {
					t.Errorf("recovered %v", v)
				}
			}()
			r.Guard(func() { panic("other") })
		}()
	}
	r.Close()
	if r.IsFault(nil) {
		t.Error("a closed region has faults")
	}
	m.Close()
}
