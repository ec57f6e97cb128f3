package audit

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit/rule"
	"example.org/refract/internal/audit/tree"
)

// Each archive in testdata/alive has two states of a tree, below before/ and after/, and the findings about URLs and ids that the
// second no longer publishes. Files with equal text have not changed. The comment has the renames, from and to. UPDATE=1
// writes the findings.
func TestRemoved(t *testing.T) {
	names, err := filepath.Glob("testdata/alive/*.txtar")
	must(t, err)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			must(t, err)
			var got strings.Builder
			removed(t, ar, func(f *Finding) {
				if f.Rule == rule.RemovedURL || f.Rule == rule.RemovedID || f.Rule == rule.RedirectTarget {
					got.WriteString(f.String() + "\n")
				}
			})
			want := &ar.Files[len(ar.Files)-1]
			if got.String() == string(want.Data) {
				return
			}
			t.Errorf("got\n%swant\n%s", got.String(), want.Data)
			if os.Getenv("UPDATE") != "" {
				want.Data = []byte(got.String())
				must(t, os.WriteFile(name, txtar.Format(ar), 0o644))
			}
		})
	}
}

// removed audits the second state of a tree, compared with the first.
func removed(t *testing.T, ar *txtar.Archive, emit func(*Finding)) {
	t.Helper()
	states := map[string]tree.Tree{}
	texts := map[string]map[string]string{"before": {}, "after": {}}
	for _, state := range []string{"before", "after"} {
		o := tree.NewOverlay(tree.NewOverlay(tree.Disk()))
		o.Remove("/t")
		o.Write("/t/.git/HEAD", nil)
		for _, f := range ar.Files {
			if rel, ok := strings.CutPrefix(f.Name, state+"/"); ok {
				o.Write("/t/"+rel, f.Data)
				texts[state]["/t/"+rel] = string(f.Data)
			}
		}
		states[state] = o
	}
	links := new(IDLinks)
	report, err := Run(context.Background(), Options{Tree: states["before"], Dir: "/t", Paths: []string{"."}, Followed: links.Take}, nil)
	must(t, err)
	before := report.Inventory(links, func(p string) (string, bool) { return p, true })
	before.Renamed, before.Changed = map[string]string{}, map[string]bool{}
	for line := range strings.Lines(string(ar.Comment)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "rename" {
			before.Renamed["/t/"+fields[1]] = "/t/" + fields[2]
		}
	}
	for name, text := range texts["before"] {
		if now, ok := texts["after"][name]; !ok || now != text {
			before.Changed[name] = true
		}
	}
	_, err = Run(context.Background(), Options{Tree: states["after"], Dir: "/t", Paths: []string{"."}, Before: before}, emit)
	must(t, err)
}
