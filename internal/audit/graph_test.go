package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestGraph(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"docs/a.md":         "[1](b.md) [2](b.md#none) [3](sub/) [4](#a) [5](gone.md) [6](B.md)\n",
		"docs/b.md":         "[1](a.md) [2](pic.png) [3](b.md)\n",
		"docs/pic.png":      "",
		"docs/sub/index.md": "[1](../../out.md)\n",
		"out.md":            "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		args         []string
		output       string
		names, links string
		targets      string
	}{
		{[]string{"docs"}, "", "[docs/a.md docs/b.md docs/sub/index.md]",
			"[{docs/a.md docs/b.md} {docs/a.md docs/sub/index.md} {docs/b.md docs/a.md}]",
			"[docs/b.md docs/a.md docs/gone.md docs/b.md out.md]"},
		// A document has the same name as File and as Target, however the argument is written.
		{[]string{"./docs"}, "", "[docs/a.md docs/b.md docs/sub/index.md]",
			"[{docs/a.md docs/b.md} {docs/a.md docs/sub/index.md} {docs/b.md docs/a.md}]",
			"[docs/b.md docs/a.md ./docs/gone.md docs/b.md out.md]"},
		// What is no input is in links, not in names.
		{[]string{"docs/b.md"}, "", "[docs/b.md]", "[{docs/b.md docs/a.md}]", "[]"},
		// What is about to be written is left out where it is found.
		{[]string{"docs"}, "docs/sub/index.md", "[docs/a.md docs/b.md]",
			"[{docs/a.md docs/b.md} {docs/a.md docs/sub/index.md} {docs/b.md docs/a.md}]",
			"[docs/b.md docs/a.md docs/gone.md docs/b.md]"},
	} {
		for _, jobs := range []int{1, 4} {
			o := Options{Graph: true, Outputs: []string{x.output}, Jobs: jobs}
			targets := []string{}
			r, err := o.audit(x.args, func(f *Finding) { targets = append(targets, f.Target) })
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(r.Names); got != x.names || r.Documents != len(r.Names) {
				t.Errorf("%v: names %s, of %d", x.args, got, r.Documents)
			}
			if got := fmt.Sprint(r.Links); got != x.links {
				t.Errorf("%v: links %s", x.args, got)
			}
			if got := fmt.Sprint(targets); got != x.targets {
				t.Errorf("%v: targets %s", x.args, got)
			}
		}
	}
	var o Options
	if r, err := o.audit([]string{"docs"}, func(*Finding) {}); err != nil || r.Links != nil {
		t.Error("a graph that nobody has asked for: ", r, err)
	}
}
