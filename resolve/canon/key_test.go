package canon

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/hostname"
	"example.org/refract/internal/testing/scantest"
	"example.org/refract/resolve"
)

var keyTests = []struct {
	what      string
	key       Key
	url, want string
}{
	{"zero", Key{}, "HTTP://H:80/%7e/./?b&a#f", "http://h/~/?b&a#f"},
	{"forms", Key{Forms: resolve.CaseForm, NoFragment: true}, "HTTP://H:80/%7e#f", "http://h:80/%7E"},
	{"draft 3", Key{NoFragment: true}, "a?b#c#d", "a?b"},

	{"4.3.1", Key{NoTrailingDot: true}, "http://h.:80/", "http://h/"},
	{"4.3.1", Key{NoTrailingDot: true}, "http://u.@h.../", "http://u.@h/"},
	{"4.3.1", Key{NoTrailingDot: true}, "file://localhost./a", "file:///a"},
	{"4.3.1", Key{NoTrailingDot: true}, "http://./", "http://./"},

	{"RFC 5952 4", Key{ShortIPv6: true}, "http://[2001:DB8:0:0:0:0:0:1]:80/", "http://[2001:db8::1]/"},
	{"RFC 5952 4.2.2", Key{ShortIPv6: true}, "http://[2001:db8:0:1:1:1:1:1]/", "http://[2001:db8:0:1:1:1:1:1]/"},
	{"RFC 5952 5", Key{ShortIPv6: true}, "http://[::FFFF:c000:0201]/", "http://[::ffff:192.0.2.1]/"},
	{"RFC 6874 2", Key{ShortIPv6: true}, "http://[fe80:0::1%25En1]/", "http://[fe80::1%25En1]/"},
	{"no address", Key{ShortIPv6: true}, "http://[v1.a]/", "http://[v1.a]/"},
	{"no address", Key{ShortIPv6: true}, "http://[1:2:3/", "http://[1:2:3/"},

	{"UTS 46", Key{IDN: IDNASCII}, "http://u@Bücher.example:80/ü", "http://u@xn--bcher-kva.example/ü"},
	{"UTS 46", Key{IDN: IDNASCII}, "http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"},
	{"UTS 46", Key{IDN: IDNUnicode}, "http://XN--BCHER-kva.example/", "http://bücher.example/"},
	{"UTS 46", Key{IDN: IDNUnicode}, "http://BÜCHER.example/", "http://bücher.example/"},
	{"UTS 46", Key{IDN: IDNASCII}, "http://faß.example/", "http://xn--fa-hia.example/"},
	{"UTS 46", Key{IDN: IDNASCII, NoTrailingDot: true}, "http://例。example。/", "http://xn--fsq.example/"},
	{"left alone", Key{IDN: IDNASCII}, "http://under_score.example/", "http://under_score.example/"},
	{"left alone", Key{IDN: IDNASCII}, "http://ü_ü.example/", "http://ü_ü.example/"},
	{"left alone", Key{IDN: IDNASCII}, "http://ü\xff/", "http://ü\xff/"},
	{"left alone", Key{IDN: IDNASCII}, "http://evil.example／x/", "http://evil.example／x/"},
	{"left alone", Key{IDN: IDNUnicode}, "http://xn--a/", "http://xn--a/"},

	{"index", Key{NoIndex: true}, "http://h/a/index.html?q#f", "http://h/a/?q#f"},
	{"index", Key{NoIndex: true}, "https://h/Default.ASPX", "https://h/"},
	{"index", Key{NoIndex: true}, "http://h/a/index%2Ephp", "http://h/a/"},
	{"index", Key{NoIndex: true}, "http://h/index.html/index.php", "http://h/index.html/"},
	{"no index", Key{NoIndex: true}, "http://h/myindex.html", "http://h/myindex.html"},
	{"no index", Key{NoIndex: true}, "http://h/index.html;v=1", "http://h/index.html;v=1"},
	{"no index", Key{NoIndex: true}, "http://index.html", "http://index.html/"},
	{"no index", Key{NoIndex: true}, "ftp://h/index.html", "ftp://h/index.html"},
	{"no index", Key{NoIndex: true}, "index.html", "index.html"},

	{"tracking", Key{NoTracking: true}, "http://h/?utm_source=a&x=1&fbclid=b&y#f", "http://h/?x=1&y#f"},
	{"tracking", Key{NoTracking: true}, "http://h/?utm%5Fsource=a&gclid#f", "http://h/#f"},
	{"tracking", Key{NoTracking: true}, "http://h/?utm_id=1&", "http://h/"},
	{"no tracking", Key{NoTracking: true}, "http://h/?", "http://h/?"},
	{"no tracking", Key{NoTracking: true}, "http://h/?xutm_source=a&&utm=b&GCLID=c", "http://h/?xutm_source=a&&utm=b&GCLID=c"},
	{"no tracking", Key{NoTracking: true}, "mailto:a@b?utm_source=a", "mailto:a@b?utm_source=a"},

	{"sorted", Key{SortQuery: true}, "http://h/?b=2&a=2&b=1&a=1&B&#f", "http://h/?&B&a=2&a=1&b=2&b=1#f"},
	{"sorted", Key{SortQuery: true}, "http://h/?a-b=1&a=2", "http://h/?a=2&a-b=1"},
	{"sorted", Key{SortQuery: true, NoTracking: true}, "http://h/?z&utm_id&a?b", "http://h/?a?b&z"},
	{"not sorted", Key{SortQuery: true}, "urn:a?+b&a", "urn:a?+b&a"},

	{"session", Key{NoSession: true}, "http://h/a;jsessionid=0A-1!2;v=1/b;JSESSIONID=x?y", "http://h/a;v=1/b?y"},
	{"session", Key{NoSession: true}, "http://h/?a&PHPSESSID=0123456789abcdef0123456789abcdef&b", "http://h/?a&b"},
	{"session", Key{NoSession: true}, "http://h/?sid=0123456789ABCDEF0123456789abcdef", "http://h/"},
	{"session", Key{NoSession: true}, "http://h/?sid=12&jsessionid=", "http://h/?sid=12&jsessionid="},
	{"session", Key{NoSession: true}, "http://h/?CFID=1&CFTOKEN=2&ASPSESSIONIDABCDEFGH=abcdefghijklmnopqrstuvwx", "http://h/"},
	{"session", Key{NoSession: true}, "http://h/(S(4hqa0555fwsecu455xqckv45))/a/(4hqa0555fwsecu455xqckv45)/b.aspx", "http://h/a/b.aspx"},
	{"no session", Key{NoSession: true}, "http://h/(x)/jsessionid=1;a/(4hqa0555fwsecu455xqckv45)", "http://h/(x)/jsessionid=1;a/(4hqa0555fwsecu455xqckv45)"},
	{"no session", Key{NoSession: true}, "ftp://h/a;jsessionid=1", "ftp://h/a;jsessionid=1"},

	{"SURT", Key{SURT: SURTKey}, "http://www.Example.org:80/a?b", "org,example,www)/a?b"},
	{"SURT", Key{SURT: SURTKey}, "https://example.org", "org,example)/"},
	{"SURT", Key{SURT: SURTKey}, "http://u:p@example.org.:8080/#f", "org,example:8080@u:p)/#f"},
	{"SURT", Key{SURT: SURTKey}, "http://h", "h)/"},
	{"SURT", Key{SURT: SURTKey}, "http://192.0.2.1/", "192.0.2.1)/"},
	{"SURT", Key{SURT: SURTKey}, "http://[::1]:8/", "[::1]:8)/"},
	{"SURT", Key{SURT: SURTKey, Forms: resolve.CaseForm}, "HTTP://H.X:80", "x,h:80)"},
	{"SURT", Key{SURT: SURTKey}, "mailto:fred@example.org", "mailto:fred@example.org"},
	{"SURT", Key{SURT: SURTKey}, "file://localhost/a", "file:///a"},
	{"SURT", Key{SURT: SURTKey}, "//www.example.org/a", "org,example,www)/a"},
	{"SURT", Key{SURT: SURTKey}, "/a", "/a"},
	{"SURT", Key{SURT: SURTFull}, "http://www.Example.org:80/a?b", "http://(org,example,www,)/a?b"},
	{"SURT", Key{SURT: SURTFull}, "https://u@example.org:8080/", "https://(org,example,:8080@u)/"},
	{"SURT", Key{SURT: SURTFull}, "http://192.0.2.1/", "http://(192.0.2.1)/"},
}

