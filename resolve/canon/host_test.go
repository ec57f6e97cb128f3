package canon

import (
	"bytes"
	"strings"
	"testing"

	"example.org/refract/resolve"
)

func TestAppendHost(t *testing.T) {
	for url, want := range map[string]string{
		"http://www.Example.org/a?b#c":    "org,example,www",
		"http://www.example.org":          "org,example,www",
		"https://h:8443/":                 "h:8443",
		"http://u@a.example:80/?x":        "example,a",
		"http://a.example./":              "example,a",
		"http://xn--mnchen-3ya.example/":  "example,xn--mnchen-3ya",
		"http://münchen.example/)":        "example,xn--mnchen-3ya",
		"http://192.0.2.1/x":              "192.0.2.1",
		"http://[2001:db8::1]:81/":        "[2001:db8::1]:81",
		"http://a..example/":              "example,,a",
		"http://a_b.example/":             "example,a_b",
		"http://3.example.4a/":            "4a,example,3",
		"ftp://files.example.net:21/pub/": "net,example,files",
		"mailto:x@example.org":            "mailto:/",
	} {
		if got := string(AppendHost([]byte("x "), []byte(url))); got != "x "+want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// The short way gives what the key gives.
func FuzzAppendHost(f *testing.F) {
	for _, s := range []string{"www.example.org", "a", "1.2", "a.b.", ".a", "xn--a.example", "a-.b", "A.b", "a:80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, authority string) {
		if strings.ContainsAny(authority, "/?#") || !isPlainHost([]byte(authority)) {
			return
		}
		key := Key{SURT: SURTKey, IDN: IDNASCII, NoTrailingDot: true}
		url := resolve.Components{Scheme: []byte("http"), HasScheme: true, Authority: []byte(authority), HasAuthority: true}
		want, _, _ := bytes.Cut(key.Append(nil, url.Append(nil)), []byte(")"))
		if got := AppendHost(nil, url.Append(nil)); !bytes.Equal(got, want) {
			t.Errorf("%q: %q, want %q", authority, got, want)
		}
	})
}
