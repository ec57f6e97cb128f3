package jsontext

import (
	"strings"
	"testing"
)

var texts = []string{"", "a", "a\"b\\c/<>&'", "\x00\x01\b\t\n\v\f\r\x1f\x7f", "é\u2028x\u2029", "\u202a\u2027", "a\xffb\xc3", "\xed\xa0\x80", "\ufffd", "😀", "x\xf0\x9f\x98", strings.Repeat("long ", 100) + "\n"}

func check(t *testing.T, s string) {
	want := string(AppendLine([]byte("x"), s))
	if got := string(AppendString([]byte("x"), s)) + "\n"; got != want {
		t.Errorf("%q: %s, want %s", s, got, want)
	}
	if got := string(AppendString([]byte("x"), []byte(s))) + "\n"; got != want {
		t.Errorf("bytes %q: %s, want %s", s, got, want)
	}
}

// Strings are what encoding/json makes of them.
func TestAppendString(t *testing.T) {
	for _, s := range texts {
		check(t, s)
	}
	got := string(AppendStrings(AppendKey(AppendKey([]byte("{"), "a"), "b")[:5], []string{"x", "y\n"}))
	if got != `{"a":["x","y\n"]` {
		t.Error(got)
	}
	if got, want := string(AppendStrings(nil, texts))+"\n", string(AppendLine(nil, texts)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestAppendStringAllocs(t *testing.T) {
	dst := make([]byte, 0, 1<<12)
	s, b := strings.Join(texts, " "), []byte(strings.Join(texts, " "))
	if n := testing.AllocsPerRun(10, func() { AppendString(AppendString(dst, s), b) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(check)
}
