package resolve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// shown writes outcomes as "result: rules (options)", one a line.
func shown(outcomes []*Outcome) string {
	var lines []string
	for _, o := range outcomes {
		line := o.URL
		switch {
		case o.Result.InError:
			line = "(error)"
		case o.Result.SameDocument():
			line = "(current document)" + o.URL
		}
		line += ": " + strings.Join(o.Rules, ", ")
		var ways []string
		for _, way := range o.Options {
			ways = append(ways, strings.Join(way, "+"))
		}
		if len(ways) > 0 {
			line += " (" + strings.Join(ways, " or ") + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct{ rules, base, ref, want string }{
		{"rfc3986", "http://a/b/c/d;p?q", "g", "http://a/b/c/g: rfc3986, rfc1808, draft-01, draft-02, draft, rfc2396"},
		{"rfc3986", "http://a/b/c/d;p?q", "../../../g",
			"http://a/g: rfc3986\nhttp://a/../g: rfc1808, draft-01, draft-02, draft, rfc2396 (above-root)"},
		{"rfc3986", "http://a/b/c/d;p?q", "/../g", // dropped for being above the root, or for being there at all
			"http://a/g: rfc3986\nhttp://a/../g: rfc1808, draft-01, draft-02, draft, rfc2396 (above-root or absolute-dots)"},
		{"draft", "http://a/b/c/d;p?q", "/../g", // it takes both to leave the draft's
			"http://a/../g: draft, rfc1808, draft-01, draft-02, rfc2396\nhttp://a/g: rfc3986 (above-root+absolute-dots)"},
		{"rfc3986", "http://a/b/c/d;p?q", "/./g",
			"http://a/g: rfc3986\nhttp://a/./g: rfc1808, draft-01, draft-02, draft, rfc2396 (absolute-dots)"},
		{"rfc3986", "http://a/b/c/d;p?q#f", "",
			"http://a/b/c/d;p?q: rfc3986\nhttp://a/b/c/d;p?q#f: rfc1808 (empty)\n(current document): draft-01, draft-02, draft, rfc2396 (empty)"},
		{"rfc3986", "http://a/b/c/d;p?q", "#s",
			"http://a/b/c/d;p?q#s: rfc3986, rfc1808\n(current document)#s: draft-01, draft-02, draft, rfc2396 (fragment-only)"},
		{"rfc2396", "http://a/b/c/d;p?q", "?y",
			"http://a/b/c/?y: rfc2396, draft-02, draft\nhttp://a/b/c/d;p?y: rfc3986, rfc1808, draft-01 (query-only)"},
		{"rfc3986", "http://a/b/c/d;p?q", "?y/../z",
			"http://a/b/c/d;p?y/../z: rfc3986, rfc1808, draft-01\nhttp://a/b/c/z: draft-02 (query-only+query-dots)\nhttp://a/b/c/?y/../z: draft, rfc2396 (query-only)"},
		{"rfc3986", "http://a/b/c/d;p?q", ";x",
			"http://a/b/c/;x: rfc3986, draft-01, draft-02, draft, rfc2396\nhttp://a/b/c/d;x: rfc1808 (params)"},
		{"rfc3986", "http://a/b/c/d;p?q", "12:30",
			"http://a/b/c/12:30: rfc3986, rfc2396\n12:30: rfc1808, draft-01, draft-02, draft (digit-scheme)"},
		{"rfc3986", "http://a/b", "g?",
			"http://a/g?: rfc3986, draft-02, draft, rfc2396\nhttp://a/g: rfc1808, draft-01 (empty-component)"},
		{"rfc3986", "http://a?x", "g",
			"http://a/g: rfc3986, draft-02, draft, rfc2396\nhttp://a?x/g: rfc1808, draft-01 (authority-end)"},
		{"draft,same-scheme=relative", "http://a/b", "http:g",
			"http://a/g: draft,same-scheme=relative\nhttp:g: rfc3986, rfc1808, draft-01, draft-02, draft, rfc2396 (same-scheme)"},
		{"draft,above-root=error", "http://a/b", "../g",
			"(error): draft,above-root=error\nhttp://a/g: rfc3986 (above-root)\nhttp://a/../g: rfc1808, draft-01, draft-02, draft, rfc2396 (above-root)"},
	} {
		if got := shown(parseRules(t, tt.rules).Compare(tt.base, []byte(tt.ref))); got != tt.want {
			t.Errorf("%s: %q + %q:\n%s\nwant\n%s", tt.rules, tt.base, tt.ref, got, tt.want)
		}
	}
}

// TestCompareRandom checks what Compare promises: every name once, distinct results,
// and options that do what is said of them, with none to spare.
func TestCompareRandom(t *testing.T) {
	const alphabet = "a1:/?#.;/."
	bases := []string{"", "a:", "a://b", "a:/", "1:", "a://b/c/d?e#f"}
	rng := rand.New(rand.NewPCG(5, 2))
	random := func() string {
		s := make([]byte, rng.IntN(9))
		for i := range s {
			s[i] = alphabet[rng.IntN(len(alphabet))]
		}
		return string(s)
	}
	for range 3000 {
		_, r := pick(rng.Uint32())
		base, ref := bases[rng.IntN(len(bases))]+random(), []byte(random())
		outcomes := r.Compare(base, ref)
		what := fmt.Sprintf("%v: %q + %q\n%s", r, base, ref, shown(outcomes))
		var names []string
		for i, o := range outcomes {
			names = append(names, o.Rules...)
			if (i > 0) != (len(o.Options) > 0) {
				t.Fatal(what)
			}
			for _, earlier := range outcomes[:i] {
				if o.same(earlier) {
					t.Fatal(what)
				}
			}
			for _, way := range o.Options {
				other, _ := RulesNamed(o.Rules[0])
				turn := func(way []string) *Outcome {
					turned := r
					for _, k := range options {
						if slices.Contains(way, k.Name) {
							k.set(&turned, other.get(&k))
						}
					}
					return turned.outcome(base, ref)
				}
				if !o.same(turn(way)) {
					t.Fatalf("%s\n%v does not do it", what, way)
				}
				for j := range way {
					if less := slices.Delete(slices.Clone(way), j, j+1); o.same(turn(less)) {
						t.Fatalf("%s\n%v is enough", what, less)
					}
				}
			}
		}
		for _, name := range documentNames() {
			if n := len(names) - len(slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == name })); n > 1 {
				t.Fatalf("%s\n%s stands there %d times", what, name, n)
			}
		}
		if rules, ok := RulesNamed(names[0]); len(names) != len(documentNames())+1 && (!ok || rules != r || len(names) != len(documentNames())) {
			t.Fatal(what)
		}
	}
}

func TestRulesString(t *testing.T) {
	for _, s := range append(RulesNames(), "rfc3986,above-root=retain", "draft,above-root=remove,same-scheme=relative", "rfc1808,params=no") {
		if got := parseRules(t, s).String(); got != s {
			t.Errorf("%q is called %q", s, got)
		}
	}
	if got := parseRules(t, "rfc2396,digit-scheme=yes").String(); got != "draft" {
		t.Errorf("rfc2396 with digit-scheme=yes is called %q", got)
	}
	for i := range uint32(2000) {
		_, rules := pick(i*0x9e3779b1 | 1)
		if parseRules(t, rules.String()) != rules {
			t.Fatalf("%q is not %#v", rules, rules)
		}
	}
}

func TestCompareHostile(t *testing.T) {
	linear(t, "compare", 50, func(s string, ref []byte) { Rules{}.Compare(typicalBase, ref) })
}

func BenchmarkCompare(b *testing.B) {
	refs, size := typicalBytes()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, ref := range refs {
			Rules{}.Compare(typicalBase, ref)
		}
	}
}

// documentNames are the names of rules but for those of browsers.
func documentNames() []string {
	return slices.DeleteFunc(RulesNames(), func(name string) bool { return name == "whatwg" })
}