func TestKey(t *testing.T) {
	for _, tt := range keyTests {
		if got := string(tt.key.Append(nil, []byte(tt.url))); got != tt.want {
			t.Errorf("%s: %+v: %q gives %q, want %q", tt.what, tt.key, tt.url, got, tt.want)
		}
	}
}

func TestLists(t *testing.T) {
	if !slices.IsSorted(TrackingNames()) || len(TrackingNames()) < 50 {
		t.Error("trackingNames is not sorted")
	}
	for _, name := range IndexNames() {
		if name != strings.ToLower(name) || strings.Contains(name, "/") {
			t.Errorf("%q", name)
		}
	}
	TrackingNames()[0], IndexNames()[0] = "changed", "changed"
	if trackingNames[0] == "changed" || indexNames[0] == "changed" {
		t.Error("the tables are given away")
	}
}

// everything is a key of all options.
var everything = Key{IDN: IDNASCII, ShortIPv6: true, NoTrailingDot: true, NoIndex: true, NoTracking: true, NoSession: true, SortQuery: true, NoFragment: true, SURT: SURTKey}

// The sets that FuzzKey tries: every form and key, by number.
func pickKey(n uint32) Key {
	return Key{
		Forms: resolve.Form(n) & resolve.AllForms,
		IDN:   IDN(n >> 4 & 3 % 3), ShortIPv6: n>>6&1 == 1, NoTrailingDot: n>>7&1 == 1,
		NoIndex: n>>8&1 == 1, NoTracking: n>>9&1 == 1, SortQuery: n>>10&1 == 1, NoFragment: n>>11&1 == 1,
		NoSession: n>>13&1 == 1,
	}
}

