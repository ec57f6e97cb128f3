package hostname

import "testing"

// The names of a suffix, of what is registered below it, and the rules of the list that are exceptions. With the tag peers, TestOf compares
// all names of the list with golang.org/x/net/publicsuffix.
func TestRegistered(t *testing.T) {
	for _, test := range []struct{ host, suffix, domain string }{
		{"www.example.com", "com", "example.com"}, {"com", "com", ""}, {"a.b.example.co.uk", "co.uk", "example.co.uk"},
		{"a.user.github.io", "github.io", "user.github.io"}, {"x.y.z.ck", "z.ck", "y.z.ck"}, {"a.www.ck", "ck", "www.ck"},
		{"a.unknown", "unknown", "a.unknown"}, {"localhost", "localhost", ""}, {"a..b", "b", ""}, {"", "", ""},
	} {
		suffix, _ := Suffix(test.host)
		if domain, _ := Registered(test.host); suffix != test.suffix || domain != test.domain {
			t.Errorf("%s: %q, %q", test.host, suffix, domain)
		}
	}
}
