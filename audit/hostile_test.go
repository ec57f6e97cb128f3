package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/refract/audit"
	"example.org/refract/internal/testing/scantest"
)

// Time is linear in the number of elements of each list in Options.
func TestManyOptions(t *testing.T) {
	n := scantest.Amount(60, 4000)
	list := func(n int, pattern string) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf(pattern, i))
		}
		return list
	}
	dir := t.TempDir()
	for i := range 4 * n {
		name := filepath.Join(dir, "e", fmt.Sprint(i))
		err := os.MkdirAll(name, 0o777)
		if err != nil {
			t.Fatal(err)
		}
		err = os.WriteFile(filepath.Join(name, "a.md"), []byte("[a](a.md)\n"), 0o666)
		if err != nil {
			t.Fatal(err)
		}
	}
	one := []string{"e/0"}
	for name, shape := range map[string]func(n int) audit.Options{
		"directories":         func(n int) audit.Options { return audit.Options{Paths: list(n, "e/%d")} },
		"unclean directories": func(n int) audit.Options { return audit.Options{Paths: list(n, "e/../e/%d/.")} },
		"files":               func(n int) audit.Options { return audit.Options{Paths: list(n, "e/./%d/a.md")} },
		"no files":            func(n int) audit.Options { return audit.Options{Paths: list(n, "none/%d/x/y")} },
		"the same":            func(n int) audit.Options { return audit.Options{Paths: list(n, "e/0%.0d")} },
		"globs": func(n int) audit.Options {
			return audit.Options{Paths: one, Globs: append(list(n, "{a,b}*[x]%d"), "*.md")}
		},
		"ignore":   func(n int) audit.Options { return audit.Options{Paths: one, Ignore: list(n, "x*%d")} },
		"suffixes": func(n int) audit.Options { return audit.Options{Paths: one, Suffixes: list(n, ".m%d")} },
		"outputs":  func(n int) audit.Options { return audit.Options{Paths: one, Outputs: list(n, "e/%d/a.md")} },
		"rules": func(n int) audit.Options {
			return audit.Options{Paths: one, Without: repeated(n, audit.Orphan)}
		},
		"sites": func(n int) audit.Options {
			o := audit.Options{Paths: one}
			for i := range n {
				o.Sites = append(o.Sites, audit.Site{URL: fmt.Sprintf("http://h%d/", i), Dir: fmt.Sprintf("e/./%d", i)})
			}
			return o
		},
	} {
		run := func(n int) func() {
			o := shape(n)
			o.Dir = filepath.ToSlash(dir)
			return func() {
				r, err := audit.Run(t.Context(), o, func(f *audit.Finding) { t.Error(f) })
				if err != nil || name != "no files" && name != "outputs" && r.Documents == 0 || name == "no files" && len(r.Errors) != n {
					t.Errorf("%s: %v, %d documents", name, err, r.Documents)
				}
			}
		}
		scantest.Linear(t, name, 100*time.Millisecond, run(n), run(4*n))
	}
	// A million of them are checked in one pass.
	for name, o := range map[string]audit.Options{
		"Paths":    {Paths: append(repeated(1<<20, "e"), "")},
		"Globs":    {Globs: append(repeated(1<<20, "*.md"), "[")},
		"Suffixes": {Suffixes: append(repeated(1<<20, ".md"), "md")},
		"Only":     {Only: append(repeated(1<<20, audit.Orphan), "orphn")},
	} {
		_, err := audit.Run(t.Context(), o, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "audit: "+name+" ") || len(err.Error()) > 1000 {
			t.Errorf("%s: %.1000v", name, err)
		}
	}
}

func repeated[T any](n int, v T) []T { return slices.Repeat([]T{v}, n) }
