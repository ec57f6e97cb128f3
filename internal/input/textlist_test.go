package input

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestUTF8(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""}, {"a", "a"}, {"a\n", "a\n"},
		{"\xef\xbb\xbfé\r\n\xff", "é\r\n\xff"},
		{"\xff\xfea\x00\n\x00\xe9\x00", "a\né"},
		{"\xfe\xff\x00a\x00\n\x00\xe9", "a\né"},
		{"\xff", "\xff"}, {"\xefx", "\xefx"}, {"é\xff\xfe", "é\xff\xfe"}, {"\xff\xfe", ""},
		{"\xff\xfe" + strings.Repeat("x\x00", 10_000), strings.Repeat("x", 10_000)},
	}
	for _, tt := range tests {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(tt.text), "bytes": iotest.OneByteReader(strings.NewReader(tt.text)), "with EOF": iotest.DataErrReader(strings.NewReader(tt.text))} {
			got, err := io.ReadAll(UTF8(r))
			if err != nil || string(got) != tt.want {
				t.Errorf("%q, %s: %q, %v, want %q", tt.text, name, got, err, tt.want)
			}
		}
	}
	failed := errors.New("failed")
	for _, text := range []string{"", "a", "\xff\xfea\x00"} {
		if _, err := io.ReadAll(UTF8(io.MultiReader(strings.NewReader(text), iotest.ErrReader(failed)))); err != failed {
			t.Errorf("%q: %v", text, err)
		}
	}
	r, w := io.Pipe() // a program may write a short line, and wait for the answer
	go w.Write([]byte("a\n"))
	p := make([]byte, 10)
	if n, err := UTF8(r).Read(p); string(p[:n]) != "a\n" || err != nil {
		t.Errorf("%q, %v", p[:n], err)
	}
}
