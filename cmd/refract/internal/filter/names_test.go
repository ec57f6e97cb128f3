package filter

import (
	"fmt"
	"strings"
	"testing"
)

// Names finds what NameOf and DomainOf find, the first time and again.
func TestNames(t *testing.T) {
	urls := []string{
		"", ":", "a", "x:y", "http:/h", "http://", "http:///p", "http://?q", "http://h", "http://h.example.co.uk#f", "https://user:pw@www.Example.COM:80/p",
		"http://1.2.3.4/", "http://[::1]:8080/", "http://1.2.3.400/", "http://a.0x7f/", "http://example.com./", "http://.com/", "http://a..com/", "http://com/",
		"http://bücher.example/", "http://xn--bcher-kva.example/", "http://XN--bcher-kva.example/", "http://a_b.example.org/", "http://-a.example.org/", "http://a@b@c.de/",
		"h2+x://www.example.org/", "http://\xff.org/", "http://a\\b.org/c", "mailto:a@example.org", "//www.example.org/", "http://a.b:c:d/", "http://%41.example.org/",
	}
	for _, n := range []int{55, 56, 57, 60, 61, 300} {
		urls = append(urls, "http://"+strings.Repeat("a", n-4)+".org", "http://"+strings.Repeat("a.", n/2)+"org:80/")
	}
	for i := range 20000 { // more than there are slots
		urls = append(urls, fmt.Sprintf("http://www.h%d.example%d.co.uk/", i, i%7))
	}
	n := NewNames()
	defer n.Release()
	for range 2 {
		for _, url := range urls {
			name := NameOf([]byte(url))
			for range 2 {
				host, domain := n.Of([]byte(url))
				if string(host) != name || string(domain) != DomainOf(name) {
					t.Fatalf("%q: %q %q, want %q %q", url, host, domain, name, DomainOf(name))
				}
			}
		}
	}
}
