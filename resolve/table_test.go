package resolve

import (
	"path/filepath"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

const testdata = "../testdata/resolve"

func parseRules(t testing.TB, text string) Rules {
	t.Helper()
	rules, err := ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// show resolves ref and writes the result as tables have it.
func show(rules Rules, base, ref string) (string, Result) {
	out, res := rules.Resolver(base).Append(nil, []byte(ref))
	switch {
	case res.InError:
		return "(error)", res
	case res.SameDocument():
		return "(current document)" + string(out), res
	}
	return string(out), res
}

func TestTables(t *testing.T) {
	files, err := filepath.Glob(testdata + "/*.tsv")
	if err != nil || len(files) < 8 {
		t.Fatalf("tables: %v %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, r := range scantest.Records(t, file) {
				if _, ok := r["rules"]; !ok {
					return // another test's
				}
				got, res := show(parseRules(t, r["rules"]), r["base"], r["reference"])
				if got != r["expected"] {
					t.Errorf("%s: %s: %q + %q = %q, want %q", r["section"], r["rules"], r["base"], r["reference"], got, r["expected"])
				}
				if want, ok := r["departures"]; ok && res.Departures.String() != want {
					t.Errorf("%s: %s: %q + %q: departures %q, want %q", r["section"], r["rules"], r["base"], r["reference"], res.Departures, want)
				}
			}
		})
	}
}

func TestStep(t *testing.T) {
	for _, tt := range []struct {
		rules, ref string
		want       Step
	}{
		{"draft", "", CurrentDocument},
		{"draft", "#s", CurrentDocument},
		{"draft-01", "//#", CurrentDocument},
		{"rfc3986", "x:y", Absolute},
		{"draft", "x:y", Absolute},
		{"rfc3986", "//h", NetworkPath},
		{"rfc3986", "/g", AbsolutePath},
		{"rfc3986", "/./g", AbsolutePath},
		{"rfc3986", "g", RelativePath},
		{"rfc3986", "../g/.", RelativePath},
		{"draft", "?y", RelativePath},
		{"rfc3986", "", SameURI},
		{"rfc3986", "#s", SameURI},
		{"rfc1808", "", SameURI},
		{"rfc1808", "#s", SameURI},
		{"rfc3986", "?y", SamePath},
		{"rfc1808", "?y", SamePath},
		{"rfc1808", ";x", SamePath},
	} {
		_, res := parseRules(t, tt.rules).Resolver("http://a/b/c/d;p?q#f").Append(nil, []byte(tt.ref))
		if res.Step != tt.want {
			t.Errorf("%s: %q: %v, want %v", tt.rules, tt.ref, res.Step, tt.want)
		}
	}
	if _, res := (Rules{}).Resolver("").Append(nil, []byte("g")); res.Step != NoBase {
		t.Errorf("no base: %v", res.Step)
	}
	for s := range NoBase + 1 {
		if (s.String() == "none") != (s == 0) {
			t.Errorf("step %d is called %q", s, s)
		}
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		sec, rules, in, want string // want: the defined components, "|" between them
	}{
		{"draft B", "rfc3986", "http://www.ics.uci.edu/pub/ietf/uri/#Related", "scheme http|authority www.ics.uci.edu|path /pub/ietf/uri/|fragment Related"},
		{"draft 5.2", "rfc3986", "", "path "},
		{"draft 5.2", "rfc3986", "//?#", "authority |path |query |fragment "},
		{"3.1", "rfc3986", "12:30", "path 12:30"},
		{"3.1", "rfc3986", ":x", "path :x"},
		{"3.1", "rfc3986", "a+.-1:x", "scheme a+.-1|path x"},
		{"3.1", "rfc3986", "a_b:x", "path a_b:x"},
		{"3.1", "rfc3986", "g?x:y", "path g|query x:y"},
		{"3.2", "rfc3986", "//a?x/y", "authority a|path |query x/y"},
		{"2.4.3", "rfc1808", "//a?x/y;z", "authority a?x|path /y|params z"},
		{"2.4.5", "rfc1808", "a/b;c/d;e?f;g#h;i", "path a/b|params c/d;e|query f;g|fragment h;i"},
		{"2.4", "rfc1808", "///a;?#", "path /a"},
		{"2.4.2", "rfc1808", "12:30", "scheme 12|path 30"},
		{"2.4.2", "rfc1808", ":x", "path :x"},
		{"4.4", "draft", "//a;b?c/d;e", "authority a;b|path |query c/d;e"},
	} {
		c := parseRules(t, tt.rules).Parse([]byte(tt.in))
		var got []string
		for _, part := range []struct {
			name string
			has  bool
			s    []byte
		}{
			{"scheme", c.HasScheme, c.Scheme}, {"authority", c.HasAuthority, c.Authority}, {"path", true, c.Path},
			{"params", c.HasParams, c.Params}, {"query", c.HasQuery, c.Query}, {"fragment", c.HasFragment, c.Fragment},
		} {
			if part.has {
				got = append(got, part.name+" "+string(part.s))
			}
		}
		if got := strings.Join(got, "|"); got != tt.want {
			t.Errorf("%s: %s: %q: %s, want %s", tt.sec, tt.rules, tt.in, got, tt.want)
		}
	}
}

