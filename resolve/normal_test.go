package resolve

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/scantest"
)

// parseForms reads names of forms, in any order.
func parseForms(t testing.TB, s string) (f Form) {
	t.Helper()
	for _, word := range strings.Fields(s) {
		switch word {
		case "percent":
			f |= PercentForm
		case "case":
			f |= CaseForm
		case "dots":
			f |= DotsForm
		case "scheme":
			f |= SchemeForm
		case "all":
			f |= AllForms
		default:
			t.Fatalf("no form %q", word)
		}
	}
	return f
}

func TestNormal(t *testing.T) {
	rows := readTable(t, testdata+"/normal.tsv")
	if len(rows) != 163 {
		t.Errorf("%d rows, want 163", len(rows))
	}
	for _, r := range rows {
		if got := parseForms(t, r["forms"]).Append(nil, []byte(r["url"])); string(got) != r["expected"] {
			t.Errorf("%s: %s: %q gives %q, want %q", r["section"], r["forms"], r["url"], got, r["expected"])
		}
	}
}

// The sets that FuzzNormalize tries: every form and key, by number.
func pickKey(n uint32) Key {
	return Key{
		Forms: Form(n) & AllForms,
		IDN:   IDN(n >> 4 & 3 % 3), ShortIPv6: n>>6&1 == 1, NoTrailingDot: n>>7&1 == 1,
		NoIndex: n>>8&1 == 1, NoTracking: n>>9&1 == 1, SortQuery: n>>10&1 == 1, NoFragment: n>>11&1 == 1,
		NoSession: n>>13&1 == 1,
	}
}

// FuzzNormalize checks what the documentation of Form and Key promises.
func FuzzNormalize(f *testing.F) {
	for _, file := range []string{testdata + "/normal.tsv", testdata + "/rfc3986.tsv"} {
		for i, r := range readTable(f, file) {
			f.Add(uint32(i*37), r["url"]+r["reference"], "x/../%2e/y")
		}
	}
	for i, tt := range keyTests {
		f.Add(uint32(1<<14-1-i), tt.url, "%2e%2E//h:080/%61:b")
	}
	for i, s := range hostileURLs {
		f.Add(uint32(i*101), "http://"+s+s+s, s+s)
	}
	f.Fuzz(checkNormal)
}

func checkNormal(t *testing.T, n uint32, url, ref string) {
	k := pickKey(n)
	form := Form(n) & AllForms
	const prefix = "prefix:"
	normal := func(f Form, s string) string { return string(f.Append(nil, []byte(s))) }

	dst := form.Append([]byte(prefix), []byte(url))
	rest, ok := bytes.CutPrefix(dst, []byte(prefix))
	if !ok {
		t.Fatalf("%q: dst was overwritten: %q", url, dst)
	}
	got := string(rest)
	if again := normal(form, got); again != got {
		t.Fatalf("forms %04b: %q gives %q, and that %q", form, url, got, again)
	}
	if len(got) > len(url)+2 {
		t.Fatalf("forms %04b: %q gives %q: more than two bytes longer", form, url, got)
	}
	// Forms lose nothing that a greater set of them keeps.
	if all, want := normal(AllForms, got), normal(AllForms, url); all != want {
		t.Fatalf("forms %04b: %q gives %q, whose full form is %q, not %q", form, url, got, all, want)
	}
	if form == 0 && got != url {
		t.Fatalf("no form: %q gives %q", url, got)
	}

	was, is := Parse([]byte(url)), Parse(rest)
	if is.HasScheme != was.HasScheme || is.HasAuthority != was.HasAuthority || is.HasQuery != was.HasQuery || is.HasFragment != was.HasFragment {
		t.Fatalf("forms %04b: %q gives %q, with other components", form, url, got)
	}
	if !bytes.EqualFold(is.Scheme, was.Scheme) {
		t.Fatalf("forms %04b: %q gives %q", form, url, got)
	}
	for _, part := range [][2][]byte{{userOf(was.Authority), userOf(is.Authority)}, {was.Query, is.Query}, {was.Fragment, is.Fragment}} {
		if !bytes.Equal(octets(part[0]), octets(part[1])) {
			t.Fatalf("forms %04b: %q gives %q: %q and %q are different octets", form, url, got, part[0], part[1])
		}
	}

	// A reference means the same in any form, on a base in the normal form that has
	// an authority; but section 5.2 takes "%2e" for a name, which a ".." removes.
	escapedDot := strings.Contains(strings.ToLower(ref), "%2e")
	if base := normal(AllForms, url); was.HasScheme && was.HasAuthority && !escapedDot {
		b := Rules{}.Resolver(base)
		resolved := func(ref string) string {
			uri, _ := b.Append(nil, []byte(ref))
			return normal(AllForms, string(uri))
		}
		if a, b := resolved(ref), resolved(normal(form, ref)); a != b {
			t.Fatalf("forms %04b: %q + %q is %q, + %q is %q", form, base, ref, a, normal(form, ref), b)
		}
	}

	key := string(k.Append(nil, []byte(url)))
	if again := string(k.Append(nil, []byte(key))); again != key {
		t.Fatalf("%+v: %q gives %q, and that %q", k, url, key, again)
	}
	full := AllForms
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

func userOf(authority []byte) []byte {
	return authority[:bytes.LastIndexByte(authority, '@')+1]
}

// octets decodes every escape of s.
func octets(s []byte) (out []byte) {
	for i := 0; i < len(s); i++ {
		c, ok := ascii.Unescape(s[i:])
		if ok {
			i += 2
		} else {
			c = s[i]
		}
		out = append(out, c)
	}
	return out
}

var keyTests = []struct {
	what      string
	key       Key
	url, want string
}{
	{"zero", Key{}, "HTTP://H:80/%7e/./?b&a#f", "http://h/~/?b&a#f"},
	{"forms", Key{Forms: CaseForm, NoFragment: true}, "HTTP://H:80/%7e#f", "http://h:80/%7E"},
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
	{"SURT", Key{SURT: SURTKey, Forms: CaseForm}, "HTTP://H.X:80", "x,h:80)"},
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

func TestAppendFormDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 1024)
	for _, r := range readTable(t, testdata+"/normal.tsv") {
		url := []byte(r["url"])
		if n := testing.AllocsPerRun(10, func() { dst = AllForms.Append(dst[:0], url) }); n != 0 {
			t.Errorf("%q: %v allocations", url, n)
		}
	}
	url := []byte("http://www.Example.org.:80/a/index.html?b=1&utm_source=x&a=1#f")
	if n := testing.AllocsPerRun(10, func() { dst = everything.Append(dst[:0], url) }); n != 0 {
		t.Errorf("key of %q: %v allocations", url, n)
	}
}

