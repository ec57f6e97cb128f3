package resolve

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.org/refract/internal/testing/scantest"
)

const typicalBase = "https://www.example.com/docs/v2/guide/index.html?lang=en#top"

// typical are ten references as documents have them.
var typical = []string{
	"?page=2",
	"#fn1",
	"page2.html#section-3",
	"https://pkg.go.dev/net/url#URL.Parse",
	"/static/css/main.css",
	"./images/figure-1.png",
	"../tutorial/start.html",
	"//cdn.example.net/lib/jquery.min.js",
	"sub/dir/../other.html",
	"chapter/intro.html?print=1",
}

func typicalBytes() (refs [][]byte, size int64) {
	for _, ref := range typical {
		refs = append(refs, []byte(ref))
		size += int64(len(ref))
	}
	return refs, size
}

func BenchmarkAppend(b *testing.B) {
	base := Rules{}.Resolver(typicalBase)
	refs, size := typicalBytes()
	dst := make([]byte, 0, 1024)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, ref := range refs {
			dst, _ = base.Append(dst[:0], ref)
		}
	}
}

// BenchmarkNetURL does the work of BenchmarkAppend with net/url.
func BenchmarkNetURL(b *testing.B) {
	base, err := url.Parse(typicalBase)
	if err != nil {
		b.Fatal(err)
	}
	_, size := typicalBytes()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, ref := range typical {
			u, err := url.Parse(ref)
			if err != nil {
				b.Fatal(err)
			}
			_ = base.ResolveReference(u).String()
		}
	}
}

func BenchmarkAppendEach(b *testing.B) {
	base := Rules{}.Resolver(typicalBase)
	dst := make([]byte, 0, 1024)
	for _, ref := range typical {
		b.Run(ref, func(b *testing.B) {
			ref := []byte(ref)
			for b.Loop() {
				dst, _ = base.Append(dst[:0], ref)
			}
		})
	}
}

// BenchmarkRules takes the general path, except for rfc3986.
func BenchmarkRules(b *testing.B) {
	refs, size := typicalBytes()
	dst := make([]byte, 0, 1024)
	for _, name := range RulesNames() {
		b.Run(name, func(b *testing.B) {
			rules, _ := RulesNamed(name)
			base := rules.Resolver(typicalBase)
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, ref := range refs {
					dst, _ = base.Append(dst[:0], ref)
				}
			}
		})
	}
}

func BenchmarkResolver(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Rules{}.Resolver(typicalBase)
	}
}

// hostile are the shapes that make naive resolvers quadratic.
var hostile = []string{"../", "a/../", "./", "/", "a/", "..", "/..", "a:", "?/..", ";/../"}

// hostileHosts are shapes of authorities.
var hostileHosts = []string{"@", ":", "[", "é", "日本", "é.", "1.", "0x", "xn--", "xn--a.", "a。", "%41", "\t", "\xff", "é@", "\\"}

func BenchmarkHostile(b *testing.B) {
	const size = 30_000
	dst := make([]byte, 0, 2*size)
	for _, name := range []string{"rfc3986", "draft-02"} {
		rules, _ := RulesNamed(name)
		base := rules.Resolver(typicalBase)
		for _, shape := range hostile[:4] {
			ref := bytes.Repeat([]byte(shape), size/len(shape))
			b.Run(name+" "+shape, func(b *testing.B) {
				b.SetBytes(int64(len(ref)))
				b.ReportAllocs()
				for b.Loop() {
					dst, _ = base.Append(dst[:0], ref)
				}
			})
		}
	}
}

// linear has every hostile shape. Below 50 ns a byte and resolution, of which run makes so
// many, caches and the allocator decide, and the race detector; what is quadratic takes far
// more.
func linear(t *testing.T, what string, resolutions int, run func(string, []byte)) {
	t.Helper()
	n := scantest.Amount(1000, 20_000)
	for _, prefix := range []string{"", "/", "x:/", "x", "http://"} {
		shapes := hostile
		if prefix == "http://" {
			shapes = hostileHosts
		}
		for _, shape := range shapes {
			short := prefix + strings.Repeat(shape, n/len(shape))
			long := prefix + strings.Repeat(shape, 4*n/len(shape))
			scantest.Linear(t, fmt.Sprintf("%s %q", what, prefix+shape+"…"), time.Duration(50*4*n*resolutions),
				func() { run(short, []byte(short)) }, func() { run(long, []byte(long)) })
		}
	}
}

// TestHostile has every hostile shape as the reference and as the path of the base.
func TestHostile(t *testing.T) {
	dst := make([]byte, 0, 320_000)
	for _, name := range RulesNames() {
		rules, _ := RulesNamed(name)
		base := rules.Resolver(typicalBase)
		linear(t, name+": reference", 1, func(_ string, ref []byte) { dst, _ = base.Append(dst[:0], ref) })
		linear(t, name+": base", 1, func(s string, _ []byte) { dst, _ = rules.Resolver("x://h/"+s).Append(dst[:0], []byte(s)) })
	}
	readings := NewReadings(typicalBase)
	linear(t, "two readings", 2, func(_ string, ref []byte) { dst, _ = readings.AppendBrowser(dst[:0], ref) })
}

func TestAppendDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 1024)
	for _, name := range RulesNames() {
		rules, _ := RulesNamed(name)
		if rules.Browser {
			continue
		}
		base := rules.Resolver(typicalBase)
		refs, _ := typicalBytes()
		for _, s := range []string{"", "../../../../x", "/a/../b", "urn:a/../b", "x:/.//y", "g;x?y#s", "HTTPS:g", "/.//x"} {
			refs = append(refs, []byte(s))
		}
		for _, ref := range refs {
			if n := testing.AllocsPerRun(10, func() { dst, _ = base.Append(dst[:0], ref) }); n != 0 {
				t.Errorf("%s: %q: %v allocations", name, ref, n)
			}
		}
	}
}
