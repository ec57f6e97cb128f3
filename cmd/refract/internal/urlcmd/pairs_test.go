package urlcmd

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"example.org/refract/extract"
)

// Results do not depend on which bases were prepared before, and the memory for bases is bounded.
func TestPreparedBases(t *testing.T) {
	cached := &resolver{cfg: new(extract.Config)}
	long := strings.Repeat("x", 100<<10)
	for i := range 500 {
		uri := fmt.Sprintf("http://h%d/%s/a?b", i%7, long[:(i%5)*25<<10])
		if i%3 == 0 {
			uri = fmt.Sprintf("http://h%d/a/b", i%2)
		}
		cached.setBase([]byte(uri))
		got, _ := cached.base.Append(nil, []byte("../c"))
		fresh := &resolver{cfg: new(extract.Config)}
		fresh.setBase([]byte(uri))
		want, _ := fresh.base.Append(nil, []byte("../c"))
		if cached.base.String() != uri || string(got) != string(want) {
			t.Fatalf("base %d: %.80s, want %.80s", i, got, want)
		}
		size := 0
		for _, p := range cached.bases {
			size += len(p.base.String())
		}
		if size > maxPrepared+len(uri) {
			t.Fatalf("base %d: %d bytes of bases are kept", i, size)
		}
	}
}

// Lines of any length are read whole.
func TestReadLine(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 1000} {
		text := strings.Repeat("a", n) + "\nb\n" + strings.Repeat("c", n)
		in := bufio.NewReaderSize(strings.NewReader(text), 16)
		var got strings.Builder
		lines := 0
		for {
			line, err := readLine(in)
			got.Write(line)
			lines++
			if err == io.EOF {
				break
			}
			if err != nil || line[len(line)-1] != '\n' {
				t.Fatalf("%d: %v, %q", n, err, line)
			}
		}
		if got.String() != text || lines != 3 {
			t.Errorf("%d: %d lines, %q", n, lines, got.String())
		}
	}
}
