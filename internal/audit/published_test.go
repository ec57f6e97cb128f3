package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"example.org/refract/internal/audit/rule"
)

// Each archive in testdata/published has two states of a tree, below before/ and after/, and the findings about URLs and ids that the
// second no longer publishes. Files with equal text have not changed. The comment has the renames, from and to. UPDATE=1
// writes the findings.
func TestRemoved(t *testing.T) {
	names, err := filepath.Glob("testdata/published/*.txtar")
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
	w := newTwoStates()
	for _, f := range ar.Files {
		if rel, ok := strings.CutPrefix(f.Name, "before/"); ok {
			w.old(rel, string(f.Data))
		}
		if rel, ok := strings.CutPrefix(f.Name, "after/"); ok {
			w.today(rel, string(f.Data))
		}
	}
	for line := range strings.Lines(string(ar.Comment)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "rename" {
			w.renamed[fields[1]] = fields[2]
		}
	}
	w.audit(t, emit)
}
