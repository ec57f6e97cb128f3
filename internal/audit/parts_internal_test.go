package audit

import (
	"fmt"
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

// Notes about a site are for those who audit one of its documents.
func TestNotesOfNeighbors(t *testing.T) {
	links := ""
	for i := range 20 {
		links += fmt.Sprintf("[%d](x%d.md)\n\n", i, i)
	}
	fsys := fstest.MapFS{".git/HEAD": text(""), "docs/a.md": text(""), "site/mkdocs.yml": text("site_name: x\n"), "site/docs/a.md": text(links)}
	for dir, want := range map[string]int{"docs": 0, "site": 1} {
		r, err := Run(t.Context(), Options{Tree: tree.FS(fsys), Paths: []string{dir}, Doubts: true}, nil)
		must(t, err)
		if len(r.Notes) != want || r.Documents != 1 {
			t.Errorf("%s: %d documents, notes %v", dir, r.Documents, r.Notes)
		}
	}
}
