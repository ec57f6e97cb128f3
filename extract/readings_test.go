package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/base"
	"example.org/refract/resolve"
)

// What browsers make of a reference that is short for one, of one with another
// spelling without a hyphen, and of one that only they have a URL for; and Clone
// keeps it.
func TestParserDifferences(t *testing.T) {
	const text = "<www.h.org/a\\b> <http://h/a-\n b\\c> <URL: http:g> <URL:ok>"
	for baseURI, want := range map[string][]string{
		"http://h/x/y": {"http://www.h.org/a%5Cb http://www.h.org/a/b", "http://h/a-b%5Cc http://h/a-b/c", "http:g http://h/x/g", "http://h/x/ok "},
		"":             {"http://www.h.org/a%5Cb http://www.h.org/a/b", "http://h/a-b%5Cc http://h/a-b/c", "http:g http://g/", " "},
	} {
		c := &Config{ParserDifferences: true, Default: base.Source{URI: baseURI, From: "--base"}}
		var got []string
		var kept []*Reference
		for ref := range c.Walk("x", strings.NewReader(text)) {
			got, kept = append(got, fmt.Sprintf("%s %s", ref.URL, ref.BrowserURL)), append(kept, ref.Clone())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", baseURI, got, want)
		}
		for i, ref := range kept {
			if again := fmt.Sprintf("%s %s", ref.URL, ref.BrowserURL); again != got[i] {
				t.Errorf("kept %s, was %s", again, got[i])
			}
		}
	}
}

// What browsers put out is escaped as they do it, and no more; what they fail on
// has their reason.
func TestBrowserRules(t *testing.T) {
	rules, _ := resolve.RulesNamed("whatwg")
	c := &Config{Rules: rules, Default: base.Source{URI: "http://h/x/y", From: "--base"}}
	want := []string{"http://h/x/100%[|] <nil>", "foo:a?%[|]` <nil>", "http://h/x/%EF%BF%BD?`#%60 <nil>", " browsers fail: the port is not a number up to 65535"}
	var got []string
	for ref := range c.Walk("x", strings.NewReader("<URL:100%[|]> <URL:foo:a?%[|]`> <URL:\xff?`#`> <URL://h:1x/>")) {
		got = append(got, fmt.Sprintf("%s %v", ref.URL, ref.Err))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
