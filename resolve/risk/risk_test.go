package risk

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct{ sec, url, want string }{
		{"draft 7", "http://h/", ""},
		{"draft 7", "http://h:80/", ""},
		{"draft 7", "http://h:080/", ""},
		{"draft 7", "http://h:/", ""},
		{"draft 7", "http://h:8080/", "port-nondefault"},
		{"draft 7", "HTTP://h:25/", "port-nondefault,port-reserved"},
		{"draft 7", "http://h:1023/", "port-nondefault,port-reserved"},
		{"draft 7", "http://h:1024/", "port-nondefault"},
		{"draft 7", "http://h:0/", "port-nondefault"},
		{"draft 7", "http://h:99999999999999999999/", "port-nondefault"},
		{"draft 7", "telnet://h:80/", "port-nondefault,port-reserved"},
		{"draft 7", "unknown://h:25/", ""}, // its own port, for all that is known
		{"draft 7", "//h:25/", ""},         // depends on the base
		{"draft 7", "http://h/%0D%0ARSET", "encoded-control"},
		{"draft 7", "http://h/a?%00#", "encoded-control"},
		{"draft 7", "http://h/#%7f", "encoded-control"},
		{"draft 7", "http://%1F/", "encoded-control"},
		{"draft 7", "mailto:a@h?body=%0a", "encoded-control"},
		{"draft 7", "/x%09", "encoded-control"},
		{"draft 7", "http://h/%20%80%250D%0", ""},
		{"RFC 1738 3.4.1", "gopher://h/7a%09b%09+x", ""},
		{"RFC 1738 3.4.9", "gopher://h/0x%09%09+%091%0D%0A+-1%0D%0A", "gopher-lineend"},
		{"RFC 1738 6", "gopher://h/0a%0D%0Ab", "encoded-control,gopher-lineend"},
		{"RFC 1738 6", "gopher://h/0a%09b%0A", "encoded-control,gopher-lineend"},
		{"RFC 1738 6", "gopher://h:25/1", "port-nondefault,port-reserved,gopher-lineend"},
		{"RFC 1738 6", "gopher://h/0#%09", "encoded-control"},
		{"draft 7", "http://u:p@h/", "password,userinfo"},
		{"draft 7", "http://u:@h/", "userinfo"},
		{"draft 7", "http://u@h/", "userinfo"},
		{"draft 7", "//u:p@h/", "password,userinfo"},
		{"draft 7", "unknown://u:p@h", "password,userinfo"},
		{"RFC 3986 7.6", "ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm", "userinfo-spoof,private-host,userinfo,ip-host"},
		{"RFC 3986 7.6", "http://www.example.com@h/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://www.example.com:443@h/", "password,userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://a@b@h/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://a%40b@h/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://a%2fb@h/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://a%5Cb@h/", "userinfo-spoof,userinfo"},
		{"RFC 3986 7.6", "http://v1.2@h/", "userinfo"},
		{"URL 4.4", `http://a\b`, "ambiguous-authority"},
		{"URL 4.4", `http://a\@127.0.0.1/`, "userinfo-spoof,ambiguous-authority,loopback,userinfo,ip-host"},
		{"URL 4.4", `http:\\h`, "ambiguous-authority"},
		{"URL 4.4", `http:/\localhost`, "ambiguous-authority,loopback"},
		{"URL 4.4", "http:/h", "ambiguous-authority"},
		{"URL 4.4", "http:h", "ambiguous-authority"},
		{"URL 4.4", "http:///127.1/", "ambiguous-authority,numeric-host,loopback,ip-host"},
		{"URL 4.4", "http://a\tb/", "ambiguous-authority"},
		{"URL 4.4", "http://local\thost/", "ambiguous-authority,loopback"},
		{"URL 4.4", "ht\ntp://localhost/", "ambiguous-authority,loopback"},
		{"URL 4.4", "java\tscript:x", "ambiguous-authority,active-scheme"},
		{"URL 4.4", " http://h/", "ambiguous-authority"},
		{"URL 4.4", `\\h\x`, "ambiguous-authority"},
		{"URL 4.4", `/\localhost/`, "ambiguous-authority,loopback"},
		{"URL 4.4", `///h`, "ambiguous-authority"},
		{"URL 4.4", `//h\`, "ambiguous-authority"},
		{"URL 4.4", `a\b`, ""},
		{"URL 4.4", `http://h/a\b`, ""},
		{"URL 4.4", "http://h/a\tb?\\", ""},
		{"URL 4.4", `file://h\x`, "ambiguous-authority"},
		{"URL 4.4", `file:\\localhost\x`, "ambiguous-authority,loopback"},
		{"URL 4.4", "file:///etc/passwd", ""},
		{"URL 4.4", "file:////localhost/x", ""},
		{"URL 4.4", "unknown:///localhost", ""},
		{"URL 3.5", "http://0x7f.1/", "numeric-host,loopback,ip-host"},
		{"URL 3.5", "http://2130706433/", "numeric-host,loopback,ip-host"},
		{"URL 3.5", "http://0177.1/", "numeric-host,loopback,ip-host"},
		{"URL 3.5", "http://0X7F.0.0.1/", "numeric-host,loopback,ip-host"},
		{"URL 3.5", "http://127.0.0.01/", "numeric-host,loopback,ip-host"},
		{"URL 3.5", "http://10.1/", "numeric-host,private-host,ip-host"},
		{"URL 3.5", "http://8.8.8.0x8", "numeric-host,ip-host"},
		{"URL 3.5", "http://0x/", "numeric-host,loopback,ip-host"},
		{"URL 3.5", "http://4294967296/", ""},
		{"URL 3.5", "http://1.2.3.4.5/", ""},
		{"URL 3.5", "http://256.1/", ""},
		{"URL 3.5", "http://1.256.1.1/", ""},
		{"URL 3.5", "http://08.1/", ""},
		{"URL 3.5", "http://1.2.3.a/", ""},
		{"URL 3.5", "http://8.8.8.8/", "ip-host"},
		{"URL 3.5", "http://%31%32%37.0.0.1/", "numeric-host,loopback,ip-host"},
		{"URL 3.5", "http://①②⑦.0.0.1/", "numeric-host,loopback,ip-host,mapped-host"},
		{"RFC 1122 3.2.1.3", "http://127.0.0.1.:80/", "loopback,ip-host"},
		{"RFC 1122 3.2.1.3", "http://0.0.0.0", "loopback,ip-host"},
		{"RFC 4291 2.5.3", "http://[::1]:80/", "loopback,ip-host"},
		{"RFC 4291 2.5.3", "http://[::]/", "loopback,ip-host"},
		{"RFC 4291 2.5.5.2", "http://[::ffff:127.0.0.1]/", "loopback,ip-host"},
		{"RFC 6761 6.3", "http://LOCALHOST./", "loopback"},
		{"RFC 6761 6.3", "http://a.localhost/", "loopback"},
		{"RFC 6761 6.3", "http://mylocalhost/", ""},
		{"RFC 1918 3", "http://10.0.0.1/", "private-host,ip-host"},
		{"RFC 1918 3", "http://172.31.0.1/", "private-host,ip-host"},
		{"RFC 1918 3", "http://172.32.0.1/", "ip-host"},
		{"RFC 1918 3", "http://192.168.0.1/", "private-host,ip-host"},
		{"RFC 4193 3.1", "http://[fd00::1]/", "private-host,ip-host"},
		{"RFC 8375", "http://router.home.arpa/", "private-host"},
		{"RFC 8375", "http://1.in-addr.arpa/", ""},
		{"private use", "http://metadata.google.internal/", "private-host"},
		{"RFC 3927 2.1", "http://169.254.169.254/", "link-local,ip-host"},
		{"RFC 4291 2.5.6", "http://[fe80::1%25en0]/", "link-local,ip-host"},
		{"RFC 6762 3", "http://printer.local/", "link-local"},
		{"RFC 3986 3.2.2", "http://[2001:db8::1]/", "ip-host"},
		{"RFC 3986 3.2.2", "http://[v1.x]/", ""},
		{"HTML 7.4", "JavaScript:x", "active-scheme"},
		{"HTML 7.4", "vbscript:x", "active-scheme"},
		{"HTML 7.4", "blob:https://h/1", "active-scheme"},
		{"HTML 7.4", "data:text/HTML,x", "active-scheme"},
		{"HTML 7.4", "data:image/svg+xml;base64,x", "active-scheme"},
		{"HTML 7.4", "data:text/plain,x", ""},
		{"HTML 7.4", "about:blank", ""},
		{"UTS 39 5.2", "http://пример.com/", ""},
		{"UTS 39 5.2", "http://xn--e1afmkfd.com/", ""},
		{"UTS 39 5.2", "http://pаypal.com/", "mixed-script,confusable"}, // а is Cyrillic
		{"UTS 39 5.2", "http://xn--pypal-4ve.com/", "mixed-script,confusable"},
		{"UTS 39 5.2", "http://XN--PYPAL-4VE.com/", "mixed-script,confusable"},
		{"UTS 39 5.2", "http://p%D0%B0ypal.com/", "mixed-script,confusable"},
		{"UTS 39 4", "http://аррӏе.com/", "confusable"},
		{"UTS 39 4", "http://xn--80ak6aa92e.com/", "confusable"},
		{"UTS 39 5.2", "http://bücher.example/", ""},
		{"UTS 39 5.2", "http://日本ひらカナabc.jp/", ""},
		{"UTS 39 5.2", "http://한글漢字abc.kr/", ""},
		{"UTS 39 5.2", "http://ひら한글.jp/", "mixed-script"},
		{"UTS 39 5.2", "http://ελλάδαabc.gr/", "mixed-script"},
		{"UTS 39 5.2", "http://สวัสดีกข.th/", ""},
		{"UTS 39 5.2", "http://กשל.th/", "mixed-script"},
		{"UTS 39 5.2", "http://กabc.th/", "mixed-script"},
		{"UTS 39 5.2", "http://xn--/", ""},
		{"UAX 9 2", "http://h/%E2%80%AEgpj.exe", "bidi"},
		{"UAX 9 2", "http://h/\u202Egpj", "bidi"},
		{"UAX 9 2", "http://h/%e2\x80%ae", "bidi"},
		{"UAX 9 2", "#\u2066", "bidi"},
		{"UAX 9 2", "http://h/%D8%9C", "bidi"},
		{"Unicode 23.2", "http://h/a%C2%ADb", "invisible"},
		{"Unicode 23.2", "http://h/?a\u200Bb", "invisible"},
		{"Unicode 23.2", "http://h/%EF%BB%BF", "invisible"},
		{"Unicode 23.9", "http://h/%F3%A0%81%81", "invisible"},
		{"Unicode 23.2", "http://h/%E2%80%82%E2%82%AC%E2", ""},
		{"", "", ""},
	} {
		if got := Of([]byte(tt.url)).String(); got != tt.want {
			t.Errorf("%s: %q: %s, want %s", tt.sec, tt.url, got, tt.want)
		}
	}
}

