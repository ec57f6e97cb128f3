package resolve

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The case collections live beside the repository, not in it.
const shared = "../../shared/cases/resolve/"

func needShared(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(shared); err != nil {
		t.Skip("no case collections beside the repository: ", err)
	}
}

// A class is a list of rows where we give something else, and why that is right.
// Each row has to be there, and has to go on differing.
type class struct {
	why       string
	departure Departures // what Result says of each row, if anything
	rows      []difference
}

type difference struct{ base, ref, got string }

// compare resolves the rows of a table and compares one column of it.
// "x | y" in the table allows either.
func compare(t *testing.T, table string, rules Rules, rows []row, column string, classes []class) {
	t.Helper()
	type key struct{ base, ref string }
	type excuse struct {
		class
		got  string
		used bool
	}
	excuses := map[key]*excuse{}
	for _, c := range classes {
		for _, d := range c.rows {
			excuses[key{d.base, d.ref}] = &excuse{class: c, got: d.got}
		}
	}
	for _, r := range rows {
		base, ref, want := r["base"], r["reference"], r[column]
		got, res := show(rules, base, ref)
		e := excuses[key{base, ref}]
		if e != nil {
			e.used = true
		}
		switch same := slices.Contains(strings.Split(want, " | "), got); {
		case e == nil && !same:
			t.Errorf("%s: %q + %q = %q, want %q", table, base, ref, got, want)
		case e != nil && same:
			t.Errorf("%s: %q + %q differs no longer: strike it off (%s)", table, base, ref, e.why)
		case e != nil && got != e.got:
			t.Errorf("%s: %q + %q = %q, want %q (%s)", table, base, ref, got, e.got, e.why)
		case e != nil && res.Departures&e.departure != e.departure:
			t.Errorf("%s: %q + %q: departures %q, want %q", table, base, ref, res.Departures, e.departure)
		}
	}
	for k, e := range excuses {
		if !e.used {
			t.Errorf("%s: no row %q + %q to excuse", table, k.base, k.ref)
		}
	}
}

// TestSharedTables compares the tables of single documents whole.
// "x | y" in a table is one result for each of the rules.
func TestSharedTables(t *testing.T) {
	needShared(t)
	for file, columns := range map[string][]string{
		"rfc1808.tsv":                     {"rfc1808"},
		"draft-fielding.tsv":              {"draft-02"},
		"draft-fielding-algorithm.tsv":    {"draft"},
		"rfc2396.tsv":                     {"rfc2396", "rfc2396 same-scheme=relative"},
		"rfc3986.tsv":                     {"rfc3986"},
		"rfc3986-nonstrict.tsv":           {"rfc3986 same-scheme=relative"},
		"rfc3986-remove-dot-segments.tsv": {"rfc3986"},
	} {
		for _, r := range readTable(t, shared+file) {
			want := strings.Split(r["expected"], " | ")
			for i, rules := range columns {
				want := want[min(i, len(want)-1)]
				if got, _ := show(parseRules(t, rules), r["base"], r["reference"]); got != want {
					t.Errorf("%s: %s: %q + %q = %q, want %q", file, rules, r["base"], r["reference"], got, want)
				}
			}
		}
	}
}

func TestSharedPolicies(t *testing.T) {
	needShared(t)
	rows := readTable(t, shared+"policy-above-root.tsv")
	policies := []string{"retain", "remove", "error"}
	for _, r := range rows {
		want := strings.Split(r["expected"], " | ")
		if len(want) != len(policies) {
			t.Fatalf("%q", want)
		}
		for i, policy := range policies {
			r[policy] = want[i]
		}
	}
	noSlash := class{"the table gives the literal result; the host must not change", 0,
		[]difference{{"http://a", "g", "http://a/g"}}}
	notTouched := class{"the 1997 draft, section 5.2 step 5: the dots of an absolute path are left alone", 0,
		[]difference{{"http://a/b/c/d;p?q", "/../g", "http://a/../g"}}}
	for _, tt := range []struct {
		rules, policy string
		classes       []class
	}{
		{"rfc3986", "retain", []class{noSlash}},
		{"rfc3986", "remove", nil},
		{"rfc3986", "error", nil},
		{"draft", "retain", []class{noSlash}},
		{"draft", "remove", []class{notTouched}},
		{"draft", "error", []class{notTouched}},
	} {
		rules := parseRules(t, tt.rules+" above-root="+tt.policy)
		compare(t, tt.rules+" "+tt.policy, rules, rows, tt.policy, tt.classes)
	}
}

