package ascii

import (
	"strings"
	"testing"
)

// Eight bytes at once are read as one by one, wherever the control character stands.
func TestAppendLine(t *testing.T) {
	for before := range 18 {
		for c := range 256 {
			text := strings.Repeat("x", before) + string([]byte{byte(c)}) + "~ \u2028yyyyyyyyyyyyyyyyy\u0085é"
			want, kept := "", 0
			for i := 0; i < len(text); i++ {
				if n := controlLen(text[i:]); n > 0 {
					want += text[kept:i]
					for _, b := range []byte(text[i : i+n]) {
						want += "%" + string(hexDigits[b>>4]) + string(hexDigits[b&15])
					}
					i += n - 1
					kept = i + 1
				}
			}
			want += text[kept:]
			if got := string(AppendLine(nil, text)); got != want {
				t.Fatalf("%q: %q, not %q", text, got, want)
			}
			if got := string(AppendLine(nil, []byte(text))); got != want {
				t.Fatalf("%q as bytes: %q, not %q", text, got, want)
			}
		}
	}
}
