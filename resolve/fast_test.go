package resolve

import (
	"strings"
	"testing"
)

func TestHasSlashDot(t *testing.T) {
	for n := range 40 {
		for at := range n {
			for _, fill := range []string{"a", "/", ".", "\xaf", "\xae", "\x00", "\xff"} {
				s := strings.Repeat(fill, n)
				for _, put := range []string{"/.", "./", "/", ".", "\xaf.", "/\xae"} {
					text := s[:at] + put + s[at:]
					if got, want := hasSlashDot([]byte(text)), strings.Contains(text, "/."); got != want {
						t.Errorf("%q: %t", text, got)
					}
				}
			}
		}
	}
}
