package resolve

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// Which step decides, and the section that says so, under each set of rules.
func TestExplainStep(t *testing.T) {
	columns := []string{"rfc3986", "rfc1808", "draft-01", "draft-02", "draft", "rfc2396"}
	if !slices.Equal(columns, documentNames()) {
		t.Errorf("rules without a column: %v", documentNames())
	}
	const (
		current   = "the current document, since no component of a URL is given"
		fragment  = "the current document, since only a fragment is given"
		absolute  = "absolute, since it has a scheme"
		network   = `network path, since it begins with "//"`
		rooted    = `absolute path, since it begins with "/"`
		relative  = "relative path, which replaces the last segment of the base's"
		emptyPath = "relative path, an empty one, which replaces the last segment of the base's"
		bare      = "the base without its fragment, since no component is given"
		whole     = "the base with its fragment, since the reference is empty"
		onBase    = "the base with this fragment, since nothing else is given"
		query     = "the base's path with this query, since no path is given"
		params    = "the base's path with these params, since no path is given"
		none      = "no base, so that the reference stays as it is"
		same      = "" // as in the column before
	)
	type column struct{ words, section string }
	const base = "http://a/b/c/d;p?q#f"
	for _, tt := range []struct {
		base, ref string
		want      [6]column
	}{
		{base, "", [6]column{{bare, "RFC 3986 5.2.2"}, {whole, "RFC 1808 4 step 2a"},
			{current, "draft-01 5.2 step 2a"}, {same, "draft-02 5.2 step 2"}, {same, "draft 5.2 step 2"}, {same, "RFC 2396 5.2 step 2"}}},
		{base, "#s", [6]column{{onBase, "RFC 3986 5.2.2"}, {same, "RFC 1808 4 step 5b"},
			{fragment, "draft-01 5.2 step 2a"}, {same, "draft-02 5.2 step 2"}, {same, "draft 5.2 step 2"}, {same, "RFC 2396 5.2 step 2"}}},
		{base, "#", [6]column{{onBase, "RFC 3986 5.2.2"}, {bare, "RFC 1808 4 step 5b"},
			{current, "draft-01 5.2 step 2a"}, {fragment, "draft-02 5.2 step 2"}, {same, "draft 5.2 step 2"}, {same, "RFC 2396 5.2 step 2"}}},
		{base, "x:y", [6]column{{absolute, "RFC 3986 5.2.2"}, {same, "RFC 1808 4 step 2b"},
			{same, "draft-01 5.2 step 2b"}, {same, "draft-02 5.2 step 3"}, {same, "draft 5.2 step 3"}, {same, "RFC 2396 5.2 step 3"}}},
		{base, "//h", [6]column{{network, "RFC 3986 5.2.2"}, {same, "RFC 1808 4 step 3"},
			{same, "draft-01 5.2 step 3"}, {same, "draft-02 5.2 step 4"}, {same, "draft 5.2 step 4"}, {same, "RFC 2396 5.2 step 4"}}},
		{base, "/g", [6]column{{rooted, "RFC 3986 5.2.2"}, {same, "RFC 1808 4 step 4"},
			{same, "draft-01 5.2 step 4"}, {same, "draft-02 5.2 step 5"}, {same, "draft 5.2 step 5"}, {same, "RFC 2396 5.2 step 5"}}},
		{base, "g", [6]column{{relative, "RFC 3986 5.2.3"}, {same, "RFC 1808 4 step 6"},
			{same, "draft-01 5.2 step 6"}, {same, "draft-02 5.2 step 6"}, {same, "draft 5.2 step 6"}, {same, "RFC 2396 5.2 step 6"}}},
		{base, "?y", [6]column{{query, "RFC 3986 5.2.2"}, {same, "RFC 1808 4 step 5b"},
			{same, "draft-01 5.2 step 5"}, {emptyPath, "draft-02 5.2 step 6"}, {same, "draft 5.2 step 6"}, {same, "RFC 2396 5.2 step 6"}}},
		{base, ";x", [6]column{{relative, "RFC 3986 5.2.3"}, {params, "RFC 1808 4 step 5a"},
			{relative, "draft-01 5.2 step 6"}, {same, "draft-02 5.2 step 6"}, {same, "draft 5.2 step 6"}, {same, "RFC 2396 5.2 step 6"}}},
		{"", "g", [6]column{{none, "RFC 1808 4 step 1"}, {same, "RFC 1808 4 step 1"},
			{same, "draft-01 5.2 step 1"}, {same, "RFC 1808 4 step 1"}, {same, "RFC 1808 4 step 1"}, {same, "RFC 1808 4 step 1"}}},
	} {
		words := ""
		for i, want := range tt.want {
			if want.words != same {
				words = want.words
			}
			rules := parseRules(t, columns[i])
			if got, want := rules.Resolver(tt.base).Explain([]byte(tt.ref))[0], "step: "+words+" ("+want.section+")"; got != want {
				t.Errorf("%s: %q + %q\n%s\nwant\n%s", columns[i], tt.base, tt.ref, got, want)
			}
		}
	}
}