// hostileURLs are shapes that could make normalising slow.
var hostileURLs = []string{"%", "%4", "%41", "%25", "../", "a/../", "/.", "@", ":", ":0", ".", "[", "]", "&", "b&a&", "=", "utm_=&", "ü", "xn--", "A", "--", "?", "#", "0"}

func TestHostileForms(t *testing.T) {
	const n = 20_000
	dst := make([]byte, 0, 16*n)
	unicode := everything
	unicode.IDN, unicode.SURT = IDNUnicode, SURTFull
	form := func(k *Key, s []byte) {
		dst = AllForms.Append(dst[:0], s)
		dst = k.Append(dst[:0], s)
	}
	for _, k := range []*Key{&everything, &unicode} {
		for _, prefix := range []string{"", "/", "x:/", "http://", "http://h/", "http://h/?", "http://[", "http://xn--ü"} {
			for _, shape := range hostileURLs {
				short := []byte(prefix + strings.Repeat(shape, n/len(shape)))
				long := []byte(prefix + strings.Repeat(shape, 4*n/len(shape)))
				scantest.Linear(t, fmt.Sprintf("%q", prefix+shape+"…"), 50*4*n, func() { form(k, short) }, func() { form(k, long) })
			}
		}
	}
}

// spellings are URLs as lists have them, of which some are in the normal form.
var spellings = []string{
	"https://www.example.com/docs/v2/guide/index.html?lang=en#top",
	"http://www.Example.org:80/a/b/c?x=1&y=2",
	"https://cdn.example.net/lib/jquery-3.7.1.min.js",
	"http://example.com",
	"https://en.example.org/wiki/R%C3%A9sum%c3%a9",
	"https://example.org/a/./b/../c/%7Euser/",
	"mailto:editors@example.org",
	"https://shop.example.com/p/12345?utm_source=mail&utm_medium=x&color=red&size=10",
	"http://lists.example.org/pipermail/www-talk/1995JanFeb/0042.html",
	"https://example.com/static/img/logo.png",
}

func BenchmarkNormal(b *testing.B) {
	size := int64(0)
	urls := make([][]byte, len(spellings))
	for i, s := range spellings {
		urls[i] = []byte(s)
		size += int64(len(s))
	}
	dst := make([]byte, 0, 1024)
	bench := func(name string, f func(dst, url []byte) []byte) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, url := range urls {
					dst = f(dst[:0], url)
				}
			}
		})
	}
	bench("copy", Form(0).Append)
	bench("percent", PercentForm.Append)
	bench("case", CaseForm.Append)
	bench("dots", DotsForm.Append)
	bench("scheme", SchemeForm.Append)
	bench("all", AllForms.Append)
	bench("surt", (&Key{SURT: SURTKey}).Append)
	bench("everything", everything.Append)
}
