package main

import (
	"slices"
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