func TestLabelNames(t *testing.T) {
	names := AnyLabel.Names()
	if len(names) != len(labelNames) || names[0] != PortNondefault.String() || names[len(names)-1] != SecondHash.String() {
		t.Errorf("%v", names)
	}
	if slices.Contains(names, "") || AnyLabel != 1<<len(labelNames)-1 {
		t.Errorf("%b for %d names", AnyLabel, len(labelNames))
	}
	if Labels(0).Names() != nil || Labels(0).String() != "" {
		t.Error("the empty set has names")
	}
}

func FuzzRisks(f *testing.F) {
	for _, r := range scantest.Records(f, "../../testdata/resolve/schemes.tsv") {
		f.Add(r["url"])
	}
	for _, s := range []string{"http://xn--80ak6aa92e.com/", "http://0x7f.1", "//[::1%25a]", "http:\\\\a\tb@c:80", "data:text/html,%E2%80%AE"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, url string) {
		l := Of([]byte(url))
		if l&^AnyLabel != 0 {
			t.Fatalf("%q: %b", url, l)
		}
		if all := risks([]byte(url)); l != all { // IsPlain and the examination of the parts agree
			t.Fatalf("%q: %v, want %v", url, l, all)
		}
		if IsPlain([]byte(url)) && strings.ContainsFunc(url, needsEscape) {
			t.Fatalf("%q needs an escape in JSON", url)
		}
		// What is active, encoded or hidden in a URL is so wherever it stands.
		if more := Of([]byte(url + "%0Dx%E2%80%AEx%C2%AD")); more&Bidi == 0 || more&Invisible == 0 || more&(EncodedControl|GopherLineEnd) == 0 {
			t.Fatalf("%q: %v with more behind", url, more)
		}
		if l&Password != 0 && !strings.Contains(url, "@") {
			t.Fatalf("%q: %v", url, l)
		}
	})
}

