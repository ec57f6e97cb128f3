package resolve

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// TestRelative reads the table that TestTables reads, in the other direction.
func TestRelative(t *testing.T) {
	for _, r := range scantest.Records(t, testdata+"/relative.tsv") {
		rules := parseRules(t, r["rules"])
		got, ok := rules.Resolver(r["base"]).AppendRelative(nil, []byte(r["expected"]))
		if string(got) != r["reference"] || !ok {
			t.Errorf("%s: %s: %q from %q is %q (%v), want %q", r["section"], r["rules"], r["expected"], r["base"], got, ok, r["reference"])
		}
		checkRelative(t, rules, r["base"], r["expected"])
	}
}

// What no reference points to stays as it is.
func TestNoWayBack(t *testing.T) {
	for _, tt := range []struct{ why, rules, base, url string }{
		{"dots go", "rfc3986", "http://a/b", "http://a/x/../y"},
		{"dots go", "rfc3986", "http://a/b", "http://h/.."},
		{"dots go, even those of its own base", "rfc3986", "http://a/b/../c", "http://a/b/../d"},
		{"a reference, and no URL", "rfc3986", "http://a/b", "../c"},
		{"a reference, and no URL", "rfc3986", "http://a/b", ""},
		{"http: is not read", "rfc3986,same-scheme=relative", "http://a/b", "HTTP://a/c"},
		{"the current document is no URL", "draft", "", "#s"},
	} {
		got, ok := parseRules(t, tt.rules).Resolver(tt.base).AppendRelative(nil, []byte(tt.url))
		if ok || string(got) != tt.url {
			t.Errorf("%s: %s: %q from %q is %q (%v)", tt.why, tt.rules, tt.url, tt.base, got, ok)
		}
	}
}

// checkRelative checks the round trip, and that what has none is left as it is.
func checkRelative(t *testing.T, rules Rules, base, url string) {
	t.Helper()
	const prefix = "prefix:"
	b := rules.Resolver(base)
	dst, ok := b.AppendRelative([]byte(prefix), []byte(url))
	ref, whole := bytes.CutPrefix(dst, []byte(prefix))
	if !whole {
		t.Fatal("dst was overwritten")
	}
	back, res := b.Append(nil, ref)
	switch goesBack := string(back) == url && !res.InError && !res.SameDocument(); {
	case ok && !goesBack:
		t.Fatalf("%+v: %q from %q is %q, which gives %q", rules, url, base, ref, back)
	case !ok && (goesBack || string(ref) != url):
		t.Fatalf("%+v: %q from %q is %q, and yet not to be had", rules, url, base, ref)
	}
}

// checkShortest checks that there is no shorter reference than what
// AppendRelative gives, knowing one that gives the same URL.
func checkShortest(t *testing.T, b *Resolver, ref []byte, url, rel []byte) (_, _ []byte) {
	t.Helper()
	url, res := b.Append(url[:0], ref)
	if res.InError || res.SameDocument() || b.rules.QueryDots && b.rules.EmptyAbsent {
		return url, rel
	}
	rel, ok := b.AppendRelative(rel[:0], url)
	if !ok || len(rel) > len(ref) {
		t.Fatalf("%+v: %q from %q is %q (%v), but %q will do", b.Rules(), url, b, rel, ok, ref)
	}
	return url, rel
}

