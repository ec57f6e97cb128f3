package risk

import (
	"bytes"
	"strings"
	"testing"
)

// The shortest URLs are plain, too, so that they take the fast way.
func TestShortestPlain(t *testing.T) {
	for url, want := range map[string]bool{
		"http://a": true, "https://a": true, "mailto:a": true, "http://": false, "https://": false, "mailto:": false, "mailto:/": false,
		"//": false, "/": true, "a": true, "a:": false, "http://a--b/": false, "http://host.local/": false, "http://a.": false,
		"a\x7f": false, "a~": true, "a!": true, "a ": false,
		"http://a#": true, "http://a?": true, "http://a$": false, "?//": true, "https://text/html": true,
		"z%20": true, "%g2": false, "%2g": false, "a%2": false, "?23456789%2": false, "?234567%": false,
	} {
		if got := IsPlain([]byte(url)); got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}

// A plain byte is recognised at each of eight places, as one by one.
func TestArePlain(t *testing.T) {
	for c := range 256 {
		for i := range 8 {
			s := []byte("abcdefgh")
			s[i] = byte(c)
			if got, want := arePlain(s), riskClasses[c]&isPlainByte != 0; got != want {
				t.Errorf("%q: %v, want %v", s, got, want)
			}
		}
	}
}

// What other programs take for the host of a URL.
func TestHostsOfReaders(t *testing.T) {
	for url, want := range map[string]string{"x://h.example/": "h.example", "//h.example": "h.example", "http://h.example": "h.example", "h.example": "", "!//h": "", " //h": "h",
		"//a[1.2.3.4]": "", "//[v1.x]": "v1.x", "//[v.x]": "", "//[vg1.x]": "", "//[w1.x]": "", "//[v1.]": ""} {
		if got := pythonHost(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	for url, want := range map[string]string{"/u@h.example": "", "?u@h.example": "", "u@h.example": "h.example", "h.example/u@i.example": "h.example", "h://u@i": "i",
		"h:8a": "", "h:80": "h", "0X": "0x", "0x": "0x", "0x0": "0.0.0.0", "h!": "", "h?!": "h", "[1.2.3.4]": "", "a\u0080": "", "1.2.3.4.5": "1.2.3.4.5"} {
		if got := strings.ToLower(curlHost(url)); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	for literal, want := range map[string]string{"[::1:1]": "[::0.1.0.1]", "[::100:0]": "[::1.0.0.0]", "[::100]": "[::100]"} {
		if got := curlLiteral(literal); got != want {
			t.Errorf("%s: %q, want %q", literal, got, want)
		}
	}
	for n, want := range map[int]bool{1024: true, 1025: false} { // the longest name that is converted, in bytes
		if got := curlName("ä" + strings.Repeat("x", n-2)); (got != "") != want {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
	for zone, isValid := range map[string]bool{"": false, "25": false, "1": true, "eth0": true, strings.Repeat("z", 15): true, strings.Repeat("z", 16): false} {
		if got := curlLiteral("[fe80::1%" + zone + "]"); (got != "") != isValid {
			t.Errorf("zone %q: %q", zone, got)
		}
	}
}

// curl takes no longer URL.
func TestLongestRead(t *testing.T) {
	for n, want := range map[int]bool{8_000_000: true, 8_000_001: false} {
		url := append([]byte("http://h/"), bytes.Repeat([]byte("a"), n-len("http://h/"))...)
		if curl := Readers(url)[1]; curl.OK != want {
			t.Errorf("%d bytes: %v", n, curl)
		}
	}
}

// Each letter and the one that it looks like.
func TestLookalikeLetters(t *testing.T) {
	letters, like := []rune("асԁеһіјӏорԛгѕѵԝхуүьαγικνορσυϲϳցհոօզսıɑɡ"), "acdehijlopqrsvwxyybayikvopoucjghnoquiag"
	if len(letters) != len(like) || len(letters) != len(lookalikes) {
		t.Fatalf("%d letters, %d are like them, %d in the table", len(letters), len(like), len(lookalikes))
	}
	for i, letter := range letters {
		if lookalikes[letter] != like[i] {
			t.Errorf("%c: %c, want %c", letter, lookalikes[letter], like[i])
		}
	}
}
