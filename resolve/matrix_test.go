package resolve

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/testing/scantest"
)

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
func compare(t *testing.T, table string, rules Rules, rows []map[string]string, column string, classes []class) {
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

// TestMatrix compares the documents with each other: a row is a pair, and a column what a
// document makes of it.
func TestMatrix(t *testing.T) {
	rows := scantest.Records(t, testdata+"/matrix.tsv")
	if len(rows) != 121 {
		t.Errorf("%d rows, want 121", len(rows))
	}
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
		{"rfc2396-compat", "rfc2396,same-scheme=relative", []class{slash("a"), guard}},
		{"rfc3986", "rfc3986", []class{guard, guardAbove, rootless}},
		{"rfc3986-nonstrict", "rfc3986,same-scheme=relative", []class{guard, guardAbove, rootless}},
		{"rfc3986-guard", "rfc3986", []class{rootless}},
	} {
		compare(t, tt.column, parseRules(t, tt.rules), rows, tt.column, tt.classes)
	}
}
