package extract

import (
	"strings"
	"testing"
)

func TestMayNameParts(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want bool
	}{
		{"From: a@b\n\ntext", false},
		{"From: a@b\nContent-Type: text/plain\n\nContent-Type: multipart/mixed", false},
		{"\n\r\nFrom: a@b\ncontent-type: text/plain;\n charset=x\n\n", false},
		{"Content-Type: Multipart/Mixed; boundary=x\n\n", true},
		{"From: a@b\r\nCONTENT-TYPE:\r\n multipart/related\r\n\r\n", true},
		{"Content-Type: text/html; BOUNDARY=x\n\n", true},
		{"Content-Type: message/rfc822\n\n", true},
		{"Content-Type: text/rfc822-headers\n\n", true},
		{"From: a@b\rContent-Type: multipart/mixed\r\rtext\n", true},
		{"From: a@b", true}, // no line ends
		{strings.Repeat("X: y\n", maxHeader/5+1) + "Content-Type: multipart/mixed\n\n", true},
		{"", false},
	} {
		if got := mayNameParts([]byte(tt.src)); got != tt.want {
			t.Errorf("%.60q: %v", tt.src, got)
		}
	}
}

func TestHasPartNames(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want bool
	}{
		{"Content-ID: <a@b>\n", true},
		{"x\nCONTENT-id \t: <a@b>\n", true},
		{"a: b\r\ncontent-LOCATION:x", true},
		{"::Content-Location:", true},
		{"Content-ID", false},
		{"ontent-ID: x\nContent-IDs: x\nLocation: y\n: \n", false},
		{" :", false},
		{"", false},
	} {
		if got := hasPartNames([]byte(tt.src)); got != tt.want {
			t.Errorf("%q: %v", tt.src, got)
		}
	}
}

func TestMayBeFragment(t *testing.T) {
	for src, want := range map[string]bool{
		"Content-Type: message/partial; number=1\n\n": true,
		"Content-Type: Message/Partial\n":             true,
		"A: b\n\nContent-Type: message/partial":       false,
		"":                                            false,
	} {
		if got := mayBeFragment([]byte(src)); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}
