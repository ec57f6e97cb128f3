package resolve

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// pick makes rules out of a number: with an even one those of a document, by
// its name, with any policy above the root and either reading of "http:g"; with
// an odd one, any combination of options, which has no name.
func pick(n uint32) (name string, rules Rules) {
	n, odd := n/2, n%2 == 1
	if !odd {
		names := slices.DeleteFunc(RulesNames(), func(name string) bool { return name == "whatwg" }) // see whatwg_test.go
		name = names[n%uint32(len(names))]
		rules, _ = RulesNamed(name)
		n /= uint32(len(names))
		if n%4 > 0 {
			rules.AboveRoot = AboveRoot(n%4 - 1)
		}
		rules.SameScheme = n/4%2 == 1
		return name, rules
	}
	for _, k := range options {
		k.set(&rules, int(n%uint32(len(k.Values))))
		n /= uint32(len(k.Values))
	}
	return "", rules
}

func FuzzAppend(f *testing.F) {
	tables, _ := filepath.Glob(testdata + "/*.tsv")
	for _, file := range tables {
		for i, r := range scantest.Records(f, file) {
			if _, ok := r["reference"]; ok {
				f.Add(uint32(i), r["base"], r["reference"])
			}
		}
	}
	for i, s := range hostile {
		f.Add(uint32(2*i), "x://h/"+s+s+s, s+s+s)
	}
	f.Fuzz(func(t *testing.T, n uint32, base, ref string) {
		if len(base)+len(ref) > 1<<10 {
			return // the literal implementation is slow
		}
		check(t, n, base, ref)
	})
}

// TestRandom tries pairs over the characters that mean something.
func TestRandom(t *testing.T) {
	const alphabet = "ab:/?#.;/."
	bases := []string{"", "a:", "a://", "a://b", "a://b/", "a:/", "/", "//b/", "1:"}
	rng := rand.New(rand.NewPCG(3, 986))
	random := func(max int) string {
		s := make([]byte, rng.IntN(max+1))
		for i := range s {
			s[i] = alphabet[rng.IntN(len(alphabet))]
		}
		return string(s)
	}
	for range scantest.Amount(20_000, 1_000_000) {
		check(t, rng.Uint32(), bases[rng.IntN(len(bases))]+random(9), random(9))
		if t.Failed() {
			return
		}
	}
}

func check(t *testing.T, n uint32, base, ref string) {
	name, rules := pick(n)
	b := rules.Resolver(base)
	const prefix = "prefix:"
	dst, res := b.Append([]byte(prefix), []byte(ref))
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s %+v: %q + %q = %q, %v %q error %v", name, rules, base, ref, dst, res.Step, res.Departures, res.InError)
		t.Fatalf(format, args...)
	}

	rest, ok := bytes.CutPrefix(dst, []byte(prefix))
	if !ok {
		fail("dst was overwritten")
	}
	got := string(rest)
	if len(got) > len(base)+len(ref)+2 {
		fail("longer than base, reference and two bytes")
	}
	if slow, slowRes := b.appendGeneral(nil, []byte(ref)); string(slow) != got || slowRes != res {
		fail("the general path gives %q, %v", slow, slowRes)
	}
	if b.Keeps([]byte(ref)) && (got != ref || res != Result{Step: Absolute}) {
		fail("Keeps says that the reference is not changed")
	}
	if name != "" {
		want := literal(name, rules, base, ref)
		if got != want.url || res != (Result{Step: want.step, Departures: want.departures, InError: want.inError}) {
			fail("literally %+v (%v, %q)", want, want.step, want.departures)
		}
	}

	for _, s := range []string{base, ref, got} {
		if p := Parse([]byte(s)).Append(nil); string(p) != s {
			fail("Parse and Append make %q out of %q", p, s)
		}
		if p := rules.Parse([]byte(s)).Append(nil); string(p) != s && !rules.EmptyAbsent {
			fail("Parse and Append make %q out of %q", p, s)
		}
	}

	// What a relative reference inherits, it does not change.
	was, is := rules.Parse([]byte(base)), rules.Parse(rest)
	switch res.Step {
	case RelativePath, AbsolutePath, SamePath, SameURI:
		if res.InError {
			break
		}
		if is.HasAuthority != was.HasAuthority && !(rules.AuthoritySlash && was.HasAuthority) {
			fail("an authority from nowhere")
		}
		if host := Parse(rest).Authority; !bytes.Equal(host, Parse([]byte(base)).Authority) {
			fail("the host is %q", host)
		}
		fallthrough
	case NetworkPath:
		if !res.InError && (is.HasScheme != was.HasScheme || !bytes.Equal(is.Scheme, was.Scheme)) {
			fail("the scheme is %q", is.Scheme)
		}
	case Absolute:
		if res.InError != (got == "") {
			fail("in error, and yet a URL")
		}
	}
	if res.InError && (got != "" || rules.AboveRoot != FailAboveRoot || res.Departures&WentAbove == 0) {
		fail("in error")
	}
}
