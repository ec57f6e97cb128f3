package base

import (
	"errors"
	"strings"
	"testing"

	"example.org/refract/resolve"
)

// Under the rules of browsers a base is what they parse, and suits as they say.
func TestBrowser(t *testing.T) {
	rules, _ := resolve.RulesNamed("whatwg")
	for _, tt := range []struct{ base, ref, want string }{ // want: the URL, or the error in parentheses
		{" HTTP://H/a/../b#f ", "", "http://h/b"},
		{"http://h", "\tx\\y", "http://h/x/y"},
		{"http:h/a", "x", "http://h/x"},
		{"urn:/a/b", "c", "urn:/a/c"},
		{"urn:a", "#f", "urn:a#f"},
		{"urn:a", "x:y", "x:y"},
		{"urn:a", "", "(unsuitable base: browsers resolve only fragments against an opaque path)"},
		{"http://h/", "http://a b/", "(browsers fail: not a domain name)"},
		{"", "http://a b/", "(browsers fail: not a domain name)"},
		{"", "//h/", "(no base)"},
		{"", "x:y", "x:y"},
	} {
		b, err := Root(rules, Source{}, Source{tt.base, "--base"})
		if err != nil {
			t.Errorf("%q: %v", tt.base, err)
		}
		uri, res, err := b.Append([]byte("before "), []byte(tt.ref))
		got, ok := strings.CutPrefix(string(uri), "before ")
		if err == nil {
			err = res.Err()
		}
		if err != nil {
			got += "(" + err.Error() + ")"
		}
		if !ok || got != tt.want {
			t.Errorf("%q + %q = %q, want %q", tt.base, tt.ref, got, tt.want)
		}
		if strings.HasPrefix(tt.want, "(unsuitable") != errors.Is(err, ErrUnsuitable) {
			t.Errorf("%q + %q: %v", tt.base, tt.ref, err)
		}
	}
	for uri, want := range map[string]string{
		"h/a":         `base: --base "h/a": not absolute`,
		"http://a b/": `base: --base "http://a b/": browsers fail: not a domain name`,
	} {
		b, err := Root(rules, Source{}, Source{uri, "--base"})
		if b.Layer != None || err == nil || err.Error() != want {
			t.Errorf("%q: %+v %v", uri, b, err)
		}
	}
	outer, _ := Root(rules, Source{}, Source{"HTTP://h/%7e/", "--base"})
	if inner, err := outer.Embed(`x\y #f`, "base/href"); err != nil || inner.URI != "http://h/%7e/x/y%20" {
		t.Errorf("%+v %v", inner, err)
	}
	if _, err := outer.Embed("http://:80/", "base/href"); err == nil || err.Error() != `base: embedded "http://:80/": browsers fail: the host is missing` {
		t.Error(err)
	}
}
