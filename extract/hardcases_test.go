package extract

import (
	"strings"
	"testing"

	"example.org/refract/base"
)

// The hard cases of resolution that are decided on the way to it, or behind it; the
// numbers are those of the table in package resolve.
func TestHardCases(t *testing.T) {
	for _, tt := range []struct {
		number           int
		base, text, want string // want: the URLs, "!" behind an invalid authority, or errors in parentheses
		why              string
	}{
		{1, "http://a/b/c/d", "<URL:a%2Fb\u00a0c>", "http://a/b/c/a%2Fb%C2%A0c", "escaped once when put out; %2F stays"},
		{10, "http://a/b/c/d", "<URL:12:30>", "http://a/b/c/12:30", "a path, in a place where references are expected"},
		{10, "http://a/b/c/d", "at 12:30", "", "no place where they are"},
		{12, "", `<http://good.example\@evil.example/>`, `http://good.example\@evil.example/!`, "kept between brackets, and labelled"},
		{12, "", `see http://good.example\@evil.example/`, "http://good.example", "in a sentence a backslash ends it"},
		{13, "", "<http://a/b\n  c>", "http://a/bc", "a break within brackets is the line's"},
		{13, "", "\"http://a/b\n  c\"", "http://a/bc", "and within quotes"},
		{13, "", "http://a/b\nc", "http://a/b", "but bare references are never joined"},
		{13, "", "http://a/b\tc", "http://a/b", "nor is a tab part of one"},
		{15, "urn:x", "<URL:?y>", "urn:x?y", "a query needs no relative forms"},
		{15, "urn:x", "<URL:y>", "(unsuitable base: urn URLs have no relative forms)", "a path does"},
		{17, "", "<http://h:1:2/>", "http://h:1:2/", "kept"},
		{17, "", "http://::1/", "", "a colon begins no host"},
		{17, "", "<http://[v1.x]/>", "http://[v1.x]/", "kept, and valid"},
		{18, "/static/", "<URL:a.js>", "(no base)", "not absolute, so it establishes nothing"},
	} {
		cfg := Config{Default: base.Source{URI: tt.base, From: "--base"}}
		var got []string
		for ref, err := range cfg.Walk("x", strings.NewReader(tt.text)) {
			switch {
			case err != nil:
				t.Fatal(err)
			case ref.Err != nil:
				got = append(got, "("+ref.Err.Error()+")")
			case ref.InvalidAuthority:
				got = append(got, string(ref.URL)+"!")
			default:
				got = append(got, string(ref.URL))
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%d: %q: %s, want %s: %s", tt.number, tt.text, got, tt.want, tt.why)
		}
	}
}
