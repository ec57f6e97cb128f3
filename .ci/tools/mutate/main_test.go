//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// All changes to a module whose tests miss eight of them: two are noticed by a user alone, of which one is compiled alone, and
// the tests of another user fail without a change.
func TestTiny(t *testing.T) {
	var out strings.Builder
	r := run{dir: "testdata/tiny", seed: 1, limit: 10 * time.Second}
	missed, err := r.packages(t.Context(), &out, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	last := got[len(got)-1]
	got = got[:len(got)-1]
	slices.Sort(got)
	want := []string{
		`testdata/tiny/forms.go:21:8: > -> >=: if by > least {`,
		`testdata/tiny/forms.go:28:35: 1 -> 2: var names = map[string]int{"one": 1, "two": 2}`,
		`testdata/tiny/forms.go:44:11: 0 -> 1: for i := 0; i < len(s); i++ {`,
		`testdata/tiny/forms.go:45:14: ':' -> ';': if s[i] == ':' {`,
		`testdata/tiny/tiny.go:21:25: "none" -> "nonex": if !isKnown || name == "none" {`,
		`testdata/tiny/tiny.go:4:16: 3 -> 4: const unused = 3`,
		`testdata/tiny/tiny.go:7:35: < -> <=: func Small(n int) bool { return n < 10 }`,
		`testdata/tiny/tiny.go:7:37: 10 -> 11: func Small(n int) bool { return n < 10 }`,
	}
	if !slices.Equal(got, want) || missed != len(want) {
		t.Errorf("%d not noticed:\n%s", missed, strings.Join(got, "\n"))
	}
	if want := "33 of 41 changes noticed; 1 more did not compile (seed 1)"; last != want {
		t.Errorf("%q, want %q", last, want)
	}
	for _, b := range r.binaries {
		if (b.pkg == "tiny/broken") != (len(b.tests) == 0) {
			t.Errorf("%s: %d tests pass without a change", b.pkg, len(b.tests))
		}
	}
}

// The same seed gives the same order, another seed another, and a file limits the places.
func TestChanges(t *testing.T) {
	order := func(seed uint64, args ...string) (all []string) {
		changes, err := (&run{dir: "testdata/tiny", seed: seed}).changes(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			all = append(all, c.String())
		}
		return all
	}
	first := order(7)
	if len(first) != 42 || !slices.Equal(first, order(7)) || slices.Equal(first, order(8)) {
		t.Errorf("%d changes, in the order %q", len(first), first)
	}
	if all := order(7, "./..."); len(all) != len(first)+3 {
		t.Errorf("%d with those of a helper of tests", len(all))
	}
	if of := order(7, "tiny.go"); len(of) != 13 {
		t.Errorf("%d of the file", len(of))
	}
	if of := order(7, "tiny.go:7"); len(of) != 2 {
		t.Errorf("of the line: %q", of)
	}
	if of := order(7, "tiny.go:7:37"); len(of) != 1 || !strings.Contains(of[0], "10 -> 11") {
		t.Errorf("of the place: %q", of)
	}
	if of := order(7, "forms.go:41"); len(of) != 1 || strings.Contains(of[0], "64 ->") {
		t.Errorf("of a length and a capacity: %q", of)
	}
	if of := order(7, "forms.go:53"); len(of) != 0 {
		t.Errorf("of the sizes of a buffer and a channel: %q", of)
	}
	if of := order(7, "forms.go:60"); len(of) != 1 || !strings.Contains(of[0], "false -> true") {
		t.Errorf("of a result beside false: %q", of)
	}
	if of := order(7, "forms.go:49"); len(of) != 1 || !strings.Contains(of[0], "1 -> 0") {
		t.Errorf("of -1: %q", of)
	}
	if of := order(7, "generated.go"); of != nil {
		t.Errorf("of a generated file: %q", of)
	}
}

// The open rows of a table are tried again wherever their line is now, whichever way they are written.
func TestOpen(t *testing.T) {
	table := filepath.Join(t.TempDir(), "table.tsv")
	rows := "# comment\nplace\tline\tchanged\tverdict\n" +
		"tiny.go:900\tfunc Small(n int) bool { return n < 10 }\t10 -> 11\topen\n" +
		"tiny.go:4\tconst unused = 3\tconst unused = 4\topen, tried again\n" +
		"tiny.go:7\tfunc Small(n int) bool { return n < 10 }\t< -> <=\tTestSmall since\n" +
		"forms.go\t-\t0 -> 1\topen\n" +
		"forms.go:21\tif by > most {\t> -> >=\topen\n"
	if err := os.WriteFile(table, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	changes, err := (&run{dir: "testdata/tiny", open: table}).changes(t.Context(), nil)
	var all []string
	for _, c := range changes {
		all = append(all, c.String())
	}
	slices.Sort(all)
	want := []string{
		"testdata/tiny/tiny.go:4:16: 3 -> 4: const unused = 3",
		"testdata/tiny/tiny.go:7:37: 10 -> 11: func Small(n int) bool { return n < 10 }",
	}
	if err != nil || !slices.Equal(all, want) {
		t.Errorf("%v, %q", err, all)
	}
	open, err := readOpen(table)
	if err != nil || len(open.gone()) != 3 || !slices.Equal(open.packages(), []string{"."}) {
		t.Errorf("%v, %q, %q", err, open.gone(), open.packages())
	}
	for _, c := range changes {
		open.has(c, "testdata/tiny")
	}
	if gone := open.gone(); len(gone) != 1 || !strings.Contains(gone[0], "most") {
		t.Errorf("gone: %q", gone)
	}
}

// A place whose only changes make no difference has none to try.
func TestNone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "equivalent.tsv")
	if err := os.WriteFile(name, []byte("tiny.go\t-\t16\t3 -> 4\tconst unused = 3\tnobody uses it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	r := run{dir: "testdata/tiny", equivalent: name, seed: 1}
	if _, err := r.packages(t.Context(), &out, []string{"tiny.go:4"}); err != nil || len(r.binaries) > 0 || out.String() != "0 of 0 changes noticed; 0 more did not compile (seed 1)\n" {
		t.Errorf("%q, %d programs are built, %v", out.String(), len(r.binaries), err)
	}
}

// A file has changes that make no difference. A row of no change is an error, and so is one that fits two.
func TestEquivalent(t *testing.T) {
	for rows, want := range map[string]string{
		"": "42",
		"# comment\n\ntiny.go\t-\t16\t3 -> 4\tconst unused = 3\tnobody uses it\n": "41",
		"tiny.go\t-\t16\t3 -> 4\tconst unused = 4\tnobody uses it\n":              "0 changes",
		"tiny.go\tSmall\t16\t3 -> 4\tconst unused = 3\tnobody uses it\n":          "0 changes",
		"tiny.go\t-\t16\t3 -> 4\tconst unused = 3\t\n":                            "no reason",
		"tiny.go\t-\t16\t3 -> 4\tconst unused = 3\n":                              "no reason",
		"forms.go\tadd\t1\tif -> x\tif\tx\n":                                      "0 changes",
	} {
		name := filepath.Join(t.TempDir(), "equivalent.tsv")
		if err := os.WriteFile(name, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		changes, err := (&run{dir: "testdata/tiny", equivalent: name}).changes(t.Context(), nil)
		if got := fmt.Sprint(len(changes), err); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", rows, got, want)
		}
	}
	if rows := (equivalence{"two": 2, "one": 1, "none": 0}).wrong(false); len(rows) != 1 || rows[0] != "2 changes: two" {
		t.Errorf("%q", rows)
	}
}
