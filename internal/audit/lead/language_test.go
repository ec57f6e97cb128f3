package lead

import (
	"testing"
	"testing/fstest"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/tree"
)

// A file at the place of a translation need not be a document.
func TestNoTranslation(t *testing.T) {
	files := tree.NewListings(tree.FS(fstest.MapFS{"t/.git/config": {}, "t/en/notes": {}, "t/fr/notes": {}}))
	a := &Library{Files: files, Projects: tree.NewProjects(files), Lookups: new(Lookups), Inputs: new(Inputs)}
	to := &doc.Document{Path: "/t/en/notes", Layout: &doc.Layout{}, Kind: doc.Kind{IsDocument: true, Fragments: extract.GeneratedFragments}}
	if got := a.translations(to); len(got) != 1 || got[0] != "/t/fr/notes" {
		t.Fatalf("translations %q", got)
	}
	if other, _ := a.InOtherLanguage(to, "id"); other != nil {
		t.Errorf("%s has the id", other.Path)
	}
}