// TestRelativeIsShortest resolves every reference up to some length over the
// characters that mean something: none is shorter than what is given for its URL.
func TestRelativeIsShortest(t *testing.T) {
	const alphabet = "x:/?#.;"
	refs := [][]byte{{}}
	for i := 0; len(refs[i]) < 5; i++ {
		for _, c := range []byte(alphabet) {
			refs = append(refs, append(bytes.Clone(refs[i]), c))
		}
	}
	upTo3 := 1 + 7 + 7*7 + 7*7*7
	upTo4 := upTo3 + 7*7*7*7
	bases := []string{"", "x:", "x:x", "x:x/b", "x:/", "x:/x/b", "x://", "x://x", "x://x/", "x://x/x/x",
		"x://x/x/;x?x#x", "x://x?x", "x:/.//x", "x://x/../x", "x://x/x/../../../b/", "x://x//x/x",
		"x:x/../../b/x", "x://x#x", "x://x/x/./?", "x:x/..//../b/c", "x:;x/?", "/x/x", "x/b", "//x/x"}
	var url, rel []byte
	for i := range uint32(40) {
		_, rules := pick(2 * i) // as a document has them, and policies
		few := refs[:upTo4]
		switch {
		case i%4 == 3: // any combination
			_, rules = pick(i*0x9e3779b1 | 1)
		case i < uint32(len(RulesNames())) && scantest.IsLong():
			few = refs
		}
		if i%3 > 0 && !scantest.IsLong() {
			few = refs[:upTo3]
		}
		for _, base := range bases {
			b := rules.Resolver(base)
			for _, ref := range few {
				url, rel = checkShortest(t, b, ref, url, rel)
			}
		}
	}
}

// TestRelativeRandom is longer references, against longer bases.
func TestRelativeRandom(t *testing.T) {
	const alphabet = "aax:/?#.;/./"
	rng := rand.New(rand.NewPCG(18, 8))
	random := func(max int) []byte {
		s := make([]byte, rng.IntN(max+1))
		for i := range s {
			s[i] = alphabet[rng.IntN(len(alphabet))]
		}
		return s
	}
	starts := []string{"", "x:", "x:/", "x://a", "x://a/", "//a/"}
	var url, rel []byte
	for range scantest.Amount(1000, 50_000) {
		_, rules := pick(rng.Uint32())
		b := rules.Resolver(starts[rng.IntN(len(starts))] + string(random(12)))
		for range 20 {
			url, rel = checkShortest(t, b, random(12), url, rel)
			checkRelative(t, rules, b.String(), starts[rng.IntN(len(starts))]+string(random(9)))
		}
	}
}

func FuzzRelative(f *testing.F) {
	for i, r := range append(scantest.Records(f, testdata+"/relative.tsv"), scantest.Records(f, testdata+"/departures.tsv")...) {
		f.Add(uint32(i), r["base"], r["reference"])
		f.Add(uint32(i), r["base"], r["expected"])
	}
	for i, s := range hostile {
		f.Add(uint32(2*i), "x://h/"+s+s+s, "x://h/"+s)
	}
	f.Fuzz(func(t *testing.T, n uint32, base, s string) {
		_, rules := pick(n)
		checkRelative(t, rules, base, s)
		checkShortest(t, rules.Resolver(base), []byte(s), nil, nil)
	})
}

