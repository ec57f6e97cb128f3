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

// References that browsers resolve as RFC 3986 does have the result of the general algorithm.
func TestAppendPlain(t *testing.T) {
	pieces := []string{"", "a", "/", "//", ".", "..", "./", "../", "/.", "/..", "?", "#", "?x=1&y", "#f", ":", "http:", "https://", "HTTP://h/", "http://h", "h.example", "1", "0x1f", "1.2.3.4", "xn--a", "-", "_", "a..b", "@", "%2e", "%41", "\\", " ", "\t", "'", "|", "^", "é", "[::1]", "c:/", "mailto:a"}
	fast := 0
	for _, base := range []string{"http://h.example/d/e/f?q#x", "https://u:p@h:8080", "http://h/", "HTTP://H/a/../b//c/", "http://h/a b?'", "http://h/d;p/?/../x", "file:///c:/a/b", "mailto:a", "http://1.2/a", "http://h/..//../"} {
		b := Rules{Browser: true}.Resolver(base)
		for _, x := range pieces {
			for _, y := range pieces {
				for _, z := range pieces {
					ref := []byte(x + y + z)
					got, result := b.Append([]byte("x"), ref)
					want, general := b.appendBrowser([]byte("x"), ref)
					if string(got) != string(want) || result != general {
						t.Fatalf("%q against %q: %q, %+v, want %q, %+v", ref, base, got, result, want, general)
					}
					if b.fast == fastPlain {
						if _, step := b.appendPlain(nil, ref); step != 0 {
							fast++
						}
					}
				}
			}
		}
	}
	if fast < 10000 {
		t.Errorf("only %d by appendPlain", fast)
	}
}
