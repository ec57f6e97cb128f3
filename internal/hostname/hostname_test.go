package hostname

import (
	"strings"
	"testing"
)

// Numbers as inet_aton reads them, and what ends in one (URL 3.5).
func TestIPv4(t *testing.T) {
	for _, test := range []struct{ host, want string }{
		{"127.0.0.1", "127.0.0.1"}, {"127.1", "127.0.0.1"}, {"127.0.1", "127.0.0.1"}, {"2130706433", "127.0.0.1"}, {"0x7f.1", "127.0.0.1"},
		{"0X7F000001", "127.0.0.1"}, {"0177.0.0.01", "127.0.0.1"}, {"0x", "0.0.0.0"}, {"0", "0.0.0.0"}, {"1.2.3.4.", "1.2.3.4"},
		{"4294967295", "255.255.255.255"}, {"1.16777215", "1.255.255.255"}, {"1.2.65535", "1.2.255.255"},
		{"4294967296", ""}, {"1.16777216", ""}, {"1.2.65536", ""}, {"1.2.3.256", ""}, {"256.1", ""}, {"1.2.3.4.5", ""}, {"09", ""}, {"1..2", ""},
		{"", ""}, {"0xg", ""}, {"1.2.3.x", ""}, {strings.Repeat("9", 100), ""}, {"1.2.3.4..", ""},
	} {
		got := ""
		if address, ok := ParseIPv4(test.host); ok {
			got = FormatIPv4(address)
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.host, got, test.want)
		}
	}
	for host, want := range map[string]bool{"1": true, "a.1": true, "a.1.": true, "a.09": true, "a.0x": true, "a.0xf": true, "a.0xg": false, "a": false, "1.a": false, "": false, ".": false, "a..": false} {
		if EndsInNumber(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}

func TestIPv6(t *testing.T) {
	for in, want := range map[string]string{
		"[::1]": "[::1]", "[1:0:0:0:0:0:0:2]": "[1::2]", "[ABCD::]": "[abcd::]", "[::ffff:1.2.3.4]": "[::ffff:102:304]", "[::1.2.3.4]": "[::102:304]",
		"[::1": "", "[]": "", "[1.2.3.4]": "", "[fe80::1%1]": "", "[1::2::3]": "", "[x]": "",
	} {
		got, ok := ParseIPv6([]byte(in))
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", in, got, ok, want)
		}
	}
}

// Domains that cannot be: invalid UTF-8, forbidden bytes, empty labels in Punycode, right-to-left letters beside others.
func TestDomainErrors(t *testing.T) {
	for _, host := range []string{"", "a\xff", "a b", "a\x01", "a/b", "a%b", "a<b", "xn--\u00ad", "ä" + strings.Repeat("x", MaxDomain), "אa.example", "\u00ad"} {
		if got, ok := DomainToASCII([]byte(host)); ok {
			t.Errorf("%q: %q", host, got)
		}
	}
	for host, want := range map[string]string{"A.Example": "a.example", "xn--a": "xn--a", "a_b": "a_b", "bücher.example": "xn--bcher-kva.example", "a..b": "a..b", "ä..b": "xn--4ca..b", "a。b": "a.b", "-a-": "-a-"} {
		got, ok := DomainToASCII([]byte(host))
		if got != want || !ok {
			t.Errorf("%q: %q %v, want %q", host, got, ok, want)
		}
	}
}
