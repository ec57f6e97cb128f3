package spell

import (
	"testing"
	"testing/fstest"

	"example.org/refract/extract"
	"example.org/refract/internal/audit/doc"
	"example.org/refract/internal/audit/lead"
	"example.org/refract/internal/audit/publish"
	"example.org/refract/internal/audit/tree"
)

// Each sign that a program publishes documents is enough: their place is not known then.
func TestIsPlaceKnown(t *testing.T) {
	var a Speller
	a.Files = tree.NewListings(tree.FS(fstest.MapFS{"t/.git/config": {}, "t/docs/a.md": {}}))
	a.Lookups = new(lead.Lookups)
	a.Projects = tree.NewProjects(a.Files)
	d := &doc.Document{Path: "/t/docs/a.md", Layout: &doc.Layout{}, Kind: doc.Kind{IsDocument: true, Fragments: extract.GeneratedFragments}}
	for _, tt := range []struct {
		serving publish.Serving
		want    bool
	}{
		{publish.Serving{}, true},
		{publish.Serving{Roots: []string{"/t/site"}}, true},
		{publish.Serving{IsNested: true}, false},
		{publish.Serving{IsUnsuffixed: true}, false},
		{publish.Serving{IsFlat: true}, false},
		{publish.Serving{Roots: []string{"/t/docs"}}, false},
		{publish.Serving{Routes: map[string]string{"/t/docs/a.md": "/a"}}, false},
	} {
		a.Given = tt.serving
		if got := a.isPlaceKnown(d); got != tt.want {
			t.Errorf("%+v: %v", tt.serving, got)
		}
	}
}
