package main

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/delimit"
	"example.org/refract/resolve"
)

// delimit knows schemes of its own, since it imports nothing of ours: what it finds
// without slashes, and what it wants a host of, must be what the table says.
func TestDelimitAgrees(t *testing.T) {
	found := func(text string) (refs []string) {
		var f delimit.Finder
		for s := range f.All([]byte(text)) {
			refs = append(refs, text[s.Start:s.End])
		}
		return refs
	}
	opaque := map[string]string{
		"file": "/a/b", "mailto": "a@example.org", "news": "comp.lang.go", "snews": "comp.lang.go",
		"tel": "+1-201-555-0123", "urn": "isbn:0395363411",
		"acct": "a@example.org", "bitcoin": "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "cid": "a@example.org", "doi": "10.1000/182",
		"geo": "37.78,-122.39", "magnet": "?xt=urn:btih:a", "matrix": "u/a:example.org", "mid": "a@example.org",
		"sip": "a@example.org", "sips": "a@example.org", "sms": "+1-201-555-0123", "xmpp": "a@example.org",
	}
	if schemes := delimit.Schemes(); len(schemes) != len(opaque) {
		t.Errorf("delimit has %d schemes, the test %d", len(schemes), len(opaque))
	}
	for _, s := range delimit.Schemes() {
		if url := s.Name + ":" + opaque[s.Name]; !slices.Contains(found("see "+url+" there"), url) {
			t.Errorf("%s is not found", url)
		}
	}
	for _, s := range resolve.Schemes() {
		if s.Name == "x-" {
			s.Name = "x-mine"
		}
		url := s.Name + ":///a/b"
		if got := slices.Contains(found("see "+url+" there"), url); got == (s.Host == resolve.HostRequired) {
			t.Errorf("%s: found %v, a host is %v", url, got, s.Host)
		}
		url = s.Name + "://example.org/a"
		if !slices.Contains(found("see "+url+" there"), url) {
			t.Errorf("%s is not found", url)
		}
		for scheme, rest := range opaque {
			url := s.Name + ":" + rest
			got := slices.Contains(found("see "+url+" there"), url)
			if got && s.Host == resolve.HostRequired {
				t.Errorf("%s is found, and needs a host", url)
			}
			if !got && scheme == s.Name {
				t.Errorf("%s is not found", url)
			}
			if _, ok := opaque[s.Name]; got && !ok {
				t.Errorf("%s is found without slashes", url)
			}
		}
	}
}

func TestAppendParts(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"x", `{"a":1,"path":"x"}`},
		{"<>&\n", `{"a":1,"path":"<>&\n"}`},
		{"/\xff", `{"a":1,"path_b64":"L/8="}`},
		{"ftp://h/\xff/b/", `{"a":1,"scheme":"ftp","authority":"h","host":"h","path_b64":"L/8vYi8=","directories_b64":["/w==","Yg=="],"name":""}`},
		{"ftp://h/%20/%0A/a", `{"a":1,"scheme":"ftp","authority":"h","host":"h","path":"/%20/%0A/a","directories":["%20","%0A"],"name":"a"}`},
	} {
		got := string(appendParts([]byte("{\"a\":1"), partsOf(resolve.Rules{}, []byte(tt.url)))) + "}\n"
		if got != tt.want+"\n" {
			t.Errorf("%q: %s, want %s", tt.url, got, tt.want)
		}
	}
}

// The topics explain every label and every part.
func TestTopics(t *testing.T) {
	for _, name := range append(resolve.AnyLabel.Names(), invalidAuthority) {
		if !strings.Contains(labelsTopic.Long, "\n  "+name+" ") {
			t.Errorf("help labels does not explain %s", name)
		}
	}
	for _, url := range []string{
		"ftp://u:p@h:21/d/n;type=a?q#f", "gopher://h/0s%09q%09+", "mailto:a@h?b=c", "news:a.b", "news:a@b", "news:*", "nntp://h/a/1",
		"wais://h/d?s", "wais://h/d/t/p", "file:///C:/d/n", "prospero://h/o;f=v", "mid:a@b/c@d", "data:a/b;base64,c", "tel:1;a=b", "urn:isbn:1",
	} {
		for _, f := range partsOf(resolve.Rules{}, []byte(url)) {
			if !strings.Contains(jsonTopic().Long, f.name) {
				t.Errorf("help json does not name %s", f.name)
			}
		}
	}
}
