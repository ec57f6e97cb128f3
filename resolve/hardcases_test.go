package resolve

import (
	"testing"
)

// hardCases are decided here, one by one; the numbers are those of a collection of
// what implementations disagree on. Where a row is about more than resolution, level
// says what, and where that is decided; here is the side of RFC 3986.
var hardCases = []struct {
	number     int
	base, ref  string
	rules      string // "" is rfc3986
	want       string
	departures Departures
	why        string
	level      string
}{
	{number: 1, base: "http://a/b/c/d;p?q", ref: "a%2Fb c", want: "http://a/b/c/a%2Fb c",
		why:   "nothing is decoded, since %2F is no slash, and nothing escaped, since a resolver is no judge of characters",
		level: "extract escapes the space when the URL is put out, and leaves %2F"},
	{number: 2, base: "http://h/a/", ref: "..//x", want: "http://h//x",
		why: "an empty segment is a segment: .. takes away a/ and leaves it"},
	{number: 3, base: "fred:///s//a/b/c", ref: "///g", want: "fred:///g",
		why: "an empty authority is an authority, defined, and taken from the reference"},
	{number: 4, base: "foo:/a", ref: ".//g", want: "foo:/.//g", departures: Guarded,
		why: "the letter gives foo://g, an authority that nobody wrote; /. keeps the path a path, and the result says so"},
	{number: 5, base: "foo:a/b", ref: "../c", want: "foo:/c",
		why: "5.2.4 to the letter, its slash included; taking it away is an improvement that others would not share"},
	{number: 5, base: "foo:a/b", ref: "../c", rules: "draft", want: "foo:c",
		why: "step 6e takes a segment with the slash behind it, so none is left over"},
	{number: 6, base: "http://a/b/c/d;p?q", ref: "../../../g", want: "http://a/g", departures: WentAbove,
		why: "5.2.4 removes what goes above the root, and the result says that it did"},
	{number: 6, base: "http://a/b/c/d;p?q", ref: "../../../g", rules: "draft", want: "http://a/../g", departures: WentAbove,
		why: "what step 6g offers first, and its examples show"},
	{number: 7, base: "http://a/b/c/d;p?q", ref: "#", want: "http://a/b/c/d;p?q#",
		why: "an empty fragment is defined, so it is put out (5.3)"},
	{number: 8, base: "http://a/b/c/d;p?q", ref: "?", want: "http://a/b/c/d;p?",
		why: "an empty query is defined, and replaces the base's"},
	{number: 9, base: "http://a/b#f", ref: "", want: "http://a/b",
		why: "5.2.2 takes the fragment from the reference, which has none"},
	{number: 9, base: "http://a/b#f", ref: "", rules: "rfc1808", want: "http://a/b#f",
		why: "step 2a has the whole base, and its examples the fragment"},
	{number: 10, base: "http://a/b/c/d;p?q", ref: "12:30", want: "http://a/b/c/12:30",
		why:   "a scheme begins with a letter, so this is a path; that it should have been ./12:30 (4.2) does not make it something else",
		level: "a validity report may say so; the way back gives 12:30 too"},
	{number: 10, base: "http://a/b/c/d;p?q", ref: "12:30", rules: "draft", want: "12:30",
		why: "the draft lets a scheme begin with a digit"},
	{number: 11, base: "http://a/b/c/d;p?q", ref: "%2e%2e/g", want: "http://a/b/c/%2e%2e/g",
		why:   "dot segments are dots; decoding belongs to normalisation (6.2.2.2), which is asked for",
		level: "left to refract normalize and to the whatwg rules, which read %2e as a dot"},
	{number: 12, base: "http://a/b/c/d;p?q", ref: `http://good.example\@evil.example/`, want: `http://good.example\@evil.example/`,
		why:   "absolute, and kept byte for byte: a \\ is no delimiter, and an authority is not repaired",
		level: "extract labels the authority invalid; the whatwg rules read \\ as a slash, and so another host"},
	{number: 13, base: "http://a/b/c/d;p?q", ref: "a\tb\nc", want: "http://a/b/c/a\tb\nc",
		why:   "whoever reads a document decides what white space means there, before a reference exists",
		level: "extract drops a line break within <> or quotes; the whatwg rules drop tabs and breaks anywhere"},
	{number: 14, base: "file:///C:/a/b", ref: "/d", want: "file:///d",
		why:   "C: is a segment like any other",
		level: "left to the whatwg rules, which know drive letters"},
	{number: 15, base: "urn:x", ref: "?y", want: "urn:x?y",
		why:   "the algorithm asks for no slash, and a query does not depend on the path's form",
		level: "base refuses paths and authorities against urn, and lets ?y resolve; the whatwg rules refuse it"},
	{number: 16, base: "http://a/b/../c/d", ref: "?y", want: "http://a/b/../c/d?y",
		why:   "5.2.2 takes the base's path as it is; only a merged path loses its dots",
		level: "the whatwg rules have parsed the base, and its dots are gone"},
	{number: 17, base: "http://x", ref: "http://h:1:2/", want: "http://h:1:2/",
		why: "kept: Appendix B finds the authority, and what it holds is not resolved", level: "validity is a report of its own"},
	{number: 17, base: "http://x", ref: "http://::1/", want: "http://::1/",
		why: "kept, as above", level: "found in a document by its markup only: in text a host does not begin with a colon"},
	{number: 17, base: "http://x", ref: "http://[v1.x]/", want: "http://[v1.x]/",
		why: "kept, and valid: an IPvFuture (3.2.2)"},
	{number: 18, base: "/static/", ref: "a.js", want: "/static/a.js",
		why:   "an extension: no document speaks of such a base, and nothing speaks against it",
		level: "refract resolve allows it; base does not establish one that is not absolute"},
}

func TestHardCases(t *testing.T) {
	decided := map[int]bool{}
	for _, tt := range hardCases {
		decided[tt.number] = true
		rules := tt.rules
		if rules == "" {
			rules = "rfc3986"
		}
		if got, res := show(parseRules(t, rules), tt.base, tt.ref); got != tt.want || res.Departures != tt.departures {
			t.Errorf("%d: %s: %q + %q = %q, %q; want %q, %q: %s", tt.number, rules, tt.base, tt.ref, got, res.Departures, tt.want, tt.departures, tt.why)
		}
		if tt.why == "" {
			t.Errorf("%d: no reason", tt.number)
		}
	}
	for n := range 18 {
		if !decided[n+1] {
			t.Errorf("%d is not decided", n+1)
		}
	}
}
