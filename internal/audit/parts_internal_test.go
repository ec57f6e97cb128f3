package audit

import (
	"slices"
	"testing"
	"testing/fstest"

	"example.org/refract/internal/audit/tree"
)

// A repository with too many files is not read besides what is named, and a note says so.
func TestMostNeighbors(t *testing.T) {
	defer func(n int) { mostNeighbors = n }(mostNeighbors)
	fsys := fstest.MapFS{
		".git/HEAD": text(""), "docs/a.md": text("[x](x.md)"), "other/b.md": text("[y](y.md)"), "other/x.md": text(""),
	}
	for _, test := range []struct {
		most  int
		notes []string
		found string
	}{
		{3, nil, `docs/a.md:1:5: no such file: "docs/x.md"; did you mean "../other/x.md"? [missing-file]`},
		{2, []string{"has more than 2 files: only what is named is read"}, `docs/a.md:1:5: no such file: "docs/x.md" [missing-file]`},
	} {
		mostNeighbors = test.most
		var found, notes []string
		r, err := Run(t.Context(), Options{Tree: tree.FS(fsys), Paths: []string{"docs"}}, func(f *Finding) { found = append(found, f.String()) })
		must(t, err)
		for _, n := range r.Notes {
			notes = append(notes, n.Text)
		}
		if !slices.Equal(notes, test.notes) || !slices.Equal(found, []string{test.found}) || r.Documents != 1 {
			t.Errorf("at most %d: %q %q, %d documents", test.most, found, notes, r.Documents)
		}
	}
}