// All facts but the first.
func TestExplain(t *testing.T) {
	const (
		base      = "http://a/b/c/d;p?q#f"
		directory = `inherited: scheme "http", authority "a", directory "/b/c/"`
	)
	for _, tt := range []struct{ rules, base, ref, want string }{
		{"rfc3986", base, "g", directory},
		{"rfc3986", base, "", `inherited: scheme "http", authority "a", path "/b/c/d;p", query "q"`},
		{"rfc3986", base, "?y", `inherited: scheme "http", authority "a", path "/b/c/d;p"`},
		{"rfc3986", base, "/g", `inherited: scheme "http", authority "a"`},
		{"rfc3986", base, "//g", `inherited: scheme "http"`},
		{"rfc3986", base, "x:g", ""},
		{"rfc3986", "", "g", ""},
		{"rfc3986", "file:///a/b", "g", `inherited: scheme "file", authority "", directory "/a/"`},
		{"draft", base, "#s", ""},
		{"rfc1808", base, "", `inherited: scheme "http", authority "a", path "/b/c/d", params "p", query "q", fragment "f"`},
		{"rfc1808", base, "?y", `inherited: scheme "http", authority "a", path "/b/c/d", params "p"`},
		{"rfc1808", base, ";x", `inherited: scheme "http", authority "a", path "/b/c/d"`},

		{"rfc3986", base, "../g/./h?x#y", directory + `|dot segments: "/b/c/../g/./h" becomes "/b/g/h" (RFC 3986 5.2.4)`},
		{"rfc1808", base, "../g;x", directory + `|dot segments: "/b/c/../g" becomes "/b/g" (RFC 1808 4 step 6)`},
		{"draft-01", base, "..", directory + `|dot segments: "/b/c/.." becomes "/b/" (draft-01 5.2 step 6)`},
		{"draft", base, "../g", directory + `|dot segments: "/b/c/../g" becomes "/b/g" (draft 5.2 step 6)`},
		{"rfc2396", base, "../g", directory + `|dot segments: "/b/c/../g" becomes "/b/g" (RFC 2396 5.2 step 6)`},
		{"draft-02", base, "g?y/../x#z", directory + `|dot segments: "/b/c/g?y/../x" becomes "/b/c/x" (draft-02 5.2 step 6), the query taking part (draft-02 5.2 step 6c)`},
		{"rfc3986", base, "/./g", `inherited: scheme "http", authority "a"|dot segments: "/./g" becomes "/g" (RFC 3986 5.2.4)`},
		{"rfc3986", base, "http://h/./g", `dot segments: "/./g" becomes "/g" (RFC 3986 5.2.4)`},
		{"draft", base, "/./g", `inherited: scheme "http", authority "a"`},
		{"draft", base, "http://h/./g", ""},
		{"draft,absolute-dots=remove", base, "/./g", `inherited: scheme "http", authority "a"|dot segments: "/./g" becomes "/g" (RFC 3986 5.2.4)`},
		{"rfc3986,absolute-dots=leave", base, "../g", directory + `|dot segments: "/b/c/../g" becomes "/b/g" (draft 5.2 step 6)`},
		{"rfc3986", "http://a/b/../c", "g", `inherited: scheme "http", authority "a", directory "/b/../"|dot segments: "/b/../g" becomes "/g" (RFC 3986 5.2.4)`},
		{"rfc3986", "http://a", "./g", `inherited: scheme "http", authority "a"|dot segments: "/./g" becomes "/g" (RFC 3986 5.2.4)`},

		{"rfc3986", base, "../../../g", directory + `|dot segments: "/b/c/../../../g" becomes "/g" (RFC 3986 5.2.4)|above-root: ".." goes above the root, and is removed (RFC 3986 5.2.4)`},
		{"rfc3986,above-root=retain", base, "../../../g", directory + `|dot segments: "/b/c/../../../g" becomes "/../g" (RFC 3986 5.2.4)|above-root: ".." goes above the root, and is kept (draft 5.2 step 6g)`},
		{"rfc3986,above-root=error", base, "../../../g", directory + `|above-root: ".." goes above the root, and there is no URL (draft 5.2 step 6g)`},
		{"rfc2396,above-root=error", base, "../../../g", directory + `|above-root: ".." goes above the root, and there is no URL (RFC 2396 5.2 step 6g)`},
		{"rfc1808", "http://a/b", "../g", `inherited: scheme "http", authority "a", directory "/"|above-root: ".." goes above the root, and is kept (RFC 1808 5.2)`},
		{"draft-01", "http://a/b", "../g", `inherited: scheme "http", authority "a", directory "/"|above-root: ".." goes above the root, and is kept (draft-01 appendix C)`},
		{"draft,above-root=remove", "http://a/b", "../g", `inherited: scheme "http", authority "a", directory "/"|dot segments: "/../g" becomes "/g" (draft 5.2 step 6)|above-root: ".." goes above the root, and is removed (draft 5.2 step 6g)`},

		{"rfc3986", base, "u:a/../b", `rootless: the path does not begin with "/", so its dots are data and stay (unlike RFC 3986 5.2.2)`},
		{"rfc3986", "foo:/a", ".//g", `inherited: scheme "foo", directory "/"|dot segments: "/.//g" becomes "//g" (RFC 3986 5.2.4)|guard: "/." is put in front of "//g", or it would begin with an authority (RFC 3986 3.3)`},
		{"draft", "a/b", "../c:d?e", `inherited: directory "a/"|dot segments: "a/../c:d" becomes "c:d" (draft 5.2 step 6)|guard: "./" is put in front of "c:d?e", or it would begin with a scheme (RFC 3986 4.2)`},
		{"rfc1808", "foo:////a", "?y", `inherited: scheme "foo", path "//a"|guard: "/." is put in front of "//a?y", or it would begin with an authority (RFC 3986 3.3)`},
		{"draft", "http://a", "g", `inherited: scheme "http", authority "a"|slash: "/" is put in front of "g", or it would be part of the host (RFC 3986 5.2.3)`},
		{"rfc1808", "http://a", ";x", `inherited: scheme "http", authority "a"|slash: "/" is put in front of ";x", or it would be part of the host (RFC 3986 5.2.3)`},

		{"rfc3986,same-scheme=relative", base, "HTTP:g", `scheme: "HTTP:" is the base's, and ignored (RFC 3986 5.2.2, not strict)|` + directory},
		{"rfc2396,same-scheme=relative", base, "http:g", `scheme: "http:" is the base's, and ignored (RFC 2396 5.2 step 3)|` + directory},
		{"rfc3986", base, "\x1b[31m\n\xff", directory},
		{"rfc3986", base, "./\x1b\n\xff\u202e", directory + `|dot segments: "/b/c/./\x1b\n\xff\u202e" becomes "/b/c/\x1b\n\xff\u202e" (RFC 3986 5.2.4)`},
	} {
		got := strings.Join(parseRules(t, tt.rules).Resolver(tt.base).Explain([]byte(tt.ref))[1:], "|")
		if got != tt.want {
			t.Errorf("%s: %q + %q\n%s\nwant\n%s", tt.rules, tt.base, tt.ref, strings.ReplaceAll(got, "|", "\n"), strings.ReplaceAll(tt.want, "|", "\n"))
		}
	}
}

