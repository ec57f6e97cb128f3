//go:build deep

package hostname

import (
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
)

// TestOf compares the answers for the names of the list, and those above and below them, with those of golang.org/x/net/publicsuffix.
func TestOf(t *testing.T) {
	hosts := []string{"", ".", "..", "a..b", ".com", "com.", "localhost", "a.unknown", "127.0.0.1", "::1", "[::1]", "xn--p1ai", "COM", strings.Repeat("a.", 2000) + "com"}
	for name := range flags() {
		_, above, _ := strings.Cut(name, ".")
		hosts = append(hosts, name, "x."+name, "z.y.x."+name, above, "x."+above)
	}
	for _, host := range hosts {
		got, isOfRegistry := Suffix(host)
		want, icann := publicsuffix.PublicSuffix(host)
		if got != want || isOfRegistry && !icann && !strings.Contains(host, ".") {
			t.Errorf("%.40s: %q, %v; want %q, %v", host, got, isOfRegistry, want, icann)
		}
		domain, ok := Registered(host)
		if other, err := publicsuffix.EffectiveTLDPlusOne(host); domain != other || ok != (err == nil) {
			t.Errorf("%.40s: registered %q, %v; want %q, %v", host, domain, ok, other, err)
		}
	}
}

func BenchmarkRegistered(b *testing.B) {
	for _, host := range []string{"www.example.com", "a.b.example.co.uk", "user.github.io"} {
		b.Run(host, func(b *testing.B) {
			for b.Loop() {
				Registered(host)
			}
		})
		b.Run("x-net/"+host, func(b *testing.B) {
			for b.Loop() {
				_, _ = publicsuffix.EffectiveTLDPlusOne(host)
			}
		})
	}
}
