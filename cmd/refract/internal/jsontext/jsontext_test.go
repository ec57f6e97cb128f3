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

// Numbers are what encoding/json makes of them, with and without room in the slice.
func TestAppendInt(t *testing.T) {
	numbers := []int64{0, 1, 9, 10, 11, 99, 100, 101, 1e12 - 1, 1e12, 1<<63 - 1, -1, -1 << 63}
	for n := int64(7); n < 1e18; n *= 3 {
		numbers = append(numbers, n, n-1, -n)
	}
	for p := int64(10); p < 1e18; p *= 10 {
		numbers = append(numbers, p-1, p, p+1)
	}
	for n := range int64(10000) { // each half of eight digits
		numbers = append(numbers, n, n*10000)
	}
	for _, n := range numbers {
		want := string(AppendLine([]byte("x"), n))
		for _, room := range []int{0, 1, 5, 15, 16, 30} {
			dst := append(make([]byte, 0, 1+room), 'x')
			if got := string(AppendInt(dst, n)) + "\n"; got != want {
				t.Errorf("%d with room for %d bytes: %s, want %s", n, room, got, want)
			}
		}
	}
}

// A text is plain if and only if encoding/json copies it.
func TestIsPlain(t *testing.T) {
	for size := range 20 {
		for at := range size {
			for c := range 256 {
				s := []byte(strings.Repeat("x", size))
				s[at] = byte(c)
				copied := string(AppendLine(nil, string(s))) == `"`+string(s)+"\"\n" && c < 0x80
				if IsPlain(s) != copied || IsPlain(string(s)) != copied {
					t.Fatalf("%q: plain is %t, want %t", s, IsPlain(s), copied)
				}
			}
		}
	}
}

// What is not UTF-8 is in base64, and its name says so.
func TestBytes(t *testing.T) {
	for _, tt := range []struct{ value, member, text, b64 string }{
		{"", `"x":""`, "", ""},
		{"aé\"\ufffd", `"x":"aé\"` + "\ufffd" + `"`, "aé\"\ufffd", ""},
		{"caf\xe9", `"x_b64":"Y2Fm6Q=="`, "", "Y2Fm6Q=="},
		{"\xf0\x9f\x98", `"x_b64":"8J+Y"`, "", "8J+Y"},
		{"\xed\xa0\x80", `"x_b64":"7aCA"`, "", "7aCA"}, // half of a surrogate pair
	} {
		if got := string(AppendBytes([]byte("{"), "x", tt.value)); got != "{"+tt.member {
			t.Errorf("%q: %s, want %s", tt.value, got, tt.member)
		}
		if got := string(AppendBytes([]byte(`{"a":1`), "x", []byte(tt.value))); got != `{"a":1,`+tt.member {
			t.Errorf("%q after a member: %s, want %s", tt.value, got, tt.member)
		}
		if text, b64 := TextOrBase64(tt.value); text != tt.text || b64 != tt.b64 {
			t.Errorf("%q: %q and %q, want %q and %q", tt.value, text, b64, tt.text, tt.b64)
		}
	}
}