// TestRelativeOfOthers compares the tests of other projects, which often ask for a
// form that is longer, and sometimes for one that leads elsewhere.
func TestRelativeOfOthers(t *testing.T) {
	type key struct{ base, url string }
	const league = "http://a/b/c/d;p?q"
	accepted := map[key]struct{ want, got, why string }{}
	for _, class := range []struct {
		why  string
		rows [][4]string // base, URL, theirs, ours
	}{
		{"from the root it is shorter; theirs has a mode for that", [][4]string{
			{"s://ex/a/d/c/d", "s://ex/a/b/c/d", "../../b/c/d", "/a/b/c/d"},
			{"s://ex/a/c/d/e", "s://ex/a/b/", "../../b/", "/a/b/"},
			{"s://ex/a//b/c", "s://ex/a/b", "../../b", "/a/b"},
			{"s://ex/a///b", "s://ex/a/", "../../", "/a/"},
			{league, "http://a/", "../../", "/"},
			{league, "http://a/g", "../../g", "/g"},
			{"http://a/", "http://a/d:p", "./d:p", "/d:p"},
		}},
		{"the slash at the end can be spared (RFC 3986 5.2.4, steps 2B and 2C)", [][4]string{
			{league, "http://a/b/c/", "./", "."},
			{league, "http://a/b/", "../", ".."},
		}},
		{"theirs leads to a path of one slash, or to none where there is one", [][4]string{
			{league, "http://a", "../../", "//a"},
			{"http://a/", "http://a?q#s", "/?q#s", "//a?q#s"},
			{"http://a", "http://a/", "", "."},
		}},
	} {
		for _, r := range class.rows {
			accepted[key{r[0], r[1]}] = struct{ want, got, why string }{r[2], r[3], class.why}
		}
	}
	used := map[key]bool{}
	for _, r := range scantest.Records(t, testdata+"/relative-others.tsv") {
		k, want := key{r["base"], r["reference"]}, r["expected"]
		got, _ := Rules{}.Resolver(k.base).AppendRelative(nil, []byte(k.url))
		a, ok := accepted[k]
		used[k] = true
		switch {
		case !ok && string(got) != want:
			t.Errorf("%q from %q is %q, want %q", k.url, k.base, got, want)
		case ok && (a.want != want || a.got != string(got)):
			t.Errorf("%q from %q is %q, theirs %q; want %q, theirs %q (%s)", k.url, k.base, got, want, a.got, a.want, a.why)
		}
	}
	for k := range accepted {
		if !used[k] {
			t.Errorf("no row %q from %q to excuse", k.url, k.base)
		}
	}
}

// TestRelativeHostile has every hostile shape as the path of the URL, of the base,
// and of both.
func TestRelativeHostile(t *testing.T) {
	dst := make([]byte, 0, 1<<20)
	for _, name := range RulesNames() {
		rules, _ := RulesNamed(name)
		base := rules.Resolver(typicalBase)
		linear(t, name+": URL", 4, func(s string, _ []byte) { dst, _ = base.AppendRelative(dst[:0], []byte("https://www.example.com/"+s)) })
		linear(t, name+": base", 4, func(s string, _ []byte) {
			dst, _ = rules.Resolver("x://h/"+s).AppendRelative(dst[:0], []byte("x://h/x"))
		})
		linear(t, name+": both", 4, func(s string, _ []byte) {
			dst, _ = rules.Resolver("x://h/"+s+"/x").AppendRelative(dst[:0], []byte("x://h/"+s+"/y"))
		})
	}
}

func BenchmarkAppendRelative(b *testing.B) {
	base := Rules{}.Resolver(typicalBase)
	refs, _ := typicalBytes()
	var urls [][]byte
	var size int64
	for _, ref := range refs {
		url, _ := base.Append(nil, ref)
		urls = append(urls, url)
		size += int64(len(url))
	}
	dst := make([]byte, 0, 1024)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, url := range urls {
			dst, _ = base.AppendRelative(dst[:0], url)
		}
	}
}

func BenchmarkRelativeHostile(b *testing.B) {
	const size = 30_000
	dst := make([]byte, 0, 4*size)
	for _, shape := range hostile[:4] {
		path := strings.Repeat(shape, size/len(shape))
		base := Rules{}.Resolver("x://h/" + path)
		url := []byte("x://h/" + path + "z")
		b.Run(shape, func(b *testing.B) {
			b.SetBytes(int64(len(url)))
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = base.AppendRelative(dst[:0], url)
			}
		})
	}
}

func TestAppendRelativeDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 1024)
	for _, name := range documentNames() {
		rules, _ := RulesNamed(name)
		base := rules.Resolver(typicalBase)
		for _, url := range []string{"", typicalBase, "https://www.example.com/docs/v2/x?y#z", "https://www.example.com//x",
			"https://www.example.com/docs/v2/guide/a:b/../c", "http://h/", "x", "https://h/" + strings.Repeat("a/", 50)} {
			url := []byte(url)
			if n := testing.AllocsPerRun(10, func() { dst, _ = base.AppendRelative(dst[:0], url) }); n != 0 {
				t.Errorf("%s: %q: %v allocations", name, url, n)
			}
		}
	}
}