// Every decision is some document's, and whatever is asked has an answer.
func TestExplainIsTotal(t *testing.T) {
	for d := range aboveError + 1 {
		if rules := (Rules{}); rules.cite(d) == "" {
			t.Errorf("decision %d", d)
		}
	}
	for _, name := range RulesNames() {
		if rules, _ := RulesNamed(name); rules.Document() == "" {
			t.Errorf("%s has no title", name)
		}
	}
	for i := range uint32(scantest.Amount(12, 40)) {
		_, rules := pick(i * 0x9e3779b1)
		for _, base := range []string{"", "a:", "a://b", "a:/.//c", "a://b/../c;d?e#f", "a/b", "//"} {
			b := rules.Resolver(base)
			for _, ref := range hostile {
				for _, ref := range []string{ref, "x" + ref, "a:" + ref, "//" + ref, "#" + ref, ";?#", ref + ref + "//?" + ref} {
					for _, fact := range b.Explain([]byte(ref)) {
						if strings.ContainsAny(fact, "\n\x1b") {
							t.Errorf("%q", fact)
						}
					}
				}
			}
		}
	}
}

func TestExplainHostile(t *testing.T) {
	for _, name := range []string{"rfc3986", "rfc1808", "draft-02"} {
		rules, _ := RulesNamed(name)
		base := rules.Resolver(typicalBase)
		linear(t, name+": explain", 2, func(_ string, ref []byte) { base.Explain(ref) })
		linear(t, name+": explain, base", 2, func(s string, ref []byte) { rules.Resolver("x://h/" + s).Explain(ref) })
	}
}

func BenchmarkExplain(b *testing.B) {
	base := Rules{}.Resolver(typicalBase)
	refs, size := typicalBytes()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, ref := range refs {
			base.Explain(ref)
		}
	}
}
