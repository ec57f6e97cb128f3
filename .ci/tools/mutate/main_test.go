//go:build unix

package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// All changes to a module whose tests miss six of them: one is noticed by a user alone, and the tests of another user
// fail without a change.
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
		`testdata/tiny/tiny.go:21:25: "none" -> "nonex": if !isKnown || name == "none" {`,
		`testdata/tiny/tiny.go:4:16: 3 -> 4: const unused = 3`,
		`testdata/tiny/tiny.go:7:35: < -> <=: func Small(n int) bool { return n < 10 }`,
		`testdata/tiny/tiny.go:7:37: 10 -> 11: func Small(n int) bool { return n < 10 }`,
	}
	if !slices.Equal(got, want) || missed != len(want) {
		t.Errorf("%d not noticed:\n%s", missed, strings.Join(got, "\n"))
	}
	if want := "8 of 12 changes noticed; 1 more did not compile (seed 1)"; last != want {
		t.Errorf("%q, want %q", last, want)
	}
	if len(r.failing) != 1 || !r.failing["tiny/broken"] {
		t.Errorf("failing: %v", r.failing)
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
	if len(first) < 12 || !slices.Equal(first, order(7)) || slices.Equal(first, order(8)) {
		t.Errorf("%d changes, in the order %q", len(first), first)
	}
	if all := order(7, "./..."); len(all) != len(first)+3 {
		t.Errorf("%d with those of a helper of tests", len(all))
	}
	if of := order(7, "tiny.go"); len(of) != len(first) {
		t.Errorf("%d of the file", len(of))
	}
	if of := order(7, "tiny.go:7"); len(of) != 2 {
		t.Errorf("of the line: %q", of)
	}
	if of := order(7, "tiny.go:7:37"); len(of) != 1 || !strings.Contains(of[0], "10 -> 11") {
		t.Errorf("of the place: %q", of)
	}
	if of := order(7, "generated.go"); of != nil {
		t.Errorf("of a generated file: %q", of)
	}
}
