package risk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Risks at the limits of each rule.
func TestRiskLimits(t *testing.T) {
	for _, tt := range []struct{ sec, url, want string }{
		// Userinfo that looks like a host: its last label has at least two letters.
		{"RFC 3986 7.6", "http://bank.de@evil.example/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://bank.d@evil.example/", "userinfo"},
		{"RFC 3986 7.6", "http://bank.de.@evil.example/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://b.de@evil.example/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://.de@evil.example/", "userinfo"},
		{"RFC 3986 7.6", "http://bank.d1e@evil.example/", "userinfo"},
		{"RFC 3986 7.6", "http://bank.1de@evil.example/", "userinfo"},
		{"RFC 3986 7.6", "http://bank.рф@evil.example/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://bank-x.de@evil.example/", "userinfo-spoof,userinfo"},
		{"draft 7", "http://[::1:8080", "loopback,ip-host"},
		{"draft 7", "http://[::1]:8080", "port-nondefault,loopback,ip-host"},
		{"draft 7", "http://h:x/", "port-nondefault"},
		{"draft 7", "http://h:1/", "port-nondefault,port-reserved"},
		{"draft 7", "http://h:65536/", "port-nondefault"},
		{"draft 7", "http://h:65616/", "port-nondefault"}, // 80 modulo 65536

		{"RFC 3986 7.6", "http://&www.example.com@h/", "userinfo"},
		{"RFC 3986 7.6", "http://%2Fx@h/", "userinfo-spoof,userinfo"},
		{"RFC 3986 3.1", "h://u@x/", "userinfo"},

		// Marks and invisible characters: the ends of each range.
		{"UAX 9 2", "#\u061b", ""}, {"UAX 9 2", "#\u061c", "bidi"}, {"UAX 9 2", "#\u061d", ""},
		{"UAX 9 2", "#\u200e", "bidi"}, {"UAX 9 2", "#\u200f", "bidi"}, {"UAX 9 2", "#\u2010", ""},
		{"UAX 9 2", "#\u2029", ""}, {"UAX 9 2", "#\u202a", "bidi"}, {"UAX 9 2", "#\u202e", "bidi"}, {"UAX 9 2", "#\u202f", ""},
		{"UAX 9 2", "#\u2065", ""}, {"UAX 9 2", "#\u2066", "bidi"}, {"UAX 9 2", "#\u2069", "bidi"}, {"UAX 9 2", "#\u206a", ""},
		{"Unicode 23.2", "#\u00ac", ""}, {"Unicode 23.2", "#\u00ad", "invisible"}, {"Unicode 23.2", "#\u00ae", ""},
		{"Unicode 23.2", "#\u180d", ""}, {"Unicode 23.2", "#\u180e", "invisible"}, {"Unicode 23.2", "#\u180f", ""},
		{"Unicode 23.2", "#\u200a", ""}, {"Unicode 23.2", "#\u200b", "invisible"}, {"Unicode 23.2", "#\u200d", "invisible"},
		{"Unicode 23.2", "#\u205f", ""}, {"Unicode 23.2", "#\u2060", "invisible"}, {"Unicode 23.2", "#\u2064", "invisible"},
		{"Unicode 23.2", "#\ufefe", ""}, {"Unicode 23.2", "#\ufeff", "invisible"}, {"Unicode 23.2", "#\uff00", ""},
		{"Unicode 23.9", "#\U000dffff", ""}, {"Unicode 23.9", "#\U000e0000", "invisible"}, {"Unicode 23.9", "#\U000e007f", "invisible"}, {"Unicode 23.9", "#\U000e0080", ""},
		{"Unicode 23.2", "#%C2%AD", "invisible"},
		{"Unicode 23.2", "#%E2%80a%8E", ""},
		{"draft 7", "#%1F", "encoded-control"}, {"draft 7", "#%20", ""}, {"draft 7", "#%7E", ""}, {"draft 7", "#%80", ""},

		// Characters that look like delimiters, and their neighbours.
		{"UTS 39 4", "//a\u2044b", "lookalike-delimiter"}, {"UTS 39 4", "//a\u2043b", ""},
		{"UTS 39 4", "//a%E2%81%84b", "lookalike-delimiter"},
		{"UTS 39 4", "//a%E2b%81%84b", ""},
		{"UTS 39 4", "//\u2044b", "lookalike-delimiter"}, {"UTS 39 4", "//a\u2044", "lookalike-delimiter"},
		{"UTS 39 4", "//a\xe2\u2044b", "lookalike-delimiter"}, {"UTS 39 4", "//a\xe2\x81", ""},

		{"RFC 1738 6", "gopher:%0Dx", "encoded-control,gopher-lineend"},
		{"RFC 1738 6", "gopher:x%0D", "encoded-control,gopher-lineend"},

		// Schemes whose content runs.
		{"HTML 7.4", "data:  text/html,x", "active-scheme"},
		{"HTML 7.4", "data:text/xml,x", "active-scheme"}, {"HTML 7.4", "data:application/xml,x", "active-scheme"},
		{"HTML 7.4", "data:application/xhtml+xml,x", "active-scheme"}, {"HTML 7.4", "dat:text/html,x", ""},
		{"URL 4.4", "http:///h/@localhost", "ambiguous-authority"}, {"URL 4.4", "!javascript:x", ""}, {"URL 4.4", "ws:h", "ambiguous-authority"},
		{"URL 4.4", "1java\tscript:x", ""}, {"URL 4.4", "java\tscr%69pt:x", ""},
		{"URL 4.4", "java\rscript:x", "ambiguous-authority,active-scheme"},
		{"URL 4.4", " :x", ""}, {"URL 4.4", "ftp:10.0.0.1", "ambiguous-authority,private-host,ip-host"},
		{"URL 4.4", "https:////h:81", "port-nondefault,port-reserved,ambiguous-authority"},
		{"URL 4.4", "file:///10.0.0.1", ""}, {"RFC 3986 3.2", "//##u@10.0.0.1", "second-hash"},
		{"URL 4.4", "\x1fjavascript:x", "ambiguous-authority,active-scheme"},

		// Slashes and authorities.
		{"URL 4.4", "//h", ""}, {"URL 4.4", "/h:80", ""}, {"URL 4.4", "wss:h", "ambiguous-authority"}, {"URL 4.4", "ws://h", ""},
		{"URL 4.4", "file:/localhost", ""}, {"URL 4.4", `file:\localhost`, "ambiguous-authority,loopback"},
		{"URL 4.4", "file://localhost/x", "loopback"},
		{"URL 4.4", `http://u@a\b`, "ambiguous-authority,userinfo"},
		{"RFC 3986 3.2", `http://a\@10.0.0.1:22/x`, "port-nondefault,port-reserved,userinfo-spoof,ambiguous-authority,private-host,userinfo,ip-host"},

		// Hosts.
		{"RFC 1034 3.1", "http://" + long(1010) + ".localhost/", "loopback"}, // 4 times 255 bytes
		{"RFC 1034 3.1", "http://" + long(1011) + ".localhost/", ""},
		{"RFC 1034 3.1", "http://%80.localhost/", ""}, // of no charset that is known
		{"RFC 1034 3.1", "http://./", ""},
		{"URL 3.5", "http://a%2fb/", "encoded-delimiter"}, {"URL 3.5", "http://a%23b/", "encoded-delimiter"},
		{"URL 3.5", "http://a%3Ab/", "encoded-delimiter"}, {"URL 3.5", "http://a%3fb/", "encoded-delimiter"},
		{"URL 3.5", "http://a%40b/", "encoded-delimiter"}, {"URL 3.5", "http://a%5cb/", "encoded-delimiter"}, {"URL 3.5", "http://a%2eb/", ""},
		{"URL 3.5", "http://8.8.8.8./", "ip-host"}, {"URL 3.5", "http://a8.8.8.8/", ""},
		{"RFC 8375", "http://home.arpa/", "private-host"}, {"RFC 8375", "http://xhome.arpa/", ""},
		{"private use", "http://internal/", "private-host"}, {"private use", "http://internal.example/", ""},
		{"UTS 46 4", "http://ｅxample.com/", "mapped-host"},

		// IPv4 within IPv6.
		{"RFC 4291 2.5.5.1", "http://[::7f00:1]/", "loopback,ip-host"},
		{"RFC 4291 2.5.5.1", "http://[::a00:1]/", "private-host,ip-host"},
		{"RFC 4291 2.5.5.1", "http://[::1:0]/", "loopback,ip-host"}, // 0.1.0.0
		{"RFC 4291 2.5.5.1", "http://[::2]/", "ip-host"},            // no 0.0.0.2
		{"RFC 2765 2.1", "http://[::ffff:0:10.0.0.1]/", "private-host,ip-host"},
		{"RFC 2765 2.1", "http://[::fffe:0:10.0.0.1]/", "ip-host"},
		{"RFC 6052 2.1", "http://[64:ff9b::10.0.0.1]/", "private-host,ip-host"},
		{"RFC 6052 2.1", "http://[64:ff9c::10.0.0.1]/", "ip-host"},
		{"RFC 6052 2.1", "http://[65:ff9b::10.0.0.1]/", "ip-host"},
		{"RFC 3056 2", "http://[2002:a00:1::]/", "private-host,ip-host"},
		{"RFC 3056 2", "http://[2003:a00:1::]/", "ip-host"}, {"RFC 3056 2", "http://[2102:a00:1::]/", "ip-host"},
		{"RFC 4380 4", "http://[2001:0:1::f5ff:fffe]/", "private-host,ip-host"},
		{"RFC 4380 4", "http://[2001:0:1::3f57:fffe]/", "private-host,ip-host"}, // 192.168.0.1
		{"RFC 4380 4", "http://[2001:1:1::f5ff:fffe]/", "ip-host"},
		{"RFC 5214 6.1", "http://[2a00:1::5efe:10.0.0.1]/", "private-host,ip-host"},
		{"RFC 5214 6.1", "http://[2a00:1::200:5efe:10.0.0.1]/", "private-host,ip-host"},
		{"RFC 5214 6.1", "http://[2a00:1::100:5efe:10.0.0.1]/", "ip-host"},
		{"RFC 5214 6.1", "http://[2a00:1::1:5efe:10.0.0.1]/", "ip-host"},
		{"RFC 5214 6.1", "http://[2a00:1::5eff:10.0.0.1]/", "ip-host"},
		{"RFC 5214 6.1", "http://[2a00:1::5ffe:10.0.0.1]/", "ip-host"},

		// Scripts.
		{"UTS 39 5.2", "http://漢字ㄅabc.tw/", ""}, {"UTS 39 5.2", "http://ひらㄅ.tw/", "mixed-script"},
		{"UTS 39 5.2", "http://ab漢.example/", ""}, {"UTS 39 5.2", "http://漢привет.example/", "mixed-script"},
		{"UTS 39 5.2", "http://ก1-.example/", ""}, {"UTS 39 5.2", "http://กשב.example/", "mixed-script"},
		{"UTS 39 5.2", "http://й.example/", ""}, {"UTS 39 4", "http://\u0080а.example/", ""},
		{"RFC 5890 2.3.2.1", "http://" + aLabel(63) + ".example/", "mixed-script"}, {"RFC 5890 2.3.2.1", "http://" + aLabel(64) + ".example/", ""},
		{"UTS 39 5.2", "http://пр。abc.example/", "mapped-host"}, {"UTS 39 5.2", "http://пр．abc.example/", "mapped-host"},
		{"UTS 39 5.2", "http://пр｡abc.example/", "mapped-host"}, {"UTS 39 5.2", "http://прabc.example/", "mixed-script"},
		{"RFC 3986 3.5", "##", "second-hash"}, {"RFC 3986 3.5", "x#a#", "second-hash"}, {"RFC 3986 3.5", "#", ""},
	} {
		if got := Of([]byte(tt.url)).String(); got != tt.want {
			t.Errorf("%s: %+q: %s, want %s", tt.sec, tt.url, got, tt.want)
		}
		if got := risks([]byte(tt.url)).String(); got != tt.want {
			t.Errorf("%s: %+q: %s by examination, want %s", tt.sec, tt.url, got, tt.want)
		}
	}
}

// The characters that look like delimiters are these and no others.
func TestLookalikeDelimiters(t *testing.T) {
	const all = "⁄∕╱⟋⧸⼃／" + "⁈⁉⁇﹖？︖" + "﹟＃" + "∶꞉︓︰﹕：" + "﹫＠" + "∖⟍⧵⧹﹨＼"
	for r := rune(utf8.RuneSelf); r < 0x11000; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		url := "//a" + string(r) + "b"
		if got, want := Of([]byte(url))&LookalikeDelimiter != 0, strings.ContainsRune(all, r); got != want {
			t.Errorf("%U: %v", r, got)
		}
	}
}

// aLabel returns an A-label of n bytes of Latin letters and one Cyrillic.
func aLabel(n int) string {
	for i := range n {
		if label, err := idna.Punycode.ToASCII(strings.Repeat("a", i) + "\u0434"); err == nil && len(label) == n {
			return label
		}
	}
	return ""
}

// long returns n bytes of labels.
func long(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a'
		if i%50 == 49 {
			b[i] = '.'
		}
	}
	return string(b)
}