func needsEscape(r rune) bool { return r <= ' ' || r >= 0x7F || r == '"' || r == '\\' }

// IsPlain recognises plain URLs, and no others.
func TestRiskless(t *testing.T) {
	for _, url := range []string{"", "x", "/x", "../x?a:b", "?a:b", "#a:b", "a%20b:c", "http://example.org", "https://a-b.example.org/%7Ex/?q=1#x", "http://e/:@", "mailto:a@b", "http://example.info/"} {
		if !IsPlain([]byte(url)) {
			t.Errorf("%q is not plain", url)
		}
	}
	for _, host := range []string{"localhosT", "LOCAL", "home.arpA", "x.INTERNAL"} {
		if IsPlain([]byte("http://" + host + "/")) {
			t.Errorf("%q is plain", host)
		}
	}
	hosts := []string{"localhost", "a.LOCAL", "local", "x.internal", "arpa", "home.arpa", "a.", "1.2.3.4", "0x7f.1", "xn--a", "a.xn--b", "A--b", "a:80", "u@h", "", "[::1]", "h\\x", "a\tb", "e%2Fx", "\xe2\x93\x94.com", "-", ".x", "3com.com"}
	for _, host := range hosts {
		for _, url := range []string{"http://" + host, "https://" + host + "/", "HTTP://" + host + "/x", "//" + host, "ftp://" + host, "http:/" + host, "http:" + host, "\\\\" + host, " http://" + host, "ht\ntp://" + host, "mailto://" + host} {
			for _, end := range []string{"", "#a#b", "%00", "%7f", "\u200f", "%E2%80%8B", "%", "%4", "%zz", "?x\ty", "\\", "\"", "?plain\"text", "?long text"} {
				if u := []byte(url + end); IsPlain(u) && (risks(u) != 0 || strings.ContainsFunc(string(u), needsEscape)) {
					t.Errorf("%q: %v", u, risks(u))
				}
			}
		}
	}
}