// The policy table of DESIGN.md: each option's first value is RFC 3986's, and
// turning every option of RFC 3986 makes any other set of rules.
func TestOptions(t *testing.T) {
	table := map[string]string{
		"rfc3986":  "remove remove keep base base no no present any absolute no",
		"rfc1808":  "retain leave keep base-fragment base yes no absent slash absolute yes",
		"draft-01": "retain leave keep current current no no absent slash absolute yes",
		"draft-02": "retain leave drop current current no yes present any absolute yes",
		"draft":    "retain leave drop current current no no present any absolute yes",
		"rfc2396":  "retain leave drop current current no no present any absolute no",
		"whatwg":   "remove remove keep base base no no present any relative no",
	}
	if len(RulesNames()) != len(table) || RulesNames()[0] != "rfc3986" {
		t.Errorf("names: %v", RulesNames())
	}
	for name, values := range table {
		var rules, first Rules
		for i, value := range strings.Fields(values) {
			option := Options()[i]
			if err := rules.Set(option.Name, value); err != nil {
				t.Error(err)
			}
			if err := first.Set(option.Name, option.Values[0]); err != nil {
				t.Error(err)
			}
			if option.Doc == "" {
				t.Errorf("%s: no doc", option.Name)
			}
		}
		rules.Browser = name == "whatwg" // no option, and none turns with it
		if want, ok := RulesNamed(name); !ok || rules != want {
			t.Errorf("%s: %+v, want %+v", name, rules, want)
		}
		if first != (Rules{}) {
			t.Errorf("the first values are not the zero Rules: %+v", first)
		}
	}

	rules := Rules{SameScheme: true}
	for _, bad := range [][2]string{{"above-root", "keep"}, {"above-root", ""}, {"above", "remove"}} {
		if err := rules.Set(bad[0], bad[1]); err == nil || !strings.HasPrefix(err.Error(), "resolve: ") {
			t.Errorf("Set(%q, %q): %v", bad[0], bad[1], err)
		}
	}
	if rules != (Rules{SameScheme: true}) {
		t.Errorf("a failed Set changed %+v", rules)
	}
	rules, _ = RulesNamed("whatwg")
	if err := rules.Set("above-root", "retain"); err == nil || !strings.HasSuffix(err.Error(), "have no options") {
		t.Errorf("browsers: %v", err)
	}
	Options()[0].Values[0] = "changed"
	if Options()[0].Values[0] != "remove" {
		t.Error("Options gives its own table away")
	}
}

func TestBaseIsAsGiven(t *testing.T) {
	rules, _ := RulesNamed("rfc1808")
	b := rules.Resolver("HTTP://a?#")
	if b.String() != "HTTP://a?#" || b.Rules() != rules {
		t.Errorf("%q %+v", b, b.Rules())
	}
}

func TestResolve(t *testing.T) {
	for _, tt := range []struct{ base, ref, want string }{
		{"http://a/b/c", "../g?y#s", "http://a/g?y#s"},
		{"http://a/b", "", "http://a/b"},
		{"", "http://a/./b", "http://a/b"},
		{"/static/", "x:y", "x:y"},
		{"", "g", ""},
		{"/static/", "a.js", ""},
		{"", "", ""},
	} {
		got, err := Resolve(tt.base, tt.ref)
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("Resolve(%q, %q) = %q, %v", tt.base, tt.ref, got, err)
		}
	}

	for text, want := range map[string]string{
		"":                   `resolve: "": not one of rfc3986, rfc1808, `,
		"rfc3987":            `resolve: "rfc3987": not one of rfc3986, `,
		"rfc3986,above-root": `resolve: "above-root": give OPTION=VALUE`,
		"above=retain":       `resolve: "above": not one of above-root, `,
		"above-root=up":      `resolve: above-root="up": not one of remove, retain, error`,
	} {
		if r, err := ParseRules(text); err == nil || !strings.HasPrefix(err.Error(), want) || r != (Rules{}) {
			t.Errorf("ParseRules(%q): %v %v", text, r, err)
		}
	}
	for _, text := range []string{"above-root=retain", "rfc3986,above-root=retain", "rfc3986,above-root=error,above-root=retain,"} {
		if r, err := ParseRules(text); err != nil || r.String() != "rfc3986,above-root=retain" {
			t.Errorf("ParseRules(%q): %v %v", text, r, err)
		}
	}
}