func TestSharedMatrix(t *testing.T) {
	needShared(t)
	rows := readTable(t, shared+"matrix-specs.tsv")
	slash := func(host string) class {
		return class{"step 6a would make the reference part of the host", AddedSlash, []difference{
			{"http://a", "g", "http://a/g"},
			{"http://a", "../g", "http://a/../g"},
			{"http://a?x", "g", "http://" + host + "/g"},
		}}
	}
	guard := class{`"//g" would be an authority from nowhere`, Guarded, []difference{
		{"foo:/a", ".//g", "foo:/.//g"},
	}}
	guardAbove := class{guard.why, Guarded | WentAbove, []difference{
		{"foo:/a", "..//g", "foo:/.//g"},
	}}
	rootless := class{"dots are data in a path without a slash", LeftRootless, []difference{
		{"http://a/b/c/d;p?q", "a:b/../c", "a:b/../c"},
	}}
	for _, tt := range []struct {
		column, rules string
		classes       []class
	}{
		{"rfc1808", "rfc1808", []class{slash("a?x"), guard}},
		{"draft-01", "draft-01", []class{slash("a?x"), guard}},
		{"draft-02", "draft-02", []class{slash("a"), guard}},
		{"draft", "draft", []class{slash("a"), guard}},
		{"rfc2396", "rfc2396", []class{slash("a"), guard}},
		{"rfc2396-compat", "rfc2396 same-scheme=relative", []class{slash("a"), guard}},
		{"rfc3986", "rfc3986", []class{guard, guardAbove, rootless}},
		{"rfc3986-nonstrict", "rfc3986 same-scheme=relative", []class{guard, guardAbove, rootless}},
		{"rfc3986-guard", "rfc3986", []class{rootless}},
	} {
		compare(t, tt.column, parseRules(t, tt.rules), rows, tt.column, tt.classes)
	}
}

// TestSharedSuites compares the tests of other projects with RFC 3986.
func TestSharedSuites(t *testing.T) {
	needShared(t)
	const guard = `"//g" would be an authority from nowhere`
	accepted := map[string][]class{
		"suite-4suite-mjbrown.tsv": {
			{"RFC 3986 5.2.4 to the letter: removing a first segment leaves the slash behind it", 0, []difference{
				{"foo:a/b", "../c", "foo:/c"},
				{"zz:abc", "foo/../../../bar", "zz:/bar"},
				{"zz:abc", "foo/../bar", "zz:/bar"},
			}},
			{"dots are data in an absolute reference without a slash", LeftRootless, []difference{
				{"foo:a", "foo:.", "foo:."},
				{"zz:abc", "zz:.", "zz:."},
			}},
			{guard, Guarded, []difference{{"f:/a", ".//g", "f:/.//g"}}},
		},
		"suite-cpython.tsv": {
			{"urljoin keeps the fragment under an empty reference, as RFC 1808 asked", 0, []difference{
				{"http://a/b/c/d;p?q#f", "", "http://a/b/c/d;p?q"},
			}},
			{"urljoin is not strict: same-scheme=relative", 0, []difference{
				{"http://a/b/c/d;p?q", "http:g", "http:g"},
				{"http://a/b/c/d", "http:g", "http:g"},
				{"http://a/b/c/d", "http:", "http:"},
				{"http://a/b/c/d", "http:?y", "http:?y"},
				{"http://a/b/c/d", "http:g?y", "http:g?y"},
				{"http://a/b/c/d", "http:g?y/./x", "http:g?y/./x"},
			}},
			{"urljoin does not look at an absolute reference where the base is empty; 5.2.2 removes its dots", 0, []difference{
				{"", "http://a/./g", "http://a/g"},
			}},
		},
		"suite-guzzle-psr7.tsv": {
			{"RFC 1808 4 step 1: with no base a reference stays what it is, and ends where a later base can resolve it", 0, []difference{
				{"", "..", ".."},
			}},
			{"both avoid the authority from nowhere; dropping a slash gives another path", Guarded, []difference{
				{"urn:a/b", "..//a/b", "urn:/.//a/b"},
			}},
		},
		"suite-haskell-network-uri.tsv": {
			{guard, Guarded, []difference{
				{"f:/a", ".//g", "f:/.//g"},
				{"f:/a/", "..//g", "f:/.//g"},
			}},
			{"the row wants the directory gone too; RFC 3986 5.2.3 keeps it", 0, []difference{
				{"http://ex/a/b", "./", "http://ex/a/"},
			}},
		},
	}
	files, err := filepath.Glob(shared + "suite-*.tsv")
	if err != nil || len(files) < 6 {
		t.Fatalf("suites: %v %v", files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		compare(t, name, Rules{}, readTable(t, file), "expected", accepted[name])
		delete(accepted, name)
	}
	for name := range accepted {
		t.Errorf("no suite %s", name)
	}
}

// TestSharedHardCases checks that departures.tsv has every hard case, with a
// result that the case's text allows.
func TestSharedHardCases(t *testing.T) {
	needShared(t)
	ours := map[[2]string]string{}
	for _, file := range []string{"departures.tsv", "rfc3986.tsv"} {
		for _, r := range readTable(t, testdata+"/"+file) {
			if r["rules"] == "rfc3986" {
				ours[[2]string{r["base"], r["reference"]}] = r["expected"]
			}
		}
	}
	elsewhere := map[string]string{
		"12": "says that the reference is kept, not what comes out",
		"13": "is about white space, which a scanner has to decide on",
		"17": "is a list of references that are kept",
	}
	data, err := os.ReadFile(shared + "hard-cases.md")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, " | ")
		if len(cells) < 6 || !strings.HasPrefix(cells[1], "`") {
			continue
		}
		cases++
		number := strings.TrimPrefix(cells[0], "| ")
		base, ref := strings.Trim(cells[1], "`"), strings.Trim(cells[2], "`")
		got, ok := ours[[2]string{base, ref}]
		if elsewhere[number] == "" && (!ok || !strings.Contains(cells[3], got)) {
			t.Errorf("hard case %s: %q + %q = %q, not in %q", number, base, ref, got, cells[3])
		}
	}
	if cases < 18 {
		t.Errorf("%d hard cases", cases)
	}
}