// hostileRisks begins with what is examined, and repeats what could make that slow.
func hostileRisks(yield func(prefix, shape string)) {
	for _, prefix := range []string{"", "//", "http://", "http:", "http://h/", "gopher://h/0", "file:", "data:", "http://[", "http://xn--", "http://a@"} {
		for _, shape := range []string{"@", ":", "a.", "%09", "%0D", "%", "\\", "\t", "é", "xn--a.", "xn--", "%E2%80", "%E2%80%AE", "[", "0.", "а", "h\t",
			"1", "-", "a", "/", "a/", "..", "../"} {
			yield(prefix, shape)
		}
	}
}

func TestHostileURLs(t *testing.T) {
	hostileRisks(func(prefix, shape string) {
		n := scantest.Amount(500, 4_000)
		short := []byte(prefix + strings.Repeat(shape, n/len(shape)))
		long := []byte(prefix + strings.Repeat(shape, 4*n/len(shape)))
		scantest.Linear(t, fmt.Sprintf("%q", prefix+shape+"…"), time.Duration(50*4*n), func() { Of(short) }, func() { Of(long) })
	})
}

var plainURLs = []string{"http://h:80/", "ftp://a@h/%20b;type=a", "gopher://h/0a%09b", "mailto:a@h", "http://h/%E2%82%AC", "telnet://h:23/",
	"data:text/plain,a", "http://www.example.org./", "X-Mine:y", "../a/b.html?x=y&z#s", "https://www.example.com/docs/guide?lang=en#top"}

func TestRisksDoesNotAllocate(t *testing.T) {
	for _, s := range plainURLs {
		url := []byte(s)
		if n := testing.AllocsPerRun(10, func() { Of(url) }); n != 0 {
			t.Errorf("%q: %v allocations", url, n)
		}
	}
}

func BenchmarkRisks(b *testing.B) {
	for _, bb := range []struct {
		name string
		urls []string
	}{{"Short", plainURLs}, {"Long", []string{"http://h/" + strings.Repeat("abc%20%E2%82%AC/", 2000)}}} {
		b.Run(bb.name, func(b *testing.B) {
			var urls [][]byte
			size := 0
			for _, s := range bb.urls {
				urls = append(urls, []byte(s))
				size += len(s)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, url := range urls {
					Of(url)
				}
			}
		})
	}
}
