package resolve

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.org/refract/internal/ascii"
	"example.org/refract/internal/testing/scantest"
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
	rows := scantest.Records(t, testdata+"/normal.tsv")
	if len(rows) != 163 {
		t.Errorf("%d rows, want 163", len(rows))
	}
	for _, r := range rows {
		if got := parseForms(t, r["forms"]).Append(nil, []byte(r["url"])); string(got) != r["expected"] {
			t.Errorf("%s: %s: %q gives %q, want %q", r["section"], r["forms"], r["url"], got, r["expected"])
		}
	}
}

// FuzzNormalize checks what the documentation of Form promises.
func FuzzNormalize(f *testing.F) {
	for _, file := range []string{testdata + "/normal.tsv", testdata + "/rfc3986.tsv"} {
		for i, r := range scantest.Records(f, file) {
			f.Add(uint32(i*37), r["url"]+r["reference"], "x/../%2e/y")
		}
	}
	for i, s := range hostileURLs {
		f.Add(uint32(i*101), "http://"+s+s+s, s+s)
	}
	f.Fuzz(checkNormal)
}

func checkNormal(t *testing.T, n uint32, url, ref string) {
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

func TestAppendFormDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 1024)
	for _, r := range scantest.Records(t, testdata+"/normal.tsv") {
		url := []byte(r["url"])
		if n := testing.AllocsPerRun(10, func() { dst = AllForms.Append(dst[:0], url) }); n != 0 {
			t.Errorf("%q: %v allocations", url, n)
		}
	}
}

// hostileURLs are shapes that could make normalising slow.
var hostileURLs = []string{"%", "%4", "%41", "%25", "../", "a/../", "/.", "@", ":", ":0", ".", "[", "]", "&", "b&a&", "=", "utm_=&", "ü", "xn--", "A", "--", "?", "#", "0"}

func TestHostileForms(t *testing.T) {
	const n = 20_000
	dst := make([]byte, 0, 16*n)
	form := func(s []byte) { dst = AllForms.Append(dst[:0], s) }
	for _, prefix := range []string{"", "/", "x:/", "http://", "http://h/", "http://h/?", "http://[", "http://xn--ü"} {
		for _, shape := range hostileURLs {
			short := []byte(prefix + strings.Repeat(shape, n/len(shape)))
			long := []byte(prefix + strings.Repeat(shape, 4*n/len(shape)))
			scantest.Linear(t, fmt.Sprintf("%q", prefix+shape+"…"), 50*4*n, func() { form(short) }, func() { form(long) })
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
}
