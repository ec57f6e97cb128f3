package ascii

import (
	"strings"
	"testing"
)

// Eight bytes at once are read as one by one, wherever the control character stands.
func TestAppendLine(t *testing.T) {
	for before := range 18 {
		for c := range 256 {
			for _, end := range []string{"~ \u2028yyyyyyyyyyyyyyyyy\u0085é", "", "y", "yyyyyyy", "yyyyyyyy"} {
				text := strings.Repeat("x", before) + string([]byte{byte(c)}) + end
				want := oneByOne(text)
				if got := string(AppendLine(nil, text)); got != want {
					t.Fatalf("%q: %q, not %q", text, got, want)
				}
				if got := string(AppendLine(nil, []byte(text))); got != want {
					t.Fatalf("%q as bytes: %q, not %q", text, got, want)
				}
			}
		}
	}
}

func oneByOne(text string) string {
	out, kept := "", 0
	for i := 0; i < len(text); i++ {
		if n := controlLen(text[i:]); n > 0 {
			out += text[kept:i]
			for _, b := range []byte(text[i : i+n]) {
				out += "%" + string(hexDigits[b>>4]) + string(hexDigits[b&15])
			}
			i += n - 1
			kept = i + 1
		}
	}
	return out + text[kept:]
}
