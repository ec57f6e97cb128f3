package audittest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/audit"
)

// Prices fails the test if file is not the table of what the reasons decide and hide in some trees: for
// each reason, the trees in which it does either, the references that are not checked because of it, and
// the links that would not be reported if they were broken. It begins with the probes that would, by kind.
// UPDATE=1 writes the table.
func Prices(t *testing.T, trees []Tree, file string) {
	t.Helper()
	type price struct{ trees, decides, hides int }
	prices := map[string]price{}
	found, probes := map[audit.TargetKind]int{}, map[audit.TargetKind]int{}
	for _, tree := range trees {
		o := options(t, tree.Settings, tree.Files, func(string, int, int, string, ...any) {})
		o.Probes = audit.AllProbes
		r, err := audit.Run(context.Background(), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		here := map[string]price{}
		for why, n := range r.Reasons {
			here[why.Name()] = price{1, here[why.Name()].decides + n, 0}
		}
		for why, n := range r.BlindReasons() {
			p := here[why.Name()]
			here[why.Name()] = price{1, p.decides, p.hides + n}
		}
		for name, p := range here {
			all := prices[name]
			prices[name] = price{all.trees + 1, all.decides + p.decides, all.hides + p.hides}
		}
		for _, s := range r.Reach {
			found[s.Kind] += s.Found
			probes[s.Kind] += s.Probes
		}
	}
	var b strings.Builder
	for _, kind := range audit.TargetKinds() {
		fmt.Fprintf(&b, "# %ss: %d of %d\n", kind, found[kind], probes[kind])
	}
	b.WriteString("reason\ttrees\tdecides\thides\n")
	for _, name := range slices.Sorted(maps.Keys(prices)) {
		p := prices[name]
		fmt.Fprintf(&b, "%s\t%d\t%d\t%d\n", name, p.trees, p.decides, p.hides)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s is out of date: run this test with UPDATE=1, and read what has changed", file)
	}
}