// FuzzKey checks what the documentation of Key promises.
func FuzzKey(f *testing.F) {
	for _, file := range []string{"../../testdata/resolve/normal.tsv", "../../testdata/resolve/rfc3986.tsv"} {
		for i, r := range scantest.Records(f, file) {
			f.Add(uint32(i*37), r["url"]+r["reference"])
		}
	}
	for i, tt := range keyTests {
		f.Add(uint32(1<<14-1-i), tt.url)
	}
	for i, s := range hostileKeys {
		f.Add(uint32(i*101), "http://"+s+s+s)
	}
	f.Fuzz(checkKey)
}

func checkKey(t *testing.T, n uint32, url string) {
	k := pickKey(n)
	const prefix = "prefix:"
	normal := func(f resolve.Form, s string) string { return string(f.Append(nil, []byte(s))) }

	key := string(k.Append(nil, []byte(url)))
	if again := string(k.Append(nil, []byte(key))); again != key {
		t.Fatalf("%+v: %q gives %q, and that %q", k, url, key, again)
	}
	full := resolve.AllForms
	if k.Forms != 0 {
		full = k.Forms
	}
	if of := string(k.Append(nil, []byte(normal(full, url)))); of != key {
		t.Fatalf("%+v: %q gives %q, its normal form %q", k, url, key, of)
	}
	if (k == Key{Forms: k.Forms}) && key != normal(full, url) {
		t.Fatalf("%+v: %q gives %q", k, url, key)
	}
	k.SURT = SURTKey + SURT(n>>12&1)
	surt := k.Append([]byte(prefix), []byte(url))
	if !bytes.HasPrefix(surt, []byte(prefix)) || !bytes.Equal(surt[len(prefix):], k.Append(nil, []byte(key))) {
		t.Fatalf("%+v: %q gives %q, %q gives %q", k, url, surt, key, k.Append(nil, []byte(key)))
	}
}

func TestKeyDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 1024)
	url := []byte("http://www.Example.org.:80/a/index.html?b=1&utm_source=x&a=1#f")
	if n := testing.AllocsPerRun(10, func() { dst = everything.Append(dst[:0], url) }); n != 0 {
		t.Errorf("key of %q: %v allocations", url, n)
	}
}

// hostileKeys are shapes that could make keys slow.
var hostileKeys = []string{"%", "%4", "%41", "%25", "../", "a/../", "/.", "@", ":", ":0", ".", "[", "]", "&", "b&a&", "=", "utm_=&", "ü", "xn--", "A", "--", "?", "#", "0"}

func TestHostileKeys(t *testing.T) {
	const n = 20_000
	dst := make([]byte, 0, 16*n)
	unicode := everything
	unicode.IDN, unicode.SURT = IDNUnicode, SURTFull
	for _, k := range []*Key{&everything, &unicode} {
		form := func(s []byte) { dst = k.Append(dst[:0], s) }
		for _, prefix := range []string{"", "/", "x:/", "http://", "http://h/", "http://h/?", "http://[", "http://xn--ü"} {
			for _, shape := range hostileKeys {
				short := []byte(prefix + strings.Repeat(shape, n/len(shape)))
				long := []byte(prefix + strings.Repeat(shape, 4*n/len(shape)))
				scantest.Linear(t, fmt.Sprintf("%q", prefix+shape+"…"), 50*4*n, func() { form(short) }, func() { form(long) })
			}
		}
	}
}

func BenchmarkKey(b *testing.B) {
	urls, size := [][]byte{}, int64(0)
	for _, tt := range keyTests {
		urls = append(urls, []byte(tt.url))
		size += int64(len(tt.url))
	}
	dst := make([]byte, 0, 1024)
	for _, bb := range []struct {
		name string
		key  Key
	}{{"surt", Key{SURT: SURTKey}}, {"everything", everything}} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, url := range urls {
					dst = bb.key.Append(dst[:0], url)
				}
			}
		})
	}
}

// The names of a key are mapped as those of browsers are.
func TestIDN(t *testing.T) {
	for _, name := range []string{"straẞe.example", "\U0001CCD6\U0001CCEF\U0001CCF0.example", "\u10A0.example", "\u04C0.example",
		"\u2132\u2183.example", "look\u180Eout.net", "\U0002F868.com", "\uF951\U0002F868\U0002F874\U0002F91F", "\U0001CCF1\U0001CCF2\U0001CCF7.1"} {
		want, _ := hostname.DomainToASCII([]byte(name))
		if got, ok := IDNASCII.name([]byte(name)); got != want || !ok {
			t.Errorf("%q: key %q, want %q", name, got, want)
		}
	}
}

// An address in brackets has at most 256 bytes, with its zone.
func TestLongLiteral(t *testing.T) {
	for n, want := range map[int]bool{256: true, 257: false} {
		server := "[fe80::1%" + strings.Repeat("z", n-len("fe80::1%")) + "]:80"
		host, port, ok := w3libLiteral([]byte(server))
		if ok != want || ok && (host != strings.TrimSuffix(server, ":80") || string(port) != "80") {
			t.Errorf("%d bytes: %q %q %v", n, host, port, ok)
		}
	}
}
